"""Tables read in batches: the same release, bit for bit, and changes between the passes noticed."""

from __future__ import annotations

import gc
import os
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import covloss_fast as cf
from covloss_fast.records import tables
from covloss_fast.records.encoding import EncodingError, encode
from covloss_fast.records.queries import ColumnCounts, InMemory, PairCounts, TableChangedError, added

BINARY = cf.Schema.from_domain({f"b{i}": 2 for i in range(6)})
MIXED = cf.Schema.from_domain({"a": 2, "b": 5, "c": 3, "d": 300})
N = 3_000


def records(schema: cf.Schema, n: int = N, seed: int = 0) -> NDArray[np.int64]:
    generator = np.random.default_rng(seed)
    first = generator.random(n)
    return np.column_stack(
        [((first + generator.random(n)) / 2 * size).astype(np.int64) for size in schema.sizes]
    )


def release(schema: cf.Schema, table: Any, **settings: Any) -> dict[str, Any]:
    """Everything that a seeded fit releases."""
    settings = {"epsilon": 1, "delta": 1e-6, "random_state": 5, **settings}
    synth = cf.CovLossSynthesizer(schema, **settings)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.NotPrivateWarning)
        synth.fit(table)
    return {
        "rows": synth.sample(as_="numpy").tolist(),
        "ledger": synth.ledger_.to_json(),
        "certificate": synth.certificate_,
        "parameters": synth.parameters_,
    }


def batches_of(table: NDArray[Any], sizes: int | list[int]) -> Callable[[], Iterator[NDArray[Any]]]:
    """A source of batches of one size, or of several in turn."""

    def source() -> Iterator[NDArray[Any]]:
        start, turn = 0, 0
        while start < len(table):
            size = sizes if isinstance(sizes, int) else sizes[turn % len(sizes)]
            yield table[start : start + size]
            start, turn = start + size, turn + 1

    return source


@pytest.mark.parametrize(
    "settings",
    [{}, {"delta": 0}, {"delta": 0, "method": "paper"}, {"neighbours": "replace_one"}, {"n_threads": 7}],
)
@pytest.mark.parametrize("schema", [BINARY, MIXED], ids=["binary", "mixed"])
def test_the_release_is_that_of_one_table(
    schema: cf.Schema, settings: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("covloss_fast.records.batches._PART_RECORDS", 1_000)
    table = records(schema)
    expected = release(schema, table, **settings)
    shuffled = table[np.random.default_rng(1).permutation(N)]
    for source in (batches_of(table, 700), batches_of(shuffled, [1, 0, 63, 64, 65, 1_200])):
        assert release(schema, source, **settings) == expected
        assert release(schema, cf.Batches(source, keep=0), **settings) == expected
        assert release(schema, cf.Batches(source, keep=0, spill=tmp_path), **settings) == expected
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("schema", "settings"),
    [
        (BINARY, {}),
        (BINARY, {"delta": 0}),
        (BINARY, {"n_blocks": 4, "n_steps": 3}),
        (BINARY, {"certificate": False}),
        (BINARY, {"delta": 0, "method": "paper", "n_blocks": 64}),
        (BINARY, {"delta": 0, "method": "paper", "n_blocks": 8}),
        (MIXED, {"epsilon": 20}),
        (MIXED, {"epsilon": 0.001}),
    ],
)
def test_the_number_of_passes_is_foreseen(schema: cf.Schema, settings: dict[str, Any]) -> None:
    table, readings = records(schema), 0

    def source() -> list[NDArray[Any]]:
        nonlocal readings
        readings += 1
        return [table]

    settings = {"epsilon": 1, "delta": 1e-6, **settings, "neighbours": "replace_one"}
    release(schema, cf.Batches(source, keep=0), **settings)
    assert readings == cf.CovLossSynthesizer(schema, **settings).forecast(N).passes
    readings = 0
    release(schema, source, **settings)
    assert readings == 1


