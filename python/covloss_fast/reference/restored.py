"""What ``method="restored"`` releases, statistic by statistic, in plain numpy and Python's integers.

The private half of the method: exact answers by their definitions, and the noise that they get, one array of
released integers for each line of the ledger. With the keys of a seed these are the integers that
:class:`covloss_fast.CovLossSynthesizer` releases with that ``random_state``. What is done with released
values is plain numpy in :mod:`covloss_fast.released` already, and is called from there; rows that are fitted
to them have their twin in :mod:`.restoration`.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covloss_fast.privacy import mechanisms
from covloss_fast.privacy.accounting import Budget
from covloss_fast.privacy.ledger import Distribution, Neighbours
from covloss_fast.privacy.mechanisms import Sensitivity
from covloss_fast.records.partition import NearestPoint, Pinning
from covloss_fast.reference.noise import discrete_gaussian, discrete_laplace
from covloss_fast.reference.partition import assign_nearest, pin, symmetric_eigen
from covloss_fast.reference.queries import all_pairs, block_statistics, one_way, pair_table
from covloss_fast.reference.rounding import project_simplex
from covloss_fast.released.coarse_levels import CoarseLevels
from covloss_fast.released.denoising import denoise_covariance, shrink_towards_common_mean
from covloss_fast.released.planning import (
    CERTIFICATE_SHARE,
    COUNT_SHARE,
    NoiseLevels,
    one_way_weights,
    plan_binary,
    plan_categorical,
    select_pairs,
)

__all__ = ["released_statistics"]


class _Releases:
    """The released integers of a fit in the order of its ledger; a line's number is its stream of noise."""

    def __init__(self, budget: Budget, seed: int) -> None:
        self.budget = budget
        self.distribution: Distribution = "discrete Laplace" if budget.is_pure else "discrete Gaussian"
        self.answers: list[NDArray[np.int64]] = []
        self._key = hashlib.sha256(f"covloss_fast/1{seed}".encode()).digest()

    def release(
        self, exact: NDArray[np.int64], sensitivity: Sensitivity, share: Fraction
    ) -> NDArray[np.int64]:
        """An exact answer plus noise."""
        scale = mechanisms.noise_scale(self.budget, sensitivity, share)
        draw = discrete_laplace if self.budget.is_pure else discrete_gaussian
        noise = draw(self._key, len(self.answers), exact.size, scale.numerator, scale.denominator)
        self.answers.append(exact + noise.reshape(exact.shape))
        return self.answers[-1]

    def noise_sd(self, sensitivity: Sensitivity, share: Fraction = Fraction(1)) -> float:
        """The standard deviation of that noise."""
        scale = mechanisms.noise_scale(self.budget, sensitivity, share)
        return math.sqrt(mechanisms.noise_variance(self.distribution, scale))


def released_statistics(
    codes: NDArray[np.int64],
    sizes: tuple[int, ...],
    budget: Budget,
    seed: int,
    *,
    neighbours: Neighbours = "add_or_remove_one",
    certificate: bool = True,
    ordered: bool = True,
    options: Mapping[str, Any] | None = None,
) -> list[NDArray[np.int64]]:
    """Released integers of a fit, but for its certificate. Minutes, for more than a few thousand cells.

    Parameters
    ----------
    codes : int64 array, shape (n, q)
        Records.
    sizes : tuple of int
        Number of levels of each attribute.
    budget : Budget
        What the fit spends.
    seed : int
        Where the keys come from: the release is not private.
    neighbours : {"add_or_remove_one", "replace_one"}
        The neighbouring relation.
    certificate : bool
        Whether a share is set aside for the certificate.
    ordered : bool
        Whether the codes of the attributes have an order.
    options : mapping, optional
        Overrides, as the synthesizer takes them.

    Returns
    -------
    list of int64 arrays
        In the order of the ledger.
    """
    releases = _Releases(budget, seed)
    reserved = {"certificate": CERTIFICATE_SHARE} if certificate else {}
    n = len(codes)
    if neighbours == "add_or_remove_one":
        reserved["count"] = COUNT_SHARE
        n = int(releases.release(np.array([n]), mechanisms.record_count(neighbours), COUNT_SHARE)[0])
    n = max(10, n)
    if set(sizes) == {2} and not (options or {}).get("workload"):
        public_key = hashlib.sha256(f"covloss_fast/1/public{seed}".encode()).digest()
        _release_binary(releases, codes, sizes, n, reserved, neighbours, options or {}, public_key)
    else:
        _release_categorical(releases, codes, sizes, n, reserved, neighbours, options or {}, ordered)
    return releases.answers


