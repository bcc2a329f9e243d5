"""Synthetic vectors: in their set, private by the ledger, close in moments, the same from the same seed."""

from __future__ import annotations

import copy
import pickle
import warnings
import zipfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from numpy.typing import NDArray

import covloss_fast as cf
from covloss_fast.convex_sets import ConvexSet
from covloss_fast.pipelines.vectors import choose_grid, foreseen
from covloss_fast.privacy.accounting import Budget
from covloss_fast.privacy.ledger import Neighbours
from covloss_fast.privacy.mechanisms import noise_scale
from covloss_fast.reference.faults import batch_dependent_blocks, less_noise, occupied_blocks
from covloss_fast.reference.transcripts import audit_fits, both, privacy_loss

BOTH: list[Neighbours] = ["add_or_remove_one", "replace_one"]


def half_ball(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Projection onto the vectors of the unit ball with a first entry of at least 0."""
    rows = rows.copy()
    rows[:, 0] = np.maximum(rows[:, 0], 0)
    return rows / np.maximum(1, np.linalg.norm(rows, axis=1))[:, None]


SETS: list[ConvexSet] = [
    cf.UnitBall(4),
    cf.Box([-1.0, 0.0, 100.0], [1.0, 1e-3, 1e6]),
    cf.Simplex(5),
    cf.Product(cf.UnitBall(2), cf.Simplex(3), cf.Box([0.0], [9.0])),
    cf.Projection(half_ball, 3, radius=1.0),
    cf.Projection(half_ball, 3, radius=1.5, centre=[0.5, 0, 0]),
    cf.UnitBall(1),
    cf.Simplex(1),
]


@pytest.fixture(autouse=True)
def _seeds_are_no_news() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.NotPrivateWarning)
        yield


def records_of(convex_set: ConvexSet, n: int, seed: int = 0) -> NDArray[np.float64]:
    """Records of two clusters inside the set."""
    rng = np.random.default_rng(seed)
    p = convex_set.n_features
    centres = rng.normal(0, 0.5, (2, p))[rng.integers(0, 2, n)]
    return convex_set.project(convex_set.centre + convex_set.unit * (centres + 0.1 * rng.normal(size=(n, p))))


def units(rows: NDArray[np.float64], convex_set: ConvexSet) -> NDArray[np.float64]:
    """Scaled so that the set lies in the unit ball about 0."""
    bounds = convex_set.bounds(1)
    return (rows - convex_set.centre) / convex_set.unit / np.sqrt(bounds.l2_squared)


def moment_error(rows: NDArray[np.float64], made: NDArray[np.float64], degree: int) -> float:
    letters = "abcd"[:degree]
    formula = ",".join(f"n{letter}" for letter in letters) + f"->{letters}"

    def moment(of: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(np.einsum(formula, *[of] * degree, optimize=True) / len(of))

    return float(np.linalg.norm(moment(rows) - moment(made)))


def is_inside(made: NDArray[np.float64], convex_set: ConvexSet) -> bool:
    return bool((np.abs(made - convex_set.project(made)) / convex_set.unit).max(initial=0.0) <= 1e-14)


# ---------------------------------------------------------------------------------- what comes out


@pytest.mark.parametrize("delta", [0.0, 1e-6])
@pytest.mark.parametrize("neighbours", BOTH)
@pytest.mark.parametrize("convex_set", SETS, ids=repr)
def test_vectors_are_in_the_set_whatever_the_noise(
    convex_set: ConvexSet, neighbours: Neighbours, delta: float
) -> None:
    for epsilon, n in ((0.01, 0), (0.01, 1), (1.0, 30), (1.0, 4_000), (100.0, 4_000)):
        table = records_of(convex_set, n)
        synth = cf.VectorSynthesizer(
            convex_set, epsilon=epsilon, delta=delta, neighbours=neighbours, random_state=n
        )
        made = synth.fit(table).sample(500)
        assert made.shape == (500, convex_set.n_features)
        assert np.isfinite(made).all()
        assert is_inside(made, convex_set)
        assert is_inside(synth.means_, convex_set)
        assert synth.weights_.sum() == pytest.approx(1)
        if neighbours == "replace_one":
            assert len(synth.sample()) == n


def test_a_ball_is_kept_to_the_last_bit_and_a_box_too() -> None:
    rng = np.random.default_rng(3)
    table = rng.normal(size=(3_000, 50))
    table /= np.linalg.norm(table, axis=1)[:, None] * (1 + 1e-15)
    made = cf.VectorSynthesizer(cf.UnitBall(50), epsilon=0.1, random_state=0, n_blocks=40).fit(table).sample()
    assert np.linalg.norm(made, axis=1).max() <= 1.0
    assert max(sum(Fraction(x) ** 2 for x in row) for row in np.unique(made, axis=0).tolist()) <= 1
    lower = np.array([0.1, 0.2, -1 / 3, 1e-9, 1e6 / 7])
    for seed, above in enumerate(lower + rng.random((40, 5)) * [1, 10, 1, 1e-9, 1e6]):
        box = cf.Box(lower, above)
        synth = cf.VectorSynthesizer(box, epsilon=0.5, random_state=seed).fit(records_of(box, 20))
        assert (synth.means_ >= lower).all()
        assert (synth.means_ <= above).all()


def test_the_means_are_what_sample_returns() -> None:
    ball = cf.UnitBall(4)
    synth = cf.VectorSynthesizer(ball, epsilon=2, delta=1e-6, random_state=1).fit(records_of(ball, 5_000))
    made = synth.sample(10_001, random_state=5)
    blocks = {tuple(mean): weight for mean, weight in zip(synth.means_.tolist(), synth.weights_.tolist())}
    rows, counts = np.unique(made, axis=0, return_counts=True)
    for row, count in zip(rows.tolist(), counts.tolist()):
        assert abs(count - 10_001 * blocks[tuple(row)]) < 1  # systematic: off by less than one
    assert np.array_equal(made, synth.sample(10_001, random_state=5))
    assert not np.array_equal(made, synth.sample(10_001, random_state=6))
    assert len(synth.sample(0)) == 0


def test_the_default_length_is_the_released_count() -> None:
    ball = cf.UnitBall(2)
    lengths = set()
    for seed in range(4):
        synth = cf.VectorSynthesizer(ball, epsilon=1, delta=1e-6, random_state=seed)
        lengths.add(len(synth.fit(records_of(ball, 2_000)).sample()))
    assert len(lengths) > 1  # secret: not the true one
    assert all(abs(n - 2_000) < 300 for n in lengths)


@pytest.mark.parametrize("delta", [0.0, 1e-6])
def test_results_do_not_depend_on_threads_and_repeat_from_a_seed(delta: float, n_threads: int) -> None:
    convex_set = SETS[3]
    table = records_of(convex_set, 40_000)

    def means(threads: int) -> bytes:
        synth = cf.VectorSynthesizer(convex_set, epsilon=3, delta=delta, random_state=7, n_threads=threads)
        return synth.fit(table).means_.tobytes()

    assert means(n_threads) == means(1)


# ---------------------------------------------------------------------------------- how close it is


def clusters(n: int, p: int = 10, seed: int = 5) -> NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(8, p))
    centres /= np.linalg.norm(centres, axis=1)[:, None]
    rows = 0.7 * centres[rng.integers(0, 8, n)] + 0.2 * rng.normal(size=(n, p)) / np.sqrt(p)
    return cf.UnitBall(p).project(rows)


def error_of(
    table: NDArray[np.float64], epsilon: float, degree: int, seeds: int = 3, **settings: Any
) -> float:
    ball = cf.UnitBall(table.shape[1])
    errors = []
    for seed in range(seeds):
        synth = cf.VectorSynthesizer(ball, epsilon=epsilon, delta=1e-9, random_state=seed, **settings).fit(
            table
        )
        errors.append(moment_error(table, synth.sample(len(table), random_state=seed), degree))
    return float(np.median(errors))


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_the_error_falls_with_the_number_of_records(degree: int) -> None:
    errors = [error_of(clusters(n), 1.0, degree) for n in (1_000, 8_000, 64_000)]
    assert errors[0] > 1.5 * errors[1] > 1.5**2 * errors[2]


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_the_error_falls_with_epsilon(degree: int) -> None:
    table = clusters(4_000)
    errors = [error_of(table, epsilon, degree) for epsilon in (0.3, 2.0, 20.0)]
    assert errors[0] > 1.5 * errors[1] > 1.5**2 * errors[2]


def test_the_second_moment_is_off_by_the_covariance_loss_where_there_is_no_noise() -> None:
    """Theorem 5.14: without noise degree 2 is off by what the blocks lose, degree d by C(d, 2) times it."""
    table = clusters(10_000, p=6)
    ball = cf.UnitBall(6)
    synth = cf.VectorSynthesizer(ball, epsilon=1_000, random_state=1, n_blocks=32).fit(table)
    distances = ((table[:, None, :] - synth.means_) ** 2).sum(axis=2)
    loss = cf.covariance_loss(table, distances.argmin(axis=1)).frobenius
    made = synth.sample(20_000)
    assert moment_error(table, made, 1) < 1e-3
    assert moment_error(table, made, 2) == pytest.approx(loss, rel=0.2)
    assert moment_error(table, made, 3) <= 3 * loss * 1.05
    assert moment_error(table, made, 4) <= 6 * loss * 1.05
    assert loss < 0.15 * np.linalg.norm(np.cov(table.T))


def test_blocks_are_better_than_the_mean_alone() -> None:
    table = clusters(8_000)
    assert error_of(table, 1.0, 2) < 0.4 * error_of(table, 1.0, 2, n_blocks=1)


@pytest.mark.parametrize("name", ["census", "tarragona"])
def test_real_numeric_tables(real_tables: Path, name: str) -> None:
    """A thousand records or less: at epsilon 10 structure comes through, at 1 hardly more than the mean."""
    table = np.loadtxt(real_tables / f"{name}.csv.gz", delimiter=",", skiprows=1)
    largest = np.abs(table).max(axis=0)  # for a test; a curator declares bounds
    scaled = table / largest / np.sqrt(table.shape[1])
    box = cf.Box(np.minimum(table.min(axis=0), 0), table.max(axis=0))
    covariance = float(np.linalg.norm(np.cov(scaled.T)))
    assert error_of(scaled, 1.0, 1) < 0.06
    assert error_of(scaled, 10.0, 1) < 0.012
    if name == "census":
        assert error_of(scaled, 10.0, 2) < 0.5 * covariance
    errors = []
    for epsilon in (1.0, 10.0):
        synth = cf.VectorSynthesizer(box, epsilon=epsilon, delta=1e-9, random_state=3).fit(table)
        made = synth.sample(len(table), random_state=1)
        assert is_inside(made, box)
        errors.append(moment_error(units(table, box), units(made, box), 2))
    assert errors[1] < 0.5 * errors[0]


# -------------------------------------------------------------------------------------- the ledger


@pytest.mark.parametrize("n_blocks", [None, 1, 6])
@pytest.mark.parametrize("delta", [0.0, 1e-6])
@pytest.mark.parametrize("neighbours", BOTH)
@pytest.mark.parametrize("convex_set", SETS, ids=repr)
def test_every_mechanism_was_foreseen_and_all_of_the_budget_is_used(
    convex_set: ConvexSet, neighbours: Neighbours, delta: float, n_blocks: int | None
) -> None:
    options = {} if n_blocks is None else {"n_blocks": n_blocks}
    synth = cf.VectorSynthesizer(
        convex_set, epsilon=2, delta=delta, neighbours=neighbours, random_state=1, **options
    )
    synth.fit(records_of(convex_set, 2_000))
    budget = Budget(2, delta)
    largest = {
        each.query: noise_scale(budget, each.sensitivity, each.share)
        for each in foreseen(choose_grid(convex_set, budget, neighbours, options), neighbours, options)
    }
    plan = {each.query: each.largest_scale for each in synth.plan().mechanisms}
    assert list(plan.values()) == list(largest.values())
    entries = synth.ledger_.entries
    for entry in entries:
        (query,) = (query for query in largest if entry.query.startswith(query))
        assert entry.scale <= largest[query]
    assert sum(entry.share for entry in entries) == 1
    assert ("number of records" in [entry.query for entry in entries]) == (neighbours == "add_or_remove_one")
    assert {entry.distribution for entry in entries} == {"discrete Gaussian" if delta else "discrete Laplace"}


@pytest.mark.parametrize("neighbours", BOTH)
@pytest.mark.parametrize("delta", [0.0, 0.05])
@pytest.mark.parametrize("convex_set", [SETS[0], SETS[1], SETS[3], SETS[4]], ids=repr)
def test_one_record_moves_no_more_than_the_ledger_says_and_nothing_passes_by(
    convex_set: ConvexSet, delta: float, neighbours: Neighbours, tmp_path: Path
) -> None:
    kept: list[cf.VectorSynthesizer] = []

    def fit(table: Any, seed: int) -> None:
        kept.append(
            cf.VectorSynthesizer(
                convex_set, epsilon=20, delta=delta, neighbours=neighbours, n_blocks=4, random_state=seed
            ).fit(table)
        )

    def contents() -> dict[str, bytes]:
        kept[-1].save(tmp_path / "release")
        with zipfile.ZipFile(tmp_path / "release") as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
        return {**members, "sample": kept[-1].sample(random_state=1).tobytes()}

    rng = np.random.default_rng(4)
    lines = set()
    for seed, n in enumerate((1, 2, 5, 40, 300, 300)):
        here = records_of(convex_set, n, seed)
        at = int(rng.integers(n))
        there = np.delete(here, at, axis=0)
        if neighbours == "replace_one":
            there = np.insert(there, at, 2 * convex_set.centre - here[at], axis=0)
            there = convex_set.project(there)
        for table, other in ((here, there), (there, here)):
            steps, replayed = both(fit, table, other, seed)
            for step, twin in zip(steps, replayed, strict=True):
                move = np.abs(step.exact - twin.exact)
                assert move.sum() <= step.entry.l1
                assert (move**2).sum() <= step.entry.l2_squared
                lines.add(step.entry.query)
            if delta == 0:
                assert abs(sum(map(privacy_loss, steps, replayed))) <= 20 + 1e-9
            after = contents()
            del kept[-1]
            assert contents() == after
    assert any(line.endswith(" 4 blocks") for line in lines)


@pytest.mark.parametrize("neighbours", BOTH)
@pytest.mark.parametrize("delta", [0, 0.05])
def test_audit_of_whole_fits(delta: float, neighbours: Neighbours) -> None:
    """And its negative controls, all of which it catches."""

    def fitter(relation: Neighbours, epsilon: float = 1.0) -> Any:
        return lambda table, seed: cf.VectorSynthesizer(
            cf.UnitBall(2), epsilon=epsilon, delta=delta, neighbours=relation, n_blocks=4, random_state=seed
        ).fit(table)

    def tables(n: int) -> tuple[Any, Any]:
        there = np.tile([-1.0, 0.0], (n, 1))
        here = there[1:] if neighbours == "add_or_remove_one" else there.copy()
        there[0, 0] = 1
        return here, there

    fit, claim = fitter(neighbours), {"epsilon": 1.0, "delta": delta, "n_compared": 5}
    wide = fitter(neighbours, 100.0)  # with less, so few vectors are seldom given several blocks
    found = audit_fits(fit, *tables(1), n_fits=60, **claim)
    assert found.faults == {}
    if delta == 0:
        assert 0.3 < found.largest_loss <= 1 + 1e-9
    assert audit_fits(fit, *tables(1), n_fits=40, answer=less_noise(2), **claim).faults["noise"] > 6
    wrong = fitter("replace_one" if neighbours == "add_or_remove_one" else "add_or_remove_one")
    assert set(audit_fits(wrong, *tables(1), n_fits=5, **claim).faults) & {"move", "release"}
    assert audit_fits(wide, *tables(3), n_fits=10, asked=occupied_blocks, **claim).faults["release"] > 5
    with batch_dependent_blocks():
        assert audit_fits(wide, *tables(12), n_fits=10, **claim).faults["move"] > 5


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow", "dict", "numpy"])
def test_samples_are_tables_like_the_fitted_one(kind: str, tmp_path: Path) -> None:
    values = np.random.default_rng(0).dirichlet([5.0, 3.0, 1.0], 2000)
    frame = pd.DataFrame(values, columns=["rent", "food", "other"])
    make: Any = {"pandas": lambda: frame, "polars": lambda: pl.from_pandas(frame)}
    make |= {
        "pyarrow": lambda: pa.Table.from_pandas(frame),
        "dict": lambda: dict(frame),
        "numpy": lambda: values,
    }
    table = make[kind]()
    synth = cf.VectorSynthesizer(cf.Simplex(3), epsilon=5, delta=1e-9).fit(table)
    made = synth.sample(50, random_state=1)
    assert type(made) is type(table)
    synth.save(tmp_path / "v.covloss")
    again = cf.VectorSynthesizer.load(tmp_path / "v.covloss")
    for each in (made, again.sample(50, random_state=1)):
        rows = (
            each if kind == "numpy" else np.column_stack([np.asarray(each[name]) for name in frame.columns])
        )
        if kind != "numpy":
            names = each if kind == "dict" else each.column_names if kind == "pyarrow" else each.columns
            assert list(names) == list(frame.columns)
        assert rows.shape == (50, 3)
        assert np.allclose(rows.sum(axis=1), 1)
    assert again.columns_ == synth.columns_ == (None if kind == "numpy" else ("rent", "food", "other"))
    if kind == "numpy":
        return
    assert rows[:, 0].mean() > rows[:, 2].mean()


def test_later_fits_go_by_the_names_of_the_first() -> None:
    """A convex set knows entries by their place: columns in another order must not change places."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"young": rng.uniform(0, 1, 3000), "old": rng.uniform(8, 9, 3000)})
    synth = cf.VectorSynthesizer(cf.Box([0, 0], [10, 10]), epsilon=20, delta=1e-9).fit(frame)
    spent = synth.ledger_.epsilon
    made = synth.fit(frame[["old", "young"]]).sample(100)
    assert list(made.columns) == ["young", "old"]
    assert made["young"].mean() < 3 < made["old"].mean()
    spent = synth.ledger_.epsilon
    with pytest.raises(ValueError, match="no column 'young', which the table of the first fit had"):
        synth.fit(frame.rename(columns={"young": "age"}))
    assert synth.ledger_.epsilon == spent  # nothing was spent on it
    other = synth.set_params(convex_set=cf.Box([0, 0], [11, 11])).fit(frame.rename(columns={"young": "age"}))
    assert other.columns_ == ("age", "old")


def test_an_array_in_between_leaves_the_names_of_the_first(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"young": rng.uniform(0, 1, 3000), "old": rng.uniform(8, 9, 3000)})
    synth = cf.VectorSynthesizer(cf.Box([0, 0], [10, 10]), epsilon=20, delta=1e-9).fit(frame.to_numpy())
    assert synth.columns_ is None
    synth.fit(frame).fit(frame.to_numpy())
    assert isinstance(synth.sample(5), np.ndarray)
    assert synth.columns_ == ("young", "old")
    synth.save(tmp_path / "v.covloss")
    for each in (synth, cf.VectorSynthesizer.load(tmp_path / "v.covloss")):
        assert isinstance(each.sample(5), np.ndarray)
        each.fit(frame[["old", "young"]])
        assert each.columns_ == ("young", "old")
        assert each.means_[:, 0].mean() < 3 < each.means_[:, 1].mean()


