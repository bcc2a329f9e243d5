"""Tables of every kind, read column by column and written whole.

A table comes as a pandas, polars or pyarrow table, a dict of columns, a numpy array, or a CSV or Parquet
file. A reader learns only two shapes of column from this module:

:class:`Plain`
    numbers, booleans or times in a numpy array of the dtype in which they came, no value changed;
:class:`Factored`
    anything else (text, Python objects, categories): the few distinct Python values and, for each record,
    which one.

Meaning is given to values elsewhere (:mod:`covloss_fast.records.encoding`), once for each distinct value and
so by strict Python rules, at the speed of the factorisation. Nothing here guesses: every cell of a CSV file
is kept as the text that stands in the file, and the input is never written to.

pyarrow is needed for files alone and is imported where a file (or a pyarrow table) is met.
"""

from __future__ import annotations

import bz2
import csv
import datetime as dt
import gzip
import io
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal, TypeAlias

import narwhals as nw
import narwhals.dependencies as backends
import numpy as np

from covloss_fast._files import written_whole

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "Column",
    "Columns",
    "CsvText",
    "Factored",
    "Kind",
    "Plain",
    "TableError",
    "Unhashable",
    "calendar_days",
    "check_distinct",
    "estimate_records",
    "file_format",
    "has_names",
    "is_read_in_parts",
    "read",
    "read_batches",
    "read_undeclared",
    "table_of",
    "with_column",
    "without",
    "write_atomic",
    "write_batches",
    "write_csv",
]

Kind: TypeAlias = Literal["pandas", "polars", "pyarrow", "dict", "numpy"]

_CSV_SUFFIXES = (".csv", ".tsv", ".txt")
_COMPRESSIONS: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".bz2": bz2.open}
#: To guess the number of records of a file: characters looked at, how much tables are compressed.
_HEAD_CHARACTERS, _USUAL_COMPRESSION = 65_536, 5
#: Bytes that are parsed at a time, more where a record is longer: up to the most that pyarrow takes.
_MOST_CSV_BYTES = 2**31 - 1
_CSV_BLOCKS = (2**20, 2**25, 2**28, _MOST_CSV_BYTES)
#: Before this version of pyarrow several threads could wait for each other for ever where a CSV file has a
#: fault or a record longer than a block (github.com/apache/arrow/issues/48741).
_THREADS_SINCE = 23
#: Rows of Parquet that are decoded at a time, and how many times as many are decoded ahead.
_SCAN_ROWS, _SCAN_AHEAD = 2**17, 4
_PARQUET_SUFFIXES = (".parquet", ".pq")
#: Units of datetime64 longer than a day, and how many of them fit 64 bits as days.
CALENDAR_UNITS = {"Y": 10**16, "M": 10**17, "W": 10**18}
_DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab"}


class TableError(ValueError):
    """A table that cannot be read: no table, no header, a ragged line, unequal columns, one name twice."""


@dataclass(frozen=True)
class Plain:
    """A column of numbers, booleans or times.

    Attributes
    ----------
    values : array, shape (n,), dtype kind b, i, u, f or M
        As they came; possibly a strided view of the caller's memory, never to be written to.
    null : bool array, shape (n,), or None
        Where there is no value (NaN and NaT are missing values too, and stay in `values`).
    zoned : bool
        Whether times are moments (given in UTC) and not readings of a clock without a zone.
    """

    values: NDArray[Any]
    null: NDArray[np.bool_] | None = None
    zoned: bool = False


@dataclass(frozen=True)
class Factored:
    """A column of anything else.

    Attributes
    ----------
    uniques : list
        Python values; two entries may be equal, none is a missing value.
    index : int array, shape (n,)
        Which of `uniques` a record has; -1 for a missing value.
    """

    uniques: list[Any]
    index: NDArray[Any]


Column: TypeAlias = Plain | Factored


@dataclass(frozen=True)
class CsvText:
    """A CSV table that came through a pipe, held whole: faults are looked for in it a second time.

    Attributes
    ----------
    data : bytes
    """

    data: bytes

    def __str__(self) -> str:
        return "standard input"


@dataclass(frozen=True)
class Columns:
    """A table, ready to be read column by column.

    Attributes
    ----------
    kind : {"pandas", "polars", "pyarrow", "dict", "numpy"}
        The kind of container.
    names : tuple or None
        Names of the columns as they are; None for an array, whose columns go by position.
    n_records, n_columns : int
        Number of rows and of columns.
    column : callable
        ``column(j)`` reads column j.
    dtype : callable
        ``dtype(j)`` is the dtype that column j has in its container; None for lists and cells of CSV files.
    array : array, shape (n, p), or None
        The whole table if it is one numpy array of numbers or booleans.
    path : Path, CsvText or None
        The CSV file it came from: numbers and dates are then spelled as text, and records have lines.
    is_joined : bool
        Whether one-hot columns stand in it as one column (:mod:`covloss_fast.records.one_hot`).
    first_record : int
        The number of its first record, where it is a part of a longer table.
    places : tuple of int or None
        Where each column stands in the caller's table, if that is elsewhere.
    """

    kind: Kind
    names: tuple[Any, ...] | None
    n_records: int
    n_columns: int
    column: Callable[[int], Column]
    dtype: Callable[[int], Any]
    array: NDArray[Any] | None = None
    path: Path | CsvText | None = None
    is_joined: bool = False
    first_record: int = 0
    places: tuple[int, ...] | None = None

    def place(self, j: int) -> int:
        """Return where column j stands in the caller's table."""
        return j if self.places is None else self.places[j]

    def positions(self, rows: Sequence[int]) -> list[str]:
        """Return the places of records in words: lines of a CSV file, 0-based rows elsewhere."""
        places = [self.first_record + row for row in rows]
        lines = _lines_of_records(self.path, places) if self.path else {}
        return [f"line {lines[row]}" if row in lines else f"row {row}" for row in places]


