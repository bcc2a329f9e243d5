"""The private half from end to end: parameters, spending, determinism, secrecy of n, accuracy."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
import threading
import warnings
import zipfile
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import covloss_fast as cf
from covloss_fast.privacy.mechanisms import Mechanism
from covloss_fast.records.queries import InMemory, MarginalCounts, Query

BINARY = cf.Schema([cf.Binary(f"b{j}", levels=(0, 1)) for j in range(12)])
MIXED = cf.Schema(
    [
        cf.Binary("smoker"),
        cf.Categorical("job", ["clerk", "nurse", "other"]),
        cf.Numeric("age", lower=0, upper=120, bins=12, integer=True),
        cf.Categorical("region", [f"r{j}" for j in range(30)]),
    ]
)


def binary_table(n: int, seed: int = 0) -> np.ndarray:
    """Rows of three hidden classes."""
    generator = np.random.default_rng(seed)
    profile = generator.beta(0.4, 0.8, size=(3, 12))
    return (generator.random((n, 12)) < profile[generator.integers(0, 3, n)]).astype(np.uint8)


def mixed_table(n: int, seed: int = 0) -> pd.DataFrame:
    generator = np.random.default_rng(seed)
    smoker = generator.random(n) < 0.3
    return pd.DataFrame(
        {
            "smoker": smoker,
            "job": np.where(smoker, "clerk", generator.choice(["clerk", "nurse", "other"], n)),
            "age": generator.integers(0, 121, n),
            "region": [f"r{j}" for j in generator.geometric(0.3, n) % 30],
        }
    )


def seeded(schema: cf.Schema, **kwargs: Any) -> cf.CovLossSynthesizer:
    return cf.CovLossSynthesizer(schema, **{"epsilon": 1.0, "delta": 1e-9, "random_state": 1, **kwargs})


def fit(synth: cf.CovLossSynthesizer, table: Any) -> cf.CovLossSynthesizer:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.NotPrivateWarning)
        return synth.fit(table)


METHODS = [
    {"method": "restored", "delta": 1e-9},
    {"method": "restored", "delta": 0},
    {"method": "paper", "delta": 0},
]
NEIGHBOURS = ["add_or_remove_one", "replace_one"]


# -- parameters: refused before data are read and before anything is spent --


@pytest.mark.parametrize(
    ("kwargs", "message"),
    [
        ({"epsilon": 0}, "epsilon"),
        ({"epsilon": -1.0}, "epsilon"),
        ({"epsilon": float("nan")}, "epsilon"),
        ({"delta": 1.0}, "delta"),
        ({"delta": -1e-9}, "delta"),
        ({"neighbours": "swap"}, "neighbours must be"),
        ({"method": "mst"}, "method must be"),
        ({"method": "paper"}, "delta must be 0"),
        ({"method": "paper", "delta": 0, "n_steps": 2}, "only n_blocks and partition can be set"),
        ({"method": "paper", "delta": 0, "partition": "voronoi"}, "partition must be"),
        ({"partition": "pinning"}, 'is for method="paper"'),
        ({"n_blocks": 0}, "n_blocks must be an integer from 1 to 65,536"),
        ({"n_steps": 2.0}, "n_steps must be an integer"),
        ({"n_components": True}, "n_components must be an integer"),
        ({"shares": {"one_way": 0.9, "pairs": 0.2, "blocks": 0.0}}, "shares must add to at most 1"),
        ({"shares": {"one_way": 0.9}}, "shares must give fractions"),
        ({"shares": {"rows": 0.1}}, "shares must give fractions"),
        ({"shares": {"one_way": 0.0, "pairs": 0.5, "blocks": 0.0}}, "that of one_way must be positive"),
        ({"shares": {"one_way": 0.9, "pairs": 1e-5, "blocks": 0}}, "leave nothing for the query 'all pairs"),
        ({"epsilon": 1e-13, "delta": 0}, "budget is too small: noise of scale beyond .* 'number of records'"),
        ({"epsilon": 1e-8, "delta": 0}, "budget is too small: .* 'error of'"),
        ({"epsilon": 1e-10, "delta": 1e-300}, "budget is too small: noise of variance beyond"),
        ({"epsilon": 1e-8, "delta": 0, "method": "paper"}, "budget is too small: .* 'damped means of'"),
        ({"epsilon": "1e-400", "delta": 0, "method": "paper"}, "budget is too small"),
        ({"shares": {"one_way": "a", "pairs": 0.1, "blocks": 0.1}}, "shares must give fractions"),
        ({"shares": 5}, "shares must give fractions"),
        ({"certificate": "no"}, "certificate must be True or False"),
        ({"random_state": -1}, "random_state must be an integer"),
        ({"n_threads": 0}, "n_threads must be"),
    ],
)
def test_bad_parameters_are_refused_before_the_data_are_read(kwargs: dict[str, Any], message: str) -> None:
    def batches() -> Iterator[np.ndarray]:
        raise AssertionError("the data were read")

    synth = seeded(BINARY, **kwargs)
    with pytest.raises(ValueError, match=message):
        synth.fit(batches)
    with pytest.raises(ValueError, match=message):
        synth.plan()
    assert not hasattr(synth, "ledger_")


def test_invalid_records_are_refused_with_position_and_cost_nothing() -> None:
    table = binary_table(100).copy()
    table[17, 3] = 2
    synth = seeded(BINARY)
    with pytest.raises(ValueError, match=r"b3.*17") as caught:
        synth.fit(table)
    assert "2" not in str(caught.value).replace("b3", "").replace("17", "")
    assert not hasattr(synth, "ledger_")
    with pytest.raises(cf.NotFittedError, match="not fitted"):
        synth.sample()


@pytest.mark.parametrize("n", [-5, 2.0, True, "3"])
def test_bad_sample_sizes_are_refused(n: Any) -> None:
    synth = fit(seeded(BINARY), binary_table(500))
    with pytest.raises(ValueError, match="n must be an integer from 0"):
        synth.sample(n)


# -- what comes out --


@pytest.mark.parametrize("settings", METHODS)
@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize("n", [0, 1, 2, 70, 3_000])
def test_every_size_of_table_is_fitted(settings: dict[str, Any], neighbours: str, n: int) -> None:
    for schema, table in ((BINARY, binary_table(n)), (MIXED, mixed_table(n))):
        synth = fit(seeded(schema, neighbours=neighbours, **settings), table)
        schema.validate(synth.sample())
        out = synth.sample(7, as_="dict")
        assert list(out) == list(schema.names)
        assert all(len(column) == 7 for column in out.values())
        for part in synth.certificate_:
            assert 0 <= part.low <= part.high <= 1
        assert len(synth.sample(0, as_="pandas")) == 0


@pytest.mark.parametrize("settings", METHODS)
@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize("sizes", [(1,), (2,), (5,), (1, 1), (1, 2, 3)])
def test_narrow_tables_are_fitted(settings: dict[str, Any], neighbours: str, sizes: tuple[int, ...]) -> None:
    schema = cf.Schema.from_domain({f"a{j}": size for j, size in enumerate(sizes)})
    for n in (0, 3, 500):
        columns = [np.random.default_rng(j).integers(0, size, n) for j, size in enumerate(sizes)]
        out = fit(seeded(schema, neighbours=neighbours, **settings), np.stack(columns, axis=1)).sample(4)
        assert out.shape == (4, len(sizes))
        assert (out.max(axis=0) < sizes).all()


def test_the_kind_of_table_that_went_in_comes_out() -> None:
    frame = mixed_table(400)
    for table, kind in (
        (frame, pd.DataFrame),
        (pl.from_pandas(frame), pl.DataFrame),
        (pa.Table.from_pandas(frame, preserve_index=False), pa.Table),
        ({name: frame[name].to_numpy() for name in frame}, dict),
    ):
        synth = fit(seeded(MIXED), table)
        assert isinstance(synth.sample(), kind)
        assert isinstance(synth.sample(3, as_="pandas"), pd.DataFrame)
    assert isinstance(fit(seeded(BINARY), binary_table(300)).sample(), np.ndarray)


def test_the_canonical_table_is_one_table() -> None:
    synth = cf.CovLossSynthesizer(MIXED, epsilon=1.0, delta=1e-9).fit(mixed_table(400))
    first = synth.sample()
    pd.testing.assert_frame_equal(first, synth.sample())
    pd.testing.assert_frame_equal(first, synth.sample(random_state=7))
    other = cf.CovLossSynthesizer(MIXED, epsilon=1.0, delta=1e-9).fit(mixed_table(400)).sample()
    assert not np.array_equal(first["age"][:300], other["age"][:300])
    assert not synth.sample(300).equals(synth.sample(300))


SOME_ZEROS = cf.Schema(BINARY.attributes, structural_zeros=[{"b0": 1, "b1": 1}])


@pytest.mark.parametrize("n", [None, 0, 1, 999, 70_000, 140_001])
@pytest.mark.parametrize("case", ["blocks", "mixed", "columns", "paper", "paper with zeros"])
def test_batches_are_the_table(case: str, n: int | None) -> None:
    synth = fitted_cases(case)
    whole = synth.sample(n, random_state=5, as_="dict")
    for batch_rows in (50_000, 65_536) if n is None or n > 10_000 else (1 + n // 3, 7 + n):
        batches = list(synth.sample_batches(n, batch_rows, random_state=5, as_="dict"))
        assert all(len(batch[next(iter(batch))]) == batch_rows for batch in batches[:-1])
        for name, column in whole.items():
            np.testing.assert_array_equal(np.concatenate([batch[name] for batch in batches]), column)


_cases: dict[str, cf.CovLossSynthesizer] = {}


def fitted_cases(case: str) -> cf.CovLossSynthesizer:
    if case not in _cases:
        if case == "mixed":
            _cases[case] = fit(seeded(MIXED), mixed_table(3_000))
        elif case == "columns":
            _cases[case] = fit(seeded(BINARY, epsilon=0.001), binary_table(300))
        elif case == "blocks":
            _cases[case] = fit(seeded(BINARY, n_blocks=8), binary_table(70_000))
        else:
            schema = SOME_ZEROS if "zeros" in case else BINARY
            table = binary_table(3_000)
            _cases[case] = fit(seeded(schema, method="paper", delta=0), table[table[:, :2].sum(axis=1) < 2])
    return _cases[case]


def test_batches_come_in_the_kind_of_sample_and_bad_sizes_are_refused_at_once() -> None:
    synth = fitted_cases("mixed")
    assert all(isinstance(batch, pd.DataFrame) for batch in synth.sample_batches(10, 4))
    assert [len(batch) for batch in synth.sample_batches(10, 4)] == [4, 4, 2]
    for n, batch_rows in ((-1, 4), (10, 0), (10, 2.5)):
        with pytest.raises(ValueError, match="must be an integer"):
            synth.sample_batches(n, batch_rows)  # type: ignore[arg-type]


def test_batches_take_no_more_memory_the_more_there_are(tmp_path: Path) -> None:
    """Peak memory of a process of its own, 4,000,000 records of 12 bits: 48 MB as one table."""
    path = tmp_path / "r.covloss"
    fitted_cases("blocks").save(path)
    script = f"""
