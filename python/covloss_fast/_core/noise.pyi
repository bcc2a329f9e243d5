import numpy as np
from numpy.typing import NDArray

def discrete_laplace(
    key: bytes,
    stream: int,
    n: int,
    numerator: int,
    denominator: int,
    n_threads: int,
    first_cell: int = 0,
) -> NDArray[np.int64]: ...
def discrete_gaussian(
    key: bytes,
    stream: int,
    n: int,
    sigma2_numerator: int,
    sigma2_denominator: int,
    n_threads: int,
    first_cell: int = 0,
) -> NDArray[np.int64]: ...
def chacha20_block(key: bytes, counter: int, nonce: bytes) -> bytes: ...
