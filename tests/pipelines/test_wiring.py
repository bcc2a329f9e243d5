"""What passes the door, seen from outside: every exact answer moves by no more than was declared, and nothing
but released values goes further.

A fit is run with the door watched. On a neighbouring table it is run again with every released value replaced
by that of the first run, so that all adaptive choices are the same; the two exact answers then differ by what
one record does. On a table that has nothing in common with the first one the same replacement must give the
same release, bit for bit: whatever else were to pass would show.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import covloss_fast as cf
from covloss_fast.privacy.mechanisms import Mechanism
from covloss_fast.records.recoding import recode_moments
from covloss_fast.records.statistics import BlockStatistics

BINARY = (2,) * 5
MIXED = (2, 3, 2, 4)
METHODS: list[dict[str, Any]] = [
    {"method": "restored", "delta": 1e-6},
    {"method": "restored", "delta": 0},
    {"method": "paper", "delta": 0},
]
NEIGHBOURS = ["add_or_remove_one", "replace_one"]
N = 400


@dataclass
class Passed:
    """One use of the door."""

    query: str
    l1: Fraction
    l2_squared: Fraction
    exact: np.ndarray
    released: np.ndarray


class Watch:
    """Records what passes the door; gives back what passed before, where it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.passed: list[Passed] = []
        self.instead: Iterator[Passed] | None = None
        release = Mechanism.release

        def watched(mechanism: Mechanism, exact: np.ndarray) -> np.ndarray:
            entry = mechanism.entry
            released = release(mechanism, exact)
            if self.instead is not None:
                before = next(self.instead)
                assert before.query == entry.query
                assert before.exact.shape == exact.shape
                released = before.released.copy()
            self.passed.append(Passed(entry.query, entry.l1, entry.l2_squared, exact.copy(), released))
            return released

        monkeypatch.setattr(Mechanism, "release", watched)

    def run(
        self, table: np.ndarray, sizes: tuple[int, ...], instead: list[Passed] | None, **settings: Any
    ) -> tuple[list[Passed], cf.CovLossSynthesizer]:
        self.passed = []
        self.instead = None if instead is None else iter(instead)
        schema = cf.Schema.from_domain({f"a{j}": size for j, size in enumerate(sizes)})
        # With this budget blocks, scores and pair tables all take part.
        synth = cf.CovLossSynthesizer(schema, epsilon=40.0, random_state=3, n_threads=1, **settings)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", cf.NotPrivateWarning)
            synth.fit(table)
        return self.passed, synth


def table_of(sizes: tuple[int, ...], seed: int, n: int = N) -> np.ndarray:
    generator = np.random.default_rng(seed)
    hidden = generator.random(n)
    columns = [np.minimum((hidden + 0.7 * generator.random(n)) / 1.7 * s, s - 1) for s in sizes]
    return np.stack(columns, axis=1).astype(np.int64)


