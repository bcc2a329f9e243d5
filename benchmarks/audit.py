"""Audit every mechanism, and whole fits, on worst-case neighbours; print two tables.

    python benchmarks/audit.py [--trials 1000000] [--fits 1500]

No lower bound on epsilon may exceed its claim, and every negative control must: so the audit would have
noticed. The exit status is 1 if either fails. Bounds hold with confidence 99.9 % each (Clopper-Pearson); the
statistic is the log-likelihood ratio, the best there is. Of a fit it is that of all answers that it was given
(`covloss_fast.reference.transcripts`): the bound is the largest of the whole and of each line of its ledger,
as a part of what that is claimed to cost. "Largest loss" is the largest log-likelihood ratio of a fit that
was met; with delta = 0 it may never exceed epsilon.

Negative controls: less noise than the ledger says; noise for a record more or less where one is replaced;
blocks that depend on the batch; blocks released only if they hold a record.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

import covloss_fast as cf
from covloss_fast._core.bits import column_counts
from covloss_fast.privacy import mechanisms
from covloss_fast.privacy.accounting import Budget
from covloss_fast.privacy.ledger import Neighbours, PrivacyLedger
from covloss_fast.privacy.mechanisms import Door, Mechanism, NoiseKey, Sensitivity
from covloss_fast.records.partition import NearestPoint
from covloss_fast.records.statistics import BlockStatistics
from covloss_fast.reference import queries
from covloss_fast.reference.audit import Audit, audit, log_likelihood_ratio
from covloss_fast.reference.transcripts import audit_fits, less_noise

RELATIONS: tuple[Neighbours, ...] = ("add_or_remove_one", "replace_one")
EPSILON = 1


def claim_of(query: str, neighbours: Neighbours) -> Sensitivity:
    """What the library says of a query on three binary attributes."""
    return {
        "record count": lambda: mechanisms.record_count(neighbours),
        "one-way": lambda: mechanisms.one_way(3, 0, neighbours),
        "all pairs": lambda: mechanisms.all_pairs(3, 0, neighbours),
        "blocks": lambda: mechanisms.block_statistics(3, 0, neighbours),
        "block counts": lambda: mechanisms.block_counts(neighbours),
        "pair scores": lambda: mechanisms.pair_score(3, neighbours),
        "certificate": lambda: mechanisms.certificate(neighbours),
        "pair table": lambda: mechanisms.pair_table(neighbours),
        "damped means": lambda: mechanisms.damped_means((2, 2, 2), 6, 3, neighbours),
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


#: Sizes of the attributes, epsilon and settings of the fits; the divisor of the noise in the control.
#: With few cells half the noise is told from all of it; many losses average out: the control must be coarser.
BLOCKS: dict[str, Any] = {
    "n_blocks": 4,
    "n_steps": 1,
    "shares": {"one_way": 0.02, "pairs": 0.02, "blocks": 0.96},  # else blocks are seldom worth their noise
}
FITS: list[tuple[str, tuple[int, ...], float, dict[str, Any], int]] = [
    ("restored, one attribute", (2,), 1.0, {"delta": 0}, 2),
    ("restored, binary", (2, 2, 2), 1.0, {"delta": 0}, 4),
    ("restored, binary", (2, 2, 2), 1.0, {"delta": 0.05}, 4),
    ("restored, blocks", (2, 2), 1.0, {"delta": 0, **BLOCKS}, 4),
    ("restored, blocks", (2, 2), 1.0, {"delta": 0.05, **BLOCKS}, 4),
    ("restored, categorical", (3, 4), 1.0, {"delta": 0}, 4),
    ("restored, categorical", (3, 4), 1.0, {"delta": 0.05}, 4),
    ("paper, one block", (2,), 2.0, {"delta": 0, "method": "paper"}, 8),
    ("paper, 16 blocks", (2, 2), 2.0, {"delta": 0, "method": "paper", "n_blocks": 16}, 8),
]


def fitter(sizes: tuple[int, ...], epsilon: float, settings: dict[str, Any], neighbours: Neighbours) -> Any:
    """A function that fits a table of codes with a seed."""
    schema = cf.Schema.from_domain({f"a{i}": size for i, size in enumerate(sizes)})
    return lambda table, seed: cf.CovLossSynthesizer(
        schema, epsilon=epsilon, neighbours=neighbours, random_state=seed, n_threads=1, **settings
    ).fit(table)


def neighbouring(n_attributes: int, n: int, neighbours: Neighbours) -> tuple[NDArray[Any], NDArray[Any]]:
    """`n` records, all zeros but one of ones; and without it, or with one of zeros for it."""
    there = np.zeros((n, n_attributes), dtype=np.int64)
    here = there[1:] if neighbours == "add_or_remove_one" else there.copy()
    there[0] = 1
    return here, there


@contextmanager
def replaced(owner: type, name: str, function: Any) -> Iterator[None]:
    """Another function in the place of one of a class."""
    own = owner.__dict__[name]
    setattr(owner, name, function)
    try:
        yield
    finally:
        setattr(owner, name, own)


def batch_dependent() -> AbstractContextManager[None]:
    """Blocks shifted by the number of records whose first bit is 1."""
    own = NearestPoint.labels

    def labels(self: NearestPoint, bits: Any, n_threads: int | None = None) -> Any:
        return (own(self, bits, n_threads) + int(column_counts(bits, 1)[0])) % self.n_blocks

    return replaced(NearestPoint, "labels", labels)


def without_empty_blocks() -> AbstractContextManager[None]:
    """Statistics of the blocks that hold a record, alone."""
    own = BlockStatistics.from_labels

    def from_labels(*arguments: Any) -> BlockStatistics:
        found = own(*arguments)
        return BlockStatistics(found.counts[found.counts > 0], found.sums[found.counts > 0])

    return replaced(BlockStatistics, "from_labels", staticmethod(from_labels))


def main() -> int:
    """Run all audits."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--trials", type=int, default=1_000_000, help="releases of each mechanism and table")
    parser.add_argument("--fits", type=int, default=1500, help="fits of each table")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", cf.NotPrivateWarning)
    failures = audit_mechanisms(arguments.trials) + audit_whole_fits(arguments.fits)
    print(f"\n{failures} failures")
    return int(failures > 0)


