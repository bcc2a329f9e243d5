"""What an anonymous table lost, and what it still shows of single records: its certificate.

Nothing here is private in the sense of differential privacy: the figures are computed from the true records,
for the curator, who decides with them whether to publish.

Losses are those of the partition (what is lost when records are replaced by the means of their blocks) and
those of the table that is published, which may hold modes, medians or rounded means instead and is then
biased; the two are kept apart. Risks are the figures that the field of disclosure control uses: linkage by
distance, uniqueness, diversity of a sensitive attribute.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from covloss_fast._core import bits as _bits
from covloss_fast._core import microaggregation as _core
from covloss_fast._text import clamping_text
from covloss_fast.metrics import MarginalError
from covloss_fast.records.coordinates import Field, Placement, Summary
from covloss_fast.records.releasing import Released, shown_levels
from covloss_fast.records.tables import Column, Columns, Factored, read
from covloss_fast.released.marginal_sets import draw_sets
from covloss_fast.schema import BitLayout, Numeric, OneHot

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "AnonymityCertificate",
    "DisclosureRisk",
    "MarginalLoss",
    "ReleasedGroups",
    "count_groups",
    "marginal_losses",
    "recount",
    "shares_of_bins",
]

#: Records that are compared with the released ones: so many, fewer in wide tables of many blocks.
_MOST_COMPARED = 10_000
_FEWEST_COMPARED = 500
_COMPARISONS = 4e9
#: Sets of bits whose marginals are compared at each degree: so many, fewer if there are many blocks.
_MOST_SETS = 5_000
_FEWEST_SETS = 250
_BLOCKS_TIMES_SETS = 5e7
_BLOCKS_AT_A_TIME = 2_048
#: The same for records with weights, whose marginals are added up one by one.
_RECORDS_TIMES_SETS = 1e9


@dataclass(frozen=True)
class ReleasedGroups:
    """What a recount of the released table found: groups of records with the same released values.

    Attributes
    ----------
    n_groups : int
        Number of different released records.
    smallest, largest : int
        Sizes of the smallest and of the largest group, a missing value being a value like others. Blocks that
        happen to be released alike are one group.
    smallest_strict : int
        The same if a missing value equals nothing, not even another one: 1 as soon as one is released.
    """

    n_groups: int
    smallest: int
    largest: int
    smallest_strict: int


@dataclass(frozen=True)
class MarginalLoss:
    """Error of d-way marginals over sets of d bits of distinct attributes.

    A marginal is the fraction of records, or of their weight if they have weights, in which d bits are all 1.
    Numbers count in the bins of the schema.

    Attributes
    ----------
    degree : int
        d.
    block_means : MarginalError
        Of the shares in the blocks, before they are rounded to modes, medians, means or draws: what averaging
        costs.
    published : MarginalError
        Of the table that is published.
    """

    degree: int
    block_means: MarginalError
    published: MarginalError


@dataclass(frozen=True)
class DisclosureRisk:
    """What the published table shows of single records, in the figures of the field.

    Attributes
    ----------
    quasi_identifiers : tuple of str
        The columns by which records are thought to be known; all if none are declared.
    n_compared : int
        Records that were compared with all released ones: all, or so many at equal distances in the table.
    linked_to_group : float
        Share of these whose own released values are as near as any, in the coordinates of the blocks.
    linked_to_record : float
        Distance-based record linkage: the expected share that is linked to its own row by drawing one row at
        random among the nearest, which are alike within a group.
    standard_error : float
        Of `linked_to_record`, because of comparing a part; 0 if all were compared.
    unique_original, unique_released : float
        Share of records that are alone with their quasi-identifying values, before and after.
    sensitive : str or None
        The attribute whose diversity was counted.
    diversity : int or None
        Fewest distinct true values of it in a group of equal released quasi-identifiers (distinct
        l-diversity).
    entropy_diversity : float or None
        Smallest exponential of the entropy of its true values in a group (entropy l-diversity).
    homogeneous : float or None
        Share of records in groups in which all have the same true value of it: who finds the group knows it.
    """

    quasi_identifiers: tuple[str, ...]
    n_compared: int
    linked_to_group: float
    linked_to_record: float
    standard_error: float
    unique_original: float
    unique_released: float
    sensitive: str | None = None
    diversity: int | None = None
    entropy_diversity: float | None = None
    homogeneous: float | None = None


@dataclass(frozen=True)
class AnonymityCertificate:
    """What was released and what was lost. Not private: computed from the true records.

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
        Frobenius norms of the difference of the covariances of records and of block means, and of the
        covariance of the records, which is what a single block would lose.
    trace_loss, total_trace : float
        Traces of the same two matrices: mean squared distances.
    bound : float
        What theory says beforehand of the covariance loss (Theorem 1.2, with explicit constants).
    is_vacuous : bool
        Whether the bound says nothing, since a single block would satisfy it. At small blocks it always is.
    release : dict
        For each attribute what a block releases of it: "mean", "rounded mean", "lower median", "mode" or
        "shares of levels".
    missing : str or None
        How missing values were read: "level" or "strictest"; None if there could be none.
    fewest_averaged : int
        Fewest present values behind any released number, and behind any block's levels.
    clamped : tuple of str
        As what values beyond the declared bounds count: a text for each numeric attribute of the schema.
    released : ReleasedGroups or None
        Recount of the released table itself; None until a table has been released.
    marginals : tuple of MarginalLoss
        Errors of 1- to 3-way marginals; empty for numbers without a schema, and until a table has been
        released.
    risk : DisclosureRisk or None
        None until a table has been released.
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
    trace_loss: float
    total_trace: float
    bound: float
    is_vacuous: bool
    release: dict[str, str]
    missing: str | None
    fewest_averaged: int
    clamped: tuple[str, ...] = ()
    released: ReleasedGroups | None = None
    marginals: tuple[MarginalLoss, ...] = ()
    risk: DisclosureRisk | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the certificate as plain JSON values."""
        out = asdict(self)
        out["marginals"], out["clamped"] = list(out["marginals"]), list(out["clamped"])
        if out["risk"] is not None:
            out["risk"]["quasi_identifiers"] = list(out["risk"]["quasi_identifiers"])
        return out

    def __str__(self) -> str:
        lines = [
            f"{self.n_records:,} records in {self.n_blocks:,} blocks of {self.smallest_block:,} to "
            f"{self.largest_block:,} records",
        ]
        if self.released is not None:
            lines.append(
                f"released: {self.released.n_groups:,} different records, each at least "
                f"{self.released.smallest:,} times"
            )
        if self.missing is not None:
            reading = "a level of their own" if self.missing == "level" else "strictest reading"
            lines.append(
                f"missing values: {reading}; a released value rests on at least {self.fewest_averaged:,} "
                "present ones"
            )
        if self.clamped:
            lines.append(clamping_text(self.clamped))
        lines += [
            f"relative trace loss {100 * self.relative_trace_loss:.2f} %",
            f"covariance loss {self.covariance_loss:.3g} of {self.total_covariance:.3g}; "
            f"the theorem's bound is {self.bound:.3g}"
            + (" and says nothing here" if self.is_vacuous else ""),
        ]
        for each in self.marginals:
            lines.append(
                f"{each.degree}-way marginals: RMS error {each.block_means.rms:.2g} of block means, "
                f"{each.published.rms:.2g} as published (largest {each.published.max:.2g})"
            )
        if self.risk is not None:
            lines += _lines_of_risk(self.risk)
        return "\n".join(lines)


def _lines_of_risk(risk: DisclosureRisk) -> list[str]:
    lines = [
        f"linked to its own row by distance: {100 * risk.linked_to_record:.2f} % of {risk.n_compared:,} "
        "records"
        + (f" (standard error {100 * risk.standard_error:.2g} %)" if risk.standard_error else "")
        + f"; to its own group: {100 * risk.linked_to_group:.1f} %",
        f"unique: {100 * risk.unique_original:.2f} % of true records, "
        f"{100 * risk.unique_released:.2f} % of released ones",
    ]
    if risk.sensitive is not None and risk.homogeneous is not None:
        lines.append(
            f"{risk.sensitive}: at least {risk.diversity} distinct true values in each group; "
            f"{100 * risk.homogeneous:.2f} % of records in groups with one"
        )
    return lines


# ---- groups of equal records ----


@dataclass(frozen=True, eq=False)
class _Groups:
    """Group of each record, shape (n,), and the records of each group, shape (n_groups,)."""

    of_record: NDArray[np.int64]
    sizes: NDArray[np.int64]


def _group(columns: Columns, positions: Sequence[int], n_threads: int) -> _Groups:
    """Group the records that are equal in some columns.

    The records are compared by two independent 64-bit hashes; two different ones among a billion are taken
    for equal with a probability below 1e-20.
    """
    n = columns.n_records
    if n == 0:
        return _Groups(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
    hashes = np.repeat(np.array([[0], [1]], dtype=np.uint64), n, axis=1)
    array = columns.array
    if array is not None and array.dtype == np.float64 and len(positions) == columns.n_columns:
        _core.mix_rows(np.ascontiguousarray(array), hashes, n_threads)
        positions = ()
    for words in _all_words(columns, positions):
        _core.mix_column(words, hashes, n_threads)
    order = np.lexsort(hashes)
    first, second = hashes[0, order], hashes[1, order]
    is_first = np.ones(n, dtype=np.bool_)
    is_first[1:] = (first[1:] != first[:-1]) | (second[1:] != second[:-1])
    of_record = np.empty(n, dtype=np.int64)
    of_record[order] = np.cumsum(is_first) - 1
    return _Groups(of_record, np.diff([*np.flatnonzero(is_first), n]))


def count_groups(table: Any, n_threads: int = 1) -> ReleasedGroups:
    """Count the records of a table that are equal in all columns."""
    columns = read(table)
    return _count(columns, _group(columns, range(columns.n_columns), n_threads))


def _count(columns: Columns, groups: _Groups) -> ReleasedGroups:
    if columns.n_records == 0:
        return ReleasedGroups(0, 0, 0, 0)
    smallest = int(groups.sizes.min())
    strict = 1 if _has_missing(columns) else smallest
    return ReleasedGroups(len(groups.sizes), smallest, int(groups.sizes.max()), strict)


def _has_missing(columns: Columns) -> bool:
    if columns.array is not None:  # sums of finite numbers may be infinite, but not NaN
        sums = columns.array.sum(axis=1) if columns.array.dtype.kind == "f" else 0.0
        return bool(np.isnan(sums).any())
    for column in map(columns.column, range(columns.n_columns)):
        if isinstance(column, Factored):
            absent = column.index < 0
        elif column.null is not None:
            absent = column.null
        else:
            absent = column.values != column.values if column.values.dtype.kind in "fM" else np.zeros(1, bool)
        if absent.any():
            return True
    return False


def _all_words(columns: Columns, positions: Sequence[int]) -> Iterator[NDArray[np.uint64]]:
    """Words of 64 bits, shape (n,), that are the same for records that are equal in some columns."""
    array = columns.array
    if array is None or array.dtype.itemsize > 1:
        for j in positions:
            yield _words(columns.column(j))
        return
    for start in range(0, len(positions), 8):  # eight columns of bytes at a time
        packed = np.zeros((len(array), 8), dtype=np.uint8)
        some = list(positions[start : start + 8])
        packed[:, : len(some)] = array[:, some].view(np.uint8)
        yield packed.view(np.uint64)[:, 0]


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


# ---- marginals ----


def marginal_losses(
    layout: BitLayout,
    bits: _bits.BitMatrix,
    fields: list[Field],
    positions: Sequence[int],
    summaries: list[Summary],
    bins: list[NDArray[Any] | None],
    released: list[Released],
    block_weights: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    n_threads: int,
) -> tuple[MarginalLoss, ...]:
    """Compare 1- to 3-way marginals of block means, and of the published table, with the true ones.

    Parameters
    ----------
    layout : BitLayout
        Attributes as bits.
    bits : BitMatrix
        The true records.
    fields : list of Field
        The columns; field j is attribute ``positions[j]`` of the layout.
    positions : sequence of int
        See above.
    summaries, bins, released : lists
        What blocks say of each field, counts of its bins (of numbers), and what blocks release.
    block_weights : float64 array, shape (n_blocks,)
        Weight of the records of each block: their number, if they have no weights.
    weights : float64 array, shape (n,), or None
        Weights of the true records.
    n_threads : int
        Threads.
    """
    most = int(min(max(_BLOCKS_TIMES_SETS // len(block_weights), _FEWEST_SETS), _MOST_SETS))
    if weights is not None:
        most = int(min(max(_RECORDS_TIMES_SETS // len(weights), _FEWEST_SETS), most))
    before: list[Callable[[slice], NDArray[np.float64]]] = []
    after: list[Callable[[slice], NDArray[np.float64]]] = []
    for field, summary, counts, each in zip(fields, summaries, bins, released):
        before.append(_Bits(field, summary.values if counts is None else counts))
        after.append(_Bits(field, each.values))
    out = []
    for degree in range(1, min(3, len(layout.sizes)) + 1):
        sets, is_sample = draw_sets(layout, degree, most, np.random.Generator(np.random.Philox(0)))
        if len(sets) == 0:
            continue
        sets = sets[np.lexsort(sets.T[::-1])]
        if weights is None:
            true = _bits.marginal_counts(bits, sets, n_threads) / bits.n_rows
        else:
            true = _weighted_marginals(bits, sets, weights)
        errors = [
            _error(_block_marginals(layout, positions, source, block_weights, sets) - true, degree, is_sample)
            for source in (before, after)
        ]
        out.append(MarginalLoss(degree, *errors))
    return tuple(out)


class _Bits:
    """Share of set bits of one field in some blocks."""

    def __init__(self, field: Field, values: NDArray[Any]) -> None:
        self._field, self._values = field, values

    def __call__(self, part: slice) -> NDArray[np.float64]:
        """Return the shares in some blocks, shape (blocks, bits)."""
        values, attribute = self._values[part], self._field.attribute
        if attribute is None:  # an array of zeros and ones
            return np.asarray(values[:, None], dtype=np.float64)
        if values.ndim == 2:
            shares = shares_of_bins(values)
        else:
            codes = values
            if isinstance(attribute, Numeric):
                codes = np.searchsorted(attribute.edges[1:-1], np.nan_to_num(values), side="right")
                if attribute.missing_code is not None:
                    codes[np.isnan(values)] = attribute.missing_code
            shares = (codes[:, None] == np.arange(attribute.size)) * 1.0
        return shares[:, 1:] if attribute.size == 2 else shares


def shares_of_bins(counts: NDArray[Any]) -> NDArray[np.float64]:
    """Return counts (or shares) of each block as shares that add to one."""
    return np.asarray(counts / counts.sum(axis=1, keepdims=True, dtype=np.float64))


def _weighted_marginals(
    bits: _bits.BitMatrix, sets: NDArray[np.int32], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Share of the weight of the records in which all bits of a set are 1, for each set."""
    out = np.empty(len(sets))
    for k, members in enumerate(sets.tolist()):
        all_set = bits.column(members[0])
        for bit in members[1:]:
            all_set = all_set & bits.column(bit)
        out[k] = weights[all_set.view(np.bool_)].sum()
    return np.asarray(out / weights.sum())


