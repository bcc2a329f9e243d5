"""Blocks of a minimum size by local search, in plain numpy: the twin of the search in the compiled core.

The same changes in the same order: what is compared, what is added first, how ties break. Sums run one after
the other (``cumsum``), so that both come to the same partition, bit for bit. Slow: every distance of every
pair of neighbouring blocks is computed anew by numpy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from covloss_fast.reference.microaggregation import hash64, mdav, squared_distances

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vector: TypeAlias = NDArray[np.float64]

__all__ = ["LocalSearch", "median_split", "minimum_size_partition"]

NEIGHBOURS, SWAP_CANDIDATES, MOST_SETTLED, DIVISION_STEPS = 10, 8, 20, 6
SINGLE_EXCHANGES, WORTHWHILE_DIVISION, HOPELESS_DISSOLUTION = 512, 1e-4, 1.6
SUPER_BLOCK, BLOCKS_PER_SEARCH, TOLERANCE, SAMPLE, POWER_STEPS = 4096, 50, 1e-10, 512, 8


def total(values: Vector) -> float:
    """Sum in order."""
    return float(np.cumsum(values)[-1]) if len(values) else 0.0


def hash_pair(a: int, b: int) -> int:
    """A hash of two words."""
    return hash64(hash64(a) ^ b)


# ---- recursive splits ------------------------------------------------------------------------------------


def normalised(v: Vector) -> Vector:
    """A vector of length one; zero stays zero."""
    norm = total(v * v)
    return v / np.sqrt(norm) if norm > 0 else v


def projections(rows: Vector, v: Vector) -> Vector:
    """Products of rows with a vector, added up column by column."""
    out = np.zeros(len(rows))
    for j in range(rows.shape[1]):
        out += rows[:, j] * v[j]
    return out


def axis(rows: Vector, seed: int) -> Vector:
    """Principal axis of rows (seed 0), or their covariance times a hashed vector; of at most 512 of them."""
    some = rows[:: -(-len(rows) // SAMPLE)]
    centred = some - np.cumsum(some, axis=0)[-1] / len(some)

    def power_step(v: Vector) -> Vector:
        return normalised(np.cumsum(centred * projections(centred, v)[:, None], axis=0)[-1])

    if seed == 0:
        v = np.zeros(rows.shape[1])
        v[np.cumsum(centred * centred, axis=0)[-1].argmax()] = 1.0
        for _ in range(POWER_STEPS):
            v = power_step(v)
        return v
    return power_step(np.array([(hash_pair(seed, j) >> 11) * 2.0**-52 - 1.0 for j in range(rows.shape[1])]))


def median_split(
    rows: Vector,
    order: NDArray[np.intp],
    left_size: Callable[[NDArray[np.intp], int], int],
    seed: int,
    begin: int,
) -> list[NDArray[np.intp]]:
    """Split rows, named by ascending numbers, across axes until `left_size` is 0; the parts in order."""
    n_left = left_size(order, begin)
    if n_left == 0:
        return [order]
    own = 0 if seed == 0 else hash_pair(hash_pair(seed, begin), begin + len(order))
    rank = np.argsort(projections(rows[order], axis(rows[order], own)), kind="stable")
    left, right = np.sort(order[rank[:n_left]]), np.sort(order[rank[n_left:]])
    return median_split(rows, left, left_size, seed, begin) + median_split(
        rows, right, left_size, seed, begin + n_left
    )


# ---- local search ----------------------------------------------------------------------------------------


@dataclass
class Block:
    """Records, ascending, and signatures of blocks with which no exchange helps."""

    members: list[int]
    settled: list[int] = field(default_factory=list)
    mean: Vector = field(default_factory=lambda: np.zeros(0))
    distances: Vector = field(default_factory=lambda: np.zeros(0))
    weight: float = 0.0
    scatter: float = 0.0
    signature: int = 0
    uniform: bool = False
    alive: bool = True
    queued: bool = False


def leave(whole: float, w: float, square: float) -> float:
    """What a record at a squared distance from the mean takes away from a block."""
    return whole * w / (whole - w) * square


def enter(whole: float, w: float, square: float) -> float:
    """What it adds to one."""
    return whole * w / (whole + w) * square


class LocalSearch:
    """Improves blocks of rows; `names` identify the rows outside of this search."""

    def __init__(
        self, rows: Vector, weights: Vector | None, names: list[int], min_size: int, tolerance: float
    ) -> None:
        self.rows, self.names, self.size, self.tolerance = rows, names, min_size, tolerance
        self.weighted = weights is not None
        self.w = np.ones(len(rows)) if weights is None else weights
        self.blocks: list[Block] = []
        self.free: list[int] = []
        self.queue: list[int] = []

    # -- slots

    def add(self, members: list[int], settled: list[int] | None = None) -> None:
        """Take a block in."""
        self.enqueue(self.insert(members, settled))

    def insert(self, members: list[int], settled: list[int] | None = None) -> int:
        if self.free:
            g = self.free.pop()
            self.blocks[g] = Block(members, queued=self.blocks[g].queued)
        else:
            g = len(self.blocks)
            self.blocks.append(Block(members))
        self.recompute(g)
        self.blocks[g].settled = list(settled or [])
        return g

    def remove(self, g: int) -> None:
        self.blocks[g].alive = False
        self.blocks[g].members = []
        self.free.append(g)

    def enqueue(self, g: int) -> None:
        if not self.blocks[g].queued:
            self.blocks[g].queued = True
            self.queue.append(g)

    def replace(self, g: int, members: list[int]) -> None:
        self.blocks[g].members = members
        self.recompute(g)
        self.enqueue(g)

    def mean_of(self, members: list[int]) -> Vector:
        weighted = self.w[members, None] * self.rows[members]
        return np.asarray(np.cumsum(weighted, axis=0)[-1] / total(self.w[members]))

    def scatter_of(self, members: list[int]) -> float:
        return total(self.w[members] * squared_distances(self.rows[members], self.mean_of(members)))

    def recompute(self, g: int) -> None:
        b = self.blocks[g]
        own = self.rows[b.members]
        b.uniform = all(x.tobytes() == own[0].tobytes() for x in own)
        b.mean = own[0].copy() if b.uniform else self.mean_of(b.members)
        b.weight = total(self.w[b.members])
        b.distances = squared_distances(own, b.mean)
        b.scatter = total(self.w[b.members] * b.distances)
        b.signature = 0
        for i in b.members:
            b.signature = hash_pair(b.signature, self.names[i])
        b.signature &= 2**32 - 1
        b.settled = []

    def scatter(self) -> float:
        """Scatter of all blocks."""
        out = 0.0
        for b in self.blocks:
            out += b.scatter if b.alive else 0.0
        return out

    def taken(self) -> list[Block]:
        """The blocks, in order of slots."""
        return [b for b in self.blocks if b.alive]

    # -- improvement

    def run(self) -> None:
        """Improve until nothing of what is tried helps."""
        head = 0
        while head < len(self.queue):
            g = self.queue[head]
            head += 1
            self.blocks[g].queued = False
            self.improve(g)
        self.queue = []

    def neighbours(self, g: int, n_wanted: int) -> list[int]:
        """The nearest blocks; of blocks at one point the largest."""
        alive = [h for h, b in enumerate(self.blocks) if b.alive and h != g]
        squares = squared_distances(
            np.array([self.blocks[h].mean for h in alive]).reshape(-1, self.rows.shape[1]),
            self.blocks[g].mean,
        )
        found: list[tuple[float, int]] = []
        for square, h in sorted(zip(squares.tolist(), alive)):
            if len(found) >= n_wanted and square != found[-1][0]:
                break
            for k in range(len(found) - 1, -1, -1):
                twin = self.blocks[found[k][1]]
                b = self.blocks[h]
                if not b.uniform or found[k][0] != square:
                    found.append((square, h))
                    break
                if twin.uniform and twin.mean.tobytes() == b.mean.tobytes():
                    if len(b.members) > len(twin.members):
                        found[k] = (square, h)
                    break
            else:
                found.append((square, h))
        return [h for _, h in found[:n_wanted]]

    def improve(self, g: int) -> None:
        if not self.blocks[g].alive:
            return
        near = self.neighbours(g, NEIGHBOURS)
        exchange = self.redivide if self.size > SINGLE_EXCHANGES else self.exchange
        if exchange(g, near):
            while exchange(g, near):
                pass
            self.enqueue(g)
            return
        self.dissolve(g, near)

    def settle(self, g: int, h: int) -> None:
        for a, b in ((g, h), (h, g)):
            if len(self.blocks[a].settled) < MOST_SETTLED:
                self.blocks[a].settled.append(self.blocks[b].signature)

    def is_settled(self, g: int, h: int) -> bool:
        return self.blocks[h].signature in self.blocks[g].settled

    def redivide(self, g: int, near: list[int]) -> bool:
        any_change = False
        for h in near:
            if self.is_settled(g, h):
                continue
            a, b = self.blocks[g], self.blocks[h]
            left, right = self.divide(sorted(a.members + b.members), a.mean, b.mean)
            before = a.scatter + b.scatter
            limit = before * (1.0 - WORTHWHILE_DIVISION) - self.tolerance
            if self.scatter_of(left) + self.scatter_of(right) >= limit:
                self.settle(g, h)
                continue
            a.members = left
            self.recompute(g)
            self.replace(h, right)
            self.cut_if_large(h)
            self.cut_if_large(g)
            any_change = True
        return any_change

    def exchange(self, g: int, near: list[int]) -> bool:
        best: tuple[float, int, int] | None = None
        partner = -1
        for h in near:
            if self.is_settled(g, h):
                continue
            found = self.best_exchange(g, h)
            if found[1] < 0 and found[2] < 0:
                self.settle(g, h)
            elif best is None or found[0] < best[0]:
                best, partner = found, h
        return best is not None and self.apply(g, partner, best)

    def best_exchange(self, g: int, h: int) -> tuple[float, int, int]:
        """Change of the scatter, record that goes out of g, and record that comes in; -1: none."""
        a, b = self.blocks[g], self.blocks[h]
        out, into = (squared_distances(self.rows[x.members], y.mean).tolist() for x, y in ((a, b), (b, a)))
        best = (-self.tolerance, -1, -1)
        for x, y, cross, outward in ((a, b, out, True), (b, a, into, False)):
            if len(x.members) <= self.size:
                continue
            for i, near, far in zip(x.members, x.distances.tolist(), cross):
                w = float(self.w[i])
                change = enter(y.weight, w, far) - leave(x.weight, w, near)
                if change < best[0]:
                    best = (change, i, -1) if outward else (change, -1, i)
        # Swaps of the records that want most to be in the other block.
        wish_out, wish_in = (
            [float(self.w[i]) * (far - near) for i, near, far in zip(x.members, x.distances.tolist(), cross)]
            for x, cross in ((a, out), (b, into))
        )
        for i in candidates(wish_out):
            for k in candidates(wish_in):
                d_x, d_y = float(a.distances[i]), float(b.distances[k])
                w_x, w_y = float(self.w[a.members[i]]), float(self.w[b.members[k]])
                if self.weighted:
                    one = replacement(a.weight, w_x, d_x, w_y, into[k])
                    two = replacement(b.weight, w_y, d_y, w_x, out[i])
                    constant, slope = one[0] + two[0], one[1] + two[1]
                else:
                    constant, slope = wish_out[i] + wish_in[k], -(1.0 / a.weight + 1.0 / b.weight)
                if constant + slope * (2.0 * min(d_x + into[k], d_y + out[i])) >= best[0]:
                    continue
                rows = self.rows[[a.members[i]]], self.rows[b.members[k]]
                change = constant + slope * float(squared_distances(*rows)[0])
                if change < best[0]:
                    best = (change, a.members[i], b.members[k])
        return best

    def apply(self, g: int, h: int, exchange: tuple[float, int, int]) -> bool:
        a, b = self.blocks[g], self.blocks[h]
        _, out, into = exchange
        mine = sorted([i for i in a.members if i != out] + [into] * (into >= 0))
        theirs = sorted([i for i in b.members if i != into] + [out] * (out >= 0))
        if self.weighted:
            before = a.scatter + b.scatter
            if not self.scatter_of(mine) + self.scatter_of(theirs) < before - 0.5 * self.tolerance:
                self.settle(g, h)
                return False
        a.members, b.members = mine, theirs
        self.recompute(g)
        self.recompute(h)
        self.enqueue(h)
        self.cut_if_large(h)
        self.cut_if_large(g)
        return True

    # -- cutting

    def cut_if_large(self, g: int) -> None:
        if len(self.blocks[g].members) < 2 * self.size:
            return
        left, right = self.cut(self.blocks[g].members)
        self.replace(g, left)
        h = self.insert(right)
        self.enqueue(h)
        self.cut_if_large(g)
        self.cut_if_large(h)

    def cut(self, members: list[int]) -> tuple[list[int], list[int]]:
        rows = self.rows[members]
        left = rows[squared_distances(rows, self.mean_of(members)).argmax()]
        right = rows[squared_distances(rows, left).argmax()]
        return self.divide(members, left, right)

    def divide(self, members: list[int], left: Vector, right: Vector) -> tuple[list[int], list[int]]:
        """Constrained 2-means from two centres."""
        rows, mean, n = self.rows[members], self.mean_of(members), len(members)
        gained, parts = -1.0, (list(members), list(members))
        for step in range(DIVISION_STEPS):
            differences = squared_distances(rows, left) - squared_distances(rows, right)
            order = [members[k] for k in np.argsort(differences, kind="stable")]
            w = self.w[order]
            sums = np.cumsum(w[:, None] * (self.rows[order] - mean), axis=0)
            before = np.cumsum(w)
            behind = np.append(np.cumsum(w[::-1])[::-1], 0.0)
            most, n_left = -1.0, 0
            for i in range(self.size - 1, n - self.size):
                gain = total(sums[i] * sums[i]) * (1.0 / before[i] + 1.0 / behind[i + 1])
                if gain > most:
                    most, n_left = float(gain), i + 1
            if step > 0 and most <= gained + self.tolerance:
                break
            gained = most
            parts = (order[:n_left], order[n_left:])
            left, right = (
                mean + sums[n_left - 1] / before[n_left - 1],
                mean - sums[n_left - 1] / behind[n_left],
            )
        return sorted(parts[0]), sorted(parts[1])

    # -- dissolving and rebuilding

    def dissolve(self, g: int, near: list[int]) -> None:
        s = self.blocks[g]
        if not near:
            return
        limit = s.scatter - self.tolerance
        means, wholes = [self.blocks[h].mean.copy() for h in near], [self.blocks[h].weight for h in near]

        def costs(i: int) -> list[float]:
            squares = squared_distances(np.array(means), self.rows[i]).tolist()
            return [enter(whole, float(self.w[i]), square) for whole, square in zip(wholes, squares)]

        static = 0.0
        for i in s.members:
            static += min(costs(i))
            if static > HOPELESS_DISSOLUTION * limit:
                return
        taken: list[list[int]] = [[] for _ in near]
        cost = 0.0
        for i in s.members:
            each = costs(i)
            k = each.index(min(each))
            cost += each[k]
            taken[k].append(i)
            wholes[k] += float(self.w[i])
            means[k] += float(self.w[i]) / wholes[k] * (self.rows[i] - means[k])
        receivers = [(h, sorted(self.blocks[h].members + new)) for h, new in zip(near, taken) if new]
        if cost >= limit:
            change, any_cut = 0.0, False
            for h, members in receivers:
                change -= self.blocks[h].scatter
                if len(members) >= 2 * self.size:
                    left, right = self.cut(members)
                    change += self.scatter_of(left) + self.scatter_of(right)
                    any_cut = True
                else:
                    change += self.scatter_of(members)
            if not any_cut or change >= limit:
                return
        self.remove(g)
        for h, members in receivers:
            self.replace(h, members)
        for h, _ in receivers:
            self.cut_if_large(h)

    def rebuild_neighbourhoods(self, n_passes: int, seed: int) -> None:
        """Partition each block and a few neighbours anew, and keep what is better."""
        for number in range(n_passes):
            for g in range(len(self.blocks)):
                if self.blocks[g].alive:
                    draw = hash_pair(hash_pair(seed, number), g)
                    if self.rebuild(g, draw, number == 0 or draw % 4 == 0):
                        self.run()

    def rebuild(self, g: int, seed: int, by_mdav: bool) -> bool:
        pooled = [g, *self.neighbours(g, 2 + (seed >> 8) % 4)]
        before = 0.0
        for h in pooled:
            before += self.blocks[h].scatter
        if before <= self.tolerance:
            return False
        pool = sorted(i for h in pooled for i in self.blocks[h].members)
        inner = LocalSearch(
            self.rows[pool],
            self.w[pool] if self.weighted else None,
            [self.names[i] for i in pool],
            self.size,
            self.tolerance,
        )
        for members in blocks_of(mdav(inner.rows, self.size)) if by_mdav else inner.grown(seed):
            inner.add(members)
        inner.run()
        if inner.scatter() >= before - self.tolerance:
            return False
        for h in pooled:
            self.remove(h)
        self.free.sort(reverse=True)
        for block in inner.taken():
            self.add([pool[i] for i in block.members], block.settled)
        return True

    def grown(self, seed: int) -> list[list[int]]:
        """Blocks of the records nearest to hashed seeds."""
        blocks, left = [], list(range(len(self.rows)))
        while len(left) >= 2 * self.size:
            seed = hash64(seed)
            squares = squared_distances(self.rows[left], self.rows[left[seed % len(left)]])
            block = [left[k] for k in np.argsort(squares, kind="stable")[: self.size]]
            blocks.append(sorted(block))
            left = [i for i in left if i not in block]
        return [*blocks, left]


def candidates(wishes: list[float]) -> list[int]:
    """The few records that want most to leave."""
    if len(wishes) <= SWAP_CANDIDATES:
        return list(range(len(wishes)))
    return sorted(range(len(wishes)), key=lambda i: (wishes[i], i))[:SWAP_CANDIDATES]


def replacement(whole: float, w_x: float, d_x: float, w_y: float, d_y: float) -> tuple[float, float]:
    """Change of a block's scatter if x is replaced by y: constant, and slope in their squared distance."""
    after = whole - w_x + w_y
    moved = w_x * w_x * d_x + w_y * w_y * d_y - w_x * w_y * (d_x + d_y)
    return w_y * d_y - w_x * d_x - moved / after, -w_x * w_y / after


