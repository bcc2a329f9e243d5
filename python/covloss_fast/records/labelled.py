"""Exactly n_blocks blocks of a table that is longer than memory; the labels go back to it as a column.

The paper's construction (Section 3, Theorem 1.2) on batches: the exact second moment gives the leading
directions, a covering of the ball of the projected records gives cells of nearest points, and the cells, one
after the other, are cut into blocks of equal size in the order in which the records come. What a pass must
know of the others is small: the moment, the longest records, the number of records of each cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from covloss_fast.records.batches import Batches
from covloss_fast.records.encoding import EncodedTable
from covloss_fast.records.equal_blocks import Covered, Leading, largest_squares
from covloss_fast.records.queries import PairCounts, TableChangedError
from covloss_fast.records.statistics import BlockStatistics
from covloss_fast.records.tables import with_column
from covloss_fast.schema import Categorical, Schema

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["LabelledBatches"]


class LabelledBatches:
    """The batches of a table with the block of each record: pyarrow tables, read anew in each iteration.

    Attributes
    ----------
    n_records : int
        Number of records.
    block_sizes : int64 array, shape (n_blocks,)
        Records of each block; they differ by at most one.
    bound : float
        The covariance loss (Frobenius norm) is at most this.
    """

    def __init__(self, batches: Batches, schema: Schema, n_blocks: int, column: str, n_threads: int) -> None:
        other = [each.name for each in schema.attributes if not isinstance(each, Categorical)]
        if other:
            raise ValueError(
                f"blocks of batches are for Boolean and categorical attributes, and {other[0]!r} holds "
                "numbers: give the whole table to fit, or declare bins as levels"
            )
        if column in schema.columns:
            raise ValueError(f"the table has a column {column!r} already")
        self._batches, self._schema, self._column, self._n_threads = batches, schema, column, n_threads
        self._records = batches.open(schema, n_threads)
        self.n_records = n = self._records.n_records
        if not 1 <= n_blocks <= n:
            raise ValueError(f"n_blocks must be from 1 to the number of records, {n:,}, got {n_blocks:,}")
        self._n_blocks = n_blocks
        widths = np.repeat(schema.layout.sizes, np.diff(schema.layout.offsets))
        scale = np.where(widths == 2, 1.0, np.sqrt(0.5))
        self._leading = Leading.of_moment(self._records.ask(PairCounts(), n_threads), n, scale)
        squares = np.max([largest_squares(each) for each in self._coordinates()], axis=0)
        eigenvalues = np.maximum(self._leading.eigenvalues, 0.0)
        self._covered = Covered.choose(squares, eigenvalues, n_blocks)
        self._cells = np.zeros(len(self._covered.points), dtype=np.int64)
        for each in self._coordinates():
            self._cells += self._counted(self._covered.cells(each, n_threads))
        self._check(n == self._cells.sum())
        positions = np.arange(n_blocks + 1) * n
        self.block_sizes: NDArray[np.int64] = np.diff(-(-positions // n_blocks))
        straddling = (np.count_nonzero(self._cells) - 1) * int(self.block_sizes.max()) / n
        self.bound = min(
            self._covered.loss + min(straddling, 1.0) * self._leading.largest_square,
            float(eigenvalues.sum()),
        )

    def __iter__(self) -> Iterator[Any]:
        """Read the table once more.

        Raises
        ------
        TableChangedError
            If its records are not those that were counted, at the latest after the last batch.
        """
        taken = np.zeros_like(self._cells)
        for batch, part in self._batches.encoded(self._schema, self._n_threads):
            yield with_column(batch, self._column, self._labels(part, taken), self._schema.columns)
        self._check(np.array_equal(taken, self._cells))

    def statistics(self) -> BlockStatistics:
        """Read the table once more: exact counts and sums of the bits of every block."""
        taken = np.zeros_like(self._cells)
        found = reduce(
            BlockStatistics.merge,
            (
                BlockStatistics.from_labels(
                    part.bits, self._labels(part, taken), self._n_blocks, self._n_threads
                )
                for part in self._records.parts(self._n_threads)
            ),
        )
        self._check(np.array_equal(taken, self._cells))
        return found

    def _labels(self, part: EncodedTable, taken: NDArray[np.int64]) -> NDArray[np.int32]:
        """Blocks of records, in their order after those that were taken from each cell."""
        cells = self._covered.cells(self._leading.coordinates(part.bits, self._n_threads), self._n_threads)
        counts = self._counted(cells)
        order = np.argsort(cells, kind="stable")
        within = np.arange(len(cells)) - np.repeat(np.cumsum(counts) - counts, counts)
        before = np.cumsum(self._cells) - self._cells + taken
        taken += counts
        self._check(bool((taken <= self._cells).all()))
        labels = np.empty(len(cells), dtype=np.int32)
        labels[order] = (np.repeat(before, counts) + within) * self._n_blocks // self.n_records
        return labels

    def _counted(self, cells: NDArray[np.int32]) -> NDArray[np.int64]:
        return np.bincount(cells, minlength=len(self._cells)).astype(np.int64)

    def _coordinates(self) -> Iterator[NDArray[np.float64]]:
        for part in self._records.parts(self._n_threads):
            yield self._leading.coordinates(part.bits, self._n_threads)

    def _check(self, is_same: bool) -> None:
        if not is_same:
            raise TableChangedError("the table has changed since its records were counted")
