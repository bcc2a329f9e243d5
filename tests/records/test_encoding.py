"""Strict rules from values to codes, places of faults, and the way back."""

from __future__ import annotations

import datetime as dt
import pickle
import warnings
from decimal import Decimal
from fractions import Fraction
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
from covloss_fast.records import encoding
from covloss_fast.records.batches import Batches
from covloss_fast.records.encoding import (
    EncodedTable,
    EncodingError,
    NumberStream,
    concatenate,
    decode,
    encode,
)
from covloss_fast.records.tables import Kind, TableError, write_atomic
from covloss_fast.reference.encoding import encode_value, one_hot

UTC = dt.timezone.utc
KINDS: list[Kind] = ["pandas", "polars", "pyarrow", "dict", "numpy"]


def codes_of(encoded: EncodedTable) -> list[list[int]]:
    """All codes, by attribute; the bits must say the same."""
    layout = encoded.schema.layout
    bits = encoded.bits.to_array(1)
    assert bits.shape == (encoded.n_records, layout.n_bits)
    out = []
    for j, size in enumerate(layout.sizes):
        codes = encoded.column_codes(j)
        group = bits[:, layout.offsets[j] : layout.offsets[j + 1]]
        if size == 2:
            assert encoded.codes[j] is None
            np.testing.assert_array_equal(group[:, 0], codes)
        else:
            np.testing.assert_array_equal(group, codes[:, None] == np.arange(size))
        out.append(codes.tolist())
    return out


def code(values: Any, attribute: Any) -> list[int]:
    """Codes of one column."""
    return codes_of(encode({attribute.name: values}, cf.Schema([attribute])))[0]


def fault(values: Any, attribute: Any) -> EncodingError:
    """Return the error of one column."""
    with pytest.raises(EncodingError) as info:
        encode({attribute.name: values}, cf.Schema([attribute]))
    assert info.value.column == attribute.name
    assert "\n" not in str(info.value)
    with pytest.raises(EncodingError):
        cf.Schema([attribute]).validate({attribute.name: values})
    return info.value


FLAG = cf.Binary("a")
FLAG_OR_MISSING = cf.Binary("a", missing="level")
YES = cf.Binary("a", levels=("no", "yes"))
JOB = cf.Categorical("a", ["clerk", "nurse", "rest"])
JOB_OTHER = cf.Categorical("a", ["clerk", "nurse", "rest"], other="rest", missing="level")
GRADE = cf.Categorical("a", [1, 2, 3])
SCORE = cf.Categorical("a", [0.5, 1, 2.5])
AGE = cf.Numeric("a", 0, 4, bins=4)
DAYS = cf.Numeric("a", dt.date(2020, 1, 1), dt.date(2020, 1, 5), bins=4)


class TestBooleans:
    """Booleans and exact 0 and 1, never truthiness."""

    @pytest.mark.parametrize(
        "values",
        [
            [True, False],
            np.array([True, False]),
            np.array([1, 0], dtype=np.int8),
            np.array([1, 0], dtype=np.uint64),
            np.array([1.0, 0.0]),
            np.array([1.0, -0.0], dtype=np.float16),
            pd.Series([True, False], dtype="boolean"),
            pd.Series([1, 0], dtype="Int64"),
            pd.Series([True, False], dtype=object),
            pd.Series([True, False], dtype="category"),
            pl.Series([True, False]),
            pa.array([True, False]),
            [1, 0],
            [Decimal(1), Fraction(0)],
            [np.True_, np.int8(0)],
        ],
    )
    def test_taken(self, values: Any) -> None:
        assert code(values, FLAG) == [1, 0]
        assert code(values, cf.Binary("a", levels=(0, 1))) == [1, 0]
        assert code(values, cf.Binary("a", levels=(1.0, 0.0))) == [0, 1]
        assert code(values, cf.Binary("a", levels=(True, False))) == [0, 1]

    @pytest.mark.parametrize(
        "values",
        [
            ["True", "False"],
            ["yes", "no"],
            pd.Series(["True", "False"]),
            pd.Series(["False"], dtype="category"),
            pl.Series(["True"]),
            pa.array(["0", "1"]),
            np.array(["1", "0"]),
            [b"1"],
        ],
    )
    def test_text_is_refused(self, values: Any) -> None:
        error = fault(values, FLAG)
        assert error.row == 0
        assert "where the declared levels are booleans" in str(error)

    @pytest.mark.parametrize(
        ("values", "row"),
        [
            (np.array([0, 1, 2], dtype=np.uint8), 2),
            (np.array([0, -1, 2], dtype=np.int64), 1),
            (np.array([0, 256, 257]), 1),
            (np.array([1, 0.5]), 1),
            (np.array([np.inf]), 0),
            ([0, 2], 1),
            (pd.Series([1, 2], dtype="Int8"), 1),
        ],
    )
    def test_stray_number(self, values: Any, row: int) -> None:
        error = fault(values, FLAG)
        assert error.row == row
        assert (
            str(error)
            == f"column 'a', row {row}: a value that is not a declared level (declared: False, True)"
        )

    def test_declared_spellings(self) -> None:
        assert code(["yes", "no"], YES) == [1, 0]
        assert fault([True, False], YES).row == 0
        assert fault(["no", "Yes"], YES).row == 1
        assert fault(np.array([0, 1]), YES).row == 0


class TestMissing:
    """An error with its place, or one level."""

    COLUMNS = (
        [None, True, None],
        [float("nan"), 1.0, None],
        np.array([np.nan, 1.0, np.nan]),
        np.array([None, True, np.nan], dtype=object),
        pd.Series([pd.NA, True, pd.NA], dtype="boolean"),
        pd.Series([pd.NA, 1, None], dtype="Int64"),
        pd.Series([np.nan, 1, pd.NA], dtype=object),
        pd.Series([None, True, None], dtype="category"),
        pl.Series([None, True, None]),
        pl.Series([None, 1.0, float("nan")]),
        pa.array([None, True, None]),
        pa.array([None, 1.0, float("nan")]),
        pa.chunked_array([[None], [1, None]], pa.int8()),
    )

    @pytest.mark.parametrize("values", COLUMNS)
    def test_every_marker(self, values: Any) -> None:
        error = fault(values, FLAG)
        assert error.row == 0
        assert "a missing value" in str(error)
        assert code(values, FLAG_OR_MISSING) == [2, 1, 2]

    @pytest.mark.parametrize(
        "values",
        [np.full(2, np.nan), [None, None], pd.Series([pd.NA] * 2), pl.Series([None, None]), pa.nulls(2)],
    )
    @pytest.mark.parametrize("attribute", [FLAG, YES, GRADE, AGE, DAYS])
    def test_all_missing_fits_no_attribute_and_every_missing_level(self, values: Any, attribute: Any) -> None:
        assert fault(values, attribute).row == 0
        if isinstance(attribute, cf.Numeric):
            ends = (dt.date(2020, 1, 1), dt.date(2020, 1, 5)) if attribute is DAYS else (0, 4)
            declared: Any = cf.Numeric("a", *ends, bins=4, missing="level")
        else:
            declared = cf.Categorical("a", attribute.levels, missing="level")
        assert code(values, declared) == [declared.size - 1] * 2

    def test_other_columns_are_untouched(self) -> None:
        frame = pd.DataFrame({"x": [1.0, np.nan, 3.0], "y": [0, 1, 1]})
        schema = cf.Schema([cf.Categorical("x", [1, 2, 3]), cf.Binary("y")])
        with pytest.raises(EncodingError, match=r"^column 'x', row 1: a missing value"):
            encode(frame, schema)

    def test_missing_before_undeclared(self) -> None:
        assert "missing" in str(fault(["clerk", None, "x"], JOB))
        assert "declared level" in str(fault(["clerk", "x", None], JOB))
        assert fault(np.array([1, np.nan, 7]), GRADE).row == 1
        assert fault(np.array([1, 7, np.nan]), GRADE).row == 1

    def test_empty_text_is_not_missing(self) -> None:
        assert fault([""], JOB_OTHER.__class__("a", ["x"], missing="level")).row == 0
        assert code([""], cf.Categorical("a", ["", "x"])) == [0]


