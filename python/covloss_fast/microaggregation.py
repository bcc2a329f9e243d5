"""The anonymous half: tables in which every record shares its released values with others.

Records are grouped into blocks and each block is released in place of its records: numbers by their mean,
Boolean and categorical attributes by their mode. What is lost is known (Section 3 of the paper): the
covariance loss of a partition is the mean covariance inside its blocks.

Two ways to make the blocks. With ``min_block_size`` the loss at small blocks is what counts: a local search
that stays at or below what MDAV loses, at near-linear cost (:mod:`covloss_fast._core.microaggregation`).
With ``n_blocks`` the paper's construction: projection on the leading eigenvectors, a covering, nearest
points, and an equipartition into exactly that many blocks.

Anonymity is not differential privacy: a block's mean depends on all of its records, exactly, and whoever
knows all but one of them knows the last. For a guarantee against that, see
:class:`covloss_fast.CovLossSynthesizer`.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from covloss_fast._core import microaggregation as _core
from covloss_fast._core.bits import BitMatrix, second_moment
from covloss_fast._threads import resolve_n_threads
from covloss_fast.records.coordinates import (
    Field,
    Losses,
    block_values,
    block_values_of_bits,
    coordinates,
    losses_of_bits,
    losses_of_rows,
    read_fields,
    scales_of_bits,
)
from covloss_fast.records.equal_blocks import equal_blocks_of_bits, equal_blocks_of_rows
from covloss_fast.records.masking import masked_table
from covloss_fast.records.partition import Lattice, NearestPoint, Pinning, RandomSigns, loss_bound
from covloss_fast.records.statistics import BlockStatistics
from covloss_fast.records.tables import Column, Columns, Factored, Kind, read
from covloss_fast.released.rounding import sample_codes
from covloss_fast.schema import Categorical, Schema

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["AnonymityCertificate", "Microaggregator", "ReleasedGroups"]

#: Rounds of the search for each unit of `effort`, in strata of several super-blocks; four at 0.
_ROUNDS = 12
#: Passes of rebuilding for each unit of `effort`, in small tables; in large ones rounds give more.
_MAX_PASSES = 16
_PASSED_RECORDS = 131_072
#: Weights whose sums with squares of coordinates stay far from the ends of doubles; were the ratio larger,
#: the light ones would vanish in sums.
_WEIGHTS = (1e-20, 1e20)
_MOST_UNEQUAL = 1e12


@dataclass(frozen=True)
class ReleasedGroups:
    """What a recount of the released table found: groups of records with the same released values.

    Attributes
    ----------
    n_groups : int
        Number of different released records.
    smallest, largest : int
        Sizes of the smallest and of the largest group. Blocks that happen to be released alike are one group.
    """

    n_groups: int
    smallest: int
    largest: int


@dataclass(frozen=True)
class AnonymityCertificate:
    """What was released and what was lost.

    Losses are in the coordinates in which blocks are made: a column of numbers divided by its standard
    deviation, a Boolean or categorical attribute such that two records with different levels are at
    distance 1.

    Attributes
    ----------
    n_records, n_blocks : int
        Recounted from the labels.
    smallest_block, largest_block : int
        Number of records of the smallest and of the largest block, recounted from the labels.
    scatter, total_scatter : float
        Weighted sum of squared distances from the means of the blocks (SSE), and from the mean of all (SST).
    relative_trace_loss : float
        ``scatter / total_scatter``, the field's information loss; 0 if all records are equal.
    attribute_loss : dict
        The same for each attribute alone.
    covariance_loss, total_covariance : float
        Frobenius norms of the difference of the covariances of records and of released means, and of the
        covariance of the records, which is what a single block would lose.
    bound : float
        What theory says beforehand of the covariance loss (Theorem 1.2, with explicit constants).
    is_vacuous : bool
        Whether the bound says nothing, since a single block would satisfy it. At small blocks it always is.
    released : ReleasedGroups or None
        Recount of the released table itself; None until a table has been released.
    """

    n_records: int
    n_blocks: int
    smallest_block: int
    largest_block: int
    scatter: float
    total_scatter: float
    relative_trace_loss: float
    attribute_loss: dict[str, float]
    covariance_loss: float
    total_covariance: float
    bound: float
    is_vacuous: bool
    released: ReleasedGroups | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the certificate as plain JSON values."""
        return asdict(self)

    def __str__(self) -> str:
        lines = [
            f"{self.n_records:,} records in {self.n_blocks:,} blocks of {self.smallest_block:,} to "
            f"{self.largest_block:,} records",
            f"relative trace loss {100 * self.relative_trace_loss:.2f} %",
            f"covariance loss {self.covariance_loss:.3g} of {self.total_covariance:.3g}; "
            f"the theorem's bound is {self.bound:.3g}"
            + (" and says nothing here" if self.is_vacuous else ""),
        ]
        if self.released is not None:
            groups, smallest = self.released.n_groups, self.released.smallest
            lines.insert(1, f"released: {groups:,} different records, each at least {smallest:,} times")
        return "\n".join(lines)


