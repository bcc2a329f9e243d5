"""A schema drafted from a public table fits that table, in every container."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import covloss_fast as cf
from covloss_fast.records.tables import write_atomic

UTC = dt.timezone.utc
N = 60
TABLE: dict[str, list[Any]] = {
    "flag": [True, False] * 30,
    "bit": [0, 1] * 30,
    "sex": ["m", "f", None] * 20,
    "job": ["rest", "clerk", "nurse"] * 20,
    "grade": [3, 1, 2] * 20,
    "rating": [0.5, 1.5, 2.0] * 20,
    "age": [*range(17, 76), None],
    "income": [i * 1234.5 for i in range(-30, 30)],
    "day": [dt.date(2020, 1, 1) + dt.timedelta(i) for i in range(N)],
    "login": [dt.datetime(2020, 1, 1, 12) + dt.timedelta(hours=i) for i in range(N)],
}
DRAFT = cf.Schema(
    [
        cf.Binary("flag"),
        cf.Binary("bit", (0, 1)),
        cf.Binary("sex", ("f", "m"), missing="level"),
        cf.Categorical("job", ["clerk", "nurse", "rest"]),
        cf.Categorical("grade", [1, 2, 3]),
        cf.Categorical("rating", [0.5, 1.5, 2.0]),
        cf.Numeric("age", 10, 80, integer=True, missing="level"),
        cf.Numeric("income", -40_000, 40_000),
        cf.Numeric("day", dt.date(2020, 1, 1), dt.date(2020, 2, 29)),
        cf.Numeric("login", dt.datetime(2020, 1, 1), dt.datetime(2020, 1, 4)),
    ]
)


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_draft(make: Any) -> None:
    table = make(TABLE)
    assert cf.Schema.from_public_table(table) == DRAFT
    DRAFT.validate(table)


@pytest.mark.parametrize("name", ["t.csv", "t.parquet"])
def test_draft_from_a_file(tmp_path: Path, name: str) -> None:
    write_atomic(tmp_path / name, pa.table(TABLE))
    assert cf.Schema.from_public_table(tmp_path / name) == DRAFT
    DRAFT.validate(tmp_path / name)


def test_labels_with_leading_zeros_are_text(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("zip,x,y\n01221,0.5,1\n1221,0,\n,-0.5,nan\n")
    assert cf.Schema.from_public_table(tmp_path / "t.csv") == cf.Schema(
        [
            cf.Binary("zip", ("01221", "1221"), missing="level"),
            cf.Categorical("x", [-0.5, 0.0, 0.5]),
            cf.Binary("y", ("1", "nan"), missing="level"),
        ]
    )


def test_array() -> None:
    schema = cf.Schema.from_public_table(np.array([[0, 5.0], [1, 7.0]]))
    assert schema == cf.Schema([cf.Binary("v1", (0, 1)), cf.Binary("v2", (5, 7))])


def test_only_levels_that_occur() -> None:
    column = pd.Series(["a", "b", "a"], dtype=pd.CategoricalDtype(["a", "b", "never"]))
    assert cf.Schema.from_public_table({"x": column}) == cf.Schema([cf.Binary("x", ("a", "b"))])


def test_most_records_in_one_bin() -> None:
    """A frequent value gets a bin of its own, and the others share the rest about evenly."""
    gains = [0] * 900 + [10**6 // i for i in range(1, 101)]
    (gain,) = cf.Schema.from_public_table({"gain": gains}).attributes
    assert isinstance(gain, cf.Numeric)
    assert gain.kind == "int"
    assert gain.edges[:2].tolist() == [0, 1]
    assert gain.edges[-1] == 1_000_000
    counts = np.histogram(gains, gain.edges)[0]
    assert gain.n_bins == 16
    assert counts[0] == 900
    assert counts[1:].min() >= 4
    assert counts[1:].max() <= 9
    (share,) = cf.Schema.from_public_table({"x": np.array(gains) / 7}).attributes
    assert isinstance(share, cf.Numeric)
    assert share.edges[:2].tolist() == [0, 10_000 / 7]


def test_zoned_times() -> None:
    times = [dt.datetime(2020, 1, 1, 12, tzinfo=UTC), dt.datetime(2020, 1, 3, 1, tzinfo=UTC)]
    expected = cf.Numeric("t", dt.datetime(2020, 1, 1, tzinfo=UTC), dt.datetime(2020, 1, 4, tzinfo=UTC))
    for make in (list, pd.Series, pl.Series, pa.array):
        assert cf.Schema.from_public_table({"t": make(times)}) == cf.Schema([expected])


@pytest.mark.parametrize(
    ("values", "match"),
    [
        ([None, None], "'x' has no values"),
        ([], "'x' has no values"),
        ([f"person {i}" for i in range(1001)], "'x' has 1,001 distinct texts"),
        (["3", 3, None], "'x' holds values of several or unknown types: int, str"),
        ([True, 2], "several or unknown types: bool, int"),
        ([b"x"], "several or unknown types: bytes"),
        ([float("inf")], "'x' has no finite values"),
        ([dt.date(2020, 1, 1), dt.datetime(2020, 1, 1)], "both dates and times"),
        ([dt.datetime(2020, 1, 1), dt.datetime(2020, 1, 1, tzinfo=UTC)], "with and without a time zone"),
    ],
)
def test_what_no_draft_can_be_made_of(values: list[Any], match: str) -> None:
    with pytest.raises(cf.EncodingError, match=match):
        cf.Schema.from_public_table({"x": values})


def test_names_are_text() -> None:
    with pytest.raises(cf.EncodingError, match="column 0 is named 7"):
        cf.Schema.from_public_table({7: [1]})


@settings(max_examples=200)
@given(
    st.one_of(
        st.lists(st.integers(-(2**62), 2**62), min_size=1, max_size=40),
        st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=40),
        st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=25, max_size=40),
        st.lists(st.none() | st.text(max_size=2), min_size=1).filter(any),
        st.lists(st.integers(-3, 60) | st.just(7) | st.just(60), min_size=80, max_size=300),
        st.lists(st.floats(-1, 1e9) | st.just(0.0), min_size=40, max_size=60),
        st.lists(st.dates(), min_size=1, max_size=30),
        st.lists(st.datetimes(dt.datetime(1900, 1, 1), dt.datetime(2200, 1, 1)), min_size=1, max_size=30),
    )
)
def test_a_table_fits_its_own_draft(values: list[Any]) -> None:
    for table in (
        {"x": values},
        pa.table({"x": values}),
        pl.DataFrame({"x": values}),
        pd.DataFrame({"x": values}),
    ):
        cf.Schema.from_public_table(table).validate(table)


def test_a_file_without_a_header_gives_no_draft(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("31,52000\n44,61000\n29,48000\n")
    with pytest.raises(ValueError, match="line 1: expected a header with names"):
        cf.Schema.from_public_table(tmp_path / "r.csv")
