"""Columns as coordinates in which records have distances, and what blocks of records release of each column.

A column of numbers is one coordinate, in units of its spread. A Boolean attribute is one coordinate, a
larger one a coordinate for each level, such that two records with different levels are at distance 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from covloss_fast.records.encoding import encode
from covloss_fast.records.numbers import declared_numbers, finite_numbers
from covloss_fast.records.tables import Columns
from covloss_fast.schema import Categorical, Numeric, Schema

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Distance of the quartiles of a Gaussian, in standard deviations.
_QUARTILE_DISTANCE = 1.3489795

__all__ = ["Field", "block_values", "coordinates", "fields_of"]


@dataclass(frozen=True)
class Field:
    """One column of the table: numbers to be averaged, or codes of levels.

    `read` gives float64 numbers or codes, shape (n,); `attribute` is None for numbers without a schema.
    """

    name: str
    attribute: Categorical | Numeric | None
    read: Callable[[], NDArray[Any]]

    @property
    def levels(self) -> int | None:
        """Number of levels; None for numbers."""
        return self.attribute.size if isinstance(self.attribute, Categorical) else None

    @property
    def width(self) -> int:
        """Number of coordinates."""
        return 1 if self.levels is None or self.levels == 2 else self.levels


def fields_of(columns: Columns, schema: Schema | None, n_threads: int) -> list[Field]:
    """Look at the columns, in their own order; the whole table is validated first."""
    names = [str(j) if columns.names is None else str(columns.names[j]) for j in range(columns.n_columns)]
    if schema is None:

        def reader(j: int) -> Callable[[], NDArray[Any]]:
            return lambda: finite_numbers(columns, j)

        return [Field(name, None, reader(j)) for j, name in enumerate(names)]

    encoded = encode(columns, schema, n_threads)
    positions = {name: a for a, name in enumerate(schema.names)}
    order = [a if columns.names is None else positions[name] for a, name in enumerate(names)]
    fields = []
    for j, a in enumerate(order):
        attribute = schema.attributes[a]
        if isinstance(attribute, Numeric):
            if attribute.missing is not None and (encoded.column_codes(a) == attribute.missing_code).any():
                row = int((encoded.column_codes(a) == attribute.missing_code).argmax())
                raise ValueError(
                    f"column {attribute.name!r}, {columns.positions([row])[0]}: a missing value has no mean; "
                    "microaggregation takes complete numeric columns"
                )
            fields.append(Field(attribute.name, attribute, _numbers_reader(columns, j, attribute)))
        else:
            fields.append(Field(attribute.name, attribute, _codes_reader(encoded.column_codes, a)))
    return fields


def _numbers_reader(columns: Columns, j: int, attribute: Numeric) -> Callable[[], NDArray[Any]]:
    return lambda: declared_numbers(columns, j, attribute)


def _codes_reader(column_codes: Callable[[int], NDArray[Any]], a: int) -> Callable[[], NDArray[Any]]:
    return lambda: column_codes(a)


def coordinates(
    fields: list[Field], n: int, weights: NDArray[np.float64] | None, scaling: str
) -> NDArray[np.float64]:
    """Records as rows of centred coordinates, shape (n, width), the width padded to a multiple of four."""
    rows = np.zeros((n, -(-sum(field.width for field in fields) // 4) * 4))
    at = 0
    for field in fields:
        values = field.read()
        if field.levels is None:
            rows[:, at] = _scaled(values, weights, scaling, field.name)
        elif field.levels == 2:
            rows[:, at] = values - np.average(values, weights=weights)
        else:
            for level in range(field.levels):
                indicator = np.sqrt(0.5) * (values == level)
                rows[:, at + level] = indicator - np.average(indicator, weights=weights)
        at += field.width
    return rows


def _scaled(
    values: NDArray[np.float64], weights: NDArray[np.float64] | None, scaling: str, name: str
) -> NDArray[np.float64]:
    """Return a column minus its mean, over its spread; a constant column becomes 0."""
    if values.min() == values.max():
        return np.zeros(len(values))
    if max(abs(values.min()), abs(values.max())) > 1e150:
        raise ValueError(
            f"column {name!r} has numbers beyond 1e150, whose squares are not finite; rescale it"
        )
    if weights is None:
        centred = values - values.mean()
        variance = (centred**2).sum() / (len(values) - 1)
    else:
        centred = values - np.average(values, weights=weights)
        variance = np.average(centred**2, weights=weights) * len(values) / (len(values) - 1)
    spread = np.sqrt(variance)
    if scaling == "robust":
        low, high = np.quantile(values, [0.25, 0.75])
        if high > low:
            spread = (high - low) / _QUARTILE_DISTANCE
    elif scaling == "none":
        spread = 1.0
    return np.asarray(centred / spread)


def block_values(
    fields: list[Field], labels: NDArray[np.int32], n_blocks: int, weights: NDArray[np.float64] | None
) -> list[NDArray[np.float64]]:
    """For each field means of numbers, shape (n_blocks,), or shares of levels, shape (n_blocks, levels)."""
    total = np.bincount(labels, weights=weights, minlength=n_blocks)
    first = np.full(n_blocks, len(labels), dtype=np.int64)
    np.minimum.at(first, labels, np.arange(len(labels)))
    out = []
    for field in fields:
        values = field.read()
        if field.levels is None:
            # From the block's first value: equal numbers have exactly themselves as their mean.
            origin = values[first]
            shift = values - origin[labels]
            if weights is not None:
                shift *= weights
            out.append(origin + np.bincount(labels, weights=shift, minlength=n_blocks) / total)
        else:
            cells = labels.astype(np.int64) * field.levels + values
            counts = np.bincount(cells, weights=weights, minlength=n_blocks * field.levels)
            out.append(counts.reshape(n_blocks, field.levels) / total[:, None])
    return out
