"""Metrics: against plain formulas, on tables that differ in kind, levels and length."""

from __future__ import annotations

import datetime as dt
import itertools
import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import covloss_fast as cf
from covloss_fast import metrics
from covloss_fast.reference import bits as slow


def bit_columns(table: np.ndarray, sizes: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """The bits of coded records, and the attribute of each, by definition."""
    bits, owner = [], []
    for j, size in enumerate(sizes):
        for level in [1] if size == 2 else range(size):
            bits.append(table[:, j] == level)
            owner.append(j)
    return np.array(bits), np.array(owner)


def slow_error(
    true: np.ndarray, synthetic: np.ndarray, sizes: list[int], degree: int
) -> tuple[float, float, int]:
    first, owner = bit_columns(true, sizes)
    second, _ = bit_columns(synthetic, sizes)
    differences = [
        first[list(chosen)].all(axis=0).mean() - second[list(chosen)].all(axis=0).mean()
        for chosen in itertools.combinations(range(len(owner)), degree)
        if len(set(owner[list(chosen)])) == degree
    ]
    return float(np.sqrt(np.mean(np.square(differences)))), float(np.abs(differences).max()), len(differences)


@pytest.mark.parametrize("degree", [1, 2, 3, 4])
@pytest.mark.parametrize("sizes", [[2] * 7, [2, 3, 5, 2], [4, 3, 2, 2, 7]])
def test_marginal_error_is_the_formula(degree: int, sizes: list[int], n_threads: int) -> None:
    generator = np.random.default_rng(sum(sizes))
    true = np.stack([generator.integers(0, size, 300) for size in sizes], axis=1)
    synthetic = np.stack([generator.integers(0, size, 77) for size in sizes], axis=1)
    true[0], synthetic[0] = np.array(sizes) - 1, np.array(sizes) - 1  # every top level occurs
    got = cf.marginal_error(true, synthetic, degree, n_threads=n_threads)
    rms, largest, count = slow_error(true, synthetic, sizes, degree)
    assert got.rms == pytest.approx(rms, rel=1e-12)
    assert got.max == pytest.approx(largest, rel=1e-12)
    assert (got.n_marginals, got.standard_error) == (count, 0.0)


def test_a_sample_of_sets_comes_with_its_standard_error(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(1)
    true, synthetic = generator.integers(0, 2, (400, 24)), generator.integers(0, 2, (400, 24))
    every = cf.marginal_error(true, synthetic, 3)
    monkeypatch.setattr(metrics, "_MAX_WORDS", 0.0)
    monkeypatch.setattr(metrics, "_SAMPLE", 500)
    sample = cf.marginal_error(true, synthetic, 3)
    assert sample.n_marginals == 500
    assert 0 < sample.standard_error < 0.1 * sample.rms
    assert abs(sample.rms - every.rms) < 5 * sample.standard_error
    assert sample == cf.marginal_error(true, synthetic, 3)


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_attribute_tv_is_the_formula(degree: int) -> None:
    generator = np.random.default_rng(degree)
    sizes = [2, 4, 3]
    true = np.stack([generator.integers(0, size, 200) for size in sizes], axis=1)
    synthetic = np.stack([generator.integers(0, size, 50) for size in sizes], axis=1)
    distances = []
    for chosen in itertools.combinations(range(3), degree):
        cells = list(itertools.product(*(range(sizes[j]) for j in chosen)))
        first, second = (
            np.array([(table[:, chosen] == cell).all(axis=1).mean() for cell in cells])
            for table in (true, synthetic)
        )
        distances.append(np.abs(first - second).sum() / 2)
    assert cf.attribute_tv(true, synthetic, degree) == pytest.approx(np.mean(distances))
    assert cf.attribute_tv(true, true, degree) == 0


def test_true_equals_one_and_containers_do_not_matter() -> None:
    flags = np.array([[True, False], [False, False], [True, True]])
    ones = flags.astype(int)
    frame = pd.DataFrame(flags, columns=["a", "b"])
    assert cf.marginal_error(flags, ones, 2).rms == 0
    assert cf.marginal_error(frame, pl.DataFrame({"a": [1.0, 0.0, 1.0], "b": [0, 0, 1]}), 1).rms == 0
    swapped = pd.DataFrame({"b": ones[:, 1], "a": ones[:, 0]})
    assert cf.marginal_error(frame, swapped, 1).rms == 0


def test_a_level_that_only_one_side_has_counts() -> None:
    true = pd.DataFrame({"a": ["x", "x", "y", None]})
    synthetic = pd.DataFrame({"a": ["x", "x", "z", "z"]})
    assert cf.attribute_tv(true, synthetic, 1) == pytest.approx(0.5)
    assert cf.marginal_error(true, synthetic, 1).n_marginals == 4
    assert cf.attribute_tv(np.array([[0], [3]]), np.array([[0], [0]]), 1) == pytest.approx(0.5)


def test_a_missing_value_is_a_level_and_what_stands_in_its_place_is_none() -> None:
    true = pd.DataFrame({"a": pd.array([1, 2, None, 2], dtype="Int64")})
    synthetic = pd.DataFrame({"a": pd.array([None, 1, 2, None], dtype="Int64")})
    assert cf.marginal_error(true, synthetic, 1).n_marginals == 3
    assert cf.attribute_tv(true, synthetic, 1) == pytest.approx(0.25)
    assert cf.attribute_tv(true, pd.DataFrame({"a": [None, 2.0, np.nan, 1.0]}), 1) == pytest.approx(0.25)


@pytest.mark.parametrize(
    "values",
    [
        np.array([], dtype=np.int64),
        np.array([True, False, True]),
        np.array([-128, 127, 0, -128], dtype=np.int8),
        np.array([2**16 - 1, 0, -(2**16) + 1]),
        np.array([2**16, 5, 5]),
        np.array([-(2**63), 2**63 - 1, 0]),
        np.array([2**64 - 1, 7, 7], dtype=np.uint64),
        np.array([2.0, -1.0, 2.0, -0.0]),
        np.array([2.0, 0.5]),
        np.array([2.0, np.nan, np.nan]),
        np.array([np.inf, 1.0, -np.inf]),
    ],
)
def test_distinct_values_are_those_of_sorting(values: np.ndarray[Any, Any]) -> None:
    uniques, index = metrics._distinct(values)
    np.testing.assert_array_equal(np.array(uniques, dtype=values.dtype)[index], values)
    np.testing.assert_array_equal(np.array(uniques, dtype=values.dtype), np.unique(values))


@pytest.mark.parametrize("dtype", ["?", "u1", "i8", "f4"])
def test_tables_of_zeros_and_ones_are_compared_like_any(dtype: str) -> None:
    generator = np.random.default_rng(7)
    true, synthetic = generator.integers(0, 2, (130, 5)), generator.integers(0, 2, (67, 5))
    frames = [pd.DataFrame(table.astype(dtype), columns=list("abcde")) for table in (true, synthetic)]
    for degree in (1, 2, 3):
        expected = cf.marginal_error(*frames, degree)
        assert cf.marginal_error(true.astype(dtype), synthetic.astype(dtype), degree) == expected
        assert cf.marginal_error(true.astype(dtype), synthetic[::-1], degree) == expected
        assert cf.attribute_tv(true.astype(dtype), synthetic, degree) == cf.attribute_tv(*frames, degree)


def test_more_cells_than_a_byte_holds_are_told_apart(n_threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "_LEAST_SHARED", 1)
    sizes, generator = [17, 2, 30, 129], np.random.default_rng(3)
    true = np.stack([generator.integers(0, size, 900) for size in sizes], axis=1)
    synthetic = true[::-1] // 2
    for degree in (1, 2, 3, 4):
        expected = slow.attribute_tv(true, synthetic, sizes, degree)
        assert cf.attribute_tv(true, synthetic, degree, n_threads=n_threads) == pytest.approx(expected)


@pytest.mark.parametrize("metric", [cf.marginal_error, cf.attribute_tv])
def test_tables_that_cannot_be_compared_are_refused(metric: object) -> None:
    some, none = np.ones((3, 2), dtype=int), np.ones((0, 2), dtype=int)
    for first, second, degree, message in (
        (some, none, 1, "synthetic table has no records"),
        (none, some, 1, "true table has no records"),
        (some, np.ones((3, 1), dtype=int), 1, "same columns"),
        (some, some, 3, "degree must be an integer from 1 to the number of attributes, 2"),
        (some, some, 0, "degree must be"),
        (pd.DataFrame({"a": [1]}), pd.DataFrame({"b": [1]}), 1, "different columns"),
    ):
        with pytest.raises(ValueError, match=message):
            metric(first, second, degree)  # type: ignore[operator]


def test_columns_that_no_schema_declares_must_have_names_of_their_own(tmp_path: Path) -> None:
    named, headless = tmp_path / "dup.csv", tmp_path / "headless.csv"
    named.write_text("a,a\nx,1\ny,2\nx,3\n")
    headless.write_text("31,52000\n44,61000\n44,61000\n")
    labels = np.zeros(2, dtype=int)
    for measure in (cf.attribute_tv, cf.marginal_error):
        for table in (named, pd.DataFrame([["x", 1], ["y", 2]], columns=["a", "a"])):
            with pytest.raises(ValueError, match=r"two columns .*, those at positions 0 and 1"):
                measure(table, table, 1)
        with pytest.raises(ValueError, match="line 1: expected a header with names"):
            measure(headless, headless, 1)
        with pytest.raises(ValueError, match="different columns"):
            measure({0: [1, 2]}, {"0": [1, 2]}, 1)
    with pytest.raises(ValueError, match="line 1: expected a header with names"):
        cf.covariance_loss(headless, labels)


def test_a_marginal_larger_than_memory_is_refused_with_its_cells() -> None:
    schema = cf.Schema([cf.Categorical(f"c{j}", list(range(100))) for j in range(5)])
    table = np.zeros((2, 5), dtype=np.int64)
    with pytest.raises(ValueError, match="10,000,000,000 cells"):
        cf.attribute_tv(table, table, 5, schema)


def test_covariance_loss_is_its_definition() -> None:
    generator = np.random.default_rng(4)
    table = generator.normal(size=(200, 4)) * [1, 2, 3, 0.5]
    labels = generator.integers(0, 6, 200) * 7 + 3
    means = np.array([table[labels == label].mean(axis=0) for label in labels])
    lost = np.cov(table.T, bias=True) - np.cov(means.T, bias=True)
    got = cf.covariance_loss(table, labels)
    assert got.frobenius == pytest.approx(np.linalg.norm(lost))
    assert got.trace == pytest.approx(np.trace(lost))
    assert got.relative_trace == pytest.approx(
        ((table - means) ** 2).sum() / ((table - table.mean(0)) ** 2).sum()
    )
    assert got.is_vacuous
    shifted = cf.covariance_loss(3 * table + 5, labels)  # invariant under shifts, scales with the square
    assert shifted.frobenius == pytest.approx(9 * got.frobenius)
    refined = cf.covariance_loss(table, labels * 2 + generator.integers(0, 2, 200))
    assert refined.frobenius <= got.frobenius


def test_covariance_loss_of_bits_equals_that_of_numbers() -> None:
    bits = np.random.default_rng(5).integers(0, 2, (300, 6))
    labels = np.random.default_rng(6).integers(0, 5, 300)
    schema = cf.Schema([cf.Binary(f"b{j}") for j in range(6)])
    exact, real = cf.covariance_loss(bits, labels, schema), cf.covariance_loss(bits, labels)
    assert exact.frobenius == pytest.approx(real.frobenius)
    assert exact.relative_trace == pytest.approx(real.relative_trace)


@pytest.mark.parametrize("power", [1, 2, 3])
def test_lost_tensors_are_bounded_by_the_lost_covariance(power: int) -> None:
    """||E X^d - E Y^d|| <= d (d - 1)/2 ||Sigma_X - Sigma_Y|| for norms of at most one (tensorisation)."""
    degree = power + 1
    generator = np.random.default_rng(power)
    for _ in range(20):
        table = generator.normal(size=(30, 3))
        table /= np.linalg.norm(table, axis=1, keepdims=True)
        labels = generator.integers(0, 4, 30)
        means = np.array([table[labels == label].mean(axis=0) for label in labels])
        letters = "abcd"[:degree]
        formula = ",".join("n" + letter for letter in letters) + "->" + letters
        lost = np.einsum(formula, *[table] * degree) - np.einsum(formula, *[means] * degree)
        bound = degree * (degree - 1) / 2 * cf.covariance_loss(table, labels).frobenius
        assert np.linalg.norm(lost) / 30 <= bound * (1 + 1e-9)


def test_covariance_loss_refuses_what_does_not_fit() -> None:
    table = np.ones((3, 2))
    for values, labels, message in (
        (table, [0, 1], "2 labels for 3 records"),
        (table, [0.0, 1.0, 2.0], "array of integers"),
        (np.ones((0, 2)), np.zeros(0, dtype=int), "no records"),
        (np.array([[1.0, np.nan]]), [0], "row 0, column 1"),
    ):
        with pytest.raises(ValueError, match=message):
            cf.covariance_loss(values, labels)


# -- real tables: the definitions that the field compares by, in plain numpy --


def plain_marginals(bits: np.ndarray, owner: np.ndarray, degree: int) -> np.ndarray:
    """Counts of rows in which all of d bits of distinct attributes are set, for all such sets in order."""
    if degree == 1:
        return np.asarray(bits.sum(axis=0, dtype=np.int64))
    parts = []
    for first in range(bits.shape[1]):
        others = owner > owner[first]
        parts.append(plain_marginals(bits[bits[:, first] == 1][:, others], owner[others], degree - 1))
    return np.concatenate([*parts, np.empty(0, dtype=np.int64)])


@pytest.mark.parametrize(
    ("name", "degree"),
    [("nltcs", 1), ("nltcs", 2), ("nltcs", 3), ("plants", 3), ("adult_coded", 1), ("adult_coded", 2)],
)
def test_metrics_of_real_tables_are_the_definitions(real_tables: Path, name: str, degree: int) -> None:
    schema = cf.Schema.load(real_tables / f"{name}-domain.json")
    sizes = list(schema.sizes)
    true = np.loadtxt(real_tables / f"{name}.csv.gz", delimiter=",", skiprows=1, dtype=np.uint8)
    generator = np.random.default_rng(1)  # another table: columns drawn apart, and another number of rows
    synthetic = np.stack([generator.choice(column, 12_345) for column in true.T], axis=1)

    bits, owner = zip(*(bit_columns(table, sizes) for table in (true, synthetic)))
    difference = plain_marginals(bits[0].T, owner[0], degree) / len(true)
    difference -= plain_marginals(bits[1].T, owner[0], degree) / len(synthetic)
    got = cf.marginal_error(true, synthetic, degree, schema)
    assert (got.n_marginals, got.standard_error) == (len(difference), 0.0)
    assert got.rms == pytest.approx(np.sqrt(np.mean(difference**2)), rel=1e-9)
    assert got.max == pytest.approx(np.abs(difference).max(), rel=1e-9)

    if math.comb(len(sizes), degree) <= metrics._MAX_TUPLES:
        expected = slow.attribute_tv(true, synthetic, sizes, degree)
        assert cf.attribute_tv(true, synthetic, degree, schema) == pytest.approx(expected, rel=1e-9)


def test_too_many_levels_are_refused_with_the_column_and_the_cells() -> None:
    table = {"short": np.arange(10_000) % 2, "text": np.array([f"t{i}" for i in range(10_000)])}
    with pytest.raises(ValueError, match="column 'text' has 10,000 levels, 100,000,000 cells"):
        cf.attribute_tv(table, table, 2)


@pytest.mark.parametrize("largest", [8_192, 100_000, 2**32, 10**15, 2**63 - 1, 2**64 - 1, 1e300])
def test_codes_too_many_to_compare_are_refused_however_large(largest: float) -> None:
    """An array of whole numbers has as many levels as its largest code asks for: counted, never made."""
    true, other = np.array([[0, 1]]), np.array([[0, largest]])
    for measure in (cf.attribute_tv, cf.marginal_error):
        with pytest.raises(
            ValueError, match=r"column 1 has (more than )?[\d,]+ levels.*too many to compare"
        ) as refusal:
            measure(true, other, degree=1)
        assert len(str(refusal.value)) < 250
        assert measure(np.array([[0]]), np.array([[8_191]]), degree=1)


DAYS = ["2020-01-01", "2020-03-01", "2020-01-01", "1969-12-30"]
TIMES: dict[str, Any] = {
    **{unit: np.array(DAYS, f"M8[{unit}]") for unit in ("D", "h", "m", "s", "ms", "us", "ns")},
    "25s": np.array(DAYS, "M8[25s]"),
    "big-endian": np.array(DAYS, ">M8[s]"),
    "pandas": pd.Series(pd.to_datetime(DAYS)),
    "polars": pl.Series(DAYS).str.to_date(),
    "dates": [dt.date.fromisoformat(day) for day in DAYS],
    "datetimes": [dt.datetime.fromisoformat(day) for day in DAYS],
    "timestamps": [pd.Timestamp(day) for day in DAYS],
    "scalars": [np.datetime64(day, "h") for day in DAYS],
    "months": [np.datetime64(day, "M") if day.endswith("01") else dt.date.fromisoformat(day) for day in DAYS],
    "objects": np.array([dt.date.fromisoformat(DAYS[0]), *map(pd.Timestamp, DAYS[1:])], dtype=object),
}


@pytest.mark.parametrize("one", TIMES)
@pytest.mark.parametrize("other", TIMES)
def test_times_are_moments_in_whatever_unit(one: str, other: str) -> None:
    assert cf.attribute_tv({"d": TIMES[one]}, {"d": TIMES[other]}, degree=1) == 0
    assert cf.attribute_tv({"d": TIMES[one]}, {"d": TIMES[other][:3]}, degree=1) == pytest.approx(1 / 4)
    assert cf.marginal_error({"d": TIMES[one]}, {"d": TIMES[other]}, degree=1).max == 0


def test_times_that_differ_differ_and_missing_ones_are_one_level() -> None:
    second = np.array(["2020-01-01T00:00:01"], "M8[s]")
    for later in (second - np.timedelta64(999_999_999, "ns"), second):
        assert cf.attribute_tv({"d": np.array(DAYS[:1], "M8[D]")}, {"d": later}, degree=1) == 1
        stamp = [pd.Timestamp(later[0])]
        assert cf.attribute_tv({"d": stamp}, {"d": later}, degree=1) == 0
    gaps = (
        np.array([DAYS[0], "NaT"], "M8[ns]"),
        [dt.date(2020, 1, 1), None],
        np.array([DAYS[0], "NaT"], "M8[Y]"),
    )
    for one, other in itertools.product(gaps, repeat=2):
        assert cf.attribute_tv({"d": one}, {"d": other}, degree=1) == 0
    far = (
        {"d": np.array(["200000-01-01"], "M8[s]")},
        {"d": [pd.Timestamp(np.datetime64("200000-01-01", "s"))]},
    )
    assert cf.attribute_tv(*far, degree=1) == 0


def test_moments_with_and_without_a_zone_are_not_compared() -> None:
    utc, paris = dt.timezone.utc, dt.timezone(dt.timedelta(hours=1))
    naive: list[Any] = [
        np.array(["2020-01-01T12"], "M8[s]"),
        [dt.datetime(2020, 1, 1, 12)],
        [dt.date(2020, 1, 1)],
    ]
    zoned: list[Any] = [
        pd.Series(pd.to_datetime(["2020-01-01T12"])).dt.tz_localize("UTC"),
        pd.Series(pd.to_datetime(["2020-01-01T12"])).dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo"),
        pl.Series([dt.datetime(2020, 1, 1, 12, tzinfo=utc)]),
        [dt.datetime(2020, 1, 1, 12, tzinfo=utc)],
        [dt.datetime(2020, 1, 1, 13, tzinfo=paris)],
        [pd.Timestamp("2020-01-01T13", tz=paris)],
    ]
    for one, other in itertools.product(zoned, repeat=2):
        assert cf.attribute_tv({"d": one}, {"d": other}, degree=1) == 0
    for one, other in itertools.product(naive, zoned):
        for pair in (({"d": one}, {"d": other}), ({"d": other}, {"d": one})):
            with pytest.raises(
                ValueError, match="column 'd' has times with a time zone in one table and times"
            ):
                cf.attribute_tv(*pair, degree=1)
    mixed = {"d": [*naive[1], *zoned[3]]}
    assert cf.attribute_tv(mixed, mixed, degree=1) == 0
    assert cf.attribute_tv(mixed, {"d": naive[1]}, degree=1) == 0.5


def test_cells_that_are_no_levels_are_refused_with_their_place(tmp_path: Path) -> None:
    for cells, message in (
        ([[1], [2]], "column 'a', row 0: a value of type list is no level"),
        ([1, None, {"b": 2}], "column 'a', row 2: a value of type dict is no level"),
        (pl.Series([None, [1]]), "column 'a', row 1: a value of type list is no level"),
    ):
        good = {"a": [1] * len(cells)}
        for pair in (({"a": cells}, {"a": cells}), (good, {"a": cells})):
            with pytest.raises(ValueError, match=message):
                cf.attribute_tv(*pair, degree=1)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (np.array(["2020-01-01T12:30"], "datetime64[ns]"), ["2020-01-01 12:30"]),
        ([True, False], ["True", "False"]),
        ([True, False], ["false", "TRUE"]),
        ([1, 0, 7], ["1", "0", "7"]),
        ([1.5, 2.0], ["1.5", "2"]),
        ([True, True], ["1", "0"]),
        ([None, True], ["True", None]),
        (np.array(["2020-01-01"], "datetime64[D]"), ["2020-01-01"]),
    ],
)
def test_text_that_spells_the_other_tables_values_is_refused(left: Any, right: Any) -> None:
    a, b = {"x": np.asarray(left)}, {"x": np.asarray(right, dtype=object)}
    for one, other in ((a, b), (b, a)):
        with pytest.raises(
            ValueError, match="column 'x' has text in one table and other values in the other"
        ):
            cf.attribute_tv(one, other, degree=1)
        with pytest.raises(ValueError, match="convert one of them, or give schema="):
            cf.marginal_error(one, other, degree=1)


@pytest.mark.parametrize(
    ("left", "right"), [([1, 0], ["a", "b"]), (["True"], ["1"]), ([1, 2], [3, 4]), (["1"], ["x", "1"])]
)
def test_levels_that_differ_are_compared_as_they_are(left: Any, right: Any) -> None:
    found = cf.attribute_tv({"x": np.asarray(left)}, {"x": np.asarray(right)}, degree=1)
    assert found > 0


def test_text_from_a_file_is_compared_by_a_schema() -> None:
    schema = cf.Schema([cf.Categorical("x", ["True", "False"])])
    assert cf.attribute_tv({"x": ["True", "False"]}, {"x": ["False", "True"]}, degree=1, schema=schema) == 0
