"""Where a partition that costs no budget serves better than one that the budget pays for.

    python benchmarks/partitions.py [--seeds 3]
    python benchmarks/partitions.py --default-method

The first prints, for `method="paper"`, each generated table and epsilon, the number of blocks k =
sqrt(epsilon n / p) and the root mean square error of 2-way marginals with each partition, the median over the
seeds; then the geometric mean over the cases in which k is below 64, and over the others: there
`partition=None` pins.

The second asks whether the default method should pin at small budgets. It compares errors of targets: those
of independent columns, those of the plan that is used, and those that one pinned column gives with half of
the budget (its covariance with every other column, completed to rank one; noise as for a release of the sums
of its two blocks).
"""

from __future__ import annotations

import argparse
import math
import warnings
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from generated import TABLES

import covloss_fast as cf
from covloss_fast.privacy.accounting import rho_from_epsilon_delta
from covloss_fast.released.denoising import denoise_covariance, pair_fractions, shrink_towards_common_mean
from covloss_fast.released.planning import NoiseLevels, plan_binary, plan_paper

PARTITIONS = ("covering", "pinning", "signs")
EPSILONS = (0.1, 0.3, 1.0, 3.0, 10.0)
SMALL_EPSILONS = (0.02, 0.05, 0.1, 0.2)
MOST_ROWS = 100_000


def error_of_paper(schema: cf.Schema, table: np.ndarray, epsilon: float, partition: str, seeds: int) -> float:
    """Root mean square error of the 2-way marginals of a release, the median over seeds."""
    errors = []
    for seed in range(seeds):
        synth = cf.CovLossSynthesizer(
            schema,
            epsilon=epsilon,
            delta=0,
            method="paper",
            partition=partition,
            certificate=False,
            random_state=seed,
        ).fit(table)
        made = synth.sample(min(len(table), MOST_ROWS), random_state=seed)
        errors.append(cf.marginal_error(table, made, 2, schema).rms)
    return float(np.median(errors))


def compare_in_paper(seeds: int) -> None:
    """Print the errors of the paper's method with each partition."""
    logarithms: dict[bool, list[list[float]]] = {False: [], True: []}
    for name, make in TABLES.items():
        table = make()
        schema = cf.Schema.from_domain({f"b{j}": 2 for j in range(table.shape[1])})
        for epsilon in EPSILONS:
            k = plan_paper(schema.layout, epsilon, len(table)).n_blocks
            errors = [error_of_paper(schema, table, epsilon, each, seeds) for each in PARTITIONS]
            logarithms[k >= 64].append([math.log(each) for each in errors])
            shown = "  ".join(f"{each} {value:.4f}" for each, value in zip(PARTITIONS, errors))
            print(f"{name:22} epsilon {epsilon:4}  k {k:4}  {shown}", flush=True)
    for many, found in logarithms.items():
        means = np.exp(np.mean(found, axis=0))
        shown = "  ".join(f"{each} {value:.4f}" for each, value in zip(PARTITIONS, means))
        print(f"geometric mean over {len(found)} cases, k {'from' if many else 'below'} 64:  {shown}")


def errors_of_targets(
    table: np.ndarray, epsilon: float, generator: np.random.Generator
) -> tuple[float, float, float]:
    """Errors of the 2-way marginals of targets: independent, planned, one column pinned."""
    n, p = table.shape
    signs = 2.0 * table - 1.0
    true_means, products = signs.mean(axis=0), signs.T @ signs / n
    upper = np.triu_indices(p, 1)
    exact = pair_fractions(products - np.outer(true_means, true_means), true_means)[upper]
    unit = 1.0 / math.sqrt(2.0 * float(rho_from_epsilon_delta(Fraction(epsilon), Fraction(1, 10**9))))
    noise = NoiseLevels(
        {
            "means": unit * math.sqrt(p),
            "all_pairs": unit * math.sqrt(p * (p - 1) / 2),
            "blocks": unit * math.sqrt(p + 1),
        },
        False,
    )
    white = generator.standard_normal(p)

    def means_at(share: float) -> np.ndarray:
        sd = noise.at("means", share) / n
        return np.clip(shrink_towards_common_mean(true_means + sd * white, sd), -1.0, 1.0)

    def error(means: np.ndarray, covariance: np.ndarray) -> float:
        return float(np.sqrt(np.mean((pair_fractions(covariance, means)[upper] - exact) ** 2)))

    reserved = Fraction(8, 100)
    rest = float(1 - reserved)
    means = means_at(rest)
    independent = error(means, np.diag(1.0 - means**2))

    plan = plan_binary(p, noise, n, reserved={"count and certificate": reserved})
    means, sd = (
        means_at(float(plan.shares["one_way"])),
        noise.at("all_pairs", float(plan.shares["pairs"])) / n,
    )
    noisy = products + np.triu(sd * generator.standard_normal((p, p)), 1)
    noisy = np.triu(noisy, 1) + np.triu(noisy, 1).T
    planned = error(means, denoise_covariance(noisy - np.outer(means, means), sd, means, is_laplace=False)[0])

    means, sd = means_at(rest / 2), noise.at("means", rest / 2) / n
    column = int(generator.integers(p))
    row = products[column] + sd * generator.standard_normal(p) - means[column] * means
    others = np.delete(row, column)
    row *= max(0.0, 1.0 - sd**2 * len(others) / max(float(others @ others), 1e-12))
    covariance = np.outer(row, row) / max(1.0 - means[column] ** 2, 1e-9)
    covariance[column] = covariance[:, column] = row
    np.fill_diagonal(covariance, 1.0 - means**2)
    return independent, planned, error(means, covariance)


def compare_in_default(draws: int) -> None:
    """Print the errors of targets at small budgets, as parts of that of independent columns."""
    generator = np.random.default_rng(0)
    best: dict[str, int] = {"independent": 0, "planned": 0, "pinned": 0}
    for name, make in TABLES.items():
        table = make()
        for epsilon in SMALL_EPSILONS:
            found = np.median([errors_of_targets(table, epsilon, generator) for _ in range(draws)], axis=0)
            best[list(best)[int(np.argmin(found))]] += 1
            shown = "  ".join(f"{each} {value / found[0]:.3f}" for each, value in zip(best, found))
            print(f"{name:22} epsilon {epsilon:4}  {shown}", flush=True)
    print("best:", ", ".join(f"{each} {count}" for each, count in best.items()))


def main() -> None:
    """Print one of the comparisons."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--default-method", action="store_true")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", cf.NotPrivateWarning)
    compare: Callable[[int], None] = compare_in_default if arguments.default_method else compare_in_paper
    compare(20 if arguments.default_method else arguments.seeds)


if __name__ == "__main__":
    main()
