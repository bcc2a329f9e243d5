"""The door: what is declared, charged, drawn and refused; and an audit of each mechanism."""

from __future__ import annotations

import copy
import hashlib
import math
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covloss_fast._core import noise
from covloss_fast.privacy import mechanisms
from covloss_fast.privacy.accounting import Budget
from covloss_fast.privacy.ledger import Distribution, PrivacyLedger
from covloss_fast.privacy.mechanisms import (
    Door,
    Mechanism,
    Neighbours,
    NoiseKey,
    Sensitivity,
    noise_quantile,
    noise_variance,
    proportional_shares,
    round_up,
)
from covloss_fast.reference import queries
from covloss_fast.reference.audit import Audit, audit, log_likelihood_ratio
from covloss_fast.reference.noise import discrete_gaussian_pmf, discrete_laplace_pmf

ONE = Sensitivity(1, 1)


def open_door(
    epsilon: Any = 1,
    delta: Any = 0,
    neighbours: Neighbours = "add_or_remove_one",
    key: NoiseKey | None = None,
    ledger: PrivacyLedger | None = None,
) -> Door:
    budget = Budget(epsilon, delta)
    key = key or NoiseKey.from_seed(1)
    ledger = ledger or PrivacyLedger(neighbours)
    ledger.begin_fit(budget, schema_hash="", seeded=key.is_seeded)
    return Door(budget, neighbours, ledger, key, n_threads=1)


# ------------------------------------------------------------------------------------------ noise added


@pytest.mark.parametrize("delta", [0, 1e-9])
def test_release_adds_the_declared_noise(delta: float, n_threads: int) -> None:
    door = open_door(1, delta)
    exact = np.arange(24, dtype=np.int64).reshape(2, 3, 4)
    before = exact.copy()
    door.declare("first", ONE, Fraction(1, 4))
    mechanism = door.declare("second", Sensitivity(3, 5), Fraction(1, 2))
    released = mechanism.release(exact)
    np.testing.assert_array_equal(exact, before)
    assert released.shape == exact.shape
    assert released.dtype == np.int64
    scale = mechanism.entry.scale
    draw = noise.discrete_laplace if delta == 0 else noise.discrete_gaussian
    key = NoiseKey.from_seed(1)._bytes
    expected = draw(key, 1, 24, scale.numerator, scale.denominator, n_threads)
    np.testing.assert_array_equal((released - exact).ravel(), expected)


def test_scales_are_those_of_the_definitions() -> None:
    assert open_door(2).declare("q", Sensitivity(3, 99), Fraction(1, 2)).entry.scale == 3
    door = open_door(1, 1e-9)
    entry = door.declare("q", Sensitivity(99, 5), Fraction(1, 3)).entry
    exact = 5 / (2 * door.budget.rho / 3)
    assert exact <= entry.scale <= exact * (1 + Fraction(1, 2**30))
    assert entry.spent <= door.budget.rho / 3
    assert entry.spent == 5 / (2 * entry.scale)
    assert (entry.distribution, entry.l1, entry.l2_squared) == ("discrete Gaussian", 99, 5)


@given(st.fractions(min_value=Fraction(1, 10**25), max_value=10**18))
def test_rationals_are_rounded_up(value: Fraction) -> None:
    rounded = round_up(value)
    assert value <= rounded <= value * (1 + Fraction(1, 2**30)) + Fraction(1, 2**62)
    assert rounded.numerator <= 2**62
    assert rounded.denominator <= 2**62
    if value.numerator < 2**32 and value.denominator < 2**32:
        assert rounded == value
    if value < 2**31:
        assert rounded.numerator <= 2**32


@given(
    total=st.fractions(min_value=Fraction(1, 1000), max_value=1),
    weights=st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=50),
)
def test_proportional_shares_never_exceed_the_whole(total: Fraction, weights: list[float]) -> None:
    parts = proportional_shares(total, weights)
    assert total - Fraction(len(weights), 2**60) <= sum(parts) <= total
    np.testing.assert_allclose(
        [float(part) for part in parts], float(total) * np.array(weights) / math.fsum(weights), atol=1e-17
    )


