"""Exact statistics: the same counts by either way, and sums of parts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import covloss_fast as cf
from covloss_fast._core.bits import BitMatrix
from covloss_fast.records import statistics
from covloss_fast.records.statistics import BlockStatistics, Moments, damped_means
from covloss_fast.reference import bits as slow
from covloss_fast.schema import BitLayout


@pytest.mark.parametrize("n", [0, 1, 257, 20_000])
def test_moments_choose_between_popcounts_and_histograms_without_a_difference(n: int, n_threads: int) -> None:
    sizes = (2, 90, 2, 3, 120, 2, 9)
    assert statistics._wide_attributes(BitLayout(sizes)) == [1, 4]
    generator = np.random.default_rng(n)
    columns = [generator.integers(0, size, n).astype(np.uint8) for size in sizes]
    packed = BitMatrix.from_codes(columns, list(sizes), 1)
    codes = tuple(None if size == 2 else column for size, column in zip(sizes, columns))
    moments = Moments.from_records(packed, codes, BitLayout(sizes), n_threads)
    bits = slow.one_hot(columns, sizes)
    assert moments.n == n
    np.testing.assert_array_equal(moments.counts, slow.second_moment(bits))


@pytest.mark.parametrize(
    ("sizes", "wide"),
    [
        ((2,) * 50, []),
        ((2, 40, 2, 3, 60), [4]),
        ((1_000, 2, 2, 1_000), [0, 3]),
        ((5,) * 20, []),
        ((60,) * 20, list(range(20))),
        ((25,) + (2,) * 1_000, []),  # a thousand histograms would cost more than 25,000 popcounts
        ((3,), []),
        ((200,), [0]),
    ],
)
def test_the_cheaper_way_is_chosen(sizes: tuple[int, ...], wide: list[int]) -> None:
    assert statistics._wide_attributes(BitLayout(sizes)) == wide


def test_statistics_of_parts_add_to_those_of_the_whole() -> None:
    bits = np.random.default_rng(1).integers(0, 2, (1_000, 6), dtype=np.uint8)
    labels = np.random.default_rng(0).integers(0, 4, 1_000).astype(np.int32)
    layout = BitLayout((2,) * 6)

    def moments(rows: slice) -> Moments:
        return Moments.from_records(BitMatrix.from_array(bits[rows], 1), (None,) * 6, layout)

    def blocks(rows: slice) -> BlockStatistics:
        return BlockStatistics.from_labels(BitMatrix.from_array(bits[rows], 1), labels[rows], 4)

    whole, head, tail = slice(None), slice(0, 333), slice(333, None)
    added = moments(tail) + moments(head)
    assert added.n == 1_000
    np.testing.assert_array_equal(added.counts, moments(whole).counts)
    np.testing.assert_array_equal((blocks(head) + blocks(tail)).sums, blocks(whole).sums)
    np.testing.assert_array_equal((blocks(head) + blocks(tail)).counts, blocks(whole).counts)


@pytest.mark.parametrize("n_row_blocks", [17, 19, 31, 33])
def test_no_row_block_is_lost_where_tasks_take_unequal_numbers_of_them(
    n_row_blocks: int, n_threads: int
) -> None:
    """More row blocks of 16,384 records than the 16 ranges into which they are cut, and no multiple of 16."""
    n = (n_row_blocks - 1) * 16_384 + 77
    bits = np.random.default_rng(n).integers(0, 2, (n, 2), dtype=np.uint8)
    labels = (np.arange(n) % 3).astype(np.int32)
    found = BlockStatistics.from_labels(BitMatrix.from_array(bits, n_threads), labels, 3, n_threads)
    np.testing.assert_array_equal(found.counts, np.bincount(labels))
    expected = [np.bincount(labels, weights=column) for column in bits.T]
    np.testing.assert_array_equal(found.sums, np.transpose(expected).astype(np.int64))


@pytest.mark.parametrize("scale", [1, 1_024, 2**40, 2**62])
def test_damped_means_are_exact_where_64_bits_would_wrap_around(scale: int) -> None:
    counts = np.array([0, 1, 5, 10**9, 3])
    sums = np.array([[0, 0], [1, 0], [5, 2], [10**9, 999_999_937], [0, 3]])
    got = damped_means(BlockStatistics(counts, sums), scale, 4)
    expected = [[scale * int(s) // max(int(c), 4) for s in row] for c, row in zip(counts, sums)]
    assert got.dtype == np.int64
    assert got.tolist() == expected


SCHEMA = cf.Schema.from_domain({"a": 2, "b": 3, "c": 2, "d": 7})
PARTITIONS: list[statistics.Partition] = [
    cf.partition.Pinning((0, 4)),
    cf.partition.RandomSigns.random([True, *[False] * 3, True, *[False] * 7], 3, seed=5),
    cf.partition.NearestPoint.from_real(np.eye(12)[:, :3], np.zeros(3), np.eye(3)),
    cf.partition.Lattice.from_real(np.eye(12)[:, :2], np.zeros(2), 0.5, 3),
]


def statistics_of(table: np.ndarray) -> list[Any]:
    blocks = [BlockStatistics.of(table, SCHEMA, partition) for partition in PARTITIONS]
    return [Moments.of(table, SCHEMA), *blocks]


@given(st.lists(st.integers(0, 40), min_size=2, max_size=5), st.randoms(), st.integers(0, 2**32))
def test_statistics_merge_in_any_order_to_the_same_bytes(sizes: list[int], random: Any, seed: int) -> None:
    generator = np.random.default_rng(seed)
    parts = [generator.integers(0, SCHEMA.sizes, (n, 4)) for n in sizes]
    whole = statistics_of(np.concatenate(parts))
    empty = [Moments.empty(SCHEMA), *(BlockStatistics.empty(SCHEMA, each) for each in PARTITIONS)]
    assert statistics_of(parts[0][:0]) == empty
    pieces = [statistics_of(part) for part in parts]
    while len(pieces) > 1:  # an own tree of mergers each time
        random.shuffle(pieces)
        one, other = pieces.pop(), pieces.pop()
        pieces.append([left.merge(right) for left, right in zip(one, other)])
    assert pieces[0] == whole
    assert [each.to_bytes() for each in pieces[0]] == [each.to_bytes() for each in whole]
    assert [type(each).from_bytes(each.to_bytes()) for each in whole] == whole
    updated = empty[0].update(parts[0], SCHEMA)
    assert updated == Moments.of(parts[0], SCHEMA)
    assert (updated == whole[0]) is (sum(sizes[1:]) == 0)
    by_block = empty[1].update(parts[0], SCHEMA, PARTITIONS[0]).update(parts[1], SCHEMA, PARTITIONS[0])
    assert by_block == BlockStatistics.of(np.concatenate(parts[:2]), SCHEMA, PARTITIONS[0])


def test_statistics_of_different_things_are_not_added() -> None:
    other = cf.Schema.from_domain({"a": 2, "b": 3, "c": 2, "e": 7})
    table = np.zeros((3, 4), dtype=np.int64)
    moved = cf.partition.Pinning((0, 5))
    mine = BlockStatistics.of(table, SCHEMA, PARTITIONS[0])
    for merge in (
        lambda: Moments.of(table, SCHEMA).update(table, other),
        lambda: mine.update(table, other, PARTITIONS[0]),
        lambda: mine.update(table, SCHEMA, moved),
        lambda: mine.merge(BlockStatistics.of(table, SCHEMA, PARTITIONS[1])),
        lambda: mine.merge(Moments.of(table, SCHEMA)),  # type: ignore[arg-type]
    ):
        with pytest.raises(ValueError, match="cannot be added"):
            merge()
    assert Moments.of(table, SCHEMA) != Moments.of(table, other)
    assert mine != "statistics"
    with pytest.raises(TypeError, match="unhashable"):
        hash(mine)


def test_bytes_that_are_not_those_of_statistics_are_refused() -> None:
    table = np.random.default_rng(0).integers(0, SCHEMA.sizes, (50, 4))
    for value in statistics_of(table)[:2]:
        kind, data = type(value), value.to_bytes()
        head, _, rest = data.partition(b"\n")
        wrong = [data[:-1], data + b"\0", rest, b"", b"[]\n" + rest, b"{}\n" + rest, b"\xff\n", head]
        wrong += [b"[" * 10_000, head.replace(b'"n_bits": 12', b'"n_bits": -12') + b"\n" + rest]
        wrong += [head.replace(b'"n_bits": 12', b'"n_bits": 12.0') + b"\n" + rest]
        wrong += [head + b"\n" + rest[:-8] + b"\xff" * 8, head + b"\n" + rest[:-8] + b"\x7f" * 8]
        for bad in wrong:
            with pytest.raises(ValueError, match=r"these are no|these bytes of|beyond its number"):
                kind.from_bytes(bad)
        with pytest.raises(cf.VersionError, match="format 2"):
            kind.from_bytes(data.replace(b'"version": 1', b'"version": 2'))
    with pytest.raises(ValueError, match="no bytes of Moments"):
        Moments.from_bytes(BlockStatistics.empty(SCHEMA, PARTITIONS[0]).to_bytes())
