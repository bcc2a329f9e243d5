"""Exact statistics of bits as exact statistics of features, in integers.

A feature is a sum of bits: a signed one is 2 x - 1 for a single bit x, an unsigned one the sum of the bits
that were merged into it. Sums over records are linear in that: the small tables are recoded, not the records.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from covloss_fast.records.statistics import BlockStatistics, Moments


def recode_moments(
    moments: Moments, of_bit: NDArray[np.int64], signed: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Sums over the records of products of two features, shape (n_features, n_features)."""
    merged = np.zeros((len(signed), len(signed)), dtype=np.int64)
    np.add.at(merged, (of_bit[:, None], of_bit[None, :]), moments.counts)
    ones = np.zeros(len(signed), dtype=np.int64)
    np.add.at(ones, of_bit, np.diagonal(moments.counts))
    scale, shift = 1 + signed.astype(np.int64), signed.astype(np.int64)
    scaled = scale * ones
    return np.asarray(
        np.outer(scale, scale) * merged
        - np.outer(scaled, shift)
        - np.outer(shift, scaled)
        + moments.n * np.outer(shift, shift)
    )


def recode_block_sums(
    statistics: BlockStatistics, of_bit: NDArray[np.int64], signed: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Sums of each feature over the records of each block, shape (n_blocks, n_features)."""
    merged = np.zeros((len(statistics.counts), len(signed)), dtype=np.int64)
    np.add.at(merged.T, of_bit, statistics.sums.T)
    return np.asarray(np.where(signed, 2 * merged - statistics.counts[:, None], merged))
