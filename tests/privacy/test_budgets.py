"""Budgets in rho, and budgets that several releases share."""

from __future__ import annotations

import copy
import os
import pickle
import threading
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import covloss_fast as cf
from covloss_fast.privacy.accounting import delta_from_rho, epsilon_from_rho, rho_from_epsilon_delta

SCHEMA = cf.Schema([cf.Binary("a"), cf.Binary("b"), cf.Categorical("c", [0, 1, 2])])
TABLE = {"a": np.arange(400) % 2, "b": np.arange(400) % 3 > 0, "c": np.arange(400) % 3}


# ------------------------------------------------------------------------------------------------- rho


@given(rho=st.floats(1e-4, 100), delta=st.sampled_from(["1e-3", "1e-6", "1e-9"]))
def test_rho_is_spent_as_it_is_and_epsilon_is_never_too_small(rho: float, delta: str) -> None:
    budget = cf.Budget(rho=rho, delta=delta)
    assert budget.total == budget.rho == Fraction(rho)
    assert not budget.is_pure
    assert delta_from_rho(rho, budget.epsilon) <= float(budget.delta)
    # One direction rounds up, the other down: there and back never gains.
    assert rho_from_epsilon_delta(budget.epsilon, delta) <= Fraction(rho) * (1 + Fraction(1, 10**9))
    found = rho_from_epsilon_delta(1, delta)
    assert epsilon_from_rho(found, delta) <= 1 + 1e-12


def test_known_values() -> None:
    # rho + 2 sqrt(rho ln(1/delta)) is valid and larger.
    budget = cf.Budget(rho=Fraction(1, 2), delta=1e-6)
    assert 4.5 < float(budget.epsilon) < 0.5 + 2 * (0.5 * 13.8156) ** 0.5
    shown = f"epsilon = {float(budget.epsilon):.6g} at delta = 1e-06"
    assert str(budget) == f"rho = 0.5 in zCDP, as given: {shown}"


