"""The recommended method: released means, released pairs, then blocks refined step by step.

1. The 1-way means are released. Levels too rare to matter above the noise are merged (features).
2. All pairs of features are released and denoised; the leading eigenvectors are the directions.
3. Nearest-point partition of the projected records around public random points, all block counts and sums
   released, the points moved to the released block means; repeated. Each step reads the records through the
   mechanism alone, its partition is a function of what was released before: adaptive composition.
4. Denoised block weights and means form the model.

Where blocks would not stand above their noise, the whole budget goes to the 1-way means.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from covloss_fast._core import rounding
from covloss_fast._core.bits import column_counts
from covloss_fast._core.partition import symmetric_eigen
from covloss_fast.pipelines.common import Release, Task
from covloss_fast.privacy import mechanisms
from covloss_fast.records.partition import NearestPoint
from covloss_fast.records.recoding import recode_block_sums, recode_moments
from covloss_fast.records.statistics import BlockStatistics, Moments
from covloss_fast.released.denoising import (
    block_weights_and_means,
    covariance_between_attributes,
    shrink_towards_common_mean,
)
from covloss_fast.released.features import Features, choose_features
from covloss_fast.released.model import BlockModel
from covloss_fast.released.planning import CERTIFICATE_SHARE, COUNT_SHARE, NoiseLevels, Plan, plan_restored
from covloss_fast.schema import Categorical

_POINTS = 1


def release_restored(task: Task) -> Release:
    """Release a block model by the recommended pipeline."""
    reserved = {"certificate": CERTIFICATE_SHARE} if task.certificate else {}
    if task.neighbours == "add_or_remove_one":
        reserved["count"] = COUNT_SHARE
    count = task.release_count(COUNT_SHARE)
    plan = plan_restored(task.layout, _noise_levels(task), count.n, reserved=reserved, **task.options)
    one_way = _release_one_way(task, plan)
    features = choose_features(task.layout, one_way, _ordered(task), plan.least_fraction)
    if plan.n_blocks == 1:
        weights, means = np.ones(1), features.means[None, :]
    else:
        weights, means = _release_blocks(task, plan, features)
    model = BlockModel(task.layout.sizes, weights, features.to_bits(means))
    return Release(model, count, plan.to_dict())


def _ordered(task: Task) -> list[bool]:
    """Whether the codes of an attribute have an order: bins of numbers do, and levels declared so."""
    return [
        not isinstance(attribute, Categorical) or attribute.ordered or task.schema.is_coded
        for attribute in task.schema.attributes
    ]


def _noise_levels(task: Task) -> NoiseLevels:
    if len(task.layout.sizes) < 2:  # no pairs, so nothing to project and no blocks
        return NoiseLevels(pairs=math.inf, blocks=math.inf, is_pure=task.door.budget.is_pure)
    pairs = mechanisms.all_pairs(task.n_binary, task.n_other, task.neighbours)
    blocks = mechanisms.block_statistics(task.n_binary, task.n_other, task.neighbours)
    return NoiseLevels(
        pairs=_noise_sd(task, pairs),
        blocks=_noise_sd(task, blocks),
        is_pure=task.door.budget.is_pure,
    )


def _noise_sd(task: Task, sensitivity: mechanisms.Sensitivity) -> float:
    """Noise of a cell if the whole budget went to one query."""
    scale = task.door.scale_of(sensitivity, Fraction(1))
    name: Literal["discrete Laplace", "discrete Gaussian"]
    name = "discrete Laplace" if task.door.budget.is_pure else "discrete Gaussian"
    return math.sqrt(mechanisms.noise_variance(name, scale))


def _release_one_way(task: Task, plan: Plan) -> list[NDArray[np.float64]]:
    """Means of the binary attributes in [-1, 1], fractions of the levels of the others."""
    layout, n = task.layout, plan.n
    # Equal marginal gains: a share in proportion to size^(2/3) (Gaussian) or size^(1/2) (Laplace).
    power = 0.5 if task.door.budget.is_pure else 2.0 / 3.0
    weight = np.where(layout.is_binary, 1.0, np.array(layout.sizes, dtype=float) ** power)
    means: list[NDArray[np.float64]] = [np.empty(0)] * len(layout.sizes)

    def part(attributes: NDArray[np.bool_]) -> Fraction:
        return plan.shares["one_way"] * Fraction(int(1e9 * weight[attributes].sum() / weight.sum()), 10**9)

    # All are written down before any is counted.
    binary = np.flatnonzero(layout.is_binary)
    if len(binary):
        sensitivity = mechanisms.one_way(len(binary), 0, task.neighbours)
        of_sums = task.door.declare("sums of the binary attributes", sensitivity, part(layout.is_binary))
    of_levels = {
        attribute: task.door.declare(
            f"levels of {task.schema.names[attribute]!r}",
            mechanisms.one_way(0, 1, task.neighbours),
            part(np.arange(len(layout.sizes)) == attribute),
        )
        for attribute in np.flatnonzero(~layout.is_binary)
    }
    ones = column_counts(task.records.bits, task.n_threads)
    if len(binary):
        released = task.release(of_sums, 2 * ones[layout.offsets[binary]] - task.records.n_records)
        shrunk = shrink_towards_common_mean(released / n, of_sums.noise_sd / n)
        for attribute, value in zip(binary, np.clip(shrunk, -1.0, 1.0)):
            means[attribute] = np.array([value])
    for attribute, mechanism in of_levels.items():
        first, last = layout.offsets[attribute], layout.offsets[attribute + 1]
        released = task.release(mechanism, ones[first:last])
        means[attribute] = rounding.project_simplex(released[None, :] / n, 1)[0]
    return means


def _release_blocks(
    task: Task, plan: Plan, features: Features
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Weights and feature means of the blocks of a refined nearest-point partition."""
    directions, spread = _directions(task, plan, features)
    generator = task.public_generator(_POINTS)

    def draw() -> NDArray[np.float64]:
        return 0.7 * spread * generator.standard_normal((plan.n_blocks, len(spread)))

    points = draw()
    share = plan.shares["blocks"] / plan.n_steps
    sensitivity = mechanisms.block_statistics(task.n_binary, task.n_other, task.neighbours)
    for step in range(plan.n_steps):
        mechanism = task.door.declare(
            f"counts and sums of {plan.n_blocks} blocks, step {step + 1}", sensitivity, share
        )
        partition = NearestPoint.from_real(
            directions=_per_bit(features, directions),
            offset=-(features.means + features.signed) @ directions,
            points=points,
        )
        labels = partition.labels(task.records.bits, task.n_threads)
        exact = BlockStatistics.from_labels(task.records.bits, labels, plan.n_blocks, task.n_threads)
        sums = recode_block_sums(exact, features.of_bit, features.signed)
        released = task.release(mechanism, np.column_stack([exact.counts, sums]))
        counts, sums = released[:, 0], released[:, 1:]
        if step + 1 < plan.n_steps:
            seen = counts > 4.0 * mechanism.noise_sd * np.sqrt(len(spread))
            size = np.maximum(counts, 3.0 * mechanism.noise_sd)[:, None]
            moved = (sums / size - features.means) @ directions
            points = np.where(seen[:, None], moved, draw())
    return block_weights_and_means(features, counts, sums, plan.n, mechanism.noise_sd)


