"""Masked tables hold their levels as the true table did: same dtype, same words, in every kind of table."""

from __future__ import annotations

import pickle
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from typer.testing import CliRunner

from covloss_fast import Binary, Categorical, Microaggregator, Numeric, OneHot, Schema
from covloss_fast.cli.commands import app

N = 60
BITS = np.random.default_rng(0).random(N) < 0.4
HOLES = np.random.default_rng(1).random(N) < 0.3
AGES = np.random.default_rng(2).integers(0, 90, N)

#: What a Boolean attribute may come as: a pair of values, and what declares them.
PAIRS: dict[str, tuple[tuple[Any, Any], Any]] = {
    "bool": ((False, True), (False, True)),
    "float": ((0.0, 1.0), (False, True)),
    "int": ((0, 1), (False, True)),
    "integers": ((0, 1), (0, 1)),
    "floats": ((0.0, 1.0), (0, 1)),
    "booleans": ((False, True), (0, 1)),
    "true text": (("False", "True"), ("False", "True")),
    "yes": (("no", "yes"), ("no", "yes")),
}


def schema_of(levels: Any, missing: Any = None, name: str = "smoker") -> Schema:
    return Schema([Binary(name, levels, missing=missing), Numeric("age", 0, 100, integer=True)])


def check(table: Any, schema: Schema, column: Any, **options: Any) -> Any:
    """Mask and draw: the column's values are those of the mode, in the column's dtype."""
    agg = Microaggregator(5, schema=schema, release="rounded", **options)
    masked = agg.fit_transform(table)
    assert type(masked) is type(table)
    again = pickle.loads(pickle.dumps(agg))
    out = [masked, agg.sample(20, 1), agg.sample(20, 1, numbers="bins"), again.sample(20, 1)]
    for each in out:
        assert column(each)
    agg.fit_transform(masked)  # it still fits the schema
    return masked


def dtype_of(column: Any) -> Any:
    return column.type if isinstance(column, pa.ChunkedArray | pa.Array) else getattr(column, "dtype", None)


def values_of(column: Any) -> list[Any]:
    return column.to_pylist() if isinstance(column, pa.ChunkedArray | pa.Array) else list(column)


def same(column: Any, pair: tuple[Any, Any]) -> Any:
    """A check that a table's column has the dtype of the true one and its two values and types."""

    def holds(table: Any) -> bool:
        found = table["smoker"]
        assert dtype_of(found) == dtype_of(column), (dtype_of(found), dtype_of(column))
        known = {(type(value), value) for value in values_of(column)}
        shown = {(type(value), value) for value in values_of(found)}
        return shown <= known and len(shown) == 2 and {value for _, value in shown} == set(pair)

    return holds


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow", "dict", "list"])
@pytest.mark.parametrize("pair", PAIRS)
def test_boolean_attributes_keep_dtype_and_words(kind: str, pair: str) -> None:
    values, levels = PAIRS[pair]
    plain = [values[int(bit)] for bit in BITS]
    column: Any = {
        "pandas": pd.Series,
        "polars": pl.Series,
        "pyarrow": lambda v: pa.chunked_array([v]),
        "dict": lambda v: np.array(v, dtype=object if isinstance(v[0], str) else None),
        "list": lambda v: np.array(v, dtype=object if isinstance(v[0], str) else None),
    }[kind](plain)
    table: Any = {"smoker": plain if kind == "list" else column, "age": AGES}
    table = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}.get(kind, dict)(table)
    check(table, schema_of(levels), same(column, values))
    check(table, schema_of(levels), same(column, values), sensitive="smoker")
    check(table, Schema.from_public_table(table), same(column, values))


PANDAS = ["float32", "int8", "uint16", "boolean", "Int64", "Float64", "bool[pyarrow]", "int16[pyarrow]"]
PANDAS += ["double[pyarrow]", "object", "category", "UInt8"]


@pytest.mark.parametrize("dtype", PANDAS)
@pytest.mark.parametrize("levels", [(False, True), (0, 1)])
def test_dtypes_of_pandas(dtype: str, levels: Any) -> None:
    column = pd.Series(BITS.astype(int if dtype not in ("object", "bool[pyarrow]") else bool), dtype=dtype)
    values = tuple(column.drop_duplicates().sort_values().tolist())
    if dtype == "category" and levels == (False, True):
        column = column.astype("int64").astype("category")
    table = pd.DataFrame({"smoker": column, "age": pd.Series(AGES, dtype="Int64")})
    masked = check(table, schema_of(levels), same(column, values))
    assert masked["age"].dtype == "Int64"