class TestLevels:
    """Declared levels, byte for byte or by value."""

    def test_levels_that_never_occur(self) -> None:
        assert code(["nurse", "nurse"], JOB) == [1, 1]

    def test_the_levels_that_there_are_are_named(self) -> None:
        sentence = str(fault(["clerk", "pilot"], JOB))
        assert sentence.endswith("not a declared level (declared: 'clerk', 'nurse', 'rest')")
        assert "pilot" not in sentence
        many = cf.Categorical("a", [f"level {i}" for i in range(1, 2010)])
        assert str(fault(["pilot"], many)).endswith("'level 7', 'level 8' and 2,001 more)")
        long = str(fault(["pilot"], cf.Categorical("a", ["x" * 1000, "y"])))
        assert long.endswith(f"(declared: '{'x' * 39}..., 'y')")

    def test_undeclared_is_a_fault_or_other(self) -> None:
        assert fault(["clerk", "nurse", "pilot"], JOB).row == 2
        assert code(["clerk", "pilot", None, "rest"], JOB_OTHER) == [0, 2, 3, 2]
        numbers = cf.Categorical("a", [1, 2, -1], other=-1, missing="level")
        assert code(np.array([1, 9, 1.5, np.nan]), numbers) == [0, 2, 2, 3]
        assert code([1, 9, Decimal("1.5"), None], numbers) == [0, 2, 2, 3]

    @pytest.mark.parametrize("values", [np.array([1, 2]), [1, "clerk"], np.array([1.5]), [True]])
    def test_another_type_is_never_other(self, values: Any) -> None:
        assert fault(values, JOB_OTHER).row == 0

    @pytest.mark.parametrize("values", [["1", "2"], pd.Series(["1"]), np.array([True]), ["2020-01-01"]])
    def test_another_type_is_never_a_number(self, values: Any) -> None:
        assert fault(values, cf.Categorical("a", [1, 2, -1], other=-1)).row == 0

    def test_mixed_types(self) -> None:
        error = fault(["3", 3, None], cf.Categorical("a", ["3", "4"]))
        assert error.row == 1
        assert "a number where the declared levels are text" in str(error)
        assert fault([3, "3", None], cf.Categorical("a", [3, 4])).row == 1
        assert fault([2, True], GRADE).row == 1

    @pytest.mark.parametrize(
        "values",
        [
            np.array([1.0, 3.0]),
            np.array([1, 3], dtype=np.uint8),
            np.array([1, 3], dtype=np.float32),
            [1.0, 3],
            [Decimal("1.0"), Fraction(3)],
            [Decimal("1e0"), Decimal("30e-1")],
            [np.int8(1), np.float32(3.0)],
            [np.uint64(1), np.float16(3)],
            np.array([np.float64(1), 3], dtype=object),
            pd.Series([1, 3], dtype="category"),
            pd.Series([1.0, 3.0], dtype="category"),
            pd.Series([1, 3], dtype="Float32"),
            pd.Series([1, Decimal(3)], dtype=object),
            pl.Series([Decimal("1.00"), Decimal("3.00")]),
            pa.array([Decimal("1.00"), Decimal("3.00")]),
            pa.array([1.0, 3.0]).dictionary_encode(),
        ],
    )
    def test_integers_by_value(self, values: Any) -> None:
        assert code(values, GRADE) == [0, 2]
        assert code(values, cf.Categorical("a", [3, 1])) == [1, 0]
        assert code(values, cf.Categorical("a", [3.0, 1.0, 0.5])) == [1, 0]

    def test_one_and_a_half_is_no_integer(self) -> None:
        assert fault(np.array([1, 1.5]), GRADE).row == 1
        for half in (1.5, np.float32(1.5), np.float16(1.5), Decimal("1.5"), Fraction(3, 2)):
            assert fault([1, half], GRADE).row == 1
        assert fault(pa.array([Decimal("1.0"), Decimal("1.5")]), GRADE).row == 1
        assert "text where" in str(fault(["1"], GRADE))  # in a frame text is text

    @pytest.mark.parametrize(
        "dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "g", ">i4", ">f8"]
    )
    @pytest.mark.parametrize("levels", [[0, 1], [0, 1, 2], [5, 6, 7], [2, 0, 1], [0, 7, 100], [-1, 0, 9]])
    def test_every_dtype(self, dtype: str, levels: list[int]) -> None:
        kept = [level for level in levels if level >= 0 or "u" not in dtype]
        values = np.array(kept * 2).astype(dtype)
        attribute = cf.Categorical("a", levels)
        assert code(values, attribute) == [levels.index(v) for v in kept] * 2
        assert fault(np.append(values, values.dtype.type(50)), attribute).row == len(values)

    def test_exact_beyond_53_bits(self) -> None:
        big = 2**53
        attribute = cf.Categorical("a", [big, big + 1, 2**63 - 1])
        assert code(np.array([big + 1, big, 2**63 - 1]), attribute) == [1, 0, 2]
        assert code(np.array([big, 2**63 - 1], dtype=np.uint64), attribute) == [0, 2]
        assert fault(np.array([2**64 - 1], dtype=np.uint64), attribute).row == 0
        assert code(np.array([float(big)]), attribute) == [0]
        assert fault(np.array([2.0**63]), attribute).row == 0
        assert fault(np.array([big + 1]), cf.Categorical("a", [float(big), 0.5])).row == 0

    def test_numbers(self) -> None:
        assert code(np.array([0.5, 2.5, 1]), SCORE) == [0, 2, 1]
        assert fault(np.array([0.1], dtype=np.float32), cf.Categorical("a", [0.1, 0.2])).row == 0

    def test_dates_are_no_levels(self) -> None:
        for attribute in (JOB_OTHER, GRADE, FLAG):
            assert "a date where" in str(fault(np.array(["2020-01-01"], "datetime64[D]"), attribute))
            assert "a date where" in str(fault([dt.date(2020, 1, 1)], attribute))

    def test_unhashable(self) -> None:
        assert fault(["clerk", ["clerk"]], JOB).row == 1

    def test_labels_of_great_likeness(self) -> None:
        attribute = cf.Categorical("a", ["01221", "1221", "1221.0", "NA", "nan", "", " 1", "é", "e\u0301"])
        assert code(list(attribute.levels), attribute) == list(range(9))


