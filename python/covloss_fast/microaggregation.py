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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from covloss_fast._core import microaggregation as _core
from covloss_fast._core.bits import BitMatrix, second_moment
from covloss_fast._memory import check_available
from covloss_fast._sklearn import tags
from covloss_fast._threads import resolve_n_threads
from covloss_fast.anonymity import (
    AnonymityCertificate,
    MarginalLoss,
    check_columns,
    count_groups,
    marginal_losses,
    recount,
    shares_of_bins,
)
from covloss_fast.records.batches import Batches
from covloss_fast.records.completing import check_present, complete_blocks
from covloss_fast.records.coordinates import (
    Field,
    Losses,
    Missing,
    Placement,
    Summary,
    bin_counts,
    is_wide,
    leading_rows,
    losses_of_bits,
    losses_of_fields,
    n_coordinates,
    place_fields,
    placements_of_bits,
    read_fields,
    rows_of_fields,
    scales_of_bits,
    summaries,
    summaries_of_bits,
)
from covloss_fast.records.encoding import EncodedTable, NumberStream, joined_columns
from covloss_fast.records.equal_blocks import CELLS, Cells, equal_blocks_of_bits, equal_blocks_of_fields
from covloss_fast.records.labelled import LabelledBatches
from covloss_fast.records.masking import in_order, masked_table
from covloss_fast.records.natives import Native, native_of
from covloss_fast.records.partition import Lattice, NearestPoint, Pinning, RandomSigns, loss_bound
from covloss_fast.records.releasing import Released, columns_of, release_values, rules_of, shown_levels
from covloss_fast.records.spelling import Spelling, spellings_of
from covloss_fast.records.statistics import BlockStatistics
from covloss_fast.records.tables import Columns, Factored, Kind, check_distinct, read, read_undeclared
from covloss_fast.released.rounding import sample_codes
from covloss_fast.schema import BitLayout, Categorical, Numeric, Schema

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["AnonymityCertificate", "Microaggregator"]

#: Rounds of the search for each unit of `effort`, in strata of several super-blocks; four at 0.
_ROUNDS = 11
#: Passes of rebuilding for each unit of `effort`, in small tables; in large ones rounds give more.
_MAX_PASSES = 16
_PASSED_RECORDS = 131_072
#: Weights whose sums with squares of coordinates stay far from the ends of doubles; were the ratio larger,
#: the light ones would vanish in sums.
_WEIGHTS = (1e-20, 1e20)
_MOST_UNEQUAL = 1e12


@dataclass(frozen=True, eq=False)
class _Made:
    """A partition, what it says of each field, what it loses, and what theory says of that."""

    labels: NDArray[np.int32]
    summaries: list[Summary]
    losses: Losses
    bound: float
    placements: list[Placement]


@dataclass(frozen=True, eq=False)
class _Parts:
    """What a fit holds of the records until they are certified."""

    fields: list[Field]
    made: _Made
    released: list[Released]
    layout: BitLayout | None
    bits: BitMatrix | None
    positions: list[int]
    weights: NDArray[np.float64] | None


_Maker: TypeAlias = Callable[
    [list[Field], BitMatrix | None, BitMatrix | None, "NDArray[np.float64] | None", int], _Made
]


def _made_of_rows(
    fields: list[Field],
    placements: list[Placement],
    losses: Losses,
    labels: NDArray[np.int32],
    weights: NDArray[np.float64] | None,
) -> _Made:
    n_blocks = int(labels.max()) + 1
    bound = losses.largest_square * loss_bound(n_blocks)
    return _Made(labels, summaries(fields, labels, n_blocks, weights), losses, bound, placements)


