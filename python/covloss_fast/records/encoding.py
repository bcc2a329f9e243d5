"""Values to codes and bits by the rules of a schema, and released codes back to a table.

Encoding is strict. A value is a declared level, or a number between declared edges, or a fault: nothing is
taken by truthiness (``bool("False")`` is True), no text becomes a number unless a file left no other
spelling, nothing is dropped. All columns are checked before anything is returned, so that no budget is spent
on a table that does not fit its schema. A fault is told by column and record, never by its value: the message
may end up in a log.

Two fast ways in. Numbers and booleans are compared as whole arrays, in their own dtype, with the declared
levels that this dtype holds exactly. Everything else arrives factorised (:mod:`covloss_fast.records.tables`),
and the rule is asked once for each distinct value.
"""

from __future__ import annotations

import bisect
import datetime as dt
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from covloss_fast._core import bits as _bits
from covloss_fast._threads import resolve_n_threads
from covloss_fast.records.one_hot import NoLevel, joined, split
from covloss_fast.records.tables import (
    CALENDAR_UNITS,
    Column,
    Columns,
    Factored,
    Kind,
    Plain,
    Unhashable,
    calendar_days,
    read,
)
from covloss_fast.schema import Attribute, Binary, Categorical, Numeric, OneHot, Schema, check_schema

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "EncodedTable",
    "EncodingError",
    "NumberStream",
    "code_dtype",
    "codes_of_values",
    "concatenate",
    "decode",
    "encode",
    "joined_columns",
    "kind_of",
    "validate",
]

#: Random words that a counter of Philox gives.
_WORDS_OF_COUNTER = 4
#: Cells of an array that are transposed at a time, to stay within the cache of the processor.
_CHUNK_CELLS = 2**20
#: Faulty columns that one message names.
_MAX_FAULTS = 20
#: Declared levels that a message names, and characters of each.
_MAX_LEVELS, _MAX_LEVEL_LENGTH = 8, 40

_NO_VALUE = "a missing value"
_MISSING = f'{_NO_VALUE} (missing="level" would make it a level)'
_UNDECLARED = "a value that is not a declared level"
_FRACTION = "a number that is not whole, and integers are declared"
#: A number that may be a level: with a leading zero it is a label, as 01221 is.
_LEVEL_TEXT = re.compile(
    r"(?P<sign>[+-]?)(?=\.?[0-9])(?P<whole>0|[1-9][0-9]*|)(\.(?P<fraction>[0-9]*))?"
    r"([eE](?P<exponent_sign>[+-]?)0*(?P<exponent>[0-9]*)(?<=[0-9]))?"
)
#: Digits of the largest integers that may be levels, and of exponents beyond which no text has such a value.
_LEVEL_DIGITS, _EXPONENT_DIGITS = 19, 18
NUMBER_TEXT = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
BOOLEAN_TEXT = {"False": False, "false": False, "FALSE": False, "True": True, "true": True, "TRUE": True}


class EncodingError(ValueError):
    """A table does not fit its schema.

    Attributes
    ----------
    column : str or None
        The first faulty column.
    row : int or None
        Its first faulty record, counted from 0; None if the fault is not in a record.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> schema = cf.Schema([cf.Binary("smoker", levels=("no", "yes"))])
    >>> try:
    ...     schema.validate({"smoker": ["no", "maybe"]})
    ... except cf.EncodingError as error:
    ...     print(error)
    column 'smoker', row 1: a value that is not a declared level (declared: 'no', 'yes')
    """

    def __init__(self, message: str, column: str | None = None, row: int | None = None) -> None:
        super().__init__(message)
        self.column = column
        self.row = row

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.column, self.row)


@dataclass(frozen=True)
class EncodedTable:
    """Records as bits and codes.

    Attributes
    ----------
    schema : Schema
    n_records : int
        Number of records.
    kind : {"pandas", "polars", "pyarrow", "dict", "numpy"}
        The kind of container that the records came in, for giving the same kind back.
    bits : BitMatrix
        Packed bits over ``schema.layout``.
    codes : tuple of arrays or None
        For an attribute of other than two levels, its codes, shape (n_records,), uint8, uint16 or uint32;
        None for a binary attribute, whose codes are its bit.
    """

    schema: Schema
    n_records: int
    kind: Kind
    bits: _bits.BitMatrix
    codes: tuple[NDArray[Any] | None, ...]

    def column_codes(self, attribute: int) -> NDArray[Any]:
        """Return the codes of any attribute, shape (n_records,)."""
        codes = self.codes[attribute]
        return self.bits.column(int(self.schema.layout.offsets[attribute])) if codes is None else codes

    @property
    def nbytes(self) -> int:
        """Bytes of the bits and codes."""
        return self.bits.nbytes + sum(codes.nbytes for codes in self.codes if codes is not None)

    def __reduce__(self) -> tuple[Any, ...]:
        words = self.bits.to_words()
        return _encoded_again, (self.schema, self.n_records, self.kind, words, self.codes)


def _encoded_again(
    schema: Schema, n: int, kind: Kind, words: NDArray[np.uint64], codes: tuple[NDArray[Any] | None, ...]
) -> EncodedTable:
    return EncodedTable(schema, n, kind, _bits.BitMatrix.from_words(words, n, schema.layout.n_bits), codes)


def code_dtype(size: int) -> np.dtype[Any]:
    """Return the smallest unsigned dtype that holds the codes 0..size-1."""
    return np.min_scalar_type(size - 1)


