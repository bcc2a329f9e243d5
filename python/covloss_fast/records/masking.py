"""Masked columns back in the caller's kind of table: names and order of columns and rows are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from covloss_fast.records.encoding import NumberStream, decode
from covloss_fast.records.one_hot import split
from covloss_fast.records.spelling import Spelling
from covloss_fast.records.tables import Kind
from covloss_fast.schema import Categorical, Numeric, OneHot, Schema

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["masked_table"]

#: Cells that are written at a time, to stay within the cache of the processor.
_CHUNK_CELLS = 2**17


def masked_table(
    kind: Kind,
    names: Sequence[Any] | None,
    attributes: Sequence[Categorical | Numeric | None],
    dtypes: Sequence[np.dtype[Any] | None],
    masked: Sequence[NDArray[Any]],
    spellings: Mapping[str, Spelling],
    natives: Mapping[Any, Any],
    index: Any = None,
    numbers: NumberStream | None = None,
) -> Any:
    """Make a table.

    Parameters
    ----------
    kind : {"pandas", "polars", "pyarrow", "dict", "numpy"}
        What to make.
    names : sequence or None
        Names of the columns; None for an array.
    attributes : sequence of Categorical, Numeric or None, one for each column
        What a column holds; None if nothing was declared.
    dtypes : sequence of dtype or None, one for each column
        Of a column of whole numbers or booleans; None for float64.
    masked : sequence of arrays of shape (n,)
        Codes of a categorical attribute; otherwise numbers, in the units of the attribute's edges, NaN where
        missing, which becomes the container's missing value.
    spellings : mapping from names of columns to Spelling
        How the table that was read holds levels; those of other columns are the schema's.
    natives : mapping from names of columns to dtypes of the container
        Where the columns of a pandas table were nullable or of Arrow, numbers are again.
    index : pandas Index, optional
        Labels of the rows, for pandas.
    numbers : NumberStream, optional
        If it is given, numbers come as codes of bins and are drawn from them.
    """
    if any(isinstance(attribute, OneHot) for attribute in attributes):
        names, attributes, dtypes, masked = _split(names, attributes, dtypes, masked)

    def is_decoded(attribute: Categorical | Numeric | None) -> bool:
        if isinstance(attribute, Categorical):
            return attribute.name not in spellings
        return attribute is not None and numbers is not None

    coded = [(a, values) for a, values in zip(attributes, masked) if a is not None and is_decoded(a)]
    decoded = {}
    if coded:
        decoded = decode(
            np.array([values for _, values in coded]),
            Schema([attribute for attribute, _ in coded]),
            "dict" if kind == "numpy" else kind,
            numbers,
        )
    parts = []
    for j, (attribute, dtype, values) in enumerate(zip(attributes, dtypes, masked)):
        if attribute is not None and is_decoded(attribute):
            parts.append(decoded[attribute.name])
        elif isinstance(attribute, Categorical):
            parts.append(spellings[attribute.name].column(kind, values))
        else:
            native = None if names is None else natives.get(names[j])
            parts.append(_number_column(kind, attribute, dtype, native, values))
    if kind == "numpy":
        return _array(parts, len(masked[0]))
    names = names or ()
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


def _split(
    names: Sequence[Any] | None,
    attributes: Sequence[Categorical | Numeric | None],
    dtypes: Sequence[np.dtype[Any] | None],
    masked: Sequence[NDArray[Any]],
) -> tuple[
    list[Any] | None, list[Categorical | Numeric | None], list[np.dtype[Any] | None], list[NDArray[Any]]
]:
    """One-hot attributes as their own columns."""
    columns: list[tuple[Any, Categorical | Numeric | None, np.dtype[Any] | None, NDArray[Any]]] = []
    for j, (attribute, dtype, values) in enumerate(zip(attributes, dtypes, masked)):
        if isinstance(attribute, OneHot):
            columns += [(member.name, member, None, bit) for member, bit in split(attribute, values)]
        else:
            columns.append((None if names is None else names[j], attribute, dtype, values))
    split_names, split_attributes, split_dtypes, split_masked = (list(part) for part in zip(*columns))
    return None if names is None else split_names, split_attributes, split_dtypes, split_masked


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


def _number_column(
    kind: str,
    attribute: Numeric | None,
    dtype: np.dtype[Any] | None,
    native: Any,
    values: NDArray[np.float64],
) -> Any:
    """Return one column of numbers, dates or times as the container has them."""
    missing = np.isnan(values)
    some = bool(missing.any())
    out: NDArray[Any] = values
    if attribute is not None and attribute.kind in ("date", "datetime"):
        ticks = np.where(missing, 0.0, np.rint(values)).astype(np.int64)
        out = ticks.view("datetime64[D]" if attribute.kind == "date" else "datetime64[us]")
        if some and kind not in ("polars", "pyarrow"):
            out[missing] = "NaT"
    elif dtype is not None:
        out = np.where(missing, 0.0, values).astype(dtype)
    zoned = attribute is not None and attribute.has_time_zone
    if kind == "pandas":
        import pandas as pd

        nullable = isinstance(native, pd.api.extensions.ExtensionDtype) and out.dtype.kind in "biuf"
        if nullable or (some and dtype is not None):
            kinds = {"b": pd.arrays.BooleanArray, "f": pd.arrays.FloatingArray}
            made = pd.Series(kinds.get(out.dtype.kind, pd.arrays.IntegerArray)(out, missing))
            if isinstance(native, pd.ArrowDtype):
                import pyarrow as pa

                return made.astype(pd.ArrowDtype(pa.from_numpy_dtype(out.dtype)))
            return made
        series = pd.Series(out.astype("datetime64[s]") if out.dtype == np.dtype("datetime64[D]") else out)
        return series.dt.tz_localize("UTC") if zoned else series
    if kind == "polars":
        import polars as pl

        column = pl.Series(out)
        if zoned:
            column = column.dt.replace_time_zone("UTC")
        return pl.select(pl.when(pl.Series(~missing)).then(column)).to_series() if some else column
    if kind == "pyarrow":
        import pyarrow as pa

        return pa.array(
            out, type=pa.timestamp("us", "UTC") if zoned else None, mask=missing if some else None
        )
    if some and dtype is not None:
        if kind == "numpy":  # among other numbers
            return values
        out = out.astype(object)
        out[missing] = None
    return out
