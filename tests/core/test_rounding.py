"""Bootstrapping and randomized rounding: the compiled function against its twin; the paper's Section 4."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from covloss_fast._core import rounding as core
from covloss_fast.reference import rounding as reference
from covloss_fast.released.rounding import sample_codes
from covloss_fast.storage import code_dtype

KEY = bytes(range(32))
ROWS = [0, 1, 63, 64, 65, 255, 256, 257, 4095, 4096, 4097]
SIZES = {
    "one bit": (2,),
    "bits": (2,) * 9,
    "wide": (2,) * 131,
    "mixed": (2, 3, 1, 2, 5, 17, 18, 40, 2),
    "256 levels": (2, 256),
    "257 levels": (2, 257, 3),
}


def random_blocks(
    sizes: tuple[int, ...], n_blocks: int, seed: int = 0
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Weights and means with zeros and ones among them."""
    generator = np.random.default_rng(seed)
    weights = generator.dirichlet(np.full(n_blocks, 0.5))
    weights[generator.random(n_blocks) < 0.2] = 0
    weights[0] += 0.1
    groups = []
    for size in sizes:
        if size == 2:
            means = generator.beta(0.5, 0.5, (n_blocks, 1))
            means[generator.random((n_blocks, 1)) < 0.2] = 0
            means[generator.random((n_blocks, 1)) < 0.2] = 1
        else:
            means = generator.dirichlet(np.full(size, 0.3), n_blocks)
            means[:, : size - 1][generator.random((n_blocks, size - 1)) < 0.3] = 0
            means[:, -1] += means.sum(axis=1) == 0
            means /= means.sum(axis=1, keepdims=True)
        groups.append(means)
    return weights, np.hstack(groups)


# ChaCha8 and ChaCha20 for a key, a counter and a nonce of zeros: draft-strombergson-chacha-test-vectors, TC1;
# then RFC 8439, A.1, test vector 2 (counter 1).
@pytest.mark.parametrize(
    ("rounds", "block", "expected"),
    [
        (
            8,
            0,
            "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e"
            "984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42",
        ),
        (
            20,
            0,
            "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
            "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586",
        ),
        (
            20,
            1,
            "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
            "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f",
        ),
    ],
)
def test_stream_gives_published_words(simd_level: str, rounds: int, block: int, expected: str) -> None:
    for words in (
        core.stream_words(bytes(32), rounds, 0, 0, 1),
        reference.stream_words(bytes(32), rounds, 0, np.array([0], dtype=np.uint64), 1)[0],
    ):
        assert words[block::8].astype("<u4").tobytes().hex() == expected


def test_stream_reads_every_part_of_its_address(simd_level: str) -> None:
    for domain, index, n_groups in [(0, 1, 1), (7, 2**32 + 5, 3), (2**32 - 1, 2**64 - 1, 2)]:
        expected = reference.stream_words(KEY, 8, domain, np.array([index], dtype=np.uint64), n_groups)[0]
        assert np.array_equal(core.stream_words(KEY, 8, domain, index, n_groups), expected)


@pytest.mark.parametrize("sizes", SIZES.values(), ids=SIZES.keys())
def test_rounding_equals_reference(sizes: tuple[int, ...], simd_level: str, n_threads: int) -> None:
    for n_rows, n_blocks in zip(ROWS, itertools.cycle([1, 2, 65])):
        weights, means = random_blocks(sizes, n_blocks, n_rows)
        codes = sample_codes(weights, means, sizes, n_rows, KEY, 5, n_threads)
        assert codes.dtype == code_dtype(sizes)
        assert codes.flags.c_contiguous
        assert np.array_equal(codes, reference.round_rows(weights, means, sizes, n_rows, KEY, 5))


def test_batches_put_together_equal_one_call() -> None:
    sizes = SIZES["mixed"]
    weights, means = random_blocks(sizes, 7)
    whole = sample_codes(weights, means, sizes, 1000, KEY)
    borders = [0, 1, 64, 65, 700, 1000]
    parts = [
        sample_codes(weights, means, sizes, end - begin, KEY, begin)
        for begin, end in itertools.pairwise(borders)
    ]
    assert np.array_equal(np.hstack(parts), whole)
    assert not np.array_equal(sample_codes(weights, means, sizes, 1000, bytes(32)), whole)