# ---- one value -------------------------------------------------------------------------------------------


def kind_of(value: Any) -> str:
    """Return what a value is, in the words of a message."""
    if isinstance(value, bool | np.bool_):
        return "a boolean"
    if isinstance(value, int | float | np.integer | np.floating | Decimal | Fraction):
        return "a number"
    if isinstance(value, str):
        return "text"
    if isinstance(value, dt.date | np.datetime64):
        return "a date"
    kind = value.kind if isinstance(value, Unhashable) else type(value).__name__
    return f"a value of type {kind}"


class _Refused(ValueError):
    """The rule says no; the text says why, without the value."""


def _whole_number(text: str) -> int | str:
    """Return the integer that a cell of a file spells, as 1, +1, 1.0 and 1e0 do; the text if it is none."""
    found = _LEVEL_TEXT.fullmatch(text)
    if found is None:
        return text
    fraction, exponent = found["fraction"] or "", found["exponent"] or "0"
    digits = (found["whole"] + fraction).lstrip("0")
    if not digits:
        return 0
    if len(exponent) > _EXPONENT_DIGITS:
        return text
    # The number is that of the digits to the last that is not 0, times a power of ten: nothing long is made.
    significant = digits.rstrip("0")
    power = int((found["exponent_sign"] or "") + exponent)
    power += len(digits) - len(significant) - len(fraction)
    if power < 0 or len(significant) + power > _LEVEL_DIGITS:
        return text
    return int(found["sign"] + significant + "0" * power)


def _level_code(value: Any, attribute: Categorical, lookup: dict[Any, int], from_text: bool) -> int:
    """Return the code of one Python value (not missing) of a categorical attribute."""
    if isinstance(value, NoLevel):
        raise _Refused(value.reason)
    found, key = kind_of(value), value
    if attribute.kind == "text":
        wanted = "text"
    elif attribute.kind == "bool":
        wanted = "a boolean"
        if from_text and found == "text":
            found = wanted
            key = BOOLEAN_TEXT.get(value, value)
            if key is value:
                key = _whole_number(value)
        elif found == "a number":  # the exact numbers 0 and 1 are taken, any other is no level
            found = wanted
    else:
        wanted = "a number"
        if from_text and found == "text":
            found = wanted
            if attribute.kind == "int":
                key = _whole_number(value)
            elif _LEVEL_TEXT.fullmatch(value):
                key = float(value)
        elif found == "a boolean" and set(attribute.levels) == {0, 1}:
            found = wanted
    if found != wanted:
        raise _Refused(f"{found} where the declared levels are {_PLURAL[attribute.kind]}")
    code = lookup.get(key, attribute.other_code)
    if code is None:
        raise _Refused(_UNDECLARED)
    return code


_PLURAL = {"text": "text", "bool": "booleans", "int": "integers", "float": "numbers"}
_EPOCH_DAY = dt.date(1970, 1, 1).toordinal()
_DAY = 86_400_000_000  # microseconds
_TICKS = {  # units of datetime64 in microseconds
    "D": Fraction(_DAY),
    "h": Fraction(3_600_000_000),
    "m": Fraction(60_000_000),
    "s": Fraction(1_000_000),
    "ms": Fraction(1000),
    "us": Fraction(1),
    "ns": Fraction(1, 10**3),
    "ps": Fraction(1, 10**6),
    "fs": Fraction(1, 10**9),
    "as": Fraction(1, 10**12),
}


def _edges_in_microseconds(attribute: Numeric) -> list[int]:
    scale = _DAY if attribute.kind == "date" else 1
    return [int(edge) * scale for edge in attribute.edges]


