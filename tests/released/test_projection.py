"""Metric projection onto cube and simplices: paper, Section 5.5."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.optimize import minimize

from covloss_fast._core import rounding as core
from covloss_fast.reference import rounding as reference
from covloss_fast.released.rounding import project_onto_domain
from covloss_fast.schema import BitLayout

WIDTHS = [1, 2, 3, 63, 64, 65, 257]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("n_rows", [0, 1, 65, 2000])
def test_projections_equal_reference(width: int, n_rows: int, n_threads: int) -> None:
    rows = np.random.default_rng(width).normal(0.3, 1, (n_rows, width))
    assert np.array_equal(core.project_cube(rows, n_threads), reference.project_cube(rows))
    expected = np.array([reference.project_simplex(row) for row in rows]).reshape(rows.shape)
    assert np.array_equal(core.project_simplex(rows, n_threads), expected)


def test_simplex_projection_is_the_nearest_point() -> None:
    """Against the active-set enumeration of the quadratic program, and scipy's solver."""
    generator = np.random.default_rng(0)
    for trial in range(60):
        s = int(generator.integers(1, 6))
        v = generator.normal(0, [0.1, 1, 10][trial % 3], s)
        best, best_distance = v, np.inf
        for n_active in range(1, s + 1):
            for support in itertools.combinations(range(s), n_active):
                x = np.zeros(s)
                x[list(support)] = v[list(support)] - (v[list(support)].sum() - 1) / n_active
                if x.min() >= 0 and np.sum((x - v) ** 2) < best_distance:
                    best, best_distance = x, np.sum((x - v) ** 2)
        projected = core.project_simplex(v[None], 1)[0]
        np.testing.assert_allclose(projected, best, atol=1e-13 * (1 + np.abs(v).max()))
        if trial < 6:
            solved = minimize(
                lambda x, v=v: np.sum((x - v) ** 2),
                np.full(s, 1 / s),
                bounds=[(0, 1)] * s,
                constraints={"type": "eq", "fun": lambda x: x.sum() - 1},
                method="SLSQP",
            )
            np.testing.assert_allclose(projected, solved.x, atol=1e-5)


def test_simplex_projection_of_large_entries() -> None:
    v = np.array([[1e15 + 0.25, 1e15, -1e300, 0.0]])
    np.testing.assert_array_equal(core.project_simplex(v, 1), [[0.625, 0.375, 0, 0]])


def test_many_entries_far_below_the_largest_add_to_one() -> None:
    """A few large blocks and tens of thousands of small ones: sums of 10^5 terms must not be felt."""
    v = np.full((1, 100_000), 1e-7)
    v[0, :3] = 0.3, 0.2, 0.4
    assert abs(core.project_simplex(v, 1).sum() - 1) < 1e-10


def test_ties_share_and_points_of_the_domain_stay() -> None:
    np.testing.assert_array_equal(core.project_simplex(np.full((1, 4), -7.0), 1), np.full((1, 4), 0.25))
    inside = np.array([[0.5, 0.25, 0.25, 0.0]])
    np.testing.assert_array_equal(core.project_simplex(inside, 1), inside)
    layout = BitLayout((2, 3, 2))
    once = project_onto_domain(np.random.default_rng(0).normal(size=(50, layout.n_bits)), layout)
    np.testing.assert_allclose(project_onto_domain(once, layout), once, atol=1e-15)


def test_projection_onto_the_domain_works_group_by_group(n_threads: int) -> None:
    layout = BitLayout((2, 3, 1, 2, 3, 4))
    means = np.random.default_rng(2).normal(0.4, 1, (20, layout.n_bits))
    projected = project_onto_domain(means, layout, n_threads)
    for attribute, size in enumerate(layout.sizes):
        group = slice(layout.offsets[attribute], layout.offsets[attribute + 1])
        for row, out in zip(means, projected):
            one = reference.project_cube(row[group]) if size == 2 else reference.project_simplex(row[group])
            assert np.array_equal(out[group], one)


def test_projection_is_1_lipschitz_and_never_moves_away_from_the_domain() -> None:
    layout = BitLayout((2, 5, 3, 2))
    generator = np.random.default_rng(3)
    x, y = generator.normal(0, 1, (2, 500, layout.n_bits))
    px, py = project_onto_domain(x, layout), project_onto_domain(y, layout)
    assert np.all(np.linalg.norm(px - py, axis=1) <= np.linalg.norm(x - y, axis=1) + 1e-12)
    assert np.all(np.linalg.norm(px - py, axis=1) <= np.linalg.norm(x - py, axis=1) + 1e-12)


def test_input_is_not_changed_and_any_layout_of_memory_is_read() -> None:
    layout = BitLayout((2, 3))
    means = np.asfortranarray(np.random.default_rng(4).normal(size=(6, 4)))
    before = means.copy()
    assert np.array_equal(
        project_onto_domain(means, layout), project_onto_domain(np.ascontiguousarray(means), layout)
    )
    assert np.array_equal(means, before)


def test_bad_means_are_refused() -> None:
    layout = BitLayout((2, 3))
    for bad in (np.nan, np.inf, -np.inf):
        means = np.zeros((2, 4))
        means[1, 2] = bad
        with pytest.raises(ValueError, match="block 1, bit 2 is not finite"):
            project_onto_domain(means, layout)
        for project in (core.project_cube, core.project_simplex):
            with pytest.raises(ValueError, match="row 1, column 2 is not finite"):
                project(means, 1)
    with pytest.raises(ValueError, match=r"shape \(n_blocks, 4\)"):
        project_onto_domain(np.zeros((2, 5)), layout)
    with pytest.raises(ValueError, match="at least one entry"):
        core.project_simplex(np.zeros((2, 0)), 1)