@pytest.mark.parametrize(
    "names", [(0, 1, 2), ("0", 1, "c"), (np.int64(2), np.str_("b"), -1), ("\ud800", "", 2**70)]
)
@pytest.mark.parametrize("kind", ["pandas", "dict"])
def test_names_are_kept_as_they_are(names: tuple[Any, ...], kind: str, tmp_path: Path) -> None:
    rows = np.random.default_rng(0).uniform(0, 1, (50, 3))
    table = dict(zip(names, rows.T))
    frame: Any = table if kind == "dict" else pd.DataFrame(rows, columns=pd.Index(list(names), dtype=object))
    synth = cf.VectorSynthesizer(cf.Box([0] * 3, [1] * 3), epsilon=1).fit(frame)
    synth.save(tmp_path / "v.covloss")
    again = cf.VectorSynthesizer.load(tmp_path / "v.covloss")
    assert list(map(type, synth.columns_ or ())) == list(map(type, again.columns_ or ()))
    assert tuple(synth.sample(1)) == tuple(again.sample(1)) == synth.columns_ == again.columns_ == names
    assert again.fit(frame).columns_ == names


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("0", 0, "c"), "two columns are named '0' and 0, alike as text, those at positions 0 and 1"),
        (("a", "b", "a"), "two columns are named 'a', those at positions 0 and 2"),
        ((("a", 1), ("a", 2), ("b", 1)), "the name of column 0 is of type tuple"),
        ((True, "b", "c"), "names of columns must be text or integers; the name of column 0 is of type bool"),
        (("a", 0.5, "c"), "the name of column 1 is of type float"),
        (("a", "b", pd.Timestamp("2020-01-01")), "the name of column 2 is of type Timestamp"),
    ],
)
def test_names_that_a_file_would_not_keep_are_refused(names: tuple[Any, ...], message: str) -> None:
    rows = np.random.default_rng(0).uniform(0, 1, (50, 3))
    synth = cf.VectorSynthesizer(cf.Box([0] * 3, [1] * 3), epsilon=1)
    index = pd.Index(list(names), dtype=object, tupleize_cols=False)
    with pytest.raises(ValueError, match=message):
        synth.fit(pd.DataFrame(rows, columns=index))
    assert not hasattr(synth, "ledger_")
    if isinstance(names[0], tuple):
        with pytest.raises(ValueError, match=message):
            synth.fit(pd.DataFrame(rows, columns=pd.MultiIndex.from_tuples(names)))


