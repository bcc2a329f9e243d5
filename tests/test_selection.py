"""Conditional and constrained output: by condition, by exact totals, with integer weights."""

from __future__ import annotations

import pickle
import tracemalloc
from typing import Any

import numpy as np
import pytest

import covloss_fast as cf

SCHEMA = cf.Schema(
    [
        cf.Binary("sex", levels=("M", "F")),
        cf.Binary("pregnant"),
        cf.Categorical("job", ["clerk", "nurse", "other"], missing="level"),
        cf.Numeric("age", lower=0, upper=100, bins=5, integer=True),
    ],
    structural_zeros=[{"sex": "M", "pregnant": True}],
)


def table(n: int = 4_000) -> dict[str, Any]:
    rng = np.random.default_rng(0)
    sex = rng.choice(["M", "F"], n)
    return {
        "sex": sex,
        "pregnant": (sex == "F") & (rng.random(n) < 0.2),
        "job": rng.choice(np.array(["clerk", "nurse", "other", None], dtype=object), n),
        "age": rng.integers(0, 101, n),
    }


@pytest.fixture(scope="module")
def synth() -> cf.CovLossSynthesizer:
    return cf.CovLossSynthesizer(SCHEMA, epsilon=5.0, delta=1e-6).fit(table())


def rows_of(made: Any) -> list[tuple[Any, ...]]:
    return list(zip(*[list(column) for column in made.values()]))


def test_without_n_it_is_the_part_of_the_canonical_table(synth: cf.CovLossSynthesizer) -> None:
    whole, part = synth.sample(), synth.sample(where={"sex": "F", "age": [30, 90]})
    meets = (whole["sex"] == "F") & (
        ((whole["age"] >= 20) & (whole["age"] < 40)) | (whole["age"] >= 80)  # the bins of 30 and of 90
    )
    assert rows_of(part) == [row for row, kept in zip(rows_of(whole), meets) if kept]
    assert list(part) == list(whole)


@pytest.mark.parametrize("n", [0, 1, 7, 5_000])
def test_n_rows_that_meet_a_condition(synth: cf.CovLossSynthesizer, n: int) -> None:
    made = synth.sample(n, where={"sex": "F", "job": [None, "nurse"]}, random_state=1)
    assert len(made["sex"]) == n
    assert set(made["sex"]) <= {"F"}
    assert set(made["job"]) <= {None, "nurse"}
    again = synth.sample(n, where={"sex": "F", "job": [None, "nurse"]}, random_state=1)
    assert rows_of(made) == rows_of(again)


