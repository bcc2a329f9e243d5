"""The anonymous half: sizes, means and losses recounted from what is released, against plain numpy."""

from __future__ import annotations

import datetime as dt
import json
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
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
from covloss_fast._core import microaggregation as core
from covloss_fast.records import equal_blocks
from covloss_fast.records.coordinates import chunks, place_fields, read_fields
from covloss_fast.records.tables import read
from covloss_fast.reference import microaggregation as reference


#: Of records without levels: codes, numbers of levels, widths and coordinates of levels.
def no_levels(n: int) -> tuple[Any, ...]:
    return np.empty((n, 0), np.uint8), np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0)


def partition(
    rows: NDArray[np.float64],
    min_block_size: int,
    n_threads: int = 1,
    levels: tuple[Any, ...] | None = None,
    **options: Any,
) -> NDArray[np.int32]:
    given = {"weights": None, "strata": np.zeros(len(rows), np.int32), "n_strata": 1, "seed": 0}
    given |= {"n_rounds": 2, "n_passes": 1} | options
    return core.minimum_size_partition(
        rows, *(levels or no_levels(len(rows))), min_block_size=min_block_size, n_threads=n_threads, **given
    )


def gaussian(n: int, p: int, seed: int = 0) -> NDArray[np.float64]:
    return np.random.default_rng(seed).standard_normal((n, p))


#: Small tables with ties: few different values, duplicates, constant columns.
small_tables = hnp.arrays(
    np.float64,
    st.tuples(st.integers(1, 40), st.integers(1, 6)),
    elements=st.sampled_from([-1.0, 0.0, 0.1, 0.5, 1.0, 7.0]) | st.floats(-10, 10, width=16),
)


# ---- what every partition must keep ----------------------------------------------------------------------


@settings(max_examples=120)
@given(table=small_tables, data=st.data())
def test_released_tables_keep_the_minimum_and_the_means(
    table: NDArray[np.float64], data: st.DataObject
) -> None:
    n = len(table)
    size = data.draw(st.integers(1, n + 1))
    before = table.copy()
    agg = Microaggregator(min_block_size=size, effort=data.draw(st.sampled_from([0, 1])))
    if size > n:
        with pytest.raises(ValueError, match=f"{n} records, fewer than min_block_size={size}"):
            agg.fit(table)
        return
    masked = agg.fit_transform(table)
    assert np.array_equal(table, before)
    assert masked.shape == table.shape
    assert masked.dtype == np.float64

    labels = agg.labels_
    sizes = reference.block_sizes(labels)
    assert sizes.min() >= size
    assert sizes.sum() == n
    assert sizes.max() < max(2 * size, 2)
    assert np.array_equal(agg.block_sizes_, sizes)
    # Blocks are numbered by their first records.
    assert np.array_equal(
        np.unique(labels, return_index=True)[1], np.sort(np.unique(labels, return_index=True)[1])
    )
    # Recounted from the released table alone.
    _, counts = np.unique(masked, axis=0, return_counts=True)
    assert counts.min() >= size
    assert counts.sum() == n
    released = agg.certificate_.released
    assert released is not None
    assert (released.n_groups, released.smallest, released.largest) == (
        len(counts),
        counts.min(),
        counts.max(),
    )
    # Means, in exact arithmetic, to the last bits of a double.
    for b in range(len(sizes)):
        for j in range(table.shape[1]):
            members = [Fraction(x) for x in table[labels == b, j]]
            exact = sum(members) / len(members)
            assert abs(Fraction(agg.block_means_[b, j]) - exact) <= Fraction(2**-50) * max(
                map(abs, members), default=0
            )
            if len(set(members)) == 1:
                assert agg.block_means_[b, j] == members[0]
    assert np.array_equal(masked, agg.block_means_[labels])


@settings(max_examples=120)
@given(table=small_tables, data=st.data())
def test_never_above_mdav(table: NDArray[np.float64], data: st.DataObject) -> None:
    size = data.draw(st.integers(1, len(table)))
    rows = reference.standardise(table)
    bar = reference.scatter(rows, reference.mdav(rows, size))
    agg = Microaggregator(min_block_size=size).fit(table)
    assert reference.scatter(rows, agg.labels_) <= bar + 1e-9 * max(1.0, bar)


@pytest.mark.parametrize("n", [100, 4096])
@pytest.mark.parametrize("effort", [0, 1])
def test_never_above_mdav_on_larger_tables(n: int, effort: int) -> None:
    table = np.round(gaussian(n, 3), 1)
    rows = reference.standardise(table)
    agg = Microaggregator(min_block_size=7, effort=effort).fit(table)
    assert reference.scatter(rows, agg.labels_) <= reference.scatter(rows, reference.mdav(rows, 7))


def test_the_core_mdav_start_is_the_reference_mdav() -> None:
    # One block's worth of freedom less than a change needs: the start itself is what comes out.
    for n in (7, 8, 9, 20, 21, 22, 23):
        rows = np.arange(n, dtype=float)[:, None] * [[1.0, 1.0]]
        labels = reference.mdav(rows, 7)
        assert reference.block_sizes(labels).min() >= 7
        assert reference.scatter(rows, partition(rows, 7)) <= reference.scatter(rows, labels) + 1e-9


@settings(max_examples=60)
@given(
    values=st.lists(
        st.sampled_from([0.0, 1.0, 1.5, 4.0]) | st.floats(-5, 5, width=16), min_size=1, max_size=11
    ),
    data=st.data(),
)
def test_one_column_is_solved_exactly(values: list[float], data: st.DataObject) -> None:
    n = len(values)
    size = data.draw(st.integers(1, n))
    weights = data.draw(st.none() | hnp.arrays(np.float64, n, elements=st.sampled_from([0.5, 1.0, 3.0])))
    x = np.array(values)
    labels = core.univariate_partition(x, weights, np.zeros(n, np.int32), 1, size, 1)
    assert reference.block_sizes(labels).min() >= size
    column = x[:, None]
    best = min(
        reference.scatter(column, candidate, weights)
        for candidate in runs(np.argsort(x, kind="stable"), size)
    )
    assert reference.scatter(column, labels, weights) == pytest.approx(best, abs=1e-9)
    twin = reference.univariate(x, size, weights)
    assert reference.scatter(column, twin, weights) == pytest.approx(best, abs=1e-9)


def runs(order: NDArray[np.intp], size: int) -> list[NDArray[np.int32]]:
    """All partitions of sorted records into runs of at least `size`."""
    n = len(order)
    out = []
    for cuts in range(2 ** (n - 1)):
        block_of_position = np.cumsum([0] + [(cuts >> i) & 1 for i in range(n - 1)])
        if np.bincount(block_of_position).min() >= size:
            labels = np.empty(n, dtype=np.int32)
            labels[order] = block_of_position
            out.append(labels)
    return out


