"""Tables of every kind, read column by column and written whole."""

from __future__ import annotations

import datetime as dt
import gzip
import io
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from covloss_fast.records import tables
from covloss_fast.records.tables import (
    Factored,
    Plain,
    TableError,
    read,
    read_batches,
    read_undeclared,
    write_atomic,
    write_batches,
)


def values_of(column: Plain | Factored) -> list[Any]:
    """Python values of a column, None where there is none."""
    if isinstance(column, Factored):
        return [None if i < 0 else column.uniques[i] for i in column.index]
    values: list[Any] = column.values.tolist()
    null = column.null if column.null is not None else np.zeros(len(values), dtype=bool)
    return [None if gone or value != value else value for value, gone in zip(values, null)]


def cells(table: Any) -> dict[Any, list[Any]]:
    """All values of a table, by column."""
    columns = read(table)
    names = range(columns.n_columns) if columns.names is None else columns.names
    out = {name: values_of(columns.column(j)) for j, name in enumerate(names)}
    assert all(len(column) == columns.n_records for column in out.values())
    return out


DATA = {
    "flag": [True, None, False],
    "count": [1, None, 2**53 + 1],
    "share": [0.5, None, -1.0],
    "job": ["nurse", None, ""],
    "day": [dt.date(2020, 2, 29), None, dt.date(1969, 12, 31)],
    "moment": [dt.datetime(2020, 2, 29, 12, 30), None, dt.datetime(1969, 12, 31)],
    "price": [Decimal("1.10"), None, Decimal("2.00")],
}


def pandas_nullable() -> pd.DataFrame:
    """The table with pandas' own nullable dtypes."""
    return pd.DataFrame(
        {
            "flag": pd.array(DATA["flag"], dtype="boolean"),
            "count": pd.array(DATA["count"], dtype="Int64"),
            "share": pd.array(DATA["share"], dtype="Float64"),
            "job": pd.array(DATA["job"], dtype="string"),
            "day": pd.array(DATA["day"], dtype=object),
            "moment": pd.array(DATA["moment"], dtype="datetime64[us]"),
            "price": pd.array(DATA["price"], dtype=object),
        }
    )


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda: pa.table(DATA), "pyarrow"),
        (lambda: pa.RecordBatch.from_pydict(DATA), "pyarrow"),
        (lambda: pa.concat_tables([pa.table(DATA).slice(0, 1), pa.table(DATA).slice(1)]), "pyarrow"),
        (lambda: pl.DataFrame(DATA), "polars"),
        (lambda: pl.DataFrame(DATA).lazy(), "polars"),
        (lambda: nw.from_native(pl.DataFrame(DATA)), "polars"),
        (lambda: pandas_nullable(), "pandas"),
        (lambda: pa.table(DATA).to_pandas(types_mapper=pd.ArrowDtype), "pandas"),
        (lambda: pd.DataFrame(DATA, dtype=object), "pandas"),
        (lambda: DATA, "dict"),
        (lambda: {name: np.array(values, dtype=object) for name, values in DATA.items()}, "dict"),
        (lambda: {name: pl.Series(values) for name, values in DATA.items()}, "dict"),
        (lambda: {name: pa.chunked_array([values]) for name, values in DATA.items()}, "dict"),
        (lambda: dict(pandas_nullable().items()), "dict"),
    ],
)
def test_every_container_gives_the_same_values(make: Any, kind: str) -> None:
    table = make()
    assert read(table).kind == kind
    assert read(table).names == tuple(DATA)
    assert cells(table) == DATA


def test_read_twice_is_read_once() -> None:
    columns = read(DATA)
    assert read(columns) is columns


def test_plain_columns_are_not_copied() -> None:
    array = np.arange(12).reshape(4, 3)[::2]
    column = read(array).column(1)
    assert isinstance(column, Plain)
    assert np.shares_memory(column.values, array)
    frame = pd.DataFrame({"a": np.arange(5)})
    column = read(frame).column(0)
    assert isinstance(column, Plain)
    assert np.shares_memory(column.values, frame["a"].to_numpy())


def test_frame_over_one_array_gives_the_array() -> None:
    array = np.arange(12, dtype=np.uint8).reshape(4, 3)
    whole = read(pd.DataFrame(array, columns=list("abc"), copy=False)).array
    assert whole is not None
    assert np.shares_memory(whole, array)
    assert read(pd.DataFrame({"a": [1, 2], "b": [3, 4]})).array is None
    assert read(pd.DataFrame({"a": [1, 2], "b": [0.5, 4]})).array is None