class TestNumeric:
    """Half-open bins, the last closed; clamped."""

    VALUES = (-5, 0, 0.99, 1, 1.5, 3, 3.999, 4, 99, np.inf, -np.inf)
    CODES = (0, 0, 0, 1, 1, 3, 3, 3, 3, 3, 0)

    def test_bins(self) -> None:
        assert code(np.array(self.VALUES), AGE) == list(self.CODES)
        assert code(list(self.VALUES), AGE) == list(self.CODES)
        whole = cf.Numeric("a", 0, 4, bins=4, integer=True)
        for infinite in (np.array([np.inf, -np.inf]), [np.inf, 1, -np.inf][::2]):
            assert code(infinite, whole) == [3, 0]
        assert code([Decimal("0.99"), Fraction(3, 2), np.float32(4)], AGE) == [0, 1, 3]

    @pytest.mark.parametrize("dtype", ["i1", "i8", "u1", "u8", "f2", "f4", ">i2"])
    def test_every_dtype(self, dtype: str) -> None:
        attribute = cf.Numeric("a", edges=[-1000, -0.5, 1, 2.5, 1e30])
        values = np.array([0, 1, 2, 3, 100]).astype(dtype)
        assert code(values, attribute) == [1, 2, 2, 3, 3]

    def test_integers_are_compared_exactly(self) -> None:
        attribute = cf.Numeric("a", edges=[0, 2**53, 2**62])
        assert code(np.array([2**53 - 1, 2**53, 2**53 + 1]), attribute) == [0, 1, 1]
        assert code(np.array([2**64 - 1], dtype=np.uint64), attribute) == [1]

    @pytest.mark.parametrize(
        "values", [["1"], np.array(["1"]), [True], np.array([True]), pd.Series(["1"]), pl.Series([True])]
    )
    def test_not_numbers(self, values: Any) -> None:
        assert "where numbers are declared" in str(fault(values, AGE))

    @pytest.mark.parametrize(
        "values",
        [
            [dt.date(2020, 1, 1)],
            np.array(["2020-01-01"], "datetime64[ns]"),
            pd.Series(pd.to_datetime(["2020-01-01"])),
            pl.Series([dt.date(2020, 1, 1)]),
            pa.array([dt.datetime(2020, 1, 1)]),
        ],
    )
    def test_dates_need_date_edges(self, values: Any) -> None:
        assert "no date edges" in str(fault(values, AGE))

    @pytest.mark.parametrize(
        "make",
        [
            list,
            lambda v: np.array(v, dtype="datetime64[D]"),
            lambda v: np.array(v, dtype="datetime64[s]"),
            lambda v: np.array(v[1:-1], dtype="datetime64[ns]"),
            lambda v: pd.Series(v),
            lambda v: pd.Series(pd.to_datetime(v[1:-1])),
            lambda v: pl.Series(v),
            lambda v: pl.Series(v).cast(pl.Datetime("ms")),
            lambda v: pa.array(v),
            lambda v: pa.array(v).cast(pa.date64()),
        ],
    )
    def test_dates(self, make: Any) -> None:
        days = [
            dt.date(1, 1, 1),
            dt.date(2020, 1, 1),
            dt.date(2020, 1, 2),
            dt.date(2020, 1, 5),
            dt.date(9999, 1, 1),
        ]
        values = make(days)
        assert code(values, DAYS) == ([0, 0, 1, 3, 3] if len(values) == 5 else [0, 1, 3])

    def test_time_of_day_within_date_edges(self) -> None:
        evening = [dt.datetime(2020, 1, 1, 23, 59, 59, 999_999), dt.datetime(2020, 1, 2)]
        for values in (
            evening,
            np.array(evening, "datetime64[us]"),
            np.array(evening, "datetime64[ns]"),
            pl.Series(evening),
        ):
            assert code(values, DAYS) == [0, 1]

    def test_zones_must_agree(self) -> None:
        zoned = [dt.datetime(2020, 1, 2, 1, tzinfo=dt.timezone(dt.timedelta(hours=9)))]  # 1 January in UTC
        plain = [dt.datetime(2020, 1, 1)]
        moments = cf.Numeric("a", edges=[dt.datetime(2020, 1, day, tzinfo=UTC) for day in (1, 2, 3)])
        for make in (list, pd.Series, pl.Series, pa.array):
            assert code(make(zoned), moments) == [0]
            assert "with a time zone" in str(fault(make(zoned), DAYS))
            assert "without a time zone" in str(fault(make(plain), moments))
        assert "without a time zone" in str(fault([dt.date(2020, 1, 1)], moments))

    @pytest.mark.parametrize("values", [np.array([18_000]), [18_000], ["2020-01-01"], [True]])
    def test_numbers_are_no_dates(self, values: Any) -> None:
        assert "where dates are declared" in str(fault(values, DAYS))

    def test_durations(self) -> None:
        assert fault(np.array([1], "timedelta64[s]"), AGE).row == 0
        assert fault([dt.timedelta(1)], DAYS).row == 0


# ---- whole tables ------------------------------------------------------------------------------------------

SCHEMA = cf.Schema(
    [
        cf.Binary("smoker"),
        cf.Binary("sex", levels=("f", "m"), missing="level"),
        cf.Categorical("job", ["clerk", "nurse", "rest"], other="rest"),
        cf.Numeric("age", 0, 120, bins=12, integer=True, missing="level"),
    ]
)
TABLE: dict[str, list[Any]] = {
    "age": [3, None, 110],
    "job": ["nurse", "pilot", "clerk"],
    "smoker": [True, False, True],
    "sex": ["m", None, "f"],
}
CODES = [[1, 0, 1], [1, 2, 0], [1, 2, 0], [0, 12, 11]]


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_columns_go_by_name(make: Any) -> None:
    assert codes_of(encode(make(TABLE), SCHEMA)) == CODES


def test_arrays_go_by_position() -> None:
    array = np.array([TABLE[name] for name in SCHEMA.names], dtype=object).T
    assert codes_of(encode(array, SCHEMA)) == CODES
    with pytest.raises(EncodingError, match="the array has 3 columns and the schema 4 attributes"):
        encode(array[:, :3], SCHEMA)


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_names_must_be_those_of_the_schema(make: Any) -> None:
    with pytest.raises(EncodingError, match="no column 'age', 'job'"):
        encode(make({"smoker": [True], "sex": ["f"]}), cf.Schema(SCHEMA.attributes[::-1]))
    with pytest.raises(
        EncodingError, match=r"does not declare: 'id' \(position 4\), 'x' \(position 5\); drop them first$"
    ):
        encode(make(TABLE | {"id": [1, 2, 3], "x": [1, 2, 3]}), SCHEMA)
    with pytest.raises(EncodingError, match="saved index"):
        encode(make(TABLE | {"": [1, 2, 3]}), SCHEMA)


def test_names_are_text_and_unique() -> None:
    frame = pd.DataFrame([[0, 1]])
    with pytest.raises(
        EncodingError, match="no column '0', '1'; the names of the table's columns are not text"
    ):
        encode(frame, cf.Schema([cf.Binary("0"), cf.Binary("1")]))
    twice = pd.DataFrame([[0, 1]], columns=["a", "a"])
    with pytest.raises(EncodingError, match="two columns are named 'a', those at positions 0 and 1"):
        encode(twice, cf.Schema([cf.Binary("a")]))


@pytest.mark.parametrize(
    "line", ["SECRETV,SECRETV,1", "smoker,SECRETV,SECRETV", "smoker,SECRETV", "SECRETV,1,2", "SECRETV"]
)
def test_the_first_record_of_a_file_without_a_header_is_never_told(tmp_path: Path, line: str) -> None:
    schema = cf.Schema([cf.Binary("smoker"), cf.Binary("sex", ("f", "m"))])
    path = tmp_path / "t.csv"
    path.write_text(f"{line}\n{line}\n")
    for read_it in (
        lambda: encode(path, schema),
        lambda: encode(pd.read_csv(path), schema),
        lambda: cf.Microaggregator(min_block_size=1, schema=schema).fit(path),
        lambda: cf.Microaggregator(min_block_size=1).fit(path),
    ):
        with pytest.raises(ValueError, match="column") as caught:
            read_it()
        assert "SECRETV" not in str(caught.value)
        assert "SECRETV" not in str(getattr(caught.value, "column", ""))
    with pytest.raises(EncodingError, match=r"first line must hold the names|drop them first"):
        encode(path, schema)


