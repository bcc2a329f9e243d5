"""Vectors in plain Python and numpy: each record rounded by itself in exact arithmetic, sums in full."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from covloss_fast.convex_sets import ConvexSet, Factor

__all__ = ["block_sums", "labels", "project", "round_record", "second_moment", "towards_zero"]


def towards_zero(rows: NDArray[np.int32], shift: int) -> NDArray[np.int64]:
    """Rows divided by 2^shift, rounded towards 0."""
    whole = rows.astype(np.int64)
    return np.asarray(np.sign(whole) * (np.abs(whole) // 2**shift))


def second_moment(rows: NDArray[np.int32], shift: int) -> NDArray[np.int64]:
    """Sum of x x^T over rows x."""
    x = towards_zero(rows, shift)
    return np.asarray(x.T @ x)


def project(rows: NDArray[np.int32], shift: int, directions: NDArray[np.int32]) -> NDArray[np.int64]:
    """Integer coordinates of every row, shape (n, t)."""
    return np.asarray(towards_zero(rows, shift) @ directions.astype(np.int64))


def block_sums(
    rows: NDArray[np.int32], labels: NDArray[np.int32], n_blocks: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Counts and sums of every block."""
    one_hot = (labels[:, None] == np.arange(n_blocks)).astype(np.int64)
    return np.asarray(one_hot.sum(axis=0)), np.asarray(one_hot.T @ rows.astype(np.int64))


def labels(
    rows: NDArray[np.int32], shift: int, directions: NDArray[np.int32], points: NDArray[np.int64]
) -> list[int]:
    """Block of every row, one after another, in integers without bound."""
    out = []
    for row in rows.tolist():
        x = [int(math.copysign(abs(v) // 2**shift, v)) for v in row]
        at = [sum(a * int(d) for a, d in zip(x, column)) for column in directions.T.tolist()]
        squared = [sum((a - int(b)) ** 2 for a, b in zip(at, point)) for point in points.tolist()]
        out.append(squared.index(min(squared)))
    return out


def round_record(record: Sequence[float], convex_set: ConvexSet, resolution: int) -> list[int]:
    """One record as an integer row: truncated towards 0 by exact fractions, then held to the set."""
    out: list[int] = []
    for factor in convex_set.factors:
        own = record[len(out) : len(out) + len(factor.centre)]
        steps = [
            int((Fraction(x) - Fraction(c)) / Fraction(u) * resolution)
            for x, c, u in zip(own, factor.centre.tolist(), factor.unit.tolist())
        ]
        out += _held(steps, factor, resolution)
    return out


def _held(row: list[int], factor: Factor, g: int) -> list[int]:
    lowest = 0 if factor.shape == "simplex" else -g
    row = [min(max(v, lowest), g) for v in row]
    size = {"box": 0, "simplex": sum(row), "ball": _root_above(sum(v * v for v in row))}[factor.shape]
    return row if size <= g else [int(Fraction(v * g, size)) for v in row]


def _root_above(square: int) -> int:
    root = math.isqrt(square)
    return root if root * root == square else root + 1
