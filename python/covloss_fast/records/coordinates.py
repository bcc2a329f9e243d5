"""Columns as coordinates in which records have distances; what blocks release of each column, and lose.

A column of numbers is one coordinate, in units of its spread. A Boolean attribute is one coordinate, a
larger one a coordinate for each level, such that two records with different levels are at distance 1.

A missing value, where such are admitted, is read in one of two ways. As a *level of its own* it is at
distance 1 from every present value, in a coordinate of its own if the column holds numbers. In the
*strictest* reading it says nothing: it lies at the mean of the column and enters no mean, so that what a
block releases rests on its present values alone (and there must be enough of them, see
:mod:`covloss_fast.records.completing`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from covloss_fast._core import microaggregation as _core
from covloss_fast._core import partition as _partition
from covloss_fast._core.bits import BitMatrix
from covloss_fast.records.encoding import EncodedTable, encode
from covloss_fast.records.numbers import declared_numbers, finite_numbers, whole_dtype
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

#: Directions in which blocks of wide tables are sought. Of 588 coordinates of a census table 64 directions
#: lose 1.5 % more than all do, 128 no more, in a third of the time.
LEADING = 128
_LEADING_SAMPLE = 8_192
#: Tables of up to so many records are searched in all their coordinates.
_SMALL = 4_096

#: Records whose residuals are held at a time.
_CHUNK = 16_384

#: How a missing value is read.
Missing: TypeAlias = Literal["level", "strictest"]

__all__ = [
    "Field",
    "Losses",
    "Missing",
    "Placement",
    "Summary",
    "bin_counts",
    "coordinates",
    "is_wide",
    "leading_coordinates",
    "losses_of_bits",
    "losses_of_fields",
    "losses_of_rows",
    "n_coordinates",
    "placements_of_bits",
    "read_fields",
    "scales_of_bits",
    "summaries",
    "summaries_of_bits",
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
        Gives float64 numbers (NaN where missing) or codes, shape (n,).
    missing : {"level", "strictest"} or None
        How missing values are read; None if there are none.
    dtype : dtype or None
        Of a column of integers or booleans that is averaged.
    """

    name: str
    attribute: Categorical | Numeric | None
    first: int
    read: Callable[[], NDArray[Any]]
    missing: Missing | None = None
    dtype: np.dtype[Any] | None = None

    @property
    def levels(self) -> int | None:
        """Number of levels, a missing one included; None for numbers."""
        return self.attribute.size if isinstance(self.attribute, Categorical) else None

    @property
    def own(self) -> slice:
        """Its coordinates: one for numbers and two levels, else one for each level; see the module."""
        return slice(self.first, self.first + _width(self.attribute, self.missing))

    def is_missing(self, values: NDArray[Any]) -> NDArray[np.bool_]:
        """Which of its values are missing."""
        if isinstance(self.attribute, Categorical):
            return np.asarray(values == self.attribute.missing_code)
        return np.asarray(np.isnan(values))


def _width(attribute: Categorical | Numeric | None, missing: Missing | None) -> int:
    if isinstance(attribute, Categorical):
        return attribute.size if attribute.size != 2 else 1
    return 2 if missing == "level" else 1


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
    columns: Columns, schema: Schema | None, missing: Missing | None, n_threads: int
) -> tuple[list[Field], BitMatrix | None, EncodedTable | None]:
    """Look at the columns, in their own order; with a schema the whole table is validated first.

    Parameters
    ----------
    columns : Columns
        The table.
    schema : Schema or None
        With a schema missing values are admitted where it says so, and are then levels if `missing` is None.
    missing : {"level", "strictest"} or None
        How they are read; without a schema None refuses them.
    n_threads : int
        Threads.

    Returns
    -------
    fields : list of Field
    bits : BitMatrix or None
        The table as packed bits, one for each coordinate, if it is one of Boolean and categorical attributes
        or an array of booleans or of uint8 zeros and ones.
    encoded : EncodedTable or None
        The table in the levels and bins of the schema.
    """
    names = [str(j) if columns.names is None else str(columns.names[j]) for j in range(columns.n_columns)]
    if schema is None:
        bits = None
        array = columns.array
        if array is not None and array.dtype in (np.bool_, np.uint8) and array.max(initial=0) <= 1:
            bits = BitMatrix.from_array(array, n_threads)
        fields: list[Field] = []
        for j, name in enumerate(names):
            reader = _finite_reader(columns, j, missing is not None)
            found = missing if missing is not None and np.isnan(reader()).any() else None
            first = fields[-1].own.stop if fields else 0
            fields.append(Field(name, None, first, reader, found, whole_dtype(columns, j)))
        return fields, bits, None

    encoded = encode(columns, schema, n_threads)
    positions = {name: a for a, name in enumerate(schema.names)}
    order = [a if columns.names is None else positions[name] for a, name in enumerate(names)]
    readings: list[Missing | None] = [
        (missing or "level") if each.missing else None for each in schema.attributes
    ]
    widths = [_width(attribute, reading) for attribute, reading in zip(schema.attributes, readings)]
    firsts = np.cumsum([0, *widths]).tolist()
    fields = []
    for j, a in enumerate(order):
        attribute = schema.attributes[a]
        if isinstance(attribute, Categorical):
            field = Field(
                attribute.name, attribute, firsts[a], _codes_reader(encoded.column_codes, a), readings[a]
            )
        else:
            dtype = whole_dtype(columns, j)
            if dtype is None and attribute.kind == "int":
                dtype = np.dtype(np.int64)
            reader = _numbers_reader(columns, j, attribute)
            field = Field(attribute.name, attribute, firsts[a], reader, readings[a], dtype)
        fields.append(field)
    all_levels = all(isinstance(attribute, Categorical) for attribute in schema.attributes)
    return fields, encoded.bits if all_levels else None, encoded