def _block_marginals(
    layout: BitLayout,
    positions: Sequence[int],
    sources: list[Callable[[slice], NDArray[np.float64]]],
    block_weights: NDArray[np.float64],
    sets: NDArray[np.int32],
) -> NDArray[np.float64]:
    """Weighted mean over blocks of the product of their shares, for each set of bits."""
    out = np.zeros(len(sets))
    for start in range(0, len(block_weights), _BLOCKS_AT_A_TIME):
        part = slice(start, start + _BLOCKS_AT_A_TIME)
        weights = block_weights[part]
        shares = np.empty((layout.n_bits, len(weights)))
        for position, source in zip(positions, sources):
            shares[layout.offsets[position] : layout.offsets[position + 1]] = source(part).T
        weighted = shares * weights
        for k, (first, *others) in enumerate(sets.tolist()):
            product = weighted[first]
            if not others:
                out[k] += product.sum()
                continue
            for bit in others[:-1]:
                product = product * shares[bit]
            out[k] += np.einsum("i,i->", product, shares[others[-1]])
    return out / float(block_weights.sum())


def _error(difference: NDArray[np.float64], degree: int, is_sample: bool) -> MarginalError:
    squares = difference**2
    rms = math.sqrt(squares.mean())
    spread = 0.0
    if is_sample and rms > 0:
        spread = float(squares.std(ddof=1)) / math.sqrt(len(squares)) / (2 * rms)
    return MarginalError(rms, float(np.abs(difference).max()), len(squares), spread, degree)