def _release_binary(
    releases: _Releases,
    codes: NDArray[np.int64],
    sizes: tuple[int, ...],
    n: int,
    reserved: Mapping[str, Fraction],
    neighbours: Neighbours,
    options: Mapping[str, Any],
    public_key: bytes,
) -> None:
    """Means of z = 2 x - 1, products of pairs, then counts and sums of blocks refined step by step."""
    p = len(sizes)
    of_means = mechanisms.one_way(p, 0, neighbours)
    weight = math.isqrt(p) if neighbours == "replace_one" and not releases.budget.is_pure else 1
    of_blocks = mechanisms.block_statistics(p, 0, neighbours, weight)
    full = {"means": releases.noise_sd(of_means), "blocks": releases.noise_sd(of_blocks), "all_pairs": 0.0}
    if p > 1:
        of_pairs = mechanisms.all_pairs(p, 0, neighbours)
        full["all_pairs"] = releases.noise_sd(of_pairs)
    noise = NoiseLevels(full, releases.budget.is_pure)
    plan = plan_binary(p, noise, n, reserved=reserved, **options)

    sums = releases.release(one_way(codes, sizes), of_means, plan.shares["one_way"])
    noise_sd = releases.noise_sd(of_means, plan.shares["one_way"])
    means = np.clip(shrink_towards_common_mean(sums / n, noise_sd / n), -1, 1)
    if plan.is_independent:
        return

    def ask_blocks(labels: NDArray[np.int32], share: Fraction, weight: int) -> NDArray[np.int64]:
        exact = block_statistics(codes, sizes, labels.astype(np.int64), plan.n_blocks, weight)
        of_blocks = mechanisms.block_statistics(p, 0, neighbours, weight)
        return releases.release(exact.reshape(plan.n_blocks, 1 + p), of_blocks, share)

    key = int.from_bytes(public_key[:16], "little")
    if plan.n_pins:
        public = np.random.Generator(np.random.Philox(key=key, counter=[0, 0, 0, 2]))
        pins = Pinning.random(p, plan.n_pins, int(public.integers(2**63)))
        ask_blocks(pin(codes.astype(np.uint8), pins.columns), plan.shares["blocks"], math.isqrt(p))
        return

    products = np.zeros((p, p))
    upper = np.triu_indices(p, 1)
    products[upper] = releases.release(all_pairs(codes, sizes), of_pairs, plan.shares["pairs"])
    noise_sd = releases.noise_sd(of_pairs, plan.shares["pairs"])
    covariance = (products + products.T) / n - np.outer(means, means)
    _, smooth, n_kept = denoise_covariance(
        covariance, noise_sd / n, means, is_laplace=releases.budget.is_pure
    )
    if plan.n_blocks == 1:
        return

    t = max(1, min(plan.n_components, n_kept))
    values, vectors = symmetric_eigen(smooth)
    directions, spread = vectors[:, :t], np.sqrt(np.maximum(values[:t], 1e-9))
    generator = np.random.Generator(np.random.Philox(key=key, counter=[0, 0, 0, 1]))
    share = plan.shares["blocks"] / plan.n_steps
    noise_sd = releases.noise_sd(of_blocks, share)
    points = 0.7 * spread * generator.standard_normal((plan.n_blocks, t))
    for step in range(plan.n_steps):
        grid = NearestPoint.from_real(2 * directions, -(1 + means) @ directions, points, 31)
        labels = assign_nearest(codes.astype(np.uint8), grid.directions, grid.offset, grid.points)
        released = ask_blocks(labels, share, weight)
        if step + 1 < plan.n_steps:  # to the released means; points that few records are near are drawn anew
            counts, block_sums = released[:, 0] / weight, released[:, 1:]
            anew = 0.7 * spread * generator.standard_normal((plan.n_blocks, t))
            moved = (block_sums / np.maximum(counts, 3 * noise_sd)[:, None] - means) @ directions
            points = np.where((counts > 4 * noise_sd * math.sqrt(t))[:, None], moved, anew)


