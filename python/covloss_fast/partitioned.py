"""Synthetic records in many files, written by one process or by the machines of a cluster.

Row i is a function of the release, of a key and of i: whoever writes a part, its rows are those of one table.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from covloss_fast.estimator import check_integer
from covloss_fast.records.tables import write_atomic
from covloss_fast.synthesizer import CovLossSynthesizer

__all__ = ["PartitionedSample"]

#: Rows of a file; a multiple of the rows that are drawn at a time.
_PART_ROWS = 2**20


class PartitionedSample:
    """Synthetic records to be written to a folder of Parquet files, part by part and in any order.

    It may be sent to other processes: all must see the folder under the same path.

    Parameters
    ----------
    synthesizer : CovLossSynthesizer
        A fitted one.
    n : int or None
        Number of records, as for ``sample``.
    folder : path
        What to write; it must not exist.
    part_rows : int
        Rows of each file. The records do not depend on it.
    random_state : int, optional
        With the same number the files, one after the other, are the table of ``sample``.
    """

    def __init__(
        self,
        synthesizer: CovLossSynthesizer,
        n: int | None,
        folder: str | os.PathLike[str],
        *,
        part_rows: int = _PART_ROWS,
        random_state: int | None = None,
    ) -> None:
        self._part_rows = check_integer("part_rows", part_rows, 1, 2**40)
        self._folder = Path(folder).absolute()  # workers may be elsewhere
        if self._folder.exists():
            raise FileExistsError(f"{self._folder}: exists already")
        self._sampler = synthesizer.sampler(n, random_state=random_state, as_="pyarrow")

    @property
    def n_parts(self) -> int:
        """Number of files; one without rows if there are no records."""
        return max(1, -(-self._sampler.n_rows // self._part_rows))

    @contextmanager
    def written(self) -> Iterator[None]:
        """Let all parts be written inside: the folder takes its name then, or is gone after an error."""
        if self._waiting.exists():
            raise FileExistsError(f"{self._waiting}: left by a run that was killed; remove it first")
        self._waiting.mkdir(parents=True)
        try:
            yield
            written = len(list(self._waiting.glob("part-*.parquet")))
            if written != self.n_parts:
                raise RuntimeError(
                    f"{written:,} of {self.n_parts:,} parts are in {self._waiting}: all who write must see "
                    "this folder under the same path"
                )
            for half in self._waiting.glob(".*.tmp"):  # of a writer that was killed
                half.unlink()
            os.replace(self._waiting, self._folder)
        finally:
            shutil.rmtree(self._waiting, ignore_errors=True)

    def write(self, number: int) -> None:
        """Write one part; it may be written again."""
        first = number * self._part_rows
        stop = min(first + self._part_rows, self._sampler.n_rows)
        digits = max(5, len(str(self.n_parts - 1)))  # by name they are in order
        write_atomic(self._waiting / f"part-{number:0{digits}d}.parquet", self._sampler.table(first, stop))

    @property
    def _waiting(self) -> Path:
        return self._folder.with_name(f".{self._folder.name}.parts")
