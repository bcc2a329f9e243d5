"""Exact statistics of bits in the coding in which they are released, in integers.

Binary attributes are released as z = 2 x - 1: under add-or-remove-one that coding has a quarter of the noise
of 0/1 coding on covariances. Others are released as counts of coarse levels. Sums over records are linear in
that: the small tables are recoded, not the records.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from covloss_fast.records.statistics import BlockStatistics, Moments
from covloss_fast.schema import BitLayout


def recode_moments(moments: Moments, signed: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Sums over the records of products of two bits, shape (n_bits, n_bits), where `signed` ones are z."""
    scale, shift = 1 + signed.astype(np.int64), signed.astype(np.int64)
    scaled = scale * np.diagonal(moments.counts)
    return np.asarray(
        np.outer(scale, scale) * moments.counts
        - np.outer(scaled, shift)
        - np.outer(shift, scaled)
        + moments.n * np.outer(shift, shift)
    )


def signed_block_sums(statistics: BlockStatistics) -> NDArray[np.int64]:
    """Sums of z_a over the records of each block, shape (n_blocks, n_bits)."""
    return np.asarray(2 * statistics.sums - statistics.counts[:, None])


def coarse_pair_counts(
    moments: Moments, layout: BitLayout, of_level: Sequence[NDArray[np.int64]]
) -> NDArray[np.int64]:
    """Numbers of records in each pair of coarse levels.

    Parameters
    ----------
    moments : Moments
        Counts of pairs of bits.
    layout : BitLayout
        The bits of a record.
    of_level : sequence of int64 arrays, shape (size,)
        Coarse level of each level; the two levels of a binary attribute stay apart.

    Returns
    -------
    int64 array, shape (n_coarse, n_coarse)
        The coarse levels of an attribute follow one another; what is within an attribute has no meaning.
    """
    sizes = [int(coarse.max()) + 1 for coarse in of_level]
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    of_bit = np.concatenate(
        [first + (coarse[1:] if len(coarse) == 2 else coarse) for first, coarse in zip(offsets, of_level)]
    )
    zero = offsets[:-1][layout.is_binary]  # level 0 of a binary attribute has no bit: it is the rest
    rows = np.zeros((offsets[-1], layout.n_bits), dtype=np.int64)
    np.add.at(rows, of_bit, moments.counts)
    counts = np.zeros((offsets[-1], offsets[-1]), dtype=np.int64)
    np.add.at(counts, of_bit, rows.T)
    held = np.zeros(offsets[-1], dtype=np.int64)
    np.add.at(held, of_bit, np.diagonal(moments.counts))
    held[zero] = moments.n - held[zero + 1]
    counts[zero] = held - counts[zero + 1]
    counts[:, zero] = held[:, None] - counts[:, zero + 1]
    return counts
