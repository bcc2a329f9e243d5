"""Real vectors as rows of integers on a public grid, and exact sums of them.

A record x of a declared convex set becomes v = (x - centre) / unit in steps of 1/resolution, truncated
towards 0 so that it does not grow. That is floating-point arithmetic, entry by entry, and its last bits prove
nothing; so the *integer* row is then held to its bounds: to the interval, the ball or the simplex of the set,
by integer arithmetic on that row alone. All sensitivities rest on these integer bounds (`RowBounds`),
whatever was rounded before, and a row is a function of its record alone.

A row that must shrink is multiplied by g and divided by an integer s of at least its norm, towards 0: the
result has a squared norm of at most ||v||^2 g^2 / s^2 <= g^2, and the same with sums on the simplex.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covloss_fast._core import partition as _partition
from covloss_fast._core import vectors as _vectors
from covloss_fast.convex_sets import ConvexSet, Factor, RowBounds
from covloss_fast.records.encoding import EncodingError, kind_of
from covloss_fast.records.numbers import number_of
from covloss_fast.records.queries import Source
from covloss_fast.records.tables import Columns, Factored, Kind, has_names, read_undeclared

__all__ = [
    "GridRows",
    "NearestRows",
    "kept_names",
    "least_moment_shift",
    "read_rows",
    "round_rows",
    "shifted_bounds",
]

_CHUNK = 16_384
#: Columns that the message about a record outside the set names.
_MOST_NAMED = 3
#: Rows enter the second moment in steps so coarse that their l1 norm is at most 2^14 and their l2 norm 2^11.
_MOMENT_L1, _MOMENT_L2_SQUARED = 2**14, 2**22
#: Rows enter projections with entries of 16 bits, and so do directions.
_LABEL_NORM_SQUARED, _LARGEST_DIRECTION = 2**30 - 1, 2**15 - 1


@dataclass(frozen=True, eq=False)
class GridRows:
    """Records as integer rows.

    Attributes
    ----------
    values : int32 array, shape (n_records, n_features)
        Held to `bounds`.
    bounds : RowBounds
        At the full resolution.
    kind : {"pandas", "polars", "pyarrow", "dict", "numpy"}
        The kind of table that they came in.
    names : tuple or None
        Names of the columns; None for an array.
    """

    values: NDArray[np.int32]
    bounds: RowBounds
    kind: Kind = "numpy"
    names: tuple[Any, ...] | None = None

    @property
    def n_records(self) -> int:
        """Number of records."""
        return len(self.values)

    def total(self) -> NDArray[np.int64]:
        """Sum of all rows, shape (n_features,)."""
        return np.asarray(self.values.sum(axis=0, dtype=np.int64))

    def second_moment(self, shift: int, n_threads: int) -> NDArray[np.int64]:
        """Sum of x x^T, x the row divided by 2^shift towards 0, shape (n_features, n_features)."""
        return _vectors.second_moment(self.values, shift, n_threads)

    def block_sums(
        self, labels: NDArray[np.int32], n_blocks: int, n_threads: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Counts, shape (n_blocks,), and sums of rows, shape (n_blocks, n_features), empty blocks too."""
        return _vectors.block_sums(self.values, labels, n_blocks, n_threads)


def _shift(bounds: RowBounds, l1: int, l2_squared: int) -> int:
    shift = 0
    while bounds.l1 >> shift > l1 or bounds.l2_squared >> (2 * shift) > l2_squared:
        shift += 1
    return shift


def least_moment_shift(bounds: RowBounds) -> int:
    """How many bits rows lose at least, towards 0, before they enter the second moment."""
    return _shift(bounds, _MOMENT_L1, _MOMENT_L2_SQUARED)


def shifted_bounds(bounds: RowBounds, shift: int) -> RowBounds:
    """Bounds of rows whose entries have been divided by 2^shift, rounded towards 0.

    No entry grows beyond its part, so norms are divided too; an integer is at most the integer part of its
    bound. Two entries on one side of 0 can come apart by less than a step, so for differences only the norms
    of the two rows are used.
    """
    l1, l2_squared = bounds.l1 >> shift, bounds.l2_squared >> (2 * shift)
    return RowBounds(bounds.n_features, bounds.largest >> shift, l1, l2_squared, 2 * l1, 4 * l2_squared)


