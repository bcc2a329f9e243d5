"""Exactly n_blocks blocks, sizes differing by at most one: the paper's construction (Section 3, Theorem 1.2).

The second moment of the records gives the directions in which they vary most; a covering of the ball in the
first t of them gives points, and each record goes to the cell of its nearest point. About sqrt(n_blocks)
cells are cut into blocks of equal size, so that few blocks straddle a border between cells. The choice of t
and the bound on what is lost use the records themselves: for anonymity only, never for differential privacy.

Three other partitions make cells of any table: *pinning* the sides of their means on which some random
coordinates lie (of a bit, its value), *random signs* of projections of the records, lifted to one norm, and a
*lattice* of equal intervals along the leading coordinates. With 2^s cells the first two lose, in the mean
over draws, a covariance of the order of one over the root of s, whatever the table.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from covloss_fast._core import microaggregation as _core
from covloss_fast._core import partition as _partition
from covloss_fast._core.bits import BitMatrix
from covloss_fast.records.coordinates import Placement, chunks, n_coordinates
from covloss_fast.records.partition import Pinning, RandomSigns, quantise_directions

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: How cells are made.
Cells: TypeAlias = Literal["nearest_point", "pinning", "random_signs", "lattice"]
CELLS: tuple[Cells, ...] = ("nearest_point", "pinning", "random_signs", "lattice")

__all__ = [
    "CELLS",
    "Cells",
    "Covered",
    "EqualBlocks",
    "Leading",
    "equal_blocks_of_bits",
    "equal_blocks_of_fields",
    "largest_squares",
]

#: Coordinates in which blocks are kept compact, and of which the first t make the cells.
_MAX_COORDINATES = 8
#: Steps of the grid on which distances from points are exact, in a radius.
_GRID = 2.0**24


@dataclass(frozen=True, eq=False)
class EqualBlocks:
    """A partition and what its construction promises.

    Attributes
    ----------
    labels : int32 array, shape (n,)
        Blocks, numbered by their first records in each stratum.
    bound : float
        The covariance loss (Frobenius norm) is at most this.
    """

    labels: NDArray[np.int32]
    bound: float


def equal_blocks_of_bits(
    bits: BitMatrix,
    moment: NDArray[np.int64],
    scale: NDArray[np.float64],
    n_blocks: int,
    strata: NDArray[np.int32],
    cells: NDArray[np.int32] | Cells,
    seed: int,
    n_threads: int,
) -> EqualBlocks:
    """Partition records of bits.

    Parameters
    ----------
    bits : BitMatrix
        n records.
    moment : int64 array, shape (n_bits, n_bits)
        Their exact second moment.
    scale : float64 array, shape (n_bits,)
        What a set bit is in distances.
    n_blocks : int
        From the number of strata to n.
    strata : int32 array, shape (n,)
        Stratum of each record, from 0; blocks do not cross.
    cells : int32 array, shape (n,), or name
        A partition, or how to make one.
    seed : int
        Of pins and signs.
    n_threads : int
        Threads.
    """
    leading = Leading.of_moment(moment, bits.n_rows, scale)
    coordinates = leading.coordinates(bits, n_threads)

    def cells_of_signs(kind: Cells, s: int) -> NDArray[np.int32]:
        if kind == "pinning":
            return Pinning.random(bits.n_columns, min(s, bits.n_columns), seed).labels(bits, n_threads)
        return RandomSigns.random(scale == 1.0, s, seed).labels(bits, n_threads)

    return _equal_blocks(
        coordinates,
        leading.eigenvalues,
        leading.largest_square,
        n_blocks,
        strata,
        cells,
        cells_of_signs,
        n_threads,
    )


@dataclass(frozen=True, eq=False)
class Leading:
    """The directions in which records of bits vary most.

    Attributes
    ----------
    eigenvalues : float64 array, shape (n_bits,)
        Of the covariance, descending.
    largest_square : float
        No record is farther from the mean: a bound on its squared distance.
    """

    eigenvalues: NDArray[np.float64]
    largest_square: float
    _directions: NDArray[np.int32]
    _offset: NDArray[np.int64]

    @classmethod
    def of_moment(cls, moment: NDArray[np.int64], n: int, scale: NDArray[np.float64]) -> Leading:
        """Find them from the exact second moment of n records and what a set bit is in distances."""
        mean = moment.diagonal() / n
        covariance = (moment / n - np.outer(mean, mean)) * np.outer(scale, scale)
        values, vectors = _partition.symmetric_eigen(np.ascontiguousarray(covariance))
        whole = quantise_directions(vectors[:, :_MAX_COORDINATES] * scale[:, None], _GRID)
        offset = -np.rint(mean @ whole).astype(np.int64)
        radius = float(np.linalg.norm(scale * np.maximum(mean, 1 - mean)))
        return cls(values, radius**2, whole, offset)

    def coordinates(self, bits: BitMatrix, n_threads: int) -> NDArray[np.float64]:
        """Return the leading coordinates of records, shape (n, t); exact, whatever the batch."""
        return _partition.project(bits, self._directions, self._offset, n_threads) / _GRID


def equal_blocks_of_fields(
    placements: list[Placement],
    n: int,
    n_blocks: int,
    strata: NDArray[np.int32],
    cells: NDArray[np.int32] | Cells,
    seed: int,
    n_threads: int,
) -> EqualBlocks:
    """Partition n records of any fields as `equal_blocks_of_bits` does, without the table of coordinates."""
    width = n_coordinates([each.field for each in placements])
    covariance, largest = np.zeros((width, width)), 0.0
    for _, rows in chunks(placements, n):
        covariance += _core.second_moment(rows, n_threads) / n
        largest = max(largest, float(np.einsum("ij,ij->i", rows, rows).max()))
    values, vectors = _partition.symmetric_eigen(covariance)
    kept = np.ascontiguousarray(vectors[:, :_MAX_COORDINATES])

    def cells_of_signs(kind: Cells, s: int) -> NDArray[np.int32]:
        if kind == "pinning":
            varying = np.flatnonzero(np.diag(covariance) > 0)
            pins = varying[list(Pinning.random(len(varying), min(s, len(varying)), seed).columns)]
            return _cells_of_pins(placements, n, pins)
        directions = RandomSigns.random(np.zeros(width + 1, dtype=np.bool_), s, seed).directions
        return _cells_of_random_signs(placements, n, directions, largest, n_threads)

    coordinates = np.concatenate([_core.project(rows, kept, n_threads) for _, rows in chunks(placements, n)])
    return _equal_blocks(coordinates, values, largest, n_blocks, strata, cells, cells_of_signs, n_threads)


def _cells_of_pins(placements: list[Placement], n: int, pins: NDArray[np.intp]) -> NDArray[np.int32]:
    """Sides of the mean on which pinned coordinates lie."""
    return np.concatenate([_signs(rows[:, pins]) for _, rows in chunks(placements, n)])


def _cells_of_random_signs(
    placements: list[Placement], n: int, directions: NDArray[Any], largest_square: float, n_threads: int
) -> NDArray[np.int32]:
    """Signs of projections; a further coordinate, the last direction's, brings all records to one norm."""
    kept = np.ascontiguousarray(directions[:-1], dtype=np.float64)
    parts = []
    for _, rows in chunks(placements, n):
        lift = np.sqrt(np.maximum(largest_square - np.einsum("ij,ij->i", rows, rows), 0.0))
        parts.append(_signs(_core.project(rows, kept, n_threads) + lift[:, None] * directions[-1]))
    return np.concatenate(parts)


