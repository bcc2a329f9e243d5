"""Columns as coordinates in which records have distances; what blocks release of each column, and lose.

A column of numbers is one coordinate, in units of its spread. A Boolean attribute is one coordinate, a
larger one a coordinate for each level, such that two records with different levels are at distance 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from covloss_fast._core.bits import BitMatrix
from covloss_fast.records.encoding import encode
from covloss_fast.records.numbers import declared_numbers, finite_numbers
from covloss_fast.records.statistics import BlockStatistics
from covloss_fast.records.tables import Columns
from covloss_fast.schema import Categorical, Numeric, Schema

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Distance of the quartiles of a Gaussian, in standard deviations.
_QUARTILE_DISTANCE = 1.3489795

#: Coordinates farther from the mean, or closer to it throughout, are refused: their fourth powers, which the
#: norm of a covariance sums, must stay far from the ends of doubles.
LARGEST_COORDINATE = 1e60

#: Records whose residuals are held at a time.
_CHUNK = 16_384

__all__ = [
    "Field",
    "Losses",
    "block_values",
    "block_values_of_bits",
    "coordinates",
    "losses_of_bits",
    "losses_of_rows",
    "read_fields",
    "scales_of_bits",
]


@dataclass(frozen=True)
class Field:
    """One column of the table: numbers to be averaged, or codes of levels.

    Attributes
    ----------
    name : str
        Name of the column, or its position in an array.
    attribute : Categorical, Numeric or None
        What was declared; None for numbers without a schema.
    first : int
        First of its coordinates; they follow the order of the schema.
    read : callable
        Gives float64 numbers or codes, shape (n,).
    """

    name: str
    attribute: Categorical | Numeric | None
    first: int
    read: Callable[[], NDArray[Any]]

    @property
    def levels(self) -> int | None:
        """Number of levels; None for numbers."""
        return self.attribute.size if isinstance(self.attribute, Categorical) else None

    @property
    def own(self) -> slice:
        """Its coordinates: one for numbers and two levels, else one for each level."""
        return slice(self.first, self.first + _width(self.attribute))


def _width(attribute: Categorical | Numeric | None) -> int:
    return attribute.size if isinstance(attribute, Categorical) and attribute.size != 2 else 1


@dataclass(frozen=True, eq=False)
class Losses:
    """What blocks keep and lose of the scatter of records, in coordinates.

    Attributes
    ----------
    lost, total : float64 arrays, shape (p, p)
        Weighted sums of z z^T: z from the mean of the record's block, and from the mean of all.
    weight : float
        Sum of the weights of all records.
    largest_square : float
        No record is farther from the mean of all, squared.
    """

    lost: NDArray[np.float64]
    total: NDArray[np.float64]
    weight: float
    largest_square: float


def read_fields(
    columns: Columns, schema: Schema | None, n_threads: int
) -> tuple[list[Field], BitMatrix | None]:
    """Look at the columns, in their own order; with a schema the whole table is validated first.

    Returns
    -------
    fields : list of Field
    bits : BitMatrix or None
        The table as packed bits, one for each coordinate, if it is one of Boolean and categorical attributes
        or an array of booleans or of uint8 zeros and ones.
    """
    names = [str(j) if columns.names is None else str(columns.names[j]) for j in range(columns.n_columns)]
    if schema is None:
        bits = None
        array = columns.array
        if array is not None and array.dtype in (np.bool_, np.uint8) and array.max(initial=0) <= 1:
            bits = BitMatrix.from_array(array, n_threads)
        readers = [_finite_reader(columns, j) for j in range(len(names))]
        return [Field(name, None, j, readers[j]) for j, name in enumerate(names)], bits

    encoded = encode(columns, schema, n_threads)
    positions = {name: a for a, name in enumerate(schema.names)}
    order = [a if columns.names is None else positions[name] for a, name in enumerate(names)]
    first = np.cumsum([0, *map(_width, schema.attributes)]).tolist()
    fields = []
    for j, a in enumerate(order):
        attribute = schema.attributes[a]
        if isinstance(attribute, Categorical):
            reader = _codes_reader(encoded.column_codes, a)
        else:
            missing = encoded.column_codes(a) == attribute.missing_code
            if missing.any():
                place = columns.positions([int(missing.argmax())])[0]
                raise ValueError(
                    f"column {attribute.name!r}, {place}: a missing value has no mean; "
                    "microaggregation takes complete numeric columns"
                )
            reader = _numbers_reader(columns, j, attribute)
        fields.append(Field(attribute.name, attribute, first[a], reader))
    all_levels = all(isinstance(attribute, Categorical) for attribute in schema.attributes)
    return fields, encoded.bits if all_levels else None


def scales_of_bits(fields: list[Field], n_bits: int) -> NDArray[np.float64]:
    """Return what a set bit is in distances: two records with different levels are at distance 1."""
    scale = np.ones(n_bits)
    for field in fields:
        if field.levels is not None and field.levels != 2:
            scale[field.own] = np.sqrt(0.5)
    return scale


def _finite_reader(columns: Columns, j: int) -> Callable[[], NDArray[Any]]:
    return lambda: finite_numbers(columns, j)


def _numbers_reader(columns: Columns, j: int, attribute: Numeric) -> Callable[[], NDArray[Any]]:
    return lambda: declared_numbers(columns, j, attribute)


def _codes_reader(column_codes: Callable[[int], NDArray[Any]], a: int) -> Callable[[], NDArray[Any]]:
    return lambda: column_codes(a)


def coordinates(
    fields: list[Field], n: int, weights: NDArray[np.float64] | None, scaling: str
) -> NDArray[np.float64]:
    """Records as rows of centred coordinates, shape (n, width), the width padded to a multiple of four."""
    rows = np.zeros((n, -(-max(field.own.stop for field in fields) // 4) * 4))
    for field in fields:
        values = field.read()
        if field.levels is None:
            rows[:, field.first] = _scaled(values, weights, scaling, field.name)
        elif field.levels == 2:
            rows[:, field.first] = values - np.average(values, weights=weights)
        else:
            for level in range(field.levels):
                indicator = np.sqrt(0.5) * (values == level)
                rows[:, field.first + level] = indicator - np.average(indicator, weights=weights)
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
    centred = values - (values.mean() if weights is None else np.average(values, weights=weights))
    # In a unit (a power of two: exact) in which squares neither vanish nor overflow.
    exponent = int(np.frexp(np.abs(centred).max())[1])
    centred = np.ldexp(centred, -exponent)
    if weights is None:
        variance = (centred**2).sum() / (len(values) - 1)
    else:
        variance = np.average(centred**2, weights=weights) * len(values) / (len(values) - 1)
    spread = np.sqrt(variance)
    if scaling == "robust":
        low, high = np.quantile(values, [0.25, 0.75])
        if high > low:
            spread = np.ldexp(high - low, -exponent) / _QUARTILE_DISTANCE
    elif scaling == "none":
        spread = np.ldexp(1.0, -exponent)
    with np.errstate(over="ignore"):
        scaled = np.asarray(centred / spread)
    largest = np.abs(scaled).max()
    if not 1.0 / LARGEST_COORDINATE <= largest <= LARGEST_COORDINATE:
        unit = "in the units given" if scaling == "none" else "in interquartile ranges"
        raise ValueError(
            f"column {name!r} has numbers at a distance of {largest:.2g} from its mean, {unit}, "
            "whose squares cannot be summed; rescale it"
            + ("" if scaling == "none" else ' or use scaling="standard"')
        )
    return scaled


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


def block_values_of_bits(fields: list[Field], statistics: BlockStatistics) -> list[NDArray[np.float64]]:
    """Return the same from exact counts of bits."""
    out = []
    for field in fields:
        shares = statistics.sums[:, field.own] / statistics.counts[:, None]
        if field.levels is None:
            out.append(shares[:, 0])
        else:
            out.append(np.hstack([1.0 - shares, shares]) if field.levels == 2 else shares)
    return out


def losses_of_rows(
    rows: NDArray[np.float64], labels: NDArray[np.int32], weights: NDArray[np.float64] | None
) -> Losses:
    """Measure what the means of blocks lose of centred coordinates."""
    total_weight = np.bincount(labels, weights=weights)
    width = rows.shape[1]
    centres = np.empty((len(total_weight), width))
    for j in range(width):
        column = rows[:, j] if weights is None else rows[:, j] * weights
        centres[:, j] = np.bincount(labels, weights=column) / total_weight
    lost, total = np.zeros((width, width)), np.zeros((width, width))
    largest_square = 0.0
    for start in range(0, len(rows), _CHUNK):  # nothing of the size of the table twice
        part = slice(start, start + _CHUNK)
        chunk = rows[part]
        residual = chunk - centres[labels[part]]
        w = 1.0 if weights is None else weights[part, None]
        lost += (residual * w).T @ residual
        total += (chunk * w).T @ chunk
        largest_square = max(largest_square, float((chunk**2).sum(axis=1).max()))
    return Losses(lost, total, float(total_weight.sum()), largest_square)


def losses_of_bits(
    moment: NDArray[np.int64], statistics: BlockStatistics, scale: NDArray[np.float64]
) -> Losses:
    """Return the same from exact counts: sum x x^T minus, of each block, s s^T over its size."""
    n = int(statistics.counts.sum())
    counts = moment.diagonal()
    unit = np.outer(scale, scale)
    kept = (statistics.sums / statistics.counts[:, None]).T @ statistics.sums
    mean = counts / n
    largest_square = float(((scale * np.maximum(mean, 1.0 - mean)) ** 2).sum())
    total = (moment - np.outer(counts, counts) / n) * unit
    return Losses((moment - kept) * unit, total, float(n), largest_square)
