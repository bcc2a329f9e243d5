"""Missing values in the anonymous half: refused, a level of their own, or the strictest reading."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

import covloss_fast as cf
from covloss_fast import Binary, Categorical, EncodingError, Microaggregator, Numeric, Schema
from covloss_fast.records.completing import complete_blocks
from covloss_fast.records.coordinates import Field, Rows
from covloss_fast.reference import microaggregation as reference

#: Numbers with ties and holes.
holed = hnp.arrays(
    np.float64,
    st.tuples(st.integers(1, 30), st.integers(1, 4)),
    elements=st.sampled_from([np.nan, np.nan, 0.0, 1.0, 2.5, 7.0]),
)


def recounted(masked: NDArray[np.float64]) -> tuple[int, int]:
    """Smallest group of equal rows, a missing value being a value, and if it equals nothing."""
    rows = [tuple("-" if np.isnan(x) else x for x in row) for row in masked.tolist()]
    smallest = min(map(len, reference.groups(rows)))
    return smallest, 1 if np.isnan(masked).any() else smallest


@settings(max_examples=150)
@given(table=holed, data=st.data())
def test_as_a_level_every_number_rests_on_enough_present_ones(
    table: NDArray[np.float64], data: st.DataObject
) -> None:
    size = data.draw(st.integers(1, len(table)))
    before = table.copy()
    agg = Microaggregator(size, missing="level")
    masked = agg.fit_transform(table)
    assert np.array_equal(table, before, equal_nan=True)
    released = agg.certificate_.released
    assert released is not None
    assert (released.smallest, released.smallest_strict) == recounted(masked)
    assert released.smallest >= size
    fewest = int(agg.block_sizes_.min())
    for b in range(len(agg.block_sizes_)):
        mine = agg.labels_ == b
        for j in range(table.shape[1]):
            present = table[mine, j][~np.isnan(table[mine, j])]
            if len(present) >= size:
                assert np.allclose(masked[mine, j], present.mean())
                fewest = min(fewest, len(present))
            else:
                assert np.isnan(masked[mine, j]).all()
    assert agg.certificate_.fewest_averaged == fewest >= size
    assert agg.certificate_.missing == ("level" if np.isnan(table).any() else None)


@settings(max_examples=150)
@given(table=holed, data=st.data())
def test_in_the_strictest_reading_none_is_released(table: NDArray[np.float64], data: st.DataObject) -> None:
    size = data.draw(st.integers(1, len(table)))
    agg = Microaggregator(size, missing="strictest")
    present = (~np.isnan(table)).sum(axis=0)
    if present.min() < size:
        short = int(np.argmax(present < size))
        with pytest.raises(
            ValueError, match=f"column '{short}': .* {present[short]} values that are not missing"
        ):
            agg.fit(table)
        return
    masked = agg.fit_transform(table)
    released = agg.certificate_.released
    assert released is not None
    smallest, strict = recounted(masked)
    assert strict == smallest >= size
    assert (released.smallest, released.smallest_strict) == (smallest, strict)
    fewest = len(table)
    for b in range(len(agg.block_sizes_)):
        mine = agg.labels_ == b
        for j in range(table.shape[1]):
            values = table[mine, j][~np.isnan(table[mine, j])]
            assert len(values) >= size
            assert np.allclose(masked[mine, j], values.mean())
            fewest = min(fewest, len(values))
    assert agg.certificate_.fewest_averaged == fewest


@settings(max_examples=80)
@given(table=holed, data=st.data())
def test_blocks_are_joined_as_in_plain_words(table: NDArray[np.float64], data: st.DataObject) -> None:
    n, q = table.shape
    strata = data.draw(hnp.arrays(np.int32, n, elements=st.integers(0, 1)))
    strata = np.unique(strata, return_inverse=True)[1].astype(np.int32)
    present = ~np.isnan(table)
    counts = [present[strata == s].sum(axis=0).min() for s in range(strata.max() + 1)]
    size = data.draw(st.integers(0, int(min(counts))))
    rows = np.zeros((n, 4))
    rows[:, :q] = np.nan_to_num(table)
    weights = data.draw(st.none() | hnp.arrays(np.float64, n, elements=st.sampled_from([1.0, 8.0])))
    fields = [
        Field(str(j), None, j, lambda j=j: table[:, j], "strictest")  # type: ignore[misc]
        for j in range(q)
    ]
    start = np.arange(n, dtype=np.int32)
    none = np.empty(0, np.int32)
    held = Rows(rows, np.empty((n, 0), np.uint8), none, none, np.empty(0))
    labels = complete_blocks(fields, held, start, strata, weights, size, 2)
    expected = reference.complete_blocks(rows, start, strata, present, size, weights)
    assert [set(np.flatnonzero(labels == b).tolist()) for b in range(labels.max() + 1)] == expected


@pytest.mark.parametrize("missing", ["level", "strictest"])
def test_the_same_blocks_for_any_threads(missing: Any, n_threads: int, simd_level: str) -> None:
    rng = np.random.default_rng(0)
    table = np.round(rng.standard_normal((3000, 5)), 2)
    table[rng.random((3000, 5)) < 0.2] = np.nan
    agg = Microaggregator(4, missing=missing, effort=0, n_threads=n_threads).fit(table)
    expected = EXPECTED.setdefault(missing, agg.labels_)
    assert np.array_equal(agg.labels_, expected)


EXPECTED: dict[str, NDArray[np.int32]] = {}


def test_missing_values_are_refused_unless_declared() -> None:
    table = {"x": [1.0, None, 3.0]}
    with pytest.raises(EncodingError, match="column 'x', row 1: a missing value"):
        Microaggregator(1).fit(table)
    with pytest.raises(EncodingError, match="column 'x', row 1: an infinite number"):
        Microaggregator(1, missing="level").fit({"x": [1.0, np.inf, np.nan]})
    with pytest.raises(EncodingError, match="'x', row 1: a missing value"):  # the schema does not admit it
        Microaggregator(1, schema=Schema([Numeric("x", 0, 5)]), missing="level").fit(table)
    with pytest.raises(ValueError, match="goes with min_block_size"):
        Microaggregator(n_blocks=1, missing="strictest").fit(table)
    with pytest.raises(ValueError, match="missing must be None, level or strictest, got 'drop'"):
        Microaggregator(1, missing="drop").fit(table)  # type: ignore[arg-type]
    with pytest.raises(EncodingError, match="not a number"):
        Microaggregator(1, missing="level").fit({"x": ["a", None, "b"]})


def test_missing_numbers_stay_apart_where_there_are_enough() -> None:
    x = np.r_[np.full(10, np.nan), np.linspace(0, 1, 20)]
    agg = Microaggregator(5, missing="level")
    masked = agg.fit_transform(x[:, None])
    assert np.array_equal(np.isnan(masked[:, 0]), np.isnan(x))
    assert agg.block_columns_ == ["0", "0=missing"]
    assert set(agg.block_means_[:, 1]) == {0.0, 1.0}
    drawn = agg.sample(20_000, random_state=0)
    assert np.isnan(drawn).mean() == pytest.approx(1 / 3, abs=0.02)


def test_exactly_so_many_blocks_with_missing_numbers() -> None:
    rng = np.random.default_rng(0)
    table = rng.standard_normal((200, 3))
    table[rng.random((200, 3)) < 0.3] = np.nan
    agg = Microaggregator(n_blocks=9, missing="level")
    masked = agg.fit_transform(table)
    assert len(agg.block_sizes_) == 9
    assert np.ptp(agg.block_sizes_) <= 1
    for b in range(9):
        mine = agg.labels_ == b
        for j in range(3):
            n_present = (~np.isnan(table[mine, j])).sum()
            assert np.isnan(masked[mine, j]).all() == (n_present < 200 // 9)


SCHEMA = Schema(
    [
        Numeric("age", 0, 100, bins=4, integer=True, missing="level"),
        Numeric("born", dt.date(1900, 1, 1), dt.date(2000, 1, 1), bins=2, missing="level"),
        Numeric("seen", dt.datetime(2000, 1, 1), dt.datetime(2001, 1, 1), bins=2, missing="level"),
        Binary("smoker", ("no", "yes"), missing="level"),
        Categorical("job", ["a", "b", "c"], missing="level"),
        Categorical("one", ["x"], missing="level"),
    ]
)


def mixed(n: int = 120) -> pd.DataFrame:
    rng = np.random.default_rng(2)
    table = pd.DataFrame(
        {
            "age": pd.array(rng.integers(0, 100, n), dtype="Int64"),
            "born": pd.to_datetime("1950-01-01") + pd.to_timedelta(rng.integers(0, 9000, n), unit="D"),
            "seen": pd.to_datetime("2000-01-01") + pd.to_timedelta(rng.integers(0, 9_000_000, n), unit="s"),
            "smoker": rng.choice(["no", "yes"], n),
            "job": rng.choice(["a", "b", "c"], n),
            "one": np.full(n, "x"),
        }
    ).astype({"smoker": object, "job": object, "one": object})
    for name in table:
        table.loc[rng.random(n) < 0.25, name] = None
    return table


TO_KIND: dict[str, Callable[[pd.DataFrame], Any]] = {
    "pandas": lambda frame: frame,
    "polars": pl.from_pandas,
    "pyarrow": lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
    "dict": lambda frame: {
        name: frame[name].to_numpy() if name in ("born", "seen") else frame[name].astype(object).to_numpy()
        for name in frame
    },
}


@pytest.mark.parametrize("kind", TO_KIND)
@pytest.mark.parametrize("missing", [None, "strictest"])
@pytest.mark.parametrize("release", ["rounded", "median"])
def test_kinds_of_columns_and_tables(kind: str, missing: Any, release: str) -> None:
    frame = mixed()
    agg = Microaggregator(6, schema=SCHEMA, missing=missing, release=release)
    table = TO_KIND[kind](frame)
    masked = agg.fit_transform(table)
    assert type(masked) is type(table)
    back = masked if isinstance(masked, pd.DataFrame) else None
    if isinstance(masked, pl.DataFrame | pa.Table):
        back = masked.to_pandas()
    elif back is None:
        back = pd.DataFrame(masked)
    if kind == "pandas":
        assert back["age"].dtype == "Int64"
    elif kind == "polars":
        assert masked["age"].dtype == pl.Int64
    elif kind == "pyarrow":
        assert masked["age"].type == pa.int64()
    released = agg.certificate_.released
    assert released is not None
    assert released.smallest >= 6
    if missing == "strictest":
        assert not back.isna().to_numpy().any()
        assert released.smallest_strict == released.smallest
    else:
        assert back.isna().to_numpy().any()
        assert released.smallest_strict == 1
    age = frame["age"].astype(float)
    for b in range(len(agg.block_sizes_)):
        mine = agg.labels_ == b
        present = age[mine].dropna().to_numpy()
        shown = back["age"][mine].astype(float).to_numpy()
        if missing is None and len(present) < 6:
            assert np.isnan(shown).all()
            continue
        middle = reference.lower_median(present, np.ones(len(present)))
        assert (shown == (middle if release == "median" else np.rint(present.mean()))).all()
    # What is published is in the schema; marginals are those of the published table.
    SCHEMA.validate(masked)
    for each in agg.certificate_.marginals[:2]:
        expected = cf.marginal_error(frame, masked, degree=each.degree, schema=SCHEMA)
        assert each.published.rms == pytest.approx(expected.rms, rel=1e-9)
    drawn = agg.sample(50, random_state=1)
    SCHEMA.validate(drawn)
    assert type(drawn) is type(table)


def test_strict_reading_keeps_levels_by_their_present_shares() -> None:
    frame = mixed(300)[["smoker", "job", "one"]]
    schema = Schema(SCHEMA.attributes[3:])
    agg = Microaggregator(5, schema=schema, missing="strictest").fit(frame)
    assert agg.block_columns_ == ["smoker=yes", "job=a", "job=b", "job=c", "one=x"]
    for b in range(len(agg.block_sizes_)):
        jobs = frame["job"][agg.labels_ == b].dropna()
        assert len(jobs) >= 5
        column = agg.block_columns_.index("job=b")
        assert agg.block_means_[b, column] == pytest.approx((jobs == "b").mean())
    drawn = agg.sample(500, random_state=0)
    assert not drawn.isna().to_numpy().any()


def test_weights_enter_means_of_present_values() -> None:
    rng = np.random.default_rng(0)
    table = rng.standard_normal((80, 2))
    table[rng.random((80, 2)) < 0.2] = np.nan
    weights = rng.choice([1.0, 10.0], 80)
    for missing in ("level", "strictest"):
        agg = Microaggregator(5, missing=missing)  # type: ignore[arg-type]
        masked = agg.fit_transform(table, sample_weight=weights)
        plain = Microaggregator(5, missing=missing).fit_transform(table)  # type: ignore[arg-type]
        assert not np.array_equal(masked, plain, equal_nan=True)
        for b in range(len(agg.block_sizes_)):
            mine = (agg.labels_ == b) & ~np.isnan(table[:, 0])
            if mine.sum() >= 5:
                assert np.allclose(masked[mine, 0], np.average(table[mine, 0], weights=weights[mine]))


def test_strict_blocks_do_not_cross_strata() -> None:
    rng = np.random.default_rng(0)
    table = rng.standard_normal((200, 2))
    table[rng.random((200, 2)) < 0.5] = np.nan
    strata = rng.integers(0, 3, 200)
    labels = Microaggregator(8, missing="strictest").fit(table, strata=strata).labels_
    for b in range(labels.max() + 1):
        assert len(set(strata[labels == b])) == 1
    table[strata == 1, 0] = np.nan
    with pytest.raises(ValueError, match=r"column '0': the stratum of record .* has 0 values"):
        Microaggregator(8, missing="strictest").fit(table, strata=strata)
