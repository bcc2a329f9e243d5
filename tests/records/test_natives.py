"""Masked numbers and times have the dtype of the true ones wherever a value of it can hold the result."""

from __future__ import annotations

import datetime as dt
import pickle
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covloss_fast import Categorical, Microaggregator, Numeric, OneHot, Schema

N = 24
PARIS = "Europe/Paris"
UTC = dt.timezone.utc


def frame_of(column: Any, name: str = "x") -> Any:
    """A table of the kind that a column belongs to."""
    if isinstance(column, pd.Series):
        return column.to_frame(name)
    if isinstance(column, pl.Series):
        return column.alias(name).to_frame()
    if isinstance(column, pa.Array | pa.ChunkedArray):
        return pa.table({name: column})
    return {name: column}


def dtype_of(column: Any) -> Any:
    return column.type if isinstance(column, pa.ChunkedArray | pa.Array) else getattr(column, "dtype", None)


def values_of(column: Any) -> list[Any]:
    return column.to_pylist() if isinstance(column, pa.ChunkedArray | pa.Array) else list(column)


def is_missing(value: Any) -> bool:
    return value is None or value is pd.NA or bool(value != value)


def with_none(values: Any, holes: Any, make: Callable[[Any], Any]) -> list[Any]:
    return [None if hole else make(value) for value, hole in zip(values.tolist(), holes)]


def objects(values: list[Any]) -> Any:
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out


Maker = Callable[[Any, Any], Any]


def numpy_of(dtype: str) -> Maker:
    return lambda values, holes: np.where(holes, np.nan, values).astype(dtype)


def pandas_of(dtype: Any) -> Maker:
    if dtype in ("float16", "float32", "float64"):
        return lambda values, holes: pd.Series(np.where(holes, np.nan, values)).astype(dtype)
    return lambda values, holes: pd.Series(pd.array(with_none(values, holes, int), dtype=dtype))


def polars_of(dtype: Any) -> Maker:
    return lambda values, holes: pl.Series(with_none(values, holes, int), dtype=pl.Int64).cast(dtype)


def arrow_of(dtype: Any) -> Maker:
    return lambda values, holes: pa.chunked_array([pa.array(with_none(values, holes, int)).cast(dtype)])


def objects_of(make: Callable[[Any], Any], container: Callable[[Any], Any]) -> Maker:
    return lambda values, holes: container(objects(with_none(values, holes, make)))


def as_is(values: Any) -> Any:
    return values


def series(values: Any) -> Any:
    return pd.Series(values, dtype=object)


#: Columns with fractions, and the relative error with which they hold a mean.
FLOATS: dict[str, tuple[Maker, float]] = {
    **{f"numpy {name}": (numpy_of(name), eps) for name, eps in [("float16", 1e-3), ("float32", 1e-7)]},
    "numpy float64": (numpy_of("float64"), 0.0),
    **{f"pandas {name}": (pandas_of(name), eps) for name, eps in [("float16", 1e-3), ("float32", 1e-7)]},
    "pandas float64": (pandas_of("float64"), 0.0),
    "pandas Float32": (pandas_of("Float32"), 1e-7),
    "pandas Float64": (pandas_of("Float64"), 0.0),
    "pandas float[pyarrow]": (pandas_of("float[pyarrow]"), 1e-7),
    "pandas double[pyarrow]": (pandas_of("double[pyarrow]"), 0.0),
    "polars Float32": (polars_of(pl.Float32), 1e-7),
    "polars Float64": (polars_of(pl.Float64), 0.0),
    "pyarrow float": (arrow_of(pa.float32()), 1e-7),
    "pyarrow double": (arrow_of(pa.float64()), 0.0),
    "objects of Decimal": (objects_of(Decimal, as_is), 0.0),
    "objects of Fraction": (objects_of(Fraction, as_is), 0.0),
    "pandas objects of Decimal": (objects_of(Decimal, series), 0.0),
    "pandas objects of float": (objects_of(float, series), 0.0),
    "pandas objects of float32": (objects_of(np.float32, series), 1e-7),
    "numpy objects of float": (objects_of(float, as_is), 0.0),
    "polars Decimal": (polars_of(pl.Decimal(12, 2)), 5.1e-3),
    "pyarrow decimal": (arrow_of(pa.decimal128(22, 2)), 5.1e-3),
    "pandas decimal[pyarrow]": (
        lambda v, h: pd.Series(pd.arrays.ArrowExtensionArray(arrow_of(pa.decimal128(22, 2))(v, h))),
        5.1e-3,
    ),
}
#: Columns of whole numbers.
WHOLE: dict[str, Maker] = {
    **{f"pandas {name}": pandas_of(name) for name in ("Int8", "UInt8", "Int16", "UInt32", "Int64", "UInt64")},
    **{f"pandas {name}": pandas_of(name) for name in ("int8[pyarrow]", "uint16[pyarrow]", "int64[pyarrow]")},
    **{f"polars {each}": polars_of(each) for each in (pl.Int8, pl.UInt8, pl.UInt16, pl.Int32, pl.UInt64)},
    **{f"pyarrow {each}": arrow_of(each) for each in (pa.int8(), pa.uint8(), pa.int32(), pa.uint64())},
    "pyarrow decimal": arrow_of(pa.decimal128(22, 0)),
    "objects of int": objects_of(int, as_is),
    "pandas objects of int": objects_of(int, series),
    "pandas objects of int16": objects_of(np.int16, series),
}


