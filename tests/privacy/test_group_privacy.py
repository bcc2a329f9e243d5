"""Persons with several records: every sensitivity against all small tables that differ in k records."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import covloss_fast as cf
from covloss_fast.privacy import mechanisms
from covloss_fast.privacy.accounting import Budget
from covloss_fast.privacy.certificate import exact_query
from covloss_fast.privacy.ledger import PrivacyLedger
from covloss_fast.privacy.mechanisms import Door, Neighbours, NoiseKey, Sensitivity, noise_scale
from covloss_fast.reference import queries
from covloss_fast.reference.transcripts import both, contents, privacy_loss

BOTH: tuple[Neighbours, ...] = ("add_or_remove_one", "replace_one")
SIZES = [2, 3]
RECORDS = np.array([[a, b] for a in range(2) for b in range(3)])
EXPECTED = [np.array([1, 0, 0, 2, 0, 1])]


def certificate_query(table: NDArray[np.int64]) -> NDArray[np.int64]:
    counts = queries.marginal_counts(table[:, :1] == [[1]], 1)
    return np.array([exact_query(counts, len(table), np.array([0]), 3)])


Query = tuple[Callable[[NDArray[np.int64]], NDArray[np.int64]], Callable[[Neighbours], Sensitivity]]
#: Query -> its answer and the sensitivity for one record. Blocks: the first attribute is the label.
QUERIES: dict[str, Query] = {
    "one-way": (lambda t: queries.one_way(t, SIZES), lambda r: mechanisms.one_way(1, 1, r)),
    "all pairs": (lambda t: queries.all_pairs(t, SIZES), lambda r: mechanisms.all_pairs(1, 1, r)),
    "pair table": (lambda t: queries.pair_table(t, SIZES, 0, 1), mechanisms.pair_table),
    "pair scores": (
        lambda t: queries.pair_scores(t, SIZES, EXPECTED),
        lambda r: mechanisms.pair_score(1, r),
    ),
    "blocks": (
        lambda t: queries.block_statistics(t, SIZES, t[:, 0], 2, 2),
        lambda r: mechanisms.block_statistics(1, 1, r, 2),
    ),
    "damped means": (
        lambda t: queries.damped_means(t[:, :1], np.zeros(len(t), np.int64), 1, 6, 3),
        lambda r: mechanisms.damped_means([2], 6, 3, r),
    ),
    "certificate": (certificate_query, mechanisms.certificate),
}
#: Here k records can all move the answer the same way, as far as one can.
ATTAINED = {"one-way", "all pairs", "pair table", "blocks", "certificate"}


def largest_moves(
    answer: Callable[[NDArray[np.int64]], NDArray[np.int64]], neighbours: Neighbours, k: int
) -> tuple[int, int]:
    """Largest l1 and squared l2 move over all pairs of tables that differ in k records or fewer."""
    l1 = l2_squared = 0

    def of(table: tuple[int, ...]) -> NDArray[np.int64]:
        return answer(RECORDS[list(table)])

    groups = [g for j in range(k + 1) for g in combinations_with_replacement(range(len(RECORDS)), j)]
    for n in range(3):
        for rest in combinations_with_replacement(range(len(RECORDS)), n):
            answers = {group: of((*rest, *group)) for group in groups}
            for here, mine in answers.items():
                for there, other in answers.items():
                    same_length = len(here) == len(there)
                    if same_length if neighbours == "replace_one" else not there:
                        move = mine - other
                        l1 = max(l1, int(np.abs(move).sum()))
                        l2_squared = max(l2_squared, int((move**2).sum()))
    return l1, l2_squared


@pytest.mark.parametrize("neighbours", BOTH)
@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("k", [1, 2])
def test_all_records_of_a_person_move_a_query_no_further(query: str, neighbours: Neighbours, k: int) -> None:
    answer, sensitivity = QUERIES[query]
    one = sensitivity(neighbours)
    claim, moves = one.of_person(k), largest_moves(answer, neighbours, k)
    assert moves[0] <= claim.l1
    assert moves[1] <= claim.l2_squared
    if query in ATTAINED:
        assert moves == (claim.l1, claim.l2_squared)
        if k > 1:  # what holds for one record does not hold for two, nor does k in place of k^2
            assert moves[0] > one.l1
            assert moves[1] > k * one.l2_squared


def test_the_price_is_epsilon_over_k_and_rho_over_k_squared() -> None:
    for k in (1, 3, 7):
        for query in QUERIES.values():
            one = query[1]("replace_one")
            for delta, power in ((0, 1), (1e-9, 2)):
                shared = Budget(1, delta, max_records_per_person=k)
                assert shared.total_per_record == shared.total / k**power
                scale = noise_scale(shared, one, Fraction(1, 3))
                exact = one.l1 if delta == 0 else Fraction(one.l2_squared) / 2
                wanted = exact / (shared.total_per_record / 3)
                assert wanted <= scale <= wanted * (1 + Fraction(1, 2**29))


FITS: dict[str, tuple[tuple[int, ...], dict[str, Any]]] = {
    "binary": ((2,) * 5, {"delta": 0.05, "n_blocks": 4}),
    "binary, pure": ((2,) * 5, {"delta": 0}),
    "categorical": ((2, 5, 2, 3), {"delta": 0.05, "epsilon": 60.0}),
    "categorical, pure": ((2, 5, 2, 3), {"delta": 0, "epsilon": 300.0}),
    "no pair": ((3, 3), {"delta": 0, "epsilon": 10.0}),
    "rho": ((2, 5, 2, 3), {"rho": 200.0, "epsilon": None, "delta": 0.05}),
    "paper": ((2,) * 5, {"delta": 0, "method": "paper"}),
}


def moved_in(
    fit_name: str, neighbours: Neighbours, k: int, declared: int
) -> tuple[float, float, list[cf.CovLossSynthesizer]]:
    """The largest move of a line of the ledger over its bound, the largest loss, and the fitted objects."""
    sizes, settings = FITS[fit_name]
    schema = cf.Schema.from_domain({f"a{j}": size for j, size in enumerate(sizes)})
    kept: list[cf.CovLossSynthesizer] = []

    def fit(table: NDArray[np.int64], seed: int) -> cf.CovLossSynthesizer:
        given = {"epsilon": 2.0, **settings}
        synth = cf.CovLossSynthesizer(
            schema,
            neighbours=neighbours,
            max_records_per_person=declared,
            random_state=seed,
            n_threads=1,
            **given,
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", cf.NotPrivateWarning)
            kept.append(synth.fit(table))
        return synth

    rng = np.random.default_rng(2)
    largest = loss = 0.0
    for seed, n in enumerate((k, 30, 300)):
        here = np.stack([rng.integers(0, size, n) for size in sizes], axis=1)
        here[:k] = np.array(sizes) - 1
        there = here[k:] if neighbours == "add_or_remove_one" else np.vstack([0 * here[:k], here[k:]])
        steps, replayed = both(fit, here, there, seed)
        for step, twin in zip(steps, replayed):
            move = np.abs(step.exact - twin.exact).astype(object)
            largest = max(
                largest, move.sum() / step.entry.l1, float((move**2).sum() / step.entry.l2_squared) ** 0.5
            )
        loss = max(loss, abs(sum(map(privacy_loss, steps, replayed))))
        assert contents(kept[-1]) == contents(kept[-2])
    return float(largest), loss, kept


@pytest.mark.parametrize("neighbours", BOTH)
@pytest.mark.parametrize("fit_name", FITS)
def test_whole_fits_cover_all_records_of_a_person(fit_name: str, neighbours: Neighbours) -> None:
    largest, loss, kept = moved_in(fit_name, neighbours, 3, 3)
    assert 0.5 < largest <= 1
    if fit_name == "no pair":  # another query, of which all else is said too
        assert any("no pair selected" in entry.query for each in kept for entry in each.ledger_.entries)
    if FITS[fit_name][1]["delta"] == 0:
        assert loss <= FITS[fit_name][1].get("epsilon", 2.0) + 1e-9
    assert kept[-1].ledger_.max_records_per_person == 3
    assert "the records of one person, 3 at most" in str(kept[-1].ledger_)


@pytest.mark.parametrize("neighbours", BOTH)
@pytest.mark.parametrize("fit_name", ["binary", "categorical, pure", "paper"])
def test_fewer_records_than_a_person_has_are_caught(fit_name: str, neighbours: Neighbours) -> None:
    largest, _, _ = moved_in(fit_name, neighbours, 3, 2)
    assert largest > 1


@pytest.mark.parametrize("fit_name", ["binary, pure", "categorical, pure", "no pair", "rho", "paper"])
def test_a_person_with_k_records_is_a_record_at_k_times_epsilon_bit_for_bit(fit_name: str) -> None:
    """So all parameters, the paper's damping among them, are chosen for the noise that there is."""
    sizes, settings = FITS[fit_name]
    schema = cf.Schema.from_domain({f"a{j}": size for j, size in enumerate(sizes)})
    table = np.random.default_rng(3).integers(0, sizes, (3_000, len(sizes)))
    made = []
    for k in (1, 3):
        given = {"epsilon": 2.0, **settings}
        amount, power = ("rho", 2) if "rho" in given else ("epsilon", 1)
        given[amount] = k**power * Fraction(given[amount]) / 9
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", cf.NotPrivateWarning)
            synth = cf.CovLossSynthesizer(schema, random_state=1, max_records_per_person=k, **given)
            made.append(synth.fit(table))
    one, three = made
    assert one.parameters_ == three.parameters_
    assert one.certificate_ == three.certificate_
    np.testing.assert_array_equal(one.sample(), three.sample())


