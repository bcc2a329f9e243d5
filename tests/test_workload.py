"""Weights on attributes and pairs: accuracy goes where it is asked for, and nothing more is spent."""

from __future__ import annotations

import math
import warnings
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import covloss_fast as cf
from covloss_fast.released.planning import Workload, least_shares, one_way_weights, select_pairs

SHAPES = {"binary": (2,) * 8, "categorical": (2, 5, 3, 8, 2)}


def table(sizes: tuple[int, ...], n: int = 3_000) -> NDArray[np.int64]:
    rng = np.random.default_rng(5)
    common = rng.random(n)
    return np.stack([((0.5 * common + 0.5 * rng.random(n)) * s).astype(int) for s in sizes], axis=1)


def tv(
    one: NDArray[np.int64], other: NDArray[np.int64], sizes: tuple[int, ...], chosen: tuple[int, ...]
) -> float:
    shape = tuple(sizes[a] for a in chosen)
    first, second = (
        np.bincount(np.ravel_multi_index(tuple(t[:, a] for a in chosen), shape), minlength=math.prod(shape))
        for t in (one, other)
    )
    return float(np.abs(first / len(one) - second / len(other)).sum() / 2)


def fit(sizes: tuple[int, ...], seed: int, **settings: Any) -> cf.CovLossSynthesizer:
    schema = cf.Schema.from_domain({f"a{j}": size for j, size in enumerate(sizes)})
    settings = {"epsilon": 1.0, "delta": 1e-9, "certificate": False, **settings}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.NotPrivateWarning)
        return cf.CovLossSynthesizer(schema, random_state=seed, n_threads=1, **settings).fit(table(sizes))


def errors(sizes: tuple[int, ...], chosen: tuple[int, ...], workload: Any, n_seeds: int = 12) -> float:
    """Mean total variation error of a marginal of the synthetic table."""
    true = table(sizes)
    found = [
        tv(true, np.asarray(fit(sizes, seed, workload=workload).sample()).astype(int), sizes, chosen)
        for seed in range(n_seeds)
    ]
    return float(np.mean(found))


@pytest.mark.parametrize("shape", SHAPES)
def test_a_weighted_attribute_has_less_error(shape: str) -> None:
    sizes = SHAPES[shape]
    less, plain, more = (errors(sizes, (1,), each) for each in ({"a1": 0.02}, None, {"a1": 50}))
    assert more < 0.85 * plain
    assert less > 1.2 * plain  # the control: a weight the other way
    plain, more = (
        float(fit(sizes, 1, workload=each).marginals("a1").standard_errors.mean())
        for each in (None, {"a1": 50})
    )
    assert more < 0.6 * plain


@pytest.mark.parametrize("shape", SHAPES)
def test_a_weighted_pair_has_less_error(shape: str) -> None:
    sizes = SHAPES[shape]
    plain, weighted = (errors(sizes, (1, 3), each) for each in (None, {("a3", "a1"): 200}))
    assert weighted < 0.8 * plain


@pytest.mark.parametrize("delta", [0, 1e-9])
@pytest.mark.parametrize("shape", SHAPES)
def test_nothing_more_is_spent_and_the_ledger_has_the_weights(shape: str, delta: float) -> None:
    workload = {"a1": 5, ("a0", "a3"): 0.5}
    synth = fit(SHAPES[shape], 1, delta=delta, workload=workload, certificate=True)
    plain = fit(SHAPES[shape], 1, delta=delta, certificate=True)
    (one,), (other,) = synth.ledger_.fits, plain.ledger_.fits
    assert (one.epsilon, one.delta, one.rho) == (other.epsilon, other.delta, other.rho)
    assert one.shared <= 1
    assert one.public_inputs["workload"] == "'a0' x 'a3': 0.5, 'a1': 5"
    assert "workload = 'a0' x 'a3': 0.5, 'a1': 5" in str(synth.ledger_)
    assert synth.plan().public_inputs == one.public_inputs
    levels = [entry for entry in one.entries if entry.query.startswith("levels: ")]
    assert (
        max(levels, key=lambda entry: entry.share / SHAPES[shape][levels.index(entry)]).query
        == "levels: 'a1'"
    )


def test_weights_that_are_all_one_change_nothing() -> None:
    sizes = SHAPES["categorical"]
    plain, same = fit(sizes, 3), fit(sizes, 3, workload={"a0": 1.0})
    np.testing.assert_array_equal(plain.sample(), same.sample())


def test_the_pairs_of_a_weighted_attribute_are_weighted_too() -> None:
    schema = cf.Schema.from_domain({f"a{j}": 3 for j in range(4)})
    workload = Workload.of(schema, {"a1": 4, ("a2", "a1"): 7, "a3": np.float64(0.5)})
    pairs = list(combinations(range(4), 2))
    assert workload.singles == (1, 4, 1, 0.5)
    assert dict(zip(pairs, workload.of_pairs(pairs))) == {
        (0, 1): 4, (0, 2): 1, (0, 3): 0.5, (1, 2): 7, (1, 3): 2, (2, 3): 0.5
    }  # fmt: skip


