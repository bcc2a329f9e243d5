"""A schema drafted from a data dictionary: the table, or sheet, in which a data set's columns are described.

Dictionaries are public and are written by people, each in another way. What is read here is what they have in
common: a row for each column, its name, its type, its levels as one text, its bounds. All faults are told
at once, by the row, so that a dictionary can be mended in one go.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from covloss_fast.records.tables import Column, Factored, read
from covloss_fast.schema import Attribute, Binary, Categorical, Numeric, Schema
from covloss_fast.schema_fields import SchemaError, suggestion

__all__ = ["draft_from_dictionary"]

#: What a column of a dictionary may be called.
_COLUMNS = {
    "name": ("name", "variable", "field", "column", "variable / field name", "variable name", "attribute"),
    "type": ("type", "field type", "data type", "kind"),
    "levels": (
        "levels",
        "values",
        "categories",
        "choices",
        "codes",
        "choices, calculations, or slider labels",
    ),
    "lower": ("lower", "min", "minimum", "text validation min"),
    "upper": ("upper", "max", "maximum", "text validation max"),
    "bins": ("bins",),
    "missing": ("missing", "nullable"),
    "other": ("other",),
}
#: What a type may be called.
_TYPES = {
    "binary": ("binary", "boolean", "bool", "yesno", "truefalse"),
    "categorical": (
        "categorical",
        "category",
        "factor",
        "nominal",
        "enum",
        "radio",
        "dropdown",
        "string",
        "text",
    ),
    "ordinal": ("ordinal", "ordered"),
    "number": ("number", "numeric", "float", "double", "real", "continuous", "decimal"),
    "integer": ("integer", "int", "count"),
    "date": ("date",),
}
_INTEGER = re.compile(r"[+-]?\d{1,18}", re.ASCII)
_TRUE, _FALSE = ("yes", "true", "1", "level", "y"), ("no", "false", "0", "", "n")


def draft_from_dictionary(dictionary: Any) -> Schema:
    """Draft a schema; see :meth:`covloss_fast.Schema.from_data_dictionary`."""
    columns = read(dictionary)
    if columns.names is None:
        raise SchemaError(('a data dictionary needs columns with names, "name" and "type" at least',))
    found: dict[str, list[str | None]] = {}
    for j, name in enumerate(columns.names):
        for field, names in _COLUMNS.items():
            if str(name).strip().lower() in names and field not in found:
                found[field] = _texts(columns.column(j))
    absent = [field for field in ("name", "type") if field not in found]
    if absent:
        raise SchemaError(
            tuple(
                f'the data dictionary has no column "{field}" (or {", ".join(_COLUMNS[field][1:4])})'
                for field in absent
            )
        )
    attributes: list[Attribute] = []
    faults: list[str] = []
    for row in range(columns.n_records):
        cells = {field: (texts[row] or "").strip() for field, texts in found.items()}
        try:
            attributes.append(_attribute(cells))
        except ValueError as error:
            faults.append(f"row {row} ({cells['name']!r}): {error}")
    seen: dict[str, int] = {}
    for row, text in enumerate(found["name"]):
        if text and seen.setdefault(text.strip(), row) != row:
            faults.append(f"row {row} ({text!r}): row {seen[text.strip()]} has that name already")
    if not columns.n_records:
        faults.append("the data dictionary describes no column")
    if faults:
        raise SchemaError(tuple(faults))
    return Schema(attributes)


def _texts(column: Column) -> list[str | None]:
    """Cells as text; None for an empty one."""
    if isinstance(column, Factored):
        uniques = [_text(value) for value in column.uniques]
        return [None if index < 0 else uniques[index] for index in column.index.tolist()]
    values = [_text(value) for value in column.values.tolist()]
    null = np.zeros(len(values), dtype=bool) if column.null is None else column.null
    return [None if is_null else value for value, is_null in zip(values, null)]


def _text(value: Any) -> str | None:
    if value is None or (isinstance(value, float) and value != value):
        return None
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _attribute(cells: Mapping[str, str]) -> Attribute:
    name = cells["name"]
    if not name:
        raise ValueError("the name is empty")
    kind = next((kind for kind, names in _TYPES.items() if cells["type"].lower() in names), None)
    if kind is None:
        known = [each for names in _TYPES.values() for each in names]
        raise ValueError(f"type {cells['type']!r} is not known, {suggestion(cells['type'].lower(), known)}")
    missing: Any = "level" if _is_yes("missing", cells.get("missing", "")) else None
    levels = _levels(cells.get("levels", ""))
    if kind in ("number", "integer", "date") and not levels:
        return _numeric(name, kind, cells, missing)
    if kind == "binary":
        return Binary(name, levels or (False, True), missing=missing)
    if len(levels) == 2 and kind == "categorical" and not cells.get("other"):
        return Binary(name, levels, missing=missing)
    if not levels:
        raise ValueError(f'a {kind} column needs levels, such as "1=male; 2=female" or "clerk|nurse"')
    text = cells.get("other", "")
    other = next((level for level in levels if str(level) == text), text or None)
    return Categorical(name, tuple(levels), ordered=kind == "ordinal", missing=missing, other=other)


def _numeric(name: str, kind: str, cells: Mapping[str, str], missing: Any) -> Numeric:
    bounds: list[Any] = []
    for field in ("lower", "upper"):
        text = cells.get(field, "")
        if not text:
            raise ValueError(f'a {kind} column needs public bounds, "lower" and "upper"; "{field}" is empty')
        try:
            bounds.append(dt.date.fromisoformat(text[:10]) if kind == "date" else _number(text))
        except ValueError:
            wanted = "a date such as 2020-12-31" if kind == "date" else "a number"
            raise ValueError(f'"{field}" must be {wanted}, got {text!r}') from None
    bins = cells.get("bins") or None
    if bins is not None and not _INTEGER.fullmatch(bins):
        raise ValueError(f'"bins" must be an integer, got {bins!r}')
    width = bounds[1] - bounds[0]
    n_bins = int(bins) if bins else 16
    if kind != "number" and not bins:  # no more bins than there are integers or days
        n_bins = max(1, min(n_bins, int(width.days if isinstance(width, dt.timedelta) else width)))
    return Numeric(name, bounds[0], bounds[1], bins=n_bins, integer=kind == "integer", missing=missing)


def _number(text: str) -> int | float:
    return int(text) if _INTEGER.fullmatch(text) else float(text)


def _is_yes(field: str, text: str) -> bool:
    if text.lower() not in (*_TRUE, *_FALSE):
        raise ValueError(f'"{field}" must be yes or no, got {text!r}')
    return text.lower() in _TRUE


def _levels(text: str) -> list[Any]:
    """Levels of a text such as "1=male; 2=female", "1, male | 2, female", "clerk|nurse" or "a, b": codes."""
    separator = next((each for each in ("|", ";", "\n") if each in text), ",")
    parts = [part.strip() for part in text.split(separator) if part.strip()]
    codes = [part.partition("=")[0].strip() for part in parts]
    if separator == "|" and all("," in part for part in parts):  # code, label
        codes = [part.partition(",")[0].strip() for part in parts]
    if codes and all(_INTEGER.fullmatch(code) and str(int(code)) == code for code in codes):
        return [int(code) for code in codes]
    return codes