@pytest.mark.parametrize("k", [0, -1, 2.0, True, "3", 2**20 + 1, None])
def test_other_numbers_of_records_are_refused(k: Any) -> None:
    schema = cf.Schema([cf.Binary("a")])
    for make in (
        lambda: cf.CovLossSynthesizer(schema, epsilon=1, delta=0, max_records_per_person=k).plan(),
        lambda: cf.VectorSynthesizer(cf.UnitBall(2), epsilon=1, max_records_per_person=k).plan(),
        lambda: PrivacyLedger("replace_one", max_records_per_person=k),
    ):
        with pytest.raises(ValueError, match="max_records_per_person must be an integer from 1 to 1,048,576"):
            make()


@pytest.mark.parametrize("amount", [{"epsilon": 1e-5, "delta": 0}, {"rho": 1e-6, "delta": 1e-9}])
def test_noise_for_so_many_records_that_cannot_be_drawn_is_refused_before_the_spend(
    amount: dict[str, float],
) -> None:
    schema = cf.Schema([cf.Binary("a"), cf.Binary("b"), cf.Categorical("c", [0, 1, 2])])
    table = {"a": [True, False], "b": [True, True], "c": [0, 2]}
    ledger = PrivacyLedger("add_or_remove_one", max_records_per_person=2**20)
    with pytest.raises(ValueError, match=r"the budget is too small.* for the query"):
        cf.CovLossSynthesizer(schema, max_records_per_person=2**20, ledger=ledger, **amount).fit(table)
    assert not ledger.fits
    cf.CovLossSynthesizer(schema, **amount).fit(table)  # for one record it can