@pytest.mark.parametrize("size", [1, 2, 3, 50, 600])
def test_one_column_at_length(size: int) -> None:
    x = np.random.default_rng(1).lognormal(size=1000)
    labels = core.univariate_partition(x, None, np.zeros(1000, np.int32), 1, size, 1)
    twin = reference.univariate(x, size)
    assert reference.scatter(x[:, None], labels) == pytest.approx(
        reference.scatter(x[:, None], twin), rel=1e-9
    )


# ---- the same bits ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "p", "size"), [(5000, 3, 3), (9000, 6, 5), (4000, 5, 600)])
def test_threads_and_instruction_sets_do_not_matter(
    n: int, p: int, size: int, n_threads: int, simd_level: str
) -> None:
    table = np.round(gaussian(n, p), 2)
    expected = EXPECTED.setdefault((n, p, size), partition(table, size))
    assert np.array_equal(partition(table, size, n_threads), expected)


EXPECTED: dict[Any, NDArray[np.int32]] = {}


@pytest.mark.parametrize("n", [63, 64, 257, 5000])
@pytest.mark.parametrize("m", [0, 1, 3])
def test_levels_as_codes_are_rows_of_doubles(n: int, m: int, n_threads: int, simd_level: str) -> None:
    rng = np.random.default_rng(n)
    n_levels, widths = np.array([2, 3, 5, 1, 256], np.int32), np.array([1, 3, 2, 4, 1], np.int32)
    codes = rng.integers(0, n_levels, (n, 5)).astype(np.uint8)
    tables = [np.round(rng.standard_normal((size, width)), 1) for size, width in zip(n_levels, widths)]
    numbers = rng.standard_normal((n, m))
    levels = (codes, n_levels, widths, np.concatenate([table.ravel() for table in tables]))
    rows = reference.rows(numbers, codes, tables)
    assert np.array_equal(partition(numbers, 3, n_threads, levels), partition(rows, 3, 1))


def test_seeds_change_the_search() -> None:
    table = gaussian(6000, 4)
    assert not np.array_equal(partition(table, 3, seed=1), partition(table, 3, seed=2))


def test_a_sliced_array_is_its_copy() -> None:
    wide = gaussian(400, 10)
    view = wide[::2, 1::3]
    one = Microaggregator(min_block_size=4)
    assert np.array_equal(one.fit_transform(view), one.fit_transform(view.copy()))
    assert np.array_equal(one.fit_transform(view), one.fit_transform(np.asfortranarray(view)))


def test_effort_lowers_the_loss() -> None:
    table = gaussian(6000, 4)
    losses = [Microaggregator(4, effort=e).fit(table).certificate_.relative_trace_loss for e in (0, 1, 3)]
    assert losses[0] > losses[1] > losses[2]


# ---- weights and strata ----------------------------------------------------------------------------------


@settings(max_examples=60)
@given(table=small_tables, data=st.data())
def test_weights_enter_means_and_scatters(table: NDArray[np.float64], data: st.DataObject) -> None:
    n = len(table)
    weights = data.draw(hnp.arrays(np.float64, n, elements=st.sampled_from([0.25, 1.0, 2.0, 10.0])))
    size = data.draw(st.integers(1, n))
    agg = Microaggregator(min_block_size=size).fit(table, sample_weight=weights)
    assert agg.block_sizes_.min() >= size
    assert np.allclose(agg.block_means_, reference.block_means(table, agg.labels_, weights), atol=1e-12)
    # The certificate's loss is that of the weighted scatter.
    spread = np.sqrt(np.maximum(np.average((table - np.average(table, 0, weights)) ** 2, 0, weights), 1e-300))
    rows = np.where(table.max(0) > table.min(0), table / spread, 0.0)
    loss = agg.certificate_.relative_trace_loss
    assert loss == pytest.approx(reference.relative_scatter(rows, agg.labels_, weights), abs=1e-9)


def test_weights_truly_act() -> None:
    table = gaussian(600, 3)
    weights = np.where(np.arange(600) % 2 == 0, 100.0, 1.0)
    weighted = Microaggregator(min_block_size=5).fit(table, sample_weight=weights).labels_
    plain = Microaggregator(min_block_size=5).fit(table).labels_
    rows = reference.standardise(table)
    assert reference.scatter(rows, weighted, weights) < reference.scatter(rows, plain, weights)


@settings(max_examples=60)
@given(data=st.data())
def test_no_block_crosses_strata(data: st.DataObject) -> None:
    strata = data.draw(hnp.arrays(np.int64, st.integers(1, 60), elements=st.sampled_from([-3, 0, 5])))
    p = data.draw(st.integers(1, 3))
    smallest = np.unique(strata, return_counts=True)[1].min()
    agg = Microaggregator(min_block_size=int(smallest))
    masked = agg.fit_transform(gaussian(len(strata), p), strata=strata)
    assert agg.block_sizes_.min() >= smallest
    for b in range(len(agg.block_sizes_)):
        assert len(set(strata[agg.labels_ == b])) == 1
    assert len(masked) == len(strata)
    with pytest.raises(ValueError, match=f"the stratum of record .* has {smallest} records, fewer than"):
        Microaggregator(min_block_size=int(smallest) + 1).fit(
            gaussian(len(strata) + 60, p), strata=[*strata, *[9] * 60]
        )


def test_large_strata_are_searched_apart() -> None:
    table = gaussian(12_000, 4)
    strata = np.arange(12_000) % 3 == 0
    labels = Microaggregator(min_block_size=3, effort=0).fit(table, strata=strata).labels_
    assert not set(labels[strata]) & set(labels[~strata])
    assert np.bincount(labels).min() >= 3


@pytest.mark.parametrize(
    "strata", [["a", "b"] * 10, [True, False] * 10, [1.5, 2.5] * 10, pd.Series(["x", "y"] * 10)]
)
def test_strata_of_any_kind(strata: Any) -> None:
    labels = Microaggregator(min_block_size=10).fit(gaussian(20, 2), strata=strata).labels_
    assert labels.tolist() == [0, 1] * 10


# ---- quality on the field's tables -----------------------------------------------------------------------

MDAV_LOSS = {"tarragona": (16.93, 22.46, 33.19), "census": (5.69, 9.09, 14.16)}
MUST_REACH = {"tarragona": (14.8, 20.4, 30.6), "census": (5.0, 7.7, 11.95)}


