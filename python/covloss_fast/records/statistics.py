"""Exact statistics of records: integers that merge by addition, in any order, with the same bits.

They are not private: their bytes hold exact counts. What leaves the curator has passed the door first.

Examples
--------
>>> import numpy as np
>>> from covloss_fast import statistics
>>> part = statistics.Moments(2, np.array([[1, 1], [1, 2]]))
>>> (part + part).n, (part + part).counts.tolist()
(4, [[2, 2], [2, 4]])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from covloss_fast._core import bits as _bits
from covloss_fast._core import partition as _partition
from covloss_fast._core.bits import BitMatrix
from covloss_fast.schema import BitLayout

__all__ = ["BlockStatistics", "Moments", "damped_means"]

#: A record of a pair of code columns takes as long as AND and popcount of so many words of 64 records: 0.6 to
#: 0.8 ns against 0.13 with AVX2. Without it popcounts take 2.5 times as long, and the choice is still near
#: the best. The counts are the same either way.
_WORDS_PER_CODE = 5.0


def _wide_attributes(layout: BitLayout) -> list[int]:
    """Attributes to count by code histograms, at the least predicted cost for each record.

    Pairs of narrow attributes cost a popcounted word for each pair of bits and 64 records, any other pair of
    attributes one histogram, and a wide attribute another one for its own levels. The widest attributes win
    most by a histogram, so the best choice is one of the prefixes of the attributes by descending width.
    """
    widths = np.diff(layout.offsets)
    order = np.argsort(-widths, kind="stable")
    n_wide = np.arange(len(order) + 1)
    narrow_bits = layout.n_bits - np.concatenate([[0], np.cumsum(widths[order])])
    n_histograms = n_wide * (len(order) - n_wide) + n_wide * (n_wide + 1) / 2
    cost = narrow_bits * (narrow_bits + 1) / 2 / 64 + _WORDS_PER_CODE * n_histograms
    return sorted(order[: int(np.argmin(cost))].tolist())


def _codes_of(
    bits: BitMatrix,
    codes: Sequence[NDArray[np.unsignedinteger] | None],
    layout: BitLayout,
    attribute: int,
) -> NDArray[np.unsignedinteger]:
    column = codes[attribute]
    return bits.column(int(layout.offsets[attribute])) if column is None else column


def _bits_of(layout: BitLayout, attribute: int) -> slice:
    return slice(int(layout.offsets[attribute]), int(layout.offsets[attribute + 1]))


@dataclass(frozen=True, eq=False)
class Moments:
    """Number of records and, for every pair of bits, the records in which both are set.

    Attributes
    ----------
    n : int
        Number of records.
    counts : int64 array, shape (n_bits, n_bits)
        Symmetric; the diagonal counts the records in which each bit is set.

    Examples
    --------
    >>> import numpy as np
    >>> from covloss_fast.schema import BitLayout
    >>> from covloss_fast import statistics
    >>> from covloss_fast._core.bits import BitMatrix
    >>> bits = BitMatrix.from_array(np.array([[0, 1], [1, 1]], dtype=np.uint8), 1)
    >>> statistics.Moments.from_records(bits, [None, None], BitLayout((2, 2))).counts.tolist()
    [[1, 1], [1, 2]]
    """

    n: int
    counts: NDArray[np.int64]

    @classmethod
    def from_records(
        cls,
        bits: BitMatrix,
        codes: Sequence[NDArray[np.unsignedinteger] | None],
        layout: BitLayout,
        n_threads: int = 1,
    ) -> Moments:
        """Count pairs of bits by AND and popcount, or pairs of codes by histograms, whichever is cheaper.

        Parameters
        ----------
        bits : BitMatrix
            Packed records.
        codes : sequence of arrays or None
            Codes of the attributes that are not binary.
        layout : BitLayout
            Where each attribute lies among the bits.
        n_threads : int
            Threads to use.
        """
        counts = np.zeros((layout.n_bits, layout.n_bits), dtype=np.int64)
        wide = _wide_attributes(layout)
        narrow = np.flatnonzero(~np.isin(layout.attribute_of_bit, wide))
        counts[np.ix_(narrow, narrow)] = _bits.second_moment(bits, n_threads, narrow.tolist())
        for attribute in wide:
            first = _bits_of(layout, attribute)
            mine = _codes_of(bits, codes, layout, attribute)
            for other in range(len(codes)):
                if other == attribute or (other in wide and other < attribute):
                    continue
                size = layout.sizes[other]
                table = _bits.pair_histogram(
                    mine, _codes_of(bits, codes, layout, other), layout.sizes[attribute], size, n_threads
                )
                second = _bits_of(layout, other)
                counts[first, second] = table[:, 1:] if size == 2 else table
                counts[second, first] = counts[first, second].T
            levels = np.bincount(mine, minlength=layout.sizes[attribute])
            counts[first, first] = np.diag(levels)
        return cls(bits.n_rows, counts)

    def __add__(self, other: Moments) -> Moments:
        if self.counts.shape != other.counts.shape:
            raise ValueError(f"moments of {len(self.counts)} and {len(other.counts)} bits cannot be added")
        return Moments(self.n + other.n, self.counts + other.counts)


@dataclass(frozen=True, eq=False)
class BlockStatistics:
    """Counts of records and sums of bits for every block of a partition, empty blocks too.

    Attributes
    ----------
    counts : int64 array, shape (n_blocks,)
        Records in each block.
    sums : int64 array, shape (n_blocks, n_bits)
        Records of each block in which each bit is set.

    Examples
    --------
    >>> import numpy as np
    >>> from covloss_fast._core.bits import BitMatrix
    >>> from covloss_fast import statistics
    >>> bits = BitMatrix.from_array(np.array([[0, 1], [1, 1], [1, 0]], dtype=np.uint8), 1)
    >>> blocks = statistics.BlockStatistics.from_labels(bits, np.array([0, 0, 1], dtype=np.int32), 2)
    >>> blocks.counts.tolist(), blocks.sums.tolist()
    ([2, 1], [[1, 2], [1, 0]])
    """

    counts: NDArray[np.int64]
    sums: NDArray[np.int64]

    @classmethod
    def from_labels(
        cls, bits: BitMatrix, labels: NDArray[np.int32], n_blocks: int, n_threads: int = 1
    ) -> BlockStatistics:
        """Count records and set bits by block."""
        return cls(*_partition.block_statistics(bits, labels, n_blocks, n_threads))

    def __add__(self, other: BlockStatistics) -> BlockStatistics:
        if self.sums.shape != other.sums.shape:
            raise ValueError(
                f"block statistics of shapes {self.sums.shape} and {other.sums.shape} cannot be added"
            )
        return BlockStatistics(self.counts + other.counts, self.sums + other.sums)


def damped_means(blocks: BlockStatistics, scale: int, damping: int) -> NDArray[np.int64]:
    """Integer damped means floor(scale S / max(count, damping)) of every block (Section 5.4 of the paper).

    The product is taken in integers without bound: in 64 bits it could wrap around, and the sensitivity of
    the damped means would be lost. The quotient is at most `scale`, since a sum is at most its block's count.

    Parameters
    ----------
    blocks : BlockStatistics
        Exact counts and sums.
    scale : int
        Public scale, below 2^63.
    damping : int
        Least divisor, at least 1.

    Returns
    -------
    int64 array, shape (n_blocks, n_bits)

    Examples
    --------
    >>> import numpy as np
    >>> from covloss_fast import statistics
    >>> blocks = statistics.BlockStatistics(np.array([4, 1]), np.array([[2, 4], [1, 0]]))
    >>> statistics.damped_means(blocks, scale=100, damping=2).tolist()
    [[50, 100], [50, 0]]
    """
    divisor = np.maximum(blocks.counts, damping).astype(object)[:, None]
    return np.asarray(scale * blocks.sums.astype(object) // divisor).astype(np.int64)
