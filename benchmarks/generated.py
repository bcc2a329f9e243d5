"""Tables of many shapes: binary ones, on which constants of the default method were chosen, and others."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


def mixture(n: int, p: int, k: int, seed: int, a: float = 0.5, b: float = 1.0) -> np.ndarray:
    """A mixture of k products, of Beta(a, b) probabilities."""
    generator = np.random.default_rng(seed)
    profile = generator.beta(a, b, (k, p))
    component = generator.choice(k, n, p=generator.dirichlet(np.ones(k)))
    return (generator.random((n, p)) < profile[component]).astype(np.uint8)


def factors(n: int, p: int, r: int, seed: int, load: float = 0.7) -> np.ndarray:
    """Thresholds of p combinations of r hidden normal factors."""
    generator = np.random.default_rng(seed)
    loads = generator.normal(size=(r, p)) * load / np.sqrt(r)
    level = generator.normal(0.7, 0.7, p)
    hidden = generator.normal(size=(n, r)) @ loads + 0.7 * generator.normal(size=(n, p))
    return (hidden > level).astype(np.uint8)


def tree(n: int, p: int, seed: int) -> np.ndarray:
    """Each attribute depends on one before it."""
    generator = np.random.default_rng(seed)
    table = np.zeros((n, p), np.uint8)
    table[:, 0] = generator.random(n) < 0.4
    for j in range(1, p):
        parent = table[:, generator.integers(0, j)] == 1
        table[:, j] = generator.random(n) < np.where(parent, generator.beta(2, 2), generator.beta(1, 2))
    return table


def network(n: int, p: int, seed: int) -> np.ndarray:
    """Each attribute is a logistic function of three before it and a product of two of them."""
    generator = np.random.default_rng(seed)
    table = np.zeros((n, p), np.uint8)
    for j in range(p):
        score = np.full(n, generator.normal(-0.8, 0.5))
        if j:
            parents = table[:, generator.choice(j, min(j, 3), replace=False)]
            score += parents @ generator.normal(0, 1.5, parents.shape[1])
            score += parents[:, 0] * parents[:, -1] * generator.normal(0, 1.5)
        table[:, j] = generator.random(n) < 1 / (1 + np.exp(-score))
    return table


def mixture_of_levels(n: int, sizes: list[int], k: int, seed: int) -> np.ndarray:
    """Codes of a mixture of k products, of Dirichlet(1/2) probabilities."""
    generator = np.random.default_rng(seed)
    component = generator.choice(k, n, p=generator.dirichlet(np.ones(k)))
    columns = []
    for size in sizes:
        steps = generator.dirichlet(np.full(size, 0.5), k).cumsum(axis=1)[component]
        columns.append(np.minimum((generator.random(n)[:, None] > steps).sum(axis=1), size - 1))
    return np.stack(columns, axis=1)


def binned_factors(n: int, sizes: list[int], r: int, seed: int) -> np.ndarray:
    """Codes of combinations of r hidden normal factors, cut at random quantiles."""
    generator = np.random.default_rng(seed)
    loads = 0.8 * generator.normal(size=(r, len(sizes)))
    hidden = generator.normal(size=(n, r)) @ loads + generator.normal(size=(n, len(sizes)))
    cuts = [np.quantile(x, np.sort(generator.random(size - 1))) for x, size in zip(hidden.T, sizes)]
    return np.stack([np.searchsorted(cut, x) for cut, x in zip(cuts, hidden.T)], axis=1)


#: Tables of codes with the sizes of their attributes.
TABLES_OF_LEVELS: dict[str, tuple[list[int], Callable[[list[int]], np.ndarray]]] = {
    "levels, mixture of 6": (
        [2, 3, 5, 8, 13, 21, 4, 6],
        lambda sizes: mixture_of_levels(30_000, sizes, 6, 1),
    ),
    "levels, mixture of 10, large": (
        [2, 3, 5, 8, 13, 21, 4, 6, 40, 3, 3, 3],
        lambda sizes: mixture_of_levels(200_000, sizes, 10, 2),
    ),
    "levels, 3 factors": (
        [3, 5, 7, 9, 4, 6, 2, 2, 12, 30],
        lambda sizes: binned_factors(50_000, sizes, 3, 3),
    ),
    "levels, 2 factors, small": ([3, 5, 7, 9, 4, 6], lambda sizes: binned_factors(5_000, sizes, 2, 4)),
    "levels, 4 factors, wide": ([4] * 30, lambda sizes: binned_factors(20_000, sizes, 4, 5)),
}

TABLES: dict[str, Callable[[], np.ndarray]] = {
    "mixture of 8": lambda: mixture(20_000, 40, 8, 1),
    "mixture of 5, small": lambda: mixture(5_000, 20, 5, 2),
    "sparse mixture of 30": lambda: mixture(30_000, 100, 30, 3, 0.2, 1.5),
    "mixture of 15, large": lambda: mixture(200_000, 50, 15, 11),
    "4 factors": lambda: factors(20_000, 30, 4, 4),
    "10 factors": lambda: factors(50_000, 80, 10, 5),
    "3 weak factors": lambda: factors(15_000, 120, 3, 6, 0.4),
    "6 factors, large": lambda: factors(300_000, 40, 6, 12),
    "tree": lambda: tree(20_000, 50, 7),
    "tree, large": lambda: tree(100_000, 30, 8),
    "network, small": lambda: network(10_000, 16, 9),
    "network": lambda: network(50_000, 60, 10),
}
