"""What a fit asked of its records and what it was answered: kept, and replayed on a neighbouring table.

A fit sees the records through its mechanisms alone. So all of it can be audited at once, however it chooses
its queries: keep the answers that a fit on one table was given, let a fit on the neighbouring table be given
*the same answers*, and compare what the two would have answered exactly. The log-likelihood ratio of the
transcript,

    sum over mechanisms of  log P(answer | exact answer there) - log P(answer | exact answer here),

is the best statistic that an observer of everything released can have. And the two fits must leave the same
release behind, bit for bit: whatever differs has come past the door.

A transcript holds more than an observer sees, and `audit_fits` uses that too: how far the exact answers of
neighbours lie apart, against the declared sensitivity; and the noise itself, released answer minus exact
one, against the declared distribution. The privacy of a line follows from these two alone, so a fault that
the many parts of a fit average out, such as half the noise, is seen at once.

The exact answers are kept in memory: this is for tests and audits, on tables that nobody is in.
"""

from __future__ import annotations

import math
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
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
#: Which cells of an exact answer are asked for: all of them, but for faults.
Asked: TypeAlias = Callable[[Mechanism, Int64Array], NDArray[np.bool_]]

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


def everything(mechanism: Mechanism, exact: Int64Array) -> NDArray[np.bool_]:
    """All cells, as it has to be."""
    return np.ones(exact.shape, dtype=np.bool_)


@contextmanager
def at_the_door(answer: Answer, asked: Asked = everything) -> Iterator[list[Step]]:
    """Let all mechanisms answer by `answer`, and keep what passes. Not for concurrent fits.

    Cells that are not asked for are neither released nor kept; the fit goes on with zeros for them.
    """
    steps: list[Step] = []

    def release(mechanism: Mechanism, exact: Int64Array) -> Int64Array:
        cells = asked(mechanism, exact)
        passed = answer(mechanism, exact[cells])
        steps.append(Step(mechanism.entry, exact[cells], passed))
        released = np.zeros_like(exact)
        released[cells] = passed
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
    fit: Callable[[Any, int], object],
    table: Any,
    other: Any,
    seed: int,
    answer: Answer = honest,
    asked: Asked = everything,
) -> tuple[list[Step], list[Step]]:
    """Return the steps of a fit of one table and of its replay on another."""
    steps, replayed, _ = _both_and_same(fit, table, other, seed, answer, asked, compare=False)
    return steps, replayed


def contents(fitted: Any) -> dict[str, bytes]:
    """Return everything that leaves: the members of the saved release, and a table drawn from it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "release"
        fitted.save(path)
        with zipfile.ZipFile(path) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
    return {**members, "table": np.asarray(fitted.sample(random_state=0)).tobytes()}


def _both_and_same(
    fit: Callable[[Any, int], object],
    table: Any,
    other: Any,
    seed: int,
    answer: Answer,
    asked: Asked,
    *,
    compare: bool,
) -> tuple[list[Step], list[Step], bool]:
    """The steps of both fits, and whether they left the same behind, if that is to be compared."""
    with at_the_door(answer, asked) as steps:
        first = fit(table, seed)
    with at_the_door(replay(steps), asked) as replayed:
        second = fit(other, seed)
    if len(replayed) < len(steps):
        raise DivergenceError(f"{steps[len(replayed)].entry.query}: asked here, nothing there")
    return steps, replayed, not compare or contents(first) == contents(second)


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
    move : float
        The largest distance of the exact answers of the two tables, as a part of the sensitivity in the
        ledger: in the l1 norm for Laplace noise, in l2 for Gaussian. Above 1 the ledger is refuted.
    evidence : float
        Decimal logarithm of the evidence (an e-value) that a line has less noise than the ledger says. Where
        it has not, this exceeds x in one audit of 10^x or fewer.
    n_different : int
        Pairs of fits that, given the same answers, asked different things or left different releases.
    """

    whole: Audit
    largest_loss: float
    ratio: float
    move: float
    evidence: float
    n_different: int

    @property
    def faults(self) -> dict[str, float]:
        """What refutes the guarantee, by the name of the measure."""
        found = {
            "bound": (self.ratio, self.ratio > 1),
            "move": (self.move, self.move > 1),
            "noise": (self.evidence, self.evidence > SURE_EVIDENCE),
            "release": (self.n_different, self.n_different > 0),
        }
        return {name: float(value) for name, (value, is_fault) in found.items() if is_fault}


#: Evidence that noise as declared gives in one audit of a million, or fewer.
SURE_EVIDENCE = 6.0
#: The alternatives to the declared scale: the noise divided by one of these.
_DIVISORS = np.array([1.1, 1.25, 1.5, 2.0, 4.0, 16.0, 256.0])


@dataclass
class _Line:
    """What fits have shown of one line of their ledgers."""

    share: Fraction = Fraction(0)
    of_here: list[float] = field(default_factory=list)
    of_there: list[float] = field(default_factory=list)
    log_ratios: NDArray[np.float64] = field(default_factory=lambda: np.zeros(len(_DIVISORS)))