@pytest.mark.parametrize("unit", ["D", "h", "m", "s", "ms", "us", "ns", "W", "M", "Y"])
def test_times_keep_their_instant(unit: str) -> None:
    times = np.array(["2020-01-01", "NaT", "1969-01-01"], dtype=f"datetime64[{unit}]")
    column = read({"a": times}).column(0)
    assert isinstance(column, Plain)
    np.testing.assert_array_equal(column.values.astype("datetime64[ns]"), times.astype("datetime64[ns]"))


@pytest.mark.parametrize(
    "make",
    [
        lambda s: pd.Series(pd.to_datetime(s, utc=True).tz_convert("Asia/Tokyo")),
        lambda s: (
            pl.Series(s).str.to_datetime().dt.replace_time_zone("UTC").dt.convert_time_zone("Asia/Tokyo")
        ),
        lambda s: pa.array(
            [dt.datetime.fromisoformat(t + "+00:00") for t in s], pa.timestamp("s", "Asia/Tokyo")
        ),
    ],
)
def test_zoned_times_are_utc(make: Any) -> None:
    column = read({"a": make(["2020-01-01T00:00:00", "2020-06-01T12:00:00"])}).column(0)
    assert isinstance(column, Plain)
    assert column.zoned
    np.testing.assert_array_equal(column.values, np.array(["2020-01-01", "2020-06-01T12"], "datetime64[s]"))


@pytest.mark.parametrize(
    "make",
    [
        lambda v: pd.Series(v, dtype="category"),
        lambda v: pl.Series(v, dtype=pl.Categorical),
        lambda v: pl.Series(v, dtype=pl.Enum(["b", "a", "unused"])),
        lambda v: pa.array(v).dictionary_encode(),
        lambda v: pa.chunked_array(
            [pa.array(v[:2]).dictionary_encode(), pa.array(v[2:]).dictionary_encode()]
        ),
        lambda v: pa.array(v, pa.large_string()),
        lambda v: pa.array(v, getattr(pa, "string_view", pa.string)()),
        lambda v: np.ma.MaskedArray(np.array(["a", "b", "a", "x"]), [False, False, False, True]),
    ],
)
def test_categories_are_their_text(make: Any) -> None:
    column = read({"a": make(["a", "b", "a", None])}).column(0)
    assert values_of(column) == ["a", "b", "a", None]


def test_masked_array_keeps_its_mask() -> None:
    masked = np.ma.MaskedArray([[1, 2], [3, 4]], [[False, True], [False, False]])
    assert read(masked).array is None
    assert cells(masked) == {0: [1, 3], 1: [None, 4]}


def test_one_type_is_not_another() -> None:
    column = read({"a": [1, True, 1.0, "1", None]}).column(0)
    assert [type(value) for value in values_of(column)] == [int, bool, float, str, type(None)]


@pytest.mark.parametrize(
    "nothing",
    [
        None,
        float("nan"),
        np.float32("nan"),
        pd.NA,
        pd.NaT,
        np.datetime64("NaT", "s"),
        Decimal("NaN"),
        np.ma.masked,
    ],
)
def test_every_spelling_of_nothing(nothing: object) -> None:
    values = np.empty(3, dtype=object)
    values[:] = ["a", nothing, "b"]
    assert values_of(read({"a": values}).column(0)) == ["a", None, "b"]


def test_unhashable_cells_are_not_values() -> None:
    column = read({"a": ["x", [1], {}]}).column(0)
    assert isinstance(column, Factored)
    assert [isinstance(value, str) for value in values_of(column)] == [True, False, False]


def test_big_integers_stay_exact() -> None:
    assert values_of(read({"a": [2**70, 1]}).column(0)) == [2**70, 1]


@pytest.mark.parametrize(
    ("table", "match"),
    [
        (np.zeros(3), "two dimensions, records and attributes, got 1"),
        ({"a": [1], "b": [1, 2]}, "'a' has 1 records, 'b' has 2"),
        ({"a": 3}, "column 'a' must be an array or a list, got int"),
        ({"a": "text"}, "got str"),
        ({"a": np.zeros((2, 2))}, "one dimension, got 2"),
    ],
)
def test_not_a_table(table: Any, match: str) -> None:
    with pytest.raises(TableError, match=match):
        cells(table)


