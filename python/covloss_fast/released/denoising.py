"""Consistent targets from noisy statistics: what can be told from noise is kept, the rest is put to zero.

The noise that was added is known: independent, of equal variance in every cell. Its matrices have a sharp
spectral edge, so a singular value or eigenvalue beyond the edge is structure, and the formulas below shrink
it by what noise is known to have added to it (Gavish and Donoho 2017 for rectangular matrices, the Frobenius
loss; the spiked Wigner matrix for symmetric ones). Everything here is post-processing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from covloss_fast._core import partition, rounding
from covloss_fast.released.features import Features

_RAKING_STEPS = 4


def shrink_towards_common_mean(values: NDArray[np.float64], noise_sd: float) -> NDArray[np.float64]:
    """Shrink values towards their common mean by the share of their variance that is noise."""
    centre = values.mean()
    signal = max(0.0, float(values.var()) - noise_sd**2)
    total = signal + noise_sd**2
    return np.asarray(centre + (values - centre) * (signal / total if total > 0 else 1.0))


def shrink_eigenvalues(matrix: NDArray[np.float64], edge: float) -> tuple[NDArray[np.float64], int]:
    """Keep the eigenvalues of a symmetric matrix beyond the noise's spectral edge, shrunk.

    An eigenvalue l beyond the edge becomes sign(l) sqrt(l^2 - edge^2); others become 0.

    Returns
    -------
    matrix : float64 array
        The matrix rebuilt from what was kept.
    n_kept : int
        How many eigenvalues were kept.
    """
    values, vectors = partition.symmetric_eigen(np.ascontiguousarray(matrix))
    kept = np.abs(values) > edge
    shrunk = np.where(kept, np.sign(values) * np.sqrt(np.maximum(values**2 - edge**2, 0.0)), 0.0)
    return (vectors * shrunk) @ vectors.T, int(kept.sum())


def shrink_singular_values(
    matrix: NDArray[np.float64], noise_sd: float, freedom: tuple[int, int]
) -> NDArray[np.float64]:
    """Shrink the singular values of a matrix with white noise; those of noise alone become 0.

    Parameters
    ----------
    matrix : float64 array, shape (a, b)
        Signal plus independent noise, centred so that it has `freedom` free rows and columns.
    noise_sd : float
        Standard deviation of the noise in a cell.
    freedom : (int, int)
        Free rows and columns.
    """
    small, large = sorted(freedom)
    if small < 1 or noise_sd <= 0:
        return np.zeros_like(matrix) if small < 1 else matrix
    wide = matrix if matrix.shape[0] <= matrix.shape[1] else matrix.T
    squares, left = partition.symmetric_eigen(np.ascontiguousarray(wide @ wide.T))
    unit = noise_sd * np.sqrt(large)
    z = np.sqrt(np.maximum(squares, 0.0)) / unit
    beta = small / large
    inside = np.maximum((z**2 - beta - 1.0) ** 2 - 4.0 * beta, 0.0)
    factor = np.where(z > 1.0 + np.sqrt(beta), np.sqrt(inside) / np.maximum(z**2, 1e-300), 0.0)
    out = (left * factor) @ (left.T @ wide)
    return np.asarray(out if wide is matrix else out.T)


def covariance_between_attributes(
    features: Features, pairs: NDArray[np.int64], n: int, noise_sd: float
) -> tuple[NDArray[np.float64], int]:
    """Denoised covariances of features of different attributes from their released sums of products.

    Parameters
    ----------
    features : Features
        Coding and released means.
    pairs : int64 array, shape (n_features, n_features)
        Released sums of products; pairs within an attribute are ignored.
    n : int
        Released or public number of records.
    noise_sd : float
        Standard deviation of the noise of a cell.

    Returns
    -------
    covariance : float64 array, shape (n_features, n_features)
        Zero within attributes.
    n_kept : int
        Eigenvalues beyond the noise.
    """
    centred = features.centre_pairs(pairs / n - np.outer(features.means, features.means))
    freedom = features.freedom
    edge = 2.0 * noise_sd / n * np.sqrt(max(float(freedom.sum() - freedom.min()), 1.0))
    covariance, n_kept = shrink_eigenvalues(centred, edge)
    covariance[features.same_attribute] = 0.0
    return covariance, n_kept


def block_weights_and_means(
    features: Features, counts: NDArray[np.int64], sums: NDArray[np.int64], n: int, noise_sd: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Weights and means of blocks from their released counts and sums.

    The deviations of the sums from what the common means would give form a matrix whose noise is white, so
    its singular values are shrunk; the means are then projected onto the convex set of the schema (metric
    projection, Section 5.5 of the paper) and moved until their average is the released 1-way mean.

    Parameters
    ----------
    features : Features
        Coding and released means.
    counts : int64 array, shape (n_blocks,)
        Released counts.
    sums : int64 array, shape (n_blocks, n_features)
        Released sums.
    n : int
        Released or public number of records.
    noise_sd : float
        Standard deviation of the noise of a cell of either.

    Returns
    -------
    weights : float64 array, shape (n_blocks,)
        Nonnegative, of sum one.
    means : float64 array, shape (n_blocks, n_features)
        In the convex set; their weighted average is close to ``features.means``.
    """
    weights = rounding.project_simplex(counts[None, :] / n, 1)[0]
    expected = n * weights[:, None] * features.means
    deviation = sums - expected
    deviation -= weights[:, None] * deviation.sum(axis=0)
    deviation = shrink_singular_values(
        features.centre(deviation), noise_sd, (len(counts) - 1, int(features.freedom.sum()))
    )
    deviation -= weights[:, None] * deviation.sum(axis=0)
    size = np.maximum(n * weights, 1e-9)[:, None]
    means = features.project(features.means + deviation / size)
    for _ in range(_RAKING_STEPS):
        means = features.project(means + (features.means - weights @ means))
    return weights, means
