"""Audit every mechanism, and whole fits, on worst-case neighbours; print two tables.

    python benchmarks/audit.py [--trials 1000000] [--fits 1500]

*Mechanisms*: no lower bound on epsilon may exceed its claim, and with half the noise it must. Bounds hold
with confidence 99.9 % each (Clopper-Pearson); the statistic is the log-likelihood ratio, the best there is.

*Whole fits*: each is replayed on the neighbour with the same answers (`covloss_fast.reference.transcripts`),
and refuted by any of four measures: "bound", the largest lower bound on epsilon of the whole and of each
line of its ledger, as a part of the claim, above 1; "move", the largest distance of exact answers as a part
of the sensitivity in the ledger, above 1; "noise", the decimal logarithm of the evidence that the noise is
smaller than the ledger says, above 6; "release", the number of pairs of fits that the same answers led to
another query or another release. "Largest loss" is the largest log-likelihood ratio of a fit that was met:
with delta = 0 it may never exceed epsilon.

Negative controls, each of which must be refuted: half the noise; noise and rules of the other neighbouring
relation; blocks released only if they hold a record; blocks that depend on the batch. The exit status is 1 if
a fit is refuted or a control is not.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable
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
from covloss_fast.reference.faults import batch_dependent_blocks, less_noise, occupied_blocks
from covloss_fast.reference.transcripts import FitAudit, audit_fits

RELATIONS: tuple[Neighbours, ...] = ("add_or_remove_one", "replace_one")
EPSILON = 1
#: With less, tables of a few records are seldom given several blocks, some of them empty.
ENOUGH_FOR_BLOCKS = 100.0
#: Fits of each table of a negative control: of half the noise, and of those that few fits show.
HALVED_FITS, FAULTY_FITS = 200, 60


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


Fit = Callable[[Any, int], Any]
Pair = tuple[NDArray[Any], NDArray[Any]]
#: Enough blocks to tell apart, and most of the budget: else they are seldom worth their noise here.
BLOCKS: dict[str, Any] = {
    "n_blocks": 4,
    "n_steps": 1,
    "shares": {"one_way": 0.02, "pairs": 0.02, "blocks": 0.96},
}
PAPER: dict[str, Any] = {"method": "paper", "n_blocks": 16}
#: Where sixteen attributes are given blocks of pinned attributes; under replace-one they never are.
PINS: dict[str, Any] = {"epsilon": 64.0}
PINNED_RECORDS = 50
#: Sizes of the attributes, or the number of entries of vectors; settings of the fits.
FITS: list[tuple[str, tuple[int, ...] | int, dict[str, Any]]] = [
    ("restored, one attribute", (2,), {"delta": 0}),
    ("restored, binary", (2, 2, 2), {"delta": 0}),
    ("restored, binary", (2, 2, 2), {"delta": 0.05}),
    ("restored, binary, blocks", (2, 2), {"delta": 0, **BLOCKS}),
    ("restored, binary, blocks", (2, 2), {"delta": 0.05, **BLOCKS}),
    ("restored, binary, pins", (2,) * 16, {"delta": 0, **PINS}),
    ("restored, categorical", (3, 4), {"delta": 0}),
    ("restored, categorical", (3, 4), {"delta": 0.05}),
    ("restored, mixed", (2, 3), {"delta": 0}),
    ("paper, binary", (2, 2), {"delta": 0, **PAPER}),
    ("paper, categorical", (3, 4), {"delta": 0, **PAPER}),
    ("paper, pinned blocks", (2, 2), {"delta": 0, **PAPER, "n_blocks": 4, "partition": "pinning"}),
    ("vectors", 2, {"delta": 0, "n_blocks": 4}),
    ("vectors", 2, {"delta": 0.05, "n_blocks": 4}),
]


def fitter(
    shape: tuple[int, ...] | int, settings: dict[str, Any], neighbours: Neighbours, **changed: Any
) -> Fit:
    """A function that fits a table of codes, or of vectors, with a seed."""
    common = {"epsilon": EPSILON, "neighbours": neighbours, "n_threads": 1, **settings, **changed}
    if isinstance(shape, int):
        ball = cf.UnitBall(shape)
        return lambda table, seed: cf.VectorSynthesizer(ball, random_state=seed, **common).fit(table)
    schema = cf.Schema.from_domain({f"a{i}": size for i, size in enumerate(shape)})
    return lambda table, seed: cf.CovLossSynthesizer(schema, random_state=seed, **common).fit(table)


def neighbouring(shape: tuple[int, ...] | int, n: int, neighbours: Neighbours) -> Pair:
    """`n` records, all alike but one, as far from them as can be; and without it, or with one more alike."""
    if isinstance(shape, int):
        there = np.zeros((n, shape))
        there[:, 0] = -1
        there[0, 0] = 1
    else:
        there = np.zeros((n, len(shape)), dtype=np.int64)
        there[0] = 1
    if neighbours == "add_or_remove_one":
        return there[1:], there
    here = there.copy()
    here[0] = -1 if isinstance(shape, int) else 0
    if isinstance(shape, int):
        here[0, 1:] = 0
    return here, there


def audits_of(
    shape: tuple[int, ...] | int, settings: dict[str, Any], neighbours: Neighbours, n_fits: int
) -> tuple[FitAudit, dict[str, FitAudit]]:
    """The audit of a fit, and its negative controls by name."""
    has_pins = settings.items() >= PINS.items()
    fit = fitter(shape, settings, neighbours)
    pair = neighbouring(shape, PINNED_RECORDS if has_pins else 1, neighbours)
    claim = {"epsilon": EPSILON, **settings}
    claim = {name: claim[name] for name in ("epsilon", "delta")}
    found = audit_fits(fit, *pair, **claim, n_fits=n_fits)
    other = next(relation for relation in RELATIONS if relation != neighbours)
    half = audit_fits(fit, *pair, **claim, n_fits=min(n_fits, HALVED_FITS), answer=less_noise(2))
    claim["n_fits"] = min(n_fits, FAULTY_FITS)
    controls = {
        "half the noise": half,
        "wrong relation": audit_fits(fitter(shape, settings, other), *pair, **claim),
    }
    if has_pins:
        controls["empty blocks left out"] = audit_fits(fit, *pair, **claim, asked=occupied_blocks)
        with batch_dependent_blocks():
            controls["blocks by batch"] = audit_fits(fit, *pair, **claim)
    if "n_blocks" in settings:
        few, many = (neighbouring(shape, n, neighbours) for n in (3, 12))
        wide = fitter(shape, settings, neighbours, epsilon=ENOUGH_FOR_BLOCKS)
        claim["epsilon"] = ENOUGH_FOR_BLOCKS
        controls["empty blocks left out"] = audit_fits(wide, *few, **claim, asked=occupied_blocks)
        with batch_dependent_blocks():
            controls["blocks by batch"] = audit_fits(wide, *many, **claim)
    return found, controls


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
    names = ("half the noise", "wrong relation", "empty blocks left out", "blocks by batch")
    print(
        "\n| fit | neighbours | epsilon | delta | largest loss | bound | move | evidence | "
        + " | ".join(names)
        + " |"
    )
    print("|---" * (8 + len(names)) + "|")
    for name, shape, settings in FITS:
        for neighbours in RELATIONS[:1] if settings.items() >= PINS.items() else RELATIONS:
            found, controls = audits_of(shape, settings, neighbours, n_fits)
            failures += len(found.faults) + sum(not control.faults for control in controls.values())
            epsilon = settings.get("epsilon", EPSILON)
            failures += settings["delta"] == 0 and found.largest_loss > epsilon * (1 + 1e-9)
            cells = [
                name,
                neighbours,
                f"{epsilon:g}",
                f"{settings['delta']:g}",
                f"{found.largest_loss:.3f}",
                f"{found.ratio:.3f}",
                f"{found.move:.3f}",
                f"{found.evidence:.1f}",
                *(_shown(controls[control]) if control in controls else "no blocks" for control in names),
            ]
            print("| " + " | ".join(cells) + " |", flush=True)
    return failures


def _shown(control: FitAudit) -> str:
    """By what a negative control was caught."""
    return ", ".join(f"{measure} {value:.3g}" for measure, value in control.faults.items()) or "NOT CAUGHT"


if __name__ == "__main__":
    sys.exit(main())
