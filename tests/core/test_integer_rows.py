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
    rows = rng.integers(-(2**20), 2**20, (n, p)).astype(np.int32)
    directions = rng.integers(-(2**11), 2**11, (p, 5)).astype(np.int32)
    labels = rng.integers(0, 7, n).astype(np.int32)
    assert np.array_equal(vectors.second_moment(rows, 9, n_threads), reference.second_moment(rows, 9))
    for shift in (6, 9):
        made = vectors.project(rows, shift, directions, n_threads)
        assert np.array_equal(made, reference.project(rows, shift, directions))
    small = rows // 64
    made = vectors.project(small, 0, directions, n_threads)
    assert np.array_equal(made, reference.project(small, 0, directions))
    for made, expected in zip(
        vectors.block_sums(rows, labels, 9, n_threads), reference.block_sums(rows, labels, 9)
    ):
        assert np.array_equal(made, expected)


def test_the_largest_entries_do_not_overflow() -> None:
    rows = np.full((70_000, 2), 2048, dtype=np.int32)
    rows[:, 1] = -2048
    size = 70_000 * 2**22
    assert vectors.second_moment(rows, 0, 2).tolist() == [[size, -size], [-size, size]]


def test_the_largest_coordinates_do_not_overflow() -> None:
    rows = np.array([[32_767] * 2, [-32_767] * 2, [2, -3]], dtype=np.int32)
    directions = np.full((2, 1), 23_170, dtype=np.int32)
    assert vectors.project(rows, 0, directions, 1).ravel().tolist() == [
        65_534 * 23_170,
        -65_534 * 23_170,
        -23_170,
    ]


def test_shifts_round_towards_zero() -> None:
    rows = np.array([[-9], [-8], [-7], [-1], [0], [7], [8], [9]], dtype=np.int32)
    one = np.ones((1, 1), dtype=np.int32)
    assert vectors.project(rows, 3, one, 1).ravel().tolist() == [-1, -1, 0, 0, 0, 0, 1, 1]


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
    with pytest.raises(ValueError, match="a row has an entry that does not fit 16 bits"):
        vectors.project(rows - np.int32(32_768), 0, np.zeros((2, 1), dtype=np.int32), 1)
    with pytest.raises(ValueError, match="a direction has an entry that does not fit 16 bits"):
        vectors.project(rows, 0, np.full((2, 1), 32_768, dtype=np.int32), 1)
    with pytest.raises(ValueError, match="row 0: its coordinates are too large"):
        vectors.project(rows + np.int32(32_767), 0, np.full((2, 1), -32_767, dtype=np.int32), 1)
    with pytest.raises(TypeError):
        vectors.second_moment(rows.astype(np.int64), 0, 1)  # type: ignore[arg-type]
