"""Row fitting as the pipeline calls it: targets in the bit layout."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from covloss_fast.released.restoration import default_beta, default_shards, fit_rows, quota_codes
from covloss_fast.schema import BitLayout

KEY = bytes(32)
MIXED = (2, 3, 2, 5, 1)
BINARY = (2,) * 7


def table(sizes: tuple[int, ...], m: int, seed: int = 0) -> NDArray[np.uint8]:
    """Rows whose attributes all depend on one hidden number."""
    generator = np.random.default_rng(seed)
    hidden = generator.random(m)
    columns = [np.minimum((hidden + generator.normal(0, 0.25, m)) % 1 * s, s - 1) for s in sizes]
    return np.array(columns).reshape(len(sizes), m).astype(np.uint8)


def bits_of(codes: NDArray[Any], layout: BitLayout) -> NDArray[np.float64]:
    parts = [
        row[None] == 1 if size == 2 else row == np.arange(size)[:, None]
        for row, size in zip(codes, layout.sizes)
    ]
    return np.vstack(parts).astype(float)


def start_of(codes: NDArray[Any]) -> NDArray[Any]:
    return np.random.default_rng(9).permuted(codes, axis=1)


def apart(layout: BitLayout) -> NDArray[np.bool_]:
    return np.asarray(layout.attribute_of_bit[:, None] != layout.attribute_of_bit)


@pytest.mark.parametrize("sizes", [BINARY, MIXED])
def test_fit_gives_the_pairs_back(sizes: tuple[int, ...], n_threads: int) -> None:
    layout = BitLayout(sizes)
    wanted = bits_of(table(sizes, 3000), layout)
    start = start_of(table(sizes, 3000))
    before = start.copy()
    result = fit_rows(
        start, sizes, wanted @ wanted.T, wanted.sum(axis=1), key=KEY, sweeps=10, n_threads=n_threads
    )
    fitted = bits_of(result.codes, layout)
    error = (fitted @ fitted.T - wanted @ wanted.T)[apart(layout)]
    assert np.sqrt(np.mean(error**2)) < 2
    assert np.abs(fitted.sum(axis=1) - wanted.sum(axis=1)).max() < 10
    assert result.codes.dtype == start.dtype
    assert np.array_equal(start, before)
    assert result.history.shape == (5, 4)
    assert result.mean_pairs is None
    again = fit_rows(start, sizes, wanted @ wanted.T, wanted.sum(axis=1), key=KEY, sweeps=10, n_threads=1)
    assert np.array_equal(again.codes, result.codes)


@pytest.mark.parametrize("sizes", [BINARY, MIXED])
def test_targets_of_the_start_itself_are_no_discrepancy(sizes: tuple[int, ...]) -> None:
    layout = BitLayout(sizes)
    codes = table(sizes, 500)
    bits = bits_of(codes, layout)
    labels = np.random.default_rng(0).integers(0, 3, 500).astype(np.int32)
    blocks = np.array([bits[:, labels == j].sum(axis=1) for j in range(3)])
    options: dict[str, Any] = {"key": KEY, "labels": labels, "block_targets": blocks, "sweeps": 0}
    result = fit_rows(codes, sizes, bits @ bits.T, bits.sum(axis=1), **options)
    assert not result.history[:, :3].any()
    assert np.array_equal(result.codes, codes)
    # and any other target is one: of a pair, of a single bit, of a block
    for index in range(3):
        targets = [bits @ bits.T, bits.sum(axis=1), blocks]
        targets[index] = targets[index].copy()
        if index == 0:
            targets[0][0, 1] = targets[0][1, 0] = targets[0][1, 0] + 5
        else:
            targets[index][..., 0] += 5
        options["block_targets"] = targets[2]
        assert fit_rows(codes, sizes, targets[0], targets[1], **options).history[0, index] > 0


def test_the_two_engines_agree_on_the_energy_of_a_table_of_bits() -> None:
    """With one-way counts met, a pair's cells are all D or -D, and the sum over +-1 products is 4 D."""
    layout = BitLayout(BINARY)
    bits = bits_of(table(BINARY, 800), layout)
    start = start_of(table(BINARY, 800))
    arguments = (start, BINARY, bits @ bits.T, bits.sum(axis=1))
    binary = fit_rows(*arguments, key=KEY, sweeps=0, greedy_sweeps=0).history[0]
    general = fit_rows(*arguments, key=KEY, sweeps=0, greedy_sweeps=0, pair_weights=np.ones((7, 7))).history[
        0
    ]
    assert binary[0] == pytest.approx(4 * general[0])
    assert binary[1] == general[1] == 0


