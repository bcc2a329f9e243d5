"""Exact counts of bits in plain numpy: records are arrays of zeros and ones, shape (n, p)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "attribute_table",
    "attribute_tv",
    "marginal_counts",
    "marginal_error",
    "one_hot",
    "pair_histogram",
    "second_moment",
]


def one_hot(columns: Sequence[NDArray[np.unsignedinteger]], sizes: Sequence[int]) -> NDArray[np.uint8]:
    """Codes as bits: one bit for an attribute of two levels (code 1), else a bit for each level."""
    bits = [
        column == level
        for column, size in zip(columns, sizes)
        for level in ([1] if size == 2 else range(size))
    ]
    return np.stack(bits, axis=1).astype(np.uint8)


def second_moment(bits: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Records in which both of two bits are set, shape (p, p), by a float32 product.

    Blocks of 65,536 rows keep every partial count below 2^24, so that it is exact.
    """
    total = np.zeros((bits.shape[1], bits.shape[1]), dtype=np.int64)
    for start in range(0, len(bits), 65_536):
        block = bits[start : start + 65_536].astype(np.float32)
        total += (block.T @ block).astype(np.int64)
    return total


def pair_histogram(
    codes_a: NDArray[np.unsignedinteger], codes_b: NDArray[np.unsignedinteger], size_a: int, size_b: int
) -> NDArray[np.int64]:
    """Records with each pair of codes, shape (size_a, size_b)."""
    cells = codes_a.astype(np.int64) * size_b + codes_b
    return np.bincount(cells, minlength=size_a * size_b).reshape(size_a, size_b).astype(np.int64)


def marginal_counts(bits: NDArray[np.uint8], sets: NDArray[np.int32]) -> NDArray[np.int64]:
    """Records in which all bits of a set are set, for each row of `sets`."""
    return np.array([bits[:, chosen].all(axis=1).sum() for chosen in sets], dtype=np.int64)


def marginal_error(
    first: NDArray[np.uint8], second: NDArray[np.uint8], groups: NDArray[np.int32], degree: int
) -> tuple[float, float, int]:
    """Sum of squares, largest absolute value and number of the differences of d-way marginals.

    Over all sets of `degree` bits of distinct groups.
    """
    sets = np.array(
        [
            chosen
            for chosen in itertools.combinations(range(first.shape[1]), degree)
            if len({groups[bit] for bit in chosen}) == degree
        ],
        dtype=np.int32,
    ).reshape(-1, degree)
    difference = marginal_counts(first, sets) / len(first) - marginal_counts(second, sets) / len(second)
    return float((difference**2).sum()), float(np.abs(difference).max(initial=0.0)), len(sets)


def attribute_table(
    codes: NDArray[np.integer], sizes: Sequence[int], attributes: Sequence[int]
) -> NDArray[np.float64]:
    """Fraction of the records in each cell of the table of some attributes; codes of shape (n, q)."""
    cell = np.zeros(len(codes), dtype=np.int64)
    for attribute in attributes:
        cell = cell * sizes[attribute] + codes[:, attribute]
    return np.bincount(cell, minlength=math.prod(sizes[a] for a in attributes)) / len(codes)


def attribute_tv(
    first: NDArray[np.integer], second: NDArray[np.integer], sizes: Sequence[int], degree: int
) -> float:
    """Mean total variation distance between the tables of all sets of `degree` attributes."""
    distances = [
        np.abs(attribute_table(first, sizes, each) - attribute_table(second, sizes, each)).sum() / 2
        for each in itertools.combinations(range(len(sizes)), degree)
    ]
    return float(np.mean(distances))
