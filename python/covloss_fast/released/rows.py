"""Rows of any number, made part by part: what is held does not grow with their number.

Rows that were fitted are few (:func:`covloss_fast.released.fitting.most_fitted_rows`), are kept packed, and
are repeated in turn where more are asked for. Rows that are drawn are drawn in parts of a fixed number of
rows, each a function of the key and of the number of the part. Either way row i is the same whichever
rows are asked for with it, so that batches put together equal one table.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from covloss_fast._core.bits import BitMatrix

#: Rows that are drawn at a time; a multiple of the rows of a block of a `BitMatrix`.
PART_ROWS = 65_536
#: Rows whose codes are held, two parts at a time, while they are packed: a row block of a `BitMatrix`.
PACKED_ROWS = 16_384


class Rows(Protocol):
    """Synthetic rows as codes."""

    @property
    def n_rows(self) -> int:
        """Their number."""

    def codes(self, first: int, stop: int) -> NDArray[Any]:
        """Codes of rows first to stop - 1, shape (q, stop - first), in the smallest type for all levels."""

    def changed(self, change: Callable[[NDArray[Any], int], NDArray[Any]]) -> Rows:
        """The rows after ``change(codes, number)`` of each part that is made at a time."""


class PackedCodes:
    """A code table in few bytes: binary attributes as bits, others in the smallest type for each."""

    def __init__(self, bits: BitMatrix, others: dict[int, NDArray[Any]], sizes: tuple[int, ...]) -> None:
        self._bits, self._others, self._sizes = bits, others, sizes
        self._binary = np.array([a for a in range(len(sizes)) if a not in others], dtype=np.int64)
        self.dtype = np.min_scalar_type(max(sizes) - 1)

    @classmethod
    def of_bits(cls, bits: BitMatrix) -> PackedCodes:
        """A table of binary attributes that is packed already."""
        return cls(bits, {}, (2,) * bits.n_columns)

    @classmethod
    def of_codes(cls, codes: NDArray[Any], sizes: tuple[int, ...], n_threads: int) -> PackedCodes:
        """Pack codes of shape (q, n_rows)."""
        binary = [np.ascontiguousarray(row) for row, size in zip(codes, sizes) if size == 2]
        others = {
            a: codes[a].astype(np.min_scalar_type(size - 1)) for a, size in enumerate(sizes) if size != 2
        }
        packed = BitMatrix.from_codes(binary, [2] * len(binary), n_threads)
        return cls(packed, others, sizes)

    @classmethod
    def of_rows(cls, rows: Rows, sizes: tuple[int, ...], n_threads: int) -> PackedCodes:
        """Pack all rows, part by part."""
        if set(sizes) == {2}:
            return cls.of_bits(pack_rows(rows, sizes, n_threads))
        parts = [cls.of_codes(rows.codes(*part), sizes, n_threads) for part in ranges(rows.n_rows, PART_ROWS)]
        bits = BitMatrix.concatenate([part._bits for part in parts], n_threads)
        others = {a: np.concatenate([part._others[a] for part in parts]) for a in parts[0]._others}
        return cls(bits, others, sizes)

    def __reduce__(self) -> tuple[Any, ...]:
        packed = np.packbits(self._bits.columns(0, self._bits.n_rows), axis=1)
        return _unpickled, (packed, self._bits.n_rows, self._others, self._sizes)

    def bits_of_all(self) -> BitMatrix | None:
        """The table over the bit layout, if it is kept so: where all attributes are binary."""
        return None if self._others else self._bits

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(next(iter(self._others.values()))) if self._others else self._bits.n_rows

    def codes(self, first: int, stop: int) -> NDArray[Any]:
        """Codes of rows first to stop - 1, shape (q, stop - first)."""
        if not self._others:
            return self._bits.columns(first, stop).astype(self.dtype, copy=False)
        out = np.empty((len(self._sizes), stop - first), dtype=self.dtype)
        if len(self._binary):
            out[self._binary] = self._bits.columns(first, stop)
        for attribute, column in self._others.items():
            out[attribute] = column[first:stop]
        return out

    def changed(self, codes: NDArray[Any]) -> PackedCodes:
        """Another table of the same attributes."""
        return PackedCodes.of_codes(codes, self._sizes, 1)


class RepeatedRows:
    """Row i is row i modulo their number of a table."""

    def __init__(self, table: PackedCodes, n_rows: int) -> None:
        if n_rows and not table.n_rows:
            raise ValueError("there is no row to repeat")
        self.table, self._n_rows = table, n_rows

    @property
    def n_rows(self) -> int:
        """Their number."""
        return self._n_rows

    def codes(self, first: int, stop: int) -> NDArray[Any]:
        """Codes of rows first to stop - 1, shape (q, stop - first)."""
        _check_range(first, stop, self._n_rows)
        n = max(self.table.n_rows, 1)
        if first // n == max(stop - 1, first) // n:
            return self.table.codes(first % n, first % n + stop - first)
        parts = []
        while first < stop:
            taken = min(n - first % n, stop - first)
            parts.append(self.table.codes(first % n, first % n + taken))
            first += taken
        return np.concatenate(parts, axis=1)

    def changed(self, change: Callable[[NDArray[Any], int], NDArray[Any]]) -> RepeatedRows:
        """The rows after a change of the table, which is part 0."""
        codes = change(self.table.codes(0, self.table.n_rows), 0)
        return RepeatedRows(self.table.changed(codes), self._n_rows)


class DrawnRows:
    """Rows that are drawn in parts of `PART_ROWS`.

    Parameters
    ----------
    n_rows : int
        Their number.
    draw : callable
        ``draw(number, n)`` gives codes of the first n rows of a part, the last of which may have fewer than
        `PART_ROWS`.
    """

    def __init__(self, n_rows: int, draw: Callable[[int, int], NDArray[Any]]) -> None:
        self._n_rows, self._draw = n_rows, draw
        # So that small batches do not draw a part again and again. One reference: safe among threads.
        self._last: tuple[int, NDArray[Any]] | None = None

    @property
    def n_rows(self) -> int:
        """Their number."""
        return self._n_rows

    def codes(self, first: int, stop: int) -> NDArray[Any]:
        """Codes of rows first to stop - 1, shape (q, stop - first)."""
        _check_range(first, stop, self._n_rows)
        parts = []
        for number in range(first // PART_ROWS, max(stop - 1, first) // PART_ROWS + 1):
            start = number * PART_ROWS
            parts.append(self._part(number)[:, max(first - start, 0) : stop - start])
        return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)

    def changed(self, change: Callable[[NDArray[Any], int], NDArray[Any]]) -> DrawnRows:
        """The rows after a change of each part."""
        return DrawnRows(self._n_rows, _Changed(self._draw, change))

    def _part(self, number: int) -> NDArray[Any]:
        last = self._last
        if last is None or last[0] != number:
            codes = self._draw(number, min(PART_ROWS, self._n_rows - number * PART_ROWS))
            self._last = last = (number, codes)
        return last[1]


@dataclass(frozen=True)
class _Changed:
    """A part of rows after a change, in a form that can be sent to another process."""

    draw: Callable[[int, int], NDArray[Any]]
    change: Callable[[NDArray[Any], int], NDArray[Any]]

    def __call__(self, number: int, n: int) -> NDArray[Any]:
        return self.change(self.draw(number, n), number)


def _unpickled(
    packed: NDArray[np.uint8], n_rows: int, others: dict[int, NDArray[Any]], sizes: tuple[int, ...]
) -> PackedCodes:
    bits = BitMatrix.from_array(np.unpackbits(packed, axis=1, count=n_rows).T, 1)
    return PackedCodes(bits, others, sizes)


def ranges(n_rows: int, batch_rows: int) -> Iterator[tuple[int, int]]:
    """First row and end of each batch; one empty batch where there are no rows."""
    for first in range(0, max(n_rows, 1), batch_rows):
        yield first, min(first + batch_rows, n_rows)


def pack_rows(rows: Rows, sizes: tuple[int, ...], n_threads: int) -> BitMatrix:
    """All rows over the bit layout; whole copies of a packed table are never unpacked."""
    if (repeated := _repeated_bits(rows)) is not None:
        parts = [bits for times, bits in repeated for _ in range(times)]
        return parts[0] if len(parts) == 1 else BitMatrix.concatenate(parts, n_threads)
    codes = (list(np.ascontiguousarray(rows.codes(*part))) for part in ranges(rows.n_rows, PACKED_ROWS))
    return BitMatrix.from_parts(codes, rows.n_rows, list(sizes), n_threads)


def packed_parts(rows: Rows, sizes: tuple[int, ...], n_threads: int) -> list[tuple[int, BitMatrix]]:
    """Tables over the bit layout and how often the rows have each: for counts, which add up."""
    return _repeated_bits(rows) or [(1, pack_rows(rows, sizes, n_threads))]


def _repeated_bits(rows: Rows) -> list[tuple[int, BitMatrix]] | None:
    """The table that is repeated and what is left, if it is kept over the bit layout."""
    if not isinstance(rows, RepeatedRows) or (bits := rows.table.bits_of_all()) is None:
        return None
    times, rest = divmod(rows.n_rows, max(bits.n_rows, 1))
    parts = [(times, bits)] if times else []
    return [*parts, (1, bits.head(rest))] if rest or not times else parts


def shares_of_rows(rows: Rows, attributes: Sequence[int], sizes: tuple[int, ...]) -> NDArray[np.float64]:
    """Shares of the rows with each combination of levels; zeros where there are no rows.

    Parameters
    ----------
    rows : Rows
        Rows.
    attributes : sequence of int
        Which attributes, in the order of the axes.
    sizes : tuple of int
        Their numbers of levels: the shape of the result.
    """
    counts = np.zeros(math.prod(sizes), dtype=np.int64)
    for part in ranges(rows.n_rows, PART_ROWS):
        codes = rows.codes(*part)
        cells = np.ravel_multi_index(tuple(codes[a].astype(np.int64) for a in attributes), sizes)
        counts += np.bincount(cells, minlength=len(counts))
    return counts.reshape(sizes) / max(rows.n_rows, 1)


def _check_range(first: int, stop: int, n_rows: int) -> None:
    if not 0 <= first <= stop <= n_rows:
        raise ValueError(f"there are no rows {first} to {stop} among {n_rows}")
