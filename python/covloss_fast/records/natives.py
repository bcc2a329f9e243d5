"""Numbers, dates and times in the dtype of the column that they came in.

What blocks release is computed in float64; those who worked with the true table expect float32, nullable
integers, decimals of two places or times of their zone. So a masked column has the dtype of the true one
wherever a value of it can hold the result:

* floating-point numbers keep their width, whole numbers theirs; fractions, such as means of integers and of
  booleans, are float64 (nullable where the column was);
* decimals of a fixed scale are rounded to it, times to the unit of the column and to days in columns of days,
  and stand in the column's time zone;
* Python objects, also those of a list, are objects again: Decimal, Fraction, int, float, date, datetime,
  Timestamp (plain numbers of a list are an array). A mixture of numbers becomes floats, one of zones UTC.

Categories are no numbers: a column of categories that is averaged comes back in the dtype of its categories,
which are values of records and are not published. A result that the dtype does not hold (a bound beyond
it, whole numbers beyond 2^53) makes the column one of int64, float64 or microseconds.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from covloss_fast.records.tables import CALENDAR_UNITS, Columns, Kind, Plain
from covloss_fast.schema import Numeric

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Native", "as_series", "native_of", "scale_of"]

_DAY = 86_400_000_000  # microseconds
#: Units of datetime64 in microseconds, or how many of them make one.
_LONGER = {"ms": 10**3, "s": 10**6, "m": 60 * 10**6, "h": 3_600 * 10**6, "D": _DAY}
_SHORTER = {"us": 1, "ns": 10**3, "ps": 10**6, "fs": 10**9, "as": 10**12}


class _NotHeldError(ValueError):
    """The dtype of the column does not hold the result."""


@dataclass(frozen=True)
class Native:
    """How one column of a table holds its numbers or times.

    Attributes
    ----------
    dtype : object
        The container's dtype, for categories that of the categories; None for lists and files of text.
    plain : dtype or None
        Of its numbers or times in numpy; None for Python objects.
    objects : type or None
        What its Python objects are; float and datetime for a mixture.
    zone : tzinfo or None
        Of Python datetimes.
    """

    dtype: Any = None
    plain: np.dtype[Any] | None = None
    objects: type | None = None
    zone: dt.tzinfo | None = None

    def numbers(
        self, kind: Kind, values: NDArray[Any], missing: NDArray[np.bool_], whole: np.dtype[Any] | None
    ) -> Any:
        """Make a column of numbers.

        Parameters
        ----------
        kind : {"pandas", "polars", "pyarrow", "dict", "numpy"}
            The kind of table.
        values : float64 or int64 array, shape (n,)
            What is released.
        missing : bool array, shape (n,)
            Where there is none.
        whole : dtype or None
            Of whole numbers and booleans; None if there are fractions.
        """
        if kind == "dict" and self._container() == "pandas":
            return as_series(self.numbers("pandas", values, missing, whole))
        kind = self._container() or kind if kind == "dict" else kind
        if missing.any():
            values = np.where(missing, values.dtype.type(0), values)
        scale = scale_of(self.dtype)
        try:
            if scale is not None and (whole is not None or scale > 0):
                unit = Decimal(1).scaleb(-scale)
                held = _objects(values, missing, lambda value: Decimal(repr(value)).quantize(unit))
                return self._of_objects(kind, held)
            if self.objects is not None and self._is_objects(kind):
                maker = _maker_of_numbers(self.objects, whole)
                if maker is not None:
                    return self._of_objects(kind, _objects(values, missing, maker))
        except (ArithmeticError, _NotHeldError):  # more digits than the context or the type has
            pass
        out = values.astype(self._target(values, whole), copy=False)
        return _PLAIN[kind](self, out, missing)

    def times(self, kind: Kind, values: NDArray[Any], missing: NDArray[np.bool_], attribute: Numeric) -> Any:
        """Make a column of dates or times from days or microseconds since 1970."""
        if kind == "dict" and self._container() == "pandas":
            return as_series(self.times("pandas", values, missing, attribute))
        kind = self._container() or kind if kind == "dict" else kind
        ticks = np.where(missing, 0, np.rint(values)).astype(np.int64)
        if attribute.kind == "date":
            ticks *= _DAY
        zoned = attribute.has_time_zone
        if self.objects is not None and self._is_objects(kind):
            return self._of_objects(kind, _objects(ticks, missing, self._maker_of_times()))
        plain = self.plain
        if plain is None:
            is_day = attribute.kind == "date" or self.objects is dt.date
            plain = np.dtype("datetime64[D]" if is_day else "datetime64[us]")
        try:
            out = _in_unit(ticks, plain)
        except _NotHeldError:
            out = ticks.view("datetime64[us]")
        return _TIMES[kind](self, out, missing, zoned)

    def _container(self) -> Kind | None:
        """The kind of frame whose dtype this is: the columns of a dict may be those of frames."""
        module = type(self.dtype).__module__.partition(".")[0]
        containers: dict[str, Kind] = {"pandas": "pandas", "polars": "polars", "pyarrow": "pyarrow"}
        return containers.get(module)

    def _is_objects(self, kind: Kind) -> bool:
        """Whether a column of Python objects is to be made: lists have them where numpy has no dtype."""
        if self.dtype is None:
            without = (Decimal, Fraction, dt.date)
            return kind == "dict" and self.objects is not None and issubclass(self.objects, without)
        return isinstance(self.dtype, np.dtype) and self.dtype.kind == "O"

    def _target(self, values: NDArray[Any], whole: np.dtype[Any] | None) -> np.dtype[Any]:
        """The dtype that holds the values: the column's, or a wide one."""
        plain = self.plain
        if plain is not None and plain.kind == "f":
            with np.errstate(over="ignore"):
                if np.isfinite(values.astype(plain, copy=False)).all():
                    return plain
        if whole is None:
            return np.dtype(np.float64)
        for dtype in (plain, whole):
            if dtype is not None and _holds_whole(dtype, values):
                return dtype
        return np.dtype(np.int64)

    def _of_objects(self, kind: Kind, held: NDArray[Any]) -> Any:
        """Put objects into the container."""
        if kind == "pandas":
            import pandas as pd

            if isinstance(self.dtype, np.dtype):
                return pd.Series(held, dtype=object, copy=False)
            return _arrow_extension(_arrow(held.tolist(), self.dtype.pyarrow_dtype))
        if kind == "polars":
            import polars as pl

            try:
                return pl.Series(held.tolist(), dtype=self.dtype)
            except (TypeError, pl.exceptions.PolarsError) as error:
                raise _NotHeldError(str(error)) from None
        return _arrow(held.tolist(), self.dtype) if kind == "pyarrow" else held

    def _maker_of_times(self) -> Callable[[Any], Any]:
        """What makes an object of microseconds since 1970."""
        zone, kind = self.zone, self.objects
        if kind is dt.date:
            return lambda tick: dt.date(1970, 1, 1) + dt.timedelta(days=int(np.rint(tick / _DAY)))
        if kind is not None and issubclass(kind, np.datetime64):
            return lambda tick: np.datetime64(tick, "us")
        if kind is not None and hasattr(kind, "to_pydatetime"):
            import pandas as pd

            if zone is None:
                return lambda tick: pd.Timestamp(tick, unit="us")
            return lambda tick: pd.Timestamp(tick, unit="us", tz="UTC").tz_convert(zone)
        epoch = dt.datetime(1970, 1, 1, tzinfo=None if zone is None else dt.timezone.utc)
        if zone is None:
            return lambda tick: epoch + dt.timedelta(microseconds=tick)
        return lambda tick: (epoch + dt.timedelta(microseconds=tick)).astimezone(zone)


