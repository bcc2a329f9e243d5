"""Sets of bits of distinct attributes: all of them, or a uniform sample that any schema can give."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from covloss_fast.released.marginal_sets import count_sets, draw_sets
from covloss_fast.schema import BitLayout


def every_set(layout: BitLayout, degree: int) -> set[tuple[int, ...]]:
    owner = layout.attribute_of_bit
    return {
        chosen
        for chosen in itertools.combinations(range(layout.n_bits), degree)
        if len(set(owner[list(chosen)].tolist())) == degree
    }


@pytest.mark.parametrize("sizes", [(2,), (2, 2, 2, 2), (3, 2, 5, 1), (1, 1, 9)])
def test_all_sets_are_listed_where_there_is_room(sizes: tuple[int, ...]) -> None:
    layout = BitLayout(sizes)
    for degree in range(1, len(sizes) + 1):
        sets, is_sample = draw_sets(layout, degree, 10_000, np.random.default_rng(0))
        assert not is_sample
        assert set(map(tuple, sets.tolist())) == every_set(layout, degree)
        assert len(sets) == count_sets(layout, degree)


def test_a_sample_is_uniform() -> None:
    layout = BitLayout((12, 2, 2, 3))
    sets = every_set(layout, 3)
    counts = dict.fromkeys(sets, 0)
    generator = np.random.default_rng(1)
    rounds, size = 3_000, 20
    for _ in range(rounds):
        drawn, is_sample = draw_sets(layout, 3, size, generator)
        assert is_sample
        rows = list(map(tuple, drawn.tolist()))
        assert len(set(rows)) == size
        for row in rows:
            counts[row] += 1
    mean = rounds * size / len(sets)
    spread = np.sqrt(mean * (1 - size / len(sets)))
    assert np.abs(np.array(list(counts.values())) - mean).max() < 5 * spread


@pytest.mark.parametrize("degree", [2, 3, 4, 6])
def test_very_unequal_attributes_are_sampled_at_once(degree: int) -> None:
    layout = BitLayout((7_000, 2, 2, 2, 2, 2))
    wanted = min(count_sets(layout, degree) - 1, 5_000)
    sets, is_sample = draw_sets(layout, degree, wanted, np.random.default_rng(2))
    assert is_sample
    assert sets.shape == (wanted, degree)
    assert (np.diff(layout.attribute_of_bit[sets], axis=1) > 0).all()
    assert len(np.unique(sets, axis=0)) == wanted
