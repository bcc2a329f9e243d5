"""Each kernel against what this machine can do, and against its peers, in one run.

    python benchmarks/roofline.py roofline.json [--rows 1000000] [--rounds 5]

Measured first, on one thread and on two: bytes a second that copying a large array moves (read and written
both count) and that adding one up reads, AND and population count of pairs of words that stay in the second
cache level, float32 products and sums of a matrix product. A kernel's bound is the longest of the times that
its bytes (read), its words and its products need at these rates; its share is the bound over the best of its
times, as the rates are the best of theirs. All rounds of all contestants of a group alternate, so that what
else runs on the machine hits them alike; of one thread the processor's time is taken. Every answer is
asserted. benchmarks/report.py makes tables of the file.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import threading
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import faiss
import numpy as np
from sklearn.cluster import KMeans
from sklearn.metrics import pairwise_distances_argmin
from threadpoolctl import threadpool_limits

import covloss_fast as cf
from covloss_fast._core import bits as core
from covloss_fast._core import noise, partition
from covloss_fast._core.bits import BitMatrix
from covloss_fast.privacy.accounting import Budget
from covloss_fast.privacy.mechanisms import Mechanism
from covloss_fast.reference import bits as slow
from covloss_fast.reference.restored import released_statistics
from covloss_fast.released.fitting import most_fitted_rows
from covloss_fast.released.restoration import fit_bits, quota_bits
from covloss_fast.schema import BitLayout

P = 100
KEY = bytes(32)


@dataclass
class Entry:
    """A contestant: what is done, and what it cannot do without."""

    name: str
    work: Callable[[], Any]
    n_threads: int = 1
    n_bytes: float = 0.0
    n_words: float = 0.0
    n_products: float = 0.0
    most_rounds: int = 100
    seconds_of: Callable[[Any], float] | None = None  # of an answer: where a part of the work is meant
    seconds: list[float] = field(default_factory=list)

    def run(self) -> Any:
        """Do it once, and note the time."""
        clock = clock_of(self.n_threads)
        start = clock()
        answer = self.work()
        self.seconds.append(clock() - start if self.seconds_of is None else self.seconds_of(answer))
        return answer


def clock_of(n_threads: int) -> Callable[[], float]:
    """Processor time of this thread, which others hardly disturb; of two only the wall tells.

    Not of the process: threads of an earlier loop or product stay busy for a while after it.
    """
    return time.thread_time if n_threads == 1 else time.perf_counter


def measured(
    rounds: int, one: Callable[[], Any], two: Callable[[], Any], amounts: list[float]
) -> list[float]:
    """Amounts a second of one thread and of two, at the best of the rounds; two are no slower than one."""
    rates = []
    for n_threads, work, amount in zip((1, 2), (one, two), amounts):
        clock, best = clock_of(n_threads), np.inf
        for _ in range(rounds):
            start = clock()
            work()
            best = min(best, clock() - start)
        rates.append(float(amount / best))
    return [rates[0], max(rates)]


def beside_each_other(work: Callable[[int], Any]) -> None:
    threads = [threading.Thread(target=work, args=(i,)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def machine(rounds: int) -> dict[str, list[float]]:
    """Rates on one thread and on two."""
    rounds *= 5  # they are short
    source = np.ones(2**27, dtype=np.uint8)
    target = np.zeros_like(source)
    half = len(source) // 2
    generator = np.random.default_rng(0)
    tables = [BitMatrix.from_array(generator.integers(0, 2, (16_384, 64), np.uint8), 1) for _ in range(2)]
    words = 16_384 / 64 * 64 * 65 / 2
    squares = [generator.random((768, 768), np.float32) for _ in range(2)]
    numbers = source.view(np.uint64).reshape(2, -1)

    def copy(i: int) -> None:
        np.copyto(target[i * half : (i + 1) * half], source[i * half : (i + 1) * half])

    def count(i: int) -> None:
        for _ in range(50):
            core.second_moment(tables[i], 1)

    def multiply(i: int) -> None:
        squares[i] @ squares[i]

    def both(work: Callable[[int], Any]) -> Callable[[], None]:
        return lambda: beside_each_other(work)

    n, products = float(len(source)), 768.0**3
    with threadpool_limits(1):
        return {
            "bytes": measured(rounds, numbers.sum, both(lambda i: numbers[i].sum()), [n, n]),
            "copied": measured(rounds, lambda: np.copyto(target, source), both(copy), [2 * n, 2 * n]),
            "words": measured(rounds, lambda: count(0), both(count), [50 * words, 100 * words]),
            "products": measured(rounds, lambda: multiply(0), both(multiply), [products, 2 * products]),
        }


class Run:
    """Groups of contestants, one after the other."""

    def __init__(self, out: str, n_rows: int, rounds: int) -> None:
        self.out, self.n_rows, self.rounds = out, n_rows, rounds
        self.load = os.getloadavg()[0]
        self.rates = machine(rounds)
        self.groups: list[dict[str, Any]] = []
        for name, (one, two) in self.rates.items():
            print(f"{name}: {one:.3g} a second on one thread, {two:.3g} on two", flush=True)

    def group(self, title: str, entries: list[Entry], check: Callable[[list[Any]], None]) -> None:
        """Run all contestants in turn; check their answers, in their order, once."""
        check([entry.run() if entry.most_rounds == 1 else entry.work() for entry in entries])
        for number, entry in itertools.product(range(self.rounds), entries):
            if number < entry.most_rounds > 1:
                entry.run()
        found = []
        for entry in entries:
            rate = {name: values[min(entry.n_threads, 2) - 1] for name, values in self.rates.items()}
            bound = max(
                entry.n_bytes / rate["bytes"],
                entry.n_words / rate["words"],
                entry.n_products / rate["products"],
            )
            best, middle = min(entry.seconds), median(entry.seconds)
            found.append(
                {
                    "name": entry.name,
                    "threads": entry.n_threads,
                    "best": best,
                    "median": middle,
                    "bound": bound or None,
                }
            )
            share = f", {bound / best:5.0%} of its bound" if bound else ""
            times = f"{best * 1e3:9.2f} ms, median {middle * 1e3:9.2f}"
            print(f"{title:>28} | {entry.name:<42} {times}{share}", flush=True)
        self.groups.append({"title": title, "entries": found})
        content = {"config": cf.show_config(), "rows": self.n_rows, "rates": self.rates, "load": self.load}
        with open(self.out, "w") as file:  # after each group: what is done is kept
            json.dump({**content, "groups": self.groups}, file, indent=1)


def ours(name: str, work: Callable[[int], Any], **more: Any) -> list[Entry]:
    """On one thread and on two."""
    return [Entry(f"{name}, {t} thread{'s' * (t > 1)}", lambda t=t: work(t), t, **more) for t in (1, 2)]


def limited(work: Callable[[], Any]) -> Callable[[], Any]:
    """On one thread, also what a library would share among more."""

    def alone() -> Any:
        with threadpool_limits(1):
            return work()

    return alone


def all_equal(answers: list[Any]) -> None:
    for answer in answers[1:]:
        np.testing.assert_array_equal(answer, answers[0])


def mixture(n: int, p: int, seed: int) -> np.ndarray:
    """A mixture of 12 Bernoulli products."""
    generator = np.random.default_rng(seed)
    means = generator.beta(0.5, 1.0, (12, p)).astype(np.float32)
    table = np.empty((n, p), np.uint8)
    for first in range(0, n, 8192):
        m = min(8192, n - first)
        table[first : first + m] = generator.random((m, p), np.float32) < means[generator.integers(0, 12, m)]
    return table


def counts(run: Run, table: np.ndarray) -> None:
    """Packing and exact counts."""
    n, p = table.shape
    packed = BitMatrix.from_array(table, 2)
    total = np.empty(n // 8 * p, dtype=np.uint8)

    def read() -> np.ndarray:
        """As fast as numpy reads bytes: in words of 64 bits, which are added."""
        return table.reshape(-1).view(np.uint64).sum(keepdims=True)

    run.group(
        "pack",
        [
            *ours("pack", lambda t: BitMatrix.from_array(table, t), n_bytes=n * p * 9 / 8),
            Entry("reading the bytes", read, 1, n_bytes=n * p),
            Entry("numpy packbits(axis=0)", lambda: np.packbits(table, axis=0), 1, n_bytes=n * p * 9 / 8),
        ],
        lambda found: np.testing.assert_array_equal(
            found[1].column(7), np.unpackbits(found[3][:, 7], count=n)
        ),
    )
    del total

    def product() -> np.ndarray:
        rows = table.astype(np.float32)
        return rows.T @ rows

    def from_bytes(t: int) -> np.ndarray:
        return core.second_moment(BitMatrix.from_array(table, t), t)

    run.group(
        "second moment",
        [
            *ours("packed", lambda t: core.second_moment(packed, t), n_words=n / 64 * p * (p + 1) / 2),
            *ours("packing included", from_bytes, n_bytes=n * p, n_words=n / 64 * p * (p + 1) / 2),
            Entry("numpy float32 product, converted", limited(product), 1, n_products=n * p * p),
        ],
        all_equal,
    )
    run.group(
        "counts of columns",
        [
            *ours("packed", lambda t: core.column_counts(packed, t), n_bytes=n * p / 8),
            Entry("numpy sum(axis=0)", lambda: table.sum(axis=0, dtype=np.int64), 1, n_bytes=n * p),
        ],
        all_equal,
    )
    triples = np.array(list(itertools.combinations(range(p), 3)), dtype=np.int32)

    def plain() -> np.ndarray:
        moments = np.zeros((p, p, p))
        rows = table.astype(np.float32)
        for first in range(p - 2):
            chosen = rows[rows[:, first] == 1]
            moments[first] = chosen.T @ chosen
        return moments[tuple(triples.T)].astype(np.int64)

    run.group(
        "all triples",
        [
            *ours(
                "packed",
                lambda t: core.marginal_counts(packed, triples, t),
                n_words=n / 64 * (len(triples) + p * p / 2),
            ),
            Entry("numpy masked products", limited(plain), 1, most_rounds=2),
        ],
        all_equal,
    )


def errors(run: Run, n: int) -> None:
    """Marginal error of two tables of 500 bits."""
    first, second = (mixture(n, 500, seed) for seed in (1, 2))

    def plain() -> float:
        moments = [slow.second_moment(table[: n // 20]) / (n // 20) for table in (first, second)]
        return float(np.sqrt(np.mean((moments[0] - moments[1])[np.triu_indices(500, 1)] ** 2)))

    def check(found: list[Any]) -> None:
        part = cf.marginal_error(first[: n // 20], second[: n // 20], 2).rms
        np.testing.assert_allclose(found[2], part)

    run.group(
        "marginal error, d = 2, p = 500",
        [
            *ours(
                "two tables of bytes",
                lambda t: cf.marginal_error(first, second, 2, n_threads=t).rms,
                n_bytes=2 * n * 500,
                n_words=2 * n / 64 * 500 * 501 / 2,
            ),
            Entry("numpy, a twentieth of the rows", limited(plain), 1),
        ],
        check,
    )


def nearest(run: Run, table: np.ndarray, t_coordinates: int = 8, n_blocks: int = 1024) -> None:
    """Nearest of 1,024 points and cells of a grid, of the same coordinates as peers are given, and of bits.

    Of bits the projection is in the time as well, which peers have no part in. Coordinates of ours are
    integers, those of peers the same numbers as float32.
    """
    packed = BitMatrix.from_array(table, 2)
    some = table[:5000].astype(np.float64)
    values, vectors = partition.symmetric_eigen(np.cov(some.T))
    directions = np.ascontiguousarray(vectors[:, :t_coordinates])
    points = np.random.default_rng(0).normal(size=(n_blocks, t_coordinates)) * np.sqrt(values[:t_coordinates])
    offset = -some.mean(axis=0) @ directions
    nearest_point = cf.partition.NearestPoint.from_real(directions, offset, points, 31)
    lattice = cf.partition.Lattice.from_real(directions, offset, 2 * np.sqrt(values[0]) / 3, 2)
    whole = partition.project(packed, nearest_point.directions, nearest_point.offset, 2)
    on_grid = partition.project(packed, lattice.directions, lattice.offset, 2)
    # What rounds to the same scale: one unit for all, so that floats do not overflow.
    scale = np.float32(np.abs(nearest_point.points).max())
    coordinates = whole.astype(np.float32) / scale
    centres = (nearest_point.points / scale).astype(np.float32)
    index = faiss.IndexFlatL2(t_coordinates)
    index.add(centres)
    with threadpool_limits(1):  # it keeps the number of threads
        means = KMeans(n_blocks, init=centres, n_init=1, max_iter=1, tol=0).fit(centres)
    means.cluster_centers_ = centres

    def search(t: int) -> np.ndarray:
        faiss.omp_set_num_threads(t)
        return index.search(coordinates, 1)[1][:, 0]

    def argmin() -> np.ndarray:
        return pairwise_distances_argmin(coordinates, centres)

    def predict() -> np.ndarray:
        return means.predict(coordinates)

    def check(found: list[Any]) -> None:
        for answer in found[4:]:  # floats decide a few ties otherwise
            assert np.mean(answer == found[0]) > 0.97
        all_equal(found[:4])

    n = len(table)
    products = n * n_blocks * t_coordinates
    run.group(
        "nearest of 1,024 points, t = 8",
        [
            *ours(
                "of coordinates",
                lambda t: partition.nearest_point(whole, nearest_point.points, t),
                n_products=products,
            ),
            *ours("project and assign", lambda t: nearest_point.labels(packed, t), n_products=products),
            Entry("faiss IndexFlatL2, 1 thread", lambda: search(1), 1, n_products=products),
            Entry("faiss IndexFlatL2, 2 threads", lambda: search(2), 2, n_products=products),
            Entry("sklearn pairwise_distances_argmin", limited(argmin), 1, n_products=products),
            Entry("sklearn KMeans.predict", limited(predict), 1, n_products=products),
        ],
        check,
    )
    plain = cf.reference.partition.lattice_cells(
        table[:300], lattice.directions, lattice.offset, lattice.spacing, lattice.cells
    )
    run.group(
        "lattice cell, t = 8",
        [
            *ours(
                "of coordinates",
                lambda t: partition.lattice_cells_of(on_grid, lattice.spacing, lattice.cells, t),
                n_bytes=n * (8 * t_coordinates + 4),
            ),
            *ours("project and round", lambda t: lattice.labels(packed, t), n_bytes=n * (P / 8 + 4)),
            Entry("faiss IndexFlatL2, 1 thread", lambda: search(1), 1, n_products=products),
            Entry("faiss IndexFlatL2, 2 threads", lambda: search(2), 2, n_products=products),
        ],
        lambda found: all_equal([plain, *(cells[:300] for cells in found[:4])]),
    )


def block_sums(run: Run, table: np.ndarray, n_blocks: int = 1024) -> None:
    """Sums of bits by block."""
    n = len(table)
    packed = BitMatrix.from_array(table, 2)
    labels = np.random.default_rng(0).permutation(np.arange(n) % n_blocks).astype(np.int32)

    def sort_and_add() -> np.ndarray:
        order = np.argsort(labels, kind="stable")
        starts = np.searchsorted(labels[order], np.arange(n_blocks))
        return np.add.reduceat(table[order], starts, axis=0, dtype=np.int64)

    run.group(
        "sums of 1,024 blocks",
        [
            *ours(
                "packed",
                lambda t: partition.block_statistics(packed, labels, n_blocks, t)[1],
                n_bytes=n * (P / 8 + 4),
            ),
            Entry("numpy, rows sorted by block", sort_and_add, 1),
        ],
        all_equal,
    )


def statistics(run: Run, table: np.ndarray) -> None:
    """Statistics and noise of a fit, beside the reference, which releases the same integers."""
    options = {"n_blocks": 128, "n_steps": 3}
    schema = cf.Schema.from_domain({f"b{j}": 2 for j in range(P)})
    seen: list[np.ndarray] = []
    release = Mechanism.release

    def recorded(self: Mechanism, exact: np.ndarray) -> np.ndarray:
        seen.append(release(self, exact))
        return seen[-1]

    def fit(rows: np.ndarray, t: int) -> tuple[list[np.ndarray], float]:
        seen.clear()
        synth = cf.CovLossSynthesizer(
            schema, epsilon=1.0, delta=1e-9, random_state=1, certificate=False, n_threads=t, **options
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", cf.NotPrivateWarning)
            synth.fit(rows)
        return list(seen), synth.timings_["statistics"] + synth.timings_["noise"]

    def plain() -> tuple[list[np.ndarray], float]:
        start = time.process_time()
        codes, budget = few.astype(np.int64), Budget(1.0, 1e-9)
        answers = released_statistics(codes, (2,) * P, budget, 1, certificate=False, options=options)
        return answers, time.process_time() - start

    def check(found: list[tuple[list[np.ndarray], float]]) -> None:
        for answers in zip(*(released for released, _ in found), strict=True):
            all_equal(list(answers))

    few = table[:100_000]
    of_fit: dict[str, Any] = {"seconds_of": lambda answer: answer[1]}
    Mechanism.release = recorded  # type: ignore[method-assign]
    try:
        run.group(
            f"statistics and noise, {len(few):,} rows",
            [
                *ours("of fit", lambda t: fit(few, t), **of_fit),
                Entry("reference", plain, 1, most_rounds=1, **of_fit),
            ],
            check,
        )
        run.group("statistics and noise", ours("of fit", lambda t: fit(table, t), **of_fit), check)
    finally:
        Mechanism.release = release  # type: ignore[method-assign]


def fitting(run: Run, table: np.ndarray) -> None:
    """Fitting as many rows as a fit of the table would, and drawing noise."""
    layout = BitLayout((2,) * P)
    n_rows = min(len(table), most_fitted_rows(layout))
    targets = core.second_moment(BitMatrix.from_array(table[:n_rows], 2), 2).astype(np.float64)
    ones = np.diagonal(targets).copy()
    start = quota_bits(ones / n_rows, layout, n_rows, KEY, 2)

    def fit(sweeps: int, greedy: int) -> Callable[[int], np.ndarray]:
        def work(t: int) -> np.ndarray:
            options: dict[str, Any] = {"sweeps": sweeps, "greedy_sweeps": greedy, "n_threads": t}
            rows = BitMatrix.concatenate([start], t)
            return fit_bits(rows, targets, ones, key=KEY, **options)

        return work

    products = n_rows * P * P
    title = f"fitting {n_rows:,} rows"
    run.group(f"{title}, 5 + 3 sweeps", ours("all", fit(5, 3), n_products=8 * products), all_equal)
    run.group(f"{title}, 5 Gibbs sweeps", ours("shards", fit(5, 0), n_products=5 * products), all_equal)
    run.group(
        "1,000,000 discrete Gaussians",
        ours("noise", lambda t: noise.discrete_gaussian(KEY, 0, 1_000_000, 10_000, 1, t)),
        all_equal,
    )
    run.group(
        "quotas",
        ours("dealt", lambda t: core.column_counts(quota_bits(ones / n_rows, layout, n_rows, KEY, t), 1)),
        all_equal,
    )


def main() -> None:
    """Run all groups."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    run = Run(arguments.out, arguments.rows, arguments.rounds)
    table = mixture(arguments.rows, P, 1)
    counts(run, table)
    nearest(run, table)
    block_sums(run, table)
    statistics(run, table)
    fitting(run, table)
    errors(run, arguments.rows)


if __name__ == "__main__":
    main()
