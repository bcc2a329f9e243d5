"""Sets of bits of distinct attributes: all of them, or a random sample. They depend on the schema alone."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from covloss_fast.schema import BitLayout


def count_sets(layout: BitLayout, degree: int) -> int:
    """Number of sets of `degree` bits of distinct attributes: an elementary symmetric polynomial."""
    counts = [1] + [0] * degree
    for width in np.diff(layout.offsets):
        for d in range(degree, 0, -1):
            counts[d] += counts[d - 1] * int(width)
    return counts[degree]


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
    attribute = layout.attribute_of_bit
    total = count_sets(layout, degree)
    if total <= max_sets:
        groups = [range(int(first), int(last)) for first, last in itertools.pairwise(layout.offsets)]
        every = [
            bits for chosen in itertools.combinations(groups, degree) for bits in itertools.product(*chosen)
        ]
        return np.array(every, dtype=np.int32).reshape(-1, degree), False
    found = np.empty((0, degree), dtype=np.int32)
    while len(found) < max_sets:
        draws = np.sort(generator.integers(0, layout.n_bits, size=(2 * max_sets, degree), dtype=np.int32))
        owners = attribute[draws]
        distinct = np.all(owners[:, 1:] != owners[:, :-1], axis=1)
        both = np.concatenate([found, draws[distinct]])
        _, first = np.unique(both, axis=0, return_index=True)
        found = both[np.sort(first)][:max_sets]
    return found, True