def native_of(columns: Columns, j: int) -> Native:
    """Return how column `j` of a table holds its numbers or times."""
    column, dtype = columns.column(j), columns.dtype(j)
    if columns.path is not None:
        return Native()
    inner = getattr(dtype, "categories", None)
    if inner is not None and hasattr(inner, "dtype") and type(dtype).__name__ == "CategoricalDtype":
        dtype = inner.dtype
    elif type(dtype).__name__ == "DictionaryType":
        dtype = dtype.value_type
    if isinstance(column, Plain):
        plain = column.values.dtype
        if isinstance(dtype, np.dtype) and dtype.kind == "M":  # months have been read as days
            plain = dtype if np.datetime_data(dtype)[0] != "generic" else plain
        if dtype is not None and not (isinstance(dtype, np.dtype) and dtype.kind == "O"):
            return Native(dtype, plain)
        kinds = {"b": bool, "i": int, "f": float}
        return Native(dtype, None, kinds[plain.kind]) if plain.kind in kinds else Native(dtype, plain)
    types = set(map(type, column.uniques))
    if len(types) == 1:
        objects = types.pop()
    elif any(issubclass(each, dt.date) for each in types):
        objects = dt.datetime
    else:
        objects = float
    # By name: pytz has an object for each offset of a zone.
    zones = {str(value.tzinfo): value.tzinfo for value in column.uniques if getattr(value, "tzinfo", None)}
    zone = None if not zones else next(iter(zones.values())) if len(zones) == 1 else dt.timezone.utc
    return Native(dtype, _plain_of(dtype), objects, zone)


