"""Row fitting: the compiled moves against their twins, and what the fit promises."""

from __future__ import annotations

import signal
import time
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from covloss_fast._core import restoration as core
from covloss_fast._core.bits import BitMatrix
from covloss_fast.reference import restoration as reference

KEY = bytes(range(32))


def some_zeros(sizes: list[int], n: int, seed: int = 0) -> NDArray[np.int32]:
    """Forbidden pairs of levels; with many of them, rows that cannot be mended."""
    generator = np.random.default_rng(seed)
    attributes = np.array([generator.choice(len(sizes), 2, replace=False) for _ in range(n)])
    levels = generator.integers(0, np.array(sizes)[attributes])
    return np.stack([attributes, levels], axis=2).reshape(n, 4).astype(np.int32)


def n_violations(codes: NDArray[Any], forbidden: NDArray[np.int32]) -> int:
    return sum(int(((codes[a] == u) & (codes[b] == v)).sum()) for a, u, b, v in forbidden)


def z_targets(codes: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    z = 2.0 * codes - 1
    return z @ z.T, z.sum(axis=1)


def correlated(p: int, m: int, seed: int = 0) -> NDArray[np.uint8]:
    """Rows of a mixture of three products, strongly correlated."""
    generator = np.random.default_rng(seed)
    means = generator.beta(0.4, 0.6, (3, p))
    return (generator.random((m, p)) < means[generator.integers(0, 3, m)]).astype(np.uint8).T.copy()


def shuffled_columns(codes: NDArray[Any], seed: int = 1) -> NDArray[Any]:
    return np.random.default_rng(seed).permuted(codes, axis=1)


def packed_bits(codes: NDArray[np.uint8]) -> BitMatrix:
    return BitMatrix.from_codes(list(codes), [2] * len(codes), 1)


def fit_binary(
    codes: NDArray[np.uint8],
    pairs: NDArray[np.float64],
    singles: NDArray[np.float64],
    *,
    labels: NDArray[np.int32] | None = None,
    block_sums: NDArray[np.float64] | None = None,
    weights: tuple[float, float] = (1.0, 1.0),
    forbidden: NDArray[np.int32] | None = None,
    sweeps: tuple[int, int] = (15, 3),
    beta: float | None = None,
    key: bytes = KEY,
    n_shards: int = 1,
    n_threads: int = 1,
    fit: Any = None,
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    p, m = codes.shape
    arguments = (
        codes,
        pairs,
        singles,
        weights[0],
        labels,
        np.zeros((0, p)) if block_sums is None else block_sums,
        weights[1],
        forbidden,
        *sweeps,
        0.375 / np.sqrt(max(m, 1)) if beta is None else beta,
        key,
        n_shards,
    )
    if fit is not None:
        fitted, history = fit(*arguments)
        return fitted, np.array(history, dtype=float)
    packed = packed_bits(codes)
    history = core.fit_rows_binary(packed, *arguments[1:], n_threads)
    return packed.columns(0, m), history


BINARY = [
    # attributes, rows, shards, labels, structural zeros
    (1, 1, 1, False, 0),
    (3, 0, 1, False, 2),
    (3, 0, 3, True, 0),
    (2, 31, 1, True, 1),
    (9, 65, 1, False, 0),
    (8, 96, 1, True, 5),
    (35, 70, 2, False, 0),
    (2, 33, 2, True, 0),
    (4, 5, 7, True, 3),
    (7, 130, 3, True, 40),
    (9, 65, 7, False, 4),
]


@pytest.mark.parametrize(("p", "m", "n_shards", "with_blocks", "n_zeros"), BINARY)
def test_binary_fit_makes_the_moves_of_its_twin(
    p: int, m: int, n_shards: int, with_blocks: bool, n_zeros: int, simd_level: str, n_threads: int
) -> None:
    generator = np.random.default_rng(p * 1000 + m)
    codes = generator.integers(0, 2, (p, m)).astype(np.uint8)
    pairs, singles = z_targets(correlated(p, m))
    pairs = pairs + generator.uniform(-0.4, 0.4, (p, p))
    labels, blocks = None, None
    if with_blocks:
        labels = generator.integers(0, 3, m).astype(np.int32)
        blocks = np.array([z_targets(correlated(p, m, 5)[:, labels == j])[1] for j in range(3)])
    options: dict[str, Any] = {
        "labels": labels,
        "block_sums": blocks,
        "weights": (0.5, 2.0),
        "forbidden": some_zeros([2] * p, n_zeros) if n_zeros else None,
        "sweeps": (3, 2),
        "n_shards": n_shards,
    }
    fitted, history = fit_binary(codes, pairs, singles, **options, n_threads=n_threads)
    expected, expected_history = _binary_twin(codes, pairs, singles, options)
    assert np.array_equal(fitted, expected)
    np.testing.assert_allclose(history, expected_history, rtol=1e-12, atol=1e-12)


_twins: dict[bytes, Any] = {}


def _binary_twin(codes: Any, pairs: Any, singles: Any, options: dict[str, Any]) -> Any:
    """The twin is slow: its answer serves every level and number of threads."""
    name = codes.tobytes() + pairs.tobytes() + bytes([options["n_shards"]])
    if name not in _twins:
        _twins[name] = fit_binary(codes, pairs, singles, **options, fit=reference.fit_rows_binary)
    return _twins[name]


def test_binary_fit_meets_targets_that_a_table_has() -> None:
    wanted = correlated(12, 2000)
    pairs, singles = z_targets(wanted)
    fitted, history = fit_binary(shuffled_columns(wanted), pairs, singles)
    assert history[0, 0] > 100
    assert history[-1, 0] < 2
    assert history[-1, 1] < 4
    off = ~np.eye(12, dtype=bool)
    rms = np.sqrt(np.mean((z_targets(fitted)[0] - pairs)[off] ** 2))
    assert rms == pytest.approx(history[-1, 0])


def test_greedy_sweeps_never_raise_the_energy() -> None:
    p, m = 20, 500
    pairs, singles = z_targets(correlated(p, m))
    noisy = pairs + np.random.default_rng(0).normal(0, 30, (p, p))
    noisy = np.clip((noisy + noisy.T) / 2, -m, m)
    _, history = fit_binary(shuffled_columns(correlated(p, m)), noisy, singles, sweeps=(0, 8))
    energy = p * (p - 1) / 2 * history[:, 0] ** 2 + p * history[:, 1] ** 2
    assert np.all(np.diff(energy) <= 0)
    assert history[-1, 3] < history[2, 3]
    moves = history[1:, 3]
    # Every move changes integers, so it lowers E by at least one unit of D^2.
    assert np.all(-np.diff(energy) >= moves)


@pytest.mark.parametrize("engine", ["binary", "categorical"])
def test_gibbs_sweeps_drift_to_the_table_of_largest_entropy(engine: str) -> None:
    """z3 = z1 z2 has the pairs of independent coins. Greedy moves stay there, the fit must not."""
    m = 4000
    two = np.array([[0, 0, 1, 1], [0, 1, 0, 1]], dtype=np.uint8).repeat(m // 4, axis=1)
    start = np.vstack([two, two[0] ^ two[1]])
    triple = np.prod(2.0 * start - 1, axis=0).mean()
    assert abs(triple) == 1

    def run(sweeps: tuple[int, int]) -> float:
        if engine == "binary":
            fitted: NDArray[Any] = fit_binary(start, np.zeros((3, 3)), np.zeros(3), sweeps=sweeps)[0]
        else:
            fitted = fit_categorical(
                start.astype(np.uint16), [2, 2, 2], np.full((6, 6), m / 4), np.full(6, m / 2), sweeps=sweeps
            )[0]
        return float(abs(np.prod(2.0 * fitted - 1, axis=0).mean()))

    assert run((0, 3)) == 1
    assert run((15, 3)) < 0.05


def test_shards_fit_as_well_as_one() -> None:
    wanted = correlated(10, 50_000)
    pairs, singles = z_targets(wanted)
    one, many = (
        fit_binary(
            shuffled_columns(wanted),
            pairs,
            singles,
            sweeps=(5, 3),
            n_shards=shards,
            beta=0.375 / np.sqrt(50_000 / shards),
        )[1]
        for shards in (1, 7)
    )
    assert not np.array_equal(one, many)
    assert many[1, 0] < 3 * one[1, 0]  # the Gibbs noise of shards adds up
    assert many[-1, 0] < 3
    assert one[-1, 0] < 3


def test_block_sums_are_met() -> None:
    wanted = correlated(8, 4000)
    labels = (wanted[0] + 2 * wanted[1]).astype(np.int32)
    pairs, singles = z_targets(wanted)
    blocks = np.array([z_targets(wanted[:, labels == j])[1] for j in range(4)])
    start = np.array([wanted[a][np.random.default_rng(a).permutation(4000)] for a in range(8)])
    fitted, history = fit_binary(start, pairs, singles, labels=labels, block_sums=blocks)
    assert history[-1, 2] < 5 < history[0, 2]
    rms = np.sqrt(np.mean([(z_targets(fitted[:, labels == j])[1] - blocks[j]) ** 2 for j in range(4)]))
    assert rms == pytest.approx(history[-1, 2])


def test_binary_fit_depends_on_the_key_and_leaves_its_input() -> None:
    codes = correlated(5, 100)
    before = codes.copy()
    targets = z_targets(correlated(5, 100, seed=3))
    a, b, c = (fit_binary(codes, *targets, sweeps=(2, 0), key=key)[0] for key in (KEY, KEY, bytes(32)))
    assert np.array_equal(a, b)
    assert not np.array_equal(a, c)
    assert np.array_equal(codes, before)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("n_shards", [1, 2, 9])
def test_a_fit_ends_soon_after_a_signal(threads: int, n_shards: int) -> None:
    """Whether the caller's own shard is running, or it waits for those of others."""

    class SignalError(Exception):
        pass

    def stop(*_: object) -> None:
        raise SignalError

    codes = correlated(30, 9000)
    before = signal.signal(signal.SIGALRM, stop)
    try:
        start = time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(SignalError):
            fit_binary(codes, *z_targets(codes), sweeps=(10_000, 0), n_shards=n_shards, n_threads=threads)
        assert time.monotonic() - start < 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def fit_categorical(
    codes: NDArray[np.uint16],
    sizes: list[int],
    pairs: NDArray[np.float64],
    singles: NDArray[np.float64],
    *,
    pair_weights: NDArray[np.float64] | None = None,
    single_weights: NDArray[np.float64] | None = None,
    labels: NDArray[np.int32] | None = None,
    blocks: NDArray[np.float64] | None = None,
    block_weight: float = 1.0,
    forbidden: NDArray[np.int32] | None = None,
    sweeps: tuple[int, int] = (15, 3),
    beta: float | None = None,
    n_shards: int = 1,
    n_threads: int = 1,
    fit: Any = None,
) -> tuple[NDArray[np.uint16], NDArray[np.float64], NDArray[np.float64]]:
    q, m = codes.shape
    arguments = (
        codes,
        sizes,
        pairs,
        singles,
        np.ones((q, q)) if pair_weights is None else pair_weights,
        np.ones(q) if single_weights is None else single_weights,
        labels,
        np.zeros((0, sum(sizes))) if blocks is None else blocks,
        block_weight,
        forbidden,
        *sweeps,
        1.5 / np.sqrt(max(m, 1)) if beta is None else beta,
        KEY,
        n_shards,
    )
    if fit is not None:
        fitted, history, mean = fit(*arguments)
        return fitted, np.array(history, dtype=float), mean
    return core.fit_rows_categorical(*arguments, True, n_threads)


def level_counts(codes: NDArray[Any], sizes: list[int]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    hot = np.vstack([row == np.arange(size)[:, None] for row, size in zip(codes, sizes)]).astype(float)
    return hot @ hot.T, hot.sum(axis=1)


def dependent(sizes: list[int], m: int, seed: int = 0) -> NDArray[np.uint16]:
    generator = np.random.default_rng(seed)
    hidden = generator.random(m)
    columns = [np.minimum((hidden + generator.normal(0, 0.2, m)) % 1 * s, s - 1) for s in sizes]
    return np.array(columns).reshape(len(sizes), m).astype(np.uint16)


CATEGORICAL = [
    # sizes, rows, shards, labels, structural zeros
    ([2, 3, 9, 1, 17], 0, 1, False, 3),
    ([2, 3, 9, 1, 17], 1, 1, True, 0),
    ([3], 65, 1, False, 0),
    ([2, 3, 9, 1, 17], 65, 1, True, 0),
    ([8, 2, 16, 5], 64, 1, False, 12),
    ([4, 3], 5, 7, True, 2),
    ([2, 3, 9, 1, 17], 130, 2, True, 9),
    ([4, 300], 63, 3, False, 0),
    ([3, 2, 8], 65, 7, True, 30),
]


@pytest.mark.parametrize(("sizes", "m", "n_shards", "with_blocks", "n_zeros"), CATEGORICAL)
def test_categorical_fit_makes_the_moves_of_its_twin(
    sizes: list[int], m: int, n_shards: int, with_blocks: bool, n_zeros: int, simd_level: str, n_threads: int
) -> None:
    generator = np.random.default_rng(m)
    q = len(sizes)
    codes = np.array([generator.integers(0, s, m) for s in sizes]).reshape(q, m).astype(np.uint16)
    pairs, singles = level_counts(dependent(sizes, m), sizes)
    pairs = np.clip(pairs + generator.uniform(-0.4, 0.4, pairs.shape), 0, m)
    weights = generator.choice([0, 0.3, 1, 2.5], (q, q))
    weights = np.triu(weights) + np.triu(weights, 1).T
    labels, blocks = None, None
    if with_blocks:
        labels = generator.integers(0, 2, m).astype(np.int32)
        blocks = np.array([level_counts(codes[:, labels == j], sizes)[1] for j in range(2)])
    options: dict[str, Any] = {
        "pair_weights": weights,
        "single_weights": generator.uniform(0, 2, q),
        "labels": labels,
        "blocks": blocks,
        "block_weight": 0.7,
        "forbidden": some_zeros(sizes, n_zeros) if n_zeros else None,
        "sweeps": (3, 2),
        "n_shards": n_shards,
    }
    fitted, history, mean = fit_categorical(codes, sizes, pairs, singles, **options, n_threads=n_threads)
    name = b"categorical" + codes.tobytes() + pairs.tobytes() + bytes([n_shards])
    if name not in _twins:
        _twins[name] = fit_categorical(
            codes, sizes, pairs, singles, **options, fit=reference.fit_rows_categorical
        )
    expected, expected_history, expected_mean = _twins[name]
    assert np.array_equal(fitted, expected)
    np.testing.assert_allclose(history, expected_history, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(mean, expected_mean, rtol=1e-12, atol=1e-9)


def test_categorical_fit_meets_targets_that_a_table_has() -> None:
    sizes = [3, 5, 2, 10, 4]
    wanted = dependent(sizes, 3000)
    pairs, singles = level_counts(wanted, sizes)
    start = shuffled_columns(wanted)
    fitted, history, mean = fit_categorical(start, sizes, pairs, singles)
    assert history[0, 0] > 30
    assert history[-1, 0] < 1.5
    assert history[-1, 1] < 3
    apart = np.repeat(np.arange(5), sizes)
    apart = apart[:, None] != apart
    assert np.sqrt(np.mean((level_counts(fitted, sizes)[0] - pairs)[apart] ** 2)) < 1.5
    assert np.sqrt(np.mean((mean - pairs)[apart] ** 2)) < 10
    assert not mean[~apart].any()


def test_categorical_shards_fit_as_well_as_one() -> None:
    sizes = [3, 5, 2, 7, 4]
    wanted = dependent(sizes, 30_000)
    targets = level_counts(wanted, sizes)
    (_, one, mean), (_, many, mean_of_many) = (
        fit_categorical(
            shuffled_columns(wanted),
            sizes,
            *targets,
            sweeps=(5, 3),
            n_shards=shards,
            beta=1.5 / np.sqrt(30_000 / shards),
        )
        for shards in (1, 7)
    )
    assert not np.array_equal(one, many)
    assert many[1, 0] < 3 * one[1, 0]
    assert many[-1, 0] < 2
    assert np.sqrt(np.mean((mean - mean_of_many) ** 2)) < 30


def test_categorical_greedy_sweeps_never_raise_the_energy() -> None:
    sizes = [3, 5, 2, 10, 4]
    wanted = dependent(sizes, 400)
    pairs, singles = level_counts(wanted, sizes)
    noisy = np.clip(pairs + np.random.default_rng(0).normal(0, 8, pairs.shape), 0, 400)
    noisy = np.rint((noisy + noisy.T) / 2)
    fitted, history, _ = fit_categorical(shuffled_columns(wanted), sizes, noisy, singles, sweeps=(0, 6))
    n_cells = (sum(sizes) ** 2 - sum(s * s for s in sizes)) / 2
    energy = n_cells * history[:, 0] ** 2 + sum(sizes) * history[:, 1] ** 2
    assert np.all(-np.diff(energy) >= history[1:, 3] - 1e-6)
    assert history[2, 3] > 0
    # at the end no single change of a code lowers the energy
    if history[-1, 3] == 0:
        best = energy[-1]
        off = np.repeat(np.arange(5), sizes)
        apart = np.triu(off[:, None] != off)
        for i in range(0, 400, 40):
            for a, size in enumerate(sizes):
                for u in range(size):
                    other = fitted.copy()
                    other[a, i] = u
                    counts, ones = level_counts(other, sizes)
                    value = ((counts - noisy)[apart] ** 2).sum() + ((ones - singles) ** 2).sum()
                    assert value >= best - 1e-6


@pytest.mark.parametrize("engine", ["binary", "categorical"])
def test_forbidden_pairs_go_and_do_not_come(engine: str) -> None:
    sizes = [2] * 6 if engine == "binary" else [3, 5, 2, 7, 4, 6]
    wanted = dependent(sizes, 1000).astype(np.uint8 if engine == "binary" else np.uint16)

    def fit(start: NDArray[Any], sweeps: tuple[int, int], forbidden: NDArray[np.int32]) -> NDArray[Any]:
        if engine == "binary":
            return fit_binary(start, *z_targets(wanted), sweeps=sweeps, forbidden=forbidden)[0]
        targets = level_counts(wanted, sizes)
        return fit_categorical(start, sizes, *targets, sweeps=sweeps, forbidden=forbidden)[0]

    # Targets ask for rows that hold them, and most are in three pairs' way at once.
    forbidden = np.array([[0, 0, 1, 1], [2, 1, 1, 0], [5, 0, 4, 0], [5, 1, 2, 0]], dtype=np.int32)
    start = shuffled_columns(wanted)
    assert n_violations(wanted, forbidden) > 50
    assert n_violations(start, forbidden) > 50
    mended = fit(start, (0, 15), forbidden)
    assert n_violations(mended, forbidden) == 0
    mended = fit(start, (15, 0), forbidden)
    assert n_violations(mended, forbidden) == 0
    for sweeps in ((3, 0), (0, 3)):
        moved = fit(mended, sweeps, forbidden)
        assert n_violations(moved, forbidden) == 0
    # One pair alone can be mended by any sweep.
    assert n_violations(fit(start, (0, 1), forbidden[:1]), forbidden[:1]) == 0
    assert n_violations(fit(start, (1, 0), forbidden[:1]), forbidden[:1]) == 0


@pytest.mark.parametrize("sweeps", [(1, 0), (0, 1)])
def test_where_all_levels_are_forbidden_any_is_drawn(sweeps: tuple[int, int]) -> None:
    """Attribute 1 has no level that goes with level 0 of attribute 0, and attribute 0 has no other."""
    codes = np.zeros((2, 3000), dtype=np.uint16)
    forbidden = np.array([[0, 0, 1, v] for v in range(3)], dtype=np.int32)
    targets = level_counts(codes, [1, 3])
    fitted = fit_categorical(codes, [1, 3], *targets, forbidden=forbidden, sweeps=sweeps)[0]
    assert np.abs(np.bincount(fitted[1]) - 1000).max() < 150


@pytest.mark.parametrize("engine", ["binary", "categorical"])
def test_at_beta_zero_every_level_is_as_likely(engine: str) -> None:
    m = 20_000
    if engine == "binary":
        start = np.zeros((3, m), dtype=np.uint8)
        fitted: NDArray[Any] = fit_binary(start, *z_targets(start), sweeps=(1, 0), beta=0.0)[0]
        sizes = [2, 2, 2]
    else:
        sizes = [3, 2, 9]
        wide = np.zeros((3, m), dtype=np.uint16)
        fitted = fit_categorical(wide, sizes, *level_counts(wide, sizes), sweeps=(1, 0), beta=0.0)[0]
    for size, column in zip(sizes, fitted):
        assert np.abs(np.bincount(column, minlength=size) - m / size).max() < 5 * np.sqrt(m / size)


def test_pairs_without_weight_are_left_alone() -> None:
    sizes = [3, 3, 3]
    wanted = dependent(sizes, 2000)
    pairs, singles = level_counts(wanted, sizes)
    weights = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]], dtype=float)
    poisoned = pairs.copy()
    poisoned[6:, :6] = poisoned[:6, 6:] = 2000
    fitted, history, _ = fit_categorical(
        shuffled_columns(wanted), sizes, poisoned, singles, pair_weights=weights
    )
    counts = level_counts(fitted, sizes)[0]
    assert history[-1, 0] < 1.5
    expected = np.outer(singles[:3], singles[6:]) / 2000  # no target: independent, as at the start
    assert np.abs(counts[:3, 6:] - expected).max() < 5 * np.sqrt(2000) / 2


@pytest.mark.parametrize("m", [0, 1, 2, 63, 1000])
def test_quota_columns_equal_their_twin(m: int, n_threads: int) -> None:
    sizes = [2, 3, 1, 17, 40]
    generator = np.random.default_rng(m)
    p = np.concatenate([generator.dirichlet(np.full(s, 0.5)) for s in sizes])
    codes = core.quota_columns(p, sizes, m, KEY, n_threads)
    assert np.array_equal(codes, reference.quota_columns(p, sizes, m, KEY))
    counts = level_counts(codes, sizes)[1]
    assert np.abs(counts - m * p).max() < 1
    assert counts.sum() == m * len(sizes)


@pytest.mark.parametrize("m", [0, 1, 63, 64, 65, 16_384, 16_385, 40_001])
def test_packed_quotas_are_quota_columns(m: int, n_threads: int) -> None:
    p = np.array([[0.3, 0.7], [1.0, 0.0], [0.0, 1.0], [0.5, 0.5], [0.999, 0.001]])
    packed = core.quota_bits(p, m, KEY, n_threads)
    assert np.array_equal(packed.columns(0, m), core.quota_columns(p.ravel(), [2] * 5, m, KEY, 1))


def test_bad_packed_quotas_are_refused() -> None:
    with pytest.raises(ValueError, match="2 entries along axis 1"):
        core.quota_bits(np.zeros((2, 3)), 5, KEY, 1)
    with pytest.raises(ValueError, match="negative"):
        core.quota_bits(np.zeros((2, 2)), -1, KEY, 1)


@pytest.mark.parametrize("n_shards", [1, 5, 16])
def test_shards_share_words_of_packed_rows(n_shards: int, n_threads: int) -> None:
    """No sweep: each row stays as it was, whatever word of the table its shard begins in."""
    codes = correlated(6, 16_384 + 77)
    targets = z_targets(codes)
    fitted, _ = fit_binary(codes, *targets, sweeps=(0, 0), n_shards=n_shards, n_threads=n_threads)
    assert np.array_equal(fitted, codes)


def test_quota_columns_are_shuffled_each_on_its_own() -> None:
    m = 100_000
    codes = core.quota_columns(np.full(6, 0.5), [2, 2, 2], m, KEY, 1)
    z = 2.0 * codes - 1
    assert np.abs(z.sum(axis=1)).max() == 0
    assert np.abs(z @ z.T / m - np.eye(3)).max() < 5 / np.sqrt(m)
    assert abs(z[0, 1:] @ z[0, :-1] / m) < 5 / np.sqrt(m)


def test_probabilities_that_fall_short_by_rounding_still_fill_the_column() -> None:
    third = np.full(3, np.nextafter(1 / 3, 0))
    codes = core.quota_columns(third, [3], 3, KEY, 1)
    assert codes.shape == (1, 3)
    assert sorted(core.quota_columns(np.array([0.0, 1.0 - 1e-16]), [2], 5, KEY, 1)[0]) == [1] * 5


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bits": BitMatrix.from_array(np.zeros((4, 0), dtype=np.uint8), 1)}, "at least one attribute"),
        ({"pairs": np.zeros((2, 3))}, "pair targets must have 2 entries along axis 1, got 3"),
        ({"pairs": np.full((2, 2), 6.0)}, "pair targets must lie within the number of rows"),
        ({"singles": np.array([0, np.nan])}, "one-way targets must lie within .* entry 1 is nan"),
        ({"single_weight": -1.0}, "weight of one-way targets must be finite and not negative"),
        ({"block_weight": np.inf}, "weight of block targets must be finite"),
        ({"labels": np.zeros(3, dtype=np.int32)}, "labels must have 4 entries"),
        ({"labels": np.array([0, 0, 1, 0], dtype=np.int32)}, "label of row 2 is 1; there are 1 blocks"),
        ({"n_sweeps": -1}, "numbers of sweeps must lie in 0 to 10000, got -1"),
        ({"beta": np.nan}, "beta must be finite"),
        ({"key": b"short"}, "32 bytes, got 5"),
        ({"forbidden": np.zeros((1, 3), dtype=np.int32)}, "forbidden pairs must have 4 entries"),
        ({"forbidden": np.array([[0, 1, 1, 1], [0, 2, 1, 1]], dtype=np.int32)}, "forbidden pair 1 is not"),
        ({"n_shards": 0}, "the number of shards must lie in 1 to 65535, got 0"),
        ({"n_shards": 65536}, "number of shards"),
    ],
)
def test_bad_arguments_are_refused(change: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {
        "bits": packed_bits(np.zeros((2, 4), dtype=np.uint8)),
        "pairs": np.zeros((2, 2)),
        "singles": np.zeros(2),
        "single_weight": 1.0,
        "labels": None,
        "block_sums": np.zeros((1, 2)),
        "block_weight": 1.0,
        "forbidden": None,
        "n_sweeps": 1,
        "n_greedy_sweeps": 1,
        "beta": 0.1,
        "key": KEY,
        "n_shards": 1,
        "n_threads": 1,
    }
    core.fit_rows_binary(**arguments)
    with pytest.raises(ValueError, match=message):
        core.fit_rows_binary(**{**arguments, **change})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"codes": np.full((2, 4), 3, dtype=np.uint16)}, "attribute 0, row 0 is not below its size 3"),
        ({"sizes": [3]}, "2 attributes and 1 sizes"),
        ({"sizes": [3, 0]}, "size of attribute 1 is 0"),
        ({"sizes": [3, 65537]}, "1 to 65536 levels"),
        ({"sizes": [3, 20_000]}, "cells, more than"),
        ({"pair_weights": np.full((2, 2), -1.0)}, "pair weights must be finite and not negative; entry 0"),
        ({"single_weights": np.ones(3)}, "one-way weights must have 2 entries"),
        ({"singles": np.full(6, -5.1)}, "one-way targets must lie within"),
        (
            {"forbidden": np.array([[1, 0, 1, 2]], dtype=np.int32)},
            "forbidden pair 0 is not two levels of two",
        ),
        ({"block_counts": np.zeros((1, 5))}, "block targets must have 6 entries"),
    ],
)
def test_bad_categorical_arguments_are_refused(change: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {
        "codes": np.zeros((2, 4), dtype=np.uint16),
        "sizes": [3, 3],
        "pairs": np.zeros((6, 6)),
        "singles": np.zeros(6),
        "pair_weights": np.ones((2, 2)),
        "single_weights": np.ones(2),
        "labels": None,
        "block_counts": np.zeros((0, 6)),
        "block_weight": 1.0,
        "forbidden": None,
        "n_sweeps": 1,
        "n_greedy_sweeps": 1,
        "beta": 0.1,
        "key": KEY,
        "n_shards": 1,
        "average": False,
        "n_threads": 1,
    }
    core.fit_rows_categorical(**arguments)
    with pytest.raises(ValueError, match=message):
        core.fit_rows_categorical(**{**arguments, **change})
