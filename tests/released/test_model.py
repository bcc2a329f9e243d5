"""The block model: validation, moments, sampling."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from covloss_fast.released.model import BlockModel
from covloss_fast.released.rounding import project_onto_domain
from covloss_fast.schema import BitLayout

KEY = bytes(32)
SIZES = (2, 3, 2, 4)


def make(seed: int = 0, n_blocks: int = 5, sizes: tuple[int, ...] = SIZES) -> BlockModel:
    generator = np.random.default_rng(seed)
    layout = BitLayout(sizes)
    means = project_onto_domain(generator.normal(0.4, 0.5, (n_blocks, layout.n_bits)), layout)
    return BlockModel(sizes, generator.dirichlet(np.ones(n_blocks)), means)


def test_projected_means_are_accepted() -> None:
    for seed in range(20):
        make(seed, n_blocks=50, sizes=(2, 300, 2))


def test_moments_are_those_of_sampled_records() -> None:
    model = make()
    n = 400_000
    codes = model.sample_codes(n, KEY)
    bits = np.vstack(
        [
            (row == 1)[None] if size == 2 else row == np.arange(size)[:, None]
            for row, size in zip(codes, SIZES)
        ]
    ).astype(float)
    slack = 5 / (2 * np.sqrt(n))
    assert np.abs(bits.mean(axis=1) - model.marginals()).max() < slack
    assert np.abs(bits @ bits.T / n - model.second_moment()).max() < slack
    assert np.array_equal(model.second_moment()[1:4, 1:4], np.diag(model.marginals()[1:4]))


def test_arrays_give_the_same_model_bit_for_bit() -> None:
    for seed in range(20):
        model = make(seed, n_blocks=37)
        again = BlockModel.from_arrays(model.to_arrays())
        assert again == model
        assert np.array_equal(again.sample_codes(100, KEY), model.sample_codes(100, KEY))
    assert model != make(seed, n_blocks=36)
    assert model != "model"


def test_small_differences_are_taken_away_and_large_ones_refused() -> None:
    model = BlockModel((2, 3), np.array([0.5, 0.5 + 5e-10]), np.array([[1 + 5e-10, 1, -5e-10, 0]] * 2))
    assert abs(model.weights.sum() - 1) < 1e-15
    assert model.means.min() == 0
    assert model.means.max() == 1
    good = {"weights": np.array([0.5, 0.5]), "means": np.array([[0.5, 0.5, 0.25, 0.25]] * 2)}
    BlockModel((2, 3), **good)
    for name, index, value, message in [
        ("weights", 1, 0.5001, "must add to 1"),
        ("weights", 1, np.nan, "must add to 1"),
        ("weights", 1, -0.5, "must not be negative"),
        ("means", (1, 0), 1.001, r"block 1, bit 0 is not in \[0, 1\]"),
        ("means", (1, 0), np.nan, r"block 1, bit 0 is not in \[0, 1\]"),
        ("means", (1, 3), 0.26, "block 1, attribute 1, must add to 1"),
    ]:
        bad = {key: array.copy() for key, array in good.items()}
        bad[name][index] = value
        with pytest.raises(ValueError, match=message):
            BlockModel((2, 3), **bad)
    with pytest.raises(ValueError, match="at least one entry"):
        BlockModel((2,), np.zeros(0), np.zeros((0, 1)))
    with pytest.raises(ValueError, match=r"shape \(2, 4\)"):
        BlockModel((2, 3), good["weights"], np.zeros((2, 3)))


def test_model_cannot_be_changed() -> None:
    weights, means = np.ones(1), np.full((1, 1), 0.5)
    model = BlockModel((2,), weights, means)
    means[0, 0] = 1  # the caller's array, of which the model holds a copy
    assert model.means[0, 0] == 0.5
    with pytest.raises(ValueError, match="read-only"):
        model.means[0, 0] = 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        model.weights = weights  # type: ignore[misc]
    with pytest.raises(TypeError, match="unhashable"):
        hash(model)
    assert repr(make()) == "BlockModel(n_attributes=4, n_bits=9, n_blocks=5)"


def test_arrays_of_another_kind_are_refused() -> None:
    arrays = make().to_arrays()
    for name in arrays:
        with pytest.raises(ValueError, match=f"{name!r} is absent"):
            BlockModel.from_arrays({key: value for key, value in arrays.items() if key != name})
        with pytest.raises(ValueError, match=f"{name!r} is absent or not"):
            BlockModel.from_arrays({**arrays, name: arrays[name].astype(np.float32)})
    with pytest.raises(ValueError, match="not a vector"):
        BlockModel.from_arrays({**arrays, "sizes": np.ones((1, 1), dtype=np.int64)})