import resource, covloss_fast as cf
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize() // 1024
synth = cf.load({str(path)!r})
for n in (300_000, 4_000_000):
    batches = synth.sample_batches(n, 10_000, random_state=1, as_="numpy")
    print(max(resident() for batch in batches))
"""
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    few, many = map(int, out.stdout.split())
    assert many - few < 24_000, "kB"


def test_no_impossible_record_in_any_part() -> None:
    made = fitted_cases("paper with zeros").sample(140_001, as_="numpy")
    assert not (made[:, 0] & made[:, 1]).any()


@pytest.mark.parametrize("settings", METHODS)
@pytest.mark.parametrize("n", [0, 1, 3, 9])
def test_where_the_number_of_records_is_public_the_canonical_table_has_as_many(
    settings: dict[str, Any], n: int
) -> None:
    for schema, table in ((BINARY, np.ones((n, 12), dtype=np.uint8)), (MIXED, mixed_table(n))):
        synth = fit(seeded(schema, neighbours="replace_one", **{**settings, "epsilon": 500.0}), table)
        assert len(synth.sample(as_="pandas")) == n
        assert len(synth.sample(5, as_="pandas")) == 5
        if schema is BINARY and n > 0 and settings["method"] == "restored":
            assert (synth.sample() == 1).mean() > 0.9


@pytest.mark.parametrize("settings", METHODS)
@pytest.mark.parametrize("n", [0, 1, 800])
def test_numpy_that_raises_where_it_warns_loses_no_release(settings: dict[str, Any], n: int) -> None:
    """Huge budgets, whose noise is 0 in doubles, among them; warnings are errors in all tests."""
    for schema, table in ((BINARY, binary_table(n)), (MIXED, mixed_table(n))):
        for epsilon in (0.01, 1.0, 1000.0):
            with np.errstate(all="raise"):
                fit(seeded(schema, **{**settings, "epsilon": epsilon}), table).sample()


def test_batches_give_the_same_release_as_the_whole_table() -> None:
    table = binary_table(1_000)
    whole = fit(seeded(BINARY), table)
    batched = fit(seeded(BINARY), lambda: iter([table[:1], table[1:700], table[700:]]))
    np.testing.assert_array_equal(whole.sample(), np.column_stack(list(batched.sample(as_="dict").values())))


@pytest.mark.parametrize("settings", METHODS)
def test_same_seed_same_bits_for_any_threads_and_layout(settings: dict[str, Any]) -> None:
    table = binary_table(20_000)
    results = []
    for n_threads, given in (
        (1, table),
        (2, np.asfortranarray(table)),
        (7, np.repeat(table, 2, axis=0)[::2]),
    ):
        synth = fit(seeded(BINARY, n_threads=n_threads, **settings), given)
        results.append((synth.sample(), synth.sample(100, random_state=3), synth.certificate_))
    for canonical, drawn, certificate in results[1:]:
        np.testing.assert_array_equal(canonical, results[0][0])
        np.testing.assert_array_equal(drawn, results[0][1])
        assert certificate == results[0][2]


def test_without_a_seed_no_two_releases_agree() -> None:
    table = binary_table(2_000)
    synth = cf.CovLossSynthesizer(BINARY, epsilon=1.0, delta=1e-9)
    first = synth.fit(table).sample()
    second = synth.fit(table).sample()
    assert first.shape != second.shape or (first != second).any()
    assert (synth.sample(50) != synth.sample(50)).any()


def test_the_input_is_never_written_to() -> None:
    table = binary_table(500)
    table.flags.writeable = False
    fit(seeded(BINARY), table)


# -- what was spent --


def test_a_seed_warns_and_marks_the_release() -> None:
    synth = seeded(BINARY)
    with pytest.warns(cf.NotPrivateWarning, match="not private"):
        synth.fit(binary_table(200))
    assert synth.ledger_.is_private is False
    assert "not private" in synth.ledger_.to_text().lower()


@pytest.mark.parametrize("settings", METHODS)
@pytest.mark.parametrize("neighbours", NEIGHBOURS)
def test_the_ledger_lists_every_mechanism_and_no_more_than_the_budget(
    settings: dict[str, Any], neighbours: str
) -> None:
    synth = fit(seeded(MIXED, neighbours=neighbours, **settings), mixed_table(4_000))
    shares = [entry.share for entry in synth.ledger_.entries]
    assert 0.9 < float(sum(shares)) <= 1
    text = json.dumps(json.loads(synth.ledger_.to_json()))
    assert "4000" not in text.replace(",", "") or neighbours == "replace_one"
    queries = " ".join(entry.query for entry in synth.ledger_.entries)
    assert ("number of records" in queries) == (neighbours == "add_or_remove_one")


def test_a_fit_for_other_neighbours_is_refused_before_it_is_charged() -> None:
    synth = fit(seeded(BINARY), binary_table(200))
    spent = synth.ledger_.to_json()
    synth.set_params(neighbours="replace_one")
    with pytest.raises(ValueError, match="make another one for replace_one"):
        fit(synth, binary_table(200))
    assert synth.ledger_.to_json() == spent


@pytest.mark.parametrize("settings", METHODS)
def test_records_are_counted_only_after_the_ledger_has_the_query(
    settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is asked of the records is watched: how many entries does the ledger hold then?"""
    synth = seeded(MIXED, **settings)
    entries_at: list[int] = []

    def watch(module: str, name: str) -> None:
        target = import_module(f"covloss_fast.{module}")
        owner, _, function = name.rpartition(".")
        holder = getattr(target, owner) if owner else target
        taken = getattr(holder, function)

        def watched(*args: Any, **kwargs: Any) -> Any:
            entries_at.append(len(synth.ledger_.entries))
            return taken(*args, **kwargs)

        monkeypatch.setattr(holder, function, watched)

    watch("records.queries", "InMemory.ask")
    release = Mechanism.release

    def watched_release(self: Mechanism, exact: np.ndarray) -> np.ndarray:
        # The first two take none of the above; pair tables are cells of what was counted for the distances.
        if not self.entry.query.startswith(("number of records", "error of", "pair table")):
            late.extend([self.entry.query] * (synth.ledger_.entries.index(self.entry) >= entries_at[-1]))
        return release(self, exact)

    late: list[str] = []
    monkeypatch.setattr(Mechanism, "release", watched_release)
    fit(synth, mixed_table(4_000))
    assert entries_at
    assert not late


