"""Accuracy on real tables, beside that of peers: errors of marginals, time and memory over several seeds.

    COVLOSS_DATA=... python benchmarks/accuracy.py [options] TABLE ...

TABLE: names of coded tables in the folder that COVLOSS_DATA names (NAME.csv.gz and NAME-domain.json), or
"mixture", a generated table of 1,000,000 records of 64 bits. Seeds are used so that the figures can be
repeated; the releases that they make are not private.

--peer adds a line for each of: "independent" columns at the same budget; "resampled" records of the table
itself, which is what sampling error alone does; "mst" and "aim" of smartnoise-synth with its own defaults,
which one line brings into the same environment (Python 3.10 to 3.14; 6 GB, most of it an unused torch):

    pip install . pandas smartnoise-synth

The noise of smartnoise-synth cannot be seeded: a seed is no more than the number of a run there. Rows come
from its model by a rounding that, in mbi 1.1.0, takes the rows in the same order for all attributes, so that
those with a common neighbour depend on one another far more than in the model ("as installed"). "mst-iid" and
"aim-iid" draw the rows independently, which mbi offers too.

Every run has a process of its own on --processors; what is timed is making the release and a table of as many
records, without imports and reading. A run that needs more than --limit seconds of processor time is ended,
and counts as not finished. --records keeps one JSON record of each run, one a line, in a file; runs that it
already holds are not repeated. benchmarks/error_against_time.py makes tables and a picture of them.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import re
import resource
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

import covloss_fast as cf


@dataclass(frozen=True)
class Run:
    """What is run; equal runs are not repeated. A resampled table has no epsilon."""

    table: str
    mechanism: str
    epsilon: float | None
    delta: float
    seed: int
    neighbours: str
    method: str
    shuffled: bool


Peer = Callable[[np.ndarray, cf.Schema, Run], Any]


def mixture(n: int = 1_000_000, p: int = 64, k: int = 20, seed: int = 20240501) -> np.ndarray:
    """Records of a mixture of k Bernoulli products."""
    generator = np.random.default_rng(seed)
    weights = generator.dirichlet(np.ones(k))
    profile = generator.beta(0.5, 1.0, size=(k, p))
    component = generator.choice(k, size=n, p=weights)
    table = np.empty((n, p), np.uint8)
    for start in range(0, n, 50_000):
        part = slice(start, min(n, start + 50_000))
        table[part] = generator.random((part.stop - part.start, p)) < profile[component[part]]
    return table


def read(name: str, is_shuffled: bool = False) -> tuple[np.ndarray, cf.Schema]:
    """A table and its schema; shuffled, its columns are independent."""
    if name == "mixture":
        table = mixture()
        schema = cf.Schema.from_domain({f"b{j}": 2 for j in range(table.shape[1])})
    else:
        folder = Path(os.environ["COVLOSS_DATA"])
        schema = cf.Schema.load(folder / f"{name}-domain.json")
        table = np.loadtxt(folder / f"{name}.csv.gz", delimiter=",", skiprows=1, dtype=np.int64)
    if is_shuffled:
        generator = np.random.default_rng(1)
        table = np.stack([generator.permutation(column) for column in table.T], axis=1)
    return table, schema


def ours(table: np.ndarray, schema: cf.Schema, run: Run, **more: Any) -> Any:
    """Our release's canonical table."""
    synth = cf.CovLossSynthesizer(
        schema,
        epsilon=run.epsilon,
        delta=run.delta,
        method=run.method,
        neighbours=run.neighbours,
        random_state=run.seed,
        **more,
    )
    return synth.fit(table).sample()


def independent(table: np.ndarray, schema: cf.Schema, run: Run) -> Any:
    """Everything to the 1-way marginals."""
    parts = ("pairs", "blocks") if schema.layout.is_binary.all() else ("scores", "pairs")
    return ours(table, schema, run, shares={"one_way": 1.0, **dict.fromkeys(parts, 0.0)})