@pytest.mark.parametrize("name", ["tarragona", "census"])
@pytest.mark.parametrize(("which", "size"), [(0, 3), (1, 5), (2, 10)])
def test_loss_on_the_fields_tables(real_tables: Path, name: str, which: int, size: int) -> None:
    table = pd.read_csv(real_tables / f"{name}.csv.gz")
    rows = reference.standardise(table.to_numpy())
    mdav = 100 * reference.relative_scatter(rows, reference.mdav(rows, size))
    assert mdav == pytest.approx(MDAV_LOSS[name][which], rel=1e-3)
    agg = Microaggregator(min_block_size=size).fit(table)
    loss = 100 * agg.certificate_.relative_trace_loss
    assert loss == pytest.approx(100 * reference.relative_scatter(rows, agg.labels_), rel=1e-9)
    assert loss <= MUST_REACH[name][which]


def test_many_identical_records_end_fast() -> None:
    table = np.full((10_000, 4), 0.1)
    agg = Microaggregator(min_block_size=5)
    assert (agg.fit_transform(table) == 0.1).all()
    certificate = agg.certificate_
    assert (certificate.relative_trace_loss, certificate.covariance_loss, certificate.scatter) == (
        0.0,
        0.0,
        0.0,
    )
    assert certificate.released is not None
    assert certificate.released.smallest == 10_000


def test_duplicates_are_kept_together() -> None:
    rng = np.random.default_rng(0)
    table = rng.permutation(np.repeat(rng.integers(0, 50, size=(100, 5)), 20, axis=0)).astype(float)
    assert Microaggregator(min_block_size=4).fit(table).certificate_.relative_trace_loss < 1e-9


# ---- certificate -----------------------------------------------------------------------------------------


def test_certificate_recounts_losses() -> None:
    table = gaussian(500, 4) @ np.array([[1, 0.5, 0, 0], [0, 1, 0, 0], [0, 0, 3, 0], [0, 0, 0, 0.1]])
    agg = Microaggregator(min_block_size=20).fit(table)
    c = agg.certificate_
    rows = reference.standardise(table)
    centres = reference.block_means(rows, agg.labels_)[agg.labels_]
    lost = np.cov(rows.T, bias=True) - np.cov(centres.T, bias=True)
    assert c.covariance_loss == pytest.approx(np.linalg.norm(lost))
    assert c.total_covariance == pytest.approx(np.linalg.norm(np.cov(rows.T, bias=True)))
    assert c.scatter == pytest.approx(reference.scatter(rows, agg.labels_))
    assert c.relative_trace_loss == pytest.approx(reference.relative_scatter(rows, agg.labels_))
    for j in range(4):
        assert c.attribute_loss[str(j)] == pytest.approx(
            reference.relative_scatter(rows[:, [j]], agg.labels_)
        )
    assert (c.n_records, c.n_blocks) == (500, len(agg.block_sizes_))
    assert (c.smallest_block, c.largest_block) == (agg.block_sizes_.min(), agg.block_sizes_.max())
    assert c.is_vacuous
    assert c.bound >= c.total_covariance
    assert c.released is None
    assert json.loads(json.dumps(c.to_dict()))["n_blocks"] == c.n_blocks
    assert "says nothing here" in str(c)


# ---- exactly so many blocks ------------------------------------------------------------------------------


def check_equal_blocks(agg: Microaggregator, n: int, n_blocks: int) -> None:
    sizes = reference.block_sizes(agg.labels_)
    assert len(sizes) == n_blocks
    assert sizes.sum() == n
    assert sizes.max() - sizes.min() <= 1
    firsts = np.unique(agg.labels_, return_index=True)[1]
    assert (np.diff(firsts) > 0).all()
    certificate = agg.certificate_
    assert certificate.covariance_loss <= certificate.bound + 1e-9


@settings(max_examples=80)
@given(table=small_tables, data=st.data())
def test_equal_blocks_of_numbers(table: NDArray[np.float64], data: st.DataObject) -> None:
    n = len(table)
    n_blocks = data.draw(st.integers(1, n))
    agg = Microaggregator(n_blocks=n_blocks)
    masked = agg.fit_transform(table)
    check_equal_blocks(agg, n, n_blocks)
    assert np.allclose(masked, reference.block_means(table, agg.labels_)[agg.labels_])
    loss = reference.relative_scatter(reference.standardise(table), agg.labels_)
    assert agg.certificate_.relative_trace_loss == pytest.approx(loss, abs=1e-9)


@settings(max_examples=80)
@given(
    bits=hnp.arrays(np.uint8, st.tuples(st.integers(1, 60), st.integers(1, 12)), elements=st.integers(0, 1)),
    data=st.data(),
)
def test_equal_blocks_of_bits(bits: NDArray[np.uint8], data: st.DataObject) -> None:
    n, p = bits.shape
    n_blocks = data.draw(st.integers(1, n))
    agg = Microaggregator(n_blocks=n_blocks)
    masked = agg.fit_transform(bits)
    check_equal_blocks(agg, n, n_blocks)
    for b, size in enumerate(agg.block_sizes_):  # counts are exact, so the means are the nearest doubles
        exact = bits[agg.labels_ == b].sum(axis=0, dtype=np.int64)
        assert agg.block_means_[b].tolist() == [int(s) / int(size) for s in exact]
    assert np.array_equal(masked, agg.block_means_[agg.labels_])
    # The schema says the same of the same bits, and releases modes.
    schema = Schema([Binary(f"v{j}", levels=(0, 1)) for j in range(p)])
    coded = Microaggregator(n_blocks=n_blocks, schema=schema)
    modes = coded.fit_transform(bits)
    assert np.array_equal(coded.labels_, agg.labels_)
    assert np.array_equal(modes, (agg.block_means_ > 0.5)[agg.labels_])
    expected = cf.covariance_loss(bits.astype(float), agg.labels_)
    certificate = agg.certificate_
    assert certificate.covariance_loss == pytest.approx(expected.frobenius, abs=1e-9)
    assert certificate.relative_trace_loss == pytest.approx(expected.relative_trace, abs=1e-9)
    assert coded.certificate_.to_dict()["scatter"] == certificate.scatter


def mixture(n: int, p: int) -> NDArray[np.uint8]:
    rng = np.random.default_rng(5)
    means = rng.beta(0.3, 0.5, size=(4, p))
    return (rng.random((n, p)) < means[rng.integers(0, 4, n)]).astype(np.uint8)


def test_blocks_follow_the_structure() -> None:
    bits = mixture(4000, 30)
    agg = Microaggregator(n_blocks=64).fit(bits)
    loss = agg.certificate_.covariance_loss
    cut = cf.covariance_loss(bits.astype(float), cf.equipartition(np.zeros(4000, np.int32), 64)).frobenius
    assert loss < 0.3 * cut
    assert loss < 0.3 * agg.certificate_.total_covariance


