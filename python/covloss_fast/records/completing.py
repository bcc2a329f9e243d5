"""Blocks that hold enough present values of every attribute: the strictest reading of missing values.

A block of five records, four of them without an income, would release the fifth one's income as a mean.
In the strictest reading a missing value therefore counts for nothing: each block needs `min_block_size`
*present* values of every attribute. A block that has fewer is joined to the block of the same stratum whose
centre is nearest, until none is left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covloss_fast._core import microaggregation as _core
from covloss_fast.records.coordinates import Field, Rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["check_present", "complete_blocks"]


def check_present(fields: list[Field], strata: NDArray[np.int32], min_block_size: int) -> None:
    """Refuse a table in which no partition has enough present values.

    Raises
    ------
    ValueError
        That names the column, and the first record of the stratum.
    """
    for field in fields:
        if field.missing != "strictest":
            continue
        present = np.bincount(strata[~field.is_missing(field.read())], minlength=int(strata.max()) + 1)
        if present.min() < min_block_size:
            record = int((strata == present.argmin()).argmax())
            raise ValueError(
                f"column {field.name!r}: the stratum of record {record} has {present.min():,} values that "
                f"are not missing, fewer than min_block_size={min_block_size:,}"
            )


def complete_blocks(
    fields: list[Field],
    rows: Rows,
    labels: NDArray[np.int32],
    strata: NDArray[np.int32],
    weights: NDArray[np.float64] | None,
    min_block_size: int,
    n_threads: int,
) -> NDArray[np.int32]:
    """Join blocks until each has enough present values of every field that is read strictly.

    Parameters
    ----------
    fields : list of Field
        The columns.
    rows : Rows
        Coordinates.
    labels, strata : int32 arrays, shape (n,)
        Blocks, and strata that they do not cross.
    weights : float64 array, shape (n,), or None
        Weights of records in the centres.
    min_block_size : int
        Every stratum has so many present values (:func:`check_present`).
    n_threads : int
        Threads.

    Returns
    -------
    int32 array, shape (n,)
        Blocks, numbered by their first records.
    """
    absent = [field.is_missing(field.read()) for field in fields if field.missing == "strictest"]
    while True:
        n_blocks = int(labels.max()) + 1
        fewest = np.min([np.bincount(labels[~each], minlength=n_blocks) for each in absent], axis=0)
        short = np.flatnonzero(fewest < min_block_size)
        if len(short) == 0:
            return labels
        total = np.bincount(labels, weights=weights)
        columns = [
            np.bincount(labels, weights=column if weights is None else column * weights) / total
            for column in rows.columns()
        ]
        columns += [np.zeros(n_blocks)] * (-len(columns) % 4)  # the core takes no other rows
        centres = np.stack(columns, axis=1)
        stratum = np.empty(n_blocks, dtype=np.int32)
        stratum[labels] = strata
        joined = np.arange(n_blocks)
        for each in np.unique(stratum[short]).tolist():
            inside = np.flatnonzero(stratum == each)
            asking = short[stratum[short] == each]
            own = np.searchsorted(inside, asking).astype(np.int32)
            near, _ = _core.nearest_other(
                centres[asking], own, np.full(len(asking), np.inf), centres[inside], n_threads
            )
            for block, other in zip(asking.tolist(), inside[near].tolist()):
                _join(joined, block, other)
        roots = np.array([_root(joined, block) for block in range(n_blocks)])
        _, first, merged = np.unique(roots[labels], return_index=True, return_inverse=True)
        labels = np.argsort(np.argsort(first))[merged.reshape(-1)].astype(np.int32)


def _root(joined: NDArray[np.int64], block: int) -> int:
    """Return the first of the blocks that are joined to a block."""
    while joined[block] != block:
        joined[block] = joined[joined[block]]
        block = int(joined[block])
    return block


def _join(joined: NDArray[np.int64], one: int, other: int) -> None:
    one, other = _root(joined, one), _root(joined, other)
    joined[max(one, other)] = min(one, other)
