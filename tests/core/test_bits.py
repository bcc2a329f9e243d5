"""Packed bits and exact counts against plain twins: awkward sizes, instruction-set levels, threads."""

from __future__ import annotations

import gc
import itertools
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from covloss_fast._core import bits as core
from covloss_fast._core import config
from covloss_fast._core.bits import BitMatrix
from covloss_fast.reference import bits as reference
from covloss_fast.schema import BitLayout

#: Around words, groups of words, lines, row blocks and tasks.
ROWS = [0, 1, 7, 63, 64, 65, 255, 256, 257, 511, 513, 2_047, 2_049, 16_383, 16_384, 16_385, 33_000]
COLUMNS = [0, 1, 7, 8, 9, 31, 32, 33, 65]


@cache
def random_bits(n: int, p: int, seed: int = 0) -> NDArray[np.uint8]:
    generator = np.random.default_rng([seed, n, p])
    table = (generator.random((n, p)) < generator.random(p)).astype(np.uint8)
    table.flags.writeable = False
    return table


@cache
def moment_of_random_bits(n: int, p: int, seed: int = 0) -> NDArray[np.int64]:
    return reference.second_moment(random_bits(n, p, seed))


def pack(table: NDArray[Any], n_threads: int = 1) -> BitMatrix:
    return BitMatrix.from_array(table, n_threads)


# ---- packing


@pytest.mark.parametrize("n", ROWS)
@pytest.mark.parametrize("order", ["C", "F"])
def test_packing_and_back(simd_level: str, n: int, order: str) -> None:
    for p in COLUMNS if n < 3_000 else [33]:
        table = random_bits(n, p)
        bits = pack(np.asarray(table, order=order), 2)
        assert (bits.n_rows, bits.n_columns) == (n, p)
        assert bits.nbytes == -(-n // 16_384) * p * 2_048
        np.testing.assert_array_equal(bits.to_array(2), table)
        for j in range(0, p, 5):
            np.testing.assert_array_equal(bits.column(j), table[:, j])


@pytest.mark.parametrize("p", [31, 32, 47, 48, 63, 64, 65])
def test_large_tables(p: int) -> None:
    """Tables that are half a huge page of memory, one and two, and a little more and less."""
    table = random_bits(8 * 16_384 * 2 - 5, p)
    bits = pack(table, 2)
    assert bits.nbytes == p * 2**15
    np.testing.assert_array_equal(bits.to_array(2), table)
    np.testing.assert_array_equal(core.column_counts(bits, 2), table.sum(axis=0))


@pytest.mark.parametrize("n", ROWS)
def test_words_and_back(n: int) -> None:
    for p in (0, 1, 33):
        bits = pack(random_bits(n, p))
        words = bits.to_words()
        assert words.nbytes == bits.nbytes == 8 * BitMatrix.n_words(n, p)
        again = BitMatrix.from_words(words, n, p)
        np.testing.assert_array_equal(again.to_array(), bits.to_array())


@pytest.mark.parametrize("sizes", [(65, 4), (65, 2), (0, 3), (16_385, 3), (-1, 3), (65, -1), (2**62, 2**62)])
def test_words_of_other_sizes_are_refused(sizes: tuple[int, int]) -> None:
    words = pack(random_bits(65, 3)).to_words()
    with pytest.raises(ValueError, match=r"words are not those|at least 0|does not fit"):
        BitMatrix.from_words(words, *sizes)


@pytest.mark.parametrize(("n", "row"), [(1, 1), (1, 16_383), (63, 63), (64, 64), (16_385, 16_385)])
def test_words_beyond_the_last_record_are_refused(n: int, row: int) -> None:
    longer = np.zeros((-(-n // 16_384) * 16_384, 3), dtype=np.uint8)
    words = pack(longer).to_words()
    BitMatrix.from_words(words, n, 3)
    longer[row, 1] = 1
    with pytest.raises(ValueError, match="column 1 has a bit beyond the last record"):
        BitMatrix.from_words(pack(longer).to_words(), n, 3)


@pytest.mark.parametrize(
    "view",
    [
        np.s_[::2],
        np.s_[::-1],
        np.s_[:, ::2],
        np.s_[:, ::-1],
        np.s_[::-3, 1::3],
        np.s_[5:, 3:],
        np.s_[:-1, :-1],
        np.s_[:, :1],
        np.s_[:, -1:],
        np.s_[:1],
        np.s_[:, 2:2],
    ],
)
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.uint8, np.bool_])
def test_any_strides_pack_like_their_copy(simd_level: str, view: Any, order: str, dtype: Any) -> None:
    table = np.asarray(random_bits(1_201, 77), order=order).astype(dtype, order="K")  # type: ignore[call-overload]
    before = table.copy()
    part = table[view]
    np.testing.assert_array_equal(pack(part).to_array(), part.copy())
    np.testing.assert_array_equal(table, before)


def test_a_row_that_is_repeated_without_being_copied_is_packed() -> None:
    row = random_bits(1, 40)
    np.testing.assert_array_equal(pack(np.broadcast_to(row, (100, 40))).to_array(), np.repeat(row, 100, 0))
    np.testing.assert_array_equal(pack(np.broadcast_to(row.T, (40, 9))).to_array(), np.repeat(row.T, 9, 1))


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("value", [2, 3, 128, 255])
@pytest.mark.parametrize(("row", "column"), [(0, 0), (16_384, 9), (16_999, 32), (40, 31)])
def test_the_first_stray_value_is_told(
    simd_level: str, n_threads: int, order: str, value: int, row: int, column: int
) -> None:
    table = random_bits(17_000, 33).copy(order)
    table[row, column] = value
    table[-1, -1] = value
    with pytest.raises(ValueError, match=rf"row {row}, column {column}: the value is neither 0 nor 1"):
        pack(table, n_threads)
    if (row, column) != (16_999, 32):
        table[-1, -1] = 0
    with pytest.raises(ValueError, match=rf"row {16_999 - row}, column {32 - column}: "):
        pack(table[::-1, ::-1], n_threads)


def test_a_stray_value_beside_a_view_does_not_matter(simd_level: str) -> None:
    table = np.full((100, 40), 255, np.uint8)
    inside = random_bits(50, 21)
    table[::2, 10:31] = inside
    np.testing.assert_array_equal(pack(table[::2, 10:31]).to_array(), inside)


@pytest.mark.parametrize("bad", [np.zeros(3, np.uint8), np.zeros((2, 2, 2), np.uint8)])
def test_only_tables_are_packed(bad: NDArray[np.uint8]) -> None:
    with pytest.raises(ValueError, match="two-dimensional"):
        pack(bad)


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.float32, np.uint16])
def test_no_other_type_is_cast_in_silence(dtype: Any) -> None:
    with pytest.raises(ValueError, match="bool or uint8"):
        pack(np.zeros((2, 2), dtype))


