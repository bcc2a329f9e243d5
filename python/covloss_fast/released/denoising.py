"""Consistent targets from noisy statistics: what can be told from noise is kept, the rest is put to zero.

The noise that was added is known: independent, of equal variance in every cell. Its matrices have a sharp
spectral edge, so a singular value or eigenvalue beyond the edge is structure, and the formulas below shrink
it by what noise is known to have added to it (Gavish and Donoho 2017 for rectangular matrices, the Frobenius
loss; the spiked Wigner matrix for symmetric ones). Everything here is post-processing.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from covloss_fast._core import partition, rounding

_ALTERNATIONS = 4
_RAKING_STEPS = 20
#: The largest eigenvalue that is looked for, as a part of the trace.
_LARGEST_PART = 0.5


def shrink_towards_common_mean(values: NDArray[np.float64], noise_sd: float) -> NDArray[np.float64]:
    """Shrink values towards their common mean by the share of their variance that is noise."""
    centre = values.mean()
    signal = max(0.0, float(values.var()) - noise_sd**2)
    total = signal + noise_sd**2
    return np.asarray(centre + (values - centre) * (signal / total if total > 0 else 1.0))


def shrink_eigenvalues(matrix: NDArray[np.float64], noise_sd: float) -> tuple[NDArray[np.float64], int]:
    """Estimate a symmetric matrix from itself plus noise, eigenvalue by eigenvalue.

    The noise's eigenvalues fill [-edge, edge], edge = 2 noise_sd sqrt(p). An eigenvalue l beyond that, alone
    among noise, is best put to sign(l) sqrt(l^2 - edge^2), the others to 0. Where many lie beyond, they push
    one another too, and the best estimate that keeps the eigenvectors is l - 2 noise_sd^2 sum_j 1/(l - l_j)
    (Bun, Allez, Bouchaud and Potters 2016), which is the first formula again for a spike; the principal value
    is smoothed over noise_sd. With p finite it leaves something of pure noise, so it takes over as the number
    of eigenvalues beyond the edge goes from 2 to a tenth of all.

    The largest eigenvalue of noise alone fluctuates about the edge by noise_sd p^(-1/6) (Tracy and Widom
    1996). One that is kept by mistake is as large as all the noise, so those are kept that are two of these
    beyond the edge: noise alone gets there in one table of fifty.

    Parameters
    ----------
    matrix : float64 array, shape (p, p)
        Symmetric; the signal plus independent noise in each pair of cells.
    noise_sd : float
        Standard deviation of the noise.

    Returns
    -------
    matrix : float64 array, shape (p, p)
        The estimate.
    n_kept : int
        How many eigenvalues are beyond the edge.
    """
    p = len(matrix)
    values, vectors = partition.symmetric_eigen(np.ascontiguousarray(matrix))
    edge = 2.0 * noise_sd * np.sqrt(p)
    beyond = np.abs(values) > edge + 2.0 * noise_sd * p ** (-1.0 / 6.0)
    n_kept = int(beyond.sum())
    alone = np.where(beyond, np.sign(values) * np.sqrt(np.maximum(values**2 - edge**2, 0.0)), 0.0)
    gap = values[:, None] - values[None, :]
    together = values - 2.0 * noise_sd**2 * (gap / (gap**2 + noise_sd**2 + 1e-300)).sum(axis=1)
    gate = min(max((n_kept - 2.0) / (0.1 * p), 0.0), 1.0)
    shrunk = alone + gate * (together - alone)
    return (vectors * shrunk) @ vectors.T, n_kept


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
    beta = small / large
    # sqrt((z^2 - beta - 1)^2 - 4 beta) / z^2 with u = 1/z^2, z a singular value over the noise's unit; for
    # z < 1 there is nothing to keep.
    u = np.divide(unit**2, squares, out=np.ones_like(squares), where=squares > unit**2)
    inside = np.maximum((1.0 - (beta + 1.0) * u) ** 2 - 4.0 * beta * u**2, 0.0)
    factor = np.where(u * (1.0 + np.sqrt(beta)) ** 2 < 1.0, np.sqrt(inside), 0.0)
    out = (left * factor) @ (left.T @ wide)
    return np.asarray(out if wide is matrix else out.T)


def denoise_covariance(
    noisy: NDArray[np.float64], noise_sd: float, means: NDArray[np.float64], *, is_laplace: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64], int]:
    """Covariances of +-1 attributes from their released values.

    Structure that many attributes share is taken by eigenvalues, unless the noise reaches beyond half the
    trace, where hardly a table has one. What single pairs have beyond it stands out of the residual, where
    one entry of pure noise passes s sqrt(2 ln n_pairs) in half of all tables or less (if it is Laplace
    noise, s ln(2 n_pairs) / sqrt 2); nothing is told from noise there that reaches beyond 1, which no
    covariance does.
    The result is made positive semidefinite with the variances that the means give: a convex set that holds
    the true covariance, so it only comes nearer.

    Parameters
    ----------
    noisy : float64 array, shape (p, p)
        Symmetric; the diagonal is ignored.
    noise_sd : float
        Standard deviation of the noise off the diagonal.
    means : float64 array, shape (p,)
        Released means, in [-1, 1].
    is_laplace : bool
        Whether the noise is Laplace noise, else Gaussian.

    Returns
    -------
    covariance : float64 array, shape (p, p)
        Its diagonal is 1 - means^2.
    smooth : float64 array, shape (p, p)
        The part that many attributes share, with the same diagonal: its eigenvectors are the directions.
    n_kept : int
        Eigenvalues beyond the noise.
    """
    p = len(means)
    matrix = np.array(noisy)
    np.fill_diagonal(matrix, 0.0)
    variances = 1.0 - means**2
    smooth, n_kept = np.zeros_like(matrix), 0
    if 2.0 * noise_sd * np.sqrt(p) < _LARGEST_PART * variances.sum():
        smooth, n_kept = shrink_eigenvalues(matrix, noise_sd)
    residual = matrix - smooth
    logarithm = np.log(max(p * (p - 1) / 2, 2.0))
    threshold = noise_sd * (
        (logarithm + np.log(2.0)) / np.sqrt(2.0) if is_laplace else np.sqrt(2.0 * logarithm)
    )
    stands_out = (np.abs(residual) > threshold) & (threshold < 1.0)
    covariance = smooth + np.where(stands_out, residual, 0.0)
    for _ in range(_ALTERNATIONS):
        np.fill_diagonal(covariance, variances)
        values, vectors = partition.symmetric_eigen(np.ascontiguousarray(covariance))
        covariance = (vectors * np.maximum(values, 0.0)) @ vectors.T
    np.fill_diagonal(covariance, variances)
    np.fill_diagonal(smooth, variances)
    return covariance, smooth, n_kept


def pair_fractions(covariance: NDArray[np.float64], means: NDArray[np.float64]) -> NDArray[np.float64]:
    """P(x_a = 1 and x_b = 1) from covariances and means of z = 2 x - 1, within the Frechet bounds."""
    sums, differences = means[:, None] + means[None, :], means[:, None] - means[None, :]
    products = np.clip(covariance + np.outer(means, means), np.abs(sums) - 1.0, 1.0 - np.abs(differences))
    return np.asarray((1.0 + sums + products) / 4.0)


def clip_to_cube(means: NDArray[np.float64]) -> NDArray[np.float64]:
    """Metric projection onto the cube [-1, 1]^p."""
    return np.clip(means, -1.0, 1.0)


def block_weights_and_means(
    means: NDArray[np.float64],
    counts: NDArray[np.int64] | NDArray[np.float64],
    sums: NDArray[np.int64] | NDArray[np.float64],
    n: float,
    noise_sd: float,
    project: Callable[[NDArray[np.float64]], NDArray[np.float64]] = clip_to_cube,
    *,
    margin: float = 1.0,
    least_in_sd: float = 0.0,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Weights and means of blocks from their released counts and sums.

    The deviations of the sums from what the common means would give form a matrix whose noise is white, so
    its singular values are shrunk; the means are then projected onto the cube (metric projection, Section 5.5
    of the paper) and moved until their average is the released 1-way mean.

    Parameters
    ----------
    means : float64 array, shape (p,)
        Released common means.
    counts : array, shape (n_blocks,)
        Released counts.
    sums : array, shape (n_blocks, p)
        Released sums.
    n : float
        Released or public number of records.
    noise_sd : float
        Standard deviation of the noise of a sum.
    project : callable
        Metric projection of rows onto the convex set that means lie in.
    margin : float
        How far beyond the noise's edge a singular value must be, over the edge.
    least_in_sd : float
        Sums of blocks that are smaller than so many standard deviations of the noise are divided by that.

    Returns
    -------
    weights : float64 array, shape (n_blocks,)
        Nonnegative, of sum one.
    means : float64 array, shape (n_blocks, p)
        In the convex set; their weighted average is close to the common means.
    """
    weights = rounding.project_simplex(counts[None, :] / n, 1)[0]
    deviation = sums - n * weights[:, None] * means
    deviation -= weights[:, None] * deviation.sum(axis=0)
    deviation = shrink_singular_values(deviation, margin * noise_sd, (len(counts) - 1, len(means)))
    deviation -= weights[:, None] * deviation.sum(axis=0)
    size = np.maximum(n * weights, max(least_in_sd * noise_sd, 1e-9))
    of_block = project(means + deviation / size[:, None])
    for _ in range(_ALTERNATIONS):
        of_block = project(of_block + (means - weights @ of_block))
    return weights, of_block


