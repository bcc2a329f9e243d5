"""Tables of rows that meet the targets of a release.

The canonical table of a release, and any other number of rows that is asked for later, are made in the same
way: block labels in exact proportion to the block weights, attributes drawn from the block means (by quotas
where there is one block), then moves of single attributes until the table's own counts meet the targets
(:mod:`covloss_fast.released.restoration`). Work grows as rows times the square of the number of attributes,
so the number of rows that are fitted is bounded; further rows repeat fitted ones. Independent columns are
dealt in parts, each with its own quotas.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from covloss_fast._core.bits import BitMatrix, second_moment
from covloss_fast.released.coarse_levels import CoarseLevels
from covloss_fast.released.denoising import rake
from covloss_fast.released.model import BlockModel
from covloss_fast.released.restoration import (
    LevelMap,
    block_sizes,
    fit_bits,
    fit_rows,
    quota_bits,
    quota_codes,
)
from covloss_fast.released.rounding import sample_codes
from covloss_fast.released.rows import (
    PACKED_ROWS,
    DrawnRows,
    PackedCodes,
    RepeatedRows,
    Rows,
    packed_parts,
    ranges,
)
from covloss_fast.released.structural_zeros import zero_pairs
from covloss_fast.schema import BitLayout

#: Rows times pairs of cells that a sweep may look at. A sweep takes 0.1 to 0.4 ns for each.
_MOST_WORK = 5e9
_LEAST_FITTED_ROWS = 2_000
#: Beyond it rows are repeated in any case: the counts of so many leave hardly anything to chance.
LARGEST_FITTED_ROWS = 2**20
#: Levels of which pairs take 1.6 MB, as much as a core has of cache.
MOST_CACHED_LEVELS = 640
_USUAL_SD, _MOST_WEIGHT = 20.0, 4.0
#: Gibbs sweeps, greedy ones after them; sweeps over coarse levels, greedy ones over all levels after them.
SWEEPS, GREEDY_SWEEPS = 5, 3
COARSE_SWEEPS, POLISHING_SWEEPS = 15, 2


class Targets(Protocol):
    """What rows can be fitted to."""

    def fit(self, n_rows: int, key: bytes, n_threads: int) -> Rows:
        """Rows that meet the targets; a function of the first two arguments."""


@dataclass(frozen=True, eq=False)
class ColumnTargets:
    """Fractions of rows with each bit, columns independent.

    Attributes
    ----------
    sizes : tuple of int
        Number of levels of each attribute.
    one_way : float64 array, shape (n_bits,)
        Fraction of rows with the bit.
    """

    sizes: tuple[int, ...]
    one_way: NDArray[np.float64]

    def fit(self, n_rows: int, key: bytes, n_threads: int) -> DrawnRows:
        """Rows that meet the targets."""
        return DrawnRows(n_rows, partial(self._part, key, n_threads))

    def _part(self, key: bytes, n_threads: int, number: int, n: int) -> NDArray[Any]:
        return quota_codes(self.one_way, BitLayout(self.sizes), n, _derive(key, f"part {number}"), n_threads)


@dataclass(frozen=True, eq=False)
class PairTargets:
    """Fractions of rows with each bit and each pair of bits, and a model for all else.

    Attributes
    ----------
    model : BlockModel
        Blocks; the rows start from it and keep its block means.
    one_way : float64 array, shape (n_bits,)
        Fraction of rows with the bit.
    pairs : float64 array, shape (n_bits, n_bits)
        Fraction of rows with both bits; read between attributes.
    zeros : int32 array, shape (z, 4)
        Structural zeros, as `restoration.fit_rows` takes them.
    one_way_weight, block_weight : float
        How much the bits and the blocks count beside the pairs: the inverse ratios of their noise variances,
        so that where targets contradict one another the less certain ones give way.
    """

    model: BlockModel
    one_way: NDArray[np.float64]
    pairs: NDArray[np.float64]
    zeros: NDArray[np.int32]
    one_way_weight: float = 1.0
    block_weight: float = 1.0

    @classmethod
    def of_rows(cls, model: BlockModel, rows: Rows, zeros: NDArray[np.int32], n_threads: int) -> PairTargets:
        """The counts that a table has already, as targets for another one.

        Parameters
        ----------
        model : BlockModel
            The model that the table was made from.
        rows : Rows
            The table, of one row at least.
        zeros : int32 array, shape (z, 4)
            Structural zeros.
        n_threads : int
            Threads to use.
        """
        counts = _moment_of(rows, model.sizes, n_threads) / rows.n_rows
        return cls(model, np.ascontiguousarray(np.diagonal(counts)), counts, zeros)

    def fit(self, n_rows: int, key: bytes, n_threads: int) -> RepeatedRows:
        """Rows that meet the targets."""
        layout = self.model.layout
        n_fitted = min(n_rows, most_fitted_rows(layout))
        labels, block_targets = None, None
        if self.model.n_blocks > 1:
            labels = _draw_labels(self.model.weights, n_fitted, _derive(key, "blocks"), n_threads)
            sizes = block_sizes(labels, self.model.n_blocks)
            block_targets = sizes[:, None] * self.model.means
        pair_targets = n_fitted * zero_pairs(self.pairs, self.one_way, layout, self.zeros)
        one_way_targets = n_fitted * self.one_way
        options: dict[str, Any] = {
            "key": _derive(key, "moves"),
            "forbidden": self.zeros if len(self.zeros) else None,
            "labels": labels,
            "block_targets": block_targets,
            "one_way_weight": self.one_way_weight,
            "block_weight": self.block_weight,
            "sweeps": SWEEPS,
            "greedy_sweeps": GREEDY_SWEEPS,
            "n_threads": n_threads,
        }
        start_key = _derive(key, "start")
        if layout.is_binary.all():
            if labels is None:
                bits = quota_bits(self.one_way, layout, n_fitted, start_key, n_threads)
            else:
                parts = (
                    list(self._draw(labels, first, stop, start_key, n_threads))
                    for first, stop in ranges(n_fitted, PACKED_ROWS)
                )
                bits = BitMatrix.from_parts(parts, n_fitted, layout.sizes, n_threads)
            fit_bits(bits, pair_targets, one_way_targets, **options)
            return RepeatedRows(PackedCodes.of_bits(bits), n_rows)
        if labels is None:
            start = quota_codes(self.one_way, layout, n_fitted, start_key, n_threads)
        else:
            start = self._draw(labels, 0, n_fitted, start_key, n_threads)
        codes = fit_rows(start, layout.sizes, pair_targets, one_way_targets, **options).codes
        return RepeatedRows(PackedCodes.of_codes(codes, layout.sizes, n_threads), n_rows)

    def _draw(
        self, labels: NDArray[np.int32], first: int, stop: int, key: bytes, n_threads: int
    ) -> NDArray[Any]:
        """Codes of rows first to stop - 1 of these blocks, drawn from the model."""
        model, part = self.model, labels[first:stop]
        return sample_codes(model.weights, model.means, model.sizes, len(part), key, first, n_threads, part)


@dataclass(frozen=True, eq=False)
class CoarseTargets:
    """Pair tables over coarse levels, some of them measured, and 1-way marginals over all levels.

    Attributes
    ----------
    sizes : tuple of int
        Number of levels of each attribute.
    levels : CoarseLevels
        Coarse levels and their margins.
    tables : dict of (int, int) to float64 array
        Fractions of the measured pair tables over coarse levels, by attributes a < b.
    weights : dict of (int, int) to float
        How much each of them counts.
    zeros : int32 array, shape (z, 4)
        Structural zeros, in levels.
    sweeps : int
        Sweeps over coarse levels.
    """

    sizes: tuple[int, ...]
    levels: CoarseLevels
    tables: dict[tuple[int, int], NDArray[np.float64]]
    weights: dict[tuple[int, int], float]
    zeros: NDArray[np.int32]
    sweeps: int = COARSE_SWEEPS

    @classmethod
    def of_rows(
        cls,
        sizes: tuple[int, ...],
        ordered: Sequence[bool],
        rows: Rows,
        zeros: NDArray[np.int32],
        n_threads: int,
    ) -> CoarseTargets:
        """The counts that a table has already, over so few coarse levels that their pairs stay in cache.

        Beyond that a visit of an attribute waits for memory, so that most sweeps had better not go over all
        levels. Parameters are those of `PairTargets.of_rows`; `ordered` is that of `CoarseLevels.choose`.
        """
        layout = BitLayout(sizes)
        counts = _moment_of(rows, sizes, n_threads) / rows.n_rows
        full = LevelMap(layout)
        singles = np.ascontiguousarray(np.diagonal(counts))
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        one_way = np.split(full.vector(singles, 1.0), offsets[1:-1])
        least = 2.0**-10
        while sum((levels := CoarseLevels.choose(one_way, ordered, least)).sizes) > MOST_CACHED_LEVELS:
            if least > 1 / 3:
                break
            least *= 2**0.25
        merged = np.concatenate([o + c for o, c in zip(levels.offsets, levels.of_level)])
        to_coarse = np.zeros((len(merged), int(levels.offsets[-1])))
        to_coarse[np.arange(len(merged)), merged] = 1.0
        pairs = to_coarse.T @ full.matrix(counts, singles, 1.0) @ to_coarse
        places = [slice(*border) for border in zip(levels.offsets[:-1], levels.offsets[1:])]
        attributes = [(a, b) for b in range(len(sizes)) for a in range(b)]
        tables = {(a, b): pairs[places[a], places[b]] for a, b in attributes}
        return cls(sizes, levels, tables, dict.fromkeys(attributes, 1.0), zeros, sweeps=SWEEPS)

    def fit(self, n_rows: int, key: bytes, n_threads: int) -> RepeatedRows:
        """Rows that meet the targets.

        Rows are fitted to the measured tables over coarse levels; what they say of the pairs that were not
        measured becomes the target of those. Levels inside coarse levels are dealt by quotas, and greedy
        moves at full resolution end the fit.
        """
        layout = BitLayout(self.sizes)
        n_fitted = min(n_rows, most_fitted_rows(layout))
        coarse_layout = BitLayout(self.levels.sizes)
        q = len(self.sizes)
        coarse_levels = LevelMap(coarse_layout)
        of_bit = coarse_levels.of_bit
        margins = np.concatenate(self.levels.margins)
        pairs = np.outer(margins, margins)
        weights = np.zeros((q, q))
        for (a, b), table in self.tables.items():
            self._put(pairs, a, b, table)
            weights[a, b] = weights[b, a] = self.weights[a, b]
        fitted = fit_rows(
            quota_codes(margins[of_bit], coarse_layout, n_fitted, _derive(key, "start"), n_threads),
            self.levels.sizes,
            n_fitted * pairs[np.ix_(of_bit, of_bit)],
            n_fitted * margins[of_bit],
            key=_derive(key, "moves"),
            pair_weights=weights,
            sweeps=self.sweeps,
            greedy_sweeps=0,
            average_pairs=True,
            n_threads=n_threads,
        )
        assert fitted.mean_pairs is not None
        seen = coarse_levels.matrix(fitted.mean_pairs / max(n_fitted, 1), margins[of_bit], 1.0)
        self._fill_unmeasured(pairs, seen)
        codes = self._expand(fitted.codes, _derive(key, "levels"))
        of_level = np.concatenate([o + c for o, c in zip(self.levels.offsets, self.levels.of_level)])
        share = np.concatenate(self.levels.share)
        fine_bit = LevelMap(layout).of_bit
        coarse_of, share_of = of_level[fine_bit], share[fine_bit]
        one_way = margins[coarse_of] * share_of
        # The largest array of a fit of thousands of levels: made row by row, scaled in place.
        fine_pairs = np.empty((len(coarse_of), len(coarse_of)))
        for row, coarse, part in zip(fine_pairs, coarse_of, share_of):
            np.multiply(pairs[coarse, coarse_of], part * share_of, out=row)
        fine_pairs = zero_pairs(fine_pairs, one_way, layout, self.zeros)
        fine_pairs *= n_fitted
        polished = fit_rows(
            codes,
            self.sizes,
            fine_pairs,
            n_fitted * one_way,
            key=_derive(key, "polish"),
            forbidden=self.zeros if len(self.zeros) else None,
            sweeps=0,
            greedy_sweeps=POLISHING_SWEEPS,
            n_threads=n_threads,
        )
        return RepeatedRows(PackedCodes.of_codes(polished.codes, self.sizes, n_threads), n_rows)

    def _slice(self, attribute: int) -> slice:
        offsets = self.levels.offsets
        return slice(int(offsets[attribute]), int(offsets[attribute + 1]))

    def _put(self, pairs: NDArray[np.float64], a: int, b: int, table: NDArray[np.float64]) -> None:
        pairs[self._slice(a), self._slice(b)] = table
        pairs[self._slice(b), self._slice(a)] = table.T

    def _fill_unmeasured(self, pairs: NDArray[np.float64], seen: NDArray[np.float64]) -> None:
        """Put what fitted rows have of a pair that was not measured in its place, raked to its margins."""
        margins = self.levels.margins
        for a in range(len(margins)):
            for b in range(a + 1, len(margins)):
                if (a, b) not in self.tables:
                    table = seen[self._slice(a), self._slice(b)]
                    self._put(pairs, a, b, rake(table, margins[a], margins[b]))

    def _expand(self, coarse: NDArray[Any], key: bytes) -> NDArray[Any]:
        """Deal the levels of each coarse level to its rows, in their proportions and random order."""
        generator = np.random.Generator(np.random.Philox(key=int.from_bytes(key[:16], "little")))
        codes = np.empty(coarse.shape, dtype=np.min_scalar_type(max(self.sizes) - 1))
        for attribute, (of_level, share) in enumerate(zip(self.levels.of_level, self.levels.share)):
            for level in range(self.levels.sizes[attribute]):
                rows = np.flatnonzero(coarse[attribute] == level)
                members = np.flatnonzero(of_level == level)
                exact = np.cumsum(share[members]) * len(rows)
                ends = np.floor(exact + generator.random()).astype(np.int64)
                ends[-1] = len(rows)
                ends = np.minimum(ends, len(rows))
                dealt = np.repeat(members, np.diff(ends, prepend=0))
                codes[attribute, rows] = generator.permutation(dealt)
        return codes


def table_weight(noise_sd: float) -> float:
    """How much a pair table counts in the fit: by the inverse of its noise variance, at most 4."""
    return min(_MOST_WEIGHT, (_USUAL_SD / noise_sd) ** 2)


def most_fitted_rows(layout: BitLayout) -> int:
    """Number of rows that are fitted at most: more would take too long, and are repeated."""
    widths = np.array(layout.sizes) if not layout.is_binary.all() else np.ones(len(layout.sizes))
    work = float(widths.sum()) * max(len(layout.sizes) - 1, 1)
    return min(max(_LEAST_FITTED_ROWS, int(_MOST_WORK / work)), LARGEST_FITTED_ROWS)


def _moment_of(rows: Rows, sizes: tuple[int, ...], n_threads: int) -> NDArray[np.int64]:
    """Rows with each pair of bits."""
    parts = packed_parts(rows, sizes, n_threads)
    return np.asarray(sum(times * second_moment(bits, n_threads) for times, bits in parts))


def _draw_labels(weights: NDArray[np.float64], n_rows: int, key: bytes, n_threads: int) -> NDArray[np.int32]:
    """Block labels whose counts are as near to the weights as integers are, in random order."""
    layout = BitLayout((len(weights),))
    means = weights if len(weights) != 2 else weights[1:]
    codes = quota_codes(np.clip(means, 0.0, 1.0), layout, n_rows, key, n_threads)
    return np.asarray(codes[0], dtype=np.int32)


def _derive(key: bytes, purpose: str) -> bytes:
    return hashlib.sha256(key + purpose.encode()).digest()