def test_labels_choose_the_blocks() -> None:
    sizes = SIZES["mixed"]
    weights, means = random_blocks(sizes, 7)
    labels = np.random.default_rng(0).integers(0, 7, 300).astype(np.int32)
    codes = sample_codes(weights, means, sizes, 300, KEY, labels=labels)
    assert np.array_equal(codes, reference.round_rows(weights, means, sizes, 300, KEY, labels=labels))
    only = np.zeros((3, 2))
    only[1] = 1
    assert sample_codes(
        np.ones(3), only, (2, 2), 3, KEY, labels=np.array([1, 0, 1], dtype=np.int32)
    ).tolist() == [
        [1, 0, 1],
        [1, 0, 1],
    ]
    with pytest.raises(ValueError, match="label of row 2 is 7; there are 7 blocks"):
        sample_codes(weights, means, sizes, 3, KEY, labels=np.array([0, 6, 7], dtype=np.int32))
    with pytest.raises(ValueError, match="labels must have 3 entries"):
        sample_codes(weights, means, sizes, 3, KEY, labels=labels)


def test_rows_beyond_32_bits_have_numbers_of_their_own() -> None:
    sizes = (2,) * 40
    weights, means = np.ones(1), np.full((1, 40), 0.5)
    far = sample_codes(weights, means, sizes, 4, KEY, first_row=2**32 + 1)
    assert not np.array_equal(far, sample_codes(weights, means, sizes, 4, KEY, first_row=1))
    assert np.array_equal(far, reference.round_rows(weights, means, sizes, 4, KEY, 2**32 + 1))


def test_impossible_blocks_and_levels_are_never_drawn_and_certain_ones_always() -> None:
    sizes = (2, 2, 5, 1, 20)
    weights = np.array([0.0, 0.5, 0.0, 0.5, 0.0])
    allowed = np.zeros((1, 28))
    allowed[0, [1, 3, 5, 7, 12, 27]] = [1, 0.5, 0.5, 1, 0.25, 0.75]
    means = np.repeat(allowed, 5, axis=0)
    means[[0, 2, 4]] = 0  # would give bit 1 the value 0
    means[[0, 2, 4], 2] = means[[0, 2, 4], 7] = means[[0, 2, 4], 8] = 1
    codes = sample_codes(weights, means, sizes, 50_000, KEY)
    assert set(codes[0]) == {0}
    assert set(codes[1]) == {1}
    assert set(codes[2]) == {1, 3}
    assert set(codes[3]) == {0}
    assert set(codes[4]) == {4, 19}


def test_extreme_probabilities() -> None:
    tiny = np.array([[5e-324, np.nextafter(1, 0), 1.0, 0.0]])
    codes = sample_codes(np.array([5e-324]), tiny, (2,) * 4, 10_000, KEY)
    assert codes.sum(axis=1).tolist() == [0, 10_000, 10_000, 0]


def test_frequencies_are_those_of_the_model() -> None:
    sizes = (2, 4, 2)
    weights, means = random_blocks(sizes, 5, seed=3)
    n = 200_000
    codes = sample_codes(weights, means, sizes, n, KEY)
    for pattern in itertools.product(range(2), range(4), range(2)):
        a, b, c = pattern
        p = np.where([a, c], means[:, [0, 5]], 1 - means[:, [0, 5]]).prod(axis=1) * means[:, 1 + b]
        expected = float(weights @ p / weights.sum())
        observed = np.mean((codes == np.array(pattern)[:, None]).all(axis=0))
        assert abs(observed - expected) <= 5 * math.sqrt(max(expected * (1 - expected), 0) / n) + 1e-12


def test_bits_of_a_row_and_rows_are_uncorrelated() -> None:
    p, n = 16, 100_000
    codes = sample_codes(np.ones(1), np.full((1, p), 0.5), (2,) * p, n, KEY)
    z = 2.0 * codes - 1
    within = z @ z.T / n - np.eye(p)
    between = z[:, :-1] @ z[:, 1:].T / (n - 1)
    assert max(np.abs(within).max(), np.abs(between).max()) < 5 / math.sqrt(n)


def test_bias_of_a_quantised_bit_is_at_most_2_to_the_minus_32() -> None:
    for mean in np.random.default_rng(0).random(1000):
        units = math.floor(mean * 2.0**31 + 0.5)
        assert abs(Fraction(units, 2**31) - Fraction(float(mean))) <= Fraction(1, 2**32)


def test_randomized_rounding_is_unbiased_off_the_diagonal() -> None:
    """Exactly, over all of {0,1}^p: E prod w = prod u for distinct bits, and not on the diagonal."""
    u = [Fraction(1, 3), Fraction(2, 5), Fraction(0), Fraction(7, 9)]
    points = list(itertools.product((0, 1), repeat=len(u)))
    probability = [math.prod(m if bit else 1 - m for m, bit in zip(u, point)) for point in points]
    for d in (1, 2, 3):
        for index in itertools.product(range(len(u)), repeat=d):
            mean = sum(pr * math.prod(point[i] for i in index) for pr, point in zip(probability, points))
            product = math.prod(u[i] for i in index)
            if len(set(index)) == d:
                assert mean == product
            elif 0 < product < 1:
                assert mean > product


