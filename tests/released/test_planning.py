"""Plans depend on public quantities alone and never spend more than there is."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from covloss_fast.released.planning import NoiseLevels, plan_paper, plan_restored
from covloss_fast.schema import BitLayout

RESERVED = {"count": Fraction(3, 100), "certificate": Fraction(5, 100)}


@pytest.mark.parametrize("n", [10, 1_000, 50_000, 10_000_000])
@pytest.mark.parametrize("noise", [1e-3, 1.0, 50.0, 1e5])
@pytest.mark.parametrize("pure", [False, True])
@pytest.mark.parametrize("sizes", [(2,), (2,) * 30, (2, 5, 90), (1, 1)])
def test_shares_never_exceed_the_budget(n: int, noise: float, pure: bool, sizes: tuple[int, ...]) -> None:
    plan = plan_restored(BitLayout(sizes), NoiseLevels(noise, noise, pure), n, reserved=RESERVED)
    assert sum(plan.shares.values()) <= 1
    assert all(share > 0 for share in plan.shares.values())
    assert 1 <= plan.n_blocks <= 128
    assert 0 <= plan.least_fraction <= 1 / 3
    json.dumps(plan.to_dict())


def test_noise_that_drowns_the_blocks_gives_independent_columns() -> None:
    plan = plan_restored(BitLayout((2,) * 30), NoiseLevels(1e5, 1e5, False), 1_000, reserved=RESERVED)
    assert plan.n_blocks == 1
    assert plan.shares["one_way"] == 1 - sum(RESERVED.values())


def test_overrides_are_taken() -> None:
    plan = plan_restored(
        BitLayout((2,) * 30),
        NoiseLevels(10.0, 10.0, False),
        100_000,
        reserved=RESERVED,
        n_blocks=7,
        n_steps=1,
        n_components=3,
        shares={"one_way": 0.5, "pairs": 0.25, "blocks": 0.25},
    )
    assert (plan.n_blocks, plan.n_steps, plan.n_components) == (7, 1, 3)
    assert plan.shares["one_way"] == Fraction(46, 100)


@pytest.mark.parametrize("n", [10, 1_000, 10**6, 10**8])
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 100.0])
def test_the_papers_covering_fits_its_blocks(n: int, epsilon: float) -> None:
    plan = plan_paper(BitLayout((2,) * 50), epsilon, n)
    assert plan.n_blocks >= 3
    assert plan.damping >= 1
    if plan.n_components:
        assert 0 < plan.alpha < 1
        assert (7 / plan.alpha) ** plan.n_components <= plan.n_blocks * (1 + 1e-9)
