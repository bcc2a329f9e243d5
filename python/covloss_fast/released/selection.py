"""Rows of a release by condition, by exact totals, and with integer weights: post-processing.

Rows are selected from a table, never drawn until they fit: a condition that few rows meet costs no more than
one that many do, and one that none meets is told apart at once. A selected row is one of the release, so that
no structural zero can come in.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from covloss_fast.released.rows import PART_ROWS, Rows, ranges
from covloss_fast.schema import Schema

Positions: TypeAlias = NDArray[np.int64]
#: For some attributes, which of their levels are allowed.
Condition: TypeAlias = Mapping[int, NDArray[np.bool_]]


@dataclass(frozen=True, eq=False)
class Selection:
    """Which rows are wanted.

    Attributes
    ----------
    schema : Schema
        What the codes of rows mean.
    parts : tuple of (condition, int or None)
        Conditions, and how many rows are to meet each; None for all there are.
    """

    schema: Schema
    parts: tuple[tuple[Condition, int | None], ...]

    @classmethod
    def of(
        cls,
        schema: Schema,
        where: Mapping[str, Any] | None,
        totals: Mapping[str, Mapping[Any, int]] | None,
        n: int | None,
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
            return cls(schema, ((condition, n),))
        attribute, counts = _totals(schema, totals)
        if n is not None and sum(counts.values()) != n:
            raise ValueError(
                f"totals of {schema.names[attribute]!r} add to {sum(counts.values()):,}, n is {n:,}"
            )
        levels = np.arange(schema.sizes[attribute])
        allowed = condition.get(attribute, np.ones(len(levels), dtype=bool))
        return cls(
            schema,
            tuple(
                ({**condition, attribute: allowed & (levels == code)}, count)
                for code, count in counts.items()
            ),
        )

    @property
    def n(self) -> int | None:
        """Number of rows; None for all that meet the condition."""
        return None if self.parts and self.parts[0][1] is None else sum(count or 0 for _, count in self.parts)

    def all_of(self, rows: Rows) -> Positions:
        """Positions of all rows of a table that meet the condition, ascending; ValueError if none does."""
        return self._matching(rows, self.parts[0][0])

    def draw(self, rows: Rows, generator: np.random.Generator) -> Positions:
        """Positions of rows that are selected from a table, in random order; ValueError if there is none.

        Those of one condition occur equally often, but for one.
        """
        chosen = [np.empty(0, dtype=np.int64)]
        for condition, count in self.parts:
            if count:
                found = self._matching(rows, condition)
                whole, rest = divmod(count, len(found))
                chosen += [np.tile(found, whole), generator.permutation(found)[:rest]]
        return generator.permutation(np.concatenate(chosen))

    def _matching(self, rows: Rows, condition: Condition) -> Positions:
        found = []
        for first, stop in ranges(rows.n_rows, PART_ROWS):
            codes = rows.codes(first, stop)
            meets = np.ones(stop - first, dtype=bool)
            for attribute, levels in condition.items():
                meets &= levels[codes[attribute]]
            found.append(first + np.flatnonzero(meets))
        positions: Positions = np.concatenate(found)
        if len(positions):
            return positions
        shown = self._text(condition)
        if self._is_ruled_out(condition):
            raise ValueError(f"no record can have {shown}: structural zeros of the schema rule it out")
        raise ValueError(f"none of the {rows.n_rows:,} records of the release has {shown}")

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


def _totals(schema: Schema, totals: Mapping[str, Mapping[Any, int]]) -> tuple[int, dict[int, int]]:
    """The attribute of totals, and the number of records with each code."""
    if not isinstance(totals, Mapping) or len(totals) != 1:
        raise ValueError('totals must name one attribute, such as {"sex": {"F": 520, "M": 480}}')
    ((name, of_levels),) = totals.items()
    (position,) = schema.positions([name])
    if not isinstance(of_levels, Mapping):
        raise ValueError(f"totals of {name!r} must be a mapping of levels to numbers of records")
    counts: dict[int, int] = {}
    for level, count in of_levels.items():
        (code,) = schema.codes_of(name, [level])
        if code in counts:
            raise ValueError(
                f"totals of {name!r}: {level!r} is a level, or in a bin, that has a total already"
            )
        try:
            counts[code] = -1 if isinstance(count, bool) else operator.index(count)
        except TypeError:
            counts[code] = -1
        if not 0 <= counts[code] <= 2**40:
            raise ValueError(
                f"totals of {name!r}: the total of {level!r} must be an integer of at least 0, got {count!r}"
            )
    return position, counts


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