def _plain_of(dtype: Any) -> np.dtype[Any] | None:
    """The dtype of numpy that a dtype of categories stands for."""
    if isinstance(dtype, np.dtype):
        return dtype if dtype.kind in "biufM" else None
    if str(dtype).startswith("date32"):
        return np.dtype("datetime64[D]")
    if isinstance(getattr(dtype, "unit", None), str):  # times
        return np.dtype(f"datetime64[{dtype.unit}]")
    try:
        found = np.dtype(dtype.numpy_dtype if hasattr(dtype, "numpy_dtype") else dtype.to_pandas_dtype())
    except (AttributeError, NotImplementedError, TypeError):
        return None
    return found if found.kind in "biuf" else None


def scale_of(dtype: Any) -> int | None:
    """Return the digits after the point of a dtype of decimals (of Arrow or polars); None of any other."""
    dtype = getattr(dtype, "pyarrow_dtype", dtype)
    scale = getattr(dtype, "scale", None)
    return scale if isinstance(scale, int) else None


def _holds_whole(dtype: np.dtype[Any], values: NDArray[Any]) -> bool:
    if dtype.kind == "b":
        return bool(((values == 0) | (values == 1)).all())
    if dtype.kind not in "iu":
        return False
    limits = np.iinfo(dtype)
    low, high = values.min(initial=0), values.max(initial=0)
    return bool(limits.min <= int(low) and int(high) <= limits.max)


def _maker_of_numbers(objects: type, whole: np.dtype[Any] | None) -> Callable[[Any], Any] | None:
    """What makes an object of a number; None if objects of that type do not hold it."""
    if objects is Decimal:
        return lambda value: Decimal(int(value)) if whole is not None else Decimal(repr(value))
    if objects is Fraction:
        return Fraction
    if issubclass(objects, np.floating):
        return objects
    if issubclass(objects, bool | np.bool_ | int | np.integer):
        if whole is None:
            return None
        return lambda value: objects(int(value))
    return float


def _objects(values: NDArray[Any], missing: NDArray[np.bool_], make: Callable[[Any], Any]) -> NDArray[Any]:
    """Make an object of each value, once of equal ones; None where it is missing."""
    distinct, place = np.unique(values, return_inverse=True)
    made = np.empty(len(distinct) + 1, dtype=object)
    for i, value in enumerate(distinct.tolist()):
        made[i] = make(value)
    return made[np.where(missing, len(distinct), place)]


