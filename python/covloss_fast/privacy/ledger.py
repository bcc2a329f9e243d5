"""The list of everything spent: written before the data are read, never rewritten.

A fit is charged as a whole when it begins, so that one that is interrupted, or that leaves a part of its
budget unused, still counts in full. A second fit adds to the first. Each mechanism is written down before it
sees an exact value. Nothing in here depends on the records: under add-or-remove-one the number of records is
itself secret and does not occur.

Releases made with a seeded noise key can be undone by whoever guesses the seed. The fits that used one are
marked, and a ledger with such a fit is not private, for ever.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import groupby
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, cast, get_args

from covloss_fast._config import __version__
from covloss_fast.privacy.accounting import Budget, delta_remark, epsilon_from_rho, exact_ratio

Neighbours: TypeAlias = Literal["add_or_remove_one", "replace_one"]
Distribution: TypeAlias = Literal["discrete Laplace", "discrete Gaussian"]
PublicInputs: TypeAlias = Mapping[str, "str | int | float | bool | Sequence[int] | Sequence[str] | None"]

_FORMAT = "covloss_fast privacy ledger"
_VERSION = 1
_TOLERANCE = Fraction(1, 10**9)
_MEANING = {
    "add_or_remove_one": "tables that differ by the presence of one record; the number of records is secret",
    "replace_one": "tables of equal length that differ in one record; the number of records is public",
}


def check_neighbours(neighbours: object) -> Neighbours:
    """Return the neighbouring relation, or say which there are."""
    if neighbours not in get_args(Neighbours):
        raise ValueError(
            f"neighbours must be one of {', '.join(map(repr, get_args(Neighbours)))}, got {neighbours!r}"
        )
    return cast(Neighbours, neighbours)


def public_inputs_text(inputs: PublicInputs) -> str:
    """Return public inputs as text for people, by name: a file does not keep their order."""
    return ", ".join(f"{key} = {inputs[key]}" for key in sorted(inputs))


@dataclass(frozen=True)
class LedgerEntry:
    """One mechanism: a query, how far one record can move it, and the noise that hides this.

    Attributes
    ----------
    stream : int
        Number of the mechanism in its ledger, over all fits; also the stream of the noise generator.
    query : str
        What was asked. A text "kind: particular" is grouped by its kind where many are printed.
    l1, l2_squared : Fraction
        Sensitivity of the query: exact upper bounds of the l1 norm and of the squared l2 norm.
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
    entries: tuple[LedgerEntry, ...] = ()
    shared: Fraction = field(default=Fraction(0), compare=False)

    @property
    def is_pure(self) -> bool:
        """Whether the fit spends pure epsilon."""
        return self.delta == 0


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
    """Everything that the fits of one object have spent.

    Parameters
    ----------
    neighbours : {"add_or_remove_one", "replace_one"}
        Between which tables the guarantee speaks; the same for all fits of a ledger.

    Examples
    --------
    >>> ledger = PrivacyLedger("add_or_remove_one")
    >>> _ = ledger.begin_fit(Budget(1, 0), schema_hash="", seeded=False)
    >>> _ = ledger.begin_fit(Budget(2, 0), schema_hash="", seeded=False)
    >>> ledger.epsilon, ledger.delta, ledger.pure_epsilon
    (3.0, 0.0, Fraction(3, 1))
    """

    def __init__(self, neighbours: Neighbours) -> None:
        self._neighbours = check_neighbours(neighbours)
        self._fits: list[LedgerFit] = []

    @property
    def neighbours(self) -> Neighbours:
        """The neighbouring relation of the guarantee."""
        return self._neighbours

    @property
    def fits(self) -> tuple[LedgerFit, ...]:
        """All fits, in order."""
        return tuple(self._fits)

    @property
    def entries(self) -> tuple[LedgerEntry, ...]:
        """The mechanisms of all fits, in order."""
        return tuple(entry for fit in self._fits for entry in fit.entries)

    @property
    def is_private(self) -> bool:
        """Whether no fit used a seeded noise key. If False, the totals promise nothing."""
        return not any(fit.seeded for fit in self._fits)

    @property
    def pure_epsilon(self) -> Fraction | None:
        """Total in pure epsilon; None if some fit spent rho, for which no pure epsilon exists."""
        if any(not fit.is_pure for fit in self._fits):
            return None
        return sum((fit.epsilon for fit in self._fits), Fraction(0))

    @property
    def rho(self) -> Fraction:
        """Total in zero-concentrated differential privacy; a pure fit counts as epsilon^2 / 2."""
        return sum((fit.rho for fit in self._fits), Fraction(0))

    @property
    def delta(self) -> float:
        """Delta of the total in (epsilon, delta): the sum over the fits (1 at most)."""
        return min(1.0, float(sum(fit.delta for fit in self._fits)))

    @property
    def epsilon(self) -> float:
        """Epsilon of the total in (epsilon, delta): the sum over the fits or, if smaller, what rho gives."""
        total = float(sum(fit.epsilon for fit in self._fits))
        if len(self._fits) < 2 or not 0 < self.delta < 1:
            return total
        return min(total, epsilon_from_rho(self.rho, self.delta))

    def begin_fit(
        self, budget: Budget, *, schema_hash: str, seeded: bool, public_inputs: PublicInputs | None = None
    ) -> LedgerFit:
        """Charge a fit's whole budget. To be called before any record is read.

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
            The new entry; the ledger replaces it when mechanisms are added.
        """
        fit = LedgerFit(
            epsilon=budget.epsilon,
            delta=budget.delta,
            rho=budget.rho,
            schema_hash=schema_hash,
            seeded=seeded,
            public_inputs=MappingProxyType(dict(public_inputs or {})),
            library_version=__version__,
        )
        self._fits.append(fit)
        return fit

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
    ) -> LedgerEntry:
        """Write down a mechanism of the current fit. To be called before its exact answer is computed.

        Raises
        ------
        RuntimeError
            If no fit has begun.
        ValueError
            If the shares of the fit would add to more than 1.
        """
        if not self._fits:
            raise RuntimeError("a mechanism was declared before its fit began")
        fit = self._fits[-1]
        if not 0 < share <= 1 - fit.shared:
            raise ValueError(
                f"{query}: a share of {float(share):.6g} was asked for, of the fit's budget "
                f"{float(1 - fit.shared):.6g} is left"
            )
        stream = sum(len(earlier.entries) for earlier in self._fits)
        entry = LedgerEntry(stream, query, l1, l2_squared, share, distribution, scale, spent)
        self._fits[-1] = replace(fit, entries=(*fit.entries, entry), shared=fit.shared + share)
        return entry

    def to_dict(self) -> dict[str, Any]:
        """Return the ledger as plain JSON values; exact amounts are texts such as "1/10"."""
        pure = self.pure_epsilon
        return {
            "format": _FORMAT,
            "version": _VERSION,
            "neighbours": self._neighbours,
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
                for fit in self._fits
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
            ledger = cls(data["neighbours"])
            for fit in data["fits"]:
                ledger._fits.append(_fit_from_dict(fit, len(ledger.entries)))
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
        return cls.from_dict(data)

    def sections(self) -> list[LedgerSection]:
        """Return the ledger as texts and tables for people: what holds for all of it, then fit by fit."""
        lines = ["Privacy ledger"]
        if not self.is_private:
            lines.append("NOT PRIVATE: a noise key was derived from a seed; what follows promises nothing")
        lines.append(f"  neighbours   {self._neighbours}: {_MEANING[self._neighbours]}")
        pure = self.pure_epsilon
        lines.append(
            f"  total        epsilon = {self.epsilon:.6g}, delta = {self.delta:.3g}"
            + (" (pure)" if pure is not None else "")
            + f"; rho = {float(self.rho):.6g} in zCDP"
        )
        remark = delta_remark(self.delta)
        if remark is not None:
            lines.append(f"  {remark}")
        return [LedgerSection(tuple(lines)), *(_section(i, fit) for i, fit in enumerate(self._fits, 1))]

    def to_text(self) -> str:
        """Return the ledger as text for people."""
        return "\n".join(section.to_text() for section in self.sections())

    def __str__(self) -> str:
        return self.to_text()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PrivacyLedger) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return PrivacyLedger.from_dict, (self.to_dict(),)

    def __repr__(self) -> str:
        private = "" if self.is_private else ", NOT PRIVATE"
        return (
            f"PrivacyLedger({self._neighbours!r}, epsilon={self.epsilon:.6g}, delta={self.delta:.3g}, "
            f"fits={len(self._fits)}{private})"
        )


