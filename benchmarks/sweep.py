"""The whole private half over tables of many sizes: time, peak memory and the forecast of both; kernels too.

    python benchmarks/sweep.py sweep.json [--binary 10000x16,1000000x100] [--levels 10000x16x10]
    python benchmarks/sweep.py kernels.json --kernels [--records 100000,1000000] [--attributes 16,100]

Every job has a process of its own, which generates a mixture, fits and asks for the forecast. Seconds are
those of the processor and, beside them, those of the clock: where other processes run, only the former say
what a job costs. Peak memory is that beyond the table and the interpreter (Linux alone says it).

Kernels alone, on one thread and by its processor time: each over numbers of records at 100 attributes, and
over numbers of attributes at 100,000 records, the least of some rounds after one that is not timed; tables
are not in caches before.
Whole fits cap the rows that they fit; how each kernel's cost grows with its table shows here. Quotas are
dealt for no more rows than are ever fitted. The largest table takes 4 GB of memory.

benchmarks/report.py makes tables and pictures of the files.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import covloss_fast as cf
from covloss_fast._core import bits, partition
from covloss_fast._core.bits import BitMatrix
from covloss_fast.records.partition import Lattice, NearestPoint
from covloss_fast.released.fitting import LARGEST_FITTED_ROWS
from covloss_fast.released.restoration import fit_bits, quota_bits
from covloss_fast.released.rounding import sample_codes
from covloss_fast.schema import BitLayout

BINARY = (
    "10000x16,10000x100,10000x400,10000x1000,100000x16,100000x100,100000x400,100000x1000,"
    "1000000x16,1000000x100,1000000x400,1000000x1000,10000000x16,10000000x100"
)
#: A kernel is not timed again after so many seconds.
MOST_KERNEL_SECONDS = 2.0
LEVELS = "10000x16x10,100000x16x10,100000x20x30,100000x100x4,1000000x16x10"


class Watch:
    """The peak of resident memory while a block runs, beyond what was there before it, as Linux keeps it."""

    def __enter__(self) -> Watch:
        ctypes.CDLL(None).malloc_trim(0)  # freed memory that is still here could be used again unseen
        Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
        self._before = self._status("VmRSS")
        return self

    def __exit__(self, *_: object) -> None:
        self.peak_bytes = self._status("VmHWM") - self._before

    @staticmethod
    def _status(name: str) -> int:
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))


def table_of(n: int, p: int, levels: int) -> np.ndarray:
    """Rows of a mixture of 12 products; where there are more than two levels, they follow a hidden place."""
    generator = np.random.default_rng(0)
    means = generator.beta(0.5, 1.0, (12, p)).astype(np.float32)
    table = np.empty((n, p), dtype=np.min_scalar_type(levels - 1))
    for first in range(0, n, 8192):
        m = min(8192, n - first)
        if levels == 2:
            rows = generator.random((m, p), np.float32) < means[generator.integers(0, 12, m)]
        else:
            place = generator.random((m, 1)) + generator.normal(0, 0.3, (m, p))
            rows = np.floor((place % 1) ** 2 * levels)
        table[first : first + m] = rows
    return table


def run(n: int, p: int, levels: int, threads: int) -> dict[str, object]:
    """One job, in this process."""
    schema = cf.Schema.from_domain({f"a{j}": levels for j in range(p)})
    synth = cf.CovLossSynthesizer(schema, epsilon=1.0, delta=1e-9, random_state=1, n_threads=threads)
    warnings.simplefilter("ignore", cf.NotPrivateWarning)
    table = table_of(n, p, levels)
    with Watch() as watch:
        clock, processor = time.perf_counter(), time.process_time()
        synth.fit(table)
        clock, processor = time.perf_counter() - clock, time.process_time() - processor
    forecast = synth.forecast(n)  # its rates are measured after the fit, which sets up things for itself
    made = synth.sample()
    return {
        "n": n,
        "p": p,
        "levels": levels,
        "threads": threads,
        "clock_seconds": clock,
        "processor_seconds": processor,
        "stages": synth.timings_,
        "peak_bytes": watch.peak_bytes,
        "forecast": forecast.to_dict(),
        "rms_2": cf.marginal_error(table[:1_000_000], made, 2, schema).rms if p * levels <= 800 else None,
    }


#: Records and attributes of the kernels where the other number varies, and the numbers that vary.
KERNEL_RECORDS, KERNEL_ATTRIBUTES = 100_000, 100
RECORDS = "100000,300000,1000000,3000000,10000000"
ATTRIBUTES = "16,32,64,100,200,400,1000"


def kernels(n: int, p: int) -> dict[str, Callable[[], Any]]:
    """What is timed on a table of n records of p bits; answers are checked by tests and by roofline.py."""
    key = bytes(32)
    table = table_of(n, p, 2)
    packed = BitMatrix.from_array(table, 2)
    layout = BitLayout((2,) * p)
    moment = bits.second_moment(packed, 2)
    ones = np.diagonal(moment).astype(np.float64)
    generator = np.random.default_rng(0)
    directions, points = generator.normal(size=(p, 8)), 4 * generator.normal(size=(128, 8))
    nearest = NearestPoint.from_real(directions, np.zeros(8), points, 31)
    grid = Lattice.from_real(directions, np.zeros(8), 4.0, 2)
    labels = nearest.labels(packed, 2)
    # Sets of three bits as a certificate draws them: their number is capped.
    sets = np.sort(generator.permuted(np.tile(np.arange(p), (1000, 1)), axis=1)[:, :3], axis=1)
    sets = np.ascontiguousarray(sets.astype(np.int32))
    groups = np.arange(p, dtype=np.int32)

    def fit() -> Any:
        rows = BitMatrix.concatenate([packed], 1)
        options: dict[str, Any] = {"sweeps": 1, "greedy_sweeps": 1, "n_threads": 1}
        return fit_bits(rows, moment.astype(np.float64), ones, key=key, **options)

    work: dict[str, Callable[[], Any]] = {
        "pack": lambda: BitMatrix.from_array(table, 1),
        "unpack": lambda: packed.to_array(1),
        "counts of columns": lambda: bits.column_counts(packed, 1),
        "counts of pairs": lambda: bits.second_moment(packed, 1),
        "counts of 1,000 triples": lambda: bits.marginal_counts(packed, sets, 1),
        "error of all pairs": lambda: bits.marginal_error(packed, packed, groups, 2, 1),
        "nearest of 128 points, t = 8": lambda: nearest.labels(packed, 1),
        "lattice cell, t = 8": lambda: grid.labels(packed, 1),
        "sums of 128 blocks": lambda: partition.block_statistics(packed, labels, 128, 1),
        "rounding": lambda: sample_codes(np.ones(1), ones[None] / n, layout.sizes, n, key, 0, 1),
        "a Gibbs and a greedy sweep": fit,
    }
    if n <= LARGEST_FITTED_ROWS:
        work["quotas"] = lambda: quota_bits(ones / n, layout, n, key, 1)
    return work


def kernel_times(n: int, p: int, rounds: int) -> list[dict[str, object]]:
    """The least processor time of some rounds of each kernel."""
    found: list[dict[str, object]] = []
    more_than_caches_hold = np.ones(2**24)
    for name, work in kernels(n, p).items():
        work()  # the system hands out memory, which on a virtual machine takes longer than to fill it
        seconds: list[float] = []
        while len(seconds) < rounds and sum(seconds) < MOST_KERNEL_SECONDS:
            more_than_caches_hold.sum()  # so that small tables, too, come from memory
            start = time.thread_time()
            work()
            seconds.append(time.thread_time() - start)
        found.append({"kernel": name, "n": n, "p": p, "seconds": min(seconds), "rounds": len(seconds)})
    return found


def sweep_kernels(out: str, records: list[int], attributes: list[int], rounds: int) -> None:
    """Times of all kernels over both sizes."""
    sizes = [(n, KERNEL_ATTRIBUTES) for n in records] + [(KERNEL_RECORDS, p) for p in attributes]
    done: list[dict[str, object]] = []
    for n, p in dict.fromkeys(sizes):
        start = time.perf_counter()
        done += kernel_times(n, p, rounds)
        print(f"{n:,} x {p}: {time.perf_counter() - start:.0f} s", flush=True)
        with open(out, "w") as file:
            json.dump({"config": cf.show_config(), "kernels": done}, file, indent=1)


def main() -> None:
    """Run all jobs, or, as a child, one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--binary", default=BINARY)
    parser.add_argument("--levels", default=LEVELS)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--kernels", action="store_true", help="kernels alone")
    parser.add_argument("--records", default=RECORDS, help="of kernels")
    parser.add_argument("--attributes", default=ATTRIBUTES, help="of kernels")
    parser.add_argument("--rounds", type=int, default=5, help="of kernels, at most")
    parser.add_argument("--job", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.kernels:
        records, attributes = (
            [int(each) for each in text.split(",") if each]
            for text in (arguments.records, arguments.attributes)
        )
        sweep_kernels(arguments.out, records, attributes, arguments.rounds)
        return
    if arguments.job:
        print(json.dumps(run(*map(int, arguments.job.split("x")), arguments.threads)))
        return
    jobs = [f"{each}x2" for each in arguments.binary.split(",") if each]
    jobs += [each for each in arguments.levels.split(",") if each]
    done = []
    for job in jobs:
        command = [sys.executable, __file__, "-", "--job", job, "--threads", str(arguments.threads)]
        out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        done.append(json.loads(out))
        last = done[-1]
        expected = last["forecast"]
        print(
            f"{job:>16}: {last['processor_seconds']:8.2f} s, forecast "
            f"{sum(expected['seconds'].values()) / last['processor_seconds']:5.2f} times; "
            f"{last['peak_bytes'] / 1e6:8.1f} MB, "
            f"forecast {expected['memory'] / last['peak_bytes']:5.2f} times",
            flush=True,
        )
        with open(arguments.out, "w") as file:
            json.dump({"config": cf.show_config(), "jobs": done}, file, indent=1)


if __name__ == "__main__":
    main()
