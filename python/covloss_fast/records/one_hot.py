"""One-hot columns as one column of levels, and back.

A table that holds an attribute as several columns is read as if it had one column with the attribute's name,
whose values are the names of its columns: so everything that is done with columns of levels is done with
these as well. A record in which not exactly one column is set has no such value; it gets one that says so,
and that no rule takes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from covloss_fast.records.tables import Column, Columns, Factored
from covloss_fast.schema import Binary, OneHot, Schema

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["NoLevel", "joined", "split"]

#: Reads one column by the rule of an attribute: writes codes, and returns the first faulty record and why.
ReadColumn = Callable[[Column, Binary, bool, "NDArray[Any]"], tuple[int, str] | None]
_MOST_LISTED = 10


@dataclass(frozen=True)
class NoLevel:
    """Stands for the value of a record whose one-hot columns do not say one.

    Attributes
    ----------
    reason : str
        What is wrong with the record, and which others have the same fault.
    """

    reason: str


def joined(columns: Columns, schema: Schema, read_column: ReadColumn) -> Columns:
    """Return a table that has all columns of the one-hot attributes with one column for each of these."""
    groups = [attribute for attribute in schema.attributes if isinstance(attribute, OneHot)]
    names = schema.columns if columns.names is None else columns.names
    place = {name: j for j, name in enumerate(names)}
    first = {place[group.columns[0]]: group for group in groups}
    inside = {place[column] for group in groups for column in group.columns}
    parts: list[tuple[Any, Callable[[], Column], int]] = []
    dtypes: list[Any] = []
    for j, name in enumerate(names):
        if j in first:
            group = first[j]
            places = [place[column] for column in group.columns]
            parts.append((group.name, _reader(columns, places, group, read_column), columns.place(j)))
            dtypes.append(None)
        elif j not in inside:
            parts.append((name, partial(columns.column, j), columns.place(j)))
            dtypes.append(columns.dtype(j))
    return replace(
        columns,
        names=None if columns.names is None else tuple(name for name, _, _ in parts),
        places=tuple(place for _, _, place in parts),
        n_columns=len(parts),
        column=lambda j: parts[j][1](),
        dtype=dtypes.__getitem__,
        array=None,
        is_joined=True,
    )


def _reader(
    columns: Columns, places: list[int], group: OneHot, read_column: ReadColumn
) -> Callable[[], Column]:
    """What reads the columns of one attribute, once."""
    found: list[Factored] = []

    def read() -> Column:
        if not found:
            found.append(_join(columns, places, group, read_column))
        return found[0]

    return read


def _join(columns: Columns, places: list[int], group: OneHot, read_column: ReadColumn) -> Factored:
    n = columns.n_records
    n_set, level = np.zeros(n, dtype=np.int32), np.zeros(n, dtype=np.int32)
    bit = np.empty(n, dtype=np.uint8)
    uniques: list[Any] = list(group.levels)
    for code, (place, member) in enumerate(zip(places, group.members)):
        fault = read_column(columns.column(place), member, columns.path is not None, bit)
        if fault is not None:
            row, reason = fault
            return Factored(
                [*uniques, NoLevel(f"in its column {member.name!r} {reason}")], _at(row, n, len(uniques))
            )
        n_set += bit
        level[bit == 1] = code
    bad = np.flatnonzero(n_set != 1)
    if len(bad):
        level[bad] = len(uniques)
        uniques.append(NoLevel(_listed(columns, bad, len(places))))
    return Factored(uniques, level)


def _at(row: int, n: int, code: int) -> NDArray[np.int32]:
    """An index that is `code` in one record and 0 elsewhere."""
    index = np.zeros(n, dtype=np.int32)
    index[row] = code
    return index


def _listed(columns: Columns, bad: NDArray[np.intp], n_columns: int) -> str:
    """Say what is wrong, and where else."""
    reason = f"not exactly one of its {n_columns} columns is set"
    others = columns.positions(bad[1:_MOST_LISTED].tolist())
    more = len(bad) - 1 - len(others)
    if others:
        reason += f" (nor in {', '.join(others)}" + (f" and {more:,} more)" if more else ")")
    return reason


def split(attribute: OneHot, codes: NDArray[Any]) -> list[tuple[Binary, NDArray[np.uint8]]]:
    """Return the columns of an attribute and their codes: exactly one of them is 1 in each record."""
    return [(member, (codes == code).view(np.uint8)) for code, member in enumerate(attribute.members)]
