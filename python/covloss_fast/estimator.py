"""What both synthesizers have in common: parameters, keys, one ledger, one fit at a time."""

from __future__ import annotations

import hashlib
import operator
import os
import threading
import warnings
from fractions import Fraction
from typing import Any, ClassVar, TypeVar

import numpy as np

from covloss_fast._sklearn import refuse_target, tags
from covloss_fast.privacy.accounting import Budget
from covloss_fast.privacy.ledger import (
    LedgerFit,
    Neighbours,
    PrivacyLedger,
    PublicInputs,
    check_neighbours,
)
from covloss_fast.privacy.mechanisms import NoiseKey, NotPrivateWarning

_Self = TypeVar("_Self", bound="Estimator")


class NotFittedError(ValueError, AttributeError):
    """The synthesizer has not been fitted.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> schema = cf.Schema([cf.Binary("smoker")])
    >>> try:
    ...     cf.CovLossSynthesizer(schema, epsilon=1, delta=0).sample()
    ... except cf.NotFittedError:
    ...     print("fit comes first")
    fit comes first
    """


class Estimator:
    """A synthesizer: parameters as scikit-learn has them, and a ledger of all its fits."""

    _PARAMETERS: ClassVar[tuple[str, ...]]
    neighbours: Neighbours
    random_state: int | None
    epsilon: Any
    delta: Any
    rho: Any
    max_records_per_person: int
    ledger: PrivacyLedger | None
    ledger_: PrivacyLedger

    def __init__(self) -> None:
        self._fitting = threading.Lock()
        self._charged: LedgerFit | None = None  # the fit that is under way

    def fit(self: _Self, table: Any, y: None = None) -> _Self:
        """Fit, unless another fit of this object is under way."""
        refuse_target(y)
        if not self._fitting.acquire(blocking=False):
            raise RuntimeError("another fit of this object is under way: make an object for each")
        try:
            # Where the caller has made numpy raise instead of warn, a release that is charged would be lost.
            with np.errstate(divide="warn", over="warn", under="ignore", invalid="warn"):
                self._fit(table)
        finally:
            charged, self._charged = self._charged, None
            self._fitting.release()
            if charged is not None:
                self.ledger_.end_fit(charged)
        return self

    def _fit(self, table: Any) -> None:
        raise NotImplementedError

    def _charge(
        self, budget: Budget, schema_hash: str, seeded: bool, public_inputs: PublicInputs
    ) -> LedgerFit:
        """Charge a fit to the ledger of this object: one, since totals of two units would not add."""
        ledger = self.ledger
        if ledger is None and hasattr(self, "ledger_"):
            ledger = self.ledger_
        elif ledger is None:
            ledger = PrivacyLedger(self.neighbours, max_records_per_person=self.max_records_per_person)
            ledger._is_own = True
        self._charged = ledger.begin_fit(
            budget, schema_hash=schema_hash, seeded=seeded, public_inputs=public_inputs
        )
        self.ledger_ = ledger
        return self._charged

    def _budget(self) -> Budget:
        """What one fit may spend."""
        return Budget(
            self.epsilon, self.delta, rho=self.rho, max_records_per_person=self.max_records_per_person
        )

    def _check_unit_and_seed(self, budget: Budget, for_fit: bool) -> None:
        """Look at the neighbours, the ledger and the seed; nothing is charged.

        A ledger that is a copy does not know what is left, and is refused where a fit would charge it. A plan
        charges nothing.
        """
        check_neighbours(self.neighbours)
        if self.ledger is not None:
            if not isinstance(self.ledger, PrivacyLedger):
                raise ValueError(
                    f"ledger must be a covloss_fast.PrivacyLedger, got {type(self.ledger).__name__}"
                )
            mine = getattr(self, "ledger_", self.ledger)
            if mine is not self.ledger and not (mine.is_copy and self.ledger.continues(mine)):
                raise ValueError("this object has spent in another ledger; make another object for this one")
        ledger = self.ledger if self.ledger is not None else getattr(self, "ledger_", None)
        if ledger is not None:
            whose = "this object has spent" if self.ledger is None else "its ledger is"
            if ledger.neighbours != self.neighbours:
                raise ValueError(
                    f"{whose} for {ledger.neighbours} neighbours; make another one for {self.neighbours}"
                )
            if ledger.max_records_per_person != budget.max_records_per_person:
                raise ValueError(
                    f"{whose} for persons with at most {ledger.max_records_per_person:,} records; make "
                    f"another one for persons with {budget.max_records_per_person:,}"
                )
            if for_fit or not ledger.is_copy:
                ledger.check_affordable(budget)
        if self.random_state is not None:
            check_integer("random_state", self.random_state, 0, 2**128 - 1)

    def _keys(self) -> tuple[NoiseKey, bytes]:
        """The noise key and the public key; both from the operating system unless `random_state` is given."""
        if self.random_state is None:
            return NoiseKey.fresh(), os.urandom(32)
        warnings.warn(
            f"random_state={self.random_state} derives the noise from a number that others can guess: the "
            "release is not private, and is marked so",
            NotPrivateWarning,
            stacklevel=5,  # the caller of the synthesizer's own `fit`
        )
        seed = operator.index(self.random_state)
        return NoiseKey.from_seed(seed), hashlib.sha256(f"covloss_fast/1/public{seed}".encode()).digest()

    def _amounts(self) -> str:
        """The budget and the unit as a `repr` shows them."""
        first = f"epsilon={self.epsilon}" if self.rho is None else f"rho={self.rho}"
        k = self.max_records_per_person
        return f"{first}, delta={self.delta}" + (f", max_records_per_person={k}" if k != 1 else "")

    def _check_fitted(self) -> None:
        if not hasattr(self, "_model"):
            raise NotFittedError(f"this {type(self).__name__} is not fitted yet: call fit(table) first")

    # -- copies --

    def __getstate__(self) -> dict[str, Any]:
        """All but the fit that is under way. The ledger of a copy in this process is the same one."""
        return {name: value for name, value in vars(self).items() if name not in ("_fitting", "_charged")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        Estimator.__init__(self)

    # -- parameters, as scikit-learn has them --

    def __sklearn_tags__(self) -> Any:
        """Tags for scikit-learn, which asks for them."""
        return tags(is_transformer=False)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters of the constructor by name."""
        return {name: getattr(self, name) for name in self._PARAMETERS}

    def set_params(self: _Self, **params: Any) -> _Self:
        """Set parameters of the constructor; takes effect at the next ``fit``."""
        for name, value in params.items():
            if name not in self._PARAMETERS:
                raise ValueError(f"unknown parameter {name!r}; known: {', '.join(self._PARAMETERS)}")
            setattr(self, name, value)
        return self


def check_integer(name: str, value: Any, low: int, high: int) -> int:
    """Return an integer within limits; ValueError otherwise (a boolean is no integer here)."""
    if not isinstance(value, bool):
        try:
            number = operator.index(value)
        except TypeError:
            pass
        else:
            if low <= number <= high:
                return number
    raise ValueError(f"{name} must be an integer from {low:,} to {high:,}, got {value!r}")


def derive(key: bytes, purpose: str) -> bytes:
    """Return another key, for one purpose."""
    return hashlib.sha256(key + purpose.encode()).digest()


def rounding_key(random_state: int | None) -> bytes:
    """Return a key for drawing rows, which costs no privacy: fresh, or from a number."""
    if random_state is None:
        return os.urandom(32)
    number = check_integer("random_state", random_state, 0, 2**128 - 1)
    return hashlib.sha256(f"covloss_fast/1/rounding{number}".encode()).digest()


def shown_budget(budget: Budget) -> dict[str, Any]:
    """Return the parameters that make a budget; an exact amount as the float that it is, if it is one."""
    first = ("rho", budget.rho) if budget.is_rho else ("epsilon", budget.epsilon)
    amounts = {name: _shown(amount) for name, amount in (first, ("delta", budget.delta))}
    return {**amounts, "max_records_per_person": budget.max_records_per_person}


def _shown(amount: Fraction) -> Any:
    return float(amount) if Fraction(float(amount)) == amount else amount