def test_the_certificate_counts_records_only_after_the_ledger_has_the_query(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    synth = seeded(MIXED)
    ask, lines_at = InMemory.ask, list[int]()

    def watched(self: InMemory, query: Query, n_threads: int) -> Any:
        if isinstance(query, MarginalCounts):
            lines_at.append(sum(entry.query.startswith("error of") for entry in synth.ledger_.entries))
        return ask(self, query, n_threads)

    monkeypatch.setattr(InMemory, "ask", watched)
    fit(synth, mixed_table(500))
    assert lines_at == [4]  # all degrees at once


@pytest.mark.parametrize("random_state", [None, 0, 1, 2**128 - 1])
def test_public_randomness_never_has_the_key_of_the_noise(random_state: int | None) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.NotPrivateWarning)
        noise_key, public_key = seeded(BINARY, random_state=random_state)._keys()
        again, public_again = seeded(BINARY, random_state=random_state)._keys()
    assert len(noise_key._bytes) == len(public_key) == 32
    assert not {noise_key._bytes[:16], noise_key._bytes[16:]} & {public_key[:16], public_key[16:]}
    same = random_state is not None
    assert (noise_key._bytes == again._bytes) is (public_key == public_again) is same


def test_a_second_fit_adds_to_the_ledger() -> None:
    synth = seeded(BINARY)
    fit(fit(synth, binary_table(300)), binary_table(300))
    assert synth.ledger_.epsilon > 1.2