@pytest.mark.parametrize(
    "thing", [cf.Batches(lambda: iter([np.zeros((3, 2))])), iter([]), lambda: None, object()]
)
def test_what_is_no_table_is_named(thing: Any) -> None:
    synth = cf.VectorSynthesizer(cf.UnitBall(2), epsilon=1)
    with pytest.raises(ValueError, match=f"vectors are read whole.*got {type(thing).__name__}") as refusal:
        synth.fit(thing)
    assert str(refusal.value).endswith("there are no batches") == isinstance(thing, cf.Batches)
    assert not hasattr(synth, "ledger_")


def test_a_file_without_a_header_is_refused_before_anything_is_spent(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("31,52000\n44,61000\n29,48000\n")
    synth = cf.VectorSynthesizer(cf.Box([0, 0], [120, 1e5]), epsilon=1)
    with pytest.raises(ValueError, match="line 1: expected a header with names"):
        synth.fit(tmp_path / "r.csv")
    assert not hasattr(synth, "ledger_")
    assert not hasattr(synth, "columns_")


def test_a_second_fit_adds_and_a_failed_one_does_not() -> None:
    ball = cf.UnitBall(2)
    synth = cf.VectorSynthesizer(ball, epsilon=1, random_state=1)
    with pytest.raises(ValueError, match="row 1: outside"):
        synth.fit([[0.0, 0.0], [1.0, 1.0]])
    assert not hasattr(synth, "ledger_")
    synth.fit(np.zeros((5, 2))).fit(np.zeros((5, 2)))
    assert synth.ledger_.pure_epsilon == 2
    assert not synth.ledger_.is_private
    with pytest.raises(ValueError, match="make another one"):
        synth.set_params(neighbours="replace_one").fit(np.zeros((5, 2)))


def test_a_budget_too_small_is_refused_before_it_is_charged() -> None:
    synth = cf.VectorSynthesizer(cf.UnitBall(300), epsilon=1e-12)
    with pytest.raises(ValueError, match="too small"):
        synth.fit(np.zeros((5, 300)))
    assert not hasattr(synth, "ledger_")


def test_a_plan_spends_nothing_and_says_what_is_charged() -> None:
    synth = cf.VectorSynthesizer(cf.UnitBall(3), epsilon="1/3", n_blocks=5)  # type: ignore[arg-type]
    plan = synth.plan()
    assert not hasattr(synth, "ledger_")
    synth.fit(np.zeros((9, 3)))
    (fit,) = synth.ledger_.fits
    assert (plan.epsilon, plan.schema_hash) == (fit.epsilon, fit.schema_hash)
    assert plan.public_inputs == fit.public_inputs
    assert "counts and sums of" in plan.to_text()


def test_a_fit_without_a_seed_is_private_and_gives_no_warning() -> None:
    ball = cf.UnitBall(2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        synth = cf.VectorSynthesizer(ball, epsilon=1).fit(np.zeros((50, 2)))
    assert synth.ledger_.is_private
    again = cf.VectorSynthesizer(ball, epsilon=1).fit(np.zeros((50, 2)))
    assert not np.array_equal(synth.means_, again.means_)


def test_a_seed_is_warned_of_where_fit_is_called() -> None:
    with pytest.warns(cf.NotPrivateWarning) as caught:
        cf.VectorSynthesizer(cf.UnitBall(1), epsilon=1, random_state=1).fit(np.zeros((3, 1)))
    assert caught[0].filename == __file__


# ------------------------------------------------------------------------- parameters, copies, files


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"convex_set": half_ball}, "Projection\\(function"),
        ({"convex_set": 3}, "convex_set must be"),
        ({"epsilon": 0}, "epsilon"),
        ({"delta": 1}, "delta"),
        ({"neighbours": "all"}, "neighbours"),
        ({"n_blocks": 0}, "n_blocks"),
        ({"n_blocks": 2.0}, "n_blocks"),
        ({"random_state": -1}, "random_state"),
        ({"n_threads": 0}, "n_threads"),
        ({"convex_set": cf.Projection(lambda rows: rows[:, :1], 2, radius=1)}, "array of shape"),
        ({"convex_set": cf.Projection(lambda rows: rows * np.nan, 2, radius=1)}, "not finite"),
    ],
)
def test_bad_parameters_are_refused_before_anything_is_spent(settings: dict[str, Any], message: str) -> None:
    synth = cf.VectorSynthesizer(**{"convex_set": cf.UnitBall(2), "epsilon": 1, **settings})
    with pytest.raises(ValueError, match=message):
        synth.fit(np.zeros((4, 2)))
    assert not hasattr(synth, "ledger_")


