"""The anonymous half against its targets: loss, processor time, memory, and how time grows.

    python benchmarks/microaggregation.py                # all; minutes
    python benchmarks/microaggregation.py loss           # the field's tables, needs COVLOSS_DATA
    python benchmarks/microaggregation.py gaussian bits levels

Each fit runs in a process of its own, so that peak memory is its own: the interpreter, the table and all. CPU
seconds are of all threads together, measured about the call alone.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import covloss_fast as cf
from covloss_fast.reference import microaggregation as reference

SIZES = (10_000, 100_000, 300_000, 1_000_000)
#: Below it rebuilt neighbourhoods, which are for small tables, take most of the time.
LARGE = 100_000


def gaussian(n: int) -> NDArray[np.float64]:
    """Independent Gaussian columns, the hardest to aggregate."""
    return np.random.default_rng(0).standard_normal((n, 10))


def bits(n: int) -> NDArray[np.uint8]:
    """A mixture of four products of bits."""
    rng = np.random.default_rng(5)
    means = rng.beta(0.3, 0.5, size=(4, 100)).astype(np.float32)
    out = np.empty((n, 100), dtype=np.uint8)
    for start in range(0, n, 100_000):
        part = out[start : start + 100_000]
        part[:] = rng.random(part.shape, dtype=np.float32) < means[rng.integers(0, 4, len(part))]
    return out


def levels(n: int) -> NDArray[np.uint8]:
    """Twelve attributes of 50 levels, mixed from ten types of records."""
    rng = np.random.default_rng(6)
    types = rng.integers(0, 50, size=(10, 12))
    own = rng.integers(0, 50, size=(n, 12))
    return np.where(rng.random((n, 12)) < 0.7, types[rng.integers(0, 10, n)], own).astype(np.uint8)


FITS: dict[str, tuple[Callable[[int], Any], dict[str, Any]]] = {
    "gaussian": (gaussian, {"min_block_size": 5}),
    "bits": (bits, {"n_blocks": 1_000}),
    "sized": (
        bits,
        {"min_block_size": 5, "schema": cf.Schema.from_domain({f"v{j}": 2 for j in range(100)})},
    ),
    "levels": (
        levels,
        {"min_block_size": 5, "schema": cf.Schema.from_domain({f"v{j}": 50 for j in range(12)})},
    ),
}


def peak_memory() -> int:
    """Most memory that this process has held, in KiB; what getrusage says may be its parent's."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    lines = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
    return int(lines["VmHWM"].split()[0])


def measure(name: str, n: int, method: str) -> None:
    """Fit once and print what it took, as JSON. Runs in a process of its own."""
    make, options = FITS[name]
    table = make(n)
    aggregator = cf.Microaggregator(**options)
    getattr(cf.Microaggregator(**options), method)(table[:2_000])  # libraries loaded
    before = peak_memory()
    wall, cpu = time.perf_counter(), time.process_time()
    getattr(aggregator, method)(table)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    peak = peak_memory()
    certificate = aggregator.certificate_
    assert certificate.n_records == n
    assert certificate.smallest_block >= options.get("min_block_size", n // 1_000)
    print(
        json.dumps(
            {
                "wall": wall,
                "cpu": cpu,
                "peak_mb": peak / 1024,
                "before_mb": before / 1024,
                "table_mb": table.nbytes / 2**20,
                "loss": 100 * certificate.relative_trace_loss,
            }
        )
    )


def run(name: str, n: int, method: str = "fit") -> dict[str, float]:
    """Measure in a new process."""
    command = [sys.executable, __file__, "--measure", name, str(n), method]
    found: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    print(
        f"{name:9} {n:>9,} {method:13} {found['wall']:7.2f} s, {found['cpu']:7.2f} CPU s, peak "
        f"{found['peak_mb']:5.0f} MB (table {found['table_mb']:.0f} MB, before {found['before_mb']:.0f} MB), "
        f"loss {found['loss']:.2f} %",
        flush=True,
    )
    return found


def loss() -> None:
    """The field's tables: information loss at 3, 5, 10 against MDAV."""
    folder = os.environ.get("COVLOSS_DATA")
    if not folder:
        print("loss: set COVLOSS_DATA to the folder of tarragona.csv.gz and census.csv.gz")
        return
    import pandas as pd

    for name in ("tarragona", "census"):
        table = pd.read_csv(Path(folder) / f"{name}.csv.gz").to_numpy(dtype=float)
        rows = reference.standardise(table)
        for size in (3, 5, 10):
            mdav = 100 * reference.relative_scatter(rows, reference.mdav(rows, size))
            reached = []
            for effort in (0, 1, 4):
                start = time.process_time()
                labels = cf.Microaggregator(min_block_size=size, effort=effort).fit(table).labels_
                seconds = time.process_time() - start
                reached.append(f"{100 * reference.relative_scatter(rows, labels):.2f} ({seconds:.2f} CPU s)")
            print(f"{name:9} at {size:2}: MDAV {mdav:.2f}, effort 0/1/4: {', '.join(reached)}", flush=True)


def grow(name: str) -> None:
    """Fit tables of ten thousand to a million records; none may take much more than its share of time."""
    found = [run(name, n) for n in SIZES]
    large = [(size, each["cpu"]) for size, each in zip(SIZES, found) if size >= LARGE]
    exponent = np.polyfit(*np.log(np.array(large)).T, 1)[0]
    print(f"{name:9} exponent of CPU time in the number of records from {LARGE:,}: {exponent:.2f}")


def main(arguments: list[str]) -> None:
    """Run the parts that are asked for, all by default."""
    if arguments[:1] == ["--measure"]:
        measure(arguments[1], int(arguments[2]), arguments[3])
        return
    parts = arguments or ["loss", "bits", "sized", "levels", "gaussian"]
    if "loss" in parts:
        loss()
    if "bits" in parts:
        for method in ("fit", "fit_transform"):
            run("bits", 1_000_000, method)
    if "sized" in parts:
        run("sized", 1_000_000)
    if "levels" in parts:
        run("levels", 100_000)
        run("levels", 100_000, "fit_transform")
    if "gaussian" in parts:
        grow("gaussian")
        run("gaussian", 1_000_000, "fit_transform")


if __name__ == "__main__":
    main(sys.argv[1:])
