"""Partitions and block statistics in plain numpy."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray


def project(
    bits: NDArray[np.uint8], directions: NDArray[np.int32], offset: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Integer coordinates of records, shape (n, t)."""
    return np.asarray(bits.astype(np.int64) @ directions.astype(np.int64) + offset)


def nearest_point(coordinates: NDArray[np.int64], points: NDArray[np.int64]) -> NDArray[np.int32]:
    """Index of the nearest point to each row, ties to the lowest index."""
    squared = ((coordinates[:, None, :] - points[None, :, :]) ** 2).sum(axis=2)
    return squared.argmin(axis=1).astype(np.int32)


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
    limit = int(t / alpha**2)
    reach = range(-int(limit**0.5) - 1, int(limit**0.5) + 2)
    inside = [z for z in itertools.product(reach, repeat=t) if sum(c * c for c in z) <= limit]
    return np.array(inside, dtype=float) * (alpha / np.sqrt(t))
