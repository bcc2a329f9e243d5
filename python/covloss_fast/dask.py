"""Tables of Dask: a fit maps its questions over the partitions and adds the answers, on any scheduler.

Noise is drawn once, where the fit runs; workers see the records that they hold and send exact counts.
"""

from __future__ import annotations

import os
from typing import Any

import dask
import numpy as np
from dask.delayed import Delayed, delayed
from numpy.typing import NDArray

from covloss_fast.partitioned import PartitionedSample
from covloss_fast.records.encoding import EncodedTable, EncodingError, encode
from covloss_fast.records.queries import Query, Records, Source, Witnessed, added
from covloss_fast.schema import Schema
from covloss_fast.synthesizer import CovLossSynthesizer

__all__ = ["DaskTable", "sample_to_parquet"]

#: Answers that one task adds.
_FAN_IN = 8


class DaskTable(Source):
    """A Dask DataFrame or array: ``fit`` takes it in place of a table.

    The scheduler is the one that Dask would use: that of the current ``distributed.Client``, if there is one.
    What a fit carries to the client is, for each question, n_bits^2 or n_blocks (n_bits + 1) integers.

    Parameters
    ----------
    table : dask.dataframe.DataFrame or dask.array.Array, shape (n, p)
        Rows may be cut anywhere; the columns of an array are brought together.
    keep : bool
        Whether workers hold the packed records, one bit or a small code for each value, from the first pass
        on; Dask moves them to disk where memory is short, and makes them again if a worker is lost. Otherwise
        the table is computed anew in each pass.

    Examples
    --------
    >>> import dask.array as da
    >>> import covloss_fast as cf
    >>> from covloss_fast.dask import DaskTable
    >>> schema = cf.Schema.from_domain({"smokes": 2, "retired": 2})
    >>> table = da.random.default_rng(0).integers(0, 2, (10_000, 2), chunks=(1_000, 2))
    >>> synth = cf.CovLossSynthesizer(schema, epsilon=1, delta=1e-9)
    >>> synth.fit(DaskTable(table)).sample(3).num_rows
    3
    """

    def __init__(self, table: Any, *, keep: bool = True) -> None:
        if hasattr(table, "to_delayed") and hasattr(table, "chunks"):
            if table.ndim != 2:
                raise ValueError(
                    f"an array must have two dimensions, records and attributes, got {table.ndim}"
                )
            partitions = table.rechunk({1: -1}).to_delayed().ravel().tolist()
        elif hasattr(table, "to_delayed"):
            partitions = table.to_delayed()
        else:
            raise TypeError(f"expected a Dask DataFrame or array, got {type(table).__name__}")
        self.partitions: list[Delayed] = partitions
        self.keep = keep

    def open(self, schema: Schema, n_threads: int) -> Records:
        """Check all records, on the workers.

        Raises
        ------
        EncodingError
            If one does not fit; the partition is named first.
        """
        return _OfDask(self, schema, n_threads)


class _OfDask(Witnessed):
    """Records that Dask holds."""

    def __init__(self, table: DaskTable, schema: Schema, n_threads: int) -> None:
        of_schema = delayed(schema, traverse=False)
        self._parts = [delayed(_encoded)(part, of_schema, i) for i, part in enumerate(table.partitions)]
        if table.keep:
            self._parts = list(dask.persist(*self._parts))
        super().__init__(schema, n_threads)

    def total(self, query: Query, n_threads: int) -> NDArray[np.int64]:
        """The sum over all records; each task takes one thread, as Dask would have it."""
        asked = delayed(query, traverse=False)
        answers = [delayed(_answer)(asked, part) for part in self._parts]
        while len(answers) > 1:
            answers = [delayed(added)(answers[i : i + _FAN_IN]) for i in range(0, len(answers), _FAN_IN)]
        (found,) = dask.compute(answers[0])
        return np.asarray(found)


def _encoded(part: Any, schema: Schema, number: int) -> EncodedTable:
    try:
        return encode(part, schema, 1)
    except EncodingError as error:
        raise EncodingError(f"partition {number}: {error}", error.column, error.row) from None


def _answer(query: Query, part: EncodedTable) -> NDArray[np.int64]:
    return query.of(part, 1)


def _write(sample: PartitionedSample, number: int) -> None:
    sample.write(number)


def sample_to_parquet(
    synthesizer: CovLossSynthesizer,
    n: int | None,
    folder: str | os.PathLike[str],
    *,
    part_rows: int = 2**20,
    random_state: int | None = None,
) -> None:
    """Write synthetic records to a folder of Parquet files, each written by a task of Dask's.

    Parameters
    ----------
    synthesizer : CovLossSynthesizer
        A fitted one.
    n : int or None
        Number of records, as for ``sample``.
    folder : path
        What to write; it must not exist, and all workers must see it under this path.
    part_rows : int
        Rows of each file. The records do not depend on it.
    random_state : int, optional
        With the same number the files, one after the other, are the table of ``sample``.
    """
    sample = PartitionedSample(synthesizer, n, folder, part_rows=part_rows, random_state=random_state)
    with sample.written():
        sent = delayed(sample, traverse=False)
        dask.compute([delayed(_write)(sent, number) for number in range(sample.n_parts)])
