"""The model that a release amounts to: weights and means of blocks.

It holds released values alone, so it may be saved, looked at, and sampled from as often as one likes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covloss_fast.released.rounding import sample_codes
from covloss_fast.schema import BitLayout

TOLERANCE = 1e-9


def _renormalise(probabilities: NDArray[np.float64]) -> None:
    """Divide rows by their sums, in place; a sum that is 1 but for rounding stays: twice equals once."""
    total = probabilities.sum(axis=-1, keepdims=True)
    probabilities /= np.where(np.abs(total - 1) <= 1e-12, 1.0, total)


@dataclass(frozen=True, eq=False)
class BlockModel:
    """A mixture of products: a block is drawn by weight, then each attribute on its own.

    Parameters
    ----------
    sizes : tuple of int
        Number of levels of each attribute.
    weights : float64 array, shape (n_blocks,)
        Probabilities of the blocks.
    means : float64 array, shape (n_blocks, n_bits)
        Mean of each block in the bit layout: a point of K (cube for bits, simplex for one-hot groups).

    Raises
    ------
    ValueError
        If shapes do not fit, or weights or means are off their simplex or cube by more than 1e-9. Smaller
        differences, as rounding leaves them, are taken away.

    Notes
    -----
    Compared by value with ``==``; its arrays cannot be written to.
    """

    sizes: tuple[int, ...]
    weights: NDArray[np.float64]
    means: NDArray[np.float64]

    def __post_init__(self) -> None:
        layout = BitLayout(self.sizes)
        weights = np.array(self.weights, dtype=np.float64)
        means = np.array(self.means, dtype=np.float64, order="C")
        if weights.ndim != 1 or len(weights) == 0:
            raise ValueError(f"weights must be a vector with at least one entry, got shape {weights.shape}")
        if means.shape != (len(weights), layout.n_bits):
            raise ValueError(f"means must have shape {(len(weights), layout.n_bits)}, got {means.shape}")
        if not (np.all(weights >= -TOLERANCE) and abs(weights.sum() - 1) <= TOLERANCE):
            raise ValueError("weights must not be negative and must add to 1")
        bad = np.argwhere(~((means >= -TOLERANCE) & (means <= 1 + TOLERANCE)))
        if len(bad):
            raise ValueError(f"the mean of block {bad[0, 0]}, bit {bad[0, 1]} is not in [0, 1]")
        np.clip(weights, 0, None, out=weights)
        _renormalise(weights)
        np.clip(means, 0, 1, out=means)
        for attribute in np.flatnonzero(~layout.is_binary):
            group = means[:, layout.offsets[attribute] : layout.offsets[attribute + 1]]
            total = group.sum(axis=1, keepdims=True)
            off = np.flatnonzero(np.abs(total - 1) > TOLERANCE * (1 + group.shape[1]))
            if len(off):
                raise ValueError(
                    f"the means of block {off[0]}, attribute {attribute}, must add to 1, "
                    f"got {total[off[0], 0]!r}"
                )
            _renormalise(group)
        for name, value in (("sizes", layout.sizes), ("weights", weights), ("means", means)):
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
            object.__setattr__(self, name, value)

    @property
    def layout(self) -> BitLayout:
        """Where each attribute lies among the bits."""
        return BitLayout(self.sizes)

    @property
    def n_blocks(self) -> int:
        """Number of blocks."""
        return len(self.weights)

    def marginals(self) -> NDArray[np.float64]:
        """1-way marginals of the model's records, shape (n_bits,): the weighted mean of the block means."""
        return np.asarray(self.weights @ self.means)

    def second_moment(self) -> NDArray[np.float64]:
        """2-way marginals of the model's records, shape (n_bits, n_bits).

        For bits of distinct attributes it is sum_j w_j y_j y_j^T, as rounding is independent within a block;
        bits of one group exclude each other; the diagonal holds the 1-way marginals.
        """
        moment: NDArray[np.float64] = (self.means * self.weights[:, None]).T @ self.means
        attribute = self.layout.attribute_of_bit
        moment[attribute[:, None] == attribute] = 0
        np.fill_diagonal(moment, self.marginals())
        return moment

    def sample_codes(
        self, n_rows: int, key: bytes, first_row: int = 0, n_threads: int | None = None
    ) -> NDArray[Any]:
        """Draw records: codes of shape (q, n_rows). See `released.rounding.sample_codes`."""
        return sample_codes(self.weights, self.means, self.sizes, n_rows, key, first_row, n_threads)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Plain arrays that hold the model, for `from_arrays`."""
        return {"sizes": np.array(self.sizes, dtype=np.int64), "weights": self.weights, "means": self.means}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> BlockModel:
        """The model that `to_arrays` wrote, with the same bits; validated again.

        Raises
        ------
        ValueError
            If an array is absent, of another kind, or not valid.
        """
        for name, dtype in (("sizes", np.int64), ("weights", np.float64), ("means", np.float64)):
            if name not in arrays or arrays[name].dtype != dtype:
                raise ValueError(f"the model's array {name!r} is absent or not {np.dtype(dtype)}")
        if arrays["sizes"].ndim != 1:
            raise ValueError("the model's array 'sizes' is not a vector")
        return cls(tuple(arrays["sizes"].tolist()), arrays["weights"], arrays["means"])

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, BlockModel)
            and self.sizes == other.sizes
            and np.array_equal(self.weights, other.weights)
            and np.array_equal(self.means, other.means)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        q, p = len(self.sizes), self.layout.n_bits
        return f"BlockModel(n_attributes={q}, n_bits={p}, n_blocks={self.n_blocks})"