@pytest.mark.parametrize(
    ("given_amounts", "message"),
    [
        ({"rho": 1, "epsilon": 1, "delta": 1e-9}, "give epsilon or rho, not both"),
        ({"rho": 1, "delta": 0}, r"with rho, delta says .* a number in \(0, 1\)"),
        ({"rho": 1}, "delta must be a number"),
        ({"rho": 0, "delta": 1e-9}, "rho must be a positive number"),
        ({"rho": -1, "delta": 1e-9}, "rho must be a positive number"),
        ({"rho": "x", "delta": 1e-9}, "rho must be a positive number"),
        ({"rho": True, "delta": 1e-9}, "rho must be a positive number"),
        ({"rho": float("nan"), "delta": 1e-9}, "rho must be a positive number"),
        ({"rho": 10**6, "delta": 1e-9}, "rho must be at most 1000"),
        ({"rho": 900, "delta": 1e-9}, "more than 1000"),
        ({"delta": 1e-9}, "epsilon must be a number"),
    ],
)
def test_refused_amounts(given_amounts: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        cf.Budget(**given_amounts)
    with pytest.raises(ValueError, match=message):
        cf.CovLossSynthesizer(SCHEMA, **given_amounts).fit(lambda: pytest.fail("it was read"))


def test_method_paper_takes_no_rho() -> None:
    with pytest.raises(ValueError, match="delta must be 0"):
        cf.CovLossSynthesizer(SCHEMA, rho=0.1, delta=1e-9, method="paper").plan()


@pytest.mark.parametrize("kind", ["table", "vectors"])
def test_a_fit_with_rho_says_so(kind: str, tmp_path: Path) -> None:
    synth: Any
    if kind == "table":
        synth, data = cf.CovLossSynthesizer(SCHEMA, rho="0.1", delta=1e-9), TABLE
    else:
        synth, data = cf.VectorSynthesizer(cf.UnitBall(2), rho="0.1", delta=1e-9), np.zeros((50, 2))
    plan = synth.plan()
    assert (plan.rho, plan.is_rho) == (Fraction(1, 10), True)
    assert "rho = 0.1 in zCDP, as given" in str(plan)
    synth.fit(data)
    (fit,) = synth.ledger_.fits
    assert (fit.rho, fit.is_rho) == (Fraction(1, 10), True)
    assert fit.epsilon == Fraction(epsilon_from_rho(Fraction(1, 10), 1e-9)) == plan.epsilon
    assert sum(entry.spent for entry in fit.entries) <= Fraction(1, 10)
    assert sum(entry.share for entry in fit.entries) <= 1
    assert "rho = 0.1 in zCDP, as given" in str(synth.ledger_)
    synth.save(tmp_path / "r")
    again = (cf.load if kind == "table" else cf.VectorSynthesizer.load)(tmp_path / "r")
    assert again.ledger_ == synth.ledger_
    assert again.get_params()["epsilon"] is None
    assert again.get_params()["rho"] == Fraction(1, 10)
    assert "rho=" in repr(again)
    again.fit(data)
    assert again.ledger_.rho == Fraction(2, 10)


def test_a_tampered_rho_is_seen() -> None:
    data = cf.CovLossSynthesizer(SCHEMA, rho=0.1, delta=1e-9).fit(TABLE).ledger_.to_dict()
    data["fits"][0]["epsilon"] = "1/2"
    with pytest.raises(ValueError, match=r"epsilon = 0\.5 does not follow from its rho and delta"):
        cf.PrivacyLedger.from_dict(data)


# ------------------------------------------------------------------------------------- shared budgets


def shared(ledger: cf.PrivacyLedger, **amounts: Any) -> cf.CovLossSynthesizer:
    return cf.CovLossSynthesizer(SCHEMA, ledger=ledger, **amounts)


def test_a_pure_budget_adds_epsilons_to_the_last_bit() -> None:
    ledger = cf.PrivacyLedger("add_or_remove_one", budget=cf.Budget(1, 0))
    for _ in range(10):
        shared(ledger, epsilon="0.1", delta=0).fit(TABLE)
    assert ledger.left is not None
    assert ledger.left.epsilon == 0
    before = ledger.to_json()
    with pytest.raises(cf.BudgetExceededError, match="there is 0 left; nothing has been spent"):
        shared(ledger, epsilon="1e-30", delta=0).fit(lambda: pytest.fail("it was read"))
    assert ledger.to_json() == before
    floats = cf.PrivacyLedger("add_or_remove_one", budget=cf.Budget(0.3, 0))
    shared(floats, epsilon=0.1, delta=0).fit(TABLE)
    shared(floats, epsilon=0.1, delta=0).fit(TABLE)
    with pytest.raises(cf.BudgetExceededError):  # 0.1 + 0.1 + 0.1 of binary fractions is more than 0.3
        shared(floats, epsilon=0.1, delta=0).fit(TABLE)


def test_a_budget_with_delta_adds_rhos() -> None:
    limit = cf.Budget(1, 1e-9)
    ledger = cf.PrivacyLedger("add_or_remove_one", budget=limit)
    half = cf.Budget(rho=limit.rho / 2, delta=1e-9)
    for _ in range(2):
        shared(ledger, rho=half.rho, delta=1e-9).fit(TABLE)
    assert ledger.left is not None
    assert ledger.left.rho == 0
    assert 0.65 < float(half.epsilon) < 0.75  # not 0.5 each, as sums of epsilon would have it
    # What was promised holds of the total: at the delta of the budget, though deltas of fits add to more.
    assert 1 - 1e-9 < epsilon_from_rho(ledger.rho, limit.delta) <= 1 + 1e-12
    assert (ledger.epsilon, ledger.delta) == (epsilon_from_rho(ledger.rho, limit.delta), 1e-9)
    assert sum(fit.delta for fit in ledger.fits) > limit.delta
    assert cf.PrivacyLedger("replace_one", budget=limit).epsilon == 0
    with pytest.raises(cf.BudgetExceededError, match="there is 0 left"):
        shared(ledger, rho=1e-9, delta=1e-9).fit(TABLE)
    with pytest.raises(AttributeError, match="amount of rho"):
        _ = ledger.left.epsilon


def test_what_a_budget_cannot_count_is_refused() -> None:
    ledger = cf.PrivacyLedger("add_or_remove_one", budget=cf.Budget(1, 0))
    with pytest.raises(cf.BudgetExceededError, match="the ledger's budget has delta = 0"):
        shared(ledger, epsilon=0.1, delta=1e-9).plan()
    mixed = cf.PrivacyLedger("add_or_remove_one", budget=cf.Budget(1, 1e-9))
    shared(mixed, epsilon="0.1", delta=0).fit(TABLE)
    assert mixed.left is not None
    assert mixed.left.rho == cf.Budget(1, 1e-9).rho - Fraction(1, 200)
    with pytest.raises(ValueError, match="its ledger is for add_or_remove_one"):
        shared(mixed, epsilon=0.1, delta=0, neighbours="replace_one").plan()
    with pytest.raises(ValueError, match=r"ledger must be a covloss_fast\.PrivacyLedger"):
        shared(cf.Budget(1, 0), epsilon=0.1, delta=0).plan()  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"budget must be a covloss_fast\.Budget"):
        cf.PrivacyLedger("replace_one", budget=1.0)  # type: ignore[arg-type]
    own = cf.CovLossSynthesizer(SCHEMA, epsilon="0.1", delta=0).fit(TABLE)
    with pytest.raises(ValueError, match="this object has spent in another ledger"):
        own.set_params(ledger=mixed).fit(TABLE)


