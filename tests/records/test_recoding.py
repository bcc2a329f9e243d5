"""Exact statistics of features equal sums over recoded records."""

from __future__ import annotations

import numpy as np
import pytest

from covloss_fast.records.recoding import recode_block_sums, recode_moments
from covloss_fast.records.statistics import BlockStatistics, Moments


@pytest.mark.parametrize("n", [0, 1, 50])
def test_recoded_statistics_are_sums_over_recoded_records(n: int) -> None:
    generator = np.random.default_rng(n)
    bits = generator.integers(0, 2, (n, 7))
    of_bit = np.array([0, 1, 1, 2, 3, 3, 3])
    signed = np.array([True, False, False, True])[: of_bit.max() + 1]
    features = np.zeros((n, 4), dtype=np.int64)
    for bit, feature in enumerate(of_bit):
        features[:, feature] += bits[:, bit]
    features[:, signed] = 2 * features[:, signed] - 1

    moments = Moments(n, bits.T @ bits)
    np.testing.assert_array_equal(recode_moments(moments, of_bit, signed), features.T @ features)

    labels = generator.integers(0, 3, n)
    blocks = BlockStatistics(
        np.bincount(labels, minlength=3), np.array([bits[labels == j].sum(axis=0) for j in range(3)])
    )
    expected = np.array([features[labels == j].sum(axis=0) for j in range(3)])
    np.testing.assert_array_equal(recode_block_sums(blocks, of_bit, signed), expected)
