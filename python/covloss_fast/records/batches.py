"""Tables that are longer than memory: read batch by batch, again for each thing that is asked of them.

The first pass checks every record. Packed records are kept between the passes while they are few; beyond that
the table is read again, or what was packed is read from a temporary file.
"""

from __future__ import annotations

import tempfile
import weakref
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covloss_fast._core.bits import BitMatrix
from covloss_fast.records.encoding import (
    EncodedTable,
    EncodingError,
    code_dtype,
    concatenate,
    encode,
)
from covloss_fast.records.queries import InMemory, Query, Records, Source, Witnessed, added
from covloss_fast.records.tables import Kind, is_read_in_parts, read_batches
from covloss_fast.schema import Schema

__all__ = ["Batches", "Reread", "open_records"]

#: Records that are put together from small batches before anything is asked of them.
_PART_RECORDS = 2**18
#: Bytes of packed records that are held unless told otherwise.
KEEP = 2**28


class Batches(Source):
    """A table that is read in batches, several times: ``fit`` takes it in place of a table.

    Parameters
    ----------
    source : callable, path or pyarrow.dataset.Dataset
        A function that returns a fresh iterator of tables each time, of any kind and of any number of
        records; or the path of a CSV file, a Parquet file or a folder of them; or a dataset, of which the
        declared columns alone are read. Each time it must give the same records, in any order.
    keep : int
        Bytes of packed records, one bit or a small code for each value, that are held between the passes. A
        table that needs more is read again in each pass.
    spill : path, optional
        A folder: packed records that are not held are written to a temporary file in it, and the table is
        read once. The file holds the private records; it is removed with the fit, and where the system allows
        it has no name at all.

    Notes
    -----
    Memory grows with the length of a batch and with `keep`, not with the number of records. The release is
    the same, bit for bit, as that of a fit to one table, whatever the batches.

    Examples
    --------
    >>> import numpy as np
    >>> import covloss_fast as cf
    >>> schema = cf.Schema.from_domain({"smokes": 2, "region": 5})
    >>> def batches():
    ...     for number in range(3):
    ...         yield np.random.default_rng(number).integers(0, (2, 5), (1000, 2))
    >>> synth = cf.CovLossSynthesizer(schema, epsilon=1, delta=1e-9)
    >>> synth.fit(cf.Batches(batches, keep=0)).sample(4).num_rows
    4

    What ``fit`` asks of it:

    >>> source = cf.Batches(batches, keep=10**6)
    >>> sum(part.n_records for part in source.parts(schema, 1))
    3000
    >>> source.open(schema, 1).n_records, len(list(source.encoded(schema, 1)))
    (3000, 3)
    """

    def __init__(self, source: Any, *, keep: int = KEEP, spill: str | Path | None = None) -> None:
        if not callable(source) and not is_read_in_parts(source):
            raise TypeError(
                "a source of batches must be a function that returns a fresh iterator of tables, a path or a "
                f"pyarrow dataset, got {type(source).__name__}"
            )
        if isinstance(keep, bool) or not isinstance(keep, int | np.integer) or keep < 0:
            raise ValueError(f"keep must be an integer of at least 0, got {keep!r}")
        self._source, self._keep, self._spill = source, int(keep), spill

    def open(self, schema: Schema, n_threads: int) -> Reread:
        """Read all records once and check them.

        Raises
        ------
        EncodingError
            For the first batch with a record that does not fit; later ones are not read.
        """
        return Reread(self, schema, n_threads)

    def parts(self, schema: Schema, n_threads: int) -> Iterator[EncodedTable]:
        """Read the table; small batches are put together. At least one part, which may be empty."""
        waiting: list[EncodedTable] = []
        n_waiting = n_parts = 0
        for _, batch in self.encoded(schema, n_threads):
            waiting.append(batch)
            n_waiting += batch.n_records
            if n_waiting >= _PART_RECORDS:
                yield concatenate(waiting)
                waiting, n_waiting, n_parts = [], 0, n_parts + 1
        if waiting and (n_waiting or not n_parts):
            yield concatenate(waiting)

    def encoded(self, schema: Schema, n_threads: int) -> Iterator[tuple[Any, EncodedTable]]:
        """Read the table, batch by batch as it comes: each, and its records."""
        if is_read_in_parts(self._source):
            for batch, columns in read_batches(self._source, schema.columns):
                yield batch, encode(columns, schema, n_threads)
            return
        number, n = -1, 0
        for number, batch in enumerate(_iterated(self._source())):
            try:
                records = encode(batch, schema, n_threads)
            except EncodingError as error:
                row = None if error.row is None else n + error.row
                raise EncodingError(f"batch {number}: {error}", error.column, row) from None
            n += records.n_records
            yield batch, records
        if number < 0:
            raise EncodingError("the source of batches gave no batch")

    def _keeps(self, n_bytes: int) -> bool:
        """Whether so many bytes of packed records may be held."""
        return n_bytes <= self._keep

    def _spilled(self) -> _Spilled | None:
        """A place on disk for what is not held, if there is to be one."""
        return None if self._spill is None else _Spilled(self._spill)


