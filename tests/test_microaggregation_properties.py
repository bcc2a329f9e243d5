"""What must hold of any table, on thousands of generated ones, recounted from what comes out."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from covloss_fast import Categorical, Microaggregator, Numeric, Schema
from covloss_fast.records.coordinates import chunks, place_fields, read_fields
from covloss_fast.records.tables import read
from covloss_fast.reference import microaggregation as reference

#: Tables with duplicates, constant columns, ties and numbers of many sizes.
tables = hnp.arrays(
    np.float64,
    st.tuples(st.integers(1, 18), st.integers(1, 4)),
    elements=st.sampled_from([0.0, 0.1, 1.0, 7.0]) | st.floats(-1e6, 1e6, width=32),
)


def check_blocks(table: NDArray[np.float64], masked: NDArray[np.float64], agg: Microaggregator) -> None:
    """Recount sizes and means: from the released table alone, and block by block."""
    n = len(table)
    sizes = np.bincount(agg.labels_)
    assert sizes.sum() == n
    assert np.array_equal(sizes, agg.block_sizes_)
    _, counts = np.unique(masked, axis=0, return_counts=True)
    assert counts.sum() == n
    assert counts.min() >= sizes.min()
    for b, size in enumerate(sizes):
        mine = agg.labels_ == b
        shown = masked[mine]
        assert (shown == shown[0]).all()
        for j, value in enumerate(shown[0]):
            column = table[mine, j]
            if (column == column[0]).all():
                assert value == column[0]  # exactly
            exact = math.fsum(column) / size
            assert abs(value - exact) <= 2**-50 * np.abs(column).max()


@settings(max_examples=300)
@given(table=tables, effort=st.integers(0, 1))
def test_every_minimum_size_of_any_small_table(table: NDArray[np.float64], effort: int) -> None:
    n = len(table)
    rows = reference.standardise(table)
    for size in range(1, n + 1):
        agg = Microaggregator(min_block_size=size, effort=effort, n_threads=1)
        masked = agg.fit_transform(table)
        check_blocks(table, masked, agg)
        assert agg.block_sizes_.min() >= size
        assert np.unique(masked, axis=0, return_counts=True)[1].min() >= size
        bar = reference.scatter(rows, reference.mdav(rows, size))
        assert reference.scatter(rows, agg.labels_) <= bar + 1e-9 * max(1.0, bar)
    with pytest.raises(ValueError, match=f"{n} records, fewer than min_block_size={n + 1}"):
        Microaggregator(min_block_size=n + 1).fit(table)


@settings(max_examples=120)
@given(table=tables)
def test_every_number_of_blocks_of_any_small_table(table: NDArray[np.float64]) -> None:
    n = len(table)
    for n_blocks in range(1, n + 1):
        agg = Microaggregator(n_blocks=n_blocks, n_threads=1)
        check_blocks(table, agg.fit_transform(table), agg)
        assert len(agg.block_sizes_) == n_blocks
        assert np.ptp(agg.block_sizes_) <= 1
    with pytest.raises(ValueError, match=f"the number of records, {n}, got {n + 1}"):
        Microaggregator(n_blocks=n + 1).fit(table)


def generated(seed: int) -> tuple[NDArray[np.float64], int]:
    """A table of up to 4,096 records, of one of many kinds, and a minimum size."""
    rng = np.random.default_rng(seed)
    n = int(np.exp(rng.uniform(0, np.log(4096.99)))) if seed % 8 else 4096
    p = int(rng.integers(1, 9))
    table = rng.standard_normal((n, p))
    kind = seed % 7
    if kind == 1:
        table = np.round(table)  # ties
    elif kind == 2:
        table = np.exp(3 * table)  # heavy tails
    elif kind == 3:
        table += 20 * rng.integers(0, 5, n)[:, None]  # clusters
    elif kind == 4:
        table = table[rng.integers(0, max(1, n // 6), n)]  # duplicates
    elif kind == 5:
        table[:, 0] = 3.0  # a constant column
    elif kind == 6:
        table = (table > 1).astype(np.float64)  # bits
    small = int(rng.integers(1, 12)) if n <= 1500 else int(rng.integers(20, 700))
    return table, min(n, small if seed % 3 else int(rng.integers(1, n + 1)) if n <= 500 else n // 2)


@pytest.mark.parametrize("first", range(0, 240, 40))
def test_never_above_mdav_on_tables_of_many_kinds(first: int) -> None:
    for seed in range(first, first + 40):
        table, size = generated(seed)
        rows = reference.standardise(table)
        bar = reference.scatter(rows, reference.mdav(rows, size))
        agg = Microaggregator(min_block_size=size, effort=0, n_threads=2).fit(table)
        assert agg.block_sizes_.min() >= size
        assert reference.scatter(rows, agg.labels_) <= bar + 1e-9 * max(1.0, bar), (seed, len(table), size)


def test_one_column_follows_its_weights() -> None:
    values = np.arange(40.0)[:, None] ** 1.5
    weights = np.where(np.arange(40) < 20, 100.0, 1.0)
    agg = Microaggregator(min_block_size=3, n_threads=1).fit(values, sample_weight=weights)
    plain = Microaggregator(min_block_size=3, n_threads=1).fit(values)
    best = reference.scatter(values, reference.univariate(values[:, 0], 3, weights), weights)
    assert reference.scatter(values, agg.labels_, weights) == pytest.approx(best)
    assert reference.scatter(values, plain.labels_, weights) > 1.01 * best


def schema_of(q: int, missing: bool) -> Schema:
    """Attributes of all kinds in turn."""
    level = "level" if missing else None
    kinds = (
        Categorical("a0", ["x", "y", "z"], missing=level),
        Numeric("a1", 0, 2, bins=2, integer=True, missing=level),
        Categorical("a2", [0, 1], missing=level),
        Categorical("a3", [0, 1, 2], ordered=True, missing=level),
    )
    return Schema(kinds[:q])


@settings(max_examples=150)
@given(
    codes=hnp.arrays(np.int64, st.tuples(st.integers(1, 14), st.integers(1, 4)), elements=st.integers(0, 2)),
    release=st.sampled_from(["mode", "rounded", "median", "mean"]),
    missing=st.sampled_from([None, "level", "strictest"]),
    data=st.data(),
)
def test_every_minimum_size_of_any_small_table_of_levels(
    codes: NDArray[np.int64], release: str, missing: Any, data: st.DataObject
) -> None:
    n, q = codes.shape
    holes = data.draw(hnp.arrays(np.bool_, codes.shape)) if missing else np.zeros(codes.shape, dtype=bool)
    table: dict[str, list[Any]] = {}
    for j in range(q):
        spelled = (
            np.array(["x", "y", "z"], dtype=object)[codes[:, j]] if j == 0 else codes[:, j].astype(object)
        )
        if j == 2:
            spelled = np.minimum(codes[:, j], 1).astype(object)
        table[f"a{j}"] = [None if hole else value for hole, value in zip(holes[:, j], spelled)]
    schema = schema_of(q, missing is not None)
    for size in range(1, n + 1):
        agg = Microaggregator(size, schema=schema, release=release, missing=missing, n_threads=1)
        if missing == "strictest" and (~holes).sum(axis=0).min() < size:
            with pytest.raises(ValueError, match="values that are not missing"):
                agg.fit(table)
            continue
        masked = agg.fit_transform(table)
        rows = [
            tuple("-" if value is None or value != value else value for value in row)
            for row in zip(*(column.tolist() for column in masked.values()))
        ]
        groups = reference.groups(rows)
        assert sum(map(len, groups)) == n
        assert min(map(len, groups)) >= size
        assert np.bincount(agg.labels_).min() >= size
        if missing == "strictest":
            assert not any("-" in row for row in rows)
            for b in range(len(agg.block_sizes_)):
                assert (~holes[agg.labels_ == b]).sum(axis=0).min() >= size
        released = agg.certificate_.released
        assert released is not None
        assert (released.n_groups, released.smallest) == (len(groups), min(map(len, groups)))
    with pytest.raises(ValueError, match=f"{n} records, fewer than min_block_size={n + 1}"):
        Microaggregator(n + 1, schema=schema).fit(table)


@pytest.mark.parametrize("seed", range(30))
def test_never_above_mdav_on_tables_of_levels(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, q = int(rng.integers(2, 700)), int(rng.integers(1, 5))
    codes = rng.integers(0, [3, 3, 2, 3][:q], (n, q))
    table = {f"a{j}": codes[:, j] for j in range(q)}
    table["a0"] = np.array(["x", "y", "z"])[codes[:, 0]]
    schema = schema_of(q, False)
    size = int(rng.integers(1, min(n, 30) + 1))
    agg = Microaggregator(size, schema=schema, effort=0, n_threads=2).fit(table)
    fields, _, _ = read_fields(read(table), schema, None, 1)
    rows = next(chunks(place_fields(fields, None, "standard"), n))[1]
    bar = reference.scatter(rows, reference.mdav(rows, size))
    assert reference.scatter(rows, agg.labels_) <= bar + 1e-9 * max(1.0, bar)
