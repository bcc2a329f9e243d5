"""Which block a record is in.

A partition is a function from a record to a block that is fixed before the records are read: it is made of
public or released values, turned into integers. So a record's block depends on that record and on these
values alone, bit for bit, and not on the batch that it comes in. That is what the sensitivity of block
statistics rests on. A floating-point matrix product would break it: its rounding changes with the number of
rows, so one more record could move another to a different block.

`NearestPoint` is the paper's partition (Section 3). `Pinning` and `RandomSigns` are drawn without the data
and so cost no privacy budget; `Lattice` needs no search. All release every block, empty ones too: their
number is fixed beforehand. `equipartition` depends on all records and serves anonymity alone.

Examples
--------
>>> import numpy as np
>>> import covloss_fast as cf
>>> cf.partition.Pinning((0,)).labels(np.array([[0, 1], [1, 1]], dtype=np.uint8)).tolist()
[0, 1]
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from covloss_fast._core import partition as _core
from covloss_fast._core.bits import BitMatrix
from covloss_fast._threads import resolve_n_threads

__all__ = [
    "Lattice",
    "NearestPoint",
    "Pinning",
    "RandomSigns",
    "equipartition",
    "loss_bound",
    "quantise_directions",
]

_MAX_BLOCKS = 2**24
_MAX_LABEL_BITS = 24

#: Records as the partitions read them: packed, or an array of zeros and ones, shape (n_records, n_bits).
Bits = BitMatrix | NDArray[np.uint8] | NDArray[np.bool_]


def _packed(bits: Bits, n_threads: int) -> BitMatrix:
    return bits if isinstance(bits, BitMatrix) else BitMatrix.from_array(bits, n_threads)


def quantise_directions(directions: NDArray[np.float64], scale: float) -> NDArray[np.int32]:
    """Round ``scale * directions`` to integers, halves to even.

    Parameters
    ----------
    directions : float array, shape (n_bits, t)
        What each set bit adds to the coordinates.
    scale : float
        Number of integer steps in a unit.

    Returns
    -------
    int32 array, shape (n_bits, t)

    Raises
    ------
    ValueError
        If a value is not finite or leaves 31 bits.

    Examples
    --------
    >>> import numpy as np
    >>> from covloss_fast import partition
    >>> partition.quantise_directions(np.array([[0.5], [-0.25]]), 4.0).tolist()
    [[2], [-1]]
    """
    scaled = np.rint(np.asarray(directions, dtype=np.float64) * scale)
    outside = np.argwhere(~(np.abs(scaled) < 2.0**31))  # also true for NaN
    if len(outside):
        raise ValueError(
            f"direction {outside[0].tolist()} is not finite or leaves 31 bits at scale {scale!r}"
        )
    return np.ascontiguousarray(scaled.astype(np.int32))


def _fits(directions: NDArray[np.int32], offset: NDArray[np.int64], largest: int, bits: int) -> bool:
    """Whether squared distances fit: t (2 bound)^2 < 2^bits, with the bound that the core uses."""
    t = directions.shape[1]
    wide = directions.astype(np.int64)
    high = (offset + np.maximum(wide, 0).sum(axis=0)).tolist()
    low = (offset + np.minimum(wide, 0).sum(axis=0)).tolist()
    bound = max([largest, *high, *(-value for value in low)])
    return bool(t * (2 * bound) ** 2 < 2**bits)


def _integers(
    directions: NDArray[np.float64],
    offset: NDArray[np.float64],
    points: NDArray[np.float64],
    distance_bits: int,
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64], float]:
    """Directions, offset and points in steps of 1/scale, the finest power of two at which distances fit."""
    directions, offset, points = (np.asarray(a, dtype=np.float64) for a in (directions, offset, points))
    if directions.ndim != 2 or offset.shape != directions.shape[1:] or points.shape[1:] != offset.shape:
        raise ValueError(
            f"directions (n_bits, t), offset (t,) and points (n, t) do not fit together: got shapes "
            f"{directions.shape}, {offset.shape} and {points.shape}"
        )
    if not (np.isfinite(directions).all() and np.isfinite(offset).all() and np.isfinite(points).all()):
        raise ValueError("directions, offset and points must be finite")
    if not 8 <= distance_bits <= 63:
        raise ValueError(f"distance_bits must be from 8 to 63, got {distance_bits!r}")
    reach = np.abs(offset) + np.abs(directions).sum(axis=0)
    largest = max(float(reach.max(initial=0.0)), float(np.abs(points).max(initial=0.0)), 1e-300)
    exponent = min(int(np.floor(30.0 - np.log2(largest))), 40)
    while True:
        scale = 2.0**exponent
        whole = quantise_directions(directions, scale)
        start = np.rint(offset * scale).astype(np.int64)
        placed = np.ascontiguousarray(np.rint(points * scale).astype(np.int64))
        if _fits(whole, start, int(np.abs(placed).max(initial=0)), distance_bits):
            return whole, start, placed, scale
        exponent -= 1


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

    Examples
    --------
    >>> import numpy as np
    >>> from covloss_fast import partition
    >>> points = partition.NearestPoint.from_real(np.eye(2), np.zeros(2), np.array([[0.0, 0.0], [1.0, 1.0]]))
    >>> points.labels(np.array([[0, 0], [1, 1], [1, 0]], dtype=np.uint8)).tolist()  # a tie: the lowest
    [0, 1, 0]
    """

    directions: NDArray[np.int32]
    offset: NDArray[np.int64]
    points: NDArray[np.int64]

    @classmethod
    def from_real(
        cls,
        directions: NDArray[np.float64],
        offset: NDArray[np.float64],
        points: NDArray[np.float64],
        distance_bits: int = 63,
    ) -> NearestPoint:
        """Round real directions, offset and points to a common grid, as fine as exact distances allow.

        Parameters
        ----------
        directions, offset, points : float arrays, shapes (n_bits, t), (t,), (n_blocks, t)
            As the attributes, in any unit.
        distance_bits : int
            Bits that a squared distance may take. With 31, coordinates keep some twelve bits: a few records
            in a thousand, which lie about as far from two points, change their block. Labels take less than
            half the time then, on an x86-64 without AVX2 an eighth of it.
        """
        return cls(*_integers(directions, offset, points, distance_bits)[:3])

    @property
    def n_blocks(self) -> int:
        """Number of points."""
        return len(self.points)

    def labels(self, bits: Bits, n_threads: int | None = None) -> NDArray[np.int32]:
        """Block of every record, shape (n_records,), each in [0, n_blocks).

        Raises
        ------
        ValueError
            Unless t (2 bound)^2 < 2^63, where no coordinate of a record or point can be beyond the bound.
        """
        threads = resolve_n_threads(n_threads)
        packed = _packed(bits, threads)
        return _core.assign_nearest(packed, self.directions, self.offset, self.points, threads)


