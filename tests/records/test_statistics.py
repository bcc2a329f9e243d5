"""Exact statistics: the same counts by either way, and sums of parts."""

from __future__ import annotations

import numpy as np
import pytest

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