def test_a_long_file_is_not_refused_for_its_length(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow")
    (tmp_path / "t.csv").write_text("a\n")
    synth = cf.CovLossSynthesizer(cf.Schema.from_domain({"a": 2}), epsilon=1, delta=0)
    monkeypatch.setattr("covloss_fast.synthesizer.estimate_records", lambda table: 10**11)
    monkeypatch.setattr("covloss_fast.synthesizer.available_memory", lambda: 2**30)
    synth.refuse_too_large(tmp_path / "t.csv")
    with pytest.raises(MemoryError, match="a table of this size needs"):
        synth.refuse_too_large(np.zeros((1, 1)))


def test_files_and_datasets(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.csv
    import pyarrow.dataset
    import pyarrow.parquet

    codes = records(MIXED)
    table = pa.table({name: codes[:, j] for j, name in enumerate(MIXED.names)})
    expected = release(MIXED, table)
    pyarrow.csv.write_csv(table, tmp_path / "t.csv")
    pyarrow.parquet.write_table(table, tmp_path / "t.parquet", row_group_size=700)
    pyarrow.parquet.write_to_dataset(table, tmp_path / "folder", partition_cols=["a"])
    more = table.append_column("more", pa.array(np.arange(N)))
    pyarrow.parquet.write_table(more, tmp_path / "wide.parquet")
    dataset = pyarrow.dataset.dataset(tmp_path / "wide.parquet")
    for source in (tmp_path / "t.csv", str(tmp_path / "t.parquet"), tmp_path / "folder", dataset):
        assert release(MIXED, source) == expected
        assert release(MIXED, cf.Batches(source, keep=0)) == expected
    with pytest.raises(EncodingError, match="columns that the schema does not declare"):
        release(MIXED, tmp_path / "wide.parquet")
    with pytest.raises(tables.TableError, match="the dataset has no column 'e'"):
        release(cf.Schema.from_domain({"a": 2, "e": 2}), dataset)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 50_000])
