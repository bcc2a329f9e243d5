"""Parameters from public quantities alone: the schema, the budget, and the released or public count.

Nothing here sees a record. Given these quantities all parameters are constants, so plain adaptive composition
applies to everything that is spent with them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from covloss_fast.schema import BitLayout

#: Shares of the whole budget that are taken first.
COUNT_SHARE = Fraction(3, 100)
CERTIFICATE_SHARE = Fraction(5, 100)
MAX_BLOCKS = 128
MAX_COMPONENTS = 16
#: Below this many blocks a partition is not worth its noise.
_LEAST_BLOCKS = 4
#: A coarse level holds at least so many standard deviations of a pair table's noise.
_LEAST_MASS_IN_SD = 15.0
_LARGE = 100_000


@dataclass(frozen=True)
class NoiseLevels:
    """Standard deviation of a cell's noise if the whole budget went to one query.

    Attributes
    ----------
    pairs, blocks : float
        All pairs of features; counts and sums of one partition.
    is_pure : bool
        Laplace noise falls as the share of the budget, Gaussian noise as its square root.
    """

    pairs: float
    blocks: float
    is_pure: bool

    def at(self, full: float, share: float) -> float:
        """Noise of a query at a share of the budget."""
        if share <= 0:
            return math.inf
        return full / (share if self.is_pure else math.sqrt(share))


@dataclass(frozen=True)
class Plan:
    """How a release spends its budget.

    Attributes
    ----------
    n : int
        Released or public number of records.
    shares : dict of str to Fraction
        Share of the whole budget of "one_way", "pairs", "blocks" (all steps), "count" and "certificate".
    n_blocks, n_steps, n_components : int
        Blocks, refinement steps and the largest number of directions; 1, 0 and 0 for independent columns.
    least_fraction : float
        Least fraction of the records that a coarse level holds.
    """

    n: int
    shares: Mapping[str, Fraction]
    n_blocks: int
    n_steps: int
    n_components: int
    least_fraction: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        out = asdict(self)
        out["shares"] = {name: str(share) for name, share in self.shares.items()}
        return out


def _fraction(value: float) -> Fraction:
    """A share on a grid of 1/10,000, rounded down."""
    return Fraction(math.floor(value * 10_000), 10_000)


def plan_restored(
    layout: BitLayout,
    noise: NoiseLevels,
    n: int,
    *,
    reserved: Mapping[str, Fraction],
    n_blocks: int | None = None,
    n_steps: int | None = None,
    n_components: int | None = None,
    shares: Mapping[str, float] | None = None,
) -> Plan:
    """Shares, blocks and steps of the recommended pipeline.

    With R the budget that `reserved` leaves: a fifth of R for the 1-way means, a fifth for the pairs that
    give the directions, the rest for the blocks, in two refinement steps (three from 100,000 records on). The
    number of blocks is the largest power of two at which a block of average size still stands well above the
    noise of its own sums. Where fewer than four blocks do, all of R goes to the 1-way means and the columns
    are independent.

    Parameters
    ----------
    layout : BitLayout
        The bits of a record.
    noise : NoiseLevels
        Noise of the whole budget.
    n : int
        Released or public number of records.
    reserved : dict
        Shares that are already taken ("count", "certificate").
    n_blocks, n_steps, n_components, shares
        Overrides; `shares` gives the parts of R of "one_way", "pairs" and "blocks".
    """
    rest = 1 - sum(reserved.values(), Fraction(0))
    parts = {"one_way": 0.2, "pairs": 0.2, "blocks": 0.6, **(shares or {})}
    steps = n_steps if n_steps is not None else (3 if n >= _LARGE else 2)
    if n_blocks is None:
        sd = noise.at(noise.blocks, float(rest) * parts["blocks"] / max(steps, 1))
        ratio = 0.08 * n / sd if sd > 0 else math.inf
        n_blocks = min(MAX_BLOCKS, 2 ** max(0, math.floor(math.log2(max(ratio, 1.0)))))
        if n_blocks < _LEAST_BLOCKS:
            n_blocks = 1
    if n_blocks == 1 or steps == 0 or len(layout.sizes) < 2 or parts["blocks"] <= 0 or parts["pairs"] <= 0:
        return Plan(n, {**reserved, "one_way": rest}, 1, 0, 0, 0.0)
    taken = {name: _fraction(float(rest) * part) for name, part in parts.items()}
    pair_sd = noise.at(noise.pairs, float(taken["pairs"]))
    return Plan(
        n=n,
        shares={**reserved, **taken},
        n_blocks=n_blocks,
        n_steps=steps,
        n_components=n_components if n_components is not None else MAX_COMPONENTS,
        least_fraction=min(_LEAST_MASS_IN_SD * pair_sd / n, 1.0 / 3.0),
    )


@dataclass(frozen=True)
class CoveringPlan:
    """Parameters of the paper's method.

    Attributes
    ----------
    n_blocks : int
        Bound on the number of blocks.
    n_components : int
        Dimension t of the projection.
    alpha : float
        Fineness of the covering of the unit ball of that dimension.
    damping : int
        Least divisor b of a block's sums.
    """

    n_blocks: int
    n_components: int
    alpha: float
    damping: int


def plan_paper(layout: BitLayout, epsilon: float, n: int, n_blocks: int | None = None) -> CoveringPlan:
    """Parameters of the paper's method, from Theorem 1.2 and Section 5.

    The number of blocks is floor(sqrt(epsilon n / p)), at least 3. The dimension t minimises the proved bound
    alpha^2 + 1/(2 sqrt t) on the covariance loss with alpha = 7 n_blocks^(-1/t), over the t for which a
    covering of at most n_blocks points is guaranteed; t = 0 is the trivial partition. The damping b =
    sqrt(n p / (n_blocks epsilon)) balances what damping loses against the noise of the damped means.
    """
    p = layout.n_bits
    if n_blocks is None:
        n_blocks = max(3, math.floor(math.sqrt(epsilon * n / p)))
    candidates = [
        ((7.0 * n_blocks ** (-1.0 / t)) ** 2 + 0.5 / math.sqrt(t), t)
        for t in range(1, min(p, 64) + 1)
        if 7.0 * n_blocks ** (-1.0 / t) < 1.0
    ]
    t = min(candidates)[1] if candidates else 0
    alpha = 7.0 * n_blocks ** (-1.0 / t) if t else 1.0
    damping = max(1, math.ceil(math.sqrt(n * p / (n_blocks * epsilon))))
    return CoveringPlan(n_blocks, t, alpha, damping)