@pytest.mark.parametrize("is_pure", [True, False])
def test_the_division_of_the_budget_is_the_best(is_pure: bool) -> None:
    """Against random divisions: the weighted sum of errors of what is measured is least."""
    rng = np.random.default_rng(1)
    cells, counts = np.array([4, 30, 9, 100]), np.array([5.0, 1.0, 0.2, 3.0])
    selected, parts = select_pairs(np.full(4, 0.9), cells, 5.0, 10_000, is_pure, counts)
    assert len(selected) == 4
    power = 1.0 if is_pure else 0.5

    def error(division: NDArray[np.float64]) -> float:
        return float((counts * cells / division**power).sum())

    others = [error(rng.dirichlet(np.ones(4))) for _ in range(2_000)]
    assert error(parts) <= min(others)
    assert error(parts) < min(others) * 1.2
    # A pair that does not count is not worth its noise.
    dropped, _ = select_pairs(
        np.full(4, 0.05), cells, 300.0, 10_000, is_pure, np.array([1e3, 1e-3, 1e-3, 1e-3])
    )
    assert dropped.tolist() == [0]


@pytest.mark.parametrize("is_pure", [True, False])
def test_no_share_is_below_what_was_foreseen(is_pure: bool) -> None:
    schema = cf.Schema.from_domain({"a0": 2, "a1": 40, "a2": 3})
    workload = Workload.of(schema, {"a0": 1000, "a1": 0.001, ("a0", "a2"): 0.001})
    least = least_shares(schema.sizes, {}, is_pure, {"workload": workload})
    assert float(least["one_way"]) <= 0.25 * min(one_way_weights(schema.sizes, is_pure, workload))
    pairs = [(0, 1), (0, 2), (1, 2)]
    cells = np.array([80, 6, 120])
    _, parts = select_pairs(np.full(3, 0.9), cells, 1e-9, 10_000, is_pure, workload.of_pairs(pairs))
    assert float(least["pairs"]) <= 0.43 * parts.min()


@pytest.mark.parametrize(
    ("workload", "message"),
    [
        ({"b": 2}, "'b' is no attribute"),
        ({"a0": 0}, "the weight of 'a0' must be a number from 0.001 to 1000, got 0"),
        ({"a0": -1}, "must be a number from"),
        ({"a0": math.nan}, "must be a number from"),
        ({"a0": True}, "must be a number from"),
        ({"a0": "2"}, "must be a number from"),
        ({("a0", "a1"): 2, ("a1", "a0"): 3}, "is weighted twice"),
        ({("a0", "a0"): 2}, "'a0' is asked for twice"),
        ({("a0", "a1", "a2"): 2}, "for attributes and for pairs of them"),
        ({(): 2}, "at least one attribute"),
        ({}, "workload must map names"),
        (["a0"], "workload must map names"),
    ],
)
def test_bad_weights(workload: Any, message: str) -> None:
    schema = cf.Schema.from_domain({"a0": 2, "a1": 3, "a2": 2})
    with pytest.raises(ValueError, match=message):
        cf.CovLossSynthesizer(schema, epsilon=1, delta=0, workload=workload).plan()


def test_what_does_not_go_with_weights() -> None:
    schema = cf.Schema.from_domain({"a0": 2, "a1": 2})
    with pytest.raises(ValueError, match='workload is for method="restored"'):
        cf.CovLossSynthesizer(schema, epsilon=1, delta=0, method="paper", workload={"a0": 2}).plan()
    with pytest.raises(ValueError, match="no workload is given"):
        cf.CovLossSynthesizer(schema, epsilon=1, delta=0, n_blocks=4, workload={"a0": 2}).plan()


def test_a_weighted_release_is_saved_and_drawn_from_again(tmp_path: Path) -> None:
    synth = fit(SHAPES["binary"], 2, workload={"a0": 5, ("a1", "a2"): 9})
    synth.save(tmp_path / "r")
    again = cf.load(tmp_path / "r")
    np.testing.assert_array_equal(
        np.asarray(synth.sample(500, random_state=1)),
        np.asarray(again.sample(500, random_state=1, as_="numpy")),
    )
    assert synth.forecast(10_000).memory > 0


@pytest.mark.parametrize("n", [50, 3_000, 10**6])
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"workload": {"a0": 5}},
        {"delta": 0},
        {"delta": 0, "method": "paper"},
        {"max_records_per_person": 4},
    ],
)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_plan_for_n_records_is_what_a_fit_takes(shape: str, settings: dict[str, Any], n: int) -> None:
    schema = cf.Schema.from_domain({f"a{j}": size for j, size in enumerate(SHAPES[shape])})
    given = {"epsilon": 2.0, "delta": 1e-9, "neighbours": "replace_one", **settings}
    synth = cf.CovLossSynthesizer(schema, **given)
    plan = synth.plan(n)
    assert plan.parameters is not None
    assert f"If {n:,} records were released:" in str(plan)
    assert synth.plan().parameters is None
    assert plan.to_dict()["parameters"]["n"] == n
    if n == 3_000:
        found = synth.fit(table(SHAPES[shape], n)).parameters_
        same = set(plan.parameters) & set(found) - {"n_blocks", "n_components"}
        assert len(same) >= 3
        assert {name: plan.parameters[name] for name in same} == {name: found[name] for name in same}
    with pytest.raises(ValueError, match="n must be an integer from 1"):
        synth.plan(0)