def test_categorical_blocks_by_number() -> None:
    schema = Schema.from_domain({"a": 2, "b": 4, "c": 1, "d": 3})
    codes = np.random.default_rng(0).integers(0, [2, 4, 1, 3], size=(300, 4))
    agg = Microaggregator(n_blocks=20, schema=schema)
    masked = agg.fit_transform(codes)
    check_equal_blocks(agg, 300, 20)
    assert masked.dtype == codes.dtype
    onehot = np.column_stack(
        [codes[:, 0], *(codes[:, [j]] == np.arange(s) for j, s in ((1, 4), (2, 1), (3, 3)))]
    ) * np.array([1.0, *[np.sqrt(0.5)] * 8])
    assert agg.certificate_.scatter == pytest.approx(reference.scatter(onehot, agg.labels_))
    assert agg.certificate_.attribute_loss["c"] == 0.0
    shuffled = {"d": codes[:, 3], "a": codes[:, 0], "c": codes[:, 2], "b": codes[:, 1]}
    other = Microaggregator(n_blocks=20, schema=schema).fit(shuffled)
    assert np.array_equal(other.labels_, agg.labels_)
    assert other.certificate_.attribute_loss == agg.certificate_.attribute_loss
    assert other.block_columns_[:4] == ["d=0", "d=1", "d=2", "a=1"]


@pytest.mark.parametrize("bits", [True, False])
def test_equal_blocks_keep_their_bits(bits: bool, n_threads: int, simd_level: str) -> None:
    table: Any = mixture(9_000, 70) if bits else gaussian(9_000, 5)
    agg = Microaggregator(n_blocks=333, n_threads=n_threads).fit(table)
    expected = EXPECTED.setdefault(bits, agg.labels_)
    assert np.array_equal(agg.labels_, expected)
    check_equal_blocks(agg, 9_000, 333)


@settings(max_examples=60)
@given(data=st.data())
def test_equal_blocks_of_strata(data: st.DataObject) -> None:
    strata = data.draw(hnp.arrays(np.int64, st.integers(1, 80), elements=st.integers(0, 4)))
    n, n_strata = len(strata), len(np.unique(strata))
    n_blocks = data.draw(st.integers(n_strata, n))
    agg = Microaggregator(n_blocks=n_blocks).fit(gaussian(n, 2), strata=strata)
    assert len(agg.block_sizes_) == n_blocks
    for stratum in np.unique(strata):
        sizes = reference.block_sizes(agg.labels_[strata == stratum])
        assert sizes.max() - sizes.min() <= 1
    for b in range(n_blocks):
        assert len(set(strata[agg.labels_ == b])) == 1
    assert agg.certificate_.covariance_loss <= agg.certificate_.bound + 1e-9


def test_weights_leave_equal_blocks_equal() -> None:
    bits = mixture(500, 8)
    weights = np.linspace(1, 5, 500)
    agg = Microaggregator(n_blocks=20).fit(bits, sample_weight=weights)
    check_equal_blocks(agg, 500, 20)
    assert np.allclose(agg.block_means_, reference.block_means(bits.astype(float), agg.labels_, weights))


@pytest.mark.parametrize(
    "partition",
    [cf.partition.Pinning((0, 3, 5)), cf.partition.RandomSigns.random([True] * 30, 3, seed=1)],
)
def test_other_partitions(partition: Any) -> None:
    bits = mixture(1000, 30)
    agg = Microaggregator(n_blocks=50, partition=partition).fit(bits)
    check_equal_blocks(agg, 1000, 50)
    cells = partition.labels(bits)
    straddling = sum(len(set(cells[agg.labels_ == b])) > 1 for b in range(50))
    assert straddling <= len(set(cells)) - 1
    with pytest.raises(ValueError, match="a partition object needs bits"):
        Microaggregator(n_blocks=5, partition=partition).fit(gaussian(20, 30))
    with pytest.raises(ValueError, match="partition goes with n_blocks"):
        Microaggregator(min_block_size=5, partition=partition).fit(bits)


def clusters(kind: str) -> tuple[Any, Schema | None]:
    """Eight types of records with little noise, as a table of one of many kinds."""
    rng = np.random.default_rng(3)
    of_record = rng.integers(0, 8, 3000)
    if kind == "bits":
        return (rng.random((3000, 40)) < rng.beta(0.1, 0.1, (8, 40))[of_record]).astype(np.uint8), None
    if kind == "numbers":
        return 3 * rng.standard_normal((8, 6))[of_record] + rng.standard_normal((3000, 6)), None
    codes = np.where(
        rng.random((3000, 9)) < 0.8, rng.integers(0, 4, (8, 9))[of_record], rng.integers(0, 4, (3000, 9))
    )
    if kind == "levels":
        return codes, Schema.from_domain({f"v{j}": 4 for j in range(9)})
    schema = Schema([Numeric(f"v{j}", 0, 5) if j < 4 else Categorical(f"v{j}", range(4)) for j in range(9)])
    return {f"v{j}": codes[:, j] for j in range(9)}, schema


@pytest.mark.parametrize("kind", ["bits", "numbers", "levels", "mixed"])
@pytest.mark.parametrize("partition", ["nearest_point", "pinning", "random_signs", "lattice"])
def test_partitions_of_any_table_by_name(kind: str, partition: Any, n_threads: int, simd_level: str) -> None:
    table, schema = clusters(kind)
    agg = Microaggregator(n_blocks=300, schema=schema, partition=partition, n_threads=n_threads).fit(table)
    check_equal_blocks(agg, 3000, 300)
    assert np.array_equal(agg.labels_, EXPECTED.setdefault((kind, partition), agg.labels_))
    arbitrary = cf.equipartition(np.zeros(3000, np.int32), 300)
    assert agg.certificate_.relative_trace_loss < 0.75
    if schema is None:
        rows = (
            reference.standardise(np.asarray(table)) if kind == "numbers" else np.asarray(table, dtype=float)
        )
        assert reference.scatter(rows, agg.labels_) < 0.8 * reference.scatter(rows, arbitrary)


