"""Wrong command lines: whatever is mistyped, a command leaves with a status and a sentence, no traceback.

Right command lines are spoilt in every way that a few rules give.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from typer.testing import CliRunner

import covloss_fast as cf
from covloss_fast.cli.commands import app

RIGHT = {
    "schema": "schema true.csv --public -o draft.json",
    "check": "schema check true.csv -s schema.json",
    "synthesize": "synthesize true.csv -s schema.json --epsilon 2 --delta 1e-6 --rows 20 -o out.csv "
    "--max-records-per-person 2 --release r2.covloss "
    "--neighbours add_or_remove_one --method restored --seed 3 --threads 1",
    "sample": "sample r.covloss -o out.csv --rows 20 --seed 3 --threads 1 --where job=nurse --where age=40",
    "anonymize": "anonymize true.csv -s schema.json --min-block-size 9 --release age=median --missing level "
    "--sensitive job --quasi-identifier age --effort 1 --certificate c.json -o out.csv --threads 1",
    "evaluate": "evaluate true.csv true.csv -s schema.json --degree 2 --threads 1",
    "report": "report true.csv true.csv -s schema.json --release r.covloss --degree 1 -o page.html",
}
#: What people write where something else belongs.
STRANGE = [
    "",
    "-",
    "--",
    "nan",
    "-1",
    "2.0",
    "1e999",
    "9" * 40,
    "absent.csv",
    ".",
    "junk.bin",
    "ä\u2028=",
    "a b",
]


@pytest.fixture(scope="module")
def kitchen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a table, its schema, a release, and junk."""
    folder = tmp_path_factory.mktemp("kitchen")
    rng = np.random.default_rng(5)
    table = {
        "smoker": rng.choice(["no", "yes"], 60),
        "job": rng.choice(["clerk", "nurse"], 60),
        "age": rng.integers(18, 90, 60),
    }
    pyarrow.csv.write_csv(pa.table(table), folder / "true.csv")
    schema = cf.Schema(
        [
            cf.Binary("smoker", ("no", "yes")),
            cf.Categorical("job", ("clerk", "nurse", "other")),
            cf.Numeric("age", 0, 120, bins=8, integer=True),
        ]
    )
    schema.save(folder / "schema.json")
    cf.CovLossSynthesizer(schema, epsilon=2, delta=1e-6).fit(table).save(folder / "r.covloss")
    (folder / "junk.bin").write_bytes(bytes(range(256)) * 8)
    return folder


def spoilt(line: str) -> list[list[str]]:
    """Make wrong command lines of a right one: words left out, doubled, replaced; unknown options."""
    words = line.split()
    found = []
    for place in range(1, len(words)):
        found.append(words[:place] + words[place + 1 :])
        found.append([*words[:place], words[place], *words[place:]])
        if not words[place].startswith("-"):
            found += [[*words[:place], strange, *words[place + 1 :]] for strange in STRANGE]
        else:
            found.append([*words[:place], words[place] + "x", *words[place + 1 :]])
    return found


LINES = [line for right in RIGHT.values() for line in spoilt(right)]


def test_there_are_many() -> None:
    assert len(LINES) > 400


@pytest.mark.parametrize("part", range(8))
def test_no_wrong_command_line_ends_in_a_traceback(
    kitchen: Path, part: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(kitchen)
    inputs = {
        kitchen / name: (kitchen / name).read_bytes() for name in ("true.csv", "schema.json", "r.covloss")
    }
    n_wrong = 0
    for words in LINES[part::8]:
        as_json = "-" not in words and (len(words) + n_wrong) % 2 == 0
        command = 2 if words[:2] == ["schema", "check"] else 1
        line = [*words[:command], *(["--json"] if as_json else []), *words[command:]]
        outcome = CliRunner().invoke(app, line, input="a\n1\n")
        assert outcome.exception is None or isinstance(outcome.exception, SystemExit), (words, outcome)
        assert outcome.exit_code in (0, 2), (words, outcome.output)
        assert "Traceback" not in outcome.output, words
        for path, content in inputs.items():
            assert path.read_bytes() == content, words
        made = [path for path in kitchen.iterdir() if path not in inputs and path.name != "junk.bin"]
        if outcome.exit_code == 2:
            n_wrong += 1
            assert not made, (words, made)
            if as_json:
                assert json.loads(outcome.stdout)["exit_status"] == 2, words
            else:
                assert not outcome.stdout, words
                assert outcome.stderr.strip(), words
        for path in made:
            path.unlink()
    assert n_wrong > 20
