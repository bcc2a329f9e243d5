"""Forecasts: memory against a process of its own; what they are functions of; what is refused."""

from __future__ import annotations

import gzip
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import covloss_fast as cf
from covloss_fast import synthesizer
from covloss_fast._memory import available_memory
from covloss_fast.records.tables import estimate_records

BITS = cf.Schema.from_domain({f"b{j}": 2 for j in range(20)})
MIXED = cf.Schema([cf.Binary("a"), cf.Categorical("b", list("xyz")), cf.Numeric("c", 0, 9, bins=9)])


def synth(schema: cf.Schema = BITS, **settings: Any) -> cf.CovLossSynthesizer:
    return cf.CovLossSynthesizer(schema, **{"epsilon": 1.0, "delta": 1e-9, **settings})


CASES = {
    "bits, blocks": (400_000, [2] * 64, {}),
    "bits, no blocks": (150_000, [2] * 100, {"n_blocks": 1}),
    "bits, few rows are fitted": (150_000, [2] * 300, {}),
    "levels": (60_000, [10] * 12, {}),
    "few": (1_000, [2] * 16, {}),
    "few, levels": (1_000, [10] * 5, {}),
    "thousands of levels": (20_000, [2_000] * 2, {}),
    "paper": (500_000, [2] * 32, {"method": "paper", "delta": 0}),
}


@pytest.mark.parametrize("case", CASES)
def test_memory_is_forecast_within_a_factor_of_two(case: str) -> None:
    """Resident memory of a child at its peak, over what it held before the fit, its table included."""
    n, sizes, settings = CASES[case]
    arguments = {"epsilon": 1.0, "delta": 1e-9, "n_threads": 2, **settings}
    script = f"""
import resource, threading, numpy as np, covloss_fast as cf
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize()
peak, done = 0, threading.Event()
def watch():  # what the system itself keeps as the peak may be that of the process that started this one
    global peak
    while not done.wait(0.002):
        peak = max(peak, resident())
schema = cf.Schema.from_domain({{f"b{{j}}": size for j, size in enumerate({sizes})}})
synth = cf.CovLossSynthesizer(schema, **{arguments})
generator = np.random.default_rng(0)
table = np.empty(({n}, {len(sizes)}), dtype=np.uint16 if {sizes[0]} > 256 else np.uint8)
for start in range(0, {n}, 1000):  # in clusters, so that blocks and pairs say something
    level = generator.integers(0, {sizes[0]}, {len(sizes)}) * (generator.random((1000, {len(sizes)})) < 0.7)
    table[start : start + 1000] = level[: {n} - start]
before = resident()
thread = threading.Thread(target=watch)
thread.start()
synth.fit(table)
done.set()
thread.join()
print(peak - before)
"""
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    schema = cf.Schema.from_domain({f"b{j}": size for j, size in enumerate(sizes)})
    forecast = synth(schema, n_threads=2, **settings)
    ratio = forecast.forecast(n).memory / int(out.stdout)
    assert 0.5 < ratio < 2, out.stdout


def test_what_a_fit_freed_goes_back_to_the_system() -> None:
    """Or later fits of a process would find the heap in pieces. The first, small one sets things up."""
    script = """
import resource, numpy as np, covloss_fast as cf
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize()
generator = np.random.default_rng(0)
means = generator.beta(0.5, 0.5, (8, 32))
table = (generator.random((400_000, 32)) < means[generator.integers(0, 8, 400_000)]).astype(np.uint8)
schema = cf.Schema.from_domain({f"b{j}": 2 for j in range(32)})
for n in (20_000, 400_000):
    before = resident()
    cf.CovLossSynthesizer(schema, epsilon=1, delta=1e-9, n_threads=1).fit(table[:n])
    print(resident() - before)
"""
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert int(out.stdout.split()[1]) < 500_000, out.stdout


@pytest.mark.parametrize("settings", [{}, {"method": "paper", "delta": 0}, {"neighbours": "replace_one"}])
@pytest.mark.parametrize("schema", [BITS, MIXED])
def test_forecasts_of_any_number(settings: dict[str, Any], schema: cf.Schema) -> None:
    asked = synth(schema, **settings)
    found = [asked.forecast(n) for n in (0, 1, 1_000, 100_000, 10_000_000)]
    memory = [each.memory for each in found]
    assert memory[2:] == sorted(memory[2:])
    assert memory[-1] > 10 * memory[1]
    assert found[-1].total_seconds > found[2].total_seconds > 0
    assert set(found[0].seconds) == {"reading", "statistics", "noise", "rows", "certificate"}
    assert not hasattr(asked, "ledger_"), "nothing is spent"
    for n in (-1, 1.5):
        with pytest.raises(ValueError, match="n must be an integer"):
            asked.forecast(n)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="epsilon"):
        synth(schema, epsilon=-1).forecast(10)


