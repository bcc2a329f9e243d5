"""A record's block depends on the record alone; what each partition loses of the covariance is bounded."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from math import comb, factorial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import covloss_fast as cf
from covloss_fast._core import config
from covloss_fast._core import partition as core
from covloss_fast._core.bits import BitMatrix
from covloss_fast.records.partition import (
    Lattice,
    NearestPoint,
    Pinning,
    RandomSigns,
    equipartition,
    quantise_directions,
)
from covloss_fast.records.statistics import BlockStatistics
from covloss_fast.reference import partition as slow

Partition = NearestPoint | Lattice | Pinning | RandomSigns


def partitions(p: int) -> list[Partition]:
    generator = np.random.default_rng(p)
    directions = generator.normal(size=(p, 4))
    offset, points = generator.normal(size=4), generator.normal(size=(9, 4))
    return [
        NearestPoint.from_real(directions, offset, points),
        NearestPoint.from_real(directions, offset, points, distance_bits=31),
        Lattice.from_real(directions, offset, 1.5, 5),
        Pinning.random(p, min(p, 3), seed=1),
        RandomSigns.random([True] * p, 4, seed=2),
    ]


# ---- A block depends on the record alone -----------------------------------------------------------------


def depends_on_the_record_alone(
    label_rows: Callable[[np.ndarray], np.ndarray], bits: np.ndarray, order: np.ndarray, cut: int
) -> bool:
    """Whether blocks are the same alone, permuted and in sub-batches."""
    whole = label_rows(bits)
    alone = np.concatenate([label_rows(row[None]) for row in bits[:40]])
    parts = np.concatenate([label_rows(bits[:cut]), label_rows(bits[cut:])])
    return (
        np.array_equal(whole[order], label_rows(bits[order]))
        and np.array_equal(whole[:40], alone)
        and np.array_equal(whole, parts)
    )


@settings(max_examples=12)
@given(
    n=st.sampled_from([1, 2, 63, 64, 65, 130, 333]),
    p=st.integers(1, 40),
    seed=st.integers(0, 2**32),
    data=st.data(),
)
def test_a_block_depends_on_the_record_alone(n: int, p: int, seed: int, data: st.DataObject) -> None:
    generator = np.random.default_rng(seed)
    bits = (generator.random((n, p)) < generator.random(p)).astype(np.uint8)
    order, cut = generator.permutation(n), data.draw(st.integers(0, n))
    before = config.simd_level()
    for partition in partitions(p):
        seen = []
        for level, n_threads in itertools.product(config.available_simd_levels(), (1, 2, 7)):

            def label_rows(
                rows: np.ndarray, partition: Partition = partition, n_threads: int = n_threads
            ) -> np.ndarray:
                return partition.labels(np.ascontiguousarray(rows), n_threads)

            config.force_simd_level(level)
            assert depends_on_the_record_alone(label_rows, bits, order, cut)
            seen.append(label_rows(bits))
        config.force_simd_level(before)
        assert all(np.array_equal(labels, seen[0]) for labels in seen)
        assert seen[0].dtype == np.int32
        assert seen[0].min() >= 0
        assert seen[0].max() < partition.n_blocks


def by_batch_mean(rows: np.ndarray) -> np.ndarray:
    return (rows.sum(axis=1) > rows.sum(axis=1).mean()).astype(np.int32)


def by_single_precision(rows: np.ndarray) -> np.ndarray:
    """Sign of a sum of floats that is 0: the order of summation changes with the batch, as in BLAS."""
    weights = np.array([1e8, 1.0, -1e8, -1.0], dtype=np.float32)
    order = [0, 2, 1, 3] if len(rows) > 1 else [0, 1, 2, 3]
    total = np.zeros(len(rows), dtype=np.float32)
    for column in order:
        total += rows[:, column].astype(np.float32) * weights[column]
    return (total >= 0).astype(np.int32)


@pytest.mark.parametrize("label_rows", [by_batch_mean, by_single_precision])
def test_a_block_that_depends_on_the_batch_is_caught(label_rows: Callable[[np.ndarray], np.ndarray]) -> None:
    bits = np.random.default_rng(0).integers(0, 2, (333, 21), dtype=np.uint8)
    bits[0, :4] = 1
    assert not depends_on_the_record_alone(label_rows, bits, np.arange(333), 7)


@pytest.mark.parametrize("which", range(5))
def test_every_block_is_counted_with_and_without_records(which: int) -> None:
    partition = partitions(12)[which]
    for n in (0, 1, 50):
        bits = np.random.default_rng(n).integers(0, 2, (n, 12), dtype=np.uint8)
        matrix = BitMatrix.from_array(bits, 1)
        labels = partition.labels(matrix)
        statistics = BlockStatistics.from_labels(matrix, labels, partition.n_blocks)
        assert statistics.counts.shape == (partition.n_blocks,)
        assert statistics.sums.shape == (partition.n_blocks, 12)
        assert statistics.counts.sum() == n
        np.testing.assert_array_equal(statistics.sums.sum(axis=0), bits.sum(axis=0))


def test_block_statistics_of_parts_add_up() -> None:
    bits = np.random.default_rng(0).integers(0, 2, (300, 12), dtype=np.uint8)
    partition = partitions(12)[0]

    def of(rows: np.ndarray) -> BlockStatistics:
        matrix = BitMatrix.from_array(np.ascontiguousarray(rows), 1)
        return BlockStatistics.from_labels(matrix, partition.labels(matrix), partition.n_blocks)

    whole, merged = of(bits), of(bits[:70]) + of(bits[70:70]) + of(bits[70:])
    np.testing.assert_array_equal(whole.counts, merged.counts)
    np.testing.assert_array_equal(whole.sums, merged.sums)
    with pytest.raises(ValueError, match="cannot be added"):
        whole + BlockStatistics(whole.counts, whole.sums[:, :3])


# ---- Rounding to integers, public randomness -------------------------------------------------------------


@pytest.mark.parametrize("distance_bits", [31, 63])
@pytest.mark.parametrize(("p", "t"), [(3, 1), (100, 16), (1000, 30)])
def test_rounded_coordinates_are_close_and_distances_fit(distance_bits: int, p: int, t: int) -> None:
    generator = np.random.default_rng(p)
    directions, offset, points = (generator.normal(size=shape) for shape in [(p, t), (t,), (5, t)])
    rounded = NearestPoint.from_real(directions, offset, points, distance_bits)
    scale = float(np.abs(rounded.directions).max() / np.abs(directions).max())
    assert np.abs(rounded.directions / scale - directions).max() * scale <= 1.01
    assert np.abs(rounded.points / scale - points).max() * scale <= 1.01 + 0.5 * np.abs(points).max()
    bound = max(
        np.abs(rounded.points).max(),
        (np.maximum(rounded.directions, 0).sum(axis=0) + rounded.offset).max(),
        -(np.minimum(rounded.directions, 0).sum(axis=0) + rounded.offset).min(),
    )
    used = t * (2 * int(bound)) ** 2
    assert 2 ** (distance_bits - 4) <= used < 2**distance_bits  # as fine as powers of two allow
    assert rounded.labels(np.zeros((3, p), dtype=np.uint8)).shape == (3,)


def test_values_of_any_size_are_rounded() -> None:
    for size in (1e-200, 1e-12, 1.0, 1e12, 1e200):
        partition = NearestPoint.from_real(
            np.full((2, 3), size), np.zeros(3), np.array([[0.0, 0.0, 0.0], [2 * size] * 3])
        )
        labels = partition.labels(np.array([[0, 0], [1, 1]], dtype=np.uint8))
        assert labels.tolist() == ([0, 0] if size == 1e-200 else [0, 1])


def test_bad_geometry_is_refused() -> None:
    directions, offset, points = np.zeros((4, 2)), np.zeros(2), np.zeros((3, 2))
    with pytest.raises(ValueError, match="must be finite"):
        NearestPoint.from_real(directions, offset, np.array([[0.0, np.nan]]))
    with pytest.raises(ValueError, match=r"got shapes \(4, 2\), \(2,\) and \(3, 1\)"):
        NearestPoint.from_real(directions, offset, points[:, :1])
    with pytest.raises(ValueError, match="distance_bits"):
        NearestPoint.from_real(directions, offset, points, 64)
    with pytest.raises(ValueError, match=r"direction \[0, 1\] is not finite or leaves 31 bits"):
        quantise_directions(np.array([[0.0, np.nan]]), 1.0)
    with pytest.raises(ValueError, match=r"direction \[1, 0\] is not finite or leaves 31 bits"):
        quantise_directions(np.array([[2.0**31 - 1], [2.0**31]]), 1.0)
    with pytest.raises(ValueError, match="at least 1"):
        Lattice(directions.astype(np.int32), offset.astype(np.int64), 0, 2)
    with pytest.raises(ValueError, match="blocks"):
        Lattice(directions.astype(np.int32), offset.astype(np.int64), 1, 2**13)
    with pytest.raises(ValueError, match="distinct"):
        Pinning((3, 3))
    with pytest.raises(ValueError, match="from 0 to the number of bits, 3"):
        Pinning.random(3, 4, seed=0)
    with pytest.raises(ValueError, match="from 0 to 24"):
        RandomSigns.random([True], 25, seed=0)


def test_halves_are_rounded_to_even() -> None:
    assert quantise_directions(np.array([[0.5, 1.5, -0.5, -2.5]]), 1.0).tolist() == [[0, 2, 0, -2]]


def test_public_randomness_is_the_same_everywhere() -> None:
    """Drawn from raw words of Philox, so that a new numpy gives the old partition."""
    assert Pinning.random(100, 5, seed=1).columns == (2, 41, 20, 19, 21)
    assert Pinning.random(100, 5, seed=2).columns != Pinning.random(100, 5, seed=1).columns
    drawn = RandomSigns.random([False, False], 2, seed=1)
    np.testing.assert_array_equal(drawn.directions, [[-98307, -92520], [-165509, 56707]])
    many = RandomSigns.random([False] * 4000, 4, seed=3).directions / 2.0**16
    assert abs(many.mean()) < 4 / np.sqrt(16_000)
    assert abs(many.var() - 1) < 4 * np.sqrt(2 / 16_000)
    pins = [Pinning.random(6, 2, seed=seed).columns for seed in range(600)]
    drawn_each = np.bincount(np.ravel(pins), minlength=6) / 200
    assert np.abs(drawn_each - 1).max() < 0.3


def test_signed_bits_enter_as_plus_and_minus_one() -> None:
    signed = [True, False, True]
    partition = RandomSigns.random(signed, 6, seed=5)
    bits = np.array(list(itertools.product([0, 1], repeat=3)), dtype=np.uint8)
    z = np.where(signed, 2 * bits.astype(np.int64) - 1, bits)
    gaussians = np.where(np.array(signed)[:, None], partition.directions // 2, partition.directions)
    expected = ((z @ gaussians >= 0) << np.arange(6)).sum(axis=1)
    np.testing.assert_array_equal(partition.labels(bits), expected)


# ---- What partitions lose --------------------------------------------------------------------------------


def loss(rows: np.ndarray, labels: np.ndarray) -> float:
    return float(np.linalg.norm(slow.covariance_loss_matrix(rows, labels)))


def tables(n: int, p: int) -> list[np.ndarray]:
    """Records of +-1: independent, with common factors, with rare values, constant."""
    generator = np.random.default_rng([n, p])
    factors = generator.normal(size=(n, 2)) @ generator.normal(size=(2, p)) + 0.3 * generator.normal(
        size=(n, p)
    )
    return [
        generator.choice([-1.0, 1.0], (n, p)),
        np.where(factors > 0, 1.0, -1.0),
        np.where(generator.random((n, p)) < 0.03, 1.0, -1.0),
        np.ones((n, p)),
    ]


def zeros_and_ones(signs: np.ndarray) -> np.ndarray:
    return (signs > 0).astype(np.uint8)


def test_the_loss_is_the_mean_covariance_inside_blocks_and_means_are_kept() -> None:
    """In rational numbers: Sigma_X - Sigma_Y = E (X - Y)(X - Y)^T, and E Y = E X (3.1)."""
    generator = np.random.default_rng(0)
    bits = generator.integers(0, 2, (23, 4), dtype=np.uint8)
    labels = generator.integers(0, 5, 23).astype(np.int32)
    rows = [[Fraction(int(x)) for x in row] for row in bits]
    counts, sums = core.block_statistics(BitMatrix.from_array(bits, 1), labels, 5, 1)
    means = [[Fraction(int(s), int(c)) for s in row] for row, c in zip(sums, counts)]
    smooth = [means[j] for j in labels]

    def average(values: list[Fraction]) -> Fraction:
        return sum(values, Fraction(0)) / len(values)

    def covariance(of: list[list[Fraction]], a: int, b: int) -> Fraction:
        product = average([row[a] * row[b] for row in of])
        return product - average([row[a] for row in of]) * average([row[b] for row in of])

    exact = slow.exact_covariance_loss_matrix(bits, labels)
    for a, b in itertools.product(range(4), repeat=2):
        residual = average([(x[a] - y[a]) * (x[b] - y[b]) for x, y in zip(rows, smooth)])
        assert covariance(rows, a, b) - covariance(smooth, a, b) == residual == exact[a][b]
        weighted = sum(Fraction(int(c), 23) * m[a] for c, m in zip(counts, means))
        assert weighted == average([row[a] for row in rows])
    assert np.linalg.eigvalsh(np.array(exact, dtype=float)).min() > -1e-15


def test_refinement_never_loses_more() -> None:
    generator = np.random.default_rng(1)
    for signs in tables(200, 6):
        coarse = generator.integers(0, 4, 200).astype(np.int32)
        fine = (4 * generator.integers(0, 3, 200) + coarse).astype(np.int32)
        gained = slow.covariance_loss_matrix(signs, coarse) - slow.covariance_loss_matrix(signs, fine)
        assert np.linalg.eigvalsh(gained).min() > -1e-12
        assert loss(signs, fine) <= loss(signs, coarse) + 1e-12


def test_merging_blocks_loses_at_most_their_probability() -> None:
    """For rows in the unit ball: L(Y) <= L(Z) + P(R), R the union of the merged blocks (3.9)."""
    for signs in tables(200, 6):
        rows = signs / np.sqrt(6)
        labels = np.random.default_rng(2).integers(0, 20, 200).astype(np.int32)
        merged = np.where(labels < 5, 0, np.where(labels < 8, 5, labels)).astype(np.int32)
        assert loss(rows, merged) <= loss(rows, labels) + np.mean(labels < 8) + 1e-12


@pytest.mark.parametrize("n_blocks", [1, 2, 7, 33, 199, 200])
def test_equal_blocks_lose_at_most_the_borders(n_blocks: int) -> None:
    """L <= L(cells) + (cells - 1) ceil(n / n_blocks) / n for blocks no larger than the cells' own cuts."""
    for signs in tables(200, 6):
        rows = signs / np.sqrt(6)
        cells = Pinning((0, 3)).labels(zeros_and_ones(signs))
        blocks = equipartition(cells, n_blocks)
        sizes = np.bincount(blocks, minlength=n_blocks)
        assert len(sizes) == n_blocks
        assert sizes.max() - sizes.min() <= 1
        borders = (len(set(cells.tolist())) - 1) * -(-200 // n_blocks) / 200
        assert loss(rows, blocks) <= loss(rows, cells) + borders + 1e-12


def test_equipartition_takes_any_labels_and_refuses_the_impossible() -> None:
    labels = np.array([7, -3, 7, 2**40, -3, 0])
    assert equipartition(labels, 3).tolist() == [1, 0, 2, 2, 0, 1]
    assert cf.equipartition(np.array([1, 0], dtype=np.uint8), 2).tolist() == [1, 0]
    for bad in (0, 7):
        with pytest.raises(ValueError, match=f"from 1 to the number of records, 6, got {bad}"):
            equipartition(labels, bad)
    with pytest.raises(ValueError, match="from 1 to the number of records, 0"):
        equipartition(labels[:0], 1)
    with pytest.raises(ValueError, match="integers"):
        equipartition(labels.astype(float), 2)


@pytest.mark.parametrize(("t", "alpha"), [(1, 0.5), (1, 0.2), (2, 0.4), (3, 0.6)])
def test_nearest_points_of_a_covering_keep_the_proved_bound(t: int, alpha: float) -> None:
    """L <= alpha^2 + 1 / (2 sqrt t) for every table of norm at most one (3.2 to 3.7)."""
    for signs in tables(400, 10):
        rows = signs / np.sqrt(10)
        _, vectors = core.symmetric_eigen(rows.T @ rows / 400)
        directions = vectors[:, :t] / np.sqrt(10)
        points = core.covering(t, alpha, 10**4)
        partition = NearestPoint.from_real(2 * directions, -directions.sum(axis=0), points)
        assert partition.n_blocks <= (7 / alpha) ** t
        labels = partition.labels(zeros_and_ones(signs))
        projected = rows @ vectors[:, :t]
        assert np.linalg.norm(projected - points[labels], axis=1).max() <= alpha + 1e-6
        assert loss(rows, labels) <= alpha**2 + 0.5 / np.sqrt(t)


def test_covariance_lost_by_pinning_is_bounded_on_average_over_all_pins() -> None:
    """E L^2 <= V_0 / (s + 1) over all sets of s pins, exactly (the pinning lemma)."""
    for signs in tables(60, 6):
        rows, bits = signs / np.sqrt(6), zeros_and_ones(signs)
        variance = float(np.var(rows, axis=0).sum())
        for s in range(6):
            squares = [
                loss(rows, Pinning(pins).labels(bits)) ** 2 for pins in itertools.combinations(range(6), s)
            ]
            assert np.mean(squares) <= variance / (s + 1) + 1e-12


def test_covariance_lost_by_random_signs_is_bounded_on_average() -> None:
    """E L^2 <= (pi^2 / 4) / (s + 1) for rows of norm one; five standard errors of the mean over 80 draws."""
    for signs in tables(60, 6):
        rows, bits = signs / np.sqrt(6), zeros_and_ones(signs)
        for s in (1, 4):
            squares = [
                loss(rows, RandomSigns.random([True] * 6, s, seed).labels(bits)) ** 2 for seed in range(80)
            ]
            slack = 5 * np.std(squares) / np.sqrt(80)
            assert np.mean(squares) <= np.pi**2 / 4 / (s + 1) + slack


@pytest.mark.parametrize("d", [2, 3, 4])
def test_moments_of_every_order_lose_at_most_the_covariance_many_times(d: int) -> None:
    """|| E X^d - E Y^d || <= C(d, 2) L for rows in the unit ball; equality for d = 2 (1.5)."""
    generator = np.random.default_rng(d)
    for signs in tables(40, 4):
        rows = signs / np.sqrt(4) * generator.random((40, 1))
        labels = generator.integers(0, 5, 40).astype(np.int32)
        means = np.array([rows[labels == j].mean(axis=0) for j in labels])

        def moment(of: np.ndarray) -> np.ndarray:
            tensor = of
            for _ in range(d - 1):
                tensor = np.einsum("n...,na->n...a", tensor, of)
            return np.asarray(tensor.mean(axis=0))

        difference = moment(rows) - moment(means)
        assert np.linalg.norm(difference) <= comb(d, 2) * loss(rows, labels) + 1e-12
        if d == 2:
            np.testing.assert_allclose(np.linalg.norm(difference), loss(rows, labels), atol=1e-12)
        # Entries with distinct indices count d! times: || P_off ||^2 = d! || P_sym ||^2.
        distinct = [i for i in itertools.product(range(4), repeat=d) if len(set(i)) == d]
        off = sum(difference[i] ** 2 for i in distinct)
        increasing = sum(difference[i] ** 2 for i in itertools.combinations(range(4), d))
        np.testing.assert_allclose(off, factorial(d) * increasing, atol=1e-15)