def test_columns_that_do_not_exist() -> None:
    bits = pack(random_bits(3, 2))
    for column in (-1, 2):
        with pytest.raises(IndexError, match="no such column"):
            bits.column(column)


# ---- codes


def random_codes(n: int, sizes: list[int], seed: int = 0) -> list[NDArray[Any]]:
    generator = np.random.default_rng([seed, n])
    dtypes = [np.uint8, np.uint16, np.uint32]
    return [
        generator.integers(0, size, n).astype(dtypes[j % 3] if size <= 256 else dtypes[1 + j % 2])
        for j, size in enumerate(sizes)
    ]


@pytest.mark.parametrize("n", ROWS)
def test_codes_become_bits(n_threads: int, n: int) -> None:
    sizes = [2, 3, 1, 2, 17, 2, 300]
    codes = random_codes(n, sizes)
    bits = BitMatrix.from_codes(codes, sizes, n_threads)
    np.testing.assert_array_equal(bits.to_array(), reference.one_hot(codes, sizes).reshape(n, 324))


@pytest.mark.parametrize("size", [1, 2, 5])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
def test_a_code_beyond_the_levels_is_told(n_threads: int, size: int, dtype: Any) -> None:
    codes = [np.zeros(20_000, np.uint8), np.zeros(20_000, dtype)]
    codes[1][[16_390, 19_000]] = size
    codes[0][17_000] = 7
    with pytest.raises(ValueError, match="row 16390, attribute 1: the code is beyond the number of levels"):
        BitMatrix.from_codes(codes, [3, size], n_threads)


