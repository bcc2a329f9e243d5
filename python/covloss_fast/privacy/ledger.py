"""The list of everything spent: written before the data are read, never rewritten.

A fit is charged as a whole when it begins, so that one that is interrupted, or that leaves a part of its
budget unused, still counts in full. A second fit adds to the first. Each mechanism is written down before it
sees an exact value. Nothing in here depends on the records: under add-or-remove-one the number of records is
itself secret and does not occur.

Several releases about the same persons can share one ledger, with a budget that their fits cannot exceed
together: one that would is refused before anything is charged, read or drawn. The order of charges is that in
which fits begin, in any thread.

Releases made with a seeded noise key can be undone by whoever guesses the seed. The fits that used one are
marked, and a ledger with such a fit is not private, for ever.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import groupby, pairwise
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, cast, get_args

from covloss_fast._config import __version__
from covloss_fast._files import written_whole
from covloss_fast._text import clamping_text
from covloss_fast.privacy.accounting import (
    Budget,
    check_records_per_person,
    delta_remark,
    epsilon_from_rho,
    exact_ratio,
)

Neighbours: TypeAlias = Literal["add_or_remove_one", "replace_one"]
Distribution: TypeAlias = Literal["discrete Laplace", "discrete Gaussian"]
PublicInputs: TypeAlias = Mapping[str, "str | int | float | bool | Sequence[int] | Sequence[str] | None"]

_FORMAT = "covloss_fast privacy ledger"
_VERSION = 1
_PROCESS = "another process"
_TOLERANCE = Fraction(1, 10**9)
_LARGEST_AMOUNT = 10**300
_MEANING = {
    "add_or_remove_one": "tables that differ by the presence of {}; the number of records is secret",
    "replace_one": "tables of equal length that differ in {}; the number of records is public",
}


class BudgetExceededError(ValueError):
    """A fit would spend more than is left of the budget of its ledger; nothing has been spent on it.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> ledger = cf.PrivacyLedger("replace_one", budget=cf.Budget(1, 0))
    >>> try:
    ...     ledger.check_affordable(cf.Budget(2, 0))
    ... except cf.BudgetExceededError:
    ...     print("too much")
    too much
    """


def neighbours_text(neighbours: Neighbours, max_records_per_person: int) -> str:
    """Return what the guarantee is about as text for people."""
    if max_records_per_person == 1:
        what = "one record"
    else:
        what = f"the records of one person, {max_records_per_person:,} at most"
    return f"{neighbours}: {_MEANING[neighbours].format(what)}"


def check_neighbours(neighbours: object) -> Neighbours:
    """Return the neighbouring relation, or say which there are."""
    if neighbours not in get_args(Neighbours):
        raise ValueError(
            f"neighbours must be one of {', '.join(map(repr, get_args(Neighbours)))}, got {neighbours!r}"
        )
    return cast(Neighbours, neighbours)


def _as_kept(inputs: PublicInputs) -> PublicInputs:
    """Public inputs that do not change, and are the same when they come from a file.

    ValueError if the rules that are printed in lines of their own are no texts.
    """
    clamped = inputs.get("clamped", ())
    if not (isinstance(clamped, list | tuple) and all(isinstance(each, str) for each in clamped)):
        raise ValueError("the rules for values that count as a bound must be a list of texts")
    return MappingProxyType(
        {key: tuple(value) if isinstance(value, list) else value for key, value in inputs.items()}
    )


def public_inputs_text(inputs: PublicInputs) -> str:
    """Return public inputs as text for people, by name: a file does not keep their order."""
    shown = {key: list(value) if isinstance(value, tuple) else value for key, value in inputs.items()}
    return ", ".join(f"{key} = {shown[key]}" for key in sorted(shown) if key != "clamped")


@dataclass(frozen=True)
class LedgerEntry:
    """One mechanism: a query, how far one record can move it, and the noise that hides this.

    Attributes
    ----------
    stream : int
        Number of the mechanism in its ledger, in the order in which those of all fits were declared; also the
        stream of the noise generator.
    query : str
        What was asked. A text "kind: particular" is grouped by its kind where many are printed.
    l1, l2_squared : Fraction
        Sensitivity of the query: exact upper bounds of the l1 norm and of the squared l2 norm; where a person
        can have several records, of what all of them together can move.
    share : Fraction
        The part of the fit's budget that the mechanism may spend.
    distribution : str
        "discrete Laplace" (pure fits) or "discrete Gaussian".
    scale : Fraction
        Scale of the Laplace distribution, or the parameter sigma^2 of the Gaussian; rounded up.
    spent : Fraction
        What the noise really costs: epsilon in a pure fit, rho in another; at most its share.
    """

    stream: int
    query: str
    l1: Fraction
    l2_squared: Fraction
    share: Fraction
    distribution: Distribution
    scale: Fraction
    spent: Fraction


@dataclass(frozen=True)
class LedgerFit:
    """One fit: what it was charged when it began, and its mechanisms so far."""

    epsilon: Fraction
    delta: Fraction
    rho: Fraction
    schema_hash: str
    seeded: bool
    public_inputs: PublicInputs
    library_version: str
    is_rho: bool = False
    number: int = 0
    entries: tuple[LedgerEntry, ...] = ()
    shared: Fraction = field(default=Fraction(0), compare=False)

    @property
    def is_pure(self) -> bool:
        """Whether the fit spends pure epsilon."""
        return self.delta == 0

    @property
    def charge(self) -> LedgerFit:
        """What was written down when the fit began, before its mechanisms."""
        return replace(self, entries=(), shared=Fraction(0))

    def is_charged_with(self, budget: Budget) -> bool:
        """Return whether the fit was charged with this budget."""
        if self.is_rho or budget.is_rho:
            return (self.is_rho, self.rho, self.delta) == (budget.is_rho, budget.rho, budget.delta)
        return (self.epsilon, self.delta) == (budget.epsilon, budget.delta)


@dataclass(frozen=True)
class LedgerSection:
    """A part of the ledger as people read it.

    Attributes
    ----------
    lines : tuple of str
        Text above the table.
    currency : str
        What the last column counts: "epsilon" or "rho"; "" if there is no table.
    rows : tuple of tuples of str
        Query, l1, l2, noise, share and what was spent: of a mechanism or of many of a kind.
    """

    lines: tuple[str, ...]
    currency: str = ""
    rows: tuple[tuple[str, ...], ...] = ()

    @property
    def head(self) -> tuple[str, ...]:
        """Names of the columns."""
        return ("query", "l1", "l2", "noise", "share", self.currency)

    def to_text(self) -> str:
        """Return the lines, and the table in columns."""
        table = [self.head, *self.rows] if len(self.rows) > 1 else self.rows
        widths = "{:<44} {:>10} {:>10} {:>28} {:>9} {:>11}"
        return "".join(
            f"{line}\n" for line in (*self.lines, *(f"  {widths.format(*row)}".rstrip() for row in table))
        )


class PrivacyLedger:
    """Everything that has been spent: by the fits of one object, or by all objects that share the ledger.

    Parameters
    ----------
    neighbours : {"add_or_remove_one", "replace_one"}
        Between which tables the guarantee speaks; the same for all fits of a ledger.
    max_records_per_person : int
        How many records a person can have; the same for all fits of a ledger.
    budget : Budget, optional
        What all fits together may spend. A fit that would exceed it is refused before it begins. With
        ``delta=0`` epsilons add, and fits with another delta are refused. Else rhos add, adaptively, whatever
        earlier results the later fits are chosen by; a pure fit counts as epsilon^2 / 2.

    Notes
    -----
    A ledger is an account, which is shared and never copied: `copy.copy`, `copy.deepcopy` and scikit-learn's
    ``clone`` keep the same ledger, and fits in several threads may share it. A copy in another process,
    pickled or forked, can be read but not charged, since each would miss what the other spends; so can the
    one that a saved release holds, if it has a budget. Several processes share a `LedgerFile`; `save` and
    `load` are for one process after the other. A ledger that no object was given, but made for itself, goes
    on by itself where the object is sent to another process.

    Examples
    --------
    Two releases about the same persons, at most epsilon = 2 together:

    >>> import covloss_fast as cf
    >>> ledger = cf.PrivacyLedger("add_or_remove_one", budget=cf.Budget(2, 0))
    >>> schema = cf.Schema([cf.Binary("smoker"), cf.Binary("asthma")])
    >>> table = {"smoker": [True, False] * 50, "asthma": [True, False, False, False] * 25}
    >>> first = cf.CovLossSynthesizer(schema, epsilon=1.5, delta=0, ledger=ledger).fit(table)
    >>> ledger.left.epsilon
    Fraction(1, 2)
    >>> try:
    ...     cf.CovLossSynthesizer(schema, epsilon=1, delta=0, ledger=ledger).fit(table)
    ... except cf.BudgetExceededError as error:
    ...     print(error)
    the fit asks for epsilon = 1, of the ledger's epsilon = 2 there is 0.5 left; nothing has been spent on it
    >>> ledger.epsilon, ledger.delta, [section.lines[0] for section in ledger.sections()][-1][:5]
    (1.5, 0.0, 'Fit 1')
    >>> ledger.to_text() == str(ledger)
    True
    >>> ledger.save("ledger.json")
    >>> ledger == cf.PrivacyLedger.load("ledger.json") == cf.PrivacyLedger.from_json(ledger.to_json())
    True
    >>> cf.PrivacyLedger.from_dict(ledger.to_dict()) == ledger
    True

    What a fit does with it, by hand:

    >>> from fractions import Fraction
    >>> mine = cf.PrivacyLedger("replace_one", budget=cf.Budget(2, 0))
    >>> mine.check_affordable(cf.Budget(1, 0))
    >>> fit = mine.begin_fit(cf.Budget(1, 0), schema_hash=schema.hash, seeded=False)
    >>> one = Fraction(1)
    >>> entry = mine.add_entry(
    ...     "a count",
    ...     l1=one,
    ...     l2_squared=one,
    ...     share=one,
    ...     distribution="discrete Laplace",
    ...     scale=one,
    ...     spent=one,
    ... )
    >>> mine.epsilon, [each.query for each in mine.entries]
    (1.0, ['a count'])
    >>> mine.end_fit(fit)
    >>> mine.continues(cf.PrivacyLedger("replace_one", budget=cf.Budget(2, 0)))  # as it was
    True
    """

    def __init__(
        self, neighbours: Neighbours, *, max_records_per_person: int = 1, budget: Budget | None = None
    ) -> None:
        self._neighbours = check_neighbours(neighbours)
        self._max_records_per_person = check_records_per_person(max_records_per_person)
        if budget is not None and not isinstance(budget, Budget):
            raise ValueError(f"budget must be a covloss_fast.Budget, got {type(budget).__name__}")
        self._budget = budget
        if budget is not None:
            self._check_unit(budget)
        self._fits: list[LedgerFit] = []
        self._lock = threading.RLock()
        self._process = os.getpid()  # which alone charges the ledger
        self._is_own = False  # of one object that goes on by itself wherever it is sent
        self._copied_from: str | None = None  # of a copy, which is not charged

    def _check_unit(self, budget: Budget) -> None:
        if budget.max_records_per_person != self._max_records_per_person:
            raise ValueError(
                f"the ledger is about persons with at most {self._max_records_per_person:,} records, the "
                f"budget about those with at most {budget.max_records_per_person:,}: their totals do not add"
            )

    @property
    def max_records_per_person(self) -> int:
        """How many records a person can have at most: the guarantee is about all of them together."""
        return self._max_records_per_person

    @property
    def is_copy(self) -> bool:
        """Whether this is a copy, such as a release holds, of a ledger that is charged elsewhere."""
        return self._copied_from is not None or (not self._is_own and os.getpid() != self._process)

    def continues(self, earlier: PrivacyLedger) -> bool:
        """Return whether this is the other ledger after further fits, or as it is.

        Parameters
        ----------
        earlier : PrivacyLedger
            Compared by unit, budget and what its fits were charged.
        """
        mine, others = self.fits, earlier.fits
        return (
            self._neighbours == earlier._neighbours
            and self._max_records_per_person == earlier._max_records_per_person
            and self._budget == earlier._budget
            and len(mine) >= len(others)
            and all(first.charge == second.charge for first, second in zip(mine, others))
        )

    @property
    def budget(self) -> Budget | None:
        """What all fits together may spend; None if there is no limit."""
        return self._budget

    @property
    def left(self) -> BudgetLeft | None:
        """What is left of the budget: an exact amount of epsilon (delta = 0) or of rho; None without one."""
        with self._lock:
            if self._budget is None:
                return None
            if self._budget.is_pure:
                return BudgetLeft("epsilon", self._budget.epsilon - sum(fit.epsilon for fit in self._fits))
            return BudgetLeft("rho", self._budget.rho - self.rho)

    @property
    def neighbours(self) -> Neighbours:
        """The neighbouring relation of the guarantee."""
        return self._neighbours

    @property
    def fits(self) -> tuple[LedgerFit, ...]:
        """All fits, in order."""
        with self._lock:
            return tuple(self._fits)

    @property
    def entries(self) -> tuple[LedgerEntry, ...]:
        """The mechanisms of all fits, in order."""
        return tuple(entry for fit in self.fits for entry in fit.entries)

    @property
    def is_private(self) -> bool:
        """Whether no fit used a seeded noise key. If False, the totals promise nothing."""
        return not any(fit.seeded for fit in self.fits)

    @property
    def pure_epsilon(self) -> Fraction | None:
        """Total in pure epsilon; None if some fit spent rho, for which no pure epsilon exists."""
        if any(not fit.is_pure for fit in self.fits):
            return None
        return sum((fit.epsilon for fit in self.fits), Fraction(0))

    @property
    def rho(self) -> Fraction:
        """Total in zero-concentrated differential privacy; a pure fit counts as epsilon^2 / 2."""
        return sum((fit.rho for fit in self.fits), Fraction(0))

    @property
    def delta(self) -> float:
        """Delta of the total in (epsilon, delta): the sum over the fits, or that of a budget in rho."""
        limit = self._budget
        if limit is not None and not limit.is_pure:
            return float(limit.delta)
        return min(1.0, float(sum(fit.delta for fit in self.fits)))

    @property
    def epsilon(self) -> float:
        """Epsilon of the total in (epsilon, delta): the sum over the fits or, if smaller, what rho gives.

        With a budget that counts rho it is what the total of rho means at the budget's delta, whatever delta
        the fits were given.
        """
        if self._budget is not None and not self._budget.is_pure:
            return epsilon_from_rho(self.rho, self.delta)
        total = float(sum(fit.epsilon for fit in self.fits))
        if len(self.fits) < 2 or not 0 < self.delta < 1:
            return total
        return min(total, epsilon_from_rho(self.rho, self.delta))

    def begin_fit(
        self, budget: Budget, *, schema_hash: str, seeded: bool, public_inputs: PublicInputs | None = None
    ) -> LedgerFit:
        """Charge a fit's whole budget. To be called before any statistic is taken.

        Parameters
        ----------
        budget : Budget
            What the fit may spend, all of it charged at once.
        schema_hash : str
            Hash of the schema that says which records are possible.
        seeded : bool
            Whether the noise key is derived from a seed: then the ledger is not private, for ever.
        public_inputs : mapping, optional
            Public quantities that the fit uses: seeds of public partitions, method, a declared length.

        Returns
        -------
        LedgerFit
            The new entry, as it is now: it has no mechanisms yet.

        Raises
        ------
        BudgetExceededError
            If the fit would exceed the ledger's budget; nothing is charged then.
        ValueError
            If the ledger is about persons with another number of records.
        """
        with self._lock:
            self.check_affordable(budget)
            fit = LedgerFit(
                epsilon=budget.epsilon,
                delta=budget.delta,
                rho=budget.rho,
                schema_hash=schema_hash,
                seeded=seeded,
                public_inputs=_as_kept(public_inputs or {}),
                library_version=__version__,
                is_rho=budget.is_rho,
                number=len(self._fits),
            )
            self._fits.append(fit)
            return fit

    def end_fit(self, fit: LedgerFit) -> None:
        """Say that a fit has ended, well or not. A ledger in a file then writes its mechanisms down there.

        Parameters
        ----------
        fit : LedgerFit
            What `begin_fit` returned.
        """

    def check_affordable(self, budget: Budget) -> None:
        """Refuse a fit that the ledger could not charge. Charges nothing.

        Raises
        ------
        BudgetExceededError
            If the fit would exceed the ledger's budget.
        ValueError
            If the ledger is about persons with another number of records, or is a copy of one that is charged
            elsewhere.
        """
        self._check_unit(budget)
        if self.is_copy:
            refused = ValueError if self._budget is None else BudgetExceededError
            raise refused(
                f"this is a copy, from {self._copied_from or _PROCESS}, of a ledger charged elsewhere: "
                "pass that ledger with ledger=, or one file for all processes (LedgerFile)"
            )
        with self._lock:
            left, limit = self.left, self._budget
        if left is None or limit is None:
            return
        if left.currency == "epsilon" and not budget.is_pure:
            raise BudgetExceededError(
                f"the fit asks for delta = {float(budget.delta):.3g}, the ledger's budget has delta = 0; "
                "nothing has been spent on it"
            )
        asked = budget.epsilon if left.currency == "epsilon" else budget.rho
        if asked > left.amount:
            whole = limit.epsilon if limit.is_pure else limit.rho
            raise BudgetExceededError(
                f"the fit asks for {left.currency} = {float(asked):.6g}, of the ledger's {left.currency} = "
                f"{float(whole):.6g} there is {float(left.amount):.6g} left; nothing has been spent on it"
            )

    def add_entry(
        self,
        query: str,
        *,
        l1: Fraction,
        l2_squared: Fraction,
        share: Fraction,
        distribution: Distribution,
        scale: Fraction,
        spent: Fraction,
        fit_number: int | None = None,
    ) -> LedgerEntry:
        """Write down a mechanism of a fit (the last one, if not said). To be called before its exact answer.

        Raises
        ------
        RuntimeError
            If no fit has begun.
        ValueError
            If the shares of the fit would add to more than 1.
        """
        with self._lock:
            if not self._fits:
                raise RuntimeError("a mechanism was declared before its fit began")
            number = len(self._fits) - 1 if fit_number is None else fit_number
            fit = self._fits[number]
            left = 1 - fit.shared
            if not 0 < share <= left:
                raise ValueError(
                    f"{query}: a share of {float(share):.6g} was asked for, of the fit's budget "
                    f"{float(left):.6g} is left"
                )
            stream = sum(len(each.entries) for each in self._fits)
            entry = LedgerEntry(stream, query, l1, l2_squared, share, distribution, scale, spent)
            self._fits[number] = replace(fit, entries=(*fit.entries, entry), shared=fit.shared + share)
            return entry

    def to_dict(self) -> dict[str, Any]:
        """Return the ledger as plain JSON values; exact amounts are texts such as "1/10"."""
        with self._lock:
            return self._to_dict(self._fits)

    def _to_dict(self, fits: Sequence[LedgerFit]) -> dict[str, Any]:
        pure = self.pure_epsilon
        return {
            "format": _FORMAT,
            "version": _VERSION,
            "neighbours": self._neighbours,
            "max_records_per_person": self._max_records_per_person,
            **({} if self._budget is None else {"budget": budget_to_dict(self._budget)}),
            "is_private": self.is_private,
            "total": {
                "epsilon": self.epsilon,
                "delta": self.delta,
                "rho": float(self.rho),
                "pure_epsilon": None if pure is None else float(pure),
            },
            "fits": [
                {
                    "epsilon": str(fit.epsilon),
                    "delta": str(fit.delta),
                    "rho": str(fit.rho),
                    **({"is_rho": True} if fit.is_rho else {}),
                    "schema_hash": fit.schema_hash,
                    "seeded": fit.seeded,
                    "public_inputs": {
                        key: list(value) if isinstance(value, tuple) else value
                        for key, value in fit.public_inputs.items()
                    },
                    "library_version": fit.library_version,
                    "mechanisms": [
                        {
                            "stream": entry.stream,
                            "query": entry.query,
                            "l1": str(entry.l1),
                            "l2_squared": str(entry.l2_squared),
                            "share": str(entry.share),
                            "distribution": entry.distribution,
                            "scale": str(entry.scale),
                            "spent": str(entry.spent),
                        }
                        for entry in fit.entries
                    ],
                }
                for fit in fits
            ],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> PrivacyLedger:
        """Read what :meth:`to_dict` gives.

        Raises
        ------
        ValueError
            If it is not a ledger, or one of another version.
        """
        if not isinstance(data, Mapping) or data.get("format") != _FORMAT or data.get("version") != _VERSION:
            raise ValueError(f"expected a {_FORMAT!r} of version {_VERSION}")
        try:
            k = data.get("max_records_per_person", 1)
            limit = budget_from_dict(data["budget"], k) if "budget" in data else None
            ledger = PrivacyLedger(data["neighbours"], max_records_per_person=k, budget=limit)
            for number, fit in enumerate(data["fits"]):
                ledger._fits.append(_fit_from_dict(fit, number, k))
            _check_streams(ledger.entries)
        except KeyError as error:
            raise ValueError(f"the privacy ledger is damaged: {error} is absent") from None
        except (TypeError, ValueError, AttributeError) as error:
            raise ValueError(f"the privacy ledger is damaged: {error}") from None
        return ledger

    def to_json(self) -> str:
        """Return the ledger as JSON text."""
        return json.dumps(self.to_dict(), indent=1)

    @classmethod
    def from_json(cls, text: str) -> PrivacyLedger:
        """Read what :meth:`to_json` gives; ValueError if it is not a ledger."""
        try:
            data = json.loads(text)
        except json.JSONDecodeError as error:
            raise ValueError(f"the privacy ledger is not JSON, line {error.lineno}: {error.msg}") from None
        except RecursionError:
            raise ValueError("the privacy ledger is not JSON of a ledger: it is nested too deeply") from None
        return cls.from_dict(data)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the ledger to a JSON file, whole or not at all; :meth:`load` goes on with it.

        Parameters
        ----------
        path : path
            The file; an existing one is replaced.
        """
        with written_whole(path) as file:
            file.write(self.to_json().encode())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> PrivacyLedger:
        """Read a ledger that :meth:`save` wrote, to go on with it: what it says has been spent stays spent.

        What is spent then is not in the file until it is saved again; a `LedgerFile` writes it at once.

        Parameters
        ----------
        path : path
            The file.

        Returns
        -------
        PrivacyLedger
            A ledger in memory.

        Raises
        ------
        ValueError
            If the file is not a ledger; the message names it.
        """
        try:
            with open(path, encoding="utf-8") as file:
                return cls.from_json(file.read())
        except ValueError as error:
            raise ValueError(f"{os.fspath(path)}: {error}") from None

    def sections(self) -> list[LedgerSection]:
        """Return the ledger as texts and tables for people: what holds for all of it, then fit by fit."""
        lines = ["Privacy ledger"]
        if not self.is_private:
            lines.append("NOT PRIVATE: a noise key was derived from a seed; what follows promises nothing")
        lines.append(f"  neighbours   {neighbours_text(self._neighbours, self._max_records_per_person)}")
        pure = self.pure_epsilon
        lines.append(
            f"  total        epsilon = {self.epsilon:.6g}, delta = {self.delta:.3g}"
            + (" (pure)" if pure is not None else "")
            + f"; rho = {float(self.rho):.6g} in zCDP"
        )
        left = self.left
        if left is not None:
            lines.append(
                f"  budget       {self._budget}; {left.currency} = {float(left.amount):.6g} is left for "
                "further fits"
            )
        remark = delta_remark(self.delta)
        if remark is not None:
            lines.append(f"  {remark}")
        return [LedgerSection(tuple(lines)), *(_section(i, fit) for i, fit in enumerate(self.fits, 1))]

    def to_text(self) -> str:
        """Return the ledger as text for people."""
        return "\n".join(section.to_text() for section in self.sections())

    def __str__(self) -> str:
        return self.to_text()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PrivacyLedger) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        made = own_ledger if self._is_own else copy_of_ledger
        return made, (self.to_dict(), self._copied_from or _PROCESS)

    def __copy__(self) -> PrivacyLedger:
        """Return the same ledger: two would each miss what is spent in the other."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> PrivacyLedger:
        return self

    def __repr__(self) -> str:
        private = "" if self.is_private else ", NOT PRIVATE"
        return (
            f"PrivacyLedger({self._neighbours!r}, epsilon={self.epsilon:.6g}, delta={self.delta:.3g}, "
            f"fits={len(self.fits)}{private})"
        )


def copy_of_ledger(data: Mapping[str, Any], source: str) -> PrivacyLedger:
    """Read a ledger that can be read but not charged; ValueError if it is not a ledger."""
    ledger = PrivacyLedger.from_dict(data)
    ledger._copied_from = source
    return ledger


def own_ledger(data: Mapping[str, Any], source: str) -> PrivacyLedger:
    """Read a ledger of one object, which goes on by itself; a copy of one with a budget does not."""
    ledger = PrivacyLedger.from_dict(data)
    ledger._is_own = ledger._budget is None
    ledger._copied_from = None if ledger._is_own else source
    return ledger


@dataclass(frozen=True)
class BudgetLeft:
    """What is left of a ledger's budget.

    Attributes
    ----------
    currency : str
        "epsilon" (a budget with delta = 0) or "rho".
    amount : Fraction
        Exact; 0 or less where nothing is left.
    """

    currency: Literal["epsilon", "rho"]
    amount: Fraction

    @property
    def epsilon(self) -> Fraction:
        """The amount, if it is one of epsilon; AttributeError otherwise."""
        if self.currency != "epsilon":
            raise AttributeError("what is left is an amount of rho")
        return self.amount

    @property
    def rho(self) -> Fraction:
        """The amount, if it is one of rho; AttributeError otherwise."""
        if self.currency != "rho":
            raise AttributeError("what is left is an amount of epsilon")
        return self.amount


def budget_to_dict(budget: Budget) -> dict[str, str]:
    """Return a budget as plain JSON values, but for the number of records of a person."""
    given = {"rho": str(budget.rho)} if budget.is_rho else {}
    return {"epsilon": str(budget.epsilon), "delta": str(budget.delta), **given}


def budget_from_dict(data: Mapping[str, Any], max_records_per_person: int) -> Budget:
    """Read what :func:`budget_to_dict` gives.

    Raises
    ------
    ValueError
        If an amount is none, or epsilon does not follow from rho and delta.
    """
    epsilon, delta = exact_ratio(data["epsilon"], "epsilon"), exact_ratio(data["delta"], "delta")
    if "rho" not in data:
        return Budget(epsilon, delta, max_records_per_person=max_records_per_person)
    rho = exact_ratio(data["rho"], "rho")
    budget = Budget(rho=rho, delta=delta, max_records_per_person=max_records_per_person)
    _check_near("epsilon", epsilon, budget.epsilon, "rho and delta")
    return budget


def _check_near(name: str, written: Fraction, found: Fraction, source: str) -> None:
    """Compare an amount that was found by logarithms, whose last bits differ from machine to machine."""
    if abs(written - found) > _TOLERANCE * found:
        raise ValueError(f"{name} = {float(written):.6g} does not follow from its {source}")


def _check_streams(entries: Sequence[LedgerEntry]) -> None:
    """Each mechanism has a number of its own; fits that went on together may have theirs in turn."""
    if sorted(entry.stream for entry in entries) != list(range(len(entries))):
        raise ValueError("its mechanisms are not numbered from 0 on, each by another number")


def _fit_from_dict(data: Mapping[str, Any], number: int, max_records_per_person: int) -> LedgerFit:
    """Read a fit, all amounts of which must be such as a fit can have."""
    is_rho = data.get("is_rho", False)
    if not isinstance(is_rho, bool):
        raise ValueError(f"is_rho must be true or false, got {is_rho!r}")
    rho = exact_ratio(data["rho"], "rho")
    amounts = {name: data[name] for name in ("epsilon", "delta", *(["rho"] if is_rho else []))}
    budget = budget_from_dict(amounts, max_records_per_person)
    if budget.is_pure and rho != budget.rho:
        raise ValueError(f"rho = {float(rho):.6g} does not follow from its epsilon and delta")
    _check_near("rho", rho, budget.rho, "epsilon and delta")
    total = budget.epsilon if budget.is_pure else rho
    if not isinstance(data["seeded"], bool):
        raise ValueError(f"seeded must be true or false, got {data['seeded']!r}")
    entries = tuple(_entry_from_dict(entry, budget.is_pure, total) for entry in data["mechanisms"])
    if any(first.stream >= second.stream for first, second in pairwise(entries)):
        raise ValueError("the mechanisms of a fit are not in the order of their numbers")
    shared = sum((entry.share for entry in entries), Fraction(0))
    if shared > 1:
        raise ValueError(f"the shares of a fit add to {float(shared):.6g}, more than 1")
    return LedgerFit(
        epsilon=exact_ratio(data["epsilon"], "epsilon"),
        delta=budget.delta,
        rho=rho,
        schema_hash=str(data["schema_hash"]),
        seeded=data["seeded"],
        public_inputs=_as_kept(dict(data["public_inputs"])),
        library_version=str(data["library_version"]),
        is_rho=is_rho,
        number=number,
        entries=entries,
        shared=shared,
    )


def _entry_from_dict(data: Mapping[str, Any], is_pure: bool, total: Fraction) -> LedgerEntry:
    """Read a mechanism: its noise is that of its fit's kind, and costs what is said, at most its share."""
    query = str(data["query"])
    amounts = {
        name: exact_ratio(data[name], f"{name} of {query!r}")
        for name in ("l1", "l2_squared", "share", "scale", "spent")
    }
    zero = next((name for name, amount in amounts.items() if amount == 0), None)
    if zero is not None:
        raise ValueError(f"{zero} of {query!r} must be positive")
    huge = next((name for name, amount in amounts.items() if amount > _LARGEST_AMOUNT), None)
    if huge is not None:
        raise ValueError(f"{huge} of {query!r} is beyond all that a fit can have")
    distribution: Distribution = "discrete Laplace" if is_pure else "discrete Gaussian"
    if data["distribution"] != distribution:
        raise ValueError(f"the noise of {query!r} must be {distribution}, got {data['distribution']!r}")
    if type(data["stream"]) is not int:
        raise ValueError(f"the number of {query!r} must be an integer, got {data['stream']!r}")
    entry = LedgerEntry(stream=data["stream"], query=query, distribution=distribution, **amounts)
    cost = entry.l1 / entry.scale if is_pure else entry.l2_squared / (2 * entry.scale)
    if entry.spent != cost or cost > entry.share * total:
        raise ValueError(f"what {query!r} spent does not follow from its noise, or is more than its share")
    return entry


