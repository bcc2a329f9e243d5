"""The door: what one record can move, the noise that hides it, and the only place where the two meet.

Left of a :class:`Mechanism` stand exact integers, right of it released values. The order is fixed by the API:
a mechanism is declared, which writes the ledger, and only then can an exact answer be passed through it,
once. The noise is drawn on integers by exact samplers (Canonne, Kamath and Steinke 2020) and added to
integers, so that no floating-point number can betray the exact answer by its last bits (Mironov 2012).

Every sensitivity of the library is a function in this module, with its proof. ``n_binary`` attributes of two
levels enter sums as z = +-1; ``n_categorical`` others enter as one-hot groups (one 1 in each record). The
bounds hold for every pair of neighbouring tables over such a schema, and are attained where every attribute
has at least two levels and, for blocks, where there are at least two. Vectors enter as integer rows, held to
their `RowBounds` when they are rounded, so that it is the rounded record that the bounds speak of.

Scales and variances are rationals rounded up, with numerators of about 32 bits where that is precise enough:
a relative excess of at most 2^-30, never a deficit, and products that the sampler handles in machine words.
"""

from __future__ import annotations

import hashlib
import math
import operator
import os
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn, TypeAlias

import numpy as np
from numpy.typing import NDArray

from covloss_fast._core import noise
from covloss_fast._threads import resolve_n_threads
from covloss_fast.convex_sets import RowBounds
from covloss_fast.privacy.accounting import Amount, Budget, exact
from covloss_fast.privacy.ledger import (
    Distribution,
    LedgerEntry,
    LedgerFit,
    Neighbours,
    PrivacyLedger,
    check_neighbours,
)

__all__ = [
    "CERTIFICATE_UNIT",
    "Door",
    "Mechanism",
    "Neighbours",
    "NoiseKey",
    "NotPrivateWarning",
    "Sensitivity",
    "all_pairs",
    "balanced_count_weight",
    "block_counts",
    "block_statistics",
    "certificate",
    "damped_means",
    "free_count_weight",
    "noise_scale",
    "one_way",
    "pair_score",
    "pair_table",
    "proportional_shares",
    "record_count",
    "round_up",
    "vector_blocks",
    "vector_second_moment",
    "vector_sum",
]

Int64Array: TypeAlias = NDArray[np.int64]

CERTIFICATE_UNIT = 2**10
"""Integer steps in one count of the certificate's query."""

_MAX_TERM = 2**62
_MAX_LAPLACE_SCALE = 2**40
_SHORT_TERM = 2**32


class NotPrivateWarning(UserWarning):
    """A release whose noise key is derived from a seed: whoever guesses the seed can take the noise off.

    Examples
    --------
    >>> import warnings
    >>> import covloss_fast as cf
    >>> schema = cf.Schema([cf.Binary("smoker")])
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     synth = cf.CovLossSynthesizer(schema, epsilon=1, delta=0, random_state=1).fit({"smoker": [True]})
    >>> caught[0].category.__name__, synth.ledger_.is_private
    ('NotPrivateWarning', False)
    """


# ---------------------------------------------------------------------------- sensitivities


@dataclass(frozen=True)
class Sensitivity:
    """How far one record can move a query: exact bounds over all pairs of neighbouring tables.

    Attributes
    ----------
    l1 : int or Fraction
        Bound of the l1 norm of the difference.
    l2_squared : int or Fraction
        Bound of the squared l2 norm of the difference.
    """

    l1: int | Fraction
    l2_squared: int | Fraction

    def __post_init__(self) -> None:
        if not (self.l1 > 0 and self.l2_squared > 0):
            raise ValueError(f"a sensitivity must be positive, got {self}")

    def of_person(self, n_records: int) -> Sensitivity:
        """Return how far all records of one person together can move the query, if they are at most so many.

        Tables T and T' that differ in the j <= k records of a person are the ends of a chain T = T_0, T_1,
        ..., T_j = T' of neighbours: records are added, removed or replaced one after the other. In any norm
        || q(T') - q(T) || <= sum_i || q(T_i) - q(T_(i-1)) || <= k D, by the triangle inequality. So l1 grows
        by k and the squared l2 norm by k^2; both are attained where k records can move the query the same
        way. The query is fixed by what was released before it, so T and T' themselves are compared at every
        step: composition is over mechanisms, not over the chain. The chain would cost k epsilon, and k
        e^((k-1) epsilon) times delta; here epsilon and delta are those of T and T'.
        """
        return Sensitivity(n_records * self.l1, n_records**2 * self.l2_squared)