# ---- numpy and Python objects ----------------------------------------------------------------------------


class Unhashable:
    """Stands for a list, a dict or the like in a cell: never a level of anything.

    Parameters
    ----------
    value : object
        Its type is kept.
    """

    def __init__(self, value: object) -> None:
        self.kind = type(value).__name__


def _is_missing(value: Any) -> bool:
    """Return whether a Python value is one of the many spellings of nothing."""
    if value is None or type(value).__name__ in ("NAType", "MaskedConstant"):
        return True
    if isinstance(value, Decimal):
        return value.is_nan()
    if isinstance(value, float | np.floating | np.datetime64 | np.timedelta64 | dt.datetime):
        return bool(value != value)  # NaN and NaT (pandas' NaT is a datetime)
    return False


def _without_missing(uniques: Sequence[Any], index: NDArray[Any]) -> Factored:
    """Make a factored column, missing values among the distinct ones turned into -1."""
    missing = np.array([_is_missing(value) for value in uniques], dtype=bool)
    if not missing.any():
        return Factored(list(uniques), index)
    # The last entry serves index -1.
    new_index = np.append(np.where(missing, -1, np.cumsum(~missing) - 1), -1)
    return Factored([value for value, gone in zip(uniques, missing) if not gone], new_index[index])


def _from_objects(values: list[Any]) -> Column:
    """Read Python objects; every pass over the records is a C loop inside Python (set, dict, map)."""
    types = set(map(type, values))
    if types in ({bool}, {int}, {float}):
        array = np.array(values)
        if array.dtype.kind in "bif":  # integers beyond 64 bits become objects
            return Plain(array)
    # Values of several types can be equal (True == 1 == 1.0), so the type belongs to the key.
    mixed = len(types) > 1 and not types <= {str, type(None)}
    keys: list[Any] = list(zip(map(type, values), values)) if mixed else values
    try:
        distinct = dict.fromkeys(keys)
    except TypeError:
        return _from_objects([_hashable(value) for value in values])
    except OverflowError:  # times so far away that numpy (since 2.5) cannot compare them across units
        times = np.array(values)
        if times.dtype.kind != "M":
            raise
        return _from_numpy(times)
    for number, key in enumerate(distinct):
        distinct[key] = number
    index = np.fromiter(map(distinct.__getitem__, keys), dtype=np.int32, count=len(keys))
    return _without_missing([key[1] for key in distinct] if mixed else list(distinct), index)


def _hashable(value: Any) -> Any:
    try:
        hash(value)
    except TypeError:
        return None if _is_missing(value) else Unhashable(value)
    return value


def calendar_days(values: NDArray[Any]) -> NDArray[Any]:
    """Return times in years, months or weeks as days; those beyond 64 bits become other far ones."""
    unit, count = np.datetime_data(values.dtype)
    ticks, limit = values.view(np.int64), CALENDAR_UNITS[unit] // count
    cut = np.where(np.isnat(values), ticks, np.clip(ticks, -limit, limit))
    days: NDArray[Any] = cut.view(values.dtype).astype("datetime64[D]")
    return days


def _from_numpy(values: NDArray[Any]) -> Column:
    if _is_masked(values):
        column = _from_numpy(np.asarray(values.data))
        mask = np.ma.getmaskarray(values)
        if isinstance(column, Plain):
            return Plain(column.values, mask)
        return Factored(column.uniques, np.where(mask, -1, column.index))
    if values.dtype.kind in "biuf":
        return Plain(values)
    if values.dtype.kind == "M":
        values = values.astype(values.dtype.newbyteorder("="), copy=False)
        unit = np.datetime_data(values.dtype)[0]
        if unit == "generic":  # holds nothing but NaT
            return Plain(values.astype("datetime64[us]"))
        return Plain(calendar_days(values) if unit in CALENDAR_UNITS else values)
    if values.dtype.kind == "m" and np.datetime_data(values.dtype)[0] in ("ns", "ps", "fs", "as"):
        values = values.astype("timedelta64[us]")  # which become durations; shorter ones, plain integers
    return _from_objects(values.astype(object).tolist())


