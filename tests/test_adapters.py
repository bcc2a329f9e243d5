"""The shapes of other packages, against the packages themselves where they can be imported."""

from __future__ import annotations

import inspect
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import covloss_fast as cf
from covloss_fast.adapters import (
    SmartNoiseSynthesizer,
    mbi_dataset,
    mbi_domain,
    schema_from_mbi,
    table_from_mbi,
)

SCHEMA = cf.Schema(
    [
        cf.Binary("smoker", levels=("no", "yes")),
        cf.Categorical("job", ["clerk", "nurse", "other"]),
        cf.Numeric("age", lower=0, upper=120, bins=12, integer=True),
    ]
)
ROWS = [("no", "clerk", 30), ("yes", "nurse", 50), ("no", "other", 71)] * 300


def frame() -> Any:
    return pytest.importorskip("pandas").DataFrame(ROWS, columns=list(SCHEMA.names))


# ---------------------------------------------------------------------------------------------- snsynth


def test_what_goes_in_comes_out() -> None:
    synth = SmartNoiseSynthesizer(epsilon=5.0, delta=1e-6, schema=SCHEMA)
    synth.fit(frame(), categorical_columns=["smoker", 1], continuous_columns=["age"])
    made = synth.sample(7)
    assert type(made).__name__ == "DataFrame"
    assert list(made.columns) == list(SCHEMA.names)
    assert len(made) == len(synth.sample(n_rows=7)) == 7
    tuples = SmartNoiseSynthesizer(5.0, 1e-6).fit_sample(ROWS, schema=SCHEMA)
    assert isinstance(tuples, list)
    assert all(isinstance(row, tuple) and len(row) == 3 for row in tuples)
    assert isinstance(tuples[0][2], int)
    array = SmartNoiseSynthesizer(5.0, 1e-6, schema=cf.Schema.from_domain({"a": 2, "b": 3}))
    array.fit(np.zeros((50, 2), np.uint8))
    assert array.sample(4).shape == (4, 2)
    assert len(synth.certificate_) == 3
    assert (synth.ledger_.epsilon, synth.ledger_.delta) == (5.0, 1e-6)


def test_a_second_fit_adds_to_the_ledger() -> None:
    synth = SmartNoiseSynthesizer(epsilon=1.0, delta=0, schema=SCHEMA)
    synth.fit(ROWS)
    synth.fit(ROWS)
    assert synth.ledger_.epsilon == 2.0


def test_conditions_are_met_without_rejection() -> None:
    synth = SmartNoiseSynthesizer(epsilon=5.0, delta=0, schema=SCHEMA)
    synth.fit(ROWS)
    assert {row[1] for row in synth.sample_conditional(20, {"job": "nurse"})} == {"nurse"}
    with pytest.raises(ValueError, match="a condition is a mapping"):
        synth.sample_conditional(20, "job = 'nurse'")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "a schema is needed"),
        ({"schema": SCHEMA, "transformer": object()}, "preprocessing that looks at the data"),
        ({"schema": SCHEMA, "preprocessor_eps": 0.1}, "preprocessing that looks at the data"),
        ({"schema": SCHEMA, "categorical_columns": ["age"]}, "'age' was called categorical"),
        ({"schema": SCHEMA, "continuous_columns": ["job"]}, "'job' was called continuous"),
        ({"schema": SCHEMA, "ordinal_columns": ["jop"]}, "'jop' is no attribute"),
        ({"schema": SCHEMA, "ordinal_columns": [3]}, "there is no column 3"),
    ],
)
def test_what_would_read_the_data_is_refused(arguments: dict[str, Any], message: str) -> None:
    synth = SmartNoiseSynthesizer(epsilon=1.0, delta=0)
    with pytest.raises(ValueError, match=message):
        synth.fit(ROWS, **arguments)
    assert not hasattr(synth, "synthesizer_")


def test_other_mistakes() -> None:
    with pytest.raises(ValueError, match="epsilon must be a number"):
        SmartNoiseSynthesizer(schema=SCHEMA, delta=0).fit(ROWS)
    with pytest.raises(ValueError, match="row 1 has 2 values, the schema 3 columns"):
        SmartNoiseSynthesizer(1, 0, schema=SCHEMA).fit([ROWS[0], ("no", "clerk")])
    with pytest.raises(ValueError, match="not fitted yet"):
        SmartNoiseSynthesizer(1, 0, schema=SCHEMA).sample(3)
    synth = SmartNoiseSynthesizer(1, 0, schema=SCHEMA)
    synth.fit(ROWS)
    with pytest.raises(ValueError, match="give one of them"):
        synth.sample(3, n_rows=3)


def test_the_real_signature() -> None:
    base = pytest.importorskip("snsynth.base")
    for name in ("fit", "sample", "fit_sample", "sample_conditional"):
        theirs = inspect.signature(getattr(base.Synthesizer, name)).parameters
        ours = inspect.signature(getattr(SmartNoiseSynthesizer, name)).parameters
        flexible = any(each.kind == each.VAR_KEYWORD for each in ours.values())
        assert flexible or set(theirs) <= set(ours), name


# -------------------------------------------------------------------------------------------------- mbi


def test_the_shape_of_mbi_without_it() -> None:
    domain = SimpleNamespace(attrs=["a", "b"], shape=(2, 3))  # as older versions have it
    schema = schema_from_mbi(domain)
    assert schema == cf.Schema.from_domain({"a": 2, "b": 3})
    columns = {"a": np.array([0, 1, 1]), "b": np.array([2, 0, 1])}
    dataset = SimpleNamespace(domain=domain, df=columns, weights=None)
    table = table_from_mbi(dataset)
    schema.validate(table)
    heavy = SimpleNamespace(domain=domain, to_dict=lambda: columns, weights=np.array([1.0, 2.0, 1.0]))
    with pytest.raises(ValueError, match="weights other than 1"):
        table_from_mbi(heavy)


def test_round_trip_through_mbi() -> None:
    pytest.importorskip("mbi")
    assert schema_from_mbi(mbi_domain(SCHEMA)).sizes == SCHEMA.sizes
    table = dict(zip(SCHEMA.names, map(list, zip(*ROWS))))
    dataset = mbi_dataset(table, SCHEMA)
    assert dataset.records == len(ROWS)
    coded = schema_from_mbi(dataset.domain)
    columns = table_from_mbi(dataset)
    coded.validate(columns)
    assert columns["smoker"][:3].tolist() == [0, 1, 0]
    assert columns["age"][:3].tolist() == [3, 5, 7]
    made = cf.CovLossSynthesizer(coded, epsilon=5.0, delta=1e-6).fit(columns).sample()
    again = mbi_dataset(made, coded)
    assert again.domain == dataset.domain
    shares = np.asarray(again.project(["job"]).datavector()) / again.records
    np.testing.assert_allclose(shares, 1 / 3, atol=0.05)