@st.composite
def numbers(draw: st.DrawFn) -> tuple[Any, Any]:
    values = draw(st.lists(st.integers(0, 127), min_size=N, max_size=N))
    holes = draw(st.lists(st.booleans(), min_size=N, max_size=N))
    if not draw(st.booleans()) or all(holes):
        holes = [False] * N
    return np.array(values), np.array(holes)


def masked_numbers(column: Any, holes: Any, release: str, schema: Schema | None) -> tuple[Any, Any]:
    """The masked column, and what float64 would say."""
    missing = "level" if holes.any() else None
    agg = Microaggregator(4, schema=schema, missing=missing, release=release)
    masked = agg.fit_transform(frame_of(column))["x"]
    for drawn in (agg.sample(9, 1), pickle.loads(pickle.dumps(agg)).sample(9, 1)):
        assert dtype_of(drawn["x"]) == dtype_of(masked)
    Microaggregator(4, missing=missing).fit(frame_of(masked))  # it can be read again
    return masked, agg.block_means_[agg.labels_, 0]


def schema_for(draws: bool, holes: Any, integer: bool) -> Schema | None:
    if not draws:
        return None
    return Schema([Numeric("x", 0, 127, integer=integer, missing="level" if holes.any() else None)])


@pytest.mark.parametrize("which", FLOATS)
@settings(max_examples=4)
@given(numbers(), st.booleans(), st.sampled_from(["mode", "median"]))
def test_fractions_keep_their_dtype(which: str, table: Any, declared: bool, release: str) -> None:
    values, holes = table
    make, error = FLOATS[which]
    column = make(values, holes)
    masked, means = masked_numbers(column, holes, release, schema_for(declared, holes, False))
    assert type(masked) is type(column)
    assert dtype_of(masked) == dtype_of(column)
    known = {type(value) for value in values_of(column) if not is_missing(value)}
    for value, mean in zip(values_of(masked), means):
        if is_missing(value):
            assert holes.any()
            continue
        assert type(value) in known
        if release == "mode":
            bound = error if which.endswith(("Decimal", "decimal", "decimal[pyarrow]")) else error * abs(mean)
            assert abs(float(value) - mean) <= max(bound, 1e-12)
        else:
            assert float(value) in values


