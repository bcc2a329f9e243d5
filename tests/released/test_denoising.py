"""Denoising keeps structure beyond the noise, and nothing of noise alone."""

from __future__ import annotations

import numpy as np
import pytest

from covloss_fast.released.denoising import (
    block_weights_and_means,
    denoise_covariance,
    denoise_pair_table,
    pair_fractions,
    shrink_eigenvalues,
    shrink_singular_values,
    shrink_towards_common_mean,
)


def test_common_mean_is_the_limit_of_noise_and_the_values_that_of_none() -> None:
    values = np.array([0.1, 0.2, 0.6])
    np.testing.assert_allclose(shrink_towards_common_mean(values, 0.0), values)
    np.testing.assert_allclose(shrink_towards_common_mean(values, 100.0), np.full(3, 0.3))
    np.testing.assert_allclose(shrink_towards_common_mean(np.ones(3), 0.0), np.ones(3))


def symmetric_noise(p: int, seed: int) -> np.ndarray:
    noise = np.triu(np.random.default_rng(seed).normal(size=(p, p)), 1)
    return noise + noise.T


def test_noise_alone_leaves_next_to_nothing() -> None:
    noise = symmetric_noise(60, 0)
    kept, n_kept = shrink_eigenvalues(noise, 1.0)
    assert n_kept <= 2
    assert np.sqrt((kept**2).mean()) < 0.2
    kept, n_kept = shrink_eigenvalues(noise, 1.2)
    assert n_kept == 0
    assert not kept.any()


def test_a_spike_is_kept_and_shrunk() -> None:
    vector = np.full(60, 1 / np.sqrt(60))
    kept, n_kept = shrink_eigenvalues(-50.0 * np.outer(vector, vector), 30.0 / (2 * np.sqrt(60)))
    assert n_kept == 1
    assert vector @ kept @ vector == pytest.approx(-np.sqrt(50.0**2 - 30.0**2))


def test_without_noise_a_matrix_stays() -> None:
    matrix = symmetric_noise(30, 1)
    np.testing.assert_allclose(shrink_eigenvalues(matrix, 0.0)[0], matrix, atol=1e-10)


@pytest.mark.parametrize("strength", [3.0, 10.0, 30.0])
def test_signal_of_full_rank_is_estimated_better_than_by_itself_or_by_spikes(strength: float) -> None:
    """Where structure fills the spectrum, the formula for spikes shrinks too much."""
    p = 80
    factors = np.random.default_rng(2).normal(size=(p, p)) * np.arange(1, p + 1) ** -0.5
    signal = strength * (factors @ factors.T) / 4
    noisy = signal + symmetric_noise(p, 3)
    edge = 2 * np.sqrt(p)
    values, vectors = np.linalg.eigh(noisy)
    spikes = np.where(np.abs(values) > edge, np.sign(values) * np.sqrt(np.maximum(values**2 - edge**2, 0)), 0)

    def error(estimate: np.ndarray) -> float:
        return float(np.sqrt(((estimate - signal) ** 2).mean()))

    ours = error(shrink_eigenvalues(noisy, 1.0)[0])
    assert ours < 0.95 * error(noisy)
    assert ours < 0.95 * error((vectors * spikes) @ vectors.T)


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
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        np.testing.assert_allclose(shrink_singular_values(matrix, 1e-140, freedom), matrix, atol=1e-8)


def test_covariance_is_positive_with_the_variances_of_the_means_and_nearer_to_the_truth() -> None:
    generator = np.random.default_rng(4)
    p, n, sd = 25, 4_000, 0.05
    hidden = generator.normal(size=(n, 3))
    z = np.where(hidden @ generator.normal(size=(3, p)) + generator.normal(size=(n, p)) > 0.5, 1.0, -1.0)
    means = z.mean(axis=0)
    true = np.cov(z.T, bias=True)
    noisy = true + sd * symmetric_noise(p, 5)
    covariance, smooth, n_kept = denoise_covariance(noisy, sd, means, is_laplace=False)
    assert n_kept >= 3
    np.testing.assert_allclose(np.diagonal(covariance), 1 - means**2)
    np.testing.assert_allclose(np.diagonal(smooth), 1 - means**2)
    assert np.linalg.eigvalsh(covariance).min() > -0.05
    off = ~np.eye(p, dtype=bool)
    assert ((covariance - true)[off] ** 2).mean() < 0.7 * ((noisy - true)[off] ** 2).mean()


def test_a_single_strong_pair_is_kept() -> None:
    p, sd = 40, 0.01
    noisy = sd * symmetric_noise(p, 6)
    noisy[3, 7] = noisy[7, 3] = 0.12  # below the noise's edge as an eigenvalue, twelve noises as an entry
    covariance, _, _ = denoise_covariance(noisy, sd, np.zeros(p), is_laplace=False)
    assert covariance[3, 7] == pytest.approx(0.12, abs=0.02)


def test_pair_fractions_are_probabilities_of_pairs() -> None:
    generator = np.random.default_rng(7)
    means = generator.uniform(-1, 1, 12)
    fractions = pair_fractions(generator.normal(size=(12, 12)), means)
    one = (1 + means) / 2
    assert (fractions >= np.maximum(0, one[:, None] + one - 1) - 1e-12).all()
    assert (fractions <= np.minimum(one[:, None], one) + 1e-12).all()
    x = generator.integers(0, 2, (500, 4))
    z = 2 * x - 1
    found = pair_fractions(np.cov(z.T, bias=True), z.mean(axis=0))
    np.testing.assert_allclose(found, x.T @ x / 500, atol=1e-12)


def test_without_noise_blocks_come_back_exactly() -> None:
    generator = np.random.default_rng(2)
    z = 2 * generator.integers(0, 2, (500, 6)) - 1
    labels = generator.integers(0, 4, 500)
    counts = np.bincount(labels, minlength=4)
    sums = np.array([z[labels == j].sum(axis=0) for j in range(4)])
    weights, means = block_weights_and_means(z.mean(axis=0), counts, sums, 500, 1e-9)
    np.testing.assert_allclose(weights, counts / 500, atol=1e-9)
    np.testing.assert_allclose(means, sums / counts[:, None], atol=1e-6)


@pytest.mark.parametrize("shape", [(1, 4), (2, 2), (3, 7), (30, 20)])
def test_a_pair_table_has_its_margins_and_comes_back_without_noise(shape: tuple[int, int]) -> None:
    generator = np.random.default_rng(8)
    table = generator.integers(1, 100, shape)
    n = int(table.sum())
    rows, columns = table.sum(axis=1) / n, table.sum(axis=0) / n
    exact = denoise_pair_table(table, 1e-9, rows, columns, n)
    if min(shape) > 1:
        np.testing.assert_allclose(exact, table / n, atol=1e-6)
    noisy = denoise_pair_table(table + generator.integers(-40, 41, shape), 23.7, rows, columns, n)
    np.testing.assert_allclose(noisy.sum(axis=0), columns, atol=1e-9)
    np.testing.assert_allclose(noisy.sum(axis=1), rows, atol=1e-3)
    assert (noisy >= 0).all()
    drowned = denoise_pair_table(table, 1e7, rows, columns, n)
    np.testing.assert_allclose(drowned, np.outer(rows, columns), atol=1e-9)