def open_records(table: Any, schema: Schema, n_threads: int) -> tuple[Records, Kind]:
    """Validate and encode a table of any kind; nothing is released.

    Returns
    -------
    records : Records
    kind : {"pandas", "polars", "pyarrow", "dict", "numpy"}
        The kind of container it came in.
    """
    if isinstance(table, Records) and table.schema == schema:
        return table, "pyarrow"
    if callable(table) or is_read_in_parts(table):
        table = Batches(table)
    if isinstance(table, Source):
        return table.open(schema, n_threads), "pyarrow"
    encoded = encode(table, schema, n_threads)
    return InMemory(encoded), encoded.kind


class Reread(Witnessed):
    """Records that were read once and are read again: from memory, from a file or from their source."""

    def __init__(self, batches: Batches, schema: Schema, n_threads: int) -> None:
        self._batches = batches
        self._held: list[EncodedTable] | None = []
        self._spilled = batches._spilled()
        self._is_read = False
        super().__init__(schema, n_threads)
        self._is_read = True

    def total(self, query: Query, n_threads: int) -> NDArray[np.int64]:
        """The sum over all records as they are read now."""
        return added(query.of(part, n_threads) for part in self.parts(n_threads))

    def parts(self, n_threads: int) -> Iterator[EncodedTable]:
        """Read the table once more, from where it is held."""
        if not self._is_read:
            return self._keeping(self._batches.parts(self.schema, n_threads))
        if self._held is not None:
            return iter(self._held)
        if self._spilled is not None:
            return self._spilled.parts(self.schema)
        return self._batches.parts(self.schema, n_threads)

    def _keeping(self, parts: Iterator[EncodedTable]) -> Iterator[EncodedTable]:
        n_bytes = 0
        for part in parts:
            yield part
            n_bytes += part.nbytes
            new = [part]
            if self._held is not None:
                self._held.append(part)
                if self._batches._keeps(n_bytes):
                    continue
                new, self._held = self._held, None
            if self._spilled is not None:
                self._spilled.extend(new)


class _Spilled:
    """Packed records in a temporary file."""

    def __init__(self, folder: str | Path) -> None:
        self._file: Any = tempfile.TemporaryFile(  # noqa: SIM115  (closed when this is collected)
            prefix="covloss_fast", dir=folder, buffering=0
        )
        weakref.finalize(self, self._file.close)
        self._n_records: list[int] = []

    def extend(self, parts: Iterable[EncodedTable]) -> None:
        """Write more parts."""
        for part in parts:
            for values in (part.bits.to_words(), *part.codes):
                if values is not None:
                    self._write(values)
            self._n_records.append(part.n_records)

    def parts(self, schema: Schema) -> Iterator[EncodedTable]:
        """Read what was written."""
        self._file.seek(0)
        for n in self._n_records:
            n_bits = schema.layout.n_bits
            bits = BitMatrix.from_words(self._read(np.uint64, BitMatrix.n_words(n, n_bits)), n, n_bits)
            codes = tuple(None if size == 2 else self._read(code_dtype(size), n) for size in schema.sizes)
            yield EncodedTable(schema, n, "pyarrow", bits, codes)

    # By hand: numpy's `tofile` is silent where the disk is full at the end, and `fromfile` where a file is.

    def _write(self, values: NDArray[Any]) -> None:
        left = values.reshape(-1).view(np.uint8)
        while left.size:
            left = left[self._file.write(left.data) :]

    def _read(self, dtype: Any, n: int) -> NDArray[Any]:
        values = np.empty(n, dtype)
        left = values.view(np.uint8)
        while left.size:
            n_bytes = self._file.readinto(left.data)
            if not n_bytes:
                raise OSError("the temporary file of packed records is shorter than what was written")
            left = left[n_bytes:]
        return values


def answer_of(batches: Iterator[Any], schema: Schema, query: Query) -> NDArray[np.int64] | None:
    """The answer of a part of a table that comes in batches; None if it has no batch."""
    first = next(batches, None)
    if first is None:
        return None
    return added(query.of(part, 1) for part in Batches(lambda: chain([first], batches)).parts(schema, 1))


def _iterated(batches: Any) -> Iterator[Any]:
    if not isinstance(batches, Iterator | list | tuple):
        raise TypeError(
            "a source of batches must return an iterator of tables, or a list of them, "
            f"got {type(batches).__name__}"
        )
    return iter(batches)