# ---- pyarrow ---------------------------------------------------------------------------------------------


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise ImportError(
            "CSV and Parquet files are read and written with pyarrow: pip install 'covloss-fast[files]'"
        ) from None
    return pyarrow


def _from_arrow(column: Any) -> Column:
    """Read a pyarrow Array or ChunkedArray."""
    pa = _pyarrow()
    types = pa.types
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
        if isinstance(column, pa.ChunkedArray):
            column = column.chunk(0) if column.num_chunks else pa.array([], column.type)
    kind = column.type
    if isinstance(column, pa.ExtensionArray):
        if kind.extension_name.startswith(
            "pandas."
        ):  # periods and intervals: what they are kept in is no number
            return _from_objects(column.to_pandas().tolist())
        return _from_arrow(column.storage)
    null = column.is_null().to_numpy(zero_copy_only=False) if column.null_count else None
    if types.is_boolean(kind) or types.is_integer(kind) or types.is_floating(kind):
        if null is not None and not types.is_floating(kind):  # where floats are null numpy gets NaN
            column = column.fill_null(False if types.is_boolean(kind) else 0)
        return Plain(column.to_numpy(zero_copy_only=False), null)
    if types.is_timestamp(kind) or types.is_date(kind):
        if types.is_date32(kind):
            column, unit = column.cast(pa.int32()).cast(pa.int64()), "D"
        else:
            column, unit = column.cast(pa.int64()), kind.unit if types.is_timestamp(kind) else "ms"
        ticks = column.fill_null(0).to_numpy(zero_copy_only=False)
        return Plain(ticks.view(f"datetime64[{unit}]"), null, getattr(kind, "tz", None) is not None)
    if str(kind) == "string_view":  # pyarrow before 16 has no name for it
        column, kind = column.cast(pa.large_string()), pa.large_string()
    if types.is_string(kind) or types.is_large_string(kind):
        column = column.dictionary_encode()
    if types.is_dictionary(column.type):
        index = column.indices
        if index.null_count:  # -1 needs a signed type
            index = index.cast(pa.int64()).fill_null(-1)
        return _without_missing(column.dictionary.to_pylist(), index.to_numpy(zero_copy_only=False))
    return _from_objects(column.to_pylist())


# ---- pandas and polars -----------------------------------------------------------------------------------


def _from_pandas(series: Any) -> Column:
    pd = sys.modules["pandas"]
    dtype = series.dtype
    if isinstance(dtype, np.dtype):
        return _from_numpy(series.to_numpy())
    if isinstance(dtype, pd.CategoricalDtype):
        return _without_missing(series.cat.categories.tolist(), series.cat.codes.to_numpy())
    if isinstance(dtype, pd.DatetimeTZDtype):
        return Plain(series.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy(), zoned=True)
    if isinstance(dtype, pd.ArrowDtype):
        return _from_arrow(_pyarrow().array(series.array))
    if isinstance(dtype, pd.StringDtype):
        index, uniques = pd.factorize(series)
        return _without_missing(uniques.tolist(), index)
    if pd.api.types.is_numeric_dtype(dtype) and hasattr(dtype, "numpy_dtype"):  # Int64, Float64, boolean
        null = series.isna().to_numpy()
        return Plain(series.to_numpy(dtype=dtype.numpy_dtype, na_value=0), null if null.any() else None)
    return _from_numpy(series.to_numpy())


def _from_polars(series: Any) -> Column:
    pl = sys.modules["polars"]
    dtype = series.dtype
    if dtype in (pl.Categorical, pl.Enum):
        series, dtype = series.cast(pl.String), pl.String()
    if dtype == pl.String:
        uniques = series.drop_nulls().unique()
        numbers = pl.Series(range(len(uniques)), dtype=pl.Int32)
        index = series.replace_strict(uniques, numbers, default=None, return_dtype=pl.Int32).fill_null(-1)
        return Factored(uniques.to_list(), index.to_numpy())
    if dtype == pl.Datetime and dtype.time_zone is not None:
        return Plain(series.dt.convert_time_zone("UTC").dt.replace_time_zone(None).to_numpy(), zoned=True)
    if dtype in (pl.Date, pl.Datetime):
        return Plain(series.to_numpy())
    if dtype == pl.Boolean or dtype in _numpy_numbers(pl):
        null = series.is_null().to_numpy() if series.null_count() else None
        return Plain(series.fill_null(False if dtype == pl.Boolean else 0).to_numpy(), null)
    return _from_objects(series.to_list())


def _numpy_numbers(pl: Any) -> tuple[Any, ...]:
    """Dtypes of polars that numpy has too."""
    signed = (pl.Int8, pl.Int16, pl.Int32, pl.Int64)
    half = [pl.Float16] if hasattr(pl, "Float16") else []
    return (*signed, pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64, *half, pl.Float32, pl.Float64)