def test_cells_of_a_csv_file_may_be_long(tmp_path: Path) -> None:
    long = "x" * 200_000
    schema = cf.Schema([cf.Categorical("a", [long, "y"]), cf.Binary("b")])
    path = tmp_path / "t.csv"
    path.write_text(f"a,b\n{long},True\ny,False\ny,SECRETV\n")
    with pytest.raises(EncodingError, match=r"^column 'b', line 4: .* \(declared: False, True\)$"):
        encode(path, schema)
    path.write_text(f"a,b\n{long},True\ny\n")
    with pytest.raises(TableError, match="line 3: expected 2 cells"):
        encode(path, schema)
    huge = "z" * 3_000_000
    path.write_text(f"a,b\ny,True\n{huge},True\n" + "y,False\n" * 20)
    other = cf.Schema([cf.Categorical("a", ["y", huge]), cf.Binary("b")])
    assert encode(path, other).column_codes(0).tolist() == [0, 1] + [0] * 20
    with pytest.raises(EncodingError, match="'a', line 3: a value that is not a declared level"):
        encode(path, schema)


def test_cells_that_are_lists_are_told_as_such() -> None:
    schema = cf.Schema([cf.Categorical("a", ["x", "y"])])
    for cell, kind in (([1], "list"), ({}, "dict"), ({1}, "set")):
        with pytest.raises(EncodingError, match=f"'a', row 1: a value of type {kind} where"):
            encode({"a": ["x", cell]}, schema)


@pytest.mark.parametrize("unit", ["D", "s", "us", "ns", "ps"])
def test_durations_of_no_unit_are_numbers(unit: str) -> None:
    schema = cf.Schema([cf.Numeric("a", 0, 10, bins=2, missing="level")])
    durations = np.array([1, 2, "NaT"], dtype=f"timedelta64[{unit}]")
    for table in ({"a": durations}, durations[:, None]):
        with pytest.raises(
            EncodingError, match="row 0: a value of type timedelta where numbers are declared"
        ):
            encode(table, schema)
    assert encode({"a": durations[2:]}, schema).column_codes(0).tolist() == [2]


def test_periods_of_pandas_are_no_numbers_in_arrow_either() -> None:
    frame = pd.DataFrame({"a": pd.period_range("1970-01", periods=3, freq="M")})
    schema = cf.Schema([cf.Numeric("a", 0, 10, bins=2)])
    for table in (frame, pa.Table.from_pandas(frame)):
        with pytest.raises(EncodingError, match="row 0: a value of type Period where numbers are declared"):
            encode(table, schema)


def test_times_of_any_unit_and_distance_are_binned() -> None:
    schema = cf.Schema([cf.Numeric("t", dt.date(1, 1, 1), dt.date(9999, 12, 31), bins=4, missing="level")])
    far = 2**62
    for unit in ("Y", "2Y", "M", "W", "3W", "D", "h", "s", "ms"):
        moments = [np.datetime64(sign * far, unit) for sign in (-1, 1)]
        moments += [
            np.datetime64("NaT", unit),
            np.datetime64("1980", unit.lstrip("23")).astype(f"M8[{unit}]"),
        ]
        for column in (np.array(moments, dtype=object), np.array(moments)):
            assert encode({"t": column}, schema).column_codes(0).tolist() == [0, 3, 4, 0], unit
        complete = cf.Schema([cf.Numeric("t", dt.date(1, 1, 1), dt.date(9999, 12, 31))])
        masked = cf.Microaggregator(min_block_size=1, schema=complete).fit_transform(
            {"t": np.array(moments[:2])}
        )
        bounds = np.array(["0001-01-01", "9999-12-31"], "M8[D]").astype(f"M8[{unit}]")
        assert masked["t"].dtype == bounds.dtype
        assert masked["t"].tolist() == bounds.tolist()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of numpy 2.5: times without a unit
        for empty in (np.array(["NaT", "NaT"], "M8"), np.array([np.datetime64("NaT")] * 2, dtype=object)):
            assert encode({"t": empty}, schema).column_codes(0).tolist() == [4, 4]
    swapped = np.array(["1980-01-01", "9000-01-01"], dtype=">M8[D]")
    assert encode({"t": swapped}, schema).column_codes(0).tolist() == [0, 3]


@pytest.mark.parametrize("source", [None, TABLE, pd.DataFrame(TABLE), np.zeros((2, 4)), "t.csv"])
def test_a_source_of_batches_that_gives_none_is_told(source: Any) -> None:
    synth = cf.CovLossSynthesizer(SCHEMA, epsilon=1, delta=0)
    with pytest.raises(
        TypeError, match=f"return an iterator of tables, or a list .* {type(source).__name__}"
    ):
        synth.fit(lambda: source)
    assert not hasattr(synth, "ledger_")


@pytest.mark.parametrize("cell", ["\x00", "a\x00b", "\r", '"a"b', "\u2028"])
def test_faults_have_a_place_whatever_stands_before_them(tmp_path: Path, cell: str) -> None:
    """Where Python's reader and pyarrow's differ about a file, there is at least the number of the record."""
    path = tmp_path / "t.csv"
    path.write_text(f"a,b\n{cell},x\ny,x\ny,SECRETV\n", newline="")
    with pytest.raises(ValueError, match=r"line|row") as caught:
        encode(path, cf.Schema([cf.Categorical("a", ["y", "z"], other="z"), cf.Categorical("b", ["x"])]))
    assert "SECRETV" not in str(caught.value)


def test_index_is_ignored() -> None:
    frame = pd.DataFrame(TABLE, index=[7, 7, -1])
    assert codes_of(encode(frame, SCHEMA)) == CODES


def test_first_fault_of_each_column() -> None:
    table = {"smoker": [1, 2, 3], "sex": ["f", "m", "x"], "job": ["clerk"] * 3, "age": [1, "secret", None]}
    with pytest.raises(EncodingError) as info:
        encode(table, SCHEMA)
    assert str(info.value) == (
        "column 'smoker', row 1: a value that is not a declared level (declared: False, True); "
        "column 'sex', row 2: a value that is not a declared level (declared: 'f', 'm'); "
        "column 'age', row 1: text where numbers are declared"
    )
    assert (info.value.column, info.value.row) == ("smoker", 1)
    again = pickle.loads(pickle.dumps(info.value))
    assert (str(again), again.column, again.row) == (str(info.value), "smoker", 1)


def test_at_most_twenty_columns_are_named() -> None:
    schema = cf.Schema([cf.Binary(f"v{j}") for j in range(30)])
    with pytest.raises(EncodingError) as info:
        encode(np.full((2, 30), 5), schema)
    assert str(info.value).count("row 0") == 20
    assert str(info.value).endswith("; and 10 more columns")


def test_no_value_in_any_message() -> None:
    for attribute in (FLAG, YES, GRADE, SCORE, AGE, DAYS):
        for values in (
            ["secret"],
            [98765],
            [98765.5],
            [dt.date(9876, 5, 4)],
            [dt.datetime(9876, 5, 4, tzinfo=UTC)],
            [b"secret"],
        ):
            if attribute is AGE and isinstance(values[0], int | float):
                continue
            if attribute is DAYS and type(values[0]) is dt.date:
                continue
            message = str(fault(values, attribute))
            assert "secret" not in message
            assert "9876" not in message


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table, dict])
def test_no_records(make: Any) -> None:
    empty = make({name: [] for name in TABLE})
    assert codes_of(encode(empty, SCHEMA)) == [[], [], [], []]
    assert codes_of(encode(np.empty((0, 4)), SCHEMA)) == [[], [], [], []]


