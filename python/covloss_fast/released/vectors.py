"""Vectors from released block means: directions, how many blocks, where they start, bootstrapping.

Everything here reads released values and public randomness alone. Vectors are in the units of their convex
set, about its centre.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covloss_fast._core import partition
from covloss_fast.released.denoising import shrink_eigenvalues
from covloss_fast.released.model import TOLERANCE

Float64Array = NDArray[np.float64]

MAX_BLOCKS = 1024
MAX_COMPONENTS = 16
#: A block of average size has at least so many records.
_LEAST_RECORDS = 10
_SAMPLE_PER_BLOCK, _MOST_SAMPLED = 50, 20_000
_LLOYD_STEPS = 10


@dataclass(frozen=True, eq=False)
class BlockMeans:
    """What Theorem 5.14 releases: a discrete law on means of blocks.

    Parameters
    ----------
    weights : float64 array, shape (n_blocks,)
        Probabilities of the blocks.
    means : float64 array, shape (n_blocks, n_features)
        Points of the convex set.

    Raises
    ------
    ValueError
        If shapes do not fit, a mean is not finite, or weights are off the simplex by more than 1e-9.
    """

    weights: Float64Array
    means: Float64Array

    def __post_init__(self) -> None:
        weights = np.array(self.weights, dtype=np.float64)
        means = np.array(self.means, dtype=np.float64, order="C")
        if weights.ndim != 1 or len(weights) == 0 or means.ndim != 2 or len(means) != len(weights):
            raise ValueError(f"weights of shape {weights.shape} do not fit means of shape {means.shape}")
        if not (np.all(weights >= -TOLERANCE) and abs(weights.sum() - 1) <= TOLERANCE):
            raise ValueError("weights must not be negative and must add to 1")
        if not np.isfinite(means).all():
            raise ValueError("means must be finite")
        np.clip(weights, 0, None, out=weights)
        for name, value in (("weights", weights), ("means", means)):
            value.flags.writeable = False
            object.__setattr__(self, name, value)

    @property
    def n_blocks(self) -> int:
        """Number of blocks."""
        return len(self.weights)

    def sample(self, n_rows: int, generator: np.random.Generator) -> Float64Array:
        """Bootstrapped block means, shape (n_rows, n_features) (paper, Section 4.2).

        Each row is a block drawn by the weights, and so are any two rows together nearly: a block comes
        floor(n w) or ceil(n w) times, by one uniform number for all (systematic sampling), in random order.
        So the expectations are those of independent draws, and no count is off by more than one.
        """
        borders = np.concatenate([[0.0], np.cumsum(self.weights / self.weights.sum())])
        borders[-1] = 1.0
        # Row r, before shuffling, stands at (r + u) / n.
        places = np.ceil(borders * n_rows - generator.random()).astype(np.int64)
        stops = np.clip(places, 0, n_rows)
        times = stops[1:] - stops[:-1]
        labels = np.repeat(np.arange(self.n_blocks), times)
        return np.asarray(self.means[generator.permutation(labels)])

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Plain arrays that hold the model, for `from_arrays`."""
        return {"weights": self.weights, "means": self.means}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> BlockMeans:
        """The model that `to_arrays` wrote, with the same bits; validated again.

        Raises
        ------
        ValueError
            If an array is absent, of another kind, or not valid.
        """
        for name in ("weights", "means"):
            if name not in arrays or arrays[name].dtype != np.float64:
                raise ValueError(f"the array {name!r} is absent or not float64")
        return cls(arrays["weights"], arrays["means"])