@pytest.mark.parametrize("thing", [None, 3, [1, 2], pd.Series([1]), pl.Series([1]), pa.array([1]), object()])
def test_not_a_table_at_all(thing: object) -> None:
    with pytest.raises((TypeError, TableError), match=r"a table must be|dimension"):
        read(thing)


# ---- CSV
# ---------------------------------------------------------------------------------------------------------


def csv_file(folder: Path, text: str | bytes, name: str = "table.csv") -> Path:
    """Write a file to the letter."""
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_csv_is_kept_byte_for_byte(tmp_path: Path) -> None:
    text = 'zip,note,x\n01221,NA,1.0\n"01221","a ""b"", c",\n 7,"line\nbreak",""\n'
    assert cells(csv_file(tmp_path, text)) == {
        "zip": ["01221", "01221", " 7"],
        "note": ["NA", 'a "b", c', "line\nbreak"],
        "x": ["1.0", None, ""],
    }


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n1,é\n",
        "\ufeffa,b\n1,é\n",
        "a;b\n1;é\n",
        "a\tb\r\n1\té\r\n",
        "a,b\r1,é\r",
        '"a","b"\n"1","é"',
        "\n\na,b\n\n1,é\n\n",
    ],
)
def test_csv_dialects(tmp_path: Path, text: str) -> None:
    assert cells(csv_file(tmp_path, text)) == {"a": ["1"], "b": ["é"]}


def test_semicolons_with_decimal_commas(tmp_path: Path) -> None:
    assert cells(csv_file(tmp_path, "a;b\n1,5;2\n")) == {"a": ["1,5"], "b": ["2"]}


@pytest.mark.parametrize("text", ["c,d", "\ufeffc,d", "c;d", '"c","d"'])
def test_a_header_without_an_end_of_line_is_a_table_without_records(tmp_path: Path, text: str) -> None:
    (tmp_path / "t.csv").write_text(text, "utf-8")
    table = read(tmp_path / "t.csv")
    assert (table.n_records, table.names) == (0, ("c", "d"))
    assert [part.n_records for _, part in read_batches(tmp_path / "t.csv", ())] == [0]


def test_header_alone(tmp_path: Path) -> None:
    assert cells(csv_file(tmp_path, "a,b\n")) == {"a": [], "b": []}


def test_one_column_with_blank_lines(tmp_path: Path) -> None:
    path = csv_file(tmp_path, "a\n1\n\n3\n")
    assert cells(path) == {"a": ["1", None, "3"]}
    assert read(path).positions([2]) == ["line 4"]


def test_compressed(tmp_path: Path) -> None:
    assert cells(csv_file(tmp_path, gzip.compress(b"\xef\xbb\xbfa;b\n1;2\n"), "t.csv.gz")) == {
        "a": ["1"],
        "b": ["2"],
    }


def test_more_records_than_a_block(tmp_path: Path) -> None:
    values = [f"level {i % 7}" for i in range(300_000)]
    assert cells(csv_file(tmp_path, "\n".join(["a,b", *(v + ",x" for v in values)]))) == {
        "a": values,
        "b": ["x"] * len(values),
    }


def test_cells_of_two_lines_across_blocks(tmp_path: Path) -> None:
    cell = "x" * 50 + "\n" + "y" * 49
    path = csv_file(tmp_path, "a,b\n" + f'"{cell}",1\n' * 30_000)
    column = read(path).column(0)
    assert isinstance(column, Factored)
    assert column.uniques == [cell]
    assert len(column.index) == 30_000


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("", "line 1: expected a header with names, found an empty file"),
        ("\ufeff", "found an empty file"),
        ("\n\n", "found an empty file"),
        ("a,b\n1,2\n3\n", "line 3: expected 2 cells as in the header, separated by commas, found 1"),
        ("a;b\n1;2;3\n", "line 2: expected 2 cells as in the header, separated by semicolons, found 3"),
        ('a,b\n"x\ny",1\n\n2,3,4\n', "line 5: expected 2 cells .* found 3"),
        (b"a,b\n1,2\n3,caf\xe9\n", "line 3: expected UTF-8 text"),
        (b"a,\xe9\n1,2\n", "line 1: expected UTF-8 text"),
        ("a,b\n" + "1,2\n" * 200_000 + "1\n", "line 200002: .* found 1"),
    ],
)
def test_bad_csv_has_a_line(tmp_path: Path, text: str | bytes, match: str) -> None:
    path = csv_file(tmp_path, text)
    with pytest.raises(TableError, match=match) as error:
        read(path)
    assert str(error.value).startswith(str(path))
    assert "\n" not in str(error.value)
    assert error.value.__cause__ is None


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("31,52000\n44,61000\n", 1),
        ("\n\n31;52,5\n44;6,25\n", 3),
        ("31;52,5;7\n44;6,25;8\n", 1),
        ("31\t-5e4\n44\t6\n", 1),
        ('"31", 52.5 ,nan\n1,2,3\n', 1),
        ("31,,52\n1,2,3\n", 1),
        ("0\n1\n", 1),
        ("31,31\n1,2\n", 1),
    ],
)
def test_a_record_in_place_of_a_header_is_refused_without_its_values(
    text: str, line: int, tmp_path: Path
) -> None:
    path = csv_file(tmp_path, text)
    for table in (path, str(path), read(path), tables.CsvText(text.encode())):
        with pytest.raises(TableError, match=f"line {line}: .* which seem to be a record") as refusal:
            read_undeclared(table)
        said = str(refusal.value).replace(str(path), "").replace(f"line {line}:", "")
        assert not any(character.isdigit() for character in said)


