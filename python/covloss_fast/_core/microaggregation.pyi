import numpy as np
from numpy.typing import NDArray

def minimum_size_partition(
    rows: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    strata: NDArray[np.int32],
    n_strata: int,
    min_block_size: int,
    n_rounds: int,
    n_passes: int,
    seed: int,
    n_threads: int,
) -> NDArray[np.int32]: ...
def univariate_partition(
    values: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    strata: NDArray[np.int32],
    n_strata: int,
    min_block_size: int,
    n_threads: int,
) -> NDArray[np.int32]: ...
