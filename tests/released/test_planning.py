"""Plans depend on public quantities alone and never spend more than there is."""

from __future__ import annotations

import itertools
import json
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from covloss_fast.privacy import mechanisms
from covloss_fast.privacy.accounting import Budget
from covloss_fast.released.planning import (
    NoiseLevels,
    Plan,
    least_shares,
    plan_binary,
    plan_categorical,
    plan_independent,
    plan_paper,
    predicted_rms,
    predicted_tv,
    select_pairs,
)
from covloss_fast.schema import BitLayout

RESERVED = {"count": Fraction(3, 100), "certificate": Fraction(5, 100)}


BINARY = ("means", "all_pairs", "blocks")
CATEGORICAL = ("levels", "pair_table", "pair_scores")


def noise(names: tuple[str, ...], sd: float, is_pure: bool = False) -> NoiseLevels:
    return NoiseLevels(dict.fromkeys(names, sd), is_pure)


def plan(sizes: tuple[int, ...], sd: float, n: int, is_pure: bool = False, **options: Any) -> Plan:
    if all(size == 2 for size in sizes):
        return plan_binary(len(sizes), noise(BINARY, sd, is_pure), n, reserved=RESERVED, **options)
    return plan_categorical(sizes, noise(CATEGORICAL, sd, is_pure), n, reserved=RESERVED, **options)


@pytest.mark.parametrize("n", [10, 1_000, 50_000, 10_000_000])
@pytest.mark.parametrize("sd", [1e-3, 1.0, 50.0, 1e5])
@pytest.mark.parametrize("pure", [False, True])
@pytest.mark.parametrize("sizes", [(2,), (2,) * 30, (2,) * 1_000, (2, 5, 90), (1, 1), (7,)])
def test_shares_never_exceed_the_budget_and_never_fall_below_what_was_foreseen(
    sizes: tuple[int, ...], n: int, sd: float, pure: bool
) -> None:
    made = plan(sizes, sd, n, pure)
    assert sum(made.shares.values()) <= 1
    assert all(share > 0 for share in made.shares.values())
    assert 1 <= made.n_blocks <= 128
    assert 0 <= made.least_fraction <= 1 / 3
    json.dumps(made.to_dict())
    for name, least in least_shares(sizes, RESERVED, pure, {}).items():
        share = made.shares.get(name, Fraction(1))
        assert least > 0
        assert share / made.n_steps >= least if name == "blocks" and made.n_steps else share >= least


@pytest.mark.parametrize("n", [10, 1_000, 6_000, 7_000, 50_000, 10**7])
@pytest.mark.parametrize("sd", [1e-3, 30.0, 1e3])
@pytest.mark.parametrize("pure", [False, True])
def test_blocks_that_are_asked_for_leave_the_pairs_what_was_foreseen(n: int, sd: float, pure: bool) -> None:
    made = plan((2,) * 30, sd, n, pure, n_blocks=16)
    for name, least in least_shares((2,) * 30, RESERVED, pure, {"n_blocks": 16}).items():
        share = made.shares[name] / made.n_steps if name == "blocks" else made.shares[name]
        assert share >= least > 0


@pytest.mark.parametrize("sizes", [(2,) * 30, (3,) * 30])
def test_noise_that_drowns_the_pairs_gives_independent_columns(sizes: tuple[int, ...]) -> None:
    made = plan(sizes, 1e5, 1_000)
    assert made.is_independent or made.shares["one_way"] > Fraction(85, 100)
    made = plan(sizes, 1e9, 1_000)
    assert made.shares["one_way"] > Fraction(85, 100)


def levels_of_noise(p: int, epsilon: float, delta: float, neighbours: Any) -> NoiseLevels:
    """The noise that a fit of p binary attributes would have."""
    budget = Budget(epsilon, delta)
    sensitivities = {
        "means": mechanisms.one_way(p, 0, neighbours),
        "all_pairs": mechanisms.all_pairs(p, 0, neighbours),
        "blocks": mechanisms.block_statistics(p, 0, neighbours),
    }
    name = "discrete Laplace" if budget.is_pure else "discrete Gaussian"
    scales = {
        query: mechanisms.noise_scale(budget, each, Fraction(1)) for query, each in sensitivities.items()
    }
    full = {query: math.sqrt(mechanisms.noise_variance(name, scale)) for query, scale in scales.items()}
    return NoiseLevels(full, budget.is_pure)


def test_pins_take_the_place_of_pairs_that_pure_noise_drowns() -> None:
    n, p = 23_000, 69
    levels = levels_of_noise(p, 1.0, 0, "add_or_remove_one")
    made = plan_binary(p, levels, n, reserved=RESERVED)
    assert (made.n_pins, made.n_blocks, made.n_steps) == (4, 16, 0)
    assert set(made.shares) == {*RESERVED, "one_way", "blocks"}
    assert not made.is_independent
    assert predicted_rms(made, levels) < predicted_rms(plan_independent(n, RESERVED), levels)
    for options in (
        {"n_blocks": 1},
        {"n_steps": 2},
        {"shares": {"one_way": 0.5, "pairs": 0.5, "blocks": 0.0}},
    ):
        assert plan_binary(p, levels, n, reserved=RESERVED, **options).n_pins == 0
    for other, epsilon in (("pairs are seen", 10.0), ("blocks are not", 0.1)):
        levels = levels_of_noise(p, epsilon, 0, "add_or_remove_one")
        assert plan_binary(p, levels, n, reserved=RESERVED).n_pins == 0, other


