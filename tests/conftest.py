"""Fixtures that all tests share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from covloss_fast._core import config

# A slow machine is no fault of the code.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture(scope="session")
def real_tables() -> Path:
    """Folder with the real tables; tests that need it skip, visibly, where it does not exist."""
    folder = os.environ.get("COVLOSS_DATA")
    if not folder or not Path(folder).is_dir():
        pytest.skip("COVLOSS_DATA does not name a folder with the real tables")
    return Path(folder)


@pytest.fixture(params=config.available_simd_levels())
def simd_level(request: pytest.FixtureRequest) -> Iterator[str]:
    """Run the test once at each instruction-set level that this processor has."""
    before = config.simd_level()
    config.force_simd_level(request.param)
    yield request.param
    config.force_simd_level(before)


@pytest.fixture(params=[1, 2, 7])
def n_threads(request: pytest.FixtureRequest) -> int:
    """Numbers of threads whose results must agree bit for bit."""
    return int(request.param)
