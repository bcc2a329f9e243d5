"""Synthetic records in many files, whoever writes them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import covloss_fast as cf
from covloss_fast.partitioned import PartitionedSample

pa_parquet = pytest.importorskip("pyarrow.parquet")


@pytest.fixture(scope="module")
def synth() -> cf.CovLossSynthesizer:
    schema = cf.Schema.from_domain({"a": 2, "b": 3})
    return cf.CovLossSynthesizer(schema, epsilon=1, delta=1e-9).fit(np.zeros((100, 2), int))


def test_the_folder_does_not_move_with_the_process(
    synth: cf.CovLossSynthesizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    sample = PartitionedSample(synth, 10, "made", part_rows=6)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    with sample.written():
        for number in range(sample.n_parts):
            sample.write(number)
        (tmp_path / ".made.parts" / ".part-00001.parquet.0a1b.tmp").write_bytes(b"of a killed writer")
    assert [each.name for each in sorted((tmp_path / "made").iterdir())] == [
        "part-00000.parquet",
        "part-00001.parquet",
    ]


def test_names_are_in_order_however_many_there_are(synth: cf.CovLossSynthesizer, tmp_path: Path) -> None:
    sample = PartitionedSample(synth, 100_001, tmp_path / "made", part_rows=1)
    assert sample.n_parts == 100_001
    waiting = tmp_path / ".made.parts"
    waiting.mkdir()
    sample.write(2)
    sample.write(100_000)
    assert sorted(each.name for each in waiting.iterdir()) == ["part-000002.parquet", "part-100000.parquet"]
