"""Structural zeros: declared, kept in files, refused in tables, and never released."""

from __future__ import annotations

import datetime as dt
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import covloss_fast as cf
from covloss_fast.released.structural_zeros import impossible_rows, mend, zero_pairs
from covloss_fast.schema import BitLayout

ATTRIBUTES = [
    cf.Categorical("sex", ["F", "M"]),
    cf.Binary("pregnant"),
    cf.Numeric("age", lower=0, upper=100, bins=10, integer=True),
    cf.Categorical("job", ["none", "nurse", "clerk"], missing="level"),
]
ZEROS: list[dict[str, Any]] = [
    {"sex": "M", "pregnant": True},
    {"age": 5, "job": "clerk"},
    {"job": "nurse", "age": 15},
    {"job": None, "sex": "F"},
]
SCHEMA = cf.Schema(ATTRIBUTES, structural_zeros=ZEROS)


def table(n: int, seed: int = 0) -> dict[str, np.ndarray]:
    """Possible records, with much dependence."""
    generator = np.random.default_rng(seed)
    is_man = generator.random(n) < 0.5
    age = generator.integers(0, 101, n)
    job = np.where(age >= 20, generator.choice(["none", "nurse", "clerk"], n), "none").astype(object)
    job[is_man & (generator.random(n) < 0.1)] = None
    pregnant = ~is_man & (age > 15) & (age < 50) & (generator.random(n) < 0.3)
    return {"sex": np.where(is_man, "M", "F"), "pregnant": pregnant, "age": age, "job": job}


def test_zeros_are_codes_in_the_order_of_the_attributes() -> None:
    assert SCHEMA.zeros.tolist() == [[0, 0, 3, 3], [0, 1, 1, 1], [2, 0, 3, 2], [2, 1, 3, 1]]
    assert not impossible_rows(np.array(SCHEMA.possible_record)[:, None], SCHEMA.zeros).any()
    assert cf.Schema(ATTRIBUTES).zeros.shape == (0, 4)
    assert cf.Schema(ATTRIBUTES) != SCHEMA
    assert cf.Schema(ATTRIBUTES, ZEROS[::-1] + ZEROS) == SCHEMA


def test_zeros_are_kept_in_files_and_belong_to_the_hash(tmp_path: Path) -> None:
    SCHEMA.save(tmp_path / "schema.json")
    again = cf.Schema.load(tmp_path / "schema.json")
    assert again == SCHEMA
    assert again.hash == SCHEMA.hash != cf.Schema(ATTRIBUTES).hash
    days = cf.Numeric("day", lower=dt.date(2020, 1, 1), upper=dt.date(2020, 12, 31), bins=12)
    dated = cf.Schema([days, cf.Binary("x")], [{"day": dt.date(2020, 6, 1), "x": False}])
    assert cf.Schema.from_dict(dated.to_dict()) == dated


