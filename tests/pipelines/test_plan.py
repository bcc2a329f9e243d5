"""The planned ledger: what a fit is charged and asks was in the plan, and no table was needed for that."""

from __future__ import annotations

import json
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import covloss_fast as cf
from covloss_fast import report

SETTINGS: list[dict[str, Any]] = [
    {"method": "paper", "delta": 0},
    {"delta": 0},
    {"delta": 1e-9},
    {"delta": 1e-9, "certificate": False},
    {"delta": 1e-9, "max_records_per_person": 3},
    {"delta": 0, "max_records_per_person": 2, "method": "paper"},
    {"delta": 1e-9, "rho": 0.5, "epsilon": None},
    {"delta": 1e-9, "workload": {"a0": 1000, ("a1", "a2"): 0.001}},
    {"delta": 0, "workload": {"a0": 0.001, ("a1", "a2"): 1000}},
]


@pytest.mark.parametrize("neighbours", ["add_or_remove_one", "replace_one"])
@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("sizes", [(2,) * 6, (2, 3, 12, 2)])
def test_what_a_fit_spends_was_planned(
    sizes: tuple[int, ...], settings: dict[str, Any], neighbours: Any
) -> None:
    schema = cf.Schema.from_domain({f"a{j}": size for j, size in enumerate(sizes)})
    settings = {"epsilon": 3.0, **settings}
    synth = cf.CovLossSynthesizer(schema, neighbours=neighbours, random_state=1, **settings)
    plan = synth.plan()
    assert not hasattr(synth, "ledger_")
    rng = np.random.default_rng(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.NotPrivateWarning)
        synth.fit(np.stack([rng.integers(0, size, 2_000) for size in sizes], axis=1))
    assert synth.plan() == plan
    (fit,) = synth.ledger_.fits
    assert (plan.neighbours, plan.epsilon, plan.delta) == (neighbours, fit.epsilon, fit.delta)
    assert (plan.rho, plan.schema_hash, plan.seeded) == (fit.rho, fit.schema_hash, True)
    assert plan.public_inputs == fit.public_inputs
    for entry in fit.entries:
        kinds = [each for each in plan.mechanisms if entry.query.startswith(each.query)]
        assert any(
            entry.distribution == each.distribution
            and entry.scale <= each.largest_scale
            and entry.share >= each.least_share
            for each in kinds
        ), entry.query


def test_plan_ledger_and_report_say_that_bounds_clamp() -> None:
    """By the schema alone: what is said does not depend on whether a value is beyond them."""
    rules = [f"x{j}: below -1 as -1, above {j}.5 as {j}.5" for j in range(7)]
    schema = cf.Schema([cf.Numeric(f"x{j}", -1, j + 0.5, bins=2) for j in range(7)])
    synth = cf.CovLossSynthesizer(schema, epsilon=1, delta=1e-9)
    line = f"  values that count as a bound: {'; '.join(rules[:5])}; 2 more\n"
    assert line in str(synth.plan())
    assert json.loads(json.dumps(synth.plan().to_dict()))["public_inputs"]["clamped"] == rules
    rng = np.random.default_rng(0)
    said = set()
    for scale in (0.1, 1000):  # within the bounds, and beyond them
        ledger = cf.CovLossSynthesizer(schema, epsilon=1, delta=1e-9).fit(rng.normal(size=(500, 7)) * scale)
        assert line in str(ledger.ledger_)
        again = cf.PrivacyLedger.from_json(ledger.ledger_.to_json())
        assert again == ledger.ledger_
        assert line in str(again)
        said.add(tuple(again.fits[0].public_inputs["clamped"]))  # type: ignore[arg-type]
        assert rules[0] in report.build_private(ledger)
    assert said == {tuple(rules)}
    bits = cf.CovLossSynthesizer(cf.Schema([cf.Binary("a")]), epsilon=1, delta=1e-9)
    assert "bound" not in str(bits.plan())
    assert "clamped" not in bits.plan().public_inputs


def test_a_plan_is_text_and_json() -> None:
    schema = cf.Schema.from_domain({"a": 2, "b": 2})
    plan = cf.CovLossSynthesizer(schema, epsilon="1/10", delta=0).plan()  # type: ignore[arg-type]
    data = json.loads(json.dumps(plan.to_dict()))
    assert data["epsilon"] == "1/10"
    assert data["seeded"] is False
    assert data["mechanisms"][0]["largest_scale"] == str(Fraction(1000, 3))
    assert "Laplace, scale 333.33" in plan.to_text()
    assert "NOT PRIVATE" not in plan.to_text()
    assert str(plan) == plan.to_text()
    assert "Fraction" not in str(plan)


def test_a_plan_is_refused_as_the_fit_would_be() -> None:
    schema = cf.Schema.from_domain({"a": 2, "b": 2})
    with pytest.raises(ValueError, match="epsilon must be"):
        cf.CovLossSynthesizer(schema, epsilon=0, delta=0).plan()
    with pytest.raises(ValueError, match="too small"):
        cf.CovLossSynthesizer(schema, epsilon=1e-15, delta=0).plan()


@pytest.mark.parametrize(("delta", "large"), [(1e-3, True), (1e-5, False), (0, False)])
def test_a_large_delta_is_remarked_on(delta: float, large: bool) -> None:
    synth = cf.CovLossSynthesizer(cf.Schema([cf.Binary("a")]), epsilon=1, delta=delta)
    assert (f"delta = {delta:g} is large" in synth.plan().to_text()) is large


def test_a_saved_ledger_reads_the_same(tmp_path: Path) -> None:
    synth = cf.CovLossSynthesizer(cf.Schema([cf.Binary("a"), cf.Binary("b")]), epsilon=1, delta=0)
    synth.fit({"a": [True, False] * 20, "b": [False, False] * 20}).save(tmp_path / "r.covloss")
    assert str(cf.load(tmp_path / "r.covloss").ledger_) == str(synth.ledger_)
