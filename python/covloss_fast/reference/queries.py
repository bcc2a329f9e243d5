"""The exact queries behind every mechanism, by their definitions: the oracle of the sensitivity tests.

A table is an integer array of codes, a row for each record. An attribute of two levels enters as z = 2 code -
1, any other as a one-hot row. Each function returns the whole answer as one vector of integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from covloss_fast.privacy.certificate import exact_query


def encoded(codes: NDArray[np.int64], sizes: Sequence[int]) -> list[NDArray[np.int64]]:
    """Return an array of shape (n, 1) of z, or (n, size) of one-hot rows, for each attribute."""
    return [
        2 * codes[:, [a]] - 1 if size == 2 else (codes[:, [a]] == np.arange(size)).astype(np.int64)
        for a, size in enumerate(sizes)
    ]


def one_way(codes: NDArray[np.int64], sizes: Sequence[int]) -> NDArray[np.int64]:
    """Return the sums of all encoded attributes."""
    return np.concatenate([columns.sum(axis=0) for columns in encoded(codes, sizes)])


def all_pairs(codes: NDArray[np.int64], sizes: Sequence[int]) -> NDArray[np.int64]:
    """Return the sums of products of the encodings of each pair of attributes."""
    pairs = combinations(encoded(codes, sizes), 2)
    return np.concatenate([(left.T @ right).ravel() for left, right in pairs])


def pair_table(codes: NDArray[np.int64], sizes: Sequence[int], a: int, b: int) -> NDArray[np.int64]:
    """Return the counts of all pairs of levels of two attributes."""
    return np.bincount(codes[:, a] * sizes[b] + codes[:, b], minlength=sizes[a] * sizes[b])


def pair_scores(
    codes: NDArray[np.int64], sizes: Sequence[int], expected: Sequence[NDArray[np.int64]]
) -> NDArray[np.int64]:
    """Return the l1 distance of each pair's table from a fixed table of integers."""
    pairs = combinations(range(len(sizes)), 2)
    return np.array(
        [np.abs(pair_table(codes, sizes, a, b) - table).sum() for (a, b), table in zip(pairs, expected)]
    )


def block_statistics(
    codes: NDArray[np.int64],
    sizes: Sequence[int],
    labels: NDArray[np.int64],
    n_blocks: int,
    count_weight: int = 1,
) -> NDArray[np.int64]:
    """Return, for every block, the weighted number of its records and the sums of their encodings."""
    blocks = [codes[labels == block] for block in range(n_blocks)]
    return np.concatenate([np.append(count_weight * len(block), one_way(block, sizes)) for block in blocks])


def damped_means(
    bits: NDArray[np.int64], labels: NDArray[np.int64], n_blocks: int, scale: int, damping: int
) -> NDArray[np.int64]:
    """Return floor(scale S_j / max(c_j, damping)) for every block j, S_j the sum of its rows of bits."""
    blocks = [bits[labels == block] for block in range(n_blocks)]
    return np.concatenate([scale * block.sum(axis=0) // max(len(block), damping) for block in blocks])


def marginal_counts(bits: NDArray[np.int64], degree: int) -> NDArray[np.int64]:
    """Return the number of rows in which all bits of a set are 1, for all sets of `degree` bits."""
    sets = combinations(range(bits.shape[1]), degree)
    return np.array([bits[:, list(chosen)].all(axis=1).sum() for chosen in sets], dtype=np.int64)


#: Queries that `worst_pair` knows.
WORST_PAIRS = (
    "record count",
    "one-way",
    "all pairs",
    "block counts",
    "blocks",
    "pair table",
    "pair scores",
    "damped means",
    "certificate",
)


def worst_pair(query: str, replace_one: bool, in_l2: bool) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return a query's answers on two neighbouring tables of three binary attributes that differ the most.

    Parameters
    ----------
    query : str
        One of `WORST_PAIRS`. Damped means have scale 6 and damping 3.
    replace_one : bool
        Whether the tables differ by a replaced record; else by one that is removed.
    in_l2 : bool
        Whether the difference is the largest in the l2 norm (for Gaussian noise), else in the l1 norm.
    """
    sizes = [2, 2, 2]
    ones, zeros, near = [1, 1, 1], [0, 0, 0], [0, 0, 1]
    here = np.array([ones, near if query == "all pairs" else zeros] if replace_one else [ones, ones])
    there = np.array([ones, ones] if replace_one else [ones])
    if query == "record count":
        return np.array([len(here)]), np.array([len(there)])
    if query == "one-way":
        return one_way(here, sizes), one_way(there, sizes)
    if query == "all pairs":
        return all_pairs(here, sizes), all_pairs(there, sizes)
    if query == "blocks":  # the worst replacement stays in its block in l2, and leaves it in l1
        left, right = (
            block_statistics(rows, sizes, 0 * rows[:, 0] if in_l2 else rows[:, 0], 2)
            for rows in (here, there)
        )
        return left, right
    if query == "block counts":
        left, right = (np.bincount(rows[:, 0], minlength=2) for rows in (here, there))
        return left, right
    if query == "pair scores":  # the expected tables are those of one of the two
        expected = [pair_table(here, sizes, a, b) for a, b in combinations(range(3), 2)]
        return pair_scores(here, sizes, expected), pair_scores(there, sizes, expected)
    if query == "certificate":  # of the means, on a released table of zeros
        nothing = np.zeros(3, dtype=np.int64)
        left, right = (
            np.array([exact_query(marginal_counts(rows, 1), len(rows), nothing, 1)]) for rows in (here, there)
        )
        return left, right
    if query == "pair table":
        return pair_table(here, sizes, 0, 1), pair_table(there, sizes, 0, 1)
    if query == "damped means":  # a record comes into an empty block, from nowhere or out of the other block
        here, there = np.array([ones])[: 1 if replace_one else 0], np.array([ones])
        left, right = (
            damped_means(rows, np.full(len(rows), block), 2, 6, 3) for block, rows in enumerate((here, there))
        )
        return left, right
    raise ValueError(f"query must be one of {', '.join(WORST_PAIRS)}, got {query!r}")