def _fit_from_dict(data: Mapping[str, Any], first_stream: int) -> LedgerFit:
    """Read a fit, all amounts of which must be such as a fit can have."""
    budget = Budget(exact_ratio(data["epsilon"], "epsilon"), exact_ratio(data["delta"], "delta"))
    rho = exact_ratio(data["rho"], "rho")
    # Found by logarithms, whose last bits differ from machine to machine.
    if not abs(rho - budget.rho) <= (0 if budget.is_pure else _TOLERANCE * budget.rho):
        raise ValueError(f"rho = {float(rho):.6g} does not follow from its epsilon and delta")
    total = budget.epsilon if budget.is_pure else rho
    if not isinstance(data["seeded"], bool):
        raise ValueError(f"seeded must be true or false, got {data['seeded']!r}")
    entries = tuple(
        _entry_from_dict(entry, first_stream + number, budget.is_pure, total)
        for number, entry in enumerate(data["mechanisms"])
    )
    shared = sum((entry.share for entry in entries), Fraction(0))
    if shared > 1:
        raise ValueError(f"the shares of a fit add to {float(shared):.6g}, more than 1")
    return LedgerFit(
        epsilon=budget.epsilon,
        delta=budget.delta,
        rho=rho,
        schema_hash=str(data["schema_hash"]),
        seeded=data["seeded"],
        public_inputs=MappingProxyType(dict(data["public_inputs"])),
        library_version=str(data["library_version"]),
        entries=entries,
        shared=shared,
    )


