"""Fitting rows to counts: sweeps of both engines, beside the plain twin.

The twin counts the whole table again after each move, so it fits a few hundred rows; its time is no measure
of the method. Times of the compiled fits are for 5 Gibbs sweeps and 3 greedy ones, the defaults, on shards.
The cost of a sweep is in proportion to rows x attributes^2 for bits, to rows x attributes x levels otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from pytest_benchmark.fixture import BenchmarkFixture

from covloss_fast._core import restoration as core
from covloss_fast._core.bits import BitMatrix
from covloss_fast.reference import restoration as reference
from covloss_fast.released.restoration import default_beta, default_shards

KEY = bytes(range(32))
N_BITS = 64
SWEEPS = (5, 3)


def shuffled_columns(table: NDArray[np.integer]) -> NDArray[np.integer]:
    """Columns of the same counts, independent."""
    return np.random.default_rng(1).permuted(table, axis=1)


def bit_targets(codes: NDArray[np.uint8]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sums of products of z = 2 x - 1, and of z."""
    z = codes.astype(np.float32) * 2 - 1
    return (z @ z.T).astype(np.float64), z.sum(axis=1, dtype=np.float64)


def level_targets(
    codes: NDArray[np.uint16], sizes: list[int]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Counts of pairs of levels, and of levels."""
    hot = np.vstack([row == np.arange(size)[:, None] for row, size in zip(codes, sizes)]).astype(np.float32)
    return (hot @ hot.T).astype(np.float64), hot.sum(axis=1, dtype=np.float64)


def packed(codes: NDArray[np.uint8]) -> BitMatrix:
    return BitMatrix.from_codes(list(codes), [2] * len(codes), 2)


@pytest.fixture(scope="module")
def bits(correlated_bits: Callable[..., NDArray[np.uint8]], n_rows: int) -> NDArray[np.uint8]:
    """A tenth of the rows of the other benchmarks, attributes first."""
    return np.ascontiguousarray(correlated_bits(n_rows // 10, N_BITS).T)


# -- tables of bits --


@pytest.mark.parametrize("n_threads", [1, 2])
@pytest.mark.benchmark(group="fit-rows-binary")
def test_fit_bits(benchmark: BenchmarkFixture, bits: NDArray[np.uint8], n_threads: int) -> None:
    pairs, singles = bit_targets(bits)
    m = bits.shape[1]
    shards = max(2, default_shards(m))
    options = (1.0, None, np.zeros((0, N_BITS)), 1.0, None, *SWEEPS, default_beta(m, shards) / 4, KEY, shards)
    start = packed(shuffled_columns(bits))

    def fit() -> tuple[BitMatrix, NDArray[np.float64]]:
        rows = BitMatrix.concatenate([start], n_threads)
        return rows, core.fit_rows_binary(rows, pairs, singles, *options, n_threads)

    rows, history = benchmark.pedantic(fit, rounds=2)
    fitted = rows.columns(0, m)
    off = ~np.eye(N_BITS, dtype=bool)
    found = np.sqrt(np.mean((bit_targets(fitted)[0] - pairs)[off] ** 2))
    assert found == pytest.approx(history[-1, 0])
    assert found < 10 < history[0, 0] / 10


@pytest.mark.benchmark(group="fit-rows-binary")
def test_fit_bits_twin(benchmark: BenchmarkFixture, bits: NDArray[np.uint8]) -> None:
    few = np.ascontiguousarray(bits[:8, :300])
    pairs, singles = bit_targets(few)
    arguments = (
        shuffled_columns(few),
        pairs,
        singles,
        1.0,
        None,
        np.zeros((0, 8)),
        1.0,
        None,
        2,
        1,
        0.02,
        KEY,
        2,
    )
    expected, _ = benchmark.pedantic(reference.fit_rows_binary, arguments, rounds=1)
    fitted = packed(arguments[0])
    core.fit_rows_binary(fitted, *arguments[1:], 1)
    np.testing.assert_array_equal(fitted.columns(0, 300), expected)


# -- tables of levels --


def fit_levels(
    benchmark: BenchmarkFixture, codes: NDArray[np.uint16], sizes: list[int], n_threads: int
) -> None:
    pairs, singles = level_targets(codes, sizes)
    (q, m), n_levels = codes.shape, sum(sizes)
    weights = (np.ones((q, q)), np.ones(q), None, np.zeros((0, n_levels)), 1.0, None)
    options = (*SWEEPS, default_beta(m, 2), KEY, 2, False, n_threads)
    fitted, history, _ = benchmark.pedantic(
        core.fit_rows_categorical,
        (shuffled_columns(codes), sizes, pairs, singles, *weights, *options),
        rounds=3,
    )
    attribute = np.repeat(np.arange(q), sizes)
    off = attribute[:, None] != attribute
    found = np.sqrt(np.mean((level_targets(fitted, sizes)[0] - pairs)[off] ** 2))
    assert found == pytest.approx(history[-1, 0])
    assert found < 2
    assert found < history[0, 0] / 5


@pytest.mark.parametrize("n_threads", [1, 2])
@pytest.mark.benchmark(group="fit-rows-categorical")
def test_fit_levels(benchmark: BenchmarkFixture, n_rows: int, n_threads: int) -> None:
    """14 attributes with 158 levels."""
    sizes = [16, 9, 16, 16, 7, 15, 6, 5, 2, 16, 16, 16, 16, 2]
    generator = np.random.default_rng(0)
    hidden = generator.random(max(n_rows // 30, 5000))
    columns = [np.floor(((hidden + generator.normal(0, 0.3, len(hidden))) % 1) ** 2 * s) for s in sizes]
    fit_levels(benchmark, np.array(columns).astype(np.uint16), sizes, n_threads)


@pytest.mark.parametrize("n_levels", [16, 60])
@pytest.mark.benchmark(group="fit-rows-categorical")
def test_fit_adult(benchmark: BenchmarkFixture, real_tables: Path, is_quick: bool, n_levels: int) -> None:
    """Adult, neighbouring codes merged to at most so many levels of an attribute."""
    table = np.genfromtxt(real_tables / "adult_coded.csv.gz", delimiter=",", skip_header=1, dtype=np.int64).T
    codes, sizes = [], []
    for column in table[:, : 5000 if is_quick else None]:
        levels, ranks = np.unique(column, return_inverse=True)
        sizes.append(min(len(levels), n_levels))
        codes.append(ranks * sizes[-1] // len(levels))
    fit_levels(benchmark, np.array(codes).astype(np.uint16), sizes, 1)


@pytest.mark.benchmark(group="fit-rows-categorical")
def test_fit_levels_twin(benchmark: BenchmarkFixture) -> None:
    sizes = [3, 9, 2]
    generator = np.random.default_rng(0)
    codes = np.array([generator.integers(0, s, 200) for s in sizes]).astype(np.uint16)
    codes[0] = codes[1] % 3
    arguments = (
        *(shuffled_columns(codes), sizes, *level_targets(codes, sizes), np.ones((3, 3)), np.ones(3)),
        *(None, np.zeros((0, 14)), 1.0, None, 2, 1, 0.1, KEY, 2),
    )
    expected, _, mean = benchmark.pedantic(reference.fit_rows_categorical, arguments, rounds=1)
    fitted, _, compiled_mean = core.fit_rows_categorical(*arguments, True, 1)
    np.testing.assert_array_equal(fitted, expected)
    np.testing.assert_allclose(compiled_mean, mean)
