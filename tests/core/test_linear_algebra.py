"""Eigenvectors and covariance loss in the core, against numpy and against rational numbers."""

from __future__ import annotations

import numpy as np
import pytest

from covloss_fast._core import partition as core
from covloss_fast.reference import partition as slow


@pytest.mark.parametrize("p", [0, 1, 2, 30, 65, 255, 256, 257])
def test_eigenvectors_are_those_of_numpy(p: int) -> None:
    matrix = np.random.default_rng(p).normal(size=(p, p))
    matrix = matrix + matrix.T
    values, vectors = core.symmetric_eigen(matrix)
    expected_values, expected_vectors = slow.symmetric_eigen(matrix)
    np.testing.assert_allclose(values, expected_values, atol=1e-10)
    np.testing.assert_allclose(vectors, expected_vectors, atol=1e-8)
    np.testing.assert_allclose(vectors * values @ vectors.T, matrix, atol=1e-10)
    if p:
        assert (vectors[np.abs(vectors).argmax(axis=0), range(p)] > 0).all()


def test_the_sign_of_an_eigenvector_is_fixed_where_entries_tie() -> None:
    _, vectors = core.symmetric_eigen(np.array([[0.0, -1.0], [-1.0, 0.0]]))
    assert vectors[0, 0] > 0
    assert (core.symmetric_eigen(np.eye(4))[1] >= 0).all()


def test_a_matrix_that_has_no_eigenvectors_is_refused() -> None:
    with pytest.raises(ValueError, match="not finite"):
        core.symmetric_eigen(np.full((2, 2), np.nan))
    with pytest.raises(ValueError, match="square"):
        core.symmetric_eigen(np.zeros((2, 3)))


@pytest.mark.parametrize("n", [1, 63, 64, 65, 257])
@pytest.mark.parametrize("k", [1, 5, 60])
def test_lost_moment_is_exact_to_the_last_digits(n: int, k: int, n_threads: int) -> None:
    generator = np.random.default_rng(n + k)
    bits = generator.integers(0, 2, (n, 7), dtype=np.uint8)
    labels = generator.integers(0, k, n).astype(np.int32)
    counts, sums = slow.block_statistics(bits, labels, k + 1)
    wide = bits.astype(np.int64)
    lost = core.lost_moment(wide.T @ wide, counts, sums, n_threads)
    exact = slow.exact_covariance_loss_matrix(bits, labels)
    np.testing.assert_allclose(lost, [[float(n * entry) for entry in row] for row in exact], atol=1e-12 * k)


def test_nothing_lost_is_exactly_0() -> None:
    """Pure blocks of 10^9 records: the quotients are whole numbers, so nothing is left of 10^9."""
    counts = np.array([10**9, 999_999_937, 0])
    sums = np.array([[10**9, 0, 10**9], [0, 999_999_937, 999_999_937], [0, 0, 0]])
    second = np.array([[10**9, 0, 10**9], [0, 999_999_937, 999_999_937], [10**9, 999_999_937, 1_999_999_937]])
    np.testing.assert_array_equal(core.lost_moment(second, counts, sums, 1), np.zeros((3, 3)))
    with pytest.raises(ValueError, match=r"block 1 has 2\^31 records or more"):
        core.lost_moment(second, np.array([1, 2**31, 0]), sums, 1)


@pytest.mark.parametrize("n", [0, 1, 63, 65, 2047, 2048, 2049, 40_000])
@pytest.mark.parametrize(("p", "k"), [(1, 1), (7, 3), (9, 300)])
def test_residual_moment(n: int, p: int, k: int) -> None:
    generator = np.random.default_rng(n)
    rows = generator.normal(size=(n, p)) + 1e6  # far from 0: no large numbers may be subtracted
    labels = generator.integers(0, k, n).astype(np.int32)
    results = [core.residual_moment(rows, labels, k, n_threads) for n_threads in (1, 2, 7)]
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])
    if n:
        expected = slow.covariance_loss_matrix(rows, labels) * n
        np.testing.assert_allclose(results[0], expected, rtol=1e-9, atol=1e-7)
    else:
        assert not results[0].any()


def test_bad_rows_and_labels_are_named() -> None:
    rows = np.zeros((3, 2))
    labels = np.array([0, 1, 2], dtype=np.int32)
    with pytest.raises(ValueError, match="row 2: the label is outside the blocks"):
        core.residual_moment(rows, labels, 2, 1)
    rows[1, 1] = np.inf
    with pytest.raises(ValueError, match="row 1, column 1: the value is not finite"):
        core.residual_moment(rows, labels, 3, 1)
    with pytest.raises(ValueError, match="do not fit together"):
        core.lost_moment(np.eye(2, dtype=np.int64), np.ones(1, dtype=np.int64), np.ones((1, 3), np.int64), 1)