def neighbours_of(table: np.ndarray, sizes: tuple[int, ...], relation: str) -> Iterator[np.ndarray]:
    """Tables that differ by an extreme, a common, a rare record."""
    extremes = [np.zeros(len(sizes)), np.array(sizes) - 1, np.arange(len(sizes)) % np.array(sizes)]
    for record in (np.array(e, dtype=np.int64) for e in extremes):
        if relation == "add_or_remove_one":
            yield np.vstack([table, record])
        else:
            opposite = (np.array(sizes) - 1 - record)[None, :]
            for place in (0, len(table) // 2, len(table) - 1):
                changed = table.copy()
                changed[place] = record
                yield changed
                changed = changed.copy()
                changed[place] = opposite
                yield changed
    if relation == "add_or_remove_one":
        yield table[1:]
        yield table[:-1]


def settings_for(sizes: tuple[int, ...], settings: dict[str, Any]) -> dict[str, Any]:
    if settings["method"] == "restored" and sizes == BINARY:
        return {**settings, "n_blocks": 4, "n_steps": 2}
    return settings


def excess(watch: Watch, sizes: tuple[int, ...], relation: str, settings: dict[str, Any]) -> list[str]:
    """The queries whose exact answers moved by more than was declared."""
    table = table_of(sizes, 0)
    first, _ = watch.run(table, sizes, None, neighbours=relation, **settings)
    broken = []
    moved = dict.fromkeys((each.query for each in first), 0)
    for neighbour in neighbours_of(table, sizes, relation):
        second, _ = watch.run(neighbour, sizes, first, neighbours=relation, **settings)
        assert len(first) == len(second)
        for one, other in zip(first, second):
            change = [abs(int(d)) for d in (one.exact.astype(object) - other.exact.astype(object)).ravel()]
            moved[one.query] = max(moved[one.query], sum(change))
            if sum(change) > one.l1 or sum(d * d for d in change) > one.l2_squared:
                broken.append(one.query)
    assert all(moved.values()), f"never moved: {moved}"
    return broken


@pytest.mark.parametrize("relation", NEIGHBOURS)
@pytest.mark.parametrize("settings", METHODS)
@pytest.mark.parametrize("sizes", [BINARY, MIXED])
def test_no_exact_answer_moves_by_more_than_was_declared(
    monkeypatch: pytest.MonkeyPatch, sizes: tuple[int, ...], settings: dict[str, Any], relation: str
) -> None:
    assert excess(Watch(monkeypatch), sizes, relation, settings_for(sizes, settings)) == []


@pytest.mark.parametrize("relation", NEIGHBOURS)
@pytest.mark.parametrize("settings", METHODS)
@pytest.mark.parametrize("sizes", [BINARY, MIXED])
def test_a_release_is_a_function_of_released_values_alone(
    monkeypatch: pytest.MonkeyPatch, sizes: tuple[int, ...], settings: dict[str, Any], relation: str
) -> None:
    watch = Watch(monkeypatch)
    settings = {**settings_for(sizes, settings), "neighbours": relation}
    first, one = watch.run(table_of(sizes, 0), sizes, None, **settings)
    # Under replace-one the number of records is public and the same.
    n = N if relation == "replace_one" else N // 3
    stranger = np.random.default_rng(1).integers(0, np.array(sizes), (n, len(sizes)))
    second, other = watch.run(stranger, sizes, first, **settings)
    assert any((a.exact != b.exact).any() for a, b in zip(first, second))
    assert one.parameters_ == other.parameters_
    assert one.certificate_ == other.certificate_
    assert one._model == other._model
    np.testing.assert_array_equal(one.sample(as_="numpy"), other.sample(as_="numpy"))
    np.testing.assert_array_equal(
        one.sample(50, random_state=1, as_="numpy"), other.sample(50, random_state=1, as_="numpy")
    )


@pytest.mark.parametrize("sizes", [BINARY, MIXED])
def test_what_a_fit_uses_is_what_it_declared(monkeypatch: pytest.MonkeyPatch, sizes: tuple[int, ...]) -> None:
    """Every query of the plan was really made: the watch above did not look at a fall-back."""
    settings = settings_for(sizes, METHODS[0])
    passed, _ = Watch(monkeypatch).run(table_of(sizes, 0), sizes, None, **settings)
    queries = " ".join(each.query for each in passed)
    wanted = (
        ["all pairs", "4 blocks, step 2"] if sizes == BINARY else ["distances of all pairs", "pair table"]
    )
    assert all(name in queries for name in [*wanted, "number of records", "error of 4-way"])


@pytest.mark.parametrize("broken", ["pairs coded with twice the weight", "a batch-dependent block"])
def test_the_watch_catches_what_is_wrong(monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    if broken == "pairs coded with twice the weight":
        monkeypatch.setattr(
            "covloss_fast.pipelines.restored_binary.recode_moments",
            lambda moments, signed: 2 * recode_moments(moments, signed),
        )
    else:
        from_labels = BlockStatistics.from_labels

        def shifted(bits: Any, labels: np.ndarray, k: int, n_threads: int) -> BlockStatistics:
            return from_labels(bits, (labels + len(labels)).astype(np.int32) % np.int32(k), k, n_threads)

        monkeypatch.setattr(BlockStatistics, "from_labels", shifted)
    settings = settings_for(BINARY, METHODS[0])
    assert excess(Watch(monkeypatch), BINARY, "add_or_remove_one", settings)
