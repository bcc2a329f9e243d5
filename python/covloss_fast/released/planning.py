"""Parameters from public quantities alone: the schema, the budget, and the released or public count.

Nothing here sees a record. Given these quantities all parameters are constants, so plain adaptive composition
applies to everything that is spent with them.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from covloss_fast.schema import BitLayout, Schema

#: What the blocks of the paper's method are.
Partition: TypeAlias = Literal["covering", "pinning", "signs"]

#: Shares of the whole budget that are taken first.
COUNT_SHARE = Fraction(3, 100)
CERTIFICATE_SHARE = Fraction(5, 100)
MAX_BLOCKS = 128
MAX_COMPONENTS = 16
#: Below this many blocks a partition is not worth its noise.
_LEAST_BLOCKS = 16
#: Part of the budget, and refinement steps, of the blocks; from so many records on they get more of both.
_BLOCK_PART, _BLOCK_STEPS = 0.1, 2
_LARGE, _LARGE_BLOCK_PART, _LARGE_BLOCK_STEPS = 100_000, 0.3, 3
#: Standard deviations of the noise of its sums that an average block has: this many, or no fewer than that if
#: there are only `_LEAST_BLOCKS`.
_BLOCK_IN_SD, _LEAST_BLOCK_IN_SD = 15.0, 5.0
#: Correlations of this size, spread over all pairs of a table, are what tables have that are worth modelling.
_USUAL_CORRELATION = 0.05
#: What the means get at most. Noise for pure privacy falls as the share, other noise as its square root.
_MOST_ONE_WAY = {True: 0.98, False: 0.96}
#: Root mean square covariance of two attributes z, as tables usually have it.
_USUAL_SPREAD = 0.1
#: Noise of all products, as correlations, from which on pins are considered.
_DROWNED = 0.027
#: Pins get this part of the budget; there are as many as keep the noise of their covariances below this.
_PINS_PART, _PINNED_SD = 0.35, 0.057
_LEAST_PINS, _MOST_PINS = 3, 5
_SCORE_PART = 0.07
#: Where a score's noise, as a total variation distance, is beyond this, no pair could be chosen.
_HOPELESS_SCORE = 0.3
#: From so many blocks on the paper's method pins bits instead of covering a line.
_BLOCKS_TO_PIN = 64
#: Damping of the paper's method over sqrt(n p / (k epsilon)).
_COVERING_DAMPING, _PINNING_DAMPING = 8.0, 3.0
#: Damping over n of one block: it holds all records.
_TRIVIAL_DAMPING = 0.9
_MOST_SIGNS = 16
#: A coarse level holds at least so many standard deviations of a pair table's noise.
_LEAST_MASS_IN_SD = 15.0


@dataclass(frozen=True)
class Workload:
    """How much the errors of attributes and of pairs of them count: public, chosen before the data are seen.

    Attributes
    ----------
    singles : tuple of float
        Weight of each attribute's 1-way marginal.
    pairs : tuple of ((int, int), float)
        Weights of pairs a < b that were named; that of any other pair is the product of its attributes'.
    text : str
        What was asked for, for the ledger.
    """

    singles: tuple[float, ...]
    pairs: tuple[tuple[tuple[int, int], float], ...]
    text: str

    @classmethod
    def of(cls, schema: Schema, weights: Mapping[Any, float]) -> Workload:
        """Read weights by name, or by pair of names.

        Raises
        ------
        ValueError
            If a name is no attribute, a pair is named twice, or a weight is not a number of 1/1000 to 1000.
        """
        if not isinstance(weights, Mapping) or not weights:
            raise ValueError(f"workload must map names, or pairs of them, to weights, got {weights!r}")
        singles = [1.0] * len(schema)
        pairs: dict[tuple[int, int], float] = {}
        texts = []
        for names, weight in weights.items():
            is_number = isinstance(weight, numbers.Real) and not isinstance(weight, bool)
            if not is_number or not 1e-3 <= weight <= 1e3:  # NaN too
                raise ValueError(
                    f"the weight of {names!r} must be a number from 0.001 to 1000, got {weight!r}"
                )
            several = list(names) if isinstance(names, tuple) else [names]
            positions = schema.positions(several)
            if len(positions) > 2:
                raise ValueError(f"weights are for attributes and for pairs of them, got {names!r}")
            if len(positions) == 1:
                singles[positions[0]] = float(weight)
            elif (pair := (min(positions), max(positions))) in pairs:
                raise ValueError(f"the pair {names!r} is weighted twice")
            else:
                pairs[pair] = float(weight)
            texts.append(f"{' x '.join(map(repr, several))}: {float(weight):g}")
        return cls(tuple(singles), tuple(sorted(pairs.items())), ", ".join(sorted(texts)))

    def of_pairs(self, attributes: Sequence[tuple[int, int]]) -> NDArray[np.float64]:
        """Weights of pairs (a, b), a < b."""
        named = dict(self.pairs)
        singles = self.singles
        return np.array([named.get((a, b), singles[a] * singles[b]) for a, b in attributes])

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class NoiseLevels:
    """Standard deviation of a cell's noise if the whole budget went to one query.

    Attributes
    ----------
    full : dict of str to float
        By the name of the query.
    is_pure : bool
        Laplace noise falls as the share of the budget, Gaussian noise as its square root.
    """

    full: Mapping[str, float]
    is_pure: bool

    def at(self, query: str, share: float) -> float:
        """Noise of a query at a share of the budget."""
        if share <= 0:
            return math.inf
        return self.full[query] / (share if self.is_pure else math.sqrt(share))


@dataclass(frozen=True)
class Plan:
    """How a release spends its budget.

    Attributes
    ----------
    n : int
        Released or public number of records.
    shares : dict of str to Fraction
        Share of the whole budget of "count", "certificate", "one_way", and of "pairs" and "blocks" (all
        steps) for binary tables, of "scores" and "pairs" for others.
    n_blocks, n_steps, n_components : int
        Blocks, refinement steps and the largest number of directions; 1, 0 and 0 without blocks.
    n_pins : int
        Pinned attributes whose values are the blocks, in place of the pairs; 0 where the blocks are others.
    least_fraction : float
        Least fraction of the records that a coarse level holds.
    """

    n: int
    shares: Mapping[str, Fraction]
    n_blocks: int = 1
    n_steps: int = 0
    n_components: int = 0
    n_pins: int = 0
    least_fraction: float = 0.0

    @property
    def is_independent(self) -> bool:
        """Whether nothing but 1-way marginals is released."""
        return "pairs" not in self.shares and self.n_pins == 0

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        out = asdict(self)
        out["shares"] = {name: str(share) for name, share in self.shares.items()}
        return out


def _fraction(value: float) -> Fraction:
    """A share on a grid of 1/10,000, rounded down."""
    return Fraction(math.floor(value * 10_000), 10_000)


def _parts_of(rest: Fraction, taken: Mapping[str, float]) -> dict[str, Fraction]:
    """Shares of the whole budget, from parts of what is left of it."""
    return {name: _fraction(float(rest) * part) for name, part in taken.items() if part > 0}


def plan_independent(n: int, reserved: Mapping[str, Fraction]) -> Plan:
    """Everything to the 1-way marginals."""
    return Plan(n, {**reserved, "one_way": 1 - sum(reserved.values(), Fraction(0))})


def plan_binary(
    p: int,
    noise: NoiseLevels,
    n: int,
    *,
    reserved: Mapping[str, Fraction],
    n_blocks: int | None = None,
    n_steps: int | None = None,
    n_components: int | None = None,
    shares: Mapping[str, float] | None = None,
) -> Plan:
    """Shares, blocks and steps for p binary attributes.

    A 2-way marginal (1 + E z_a + E z_b + E z_a z_b)/4 has the noise of two means and one product, so with
    R the budget that `reserved` leaves the means and the products have the least error at parts as
    2 : sqrt(p) of what the blocks leave. Where the noise of all products, seen as one matrix, would hide
    correlations of the usual size, more goes to the means. The number of blocks is the largest power of two
    at which a block of average size stands well above the noise of its own sums; below 16 there are none.

    One record changes p (p - 1)/2 products, but p sums of one block. With noise for the l1 norm (pure
    privacy) there are budgets at which the products drown and blocks do not. Blocks of pinned attributes are
    known beforehand, so they need no products: they take their place then, as many as keep the noise of a
    pinned attribute's covariances below a usual size. (With Gaussian noise the two drown together.)

    Parameters
    ----------
    p : int
        Number of attributes, at least 1.
    noise : NoiseLevels
        Of "means", "all_pairs" and "blocks".
    n : int
        Released or public number of records.
    reserved : dict
        Shares that are already taken ("count", "certificate").
    n_blocks, n_steps, n_components, shares
        Overrides; `shares` gives the parts of R of "one_way", "pairs" and "blocks"; all of them.
    """
    rest = 1 - sum(reserved.values(), Fraction(0))
    if p < 2:
        return plan_independent(n, reserved)
    hidden = 2.0 * noise.at("all_pairs", 0.8 * float(rest)) / n / math.sqrt(p)
    overridden = any(each is not None for each in (n_blocks, n_steps, n_components, shares))
    if noise.is_pure and hidden > _DROWNED and not overridden:
        covariance_sd = noise.at("blocks", _PINS_PART * float(rest)) / n
        n_pins = min(math.floor(2.0 * math.log2(_PINNED_SD / covariance_sd)), _MOST_PINS, p)
        if n_pins >= _LEAST_PINS:
            taken = {"one_way": 1.0 - _PINS_PART, "blocks": _PINS_PART}
            return Plan(n, {**reserved, **_parts_of(rest, taken)}, n_blocks=2**n_pins, n_pins=n_pins)
    large = n >= _LARGE
    steps = n_steps if n_steps is not None else (_LARGE_BLOCK_STEPS if large else _BLOCK_STEPS)
    for_blocks = shares["blocks"] if shares else _LARGE_BLOCK_PART if large else _BLOCK_PART
    if n_blocks is None:
        sd = noise.at("blocks", float(rest) * for_blocks / max(steps, 1))
        n_blocks = min(MAX_BLOCKS, 2 ** math.floor(math.log2(max(n / (_BLOCK_IN_SD * sd), _LEAST_BLOCKS))))
        if n / (n_blocks * sd) < _LEAST_BLOCK_IN_SD or hidden > _USUAL_CORRELATION / 3:
            n_blocks = 1
    if n_blocks == 1 or steps == 0 or for_blocks <= 0:
        n_blocks, steps, for_blocks = 1, 0, 0.0
    balance = 2.0 / (2.0 + math.sqrt(p)) * (1.0 - for_blocks)
    # Where the columns are independent and the noise of the means exceeds their sampling error, a share f of
    # theirs costs 1/sqrt(f) of all accuracy: held to about 1.5.
    sampling = 0.25 / n
    noisy = noise.at("means", float(rest)) ** 2 / n**2
    prudent = 0.6 * noisy / (noisy + sampling)
    one_way = min(
        max(balance, prudent, hidden / _USUAL_CORRELATION), _MOST_ONE_WAY[noise.is_pure] - for_blocks
    )
    if shares:
        one_way = shares["one_way"]
    for_pairs = shares["pairs"] if shares else 1.0 - for_blocks - one_way
    taken = {"one_way": one_way, "pairs": for_pairs, "blocks": for_blocks}
    if taken["pairs"] <= 0:
        return plan_independent(n, reserved)
    return Plan(
        n=n,
        shares={**reserved, **_parts_of(rest, taken)},
        n_blocks=n_blocks,
        n_steps=steps,
        n_components=0 if n_blocks == 1 else n_components if n_components is not None else MAX_COMPONENTS,
    )


def predicted_rms(plan: Plan, noise: NoiseLevels) -> float:
    """Root mean square error of the 2-way marginals that a plan for binary attributes leads to.

    A marginal (1 + E z_a + E z_b + E z_a z_b)/4 has the noise of two means and a product. Of a product's
    covariance, of the size c that tables usually have, and its noise s an estimate can leave s c / sqrt(s^2 +
    c^2): the noise where it is small, all of the covariance where it drowns. Of the squared covariance s pins
    leave a part of at most 1/(s + 1).
    """
    of_means = noise.at("means", float(plan.shares["one_way"])) / plan.n
    of_pairs = noise.at("all_pairs", float(plan.shares.get("pairs", 0))) / plan.n
    left = _USUAL_SPREAD
    if plan.n_pins:
        left /= math.sqrt(plan.n_pins + 1)
    elif math.isfinite(of_pairs):
        left *= of_pairs / math.hypot(of_pairs, _USUAL_SPREAD)
    return math.sqrt(2.0 * of_means**2 + left**2) / 4.0


def plan_categorical(
    sizes: Sequence[int],
    noise: NoiseLevels,
    n: int,
    *,
    reserved: Mapping[str, Fraction],
    shares: Mapping[str, float] | None = None,
    workload: Workload | None = None,
) -> Plan:
    """Shares and the coarseness of levels for attributes of which one at least is not binary.

    Parameters
    ----------
    sizes : sequence of int
        Levels of each attribute.
    noise : NoiseLevels
        Of "levels" (one attribute), "pair_scores" and "pair_table" (one).
    n : int
        Released or public number of records.
    reserved : dict
        Shares that are already taken ("count", "certificate").
    shares : dict, optional
        The parts of what is left of "one_way", "scores" and "pairs"; all of them.
    workload : Workload, optional
        How much attributes count.
    """
    rest = float(1 - sum(reserved.values(), Fraction(0)))
    n_pairs = len(sizes) * (len(sizes) - 1) // 2
    if n_pairs == 0 or noise.at("pair_scores", _SCORE_PART * rest) / (2 * n) > _HOPELESS_SCORE:
        return plan_independent(n, reserved)
    if shares:
        one_way, scores, pairs = shares["one_way"], shares["scores"], shares["pairs"]
    else:
        weights = one_way_weights(sizes, noise.is_pure, workload)
        error = sum(s * noise.at("levels", 0.35 * rest * w) for s, w in zip(sizes, weights))
        one_way = min(max(0.25 + 10 * 0.4 * error / (n * len(sizes)), 0.25), 0.5)
        scores, pairs = _SCORE_PART, 1.0 - _SCORE_PART - one_way
    if pairs <= 0 or scores <= 0:
        return plan_independent(n, reserved)
    taken = {"one_way": one_way, "scores": scores, "pairs": pairs}
    pair_sd = noise.at("pair_table", pairs * rest / n_pairs)
    return Plan(
        n=n,
        shares={**reserved, **_parts_of(Fraction(rest), taken)},
        least_fraction=min(_LEAST_MASS_IN_SD * pair_sd / n, 1.0 / 3.0),
    )


def _best_power(is_pure: bool) -> float:
    """The power of their costs in proportion to which queries divide a budget best.

    To make sum_e a_e sigma_e least, sigma_e ~ share_e^(-1/2) asks for shares as a^(2/3), sigma_e ~ 1/share_e
    for shares as a^(1/2).
    """
    return 0.5 if is_pure else 2.0 / 3.0


def least_shares(
    sizes: Sequence[int], reserved: Mapping[str, Fraction], is_pure: bool, options: Mapping[str, Any]
) -> dict[str, Fraction]:
    """The least share that a mechanism of each kind can be given, whatever count is released.

    Parameters
    ----------
    sizes : sequence of int
        Levels of each attribute.
    reserved : dict
        Shares that are already taken.
    is_pure : bool
        Whether noise falls as the share of the budget, and not as its square root.
    options : dict
        Overrides of `plan_binary` or `plan_categorical`.

    Returns
    -------
    dict of str to Fraction
        "one_way", "pairs" and "blocks" (of one step) of binary attributes; "one_way" (of one attribute),
        "one_way_again" (the same where no pair is selected), "scores" and "pairs" (of one table) of others. A
        share may be 0 where the options say so.
    """
    rest = 1 - sum(reserved.values(), Fraction(0))
    shares = options.get("shares")
    grid = Fraction(1, 10_000)  # shares are rounded down to it
    if all(size == 2 for size in sizes) and options.get("workload") is None:
        steps = options.get("n_steps") or _LARGE_BLOCK_STEPS
        parts = shares or {
            "one_way": 2.0 / (2.0 + math.sqrt(len(sizes))) * (1.0 - _LARGE_BLOCK_PART),
            "pairs": 1.0 - _MOST_ONE_WAY[is_pure],
            "blocks": _BLOCK_PART,
        }
        least = {name: rest * Fraction(part) - grid for name, part in parts.items()}
        return {**least, "blocks": least["blocks"] / max(steps, 1)}
    parts = shares or {"one_way": 0.25, "scores": _SCORE_PART, "pairs": 0.5 - _SCORE_PART}
    least = {name: rest * Fraction(part) - grid for name, part in parts.items()}
    workload: Workload | None = options.get("workload")
    smallest = min(one_way_weights(sizes, is_pure, workload))
    most_cells = float(max(sizes)) ** 2
    if workload is not None:  # the least weight of a pair beside the largest of all others
        of_pairs = workload.of_pairs([(a, b) for b in range(len(sizes)) for a in range(b)])
        most_cells *= float(of_pairs.max(initial=1.0) / of_pairs.min(initial=1e6))
    n_pairs = max(len(sizes) * (len(sizes) - 1) // 2, 1)
    return {
        "one_way": least["one_way"] * Fraction(0.99 * smallest),
        "one_way_again": least["pairs"] * Fraction(0.99 * smallest),
        "scores": least["scores"],
        "pairs": least["pairs"] * Fraction(0.99 / (n_pairs * most_cells ** _best_power(is_pure))),
    }


def one_way_weights(sizes: Sequence[int], is_pure: bool, workload: Workload | None = None) -> list[float]:
    """Parts of the 1-way budget: what makes the weighted sum of all levels' errors least. They add to 1."""
    counts = workload.singles if workload else (1.0,) * len(sizes)
    weights = [(count * size) ** _best_power(is_pure) for count, size in zip(counts, sizes)]
    return [weight / sum(weights) for weight in weights]


