"""A ledger in a file, which processes share: one budget for all releases about the same persons.

The file is the account, memory a picture of it. A fit is charged in the file, under a lock, before any
exact value exists, and its charge never leaves the file. Its mechanisms stay in memory until it has ended:
they explain what was charged, and change no total. Two fits at once number their mechanisms alike; they are
numbered anew as they are written down, one after the other.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from json import dumps
from pathlib import Path
from shutil import copymode

from covloss_fast._files import locked, written_whole
from covloss_fast.privacy.accounting import Budget
from covloss_fast.privacy.ledger import LedgerFit, Neighbours, PrivacyLedger, PublicInputs


class LedgerFile(PrivacyLedger):
    """A privacy ledger that is kept in a file, which several processes may open at once.

    A fit is charged in the file before anything of its table is asked, under a lock, so that two processes
    cannot both spend the last of a budget; its mechanisms are written down there when it has ended. A process
    that dies in between has spent the whole of what it was charged. The file is replaced whole each time;
    beside it stands an empty one to lock (``.NAME.lock``), to be left alone.

    What it shows is what the file held when the last fit of this process was considered, began or ended.

    Parameters
    ----------
    path : path
        A file that exists, with what `PrivacyLedger.save`, `create` or ``covloss-fast ledger new`` wrote.

    Attributes
    ----------
    path : Path
        The file itself, whatever symbolic link it was opened by: so all names lock the same one. One with
        hard links is not charged, since each of its names would go its own way.
    undisturbed : callable
        Returns the context in which the file is changed: by default one that does nothing. The command line
        holds Ctrl-C off in it.

    Raises
    ------
    ValueError
        If the file is not a ledger; the message names it.
    OSError
        If it cannot be read.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> ledger = cf.LedgerFile.create("persons.json", "add_or_remove_one", budget=cf.Budget(2, 0))
    >>> schema = cf.Schema([cf.Binary("smoker"), cf.Binary("asthma")])
    >>> table = {"smoker": [True, False] * 50, "asthma": [True, False, False, False] * 25}
    >>> synth = cf.CovLossSynthesizer(schema, epsilon=1.5, delta=0, ledger=ledger).fit(table)

    Elsewhere, next year:

    >>> same = cf.LedgerFile("persons.json")
    >>> same.left.epsilon, len(same.entries) == len(ledger.entries)
    (Fraction(1, 2), True)
    >>> try:
    ...     cf.CovLossSynthesizer(schema, epsilon=1, delta=0, ledger=same).fit(table)
    ... except cf.BudgetExceededError as error:
    ...     print(error)
    the fit asks for epsilon = 1, of the ledger's epsilon = 2 there is 0.5 left; nothing has been spent on it

    What a fit does with it, by hand:

    >>> same.check_affordable(cf.Budget(0.5, 0))
    >>> fit = same.begin_fit(cf.Budget(0.5, 0), schema_hash=schema.hash, seeded=False)
    >>> same.end_fit(fit)
    >>> same.save("copy.json")
    >>> cf.PrivacyLedger.load("copy.json").left.epsilon
    Fraction(0, 1)
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        read = PrivacyLedger.load(path)
        super().__init__(
            read.neighbours, max_records_per_person=read.max_records_per_person, budget=read.budget
        )
        self._fits = list(read.fits)
        self._under_way: set[int] = set()
        self.path = Path(os.path.realpath(path))
        self.undisturbed: Callable[[], AbstractContextManager[None]] = nullcontext

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        neighbours: Neighbours,
        *,
        max_records_per_person: int = 1,
        budget: Budget | None = None,
    ) -> LedgerFile:
        """Begin a ledger in a new file.

        Parameters
        ----------
        path : path
            The file, which must not exist.
        neighbours, max_records_per_person, budget
            As for `PrivacyLedger`.

        Returns
        -------
        LedgerFile
            The ledger, opened.

        Raises
        ------
        FileExistsError
            If there is such a file: what it says has been spent stays spent.
        """
        ledger = PrivacyLedger(neighbours, max_records_per_person=max_records_per_person, budget=budget)
        with locked(path):
            if os.path.lexists(path):
                raise FileExistsError(
                    f"{os.fspath(path)}: exists already, and a ledger is never written over"
                )
            ledger.save(path)
        return cls(path)

    def begin_fit(
        self, budget: Budget, *, schema_hash: str, seeded: bool, public_inputs: PublicInputs | None = None
    ) -> LedgerFit:
        """Charge a fit's whole budget in the file, which is on disk when this returns.

        Parameters
        ----------
        budget, schema_hash, seeded, public_inputs
            As for `PrivacyLedger.begin_fit`.

        Returns
        -------
        LedgerFit
            The new entry.

        Raises
        ------
        BudgetExceededError
            If the fit would exceed what the file has left; nothing is charged then.
        OSError
            If the file cannot be written; nothing is charged then.
        """
        with self.undisturbed(), locked(self.path), self._lock:
            fit = super().begin_fit(
                budget, schema_hash=schema_hash, seeded=seeded, public_inputs=public_inputs
            )
            try:
                self._write()
            except BaseException:
                del self._fits[fit.number]
                raise
            self._under_way.add(fit.number)
        return fit

    def check_affordable(self, budget: Budget) -> None:
        """Refuse a fit that the file could not charge, as it is now. Charges nothing.

        Raises
        ------
        BudgetExceededError
            If the fit would exceed what is left.
        ValueError
            If the file is no longer the ledger that was opened, has two names (hard links), or is about other
            persons.
        """
        with self._lock:
            if not self.is_copy:
                self._look_again()
                self._check_name()
            super().check_affordable(budget)

    def end_fit(self, fit: LedgerFit) -> None:
        """Write the mechanisms of a fit to the file; a warning if that fails, since it has been paid for.

        Parameters
        ----------
        fit : LedgerFit
            What `begin_fit` returned.
        """
        try:
            with self.undisturbed(), locked(self.path), self._lock:
                self._look_again(first=fit.number)
                self._under_way.discard(fit.number)
                try:
                    self._write()
                except BaseException:
                    self._under_way.add(fit.number)
                    raise
        except (OSError, ValueError) as error:
            warnings.warn(
                f"{self.path}: the mechanisms of a fit could not be written down ({error}); what it was "
                "charged stands there",
                stacklevel=2,
            )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a copy to another file, as `PrivacyLedger.save`.

        Parameters
        ----------
        path : path
            The other file; ValueError if it is the one that the ledger is kept in.
        """
        if os.path.realpath(path) == str(self.path):
            raise ValueError(f"{os.fspath(path)}: is the file that this ledger is kept in")
        super().save(path)

    def _look_again(self, first: int | None = None) -> None:
        """Read the file; fits that are under way here, one of which may come first, keep their mechanisms."""
        now = PrivacyLedger.load(self.path)
        known = (len(fit.entries) for number, fit in enumerate(self._fits) if number not in self._under_way)
        found = (len(fit.entries) for number, fit in enumerate(now.fits) if number not in self._under_way)
        if not now.continues(self) or any(n > m for n, m in zip(known, found)):
            raise ValueError(
                f"{self.path}: is no longer the ledger that was opened: some of what it had charged is gone"
            )
        fits = list(now.fits)
        stream = len(now.entries)
        for number in sorted(self._under_way, key=lambda each: (each != first, each)):
            entries = self._fits[number].entries
            anew = tuple(replace(entry, stream=stream + i) for i, entry in enumerate(entries))
            fits[number] = replace(self._fits[number], entries=anew)
            stream += len(entries)
        self._fits = fits

    def _check_name(self) -> None:
        if os.stat(self.path).st_nlink > 1:
            raise ValueError(
                f"{self.path}: has another name (a hard link), and neither would see what the other spends: "
                "remove one"
            )

    def _write(self) -> None:
        fits = [fit.charge if number in self._under_way else fit for number, fit in enumerate(self._fits)]
        with written_whole(self.path) as file:
            copymode(self.path, file.name)
            file.write(dumps(self._to_dict(fits), indent=1).encode())
