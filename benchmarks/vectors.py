"""Accuracy of synthetic vectors: errors of moments of degree 1 to 3, beside what the blocks themselves lose.

    COVLOSS_DATA=... python benchmarks/vectors.py [--epsilon 1] [--delta 1e-9] [--seeds 5] TABLE ...

TABLE: "census" or "tarragona" (numeric tables in the folder that COVLOSS_DATA names, entry by entry scaled
into a box, or with "-ball" into the unit ball), or a generated one: "clusters-N" (twelve clusters in the unit
ball of 20 dimensions), "factors-N" (four factors in 30), "shares-N" (five parts of a whole), N records.

Everything is measured in units in which the set lies in the unit ball about its centre. "error d" is the l2
norm of E X^d - E Y^d; "loss" is the covariance loss of the records about the released means, "covariance"
what there was to lose, "one block" the error of degree 2 of the released mean alone. Seeds are used so that
figures can be repeated; the releases that they make are not private. Bounds of the real tables are taken from
the tables themselves, which a curator must not do.
"""

from __future__ import annotations

import argparse
import os
import time
import warnings
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import covloss_fast as cf
from covloss_fast.convex_sets import ConvexSet

Float64Array = NDArray[np.float64]


def table_of(name: str) -> tuple[Float64Array, ConvexSet]:
    """A table and the set that its records lie in."""
    kind, _, n_text = name.partition("-")
    rng = np.random.default_rng(1)
    if kind == "clusters":
        centres = rng.standard_normal((12, 20))
        centres *= 0.7 / np.linalg.norm(centres, axis=1)[:, None]
        rows = centres[rng.choice(12, int(n_text), p=rng.dirichlet(np.ones(12)))]
        rows = rows + 0.3 * rng.standard_normal(rows.shape) / np.sqrt(20)
    elif kind == "factors":
        rows = 0.06 * rng.standard_normal((int(n_text), 4)) @ rng.standard_normal((4, 30))
        rows = 0.1 + rows + 0.02 * rng.standard_normal(rows.shape)
    elif kind == "shares":
        return rng.dirichlet([3.0, 2.0, 1.0, 1.0, 0.5], int(n_text)), cf.Simplex(5)
    else:
        path = Path(os.environ["COVLOSS_DATA"]) / f"{kind}.csv.gz"
        rows = np.loadtxt(path, delimiter=",", skiprows=1)
        if n_text != "ball":
            return rows, cf.Box(rows.min(axis=0), rows.max(axis=0))
        rows = rows / np.abs(rows).max(axis=0) / np.sqrt(rows.shape[1])
    ball = cf.UnitBall(rows.shape[1])
    return ball.project(rows), ball


def moment(rows: Float64Array, degree: int, weights: Float64Array) -> Float64Array:
    """E X^degree."""
    operands = {1: "na->a", 2: "na,nb->ab", 3: "na,nb,nc->abc"}[degree]
    first = rows * weights[:, None]
    return np.asarray(np.einsum(operands, first, *[rows] * (degree - 1), optimize=True))


def main() -> None:
    """Print one line for each table: medians over the seeds."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tables", nargs="+")
    parser.add_argument("--epsilon", type=float, default=1.0)
    parser.add_argument("--delta", type=float, default=1e-9)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--neighbours", default="add_or_remove_one")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", cf.NotPrivateWarning)
    print("table            blocks  error 1  error 2  error 3     loss  covariance  one block  fit s")
    for name in arguments.tables:
        table, convex_set = table_of(name)
        scale = convex_set.unit * np.sqrt(convex_set.bounds(1).l2_squared)
        units = (table - convex_set.centre) / scale
        equal = np.full(len(units), 1 / len(units))
        true = [moment(units, degree, equal) for degree in (1, 2, 3)]
        figures = []
        for seed in range(arguments.seeds):
            line: list[float] = []
            for n_blocks in (None, 1):
                start = time.perf_counter()
                synth = cf.VectorSynthesizer(
                    convex_set,
                    epsilon=arguments.epsilon,
                    delta=arguments.delta,
                    neighbours=arguments.neighbours,
                    n_blocks=n_blocks,
                    random_state=seed,
                ).fit(table)
                seconds = time.perf_counter() - start
                means = (synth.means_ - convex_set.centre) / scale
                errors = [
                    float(np.linalg.norm(true[degree - 1] - moment(means, degree, synth.weights_)))
                    for degree in (1, 2, 3)
                ]
                if n_blocks == 1:
                    line.insert(6, errors[1])
                    continue
                labels = np.empty(len(units), dtype=np.int64)
                for first in range(0, len(units), 4_096):
                    part = slice(first, first + 4_096)
                    labels[part] = (0.5 * (means**2).sum(axis=1) - units[part] @ means.T).argmin(axis=1)
                loss = cf.covariance_loss(units, labels).frobenius
                covariance = float(np.linalg.norm(np.cov(units.T, bias=True)))
                line = [len(means), *errors, loss, covariance, seconds]
            figures.append(line)
        k, *errors, loss, covariance, mean_alone, seconds = np.median(figures, axis=0)
        shown = "  ".join(f"{error:7.4f}" for error in (*errors, loss))
        print(
            f"{name:16} {k:6.0f}  {shown}  {covariance:10.4f}  {mean_alone:9.4f}  {seconds:5.2f}", flush=True
        )


if __name__ == "__main__":
    main()
