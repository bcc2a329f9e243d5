"""Every mechanism that a fit may declare, at the least share that it may be given.

A fit is charged before its records are read, and some of its parameters follow from a released count. So that
no mechanism is refused after that, all of them are foreseen here for every count that could be released, from
the schema, the budget and the caller's options alone, and their noise is checked while nothing is spent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from covloss_fast.pipelines import paper
from covloss_fast.pipelines.restored import asks_all_pairs
from covloss_fast.pipelines.restored_categorical import LEVELS_AGAIN
from covloss_fast.privacy import mechanisms
from covloss_fast.privacy.accounting import Budget
from covloss_fast.privacy.ledger import Neighbours
from covloss_fast.privacy.mechanisms import Sensitivity, noise_scale
from covloss_fast.released.planning import CERTIFICATE_SHARE, COUNT_SHARE, least_shares
from covloss_fast.schema import MAX_PAIR_CELLS, BitLayout

_PARTS = ("one_way", "scores", "pairs", "blocks")


@dataclass(frozen=True)
class Foreseen:
    """A mechanism that may be declared.

    Attributes
    ----------
    query : str
        How its line in the ledger begins.
    sensitivity : Sensitivity
        Its sensitivity, or a larger one.
    share : Fraction
        The least part of the budget that it may be given.
    """

    query: str
    sensitivity: Sensitivity
    share: Fraction


def check_noise(
    budget: Budget,
    layout: BitLayout,
    neighbours: Neighbours,
    *,
    method: Literal["restored", "paper"],
    certificate: bool,
    options: Mapping[str, Any],
) -> None:
    """Refuse a fit some mechanism of which could not be given its noise. Spends nothing.

    Raises
    ------
    ValueError
        If the budget or the share of a mechanism is too small.
    """
    check_all(
        budget,
        foreseen(budget, layout, neighbours, method=method, certificate=certificate, options=options),
    )


def check_all(budget: Budget, mechanisms_foreseen: Iterable[Foreseen]) -> None:
    """Refuse a fit one of whose mechanisms could not be given its noise; ValueError names it."""
    for each in mechanisms_foreseen:
        if each.share <= 0:
            raise ValueError(f"the shares leave nothing for the query {each.query.strip()!r}")
        try:
            noise_scale(budget, each.sensitivity, each.share)
        except ValueError as error:
            raise ValueError(f"{error} for the query {each.query.strip()!r}") from None


def check_memory(layout: BitLayout, options: Mapping[str, Any]) -> None:
    """Refuse blocks whose tables would not fit: several have a cell for each block and bit. Spends nothing.

    Raises
    ------
    ValueError
        If the caller asks for more than `MAX_PAIR_CELLS` cells, 512 MB for each table.
    """
    n_blocks, width = options.get("n_blocks", 1), layout.n_bits + 1
    if n_blocks * width > MAX_PAIR_CELLS:
        raise ValueError(
            f"{n_blocks:,} blocks of {layout.n_bits:,} bits need tables of {n_blocks * width:,} cells, "
            f"more than {MAX_PAIR_CELLS:,}: ask for at most {MAX_PAIR_CELLS // width:,} blocks"
        )


def foreseen(
    budget: Budget,
    layout: BitLayout,
    neighbours: Neighbours,
    *,
    method: Literal["restored", "paper"],
    certificate: bool,
    options: Mapping[str, Any],
) -> Iterator[Foreseen]:
    """All mechanisms that a fit may declare, whatever count is released."""
    if method == "paper":
        yield from _paper(layout, neighbours, options)
    else:
        yield from _restored(budget, layout, neighbours, certificate, options)
    if certificate:
        degrees = min(4, len(layout.sizes))
        yield Foreseen("error of ", mechanisms.certificate(neighbours), CERTIFICATE_SHARE / degrees)


def _numbers(layout: BitLayout) -> tuple[int, int]:
    n_binary = int(layout.is_binary.sum())
    return n_binary, len(layout.sizes) - n_binary


def _paper(layout: BitLayout, neighbours: Neighbours, options: Mapping[str, Any]) -> Iterator[Foreseen]:
    n_binary, n_other = _numbers(layout)
    if neighbours == "add_or_remove_one":
        yield Foreseen("number of records", mechanisms.record_count(neighbours), paper.COUNT)
    if n_binary + n_other > 1 and options.get("partition", "covering") == "covering":
        pairs = mechanisms.all_pairs(n_binary, n_other, neighbours)
        levels = mechanisms.one_way(0, n_other, neighbours) if n_other else None
        to_levels = Fraction(levels.l1, pairs.l1 + levels.l1) if levels else Fraction(0)
        yield Foreseen("all pairs of attributes", pairs, paper.PROJECTION * (1 - to_levels))
        if levels:
            yield Foreseen("levels of the other attributes", levels, paper.PROJECTION * to_levels)
    yield Foreseen("counts of ", mechanisms.block_counts(neighbours), paper.WEIGHTS)
    # The damping follows from a released count; from this one on, none leads to a larger sensitivity.
    damping = paper.RESOLUTION
    means = mechanisms.damped_means(layout.sizes, paper.RESOLUTION * damping, damping, neighbours)
    yield Foreseen("damped means of ", means, paper.MEANS)


def _restored(
    budget: Budget, layout: BitLayout, neighbours: Neighbours, certificate: bool, options: Mapping[str, Any]
) -> Iterator[Foreseen]:
    reserved = {"certificate": CERTIFICATE_SHARE} if certificate else {}
    if neighbours == "add_or_remove_one":
        reserved["count"] = COUNT_SHARE
        yield Foreseen("number of records", mechanisms.record_count(neighbours), COUNT_SHARE)
    wanted = {name for name, share in options.get("shares", {}).items() if share > 0} or set(_PARTS)
    least = least_shares(layout.sizes, reserved, budget.is_pure, options)
    n_binary, _ = _numbers(layout)
    if asks_all_pairs(layout, options):
        yield Foreseen("sums of ", mechanisms.one_way(n_binary, 0, neighbours), least["one_way"])
        if n_binary > 1 and "pairs" in wanted:
            yield Foreseen(
                "all pairs of attributes", mechanisms.all_pairs(n_binary, 0, neighbours), least["pairs"]
            )
            if "blocks" in wanted and options.get("n_blocks") != 1 and options.get("n_steps") != 0:
                weight = mechanisms.free_count_weight(n_binary, neighbours, budget.is_pure)
                if budget.is_pure:  # they may be blocks of pins
                    weight = max(weight, mechanisms.balanced_count_weight(n_binary))
                blocks = mechanisms.block_statistics(n_binary, 0, neighbours, weight)
                yield Foreseen("counts and sums of ", blocks, least["blocks"])
        return
    # Of one attribute; a sum of +-1 moves more than a histogram under replace-one.
    levels = mechanisms.one_way(1, 0, neighbours) if n_binary else mechanisms.one_way(0, 1, neighbours)
    yield Foreseen("levels: ", levels, least["one_way"])
    n_pairs = len(layout.sizes) * (len(layout.sizes) - 1) // 2
    if n_pairs and {"scores", "pairs"} <= wanted:
        yield Foreseen("distances of ", mechanisms.pair_score(n_pairs, neighbours), least["scores"])
        yield Foreseen("pair table: ", mechanisms.pair_table(neighbours), least["pairs"])
        yield Foreseen(LEVELS_AGAIN, levels, least["one_way_again"])
