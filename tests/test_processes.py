"""Processes, threads and signals: worker processes however they are started, thread pools, Ctrl-C."""

from __future__ import annotations

import json
import os
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

resource = pytest.importorskip("resource", reason="Unix") if sys.platform != "win32" else None

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


def interrupted(process: subprocess.Popen[str]) -> tuple[float, str, str]:
    """Send Ctrl-C; return the seconds until the process ended, and what it said.

    Seconds of its own processor time, where they can be known: other things that a machine does are not its
    fault.
    """
    stat, ticks = Path(f"/proc/{process.pid}/stat"), float(os.sysconf("SC_CLK_TCK"))
    times = stat.read_text().rpartition(")")[2].split() if stat.exists() else None
    of_children = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=60)
    if times is None:
        return time.monotonic() - began, out, errors
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = now.ru_utime + now.ru_stime - of_children.ru_utime - of_children.ru_stime
    return used - (int(times[11]) + int(times[12])) / ticks, out, errors


LONG: dict[str, tuple[int, int, str]] = {
    "fit": (300_000, 200, "print('start', flush=True)\nwhile True: synth.fit(table)"),
    "sample": (10_000, 100, "synth.fit(table)\nprint('start', flush=True)\nsynth.sample(100_000_000)"),
    "marginals": (
        200_000,
        300,
        "print('start', flush=True)\nwhile True: cf.marginal_error(table, table[::-1], degree=3)",
    ),
    "eigenvectors": (
        10,
        1,
        """
from covloss_fast._core.partition import symmetric_eigen
matrix = np.random.default_rng(0).normal(size=(2_500, 2_500))
matrix += matrix.T
print('start', flush=True)
while True: symmetric_eigen(matrix)
""",
    ),
    "masking": (
        10,
        1,
        """
schema = cf.Schema([cf.Categorical("a", list(range(2_500))), cf.Binary("b")])
table = {"a": np.arange(10_000) ** 2 % 2_500, "b": np.arange(10_000) % 2}
print('start', flush=True)
while True: cf.Microaggregator(min_block_size=5, schema=schema).fit(table)
""",
    ),
}


#: A command on a table of 20,000 records, of which one second's work is drawing and writing.
COMMAND = """
import sys
from covloss_fast.cli import main
{fault}
sys.argv[1:] = ["synthesize", "t.csv", "-s", "s.json", "--epsilon", "1", "--delta", "1e-9"]
sys.argv += ["--rows", "300000", "-o", "out.csv", "--release", "out.covloss"]
main()
"""
#: The signal comes while the file is written, and whoever hears of it says nothing.
LOST_IN_WRITING = """
import os, signal
from covloss_fast.records import tables
write = tables._writer
def deaf(*arguments):
    try:
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(1000): pass
    except BaseException:
        print("lost", flush=True)
    return write(*arguments)
tables._writer = deaf
"""
#: The signal comes before anything is written, to code that catches everything for ever.
LOST_IN_READING = """
import covloss_fast.cli.commands as commands
def deaf(*arguments):
    print("reading", flush=True)
    while True:
        try:
            for _ in range(100): pass
        except BaseException:
            print("lost", flush=True)
commands.open_records = deaf
"""


def command(folder: Path, fault: str = "") -> subprocess.Popen[str]:
    if not (folder / "t.csv").exists():
        table = np.random.default_rng(0).integers(0, 2, (20_000, 8))
        np.savetxt(folder / "t.csv", table, "%d", ",", header=",".join("abcdefgh"), comments="")
        (folder / "s.json").write_text(json.dumps(dict.fromkeys("abcdefgh", 2)))
    return subprocess.Popen(
        [sys.executable, "-c", COMMAND.format(fault=fault)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_command_is_interrupted_at_any_instant(tmp_path: Path) -> None:
    """Within a second, with status 130; and what it wrote is whole, or not there."""
    began = time.monotonic()
    with command(tmp_path) as process:
        process.communicate(timeout=60)
    whole = time.monotonic() - began
    made = {name: (tmp_path / name).stat().st_size for name in ("out.csv", "out.covloss")}
    n_interrupted = 0
    for instant in np.linspace(0.05, 0.95, 12) * whole:
        for name in made:
            (tmp_path / name).unlink(missing_ok=True)
        with command(tmp_path) as process:
            time.sleep(instant)
            took, _, errors = interrupted(process)
        assert took < 1
        files = {path.name for path in tmp_path.iterdir()} - {"t.csv", "s.json"}
        if process.returncode == 130:
            n_interrupted += 1
            assert "interrupted" in errors
            assert "Traceback" not in errors
            assert files == (set(made) if "after files were written" in errors else set())
        elif process.returncode == 0:  # too late
            assert files == set(made)
        else:  # Python itself had not begun, or had ended
            assert process.returncode == -signal.SIGINT
            assert files in (set(), set(made))
        for name in files:
            assert (tmp_path / name).stat().st_size > 0.9 * made[name]
    assert n_interrupted > 5


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("fault", [LOST_IN_READING, LOST_IN_WRITING])
def test_an_interrupt_that_is_lost_ends_the_command_all_the_same(fault: str, tmp_path: Path) -> None:
    with command(tmp_path, fault) as process:
        if fault == LOST_IN_READING:
            assert process.stdout is not None
            assert process.stdout.readline() == "reading\n"
            process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted; no file was changed" in errors
    assert ("lost" in out) or fault == LOST_IN_READING
    assert {path.name for path in tmp_path.iterdir()} == {"t.csv", "s.json"}


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_ledger_is_changed_whole_before_an_interrupt_ends_the_command() -> None:
    script = """
import os, signal, time
from covloss_fast.cli import interrupts
interrupts.install()
with interrupts.charging():
    try:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.3)  # which ends at once by the exception; the thread that watches has time enough
    except KeyboardInterrupt:
        time.sleep(0.3)
    print("changed", flush=True)
print("not reached", flush=True)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stdout == "changed\n"
    assert done.returncode != 0


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("n_threads", [1, 2])
@pytest.mark.parametrize("work", LONG)
def test_an_interrupt_is_heard_within_a_second(work: str, n_threads: int) -> None:
    rows, bits, code = LONG[work]
    script = PRELUDE.format(rows=rows, bits=bits, n_threads=n_threads) + code
    for wait in (0.1, 0.6):
        with subprocess.Popen(
            [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "start\n"
            time.sleep(wait)
            took, _, errors = interrupted(process)
        assert "KeyboardInterrupt" in errors
        assert took < 1


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="a free-threaded Python")
def test_a_free_threaded_python_takes_the_lock() -> None:
    """The extension does not declare that it does without the lock, so that Python switches it on."""
    is_enabled: Any = getattr(sys, "_is_gil_enabled", None)
    assert is_enabled()