def _directions(
    task: Task, plan: Plan, features: Features
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Leading eigenvectors of the released covariance, and the standard deviations along them."""
    sensitivity = mechanisms.all_pairs(task.n_binary, task.n_other, task.neighbours)
    mechanism = task.door.declare("all pairs of attributes", sensitivity, plan.shares["pairs"])
    moments = Moments.from_records(task.records.bits, task.records.codes, task.layout, task.n_threads)
    exact = recode_moments(moments, features.of_bit, features.signed)
    upper = np.triu_indices(features.n_features, 1)
    queried = features.attribute[upper[0]] != features.attribute[upper[1]]
    rows, columns = upper[0][queried], upper[1][queried]
    pairs = np.zeros_like(exact)
    pairs[rows, columns] = task.release(mechanism, exact[rows, columns])
    pairs += pairs.T
    covariance, n_kept = covariance_between_attributes(features, pairs, plan.n, mechanism.noise_sd)
    values, vectors = symmetric_eigen(covariance + features.own_covariance())
    n_components = max(1, min(plan.n_components, n_kept))
    spread = np.sqrt(np.maximum(values[:n_components], 1e-9))
    return np.ascontiguousarray(vectors[:, :n_components]), spread


def _per_bit(features: Features, directions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Directions over features as directions over 0/1 bits: a signed feature is 2 x - 1."""
    return (directions * (1.0 + features.signed)[:, None])[features.of_bit]
