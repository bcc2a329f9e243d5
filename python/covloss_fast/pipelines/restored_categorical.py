"""Tables with attributes of many levels: 1-way marginals, then the pair tables that are worth their noise.

1. Levels of each attribute are counted; levels too rare for pair tables are merged (`coarse_levels`).
2. For every pair of attributes a score is released: how far its table is from independence. The pairs whose
   distance exceeds what measuring would cost are selected.
3. The tables of the selected pairs are released, with more of the budget for those with more cells; margins
   are combined by inverse variance and the tables denoised.

Each step is a function of the schema, the number of records and what was released before.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covloss_fast._core import rounding
from covloss_fast.pipelines.common import Count, Release, Task, full_noise_sd
from covloss_fast.privacy import mechanisms
from covloss_fast.privacy.accounting import Budget
from covloss_fast.privacy.ledger import Neighbours
from covloss_fast.records.recoding import coarse_pair_counts
from covloss_fast.released.coarse_levels import CoarseLevels, ordered_attributes
from covloss_fast.released.denoising import denoise_pair_table
from covloss_fast.released.fitting import CoarseTargets, ColumnTargets, table_weight
from covloss_fast.released.measured import Measured
from covloss_fast.released.model import BlockModel
from covloss_fast.released.planning import (
    NoiseLevels,
    Plan,
    one_way_weights,
    plan_categorical,
    predicted_tv,
    select_pairs,
)

_LEAST_MARGIN = 1e-7
#: The query of the levels where no pair is selected and what was set aside for pairs goes to them.
LEVELS_AGAIN = "levels, no pair selected: "


def release_categorical(task: Task, count: Count, reserved: Mapping[str, Fraction]) -> Release:
    """Release 1-way marginals and selected pair tables."""
    noise = categorical_noise(task.door.budget, len(task.layout.sizes), task.neighbours)
    plan = plan_categorical(task.layout.sizes, noise, count.n, reserved=reserved, **task.options)
    singles = _release_levels(task, plan, "one_way", "levels: ")
    levels = CoarseLevels.choose(_projected(singles), ordered_attributes(task.schema), plan.least_fraction)
    measured = _measured(task, count, singles)
    if plan.is_independent:
        return _independent(task, count, levels, plan.to_dict(), measured)

    pairs = _Pairs(task, levels)
    of_columns = np.array([_one_way_tv(single.variances) for single in singles])
    selected, parts, predicted = _select(task, plan, noise, levels, pairs, of_columns)
    if len(selected) == 0:
        again = _release_levels(task, plan, "pairs", LEVELS_AGAIN)
        both = [_Estimate.combine(*estimates) for estimates in zip(singles, again)]
        levels = CoarseLevels.choose(_projected(both), ordered_attributes(task.schema), 0.0)
        return _independent(
            task, count, levels, {**plan.to_dict(), "n_pairs": 0}, _measured(task, count, both)
        )

    released = _release_tables(task, plan, pairs, selected, parts)
    is_whole = [np.array_equal(of, np.arange(len(of))) for of in levels.of_level]
    whole = {(a, b): each for (a, b), each in released.items() if is_whole[a] and is_whole[b]}
    measured = replace(
        measured,
        tables={pair: table.astype(np.float64) for pair, (table, _) in whole.items()},
        table_sd={pair: sd for pair, (_, sd) in whole.items()},
    )
    levels = _with_margins(levels, singles, released, plan.n)
    targets = CoarseTargets(
        sizes=task.layout.sizes,
        levels=levels,
        tables={
            (a, b): denoise_pair_table(table, sd, levels.margins[a], levels.margins[b], plan.n)
            for (a, b), (table, sd) in released.items()
        },
        weights={pair: table_weight(sd) for pair, (_, sd) in released.items()},
        zeros=task.schema.zeros,
    )
    parameters = {
        **plan.to_dict(),
        "n_pairs": len(selected),
        "coarse_sizes": list(levels.sizes),
        "predicted_tv": predicted,
    }
    return Release(_product(task, levels), count, parameters, targets, measured)


@dataclass(frozen=True)
class _Estimate:
    """Unbiased fractions of levels and the variance of each."""

    values: NDArray[np.float64]
    variances: NDArray[np.float64]

    @classmethod
    def combine(cls, *estimates: _Estimate) -> _Estimate:
        """By inverse variance."""
        weight = sum(1.0 / estimate.variances for estimate in estimates)
        total = sum(estimate.values / estimate.variances for estimate in estimates)
        return cls(np.asarray(total / weight), np.asarray(1.0 / weight))

    def projected(self) -> NDArray[np.float64]:
        """The nearest point of the simplex."""
        projected = rounding.project_simplex(np.ascontiguousarray(self.values)[None, :], 1)
        return np.asarray(projected[0])


def _one_way_tv(variances: NDArray[np.float64]) -> float:
    """Expected total variation error of fractions with normal noise: half of sqrt(2 / pi) sd for each."""
    return float(np.sqrt(variances).sum() / math.sqrt(2.0 * math.pi))


def _projected(estimates: list[_Estimate]) -> list[NDArray[np.float64]]:
    return [estimate.projected() for estimate in estimates]


class _Pairs:
    """Exact pair tables over coarse levels, counted when the first of them is asked for."""

    def __init__(self, task: Task, levels: CoarseLevels) -> None:
        self._task, self._levels = task, levels
        self.attributes = [(a, b) for b in range(len(levels.sizes)) for a in range(b)]
        self._counts: NDArray[np.int64] | None = None

    def counts(self) -> NDArray[np.int64]:
        """Records in each pair of coarse levels; to be called after the ledger's line is written."""
        if self._counts is None:
            task = self._task
            self._counts = coarse_pair_counts(task.moments(), task.layout, self._levels.of_level)
        return self._counts

    def table(self, a: int, b: int) -> NDArray[np.int64]:
        """The table of two attributes."""
        offsets = self._levels.offsets
        return self.counts()[offsets[a] : offsets[a + 1], offsets[b] : offsets[b + 1]]

    def scores(self, n: int) -> NDArray[np.int64]:
        """The sum of |N_ab - rint(n mu_a mu_b)| over the cells of each pair, in the order of `attributes`."""
        margins = self._levels.margins
        scores = []
        for a, b in self.attributes:
            independent = np.rint(n * np.outer(margins[a], margins[b])).astype(np.int64)
            scores.append(np.abs(self.table(a, b) - independent).sum())
        return np.array(scores, dtype=np.int64)