@pytest.mark.parametrize("which", WHOLE)
@settings(max_examples=4)
@given(numbers(), st.booleans(), st.sampled_from(["rounded", "median"]))
def test_whole_numbers_keep_their_width(which: str, table: Any, declared: bool, release: str) -> None:
    values, holes = table
    column = WHOLE[which](values, holes)
    masked, means = masked_numbers(column, holes, release, schema_for(declared, holes, True))
    assert dtype_of(masked) == dtype_of(column)
    known = {type(value) for value in values_of(column) if not is_missing(value)}
    for value, mean in zip(values_of(masked), means):
        if not is_missing(value):
            assert type(value) in known
            assert int(value) == (np.rint(mean) if release == "rounded" else value)
            assert int(value) in values if release == "median" else True
    fractions = Microaggregator(4, missing="level").fit_transform(frame_of(column))["x"]
    wide = str(dtype_of(fractions)).lower()
    assert wide in ("float64", "double", "double[pyarrow]")


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint16, np.uint64, ">i2", ">f4"])
def test_arrays_keep_their_width(dtype: Any) -> None:
    table = np.random.default_rng(0).integers(0, 120, (N, 2)).astype(dtype)
    assert Microaggregator(4, release="rounded").fit_transform(table).dtype == np.dtype(dtype).newbyteorder(
        "="
    )
    kept = Microaggregator(4, release="rounded").fit_transform({"x": table[:, 0]})["x"]
    assert kept.dtype == table.dtype


def test_arrays_of_floats_and_objects() -> None:
    table = np.random.default_rng(0).normal(size=(N, 3))
    assert Microaggregator(4).fit_transform(table.astype(np.float32)).dtype == np.float32
    held = objects([Decimal(repr(value)) for value in table[:, 0].tolist()])
    masked = Microaggregator(4).fit_transform(np.column_stack([held, held]))
    assert {type(value) for value in masked.ravel()} == {Decimal}


def test_bounds_beyond_the_dtype_do_not_overflow() -> None:
    values = np.arange(N, dtype=np.uint8)
    far = Schema([Numeric("x", 300, 900, integer=True)])
    masked = Microaggregator(4, schema=far, release="rounded").fit_transform({"x": values})["x"]
    assert masked.dtype == np.int64
    assert set(masked) == {300}
    below = Schema([Numeric("x", -9, -5, bins=4, integer=True)])
    masked = Microaggregator(4, schema=below, release="rounded").fit_transform(pl.DataFrame({"x": values}))[
        "x"
    ]
    assert set(masked) == {-5}
    high = Schema([Numeric("x", 1e6, 2e6)])
    masked = Microaggregator(4, schema=high).fit_transform({"x": values.astype(np.float16)})["x"]
    assert masked.dtype == np.float64
    assert set(masked) == {1e6}
    late = Schema([Numeric("x", dt.date(2500, 1, 1), dt.date(2600, 1, 1))])
    days = pd.DataFrame({"x": pd.date_range("2020-01-01", periods=N).astype("datetime64[ns]")})
    assert set(Microaggregator(4, schema=late).fit_transform(days)["x"]) == {pd.Timestamp(2500, 1, 1)}


@pytest.mark.parametrize("numbers", ["released", "bins"])
def test_drawn_numbers_keep_their_dtype(numbers: Any) -> None:
    schema = Schema(
        [
            Numeric("a", 0, 100, integer=True, missing="level"),
            Numeric("b", 0, 1),
            Numeric("t", dt.datetime(2020, 1, 1), dt.datetime(2021, 1, 1)),
            OneHot("region", ["n", "s"]),
            Categorical("c", [1, 2]),
        ]
    )
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "n": np.arange(N) % 2 == 0,
            "b": rng.random(N).astype(np.float32),
            "a": pd.array(rng.integers(0, 99, N), dtype="Int8"),
            "s": np.arange(N) % 2 == 1,
            "c": rng.integers(1, 3, N).astype(np.uint16),
            "t": pd.date_range("2020-02-01", periods=N).astype("datetime64[ms]"),
        }
    )
    table.loc[:9, "a"] = pd.NA
    agg = Microaggregator(4, schema=schema, release="rounded")
    masked = agg.fit_transform(table)
    pd.testing.assert_series_equal(masked.dtypes, table.dtypes)
    pd.testing.assert_series_equal(agg.sample(50, 0, numbers=numbers).dtypes, table.dtypes)
    drawn = agg.sample(2000, 0, numbers="bins")
    assert drawn["a"].isna().any()
    assert drawn["a"].dropna().between(0, 100).all()
    assert drawn["t"].between("2020-01-01", "2021-01-01").all()