def rake(
    table: NDArray[np.float64], rows: NDArray[np.float64], columns: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Scale rows and columns of a table in turn until its margins are the given ones."""
    out = np.maximum(table, 0.0) + 1e-12
    for _ in range(_RAKING_STEPS):
        out *= (rows / out.sum(axis=1))[:, None]
        out *= columns / out.sum(axis=0)
    return out


def denoise_pair_table(
    noisy: NDArray[np.int64], noise_sd: float, rows: NDArray[np.float64], columns: NDArray[np.float64], n: int
) -> NDArray[np.float64]:
    """Fractions of a pair table from its released counts.

    What it has beyond independence is centred orthogonally (centring weighted by the margins would inflate
    the noise), its singular values are shrunk, and the sum is raked to the margins.

    Parameters
    ----------
    noisy : int64 array, shape (a, b)
        Released counts.
    noise_sd : float
        Standard deviation of a cell's noise.
    rows, columns : float64 arrays, shapes (a,) and (b,)
        Fractions in the margins.
    n : int
        Released or public number of records.
    """
    independent = np.outer(rows, columns)
    deviation = noisy / n - independent
    deviation -= deviation.mean(axis=0)
    deviation -= deviation.mean(axis=1, keepdims=True)
    freedom = (len(rows) - 1, len(columns) - 1)
    return rake(independent + shrink_singular_values(deviation, noise_sd / n, freedom), rows, columns)