def _first_that_is_no_number(array: NDArray[Any]) -> str:
    """Say where the first value is that is no number, if that can be said."""
    if array.dtype.kind != "O" or array.ndim != 2:
        return ""
    for row, values in enumerate(array):
        for column, value in enumerate(values):
            if isinstance(value, bool) or not isinstance(value, Real):
                return f": row {row}, column {column} is no number"
    return ""


def kept_names(names: Sequence[Any]) -> tuple[str | int, ...]:
    """Return names of columns as a release keeps them, in memory and in its file: text or integers.

    Raises
    ------
    EncodingError
        If a name is anything else, or two names are alike as text, as which files have them.
    """
    kept: list[str | int] = []
    places: dict[str, int] = {}
    for j, name in enumerate(names):
        if isinstance(name, bool) or not isinstance(name, str | int | np.integer):
            raise EncodingError(
                f"names of columns must be text or integers; the name of column {j} is of type "
                f"{type(name).__name__}: rename it"
            )
        kept.append(str(name) if isinstance(name, str) else int(name))
        first = places.setdefault(str(name), j)
        if first != j:
            raise EncodingError(
                f"two columns are named {kept[first]!r} and {kept[j]!r}, alike as text, those at positions "
                f"{first} and {j}"
            )
    return tuple(kept)


def _in_order(columns: Columns, names: Sequence[Any] | None) -> list[int]:
    """Return the positions of the columns, those of `names` in that order if it is given."""
    found = kept_names(columns.names or ())
    if names is None:
        return list(range(len(found)))
    for name in names:
        if name not in found:
            raise EncodingError(
                f"the table has no column {name!r}, which the table of the first fit had; columns go by "
                "name: make another object for another table (it can share the ledger)"
            )
    return [found.index(name) for name in names]


def _read_named(table: Any, p: int, names: Sequence[Any] | None) -> tuple[NDArray[np.float64], Columns]:
    """Read the columns of a table with names as the columns of an array, and say where one is no number."""
    columns = read_undeclared(table)
    if columns.n_columns != p:
        raise ValueError(
            f"the declared set has vectors of {p} entries, the table has {columns.n_columns} columns"
        )
    order = _in_order(columns, names)
    values = np.empty((columns.n_records, p))
    for entry, j in enumerate(order):
        values[:, entry] = _read_column(columns, j)
    return values, columns


def _read_column(columns: Columns, j: int) -> NDArray[np.float64]:
    column, reasons = columns.column(j), {}
    if isinstance(column, Factored):
        numbers = np.full(len(column.uniques) + 1, np.nan)  # the last for index -1
        for i, value in enumerate(column.uniques):
            number = None if kind_of(value) == "a boolean" else number_of(value, columns.path is not None)
            if number is None:
                reasons[i] = f"{kind_of(value)} where vectors have numbers"
            else:
                numbers[i] = number
        out: NDArray[np.float64] = numbers[column.index]
        index: Any = column.index
    elif column.values.dtype.kind in "bM":
        what = "a boolean" if column.values.dtype.kind == "b" else "a date"
        out, index = np.full(columns.n_records, np.nan), np.zeros(columns.n_records, dtype=np.int8)
        reasons[0] = f"{what} where vectors have numbers"
    else:
        out, index = column.values.astype(np.float64), None
        if column.null is not None:
            out[column.null] = np.nan
    bad = ~np.isfinite(out)
    if bad.any():
        row = int(bad.argmax())
        reason = "an infinite number" if np.isinf(out[row]) else "a missing value"
        if index is not None:
            reason = reasons.get(int(index[row]), reason)
        raise _fault(columns, j, row, reason)
    return out


def _fault(columns: Columns, j: int, row: int, reason: str) -> EncodingError:
    name = (columns.names or ())[j]
    return EncodingError(f"column {name!r}, {columns.positions([row])[0]}: {reason}", str(name), row)