@pytest.mark.parametrize("neighbours", ["add_or_remove_one", "replace_one"])
@pytest.mark.parametrize("p", [2, 5, 16, 69, 180, 1_000])
def test_gaussian_noise_drowns_pairs_and_pins_together(p: int, neighbours: Any) -> None:
    for epsilon in (0.01, 0.1, 0.3, 1.0, 3.0, 10.0):
        levels = levels_of_noise(p, epsilon, 1e-9, neighbours)
        for n in (1_000, 10_000, 100_000, 1_000_000):
            assert plan_binary(p, levels, n, reserved=RESERVED).n_pins == 0


def test_two_ways_of_one_budget_are_balanced() -> None:
    """The share of the means is where 2 s1^2 + s2^2, the noise of a 2-way marginal, is least."""
    p, n = 30, 10**6
    sds = {"means": math.sqrt(p), "all_pairs": math.sqrt(p * (p - 1) / 2), "blocks": 1e9}
    levels = NoiseLevels(sds, False)
    share = float(plan_binary(p, levels, n, reserved={}).shares["one_way"])

    def error(part: float) -> float:
        return 2 * levels.at("means", part) ** 2 + levels.at("all_pairs", 1 - part) ** 2

    assert error(share) <= 1.01 * min(error(part) for part in np.linspace(0.01, 0.99, 99))


def test_overrides_are_taken() -> None:
    shares = {"one_way": 0.5, "pairs": 0.25, "blocks": 0.25}
    made = plan((2,) * 30, 10.0, 100_000, n_blocks=7, n_steps=1, n_components=3, shares=shares)
    assert (made.n_blocks, made.n_steps, made.n_components) == (7, 1, 3)
    assert made.shares["one_way"] == Fraction(46, 100)
    made = plan((3,) * 30, 10.0, 100_000, shares={"one_way": 0.5, "scores": 0.1, "pairs": 0.4})
    assert made.shares["pairs"] == Fraction(368, 1000)


@pytest.mark.parametrize("is_pure", [False, True])
def test_pairs_are_selected_while_the_sum_of_errors_falls(is_pure: bool) -> None:
    generator = np.random.default_rng(0)
    distances, n_cells = generator.exponential(0.05, 8), generator.integers(4, 60, 8)
    sd, n, power = 30.0, 5_000, 1 / 2 if is_pure else 2 / 3
    selected, parts = select_pairs(distances, n_cells, sd, n, is_pure)
    assert parts.sum() == pytest.approx(1)

    def total(chosen: tuple[int, ...]) -> float:
        cost = (n_cells[list(chosen)] * sd / (2 * math.sqrt(2) * n)) ** power
        return float(cost.sum() ** (1 / power) + np.delete(distances, chosen).sum())

    everything = [c for r in range(9) for c in itertools.combinations(range(8), r)]
    assert total(tuple(selected)) <= 1.1 * min(total(c) for c in everything)
    # What a table costs, with the noise of its part, adds to the first term.
    noise_of = sd / (parts if is_pure else np.sqrt(parts))
    cost = (n_cells[selected] * noise_of / (2 * math.sqrt(2) * n)).sum()
    assert cost + np.delete(distances, selected).sum() == pytest.approx(total(tuple(selected)))


def test_predicted_tv_counts_noise_where_measured_and_distance_elsewhere() -> None:
    distances, n_cells = np.array([0.3, 0.1, 0.02]), np.array([6, 10, 4])
    of_columns, n = np.array([0.01, 0.02, 0.03]), 1_000
    found = predicted_tv(distances, n_cells, of_columns, np.array([0]), np.array([20.0]), n)
    assert found == pytest.approx((6 * 20 / (2 * math.sqrt(2) * n) + 0.12 + 0.05) / 3)


def test_no_pair_is_selected_where_noise_drowns_all() -> None:
    selected, parts = select_pairs(np.full(5, 0.1), np.full(5, 9), 1e6, 1_000, False)
    assert len(selected) == len(parts) == 0


@pytest.mark.parametrize("n", [10, 1_000, 10**6, 10**8])
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 100.0])
def test_the_papers_covering_fits_its_blocks(n: int, epsilon: float) -> None:
    plan = plan_paper(BitLayout((2,) * 50), epsilon, n)
    assert plan.n_blocks >= 3
    assert plan.damping >= 1
    if plan.n_components:
        assert 0 < plan.alpha < 1
        assert (7 / plan.alpha) ** plan.n_components <= plan.n_blocks * (1 + 1e-9)
    assert 2**plan.n_label_bits <= plan.n_blocks
    assert (plan.partition == "pinning") == (plan.n_blocks >= 64) == (plan.n_label_bits > 0)
