"""What a release measured directly: the counts that passed the door, and the noise of each.

Rows are made from denoised targets, which are better on the whole and biased in every part. Who wants one
marginal with an honest standard error is better served by the noisy counts themselves: they are unbiased and
their noise is known exactly. So a release keeps them. All of it is post-processing.

With N a count that has noise of variance s^2 and n~ the released number of records, noise of variance s_n^2
(0 where it is public), the share N / n~ is off by (e - (N/n) e_n) / n to first order, e and e_n the two
noises, which are independent. Sums of z = +-1 give shares as (1 + S/n~)/2, and pairs of binary attributes as
(1 +- S_a/n~ +- S_b/n~ +- G_ab/n~)/4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Measured:
    """Released counts of single attributes and of pairs.

    Attributes
    ----------
    sizes : tuple of int
        Number of levels of each attribute.
    n : float
        Number of records to divide by: released, or public.
    n_sd : float
        Noise of the released number; 0 where it is public.
    singles : tuple of float64 arrays
        For each attribute the counts of its levels, shape (size,), or the sum of z if it has two, shape (1,).
    single_sd : float64 array, shape (q,)
        Noise of each of them.
    tables : dict of (int, int) to float64 array
        Counts of pairs of levels of attributes a < b, all levels apart.
    table_sd : dict of (int, int) to float
        Noise of a cell of each.
    products : float64 array, shape (q, q), or None
        Sums of z_a z_b, where all attributes are binary and all pairs are released.
    product_sd : float
        Noise of each.
    """

    sizes: tuple[int, ...]
    n: float
    n_sd: float
    singles: tuple[NDArray[np.float64], ...]
    single_sd: NDArray[np.float64]
    tables: Mapping[tuple[int, int], NDArray[np.float64]] = field(default_factory=dict)
    table_sd: Mapping[tuple[int, int], float] = field(default_factory=dict)
    products: NDArray[np.float64] | None = None
    product_sd: float = 0.0

    def estimate(self, attributes: Sequence[int]) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        """Unbiased shares of a marginal and their standard errors; None if it was not measured.

        Parameters
        ----------
        attributes : sequence of int
            Distinct attributes, in the order of the axes of the result.
        """
        if len(attributes) == 1:
            return self._single(attributes[0])
        if len(attributes) != 2:
            return None
        a, b = sorted(attributes)
        found = self._pair(a, b)
        if found is None or (a, b) == tuple(attributes):
            return found
        return found[0].T, found[1].T

    def _shares(
        self, counts: NDArray[np.float64], variance: float
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        shares = counts / self.n
        return shares, np.sqrt(variance + (shares * self.n_sd) ** 2) / self.n

    def _single(self, a: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        values, error = self._shares(self.singles[a], float(self.single_sd[a] ** 2))
        if self.sizes[a] != 2:
            return values, error
        return (1.0 + np.array([-1.0, 1.0]) * values) / 2.0, np.repeat(error / 2.0, 2)

    def _pair(self, a: int, b: int) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        if (a, b) in self.tables:
            return self._shares(self.tables[a, b], self.table_sd[a, b] ** 2)
        if self.products is None:
            return None
        z = np.array([-1.0, 1.0])
        of_a, of_b = z[:, None] * self.singles[a], z[None, :] * self.singles[b]
        sums = of_a + of_b + np.outer(z, z) * self.products[a, b]
        variance = float(self.single_sd[a] ** 2 + self.single_sd[b] ** 2 + self.product_sd**2)
        values, error = self._shares(sums, variance)
        return (1.0 + values) / 4.0, error / 4.0

    def to_parts(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Plain JSON values, and arrays, that hold it; for `from_parts`."""
        pairs = sorted(self.tables)
        arrays = {"measured/singles": np.concatenate(self.singles), "measured/single_sd": self.single_sd}
        if pairs:
            arrays["measured/tables"] = np.concatenate([self.tables[pair].ravel() for pair in pairs])
            arrays["measured/table_sd"] = np.array([self.table_sd[pair] for pair in pairs])
        if self.products is not None:
            arrays["measured/products"] = self.products[np.triu_indices(len(self.sizes), 1)]
        values = {"n": self.n, "n_sd": self.n_sd, "product_sd": self.product_sd, "tables": pairs}
        return values, arrays

    @classmethod
    def from_parts(
        cls, sizes: tuple[int, ...], values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
    ) -> Measured:
        """Read what `to_parts` gave.

        Raises
        ------
        ValueError
            If an array is absent or has another shape, or a value is not possible.
        """
        q = len(sizes)
        widths = [1 if size == 2 else size for size in sizes]
        n, n_sd, product_sd = (_number(values, name) for name in ("n", "n_sd", "product_sd"))
        if n < 1:
            raise ValueError(f"measured counts are of {n} records")
        pairs = [_pair_of(pair, q) for pair in values["tables"]]
        cells = [sizes[a] * sizes[b] for a, b in pairs]
        singles = _array(arrays, "singles", sum(widths))
        tables: dict[tuple[int, int], NDArray[np.float64]] = {}
        table_sd: dict[tuple[int, int], float] = {}
        if pairs:
            parts = np.split(_array(arrays, "tables", sum(cells)), np.cumsum(cells)[:-1])
            tables = {(a, b): part.reshape(sizes[a], sizes[b]) for (a, b), part in zip(pairs, parts)}
            table_sd = dict(zip(pairs, _array(arrays, "table_sd", len(pairs)).tolist()))
        products = None
        if "measured/products" in arrays:
            products = np.zeros((q, q))
            products[np.triu_indices(q, 1)] = _array(arrays, "products", q * (q - 1) // 2)
            products += products.T
        return cls(
            sizes=sizes,
            n=n,
            n_sd=n_sd,
            singles=tuple(np.split(singles, np.cumsum(widths)[:-1])),
            single_sd=_array(arrays, "single_sd", q),
            tables=tables,
            table_sd=table_sd,
            products=products,
            product_sd=product_sd,
        )


def _number(values: Mapping[str, Any], name: str) -> float:
    value = values[name]
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < np.inf:
        raise ValueError(f"{name} of the measured counts cannot be {value!r}")
    return float(value)


def _pair_of(pair: Any, q: int) -> tuple[int, int]:
    if not (isinstance(pair, list | tuple) and len(pair) == 2 and all(type(each) is int for each in pair)):
        raise ValueError("a measured pair is two numbers of attributes")
    if not 0 <= pair[0] < pair[1] < q:
        raise ValueError(f"there is no pair of attributes {tuple(pair)}")
    return pair[0], pair[1]


def _array(arrays: Mapping[str, NDArray[Any]], name: str, length: int) -> NDArray[np.float64]:
    array = arrays.get(f"measured/{name}")
    if array is None or array.dtype != np.float64 or array.shape != (length,):
        raise ValueError(f"the array 'measured/{name}' is absent or not float64 of length {length}")
    return array