@pytest.mark.parametrize("dtype", ["string", "string[pyarrow]", "str", "category", "object"])
def test_text_of_pandas(dtype: str) -> None:
    column = pd.Series(np.where(BITS, "yes", "no").astype(object), dtype=dtype)
    table = pd.DataFrame({"smoker": column, "age": AGES})
    check(table, schema_of(("no", "yes")), same(column, ("no", "yes")))
    check(table, Schema.from_public_table(table), same(column, ("no", "yes")))


@pytest.mark.parametrize(
    "dtype",
    [pl.Float32, pl.UInt8, pl.Int64, pl.Boolean, pl.Decimal(5, 1), pl.Categorical, pl.Enum(["0", "1"])],
)
def test_dtypes_of_polars(dtype: Any) -> None:
    text = dtype in (pl.Categorical, pl.Enum)
    column = pl.Series(BITS.astype(int).astype(str)) if text else pl.Series(BITS.astype(int))
    column = column.cast(dtype)
    values = tuple(sorted(set(column.to_list())))
    table = pl.DataFrame({"smoker": column, "age": AGES})
    check(table, schema_of(("0", "1") if text else (0, 1)), same(column, values))


@pytest.mark.parametrize(
    "dtype",
    [
        *(pa.bool_(), pa.uint8(), pa.float32(), pa.float64(), pa.decimal128(22, 1)),
        *(
            pa.large_string(),
            pa.dictionary(pa.int8(), pa.string()),
            *([pa.string_view()] if hasattr(pa, "string_view") else []),
        ),
    ],
)
def test_dtypes_of_pyarrow(dtype: pa.DataType) -> None:
    text = "string" in str(dtype)
    plain = [str(int(bit)) if text else int(bit) for bit in BITS]
    array = pa.array(BITS) if dtype == pa.bool_() else pa.array(plain)
    array = array.dictionary_encode().cast(dtype) if pa.types.is_dictionary(dtype) else array.cast(dtype)
    column = pa.chunked_array([array[:7], array[7:]])
    table = pa.table({"smoker": column, "age": AGES})
    check(
        table, schema_of(("0", "1") if text else (0, 1)), same(column, tuple(sorted(set(array.to_pylist()))))
    )


@pytest.mark.parametrize("missing", ["level", "strictest"])
@pytest.mark.parametrize(
    "column",
    [
        pd.Series(np.where(HOLES, np.nan, BITS.astype(float))),
        pd.Series(np.where(HOLES, np.nan, BITS.astype(float)), dtype="Float64"),
        pd.Series(BITS, dtype="boolean").mask(HOLES),
        pd.Series(BITS, dtype="bool[pyarrow]").mask(HOLES),
        pd.Series(BITS.astype(object)).mask(HOLES, None),
        pl.Series([None if hole else float(bit) for hole, bit in zip(HOLES, BITS)]),
        pl.Series([None if hole else bool(bit) for hole, bit in zip(HOLES, BITS)]),
        pa.chunked_array([[None if hole else float(bit) for hole, bit in zip(HOLES, BITS)]]),
        pa.chunked_array([[None if hole else bool(bit) for hole, bit in zip(HOLES, BITS)]]),
        np.where(HOLES, np.nan, BITS.astype(np.float32)).astype(np.float32),
    ],
    ids=lambda column: f"{type(column).__name__}-{dtype_of(column)}",
)
def test_missing_values_keep_the_dtype(missing: Any, column: Any) -> None:
    kind = {pd.Series: pd.DataFrame, pl.Series: pl.DataFrame, pa.ChunkedArray: pa.table}.get(
        type(column), dict
    )
    table = kind({"smoker": column, "age": AGES})

    def holds(table: Any) -> bool:
        found = table["smoker"]
        assert dtype_of(found) == dtype_of(column)
        gone = [value is None or value is pd.NA or value != value for value in values_of(found)]
        assert any(gone) == (missing == "level")
        return {value for value, is_gone in zip(values_of(found), gone) if not is_gone} == {0, 1}

    schema = Schema([Binary("smoker", missing="level"), Numeric("age", 0, 100)])
    agg = Microaggregator(5, schema=schema, missing=missing)
    assert holds(agg.fit_transform(table))
    assert holds(agg.sample(200, 0))