def resampled(table: np.ndarray, schema: cf.Schema, run: Run) -> Any:
    """As many records of the table, drawn with replacement."""
    return table[np.random.default_rng(run.seed).integers(0, len(table), len(table))]


def fit_smartnoise(name: str, codes: np.ndarray, epsilon: float | None, delta: float) -> np.ndarray:
    """As many rows of codes by a synthesizer of smartnoise-synth, with its own defaults.

    With "-iid" after its name, rows are drawn independently from its model.
    """
    import pandas as pd
    from snsynth import Synthesizer

    frame = pd.DataFrame(codes, columns=[f"a{j}" for j in range(codes.shape[1])])
    mechanism, _, sampling = name.partition("-")
    peer = Synthesizer.create(mechanism, epsilon=epsilon, delta=delta, verbose=True)
    peer.fit(frame, categorical_columns=list(frame.columns), preprocessor_eps=0.0)
    if sampling == "iid":
        draw = partial(peer.synthesizer.synthetic_data, method="sample")
        peer.synthesizer = SimpleNamespace(synthetic_data=draw)
    return peer.sample(len(codes)).astype(np.int64).to_numpy()


def smartnoise(table: np.ndarray, schema: cf.Schema, run: Run) -> Any:
    """A peer, which says on the way what it has spent."""
    return fit_smartnoise(run.mechanism, table, run.epsilon, run.delta)


MECHANISMS: dict[str, Peer] = {
    "covloss_fast": ours,
    "independent": independent,
    "resampled": resampled,
    "mst": smartnoise,
    "mst-iid": smartnoise,
    "aim": smartnoise,
    "aim-iid": smartnoise,
}
SMARTNOISE = tuple(name for name, make in MECHANISMS.items() if make is smartnoise)


def version_of(mechanism: str) -> str:
    """What was run."""
    if mechanism in SMARTNOISE:
        return f"smartnoise-synth {version('smartnoise-synth')}, mbi {version('mbi')}"
    return f"covloss_fast {cf.__version__}"


def limit_processor_time(seconds: float) -> None:
    """End this process when it has used so many more seconds of processor time; infinity lifts the limit."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    used = time.process_time()
    resource.setrlimit(
        resource.RLIMIT_CPU, (hard if math.isinf(seconds) else math.ceil(used + seconds), hard)
    )


def measure(run: Run, limit: float, log: str, sender: Any) -> None:
    """Make one release in this process; send what was measured. What the mechanism prints goes to the log."""
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    table, schema = read(run.table, run.shuffled)
    if run.mechanism in SMARTNOISE:
        import_module("snsynth." + run.mechanism.partition("-")[0])
    with open(log, "w", buffering=1) as sys.stdout:
        limit_processor_time(limit)
        processor, wall = time.process_time(), time.perf_counter()
        made = MECHANISMS[run.mechanism](table, schema, run)
        processor, wall = time.process_time() - processor, time.perf_counter() - wall
        limit_processor_time(math.inf)
    sys.stdout = sys.__stdout__
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    errors = {f"rms{d}": cf.marginal_error(table, made, d, schema).rms for d in (1, 2, 3)}
    errors |= {f"tv{d}": cf.attribute_tv(table, made, d, schema) for d in (1, 2, 3)}
    n_records, n_attributes = table.shape
    sender.send(
        {
            **asdict(run),
            "version": version_of(run.mechanism),
            "n_records": n_records,
            "n_attributes": n_attributes,
            "is_finished": True,
            "processor_seconds": round(processor, 3),
            "wall_seconds": round(wall, 3),
            "peak_mb": round(peak),
            **errors,
        }
    )


def record_of(run: Run, limit: float) -> dict[str, Any]:
    """Measure in a process of its own."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    with tempfile.TemporaryDirectory() as folder:
        log = f"{folder}/log"
        process = context.Process(target=measure, args=(run, limit, log, sender))
        process.start()
        sender.close()
        try:
            record: dict[str, Any] = receiver.recv()
        except EOFError:
            process.join()
            if process.exitcode != -signal.SIGXCPU:
                raise SystemExit(f"{run} ended with exit status {process.exitcode}.") from None
            spent = re.findall(r"Budget Used ([0-9.]+)", Path(log).read_text())
            return {
                **asdict(run),
                "version": version_of(run.mechanism),
                "is_finished": False,
                "processor_seconds": limit,
                "budget_used": float(spent[-1]) if spent else None,
            }
        process.join()
        return record


