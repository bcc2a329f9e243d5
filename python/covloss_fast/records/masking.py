"""Masked columns back in the caller's kind of table: names and order of columns and rows are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from covloss_fast.records.encoding import NumberStream, decode
from covloss_fast.records.natives import Native
from covloss_fast.records.one_hot import split
from covloss_fast.records.spelling import Spelling
from covloss_fast.records.tables import Kind
from covloss_fast.schema import Categorical, Numeric, OneHot, Schema

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["in_order", "masked_table"]

#: Cells that are written at a time, to stay within the cache of the processor.
_CHUNK_CELLS = 2**17


def masked_table(
    kind: Kind,
    names: Sequence[Any],
    attributes: Sequence[Categorical | Numeric | None],
    dtypes: Sequence[np.dtype[Any] | None],
    masked: Sequence[NDArray[Any]],
    spellings: Mapping[str, Spelling],
    natives: Mapping[Any, Native],
    index: Any = None,
    numbers: NumberStream | None = None,
) -> Any:
    """Make a table.

    Parameters
    ----------
    kind : {"pandas", "polars", "pyarrow", "dict", "numpy"}
        What to make.
    names : sequence
        Names of the columns; of an array their positions.
    attributes : sequence of Categorical, Numeric or None, one for each column
        What a column holds; None if nothing was declared.
    dtypes : sequence of dtype or None, one for each column
        Of a column of whole numbers or booleans; None for float64.
    masked : sequence of arrays of shape (n,)
        Codes of a categorical attribute; otherwise numbers, in the units of the attribute's edges, NaN where
        missing, which becomes the container's missing value.
    spellings : mapping from names of columns to Spelling
        How the table that was read holds levels; those of other columns are the schema's.
    natives : mapping from names of columns to Native
        How the table that was read holds numbers and times; other columns are float64.
    index : pandas Index, optional
        Labels of the rows, for pandas.
    numbers : NumberStream, optional
        If it is given, numbers come as codes of bins and are drawn from them.
    """
    if any(isinstance(attribute, OneHot) for attribute in attributes):
        names, attributes, dtypes, masked = _split(names, attributes, dtypes, masked)

    decoded = _decoded(kind, attributes, masked, spellings)
    drawn = {} if numbers is None else _drawn(attributes, masked, numbers)
    parts = []
    for name, attribute, dtype, values in zip(names, attributes, dtypes, masked):
        if isinstance(attribute, Categorical):
            known = spellings.get(attribute.name)
            parts.append(decoded[attribute.name] if known is None else known.column(kind, values))
            continue
        native = natives.get(name, Native())
        missing = np.isnan(values)
        if attribute is not None and attribute.name in drawn:
            values, missing = drawn[attribute.name]
            dtype = np.dtype(np.int64) if attribute.kind == "int" else None
        if attribute is not None and attribute.kind in ("date", "datetime"):
            parts.append(native.times(kind, values, missing, attribute))
        else:
            parts.append(native.numbers(kind, values, missing, dtype))
    if kind == "numpy":
        return _array(parts, len(masked[0]))
    if kind == "pandas":
        import pandas as pd

        frame = pd.DataFrame(dict(enumerate(parts)), copy=False)
        frame.columns = pd.Index(names, tupleize_cols=False)
        return frame if index is None else frame.set_axis(index, axis=0)
    if kind == "polars":
        import polars as pl

        return pl.DataFrame([part.alias(name) for name, part in zip(names, parts)])
    if kind == "pyarrow":
        import pyarrow as pa

        return pa.table(parts, names=list(names))
    return dict(zip(names, parts))


def _decoded(
    kind: Kind,
    attributes: Sequence[Categorical | Numeric | None],
    masked: Sequence[NDArray[Any]],
    spellings: Mapping[str, Spelling],
) -> Any:
    """Columns of levels that have no spelling but the schema's, by name."""
    coded = [
        (attribute, values)
        for attribute, values in zip(attributes, masked)
        if isinstance(attribute, Categorical) and attribute.name not in spellings
    ]
    if not coded:
        return {}
    schema = Schema([attribute for attribute, _ in coded])
    return decode(np.array([codes for _, codes in coded]), schema, "dict" if kind == "numpy" else kind)


def _drawn(
    attributes: Sequence[Categorical | Numeric | None],
    masked: Sequence[NDArray[Any]],
    numbers: NumberStream,
) -> dict[str, tuple[NDArray[Any], NDArray[np.bool_]]]:
    """Numbers drawn from bins, in the units of edges, and where they are missing, by name."""
    bins = [(each, codes) for each, codes in zip(attributes, masked) if isinstance(each, Numeric)]
    if not bins:
        return {}
    schema = Schema([attribute for attribute, _ in bins])
    made = decode(np.array([codes for _, codes in bins]), schema, "dict", numbers)
    out = {}
    for attribute, codes in bins:
        values = made[attribute.name]
        missing = np.zeros(len(codes), dtype=bool)
        if attribute.missing_code is not None:
            missing = codes == attribute.missing_code
            values[missing] = np.array(0).astype(values.dtype)
        out[attribute.name] = values.astype(np.float64 if values.dtype.kind == "f" else np.int64), missing
    return out


def _split(
    names: Sequence[Any],
    attributes: Sequence[Categorical | Numeric | None],
    dtypes: Sequence[np.dtype[Any] | None],
    masked: Sequence[NDArray[Any]],
) -> tuple[list[Any], list[Categorical | Numeric | None], list[np.dtype[Any] | None], list[NDArray[Any]]]:
    """One-hot attributes as their own columns."""
    columns: list[tuple[Any, Categorical | Numeric | None, np.dtype[Any] | None, NDArray[Any]]] = []
    for j, (attribute, dtype, values) in enumerate(zip(attributes, dtypes, masked)):
        if isinstance(attribute, OneHot):
            columns += [(member.name, member, None, bit) for member, bit in split(attribute, values)]
        else:
            columns.append((names[j], attribute, dtype, values))
    split_names, split_attributes, split_dtypes, split_masked = (list(part) for part in zip(*columns))
    return split_names, split_attributes, split_dtypes, split_masked


def in_order(table: Any, kind: Kind, names: Sequence[Any] | None) -> Any:
    """Return a masked table with its columns as `names`, if it has these: one-hot columns stand together."""
    if names is None or kind == "numpy":
        return table
    made = list(table if kind == "dict" else table.column_names if kind == "pyarrow" else table.columns)
    if made == list(names) or set(made) != set(names):
        return table
    if kind == "pandas":
        return table.iloc[:, [made.index(name) for name in names]]
    return {name: table[name] for name in names} if kind == "dict" else table.select(list(names))


def _array(parts: list[Any], n: int) -> NDArray[Any]:
    kinds = {part.dtype.kind for part in parts}
    dtype = np.result_type(*parts) if len(kinds) == 1 or kinds <= set("iuf") else np.dtype(object)
    out = np.empty((n, len(parts)), dtype=dtype)
    step = max(1, _CHUNK_CELLS // len(parts))
    for start in range(0, n, step):
        rows = slice(start, start + step)
        for j, part in enumerate(parts):
            out[rows, j] = part[rows]
    return out
