"""Weights on attributes and pairs: what they do to the error of what they name, and of all else.

    python benchmarks/workload.py [--epsilon 1] [--seeds 6] [--attribute education] [--pair A B]

Releases of the bundled Adult table, without weights, with weight 20 on one attribute, and with weight 100 on
one pair. Errors are total variation distances of the synthetic table's marginals from the true ones, means
over seeds; "others" are all attributes and pairs that are not named, "with it" the pairs that hold the
attribute. Seeds are used so that the figures can be repeated; the releases are not private.
"""

from __future__ import annotations

import argparse
import warnings
from itertools import combinations
from typing import Any

import numpy as np
from classifier import read

import covloss_fast as cf
from covloss_fast.records.encoding import encode


def error(true: Any, made: Any, sizes: tuple[int, ...], chosen: tuple[int, ...]) -> float:
    """Total variation distance of a marginal, both tables encoded."""
    shape = tuple(sizes[a] for a in chosen)
    shares = []
    for table in (true, made):
        codes = tuple(table.column_codes(a).astype(np.int64) for a in chosen)
        cells = np.bincount(np.ravel_multi_index(codes, shape), minlength=int(np.prod(shape)))
        shares.append(cells / table.n_records)
    return float(np.abs(shares[0] - shares[1]).sum() / 2)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--epsilon", type=float, default=1.0)
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--attribute", default="education")
    parser.add_argument("--pair", nargs=2, default=["income", "hours_per_week"])
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", cf.NotPrivateWarning)
    frame, schema = read()
    true, sizes = encode(frame, schema), schema.sizes
    (a,) = schema.positions([arguments.attribute])
    pair = tuple(sorted(schema.positions(arguments.pair)))
    pairs = list(combinations(range(len(schema)), 2))
    workloads: list[Any] = [None, {arguments.attribute: 20}, {tuple(arguments.pair): 100}]
    of_pair = " x ".join(arguments.pair)
    print(f"| weights | {arguments.attribute} | pairs with it | {of_pair} | other 1-way | other pairs |")
    print("|---" * 6 + "|")
    for workload in workloads:
        rows = []
        for seed in range(arguments.seeds):
            synth = cf.CovLossSynthesizer(
                schema, epsilon=arguments.epsilon, delta=1e-9, workload=workload, random_state=seed
            )
            made = encode(synth.fit(frame).sample(), schema)
            one = [error(true, made, sizes, (b,)) for b in range(len(schema))]
            of_pairs = {each: error(true, made, sizes, each) for each in pairs}
            rows.append(
                (
                    one[a],
                    np.mean([value for each, value in of_pairs.items() if a in each]),
                    of_pairs[pair],
                    np.mean([value for b, value in enumerate(one) if b != a]),
                    np.mean([value for each, value in of_pairs.items() if a not in each and each != pair]),
                )
            )
        print(
            f"| {workload or 'none'} | "
            + " | ".join(f"{value:.4f}" for value in np.mean(rows, axis=0))
            + " |"
        )


if __name__ == "__main__":
    main()
