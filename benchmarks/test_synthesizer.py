"""The whole private half: a million records of a hundred bits, beside the same statistics in plain numpy.

So that numpy takes seconds it has the first tenth of the records; its time grows in proportion to them, so
ten times the time shown is to be compared.
"""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from pytest_benchmark.fixture import BenchmarkFixture

import covloss_fast as cf
from covloss_fast._core.bits import BitMatrix
from covloss_fast.records.partition import NearestPoint
from covloss_fast.records.statistics import BlockStatistics, Moments
from covloss_fast.reference import bits as slow_bits
from covloss_fast.reference import partition as slow_partition

N_BITS = 100
N_BLOCKS, N_COMPONENTS = 128, 16


@pytest.fixture(scope="module")
def table(n_rows: int, correlated_bits: Callable[..., NDArray[np.uint8]]) -> NDArray[np.uint8]:
    return correlated_bits(n_rows, N_BITS)


@pytest.fixture(scope="module")
def schema() -> cf.Schema:
    return cf.Schema.from_domain({f"b{j}": 2 for j in range(N_BITS)})


def fitted(schema: cf.Schema, table: NDArray[np.uint8]) -> cf.CovLossSynthesizer:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.NotPrivateWarning)
        return cf.CovLossSynthesizer(schema, epsilon=1.0, delta=1e-9, random_state=1).fit(table)


@pytest.mark.benchmark(group="fit")
def test_fit(benchmark: BenchmarkFixture, schema: cf.Schema, table: NDArray[np.uint8]) -> None:
    synth = benchmark.pedantic(fitted, (schema, table), rounds=3)
    error = cf.marginal_error(table, synth.sample(), 2)
    means = table.mean(axis=0)
    moment = slow_bits.second_moment(table) / len(table)
    upper = np.triu_indices(N_BITS, 1)
    independent = np.sqrt(np.mean((moment - np.outer(means, means))[upper] ** 2))
    # A small table at epsilon 1 has room for few blocks.
    assert error.rms < (0.5 if len(table) >= 1_000_000 else 1.2) * independent


@pytest.mark.benchmark(group="sample")
def test_sample_as_many(
    benchmark: BenchmarkFixture, schema: cf.Schema, table: NDArray[np.uint8], n_rows: int
) -> None:
    synth = fitted(schema, table)
    out = benchmark.pedantic(lambda: synth.sample(n_rows, random_state=1), rounds=3)
    assert out.shape == table.shape
    assert np.abs(out.mean(axis=0) - synth.sample().mean(axis=0)).max() < 0.02


@pytest.fixture(scope="module")
def geometry() -> NearestPoint:
    generator = np.random.default_rng(0)
    return NearestPoint.from_real(
        generator.normal(size=(N_BITS, N_COMPONENTS)),
        -generator.normal(size=N_COMPONENTS),
        generator.normal(size=(N_BLOCKS, N_COMPONENTS)) * 4,
    )


def statistics(table: NDArray[np.uint8], partition: NearestPoint) -> tuple[Moments, BlockStatistics]:
    bits = BitMatrix.from_array(table, 2)
    labels = partition.labels(bits, 2)
    layout = cf.Schema.from_domain({f"b{j}": 2 for j in range(N_BITS)}).layout
    moments = Moments.from_records(bits, (None,) * N_BITS, layout, 2)
    return moments, BlockStatistics.from_labels(bits, labels, N_BLOCKS, 2)


def plain_statistics(
    table: NDArray[np.uint8], partition: NearestPoint
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    sums = np.zeros((N_BLOCKS, N_BITS), dtype=np.int64)
    for start in range(0, len(table), 20_000):
        part = table[start : start + 20_000]
        coordinates = slow_partition.project(part, partition.directions, partition.offset)
        labels = slow_partition.nearest_point(coordinates, partition.points)
        sums += slow_partition.block_statistics(part, labels, N_BLOCKS)[1]
    return slow_bits.second_moment(table), sums


@pytest.mark.benchmark(group="statistics of one step, packing included")
def test_statistics(benchmark: BenchmarkFixture, table: NDArray[np.uint8], geometry: NearestPoint) -> None:
    moments, blocks = benchmark.pedantic(statistics, (table, geometry), rounds=3)
    assert blocks.counts.sum() == moments.n == len(table)
    np.testing.assert_array_equal(blocks.sums.sum(axis=0), np.diagonal(moments.counts))


@pytest.mark.benchmark(group="statistics of one step, packing included")
def test_statistics_numpy_on_a_tenth(
    benchmark: BenchmarkFixture, table: NDArray[np.uint8], geometry: NearestPoint
) -> None:
    part = table[: len(table) // 10]
    moment, sums = benchmark.pedantic(plain_statistics, (part, geometry), rounds=1)
    moments, blocks = statistics(part, geometry)
    np.testing.assert_array_equal(moments.counts, moment)
    np.testing.assert_array_equal(blocks.sums, sums)


def test_memory_of_fit_is_below_half_a_byte_for_each_cell(n_rows: int, is_quick: bool) -> None:
    """Peak resident memory of `fit` beyond the table and the interpreter, in a process of its own."""
    if is_quick:
        pytest.skip("a small table says nothing about memory")
    command = [
        sys.executable,
        str(Path(__file__).with_name("sweep.py")),
        "-",
        "--job",
        f"{n_rows}x{N_BITS}x2",
    ]
    out = subprocess.run(command, capture_output=True, text=True, check=True)
    cell = json.loads(out.stdout)["peak_bytes"] / (n_rows * N_BITS)
    print(f"peak memory beyond the table: {cell:.2f} bytes a cell")
    assert cell < 0.5
