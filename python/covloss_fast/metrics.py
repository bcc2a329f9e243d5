"""How far a synthetic or masked table is from the true one. For the curator, who has both: not private.

Marginals are compared as the field does. An attribute of two levels is one bit, any other one has a bit for
each level; a d-way marginal is the fraction of records in which d bits of distinct attributes are all set.
All sets are counted where that is cheap, a random sample of them otherwise, drawn from the schema alone.
"""

from __future__ import annotations

import datetime as dt
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covloss_fast._core import bits as _bits
from covloss_fast._core import partition as _partition
from covloss_fast._threads import resolve_n_threads
from covloss_fast.records.coordinates import LARGEST_COORDINATE
from covloss_fast.records.encoding import encode, time_of_text
from covloss_fast.records.partition import loss_bound
from covloss_fast.records.tables import (
    CALENDAR_UNITS,
    Columns,
    Factored,
    Plain,
    Unhashable,
    calendar_days,
    read_undeclared,
)
from covloss_fast.released.marginal_sets import count_sets, draw_sets
from covloss_fast.schema import BitLayout, Schema, check_schema

#: Words of 64 bits that an exact count may touch: some seconds.
_MAX_WORDS = 2e10
_SAMPLE = 20_000
_MAX_CELLS = 2**26
_CELLS_AT_A_TIME = 2**18
_MAX_TUPLES = 1_000
#: Fewer records are counted by one thread: in less time than a second one may take to wake up.
_LEAST_SHARED = 4_000_000
#: A number of levels that is told in full.
_MAX_SHOWN = 10**18
_EPOCH = dt.datetime(1970, 1, 1)
#: In units of time that all have the same length, that of the shortest of numpy.
_ATTOSECONDS = {
    "D": 86_400 * 10**18,
    "h": 3_600 * 10**18,
    "m": 60 * 10**18,
    "s": 10**18,
    "ms": 10**15,
    "us": 10**12,
    "ns": 10**9,
    "ps": 10**6,
    "fs": 10**3,
    "as": 1,
}
#: Whole numbers nearer to 0 than this are counted without sorting.
_MAX_RANGE = 2**16


@dataclass(frozen=True)
class MarginalError:
    """Differences of d-way marginals between two tables.

    Attributes
    ----------
    rms : float
        Root mean square over the sets of d bits of distinct attributes.
    max : float
        Largest absolute difference among the sets that were counted.
    n_marginals : int
        Number of sets that were counted.
    standard_error : float
        Of `rms`, because of sampling sets; 0 when all were counted.
    degree : int
        d.

    Examples
    --------
    >>> import numpy as np
    >>> import covloss_fast as cf
    >>> true, other = np.array([[0, 1], [1, 1]]), np.array([[0, 1], [0, 1]])
    >>> error = cf.marginal_error(true, other, degree=1)
    >>> error.max, error.n_marginals, round(error.rms, 4)
    (0.5, 2, 0.3536)
    """

    rms: float
    max: float
    n_marginals: int
    standard_error: float
    degree: int


@dataclass(frozen=True)
class _Moment:
    """A date or time, the same in whatever unit or type it came; a date is its midnight."""

    attoseconds: int
    is_zoned: bool


@dataclass(frozen=True)
class _Table:
    """A table over the levels of both: codes by attribute and bits, each made when asked for."""

    n_records: int
    codes: Callable[[int], NDArray[Any]]
    bits: Callable[[], _bits.BitMatrix]


