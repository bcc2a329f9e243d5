"""The ledger: what is charged, when, and what can be read from it."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
from contextlib import suppress
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covloss_fast._config import __version__
from covloss_fast.privacy.accounting import Budget, delta_from_rho, epsilon_from_rho
from covloss_fast.privacy.ledger import Neighbours, PrivacyLedger
from covloss_fast.privacy.mechanisms import Door, NoiseKey, Sensitivity, certificate, pair_table

BUDGETS = st.lists(
    st.tuples(st.sampled_from(["0.1", "1", "2.5", "30"]), st.sampled_from(["0", "1e-9", "1e-6"])), max_size=4
)


def charged(
    *budgets: tuple[str, str], neighbours: Neighbours = "add_or_remove_one", seeded: bool = False
) -> PrivacyLedger:
    ledger = PrivacyLedger(neighbours)
    for epsilon, delta in budgets:
        ledger.begin_fit(Budget(epsilon, delta), schema_hash="ab" * 32, seeded=seeded)
    return ledger


def used(delta: str = "1e-9", n_pairs: int = 3) -> PrivacyLedger:
    """A ledger with a fit of some mechanisms."""
    ledger = PrivacyLedger("add_or_remove_one")
    key, budget = NoiseKey.fresh(), Budget(1, delta)
    ledger.begin_fit(
        budget,
        schema_hash="ab" * 32,
        seeded=False,
        public_inputs={"method": "restored", "n_blocks": 64, "partition_seeds": [1, 2], "n_components": None},
    )
    door = Door(budget, "add_or_remove_one", ledger, key)
    door.declare("number of records", Sensitivity(1, 1), Fraction(3, 100))
    for i in range(n_pairs):
        door.declare(f"pair table: a{i} x b{i}", pair_table("add_or_remove_one"), Fraction(1, 2 * n_pairs))
    door.declare("certificate: degree 2", certificate("add_or_remove_one"), Fraction(1, 20))
    return ledger


def test_a_fit_is_charged_in_full_when_it_begins() -> None:
    ledger = charged(("1", "1e-9"))
    assert (ledger.epsilon, ledger.delta) == (1, 1e-9)
    assert ledger.rho == Budget("1", "1e-9").rho
    assert ledger.entries == ()


@given(budgets=BUDGETS)
def test_totals(budgets: list[tuple[str, str]]) -> None:
    ledger = charged(*budgets)
    made = [Budget(*budget) for budget in budgets]
    assert ledger.rho == sum(budget.rho for budget in made)
    assert ledger.delta == float(sum(budget.delta for budget in made))
    total = float(sum(budget.epsilon for budget in made))
    assert ledger.epsilon <= total
    if len(made) == 1 or ledger.delta == 0:
        assert ledger.epsilon == total
    elif ledger.delta > 0 and ledger.epsilon < total:  # advanced composition, and it is valid
        assert delta_from_rho(ledger.rho, ledger.epsilon) <= ledger.delta * (1 + 1e-12)
        assert ledger.epsilon == epsilon_from_rho(ledger.rho, ledger.delta)
    if all(budget.is_pure for budget in made):
        assert ledger.pure_epsilon == sum(budget.epsilon for budget in made)
    else:
        assert ledger.pure_epsilon is None


def test_two_fits_with_gaussian_noise_cost_less_than_their_sum() -> None:
    ledger = charged(("1", "1e-9"), ("1", "1e-9"))
    assert 1 < ledger.epsilon < 2
    assert ledger.delta == 2e-9


@given(budgets=BUDGETS)
def test_a_further_fit_never_makes_the_total_smaller(budgets: list[tuple[str, str]]) -> None:
    ledger = charged()
    before = (0.0, 0.0, Fraction(0))
    for budget in budgets:
        ledger.begin_fit(Budget(*budget), schema_hash="", seeded=False)
        after = (ledger.epsilon, ledger.delta, ledger.rho)
        assert after[1] >= before[1]
        assert after[2] > before[2]
        if after[1] == before[1]:  # at a larger delta the same mechanisms may have a smaller epsilon
            assert after[0] > before[0]
        before = after


@pytest.mark.parametrize("delta", ["0", "1e-9"])
def test_mechanisms_spend_at_most_their_shares(delta: str) -> None:
    ledger = used(delta)
    (fit,) = ledger.fits
    total = fit.epsilon if delta == "0" else fit.rho
    for entry in fit.entries:
        assert entry.spent <= entry.share * total
        cost = entry.l1 / entry.scale if fit.is_pure else entry.l2_squared / (2 * entry.scale)
        assert entry.spent == cost
    assert sum(entry.share for entry in fit.entries) == fit.shared <= 1
    assert fit.library_version == __version__


def test_entries_are_frozen() -> None:
    ledger = used()
    with pytest.raises(dataclasses.FrozenInstanceError):
        ledger.entries[0].share = Fraction(0)  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        ledger.fits[0].seeded = True  # type: ignore[misc]
    with pytest.raises(TypeError):
        ledger.fits[0].public_inputs["method"] = "paper"  # type: ignore[index]
    for name in ("fits", "entries", "neighbours", "is_private", "epsilon"):
        with pytest.raises(AttributeError):
            setattr(ledger, name, None)


def test_a_seed_is_never_forgotten() -> None:
    ledger = charged(("1", "0"), seeded=True)
    assert not ledger.is_private
    ledger.begin_fit(Budget(1, 0), schema_hash="", seeded=False)
    assert not ledger.is_private
    assert not PrivacyLedger.from_json(ledger.to_json()).is_private
    assert "NOT PRIVATE" in ledger.to_text()
    assert "NOT PRIVATE" in repr(ledger)
    assert "NOT PRIVATE" not in charged(("1", "0")).to_text()
    for value in (0, None, "false"):
        damaged = json.loads(ledger.to_json())
        damaged["fits"][0]["seeded"] = value
        with pytest.raises(ValueError, match="damaged: seeded must be true or false, got"):
            PrivacyLedger.from_dict(damaged)


def test_public_inputs_stand_in_one_order_in_the_text() -> None:
    texts = set()
    for names in (("method", "certificate"), ("certificate", "method")):
        ledger = PrivacyLedger("replace_one")
        inputs = dict.fromkeys(names, "some")
        ledger.begin_fit(Budget(1, 0), schema_hash="", seeded=False, public_inputs=inputs)
        texts.add(ledger.to_text())
    assert len(texts) == 1
    assert "public inputs: certificate = some, method = some" in texts.pop()


@pytest.mark.parametrize(("deltas", "large"), [(("1e-4",), True), (("1e-5",), False), (("9e-6",) * 2, True)])
def test_a_large_delta_is_remarked_on(deltas: tuple[str, ...], large: bool) -> None:
    text = charged(*(("1", delta) for delta in deltas)).to_text()
    assert ("is large: the promise would allow each record to be published" in text) is large


def test_printing_a_ledger_shows_its_text() -> None:
    ledger = used()
    assert str(ledger) == ledger.to_text()
    assert repr(ledger).startswith("PrivacyLedger(")


@pytest.mark.parametrize("ledger", [charged(), charged(("0.1", "0")), used(), used("0"), used("1e-9", 20)])
def test_round_trips(ledger: PrivacyLedger) -> None:
    for back in (
        PrivacyLedger.from_json(ledger.to_json()),
        pickle.loads(pickle.dumps(ledger)),
        copy.deepcopy(ledger),
    ):
        assert back == ledger
        assert back.fits == ledger.fits
        assert back.to_text() == ledger.to_text()
        assert (back.epsilon, back.delta, back.rho) == (ledger.epsilon, ledger.delta, ledger.rho)
    assert ledger != charged(("7", "0"))


def test_a_loaded_ledger_goes_on() -> None:
    ledger = PrivacyLedger.from_json(used().to_json())
    with pytest.raises(ValueError, match="a share of"):  # what was shared out is remembered
        ledger.add_entry(
            "q",
            l1=Fraction(1),
            l2_squared=Fraction(1),
            share=Fraction(1, 2),
            distribution="discrete Gaussian",
            scale=Fraction(1),
            spent=Fraction(1, 2),
        )
    n_before = len(ledger.entries)
    key, budget = NoiseKey.fresh(), Budget(1, "1e-9")
    ledger.begin_fit(budget, schema_hash="", seeded=False)
    mechanism = Door(budget, "add_or_remove_one", ledger, key).declare("q", Sensitivity(1, 1), 1)
    assert mechanism.entry.stream == n_before
    assert ledger.epsilon > 1


def test_a_mechanism_needs_a_fit() -> None:
    with pytest.raises(RuntimeError, match="before its fit began"):
        charged().add_entry(
            "q",
            l1=Fraction(1),
            l2_squared=Fraction(1),
            share=Fraction(1),
            distribution="discrete Laplace",
            scale=Fraction(1),
            spent=Fraction(1),
        )


def test_text() -> None:
    text = used().to_text()
    for expected in (
        "add_or_remove_one",
        "the number of records is secret",
        "epsilon = 1, delta = 1e-09",
        f"covloss_fast {__version__}, schema abababababababab",
        "method = restored",
        "partition_seeds = [1, 2]",
        "number of records",
        "pair table: a0 x b0",
        "certificate: degree 2",
        "not used, but charged",
    ):
        assert expected in text
    many = used("0", 100).to_text()
    assert "pair table (100 queries)" in many
    assert "a0 x b0" not in many
    assert "(pure)" in many
    assert max(map(len, many.splitlines())) <= 130
    assert "the number of records is public" in charged(neighbours="replace_one").to_text()


def test_nothing_depends_on_the_records() -> None:
    """Two tables of different length leave the same ledger behind."""
    ledgers = []
    for n in (10, 123_456):
        ledger = PrivacyLedger("add_or_remove_one")
        budget, key = Budget(1, "1e-9"), NoiseKey.from_seed(0)
        ledger.begin_fit(budget, schema_hash="", seeded=True)
        door = Door(budget, "add_or_remove_one", ledger, key)
        door.declare("number of records", Sensitivity(1, 1), 1).release(np.array([n]))
        ledgers.append(ledger)
    assert ledgers[0].to_json() == ledgers[1].to_json()
    assert ledgers[0].to_text() == ledgers[1].to_text()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON, line 1"),
        ("[]", "expected a 'covloss_fast privacy ledger' of version 1"),
        ("{}", "expected a"),
        ('{"format": "covloss_fast privacy ledger", "version": 2}', "of version 1"),
        ('{"format": "covloss_fast privacy ledger", "version": 1}', "damaged: 'neighbours' is absent"),
    ],
)
def test_foreign_text_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PrivacyLedger.from_json(text)


@given(st.data())
def test_damaged_ledgers_give_a_value_error_or_a_ledger(data: st.DataObject) -> None:
    good = json.loads(used("0", 1).to_json())
    place = data.draw(st.sampled_from(["neighbours", "fits", "fit", "entry"]))
    junk = data.draw(st.sampled_from([None, [], {}, "x", "1/0", 3, [1]]))
    if place in good:
        good[place] = junk
    else:
        target = good["fits"][0] if place == "fit" else good["fits"][0]["mechanisms"][0]
        target[data.draw(st.sampled_from(sorted(target)))] = junk
    with suppress(ValueError):  # nothing else
        PrivacyLedger.from_dict(good).to_text()


def test_neighbours_are_checked() -> None:
    with pytest.raises(ValueError, match="neighbours must be one of"):
        PrivacyLedger("bounded")  # type: ignore[arg-type]


@pytest.mark.parametrize("clamped", [[None], "age", 3, {"a": 1}, [["age"]]])
def test_rules_for_bounds_that_are_no_texts_are_refused(clamped: Any) -> None:
    ledger = PrivacyLedger("replace_one")
    ledger.begin_fit(Budget(1, 0), schema_hash="", seeded=False, public_inputs={"clamped": ("age: below",)})
    kept = ledger.to_dict()
    assert "age: below" in PrivacyLedger.from_dict(kept).to_text()
    kept["fits"][0]["public_inputs"]["clamped"] = clamped
    with pytest.raises(ValueError, match="must be a list of texts"):
        PrivacyLedger.from_dict(kept)
