"""Frames as people bring them: every kind and dtype gives the same codes, and faults of names have names."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import covloss_fast as cf
from covloss_fast.records.encoding import EncodingError, encode

SCHEMA = cf.Schema(
    [
        cf.Binary("smoker"),
        cf.Categorical("job", ["clerk", "nurse", "other"], missing="level"),
        cf.Categorical("rooms", [1, 2, 3]),
        cf.Numeric("share", 0, 1, bins=4),
        cf.Numeric("born", lower=dt.date(2020, 1, 1), upper=dt.date(2020, 12, 31), bins=4),
    ]
)
N = 40
ROWS: dict[str, list[Any]] = {
    "smoker": [i % 2 == 0 for i in range(N)],
    "job": [("clerk", "nurse", "other", None)[i % 4] for i in range(N)],
    "rooms": [i % 3 + 1 for i in range(N)],
    "share": [i / (N - 1) for i in range(N)],
    "born": [dt.date(2020, 3 + i % 9, 1) for i in range(N)],
}
FRAME = pd.DataFrame({**ROWS, "born": pd.to_datetime(pd.Series(ROWS["born"]))})
TABLE = pa.table(ROWS)


class Stream:
    """Nothing but the Arrow C stream interface."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._table.__arrow_c_stream__(requested_schema)


def with_column(name: str, change: Callable[[Any], Any]) -> pa.Table:
    return TABLE.set_column(TABLE.column_names.index(name), name, change(TABLE[name]))


MADE: dict[str, tuple[Callable[[], Any], str]] = {
    "pandas": (lambda: FRAME, "pandas"),
    "pandas, index of times": (lambda: FRAME.set_index(pd.date_range("2020", periods=N)), "pandas"),
    "pandas, index of a name": (lambda: FRAME.set_index(pd.Index(range(N), name="smoker")), "pandas"),
    "pandas, nullable": (
        lambda: FRAME.astype({"smoker": "boolean", "rooms": "Int8", "share": "Float64", "job": "string"}),
        "pandas",
    ),
    "pandas, convert_dtypes": (lambda: FRAME.convert_dtypes(), "pandas"),
    "pandas, Arrow": (lambda: FRAME.convert_dtypes(dtype_backend="pyarrow"), "pandas"),
    "pandas, objects": (lambda: FRAME.astype(object), "pandas"),
    "pandas, categories": (lambda: FRAME.astype({"job": "category", "rooms": "category"}), "pandas"),
    "pandas, other order of categories": (
        lambda: FRAME.assign(
            job=pd.Categorical(FRAME["job"], ["z", "other", "nurse", "clerk"], ordered=True)
        ),
        "pandas",
    ),
    "pandas, dates of Arrow": (
        lambda: FRAME.assign(born=pd.array(ROWS["born"], dtype=pd.ArrowDtype(pa.date32()))),
        "pandas",
    ),
    "pandas, every other row of twice": (
        lambda: pd.concat([FRAME, FRAME]).sort_index(kind="stable").iloc[::2],
        "pandas",
    ),
    "polars": (lambda: pl.DataFrame(ROWS), "polars"),
    "polars, lazy": (lambda: pl.DataFrame(ROWS).lazy(), "polars"),
    "polars, categories": (
        lambda: pl.DataFrame(ROWS).with_columns(pl.col("job").cast(pl.Categorical)),
        "polars",
    ),
    "polars, enumeration": (
        lambda: pl.DataFrame(ROWS).with_columns(pl.col("job").cast(pl.Enum(["other", "nurse", "clerk"]))),
        "polars",
    ),
    "pyarrow": (lambda: TABLE, "pyarrow"),
    "pyarrow, chunks": (lambda: pa.concat_tables([TABLE.slice(0, 7), TABLE.slice(7)]), "pyarrow"),
    "pyarrow, batch": (lambda: TABLE.combine_chunks().to_batches()[0], "pyarrow"),
    "pyarrow, dictionary": (lambda: with_column("job", lambda c: c.dictionary_encode()), "pyarrow"),
    **(
        {"pyarrow, views": (lambda: with_column("job", lambda c: c.cast(pa.string_view())), "pyarrow")}
        if hasattr(pa, "string_view")
        else {}
    ),
    "pyarrow, large": (lambda: with_column("job", lambda c: c.cast(pa.large_string())), "pyarrow"),
    "pyarrow, times": (lambda: with_column("born", lambda c: c.cast(pa.timestamp("ns"))), "pyarrow"),
    "Arrow stream": (lambda: Stream(TABLE), "pyarrow"),
    "dict of lists": (lambda: ROWS, "dict"),
    "dict of arrays": (
        lambda: {
            "smoker": np.array(ROWS["smoker"]),
            "job": np.array(ROWS["job"], dtype=object),
            "rooms": np.array(ROWS["rooms"], dtype=np.uint8),
            "share": np.array(ROWS["share"], dtype=np.float32),
            "born": np.array(ROWS["born"], dtype="datetime64[D]"),
        },
        "dict",
    ),
}


