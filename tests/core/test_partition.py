"""Labels, block statistics, equipartition and coverings: compiled against plain numpy, at awkward sizes."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covloss_fast._core import config
from covloss_fast._core import partition as core
from covloss_fast._core.bits import BitMatrix
from covloss_fast.reference import partition as slow

SIZES = [0, 1, 63, 64, 65, 255, 256, 257, 4095, 4097, 16_384, 16_385]


def packed(n: int, p: int, seed: int = 0) -> tuple[np.ndarray, BitMatrix]:
    bits = np.random.default_rng([seed, n, p]).integers(0, 2, (n, p), dtype=np.uint8)
    return bits, BitMatrix.from_array(bits, 1)


def integers(generator: np.random.Generator, largest: int, shape: tuple[int, ...]) -> np.ndarray:
    return generator.integers(-largest, largest, shape, endpoint=True)


@cache
def nearest_point_case(n: int, p: int, t: int, k: int, largest: int) -> tuple[Any, ...]:
    """Records, a map, points with a tie, and what plain numpy says."""
    generator = np.random.default_rng(n + p)
    bits, matrix = packed(n, p)
    directions = integers(generator, largest, (p, t)).astype(np.int32)
    offset = integers(generator, largest, (t,))
    points = integers(generator, 2 * largest, (k, t))
    points[-1] = points[0]  # a tie, to the lowest index
    coordinates = slow.project(bits, directions, offset)
    return matrix, directions, offset, points, coordinates, slow.nearest_point(coordinates, points)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize(("p", "t", "k"), [(1, 1, 1), (9, 8, 17), (100, 17, 22)])
@pytest.mark.parametrize("largest", [3, 2**20])  # 32-bit and 64-bit distances
def test_nearest_points(
    n: int, p: int, t: int, k: int, largest: int, simd_level: str, n_threads: int
) -> None:
    matrix, directions, offset, points, coordinates, expected = nearest_point_case(n, p, t, k, largest)
    np.testing.assert_array_equal(core.project(matrix, directions, offset, n_threads), coordinates)
    labels = core.assign_nearest(matrix, directions, offset, points, n_threads)
    assert labels.dtype == np.int32
    np.testing.assert_array_equal(labels, expected)
    np.testing.assert_array_equal(core.nearest_point(coordinates, points, n_threads), expected)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("largest", [3, 2**31 - 1])  # 32-bit and 64-bit sums
def test_signs_pins_and_grids(n: int, largest: int, simd_level: str, n_threads: int) -> None:
    generator = np.random.default_rng(n)
    bits, matrix = packed(n, 19)
    directions = integers(generator, largest, (19, 9)).astype(np.int32)
    offset = -(directions.astype(np.int64).sum(axis=0) // 2)
    np.testing.assert_array_equal(
        core.project(matrix, directions, offset, n_threads), slow.project(bits, directions, offset)
    )
    np.testing.assert_array_equal(
        core.sign_cells(matrix, directions, offset, n_threads), slow.sign_cells(bits, directions, offset)
    )
    np.testing.assert_array_equal(core.pin(matrix, [18, 0, 7], n_threads), slow.pin(bits, [18, 0, 7]))
    for spacing, cells in [(1, 2), (2, 3), (largest // 2 + 1, 5), (largest, 1)]:
        few, start = np.ascontiguousarray(directions[:, :3]), offset[:3].copy()
        np.testing.assert_array_equal(
            core.lattice_cells(matrix, few, start, spacing, cells, n_threads),
            slow.lattice_cells(bits, few, start, spacing, cells),
        )


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("t", [1, 3, 8, 9, 16])
def test_grids_of_coordinates(n: int, t: int, simd_level: str, n_threads: int) -> None:
    generator = np.random.default_rng(n + t)
    for spacing in (1, 7, 2**29 - 1, 2**47, 2**50, 2**57):
        cells = 2 if t > 9 else 5 if t > 4 else 9
        near = spacing * generator.integers(-cells, cells, (n, t), endpoint=True) // 2  # at borders
        coordinates = near + generator.integers(-1, 1, (n, t), endpoint=True)
        far = generator.random((n, t)) < 0.1
        coordinates[far] = generator.choice([-(2**61), 2**61, 0], far.sum())
        found = core.lattice_cells_of(np.ascontiguousarray(coordinates), spacing, cells, n_threads)
        expected = [
            sum(
                cells ** (t - 1 - c) * min(max((2 * x + cells * spacing) // (2 * spacing), 0), cells - 1)
                for c, x in enumerate(row)
            )
            for row in coordinates[:70].tolist()
        ]
        assert found[:70].tolist() == expected
        if spacing < 2**40:
            np.testing.assert_array_equal(found, slow.lattice_cells_of(coordinates, spacing, cells))


def test_a_coordinate_of_0_counts_as_positive() -> None:
    bits = np.array([[0], [1]], dtype=np.uint8)
    matrix = BitMatrix.from_array(bits, 1)
    labels = core.sign_cells(matrix, np.array([[-1]], dtype=np.int32), np.zeros(1, dtype=np.int64), 1)
    assert labels.tolist() == [1, 0]


def test_no_coordinate_at_all_is_one_block() -> None:
    bits, matrix = packed(70, 3)
    none, zero = np.zeros((3, 0), dtype=np.int32), np.zeros(0, dtype=np.int64)
    points = np.zeros((2, 0), dtype=np.int64)
    np.testing.assert_array_equal(core.assign_nearest(matrix, none, zero, points, 1), np.zeros(70))
    np.testing.assert_array_equal(core.pin(matrix, [], 1), np.zeros(70))
    np.testing.assert_array_equal(core.sign_cells(matrix, none, zero, 1), np.zeros(70))
    np.testing.assert_array_equal(core.lattice_cells(matrix, none, zero, 1, 7, 1), np.zeros(70))
    nothing = BitMatrix.from_array(bits[:, :0].copy(), 1)
    start, two = np.array([5, 0]), np.array([[0, 0], [4, 0]])
    np.testing.assert_array_equal(
        core.assign_nearest(nothing, np.zeros((0, 2), dtype=np.int32), start, two, 1), np.ones(70)
    )


@settings(max_examples=60)
@given(data=st.data())
def test_nearest_points_where_distances_just_fit(data: st.DataObject) -> None:
    """At both ends of both kernels the labels are those of exact integers of any size."""
    t = data.draw(st.integers(1, 5))
    total = data.draw(st.sampled_from([31, 63]))
    bound = int((2**total - 1) // (4 * t)) ** 0.5
    largest = int(bound) - 2
    generator = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    extremes = np.array([-largest, largest, largest - 1, 1 - largest, 0, 1])
    coordinates, points = generator.choice(extremes, (20, t)), generator.choice(extremes, (9, t))
    exact = [[sum((int(a) - int(b)) ** 2 for a, b in zip(x, y)) for y in points] for x in coordinates]
    expected = [row.index(min(row)) for row in exact]
    before = config.simd_level()
    for level in config.available_simd_levels():
        config.force_simd_level(level)
        assert core.nearest_point(coordinates, points, 1).tolist() == expected
    config.force_simd_level(before)


def test_the_bound_on_distances_is_exact() -> None:
    """A bound with t (2 bound)^2 < 2^63 is accepted, the next integer is refused."""
    for t in (1, 2, 7):
        bound = next(b for b in range(int((2**61 / t) ** 0.5) + 2, 0, -1) if 4 * t * b * b < 2**63)
        edge = np.full((1, t), bound)
        assert core.nearest_point(-edge, np.concatenate([edge, -edge]), 1).tolist() == [1]
        with pytest.raises(ValueError, match="63 bits"):
            core.nearest_point(-edge, edge + 1, 1)


def test_a_coordinate_that_is_too_large_is_named_by_its_row(n_threads: int) -> None:
    coordinates = np.zeros((70_000, 2), dtype=np.int64)
    coordinates[[4_999, 60_000], [1, 0]] = 2**62, -(2**63)
    with pytest.raises(ValueError, match="row 4999 is too large"):
        core.nearest_point(coordinates, np.zeros((1, 2), dtype=np.int64), n_threads)


def test_directions_that_could_overflow_are_refused_before_any_record_is_read() -> None:
    matrix = BitMatrix.from_array(np.zeros((0, 2), dtype=np.uint8), 1)
    one = np.full((2, 1), 2**29, dtype=np.int32)
    zero = np.zeros(1, dtype=np.int64)
    with pytest.raises(ValueError, match="63 bits"):
        core.assign_nearest(matrix, one, zero, np.array([[2**31 - 1]]), 1)
    with pytest.raises(ValueError, match="63 bits"):
        core.assign_nearest(matrix, 3 * one, zero, np.array([[0]]), 1)
    with pytest.raises(ValueError, match="point 1 is too large"):
        core.assign_nearest(matrix, one, zero, np.array([[0], [2**62]]), 1)
    with pytest.raises(ValueError, match="offset 0 is too large"):
        core.project(matrix, one, zero + 2**62, 1)
    with pytest.raises(ValueError, match=r"could reach 2\^62"):
        core.project(matrix, one, zero + 2**62 - 2**29, 1)


def test_wrong_shapes_and_types_are_refused() -> None:
    _, matrix = packed(5, 2)
    directions, offset = np.zeros((2, 3), dtype=np.int32), np.zeros(3, dtype=np.int64)
    points = np.zeros((4, 3), dtype=np.int64)
    with pytest.raises(ValueError, match="one row for each bit"):
        core.project(matrix, directions[:1], offset, 1)
    with pytest.raises(ValueError, match="one entry for each direction"):
        core.project(matrix, directions, offset[:2], 1)
    with pytest.raises(ValueError, match="one column for each direction"):
        core.assign_nearest(matrix, directions, offset, points[:, :2].copy(), 1)
    with pytest.raises(ValueError, match="from 1 to"):
        core.assign_nearest(matrix, directions, offset, points[:0], 1)
    with pytest.raises(TypeError):
        core.assign_nearest(matrix, directions.astype(np.float64), offset, points, 1)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        core.assign_nearest(matrix, directions[:, ::-1], offset, points, 1)
    with pytest.raises(ValueError, match="no bit 2 to pin"):
        core.pin(matrix, [0, 2], 1)
    with pytest.raises(ValueError, match="at most 30 columns"):
        core.pin(matrix, [0] * 31, 1)
    with pytest.raises(ValueError, match="at least 1"):
        core.lattice_cells(matrix, directions, offset, 0, 3, 1)
    with pytest.raises(ValueError, match=r"more than 2\^30 cells"):
        core.lattice_cells(matrix, directions, offset, 1, 1025, 1)
    with pytest.raises(ValueError, match="one entry for each record"):
        core.block_statistics(matrix, np.zeros(4, dtype=np.int32), 2, 1)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize(("p", "k"), [(0, 3), (1, 1), (32, 300), (33, 2), (100, 77)])
def test_block_statistics(n: int, p: int, k: int, n_threads: int) -> None:
    bits, matrix = packed(n, p)
    labels = np.random.default_rng(n).integers(0, k, n).astype(np.int32)
    counts, sums = core.block_statistics(matrix, labels, k + 2, n_threads)
    expected = slow.block_statistics(bits, labels, k + 2)
    np.testing.assert_array_equal(counts, expected[0])
    np.testing.assert_array_equal(sums, expected[1])
    assert counts[-1] == counts[-2] == 0  # empty blocks are there


def test_block_statistics_of_full_counters() -> None:
    """All bits set in one block: byte counters fill up again and again, over several ranges of rows."""
    n = 5 * 16_384 + 300
    matrix = BitMatrix.from_array(np.ones((n, 40), dtype=np.uint8), 1)
    for n_threads in (1, 2, 7):
        counts, sums = core.block_statistics(matrix, np.ones(n, dtype=np.int32), 2, n_threads)
        assert counts.tolist() == [0, n]
        assert sums.tolist() == [[0] * 40, [n] * 40]


@pytest.mark.parametrize("label", [-1, 2, 2**31 - 1])
def test_labels_outside_the_blocks_are_refused_with_their_row(label: int) -> None:
    _, matrix = packed(5, 2)
    labels = np.array([0, 1, 0, label, 5], dtype=np.int32)
    with pytest.raises(ValueError, match="row 3: the label is outside the blocks"):
        core.block_statistics(matrix, labels, 2, 1)


@pytest.mark.parametrize("n", [1, 2, 7, 64, 257, 1000])
@pytest.mark.parametrize("largest_label", [5, 2**31 - 1])  # by counting, by sorting
def test_equipartition(n: int, largest_label: int) -> None:
    generator = np.random.default_rng(n)
    labels = (generator.integers(0, 5, n) * (largest_label // 5)).astype(np.int32)
    for n_blocks in {1, 2, 3, n // 2 + 1, n} & set(range(1, n + 1)):
        blocks = core.equipartition(labels, n_blocks)
        np.testing.assert_array_equal(blocks, slow.equipartition(labels, n_blocks))
        sizes = np.bincount(blocks, minlength=n_blocks)
        assert len(sizes) == n_blocks
        assert set(sizes.tolist()) <= {n // n_blocks, -(-n // n_blocks)}
        straddling = sum(len(set(labels[blocks == j].tolist())) > 1 for j in range(n_blocks))
        assert straddling <= len(set(labels.tolist())) - 1
    with pytest.raises(ValueError, match="n_blocks must be from 1 to the number of records"):
        core.equipartition(labels, n + 1)
    with pytest.raises(ValueError, match="the label of row 0 is negative"):
        core.equipartition(-labels - 1, 1)


@pytest.mark.parametrize(
    ("t", "alpha"),
    [(1, 1.0), (1, 0.5), (1, 0.1), (2, 1.0), (2, 0.21), (2, 0.1), (3, 1.0), (3, 0.5), (3, 0.3)],
)
def test_covering_covers_and_is_small(t: int, alpha: float) -> None:
    points = core.covering(t, alpha, 10**6)
    np.testing.assert_array_equal(points, slow.covering(t, alpha))
    assert points.shape[0] <= (7 / alpha) ** t
    assert np.linalg.norm(points, axis=1).max() <= 1 + 1e-12
    generator = np.random.default_rng(t)
    ball = generator.normal(size=(300, t))
    ball /= np.linalg.norm(ball, axis=1, keepdims=True)
    ball = np.concatenate([ball, ball * generator.random((300, 1)) ** (1 / t), np.eye(t), -np.eye(t)])
    nearest = np.linalg.norm(ball[:, None] - points[None], axis=2).min(axis=1)
    assert nearest.max() < alpha
    assert core.covering(t, alpha, len(points)).shape == points.shape
    with pytest.raises(ValueError, match=f"more than {len(points) - 1} points"):
        core.covering(t, alpha, len(points) - 1)


def test_points_of_a_covering_on_the_sphere_are_decided_exactly() -> None:
    """2 * 1/2 lies on the sphere and is in; the double 0.1 is above 1/10, so 10 * 0.1 is out."""
    assert core.covering(1, 0.5, 99)[:, 0].tolist() == [-1.0, -0.5, 0.0, 0.5, 1.0]
    assert Fraction(0.1) > Fraction(1, 10)
    assert len(core.covering(1, 0.1, 99)) == 19


def test_a_covering_in_high_dimension_is_counted_not_made() -> None:
    # alpha = 1, t = 64: points of norm at most 8 in Z^64, far beyond memory
    with pytest.raises(ValueError, match="more than 1000000 points"):
        core.covering(64, 1.0, 10**6)
    with pytest.raises(ValueError, match="more than 1000 points"):
        core.covering(2, 1e-300, 1000)
    squares = np.array([1, 2, 0, 0, 2, 0, 0, 0, 0, 2])  # integers by their square, up to 9
    by_norm = np.ones(1, dtype=int)
    for _ in range(9):
        by_norm = np.convolve(by_norm, squares)[:10]
    assert len(core.covering(9, 1.0, 10**6)) == by_norm.sum()
    for t, alpha, message in [
        (0, 0.5, "dimension"),
        (65, 0.5, "dimension"),
        (2, 0.0, "alpha"),
        (2, 1.5, "alpha"),
    ]:
        with pytest.raises(ValueError, match=message):
            core.covering(t, alpha, 10)
    with pytest.raises(ValueError, match="alpha"):
        core.covering(2, float("nan"), 10)
