"""No impossible record is ever released: pairs of levels that the schema rules out.

Rows that are fitted never move into such a pair (`restoration.fit_rows`). Rows that are drawn attribute by
attribute can hold one; those are mended here, by redrawing an attribute from the rows of its own kind, then
from whole rows without fault.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covloss_fast.schema import BitLayout

_ROUNDS = 20


def impossible_rows(codes: NDArray[Any], zeros: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Which rows hold a pair that is ruled out.

    Parameters
    ----------
    codes : unsigned integer array, shape (q, n_rows)
        Rows.
    zeros : int32 array, shape (z, 4)
        Attribute a, level u, attribute b, level v.
    """
    out = np.zeros(codes.shape[1], dtype=bool)
    for a, u, b, v in zeros.tolist():
        out |= (codes[a] == u) & (codes[b] == v)
    return out


def mend(
    codes: NDArray[Any], zeros: NDArray[np.int32], possible_record: Sequence[int], key: bytes
) -> NDArray[Any]:
    """Rows without pairs that are ruled out: others are redrawn where they must.

    Parameters
    ----------
    codes : unsigned integer array, shape (q, n_rows)
        Drawn rows. They are not changed.
    zeros : int32 array, shape (z, 4)
        Structural zeros.
    possible_record : sequence of int
        Codes of a record that is possible, for the case that no row is.
    key : bytes
        32 bytes; the result is a function of the arguments.
    """
    bad = np.flatnonzero(impossible_rows(codes, zeros)) if len(zeros) else np.empty(0, dtype=np.int64)
    if len(bad) == 0:
        return codes
    out = np.array(codes)
    generator = np.random.Generator(np.random.Philox(key=int.from_bytes(key[:16], "little")))
    for _ in range(_ROUNDS):
        for a, u, b, v in zeros.tolist():
            rows = bad[(out[a, bad] == u) & (out[b, bad] == v)]
            chosen = np.where(generator.random(len(rows)) < 0.5, a, b)
            out[chosen, rows] = codes[chosen, generator.integers(0, codes.shape[1], len(rows))]
        bad = bad[impossible_rows(out[:, bad], zeros)]
        if len(bad) == 0:
            return out
    good = np.flatnonzero(~impossible_rows(out, zeros))
    if len(good):
        out[:, bad] = out[:, generator.choice(good, len(bad))]
    else:
        out[:] = np.array(possible_record)[:, None]
    return out


def zero_pairs(
    pairs: NDArray[np.float64], one_way: NDArray[np.float64], layout: BitLayout, zeros: NDArray[np.int32]
) -> NDArray[np.float64]:
    """Fractions of pairs of bits with the pairs that are ruled out at zero.

    Parameters
    ----------
    pairs : float64 array, shape (n_bits, n_bits)
        Fractions of rows with both bits.
    one_way : float64 array, shape (n_bits,)
        Fractions of rows with each bit.
    layout : BitLayout
        Where each attribute lies among the bits.
    zeros : int32 array, shape (z, 4)
        Structural zeros.
    """
    if len(zeros) == 0:
        return pairs
    out = np.array(pairs)
    offsets, is_bit = layout.offsets, layout.is_binary
    for a, u, b, v in zeros.tolist():
        # Bits that stand for the levels, or for the other one of two.
        first = offsets[a] + (0 if is_bit[a] else u)
        second = offsets[b] + (0 if is_bit[b] else v)
        is_first, is_second = not is_bit[a] or u == 1, not is_bit[b] or v == 1
        if is_first and is_second:
            value = 0.0
        elif is_first:  # first without second never occurs
            value = one_way[first]
        elif is_second:
            value = one_way[second]
        else:
            value = max(0.0, one_way[first] + one_way[second] - 1.0)
        out[first, second] = out[second, first] = value
    return out
