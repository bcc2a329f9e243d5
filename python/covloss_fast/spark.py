"""Tables of Spark: a fit maps its questions over Arrow batches (``mapInArrow``) and adds the answers.

Noise is drawn once, on the driver; executors see the records that they hold and send exact counts. They need
this library installed, at the driver's version.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyspark import TaskContext

from covloss_fast.partitioned import PartitionedSample
from covloss_fast.records.batches import answer_of
from covloss_fast.records.encoding import EncodingError
from covloss_fast.records.queries import Query, Records, Source, Witnessed, added
from covloss_fast.schema import Schema
from covloss_fast.synthesizer import CovLossSynthesizer

__all__ = ["SparkTable", "sample_to_parquet"]

_COLUMNS = "answer binary, fault string, column string"
#: Answers that the driver adds; more are added by so many tasks first.
_MOST_ANSWERS, _ADDING_TASKS = 64, 8


class SparkTable(Source):
    """A Spark DataFrame: ``fit`` takes it in place of a table.

    It is computed anew for each question: call its ``persist()`` first if that takes long.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
        Its columns are the attributes.

    Examples
    --------
    >>> synth.fit(covloss_fast.spark.SparkTable(spark.read.parquet("records")))  # doctest: +SKIP
    """

    def __init__(self, frame: Any) -> None:
        if not hasattr(frame, "mapInArrow"):
            raise TypeError(f"expected a Spark DataFrame, got {type(frame).__name__}")
        self.frame = frame

    def open(self, schema: Schema, n_threads: int) -> Records:
        """Check all records, on the executors.

        Raises
        ------
        EncodingError
            If one does not fit.
        """
        return _OfSpark(self.frame, schema, n_threads)


class _OfSpark(Witnessed):
    """Records that Spark holds."""

    def __init__(self, frame: Any, schema: Schema, n_threads: int) -> None:
        self._frame = frame
        super().__init__(schema, n_threads)

    def total(self, query: Query, n_threads: int) -> NDArray[np.int64]:
        """The sum over all records; each task takes one thread, as Spark would have it."""
        answers = self._frame.mapInArrow(partial(_answers, self.schema, query), _COLUMNS)
        if answers.rdd.getNumPartitions() > _MOST_ANSWERS:
            answers = answers.repartition(_ADDING_TASKS).mapInArrow(_sums, _COLUMNS)
        rows = answers.collect()
        faults = [row for row in rows if row.fault is not None]
        if faults:
            raise EncodingError(faults[0].fault, faults[0].column)
        zero = np.zeros(query.shape(self.schema.layout), dtype=np.int64).ravel()
        return added([zero, *(np.frombuffer(row.answer, dtype="<i8") for row in rows)])


def _answers(schema: Schema, query: Query, batches: Iterator[Any]) -> Iterator[Any]:
    """The answer of a partition; a fault is an answer too, since Spark would try a task that fails again."""
    try:
        found = answer_of(batches, schema, query)
    except EncodingError as error:
        yield _row(None, f"partition {TaskContext.get().partitionId()}: {error}", error.column)
        return
    if found is not None:
        yield _row(found.astype("<i8").tobytes())


def _sums(batches: Iterator[Any]) -> Iterator[Any]:
    found = None
    for row in (row for batch in batches for row in batch.to_pylist()):
        if row["fault"] is not None:
            yield _row(None, row["fault"], row["column"])
            return
        answer = np.frombuffer(row["answer"], dtype="<i8")
        found = answer if found is None else found + answer
    if found is not None:
        yield _row(found.tobytes())


def _row(answer: bytes | None, fault: str | None = None, column: str | None = None) -> Any:
    return pa.RecordBatch.from_pydict(
        {
            "answer": pa.array([answer], pa.binary()),
            "fault": pa.array([fault], pa.string()),
            "column": pa.array([column], pa.string()),
        }
    )


def sample_to_parquet(
    session: Any,
    synthesizer: CovLossSynthesizer,
    n: int | None,
    folder: str | os.PathLike[str],
    *,
    part_rows: int = 2**20,
    random_state: int | None = None,
) -> None:
    """Write synthetic records to a folder of Parquet files, each written by a task of Spark's.

    Parameters
    ----------
    session : pyspark.sql.SparkSession
        Where the tasks run.
    synthesizer : CovLossSynthesizer
        A fitted one.
    n : int or None
        Number of records, as for ``sample``.
    folder : path
        What to write; it must not exist, and driver and executors must see it under this path.
    part_rows : int
        Rows of each file. The records do not depend on it.
    random_state : int, optional
        With the same number the files, one after the other, are the table of ``sample``.
    """
    sample = PartitionedSample(synthesizer, n, folder, part_rows=part_rows, random_state=random_state)
    with sample.written():
        numbers = session.range(0, sample.n_parts, 1, sample.n_parts)
        numbers.mapInArrow(partial(_written, sample), "id long").collect()


def _written(sample: PartitionedSample, batches: Iterator[Any]) -> Iterator[Any]:
    for batch in batches:
        for number in batch.column(0).to_pylist():
            sample.write(number)
        yield batch