TOKYO = pd.Series(pd.date_range("2024-01-01", periods=N, tz="Asia/Tokyo"))


@pytest.mark.parametrize(
    "column",
    [
        pd.Series(np.arange(N), dtype="Float32"),
        pd.Series(np.arange(N), dtype="float[pyarrow]"),
        pl.Series(np.arange(N), dtype=pl.Float32),
        pa.array(np.arange(N), pa.float32()),
        np.arange(N, dtype=np.float32),
        TOKYO,
        TOKYO.astype("timestamp[us, Asia/Tokyo][pyarrow]"),
        pd.Series(np.arange(N) % 2, dtype="Int8"),
        pd.Series(np.arange(N) % 2).astype("category"),
    ],
    ids=lambda column: f"{type(column).__name__}-{dtype_of(column)}",
)
def test_columns_of_frames_in_a_dict(column: Any) -> None:
    if dtype_of(column) in ("Int8", "category"):
        attribute: Any = Categorical("x", [0, 1])
    elif isinstance(column, pd.Series) and "Tokyo" in str(column.dtype):
        attribute = Numeric("x", *(dt.datetime(2024, month, 1, tzinfo=UTC) for month in (1, 3)))
    else:
        attribute = Numeric("x", 0, N)
    agg = Microaggregator(4, schema=Schema([attribute]))
    masked = agg.fit_transform({"x": column})
    for table in (masked, agg.sample(7, 0)):
        assert type(table["x"]) is type(column) or isinstance(table["x"], pa.Array)
        assert dtype_of(table["x"]) == dtype_of(column)
    agg.fit(masked)


@pytest.mark.skipif(not hasattr(pl, "Int128"), reason="a polars without integers of 128 bits")
def test_integers_of_128_bits_stay_such() -> None:
    table = pl.DataFrame({"x": pl.Series(list(range(N)), dtype=pl.Int128)})
    assert Microaggregator(4, release="rounded").fit_transform(table)["x"].dtype == pl.Int128


def test_averaged_categories_come_back_as_numbers() -> None:
    """Their categories are values of records, most of which no longer occur."""
    values = np.random.default_rng(0).integers(0, 90, N)
    table = pd.DataFrame({"x": pd.Categorical(values), "y": pd.Categorical(values.astype(np.float32))})
    masked = Microaggregator(4, release="rounded").fit_transform(table)
    assert masked["x"].dtype == np.int64
    assert masked["y"].dtype == np.float32
    arrow = pa.table({"x": pa.array(values.astype(np.int16)).dictionary_encode()})
    assert Microaggregator(4, release="median").fit_transform(arrow)["x"].type == pa.int16()
    levels = Schema([Categorical("x", sorted(set(values.tolist()))), Numeric("y", 0, 100)])
    assert Microaggregator(4, schema=levels).fit_transform(table)["x"].dtype == table["x"].dtype


# ---- dates and times -------------------------------------------------------------------------------------