def test_proportional_shares_of_nothing() -> None:
    assert proportional_shares(1, []) == []
    for bad in ([0.0], [1.0, -1.0], [math.nan], [math.inf]):
        with pytest.raises(ValueError, match="positive"):
            proportional_shares(1, bad)


# ------------------------------------------------------------------------------------------- the order


def test_a_mechanism_releases_once() -> None:
    mechanism = open_door().declare("number of records", ONE, 1)
    assert not mechanism.is_released
    mechanism.release(np.zeros(1, dtype=np.int64))
    assert mechanism.is_released
    with pytest.raises(RuntimeError, match="number of records: a mechanism releases once"):
        mechanism.release(np.zeros(1, dtype=np.int64))


@pytest.mark.parametrize("answer", [np.zeros(2), np.zeros(2, np.int32), [1, 2], 3])
def test_only_exact_integers_pass(answer: Any) -> None:
    mechanism = open_door().declare("q", ONE, 1)
    with pytest.raises(TypeError, match="must be an int64 array"):
        mechanism.release(answer)
    with pytest.raises(RuntimeError, match="once"):  # a failed attempt uses it up
        mechanism.release(np.zeros(2, dtype=np.int64))


def test_extreme_answers_do_not_raise() -> None:
    door = open_door()
    ends = np.array([np.iinfo(np.int64).max, np.iinfo(np.int64).min])
    released = door.declare("q", ONE, Fraction(1, 1000)).release(ends)
    assert (released != ends).any()
    assert door.declare("q", ONE, Fraction(1, 2)).release(np.zeros((0, 3), dtype=np.int64)).shape == (0, 3)


def test_the_ledger_is_written_before_the_release() -> None:
    ledger = PrivacyLedger("add_or_remove_one")
    door = open_door(ledger=ledger)
    assert len(ledger.fits) == 1
    mechanism = door.declare("q", ONE, Fraction(1, 2))
    assert ledger.entries == (mechanism.entry,)
    assert door.share_left == Fraction(1, 2)


def test_shares_add_to_at_most_one() -> None:
    door = open_door()
    door.declare("a", ONE, Fraction(2, 3))
    with pytest.raises(ValueError, match=r"b: a share of 0\.5 was asked for, .* 0\.333333 is left"):
        door.declare("b", ONE, 0.5)
    door.declare("c", ONE, Fraction(1, 3))
    assert door.share_left == 0
    for share in (0, -1, math.nan, "x", True):
        with pytest.raises(ValueError, match="share"):
            door.declare("d", ONE, share)
    assert [entry.query for entry in door._ledger.entries] == ["a", "c"]


def test_the_door_opens_only_for_a_charged_fit() -> None:
    budget, key = Budget(1, 0), NoiseKey.from_seed(0)
    ledger = PrivacyLedger("add_or_remove_one")
    with pytest.raises(RuntimeError, match="must be charged"):
        Door(budget, "add_or_remove_one", ledger, key)
    ledger.begin_fit(budget, schema_hash="", seeded=True)
    for wrong_budget, wrong_key in ((Budget(2, 0), key), (budget, NoiseKey.fresh())):
        with pytest.raises(RuntimeError, match="must be charged"):
            Door(wrong_budget, "add_or_remove_one", ledger, wrong_key)
    with pytest.raises(ValueError, match="neighbours"):
        Door(budget, "replace_one", ledger, key)
    door = Door(budget, "add_or_remove_one", ledger, key)
    door.declare("q", ONE, Fraction(1, 2))
    with pytest.raises(RuntimeError, match="must be charged"):
        Door(budget, "add_or_remove_one", ledger, key)


def test_noise_of_two_fits_and_two_mechanisms_differs() -> None:
    """One seed, one ledger: no stream is used twice."""
    ledger = PrivacyLedger("add_or_remove_one")
    zeros = np.zeros(100, dtype=np.int64)
    seen = []
    for _ in range(2):
        door = open_door(ledger=ledger)
        seen += [door.declare("q", ONE, Fraction(1, 2)).release(zeros) for _ in range(2)]
    assert len({values.tobytes() for values in seen}) == 4
    assert [entry.stream for entry in ledger.entries] == [0, 1, 2, 3]