# ---- risk ----


def recount(
    columns: Columns,
    masked: Columns,
    fields: list[Field],
    placements: list[Placement],
    released: list[Released],
    labels: NDArray[np.int32],
    quasi_identifiers: Sequence[Any] | None,
    sensitive: Any,
    n_threads: int,
) -> tuple[ReleasedGroups, DisclosureRisk]:
    """Count groups of equal records in the published table; measure linkage, uniqueness and diversity.

    Parameters
    ----------
    columns, masked : Columns
        The true table and the published one, their rows in the same order.
    fields, placements, released : lists
        The columns, their coordinates, and what blocks release of them.
    labels : int32 array, shape (n,)
        Block of each record.
    quasi_identifiers : sequence of column names (positions, for an array), optional
        Columns by which records are known; all but the sensitive one by default.
    sensitive : column name (or position), optional
        Column whose diversity is counted.
    n_threads : int
        Threads.
    """
    names: list[Any] = list(columns.names) if columns.names is not None else list(range(columns.n_columns))
    known = check_columns(names, quasi_identifiers, sensitive)
    compared, own, to_record = _link(known, fields, placements, released, labels, n_threads)
    before = _group(columns, known, n_threads)
    widths = [_width(each) for each in released]
    owners = np.repeat(np.arange(len(released)), widths).tolist()
    positions = [column for column, j in enumerate(owners) if j in known]
    whole = _group(masked, range(masked.n_columns), n_threads)
    after = whole if len(positions) == masked.n_columns else _group(masked, positions, n_threads)
    groups = _count(masked, whole)
    n = columns.n_records
    risk = DisclosureRisk(
        quasi_identifiers=tuple(str(names[j]) for j in known),
        n_compared=compared,
        linked_to_group=float(own.mean()),
        linked_to_record=float(to_record.mean()),
        standard_error=0.0 if compared == n else float(to_record.std()) / math.sqrt(compared),
        unique_original=float((before.sizes == 1).sum()) / n,
        unique_released=float((after.sizes == 1).sum()) / n,
    )
    if sensitive is None:
        return groups, risk
    values = _group(columns, [names.index(sensitive)], n_threads)
    cells, counts = np.unique(after.of_record * len(values.sizes) + values.of_record, return_counts=True)
    group = cells // len(values.sizes)
    distinct = np.bincount(group)
    share = counts / after.sizes[group]
    entropy = np.bincount(group, weights=-share * np.log(share))
    return groups, replace(
        risk,
        sensitive=str(sensitive),
        diversity=int(distinct.min()),
        entropy_diversity=float(np.exp(entropy.min())),
        homogeneous=float(after.sizes[distinct == 1].sum()) / n,
    )


