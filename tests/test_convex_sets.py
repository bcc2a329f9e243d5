"""Declared convex sets: nearest points, bounds of rounded rows, what is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import covloss_fast as cf
from covloss_fast.convex_sets import ConvexSet


def nonnegative(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    largest = np.maximum(np.abs(rows).max(axis=1, keepdims=True), 1)
    rows = np.maximum(rows, 0) / largest
    return rows / np.maximum(1 / largest, np.linalg.norm(rows, axis=1, keepdims=True))


SETS: list[ConvexSet] = [
    cf.UnitBall(3),
    cf.UnitBall(40),
    cf.Box([-1.0, 0.0, 5.0], [1.0, 1e-3, 6.0]),
    cf.Simplex(4),
    cf.Product(cf.UnitBall(2), cf.Simplex(3), cf.Box([0.0], [1.0])),
    cf.Projection(nonnegative, 3, radius=1),
]


@pytest.mark.parametrize("convex_set", SETS, ids=repr)
@settings(max_examples=30)
@given(seed=st.integers(0, 2**32 - 1), size=st.sampled_from([0.1, 1.0, 30.0, 1e200]))
def test_projections_are_nearest_points(convex_set: ConvexSet, seed: int, size: float) -> None:
    rng = np.random.default_rng(seed)
    far = convex_set.centre + size * convex_set.unit * rng.normal(size=(20, convex_set.n_features))
    near = convex_set.project(far)
    assert np.allclose(convex_set.project(near), near, rtol=0, atol=1e-15)
    assert not convex_set.outside(near).any()
    others = convex_set.project(
        convex_set.centre + convex_set.unit * rng.normal(size=(20, convex_set.n_features))
    )
    # The angle at the nearest point, towards any point of the set, is not acute; distances do not grow.
    away = (far - near) / max(size, 1.0)
    assert (np.einsum("ij,ij->i", away, others - near) <= 1e-12).all()
    if size < 1e100:
        steps = np.linalg.norm(np.diff(near, axis=0), axis=1)
        assert (steps <= np.linalg.norm(np.diff(far, axis=0), axis=1) * (1 + 1e-12) + 1e-12).all()


@pytest.mark.parametrize("convex_set", SETS[:5], ids=repr)
def test_a_projection_depends_on_its_row_alone(convex_set: ConvexSet) -> None:
    rng = np.random.default_rng(3)
    rows = convex_set.centre + convex_set.unit * rng.normal(size=(257, convex_set.n_features))
    whole = convex_set.project(rows)
    for first, last in ((0, 1), (7, 8), (100, 257), (0, 64)):
        assert convex_set.project(rows[first:last]).tobytes() == whole[first:last].tobytes()
    order = rng.permutation(257)
    assert convex_set.project(np.asfortranarray(rows[order])).tobytes() == whole[order].tobytes()


def test_points_of_the_ball_have_norm_one_at_most_in_exact_arithmetic() -> None:
    rng = np.random.default_rng(4)
    for p in (1, 2, 3, 10, 300):
        rows = cf.UnitBall(p).project(rng.normal(size=(50, p)) * 1e4)
        squares = [sum(Fraction(x) ** 2 for x in row) for row in rows.tolist()]
        assert max(squares) <= 1
        assert min(squares) > 1 - 1e-11


def test_points_inside_do_not_move() -> None:
    rng = np.random.default_rng(5)
    ball = rng.normal(size=(100, 5))
    ball *= rng.random((100, 1)) / np.linalg.norm(ball, axis=1)[:, None]
    assert np.array_equal(cf.UnitBall(5).project(ball), ball)
    assert np.array_equal(cf.Box([0.0, 0.0], [1.0, 2.0]).project([[0.25, 1.75]]), [[0.25, 1.75]])
    assert np.allclose(cf.Simplex(3).project([[0.2, 0.3, 0.5]]), [[0.2, 0.3, 0.5]], atol=1e-16)


def test_what_is_outside_is_told_from_rounding() -> None:
    ball = cf.UnitBall(2)
    rows = np.array([[1.0, 0.0], [1 + 1e-12, 0.0], [1 + 1e-6, 0.0], [0.0, 0.0]])
    assert ball.outside(rows).tolist() == [False, False, True, False]
    simplex = np.array([[0.5, 0.5], [0.5, 0.5 + 1e-12], [0.6, 0.5], [-0.1, 1.1]])
    assert cf.Simplex(2).outside(simplex).tolist() == [False, False, True, True]
    box = cf.Box([0.0], [1e9])  # in units of its width
    assert box.outside(np.array([[-0.1], [-1.0], [1e9 + 0.1]])).tolist() == [False, True, False]


def test_bounds_of_a_product_are_sums() -> None:
    parts = (cf.UnitBall(2), cf.Simplex(3), cf.Box([0.0], [1.0]))
    together = cf.Product(*parts).bounds(8)
    assert together.n_features == 6
    assert together.largest == 8
    for name in ("l1", "l2_squared", "apart_l1", "apart_l2_squared"):
        assert getattr(together, name) == sum(getattr(part.bounds(8), name) for part in parts)
    assert cf.Product(cf.Product(*parts)).bounds(8) == together


@pytest.mark.parametrize("convex_set", SETS, ids=repr)
def test_sets_are_written_and_read(convex_set: ConvexSet) -> None:
    read = ConvexSet.from_dict(convex_set.to_dict())
    assert read == convex_set
    assert read.bounds(5) == convex_set.bounds(5)
    assert type(read) is type(convex_set)
    assert read != cf.UnitBall(7)


@pytest.mark.parametrize(
    "data",
    [
        None,
        {},
        {"type": "cone"},
        {"type": "box", "lower": [0], "upper": [0]},
        {"type": "product", "parts": 3},
        {"type": "product", "parts": []},
        {"type": "unit_ball", "n_features": 10**9},
        {"type": "projection", "radius": -1, "centre": [0]},
        {"type": "projection", "radius": 1, "centre": None},
    ],
)
def test_what_is_no_set_is_not_read(data: Any) -> None:
    with pytest.raises(ValueError):
        ConvexSet.from_dict(data)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: cf.UnitBall(0), "n_features"),
        (lambda: cf.UnitBall(True), "n_features"),
        (lambda: cf.UnitBall(2.5), "n_features"),
        (lambda: cf.Simplex(-1), "n_features"),
        (lambda: cf.Box([0, 0], [1]), "2 entries and upper 1"),
        (lambda: cf.Box([0, 1], [1, 1]), "entry 1: lower must be less"),
        (lambda: cf.Box([0, -1e308], [1, 1e308]), "entry 1"),
        (lambda: cf.Box([0, np.nan], [1, 1]), "entry 1 of lower is not finite"),
        (lambda: cf.Box(0, 1), "vector"),
        (lambda: cf.Box([], []), "n_features"),
        (lambda: cf.Product(), "n_features"),
        (lambda: cf.Product(cf.UnitBall(1), 3), "part 1"),
        (lambda: cf.Projection(3, 2, radius=1), "function"),
        (lambda: cf.Projection(nonnegative, 2, radius=0), "radius"),
        (lambda: cf.Projection(nonnegative, 2, radius=np.inf), "radius"),
        (lambda: cf.Projection(nonnegative, 2, radius="1"), "radius"),
        (lambda: cf.Projection(nonnegative, 2, radius=1, centre=[0]), "centre"),
        (lambda: cf.UnitBall(2).project([[0, 0], [np.nan, 0]]), "row 1 is not finite"),
        (lambda: cf.UnitBall(2).project([[0]]), "shape"),
    ],
)
def test_bad_arguments_are_refused(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()