def _from_any(name: Any, values: Any) -> Column:
    """Read one column of a dict."""
    if backends.is_pandas_series(values):
        return _from_pandas(values)
    if backends.is_polars_series(values):
        return _from_polars(values)
    if backends.is_pyarrow_chunked_array(values) or type(values).__module__.startswith("pyarrow"):
        return _from_arrow(values)
    if isinstance(values, np.ndarray):
        if values.ndim != 1:
            raise TableError(f"column {name!r} must have one dimension, got {values.ndim}")
        return _from_numpy(values)
    if isinstance(values, Sequence) and not isinstance(values, str | bytes):
        return _from_objects(list(values))
    raise _not_a_column(name, values)


def _not_a_column(name: Any, values: Any) -> TableError:
    return TableError(f"column {name!r} must be an array or a list, got {type(values).__name__}")


# ---- containers ------------------------------------------------------------------------------------------


def read(table: Any) -> Columns:
    """Look at a table without copying it.

    Parameters
    ----------
    table : pandas, polars or pyarrow table, dict of columns, array of shape (n, p), or path
        A path names a CSV (.csv, .tsv, .txt, also .gz, .bz2) or Parquet file (.parquet, .pq, or a folder of
        them). CSV: UTF-8, one header line, separated by commas (by semicolons or tabs if there is no comma in
        the header); an empty cell without quotes is a missing value; all else is text, byte for byte.

    Returns
    -------
    Columns

    Raises
    ------
    TableError
        If the table cannot be read; for a CSV file with the line, what was expected and what was found.
    TypeError
        If it is not a table at all.
    ImportError
        If a file is given and pyarrow is absent.
    """
    if isinstance(table, Columns):
        return table
    if isinstance(table, str | os.PathLike):
        return _read_file(Path(table))
    if isinstance(table, CsvText):
        return _read_arrow(_read_csv(table), table)
    if isinstance(table, nw.DataFrame | nw.LazyFrame):
        table = table.to_native()
    if backends.is_polars_lazyframe(table):
        table = table.collect()
    if isinstance(table, np.ndarray):
        return _read_array(table)
    if backends.is_pandas_dataframe(table):
        return _read_pandas(table)
    if backends.is_polars_dataframe(table):
        names = tuple(table.columns)
        dtypes = table.dtypes
        return Columns(
            "polars",
            names,
            table.height,
            table.width,
            lambda j: _from_polars(table.to_series(j)),
            dtypes.__getitem__,
        )
    if isinstance(table, Mapping):
        return _read_dict(table)
    if hasattr(table, "__arrow_c_stream__") or hasattr(table, "__arrow_c_array__"):
        return _read_arrow(table)
    raise _not_a_table(table)


def read_undeclared(table: Any) -> Columns:
    """Look at a table whose columns no schema declares: what stands in its header is believed, and published.

    Parameters
    ----------
    table : table
        As for :func:`read`.

    Raises
    ------
    TableError
        As :func:`read` does; if all names in the header of a text file are numbers, as those of a file
        without one are, its first record; or if two columns have one name.
    """
    columns = read(table)
    if columns.path is not None and _is_record_of_numbers(columns.names or ()):
        line = next(_records(columns.path, _delimiter(columns.path)))[0]
        raise TableError(
            f"{columns.path}: line {line}: expected a header with names, found numbers alone, which seem to "
            "be a record: give the file a header"
        )
    check_distinct(columns.names or (), are_told=columns.path is None)
    return columns


def _is_record_of_numbers(names: Sequence[str]) -> bool:
    """Whether all names spell numbers, some of which may be missing (an empty cell, nan)."""
    marks = str.maketrans(dict.fromkeys(_DELIMITERS, ","))  # 31;52,5 has been cut at its decimal comma
    for cell in ",".join(names).translate(marks).split(","):
        try:
            float(cell.strip() or "nan")
        except ValueError:
            return False
    return any(character.isdigit() for name in names for character in name)


def check_distinct(names: Sequence[Any], are_told: bool = True) -> None:
    """Refuse columns of which two have one name.

    It is not told where it may be a value, of a record in the place of a file's header.
    """
    places: dict[Any, int] = {}
    for j, name in enumerate(names):
        first = places.setdefault(name, j)
        if first != j:
            what = f"two columns are named {name!r}" if are_told else "two columns have one name"
            raise TableError(f"{what}, those at positions {first} and {j}")


def has_names(table: Any) -> bool:
    """Whether a table is one whose columns have names, which :func:`read` takes."""
    if isinstance(table, Mapping | str | os.PathLike | nw.DataFrame | nw.LazyFrame | Columns):
        return True
    return bool(backends.is_into_dataframe(table) or backends.is_polars_lazyframe(table))


def table_of(values: NDArray[Any], kind: Kind, names: Sequence[Any] | None) -> Any:
    """Return an array as a table of some kind, one column for each of its columns."""
    if names is None or kind == "numpy":
        return values
    if kind == "pandas":
        import pandas as pd

        frame = pd.DataFrame(values)
        frame.columns = pd.Index(names, tupleize_cols=False)
        return frame
    columns = {name: np.ascontiguousarray(values[:, j]) for j, name in enumerate(names)}
    if kind == "polars":
        import polars as pl

        return pl.DataFrame(columns)
    return columns if kind == "dict" else _pyarrow().table(columns)


