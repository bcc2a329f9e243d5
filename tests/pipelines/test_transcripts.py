"""Whole fits, audited: what one record can move, what reaches the release, what an observer could tell.

A fit of one table is replayed on its neighbour with the same answers (`reference.transcripts`). Every line of
the ledger must then cover the difference of the exact answers, and both fits must leave the same release.
"""

from __future__ import annotations

import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import covloss_fast as cf
from covloss_fast._core.bits import column_counts
from covloss_fast.pipelines.common import Count, Task
from covloss_fast.privacy.ledger import Neighbours
from covloss_fast.records.partition import NearestPoint
from covloss_fast.records.statistics import BlockStatistics
from covloss_fast.reference.transcripts import (
    DivergenceError,
    audit_fits,
    both,
    honest,
    less_noise,
    privacy_loss,
)

RELATIONS: list[Neighbours] = ["add_or_remove_one", "replace_one"]
METHODS: dict[str, dict[str, Any]] = {
    "paper": {"method": "paper", "delta": 0},
    "paper, many blocks": {"method": "paper", "delta": 0, "n_blocks": 40},
    "restored, pure": {"delta": 0},
    "restored": {"delta": 0.05},
    "restored, pure, blocks": {"delta": 0, "n_blocks": 4},
    "restored, blocks": {"delta": 0.05, "n_blocks": 4},
    "restored, pure, pair tables": {"delta": 0, "epsilon": 200.0},
    "restored, pair tables": {"delta": 0.05, "epsilon": 40.0},
}
#: With five binary attributes there are more pairs than attributes: a sensitivity of the wrong one shows.
SIZES = [(2,), (2,) * 5, (3, 4), (2, 5, 2, 3)]
#: Blocks are for binary attributes.
CASES = [
    (sizes, method)
    for method, settings in METHODS.items()
    for sizes in SIZES
    if set(sizes) == {2} or settings.get("method") == "paper" or "n_blocks" not in settings
]
#: What takes part in the longest fit of some methods.
WANTED = {"restored, blocks": "4 blocks, step 2", "restored, pair tables": "pair table"}


def fitter(
    sizes: tuple[int, ...],
    epsilon: float,
    keep: list[cf.CovLossSynthesizer] | None = None,
    schema: cf.Schema | None = None,
    **settings: Any,
) -> Callable[[NDArray[np.int64], int], cf.CovLossSynthesizer]:
    """A function that fits a table of codes with a seed, and keeps what it fitted."""
    domain = schema or cf.Schema.from_domain({f"a{j}": size for j, size in enumerate(sizes)})

    def fit(table: NDArray[np.int64], seed: int) -> cf.CovLossSynthesizer:
        synth = cf.CovLossSynthesizer(domain, epsilon=epsilon, random_state=seed, n_threads=1, **settings)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", cf.NotPrivateWarning)
            synth.fit(table)
        if keep is not None:
            keep.append(synth)
        return synth

    return fit


