"""Rows in parts: any range of them is that range of all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from covloss_fast._core.bits import BitMatrix
from covloss_fast.released.rows import (
    PART_ROWS,
    DrawnRows,
    PackedCodes,
    RepeatedRows,
    Rows,
    pack_rows,
    packed_parts,
    ranges,
)


def some_codes(sizes: tuple[int, ...], n: int) -> NDArray[Any]:
    generator = np.random.default_rng(n)
    return np.array([generator.integers(0, s, n) for s in sizes]).astype(np.min_scalar_type(max(sizes) - 1))


def all_ranges(rows: Rows, borders: list[int]) -> None:
    whole = rows.codes(0, rows.n_rows)
    for first in borders:
        for stop in borders:
            if first <= stop:
                part = rows.codes(first, stop)
                assert part.dtype == whole.dtype
                np.testing.assert_array_equal(part, whole[:, first:stop])


@pytest.mark.parametrize("sizes", [(2, 2, 2), (2, 3, 2, 300), (5,), (1, 2)])
@pytest.mark.parametrize("n", [1, 7, 64, 16_385])
def test_repeated_rows(sizes: tuple[int, ...], n: int) -> None:
    codes = some_codes(sizes, n)
    rows = RepeatedRows(PackedCodes.of_codes(codes, sizes, 1), 2 * n + n // 2)
    np.testing.assert_array_equal(rows.codes(0, rows.n_rows), np.tile(codes, 3)[:, : rows.n_rows])
    all_ranges(rows, [0, n // 3, n - 1, n, n + 1, 2 * n, rows.n_rows])
    changed = rows.changed(lambda table, number: table[:, ::-1] if number == 0 else table)
    np.testing.assert_array_equal(changed.codes(0, n), codes[:, ::-1])


def test_drawn_rows_draw_each_part_once_for_small_batches() -> None:
    calls = []

    def draw(number: int, n: int) -> NDArray[Any]:
        calls.append(number)
        return np.random.default_rng(number).integers(0, 9, (2, PART_ROWS), dtype=np.uint8)[:, :n]

    rows = DrawnRows(2 * PART_ROWS + 11, draw)
    batches = [rows.codes(*part) for part in ranges(rows.n_rows, 10_007)]
    assert calls == [0, 1, 2]
    np.testing.assert_array_equal(np.concatenate(batches, axis=1), rows.codes(0, rows.n_rows))
    all_ranges(rows, [0, 5, PART_ROWS - 1, PART_ROWS, PART_ROWS + 1, rows.n_rows])
    doubled = rows.changed(lambda codes, number: codes * (number + 1))
    np.testing.assert_array_equal(doubled.codes(PART_ROWS, PART_ROWS + 9), 2 * batches_at(rows, PART_ROWS, 9))


def batches_at(rows: Rows, first: int, n: int) -> NDArray[Any]:
    return rows.codes(first, first + n)


def test_no_rows() -> None:
    none = RepeatedRows(PackedCodes.of_codes(some_codes((2, 3), 0), (2, 3), 1), 0)
    assert none.codes(0, 0).shape == (2, 0)
    assert DrawnRows(0, lambda number, n: np.zeros((3, n), dtype=np.uint8)).codes(0, 0).shape == (3, 0)
    assert list(ranges(0, 5)) == [(0, 0)]
    with pytest.raises(ValueError, match="no row to repeat"):
        RepeatedRows(PackedCodes.of_codes(some_codes((2,), 0), (2,), 1), 1)
    with pytest.raises(ValueError, match="no rows 0 to 1 among 0"):
        none.codes(0, 1)


@pytest.mark.parametrize("sizes", [(2, 4, 2), (2, 2, 2)])
@pytest.mark.parametrize(("n", "times"), [(0, 1), (1, 1), (7, 3.5), (PART_ROWS - 1, 1), (PART_ROWS + 1, 3.3)])
def test_packed_rows(sizes: tuple[int, ...], n: int, times: float, n_threads: int) -> None:
    codes = some_codes(sizes, n)
    rows = RepeatedRows(PackedCodes.of_codes(codes, sizes, 1), int(n * times))
    packed = pack_rows(rows, sizes, n_threads)
    expected = BitMatrix.from_codes(list(rows.codes(0, rows.n_rows)), list(sizes), 1)
    np.testing.assert_array_equal(packed.to_array(), expected.to_array())
    parts = packed_parts(rows, sizes, n_threads)
    assert sum(times * bits.n_rows for times, bits in parts) == rows.n_rows
    ones = sum(times * bits.to_array().sum(axis=0, dtype=int) for times, bits in parts)
    np.testing.assert_array_equal(ones, expected.to_array().sum(axis=0, dtype=int))
