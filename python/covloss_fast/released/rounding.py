"""Block means to records: metric projection, bootstrapping, randomized rounding (paper, Sections 4 and 5.5).

Noisy block means lie outside the set K that true means cannot leave: the cube for bits, a simplex for each
one-hot group. `project_onto_domain` takes them to the nearest point of K, `sample_codes` draws records whose
marginals have the model's as expectations. Rounding costs no privacy: its key may be known to all.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from covloss_fast._core import rounding as _core
from covloss_fast._threads import resolve_n_threads
from covloss_fast.schema import BitLayout


def project_onto_domain(
    means: ArrayLike, layout: BitLayout, n_threads: int | None = None
) -> NDArray[np.float64]:
    """Nearest points of K: the metric projection of the paper, Section 5.5.

    K is a product, so each factor is projected alone: a bit onto [0, 1], a one-hot group onto its probability
    simplex (exactly, by sorting). The projection fixes K and is 1-Lipschitz, so it never adds error.

    Parameters
    ----------
    means : float array, shape (n_blocks, n_bits)
        Noisy block means in the bit layout.
    layout : BitLayout
        Where each attribute lies among the bits.
    n_threads : int or None
        None for all CPUs that this process may use.

    Returns
    -------
    float64 array, shape (n_blocks, n_bits)

    Raises
    ------
    ValueError
        If the shape does not fit the layout or an entry is not finite.
    """
    threads = resolve_n_threads(n_threads)
    out = np.array(means, dtype=np.float64, order="C")
    if out.ndim != 2 or out.shape[1] != layout.n_bits:
        raise ValueError(f"means must have shape (n_blocks, {layout.n_bits}), got {out.shape}")
    bad = np.argwhere(~np.isfinite(out))
    if len(bad):
        raise ValueError(f"the mean of block {bad[0, 0]}, bit {bad[0, 1]} is not finite")
    bits = layout.offsets[:-1][layout.is_binary]
    if len(bits):
        out[:, bits] = _core.project_cube(np.ascontiguousarray(out[:, bits]), threads)
    for size in sorted(set(layout.sizes) - {2}):
        first = layout.offsets[:-1][np.array(layout.sizes) == size]
        groups = (first[:, None] + np.arange(size)).ravel()
        rows = np.ascontiguousarray(out[:, groups].reshape(-1, size))
        out[:, groups] = _core.project_simplex(rows, threads).reshape(len(out), -1)
    return out


def sample_codes(
    weights: NDArray[np.float64],
    means: NDArray[np.float64],
    sizes: tuple[int, ...],
    n_rows: int,
    key: bytes,
    first_row: int = 0,
    n_threads: int | None = None,
    labels: NDArray[np.int32] | None = None,
) -> NDArray[Any]:
    """Bootstrapped, independently rounded records.

    Row r draws a block by the weights, then every attribute on its own from the block's means. For bits of
    distinct attributes a d-way marginal of the rows is unbiased, with variance at most 1/(4 n_rows) (paper,
    Section 4). Row r is a function of the key and of r alone: batches put together equal one call.

    Parameters
    ----------
    weights : float64 array, shape (n_blocks,)
        Nonnegative; divided by their sum.
    means : float64 array, shape (n_blocks, n_bits)
        Points of K: see `project_onto_domain`.
    sizes : tuple of int
        Number of levels of each attribute.
    n_rows : int
        Number of records to draw.
    key : bytes
        32 bytes.
    first_row : int
        Number of the first row, for drawing in batches.
    n_threads : int or None
        None for all CPUs that this process may use. The result does not depend on it.
    labels : int32 array, shape (n_rows,), or None
        The block of each row; None to draw it by the weights.

    Returns
    -------
    uint8, uint16 or uint32 array, shape (q, n_rows)
        The smallest type that holds every code.

    Raises
    ------
    ValueError
        If shapes do not fit, a label is no block, a weight or mean is no probability, or the key has not
        32 bytes.
    """
    rows, first = operator.index(n_rows), operator.index(first_row)
    if rows < 0 or first < 0:
        raise ValueError(f"n_rows and first_row must not be negative, got {rows} and {first}")
    return _core.round_rows(
        np.ascontiguousarray(weights, dtype=np.float64),
        np.ascontiguousarray(means, dtype=np.float64),
        np.array(sizes, dtype=np.int32),
        rows,
        key,
        first,
        None if labels is None else np.ascontiguousarray(labels, dtype=np.int32),
        resolve_n_threads(n_threads),
    )