def _in_unit(ticks: NDArray[np.int64], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Microseconds as times of a unit: rounded to a longer one (down to months), if they fit a shorter."""
    unit, count = np.datetime_data(dtype)
    moments = ticks.view("datetime64[us]")
    if unit in CALENDAR_UNITS:
        return moments.astype(dtype)
    if unit in _LONGER or count > 1:
        length = Fraction(_LONGER.get(unit, 0) or Fraction(1, _SHORTER[unit])) * count
        if length > 1:
            return np.rint(ticks / float(length)).astype(np.int64).view(dtype.newbyteorder("="))
    factor = _SHORTER[unit] // count
    if factor * count != _SHORTER[unit] or int(np.abs(ticks).max(initial=0)) >= 2**63 // factor:
        raise _NotHeldError("times beyond 64 bits")
    return (ticks * factor).view(dtype.newbyteorder("="))


# ---- the containers --------------------------------------------------------------------------------------


def _arrow(values: Any, type_: Any, missing: NDArray[np.bool_] | None = None) -> Any:
    import pyarrow as pa

    try:
        return pa.array(values, type=type_, mask=missing if missing is not None and missing.any() else None)
    except (TypeError, pa.ArrowException) as error:
        raise _NotHeldError(str(error)) from None


def as_series(values: Any) -> Any:
    """Return values as a column of pandas."""
    import pandas as pd

    return pd.Series(values, copy=False)


def _arrow_extension(array: Any) -> Any:
    import pandas as pd

    return pd.arrays.ArrowExtensionArray(array)


def _numpy_numbers(native: Native, out: NDArray[Any], missing: NDArray[np.bool_]) -> Any:
    if not missing.any():
        return out
    if out.dtype.kind == "f":
        out[missing] = np.nan
        return out
    held = out.astype(object)
    held[missing] = None
    return held


def _array_numbers(native: Native, out: NDArray[Any], missing: NDArray[np.bool_]) -> Any:
    """Among the columns of an array a missing whole number is a NaN."""
    return _numpy_numbers(
        native, out.astype(np.float64) if missing.any() and out.dtype.kind != "f" else out, missing
    )


def _pandas_numbers(native: Native, out: NDArray[Any], missing: NDArray[np.bool_]) -> Any:
    import pandas as pd

    dtype = native.dtype
    if isinstance(dtype, pd.ArrowDtype):
        return _arrow_extension(_arrow(out, None, missing))
    if isinstance(dtype, pd.SparseDtype) and out.dtype == native.plain:
        return pd.arrays.SparseArray(_numpy_numbers(native, out, missing), dtype=dtype)
    nullable = isinstance(dtype, pd.api.extensions.ExtensionDtype) and hasattr(dtype, "numpy_dtype")
    if nullable or (missing.any() and out.dtype.kind != "f"):
        makers = {"b": pd.arrays.BooleanArray, "f": pd.arrays.FloatingArray}
        return makers.get(out.dtype.kind, pd.arrays.IntegerArray)(out, missing)
    return pd.Series(_numpy_numbers(native, out, missing))


def _polars_numbers(native: Native, out: NDArray[Any], missing: NDArray[np.bool_]) -> Any:
    column = _with_nulls(out, missing)
    is_wide = "128" in str(native.dtype) and out.dtype.kind in "iu"  # integers that numpy does not have
    return column.cast(native.dtype) if is_wide else column


def _with_nulls(column: Any, missing: NDArray[np.bool_]) -> Any:
    import polars as pl

    column = pl.Series(column)
    if not missing.any():
        return column
    return pl.select(pl.when(pl.Series(~missing)).then(column)).to_series()


def _pyarrow_numbers(native: Native, out: NDArray[Any], missing: NDArray[np.bool_]) -> Any:
    return _arrow(out, None, missing)


_PLAIN: dict[str, Callable[[Native, NDArray[Any], NDArray[np.bool_]], Any]] = {
    "dict": _numpy_numbers,
    "numpy": _array_numbers,
    "pandas": _pandas_numbers,
    "polars": _polars_numbers,
    "pyarrow": _pyarrow_numbers,
}


def _numpy_times(native: Native, out: NDArray[Any], missing: NDArray[np.bool_], zoned: bool) -> Any:
    out[missing] = "NaT"
    return out


def _pandas_times(native: Native, out: NDArray[Any], missing: NDArray[np.bool_], zoned: bool) -> Any:
    import pandas as pd

    dtype = native.dtype
    if isinstance(dtype, pd.ArrowDtype):
        return _arrow_extension(
            _pyarrow_times(Native(dtype.pyarrow_dtype, native.plain), out, missing, zoned)
        )
    out[missing] = "NaT"
    if np.datetime_data(out.dtype)[0] not in ("s", "ms", "us", "ns"):  # pandas has no days
        out = out.astype("datetime64[s]")
    if not zoned:
        return pd.Series(out)
    return pd.Series(out).dt.tz_localize("UTC").dt.tz_convert(getattr(dtype, "tz", "UTC")).array


def _polars_times(native: Native, out: NDArray[Any], missing: NDArray[np.bool_], zoned: bool) -> Any:
    column = _with_nulls(out, missing)
    if not zoned:
        return column
    zone = getattr(native.dtype, "time_zone", None) or "UTC"
    return column.dt.replace_time_zone("UTC").dt.convert_time_zone(zone)


def _pyarrow_times(native: Native, out: NDArray[Any], missing: NDArray[np.bool_], zoned: bool) -> Any:
    import pyarrow as pa

    if str(native.dtype).startswith("date64") and np.datetime_data(out.dtype)[0] == "ms":
        days = _in_unit(out.astype("datetime64[us]").view(np.int64), np.dtype("datetime64[D]"))
        return _arrow(days, None, missing).cast(native.dtype)
    unit = np.datetime_data(out.dtype)[0]
    kind = pa.timestamp(unit, getattr(native.dtype, "tz", None) or "UTC") if zoned else None
    return _arrow(out, kind, missing)


_TIMES: dict[str, Callable[[Native, NDArray[Any], NDArray[np.bool_], bool], Any]] = {
    "dict": _numpy_times,
    "numpy": _numpy_times,
    "pandas": _pandas_times,
    "polars": _polars_times,
    "pyarrow": _pyarrow_times,
}
