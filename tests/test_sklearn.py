"""scikit-learn's habits: parameters, clones, pipelines, and its own checks where they apply."""

from __future__ import annotations

import copy
import warnings
from typing import Any

import numpy as np
import pytest

import covloss_fast as cf

sklearn = pytest.importorskip("sklearn", "1.6")

from sklearn.base import clone  # noqa: E402
from sklearn.pipeline import Pipeline, make_pipeline  # noqa: E402
from sklearn.preprocessing import FunctionTransformer  # noqa: E402
from sklearn.utils.estimator_checks import check_estimator  # noqa: E402

SCHEMA = cf.Schema.from_domain({"a": 2, "b": 3})
TABLE = np.stack([np.arange(90) % 2, np.arange(90) % 3], axis=1)
MADE: dict[str, Any] = {
    "tables": lambda: cf.CovLossSynthesizer(SCHEMA, epsilon=1.0, delta=1e-9),
    "vectors": lambda: cf.VectorSynthesizer(cf.UnitBall(2), epsilon=1.0),
    "anonymous": lambda: cf.Microaggregator(min_block_size=3),
}
DATA: dict[str, Any] = {"tables": TABLE, "vectors": np.zeros((90, 2)), "anonymous": TABLE * 1.0}
#: What does not fit made-up tables: parameters, clones, tags, errors before a fit.
APPLY = {
    "check_estimator_cloneable",
    "check_estimator_tags_renamed",
    "check_valid_tag_types",
    "check_estimator_repr",
    "check_no_attributes_set_in_init",
    "check_do_not_raise_errors_in_init_or_set_params",
    "check_estimators_unfitted",
    "check_mixin_order",
    "check_parameters_default_constructible",
    "check_get_params_invariance",
    "check_set_params",
}


class _AnyCheck(dict[str, str]):
    """All checks but those that apply are expected to fail."""

    def __contains__(self, name: object) -> bool:
        return name not in APPLY

    def __getitem__(self, name: str) -> str:
        return "it fits made-up numbers of any width, with a target, and levels and bounds are declared here"

    def __bool__(self) -> bool:
        return True


@pytest.mark.parametrize("kind", MADE)
def test_the_checks_that_apply_pass(kind: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(
            MADE[kind](), expected_failed_checks=_AnyCheck(), on_skip=None, on_fail="raise"
        )
    passed = {result["check_name"] for result in results if result["status"] == "passed"}
    assert passed >= APPLY
    assert all(result["status"] != "failed" for result in results)


@pytest.mark.parametrize("kind", MADE)
def test_parameters_go_round(kind: str) -> None:
    made = MADE[kind]()
    again = type(made)(**made.get_params())
    assert again.get_params() == made.get_params()
    assert made.set_params(n_threads=1) is made
    assert made.get_params()["n_threads"] == 1
    with pytest.raises(ValueError, match="parameter"):
        made.set_params(nonsense=1)


@pytest.mark.parametrize("kind", MADE)
def test_a_clone_has_the_parameters_and_nothing_fitted(kind: str) -> None:
    made = MADE[kind]().fit(DATA[kind])
    fresh = clone(made)
    assert fresh.get_params().keys() == made.get_params().keys()
    assert not [name for name in vars(fresh) if name.endswith("_")]
    with pytest.raises((ValueError, AttributeError), match="not fitted"):
        fresh.sample(3)


def test_clones_share_a_ledger_without_a_budget() -> None:
    ledger = cf.PrivacyLedger("add_or_remove_one")
    made = cf.CovLossSynthesizer(SCHEMA, epsilon=1, delta=0, ledger=ledger).fit(TABLE)
    clone(make_pipeline(clone(made))).fit(TABLE)
    assert len(ledger.fits) == 2


def test_clones_share_a_budget() -> None:
    ledger = cf.PrivacyLedger("add_or_remove_one", budget=cf.Budget(2, 0))
    made = cf.CovLossSynthesizer(SCHEMA, epsilon=1, delta=0, ledger=ledger).fit(TABLE)
    fresh = clone(made)
    assert fresh.ledger is ledger
    fresh.fit(TABLE)
    with pytest.raises(cf.BudgetExceededError):
        clone(fresh).fit(TABLE)
    assert len(ledger.fits) == 2


@pytest.mark.parametrize("kind", MADE)
def test_pipelines(kind: str) -> None:
    line = Pipeline([("same", FunctionTransformer()), ("last", MADE[kind]())])
    assert line.fit(DATA[kind]) is line
    assert line.get_params()["last__n_threads"] is None
    line.set_params(last__n_threads=1)
    assert len(line["last"].sample(5)) == 5
    assert "last" in repr(line)
    copied = clone(line)
    assert copied["last"] is not line["last"]
    if kind == "anonymous":
        assert make_pipeline(MADE[kind]()).fit_transform(DATA[kind]).shape == (90, 2)


@pytest.mark.parametrize("kind", ["tables", "vectors"])
def test_a_target_is_refused(kind: str) -> None:
    made = MADE[kind]()
    with pytest.raises(ValueError, match="y must be None"):
        made.fit(DATA[kind], np.zeros(90))
    assert not hasattr(made, "ledger_")
    assert made.fit(DATA[kind], None) is made
    assert copy.deepcopy(made).get_params().keys() == made.get_params().keys()
