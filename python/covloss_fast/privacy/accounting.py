"""How much privacy is spent: pure epsilon, zero-concentrated (zCDP, rho), and (epsilon, delta).

Two currencies are spent inside a fit, and only two. With ``delta = 0`` the fit spends *epsilon*: discrete
Laplace noise, and epsilons add. With ``delta > 0`` it spends *rho*: a discrete Gaussian of variance sigma^2
on a query of l2 sensitivity D costs ``rho = D^2 / (2 sigma^2)``, and rhos add, adaptively too. Pure
epsilon-DP implies ``epsilon^2 / 2``-zCDP. The user's (epsilon, delta) is turned into rho once, at the start,
by the conversion of Canonne, Kamath and Steinke ("The discrete Gaussian for differential privacy", 2020,
corollary 13): a rho-zCDP mechanism is (epsilon, delta)-DP for

    delta = inf over a > 1 of  exp((a - 1)(a rho - epsilon) + a log(1 - 1/a)) / (a - 1).

Every a > 1 gives a valid delta, so that a search that stops short of the best a errs on the safe side. What
is left is the rounding of the logarithms, which a rigorous margin covers, and the ends of the bisections: the
end that promises less is returned (a smaller rho, a larger epsilon, a larger delta).

Amounts that are spent are exact fractions. A float is taken as the exact binary fraction that it is; whoever
means one tenth exactly writes ``"0.1"``, ``"1/10"``, a ``Decimal`` or a ``Fraction``.
"""

from __future__ import annotations

import math
import operator
import re
import sys
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import TypeAlias

Amount: TypeAlias = float | int | str | Fraction | Decimal

MAX_EPSILON = 1000
MAX_RECORDS_PER_PERSON = 2**20
#: A delta beyond this is no small probability: many a table has so many records.
LARGE_DELTA = 1e-5
_EPSILON_TEXT = f"epsilon must be a number in (0, {MAX_EPSILON}]"
_DELTA_TEXT = "delta must be a number in [0, 1), 0 for pure epsilon-differential privacy"

# Each term of the exponent is computed with a few roundings of relative size 2^-53; 32 of them are ample.
_MARGIN = 32 * sys.float_info.epsilon


def exact(value: object, otherwise: str) -> Fraction:
    """Return a number as the exact fraction that it is.

    Parameters
    ----------
    value : int, float, str, Fraction or Decimal
        A float counts as its exact binary value; text may be a decimal or a ratio, "0.1" or "1/10".
    otherwise : str
        What the value must be: the first half of the error message.

    Raises
    ------
    ValueError
        If the value is not a finite number (booleans are not numbers here).
    """
    try:
        if isinstance(value, bool):
            raise TypeError
        if isinstance(value, Rational):
            return Fraction(int(value.numerator), int(value.denominator))
        if isinstance(value, str | Decimal):
            return Fraction(value)
        if isinstance(value, Integral):
            return Fraction(int(value))
        if isinstance(value, Real):
            return Fraction(float(value))
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        pass
    raise ValueError(f"{otherwise}, got {value!r}") from None


_RATIO = re.compile(r"[0-9]{1,2500}(/[0-9]{1,2500})?", re.ASCII)


def exact_ratio(text: object, name: str) -> Fraction:
    """Read an exact amount from a file, where it stands as ``str`` writes a fraction that is not negative.

    Raises
    ------
    ValueError
        If it is anything else; exponents too, since a short text with one can be a number of huge length.
    """
    if isinstance(text, str) and _RATIO.fullmatch(text) and text.count("/0") == 0:
        return Fraction(text)
    raise ValueError(f'{name} must be a text such as "1/10", got {str(text)[:40]!r}')


def delta_remark(delta: float | Fraction) -> str | None:
    """Return what to say of a delta that is large; None if it is not.

    A method that publishes each record with probability delta would keep the promise. So delta should be far
    below one over the number of records, which this program must not compare it with where that is secret.
    """
    if float(delta) <= LARGE_DELTA:
        return None
    return (
        f"delta = {float(delta):.3g} is large: the promise would allow each record to be published with that "
        "probability; choose one far below 1 / (number of records), such as 1e-9"
    )


def _float_below(value: Fraction) -> float:
    """Return the largest float that is at most a non-negative fraction."""
    nearest = float(value)
    return nearest if nearest <= value else math.nextafter(nearest, 0.0)


def _log_fraction(a: float) -> float:
    """Return log(1 - 1/a) with a small relative error at both ends (a - 1 is exact for a < 2)."""
    return math.log((a - 1) / a) if a < 2 else math.log1p(-1 / a)