def _release_categorical(
    releases: _Releases,
    codes: NDArray[np.int64],
    sizes: tuple[int, ...],
    n: int,
    reserved: Mapping[str, Fraction],
    neighbours: Neighbours,
    options: Mapping[str, Any],
    ordered: bool,
) -> None:
    """Counts of levels, distances of pairs from independence, then the tables of the pairs that matter."""
    q, is_pure = len(sizes), releases.budget.is_pure
    pairs = [(a, b) for b in range(q) for a in range(b)]
    of_table = mechanisms.pair_table(neighbours)
    of_scores = mechanisms.pair_score(max(len(pairs), 1), neighbours)
    full = {
        "levels": releases.noise_sd(mechanisms.one_way(0, 1, neighbours)),
        "pair_table": releases.noise_sd(of_table),
        "pair_scores": releases.noise_sd(of_scores),
    }
    noise = NoiseLevels(full, is_pure)
    plan = plan_categorical(sizes, noise, n, reserved=reserved, **options)
    workload = options.get("workload")

    def release_levels(share: Fraction) -> list[NDArray[np.float64]]:
        """Fractions of the levels of each attribute: of a binary one by a sum of z."""
        fractions = []
        parts = mechanisms.proportional_shares(share, one_way_weights(sizes, is_pure, workload))
        for attribute, (size, part) in enumerate(zip(sizes, parts)):
            sensitivity = mechanisms.one_way(int(size == 2), int(size != 2), neighbours)
            counts = releases.release(one_way(codes[:, [attribute]], [size]), sensitivity, part)
            one = (1 + counts[0] / n) / 2
            fractions.append(project_simplex(np.array([1 - one, one]) if size == 2 else counts / n))
        return fractions

    levels = CoarseLevels.choose(release_levels(plan.shares["one_way"]), [ordered] * q, plan.least_fraction)
    if plan.is_independent:
        return

    coarse = np.stack([of_level[column] for of_level, column in zip(levels.of_level, codes.T)], axis=1)

    def table(a: int, b: int) -> NDArray[np.int64]:
        return pair_table(coarse, levels.sizes, a, b).reshape(levels.sizes[a], levels.sizes[b])

    independent = [n * np.outer(levels.margins[a], levels.margins[b]) for a, b in pairs]
    exact = [np.abs(table(*pair) - np.rint(m)).sum() for pair, m in zip(pairs, independent)]
    scores = releases.release(np.array(exact, dtype=np.int64), of_scores, plan.shares["scores"])
    noise_sd = releases.noise_sd(of_scores, plan.shares["scores"])
    distances = np.maximum(scores - noise_sd, 0) / (2 * n)
    n_cells = np.array([levels.sizes[a] * levels.sizes[b] for a, b in pairs])
    table_sd = noise.at("pair_table", float(plan.shares["pairs"]))
    counts = workload.of_pairs(pairs) if workload else 1.0
    selected, parts = select_pairs(distances, n_cells, table_sd, n, is_pure, counts)
    if len(selected) == 0:
        release_levels(plan.shares["pairs"])
        return
    shares = mechanisms.proportional_shares(plan.shares["pairs"], parts.tolist())
    for chosen, share in zip(selected, shares):
        releases.release(table(*pairs[chosen]), of_table, share)
