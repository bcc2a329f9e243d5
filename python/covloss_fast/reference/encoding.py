"""Encoding one value at a time: what each value means by the rules of a schema, and the bits of a code."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from covloss_fast.schema import Attribute, Categorical, OneHot

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["encode_one_hot", "encode_value", "one_hot"]


def encode_value(value: bool | int | float | str | None, attribute: Attribute) -> int | None:
    """Return the code of a Python value; None if the value does not fit the attribute.

    Parameters
    ----------
    value : bool, int, float, str or None
        None and NaN are missing.
    attribute : Binary, Categorical or Numeric
        A numeric attribute must have bounds that are numbers.
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return attribute.missing_code
    if isinstance(attribute, Categorical):
        if isinstance(value, str) != (attribute.kind == "text"):
            return None
        if isinstance(value, bool) and attribute.kind != "bool" and set(attribute.levels) != {0, 1}:
            return None
        for code, level in enumerate(attribute.levels):
            if value == level:  # exact in Python, also between integers and floats
                return code
        return attribute.other_code
    if isinstance(value, bool | str):
        return None
    if math.isinf(value):
        return 0 if value < 0 else attribute.n_bins - 1
    below = [edge for edge in attribute.edges[1:-1].tolist() if Fraction(edge) <= Fraction(value)]
    return len(below)


def encode_one_hot(values: Sequence[bool | int | float | str | None], attribute: OneHot) -> int | None:
    """Return the code of a record of one-hot columns; None if not exactly one of them is set.

    Parameters
    ----------
    values : sequence
        The record's value in each column.
    attribute : OneHot
        Whose columns they are.
    """
    bits = [encode_value(value, member) for value, member in zip(values, attribute.members)]
    return bits.index(1) if None not in bits and bits.count(1) == 1 else None


def one_hot(codes: Sequence[Iterable[int]], sizes: Sequence[int]) -> NDArray[np.uint8]:
    """Return the bits of records, shape (n, n_bits), from the codes of each attribute.

    An attribute of two levels is one bit, any other of s levels is a group of s bits.
    """
    columns = []
    for column, size in zip(codes, sizes):
        for level in [1] if size == 2 else range(size):
            columns.append([int(code == level) for code in column])
    bits: NDArray[np.uint8] = np.array(columns, dtype=np.uint8)
    return np.ascontiguousarray(bits.T)
