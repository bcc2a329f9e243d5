"""Coordinates of records: distances, wide tables without the table of all coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from covloss_fast import Binary, Categorical, Microaggregator, Numeric, Schema
from covloss_fast.records import coordinates as module
from covloss_fast.records.coordinates import (
    LEADING,
    coordinates,
    is_wide,
    leading_coordinates,
    losses_of_fields,
    losses_of_rows,
    read_fields,
)
from covloss_fast.records.tables import read

SCHEMA = Schema(
    [
        Numeric("x", 0, 1, missing="level"),
        Binary("b", ("no", "yes")),
        Categorical("c", [f"c{k}" for k in range(150)], missing="level"),
        Categorical("d", ["u", "v", "w"]),
    ]
)


def table(n: int, seed: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    x = rng.random(n)
    x[rng.random(n) < 0.1] = np.nan
    c = np.array([f"c{k}" for k in rng.integers(0, 40, n)], dtype=object)
    c[rng.random(n) < 0.1] = None
    return {"b": rng.choice(["no", "yes"], n), "c": c, "d": rng.choice(["u", "v", "w"], n), "x": x}


def squares(rows: NDArray[np.float64], one: int, other: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.asarray(((rows[other] - rows[one]) ** 2).sum(axis=1))


@pytest.mark.parametrize("missing", ["level", "strictest"])
@pytest.mark.parametrize("weighted", [False, True])
def test_wide_tables_keep_their_distances(missing: Any, weighted: bool, n_threads: int) -> None:
    n = 5_000
    weights = np.random.default_rng(1).uniform(0.5, 2, n) if weighted else None
    fields, _, _ = read_fields(read(table(n)), SCHEMA, missing, 1)
    assert is_wide(fields, n)
    assert not is_wide(fields, 4_096)
    rows, placements = coordinates(fields, n, weights, "standard")
    narrow, same = leading_coordinates(fields, n, weights, "standard", n_threads)
    assert narrow.shape == (n, LEADING)
    assert [list(each.centre) for each in same] == [list(each.centre) for each in placements]
    # Forty levels occur: fewer dimensions than directions.
    other = np.arange(n)
    for one in (0, 17, 4_999):
        assert np.allclose(squares(narrow, one, other), squares(rows, one, other), atol=1e-9)
    expected = EXPECTED.setdefault((missing, weighted), narrow)
    assert np.array_equal(narrow, expected)


EXPECTED: dict[Any, NDArray[np.float64]] = {}


def test_distances_are_those_of_mismatches() -> None:
    fields, _, _ = read_fields(read(table(300)), SCHEMA, "level", 1)
    rows, _ = coordinates(fields, 300, None, "standard")
    given = table(300)
    x = given["x"] / np.nanstd(given["x"], ddof=1)
    mean = np.nanmean(x)
    for one in range(5):
        for other in range(300):
            expected = sum(float(given[name][one] != given[name][other]) for name in ("b", "c", "d"))
            values = [mean if np.isnan(x[k]) else x[k] for k in (one, other)]
            expected += (values[0] - values[1]) ** 2
            expected += float(np.isnan(x[one]) != np.isnan(x[other]))
            assert ((rows[one] - rows[other]) ** 2).sum() == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("chunk", [1, 7, 64, 16_384])
@pytest.mark.parametrize("weighted", [False, True])
def test_losses_block_by_block(chunk: int, weighted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    n = 257
    weights = np.random.default_rng(1).uniform(0.5, 2, n) if weighted else None
    fields, _, _ = read_fields(read(table(n)), SCHEMA, "level", 1)
    rows, placements = coordinates(fields, n, weights, "standard")
    labels = np.random.default_rng(2).integers(0, 30, n)
    labels = np.unique(labels, return_inverse=True)[1].astype(np.int32)
    monkeypatch.setattr(module, "_CHUNK", chunk)
    found, expected = (
        losses_of_fields(fields, placements, labels, weights),
        losses_of_rows(rows, labels, weights),
    )
    width = found.lost.shape[0]
    assert np.allclose(found.lost, expected.lost[:width, :width], atol=1e-9)
    assert np.allclose(found.total, expected.total[:width, :width], atol=1e-9)
    assert found.weight == pytest.approx(expected.weight)
    assert found.largest_square == pytest.approx(expected.largest_square)


def test_blocks_of_wide_tables(n_threads: int) -> None:
    agg = Microaggregator(5, schema=SCHEMA, effort=0, n_threads=n_threads)
    agg.fit(table(5_000))
    assert agg.block_sizes_.min() >= 5
    assert np.array_equal(agg.labels_, LABELS.setdefault(0, agg.labels_))
    fields, _, _ = read_fields(read(table(5_000)), SCHEMA, None, 1)
    rows, _ = coordinates(fields, 5_000, None, "standard")
    losses = losses_of_rows(rows, agg.labels_, None)
    assert agg.certificate_.scatter == pytest.approx(np.trace(losses.lost))
    assert agg.certificate_.covariance_loss == pytest.approx(np.linalg.norm(losses.lost) / 5_000)


LABELS: dict[int, NDArray[np.int32]] = {}