def marginal_error(
    true: Any,
    synthetic: Any,
    degree: int = 2,
    schema: Schema | None = None,
    *,
    random_state: int = 0,
    n_threads: int | None = None,
) -> MarginalError:
    """Compare the d-way marginals of two tables. The result is not private.

    Sets of exactly `degree` bits are compared: at the default, pairs alone. That says nothing of 1-way
    marginals, in which tables without an error of pairs can differ (where attributes have two levels, the
    pairs are those of the second one): ask with ``degree=1`` too, or :func:`attribute_tv`, whose marginal
    tables have all cells.

    Parameters
    ----------
    true, synthetic : tables
        Data frames, dicts of arrays, arrays or paths; they may have different numbers of records.
    degree : int
        d, from 1 to the number of attributes.
    schema : Schema, optional
        Levels and bins, values beyond which count as the bound in both tables; without it the levels of an
        attribute are those that either table has (True equals 1; dates and times are compared as moments,
        whatever their unit or type), and an array of whole numbers holds codes 0, 1, 2, ...
    random_state : int
        Public seed for the sample of sets, where they are too many to count.
    n_threads : int, optional
        Threads to use.

    Returns
    -------
    MarginalError

    Raises
    ------
    ValueError
        If a table has no record, or the degree or the columns do not fit; without a schema also if two
        columns have one name, a column has more than 8,192 levels, text in one table spells values of the
        other, or times have a time zone in one table alone.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> schema = cf.Schema([cf.Binary("smoker"), cf.Binary("coughs")])
    >>> true = {"smoker": [True, True, False, False], "coughs": [True, True, True, False]}
    >>> other = {"smoker": [True, True, False, False], "coughs": [True, False, True, True]}
    >>> cf.marginal_error(true, other, degree=2, schema=schema).rms
    0.25

    No error of pairs, though all cells differ:

    >>> first, second = np.array([[1, 0]]), np.array([[0, 1]])
    >>> [cf.marginal_error(first, second, degree=d).rms for d in (2, 1)], cf.attribute_tv(first, second)
    ([0.0, 1.0], 1.0)
    """
    threads = resolve_n_threads(n_threads)
    layout, *tables = _align(true, synthetic, schema, threads)
    _check_degree(degree, layout)
    first, second = (table.bits() for table in tables)
    n_sets = count_sets(layout, degree)
    words = (first.n_rows + second.n_rows) / 64
    if n_sets * words <= _MAX_WORDS:
        groups = layout.attribute_of_bit
        total, largest, counted = _bits.marginal_error(first, second, groups, degree, threads)
        return MarginalError(math.sqrt(total / counted), largest, counted, 0.0, degree)
    generator = np.random.Generator(np.random.Philox(random_state))
    sets, _ = draw_sets(layout, degree, _SAMPLE, generator)
    difference = (
        _bits.marginal_counts(first, sets, threads) / first.n_rows
        - _bits.marginal_counts(second, sets, threads) / second.n_rows
    )
    squares = difference**2
    rms = math.sqrt(squares.mean())
    standard_error = float(squares.std(ddof=1)) / math.sqrt(len(sets)) / (2 * rms) if rms > 0 else 0.0
    return MarginalError(rms, float(np.abs(difference).max()), len(sets), standard_error, degree)


def attribute_tv(
    true: Any,
    synthetic: Any,
    degree: int = 2,
    schema: Schema | None = None,
    *,
    random_state: int = 0,
    n_threads: int | None = None,
) -> float:
    """Mean total variation distance between the marginal tables of d attributes. The result is not private.

    Parameters
    ----------
    true, synthetic, schema, n_threads
        As in `marginal_error`.
    degree : int
        d, from 1 to the number of attributes.
    random_state : int
        Public seed; beyond 1,000 tuples of attributes a random sample of so many is compared.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    ValueError
        As `marginal_error`, or if a marginal table has more than 2^26 cells.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> schema = cf.Schema([cf.Binary("smoker"), cf.Categorical("job", ["clerk", "nurse", "other"])])
    >>> true = {"smoker": [True, False], "job": ["clerk", "nurse"]}
    >>> other = {"smoker": [True, False], "job": ["clerk", "other"]}
    >>> float(cf.attribute_tv(true, other, degree=2, schema=schema))
    0.5
    """
    threads = resolve_n_threads(n_threads)
    layout, first, second = _align(true, synthetic, schema, threads)
    sizes = layout.sizes
    _check_degree(degree, layout)
    cells = math.prod(sorted(sizes)[-degree:])
    if cells > _MAX_CELLS:
        raise ValueError(
            f"a marginal table of {degree} attributes has {cells:,} cells, more than {_MAX_CELLS:,}"
        )
    if math.comb(len(sizes), degree) <= _MAX_TUPLES:
        tuples = list(itertools.combinations(range(len(sizes)), degree))
    else:
        generator = np.random.Generator(np.random.Philox(random_state))
        drawn: set[tuple[int, ...]] = set()
        while len(drawn) < _MAX_TUPLES:
            drawn.add(tuple(sorted(generator.choice(len(sizes), degree, replace=False).tolist())))
        tuples = sorted(drawn)

    pairs = zip(*(_marginal_counts(table, sizes, tuples, threads) for table in (first, second)))
    n, m = first.n_records, second.n_records
    return float(np.mean([_total_variation(left, right, n, m) for left, right in pairs]))