@pytest.mark.parametrize(
    "text", ["a,52000\n1,2\n", "2020-01-01,3\n1,2\n", "nan,inf\n1,2\n", '""\n1\n', "a\n1\n"]
)
def test_a_header_with_a_name_is_believed(text: str, tmp_path: Path) -> None:
    path = csv_file(tmp_path, text)
    assert read_undeclared(path).names == read(path).names


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_names_of_tables_in_memory_may_be_numbers(make: Any) -> None:
    assert read_undeclared(make({"31": [1], "52000": [2]})).names == ("31", "52000")


def test_two_columns_of_one_name_are_refused_where_no_schema_knows_them(tmp_path: Path) -> None:
    frame = pd.DataFrame([[1, 2, 3]], columns=["b", "a", "a"])
    for table in (
        frame,
        pa.Table.from_arrays([pa.array([1])] * 3, ["b", "a", "a"]),
        csv_file(tmp_path, "b,a,a\n1,2,3\n"),
    ):
        with pytest.raises(TableError, match=r"two columns .*, those at positions 1 and 2"):
            read_undeclared(table)


def test_bad_files_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no such file"):
        read(tmp_path / "absent.csv")
    with pytest.raises(TableError, match="must end in"):
        read(csv_file(tmp_path, "a\n1\n", "table.xlsx"))
    with pytest.raises(TableError, match="cannot be read"):
        read(csv_file(tmp_path, "a\n1\n", "table.csv.gz"))
    with pytest.raises(TableError, match=r"cannot be read|not a CSV"):
        read(csv_file(tmp_path, gzip.compress(b"a,b\n" + b"1,2\n" * 99_999)[:-20], "table.csv.gz"))
    with pytest.raises(TableError, match="not a Parquet table"):
        read(csv_file(tmp_path, "a\n1\n", "table.parquet"))


def test_lines_of_records(tmp_path: Path) -> None:
    path = csv_file(tmp_path, '\ufeffa,b\n"x\ny",1\n\n2,3\n4,5\n')
    assert read(path).positions([2, 0, 1]) == ["line 6", "line 2", "line 5"]
    assert read(DATA).positions([2, 0]) == ["row 2", "row 0"]


def test_parquet_file_and_folder(tmp_path: Path) -> None:
    table = pa.table(DATA)
    pq.write_table(table, tmp_path / "t.parquet")
    assert cells(tmp_path / "t.parquet") == DATA
    folder = tmp_path / "parts"
    folder.mkdir()
    pq.write_table(table.slice(0, 1), folder / "0.parquet")
    pq.write_table(table.slice(1), folder / "1.parquet")
    assert cells(str(folder)) == DATA


def test_without_pyarrow_a_file_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = csv_file(tmp_path, "a\n1\n")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"covloss-fast\[files\]"):
        read(path)
    with pytest.raises(ImportError, match=r"covloss-fast\[files\]"):
        write_atomic(tmp_path / "out.csv", {"a": [1]})
    assert cells({"a": [1, 2]}) == {"a": [1, 2]}
    assert cells(pd.DataFrame({"a": ["x", "y"]}, dtype=object)) == {"a": ["x", "y"]}
    assert cells(pl.DataFrame({"a": ["x", None]})) == {"a": ["x", None]}


