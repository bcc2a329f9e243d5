"""Audit every mechanism, and the whole pipeline, on worst-case neighbours; print a table.

    python benchmarks/audit.py [--trials 1000000] [--fits 2000]

For each row the lower bound on epsilon must not exceed the claim, and the negative control must: half the
noise for a mechanism, a fit that spends 32 times the claim for the pipeline. So the audit would have noticed.
The exit status is 1 if either fails. Bounds hold with confidence 99.9 % each (Clopper-Pearson). The statistic
of a mechanism is its log-likelihood ratio, the best there is. Of a fit it is the mean of the released model
and the released count, which sees a part of what was released: a small bound there says less.
"""

from __future__ import annotations

import argparse
import sys
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

import covloss_fast as cf
from covloss_fast.privacy import mechanisms
from covloss_fast.privacy.accounting import Budget
from covloss_fast.privacy.ledger import Neighbours, PrivacyLedger
from covloss_fast.privacy.mechanisms import Door, Mechanism, NoiseKey, Sensitivity
from covloss_fast.reference import queries
from covloss_fast.reference.audit import Audit, audit, log_likelihood_ratio

RELATIONS: tuple[Neighbours, ...] = ("add_or_remove_one", "replace_one")
EPSILON = 1
FIT_EPSILON = 2
FIT_CONTROL = 64


def claim_of(query: str, neighbours: Neighbours) -> Sensitivity:
    """What the library says of a query on three binary attributes."""
    return {
        "record count": lambda: mechanisms.record_count(neighbours),
        "one-way": lambda: mechanisms.one_way(3, 0, neighbours),
        "all pairs": lambda: mechanisms.all_pairs(3, 0, neighbours),
        "blocks": lambda: mechanisms.block_statistics(3, 0, neighbours),
        "pair table": lambda: mechanisms.pair_table(neighbours),
        "damped means": lambda: mechanisms.damped_means(3, 6, 3, neighbours),
    }[query]()


def mechanism_of(query: str, claim: Sensitivity, neighbours: Neighbours, delta: float) -> Mechanism:
    """A mechanism that spends the whole budget, with a fresh key."""
    ledger, budget, key = PrivacyLedger(neighbours), Budget(EPSILON, delta), NoiseKey.fresh()
    ledger.begin_fit(budget, schema_hash="", seeded=False)
    return Door(budget, neighbours, ledger, key).declare(query, claim, 1)


def audit_mechanism(query: str, neighbours: Neighbours, delta: float, trials: int, weaken: int) -> Audit:
    """Audit one mechanism with its noise divided by `weaken`."""
    claim = claim_of(query, neighbours)
    weakened = Sensitivity(Fraction(claim.l1, weaken), Fraction(claim.l2_squared, weaken**2))
    here, there = queries.worst_pair(query, neighbours == "replace_one", delta > 0)
    statistics = []
    for answer in (here, there):
        mechanism = mechanism_of(query, weakened, neighbours, delta)
        released = mechanism.release(np.tile(answer, (trials, 1)))
        entry = mechanism.entry
        statistics.append(log_likelihood_ratio(released, here, there, entry.distribution, float(entry.scale)))
    return audit(statistics[0], statistics[1], delta)


def audit_pipeline(method: str, neighbours: Neighbours, delta: float, fits: int, spent: float) -> Audit:
    """Audit whole fits of twelve records of three binary attributes that spend epsilon = `spent`."""
    schema = cf.Schema([cf.Binary(f"a{i}", levels=(0, 1)) for i in range(3)])
    here: NDArray[np.uint8] = np.ones((12, 3), dtype=np.uint8)
    there = here[1:] if neighbours == "add_or_remove_one" else np.vstack([0 * here[:1], here[1:]])
    statistics = []
    options: dict[str, Any] = {"method": method, "neighbours": neighbours, "certificate": False}
    for table in (there, here):
        values = np.empty(fits)
        for i in range(fits):
            fitted = cf.CovLossSynthesizer(schema, epsilon=spent, delta=delta, **options).fit(table)
            model = fitted._model
            values[i] = model.weights @ model.means.sum(axis=1)
            if neighbours == "add_or_remove_one":
                values[i] += fitted._n_released / 20
        statistics.append(values)
    return audit(statistics[0], statistics[1], delta)


def main() -> int:
    """Run all audits."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--trials", type=int, default=1_000_000, help="releases of each mechanism and table")
    parser.add_argument("--fits", type=int, default=2000, help="fits of the pipeline for each table")
    arguments = parser.parse_args()
    failures = 0
    print("| audited | neighbours | delta | claim | bound | negative control |")
    print("|---|---|---|---|---|---|")
    for query in queries.WORST_PAIRS:
        for neighbours in RELATIONS:
            if query == "record count" and neighbours == "replace_one":
                continue  # public there, never released
            for delta in (0.0, 1e-3):
                honest, halved = (
                    audit_mechanism(query, neighbours, delta, arguments.trials, weaken) for weaken in (1, 2)
                )
                failures += honest.epsilon_low > EPSILON or halved.epsilon_low <= EPSILON
                print(
                    f"| {query} | {neighbours} | {delta:g} | {EPSILON} | {honest.epsilon_low:.3f} | "
                    f"{halved.epsilon_low:.3f} |",
                    flush=True,
                )
    for method, delta in (("paper", 0.0), ("restored", 0.0), ("restored", 1e-3)):
        for neighbours in RELATIONS:
            honest, lavish = (
                audit_pipeline(method, neighbours, delta, arguments.fits, spent)
                for spent in (FIT_EPSILON, FIT_CONTROL)
            )
            failures += honest.epsilon_low > FIT_EPSILON or lavish.epsilon_low <= FIT_EPSILON
            print(
                f"| fit, {method} | {neighbours} | {delta:g} | {FIT_EPSILON} | {honest.epsilon_low:.3f} | "
                f"{lavish.epsilon_low:.3f} |",
                flush=True,
            )
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