def _signs(values: NDArray[np.float64]) -> NDArray[np.int32]:
    """Label whose bit l says whether column l is at least 0."""
    weights = np.left_shift(1, np.arange(values.shape[1]))
    return np.asarray((values >= 0) @ weights, dtype=np.int32)


def _equal_blocks(
    coordinates: NDArray[np.float64],
    eigenvalues: NDArray[np.float64],
    largest_square: float,
    n_blocks: int,
    strata: NDArray[np.int32],
    cells: NDArray[np.int32] | Cells,
    cells_of_signs: Callable[[Cells, int], NDArray[np.int32]],
    n_threads: int,
) -> EqualBlocks:
    eigenvalues = np.maximum(eigenvalues, 0.0)
    loss = float(np.linalg.norm(eigenvalues))
    n_cells = math.isqrt(n_blocks)
    if not isinstance(cells, str):
        labels_of_cells = cells
    elif cells == "nearest_point":
        labels_of_cells, loss = _nearest_cells(coordinates, eigenvalues, n_cells, n_threads)
    elif cells == "lattice":
        labels_of_cells = _lattice_cells(coordinates, eigenvalues, n_cells)
    else:
        labels_of_cells = cells_of_signs(cells, n_cells.bit_length() - 1)
    return _cut(coordinates, labels_of_cells, loss, eigenvalues, largest_square, n_blocks, strata, n_threads)


