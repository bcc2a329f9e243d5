"""Fits over Spark: the release of one table, bit for bit."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import covloss_fast as cf

sql = pytest.importorskip("pyspark.sql")

from covloss_fast import spark as tables  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default")  # those of Spark and what it uses are not ours

BINARY = cf.Schema.from_domain({f"b{i}": 2 for i in range(6)})
MIXED = cf.Schema.from_domain({"a": 2, "b": 5, "c": 3, "d": 300})
N = 5_000


def records(schema: cf.Schema) -> NDArray[np.int64]:
    generator = np.random.default_rng(0)
    first = generator.random(N)
    return np.column_stack(
        [((first + generator.random(N)) / 2 * size).astype(np.int64) for size in schema.sizes]
    )


def fitted(schema: cf.Schema, table: Any) -> cf.CovLossSynthesizer:
    synth = cf.CovLossSynthesizer(schema, epsilon=1, delta=1e-6, random_state=5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.NotPrivateWarning)
        return synth.fit(table)


def release(synth: cf.CovLossSynthesizer) -> list[Any]:
    return [synth.sample(as_="numpy").tolist(), synth.ledger_.to_json(), synth.certificate_]


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        settings = {
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
            "spark.sql.shuffle.partitions": "4",
            "spark.sql.execution.arrow.maxRecordsPerBatch": "600",
        }
        try:
            made = sql.SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()
        except Exception as error:  # no Java here
            pytest.skip(f"Spark does not start: {type(error).__name__}")
        yield made
        made.stop()


def frame_of(session: Any, codes: NDArray[np.int64], schema: cf.Schema, folder: Path) -> Any:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet

    table = pa.table({name: codes[:, j].astype(np.int32) for j, name in enumerate(schema.names)})
    pyarrow.parquet.write_table(table, folder / "t.parquet", row_group_size=1_000)
    return session.read.parquet(str(folder / "t.parquet"))


@pytest.mark.parametrize("schema", [BINARY, MIXED], ids=["binary", "mixed"])
def test_the_release_is_that_of_one_table(
    session: Any, schema: cf.Schema, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes = records(schema)
    expected = release(fitted(schema, codes))
    frame = frame_of(session, codes, schema, tmp_path)
    assert release(fitted(schema, tables.SparkTable(frame))) == expected
    monkeypatch.setattr(tables, "_MOST_ANSWERS", 2)  # and partitions without a record
    few = frame.limit(N).repartition(3).filter(f"{schema.names[0]} >= 0")
    assert release(fitted(schema, tables.SparkTable(few))) == expected


def test_faults_are_named_and_cost_nothing(session: Any, tmp_path: Path) -> None:
    codes = records(BINARY)
    codes[1_234, 2] = 7
    synth = cf.CovLossSynthesizer(BINARY, epsilon=1, delta=0)
    with pytest.raises(cf.EncodingError, match=r"^partition \d: batch 2: column 'b2', row 34: ") as info:
        synth.fit(tables.SparkTable(frame_of(session, codes, BINARY, tmp_path)))
    assert info.value.column == "b2"
    with pytest.raises(cf.EncodingError, match="the table has no column 'b0'"):
        synth.fit(tables.SparkTable(session.range(5)))
    assert not hasattr(synth, "ledger_") or not synth.ledger_.fits
    ages = cf.CovLossSynthesizer(
        cf.Schema([cf.Numeric("age", 0, 9, bins=2, integer=True)]), epsilon=1, delta=0
    )
    with pytest.raises(cf.EncodingError, match="column 'age', row 0: a number that is not whole"):
        ages.fit(tables.SparkTable(session.sql("select 2.5D as age")))
    with pytest.raises(TypeError, match="expected a Spark DataFrame, got ndarray"):
        tables.SparkTable(codes)


def test_files_hold_the_table_of_sample(session: Any, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    synth = fitted(MIXED, records(MIXED))
    tables.sample_to_parquet(session, synth, 10_000, tmp_path / "out", part_rows=3_000, random_state=4)
    assert len(list((tmp_path / "out").iterdir())) == 4
    assert parquet.read_table(tmp_path / "out").equals(synth.sample(10_000, random_state=4, as_="pyarrow"))
    assert [each.name for each in tmp_path.iterdir()] == ["out"]
