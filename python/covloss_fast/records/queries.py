"""What a fit asks of its records: sums over them, in integers.

A query is asked of a part of the records at a time and the answers are added, in any order, with the same
bits: so records may lie in one table, come in batches, or be spread over the machines of a cluster. Whoever
holds them needs one method, :meth:`Records.ask`. Answers are exact, and private until they have passed the
door.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from covloss_fast._core.bits import column_counts, marginal_counts
from covloss_fast.records.encoding import EncodedTable, EncodingError
from covloss_fast.records.statistics import BlockStatistics, Moments, Partition
from covloss_fast.schema import BitLayout, Schema

#: Sets of bits whose counts tell a table from another.
_WITNESSES = 128


class TableChangedError(RuntimeError):
    """A table did not hold the same records when it was read again.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> lengths = iter([100, 99, 98, 97])
    >>> source = cf.Batches(lambda: iter([{"smoker": [True] * next(lengths)}]), keep=0)
    >>> schema = cf.Schema([cf.Binary("smoker")])
    >>> try:
    ...     cf.CovLossSynthesizer(schema, epsilon=1, delta=0).fit(source)
    ... except cf.TableChangedError:
    ...     print("it was spent, and nothing was released")
    it was spent, and nothing was released
    """


class Query(Protocol):
    """A sum over records."""

    def of(self, part: EncodedTable, n_threads: int) -> NDArray[np.int64]:
        """The sum over some of the records."""

    def shape(self, layout: BitLayout) -> tuple[int, ...]:
        """The shape of the answer, whatever the records."""


class Records(ABC):
    """Private records that fit a schema, wherever they are.

    Attributes
    ----------
    schema : Schema
    n_records : int
        Their number.
    """

    schema: Schema
    n_records: int

    @abstractmethod
    def ask(self, query: Query, n_threads: int) -> NDArray[np.int64]:
        """The sum over all records."""


class Source(ABC):
    """A table that is not held as a whole by this process."""

    @abstractmethod
    def open(self, schema: Schema, n_threads: int) -> Records:
        """Check that every record fits a schema. Nothing is released."""


class InMemory(Records):
    """Records that are held as one encoded table."""

    def __init__(self, table: EncodedTable) -> None:
        self.schema, self.n_records, self._table = table.schema, table.n_records, table

    def ask(self, query: Query, n_threads: int) -> NDArray[np.int64]:
        """The sum over all records."""
        return query.of(self._table, n_threads)


@dataclass(frozen=True)
class ColumnCounts:
    """Records in which each bit is set, shape (n_bits,)."""

    def shape(self, layout: BitLayout) -> tuple[int, ...]:
        """The shape of the answer."""
        return (layout.n_bits,)

    def of(self, part: EncodedTable, n_threads: int) -> NDArray[np.int64]:
        """Count the records of a part."""
        return column_counts(part.bits, n_threads)


@dataclass(frozen=True)
class PairCounts:
    """Records in which both of two bits are set, shape (n_bits, n_bits)."""

    def shape(self, layout: BitLayout) -> tuple[int, ...]:
        """The shape of the answer."""
        return (layout.n_bits, layout.n_bits)

    def of(self, part: EncodedTable, n_threads: int) -> NDArray[np.int64]:
        """Count the records of a part."""
        return Moments.from_records(part.bits, part.codes, part.schema.layout, n_threads).counts


@dataclass(frozen=True)
class BlockSums:
    """Number of records, in the first column, and sums of bits of every block, (n_blocks, 1 + n_bits)."""

    partition: Partition

    def shape(self, layout: BitLayout) -> tuple[int, ...]:
        """The shape of the answer."""
        return (self.partition.n_blocks, 1 + layout.n_bits)

    def of(self, part: EncodedTable, n_threads: int) -> NDArray[np.int64]:
        """Sum over the records of a part."""
        labels = self.partition.labels(part.bits, n_threads)
        found = BlockStatistics.from_labels(part.bits, labels, self.partition.n_blocks, n_threads)
        return np.column_stack([found.counts, found.sums])


@dataclass(frozen=True)
class MarginalCounts:
    """Records in which all bits of a set are 1, for sets of several degrees, one after the other.

    Attributes
    ----------
    sets : sequence of int32 arrays, shape (n_sets, degree)
    """

    sets: Sequence[NDArray[np.int32]]

    def shape(self, layout: BitLayout) -> tuple[int, ...]:
        """The shape of the answer."""
        return (sum(len(each) for each in self.sets),)

    def of(self, part: EncodedTable, n_threads: int) -> NDArray[np.int64]:
        """Count the records of a part."""
        return np.concatenate([marginal_counts(part.bits, each, n_threads) for each in self.sets])


@dataclass(frozen=True)
class Witness:
    """What a table is told from another by, and the answer to a query after it.

    The number of records, the counts of all bits and of some hundred sets of three.
    """

    query: Query | None = None

    def shape(self, layout: BitLayout) -> tuple[int, ...]:
        """The shape of the answer."""
        n_witnesses = 1 + layout.n_bits + _WITNESSES
        return (n_witnesses + (0 if self.query is None else math.prod(self.query.shape(layout))),)

    def of(self, part: EncodedTable, n_threads: int) -> NDArray[np.int64]:
        """The sum over some of the records."""
        queries: list[Query] = [ColumnCounts(), MarginalCounts([_witness_sets(part.bits.n_columns)])]
        asked = queries if self.query is None else [*queries, self.query]
        return np.concatenate([[part.n_records], *(query.of(part, n_threads).ravel() for query in asked)])


class Witnessed(Records):
    """Records that are read anew for each question, perhaps by many hands.

    They may have changed in between, and noise for one record would not hide that: so every answer brings its
    witness, and one of other records is refused before anything that depends on it is released.
    """

    def __init__(self, schema: Schema, n_threads: int) -> None:
        self.schema = schema
        self._seen = self.total(Witness(), n_threads)
        self.n_records = int(self._seen[0])

    @abstractmethod
    def total(self, query: Query, n_threads: int) -> NDArray[np.int64]:
        """The sum over all records as they are read now."""

    def ask(self, query: Query, n_threads: int) -> NDArray[np.int64]:
        """The sum over all records.

        Raises
        ------
        TableChangedError
            If they are not those that were checked.
        """
        layout = self.schema.layout
        if isinstance(query, ColumnCounts):
            return np.array(self._seen[1 : 1 + layout.n_bits])
        try:
            found = self.total(Witness(query), n_threads)
        except EncodingError as error:
            raise TableChangedError(f"the table has changed since it was checked: {error}") from None
        seen, answer = found[: len(self._seen)], found[len(self._seen) :]
        if not np.array_equal(seen, self._seen):
            raise TableChangedError(
                f"the table has changed since it was checked: {self.n_records:,} records then, "
                f"{seen[0]:,} now; the fit is charged in the ledger, and what it had not released stays so"
            )
        shaped: NDArray[np.int64] = answer.reshape(query.shape(layout))
        return shaped


def added(answers: Iterable[NDArray[np.int64]]) -> NDArray[np.int64]:
    """The sum of one or more answers."""
    total: NDArray[np.int64] | None = None
    for answer in answers:
        total = answer.copy() if total is None else np.add(total, answer, out=total)
    if total is None:
        raise ValueError("needs at least one answer")
    return total


@lru_cache(maxsize=8)
def _witness_sets(n_bits: int) -> NDArray[np.int32]:
    drawn = np.random.Philox(n_bits).random_raw(3 * _WITNESSES) % np.uint64(max(n_bits, 1))
    return np.asarray(drawn.astype(np.int32).reshape(_WITNESSES, 3))
