"""How near the predicted error of 2-way marginals is to the measured one, on generated tables.

python benchmarks/predicted_error.py [--picture docs/predicted_error.png]
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np
from generated import TABLES

import covloss_fast as cf

EPSILONS = (0.1, 0.3, 1.0, 3.0, 10.0)


def measure() -> dict[str, list[tuple[float, float, float]]]:
    """For each table (epsilon, predicted, measured), medians of three seeds."""
    found: dict[str, list[tuple[float, float, float]]] = {}
    for name, make in TABLES.items():
        table = make()
        schema = cf.Schema.from_domain({f"b{j}": 2 for j in range(table.shape[1])})
        for epsilon in EPSILONS:
            pairs = []
            for seed in range(3):
                synth = cf.CovLossSynthesizer(schema, epsilon=epsilon, delta=1e-9, random_state=seed)
                made = synth.fit(table).sample()
                error = cf.marginal_error(table, made, 2, schema).rms
                pairs.append((synth.parameters_["predicted_rms"], error))
            predicted, error = np.median(pairs, axis=0)
            found.setdefault(name, []).append((epsilon, predicted, error))
            ratio = error / predicted
            print(
                f"{name:22} epsilon {epsilon:4}  predicted {predicted:.5f}  measured {error:.5f}  {ratio:.2f}"
            )
    return found


def draw(found: dict[str, list[tuple[float, float, float]]], path: str) -> None:
    """Measured against predicted, on logarithmic axes."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 5), layout="constrained")
    for number, (name, points) in enumerate(found.items()):
        _, predicted, error = np.array(points).T
        axes.loglog(predicted, error, "os^vD"[number % 5], ms=5, alpha=0.8, label=name)
    ends = np.array([2e-5, 5e-2])
    axes.loglog(ends, ends, "k-", lw=0.8)
    axes.loglog(ends, 2 * ends, "k:", ends, ends / 2, "k:", lw=0.8)
    axes.set(xlabel="predicted RMS error of 2-way marginals", ylabel="measured")
    axes.legend(fontsize=7, frameon=False)
    figure.savefig(path, dpi=110)


def main() -> None:
    """Print the table, draw the picture."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--picture")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", cf.NotPrivateWarning)
    found = measure()
    if arguments.picture:
        draw(found, arguments.picture)


if __name__ == "__main__":
    main()