def select_pairs(
    distances: NDArray[np.float64],
    n_cells: NDArray[np.int64],
    pair_sd: float,
    n: int,
    is_pure: bool,
    counts: NDArray[np.float64] | float = 1.0,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The pairs of attributes to measure, and the part of the pairs' budget of each.

    Measuring a pair table of L cells with noise sigma leaves a total variation error of about
    a = L sigma / (2 sqrt(2) n); not measuring it leaves its distance d from independence. Pairs join in the
    order of d / a^power (1/2 for pure privacy, 2/3 else) as long as the sum of all errors falls.

    Parameters
    ----------
    distances : float64 array, shape (n_pairs,)
        Estimated total variation distance of each pair table from independence.
    n_cells : int64 array, shape (n_pairs,)
        Cells of each pair table.
    pair_sd : float
        Noise of a pair table that gets the whole budget of the pairs.
    n : int
        Released or public number of records.
    is_pure : bool
        Whether noise falls as the share of the budget, and not as its square root.
    counts : float64 array, shape (n_pairs,), or float
        How much the error of each pair counts: both d and a are multiplied by it.

    Returns
    -------
    selected : int64 array
        Indices of pairs, ascending.
    parts : float64 array
        Their parts of the budget, which add to 1.
    """
    power = _best_power(is_pure)
    # Where the budget is huge the noise is 0 in doubles.
    cost = counts * n_cells * (0.5 * pair_sd / (n * math.sqrt(2.0)))
    weight, gain = np.maximum(cost, 1e-150) ** power, counts * distances
    order = np.argsort(-gain / weight, kind="stable")
    # The least sum of a_e sigma_e under the budget is (sum a^power)^(1/power).
    measured = np.concatenate([[0.0], np.cumsum(weight[order]) ** (1.0 / power)])
    missed = np.concatenate([[0.0], np.cumsum(gain[order])])
    best = int(np.argmin(measured + missed[-1] - missed))
    selected = np.sort(order[:best]).astype(np.int64)
    parts = weight[selected] / max(float(weight[selected].sum()), 1e-300)
    return selected, parts.astype(np.float64)


def predicted_tv(
    distances: NDArray[np.float64],
    n_cells: NDArray[np.int64],
    of_columns: NDArray[np.float64],
    selected: NDArray[np.int64],
    pair_sd: NDArray[np.float64],
    n: int,
) -> float:
    """Mean total variation error of the 2-way marginals that a choice of pairs leads to.

    A measured pair has what its noise leaves, as in `select_pairs`; another one its distance from
    independence and what the noise of its two columns leaves.

    Parameters
    ----------
    distances : float64 array, shape (n_pairs,)
        Estimated total variation distance of each pair table from independence.
    n_cells : int64 array, shape (n_pairs,)
        Cells of each pair table.
    of_columns : float64 array, shape (n_pairs,)
        Sum of the total variation errors of the 1-way marginals of the pair's attributes.
    selected : int64 array, shape (k,)
        Indices of the measured pairs.
    pair_sd : float64 array, shape (k,)
        Noise of a cell of each measured pair.
    n : int
        Released or public number of records.
    """
    errors = distances + of_columns
    errors[selected] = n_cells[selected] * pair_sd / (2.0 * math.sqrt(2.0) * n)
    return float(errors.mean())


@dataclass(frozen=True)
class PaperPlan:
    """Parameters of the paper's method.

    Attributes
    ----------
    partition : {"covering", "pinning", "signs"}
        What the blocks are.
    n_blocks : int
        Bound on the number of blocks.
    n_components : int
        Dimension t of the projection; 0 for the trivial partition, and where nothing is projected.
    alpha : float
        Fineness of the covering of the unit ball of that dimension; 1 where there is none.
    n_label_bits : int
        Pins or signs: there are two blocks to this power. 0 for a covering.
    damping : int
        Least divisor b of a block's sums.
    """

    partition: Partition
    n_blocks: int
    n_components: int
    alpha: float
    n_label_bits: int
    damping: int


def plan_paper(
    layout: BitLayout,
    epsilon: float,
    n: int,
    n_blocks: int | None = None,
    partition: Partition | None = None,
) -> PaperPlan:
    """Parameters of the paper's method, from Theorem 1.2 and Section 5.

    The number of blocks k is floor(sqrt(epsilon n / p)), at least 3. The dimension t minimises the proved
    bound alpha^2 + 1/(2 sqrt t) on the covariance loss with alpha = 7 k^(-1/t), over the t for which a
    covering of at most k points is guaranteed; t = 0 is the trivial partition. Damping by b costs what it
    takes off small blocks, and the noise of the damped means falls as 1/b: b is a multiple of
    sqrt(n p / (k epsilon)), where the two balance up to a constant that depends on the table. One block of
    all records has hardly anything to lose by b = 0.9 n.

    A covering of a line, which is best proved up to some 330 points, leaves everything but the first
    direction lost, however many points there are. Pins cost no budget and lose at most 1/(1 + log2 k) of the
    squared covariance, for any k. So they take over where blocks are many. The constants are measured, on
    generated tables.

    Parameters
    ----------
    layout : BitLayout
        The bits of a record.
    epsilon : float
        Budget.
    n : int
        Released or public number of records.
    n_blocks, partition
        Overrides.
    """
    p = layout.n_bits
    k = n_blocks if n_blocks is not None else max(3, math.floor(math.sqrt(epsilon * n / p)))
    if partition is None:
        partition = "pinning" if k >= _BLOCKS_TO_PIN else "covering"
    t, alpha, label_bits = 0, 1.0, 0
    if partition == "covering":
        candidates = [
            ((7.0 * k ** (-1.0 / t)) ** 2 + 0.5 / math.sqrt(t), t)
            for t in range(1, min(p, 64) + 1)
            if 7.0 * k ** (-1.0 / t) < 1.0
        ]
        if candidates and len(layout.sizes) > 1:
            t = min(candidates)[1]
            alpha = 7.0 * k ** (-1.0 / t)
    else:
        label_bits = min(math.floor(math.log2(k)), p if partition == "pinning" else _MOST_SIGNS)
    if t == 0 and label_bits == 0:
        damping = max(1, math.ceil(_TRIVIAL_DAMPING * n))
    else:
        factor = _COVERING_DAMPING if partition == "covering" else _PINNING_DAMPING
        damping = max(1, math.ceil(factor * math.sqrt(n * p / (k * epsilon))))
    return PaperPlan(partition, k, t, alpha, label_bits, damping)