def _total_variation(left: NDArray[np.int64], right: NDArray[np.int64], n: int, m: int) -> float:
    """Of two tables of counts, part by part: little is copied and an interrupt is seen soon."""
    left, right = left.ravel(), right.ravel()
    parts = [slice(first, first + _CELLS_AT_A_TIME) for first in range(0, len(left), _CELLS_AT_A_TIME)]
    return 0.5 * sum(float(np.abs(left[part] / n - right[part] / m).sum()) for part in parts)


def _marginal_counts(
    table: _Table, sizes: Sequence[int], tuples: Sequence[tuple[int, ...]], n_threads: int
) -> Iterator[NDArray[np.int64]]:
    """Counts of the cells of tuples of attributes; neighbours that begin alike share that work."""
    n_threads = n_threads if table.n_records >= _LEAST_SHARED else 1
    beginning: tuple[int, ...] | None = None
    for each in tuples:
        if each[:-1] != beginning:
            beginning, n_cells = each[:-1], 1
            cells = np.zeros(table.n_records, dtype=np.uint8)
            for attribute in beginning:
                n_cells *= sizes[attribute]
                cells = cells.astype(np.min_scalar_type(max(n_cells - 1, 1)))
                cells *= cells.dtype.type(sizes[attribute])
                cells += table.codes(attribute).astype(cells.dtype, copy=False)
        last = each[-1]
        yield _bits.pair_histogram(cells, table.codes(last), n_cells, sizes[last], n_threads)


def _check_degree(degree: int, layout: BitLayout) -> None:
    q = len(layout.sizes)
    if isinstance(degree, bool) or not isinstance(degree, int | np.integer) or not 1 <= degree <= q:
        raise ValueError(f"degree must be an integer from 1 to the number of attributes, {q}, got {degree!r}")


def _align(
    true: Any, synthetic: Any, schema: Schema | None, n_threads: int
) -> tuple[BitLayout, _Table, _Table]:
    """Both tables over one layout; a table without records has no marginals and is refused."""
    if schema is not None:
        layout = check_schema(schema).layout
        tables = [_from_schema(table, schema, n_threads) for table in (true, synthetic)]
    else:
        given = [read_undeclared(table) for table in (true, synthetic)]
        if given[0].n_columns != given[1].n_columns:
            raise ValueError(
                f"the tables must have the same columns, got {given[0].n_columns} and {given[1].n_columns}"
            )
        if given[0].n_columns == 0:
            raise ValueError("the tables have no columns")
        if all(each.array is not None and _is_zero_one(each.array) for each in given):
            layout = BitLayout((2,) * given[0].n_columns)
            tables = [_from_zeros_and_ones(each, n_threads) for each in given]
        else:
            columns, sizes = _common_codes(*given)
            layout = BitLayout(tuple(sizes))
            tables = [_from_codes(codes, sizes, n_threads) for codes in columns]
    for name, table in zip(("true", "synthetic"), tables):
        if table.n_records == 0:
            raise ValueError(f"the {name} table has no records")
    return layout, tables[0], tables[1]


