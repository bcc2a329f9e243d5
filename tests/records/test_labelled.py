"""Blocks of tables that are read in batches: sizes, labels whatever the batches, loss within the bound."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import covloss_fast as cf
from covloss_fast.records.encoding import encode

pa = pytest.importorskip("pyarrow")

SCHEMA = cf.Schema.from_domain({**{f"b{j}": 2 for j in range(12)}, "c": 4, "d": 7})
N = 4_001


def records(n: int = N) -> NDArray[np.int64]:
    generator = np.random.default_rng(0)
    common = generator.random((n, 1))
    return ((common + generator.random((n, len(SCHEMA)))) / 2 * SCHEMA.sizes).astype(np.int64)


def labels_of(batches: Any) -> NDArray[np.int32]:
    return np.concatenate([np.asarray(batch["block"]) for batch in batches])


def cut(table: NDArray[Any], size: int) -> Any:
    return lambda: (table[i : i + size] for i in range(0, len(table), size))


@pytest.mark.parametrize("n_blocks", [1, 2, 17, 64, 1_000, N])
def test_blocks_are_equal_and_do_not_depend_on_batches(n_blocks: int, n_threads: int) -> None:
    table = records()
    agg = cf.Microaggregator(n_blocks=n_blocks, schema=SCHEMA, n_threads=n_threads)
    labelled = agg.label_batches(lambda: [table])
    labels = labels_of(labelled)
    sizes = np.bincount(labels, minlength=n_blocks)
    np.testing.assert_array_equal(sizes, labelled.block_sizes)
    assert sizes.max() - sizes.min() <= 1
    for size in (1_000, 64) if n_blocks < N else (700,):
        np.testing.assert_array_equal(
            labels_of(agg.label_batches(cf.Batches(cut(table, size), keep=0))), labels
        )
    statistics = labelled.statistics()
    np.testing.assert_array_equal(statistics.counts, sizes)
    bits = encode(table, SCHEMA, 1).bits.to_array().astype(np.int64)
    np.testing.assert_array_equal(statistics.sums[labels[0]], bits[labels == labels[0]].sum(axis=0))


@pytest.mark.parametrize("n_blocks", [4, 50, 500])
def test_what_is_lost_is_within_the_bound(n_blocks: int) -> None:
    table = records()
    labelled = cf.Microaggregator(n_blocks=n_blocks, schema=SCHEMA).label_batches(cut(table, 500))
    labels = labels_of(labelled)
    widths = np.repeat(SCHEMA.layout.sizes, np.diff(SCHEMA.layout.offsets))
    rows = encode(table, SCHEMA, 1).bits.to_array() * np.where(widths == 2, 1.0, np.sqrt(0.5))

    def loss_of(blocks: NDArray[np.int32]) -> float:
        sums = np.stack([np.bincount(blocks, column) for column in rows.T], axis=1)
        within = rows - (sums / labelled.block_sizes[:, None])[blocks]
        return float(np.linalg.norm(within.T @ within / N))

    assert loss_of(labels) <= labelled.bound
    assert loss_of(labels) < 0.97 * loss_of(np.random.default_rng(0).permutation(labels))


def test_batches_come_back_with_their_columns(tmp_path: Path) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    codes = records(600)
    columns = {name: codes[:, j] for j, name in enumerate(SCHEMA.names)}
    agg = cf.Microaggregator(n_blocks=10, schema=SCHEMA)
    expected = labels_of(agg.label_batches(lambda: [codes]))
    pandas.DataFrame(columns).to_csv(tmp_path / "t.csv", index=False)
    kinds = [columns, pandas.DataFrame(columns), polars.DataFrame(columns), pa.table(columns)]
    for source in [*(lambda each=each: [each] for each in kinds), tmp_path / "t.csv"]:
        (batch,) = agg.label_batches(source, column="cell")
        assert batch.column_names == [*SCHEMA.names, "cell"]
        np.testing.assert_array_equal(np.asarray(batch["cell"]), expected)
        assert [int(value) for value in batch["c"].to_pylist()] == codes[:, 12].tolist()


def test_what_needs_the_whole_table_is_refused() -> None:
    table = records(50)
    numbers = cf.Schema([cf.Binary("a"), cf.Numeric("x", 0, 10, 5)])
    for settings, message in (
        ({"min_block_size": 5, "schema": SCHEMA}, "min_block_size needs the whole table"),
        ({"n_blocks": 5}, "need n_blocks and a schema"),
        ({"n_blocks": 5, "schema": SCHEMA, "partition": "lattice"}, "are of nearest points"),
        ({"n_blocks": 5, "schema": SCHEMA, "missing": "strictest"}, "needs the whole table"),
        ({"n_blocks": 5, "schema": numbers}, "'x' holds numbers"),
        ({"n_blocks": 51, "schema": SCHEMA}, "from 1 to the number of records, 50, got 51"),
        ({"n_blocks": 0, "schema": SCHEMA}, "n_blocks must be an integer"),
    ):
        with pytest.raises(ValueError, match=message):
            cf.Microaggregator(**settings).label_batches(lambda: [table])
    with pytest.raises(ValueError, match="a column 'c' already"):
        cf.Microaggregator(n_blocks=5, schema=SCHEMA).label_batches(lambda: [table], column="c")


def test_a_table_that_changes_is_noticed() -> None:
    table, other = records(500), records(500)
    other[100:300] = 0
    readings = 0

    def source() -> Iterator[NDArray[Any]]:
        nonlocal readings
        readings += 1
        yield table if readings < 5 else other

    labelled = cf.Microaggregator(n_blocks=50, schema=SCHEMA).label_batches(cf.Batches(source, keep=0))
    with pytest.raises(cf.TableChangedError, match="changed since its records were counted"):
        list(labelled)
    with pytest.raises(cf.TableChangedError):
        labelled.statistics()
