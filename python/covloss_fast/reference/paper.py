"""The whole of ``method="paper"`` as one function in plain numpy and Python's integers.

Steps and names are the paper's (Boedihardjo, Strohmer and Vershynin); mechanisms follow one another as in the
ledger, whose line numbers are the streams of the noise. With the keys of a seed it releases what
:class:`covloss_fast.CovLossSynthesizer` releases with that ``random_state``: the same integers and records,
and weights and means to within the rounding of floats. (The eigenvectors of two libraries differ in their
last digits. A record that lies as far from one point as from another, to eight digits, could be put into
another block.) Sensitivities are those of the door, which have twins of their own in :mod:`.queries`.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from covloss_fast.privacy import mechanisms
from covloss_fast.privacy.accounting import Budget
from covloss_fast.privacy.ledger import Neighbours
from covloss_fast.privacy.mechanisms import Sensitivity
from covloss_fast.records.partition import NearestPoint, Pinning, RandomSigns
from covloss_fast.reference.bits import marginal_counts, one_hot
from covloss_fast.reference.noise import discrete_laplace
from covloss_fast.reference.partition import (
    assign_nearest,
    block_statistics,
    covering,
    pin,
    sign_cells,
    symmetric_eigen,
)
from covloss_fast.reference.rounding import project_simplex, round_rows

__all__ = ["PaperRelease", "release_paper"]


@dataclass(frozen=True)
class PaperRelease:
    """What the paper's method releases.

    Attributes
    ----------
    n_released : int
        Number of records, noise included; exact under replace-one.
    weights : float64 array, shape (n_blocks,)
        Weights of the blocks.
    means : float64 array, shape (n_blocks, n_bits)
        Means of the blocks.
    codes : unsigned array, shape (q, n)
        The canonical table.
    errors : list of float
        Measured RMS error of its d-way marginals, d = 1..4; empty without certificate.
    """

    n_released: int
    weights: NDArray[np.float64]
    means: NDArray[np.float64]
    codes: NDArray[np.unsignedinteger]
    errors: list[float]


def release_paper(
    codes: NDArray[np.int64],
    sizes: tuple[int, ...],
    epsilon: Fraction,
    seed: int,
    *,
    neighbours: Neighbours = "add_or_remove_one",
    n_blocks: int | None = None,
    partition: str | None = None,
    certificate: bool = True,
) -> PaperRelease:
    """Release a table of codes by the paper's method. Minutes, for more than a few thousand records.

    Parameters
    ----------
    codes : int64 array, shape (n, q)
        Records.
    sizes : tuple of int
        Number of levels of each attribute.
    epsilon : Fraction
        Budget.
    seed : int
        Where the keys come from: the release is not private.
    neighbours : {"add_or_remove_one", "replace_one"}
        The neighbouring relation.
    n_blocks : int, optional
        Bound on the number of blocks; None for the theorem's.
    partition : {"covering", "pinning", "signs"}, optional
        What the blocks are; None for pins from 64 blocks on, a covering else.
    certificate : bool
        Whether the errors are measured; for at most 10,000 sets of a degree.
    """
    noise_key = hashlib.sha256(f"covloss_fast/1{seed}".encode()).digest()
    public_key = hashlib.sha256(f"covloss_fast/1/public{seed}".encode()).digest()
    streams = itertools.count()

    def noisy(exact: NDArray[np.int64], sensitivity: Sensitivity, share: Fraction) -> NDArray[np.int64]:
        scale = mechanisms.noise_scale(Budget(epsilon, 0), sensitivity, share)
        noise = discrete_laplace(noise_key, next(streams), exact.size, scale.numerator, scale.denominator)
        return np.asarray(exact + noise.reshape(exact.shape))

    q, bits = len(sizes), one_hot(list(codes.T), sizes)
    p = bits.shape[1]
    owner = np.repeat(np.arange(q), [1 if size == 2 else size for size in sizes])
    signed = np.array(sizes)[owner] == 2
    n_binary, n_other = sizes.count(2), q - sizes.count(2)

    # The number of records.
    n_released, means_share = len(codes), Fraction(55, 100)
    if neighbours == "add_or_remove_one":
        sensitivity = mechanisms.record_count(neighbours)
        n_released = int(noisy(np.array([n_released]), sensitivity, Fraction(5, 100))[0])
    else:
        means_share += Fraction(5, 100)
    if not certificate:
        means_share += Fraction(5, 100)
    n = max(10, n_released)

    # Parameters (Theorem 1.2; Section 5): k blocks, dimension t, fineness alpha, damping b.
    k = n_blocks or max(3, math.floor(math.sqrt(float(epsilon) * n / p)))
    partition = partition or ("pinning" if k >= 64 else "covering")
    is_covering = partition == "covering" and q > 1
    dimensions = [t for t in range(1, min(p, 64) + 1) if 7 * k ** (-1 / t) < 1] if is_covering else []
    t = min(dimensions, key=lambda t: (7 * k ** (-1 / t)) ** 2 + 0.5 / math.sqrt(t), default=0)
    n_cells = {"covering": 0, "pinning": min(int(math.log2(k)), p), "signs": int(math.log2(k))}[partition]
    b = math.ceil((8 if t else 3) * math.sqrt(n * p / (k * float(epsilon))) if t or n_cells else 0.9 * n)

    # The partition: nearest points of a covering of the ball of the t leading eigenvectors of the released
    # second moment (Sections 3 and 5.1). A binary attribute enters as z = 2 x - 1, a record as u / sqrt(q).
    # Pins and signs are drawn without the data and leave the share of the projection to the means.
    labels, n_points = np.zeros(len(codes), dtype=np.int32), 1
    if t == 0:
        means_share += Fraction(25, 100)
        public = np.random.Generator(
            np.random.Philox(key=int.from_bytes(public_key[:16], "little"), counter=[0, 0, 0, 1])
        )
        seed_of_cells, n_points = int(public.integers(2**63)), 2**n_cells
        if partition == "signs":
            cells = RandomSigns.random(signed, n_cells, seed_of_cells)
            labels = sign_cells(bits, cells.directions, cells.offset)
        else:
            labels = pin(bits, Pinning.random(p, n_cells, seed_of_cells).columns)
    else:
        pairs = mechanisms.all_pairs(n_binary, n_other, neighbours)
        levels = mechanisms.one_way(0, n_other, neighbours).l1 if n_other else 0
        to_levels = Fraction(25, 100) * Fraction(levels, pairs.l1 + levels)
        u = np.where(signed, 2 * bits.astype(np.int64) - 1, bits)
        product = u.T @ u
        moment = np.zeros((p, p))
        apart = np.triu(owner[:, None] != owner)
        moment[apart] = noisy(product[apart], pairs, Fraction(25, 100) - to_levels)
        moment += moment.T
        np.fill_diagonal(moment, n)
        if n_other:
            counts = np.diagonal(product)[~signed]
            sensitivity = mechanisms.one_way(0, n_other, neighbours)
            moment[~signed, ~signed] = noisy(counts, sensitivity, to_levels)
        directions = symmetric_eigen(moment)[1][:, :t]
        points = np.sqrt(q) * covering(t, 7 * k ** (-1 / t))
        grid = NearestPoint.from_real(
            directions * np.where(signed, 2.0, 1.0)[:, None], -(signed @ directions), points
        )
        labels = assign_nearest(bits, grid.directions, grid.offset, grid.points)
        n_points = len(points)

    # Weights (Section 5.2) and damped means (5.4) of the blocks, taken back to the convex set (5.5).
    counts, sums = block_statistics(bits, labels, n_points)
    released = noisy(counts, mechanisms.block_counts(neighbours), Fraction(10, 100))
    weights = project_simplex(released / n)
    damped = 1024 * b * sums // np.maximum(counts, b)[:, None]
    sensitivity = mechanisms.damped_means(sizes, 1024 * b, b, neighbours)
    means = noisy(damped, sensitivity, means_share) / (1024 * b)
    for attribute, size in enumerate(sizes):
        group = owner == attribute
        if size == 2:
            means[:, group] = np.clip(means[:, group], 0, 1)
        else:
            means[:, group] = [project_simplex(row) for row in means[:, group]]

    # The canonical table: bootstrapping and randomized rounding (Sections 4.2 and 4.3).
    rows_key = hashlib.sha256(public_key + b"canonical rows").digest()
    drawn = round_rows(weights, means, sizes, min(n, 1_000_000), rows_key)

    # The certificate: floor(2^10 || N - n M || / sqrt(number of sets)) for each degree.
    errors = []
    degrees = range(1, min(4, q) + 1) if certificate else range(0)
    for degree in degrees:
        every = np.array(list(itertools.combinations(range(p), degree)), dtype=np.int32)
        sets = np.array([each for each in every if len(set(owner[each])) == degree])
        true, made = (marginal_counts(table, sets).tolist() for table in (bits, one_hot(list(drawn), sizes)))
        m = drawn.shape[1]
        square = sum((Fraction(a) - Fraction(len(codes) * c, m)) ** 2 for a, c in zip(true, made))
        answer = math.isqrt(math.floor(2**20 * square / len(sets)))
        share = Fraction(5, 100) / len(degrees)
        sensitivity = mechanisms.certificate(neighbours)
        measured = int(noisy(np.array([answer]), sensitivity, share)[0])
        errors.append(min(1.0, max(0, measured) / 2**10 / max(1, n_released)))
    return PaperRelease(n_released, weights, means, drawn, errors)
