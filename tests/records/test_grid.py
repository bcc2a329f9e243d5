"""Vectors on the grid: held to their bounds in integers, whatever the records; labels one by one."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from covloss_fast.convex_sets import Box, ConvexSet, Product, Projection, RowBounds, Simplex, UnitBall
from covloss_fast.records.encoding import EncodingError
from covloss_fast.records.grid import (
    GridRows,
    NearestRows,
    least_moment_shift,
    read_rows,
    round_rows,
    shifted_bounds,
)
from covloss_fast.reference import vectors as reference

SETS: list[ConvexSet] = [
    UnitBall(1),
    UnitBall(3),
    Box([-1.0, 0.0, 5.0], [1.0, 1e-3, 1e6]),
    Simplex(3),
    Product(UnitBall(2), Simplex(2), Box([0.0], [1.0])),
    Projection(lambda rows: np.clip(rows, 0.0, 1.0), 3, radius=2.0, centre=[0.5, 0.5, 0.5]),
]


def is_within(row: list[int], bounds: RowBounds) -> bool:
    return (
        max(map(abs, row)) <= bounds.largest
        and sum(map(abs, row)) <= bounds.l1
        and sum(v * v for v in row) <= bounds.l2_squared
    )


@pytest.mark.parametrize("convex_set", SETS, ids=repr)
@settings(max_examples=40)
@given(data=st.data())
def test_rows_keep_their_bounds_whatever_the_record(convex_set: ConvexSet, data: Any) -> None:
    numbers = st.floats(-1e7, 1e7) | st.floats(-1.1, 1.1)
    record = data.draw(st.lists(numbers, min_size=convex_set.n_features, max_size=convex_set.n_features))
    resolution = data.draw(st.sampled_from([1, 2, 3, 64, convex_set.resolution]))
    (row,) = round_rows(np.array([record]), convex_set, resolution).tolist()
    bounds = convex_set.bounds(resolution)
    assert is_within(row, bounds)
    for shift in (0, 1, 5, least_moment_shift(bounds)):
        coarse = [int(math.copysign(abs(v) >> shift, v)) for v in row]
        assert is_within(coarse, shifted_bounds(bounds, shift))


@pytest.mark.parametrize("convex_set", SETS, ids=repr)
def test_rounding_is_truncation_by_exact_fractions(convex_set: ConvexSet) -> None:
    rng = np.random.default_rng(1)
    records = convex_set.project(
        convex_set.centre + convex_set.unit * rng.normal(0, 1, (300, convex_set.n_features))
    )
    for resolution in (1, 4, 256):
        made = round_rows(records, convex_set, resolution).tolist()
        exact = [reference.round_record(record, convex_set, resolution) for record in records.tolist()]
        # The division by the unit is rounded, so that a record an ulp from a step may fall on either side.
        assert sum(row != other for row, other in zip(made, exact)) <= 3
        assert np.abs(np.array(made) - np.array(exact)).max() <= 1


def test_a_row_that_grew_by_rounding_is_held_to_the_ball() -> None:
    """Without the integers' own bound a unit vector can come out longer than the ball, and is caught."""
    just_outside = np.array([[1.0 + 5e-10, 0.0], [0.6 * (1 + 5e-10), 0.8 * (1 + 5e-10)]])
    g = 10**10
    steps = np.trunc(just_outside * g).astype(np.int64)
    assert ((steps.astype(object) ** 2).sum(axis=1) > g**2).all()  # negative control
    resolution = 2**20
    rows = round_rows(just_outside * 1.001, UnitBall(2), resolution).astype(np.int64)
    assert ((rows**2).sum(axis=1) <= resolution**2).all()
    assert ((rows**2).sum(axis=1) >= (resolution - 3) ** 2).all()


def test_resolution_is_the_finest_within_20_bits_of_norm() -> None:
    for convex_set in [*SETS, UnitBall(1000), Box(np.zeros(1000), np.ones(1000)), Simplex(99)]:
        g = convex_set.resolution
        assert convex_set.bounds(g).l2_squared <= 2**40 < convex_set.bounds(2 * g).l2_squared
        bounds = convex_set.bounds(g)
        coarse = shifted_bounds(bounds, least_moment_shift(bounds))
        assert coarse.l1 <= 2**14
        assert coarse.largest <= 2048


def labels_of(
    rows: NDArray[np.int32], partition: NearestRows, bounds: RowBounds, n_threads: int = 1
) -> list[int]:
    return partition.labels(GridRows(np.ascontiguousarray(rows), bounds), n_threads).tolist()


