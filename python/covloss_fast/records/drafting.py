"""A schema drafted from a table that is public: levels that occur, bounds rounded outward.

Whatever is read here becomes public with the schema, so the table must be public itself (last year's release,
a test file, a codebook); the caller says so in the name of :meth:`covloss_fast.Schema.from_public_table`. The
result is a draft: people know better which levels can occur and which bounds hold.
"""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from covloss_fast.records.encoding import BOOLEAN_TEXT, NUMBER_TEXT, EncodingError, time_of_text
from covloss_fast.records.tables import Column, Factored, read_undeclared
from covloss_fast.schema import Attribute, Binary, Categorical, Numeric, Schema

__all__ = ["draft_schema"]

#: Numbers with at most this many distinct values become levels, with more they become bins.
_MAX_NUMBER_LEVELS = 20
#: Text with more distinct values than this is an identifier rather than an attribute.
_MAX_TEXT_LEVELS = 1000
#: Bins of a number.
_BINS = 16
#: Beyond it whole numbers are drafted as floats: bounds rounded outward must stay within the schema's limits.
_MAX_INTEGER = 2**56


def draft_schema(table: Any) -> Schema:
    """Draft a schema from a public table; see :meth:`covloss_fast.Schema.from_public_table`."""
    columns = read_undeclared(table)
    names = columns.names or tuple(f"v{j + 1}" for j in range(columns.n_columns))
    attributes = []
    for j, name in enumerate(names):
        if not isinstance(name, str):
            raise EncodingError(f"names of columns must be text; column {j} is named {name!r}")
        attributes.append(_draft_attribute(name, columns.column(j), columns.path is not None))
    return Schema(attributes)


def _draft_attribute(name: str, column: Column, from_text: bool) -> Attribute:
    values, counts, has_missing = _distinct(column)
    missing: Literal["level"] | None = "level" if has_missing else None
    if from_text and all(isinstance(value, str) for value in values):
        values = _read_text(values)
    if not values:
        raise EncodingError(f"column {name!r} has no values to draft levels from; declare it by hand", name)
    if all(isinstance(value, bool) for value in values):
        return Binary(name, missing=missing)
    if all(isinstance(value, str) for value in values):
        if len(values) > _MAX_TEXT_LEVELS:
            raise EncodingError(
                f"column {name!r} has {len(values):,} distinct texts, more than {_MAX_TEXT_LEVELS:,}: "
                "drop it if it identifies persons, or declare its levels by hand with other=",
                name,
            )
        return _draft_levels(name, sorted(values), missing)
    if all(isinstance(value, dt.date) for value in values):
        return _draft_times(name, values, missing)
    numbers = int | float | Decimal | Fraction
    if all(isinstance(value, numbers) and not isinstance(value, bool) for value in values):
        finite: Counter[Fraction] = Counter()  # 1 and 1.0 are one number
        for value, count in zip(values, counts):
            if math.isfinite(value):
                finite[Fraction(value)] += count
        return _draft_numbers(name, finite, missing)
    kinds = ", ".join(sorted({type(value).__name__ for value in values}))
    raise EncodingError(f"column {name!r} holds values of several or unknown types: {kinds}", name)


def _distinct(column: Column) -> tuple[list[Any], list[int], bool]:
    """Return the values that occur, as Python values, how often each does, and whether any is missing."""
    if isinstance(column, Factored):
        counts = np.bincount(column.index + 1, minlength=len(column.uniques) + 1).tolist()
        used = [(value, count) for value, count in zip(column.uniques, counts[1:]) if count]
        values = [value.item() if isinstance(value, np.generic) else value for value, _ in used]
        return values, [count for _, count in used], counts[0] > 0
    array = column.values
    if array.dtype.kind == "M":
        is_date = array.dtype == np.dtype("datetime64[D]")
        array = array.astype("datetime64[D]" if is_date else "datetime64[us]")
    missing = np.zeros(array.shape, dtype=bool) if column.null is None else column.null
    if array.dtype.kind in "fM":
        missing = missing | (np.isnan(array) if array.dtype.kind == "f" else np.isnat(array))
    found, often = np.unique(array[~missing], return_counts=True)
    values = found.tolist()
    if column.zoned:
        values = [moment.replace(tzinfo=dt.timezone.utc) for moment in values]
    return values, often.tolist(), bool(missing.any())


