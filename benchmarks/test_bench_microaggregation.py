"""Microaggregation: the loss that is reached, the time it takes, and how time grows with the table.

COVLOSS_BENCH_FULL=1 adds a million rows.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

import covloss_fast as cf
from covloss_fast._core import microaggregation as core
from covloss_fast.reference import microaggregation as reference

FULL = os.environ.get("COVLOSS_BENCH_FULL") == "1"
SIZES = [10_000, 100_000] + ([1_000_000] if FULL else [])


def gaussian(n: int, p: int = 10) -> NDArray[np.float64]:
    return np.random.default_rng(0).standard_normal((n, p))


def relative_loss(table: NDArray[np.float64], labels: NDArray[np.int32]) -> float:
    """SSE / SST of standardised columns, by sums over blocks."""
    rows = reference.standardise(table)
    sizes = np.bincount(labels)
    means = np.stack([np.bincount(labels, weights=column) / sizes for column in rows.T], axis=1)
    return float(((rows - means[labels]) ** 2).sum() / (rows**2).sum())


@pytest.mark.parametrize("size", [3, 5, 10])
@pytest.mark.parametrize("name", ["tarragona", "census"])
@pytest.mark.benchmark(group="tables of the field")
def test_tables_of_the_field(benchmark: Any, real_tables: Path, name: str, size: int) -> None:
    table = pd.read_csv(real_tables / f"{name}.csv.gz").to_numpy(dtype=float)
    agg = benchmark.pedantic(cf.Microaggregator(min_block_size=size).fit, (table,), rounds=3)
    mdav = reference.relative_scatter(
        reference.standardise(table), reference.mdav(reference.standardise(table), size)
    )
    loss = relative_loss(table, agg.labels_)
    benchmark.extra_info.update(loss_percent=round(100 * loss, 3), mdav_percent=round(100 * mdav, 3))
    assert loss < mdav


@pytest.mark.parametrize("name", ["tarragona", "census"])
@pytest.mark.benchmark(group="tables of the field")
def test_tables_of_the_field_numpy_mdav(benchmark: Any, real_tables: Path, name: str) -> None:
    rows = reference.standardise(pd.read_csv(real_tables / f"{name}.csv.gz").to_numpy(dtype=float))
    labels = benchmark.pedantic(reference.mdav, (rows, 3), rounds=3)
    assert 0.05 < reference.relative_scatter(rows, labels) < 0.17


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.benchmark(group="blocks of at least 5")
def test_gaussian_table(benchmark: Any, is_quick: bool, n: int) -> None:
    table = gaussian(5_003 if is_quick else n)
    agg = benchmark.pedantic(cf.Microaggregator(min_block_size=5).fit, (table,), rounds=1)
    loss = relative_loss(table, agg.labels_)
    benchmark.extra_info["loss_percent"] = round(100 * loss, 3)
    assert agg.block_sizes_.min() >= 5
    assert loss == pytest.approx(agg.certificate_.relative_trace_loss, rel=1e-9)
    if not is_quick:
        assert loss < {10_000: 0.185, 100_000: 0.126, 1_000_000: 0.085}[n]


@pytest.mark.benchmark(group="blocks of at least 5")
def test_gaussian_table_numpy_mdav(benchmark: Any, is_quick: bool) -> None:
    # Quadratic: a hundred times the time at 100,000 rows, ten thousand times at a million.
    rows = reference.standardise(gaussian(1_003 if is_quick else 10_000))
    labels = benchmark.pedantic(reference.mdav, (rows, 5), rounds=1)
    sizes = np.bincount(labels)
    assert sizes.min() >= 5
    benchmark.extra_info["loss_percent"] = round(100 * relative_loss(rows, labels), 3)


def test_time_grows_with_the_table(is_quick: bool) -> None:
    """Fits the exponent of CPU time in the number of rows."""
    sizes = [2_000, 8_000] if is_quick else SIZES
    seconds = []
    for n in sizes:
        table = gaussian(n)
        start = time.process_time()
        cf.Microaggregator(min_block_size=5, n_threads=1).fit(table)
        seconds.append(time.process_time() - start)
    exponent = np.polyfit(np.log(sizes), np.log(seconds), 1)[0]
    print(f"\nCPU seconds {dict(zip(sizes, np.round(seconds, 2)))}, exponent {exponent:.2f}")
    assert math.isfinite(exponent)
    if not is_quick:
        assert exponent <= 1.15


@pytest.mark.benchmark(group="exactly 1,000 blocks")
def test_blocks_by_number(
    benchmark: Any, correlated_bits: Callable[..., NDArray[np.uint8]], n_rows: int, is_quick: bool
) -> None:
    bits = correlated_bits(n_rows, 100)
    n_blocks = 100 if is_quick else 1000
    agg = benchmark.pedantic(cf.Microaggregator(n_blocks=n_blocks).fit, (bits,), rounds=3, warmup_rounds=1)
    assert len(agg.block_sizes_) == n_blocks
    assert agg.block_sizes_.max() - agg.block_sizes_.min() <= 1
    assert agg.certificate_.covariance_loss < 0.6 * agg.certificate_.total_covariance


@pytest.mark.benchmark(group="exactly 1,000 blocks")
def test_blocks_by_number_numpy(
    benchmark: Any, correlated_bits: Callable[..., NDArray[np.uint8]], n_rows: int, is_quick: bool
) -> None:
    bits = correlated_bits(n_rows, 100)
    n_blocks = 100 if is_quick else 1000

    def sort_along_the_first_eigenvector() -> NDArray[np.int64]:
        rows = bits.astype(np.float32)
        rows -= rows.mean(axis=0)
        vectors = np.linalg.eigh(rows.T @ rows)[1]
        blocks = np.empty(len(rows), dtype=np.int64)
        blocks[np.argsort(rows @ vectors[:, -1], kind="stable")] = (
            np.arange(len(rows)) * n_blocks // len(rows)
        )
        return blocks

    blocks = benchmark.pedantic(sort_along_the_first_eigenvector, rounds=1)
    assert np.ptp(np.bincount(blocks)) <= 1


def linkage(n_rows: int) -> tuple[NDArray[np.float64], ...]:
    """Records near released rows, as records are: queries, own rows, limits, rows."""
    rng = np.random.default_rng(0)
    rows = np.zeros((n_rows, 12))
    rows[:, :10] = rng.standard_normal((n_rows, 10))
    own = rng.integers(0, n_rows, 1_000).astype(np.int32)
    queries = rows[own]
    queries[:, :10] += 0.3 * rng.standard_normal((1_000, 10))
    return queries, own, ((queries - rows[own]) ** 2).sum(axis=1), rows


@pytest.mark.benchmark(group="nearest released row of 1,000 records")
def test_nearest_rows(benchmark: Any, is_quick: bool) -> None:
    queries, own, limits, rows = linkage(2_000 if is_quick else 200_000)
    found, _ = benchmark.pedantic(core.nearest_other, (queries, own, limits, rows, 2), rounds=3)
    some = slice(0, 20)
    expected, _ = reference.nearest_other(queries[some], own[some], limits[some], rows)
    assert np.array_equal(found[some], expected)


@pytest.mark.benchmark(group="nearest released row of 1,000 records")
def test_nearest_rows_numpy(benchmark: Any, is_quick: bool) -> None:
    queries, own, limits, rows = linkage(2_000 if is_quick else 200_000)

    def compare_all() -> NDArray[np.intp]:
        nearest = np.empty(len(queries), dtype=np.intp)
        squares = (rows**2).sum(axis=1)
        for start in range(0, len(queries), 100):
            part = queries[start : start + 100]
            distances = squares - 2 * (part @ rows.T)
            distances[np.arange(len(part)), own[start : start + 100]] = np.inf
            nearest[start : start + 100] = distances.argmin(axis=1)
        return nearest

    nearest = benchmark.pedantic(compare_all, rounds=1)
    assert (nearest != own).all()
    assert len(limits) == len(nearest)
