"""How near the predicted error of 2-way marginals is to the measured one, on generated tables.

python benchmarks/predicted_error.py [--picture docs/predicted_error.png]
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np
from generated import TABLES, TABLES_OF_LEVELS

import covloss_fast as cf

EPSILONS = (0.1, 0.3, 1.0, 3.0, 10.0)


def measure() -> dict[str, list[tuple[float, float, float]]]:
    """For each table (epsilon, predicted, measured), medians of three seeds."""
    binary = {
        name: ([2] * table.shape[1], table) for name, table in ((k, make()) for k, make in TABLES.items())
    }
    others = {name: (sizes, make(sizes)) for name, (sizes, make) in TABLES_OF_LEVELS.items()}
    found: dict[str, list[tuple[float, float, float]]] = {}
    for name, (sizes, table) in {**binary, **others}.items():
        schema = cf.Schema.from_domain({f"a{j}": size for j, size in enumerate(sizes)})
        for epsilon in EPSILONS:
            predicted, error = np.median(
                [fit(schema, table, epsilon, seed, is_binary=name in TABLES) for seed in range(3)], axis=0
            )
            found.setdefault(name, []).append((epsilon, predicted, error))
            ratio = error / predicted
            print(
                f"{name:28} epsilon {epsilon:4}  predicted {predicted:.5f}  measured {error:.5f}  "
                f"{ratio:.2f}",
                flush=True,
            )
    return found


def fit(
    schema: cf.Schema, table: np.ndarray, epsilon: float, seed: int, *, is_binary: bool
) -> tuple[float, float]:
    """Predicted and measured error of a fit: RMS of a table of bits, mean total variation of another."""
    synth = cf.CovLossSynthesizer(schema, epsilon=epsilon, delta=1e-9, random_state=seed).fit(table)
    made = synth.sample()
    if is_binary:
        return synth.parameters_["predicted_rms"], cf.marginal_error(table, made, 2, schema).rms
    return synth.parameters_["predicted_tv"], cf.attribute_tv(table, made, 2, schema)


def draw(found: dict[str, list[tuple[float, float, float]]], path: str) -> None:
    """Measured against predicted, on logarithmic axes."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(1, 2, figsize=(10, 5), layout="constrained")
    titles = ("binary attributes: RMS error", "other attributes: total variation")
    for axes, is_binary, title in zip(panels, (True, False), titles):
        shown = {name: points for name, points in found.items() if (name in TABLES) == is_binary}
        for number, (name, points) in enumerate(shown.items()):
            _, predicted, error = np.array(points).T
            axes.loglog(predicted, error, "os^vD"[number % 5], ms=5, alpha=0.8, label=name)
        every = np.array([points for each in shown.values() for points in each])[:, 1:]
        ends = np.array([every.min() / 1.5, every.max() * 1.5])
        axes.loglog(ends, ends, "k-", lw=0.8)
        axes.loglog(ends, 2 * ends, "k:", ends, ends / 2, "k:", lw=0.8)
        axes.set(xlabel="predicted error of 2-way marginals", ylabel="measured", title=title)
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