def _counts(n_binary: int, n_categorical: int) -> int:
    if n_binary < 0 or n_categorical < 0 or n_binary + n_categorical == 0:
        raise ValueError(
            f"at least one attribute is needed, got {n_binary} binary and {n_categorical} categorical"
        )
    return n_binary + n_categorical


def record_count(neighbours: Neighbours) -> Sensitivity:
    """Return the sensitivity of the number of records.

    One record more or less changes it by 1. Under replace-one the number is public and must not be queried.
    """
    if check_neighbours(neighbours) == "replace_one":
        raise ValueError("under replace_one the number of records is public; nothing is spent on it")
    return Sensitivity(1, 1)


def one_way(n_binary: int, n_categorical: int, neighbours: Neighbours) -> Sensitivity:
    """Return the sensitivity of all 1-way counts at once: sums of z, and histograms.

    Add or remove: each attribute contributes one entry of size 1. Replace: a binary attribute that changes
    moves its sum by 2 (l1 2, squared 4), a categorical one moves two cells by 1 (l1 2, squared 2); all can
    change. The histogram of one attribute is ``one_way(0, 1)``.
    """
    q = _counts(n_binary, n_categorical)
    if check_neighbours(neighbours) == "add_or_remove_one":
        return Sensitivity(q, q)
    return Sensitivity(2 * q, 4 * n_binary + 2 * n_categorical)


def all_pairs(n_binary: int, n_categorical: int, neighbours: Neighbours) -> Sensitivity:
    """Return the sensitivity of all pairs of attributes at once.

    A pair of binary attributes is one sum of z_a z_b; a binary and a categorical one are the sums of z_a over
    each level; two categorical ones are their table of counts. (The diagonal is known from elsewhere.)

    Add or remove: one entry of size 1 in each of the C(q, 2) pairs. Replace, where h binary and g categorical
    attributes change, b and c of them in all:

    * binary-binary: exactly the h (b - h) pairs with one change flip: l1 2, squared 4 each;
    * binary-categorical: where the level changes, two cells move by 1 whether or not z flips: g b pairs, l1
      2, squared 2; where it stays and z flips, one cell moves by 2: h (c - g) pairs, l1 2, squared 4;
    * categorical-categorical: all but the C(c - g, 2) pairs without a change move two cells by 1.

    The maximum over h and g is taken by enumeration. It is attained. For c = 0 it is l1 = 2 floor(b^2/4).

    Raises
    ------
    ValueError
        If there are fewer than two attributes.
    """
    b, c = n_binary, n_categorical
    q = _counts(b, c)
    if q < 2:
        raise ValueError("pairs need at least two attributes")
    if check_neighbours(neighbours) == "add_or_remove_one":
        return Sensitivity(math.comb(q, 2), math.comb(q, 2))
    l1 = l2_squared = 0
    for h in range(b + 1):
        for g in range(c + 1):
            ones = b * g + math.comb(c, 2) - math.comb(c - g, 2)
            twos = h * (b - h) + h * (c - g)
            l1 = max(l1, 2 * twos + 2 * ones)
            l2_squared = max(l2_squared, 4 * twos + 2 * ones)
    return Sensitivity(l1, l2_squared)