def test_a_plan_refuses_what_a_fit_would() -> None:
    with pytest.raises(ValueError, match="n_threads"):
        cf.VectorSynthesizer(cf.UnitBall(2), epsilon=1, n_threads=0).plan()


def test_records_beyond_the_radius_of_a_projection_are_refused() -> None:
    everything = cf.Projection(lambda rows: rows, 2, radius=1)
    with pytest.raises(ValueError, match="row 1: outside"):
        cf.VectorSynthesizer(everything, epsilon=1).fit([[0.0, 1.0], [0.0, 1.1]])


def test_parameters_as_scikit_learn_has_them() -> None:
    ball = cf.UnitBall(2)
    synth = cf.VectorSynthesizer(ball, epsilon=1)
    assert synth.get_params()["convex_set"] is ball
    assert synth.set_params(epsilon=2, n_blocks=3).get_params()["epsilon"] == 2
    assert cf.VectorSynthesizer(**synth.get_params()).n_blocks == 3
    with pytest.raises(ValueError, match="unknown parameter"):
        synth.set_params(nonsense=1)
    for use in (synth.sample, lambda: synth.means_, lambda: synth.save("x")):
        with pytest.raises(cf.NotFittedError, match="VectorSynthesizer is not fitted"):
            use()
    assert "UnitBall(2)" in repr(synth)