def less_noise_ratios(step: Step) -> NDArray[np.float64]:
    """Return log P(noise | scale divided by d) - log P(noise | declared scale), for each alternative d.

    Under the declared distribution exp of a ratio has expectation 1, whatever has been answered before. So
    its product over fits, and the mean of these over alternatives and lines, is an e-value: by Markov's
    inequality it exceeds 1/a with probability at most a. Nothing is approximate, no sample size assumed.
    """
    noise = (step.released - step.exact).ravel().astype(np.float64)
    scale, laplace = float(step.entry.scale), step.entry.distribution == "discrete Laplace"
    size = float(np.abs(noise).sum() if laplace else (noise**2).sum() / 2)
    inverse = (_DIVISORS if laplace else _DIVISORS**2) / scale
    declared = np.array([1 / scale])
    log_weight = _log_weight_of_laplace if laplace else _log_weight_of_gaussian
    return np.asarray(
        noise.size * (log_weight(declared) - log_weight(inverse)) - size * (inverse - 1 / scale)
    )


def _log_weight_of_laplace(inverse: NDArray[np.float64]) -> NDArray[np.float64]:
    """Log of the sum over integers z of exp(-|z| inverse), which is coth(inverse / 2)."""
    return np.asarray(-np.log(np.tanh(inverse / 2)))


def _log_weight_of_gaussian(inverse: NDArray[np.float64]) -> NDArray[np.float64]:
    """Log of the sum over integers z of exp(-z^2 inverse / 2): of sqrt(2 pi / inverse), but for small scales.

    From sigma^2 = 4 on they differ by less than a relative 1e-30 (Poisson summation).
    """
    z = np.arange(1, 40)
    small = 1 + 2 * np.exp(-(z**2) * np.maximum(inverse, 0.25)[:, None] / 2).sum(axis=1)
    return np.where(inverse < 0.25, np.log(2 * np.pi / inverse) / 2, np.log(small))


def _evidence(lines: Sequence[_Line]) -> float:
    """The decimal logarithm of the mean e-value: line i = 0, 1, ... has the weight 1/((i + 1) (i + 2))."""
    logs = [
        np.logaddexp.reduce(line.log_ratios - math.log(len(_DIVISORS))) - math.log((i + 1) * (i + 2))
        for i, line in enumerate(lines)
    ]
    return float(np.logaddexp.reduce(logs)) / math.log(10) if logs else 0.0


def _move(step: Step, twin: Step) -> float:
    """The distance of two exact answers over the declared sensitivity."""
    apart = np.abs(step.exact - twin.exact).astype(np.float64)
    if step.entry.distribution == "discrete Laplace":
        return float(apart.sum() / step.entry.l1)
    return math.sqrt(float((apart**2).sum() / step.entry.l2_squared))


def audit_fits(
    fit: Callable[[Any, int], object],
    here: Any,
    there: Any,
    *,
    n_fits: int,
    epsilon: float,
    delta: float = 0.0,
    answer: Answer = honest,
    asked: Asked = everything,
    confidence: float = 0.999,
    n_compared: int = 20,
) -> FitAudit:
    """Audit whole fits, and each line of their ledgers, by all that their transcripts show.

    Many small parts hide one another's faults: the sum of their ratios is seldom near its bound. So each
    mechanism is audited against its own share as well. There both tables must come after the same answers
    to the earlier queries: those of fits of `here`. Every second of them is answered with the noise that was
    drawn, but on the exact answer of `there`.

    Parameters
    ----------
    fit : callable
        Called with a table and a seed, which must determine all public randomness; returns what it fitted.
    here, there : table
        Neighbours.
    n_fits : int
        Fits of each table; each is replayed on the other one.
    epsilon, delta : float
        The claim.
    answer, asked : callable
        What stands at the door; anything but `honest` and `everything` is a negative control.
    confidence : float
        Of `whole`, and of all lines together.
    n_compared : int
        How many fits of each table have their releases compared with those of their replays.
    """
    losses = np.empty((2, n_fits))
    lines: list[_Line] = []
    move, n_different = 0.0, 0
    for i, (table, other, sign) in enumerate(((here, there, 1), (there, here, -1))):
        for j in range(n_fits):
            try:
                steps, replayed, same = _both_and_same(
                    fit, table, other, i * n_fits + j, answer, asked, compare=j < n_compared
                )
            except DivergenceError:
                losses[i, j] = -sign * IMPOSSIBLE
                n_different += 1
                continue
            n_different += not same
            losses[i, j] = sign * sum(map(privacy_loss, steps, replayed))
            lines += [_Line() for _ in range(len(steps) - len(lines))]
            for line, step, twin in zip(lines, steps, replayed):
                move = max(move, _move(step, twin))
                line.log_ratios += less_noise_ratios(step)
                line.share = max(line.share, step.entry.share)
                if i == 0:
                    moved = step.released + (j % 2) * (twin.exact - step.exact)
                    (line.of_there if j % 2 else line.of_here).append(privacy_loss(step, twin, moved))
    whole = audit(losses[0], losses[1], delta, confidence)
    ratios = [whole.epsilon_low / epsilon]
    total = Budget(epsilon, delta).total
    for line in lines:
        n_both = min(len(line.of_here), len(line.of_there))
        if n_both < n_fits // 2:  # a line of some fits only, or fits that could not be replayed
            continue
        bound = audit(
            np.array(line.of_here[:n_both]),
            np.array(line.of_there[:n_both]),
            delta,
            1 - (1 - confidence) / len(lines),
        ).epsilon_low
        cost = line.share * total if delta == 0 else epsilon_from_rho(line.share * total, delta)
        ratios.append(bound / float(cost))
    largest_loss = float(np.abs(losses).max())
    return FitAudit(whole, largest_loss, max(ratios), move, _evidence(lines), n_different)
