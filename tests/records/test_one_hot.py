"""One-hot columns declared as one attribute: read strictly, written the same, in both halves."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest
from numpy.typing import NDArray
from typer.testing import CliRunner

import covloss_fast as cf
from covloss_fast.cli.commands import app
from covloss_fast.records.batches import Batches
from covloss_fast.records.encoding import EncodingError, decode, encode
from covloss_fast.reference.encoding import encode_one_hot

COLUMNS = ["red", "green", "blue"]
SCHEMA = cf.Schema([cf.Binary("big"), cf.OneHot("colour", COLUMNS), cf.Categorical("shape", ["o", "x"])])
CODED = cf.Schema([cf.Binary("big", levels=(0, 1)), cf.OneHot("colour", COLUMNS, levels=(0, 1))])
KINDS = ["pandas", "polars", "pyarrow", "dict"]


def records(n: int, seed: int = 0) -> dict[str, NDArray[Any]]:
    generator = np.random.default_rng(seed)
    colour = generator.integers(0, 3, n)
    table: dict[str, NDArray[Any]] = {"blue": colour == 2, "big": generator.random(n) < 0.3}
    return {**table, "red": colour == 0, "shape": generator.choice(["o", "x"], n), "green": colour == 1}


def as_kind(table: dict[str, NDArray[Any]], kind: str) -> Any:
    make: dict[str, Any] = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table, "dict": dict}
    return make[kind](table)


def columns_of(table: Any) -> dict[str, list[Any]]:
    if isinstance(table, pa.Table):
        return table.to_pydict()  # type: ignore[no-any-return]
    names = list(table.columns) if hasattr(table, "columns") else list(table)
    return {
        name: table[name].tolist() if hasattr(table[name], "tolist") else list(table[name]) for name in names
    }


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [0, 1, 63, 64, 65, 257])
def test_columns_are_read_as_one_attribute_and_written_back(kind: str, n: int) -> None:
    table = records(n)
    encoded = encode(as_kind(table, kind), SCHEMA)
    expected = [encode_one_hot([bool(table[c][i]) for c in COLUMNS], colour()) for i in range(n)]
    assert encoded.column_codes(1).tolist() == expected
    codes = np.array([encoded.column_codes(a) for a in range(3)]).reshape(3, n)
    back = columns_of(decode(codes, SCHEMA, kind))  # type: ignore[arg-type]
    assert list(back) == ["big", *COLUMNS, "shape"]
    assert all(back[name] == table[name].tolist() for name in table)
    if n:
        assert all(isinstance(value, bool) for value in back["green"])


def colour(schema: cf.Schema = SCHEMA) -> cf.OneHot:
    attribute = schema.attributes[1]
    assert isinstance(attribute, cf.OneHot)
    return attribute


@pytest.mark.parametrize("dtype", [np.uint8, np.int64, np.float32, np.bool_])
def test_an_array_goes_by_position(dtype: Any) -> None:
    array = np.array([[1, 0, 1, 0], [0, 0, 0, 1]], dtype=dtype)
    encoded = encode(array, CODED)
    assert encoded.column_codes(1).tolist() == [1, 2]
    out = decode(np.array([[1, 0], [1, 2]]), CODED, "numpy")
    assert out.tolist() == array.tolist()
    assert out.dtype == np.uint8
    with pytest.raises(EncodingError, match="the array has 2 columns and the schema 4"):
        encode(array[:, :2], CODED)


@pytest.mark.parametrize("file", ["t.csv", "t.parquet", "t.csv.gz"])
def test_files(tmp_path: Path, file: str) -> None:
    table = pd.DataFrame(records(40))
    table.to_parquet(tmp_path / file) if "parquet" in file else table.to_csv(tmp_path / file, index=False)
    same = encode(tmp_path / file, SCHEMA), encode(table, SCHEMA)
    assert same[0].column_codes(1).tolist() == same[1].column_codes(1).tolist()
    if "parquet" not in file:
        text = "big,red,green,blue,shape\nFalse,True,False,False,o\nFalse,True,True,False,x\n"
        (tmp_path / "bad.csv").write_text(text)
        with pytest.raises(EncodingError, match="column 'colour', line 3: not exactly one of its 3 columns"):
            encode(tmp_path / "bad.csv", SCHEMA)


def test_the_records_that_break_the_rule_are_listed() -> None:
    table = {"big": [0] * 4, "red": [1, 0, 0, 1], "green": [0, 1, 0, 1], "blue": [0, 0, 0, 0]}
    with pytest.raises(EncodingError) as caught:
        encode(table, CODED)
    assert (
        str(caught.value) == "column 'colour', row 2: not exactly one of its 3 columns is set (nor in row 3)"
    )
    assert (caught.value.column, caught.value.row) == ("colour", 2)
    bad = np.zeros((40, 4), dtype=np.uint8)
    bad[0, 1] = 1
    with pytest.raises(EncodingError, match=r"row 1: .* \(nor in row 2, .*, row 10 and 29 more\)$"):
        encode(bad, CODED)
    with pytest.raises(EncodingError, match=r"column 'big', row 0: a value .*; column 'colour', row 1: not"):
        encode(bad + np.array([2, 0, 0, 0], dtype=np.uint8), CODED)
    for method in (CODED.validate, cf.Microaggregator(min_block_size=2, schema=CODED).fit):
        with pytest.raises(EncodingError, match="row 1: not exactly one"):
            method(bad)
    synth = cf.CovLossSynthesizer(CODED, epsilon=1, delta=0)
    with pytest.raises(EncodingError, match=r"^batch 1: column 'colour', row 0: not .* is set$"):
        synth.fit(lambda: iter([bad[:1], bad[1:2], bad[2:]]))
    assert not hasattr(synth, "ledger_")


@pytest.mark.parametrize(
    ("column", "values", "fault"),
    [
        ("red", [1, 0, None], "row 2: in its column 'red' a missing value$"),
        ("red", np.array([1, 0, np.nan]), "row 2: in its column 'red' a missing value$"),
        (
            "green",
            [0, 1, 2],
            "row 2: in its column 'green' a value that is not a declared level .declared: 0, 1.",
        ),
        (
            "blue",
            ["no", "no", "no"],
            "row 0: in its column 'blue' text where the declared levels are integers",
        ),
    ],
)
def test_a_fault_of_one_column_is_told(column: str, values: list[Any], fault: str) -> None:
    table: dict[str, Any] = {"big": [0, 0, 0], "red": [1, 0, 0], "green": [0, 1, 0], "blue": [0, 0, 1]}
    with pytest.raises(EncodingError, match=fault):
        encode({**table, column: values}, CODED)


def test_absent_columns_are_named() -> None:
    for table in (
        {"big": [0], "red": [1], "green": [0]},
        {"big": [0], "red": [1], "green": [0], "colour": ["blue"]},
    ):
        with pytest.raises(EncodingError, match="no column 'blue', of 'colour'"):
            encode(table, CODED)
    table = {"big": [0], "red": [1], "green": [0], "blue": [0], "colour": ["red"]}
    with pytest.raises(EncodingError, match=r"a column 'colour' .*, which is the name of the one-hot"):
        encode(table, CODED)


def test_every_record_is_judged_as_by_the_plain_rule() -> None:
    spellings = cf.OneHot("a", ["b", "c", "d"], levels=("no", "yes"))
    schema = cf.Schema([spellings])
    for record in product(["no", "yes", "Yes", None], repeat=3):
        code = encode_one_hot(record, spellings)
        table = {
            name: np.array([value, "yes" if name == "b" else "no"], object)
            for name, value in zip("bcd", record)
        }
        if code is None:
            with pytest.raises(EncodingError):
                encode(table, schema)
        else:
            assert encode(table, schema).column_codes(0).tolist() == [code, 0]


def test_batches_and_structural_zeros() -> None:
    parts = [records(20, seed) for seed in range(3)]
    batches = [as_kind(part, kind) for part, kind in zip(parts, KINDS)]
    (encoded,) = Batches(lambda: batches).parts(SCHEMA, 1)
    expected = np.concatenate([np.stack([part[c] for c in COLUMNS]).argmax(axis=0) for part in parts])
    assert encoded.column_codes(1).tolist() == expected.tolist()
    schema = cf.Schema(CODED.attributes, structural_zeros=[{"big": 1, "colour": "blue"}])
    with pytest.raises(
        EncodingError, match="columns 'big' and 'colour', row 1: levels that the schema rules out"
    ):
        encode(np.array([[1, 0, 1, 0], [1, 0, 0, 1]]), schema)


def test_schemas_are_saved_compared_and_checked(tmp_path: Path) -> None:
    for schema in (SCHEMA, CODED):
        schema.save(tmp_path / "schema.json")
        assert cf.Schema.load(tmp_path / "schema.json") == schema
        assert cf.Schema.load(tmp_path / "schema.json").hash == schema.hash
        assert eval(repr(colour(schema)), {"OneHot": cf.OneHot}) == colour(schema)
    assert SCHEMA.sizes == (2, 3, 2)
    assert SCHEMA.columns == ("big", *COLUMNS, "shape")
    assert json.loads((tmp_path / "schema.json").read_text())["attributes"][1] == {
        "type": "one_hot",
        "name": "colour",
        "columns": COLUMNS,
        "levels": [0, 1],
    }
    assert len({SCHEMA.hash, CODED.hash}) == 2
    assert colour() != colour(CODED)
    assert colour() != cf.Categorical("colour", COLUMNS)
    assert cf.Categorical("colour", COLUMNS) != colour()
    assert len({colour(), cf.OneHot("colour", COLUMNS), colour(CODED)}) == 2
    with pytest.raises(ValueError, match="two attributes have a column 'red'"):
        cf.Schema([cf.OneHot("a", ["red", "green"]), cf.Binary("red")])
    with pytest.raises(ValueError, match="levels 0 and 1 are both 'a'"):
        cf.OneHot("x", ["a", "a"])
    with pytest.raises(ValueError, match="columns must be a list of names"):
        cf.OneHot("x", [1, 2])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="columns must be a list of names"):
        cf.OneHot("x", "ab")
    with pytest.raises(ValueError, match="two levels"):
        cf.OneHot("x", ["a", "b"], levels=(1, 2, 3))


@pytest.mark.filterwarnings("ignore::covloss_fast.NotPrivateWarning")
@pytest.mark.parametrize("settings", [{"delta": 0}, {"delta": 1e-6}, {"delta": 0, "method": "paper"}])
@pytest.mark.parametrize("kind", [*KINDS, "numpy"])
def test_released_tables_obey(kind: str, settings: dict[str, Any], tmp_path: Path) -> None:
    table = records(400)
    schema, given = (SCHEMA, as_kind(table, kind)) if kind != "numpy" else (CODED, None)
    if given is None:
        given = np.stack([table["big"], *(table[name] for name in COLUMNS)], axis=1).astype(np.uint8)
    synth = cf.CovLossSynthesizer(schema, epsilon=5, random_state=1, **settings).fit(given)
    out = synth.sample(500)
    assert type(out) is type(given)
    columns = columns_of(out) if kind != "numpy" else dict(zip(schema.columns, out.T.tolist()))
    assert list(columns) == list(schema.columns)
    assert (np.sum([columns[name] for name in COLUMNS], axis=0) == 1).all()
    synth.save(tmp_path / "release")
    again = cf.load(tmp_path / "release").sample(50)
    assert (np.sum([again[name].to_numpy() for name in COLUMNS], axis=0) == 1).all()
    assert cf.marginal_error(given, out, degree=2, schema=schema).rms < 0.3
    assert cf.marginal_error(given, given, degree=2, schema=schema).rms == 0


@pytest.mark.parametrize("rule", ["mode", "median", "rounded", "mean"])
@pytest.mark.parametrize("kind", [*KINDS, "numpy"])
@pytest.mark.parametrize("size", [{"min_block_size": 7}, {"n_blocks": 20}])
def test_anonymous_tables_obey(kind: str, size: dict[str, int], rule: str) -> None:
    table = records(200)
    schema, given = (SCHEMA, as_kind(table, kind)) if kind != "numpy" else (CODED, None)
    if given is None:
        given = np.stack([table["big"], *(table[name] for name in COLUMNS)], axis=1).astype(np.uint8)
    masker = cf.Microaggregator(schema=schema, release=rule, **size)
    masked = masker.fit_transform(given)
    drawn = masker.sample(30, random_state=0)
    for out in (masked, drawn):
        assert type(out) is type(given)
        if rule == "mean" and out is masked:
            continue
        columns = columns_of(out) if kind != "numpy" else dict(zip(schema.columns, out.T.tolist()))
        assert (np.sum([columns[name] for name in COLUMNS], axis=0) == 1).all()
        assert set(columns) == set(schema.columns)
    if rule == "mean" and kind == "pandas":
        assert {f"colour={name}" for name in COLUMNS} <= set(masked.columns)
        np.testing.assert_allclose(masked[[f"colour={name}" for name in COLUMNS]].sum(axis=1), 1)
    assert masker.certificate_.released.smallest >= 7


def test_numbers_beside_one_hot_columns_are_masked() -> None:
    schema = cf.Schema([cf.Numeric("age", 0, 100), cf.OneHot("colour", COLUMNS)])
    table = pd.DataFrame({**{c: v for c, v in records(90).items() if c in COLUMNS}, "age": np.arange(90.0)})
    before = table.copy()
    masked = cf.Microaggregator(min_block_size=5, schema=schema).fit_transform(table)
    assert sorted(masked.columns) == sorted(table.columns)
    assert (masked[COLUMNS].sum(axis=1) == 1).all()
    assert abs(masked["age"].mean() - 44.5) < 1e-9
    pd.testing.assert_frame_equal(table, before)


def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    SCHEMA.save("s.json")
    pd.DataFrame(records(300)).to_csv("t.csv", index=False)

    def run(*arguments: str) -> None:
        outcome = CliRunner().invoke(app, list(arguments))
        assert outcome.exit_code == 0, outcome.output

    run("synthesize", "t.csv", "-s", "s.json", "--epsilon", "3", "--delta", "1e-6", "-o", "a.csv")
    run("anonymize", "t.csv", "-s", "s.json", "--min-block-size", "5", "-o", "b.parquet")
    run("evaluate", "t.csv", "a.csv", "-s", "s.json")
    run("report", "t.csv", "a.csv", "-s", "s.json", "-o", "r.html")
    for made in (
        pyarrow.csv.read_csv("a.csv").to_pandas(),
        pyarrow.parquet.read_table("b.parquet").to_pandas(),
    ):
        assert (made[COLUMNS].sum(axis=1) == 1).all()
        assert sorted(made.columns) == sorted(SCHEMA.columns)
    pd.DataFrame({**records(3), "red": [True] * 3, "blue": [True] * 3}).to_csv("bad.csv", index=False)
    outcome = CliRunner().invoke(
        app, ["anonymize", "bad.csv", "-s", "s.json", "--n-blocks", "1", "-o", "c.csv"]
    )
    assert outcome.exit_code == 2
    assert "not exactly one of its 3 columns is set (nor in line 3, line 4)" in " ".join(
        outcome.output.split()
    )
