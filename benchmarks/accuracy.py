"""Accuracy on real tables: RMS and total variation errors over several seeds.

    COVLOSS_DATA=... python benchmarks/accuracy.py [--epsilon 1] [--seeds 5] [--method restored] TABLE ...

TABLE: names of coded tables in the folder that COVLOSS_DATA names (NAME.csv.gz and NAME-domain.json), or
"mixture", a generated table of 1,000,000 records of 64 bits. Seeds are used so that the figures can be
repeated; the releases that they make are not private.
"""

from __future__ import annotations

import argparse
import os
import time
import warnings
from pathlib import Path

import numpy as np

import covloss_fast as cf


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


def main() -> None:
    """Print one line for each table: medians over the seeds."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tables", nargs="+")
    parser.add_argument("--epsilon", type=float, default=1.0)
    parser.add_argument("--delta", type=float, default=1e-9)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--method", default="restored")
    parser.add_argument("--neighbours", default="add_or_remove_one")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", cf.NotPrivateWarning)
    print("table            blocks   RMS1    RMS2    RMS3    TV2    TV3    fit s")
    for name in arguments.tables:
        if name == "mixture":
            table = mixture()
            schema = cf.Schema.from_domain({f"b{j}": 2 for j in range(table.shape[1])})
        else:
            folder = Path(os.environ["COVLOSS_DATA"])
            schema = cf.Schema.load(folder / f"{name}-domain.json")
            table = np.loadtxt(folder / f"{name}.csv.gz", delimiter=",", skiprows=1, dtype=np.int64)
        figures = []
        for seed in range(arguments.seeds):
            start = time.perf_counter()
            synth = cf.CovLossSynthesizer(
                schema,
                epsilon=arguments.epsilon,
                delta=arguments.delta,
                method=arguments.method,
                neighbours=arguments.neighbours,
                random_state=seed,
            ).fit(table)
            seconds = time.perf_counter() - start
            made = synth.sample()
            figures.append(
                [cf.marginal_error(table, made, d, schema).rms for d in (1, 2, 3)]
                + [cf.attribute_tv(table, made, d, schema) for d in (2, 3)]
                + [seconds]
            )
        middle = np.median(figures, axis=0)
        numbers = "  ".join(f"{value:.5f}" for value in middle[:5])
        print(f"{name:16} {synth.parameters_['n_blocks']:6}  {numbers}  {middle[5]:.2f}", flush=True)


if __name__ == "__main__":
    main()
