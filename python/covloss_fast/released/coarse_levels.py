"""Coarse levels: levels too rare to be seen above the noise of a pair table, merged with others.

They are chosen from the released 1-way marginals alone. A pair table is released over coarse levels; inside
one, levels keep the proportions that the 1-way release gave. A record has one coarse level in each attribute,
so sensitivities do not depend on how levels were merged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from covloss_fast.schema import Categorical, Schema


def ordered_attributes(schema: Schema) -> list[bool]:
    """Whether the codes of an attribute have an order: bins of numbers do, and levels declared so."""
    return [
        not isinstance(attribute, Categorical) or attribute.ordered or schema.is_coded
        for attribute in schema.attributes
    ]


def merge_levels(mass: NDArray[np.float64], least: float, ordered: bool) -> NDArray[np.int64]:
    """Merge levels until each coarse level holds the mass `least`; a level with that mass stands alone.

    Parameters
    ----------
    mass : float64 array, shape (size,)
        Released mass of each level.
    least : float
        Least mass of a coarse level, in the same units.
    ordered : bool
        Whether neighbouring codes are alike. Levels without order are taken from the most frequent down, so
        that rare ones are pooled with rare ones.

    Returns
    -------
    int64 array, shape (size,)
        Coarse level of each level, numbered from 0 without gaps.
    """
    order = np.arange(len(mass)) if ordered else np.argsort(-mass, kind="stable")
    coarse = np.empty(len(mass), dtype=np.int64)
    current, held = 0, 0.0
    for level in order:
        if held > 0 and (held >= least or (mass[level] >= least and held >= least / 4)):
            current, held = current + 1, 0.0
        coarse[level] = current
        held += mass[level]
    if held < least / 2 and current > 0:
        coarse[coarse == current] = current - 1
    return np.unique(coarse, return_inverse=True)[1].astype(np.int64)


@dataclass(frozen=True)
class CoarseLevels:
    """The coarse level of each level, and the share of it that a level has.

    Attributes
    ----------
    of_level : tuple of int64 arrays, shape (size,)
        Coarse level of each level of each attribute.
    share : tuple of float64 arrays, shape (size,)
        Share of each level in its coarse level; the shares of a coarse level add to 1.
    margins : tuple of float64 arrays, shape (coarse size,)
        Fractions of the records in each coarse level.
    """

    of_level: tuple[NDArray[np.int64], ...]
    share: tuple[NDArray[np.float64], ...]
    margins: tuple[NDArray[np.float64], ...]

    @classmethod
    def choose(
        cls, one_way: Sequence[NDArray[np.float64]], ordered: Sequence[bool], least: float
    ) -> CoarseLevels:
        """Coarse levels for released 1-way marginals; two levels stay two.

        Parameters
        ----------
        one_way : sequence of float64 arrays
            Fractions of the levels of each attribute.
        ordered : sequence of bool
            Whether the codes of each attribute have an order.
        least : float
            Least fraction of the records that a coarse level holds.
        """
        of_level, share, margins = [], [], []
        for fractions, is_ordered in zip(one_way, ordered):
            coarse = np.arange(2) if len(fractions) == 2 else merge_levels(fractions, least, is_ordered)
            margin = np.bincount(coarse, fractions).astype(np.float64)
            members = np.bincount(coarse)
            held = margin[coarse]
            of_level.append(coarse)
            share.append(np.where(held > 0, fractions / np.where(held > 0, held, 1.0), 1.0 / members[coarse]))
            margins.append(margin)
        return cls(tuple(of_level), tuple(share), tuple(margins))

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of coarse levels of each attribute."""
        return tuple(len(margin) for margin in self.margins)

    @property
    def offsets(self) -> NDArray[np.int64]:
        """First coarse level of each attribute among all, and their number, shape (q + 1,)."""
        return np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.int64)