_OUTSIDE = (
    "outside the declared set; scale the vectors by public numbers, or, as a declared rule, fit on "
    "convex_set.project(table)"
)


def _place_outside(row: NDArray[np.float64], convex_set: ConvexSet, names: Sequence[Any]) -> str:
    """Name the columns, if they are few, by which a record is outside."""
    moved = np.flatnonzero(convex_set.project(row[None])[0] != row)
    if not 0 < len(moved) <= _MOST_NAMED:
        return ""
    return (
        ("columns " if len(moved) > 1 else "column ")
        + ", ".join(repr(names[j]) for j in moved.tolist())
        + ", "
    )


def read_rows(
    table: Any, convex_set: ConvexSet, resolution: int | None = None, names: Sequence[Any] | None = None
) -> GridRows:
    """Validate records and round them; no statistic is taken.

    Parameters
    ----------
    table : float array, shape (n, n_features), or table with names
        Anything that numpy makes a two-dimensional array of numbers of; or what
        :func:`covloss_fast.records.tables.read` takes.
    convex_set : ConvexSet
        What the records are declared to lie in.
    resolution : int, optional
        Steps in a unit; by default the finest of the set.
    names : sequence, optional
        The columns of a table with names that are the entries of vectors, in their order.

    Raises
    ------
    EncodingError
        At the first record that is not finite, or that lies farther outside the set than rounding explains
        (1e-9 units). The message names the column and the row, never the value.
    ValueError
        If the table is not a two-dimensional array of numbers with as many columns as the set.
    """
    p = convex_set.n_features
    columns = None
    if has_names(table):
        array, columns = _read_named(table, p, names)
        names = kept_names(columns.names or ()) if names is None else tuple(names)
    else:
        is_masked = isinstance(table, np.ma.MaskedArray)
        array, names = table.astype(np.float64).filled(np.nan) if is_masked else np.asarray(table), None
    if array.dtype.kind == "O" and array.ndim == 0:
        raise ValueError(
            "vectors are read whole, from a two-dimensional array of numbers, a table in memory or a file, "
            f"got {type(table).__name__}" + ("; there are no batches" if isinstance(table, Source) else "")
        )
    if array.dtype.kind not in "fiu" or array.ndim != 2:
        raise ValueError(
            f"vectors must be a two-dimensional array of numbers, got {array.dtype} and shape {array.shape}"
            + _first_that_is_no_number(array)
        )
    if array.shape[1] != p:
        raise ValueError(f"the declared set has vectors of {p} entries, the table has {array.shape[1]}")
    resolution = resolution or convex_set.resolution
    values = np.empty(array.shape, dtype=np.int32)
    for first in range(0, len(array), _CHUNK):
        part = np.array(array[first : first + _CHUNK], dtype=np.float64, order="C")
        bad = np.argwhere(~np.isfinite(part))
        if len(bad):
            row = first + int(bad[0, 0])
            raise EncodingError(f"row {row}, column {bad[0, 1]}: not a finite number", None, row)
        outside = convex_set.outside(part)
        if outside.any():
            row = first + int(outside.argmax())
            place = f"row {row}"
            if columns is not None and names is not None:
                place = _place_outside(part[row - first], convex_set, names) + columns.positions([row])[0]
            raise EncodingError(f"{place}: {_OUTSIDE}", None, row)
        values[first : first + _CHUNK] = round_rows(part, convex_set, resolution)
    kind: Kind = "numpy" if columns is None else columns.kind
    return GridRows(values, convex_set.bounds(resolution), kind, None if names is None else tuple(names))


def round_rows(rows: NDArray[np.float64], convex_set: ConvexSet, resolution: int) -> NDArray[np.int32]:
    """Round finite records to integer rows that keep the bounds of the set, whatever the records are."""
    out = np.empty(rows.shape, dtype=np.int32)
    first = 0
    for factor in convex_set.factors:
        own = slice(first, first + len(factor.centre))
        with np.errstate(over="ignore"):
            steps = (rows[:, own] - factor.centre) / factor.unit * resolution
        truncated = np.trunc(np.clip(steps, -2.0 * resolution, 2.0 * resolution)).astype(np.int64)
        out[:, own] = _hold(truncated, factor, resolution)
        first = own.stop
    return out