def _from_schema(table: Any, schema: Schema, n_threads: int) -> _Table:
    encoded = encode(table, schema, n_threads, fractions=True)
    return _Table(encoded.n_records, encoded.column_codes, lambda: encoded.bits)


def _from_zeros_and_ones(columns: Columns, n_threads: int) -> _Table:
    bits = _bits.BitMatrix.from_array(np.asarray(columns.array).astype(np.uint8, copy=False), n_threads)
    return _Table(bits.n_rows, bits.column, lambda: bits)


def _from_codes(codes: list[NDArray[Any]], sizes: list[int], n_threads: int) -> _Table:
    return _Table(
        len(codes[0]),
        codes.__getitem__,
        lambda: _bits.BitMatrix.from_codes(codes, sizes, n_threads),
    )


def _common_codes(true: Columns, synthetic: Columns) -> tuple[list[list[NDArray[Any]]], list[int]]:
    """Codes of both tables over the union of their levels, and the number of levels of each attribute."""
    columns = [true, synthetic]
    names = [None if each.names is None else list(each.names) for each in columns]
    order = list(range(columns[0].n_columns))
    if names[0] is not None and names[1] is not None:
        if set(names[0]) != set(names[1]):
            raise ValueError("the tables have different columns")
        order = [names[1].index(name) for name in names[0]]
    first: list[NDArray[Any]] = []
    second: list[NDArray[Any]] = []
    sizes: list[int] = []
    for left, right in enumerate(order):
        shown = f"column {left if names[0] is None else repr(names[0][left])}"
        parts = [_levels(table, j, shown) for table, j in zip(columns, (left, right))]
        _refuse_other_spellings(shown, parts[0][0], parts[1][0])
        _refuse_other_clocks(shown, parts[0][0], parts[1][0])
        found = {level for uniques, _ in parts for level in uniques}
        numbers = all(type(level) is int and level >= 0 for level in found)
        are_codes = numbers and names[0] is None  # 0, 1, 2, ...
        n_levels = max(2, max(found, default=0) + 1) if are_codes else len(found)
        if n_levels**2 > _MAX_CELLS:
            many = f"{n_levels:,} levels, {n_levels**2:,} cells with one such"
            raise ValueError(
                f"{shown} has {many if n_levels < _MAX_SHOWN else f'more than {_MAX_SHOWN:,} levels'}, "
                f"too many to compare: at most {_MAX_CELLS:,}"
                + (" (whole numbers in an array are codes, 0 to the largest)" if are_codes else "")
            )
        levels = list(range(n_levels)) if are_codes else sorted(found, key=_sort_key)
        position = {level: code for code, level in enumerate(levels)}
        dtype = np.min_scalar_type(max(len(levels) - 1, 1))
        for (uniques, index), out in zip(parts, (first, second)):
            lookup = np.array([position[level] for level in uniques], dtype=dtype)
            out.append(np.ascontiguousarray(lookup[index] if len(uniques) else np.zeros(len(index), dtype)))
        sizes.append(max(len(levels), 1))
    return [first, second], sizes


def _refuse_other_clocks(column: str, first: list[Any], second: list[Any]) -> None:
    """Refuse times with a zone beside times without: which moments the latter are, nobody has said."""
    one, other = (
        {level.is_zoned for level in levels if isinstance(level, _Moment)} for levels in (first, second)
    )
    if one and other and not one & other:
        raise ValueError(
            f"{column} has times with a time zone in one table and times without in the other: convert "
            "one of them"
        )


def _refuse_other_spellings(column: str, first: list[Any], second: list[Any]) -> None:
    """Refuse text beside other values none of which it equals, though as text they are the same.

    A table of True and False that went through a CSV file comes back as text; compared as it is, everything
    would differ, and a perfect table would seem the worst there is.
    """
    one, other = ({level for level in levels if level is not None} for levels in (first, second))
    if not one or not other or one & other:
        return
    for text, values in ((one, other), (other, one)):
        if all(isinstance(level, str) for level in text) and not any(isinstance(v, str) for v in values):
            read = [_read_text(level) for level in text]
            if values.intersection(read) or {str(value) for value in values} & text:
                raise ValueError(
                    f"{column} has text in one table and other values in the other, none of them equal, "
                    "though some would be if the text were read ('True' is no boolean, '1' no number): "
                    "convert one of them, or give schema="
                )