def _log_delta(rho: float, epsilon: float) -> float:
    """Return an upper bound of the logarithm of the delta of rho-zCDP at epsilon; may exceed 0."""
    # The derivative of the exponent in a has the sign of (2a - 1) rho - epsilon + log(1 - 1/a), increasing in
    # a.
    low = 1.0 + 1e-10
    high = (epsilon + 1.0) / (2.0 * rho) + 2.0
    for _ in range(200):
        a = (low + high) / 2
        if not low < a < high:
            break
        if (2 * a - 1) * rho - epsilon + _log_fraction(a) < 0:
            low = a
        else:
            high = a
    a = (low + high) / 2
    terms = ((a - 1) * a * rho, -(a - 1) * epsilon, a * _log_fraction(a), -math.log(a - 1))
    return math.fsum(terms) + _MARGIN * math.fsum(abs(term) for term in terms)


def delta_from_rho(rho: Amount, epsilon: Amount) -> float:
    """Return a delta such that rho-zCDP implies (epsilon, delta)-differential privacy.

    Parameters
    ----------
    rho : number
        At least 0.
    epsilon : number
        At least 0.

    Returns
    -------
    float
        At most 1; rounded upwards.
    """
    rho_exact = exact(rho, "rho must be a number of at least 0")
    epsilon_exact = exact(epsilon, "epsilon must be a number of at least 0")
    if rho_exact < 0 or epsilon_exact < 0:
        raise ValueError(f"rho and epsilon must be at least 0, got {rho!r} and {epsilon!r}")
    if rho_exact == 0:
        return 0.0
    rho_above = math.nextafter(float(rho_exact), math.inf)
    return min(1.0, math.exp(min(0.0, _log_delta(rho_above, _float_below(epsilon_exact)))) * (1 + 1e-15))


def rho_from_epsilon_delta(epsilon: Amount, delta: Amount) -> Fraction:
    """Return the largest rho for which rho-zCDP is seen to imply (epsilon, delta)-differential privacy.

    Parameters
    ----------
    epsilon : number
        In (0, 1000].
    delta : number
        In (0, 1).

    Returns
    -------
    Fraction
        The lower end of a bisection; never too large.

    Raises
    ------
    ValueError
        If an argument is out of its interval, or so small that nothing could be released.
    """
    budget_epsilon, budget_delta = _validated(epsilon, delta)
    if budget_delta == 0:
        raise ValueError("delta must be in (0, 1): with delta = 0 no positive rho is (epsilon, 0)-private")
    epsilon_float, delta_float = _float_below(budget_epsilon), _float_below(budget_delta)
    if delta_float < sys.float_info.min or epsilon_float < sys.float_info.min:
        raise ValueError(f"epsilon and delta must be at least {sys.float_info.min}")
    log_delta = math.log(delta_float)
    log_delta -= _MARGIN * abs(log_delta)
    low, high = 0.0, epsilon_float + 1.0
    while _log_delta(high, epsilon_float) <= log_delta:
        low, high = high, 2 * high
    while True:
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if _log_delta(middle, epsilon_float) <= log_delta:
            low = middle
        else:
            high = middle
        if low > 0 and high - low <= 1e-15 * high:
            break
    if low < sys.float_info.min:
        raise ValueError(f"epsilon = {epsilon} is too small to release anything at delta = {delta}")
    return Fraction(low)


def epsilon_from_rho(rho: Amount, delta: Amount) -> float:
    """Return an epsilon such that rho-zCDP implies (epsilon, delta)-differential privacy.

    Parameters
    ----------
    rho : number
        At least 0.
    delta : number
        In (0, 1).

    Returns
    -------
    float
        The upper end of a bisection; never too small.
    """
    rho_exact = exact(rho, "rho must be a number of at least 0")
    delta_exact = exact(delta, "delta must be a number in (0, 1)")
    if rho_exact < 0:
        raise ValueError(f"rho must be a number of at least 0, got {rho!r}")
    delta_float = _float_below(delta_exact)
    if not sys.float_info.min <= delta_float < 1:
        raise ValueError(f"delta must be a number in (0, 1), got {delta!r}")
    if rho_exact == 0:
        return 0.0
    rho_float = math.nextafter(float(rho_exact), math.inf)
    log_delta = math.log(delta_float)
    log_delta -= _MARGIN * abs(log_delta)
    # rho + 2 sqrt(rho log(1/delta)) always suffices (Bun and Steinke 2016); the search starts well above it.
    low, high = 0.0, 2 * (rho_float + 2 * math.sqrt(rho_float * -log_delta)) + 1e-9
    while _log_delta(rho_float, high) > log_delta:
        high *= 2
    while True:
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if _log_delta(rho_float, middle) <= log_delta:
            high = middle
        else:
            low = middle
        if high - low <= 1e-15 * high or high < 1e-12:
            break
    return high


def _validated(epsilon: object, delta: object) -> tuple[Fraction, Fraction]:
    epsilon_exact, delta_exact = exact(epsilon, _EPSILON_TEXT), exact(delta, _DELTA_TEXT)
    if not 0 < epsilon_exact <= MAX_EPSILON:
        raise ValueError(f"{_EPSILON_TEXT}, got {epsilon!r}")
    if not 0 <= delta_exact < 1:
        raise ValueError(f"{_DELTA_TEXT}, got {delta!r}")
    return epsilon_exact, delta_exact


