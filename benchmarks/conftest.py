"""What the benchmarks share.

Every benchmark asserts its answer, so that a fast wrong answer cannot win. With ``--benchmark-disable`` each
runs once, on a small table, for that assertion alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray


@pytest.fixture(scope="session")
def is_quick(request: pytest.FixtureRequest) -> bool:
    """Whether times are not taken: small tables will do."""
    return bool(request.config.getoption("benchmark_disable"))


@pytest.fixture(scope="session")
def n_rows(is_quick: bool) -> int:
    """Rows of the table: a million, or, where times are not taken, a few blocks and a ragged end."""
    return 20_011 if is_quick else 1_000_000


@pytest.fixture(scope="session")
def correlated_bits() -> Callable[..., NDArray[np.uint8]]:
    """A maker of tables of correlated bits: a mixture of Bernoulli products."""

    def make(n_rows: int, n_columns: int, n_components: int = 12, seed: int = 1) -> NDArray[np.uint8]:
        rng = np.random.default_rng(seed)
        means = rng.beta(0.5, 1.0, size=(n_components, n_columns))
        component = rng.integers(0, n_components, size=n_rows)
        table = np.empty((n_rows, n_columns), np.uint8)
        for start in range(0, n_rows, 65_536):
            part = slice(start, min(start + 65_536, n_rows))
            draws = rng.random((part.stop - part.start, n_columns), np.float32)
            table[part] = draws < means[component[part]]
        return table

    return make


@pytest.fixture(scope="session")
def real_tables() -> Path:
    """Folder with the real tables; benchmarks that need it skip, visibly, where it does not exist."""
    folder = os.environ.get("COVLOSS_DATA")
    if not folder or not Path(folder).is_dir():
        pytest.skip("COVLOSS_DATA does not name a folder with the real tables")
    return Path(folder)