def scales_of_bits(fields: list[Field], n_bits: int) -> NDArray[np.float64]:
    """Return what a set bit is in distances: two records with different levels are at distance 1."""
    scale = np.ones(n_bits)
    for field in fields:
        if field.levels is not None and field.levels != 2:
            scale[field.own] = np.sqrt(0.5)
    return scale


def placements_of_bits(
    fields: list[Field], mean: NDArray[np.float64], scale: NDArray[np.float64]
) -> list[Placement]:
    """Return where the values of fields of bits lie, of their means and of what a set bit is in distances."""
    return [Placement(field, 0.0, 0, 1.0, (mean * scale)[field.own]) for field in fields]


def _finite_reader(columns: Columns, j: int, missing: bool) -> Callable[[], NDArray[Any]]:
    return lambda: finite_numbers(columns, j, missing)


def _numbers_reader(columns: Columns, j: int, attribute: Numeric) -> Callable[[], NDArray[Any]]:
    return lambda: declared_numbers(columns, j, attribute)


def _codes_reader(column_codes: Callable[[int], NDArray[Any]], a: int) -> Callable[[], NDArray[Any]]:
    return lambda: column_codes(a)


@dataclass(frozen=True, eq=False)
class Placement:
    """Where the values of one field lie, in its own coordinates.

    Attributes
    ----------
    field : Field
    origin : float
        The mean of its present numbers.
    exponent : int
        Numbers are first brought to the unit 2^exponent, in which squares neither vanish nor overflow.
    spread : float
        Length of a unit of distance there.
    centre : float64 array, shape (width,)
        Mean coordinates of all records.
    """

    field: Field
    origin: float
    exponent: int
    spread: float
    centre: NDArray[np.float64]

    def place(self, values: NDArray[Any]) -> NDArray[np.float64]:
        """Coordinates of numbers, codes, or shares of levels (shape (m, levels)): shape (m, width)."""
        field = self.field
        if field.levels is None:
            missing = np.isnan(values)
            number = np.ldexp(values - self.origin, -self.exponent) / self.spread
            number[missing] = 0.0
            raw = [number, missing.astype(np.float64)] if field.missing == "level" else [number]
        elif field.levels == 2:
            share = values[:, 1] if values.ndim == 2 else values.astype(np.float64)
            raw = [np.zeros(len(values)) if field.missing == "strictest" else share]
        else:
            shares = [values[:, k] if values.ndim == 2 else values == k for k in range(field.levels)]
            raw = [np.sqrt(0.5) * share for share in shares]
            if field.missing == "strictest" and values.ndim == 1:
                unknown = values == field.levels - 1
                for coordinate, mean in zip(raw, self.centre):
                    coordinate[unknown] = mean
                raw[-1][:] = 0.0
        return np.stack(raw, axis=1) - self.centre


def coordinates(
    fields: list[Field], n: int, weights: NDArray[np.float64] | None, scaling: str
) -> tuple[NDArray[np.float64], list[Placement]]:
    """Records as rows of centred coordinates, shape (n, width), the width padded to a multiple of four."""
    rows = np.zeros((n, padded(n_coordinates(fields))))
    placements = []
    for field in fields:
        values = field.read()
        placement = _placement(field, values, weights, scaling)
        for start in range(0, n, _CHUNK):  # nothing of the size of a wide field twice
            part = slice(start, start + _CHUNK)
            rows[part, field.own] = placement.place(values[part])
        placements.append(placement)
    return rows, placements


def n_coordinates(fields: list[Field]) -> int:
    """Return the number of coordinates of all fields."""
    return int(max(field.own.stop for field in fields))