def without(columns: Columns, names: Sequence[Any]) -> Columns:
    """Return a table with names without some of its columns."""
    if columns.names is None or not names:
        return columns
    kept = [j for j, name in enumerate(columns.names) if name not in names]
    return replace(
        columns,
        names=tuple(columns.names[j] for j in kept),
        places=tuple(columns.place(j) for j in kept),
        n_columns=len(kept),
        column=lambda j: columns.column(kept[j]),
        dtype=lambda j: columns.dtype(kept[j]),
    )


def _not_a_table(table: Any) -> TypeError:
    if isinstance(table, Iterator):
        return TypeError(
            "an iterator can be read once, and records are read several times: give a function that returns "
            "a fresh iterator of tables each time"
        )
    return TypeError(
        "a table must be a pandas, polars or pyarrow table, a dict of columns, a two-dimensional array "
        f"or a path, got {type(table).__name__}"
    )


def _is_masked(array: NDArray[Any]) -> bool:
    """Whether it is an array of `numpy.ma`, which nobody has who did not import it: a megabyte of code."""
    return "numpy.ma" in sys.modules and isinstance(array, np.ma.MaskedArray)


def _read_array(array: NDArray[Any]) -> Columns:
    if array.ndim != 2:
        raise TableError(f"an array must have two dimensions, records and attributes, got {array.ndim}")
    n, p = array.shape
    plain = array if array.dtype.kind in "biuf" and not _is_masked(array) else None
    return Columns("numpy", None, n, p, lambda j: _from_numpy(array[:, j]), lambda j: array.dtype, plain)


def _read_pandas(frame: Any) -> Columns:
    n, p = frame.shape
    dtype = frame.dtypes.iloc[0] if p else None
    array = None
    # Columns with gaps between their values are views of one array, which is then at hand without a copy.
    if (
        n > 1
        and isinstance(dtype, np.dtype)
        and dtype.kind in "biuf"
        and (frame.dtypes == dtype).all()
        and frame.iloc[:, 0].to_numpy().strides[0] != dtype.itemsize
    ):
        array = frame.to_numpy()
    return Columns(
        "pandas",
        tuple(frame.columns),
        n,
        p,
        lambda j: _from_pandas(frame.iloc[:, j]),
        lambda j: frame.dtypes.iloc[j],
        array,
    )


def _read_dict(table: Mapping[Any, Any]) -> Columns:
    names = tuple(table)
    values = list(table.values())
    lengths: dict[int, Any] = {}
    for name, column in zip(names, values):
        try:
            lengths.setdefault(len(column), name)
        except TypeError:
            raise _not_a_column(name, column) from None
    if len(lengths) > 1:
        (first, one), (second, other), *_ = lengths.items()
        raise TableError(f"columns differ in length: {one!r} has {first:,} records, {other!r} has {second:,}")
    n = next(iter(lengths), 0)
    return Columns(
        "dict",
        names,
        n,
        len(names),
        lambda j: _from_any(names[j], values[j]),
        lambda j: getattr(values[j], "dtype", getattr(values[j], "type", None)),
    )


def _read_arrow(table: Any, path: Path | CsvText | None = None) -> Columns:
    pa = _pyarrow()
    if isinstance(table, pa.RecordBatch):
        table = pa.Table.from_batches([table])
    elif not isinstance(table, pa.Table):
        try:
            table = pa.table(table)
        except pa.ArrowInvalid:  # a single column also offers an Arrow stream
            raise _not_a_table(table) from None
    return Columns(
        "pyarrow",
        tuple(table.column_names),
        table.num_rows,
        table.num_columns,
        lambda j: _from_arrow(table.column(j)),
        lambda j: None if path is not None else table.schema.field(j).type,
        path=path,
    )


# ---- files -----------------------------------------------------------------------------------------------


def file_format(path: Path) -> tuple[Literal["csv", "parquet"], str]:
    """Return the format that a file name stands for and its compression suffix, "" if there is none."""
    suffix = path.suffix.lower()
    compression = suffix if suffix in _COMPRESSIONS else ""
    inner = Path(path.stem).suffix.lower() if compression else suffix
    if inner in _CSV_SUFFIXES:
        return "csv", compression
    if inner in _PARQUET_SUFFIXES and not compression:
        return "parquet", ""
    raise TableError(f"{path}: the name of a table must end in .csv, .csv.gz or .parquet")


def _read_file(path: Path) -> Columns:
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file")
    pa = _pyarrow()
    if path.is_dir() or file_format(path)[0] == "parquet":
        import pyarrow.parquet

        try:
            return _read_arrow(pyarrow.parquet.read_table(path))
        except (pa.ArrowException, OSError) as error:
            raise TableError(f"{path}: not a Parquet table ({_first_line(error)})") from None
    return _read_arrow(_read_csv(path), path)


def is_read_in_parts(table: Any) -> bool:
    """Whether a table is a file, a folder of files or a dataset of pyarrow's."""
    return isinstance(table, str | os.PathLike) or _is_dataset(table)