def audit_mechanisms(trials: int) -> int:
    """Print the table of mechanisms; return the number of failures."""
    failures = 0
    print("| mechanism | neighbours | delta | claimed epsilon | bound | bound with half the noise |")
    print("|---|---|---|---|---|---|")
    for query in queries.WORST_PAIRS:
        for neighbours in RELATIONS:
            if query == "record count" and neighbours == "replace_one":
                continue  # public there, never released
            for delta in (0.0, 1e-3):
                honest, halved = (
                    audit_mechanism(query, neighbours, delta, trials, weaken) for weaken in (1, 2)
                )
                failures += honest.epsilon_low > EPSILON or halved.epsilon_low <= EPSILON
                print(
                    f"| {query} | {neighbours} | {delta:g} | {EPSILON} | {honest.epsilon_low:.3f} | "
                    f"{halved.epsilon_low:.3f} |",
                    flush=True,
                )
    return failures


def audit_whole_fits(n_fits: int) -> int:
    """Print the table of fits; return the number of failures."""
    failures = 0
    print("\n| fit | neighbours | delta | claimed epsilon | largest loss | bound / claim | controls |")
    print("|---|---|---|---|---|---|---|")
    for name, sizes, epsilon, settings, divisor in FITS:
        p = len(sizes)
        for neighbours in RELATIONS:
            delta = settings["delta"]
            claim = {"n_fits": n_fits, "epsilon": epsilon, "delta": delta}
            fit, pair = fitter(sizes, epsilon, settings, neighbours), neighbouring(p, 1, neighbours)
            found = audit_fits(fit, *pair, **claim)
            controls = {f"noise / {divisor}": audit_fits(fit, *pair, **claim, answer=less_noise(divisor))}
            if p == 1 and neighbours == "replace_one" and "method" not in settings:
                other = fitter(sizes, epsilon, settings, "add_or_remove_one")
                controls["wrong relation"] = audit_fits(other, *pair, **claim)
            if "n_blocks" in settings and "method" not in settings:
                with batch_dependent():
                    controls["batch"] = audit_fits(fit, *neighbouring(p, 12, neighbours), **claim)
                if neighbours == "replace_one":
                    wide = fitter(sizes, 8.0, settings, neighbours)
                    with without_empty_blocks():
                        controls["empty blocks"] = audit_fits(wide, *neighbouring(p, 3, neighbours), **claim)
            failures += found.ratio > 1 or any(control.ratio <= 1 for control in controls.values())
            failures += delta == 0 and found.largest_loss > epsilon * (1 + 1e-9)
            print(
                f"| {name} | {neighbours} | {delta:g} | {epsilon:g} | {found.largest_loss:.3f} | "
                f"{found.ratio:.3f} | "
                + ", ".join(f"{name} {control.ratio:.2f}" for name, control in controls.items())
                + " |",
                flush=True,
            )
    return failures


if __name__ == "__main__":
    sys.exit(main())
