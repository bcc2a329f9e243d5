"""Conversions between pure epsilon, zCDP and (epsilon, delta), and what is refused."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from covloss_fast.privacy.accounting import (
    _MARGIN,
    Budget,
    _log_delta,
    delta_from_rho,
    epsilon_from_rho,
    exact,
    rho_from_epsilon_delta,
)
from covloss_fast.privacy.ledger import PrivacyLedger

EPSILONS = [1e-3, 0.1, 0.5, 1, 2, 4, 10, 100, 1000]
DELTAS = [1e-30, 1e-12, 1e-9, 1e-6, 1e-3, 0.1, 0.9]


@pytest.mark.parametrize(("epsilon", "rho"), [(0.5, 0.006642), (1, 0.024356), (2, 0.088153), (4, 0.311065)])
def test_published_values(epsilon: float, rho: float) -> None:
    assert float(rho_from_epsilon_delta(epsilon, 1e-6)) == pytest.approx(rho, abs=1e-6)


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("delta", DELTAS)
def test_round_trips_end_on_the_safe_side(epsilon: float, delta: float) -> None:
    rho = rho_from_epsilon_delta(epsilon, delta)
    assert rho > 0
    assert delta * (1 - 1e-6) <= delta_from_rho(rho, epsilon) <= delta * (1 + 1e-12)
    back = epsilon_from_rho(rho, delta)
    assert delta_from_rho(rho, back) <= delta * (1 + 1e-12)
    if delta <= 1e-3:
        assert back == pytest.approx(epsilon, rel=1e-7)
    # A little more rho is already too much.
    assert delta_from_rho(rho * (1 + Fraction(1, 10**6)), epsilon) > delta * (1 - 1e-9)


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("delta", DELTAS)
def test_the_ends_of_the_bisections_are_those_that_promise_less(epsilon: float, delta: float) -> None:
    log_delta = math.log(delta) * (1 + _MARGIN)
    assert _log_delta(float(rho_from_epsilon_delta(epsilon, delta)), epsilon) <= log_delta
    rho = 0.01 * epsilon
    assert _log_delta(math.nextafter(rho, math.inf), epsilon_from_rho(rho, delta)) <= log_delta


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 2, 20])
@pytest.mark.parametrize("delta", [1e-12, 1e-6, 1e-2])
def test_no_other_order_gives_a_smaller_delta(epsilon: float, delta: float) -> None:
    """The infimum over a on a fine grid, evaluated term by term."""
    rho = float(rho_from_epsilon_delta(epsilon, delta))
    a = 1 + np.logspace(-3, 6, 20_001)
    exponent = (a - 1) * (a * rho - epsilon) + a * np.log1p(-1 / a)
    grid = np.exp(np.minimum(exponent, 100)) / (a - 1)
    assert grid.min() * (1 - 1e-4) <= delta_from_rho(rho, epsilon) <= grid.min() * (1 + 1e-12)


def test_monotone() -> None:
    rhos = np.logspace(-8, 2, 41)
    assert np.all(np.diff([delta_from_rho(rho, 1.0) for rho in rhos]) >= 0)
    assert np.all(np.diff([epsilon_from_rho(rho, 1e-9) for rho in rhos]) > 0)
    assert np.all(np.diff([float(rho_from_epsilon_delta(e, 1e-9)) for e in np.logspace(-3, 3, 31)]) > 0)
    assert np.all(np.diff([float(rho_from_epsilon_delta(1, d)) for d in np.logspace(-15, -1, 29)]) > 0)


@pytest.mark.parametrize("rho", [1e-4, 0.02, 0.5, 5])
@pytest.mark.parametrize("epsilon", [0.1, 1, 8])
def test_delta_is_at_least_that_of_the_gaussian_mechanism(rho: float, epsilon: float) -> None:
    """The exact delta of a Gaussian of sensitivity 1 (Balle and Wang 2018) is a lower bound."""
    sigma = 1 / math.sqrt(2 * rho)
    tight = stats.norm.cdf(1 / (2 * sigma) - epsilon * sigma) - math.exp(epsilon) * stats.norm.cdf(
        -1 / (2 * sigma) - epsilon * sigma
    )
    assert delta_from_rho(rho, epsilon) >= tight


def gaussian_accountant(rhos: list[float]) -> Any:
    """Renyi accounting by an independent library of Gaussian mechanisms that cost these rhos."""
    dp_accounting = pytest.importorskip("dp_accounting")
    rdp = pytest.importorskip("dp_accounting.rdp")
    accountant = rdp.RdpAccountant(orders=np.unique(1 + np.logspace(-2, 4, 2000)))
    for rho in rhos:
        accountant.compose(dp_accounting.GaussianDpEvent(1 / math.sqrt(2 * rho)))
    return accountant


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1, 2, 4, 10])
@pytest.mark.parametrize("delta", [1e-12, 1e-9, 1e-6, 1e-3])
def test_dp_accounting_agrees(epsilon: float, delta: float) -> None:
    """In all three directions; its search over orders is coarser than ours."""
    rho = float(rho_from_epsilon_delta(epsilon, delta))
    accountant = gaussian_accountant([rho])
    theirs = accountant.get_epsilon(delta)
    assert epsilon * (1 - 1e-9) <= theirs <= epsilon * (1 + 1e-3)
    assert epsilon_from_rho(rho, delta) * (1 - 1e-9) <= theirs
    assert delta * (1 - 1e-6) <= accountant.get_delta(epsilon) <= delta * 1.01
    assert delta_from_rho(rho, epsilon) <= accountant.get_delta(epsilon) * (1 + 1e-9)


@pytest.mark.parametrize("budgets", [[(1, 1e-6)] * 2, [(0.5, 1e-9), (2, 1e-7), (1, 1e-9)], [(4, 1e-6)] * 5])
def test_dp_accounting_agrees_on_the_total_of_several_fits(budgets: list[tuple[float, float]]) -> None:
    ledger = PrivacyLedger("add_or_remove_one")
    for epsilon, delta in budgets:
        ledger.begin_fit(Budget(epsilon, delta), schema_hash="", seeded=False)
    accountant = gaussian_accountant([float(fit.rho) for fit in ledger.fits])
    assert ledger.delta == pytest.approx(sum(delta for _, delta in budgets))
    by_rho = accountant.get_epsilon(ledger.delta)
    simple = sum(epsilon for epsilon, _ in budgets)
    assert min(by_rho, simple) * (1 - 1e-3) <= ledger.epsilon <= min(by_rho * (1 + 1e-9), simple)


@pytest.mark.parametrize("parts", [2, 7, 40])
def test_a_budget_in_parts_costs_what_it_costs_whole(parts: int) -> None:
    """Refinement steps and the certificate are shares of one budget: Gaussians compose to exactly it."""
    budget = Budget(1, 1e-6)
    accountant = gaussian_accountant([float(budget.total / parts)] * parts)
    assert accountant.get_epsilon(1e-6) == pytest.approx(1, rel=1e-3)


@pytest.mark.parametrize("epsilon", [0.1, 1, 4])
@pytest.mark.parametrize("delta", [1e-9, 1e-6, 1e-3])
def test_privacy_loss_distributions_find_no_more_than_is_claimed(epsilon: float, delta: float) -> None:
    """The tight epsilon of the Gaussian mechanism, by numerical convolution, is at most ours."""
    dp_accounting = pytest.importorskip("dp_accounting")
    pld = pytest.importorskip("dp_accounting.pld")
    rho = float(rho_from_epsilon_delta(epsilon, delta))
    accountant = pld.PLDAccountant()
    accountant.compose(dp_accounting.GaussianDpEvent(1 / math.sqrt(2 * rho)))
    assert 0.6 * epsilon < accountant.get_epsilon(delta) <= epsilon


@given(
    epsilon=st.floats(1e-4, 1000, allow_nan=False),
    log10_delta=st.floats(-200, -0.1),
)
def test_every_budget_can_be_spent(epsilon: float, log10_delta: float) -> None:
    delta = 10**log10_delta
    budget = Budget(epsilon, delta)
    assert not budget.is_pure
    assert budget.total == budget.rho == rho_from_epsilon_delta(epsilon, delta)
    assert delta_from_rho(budget.rho, epsilon) <= delta * (1 + 1e-12)


def test_amounts_are_exact() -> None:
    assert Budget(0.1, 0).epsilon == Fraction(0.1) != Fraction(1, 10)
    for tenth in ("0.1", "1/10", Decimal("0.1"), Fraction(1, 10)):
        assert Budget(tenth, 0).total == Fraction(1, 10)
    assert Budget(np.float64(0.5), np.float32(0)).epsilon == Fraction(1, 2)
    assert Budget(np.int64(2), 0).rho == 2
    assert Budget(1000, 0).is_pure
    assert exact(True.real + 1, "") == 2


@pytest.mark.parametrize(
    "epsilon", [0, -1, 1000.0000001, math.nan, math.inf, -math.inf, True, "one", "", "1/0", None, 1j, [1]]
)
def test_epsilon_is_refused_with_its_interval(epsilon: Any) -> None:
    with pytest.raises(ValueError, match=r"epsilon must be a number in \(0, 1000\], got"):
        Budget(epsilon, 1e-9)


@pytest.mark.parametrize("delta", [1, -1e-9, 2, math.nan, math.inf, False, "x", None])
def test_delta_is_refused_with_its_interval(delta: Any) -> None:
    with pytest.raises(ValueError, match=r"delta must be a number in \[0, 1\), 0 for pure .*, got"):
        Budget(1, delta)


def test_conversions_refuse_what_has_no_meaning() -> None:
    with pytest.raises(ValueError, match="delta must be in"):
        rho_from_epsilon_delta(1, 0)
    with pytest.raises(ValueError, match="must be at least"):
        rho_from_epsilon_delta(1, Fraction(1, 10**400))
    for delta in (0, 1, -1):
        with pytest.raises(ValueError, match="delta must be a number in"):
            epsilon_from_rho(1, delta)
    with pytest.raises(ValueError, match="at least 0"):
        epsilon_from_rho(-1, 0.5)
    for rho, epsilon in ((-1, 1), (1, -1)):
        with pytest.raises(ValueError, match="at least 0"):
            delta_from_rho(rho, epsilon)
    assert delta_from_rho(0, 0) == 0
    assert delta_from_rho(50, 0) == 1
    assert epsilon_from_rho(0, 1e-9) == 0