def _read_text(values: list[str]) -> list[Any]:
    """Read the cells of a text file as booleans, numbers or times if they all are; leave them as text if not.

    A number with a leading zero, such as 01221, is a label.
    """
    if all(value in BOOLEAN_TEXT for value in values):
        return [BOOLEAN_TEXT[value] for value in values]
    if all(NUMBER_TEXT.fullmatch(value) for value in values):
        digits = [value.lstrip("+-") for value in values]
        if not any(len(text) > 1 and text[0] == "0" and text[1].isdigit() for text in digits):
            return [Fraction(value) for value in values]
    try:
        return [time_of_text(value) for value in values]
    except ValueError:
        return list(values)


def _draft_levels(name: str, levels: list[Any], missing: Literal["level"] | None) -> Categorical:
    if len(levels) == 2:
        return Binary(name, tuple(levels), missing)
    return Categorical(name, tuple(levels), missing=missing)


def _draft_numbers(name: str, counts: Counter[Fraction], missing: Literal["level"] | None) -> Attribute:
    ordered = sorted(counts)
    if not ordered:
        raise EncodingError(f"column {name!r} has no finite values; declare it by hand", name)
    largest = max(abs(ordered[0]), abs(ordered[-1]))
    whole = all(value.denominator == 1 for value in ordered)
    if len(ordered) <= _MAX_NUMBER_LEVELS:
        as_level = int if whole and largest < 2**63 else float
        return _draft_levels(name, [as_level(value) for value in ordered], missing)
    lower, upper = ordered[0], ordered[-1]
    step = Fraction(10) ** math.floor(math.log10(upper - lower))
    bounds = step * (lower // step), step * -(-upper // step)
    integer = whole and largest <= _MAX_INTEGER
    edges = _uneven_edges(counts, ordered, bounds, integer)
    low, high = ((int if integer else float)(bound) for bound in bounds)
    if edges is None:
        return Numeric(name, low, high, integer=integer, missing=missing)
    return Numeric(name, edges=sorted({float(edge) for edge in edges}), integer=integer, missing=missing)


def _uneven_edges(
    counts: Counter[Fraction], ordered: list[Fraction], bounds: tuple[Fraction, Fraction], integer: bool
) -> set[Fraction] | None:
    """Return edges for a column of which bins of equal width would put most records into one; else None.

    A value of many records (the zeros of an income) gets a bin of its own, the others share the rest evenly.
    """
    low, high = bounds
    total = counts.total()
    equal: Counter[int] = Counter()
    for value in ordered:
        equal[min(int((value - low) * _BINS / (high - low)), _BINS - 1)] += counts[value]
    if max(equal.values()) <= total / 2:
        return None
    edges = {low, high}
    frequent = [value for value in ordered if counts[value] >= total / _BINS]
    for value in frequent:
        following = value + 1 if integer else min((other for other in ordered if other > value), default=high)
        edges |= {value, min(following, high)}
    others = [value for value in ordered if counts[value] < total / _BINS]
    share = sum(counts[value] for value in others) / max(1, _BINS - len(frequent))
    running = 0.0
    for value in others:
        if running >= share:
            edges.add(value)
            running -= share
        running += counts[value]
    return edges


def _draft_times(name: str, values: list[Any], missing: Literal["level"] | None) -> Numeric:
    """Bounds are whole days; a datetime is bounded by the midnights around it."""
    moments = [value for value in values if isinstance(value, dt.datetime)]
    if not moments:
        lower, upper = min(values), max(values)
        return Numeric(
            name,
            lower,
            max(upper, lower + dt.timedelta(1)),
            bins=min(_BINS, max(1, (upper - lower).days)),
            missing=missing,
        )
    if len(moments) < len(values):
        raise EncodingError(f"column {name!r} holds both dates and times; declare it by hand", name)
    try:
        first, last = min(moments), max(moments)
    except TypeError:
        raise EncodingError(f"column {name!r} holds times with and without a time zone", name) from None
    first = first.replace(hour=0, minute=0, second=0, microsecond=0)
    if last.date() < dt.date.max:
        last = last.replace(hour=0, minute=0, second=0, microsecond=0) + dt.timedelta(1)
    return Numeric(name, first, last, missing=missing)