@dataclass(frozen=True, eq=False)
class Lattice:
    """Cells of a grid of equal intervals along each coordinate.

    Attributes
    ----------
    directions, offset
        As in `NearestPoint`.
    spacing : int
        Side of a cell, in the units of the coordinates.
    cells : int
        Cells along each coordinate, centred about 0; coordinates beyond fall into the outermost.

    Examples
    --------
    >>> import numpy as np
    >>> from covloss_fast import partition
    >>> cells = partition.Lattice.from_real(np.eye(2), np.full(2, -0.5), spacing=1.0, cells=2)
    >>> cells.n_blocks, cells.labels(np.array([[0, 0], [1, 1]], dtype=np.uint8)).tolist()
    (4, [0, 3])
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
        unit = np.full((1, np.shape(directions)[1]), float(spacing))
        whole, start, _, scale = _integers(directions, offset, unit, 63)
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

    def labels(self, bits: Bits, n_threads: int | None = None) -> NDArray[np.int32]:
        """Block of every record, shape (n_records,), each in [0, n_blocks)."""
        threads = resolve_n_threads(n_threads)
        return _core.lattice_cells(
            _packed(bits, threads), self.directions, self.offset, self.spacing, self.cells, threads
        )


@dataclass(frozen=True)
class Pinning:
    """Cells of the values of a few bits, chosen without the data (the pinning lemma; costs no budget).

    For s pins drawn at random out of p bits of +-1/sqrt(p), the mean of the squared covariance loss is at
    most 1 / (s + 1).

    Attributes
    ----------
    columns : tuple of int
        The pinned bits; bit l of a label is the value of column l.

    Examples
    --------
    >>> import numpy as np
    >>> from covloss_fast import partition
    >>> partition.Pinning((0, 2)).labels(np.array([[0, 1, 1], [1, 1, 1]], dtype=np.uint8)).tolist()
    [2, 3]
    >>> partition.Pinning.random(10, 3, seed=1).n_blocks
    8
    """

    columns: tuple[int, ...]

    @classmethod
    def random(cls, n_bits: int, n_pins: int, seed: int) -> Pinning:
        """Pin `n_pins` distinct bits of `n_bits`; `seed` is public, and gives the same pins everywhere."""
        if not 0 <= n_pins <= n_bits:
            raise ValueError(f"n_pins must be from 0 to the number of bits, {n_bits}, got {n_pins}")
        keys = np.random.Philox(seed).random_raw(n_bits)
        return cls(tuple(np.argsort(keys, kind="stable")[:n_pins].tolist()))

    def __post_init__(self) -> None:
        if len(set(self.columns)) != len(self.columns) or len(self.columns) > _MAX_LABEL_BITS:
            raise ValueError(f"pins must be distinct, and at most {_MAX_LABEL_BITS}, got {self.columns}")

    @property
    def n_blocks(self) -> int:
        """2 to the number of pins."""
        return int(2 ** len(self.columns))

    def labels(self, bits: Bits, n_threads: int | None = None) -> NDArray[np.int32]:
        """Block of every record, shape (n_records,), each in [0, n_blocks)."""
        threads = resolve_n_threads(n_threads)
        return _core.pin(_packed(bits, threads), self.columns, threads)


@dataclass(frozen=True, eq=False)
class RandomSigns:
    """Cells of the signs of random projections, drawn without the data (costs no budget).

    For records of constant norm 1 the mean of the squared covariance loss over the draw of s directions is at
    most (pi^2 / 4) / (s + 1). Rounding the directions keeps privacy exactly and changes accuracy negligibly.

    Attributes
    ----------
    directions : int32 array, shape (n_bits, s)
        What each set bit adds to the projections.
    offset : int64 array, shape (s,)
        Projections of the record without a set bit. Bit l of a label says whether projection l is >= 0.

    Examples
    --------
    >>> import numpy as np
    >>> from covloss_fast import partition
    >>> signs = partition.RandomSigns.random([True, True, True], 2, seed=1)
    >>> signs.n_blocks, len(signs.labels(np.zeros((5, 3), dtype=np.uint8)))
    (4, 5)
    """

    directions: NDArray[np.int32]
    offset: NDArray[np.int64]

    @classmethod
    def random(cls, signed: Sequence[bool] | NDArray[np.bool_], n_signs: int, seed: int) -> RandomSigns:
        """Draw Gaussian directions, rounded to multiples of 2^-16.

        Parameters
        ----------
        signed : sequence of bool, shape (n_bits,)
            Which bits enter as -1 and +1; the others, of one-hot groups, as 0 and 1. So all records have the
            same norm.
        n_signs : int
            Number of projections, at most 24.
        seed : int
            Public seed; it gives the same directions with every version of numpy.
        """
        if not 0 <= n_signs <= _MAX_LABEL_BITS:
            raise ValueError(f"n_signs must be from 0 to {_MAX_LABEL_BITS}, got {n_signs}")
        twice = np.asarray(signed, dtype=bool)
        raw = np.random.Philox(seed).random_raw(len(twice) * n_signs)
        uniform = (np.atleast_1d(raw) >> np.uint64(12)).astype(np.float64) * 2.0**-52 + 2.0**-53
        normal = np.array([NormalDist().inv_cdf(u) for u in uniform.tolist()], dtype=np.float64)
        drawn = np.rint(2.0**16 * normal).astype(np.int64).reshape(len(twice), n_signs)
        directions = np.where(twice[:, None], 2 * drawn, drawn).astype(np.int32)  # z = 2 x - 1
        return cls(directions, -drawn[twice].sum(axis=0))

    def __post_init__(self) -> None:
        if self.directions.shape[1] > _MAX_LABEL_BITS:
            raise ValueError(f"at most {_MAX_LABEL_BITS} signs, got {self.directions.shape[1]}")

    @property
    def n_blocks(self) -> int:
        """2 to the number of projections."""
        return int(2 ** self.directions.shape[1])

    def labels(self, bits: Bits, n_threads: int | None = None) -> NDArray[np.int32]:
        """Block of every record, shape (n_records,), each in [0, n_blocks)."""
        threads = resolve_n_threads(n_threads)
        return _core.sign_cells(_packed(bits, threads), self.directions, self.offset, threads)


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

    Examples
    --------
    >>> import numpy as np
    >>> import covloss_fast as cf
    >>> blocks = cf.equipartition(np.array([0, 2, 0, 1, 2, 0], dtype=np.int32), 3)
    >>> blocks.tolist(), np.bincount(blocks).tolist()
    ([0, 2, 0, 1, 2, 1], [2, 2, 2])
    """
    given = np.asarray(labels)
    if given.ndim != 1 or not np.issubdtype(given.dtype, np.integer):
        raise ValueError("labels must be a one-dimensional array of integers")
    wanted = operator.index(n_blocks)
    if not 1 <= wanted <= len(given):
        raise ValueError(
            f"n_blocks must be from 1 to the number of records, {len(given):,}, got {n_blocks!r}"
        )
    fits = given.min() >= 0 and given.max() < 2**31
    ranks = given if fits else np.unique(given, return_inverse=True)[1]
    return _core.equipartition(np.ascontiguousarray(ranks, dtype=np.int32), wanted)


def loss_bound(n_blocks: int) -> float:
    """Bound on the covariance loss of the best partition of records in the unit ball, at most 1.

    The least over t of alpha^2 + 1 / (2 sqrt t), alpha = 7 n_blocks^(-1/t): what the nearest points of a
    covering lose of the first t eigenvectors, and what lies beyond these (Theorem 1.2).

    Examples
    --------
    >>> from covloss_fast import partition
    >>> partition.loss_bound(10**6) < partition.loss_bound(10**3)
    True
    """
    limit = int(math.log(max(n_blocks, 1)) / math.log(7))  # beyond it alpha > 1
    candidates = [49.0 * float(n_blocks) ** (-2.0 / t) + 0.5 / math.sqrt(t) for t in range(1, limit + 1)]
    return float(min([1.0, *candidates]))