def test_input_is_never_written_to() -> None:
    array = np.array([[1, np.nan], [0, 5]])
    array.flags.writeable = False
    schema = cf.Schema([cf.Binary("a"), cf.Numeric("b", 0, 4, bins=4, missing="level")])
    assert codes_of(encode(array, schema)) == [[1, 0], [4, 3]]


@pytest.mark.parametrize("dtype", ["u1", "?", "i1", "i8", "f8", "f2", "u8"])
@pytest.mark.parametrize("n", [0, 1, 63, 64, 65, 20_000])
def test_bits_of_every_layout(dtype: str, n: int) -> None:
    schema = cf.Schema([cf.Binary(f"v{j}", levels=(j % 2 == 1, j % 2 == 0)) for j in range(5)])
    plain = cf.Schema([cf.Binary(f"v{j}") for j in range(5)])
    full = np.random.default_rng(n).integers(0, 2, size=(2 * n, 10))
    expected = full[::2, ::2]
    for table in (
        full.astype(dtype)[::2, ::2],
        full.astype(dtype)[::2, ::2].copy(),
        np.asfortranarray(full.astype(dtype)[::2, ::2]),
        pd.DataFrame(full[::2, ::2].astype(dtype), columns=list(plain.names), copy=False),
        pl.DataFrame({f"v{j}": full[::2, 2 * j].astype("f4" if dtype == "f2" else dtype) for j in range(5)}),
    ):
        np.testing.assert_array_equal(encode(table, plain).bits.to_array(1), expected)
        flipped = expected ^ (np.arange(5) % 2 == 1)
        np.testing.assert_array_equal(encode(table, schema).bits.to_array(1), flipped)


def test_columns_of_a_frame_in_another_order_take_no_shortcut() -> None:
    frame = pd.DataFrame(np.array([[0, 1], [0, 1]], dtype=np.uint8), columns=["b", "a"], copy=False)
    assert codes_of(encode(frame, cf.Schema([cf.Binary("a"), cf.Binary("b")]))) == [[1, 1], [0, 0]]


@pytest.mark.parametrize("dtype", ["u1", "i8"])
def test_stray_value_far_down_an_array(dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoding, "_CHUNK_CELLS", 10_000)
    array = np.zeros((40_000, 3), dtype=dtype)
    array[33_333, 1] = 2
    array[39_999, 1] = 2
    with pytest.raises(
        EncodingError, match=r"^column 'v1', row 33333: a value that is not a declared level \(declared: "
    ):
        encode(array, cf.Schema([cf.Binary(f"v{j}") for j in range(3)]))


def test_domain_codes() -> None:
    schema = cf.Schema.from_domain({"a": 2, "b": 300, "c": 3})
    array = np.array([[0, 299, 2], [1, 0, 0]])
    encoded = encode(array, schema)
    assert codes_of(encoded) == [[0, 1], [299, 0], [2, 0]]
    assert [None if codes is None else codes.dtype for codes in encoded.codes] == [None, np.uint16, np.uint8]
    with pytest.raises(EncodingError, match="column 'b', row 1"):
        encode(np.array([[0, 0, 0], [0, 300, 0]]), schema)


def test_concatenate() -> None:
    table = pa.table(TABLE)
    parts = [encode(table.slice(i, 1), SCHEMA) for i in range(3)]
    assert codes_of(concatenate(parts)) == CODES
    assert concatenate(parts[:1]) is parts[0]
    with pytest.raises(ValueError, match="at least one"):
        concatenate([])
    with pytest.raises(ValueError, match="differ in their schemas"):
        concatenate([parts[0], encode({"a": [0]}, cf.Schema([FLAG]))])


def test_batches() -> None:
    table = pa.table(TABLE)
    (encoded,) = Batches(lambda: (table.slice(i, 1) for i in range(3))).parts(SCHEMA, 1)
    assert codes_of(encoded) == CODES
    assert encoded.kind == "pyarrow"
    with pytest.raises(EncodingError, match=r"^batch 1: column 'smoker', row 1: a value") as info:
        Batches(lambda: [table, TABLE | {"smoker": [1, 2, 0]}]).open(SCHEMA, 1)
    assert info.value.row == 4
    with pytest.raises(EncodingError, match="no batch"):
        Batches(lambda: []).open(SCHEMA, 1)


@pytest.mark.parametrize("kind", KINDS)
def test_kind_of_container(kind: Kind) -> None:
    schema = cf.Schema.from_domain({"a": 2, "b": 3})
    table = decode(np.array([[0, 1], [2, 1]]), schema, kind)
    assert encode(table, schema).kind == kind


@pytest.mark.parametrize("n_threads", [0, -1, True, 2.5])
def test_threads_are_checked(n_threads: Any) -> None:
    with pytest.raises(ValueError, match="n_threads"):
        encode(TABLE, SCHEMA, n_threads)


# ---- CSV ---------------------------------------------------------------------------------------------------


def csv_code(folder: Path, cells: list[str], attribute: Any) -> list[int]:
    """Codes of a column of a CSV file."""
    path = folder / "t.csv"
    path.write_text("\n".join(["a,b", *(f"{cell},0" for cell in cells)]) + "\n")
    return codes_of(encode(path, cf.Schema([attribute, cf.Binary("b")])))[0]


@pytest.mark.parametrize(
    ("attribute", "cells", "codes"),
    [
        (
            FLAG,
            ["True", "False", "true", "false", "TRUE", "1", "0", "1.0", "0.0"],
            [1, 0, 1, 0, 1, 1, 0, 1, 0],
        ),
        (cf.Binary("a", (0, 1)), ["1", "0", "1.0"], [1, 0, 1]),
        (FLAG_OR_MISSING, ["", "1"], [2, 1]),
        (YES, ["yes", "no"], [1, 0]),
        (GRADE, ["1", "2.0", "+3"], [0, 1, 2]),
        (GRADE, ["1e0", "1.", "+1.00", "20e-1", ".3E+1", "0.002e3", "3e000"], [0, 0, 0, 1, 2, 1, 2]),
        (GRADE, ["1e0000", "1e+00000", "1e-00000", "200e-0002", f"3E{'0' * 9999}"], [0, 0, 0, 1, 2]),
        (GRADE, [f"0.{'0' * 9999}1e10000", f"2{'0' * 9999}e-9999"], [0, 1]),
        (FLAG, ["1e0000", "0e9999", "-0.00E-9999", f"0e{'9' * 9999}"], [1, 0, 0, 0]),
        (SCORE, ["1e0000", "5e-00001", f"25e-{'0' * 9999}1"], [1, 0, 2]),
        (cf.Categorical("a", [0, 2**62 + 1, -5]), ["-0.0", str(2**62 + 1), "-5E0"], [0, 1, 2]),
        (cf.Categorical("a", [1, 9], other=9), ["1e0", "1.5", "01", "x", "9.0"], [0, 1, 1, 1, 1]),
        (FLAG, ["1e0", "0E0", "+1"], [1, 0, 1]),
        (SCORE, [".5", "0.50", "5e-1", "1", "2.5"], [0, 0, 0, 1, 2]),
        (JOB_OTHER, ["clerk", "1", "", '""'], [0, 2, 3, 2]),
        (cf.Categorical("a", ["01221", "NA", "1.0", "1"]), ["1", "1.0", "NA", "01221"], [3, 2, 1, 0]),
        (cf.Categorical("a", ["NA", "NaN", "null", "None"]), ["NaN", "None", "null", "NA"], [1, 3, 2, 0]),
        (AGE, ["0", "-7", "1.5", "1e0", "007", "3", "4."], [0, 0, 1, 1, 3, 3, 3]),
        (DAYS, ["2020-01-01", "2020-01-02", "2020-01-02T23:59:59", "2020-01-04 00:00:00"], [0, 1, 1, 3]),
        (
            cf.Numeric("a", edges=[dt.datetime(2020, 1, day, tzinfo=UTC) for day in (1, 2, 3)]),
            ["2020-01-02T00:00Z", "2020-01-02 08:00:00.123456789+0900", "9999-12-31T23:59:59-12"],
            [1, 0, 1],
        ),
    ],
)
def test_csv_cells(tmp_path: Path, attribute: Any, cells: list[str], codes: list[int]) -> None:
    assert csv_code(tmp_path, cells, attribute) == codes


