"""Exact statistics of records: integers that merge by addition, in any order, with the same bits.

They are not private: their bytes hold exact counts. What leaves the curator has passed the door first.
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

#: Attributes of more bits than this are counted by histograms: a pass over two code columns costs about as
#: much as this many passes over a packed column and its partner.
_WIDE = 24


def _codes_of(
    bits: BitMatrix,
    codes: Sequence[NDArray[np.unsignedinteger] | None],
    layout: BitLayout,
    attribute: int,
) -> NDArray[np.unsignedinteger]:
    column = codes[attribute]
    return bits.column(int(layout.offsets[attribute])) if column is None else column


@dataclass(frozen=True, eq=False)
class Moments:
    """Number of records and, for every pair of bits, the records in which both are set.

    Attributes
    ----------
    n : int
        Number of records.
    counts : int64 array, shape (n_bits, n_bits)
        Symmetric; the diagonal counts the records in which each bit is set.
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

        An attribute of w bits takes w ANDs of n / 256 words of 256 bits with every other bit, or one pass
        over two columns of n codes with every other attribute: histograms win for the widest attributes.

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
        widths = np.diff(layout.offsets)
        wide = [
            attribute
            for attribute, column in enumerate(codes)
            if column is not None and widths[attribute] > _WIDE
        ]
        narrow = np.flatnonzero(~np.isin(layout.attribute_of_bit, wide))
        counts[np.ix_(narrow, narrow)] = _bits.second_moment(bits, n_threads, narrow.tolist())
        for attribute in wide:
            first = slice(int(layout.offsets[attribute]), int(layout.offsets[attribute + 1]))
            mine = _codes_of(bits, codes, layout, attribute)
            for other in range(len(codes)):
                if other == attribute or (other in wide and other < attribute):
                    continue
                size = layout.sizes[other]
                table = _bits.pair_histogram(
                    mine, _codes_of(bits, codes, layout, other), layout.sizes[attribute], size, n_threads
                )
                second = slice(int(layout.offsets[other]), int(layout.offsets[other + 1]))
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
