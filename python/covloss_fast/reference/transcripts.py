"""What a fit asked of its records and what it was answered: kept, and replayed on a neighbouring table.

A fit sees the records through its mechanisms alone. So all of it can be audited at once, however it chooses
its queries: keep the answers that a fit on one table was given, let a fit on the neighbouring table be given
*the same answers*, and compare what the two would have answered exactly. The log-likelihood ratio of the
transcript,

    sum over mechanisms of  log P(answer | exact answer there) - log P(answer | exact answer here),

is the best statistic that an observer of everything released can have. And the two fits must leave the same
release behind, bit for bit: whatever differs has come past the door.

The exact answers are kept in memory: this is for tests and audits, on tables that nobody is in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from covloss_fast.privacy.accounting import Budget, epsilon_from_rho
from covloss_fast.privacy.ledger import LedgerEntry
from covloss_fast.privacy.mechanisms import Mechanism
from covloss_fast.reference.audit import Audit, audit, log_likelihood_ratio

Int64Array: TypeAlias = NDArray[np.int64]
#: What stands at the door: given a mechanism and its exact answer, returns the answer that is released.
Answer: TypeAlias = Callable[[Mechanism, Int64Array], Int64Array]

honest: Answer = Mechanism.release  # the real one, whatever stands at the door later

#: The log-likelihood ratio of a transcript that the other table could not have given.
IMPOSSIBLE = 1e9


class DivergenceError(RuntimeError):
    """After the same answers a fit asked something else: its queries depend on the records themselves."""


@dataclass(frozen=True)
class Step:
    """One mechanism of a fit.

    Attributes
    ----------
    entry : LedgerEntry
        Its line in the ledger.
    exact, released : int64 array
        The exact answer and the released one.
    """

    entry: LedgerEntry
    exact: Int64Array
    released: Int64Array


@contextmanager
def at_the_door(answer: Answer) -> Iterator[list[Step]]:
    """Let all mechanisms answer by `answer`, and keep what passes. Not for concurrent fits."""
    steps: list[Step] = []

    def release(mechanism: Mechanism, exact: Int64Array) -> Int64Array:
        released = answer(mechanism, exact)
        steps.append(Step(mechanism.entry, exact.copy(), released.copy()))
        return released

    Mechanism.release = release  # type: ignore[method-assign, assignment]
    try:
        yield steps
    finally:
        Mechanism.release = honest  # type: ignore[method-assign, assignment]


def replay(steps: Sequence[Step]) -> Answer:
    """Return what gives the answers of `steps` again.

    Raises
    ------
    DivergenceError
        When it is used: if another query is asked, or with other noise, or of another size.
    """
    left = iter(steps)

    def answer(mechanism: Mechanism, exact: Int64Array) -> Int64Array:
        step = next(left, None)
        if step is None or mechanism.entry != step.entry or exact.shape != step.released.shape:
            raise DivergenceError(
                f"{mechanism.entry.query}, {exact.size} cells: asked here, "
                + ("nothing there" if step is None else f"{step.entry.query}, {step.exact.size} cells there")
            )
        released: Int64Array = step.released.copy()
        return released

    return answer


def privacy_loss(step: Step, other: Step, released: Int64Array | None = None) -> float:
    """Return log(P'(answer) / P(answer)), P' the mechanism of the other fit, for any answer to a step."""
    return float(
        log_likelihood_ratio(
            (step.released if released is None else released).reshape(1, -1),
            step.exact.ravel(),
            other.exact.ravel(),
            step.entry.distribution,
            float(step.entry.scale),
        )[0]
    )


def both(
    fit: Callable[[Any, int], object], table: Any, other: Any, seed: int, answer: Answer = honest
) -> tuple[list[Step], list[Step]]:
    """Return the steps of a fit of one table and of its replay on another."""
    with at_the_door(answer) as steps:
        fit(table, seed)
    with at_the_door(replay(steps)) as replayed:
        fit(other, seed)
    return steps, replayed


@dataclass(frozen=True)
class FitAudit:
    """What an audit of whole fits found.

    Attributes
    ----------
    whole : Audit
        Of all that a fit releases.
    largest_loss : float
        The largest absolute log-likelihood ratio of a fit that was met; at most epsilon where delta is 0.
    ratio : float
        The largest lower bound of an epsilon as a part of the claimed one: of the whole and of each line of
        the ledger. Above 1 the claim is refuted.
    """

    whole: Audit
    largest_loss: float
    ratio: float


def audit_fits(
    fit: Callable[[Any, int], object],
    here: Any,
    there: Any,
    *,
    n_fits: int,
    epsilon: float,
    delta: float = 0.0,
    answer: Answer = honest,
    confidence: float = 0.999,
) -> FitAudit:
    """Audit whole fits, and each line of their ledgers, by likelihood ratios.

    Many small parts hide one another's faults: the sum of their ratios is seldom near its bound. So each
    mechanism is audited against its own share as well. There both tables must come after the same answers
    to the earlier queries: those of fits of `here`. Every second of them is answered with the noise that was
    drawn, but on the exact answer of `there`.

    Parameters
    ----------
    fit : callable
        Called with a table and a seed, which must determine all public randomness.
    here, there : table
        Neighbours.
    n_fits : int
        Fits of each table; each is replayed on the other one.
    epsilon, delta : float
        The claim.
    answer : callable
        What stands at the door; anything but `honest` is a negative control.
    confidence : float
        Of `whole`, and of all lines together.
    """
    losses = np.empty((2, n_fits))
    of_lines: list[tuple[list[float], list[float]]] = []
    shares: list[Fraction] = []
    for i, (table, other, sign) in enumerate(((here, there, 1), (there, here, -1))):
        for j in range(n_fits):
            try:
                steps, replayed = both(fit, table, other, i * n_fits + j, answer)
            except DivergenceError:
                losses[i, j] = -sign * IMPOSSIBLE
                continue
            losses[i, j] = sign * sum(map(privacy_loss, steps, replayed))
            for line, (step, twin) in enumerate(zip(steps, replayed)):
                if line == len(shares):
                    shares.append(step.entry.share)
                    of_lines.append(([], []))
                shares[line] = max(shares[line], step.entry.share)
                if i == 0:
                    moved = step.released + (j % 2) * (twin.exact - step.exact)
                    of_lines[line][j % 2].append(privacy_loss(step, twin, moved))
    whole = audit(losses[0], losses[1], delta, confidence)
    ratios = [whole.epsilon_low / epsilon]
    total = Budget(epsilon, delta).total
    for share, (of_here, of_there) in zip(shares, of_lines):
        n_both = min(len(of_here), len(of_there))
        if n_both < n_fits // 2:  # a line of some fits only, or fits that could not be replayed
            continue
        bound = audit(
            np.array(of_here[:n_both]),
            np.array(of_there[:n_both]),
            delta,
            1 - (1 - confidence) / len(shares),
        ).epsilon_low
        ratios.append(bound / float(share * total if delta == 0 else epsilon_from_rho(share * total, delta)))
    return FitAudit(whole, float(np.abs(losses).max()), max(ratios))


def less_noise(divisor: int) -> Answer:
    """Return a door whose noise is smaller than its ledger says: the standard deviation by `divisor`."""

    def answer(mechanism: Mechanism, exact: Int64Array) -> Int64Array:
        entry = mechanism.entry
        smaller = entry.scale / divisor ** (1 if entry.distribution == "discrete Laplace" else 2)
        weak = copy(mechanism)
        weak._entry = replace(entry, scale=smaller)
        released: Int64Array = honest(weak, exact)
        return released

    return answer
