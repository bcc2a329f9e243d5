"""Reading tables: codes and bits of arrays and frames, and tables made of codes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

import covloss_fast as cf
from covloss_fast.records.encoding import decode, encode

P = 100
SCHEMA = cf.Schema([cf.Binary(f"v{j}") for j in range(P)])
LABELS = cf.Schema([cf.Categorical(f"v{j}", ["none", "some", "much", "all"]) for j in range(20)])


@pytest.fixture(scope="module")
def bits(correlated_bits: Callable[..., NDArray[np.uint8]], n_rows: int) -> NDArray[np.uint8]:
    """A table of 0 and 1."""
    return correlated_bits(n_rows, P)


@pytest.fixture(scope="module")
def label_codes(n_rows: int) -> NDArray[np.uint8]:
    """Codes of a table of labels."""
    return np.random.default_rng(0).integers(0, 4, (len(LABELS), n_rows), dtype=np.uint8)


def column_counts(encoded: Any) -> list[int]:
    return [int(encoded.column_codes(j).sum()) for j in range(P)]


@pytest.mark.parametrize("dtype", ["u1", "?", "i8", "f8"])
@pytest.mark.parametrize("n_threads", [1, 2])
@pytest.mark.benchmark(group="encode bits")
def test_encode_array(benchmark: Any, bits: NDArray[np.uint8], dtype: str, n_threads: int) -> None:
    table = bits.astype(dtype)
    encoded = benchmark.pedantic(encode, (table, SCHEMA, n_threads), rounds=3, warmup_rounds=1)
    assert column_counts(encoded) == bits.sum(axis=0, dtype=np.int64).tolist()


@pytest.mark.benchmark(group="encode bits")
def test_encode_array_numpy(benchmark: Any, bits: NDArray[np.uint8]) -> None:
    def check_and_pack(table: NDArray[np.uint8]) -> NDArray[np.uint8]:
        assert table.max() <= 1
        return np.packbits(table, axis=0)

    packed = benchmark.pedantic(check_and_pack, (bits,), rounds=3, warmup_rounds=1)
    assert np.unpackbits(packed, axis=0, count=len(bits)).tobytes() == bits.tobytes()


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
@pytest.mark.benchmark(group="encode labels")
def test_encode_labels(benchmark: Any, label_codes: NDArray[np.uint8], kind: Any) -> None:
    table = decode(label_codes, LABELS, kind)
    encoded = benchmark.pedantic(encode, (table, LABELS, 1), rounds=3, warmup_rounds=1)
    np.testing.assert_array_equal(encoded.codes, label_codes)


@pytest.mark.benchmark(group="encode labels")
def test_encode_labels_numpy(benchmark: Any, label_codes: NDArray[np.uint8]) -> None:
    table = np.array(["none", "some", "much", "all"])[label_codes]
    levels = np.array(["all", "much", "none", "some"])
    order = np.array([3, 2, 0, 1], dtype=np.uint8)

    def search(table: NDArray[np.str_]) -> NDArray[np.uint8]:
        position = np.minimum(np.searchsorted(levels, table), 3)
        assert (levels[position] == table).all()
        return order[position]

    codes = benchmark.pedantic(search, (table,), rounds=1, warmup_rounds=0)
    np.testing.assert_array_equal(codes, label_codes)


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
@pytest.mark.benchmark(group="decode labels")
def test_decode_labels(benchmark: Any, label_codes: NDArray[np.uint8], kind: Any) -> None:
    table = benchmark.pedantic(decode, (label_codes, LABELS, kind), rounds=3, warmup_rounds=1)
    assert (
        list(table["v3"][:5].to_pylist() if kind == "pyarrow" else table["v3"][:5])
        == [
            LABELS.attributes[3].levels[code]  # type: ignore[union-attr]
            for code in label_codes[3, :5]
        ]
    )


@pytest.mark.benchmark(group="decode labels")
def test_decode_labels_numpy(benchmark: Any, label_codes: NDArray[np.uint8]) -> None:
    levels = np.array(["none", "some", "much", "all"], dtype=object)

    def make(codes: NDArray[np.uint8]) -> pd.DataFrame:
        return pd.DataFrame({f"v{j}": levels[row] for j, row in enumerate(codes)})

    frame = benchmark.pedantic(make, (label_codes,), rounds=1, warmup_rounds=0)
    assert frame["v3"][0] == levels[label_codes[3, 0]]
