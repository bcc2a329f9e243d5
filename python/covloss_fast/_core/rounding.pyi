from typing import Any

import numpy as np
from numpy.typing import NDArray

UInt32Array = NDArray[np.uint32]
Int32Array = NDArray[np.int32]
Float64Array = NDArray[np.float64]

def round_rows(
    weights: Float64Array,
    means: Float64Array,
    sizes: Int32Array,
    n_rows: int,
    key: bytes,
    first_row: int,
    labels: Int32Array | None,
    n_threads: int,
) -> NDArray[Any]: ...
def project_cube(rows: Float64Array, n_threads: int) -> Float64Array: ...
def project_simplex(rows: Float64Array, n_threads: int) -> Float64Array: ...
def stream_words(key: bytes, rounds: int, domain: int, index: int, n_groups: int) -> UInt32Array: ...
