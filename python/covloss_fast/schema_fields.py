"""The fields of a schema file, in one place: what the reader takes, and what an editor is told of them.

`FIELDS` says which fields an attribute of each type has; :func:`faults_of` compares an entry of a file with
it and says what to write instead, and :func:`json_schema` gives the same to editors as a JSON Schema.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

FORMAT = "covloss_fast schema"
VERSION = 1

_NAME = {"type": "string", "minLength": 1, "description": "Name of the column."}
_MISSING = {
    "enum": ["level", None],
    "description": 'With "level" a missing value is one more level; left out, it is an error.',
}
_LEVEL = {"type": ["string", "number", "boolean"]}
_BOUND = {"type": ["number", "string"]}

#: Type of attribute -> its fields, each with what an editor is told.
FIELDS: dict[str, dict[str, Any]] = {
    "binary": {
        "name": _NAME,
        "levels": {
            "type": "array",
            "items": _LEVEL,
            "minItems": 2,
            "maxItems": 2,
            "uniqueItems": True,
            "description": "The two spellings; the second is the bit 1. False and true if left out.",
        },
        "missing": _MISSING,
    },
    "categorical": {
        "name": _NAME,
        "levels": {
            "type": "array",
            "items": _LEVEL,
            "minItems": 1,
            "uniqueItems": True,
            "description": "All values that can occur, all text, all numbers or all booleans.",
        },
        "ordered": {"type": "boolean", "description": "Whether the order of the levels means something."},
        "other": {
            "type": ["string", "number", "boolean", "null"],
            "description": "A declared level that stands for every undeclared value.",
        },
        "missing": _MISSING,
    },
    "numeric": {
        "name": _NAME,
        "lower": {**_BOUND, "description": "Public lower bound; never the smallest value that occurs."},
        "upper": {**_BOUND, "description": "Public upper bound; never the largest value that occurs."},
        "bins": {"type": "integer", "minimum": 1, "description": "Bins of equal width; 16 if left out."},
        "edges": {
            "type": "array",
            "items": _BOUND,
            "minItems": 2,
            "description": "Increasing edges of the bins, instead of lower, upper and bins.",
        },
        "integer": {"type": "boolean", "description": "Values are integers, and are drawn as integers."},
        "time": {"enum": ["date", "datetime"], "description": "The bounds are dates or times, in ISO 8601."},
        "missing": _MISSING,
    },
    "one_hot": {
        "name": {**_NAME, "description": "Name of the attribute; no column has it."},
        "columns": {
            "type": "array",
            "items": {"type": "string", "minLength": 1},
            "minItems": 1,
            "uniqueItems": True,
            "description": "Columns of which every record has exactly one set.",
        },
        "levels": {
            "type": "array",
            "items": _LEVEL,
            "minItems": 2,
            "maxItems": 2,
            "description": "The two spellings in each column; the second is set. False and true if left out.",
        },
    },
}
#: Fields that must be there; of a numeric attribute also bounds or edges.
REQUIRED = {
    "binary": ("name",),
    "categorical": ("name", "levels"),
    "numeric": ("name",),
    "one_hot": ("name", "columns"),
}


class SchemaError(ValueError):
    r"""A schema that cannot be: all of its faults at once, with what to write instead where that is clear.

    Attributes
    ----------
    faults : tuple of str
        One sentence each.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> file = {"format": "covloss_fast schema", "version": 1, "attributes": [
    ...     {"type": "binry", "name": "smoker"}, {"type": "categorical", "name": "job", "levls": ["a", "b"]}]}
    >>> try:
    ...     cf.Schema.from_dict(file)
    ... except cf.SchemaError as error:
    ...     print(*error.faults, sep="\n")
    attribute 0 ('smoker'): "type" is 'binry', did you mean "binary"?
    attribute 1 ('job'): "levls" is no field of a categorical attribute, did you mean "levels"?
    """

    def __init__(self, faults: tuple[str, ...], where: str = "") -> None:
        self.faults = faults
        numbered = "; ".join(f"({number}) {fault}" for number, fault in enumerate(faults, 1))
        text = faults[0] if len(faults) == 1 else f"{len(faults)} faults: {numbered}"
        super().__init__(f"{where}: {text}" if where else text)

    def __reduce__(self) -> tuple[Any, ...]:
        return SchemaError, (self.faults,)


def suggestion(wrong: Any, known: list[str]) -> str:
    """Return what was meant, if something known is near; else what is known."""
    near = get_close_matches(str(wrong), known, n=1)
    if near:
        return f'did you mean "{near[0]}"?'
    return "known: " + ", ".join(known[:20]) + (", ..." if len(known) > 20 else "")


def faults_of(entry: Any, position: int) -> list[str]:
    """Return what is wrong with the fields of one attribute of a file; their values are another matter."""
    if not isinstance(entry, Mapping):
        return [f'attribute {position} is not an object, such as {{"type": "binary", "name": "smoker"}}']
    name = entry.get("name")
    where = f"attribute {position}" + (f" ({name!r})" if isinstance(name, str) else "")
    kind = entry.get("type")
    if not isinstance(kind, str) or kind not in FIELDS:
        if "type" not in entry:
            return [f'{where}: "type" is missing; known: {", ".join(FIELDS)}']
        return [f'{where}: "type" is {kind!r}, {suggestion(kind, list(FIELDS))}']
    fields = FIELDS[kind]
    unknown = [str(field) for field in entry if field not in fields and field != "type"]
    found = [
        f'{where}: "{field}" is no field of a {kind} attribute, {suggestion(field, list(fields))}'
        for field in unknown
    ]
    meant = {near for field in unknown for near in get_close_matches(field, list(fields), n=1)}
    absent = [field for field in REQUIRED[kind] if field not in entry and field not in meant]
    found += [f'{where}: "{field}" is missing, a {kind} attribute needs it' for field in absent]
    if kind == "numeric" and "edges" not in {*entry, *meant} and not {"lower", "upper"} <= {*entry, *meant}:
        found.append(f'{where}: public bounds are missing, "lower" and "upper", or "edges"')
    return found


def faults_of_file(data: Mapping[Any, Any]) -> list[str]:
    """Return what is wrong with the fields of a schema file beside those of its attributes."""
    known = ["format", "version", "attributes", "structural_zeros"]
    return [
        f'"{field}" is no field of a schema file, {suggestion(field, known)}'
        for field in data
        if field not in (*known, "$schema")
    ]


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of schema files, for editors."""
    kinds = {}
    for kind, fields in FIELDS.items():
        made: dict[str, Any] = {
            "type": "object",
            "properties": {"type": {"const": kind}, **fields},
            "required": ["type", *REQUIRED[kind]],
            "additionalProperties": False,
        }
        if kind == "numeric":
            made["anyOf"] = [{"required": ["lower", "upper"]}, {"required": ["edges"]}]
        kinds[kind] = made
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Schema of a table for covloss_fast",
        "description": "What is public about a table: attributes in order, their levels and bounds.",
        "type": "object",
        "anyOf": [
            {
                "properties": {
                    "$schema": {"type": "string"},
                    "format": {"const": FORMAT},
                    "version": {"const": VERSION},
                    "attributes": {
                        "type": "array",
                        "minItems": 1,
                        "items": {"oneOf": [{"$ref": f"#/$defs/{kind}"} for kind in FIELDS]},
                    },
                    "structural_zeros": {
                        "type": "array",
                        "description": "Pairs of levels that no record can have together.",
                        "items": {
                            "type": "object",
                            "minProperties": 2,
                            "maxProperties": 2,
                            "additionalProperties": {"type": ["string", "number", "boolean", "null"]},
                        },
                    },
                },
                "required": ["format", "version", "attributes"],
                "additionalProperties": False,
            },
            {
                "description": 'A domain file: {"attribute": size}; values are codes from 0 to size - 1.',
                "minProperties": 1,
                "additionalProperties": {"type": "integer", "minimum": 1},
            },
        ],
        "$defs": kinds,
    }