@dataclass(frozen=True, eq=False)
class _Made:
    """A partition, what it releases of each field, what it loses, and what theory says of that."""

    labels: NDArray[np.int32]
    values: list[NDArray[np.float64]]
    losses: Losses
    bound: float


_Maker: TypeAlias = Callable[[list[Field], BitMatrix | None, "NDArray[np.float64] | None", int], _Made]


def _made_of_rows(
    fields: list[Field], losses: Losses, labels: NDArray[np.int32], weights: NDArray[np.float64] | None
) -> _Made:
    n_blocks = int(labels.max()) + 1
    bound = losses.largest_square * loss_bound(n_blocks)
    return _Made(labels, block_values(fields, labels, n_blocks, weights), losses, bound)


def _certify(
    fields: list[Field], losses: Losses, sizes: NDArray[np.int64], bound: float
) -> AnonymityCertificate:
    scatter, total_scatter = np.diag(losses.lost), np.diag(losses.total)

    def relative(own: slice) -> float:
        whole = float(total_scatter[own].sum())
        return max(0.0, float(scatter[own].sum())) / whole if whole > 0 else 0.0

    covariance = float(np.linalg.norm(losses.total)) / losses.weight
    return AnonymityCertificate(
        n_records=int(sizes.sum()),
        n_blocks=len(sizes),
        smallest_block=int(sizes.min()),
        largest_block=int(sizes.max()),
        scatter=max(0.0, float(scatter.sum())),
        total_scatter=float(total_scatter.sum()),
        relative_trace_loss=relative(slice(None)),
        attribute_loss={field.name: relative(field.own) for field in fields},
        covariance_loss=float(np.linalg.norm(losses.lost)) / losses.weight,
        total_covariance=covariance,
        bound=bound,
        is_vacuous=bound >= covariance,
    )


def count_groups(table: Any, n_threads: int = 1) -> ReleasedGroups:
    """Count the records of a table that are equal in all columns.

    The records are compared by two independent 64-bit hashes; two different ones among a billion are taken
    for equal with a probability below 1e-20.
    """
    columns = read(table)
    n = columns.n_records
    if n == 0:
        return ReleasedGroups(0, 0, 0)
    hashes = np.repeat(np.array([[0], [1]], dtype=np.uint64), n, axis=1)
    for j in range(columns.n_columns):
        _core.mix_column(_words(columns.column(j)), hashes, n_threads)
    order = np.lexsort(hashes)
    first, second = hashes[0, order], hashes[1, order]
    borders = np.flatnonzero((first[1:] != first[:-1]) | (second[1:] != second[:-1])) + 1
    sizes = np.diff([0, *borders, n])
    return ReleasedGroups(len(sizes), int(sizes.min()), int(sizes.max()))


