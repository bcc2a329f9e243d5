"""Sensitivities of vectors, by brute force over all integer rows that the bounds allow, on small grids.

The rows are those that rounding can make, so it is the *rounded* record that the claims are held against.
"""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from covloss_fast.convex_sets import Box, ConvexSet, Product, RowBounds, Simplex, UnitBall
from covloss_fast.privacy import mechanisms
from covloss_fast.privacy.ledger import Neighbours
from covloss_fast.privacy.mechanisms import Sensitivity
from covloss_fast.records.grid import round_rows

BOTH: tuple[Neighbours, ...] = ("add_or_remove_one", "replace_one")
#: Sets, and steps in a unit.
CASES: list[tuple[str, int]] = [
    *(("ball1", g) for g in (1, 3)),
    *(("ball2", g) for g in (1, 2, 5, 7)),
    *(("ball3", g) for g in (1, 2, 3)),
    *(("ball4", g) for g in (1, 2)),
    *(("box2", g) for g in (1, 3)),
    ("box3", 2),
    *(("simplex3", g) for g in (1, 2, 5)),
    ("product", 2),
]
SETS: dict[str, ConvexSet] = {
    "ball1": UnitBall(1),
    "ball2": UnitBall(2),
    "ball3": UnitBall(3),
    "ball4": UnitBall(4),
    "box2": Box([0, 0], [1, 2]),
    "box3": Box([0] * 3, [1] * 3),
    "simplex3": Simplex(3),
    "product": Product(UnitBall(1), Simplex(2)),
}


@cache
def all_rows(name: str, g: int) -> NDArray[np.int64]:
    """Every integer row that rounding makes of some real vector, from inside the set or not."""
    convex_set = SETS[name]
    sides = [np.arange(-g - 1, g + 2)] * convex_set.n_features
    lattice = np.array(list(product(*sides))) / g
    records = convex_set.centre + convex_set.unit * lattice
    return np.unique(round_rows(records, convex_set, g), axis=0).astype(np.int64)


def norms(moves: NDArray[np.int64]) -> tuple[int, int]:
    return int(np.abs(moves).sum(axis=-1).max()), int((moves**2).sum(axis=-1).max())


def moves_of(answers: NDArray[np.int64], neighbours: Neighbours) -> tuple[int, int]:
    """Largest moves of a query that adds up over records: all neighbours of all tables differ by these."""
    if neighbours == "add_or_remove_one":
        return norms(answers)
    largest = [norms(answers - other) for other in answers]
    return max(l1 for l1, _ in largest), max(l2 for _, l2 in largest)


def refuted(claim: Sensitivity, moves: tuple[int, int]) -> bool:
    return moves[0] > claim.l1 or moves[1] > claim.l2_squared


@pytest.mark.parametrize("neighbours", BOTH)
@pytest.mark.parametrize(("name", "g"), CASES)
def test_sum(name: str, g: int, neighbours: Neighbours) -> None:
    claim = mechanisms.vector_sum(SETS[name].bounds(g), neighbours)
    moves = moves_of(all_rows(name, g), neighbours)
    assert not refuted(claim, moves)
    assert moves[1] == claim.l2_squared  # attained
    if g > 1:  # else hardly a row is left
        assert moves[0] >= 0.75 * claim.l1
        assert refuted(Sensitivity(claim.l1, claim.l2_squared - 1), moves)


@pytest.mark.parametrize("neighbours", BOTH)
@pytest.mark.parametrize(("name", "g"), CASES)
def test_second_moment(name: str, g: int, neighbours: Neighbours) -> None:
    rows = all_rows(name, g)
    upper = np.triu_indices(rows.shape[1])
    answers = (rows[:, :, None] * rows[:, None, :])[:, upper[0], upper[1]]
    claim = mechanisms.vector_second_moment(SETS[name].bounds(g), neighbours)
    moves = moves_of(answers, neighbours)
    assert not refuted(claim, moves)
    if name != "product":
        assert moves[1] >= 0.6 * claim.l2_squared
        assert moves[0] >= 0.5 * claim.l1
    if neighbours == "add_or_remove_one" and name != "product":
        assert moves[1] == claim.l2_squared


@pytest.mark.parametrize("weight", [1, 3])
@pytest.mark.parametrize("neighbours", BOTH)
@pytest.mark.parametrize(("name", "g"), [case for case in CASES if case not in (("ball4", 2), ("box3", 2))])
def test_blocks(name: str, g: int, neighbours: Neighbours, weight: int) -> None:
    """Every record in either of two blocks: any partition of records is one of these."""
    rows = all_rows(name, g)
    ones = np.full((len(rows), 1), weight, dtype=np.int64)
    none = np.zeros((len(rows), 1 + rows.shape[1]), dtype=np.int64)
    answers = np.vstack([np.hstack([ones, rows, none]), np.hstack([none, ones, rows])])
    claim = mechanisms.vector_blocks(SETS[name].bounds(g), weight, neighbours)
    moves = moves_of(answers, neighbours)
    assert not refuted(claim, moves)
    assert moves[1] == claim.l2_squared
    if g > 1:
        assert moves[0] >= 0.75 * claim.l1


def test_rows_rounded_to_the_nearest_step_break_the_claims() -> None:
    """Negative control: rounded to the nearest, a record of the ball can leave it."""
    g = 2
    angles = np.linspace(0, 2 * np.pi, 1000)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    nearest = np.rint(circle * g).astype(np.int64)
    claim = mechanisms.vector_sum(UnitBall(2).bounds(g), "add_or_remove_one")
    assert refuted(claim, moves_of(nearest, "add_or_remove_one"))
    assert not refuted(
        claim, moves_of(round_rows(circle, UnitBall(2), g).astype(np.int64), "add_or_remove_one")
    )


def test_claims_of_one_relation_do_not_hold_for_the_other() -> None:
    for name, g in CASES:
        bounds = SETS[name].bounds(g)
        assert refuted(
            mechanisms.vector_sum(bounds, "add_or_remove_one"), moves_of(all_rows(name, g), "replace_one")
        )


def test_unit_ball_sensitivities_are_those_of_real_vectors() -> None:
    """On a fine grid: the table of the unit ball, in units of g and g^2."""
    p, g = 100, 2**20
    bounds = UnitBall(p).bounds(g)
    blocks = mechanisms.vector_blocks(bounds, g, "add_or_remove_one")
    assert float(blocks.l1) / g == pytest.approx(1 + np.sqrt(p), rel=1e-6)
    assert blocks.l2_squared == 2 * g**2
    assert mechanisms.vector_blocks(bounds, g, "replace_one").l2_squared == 4 * g**2
    moment = mechanisms.vector_second_moment(bounds, "add_or_remove_one")
    assert float(moment.l1) / g**2 == pytest.approx((p + 1) / 2, rel=1e-5)
    assert moment.l2_squared == g**4
    replaced = mechanisms.vector_second_moment(bounds, "replace_one")
    assert float(replaced.l1) / g**2 == pytest.approx(p / np.sqrt(2) + 1, rel=1e-5)
    assert replaced.l2_squared == 2 * g**4


def test_a_count_weight_is_at_least_one() -> None:
    with pytest.raises(ValueError, match="count_weight"):
        mechanisms.vector_blocks(RowBounds(1, 1, 1, 1, 2, 4), 0, "replace_one")
