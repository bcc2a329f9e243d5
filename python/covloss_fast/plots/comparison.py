"""The numbers behind the pictures: marginals of tables, and how far they are apart.

All of them come from the moments of a table, that is, from the counts of all pairs of bits
(:class:`covloss_fast.records.statistics.Moments`): once it is counted, a long table costs no more than a
short one.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covloss_fast._threads import resolve_n_threads
from covloss_fast.records.encoding import EncodedTable, encode
from covloss_fast.records.statistics import Moments
from covloss_fast.schema import Attribute, Numeric, Schema


@dataclass(frozen=True)
class Marginals:
    """All 1- and 2-way marginals of one table.

    Attributes
    ----------
    schema : Schema
    n_records : int
    one_way : float64 array, shape (n_bits,)
    two_way : float64 array, shape (n_bits, n_bits)
        Fraction of records in which both bits are 1.
    levels : float64 array, shape (n_levels, n_levels)
        Fractions over pairs of levels of all attributes, a binary attribute having two.
    """

    schema: Schema
    n_records: int
    one_way: NDArray[np.float64]
    two_way: NDArray[np.float64]
    levels: NDArray[np.float64]

    def of_attribute(self, attribute: int) -> NDArray[np.float64]:
        """Fractions of the levels of one attribute."""
        start = _level_starts(self.schema)[attribute]
        return np.diag(self.levels)[start : start + self.schema.sizes[attribute]]


def count_marginals(table: Any, schema: Schema, n_threads: int | None = None) -> Marginals:
    """Count all pairs of bits of a table, and from them all pairs of levels.

    Raises
    ------
    ValueError
        If the table does not obey the schema or has no records.
    """
    threads = resolve_n_threads(n_threads)
    records = table if isinstance(table, EncodedTable) else encode(table, schema, threads, fractions=True)
    if records.n_records == 0:
        raise ValueError("a table has no records: there is nothing to show")
    layout = schema.layout
    moments = Moments.from_records(records.bits, records.codes, layout, threads)
    two_way = moments.counts / moments.n
    one_way = np.diag(two_way).copy()
    # A binary attribute is one bit b; its other level is 1 - b, so both levels are affine in (1, bits).
    augmented = np.block([[np.ones((1, 1)), one_way[None, :]], [one_way[:, None], two_way]])
    rows: list[NDArray[np.float64]] = []
    for attribute, binary in enumerate(layout.is_binary):
        bits = range(layout.offsets[attribute], layout.offsets[attribute + 1])
        units = [_unit(1 + bit, layout.n_bits + 1) for bit in bits]
        rows += [_unit(0, layout.n_bits + 1) - units[0], units[0]] if binary else units
    expansion = np.array(rows)
    return Marginals(schema, records.n_records, one_way, two_way, expansion @ augmented @ expansion.T)


def _unit(index: int, length: int) -> NDArray[np.float64]:
    vector = np.zeros(length)
    vector[index] = 1
    return vector


def _level_starts(schema: Schema) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(schema.sizes)[:-1]]).astype(np.int64)


def _sum_over_pairs(schema: Schema, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Add up over the levels of each pair of attributes."""
    starts = _level_starts(schema)
    return np.add.reduceat(np.add.reduceat(values, starts, axis=0), starts, axis=1)


def attribute_distances(left: Marginals, right: Marginals) -> NDArray[np.float64]:
    """Total variation distance of every pair of attributes; on the diagonal, of single attributes."""
    return 0.5 * _sum_over_pairs(left.schema, np.abs(left.levels - right.levels))


def association(marginals: Marginals) -> NDArray[np.float64]:
    """Cramer's V of every pair of attributes: 0 if independent, 1 if one determines the other.

    Levels that do not occur are left out; on the diagonal it is 1.
    """
    schema = marginals.schema
    fractions = np.diag(marginals.levels)
    expected = np.outer(fractions, fractions)
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.where(expected > 0, (marginals.levels - expected) ** 2 / expected, 0.0)
    occurring = np.add.reduceat((fractions > 0).astype(np.int64), _level_starts(schema))
    freedom = np.maximum(np.minimum.outer(occurring, occurring) - 1, 1)
    found = np.sqrt(_sum_over_pairs(schema, parts) / freedom)
    np.fill_diagonal(found, 1.0)
    return np.asarray(np.clip(found, 0.0, 1.0))


def pairs_of_bits(schema: Schema) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Index all pairs of bits of two attributes."""
    first, second = np.triu_indices(schema.layout.n_bits, 1)
    attribute = schema.layout.attribute_of_bit
    distinct = attribute[first] != attribute[second]
    return first[distinct], second[distinct]


# ---- names


def level_names(attribute: Attribute) -> list[str]:
    """Name every level of an attribute, as people read it."""
    if isinstance(attribute, Numeric) and attribute.kind == "int":
        pairs = zip(*(bound.tolist() for bound in attribute.integer_bounds()))
        names = [f"{first}" if first == last else f"{first} to {last}" for first, last in pairs]
    elif isinstance(attribute, Numeric):
        edges = [_edge(attribute, edge) for edge in attribute.edges.tolist()]
        last = len(edges) - 2
        names = [f"[{a}, {b}{']' if i == last else ')'}" for i, (a, b) in enumerate(pairwise(edges))]
    else:
        names = [str(level) for level in attribute.levels]
    return [*names, "missing"] if attribute.missing else names


def _edge(attribute: Numeric, edge: float) -> str:
    if attribute.kind == "date":
        return str(np.datetime64(int(edge), "D"))
    if attribute.kind == "datetime":
        return str(np.datetime64(int(edge), "us").astype("datetime64[s]")).replace("T", " ")
    return f"{edge:.10g}"


def bit_names(schema: Schema) -> list[str]:
    """Name every bit: "job = nurse"."""
    return [
        f"{attribute.name} = {level}"
        for attribute in schema.attributes
        for names in [level_names(attribute)]
        for level in (names[1:] if len(names) == 2 else names)
    ]
