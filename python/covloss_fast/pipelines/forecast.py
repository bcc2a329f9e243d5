"""What a fit will take: memory from the sizes of what it holds, seconds from rates of this machine.

Everything here is a function of public quantities: the number of records that is asked about, the schema, the
parameters, the number of threads. Rates are measured once in a process, on made-up tables of some thousand
rows. Memory is that beyond the caller's table and the interpreter. Both are meant to be right within a factor
of two, not better: what pairs of attributes are selected, for one, is not known before the release. Where the
number of records is secret, the rows follow a noisy count; what is foreseen is for the most that it gives
with 95 % probability, which for few records and a small budget is far more than usual.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from covloss_fast._core import bits as _bits
from covloss_fast._core.bits import BitMatrix
from covloss_fast._core.partition import symmetric_eigen
from covloss_fast.pipelines.common import LEAST_COUNT
from covloss_fast.pipelines.paper import COUNT as PAPER_COUNT_SHARE
from covloss_fast.pipelines.restored import asks_all_pairs
from covloss_fast.pipelines.restored_binary import LARGEST_PROBE, binary_noise
from covloss_fast.pipelines.restored_categorical import categorical_noise
from covloss_fast.privacy.accounting import Budget
from covloss_fast.privacy.ledger import Distribution, Neighbours
from covloss_fast.privacy.mechanisms import noise_quantile, noise_scale, record_count
from covloss_fast.records.partition import NearestPoint
from covloss_fast.records.statistics import BlockStatistics, moment_words
from covloss_fast.released.fitting import (
    COARSE_SWEEPS,
    GREEDY_SWEEPS,
    POLISHING_SWEEPS,
    SWEEPS,
    most_fitted_rows,
)
from covloss_fast.released.planning import (
    CERTIFICATE_SHARE,
    COUNT_SHARE,
    NoiseLevels,
    PaperPlan,
    Plan,
    plan_binary,
    plan_categorical,
    plan_paper,
    predicted_rms,
    select_pairs,
)
from covloss_fast.released.restoration import default_shards, fit_bits, fit_rows, quota_bits
from covloss_fast.released.rows import PACKED_ROWS, PART_ROWS
from covloss_fast.schema import BitLayout

#: What the first fit of a process sets up, and what one with levels does.
_BASE_BYTES, _LEVELS_BYTES, _BASE_SECONDS = 2.7e6, 1e6, 0.006
#: Arrays of drawn sets of bits and integers without bound, for each set.
_SET_BYTES = 230.0
#: To take new memory for tables of pairs of levels and go over it: for each byte.
_TABLE_SECONDS = 1.5e-9
#: With this probability the noisy count gives no more rows.
_ROWS_CONFIDENCE = 0.95
_BLOCK_ROWS = 16_384
#: Drawing one cell of noise: its generator is none of this module's business.
_NOISE_SECONDS = 1e-7
#: Drawing a set of bits and the arithmetic on its counts.
_SET_SECONDS = 3e-6
#: How far pairs of attributes are from independence, where nothing is known: decides how many are measured.
_USUAL_DISTANCE = 0.1


@dataclass(frozen=True)
class Forecast:
    """What a fit will take.

    Attributes
    ----------
    n : int
        Number of records.
    memory : int
        Bytes at its peak, beyond the caller's table and the interpreter.
    seconds : dict of str to float
        By stage: "reading" (of an array), and as in `timings_` "statistics", "noise", "rows", "certificate".
    most_rows : int
        Rows of the canonical table that `memory` and `seconds` are for: the number of records, or, where that
        is secret, the most that its noisy count gives with probability 0.95.
    passes : int
        How often the records are read where they are not held (:class:`covloss_fast.Batches`), at most.
    """

    n: int
    memory: int
    seconds: Mapping[str, float]
    most_rows: int
    passes: int

    @property
    def total_seconds(self) -> float:
        """All stages together."""
        return sum(self.seconds.values())

    def __str__(self) -> str:
        stages = ", ".join(f"{name} {_seconds_text(each)}" for name, each in self.seconds.items())
        drowned = (
            f"; the noise of the count may make {self.most_rows:,} rows of them, which this is for"
            if self.most_rows > 1.5 * max(self.n, 1)
            else ""
        )
        return (
            f"A fit of {self.n:,} records would take about {_seconds_text(self.total_seconds)} ({stages}) "
            f"and {_bytes_text(self.memory)} of memory beside the table{drowned}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the forecast as plain JSON values."""
        return {
            "n": self.n,
            "memory": self.memory,
            "seconds": dict(self.seconds),
            "most_rows": self.most_rows,
            "passes": self.passes,
        }


