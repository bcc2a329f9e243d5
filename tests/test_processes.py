"""Processes, threads and signals: worker processes however they are started, thread pools, Ctrl-C."""

from __future__ import annotations

import signal
import subprocess
import sys
import sysconfig
import time
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import covloss_fast as cf
from covloss_fast._core.bits import BitMatrix

#: A worker of the library as a file, since "spawn" and "forkserver" import the main module again.
WORKERS = """
import multiprocessing, sys, warnings
import numpy as np
import covloss_fast as cf

def fit(n_threads):
    table = np.random.default_rng(0).integers(0, 2, (40_000, 6)).astype(np.uint8)
    schema = cf.Schema([cf.Binary(f"a{i}", levels=(0, 1)) for i in range(6)])
    warnings.simplefilter("ignore", cf.NotPrivateWarning)
    synth = cf.CovLossSynthesizer(schema, epsilon=1, delta=1e-9, random_state=1, n_threads=n_threads)
    return synth.fit(table).sample().tobytes()

if __name__ == "__main__":
    method, parent_used_threads, n_threads = sys.argv[1], sys.argv[2] == "used", eval(sys.argv[3])
    if parent_used_threads:
        fit(2)
    with multiprocessing.get_context(method).Pool(2) as pool:
        found = pool.map(fit, [n_threads] * 3, chunksize=1)
    assert found == [fit(1)] * 3
"""


@pytest.mark.skipif(sys.platform == "win32", reason="fork")
@pytest.mark.parametrize("n_threads", [None, 2])
@pytest.mark.parametrize("parent", ["used", "unused"])
@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_worker_processes_fit(method: str, parent: str, n_threads: int | None, tmp_path: Path) -> None:
    """GNU's OpenMP hangs in the forked child of a parent that has used threads: this must not be met."""
    (tmp_path / "workers.py").write_text(WORKERS)
    command = [sys.executable, str(tmp_path / "workers.py"), method, parent, str(n_threads)]
    done = subprocess.run(command, timeout=60, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.filterwarnings("ignore::covloss_fast.NotPrivateWarning")
def test_fits_in_a_pool_of_threads_do_not_meet() -> None:
    schema = cf.Schema([cf.Binary(f"a{i}", levels=(0, 1)) for i in range(6)])
    table = np.random.default_rng(0).integers(0, 2, (40_000, 6)).astype(np.uint8)

    def fit(seed: int) -> str:
        synth = cf.CovLossSynthesizer(schema, epsilon=1, delta=1e-9, random_state=seed, n_threads=2)
        return sha256(synth.fit(table).sample().tobytes()).hexdigest()

    alone = [fit(seed) for seed in range(6)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(fit, [*range(6)] * 2))
    assert together == alone * 2
    assert len(set(alone)) == 6


def test_an_exception_in_a_parallel_loop_is_that_of_the_first_record(n_threads: int) -> None:
    """Tasks have 16,384 rows; of several that fail, the first one speaks, and the library works on."""
    codes = np.zeros(200_000, dtype=np.uint8)
    codes[[70_001, 150_000, 199_999]] = 2
    for _ in range(20):
        with pytest.raises(ValueError, match=r"\b70001\b"):
            BitMatrix.from_codes([codes], [2], n_threads)
    codes[:] = 1
    assert BitMatrix.from_codes([codes], [2], n_threads).n_rows == 200_000


PRELUDE = """
import numpy as np, covloss_fast as cf
table = np.random.default_rng(0).integers(0, 2, ({rows}, {bits})).astype(np.uint8)
schema = cf.Schema([cf.Binary(f"a{{i}}", levels=(0, 1)) for i in range({bits})])
synth = cf.CovLossSynthesizer(schema, epsilon=10, delta=1e-9, n_threads={n_threads})
"""
LONG: dict[str, tuple[int, int, str]] = {
    "fit": (300_000, 200, "print('start', flush=True)\nwhile True: synth.fit(table)"),
    "sample": (10_000, 100, "synth.fit(table)\nprint('start', flush=True)\nsynth.sample(100_000_000)"),
    "marginals": (
        200_000,
        300,
        "print('start', flush=True)\nwhile True: cf.marginal_error(table, table[::-1], degree=3)",
    ),
}


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("n_threads", [1, 2])
@pytest.mark.parametrize("work", LONG)
def test_an_interrupt_is_heard_within_a_second(work: str, n_threads: int) -> None:
    rows, bits, code = LONG[work]
    script = PRELUDE.format(rows=rows, bits=bits, n_threads=n_threads) + code
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "start\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        _, errors = process.communicate(timeout=30)
        took = time.monotonic() - began
    assert "KeyboardInterrupt" in errors
    # A second, and as much again for a machine that is busy with other things.
    assert took < 2


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="a free-threaded Python")
def test_a_free_threaded_python_takes_the_lock() -> None:
    """The extension does not declare that it does without the lock, so that Python switches it on."""
    is_enabled: Any = getattr(sys, "_is_gil_enabled", None)
    assert is_enabled()