@pytest.mark.parametrize(
    ("attribute", "cell", "reason"),
    [
        (FLAG, "2", "not a declared level"),
        (FLAG, "yes", "not a declared level"),
        (FLAG, "", "missing value"),
        (cf.Binary("a", (0, 1)), "True", "not a declared level"),
        (GRADE, "01", "not a declared level"),
        (GRADE, "1.5", "not a declared level"),
        (GRADE, " 1", "not a declared level"),
        (GRADE, "1.00000000000000000000000000000000001", "not a declared level"),
        (GRADE, "15e-1", "not a declared level"),
        (GRADE, "01e0", "not a declared level"),
        (GRADE, "1e999", "not a declared level"),
        (GRADE, "1e999999999", "not a declared level"),
        (GRADE, "1e-999999999", "not a declared level"),
        (GRADE, f"1e{'9' * 9999}", "not a declared level"),
        (GRADE, f"-1e-{'9' * 9999}", "not a declared level"),
        (SCORE, f"1e{'9' * 9999}", "not a declared level"),
        (GRADE, "1e999999999999999999999", "not a declared level"),
        (GRADE, "1 ", "not a declared level"),
        (FLAG, "01", "not a declared level"),
        (FLAG, "1e-1", "not a declared level"),
        (SCORE, "01", "not a declared level"),
        (SCORE, "00.5", "not a declared level"),
        (GRADE, "9" * 5000, "not a declared level"),
        (SCORE, "nan", "not a declared level"),
        (JOB, "Clerk", "not a declared level"),
        (AGE, "", "missing value"),
        (AGE, "nan", "not a number"),
        (AGE, "inf", "not a number"),
        (AGE, "-Infinity", "not a number"),
        (AGE, "1_0", "not a number"),
        (AGE, "1;5", "not a number"),
        (AGE, "0x1", "not a number"),
        (AGE, "١", "not a number"),
        (DAYS, "01/02/2020", "not a date"),
        (DAYS, "18000", "not a date"),
        (DAYS, "20200102", "not a date"),
        (DAYS, "2020-W01-1", "not a date"),
        (DAYS, "2020-02-31", "not a date"),
        (DAYS, "2020-01-02T25:00", "not a date"),
        (DAYS, "2020-01-02T00:00:00Z", "with a time zone"),
    ],
)
def test_csv_faults_have_a_line(tmp_path: Path, attribute: Any, cell: str, reason: str) -> None:
    good = {FLAG: "1", GRADE: "1", SCORE: "1", JOB: "clerk", AGE: "1", DAYS: "2020-01-01"}.get(attribute, "1")
    with pytest.raises(EncodingError, match=rf"^column 'a', line 4: .*{reason}") as info:
        csv_code(tmp_path, [good, good, cell, cell], attribute)
    assert info.value.row == 2


