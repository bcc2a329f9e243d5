"""Covariance loss of the curator's tables: exact on bits, in the caller's units, with a bound that holds."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

import covloss_fast as cf
from covloss_fast.metrics import loss_bound
from covloss_fast.reference import partition as slow


@pytest.mark.parametrize("n", [1, 2, 63, 64, 65, 257])
@pytest.mark.parametrize("n_blocks", [1, 7, 300])
def test_bits_are_exact(n: int, n_blocks: int, simd_level: str, n_threads: int) -> None:
    generator = np.random.default_rng(n)
    bits = generator.integers(0, 2, (n, 5), dtype=np.uint8)
    labels = generator.integers(0, n_blocks, n) * 1000  # blocks are numbered as one likes
    exact = slow.exact_covariance_loss_matrix(bits, labels.astype(np.int32))
    squares = sum(entry**2 for row in exact for entry in row)
    trace = sum(exact[j][j] for j in range(5))
    got = cf.covariance_loss(bits, labels, n_threads=n_threads)
    assert got.frobenius == pytest.approx(float(squares) ** 0.5, rel=1e-13, abs=1e-15)
    assert got.trace == pytest.approx(float(trace), rel=1e-13, abs=1e-15)
    whole = slow.exact_covariance_loss_matrix(bits, np.zeros(n, dtype=np.int32))
    total = sum(whole[j][j] for j in range(5))
    assert got.relative_trace == pytest.approx(float(trace / total) if total else 0.0, rel=1e-12)


def test_equal_records_in_a_block_lose_exactly_nothing() -> None:
    bits = np.random.default_rng(0).integers(0, 2, (5000, 4))
    labels = bits @ [1, 2, 4, 8]
    got = cf.covariance_loss(bits, labels)
    assert (got.frobenius, got.trace, got.relative_trace) == (0.0, 0.0, 0.0)
    constant = cf.covariance_loss(np.ones((10, 3), dtype=np.uint8), np.zeros(10, dtype=int))
    assert (constant.frobenius, constant.relative_trace, constant.is_vacuous) == (0.0, 0.0, True)


def test_every_kind_of_table_gives_the_same() -> None:
    bits = np.random.default_rng(1).integers(0, 2, (200, 3))
    labels = np.arange(200) % 9
    expected = cf.covariance_loss(bits, labels)
    columns = {f"c{j}": bits[:, j] for j in range(3)}
    for table in (
        bits.astype(bool),
        np.asfortranarray(bits),
        columns,
        pd.DataFrame(columns),
        pl.DataFrame(columns),
    ):
        assert cf.covariance_loss(table, labels) == expected
    real = cf.covariance_loss(bits.astype(float), labels)
    assert real.frobenius == pytest.approx(expected.frobenius)
    assert real.trace == pytest.approx(expected.trace)


def test_shifts_change_nothing_and_scales_enter_squared() -> None:
    generator = np.random.default_rng(2)
    table = generator.normal(size=(500, 4))
    labels = generator.integers(0, 200, 500)
    got, moved = cf.covariance_loss(table, labels), cf.covariance_loss(3 * table + 100, labels)
    for name in ("frobenius", "trace", "bound"):
        assert getattr(moved, name) == pytest.approx(9 * getattr(got, name))
    assert moved.relative_trace == pytest.approx(got.relative_trace)
    assert moved.is_vacuous == got.is_vacuous


def test_labels_may_be_integers_of_any_type_and_size() -> None:
    table, labels = np.random.default_rng(6).normal(size=(60, 2)), np.arange(60) % 7
    expected = cf.covariance_loss(table, labels)
    for other in (labels.astype(np.uint64) + np.uint64(2**63), labels.astype(np.uint8), labels + 2**40):
        assert cf.covariance_loss(table, other) == expected


def test_the_result_has_the_same_bits_for_any_number_of_threads() -> None:
    generator = np.random.default_rng(3)
    table, labels = generator.normal(size=(9000, 11)), generator.integers(0, 40, 9000)
    results = {cf.covariance_loss(table, labels, n_threads=n_threads) for n_threads in (1, 2, 7)}
    assert len(results) == 1


def test_the_bound_is_that_of_the_theorem() -> None:
    assert loss_bound(1024) == pytest.approx(49 / 1024 + 0.5 / 2**0.5)  # t = 2, alpha = .219
    assert loss_bound(1) == loss_bound(2) == loss_bound(6) == 1.0
    bounds = [loss_bound(2**i) for i in range(60)]
    assert bounds == sorted(bounds, reverse=True)
    bits = np.random.default_rng(4).integers(0, 2, (2000, 8))
    got = cf.covariance_loss(bits, np.arange(2000) % 1024)
    assert got.bound == pytest.approx(8 / 4 * loss_bound(1024))
    schema = cf.Schema([cf.Binary("a"), cf.Categorical("b", ["x", "y", "z"])])
    table = {"a": [0, 1, 1, 0], "b": ["x", "y", "z", "z"]}
    assert cf.covariance_loss(table, [0, 0, 1, 1], schema).bound == pytest.approx(1 / 4 + 2 / 3)


def test_the_bound_says_something_where_covariance_is_large() -> None:
    """Two opposite points: a single block loses all, more than the theorem allows for a thousand blocks."""
    bits = np.repeat(np.random.default_rng(5).integers(0, 2, (4000, 1)), 20, axis=1)
    got = cf.covariance_loss(bits, 2000 * bits[:, 0] + np.arange(4000) % 1000)
    assert not got.is_vacuous
    assert got.frobenius == 0.0 < got.bound < cf.covariance_loss(bits, np.zeros(4000, dtype=int)).frobenius
    assert cf.covariance_loss(bits, bits[:, 0]).is_vacuous  # two blocks: the theorem promises nothing


def test_what_does_not_fit_is_refused_in_one_sentence() -> None:
    table = np.ones((3, 2))
    for values, labels, message in (
        (table, [0, -1, 2], "the label of row 1 is negative"),
        (table, [[0, 1, 2]], "one-dimensional array of integers"),
        (table.astype(int), [0, 1], "2 labels for 3 records"),
        (np.ones((0, 2), dtype=bool), np.zeros(0, dtype=int), "no records"),
        ({"a": ["x", "y"]}, [0, 1], "column 'a' does not hold numbers"),
        (1e200 * np.eye(3), [0, 1, 1], "spread over 1e\\+200, whose squares no sum holds"),
        (1e308 * np.array([[1.0], [-1.0]]), [0, 1], "spread over inf, whose squares no sum holds"),
        (1e-200 * np.eye(3), [0, 1, 1], "spread over 1e-200, whose squares no sum holds"),
        (pl.DataFrame({"a": [1, None, 3]}), [0, 1, 2], "row 1, column 0: the value is missing"),
    ):
        with pytest.raises(ValueError, match=message):
            cf.covariance_loss(values, labels)