def test_variance_of_a_marginal_is_at_most_a_quarter_of_one_over_m() -> None:
    """Exactly, by enumeration of m rows: bootstrapping and rounding together."""
    weights = [Fraction(1, 4), Fraction(3, 4)]
    means = [[Fraction(1, 2), Fraction(1, 3)], [Fraction(1), Fraction(3, 5)]]
    p_both = sum(w * y[0] * y[1] for w, y in zip(weights, means))
    for m in (1, 2, 3):
        law = {0: Fraction(1)}
        for _ in range(m):
            law = {
                total: law.get(total, 0) * (1 - p_both) + law.get(total - 1, 0) * p_both
                for total in range(len(law) + 1)
            }
        mean = sum(pr * Fraction(total, m) for total, pr in law.items())
        variance = sum(pr * (Fraction(total, m) - mean) ** 2 for total, pr in law.items())
        assert mean == p_both
        assert variance <= Fraction(1, 4 * m)
    # and the compiled function keeps to it
    m, n_tables = 50, 4000
    codes = sample_codes(
        np.array(weights, dtype=float), np.array(means, dtype=float), (2, 2), m * n_tables, KEY
    )
    both = (codes[0] & codes[1]).reshape(n_tables, m).mean(axis=1)
    assert np.mean((both - float(p_both)) ** 2) <= 1.1 / (4 * m)


def test_off_diagonal_norm_is_d_factorial_times_the_symmetric_one() -> None:
    """||P_off E||^2 = d! ||P_sym E||^2 for the error tensor of any two tables, in exact integers."""
    generator = np.random.default_rng(1)
    x, y = generator.integers(0, 2, (30, 5)), generator.integers(0, 2, (30, 5))
    for d, letters in ((2, "ij"), (3, "ijk")):
        spec = ",".join(f"n{letter}" for letter in letters) + "->" + letters
        error = np.einsum(spec, *[x] * d) - np.einsum(spec, *[y] * d)
        off = sum(error[i] ** 2 for i in itertools.permutations(range(5), d))
        sym = sum(error[i] ** 2 for i in itertools.combinations(range(5), d))
        assert off == math.factorial(d) * sym > 0


@pytest.mark.parametrize(
    ("weights", "means", "sizes", "message"),
    [
        ([], np.zeros((0, 1)), (2,), "at least one block"),
        ([1.0], [[0.5]], (), "at least one attribute"),
        ([1.0], [[0.5]], (2, 2), "2 bits"),
        ([1.0], [[0.5]], (0,), "attribute 0 has size 0"),
        ([1.0, 1.0], [[0.5]], (2,), "2 weights and means of 1 blocks"),
        ([0.0], [[0.5]], (2,), "weights add to zero"),
        ([1.0, -1e-9], [[0.5], [0.5]], (2,), "weight of block 1"),
        ([np.nan], [[0.5]], (2,), "weight of block 0"),
        ([np.inf], [[0.5]], (2,), "weight of block 0"),
        ([1.0], [[0.5, np.nan]], (2, 2), "block 0, bit 1 is negative or not finite"),
        ([1.0], [[0.5, 1.0000001]], (2, 2), "block 0, bit 1 is above 1"),
        ([1.0], [[0.5, -0.1]], (2, 2), "block 0, bit 1 is negative"),
        ([0.5, 0.5], [[0.5, 0, 0, 1], [0.5, 0, 0, 0]], (2, 3), "block 1, bit 1 add to zero"),
    ],
)
def test_bad_models_are_refused(
    weights: list[float], means: object, sizes: tuple[int, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        sample_codes(np.array(weights), np.array(means, dtype=float), sizes, 3, KEY)


def test_bad_requests_are_refused() -> None:
    weights, means = np.ones(1), np.full((1, 1), 0.5)
    with pytest.raises(ValueError, match="32 bytes, got 31"):
        sample_codes(weights, means, (2,), 1, bytes(31))
    with pytest.raises(ValueError, match="must not be negative"):
        sample_codes(weights, means, (2,), -1, KEY)
    with pytest.raises(ValueError, match="must not be negative"):
        sample_codes(weights, means, (2,), 1, KEY, first_row=-1)
    with pytest.raises(ValueError, match=r"below 2\^64"):
        sample_codes(weights, means, (2,), 10, KEY, first_row=2**64 - 9)
    with pytest.raises(TypeError):
        core.round_rows(weights.astype(np.float32), means, np.array([2], dtype=np.int32), 1, KEY, 0, None, 1)
