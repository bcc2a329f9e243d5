"""A marginal as people read it: levels, shares, standard errors, and where they come from."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Frame = Literal["pandas", "polars", "pyarrow", "dict"]

_SOURCES = {
    "measured": "counts that the release measured directly",
    "rows": "counted in the synthetic rows",
}
_ERRORS = {
    "noise": "the noise of the release, known exactly; shares are unbiased",
    "certificate": "RMS error of all marginals of this degree, privately measured: model and noise",
    "none": "unknown: the release has no certificate of this degree",
}
_MOST_SHOWN = 40


@dataclass(frozen=True, eq=False)
class MarginalEstimate:
    """The estimate of a marginal from a release.

    Attributes
    ----------
    attributes : tuple of str
        Names, in the order of the axes.
    levels : tuple of tuples
        The levels of each attribute: those declared, bins as text such as "[0, 10)", None for a missing
        value.
    shares : float64 array, one axis for each attribute
        Estimated shares of the records. If measured they are unbiased, and can lie a little below 0 or add to
        a little more or less than 1; clipping them to [0, 1] makes no interval worse.
    standard_errors : float64 array of the same shape
        Standard errors of the shares, about the private table's own; NaN where nothing is known.
    source : {"measured", "rows"}
        Whether the shares are counts that the release measured directly, or counted in its synthetic rows.
    standard_errors_from : {"noise", "certificate", "none"}
        "noise": all of the error, as the ledger has it. "certificate": the root mean square error of *all*
        marginals of this degree of the canonical table, which holds both the noise and what the model does
        not say; that of this one can be larger. "none": unknown, NaN.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> schema = cf.Schema([cf.Binary("smoker", ("no", "yes")), cf.Categorical("job", ["clerk", "nurse"])])
    >>> table = {"smoker": ["no", "yes"] * 500, "job": ["clerk", "nurse", "nurse", "nurse"] * 250}
    >>> release = cf.CovLossSynthesizer(schema, epsilon=1.0, delta=1e-9).fit(table)
    >>> estimate = release.marginals(["job"])
    >>> estimate.levels, estimate.shares.shape, estimate.source
    ((('clerk', 'nurse'),), (2,), 'measured')
    >>> list(estimate.to_frame("dict"))
    ['job', 'share', 'standard_error']
    """

    attributes: tuple[str, ...]
    levels: tuple[tuple[Any, ...], ...]
    shares: NDArray[np.float64]
    standard_errors: NDArray[np.float64]
    source: Literal["measured", "rows"]
    standard_errors_from: Literal["noise", "certificate", "none"]

    def to_frame(self, as_: Frame = "pandas") -> Any:
        """Return one row for each combination of levels.

        Parameters
        ----------
        as_ : {"pandas", "polars", "pyarrow", "dict"}
            Kind of table.

        Returns
        -------
        table
            A column for each attribute, then "share" and "standard_error".
        """
        columns: dict[str, Any] = {
            name: list(column) for name, column in zip(self.attributes, zip(*product(*self.levels)))
        }
        for name, values in (("share", self.shares), ("standard_error", self.standard_errors)):
            columns[name if name not in columns else f"{name}_"] = values.ravel()
        if as_ == "dict":
            return columns
        if as_ == "pandas":
            import pandas as pd

            return pd.DataFrame(columns)
        if as_ == "polars":
            import polars as pl

            return pl.DataFrame(columns)
        if as_ == "pyarrow":
            import pyarrow as pa

            return pa.table(columns)
        raise ValueError(f"as_ must be pandas, polars, pyarrow or dict, got {as_!r}")

    def _lines(self) -> Iterator[tuple[str, ...]]:
        cells = zip(product(*self.levels), self.shares.ravel(), self.standard_errors.ravel())
        for number, (levels, share, error) in enumerate(cells):
            if number == _MOST_SHOWN:
                return
            shown = "unknown" if math.isnan(error) else f"{error:.2g}"
            yield (*("missing" if level is None else str(level) for level in levels), f"{share:.5f}", shown)

    def __str__(self) -> str:
        table = [(*self.attributes, "share", "standard error"), *self._lines()]
        widths = [max(map(len, column)) for column in zip(*table)]
        names = len(self.attributes)
        lines = [
            "  ".join(
                cell.ljust(width) if at < names else cell.rjust(width)
                for at, (cell, width) in enumerate(zip(line, widths))
            ).rstrip()
            for line in table
        ]
        left = self.shares.size - _MOST_SHOWN
        lines += [f"... {left:,} more"] if left > 0 else []
        lines.append(f"shares: {_SOURCES[self.source]}")
        lines.append(f"standard errors: {_ERRORS[self.standard_errors_from]}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return (
            f"MarginalEstimate({' x '.join(map(repr, self.attributes))}, {self.shares.size} cells, "
            f"source={self.source!r}, standard_errors_from={self.standard_errors_from!r})"
        )


def certified_errors(
    is_zero: Sequence[NDArray[np.bool_]], rms_of_degree: Iterable[float]
) -> NDArray[np.float64]:
    """Return a root mean square error of each cell from that of marginals whose bits are all 1.

    The share of a cell in which z binary attributes have their first level is, by inclusion and exclusion, a
    signed sum of 2^z shares of bits that are all 1, C(z, j) of which have d - z + j bits. By the triangle
    inequality its root mean square error is at most the sum of theirs.

    Parameters
    ----------
    is_zero : sequence of bool arrays
        For each attribute, which of its levels is no bit: the first one of a binary attribute.
    rms_of_degree : iterable of float
        For the degrees 1, 2, ..., d.
    """
    rms = [0.0, *rms_of_degree]
    d = len(is_zero)
    zeros = sum(np.ix_(*[each.astype(np.int64) for each in is_zero]), np.zeros((1,) * d, dtype=np.int64))
    of_z = [sum(math.comb(z, j) * rms[d - z + j] for j in range(z + 1)) for z in range(d + 1)]
    return np.array(of_z)[zeros]