def random_neighbours(
    rng: np.random.Generator, sizes: tuple[int, ...], n: int, neighbours: Neighbours
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """A random table, and one with a record less or another record somewhere."""
    here = np.stack([rng.integers(0, size, n) for size in sizes], axis=1)
    at = int(rng.integers(n))
    if neighbours == "add_or_remove_one":
        return here, np.delete(here, at, axis=0)
    there = here.copy()
    there[at] = [rng.integers(0, size) for size in sizes]
    return here, there


def contents(synth: cf.CovLossSynthesizer, folder: Path) -> dict[str, bytes]:
    """Everything that leaves: the members of the saved release, and the canonical table."""
    synth.save(folder / "release.covloss")
    with zipfile.ZipFile(folder / "release.covloss") as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    return {**members, "table": synth.sample(as_="numpy").tobytes()}


@pytest.mark.parametrize("neighbours", RELATIONS)
@pytest.mark.parametrize(("sizes", "method"), CASES)
def test_one_record_moves_no_more_than_the_ledger_says_and_nothing_passes_by(
    sizes: tuple[int, ...], method: str, neighbours: Neighbours, tmp_path: Path
) -> None:
    kept: list[cf.CovLossSynthesizer] = []
    settings = {"epsilon": 2.0, **METHODS[method]}
    fit = fitter(sizes, keep=kept, neighbours=neighbours, **settings)
    rng = np.random.default_rng(1)
    for seed, n in enumerate((1, 2, 5, 30, 30, 300)):
        here, there = random_neighbours(rng, sizes, n, neighbours)
        for table, other in ((here, there), (there, here)):
            steps, replayed = both(fit, table, other, seed)
            assert len(steps) == len(replayed) == len(kept[-1].ledger_.entries)
            for step, twin in zip(steps, replayed):
                move = np.abs(step.exact - twin.exact)
                assert move.sum() <= step.entry.l1
                assert (move**2).sum() <= step.entry.l2_squared
            if settings["delta"] == 0:
                assert abs(sum(map(privacy_loss, steps, replayed))) <= settings["epsilon"] + 1e-9
            assert contents(kept[-1], tmp_path) == contents(kept[-2], tmp_path)
    if len(sizes) == 4 or (len(sizes) == 5 and "blocks" in method):
        assert any(WANTED.get(method, "") in entry.query for entry in kept[-1].ledger_.entries)


@pytest.mark.parametrize("neighbours", RELATIONS)
@pytest.mark.parametrize(
    "settings",
    [{"delta": 0.05, "epsilon": 40.0}, {"delta": 0, "epsilon": 3.0}, METHODS["paper"] | {"epsilon": 3.0}],
)
def test_the_same_with_structural_zeros(
    settings: dict[str, Any], neighbours: Neighbours, tmp_path: Path
) -> None:
    attributes = [
        cf.Binary("a", levels=(0, 1)),
        cf.Categorical("b", [0, 1, 2]),
        cf.Categorical("c", [0, 1, 2, 3]),
    ]
    schema = cf.Schema(attributes, structural_zeros=[{"a": 1, "b": 2}, {"b": 0, "c": 3}])
    kept: list[cf.CovLossSynthesizer] = []
    fit = fitter((), keep=kept, schema=schema, neighbours=neighbours, **settings)
    rng = np.random.default_rng(3)
    for seed, n in enumerate((2, 40, 300)):
        here, _ = random_neighbours(rng, (2, 3, 4), n, neighbours)
        here[(here[:, 0] == 1) & (here[:, 1] == 2), 1] = 1
        here[(here[:, 1] == 0) & (here[:, 2] == 3), 2] = 0
        there = here[1:] if neighbours == "add_or_remove_one" else np.vstack([[[0, 1, 2]], here[1:]])
        steps, replayed = both(fit, here, there, seed)
        for step, twin in zip(steps, replayed):
            move = np.abs(step.exact - twin.exact)
            assert move.sum() <= step.entry.l1
            assert (move**2).sum() <= step.entry.l2_squared
        assert contents(kept[-1], tmp_path) == contents(kept[-2], tmp_path)


@pytest.mark.parametrize(("sizes", "method"), [case for case in CASES if len(case[0]) > 2])
def test_the_order_of_the_records_does_not_reach_the_release(
    sizes: tuple[int, ...], method: str, tmp_path: Path
) -> None:
    settings = {"epsilon": 2.0, **METHODS[method]}
    rng = np.random.default_rng(4)
    table = np.stack([rng.integers(0, size, 500) for size in sizes], axis=1)
    releases = [fitter(sizes, **settings)(rows, 1) for rows in (table, table[::-1], rng.permutation(table))]
    first, *others = [contents(synth, tmp_path) for synth in releases]
    assert all(other == first for other in others)


def test_a_number_that_passes_by_the_door_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    released = Task.release_count

    def exact(task: Task, share: Any) -> Count:
        count = released(task, share)
        return Count(task.records.n_records, count.mechanism)

    monkeypatch.setattr(Task, "release_count", exact)
    kept: list[cf.CovLossSynthesizer] = []
    both(fitter((2, 2), 2.0, kept, delta=0), np.ones((9, 2), int), np.ones((8, 2), int), 1)
    assert contents(kept[0], tmp_path) != contents(kept[1], tmp_path)


# ------------------------------------------------------------------------------------------------ audits
# A record of ones more, or in the place of one of zeros. Seeds are fixed, so these do not flake.

BLOCKS: dict[str, Any] = {
    "delta": 0,
    "n_blocks": 4,
    "n_steps": 1,
    "shares": {"one_way": 0.02, "pairs": 0.02, "blocks": 0.96},
}
#: Attributes, epsilon, settings; the divisor of the noise of the negative control; number of fits.
AUDITED: list[tuple[int, float, dict[str, Any], int, int]] = [
    (1, 1.0, {"delta": 0}, 2, 400),
    (2, 1.0, {**BLOCKS, "delta": 0.05}, 8, 200),
    (2, 1.0, BLOCKS, 8, 200),
    (2, 2.0, {"method": "paper", "delta": 0, "n_blocks": 16}, 8, 200),
]


def neighbouring(
    n_attributes: int, n: int, neighbours: Neighbours
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """`n` records, all zeros but one of ones; and without it, or with one more of zeros for it."""
    there = np.zeros((n, n_attributes), dtype=np.int64)
    here = there[1:] if neighbours == "add_or_remove_one" else there.copy()
    there[0] = 1
    return here, there


@pytest.mark.parametrize("neighbours", RELATIONS)
@pytest.mark.parametrize(("n_attributes", "epsilon", "settings", "divisor", "n_fits"), AUDITED)
def test_audit_of_whole_fits(
    n_attributes: int,
    epsilon: float,
    settings: dict[str, Any],
    divisor: int,
    n_fits: int,
    neighbours: Neighbours,
) -> None:
    fit = fitter((2,) * n_attributes, epsilon, neighbours=neighbours, **settings)
    claim = {"n_fits": n_fits, "epsilon": epsilon, "delta": settings["delta"]}
    here, there = neighbouring(n_attributes, 1, neighbours)
    found = audit_fits(fit, here, there, **claim, answer=honest)
    assert found.ratio <= 1
    if settings["delta"] == 0:
        assert 0.4 * epsilon < found.largest_loss <= epsilon * (1 + 1e-9)
    assert audit_fits(fit, here, there, **claim, answer=less_noise(divisor)).ratio > 1


def test_audit_of_fits_catches_a_wrong_relation() -> None:
    """Noise for a record more or less, tables in which one is replaced."""
    fit = fitter((2,), 1.0, delta=0, neighbours="add_or_remove_one")
    found = audit_fits(fit, *neighbouring(1, 1, "replace_one"), n_fits=400, epsilon=1)
    assert found.ratio > 1
    assert found.largest_loss > 1.5


def test_audit_of_fits_catches_a_block_that_depends_on_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    own = NearestPoint.labels

    def labels(self: NearestPoint, bits: Any, n_threads: int | None = None) -> Any:
        shift = int(column_counts(bits, 1)[0])
        return (own(self, bits, n_threads) + shift) % self.n_blocks

    monkeypatch.setattr(NearestPoint, "labels", labels)
    fit = fitter((2, 2), 1.0, **BLOCKS)
    here, there = neighbouring(2, 12, "add_or_remove_one")
    assert audit_fits(fit, here, there, n_fits=100, epsilon=1).ratio > 1
    steps, replayed = both(fit, here, there, 0)
    moved = [np.abs(a.exact - b.exact).sum() > a.entry.l1 for a, b in zip(steps, replayed)]
    assert [step.entry.query[:16] for step, far in zip(steps, moved) if far] == ["counts and sums "]


def test_audit_of_fits_catches_a_dropped_empty_block(monkeypatch: pytest.MonkeyPatch) -> None:
    own = BlockStatistics.from_labels

    def occupied(*arguments: Any) -> BlockStatistics:
        found = own(*arguments)
        return BlockStatistics(found.counts[found.counts > 0], found.sums[found.counts > 0])

    monkeypatch.setattr(BlockStatistics, "from_labels", occupied)
    fit = fitter((2, 2), 8.0, **BLOCKS)
    here, there = neighbouring(2, 3, "replace_one")

    def fits() -> None:
        for seed in range(20):
            both(fit, here, there, seed)

    with pytest.raises(DivergenceError, match="counts and sums"):
        fits()
    assert audit_fits(fit, here, there, n_fits=200, epsilon=1).ratio > 1