@pytest.mark.parametrize("convex_set", [UnitBall(6), Box(np.zeros(6), np.ones(6)), Simplex(6)], ids=repr)
def test_a_label_depends_on_its_record_alone(convex_set: ConvexSet, n_threads: int) -> None:
    rng = np.random.default_rng(2)
    records = convex_set.project(convex_set.centre + convex_set.unit * rng.normal(0, 0.6, (700, 6)))
    rows = read_rows(records, convex_set)
    directions = np.linalg.qr(rng.normal(size=(6, 3)))[0]
    points = rng.normal(0, 0.5, (40, 3)) * convex_set.resolution
    partition = NearestRows.from_real(directions, points, rows.bounds)
    expected = reference.labels(rows.values, partition.shift, partition.directions, partition.points)
    assert len(set(expected)) > 5
    assert labels_of(rows.values, partition, rows.bounds, n_threads) == expected
    order = rng.permutation(700)
    assert labels_of(rows.values[order], partition, rows.bounds) == [expected[i] for i in order.tolist()]
    for first, last in ((0, 1), (5, 70), (13, 14)):
        alone = read_rows(records[first:last], convex_set)  # rounded in another batch, too
        assert np.array_equal(alone.values, rows.values[first:last])
        assert labels_of(alone.values, partition, rows.bounds) == expected[first:last]


def test_no_possible_row_overflows_its_distances() -> None:
    for convex_set in (UnitBall(2), Box(np.zeros(300), np.ones(300)), Simplex(2)):
        bounds = convex_set.bounds(convex_set.resolution)
        p, g = convex_set.n_features, convex_set.resolution
        t = min(p, 16)
        directions = np.full((p, t), 1 / math.sqrt(p))
        far = np.array([[1.0] * t, [-1.0] * t]) * 1e30
        partition = NearestRows.from_real(directions, far, bounds)
        entry = g if not isinstance(convex_set, UnitBall) else int(g / math.sqrt(2))
        rows = np.array(list(product((entry, 0), repeat=2)), dtype=np.int32)
        rows = np.hstack([rows, np.repeat(rows[:, :1], p - 2, axis=1)])
        rows = np.vstack([rows, -rows]).astype(np.int32)
        found = labels_of(rows, partition, bounds)
        assert found == reference.labels(rows, partition.shift, partition.directions, partition.points)
        assert t * (2 * int(np.abs(partition.points).max())) ** 2 < 2**63


def test_bad_records_are_told_by_row_and_never_by_value() -> None:
    ball = UnitBall(2)
    good = np.zeros((40_000, 2))
    for bad, message in (
        ([np.nan, 0.0], "row 39000, column 0: not a finite number"),
        ([0.0, np.inf], "row 39000, column 1: not a finite number"),
        ([0.8, 0.7], "row 39000: outside the declared set"),
    ):
        table = good.copy()
        table[39_000] = bad
        with pytest.raises(EncodingError, match=message) as caught:
            read_rows(table, ball)
        assert caught.value.row == 39_000
        assert "0.8" not in str(caught.value)
    for table, message in (
        (np.zeros((3, 3)), "vectors of 2 entries, the table has 3"),
        (np.zeros(3), "two-dimensional"),
        (np.array([["a", "b"]]), "numbers"),
        (np.array([[0.1, 0.2], [0.1, "a"]], dtype=object), "row 1, column 1 is no number"),
        (np.array([[0.1, np.datetime64("2020", "D")]], dtype=object), "row 0, column 1 is no number"),
        (np.zeros((3, 2), dtype=bool), "numbers"),
    ):
        with pytest.raises(ValueError, match=message):
            read_rows(table, ball)


FRAMES: list[Any] = [pd.DataFrame, pl.DataFrame, pa.table, dict]


