"""Packed bits and counts over them: fast against slow over awkward sizes, levels and threads."""

from __future__ import annotations

import numpy as np
import pytest

from covloss_fast._core import bits as core
from covloss_fast._core.bits import BitMatrix
from covloss_fast.records.statistics import BlockStatistics, Moments
from covloss_fast.reference import bits as slow
from covloss_fast.schema import BitLayout

SIZES = [0, 1, 63, 64, 65, 255, 256, 257, 16_383, 16_384, 16_385, 33_000]


def table(n: int, p: int, seed: int = 0) -> np.ndarray:
    return (np.random.default_rng([seed, n, p]).random((n, p)) < 0.4).astype(np.uint8)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("p", [1, 7, 8, 9, 33])
def test_any_layout_packs_to_the_same_bits(n: int, p: int, simd_level: str, n_threads: int) -> None:
    bits = table(n, p)
    for given in (
        bits,
        np.asfortranarray(bits),
        bits.astype(bool),
        np.repeat(bits, 2, axis=0)[::2],
        np.repeat(bits, 3, axis=1)[:, ::3],
        np.ascontiguousarray(bits[::-1, ::-1])[::-1, ::-1],
    ):
        packed = BitMatrix.from_array(given, n_threads)
        assert (packed.n_rows, packed.n_columns) == (n, p)
        np.testing.assert_array_equal(packed.to_array(n_threads), bits)
    np.testing.assert_array_equal(packed.column(p - 1), bits[:, p - 1])


@pytest.mark.parametrize("n", SIZES)
def test_codes_pack_to_one_hot_bits(n: int, simd_level: str, n_threads: int) -> None:
    sizes = [2, 3, 1, 300, 70_000 if n == 64 else 2]
    generator = np.random.default_rng(n)
    columns = [
        generator.integers(0, size, n).astype(
            np.uint8 if size <= 256 else np.uint16 if size < 65_536 else np.uint32
        )
        for size in sizes
    ]
    packed = BitMatrix.from_codes(columns, sizes, n_threads)
    if packed.n_columns < 1_000:
        np.testing.assert_array_equal(packed.to_array(), slow.one_hot(columns, sizes))
    elif n:
        first = 1 + 3 + 1 + 300
        assert packed.column(first + int(columns[4][n // 2]))[n // 2] == 1
        assert core.column_counts(packed, n_threads)[first:].sum() == n


@pytest.mark.parametrize("cuts", [[0], [1, 2], [64, 128], [63, 200], [16_384, 16_390]])
def test_concatenation_is_that_of_the_rows(cuts: list[int]) -> None:
    bits = table(20_000, 5)
    parts = [BitMatrix.from_array(part, 1) for part in np.split(bits, cuts)]
    np.testing.assert_array_equal(BitMatrix.concatenate(parts).to_array(), bits)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("p", [1, 5, 17, 70])
def test_second_moment_is_the_product(n: int, p: int, simd_level: str, n_threads: int) -> None:
    bits = table(n, p)
    packed = BitMatrix.from_array(bits, 1)
    expected = bits.astype(np.int64).T @ bits.astype(np.int64)
    np.testing.assert_array_equal(core.second_moment(packed, n_threads), expected)
    np.testing.assert_array_equal(slow.second_moment(bits), expected)
    np.testing.assert_array_equal(core.column_counts(packed, n_threads), np.diagonal(expected))


@pytest.mark.parametrize("n", [65_537, 16_777_217])
def test_counts_of_many_equal_rows_are_exact(n: int) -> None:
    packed = BitMatrix.from_array(np.ones((n, 2), dtype=np.uint8), 2)
    assert core.second_moment(packed, 2).tolist() == [[n, n], [n, n]]
    codes = np.zeros(n, dtype=np.uint8)
    assert core.pair_histogram(codes, codes, 1, 2, 2).tolist() == [[n, 0]]


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("degree", [1, 2, 3, 4])
def test_marginal_counts_and_errors(n: int, degree: int, simd_level: str, n_threads: int) -> None:
    first, second = table(n, 9), table(n + 100, 9, seed=1)
    groups = np.array([0, 1, 1, 1, 2, 3, 4, 4, 5], dtype=np.int32)
    packed = [BitMatrix.from_array(each, 1) for each in (first, second)]
    sets = np.array([[8, 0, 3, 5][:degree], [1, 2, 4, 6][:degree]], dtype=np.int32)
    np.testing.assert_array_equal(
        core.marginal_counts(packed[0], sets, n_threads), slow.marginal_counts(first, sets)
    )
    if n == 0:
        return
    got = core.marginal_error(*packed, groups, degree, n_threads)
    expected = slow.marginal_error(first, second, groups, degree)
    assert got[2] == expected[2]
    np.testing.assert_allclose(got[:2], expected[:2], rtol=1e-12)
    assert got == core.marginal_error(*packed, groups, degree, 1)


@pytest.mark.parametrize("n", [0, 1, 257, 20_000])
def test_moments_choose_between_popcounts_and_histograms_without_a_difference(n: int, n_threads: int) -> None:
    sizes = (2, 40, 2, 3, 60)
    generator = np.random.default_rng(n)
    columns = [generator.integers(0, size, n).astype(np.uint8) for size in sizes]
    packed = BitMatrix.from_codes(columns, list(sizes), 1)
    codes = tuple(None if size == 2 else column for size, column in zip(sizes, columns))
    moments = Moments.from_records(packed, codes, BitLayout(sizes), n_threads)
    bits = slow.one_hot(columns, sizes).astype(np.int64)
    assert moments.n == n
    np.testing.assert_array_equal(moments.counts, bits.T @ bits)


def test_statistics_of_parts_add_to_those_of_the_whole() -> None:
    bits = table(1_000, 6)
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


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (np.array([[0, 1], [0, 2]], dtype=np.uint8), "row 1, column 1"),
        (np.zeros((2, 2), dtype=np.int64), "bool or uint8"),
        (np.zeros(3, dtype=np.uint8), "two-dimensional"),
    ],
)
def test_what_is_not_a_table_of_bits_is_refused(given: np.ndarray, message: str, n_threads: int) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        BitMatrix.from_array(given, n_threads)


def test_codes_beyond_their_size_are_refused_with_their_place() -> None:
    codes = np.zeros(40_000, dtype=np.uint8)
    codes[[17_000, 39_000]] = 3
    with pytest.raises(ValueError, match="17000"):
        BitMatrix.from_codes([np.zeros_like(codes), codes], [2, 3], 2)
    with pytest.raises(ValueError, match="17000"):
        core.pair_histogram(codes, codes, 3, 4, 2)


def test_sets_outside_the_columns_are_refused() -> None:
    packed = BitMatrix.from_array(table(10, 3), 1)
    with pytest.raises((ValueError, IndexError)):
        core.marginal_counts(packed, np.array([[0, 3]], dtype=np.int32), 1)