@pytest.mark.parametrize("name", MADE)
def test_every_kind_of_frame_gives_the_same_codes_and_comes_back(name: str) -> None:
    make, kind = MADE[name]
    expected, found = encode(ROWS, SCHEMA), encode(make(), SCHEMA)
    for attribute in range(len(SCHEMA)):
        np.testing.assert_array_equal(found.column_codes(attribute), expected.column_codes(attribute))
    synth = cf.CovLossSynthesizer(SCHEMA, epsilon=5.0, delta=1e-6, certificate=False).fit(make())
    made = synth.sample()
    assert {"dict": "builtins"}.get(kind, kind) == type(made).__module__.partition(".")[0]
    names = made.column_names if kind == "pyarrow" else made if kind == "dict" else made.columns
    assert list(names) == list(SCHEMA.names)
    SCHEMA.validate(made)


def test_no_copy_of_plain_numbers() -> None:
    array = np.asfortranarray(np.random.default_rng(0).integers(0, 2, (1_000, 4)))
    frame = pd.DataFrame(array, columns=list("abcd"), copy=False)
    assert np.shares_memory(frame["b"].to_numpy(), array)
    before = array.copy()
    cf.CovLossSynthesizer(cf.Schema.from_domain(dict.fromkeys("abcd", 2)), epsilon=1, delta=0).fit(frame)
    np.testing.assert_array_equal(array, before)


# ------------------------------------------------------------------------------------------------ names

SMALL = cf.Schema([cf.Binary("smoker"), cf.OneHot("region", ["north", "south"])])
GOOD = {"smoker": [True, True], "north": [True, False], "south": [False, True]}


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame, pa.table])
@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({**GOOD, "age": [1, 2]}, r"does not declare: 'age' \(position 3\); drop them first"),
        ({**GOOD, "region": ["north", "south"]}, r"a column 'region' \(position 3\), which is the"),
        ({"smoker": [True], "region": ["n"]}, "no column 'north', 'south', of 'region'; it has a column"),
        ({"north": [True], "south": [False], "Smoker ": [1]}, "that at position 2 is 'smoker' but for case"),
        ({"smoker": [True], "north": [True]}, "no column 'south', of 'region'$"),
    ],
)  # fmt: skip
def test_faults_of_names_have_names(make: Any, table: dict[str, Any], message: str) -> None:
    with pytest.raises(EncodingError, match=message):
        SMALL.validate(make(table))


def test_names_twice_and_names_that_are_no_text() -> None:
    frame = pd.DataFrame(GOOD)
    with pytest.raises(EncodingError, match="two columns are named 'north', those at positions 1 and 3"):
        SMALL.validate(pd.concat([frame, frame[["north"]]], axis=1))
    with pytest.raises(EncodingError, match="two columns are named 'smoker', those at positions 0 and 3"):
        cf.Schema([cf.Binary("smoker")]).validate(pd.concat([frame, frame[["smoker"]]], axis=1))
    numbered = cf.Schema.from_domain({"0": 2, "1": 2})
    with pytest.raises(
        EncodingError, match="no column '0', '1'; the names of the table's columns are not text"
    ):
        numbered.validate(pd.DataFrame(np.zeros((3, 2), int)))
    numbered.validate(pd.DataFrame(np.zeros((3, 2), int), columns=["0", "1"]))
    numbered.validate(np.zeros((3, 2), int))


def test_times_without_public_edges_are_refused_by_name() -> None:
    schema = cf.Schema([cf.Categorical("born", [2020, 2021])])
    with pytest.raises(EncodingError, match="'born'"):
        schema.validate({"born": np.array(["2020-01-01"], "datetime64[D]")})


def test_constant_columns_and_columns_of_one_level() -> None:
    schema = cf.Schema([cf.Categorical("a", ["x"]), cf.Binary("b")])
    made = cf.CovLossSynthesizer(schema, epsilon=5, delta=0).fit({"a": ["x"] * 50, "b": [True] * 50}).sample()
    assert set(made["a"]) == {"x"}