def test_selected_rows_are_spread_evenly_and_keep_the_conditional_shares(
    synth: cf.CovLossSynthesizer,
) -> None:
    all_of = synth.sample(where={"pregnant": True})
    m = len(all_of["sex"])
    made = synth.sample(3 * m, where={"pregnant": True}, random_state=2)
    for level in ("clerk", "nurse", "other", None):
        assert sum(job == level for job in made["job"]) == 3 * sum(job == level for job in all_of["job"])
    fewer = synth.sample(m // 2, where={"pregnant": True}, random_state=2)
    assert 0.8 < np.mean(fewer["age"]) / np.mean(all_of["age"]) < 1.25


def test_totals_are_obeyed_exactly(synth: cf.CovLossSynthesizer) -> None:
    made = synth.sample(totals={"job": {"clerk": 10, "nurse": 2_000, None: 3, "other": 0}}, random_state=1)
    jobs = list(made["job"])
    assert {job: jobs.count(job) for job in set(jobs)} == {"clerk": 10, "nurse": 2_000, None: 3}
    assert jobs[:10] != ["clerk"] * 10  # in random order
    assert not ((made["sex"] == "M") & made["pregnant"]).any()
    both = synth.sample(7, totals={"sex": {"F": 3, "M": 4}}, where={"age": 50}, random_state=1)
    assert sorted(both["sex"]) == ["F"] * 3 + ["M"] * 4
    assert all(40 <= age < 60 for age in both["age"])
    assert len(synth.sample(totals={"sex": {}})["sex"]) == 0


def test_joint_totals_are_obeyed_exactly(synth: cf.CovLossSynthesizer) -> None:
    totals = {
        ("job", "sex"): {("clerk", "F"): 3, (None, "M"): 1_500, ("nurse", "M"): 1, ("other", "F"): 0},
    }
    made = synth.sample(totals=totals, random_state=1)
    both = list(zip(made["job"].tolist(), made["sex"].tolist()))
    assert {each: both.count(each) for each in set(both)} == {
        ("clerk", "F"): 3,
        (None, "M"): 1_500,
        ("nurse", "M"): 1,
    }
    assert both[:3] != [("clerk", "F")] * 3  # in random order
    three = {("sex", "pregnant", "age"): {("F", True, 30): 2, ("M", False, 90): 5}}
    made = synth.sample(7, totals=three, where={"job": ["nurse", None]}, random_state=1)
    assert sorted(zip(made["sex"].tolist(), made["pregnant"].tolist(), (made["age"] // 20).tolist())) == [
        *[("F", True, 1)] * 2,
        *[("M", False, 4)] * 5,
    ]
    assert set(made["job"]) <= {"nurse", None}
    assert len(synth.sample(totals={("sex", "job"): {}})["sex"]) == 0


def test_one_attribute_among_several_is_as_alone(synth: cf.CovLossSynthesizer) -> None:
    alone = synth.sample(totals={"job": {"nurse": 20, None: 7}}, random_state=1)
    joint = synth.sample(totals={("job",): {("nurse",): 20, (None,): 7}}, random_state=1)
    assert rows_of(alone) == rows_of(joint)


def test_a_combination_that_no_record_has_is_named(synth: cf.CovLossSynthesizer) -> None:
    with pytest.raises(ValueError, match="no record can have sex = 'M' and pregnant = True: structural"):
        synth.sample(totals={("sex", "pregnant"): {("F", True): 2, ("M", True): 1}})
    with pytest.raises(ValueError, match="has job = no level and sex = 'F'"):
        synth.sample(totals={("sex", "job"): {("F", "clerk"): 1}}, where={"job": "nurse"})
    assert len(synth.sample(totals={("sex", "pregnant"): {("F", True): 2, ("M", True): 0}})["sex"]) == 2
    schema = cf.Schema.from_domain({"a": 40, "b": 40})
    sparse = cf.CovLossSynthesizer(schema, epsilon=100.0, delta=0).fit(np.zeros((60, 2), int))
    with pytest.raises(ValueError, match=r"none of the \d+ records of the release has a = 7 and b = 9"):
        sparse.sample(totals={("a", "b"): {(0, 0): 5, (7, 9): 1}})
    wide = cf.Schema.from_domain({f"a{i}": 300 for i in range(8)})
    wide_synth = cf.CovLossSynthesizer(wide, epsilon=100.0, delta=0).fit(np.zeros((60, 8), int))
    with pytest.raises(ValueError, match="too many combinations"):
        wide_synth.sample(totals={wide.names: {(0,) * 8: 1}})


CHOICES: list[dict[str, Any]] = [
    {"where": {"sex": "F"}},
    {"n": 777, "where": {"sex": "F", "job": ["nurse", None]}},
    {"n": 0, "where": {"sex": "F"}},
    {"totals": {"job": {"clerk": 300, None: 5}}},
    {"totals": {("sex", "job"): {("M", "clerk"): 300, ("F", None): 6_000}}, "where": {"age": [5, 95]}},
    {"totals": {"job": {}}},
]


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("batch_rows", [1, 64, 1_000, 100_000])
def test_batches_are_the_table_bit_by_bit(
    synth: cf.CovLossSynthesizer, choice: dict[str, Any], batch_rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("covloss_fast.released.selection.PART_ROWS", 4_096)
    monkeypatch.setattr("covloss_fast.released.rows.PART_ROWS", 4_096)
    whole = synth.sample(**choice, random_state=8)
    n = len(whole["sex"])
    if batch_rows == 1 and n > 1_000:
        return
    batches = list(synth.sample_batches(batch_rows=batch_rows, **choice, random_state=8))
    assert [len(batch["sex"]) for batch in batches[:-1]] == [batch_rows] * (len(batches) - 1)
    assert len(batches) == max(1, -(-n // batch_rows))
    for name in whole:
        put_together = np.concatenate([batch[name] for batch in batches])
        assert put_together.dtype == whole[name].dtype
        assert put_together.tolist() == whole[name].tolist()
    sampler = pickle.loads(pickle.dumps(synth.sampler(**choice, random_state=8)))
    assert sampler.n_rows == n
    first, stop = n // 3, n // 3 + min(5, n - n // 3)
    assert rows_of(sampler.table(first, stop)) == rows_of(whole)[first:stop]


def test_a_part_of_the_records_that_fit_is_drawn_at_random(synth: cf.CovLossSynthesizer) -> None:
    drawn = set()
    for seed in range(4):  # numbers are drawn anew in any case, levels are those of the records
        made = synth.sample(30, where={"sex": "F"}, random_state=seed)
        drawn.add(tuple(sorted(map(str, made["job"]))))
    assert len(drawn) > 1


def test_samplers_of_drawn_rows_can_be_sent_elsewhere(synth: cf.CovLossSynthesizer) -> None:
    one = cf.Schema([cf.Categorical("job", ["nurse", "clerk"])])
    two = cf.Schema([cf.Binary("a"), cf.Binary("b")], structural_zeros=[{"a": True, "b": True}])
    columns = {"a": [True, False] * 50, "b": [False] * 100}
    paper = cf.CovLossSynthesizer(two, epsilon=5.0, delta=0, method="paper", certificate=False).fit(columns)
    single = cf.CovLossSynthesizer(one, epsilon=5.0, delta=0).fit({"job": ["nurse", "clerk"] * 50})
    for each in (paper, single, synth):
        for n in (0, 100_000):
            sampler = each.sampler(n, random_state=8)
            sent = pickle.loads(pickle.dumps(sampler))
            assert rows_of(sent.table(n // 2, n)) == rows_of(sampler.table(n // 2, n))


def test_selected_batches_hold_only_positions() -> None:
    schema = cf.Schema.from_domain({f"a{i}": 4 for i in range(60)})
    table = np.random.default_rng(0).integers(0, 4, (5_000, 60), dtype=np.uint8)
    synth = cf.CovLossSynthesizer(schema, epsilon=5.0, delta=1e-6).fit(table)
    n = 1_000_000

    def peak() -> int:
        tracemalloc.start()
        try:
            for batch in synth.sample_batches(n, 10_000, where={"a0": [1, 2]}, random_state=1):
                assert len(batch) == 10_000
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak() < 16 * n + 40_000_000 < 60 * n  # the codes of all records alone would take 60 bytes each


def test_bad_batches_are_refused_before_the_first(synth: cf.CovLossSynthesizer) -> None:
    with pytest.raises(ValueError, match="'X' is no level of 'sex'"):
        synth.sample_batches(where={"sex": "X"})
    with pytest.raises(ValueError, match="structural zeros"):
        synth.sample_batches(5, where={"sex": "M", "pregnant": True})
    with pytest.raises(MemoryError):
        synth.sample_batches(2**39, where={"sex": "F"})
    with pytest.raises(ValueError, match="batch_rows"):
        synth.sample_batches(5, 0, where={"sex": "F"})


@pytest.mark.parametrize("kind", ["dict", "pandas", "polars", "pyarrow"])
def test_integer_weights(synth: cf.CovLossSynthesizer, kind: Any) -> None:
    if kind != "dict":
        pytest.importorskip(kind)
    made = synth.sample(weights="weight", as_=kind)
    columns = list(made) if kind == "dict" else list(getattr(made, "column_names", made.columns))
    assert columns == ["sex", "pregnant", "job", "age", "weight"]
    weight = np.asarray(made["weight"])
    whole = synth.sample()
    assert weight.dtype == np.int64
    assert weight.min() >= 1
    assert weight.sum() == len(whole["sex"])
    sex = np.asarray(made["sex"])
    assert weight[sex == "F"].sum() == (whole["sex"] == "F").sum()
    some = synth.sample(500, where={"sex": "F"}, weights="w", random_state=3, as_=kind)
    assert np.asarray(some["w"]).sum() == 500


def test_weighted_records_are_distinct() -> None:
    schema = cf.Schema.from_domain({"a": 3, "b": 2})
    synth = cf.CovLossSynthesizer(schema, epsilon=5.0, delta=0).fit(
        {"a": np.arange(900) % 3, "b": np.arange(900) % 2}
    )
    made = synth.sample(5_000, weights="n", random_state=1)
    assert len(made["a"]) == len(set(zip(made["a"], made["b"]))) <= 6
    assert made["n"].sum() == 5_000
    coded = cf.CovLossSynthesizer(schema, epsilon=5.0, delta=0).fit(np.zeros((90, 2), np.uint8))
    assert coded.sample(4, where={"a": 0}).dtype == np.uint8
    with pytest.raises(ValueError, match="an array has no column 'n'"):
        coded.sample(weights="n")


def test_more_records_than_memory_holds_are_refused(synth: cf.CovLossSynthesizer) -> None:
    for arguments in ({"totals": {"sex": {"F": 2**39}}}, {"n": 2**39, "where": {"sex": "F"}}):
        with pytest.raises(MemoryError):
            synth.sample(**arguments)


def test_what_cannot_be_is_said(synth: cf.CovLossSynthesizer) -> None:
    with pytest.raises(
        ValueError, match="no record can have sex = 'M' and pregnant = True: structural zeros"
    ):
        synth.sample(5, where={"sex": "M", "pregnant": True})
    with pytest.raises(ValueError, match=r"no record can have .*: structural zeros"):
        synth.sample(totals={"sex": {"M": 1}}, where={"pregnant": True})
    with pytest.raises(ValueError, match="has sex = no level"):
        synth.sample(totals={"sex": {"M": 1}}, where={"sex": "F"})
    schema = cf.Schema.from_domain({"a": 40, "b": 40})
    sparse = cf.CovLossSynthesizer(schema, epsilon=100.0, delta=0).fit(np.zeros((60, 2), int))
    with pytest.raises(ValueError, match=r"none of the \d+ records of the release has a = 7 and b = 9"):
        sparse.sample(5, where={"a": 7, "b": 9})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"where": {"sexe": "F"}}, "'sexe' is no attribute of the schema; its attributes: 'sex'"),
        ({"where": {"sex": "X"}}, "'X' is no level of 'sex'"),
        ({"where": {"age": 101}}, "101 is no level of 'age'"),
        ({"where": {"sex": None}}, "None is no level of 'sex'"),
        ({"where": {"sex": []}}, "no level of 'sex' is given"),
        ({"where": ["sex"]}, "where must be a mapping"),
        ({"totals": {"sex": {"F": 1}, "job": {"clerk": 1}}}, "totals must name one attribute, .* jointly"),
        ({"totals": {}}, "totals must name one attribute"),
        ({"totals": {("sex", "jobs"): {}}}, "'jobs' is no attribute"),
        ({"totals": {("sex", "sex"): {}}}, "attribute 'sex' is asked for twice"),
        ({"totals": {(): {}}}, "at least one attribute must be named"),
        ({"totals": {("sex", "job"): {"F": 1}}}, "'F' must be a tuple of 2 levels"),
        ({"totals": {("sex", "job"): {("F",): 1}}}, r"\('F',\) must be a tuple of 2 levels"),
        ({"totals": {("sex", "job"): {("F", "cook"): 1}}}, "'cook' is no level of 'job'"),
        ({"totals": {("sex", "job"): {("F", "clerk"): -1}}}, r"total of \('F', 'clerk'\) must be an integer"),
        (
            {"totals": {("sex", "age"): {("F", 1): 3, ("F", 2): 4}}},
            r"\('F', 2\) is a combination of levels, or of bins, that has a total already",
        ),
        (
            {"n": 5, "totals": {("sex", "job"): {("F", "clerk"): 3}}},
            r"totals of \('sex', 'job'\) add to 3, n is 5",
        ),
        ({"totals": {"sex": {"F": -1}}}, "must be an integer of at least 0, got -1"),
        ({"totals": {"sex": {"F": 1.5}}}, "must be an integer of at least 0"),
        ({"totals": {"sex": {"F": True}}}, "must be an integer of at least 0"),
        ({"totals": {"sex": 3}}, "must be a mapping of levels"),
        ({"totals": {"age": {1: 3, 2: 4}}}, "2 is a level, or in a bin, that has a total already"),
        ({"n": 5, "totals": {"sex": {"F": 3}}}, "totals of 'sex' add to 3, n is 5"),
        ({"weights": "sex"}, "weights must name a column that no attribute has"),
        ({"weights": 3}, "weights must name a column"),
        ({"n": -1, "where": {"sex": "F"}}, "n must be an integer"),
    ],
)
def test_bad_arguments(synth: cf.CovLossSynthesizer, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        synth.sample(**arguments)


@pytest.mark.parametrize("method", ["restored", "paper"])
def test_every_kind_of_release_and_after_loading(method: Any, tmp_path: Any) -> None:
    synth = cf.CovLossSynthesizer(SCHEMA, epsilon=5.0, delta=0, method=method).fit(table(900))
    synth.save(tmp_path / "r")
    again = cf.load(tmp_path / "r")
    one = synth.sample(300, where={"sex": "F"}, random_state=4)
    other = again.sample(300, where={"sex": "F"}, random_state=4, as_="dict")
    assert rows_of(one) == rows_of(other)
    assert set(one["sex"]) == {"F"}
    with pytest.raises(cf.NotFittedError):
        cf.CovLossSynthesizer(SCHEMA, epsilon=5.0, delta=0).sample(where={"sex": "F"})
