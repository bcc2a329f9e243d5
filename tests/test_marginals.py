"""Marginals from what was released: unbiased, with standard errors that say what they promise."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import covloss_fast as cf
from covloss_fast.estimates import certified_errors

RELEASES = 320
#: Schema sizes and what the release then measures.
CASES: dict[str, tuple[tuple[int, ...], dict[str, Any]]] = {
    "binary, all pairs": ((2, 2, 2, 2), {"epsilon": 4.0, "delta": 1e-6}),
    "binary, all pairs, pure": ((2, 2, 2), {"epsilon": 4.0, "delta": 0}),
    "tables": ((3, 2, 4), {"epsilon": 8.0, "delta": 1e-6}),
}


def correlated(sizes: tuple[int, ...], n: int, seed: int = 0) -> NDArray[np.int64]:
    rng = np.random.default_rng(seed)
    common = rng.random(n)
    return np.stack(
        [np.minimum((0.6 * common + 0.4 * rng.random(n)) ** 1.5 * s, s - 1).astype(int) for s in sizes], 1
    )


def shares(table: NDArray[np.int64], chosen: tuple[int, ...], sizes: tuple[int, ...]) -> NDArray[np.float64]:
    shape = tuple(sizes[a] for a in chosen)
    cells = np.ravel_multi_index(tuple(table[:, a] for a in chosen), shape)
    return np.bincount(cells, minlength=math.prod(shape)).reshape(shape) / len(table)


def fitted(
    table: NDArray[np.int64], sizes: tuple[int, ...], seed: int, **settings: Any
) -> cf.CovLossSynthesizer:
    schema = cf.Schema.from_domain({f"a{j}": size for j, size in enumerate(sizes)})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.NotPrivateWarning)
        settings = {"certificate": False, **settings}
        return cf.CovLossSynthesizer(schema, random_state=seed, n_threads=1, **settings).fit(table)


def measured(synth: cf.CovLossSynthesizer, q: int) -> Iterator[tuple[tuple[int, ...], cf.MarginalEstimate]]:
    sets = [(a,) for a in range(q)] + [(a, b) for a in range(q) for b in range(q) if a != b]
    for chosen in sets:
        estimate = synth.marginals([f"a{a}" for a in chosen])
        if estimate.source == "measured":
            yield chosen, estimate


@pytest.mark.parametrize("neighbours", ["add_or_remove_one", "replace_one"])
@pytest.mark.parametrize("case", CASES)
def test_intervals_cover_the_truth(case: str, neighbours: Any) -> None:
    sizes, settings = CASES[case]
    table = correlated(sizes, 300)
    z: dict[int, list[NDArray[np.float64]]] = {1: [], 2: []}
    for seed in range(RELEASES):
        synth = fitted(table, sizes, seed, neighbours=neighbours, **settings)
        for chosen, estimate in measured(synth, len(sizes)):
            assert estimate.standard_errors_from == "noise"
            error = estimate.shares - shares(table, chosen, sizes)
            z[len(chosen)].append((error / estimate.standard_errors).ravel())
    for degree, found in z.items():
        assert len(found) >= 300, degree
        values = np.concatenate(found)
        assert 0.93 < (np.abs(values) <= 1.96).mean() < 0.97
        assert abs(values.mean()) < 0.1  # unbiased
        # The control: standard errors that are too small by half are seen.
        assert (np.abs(values) <= 0.98).mean() < 0.85


def test_the_standard_error_is_that_of_the_ledger() -> None:
    sizes = (2, 2, 2)
    table = correlated(sizes, 1_000)
    synth = fitted(table, sizes, 1, epsilon=1.0, delta=1e-6, neighbours="replace_one")
    sd = {entry.query: float(entry.scale) ** 0.5 for entry in synth.ledger_.entries}
    of_sums = next(value for query, value in sd.items() if query.startswith("sums of"))
    of_pairs = next(value for query, value in sd.items() if query.startswith("all pairs"))
    np.testing.assert_allclose(synth.marginals("a1").standard_errors, of_sums / 2_000)
    wanted = math.sqrt(2 * of_sums**2 + of_pairs**2) / 4_000
    np.testing.assert_allclose(synth.marginals(["a0", "a2"]).standard_errors, wanted)
    # Under add-or-remove-one the noise of the number of records comes in.
    secret = fitted(table, sizes, 1, epsilon=1.0, delta=1e-6)
    n_sd = float(secret.ledger_.entries[0].scale) ** 0.5
    of_sums = float(secret.ledger_.entries[1].scale) ** 0.5
    estimate = secret.marginals("a0")
    z = estimate.shares[1] - estimate.shares[0]
    n = secret.parameters_["n"]
    np.testing.assert_allclose(estimate.standard_errors, math.hypot(of_sums, z * n_sd) / (2 * n))


def test_order_of_axes_and_levels() -> None:
    sizes = (3, 2, 4)
    synth = fitted(correlated(sizes, 2_000), sizes, 1, epsilon=50.0, delta=1e-6)
    one, other = synth.marginals(["a0", "a2"]), synth.marginals(["a2", "a0"])
    assert (one.source, one.levels) == ("measured", ((0, 1, 2), (0, 1, 2, 3)))
    np.testing.assert_array_equal(one.shares, other.shares.T)
    np.testing.assert_array_equal(one.standard_errors, other.standard_errors.T)
    three, turned = synth.marginals(["a0", "a1", "a2"]), synth.marginals(["a2", "a0", "a1"])
    assert three.source == "rows"
    np.testing.assert_array_equal(three.shares, turned.shares.transpose(1, 2, 0))
    np.testing.assert_allclose(three.shares.sum(), 1)
    table = np.asarray(synth.sample())
    np.testing.assert_allclose(three.shares, shares(table.astype(int), (0, 1, 2), sizes))


def test_what_was_not_measured_has_the_certificates_error() -> None:
    sizes = (2,) * 5
    table = correlated(sizes, 3_000)
    synth = fitted(table, sizes, 3, epsilon=5.0, delta=1e-6, certificate=True)
    estimate = synth.marginals(["a0", "a1", "a2"])
    assert (estimate.source, estimate.standard_errors_from) == ("rows", "certificate")
    rms = [c.rms if c.low > 0 else c.high for c in synth.certificate_]
    assert estimate.standard_errors[1, 1, 1] == pytest.approx(rms[2])
    assert estimate.standard_errors[1, 0, 1] == pytest.approx(rms[2] + rms[1])
    assert estimate.standard_errors[0, 0, 0] == pytest.approx(rms[2] + 3 * rms[1] + 3 * rms[0])
    five = synth.marginals([f"a{j}" for j in range(5)])
    assert five.standard_errors_from == "none"
    assert np.isnan(five.standard_errors).all()
    without = fitted(table, sizes, 3, epsilon=5.0, delta=1e-6).marginals(["a0", "a1", "a2"])
    assert without.standard_errors_from == "none"
    paper = fitted(table, sizes, 3, epsilon=5.0, delta=0, certificate=True, method="paper").marginals("a0")
    assert (paper.source, paper.standard_errors_from) == ("rows", "certificate")


def test_certified_errors_bound_what_inclusion_and_exclusion_gives() -> None:
    rng = np.random.default_rng(0)
    bits = rng.random((2_000, 2, 6)) < 0.5  # two tables

    def error(chosen: list[int], values: tuple[int, ...]) -> float:
        hits = (bits[:, :, chosen] == np.array(values, bool)).all(axis=2).mean(axis=0)
        return float(hits[0] - hits[1])

    triples = [[a, b, c] for a in range(6) for b in range(a) for c in range(b)]
    rms = [
        float(np.sqrt(np.mean([error(t[:d], (1,) * d) ** 2 for t in triples for t in [t, t[::-1]]])))
        for d in (1, 2, 3)
    ]
    claimed = certified_errors([np.array([True, False])] * 3, rms)
    for values in np.ndindex(2, 2, 2):
        found = np.sqrt(np.mean([error(t, values) ** 2 for t in triples]))
        assert found <= 1.1 * claimed[values]
    many = certified_errors([np.zeros(3, bool), np.array([True, False])], [0.1, 0.2])
    np.testing.assert_allclose(many, [[0.3, 0.2]] * 3)


def test_a_saved_release_gives_the_same(tmp_path: Path) -> None:
    for case, (sizes, settings) in CASES.items():
        synth = fitted(correlated(sizes, 500), sizes, 5, certificate=True, **settings)
        synth.save(tmp_path / case)
        again = cf.load(tmp_path / case)
        for chosen in (["a0"], ["a1", "a0"], ["a0", "a1", "a2"]):
            one, other = synth.marginals(chosen), again.marginals(chosen)
            assert repr(one) == repr(other)
            np.testing.assert_array_equal(one.shares, other.shares)
            np.testing.assert_array_equal(one.standard_errors, other.standard_errors)


def test_names_are_checked() -> None:
    synth = fitted(correlated((2, 2), 50), (2, 2), 1, epsilon=1.0, delta=0)
    for names, message in (
        ("b", "'b' is no attribute of the schema; its attributes: 'a0', 'a1'"),
        (["a0", "a0"], "attribute 'a0' is asked for twice"),
        ([], "at least one attribute"),
        ([0], "0 is no attribute"),
    ):
        with pytest.raises(ValueError, match=message):
            synth.marginals(names)  # type: ignore[arg-type]
    with pytest.raises(cf.NotFittedError):
        cf.CovLossSynthesizer(synth.schema, epsilon=1, delta=0).marginals("a0")


def test_a_marginal_of_too_many_cells_is_refused_before_it_is_made() -> None:
    sizes = (64,) * 5
    synth = fitted(np.zeros((5, 5), int), sizes, 1, epsilon=1.0, delta=0)
    with pytest.raises(ValueError, match=r"has 1,073,741,824 cells, more than 67,108,864"):
        synth.marginals([f"a{j}" for j in range(5)])


def test_levels_are_those_of_the_schema_and_frames_hold_them() -> None:
    import datetime as dt

    age = cf.Numeric("age", lower=0, upper=20, bins=2, integer=True, missing="level")
    day = cf.Numeric("day", lower=dt.date(2020, 1, 1), upper=dt.date(2020, 1, 3), bins=2)
    assert age.level_names == ("[0, 10)", "[10, 20]", None)
    assert day.level_names == ("[2020-01-01, 2020-01-02)", "[2020-01-02, 2020-01-03]")
    schema = cf.Schema([age, cf.Binary("share", levels=("no", "yes"))])
    table = {"age": [1, 15, None, 3] * 100, "share": ["no", "yes"] * 200}
    estimate = cf.CovLossSynthesizer(schema, epsilon=9.0, delta=1e-6).fit(table).marginals(["age", "share"])
    assert list(estimate.to_frame("dict")) == ["age", "share", "share_", "standard_error"]
    for kind in ("pandas", "polars", "pyarrow"):
        pytest.importorskip(kind)
        frame = estimate.to_frame(kind)  # type: ignore[arg-type]
        assert frame.shape == (6, 4)
        np.testing.assert_array_equal(np.asarray(frame["share_"]), estimate.shares.ravel())
    with pytest.raises(ValueError, match="as_ must be"):
        estimate.to_frame("numpy")  # type: ignore[arg-type]
    text = str(estimate)
    assert "missing" in text
    assert "[10, 20]" in text
    assert "shares: counts that the release measured directly" in text


def test_a_long_estimate_is_cut_where_it_is_printed() -> None:
    synth = fitted(correlated((10, 12), 2_000), (10, 12), 1, epsilon=5.0, delta=1e-6)
    assert "... 80 more" in str(synth.marginals(["a0", "a1"]))
