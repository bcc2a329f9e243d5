import numpy as np
from numpy.typing import NDArray

def minimum_size_partition(
    numbers: NDArray[np.float64],
    codes: NDArray[np.uint8],
    n_levels: NDArray[np.int32],
    widths: NDArray[np.int32],
    coordinates: NDArray[np.float64],
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
def equal_blocks(
    coordinates: NDArray[np.float64],
    cells: NDArray[np.int32],
    n_cells: int,
    n_blocks: int,
    n_threads: int,
) -> NDArray[np.int32]: ...
def second_moment(rows: NDArray[np.float64], n_threads: int) -> NDArray[np.float64]: ...
def project(
    rows: NDArray[np.float64], directions: NDArray[np.float64], n_threads: int
) -> NDArray[np.float64]: ...
def nearest_other(
    queries: NDArray[np.float64],
    own: NDArray[np.int32],
    limits: NDArray[np.float64],
    rows: NDArray[np.float64],
    n_threads: int,
) -> tuple[NDArray[np.int32], NDArray[np.float64]]: ...
def mix_rows(rows: NDArray[np.float64], hashes: NDArray[np.uint64], n_threads: int) -> None: ...
def mix_column(column: NDArray[np.uint64], hashes: NDArray[np.uint64], n_threads: int) -> None: ...