def test_noise_beyond_64_bits_is_refused_before_it_is_declared() -> None:
    door = open_door("1e-9")
    with pytest.raises(ValueError, match="budget is too small: noise of scale"):
        door.declare("q", Sensitivity(10**6, 10**6), 1)
    assert door.share_left == 1
    with pytest.raises(ValueError, match="budget is too small: noise of variance"):
        open_door("1e-9", 1e-9).declare("q", Sensitivity(10**6, 10**6), 1)


# ---------------------------------------------------------------------------------------------- the key


def test_keys() -> None:
    assert NoiseKey.fresh()._bytes != NoiseKey.fresh()._bytes
    assert not NoiseKey.fresh().is_seeded
    seeded = NoiseKey.from_seed(7)
    assert seeded.is_seeded
    assert seeded._bytes == NoiseKey.from_seed(np.int64(7))._bytes != NoiseKey.from_seed(8)._bytes  # type: ignore[arg-type]
    assert seeded._bytes.hex() == hashlib.sha256(b"covloss_fast/17").hexdigest()
    for bad in (-1, 1.0, True, None, "7"):
        with pytest.raises(ValueError, match="a seed must be an integer of at least 0"):
            NoiseKey.from_seed(bad)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="32 bytes"):
        NoiseKey(bytes(16), seeded=False)


def test_a_key_is_not_shown_or_stored() -> None:
    key = NoiseKey.fresh()
    assert repr(key) == "NoiseKey(fresh)"
    mechanism = open_door(key=key).declare("q", ONE, 1)
    for holder in (key, mechanism):
        for store in (pickle.dumps, copy.deepcopy):
            with pytest.raises(TypeError, match="never stored"):
                store(holder)
        assert key._bytes.hex() not in repr(holder)


# -------------------------------------------------------------------------- what is public of the noise


@pytest.mark.parametrize(
    "scale", [Fraction(1, 100), Fraction(1, 3), Fraction(1), Fraction(7, 2), Fraction(50)]
)
@pytest.mark.parametrize("distribution", ["discrete Laplace", "discrete Gaussian"])
def test_variance_and_quantiles(distribution: Distribution, scale: Fraction) -> None:
    window = np.arange(-3000, 3001)
    pmf = discrete_laplace_pmf if distribution == "discrete Laplace" else discrete_gaussian_pmf
    p = pmf(window, scale)
    assert noise_variance(distribution, scale) == pytest.approx(float(p @ window**2.0), rel=1e-9, abs=1e-300)
    for probability in (0.5, 0.95, 0.975, 0.999999):
        t = noise_quantile(distribution, scale, probability)
        inside = float(p[np.abs(window) <= t].sum())
        assert inside >= probability - 1e-12
        slack = 1 if distribution == "discrete Laplace" else 2  # the Gaussian bound may be one too wide
        if t >= slack:
            assert float(p[np.abs(window) <= t - slack].sum()) < probability
    with pytest.raises(ValueError, match="probability"):
        noise_quantile(distribution, scale, 1)


# ------------------------------------------------------------------------------------------------ audit
# Worst pairs of neighbours, known noise, the best statistic: the bound must stay under the claim and near it;
# with half the noise it must exceed the claim. Keys are fixed, so the tests do not flake.

N_TRIALS = 100_000


def claim_of(query: str, neighbours: Neighbours) -> Sensitivity:
    """What the library says of a query on three binary attributes."""
    if query == "record count":
        return mechanisms.record_count(neighbours)
    if query == "one-way":
        return mechanisms.one_way(3, 0, neighbours)
    if query == "all pairs":
        return mechanisms.all_pairs(3, 0, neighbours)
    if query == "blocks":
        return mechanisms.block_statistics(3, 0, neighbours)
    if query == "block counts":
        return mechanisms.block_counts(neighbours)
    if query == "pair table":
        return mechanisms.pair_table(neighbours)
    if query == "pair scores":
        return mechanisms.pair_score(3, neighbours)
    if query == "certificate":
        return mechanisms.certificate(neighbours)
    return mechanisms.damped_means((2, 2, 2), 6, 3, neighbours)


