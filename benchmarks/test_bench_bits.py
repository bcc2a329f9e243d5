"""Exact counts of bits: packing, second moment, all triples, marginal error, beside numpy.

The targets, on a million records of a hundred bits: the second moment from packed bits at least 10 times
faster than the float32 product with its conversion, all 161,700 triples at least 15 times faster than masked
products. So that numpy takes seconds it counts triples of a tenth of the records; its time grows in
proportion to them, so ten times the time shown is to be compared. (Where other processes run,
OPENBLAS_NUM_THREADS=1 keeps numpy's threads from waiting for each other, and the figures for one thread are
to be compared.)
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from pytest_benchmark.fixture import BenchmarkFixture

from covloss_fast._core import bits as core
from covloss_fast._core.bits import BitMatrix
from covloss_fast.reference import bits as slow

N_BITS = 100
TRIPLES = np.array(list(itertools.combinations(range(N_BITS), 3)), dtype=np.int32)


@pytest.fixture(scope="module")
def table(correlated_bits: Callable[..., NDArray[np.uint8]], n_rows: int) -> NDArray[np.uint8]:
    """A table of correlated bits."""
    return correlated_bits(n_rows, N_BITS)


@pytest.fixture(scope="module")
def other(correlated_bits: Callable[..., NDArray[np.uint8]], n_rows: int) -> NDArray[np.uint8]:
    """A table of other records, a little shorter."""
    return correlated_bits(n_rows - n_rows // 7, N_BITS, seed=2)


@pytest.fixture(scope="module")
def packed(table: NDArray[np.uint8]) -> BitMatrix:
    """The table, packed."""
    return BitMatrix.from_array(table, 2)


# -- packing --


@pytest.mark.parametrize("n_threads", [1, 2])
@pytest.mark.benchmark(group="pack")
def test_pack(benchmark: BenchmarkFixture, table: NDArray[np.uint8], n_threads: int) -> None:
    bits = benchmark.pedantic(BitMatrix.from_array, (table, n_threads), rounds=5, warmup_rounds=1)
    np.testing.assert_array_equal(core.column_counts(bits, 1), table.sum(axis=0, dtype=np.int64))
    for j in (0, 63, N_BITS - 1):
        np.testing.assert_array_equal(bits.column(j), table[:, j])


@pytest.mark.benchmark(group="pack")
def test_pack_numpy(benchmark: BenchmarkFixture, table: NDArray[np.uint8]) -> None:
    bits = benchmark.pedantic(np.packbits, (table,), {"axis": 0}, rounds=3, warmup_rounds=1)
    np.testing.assert_array_equal(np.unpackbits(bits[:, 63], count=len(table)), table[:, 63])


# -- second moment --


@pytest.mark.parametrize("n_threads", [1, 2])
@pytest.mark.benchmark(group="second moment")
def test_second_moment(
    benchmark: BenchmarkFixture, table: NDArray[np.uint8], packed: BitMatrix, n_threads: int
) -> None:
    moment = benchmark.pedantic(core.second_moment, (packed, n_threads), rounds=20, warmup_rounds=2)
    np.testing.assert_array_equal(moment, slow.second_moment(table))


@pytest.mark.benchmark(group="second moment")
def test_second_moment_numpy(benchmark: BenchmarkFixture, table: NDArray[np.uint8]) -> None:
    """One product, conversion to float32 included: exact below 2^24 records."""

    def product() -> NDArray[np.float32]:
        rows = table.astype(np.float32)
        return rows.T @ rows

    moment = benchmark.pedantic(product, rounds=5, warmup_rounds=1)
    some = table[:, [3, 70]].all(axis=1).sum()
    assert moment[3, 70] == some == moment[70, 3]


@pytest.mark.benchmark(group="second moment")
def test_second_moment_numpy_by_blocks(benchmark: BenchmarkFixture, table: NDArray[np.uint8]) -> None:
    """Products of blocks of rows that stay in cache, exact for any number of records."""
    moment = benchmark.pedantic(slow.second_moment, (table,), rounds=5, warmup_rounds=1)
    assert moment[3, 70] == table[:, [3, 70]].all(axis=1).sum()


# -- all triples --


@pytest.fixture(scope="module")
def tenth(table: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A tenth of the records."""
    return np.ascontiguousarray(table[::10])


