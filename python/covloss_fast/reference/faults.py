"""Faults of privacy, one at a time: the negative controls of an audit, which must catch each of them.

Each is something that has gone wrong in programs of this kind: noise that is smaller than the ledger says, a
block that is left out because it is empty, a block that depends on the other records. (A wrong neighbouring
relation needs no code: fit for one relation, audit for the other.)
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from covloss_fast._core.bits import column_counts
from covloss_fast.privacy.mechanisms import Mechanism
from covloss_fast.records.grid import NearestRows
from covloss_fast.records.partition import NearestPoint, Pinning, RandomSigns
from covloss_fast.reference.transcripts import Answer, honest

Int64Array: TypeAlias = NDArray[np.int64]

_OF_BLOCKS = ("counts of", "counts and sums of", "damped means of")


def less_noise(divisor: int) -> Answer:
    """Return a door whose noise is smaller than its ledger says: the standard deviation by `divisor`."""

    def answer(mechanism: Mechanism, exact: Int64Array) -> Int64Array:
        entry = mechanism.entry
        smaller = entry.scale / divisor ** (1 if entry.distribution == "discrete Laplace" else 2)
        weak = copy(mechanism)
        weak._entry = replace(entry, scale=smaller)
        released: Int64Array = honest(weak, exact)
        return released

    return answer


def occupied_blocks(mechanism: Mechanism, exact: Int64Array) -> NDArray[np.bool_]:
    """Ask only of blocks that hold a record: the others are left out of the release."""
    if not mechanism.entry.query.startswith(_OF_BLOCKS):
        return np.ones(exact.shape, dtype=np.bool_)
    rows = exact.reshape(len(exact), -1)
    return np.broadcast_to(rows.any(axis=1, keepdims=True), rows.shape).reshape(exact.shape)


@contextmanager
def batch_dependent_blocks() -> Iterator[None]:
    """Shift the block of every record by what the others are: by the ones in all columns, numbered."""

    def shifted(own: Any) -> Any:
        def labels(self: Any, bits: Any, n_threads: int | None = None) -> Any:
            ones = column_counts(bits, 1)
            return (own(self, bits, n_threads) + int(ones @ np.arange(1, len(ones) + 1))) % self.n_blocks

        return labels

    def shifted_of_rows(self: NearestRows, rows: Any, n_threads: int) -> Any:
        return (of_rows(self, rows, n_threads) + int((rows.values[:, 0] > 0).sum())) % self.n_blocks

    of_rows = NearestRows.labels
    owns: list[tuple[Any, Any]] = [(each, each.labels) for each in (NearestPoint, Pinning, RandomSigns)]
    for partition, own in owns:
        partition.labels = shifted(own)
    NearestRows.labels = shifted_of_rows  # type: ignore[method-assign]
    try:
        yield
    finally:
        for partition, own in [*owns, (NearestRows, of_rows)]:
            partition.labels = own
