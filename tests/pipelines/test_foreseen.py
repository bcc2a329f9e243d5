"""What a fit may declare is known beforehand: every line of every ledger was foreseen, and checked."""

from __future__ import annotations

import warnings
from contextlib import suppress
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import covloss_fast as cf
from covloss_fast.pipelines.foreseen import foreseen
from covloss_fast.pipelines.restored_categorical import LEVELS_AGAIN
from covloss_fast.privacy.accounting import Budget
from covloss_fast.privacy.mechanisms import noise_scale

#: With two dozen bits, pins take the place of the pairs at delta = 0.
SIZES = [(2,) * 6, (2,) * 24, (2, 3, 40, 2, 7), (5, 2), (3, 4, 5), (2,), (9,)]
SETTINGS: list[dict[str, Any]] = [
    {"method": "paper", "delta": 0},
    {"method": "paper", "delta": 0, "n_blocks": 2_000},
    {"method": "paper", "delta": 0, "n_blocks": 2_000, "partition": "covering"},
    {"method": "paper", "delta": 0, "partition": "pinning"},
    {"delta": 0},
    {"delta": 1e-9},
    {"delta": 1e-9, "n_blocks": 4, "n_steps": 16},
    {"delta": 0, "n_blocks": 8, "shares": {"one_way": 0.01, "pairs": 0.01, "blocks": 0.02}},
    {"delta": 0, "n_blocks": 1},
    {"delta": 0, "shares": {"one_way": 0.01, "scores": 0.01, "pairs": 0.02}},
]


def is_for(settings: dict[str, Any], sizes: tuple[int, ...]) -> bool:
    """Blocks are for binary attributes, scores for others."""
    if settings.get("method") == "paper":
        return True
    is_binary = all(size == 2 for size in sizes)
    return not ("scores" in settings.get("shares", {}) if is_binary else "n_blocks" in settings)


CASES = [(sizes, settings) for settings in SETTINGS for sizes in SIZES if is_for(settings, sizes)]


@pytest.mark.parametrize("neighbours", ["add_or_remove_one", "replace_one"])
@pytest.mark.parametrize("certificate", [True, False])
@pytest.mark.parametrize(("sizes", "settings"), CASES)
def test_every_mechanism_of_a_fit_was_foreseen(
    sizes: tuple[int, ...], settings: dict[str, Any], certificate: bool, neighbours: Any
) -> None:
    schema = cf.Schema.from_domain({f"a{j}": size for j, size in enumerate(sizes)})
    synth = cf.CovLossSynthesizer(
        schema, epsilon=2.0, neighbours=neighbours, certificate=certificate, random_state=1, **settings
    )
    generator = np.random.default_rng(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.NotPrivateWarning)
        synth.fit(np.stack([generator.integers(0, size, 3_000) for size in sizes], axis=1))

    budget = Budget(2.0, settings["delta"])
    largest: dict[str, Fraction] = {}
    moves: dict[str, tuple[Fraction, Fraction]] = {}
    for each in foreseen(
        budget,
        schema.layout,
        neighbours,
        method=synth.method,
        certificate=certificate,
        options=synth._options(),
    ):
        scale = noise_scale(budget, each.sensitivity, each.share)
        largest[each.query] = max(largest.get(each.query, scale), scale)
        l1, l2_squared = Fraction(each.sensitivity.l1), Fraction(each.sensitivity.l2_squared)
        most = moves.get(each.query, (l1, l2_squared))
        moves[each.query] = (max(most[0], l1), max(most[1], l2_squared))
    for entry in synth.ledger_.entries:
        (query,) = (query for query in largest if entry.query.startswith(query))
        assert entry.scale <= largest[query], entry.query
        assert entry.l1 <= moves[query][0], entry.query
        assert entry.l2_squared <= moves[query][1], entry.query
    if synth.parameters_.get("lack_of_fit") or synth.parameters_.get("n_pairs"):
        asked = [query for query in largest if query != LEVELS_AGAIN]  # where no pair is selected
        assert all(any(entry.query.startswith(query) for entry in synth.ledger_.entries) for query in asked)


def test_the_smallest_budget_that_is_taken_can_be_spent() -> None:
    """At the limit of what is refused, found by bisection, a fit ends; below it none is charged."""
    schema = cf.Schema.from_domain({"a": 2, "b": 3, "c": 2})
    table = np.zeros((50, 3), dtype=np.int64)

    def fits(epsilon: Fraction, method: Any) -> bool:
        synth = cf.CovLossSynthesizer(schema, epsilon=epsilon, delta=0, method=method)  # type: ignore[arg-type]
        with suppress(ValueError):
            synth.fit(table)
        assert hasattr(synth, "ledger_") == hasattr(synth, "certificate_"), "charged, but not ended"
        return hasattr(synth, "ledger_")

    for method in ("paper", "restored"):
        low, high = Fraction(1, 10**9), Fraction(1)
        assert not fits(low, method)
        for _ in range(30):
            middle = (low + high) / 2
            low, high = (low, middle) if fits(middle, method) else (middle, high)
        assert high < Fraction(1, 10**6)


@pytest.mark.parametrize("settings", [{"method": "paper", "delta": 0}, {"delta": 1e-9}])
def test_blocks_that_fit_no_memory_are_refused_before_anything_is_charged(settings: dict[str, Any]) -> None:
    schema = cf.Schema.from_domain({f"a{j}": 2 for j in range(4_000)})

    def batches() -> None:
        raise AssertionError("the data were read")

    synth = cf.CovLossSynthesizer(schema, epsilon=1, n_blocks=65_536, **settings)
    with pytest.raises(ValueError, match=r"tables of 262,209,536 cells, .* at most 16,773 blocks"):
        synth.fit(batches)
    assert not hasattr(synth, "ledger_")
    synth.set_params(n_blocks=16_773).plan()
    with pytest.raises(ValueError, match="at most 16,773 blocks"):
        synth.set_params(n_blocks=16_774).plan()


def test_the_levels_released_again_where_no_pair_is_selected_were_foreseen() -> None:
    schema = cf.Schema.from_domain({"a": 3, "b": 4, "c": 5})
    table = np.random.default_rng(0).integers(0, [3, 4, 5], (400, 3))
    shares = {"one_way": 0.9, "scores": 0.05, "pairs": 0.001}
    synth = cf.CovLossSynthesizer(schema, epsilon=2.0, delta=0, shares=shares, random_state=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.NotPrivateWarning)
        synth.fit(table)
    again = [entry for entry in synth.ledger_.entries if entry.query.startswith(LEVELS_AGAIN)]
    assert len(again) == 3
    (planned,) = (
        each
        for each in foreseen(
            Budget(2.0, 0),
            schema.layout,
            "add_or_remove_one",
            method="restored",
            certificate=True,
            options=synth._options(),
        )
        if each.query == LEVELS_AGAIN
    )
    assert all(entry.share >= planned.share > 0 for entry in again)