def test_blocks_steer_the_rows_of_their_labels() -> None:
    layout = BitLayout(MIXED)
    codes = table(MIXED, 4000)
    labels = codes[3].astype(np.int32)
    bits = bits_of(codes, layout)
    blocks = np.array([bits[:, labels == j].sum(axis=1) for j in range(5)])
    result = fit_rows(
        start_of(codes),
        MIXED,
        bits @ bits.T,
        bits.sum(axis=1),
        key=KEY,
        labels=labels,
        block_targets=blocks,
    )
    fitted = bits_of(result.codes, layout)
    found = np.array([fitted[:, labels == j].sum(axis=1) for j in range(5)])
    assert np.sqrt(np.mean((found - blocks) ** 2)) < 3
    assert result.history[0, 2] > 50


def test_mean_pairs_are_near_the_targets_and_known_for_pairs_without_one() -> None:
    layout = BitLayout(MIXED)
    bits = bits_of(table(MIXED, 3000), layout)
    weights = np.ones((5, 5))
    weights[0, 1] = weights[1, 0] = 0
    result = fit_rows(
        start_of(table(MIXED, 3000)),
        MIXED,
        bits @ bits.T,
        bits.sum(axis=1),
        key=KEY,
        pair_weights=weights,
        average_pairs=True,
    )
    assert result.mean_pairs is not None
    fitted_pairs = apart(layout) & (weights[np.ix_(layout.attribute_of_bit, layout.attribute_of_bit)] > 0)
    difference = result.mean_pairs - bits @ bits.T
    assert np.abs(difference[fitted_pairs]).max() < 40
    assert not result.mean_pairs[~apart(layout)].any()
    # the pair without a target follows the others: its cells still add to the one-way counts
    np.testing.assert_allclose(result.mean_pairs[0, 1:4].sum(), bits[0].sum(), atol=40)


@pytest.mark.parametrize("sizes", [BINARY, MIXED])
def test_structural_zeros_stay_empty(sizes: tuple[int, ...]) -> None:
    layout = BitLayout(sizes)
    codes = table(sizes, 2000)
    bits = bits_of(codes, layout)  # targets ask for rows with (0, 0)
    arguments = (start_of(codes), sizes, bits @ bits.T, bits.sum(axis=1))

    def n_violations(forbidden: Any) -> int:
        fitted = fit_rows(*arguments, key=KEY, forbidden=forbidden, n_shards=2).codes
        return int(((fitted[1] == 0) & (fitted[3] == 0)).sum())

    assert n_violations(None) > 100
    assert n_violations(np.array([[3, 0, 1, 0]])) == 0


def test_targets_no_table_can_have_are_clipped() -> None:
    codes = table(BINARY, 100)
    pairs = np.full((7, 7), 1e9)
    result = fit_rows(codes, BINARY, pairs, np.full(7, -1e9), key=KEY, sweeps=1)
    assert result.codes.shape == codes.shape


def test_empty_and_tiny_tables() -> None:
    for m in (0, 1):
        for sizes in (BINARY, MIXED):
            layout = BitLayout(sizes)
            codes = np.zeros((len(sizes), m), dtype=np.uint8)
            zeros = np.zeros((layout.n_bits, layout.n_bits))
            assert fit_rows(codes, sizes, zeros, zeros[0], key=KEY).codes.shape == codes.shape
            assert quota_codes(np.full(layout.n_bits, 0.5), layout, m, KEY).shape == codes.shape