def run_audit(query: str, neighbours: Neighbours, delta: float, weaken: int = 1) -> Audit:
    """Audit one query at epsilon 1, with the noise's scale divided by `weaken`."""
    claim = claim_of(query, neighbours)
    here, there = queries.worst_pair(query, neighbours == "replace_one", delta > 0)
    statistics = []
    for seed, answer in enumerate((here, there)):
        door = open_door(1, delta, neighbours, NoiseKey.from_seed(seed))
        mechanism = door.declare(query, claim, 1)
        claimed = mechanism.entry.scale
        if weaken > 1:
            smaller = Sensitivity(Fraction(claim.l1, weaken), Fraction(claim.l2_squared, weaken**2))
            mechanism = open_door(1, delta, neighbours, NoiseKey.from_seed(seed)).declare(query, smaller, 1)
        released = mechanism.release(np.tile(answer, (N_TRIALS, 1)))
        statistics.append(
            log_likelihood_ratio(released, here, there, mechanism.entry.distribution, float(claimed))
        )
    return audit(statistics[0], statistics[1], delta)


@pytest.mark.parametrize("neighbours", ["add_or_remove_one", "replace_one"])
@pytest.mark.parametrize("query", queries.WORST_PAIRS)
def test_audit(query: str, neighbours: Neighbours) -> None:
    if query == "record count" and neighbours == "replace_one":
        return
    claim = claim_of(query, neighbours)
    for delta in (0, 1e-3):
        here, there = queries.worst_pair(query, neighbours == "replace_one", delta > 0)
        move = np.abs(here - there)
        assert (move**2).sum() == claim.l2_squared if delta > 0 else move.sum() == claim.l1
        honest = run_audit(query, neighbours, delta)
        assert 0.3 < honest.epsilon_low <= 1
        assert run_audit(query, neighbours, delta, weaken=2).epsilon_low > 1.1


def test_audit_catches_the_wrong_relation() -> None:
    """Noise for add-or-remove-one does not hide a replaced record."""
    claim, (here, there) = claim_of("one-way", "replace_one"), queries.worst_pair("one-way", True, False)
    wrong = mechanisms.one_way(3, 0, "add_or_remove_one")
    statistics = []
    for seed, answer in enumerate((here, there)):
        mechanism = open_door(key=NoiseKey.from_seed(seed)).declare("one-way", wrong, 1)
        released = mechanism.release(np.tile(answer, (N_TRIALS, 1)))
        statistics.append(
            log_likelihood_ratio(released, here, there, "discrete Laplace", float(mechanism.entry.scale))
        )
    assert claim.l1 == 2 * wrong.l1
    assert audit(statistics[0], statistics[1]).epsilon_low > 1.5


def test_audit_catches_a_dropped_empty_block() -> None:
    """If only blocks that hold records are released, their number betrays one record."""
    statistics = []
    for seed, rows in enumerate(([1], [1, 0])):
        occupied = len(np.unique(rows))
        mechanism = open_door(key=NoiseKey.from_seed(seed)).declare("blocks", ONE, 1)
        released = mechanism.release(np.ones((N_TRIALS, occupied), dtype=np.int64))
        statistics.append(np.full(N_TRIALS, float(released.shape[1])))
    assert audit(statistics[0], statistics[1]).epsilon_low > 5


def test_audit_says_nothing_of_equal_tables() -> None:
    zeros = np.zeros((N_TRIALS, 1), dtype=np.int64)
    here, there = (
        open_door(key=NoiseKey.from_seed(seed)).declare("q", ONE, 1).release(zeros)[:, 0].astype(float)
        for seed in (0, 1)
    )
    assert audit(here, there).epsilon_low == 0


def test_a_mechanism_is_made_by_the_door_alone() -> None:
    assert [name for name in dir(Mechanism) if not name.startswith("_")] == [
        "entry",
        "is_released",
        "noise_quantile",
        "noise_sd",
        "noise_variance",
        "release",
    ]