def test_units_do_not_mix() -> None:
    schema = cf.Schema([cf.Binary("a")])
    synth = cf.CovLossSynthesizer(schema, epsilon=1, delta=0).fit({"a": [True, False]})
    with pytest.raises(ValueError, match="has spent for persons with at most 1 records"):
        synth.set_params(max_records_per_person=2).fit({"a": [True]})
    ledger = PrivacyLedger("add_or_remove_one", max_records_per_person=2)
    with pytest.raises(ValueError, match="its ledger is for persons with at most 2 records"):
        cf.CovLossSynthesizer(schema, epsilon=1, delta=0, ledger=ledger).plan()
    ledger.begin_fit(Budget(1, 0, max_records_per_person=2), schema_hash="", seeded=False)
    with pytest.raises(ValueError, match="their totals do not add"):
        ledger.begin_fit(Budget(1, 0), schema_hash="", seeded=False)
    with pytest.raises(RuntimeError, match="charged with begin_fit"):
        Door(Budget(1, 0), "add_or_remove_one", ledger, NoiseKey.fresh())


def test_vectors_of_persons_with_several_records() -> None:
    vectors = np.random.default_rng(0).dirichlet([3.0, 2.0, 1.0], 5_000)
    one, three = (
        cf.VectorSynthesizer(cf.Simplex(3), epsilon=30.0, max_records_per_person=k, n_blocks=4)
        for k in (1, 3)
    )
    for plan_one, plan_three in zip(one.plan().mechanisms, three.plan().mechanisms):
        assert plan_three.l1 == 3 * plan_one.l1
        assert plan_three.l2_squared == 9 * plan_one.l2_squared
    spent_one, spent_three = (synth.fit(vectors).ledger_.entries for synth in (one, three))
    assert len(spent_three) == 5
    for entry_one, entry_three in zip(spent_one, spent_three):
        assert entry_three.query == entry_one.query
        assert entry_three.l1 == 3 * entry_one.l1
        assert entry_three.l2_squared == 9 * entry_one.l2_squared
        assert entry_three.spent == entry_three.l1 / entry_three.scale <= 30 * entry_three.share
        assert abs(float(entry_three.scale / entry_one.scale) - 3) < 1e-6


def test_a_release_says_for_whom_it_is(tmp_path: Any) -> None:
    schema = cf.Schema([cf.Binary("a"), cf.Binary("b")])
    synth = cf.CovLossSynthesizer(schema, epsilon=1, delta=0, max_records_per_person=4)
    synth.fit({"a": [True, False], "b": [True, True]}).save(tmp_path / "r")
    again = cf.load(tmp_path / "r")
    assert again.get_params()["max_records_per_person"] == again.ledger_.max_records_per_person == 4
    assert again.ledger_ == synth.ledger_
    assert synth.schema.hash == again.ledger_.fits[0].schema_hash