def _read_text(text: str) -> Any:
    """The number, boolean or time that a text spells, as `_plain` has it; itself if it spells none."""
    lowered = text.strip().lower()
    if lowered in ("true", "false"):
        return int(lowered == "true")
    with suppress(ValueError):
        return _plain(float(lowered))
    with suppress(ValueError):
        return _plain(time_of_text(text.strip()))
    return text


def _levels(columns: Columns, j: int, shown: str) -> tuple[list[Any], NDArray[np.intp]]:
    """Distinct values of a column, alike ones as one (True, 1 and 1.0; all missing markers), and an index."""
    column = columns.column(j)
    if isinstance(column, Factored):
        uniques, index = list(column.uniques), np.asarray(column.index)
        for i, value in enumerate(uniques):
            if isinstance(value, Unhashable) and (index == i).any():
                place = columns.positions([int((index == i).argmax())])[0]
                raise ValueError(f"{shown}, {place}: a value of type {value.kind} is no level")
    elif column.null is not None and column.null.any():
        index = np.full(len(column.values), -1, dtype=np.intp)
        uniques, index[~column.null] = _distinct(column.values[~column.null], column.zoned)
    else:
        uniques, index = _distinct(column.values, column.zoned)
    if len(index) and index.min() < 0:  # a negative index marks a missing value
        uniques, index = [*uniques, None], np.where(index < 0, len(uniques), index)
    plain = [_plain(value) for value in uniques]
    distinct = list(dict.fromkeys(plain))
    where = {value: position for position, value in enumerate(distinct)}
    if not plain:
        return [], index.astype(np.intp)
    return distinct, np.array([where[value] for value in plain], dtype=np.intp)[index]


def _distinct(values: NDArray[Any], zoned: bool = False) -> tuple[list[Any], NDArray[np.intp]]:
    """Sorted distinct values and which of them each is; small whole numbers without sorting."""
    if values.dtype.kind in "biuf" and len(values):
        low, high = values.min().item(), values.max().item()
        # (A comparison with NaN is false.)
        if low > -_MAX_RANGE and high < _MAX_RANGE:
            shifted = values.astype(np.int64)
            if values.dtype.kind != "f" or (shifted == values).all():
                shifted -= int(low)
                occurs = np.bincount(shifted) > 0
                return (np.flatnonzero(occurs) + int(low)).tolist(), (np.cumsum(occurs) - 1)[shifted]
    uniques, index = np.unique(values, return_inverse=True)
    found = _moments(uniques, zoned) if values.dtype.kind == "M" else uniques.tolist()
    return found, index.reshape(-1)


def _moments(times: NDArray[Any], zoned: bool) -> list[_Moment | None]:
    """Make moments of times in any unit (years, months and weeks as days); None of NaT."""
    unit, count = np.datetime_data(times.dtype)
    if unit in CALENDAR_UNITS:
        return _moments(calendar_days(times), zoned)
    length = count * _ATTOSECONDS[unit]
    ticks = zip(times.astype(np.int64).tolist(), np.isnat(times).tolist())
    return [None if is_nat else _Moment(tick * length, zoned) for tick, is_nat in ticks]