@pytest.mark.parametrize(("n", "epsilon"), [(100_000, 1.0), (200, 0.01), (0, 0.001)])
def test_rows_of_a_count_that_is_drowned_in_noise_are_stated(n: int, epsilon: float) -> None:
    """Hardly a fit has more rows than the forecast says, and so has it not much more to do."""
    public = synth(epsilon=epsilon, neighbours="replace_one").forecast(n)
    secret = synth(epsilon=epsilon).forecast(n)
    assert public.most_rows == max(n, 1)
    assert secret.most_rows >= max(n, 10)
    assert ("rows of them" in str(secret)) == (n < 1000)
    assert "rows of them" not in str(public)
    if n < 1000:
        assert secret.memory > public.memory
        table = np.zeros((n, 20), dtype=np.uint8)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", cf.NotPrivateWarning)
            rows = [len(synth(epsilon=epsilon, random_state=i).fit(table).sample()) for i in range(40)]
        more = sum(m > secret.most_rows for m in rows)
        assert more <= 6  # of 40 with probability 0.05 each: more than 6 once in 300 tests at most
        assert max(rows) > secret.most_rows / 4
    else:
        assert secret.most_rows < 1.01 * n


def test_without_a_certificate_none_is_forecast() -> None:
    assert synth(certificate=False).forecast(10**6).seconds["certificate"] == 0


# -- what cannot fit is refused --


def test_a_table_that_cannot_fit_is_refused_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.csv"
    path.write_text(",".join(BITS.names) + "\n" + (",".join("0" * 20) + "\n") * 3_000)
    asked = synth()
    monkeypatch.setattr(synthesizer, "available_memory", lambda: 1_000_000)
    for table in (path, str(path), np.zeros((300_000, 20), dtype=np.uint8)):
        with pytest.raises(MemoryError, match=r"needs about .* GB .* and 0.0 GB are available; nothing has"):
            asked.fit(table)
    assert not hasattr(asked, "ledger_"), "nothing is spent"
    monkeypatch.setattr(synthesizer, "available_memory", lambda: None)
    asked.fit(path)


def test_numbers_of_records_are_estimated_without_reading_them(tmp_path: Path) -> None:
    frame = {"a": np.arange(5_000), "b": np.arange(5_000) % 7}
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    for table in (frame, pd.DataFrame(frame), pl.DataFrame(frame), pa.table(frame), np.zeros((5_000, 2))):
        assert estimate_records(table) == 5_000
    pd.DataFrame(frame).to_parquet(tmp_path / "t.parquet")
    assert estimate_records(tmp_path / "t.parquet") == 5_000
    (tmp_path / "folder").mkdir()
    for name in ("1.parquet", "2.parquet"):
        pd.DataFrame(frame).to_parquet(tmp_path / "folder" / name)
    assert estimate_records(str(tmp_path / "folder")) == 10_000
    text = pd.DataFrame(frame).to_csv(index=False)
    (tmp_path / "t.csv").write_text(text)
    assert estimate_records(tmp_path / "t.csv") == pytest.approx(5_000, rel=0.1)
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(text.encode()))
    assert 1_000 < (estimate_records(tmp_path / "t.csv.gz") or 0) < 25_000
    for unknown in (lambda: iter([]), tmp_path / "absent.csv", tmp_path / "t.unknown", 5):
        assert estimate_records(unknown) is None


def test_available_memory(tmp_path: Path) -> None:
    assert available_memory(tmp_path) is None
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/meminfo").write_text("MemTotal: 9 kB\nMemAvailable:    7 kB\n")
    assert available_memory(tmp_path) == 7 * 1024
    group = tmp_path / "sys/fs/cgroup"
    group.mkdir(parents=True)
    (group / "memory.max").write_text("max\n")
    (group / "memory.current").write_text("1000\n")
    assert available_memory(tmp_path) == 7 * 1024
    (group / "memory.max").write_text("3000\n")
    assert available_memory(tmp_path) == 2000
    (tmp_path / "proc/meminfo").write_text("nonsense")
    assert available_memory(tmp_path) == 2000


def test_a_limit_of_the_process_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    limit = used + 50_000_000
    monkeypatch.setattr(resource, "getrlimit", lambda which: (limit, limit))
    found = available_memory()
    assert found is not None
    assert found <= 50_000_000


def test_more_records_than_memory_holds_are_refused_before_they_are_drawn() -> None:
    synth = cf.CovLossSynthesizer(cf.Schema.from_domain({"a": 2}), epsilon=1, delta=0, random_state=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.NotPrivateWarning)
        synth.fit(np.zeros((20, 1), dtype=np.int64))
    with pytest.raises(MemoryError, match=r"1,099,511,627,776 records at once .* need about"):
        synth.sample(2**40)