@pytest.mark.parametrize("n", [1, 2, 63, 64, 65, 257, 1000])
def test_cells_of_real_records_are_their_twins(n: int, n_threads: int, simd_level: str) -> None:
    table = gaussian(n, 9, seed=n) * np.arange(1, 10)
    table[:, 3] = 2.0
    fields, _, _ = read_fields(read(table), None, None, 1)
    placements = place_fields(fields, None, "none")
    rows = np.concatenate([part for _, part in chunks(placements, n)])
    rng = np.random.default_rng(n)
    pins = rng.permutation(9)[:4]
    assert np.array_equal(
        equal_blocks._cells_of_pins(placements, n, pins), reference.pinned_cells(rows, pins)
    )
    directions = rng.choice([-1, 1], (10, 5))
    largest = float((rows**2).sum(axis=1).max())
    found = equal_blocks._cells_of_random_signs(placements, n, directions, largest, n_threads)
    assert np.array_equal(found, reference.random_sign_cells(rows, directions, largest))
    values = np.linspace(9.0, 1.0, 8) ** 2
    for n_cells in (1, 2, 7, 64, 100):
        cells = equal_blocks._lattice_cells(rows[:, [8, 7, 6, 5, 4, 2, 1, 0]], values, n_cells)
        expected = reference.lattice_cells(rows[:, [8, 7, 6, 5, 4, 2, 1, 0]], values, n_cells)
        assert np.array_equal(cells, expected)


def test_partitions_by_name_are_those_that_they_name() -> None:
    bits = clusters("bits")[0]
    agg = Microaggregator(n_blocks=300, partition="pinning", random_state=5).fit(bits)
    cells = cf.partition.Pinning.random(40, 4, 5).labels(bits)
    assert sum(len(set(cells[agg.labels_ == b])) > 1 for b in range(300)) < len(set(cells))
    numbers = clusters("numbers")[0]
    agg = Microaggregator(n_blocks=300, partition="pinning", random_state=5).fit(numbers)
    pins = list(cf.partition.Pinning.random(6, 4, 5).columns)
    cells = (numbers[:, pins] >= numbers[:, pins].mean(axis=0)) @ (1 << np.arange(4))
    assert sum(len(set(cells[agg.labels_ == b])) > 1 for b in range(300)) < len(set(cells))
    for name in ("pinning", "random_signs"):
        one, other = (
            Microaggregator(n_blocks=300, partition=name, random_state=seed).fit(numbers).labels_  # type: ignore[arg-type]
            for seed in (0, 1)
        )
        assert not np.array_equal(one, other)
    with pytest.raises(ValueError, match="partition must be one of nearest_point, pinning"):
        Microaggregator(n_blocks=3, partition="best").fit(numbers)  # type: ignore[arg-type]
    # A partition of bits goes with numbers by the bins of their schema.
    table, schema = clusters("mixed")
    assert schema is not None
    check_equal_blocks(
        Microaggregator(n_blocks=50, schema=schema, partition=cf.partition.Pinning((0, 30))).fit(table),
        3000,
        50,
    )


@settings(max_examples=60)
@given(table=small_tables, partition=st.sampled_from(["pinning", "random_signs", "lattice"]), data=st.data())
def test_partitions_by_name_of_small_tables(
    table: NDArray[np.float64], partition: Any, data: st.DataObject
) -> None:
    n_blocks = data.draw(st.integers(1, len(table)))
    check_equal_blocks(
        Microaggregator(n_blocks=n_blocks, partition=partition).fit(table), len(table), n_blocks
    )


@settings(max_examples=60)
@given(data=st.data())
def test_equal_blocks_core_against_sorting(data: st.DataObject) -> None:
    # Along one coordinate the recursive splits are a sort by (cell, coordinate, row).
    n = data.draw(st.integers(1, 70))
    cells = data.draw(hnp.arrays(np.int32, n, elements=st.integers(0, 5)))
    x = data.draw(hnp.arrays(np.float64, n, elements=st.integers(-3, 3).map(float)))
    n_blocks = data.draw(st.integers(1, n))
    labels = core.equal_blocks(x[:, None], cells, 6, n_blocks, 2)
    assert np.array_equal(labels, reference.equal_blocks(x, cells, n_blocks))


def test_real_moments_and_projections(n_threads: int) -> None:
    for n, p in ((0, 3), (1, 1), (4095, 2), (4097, 5), (9000, 9)):
        rows = gaussian(n, p)
        assert np.allclose(core.second_moment(rows, n_threads), rows.T @ rows)
        directions = gaussian(p, 3, seed=1)
        assert np.allclose(core.project(rows, directions, n_threads), rows @ directions)
        assert np.array_equal(core.second_moment(rows, n_threads), core.second_moment(rows, 1))


def test_hashes_of_records(n_threads: int) -> None:
    column = np.random.default_rng(0).integers(0, 2**64, 70_000, dtype=np.uint64)
    hashes = np.zeros((2, 70_000), dtype=np.uint64)
    core.mix_column(column, hashes, n_threads)
    word = 2**64 - 1
    for i in (0, 1, 65_535, 65_536, 69_999):
        x = int(column[i])
        assert int(hashes[0, i]) == reference.hash64(x)
        assert int(hashes[1, i]) == reference.hash64(0xD1342543DE82EF95 * x & word)
    with pytest.raises(ValueError, match="hashes must have shape"):
        core.mix_column(column[:5].copy(), hashes, 1)


def test_hashes_of_rows_are_those_of_columns(n_threads: int) -> None:
    table = np.random.default_rng(0).choice([0.0, -0.0, 1.5, np.nan, -np.nan, np.inf], (5_000, 3))
    hashes, columns = (np.arange(10_000, dtype=np.uint64).reshape(2, 5_000) for _ in range(2))
    core.mix_rows(table, hashes, n_threads)
    for j in range(3):
        words = np.where(np.isnan(table[:, j]), np.nan, table[:, j] + 0.0).view(np.uint64)
        core.mix_column(words, columns, n_threads)
    assert np.array_equal(hashes, columns)
    with pytest.raises(ValueError, match="hashes must have shape"):
        core.mix_rows(table[:5], hashes, 1)


# ---- kinds of tables -------------------------------------------------------------------------------------

TO_KIND: dict[str, Callable[[pd.DataFrame], Any]] = {
    "pandas": lambda frame: frame,
    "polars": pl.from_pandas,
    "pyarrow": lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
    "dict": lambda frame: {name: frame[name].to_numpy() for name in frame},
}


def to_pandas(table: Any) -> pd.DataFrame:
    if isinstance(table, pl.DataFrame | pa.Table):
        return table.to_pandas()
    return pd.DataFrame(table)


@pytest.mark.parametrize("kind", TO_KIND)
def test_same_kind_names_and_order(kind: str) -> None:
    frame = pd.DataFrame({"z": [1, 9, 2, 8, 1, 9], "a": [0.5, 7.5, 0.0, 7.0, 1.0, 8.0]})
    agg = Microaggregator(min_block_size=3)
    table = TO_KIND[kind](frame)
    masked = agg.fit_transform(table)
    assert type(masked) is type(table)
    back = to_pandas(masked)
    assert list(back) == ["z", "a"]
    assert np.allclose(back["z"], [4 / 3, 26 / 3] * 3)
    assert np.allclose(back["a"], [0.5, 7.5] * 3)
    assert type(agg.sample(4, random_state=1)) is type(table)
    assert agg.block_columns_ == ["z", "a"]


