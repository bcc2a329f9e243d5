"""Tables of binary attributes of many shapes, on which the constants of the default method were chosen."""

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
