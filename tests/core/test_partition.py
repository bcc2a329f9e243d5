"""Partitions, block statistics, coverings: fast against slow, and the statements that they rest on."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from covloss_fast._core import partition as core
from covloss_fast._core.bits import BitMatrix
from covloss_fast.records.partition import Lattice, NearestPoint, Pinning, RandomSigns, equipartition
from covloss_fast.reference import partition as slow

SIZES = [0, 1, 63, 64, 65, 255, 256, 257, 16_384, 16_385]


def packed(n: int, p: int, seed: int = 0) -> tuple[np.ndarray, BitMatrix]:
    bits = np.random.default_rng([seed, n, p]).integers(0, 2, (n, p), dtype=np.uint8)
    return bits, BitMatrix.from_array(bits, 1)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize(("p", "t", "k"), [(1, 1, 1), (8, 2, 3), (9, 5, 17), (100, 16, 64)])
def test_fast_equals_slow(n: int, p: int, t: int, k: int, simd_level: str, n_threads: int) -> None:
    generator = np.random.default_rng(n + p)
    bits, matrix = packed(n, p)
    directions = generator.integers(-(2**20), 2**20, (p, t)).astype(np.int32)
    offset = generator.integers(-(2**20), 2**20, t)
    points = generator.integers(-(2**22), 2**22, (k, t))
    points[-1] = points[0]  # a tie, to the lowest index
    coordinates = slow.project(bits, directions, offset)
    np.testing.assert_array_equal(core.project(matrix, directions, offset, n_threads), coordinates)
    labels = core.assign_nearest(matrix, directions, offset, points, n_threads)
    np.testing.assert_array_equal(labels, slow.nearest_point(coordinates, points))
    counts, sums = core.block_statistics(matrix, labels, k + 2, n_threads)
    expected = slow.block_statistics(bits, labels, k + 2)
    np.testing.assert_array_equal(counts, expected[0])
    np.testing.assert_array_equal(sums, expected[1])


def partitions(p: int) -> list[NearestPoint | Lattice | Pinning | RandomSigns]:
    generator = np.random.default_rng(p)
    directions = generator.normal(size=(p, 4))
    return [
        NearestPoint.from_real(directions, generator.normal(size=4), generator.normal(size=(9, 4))),
        Lattice.from_real(directions, generator.normal(size=4), 1.5, 5),
        Pinning.random(p, 3, seed=1),
        RandomSigns.random([True] * p, 4, seed=2),
    ]


def depends_on_the_record_alone(label_rows: object, bits: np.ndarray) -> bool:
    """Whether blocks are the same alone, permuted and in sub-batches."""
    whole = label_rows(bits)  # type: ignore[operator]
    order = np.random.default_rng(0).permutation(len(bits))
    alone = np.concatenate([label_rows(row[None]) for row in bits[:50]])  # type: ignore[operator]
    parts = np.concatenate([label_rows(bits[:7]), label_rows(bits[7:])])  # type: ignore[operator]
    return (
        np.array_equal(whole[order], label_rows(bits[order]))  # type: ignore[operator]
        and np.array_equal(whole[:50], alone)
        and np.array_equal(whole, parts)
    )


@pytest.mark.parametrize("which", range(4))
def test_a_block_depends_on_the_record_alone(which: int, simd_level: str, n_threads: int) -> None:
    bits, _ = packed(333, 21)
    partition = partitions(21)[which]

    def label_rows(rows: np.ndarray) -> np.ndarray:
        return partition.labels(BitMatrix.from_array(np.ascontiguousarray(rows), 1), n_threads)

    assert depends_on_the_record_alone(label_rows, bits)
    labels = label_rows(bits)
    assert labels.dtype == np.int32
    assert labels.min() >= 0
    assert labels.max() < partition.n_blocks


def test_a_block_that_depends_on_the_batch_is_caught() -> None:
    bits, _ = packed(333, 21)

    def by_batch_mean(rows: np.ndarray) -> np.ndarray:
        return (rows.sum(axis=1) > rows.sum(axis=1).mean()).astype(np.int32)

    assert not depends_on_the_record_alone(by_batch_mean, bits)


def test_distances_that_could_overflow_are_refused() -> None:
    _, matrix = packed(3, 2)
    one = np.full((2, 1), 2**29, dtype=np.int32)
    zero = np.zeros(1, dtype=np.int64)
    with pytest.raises(ValueError, match="63 bits"):
        core.assign_nearest(matrix, one, zero, np.array([[2**31 - 1]]), 1)
    with pytest.raises(ValueError, match="offset 0 is too large"):
        core.project(matrix, one, zero + 2**62, 1)
    with pytest.raises(ValueError, match="could reach 2\\^62"):
        core.project(matrix, one, zero + 2**62 - 2**29, 1)
    partition = NearestPoint.from_real(np.full((2, 3), 1e12), np.zeros(3), np.full((4, 3), -1e13))
    assert partition.labels(matrix).shape == (3,)


@pytest.mark.parametrize("t", [1, 2, 3])
@pytest.mark.parametrize("alpha", [1.0, 0.5, 0.21])
def test_covering_covers_and_is_small(t: int, alpha: float) -> None:
    points = core.covering(t, alpha, 10**6)
    np.testing.assert_array_equal(points, slow.covering(t, alpha))
    assert len(points) <= (7 / alpha) ** t
    assert np.linalg.norm(points, axis=1).max() <= 1 + 1e-12
    ball = np.random.default_rng(t).normal(size=(500, t))
    ball *= np.random.default_rng(1).random((500, 1)) ** (1 / t) / np.linalg.norm(ball, axis=1, keepdims=True)
    ball = np.concatenate([ball, ball / np.linalg.norm(ball, axis=1, keepdims=True)])
    nearest = np.linalg.norm(ball[:, None] - points[None], axis=2).min(axis=1)
    assert nearest.max() < alpha
    with pytest.raises(ValueError, match="more than 1 points"):
        core.covering(t, 0.3, 1)


@pytest.mark.parametrize("n", [1, 2, 7, 64, 257])
def test_equipartition_has_exactly_equal_blocks(n: int) -> None:
    generator = np.random.default_rng(n)
    labels = generator.integers(0, 5, n).astype(np.int32)
    for n_blocks in {1, 2, 3, n // 2 + 1, n} & set(range(1, n + 1)):
        blocks = equipartition(labels, n_blocks)
        np.testing.assert_array_equal(blocks, slow.equipartition(labels, n_blocks))
        sizes = np.bincount(blocks, minlength=n_blocks)
        assert len(sizes) == n_blocks
        assert set(sizes.tolist()) <= {n // n_blocks, -(-n // n_blocks)}
        straddling = sum(len(set(labels[blocks == j].tolist())) > 1 for j in range(n_blocks))
        assert straddling <= len(set(labels.tolist())) - 1
    with pytest.raises(ValueError, match="n_blocks must be from 1 to the number of records"):
        equipartition(labels, n + 1)


def lost_covariance(points: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """E Cov(X | block), by definition."""
    means = np.array(
        [
            points[labels == j].mean(axis=0) if (labels == j).any() else 0 * points[0]
            for j in range(labels.max() + 1)
        ]
    )
    residual = points - means[labels]
    return residual.T @ residual / len(points)


def test_covariance_lost_by_pinning_is_bounded_on_average_over_all_pins() -> None:
    """E L^2 <= V_0 / (s + 1) over all sets of s pins, exactly (the pinning lemma)."""
    bits, matrix = packed(40, 6)
    bits[:, 3:] = bits[:, :3] ^ (np.random.default_rng(0).random((40, 3)) < 0.1)
    matrix = BitMatrix.from_array(bits, 1)
    signs = (2.0 * bits - 1) / np.sqrt(6)
    for s in range(4):
        squares = [
            (lost_covariance(signs, Pinning(pins).labels(matrix)) ** 2).sum()
            for pins in itertools.combinations(range(6), s)
        ]
        assert np.mean(squares) <= np.var(signs, axis=0).sum() / (s + 1) + 1e-12


def test_nearest_points_of_a_covering_keep_the_proved_bound() -> None:
    """L <= alpha^2 + 1 / (2 sqrt t) for every table of norm at most one (Lemmas 3.2, 3.3, 3.6)."""
    for seed, (t, alpha) in enumerate([(1, 0.5), (2, 0.4), (3, 0.6)]):
        bits, matrix = packed(400, 10, seed)
        points = (2.0 * bits - 1) / np.sqrt(10)
        _, vectors = core.symmetric_eigen(points.T @ points / 400)
        directions = np.ascontiguousarray(vectors[:, :t]) / np.sqrt(10)
        partition = NearestPoint.from_real(
            2 * directions, -directions.sum(axis=0), core.covering(t, alpha, 10**4)
        )
        lost = lost_covariance(points, partition.labels(matrix))
        assert np.linalg.norm(lost) <= alpha**2 + 0.5 / np.sqrt(t)


def test_eigenvectors_are_those_of_numpy_up_to_sign() -> None:
    matrix = np.random.default_rng(0).normal(size=(30, 30))
    matrix = matrix + matrix.T
    values, vectors = core.symmetric_eigen(matrix)
    np.testing.assert_allclose(values, np.linalg.eigvalsh(matrix)[::-1], atol=1e-10)
    np.testing.assert_allclose(vectors * values @ vectors.T, matrix, atol=1e-10)
    assert (vectors[np.abs(vectors).argmax(axis=0), range(30)] > 0).all()
    with pytest.raises(ValueError, match="not finite"):
        core.symmetric_eigen(np.full((2, 2), np.nan))


def test_labels_outside_the_blocks_are_refused_with_their_row() -> None:
    _, matrix = packed(5, 2)
    with pytest.raises(ValueError, match="row 3: the label is outside the blocks"):
        core.block_statistics(matrix, np.array([0, 1, 0, 2, 5], dtype=np.int32), 2, 1)