def _seconds_text(seconds: float) -> str:
    """Seconds to two digits, in words of their size."""
    if seconds < 0.01:
        return "below 0.01 s"
    if seconds < 100:
        return f"{seconds:.2g} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def _bytes_text(n: int) -> str:
    return f"{n / 1e6:,.0f} MB" if n < 1e9 else f"{n / 1e9:,.1f} GB"


@dataclass(frozen=True)
class _Job:
    layout: BitLayout
    n: int
    n_rows: int
    n_threads: int

    @property
    def p(self) -> int:
        return self.layout.n_bits

    @property
    def q(self) -> int:
        return len(self.layout.sizes)

    def packed(self, n_rows: int) -> float:
        """Bytes of rows as bits, in whole blocks of rows."""
        return -(-n_rows // _BLOCK_ROWS) * _BLOCK_ROWS / 8 * self.p

    def shared(self, seconds: float, n_tasks: float = np.inf) -> float:
        """Seconds of work that threads share."""
        return float(seconds / max(1.0, min(self.n_threads, n_tasks)) ** 0.85)


@dataclass(frozen=True)
class FitSize:
    """A fit, as far as it is public.

    Attributes
    ----------
    n : int
        Number of records.
    layout : BitLayout
    budget : Budget
    neighbours, method, certificate, options
        As the synthesizer has them.
    n_threads : int
    most_rows : int
        Rows that a canonical table has at most.
    """

    n: int
    layout: BitLayout
    budget: Budget
    neighbours: Neighbours
    method: Literal["restored", "paper"]
    certificate: bool
    options: Mapping[str, Any]
    n_threads: int
    most_rows: int

    def memory(self, most_held: int | None = None) -> int:
        """Bytes at the peak, beyond the caller's table and the interpreter.

        Parameters
        ----------
        most_held : int, optional
            Bytes of packed records that are held at most.
        """
        job, plan = self._job(), self._plan(self._most_counted())
        if isinstance(plan, PaperPlan):
            memory = _memory_of_paper(job, plan)
        elif self._all_pairs:
            memory = _memory_of_binary(job, plan)
        else:
            noise = categorical_noise(self.budget, job.q, self.neighbours)
            memory = _memory_of_categorical(job, plan, noise)
        records = job.packed(self.n) + (0 if self._is_binary else self.n * _code_bytes(self.layout))
        if most_held is not None:
            records = min(records, most_held)
        certifying = _kept(job) + _certified(job) if self.certificate else 0.0
        base = _BASE_BYTES + (0.0 if self._is_binary else _LEVELS_BYTES)
        return int(base + records + max(memory, certifying))

    def forecast(self) -> Forecast:
        """Memory, and seconds by the rates of this machine."""
        job, plan = self._job(), self._plan(self._most_counted())
        if isinstance(plan, PaperPlan):
            seconds = _seconds_of_paper(job, plan)
        elif self._all_pairs:
            seconds = _seconds_of_binary(job, plan)
        else:
            noise = categorical_noise(self.budget, job.q, self.neighbours)
            seconds = _seconds_of_categorical(job, plan, noise)
        certifying = _certifying(job) if self.certificate else 0.0
        seconds = {"reading": _BASE_SECONDS + _reading(job), **seconds, "certificate": certifying}
        return Forecast(self.n, self.memory(), seconds, job.n_rows, self._passes(plan))

    def _passes(self, plan: Plan | PaperPlan) -> int:
        """One that checks and counts the bits, one each for pairs, steps of blocks and the certificate."""
        if isinstance(plan, PaperPlan):
            asked = 1 + (plan.n_components > 0)
        elif self._is_binary:
            asked = ("pairs" in plan.shares) + (1 if plan.n_pins else plan.n_steps)
        else:
            asked = not plan.is_independent
        return 1 + int(asked) + self.certificate

    def parameters(self) -> dict[str, Any]:
        """Return the parameters that the fit would take if this number of records were released."""
        plan = self._plan(self.n)
        if isinstance(plan, PaperPlan):
            return {"n": self.n, **asdict(plan)}
        if not self._all_pairs:
            return plan.to_dict()
        noise = binary_noise(self.budget, self.layout.n_bits, self.neighbours)
        return {**plan.to_dict(), "predicted_rms": predicted_rms(plan, noise)}

    @property
    def _all_pairs(self) -> bool:
        return asks_all_pairs(self.layout, self.options)

    @property
    def _is_binary(self) -> bool:
        return bool(self.layout.is_binary.all())

    def _job(self) -> _Job:
        return _Job(self.layout, self.n, min(self._most_counted(), self.most_rows), self.n_threads)

    def _most_counted(self) -> int:
        """The number of records as the fit may know it."""
        if self.neighbours == "replace_one":
            return max(self.n, 1)
        share = PAPER_COUNT_SHARE if self.method == "paper" else COUNT_SHARE
        scale = noise_scale(self.budget, record_count(self.neighbours), share)
        name: Distribution = "discrete Laplace" if self.budget.is_pure else "discrete Gaussian"
        # Beyond it on this side is half of what is beyond on both.
        return max(self.n + noise_quantile(name, scale, 2 * _ROWS_CONFIDENCE - 1), LEAST_COUNT)

    def _plan(self, n: int) -> Plan | PaperPlan:
        n = max(n, 1)
        if self.method == "paper":
            return plan_paper(
                self.layout,
                float(self.budget.total_per_record),
                n,
                self.options.get("n_blocks"),
                self.options.get("partition"),
            )
        reserved = {"certificate": CERTIFICATE_SHARE} if self.certificate else {}
        if self.neighbours == "add_or_remove_one":
            reserved["count"] = COUNT_SHARE
        if self._all_pairs:
            noise = binary_noise(self.budget, self.layout.n_bits, self.neighbours)
            return plan_binary(self.layout.n_bits, noise, n, reserved=reserved, **self.options)
        noise = categorical_noise(self.budget, len(self.layout.sizes), self.neighbours)
        return plan_categorical(self.layout.sizes, noise, n, reserved=reserved, **self.options)


def _code_bytes(layout: BitLayout) -> float:
    """Bytes of the codes of a record, of attributes that are not binary."""
    return float(sum(1 if size <= 256 else 2 for size in layout.sizes if size != 2))


def _kept(job: _Job) -> float:
    """Bytes of the canonical table."""
    n_fitted = min(job.n_rows, most_fitted_rows(job.layout))
    n_binary = int(job.layout.is_binary.sum())
    return n_fitted * (n_binary / 8 + _code_bytes(job.layout))


def _certified(job: _Job) -> float:
    """Bytes of the canonical table as it is counted, beside the table that is kept."""
    sets = _SET_BYTES * max(_numbers_of_sets(job))
    if not job.layout.is_binary.all():
        return sets + job.packed(job.n_rows) + min(job.n_rows, PACKED_ROWS) * job.q * 3.0
    return sets + job.packed(job.n_rows % min(job.n_rows, most_fitted_rows(job.layout)))


def _numbers_of_sets(job: _Job) -> list[float]:
    """Sets of bits that the certificate counts, by degree: up to 10,000."""
    return [min(10_000.0, float(np.prod([(job.p - i) / (i + 1) for i in range(d)]))) for d in (1, 2, 3, 4)]


# ---- stages


def _reading(job: _Job) -> float:
    if job.layout.is_binary.all():
        return job.shared(job.n * job.p * _rates().pack)
    return job.n * job.q * _rates().code + job.shared(job.n * job.p * _rates().pack)


def _moment(job: _Job) -> float:
    """Of all pairs of bits, by popcounts or histograms, and the table of them."""
    counting = job.n * 64 * moment_words(job.layout) * _rates().moment
    return job.shared(counting, job.n / _BLOCK_ROWS * (job.p / 32) ** 2 / 2) + 8.0 * job.p**2 * _TABLE_SECONDS


def _eigen(job: _Job) -> float:
    return job.p**3 * _rates().eigen


def _blocks(job: _Job, n_blocks: int, n_components: int) -> float:
    """One partition and its sums."""
    labels = job.n * (job.p / 8 * n_components + n_blocks * n_components) * _rates().label
    return job.shared(labels + job.n * job.p * _rates().block_sum, job.n / _BLOCK_ROWS)


def _certifying(job: _Job) -> float:
    """Up to 10,000 sets of each of four degrees, in both tables."""
    sets = _numbers_of_sets(job)
    words = sum(n_sets * (d + 1) for d, n_sets in enumerate(sets, 1)) * (job.n + job.n_rows) / 64
    return (
        job.shared(words * _rates().marginal)
        + sum(sets) * _SET_SECONDS
        + (0.0 if job.layout.is_binary.all() else 2 * job.n_rows * job.q * _rates().unpack)
    )


def _fit_binary(job: _Job, n_rows: int) -> float:
    p = job.p
    visits = float(n_rows) * p
    gibbs = job.shared(SWEEPS * visits * _rates().gibbs.at(p), default_shards(n_rows))
    return gibbs + GREEDY_SWEEPS * visits * _rates().greedy.at(p)


def _seconds_of_binary(job: _Job, plan: Plan) -> dict[str, float]:
    p, n_fitted = job.p, min(job.n_rows, most_fitted_rows(job.layout))
    noise = (p * (p + 1) / 2 + plan.n_steps * plan.n_blocks * (p + 1)) * _NOISE_SECONDS
    if plan.is_independent:
        dealt = job.shared(job.n_rows * p * _rates().deal)
        return {"statistics": 1e-3, "noise": noise, "rows": dealt}
    statistics = _moment(job) + 4 * _eigen(job)  # denoising, and what stays positive after it
    if plan.n_blocks > 1:
        statistics += plan.n_steps * _blocks(job, plan.n_blocks, plan.n_components)
        statistics += _fit_binary(job, min(plan.n, LARGEST_PROBE, n_fitted))
    rows = _fit_binary(job, n_fitted) + n_fitted * p * _rates().deal
    return {"statistics": statistics, "noise": noise, "rows": rows}


def _memory_of_binary(job: _Job, plan: Plan) -> float:
    p, n_fitted = job.p, min(job.n_rows, most_fitted_rows(job.layout))
    if plan.is_independent:
        return job.packed(job.n_rows) + min(job.n_rows, PART_ROWS) * p * 3.0
    # Targets and what denoising holds; discrepancies and multipliers of the shards.
    tables = 8.0 * p * p * 11 + 4.0 * p * (p + 8) * (2 + 2 * job.n_threads)
    # The rows and copies of the shards that move, with their orders; columns that are dealt.
    in_shards = min(1.0, job.n_threads / default_shards(n_fitted))
    memory = job.packed(n_fitted) * (1 + in_shards) + 5.0 * n_fitted * in_shards + tables
    memory = max(memory, job.packed(n_fitted) + 2.0 * n_fitted * job.n_threads)
    if plan.n_blocks > 1:  # labels of the rows or of the records
        memory = max(memory + 4.0 * n_fitted, tables + 5.0 * job.n)
    return memory


def _coarse_sizes(job: _Job, plan: Plan) -> NDArray[np.float64]:
    """Numbers of coarse levels, at most."""
    return np.asarray(np.minimum(job.layout.sizes, np.ceil(1.0 / max(plan.least_fraction, 1e-9))))


def _places(sizes: ArrayLike) -> float:
    """Levels of all attributes in whole vectors."""
    return float((np.ceil(np.asarray(sizes) / 8) * 8).sum())


def _seconds_of_categorical(job: _Job, plan: Plan, noise: NoiseLevels) -> dict[str, float]:
    dealt = job.shared(job.n_rows * job.q * _rates().deal)
    if plan.is_independent:
        return {"statistics": 1e-3, "noise": 1e-3, "rows": dealt}
    coarse = _coarse_sizes(job, plan)
    n_fitted = min(job.n_rows, most_fitted_rows(job.layout))
    visits = float(n_fitted) * job.q
    measured = _part_of_pairs(plan, coarse, noise)
    if measured == 0:
        return {"statistics": _moment(job), "noise": 1e-3, "rows": dealt}
    sweeps = job.shared(COARSE_SWEEPS * visits, default_shards(n_fitted))
    rows = sweeps * _visit(job.q, _places(coarse), measured)
    rows += POLISHING_SWEEPS * visits * _visit(job.q, _places(job.layout.sizes), 1.0)
    rows += visits * _rates().deal + _bytes_of_tables(job, plan) * _TABLE_SECONDS
    drawing = measured * _places(coarse) ** 2 / 2 * _NOISE_SECONDS
    return {"statistics": _moment(job), "noise": drawing, "rows": rows}


def _memory_of_categorical(job: _Job, plan: Plan, noise: NoiseLevels) -> float:
    drawn = job.n_rows * job.q * 2.0 + min(job.n_rows, PART_ROWS) * job.q * 3.0
    if plan.is_independent:
        return drawn
    if _part_of_pairs(plan, _coarse_sizes(job, plan), noise) == 0:  # none may be selected after all
        return drawn + _bytes_of_tables(job, plan)
    n_fitted = min(job.n_rows, most_fitted_rows(job.layout))
    rows = n_fitted * (9.0 * job.q + 2.0 * _code_bytes(job.layout) + 8.0)
    return rows + _bytes_of_tables(job, plan)


def _bytes_of_tables(job: _Job, plan: Plan) -> float:
    """Bytes of tables of all pairs of levels, and of coarse ones in each shard.

    Those of all levels are 1.2 times the counts of pairs if none is selected, 3.5 times if some are, which
    depends on the table: what lies between is within a factor of two of both.
    """
    coarse_places = _places(_coarse_sizes(job, plan))
    return 8.0 * job.p**2 * 2.1 + 4.0 * coarse_places**2 * 3 * job.n_threads


def _part_of_pairs(plan: Plan, sizes: NDArray[np.float64], noise: NoiseLevels) -> float:
    """Part of all pairs of attributes that would be measured if all were equally far from independence."""
    first, second = np.triu_indices(len(sizes), 1)
    n_cells = (sizes[first] * sizes[second]).astype(np.int64)
    sd = noise.at("pair_table", float(plan.shares["pairs"]))
    chosen, _ = select_pairs(np.full(len(first), _USUAL_DISTANCE), n_cells, sd, plan.n, noise.is_pure)
    return len(chosen) / len(first)


def _visit(q: int, places: float, measured: float) -> float:
    """Seconds of one visit of an attribute: looking at its partners, and moving; more where caches end.

    As rates are measured, a partner is one vector to look at and two cells to change.
    """
    partners = q * (measured * max(1.0, places / q / 8) + 2) / 3
    beyond = min(1.0, 4.0 * places**2 / 16e6)
    return _rates().level.at(partners) * (1.0 + 3.0 * beyond)


def _seconds_of_paper(job: _Job, plan: PaperPlan) -> dict[str, float]:
    statistics = _moment(job) + _eigen(job) + _blocks(job, plan.n_blocks, max(plan.n_components, 1))
    noise = (job.p**2 / 2 + plan.n_blocks * (job.p + 1)) * _NOISE_SECONDS
    rows = job.shared(job.n_rows * job.q * _rates().deal)
    return {"statistics": statistics, "noise": noise, "rows": rows}


def _memory_of_paper(job: _Job, plan: PaperPlan) -> float:
    memory = 2 * job.packed(job.n_rows) + 8.0 * (10 * job.p**2 + 6 * plan.n_blocks * job.p) + 6.0 * job.n
    return memory + job.n_rows * _code_bytes(job.layout) + PART_ROWS * job.q * 3.0


# ---- rates


@dataclass(frozen=True)
class _Line:
    """Seconds of a visit of one of p attributes: a constant and a part for each other attribute."""

    constant: float
    slope: float

    @classmethod
    def through(cls, p: int, seconds: float, larger_p: int, larger_seconds: float) -> _Line:
        """The line through two visits, neither part negative."""
        slope = max(0.0, larger_seconds - seconds) / (larger_p - p)
        slope = min(max(slope, 0.3 * larger_seconds / larger_p), larger_seconds / larger_p)
        return cls(larger_seconds - larger_p * slope, slope)

    def at(self, p: float) -> float:
        """Seconds of a visit."""
        return self.constant + self.slope * p


@dataclass(frozen=True)
class _Rates:
    """Seconds of one thread: for each cell, bit operation, product, draw or move, as the names say."""

    pack: float
    unpack: float
    code: float
    moment: float
    eigen: float
    label: float
    block_sum: float
    marginal: float
    deal: float
    gibbs: _Line
    greedy: _Line
    level: _Line


def _least(work: Callable[[], Any], rounds: int = 5) -> float:
    """Least time of a few, of this thread where its clock is fine enough: others may use the processor.

    Threads of a linear algebra library are among the others: they stay busy for a while after each product.
    """
    try:
        is_fine = time.get_clock_info("thread_time").resolution < 1e-5
    except ValueError:  # a system without such a clock
        is_fine = False
    clock = time.thread_time if is_fine else time.perf_counter
    found = []
    for _ in range(rounds):
        start = clock()
        work()
        found.append(clock() - start)
    return min(found)


@cache
def _rates() -> _Rates:
    """Measure this machine: some tens of milliseconds, once in a process."""
    generator = np.random.default_rng(0)
    n, p, t, n_blocks = _BLOCK_ROWS, 64, 16, 64
    table = generator.integers(0, 2, (n, p), dtype=np.uint8)
    bits = BitMatrix.from_array(table, 1)
    symmetric = np.cov(generator.normal(size=(p, 2 * p)))
    partition = NearestPoint.from_real(
        generator.normal(size=(p, t)), np.zeros(t), 4 * generator.normal(size=(n_blocks, t)), 31
    )
    labels = partition.labels(bits, 1)
    sets = np.sort(generator.permuted(np.tile(np.arange(p, dtype=np.int32), (100, 1)), axis=1)[:, :3], axis=1)
    sets = np.ascontiguousarray(sets)
    codes = generator.integers(0, 8, (1024, 16)).astype(np.int64)
    (gibbs, deal), (more_gibbs, _) = _visits(48, 1024, 1, 0), _visits(192, 384, 1, 0)
    greedy, more_greedy = _visits(48, 1024, 0, 2)[0], _visits(192, 384, 0, 2)[0]
    label_work = n * (p / 8 * t + n_blocks * t)
    return _Rates(
        pack=_least(lambda: BitMatrix.from_array(table, 1)) / (n * p),
        unpack=_least(lambda: bits.columns(0, n)) / (n * p),
        code=_least(lambda: codes.T.astype(np.uint8)) / codes.size,
        moment=_least(lambda: _bits.second_moment(bits, 1)) / (n * p * p / 2),
        eigen=_least(lambda: symmetric_eigen(symmetric)) / p**3,
        label=_least(lambda: partition.labels(bits, 1)) / label_work,
        block_sum=_least(lambda: BlockStatistics.from_labels(bits, labels, n_blocks, 1)) / (n * p),
        marginal=_least(lambda: _bits.marginal_counts(bits, sets, 1)) / (100 * 4 * n / 64),
        deal=deal,
        gibbs=_Line.through(48, gibbs, 192, more_gibbs),
        greedy=_Line.through(48, greedy, 192, more_greedy),
        level=_Line.through(12, _level_visits(12, 512, 2), 48, _level_visits(48, 512, 1)),
    )


def _level_visits(q: int, m: int, sweeps: int) -> float:
    """Seconds of a visit when m rows of q attributes of 4 levels are fitted."""
    codes = np.random.default_rng(q).integers(0, 4, (q, m)).astype(np.uint8)
    hot = np.vstack([row == np.arange(4)[:, None] for row in codes]).astype(np.float64)
    pairs, ones, key = hot @ hot.T, hot.sum(axis=1), bytes(32)

    def fit(sweeps: int) -> float:
        options: dict[str, Any] = {"sweeps": sweeps, "greedy_sweeps": 0, "n_threads": 1}
        return _least(lambda: fit_rows(codes, (4,) * q, pairs, ones, key=key, **options))

    return max(fit(2 + sweeps) - fit(2), 1e-6) / (sweeps * m * q)  # both have multipliers


def _visits(p: int, m: int, sweeps: int, greedy: int) -> tuple[float, float]:
    """Seconds of a visit when m rows of p bits are fitted, and of dealing one bit of the start."""
    generator = np.random.default_rng(p)
    profiles = generator.beta(0.5, 1.0, (8, p))
    table = (generator.random((m, p)) < profiles[generator.integers(0, 8, m)]).astype(np.uint8)
    moment = _bits.second_moment(BitMatrix.from_array(table, 1), 1).astype(np.float64)
    ones, layout, key = np.diagonal(moment).copy(), BitLayout((2,) * p), bytes(32)

    def fit(sweeps: int, greedy: int) -> float:
        options: dict[str, Any] = {"sweeps": sweeps, "greedy_sweeps": greedy, "n_shards": 1, "n_threads": 1}
        return _least(lambda: fit_bits(BitMatrix.concatenate([start]), moment, ones, key=key, **options))

    start = quota_bits(ones / m, layout, m, key, 1)
    deal = _least(lambda: quota_bits(ones / m, layout, m, key, 1)) / (m * p)
    idle = fit(0, 1) if sweeps == 0 else fit(0, 0)
    n_sweeps = sweeps if sweeps else greedy - 1
    return max(fit(sweeps, greedy) - idle, 1e-5) / (n_sweeps * m * p), deal
