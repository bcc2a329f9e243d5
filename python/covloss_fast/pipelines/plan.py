"""The ledger of a fit before it is spent: every mechanism that may be declared, with its largest noise.

Shares and queries follow in part from released values, so they are not all known beforehand. What is known is
what can be published without reading a record: the totals, and for each kind of mechanism its sensitivity and
the least share that it may be given, thus the largest noise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from covloss_fast._text import clamping_text
from covloss_fast.pipelines.foreseen import Foreseen, foreseen
from covloss_fast.privacy.accounting import Budget, delta_remark
from covloss_fast.privacy.ledger import Distribution, Neighbours, neighbours_text, public_inputs_text
from covloss_fast.privacy.mechanisms import noise_scale
from covloss_fast.schema import Schema


@dataclass(frozen=True)
class PlannedMechanism:
    """A kind of mechanism that a fit may declare.

    Attributes
    ----------
    query : str
        How its lines in the ledger begin.
    l1, l2_squared : Fraction
        Sensitivity of one of them, for all records of a person: upper bounds.
    least_share : Fraction
        The least part of the budget that one of them may be given.
    distribution : str
        "discrete Laplace" or "discrete Gaussian".
    largest_scale : Fraction
        Scale of the Laplace distribution or sigma^2 of the Gaussian, at most.
    """

    query: str
    l1: Fraction
    l2_squared: Fraction
    least_share: Fraction
    distribution: Distribution
    largest_scale: Fraction


@dataclass(frozen=True)
class LedgerPlan:
    """What a fit will be charged and may ask. A function of the schema and the parameters alone.

    Attributes
    ----------
    neighbours : str
        The neighbouring relation of the guarantee.
    epsilon, delta, rho : Fraction
        What is charged when the fit begins.
    is_rho : bool
        Whether rho was given; epsilon is what it means at delta.
    max_records_per_person : int
        How many records a person can have.
    schema_hash : str
        Hash of the schema.
    seeded : bool
        Whether the noise is derived from a seed: then nothing is promised.
    public_inputs : mapping
        Method and options.
    mechanisms : tuple of PlannedMechanism
        In the order in which they may come.
    parameters : mapping or None
        What the fit would take if the number of records that the plan was asked for, "n", were released.
    """

    neighbours: Neighbours
    epsilon: Fraction
    delta: Fraction
    rho: Fraction
    is_rho: bool
    max_records_per_person: int
    schema_hash: str
    seeded: bool
    public_inputs: Mapping[str, Any]
    mechanisms: tuple[PlannedMechanism, ...]
    parameters: Mapping[str, Any] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain JSON values; exact amounts are texts such as "1/10"."""
        return {
            "neighbours": self.neighbours,
            "epsilon": str(self.epsilon),
            "delta": str(self.delta),
            "rho": str(self.rho),
            "is_rho": self.is_rho,
            "max_records_per_person": self.max_records_per_person,
            "schema_hash": self.schema_hash,
            "seeded": self.seeded,
            "public_inputs": dict(self.public_inputs),
            "mechanisms": [
                {
                    "query": each.query,
                    "l1": str(each.l1),
                    "l2_squared": str(each.l2_squared),
                    "least_share": str(each.least_share),
                    "distribution": each.distribution,
                    "largest_scale": str(each.largest_scale),
                }
                for each in self.mechanisms
            ],
            "parameters": None if self.parameters is None else dict(self.parameters),
        }

    def to_text(self) -> str:
        """Return the plan as text for people."""
        lines = [
            "Planned privacy ledger: nothing has been read or spent",
            *(["NOT PRIVATE: the noise will be derived from a seed"] if self.seeded else []),
            f"  neighbours   {neighbours_text(self.neighbours, self.max_records_per_person)}",
            f"  to be charged when the fit begins: epsilon = {float(self.epsilon):.6g}, "
            f"delta = {float(self.delta):.3g}; rho = {float(self.rho):.6g} in zCDP"
            + (", as given" if self.is_rho else ""),
            *(f"  {remark}" for remark in [delta_remark(self.delta)] if remark is not None),
            f"  schema {self.schema_hash[:16]}; " + public_inputs_text(self.public_inputs),
            *(f"  {clamping_text(rules)}" for rules in [self.public_inputs.get("clamped")] if rules),
            "  Shares that depend on released values are the least that they can be.",
            f"  {'each query that begins with':<32} {'l1':>10} {'l2':>10} "
            f"{'noise at most':>28} {'share from':>11}",
        ]
        for each in self.mechanisms:
            noise = (
                f"Laplace, scale {float(each.largest_scale):.5g}"
                if each.distribution == "discrete Laplace"
                else f"Gaussian, sigma {float(each.largest_scale) ** 0.5:.5g}"
            )
            lines.append(
                f"  {each.query:<32} {float(each.l1):>10.6g} {float(each.l2_squared) ** 0.5:>10.6g} "
                f"{noise:>28} {float(each.least_share):>11.6f}"
            )
        if self.parameters is not None:
            rest = {name: value for name, value in self.parameters.items() if name not in ("n", "shares")}
            lines.append(f"  If {self.parameters['n']:,} records were released:")
            shares = self.parameters.get("shares", {})
            if shares:
                of_parts = (f"{name} {float(Fraction(share)):.4f}" for name, share in shares.items())
                lines.append(f"    shares of the budget: {', '.join(of_parts)}")
            lines.append("    " + ", ".join(f"{name} = {_shown(value)}" for name, value in rest.items()))
        return "\n".join(lines) + "\n"

    def __str__(self) -> str:
        return self.to_text()


def _shown(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def plan_ledger(
    budget: Budget,
    schema: Schema,
    neighbours: Neighbours,
    *,
    method: Literal["restored", "paper"],
    certificate: bool,
    options: Mapping[str, Any],
    seeded: bool,
    public_inputs: Mapping[str, Any],
    parameters: Mapping[str, Any] | None,
) -> LedgerPlan:
    """Plan a fit whose noise has been checked (:func:`foreseen.check_noise`)."""
    each = foreseen(
        budget, schema.layout, neighbours, method=method, certificate=certificate, options=options
    )
    plan = plan_mechanisms(
        budget, each, neighbours, schema_hash=schema.hash, seeded=seeded, public_inputs=public_inputs
    )
    return replace(plan, parameters=parameters)


def plan_mechanisms(
    budget: Budget,
    mechanisms_foreseen: Iterable[Foreseen],
    neighbours: Neighbours,
    *,
    schema_hash: str,
    seeded: bool,
    public_inputs: Mapping[str, Any],
) -> LedgerPlan:
    """Plan a fit that may declare these mechanisms, whose noise has been checked."""
    mechanisms = tuple(
        PlannedMechanism(
            query=each.query.strip(" :"),
            l1=Fraction(each.sensitivity.of_person(budget.max_records_per_person).l1),
            l2_squared=Fraction(each.sensitivity.of_person(budget.max_records_per_person).l2_squared),
            least_share=each.share,
            distribution="discrete Laplace" if budget.is_pure else "discrete Gaussian",
            largest_scale=noise_scale(budget, each.sensitivity, each.share),
        )
        for each in mechanisms_foreseen
    )
    return LedgerPlan(
        neighbours=neighbours,
        epsilon=budget.epsilon,
        delta=budget.delta,
        rho=budget.rho,
        is_rho=budget.is_rho,
        max_records_per_person=budget.max_records_per_person,
        schema_hash=schema_hash,
        seeded=seeded,
        public_inputs=public_inputs,
        mechanisms=mechanisms,
    )
