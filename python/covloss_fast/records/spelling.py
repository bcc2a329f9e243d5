"""Levels in the dtype and the words of the table that they came in.

A masked table is for those who worked with the true one: a Boolean attribute that came as 0.0 and 1.0, as a
nullable integer or as a category comes back as that. A schema says what values mean, not how a table holds
them: booleans may come as exact 0 and 1, integers as floats. So each declared level is looked up among the
values of the column, and the column that is published is made with the dtype of the one that was read.

Nothing but declared levels is spelled so: what only ``other=`` takes stays out of the published table, and
out of its categories. A CSV
file has no dtypes: in memory its levels have those of the schema, and only where a file is written for a
file, by :func:`as_in_file`, do they get the cells of the first back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from covloss_fast.records.encoding import codes_of_values
from covloss_fast.records.natives import as_series
from covloss_fast.records.tables import Column, Columns, Factored, Kind
from covloss_fast.schema import Categorical, OneHot, Schema

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Spelling", "as_in_file", "spellings_of"]


@dataclass(frozen=True, eq=False)
class Spelling:
    """How one column of a table holds the levels of its attribute.

    Attributes
    ----------
    values : array, shape (levels,)
        The value that stands for each declared level, without a missing one.
    dtype : object
        The container's dtype of the column; None if it has none (a list).
    """

    values: NDArray[Any]
    dtype: Any

    def column(self, kind: Kind, codes: NDArray[Any]) -> Any:
        """Make a column of a table of some kind; codes beyond the levels are missing values."""
        place = np.asarray(codes, dtype=np.intp)
        some = bool((place >= len(self.values)).any())
        values = [*self.values.tolist(), *([None] if some else [])]
        # The columns of a dict may be those of frames.
        container = type(self.dtype).__module__.partition(".")[0] if kind == "dict" else kind
        maker = _MAKERS.get(container)
        if maker is not None:
            made = maker(values, self.dtype, place)
            return as_series(made) if kind == "dict" and container == "pandas" else made
        dtype = self.dtype if isinstance(self.dtype, np.dtype) else self.values.dtype
        if dtype.kind == "U":
            dtype = np.promote_types(dtype, np.array(values).dtype)
        elif some and dtype.kind != "f":  # None is NaN among floats alone
            dtype = np.dtype(object)
        return np.array(values, dtype=dtype)[place]


def _make_pandas(values: list[Any], dtype: Any, place: NDArray[np.intp]) -> Any:
    import pandas as pd

    if isinstance(dtype, np.dtype):  # said again, or objects would be looked at and made text
        return pd.Series(np.array(values, dtype=dtype)[place], dtype=dtype, copy=False)
    if isinstance(dtype, pd.CategoricalDtype):
        return pd.Categorical.from_codes(dtype.categories.get_indexer(values)[place], dtype=dtype)
    try:
        levels = pd.Series(values, dtype=dtype)
    except (TypeError, ValueError):
        levels = pd.Series(values)
    return levels.array.take(place)


def _make_polars(values: list[Any], dtype: Any, place: NDArray[np.intp]) -> Any:
    import polars as pl

    if isinstance(dtype, pl.Enum):
        held = set(dtype.categories)
        values = [value if value in held else None for value in values]
    try:
        levels = pl.Series(values, dtype=dtype)
    except (TypeError, pl.exceptions.PolarsError):
        levels = pl.Series(values)
    return levels.gather(place)


def _make_pyarrow(values: list[Any], dtype: Any, place: NDArray[np.intp]) -> Any:
    import pyarrow as pa

    try:
        levels = pa.array(values, type=dtype)
    except (TypeError, pa.ArrowException):
        levels = pa.array(values)
    try:
        return levels.take(pa.array(place))
    except pa.ArrowNotImplementedError:  # of views of text
        return pa.array([values[k] for k in place.tolist()], type=levels.type)


_MAKERS = {"pandas": _make_pandas, "polars": _make_polars, "pyarrow": _make_pyarrow}


def spellings_of(columns: Columns, schema: Schema) -> dict[str, Spelling]:
    """Return how a validated table holds its levels, by the names of columns; nothing of a CSV file."""
    if columns.path is not None or columns.is_joined:
        return {}
    names = list(schema.columns if columns.names is None else columns.names)
    out = {}
    for attribute in _columns_of_levels(schema):
        j = names.index(attribute.name)
        values = _values(columns.column(j), attribute)
        if values is not None:
            out[attribute.name] = Spelling(values, _of_levels(columns.dtype(j), values, attribute))
    return out


def _of_levels(dtype: Any, values: NDArray[Any], attribute: Categorical) -> Any:
    """Return a dtype without categories that are no declared level: they would be published with it."""
    if type(dtype).__name__ not in ("CategoricalDtype", "Enum"):  # of pandas, of polars
        return dtype
    categories = list(dtype.categories)
    kept = [each for each in categories if each in values]
    if attribute.other is not None and values[attribute.other_code] not in kept:
        kept.append(values[attribute.other_code])
    if kept == categories:
        return dtype
    return type(dtype)(kept, ordered=dtype.ordered) if hasattr(dtype, "ordered") else type(dtype)(kept)


def _columns_of_levels(schema: Schema) -> list[Categorical]:
    """The attributes of levels, one-hot ones as their columns."""
    levels = [attribute for attribute in schema.attributes if isinstance(attribute, Categorical)]
    return [
        each
        for attribute in levels
        for each in (attribute.members if isinstance(attribute, OneHot) else (attribute,))
    ]


def _values(column: Column, attribute: Categorical) -> NDArray[Any] | None:
    """Return the value of a column for each level; None if the column cannot hold what may be published."""
    if isinstance(column, Factored):
        out = np.empty(len(attribute.levels), dtype=object)
        out[:] = _words(column, attribute, from_text=False)
        return out
    dtype = column.values.dtype
    held = [_holds(dtype, level) for level in attribute.levels]
    if attribute.other_code is not None and not held[attribute.other_code]:
        return None
    first = attribute.levels[held.index(True)] if any(held) else 0
    # A level that the dtype does not hold does not occur.
    return np.array([level if fits else first for level, fits in zip(attribute.levels, held)]).astype(dtype)


def _holds(dtype: np.dtype[Any], level: Any) -> bool:
    """Whether a dtype of numbers or booleans holds a level exactly."""
    if dtype.kind == "b":
        return level in (0, 1)
    if dtype.kind == "f":
        with np.errstate(over="ignore"):
            return bool(float(dtype.type(level)) == level)
    return bool(level == int(level) and np.iinfo(dtype).min <= level <= np.iinfo(dtype).max)


def _words(column: Factored, attribute: Categorical, from_text: bool) -> list[Any]:
    """Return the most frequent value that a column has for each level; the level itself if there is none."""
    words = list(attribute.levels)
    if attribute.kind == "text":
        return words
    often = np.bincount(column.index[column.index >= 0], minlength=len(column.uniques))
    used = np.flatnonzero(often)
    codes = codes_of_values([column.uniques[i] for i in used], attribute, from_text)
    best: dict[int, tuple[int, str]] = {}
    for i, code in zip(used.tolist(), codes.tolist()):
        value = column.uniques[i]
        rank = (-int(often[i]), repr(value))
        if code == attribute.other_code and value != words[code]:
            continue
        if code not in best or rank < best[code]:
            best[code] = rank
            words[code] = value
    return words


def as_in_file(table: Any, columns: Columns, schema: Schema) -> Any:
    """Return a pyarrow table with the levels spelled as in the CSV file that the columns come from.

    Parameters
    ----------
    table : pyarrow.Table
        A masked or drawn table; its columns of levels have the schema's types.
    columns : Columns
        The file, which fits the schema; of any other source the table is returned as it is.
    schema : Schema
        What was declared.
    """
    if columns.path is None or columns.names is None:
        return table
    import pyarrow as pa
    import pyarrow.compute as pc

    for attribute in _columns_of_levels(schema):
        if attribute.kind == "text" or attribute.name not in table.column_names:
            continue
        column = columns.column(columns.names.index(attribute.name))
        if not isinstance(column, Factored):
            continue
        words = pa.array(list(map(_cell, _words(column, attribute, from_text=True))), pa.string())
        place = table.column_names.index(attribute.name)
        published = table.column(place)
        code = pc.index_in(published, value_set=pa.array(attribute.levels).cast(published.type))
        table = table.set_column(place, attribute.name, words.take(code.combine_chunks()))
    return table


def _cell(word: Any) -> str:
    """A level that does not occur in the file has no cell to copy."""
    return word if isinstance(word, str) else str(word)
