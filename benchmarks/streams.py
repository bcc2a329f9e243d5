"""Tables longer than memory: time against a fit to one array, peak memory, cores of a cluster.

    python benchmarks/streams.py [--records 10000000] [--bits 64] [--long 100000000] [--workers]

*Batches*: one fit each of an array, of Arrow batches in memory, of the same read again in each pass, and of a
Parquet file (with and without a spill file); the releases are asserted to be equal. *Long*: generated records
that are never held, peak memory of the process. *Workers*: what a fit asks, of one Dask worker and of two;
needs ``distributed``.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

import covloss_fast as cf
from covloss_fast.records.batches import Batches
from covloss_fast.records.queries import BlockSums, PairCounts

BATCH = 2**17


def schema_of(n_bits: int) -> cf.Schema:
    """Binary attributes."""
    return cf.Schema.from_domain({f"b{j}": 2 for j in range(n_bits)})


def bits(number: int, n: int, n_bits: int) -> NDArray[np.uint8]:
    """A batch of records of correlated bits; the same for the same number."""
    generator = np.random.default_rng(number)
    common = generator.integers(0, 256, (n, 1), dtype=np.uint8) // 2
    own = generator.integers(0, 256, (n, n_bits), dtype=np.uint8) // 2
    return (common + own > np.linspace(90, 170, n_bits).astype(np.uint8)).astype(np.uint8)


def synthesizer(n_bits: int) -> cf.CovLossSynthesizer:
    """A seeded one, so that releases can be compared."""
    warnings.simplefilter("ignore", cf.NotPrivateWarning)
    return cf.CovLossSynthesizer(schema_of(n_bits), epsilon=1, delta=1e-9, random_state=1)


def compare(n: int, n_bits: int) -> None:
    """Print the time of fits to the same records, held in different ways."""
    table = np.concatenate([bits(i, min(BATCH, n - i * BATCH), n_bits) for i in range(-(-n // BATCH))])
    names = schema_of(n_bits).names
    batches = [
        pa.table({name: table[i : i + BATCH, j] for j, name in enumerate(names)}) for i in range(0, n, BATCH)
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.parquet"
        with pq.ParquetWriter(path, batches[0].schema) as writer:
            for batch in batches:
                writer.write_table(batch)
        start = time.perf_counter()
        for _ in range(3):
            for part in pq.ParquetFile(path).iter_batches(BATCH):
                assert part.num_columns == n_bits
        decoding = (time.perf_counter() - start) / 3
        sources: dict[str, Callable[[], Any]] = {
            "array": lambda: table,
            "Arrow batches": lambda: lambda: iter(batches),
            "Arrow batches, read again": lambda: Batches(lambda: iter(batches), keep=0),
            "Parquet": lambda: path,
            "Parquet, read again": lambda: Batches(path, keep=0),
            "Parquet, spilled": lambda: Batches(path, keep=0, spill=folder),
        }
        print(f"{n:,} records of {n_bits} bits; decoding the Parquet file takes {decoding:.2f} s")
        print("| records | seconds | of them statistics | times the array |\n|---|---|---|---|")
        expected, first = None, 0.0
        for name, source in sources.items():
            found = []
            for _ in range(3):
                start = time.perf_counter()
                synth = synthesizer(n_bits).fit(source())
                found.append((time.perf_counter() - start, synth.timings_["statistics"]))
            seconds, statistics = sorted(found)[1]
            rows = synth.sample(as_="numpy")
            expected, first = (rows, seconds) if expected is None else (expected, first)
            assert np.array_equal(rows, expected)
            print(f"| {name} | {seconds:.2f} | {statistics:.2f} | {seconds / first:.2f} |", flush=True)


def long(n: int, n_bits: int) -> None:
    """Fit generated records that are never held; print time and the peak memory of this process."""
    n_batches = -(-n // BATCH)

    def source() -> Iterator[NDArray[np.uint8]]:
        for number in range(n_batches):
            yield bits(number % 64, min(BATCH, n - number * BATCH), n_bits)

    start = time.perf_counter()
    synth = synthesizer(n_bits).fit(Batches(source, keep=0))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(
        f"{n:,} generated records of {n_bits} bits: {time.perf_counter() - start:.1f} s, peak memory "
        f"{peak / 1e6:,.0f} MB, {len(synth.ledger_.entries)} questions in the ledger"
    )


def workers(n: int, n_bits: int) -> None:
    """Print the time of what a fit asks, of one Dask worker and of two with one thread each."""
    import dask.array as da
    import distributed

    from covloss_fast.dask import DaskTable

    schema = schema_of(n_bits)
    generator = np.random.default_rng(0)
    partition = cf.partition.NearestPoint.from_real(
        generator.standard_normal((n_bits, 8)), np.zeros(8), generator.standard_normal((128, 8)), 31
    )
    seconds, answers = {}, {}
    for n_workers in (1, 2):
        with (
            distributed.LocalCluster(
                n_workers=n_workers, threads_per_worker=1, dashboard_address=None
            ) as cluster,
            distributed.Client(cluster),
        ):
            chunks = [min(BATCH * 4, n - first) for first in range(0, n, BATCH * 4)]
            parts = [
                da.from_delayed(distributed_bits(number, rows, n_bits), shape=(rows, n_bits), dtype=np.uint8)
                for number, rows in enumerate(chunks)
            ]
            records = DaskTable(da.concatenate(parts)).open(schema, 1)
            found = []
            for _ in range(3):
                start = time.perf_counter()
                answers[n_workers] = [records.ask(query, 1) for query in (PairCounts(), BlockSums(partition))]
                found.append(time.perf_counter() - start)
            seconds[n_workers] = sorted(found)[1]
    for one, two in zip(answers[1], answers[2]):
        assert np.array_equal(one, two)
    print(
        f"{n:,} records of {n_bits} bits on Dask: {seconds[1]:.2f} s with one worker, {seconds[2]:.2f} s "
        f"with two, {seconds[1] / seconds[2]:.2f} times as fast"
    )


def distributed_bits(number: int, n: int, n_bits: int) -> Any:
    """A delayed batch."""
    from dask.delayed import delayed

    return delayed(bits)(number, n, n_bits)


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--records", type=int, default=10_000_000)
    parser.add_argument("--bits", type=int, default=64)
    parser.add_argument("--long", type=int, default=100_000_000, help="generated records of 32 bits; 0: none")
    parser.add_argument("--workers", action="store_true", help="Dask, too")
    parser.add_argument("--only-long", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.only_long:
        long(arguments.long, 32)
        return
    if arguments.records:
        compare(arguments.records, arguments.bits)
    if arguments.long:  # in a process of its own, for its peak memory
        command = [sys.executable, __file__, "--only-long", "--long", str(arguments.long)]
        subprocess.run(command, check=True)
    if arguments.workers:
        workers(arguments.records, arguments.bits)


if __name__ == "__main__":
    main()