def block_counts(neighbours: Neighbours) -> Sensitivity:
    """Return the sensitivity of the numbers of records in all blocks.

    A record counts in one block. Replace: it leaves one block and enters another.
    """
    if check_neighbours(neighbours) == "add_or_remove_one":
        return Sensitivity(1, 1)
    return Sensitivity(2, 2)


def block_statistics(
    n_binary: int, n_categorical: int, neighbours: Neighbours, count_weight: int = 1
) -> Sensitivity:
    """Return the sensitivity of (w c_j, T_j) over all blocks: weighted counts, and sums over each block.

    The sums are of z for binary attributes and of one-hot rows for the others. A weight w > 1 buys better
    counts with the same noise on all entries (the released count is divided by w afterwards).

    Add or remove: one block moves by w and by q entries of size 1: l1 = w + q, squared w^2 + q. Replace, into
    another block: twice that. Replace, in the same block: the count stays, a binary sum moves by 2 and a
    one-hot group moves two cells by 1: l1 2 q, squared 4 b + 2 c.

    Raises
    ------
    ValueError
        If there is no attribute or the weight is less than 1.
    """
    q, w = _counts(n_binary, n_categorical), operator.index(count_weight)
    if w < 1:
        raise ValueError(f"count_weight must be an integer of at least 1, got {count_weight!r}")
    if check_neighbours(neighbours) == "add_or_remove_one":
        return Sensitivity(w + q, w * w + q)
    return Sensitivity(2 * (w + q), max(2 * (w * w + q), 4 * n_binary + 2 * n_categorical))


def free_count_weight(n_binary: int, neighbours: Neighbours, is_pure: bool) -> int:
    """Return the weight of the counts of blocks beside sums of z: the largest that adds no noise to the sums.

    Under replace-one the largest l2 move is that of a record which stays in its block, 4 b, in which counts
    take no part: they are free up to 2 (w^2 + b) <= 4 b, w = floor(sqrt b). In every other case a weight
    costs the sums something, and it is 1: sums matter more to what is made of blocks here. (The weights that
    a bound of the total error asks for, about (2 b)^(1/3) for Gaussian and sqrt(b) for Laplace noise, were
    measured, six seeds, 64 blocks of 200,000 records of 50 attributes, "mixture of 15, large" of
    benchmarks/generated.py, epsilon = 1. Under add-or-remove-one the error of 3-way marginals went from
    .00073 at w = 1 to .00080 at w = 5 with delta = 1e-9, from .00345 to .00369 at w = 7 with delta = 0; w = 2
    made no difference beyond the standard error. Under replace-one and delta = 1e-9 the free w = 7 took it
    from .00115 to .00111; on its "sparse mixture of 30", at epsilon = 3, w = 10 from .00100 to .00095.)
    """
    if is_pure or check_neighbours(neighbours) == "add_or_remove_one":
        return 1
    return max(1, math.isqrt(n_binary))


def balanced_count_weight(n_binary: int) -> int:
    """Return the weight of counts beside sums at which Laplace noise of both adds least to block means.

    With noise a of the counts and c of the p sums of z, 1/a + p/c = epsilon, the sum p a + p c (each sum is
    read against its count) is least at c/a = sqrt p. The weight is an integer: floor(sqrt p).
    """
    return max(1, math.isqrt(n_binary))


def pair_table(neighbours: Neighbours) -> Sensitivity:
    """Return the sensitivity of the full table of counts of one pair of attributes.

    A record counts in one cell. Replace: it leaves one cell and enters another.
    """
    return block_counts(neighbours)


def pair_score(n_pairs: int, neighbours: Neighbours) -> Sensitivity:
    """Return the sensitivity of ``n_pairs`` scores ``|| N_ab - R_ab ||_1``, R fixed beforehand, jointly.

    By the triangle inequality a score moves by at most the l1 change of its table N_ab: 1 where a record is
    added or removed, 2 where it is replaced.
    """
    if n_pairs < 1:
        raise ValueError(f"at least one pair is needed, got {n_pairs}")
    step = 1 if check_neighbours(neighbours) == "add_or_remove_one" else 2
    return Sensitivity(n_pairs * step, n_pairs * step**2)


