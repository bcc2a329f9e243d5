"""Plain twins of row fitting: the same moves from the same key, one at a time."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covloss_fast.reference.rounding import stream_words

LANES = 32
_ORDER, _MOVES, _QUOTAS = 1, 2, 3
History = list[tuple[float, float, float, int]]


def words_of(key: bytes, domain: int, index: int, n: int) -> NDArray[np.uint32]:
    """The first n words of a stream."""
    return stream_words(key, 8, domain, np.array([index], dtype=np.uint64), -(-n // 128))[0, :n]


def shuffle(values: NDArray[Any], words: NDArray[np.uint32]) -> None:
    """Fisher and Yates, in place, from the last entry down."""
    for draw, i in enumerate(range(len(values) - 1, 0, -1)):
        j = int(words[draw]) * (i + 1) >> 32
        values[i], values[j] = values[j], values[i]


def random_order(n: int, key: bytes, number: int) -> NDArray[np.int64]:
    """An order in which rows, or groups of them, are visited."""
    order = np.arange(n)
    shuffle(order, words_of(key, _ORDER, number, max(n - 1, 1)))
    return order


def logistic_quantile(draw: int) -> np.float32:
    """log(u / (1 - u)) at u = (draw + 1/2) / 2^16."""
    u = (draw + 0.5) / 65536
    quantile: np.float32 = np.float32(math.log(u / (1 - u)))
    return quantile


def stream_index(number: int, sweep: int, low: int = 0) -> int:
    """Which stream a sweep of a shard reads; the greedy sweeps have the number of shards as their shard."""
    return number << 48 | sweep << 32 | low


def shard_borders(n_rows: int, n_shards: int) -> list[tuple[int, int]]:
    """First row of each shard, and the row after its last."""
    return [(s * n_rows // n_shards, (s + 1) * n_rows // n_shards) for s in range(n_shards)]


@dataclass(frozen=True)
class Part:
    """Rows of a table that are fitted by themselves: views of the table, targets for these rows."""

    number: int
    rows: NDArray[Any]
    labels: NDArray[np.int32] | None
    targets: list[NDArray[np.int64]]


#: Counts of rows (pairs, singles, blocks) given the rows, the labels and the number of blocks.
Count = Callable[[NDArray[Any], "NDArray[np.int32] | None", int], list[NDArray[np.int64]]]
#: Moves rows of a part in one sweep, given the multipliers, and returns how many moves that took.
Sweep = Callable[[Part, list[NDArray[np.int64]], int, bool], int]


def excluded_levels(
    row: NDArray[np.int64], a: int, size: int, forbidden: NDArray[np.int32] | None
) -> NDArray[np.bool_]:
    """Which levels of attribute a would make a forbidden pair with the other levels of the row."""
    excluded = np.zeros(size, dtype=bool)
    for a1, u1, a2, u2 in [] if forbidden is None else forbidden.tolist():
        if a1 == a and row[a2] == u2:
            excluded[u1] = True
        if a2 == a and row[a1] == u1:
            excluded[u2] = True
    return excluded


def _root_mean_square(values: NDArray[Any]) -> float:
    return math.sqrt(float(np.mean(values.astype(np.float64) ** 2))) if values.size else 0.0


def _block_sizes(labels: NDArray[np.int32] | None, n_blocks: int) -> NDArray[np.float64]:
    if labels is None:
        return np.ones(n_blocks)
    return np.bincount(labels, minlength=n_blocks).astype(np.float64)


def _fit_in_shards(
    rows: NDArray[Any],
    labels: NDArray[np.int32] | None,
    targets: list[NDArray[np.float64]],
    numbers_of_sweeps: tuple[int, int],
    n_shards: int,
    fitted_pairs: NDArray[np.bool_],
    count: Count,
    sweep: Sweep,
) -> tuple[History, NDArray[np.float64]]:
    """Gibbs and greedy sweeps on each shard, then greedy ones on all rows, in place; history, mean pairs."""
    n_sweeps, n_greedy_sweeps = numbers_of_sweeps
    m = rows.shape[1]
    pairs, singles, blocks = targets
    sizes = _block_sizes(labels, len(blocks))

    def part(number: int, first: int, last: int) -> Part:
        own_labels = None if labels is None else labels[first:last]
        share = (last - first) / m if m else 1.0
        own_sizes = _block_sizes(own_labels, len(blocks))
        of_blocks = np.divide(own_sizes, sizes, out=np.ones(len(blocks)), where=sizes > 0)
        scaled = [pairs * share, singles * share, blocks * of_blocks[:, None]]
        own_targets = [np.rint(x).astype(np.int64) for x in scaled]
        return Part(number, rows[:, first:last], own_labels, own_targets)

    def discrepancies(of: Part) -> list[NDArray[np.int64]]:
        return [c - t for c, t in zip(count(of.rows, of.labels, len(blocks)), of.targets)]

    def record(n_moves: int) -> tuple[float, float, float, int]:
        d = discrepancies(table)
        of_blocks = np.zeros(0) if labels is None else d[2]
        return (
            _root_mean_square(d[0][fitted_pairs]),
            _root_mean_square(d[1]),
            _root_mean_square(of_blocks),
            n_moves,
        )

    table = part(n_shards, 0, m)
    history = [record(0)]
    none = [np.zeros_like(x) for x in table.targets]
    mean_pairs = np.zeros(pairs.shape)
    n_moves = 0
    borders = enumerate(shard_borders(m, n_shards))
    shards = [part(number, first, last) for number, (first, last) in borders if first != last]
    for shard in shards:
        multipliers = none
        for k in range(n_sweeps):
            if k:
                multipliers = [x + d for x, d in zip(multipliers, discrepancies(shard))]
            n_moves += sweep(shard, multipliers, k, False)
            if k >= n_sweeps // 2:
                mean_pairs += count(shard.rows, shard.labels, len(blocks))[0]
    history.append(record(n_moves))
    on_shards = max(n_greedy_sweeps - 1, 0) if n_shards > 1 else 0
    for k in range(on_shards):
        moves = [sweep(shard, none, n_sweeps + k, True) for shard in shards]
        history.append(record(sum(moves)))
    for k in range(on_shards, n_greedy_sweeps):
        history.append(record(sweep(table, none, k, True)))
    return history, mean_pairs / max(n_sweeps - n_sweeps // 2, 1)


def fit_rows_binary(
    codes: NDArray[np.uint8],
    pairs: NDArray[np.float64],
    singles: NDArray[np.float64],
    single_weight: float,
    labels: NDArray[np.int32] | None,
    block_sums: NDArray[np.float64],
    block_weight: float,
    forbidden: NDArray[np.int32] | None,
    n_sweeps: int,
    n_greedy_sweeps: int,
    beta: float,
    key: bytes,
    n_shards: int,
) -> tuple[NDArray[np.uint8], History]:
    """Rows of bits fitted to sums over z = 2 x - 1 (steered rounding).

    Groups of 32 rows are visited attribute by attribute, row by row within the attribute; each move sees all
    the moves before it. Sums of discrepancies are taken as exact: equal to the compiled function's where
    those stay below 2^24.
    """
    p = len(codes)
    apart = ~np.eye(p, dtype=bool)
    weights = [
        np.float32(p - 1),
        np.float32(single_weight),
        np.float32(0 if labels is None else block_weight),
    ]
    self_weight = np.float32(np.float32(weights[0] + weights[1]) + weights[2])

    def count(z: NDArray[np.int64], of: NDArray[np.int32] | None, n_blocks: int) -> list[NDArray[np.int64]]:
        of_block = [z[:, of == j].sum(axis=1) for j in range(n_blocks)]
        return [(z @ z.T) * apart, z.sum(axis=1), np.array(of_block, np.int64).reshape(n_blocks, p)]

    def flips(part: Part, i: int, a: int, d: list[NDArray[np.int64]], draw: int, greedy: bool) -> bool:
        z = part.rows
        excluded = excluded_levels((z[:, i] + 1) // 2, a, 2, forbidden)
        level = (z[a, i] + 1) // 2
        if excluded.all():
            return draw >= 1 << 15
        if excluded.any():
            return bool(excluded[level])
        total = float(d[0][a] @ z[:, i]) + single_weight * float(d[1][a])
        if part.labels is not None:
            total += block_weight * float(d[2][part.labels[i], a])
        # A flip changes the energy by 2 beta (self - z_a total), which is to be below the threshold.
        with np.errstate(divide="ignore"):
            bound = self_weight if greedy else self_weight - logistic_quantile(draw) / np.float32(2 * beta)
        return bool(np.float32(z[a, i]) * np.float32(total) > bound)

    def sweep(part: Part, multipliers: list[NDArray[np.int64]], number: int, greedy: bool) -> int:
        z = part.rows
        shift = [x - t for x, t in zip(multipliers, part.targets)]

        def seen() -> list[NDArray[np.int64]]:
            return [c + s for c, s in zip(count(z, part.labels, len(block_sums)), shift)]

        order = np.arange(z.shape[1])
        if part.number < n_shards:
            order = random_order(z.shape[1], key, stream_index(part.number, 0, 1))
        groups = [order[first : first + LANES] for first in range(0, len(order), LANES)]
        d = seen()
        n_moves = 0
        for g in map(int, random_order(len(groups), key, stream_index(part.number, number))):
            words = words_of(key, _MOVES, stream_index(part.number, number, g), 16 * p)
            for visit in range(p):
                a = (g + visit) % p
                for lane, i in enumerate(map(int, groups[g])):
                    word = int(words[16 * visit + lane % 16])
                    draw = word & 0xFFFF if lane < 16 else word >> 16
                    if flips(part, i, a, d, draw, greedy):
                        n_moves += 1
                        z[a, i] = -z[a, i]
                        d = seen()
        return n_moves

    z = 2 * codes.astype(np.int64) - 1
    targets = [pairs * apart, singles, block_sums]
    sweeps = (n_sweeps, n_greedy_sweeps)
    history, _ = _fit_in_shards(z, labels, targets, sweeps, n_shards, np.triu(apart), count, sweep)
    return ((z + 1) // 2).astype(np.uint8), history


def exp_float32(x: NDArray[np.float32]) -> NDArray[np.float32]:
    """Exp by the operations of the compiled kernels, each rounded to float32; relative error below 3e-6."""
    f = np.float32
    x = np.clip(x, f(-80), f(80))
    shifted = x * f(1.44269504) + f(12582912)
    n = shifted - f(12582912)
    r = (x - n * f(0.693359375)) - n * f(-2.12194440e-4)
    y = np.full_like(x, f(8.3333333e-3))
    for c in (4.1666667e-2, 1.6666667e-1, 0.5, 1.0, 1.0):
        y = y * r + f(c)
    bits = y.view(np.int32) + (shifted.view(np.int32) << np.int32(23))
    return np.asarray(bits.view(np.float32))


def draw_level(energies: NDArray[np.float32], beta: float, uniform: np.float32) -> int:
    """A level with probability proportional to exp(-beta energy), some of which are finite.

    Eight lanes, as the kernels hold them.
    """
    width = -(-len(energies) // 8) * 8
    exponent = np.full(width, np.float32(-np.inf))
    finite = np.flatnonzero(np.isfinite(energies))
    exponent[finite] = np.float32(beta) * (energies.min() - energies[finite])
    possible = exponent > np.float32(-80)
    power = np.where(possible, exp_float32(np.where(possible, exponent, np.float32(0))), np.float32(0))
    lanes = power.reshape(-1, 8)
    sums = np.zeros(8, dtype=np.float32)
    for part in lanes:
        sums = sums + part
    total = np.float32(0)
    for part_sum in sums:
        total = total + part_sum
    left = uniform * total
    for lane in range(8):
        if sums[lane] <= left:
            left = left - sums[lane]
            continue
        levels = [u for u in range(lane, width, 8) if power[u] > 0]
        for u in levels:
            if left < power[u]:
                return u
            left = left - power[u]
        return levels[-1]
    return int(np.flatnonzero(power)[-1])


def fit_rows_categorical(
    codes: NDArray[np.uint16],
    sizes: list[int],
    pairs: NDArray[np.float64],
    singles: NDArray[np.float64],
    pair_weights: NDArray[np.float64],
    single_weights: NDArray[np.float64],
    labels: NDArray[np.int32] | None,
    block_counts: NDArray[np.float64],
    block_weight: float,
    forbidden: NDArray[np.int32] | None,
    n_sweeps: int,
    n_greedy_sweeps: int,
    beta: float,
    key: bytes,
    n_shards: int,
) -> tuple[NDArray[np.uint16], History, NDArray[np.float64]]:
    """Rows fitted to counts over all levels of all attributes, row by row, attribute by attribute."""
    q = len(codes)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    n_levels = int(offsets[-1])
    attribute = np.repeat(np.arange(q), sizes)
    apart = attribute[:, None] != attribute
    fitted_cells = apart & (pair_weights[np.ix_(attribute, attribute)] > 0) & np.triu(apart)
    f = np.float32

    def count(x: NDArray[np.int64], of: NDArray[np.int32] | None, n_blocks: int) -> list[NDArray[np.int64]]:
        hot = np.zeros((n_levels, x.shape[1]), dtype=np.int64)
        hot[x, np.arange(x.shape[1])] = 1
        of_block = [hot[:, of == j].sum(axis=1) for j in range(n_blocks)]
        blocks = np.array(of_block, dtype=np.int64).reshape(n_blocks, n_levels)
        return [(hot @ hot.T) * apart, hot.sum(axis=1), blocks]

    def energies_of(part: Part, i: int, a: int, d: list[NDArray[np.int64]]) -> NDArray[np.float32]:
        x = part.rows
        levels = slice(offsets[a], offsets[a + 1])
        energies: NDArray[np.float32] = f(single_weights[a]) * d[1][levels].astype(np.float32)
        self_weight = single_weights[a]
        if part.labels is not None:
            energies = energies + f(block_weight) * d[2][part.labels[i], levels].astype(np.float32)
            self_weight += block_weight
        for b in range(q):
            if b == a or pair_weights[a, b] == 0:
                continue
            energies = energies + f(pair_weights[a, b]) * d[0][x[b, i], levels].astype(np.float32)
            self_weight += pair_weights[a, b]
        energies[x[a, i] - offsets[a]] -= f(self_weight)
        energies[excluded_levels(x[:, i] - offsets[:-1], a, sizes[a], forbidden)] = np.inf
        return energies

    def sweep(part: Part, multipliers: list[NDArray[np.int64]], number: int, greedy: bool) -> int:
        x = part.rows
        shift = [y - t for y, t in zip(multipliers, part.targets)]

        def seen() -> list[NDArray[np.int64]]:
            return [c + s for c, s in zip(count(x, part.labels, len(block_counts)), shift)]

        index = stream_index(part.number, number)
        words = map(int, words_of(key, _MOVES, index, max(x.size, 1)))
        d = seen()
        n_moves = 0
        for i in map(int, random_order(x.shape[1], key, index)):
            for visit in range(q):
                a = (i + visit) % q
                energies = energies_of(part, i, a, d)
                old = int(x[a, i] - offsets[a])
                if np.isinf(energies).all():
                    level = next(words) * sizes[a] >> 32
                elif greedy:
                    level = old if energies[old] <= energies.min() else int(np.argmin(energies))
                else:
                    uniform = (f(next(words) >> 8) + f(0.5)) * f(1 / (1 << 24))
                    level = draw_level(energies, beta, uniform)
                if level != old:
                    n_moves += 1
                    x[a, i] = offsets[a] + level
                    d = seen()
        return n_moves

    x = codes.astype(np.int64) + offsets[:-1, None]
    targets = [pairs * apart, singles, block_counts]
    sweeps = (n_sweeps, n_greedy_sweeps)
    history, mean = _fit_in_shards(x, labels, targets, sweeps, n_shards, fitted_cells, count, sweep)
    return (x - offsets[:-1, None]).astype(codes.dtype), history, mean


def quota_columns(
    probabilities: NDArray[np.float64], sizes: list[int], m: int, key: bytes
) -> NDArray[np.uint16]:
    """Shuffled columns with floor(m p) rows of each level, the rest drawn without replacement."""
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    columns = []
    for a, size in enumerate(sizes):
        exact = probabilities[offsets[a] : offsets[a + 1]] * m
        counts = np.floor(exact).astype(np.int64)
        rest = exact - counts
        n_drawn = m - int(counts.sum())
        words = words_of(key, _QUOTAS, a, max(n_drawn + m - 1, 1))
        for word in words[:n_drawn]:
            possible = np.flatnonzero(rest > 0)
            total = 0.0
            for r in rest:
                total += r
            left = (float(word) + 0.5) / 4294967296.0 * total
            level = int(np.argmax(exact)) if not len(possible) else int(possible[-1])
            for u in possible:
                if left < rest[u]:
                    level = int(u)
                    break
                left -= rest[u]
            counts[level] += 1
            rest[level] = 0.0
        column = np.repeat(np.arange(size), counts).astype(np.uint16)
        shuffle(column, words[n_drawn:])
        columns.append(column)
    return np.array(columns, dtype=np.uint16).reshape(len(sizes), m)
