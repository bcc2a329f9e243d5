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
    Field,
    Placement,
    Rows,
    chunks,
    is_wide,
    leading_rows,
    losses_of_fields,
    place_fields,
    read_fields,
    rows_of_fields,
)
from covloss_fast.records.tables import read
from covloss_fast.reference import microaggregation as reference

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


def dense(rows: Rows) -> NDArray[np.float64]:
    return np.stack(list(rows.columns()), axis=1)


def all_coordinates(
    fields: list[Field], n: int, weights: NDArray[np.float64] | None = None
) -> tuple[NDArray[np.float64], list[Placement]]:
    placements = place_fields(fields, weights, "standard")
    return np.concatenate([rows for _, rows in chunks(placements, n)]), placements


def squares(rows: NDArray[np.float64], one: int, other: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.asarray(((rows[other] - rows[one]) ** 2).sum(axis=1))


@pytest.mark.parametrize("missing", ["level", "strictest"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("iterated", [False, True])
def test_wide_tables_keep_their_distances(
    missing: Any, weighted: bool, iterated: bool, n_threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if iterated:  # as where there are too many coordinates for eigenvectors of all
        monkeypatch.setattr(module, "_FEW_COORDINATES", 0)
    n = 5_000
    weights = np.random.default_rng(1).uniform(0.5, 2, n) if weighted else None
    fields, _, _ = read_fields(read(table(n)), SCHEMA, missing, 1)
    assert is_wide(fields, n)
    assert not is_wide(fields, 4_096)
    rows, placements = all_coordinates(fields, n, weights)
    leading = leading_rows(placements, n, n_threads)
    assert leading.codes.shape == (n, LEADING)
    assert leading.codes.nbytes + leading.table.nbytes < 2 * n * LEADING
    narrow = dense(leading)
    # Forty levels occur: fewer dimensions than directions; steps move squares by little.
    other = np.arange(n)
    for one in (0, 17, 4_999):
        assert np.allclose(squares(narrow, one, other), squares(rows, one, other), atol=0.2)
    expected = EXPECTED.setdefault((missing, weighted, iterated), narrow)
    assert np.array_equal(narrow, expected)


EXPECTED: dict[Any, NDArray[np.float64]] = {}


def test_distances_are_those_of_mismatches() -> None:
    fields, _, _ = read_fields(read(table(300)), SCHEMA, "level", 1)
    rows, placements = all_coordinates(fields, 300)
    apart = dense(rows_of_fields(placements, 300))  # the same coordinates, numbers first
    assert np.array_equal(np.sort(apart, axis=1), np.sort(rows, axis=1))
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


@pytest.mark.parametrize("chunk", [0, 1, 7, 64, 16_384])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_blocks", [1, 2, 30])
def test_losses_block_by_block(
    chunk: int, weighted: bool, n_blocks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    n = 257
    weights = np.random.default_rng(1).uniform(0.5, 2, n) if weighted else None
    fields, _, _ = read_fields(read(table(n)), SCHEMA, "level", 1)
    rows, placements = all_coordinates(fields, n, weights)
    labels = np.random.default_rng(2).integers(0, n_blocks, n)
    labels = np.unique(labels, return_inverse=True)[1].astype(np.int32)
    monkeypatch.setattr(module, "_CELLS", chunk * 157)
    found = losses_of_fields(placements, labels, weights)
    w = np.ones(n) if weights is None else weights
    residual = rows - reference.block_means(rows, labels, weights)[labels]
    assert np.allclose(found.lost, (residual * w[:, None]).T @ residual, atol=1e-9)
    assert np.allclose(found.total, (rows * w[:, None]).T @ rows, atol=1e-9)
    assert np.trace(found.lost) == pytest.approx(reference.scatter(rows, labels, weights))
    assert found.weight == pytest.approx(w.sum())
    assert found.largest_square == pytest.approx((rows**2).sum(axis=1).max())


def test_blocks_of_wide_tables(n_threads: int) -> None:
    agg = Microaggregator(5, schema=SCHEMA, effort=0, n_threads=n_threads)
    agg.fit(table(5_000))
    assert agg.block_sizes_.min() >= 5
    assert np.array_equal(agg.labels_, LABELS.setdefault(0, agg.labels_))
    fields, _, _ = read_fields(read(table(5_000)), SCHEMA, None, 1)
    rows, _ = all_coordinates(fields, 5_000)
    residual = rows - reference.block_means(rows, agg.labels_)[agg.labels_]
    assert agg.certificate_.scatter == pytest.approx((residual**2).sum())
    assert agg.certificate_.covariance_loss == pytest.approx(np.linalg.norm(residual.T @ residual) / 5_000)


LABELS: dict[int, NDArray[np.int32]] = {}
