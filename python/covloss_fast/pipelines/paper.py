"""The paper's method, step by step under its own names, with pure epsilon-differential privacy.

The second moment is released and its leading eigenvectors taken (private projection, Section 5.1); the small
ball of the projection is covered (Section 3) and each record sent to the nearest point of the covering. Where
blocks are many, bits are pinned instead, which costs no budget (`plan_paper`). The weights of the blocks are
released (5.2), the averages of the blocks with small blocks damped (5.4), noise added; the averages are
projected back onto the convex set (5.5); sampling bootstraps and rounds them (4.2, 4.3). All noise is
discrete Laplace on integers. A record is scaled into the unit ball as u / sqrt(q), u its +-1 bits and one-hot
groups, which has norm one for every record.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from covloss_fast._core import rounding
from covloss_fast._core.partition import covering, symmetric_eigen
from covloss_fast.pipelines.common import Release, Task
from covloss_fast.privacy import mechanisms
from covloss_fast.records.partition import NearestPoint, Pinning, RandomSigns
from covloss_fast.records.recoding import recode_moments
from covloss_fast.records.statistics import damped_means
from covloss_fast.released.model import BlockModel
from covloss_fast.released.planning import PaperPlan, plan_paper
from covloss_fast.released.rounding import project_onto_domain

#: Shares of epsilon; under replace-one the count is public and its share goes to the damped means.
#: What has no projection gives that share to the damped means.
COUNT, PROJECTION, WEIGHTS, MEANS = (Fraction(share, 100) for share in (5, 25, 10, 55))
#: Damped means are released in units of 1/(RESOLUTION b), so that their integer division loses nothing that
#: noise would not hide.
RESOLUTION = 1024
_PARTITION = 1  # purpose of public randomness


def release_paper(task: Task) -> Release:
    """Release a block model as the paper does."""
    means_share = MEANS if task.certificate else MEANS + Fraction(5, 100)
    if task.neighbours == "replace_one":
        means_share += COUNT
    count = task.release_count(COUNT)
    n = count.n
    epsilon = float(task.door.budget.total_per_record)
    plan = plan_paper(task.layout, epsilon, n, task.options.get("n_blocks"), task.options.get("partition"))
    partition: NearestPoint | Pinning | RandomSigns
    if plan.n_components:
        partition = _covering_partition(task, plan, n)
    else:
        partition = _free_partition(task, plan)
        means_share += PROJECTION
    weights, means = _release_blocks(task, partition, plan.damping, n, means_share)
    model = BlockModel(task.layout.sizes, weights, means)
    parameters = {
        "n": n,
        "partition": plan.partition,
        "n_blocks": partition.n_blocks,
        "n_components": plan.n_components,
        "alpha": plan.alpha,
        "damping": plan.damping,
    }
    return Release(model, count, parameters)


def _free_partition(task: Task, plan: PaperPlan) -> Pinning | RandomSigns:
    """Pins, signs, or one block for all: drawn without the data, they cost nothing."""
    layout = task.layout
    seed = int(task.public_generator(_PARTITION).integers(2**63))
    if plan.partition == "signs":
        return RandomSigns.random(layout.is_binary[layout.attribute_of_bit], plan.n_label_bits, seed)
    return Pinning.random(layout.n_bits, plan.n_label_bits, seed)


def _covering_partition(task: Task, plan: PaperPlan, n: int) -> NearestPoint:
    """Nearest points of a covering of the ball of the leading eigenvectors of the released second moment."""
    layout = task.layout
    signed = layout.is_binary[layout.attribute_of_bit]
    q = len(layout.sizes)
    pairs = mechanisms.all_pairs(task.n_binary, task.n_other, task.neighbours)
    levels = mechanisms.one_way(0, task.n_other, task.neighbours) if task.n_other else None
    to_levels = Fraction(levels.l1, pairs.l1 + levels.l1) if levels else Fraction(0)
    moment = np.zeros((layout.n_bits, layout.n_bits))
    rows, columns = np.triu_indices(layout.n_bits, 1)
    between = layout.attribute_of_bit[rows] != layout.attribute_of_bit[columns]
    rows, columns = rows[between], columns[between]
    of_others = np.flatnonzero(~signed)

    for_pairs = task.door.declare("all pairs of attributes", pairs, PROJECTION * (1 - to_levels))
    if levels:
        for_levels = task.door.declare("levels of the other attributes", levels, PROJECTION * to_levels)
    exact = recode_moments(task.moments(), signed)
    moment[rows, columns] = moment[columns, rows] = task.release(for_pairs, exact[rows, columns])
    if levels:
        moment[of_others, of_others] = task.release(for_levels, exact[of_others, of_others])
    # On the diagonal a binary attribute has the count itself, known already; two levels of one attribute
    # never occur together.
    np.fill_diagonal(moment, np.where(signed, n, np.diagonal(moment)))
    _, vectors = symmetric_eigen(moment)
    directions = vectors[:, : plan.n_components]
    return NearestPoint.from_real(
        directions=directions * (1.0 + signed)[:, None],
        offset=-(signed.astype(np.float64) @ directions),
        points=np.sqrt(q) * covering(plan.n_components, plan.alpha, plan.n_blocks),
    )


def _release_blocks(
    task: Task, partition: NearestPoint | Pinning | RandomSigns, damping: int, n: int, means_share: Fraction
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Released weights of the blocks and their damped means, each projected onto its convex set."""
    k = partition.n_blocks
    scale = RESOLUTION * damping
    for_weights = task.door.declare(
        f"counts of {k} blocks", mechanisms.block_counts(task.neighbours), WEIGHTS
    )
    for_means = task.door.declare(
        f"damped means of {k} blocks",
        mechanisms.damped_means(task.layout.sizes, scale, damping, task.neighbours),
        means_share,
    )
    exact = task.block_statistics(partition)
    weights = rounding.project_simplex(task.release(for_weights, exact.counts)[None, :] / n, 1)[0]
    damped = task.release(for_means, damped_means(exact, scale, damping))
    return np.asarray(weights), project_onto_domain(damped / scale, task.layout)