def _is_dataset(table: Any) -> bool:
    dataset = sys.modules.get("pyarrow.dataset")  # not imported: then it is none
    return dataset is not None and isinstance(table, dataset.Dataset)


def read_batches(table: Any, names: Sequence[str]) -> Iterator[tuple[Any, Columns]]:
    """Read a file, a folder of Parquet files or a dataset a part at a time.

    Parameters
    ----------
    table : path or pyarrow.dataset.Dataset
        What to read.
    names : sequence of str
        The columns to read of a dataset. Files must have no others: they are read whole.

    Returns
    -------
    iterator of (pyarrow.RecordBatch, Columns)

    Raises
    ------
    TableError, ImportError, FileNotFoundError
        As :func:`read` does.
    """
    n = 0
    for batch in _arrow_batches(table, names):
        path = Path(table) if not _is_dataset(table) and _is_text(Path(table)) else None
        yield batch, replace(_read_arrow(batch, path), first_record=n)
        n += batch.num_rows


def _is_text(path: Path) -> bool:
    return not path.is_dir() and file_format(path)[0] == "csv"


def _arrow_batches(table: Any, names: Sequence[str]) -> Iterator[Any]:
    """Record batches, at least one; only that of a table without records is empty."""
    pa = _pyarrow()
    if _is_dataset(table):
        absent = [name for name in names if name not in table.schema.names]
        if absent:
            raise TableError(f"the dataset has no column {', '.join(map(repr, absent))}")
        yield from _scan(table, list(names))
        return
    path = Path(table)
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file")
    if _is_text(path):
        empty = True
        for batch in _csv_batches(path):
            empty = False
            yield batch
        if empty:
            yield _read_csv(path)
        return
    import pyarrow.dataset

    try:
        yield from _scan(pyarrow.dataset.dataset(path, format="parquet", partitioning="hive"), None)
    except (pa.ArrowException, OSError) as error:
        raise TableError(f"{path}: not a Parquet table ({_first_line(error)})") from None


def _scan(dataset: Any, names: list[str] | None) -> Iterator[Any]:
    """Read a dataset in its order; row groups are decoded by several threads, a few of them ahead."""
    empty = True
    for batch in dataset.to_batches(
        columns=names, batch_size=_SCAN_ROWS, batch_readahead=_SCAN_AHEAD, fragment_readahead=1
    ):
        if batch.num_rows:
            empty = False
            yield batch
    if empty:
        yield dataset.head(0, columns=names)


def estimate_records(table: Any) -> int | None:
    """Number of records of a table, without reading it; of a text file by its size. None if unknown.

    For the curator's planning alone: nothing that is released depends on it.
    """
    if isinstance(table, str | os.PathLike):
        try:
            return _records_of_file(Path(table))
        except (OSError, ValueError, EOFError, ImportError):  # said in full when it is read
            return None
    if isinstance(table, Mapping):
        table = next(iter(table.values()), ())
    try:
        return len(table)
    except TypeError:
        return None


def _records_of_file(path: Path) -> int | None:
    kind = "parquet" if path.is_dir() else file_format(path)[0]
    if kind == "parquet":
        import pyarrow.parquet

        files = sorted(path.rglob("*.parquet")) if path.is_dir() else [path]
        return sum(int(pyarrow.parquet.read_metadata(each).num_rows) for each in files)
    size = path.stat().st_size
    with _open_text(path) as file:
        head = file.read(_HEAD_CHARACTERS)
    if path.suffix.lower() in _COMPRESSIONS:
        size *= _USUAL_COMPRESSION
    return int(size * (head.count("\n") / max(len(head), 1)))


def _first_line(error: BaseException) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__


def _open_text(path: Path | CsvText) -> io.TextIOWrapper:
    """Open a CSV file as text; bytes that are not UTF-8 are kept apart, to be found by line."""
    if isinstance(path, CsvText):
        stream: Any = io.BytesIO(path.data)
    else:
        stream = _COMPRESSIONS.get(path.suffix.lower(), open)(path, "rb")
    return io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape", newline="")


