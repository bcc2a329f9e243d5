"""Exact statistics of integer rows: the same as in plain numpy, for any number of threads."""

from __future__ import annotations

import numpy as np
import pytest

from covloss_fast._core import vectors
from covloss_fast.reference import vectors as reference

LENGTHS = [0, 1, 63, 64, 65, 255, 256, 257, 1_000, 40_000]


@pytest.mark.parametrize("n", LENGTHS)
@pytest.mark.parametrize("p", [1, 3, 17])
def test_statistics_are_those_of_numpy(n: int, p: int, n_threads: int) -> None:
    rng = np.random.default_rng(n + p)
    rows = rng.integers(-(2**20), 2**20, (n, p), endpoint=True).astype(np.int32)
    directions = rng.integers(-(2**14), 2**14, (p, 5)).astype(np.int32)
    labels = rng.integers(0, 7, n).astype(np.int32)
    assert np.array_equal(vectors.second_moment(rows, 9, n_threads), reference.second_moment(rows, 9))
    for shift in (0, 5):
        made = vectors.project(rows, shift, directions, n_threads)
        assert np.array_equal(made, reference.project(rows, shift, directions))
    for made, expected in zip(
        vectors.block_sums(rows, labels, 9, n_threads), reference.block_sums(rows, labels, 9)
    ):
        assert np.array_equal(made, expected)


def test_the_largest_entries_do_not_overflow() -> None:
    rows = np.full((70_000, 2), 2048, dtype=np.int32)
    rows[:, 1] = -2048
    size = 70_000 * 2**22
    assert vectors.second_moment(rows, 0, 2).tolist() == [[size, -size], [-size, size]]


def test_bad_arguments_are_refused() -> None:
    rows = np.zeros((4, 2), dtype=np.int32)
    with pytest.raises(ValueError, match="too large for its second moment"):
        vectors.second_moment(rows + np.int32(2049), 0, 1)
    with pytest.raises(ValueError, match="shift"):
        vectors.second_moment(rows, 31, 1)
    with pytest.raises(ValueError, match="outside the blocks"):
        vectors.block_sums(rows, np.array([0, 1, 2, 0], dtype=np.int32), 2, 1)
    with pytest.raises(ValueError, match="directions"):
        vectors.project(rows, 0, np.zeros((3, 1), dtype=np.int32), 1)
    with pytest.raises(TypeError):
        vectors.second_moment(rows.astype(np.int64), 0, 1)  # type: ignore[arg-type]