@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int64, np.float32, np.float64, object, "U5"])
def test_arrays_keep_their_dtype(dtype: Any) -> None:
    table = np.column_stack([BITS, ~BITS]).astype(dtype)
    levels = ("False", "True") if dtype == "U5" else (False, True)
    schema = Schema([Binary("a", levels), Binary("b", levels)])
    agg = Microaggregator(5, schema=schema)
    masked = agg.fit_transform(table)
    assert masked.dtype == table.dtype
    assert set(masked.ravel().tolist()) == set(table.ravel().tolist())
    assert agg.sample(9).dtype == masked.dtype


def test_levels_beside_undeclared_ones() -> None:
    """What is taken for the level of all others is published as that level, never as what stood there."""
    rng = np.random.default_rng(0)
    jobs = np.where(rng.random(N) < 0.5, "nurse", np.char.add("secret", np.arange(N).astype(str)))
    schema = Schema([Categorical("job", ["nurse", "other"], other="other"), Numeric("age", 0, 100)])
    category = pd.DataFrame({"job": pd.Categorical(jobs), "age": AGES})
    for table in (
        category,
        category.astype({"job": object}),
        pl.from_pandas(category.astype({"job": object})),
    ):
        agg = Microaggregator(5, schema=schema)
        masked = agg.fit_transform(table)
        assert set(masked["job"]) | set(agg.sample(99)["job"]) == {"nurse", "other"}
    text = category.astype({"job": object})
    category["job"] = category["job"].astype(
        pd.CategoricalDtype([*sorted(set(jobs)), "unused"], ordered=True)
    )
    dtype = Microaggregator(5, schema=schema).fit_transform(category)["job"].dtype
    assert dtype == pd.CategoricalDtype(["nurse", "other"], ordered=True)
    enum = pl.from_pandas(text).cast({"job": pl.Enum(sorted(set(jobs)))})
    assert Microaggregator(5, schema=schema).fit_transform(enum)["job"].dtype == pl.Enum(["nurse", "other"])
    numbers = Schema([Categorical("code", [1, 2, -1], other=-1), Numeric("age", 0, 100)])
    frame = pd.DataFrame({"code": rng.integers(1, 9, N).astype(np.uint8), "age": AGES})
    masked = Microaggregator(5, schema=numbers).fit_transform(frame)
    assert set(masked["code"]) <= {1, 2, -1}
    mixed = pd.DataFrame({"code": pd.Series([1, 2.0, Decimal(7)] * 20, dtype=object), "age": AGES})
    assert set(Microaggregator(5, schema=numbers).fit_transform(mixed)["code"]) <= {1, 2, -1}


def test_levels_that_do_not_occur() -> None:
    schema = Schema([Categorical("a", [0, 1, 300, -2]), Numeric("age", 0, 100)])
    frame = pd.DataFrame({"a": BITS.astype(np.uint8), "age": AGES})
    masked = Microaggregator(5, schema=schema).fit_transform(frame)
    assert masked["a"].dtype == np.uint8
    assert set(masked["a"]) == {0, 1}


@pytest.mark.parametrize("dtype", ["float64", "int8", "bool", "boolean"])
def test_one_hot_columns_keep_their_dtype(dtype: str) -> None:
    code = np.random.default_rng(0).integers(0, 3, N)
    schema = Schema([OneHot("region", ["n", "s", "w"]), Numeric("age", 0, 100)])
    table = pd.DataFrame({name: pd.Series(code == k).astype(dtype) for k, name in enumerate("nsw")})
    table.insert(1, "age", AGES)
    masked = Microaggregator(5, schema=schema).fit_transform(table)
    assert [str(masked[name].dtype) for name in "nsw"] == [dtype] * 3
    assert (masked[["n", "s", "w"]].astype(int).sum(axis=1) == 1).all()


@pytest.mark.parametrize("dtype", ["Int16", "Float64", "int32[pyarrow]", "double[pyarrow]"])
@pytest.mark.parametrize("holes", [False, True])
def test_nullable_numbers_stay_nullable(dtype: str, holes: bool) -> None:
    column = pd.Series(AGES, dtype=dtype).mask(HOLES & holes)
    table = pd.DataFrame({"age": column, "x": np.arange(N) * 1.0})
    agg = Microaggregator(6, missing="level", release={"age": "rounded"})
    masked = agg.fit_transform(table)
    assert masked["age"].dtype == dtype
    assert masked["age"].isna().any() == holes
    assert masked["x"].dtype == np.float64
    mean = Microaggregator(6, missing="level").fit_transform(table)["age"]
    assert mean.dtype == ("double[pyarrow]" if "pyarrow" in dtype else "Float64")