def _width(released: Released) -> int:
    """Number of columns that are published of a field."""
    if released.values.ndim > 1:
        return len(shown_levels(released.field))
    attribute = released.field.attribute
    return len(attribute.columns) if isinstance(attribute, OneHot) else 1


def check_columns(names: list[Any], quasi_identifiers: Sequence[Any] | None, sensitive: Any) -> list[int]:
    """Return the positions of the quasi-identifiers: by default all columns but the sensitive one.

    Raises
    ------
    ValueError
        If a column does not exist, or is both.
    """
    if isinstance(quasi_identifiers, str):
        raise ValueError(f"quasi_identifiers must be a list of columns, got {quasi_identifiers!r}")
    asked = None if quasi_identifiers is None else list(quasi_identifiers)
    for name in [*(asked or []), *([] if sensitive is None else [sensitive])]:
        if name not in names:
            raise ValueError(f"there is no column {name!r} to be quasi-identifying or sensitive")
    if asked is None:
        known = [j for j, name in enumerate(names) if sensitive is None or name != sensitive]
        return known or list(range(len(names)))
    if not asked:
        raise ValueError("quasi_identifiers must name at least one column")
    if sensitive is not None and sensitive in asked:
        raise ValueError(f"column {sensitive!r} cannot be both quasi-identifying and sensitive")
    return sorted({names.index(name) for name in asked})