def principal_directions(
    covariance: Float64Array, noise_sd: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Variances along the directions that stand out of the noise, descending, and these directions.

    Parameters
    ----------
    covariance : float64 array, shape (p, p)
        Symmetric; released, centred.
    noise_sd : float
        Standard deviation of an entry's noise.

    Returns
    -------
    variances : float64 array, shape (t,)
        Positive; t may be 0.
    directions : float64 array, shape (p, t)
        Orthonormal columns.
    """
    smooth, _ = shrink_eigenvalues(covariance, noise_sd)
    values, vectors = partition.symmetric_eigen(np.ascontiguousarray((smooth + smooth.T) / 2))
    t = min(int((values > 1e-12 * max(values[0], 1e-300)).sum()), MAX_COMPONENTS)
    return values[:t], np.ascontiguousarray(vectors[:, :t])


def distortion(variances: Float64Array, n_blocks: int) -> float:
    """Expected squared distance of a Gaussian vector from the best of `n_blocks` points, nearly.

    The distortion-rate function of independent Gaussians at log(n_blocks) nats: directions of variance above
    the water level keep that much, the others all of theirs (reverse water-filling).
    """
    rate = 2.0 * math.log(n_blocks)
    ordered = np.sort(variances)[::-1]
    logs = np.log(ordered)
    for t in range(len(ordered), 0, -1):  # as many directions as the rate reaches
        level = math.exp((logs[:t].sum() - rate) / t)
        if level <= ordered[t - 1]:
            return float(t * level + ordered[t:].sum())
    return float(ordered.sum())


def choose_n_blocks(variances: Float64Array, n: float, noise_sd: float) -> int:
    """Choose the number of blocks at which what blocks lose and what noise adds are least, together.

    With k blocks of n/k records a mean has noise of variance (k noise_sd / n)^2 in every direction; singular
    values take off what lies outside the t directions in which means differ.

    Parameters
    ----------
    variances : float64 array, shape (t,)
        Of the directions, released.
    n : float
        Released or public number of records.
    noise_sd : float
        Noise of an entry of a block's sum.
    """
    if len(variances) == 0:
        return 1
    t = len(variances)
    candidates = sorted({round(2 ** (i / 2)) for i in range(2 * int(math.log2(MAX_BLOCKS)) + 1)})
    costs = {
        k: distortion(variances, k) + (t * (k * noise_sd / n) ** 2 if k > 1 else 0.0)
        for k in candidates
        if k == 1 or k * _LEAST_RECORDS <= n
    }
    return min(costs, key=lambda k: (costs[k], k))


def gaussian_points(
    variances: Float64Array, n_blocks: int, generator: np.random.Generator, n_threads: int
) -> Float64Array:
    """Points for Gaussian records with these variances, shape (n_blocks, t): centres of a sample of them.

    The sample is public randomness scaled by released variances, so that its centres (Lloyd's steps) cost
    nothing, and lie where records would be if nothing more were known of them.
    """
    n_drawn = max(n_blocks, min(_SAMPLE_PER_BLOCK * n_blocks, _MOST_SAMPLED))
    drawn = generator.standard_normal((n_drawn, len(variances))) * np.sqrt(variances)
    points = drawn[:n_blocks].copy()
    steps = 2.0**24 / np.abs(drawn).max()  # 16 (2 * 2^24)^2 < 2^63
    whole = np.rint(drawn * steps).astype(np.int64)
    for _ in range(_LLOYD_STEPS if n_blocks <= MAX_BLOCKS else 0):  # more take too long for what they gain
        labels = partition.nearest_point(whole, np.rint(points * steps).astype(np.int64), n_threads)
        counts = np.bincount(labels, minlength=n_blocks)
        for column in range(len(variances)):
            sums = np.bincount(labels, weights=drawn[:, column], minlength=n_blocks)
            points[:, column] = np.where(counts > 0, sums / np.maximum(counts, 1), points[:, column])
    return np.asarray(points)


def combined(estimates: list[tuple[Any, float]]) -> tuple[Any, float]:
    """Return the average of estimates (value, variance) by inverse variance, and its variance."""
    precision = sum(1.0 / variance for _, variance in estimates)
    value = sum(value / variance for value, variance in estimates) / precision
    return value, 1.0 / precision
