"""Denoising keeps structure beyond the noise, and nothing of noise alone."""

from __future__ import annotations

import numpy as np
import pytest

from covloss_fast.released.denoising import (
    block_weights_and_means,
    covariance_between_attributes,
    shrink_eigenvalues,
    shrink_singular_values,
    shrink_towards_common_mean,
)
from covloss_fast.released.features import choose_features
from covloss_fast.schema import BitLayout


def test_common_mean_is_the_limit_of_noise_and_the_values_that_of_none() -> None:
    values = np.array([0.1, 0.2, 0.6])
    np.testing.assert_allclose(shrink_towards_common_mean(values, 0.0), values)
    np.testing.assert_allclose(shrink_towards_common_mean(values, 100.0), np.full(3, 0.3))
    np.testing.assert_allclose(shrink_towards_common_mean(np.ones(3), 0.0), np.ones(3))


def test_noise_alone_leaves_no_eigenvalue() -> None:
    noise = np.random.default_rng(0).normal(size=(60, 60))
    symmetric = np.triu(noise, 1) + np.triu(noise, 1).T
    kept, n_kept = shrink_eigenvalues(symmetric, 2 * np.sqrt(60) * 1.1)
    assert n_kept == 0
    assert not kept.any()


def test_a_spike_is_kept_and_shrunk() -> None:
    vector = np.full(60, 1 / np.sqrt(60))
    kept, n_kept = shrink_eigenvalues(-50.0 * np.outer(vector, vector), 30.0)
    assert n_kept == 1
    assert vector @ kept @ vector == pytest.approx(-np.sqrt(50.0**2 - 30.0**2))


@pytest.mark.parametrize("shape", [(5, 40), (40, 5), (9, 9), (1, 4)])
def test_singular_values_are_shrunk_as_by_the_full_decomposition(shape: tuple[int, int]) -> None:
    matrix = np.random.default_rng(1).normal(size=shape) * 3.0
    freedom = shape
    small, large = sorted(freedom)
    left, values, right = np.linalg.svd(matrix, full_matrices=False)
    sd = 0.4
    z, beta = values / (sd * np.sqrt(large)), small / large
    shrunk = np.where(
        z > 1 + np.sqrt(beta), np.sqrt(np.maximum((z**2 - beta - 1) ** 2 - 4 * beta, 0)) / z, 0.0
    ) * (sd * np.sqrt(large))
    np.testing.assert_allclose(
        shrink_singular_values(matrix, sd, freedom), (left * shrunk) @ right, atol=1e-8
    )
    assert not shrink_singular_values(matrix, 1e6, freedom).any()


def test_without_noise_blocks_come_back_exactly() -> None:
    layout = BitLayout((2, 3, 2))
    generator = np.random.default_rng(2)
    codes = np.stack([generator.integers(0, size, 500) for size in layout.sizes])
    labels = generator.integers(0, 4, 500)
    one_way = [
        np.array([2 * codes[a].mean() - 1]) if size == 2 else np.bincount(codes[a], minlength=size) / 500
        for a, size in enumerate(layout.sizes)
    ]
    features = choose_features(layout, one_way, [True] * 3, 0.0)
    table = np.column_stack(
        [2 * codes[0] - 1, *(codes[1] == level for level in range(3)), 2 * codes[2] - 1]
    ).astype(np.int64)
    counts = np.bincount(labels, minlength=4)
    sums = np.array([table[labels == j].sum(axis=0) for j in range(4)])
    weights, means = block_weights_and_means(features, counts, sums, 500, 1e-9)
    np.testing.assert_allclose(weights, counts / 500, atol=1e-9)
    np.testing.assert_allclose(means, sums / counts[:, None], atol=1e-6)


def test_covariance_of_noise_alone_is_zero_and_never_within_an_attribute() -> None:
    layout = BitLayout((2,) * 20 + (4,))
    one_way = [np.zeros(1)] * 20 + [np.full(4, 0.25)]
    features = choose_features(layout, one_way, [True] * 21, 0.0)
    noise = np.rint(np.random.default_rng(3).normal(size=(features.n_features,) * 2) * 100).astype(np.int64)
    pairs = np.triu(noise, 1) + np.triu(noise, 1).T
    pairs += np.rint(10_000 * np.outer(features.means, features.means)).astype(np.int64)
    covariance, n_kept = covariance_between_attributes(features, pairs, 10_000, 130.0)
    assert n_kept == 0
    covariance, n_kept = covariance_between_attributes(features, pairs, 10_000, 1.0)
    assert n_kept > 0
    assert not covariance[features.same_attribute].any()
