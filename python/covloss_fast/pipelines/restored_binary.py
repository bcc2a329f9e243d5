"""Tables of binary attributes, as z = 2 x - 1: means, all pairs, then blocks refined step by step.

1. The means are released, then all products of pairs, which are denoised together. Their leading eigenvectors
   are the directions.
2. Nearest-point partition of the projected records around public random points, all block counts and sums
   released, the points moved to the released block means; repeated. Each step reads the records through the
   mechanism alone, its partition is a function of what was released before: adaptive composition.
3. Denoised block weights and means form the model, which carries what pairs do not say.

4. Rows are fitted to the pairs alone; if their blocks are those released, but for noise, blocks say nothing
   new and are left out of the fit.

Where blocks would not stand above their noise there are none. Where pairs would not, blocks of pinned
attributes take their place if those do (`plan_binary`), else the means alone are released.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from covloss_fast._core.partition import symmetric_eigen
from covloss_fast.pipelines.common import Count, Release, Task, full_noise_sd
from covloss_fast.privacy import mechanisms
from covloss_fast.privacy.accounting import Budget
from covloss_fast.privacy.ledger import Neighbours
from covloss_fast.records.partition import NearestPoint, Pinning
from covloss_fast.records.recoding import recode_moments, signed_block_sums
from covloss_fast.records.statistics import BlockStatistics
from covloss_fast.released.denoising import (
    block_weights_and_means,
    denoise_covariance,
    pair_fractions,
    shrink_towards_common_mean,
)
from covloss_fast.released.fitting import ColumnTargets, PairTargets
from covloss_fast.released.measured import Measured
from covloss_fast.released.model import BlockModel
from covloss_fast.released.planning import NoiseLevels, Plan, plan_binary, predicted_rms
from covloss_fast.released.rows import pack_rows

_POINTS, _PINS = 1, 2
#: Blocks take part in the fit where their lack of fit (about 1 by noise alone) is beyond this.
_LACK_OF_FIT = 2.5
LARGEST_PROBE = 50_000
#: Structure of pinned blocks is told from Laplace noise with care: see `denoising.block_weights_and_means`.
_PINS_MARGIN, _PINS_LEAST_IN_SD = 1.3, 2.0
#: Distances that fit 31 bits are found twice as fast; fewer than one label in a hundred differs.
_DISTANCE_BITS = 31


def release_binary(task: Task, count: Count, reserved: Mapping[str, Fraction]) -> Release:
    """Release means, pairs and blocks of binary attributes."""
    p = task.n_binary
    noise = binary_noise(task.door.budget, p, task.neighbours)
    plan = plan_binary(p, noise, count.n, reserved=reserved, **task.options)
    sums, sums_sd = _release_sums(task, plan)
    means = np.clip(shrink_towards_common_mean(sums / plan.n, sums_sd / plan.n), -1.0, 1.0)
    measured = Measured(
        sizes=task.layout.sizes,
        n=float(count.n),
        n_sd=count.noise_sd,
        singles=tuple(sums[:, None].astype(np.float64)),
        single_sd=np.full(p, sums_sd),
    )
    one_way = (1.0 + means) / 2.0
    model = BlockModel(task.layout.sizes, np.ones(1), one_way[None, :])
    parameters = {**plan.to_dict(), "predicted_rms": predicted_rms(plan, noise)}
    if plan.is_independent:
        return Release(model, count, parameters, ColumnTargets(model.sizes, one_way), measured)
    if plan.n_pins:
        model = _release_pinned(task, plan, means)
        return Release(model, count, parameters, _targets_of_blocks(task, model, one_way), measured)
    pairs, noise_sd = _release_pairs(task, plan)
    measured = replace(measured, products=pairs.astype(np.float64), product_sd=noise_sd)
    noisy = pairs / plan.n - np.outer(means, means)
    covariance, smooth, n_kept = denoise_covariance(
        noisy, noise_sd / plan.n, means, is_laplace=task.door.budget.is_pure
    )
    means_sd = noise.at("means", float(plan.shares["one_way"]))
    targets = PairTargets(
        model,
        one_way,
        pair_fractions(covariance, means),
        task.schema.zeros,
        one_way_weight=max(1.0, (noise_sd / means_sd) ** 2),
    )
    if plan.n_blocks == 1:
        return Release(model, count, parameters, targets, measured)
    values, vectors = symmetric_eigen(np.ascontiguousarray(smooth))
    n_components = max(1, min(plan.n_components, n_kept))
    directions = np.ascontiguousarray(vectors[:, :n_components])
    spread = np.sqrt(np.maximum(values[:n_components], 1e-9))
    blocks = _release_blocks(task, plan, means, directions, spread)
    lack_of_fit = _lack_of_fit(task, plan, targets, blocks)
    if lack_of_fit > _LACK_OF_FIT:
        weights, of_block = block_weights_and_means(
            means, blocks.counts, blocks.sums, plan.n, blocks.noise_sd
        )
        model = BlockModel(task.layout.sizes, weights, (1.0 + of_block) / 2.0)
        targets = replace(targets, model=model, block_weight=max(1.0, (noise_sd / blocks.noise_sd) ** 2))
    parameters.update(lack_of_fit=lack_of_fit, n_blocks_used=model.n_blocks)
    return Release(model, count, parameters, targets, measured)


def _release_sums(task: Task, plan: Plan) -> tuple[NDArray[np.int64], float]:
    """Sums of z, and the noise of each."""
    sensitivity = mechanisms.one_way(task.n_binary, 0, task.neighbours)
    mechanism = task.door.declare("sums of the binary attributes", sensitivity, plan.shares["one_way"])
    ones = task.column_counts()
    return task.release(mechanism, 2 * ones - task.records.n_records), mechanism.noise_sd


def _release_pairs(task: Task, plan: Plan) -> tuple[NDArray[np.int64], float]:
    """Sums of z_a z_b, symmetric with an empty diagonal, and the noise of each."""
    sensitivity = mechanisms.all_pairs(task.n_binary, 0, task.neighbours)
    mechanism = task.door.declare("all pairs of attributes", sensitivity, plan.shares["pairs"])
    upper = np.triu_indices(task.n_binary, 1)
    exact = recode_moments(task.moments(), task.layout.is_binary)
    pairs = np.zeros((task.n_binary, task.n_binary), dtype=np.int64)
    pairs[upper] = task.release(mechanism, exact[upper])
    return pairs + pairs.T, mechanism.noise_sd


@dataclass(frozen=True)
class _Blocks:
    """A partition and the released counts and sums of its blocks."""

    partition: NearestPoint | Pinning
    counts: NDArray[np.float64]
    sums: NDArray[np.int64]
    count_sd: float
    noise_sd: float


def binary_noise(budget: Budget, p: int, neighbours: Neighbours) -> NoiseLevels:
    """Noise of what is released of p binary attributes."""
    weight = mechanisms.free_count_weight(p, neighbours, budget.is_pure)
    sensitivities = {
        "means": mechanisms.one_way(p, 0, neighbours),
        "blocks": mechanisms.block_statistics(p, 0, neighbours, weight),
        **({"all_pairs": mechanisms.all_pairs(p, 0, neighbours)} if p > 1 else {}),
    }
    levels = {name: full_noise_sd(budget, sensitivity) for name, sensitivity in sensitivities.items()}
    return NoiseLevels({"all_pairs": 0.0, **levels}, budget.is_pure)


def _release_blocks(
    task: Task,
    plan: Plan,
    means: NDArray[np.float64],
    directions: NDArray[np.float64],
    spread: NDArray[np.float64],
) -> _Blocks:
    """Counts and sums of the blocks of a refined nearest-point partition."""
    generator = task.public_generator(_POINTS)

    def draw() -> NDArray[np.float64]:
        return 0.7 * spread * generator.standard_normal((plan.n_blocks, len(spread)))

    points = draw()
    share = plan.shares["blocks"] / plan.n_steps
    weight = mechanisms.free_count_weight(task.n_binary, task.neighbours, task.door.budget.is_pure)
    for step in range(plan.n_steps):
        # Over bits: (z - means) V = x (2 V) - (1 + means) V.
        partition = NearestPoint.from_real(
            directions=2.0 * directions,
            offset=-(1.0 + means) @ directions,
            points=points,
            distance_bits=_DISTANCE_BITS,
        )
        blocks = _ask_blocks(task, partition, f"step {step + 1}", share, weight)
        if step + 1 < plan.n_steps:
            seen = blocks.counts > 4.0 * blocks.noise_sd * np.sqrt(len(spread))
            size = np.maximum(blocks.counts, 3.0 * blocks.noise_sd)[:, None]
            moved = (blocks.sums / size - means) @ directions
            points = np.where(seen[:, None], moved, draw())
    return blocks


def _ask_blocks(
    task: Task, partition: NearestPoint | Pinning, which: str, share: Fraction, weight: int
) -> _Blocks:
    """Released counts, which weigh `weight` beside the sums, and sums of the blocks of a partition."""
    n_blocks = partition.n_blocks
    sensitivity = mechanisms.block_statistics(task.n_binary, 0, task.neighbours, weight)
    mechanism = task.door.declare(f"counts and sums of {n_blocks} blocks, {which}", sensitivity, share)
    exact = task.block_statistics(partition)
    released = task.release(mechanism, np.column_stack([weight * exact.counts, signed_block_sums(exact)]))
    return _Blocks(
        partition, released[:, 0] / weight, released[:, 1:], mechanism.noise_sd / weight, mechanism.noise_sd
    )


def _release_pinned(task: Task, plan: Plan, means: NDArray[np.float64]) -> BlockModel:
    """Denoised blocks of the values of attributes that are drawn without the data.

    A block's sums without structure are its count times the means: noise of the counts would be taken for
    structure. They are released with floor(sqrt p) times less of it (theory's balance for Laplace noise).
    """
    seed = int(task.public_generator(_PINS).integers(2**63))
    pins = Pinning.random(task.n_binary, plan.n_pins, seed)
    weight = mechanisms.balanced_count_weight(task.n_binary)
    blocks = _ask_blocks(task, pins, "pinned", plan.shares["blocks"], weight)
    pinned = np.array(pins.columns)
    others = np.setdiff1d(np.arange(task.n_binary), pinned)
    of_block = np.empty((plan.n_blocks, task.n_binary))
    of_block[:, pinned] = 2.0 * (np.arange(plan.n_blocks)[:, None] >> np.arange(plan.n_pins) & 1) - 1.0
    weights, of_block[:, others] = block_weights_and_means(
        means[others],
        blocks.counts,
        blocks.sums[:, others],
        plan.n,
        blocks.noise_sd,
        margin=_PINS_MARGIN,
        least_in_sd=_PINS_LEAST_IN_SD,
    )
    return BlockModel(task.layout.sizes, weights, (1.0 + of_block) / 2.0)


def _targets_of_blocks(task: Task, model: BlockModel, one_way: NDArray[np.float64]) -> PairTargets:
    """The pairs that blocks imply, if attributes are independent within them."""
    weighted = model.weights[:, None] * model.means
    pairs = weighted.T @ model.means
    return PairTargets(model, one_way, pairs, task.schema.zeros)


def _lack_of_fit(task: Task, plan: Plan, targets: PairTargets, blocks: _Blocks) -> float:
    """Squared discrepancy of the released blocks from those of rows that fit the pairs alone, over its noise.

    It is about 1 where blocks say nothing that the pairs do not say, and then to fit their noise would only
    do harm. The rows that are compared are synthetic: this is post-processing.
    """
    n_rows = min(plan.n, LARGEST_PROBE)
    rows = targets.fit(n_rows, task.public_key, task.n_threads)
    bits = pack_rows(rows, task.layout.sizes, task.n_threads)
    labels = blocks.partition.labels(bits, task.n_threads)
    fitted = BlockStatistics.from_labels(bits, labels, plan.n_blocks, task.n_threads)
    scale = plan.n / n_rows
    of_counts = blocks.counts - scale * fitted.counts
    of_sums = blocks.sums - scale * signed_block_sums(fitted)
    noise = np.append(blocks.count_sd**2, np.full(of_sums.shape[1], blocks.noise_sd**2))
    variance = noise + scale**2 * fitted.counts[:, None]
    squares = np.column_stack([of_counts, of_sums]) ** 2 / variance
    return float(squares.mean())
