"""The coordinates in which statistics are released, chosen from released values alone.

A record enters the released statistics as a vector of *features*. A binary attribute is one feature with the
values -1 and +1: under add-or-remove-one that coding has a quarter of the noise of 0/1 coding on covariances.
Any other attribute is a one-hot group of features, one for each *coarse level*: levels too rare to be seen
above the noise of a pair table are merged with their neighbours, and share the merged mass afterwards in the
proportions that the 1-way release gave. The features of an attribute are contiguous; a record has one feature
of absolute value 1 in each attribute, so the sensitivities do not depend on how levels were merged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from covloss_fast._core import rounding
from covloss_fast.schema import BitLayout


@dataclass(frozen=True)
class Features:
    """Which feature each bit belongs to, and how a feature is coded.

    Attributes
    ----------
    layout : BitLayout
        The bits of a record.
    of_bit : int64 array, shape (n_bits,)
        The feature that each bit belongs to.
    share : float64 array, shape (n_bits,)
        Share of its feature's mass that a bit gets back; the shares of a feature add to one.
    offsets : int64 array, shape (q + 1,)
        First feature of each attribute; the last entry is the number of features.
    signed : bool array, shape (n_features,)
        Whether the feature is a binary attribute coded as -1 and +1.
    means : float64 array, shape (n_features,)
        Released mean of each feature.
    """

    layout: BitLayout
    of_bit: NDArray[np.int64]
    share: NDArray[np.float64]
    offsets: NDArray[np.int64]
    signed: NDArray[np.bool_]
    means: NDArray[np.float64]

    @property
    def n_features(self) -> int:
        """Number of features."""
        return int(self.offsets[-1])

    @property
    def attribute(self) -> NDArray[np.int64]:
        """The attribute of each feature, shape (n_features,)."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    @property
    def freedom(self) -> NDArray[np.int64]:
        """Free coordinates of each attribute, shape (q,): 1 if binary, else its coarse levels less one."""
        return np.where(self.layout.is_binary, 1, np.diff(self.offsets) - 1)

    @property
    def same_attribute(self) -> NDArray[np.bool_]:
        """Pairs of features of one attribute, shape (n_features, n_features)."""
        attribute = self.attribute
        return np.asarray(attribute[:, None] == attribute[None, :])

    def centre(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Take from each one-hot group of the last axis its plain average: where only noise can be."""
        out = np.array(values)
        for first, last in self._groups():
            out[..., first:last] -= out[..., first:last].mean(axis=-1, keepdims=True)
        return out

    def centre_pairs(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """Centre both axes of a matrix of pairs and clear the pairs within an attribute."""
        out = np.array(self.centre(self.centre(matrix).T).T)
        out[self.same_attribute] = 0.0
        return out

    def own_covariance(self) -> NDArray[np.float64]:
        """Covariances within each attribute, known from the means alone; zero between attributes."""
        out = np.zeros((self.n_features, self.n_features))
        np.fill_diagonal(out, np.where(self.signed, 1.0 - self.means**2, self.means * (1.0 - self.means)))
        for first, last in self._groups():
            group = self.means[first:last]
            out[first:last, first:last] = np.diag(group) - np.outer(group, group)
        return out

    def project(self, means: NDArray[np.float64]) -> NDArray[np.float64]:
        """Nearest points of the convex set: [-1, 1] for a signed feature, the simplex for a group."""
        out = np.clip(means, -1.0, 1.0)
        for first, last in self._groups():
            out[:, first:last] = rounding.project_simplex(np.ascontiguousarray(means[:, first:last]), 1)
        return out

    def to_bits(self, means: NDArray[np.float64]) -> NDArray[np.float64]:
        """Means of features as means of bits: fractions of ones, shape (..., n_bits)."""
        fractions = np.where(self.signed, (means + 1.0) / 2.0, means)
        return np.ascontiguousarray(fractions[..., self.of_bit] * self.share)

    def _groups(self) -> list[tuple[int, int]]:
        return [
            (int(first), int(last))
            for first, last, binary in zip(self.offsets[:-1], self.offsets[1:], self.layout.is_binary)
            if not binary
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


def choose_features(
    layout: BitLayout, one_way: Sequence[NDArray[np.float64]], ordered: Sequence[bool], least: float
) -> Features:
    """Features for released 1-way means.

    Parameters
    ----------
    layout : BitLayout
        The bits of a record.
    one_way : sequence of float64 arrays
        For a binary attribute its mean in [-1, 1], shape (1,); for another the fractions of its levels.
    ordered : sequence of bool
        Whether the codes of each attribute have an order.
    least : float
        Least fraction of the records that a coarse level holds.
    """
    of_bit, share, means = [], [], []
    offsets = [0]
    for attribute, fractions in enumerate(one_way):
        if layout.is_binary[attribute]:
            coarse = np.zeros(1, dtype=np.int64)
            merged = fractions
            back = np.ones(1)
        else:
            coarse = merge_levels(fractions, least, ordered[attribute])
            merged = np.bincount(coarse, fractions).astype(np.float64)
            members = np.bincount(coarse)
            held = merged[coarse]
            back = np.where(held > 0, fractions / np.where(held > 0, held, 1.0), 1.0 / members[coarse])
        of_bit.append(coarse + offsets[-1])
        share.append(back)
        means.append(merged)
        offsets.append(offsets[-1] + len(merged))
    return Features(
        layout=layout,
        of_bit=np.concatenate(of_bit),
        share=np.concatenate(share),
        offsets=np.array(offsets),
        signed=np.repeat(layout.is_binary, np.diff(offsets)),
        means=np.concatenate(means),
    )