def masked_products(table: NDArray[np.uint8], rows_of_block: int = 2**24) -> NDArray[np.int64]:
    """Records in which all bits of a triple are set, in the order of `TRIPLES`: a product for each first bit.

    Of the records that have the first bit, the second moment of all bits.
    """
    moments = np.zeros((N_BITS, N_BITS, N_BITS))
    for start in range(0, len(table), rows_of_block):
        rows = table[start : start + rows_of_block].astype(np.float32)
        for first in range(N_BITS - 2):
            chosen = rows[rows[:, first] == 1]
            moments[first] += chosen.T @ chosen
    return moments[tuple(TRIPLES.T)].astype(np.int64)


def assert_triples(table: NDArray[np.uint8], counts: NDArray[np.int64]) -> None:
    some = np.arange(0, len(TRIPLES), 4_001)
    np.testing.assert_array_equal(counts[some], slow.marginal_counts(table, TRIPLES[some]))


@pytest.mark.parametrize("n_threads", [1, 2])
@pytest.mark.benchmark(group="all triples of bits")
def test_triples(
    benchmark: BenchmarkFixture, table: NDArray[np.uint8], packed: BitMatrix, n_threads: int
) -> None:
    counts = benchmark.pedantic(core.marginal_counts, (packed, TRIPLES, n_threads), rounds=3, warmup_rounds=1)
    assert_triples(table, counts)


@pytest.mark.parametrize("rows_of_block", [2**24, 2**11], ids=["whole", "blocks in cache"])
@pytest.mark.benchmark(group="all triples of bits")
def test_triples_numpy_on_a_tenth(
    benchmark: BenchmarkFixture, tenth: NDArray[np.uint8], rows_of_block: int
) -> None:
    counts = benchmark.pedantic(masked_products, (tenth, rows_of_block), rounds=2)
    assert_triples(tenth, counts)


# -- marginal error of two tables --


@pytest.mark.parametrize("n_threads", [1, 2])
@pytest.mark.benchmark(group="marginal error, degree 3")
def test_marginal_error(
    benchmark: BenchmarkFixture,
    table: NDArray[np.uint8],
    other: NDArray[np.uint8],
    packed: BitMatrix,
    n_threads: int,
) -> None:
    groups = np.arange(N_BITS, dtype=np.int32)
    second = BitMatrix.from_array(other, 2)
    squares, largest, n_sets = benchmark.pedantic(
        core.marginal_error, (packed, second, groups, 3, n_threads), rounds=3, warmup_rounds=1
    )
    difference = core.marginal_counts(packed, TRIPLES, 2) / len(table)
    difference -= core.marginal_counts(second, TRIPLES, 2) / len(other)
    assert n_sets == len(TRIPLES)
    assert squares == pytest.approx((difference**2).sum(), rel=1e-12)
    assert largest == pytest.approx(np.abs(difference).max(), rel=1e-12)


@pytest.mark.benchmark(group="marginal error, degree 3")
def test_marginal_error_numpy_on_a_tenth(
    benchmark: BenchmarkFixture, tenth: NDArray[np.uint8], other: NDArray[np.uint8]
) -> None:
    second = other[: len(tenth)]

    def error() -> tuple[float, float, int]:
        difference = masked_products(tenth) / len(tenth) - masked_products(second) / len(second)
        return float((difference**2).sum()), float(np.abs(difference).max()), len(TRIPLES)

    found = benchmark.pedantic(error, rounds=1)
    groups = np.arange(N_BITS, dtype=np.int32)
    bits = [BitMatrix.from_array(rows, 2) for rows in (tenth, second)]
    assert found == pytest.approx(core.marginal_error(*bits, groups, 3, 2), rel=1e-12)