def damped_means(sizes: Sequence[int], scale: int, damping: int, neighbours: Neighbours) -> Sensitivity:
    """Return the sensitivity of ``floor(scale S_j / max(c_j, damping))`` over all blocks j.

    S_j is the sum over block j of rows of bits (paper, section 5.4, in integers): one bit for an attribute of
    two levels, a one-hot group for any other. Let x be added to a block of c rows with means m = S/c, b the
    damping. A real number that moves by at most d has a floor that moves by at most ceil(d).

    * c + 1 <= b: S/b moves by x/b: of each attribute one entry by at most 1/b.
    * c >= b: S/c moves by (x - m)/(c + 1): each entry by at most 1/(c + 1) <= 1/(b + 1), so its floor by at
      most u = ceil(scale/(b + 1)). In a group of s levels that of x rises and the others fall. The means of a
      group add to 1, so that its floors add to at most scale and to more than scale - s, before and after:
      the falls together exceed the rise by at most s - 1. So the group's l1 move is at most 2 u + s - 1 and
      at most s u, whereas all s entries on their own would have s ceil(scale/b). Its squared l2 move is at
      most that of the rise, u^2, plus that of falls of at most u each: u times their sum. (The mean of a
      single level is 1 and does not move.)

    A block is in one of the two cases for all of its attributes, whose moves add. Replace: two blocks, or one
    block twice.

    Parameters
    ----------
    sizes : sequence of int
        Number of levels of each attribute.
    scale, damping : int
        At least 1.
    neighbours : {"add_or_remove_one", "replace_one"}
        The neighbouring relation.

    Raises
    ------
    ValueError
        If an argument is less than 1, or there is no attribute.
    """
    if len(sizes) == 0 or min(sizes) < 1 or scale < 1 or damping < 1:
        raise ValueError(
            "there must be an attribute, and sizes, scale and damping must be integers of at least 1, got "
            f"{tuple(sizes)}, {scale}, {damping}"
        )
    damped, u = -(-scale // damping), -(-scale // (damping + 1))
    falls = [0 if size == 2 else min((size - 1) * u, u + size - 1) for size in sizes if size > 1]
    l1 = max(len(sizes) * damped, sum(u + fall for fall in falls))
    l2_squared = max(len(sizes) * damped**2, sum(u**2 + u * fall for fall in falls))
    blocks = 1 if check_neighbours(neighbours) == "add_or_remove_one" else 2
    return Sensitivity(blocks * l1, blocks * l2_squared)


def vector_sum(bounds: RowBounds, neighbours: Neighbours) -> Sensitivity:
    """Return the sensitivity of the sum of all integer rows: a row's own norms, or those of a difference."""
    if check_neighbours(neighbours) == "add_or_remove_one":
        return Sensitivity(bounds.l1, bounds.l2_squared)
    return Sensitivity(bounds.apart_l1, bounds.apart_l2_squared)


def vector_second_moment(bounds: RowBounds, neighbours: Neighbours) -> Sensitivity:
    """Return the sensitivity of the upper triangle, diagonal included, of the sum of v v^T over integer rows.

    Let a bound ||v||_1, b bound ||v||_2^2 and e each |v_i|. Add or remove: v v^T has the l1 norm ||v||_1^2,
    of which ||v||_2^2 on the diagonal, and the upper triangle has half of their sum: at most (a^2 + b)/2. In
    the same way its squared l2 norm is (||v||_2^4 + sum v_i^4)/2 <= (b^2 + e^2 b)/2.

    Replace: D = v v^T - w w^T has ||D||_F^2 = ||v||^4 + ||w||^4 - 2 <v, w>^2 <= 2 b^2; on its diagonal
    sum |v_i^2 - w_i^2| <= 2 b and sum (v_i^2 - w_i^2)^2 <= min(2 e^2 b, p e^4). So the triangle's l1 norm is
    at most (||D||_1 + 2 b)/2 with ||D||_1 <= p ||D||_F (Cauchy-Schwarz), and never more than twice that of
    a record; its squared l2 norm is at most (2 b^2 + min(2 e^2 b, p e^4))/2. Integers are at most the integer
    part of a bound.
    """
    p, a, b, e = bounds.n_features, bounds.l1, bounds.l2_squared, bounds.largest
    l1 = (a * a + b) // 2
    if check_neighbours(neighbours) == "add_or_remove_one":
        return Sensitivity(l1, (b * b + e * e * b) // 2)
    spread = (math.isqrt(2 * p * p * b * b) + 2 * b) // 2
    return Sensitivity(min(2 * l1, spread), (2 * b * b + min(2 * e * e * b, p * e**4)) // 2)


def vector_blocks(bounds: RowBounds, count_weight: int, neighbours: Neighbours) -> Sensitivity:
    """Return the sensitivity of (w c_j, S_j) over all blocks: weighted counts, and sums of integer rows.

    Add or remove: one block moves by w and by the row. Replace, into another block: both of two blocks by
    theirs. Replace, in the same block: the count stays and the sum moves by the difference of two rows.
    """
    w = operator.index(count_weight)
    if w < 1:
        raise ValueError(f"count_weight must be an integer of at least 1, got {count_weight!r}")
    if check_neighbours(neighbours) == "add_or_remove_one":
        return Sensitivity(w + bounds.l1, w * w + bounds.l2_squared)
    return Sensitivity(
        max(2 * (w + bounds.l1), bounds.apart_l1),
        max(2 * (w * w + bounds.l2_squared), bounds.apart_l2_squared),
    )


def certificate(neighbours: Neighbours) -> Sensitivity:
    """Return the sensitivity of the certificate's query of one degree, in units of 2^-10 counts.

    The query is floor(2^10 g), g = || N - n M ||_2 / sqrt(|S|), with N the true counts of a fixed family S
    and M the fractions in the fixed released table. One record changes N - n M by x - M or by x - x', entries
    in [-1, 1], so g moves by at most 1, and a floor moves by at most the integer 2^10. Both relations.
    """
    check_neighbours(neighbours)
    return Sensitivity(CERTIFICATE_UNIT, CERTIFICATE_UNIT**2)


# ------------------------------------------------------------------------------------ noise


def round_up(value: Fraction) -> Fraction:
    """Return a ratio of bounded integers that is at least `value`.

    Parameters
    ----------
    value : Fraction
        Positive.

    Returns
    -------
    Fraction
        `value` itself where numerator and denominator are below 2^32; else a multiple of 2^-j with a
        numerator of 31 or 32 bits: an excess of at most one part in 2^30 (for values below 2^-30, of at most
        2^-62).
    """
    if value.numerator < _SHORT_TERM and value.denominator < _SHORT_TERM:
        return value
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    denominator = 2 ** min(62, max(0, 31 - exponent))
    return Fraction(math.ceil(value * denominator), denominator)


def noise_scale(budget: Budget, sensitivity: Sensitivity, share: Fraction) -> Fraction:
    """Return the Laplace scale (pure) or Gaussian sigma^2 that a share of a budget gives; spends nothing.

    Parameters
    ----------
    budget : Budget
        What the fit may spend, and how many records a person can have.
    sensitivity : Sensitivity
        Of one record.
    share : Fraction
        Part of the budget.

    Raises
    ------
    ValueError
        If the noise would be too large for exact 64-bit arithmetic.
    """
    amount, moved = share * budget.total, sensitivity.of_person(budget.max_records_per_person)
    if budget.is_pure:
        scale, limit = round_up(Fraction(moved.l1) / amount), _MAX_LAPLACE_SCALE - 1
    else:
        scale, limit = round_up(Fraction(moved.l2_squared) / (2 * amount)), _MAX_TERM
    if scale > limit:
        kind = "scale" if budget.is_pure else "variance"
        raise ValueError(f"the budget is too small: noise of {kind} beyond {float(limit):.3g} is needed")
    return scale


def proportional_shares(total: Amount, weights: Sequence[float] | NDArray[np.float64]) -> list[Fraction]:
    """Divide a share in proportion to weights, exactly: the parts never add to more than the whole.

    Parameters
    ----------
    total : number
        The share to divide.
    weights : sequence of float
        Positive.

    Returns
    -------
    list of Fraction
        Multiples of 2^-60, rounded down.
    """
    exact_weights = [exact(float(weight), "a weight must be a positive number") for weight in weights]
    if any(weight <= 0 for weight in exact_weights):
        raise ValueError("weights must be positive")
    ratio = exact(total, "a share must be a number") * 2**60 / (sum(exact_weights) or 1)
    return [Fraction(math.floor(weight * ratio), 2**60) for weight in exact_weights]


class NoiseKey:
    """The 256-bit key of one fit's noise. It can be used, not read, stored or copied into a file.

    Use :meth:`fresh`. :meth:`from_seed` exists for tests and demonstrations: its releases are not private.
    """

    __slots__ = ("_bytes", "_seeded")

    def __init__(self, key: bytes, *, seeded: bool) -> None:
        if len(key) != 32:
            raise ValueError(f"a noise key has 32 bytes, got {len(key)}")
        self._bytes = key
        self._seeded = seeded

    @classmethod
    def fresh(cls) -> NoiseKey:
        """Return a new key from the operating system."""
        return cls(os.urandom(32), seeded=False)

    @classmethod
    def from_seed(cls, seed: int) -> NoiseKey:
        """Return the key SHA-256("covloss_fast/1" || seed in decimal digits). Not private.

        Raises
        ------
        ValueError
            If the seed is not an integer of at least 0.
        """
        try:
            value = -1 if isinstance(seed, bool) else operator.index(seed)
        except TypeError:
            value = -1
        if value < 0:
            raise ValueError(f"a seed must be an integer of at least 0, got {seed!r}")
        return cls(hashlib.sha256(b"covloss_fast/1" + str(value).encode()).digest(), seeded=True)

    @property
    def is_seeded(self) -> bool:
        """Whether the key can be guessed by guessing a seed."""
        return self._seeded

    def __repr__(self) -> str:
        return f"NoiseKey({'seeded' if self._seeded else 'fresh'})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a noise key is never stored")


class Mechanism:
    """One declared query: adds its noise to an exact answer, once. Made by :meth:`Door.declare`."""

    def __init__(self, entry: LedgerEntry, key: NoiseKey, n_threads: int) -> None:
        self._entry = entry
        self._key: NoiseKey | None = key
        self._n_threads = n_threads

    @property
    def entry(self) -> LedgerEntry:
        """The line of the ledger."""
        return self._entry

    @property
    def is_released(self) -> bool:
        """Whether the mechanism has been used."""
        return self._key is None

    @property
    def noise_variance(self) -> float:
        """Variance of the noise of each cell. Public."""
        return noise_variance(self._entry.distribution, self._entry.scale)

    @property
    def noise_sd(self) -> float:
        """Standard deviation of the noise of each cell. Public."""
        return math.sqrt(self.noise_variance)

    def noise_quantile(self, probability: float) -> int:
        """Return t with P(|noise| <= t) >= probability, for one cell. Public.

        Parameters
        ----------
        probability : float
            In (0, 1).

        Returns
        -------
        int
            Rounded outwards: never too small.
        """
        return noise_quantile(self._entry.distribution, self._entry.scale, probability)

    def release(self, exact_answer: Int64Array) -> Int64Array:
        """Return the exact answer plus noise.

        Parameters
        ----------
        exact_answer : int64 array of any shape
            Its shape must be public. One noise cell for each entry, in C order.

        Returns
        -------
        int64 array of the same shape
            A new array. Sums beyond 64 bits wrap around, which is still private and never raises on data.

        Raises
        ------
        RuntimeError
            If the mechanism has been used.
        TypeError
            If the answer is not an int64 array.
        """
        key, self._key = self._key, None
        if key is None:
            raise RuntimeError(f"{self._entry.query}: a mechanism releases once")
        if not isinstance(exact_answer, np.ndarray) or exact_answer.dtype != np.int64:
            raise TypeError(f"{self._entry.query}: an exact answer must be an int64 array")
        draw = (
            noise.discrete_laplace
            if self._entry.distribution == "discrete Laplace"
            else noise.discrete_gaussian
        )
        scale = self._entry.scale
        cells = draw(
            key._bytes,
            self._entry.stream,
            exact_answer.size,
            scale.numerator,
            scale.denominator,
            self._n_threads,
        )
        return exact_answer + cells.reshape(exact_answer.shape)


class Door:
    """The one place of a fit where noise is added.

    Parameters
    ----------
    budget : Budget
        What the fit may spend.
    neighbours : {"add_or_remove_one", "replace_one"}
        The relation of the guarantee.
    ledger : PrivacyLedger
        The fit must have been begun in it with this budget and hold no mechanism yet.
    noise_key : NoiseKey
        A fresh one for each fit.
    n_threads : int or None
        Threads that draw the noise; the bits do not depend on it.
    fit : LedgerFit, optional
        What ``begin_fit`` returned; needed where other fits may begin in the same ledger. By default its last
        fit.

    Raises
    ------
    RuntimeError
        If the ledger was not charged for this fit.

    Examples
    --------
    >>> ledger = PrivacyLedger("add_or_remove_one")
    >>> key, budget = NoiseKey.fresh(), Budget(1, 0)
    >>> _ = ledger.begin_fit(budget, schema_hash="", seeded=key.is_seeded)
    >>> door = Door(budget, "add_or_remove_one", ledger, key)
    >>> mechanism = door.declare("number of records", record_count("add_or_remove_one"), Fraction(1, 2))
    >>> mechanism.entry.scale
    Fraction(2, 1)
    >>> released = mechanism.release(np.array([1000]))
    """

    def __init__(
        self,
        budget: Budget,
        neighbours: Neighbours,
        ledger: PrivacyLedger,
        noise_key: NoiseKey,
        n_threads: int | None = None,
        fit: LedgerFit | None = None,
    ) -> None:
        if check_neighbours(neighbours) != ledger.neighbours:
            raise ValueError(
                f"the ledger speaks of {ledger.neighbours} neighbours, the fit of {neighbours}; "
                "their totals do not add"
            )
        number = len(ledger.fits) - 1 if fit is None else fit.number
        current = ledger.fits[number] if ledger.fits else None
        if (
            current is None
            or current.entries
            or not current.is_charged_with(budget)
            or budget.max_records_per_person != ledger.max_records_per_person
            or current.seeded != noise_key.is_seeded
        ):
            raise RuntimeError("the ledger must be charged with begin_fit before the door opens")
        self._fit_number = number
        self._budget = budget
        self._ledger = ledger
        self._key = noise_key
        self._n_threads = resolve_n_threads(n_threads)

    @property
    def budget(self) -> Budget:
        """What the fit may spend."""
        return self._budget

    @property
    def neighbours(self) -> Neighbours:
        """The relation of the guarantee."""
        return self._ledger.neighbours

    @property
    def share_left(self) -> Fraction:
        """The part of the budget that no mechanism has been given yet."""
        return 1 - self._ledger.fits[self._fit_number].shared

    def scale_of(self, sensitivity: Sensitivity, share: Fraction) -> Fraction:
        """Return the Laplace scale (pure) or Gaussian sigma^2 of a mechanism; spends nothing.

        Raises
        ------
        ValueError
            If the noise would be too large for exact 64-bit arithmetic.
        """
        return noise_scale(self._budget, sensitivity, share)

    def declare(self, query: str, sensitivity: Sensitivity, share: Amount) -> Mechanism:
        """Write a mechanism into the ledger and return it. To be called before its exact answer is computed.

        Parameters
        ----------
        query : str
            What is asked, for the ledger; "kind: particular" where there are many of a kind.
        sensitivity : Sensitivity
            Of one record, from the functions of this module; the ledger holds that of a person.
        share : number
            Part of the fit's budget, in (0, 1]; all shares of a fit add to at most 1.

        Raises
        ------
        ValueError
            If the share is not positive or more than is left, or the noise would be too large.
        """
        share_exact = exact(share, "a share must be a number in (0, 1]")
        if share_exact <= 0:
            raise ValueError(f"a share must be a number in (0, 1], got {share!r}")
        scale = self.scale_of(sensitivity, share_exact)
        moved = sensitivity.of_person(self._budget.max_records_per_person)
        l1, l2_squared = Fraction(moved.l1), Fraction(moved.l2_squared)
        pure = self._budget.is_pure
        entry = self._ledger.add_entry(
            query,
            l1=l1,
            l2_squared=l2_squared,
            share=share_exact,
            distribution="discrete Laplace" if pure else "discrete Gaussian",
            scale=scale,
            spent=l1 / scale if pure else l2_squared / (2 * scale),
            fit_number=self._fit_number,
        )
        return Mechanism(entry, self._key, self._n_threads)


#: exp(-400) and less.
_LEAST_VARIANCE = 1e-200


def noise_variance(distribution: Distribution, scale: Fraction) -> float:
    """Return the variance of a noise distribution.

    Laplace of scale b: 2 r/(1 - r)^2 = 1/(2 sinh^2(1/(2b))), r = e^(-1/b). Gaussian: from the weights; from
    sigma^2 = 4 on it differs from sigma^2 by less than a relative 1e-30 (Poisson summation). At least 1e-200:
    what is made of released values divides by it.
    """
    value = float(scale)
    if distribution == "discrete Laplace":
        half = 1 / (2 * value)
        return _LEAST_VARIANCE if half > 200 else 1 / (2 * math.sinh(half) ** 2)
    if value >= 4:
        return value
    weights = [math.exp(-y * y / (2 * value)) for y in range(80)]
    variance = 2 * sum(y * y * w for y, w in enumerate(weights)) / (2 * sum(weights) - 1)
    return max(variance, _LEAST_VARIANCE)


def noise_quantile(distribution: Distribution, scale: Fraction, probability: float) -> int:
    """Return t with P(|noise| <= t) >= probability, rounded outwards.

    Laplace of scale b: P(|Z| > t) = 2 e^(-(t+1)/b) / (1 + e^(-1/b)). Gaussian: P(|Z| > t) is at most the
    probability that a real normal exceeds t in size, since the weights at t + 1, t + 2, ... are at most the
    integral from t on, and their total is at least sqrt(2 pi) sigma (Poisson summation).
    """
    if not 0 < probability < 1:
        raise ValueError(f"a probability must be in (0, 1), got {probability!r}")
    outside = (1 - probability) * (1 - 1e-9)
    value = float(scale)
    if distribution == "discrete Laplace":
        at_zero = 2 / (1 + math.exp(-1 / value))
        return max(0, math.ceil(value * math.log(at_zero / outside) * (1 + 1e-12)) - 1)
    low, high = 0.0, 40.0  # of a standard normal
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (middle, high) if math.erfc(middle / math.sqrt(2)) > outside else (low, middle)
    return math.ceil(math.sqrt(value) * high * (1 + 1e-12))
