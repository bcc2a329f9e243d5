"""A million noise cells, beside OpenDP's exact samplers.

The target: a million cells under half a second on two cores, 0.2 microseconds a draw and thread.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from pytest_benchmark.fixture import BenchmarkFixture

from covloss_fast._core import noise
from covloss_fast._threads import resolve_n_threads
from covloss_fast.reference import noise as reference

KEY = bytes(range(32))
SCALE = 100


@pytest.fixture(scope="session")
def n_cells(is_quick: bool) -> int:
    """Cells where only the fast samplers take part."""
    return 20_000 if is_quick else 1_000_000


@pytest.fixture(scope="session")
def n_compared(is_quick: bool) -> int:
    """Cells where the slow samplers take part."""
    return 200 if is_quick else 20_000


def check(values: NDArray[np.int64], variance: float) -> None:
    """Six standard deviations of the sample variance (kurtosis at most 6)."""
    assert abs(values.var() / variance - 1) < 6 * (5 / values.size) ** 0.5


def per_draw(benchmark: BenchmarkFixture, n: int) -> None:
    """Note microseconds a draw, where times are taken."""
    if benchmark.stats is not None:
        benchmark.extra_info["microseconds_per_draw"] = benchmark.stats.stats.min / n * 1e6


SAMPLERS = {
    "Laplace": (noise.discrete_laplace, reference.discrete_laplace, (SCALE, 1), 2 * SCALE**2),
    "Gaussian": (noise.discrete_gaussian, reference.discrete_gaussian, (SCALE**2, 1), SCALE**2),
}


@pytest.mark.parametrize("threads", [1, None], ids=["1 thread", "all threads"])
@pytest.mark.parametrize("kind", SAMPLERS)
@pytest.mark.benchmark(group="noise: a million cells")
def test_million(benchmark: BenchmarkFixture, kind: str, n_cells: int, threads: int | None) -> None:
    sampler, _, scale, variance = SAMPLERS[kind]
    values = benchmark(sampler, KEY, 0, n_cells, *scale, resolve_n_threads(threads))
    check(values, variance)
    per_draw(benchmark, n_cells)


@pytest.mark.benchmark(group="noise: a million cells")
def test_million_of_long_numerators(benchmark: BenchmarkFixture, n_cells: int) -> None:
    variance = (2**32 - 5, 2**19)
    values = benchmark(noise.discrete_gaussian, KEY, 0, n_cells, *variance, 1)
    check(values, variance[0] / variance[1])
    per_draw(benchmark, n_cells)


@pytest.mark.parametrize("kind", SAMPLERS)
@pytest.mark.benchmark(group="noise: samplers")
def test_ours(benchmark: BenchmarkFixture, kind: str, n_compared: int) -> None:
    sampler, _, scale, variance = SAMPLERS[kind]
    values = benchmark(sampler, KEY, 0, n_compared, *scale, 1)
    check(values, variance)
    per_draw(benchmark, n_compared)


@pytest.mark.parametrize("kind", SAMPLERS)
@pytest.mark.benchmark(group="noise: samplers")
def test_reference(benchmark: BenchmarkFixture, kind: str, n_compared: int) -> None:
    _, twin, scale, variance = SAMPLERS[kind]
    values = benchmark.pedantic(twin, (KEY, 0, n_compared, *scale))
    check(values, variance)
    np.testing.assert_array_equal(values, SAMPLERS[kind][0](KEY, 0, n_compared, *scale, 1))
    per_draw(benchmark, n_compared)


@pytest.mark.parametrize("kind", SAMPLERS)
@pytest.mark.benchmark(group="noise: samplers")
def test_opendp(benchmark: BenchmarkFixture, kind: str, n_compared: int) -> None:
    dp: Any = pytest.importorskip("opendp.prelude")
    dp.enable_features("contrib")
    domain = dp.vector_domain(dp.atom_domain(T=int))
    if kind == "Laplace":
        measurement = dp.m.make_laplace(domain, dp.l1_distance(T=int), scale=float(SCALE))
    else:
        measurement = dp.m.make_gaussian(domain, dp.l2_distance(T=float), scale=float(SCALE))
    values = benchmark.pedantic(measurement, ([0] * n_compared,), rounds=3)
    check(np.array(values), SAMPLERS[kind][3])
    per_draw(benchmark, n_compared)