def _link(
    known: list[int],
    fields: list[Field],
    placements: list[Placement],
    released: list[Released],
    labels: NDArray[np.int32],
    n_threads: int,
) -> tuple[int, NDArray[np.bool_], NDArray[np.float64]]:
    """Compare true records with released ones in the coordinates of some fields.

    Returns
    -------
    n_compared : int
    own : bool array, shape (n_compared,)
        Whether nothing released is nearer than what was released for the record.
    to_record : float64 array, shape (n_compared,)
        Probability of finding its row by drawing among those rows, one over their number; else 0.
    """
    n, n_blocks = len(labels), int(labels.max()) + 1
    widths = [len(placements[j].centre) for j in known]
    width = -(-sum(widths) // 4) * 4
    n_compared = int(min(n, max(_FEWEST_COMPARED, min(_MOST_COMPARED, _COMPARISONS // (n_blocks * width)))))
    rows = np.arange(n_compared) * n // n_compared
    true, shown = np.zeros((n_compared, width)), np.zeros((n_blocks, width))
    start = 0
    for j, own_width in zip(known, widths):
        part = slice(start, start + own_width)
        true[:, part] = placements[j].place(fields[j].read()[rows])
        shown[:, part] = placements[j].place(released[j].values)
        start += own_width
    distinct, group_of_block = np.unique(shown, axis=0, return_inverse=True)
    group_of_block = group_of_block.reshape(-1).astype(np.int32)
    sizes = np.bincount(group_of_block[labels])
    group = np.ascontiguousarray(group_of_block[labels[rows]], dtype=np.int32)
    distances = _squares(true, distinct[group])
    nearer, _ = _core.nearest_other(true, group, distances, distinct, n_threads)
    own = nearer < 0
    return n_compared, own, own / sizes[group]


def _squares(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Squared distances of rows, added up in the order of the compiled core: four lanes of columns."""
    lanes = ((one - other) ** 2).reshape(len(one), -1, 4)
    total = np.zeros((len(one), 4))
    for k in range(lanes.shape[1]):
        total += lanes[:, k]
    return np.asarray((total[:, 0] + total[:, 1]) + (total[:, 2] + total[:, 3]))
