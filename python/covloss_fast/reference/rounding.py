"""Plain numpy twins of rounding and metric projection.

`round_rows` draws the same numbers from the same key as the compiled function; the others are the textbook
forms.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_MASK = np.uint64(0xFFFFFFFF)
_LANES = 8


def _rotate(x: NDArray[np.uint32], by: int) -> NDArray[np.uint32]:
    turned: NDArray[np.uint32] = (x << np.uint32(by)) | (x >> np.uint32(32 - by))
    return turned


def stream_words(
    key: bytes, rounds: int, domain: int, indices: NDArray[np.uint64], n_groups: int
) -> NDArray[np.uint32]:
    """Words of ChaCha streams, shape (n_streams, 128 n_groups); Bernstein 2008, 64-bit counter and nonce.

    A group is eight consecutive blocks of 16 words; word 8 w + j of the group is word w of block j.
    """
    index = np.asarray(indices, dtype=np.uint64)[:, None]
    n_blocks = _LANES * n_groups
    shape = (len(index), n_blocks)
    words = np.frombuffer(b"expand 32-byte k" + key, dtype="<u4")
    start = [np.full(shape, word, dtype=np.uint32) for word in words]
    start.append(np.broadcast_to(np.arange(n_blocks, dtype=np.uint32), shape))
    start.append(np.full(shape, domain, dtype=np.uint32))
    start.append(np.broadcast_to((index & _MASK).astype(np.uint32), shape))
    start.append(np.broadcast_to((index >> np.uint64(32)).astype(np.uint32), shape))
    x = [word.copy() for word in start]
    for _ in range(rounds // 2):
        for a, b, c, d in (
            (0, 4, 8, 12),
            (1, 5, 9, 13),
            (2, 6, 10, 14),
            (3, 7, 11, 15),
            (0, 5, 10, 15),
            (1, 6, 11, 12),
            (2, 7, 8, 13),
            (3, 4, 9, 14),
        ):
            for to, plus, turned, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                x[to] = x[to] + x[plus]
                x[turned] = _rotate(x[turned] ^ x[to], by)
    blocks = np.stack([word + first for word, first in zip(x, start)], axis=-1)
    groups = blocks.reshape(len(index), n_groups, _LANES, 16)
    return np.ascontiguousarray(groups.swapaxes(2, 3)).reshape(len(index), 128 * n_groups)


def _limits(probabilities: NDArray[np.float64]) -> NDArray[np.int64]:
    """Cumulative probabilities but the last, in units of 2^-31, rounded to nearest."""
    total = np.cumsum(probabilities)
    limits: NDArray[np.float64] = np.floor(total[:-1] / total[-1] * 2.0**31 + 0.5)
    return limits.astype(np.int64)


def round_rows(
    weights: NDArray[np.float64],
    means: NDArray[np.float64],
    sizes: tuple[int, ...],
    n_rows: int,
    key: bytes,
    first_row: int = 0,
    labels: NDArray[np.int32] | None = None,
) -> NDArray[Any]:
    """Codes (q, n_rows), equal to those of the compiled function: paper, Section 4.

    Row r takes words of stream (0, r): 0 and 1 choose the block, 2 + a the level of attribute a.
    """
    q = len(sizes)
    n_groups = -(-(2 + q) // 128)
    rows = np.arange(first_row, first_row + n_rows, dtype=np.uint64)
    words = stream_words(key, 8, 0, rows, n_groups)
    total = np.cumsum(weights)
    cumulative = np.ldexp(total / total[-1], 63).astype(np.uint64)
    random63 = (words[:, 1].astype(np.uint64) << np.uint64(32) | words[:, 0]) >> np.uint64(1)
    block = np.searchsorted(cumulative, random63, side="right") if labels is None else labels
    random31 = (words[:, 2 : 2 + q] >> np.uint32(1)).astype(np.int64)
    codes = np.zeros((q, n_rows), dtype=np.min_scalar_type(max(sizes) - 1))
    first = 0
    for a, size in enumerate(sizes):
        width = 1 if size == 2 else size
        group = means[:, first : first + width]
        for j in np.unique(block):
            of_block = block == j
            if size == 2:
                limit = np.floor(group[j, 0] * 2.0**31 + 0.5)
                codes[a, of_block] = random31[of_block, a] < limit
            else:
                limits = _limits(group[j])
                codes[a, of_block] = np.searchsorted(limits, random31[of_block, a], side="right")
        first += width
    return codes


def bootstrap(weights: NDArray[np.float64], n_rows: int, generator: np.random.Generator) -> NDArray[np.int64]:
    """Independent blocks with the probabilities of the weights."""
    return generator.choice(len(weights), size=n_rows, p=weights)


def randomized_rounding(means: NDArray[np.float64], generator: np.random.Generator) -> NDArray[np.uint8]:
    """Independent bits of the given means."""
    return (generator.random(means.shape) < means).astype(np.uint8)


def project_cube(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Nearest points of the cube [0, 1]^s."""
    return np.clip(values, 0.0, 1.0)


def project_simplex(row: NDArray[np.float64]) -> NDArray[np.float64]:
    """Nearest point of the probability simplex to a vector: max(v - theta, 0) that adds to 1."""
    shifted = row - row.max()
    downwards = np.sort(shifted)[::-1]
    candidates = (np.cumsum(downwards) - 1) / np.arange(1, len(row) + 1)
    last = np.flatnonzero(downwards > candidates)[-1]
    theta = candidates[last]
    # What long sums have lost shows in the total, which is short. (Entries are added in their order.)
    theta += (np.cumsum(np.maximum(shifted - theta, 0.0))[-1] - 1) / (last + 1)
    return np.asarray(np.maximum(shifted - theta, 0.0))