def blocks_of(labels: NDArray[np.int32]) -> list[list[int]]:
    """Records of each block."""
    return [np.flatnonzero(labels == b).tolist() for b in range(int(labels.max()) + 1)]


# ---- the whole -------------------------------------------------------------------------------------------


def minimum_size_partition(
    rows: Vector,
    min_block_size: int,
    n_rounds: int,
    n_passes: int,
    seed: int = 0,
    weights: Vector | None = None,
    strata: NDArray[np.int32] | None = None,
) -> NDArray[np.int32]:
    """Block of each record; blocks of at least `min_block_size`, none across strata."""
    n, r = len(rows), min_block_size
    w = np.ones(n) if weights is None else weights
    centred = rows - np.cumsum(w[:, None] * rows, axis=0)[-1] / total(w)
    tolerance = TOLERANCE * total((w[:, None] * centred * centred).ravel()) / n
    super_block = max(SUPER_BLOCK, BLOCKS_PER_SEARCH * r)

    def search(blocks: list[Block], is_stratum: bool, passes: int, own_seed: int) -> list[Block]:
        names = sorted(i for block in blocks for i in block.members)
        place = {name: k for k, name in enumerate(names)}

        def begun() -> LocalSearch:
            return LocalSearch(rows[names], None if weights is None else w[names], names, r, tolerance)

        best = begun()
        for block in blocks:
            best.add([place[i] for i in block.members], block.settled)
        best.run()
        if is_stratum:
            other = begun()
            for members in blocks_of(mdav(rows[names], r)):
                other.add(members)
            other.run()
            if other.scatter() < best.scatter():
                best = other
        best.rebuild_neighbourhoods(passes, own_seed)
        found = best.taken()
        for block in found:
            block.members = [names[i] for i in block.members]
        return found

    finished: list[list[int]] = []
    segments: list[list[Block]] = []
    begin = 0
    for stratum in (
        [np.arange(n)] if strata is None else [np.flatnonzero(strata == s) for s in np.unique(strata)]
    ):
        parts = median_split(
            rows, stratum, lambda part, _: 0 if len(part) < 2 * r else len(part) // 2 // r * r, 0, begin
        )
        begin += len(stratum)
        segments.append([Block(part.tolist()) for part in parts])
        for block in segments[-1]:
            block.mean = np.cumsum(rows[block.members], axis=0)[-1] / len(block.members)
    for number in range(n_rounds):
        is_last = number + 1 >= n_rounds

        def n_records(blocks: list[Block]) -> int:
            return sum(len(block.members) for block in blocks)

        whole = [blocks for blocks in segments if n_records(blocks) <= super_block]
        large = [blocks for blocks in segments if n_records(blocks) > super_block]
        everything = [block for blocks in segments for block in blocks]
        begins = np.cumsum([0] + [len(blocks) for blocks in segments])
        for k, blocks in enumerate(whole):
            finished += [b.members for b in search(blocks, True, n_passes, hash_pair(seed, k + 1))]
        k, next_segments = len(whole), []
        if large:
            means = np.array([block.mean for block in everything])

            def left_size(order: NDArray[np.intp], _: int, blocks: list[Block] = everything) -> int:
                some = [blocks[b] for b in order]
                return 0 if n_records(some) <= super_block or len(some) < 2 else len(some) // 2

            for begin, end in pairwise(begins):
                if n_records(everything[begin:end]) <= super_block:
                    continue
                found = []
                own = 0 if number == 0 else hash_pair(seed, number)
                for part in median_split(means, np.arange(begin, end), left_size, own, int(begin)):
                    passes = n_passes if is_last else 0
                    k += 1
                    found += search([everything[b] for b in part], False, passes, hash_pair(seed, k))
                next_segments.append(found)
        segments = next_segments
        if is_last:
            finished += [block.members for blocks in segments for block in blocks]
        if not segments or is_last:
            break
    labels = np.empty(n, dtype=np.int32)
    for b, members in enumerate(sorted(finished)):
        labels[members] = b
    return labels
