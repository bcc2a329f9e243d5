"""Microaggregation in plain numpy: MDAV, the best partition of one column, recounts and scatters.

`mdav` is the field's standard heuristic and the bar that the fast search must clear. It adds squared
differences in the order of the compiled core (four lanes of columns), so that ties break alike in both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "block_means",
    "block_sizes",
    "complete_blocks",
    "diversity",
    "equal_blocks",
    "groups",
    "hash64",
    "lattice_cells",
    "linked",
    "lower_median",
    "mdav",
    "nearest_other",
    "pinned_cells",
    "product_marginal",
    "random_sign_cells",
    "relative_scatter",
    "rows",
    "scatter",
    "standardise",
    "univariate",
]


def standardise(table: NDArray[Any]) -> NDArray[np.float64]:
    """Columns of mean 0 and standard deviation 1 (ddof = 1); a constant column becomes 0."""
    n, p = table.shape
    rows = np.zeros((n, p))
    for j in range(p):
        column = np.array(table[:, j], dtype=np.float64)
        if column.min() < column.max():
            centred = column - column.mean()
            rows[:, j] = centred / np.sqrt((centred**2).sum() / (n - 1))
    return rows


def rows(
    numbers: NDArray[np.float64], codes: NDArray[np.uint8], tables: list[NDArray[np.float64]]
) -> NDArray[np.float64]:
    """Coordinates of records: numbers (n, m), then those of the level of each attribute, codes (n, q)."""
    return np.hstack([numbers, *(table[codes[:, j]] for j, table in enumerate(tables))])


def squared_distances(rows: NDArray[np.float64], point: NDArray[np.float64]) -> NDArray[np.float64]:
    """Squared distances of rows from a point; lane l adds the columns l, l + 4, l + 8, ..."""
    differences = np.zeros((len(rows), -(-rows.shape[1] // 4) * 4))
    differences[:, : rows.shape[1]] = rows - point
    lanes = np.zeros((len(rows), 4))
    for first in range(0, differences.shape[1], 4):
        lanes += differences[:, first : first + 4] ** 2
    return np.asarray((lanes[:, 0] + lanes[:, 1]) + (lanes[:, 2] + lanes[:, 3]))


def mdav(rows: NDArray[np.float64], min_block_size: int) -> NDArray[np.int32]:
    """MDAV (Domingo-Ferrer and Torra 2005): block of each record, every block with `min_block_size` or more.

    While at least three blocks' worth of records are left, one block is formed about the record farthest from
    their mean and one about the record farthest from that; ties go to the lowest index. Quadratic.
    """
    left = np.arange(len(rows))
    labels = np.empty(len(rows), dtype=np.int32)
    n_blocks = 0

    def centre() -> NDArray[np.float64]:
        return np.asarray(np.cumsum(rows[left], axis=0)[-1] / len(left))  # in order, unlike sum

    def farthest(point: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(rows[left[squared_distances(rows[left], point).argmax()]])

    def take_nearest(point: NDArray[np.float64]) -> None:
        nonlocal left, n_blocks
        order = np.argsort(squared_distances(rows[left], point), kind="stable")
        labels[left[order[:min_block_size]]] = n_blocks
        left = np.sort(left[order[min_block_size:]])
        n_blocks += 1

    while len(left) >= 3 * min_block_size:
        far = farthest(centre())
        opposite = farthest(far)
        take_nearest(far)
        take_nearest(opposite)
    if len(left) >= 2 * min_block_size:
        take_nearest(farthest(centre()))
    labels[left] = n_blocks
    return labels


def univariate(
    values: NDArray[np.float64], min_block_size: int, weights: NDArray[np.float64] | None = None
) -> NDArray[np.int32]:
    """Best partition of one column (Hansen and Mukherjee 2003): a path through the sorted values."""
    n = len(values)
    order = np.argsort(values, kind="stable")
    x = values[order]
    w = np.ones(n) if weights is None else weights[order]
    best = np.full(n + 1, np.inf)
    best[0] = 0.0
    previous = np.zeros(n + 1, dtype=np.int64)
    for end in range(min_block_size, n + 1):
        for start in range(max(0, end - 2 * min_block_size + 1), end - min_block_size + 1):
            block, weight = x[start:end], w[start:end]
            cost = (weight * (block - np.average(block, weights=weight)) ** 2).sum()
            if best[start] + cost < best[end]:
                best[end] = best[start] + cost
                previous[end] = start
    labels = np.empty(n, dtype=np.int32)
    end, block_number = n, 0
    while end > 0:
        labels[order[previous[end] : end]] = block_number
        end, block_number = int(previous[end]), block_number + 1
    return labels


def equal_blocks(values: NDArray[np.float64], cells: NDArray[np.int32], n_blocks: int) -> NDArray[np.int32]:
    """Exactly `n_blocks` blocks on a line: sort by (cell, value, row), cut; numbered by first row."""
    n = len(values)
    blocks = np.empty(n, dtype=np.int64)
    blocks[np.lexsort((np.arange(n), values, cells))] = np.arange(n) * n_blocks // n
    first = [int((blocks == b).argmax()) for b in range(n_blocks)]
    return np.asarray(np.argsort(np.argsort(first))[blocks], dtype=np.int32)


def pinned_cells(rows: NDArray[np.float64], pins: NDArray[np.intp]) -> NDArray[np.int32]:
    """Cell of each centred record: bit l says whether coordinate ``pins[l]`` is at least 0."""
    return np.array(
        [sum(2**bit for bit, j in enumerate(pins) if row[j] >= 0) for row in rows], dtype=np.int32
    )


def random_sign_cells(
    rows: NDArray[np.float64], directions: NDArray[Any], largest_square: float
) -> NDArray[np.int32]:
    """The same of projections; the last direction belongs to a coordinate that brings all to one norm."""
    cells = []
    for row in rows:
        lifted = np.append(row, np.sqrt(max(largest_square - float((row**2).sum()), 0.0)))
        cells.append(sum(2**bit for bit, value in enumerate(lifted @ directions) if value >= 0))
    return np.array(cells, dtype=np.int32)


def lattice_cells(
    coordinates: NDArray[np.float64], eigenvalues: NDArray[np.float64], n_cells: int
) -> NDArray[np.int32]:
    """Equal intervals on the first t coordinates, at most `n_cells` cells in all; the t that loses least.

    Within an interval of length h a uniform coordinate has variance h^2 / 12; coordinates without intervals
    lose their eigenvalue.
    """
    best, chosen = float(eigenvalues.sum()), (0, 1)
    for t in range(1, coordinates.shape[1] + 1):
        cuts = max(c for c in range(1, n_cells + 2) if c**t <= n_cells)
        if cuts < 2 or np.abs(coordinates[:, t - 1]).max() <= 0:
            break
        lost = 0.0
        for j, value in enumerate(eigenvalues):
            length = 2 * np.abs(coordinates[:, j]).max() / cuts if j < t else np.inf
            lost += min(float(value), length**2 / 12)
        if lost < best:
            best, chosen = lost, (t, cuts)
    t, cuts = chosen
    cells = []
    for row in coordinates:
        cell = 0
        for j in range(t):
            place = int((row[j] / np.abs(coordinates[:, j]).max() + 1.0) * (cuts / 2.0))
            cell = cell * cuts + min(place, cuts - 1)
        cells.append(cell)
    return np.array(cells, dtype=np.int32)


def linked(
    true: NDArray[np.float64], shown: NDArray[np.float64], compared: NDArray[np.intp]
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Distance-based record linkage: who tries to find some records among the published rows.

    Parameters
    ----------
    true, shown : float64 arrays, shape (n, width)
        Coordinates of the records and of what was published for them.
    compared : int array, shape (m,)
        Records that are looked for.

    Returns
    -------
    to_group : bool array, shape (m,)
        Whether no published row is nearer than the record's own.
    to_record : float64 array, shape (m,)
        Then the chance of guessing it among the rows that are the same; otherwise 0.
    """
    to_group, to_record = [], []
    for i in compared.tolist():
        squares = squared_distances(shown, true[i])
        own = not (squares < squares[i]).any()
        to_group.append(own)
        to_record.append(own / (shown == shown[i]).all(axis=1).sum())
    return np.array(to_group), np.array(to_record)


