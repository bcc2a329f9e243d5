"""Rows fitted to coarse tables: what was not measured follows, structural zeros are kept."""

from __future__ import annotations

import numpy as np
import pytest

from covloss_fast.released.coarse_levels import CoarseLevels
from covloss_fast.released.fitting import (
    MOST_CACHED_LEVELS,
    CoarseTargets,
    ColumnTargets,
    PairTargets,
    table_weight,
)
from covloss_fast.released.model import BlockModel
from covloss_fast.released.rows import PackedCodes, RepeatedRows
from covloss_fast.released.structural_zeros import impossible_rows

KEY = b"f" * 32
NO_ZEROS = np.empty((0, 4), dtype=np.int32)
SIZES = (3, 3, 3)
LEVELS = CoarseLevels.choose([np.full(3, 1 / 3)] * 3, [True] * 3, 0.0)
SAME = np.eye(3) / 3  # equal always


def table(codes: np.ndarray, a: int, b: int) -> np.ndarray:
    """Fractions of a pair table."""
    out = np.zeros((3, 3))
    np.add.at(out, (codes[a], codes[b]), 1 / codes.shape[1])
    return out


def test_surer_tables_count_more() -> None:
    assert table_weight(100.0) < table_weight(30.0) < table_weight(5.0) == table_weight(1.0) == 4.0


def test_pairs_that_were_not_measured_follow_from_those_that_were() -> None:
    tables = {(0, 1): 0.8 * SAME + 0.2 / 9, (1, 2): 0.8 * SAME + 0.2 / 9}
    codes = (
        CoarseTargets(SIZES, LEVELS, tables, dict.fromkeys(tables, 1.0), NO_ZEROS)
        .fit(9_000, KEY, 1)
        .codes(0, 9_000)
    )
    np.testing.assert_allclose(table(codes, 0, 2), 0.64 * SAME + 0.36 / 9, atol=0.02)


def test_rows_are_fitted_without_what_structural_zeros_rule_out() -> None:
    zeros = np.array([[0, 0, 1, 0], [1, 2, 2, 2]], dtype=np.int32)
    tables = {(0, 1): SAME, (1, 2): SAME, (0, 2): SAME}
    coarse = CoarseTargets(SIZES, LEVELS, tables, dict.fromkeys(tables, 1.0), zeros)
    assert not impossible_rows(coarse.fit(2_000, KEY, 1).codes(0, 2_000), zeros).any()
    model = BlockModel((2, 2), np.ones(1), np.full((1, 2), 0.5))
    both = np.array([[0, 1, 1, 1]], dtype=np.int32)
    pairs = PairTargets(model, np.full(2, 0.5), np.full((2, 2), 0.4), both)
    assert not impossible_rows(pairs.fit(2_000, KEY, 1).codes(0, 2_000), both).any()


@pytest.mark.parametrize("n_rows", [0, 1, 7, 1_000])
def test_columns_have_their_quotas(n_rows: int) -> None:
    codes = ColumnTargets((2, 3), np.array([0.25, 0.5, 0.25, 0.25])).fit(n_rows, KEY, 1).codes(0, n_rows)
    assert codes.shape == (2, n_rows)
    assert abs(codes[0].sum() - n_rows / 4) < 1
    assert np.abs(np.bincount(codes[1], minlength=3) - n_rows * np.array([0.5, 0.25, 0.25])).max() < 1


def test_a_table_of_many_levels_is_made_again_over_coarse_levels() -> None:
    generator = np.random.default_rng(0)
    sizes = (400, 2, 350)
    place = generator.random(20_000) ** 2
    codes = np.stack([place * 400, place < 0.3, np.clip(place + 0.02, 0, 0.999) * 350]).astype(np.uint16)
    rows = RepeatedRows(PackedCodes.of_codes(codes, sizes, 1), 20_000)
    targets = CoarseTargets.of_rows(sizes, [True] * 3, rows, NO_ZEROS, 1)
    assert sum(targets.levels.sizes) <= MOST_CACHED_LEVELS
    made = targets.fit(20_000, KEY, 1).codes(0, 20_000)
    for a, size in enumerate(sizes):
        counts = [np.bincount(each[a], minlength=size) for each in (made, codes)]
        assert np.abs(counts[0] - counts[1]).max() <= 3
    parts = [np.histogram2d(each[0], each[2], bins=20)[0] for each in (made, codes)]
    assert np.abs(parts[0] - parts[1]).sum() / 40_000 < 0.04
