"""Plain twins of row fitting: the same moves from the same key, one at a time."""

from __future__ import annotations

import math
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


def _root_mean_square(values: NDArray[Any]) -> float:
    return math.sqrt(float(np.mean(values.astype(np.float64) ** 2))) if values.size else 0.0


def fit_rows_binary(
    codes: NDArray[np.uint8],
    pairs: NDArray[np.float64],
    singles: NDArray[np.float64],
    single_weight: float,
    labels: NDArray[np.int32] | None,
    block_sums: NDArray[np.float64],
    block_weight: float,
    n_sweeps: int,
    n_greedy_sweeps: int,
    beta: float,
    key: bytes,
    rows_per_batch: int,
) -> tuple[NDArray[np.uint8], History]:
    """Rows of bits fitted to sums over z = 2 x - 1 (steered rounding).

    Groups of 32 rows are visited attribute by attribute, row by row within the attribute. With rows_per_batch
    = 0 each move sees all the moves before it; else the rows of a batch see the sums as they stood before it.
    Sums of discrepancies are taken as exact: equal to the compiled function's where those stay below 2^24.
    """
    p, m = codes.shape
    order = random_order(m, key, 0)
    z = 2 * codes[:, order].astype(np.int64) - 1
    block_of = np.zeros(m, dtype=np.int64) if labels is None else labels[order].astype(np.int64)
    block_weight = 0.0 if labels is None else block_weight
    target = [np.rint(pairs), np.rint(singles), np.rint(block_sums)]
    self_weight = np.float32(
        np.float32(np.float32(p - 1) + np.float32(single_weight)) + np.float32(block_weight)
    )

    def discrepancies() -> list[NDArray[np.int64]]:
        d = [z @ z.T - target[0], z.sum(axis=1) - target[1]]
        of_block = [z[:, block_of == j].sum(axis=1) for j in range(len(block_sums))]
        d.append(np.array(of_block).reshape(block_sums.shape) - target[2])
        return [part.astype(np.int64) for part in d]

    def pull_on(i: int, a: int, d: list[NDArray[np.int64]]) -> float:
        others = np.arange(p) != a
        total = float(d[0][a, others] @ z[others, i]) + single_weight * float(d[1][a])
        return total + (block_weight * float(d[2][block_of[i], a]) if block_weight else 0.0)

    def flips(i: int, a: int, d: list[NDArray[np.int64]], scale: np.float32, threshold: np.float32) -> bool:
        change = scale * (self_weight - np.float32(z[a, i]) * np.float32(pull_on(i, a, d)))
        return bool(change < threshold)

    def record(n_moves: int) -> tuple[float, float, float, int]:
        d = discrepancies()
        above = d[0][np.triu_indices(p, 1)]
        blocks = d[2] if labels is not None else np.zeros(0)
        return _root_mean_square(above), _root_mean_square(d[1]), _root_mean_square(blocks), n_moves

    history = [record(0)]
    multipliers = [np.zeros_like(part) for part in discrepancies()]
    groups = [range(first, min(first + LANES, m)) for first in range(0, m, LANES)]
    for sweep in range(n_sweeps + n_greedy_sweeps):
        greedy = sweep >= n_sweeps
        if greedy:
            multipliers = [np.zeros_like(part) for part in multipliers]
        elif sweep:
            multipliers = [part + d for part, d in zip(multipliers, discrepancies())]
        scale = np.float32(1) if greedy else np.float32(2 * beta)
        serial = greedy or rows_per_batch == 0
        n_moves = 0
        seen = [d + part for d, part in zip(discrepancies(), multipliers)]
        for turn, g in enumerate(map(int, random_order(len(groups), key, sweep + 1))):
            words = words_of(key, _MOVES, sweep << 32 | g, 16 * p)
            if not serial and turn % (rows_per_batch // LANES) == 0:
                seen = [d + part for d, part in zip(discrepancies(), multipliers)]
            for visit in range(p):
                a = (g + visit) % p
                for lane, i in enumerate(groups[g]):
                    word = int(words[16 * visit + lane % 16])
                    draw = word & 0xFFFF if lane < 16 else word >> 16
                    threshold = np.float32(0) if greedy else logistic_quantile(draw)
                    if not flips(i, a, seen, scale, threshold):
                        continue
                    n_moves += 1
                    z[a, i] = -z[a, i]
                    if serial:
                        seen = [d + part for d, part in zip(discrepancies(), multipliers)]
        history.append(record(n_moves))
    fitted = np.empty_like(codes)
    fitted[:, order] = ((z + 1) // 2).astype(np.uint8)
    return fitted, history


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
    """A level with probability proportional to exp(-beta energy); eight lanes, as the kernels hold them."""
    width = -(-len(energies) // 8) * 8
    exponent = np.full(width, np.float32(-np.inf))
    exponent[: len(energies)] = np.float32(beta) * (energies.min() - energies)
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
    n_sweeps: int,
    n_greedy_sweeps: int,
    beta: float,
    key: bytes,
    rows_per_batch: int,
) -> tuple[NDArray[np.uint16], History, NDArray[np.float64]]:
    """Rows fitted to counts over all levels of all attributes, row by row, attribute by attribute."""
    q, m = codes.shape
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    n_levels = int(offsets[-1])
    attribute = np.repeat(np.arange(q), sizes)
    x = codes.astype(np.int64) + offsets[:-1, None]
    target = [np.rint(pairs), np.rint(singles), np.rint(block_counts)]
    apart = attribute[:, None] != attribute
    fitted_cells = apart & (pair_weights[np.ix_(attribute, attribute)] > 0) & np.triu(apart)
    f = np.float32

    def counts() -> list[NDArray[np.int64]]:
        hot = np.zeros((n_levels, m), dtype=np.int64)
        hot[x, np.arange(m)] = 1
        of_block = [hot[:, labels == j].sum(axis=1) for j in range(len(block_counts))]
        blocks = np.array(of_block, dtype=np.int64).reshape(block_counts.shape)
        return [(hot @ hot.T) * apart, hot.sum(axis=1), blocks]

    def discrepancies() -> list[NDArray[np.int64]]:
        wanted = [target[0] * apart, target[1], target[2]]
        return [c - t.astype(np.int64) for c, t in zip(counts(), wanted)]

    def energies_of(i: int, a: int, d: list[NDArray[np.int64]]) -> NDArray[np.float32]:
        levels = slice(offsets[a], offsets[a + 1])
        energies: NDArray[np.float32] = f(single_weights[a]) * d[1][levels].astype(np.float32)
        if labels is not None:
            energies = energies + f(block_weight) * d[2][labels[i], levels].astype(np.float32)
        self_weight = single_weights[a] + (0 if labels is None else block_weight)
        for b in range(q):
            if b == a or pair_weights[a, b] == 0:
                continue
            energies = energies + f(pair_weights[a, b]) * d[0][x[b, i], levels].astype(np.float32)
            self_weight += pair_weights[a, b]
        energies[x[a, i] - offsets[a]] -= f(self_weight)
        return energies

    def record(n_moves: int) -> tuple[float, float, float, int]:
        d = discrepancies()
        blocks = np.zeros(0) if labels is None else d[2]
        fitted = d[0][fitted_cells]
        return _root_mean_square(fitted), _root_mean_square(d[1]), _root_mean_square(blocks), n_moves

    history = [record(0)]
    multipliers = [np.zeros_like(part) for part in discrepancies()]
    mean_pairs = np.zeros((n_levels, n_levels))
    for sweep in range(n_sweeps + n_greedy_sweeps):
        greedy = sweep >= n_sweeps
        if greedy:
            multipliers = [np.zeros_like(part) for part in multipliers]
        elif sweep:
            multipliers = [part + d for part, d in zip(multipliers, discrepancies())]
        words = words_of(key, _MOVES, sweep, max(m * q, 1))
        serial = greedy or rows_per_batch == 0
        n_moves = 0
        seen = [d + part for d, part in zip(discrepancies(), multipliers)]
        for turn, i in enumerate(map(int, random_order(m, key, sweep))):
            if not serial and turn % rows_per_batch == 0:
                seen = [d + part for d, part in zip(discrepancies(), multipliers)]
            for visit in range(q):
                a = (i + visit) % q
                energies = energies_of(i, a, seen)
                old = int(x[a, i] - offsets[a])
                if greedy:
                    level = old if energies[old] <= energies.min() else int(np.argmin(energies))
                else:
                    uniform = (f(words[i * q + visit] >> np.uint32(8)) + f(0.5)) * f(1 / (1 << 24))
                    level = draw_level(energies, beta, uniform)
                if level == old:
                    continue
                n_moves += 1
                x[a, i] = offsets[a] + level
                if serial:
                    seen = [d + part for d, part in zip(discrepancies(), multipliers)]
        history.append(record(n_moves))
        if not greedy and sweep >= n_sweeps // 2:
            mean_pairs += counts()[0] / (n_sweeps - n_sweeps // 2)
    return (x - offsets[:-1, None]).astype(codes.dtype), history, mean_pairs


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