def _words(column: Column) -> NDArray[np.uint64]:
    """Return a 64-bit word for each value of a column, the same for equal values."""
    if isinstance(column, Factored):
        seen: dict[Any, int] = {}
        codes = [seen.setdefault(value, len(seen)) for value in column.uniques]
        table: NDArray[np.uint64] = np.array([*codes, len(seen)], dtype=np.uint64)  # the last for index -1
        return np.asarray(table[column.index])
    values = column.values
    if values.dtype.kind == "f":
        values = values.astype(np.float64) + 0.0  # one zero
        values[np.isnan(values)] = np.nan
    elif values.dtype.kind != "M":
        values = values.astype(np.int64)
    words: NDArray[np.uint64] = np.array(values).view(np.uint64)
    if column.null is not None:
        words[column.null] = np.iinfo(np.uint64).max
    return words


def _check_count(value: Any, name: str, low: int, high: int | None = None) -> int:
    """Return an integer parameter in a range."""
    try:
        number = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = None
    if number is None or number < low or (high is not None and number > high):
        interval = f"of at least {low}" if high is None else f"from {low} to {high:,}"
        raise ValueError(f"{name} must be an integer {interval}, got {value!r}")
    return number


def _check_weights(sample_weight: Any, n: int) -> NDArray[np.float64] | None:
    if sample_weight is None:
        return None
    try:
        weights = np.array(sample_weight, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ValueError("sample_weight must be an array of numbers") from None
    low, high = _WEIGHTS
    if weights.shape != (n,):
        raise ValueError(
            f"sample_weight must have shape ({n},), one weight for each record, got {weights.shape}"
        )
    bad = ~(np.isfinite(weights) & (weights > 0))
    if bad.any():
        raise ValueError(f"sample_weight must be positive and finite; record {int(bad.argmax())} is not")
    if n and not low <= weights.min() <= weights.max() <= high:
        record = int(((weights < low) | (weights > high)).argmax())
        raise ValueError(
            f"sample_weight must lie between {low:g} and {high:g}; that of record {record} does not: rescale "
            "them all"
        )
    if n and weights.max() > _MOST_UNEQUAL * weights.min():
        raise ValueError(
            f"sample_weight must not differ by more than a factor of {_MOST_UNEQUAL:g}, as those of records "
            f"{int(weights.argmin())} and {int(weights.argmax())} do: in sums the light ones would vanish"
        )
    return weights


def _check_strata(strata: Any, n: int) -> NDArray[np.int32]:
    """Return the stratum of each record, numbered from 0."""
    if strata is None:
        return np.zeros(n, dtype=np.int32)
    if np.shape(strata) != (n,):
        raise ValueError(f"strata must have shape ({n},), one entry for each record, got {np.shape(strata)}")
    column = read({"strata": strata}).column(0)
    if isinstance(column, Factored):
        keys, missing = column.index, column.index < 0
    else:
        keys, missing = column.values, column.values != column.values  # NaN and NaT
        if column.null is not None:
            missing = missing | column.null
    if missing.any():
        raise ValueError(f"strata: record {int(missing.argmax())} has a missing value")
    return np.unique(keys, return_inverse=True)[1].astype(np.int32)


class Microaggregator:
    """Replaces each record by the mean (numbers) or mode (levels) of a block of records.

    Parameters
    ----------
    min_block_size : int, optional
        Every block averages at least this many records: r-anonymity in all columns at once.
    n_blocks : int, optional
        Exactly this many blocks, whose sizes differ by at most one. Exactly one of the two must be given.
    schema : Schema, optional
        What the columns hold. Without it every column must hold numbers (booleans are 0 and 1).
    effort : int, default=1
        How long to search with `min_block_size`: time grows in proportion, and the loss falls a little. 0 is
        about three times faster than 1.
    scaling : {"standard", "robust", "none"}, default="standard"
        What a column of numbers is divided by before distances are taken: its standard deviation (ddof =
        1), its interquartile range over 1.349, or nothing.
    n_threads : int, optional
        Threads; the result does not depend on it.
    random_state : int, default=0
        Seed of the search's hashed random choices.

    Attributes
    ----------
    labels_ : int32 array, shape (n,)
        Block of each record, in the order of the rows; blocks are numbered by their first records.
    block_sizes_ : int64 array, shape (n_blocks,)
        Records of each block.
    block_means_ : float64 array, shape (n_blocks, p)
        Means of numbers in the caller's units (dates in days, times in microseconds since 1970), share of the
        second level of an attribute of two levels, shares of all levels of a larger one.
    block_columns_ : list of str
        What the p columns of `block_means_` are: ``name`` or ``name=level``.
    certificate_ : AnonymityCertificate
        What was released and what was lost.

    Notes
    -----
    Every attribute that is given is masked; columns that identify persons must be dropped beforehand. That
    blocks have `min_block_size` records does not keep an attribute from being the same for all of a block.

    Examples
    --------
    >>> import numpy as np
    >>> table = np.random.default_rng(0).normal(size=(1000, 3))
    >>> agg = Microaggregator(min_block_size=5)
    >>> masked = agg.fit_transform(table)
    >>> masked.shape, int(agg.block_sizes_.min())
    ((1000, 3), 5)
    """

    def __init__(
        self,
        min_block_size: int | None = None,
        n_blocks: int | None = None,
        schema: Schema | None = None,
        effort: int = 1,
        scaling: Literal["standard", "robust", "none"] = "standard",
        partition: NearestPoint | Lattice | Pinning | RandomSigns | None = None,
        n_threads: int | None = None,
        random_state: int = 0,
    ) -> None:
        self.min_block_size = min_block_size
        self.n_blocks = n_blocks
        self.schema = schema
        self.effort = effort
        self.scaling = scaling
        self.partition = partition
        self.n_threads = n_threads
        self.random_state = random_state

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters of the constructor and their values."""
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    def set_params(self, **params: Any) -> Microaggregator:
        """Set parameters of the constructor; return self."""
        known = self.get_params()
        for name, value in params.items():
            if name not in known:
                raise ValueError(f"{name!r} is not a parameter; parameters: {', '.join(known)}")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = {name: each.default for name, each in inspect.signature(type(self)).parameters.items()}
        given = {name: value for name, value in self.get_params().items() if value is not defaults[name]}
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in given.items())})"

    # ---- fit ----

    labels_: NDArray[np.int32]
    block_sizes_: NDArray[np.int64]
    block_means_: NDArray[np.float64]
    block_columns_: list[str]
    certificate_: AnonymityCertificate

    def fit(self, table: Any, sample_weight: Any = None, strata: Any = None) -> Microaggregator:
        """Make the blocks.

        Parameters
        ----------
        table : pandas, polars or pyarrow table, dict of columns, array of shape (n, p), or path
            Read, never written to.
        sample_weight : array-like, shape (n,), optional
            Positive weights of records, which enter means and scatters; sizes of blocks count records.
        strata : array-like, shape (n,), optional
            No block holds records of two strata.

        Returns
        -------
        Microaggregator
            Itself.

        Raises
        ------
        EncodingError
            If a value is missing or is not what the column holds: with column and record.
        ValueError
            If a parameter is wrong, or if there are fewer records than a block needs.
        """
        self._fit(read(table), sample_weight, strata)
        return self

    def fit_transform(self, table: Any, sample_weight: Any = None, strata: Any = None) -> Any:
        """Make the blocks and return the masked table.

        Parameters are those of :meth:`fit`. The masked table is of the same kind as `table`, with the same
        names and the same order of rows and columns; numbers are float64, levels have their declared
        spellings. The blocks are counted again in the masked table itself, in ``certificate_.released``.
        """
        columns = read(table)
        self._fit(columns, sample_weight, strata)
        index = getattr(getattr(table, "to_native", lambda: table)(), "index", None)
        masked = self._table(self.labels_, self._modes(), index if columns.kind == "pandas" else None)
        released = count_groups(masked, resolve_n_threads(self.n_threads))
        if released.smallest < self.block_sizes_.min():
            raise AssertionError("the released table has smaller groups than the partition")
        self.certificate_ = replace(self.certificate_, released=released)
        return masked

    def _fit(self, columns: Columns, sample_weight: Any, strata: Any) -> None:
        n = columns.n_records
        n_threads = resolve_n_threads(self.n_threads)
        if (self.min_block_size is None) == (self.n_blocks is None):
            raise ValueError("give either min_block_size or n_blocks, exactly one of the two")
        if self.partition is not None and self.n_blocks is None:
            raise ValueError("partition goes with n_blocks")
        if self.scaling not in ("standard", "robust", "none"):
            raise ValueError(f"scaling must be standard, robust or none, got {self.scaling!r}")
        names = columns.names or ()
        if columns.n_columns == 0:
            raise ValueError("the table has no columns")
        if len(set(names)) < len(names):
            second = next(j for j, name in enumerate(names) if name in names[:j])
            raise ValueError(
                f"two columns have one name, those at positions {names.index(names[second])} and {second}"
            )
        weights = _check_weights(sample_weight, n)
        stratum = _check_strata(strata, n)
        make = self._plan_by_size(n, stratum) if self.n_blocks is None else self._plan_by_number(n, stratum)
        fields, bits = read_fields(columns, self.schema, n_threads)
        made = make(fields, bits, weights, n_threads)

        self.labels_ = made.labels
        self.block_sizes_ = np.bincount(made.labels).astype(np.int64)
        self.n_features_in_ = columns.n_columns
        self._kind: Kind = columns.kind
        self._names = columns.names
        self._attributes = [field.attribute for field in fields]
        self._weights = np.bincount(made.labels, weights=weights)
        self._values = made.values
        self._describe_blocks(fields)
        self.certificate_ = _certify(fields, made.losses, self.block_sizes_, made.bound)

    def _plan_by_size(self, n: int, strata: NDArray[np.int32]) -> _Maker:
        """Check the parameters of a partition by minimum size; return what makes it."""
        size = _check_count(self.min_block_size, "min_block_size", 1)
        effort = _check_count(self.effort, "effort", 0, 1000)
        seed = _check_count(self.random_state, "random_state", 0, 2**64 - 1)
        if n < size:
            raise ValueError(f"the table has {n:,} records, fewer than min_block_size={size:,}")
        counts = np.bincount(strata)
        if counts.min() < size:
            record = int((strata == counts.argmin()).argmax())
            raise ValueError(
                f"the stratum of record {record} has {counts.min():,} records, "
                f"fewer than min_block_size={size:,}"
            )

        def make(
            fields: list[Field], bits: Any, weights: NDArray[np.float64] | None, n_threads: int
        ) -> _Made:
            rows = coordinates(fields, n, weights, self.scaling)
            if size == 1:
                labels = np.arange(n, dtype=np.int32)
            elif max(field.own.stop for field in fields) == 1:
                column = np.ascontiguousarray(rows[:, 0])
                labels = _core.univariate_partition(column, weights, strata, len(counts), size, n_threads)
            else:
                rounds = _ROUNDS * effort if effort else 4
                passes = min(effort * _PASSED_RECORDS // n, effort * _MAX_PASSES)
                labels = _core.minimum_size_partition(
                    rows, weights, strata, len(counts), size, rounds, passes, seed, n_threads
                )
            losses = losses_of_rows(rows, labels, weights)
            del rows  # as large as the table
            return _made_of_rows(fields, losses, labels, weights)

        return make

    def _plan_by_number(self, n: int, strata: NDArray[np.int32]) -> _Maker:
        """Check the parameters of a partition into so many blocks; return what makes it."""
        n_blocks = _check_count(self.n_blocks, "n_blocks", 1)
        n_strata = int(strata.max(initial=0)) + 1
        if not n_strata <= n_blocks <= n:
            raise ValueError(
                f"n_blocks must be from the number of strata, {n_strata:,}, to the number of records, "
                f"{n:,}, got {n_blocks:,}"
            )

        def make(
            fields: list[Field], bits: BitMatrix | None, weights: NDArray[np.float64] | None, n_threads: int
        ) -> _Made:
            cells = None
            if self.partition is not None:
                if bits is None:
                    raise ValueError(
                        "partition needs a table of bits: a schema of Boolean and categorical attributes, or "
                        "an array of zeros and ones"
                    )
                cells = self.partition.labels(bits, n_threads)
            if bits is None or weights is not None:
                rows = coordinates(fields, n, weights, self.scaling)
                blocks = equal_blocks_of_rows(rows, n_blocks, strata, cells, n_threads)
                losses = losses_of_rows(rows, blocks.labels, weights)
                del rows  # as large as the table
                made = _made_of_rows(fields, losses, blocks.labels, weights)
                return made if weights is not None else replace(made, bound=blocks.bound)
            moment = second_moment(bits, n_threads)
            scale = scales_of_bits(fields, bits.n_columns)
            blocks = equal_blocks_of_bits(bits, moment, scale, n_blocks, strata, cells, n_threads)
            statistics = BlockStatistics.from_labels(bits, blocks.labels, n_blocks, n_threads)
            losses = losses_of_bits(moment, statistics, scale)
            return _Made(blocks.labels, block_values_of_bits(fields, statistics), losses, blocks.bound)

        return make

    def _describe_blocks(self, fields: list[Field]) -> None:
        """Put the means of blocks side by side, with names."""
        self.block_columns_, means = [], []
        for field, values in zip(fields, self._values):
            if not isinstance(field.attribute, Categorical):
                self.block_columns_.append(field.name)
                means.append(values[:, None])
                continue
            levels = [*field.attribute.levels, *(["missing"] if field.attribute.missing else [])]
            shown = range(1, 2) if field.levels == 2 else range(len(levels))
            self.block_columns_ += [f"{field.name}={levels[level]}" for level in shown]
            means.append(values[:, shown])
        self.block_means_ = np.concatenate(means, axis=1)

    # ---- release ----

    def _modes(self) -> list[NDArray[Any]]:
        """For each column the released value of each block: mean or most frequent level (first of equals)."""
        return [
            values.argmax(axis=1) if isinstance(attribute, Categorical) else values
            for attribute, values in zip(self._attributes, self._values)
        ]

    def _table(self, blocks: NDArray[Any], values: list[NDArray[Any]], index: Any = None) -> Any:
        return masked_table(
            self._kind, self._names, self._attributes, [each[blocks] for each in values], index
        )

    def sample(self, n: int, random_state: int | None = None) -> Any:
        """Draw records from the blocks: bootstrapping and randomized rounding (Section 4 of the paper).

        A block is drawn for each record, in proportion to its weight; the record has the block's means of
        numbers, and, independently, levels drawn by their shares in the block. Attributes of levels so keep
        their marginals, which modes do not.

        Parameters
        ----------
        n : int
            Number of records.
        random_state : int, optional
            Seed; fresh entropy by default.

        Returns
        -------
        table
            Of the kind that was fitted.
        """
        if not hasattr(self, "labels_"):
            raise AttributeError("this Microaggregator is not fitted yet; call fit first")
        n = _check_count(n, "n", 0)
        if random_state is not None:
            random_state = _check_count(random_state, "random_state", 0)
        generator = np.random.default_rng(random_state)
        sizes = tuple(each.size for each in self._attributes if isinstance(each, Categorical))
        drawn: list[NDArray[Any]]
        if len(sizes) == len(self._attributes):
            weights = self._weights / self._weights.sum()
            codes = sample_codes(
                weights, self.block_means_, sizes, n, generator.bytes(32), n_threads=self.n_threads
            )
            drawn = list(codes)
        else:
            drawn = self._draw(n, generator)
        return masked_table(self._kind, self._names, self._attributes, drawn)

    def _draw(self, n: int, generator: np.random.Generator) -> list[NDArray[Any]]:
        """Draw records with numbers, a block for each."""
        blocks = generator.choice(len(self._weights), n, p=self._weights / self._weights.sum())
        drawn: list[NDArray[Any]] = []
        for attribute, values in zip(self._attributes, self._values):
            if isinstance(attribute, Categorical):
                borders = np.cumsum(values, axis=1)[:, :-1]
                uniform = generator.random(n)
                codes = np.zeros(n, dtype=np.int64)
                for level in range(borders.shape[1]):
                    codes += uniform >= borders[blocks, level]
                drawn.append(codes)
            else:
                drawn.append(values[blocks])
        return drawn
