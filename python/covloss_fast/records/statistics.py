"""Exact statistics of records: integers that merge by addition, in any order, with the same bits.

They are values: equal where their integers are equal, made again from their bytes. So the parts of a table
may be counted apart, on any machine, and put together. They are not private: their bytes hold exact counts,
and what leaves the curator has passed the door first.

Examples
--------
>>> import numpy as np
>>> from covloss_fast import statistics
>>> part = statistics.Moments(2, np.array([[1, 1], [1, 2]]))
>>> (part + part).n, (part + part).counts.tolist()
(4, [[2, 2], [2, 4]])
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from covloss_fast._core import bits as _bits
from covloss_fast._core import partition as _partition
from covloss_fast._core.bits import BitMatrix
from covloss_fast._files import VersionError
from covloss_fast._threads import resolve_n_threads
from covloss_fast.records.encoding import encode
from covloss_fast.records.partition import Lattice, NearestPoint, Pinning, RandomSigns
from covloss_fast.schema import BitLayout, Schema

Partition: TypeAlias = NearestPoint | Lattice | Pinning | RandomSigns

_FORMAT_VERSION = 1
#: Characters of the first line, at most.
_MOST_HEAD = 1_000

__all__ = ["BlockStatistics", "Moments", "damped_means"]

#: A record of a pair of code columns takes as long as AND and popcount of so many words of 64 records: 0.6 to
#: 0.8 ns against 0.13 with AVX2. Without it popcounts take 2.5 times as long, and the choice is still near
#: the best. The counts are the same either way.
_WORDS_PER_CODE = 5.0


def _moment_costs(layout: BitLayout) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Attributes by descending width, and the cost for each record if so many of them are histograms.

    In popcounted words. Pairs of narrow attributes cost a word for each pair of bits and 64 records, any
    other pair of attributes one histogram, and a wide attribute another one for its own levels. The widest
    attributes win most by a histogram, so the best choice is one of the prefixes of the attributes by
    descending width.
    """
    widths = np.diff(layout.offsets)
    order = np.argsort(-widths, kind="stable")
    n_wide = np.arange(len(order) + 1)
    narrow_bits = layout.n_bits - np.concatenate([[0], np.cumsum(widths[order])])
    n_histograms = n_wide * (len(order) - n_wide) + n_wide * (n_wide + 1) / 2
    return order, narrow_bits * (narrow_bits + 1) / 2 / 64 + _WORDS_PER_CODE * n_histograms


def moment_words(layout: BitLayout) -> float:
    """What counting all pairs of bits costs for each record, in popcounted words."""
    return float(_moment_costs(layout)[1].min())


