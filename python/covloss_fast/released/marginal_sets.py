"""Sets of bits of distinct attributes: all of them, or a random sample. They depend on the schema alone."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from covloss_fast.schema import BitLayout


def count_sets(layout: BitLayout, degree: int) -> int:
    """Number of sets of `degree` bits of distinct attributes: an elementary symmetric polynomial."""
    return _counts_by_prefix(layout, degree)[-1][degree]


def _counts_by_prefix(layout: BitLayout, degree: int) -> list[list[int]]:
    """Entry [a][d]: number of sets of d bits of distinct attributes among the first a attributes."""
    counts = [[1] + [0] * degree]
    for width in np.diff(layout.offsets).tolist():
        before = counts[-1]
        counts.append([1] + [before[d] + width * before[d - 1] for d in range(1, degree + 1)])
    return counts


def draw_sets(
    layout: BitLayout, degree: int, max_sets: int, generator: np.random.Generator
) -> tuple[NDArray[np.int32], bool]:
    """All sets of `degree` bits of distinct attributes, or `max_sets` of them drawn uniformly.

    Returns
    -------
    sets : int32 array, shape (n_sets, degree)
        Bits in increasing order.
    is_sample : bool
        Whether the sets are a sample (without replacement).
    """
    total = count_sets(layout, degree)
    if total <= max_sets:
        groups = [range(int(first), int(last)) for first, last in itertools.pairwise(layout.offsets)]
        every = [
            bits for chosen in itertools.combinations(groups, degree) for bits in itertools.product(*chosen)
        ]
        return np.array(every, dtype=np.int32).reshape(-1, degree), False
    found = np.empty((0, degree), dtype=np.int32)
    while len(found) < max_sets:  # few rounds: no draw is refused but for having been drawn before
        both = np.concatenate([found, _draw(layout, degree, 2 * max_sets, generator)])
        _, first = np.unique(both, axis=0, return_index=True)
        found = both[np.sort(first)][:max_sets]
    return found, True


def _draw(layout: BitLayout, degree: int, n_draws: int, generator: np.random.Generator) -> NDArray[np.int32]:
    """Independent uniform sets: from the last attribute down, take it with the share of sets that hold it."""
    counts = _counts_by_prefix(layout, degree)
    widths = np.diff(layout.offsets)
    sets = np.empty((n_draws, degree), dtype=np.int32)
    missing = np.full(n_draws, degree)
    for attribute in range(len(widths) - 1, -1, -1):
        width, before, here = int(widths[attribute]), counts[attribute], counts[attribute + 1]
        share = [0.0] + [width * before[d - 1] / here[d] if here[d] else 0.0 for d in range(1, degree + 1)]
        takes = np.flatnonzero(generator.random(n_draws) < np.array(share)[missing])
        missing[takes] -= 1
        sets[takes, missing[takes]] = layout.offsets[attribute] + generator.integers(0, width, len(takes))
    return sets