def test_tables_and_vectors_share_a_budget_and_a_reader_sees_all(tmp_path: Path) -> None:
    ledger = cf.PrivacyLedger("replace_one", budget=cf.Budget(2, 0))
    table = cf.CovLossSynthesizer(SCHEMA, epsilon=1, delta=0, neighbours="replace_one", ledger=ledger)
    table.fit(TABLE)
    vectors = cf.VectorSynthesizer(cf.UnitBall(2), epsilon=1, neighbours="replace_one", ledger=ledger)
    vectors.fit(np.zeros((50, 2)))
    assert table.ledger_ is vectors.ledger_ is ledger
    assert len(ledger.fits) == 2
    assert "epsilon = 0 is left for further fits" in str(ledger)
    ledger.save(tmp_path / "ledger.json")
    again = cf.PrivacyLedger.load(tmp_path / "ledger.json")
    assert again == ledger
    assert again.budget == cf.Budget(2, 0)
    with pytest.raises(cf.BudgetExceededError):
        shared(again, epsilon=1, delta=0, neighbours="replace_one").fit(TABLE)
    (tmp_path / "other.json").write_text("{")
    with pytest.raises(ValueError, match=r"other\.json: the privacy ledger is not JSON"):
        cf.PrivacyLedger.load(tmp_path / "other.json")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    with pytest.raises(ValueError, match=r"deep\.json: the privacy ledger is not JSON of a ledger"):
        cf.PrivacyLedger.load(tmp_path / "deep.json")


def test_no_copy_has_a_budget_of_its_own() -> None:
    ledger = cf.PrivacyLedger("add_or_remove_one", budget=cf.Budget(1, 0))
    synth = shared(ledger, epsilon="0.5", delta=0).fit(TABLE)
    assert copy.copy(ledger) is copy.deepcopy(ledger) is ledger
    for other in (copy.copy(synth), copy.deepcopy(synth)):
        assert other.ledger_ is other.ledger is ledger
    elsewhere = pickle.loads(pickle.dumps(synth))
    assert elsewhere.ledger_ is elsewhere.ledger == ledger
    assert elsewhere.sample(3)["a"].shape == (3,)
    with pytest.raises(cf.BudgetExceededError, match="a copy, from another process"):
        elsewhere.fit(TABLE)
    with pytest.raises(cf.BudgetExceededError, match="a copy, from another process"):
        pickle.loads(pickle.dumps(elsewhere)).fit(TABLE)
    assert len(ledger.fits) == len(elsewhere.ledger_.fits) == 1


@pytest.mark.parametrize("budget", [None, cf.Budget(4, 0)])
def test_no_copy_of_an_object_misses_what_its_shared_ledger_is_charged(budget: cf.Budget | None) -> None:
    ledger = cf.PrivacyLedger("add_or_remove_one", budget=budget)
    synth = shared(ledger, epsilon=1, delta=0).fit(TABLE)
    for n, other in enumerate((copy.copy(synth), copy.deepcopy(synth), copy.deepcopy([synth])[0]), 2):
        other.fit(TABLE)
        assert len(ledger.fits) == len(other.ledger_.fits) == n
    elsewhere = pickle.loads(pickle.dumps(synth))
    assert elsewhere.ledger_.is_copy
    assert elsewhere.ledger_ == ledger
    with pytest.raises(ValueError, match="a copy, from another process"):
        elsewhere.fit(TABLE)


@pytest.mark.parametrize("kind", ["table", "vectors"])
def test_a_budget_is_not_spent_through_a_release(kind: str, tmp_path: Path) -> None:
    ledger = cf.PrivacyLedger("add_or_remove_one", budget=cf.Budget(2, 0))
    path = tmp_path / "release"
    if kind == "table":
        data: Any = TABLE
        shared(ledger, epsilon=1, delta=0).fit(data).save(path)
        load: Any = cf.load
    else:
        data, load = np.zeros((50, 2)), cf.VectorSynthesizer.load
        cf.VectorSynthesizer(cf.UnitBall(2), epsilon=1, ledger=ledger).fit(data).save(path)
    loaded = load(path)
    assert loaded.ledger_ == ledger
    assert loaded.ledger_.left.epsilon == 1
    for attempt in (lambda: loaded.fit(data), lambda: copy.deepcopy(loaded).fit(data)):
        with pytest.raises(cf.BudgetExceededError, match=r"a copy, from a release, .* with ledger="):
            attempt()
    with pytest.raises(cf.BudgetExceededError, match="a copy, from a release"):
        pickle.loads(pickle.dumps(loaded)).fit(data)
    assert len(ledger.fits) == 1
    for held in (loaded, loaded.set_params(epsilon=3), pickle.loads(pickle.dumps(loaded))):
        assert held.plan().epsilon == held.epsilon  # what is left is not known: it is no more than is held
        assert kind == "vectors" or held.forecast(100).memory > 0
        assert held.ledger_ == ledger
    with pytest.raises(ValueError, match="for add_or_remove_one neighbours"):
        copy.copy(loaded).set_params(neighbours="replace_one").plan()
    with pytest.raises(cf.BudgetExceededError, match="there is 1 left"):
        copy.copy(loaded).set_params(ledger=ledger).plan()
    loaded.set_params(epsilon=1)
    unrelated = cf.PrivacyLedger("add_or_remove_one", budget=cf.Budget(2, 0))
    with pytest.raises(ValueError, match="this object has spent in another ledger"):
        loaded.set_params(ledger=unrelated).fit(data)
    loaded.set_params(ledger=ledger).fit(data)
    assert loaded.ledger_ is ledger
    assert ledger.left is not None
    assert ledger.left.epsilon == 0
    loaded.save(path)
    assert load(path).ledger_ == ledger
    with pytest.raises(cf.BudgetExceededError, match="there is 0 left"):
        load(path).set_params(ledger=ledger).fit(data)