def _charge_text(fit: LedgerFit) -> str:
    amounts = f"epsilon = {float(fit.epsilon):.6g}, delta = {float(fit.delta):.3g}"
    return f"rho = {float(fit.rho):.6g} in zCDP, as given ({amounts})" if fit.is_rho else amounts


def _section(number: int, fit: LedgerFit) -> LedgerSection:
    lines = [
        f"Fit {number}: {_charge_text(fit)}, charged in full when it began"
        + (" (SEEDED: not private)" if fit.seeded else ""),
        f"  covloss_fast {fit.library_version}, schema {fit.schema_hash[:16] or 'not given'}",
    ]
    if fit.public_inputs:
        lines.append(f"  public inputs: {public_inputs_text(fit.public_inputs)}")
    if fit.public_inputs.get("clamped"):
        lines.append(f"  {clamping_text(cast(Sequence[str], fit.public_inputs['clamped']))}")
    rows: list[tuple[str, ...]] = []
    for _, group in groupby(fit.entries, key=lambda entry: entry.query.partition(":")[0]):
        rows += _rows_of(list(group))
    rows.append(("not used, but charged", "", "", "", f"{float(1 - fit.shared):.4f}", ""))
    return LedgerSection(tuple(lines), "epsilon" if fit.is_pure else "rho", tuple(rows))


