from __future__ import annotations

import subprocess
import sys

import pytest

import covloss_fast as cf
from covloss_fast._core import config
from covloss_fast._threads import resolve_n_threads


def test_show_config_names_the_build() -> None:
    shown = cf.show_config()
    assert shown["covloss_fast"] == cf.__version__
    assert shown["simd_level"] in shown["available_simd_levels"]
    assert shown["default_n_threads"] >= 1


@pytest.mark.parametrize("bad", [0, -5, 2.0, True, "2", 1025])
def test_bad_thread_counts_are_refused(bad: object) -> None:
    with pytest.raises(ValueError, match="n_threads must be None or an integer from 1 to 1024"):
        resolve_n_threads(bad)  # type: ignore[arg-type]


def test_an_unknown_simd_level_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown instruction-set level 'sse9'"):
        config.force_simd_level("sse9")


@pytest.mark.parametrize("n_threads", [1, 2, 7])
def test_an_exception_inside_a_parallel_loop_reaches_the_caller(n_threads: int) -> None:
    with pytest.raises(ValueError, match="thrown by task"):
        config.parallel_for_throwing(1000, n_threads, 3)
    config.parallel_for_throwing(1000, n_threads, 1000)


def test_names_are_imported_when_they_are_asked_for() -> None:
    code = (
        "import sys, covloss_fast; assert 'numpy' not in sys.modules; "
        "from covloss_fast import *; assert CovLossSynthesizer is covloss_fast.CovLossSynthesizer; "
        "assert set(covloss_fast._exports.__all__) <= set(dir(covloss_fast))"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)
    with pytest.raises(AttributeError, match="module 'covloss_fast' has no attribute 'nothing'"):
        cf.nothing  # type: ignore[attr-defined]  # noqa: B018
