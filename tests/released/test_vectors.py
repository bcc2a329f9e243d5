"""Directions, numbers of blocks, points and samples of released block means."""

from __future__ import annotations

import math

import numpy as np
import pytest

from covloss_fast.released.vectors import (
    MAX_BLOCKS,
    BlockMeans,
    choose_n_blocks,
    combined,
    distortion,
    gaussian_points,
    principal_directions,
)


def test_samples_have_each_block_as_often_as_its_weight_says() -> None:
    rng = np.random.default_rng(1)
    weights = rng.dirichlet(np.ones(20))
    model = BlockMeans(weights, np.arange(20.0)[:, None])
    totals = np.zeros(20)
    for seed in range(2_000):
        made = model.sample(37, np.random.default_rng(seed))
        counts = np.bincount(made[:, 0].astype(int), minlength=20)
        assert counts.sum() == 37
        assert (np.abs(counts - 37 * weights) < 1).all()
        totals += counts
    assert np.allclose(totals / 2_000, 37 * weights, atol=5 * 0.5 / math.sqrt(2_000))  # unbiased


def test_samples_are_in_random_order() -> None:
    model = BlockMeans(np.array([0.5, 0.5]), np.array([[0.0], [1.0]]))
    made = model.sample(10_000, np.random.default_rng(1))[:, 0]
    assert abs(np.corrcoef(made[:-1], made[1:])[0, 1]) < 0.05


@pytest.mark.parametrize("n_rows", [0, 1, 2, 7])
def test_few_rows(n_rows: int) -> None:
    model = BlockMeans(np.array([1.0, 0.0]), np.array([[1.0, 2.0], [3.0, 4.0]]))
    made = model.sample(n_rows, np.random.default_rng(1))
    assert made.tolist() == [[1.0, 2.0]] * n_rows


@pytest.mark.parametrize(
    ("weights", "means"),
    [
        ([0.5, 0.4], [[0.0], [1.0]]),
        ([1.5, -0.5], [[0.0], [1.0]]),
        ([0.5, 0.5], [[0.0], [np.nan]]),
        ([1.0], [[0.0], [1.0]]),
        ([], np.zeros((0, 1))),
        ([np.nan], [[0.0]]),
    ],
)
def test_what_is_no_law_is_refused(weights: list[float], means: list[list[float]]) -> None:
    with pytest.raises(ValueError):
        BlockMeans(np.array(weights), np.array(means))


def test_a_model_cannot_be_written_to_and_is_read_as_written() -> None:
    model = BlockMeans(np.array([0.25, 0.75]), np.array([[0.0], [1.0]]))
    with pytest.raises(ValueError, match="read-only"):
        model.means[0, 0] = 1
    read = BlockMeans.from_arrays(model.to_arrays())
    assert np.array_equal(read.means, model.means)
    with pytest.raises(ValueError, match="weights"):
        BlockMeans.from_arrays({"means": model.means})


def test_distortion_is_reverse_water_filling() -> None:
    assert distortion(np.array([4.0]), 1) == pytest.approx(4)
    assert distortion(np.array([4.0]), 8) == pytest.approx(4 / 64)
    assert distortion(np.array([1.0, 1.0]), 16) == pytest.approx(2 / 16)
    # 2 nats of rate for 1, 0.001: the second stays.
    assert distortion(np.array([1.0, 0.001]), 4) == pytest.approx(1 / 16 + 0.001)
    values = [distortion(np.array([3.0, 1.0, 0.3, 0.1]), k) for k in range(1, 400)]
    assert values[0] == pytest.approx(4.4)
    assert (np.diff(values) < 0).all()


def test_fewer_blocks_where_there_is_more_noise() -> None:
    variances = np.array([0.05, 0.03, 0.01])
    chosen = [choose_n_blocks(variances, 10_000, noise) for noise in (0.0, 1.0, 10.0, 100.0, 1e4)]
    assert chosen[0] > MAX_BLOCKS // 2  # ten records in each
    assert chosen == sorted(chosen, reverse=True)
    assert chosen[1] > 8
    assert chosen[-1] == 1
    assert choose_n_blocks(np.empty(0), 1e9, 0.0) == 1
    assert choose_n_blocks(variances, 10, 0.0) == 1


def test_directions_of_noise_alone_are_none() -> None:
    rng = np.random.default_rng(2)
    p, sd = 60, 0.1
    noise = rng.normal(0, sd, (p, p))
    noise = np.triu(noise) + np.triu(noise, 1).T
    assert principal_directions(0.5 * noise, sd)[1].shape == (p, 0)
    signal = np.zeros(p)
    signal[3] = 2.0
    variances, directions = principal_directions(noise + np.outer(signal, signal), sd)
    assert directions.shape == (p, 1)
    assert abs(directions[3, 0]) > 0.9
    assert variances[0] == pytest.approx(4, rel=0.25)


def test_gaussian_points_are_far_better_than_one_point() -> None:
    variances = np.array([1.0, 0.25])
    points = gaussian_points(variances, 32, np.random.default_rng(1), 1)
    drawn = np.random.default_rng(2).standard_normal((5_000, 2)) * np.sqrt(variances)
    lost = ((drawn[:, None] - points) ** 2).sum(axis=2).min(axis=1).mean()
    assert lost < 2.5 * distortion(variances, 32)
    assert gaussian_points(variances, 50_000, np.random.default_rng(1), 2).shape == (50_000, 2)


def test_estimates_are_combined_by_precision() -> None:
    value, variance = combined([(1.0, 1.0), (4.0, 0.5)])
    assert value == pytest.approx(3.0)
    assert variance == pytest.approx(1 / 3)
