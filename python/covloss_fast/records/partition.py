"""Which block a record is in.

A partition is a function from a record to a block that is fixed before the records are read: it is made of
public or released values, turned into integers. So a record's block depends on that record and on these
values alone, bit for bit, and not on the batch that it comes in. That is what the sensitivity of block
statistics rests on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from covloss_fast._core import partition as _core
from covloss_fast._core.bits import BitMatrix

__all__ = ["Lattice", "NearestPoint", "Pinning", "RandomSigns", "equipartition"]

_MAX_BLOCKS = 2**24


def _integers(
    directions: NDArray[np.float64], offset: NDArray[np.float64], points: NDArray[np.float64]
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64], float]:
    """Directions, offset and points in units of 1/scale, the finest whose squared distances fit 63 bits."""
    if not (np.isfinite(directions).all() and np.isfinite(offset).all() and np.isfinite(points).all()):
        raise ValueError("directions, offset and points must be finite")
    t = directions.shape[1]
    reach = np.abs(offset) + np.abs(directions).sum(axis=0) if t else np.zeros(0)
    largest = max(float(reach.max(initial=0.0)), float(np.abs(points).max(initial=0.0)), 1e-300)
    # t (2 bound)^2 < 2^63 with room for rounding up; a power of two, so that scaling is exact.
    bound = np.sqrt(2.0**61 / max(t, 1)) / 2.0 - directions.shape[0] - 2
    scale = 2.0 ** min(np.floor(np.log2(bound / largest)), 40.0)
    return (
        np.ascontiguousarray(np.rint(directions * scale).astype(np.int32)),
        np.rint(offset * scale).astype(np.int64),
        np.ascontiguousarray(np.rint(points * scale).astype(np.int64)),
        float(scale),
    )


@dataclass(frozen=True, eq=False)
class NearestPoint:
    """Nearest-point partition of projected records (Section 3 of the paper).

    The coordinates of a record are ``offset`` plus the rows of ``directions`` of its set bits. Its block is
    the index of the nearest point, ties to the lowest index. All arithmetic is exact.

    Attributes
    ----------
    directions : int32 array, shape (n_bits, t)
        What each set bit adds to the coordinates.
    offset : int64 array, shape (t,)
        Coordinates of the record without a set bit.
    points : int64 array, shape (n_blocks, t)
        Points, in the same units.
    """

    directions: NDArray[np.int32]
    offset: NDArray[np.int64]
    points: NDArray[np.int64]

    @classmethod
    def from_real(
        cls, directions: NDArray[np.float64], offset: NDArray[np.float64], points: NDArray[np.float64]
    ) -> NearestPoint:
        """Round real directions, offset and points to a common grid, as fine as exact distances allow."""
        return cls(*_integers(directions, offset, points)[:3])

    @property
    def n_blocks(self) -> int:
        """Number of points."""
        return len(self.points)

    def labels(self, bits: BitMatrix, n_threads: int = 1) -> NDArray[np.int32]:
        """Block of every record, shape (n_records,), each in [0, n_blocks)."""
        return _core.assign_nearest(bits, self.directions, self.offset, self.points, n_threads)


@dataclass(frozen=True, eq=False)
class Lattice:
    """Cells of a grid: each coordinate is rounded down to a multiple of ``spacing`` and kept in a range.

    Attributes
    ----------
    directions, offset
        As in `NearestPoint`.
    spacing : int
        Side of a cell, in the units of the coordinates.
    cells : int
        Cells along each coordinate, centred about 0; coordinates beyond fall into the outermost.
    """

    directions: NDArray[np.int32]
    offset: NDArray[np.int64]
    spacing: int
    cells: int

    @classmethod
    def from_real(
        cls, directions: NDArray[np.float64], offset: NDArray[np.float64], spacing: float, cells: int
    ) -> Lattice:
        """Round real directions, offset and spacing to a common grid."""
        whole, start, _, scale = _integers(directions, offset, np.zeros((1, directions.shape[1])))
        return cls(whole, start, max(1, round(spacing * scale)), cells)

    def __post_init__(self) -> None:
        if self.spacing < 1 or self.cells < 1:
            raise ValueError(f"spacing and cells must be at least 1, got {self.spacing} and {self.cells}")
        if self.cells ** self.directions.shape[1] > _MAX_BLOCKS:
            raise ValueError(
                f"{self.cells} cells in {self.directions.shape[1]} dimensions are more than "
                f"{_MAX_BLOCKS:,} blocks"
            )

    @property
    def n_blocks(self) -> int:
        """Number of cells of the grid, most of them empty."""
        return int(self.cells ** self.directions.shape[1])

    def labels(self, bits: BitMatrix, n_threads: int = 1) -> NDArray[np.int32]:
        """Block of every record, shape (n_records,), each in [0, n_blocks)."""
        coordinates = _core.project(bits, self.directions, self.offset, n_threads).astype(np.int64)
        doubled = 2 * coordinates + self.cells * self.spacing  # borders symmetric about 0
        cell = np.clip(doubled // (2 * self.spacing), 0, self.cells - 1)
        labels = np.zeros(len(cell), dtype=np.int64)
        for column in range(cell.shape[1]):
            labels = labels * self.cells + cell[:, column]
        return labels.astype(np.int32)


@dataclass(frozen=True)
class Pinning:
    """Cells of the values of a few bits, chosen without the data (the pinning lemma; costs no budget).

    Attributes
    ----------
    columns : tuple of int
        The pinned bits; bit l of a label is the value of column l.
    """

    columns: tuple[int, ...]

    @classmethod
    def random(cls, n_bits: int, n_pins: int, seed: int) -> Pinning:
        """Pin distinct random bits; `seed` is public."""
        generator = np.random.Generator(np.random.Philox(seed))
        return cls(tuple(int(c) for c in generator.choice(n_bits, n_pins, replace=False)))

    def __post_init__(self) -> None:
        if len(set(self.columns)) != len(self.columns) or len(self.columns) > 24:
            raise ValueError("pins must be distinct, and at most 24")

    @property
    def n_blocks(self) -> int:
        """2 to the number of pins."""
        return int(2 ** len(self.columns))

    def labels(self, bits: BitMatrix, n_threads: int = 1) -> NDArray[np.int32]:
        """Block of every record, shape (n_records,), each in [0, n_blocks)."""
        weights = np.zeros((bits.n_columns, 1), dtype=np.int32)
        weights[list(self.columns), 0] = 1 << np.arange(len(self.columns))
        return _core.project(bits, weights, np.zeros(1, dtype=np.int64), n_threads)[:, 0]


@dataclass(frozen=True, eq=False)
class RandomSigns:
    """Cells of the signs of random projections, drawn without the data (costs no budget).

    Attributes
    ----------
    directions : int32 array, shape (n_bits, s)
        What each set bit adds to the projections.
    offset : int64 array, shape (s,)
        Projections of the record without a set bit. Bit l of a label says whether projection l is >= 0.
    """

    directions: NDArray[np.int32]
    offset: NDArray[np.int64]

    @classmethod
    def random(cls, signed: Sequence[bool] | NDArray[np.bool_], n_signs: int, seed: int) -> RandomSigns:
        """Gaussian directions, rounded to multiples of 2^-16.

        Parameters
        ----------
        signed : sequence of bool, shape (n_bits,)
            Which bits enter as -1 and +1; the others as 0 and 1.
        n_signs : int
            Number of projections, at most 24.
        seed : int
            Public seed.
        """
        if not 0 <= n_signs <= 24:
            raise ValueError(f"n_signs must be from 0 to 24, got {n_signs}")
        twice = np.asarray(signed, dtype=bool)
        generator = np.random.Generator(np.random.Philox(seed))
        drawn = np.rint(2.0**16 * generator.standard_normal((len(twice), n_signs))).astype(np.int64)
        directions = np.where(twice[:, None], 2 * drawn, drawn).astype(np.int32)
        return cls(directions, -drawn[twice].sum(axis=0))

    @property
    def n_blocks(self) -> int:
        """2 to the number of projections."""
        return int(2 ** self.directions.shape[1])

    def labels(self, bits: BitMatrix, n_threads: int = 1) -> NDArray[np.int32]:
        """Block of every record, shape (n_records,), each in [0, n_blocks)."""
        signs = _core.project(bits, self.directions, self.offset, n_threads) >= 0
        weights = 1 << np.arange(signs.shape[1], dtype=np.int32)
        return np.asarray(signs @ weights, dtype=np.int32)


def equipartition(labels: NDArray[np.int32], n_blocks: int) -> NDArray[np.int32]:
    """Turn any partition into exactly `n_blocks` blocks whose sizes differ by at most one.

    Records are ordered by label, then by row, and cut into equal pieces (Theorem 1.2, "moreover"). What is
    lost beyond the given partition is at most (number of labels - 1) ceil(n / n_blocks) / n for records of
    norm at most one. The blocks depend on all records: for anonymity only, never for differential privacy.

    Parameters
    ----------
    labels : int array, shape (n,)
        Any partition.
    n_blocks : int
        At most n.

    Returns
    -------
    int32 array, shape (n,)
        Blocks, from 0 to n_blocks - 1.

    Raises
    ------
    ValueError
        If there are fewer records than blocks.
    """
    given = np.asarray(labels)
    if given.ndim != 1 or not np.issubdtype(given.dtype, np.integer):
        raise ValueError("labels must be a one-dimensional array of integers")
    if not 1 <= n_blocks <= len(given):
        raise ValueError(
            f"n_blocks must be from 1 to the number of records, {len(given):,}, got {n_blocks!r}"
        )
    ranks = np.unique(given, return_inverse=True)[1].astype(np.int32)
    return _core.equipartition(np.ascontiguousarray(ranks), n_blocks)