def _rows_of(entries: list[LedgerEntry]) -> list[tuple[str, ...]]:
    """Return a row for each mechanism of one kind, or one row for all where there are many."""
    if len(entries) > 8:
        kind = entries[0].query.partition(":")[0]
        scales = [_noise_text(entry) for entry in (min(entries, key=_scale), max(entries, key=_scale))]
        first, last = scales[0], scales[1].split()[-1]
        noise = first if first.split()[-1] == last else f"{first} to {last}"
        return [
            _row(
                f"{kind} ({len(entries):,} queries)",
                max(entry.l1 for entry in entries),
                max(entry.l2_squared for entry in entries),
                noise,
                sum((entry.share for entry in entries), Fraction(0)),
                sum((entry.spent for entry in entries), Fraction(0)),
            )
        ]
    return [
        _row(entry.query, entry.l1, entry.l2_squared, _noise_text(entry), entry.share, entry.spent)
        for entry in entries
    ]


def _scale(entry: LedgerEntry) -> Fraction:
    return entry.scale


def _noise_text(entry: LedgerEntry) -> str:
    if entry.distribution == "discrete Laplace":
        return f"Laplace, scale {float(entry.scale):.5g}"
    return f"Gaussian, sigma {float(entry.scale) ** 0.5:.5g}"


def _row(
    query: str, l1: Fraction, l2_squared: Fraction, noise: str, share: Fraction, spent: Fraction
) -> tuple[str, ...]:
    amounts = f"{float(l1):.6g}", f"{float(l2_squared) ** 0.5:.6g}"
    return query, *amounts, noise, f"{float(share):.4f}", f"{float(spent):.6g}"
