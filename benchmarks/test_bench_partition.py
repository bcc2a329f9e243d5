"""Blocks of records: nearest points, block statistics, covariance loss, beside numpy, scikit-learn and faiss.

Tables have 200,000 rows; ``COVLOSS_BENCH_FULL=1`` takes a million.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import covloss_fast as cf
from covloss_fast._core import partition as core
from covloss_fast._core.bits import BitMatrix
from covloss_fast.reference import partition as slow

P = 100
GEOMETRIES = [(16, 64), (16, 128), (8, 1024)]  # t, n_blocks


@pytest.fixture(scope="module")
def n_records(is_quick: bool) -> int:
    """Rows of the table."""
    if is_quick:
        return 5_003
    return 1_000_000 if os.environ.get("COVLOSS_BENCH_FULL") == "1" else 200_000


@pytest.fixture(scope="module")
def table(correlated_bits: Callable[..., NDArray[np.uint8]], n_records: int) -> NDArray[np.uint8]:
    """A table of correlated bits."""
    return correlated_bits(n_records, P)


@pytest.fixture(scope="module")
def bits(table: NDArray[np.uint8]) -> BitMatrix:
    """The same, packed."""
    return BitMatrix.from_array(table, 1)


def nearest_points(table: NDArray[np.uint8], t: int, n_blocks: int, distance_bits: int) -> Any:
    """Partition by the top eigenvectors and random points of the spread of the records."""
    sample = table[:5_000].astype(np.float64)
    centre = sample.mean(axis=0)
    values, vectors = core.symmetric_eigen(np.cov(sample.T))
    directions = np.ascontiguousarray(vectors[:, :t])
    points = np.random.default_rng(0).normal(size=(n_blocks, t)) * np.sqrt(values[:t])
    return cf.partition.NearestPoint.from_real(directions, -centre @ directions, points, distance_bits)


def assert_nearest(table: NDArray[np.uint8], partition: Any, labels: NDArray[Any], agreement: float) -> None:
    """Compare a sample with exact integers; floats may decide a few ties otherwise."""
    some = np.linspace(0, len(table) - 1, 500).astype(int)
    expected = slow.assign_nearest(table[some], partition.directions, partition.offset, partition.points)
    assert np.mean(labels[some] == expected) >= agreement


@pytest.mark.parametrize("n_threads", [1, 2])
@pytest.mark.parametrize("distance_bits", [31, 63])
@pytest.mark.parametrize(("t", "n_blocks"), GEOMETRIES)
def test_nearest(
    benchmark: Any,
    table: NDArray[np.uint8],
    bits: BitMatrix,
    t: int,
    n_blocks: int,
    distance_bits: int,
    n_threads: int,
) -> None:
    benchmark.group = f"project and assign, t={t}, n_blocks={n_blocks}"
    partition = nearest_points(table, t, n_blocks, distance_bits)
    labels = benchmark.pedantic(partition.labels, (bits, n_threads), rounds=5, warmup_rounds=1)
    assert_nearest(table, partition, labels, 1.0)


@pytest.mark.parametrize(("t", "n_blocks"), GEOMETRIES)
def test_nearest_numpy(benchmark: Any, table: NDArray[np.uint8], t: int, n_blocks: int) -> None:
    benchmark.group = f"project and assign, t={t}, n_blocks={n_blocks}"
    partition = nearest_points(table, t, n_blocks, 31)
    directions = partition.directions.astype(np.float32)
    points = partition.points.astype(np.float32)
    norms = (points**2).sum(axis=1)

    def assign() -> NDArray[np.intp]:
        out = np.empty(len(table), dtype=np.intp)
        for i in range(0, len(table), 16_384):
            coordinates = table[i : i + 16_384].astype(np.float32) @ directions + partition.offset
            out[i : i + 16_384] = (norms - 2 * coordinates.astype(np.float32) @ points.T).argmin(axis=1)
        return out

    labels = benchmark.pedantic(assign, rounds=1, warmup_rounds=0)
    assert_nearest(table, partition, labels, 0.95)


@pytest.mark.parametrize(("t", "n_blocks"), GEOMETRIES)
def test_nearest_sklearn(benchmark: Any, table: NDArray[np.uint8], t: int, n_blocks: int) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    benchmark.group = f"project and assign, t={t}, n_blocks={n_blocks}"
    partition = nearest_points(table, t, n_blocks, 31)
    directions = partition.directions.astype(np.float32)
    points = partition.points.astype(np.float32)

    def assign() -> Any:
        coordinates = table.astype(np.float32) @ directions + partition.offset.astype(np.float32)
        return metrics.pairwise_distances_argmin(coordinates, points)

    labels = benchmark.pedantic(assign, rounds=1, warmup_rounds=0)
    assert_nearest(table, partition, labels, 0.95)


@pytest.mark.parametrize(("t", "n_blocks"), GEOMETRIES)
def test_nearest_faiss(benchmark: Any, table: NDArray[np.uint8], t: int, n_blocks: int) -> None:
    faiss = pytest.importorskip("faiss")
    benchmark.group = f"project and assign, t={t}, n_blocks={n_blocks}"
    partition = nearest_points(table, t, n_blocks, 31)
    directions = partition.directions.astype(np.float32)
    index = faiss.IndexFlatL2(t)
    index.add(partition.points.astype(np.float32))

    def assign() -> Any:
        coordinates = table.astype(np.float32) @ directions + partition.offset.astype(np.float32)
        return index.search(coordinates, 1)[1][:, 0]

    labels = benchmark.pedantic(assign, rounds=3, warmup_rounds=1)
    assert_nearest(table, partition, labels, 0.95)


# ---- The same coordinates for all: no projection


def of_coordinates(
    benchmark: Any, table: NDArray[np.uint8], bits: BitMatrix
) -> tuple[Any, NDArray[np.int64]]:
    """1,024 points in 8 dimensions, and the integer coordinates of the records."""
    benchmark.group = "given coordinates, t=8, n_blocks=1024"
    partition = nearest_points(table, 8, 1024, 31)
    return partition, core.project(bits, partition.directions, partition.offset, 1)


@pytest.mark.parametrize("n_threads", [1, 2])
def test_nearest_of_coordinates(
    benchmark: Any, table: NDArray[np.uint8], bits: BitMatrix, n_threads: int
) -> None:
    partition, coordinates = of_coordinates(benchmark, table, bits)
    labels = benchmark.pedantic(
        core.nearest_point, (coordinates, partition.points, n_threads), rounds=5, warmup_rounds=1
    )
    assert_nearest(table, partition, labels, 1.0)


@pytest.mark.parametrize("n_threads", [1, 2])
def test_nearest_of_coordinates_faiss(
    benchmark: Any, table: NDArray[np.uint8], bits: BitMatrix, n_threads: int
) -> None:
    faiss = pytest.importorskip("faiss")
    partition, coordinates = of_coordinates(benchmark, table, bits)
    rows = coordinates.astype(np.float32)
    index = faiss.IndexFlatL2(8)
    index.add(partition.points.astype(np.float32))
    faiss.omp_set_num_threads(n_threads)
    labels = benchmark.pedantic(lambda: index.search(rows, 1)[1][:, 0], rounds=5, warmup_rounds=1)
    assert_nearest(table, partition, labels, 0.95)


@pytest.mark.parametrize("n_threads", [1, 2])
def test_lattice_of_coordinates(
    benchmark: Any, table: NDArray[np.uint8], bits: BitMatrix, n_threads: int
) -> None:
    _, coordinates = of_coordinates(benchmark, table, bits)
    spacing = int(coordinates.max())
    labels = benchmark.pedantic(
        core.lattice_cells_of, (coordinates, spacing, 2, n_threads), rounds=5, warmup_rounds=1
    )
    np.testing.assert_array_equal(labels, slow.lattice_cells_of(coordinates, spacing, 2))


@pytest.fixture(scope="module")
def block_labels(n_records: int) -> dict[int, NDArray[np.int32]]:
    """Labels of 64 and of 1,024 blocks, none of them empty."""
    row = np.arange(n_records)
    return {k: np.random.default_rng(k).permutation(row % k).astype(np.int32) for k in (64, 1024)}


def assert_sums(table: NDArray[np.uint8], labels: NDArray[np.int32], sums: NDArray[Any]) -> None:
    np.testing.assert_array_equal(sums.sum(axis=0), table.sum(axis=0, dtype=np.int64))
    np.testing.assert_array_equal(sums[7], table[labels == 7].sum(axis=0, dtype=np.int64))


@pytest.mark.parametrize("n_threads", [1, 2])
@pytest.mark.parametrize("n_blocks", [64, 1024])
def test_block_statistics(
    benchmark: Any,
    table: NDArray[np.uint8],
    bits: BitMatrix,
    block_labels: dict[int, NDArray[np.int32]],
    n_blocks: int,
    n_threads: int,
) -> None:
    benchmark.group = f"sums of {n_blocks} blocks"
    labels = block_labels[n_blocks]
    counts, sums = benchmark.pedantic(
        core.block_statistics, (bits, labels, n_blocks, n_threads), rounds=5, warmup_rounds=1
    )
    np.testing.assert_array_equal(counts, np.bincount(labels, minlength=n_blocks))
    assert_sums(table, labels, sums)


@pytest.mark.parametrize("n_blocks", [64, 1024])
def test_block_statistics_sorted_numpy(
    benchmark: Any, table: NDArray[np.uint8], block_labels: dict[int, NDArray[np.int32]], n_blocks: int
) -> None:
    """Rows sorted by block, then summed: the fastest that numpy alone can do."""
    benchmark.group = f"sums of {n_blocks} blocks"
    labels = block_labels[n_blocks]

    def add() -> NDArray[np.int64]:
        order = np.argsort(labels, kind="stable")
        starts = np.searchsorted(labels[order], np.arange(n_blocks))
        return np.add.reduceat(table[order], starts, axis=0, dtype=np.int64)

    assert_sums(table, labels, benchmark.pedantic(add, rounds=1, warmup_rounds=0))


@pytest.mark.parametrize("n_blocks", [64, 1024])
def test_block_statistics_one_hot_numpy(
    benchmark: Any, table: NDArray[np.uint8], block_labels: dict[int, NDArray[np.int32]], n_blocks: int
) -> None:
    """A one-hot matrix of the labels times the rows, by chunks."""
    benchmark.group = f"sums of {n_blocks} blocks"
    labels = block_labels[n_blocks]

    def add() -> NDArray[np.float64]:
        sums = np.zeros((n_blocks, P))
        for i in range(0, len(table), 16_384):
            here = labels[i : i + 16_384]
            one_hot = np.zeros((len(here), n_blocks), dtype=np.float32)
            one_hot[np.arange(len(here)), here] = 1
            sums += one_hot.T @ table[i : i + 16_384].astype(np.float32)
        return sums

    assert_sums(table, labels, benchmark.pedantic(add, rounds=1, warmup_rounds=0))


@pytest.mark.benchmark(group="equipartition")
def test_equipartition(benchmark: Any, block_labels: dict[int, NDArray[np.int32]]) -> None:
    blocks = benchmark.pedantic(cf.equipartition, (block_labels[1024], 1000), rounds=5, warmup_rounds=1)
    sizes = np.bincount(blocks, minlength=1000)
    assert sizes.max() - sizes.min() <= 1


@pytest.mark.benchmark(group="equipartition")
def test_equipartition_numpy(benchmark: Any, block_labels: dict[int, NDArray[np.int32]]) -> None:
    blocks = benchmark.pedantic(slow.equipartition, (block_labels[1024], 1000), rounds=3, warmup_rounds=1)
    np.testing.assert_array_equal(blocks, cf.equipartition(block_labels[1024], 1000))


@pytest.mark.parametrize("dtype", ["u1", "f8"])
@pytest.mark.benchmark(group="covariance loss")
def test_covariance_loss(
    benchmark: Any, table: NDArray[np.uint8], block_labels: dict[int, NDArray[np.int32]], dtype: str
) -> None:
    rows, labels = table.astype(dtype), block_labels[64]
    got = benchmark.pedantic(cf.covariance_loss, (rows, labels), rounds=3, warmup_rounds=1)
    assert got.frobenius == pytest.approx(cf.covariance_loss(table, labels).frobenius)


@pytest.mark.benchmark(group="covariance loss")
def test_covariance_loss_numpy(
    benchmark: Any, table: NDArray[np.uint8], block_labels: dict[int, NDArray[np.int32]]
) -> None:
    labels = block_labels[64]
    lost = benchmark.pedantic(slow.covariance_loss_matrix, (table, labels), rounds=1, warmup_rounds=0)
    assert np.linalg.norm(lost) == pytest.approx(cf.covariance_loss(table, labels).frobenius)