def test_line_after_a_cell_of_two_lines(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('b,a\n"x\ny",1\n"x\ny",2\n')
    schema = cf.Schema([FLAG, cf.Categorical("b", ["x\ny"])])
    with pytest.raises(EncodingError, match=r"^column 'a', line 4:"):
        encode(tmp_path / "t.csv", schema)


@pytest.mark.parametrize("name", ["nltcs", "plants", "accidents", "dna", "adult_coded"])
def test_real_tables(real_tables: Path, name: str) -> None:
    schema = cf.Schema.load(real_tables / f"{name}-domain.json")
    path = real_tables / f"{name}.csv.gz"
    truth = np.loadtxt(path, delimiter=",", skiprows=1, dtype=np.int64)
    encoded = encode(path, schema)
    np.testing.assert_array_equal([encoded.column_codes(j) for j in range(len(schema))], truth.T)
    np.testing.assert_array_equal(encode(truth, schema).bits.to_array(1), encoded.bits.to_array(1))
    back = decode(truth.T, schema, "numpy")
    np.testing.assert_array_equal(back, truth)


# ---- back --------------------------------------------------------------------------------------------------

EVERYTHING = cf.Schema(
    [
        cf.Binary("flag"),
        cf.Binary("flag_null", missing="level"),
        cf.Binary("sex", levels=("m", "f")),
        cf.Categorical("job", ["nurse", "01221", "NA", ""], missing="level"),
        cf.Categorical("size", ["S", "M", "L"], ordered=True),
        cf.Categorical("size_null", ["S", "M", "L"], ordered=True, missing="level"),
        cf.Categorical("grade", [1, 5, -3]),
        cf.Categorical("grade_null", [1, 5, 1000], missing="level"),
        cf.Categorical("score", [0.5, 2.5, 1.0]),
        cf.Categorical("score_null", [0.5, 2.5, 1.0], missing="level"),
        cf.Numeric("age", 0, 120, integer=True),
        cf.Numeric("age_null", 0, 120, integer=True, missing="level"),
        cf.Numeric("income", edges=[-1e5, 0, 0.1, 0.2, 1e5]),
        cf.Numeric("income_null", -1, 1, bins=3, missing="level"),
        cf.Numeric("day", dt.date(1960, 1, 1), dt.date(2020, 1, 1), bins=7),
        cf.Numeric("day_null", dt.date(1960, 1, 1), dt.date(2020, 1, 1), bins=7, missing="level"),
        cf.Numeric("login", dt.datetime(1960, 1, 1), dt.datetime(2020, 1, 1, 1), bins=7),
        cf.Numeric(
            "login_null", dt.datetime(1960, 1, 1), dt.datetime(2020, 1, 1, 1), bins=7, missing="level"
        ),
        cf.Numeric("moment", edges=[dt.datetime(2020, 1, day, tzinfo=UTC) for day in (1, 2, 5)]),
        cf.Numeric(
            "moment_null", edges=[dt.datetime(2020, 1, d, tzinfo=UTC) for d in (1, 2, 5)], missing="level"
        ),
    ]
)


def stream(seed: int) -> NumberStream:
    """A stream of numbers."""
    return NumberStream(seed.to_bytes(16, "little"))


def random_codes(schema: cf.Schema, n: int, seed: int = 0) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Codes of every attribute, each level in use."""
    generator = np.random.default_rng(seed)
    return np.array([generator.integers(0, size, n) for size in schema.sizes], dtype=np.uint8)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [0, 1, 500])
def test_encoding_undoes_decoding(kind: Kind, n: int) -> None:
    codes = random_codes(EVERYTHING, n)
    if kind == "numpy":  # an array of objects has no zone of its own for a time
        schema = cf.Schema([a for a in EVERYTHING.attributes if "moment" not in a.name])
        codes = codes[:-2]
    elif kind == "dict":
        schema, codes = cf.Schema(EVERYTHING.attributes[:-2]), codes[:-2]
    else:
        schema = EVERYTHING
    table = decode(codes, schema, kind, stream(1))
    assert codes_of(encode(table, schema)) == codes.tolist()
    if kind != "numpy":
        assert (
            tuple(table.keys() if kind == "dict" else getattr(table, "column_names", table.columns))
            == schema.names
        )


@pytest.mark.parametrize("name", ["t.csv", "t.parquet"])
@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_encoding_undoes_decoding_through_files(kind: Kind, name: str, tmp_path: Path) -> None:
    codes = random_codes(EVERYTHING, 300)
    write_atomic(tmp_path / name, decode(codes, EVERYTHING, kind, stream(1)))
    assert codes_of(encode(tmp_path / name, EVERYTHING)) == codes.tolist()


def test_pandas_dtypes() -> None:
    frame = decode(random_codes(EVERYTHING, 50), EVERYTHING, "pandas", stream(0))
    text = str(pd.Series(["x"]).dtype)
    dtypes = {name: str(dtype) for name, dtype in frame.dtypes.items()}
    assert dtypes == {
        "flag": "bool",
        "flag_null": "boolean",
        "sex": text,
        "job": text,
        "size": "category",
        "size_null": "category",
        "grade": "int8",
        "grade_null": "UInt16",
        "score": "float64",
        "score_null": "float64",
        "age": "int64",
        "age_null": "Int64",
        "income": "float64",
        "income_null": "float64",
        "day": "datetime64[s]",
        "day_null": "datetime64[s]",
        "login": "datetime64[us]",
        "login_null": "datetime64[us]",
        "moment": "datetime64[us, UTC]",
        "moment_null": "datetime64[us, UTC]",
    }
    assert frame["size"].cat.categories.tolist() == ["S", "M", "L"]
    assert frame["size"].cat.ordered
    assert isinstance(frame.index, pd.RangeIndex)


def test_polars_dtypes() -> None:
    frame = decode(random_codes(EVERYTHING, 50), EVERYTHING, "polars", stream(0))
    size = pl.Enum(["S", "M", "L"])
    moment = pl.Datetime("us", "UTC")
    assert frame.dtypes == [
        *(
            pl.Boolean,
            pl.Boolean,
            pl.String,
            pl.String,
            size,
            size,
            pl.Int8,
            pl.UInt16,
            pl.Float64,
            pl.Float64,
        ),
        *(pl.Int64, pl.Int64, pl.Float64, pl.Float64, pl.Date, pl.Date),
        *(pl.Datetime("us"), pl.Datetime("us"), moment, moment),
    ]


def test_pyarrow_dtypes() -> None:
    table = decode(random_codes(EVERYTHING, 50), EVERYTHING, "pyarrow", stream(0))
    size = pa.dictionary(pa.int32(), pa.string(), ordered=True)
    assert table.schema.types == [
        *(pa.bool_(), pa.bool_(), pa.string(), pa.string(), size, size, pa.int8(), pa.uint16()),
        *(pa.float64(), pa.float64(), pa.int64(), pa.int64(), pa.float64(), pa.float64()),
        *(pa.date32(), pa.date32(), pa.timestamp("us"), pa.timestamp("us")),
        *(pa.timestamp("us", "UTC"), pa.timestamp("us", "UTC")),
    ]


def test_numpy_dtypes() -> None:
    codes = np.array([[0, 1], [1, 0]], dtype=np.uint8)

    def dtype(*attributes: Any) -> Any:
        return decode(codes[: len(attributes)], cf.Schema(attributes), "numpy", stream(0)).dtype

    assert dtype(cf.Binary("a"), cf.Binary("b")) == np.bool_
    assert dtype(cf.Binary("a", (0, 1)), cf.Categorical("b", range(3))) == np.uint8
    assert dtype(cf.Binary("a", (0, 1)), cf.Categorical("b", range(300))) == np.uint16
    assert dtype(cf.Categorical("a", [-1, 1]), cf.Numeric("b", 0, 1, bins=2)) == np.float64
    assert dtype(cf.Numeric("b", dt.date(2020, 1, 1), dt.date(2021, 1, 1), bins=2)) == np.dtype(
        "datetime64[D]"
    )
    assert dtype(cf.Binary("a"), cf.Categorical("b", [5, 7])) == np.object_
    assert dtype(YES) == np.object_
    array = decode(codes, cf.Schema.from_domain({"a": 2, "b": 2}), "numpy")
    assert array.flags.c_contiguous
    np.testing.assert_array_equal(array, codes.T)


def test_dtypes_do_not_depend_on_the_records() -> None:
    for kind in ("pandas", "polars", "pyarrow"):
        none = decode(np.zeros((20, 4), dtype=np.uint8), EVERYTHING, kind, stream(0))
        some = decode(random_codes(EVERYTHING, 90), EVERYTHING, kind, stream(0))
        if kind == "pyarrow":
            assert none.schema == some.schema
        else:
            assert list(none.dtypes) == list(some.dtypes)


def test_numbers_are_uniform_in_their_bin() -> None:
    schema = cf.Schema([cf.Numeric("a", 0, 9, bins=2, integer=True), cf.Numeric("b", edges=[0, 1, 3])])
    codes = np.repeat(np.array([[0, 1]], dtype=np.uint8), 20_000, axis=1).reshape(1, -1).repeat(2, axis=0)
    table = decode(codes, schema, "dict", stream(0))
    for bin_, integers in ((0, range(0, 5)), (1, range(5, 10))):
        counts = np.bincount(table["a"][codes[0] == bin_], minlength=10)[integers.start : integers.stop]
        assert counts.sum() == 20_000
        assert np.abs(counts - 4_000).max() < 300  # five standard deviations
    upper = table["b"][codes[0] == 1]
    assert (upper >= 1).all()
    assert (upper <= 3).all()
    assert abs(upper.mean() - 2) < 0.02


def test_narrow_bins_do_not_leak_into_the_next() -> None:
    one = float(np.nextafter(1.0, 2.0))
    schema = cf.Schema([cf.Numeric("a", edges=[1.0, one, float(np.nextafter(one, 2.0)), 2.0])])
    codes = random_codes(schema, 1000)
    table = decode(codes, schema, "dict", stream(0))
    assert codes_of(encode(table, schema)) == codes.tolist()


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow", "dict", "numpy"])
def test_batches_are_parts_of_the_table(kind: Any) -> None:
    codes, key = random_codes(EVERYTHING, 70), bytes(range(16))
    whole = decode(codes, EVERYTHING, kind, NumberStream(key))
    for first, stop in ((0, 0), (0, 1), (3, 9), (4, 70), (69, 70)):
        part = decode(codes[:, first:stop], EVERYTHING, kind, NumberStream(key, first))
        for name in [...] if kind == "numpy" else EVERYTHING.names:
            expected = whole[name][first:stop]
            assert str(list(part[name])) == str(list(expected))


def test_scaled_words_are_high_halves_of_products() -> None:
    some = [0, 1, 2**31, 2**32 - 1, 2**32, 2**63 - 1, 2**64 - 1]
    words, spans = np.array([(a, b) for a in some for b in some], dtype=np.uint64).T
    expected = [int(a) * int(b) >> 64 for a, b in zip(words, spans)]
    assert encoding._scaled(words, spans).tolist() == expected


def test_one_stream_one_table() -> None:
    codes = random_codes(EVERYTHING, 100)
    one, two = (decode(codes, EVERYTHING, "pyarrow", stream(5)) for _ in range(2))
    assert one.equals(two)


@pytest.mark.parametrize(
    ("codes", "match"),
    [
        (np.zeros((2, 3), dtype=np.uint8), "shape .1, n."),
        (np.zeros(3, dtype=np.uint8), "shape"),
        (np.zeros((1, 3)), "integers"),
        (np.full((1, 3), 3, dtype=np.uint8), r"attribute 0 \('a'\) must lie in \[0, 3\)"),
        (np.full((1, 3), -1), "must lie in"),
    ],
)
def test_bad_codes(codes: Any, match: str) -> None:
    with pytest.raises(ValueError, match=match):
        decode(codes, cf.Schema([JOB]))


def test_bad_kind_and_no_stream() -> None:
    with pytest.raises(ValueError, match="kind must be"):
        decode(np.zeros((1, 2), dtype=np.uint8), cf.Schema([JOB]), "modin")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="needs a stream of numbers"):
        decode(np.zeros((1, 2), dtype=np.uint8), cf.Schema([AGE]))


# ---- all together ------------------------------------------------------------------------------------------

MARKERS = [None, float("nan"), pd.NA]
MAKERS: dict[str, Any] = {
    "dict": lambda values: {"a": values},
    "objects": lambda values: {"a": np.array([*values, 0], dtype=object)[:-1]},
    "strided": lambda values: {
        "a": np.array([v for value in values for v in (value, "?")] + [0], dtype=object)[:-1:2]
    },
    "pandas": lambda values: pd.DataFrame({"a": pd.Series(values, dtype=object)}),
    "category": lambda values: pd.DataFrame({"a": pd.Series(values, dtype=object).astype("category")}),
    "polars": lambda values: pl.DataFrame(
        {"a": [None if v is None or v is pd.NA or v != v else v for v in values]}
    ),
    "arrow": lambda values: pa.table(
        {"a": [None if v is None or v is pd.NA or v != v else v for v in values]}
    ),
}


@settings(max_examples=120)
@given(
    levels=st.sampled_from(
        [["x", "y"], ["a", "", "01", "1", "NA"], [3, 1], [0, 1, 2], [0.5, 2.5, -1.0], [True, False]]
    ),
    picks=st.lists(st.integers(-2, 5), max_size=12),
    missing=st.sampled_from([None, "level"]),
    other=st.booleans(),
    marker=st.sampled_from(MARKERS),
    maker=st.sampled_from(sorted(MAKERS)),
)
def test_rules_hold_in_every_container(
    levels: list[Any], picks: list[int], missing: Any, other: bool, marker: Any, maker: str
) -> None:
    """-1 stands for a missing value, -2 and anything beyond the levels for an undeclared one."""
    undeclared = {str: "undeclared", int: 7, float: 7.5, bool: None}[type(levels[0])]
    picks = [p if -1 <= p < len(levels) else -2 if undeclared is not None else -1 for p in picks]
    attribute = cf.Categorical("a", levels, missing=missing, other=levels[-1] if other else None)
    values = [marker if p == -1 else undeclared if p == -2 else levels[p] for p in picks]
    expected = [
        (len(levels) if missing else None)
        if p == -1
        else (len(levels) - 1 if other else None)
        if p == -2
        else p
        for p in picks
    ]
    table = MAKERS[maker](values)
    if None in expected:
        with pytest.raises(EncodingError) as info:
            encode(table, cf.Schema([attribute]))
        assert info.value.row == expected.index(None)
    else:
        assert codes_of(encode(table, cf.Schema([attribute])))[0] == expected


DTYPES = ["?", "i1", "i4", "i8", "u1", "u8", "f2", "f4", "f8", ">i2", ">f8"]
NUMBERS = st.sampled_from([0, 1, 2, 3, -1, 100, 0.5, 1.5, 2.5, 1 / 3, 2**31, 2**53, 2**53 + 1, 2**62])
EDGES = st.lists(NUMBERS, min_size=2, max_size=6, unique_by=float).map(sorted)
ATTRIBUTES = st.one_of(
    st.builds(
        cf.Binary, st.just("a"), st.sampled_from([(False, True), (True, False), (0, 1), (1.0, 0.0), (1, 2)])
    ),
    st.builds(
        lambda levels, missing, other: cf.Categorical(
            "a", levels, missing=missing, other=levels[0] if other else None
        ),
        st.lists(NUMBERS, min_size=1, max_size=6, unique_by=float).filter(
            lambda levels: 2**53 + 1 not in levels or all(type(level) is int for level in levels)
        ),
        st.sampled_from([None, "level"]),
        st.booleans(),
    ),
    st.builds(
        lambda edges, missing: cf.Numeric("a", edges=edges, missing=missing),
        EDGES,
        st.sampled_from([None, "level"]),
    ),
    st.just(JOB),
)


@settings(max_examples=400)
@given(
    attribute=ATTRIBUTES,
    values=st.lists(NUMBERS, max_size=8),
    dtype=st.sampled_from(DTYPES),
    gaps=st.sets(st.integers(0, 7)),
    maker=st.sampled_from(["array", "strided", "chunked", "list", "masked", "nullable", "polars", "arrow"]),
)
def test_arrays_agree_with_the_reference(
    attribute: Any, values: list[Any], dtype: str, gaps: set[int], maker: str
) -> None:
    info = np.iinfo(dtype) if np.dtype(dtype).kind in "iu" else None
    kept = [v for v in values if info is None or (v == int(v) and info.min <= v <= info.max)]
    with np.errstate(over="ignore"):
        array = np.array(kept, dtype=np.float64 if info is None else object).astype(dtype)
    gone = np.array([i in gaps for i in range(len(array))], dtype=bool)
    plain = array.astype(array.dtype.newbyteorder("="))
    truth = [None if hole else value for value, hole in zip(array.tolist(), gone)]
    tables: dict[str, Any] = {
        "array": lambda: array.reshape(-1, 1),
        "strided": lambda: np.repeat(array, 3).reshape(-1, 3)[:, 1:2],
        "chunked": lambda: pd.DataFrame(
            np.repeat(array, 2).reshape(-1, 2), columns=["a", "b"], copy=False
        ).iloc[:, :1],
        "list": lambda: {"a": truth},
        "masked": lambda: {"a": np.ma.MaskedArray(array, gone)},
        "nullable": lambda: {"a": pd.Series(pd.array(plain)).mask(gone)},
        "polars": lambda: {
            "a": pl.Series(
                [None if v is None else v for v in truth],
                dtype=pl.Float64 if info is None and dtype != "?" else None,
                strict=False,
            )
        },
        "arrow": lambda: {"a": pa.array(plain, mask=gone)},
    }
    if maker in ("array", "strided", "chunked"):
        truth = array.tolist()
    if maker == "nullable" and dtype == "f2":
        return  # pandas has no nullable half floats
    expected = [encode_value(value, attribute) for value in truth]
    schema = cf.Schema([attribute])
    if None in expected:
        with pytest.raises(EncodingError) as error:
            encode(tables[maker](), schema)
        assert error.value.row == expected.index(None)
    else:
        encoded = encode(tables[maker](), schema)
        assert codes_of(encoded)[0] == expected
        np.testing.assert_array_equal(encoded.bits.to_array(1), one_hot([expected], schema.sizes))


def test_an_encoded_table_is_not_encoded_again() -> None:
    encoded = encode({"a": [True, False]}, cf.Schema([cf.Binary("a")]))
    assert encode(encoded, cf.Schema([cf.Binary("a")])) is encoded
    with pytest.raises(TypeError):
        encode(encoded, cf.Schema([cf.Binary("b")]))
