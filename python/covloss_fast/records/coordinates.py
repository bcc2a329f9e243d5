"""Columns as coordinates in which records have distances; what blocks release of each column, and lose.

A column of numbers is one coordinate, in units of its spread. A Boolean attribute is one coordinate, a
larger one a coordinate for each level, such that two records with different levels are at distance 1.

A missing value, where such are admitted, is read in one of two ways. As a *level of its own* it is at
distance 1 from every present value, in a coordinate of its own if the column holds numbers. In the
*strictest* reading it says nothing: it lies at the mean of the column and enters no mean, so that what a
block releases rests on its present values alone (and there must be enough of them, see
:mod:`covloss_fast.records.completing`).

The table of all coordinates is never made: a bit would take eight bytes, an attribute of fifty levels four
hundred. Levels stay codes of a byte, with a table of their coordinates, until rows are wanted, some at a
time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
#: Of more coordinates the directions are found by iterations over so many more of them than are kept.
_FEW_COORDINATES, _ITERATIONS, _SPARE = 640, 4, 16
#: Tables of up to so many records are searched in all their coordinates.
_SMALL = 4_096

#: Coordinates that are held at a time.
_CELLS = 2**18
#: Levels that a byte can tell apart; and steps on which leading coordinates are placed.
_CODES = 256

#: How a missing value is read.
Missing: TypeAlias = Literal["level", "strictest"]

__all__ = [
    "Field",
    "Losses",
    "Missing",
    "Placement",
    "Rows",
    "Summary",
    "bin_counts",
    "chunks",
    "is_wide",
    "leading_rows",
    "losses_of_bits",
    "losses_of_fields",
    "n_coordinates",
    "place_fields",
    "placements_of_bits",
    "read_fields",
    "rows_of_fields",
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


@dataclass(frozen=True, eq=False)
class Rows:
    """Records as rows of coordinates: numbers, then levels as codes.

    Attributes
    ----------
    numbers : float64 array, shape (n, m)
        The first coordinates.
    codes : uint8 array, shape (n, q)
        Codes of q attributes, or steps of q coordinates.
    n_levels, widths : int32 arrays, shape (q,)
        Of each its number of codes, and of coordinates that a code stands for.
    table : float64 array
        The coordinates of the codes of each, one after the other.
    """

    numbers: NDArray[np.float64]
    codes: NDArray[np.uint8]
    n_levels: NDArray[np.int32]
    widths: NDArray[np.int32]
    table: NDArray[np.float64]

    def columns(self) -> Iterator[NDArray[np.float64]]:
        """Each coordinate of all records, shape (n,)."""
        yield from self.numbers.T
        start = 0
        for j, (size, width) in enumerate(zip(self.n_levels.tolist(), self.widths.tolist())):
            levels = self.table[start : start + size * width].reshape(size, width)
            start += size * width
            for column in levels.T:
                yield column[self.codes[:, j]]


def place_fields(fields: list[Field], weights: NDArray[np.float64] | None, scaling: str) -> list[Placement]:
    """Return where the values of each field lie."""
    return [_placement(field, field.read(), weights, scaling) for field in fields]


def rows_of_fields(placements: list[Placement], n: int) -> Rows:
    """Return all records as rows."""
    coded = [each for each in placements if (each.field.levels or np.inf) <= _CODES]
    plain = [each for each in placements if (each.field.levels or np.inf) > _CODES]
    numbers = np.empty((n, sum(len(each.centre) for each in plain)))
    first = 0
    for placement in plain:
        values, end = placement.field.read(), first + len(placement.centre)
        for part in _parts(n, end - first):
            numbers[part, first:end] = placement.place(values[part])
        first = end
    codes = np.empty((n, len(coded)), dtype=np.uint8)
    tables = []
    for j, placement in enumerate(coded):
        codes[:, j] = placement.field.read()
        tables.append(placement.place(np.arange(placement.field.levels or 0)))
    return _rows(numbers, codes, tables)


def _rows(numbers: NDArray[np.float64], codes: NDArray[np.uint8], tables: list[NDArray[np.float64]]) -> Rows:
    n_levels, widths = (np.array([table.shape[axis] for table in tables], dtype=np.int32) for axis in (0, 1))
    return Rows(numbers, codes, n_levels, widths, np.concatenate([np.zeros(0), *map(np.ravel, tables)]))


def chunks(placements: list[Placement], n: int) -> Iterator[tuple[slice, NDArray[np.float64]]]:
    """Coordinates of some records at a time: shape (m, width), in the order of the fields."""
    values = [placement.field.read() for placement in placements]
    for part in _parts(n, _width_of(placements)):
        yield part, _place(placements, [column[part] for column in values])


def _parts(n: int, width: int) -> list[slice]:
    """Cut n rows of so many coordinates into parts that fit the cache, roughly."""
    step = max(1, _CELLS // max(width, 1))
    return [slice(start, min(start + step, n)) for start in range(0, n, step)]


def _width_of(placements: list[Placement]) -> int:
    return n_coordinates([placement.field for placement in placements])


def _place(placements: list[Placement], values: list[NDArray[Any]]) -> NDArray[np.float64]:
    out = np.empty((len(values[0]), _width_of(placements)))
    for placement, column in zip(placements, values):
        out[:, placement.field.own] = placement.place(column)
    return out


def n_coordinates(fields: list[Field]) -> int:
    """Return the number of coordinates of all fields."""
    return int(max(field.own.stop for field in fields))


def is_wide(fields: list[Field], n: int) -> bool:
    """Whether blocks are sought in :func:`leading_rows`."""
    return n_coordinates(fields) > LEADING and n > _SMALL


def leading_rows(placements: list[Placement], n: int, n_threads: int) -> Rows:
    """Records in the LEADING directions in which they vary most, for wide tables.

    A record's product with them is a sum of one row for each of its levels. It is placed on 256 steps
    between the least and the largest product: what that moves is far below the distances within a block.
    """
    directions = _leading_directions(placements, n, n_threads)
    lowest, highest = np.full(LEADING, np.inf), np.full(LEADING, -np.inf)
    values = [placement.field.read() for placement in placements]
    for _, products in _products(placements, directions, values, n_threads):
        np.minimum(lowest, products.min(axis=0), out=lowest)
        np.maximum(highest, products.max(axis=0), out=highest)
    step = np.where(highest > lowest, (highest - lowest) / (_CODES - 1), 1.0)
    codes = np.empty((n, LEADING), dtype=np.uint8)
    for part, products in _products(placements, directions, values, n_threads):
        codes[part] = np.rint((products - lowest) / step)
    tables = list((lowest + step * np.arange(_CODES)[:, None]).T[:, :, None])
    return _rows(np.empty((n, 0)), codes, tables)


def _leading_directions(placements: list[Placement], n: int, n_threads: int) -> NDArray[np.float64]:
    """Leading eigenvectors of the second moment of some records at equal distances in the table.

    Of many coordinates the moment itself would take too long. Directions that are drawn without the data are
    multiplied by it, record by record, and made orthonormal, a few times over (subspace iteration).
    """
    m, width = min(n, _LEADING_SAMPLE), _width_of(placements)
    some = np.arange(m) * n // m
    values = [each.field.read()[some] for each in placements]
    if width <= _FEW_COORDINATES:
        sample = _place(placements, values)
        _, vectors = _partition.symmetric_eigen(_core.second_moment(sample, n_threads))
        return np.ascontiguousarray(vectors[:, :LEADING])
    directions = np.random.Generator(np.random.Philox(key=0)).normal(size=(width, LEADING + _SPARE))
    for _ in range(_ITERATIONS):
        products = np.concatenate([part for _, part in _products(placements, directions, values, n_threads)])
        directions = _orthonormal(_sums(placements, values, products, n_threads), n_threads)
    products = np.concatenate([part for _, part in _products(placements, directions, values, n_threads)])
    _, turned = _partition.symmetric_eigen(_core.second_moment(products, n_threads))
    return _core.project(directions, np.ascontiguousarray(turned[:, :LEADING]), n_threads)


def _sums(
    placements: list[Placement], values: list[NDArray[Any]], products: NDArray[np.float64], n_threads: int
) -> NDArray[np.float64]:
    """Sum of coordinate times product over records: shape (width, number of products)."""
    out = np.empty((_width_of(placements), products.shape[1]))
    for placement, column in zip(placements, values):
        mine = products
        if placement.field.levels:  # records of a level have the same coordinates
            order = np.argsort(column, kind="stable")
            column, starts = np.unique(column[order], return_index=True)
            mine = np.add.reduceat(products[order], starts, axis=0)
        coordinates = placement.place(column)
        out[placement.field.own] = _core.project(np.ascontiguousarray(coordinates.T), mine, n_threads)
    return out


def _orthonormal(vectors: NDArray[np.float64], n_threads: int) -> NDArray[np.float64]:
    """Return an orthonormal basis of the columns, by the same operations for any threads.

    Columns beyond their rank are zero.
    """
    squares, turned = _partition.symmetric_eigen(_core.second_moment(vectors, n_threads))
    kept = squares > squares[0] * 1e-14
    scale = np.where(kept, 1.0 / np.sqrt(np.where(kept, squares, 1.0)), 0.0)
    return _core.project(vectors, np.ascontiguousarray(turned * scale), n_threads)


def _products(
    placements: list[Placement],
    directions: NDArray[np.float64],
    values: list[NDArray[Any]],
    n_threads: int,
) -> Iterator[tuple[slice, NDArray[np.float64]]]:
    """Products of records, given as values of their fields, with directions, some records at a time."""
    own = [np.ascontiguousarray(directions[placement.field.own]) for placement in placements]
    tables = [
        _core.project(placement.place(np.arange(placement.field.levels)), part, n_threads)
        if placement.field.levels
        else None
        for placement, part in zip(placements, own)
    ]
    for part in _parts(len(values[0]), directions.shape[1]):
        out = np.zeros((part.stop - part.start, directions.shape[1]))
        for placement, column, table, mine in zip(placements, values, tables, own):
            if table is not None:
                out += table[column[part]]
                continue
            for coordinate, direction in zip(placement.place(column[part]).T, mine):
                out += coordinate[:, None] * direction
        yield part, out


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
        low, high = _quartiles(values, weights)
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


def _quartiles(values: NDArray[np.float64], weights: NDArray[np.float64] | None) -> NDArray[np.float64]:
    """Lower and upper quartile; each value stands at the middle of its weight, the ends at 0 and 1."""
    if weights is None:
        return np.asarray(np.quantile(values, [0.25, 0.75]))
    order = np.argsort(values, kind="stable")
    w = weights[order]
    middle = np.cumsum(w) - 0.5 * w
    place = (middle - middle[0]) / (middle[-1] - middle[0])
    return np.interp([0.25, 0.75], place, values[order])


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


def losses_of_fields(
    placements: list[Placement], labels: NDArray[np.int32], weights: NDArray[np.float64] | None
) -> Losses:
    """Measure what the means of blocks lose, some blocks at a time, of a larger block some records."""
    values = [placement.field.read() for placement in placements]
    width = _width_of(placements)
    step = max(1, _CELLS // width)
    order = np.argsort(labels, kind="stable")
    starts = np.append(np.searchsorted(labels[order], np.arange(int(labels.max()) + 1)), len(order))
    lost, total = np.zeros((width, width)), np.zeros((width, width))
    largest_square, weight, block = 0.0, 0.0, 0

    def place(rows: NDArray[np.intp]) -> NDArray[np.float64]:
        return _place(placements, [column[rows] for column in values])

    while block < len(starts) - 1:
        first = int(starts[block])
        end = max(int(np.searchsorted(starts, first + step, side="right")) - 1, block + 1)
        mine = order[first : starts[end]]
        w = np.ones(len(mine)) if weights is None else weights[mine]
        parts = _parts(len(mine), width)
        if len(parts) > 1:  # one block
            centres = sum(w[part] @ place(mine[part]) for part in parts) / w.sum()
        for part in parts:
            chunk, own = place(mine[part]), w[part, None]
            if len(parts) == 1:
                borders = starts[block:end] - first
                block_weight = np.add.reduceat(w, borders)
                centres = np.add.reduceat(chunk * own, borders) / block_weight[:, None]
                centres = np.repeat(centres, np.diff([*borders, len(mine)]), axis=0)
            residual = chunk - centres
            lost += (residual * own).T @ residual
            total += (chunk * own).T @ chunk
            largest_square = max(largest_square, float((chunk**2).sum(axis=1).max()))
        weight += float(w.sum())
        block = end
    return Losses(lost, total, weight, largest_square)


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