def test_codes_that_are_not_columns_are_refused() -> None:
    good = np.zeros(4, np.uint8)
    for columns, sizes, message in (
        ([good], [3, 3], "as many sizes as columns"),
        ([good, np.zeros(3, np.uint8)], [3, 3], "attribute 1: expected 4 codes, got 3"),
        ([good, np.zeros(8, np.uint8)[::2]], [3, 3], "attribute 1: expected a contiguous"),
        ([np.zeros(4, np.int64)], [3], "attribute 0: expected a contiguous"),
        ([good.reshape(2, 2)], [3], "attribute 0: expected a contiguous"),
        ([good], [0], "at least one level"),
    ):
        with pytest.raises(ValueError, match=message):
            BitMatrix.from_codes(columns, sizes, 1)


def test_a_table_beyond_the_address_space_is_refused() -> None:
    with pytest.raises((ValueError, MemoryError)):
        BitMatrix.from_codes([np.zeros(1, np.uint32)], [2**62], 1)


# ---- rows of several tables


@pytest.mark.parametrize("lengths", [[0], [64, 64], [1, 63, 65], [16_384, 5, 0, 16_390], [100, 16_300, 300]])
def test_concatenation(n_threads: int, lengths: list[int]) -> None:
    parts = [random_bits(n, 13, seed) for seed, n in enumerate(lengths)]
    joined = BitMatrix.concatenate([pack(part) for part in parts], n_threads)
    np.testing.assert_array_equal(joined.to_array(), np.concatenate(parts))
    np.testing.assert_array_equal(  # no bit beyond the last record
        core.column_counts(joined, 1), np.concatenate(parts).sum(axis=0, dtype=np.int64)
    )


def test_concatenation_needs_parts_of_the_same_width() -> None:
    with pytest.raises(ValueError, match="nothing to concatenate"):
        BitMatrix.concatenate([])
    with pytest.raises(ValueError, match="different numbers of columns"):
        BitMatrix.concatenate([pack(random_bits(3, 2)), pack(random_bits(3, 3))])


# ---- counts


@pytest.mark.parametrize("n", [0, 1, 63, 64, 65, 16_383, 16_384, 16_385, 40_000])
def test_head(n: int) -> None:
    array = random_bits(40_000, 3)
    head = pack(array).head(n)
    np.testing.assert_array_equal(head.to_array(), array[:n])
    np.testing.assert_array_equal(
        core.column_counts(head, 1), array[:n].sum(axis=0)
    )  # nothing is left behind it
    with pytest.raises(IndexError):
        pack(array).head(40_001)


@pytest.mark.parametrize("n", [0, 1, 16_384, 16_385, 40_000])
def test_from_parts(n: int, n_threads: int) -> None:
    codes = [np.random.default_rng(a).integers(0, size, n, dtype=np.uint8) for a, size in enumerate((2, 3))]
    parts = ([column[first : first + 16_384] for column in codes] for first in range(0, n, 16_384))
    packed = BitMatrix.from_parts(parts, n, [2, 3], n_threads)
    np.testing.assert_array_equal(packed.to_array(), BitMatrix.from_codes(codes, [2, 3], 1).to_array())


@pytest.mark.parametrize(
    ("lengths", "message"),
    [([5, 5], "do not fit"), ([16_384], "16384 rows, not 16390"), ([16_384, 7], "do not fit")],
)
def test_bad_parts_are_refused(lengths: list[int], message: str) -> None:
    parts = [[np.zeros(n, dtype=np.uint8)] for n in lengths]
    with pytest.raises(ValueError, match=message):
        BitMatrix.from_parts(parts, 16_390, [2], 1)
    parts = [[np.zeros(16_384, dtype=np.uint8)], [np.full(6, 2, dtype=np.uint8)]]
    with pytest.raises(ValueError, match="row 16384, attribute 0"):
        BitMatrix.from_parts(parts, 16_390, [2], 1)


@pytest.mark.parametrize("n", ROWS)
def test_second_moment_is_exact(simd_level: str, n_threads: int, n: int) -> None:
    for p in COLUMNS if n < 300 else [33]:
        table = random_bits(n, p)
        expected = moment_of_random_bits(n, p)
        bits = pack(table)
        np.testing.assert_array_equal(core.second_moment(bits, n_threads), expected)
        np.testing.assert_array_equal(core.column_counts(bits, n_threads), np.diagonal(expected))


def test_second_moment_over_many_tiles_and_tasks(simd_level: str, n_threads: int) -> None:
    some, rest = random_bits(1_001, 70), random_bits(77, 70, seed=1)
    table = np.concatenate([np.tile(some, (16 * 17, 1)), rest])
    expected = 16 * 17 * moment_of_random_bits(1_001, 70) + moment_of_random_bits(77, 70, seed=1)
    np.testing.assert_array_equal(core.second_moment(pack(table), n_threads), expected)