def _records(path: Path | CsvText, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Read (first line, cells) of the header and of each record, slowly: for headers and for the places of
    faults.

    Blank lines are no records, unless the table has one column, where a blank line is a missing value.
    """
    with _open_text(path) as file:
        # One limit for the process, only ever raised here: other threads may be reading.
        csv.field_size_limit(max(csv.field_size_limit(), _MOST_CSV_BYTES))
        reader = csv.reader(file, delimiter=delimiter)
        width, line = 0, 1
        for cells in reader:
            if cells or width == 1:
                width = width or len(cells)
                yield line, cells or [""]
            line = reader.line_num + 1


def _delimiter(path: Path | CsvText) -> str:
    with _open_text(path) as file:
        head = next((line for line in file if line.strip()), "")
    return next((mark for mark in _DELIMITERS if mark in head), ",")


def _lines_of_records(path: Path | CsvText, rows: Sequence[int]) -> dict[int, int]:
    """Return the lines of the file on which records start."""
    wanted, lines = set(rows), {}
    with suppress(csv.Error):  # what pyarrow takes for text and Python's reader does not: no line is told
        for number, (line, _) in enumerate(_records(path, _delimiter(path)), start=-1):  # -1: the header
            if number in wanted:
                lines[number] = line
                if len(lines) == len(wanted):
                    break
    return lines


def _read_csv(path: Path | CsvText) -> Any:
    """Read a CSV file into a pyarrow table of text, dictionary-encoded."""
    pa = _pyarrow()
    import pyarrow.csv

    with _csv_faults(path) as names:
        options = _csv_options(path, names)
        for block_size in _CSV_BLOCKS:
            try:
                file = pa.BufferReader(path.data) if isinstance(path, CsvText) else path
                return pyarrow.csv.read_csv(file, **options(block_size, _may_use_threads(pa.__version__)))
            except pa.ArrowInvalid as error:
                if _is_header_alone(path):
                    return pa.Table.from_arrays([pa.array([], pa.string())] * len(names), names)
                if not _is_long_record(error, block_size):
                    raise


def _csv_batches(path: Path) -> Iterator[Any]:
    """Read a CSV file a few megabytes at a time, as record batches of text, dictionary-encoded."""
    pa = _pyarrow()
    import pyarrow.csv

    with _csv_faults(path) as names:
        options, n_given = _csv_options(path, names), 0
        for block_size in _CSV_BLOCKS:
            try:
                n = 0
                for batch in pyarrow.csv.open_csv(path, **options(block_size, True)):
                    n += batch.num_rows
                    if n > n_given:  # not read before a record that was longer than a block
                        yield batch.slice(max(batch.num_rows - (n - n_given), 0))
                        n_given = n
                return
            except pa.ArrowInvalid as error:
                if _is_header_alone(path):
                    return
                if not _is_long_record(error, block_size):
                    raise


def _may_use_threads(version: str) -> bool:
    """Whether a version of pyarrow reads a whole CSV file with several threads and always comes to an end."""
    return int(version.partition(".")[0]) >= _THREADS_SINCE


def _is_header_alone(path: Path | CsvText) -> bool:
    """Whether a file holds a header without even an end of line, which pyarrow does not read."""
    records = _records(path, _delimiter(path))
    return next(records, None) is not None and next(records, None) is None


def _is_long_record(error: Exception, block_size: int) -> bool:
    """Whether a record was longer than a block, and blocks may be longer."""
    return "straddling" in str(error) and block_size != _CSV_BLOCKS[-1]


@contextmanager
def _csv_faults(path: Path | CsvText) -> Iterator[list[str]]:
    """Give the names of the columns; say what is wrong with the file, and where, if it cannot be read."""
    pa = _pyarrow()
    try:
        names = next(_records(path, _delimiter(path)), (1, []))[1]
    except (OSError, EOFError) as error:
        raise TableError(f"{path}: cannot be read ({_first_line(error)})") from None
    except csv.Error as error:
        raise TableError(f"{path}: line 1: {error}") from None
    if not names:
        raise TableError(f"{path}: line 1: expected a header with names, found an empty file")
    try:
        yield names
    except (pa.ArrowException, OSError) as error:
        _explain_bad_csv(path, _delimiter(path), names)
        raise TableError(f"{path}: not a CSV table ({_first_line(error)})") from None


def _csv_options(path: Path | CsvText, names: list[str]) -> Callable[[int, bool], dict[str, Any]]:
    """Options of pyarrow's readers, for a length of blocks and one thread or several."""
    pa = _pyarrow()
    import pyarrow.csv

    header = next(_records(path, _delimiter(path)))
    _check_utf8(path, header)
    text = pa.dictionary(pa.int32(), pa.string())

    def options(block_size: int, use_threads: bool) -> dict[str, Any]:
        return {
            "read_options": pyarrow.csv.ReadOptions(
                column_names=names,
                skip_rows=header[0] - 1,
                skip_rows_after_names=1,
                block_size=block_size,
                use_threads=use_threads,
            ),
            "parse_options": pyarrow.csv.ParseOptions(
                delimiter=_delimiter(path), newlines_in_values=True, ignore_empty_lines=len(names) > 1
            ),
            "convert_options": pyarrow.csv.ConvertOptions(
                column_types=dict.fromkeys(names, text),
                null_values=[""],
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
            ),
        }

    return options


def _check_utf8(path: Path | CsvText, record: tuple[int, list[str]]) -> None:
    line, cells = record
    if any("\udc80" <= character <= "\udcff" for cell in cells for character in cell):
        raise TableError(f"{path}: line {line}: expected UTF-8 text, found bytes that are not UTF-8")


def _explain_bad_csv(path: Path | CsvText, delimiter: str, names: list[str]) -> None:
    """Raise the sentence for the first record that is not as the header says."""
    line = 1
    try:
        for line, cells in _records(path, delimiter):
            _check_utf8(path, (line, cells))
            if len(cells) != len(names):
                raise TableError(
                    f"{path}: line {line}: expected {len(names)} cells as in the header, "
                    f"separated by {_DELIMITERS[delimiter]}s, found {len(cells)}"
                )
    except (OSError, EOFError, csv.Error) as error:
        raise TableError(f"{path}: cannot be read after line {line} ({_first_line(error)})") from None


def _to_arrow(table: Any, names: Sequence[str] | None) -> Any:
    """Make a pyarrow table of any kind of table that :func:`read` takes, files apart."""
    pa = _pyarrow()
    if isinstance(table, np.ndarray):
        if names is None:
            raise ValueError("an array has no names of columns; give names=")
        table = {name: table[:, j] for j, name in enumerate(names)}
    if backends.is_pandas_dataframe(table):
        return pa.Table.from_pandas(table, preserve_index=False)
    if backends.is_polars_dataframe(table):  # text as the file formats know it, not as views
        levels = getattr(
            sys.modules["polars"], "CompatLevel", None
        )  # since polars 1.1; before, no views either
        return table.to_arrow() if levels is None else table.to_arrow(compat_level=levels.oldest())
    if isinstance(table, pa.RecordBatch):
        return pa.Table.from_batches([table])
    if isinstance(table, Mapping):
        return pa.table({name: pa.array(values, from_pandas=True) for name, values in table.items()})
    return table if isinstance(table, pa.Table) else pa.table(table)


def with_column(table: Any, name: str, values: NDArray[Any], names: Sequence[str]) -> Any:
    """Make a pyarrow table of any kind of table, with one more column; `names` are those of an array."""
    pa = _pyarrow()
    return _to_arrow(table, names).append_column(name, pa.array(values))


def write_atomic(path: str | os.PathLike[str], table: Any, names: Sequence[str] | None = None) -> None:
    """Write a table to a CSV or Parquet file, wholly or not at all.

    The table goes to a temporary file in the same folder, which then takes the name; after any error, Ctrl-C
    included, the folder is as it was.

    Parameters
    ----------
    path : path
        Ends in .csv (.tsv, .txt; also .gz, .bz2) or .parquet. A missing value becomes an empty cell, text
        that needs quotes gets them, so that :func:`read` gives every label back byte for byte.
    table : pandas, polars or pyarrow table, dict of columns or array
        What to write.
    names : sequence of str, optional
        Names of the columns, for an array.
    """
    write_batches(path, iter([table]), names)


def write_batches(
    path: str | os.PathLike[str], batches: Iterator[Any], names: Sequence[str] | None = None
) -> None:
    """Write tables one below the other to a file, as `write_atomic` does with one; none is kept.

    Parameters
    ----------
    path : path
        As for `write_atomic`.
    batches : iterator of tables
        At least one, all with the columns and types of the first. An error of the iterator leaves no file.
    names : sequence of str, optional
        Names of the columns, for arrays.
    """
    target = Path(path)
    kind, compression = file_format(target)
    delimiter = None if kind == "parquet" else "\t" if ".tsv" in target.suffixes[-2:] else ","
    tables = (_to_arrow(table, names) for table in batches)
    with written_whole(target) as file, ExitStack() as stack:
        stream: Any = file
        if compression:
            stream = stack.enter_context(_COMPRESSIONS[compression](file, "wb"))
        _write(stream, tables, delimiter)


def write_csv(stream: IO[bytes], batches: Iterator[Any]) -> None:
    """Write tables one below the other to an open stream, such as standard output, as CSV.

    Parameters
    ----------
    stream : binary stream
        Stays open.
    batches : iterator of tables
        As for `write_batches`.
    """
    _write(stream, (_to_arrow(table, None) for table in batches), ",")
    stream.flush()


def _write(stream: Any, tables: Iterator[Any], delimiter: str | None) -> None:
    """Write Parquet, or, with a delimiter, CSV."""
    if delimiter is not None:
        tables = (_plain_columns(table) for table in tables)
    table = next(tables)
    with _writer(stream, table.schema, delimiter) as writer:
        while table is not None:
            writer.write_table(table)
            table = next(tables, None)


def _writer(stream: Any, schema: Any, delimiter: str | None) -> Any:
    """A writer of Parquet, or, with a delimiter, of CSV."""
    if delimiter is None:
        import pyarrow.parquet

        return pyarrow.parquet.ParquetWriter(stream, schema)
    import pyarrow.csv

    options = pyarrow.csv.WriteOptions(delimiter=delimiter)
    return pyarrow.csv.CSVWriter(stream, schema, write_options=options)


def _plain_columns(arrow: Any) -> Any:
    """The table in types that the writer of CSV knows."""
    pa = _pyarrow()
    columns = []
    for column in arrow.columns:
        if pa.types.is_dictionary(column.type):  # categories are written as what they stand for
            column = column.cast(column.type.value_type)
        if str(column.type) == "string_view":  # the writer does not know it
            column = column.cast(pa.large_string())
        columns.append(column)
    return pa.table(columns, names=arrow.column_names)