# ---- files -----------------------------------------------------------------------------------------------

CELLS = [("True", "False"), ("true", "false"), ("TRUE", "FALSE"), ("1", "0"), ("1.0", "0.0"), ("yes", "no")]


@pytest.mark.parametrize("cells", CELLS)
@pytest.mark.parametrize(("drafted", "missing"), [(False, False), (True, False), (False, True)])
def test_files_keep_their_cells(
    cells: tuple[str, str], drafted: bool, missing: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shown = np.where(missing & HOLES, "", np.where(BITS, *cells))
    lines = [f"{cell},{age}" for cell, age in zip(shown, AGES)]
    Path("true.csv").write_text("\n".join(["smoker,age", *lines]) + "\n")
    levels: Any = ("no", "yes") if cells[0] == "yes" else (False, True)
    schema = (
        Schema.from_public_table("true.csv") if drafted else schema_of(levels, "level" if missing else None)
    )
    schema.save("schema.json")

    def run(*options: str) -> set[str]:
        command = ["anonymize", "true.csv", "-s", "schema.json", "--min-block-size", "5", *options]
        outcome = CliRunner().invoke(app, command)
        assert outcome.exit_code == 0, outcome.output
        rows = Path("out.csv").read_text().splitlines()[1:]
        return {row.split(",")[0].strip('"') for row in rows}

    wanted = {*cells, ""} if missing else set(cells)
    assert run("-o", "out.csv") == wanted
    assert run("--sample", "200", "--seed", "3", "-o", "out.csv") == wanted
    if cells == CELLS[0] and not drafted:
        assert run("-o", "out.csv", "--report", "report.html", "--shuffle") == wanted
    # In memory, and in Parquet, levels have types.
    column = Microaggregator(5, schema=schema).fit_transform("true.csv")["smoker"]
    assert pa.types.is_string(column.type) == (cells[0] == "yes")


def test_one_hot_cells_of_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code = np.random.default_rng(0).integers(0, 3, N)
    table = pd.DataFrame({name: np.where(code == k, "1.0", "0.0") for k, name in enumerate("nsw")})
    table.assign(age=AGES).to_csv("true.csv", index=False)
    Schema([OneHot("region", ["n", "s", "w"]), Numeric("age", 0, 100)]).save("schema.json")
    command = ["anonymize", "true.csv", "-s", "schema.json", "--min-block-size", "5", "-o", "out.csv"]
    assert CliRunner().invoke(app, command).exit_code == 0
    masked = pd.read_csv("out.csv", dtype=str)
    assert set(masked[["n", "s", "w"]].to_numpy().ravel()) == {"0.0", "1.0"}
    assert (masked[["n", "s", "w"]] == "1.0").sum(axis=1).eq(1).all()


def test_integers_as_the_file_spells_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    cells = np.array(["1e0", "+2", "3.0"])[np.random.default_rng(0).integers(0, 3, N)]
    pd.DataFrame({"grade": cells, "age": AGES}).to_csv("true.csv", index=False)
    Schema([Categorical("grade", [1, 2, 3]), Numeric("age", 0, 100)]).save("schema.json")
    command = ["anonymize", "true.csv", "-s", "schema.json", "--min-block-size", "5", "-o", "out.csv"]
    assert CliRunner().invoke(app, command).exit_code == 0
    assert set(pd.read_csv("out.csv", dtype=str)["grade"]) == {"1e0", "+2", "3.0"}


def test_a_seed_repeats_what_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"smoker": BITS, "age": AGES}).to_csv("true.csv", index=False)
    schema_of((False, True)).save("schema.json")
    common = ["anonymize", "true.csv", "-s", "schema.json", "--min-block-size", "5", "-o", "out.csv"]

    def drawn(*options: str) -> str:
        assert CliRunner().invoke(app, [*common, "--sample", "40", *options]).exit_code == 0
        return Path("out.csv").read_text()

    assert drawn("--seed", "1") == drawn("--seed", "1", "--threads", "2")
    assert drawn("--seed", "1") != drawn("--seed", "2")
    assert drawn() != drawn()
    for options in (["--seed", "1"], ["--seed", "1", "--shuffle"]):
        refused = CliRunner().invoke(app, [*common, *options])
        assert refused.exit_code == 2
        assert "--seed goes with --sample" in refused.stderr