def test_a_release_without_a_budget_goes_on_as_it_did(tmp_path: Path) -> None:
    own = cf.CovLossSynthesizer(SCHEMA, epsilon=1, delta=0).fit(TABLE)
    own.save(tmp_path / "release")
    loaded = cf.load(tmp_path / "release").fit(TABLE)
    assert (len(own.ledger_.fits), len(loaded.ledger_.fits)) == (1, 2)


def test_a_forked_process_does_not_spend_a_budget_again(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = cf.PrivacyLedger("add_or_remove_one", budget=cf.Budget(1, 0))
    free = cf.PrivacyLedger("add_or_remove_one")
    parent = os.getpid()
    monkeypatch.setattr(os, "getpid", lambda: parent + 1)
    for attempt in (ledger.check_affordable, lambda b: ledger.begin_fit(b, schema_hash="", seeded=False)):
        with pytest.raises(cf.BudgetExceededError, match="a copy, from another process"):
            attempt(cf.Budget(1, 0))
    for each in (ledger, free):
        with pytest.raises(ValueError, match="a copy, from another process"):
            shared(each, epsilon=1, delta=0).fit(lambda: pytest.fail("it was read"))
        assert not each.fits


def test_an_object_with_a_ledger_of_its_own_goes_on_in_a_forked_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    synth = cf.CovLossSynthesizer(SCHEMA, epsilon=1, delta=0).fit(TABLE)
    parent = os.getpid()
    monkeypatch.setattr(os, "getpid", lambda: parent + 1)
    assert len(synth.fit(TABLE).ledger_.fits) == 2


def test_a_copy_keeps_the_ledger_of_its_release_whatever_is_set_for_the_next_fit() -> None:
    own = cf.CovLossSynthesizer(SCHEMA, epsilon=1, delta=0).fit(TABLE)
    other = cf.PrivacyLedger("add_or_remove_one", budget=cf.Budget(1, 0))
    own.set_params(ledger=other)
    for twin in (copy.copy(own), copy.deepcopy(own)):
        assert twin.ledger_ == own.ledger_
        with pytest.raises(ValueError, match="this object has spent in another ledger"):
            twin.fit(TABLE)


def test_threads_never_exceed_a_budget_together_and_their_lines_do_not_mix() -> None:
    ledger = cf.PrivacyLedger("add_or_remove_one", budget=cf.Budget(1, 0))
    refused: list[Exception] = []
    start = threading.Barrier(8)

    def work() -> None:
        start.wait()
        for _ in range(2):
            try:
                shared(ledger, epsilon=Fraction(1, 10), delta=0).fit(TABLE)
            except cf.BudgetExceededError as error:
                refused.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ledger.fits) == 10
    assert len(refused) == 6
    for fit in ledger.fits:
        asked = [entry.query for entry in fit.entries]
        assert len(set(asked)) == len(asked) >= 7
        assert (asked[0], asked[-1]) == ("number of records", "error of 3-way marginals")
        assert fit.shared <= 1
    assert sorted(entry.stream for entry in ledger.entries) == list(range(len(ledger.entries)))
    assert cf.PrivacyLedger.from_json(ledger.to_json()) == ledger


def test_seeded_fits_in_one_ledger_have_other_noise() -> None:
    ledger = cf.PrivacyLedger("add_or_remove_one")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.NotPrivateWarning)
        for _ in range(2):
            shared(ledger, epsilon=1, delta=0, random_state=1).fit(TABLE)
    first, second = ledger.fits
    assert not {e.stream for e in first.entries} & {e.stream for e in second.entries}