def categorical_noise(budget: Budget, q: int, neighbours: Neighbours) -> NoiseLevels:
    """Noise of what is released of q attributes not all of which are binary."""
    sensitivities = {
        "levels": mechanisms.one_way(0, 1, neighbours),
        "pair_table": mechanisms.pair_table(neighbours),
        "pair_scores": mechanisms.pair_score(max(q * (q - 1) // 2, 1), neighbours),
    }
    levels = {name: full_noise_sd(budget, sensitivity) for name, sensitivity in sensitivities.items()}
    return NoiseLevels(levels, budget.is_pure)


def _release_levels(task: Task, plan: Plan, share: str, query: str) -> list[_Estimate]:
    """Fractions of the levels of each attribute."""
    layout, n = task.layout, plan.n
    parts = mechanisms.proportional_shares(
        plan.shares[share],
        one_way_weights(layout.sizes, task.door.budget.is_pure, task.options.get("workload")),
    )
    # All are written down before any is counted. A binary attribute is one sum of +-1, others are histograms.
    declared = [
        task.door.declare(
            f"{query}{name!r}",
            mechanisms.one_way(1, 0, task.neighbours)
            if size == 2
            else mechanisms.one_way(0, 1, task.neighbours),
            part,
        )
        for name, size, part in zip(task.schema.names, layout.sizes, parts)
    ]
    ones = task.column_counts()
    estimates = []
    for mechanism, size, first in zip(declared, layout.sizes, layout.offsets[:-1]):
        variance = (mechanism.noise_sd / n) ** 2
        if size == 2:
            released = task.release(mechanism, 2 * ones[first : first + 1] - task.records.n_records)
            fraction = (1.0 + released[0] / n) / 2.0
            values, variance = np.array([1.0 - fraction, fraction]), variance / 4.0
        else:
            values = task.release(mechanism, ones[first : first + size]) / n
        estimates.append(_Estimate(values, np.full(size, variance)))
    return estimates


def _select(
    task: Task,
    plan: Plan,
    noise: NoiseLevels,
    levels: CoarseLevels,
    pairs: _Pairs,
    of_columns: NDArray[np.float64],
) -> tuple[list[tuple[int, int]], list[Fraction], float]:
    """The pairs whose tables are worth their noise, the share of each, and what error that leads to."""
    sensitivity = mechanisms.pair_score(len(pairs.attributes), task.neighbours)
    mechanism = task.door.declare(
        "distances of all pairs from independence", sensitivity, plan.shares["scores"]
    )
    scores = task.release(mechanism, pairs.scores(plan.n))
    distances = np.maximum(scores - mechanism.noise_sd, 0.0) / (2.0 * plan.n)
    sizes = np.array(levels.sizes)
    n_cells = np.array([sizes[a] * sizes[b] for a, b in pairs.attributes])
    table_sd = noise.at("pair_table", float(plan.shares["pairs"]))
    workload = task.options.get("workload")
    counts = workload.of_pairs(pairs.attributes) if workload else 1.0
    chosen, parts = select_pairs(distances, n_cells, table_sd, plan.n, task.door.budget.is_pure, counts)
    if len(chosen) == 0:
        return [], [], math.nan
    pair_sd = np.array([noise.at("pair_table", float(plan.shares["pairs"]) * part) for part in parts])
    of_pairs = of_columns[np.array(pairs.attributes)].sum(axis=1)
    predicted = predicted_tv(distances, n_cells, of_pairs, chosen, pair_sd, plan.n)
    shares = mechanisms.proportional_shares(plan.shares["pairs"], parts)
    return [pairs.attributes[e] for e in chosen], shares, predicted


def _release_tables(
    task: Task, plan: Plan, pairs: _Pairs, selected: list[tuple[int, int]], parts: list[Fraction]
) -> dict[tuple[int, int], tuple[NDArray[np.int64], float]]:
    """Released counts of the selected pair tables, and the noise of their cells."""
    names, sensitivity = task.schema.names, mechanisms.pair_table(task.neighbours)
    declared = [
        task.door.declare(f"pair table: {names[a]!r} x {names[b]!r}", sensitivity, part)
        for (a, b), part in zip(selected, parts)
    ]
    return {
        (a, b): (task.release(mechanism, pairs.table(a, b)), mechanism.noise_sd)
        for (a, b), mechanism in zip(selected, declared)
    }


def _with_margins(
    levels: CoarseLevels,
    singles: list[_Estimate],
    released: Mapping[tuple[int, int], tuple[NDArray[np.int64], float]],
    n: int,
) -> CoarseLevels:
    """Margins from the 1-way release and from all pair tables, by inverse variance."""
    margins = []
    for attribute, (single, coarse) in enumerate(zip(singles, levels.of_level)):
        size = levels.sizes[attribute]
        values = np.bincount(coarse, single.values).astype(np.float64)
        variances = np.bincount(coarse, single.variances).astype(np.float64)
        estimates = [_Estimate(values, variances)]
        for pair, (table, sd) in released.items():
            if attribute in pair:
                axis = 1 if pair[0] == attribute else 0
                margin = table.sum(axis=axis) / n
                margin += (1.0 - margin.sum()) / size
                estimates.append(_Estimate(margin, np.full(size, table.shape[axis] * (sd / n) ** 2)))
        margin = np.maximum(_Estimate.combine(*estimates).projected(), _LEAST_MARGIN)
        margins.append(margin / margin.sum())
    return replace(levels, margins=tuple(margins))


def _measured(task: Task, count: Count, singles: list[_Estimate]) -> Measured:
    """The 1-way release as counts: of the levels, or the sum of z of a binary attribute."""
    n, sizes = float(count.n), task.layout.sizes
    unit = np.array([2.0 if size == 2 else 1.0 for size in sizes])  # z = 2 x - 1
    return Measured(
        sizes=sizes,
        n=n,
        n_sd=count.noise_sd,
        singles=tuple(
            n * (2.0 * single.values[1:] - 1.0) if size == 2 else n * single.values
            for size, single in zip(sizes, singles)
        ),
        single_sd=unit * n * np.sqrt([single.variances[0] for single in singles]),
    )


def _independent(
    task: Task, count: Count, levels: CoarseLevels, parameters: dict[str, Any], measured: Measured
) -> Release:
    model = _product(task, levels)
    return Release(model, count, parameters, ColumnTargets(model.sizes, model.means[0]), measured)


def _product(task: Task, levels: CoarseLevels) -> BlockModel:
    """Independent columns."""
    fractions = [m[c] * s for m, c, s in zip(levels.margins, levels.of_level, levels.share)]
    bits = [f[1:] if len(f) == 2 else f for f in fractions]
    return BlockModel(task.layout.sizes, np.ones(1), np.concatenate(bits)[None, :])