@dataclass(frozen=True)
class Budget:
    """What one fit, or all that share a ledger, may spend, and for whom.

    Give epsilon and delta, or rho, a budget in zero-concentrated differential privacy. With rho the noise is
    that of rho exactly, and `delta` only says at which delta epsilon is reported, rounded upwards. The two
    directions are not the same: a rho that is found from epsilon and delta is rounded down.

    Parameters
    ----------
    epsilon : number, optional
        In (0, 1000].
    delta : number
        In [0, 1); 0 means pure epsilon-differential privacy. With rho: in (0, 1).
    rho : number, optional
        Positive, in place of epsilon; the epsilon that it means at this delta must be at most 1000.
    max_records_per_person : int
        The guarantee holds for persons with up to so many records: tables are neighbours that differ in all
        records of one person. Every sensitivity is multiplied by it.

    Attributes
    ----------
    epsilon, delta : Fraction
        The exact values of the arguments; with rho, epsilon is a valid one at delta.
    total : Fraction
        What the mechanisms share: epsilon if `is_pure`, else rho.
    is_rho : bool
        Whether rho was given.

    Raises
    ------
    ValueError
        If an argument is not a number in its interval, if epsilon and rho are given together, or neither.

    Examples
    --------
    >>> Budget("0.1", 0).total
    Fraction(1, 10)
    >>> budget = Budget(rho="0.02", delta=1e-9)
    >>> budget.total, round(float(budget.epsilon), 3)
    (Fraction(1, 50), 1.163)
    >>> budget.to_text()
    'rho = 0.02 in zCDP, as given: epsilon = 1.16329 at delta = 1e-09'
    """

    epsilon: Fraction
    delta: Fraction
    total: Fraction
    is_rho: bool
    max_records_per_person: int

    def __init__(
        self,
        epsilon: Amount | None = None,
        delta: Amount | None = None,
        *,
        rho: Amount | None = None,
        max_records_per_person: int = 1,
    ) -> None:
        if epsilon is not None and rho is not None:
            raise ValueError(f"give epsilon or rho, not both: got epsilon = {epsilon!r} and rho = {rho!r}")
        if rho is None:
            epsilon_exact, delta_exact = _validated(epsilon, delta)
            total = epsilon_exact if delta_exact == 0 else rho_from_epsilon_delta(epsilon_exact, delta_exact)
        else:
            total, delta_exact = _validated_rho(rho, delta)
            epsilon_exact = Fraction(epsilon_from_rho(total, delta_exact))
            if epsilon_exact > MAX_EPSILON:
                raise ValueError(
                    f"rho = {rho!r} means epsilon = {float(epsilon_exact):.6g} at delta = {delta!r}, more "
                    f"than {MAX_EPSILON}"
                )
        for name, value in (
            ("epsilon", epsilon_exact),
            ("delta", delta_exact),
            ("total", total),
            ("is_rho", rho is not None),
            ("max_records_per_person", check_records_per_person(max_records_per_person)),
        ):
            object.__setattr__(self, name, value)

    @property
    def is_pure(self) -> bool:
        """Whether the guarantee is pure epsilon-differential privacy, with Laplace noise throughout."""
        return self.delta == 0

    @property
    def rho(self) -> Fraction:
        """The cost in zCDP: epsilon^2 / 2 if pure."""
        return self.epsilon**2 / 2 if self.is_pure else self.total

    @property
    def total_per_record(self) -> Fraction:
        """What is left of `total` if the noise is read as that of one record: epsilon / k or rho / k^2."""
        k = self.max_records_per_person
        return self.total / (k if self.is_pure else k**2)

    def to_text(self) -> str:
        """Return the amounts as text for people."""
        epsilon, delta = f"epsilon = {float(self.epsilon):.6g}", f"delta = {float(self.delta):.3g}"
        if self.is_rho:
            return f"rho = {float(self.total):.6g} in zCDP, as given: {epsilon} at {delta}"
        return f"{epsilon}, {delta}"

    def __str__(self) -> str:
        return self.to_text()


def check_records_per_person(value: object) -> int:
    """Return the largest number of records of a person; ValueError if it is no integer of 1 to 2^20."""
    try:
        number = 0 if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = 0
    if not 1 <= number <= MAX_RECORDS_PER_PERSON:
        raise ValueError(
            f"max_records_per_person must be an integer from 1 to {MAX_RECORDS_PER_PERSON:,}, got {value!r}"
        )
    return number


def _validated_rho(rho: object, delta: object) -> tuple[Fraction, Fraction]:
    rho_exact, delta_exact = exact(rho, "rho must be a positive number"), exact(delta, _DELTA_TEXT)
    if rho_exact <= 0:
        raise ValueError(f"rho must be a positive number, got {rho!r}")
    if rho_exact > MAX_EPSILON:
        raise ValueError(f"rho must be at most {MAX_EPSILON}, got {rho!r}")
    if not 0 < delta_exact < 1:
        raise ValueError(
            f"with rho, delta says at which delta epsilon is reported: a number in (0, 1), got {delta!r}"
        )
    return rho_exact, delta_exact
