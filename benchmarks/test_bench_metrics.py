"""Marginal error and attribute distances of two tables as they come, beside numpy.

So that numpy takes seconds it has a tenth of the records where that is said; its time grows in proportion to
them, so ten times the time shown is to be compared.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from pytest_benchmark.fixture import BenchmarkFixture

import covloss_fast as cf
from covloss_fast.reference import bits as slow

SIZES = [2, 9, 16, 16, 2, 7, 15, 6, 5, 2, 42, 30, 50, 20, 3]
TRIPLES = 455

Pair = tuple[NDArray[np.integer], NDArray[np.integer]]


@pytest.fixture(scope="module")
def bits(correlated_bits: Callable[..., NDArray[np.uint8]], n_rows: int) -> Pair:
    """Two tables of a hundred bits."""
    return correlated_bits(n_rows, 100), correlated_bits(n_rows, 100, seed=2)


@pytest.fixture(scope="module")
def codes(n_rows: int) -> Pair:
    """Two tables of fifteen attributes; low levels are common in one."""
    generator = np.random.default_rng(0)
    first = np.stack([generator.integers(0, size, n_rows) for size in SIZES], axis=1)
    first[0] = np.array(SIZES) - 1
    return first, first[::-1] // 2


@pytest.mark.parametrize("dtype", ["u1", "i8"])
@pytest.mark.benchmark(group="marginal error of arrays, degree 2")
def test_marginal_error(benchmark: BenchmarkFixture, bits: Pair, dtype: str) -> None:
    first, second = (table.astype(dtype) for table in bits)
    got = benchmark.pedantic(cf.marginal_error, (first, second, 2), rounds=3, warmup_rounds=1)
    assert got.rms == pytest.approx(plain_error(*bits), rel=1e-9)


def plain_error(first: NDArray[np.integer], second: NDArray[np.integer]) -> float:
    moments = [slow.second_moment(table.astype(np.uint8)) / len(table) for table in (first, second)]
    return float(np.sqrt(np.mean((moments[0] - moments[1])[np.triu_indices(100, 1)] ** 2)))


@pytest.mark.benchmark(group="marginal error of arrays, degree 2")
def test_marginal_error_numpy(benchmark: BenchmarkFixture, bits: Pair) -> None:
    assert benchmark.pedantic(plain_error, bits, rounds=2) > 0.01


@pytest.mark.benchmark(group="tables of all triples of attributes")
def test_attribute_tv(benchmark: BenchmarkFixture, codes: Pair) -> None:
    got = benchmark.pedantic(cf.attribute_tv, (*codes, 3), rounds=2)
    some = [(0, 1, 2), (4, 10, 12), (9, 13, 14)]
    parts = [cf.attribute_tv(*(table[:, each] for table in codes), 3, domain(each)) for each in some]
    tables = [[slow.attribute_table(table, SIZES, each) for table in codes] for each in some]
    assert parts == pytest.approx([np.abs(left - right).sum() / 2 for left, right in tables])
    assert 0 < got < 1


def domain(attributes: tuple[int, ...]) -> cf.Schema:
    return cf.Schema.from_domain({f"a{j}": SIZES[j] for j in attributes})


@pytest.mark.benchmark(group="tables of all triples of attributes")
def test_attribute_tv_numpy_on_a_tenth(benchmark: BenchmarkFixture, codes: Pair) -> None:
    part = tuple(table[: len(table) // 10] for table in codes)
    expected = benchmark.pedantic(slow.attribute_tv, (*part, SIZES, 3), rounds=1)
    assert cf.attribute_tv(*part, 3, domain(tuple(range(15)))) == pytest.approx(expected)
