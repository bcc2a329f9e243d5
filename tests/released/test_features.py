"""Features: merging rare levels, centring, the convex set, and the way back to bits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covloss_fast.released.features import choose_features, merge_levels
from covloss_fast.schema import BitLayout

LAYOUT = BitLayout((2, 5, 1, 3, 2))
ONE_WAY = [
    np.array([0.2]),
    np.array([0.5, 0.01, 0.0, 0.09, 0.4]),
    np.array([1.0]),
    np.array([0.3, 0.3, 0.4]),
    np.array([-1.0]),
]


@settings(max_examples=100, deadline=None)
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
    features = choose_features(LAYOUT, ONE_WAY, [True] * 5, 0.0)
    assert features.n_features == 1 + 4 + 1 + 3 + 1  # a level of mass zero joins its neighbour
    assert features.freedom.tolist() == [1, 3, 0, 2, 1]


@pytest.mark.parametrize("least", [0.0, 0.05, 0.2, 1.0])
def test_means_of_features_come_back_as_means_of_bits(least: float) -> None:
    features = choose_features(LAYOUT, ONE_WAY, [True, False, True, True, True], least)
    bits = features.to_bits(features.means[None, :])[0]
    expected = np.concatenate([[0.6], ONE_WAY[1], [1.0], ONE_WAY[3], [0.0]])
    np.testing.assert_allclose(bits, expected, atol=1e-12)
    assert features.to_bits(
        features.project(np.random.default_rng(0).normal(size=(6, features.n_features)))
    ).shape == (
        6,
        LAYOUT.n_bits,
    )


def test_own_covariance_is_that_of_the_attribute() -> None:
    features = choose_features(LAYOUT, ONE_WAY, [True] * 5, 0.0)
    covariance = features.own_covariance()
    assert covariance[0, 0] == pytest.approx(1 - 0.2**2)
    group = slice(features.offsets[3], features.offsets[4])
    np.testing.assert_allclose(
        covariance[group, group], np.diag(ONE_WAY[3]) - np.outer(ONE_WAY[3], ONE_WAY[3])
    )
    assert not covariance[~features.same_attribute].any()


def test_centring_keeps_signal_that_sums_to_zero_and_removes_constants() -> None:
    features = choose_features(LAYOUT, ONE_WAY, [True] * 5, 0.0)
    shift = np.zeros(features.n_features)
    shift[features.offsets[1] : features.offsets[2]] = 3.0
    np.testing.assert_allclose(features.centre(shift), 0.0, atol=1e-12)
    pairs = features.centre_pairs(np.ones((features.n_features, features.n_features)))
    signed = np.flatnonzero(features.signed)
    assert pairs[signed[0], signed[1]] == 1.0
    assert np.abs(pairs).sum() == pytest.approx(2.0)