def _cut(
    coordinates: NDArray[np.float64],
    cells: NDArray[np.int32],
    loss: float,
    eigenvalues: NDArray[np.float64],
    largest_square: float,
    n_blocks: int,
    strata: NDArray[np.int32],
    n_threads: int,
) -> EqualBlocks:
    """Cut cells, which lose at most `loss`, into blocks of equal size."""
    n = len(cells)
    sizes = np.bincount(strata)
    shares = _shares(sizes, n_blocks)
    labels = np.empty(n, dtype=np.int32)
    first, straddling = 0, 0
    for stratum, (size, share) in enumerate(zip(sizes.tolist(), shares.tolist())):
        mine: NDArray[np.intp] | slice = slice(None) if len(sizes) == 1 else np.flatnonzero(strata == stratum)
        own = np.ascontiguousarray(cells[mine])
        labels[mine] = first + _core.equal_blocks(
            np.ascontiguousarray(coordinates[mine]), own, int(own.max()) + 1, share, n_threads
        )
        first += share
        # At most one block straddles each border between cells (theory of merging: trace of its covariance).
        straddling += (np.count_nonzero(np.bincount(own)) - 1) * -(-size // share)
    return EqualBlocks(
        labels, min(loss + min(straddling / n, 1.0) * largest_square, float(eigenvalues.sum()))
    )


def _shares(sizes: NDArray[np.int64], n_blocks: int) -> NDArray[np.int64]:
    """Return how many blocks each stratum gets: in proportion to its records, from one to one for each."""
    shares = np.clip(sizes * n_blocks // sizes.sum(), 1, sizes)
    while shares.sum() != n_blocks:
        if shares.sum() < n_blocks:
            load = np.where(shares < sizes, sizes / shares, -1.0)
            shares[load.argmax()] += 1
        else:
            load = np.where(shares > 1, sizes / shares, np.inf)
            shares[load.argmin()] -= 1
    return np.asarray(shares)


def _nearest_cells(
    coordinates: NDArray[np.float64], eigenvalues: NDArray[np.float64], n_cells: int, n_threads: int
) -> tuple[NDArray[np.int32], float]:
    """Return the cell of each record and a bound on the covariance loss of the cells.

    For each t, the finest lattice covering of the ball of the first t coordinates that has at most `n_cells`
    points; t is the one with the least predicted loss. A record is within alpha of its point, so that
    ``alpha^2`` bounds what is lost within the t coordinates, and the eigenvalues beyond bound the rest.
    """
    covered = Covered.choose(largest_squares(coordinates), eigenvalues, n_cells)
    return covered.cells(coordinates, n_threads), covered.loss


def largest_squares(coordinates: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the largest squared norm of the first t coordinates of any record, for each t."""
    squares: NDArray[np.float64] = np.cumsum(coordinates**2, axis=1).max(axis=0, initial=0.0)
    return squares


@dataclass(frozen=True, eq=False)
class Covered:
    """A lattice covering of the ball that holds the first coordinates of all records.

    Attributes
    ----------
    points : float64 array, shape (n_cells, t)
        In the unit ball of t coordinates; t may be 0.
    radius : float
        Of the ball of the records.
    loss : float
        A bound on the covariance loss of the cells of nearest points.
    """

    points: NDArray[np.float64]
    radius: float
    loss: float

    @classmethod
    def choose(cls, squares: NDArray[np.float64], eigenvalues: NDArray[np.float64], n_cells: int) -> Covered:
        """Choose t and the covering from the largest squared norms and the eigenvalues."""
        loss = float(np.linalg.norm(eigenvalues))
        best = (loss, 0, np.zeros((1, 0)), 1.0)
        for t in range(1, len(squares) + 1):
            points, alpha = _finest_covering(t, n_cells)
            if len(points) < 2 or squares[t - 1] <= 0:
                break
            rest = float(np.linalg.norm(eigenvalues[t:]))
            side = squares[t - 1] * alpha**2 / t
            predicted = float(np.minimum(eigenvalues[:t], side / 12.0).sum()) + rest  # uniform within a cell
            if predicted < best[0]:
                best = (predicted, t, points, alpha)
        _, t, points, alpha = best
        if t == 0:
            return cls(points, 0.0, loss)
        within = min(squares[t - 1] * alpha**2, float(eigenvalues[:t].sum()))
        return cls(points, math.sqrt(squares[t - 1]), within + float(np.linalg.norm(eigenvalues[t:])))

    def cells(self, coordinates: NDArray[np.float64], n_threads: int) -> NDArray[np.int32]:
        """Return the cell of each record."""
        t = self.points.shape[1]
        if t == 0:
            return np.zeros(len(coordinates), dtype=np.int32)
        placed = np.rint(coordinates[:, :t] * (_GRID / self.radius)).astype(np.int64)
        points = np.rint(self.points * _GRID).astype(np.int64)
        return _partition.nearest_point(np.ascontiguousarray(placed), points, n_threads)


def _lattice_cells(
    coordinates: NDArray[np.float64], eigenvalues: NDArray[np.float64], n_cells: int
) -> NDArray[np.int32]:
    """Cut the first t coordinates into equal intervals, as many each; t is that of least predicted loss."""
    reach = np.abs(coordinates).max(axis=0)
    best, shape = float(eigenvalues.sum()), (0, 1)
    for t in range(1, coordinates.shape[1] + 1):
        cuts = math.floor(n_cells ** (1.0 / t) + 1e-9)
        if cuts < 2 or reach[t - 1] <= 0:
            break
        within = np.minimum(eigenvalues[:t], (2 * reach[:t] / cuts) ** 2 / 12.0)
        predicted = float(within.sum() + eigenvalues[t:].sum())
        if predicted < best:
            best, shape = predicted, (t, cuts)
    t, cuts = shape
    cells = np.zeros(len(coordinates), dtype=np.int32)
    for j in range(t):
        place = np.floor((coordinates[:, j] / reach[j] + 1.0) * (cuts / 2.0)).astype(np.int32)
        cells = cells * np.int32(cuts) + np.clip(place, 0, cuts - 1)
    return np.asarray(cells, dtype=np.int32)


def _finest_covering(t: int, n_cells: int) -> tuple[NDArray[np.float64], float]:
    """Return the lattice covering of the unit t-ball with the most points, at most `n_cells`, and its alpha.

    The centre alone, with alpha = 1, if there is none of alpha at most 1.
    """

    def alpha_of(limit: int) -> float:
        return math.sqrt(
            t / (limit + 0.5)
        )  # the lattice's points are the integer vectors with |z|^2 <= limit

    def fits(limit: int) -> bool:
        try:
            _partition.covering(t, alpha_of(limit), n_cells)
        except ValueError:
            return False
        return True

    if not fits(t):
        return np.zeros((1, t)), 1.0
    low, high = t, 2 * t
    while fits(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return _partition.covering(t, alpha_of(low), n_cells), alpha_of(low)