def _certify(
    fields: list[Field],
    made: _Made,
    released: list[Released],
    sizes: NDArray[np.int64],
    missing: Missing | None,
) -> AnonymityCertificate:
    losses, bound = made.losses, float(made.bound)
    scatter, total_scatter = np.diag(losses.lost), np.diag(losses.total)

    def relative(own: slice) -> float:
        whole = float(total_scatter[own].sum())
        return max(0.0, float(scatter[own].sum())) / whole if whole > 0 else 0.0

    fewest = int(sizes.min())
    for each, summary in zip(released, made.summaries):
        if summary.present is not None and not (each.field.levels and each.field.missing == "level"):
            shown = summary.present if each.field.levels else summary.present[~np.isnan(each.values)]
            fewest = min(fewest, int(shown.min(initial=fewest)))
    covariance = float(np.linalg.norm(losses.total)) / losses.weight
    lost, total = max(0.0, float(scatter.sum())), float(total_scatter.sum())
    return AnonymityCertificate(
        n_records=int(sizes.sum()),
        n_blocks=len(sizes),
        smallest_block=int(sizes.min()),
        largest_block=int(sizes.max()),
        scatter=lost,
        total_scatter=total,
        relative_trace_loss=relative(slice(None)),
        attribute_loss={field.name: relative(field.own) for field in fields},
        covariance_loss=float(np.linalg.norm(losses.lost)) / losses.weight,
        total_covariance=covariance,
        trace_loss=lost / losses.weight,
        total_trace=total / losses.weight,
        bound=bound,
        is_vacuous=bound >= covariance,
        release={each.field.name: each.rule for each in released},
        missing=(missing or "level") if any(field.missing for field in fields) else None,
        fewest_averaged=fewest,
    )