def test_quota_codes_have_the_counts_of_their_means() -> None:
    layout = BitLayout((2, 300, 2))
    generator = np.random.default_rng(0)
    means = np.concatenate([[0.3], generator.dirichlet(np.ones(300)), [1.0]])
    codes = quota_codes(means, layout, 5000, KEY)
    assert codes.dtype == np.uint16
    assert np.abs(bits_of(codes, layout).sum(axis=1) - 5000 * means).max() < 1
    assert quota_codes([0.5], BitLayout((2,)), 4, KEY).dtype == np.uint8
    with pytest.raises(ValueError, match=r"shape \(302,\)"):
        quota_codes(means[1:], layout, 10, KEY)
    with pytest.raises(ValueError, match="bit 0 is not in"):
        quota_codes([np.nan], BitLayout((2,)), 4, KEY)


def test_default_beta_falls_with_the_root_of_the_rows() -> None:
    assert default_beta(10_000) == 0.015
    assert default_beta(40_000, 4) == 0.015
    assert default_beta(0) == 1.5


def test_the_number_of_shards_is_a_function_of_the_rows() -> None:
    shards = [default_shards(m) for m in (0, 39_999, 40_000, 320_000, 10**7)]
    assert shards == [1, 1, 2, 16, 16]
    codes = table(BINARY, 40_000)
    layout = BitLayout(BINARY)
    bits = bits_of(codes, layout)
    arguments = (start_of(codes), BINARY, bits @ bits.T, bits.sum(axis=1))
    default, two, three = (
        fit_rows(*arguments, key=KEY, sweeps=1, greedy_sweeps=0, n_shards=n).codes for n in (None, 2, 3)
    )
    assert np.array_equal(default, two)
    assert not np.array_equal(default, three)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"codes": np.zeros((3, 4), dtype=np.uint8)}, r"shape \(2, n_rows\)"),
        ({"codes": np.zeros((2, 4), dtype=np.int64)}, "unsigned"),
        ({"codes": np.full((2, 4), 2, dtype=np.uint8)}, "attribute 0, row 0 is not below its size 2"),
        ({"codes": np.full((2, 4), 65538, dtype=np.uint32)}, "attribute 0, row 0"),
        ({"pair_targets": np.zeros((3, 3))}, r"pair_targets must have shape \(4, 4\)"),
        ({"one_way_targets": [0, 0, np.inf, 0]}, r"one_way_targets must be finite; the entry at \(2,\)"),
        ({"pair_weights": [[0, 1], [2, 0]]}, "symmetric"),
        ({"pair_weights": -np.ones((2, 2))}, "not negative"),
        ({"labels": np.zeros(4, dtype=np.int32)}, "given together"),
        (
            {"labels": np.zeros(4, dtype=np.int32), "block_targets": np.zeros((2, 3))},
            "block_targets must",
        ),
        (
            {"labels": np.full(4, 2, dtype=np.int32), "block_targets": np.zeros((2, 4))},
            "numbers from 0 to 1",
        ),
        ({"forbidden": np.zeros((1, 3), dtype=np.int32)}, r"shape \(z, 4\), got int32 of \(1, 3\)"),
        ({"forbidden": np.zeros((1, 4))}, "got float64"),
        (
            {"forbidden": np.array([[0, 1, 1, 2], [0, 2, 1, 0]])},
            r"row 1 of forbidden, \[0, 2, 1, 0\], is not",
        ),
        ({"forbidden": np.array([[1, 1, 1, 2]])}, "row 0 of forbidden"),
        ({"forbidden": np.array([[2**32, 0, 1, 2]])}, "row 0 of forbidden"),
        ({"n_shards": 0}, "number of shards must lie in 1 to 65535, got 0"),
        ({"beta": -1.0}, "beta must be finite and not negative"),
        ({"key": b""}, "32 bytes"),
    ],
)
def test_bad_arguments_are_refused(change: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {
        "codes": np.zeros((2, 4), dtype=np.uint8),
        "sizes": (2, 3),
        "pair_targets": np.zeros((4, 4)),
        "one_way_targets": np.zeros(4),
        "key": KEY,
        **change,
    }
    with pytest.raises(ValueError, match=message):
        fit_rows(**arguments)