def test_pandas_keeps_index_and_names() -> None:
    frame = pd.DataFrame(gaussian(6, 2), index=list("fedcba"), columns=pd.Index([3, 5]))
    masked = Microaggregator(min_block_size=3).fit_transform(frame)
    assert masked.index.equals(frame.index)
    assert masked.columns.equals(frame.columns)


def test_files(tmp_path: Path) -> None:
    frame = pd.DataFrame(gaussian(20, 2), columns=["a", "b"])
    frame.to_csv(tmp_path / "t.csv", index=False)
    masked = Microaggregator(min_block_size=4).fit_transform(tmp_path / "t.csv")
    assert np.allclose(to_pandas(masked), Microaggregator(min_block_size=4).fit_transform(frame))
    (tmp_path / "bad.csv").write_text("a,b\n1,2\n3,x\n")
    with pytest.raises(EncodingError, match="column 1, line 3: a value that is not a number"):
        Microaggregator(min_block_size=1).fit(tmp_path / "bad.csv")


SCHEMA = Schema(
    [
        Numeric("age", lower=0, upper=100, integer=True),
        Binary("smoker", levels=("no", "yes")),
        Categorical("job", ["clerk", "nurse", "other"], missing="level"),
        Numeric("born", lower=dt.date(1900, 1, 1), upper=dt.date(2020, 1, 1)),
    ]
)


def mixed_frame(n: int = 40) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    return pd.DataFrame(
        {
            "job": rng.choice(["clerk", "nurse", None], n),
            "age": rng.integers(0, 130, n),
            "smoker": rng.choice(["no", "yes"], n),
            "born": pd.to_datetime("1950-01-01") + pd.to_timedelta(rng.integers(0, 9000, n), unit="D"),
        }
    )


@pytest.mark.parametrize("kind", TO_KIND)
def test_levels_go_by_mode_and_numbers_by_mean(kind: str) -> None:
    frame = mixed_frame()
    table = TO_KIND[kind](frame)
    agg = Microaggregator(min_block_size=5, schema=SCHEMA)
    back = to_pandas(agg.fit_transform(table))
    assert list(back) == list(frame)
    released = agg.certificate_.released
    assert released is not None
    assert released.smallest >= 5
    age = frame["age"].clip(0, 100)
    for b, size in enumerate(agg.block_sizes_):
        mine = agg.labels_ == b
        assert size == mine.sum() >= 5
        assert np.allclose(back["age"][mine].astype(float), age[mine].mean())
        for name in ("smoker", "job"):
            shares = frame[name][mine].fillna("missing").value_counts()
            mode = back[name][mine].fillna("missing").unique()
            assert len(mode) == 1
            assert shares[mode[0]] == shares.max()
        days = frame["born"][mine].astype("datetime64[s]")
        mean = days.astype("int64").mean() / 86_400
        shown = pd.to_datetime(back["born"][mine]).astype("datetime64[s]").astype("int64") / 86_400
        assert np.allclose(shown, np.rint(mean), atol=0.51)
    assert agg.block_columns_ == [
        *("job=clerk", "job=nurse", "job=other", "job=missing"),
        *("age", "smoker=yes", "born"),
    ]
    assert agg.block_means_.shape == (len(agg.block_sizes_), 7)


def test_coded_arrays_stay_arrays_of_codes() -> None:
    schema = Schema.from_domain({"a": 2, "b": 4, "c": 2})
    codes = np.random.default_rng(0).integers(0, [2, 4, 2], size=(200, 3)).astype(np.uint8)
    agg = Microaggregator(min_block_size=4, schema=schema)
    masked = agg.fit_transform(codes)
    assert masked.dtype == np.uint8
    assert masked.shape == codes.shape
    assert np.unique(masked, axis=0, return_counts=True)[1].min() >= 4
    # A mismatch counts as one attribute, whatever its size.
    onehot = np.column_stack([codes[:, [0, 2]], (codes[:, [1]] == np.arange(4)) / np.sqrt(2)])
    assert agg.certificate_.scatter == pytest.approx(reference.scatter(onehot, agg.labels_))


def test_bounds_clamp_and_schemas_bind() -> None:
    schema = Schema([Numeric("x", 0, 1)])
    masked = Microaggregator(min_block_size=2, schema=schema).fit_transform({"x": [-5.0, 0.0, 1.0, 9.0]})
    assert masked["x"].tolist() == [0.0, 0.0, 1.0, 1.0]
    with pytest.raises(EncodingError, match="'x', row 1: a missing value"):
        Microaggregator(min_block_size=1, schema=schema).fit({"x": [0.0, None]})