def _hold(rows: NDArray[np.int64], factor: Factor, resolution: int) -> NDArray[np.int64]:
    """Hold integer rows to the shape of a factor; rows that have it stay as they are."""
    lowest = 0 if factor.shape == "simplex" else -resolution
    held = np.clip(rows, lowest, resolution)
    if factor.shape == "simplex":
        sizes = held.sum(axis=1)
    elif factor.shape == "ball":
        sizes = _root_above((held**2).sum(axis=1))
    else:
        return held
    for row in np.flatnonzero(sizes > resolution).tolist():
        size = int(sizes[row])
        held[row] = np.sign(held[row]) * (np.abs(held[row]) * resolution // size)
    return held


def _root_above(squares: NDArray[np.int64]) -> NDArray[np.int64]:
    """The least integers whose squares are at least these."""
    roots = np.sqrt(squares.astype(np.float64)).astype(np.int64)
    roots -= roots**2 > squares  # a float's root is off by one at most
    roots += (roots + 1) ** 2 <= squares
    roots += roots**2 < squares
    return roots


@dataclass(frozen=True, eq=False)
class NearestRows:
    """Nearest-point partition of projected integer rows (Section 3 of the paper).

    The coordinates of a record are the products of its row, divided by 2^shift towards 0, with the columns of
    `directions`; its block is the index of the nearest point, ties to the lowest. All arithmetic is exact.

    Attributes
    ----------
    directions : int32 array, shape (n_features, t)
        In units of 1/scale.
    points : int64 array, shape (n_blocks, t)
        In the units of the coordinates.
    shift : int
        Bits that rows lose.
    """

    directions: NDArray[np.int32]
    points: NDArray[np.int64]
    shift: int

    @classmethod
    def from_real(
        cls, directions: NDArray[np.float64], points: NDArray[np.float64], bounds: RowBounds
    ) -> NearestRows:
        """Round released directions and points, as finely as exact distances of all possible rows allow.

        A coordinate is at most b = ||row||_2 ||direction||_2 in size (Cauchy-Schwarz), the norm of a row is
        bounded by public numbers, and t (2 b)^2 < 2^63 holds for the points too, which are clipped to b. So
        no record, whatever it is, makes a sum overflow.

        Parameters
        ----------
        directions : float64 array, shape (n_features, t)
            Of norm about 1.
        points : float64 array, shape (n_blocks, t)
            In steps of the full resolution.
        bounds : RowBounds
            Of rows at the full resolution.
        """
        shift = _shift(bounds, 2**62, _LABEL_NORM_SQUARED)
        norm = math.isqrt(shifted_bounds(bounds, shift).l2_squared) + 1
        t = directions.shape[1]
        scale = 1
        while True:
            whole = np.rint(directions * (2 * scale)).astype(np.int64)
            largest = norm * (math.isqrt(int((whole**2).sum(axis=0).max())) + 1)
            is_too_fine = t * (2 * largest) ** 2 >= 2**63 or np.abs(whole).max() > _LARGEST_DIRECTION
            if is_too_fine or scale > 2**30:  # the second where all directions are 0
                break
            scale, reach, chosen = 2 * scale, largest, whole
        placed = np.clip(np.rint(points * (scale / 2**shift)), -reach, reach).astype(np.int64)
        return cls(np.ascontiguousarray(chosen.astype(np.int32)), np.ascontiguousarray(placed), shift)

    @property
    def n_blocks(self) -> int:
        """Number of points."""
        return len(self.points)

    def labels(self, rows: GridRows, n_threads: int) -> NDArray[np.int32]:
        """Block of every record, shape (n_records,), each in [0, n_blocks)."""
        coordinates = _vectors.project(rows.values, self.shift, self.directions, n_threads)
        return _partition.nearest_point(coordinates, self.points, n_threads)
