import numpy as np
from numpy.typing import NDArray

Int32Array = NDArray[np.int32]
Int64Array = NDArray[np.int64]

def second_moment(rows: Int32Array, shift: int, n_threads: int) -> Int64Array: ...
def project(rows: Int32Array, shift: int, directions: Int32Array, n_threads: int) -> Int64Array: ...
def block_sums(
    rows: Int32Array, labels: Int32Array, n_blocks: int, n_threads: int
) -> tuple[Int64Array, Int64Array]: ...
