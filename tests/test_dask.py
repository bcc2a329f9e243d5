"""Fits over a Dask cluster: the release of one table, bit for bit, also where a worker is lost or short of
memory.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import covloss_fast as cf

pytest.importorskip("distributed")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import dask
    import dask.array as da
    import dask.dataframe as dd
    import distributed
import pandas as pd

from covloss_fast import dask as tables
from covloss_fast.records.encoding import encode
from covloss_fast.records.queries import InMemory, PairCounts

pytestmark = pytest.mark.filterwarnings("default")  # those of Dask and what it uses are not ours

BINARY = cf.Schema.from_domain({f"b{i}": 2 for i in range(6)})
MIXED = cf.Schema.from_domain({"a": 2, "b": 5, "c": 3, "d": 300})
N = 5_000


def records(schema: cf.Schema) -> NDArray[np.int64]:
    generator = np.random.default_rng(0)
    first = generator.random(N)
    return np.column_stack(
        [((first + generator.random(N)) / 2 * size).astype(np.int64) for size in schema.sizes]
    )


def fitted(schema: cf.Schema, table: Any, **settings: Any) -> cf.CovLossSynthesizer:
    synth = cf.CovLossSynthesizer(schema, **{"epsilon": 1, "delta": 1e-6, "random_state": 5, **settings})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.NotPrivateWarning)
        return synth.fit(table)


def release(synth: cf.CovLossSynthesizer) -> list[Any]:
    return [synth.sample(as_="numpy").tolist(), synth.ledger_.to_json(), synth.certificate_]


@pytest.fixture(scope="module")
def cluster() -> Iterator[distributed.LocalCluster]:
    with (
        dask.config.set({"distributed.worker.memory.target": 0.01, "distributed.worker.memory.spill": 0.01}),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, memory_limit="1GB", dashboard_address=None
        ) as made,
        distributed.Client(made),
    ):
        yield made


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("schema", [BINARY, MIXED], ids=["binary", "mixed"])
def test_the_release_is_that_of_one_table(cluster: Any, schema: cf.Schema, keep: bool) -> None:
    codes = records(schema)
    expected = release(fitted(schema, codes))
    array = da.from_array(codes, chunks=(700, 3))
    frame = dd.from_pandas(pd.DataFrame(codes, columns=list(schema.names)), npartitions=20)
    for table in (array, frame):
        assert release(fitted(schema, tables.DaskTable(table, keep=keep))) == expected


def test_packed_records_are_moved_to_disk_where_memory_is_short(cluster: Any) -> None:
    codes = np.tile(records(MIXED), (100, 1))
    held = tables.DaskTable(da.from_array(codes, chunks=(50_000, 4))).open(MIXED, 1)

    def on_disk(dask_worker: Any) -> int:
        return len(dask_worker.data.slow)

    client = distributed.get_client()
    assert sum(client.run(on_disk).values()) > 0
    whole = InMemory(encode(codes, MIXED, 1))
    np.testing.assert_array_equal(held.ask(PairCounts(), 1), whole.ask(PairCounts(), 1))


def test_without_a_cluster() -> None:
    codes = records(BINARY)
    with dask.config.set(scheduler="threads"):
        found = fitted(
            BINARY, tables.DaskTable(da.from_array(codes, chunks=(900, 6))), method="paper", delta=0
        )
    assert release(found) == release(fitted(BINARY, codes, method="paper", delta=0))


@pytest.mark.parametrize("keep", [True, False])
def test_a_worker_that_is_lost_midway_changes_nothing(cluster: Any, keep: bool, tmp_path: Path) -> None:
    codes = records(BINARY)

    def part(rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The second partition takes its worker with it when it is read for the second time."""
        if (rows == codes[1_000:2_000]).all():
            reading = len(list(tmp_path.iterdir()))
            (tmp_path / str(reading)).touch()
            if reading == (0 if keep else 1):
                os._exit(1)
        return rows

    array = da.from_array(codes, chunks=(1_000, 6)).map_blocks(part, dtype=np.int64, meta=codes[:0])
    found = fitted(BINARY, tables.DaskTable(array, keep=keep))
    assert len(list(tmp_path.iterdir())) >= 2
    assert release(found) == release(fitted(BINARY, codes))
    assert len(found.ledger_.fits) == 1