def _count_bins(
    fields: list[Field],
    encoded: EncodedTable | None,
    labels: NDArray[np.int32],
    weights: NDArray[np.float64] | None,
) -> list[NDArray[Any] | None]:
    """Count for each field of declared numbers its bins in each block, missing ones if they are a level."""
    out: list[NDArray[Any] | None] = []
    for field in fields:
        if encoded is None or not isinstance(field.attribute, Numeric):
            out.append(None)
            continue
        codes = encoded.column_codes(encoded.schema.names.index(field.name))
        counts = bin_counts(codes, field.attribute.size, labels, int(labels.max()) + 1, weights)
        if field.missing == "strictest":
            counts[:, -1] = 0
        out.append(counts)
    return out


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
    release : {"mode", "rounded", "median", "mean"} or dict, default="mode"
        What blocks release, for all columns or for those named in a dict. "mode": numbers by mean, levels by
        mode. "rounded": the same, columns of whole numbers rounded to whole numbers. "median": lower medians
        of numbers and of levels that have an order (ordered, two, or increasing numbers), other levels by
        mode. "mean": numbers by mean, levels by shares, a column ``name=level`` for each level (for two
        levels the second alone). Columns of whole numbers come back as such by "rounded" and "median", as
        float64 otherwise; other columns keep their dtype, dates and times rounded to its unit.
    missing : {"level", "strictest"}, optional
        How missing values are read. By default they are refused, except in attributes of the schema that
        declare ``missing="level"``. "level": a value of its own (also of columns of numbers, without a
        schema); a block with fewer than `min_block_size` present numbers releases a missing one. "strictest":
        a missing value counts for nothing, none is released, and every released value rests on at least
        `min_block_size` present ones; goes with `min_block_size`.
    partition : {"nearest_point", "pinning", "random_signs", "lattice"} or partition, optional
        With `n_blocks`, the cells that blocks follow: about ``sqrt(n_blocks)`` cells of any table by name (by
        default those of the nearest points of a covering), or a :class:`NearestPoint`, :class:`Lattice`,
        :class:`Pinning` or :class:`RandomSigns` for bits: those of the schema, or of an array of zeros and
        ones.
    quasi_identifiers : list of column names, optional
        Columns by which records are thought to be known, for the figures of risk; all by default. (Names are
        positions, for an array.)
    sensitive : column name, optional
        Column whose diversity in each group is certified.
    n_threads : int, optional
        Threads; the result does not depend on it.
    random_state : int, default=0
        Seed of the search's hashed random choices, of pins and of signs.

    Attributes
    ----------
    labels_ : int32 array, shape (n,)
        Block of each record, in the order of the rows; blocks are numbered by their first records.
    block_sizes_ : int64 array, shape (n_blocks,)
        Records of each block.
    block_means_ : float64 array, shape (n_blocks, p)
        Means of present numbers in the caller's units (dates in days, times in microseconds since 1970),
        share of the second level of an attribute of two levels, shares of all levels of a larger one; where
        missing numbers are a level, also their share.
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
    >>> agg.fit(table).labels_.shape  # the block of each record
    (1000,)
    >>> agg.sample(20, random_state=0).shape
    (20, 3)
    >>> bits = {"smokes": 2, "retired": 2}
    >>> by_number = Microaggregator(n_blocks=4, schema=Schema.from_domain(bits))
    >>> batches = lambda: (np.random.default_rng(i).integers(0, 2, (500, 2)) for i in range(20))
    >>> [batch["block"].to_numpy().shape for batch in by_number.label_batches(batches)][:3]
    [(500,), (500,), (500,)]
    >>> agg.set_params(min_block_size=10).get_params()["min_block_size"]
    10
    """

    def __init__(
        self,
        min_block_size: int | None = None,
        n_blocks: int | None = None,
        schema: Schema | None = None,
        effort: int = 1,
        scaling: Literal["standard", "robust", "none"] = "standard",
        partition: NearestPoint | Lattice | Pinning | RandomSigns | Cells | None = None,
        release: str | Mapping[Any, str] = "mode",
        missing: Missing | None = None,
        quasi_identifiers: Sequence[Any] | None = None,
        sensitive: Any = None,
        n_threads: int | None = None,
        random_state: int = 0,
    ) -> None:
        self.min_block_size = min_block_size
        self.n_blocks = n_blocks
        self.schema = schema
        self.effort = effort
        self.scaling = scaling
        self.partition = partition
        self.release = release
        self.missing = missing
        self.quasi_identifiers = quasi_identifiers
        self.sensitive = sensitive
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

    def __sklearn_tags__(self) -> Any:
        """Tags for scikit-learn, which asks for them."""
        return tags(is_transformer=True)

    def __repr__(self) -> str:
        defaults = {name: each.default for name, each in inspect.signature(type(self)).parameters.items()}
        given = {
            name: value
            for name, value in self.get_params().items()
            if not (value is defaults[name] or (isinstance(value, int | str) and value == defaults[name]))
        }
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in given.items())})"

    # ---- fit ----

    labels_: NDArray[np.int32]
    block_sizes_: NDArray[np.int64]
    block_columns_: list[str]
    certificate_: AnonymityCertificate

    def fit(self, table: Any, sample_weight: Any = None, strata: Any = None) -> Microaggregator:
        """Make the blocks.

        Parameters
        ----------
        table : pandas, polars or pyarrow table, dict of columns, array of shape (n, p), or path
            Read, never written to.
        sample_weight : array-like, shape (n,), optional
            Positive weights of records: a record of weight 3 counts like three of weight 1 in means, shares
            of levels, medians, in what the search minimises, and in all losses and errors of the certificate.
            Sizes of blocks and risks count records.
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
        self._fit(*self._read(table), sample_weight, strata)
        return self

    def fit_transform(
        self, table: Any, sample_weight: Any = None, strata: Any = None, *, shuffle: bool = False
    ) -> Any:
        """Make the blocks and return the masked table.

        Parameters are those of :meth:`fit`, and `shuffle`: whether the rows come in a random order (fresh
        entropy) instead of that of the records, which may itself tell who is who. The masked table is of the
        same kind as `table`, with the same names, order and dtypes of columns, levels as they were spelled.
        The certificate is completed: groups of equal records are counted again in the masked table itself,
        and errors of marginals and risks are those of the masked table.
        """
        columns, given = self._read(table)
        parts = self._fit(columns, given, sample_weight, strata)
        n_threads = resolve_n_threads(self.n_threads)
        index = getattr(getattr(table, "to_native", lambda: table)(), "index", None)
        masked = self._table(self.labels_, index if columns.kind == "pandas" else None)
        groups, risk = recount(
            columns,
            read(masked),
            parts.fields,
            parts.made.placements,
            parts.released,
            self.labels_,
            self.quasi_identifiers,
            self.sensitive,
            n_threads,
        )
        if shuffle:
            masked = self._table(np.random.default_rng().permutation(self.labels_))
            groups = count_groups(masked, n_threads)
        strict = self.missing == "strictest"
        if groups.smallest < self.block_sizes_.min() or (strict and groups.smallest_strict < groups.smallest):
            raise AssertionError("the released table has smaller groups than the partition")
        marginals: tuple[MarginalLoss, ...] = ()
        if parts.layout is not None and parts.bits is not None:
            marginals = marginal_losses(
                parts.layout,
                parts.bits,
                parts.fields,
                parts.positions,
                parts.made.summaries,
                self._bins,
                parts.released,
                self._weights,
                parts.weights,
                n_threads,
            )
        self.certificate_ = replace(self.certificate_, released=groups, marginals=marginals, risk=risk)
        return in_order(masked, self._kind, self._given)

    def label_batches(self, source: Any, *, column: str = "block") -> LabelledBatches:
        """Make `n_blocks` blocks of a table that is longer than memory, and give it back with their labels.

        Blocks are those of the paper: cells of the nearest points of a covering, cut into equal parts in the
        order of the records. (``fit``, which holds the table, also keeps blocks compact within a cell.) The
        means or modes of blocks are left to the engine that reads the labels.

        Parameters
        ----------
        source : callable, path, pyarrow.dataset.Dataset or Batches
            As for :class:`covloss_fast.Batches`; records must come in the same order each time.
        column : str
            Name of the column of labels.

        Returns
        -------
        LabelledBatches
            Iterate over it for pyarrow tables; ``block_sizes``, ``bound`` and ``statistics()`` say what
            blocks hold and lose.

        Raises
        ------
        EncodingError
            If a record does not fit the schema.
        ValueError
            If the parameters ask for what needs the whole table: `min_block_size`, attributes of numbers,
            missing values read in the strictest way, another partition; or if `schema` is not given.
        """
        if self.n_blocks is None or self.schema is None:
            raise ValueError(
                "blocks of batches need n_blocks and a schema; min_block_size needs the whole table"
            )
        if self.partition not in (None, "nearest_point"):
            raise ValueError(f"blocks of batches are of nearest points, got partition={self.partition!r}")
        if self.missing == "strictest":
            raise ValueError('missing="strictest" needs the whole table')
        n_blocks = _check_count(self.n_blocks, "n_blocks", 1)
        batches = source if isinstance(source, Batches) else Batches(source)
        return LabelledBatches(batches, self.schema, n_blocks, column, resolve_n_threads(self.n_threads))

    def _read(self, table: Any) -> tuple[Columns, Columns]:
        """Look at a table, twice: one-hot columns that the schema declares stand in the first as one."""
        if self.schema is None:
            given = read_undeclared(table)
            return given, given
        given = read(table)
        return joined_columns(given, self.schema), given

    def _fit(self, columns: Columns, given: Columns, sample_weight: Any, strata: Any) -> _Parts:
        n = columns.n_records
        n_threads = resolve_n_threads(self.n_threads)
        if (self.min_block_size is None) == (self.n_blocks is None):
            raise ValueError("give either min_block_size or n_blocks, exactly one of the two")
        if self.partition is not None and self.n_blocks is None:
            raise ValueError("partition goes with n_blocks")
        if isinstance(self.partition, str) and self.partition not in CELLS:
            raise ValueError(
                f"partition must be one of {', '.join(CELLS)} or a partition, got {self.partition!r}"
            )
        if self.scaling not in ("standard", "robust", "none"):
            raise ValueError(f"scaling must be standard, robust or none, got {self.scaling!r}")
        if self.missing not in (None, "level", "strictest"):
            raise ValueError(f"missing must be None, level or strictest, got {self.missing!r}")
        if self.missing == "strictest" and self.n_blocks is not None:
            raise ValueError('missing="strictest" goes with min_block_size: it joins blocks')
        names: list[Any] = list(range(columns.n_columns) if columns.names is None else columns.names)
        if columns.n_columns == 0:
            raise ValueError("the table has no columns")
        check_distinct(names, are_told=columns.path is None)
        rules = rules_of(names, self.release)
        check_columns(names, self.quasi_identifiers, self.sensitive)
        weights = _check_weights(sample_weight, n)
        stratum = _check_strata(strata, n)
        make = self._plan_by_size(n, stratum) if self.n_blocks is None else self._plan_by_number(n, stratum)
        fields, bits, encoded = read_fields(columns, self.schema, self.missing, n_threads)
        made = make(fields, bits, encoded.bits if encoded is not None else bits, weights, n_threads)

        labels = made.labels
        sizes = np.bincount(labels).astype(np.int64)
        least = n // self.n_blocks if self.n_blocks else self.min_block_size or 1
        released = [
            release_values(field, summary, rule, int(least), labels, weights)
            for field, summary, rule in zip(fields, made.summaries, rules)
        ]
        published = columns_of(names, released)

        self.labels_ = labels
        self.block_sizes_ = sizes
        self.n_features_in_ = columns.n_columns
        self._kind: Kind = columns.kind
        self._names, self._given = names, given.names
        self._published = published
        self._spellings: dict[str, Spelling] = {}
        if self.schema is not None:
            self._spellings = spellings_of(given, self.schema)
        self._natives: dict[Any, Native] = {
            name: native_of(columns, j)
            for j, (name, field) in enumerate(zip(names, fields))
            if field.levels is None
        }
        self._drawn = [(field.attribute, each.dtype) for field, each in zip(fields, released)]
        self._numbers = [None if field.levels else each.values for field, each in zip(fields, released)]
        self._summaries = made.summaries
        self._bins = _count_bins(fields, encoded, labels, weights)
        self._weights = np.bincount(labels, weights=weights).astype(np.float64)
        self._describe_blocks(fields)
        certificate = _certify(fields, made, released, sizes, self.missing)
        clamped = () if self.schema is None else self.schema.clamping
        self.certificate_ = replace(certificate, clamped=clamped)

        if encoded is not None:
            positions = [encoded.schema.names.index(field.name) for field in fields]
            return _Parts(fields, made, released, encoded.schema.layout, encoded.bits, positions, weights)
        layout = None if bits is None else BitLayout((2,) * len(fields))
        return _Parts(fields, made, released, layout, bits, list(range(len(fields))), weights)

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
            fields: list[Field],
            bits: Any,
            all_bits: Any,
            weights: NDArray[np.float64] | None,
            n_threads: int,
        ) -> _Made:
            check_present(fields, strata, size)
            placements = place_fields(fields, weights, self.scaling)
            rows = (
                leading_rows(placements, n, n_threads)
                if is_wide(fields, n)
                else rows_of_fields(placements, n)
            )
            if size == 1:
                labels = np.arange(n, dtype=np.int32)
            elif n_coordinates(fields) == 1:
                column = np.ascontiguousarray(next(rows.columns()))
                labels = _core.univariate_partition(column, weights, strata, len(counts), size, n_threads)
            else:
                labels = _core.minimum_size_partition(
                    rows.numbers,
                    rows.codes,
                    rows.n_levels,
                    rows.widths,
                    rows.table,
                    weights,
                    strata,
                    len(counts),
                    size,
                    _ROUNDS * effort if effort else 4,
                    min(effort * _PASSED_RECORDS // n, effort * _MAX_PASSES),
                    seed,
                    n_threads,
                )
            if any(field.missing == "strictest" for field in fields):
                labels = complete_blocks(fields, rows, labels, strata, weights, size, n_threads)
            del rows
            losses = losses_of_fields(placements, labels, weights)
            return _made_of_rows(fields, placements, losses, labels, weights)

        return make

    def _plan_by_number(self, n: int, strata: NDArray[np.int32]) -> _Maker:
        """Check the parameters of a partition into so many blocks; return what makes it."""
        n_blocks = _check_count(self.n_blocks, "n_blocks", 1)
        seed = _check_count(self.random_state, "random_state", 0, 2**64 - 1)
        n_strata = int(strata.max(initial=0)) + 1
        if not n_strata <= n_blocks <= n:
            raise ValueError(
                f"n_blocks must be from the number of strata, {n_strata:,}, to the number of records, "
                f"{n:,}, got {n_blocks:,}"
            )

        def make(
            fields: list[Field],
            bits: BitMatrix | None,
            all_bits: BitMatrix | None,
            weights: NDArray[np.float64] | None,
            n_threads: int,
        ) -> _Made:
            cells: NDArray[np.int32] | Cells = "nearest_point"
            if isinstance(self.partition, str):
                cells = self.partition
            elif self.partition is not None:
                if all_bits is None:
                    raise ValueError(
                        "a partition object needs bits: a schema, or an array of zeros and ones; its name, "
                        f"one of {', '.join(CELLS)}, goes with any table"
                    )
                cells = self.partition.labels(all_bits, n_threads)
            if bits is None or weights is not None:
                placements = place_fields(fields, weights, self.scaling)
                blocks = equal_blocks_of_fields(placements, n, n_blocks, strata, cells, seed, n_threads)
                losses = losses_of_fields(placements, blocks.labels, weights)
                made = _made_of_rows(fields, placements, losses, blocks.labels, weights)
                return made if weights is not None else replace(made, bound=blocks.bound)
            moment = second_moment(bits, n_threads)
            scale = scales_of_bits(fields, bits.n_columns)
            blocks = equal_blocks_of_bits(bits, moment, scale, n_blocks, strata, cells, seed, n_threads)
            statistics = BlockStatistics.from_labels(bits, blocks.labels, n_blocks, n_threads)
            losses = losses_of_bits(moment, statistics, scale)
            placements = placements_of_bits(fields, moment.diagonal() / bits.n_rows, scale)
            return _Made(
                blocks.labels, summaries_of_bits(fields, statistics), losses, blocks.bound, placements
            )

        return make

    def _describe_blocks(self, fields: list[Field]) -> None:
        """Name what blocks say, and keep which of it is shown."""
        self.block_columns_ = []
        self._shown: list[tuple[list[int] | None, bool]] = []
        for field, summary in zip(fields, self._summaries):
            if field.levels is not None:
                shown = shown_levels(field)
                self.block_columns_ += [f"{field.name}={label}" for _, label in shown]
                self._shown.append(([level for level, _ in shown], False))
                continue
            has_missing = field.missing == "level" and summary.missing is not None
            self.block_columns_ += [field.name, *([f"{field.name}=missing"] if has_missing else [])]
            self._shown.append((None, has_missing))

    @property
    def block_means_(self) -> NDArray[np.float64]:
        """Put the means of blocks side by side, as `block_columns_` names them."""
        if not hasattr(self, "_shown"):
            raise AttributeError("this Microaggregator is not fitted yet; call fit first")
        means = []
        for (levels, has_missing), summary in zip(self._shown, self._summaries):
            means.append(summary.values[:, None] if levels is None else summary.values[:, levels])
            if has_missing and summary.missing is not None:
                means.append(summary.missing[:, None])
        return np.concatenate(means, axis=1)

    # ---- release ----

    def _table(self, blocks: NDArray[Any], index: Any = None) -> Any:
        """Return the released values of blocks as a table."""
        names, attributes, dtypes, values = zip(*self._published)
        held = self._spellings, self._natives
        if self._kind == "numpy":  # a row for each block, and these by record: written once
            return masked_table(self._kind, names, attributes, dtypes, values, *held)[blocks]
        shown = [each[blocks] for each in values]
        return masked_table(self._kind, names, attributes, dtypes, shown, *held, index)

    def sample(
        self,
        n: int,
        random_state: int | None = None,
        *,
        numbers: Literal["released", "bins"] = "released",
    ) -> Any:
        """Draw records from the blocks: bootstrapping and randomized rounding (Section 4 of the paper).

        A block is drawn for each record, in proportion to its weight; the record has the numbers that the
        block releases, and, independently, levels (and missing numbers, where they are a level) drawn by
        their shares in the block. Attributes of levels so keep their marginals, which modes do not; numbers
        keep theirs by ``numbers="bins"``.

        Parameters
        ----------
        n : int
            Number of records.
        random_state : int, optional
            Seed; fresh entropy by default.
        numbers : {"released", "bins"}, default="released"
            "bins" draws a bin of the schema by its share in the block, and a number uniformly in the bin.

        Returns
        -------
        table
            Of the kind that was fitted.

        Raises
        ------
        MemoryError
            If so many records would not fit into memory.
        """
        if not hasattr(self, "labels_"):
            raise AttributeError("this Microaggregator is not fitted yet; call fit first")
        n = _check_count(n, "n", 0, 2**40)
        if random_state is not None:
            random_state = _check_count(random_state, "random_state", 0)
        if numbers not in ("released", "bins"):
            raise ValueError(f"numbers must be released or bins, got {numbers!r}")
        check_available(n * len(self._drawn), f"{n:,} records at once")
        generator = np.random.default_rng(random_state)
        stream: NumberStream | None = None
        attributes, dtypes = zip(*self._drawn)
        drawn: list[NDArray[Any]]
        if numbers == "bins":
            if None in attributes:
                raise ValueError('numbers="bins" needs a schema, which has the bins')
            shares = [
                summary.values if counts is None else shares_of_bins(counts)
                for summary, counts in zip(self._summaries, self._bins)
            ]
            drawn = list(self._codes(n, shares, generator))
            stream = NumberStream(generator.bytes(32))
        elif all(isinstance(each, Categorical) for each in attributes):
            drawn = list(self._codes(n, [each.values for each in self._summaries], generator))
        else:
            drawn = self._draw(n, generator)
        held = self._spellings, self._natives
        made = masked_table(self._kind, self._names, attributes, dtypes, drawn, *held, numbers=stream)
        return in_order(made, self._kind, self._given)

    def _codes(
        self, n: int, shares: list[NDArray[np.float64]], generator: np.random.Generator
    ) -> NDArray[Any]:
        """Draw codes of all attributes by their shares in blocks."""
        sizes = tuple(each.shape[1] for each in shares)
        bits = [each[:, int(size == 2) :] for each, size in zip(shares, sizes)]
        return sample_codes(
            self._weights / self._weights.sum(),
            np.ascontiguousarray(np.concatenate(bits, axis=1)),
            sizes,
            n,
            generator.bytes(32),
            n_threads=self.n_threads,
        )

    def _draw(self, n: int, generator: np.random.Generator) -> list[NDArray[Any]]:
        """Draw records with numbers, a block for each."""
        blocks = generator.choice(len(self._weights), n, p=self._weights / self._weights.sum())
        drawn: list[NDArray[Any]] = []
        for summary, numbers in zip(self._summaries, self._numbers):
            if numbers is None:
                borders = np.cumsum(summary.values, axis=1)[:, :-1]
                uniform = generator.random(n)
                codes = np.zeros(n, dtype=np.int64)
                for level in range(borders.shape[1]):
                    codes += uniform >= borders[blocks, level]
                drawn.append(codes)
                continue
            values = numbers[blocks]
            if summary.missing is not None and self.certificate_.missing == "level":
                values[generator.random(n) < summary.missing[blocks]] = np.nan
            drawn.append(values)
        return drawn