def _moment(value: dt.date) -> _Moment | None:
    """Make the moment of a Python date (its midnight) or datetime, or of a Timestamp of pandas."""
    zoned = isinstance(value, dt.datetime) and value.utcoffset() is not None
    if hasattr(value, "to_datetime64"):  # in UTC, to the nanosecond
        return _moments(np.array([value.to_datetime64()]), zoned)[0]
    if not isinstance(value, dt.datetime):
        value = dt.datetime(value.year, value.month, value.day)
    since = value - (_EPOCH.replace(tzinfo=dt.timezone.utc) if zoned else _EPOCH.replace(tzinfo=value.tzinfo))
    return _Moment(since // dt.timedelta(microseconds=1) * _ATTOSECONDS["us"], zoned)


def _plain(value: Any) -> Any:
    if isinstance(value, bool | np.bool_):
        return int(value)
    if isinstance(value, float):
        if math.isnan(value):
            return None
        return int(value) if value.is_integer() else value
    if isinstance(value, np.datetime64):
        return _moments(np.array([value]), False)[0]
    return _moment(value) if isinstance(value, dt.date) else value


def _sort_key(value: Any) -> tuple[int, str, Any]:
    if value is None:
        return (2, "", 0)
    if isinstance(value, int | float):
        return (0, "", value)
    return (1, type(value).__name__, str(value))


@dataclass(frozen=True)
class CovarianceLoss:
    """What averaging over blocks takes from a covariance matrix.

    Attributes
    ----------
    frobenius : float
        Frobenius norm of Sigma_X - Sigma_Y, Y the block means; in squared units of the table.
    trace : float
        Its trace: the mean squared distance of a record from the mean of its block.
    relative_trace : float
        `trace` over the trace of Sigma_X (SSE / SST); 0 if that is 0.
    bound : float
        What Theorem 1.2 promises for the best partition into as many blocks, whatever the table, with the
        constants of its proof: R^2 times :func:`loss_bound`, R the largest distance of a record from the
        centre. The centre of numbers is their mean; that of bits is 1/2, and 1/s in a group of s levels, so
        that all records are at one distance. (A shift of the table changes no covariance.)
    is_vacuous : bool
        Whether the bound says nothing: a single block, which loses all of Sigma_X, would satisfy it too.

    Examples
    --------
    >>> import numpy as np
    >>> import covloss_fast as cf
    >>> loss = cf.covariance_loss(np.array([[0.0], [2.0], [5.0], [5.0]]), np.array([0, 0, 1, 1]))
    >>> loss.trace, loss.is_vacuous
    (0.5, True)
    """

    frobenius: float
    trace: float
    relative_trace: float
    bound: float
    is_vacuous: bool


def covariance_loss(
    table: Any, labels: Any, schema: Schema | None = None, *, n_threads: int | None = None
) -> CovarianceLoss:
    """Measure the covariance that is lost when records are replaced by the means of their blocks.

    Tables of zeros and ones, and tables with a schema, are counted in exact integers. The result is not
    private.

    Parameters
    ----------
    table : array of shape (n, p), or any table
        Numbers in the caller's units. With a schema the records are compared as bits: one for an attribute of
        two levels, else one for each level.
    labels : int array, shape (n,)
        Block of each record: any integers from 0, any partition, whoever made it.
    schema : Schema, optional
        Levels and bins, values beyond which count as the bound.
    n_threads : int, optional
        Threads to use; the result has the same bits for any number.

    Returns
    -------
    CovarianceLoss

    Raises
    ------
    ValueError
        If lengths do not fit, a label is not a whole number or is negative, a value is not a finite number,
        numbers are so large or so close that their squares leave the range of doubles, or there is no record.

    Examples
    --------
    >>> covariance_loss(np.array([[0.0], [2.0], [5.0], [5.0]]), np.array([0, 0, 1, 1])).trace
    0.5
    """
    threads = resolve_n_threads(n_threads)
    blocks = np.asarray(labels)
    if blocks.ndim != 1 or not np.issubdtype(blocks.dtype, np.integer):
        raise ValueError("labels must be a one-dimensional array of integers")
    if len(blocks) and blocks.min() < 0:
        raise ValueError(f"the label of row {int((blocks < 0).argmax())} is negative")
    compact = np.unique(blocks, return_inverse=True)[1].reshape(-1).astype(np.int32)
    n_blocks = int(compact.max(initial=-1)) + 1

    squared_radius: float
    if schema is not None:
        bits = encode(table, schema, threads, fractions=True).bits
        squared_radius = sum(0.25 if size == 2 else 1.0 - 1.0 / size for size in schema.sizes)
    else:
        values = _numbers(table)
        if not _is_zero_one(values):
            return _loss_of_numbers(
                np.ascontiguousarray(values, dtype=np.float64), compact, n_blocks, threads
            )
        bits = _bits.BitMatrix.from_array(values.astype(np.uint8, copy=False), threads)
        squared_radius = 0.25 * bits.n_columns
    _check_records(bits.n_rows, len(compact))
    moment = _bits.second_moment(bits, threads)
    counts, sums = _partition.block_statistics(bits, compact, n_blocks, threads)
    one, all_sums = counts.sum(keepdims=True), sums.sum(axis=0, keepdims=True)
    lost = _partition.lost_moment(moment, counts, sums, threads)
    total = _partition.lost_moment(moment, one, all_sums, threads)
    return _loss(lost / bits.n_rows, total / bits.n_rows, squared_radius, n_blocks)


def _loss_of_numbers(
    rows: NDArray[np.float64], labels: NDArray[np.int32], n_blocks: int, n_threads: int
) -> CovarianceLoss:
    n = len(rows)
    _check_records(n, len(labels))
    lost = _partition.residual_moment(rows, labels, n_blocks, n_threads)  # refuses what is not finite
    with np.errstate(over="ignore"):
        width = float((rows.max(axis=0) - rows.min(axis=0)).max(initial=0.0))
    if width != 0 and not 1 / LARGEST_COORDINATE <= width <= LARGEST_COORDINATE:
        raise ValueError(
            f"the numbers of a column spread over {width:.2g}, whose squares no sum holds: rescale them"
        )
    total = _partition.residual_moment(rows, np.zeros(n, dtype=np.int32), 1, n_threads)
    centre = rows.mean(axis=0)
    chunks = range(0, n, 65_536)  # nothing of the size of the table twice
    squared_radius = max(((rows[i : i + 65_536] - centre) ** 2).sum(axis=1).max() for i in chunks)
    return _loss(lost / n, total / n, float(squared_radius), n_blocks)


def _loss(
    lost: NDArray[np.float64], total: NDArray[np.float64], squared_radius: float, n_blocks: int
) -> CovarianceLoss:
    trace, whole = float(np.trace(lost)), float(np.trace(total))
    bound = squared_radius * loss_bound(n_blocks)
    return CovarianceLoss(
        frobenius=float(np.linalg.norm(lost)),
        trace=trace,
        relative_trace=trace / whole if whole > 0 else 0.0,
        bound=bound,
        is_vacuous=bool(bound >= np.linalg.norm(total)),
    )


def _numbers(table: Any) -> NDArray[Any]:
    """A table as one array of numbers, not copied where it is one."""
    columns = read_undeclared(table)
    if columns.array is not None:
        return columns.array
    read_columns = [columns.column(j) for j in range(columns.n_columns)]
    for j, column in enumerate(read_columns):
        if not isinstance(column, Plain) or column.values.dtype.kind not in "buif":
            shown = j if columns.names is None else repr(list(columns.names)[j])
            raise ValueError(f"column {shown} does not hold numbers; such a table needs a schema")
        if column.null is not None and column.null.any():
            raise ValueError(f"row {int(column.null.argmax())}, column {j}: the value is missing")
    return np.stack([column.values for column in read_columns if isinstance(column, Plain)], axis=1)


def _is_zero_one(values: NDArray[Any]) -> bool:
    if values.dtype.kind == "b":
        return True
    return bool(values.dtype.kind in "ui" and values.size and values.min() >= 0 and values.max() <= 1)


def _check_records(n: int, n_labels: int) -> None:
    if n == 0:
        raise ValueError("the table has no records")
    if n != n_labels:
        raise ValueError(f"{n_labels:,} labels for {n:,} records")