def test_a_second_fit_at_the_same_time_is_refused_and_costs_nothing() -> None:
    synth = cf.CovLossSynthesizer(BINARY, epsilon=1.0, delta=1e-9)
    begun, may_end = threading.Event(), threading.Event()

    def slow() -> Iterator[np.ndarray]:
        begun.set()
        assert may_end.wait(30)
        yield binary_table(300)

    thread = threading.Thread(target=synth.fit, args=(slow,))
    thread.start()
    assert begun.wait(30)
    with pytest.raises(RuntimeError, match="another fit of this object is under way"):
        synth.fit(binary_table(200))
    twin = copy.copy(synth).fit(binary_table(200))  # a copy is another object, in the midst of a fit too
    may_end.set()
    thread.join()
    assert len(synth.ledger_.fits) == len(twin.ledger_.fits) == 1
    synth.fit(binary_table(200))
    assert len(synth.ledger_.fits) == 2


def test_copies_keep_the_release_and_share_the_ledger() -> None:
    synth = fit(seeded(MIXED), mixed_table(300))
    for copied in (copy.copy, copy.deepcopy):
        twin = copied(synth)
        pd.testing.assert_frame_equal(twin.sample(), synth.sample())
        assert twin.ledger_ is synth.ledger_
    fit(twin, mixed_table(300))
    assert len(synth.ledger_.fits) == 2