@pytest.mark.parametrize("container", [list, tuple, objects, series])
@pytest.mark.parametrize(
    ("which", "zone"),
    [
        *((which, None) for which in ("date", "datetime", "Timestamp", "mixed")),
        *((which, zone) for which in ("datetime", "Timestamp") for zone in (UTC, ZoneInfo(PARIS))),
    ],
)
@pytest.mark.parametrize("holes", [False, True])
def test_dates_of_python_come_back_as_such(which: str, container: Any, zone: Any, holes: bool) -> None:
    start = dt.datetime(2020, 1, 1, 12, tzinfo=zone)
    days = [start + dt.timedelta(days=i // 2) for i in range(N)]
    given: dict[str, list[Any]] = {
        "date": [day.date() for day in days],
        "datetime": days,
        "Timestamp": [pd.Timestamp(day) for day in days],
        "mixed": [day.date() if i % 2 else day for i, day in enumerate(days)],
    }
    values = [None, *given[which][1:]] if holes else given[which]
    missing = "level" if holes else None
    bounds = [(dt.datetime(2020, month, 1, tzinfo=None if zone is None else UTC)) for month in (1, 2)]
    if which == "date":
        bounds = [*bounds, *(each.date() for each in bounds)]
    for low, high in zip(bounds[::2], bounds[1::2]):
        agg = Microaggregator(4, schema=Schema([Numeric("x", low, high, bins=4, missing=missing)]))
        masked = agg.fit_transform({"x": container(values)})["x"]
        kinds = {type(each) for each in masked if each is not None}
        assert kinds == {{"date": dt.date, "Timestamp": pd.Timestamp}.get(which, dt.datetime)}
        assert str(dtype_of(masked)) == "object"
        assert zone is None or all(each is None or str(each.tzinfo) == str(zone) for each in masked)
        assert {type(each) for each in agg.sample(9, 0)["x"]} - {type(None)} == kinds
        assert agg.fit({"x": masked}) is agg


def test_lists_of_plain_numbers_and_times_are_arrays() -> None:
    moments = np.datetime64("2020-01-01") + np.arange(N).astype("m8[D]")
    schema = Schema([*(Numeric(x, 0, N) for x in "ab"), Numeric("c", *moments[[0, -1]].tolist())])
    table = {"a": list(range(N)), "b": tuple(map(float, range(N))), "c": list(moments)}
    masked = Microaggregator(4, schema=schema).fit_transform(table)
    assert [column.dtype.kind for column in masked.values()] == ["f", "f", "M"]


START = dt.datetime(2024, 3, 30, 22, 30)


def moments() -> list[dt.datetime]:
    rng = np.random.default_rng(0)
    return [START + dt.timedelta(seconds=int(each)) for each in rng.integers(0, 10**6, N)]


TIMES: dict[str, tuple[Any, bool]] = {
    **{f"numpy {unit}": (np.array(moments(), f"M8[{unit}]"), False) for unit in ("h", "s", "ms", "us", "ns")},
    **{f"pandas {u}": (pd.Series(moments()).astype(f"M8[{u}]"), False) for u in ("s", "ms", "us", "ns")},
    **{
        f"pandas {unit} zone": (
            pd.Series(moments()).astype(f"M8[{unit}]").dt.tz_localize("UTC").dt.tz_convert(PARIS),
            True,
        )
        for unit in ("s", "ms", "us", "ns")
    },
    "pandas arrow": (pd.Series(moments()).astype("timestamp[ms][pyarrow]"), False),
    "pandas arrow zone": (
        pd.Series(pd.arrays.ArrowExtensionArray(pa.array(moments(), pa.timestamp("us", PARIS)))),
        True,
    ),
    "pandas objects": (pd.Series(moments(), dtype=object), False),
    "pandas objects zone": (
        pd.Series([m.replace(tzinfo=ZoneInfo(PARIS)) for m in moments()], dtype=object),
        True,
    ),
    "pandas Timestamps zone": (
        pd.Series([pd.Timestamp(m).tz_localize("UTC").tz_convert(PARIS) for m in moments()], dtype=object),
        True,
    ),
    **{
        f"polars {unit}": (pl.Series(moments()).cast(pl.Datetime(unit)), False) for unit in ("ms", "us", "ns")
    },
    **{
        f"polars {unit} zone": (
            pl.Series(moments())
            .cast(pl.Datetime(unit))
            .dt.replace_time_zone("UTC")
            .dt.convert_time_zone(PARIS),
            True,
        )
        for unit in ("ms", "us", "ns")
    },
    **{
        f"pyarrow {unit}": (pa.chunked_array([pa.array(moments(), pa.timestamp(unit))]), False)
        for unit in ("s", "ms", "us", "ns")
    },
    **{
        f"pyarrow {unit} zone": (pa.chunked_array([pa.array(moments(), pa.timestamp(unit, PARIS))]), True)
        for unit in ("s", "ns")
    },
    "list": (np.array(moments(), dtype=object), False),
    "list zone": (np.array([m.replace(tzinfo=UTC) for m in moments()], dtype=object), True),
}


@pytest.mark.parametrize("holes", [False, True])
@pytest.mark.parametrize("which", TIMES)
def test_times_keep_unit_and_zone(which: str, holes: bool) -> None:
    column, zoned = TIMES[which]
    gone = np.arange(N) < 9
    if holes:
        if isinstance(column, pd.Series):
            column = column.mask(gone, None if column.dtype == object else pd.NaT)
        elif isinstance(column, pl.Series):
            column = pl.select(pl.when(pl.Series(~gone)).then(column)).to_series()
        elif isinstance(column, pa.ChunkedArray):
            column = pa.chunked_array([pa.array(with_none_of(column.to_pylist(), gone), column.type)])
        else:
            column = column.copy()
            column[gone] = None if column.dtype == object else "NaT"
    zone = UTC if zoned else None
    schema = Schema(
        [
            Numeric(
                "x",
                START.replace(tzinfo=zone),
                dt.datetime(2024, 5, 1, tzinfo=zone),
                bins=8,
                missing="level" if holes else None,
            )
        ]
    )
    agg = Microaggregator(4, schema=schema)
    masked = agg.fit_transform(frame_of(column))
    unit = 3600 if which == "numpy h" else 1 if " s" in which else 1e-3
    for table in (masked, agg.sample(5, 0), agg.sample(5, 0, numbers="bins")):
        assert dtype_of(table["x"]) == dtype_of(column)
    means = agg.block_means_[agg.labels_, 0] / 1e6
    for value, mean in zip(values_of(masked["x"]), means):
        if is_missing(value):
            assert holes
            continue
        if isinstance(value, np.datetime64):
            seconds = (value - np.datetime64(0, "s")) / np.timedelta64(1, "s")
        else:
            assert (value.utcoffset() is not None) == zoned
            if "zone" in which and which != "list zone":
                assert str(value.tzinfo) == PARIS
            seconds = value.timestamp() if zoned else value.replace(tzinfo=UTC).timestamp()
        assert abs(seconds - mean) <= 0.5 * unit + 1e-5
    again = Microaggregator(4, schema=schema).fit_transform(masked)
    assert dtype_of(again["x"]) == dtype_of(column)


def with_none_of(values: list[Any], gone: Any) -> list[Any]:
    return [None if hole else value for value, hole in zip(values, gone)]


DAYS = [each.date() for each in moments()]


@pytest.mark.parametrize(
    "column",
    [
        np.array(DAYS, "M8[D]"),
        np.array(DAYS, "M8[M]"),
        np.array(DAYS, "M8[W]"),
        np.array(DAYS, object),
        pd.Series(DAYS, dtype=object),
        pd.Series(DAYS).astype("M8[ns]"),
        pd.Series(DAYS).astype("date32[pyarrow]"),
        pl.Series(DAYS),
        pa.chunked_array([pa.array(DAYS, pa.date32())]),
        pa.chunked_array([pa.array(DAYS, pa.date64())]),
        pa.chunked_array([pa.array(DAYS, pa.date32()).dictionary_encode()]),
    ],
    ids=lambda column: f"{type(column).__name__}-{dtype_of(column)}",
)
@pytest.mark.parametrize("time", [False, True])
def test_days_stay_days(column: Any, time: bool) -> None:
    low, high = dt.date(2024, 1, 1), dt.date(2024, 5, 1)
    bounds: Any = [dt.datetime.combine(each, dt.time()) for each in (low, high)] if time else [low, high]
    schema = Schema([Numeric("x", *bounds)])
    agg = Microaggregator(4, schema=schema)
    masked = agg.fit_transform(frame_of(column))["x"]
    found, wanted = dtype_of(masked), dtype_of(column)
    assert found == getattr(wanted, "value_type", wanted)
    assert type(values_of(masked)[0]) is type(values_of(column)[0])
    assert dtype_of(agg.sample(3, 0)["x"]) == found
    assert [str(each)[:7] for each in values_of(masked)] >= ["2024-03"] * N


def test_lists_and_files_keep_what_they_were() -> None:
    schema = Schema([Numeric("x", dt.date(2024, 1, 1), dt.date(2024, 5, 1)), Numeric("y", 0, 200)])
    table = {"x": DAYS, "y": [Decimal(each.day) for each in DAYS]}
    masked = Microaggregator(4, schema=schema).fit_transform(table)
    assert {type(each) for each in masked["x"]} == {dt.date}
    assert {type(value) for value in masked["y"]} == {Decimal}
