from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import covloss_fast as cf
from covloss_fast._core import config
from covloss_fast._memory import available_memory
from covloss_fast._threads import _cgroup_cpus, resolve_n_threads


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


def test_nothing_optional_is_imported() -> None:
    """So importing stays quick, and the package works with its two dependencies alone."""
    optional = {"pandas", "polars", "pyarrow", "matplotlib", "typer", "rich", "scipy", "sklearn"}
    optional |= {"dask", "pyspark", "opendp", "mbi", "snsynth"}
    code = f"import sys; from covloss_fast import *; print(*{optional} & set(sys.modules))"
    shown = subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, capture_output=True)
    assert not shown.stdout.strip()
    assert not shown.stderr


def test_names_are_imported_when_they_are_asked_for() -> None:
    code = (
        "import sys, covloss_fast; assert 'numpy' not in sys.modules; "
        "from covloss_fast import *; assert CovLossSynthesizer is covloss_fast.CovLossSynthesizer; "
        "assert set(covloss_fast._exports.__all__) <= set(dir(covloss_fast))"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)
    with pytest.raises(AttributeError, match="module 'covloss_fast' has no attribute 'nothing'"):
        cf.nothing  # type: ignore[attr-defined]  # noqa: B018


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


@pytest.mark.parametrize("group", ["", "/pod", "/pod/one"])
def test_limits_of_any_group_around_the_process_are_seen(tmp_path: Path, group: str) -> None:
    folder = f"sys/fs/cgroup{group}"
    write(
        tmp_path,
        {
            "proc/self/cgroup": "0::/pod/one\n",
            "sys/fs/cgroup/pod/one/memory.max": "max\n",
            "sys/fs/cgroup/pod/one/cpu.max": "max 100000\n",
            f"{folder}/memory.max": "9000\n",
            f"{folder}/memory.current": "5000\n",
            f"{folder}/memory.stat": "anon 4000\ninactive_file 700\n",
            f"{folder}/cpu.max": "150000 100000\n",
        },
    )
    assert available_memory(tmp_path) == 4_700
    assert _cgroup_cpus(tmp_path) == 2


@pytest.mark.parametrize("group", ["", "/pod", "/pod/one"])
def test_limits_of_version_1_are_seen(tmp_path: Path, group: str) -> None:
    write(
        tmp_path,
        {
            "proc/self/cgroup": "4:memory:/pod/one\n1:cpu,cpuacct:/pod/one\n0::/\n",
            f"sys/fs/cgroup/memory{group}/memory.limit_in_bytes": "9000\n",
            f"sys/fs/cgroup/memory{group}/memory.usage_in_bytes": "5000\n",
            f"sys/fs/cgroup/memory{group}/memory.stat": "total_inactive_file 1000\n",
            f"sys/fs/cgroup/cpu{group}/cpu.cfs_quota_us": "100000\n",
            f"sys/fs/cgroup/cpu{group}/cpu.cfs_period_us": "100000\n",
        },
    )
    assert available_memory(tmp_path) == 5_000
    assert _cgroup_cpus(tmp_path) == 1


def test_paths_from_outside_the_container_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path, {"proc/self/cgroup": "0::/../../other\n", "sys/fs/cgroup/cpu.max": "300000 100000\n"})
    write(tmp_path, {"other/cpu.max": "100000 100000\n"})
    assert _cgroup_cpus(tmp_path) == 3
    assert available_memory(tmp_path) is None
