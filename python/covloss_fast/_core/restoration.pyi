import numpy as np
from numpy.typing import NDArray

from covloss_fast._core.bits import BitMatrix

UInt16Array = NDArray[np.uint16]
Int32Array = NDArray[np.int32]
Float64Array = NDArray[np.float64]

# The only function that changes a bit matrix: nothing else may use it meanwhile.
def fit_rows_binary(
    bits: BitMatrix,
    pairs: Float64Array,
    singles: Float64Array,
    single_weight: float,
    labels: Int32Array | None,
    block_sums: Float64Array,
    block_weight: float,
    forbidden: Int32Array | None,
    n_sweeps: int,
    n_greedy_sweeps: int,
    beta: float,
    key: bytes,
    n_shards: int,
    n_threads: int,
) -> Float64Array: ...
def fit_rows_categorical(
    codes: UInt16Array,
    sizes: list[int],
    pairs: Float64Array,
    singles: Float64Array,
    pair_weights: Float64Array,
    single_weights: Float64Array,
    labels: Int32Array | None,
    block_counts: Float64Array,
    block_weight: float,
    forbidden: Int32Array | None,
    n_sweeps: int,
    n_greedy_sweeps: int,
    beta: float,
    key: bytes,
    n_shards: int,
    average: bool,
    n_threads: int,
) -> tuple[UInt16Array, Float64Array, Float64Array]: ...
def quota_columns(
    probabilities: Float64Array, sizes: list[int], n_rows: int, key: bytes, n_threads: int
) -> UInt16Array: ...
def quota_bits(probabilities: Float64Array, n_rows: int, key: bytes, n_threads: int) -> BitMatrix: ...
