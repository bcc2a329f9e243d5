"""Blocks of a minimum size: the compiled search against its twin in plain numpy, the same partition."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from covloss_fast._core import microaggregation as core
from covloss_fast.reference import local_search as reference

NONE = np.empty(0, np.int32)


def fast(
    rows: NDArray[np.float64], size: int, n_threads: int, weights: Any, strata: Any, **options: Any
) -> Any:
    n = len(rows)
    groups = np.zeros(n, np.int32) if strata is None else strata
    return core.minimum_size_partition(
        rows,
        np.empty((n, 0), np.uint8),
        NONE,
        NONE,
        np.empty(0),
        weights,
        groups,
        int(groups.max()) + 1,
        size,
        options["n_rounds"],
        options["n_passes"],
        options["seed"],
        n_threads,
    )


@cache
def small(seed: int) -> tuple[Any, ...]:
    """A table, a minimum size, weights, strata, and the twin's answer."""
    rng = np.random.default_rng(seed)
    n, p = int(rng.integers(1, 90)), int(rng.integers(1, 7))
    rows = rng.standard_normal((n, p))
    if seed % 3 == 1:
        rows = np.round(rows)  # ties
    if seed % 5 == 2:
        rows = rows[rng.integers(0, max(1, n // 4), n)]  # duplicates
    size = int(rng.integers(1, min(n, 12) + 1))
    weights = rng.choice([0.5, 1.0, 3.0, 20.0], n) if seed % 2 else None
    strata = (np.arange(n) % 3).astype(np.int32) if seed % 4 == 3 and n >= 3 * size + 3 else None
    return (
        rows,
        size,
        weights,
        strata,
        reference.minimum_size_partition(rows, size, 2, 2, seed, weights, strata),
    )


@pytest.mark.parametrize("seed", range(40))
def test_small_tables(seed: int, n_threads: int, simd_level: str) -> None:
    rows, size, weights, strata, expected = small(seed)
    found = fast(rows, size, n_threads, weights, strata, n_rounds=2, n_passes=2, seed=seed)
    assert np.array_equal(found, expected)


#: n, columns, minimum size, whether there are weights and strata, passes: several super-blocks in the first
#: two, pairs of large blocks that are divided anew in the last.
LARGE = [(4257, 2, 60, False, False, 1), (4400, 2, 25, True, True, 0), (2049, 3, 600, False, False, 1)]


@cache
def large(case: tuple[Any, ...]) -> tuple[Any, ...]:
    n, p, size, weighted, stratified, n_passes = case
    rng = np.random.default_rng(n)
    rows = np.round(rng.standard_normal((n, p)), 1)
    weights = rng.choice([1.0, 2.0], n) if weighted else None
    strata = (np.arange(n) % 20 == 0).astype(np.int32) if stratified else None
    expected = reference.minimum_size_partition(rows, size, 3, n_passes, 5, weights, strata)
    return rows, size, weights, strata, expected


@pytest.mark.parametrize("case", LARGE)
def test_large_tables(case: Any, n_threads: int, simd_level: str) -> None:
    rows, size, weights, strata, expected = large(case)
    found = fast(rows, size, n_threads, weights, strata, n_rounds=3, n_passes=case[-1], seed=5)
    assert np.array_equal(found, expected)
