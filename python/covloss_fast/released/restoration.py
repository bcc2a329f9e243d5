"""Restoration: rows fitted to released counts, so that what rounding lost is given back.

Rounding block means independently loses E Cov(X | block) off the diagonal: a positive semidefinite matrix, so
the loss has a sign and a target. The second moment was released anyway. Here attributes of rows are redrawn
one at a time until the table's own counts meet released targets (pairs of attributes, single attributes,
block sums). With D = counts - targets and the energy E = (beta / 2) sum W D^2, a Gibbs sweep redraws every
attribute of every row given the rest; after each sweep D is added to multipliers (an augmented Lagrangian),
so that the rows drift to the table of largest entropy that meets the targets, and not to the nearest one to
the start. Greedy sweeps, which take a move only if it lowers E, end the fit and remove the sampling error.

Large tables are cut into shards of rows. The Gibbs sweeps of a shard see its own rows alone, with its share
of the targets, so that shards run side by side, and so do their greedy sweeps; the last one goes over all
rows together.

All of it is post-processing: it reads released values and costs no privacy.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from covloss_fast._core import restoration as _core
from covloss_fast._core.bits import BitMatrix
from covloss_fast._threads import resolve_n_threads
from covloss_fast.schema import BitLayout

_COUNTED_ROWS = 65_536


@dataclass(frozen=True, eq=False)
class FittedRows:
    """What a fit gives.

    Attributes
    ----------
    codes : unsigned integer array, shape (q, n_rows)
        The fitted rows, in the type and the row order of the start.
    history : float64 array, shape (2 + greedy_sweeps, 4)
        Before the fit, after the Gibbs sweeps of all shards, after each greedy sweep: root mean square
        discrepancies of pairs, single attributes and blocks of the whole table (in rows; of tables of bits in
        sums of +-1), and the number of moves since the line before.
    mean_pairs : float64 array, shape (n_bits, n_bits), or None
        Pair counts of the whole table, averaged over the states after the last half of the Gibbs sweeps; the
        diagonal and the pairs of bits of one attribute are 0.
    """

    codes: NDArray[Any]
    history: NDArray[np.float64]
    mean_pairs: NDArray[np.float64] | None


def default_shards(n_rows: int) -> int:
    """The number of shards that the fit uses unless told otherwise: one for every 20,000 rows, at most 16.

    A function of the rows alone, so that the result does not depend on the machine. Of 1,000,000 rows with 64
    attributes, 1 to 128 shards gave the same accuracy; of 45,000 and 79,000 with 64 and 100, one for every
    20,000 and for every 40,000.
    """
    return min(16, max(1, n_rows // 20_000))


def default_beta(n_rows: int, n_shards: int = 1) -> float:
    """The inverse temperature that the fit uses unless told otherwise: 1.5 / sqrt(rows of a shard)."""
    return 1.5 / math.sqrt(max(n_rows / n_shards, 1))


def quota_codes(
    means: ArrayLike, layout: BitLayout, n_rows: int, key: bytes, n_threads: int | None = None
) -> NDArray[Any]:
    """Independent columns whose counts are as near to the means as integers are: no sampling noise.

    Parameters
    ----------
    means : float array, shape (n_bits,)
        Probabilities in the bit layout: a bit in [0, 1], a group on its simplex.
    layout : BitLayout
        Where each attribute lies among the bits.
    n_rows : int
        Number of rows.
    key : bytes
        32 bytes; the result is a function of them and of the arguments.
    n_threads : int or None
        None for all CPUs that this process may use.

    Returns
    -------
    uint8 or uint16 array, shape (q, n_rows)

    Raises
    ------
    ValueError
        If the shape does not fit, a mean is negative, above 1 or not finite, or an attribute has more than
        65,536 levels.
    """
    probabilities = _probabilities(means, layout)
    codes = _core.quota_columns(probabilities, list(layout.sizes), n_rows, key, resolve_n_threads(n_threads))
    return codes.astype(np.min_scalar_type(max(layout.sizes) - 1), copy=False)


def quota_bits(
    means: ArrayLike, layout: BitLayout, n_rows: int, key: bytes, n_threads: int | None = None
) -> BitMatrix:
    """The columns of `quota_codes`, packed, where all attributes are binary."""
    probabilities = _probabilities(means, layout).reshape(-1, 2)
    return _core.quota_bits(probabilities, n_rows, key, resolve_n_threads(n_threads))


def _probabilities(means: ArrayLike, layout: BitLayout) -> NDArray[np.float64]:
    """Probabilities of all levels, checked."""
    values = np.asarray(means, dtype=np.float64)
    if values.shape != (layout.n_bits,):
        raise ValueError(f"means must have shape ({layout.n_bits},), got {values.shape}")
    bad = np.flatnonzero(~((values >= 0) & (values <= 1)))
    if len(bad):
        raise ValueError(f"the mean of bit {bad[0]} is not in [0, 1]")
    return LevelMap(layout).vector(values, 1.0)


def fit_rows(
    codes: NDArray[Any],
    sizes: tuple[int, ...],
    pair_targets: ArrayLike,
    one_way_targets: ArrayLike,
    *,
    key: bytes,
    pair_weights: ArrayLike | None = None,
    one_way_weight: float = 1.0,
    labels: NDArray[np.int32] | None = None,
    block_targets: ArrayLike | None = None,
    block_weight: float = 1.0,
    forbidden: NDArray[np.int32] | None = None,
    sweeps: int = 5,
    greedy_sweeps: int = 3,
    beta: float | None = None,
    n_shards: int | None = None,
    average_pairs: bool = False,
    n_threads: int | None = None,
) -> FittedRows:
    """Redraw attributes of rows until their counts meet targets.

    Targets are numbers of rows in the bit layout. They are rounded to integers, and clipped to what a table
    of so many rows can have in the cell. A pair of attributes is fitted over all cells of its table; level 0
    of a binary attribute is what is left of level 1.

    Parameters
    ----------
    codes : unsigned integer array, shape (q, n_rows)
        The start. It is not changed.
    sizes : tuple of int
        Number of levels of each attribute.
    pair_targets : float array, shape (n_bits, n_bits)
        Rows in which both bits are 1; symmetric. The diagonal and bits of one attribute are not read.
    one_way_targets : float array, shape (n_bits,)
        Rows in which the bit is 1.
    key : bytes
        32 bytes; the result is a function of them and of the other arguments, for any number of threads.
    pair_weights : float array, shape (q, q), or None
        Symmetric, not negative; a pair of weight 0 is not fitted. None: 1 for every pair.
    one_way_weight, block_weight : float
        Weights of the other discrepancies.
    labels : int32 array, shape (n_rows,), or None
        The block of each row: one more attribute, which stays.
    block_targets : float array, shape (n_blocks, n_bits), or None
        Rows of a block in which the bit is 1; given if and only if `labels` is.
    forbidden : integer array, shape (z, 4), or None
        Structural zeros: rows (attribute a, level u, attribute b, level v), a != b; a binary attribute has
        levels 0 and 1. No row comes to hold both levels, whatever the targets say. A row that starts with
        both loses them when one of the two attributes is visited and has a level that goes with the row's
        others; where it has none, any level is drawn, so that some sweeps mend the row.
    sweeps, greedy_sweeps : int
        Numbers of Gibbs sweeps and of greedy sweeps.
    beta : float or None
        Inverse temperature, in units of cells of 0/1 counts; None for `default_beta`.
    n_shards : int or None
        Number of ranges of rows whose Gibbs sweeps run apart; None for `default_shards`. It belongs to the
        arguments that the result depends on.
    average_pairs : bool
        Whether to average the pair counts over the last half of the Gibbs sweeps.
    n_threads : int or None
        None for all CPUs that this process may use.

    Returns
    -------
    FittedRows

    Raises
    ------
    ValueError
        If shapes do not fit, a value is not finite, a weight is negative, or a code, a label or a forbidden
        level is out of range.
    """
    layout = BitLayout(sizes)
    start = np.asarray(codes)
    if start.ndim != 2 or len(start) != len(layout.sizes) or start.dtype.kind != "u":
        raise ValueError(f"codes must be an unsigned integer array of shape ({len(layout.sizes)}, n_rows)")
    n_rows = start.shape[1]
    for attribute, (column, size) in enumerate(zip(start, layout.sizes)):
        if n_rows and column.max() >= size:
            row = int((column >= size).argmax())
            raise ValueError(f"the code of attribute {attribute}, row {row} is not below its size {size}")
    if layout.is_binary.all() and pair_weights is None and not average_pairs:
        bits = BitMatrix.from_codes(
            list(np.ascontiguousarray(start)), list(sizes), resolve_n_threads(n_threads)
        )
        history = fit_bits(
            bits,
            pair_targets,
            one_way_targets,
            key=key,
            one_way_weight=one_way_weight,
            labels=labels,
            block_targets=block_targets,
            block_weight=block_weight,
            forbidden=forbidden,
            sweeps=sweeps,
            greedy_sweeps=greedy_sweeps,
            beta=beta,
            n_shards=n_shards,
            n_threads=n_threads,
        )
        return FittedRows(bits.columns(0, n_rows).astype(start.dtype, copy=False), history, None)
    pairs, singles, labels, blocks, sizes_of_blocks = _targets(
        layout, n_rows, pair_targets, one_way_targets, labels, block_targets
    )
    shards = default_shards(n_rows) if n_shards is None else n_shards
    zeros = None if forbidden is None else _level_pairs(forbidden, layout.sizes)
    temperature = default_beta(n_rows, max(shards, 1)) if beta is None else float(beta)
    threads = resolve_n_threads(n_threads)
    q = len(layout.sizes)
    weights = np.ones((q, q)) if pair_weights is None else _finite("pair_weights", pair_weights, (q, q))
    if not np.array_equal(weights, weights.T):
        raise ValueError("pair_weights must be symmetric")
    levels = LevelMap(layout)
    of_levels = levels.matrix(pairs, singles, float(n_rows))
    wide, history, mean_pairs = _core.fit_rows_categorical(
        np.ascontiguousarray(start, dtype=np.uint16),
        list(layout.sizes),
        np.clip(of_levels, 0, n_rows, out=of_levels),
        np.clip(levels.vector(singles, float(n_rows)), 0, n_rows),
        np.ascontiguousarray(weights),
        np.full(q, float(one_way_weight)),
        labels,
        np.clip(levels.rows(blocks, sizes_of_blocks), 0, sizes_of_blocks[:, None]),
        block_weight,
        zeros,
        sweeps,
        greedy_sweeps,
        temperature,
        key,
        shards,
        average_pairs,
        threads,
    )
    mean = mean_pairs[np.ix_(levels.of_bit, levels.of_bit)] if average_pairs else None
    return FittedRows(wide.astype(start.dtype, copy=False), history, mean)


def fit_bits(
    bits: BitMatrix,
    pair_targets: ArrayLike,
    one_way_targets: ArrayLike,
    *,
    key: bytes,
    one_way_weight: float = 1.0,
    labels: NDArray[np.int32] | None = None,
    block_targets: ArrayLike | None = None,
    block_weight: float = 1.0,
    forbidden: NDArray[np.int32] | None = None,
    sweeps: int = 5,
    greedy_sweeps: int = 3,
    beta: float | None = None,
    n_shards: int | None = None,
    n_threads: int | None = None,
) -> NDArray[np.float64]:
    """`fit_rows` for binary attributes whose pairs all count alike, in place: an eighth of a byte for a bit.

    Parameters
    ----------
    bits : BitMatrix
        The start, a column for each attribute, and then the fitted rows. Nothing else may use it meanwhile;
        after an error it holds neither.
    pair_targets, one_way_targets, key, one_way_weight, labels, block_targets, block_weight, forbidden
        As `fit_rows` takes them.
    sweeps, greedy_sweeps, beta, n_shards, n_threads
        As `fit_rows` takes them.

    Returns
    -------
    history : float64 array, shape (2 + greedy_sweeps, 4)

    Raises
    ------
    ValueError
        As `fit_rows` does.
    """
    layout, n_rows = BitLayout((2,) * bits.n_columns), bits.n_rows
    pairs, singles, labels, blocks, sizes_of_blocks = _targets(
        layout, n_rows, pair_targets, one_way_targets, labels, block_targets
    )
    shards = default_shards(n_rows) if n_shards is None else n_shards
    temperature = default_beta(n_rows, max(shards, 1)) if beta is None else float(beta)
    block_rows = sizes_of_blocks[:, None]
    return _core.fit_rows_binary(
        bits,
        np.clip(n_rows - 2 * (singles[:, None] + singles) + 4 * pairs, -n_rows, n_rows),
        np.clip(2 * singles - n_rows, -n_rows, n_rows),
        one_way_weight,
        labels,
        np.clip(2 * blocks - block_rows, -block_rows, block_rows),
        block_weight,
        None if forbidden is None else _level_pairs(forbidden, layout.sizes),
        sweeps,
        greedy_sweeps,
        # A +-1 pair sum moves by 4 where the four cells of a 0/1 table move by 1 each.
        temperature / 4,
        key,
        shards,
        resolve_n_threads(n_threads),
    )


def _targets(
    layout: BitLayout,
    n_rows: int,
    pair_targets: ArrayLike,
    one_way_targets: ArrayLike,
    labels: NDArray[np.int32] | None,
    block_targets: ArrayLike | None,
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.int32] | None, NDArray[Any], NDArray[Any]]:
    """Targets of pairs, bits and blocks, the labels and the sizes of the blocks, checked."""
    if (labels is None) != (block_targets is None):
        raise ValueError("labels and block_targets must be given together")
    pairs = _finite("pair_targets", pair_targets, (layout.n_bits, layout.n_bits))
    singles = _finite("one_way_targets", one_way_targets, (layout.n_bits,))
    blocks = np.zeros((0, layout.n_bits))
    sizes = np.zeros(0)
    if labels is not None and block_targets is not None:
        labels = np.ascontiguousarray(labels, dtype=np.int32)
        blocks = _finite("block_targets", block_targets, (len(np.asarray(block_targets)), layout.n_bits))
        within = labels.shape == (n_rows,) and (
            n_rows == 0 or (labels.min() >= 0 and labels.max() < len(blocks))
        )
        if not within:
            raise ValueError(f"labels must be {n_rows} numbers from 0 to {len(blocks) - 1}")
        sizes = block_sizes(labels, len(blocks)).astype(np.float64)
    return pairs, singles, labels, blocks, sizes


def block_sizes(labels: NDArray[np.int32], n_blocks: int) -> NDArray[np.int64]:
    """Rows of each block; part by part, as `bincount` copies labels to eight bytes each."""
    parts = (labels[first : first + _COUNTED_ROWS] for first in range(0, len(labels), _COUNTED_ROWS))
    return sum((np.bincount(part, minlength=n_blocks) for part in parts), np.zeros(n_blocks, np.int64))


class LevelMap:
    """From bits to levels: a binary attribute has two levels, the bit and its complement.

    Attributes
    ----------
    n_levels : int
        Number of levels of all attributes.
    of_bit : int64 array, shape (n_bits,)
        The level that a bit stands for.
    """

    def __init__(self, layout: BitLayout) -> None:
        offsets = np.concatenate([[0], np.cumsum(layout.sizes)])
        self.n_levels = int(offsets[-1])
        is_complement = np.zeros(self.n_levels, dtype=bool)
        is_complement[offsets[:-1][layout.is_binary]] = True
        self.of_bit = np.flatnonzero(~is_complement)
        self._complements = np.flatnonzero(is_complement)

    def vector(self, counts: NDArray[np.float64], n: float) -> NDArray[np.float64]:
        """Counts of levels from counts of bits among n rows."""
        return np.asarray(self.rows(counts[None, :], np.array([n]))[0])

    def rows(self, counts: NDArray[np.float64], n: NDArray[np.float64]) -> NDArray[np.float64]:
        """The same for several sets of rows."""
        out = np.empty((len(counts), self.n_levels))
        out[:, self.of_bit] = counts
        out[:, self._complements] = n[:, None] - out[:, self._complements + 1]
        return out

    def matrix(
        self, pairs: NDArray[np.float64], singles: NDArray[np.float64], n: float
    ) -> NDArray[np.float64]:
        """Counts of pairs of levels from those of pairs of bits; within an attribute they mean nothing."""
        levels = self.vector(singles, n)
        out = np.empty((self.n_levels, self.n_levels))
        out[np.ix_(self.of_bit, self.of_bit)] = pairs
        out[np.ix_(self._complements, self.of_bit)] = (
            singles - out[np.ix_(self._complements + 1, self.of_bit)]
        )
        out[:, self._complements] = levels[:, None] - out[:, self._complements + 1]
        return out


def _finite(name: str, values: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.float64]:
    array = np.ascontiguousarray(values, dtype=np.float64)
    if array.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, got {array.shape}")
    bad = np.argwhere(~np.isfinite(array))
    if len(bad):
        raise ValueError(f"{name} must be finite; the entry at {tuple(map(int, bad[0]))} is not")
    return array


def _level_pairs(forbidden: NDArray[Any], sizes: tuple[int, ...]) -> NDArray[np.int32]:
    """Pairs of levels of two attributes, checked."""
    array = np.asarray(forbidden)
    if array.ndim != 2 or array.shape[1] != 4 or array.dtype.kind not in "iu":
        raise ValueError(
            f"forbidden must be an integer array of shape (z, 4), got {array.dtype} of {array.shape}"
        )
    attributes, levels = array[:, ::2], array[:, 1::2]
    known = (attributes >= 0) & (attributes < len(sizes))
    within = known & (levels >= 0) & (levels < np.array(sizes)[np.where(known, attributes, 0)])
    bad = np.flatnonzero(~within.all(axis=1) | (attributes[:, 0] == attributes[:, 1]))
    if len(bad):
        raise ValueError(
            f"row {bad[0]} of forbidden, {array[bad[0]].tolist()}, is not two levels of two attributes"
        )
    return np.ascontiguousarray(array, dtype=np.int32)
