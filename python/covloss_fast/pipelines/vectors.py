"""Theorem 5.14: synthetic vectors in a declared convex set, step by step under the paper's names.

The sum and the second moment of the records are released, and the directions in which records differ taken
from them (private projection, Section 5.1). Each record is sent to the nearest of some points (Section 3):
first those that would serve Gaussian records of the released covariance, then the released means of their
own blocks. The counts and sums of the last blocks give weights on the simplex (5.2) and means, which are
projected back onto the convex set (5.5). Sampling bootstraps them (4.2).

Records are integer rows throughout (`records.grid`), noise is discrete, and the number of records is secret
under add-or-remove-one. In place of damping (5.4) blocks are released as counts and sums, whose noise enters
the error without a square root. Where noise hides all directions, one block is left: the mean.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covloss_fast.convex_sets import ConvexSet, RowBounds
from covloss_fast.pipelines.common import LEAST_COUNT
from covloss_fast.pipelines.foreseen import Foreseen, check_all
from covloss_fast.privacy import mechanisms
from covloss_fast.privacy.accounting import Budget
from covloss_fast.privacy.ledger import Distribution, Neighbours
from covloss_fast.privacy.mechanisms import Door
from covloss_fast.records.grid import GridRows, NearestRows, least_moment_shift, shifted_bounds
from covloss_fast.released.denoising import block_weights_and_means
from covloss_fast.released.vectors import (
    BlockMeans,
    choose_n_blocks,
    combined,
    gaussian_points,
    principal_directions,
)

#: Shares of the budget; what they leave is for blocks: a step that moves the points, and the last one.
COUNT, SUM, MOMENT, STEP = (Fraction(share, 100) for share in (3, 18, 15, 12))
_POINTS = 0
_MOMENT_QUERY = "second moment"
_LEAST_RESOLUTION, _LEAST_MOMENT_STEPS = 2**6, 2**4
#: A released mean takes the place of a point if its count stands so far above its own noise.
_LEAST_COUNT_IN_SD = 4.0


@dataclass(frozen=True)
class VectorTask:
    """What the release works on.

    Attributes
    ----------
    grid : Grid
        What records lie in, and how they were rounded.
    rows : GridRows
        The private records.
    door : Door
        Where noise is added and written down.
    public_key : bytes
        Key of the public randomness, apart from the noise key.
    n_threads : int
        Threads to use.
    options : mapping
        The caller's overrides: "n_blocks".
    """

    grid: Grid
    rows: GridRows
    door: Door
    public_key: bytes
    n_threads: int
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def convex_set(self) -> ConvexSet:
        """What records and their means lie in."""
        return self.grid.convex_set

    @property
    def neighbours(self) -> Neighbours:
        """The neighbouring relation of the guarantee."""
        return self.door.neighbours

    def public_generator(self, purpose: int) -> np.random.Generator:
        """Public randomness for a purpose: a stream of the public key, never of the noise key."""
        return np.random.Generator(
            np.random.Philox(key=int.from_bytes(self.public_key[:16], "little"), counter=[0, 0, 0, purpose])
        )


@dataclass(frozen=True)
class VectorRelease:
    """What is released.

    Attributes
    ----------
    model : BlockMeans
        Weights and means of the blocks.
    n_rows : int
        Length of a table like the records: from all counts with noise, or theirs where it is public.
    parameters : dict
        The parameters that were used, for the record.
    """

    model: BlockMeans
    n_rows: int
    parameters: Mapping[str, Any]


@dataclass(frozen=True)
class Grid:
    """How records are rounded.

    Attributes
    ----------
    convex_set : ConvexSet
        What they lie in.
    resolution : int
        Steps in a unit.
    moment_shift : int
        Bits that rows lose before they enter the second moment.
    """

    convex_set: ConvexSet
    resolution: int
    moment_shift: int

    @property
    def bounds(self) -> RowBounds:
        """Bounds of rows."""
        return self.convex_set.bounds(self.resolution)

    @property
    def moment_bounds(self) -> RowBounds:
        """Bounds of rows as they enter the second moment."""
        return shifted_bounds(self.bounds, self.moment_shift)

    @property
    def count_weight(self) -> int:
        """How much a record's count weighs beside its row: as much as the row's norm can be."""
        return max(1, math.isqrt(self.bounds.l2_squared))


def choose_grid(
    convex_set: ConvexSet, budget: Budget, neighbours: Neighbours, options: Mapping[str, Any]
) -> Grid:
    """Choose the finest grid on which the budget's noise can be drawn, from public quantities alone.

    Noise counts more steps as they become finer, and is drawn in 64 bits; a budget that asks for more on the
    finest grid gets a coarser one, whose steps are far smaller than its noise all the same.

    Raises
    ------
    ValueError
        If the budget is too small on the coarsest grid, of 2^6 steps (2^4 for the second moment).
    """
    grid = Grid(convex_set, convex_set.resolution, 0)
    while grid.resolution > _LEAST_RESOLUTION and not _fits(grid, budget, neighbours, options, moment=False):
        grid = Grid(convex_set, grid.resolution // 2, 0)
    grid = replace(grid, moment_shift=least_moment_shift(grid.bounds))
    while grid.moment_bounds.largest > _LEAST_MOMENT_STEPS and not _fits(
        grid, budget, neighbours, options, moment=True
    ):
        grid = replace(grid, moment_shift=grid.moment_shift + 1)
    check_all(budget, foreseen(grid, neighbours, options))
    return grid


def _fits(
    grid: Grid, budget: Budget, neighbours: Neighbours, options: Mapping[str, Any], *, moment: bool
) -> bool:
    each = [m for m in foreseen(grid, neighbours, options) if (m.query == _MOMENT_QUERY) == moment]
    try:
        check_all(budget, each)
    except ValueError:
        return False
    return True


def foreseen(grid: Grid, neighbours: Neighbours, options: Mapping[str, Any]) -> Iterator[Foreseen]:
    """All mechanisms that a fit may declare, at the least share that each may be given."""
    bounds = grid.bounds
    if neighbours == "add_or_remove_one":
        yield Foreseen("number of records", mechanisms.record_count(neighbours), COUNT)
    several = options.get("n_blocks") != 1
    if several:
        yield Foreseen("sum of all records", mechanisms.vector_sum(bounds, neighbours), SUM)
        moment = mechanisms.vector_second_moment(grid.moment_bounds, neighbours)
        yield Foreseen(_MOMENT_QUERY, moment, MOMENT)
    blocks = mechanisms.vector_blocks(bounds, grid.count_weight, neighbours)
    yield Foreseen("counts and sums of ", blocks, STEP if several else 1 - COUNT)


@dataclass(frozen=True)
class _Blocks:
    """Released counts and sums, in records and units."""

    counts: NDArray[np.float64]
    sums: NDArray[np.float64]
    count_sd: float
    sum_sd: float


def release_vectors(task: VectorTask) -> VectorRelease:
    """Release weights and means of blocks."""
    known = _Known(task)
    wanted = task.options.get("n_blocks")
    variances, directions = np.empty(0), np.empty((task.convex_set.n_features, 0))
    if wanted != 1:
        variances, directions = _directions(task, known)
    if wanted is None:
        last = task.door.share_left - STEP
        noise_sd = known.block_noise_sd(last)
        n_blocks = choose_n_blocks(variances, known.n, noise_sd)
    else:
        n_blocks = int(wanted) if len(variances) else 1
    if n_blocks == 1:
        directions = directions[:, :0]
        one = NearestRows.from_real(
            np.zeros((task.convex_set.n_features, 1)), np.zeros((1, 1)), task.rows.bounds
        )
        blocks = known.release_blocks(one, task.door.share_left)
    else:
        blocks = _refined_blocks(task, known, variances, directions, n_blocks)
    mean, _ = known.mean()
    weights, means = block_weights_and_means(
        mean, blocks.counts, blocks.sums, known.n, blocks.sum_sd, known.project
    )
    model = BlockMeans(weights, task.convex_set.project(known.from_units(means)))
    parameters = {
        "n": known.n,
        "n_blocks": n_blocks,
        "n_components": directions.shape[1],
        "resolution": task.grid.resolution,
    }
    return VectorRelease(model, known.n_rows, parameters)


class _Known:
    """What has been released of the number of records and of their sum, from one mechanism and the next."""

    def __init__(self, task: VectorTask) -> None:
        self._task = task
        self._centre, self._unit = task.convex_set.centre, task.convex_set.unit
        self._weight = task.grid.count_weight
        self._resolution = task.grid.resolution
        self._bounds = task.rows.bounds
        self._counts: list[tuple[float, float]] = []
        self._sums: list[tuple[NDArray[np.float64], float]] = []
        if task.neighbours == "add_or_remove_one":
            sensitivity = mechanisms.record_count(task.neighbours)
            mechanism = task.door.declare("number of records", sensitivity, COUNT)
            released = mechanism.release(np.array([task.rows.n_records]))
            self._counts.append((float(released[0]), max(mechanism.noise_variance, 1e-12)))

    @property
    def n(self) -> float:
        """Number of records to divide by: at least 10 where it has noise, 1 where it is public."""
        if self._task.neighbours == "replace_one":
            return float(max(self._task.rows.n_records, 1))
        return max(float(LEAST_COUNT), float(combined(self._counts)[0]))

    @property
    def n_rows(self) -> int:
        """Length of a table like the records."""
        return self._task.rows.n_records if self._task.neighbours == "replace_one" else round(self.n)

    def mean(self) -> tuple[NDArray[np.float64], float]:
        """Mean of the records in units, and the standard deviation of an entry's noise."""
        total, variance = combined(self._sums)
        return self.project(total[None, :] / self.n)[0], math.sqrt(variance) / self.n

    def from_units(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Vectors as the caller knows them."""
        return self._centre + self._unit * rows

    def project(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Metric projection onto the convex set, in units."""
        return (self._task.convex_set.project(self.from_units(rows)) - self._centre) / self._unit

    def release_sum(self) -> None:
        """Release the sum of all records."""
        sensitivity = mechanisms.vector_sum(self._bounds, self._task.neighbours)
        mechanism = self._task.door.declare("sum of all records", sensitivity, SUM)
        released = mechanism.release(self._task.rows.total()) / self._resolution
        self._sums.append((released, max(mechanism.noise_variance, 1e-12) / self._resolution**2))

    def block_noise_sd(self, share: Fraction) -> float:
        """Noise of an entry of a block's sum, in units."""
        sensitivity = mechanisms.vector_blocks(self._bounds, self._weight, self._task.neighbours)
        scale = self._task.door.scale_of(sensitivity, share)
        name: Distribution = "discrete Laplace" if self._task.door.budget.is_pure else "discrete Gaussian"
        return math.sqrt(mechanisms.noise_variance(name, scale)) / self._resolution

    def release_blocks(self, partition: NearestRows, share: Fraction) -> _Blocks:
        """Release counts and sums of all blocks of a partition."""
        task, k = self._task, partition.n_blocks
        sensitivity = mechanisms.vector_blocks(self._bounds, self._weight, task.neighbours)
        mechanism = task.door.declare(f"counts and sums of {k} blocks", sensitivity, share)
        labels = partition.labels(task.rows, task.n_threads)
        counts, sums = task.rows.block_sums(labels, k, task.n_threads)
        released = mechanism.release(np.hstack([self._weight * counts[:, None], sums]))
        variance = max(mechanism.noise_variance, 1e-12)
        blocks = _Blocks(
            counts=released[:, 0] / self._weight,
            sums=released[:, 1:] / self._resolution,
            count_sd=math.sqrt(variance) / self._weight,
            sum_sd=math.sqrt(variance) / self._resolution,
        )
        self._counts.append((float(blocks.counts.sum()), k * blocks.count_sd**2))
        self._sums.append((blocks.sums.sum(axis=0), k * blocks.sum_sd**2))
        return blocks


def _directions(task: VectorTask, known: _Known) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Variances and directions of the released, centred second moment."""
    known.release_sum()
    shift = task.grid.moment_shift
    sensitivity = mechanisms.vector_second_moment(task.grid.moment_bounds, task.neighbours)
    mechanism = task.door.declare(_MOMENT_QUERY, sensitivity, MOMENT)
    p = task.convex_set.n_features
    upper = np.triu_indices(p)
    released = mechanism.release(task.rows.second_moment(shift, task.n_threads)[upper])
    unit = (task.grid.resolution / 2**shift) ** 2 * known.n
    moment = np.empty((p, p))
    moment[upper] = moment.T[upper] = released / unit
    mean, _ = known.mean()
    return principal_directions(moment - np.outer(mean, mean), mechanism.noise_sd / unit)


def _refined_blocks(
    task: VectorTask,
    known: _Known,
    variances: NDArray[np.float64],
    directions: NDArray[np.float64],
    n_blocks: int,
) -> _Blocks:
    """Blocks about the released means of earlier blocks."""
    mean, _ = known.mean()
    points = mean @ directions + gaussian_points(
        variances, n_blocks, task.public_generator(_POINTS), task.n_threads
    )
    resolution = task.grid.resolution
    first = known.release_blocks(
        NearestRows.from_real(directions, resolution * points, task.rows.bounds), STEP
    )
    is_filled = first.counts > _LEAST_COUNT_IN_SD * first.count_sd
    moved = (first.sums / np.maximum(first.counts, 1.0)[:, None]) @ directions
    points = np.where(is_filled[:, None], moved, points)
    return known.release_blocks(
        NearestRows.from_real(directions, resolution * points, task.rows.bounds), task.door.share_left
    )