_TIME_TEXT = re.compile(
    r"(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"([T ](?P<clock>[0-9]{2}:[0-9]{2}(:[0-9]{2})?)(\.(?P<fraction>[0-9]{1,9}))?"
    r"((?P<zulu>Z)|(?P<zone>[+-][0-9]{2})(:?(?P<minutes>[0-9]{2}))?)?)?"
)


def time_of_text(value: str) -> dt.date:
    """Read a date or datetime in the extended format of ISO 8601, of which Python 3.10 reads less."""
    found = _TIME_TEXT.fullmatch(value)
    if found is not None:
        fraction = (found["fraction"] or "").ljust(6, "0")[:6]
        zone = ""
        if found["zulu"]:
            zone = "+00:00"
        elif found["zone"]:
            zone = f"{found['zone']}:{found['minutes'] or '00'}"
        try:
            day = dt.date.fromisoformat(found["date"])
            if found["clock"] is None:
                return day
            clock = found["clock"] + ("" if found["clock"].count(":") == 2 else ":00")
            return dt.datetime.fromisoformat(f"{day}T{clock}.{fraction}{zone}")
        except ValueError:  # the 31st of February
            pass
    raise _Refused("text that is not a date such as 2024-01-31 or 2024-01-31T12:00:00")


def _is_whole(number: Any) -> bool:
    """Whether a number is whole; an infinite one counts as the bound, which is."""
    if isinstance(number, Decimal):
        return bool(number == number.to_integral_value())
    if isinstance(number, float | np.floating):
        return bool(np.isinf(number) or number.is_integer())
    return not isinstance(number, Fraction) or number.denominator == 1


def _bin_code(value: Any, attribute: Numeric, edges: list[Any], from_text: bool, fractions: bool) -> int:
    """Return the bin of one Python value (not missing) of a numeric attribute."""
    found = kind_of(value)
    is_time = attribute.kind in ("date", "datetime")
    number = value
    if from_text and found == "text":
        if is_time:
            number, found = time_of_text(value), "a date"
        elif NUMBER_TEXT.fullmatch(value):
            number, found = float(value), "a number"
        else:
            raise _Refused("text that is not a number")
    if found != ("a date" if is_time else "a number"):
        if found == "a date":
            raise _Refused(_NO_DATE_EDGES)
        raise _Refused(f"{found} where {'dates' if is_time else 'numbers'} are declared")
    if is_time:
        number = _microseconds(number, attribute)
    elif attribute.kind == "int" and not fractions and not _is_whole(number):
        raise _Refused(_FRACTION)
    return bisect.bisect_right(edges, number, 1, attribute.n_bins) - 1


def whole_microseconds(value: np.datetime64) -> int:
    """Return a time as microseconds since 1970, rounded down; also where these do not fit 64 bits."""
    unit, count = np.datetime_data(value.dtype)
    if unit in CALENDAR_UNITS:
        value, unit, count = calendar_days(np.array([value]))[0], "D", 1
    return int(value.astype(np.int64)) * count * _TICKS[unit] // 1


def _microseconds(value: Any, attribute: Numeric) -> int:
    """Return a time as microseconds since 1970, compared with the zone of the edges."""
    if isinstance(value, np.datetime64):
        if attribute.has_time_zone:
            raise _Refused(_NO_ZONE)
        return whole_microseconds(value)
    if not isinstance(value, dt.datetime):
        if attribute.has_time_zone:
            raise _Refused(_NO_ZONE)
        return (int(value.toordinal()) - _EPOCH_DAY) * _DAY
    zoned = value.tzinfo is not None
    if zoned != attribute.has_time_zone:
        raise _Refused(_ZONE if zoned else _NO_ZONE)
    epoch = dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc if zoned else None)
    return int((value - epoch) // dt.timedelta(microseconds=1))


_NO_DATE_EDGES = "a date, and the schema has no date edges for it (lower and upper as datetime.date)"
_NO_ZONE = "a time without a time zone, and the declared edges have one"
_ZONE = "a time with a time zone, and the declared edges have none"


# ---- one column ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Fault:
    """The first fault of a column."""

    row: int
    reason: str


def _encode_column(
    column: Column, attribute: Attribute, from_text: bool, fractions: bool, out: NDArray[Any]
) -> _Fault | None:
    """Write the codes of one column to `out`, or return its first fault."""
    if isinstance(column, Factored):
        return _encode_factored(column, attribute, from_text, fractions, out)
    reason = _mismatch(column, attribute)
    if reason is not None:
        good = np.zeros(out.shape, dtype=bool)
    elif isinstance(attribute, Numeric):
        good = np.ones(out.shape, dtype=bool)
        if attribute.kind == "int" and not fractions and column.values.dtype.kind == "f":
            np.equal(column.values, np.trunc(column.values), out=good)
            reason = _FRACTION
        values = column.values.view(np.int64) if column.values.dtype.kind == "M" else column.values
        out[:] = np.searchsorted(_inner_edges(column.values.dtype, attribute), values, side="right")
    else:
        reason = _UNDECLARED
        good = _match_levels(column.values, attribute, out)
    return _settle(good, _missing_mask(column), attribute, reason, out)


def joined_columns(table: Any, schema: Schema) -> Columns:
    """Look at a table as columns of the attributes of a schema: one-hot columns stand in it as one.

    Raises
    ------
    EncodingError
        If such columns are absent. What is wrong with their records is said when they are read.
    """
    check_schema(schema)
    columns = read(table)
    groups = [attribute for attribute in schema.attributes if isinstance(attribute, OneHot)]
    if not groups or columns.is_joined:
        return columns
    if columns.names is None and columns.n_columns != len(schema.columns):
        raise EncodingError(
            f"the array has {columns.n_columns:,} columns and the schema {len(schema.columns):,}"
        )
    names = schema.columns if columns.names is None else columns.names
    for group in groups:
        absent = [name for name in group.columns if name not in names]
        own = (
            f"; it has a column {group.name!r}, but a one-hot attribute is read from its columns: declare it "
            "as Categorical if that column holds its levels"
        )
        if absent:
            raise EncodingError(
                f"the table has no column {_listed(list(map(repr, absent)))}, of {group.name!r}"
                + (own if group.name in names else ""),
                absent[0],
            )
        if group.name in names and group.name not in schema.columns:
            raise EncodingError(
                f"the table has a column {group.name!r} (position {columns.place(names.index(group.name))}), "
                "which is the name of the one-hot attribute that is read from "
                f"{_listed(list(map(repr, group.columns)))}; drop or rename it first",
                group.name,
            )
        twice = [name for name in group.columns if names.count(name) > 1]
        if twice:
            at = [str(columns.place(j)) for j, name in enumerate(names) if name == twice[0]]
            raise EncodingError(
                f"two columns are named {twice[0]!r}, those at positions {' and '.join(at)}", twice[0]
            )

    def read_column(
        column: Column, attribute: Binary, from_text: bool, out: NDArray[Any]
    ) -> tuple[int, str] | None:
        fault = _encode_column(column, attribute, from_text, False, out)
        if fault is None:
            return None
        # A one-hot attribute cannot have a missing level.
        reason = _NO_VALUE if fault.reason == _MISSING else _with_levels(fault.reason, attribute)
        return fault.row, reason

    return joined(columns, schema, read_column)


def _encode_factored(
    column: Factored, attribute: Attribute, from_text: bool, fractions: bool, out: NDArray[Any]
) -> _Fault | None:
    """Ask the rule once for each distinct value."""
    missing_code = -1 if attribute.missing_code is None else attribute.missing_code
    codes = np.full(len(column.uniques) + 1, missing_code, dtype=np.int64)  # the last entry serves index -1
    reasons = {-1: _MISSING}
    if isinstance(attribute, Categorical):
        lookup = {level: code for code, level in enumerate(attribute.levels)}
    else:
        is_time = attribute.kind in ("date", "datetime")
        edges = _edges_in_microseconds(attribute) if is_time else attribute.edges.tolist()
    for i, value in enumerate(column.uniques):
        try:
            if isinstance(attribute, Categorical):
                codes[i] = _level_code(value, attribute, lookup, from_text)
            else:
                codes[i] = _bin_code(value, attribute, edges, from_text, fractions)
        except _Refused as refused:
            codes[i], reasons[i] = -1, str(refused)
    if codes.min() < 0:
        bad = codes[column.index] < 0
        if bad.any():
            row = int(bad.argmax())
            return _Fault(row, reasons[int(column.index[row])])
    out[:] = codes.astype(out.dtype)[column.index]
    return None


def codes_of_values(values: Sequence[Any], attribute: Attribute, from_text: bool) -> NDArray[np.int64]:
    """Return the codes of distinct values that the rule of an attribute is known to take."""
    codes = np.empty(len(values), dtype=np.int64)
    _encode_factored(Factored(list(values), np.arange(len(values))), attribute, from_text, True, codes)
    return codes


def _missing_mask(column: Plain) -> NDArray[np.bool_] | None:
    """Return where a column has no value; None if it has values throughout."""
    mask = column.null
    if column.values.dtype.kind in "fM":
        nothing = np.isnan(column.values) if column.values.dtype.kind == "f" else np.isnat(column.values)
        mask = nothing if mask is None else mask | nothing
    return mask if mask is not None and mask.any() else None


def _mismatch(column: Plain, attribute: Attribute) -> str | None:
    """Return why no value of this dtype can be meant by the attribute; None if it can."""
    found = {"b": "a boolean", "M": "a date"}.get(column.values.dtype.kind, "a number")
    if isinstance(attribute, Categorical):
        fits = {
            "a boolean": attribute.kind == "bool" or set(attribute.levels) == {0, 1},
            "a number": attribute.kind != "text",
        }
        return None if fits.get(found) else f"{found} where the declared levels are {_PLURAL[attribute.kind]}"
    if attribute.kind not in ("date", "datetime"):
        if found == "a number":
            return None
        return _NO_DATE_EDGES if found == "a date" else f"{found} where numbers are declared"
    if found != "a date":
        return f"{found} where dates are declared"
    if column.zoned != attribute.has_time_zone:
        return _ZONE if column.zoned else _NO_ZONE
    return None


def _match_levels(values: NDArray[Any], attribute: Categorical, out: NDArray[Any]) -> NDArray[np.bool_]:
    """Write the codes of numbers or booleans that are declared levels; return which are."""
    if values.dtype.kind == "b":
        values = values.view(np.uint8)
    levels, codes = _levels_in_dtype(attribute, values.dtype)
    count = len(levels)
    if count == 0:
        return np.zeros(values.shape, dtype=bool)
    position: NDArray[Any]
    if values.dtype.kind in "iu" and int(levels[-1]) - int(levels[0]) == count - 1:
        # Consecutive integers, the usual case, need no search.
        good = (values >= int(levels[0])) & (values <= int(levels[-1]))
        if levels[0] == 0 and np.array_equal(codes, np.arange(count)):  # each value is its own code
            np.copyto(out, values, casting="unsafe")
            return good
        position = values.astype(np.int64) - int(levels[0])
    elif count == 2:
        position = (values == levels[1]).view(np.uint8)
        good = levels[position] == values
    else:
        position = np.minimum(np.searchsorted(levels, values), count - 1)
        good = levels[position] == values
    np.take(codes.astype(out.dtype), position, out=out, mode="clip")
    return good


def _levels_in_dtype(attribute: Categorical, dtype: np.dtype[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the levels that numbers of this dtype can be equal to, ascending, and their codes.

    The levels have a dtype in which comparing with these numbers rounds neither side.
    """
    wide = np.dtype({"i": np.int64, "u": np.uint64}.get(dtype.kind, np.float64))
    limits = {"i": (-(2**63), 2**63 - 1), "u": (0, 2**64 - 1)}.get(dtype.kind, (0, 0))
    kept: list[tuple[Any, int]] = []
    for code, level in enumerate(attribute.levels):
        if wide.kind == "f":
            if float(level) == level:
                kept.append((float(level), code))
        elif int(level) == level and limits[0] <= level <= limits[1]:
            kept.append((int(level), code))
    kept.sort()
    levels = np.array([level for level, _ in kept], dtype=wide)
    return levels, np.array([code for _, code in kept], dtype=np.intp)


def _inner_edges(dtype: np.dtype[Any], attribute: Numeric) -> NDArray[Any]:
    """Return the edges between bins in a dtype that compares exactly with the values.

    A value's bin is the number of these edges that are at most the value, which clamps at both ends. For
    integers (and ticks of time) an edge is replaced by the next integer, which changes no comparison.
    """
    if dtype.kind == "f":
        return attribute.edges[1:-1]
    if dtype.kind == "M":
        unit, count = np.datetime_data(dtype)
        tick = _TICKS[unit] * count
        exact = [Fraction(edge) / tick for edge in _edges_in_microseconds(attribute)]
    else:
        exact = [Fraction(edge) for edge in attribute.edges.tolist()]
    wide = np.dtype(np.uint64 if dtype.kind == "u" else np.int64)
    limits = np.iinfo(wide)
    ceilings = [max(int(-(-edge // 1)), int(limits.min)) for edge in exact[1:-1]]
    return np.array([edge for edge in ceilings if edge <= limits.max], dtype=wide)


def _settle(
    good: NDArray[np.bool_],
    missing: NDArray[np.bool_] | None,
    attribute: Attribute,
    reason: str | None,
    out: NDArray[Any],
) -> _Fault | None:
    """Write the codes of missing and undeclared values where the schema has them; find the first fault."""
    if missing is None and good.all():
        return None
    bad = ~good
    if missing is not None:
        bad &= ~missing
    if reason is _UNDECLARED and isinstance(attribute, Categorical) and attribute.other_code is not None:
        out[bad] = attribute.other_code
        bad[:] = False
    if missing is not None:
        if attribute.missing_code is not None:
            out[missing] = attribute.missing_code
        else:
            bad |= missing
    if not bad.any():
        return None
    row = int(bad.argmax())
    return _Fault(row, _MISSING if missing is not None and missing[row] else str(reason))


# ---- one table -------------------------------------------------------------------------------------------


def _match_columns(columns: Columns, schema: Schema) -> list[int]:
    """Return the position of each attribute among the columns."""
    if columns.names is None:
        if columns.n_columns != len(schema):
            raise EncodingError(
                f"the array has {columns.n_columns:,} columns and the schema {len(schema):,} attributes"
            )
        return list(range(len(schema)))
    # Where a file has no header, a name that the schema does not declare may be a value: its place is told.
    # Once all declared names have been found, the first line is a header, and names are told.
    declared = {*schema.names, *schema.columns}
    no_header = "; the first line must hold the names of the columns" if columns.path else ""
    where: dict[Any, int] = {}
    for j, name in enumerate(columns.names):
        if name in where:
            what = f"two columns are named {name!r}" if name in declared else "two columns have one name"
            raise EncodingError(
                f"{what}, those at positions {columns.place(where[name])} and {columns.place(j)}{no_header}",
                column=name if name in declared else None,
            )
        where[name] = j
    absent = [name for name in schema.names if name not in where]
    if absent:
        hint = no_header
        alike = [
            f"that at position {columns.place(j)} is {wanted!r} but for case or spaces"
            for wanted in absent
            for j, name in enumerate(columns.names)
            if isinstance(name, str) and name.strip().lower() == wanted.strip().lower()
        ]
        if alike:
            hint = f"; {_listed(alike)}"
        if not any(isinstance(name, str) for name in columns.names):
            hint = "; the names of the table's columns are not text"
        raise EncodingError(
            f"the table has no column {_listed(list(map(repr, absent)))}{hint}",
            column=absent[0],
        )
    extra = [
        f"{name!r} (position {columns.place(j)})"
        for j, name in enumerate(columns.names)
        if name not in declared
    ]
    if extra:
        hint = "; a column without a name is often a saved index" if "" in where else ""
        raise EncodingError(
            f"the table has columns that the schema does not declare: {_listed(extra)}; drop them first{hint}"
        )
    return [where[name] for name in schema.names]


def _with_levels(reason: str, attribute: Attribute) -> str:
    """Name the levels that there are, where a value is none of them: they are the schema's, thus public."""
    if reason != _UNDECLARED or not isinstance(attribute, Categorical):
        return reason
    shown = [repr(level) for level in attribute.levels[:_MAX_LEVELS]]
    shown = [each if len(each) <= _MAX_LEVEL_LENGTH else f"{each[:_MAX_LEVEL_LENGTH]}..." for each in shown]
    more = attribute.levels[_MAX_LEVELS:]
    return f"{reason} (declared: {', '.join(shown)}" + (f" and {len(more):,} more)" if more else ")")


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_MAX_FAULTS])
    return shown + (f" and {len(names) - _MAX_FAULTS} more" if len(names) > _MAX_FAULTS else "")


def _encode_columns(columns: Columns, schema: Schema, fractions: bool = False) -> list[NDArray[Any]]:
    """Return the codes of every attribute; raise with the first fault of every faulty column."""
    positions = _match_columns(columns, schema)
    n = columns.n_records
    codes = [np.empty(n, dtype=code_dtype(attribute.size)) for attribute in schema.attributes]
    faults: dict[int, _Fault] = {}
    # An array in C order is turned to columns chunk by chunk, else each column would read all of the memory.
    step = max(1, n if columns.array is None else _CHUNK_CELLS // len(schema))
    for start in range(0, max(1, n), step):
        rows = slice(start, min(start + step, n))
        block = None if columns.array is None else np.ascontiguousarray(columns.array[rows].T)
        for j, attribute in enumerate(schema.attributes):
            if j not in faults:
                column = columns.column(positions[j]) if block is None else Plain(block[positions[j]])
                from_text = columns.path is not None
                fault = _encode_column(column, attribute, from_text, fractions, codes[j][rows])
                if fault is not None:
                    faults[j] = _Fault(start + fault.row, fault.reason)
    if faults:
        first = sorted(faults.items())[:_MAX_FAULTS]
        places = columns.positions([fault.row for _, fault in first])
        sentences = [
            f"column {schema.names[j]!r}, {place}: {_with_levels(fault.reason, schema.attributes[j])}"
            for (j, fault), place in zip(first, places)
        ]
        if len(faults) > len(first):
            sentences.append(f"and {len(faults) - len(first)} more columns")
        row = columns.first_record + first[0][1].row
        raise EncodingError("; ".join(sentences), column=schema.names[first[0][0]], row=row)
    _refuse_impossible(codes, columns, schema)
    return codes


def _refuse_impossible(codes: list[NDArray[Any]], columns: Columns, schema: Schema) -> None:
    """Raise with the first record that a structural zero rules out."""
    found: dict[tuple[int, int], int] = {}
    for a, u, b, v in schema.zeros.tolist():
        both = (codes[a] == u) & (codes[b] == v)
        if both.any():
            row = int(both.argmax())
            found[a, b] = min(row, found.get((a, b), row))
    if not found:
        return
    first = sorted(found.items(), key=lambda item: item[1])[:_MAX_FAULTS]
    places = columns.positions([row for _, row in first])
    sentences = [
        f"columns {schema.names[a]!r} and {schema.names[b]!r}, {place}: "
        "levels that the schema rules out together"
        for ((a, b), _), place in zip(first, places)
    ]
    row = columns.first_record + first[0][1]
    raise EncodingError("; ".join(sentences), column=schema.names[first[0][0][0]], row=row)


def _is_plain_bit(attribute: Attribute) -> bool:
    """Return whether the numbers 0 and 1 are the codes."""
    return isinstance(attribute, Categorical) and attribute.size == 2 and attribute.levels == (0, 1)


def validate(table: Any, schema: Schema) -> None:
    """Check that a table fits a schema.

    Raises
    ------
    EncodingError
        As :func:`encode` does.
    """
    _encode_columns(joined_columns(table, schema), schema)


def encode(
    table: Any, schema: Schema, n_threads: int | None = None, *, fractions: bool = False
) -> EncodedTable:
    """Turn a table into bits and codes; the table is checked as a whole before anything is returned.

    Parameters
    ----------
    table : any table that :func:`covloss_fast.records.tables.read` takes, or an encoded one
        Columns go by name, in any order; those of an array by position. Names must be those of the schema, no
        more and no fewer: a column that is dropped in silence is missed too late. A table that was encoded
        with an equal schema is given back as it is.
    schema : Schema
        What the table must fit.
    n_threads : int, optional
        Threads that pack the bits.
    fractions : bool
        Whether a number that is not whole goes to its bin where integers are declared, as the means of a
        masked table do when it is looked at beside the true one. Records that are fitted must be as declared.

    Returns
    -------
    EncodedTable

    Raises
    ------
    EncodingError
        If the table does not fit: the first fault of each faulty column (at most 20) with its record,
        0-based, or with its line in a CSV file; never the value.
    """
    if isinstance(table, EncodedTable) and table.schema == schema:
        return table
    columns = joined_columns(table, schema)
    threads = resolve_n_threads(n_threads)
    n, array = columns.n_records, columns.array
    if (
        array is not None
        and array.dtype in (np.uint8, np.bool_)
        and all(map(_is_plain_bit, schema.attributes))
        and not len(schema.zeros)
    ):
        positions = _match_columns(columns, schema)
        if positions == list(range(len(schema))):
            try:
                bits = _bits.BitMatrix.from_array(array, threads)
                return EncodedTable(schema, n, columns.kind, bits, (None,) * len(schema))
            except ValueError:
                _encode_columns(columns, schema)  # says it in the words of the schema
                raise
    codes = _encode_columns(columns, schema, fractions)
    bits = _bits.BitMatrix.from_codes(codes, list(schema.sizes), threads)
    kept = tuple(None if size == 2 else column for size, column in zip(schema.sizes, codes))
    return EncodedTable(schema, n, columns.kind, bits, kept)


def concatenate(parts: Sequence[EncodedTable]) -> EncodedTable:
    """Put encoded tables of one schema one below the other."""
    if not parts:
        raise ValueError("needs at least one table")
    schema = parts[0].schema
    if any(part.schema != schema for part in parts):
        raise ValueError("the tables differ in their schemas")
    if len(parts) == 1:
        return parts[0]
    codes = tuple(
        None if column[0] is None else np.concatenate([each for each in column if each is not None])
        for column in zip(*(part.codes for part in parts))
    )
    bits = _bits.BitMatrix.concatenate([part.bits for part in parts])
    n = sum(part.n_records for part in parts)
    return EncodedTable(schema, n, parts[0].kind, bits, codes)


# ---- back to a table -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NumberStream:
    """Random words by column and row, so that a number within its bin does not depend on the batch.

    Attributes
    ----------
    key : bytes
        16 bytes at least.
    first_row : int
        Number of the first row.
    positions : integer array, optional
        Which rows after that one are meant, in any order; by default all, one after the other. Words are
        made of all rows between the first and the last of them.
    """

    key: bytes
    first_row: int = 0
    positions: NDArray[np.integer[Any]] | None = None

    def words(self, column: int, n: int) -> NDArray[np.uint64]:
        """Words of n rows of a column."""
        if self.positions is not None:
            if not len(self.positions):
                return np.empty(0, dtype=np.uint64)
            low, high = int(self.positions.min()), int(self.positions.max())
            words = NumberStream(self.key, self.first_row + low).words(column, high - low + 1)
            return np.asarray(words[self.positions - low], dtype=np.uint64)
        skipped = self.first_row % _WORDS_OF_COUNTER
        counter = [self.first_row // _WORDS_OF_COUNTER, 0, 0, column]
        philox = np.random.Philox(key=int.from_bytes(self.key[:16], "little"), counter=counter)
        return np.asarray(philox.random_raw(skipped + n)[skipped:], dtype=np.uint64)


def decode(
    codes: NDArray[Any], schema: Schema, kind: Kind = "pyarrow", numbers: NumberStream | None = None
) -> Any:
    """Turn codes into a table with the schema's names, order, spellings and dtypes.

    Parameters
    ----------
    codes : unsigned integer array, shape (q, n)
        ``codes[j, i]`` in ``[0, schema.sizes[j])``.
    schema : Schema
        What the codes mean.
    kind : {"pandas", "polars", "pyarrow", "dict", "numpy"}
        What to make. "numpy" gives one array in schema order: of codes (smallest unsigned dtype) if the
        schema is that of a domain file, of the common dtype of the columns otherwise (objects if they have
        none).
    numbers : NumberStream
        Numbers are drawn with it, uniformly from their bins; needed if there are any.

    Returns
    -------
    table of that kind
        Integer levels and codes have the smallest integer dtype that holds them, levels of text are plain
        text (an ordered categorical if the attribute is ordered), whole numbers are int64, dates and times
        are dates and times. A missing level becomes the container's missing value.
    """
    codes = np.asarray(codes)
    if codes.ndim != 2 or codes.shape[0] != len(schema) or codes.dtype.kind not in "iu":
        raise ValueError(
            f"codes must be integers of shape ({len(schema)}, n), got {codes.dtype} of shape {codes.shape}"
        )
    for j, (attribute, row) in enumerate(zip(schema.attributes, codes)):
        if row.size and (row.min() < 0 or row.max() >= attribute.size):
            raise ValueError(f"codes of attribute {j} ({attribute.name!r}) must lie in [0, {attribute.size})")
    if kind == "numpy" and schema.is_coded:
        return _rows(codes, code_dtype(max(schema.sizes)))
    if numbers is None and any(isinstance(attribute, Numeric) for attribute in schema.attributes):
        raise ValueError("a schema with numeric attributes needs a stream of numbers to decode")
    maker = _MAKERS.get(kind)
    if maker is None:
        raise ValueError(f"kind must be pandas, polars, pyarrow, dict or numpy, got {kind!r}")
    return maker(_columns(schema, codes, numbers))


def with_column(table: Any, name: str, values: NDArray[np.int64]) -> Any:
    """Return a table that :func:`decode` made with one more column, the last.

    Raises
    ------
    ValueError
        If the table is an array, whose columns have no names.
    """
    if isinstance(table, dict):
        return {**table, name: values}
    if isinstance(table, np.ndarray):
        raise ValueError(f"an array has no column {name!r}")
    kind = type(table).__module__.partition(".")[0]
    if kind == "pandas":
        return table.assign(**{name: values})
    if kind == "polars":
        import polars as pl

        return table.with_columns(pl.Series(name, values))
    import pyarrow as pa

    return table.append_column(name, pa.array(values))


def _rows(codes: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Transpose codes to one row for each record, chunk by chunk to stay in the cache."""
    out = np.empty(codes.shape[::-1], dtype=dtype)
    step = max(1, _CHUNK_CELLS // len(codes))
    for start in range(0, len(out), step):
        out[start : start + step] = codes[:, start : start + step].T
    return out


@dataclass(frozen=True)
class _Coded:
    """A column to be decoded; numbers have a random word for each row."""

    attribute: Attribute
    codes: NDArray[Any]
    words: NDArray[np.uint64] | None


def _columns(schema: Schema, codes: NDArray[Any], numbers: NumberStream | None) -> Iterator[_Coded]:
    for j, (attribute, row) in enumerate(zip(schema.attributes, codes)):
        if isinstance(attribute, OneHot):
            for column, bit in split(attribute, row):
                yield _Coded(column, bit, None)
            continue
        drawn = numbers is not None and isinstance(attribute, Numeric)
        yield _Coded(attribute, row, numbers.words(j, row.size) if numbers and drawn else None)


def _scaled(words: NDArray[np.uint64], spans: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return floor(word * span / 2^64), by halves of 32 bits."""
    low, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    a, b, c, d = words & low, words >> half, spans & low, spans >> half
    middle = b * c + ((a * c) >> half)
    high: NDArray[np.uint64] = b * d + (middle >> half) + ((a * d + (middle & low)) >> half)
    return high


@dataclass(frozen=True)
class _Decoded:
    """A decoded column: `null` is given exactly if the schema declares a missing level, whatever the data."""

    values: NDArray[Any]
    null: NDArray[np.bool_] | None
    zoned: bool = False


def _level_dtype(attribute: Categorical) -> np.dtype[Any]:
    """Return the dtype of the levels: the smallest that holds them if they are integers."""
    if attribute.kind != "int":
        return np.dtype({"bool": np.bool_, "float": np.float64, "text": np.object_}[attribute.kind])
    low, high = int(min(attribute.levels)), int(max(attribute.levels))
    if low >= 0:
        return np.min_scalar_type(high)
    signed = (np.dtype(each) for each in (np.int8, np.int16, np.int32, np.int64))
    return next(dtype for dtype in signed if np.iinfo(dtype).min <= low and high <= np.iinfo(dtype).max)


def _decode_column(column: _Coded) -> _Decoded:
    attribute, codes, words = column.attribute, column.codes, column.words
    null = None if attribute.missing_code is None else codes == attribute.missing_code
    if isinstance(attribute, Categorical):
        filler = [None if attribute.kind == "text" else attribute.levels[0]]
        levels = np.array(list(attribute.levels) + filler, dtype=_level_dtype(attribute))
        return _Decoded(levels[codes], null)
    assert words is not None
    bins = np.minimum(codes, attribute.n_bins - 1).astype(np.intp)
    if attribute.kind == "float":
        low, high = attribute.edges[bins], attribute.edges[bins + 1]
        # Rounding may reach the upper edge, which belongs to the next bin.
        highest = np.append(np.nextafter(attribute.edges[1:-1], -np.inf), attribute.edges[-1])
        return _Decoded(
            np.minimum(low + (words >> np.uint64(11)) * 2.0**-53 * (high - low), highest[bins]), null
        )
    first, last = attribute.integer_bounds()
    # A span is far below 2^64, so that no integer is visibly favoured.
    values = first[bins] + _scaled(words, (last - first + 1).astype(np.uint64)[bins]).astype(np.int64)
    if attribute.kind == "int":
        return _Decoded(values, null)
    return _Decoded(
        values.view("datetime64[D]" if attribute.kind == "date" else "datetime64[us]"),
        null,
        attribute.has_time_zone,
    )


def _numpy_column(coded: _Coded) -> Any:
    column = _decode_column(coded)
    if column.null is None:
        return column.values
    if column.values.dtype.kind in "fM":
        column.values[column.null] = np.nan if column.values.dtype.kind == "f" else "NaT"
        return column.values
    values = column.values.astype(object)
    values[column.null] = None
    return values


def _make_dict(columns: Iterator[_Coded]) -> Any:
    return {each.attribute.name: _numpy_column(each) for each in columns}


def _make_numpy(columns: Iterator[_Coded]) -> Any:
    made = [_numpy_column(each) for each in columns]
    kinds = {column.dtype.kind for column in made}
    same = len(kinds) == 1 or kinds <= set("iuf")
    dtype = np.result_type(*made) if same else np.dtype(object)
    out = np.empty((len(made[0]), len(made)), dtype=dtype)
    for j, column in enumerate(made):
        out[:, j] = column
    return out


def _make_pandas(columns: Iterator[_Coded]) -> Any:
    import pandas as pd

    def make(coded: _Coded) -> Any:
        attribute, row = coded.attribute, coded.codes
        if isinstance(attribute, Categorical) and attribute.kind == "text":
            if attribute.ordered:
                positions = np.where(row == len(attribute.levels), -1, row.astype(np.int64))
                return pd.Categorical.from_codes(positions, categories=list(attribute.levels), ordered=True)
            return pd.Series([*attribute.levels, None]).array.take(row.astype(np.intp))
        column = _decode_column(coded)
        values = column.values
        if values.dtype.kind in "fM" and column.null is not None:
            values[column.null] = np.nan if values.dtype.kind == "f" else "NaT"
        elif values.dtype.kind == "b" and column.null is not None:
            return pd.arrays.BooleanArray(values, column.null)
        elif column.null is not None:
            return pd.arrays.IntegerArray(values, column.null)
        if values.dtype == np.dtype("datetime64[D]"):
            values = values.astype("datetime64[s]")
        return pd.Series(values).dt.tz_localize("UTC") if column.zoned else values

    made = {each.attribute.name: make(each) for each in columns}
    return pd.DataFrame(made, index=pd.RangeIndex(len(next(iter(made.values())))), copy=False)


def _make_polars(columns: Iterator[_Coded]) -> Any:
    import polars as pl

    def make(coded: _Coded) -> Any:
        attribute, row = coded.attribute, coded.codes
        if isinstance(attribute, Categorical) and attribute.kind == "text":
            dtype = pl.Enum([str(level) for level in attribute.levels]) if attribute.ordered else pl.String()
            return pl.Series(attribute.name, [*attribute.levels, None], dtype=dtype).gather(row)
        column = _decode_column(coded)
        series = pl.Series(attribute.name, column.values)
        if column.zoned:
            series = series.dt.replace_time_zone("UTC")
        if column.null is not None:
            present = pl.when(pl.Series(~column.null)).then(pl.col(attribute.name))
            return series.to_frame().select(present).to_series()
        return series

    return pl.DataFrame([make(each) for each in columns])


def _make_pyarrow(columns: Iterator[_Coded]) -> Any:
    import pyarrow as pa

    def make(coded: _Coded) -> Any:
        attribute, row = coded.attribute, coded.codes
        if isinstance(attribute, Categorical) and attribute.kind == "text":
            if attribute.ordered:
                index = pa.array(row.astype(np.int32), mask=row == len(attribute.levels))
                return pa.DictionaryArray.from_arrays(index, pa.array(attribute.levels), ordered=True)
            return pa.array([*attribute.levels, None], pa.string()).take(pa.array(row))
        column = _decode_column(coded)
        kind = pa.timestamp("us", "UTC") if column.zoned else None
        return pa.array(column.values, type=kind, mask=column.null)

    made = {each.attribute.name: make(each) for each in columns}
    return pa.table(list(made.values()), names=list(made))


_MAKERS = {
    "dict": _make_dict,
    "numpy": _make_numpy,
    "pandas": _make_pandas,
    "polars": _make_polars,
    "pyarrow": _make_pyarrow,
}