@pytest.mark.parametrize(
    ("zeros", "message"),
    [
        ([{"sex": "M"}], "structural zero 0 must name a level of each of two attributes"),
        ([ZEROS[0], {"sex": "M", "height": 3}], "structural zero 1 names 'height'"),
        ([{"sex": "X", "pregnant": True}], "'X' is no level of 'sex'"),
        ([{"sex": "M", "age": 101}], "101 is no level of 'age'"),
        ([{"sex": "M", "age": "old"}], "'old' is no level of 'age'"),
        ([{"sex": None, "pregnant": True}], "None is no level of 'sex'"),
        (
            [{"sex": s, "pregnant": p} for s in "FM" for p in (False, True)],
            "leave no record possible",
        ),
    ],
)
def test_bad_zeros_are_refused(zeros: list[Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        cf.Schema(ATTRIBUTES, zeros)


@pytest.mark.parametrize("dtype", [np.uint8, np.int64])
def test_a_table_with_an_impossible_record_is_refused_with_its_place(dtype: Any) -> None:
    good = table(50)
    good["sex"][17], good["pregnant"][17] = "M", True
    for read in (SCHEMA.validate, lambda t: synthesizer(SCHEMA).fit(t)):
        with pytest.raises(ValueError, match=r"columns 'sex' and 'pregnant', row 17: .*rules out"):
            read(good)
    bits = cf.Schema([cf.Binary("a", (0, 1)), cf.Binary("b", (0, 1))], [{"a": 1, "b": 1}])
    rows = np.array([[0, 1], [1, 0], [1, 1]], dtype=dtype)
    bits.validate(rows[:2])
    with pytest.raises(ValueError, match="row 2"):
        synthesizer(bits).fit(rows)


def synthesizer(schema: cf.Schema, **settings: Any) -> cf.CovLossSynthesizer:
    return cf.CovLossSynthesizer(schema, **{"epsilon": 1.0, "delta": 1e-9, "random_state": 1, **settings})


SETTINGS: list[dict[str, Any]] = [
    {},
    {"epsilon": 0.01},
    {"delta": 0},
    {"delta": 0, "method": "paper", "epsilon": 20.0},
]


@pytest.mark.parametrize("settings", SETTINGS)
def test_no_impossible_record_is_released(settings: dict[str, Any]) -> None:
    synth = synthesizer(SCHEMA, **settings)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.NotPrivateWarning)
        synth.fit(table(3_000))
    for made in (synth.sample(), synth.sample(1), synth.sample(5_000, random_state=2)):
        SCHEMA.validate(made)
    if settings == {}:
        made = synth.sample()
        assert 0.3 < np.mean(made["sex"] == "M") < 0.7  # not all one possible record
        assert np.mean(made["pregnant"]) > 0.02


@pytest.mark.parametrize("settings", SETTINGS)
def test_binary_tables_too(settings: dict[str, Any]) -> None:
    schema = cf.Schema(
        [cf.Binary(name, (0, 1)) for name in "abcdef"],
        [{"a": 1, "b": 1}, {"a": 1, "c": 1}, {"b": 1, "c": 1}, {"d": 0, "e": 1}, {"e": 0, "f": 0}],
    )
    generator = np.random.default_rng(0)
    one_of_three = np.eye(4, 3, dtype=np.uint8)[generator.integers(0, 4, 4_000)]
    d = generator.random(4_000) < 0.7
    e = d & (generator.random(4_000) < 0.5)
    f = ~e | (generator.random(4_000) < 0.5)
    rows = np.column_stack([one_of_three, d, e, f]).astype(np.uint8)
    synth = synthesizer(schema, **settings)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.NotPrivateWarning)
        synth.fit(rows)
    for made in (synth.sample(), synth.sample(7_000, random_state=2)):
        schema.validate(made)
    if settings == {}:
        assert cf.marginal_error(rows, synth.sample(), 2).rms < 0.02


def test_mending_touches_only_what_it_must_and_always_ends() -> None:
    generator = np.random.default_rng(3)
    codes = generator.integers(0, 2, (5, 1_000)).astype(np.uint8)
    zeros = np.array([[0, 1, 1, 1], [1, 0, 2, 0]], dtype=np.int32)
    bad = impossible_rows(codes, zeros)
    mended = mend(codes, zeros, (0, 1, 0, 0, 0), b"k" * 32)
    assert not impossible_rows(mended, zeros).any()
    np.testing.assert_array_equal(mended[:, ~bad], codes[:, ~bad])
    np.testing.assert_array_equal(mended[3:], codes[3:])
    np.testing.assert_array_equal(mended, mend(codes, zeros, (0, 1, 0, 0, 0), b"k" * 32))
    hopeless = np.ones((5, 10), dtype=np.uint8)
    np.testing.assert_array_equal(
        mend(hopeless, zeros, (0, 1, 0, 0, 0), b"k" * 32), np.tile([[0], [1], [0], [0], [0]], 10)
    )
    assert mend(codes, np.empty((0, 4), np.int32), (0,) * 5, b"k" * 32) is codes


@pytest.mark.parametrize("u", [0, 1])
@pytest.mark.parametrize("v", [0, 1, 2])
def test_targets_of_ruled_out_pairs_are_what_a_table_without_them_has(u: int, v: int) -> None:
    layout = BitLayout((2, 3, 2))
    generator = np.random.default_rng(u + 2 * v)
    codes = generator.integers(0, np.array([[2], [3], [2]]), (3, 2_000))
    zeros = np.array([[0, u, 1, v], [0, 1 - u, 2, min(v, 1)]], dtype=np.int32)
    codes = codes[:, ~impossible_rows(codes, zeros)]
    bits = np.column_stack([codes[0], *(codes[1] == level for level in range(3)), codes[2]])
    pairs = bits.T @ bits / len(bits)
    np.testing.assert_allclose(zero_pairs(pairs, np.diagonal(pairs), layout, zeros), pairs, atol=1e-12)
    spoilt = pairs + generator.random(pairs.shape)
    found = zero_pairs(spoilt, np.diagonal(pairs), layout, zeros)
    assert found[0, 1 + v] == pytest.approx(pairs[0, 1 + v], abs=1e-12)
    assert found[0, 4] == pytest.approx(pairs[0, 4], abs=1e-12)