def test_what_is_sent_to_another_process_goes_on_by_itself() -> None:
    synth = fit(seeded(MIXED), mixed_table(300))
    twin = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(synth))))
    pd.testing.assert_frame_equal(twin.sample(), synth.sample())
    fit(twin, mixed_table(300))
    assert (len(synth.ledger_.fits), len(twin.ledger_.fits)) == (1, 2)


def test_an_interrupted_fit_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    synth = seeded(BINARY)

    def interrupt(*args: Any, **kwargs: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("covloss_fast.synthesizer.release_restored", interrupt)
    with pytest.raises(KeyboardInterrupt):
        fit(synth, binary_table(300))
    assert synth.ledger_.epsilon >= 1.0 - 1e-9


# -- saving --


@pytest.mark.parametrize("settings", METHODS)
def test_a_saved_release_gives_the_same_table(tmp_path: Path, settings: dict[str, Any]) -> None:
    synth = fit(seeded(MIXED, **settings), mixed_table(1_500))
    synth.save(tmp_path / "release.covloss")
    loaded = cf.load(tmp_path / "release.covloss")
    assert isinstance(loaded.sample(), pa.Table)
    pd.testing.assert_frame_equal(
        synth.sample(300, random_state=5, as_="pandas"), loaded.sample(300, random_state=5, as_="pandas")
    )
    pd.testing.assert_frame_equal(synth.sample(as_="pandas"), loaded.sample(as_="pandas"))
    assert loaded.ledger_ == synth.ledger_
    assert loaded.certificate_ == synth.certificate_


@pytest.mark.parametrize(
    ("epsilon", "delta"),
    [
        ("1/10", "1/1000000"),
        (Fraction(1, 3), 0),
        (Decimal("0.1"), 1e-9),
        (0.1, Fraction(1, 10**9)),
        (np.float32(0.1), 0),
        (1, "1e-7"),
    ],
)
def test_budgets_are_saved_and_loaded_exactly(tmp_path: Path, epsilon: Any, delta: Any) -> None:
    synth = fit(seeded(BINARY, epsilon=epsilon, delta=delta), binary_table(200))
    synth.save(tmp_path / "a")
    loaded = cf.load(tmp_path / "a")
    (charged,) = loaded.ledger_.fits
    assert (Fraction(loaded.epsilon), Fraction(loaded.delta)) == (charged.epsilon, charged.delta)
    if not isinstance(epsilon, np.float32):
        assert charged.epsilon == Fraction(epsilon)
    loaded.save(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert len(fit(loaded, binary_table(200)).ledger_.fits) == 2


def test_parameters_set_after_a_fit_do_not_change_its_release(tmp_path: Path) -> None:
    synth = fit(seeded(BINARY), binary_table(300))
    synth.save(tmp_path / "a")
    before = synth.sample(50, random_state=1, as_="pandas")
    renamed = cf.Schema([cf.Binary(f"z{j}", levels=("no", "yes")) for j in range(12)])
    for changes in (
        {"epsilon": 0.01, "delta": 0},
        {"neighbours": "replace_one", "method": "paper", "certificate": False},
        {"schema": renamed},
        {"schema": cf.Schema.from_domain({"a": 3, "b": 5})},
    ):
        synth.set_params(**changes)
        pd.testing.assert_frame_equal(synth.sample(50, random_state=1, as_="pandas"), before)
        synth.save(tmp_path / "b")
        assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def tampered(path: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """The release with a change in its manifest; the checksums, which are those of the arrays, stay right."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    head = json.loads(members["manifest.json"])
    change(head["content"])
    members["manifest.json"] = json.dumps(head).encode()
    target = path.with_name("tampered")
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return target


IMPOSSIBLE: list[tuple[str, Any, str]] = [
    ("epsilon", "-3", "epsilon must be a text such as"),
    ("epsilon", "inf", "epsilon must be a text such as"),
    ("epsilon", "1e999999999", "epsilon must be a text such as"),
    ("epsilon", 1.0, "epsilon must be a text such as"),
    ("epsilon", "1/0", "epsilon must be a text such as"),
    ("epsilon", "0", "epsilon must be a number in"),
    ("epsilon", "1/2", "no fit in its ledger has its epsilon"),
    ("delta", "7", "delta must be a number in"),
    ("delta", "0", "no fit in its ledger has its epsilon"),
    ("method", "zzz", "method must be"),
    ("method", "paper", "no fit in its ledger has its epsilon, delta, method and schema"),
    ("method", ["restored"], "method must be"),
    ("neighbours", 5, "neighbours must be one of"),
    ("neighbours", "replace_one", "its ledger is one of add_or_remove_one"),
    ("schema", cf.Schema([cf.Binary(f"z{j}") for j in range(12)]).to_dict(), "method and schema"),
    ("schema", 3, "a schema is a JSON object"),
    ("ledger", "x", "expected a 'covloss_fast privacy ledger'"),
    ("ledger.neighbours", "replace_one", "its ledger is one of replace_one"),
    ("ledger.fits", [], "no fit in its ledger"),
    ("ledger.fits", 5, "the privacy ledger is damaged"),
    ("ledger.fits.0.epsilon", "-3", "epsilon must be a text such as"),
    ("ledger.fits.0.epsilon", "1/2", "does not follow from its epsilon and delta"),
    ("ledger.fits.0.delta", "7", "delta must be a number in"),
    ("ledger.fits.0.rho", "1/1000", "does not follow from its epsilon and delta"),
    ("ledger.fits.0.schema_hash", "ab", "method and schema"),
    ("ledger.fits.0.mechanisms.0.share", "-5", "share of 'number of records' must be a text"),
    ("ledger.fits.0.mechanisms.0.share", "99/100", "shares of a fit add to"),
    ("ledger.fits.0.mechanisms.0.share", "1/100000", "or is more than its share"),
    ("ledger.fits.0.mechanisms.0.spent", "1/100000", "does not follow from its noise"),
    ("ledger.fits.0.mechanisms.0.scale", "0", "scale of 'number of records' must be positive"),
    ("ledger.fits.0.mechanisms.0.distribution", "uniform", "must be discrete Gaussian"),
    ("ledger.fits.0.mechanisms.0.stream", 7, "not in the order of their numbers"),
    ("certificate", 5, "not iterable"),
    ("certificate.0", "x", "a certificate has the fields"),
    ("certificate.0.rms", "0.1", "rms of a certificate cannot be '0.1'"),
    ("certificate.0.rms", float("nan"), "a certificate cannot say"),
    ("certificate.0.degree", True, "degree of a certificate cannot be True"),
    ("certificate.0.n_sets", 1.5, "n_sets of a certificate cannot be 1.5"),
    ("certificate.0.at_most", 1, "at_most of a certificate cannot be 1"),
    ("certificate.0.high", 3.0, "a certificate cannot say"),
    ("n_released", "7", "n_released must be an integer"),
    ("n_released", float("inf"), "n_released must be an integer"),
    ("parameters", [], "parameters are not an object"),
    ("rows_from", "air", "rows_from must be"),
]


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("release") / "a"
    fit(seeded(BINARY), binary_table(300)).save(path)
    return path


@pytest.mark.parametrize(("place", "value", "message"), IMPOSSIBLE)
def test_impossible_releases_are_not_loaded(saved: Path, place: str, value: Any, message: str) -> None:
    *folders, last = place.split(".")

    def change(content: dict[str, Any]) -> None:
        here: Any = content
        for key in folders:
            here = here[int(key) if key.isdigit() else key]
        here[int(last) if last.isdigit() else last] = value

    with pytest.raises(ValueError, match=message) as caught:
        cf.load(tampered(saved, change))
    assert "not a complete release" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_release_without_a_field_is_not_loaded(saved: Path) -> None:
    with zipfile.ZipFile(saved) as archive:
        names = list(json.loads(archive.read("manifest.json"))["content"])
    for name in set(names) - {"library_version"}:
        with pytest.raises(ValueError, match=f"'{name}' is absent"):
            cf.load(tampered(saved, lambda content, name=name: content.pop(name)))


def test_neither_the_release_nor_the_object_holds_exact_n(tmp_path: Path) -> None:
    n = 7_919
    synth = fit(seeded(BINARY), binary_table(n))
    synth.save(tmp_path / "release.covloss")
    with zipfile.ZipFile(tmp_path / "release.covloss") as archive:
        content = b"".join(archive.read(name) for name in archive.namelist() if name.endswith(".json"))
    assert str(n).encode() not in content

    def numbers(value: Any, depth: int = 0) -> Iterator[Any]:
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, (list, tuple)):
            for item in value:
                yield from numbers(item, depth + 1)
        elif isinstance(value, np.ndarray):
            yield from value.shape
        elif hasattr(value, "__dict__") and depth < 5:
            yield from numbers(vars(value), depth + 1)
        else:
            yield value

    assert n not in [value for value in numbers(vars(synth)) if isinstance(value, int)]


# -- accuracy --


def test_two_way_marginals_are_far_better_than_independent_columns() -> None:
    table = binary_table(50_000)
    synth = fit(seeded(BINARY), table)
    independent = np.column_stack([np.random.default_rng(j).permutation(table[:, j]) for j in range(12)])
    ours = cf.marginal_error(table, synth.sample(), degree=2)
    assert ours.rms < 0.15 * cf.marginal_error(table, independent, degree=2).rms


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_certificate_holds_the_true_error(seed: int) -> None:
    table = binary_table(5_000)
    synth = fit(seeded(BINARY, random_state=seed), table)
    for part in synth.certificate_:
        error = cf.marginal_error(table, synth.sample(), degree=part.degree).rms
        assert part.low <= error <= part.high


def test_real_table_reaches_its_accuracy(real_tables: Path) -> None:
    domain = cf.Schema.load(real_tables / "nltcs-domain.json")
    table = np.loadtxt(real_tables / "nltcs.csv.gz", delimiter=",", skiprows=1, dtype=np.uint8)
    errors = [
        cf.marginal_error(table, fit(seeded(domain, random_state=seed), table).sample(), degree=2).rms
        for seed in range(3)
    ]
    assert np.median(errors) < 0.008


@pytest.mark.parametrize("delta", [0, 0.5])
@pytest.mark.parametrize("one_way", [0.1, 0.9])
def test_noise_below_the_least_double_breaks_nothing(one_way: float, delta: float) -> None:
    schema = cf.Schema([cf.Binary("b"), cf.Categorical("c", range(500))])
    shares = {"one_way": one_way, "scores": 0.05, "pairs": 0.95 - one_way}
    synth = cf.CovLossSynthesizer(schema, epsilon=1000, delta=delta, shares=shares)
    synth.fit({"b": np.array([0, 1] * 50), "c": np.arange(100) % 3})
    assert len(synth.sample()["b"]) == 100


def test_a_plan_that_is_accepted_can_be_fitted() -> None:
    """Where pairs are not asked for, it does not matter that their noise could not be drawn."""
    schema = cf.Schema.from_domain({f"a{j}": 2 for j in range(48)})
    shares = {"one_way": 1, "pairs": 0, "blocks": 0}
    synth = cf.CovLossSynthesizer(schema, epsilon=1e-9, delta=0, certificate=False, shares=shares)
    synth.plan()
    synth.fit(lambda: iter([np.zeros((50, 48), dtype=np.int64)]))
    assert len(synth.ledger_.entries) == 2


def test_overrides_as_numpy_integers_can_be_saved(tmp_path: Path) -> None:
    schema = cf.Schema.from_domain({f"a{j}": 2 for j in range(4)})
    numbers = {"n_blocks": np.int64(4), "n_steps": np.int32(2), "n_components": np.int64(2)}
    synth = cf.CovLossSynthesizer(schema, epsilon=100, delta=1e-9, **numbers)
    synth.fit(np.random.default_rng(0).integers(0, 2, (500, 4))).save(tmp_path / "release")
    assert cf.load(tmp_path / "release").parameters_["n_blocks"] == 4


def test_batches_keep_the_schema_they_were_begun_with() -> None:
    first, second = (cf.Schema.from_domain({name: 2, name * 2: 3}) for name in "ab")
    synth = cf.CovLossSynthesizer(first, epsilon=10, delta=1e-9)
    synth.fit({"a": np.zeros(40, int), "aa": np.arange(40) % 3})
    batches = synth.sample_batches(10, 4)
    next(batches)
    synth.set_params(schema=second).fit({"b": np.zeros(40, int), "bb": np.arange(40) % 3})
    assert list(next(batches)) == ["a", "aa"]