def padded(width: int) -> int:
    """Return the next multiple of four: the core takes no other rows."""
    return -(-width // 4) * 4


def is_wide(fields: list[Field], n: int) -> bool:
    """Whether blocks are sought in :func:`leading_coordinates`."""
    return n_coordinates(fields) > LEADING and n > _SMALL


def leading_coordinates(
    fields: list[Field], n: int, weights: NDArray[np.float64] | None, scaling: str, n_threads: int
) -> tuple[NDArray[np.float64], list[Placement]]:
    """Records in the directions in which they vary most, shape (n, LEADING), for wide tables.

    The directions are eigenvectors of the second moment of at most 8,192 records at equal distances in the
    table. A record's product with them is a sum of one row for each of its levels: the table of all
    coordinates, mostly zeros, is never made.
    """
    placements = [_placement(field, field.read(), weights, scaling) for field in fields]
    m = min(n, _LEADING_SAMPLE)
    some = np.arange(m) * n // m
    dense = np.zeros((m, padded(n_coordinates(fields))))
    for field, placement in zip(fields, placements):
        dense[:, field.own] = placement.place(field.read()[some])
    _, vectors = _partition.symmetric_eigen(_core.second_moment(dense, n_threads))
    directions = np.ascontiguousarray(vectors[:, :LEADING])
    out = np.zeros((n, LEADING))
    for field, placement in zip(fields, placements):
        values, own = field.read(), directions[field.own]
        if field.levels is None:
            for start in range(0, n, _CHUNK):
                part = slice(start, start + _CHUNK)
                for column, direction in zip(placement.place(values[part]).T, own):
                    out[part] += column[:, None] * direction
            continue
        levels = placement.place(np.arange(field.levels))
        table = _core.project(np.ascontiguousarray(levels), np.ascontiguousarray(own), n_threads)
        for start in range(0, n, _CHUNK):
            part = slice(start, start + _CHUNK)
            out[part] += table[values[part]]
    return out, placements


def _placement(
    field: Field, values: NDArray[Any], weights: NDArray[np.float64] | None, scaling: str
) -> Placement:
    if field.levels is None:
        missing = np.isnan(values) if field.missing else None
        present, w = values, weights
        if missing is not None and missing.any():
            present, w = values[~missing], None if weights is None else weights[~missing]
        origin, exponent, spread = _unit(present, w, scaling, field.name)
        centre = [0.0]
        if field.missing == "level" and missing is not None:
            centre.append(float(np.average(missing, weights=weights)))
        return Placement(field, origin, exponent, spread, np.array(centre))
    if field.levels == 2:
        mean = 0.0 if field.missing == "strictest" else np.average(values, weights=weights)
        return Placement(field, 0.0, 0, 1.0, np.array([mean]))
    counts = np.bincount(values, weights=weights, minlength=field.levels).astype(np.float64)
    if field.missing == "strictest":
        counts[-1] = 0.0
    return Placement(field, 0.0, 0, 1.0, np.sqrt(0.5) * counts / max(counts.sum(), 1e-300))


def _unit(
    values: NDArray[np.float64], weights: NDArray[np.float64] | None, scaling: str, name: str
) -> tuple[float, int, float]:
    """Return the mean of a column, a power of two near its size, and its spread in that; inf if constant."""
    if len(values) == 0:
        return 0.0, 0, np.inf
    if values.min() == values.max():
        return float(values[0]), 0, np.inf
    if max(abs(values.min()), abs(values.max())) > 1e150:
        raise ValueError(
            f"column {name!r} has numbers beyond 1e150, whose squares are not finite; rescale it"
        )
    origin = values.mean() if weights is None else np.average(values, weights=weights)
    centred = values - origin
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
        largest = np.abs(centred).max() / spread
    if not 1.0 / LARGEST_COORDINATE <= largest <= LARGEST_COORDINATE:
        unit = "in the units given" if scaling == "none" else "in interquartile ranges"
        raise ValueError(
            f"column {name!r} has numbers at a distance of {largest:.2g} from its mean, {unit}, "
            "whose squares cannot be summed; rescale it"
            + ("" if scaling == "none" else ' or use scaling="standard"')
        )
    return float(origin), exponent, float(spread)


@dataclass(frozen=True, eq=False)
class Summary:
    """What the records of each block say of one field.

    Attributes
    ----------
    values : float64 array
        Means of present numbers, shape (n_blocks,), NaN where there is none; or shares of levels, shape
        (n_blocks, levels), in the strictest reading among present values.
    missing : float64 array, shape (n_blocks,), or None
        Share of missing values in each block; None if the field has none.
    present : int64 array, shape (n_blocks,), or None
        Number of records with a value; None if all have one.
    """

    values: NDArray[np.float64]
    missing: NDArray[np.float64] | None = None
    present: NDArray[np.int64] | None = None


def summaries(
    fields: list[Field], labels: NDArray[np.int32], n_blocks: int, weights: NDArray[np.float64] | None
) -> list[Summary]:
    """Summarise each field in each block; weights enter means and shares."""
    total = np.bincount(labels, weights=weights, minlength=n_blocks)
    out = []
    for field in fields:
        values = field.read()
        missing = present = None
        if field.missing:
            absent = field.is_missing(values)
            missing = np.bincount(labels, weights=absent if weights is None else absent * weights) / total
            present = np.bincount(labels[~absent], minlength=n_blocks).astype(np.int64)
        if field.levels is None:
            means = _means(values, labels, n_blocks, weights, present is not None)
            out.append(Summary(means, missing, present))
            continue
        cells = labels.astype(np.int64) * field.levels + values
        counts = np.bincount(cells, weights=weights, minlength=n_blocks * field.levels)
        shares = counts.reshape(n_blocks, field.levels) / total[:, None]
        if field.missing == "strictest":
            shares[:, -1] = 0.0
            shares /= shares.sum(axis=1, keepdims=True)
        out.append(Summary(shares, missing, present))
    return out


def bin_counts(
    codes: NDArray[Any],
    size: int,
    labels: NDArray[np.int32],
    n_blocks: int,
    weights: NDArray[np.float64] | None,
) -> NDArray[Any]:
    """Count the bins of a numeric attribute in each block, shape (n_blocks, size), in small integers."""
    cells = labels.astype(np.int64) * size + codes
    counts = np.bincount(cells, weights=weights, minlength=n_blocks * size).reshape(n_blocks, size)
    return counts if weights is not None else counts.astype(np.min_scalar_type(int(counts.max(initial=0))))


def _means(
    values: NDArray[np.float64],
    labels: NDArray[np.int32],
    n_blocks: int,
    weights: NDArray[np.float64] | None,
    some_missing: bool,
) -> NDArray[np.float64]:
    """Means of present numbers, from the block's first: equal numbers have exactly themselves as mean."""
    if some_missing:
        rows = np.flatnonzero(~np.isnan(values))
        values, labels, weights = values[rows], labels[rows], None if weights is None else weights[rows]
    total = np.bincount(labels, weights=weights, minlength=n_blocks)
    first = np.full(n_blocks, len(labels), dtype=np.int64)
    np.minimum.at(first, labels, np.arange(len(labels)))
    origin = np.append(values, np.nan)[first]
    shift = values - origin[labels]
    if weights is not None:
        shift *= weights
    sums = np.bincount(labels, weights=shift, minlength=n_blocks)
    return np.asarray(origin + sums / np.where(total > 0, total, 1.0))


def summaries_of_bits(fields: list[Field], statistics: BlockStatistics) -> list[Summary]:
    """Return the same from exact counts of bits."""
    out = []
    for field in fields:
        shares = statistics.sums[:, field.own] / statistics.counts[:, None]
        if field.levels is None:
            out.append(Summary(shares[:, 0]))
            continue
        if field.levels == 2:
            shares = np.hstack([1.0 - shares, shares])
        out.append(Summary(shares, shares[:, -1] if field.missing else None))
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


def losses_of_fields(
    fields: list[Field],
    placements: list[Placement],
    labels: NDArray[np.int32],
    weights: NDArray[np.float64] | None,
) -> Losses:
    """Measure the same without the table of all coordinates: some blocks at a time."""
    values = [field.read() for field in fields]
    width = n_coordinates(fields)
    order = np.argsort(labels, kind="stable")
    starts = np.searchsorted(labels[order], np.arange(int(labels.max()) + 1))
    lost = np.zeros(width)
    kept, total = np.zeros((width, width)), np.zeros((width, width))
    largest_square, weight, block = 0.0, 0.0, 0
    while block < len(starts):
        first = int(starts[block])
        end = max(int(np.searchsorted(starts, first + _CHUNK)), block + 1)
        rows = order[first : starts[end] if end < len(starts) else len(order)]
        chunk = np.empty((len(rows), width))
        for field, placement, column in zip(fields, placements, values):
            chunk[:, field.own] = placement.place(column[rows])
        w = np.ones(len(rows)) if weights is None else weights[rows]
        borders = starts[block:end] - first
        block_weight = np.add.reduceat(w, borders)
        centres = np.add.reduceat(chunk * w[:, None], borders) / block_weight[:, None]
        residual = chunk - np.repeat(centres, np.diff([*borders, len(rows)]), axis=0)
        lost += w @ residual**2
        kept += (centres * block_weight[:, None]).T @ centres
        total += (chunk * w[:, None]).T @ chunk
        largest_square = max(largest_square, float((chunk**2).sum(axis=1).max()))
        weight += float(w.sum())
        block = end
    off_diagonal = total - kept
    np.fill_diagonal(off_diagonal, lost)  # summed from small numbers, not as a difference of large ones
    return Losses(off_diagonal, total, weight, largest_square)


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
