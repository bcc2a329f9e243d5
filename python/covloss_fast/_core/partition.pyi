from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .bits import BitMatrix

def project(
    bits: BitMatrix, directions: NDArray[np.int32], offset: NDArray[np.int64], n_threads: int
) -> NDArray[np.int64]: ...
def assign_nearest(
    bits: BitMatrix,
    directions: NDArray[np.int32],
    offset: NDArray[np.int64],
    points: NDArray[np.int64],
    n_threads: int,
) -> NDArray[np.int32]: ...
def nearest_point(
    coordinates: NDArray[np.int64], points: NDArray[np.int64], n_threads: int
) -> NDArray[np.int32]: ...
def pin(bits: BitMatrix, columns: Sequence[int], n_threads: int) -> NDArray[np.int32]: ...
def sign_cells(
    bits: BitMatrix, directions: NDArray[np.int32], offset: NDArray[np.int64], n_threads: int
) -> NDArray[np.int32]: ...
def lattice_cells(
    bits: BitMatrix,
    directions: NDArray[np.int32],
    offset: NDArray[np.int64],
    spacing: int,
    cells: int,
    n_threads: int,
) -> NDArray[np.int32]: ...
def lattice_cells_of(
    coordinates: NDArray[np.int64], spacing: int, cells: int, n_threads: int
) -> NDArray[np.int32]: ...
def block_statistics(
    bits: BitMatrix, labels: NDArray[np.int32], n_blocks: int, n_threads: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
def equipartition(labels: NDArray[np.int32], n_blocks: int) -> NDArray[np.int32]: ...
def covering(t: int, alpha: float, max_points: int) -> NDArray[np.float64]: ...
def symmetric_eigen(
    matrix: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def lost_moment(
    second: NDArray[np.int64], counts: NDArray[np.int64], sums: NDArray[np.int64], n_threads: int
) -> NDArray[np.float64]: ...
def residual_moment(
    rows: NDArray[np.float64], labels: NDArray[np.int32], n_blocks: int, n_threads: int
) -> NDArray[np.float64]: ...