def test_copies_keep_the_release_and_share_the_ledger() -> None:
    synth = cf.VectorSynthesizer(cf.Simplex(2), epsilon=1, random_state=2).fit([[0.5, 0.5]] * 40)
    for twin, n in ((pickle.loads(pickle.dumps(synth)), 1), (copy.deepcopy(synth), 2)):
        assert np.array_equal(twin.sample(5, random_state=1), synth.sample(5, random_state=1))
        assert len(twin.ledger_.fits) == 1
        assert (twin.ledger_ is synth.ledger_) is (n == 2)  # what was sent elsewhere goes on by itself
        twin.fit([[0.5, 0.5]] * 40)
        assert (len(twin.ledger_.fits), len(synth.ledger_.fits)) == (2, n)


@pytest.mark.parametrize("convex_set", SETS, ids=repr)
def test_a_release_is_read_as_it_was_written(convex_set: ConvexSet, tmp_path: Path) -> None:
    table = records_of(convex_set, 900)
    synth = cf.VectorSynthesizer(convex_set, epsilon="1/3", delta=1e-5, random_state=1).fit(table)  # type: ignore[arg-type]
    synth.set_params(epsilon=9)
    synth.save(tmp_path / "release")
    read = cf.VectorSynthesizer.load(tmp_path / "release")
    assert np.array_equal(read.sample(random_state=3), synth.sample(random_state=3))
    assert read.ledger_ == synth.ledger_
    assert read.parameters_ == synth.parameters_
    assert read.convex_set == convex_set
    assert read.epsilon == Fraction(1, 3)
    read.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "release").read_bytes()
    assert len(read.sample()) == len(synth.sample())
    if isinstance(convex_set, cf.Projection):
        with pytest.raises(ValueError, match="declare the set again"):
            read.set_params(random_state=1).fit(table)
    else:
        read.set_params(random_state=1).fit(table)


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "release"
    synth = cf.VectorSynthesizer(cf.UnitBall(2), epsilon=1, random_state=1).fit(np.zeros((9, 2)))
    synth.save(path)
    with pytest.raises(ValueError, match=r"no commands and pages; VectorSynthesizer\.load reads it"):
        cf.load(path)
    table = cf.CovLossSynthesizer(cf.Schema([cf.Binary("a")]), epsilon=1, delta=0, random_state=1)
    table.fit({"a": [True, False]}).save(path)
    with pytest.raises(ValueError, match="not a complete release of vectors"):
        cf.VectorSynthesizer.load(path)
    path.write_bytes(b"nothing")
    with pytest.raises(ValueError, match="not a readable release"):
        cf.VectorSynthesizer.load(path)


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "tables"},
        {"convex_set": {"type": "simplex", "n_features": 2}},
        {"convex_set": {"type": "unit_ball", "n_features": 3}},
        {"convex_set": None},
        {"epsilon": "2"},
        {"neighbours": "replace_one"},
        {"n": -1},
        {"parameters": 3},
        {"ledger": {}},
        {"container": "dict", "columns": None},
        {"container": "dict", "columns": ["a"]},
        {"container": "dict", "columns": ["a", "a"]},
        {"container": "dict", "columns": ["1", 1]},
        {"container": "dict", "columns": ["a", True]},
        {"container": "dict", "columns": "ab"},
        {"container": "polars", "columns": ["a", 1]},
    ],
)
def test_a_release_that_was_changed_is_refused(change: dict[str, Any], tmp_path: Path) -> None:
    from covloss_fast.storage import read_release, write_release

    synth = cf.VectorSynthesizer(cf.UnitBall(2), epsilon=1, random_state=1).fit(np.zeros((9, 2)))
    synth.save(tmp_path / "release")
    manifest, arrays = read_release(tmp_path / "release")
    write_release(tmp_path / "release", {**manifest, **change}, arrays)
    with pytest.raises(ValueError, match="not a complete release of vectors"):
        cf.VectorSynthesizer.load(tmp_path / "release")