def test_text_is_read_block_by_block(tmp_path: Path, n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow")
    monkeypatch.setattr(tables, "_CSV_BLOCKS", (4_096, 2**16, 2**20))
    lines = [f'{i % 2},"level, {"x" * (9_000 if i == n - 2 else 1)} {i % 3}"' for i in range(n)]
    (tmp_path / "t.csv").write_text("\n".join(["a,b", *lines]) + "\n")
    whole = tables.read(tmp_path / "t.csv")
    parts = [part for _, part in tables.read_batches(tmp_path / "t.csv", ())]
    assert sum(part.n_records for part in parts) == whole.n_records == n
    assert [part.first_record for part in parts] == [
        sum(part.n_records for part in parts[:i]) for i in range(len(parts))
    ]
    assert len(parts) > 5 or n < 50_000
    for column in range(2):
        read = [value for part in parts for value in values_of(part, column)]
        assert read == values_of(whole, column)


def values_of(columns: tables.Columns, column: int) -> list[Any]:
    found = columns.column(column)
    assert isinstance(found, tables.Factored)
    return [found.uniques[i] for i in found.index]


def test_faults_are_told_by_their_place_in_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow")
    monkeypatch.setattr(tables, "_CSV_BLOCKS", (4_096, 2**16, 2**20))
    schema = cf.Schema.from_domain({"a": 2})
    (tmp_path / "t.csv").write_text("a\n" + "1\n" * 20_000 + "7\n")
    with pytest.raises(EncodingError, match=r"^column 'a', line 20002: ") as info:
        release(schema, tmp_path / "t.csv")
    assert info.value.row == 20_000
    (tmp_path / "t.csv").write_text("a\n" + "1\n" * 20_000 + "1,0\n")
    with pytest.raises(tables.TableError, match=r"line 20002: expected 1 cells as in the header"):
        release(schema, tmp_path / "t.csv")
    with pytest.raises(FileNotFoundError, match="no such file"):
        release(schema, tmp_path / "absent.csv")


def test_a_bad_batch_costs_nothing() -> None:
    table = records(BINARY)
    synth = cf.CovLossSynthesizer(BINARY, epsilon=1, delta=0)
    with pytest.raises(EncodingError, match=r"^batch 1: column 'b2', row 3: ") as info:
        synth.fit(lambda: [table, np.where(np.arange(6) == 2, [[0], [0], [0], [9]], 0)])
    assert info.value.row == N + 3
    with pytest.raises(EncodingError, match="no batch"):
        synth.fit(lambda: iter(()))
    with pytest.raises(TypeError, match="must return an iterator of tables, or a list of them, got int"):
        synth.fit(lambda: 5)
    with pytest.raises(TypeError, match="an iterator can be read once"):
        synth.fit(iter([table]))
    with pytest.raises(TypeError, match="a function that returns a fresh iterator of tables"):
        cf.Batches(table)
    for keep in (-1, True, 2.5):
        with pytest.raises(ValueError, match="keep must be an integer of at least 0"):
            cf.Batches(lambda: [table], keep=keep)  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        synth.fit(cf.Batches(lambda: [table], spill="/no/such/folder"))
    assert not hasattr(synth, "ledger_") or not synth.ledger_.fits


def changing(table: NDArray[Any], changed: NDArray[Any], at: int) -> Callable[[], list[NDArray[Any]]]:
    """A source that gives another table from reading number `at` on."""
    readings = 0

    def source() -> list[NDArray[Any]]:
        nonlocal readings
        readings += 1
        return [table if readings <= at else changed]

    return source


@pytest.mark.parametrize("at", [1, 2])
def test_a_table_that_changes_is_noticed_before_anything_more_is_released(at: int) -> None:
    table = records(BINARY)
    table[0] = 0
    longer, other, bad = np.concatenate([table, table[:1]]), table.copy(), table.copy()  # a record of no bit
    other[7] = 1 - other[7]
    swapped = table.copy()  # the same columns, other records
    swapped[:, 0] = np.sort(swapped[:, 0])
    bad[0, 0] = 9
    for changed in (longer, other, swapped, bad):
        synth = cf.CovLossSynthesizer(BINARY, epsilon=1, delta=0)
        with pytest.raises(TableChangedError, match="has changed since it was checked"):
            synth.fit(cf.Batches(changing(table, changed, at), keep=0))
        assert len(synth.ledger_.fits) == 1  # charged, and written down
        with pytest.raises(cf.NotFittedError):
            synth.sample()


def test_one_bit_that_changes_is_noticed_in_a_wide_table() -> None:
    wide = cf.Schema.from_domain({f"b{j}": 2 for j in range(60)})
    table = np.zeros((20, len(wide)), dtype=np.uint8)
    for j in range(len(wide)):
        changed = table.copy()
        changed[3, j] = 1  # in no set of several bits
        opened = cf.Batches(changing(table, changed, 1), keep=0).open(wide, 1)
        with pytest.raises(TableChangedError):
            opened.ask(PairCounts(), 1)


def test_a_source_that_fails_midway_is_charged_and_leaves_nothing(tmp_path: Path) -> None:
    table, readings = records(BINARY), 0

    def source() -> Iterator[NDArray[Any]]:
        nonlocal readings
        readings += 1
        yield table
        if readings == 3:
            raise OSError("the disk is gone")

    synth = cf.CovLossSynthesizer(BINARY, epsilon=1, delta=0)
    with pytest.raises(OSError, match="the disk is gone"):
        synth.fit(cf.Batches(source, keep=0))
    assert len(synth.ledger_.fits) == 1
    readings = 0
    assert synth.fit(cf.Batches(source, keep=0, spill=tmp_path)).ledger_.epsilon > 1.9
    assert readings == 1
    assert not list(tmp_path.iterdir())


def test_a_temporary_file_is_closed_with_the_fit(tmp_path: Path) -> None:
    if not Path("/proc/self/fd").exists():
        pytest.skip("this system does not list open files")

    def open_files() -> list[str]:
        found = []
        for each in Path("/proc/self/fd").iterdir():
            with warnings.catch_warnings():
                try:
                    found.append(os.readlink(each))
                except OSError:
                    continue
        return [name for name in found if name.startswith(str(tmp_path))]

    opened = cf.Batches(batches_of(records(MIXED), 100), keep=0, spill=tmp_path).open(MIXED, 1)
    assert len(open_files()) == 1
    del opened
    gc.collect()
    assert not open_files()


def test_a_disk_that_is_full_is_noticed_before_anything_is_spent(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    table = records(MIXED)
    encoded = encode(table, MIXED, 1)
    whole = encoded.bits.to_words().nbytes + sum(each.nbytes for each in encoded.codes if each is not None)
    synth = cf.CovLossSynthesizer(MIXED, epsilon=1, delta=0)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    for lacking in (1, 100, whole // 2, whole):  # the first of them in the last, short write
        resource.setrlimit(resource.RLIMIT_FSIZE, (whole - lacking, limits[1]))
        try:
            with pytest.raises(OSError, match="too large"):
                synth.fit(cf.Batches(lambda: [table], keep=0, spill=tmp_path))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert not hasattr(synth, "ledger_")


def test_a_temporary_file_that_was_cut_is_no_table(tmp_path: Path) -> None:
    opened = cf.Batches(batches_of(records(MIXED), 100), keep=0, spill=tmp_path).open(MIXED, 1)
    assert opened._spilled is not None
    file = opened._spilled._file
    file.truncate(file.seek(0, os.SEEK_END) - 1)
    with pytest.raises(OSError, match="shorter than what was written"):
        opened.ask(PairCounts(), 1)


def test_answers_are_added() -> None:
    table = records(MIXED)
    whole, *halves = (InMemory(encode(part, MIXED, 1)) for part in (table, table[:100], table[100:]))
    for query in (ColumnCounts(), PairCounts()):
        parts = added(half.ask(query, 1) for half in halves)
        np.testing.assert_array_equal(parts, whole.ask(query, 1))
        assert parts.shape == query.shape(MIXED.layout)
    with pytest.raises(ValueError, match="at least one"):
        added([])