def _entry_from_dict(data: Mapping[str, Any], stream: int, is_pure: bool, total: Fraction) -> LedgerEntry:
    """Read a mechanism: its noise is that of its fit's kind, and costs what is said, at most its share."""
    query = str(data["query"])
    amounts = {
        name: exact_ratio(data[name], f"{name} of {query!r}")
        for name in ("l1", "l2_squared", "share", "scale", "spent")
    }
    zero = next((name for name, amount in amounts.items() if amount == 0), None)
    if zero is not None:
        raise ValueError(f"{zero} of {query!r} must be positive")
    distribution: Distribution = "discrete Laplace" if is_pure else "discrete Gaussian"
    if data["distribution"] != distribution:
        raise ValueError(f"the noise of {query!r} must be {distribution}, got {data['distribution']!r}")
    if data["stream"] is True or data["stream"] != stream:
        raise ValueError(f"{query!r} must be mechanism {stream}, got {data['stream']!r}")
    entry = LedgerEntry(stream=stream, query=query, distribution=distribution, **amounts)
    cost = entry.l1 / entry.scale if is_pure else entry.l2_squared / (2 * entry.scale)
    if entry.spent != cost or cost > entry.share * total:
        raise ValueError(f"what {query!r} spent does not follow from its noise, or is more than its share")
    return entry


def _section(number: int, fit: LedgerFit) -> LedgerSection:
    lines = [
        f"Fit {number}: epsilon = {float(fit.epsilon):.6g}, delta = {float(fit.delta):.3g}, "
        f"charged in full when it began" + (" (SEEDED: not private)" if fit.seeded else ""),
        f"  covloss_fast {fit.library_version}, schema {fit.schema_hash[:16] or 'not given'}",
    ]
    if fit.public_inputs:
        lines.append(f"  public inputs: {public_inputs_text(fit.public_inputs)}")
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
