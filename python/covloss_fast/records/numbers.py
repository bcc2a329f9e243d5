"""Columns as floating-point numbers, for those who average: the anonymous half.

Without a schema every column must hold finite numbers (booleans count as 0 and 1): what cannot be averaged is
told by column and record. With a schema the table has been validated before; dates and times become days and
microseconds, and values outside the declared bounds count as the nearest bound, as everywhere.
"""

from __future__ import annotations

import datetime as dt
import math
import numbers
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from covloss_fast.records.encoding import NUMBER_TEXT, EncodingError, time_of_text, whole_microseconds
from covloss_fast.records.natives import scale_of
from covloss_fast.records.tables import Column, Columns, Factored
from covloss_fast.schema import Numeric

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["declared_numbers", "finite_numbers", "number_of", "whole_dtype"]

_MICROSECOND = dt.timedelta(microseconds=1)
_DAY = 86_400_000_000


def finite_numbers(columns: Columns, j: int, missing: bool = False) -> NDArray[np.float64]:
    """Return column `j` of a table without a schema, shape (n,); NaN where missing, if that is admitted.

    Raises
    ------
    EncodingError
        At the first record whose value is missing (unless admitted), infinite or no number.
    """
    column = columns.column(j)
    if isinstance(column, Factored):
        read = [number_of(value, columns.path is not None) for value in column.uniques]
        booleans = [isinstance(value, bool | np.bool_) for value in column.uniques]
        if any(booleans) and not all(booleans):  # of a mixture it is not known what is meant
            read = [None if is_boolean else number for is_boolean, number in zip(booleans, read)]
        levels = [*(np.nan if number is None else number for number in read), np.nan]  # the last for index -1
        values: NDArray[np.float64] = np.array(levels)[column.index]
    elif column.values.dtype.kind == "M":
        raise _fault(columns, j, 0, "a date; declare it in a schema")
    else:
        values = column.values.astype(np.float64)
        if column.null is not None:
            values[column.null] = np.nan
    bad = ~np.isfinite(values)
    if missing:
        absent = column.index < 0 if isinstance(column, Factored) else np.isnan(values)
        bad &= ~absent
    if bad.any():
        row = int(bad.argmax())
        raise _fault(columns, j, row, _why(column, row, values[row]))
    return values


def _why(column: Column, row: int, value: float) -> str:
    if isinstance(column, Factored) and column.index[row] >= 0 and np.isnan(value):
        return "a value that is not a number; declare its column in a schema"
    return "a missing value" if np.isnan(value) else "an infinite number"


def _fault(columns: Columns, j: int, row: int, reason: str) -> EncodingError:
    names = columns.names if columns.path is None else None  # in a file without a header they are values
    place = columns.positions([row])[0] if columns.n_records else "row 0"
    name = f"column {j}" if names is None else f"column {names[j]!r}"
    return EncodingError(f"{name}, {place}: {reason}", None if names is None else str(names[j]), row)


def number_of(value: Any, from_text: bool) -> float | None:
    """Return a Python value as a float; None if it is not a number."""
    if isinstance(value, numbers.Real | Decimal | np.bool_):
        try:
            return float(value)
        except OverflowError:  # an integer or a fraction beyond doubles
            return -math.inf if value < 0 else math.inf
    if from_text and isinstance(value, str) and NUMBER_TEXT.fullmatch(value):
        return float(value)
    return None


def whole_dtype(columns: Columns, j: int) -> np.dtype[Any] | None:
    """Return the dtype of a column of integers or booleans (int64 for Python's, and for digits in a file)."""
    column = columns.column(j)
    if not isinstance(column, Factored):
        return column.values.dtype if column.values.dtype.kind in "iub" else None
    if not column.uniques:
        return None
    if columns.path is not None:
        digits = all(isinstance(value, str) and value.lstrip("+-").isdecimal() for value in column.uniques)
        return np.dtype(np.int64) if digits else None
    if all(isinstance(value, bool | np.bool_) for value in column.uniques):
        return np.dtype(np.bool_)
    scale = scale_of(columns.dtype(j))
    whole = (scale is not None and scale <= 0) or all(
        isinstance(value, int | np.integer) for value in column.uniques
    )
    return np.dtype(np.int64) if whole else None


def declared_numbers(columns: Columns, j: int, attribute: Numeric) -> NDArray[np.float64]:
    """Return a validated column in the units of the attribute's edges, NaN where missing, shape (n,)."""
    column = columns.column(j)
    is_time = attribute.kind in ("date", "datetime")
    if isinstance(column, Factored):
        read = [
            _ticks(value) if is_time else number_of(value, columns.path is not None)
            for value in column.uniques
        ]
        values: NDArray[np.float64] = np.array([*read, np.nan], dtype=np.float64)[column.index]
    elif is_time:
        values = _microseconds(column.values)
        values[np.isnat(column.values)] = np.nan
    else:
        values = column.values.astype(np.float64)
    if not isinstance(column, Factored) and column.null is not None:
        values[column.null] = np.nan
    if attribute.kind == "date":
        values /= _DAY
    np.clip(values, attribute.edges[0], attribute.edges[-1], out=values)
    return values


def _microseconds(values: NDArray[Any]) -> NDArray[np.float64]:
    """Return times as microseconds since 1970; those beyond 64 bits, far beyond any edge, are cut off."""
    one = whole_microseconds(np.ones(1, dtype=np.int64).view(values.dtype)[0])
    if one > 1:
        limit = np.iinfo(np.int64).max // one
        values = np.clip(values.view(np.int64), -limit, limit).view(values.dtype)
    return values.astype("datetime64[us]").astype(np.int64).astype(np.float64)


def _ticks(value: Any) -> int:
    """Return a time as microseconds since 1970."""
    if isinstance(value, str):
        value = time_of_text(value)
    if isinstance(value, np.datetime64):
        return whole_microseconds(value)
    if not isinstance(value, dt.datetime):
        value = dt.datetime(value.year, value.month, value.day)
    return int(
        (value - dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc if value.tzinfo else None)) // _MICROSECOND
    )
