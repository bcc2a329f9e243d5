"""The examples of the guides run, and say what the guides say."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from typer.testing import CliRunner

import covloss_fast as cf
from covloss_fast.cli.commands import app

DOCS = Path(__file__).parent.parent / "docs"


@pytest.mark.parametrize(("name", "least"), [("anonymous.md", 10), ("schemas.md", 5)])
def test_examples_in_python(name: str, least: int) -> None:
    result = doctest.testfile(str(DOCS / name), module_relative=False, encoding="utf-8")
    assert result.attempted >= least
    assert result.failed == 0


def test_the_schema_of_the_guide_is_the_same_in_json_and_in_python(tmp_path: Path) -> None:
    text = (DOCS / "schemas.md").read_text("utf-8")
    (tmp_path / "schema.json").write_text(re.findall(r"^```json\n(\{.*?)^```", text, re.M | re.S)[0])
    example = doctest.DocTestParser().get_examples(text)[1]
    names = {"cf": cf}
    exec(example.source, names)
    assert cf.Schema.load(tmp_path / "schema.json") == names["schema"]


def test_examples_of_anonymize(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    table = {
        "age": rng.integers(18, 90, 600),
        "region": rng.choice(["north", "south", "west"], 600),
        "diagnosis": rng.choice(["none", "asthma", "copd"], 600),
    }
    pyarrow.csv.write_csv(pa.table(table), "patients.csv")
    cf.Schema(
        [
            cf.Numeric("age", 0, 120, bins=12, integer=True),
            cf.Categorical("region", ["north", "south", "west"]),
            cf.Categorical("diagnosis", ["none", "asthma", "copd"]),
        ]
    ).save("schema.json")
    commands = re.findall(r"^covloss-fast (anonymize .*)$", (DOCS / "anonymous.md").read_text("utf-8"), re.M)
    assert len(commands) == 3
    for command in commands:
        outcome = CliRunner().invoke(app, shlex.split(command))
        assert outcome.exit_code == 0, outcome.output
    for made in ("masked.csv", "drawn.csv", "masked.parquet", "certificate.json", "report.html"):
        assert Path(made).stat().st_size > 0