def test_second_moment_of_chosen_columns() -> None:
    table = random_bits(500, 50)
    whole = reference.second_moment(table)
    for columns in ([], [7], [49, 0, 3], list(range(50)), list(range(0, 50, 2)) * 2):
        got = core.second_moment(pack(table), 2, columns)
        np.testing.assert_array_equal(got, whole[np.ix_(columns, columns)])
    with pytest.raises(IndexError, match="no column 50"):
        core.second_moment(pack(table), 1, [50])


@pytest.mark.parametrize("n", [65_535, 65_536, 16_777_216 + 1])
def test_many_equal_rows_are_counted_exactly(simd_level: str, n: int) -> None:
    """Beyond 16-bit counters, and beyond the integers that a float32 holds."""
    row = np.array([[1, 0, 1, 1]], np.uint8)
    bits = pack(np.broadcast_to(row, (n, 4)), 2)
    np.testing.assert_array_equal(core.second_moment(bits, 2), n * row.T.astype(np.int64) * row)
    sets = np.array([[0, 2, 3], [0, 1, 2]], np.int32)
    np.testing.assert_array_equal(core.marginal_counts(bits, sets, 2), [n, 0])
    ones = bits.column(0)
    np.testing.assert_array_equal(core.pair_histogram(ones, ones, 2, 2, 2), [[0, 0], [0, n]])
    del bits, ones
    gc.collect()


@pytest.mark.parametrize("n", [0, 1, 4_095, 4_096, 4_097, 300_000])
@pytest.mark.parametrize("sizes", [(1, 1), (2, 3), (64, 64), (65, 64), (300, 700)])
def test_pair_histogram(n_threads: int, n: int, sizes: tuple[int, int]) -> None:
    for seed in range(3 if n < 5_000 else 1):
        first, second = random_codes(n, [*sizes, *sizes], seed)[seed % 2 : seed % 2 + 2]
        a, b = sizes if seed % 2 == 0 else sizes[::-1]
        got = core.pair_histogram(first, second, a, b, n_threads)
        np.testing.assert_array_equal(got, reference.pair_histogram(first, second, a, b))


def test_pair_histogram_refuses_what_does_not_fit(n_threads: int) -> None:
    codes = np.zeros(300_000, np.uint16)
    wrong = codes.copy()
    wrong[[270_000, 290_000]] = 3
    for first, second, message in (
        (wrong, codes, "row 270000: a code is beyond"),
        (codes, wrong, "row 270000: a code is beyond"),
        (codes, codes[1:], "300000 and 299999 codes"),
        (codes, codes[::2], "codes_b: expected a contiguous"),
    ):
        with pytest.raises(ValueError, match=message):
            core.pair_histogram(first, second, 3, 3, n_threads)
    for size in (0, 2**20):
        with pytest.raises(ValueError, match=r"at least one level|too large"):
            core.pair_histogram(codes, codes, size, 2**20, n_threads)


# ---- marginals


@pytest.mark.parametrize("degree", [1, 2, 3, 5])
@pytest.mark.parametrize("n", [0, 1, 65, 2_049, 16_385])
def test_marginal_counts_of_listed_sets(simd_level: str, n_threads: int, degree: int, n: int) -> None:
    table = random_bits(n, 20)
    sets = np.random.default_rng(degree).integers(0, 20, (60, degree)).astype(np.int32)  # repeats, no order
    sets = np.concatenate([sets, sets[:5], np.sort(sets, axis=0)])
    np.testing.assert_array_equal(
        core.marginal_counts(pack(table), sets, n_threads), reference.marginal_counts(table, sets)
    )


def test_marginal_counts_of_more_sets_than_a_batch() -> None:
    table = random_bits(300, 64)
    sets = np.array(list(itertools.combinations(range(64), 2)), np.int32)
    expected = reference.second_moment(table)[sets[:, 0], sets[:, 1]]
    often = np.tile(sets, (140, 1))
    np.testing.assert_array_equal(core.marginal_counts(pack(table), often, 2), np.tile(expected, 140))