# ---- writing
# -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [False, True])
def test_csv_by_one_thread_or_several(threads: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pyarrow whose threads may wait for ever after a fault reads with one: to the same columns."""
    assert [tables._may_use_threads(each) for each in ("14.0.0", "22.0.0", "23.0.0")] == [False, False, True]
    if threads and not tables._may_use_threads(pa.__version__):
        pytest.skip("this pyarrow reads with one thread")
    monkeypatch.setattr(tables, "_may_use_threads", lambda version: threads)
    monkeypatch.setattr(tables, "_CSV_BLOCKS", (4_096, 2**16))
    path = tmp_path / "t.csv"
    lines = [f"{i % 7},{'x' * (9_000 if i == 1_990 else i % 3)}" for i in range(2_000)]
    path.write_text("\n".join(["a,b", *lines]) + "\n")
    column = read(path).column(1)
    assert isinstance(column, Factored)
    assert [column.uniques[i] if i >= 0 else "" for i in column.index] == [line[2:] for line in lines]
    path.write_text("\n".join(["a,b", *lines[:1_500], "1,2,3", *lines[1_500:]]) + "\n")
    with pytest.raises(tables.TableError, match="line 1502: expected 2 cells"):
        read(path)


TEXT = {"zip": ["01221", "NA", None], "note": ['a "b", c', "line\nbreak", ""], "é": ["1.0", "x", "y"]}


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.csv.bz2", "t.tsv", "t.parquet"])
@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table, dict])
def test_text_comes_back_byte_for_byte(tmp_path: Path, name: str, make: Any) -> None:
    write_atomic(tmp_path / name, make(TEXT))
    assert cells(tmp_path / name) == TEXT
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_categories_are_written_as_text(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": pd.Categorical(["x", None, "y"])})
    write_atomic(tmp_path / "t.csv", frame)
    assert cells(tmp_path / "t.csv") == {"a": ["x", None, "y"]}


def test_arrays_need_names(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="names="):
        write_atomic(tmp_path / "t.csv", np.zeros((2, 2), dtype=np.uint8))
    write_atomic(tmp_path / "t.csv", np.array([[0, 1], [2, 3]], dtype=np.uint8), names=["a", "b"])
    assert cells(tmp_path / "t.csv") == {"a": ["0", "2"], "b": ["1", "3"]}


@pytest.mark.parametrize("name", ["t.csv", "t.parquet"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError])
def test_nothing_half_written(
    tmp_path: Path, name: str, error: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / name).write_text("old")

    def stop(*_: object) -> None:
        raise error("stop")

    monkeypatch.setattr(tables.os, "fsync", stop)
    with pytest.raises(error, match="stop"):
        write_atomic(tmp_path / name, TEXT)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "old"


def test_refused_before_writing(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="must end in"):
        write_atomic(tmp_path / "t.json", TEXT)
    with pytest.raises(FileNotFoundError, match="no such folder"):
        write_atomic(tmp_path / "absent" / "t.csv", TEXT)
    assert list(tmp_path.iterdir()) == []


def test_permissions_are_the_usual(tmp_path: Path) -> None:
    write_atomic(tmp_path / "t.csv", {"a": [1]})
    (tmp_path / "plain").write_text("")
    assert (tmp_path / "t.csv").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_csv_is_read_by_others(tmp_path: Path) -> None:
    write_atomic(tmp_path / "t.csv", {"flag": [True, False], "x": [0.1, 2.0], "job": ["a", "b"]})
    frame = pd.read_csv(io.StringIO((tmp_path / "t.csv").read_text()))
    assert frame.to_dict("list") == {"flag": [True, False], "x": [0.1, 2.0], "job": ["a", "b"]}


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.csv.gz", "t.parquet"])
def test_batches_are_written_one_below_the_other_or_not_at_all(tmp_path: Path, name: str) -> None:
    frame = pd.DataFrame({"a": ["x", None, 'a "quote"', "", "y"], "b": [1, 2, 3, 4, 5]})
    whole, parts = tmp_path / f"whole-{name}", tmp_path / name
    write_atomic(whole, frame)
    write_batches(parts, (frame.iloc[i : i + 2] for i in range(0, 5, 2)))
    if "parquet" in name:
        assert pq.read_table(parts).equals(pq.read_table(whole))
    elif "gz" not in name:
        assert parts.read_bytes() == whole.read_bytes()

    def failing() -> Iterator[pd.DataFrame]:
        yield frame
        raise OSError("no more")

    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(OSError, match="no more"):
        write_batches(parts, failing())
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
