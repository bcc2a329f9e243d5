"""Pictures show the numbers that they say, on the axes that they are given."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

import covloss_fast as cf
from covloss_fast.plots.comparison import association, count_marginals

SCHEMA = cf.Schema([cf.Binary("a"), cf.Categorical("b", ["x", "y", "z"], missing="level"), cf.Binary("c")])


def table(n: int, seed: int) -> dict[str, object]:
    rng = np.random.default_rng(seed)
    a = rng.random(n) < 0.4
    b = np.where(a, "x", np.array(["x", "y"])[rng.integers(0, 2, n)])
    return {"a": a, "b": b, "c": a}


def test_association_is_cramers_v() -> None:
    stats = pytest.importorskip("scipy.stats.contingency")
    records = table(500, 1)
    found = association(count_marginals(records, SCHEMA))
    levels = np.array(records["b"] == "x").astype(int)
    counts = np.array([[np.sum((records["a"] == i) & (levels == j)) for j in (0, 1)] for i in (0, 1)])
    assert found[0, 1] == pytest.approx(stats.association(counts, method="cramer"))
    assert found[0, 2] == pytest.approx(1)
    np.testing.assert_array_equal(np.diag(found), 1)
    np.testing.assert_allclose(found, found.T)


def test_constant_attributes_are_independent_of_all() -> None:
    records = {"a": [True, True], "b": ["x", "y"], "c": [False, False]}
    found = association(count_marginals(records, SCHEMA))
    assert found[0, 1] == found[0, 2] == 0


def test_every_plot_draws_on_the_axes_that_it_is_given() -> None:
    one, two = table(50, 1), table(60, 2)
    errors = [cf.marginal_error(one, two, degree=d, schema=SCHEMA) for d in (1, 2, 3)]
    release = cf.CovLossSynthesizer(SCHEMA, epsilon=1, delta=1e-6).fit(one)
    drawn = {
        "marginal_scatter": lambda ax: cf.plots.marginal_scatter(one, two, SCHEMA, ax=ax),
        "association_map": lambda ax: cf.plots.association_map(one, SCHEMA, ax=ax),
        "association_difference": lambda ax: cf.plots.association_difference(one, two, SCHEMA, ax=ax),
        "distance_map": lambda ax: cf.plots.distance_map(one, two, SCHEMA, ax=ax),
        "error_by_degree": lambda ax: cf.plots.error_by_degree(errors, release.certificate_, ax=ax),
        "block_sizes": lambda ax: cf.plots.block_sizes([3, 3, 4, 900], ax=ax),
    }
    assert set(drawn) | {"new_axes"} == set(cf.plots.__all__)
    for draw in drawn.values():
        ax = Figure().add_subplot()
        assert draw(ax) is ax
        assert ax.has_data()
        assert draw(None).has_data()


def test_maps_show_the_numbers() -> None:
    one, two = table(50, 1), table(60, 2)
    values = np.asarray(cf.plots.distance_map(one, two, SCHEMA).collections[0].get_array())
    off = values.reshape(3, 3)[np.triu_indices(3, 1)]
    assert off.mean() == pytest.approx(cf.attribute_tv(one, two, degree=2, schema=SCHEMA))
    difference = cf.plots.association_difference(one, two, SCHEMA).collections[0]
    left, right = (association(count_marginals(each, SCHEMA)) for each in (one, two))
    np.testing.assert_allclose(np.asarray(difference.get_array()).reshape(3, 3), right - left)
    low, high = difference.get_clim()
    assert low == -high


def test_a_long_table_of_pairs_is_drawn_as_a_density() -> None:
    schema = cf.Schema([cf.Binary(f"a{i}") for i in range(90)])
    records = {f"a{i}": np.arange(4) % 2 == i % 2 for i in range(90)}
    assert "4,005" in cf.plots.marginal_scatter(records, records, schema).get_title()


def test_nothing_to_draw_is_said() -> None:
    with pytest.raises(ValueError, match="no error to draw"):
        cf.plots.error_by_degree()
    with pytest.raises(ValueError, match="no block to draw"):
        cf.plots.block_sizes([])
    with pytest.raises(ValueError, match="degree must be 1 or 2"):
        cf.plots.marginal_scatter(table(3, 1), table(3, 1), SCHEMA, 3)
    with pytest.raises(ValueError, match="no records"):
        cf.plots.association_map({"a": [], "b": [], "c": []}, SCHEMA)
