"""What a block releases of each column: mean, rounded mean, median, mode, or shares of levels.

========== ============================================= =============================================
rule       numbers                                       levels
========== ============================================= =============================================
"mode"     mean                                          most frequent level (the first of equals)
"rounded"  mean; of whole numbers the nearest whole      most frequent level
           number (halves to even)
"median"   lower median, a value that occurs             lower median where levels have an order, else
                                                         the most frequent level
"mean"     mean                                          a column of shares for each level
========== ============================================= =============================================

Columns of whole numbers come back as whole numbers by "rounded" and "median" and as fractions otherwise;
dates and times are always rounded to whole days and microseconds.

Missing numbers as a level of their own: a block releases a number if at least `least` of its values are
present, otherwise a missing value; so every released number rests on that many records.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from covloss_fast.records.coordinates import Field, Summary
from covloss_fast.schema import Categorical, Numeric

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["RULES", "Released", "columns_of", "release_values", "rules_of", "shown_levels"]

RULES = ("mode", "rounded", "median", "mean")
_TIMES = ("date", "datetime")
#: Whole numbers beyond this are not all doubles.
_LARGEST_WHOLE = 2.0**53


@dataclass(frozen=True, eq=False)
class Released:
    """What the blocks release of one field.

    Attributes
    ----------
    field : Field
    rule : str
        In words: "mean", "rounded mean", "lower median", "mode" or "shares of levels".
    values : array
        Numbers (NaN: missing) or codes, shape (n_blocks,); shares, shape (n_blocks, levels).
    dtype : dtype or None
        Of a column of whole numbers; None for float64.
    """

    field: Field
    rule: str
    values: NDArray[Any]
    dtype: np.dtype[Any] | None = None


def rules_of(names: list[Any], release: Any) -> list[str]:
    """Return the rule of each column, of one name for all or of a mapping from columns to names.

    Raises
    ------
    ValueError
        If a rule or a column does not exist.
    """
    if isinstance(release, str):
        chosen: dict[Any, Any] = dict.fromkeys(names, release)
    elif isinstance(release, Mapping):
        unknown = [column for column in release if column not in names]
        if unknown:
            raise ValueError(f"release names a column {unknown[0]!r} that the table does not have")
        chosen = {name: release.get(name, "mode") for name in names}
    else:
        raise ValueError(f"release must be one of {', '.join(RULES)}, or a dict of columns, got {release!r}")
    for rule in chosen.values():
        if not isinstance(rule, str) or rule not in RULES:
            raise ValueError(f"release must be one of {', '.join(RULES)}, got {rule!r}")
    return [chosen[name] for name in names]


def release_values(
    field: Field,
    summary: Summary,
    rule: str,
    least: int,
    labels: NDArray[np.int32],
    weights: NDArray[np.float64] | None,
) -> Released:
    """Apply a rule to one field; `least` present values are needed for a number."""
    if isinstance(field.attribute, Categorical):
        return _release_levels(field, field.attribute, summary, rule)
    values, dtype, words = summary.values, None, "mean"
    if rule in ("rounded", "median") and field.dtype is not None:
        extreme = np.abs(values[~np.isnan(values)]).max(initial=0.0)
        dtype = field.dtype if extreme < _LARGEST_WHOLE else None
    if rule == "median":
        values, words = _medians(field.read(), labels, len(values), weights), "lower median"
    elif dtype is not None or (isinstance(field.attribute, Numeric) and field.attribute.kind in _TIMES):
        values, words = np.rint(values), "rounded mean"
    if field.missing == "level" and summary.present is not None:
        values = np.where(summary.present < least, np.nan, values)
    return Released(field, words, values, dtype)


def _release_levels(field: Field, attribute: Categorical, summary: Summary, rule: str) -> Released:
    shares = summary.values
    if rule == "mean":
        return Released(field, "shares of levels", shares)
    modes = shares.argmax(axis=1)
    in_order = attribute.ordered or len(attribute.levels) == 2 or _increase(attribute)
    if rule != "median" or not in_order:
        return Released(field, "mode", modes)
    present = shares[:, : len(attribute.levels)]
    below = np.cumsum(present, axis=1)
    # A tie at one half, up to the rounding of shares, goes to the lower level.
    medians = (below >= 0.5 * below[:, -1:] * (1.0 - 1e-12)).argmax(axis=1)
    if field.missing == "level":
        medians = np.where(shares[:, -1] > 0.5, len(attribute.levels), medians)
    return Released(field, "lower median", medians)


def _increase(attribute: Categorical) -> bool:
    if attribute.kind not in ("int", "float"):
        return False
    return list(attribute.levels) == sorted(attribute.levels)


def _medians(
    values: NDArray[np.float64],
    labels: NDArray[np.int32],
    n_blocks: int,
    weights: NDArray[np.float64] | None,
) -> NDArray[np.float64]:
    """Lowest value of each block up to which half of the weight lies; NaN in a block without values."""
    order = np.lexsort((values, labels))
    order = order[~np.isnan(values[order])]
    sizes = np.bincount(labels[order], minlength=n_blocks)
    ends = np.cumsum(sizes)
    out = np.full(n_blocks, np.nan)
    some = sizes > 0
    if weights is None:
        place = ends - sizes + (sizes - 1) // 2
    else:
        w = weights[order]
        place = np.zeros(n_blocks, dtype=np.int64)
        for block in np.flatnonzero(some).tolist():
            mine = np.cumsum(w[ends[block] - sizes[block] : ends[block]])
            place[block] = ends[block] - sizes[block] + np.searchsorted(mine, 0.5 * mine[-1] * (1.0 - 1e-12))
    out[some] = values[order[place[some]]]
    return out


def columns_of(
    names: list[Any], released: list[Released]
) -> list[tuple[Any, Categorical | Numeric | None, np.dtype[Any] | None, NDArray[Any]]]:
    """Return name, attribute, dtype and values by block of each column that is published.

    Shares of levels make a column ``name=level`` for each level (for two levels the second alone).

    Raises
    ------
    ValueError
        If two columns come to one name.
    """
    columns: list[Any] = []
    for name, each in zip(names, released):
        if each.values.ndim == 1:
            columns.append((name, each.field.attribute, each.dtype, each.values))
            continue
        for level, label in shown_levels(each.field):
            columns.append((f"{name}={label}", None, None, np.ascontiguousarray(each.values[:, level])))
    seen: set[Any] = set()
    for name, *_ in columns:
        if name in seen:
            raise ValueError(f"shares of levels would make a second column {name!r}; rename one")
        seen.add(name)
    return columns


def shown_levels(field: Field) -> list[tuple[int, str]]:
    """Levels whose shares say all: code and label; of two levels the second alone."""
    attribute = field.attribute
    assert isinstance(attribute, Categorical)
    labels = [str(level) for level in attribute.levels]
    if attribute.missing and field.missing != "strictest":
        labels.append("missing")
    pairs = list(enumerate(labels))
    return pairs[1:] if len(pairs) == 2 else pairs
