"""Coarse levels: which levels are merged, their margins, and the shares that give the levels back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covloss_fast.released.coarse_levels import CoarseLevels, merge_levels

ONE_WAY = [
    np.array([0.4, 0.6]),
    np.array([0.5, 0.01, 0.0, 0.09, 0.4]),
    np.array([1.0]),
    np.array([0.3, 0.3, 0.4]),
    np.array([1.0, 0.0]),
]


@settings(max_examples=100)
@given(
    mass=st.lists(st.floats(0, 1), min_size=1, max_size=12),
    least=st.floats(1e-3, 0.5),
    ordered=st.booleans(),
)
def test_merged_levels_hold_enough_mass_or_are_alone(mass: list[float], least: float, ordered: bool) -> None:
    levels = np.array(mass)
    coarse = merge_levels(levels, least, ordered)
    assert sorted(set(coarse.tolist())) == list(range(coarse.max() + 1))
    held = np.bincount(coarse, levels)
    if len(held) > 1:
        assert held.min() >= least / 4
    if ordered:
        assert (np.diff(coarse) >= 0).all()
    alone = levels >= least
    assert np.bincount(coarse, alone).max() <= 2


def test_nothing_is_merged_without_noise() -> None:
    levels = CoarseLevels.choose(ONE_WAY, [True] * 5, 0.0)
    assert levels.sizes == (2, 4, 1, 3, 2)  # a level of mass zero joins its neighbour; two levels stay two
    assert levels.offsets.tolist() == [0, 2, 6, 7, 10, 12]


@pytest.mark.parametrize("least", [0.0, 0.05, 0.2, 1.0])
def test_margins_and_shares_give_the_levels_back(least: float) -> None:
    levels = CoarseLevels.choose(ONE_WAY, [True, False, True, True, True], least)
    for fractions, of_level, share, margin in zip(ONE_WAY, levels.of_level, levels.share, levels.margins):
        np.testing.assert_allclose(margin[of_level] * share, fractions, atol=1e-12)
        np.testing.assert_allclose(np.bincount(of_level, share), 1.0)