# ---- bad input -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ([1.0, np.nan, 3.0], "column 'x', row 1: a missing value"),
        ([1.0, 2.0, np.inf], "column 'x', row 2: an infinite number"),
        ([1.0, 2.0, -(10**400)], "column 'x', row 2: an infinite number"),
        (["a", "b", "c"], "column 'x', row 0: a value that is not a number"),
        ([1, None, 3], "column 'x', row 1: a missing value"),
        (np.array(["2020-01-01"] * 3, dtype="datetime64[D]"), "column 'x', row 0: a date"),
        ([1e200, 0.0, 1.0], "column 'x' has numbers beyond 1e150"),
    ],
)
def test_what_has_no_mean_is_refused(column: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Microaggregator(min_block_size=1).fit({"y": [1, 2, 3], "x": column})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "exactly one of the two"),
        ({"min_block_size": 2, "n_blocks": 3}, "exactly one of the two"),
        ({"min_block_size": 0}, "min_block_size must be an integer of at least 1, got 0"),
        ({"min_block_size": 2.0}, "min_block_size must be an integer"),
        ({"min_block_size": True}, "min_block_size must be an integer"),
        ({"n_blocks": 0}, "n_blocks must be an integer of at least 1"),
        (
            {"n_blocks": 6},
            "n_blocks must be from the number of strata, 1, to .* 5, got 6",
        ),
        ({"min_block_size": 6}, "5 records, fewer than min_block_size=6"),
        ({"min_block_size": 2, "effort": -1}, "effort must be an integer from 0"),
        ({"min_block_size": 2, "scaling": "max"}, "scaling must be"),
        ({"min_block_size": 2, "n_threads": 0}, "n_threads must be"),
        ({"min_block_size": 2, "random_state": -1}, "random_state must be"),
    ],
)
def test_bad_parameters(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Microaggregator(**options).fit(gaussian(5, 2))


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"sample_weight": [1, 2]}, "sample_weight must have shape"),
        ({"sample_weight": [1, 1, 0, 1, 1]}, "record 2 is not"),
        ({"sample_weight": [1, 1, 1, np.nan, 1]}, "record 3 is not"),
        ({"sample_weight": ["SECRETV"] * 5}, "^sample_weight must be an array of numbers$"),
        ({"sample_weight": [10**400] * 5}, "^sample_weight must be an array of numbers$"),
        ({"sample_weight": [[1, 2], [3]]}, "^sample_weight must be an array of numbers$"),
        ({"sample_weight": [1e308] * 5}, "must lie between 1e-20 and 1e\\+20; that of record 0 does not"),
        ({"sample_weight": [1, 1, 1e-200, 1, 1]}, "that of record 2 does not: rescale"),
        ({"sample_weight": [1, 1, 1e-15, 1, 9]}, "a factor of 1e\\+12, as those of records 2 and 4 do"),
        ({"strata": [1, 2]}, "strata must have shape"),
        ({"strata": [1, 1, None, 2, 2]}, "strata: record 2 has a missing value"),
    ],
)
def test_bad_weights_and_strata(keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Microaggregator(min_block_size=1).fit(gaussian(5, 2), **keywords)


@pytest.mark.parametrize("scale", [1e-310, 1e-200, 1e-170, 1e149])
def test_numbers_of_any_size_are_standardized(scale: float) -> None:
    """Squares that vanish or overflow are never formed: powers of two change no bit of the result."""
    table = gaussian(60, 3)
    near = 2.0 ** round(np.log2(scale))
    plain = Microaggregator(min_block_size=3).fit(table)
    scaled = Microaggregator(min_block_size=3).fit(table * near)
    np.testing.assert_array_equal(scaled.labels_, plain.labels_)
    assert scaled.certificate_.covariance_loss == pytest.approx(plain.certificate_.covariance_loss, rel=1e-9)
    two = Microaggregator(min_block_size=3).fit(np.r_[np.zeros(30), np.full(30, near)][:, None])
    assert two.certificate_.relative_trace_loss == pytest.approx(0.0, abs=1e-12)
    assert two.certificate_.total_covariance == pytest.approx(1.0, rel=0.05)


@pytest.mark.parametrize(
    ("values", "scaling", "message"),
    [
        (1e149, "none", "numbers at a distance of 6e\\+148 from its mean, in the units given"),
        (1e-170, "none", "numbers at a distance of 6e-171 from its mean, in the units given"),
        ([0.0, 1.0, 2.0, 3.0, 1e140], "robust", 'in interquartile ranges, .* use scaling="standard"'),
    ],
)
def test_what_no_sum_of_squares_holds_is_refused(values: Any, scaling: Any, message: str) -> None:
    column = np.array(values) if isinstance(values, list) else values * gaussian(5, 1)[:, 0]
    for choice in ({"min_block_size": 2}, {"n_blocks": 2}):
        with pytest.raises(ValueError, match=message):
            Microaggregator(scaling=scaling, **choice).fit({"x": column})


NO_LEVELS = "(numpy.empty((500, 0), 'u1'), numpy.empty(0, 'i4'), numpy.empty(0, 'i4'), numpy.empty(0))"


@pytest.mark.parametrize(
    "weights",
    [
        "10.0 ** generator.uniform(-20, 0, 500)",
        "numpy.append(1.0, numpy.full(499, 1e-20))",
        "10.0 ** generator.uniform(-12, 0, 500)",
        "numpy.where(generator.random(500) < 0.02, 1e12, 1.0)",
    ],
)
def test_the_search_ends_with_weights_over_many_orders(weights: str) -> None:
    """What a record takes away from a block that weighs little more is a difference that rounding decides."""
    code = f"""if True:
        import numpy
        from covloss_fast._core.microaggregation import minimum_size_partition
        generator = numpy.random.default_rng(1)
        rows, weights = numpy.random.default_rng(0).normal(size=(500, 4)), {weights}
        rows -= numpy.average(rows, axis=0, weights=weights)
        strata = numpy.zeros(500, numpy.int32)
        labels = minimum_size_partition(rows, *{NO_LEVELS}, weights, strata, 1, 3, 12, 16, 0, 1)
        assert 3 <= numpy.bincount(labels).min() <= numpy.bincount(labels).max() <= 5
    """
    subprocess.run([sys.executable, "-c", code], timeout=60, check=True)


def test_a_search_within_one_block_can_be_interrupted() -> None:
    """These weights, which no table is admitted with, make the core exchange two records for ever."""
    code = f"""if True:
        import numpy
        from covloss_fast._core.microaggregation import minimum_size_partition
        rows, strata = numpy.random.default_rng(0).normal(size=(500, 4)), numpy.zeros(500, numpy.int32)
        print("begun", flush=True)
        minimum_size_partition(rows, *{NO_LEVELS}, numpy.full(500, 1e-308), strata, 1, 3, 12, 16, 0, 1)
    """
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    try:
        _, err = process.communicate(timeout=20)
    finally:
        process.kill()
    assert "KeyboardInterrupt" in err


def test_bad_tables() -> None:
    with pytest.raises(ValueError, match="0 records, fewer than min_block_size=1"):
        Microaggregator(min_block_size=1).fit(np.zeros((0, 2)))
    with pytest.raises(ValueError, match="no columns"):
        Microaggregator(min_block_size=1).fit(np.zeros((3, 0)))
    frame = pd.DataFrame(gaussian(5, 2), columns=["a", "a"])
    with pytest.raises(ValueError, match="two columns are named 'a', those at positions 0 and 1"):
        Microaggregator(min_block_size=1).fit(frame)


def test_a_file_without_a_header_is_refused(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("31,52000\n44,61000\n29,48000\n30,50000\n")
    for masked in (Microaggregator(min_block_size=3).fit, Microaggregator(n_blocks=1).fit_transform):
        with pytest.raises(ValueError, match="line 1: expected a header with names"):
            masked(tmp_path / "r.csv")


# ---- habits of scikit-learn, samples ---------------------------------------------------------------------


def test_habits() -> None:
    agg = Microaggregator(min_block_size=3, effort=2)
    assert agg.get_params() == {
        "min_block_size": 3,
        "n_blocks": None,
        "schema": None,
        "effort": 2,
        "scaling": "standard",
        "partition": None,
        "release": "mode",
        "missing": None,
        "quasi_identifiers": None,
        "sensitive": None,
        "n_threads": None,
        "random_state": 0,
    }
    assert agg.set_params(effort=0) is agg
    assert agg.effort == 0
    with pytest.raises(ValueError, match="'depth' is not a parameter"):
        agg.set_params(depth=1)
    assert repr(agg) == "Microaggregator(min_block_size=3, effort=0)"
    assert repr(pickle.loads(pickle.dumps(agg))) == repr(agg)
    assert not [name for name in vars(agg) if name.endswith("_")]
    assert agg.fit(gaussian(10, 2)) is agg
    assert agg.labels_.dtype == np.int32
    assert agg.n_features_in_ == 2
    assert cf.Microaggregator is Microaggregator


def test_scaling() -> None:
    table = gaussian(200, 2) * [1.0, 1000.0]
    plain = Microaggregator(min_block_size=10, scaling="none").fit(table)
    assert plain.certificate_.attribute_loss["0"] > 0.5 > 0.1 > plain.certificate_.attribute_loss["1"]
    table[0] = 1e9
    robust = Microaggregator(min_block_size=10, scaling="robust").fit(table)
    standard = Microaggregator(min_block_size=10).fit(table)
    assert not np.array_equal(robust.labels_, standard.labels_)


def test_samples_keep_the_marginals() -> None:
    frame = mixed_frame(400)
    agg = Microaggregator(min_block_size=5, schema=SCHEMA).fit(frame)
    drawn = agg.sample(20_000, random_state=1)
    assert len(drawn) == 20_000
    assert list(drawn) == list(frame)
    for name in ("smoker", "job"):
        true = frame[name].fillna("-").value_counts(normalize=True)
        got = drawn[name].fillna("-").value_counts(normalize=True)
        assert np.allclose(got.reindex(true.index), true, atol=5 * np.sqrt(0.25 / 20_000))
    age = frame["age"].clip(0, 100)
    assert drawn["age"].mean() == pytest.approx(age.mean(), abs=5 * age.std() / np.sqrt(20_000))
    assert drawn.equals(agg.sample(20_000, random_state=1))
    assert not drawn.equals(agg.sample(20_000, random_state=2))
    assert len(agg.sample(0)) == 0


def test_samples_follow_the_weights() -> None:
    agg = Microaggregator(min_block_size=2).fit(np.array([[0.0], [0], [9], [9]]), sample_weight=[1, 1, 9, 9])
    assert (agg.sample(20_000, random_state=0) == 9).mean() == pytest.approx(0.9, abs=0.02)


@pytest.mark.parametrize("n", [-5, 2.0, True, "3"])
def test_bad_sample_lengths(n: Any) -> None:
    agg = Microaggregator(min_block_size=2).fit(gaussian(5, 2))
    with pytest.raises(ValueError, match="n must be an integer from 0 to"):
        agg.sample(n)


def test_sampling_needs_a_fit() -> None:
    with pytest.raises(AttributeError, match="not fitted"):
        Microaggregator(min_block_size=2).sample(3)


def test_samples_of_levels_alone_keep_the_marginals() -> None:
    schema = Schema.from_domain({"a": 2, "b": 4, "c": 1})
    codes = np.random.default_rng(0).integers(0, [2, 3, 1], size=(500, 3))
    agg = Microaggregator(n_blocks=40, schema=schema).fit(codes)
    drawn = agg.sample(20_000, random_state=3)
    assert drawn.dtype == codes.dtype
    for j, size in enumerate(schema.sizes):
        share = np.bincount(drawn[:, j], minlength=size) / 20_000
        true = np.bincount(codes[:, j], minlength=size) / 500
        assert np.allclose(share, true, atol=5 * np.sqrt(0.25 / 20_000))
        assert (share[true == 0] == 0).all()
    # Within a block attributes are independent, between blocks they are not: pairs follow the blocks.
    b = agg.block_means_
    pair = (agg.block_sizes_ * b[:, 0] * b[:, 1]).sum() / 500  # a = 1 and b = 0
    assert ((drawn[:, 0] == 1) & (drawn[:, 1] == 0)).mean() == pytest.approx(pair, abs=0.02)
    assert np.array_equal(drawn, agg.sample(20_000, random_state=3))
    assert not np.array_equal(drawn, agg.sample(20_000))
    assert agg.sample(0).shape == (0, 3)


def test_interrupt_ends_a_long_search() -> None:
    script = (
        "import numpy as np, covloss_fast as cf\n"
        "table = np.random.default_rng(0).standard_normal((30_000, 8))\n"
        "print('start', flush=True)\n"
        "cf.Microaggregator(min_block_size=1000, effort=1000).fit(table)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "start\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        started = time.monotonic()
        _, errors = process.communicate(timeout=30)
        assert "KeyboardInterrupt" in errors
        assert time.monotonic() - started < 5


# ---- the core's own door ---------------------------------------------------------------------------------


def test_core_refuses_what_python_must_not_send() -> None:
    with pytest.raises(ValueError, match="stratum 1 of record 2"):
        partition(np.zeros((4, 4)), 1, strata=np.array([0, 0, 1, 0], np.int32))
    with pytest.raises(ValueError, match="at least one coordinate"):
        partition(np.zeros((4, 0)), 1)
    codes, sizes = np.zeros((4, 2), np.uint8), np.array([2, 1], np.int32)
    for levels, message in (
        ((codes[:3], sizes, sizes, np.zeros(5)), "do not fit together"),
        ((codes, sizes[:1], sizes, np.zeros(5)), "do not fit together"),
        ((codes, sizes, sizes, np.zeros(4)), "expected 5 coordinates of levels, got 4"),
        ((codes, sizes, sizes - 1, np.zeros(5)), "must have levels and coordinates"),
        ((codes + np.uint8(1), sizes, sizes, np.zeros(5)), "code 1 of record 0 is not below .* levels, 1"),
    ):
        with pytest.raises(ValueError, match=message):
            partition(np.zeros((4, 4)), 1, levels=levels)
    with pytest.raises(ValueError, match="stratum 1 has 1 records"):
        core.univariate_partition(np.zeros(4), None, np.array([0, 0, 1, 0], np.int32), 2, 2, 1)


def test_more_records_than_memory_or_64_bits_hold_are_refused() -> None:
    fitted = Microaggregator(min_block_size=2).fit(np.arange(12.0).reshape(6, 2))
    for n in (2**40 + 1, 2**63, 10**20):
        with pytest.raises(ValueError, match="n must be an integer from 0 to"):
            fitted.sample(n)
    with pytest.raises(MemoryError, match="1,099,511,627,776 records at once need about"):
        fitted.sample(2**40)


def test_booleans_among_numbers_are_refused_without_a_schema() -> None:
    column = [3] * 10 + [True] * 10 + [4] * 10
    with pytest.raises(EncodingError, match=r"^column 'm', row 10: a value that is not a number"):
        cf.Microaggregator(10).fit({"m": column})
    assert cf.Microaggregator(10).fit({"m": [True, False] * 10}).labels_.max() == 1