def _wide_attributes(layout: BitLayout) -> list[int]:
    """Attributes to count by code histograms, at the least predicted cost for each record."""
    order, cost = _moment_costs(layout)
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
    key : str
        Hash of the schema, of which alone moments are added; empty if they were counted from packed records.

    Examples
    --------
    >>> import numpy as np
    >>> import covloss_fast as cf
    >>> schema = cf.Schema.from_domain({"smokes": 2, "retired": 2})
    >>> here = cf.statistics.Moments.of(np.array([[0, 1], [1, 1]]), schema)
    >>> there = cf.statistics.Moments.empty(schema).update(np.array([[1, 0]]), schema)
    >>> here.merge(there).counts.tolist()
    [[2, 1], [1, 2]]
    >>> cf.statistics.Moments.from_bytes(here.to_bytes()) == here
    True
    >>> from covloss_fast._core.bits import BitMatrix
    >>> packed = BitMatrix.from_array(np.array([[0, 1], [1, 1]], dtype=np.uint8), 1)
    >>> counted = cf.statistics.Moments.from_records(packed, [None, None], schema.layout)
    >>> bool((counted.counts == here.counts).all())
    True
    """

    n: int
    counts: NDArray[np.int64]
    key: str = ""

    @classmethod
    def of(cls, table: Any, schema: Schema, n_threads: int | None = None) -> Moments:
        """Count the records of any table that fits a schema.

        Raises
        ------
        EncodingError
            If it does not.
        """
        threads = resolve_n_threads(n_threads)
        records = encode(table, schema, threads)
        counted = cls.from_records(records.bits, records.codes, schema.layout, threads)
        return cls(counted.n, counted.counts, schema.hash)

    @classmethod
    def empty(cls, schema: Schema) -> Moments:
        """Moments of no records."""
        width = schema.layout.n_bits
        return cls(0, np.zeros((width, width), dtype=np.int64), schema.hash)

    def update(self, batch: Any, schema: Schema, n_threads: int | None = None) -> Moments:
        """Return the moments of these records and those of a batch."""
        return self.merge(Moments.of(batch, schema, n_threads))

    def merge(self, other: Moments) -> Moments:
        """Return the moments of both sets of records; ValueError unless they are of one schema."""
        _check_alike(self, other)
        return Moments(self.n + other.n, self.counts + other.counts, self.key)

    __add__ = merge

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Moments):
            return NotImplemented
        return (self.n, self.key) == (other.n, other.key) and np.array_equal(self.counts, other.counts)

    __hash__ = None  # type: ignore[assignment]

    def to_bytes(self) -> bytes:
        """Return exact counts as bytes, the same wherever they are made. Not private."""
        return _to_bytes(self, self.counts)

    def _sizes(self) -> dict[str, int]:
        return {"n": self.n, "n_bits": len(self.counts)}

    @classmethod
    def from_bytes(cls, data: bytes) -> Moments:
        """Read what :meth:`to_bytes` wrote.

        Raises
        ------
        VersionError
            If it is of another format.
        ValueError
            If it is damaged or is something else.
        """
        key, (n, n_bits), values = _from_bytes(cls, data, ("n", "n_bits"), lambda n, n_bits: n_bits**2)
        counts = values.reshape(n_bits, n_bits)
        diagonal = np.diagonal(counts)
        if not (np.array_equal(counts, counts.T) and (counts <= diagonal).all() and (diagonal <= n).all()):
            raise ValueError(f"these are no counts of pairs of bits among {n:,} records")
        return cls(n, counts, key)

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


@dataclass(frozen=True, eq=False)
class BlockStatistics:
    """Counts of records and sums of bits for every block of a partition, empty blocks too.

    Attributes
    ----------
    counts : int64 array, shape (n_blocks,)
        Records in each block.
    sums : int64 array, shape (n_blocks, n_bits)
        Records of each block in which each bit is set.
    key : str
        Hash of the schema and of the partition, of which alone statistics are added; empty if they were made
        from labels.

    Examples
    --------
    >>> import numpy as np
    >>> import covloss_fast as cf
    >>> schema = cf.Schema.from_domain({"smokes": 2, "retired": 2})
    >>> blocks = cf.partition.Pinning((0,))
    >>> both = cf.statistics.BlockStatistics.of(np.array([[0, 1], [1, 1]]), schema, blocks)
    >>> both.update(np.array([[1, 0]]), schema, blocks).counts.tolist()
    [1, 2]
    >>> none = cf.statistics.BlockStatistics.empty(schema, blocks)
    >>> cf.statistics.BlockStatistics.from_bytes(none.merge(both).to_bytes()) == both
    True
    >>> from covloss_fast._core.bits import BitMatrix
    >>> packed = BitMatrix.from_array(np.array([[0, 1], [1, 1]], dtype=np.uint8), 1)
    >>> cf.statistics.BlockStatistics.from_labels(packed, blocks.labels(packed), 2).counts.tolist()
    [1, 1]
    """

    counts: NDArray[np.int64]
    sums: NDArray[np.int64]
    key: str = ""

    @classmethod
    def of(
        cls, table: Any, schema: Schema, partition: Partition, n_threads: int | None = None
    ) -> BlockStatistics:
        """Count and sum the records of any table that fits a schema, by the blocks of a partition.

        Raises
        ------
        EncodingError
            If it does not.
        """
        threads = resolve_n_threads(n_threads)
        bits = encode(table, schema, threads).bits
        found = cls.from_labels(bits, partition.labels(bits, threads), partition.n_blocks, threads)
        return cls(found.counts, found.sums, _key(schema, partition))

    @classmethod
    def empty(cls, schema: Schema, partition: Partition) -> BlockStatistics:
        """Statistics of no records."""
        counts = np.zeros(partition.n_blocks, dtype=np.int64)
        sums = np.zeros((partition.n_blocks, schema.layout.n_bits), dtype=np.int64)
        return cls(counts, sums, _key(schema, partition))

    def update(
        self, batch: Any, schema: Schema, partition: Partition, n_threads: int | None = None
    ) -> BlockStatistics:
        """Return the statistics of these records and those of a batch."""
        return self.merge(BlockStatistics.of(batch, schema, partition, n_threads))

    def merge(self, other: BlockStatistics) -> BlockStatistics:
        """Return the statistics of both sets of records; ValueError unless their blocks are the same."""
        _check_alike(self, other)
        return BlockStatistics(self.counts + other.counts, self.sums + other.sums, self.key)

    __add__ = merge

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BlockStatistics):
            return NotImplemented
        return (
            self.key == other.key
            and np.array_equal(self.counts, other.counts)
            and np.array_equal(self.sums, other.sums)
        )

    __hash__ = None  # type: ignore[assignment]

    def to_bytes(self) -> bytes:
        """Return exact counts and sums as bytes, the same wherever they are made. Not private."""
        return _to_bytes(self, self.counts, self.sums)

    def _sizes(self) -> dict[str, int]:
        return dict(zip(("n_blocks", "n_bits"), self.sums.shape))

    @classmethod
    def from_bytes(cls, data: bytes) -> BlockStatistics:
        """Read what :meth:`to_bytes` wrote.

        Raises
        ------
        VersionError
            If it is of another format.
        ValueError
            If it is damaged or is something else.
        """
        key, (n_blocks, n_bits), values = _from_bytes(
            cls, data, ("n_blocks", "n_bits"), lambda n_blocks, n_bits: n_blocks * (1 + n_bits)
        )
        counts, sums = values[:n_blocks], values[n_blocks:].reshape(n_blocks, n_bits)
        if (sums > counts[:, None]).any():
            raise ValueError("a block has a sum beyond its number of records")
        return cls(counts, sums, key)

    @classmethod
    def from_labels(
        cls, bits: BitMatrix, labels: NDArray[np.int32], n_blocks: int, n_threads: int = 1
    ) -> BlockStatistics:
        """Count records and set bits by block."""
        return cls(*_partition.block_statistics(bits, labels, n_blocks, n_threads))


def _check_alike(one: Moments | BlockStatistics, other: Moments | BlockStatistics) -> None:
    sizes, others = ({**each._sizes(), "n": 0} for each in (one, other))
    if type(one) is not type(other) or one.key != other.key or sizes != others:
        raise ValueError("statistics of other attributes, levels or blocks cannot be added")


def _key(schema: Schema, partition: Partition) -> str:
    """Hash of a schema and of all that a partition is made of."""
    digest = hashlib.sha256(f"{schema.hash} {type(partition).__name__}".encode())
    for each in fields(partition):
        value = np.ascontiguousarray(getattr(partition, each.name), dtype="<i8")
        digest.update(f" {each.name} {value.shape} ".encode() + value.tobytes())
    return digest.hexdigest()


def _format_of(kind: type) -> str:
    return f"covloss_fast {kind.__name__}"


def _to_bytes(value: Moments | BlockStatistics, *arrays: NDArray[np.int64]) -> bytes:
    """One line of JSON, then the integers of 64 bits, the lowest byte first."""
    head = {"format": _format_of(type(value)), "version": _FORMAT_VERSION, "key": value.key, **value._sizes()}
    return b"".join([json.dumps(head).encode(), b"\n", *(each.astype("<i8").tobytes() for each in arrays)])


def _from_bytes(
    kind: type, data: bytes, names: tuple[str, str], length: Callable[[int, int], int]
) -> tuple[str, tuple[int, int], NDArray[np.int64]]:
    """The key, the two sizes and all integers, none of them negative."""
    line, _, rest = bytes(data).partition(b"\n")
    try:
        head = json.loads(line[:_MOST_HEAD])
        given, version = head["format"], head["version"]
        key, sizes = head["key"], (head[names[0]], head[names[1]])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ValueError(f"these are no bytes of {kind.__name__}") from None
    if given != _format_of(kind):
        raise ValueError(f"these are no bytes of {kind.__name__}")
    if version != _FORMAT_VERSION:
        raise VersionError(
            f"these bytes are of format {version!r}, and this version of the library reads {_FORMAT_VERSION}"
        )
    if (
        not isinstance(key, str)
        or any(type(size) is not int or size < 0 for size in sizes)
        or len(rest) != 8 * length(*sizes)
    ):
        raise ValueError(f"these bytes of {kind.__name__} are damaged")
    values = np.frombuffer(rest, dtype="<i8").astype(np.int64)
    if (values < 0).any():
        raise ValueError(f"these bytes of {kind.__name__} are damaged: a count is negative")
    return key, sizes, values


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