def hash64(x: int) -> int:
    """The finaliser of SplitMix64."""
    word = 2**64 - 1
    x = (x + 0x9E3779B97F4A7C15) & word
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & word
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & word
    return x ^ (x >> 31)


def block_sizes(labels: NDArray[np.int32]) -> NDArray[np.int64]:
    """Number of records of each block that occurs."""
    return np.unique(labels, return_counts=True)[1].astype(np.int64)


def block_means(
    rows: NDArray[np.float64], labels: NDArray[np.int32], weights: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Weighted mean of the records of each block, shape (n_blocks, p)."""
    w = np.ones(len(rows)) if weights is None else weights
    return np.array(
        [np.average(rows[labels == b], axis=0, weights=w[labels == b]) for b in range(labels.max() + 1)]
    )


def scatter(
    rows: NDArray[np.float64], labels: NDArray[np.int32], weights: NDArray[np.float64] | None = None
) -> float:
    """Weighted sum of squared distances of records from the mean of their block (SSE)."""
    w = np.ones(len(rows)) if weights is None else weights
    residual = rows - block_means(rows, labels, weights)[labels]
    return float((w[:, None] * residual**2).sum())


def relative_scatter(
    rows: NDArray[np.float64], labels: NDArray[np.int32], weights: NDArray[np.float64] | None = None
) -> float:
    """Scatter over that of a single block (SSE/SST, the field's information loss); 0 if nothing scatters."""
    total = scatter(rows, np.zeros(len(rows), dtype=np.int32), weights)
    return scatter(rows, labels, weights) / total if total > 0 else 0.0


def nearest_other(
    queries: NDArray[np.float64],
    own: NDArray[np.int32],
    limits: NDArray[np.float64],
    rows: NDArray[np.float64],
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Nearest row, other than its own and within its limit, of each query; -1 at distance inf if none."""
    index = np.full(len(queries), -1, dtype=np.int32)
    squares = np.full(len(queries), np.inf)
    for i, query in enumerate(queries):
        distances = squared_distances(rows, query)
        if 0 <= own[i] < len(rows):
            distances[own[i]] = np.inf
        best = int(distances.argmin()) if len(rows) else -1
        if best >= 0 and distances[best] < limits[i]:
            index[i], squares[i] = best, distances[best]
    return index, squares


def complete_blocks(
    rows: NDArray[np.float64],
    labels: NDArray[np.int32],
    strata: NDArray[np.int32],
    present: NDArray[np.bool_],
    min_block_size: int,
    weights: NDArray[np.float64] | None = None,
) -> list[set[int]]:
    """Blocks joined, in rounds, until each has enough present values of every attribute.

    Parameters
    ----------
    rows : float64 array, shape (n, width)
        Coordinates.
    labels, strata : int32 arrays, shape (n,)
        Blocks, and strata that they do not cross.
    present : bool array, shape (n, q)
        Which values are not missing.
    min_block_size : int
        Present values that a block needs of every attribute.
    weights : float64 array, shape (n,), optional
        Weights of records in the centres of blocks.

    Returns
    -------
    list of sets of records
        In the order of their first records.
    """
    w = np.ones(len(rows)) if weights is None else weights
    blocks = [set(np.flatnonzero(labels == b).tolist()) for b in range(int(labels.max()) + 1)]
    while True:
        members = [sorted(block) for block in blocks]
        short = [b for b, block in enumerate(members) if present[block].sum(axis=0).min() < min_block_size]
        if not short:
            return sorted(blocks, key=min)
        centres = np.array([np.average(rows[block], axis=0, weights=w[block]) for block in members])
        for b in short:
            here = [strata[block[0]] == strata[members[b][0]] for block in members]
            distances = np.where(here, squared_distances(centres, centres[b]), np.inf)
            distances[b] = np.inf
            # The sets are shared: whoever was joined before stays joined.
            union = blocks[b] | blocks[int(distances.argmin())]
            blocks = [union if block <= union else block for block in blocks]
        blocks = [block for b, block in enumerate(blocks) if block not in blocks[:b]]


def groups(records: list[tuple[Any, ...]]) -> list[list[int]]:
    """Positions of equal records, one list for each different record."""
    found: dict[tuple[Any, ...], list[int]] = {}
    for position, record in enumerate(records):
        found.setdefault(record, []).append(position)
    return list(found.values())


def diversity(released: list[tuple[Any, ...]], sensitive: list[Any]) -> tuple[int, float, float]:
    """Distinct and entropy l-diversity, and share of records in groups with one sensitive value."""
    distinct, entropies, alone = [], [], 0
    for group in groups(released):
        values = [sensitive[i] for i in group]
        share = np.array([values.count(value) for value in dict.fromkeys(values)]) / len(values)
        distinct.append(len(share))
        entropies.append(float(np.exp(-(share * np.log(share)).sum())))
        alone += len(group) if len(share) == 1 else 0
    return min(distinct), min(entropies), alone / len(released)


def lower_median(values: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """Lowest of the values up to which at least half of the weight lies."""
    return float(min(v for v in values if weights[values <= v].sum() >= 0.5 * weights.sum()))


def product_marginal(shares: NDArray[np.float64], sizes: NDArray[np.int64]) -> float:
    """Mean over records of the product of their block's shares, shape (n_blocks, d): one d-way marginal."""
    return float((sizes * shares.prod(axis=1)).sum() / sizes.sum())
