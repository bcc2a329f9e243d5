"""The benchmark that compares peers: what it records, and the tables and picture made of that."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
KEYS = {
    "rms1",
    "rms2",
    "rms3",
    "tv1",
    "tv2",
    "tv3",
    "processor_seconds",
    "wall_seconds",
    "peak_mb",
    "version",
}


def run(*arguments: str | Path, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True, **more)


def record(mechanism: str, epsilon: float | None, seed: int, tv2: float, **more: Any) -> dict[str, Any]:
    names = {"table": "tiny", "mechanism": mechanism, "epsilon": epsilon, "seed": seed, "is_finished": True}
    measured = {"processor_seconds": 2.0, "peak_mb": 60, "rms2": 0.1, "rms3": 0.1, "tv2": tv2, "tv3": 0.1}
    return {**names, **measured, "n_records": 500, "n_attributes": 4, **more}


@pytest.fixture
def records(tmp_path: Path) -> Path:
    lines = [
        record("covloss_fast", 10.0, 0, 0.0012),
        record("covloss_fast", 1.0, 0, 0.010),
        record("covloss_fast", 1.0, 1, 0.014),
        record("resampled", None, 0, 0.02),
        {
            **record("aim", 1.0, 0, 0.0),
            "is_finished": False,
            "processor_seconds": 300.0,
            "budget_used": 0.123,
        },
        {**record("mst", 1.0, 0, 0.0), "is_finished": False, "processor_seconds": 300.0, "budget_used": None},
    ]
    path = tmp_path / "records.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_runs_are_recorded_once(tmp_path: Path) -> None:
    sizes = {"a": 2, "b": 2, "c": 2, "d": 3}
    (tmp_path / "tiny-domain.json").write_text(json.dumps(sizes))
    table = np.random.default_rng(0).integers(0, list(sizes.values()), (500, 4))
    with gzip.open(tmp_path / "tiny.csv.gz", "wt") as file:
        np.savetxt(file, table, "%d", ",", header=",".join(sizes), comments="")
    path = tmp_path / "records.jsonl"
    command = (BENCHMARKS / "accuracy.py", "tiny", "--peer", "resampled", "--seeds", "1", "--records", path)
    environment = {**os.environ, "COVLOSS_DATA": str(tmp_path)}
    first = run(*command, env=environment)
    assert first.returncode == 0, first.stderr
    lines = path.read_text().splitlines()
    found = [json.loads(line) for line in lines]
    assert [(each["mechanism"], each["epsilon"]) for each in found] == [
        ("covloss_fast", 1.0),
        ("resampled", None),
    ]
    for each in found:
        assert each.keys() >= KEYS
        assert each["is_finished"]
        assert (each["n_records"], each["n_attributes"], each["seed"]) == (500, 4, 0)
        assert 0 < each["tv2"] < each["tv3"] < 0.3
        assert each["peak_mb"] > 10
    second = run(*command, env=environment)
    assert second.stdout == first.stdout
    assert path.read_text().splitlines() == lines


@pytest.mark.skipif(sys.platform != "linux", reason="how a limit ends a process differs between systems")
def test_a_run_beyond_its_limit_is_ended() -> None:
    code = "from accuracy import limit_processor_time as limit; limit(0.1)\nwhile True: pass"
    assert run("-c", code, cwd=BENCHMARKS, timeout=60).returncode == -signal.SIGXCPU


def test_table(records: Path) -> None:
    made = run(BENCHMARKS / "error_against_time.py", records, "--measure", "tv2")
    assert made.stderr == ""
    assert made.stdout.splitlines() == [
        "| TV, d = 2 | epsilon | covloss_fast | AIM, as installed | MST, as installed "
        "| the table resampled (not private) |",
        "|---|---|---|---|---|---|",
        "| tiny | 1 | .012 ± .003 | not finished after 300 s, 12% of the budget spent "
        "| not finished after 300 s | .020 |",
        "| tiny | 10 | .0012 |  |  | .020 |",
    ]


def test_picture(records: Path, tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    made = run(BENCHMARKS / "error_against_time.py", records, "--picture", path)
    assert made.returncode == 0, made.stderr
    assert made.stdout.count("| tiny | 1 |") == 6, "one row of each measure"
    assert path.read_bytes().startswith(b"\x89PNG")
    assert path.stat().st_size > 10_000
