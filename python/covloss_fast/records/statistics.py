"""Exact statistics of records: integers that merge by addition, in any order, with the same bits.

They are not private: their bytes hold exact counts. What leaves the curator has passed the door first.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from covloss_fast._core import bits as _bits
from covloss_fast._core import partition as _partition
from covloss_fast._core.bits import BitMatrix


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
    def from_records(cls, bits: BitMatrix, n_threads: int = 1) -> Moments:
        """Count by AND and popcount over packed columns."""
        return cls(bits.n_rows, _bits.second_moment(bits, n_threads))

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
