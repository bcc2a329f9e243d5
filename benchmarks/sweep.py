"""The whole private half over tables of many sizes: time, peak memory and the forecast of both.

    python benchmarks/sweep.py sweep.json [--binary 10000x16,1000000x100] [--levels 10000x16x10]

Every job has a process of its own, which generates a mixture, fits and asks for the forecast. Seconds are
those of the processor and, beside them, those of the clock: where other processes run, only the former say
what a job costs. Peak memory is that beyond the table and the interpreter (Linux alone says it).
benchmarks/report.py makes tables and pictures of the file.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np

import covloss_fast as cf

BINARY = (
    "10000x16,10000x100,10000x400,10000x1000,100000x16,100000x100,100000x400,100000x1000,"
    "1000000x16,1000000x100,1000000x400,1000000x1000,10000000x16,10000000x100"
)
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


def main() -> None:
    """Run all jobs, or, as a child, one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--binary", default=BINARY)
    parser.add_argument("--levels", default=LEVELS)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--job", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
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