@pytest.mark.parametrize("kind", FRAMES)
@pytest.mark.parametrize(
    ("column", "reason"),
    [
        ([0.1, float("nan"), 0.2], "row 1: a missing value"),
        ([0.1, 0.2, None], "row 2: a missing value"),
        ([None, None, None], "row 0: a missing value"),
        ([0.1, float("inf"), 0.2], "row 1: an infinite number"),
        ([0.1, 10**400, 0.2], "row 1: an infinite number"),
        ([False, True, True], "row 0: a boolean where vectors have numbers"),
        (["0.1", "0.2", "0.3"], "row 0: text where vectors have numbers"),
        ([0.1, "0.2", None], "row 1: text where vectors have numbers"),
        ([0.1, True, 0.2], "row 1: a boolean where vectors have numbers"),
        ([0.1, np.bool_(True), 0.2], "row 1: a boolean where vectors have numbers"),
        ([0.1, [0.2], 0.2], "row 1: a value of type list where vectors have numbers"),
        ([dt.datetime(2024, 1, 1)] * 3, "row 0: a date where vectors have numbers"),
        ([dt.date(2024, 1, 1)] * 3, "row 0: a date where vectors have numbers"),
        ([0.1, 2.0, 0.2], "row 1: outside the declared set"),
    ],
)
def test_bad_columns_are_told_by_name(kind: Any, column: list[Any], reason: str) -> None:
    if kind in (pl.DataFrame, pa.table) and len({type(each) for each in column} - {type(None)}) > 1:
        pytest.skip("its columns have one type")
    if kind is pd.DataFrame:  # whose older versions do not read integers beyond doubles among floats
        column = pd.Series(column, dtype=object) if int in map(type, column) else column
    table = kind({"a": [0.1, 0.2, 0.3], "income": column})
    with pytest.raises(EncodingError, match=f"column 'income', {reason}") as caught:
        read_rows(table, Box([0, 0], [1, 1]))
    assert caught.value.row == int(reason[4])


def test_names_of_tables() -> None:
    box = Box([0, -5], [1, 5])
    values = np.array([[0.5, -4.0], [0.25, 3.0]])
    expected = read_rows(values, box)
    frame = pd.DataFrame(values, columns=["share", "score"])
    for table in (
        frame,
        frame.astype("Float32"),
        frame.astype({"score": "int8"}),
        frame.astype(object),
        pl.from_pandas(frame),
        pl.from_pandas(frame).lazy(),
        pa.Table.from_pandas(frame),
        frame.to_dict("list"),
        {"share": [Decimal("0.5"), Fraction(1, 4)], "score": [-4, 3.0]},
    ):
        rows = read_rows(table, box)
        assert rows.names == ("share", "score")
        assert np.array_equal(rows.values, expected.values)
    swapped = read_rows(frame[["score", "share"]], box, names=("share", "score"))
    assert np.array_equal(swapped.values, expected.values)
    assert swapped.names == ("share", "score")
    with pytest.raises(ValueError, match="no column 'share'"):
        read_rows(frame.rename(columns={"share": "x"}), box, names=("share", "score"))
    with pytest.raises(ValueError, match="vectors of 2 entries, the table has 1 column"):
        read_rows(frame[["share"]], box)
    with pytest.raises(ValueError, match="two columns are named 'share', those at positions 0 and 1"):
        read_rows(frame.set_axis(["share", "share"], axis=1), box)
    frame.loc[1, "score"] = 6
    with pytest.raises(EncodingError, match="column 'score', row 1: outside"):
        read_rows(frame, box)
    shares = pd.DataFrame(np.full((3, 5), 0.3), columns=list("abcde"))
    with pytest.raises(EncodingError, match=r"^row 0: outside"):  # by all five
        read_rows(shares, Simplex(5))


def test_names_and_lines_of_files(tmp_path: Path) -> None:
    path = tmp_path / "vectors.csv"
    path.write_text("share,score\n0.5,1e0\n\n.25,-3\n")
    rows = read_rows(path, Box([0, -5], [1, 5]))
    assert rows.names == ("share", "score")
    assert rows.n_records == 2
    path.write_text("share,score\n0.5,1\n0.5,many\n")
    with pytest.raises(EncodingError, match="column 'score', line 3: text where vectors have numbers"):
        read_rows(path, Box([0, -5], [1, 5]))


def test_masked_entries_are_missing() -> None:
    table = np.ma.masked_array(np.zeros((3, 2)), mask=[[0, 0], [0, 1], [0, 0]])
    with pytest.raises(EncodingError, match="row 1, column 1: not a finite number"):
        read_rows(table, UnitBall(2))


def test_other_number_types_and_layouts_are_read() -> None:
    box = Box([0, 0], [10, 10])
    whole = np.arange(20).reshape(10, 2) % 11
    expected = read_rows(whole.astype(float), box).values
    for table in (
        whole,
        whole.astype(np.float32),
        np.asfortranarray(whole),
        whole.astype(np.uint8),
        whole.tolist(),
    ):
        assert np.array_equal(read_rows(table, box).values, expected)
    assert read_rows(np.zeros((0, 2)), box).n_records == 0
