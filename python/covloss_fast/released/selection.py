"""Rows of a release by condition, by exact totals, and with integer weights: post-processing.

Rows are selected from a table, never drawn until they fit: a condition that few rows meet costs no more than
one that many do, and one that none meets is told apart at once. A selected row is one of the release, so that
no structural zero can come in.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from covloss_fast.released.rows import PART_ROWS, DrawnRows, Rows, ranges
from covloss_fast.schema import Schema

#: Of rows of a table that is kept, of which there are fewer than 2^31: half the bytes of an int64.
_POSITION = np.int32
Positions: TypeAlias = NDArray[np.int32]
#: For some attributes, which of their levels are allowed.
Condition: TypeAlias = Mapping[int, NDArray[np.bool_]]


#: What exact totals are of: an attribute, or several jointly.
Totals: TypeAlias = Mapping[Any, Mapping[Any, int]]

_TOTALS = (
    'totals must name one attribute, such as {"sex": {"F": 520, "M": 480}}, or several jointly, such as '
    '{("sex", "region"): {("F", "North"): 10}}'
)


@dataclass(frozen=True, eq=False)
class Selection:
    """Which rows are wanted.

    Attributes
    ----------
    schema : Schema
        What the codes of rows mean.
    condition : mapping of int to bool array
        What all rows are to meet.
    attributes : tuple of int
        Attributes whose combinations of levels have totals; none if there are no totals.
    counts : mapping of tuple of int to int, or None
        How many rows are to have each combination of codes of the attributes; None for all there are.
    """

    schema: Schema
    condition: Condition
    attributes: tuple[int, ...]
    counts: Mapping[tuple[int, ...], int] | None

    @classmethod
    def of(
        cls, schema: Schema, where: Mapping[str, Any] | None, totals: Totals | None, n: int | None
    ) -> Selection | None:
        """Read a condition and totals as `sample` takes them; None if there are none.

        Raises
        ------
        ValueError
            If a name, level or number is not valid, or n is not the sum of the totals.
        """
        if where is None and totals is None:
            return None
        condition = _condition(schema, where)
        if totals is None:
            return cls(schema, condition, (), None if n is None else {(): n})
        name, attributes, counts = _totals(schema, totals)
        if n is not None and sum(counts.values()) != n:
            raise ValueError(f"totals of {name!r} add to {sum(counts.values()):,}, n is {n:,}")
        return cls(schema, condition, attributes, counts)

    @property
    def n(self) -> int | None:
        """Number of rows; None for all that meet the condition."""
        return None if self.counts is None else sum(self.counts.values())

    def all_of(self, rows: Rows) -> Positions:
        """Positions of all rows of a table that meet the condition, ascending; ValueError if none does."""
        (found,) = self._matching(rows, [()])
        return found

    def draw(self, rows: Rows, generator: np.random.Generator) -> Positions:
        """Positions of rows that are selected from a table, in random order; ValueError if there is none.

        Those of one combination occur equally often, but for one.
        """
        wanted = {codes: count for codes, count in (self.counts or {}).items() if count}
        chosen = np.empty(sum(wanted.values()), dtype=_POSITION)
        first = 0
        for found, count in zip(self._matching(rows, list(wanted)), wanted.values()):
            part = chosen[first : first + count]
            whole = count - count % len(found)
            part[:whole].reshape(-1, len(found))[:] = found
            part[whole:] = generator.permutation(found)[: count - whole]
            first += count
        generator.shuffle(chosen)
        return chosen

    def _matching(self, rows: Rows, wanted: Sequence[tuple[int, ...]]) -> list[Positions]:
        """Positions of the rows with each combination of codes, ascending, found in one pass."""
        sizes = [self.schema.sizes[a] for a in self.attributes]
        order = np.argsort([_cell(codes, sizes) for codes in wanted])
        cells = np.array([_cell(codes, sizes) for codes in wanted], dtype=np.int64)[order]
        positions, numbers = [np.empty(0, dtype=_POSITION)], [np.empty(0, dtype=np.int32)]
        for first, stop in ranges(rows.n_rows, PART_ROWS) if wanted else ():
            codes = rows.codes(first, stop)
            meets = np.ones(stop - first, dtype=bool)
            for attribute, levels in self.condition.items():
                meets &= levels[codes[attribute]]
            at = np.flatnonzero(meets)
            has = np.zeros(len(at), dtype=np.int64)
            for attribute, size in zip(self.attributes, sizes):
                has = has * size + codes[attribute][at]
            number = np.minimum(np.searchsorted(cells, has), len(cells) - 1)
            is_wanted = cells[number] == has
            positions.append((first + at[is_wanted]).astype(_POSITION))
            numbers.append(number[is_wanted].astype(np.int32))
        number = np.concatenate(numbers)
        by_cell = np.concatenate(positions)[np.argsort(number, kind="stable")]
        ends = np.cumsum(np.bincount(number, minlength=len(wanted)))[: len(wanted)]
        found: list[Positions] = [by_cell[:0]] * len(wanted)
        for place, part in zip(order, np.split(by_cell, ends[:-1])):
            found[place] = part
        for combination, part in zip(wanted, found):
            if not len(part):
                raise ValueError(self._absent(rows.n_rows, combination))
        return found

    def _absent(self, n_rows: int, codes: tuple[int, ...]) -> str:
        """Why there is no row with some codes."""
        condition = dict(self.condition)
        for attribute, code in zip(self.attributes, codes):
            levels = np.arange(self.schema.sizes[attribute])
            condition[attribute] = condition.get(attribute, np.ones(len(levels), dtype=bool)) & (
                levels == code
            )
        shown = self._text(condition)
        if all(levels.any() for levels in condition.values()) and self._is_ruled_out(condition):
            return f"no record can have {shown}: structural zeros of the schema rule it out"
        return f"none of the {n_rows:,} records of the release has {shown}"

    def _is_ruled_out(self, condition: Condition) -> bool:
        """Whether the structural zeros of some two attributes leave no pair of allowed levels."""
        zeros = self.schema.zeros.tolist()
        for a, b in combinations(sorted(condition), 2):
            allowed = np.outer(condition[a], condition[b])
            for first, u, second, v in zeros:
                if (first, second) == (a, b):
                    allowed[u, v] = False
            if not allowed.any():
                return True
        return False

    def _text(self, condition: Condition) -> str:
        parts = []
        for attribute, allowed in condition.items():
            names = self.schema.attributes[attribute].level_names
            levels = [repr(names[code]) for code in np.flatnonzero(allowed)]
            parts.append(f"{self.schema.names[attribute]} = {' or '.join(levels) or 'no level'}")
        return " and ".join(parts) or "any values"


def _condition(schema: Schema, where: Mapping[str, Any] | None) -> dict[int, NDArray[np.bool_]]:
    if where is None:
        return {}
    if not isinstance(where, Mapping):
        raise ValueError(f"where must be a mapping of names to levels, got {type(where).__name__}")
    condition = {}
    for name, levels in where.items():
        (position,) = schema.positions([name])
        condition[position] = np.isin(np.arange(schema.sizes[position]), schema.codes_of(name, levels))
    return condition


def _totals(
    schema: Schema, totals: Totals
) -> tuple[str | tuple[str, ...], tuple[int, ...], dict[tuple[int, ...], int]]:
    """The name or names of totals, their attributes, and the number of records with each combination."""
    if not isinstance(totals, Mapping) or len(totals) != 1:
        raise ValueError(_TOTALS)
    ((name, of_levels),) = totals.items()
    names = name if isinstance(name, tuple) else (name,)
    attributes = tuple(schema.positions(names))
    if math.prod(schema.sizes[a] for a in attributes) >= 2**63:
        raise ValueError(f"totals of {name!r}: so many attributes have too many combinations of levels")
    if not isinstance(of_levels, Mapping):
        raise ValueError(f"totals of {name!r} must be a mapping of levels to numbers of records")
    counts: dict[tuple[int, ...], int] = {}
    for level, count in of_levels.items():
        levels = level if isinstance(name, tuple) else (level,)
        if not isinstance(levels, tuple) or len(levels) != len(names):
            raise ValueError(
                f"totals of {name!r}: {level!r} must be a tuple of {len(names)} levels, one of each attribute"
            )
        codes = tuple(code for each in zip(names, levels) for code in schema.codes_of(each[0], [each[1]]))
        if codes in counts:
            what = "a combination of levels, or of bins," if len(names) > 1 else "a level, or in a bin,"
            raise ValueError(f"totals of {name!r}: {level!r} is {what} that has a total already")
        try:
            counts[codes] = -1 if isinstance(count, bool) else operator.index(count)
        except TypeError:
            counts[codes] = -1
        if not 0 <= counts[codes] <= 2**40:
            raise ValueError(
                f"totals of {name!r}: the total of {level!r} must be an integer of at least 0, got {count!r}"
            )
    return name, attributes, counts


def _cell(codes: tuple[int, ...], sizes: Sequence[int]) -> int:
    """Number of a combination of codes among all, in which the last changes fastest."""
    cell = 0
    for code, size in zip(codes, sizes):
        cell = cell * size + code
    return cell


def selected_rows(rows: Rows, positions: Positions) -> Rows:
    """The rows of a table at some positions, in their order; of them only the positions are held."""
    return DrawnRows(len(positions), _At(rows, positions))


@dataclass(frozen=True, eq=False)
class _At:
    """A part of rows at some positions, in a form that can be sent to another process."""

    rows: Rows
    positions: Positions

    def __call__(self, number: int, n: int) -> NDArray[Any]:
        first = number * PART_ROWS
        return codes_at(self.rows, self.positions[first : first + n])


def codes_at(rows: Rows, positions: Positions) -> NDArray[Any]:
    """Codes of rows at some positions, in their order, shape (q, n)."""
    none = rows.codes(0, 0)
    out = np.empty((len(none), len(positions)), dtype=none.dtype)
    order = np.argsort(positions, kind="stable")
    ascending = positions[order]
    for first, stop in ranges(rows.n_rows, PART_ROWS):
        low, high = np.searchsorted(ascending, [first, stop])
        if high > low:
            out[:, order[low:high]] = rows.codes(first, stop)[:, ascending[low:high] - first]
    return out


def merged(codes: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Distinct rows of a code table of shape (q, n), ascending, and how often each occurs."""
    distinct, counts = np.unique(codes, axis=1, return_counts=True)
    return distinct, counts.astype(np.int64)
