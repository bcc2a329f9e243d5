"""Partitions, block statistics and covariance loss in plain numpy: every record and every block in full.

Bits are arrays of zeros and ones, shape (n, n_bits). Given the same integer directions the labels agree with
the compiled ones exactly.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "assign_nearest",
    "block_statistics",
    "covariance_loss_matrix",
    "covering",
    "equipartition",
    "exact_covariance_loss_matrix",
    "lattice_cells",
    "lattice_cells_of",
    "nearest_point",
    "pin",
    "project",
    "sign_cells",
    "symmetric_eigen",
]


def project(
    bits: NDArray[np.uint8], directions: NDArray[np.int32], offset: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Integer coordinates of records, shape (n, t)."""
    return np.asarray(bits.astype(np.int64) @ directions.astype(np.int64) + offset)


def nearest_point(coordinates: NDArray[np.int64], points: NDArray[np.int64]) -> NDArray[np.int32]:
    """Index of the nearest point to each row, ties to the lowest index."""
    squared = ((coordinates[:, None, :] - points[None, :, :]) ** 2).sum(axis=2)
    return np.asarray(squared.argmin(axis=1), dtype=np.int32)


def assign_nearest(
    bits: NDArray[np.uint8],
    directions: NDArray[np.int32],
    offset: NDArray[np.int64],
    points: NDArray[np.int64],
) -> NDArray[np.int32]:
    """Nearest point to the coordinates of each record."""
    return nearest_point(project(bits, directions, offset), points)


def pin(bits: NDArray[np.uint8], columns: Sequence[int]) -> NDArray[np.int32]:
    """Label whose bit l is the value of bit ``columns[l]``."""
    labels = np.zeros(len(bits), dtype=np.int32)
    for position, column in enumerate(columns):
        labels += bits[:, column].astype(np.int32) << position
    return labels


def sign_cells(
    bits: NDArray[np.uint8], directions: NDArray[np.int32], offset: NDArray[np.int64]
) -> NDArray[np.int32]:
    """Label whose bit l says whether coordinate l is at least 0."""
    signs = project(bits, directions, offset) >= 0
    return pin(signs.astype(np.uint8), range(signs.shape[1]))


def lattice_cells(
    bits: NDArray[np.uint8],
    directions: NDArray[np.int32],
    offset: NDArray[np.int64],
    spacing: int,
    cells: int,
) -> NDArray[np.int32]:
    """Cells of the coordinates of each record."""
    return lattice_cells_of(project(bits, directions, offset), spacing, cells)


def lattice_cells_of(coordinates: NDArray[np.int64], spacing: int, cells: int) -> NDArray[np.int32]:
    """Cell of a grid of ``cells`` intervals along each axis, centred about 0, in lexicographic order."""
    labels = np.zeros(len(coordinates), dtype=np.int64)
    for coordinate in coordinates.T:
        cell = (2 * coordinate + cells * spacing) // (2 * spacing)
        labels = labels * cells + np.clip(cell, 0, cells - 1)
    return labels.astype(np.int32)


def block_statistics(
    bits: NDArray[np.uint8], labels: NDArray[np.int32], n_blocks: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Counts and sums of every block, empty ones too."""
    sums = np.zeros((n_blocks, bits.shape[1]), dtype=np.int64)
    np.add.at(sums, labels, bits.astype(np.int64))
    return np.bincount(labels, minlength=n_blocks).astype(np.int64), sums


def equipartition(labels: NDArray[np.int32], n_blocks: int) -> NDArray[np.int32]:
    """Exactly `n_blocks` blocks whose sizes differ by at most one: sort, then cut."""
    n = len(labels)
    blocks = np.empty(n, dtype=np.int32)
    blocks[np.argsort(labels, kind="stable")] = np.arange(n) * n_blocks // n
    return blocks


def covering(t: int, alpha: float) -> NDArray[np.float64]:
    """Points of the lattice (alpha / sqrt t) Z^t in the unit ball, in lexicographic order."""
    limit = math.floor(t / Fraction(alpha) ** 2)  # the largest squared norm of an integer point in the ball
    reach = range(-math.isqrt(limit), math.isqrt(limit) + 1)
    inside = [z for z in itertools.product(reach, repeat=t) if sum(c * c for c in z) <= limit]
    return np.asarray(np.array(inside, dtype=float) * (alpha / np.sqrt(t)))


def symmetric_eigen(
    matrix: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Eigenvalues in descending order; eigenvectors in columns, the largest entry of each positive."""
    values, vectors = np.linalg.eigh(matrix)
    values, vectors = values[::-1].copy(), vectors[:, ::-1].copy()
    for vector in vectors.T:
        if vector[np.abs(vector).argmax()] < 0:
            vector *= -1.0
    return values, vectors


def covariance_loss_matrix(rows: NDArray[np.float64], labels: NDArray[np.int32]) -> NDArray[np.float64]:
    """Sigma_X - Sigma_Y = E Cov(X | block), by definition, shape (p, p)."""
    residual = np.array(rows, dtype=np.float64)
    for block in np.unique(labels):
        residual[labels == block] -= residual[labels == block].mean(axis=0)
    return np.asarray(residual.T @ residual / len(residual))


def exact_covariance_loss_matrix(bits: NDArray[np.uint8], labels: NDArray[np.int32]) -> list[list[Fraction]]:
    """The same for zeros and ones, in rational numbers: (G - sum_j S_j S_j^T / c_j) / n."""
    wide = bits.astype(np.int64)
    n, p = wide.shape
    second = (wide.T @ wide).tolist()
    lost = [[Fraction(second[a][b]) for b in range(p)] for a in range(p)]
    for block in np.unique(labels):
        inside = wide[labels == block]
        sums = inside.sum(axis=0).tolist()
        for a in range(p):
            for b in range(p):
                lost[a][b] -= Fraction(sums[a] * sums[b], len(inside))
    return [[entry / n for entry in row] for row in lost]
