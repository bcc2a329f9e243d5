"""Accuracy on real tables: RMS and total variation errors over several seeds.

    COVLOSS_DATA=... python benchmarks/accuracy.py [options] TABLE ...

TABLE: names of coded tables in the folder that COVLOSS_DATA names (NAME.csv.gz and NAME-domain.json), or
"mixture", a generated table of 1,000,000 records of 64 bits. Seeds are used so that the figures can be
repeated; the releases that they make are not private.

--peer adds a line for each of: "independent" columns at the same budget; "resampled" records of the table
itself, which is what sampling error alone does; "mst" and "aim" of smartnoise-synth, where that is installed.
"""

from __future__ import annotations

import argparse
import os
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import covloss_fast as cf

Peer = Callable[[np.ndarray, cf.Schema, argparse.Namespace, int], Any]


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


def read(name: str) -> tuple[np.ndarray, cf.Schema]:
    """A table and its schema."""
    if name == "mixture":
        table = mixture()
        return table, cf.Schema.from_domain({f"b{j}": 2 for j in range(table.shape[1])})
    folder = Path(os.environ["COVLOSS_DATA"])
    schema = cf.Schema.load(folder / f"{name}-domain.json")
    return np.loadtxt(folder / f"{name}.csv.gz", delimiter=",", skiprows=1, dtype=np.int64), schema


def ours(table: np.ndarray, schema: cf.Schema, arguments: argparse.Namespace, seed: int, **more: Any) -> Any:
    """Our release's canonical table."""
    synth = cf.CovLossSynthesizer(
        schema,
        epsilon=arguments.epsilon,
        delta=arguments.delta,
        method=arguments.method,
        neighbours=arguments.neighbours,
        random_state=seed,
        **more,
    )
    return synth.fit(table).sample()


def independent(table: np.ndarray, schema: cf.Schema, arguments: argparse.Namespace, seed: int) -> Any:
    """Everything to the 1-way marginals."""
    parts = ("pairs", "blocks") if schema.layout.is_binary.all() else ("scores", "pairs")
    return ours(table, schema, arguments, seed, shares={"one_way": 1.0, **dict.fromkeys(parts, 0.0)})


def resampled(table: np.ndarray, schema: cf.Schema, arguments: argparse.Namespace, seed: int) -> Any:
    """As many records of the table, drawn with replacement."""
    return table[np.random.default_rng(seed).integers(0, len(table), len(table))]


def smartnoise(name: str) -> Peer:
    """A synthesizer of smartnoise-synth, with its own defaults."""

    def fit(table: np.ndarray, schema: cf.Schema, arguments: argparse.Namespace, seed: int) -> Any:
        import pandas as pd
        from snsynth import Synthesizer

        frame = pd.DataFrame(table, columns=list(schema.names))
        peer = Synthesizer.create(name, epsilon=arguments.epsilon, delta=arguments.delta)
        peer.fit(frame, categorical_columns=list(frame.columns), preprocessor_eps=0.0)
        return peer.sample(len(table)).astype(np.int64).to_numpy()

    return fit


PEERS: dict[str, Peer] = {
    "independent": independent,
    "resampled": resampled,
    "mst": smartnoise("mst"),
    "aim": smartnoise("aim"),
}


def main() -> None:
    """Print one line for each table and peer: medians over the seeds."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tables", nargs="+")
    parser.add_argument("--epsilon", type=float, default=1.0)
    parser.add_argument("--delta", type=float, default=1e-9)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--method", default="restored")
    parser.add_argument("--neighbours", default="add_or_remove_one")
    parser.add_argument("--peer", action="append", choices=PEERS, default=[])
    parser.add_argument("--shuffled", action="store_true", help="shuffle each column of the table")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", cf.NotPrivateWarning)
    print("table        by             RMS1    RMS2    RMS3      TV1    TV2    TV3   spread of RMS2    s")
    for name in arguments.tables:
        table, schema = read(name)
        if arguments.shuffled:
            generator = np.random.default_rng(1)
            table = np.stack([generator.permutation(column) for column in table.T], axis=1)
        for peer, make in {"covloss_fast": ours, **{peer: PEERS[peer] for peer in arguments.peer}}.items():
            figures = []
            for seed in range(arguments.seeds):
                start = time.perf_counter()
                made = make(table, schema, arguments, seed)
                seconds = time.perf_counter() - start
                figures.append(
                    [cf.marginal_error(table, made, d, schema).rms for d in (1, 2, 3)]
                    + [cf.attribute_tv(table, made, d, schema) for d in (1, 2, 3)]
                    + [seconds]
                )
            middle, spread = np.median(figures, axis=0), np.std(figures, axis=0)[1]
            numbers = "  ".join(f"{value:.5f}" for value in middle[:6])
            print(f"{name:12} {peer:12}  {numbers}  {spread:.5f}  {middle[6]:.2f}", flush=True)


if __name__ == "__main__":
    main()