def test_faults_are_named_and_cost_nothing(cluster: Any) -> None:
    codes = records(BINARY)
    codes[1_234, 2] = 7
    synth = cf.CovLossSynthesizer(BINARY, epsilon=1, delta=0)
    with pytest.raises(cf.EncodingError, match=r"^partition 1: column 'b2', row 234: a value that is not"):
        synth.fit(tables.DaskTable(da.from_array(codes, chunks=(1_000, 6))))
    other = dd.from_pandas(pd.DataFrame({"b0": [0, 1]}), npartitions=1)
    with pytest.raises(cf.EncodingError, match=r"^partition 0: the table has no column 'b1'"):
        synth.fit(tables.DaskTable(other))
    assert not hasattr(synth, "ledger_") or not synth.ledger_.fits
    ages = cf.CovLossSynthesizer(
        cf.Schema([cf.Numeric("age", 0, 9, bins=2, integer=True)]), epsilon=1, delta=0
    )
    halves = dd.from_pandas(pd.DataFrame({"age": [1.0, 2.0, 3.0, 2.5]}), npartitions=2)
    with pytest.raises(
        cf.EncodingError, match=r"^partition 1: column 'age', row 1: a number that is not whole"
    ):
        ages.fit(tables.DaskTable(halves))
    with pytest.raises(TypeError, match="expected a Dask DataFrame or array, got ndarray"):
        tables.DaskTable(codes)
    with pytest.raises(ValueError, match="two dimensions"):
        tables.DaskTable(da.zeros(5))


def test_a_table_that_changes_between_passes_is_noticed(cluster: Any, tmp_path: Path) -> None:
    codes = records(BINARY)

    def part(rows: NDArray[np.int64]) -> NDArray[np.int64]:
        if (rows == codes[:1_000]).all():
            (tmp_path / str(len(list(tmp_path.iterdir())))).touch()
            return rows[: len(rows) - (len(list(tmp_path.iterdir())) > 1)]
        return rows

    array = da.from_array(codes, chunks=(1_000, 6)).map_blocks(part, dtype=np.int64, meta=codes[:0])
    synth = cf.CovLossSynthesizer(BINARY, epsilon=1, delta=0)
    with pytest.raises(cf.TableChangedError, match="5,000 records then, 4,999 now"):
        synth.fit(tables.DaskTable(array, keep=False))
    assert len(synth.ledger_.fits) == 1


@pytest.mark.parametrize("n", [None, 0, 1, 10_000])
def test_files_hold_the_table_of_sample(cluster: Any, tmp_path: Path, n: int | None) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    synth = fitted(MIXED, records(MIXED))
    tables.sample_to_parquet(synth, n, tmp_path / "out", part_rows=3_000, random_state=4)
    expected = synth.sample(n, random_state=4, as_="pyarrow")
    files = sorted((tmp_path / "out").iterdir())
    assert len(files) == max(1, -(-expected.num_rows // 3_000))
    assert parquet.read_table(tmp_path / "out").equals(expected)
    with pytest.raises(FileExistsError, match="exists already"):
        tables.sample_to_parquet(synth, n, tmp_path / "out")
    assert [each.name for each in tmp_path.iterdir()] == ["out"]
    (tmp_path / ".more.parts").mkdir()
    with pytest.raises(FileExistsError, match="left by a run that was killed; remove it first"):
        tables.sample_to_parquet(synth, 1, tmp_path / "more")


def test_nothing_half_written_is_left(cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synth = fitted(BINARY, records(BINARY))

    def fail(self: Any, first: int, stop: int) -> Any:
        raise OSError("the disk is full")

    monkeypatch.setattr("covloss_fast.synthesizer.Sampler.table", fail)
    with dask.config.set(scheduler="threads"), pytest.raises(OSError, match="the disk is full"):
        tables.sample_to_parquet(synth, 100, tmp_path / "out")
    monkeypatch.undo()
    monkeypatch.setattr("covloss_fast.partitioned.PartitionedSample.write", lambda self, number: None)
    with dask.config.set(scheduler="threads"), pytest.raises(RuntimeError, match="0 of 1 parts are in"):
        tables.sample_to_parquet(synth, 100, tmp_path / "out")
    assert not list(tmp_path.iterdir())
