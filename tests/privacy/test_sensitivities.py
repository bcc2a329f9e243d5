"""Every sensitivity against all pairs of neighbouring small tables: never exceeded, and attained."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations_with_replacement, product
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from covloss_fast.privacy import mechanisms
from covloss_fast.privacy.certificate import exact_query
from covloss_fast.privacy.mechanisms import CERTIFICATE_UNIT, Neighbours, Sensitivity
from covloss_fast.reference import queries

Answer = Callable[[NDArray[np.int64]], NDArray[np.int64]]

BOTH: tuple[Neighbours, ...] = ("add_or_remove_one", "replace_one")
SCHEMAS = [(b, c) for b in range(5) for c in range(5) if 1 <= b + c <= 4]


def sizes_of(b: int, c: int) -> list[int]:
    return [2] * b + [3] * c


def all_records(sizes: Sequence[int]) -> NDArray[np.int64]:
    return np.array(list(product(*map(range, sizes))), dtype=np.int64)


def largest_moves(
    answer: Answer, records: NDArray[np.int64], neighbours: Neighbours, n_max: int = 2
) -> tuple[int, int]:
    """Largest l1 and squared l2 move of a query over all neighbouring tables of at most n_max records."""
    answers = {
        table: answer(records[list(table)])
        for n in range(n_max + 1)
        for table in combinations_with_replacement(range(len(records)), n)
    }
    l1 = l2_squared = 0
    for rest in (table for table in answers if len(table) < n_max):
        larger = np.array([answers[tuple(sorted((*rest, record)))] for record in range(len(records))])
        if neighbours == "add_or_remove_one":
            moves = larger - answers[rest]
        else:
            moves = (larger[:, None, :] - larger[None, :, :]).reshape(len(records) ** 2, -1)
        l1 = max(l1, int(np.abs(moves).sum(axis=1).max()))
        l2_squared = max(l2_squared, int((moves**2).sum(axis=1).max()))
    return l1, l2_squared


def excess(claim: Sensitivity, moves: tuple[int, int]) -> bool:
    """Whether a claim is refuted."""
    return moves[0] > claim.l1 or moves[1] > claim.l2_squared


def assert_attained(claim: Sensitivity, moves: tuple[int, int]) -> None:
    """The claim holds with equality, and a claim that is one smaller in either norm is refuted."""
    assert (claim.l1, claim.l2_squared) == moves
    assert not excess(claim, moves)
    if claim.l1 > 1:
        assert excess(Sensitivity(claim.l1 - 1, claim.l2_squared), moves)
    if claim.l2_squared > 1:
        assert excess(Sensitivity(claim.l1, claim.l2_squared - 1), moves)


@pytest.mark.parametrize("neighbours", BOTH)
@pytest.mark.parametrize(("b", "c"), SCHEMAS)
def test_one_way(b: int, c: int, neighbours: Neighbours) -> None:
    sizes = sizes_of(b, c)
    moves = largest_moves(lambda t: queries.one_way(t, sizes), all_records(sizes), neighbours)
    assert_attained(mechanisms.one_way(b, c, neighbours), moves)


@pytest.mark.parametrize("neighbours", BOTH)
@pytest.mark.parametrize(("b", "c"), [schema for schema in SCHEMAS if sum(schema) > 1])
def test_all_pairs(b: int, c: int, neighbours: Neighbours) -> None:
    sizes = sizes_of(b, c)
    moves = largest_moves(lambda t: queries.all_pairs(t, sizes), all_records(sizes), neighbours)
    assert_attained(mechanisms.all_pairs(b, c, neighbours), moves)


@pytest.mark.parametrize("p", [5, 6])
def test_all_pairs_of_more_bits(p: int) -> None:
    sizes = sizes_of(p, 0)
    moves = largest_moves(lambda t: queries.all_pairs(t, sizes), all_records(sizes), "replace_one", 1)
    assert_attained(mechanisms.all_pairs(p, 0, "replace_one"), moves)
    assert moves == (2 * (p**2 // 4), 4 * (p**2 // 4))


@pytest.mark.parametrize("b", range(12))
@pytest.mark.parametrize("c", range(12))
def test_all_pairs_closed_forms(b: int, c: int) -> None:
    q = b + c
    if q < 2:
        return
    added = mechanisms.all_pairs(b, c, "add_or_remove_one")
    assert added.l1 == added.l2_squared == comb(q, 2)
    replaced = mechanisms.all_pairs(b, c, "replace_one")
    if c == 0:
        assert (replaced.l1, replaced.l2_squared) == (2 * (b**2 // 4), 4 * (b**2 // 4))
    if b == 0:
        assert (replaced.l1, replaced.l2_squared) == (2 * comb(c, 2), 2 * comb(c, 2))
    assert replaced.l1 <= 2 * added.l1
    assert replaced.l2_squared <= 4 * added.l2_squared


def labelings(n_records: int) -> Iterator[NDArray[np.int64]]:
    """All partitions of the possible records into two blocks, or a few of them and the extreme ones."""
    if n_records <= 8:
        for labels in product((0, 1), repeat=n_records):
            yield np.array(labels, dtype=np.int64)
        return
    rng = np.random.default_rng(n_records)
    yield np.zeros(n_records, dtype=np.int64)
    for first in range(n_records):
        yield (np.arange(n_records) == first).astype(np.int64)
    for _ in range(20):
        yield rng.integers(0, 2, n_records)


@pytest.mark.parametrize("weight", [1, 2, 3])
@pytest.mark.parametrize("neighbours", BOTH)
@pytest.mark.parametrize(("b", "c"), [(b, c) for b, c in SCHEMAS if 2**b * 3**c <= 27])
def test_block_statistics(b: int, c: int, neighbours: Neighbours, weight: int) -> None:
    sizes = sizes_of(b, c)
    records = all_records(sizes)
    places = 3 ** np.arange(b + c)  # a record's number, whatever the order
    l1 = l2_squared = 0
    n_max = 2 if len(records) <= 4 else 1
    for labels in labelings(len(records)):
        label_of = dict(zip((records @ places).tolist(), labels.tolist()))

        def answer(table: NDArray[np.int64], label_of: dict[int, int] = label_of) -> NDArray[np.int64]:
            own = np.array([label_of[code] for code in (table @ places).tolist()], dtype=np.int64)
            return queries.block_statistics(table, sizes, own, 2, weight)

        moves = largest_moves(answer, records, neighbours, n_max)
        l1, l2_squared = max(l1, moves[0]), max(l2_squared, moves[1])
    assert_attained(mechanisms.block_statistics(b, c, neighbours, weight), (l1, l2_squared))


@pytest.mark.parametrize("p", [1, 2, 3, 4, 8, 9, 69, 100])
def test_the_weight_of_block_counts_is_free_and_no_larger_one_is(p: int) -> None:
    weight = mechanisms.free_count_weight(p, "replace_one", False)
    without = mechanisms.block_statistics(p, 0, "replace_one").l2_squared
    assert mechanisms.block_statistics(p, 0, "replace_one", weight).l2_squared == without
    assert mechanisms.block_statistics(p, 0, "replace_one", weight + 1).l2_squared > without
    assert mechanisms.free_count_weight(p, "replace_one", True) == 1
    assert mechanisms.free_count_weight(p, "add_or_remove_one", False) == 1


@pytest.mark.parametrize("neighbours", BOTH)
def test_block_counts_and_pair_table(neighbours: Neighbours) -> None:
    records = all_records([2, 3])
    moves = largest_moves(lambda t: queries.pair_table(t, [2, 3], 0, 1), records, neighbours)
    assert_attained(mechanisms.pair_table(neighbours), moves)
    assert_attained(mechanisms.block_counts(neighbours), moves)


def test_record_count() -> None:
    records = all_records([2])
    moves = largest_moves(lambda t: np.array([len(t)]), records, "add_or_remove_one")
    assert_attained(mechanisms.record_count("add_or_remove_one"), moves)
    with pytest.raises(ValueError, match="public"):
        mechanisms.record_count("replace_one")


@pytest.mark.parametrize("neighbours", BOTH)
@pytest.mark.parametrize("sizes", [[2, 3], [2, 2, 2], [2, 2, 3]])
def test_pair_scores(sizes: list[int], neighbours: Neighbours) -> None:
    records = all_records(sizes)
    shapes = [sizes[a] * sizes[b] for a in range(len(sizes)) for b in range(a + 1, len(sizes))]
    l1 = l2_squared = 0
    # The last expectation is met by one record of codes 0, and then by no other: all scores move by 2.
    for fill in (0, 1, 2, None):
        expected = [
            np.eye(1, cells, dtype=np.int64)[0] if fill is None else np.full(cells, fill) for cells in shapes
        ]

        def answer(
            table: NDArray[np.int64], expected: list[NDArray[np.int64]] = expected
        ) -> NDArray[np.int64]:
            return queries.pair_scores(table, sizes, expected)

        moves = largest_moves(answer, records, neighbours)
        l1, l2_squared = max(l1, moves[0]), max(l2_squared, moves[1])
    assert_attained(mechanisms.pair_score(len(shapes), neighbours), (l1, l2_squared))


@pytest.mark.parametrize("neighbours", BOTH)
@pytest.mark.parametrize(("scale", "damping"), [(1, 1), (4, 2), (5, 2), (2, 3), (7, 3), (12, 3), (10, 4)])
def test_damped_means(scale: int, damping: int, neighbours: Neighbours) -> None:
    p = 2
    # A record is a row of bits and the block that it is in; the bound holds for any such function.
    records = all_records([2] * p + [2])

    def answer(table: NDArray[np.int64]) -> NDArray[np.int64]:
        return queries.damped_means(table[:, :p], table[:, p], 2, scale, damping)

    moves = largest_moves(answer, records, neighbours, 4)
    claim = mechanisms.damped_means([2] * p, scale, damping, neighbours)
    if neighbours == "replace_one" and scale % damping and damping > 2:
        assert not excess(claim, moves)  # both blocks at their worst need more than 4 records
    else:
        assert_attained(claim, moves)


@pytest.mark.parametrize("neighbours", BOTH)
@pytest.mark.parametrize("sizes", [[3], [5], [2, 3], [3, 4], [1, 3]])
@pytest.mark.parametrize(("scale", "damping"), [(1, 1), (6, 1), (7, 1), (12, 2), (11, 2), (25, 3), (24, 4)])
def test_damped_means_of_groups(sizes: list[int], scale: int, damping: int, neighbours: Neighbours) -> None:
    """The levels of a group move together: never beyond the claim, and to it but for what floors may add."""
    layout = [(1 if size == 2 else size) for size in sizes]
    rows = np.array(
        [
            np.concatenate(
                [np.eye(size, dtype=np.int64)[c] if size != 2 else [c] for size, c in zip(sizes, r)]
            )
            for r in all_records(sizes)
        ]
    )
    # A record is the number of its row and the block that it is in.
    records = all_records([len(rows), 2]) if neighbours == "replace_one" else all_records([len(rows), 1])

    def answer(table: NDArray[np.int64]) -> NDArray[np.int64]:
        return queries.damped_means(rows[table[:, 0]], table[:, 1], 2, scale, damping)

    n_max = damping + 1 if len(records) <= 10 else 2
    moves = largest_moves(answer, records, neighbours, n_max)
    claim = mechanisms.damped_means(sizes, scale, damping, neighbours)
    assert not excess(claim, moves)
    if neighbours == "add_or_remove_one" and n_max > damping:
        # A rise by u, and falls of u in all; rounded down, falls may exceed it by one for each level.
        assert moves[0] >= claim.l1 - sum(2 * (bits - 1) for bits in layout)


def test_damped_means_of_many_levels() -> None:
    """An attribute counts about twice, whatever its number of levels; never more than level by level."""
    for size in range(3, 200, 7):
        claim = mechanisms.damped_means([size], 1024 * 50, 50, "add_or_remove_one")
        assert claim.l1 == 2 * -(-1024 * 50 // 51) + size - 1
    random = np.random.default_rng(3)
    for _ in range(300):  # longer tables than can be tried in full
        size, damping, n = (int(x) for x in random.integers([3, 1, 1], [8, 9, 40]))
        scale = int(random.integers(1, 4000))
        codes = random.choice(size, n, p=random.dirichlet(np.full(size, 0.5)))
        here = np.eye(size, dtype=np.int64)[codes]
        left, right = (
            queries.damped_means(rows, np.zeros(len(rows), np.int64), 1, scale, damping)
            for rows in (here, here[1:])
        )
        claim = mechanisms.damped_means([size], scale, damping, "add_or_remove_one")
        move = np.abs(left - right)
        assert not excess(claim, (int(move.sum()), int((move**2).sum())))


def certificate_moves(neighbours: Neighbours, degree: int, p: int) -> int:
    records = all_records([2] * p)
    largest = 0
    rng = np.random.default_rng(degree)
    for m in (0, 1, 2, 5):
        for _ in range(4):
            synthetic = queries.marginal_counts(records[rng.integers(0, len(records), m)], degree)

            def answer(
                table: NDArray[np.int64], m: int = m, synthetic: NDArray[np.int64] = synthetic
            ) -> NDArray[np.int64]:
                counts = queries.marginal_counts(table, degree)
                return np.array([exact_query(counts, len(table), synthetic, m)])

            largest = max(largest, largest_moves(answer, records, neighbours, 3)[0])
    return largest


@pytest.mark.parametrize("neighbours", BOTH)
@pytest.mark.parametrize(("degree", "p"), [(1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3)])
def test_certificate(degree: int, p: int, neighbours: Neighbours) -> None:
    found = certificate_moves(neighbours, degree, p)
    assert_attained(mechanisms.certificate(neighbours), (found, found**2))
    assert found == CERTIFICATE_UNIT


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="neighbours must be one of 'add_or_remove_one', 'replace_one'"):
        mechanisms.one_way(1, 0, "swap")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="at least one attribute"):
        mechanisms.one_way(0, 0, "replace_one")
    with pytest.raises(ValueError, match="at least two attributes"):
        mechanisms.all_pairs(1, 0, "replace_one")
    with pytest.raises(ValueError, match="count_weight"):
        mechanisms.block_statistics(1, 0, "replace_one", 0)
    with pytest.raises(ValueError, match="at least one pair"):
        mechanisms.pair_score(0, "replace_one")
    with pytest.raises(ValueError, match="at least 1"):
        mechanisms.damped_means([3], 0, 2, "replace_one")
    with pytest.raises(ValueError, match="at least 1"):
        mechanisms.damped_means([], 1, 2, "replace_one")
    with pytest.raises(ValueError, match="must be positive"):
        Sensitivity(0, 1)
