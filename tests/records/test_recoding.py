"""Exact statistics in the released coding equal sums over recoded records."""

from __future__ import annotations

import numpy as np
import pytest

from covloss_fast.records.encoding import encode
from covloss_fast.records.recoding import coarse_pair_counts, recode_moments, signed_block_sums
from covloss_fast.records.statistics import BlockStatistics, Moments
from covloss_fast.schema import Schema


@pytest.mark.parametrize("n", [0, 1, 50])
def test_signed_statistics_are_sums_over_signed_records(n: int) -> None:
    generator = np.random.default_rng(n)
    bits = generator.integers(0, 2, (n, 7))
    signed = np.array([True, False, False, True, True, False, True])
    recoded = np.where(signed, 2 * bits - 1, bits)
    np.testing.assert_array_equal(recode_moments(Moments(n, bits.T @ bits), signed), recoded.T @ recoded)

    labels = generator.integers(0, 3, n)
    blocks = BlockStatistics(
        np.bincount(labels, minlength=3), np.array([bits[labels == j].sum(axis=0) for j in range(3)])
    )
    expected = np.array([(2 * bits - 1)[labels == j].sum(axis=0) for j in range(3)])
    np.testing.assert_array_equal(signed_block_sums(blocks), expected)


@pytest.mark.parametrize("n", [0, 1, 200])
def test_coarse_pair_tables_are_tables_of_coarse_codes(n: int) -> None:
    sizes = (2, 5, 1, 2, 3)
    of_level = [np.arange(2), np.array([0, 1, 0, 2, 1]), np.zeros(1, dtype=np.int64), np.arange(2)]
    of_level.append(np.zeros(3, dtype=np.int64))
    generator = np.random.default_rng(n)
    table = np.stack([generator.integers(0, size, n) for size in sizes], axis=1)
    schema = Schema.from_domain({f"a{j}": size for j, size in enumerate(sizes)})
    records = encode(table, schema)
    moments = Moments.from_records(records.bits, records.codes, schema.layout)
    counts = coarse_pair_counts(moments, schema.layout, of_level)
    coarse_sizes = [2, 3, 1, 2, 1]
    offsets = np.concatenate([[0], np.cumsum(coarse_sizes)])
    assert counts.shape == (9, 9)
    for a in range(5):
        for b in range(5):
            if a == b:
                continue
            expected = np.zeros((coarse_sizes[a], coarse_sizes[b]), dtype=np.int64)
            np.add.at(expected, (of_level[a][table[:, a]], of_level[b][table[:, b]]), 1)
            block = counts[offsets[a] : offsets[a + 1], offsets[b] : offsets[b + 1]]
            np.testing.assert_array_equal(block, expected)