def test_sets_that_do_not_fit_are_refused() -> None:
    bits = pack(random_bits(10, 4))
    for sets, message in (
        (np.array([[0, 1], [3, 4]]), "set 1: there is no column 4"),
        (np.array([[0, -1]]), "set 0: there is no column -1"),
        (np.zeros((2, 0)), "at least one bit"),
        (np.zeros(3), "two-dimensional"),
    ):
        with pytest.raises(ValueError, match=message):
            core.marginal_counts(bits, sets.astype(np.int32), 1)
    with pytest.raises(TypeError):
        core.marginal_counts(bits, np.zeros((1, 2), np.int64), 1)  # type: ignore[arg-type]
    assert len(core.marginal_counts(bits, np.zeros((0, 3), np.int32), 1)) == 0


@pytest.mark.parametrize("sizes", [[2] * 9, [3, 2, 4, 2, 1], [2, 5, 2], [7], [1, 1, 1]])
def test_error_over_all_sets(simd_level: str, n_threads: int, sizes: list[int]) -> None:
    groups = BitLayout(tuple(sizes)).attribute_of_bit
    first, second = (
        reference.one_hot(random_codes(n, sizes, seed), sizes) for seed, n in ((0, 700), (1, 130))
    )
    for degree in range(1, len(sizes) + 1):
        squares, largest, n_sets = core.marginal_error(pack(first), pack(second), groups, degree, n_threads)
        expected, highest, count = reference.marginal_error(first, second, groups, degree)
        assert n_sets == count
        assert largest == highest
        assert squares == pytest.approx(expected, rel=1e-12, abs=0)


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_error_has_the_same_bits_for_any_threads_and_level(degree: int) -> None:
    before = config.simd_level()
    first, second = pack(random_bits(40_000, 90)), pack(random_bits(17_000, 90, seed=1))
    groups = np.arange(90, dtype=np.int32) // 2
    results = set()
    for level in config.available_simd_levels():
        config.force_simd_level(level)
        results |= {core.marginal_error(first, second, groups, degree, threads) for threads in (1, 2, 7)}
    config.force_simd_level(before)
    assert len(results) == 1


def test_error_over_more_sets_than_a_batch() -> None:
    first, second = random_bits(70, 120), random_bits(50, 120, seed=1)
    groups = np.arange(120, dtype=np.int32)
    squares, largest, n_sets = core.marginal_error(pack(first), pack(second), groups, 3, 2)
    assert n_sets == 120 * 119 * 118 // 6 > 262_144
    tensors = [
        np.einsum("ni,nj,nk->ijk", *[table.astype(np.float32)] * 3, optimize=True).astype(float) / len(table)
        for table in (first, second)
    ]
    i, j, k = np.array(list(itertools.combinations(range(120), 3))).T
    difference = (tensors[0] - tensors[1])[i, j, k]
    assert squares == pytest.approx((difference**2).sum(), rel=1e-10)
    assert largest == np.abs(difference).max()


def test_tables_that_cannot_be_compared_are_refused() -> None:
    bits, groups = pack(random_bits(10, 4)), np.array([0, 0, 1, 2], np.int32)
    for first, second, attributes, degree, message in (
        (bits, pack(random_bits(10, 3)), groups, 1, "4 and 3 columns, the groups 4"),
        (bits, pack(random_bits(0, 4)), groups, 1, "without records"),
        (bits, bits, groups[::-1].copy(), 1, "one after the other"),
        (bits, bits, groups, 0, "from 1 to 3, got 0"),
        (bits, bits, groups, 4, "from 1 to 3, got 4"),
    ):
        with pytest.raises(ValueError, match=message):
            core.marginal_error(first, second, attributes, degree, 1)


# ---- rows of columns


@pytest.mark.parametrize("n", [1, 7, 8, 63, 65, 16_384, 16_385, 33_000])
def test_rows_of_columns(n: int, n_threads: int) -> None:
    table = random_bits(n, 5)
    bits = pack(table)
    borders = sorted({0, 1, n // 3, n // 2 + 3, n - 1, n, 16_383, 16_384, 16_391})
    for first, stop in itertools.combinations_with_replacement([b for b in borders if b <= n], 2):
        np.testing.assert_array_equal(bits.columns(first, stop, n_threads), table[first:stop].T)


def test_rows_that_do_not_exist() -> None:
    bits = pack(random_bits(7, 8))
    for first, stop in ((-1, 3), (4, 3), (0, 8)):
        with pytest.raises(IndexError, match=f"no rows {first} to {stop}"):
            bits.columns(first, stop)
