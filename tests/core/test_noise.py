"""The generator against the RFC's vectors; the samplers against their twins and their distributions."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from covloss_fast._core import noise
from covloss_fast.reference import noise as reference

KEY = bytes(range(32))
LARGEST = 2**62

Draw = Callable[..., NDArray[np.int64]]
Pmf = Callable[[NDArray[np.int64], Fraction], NDArray[np.float64]]

LAPLACE_SCALES = [(1, 100), (1, 3), (1, 1), (7, 3), (100, 1), (10**9, 1), (10**9 * 4 + 1, 4)]
GAUSSIAN_VARIANCES = [(1, 10**4), (1, 4), (1, 1), (2, 1), (15, 4), (4, 1), (7, 3), (10**4, 1), (10**18, 1)]
CASES = [("laplace", *ratio) for ratio in LAPLACE_SCALES]
CASES += [("gaussian", *ratio) for ratio in GAUSSIAN_VARIANCES]

# The third makes the uniform draw reject often: 2^64 is far from a multiple of it.
EXTREME = [
    (1, LARGEST),
    (LARGEST, LARGEST),
    (3 * 2**60 + 1, 2**58),
    (LARGEST - 1, 2**61 + 3),
    (12345678901234567, 10**12),
]


def draw_of(kind: str) -> Draw:
    return noise.discrete_laplace if kind == "laplace" else noise.discrete_gaussian


def twin_of(kind: str) -> Draw:
    return reference.discrete_laplace if kind == "laplace" else reference.discrete_gaussian


def pmf_of(kind: str) -> Pmf:
    return reference.discrete_laplace_pmf if kind == "laplace" else reference.discrete_gaussian_pmf


# ---------------------------------------------------------------------------------------------- generator

RFC_NONCE = bytes.fromhex("000000090000004a00000000")

# RFC 8439: section 2.3.2, and appendix A.1, test vectors 1 to 5.
RFC_BLOCKS = [
    (
        KEY,
        1,
        RFC_NONCE,
        "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
        "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e",
    ),
    (
        bytes(32),
        0,
        bytes(12),
        "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
        "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586",
    ),
    (
        bytes(32),
        1,
        bytes(12),
        "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
        "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f",
    ),
    (
        bytes(31) + b"\x01",
        1,
        bytes(12),
        "3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a"
        "8eca00bbb4a73bdad192b5c42f73f2fd4e273644c8b36125a64addeb006c13a0",
    ),
    (
        b"\x00\xff" + bytes(30),
        2,
        bytes(12),
        "72d54dfbf12ec44b362692df94137f328fea8da73990265ec1bbbea1ae9af0ca"
        "13b25aa26cb4a648cb9b9d1be65b2c0924a66c54d545ec1b7374f4872e99f096",
    ),
    (
        bytes(32),
        0,
        bytes(11) + b"\x02",
        "c2c64d378cd536374ae204b9ef933fcd1a8b2288b3dfa49672ab765b54ee27c7"
        "8a970e0e955c14f3a88e741b97c286f75f8fc299e8148362fa198a39531bed6d",
    ),
]


@pytest.mark.parametrize("block", [noise.chacha20_block, reference.chacha20_block])
@pytest.mark.parametrize(("key", "counter", "nonce", "expected"), RFC_BLOCKS)
def test_rfc_8439_vectors(
    block: Callable[[bytes, int, bytes], bytes], key: bytes, counter: int, nonce: bytes, expected: str
) -> None:
    assert block(key, counter, nonce).hex() == expected


def test_bad_keys_and_nonces_are_refused() -> None:
    with pytest.raises(ValueError, match="the key must have 32 bytes, got 31"):
        noise.discrete_laplace(bytes(31), 0, 1, 1, 1, 1)
    with pytest.raises(ValueError, match="the nonce must have 12 bytes, got 8"):
        noise.chacha20_block(KEY, 0, bytes(8))


# ------------------------------------------------------------------------------------- fast against slow


@pytest.mark.parametrize(
    ("kind", "numerator", "denominator"),
    [*CASES, *[(kind, *ratio) for kind in ("laplace", "gaussian") for ratio in EXTREME]],
)
def test_bits_are_those_of_the_twin(kind: str, numerator: int, denominator: int, simd_level: str) -> None:
    fast = draw_of(kind)(KEY, 5, 67, numerator, denominator, 2, 2**32 - 20)
    slow = twin_of(kind)(KEY, 5, 67, numerator, denominator, 2**32 - 20)
    np.testing.assert_array_equal(fast, slow)


@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
def test_bits_do_not_depend_on_threads_levels_or_splits(kind: str, simd_level: str, n_threads: int) -> None:
    draw = draw_of(kind)
    n = 4096 * 3 + 5
    expected = draw(KEY, 9, n, 50, 3, 1)
    np.testing.assert_array_equal(draw(KEY, 9, n, 50, 3, n_threads), expected)
    for begin, end in ((0, 0), (0, 1), (1, 8), (3, 4096), (4090, 8197), (n - 1, n)):
        part = draw(KEY, 9, end - begin, 50, 3, n_threads, begin)
        np.testing.assert_array_equal(part, expected[begin:end])


@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
def test_keys_and_streams_are_independent(kind: str) -> None:
    draw = draw_of(kind)
    n = 20_000
    here = draw(KEY, 0, n, 10**8, 1, 1)
    for other in (draw(KEY, 1, n, 10**8, 1, 1), draw(KEY[::-1], 0, n, 10**8, 1, 1)):
        assert not np.array_equal(here, other)
        # A correlation of independent samples has standard deviation 1/sqrt(n).
        assert abs(np.corrcoef(here, other)[0, 1]) < 5 / math.sqrt(n)
    assert abs(np.corrcoef(here[1:], here[:-1])[0, 1]) < 5 / math.sqrt(n)


# --------------------------------------------------------------------------------------- distributions
# Keys are fixed, so these tests pass or fail for ever; the thresholds are for one chance in 10^6 each.


def sample(kind: str, numerator: int, denominator: int, n: int = 400_000) -> NDArray[np.int64]:
    return draw_of(kind)(KEY, 11, n, numerator, denominator, 2)


def goodness_of_fit(values: NDArray[np.int64], pmf: Pmf, scale: Fraction) -> float:
    """P-value of chi-squared over cells that are expected to hold at least 20 draws."""
    spread = int(np.abs(values).max()) + 1
    window = np.arange(-spread, spread + 1)
    expected = pmf(window, scale) * values.size
    observed = np.bincount(values + spread, minlength=window.size).astype(np.float64)
    rare = expected < 20
    merged_expected = np.append(expected[~rare], max(values.size - expected[~rare].sum(), 1e-9))
    merged_observed = np.append(observed[~rare], observed[rare].sum())
    if merged_expected[-1] < 20:  # the remainder joins the last cell
        merged_expected[-2] += merged_expected[-1]
        merged_observed[-2] += merged_observed[-1]
        merged_expected, merged_observed = merged_expected[:-1], merged_observed[:-1]
    if merged_expected.size == 1:
        return float(merged_observed[0] == values.size)
    statistic = ((merged_observed - merged_expected) ** 2 / merged_expected).sum()
    return float(stats.chi2.sf(statistic, merged_expected.size - 1))


SMALL = [case for case in CASES if Fraction(case[1], case[2]) ** (1 if case[0] == "laplace" else 0.5) <= 7]


@pytest.mark.parametrize(("kind", "numerator", "denominator"), SMALL)
def test_probabilities_are_exact(kind: str, numerator: int, denominator: int) -> None:
    scale = Fraction(numerator, denominator)
    values = sample(kind, numerator, denominator)
    assert goodness_of_fit(values, pmf_of(kind), scale) > 1e-6
    if scale >= 1:  # the test can tell a scale that is 3 % off
        assert goodness_of_fit(values, pmf_of(kind), scale * Fraction(103, 100)) < 1e-6


@pytest.mark.parametrize(("kind", "numerator", "denominator"), [case for case in CASES if case not in SMALL])
def test_large_scales_follow_the_continuous_limit(kind: str, numerator: int, denominator: int) -> None:
    scale = Fraction(numerator, denominator)
    values = sample(kind, numerator, denominator, 200_000)
    # Exact distribution functions at the half-integers, so that the lattice does not blur the comparison.
    if kind == "laplace":
        r = math.exp(-float(1 / scale))
        size = np.abs(values).astype(np.float64)
        below = (
            -np.expm1(-(2 * size + 1) / (2 * float(scale)))
            if scale > 10**6
            else 1 - 2 * r ** (size + 1) / (1 + r)
        )
    else:
        below = 2 * stats.norm.cdf((np.abs(values) + 0.5) / math.sqrt(scale)) - 1
    # Within a lattice cell the distribution function jumps by at most the largest probability.
    jump = float(pmf_of(kind)(np.array([0]), scale)[0])
    distance = stats.kstest(below, "uniform").statistic
    assert distance < 2 * jump + 2.7 / math.sqrt(values.size)


@pytest.mark.parametrize(("kind", "numerator", "denominator"), CASES)
def test_moments_and_symmetry(kind: str, numerator: int, denominator: int) -> None:
    scale = Fraction(numerator, denominator)
    values = sample(kind, numerator, denominator).astype(np.float64)
    n = values.size
    reach = int(60 * max(1.0, float(scale) if kind == "laplace" else math.sqrt(scale)))
    if reach < 10**6:
        window = np.arange(-reach, reach + 1)
        p = pmf_of(kind)(window, scale)
        assert p.sum() == pytest.approx(1, abs=1e-12)
        second, fourth = float(p @ window**2.0), float(p @ window**4.0)
    elif kind == "laplace":
        second, fourth = 2 * float(scale) ** 2, 24 * float(scale) ** 4
    else:
        second, fourth = float(scale), 3 * float(scale) ** 2
    assert abs(values.mean()) <= 5 * math.sqrt(second / n)
    assert abs((values**2).mean() - second) <= 5 * math.sqrt((fourth - second**2) / n) + 1e-12 * second
    signs = int((values > 0).sum()), int((values < 0).sum())
    assert abs(signs[0] - signs[1]) <= 5 * math.sqrt(sum(signs))


@pytest.mark.parametrize(("kind", "numerator", "denominator"), [("laplace", 20, 1), ("gaussian", 400, 1)])
def test_tails(kind: str, numerator: int, denominator: int) -> None:
    scale = Fraction(numerator, denominator)
    values = np.abs(sample(kind, numerator, denominator, 2_000_000))
    for t in (20, 40, 60, 80, 100) if kind == "gaussian" else (20, 60, 100, 140, 200):
        p = 2 * float(pmf_of(kind)(np.arange(t + 1, t + 2000), scale).sum())
        expected = p * values.size
        assert abs(int((values > t).sum()) - expected) <= 5 * math.sqrt(expected) + 5


def test_cells_that_need_several_blocks_read_them_in_order() -> None:
    # A numerator of 62 bits and sigma = 1 are the hungriest: about one cell in three reads a second block.
    arguments = (KEY, 0, 2000, LARGEST - 1, LARGEST)
    np.testing.assert_array_equal(
        noise.discrete_gaussian(*arguments, 1), reference.discrete_gaussian(*arguments)
    )


# ------------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
def test_ratios_out_of_bounds_are_refused(kind: str) -> None:
    for numerator, denominator in ((0, 1), (-1, 1), (1, 0), (1, -1), (LARGEST + 1, 1), (1, LARGEST + 1)):
        with pytest.raises(ValueError, match=r"must be a ratio of integers from 1 to 2\^62"):
            draw_of(kind)(KEY, 0, 1, numerator, denominator, 1)


def test_overflow_is_refused_up_front() -> None:
    with pytest.raises(ValueError, match=r"the scale must be below 2\^40"):
        noise.discrete_laplace(KEY, 0, 0, 2**40, 1, 1)
    largest = noise.discrete_laplace(KEY, 0, 1000, 2**40 - 1, 1, 1)
    assert 2**40 < np.abs(largest).max() < 2**45
    with pytest.raises(TypeError):
        noise.discrete_laplace(KEY, 0, 1, 2**63, 1, 1)
    with pytest.raises(TypeError):
        noise.discrete_laplace(KEY, 2**32, 1, 1, 1, 1)
    with pytest.raises(ValueError, match="must not be negative"):
        noise.discrete_laplace(KEY, 0, -1, 1, 1, 1)
    with pytest.raises(ValueError, match="threads must be at least 1"):
        noise.discrete_laplace(KEY, 0, 1, 1, 1, 0)


# --------------------------------------------------------------------------------- an independent oracle


@pytest.mark.parametrize(("kind", "scale"), [("laplace", 3.0), ("gaussian", 3.0)])
def test_opendp_draws_from_the_same_distribution(kind: str, scale: float) -> None:
    dp = pytest.importorskip("opendp.prelude")
    dp.enable_features("contrib")
    n = 20_000
    domain = dp.vector_domain(dp.atom_domain(T=int))
    if kind == "laplace":
        theirs = np.array(dp.m.make_laplace(domain, dp.l1_distance(T=int), scale=scale)([0] * n))
        ours = noise.discrete_laplace(KEY, 3, n, 3, 1, 1)
    else:
        theirs = np.array(dp.m.make_gaussian(domain, dp.l2_distance(T=float), scale=scale)([0] * n))
        ours = noise.discrete_gaussian(KEY, 3, n, 9, 1, 1)
    edges = [-(10**9), *range(-8, 9), 10**9]
    table = np.array([np.histogram(values, edges)[0] for values in (ours, theirs)])
    # Their randomness cannot be fixed: one chance in 10^9 to fail.
    assert stats.chi2_contingency(table).pvalue > 1e-9