def runs_of(arguments: argparse.Namespace) -> Iterator[list[Run]]:
    """The runs of each line: seeds of one mechanism at one epsilon."""
    for table in arguments.tables:
        for mechanism in ("covloss_fast", *arguments.peer):
            for epsilon in [None] if mechanism == "resampled" else arguments.epsilon or [1.0]:
                yield [
                    Run(
                        table,
                        mechanism,
                        epsilon,
                        arguments.delta,
                        seed,
                        arguments.neighbours,
                        arguments.method,
                        arguments.shuffled,
                    )
                    for seed in range(arguments.seeds)
                ]


def main() -> None:
    """Print one line for each table, mechanism and epsilon: medians over the seeds."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tables", nargs="+")
    parser.add_argument("--epsilon", type=float, action="append", help="1 if not given; may be repeated")
    parser.add_argument("--delta", type=float, default=1e-9)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--method", default="restored")
    parser.add_argument("--neighbours", default="add_or_remove_one")
    parser.add_argument("--peer", action="append", choices=list(MECHANISMS)[1:], default=[])
    parser.add_argument("--shuffled", action="store_true", help="shuffle each column of the table")
    parser.add_argument("--limit", type=float, default=3600.0, help="seconds of processor time for a run")
    parser.add_argument("--processors", type=int, default=1)
    parser.add_argument("--records", type=Path, help="file to keep JSON records in")
    arguments = parser.parse_args()
    if set(arguments.peer) & set(SMARTNOISE) and find_spec("snsynth") is None:
        parser.error("this peer needs smartnoise-synth: pip install smartnoise-synth")
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: arguments.processors])
    known: dict[Run, dict[str, Any]] = {}
    if arguments.records and arguments.records.exists():
        for line in arguments.records.read_text().splitlines():
            record = json.loads(line)
            known[Run(**{name: record[name] for name in Run.__dataclass_fields__})] = record
    print(
        "table        by            epsilon    RMS1    RMS2    RMS3      TV1    TV2    TV3   spread of RMS2"
        "   CPU s   MB"
    )
    for runs in runs_of(arguments):
        records = []
        for run in runs:
            if run not in known:
                known[run] = record_of(run, arguments.limit)
                if arguments.records:
                    with arguments.records.open("a") as file:
                        file.write(json.dumps(known[run]) + "\n")
            records.append(known[run])
            if not records[-1]["is_finished"]:
                break  # the other seeds would take as long
        title = f"{run.table:12} {run.mechanism:12}  {'' if run.epsilon is None else run.epsilon:>6}"
        if not records[-1]["is_finished"]:
            spent = records[-1]["budget_used"]
            progress = "" if spent is None else f", with {spent:.0%} of the budget spent"
            print(
                f"{title}  not finished after {records[-1]['processor_seconds']:.0f} s{progress}", flush=True
            )
            continue
        names = ("rms1", "rms2", "rms3", "tv1", "tv2", "tv3", "processor_seconds", "peak_mb")
        figures = np.array([[record[name] for name in names] for record in records])
        middle, spread = np.median(figures, axis=0), np.std(figures, axis=0)[1]
        numbers = "  ".join(f"{value:.5f}" for value in middle[:6])
        print(f"{title}  {numbers}  {spread:.5f}  {middle[6]:.2f}  {middle[7]:.0f}", flush=True)


if __name__ == "__main__":
    main()
