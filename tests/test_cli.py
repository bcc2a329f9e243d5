"""The command line: each command on small files, and what it says of bad input."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest
from rich.console import Console
from typer.testing import CliRunner

import covloss_fast as cf
import covloss_fast.cli.commands
from covloss_fast.cli.commands import app
from covloss_fast.cli.console import Course, duration, steps

COMMANDS = ["demo", "schema", "synthesize", "ledger", "sample", "anonymize", "evaluate", "report"]
BUDGET = ["--epsilon", "2", "--delta", "1e-6"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a small table and its schema, made the current one."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(5)
    n = 400
    smoker = rng.random(n) < 0.3
    table = pa.table(
        {
            "smoker": np.where(smoker, "yes", "no"),
            "job": rng.choice(["clerk", "nurse", "other"], n),
            "age": rng.integers(18, 90, n),
            "coughs": np.where(rng.random(n) < 0.2 + 0.6 * smoker, "yes", "no"),
        }
    )
    pyarrow.csv.write_csv(table, "true.csv")
    pyarrow.parquet.write_table(table, "true.parquet")
    schema = cf.Schema(
        [
            cf.Binary("smoker", ("no", "yes")),
            cf.Categorical("job", ("clerk", "nurse", "other")),
            cf.Numeric("age", 0, 120, bins=8, integer=True),
            cf.Binary("coughs", ("no", "yes")),
        ]
    )
    schema.save("schema.json")
    return tmp_path


def run(*arguments: object) -> Any:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def succeed(*arguments: object) -> Any:
    outcome = run(*arguments)
    assert outcome.exit_code == 0, outcome.output
    return outcome


def refuse(*arguments: object) -> str:
    """Run a command that must leave with status 2, one sentence and no file, and return the sentence."""
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    outcome = run(*arguments)
    assert outcome.exit_code == 2, outcome.output
    assert "Traceback" not in outcome.output
    assert {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()} == before
    lines = outcome.stderr.strip().splitlines()
    last = lines[-1]
    assert last.startswith("error: "), outcome.output
    assert not outcome.stdout
    return last.removeprefix("error: ")


def plain(text: str) -> str:
    """Strip colours and the frame of a help text."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


# ---- help


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str) -> None:
    text = plain(succeed(name, "--help").output)
    assert "Usage:" in text
    assert name in text
    assert "Traceback" not in text


def test_help_lists_the_commands_and_exit_statuses() -> None:
    text = plain(succeed("--help").output)
    for name in COMMANDS:
        assert name in text
    assert "Exit status" in text


def test_version() -> None:
    assert succeed("--version").output.strip() == f"covloss-fast {cf.__version__}"


# ---- schema


def test_a_schema_is_drafted_from_a_public_table_alone(folder: Path) -> None:
    assert "--public" in refuse("schema", "true.csv", "-o", "draft.json")
    succeed("schema", "true.csv", "--public", "-o", "draft.json")
    draft = cf.Schema.load("draft.json")
    assert draft.names == ("smoker", "job", "age", "coughs")
    draft.validate(folder / "true.csv")


def test_a_table_is_checked_against_a_schema(folder: Path) -> None:
    outcome = succeed("schema", "check", "true.csv", "-s", "schema.json")
    assert "true.csv fits schema.json" in outcome.stderr
    value = json.loads(succeed("schema", "check", "true.csv", "-s", "schema.json", "--json").stdout)
    assert value == {"table": "true.csv", "schema": "schema.json", "fits": True}
    Path("bad.csv").write_text("smoker,job,age,coughs\nno,pilot,20,no\nperhaps,clerk,20,no\n")
    sentence = refuse("schema", "check", "bad.csv", "-s", "schema.json")
    assert "'job', line 2" in sentence
    assert "'smoker', line 3" in sentence
    assert "pilot" not in sentence
    assert piped("smoker\n", "schema", "check", "-", "-s", "schema.json").exit_code == 2
    text = plain(succeed("schema", "--help").output)
    assert "check" in text
    assert "draft" in text
    succeed("schema", "draft", "true.csv", "--public", "-o", "draft.json")


# ---- synthesize


@pytest.mark.parametrize("form", ["csv", "csv.gz", "parquet"])
def test_synthesize_writes_a_table_that_obeys_the_schema(folder: Path, form: str) -> None:
    out, source = f"out.{form}", "true.parquet" if form == "parquet" else "true.csv"
    outcome = succeed("synthesize", source, "-s", "schema.json", *BUDGET, "--rows", 50, "-o", out)
    schema = cf.Schema.load("schema.json")
    schema.validate(folder / out)
    assert "epsilon" in outcome.stdout
    assert "epsilon = 2" in outcome.stderr.splitlines()[0]
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        [out, "schema.json", "true.csv", "true.parquet"]
    )
    if form == "csv":
        assert len(Path(out).read_text().splitlines()) == 51


def test_what_will_be_spent_is_said_before_it_is_and_only_if_it_will_be(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("bad.csv").write_text("smoker,job,age,coughs\nno,clerk,20,no\nno,pilot,20,no\n")
    for table in ("bad.csv", "absent.csv", "true.xls"):
        outcome = run("synthesize", table, "-s", "schema.json", *BUDGET, "-o", "out.csv")
        assert outcome.exit_code == 2
        assert "To be spent" not in outcome.stderr

    def fail(*_: Any) -> None:
        raise ValueError("the fit began")

    monkeypatch.setattr(cf.CovLossSynthesizer, "fit", fail)
    outcome = run("synthesize", "true.csv", "-s", "schema.json", *BUDGET, "-o", "out.csv")
    first = outcome.stderr.index("To be spent: epsilon = 2, delta = 1e-06")
    assert first < outcome.stderr.index("error: the fit began")
    assert "number of records is secret" in outcome.stderr
    assert "is large" not in outcome.stderr
    outcome = run(
        "synthesize", "true.csv", "-s", "schema.json", "--epsilon", 1, "--delta", "1e-3", "-o", "o.csv"
    )
    assert outcome.stderr.index("delta = 0.001 is large") < outcome.stderr.index("error: the fit began")


@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError("disk full")])
def test_files_take_their_names_together_or_not_at_all(
    folder: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    arguments = ["synthesize", "true.csv", "-s", "schema.json", *BUDGET, "-o", "o.csv"]
    arguments += ["--release", "r.covloss"]
    for name in ("o.csv", "r.covloss"):
        Path(name).write_text("old")
    before = {path: path.read_bytes() for path in folder.iterdir()}

    def fail(*_: Any) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr("covloss_fast.records.tables._writer", fail)
        assert run(*arguments).exit_code == (130 if isinstance(error, KeyboardInterrupt) else 2)
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
    succeed(*arguments)
    assert cf.load("r.covloss").sample().num_rows == len(Path("o.csv").read_text().splitlines()) - 1


def test_an_output_inside_a_folder_that_is_read_is_refused(folder: Path) -> None:
    Path("parts").mkdir()
    Path("true.parquet").rename("parts/one.parquet")
    common = ["-s", "schema.json", "-o", "parts/out.parquet"]
    assert "folder that is an input" in refuse("synthesize", "parts", *BUDGET, *common)
    assert "folder that is an input" in refuse("anonymize", "parts", "--min-block-size", 9, *common)
    succeed("synthesize", "parts", "-s", "schema.json", *BUDGET, "-o", "out.parquet")


def test_synthesize_json_is_one_object_and_nothing_else(folder: Path) -> None:
    outcome = succeed(
        "synthesize",
        "true.csv",
        "-s",
        "schema.json",
        *BUDGET,
        "-o",
        "o.csv",
        "--release",
        "r.covloss",
        "--json",
    )
    value = json.loads(outcome.stdout)
    assert value["out"] == "o.csv"
    assert value["release"] == "r.covloss"
    assert set(value) == {"out", "release", "ledger", "certificate", "remarks"}
    assert value["remarks"] == []
    assert not outcome.stderr
    assert Path("r.covloss").exists()


def test_a_release_can_be_sampled_again(folder: Path) -> None:
    succeed("synthesize", "true.csv", "-s", "schema.json", *BUDGET, "-o", "o.csv", "--release", "r.covloss")
    again = cf.load("r.covloss").sample(7)
    assert again.num_rows == 7
    assert again.column_names == ["smoker", "job", "age", "coughs"]


def test_a_seed_is_repeatable_and_says_that_it_is_not_private(folder: Path) -> None:
    common = ["synthesize", "true.csv", "-s", "schema.json", *BUDGET, "--seed", "3"]
    one = succeed(*common, "-o", "one.csv", "--release", "one.covloss")
    succeed(*common, "-o", "two.csv", "--release", "two.covloss")
    assert "warning: " in one.stderr
    assert "not private" in one.stderr
    assert Path("one.csv").read_bytes() == Path("two.csv").read_bytes()
    assert Path("one.covloss").read_bytes() == Path("two.covloss").read_bytes()
    for name in ("three.csv", "four.csv"):
        succeed(*common, "--rows", 50, "-o", name)
    assert Path("three.csv").read_bytes() == Path("four.csv").read_bytes()
    quiet = succeed("synthesize", "true.csv", "-s", "schema.json", *BUDGET, "-o", "three.csv")
    assert "warning" not in quiet.stderr


def test_nothing_said_depends_on_the_number_of_records(folder: Path) -> None:
    outcome = succeed("synthesize", "true.csv", "-s", "schema.json", *BUDGET, "--rows", "50", "-o", "out.csv")
    assert "400" not in outcome.stderr


def test_the_papers_method_and_replace_one(folder: Path) -> None:
    pure = ["--epsilon", "2", "--delta", "0", "--method", "paper"]
    succeed(
        "synthesize", "true.csv", "-s", "schema.json", *pure, "--neighbours", "replace_one", "-o", "out.csv"
    )
    sentence = refuse(
        "synthesize", "true.csv", "-s", "schema.json", *BUDGET, "--method", "paper", "-o", "no.csv"
    )
    assert "delta" in sentence


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["absent.csv", "-s", "schema.json", *BUDGET, "-o", "out.csv"], "absent.csv"),
        (["true.csv", "-s", "absent.json", *BUDGET, "-o", "out.csv"], "absent.json"),
        (["true.csv", "-s", "true.csv", *BUDGET, "-o", "out.csv"], "true.csv: not JSON"),
        (["true.csv", "-s", "schema.json", "--epsilon", 0, "--delta", 0, "-o", "out.csv"], "epsilon"),
        (["true.csv", "-s", "schema.json", "--epsilon", "nan", "--delta", 0, "-o", "out.csv"], "epsilon"),
        (["true.csv", "-s", "schema.json", "--epsilon", 1, "--delta", 1, "-o", "out.csv"], "delta"),
        (["true.csv", "-s", "schema.json", *BUDGET, "-o", "out.xls"], "must end in .csv"),
        (["true.csv", "-s", "schema.json", *BUDGET, "-o", "true.csv"], "is an input"),
        (["true.csv", "-s", "schema.json", *BUDGET, "-o", "./true.csv"], "is an input"),
        (["true.csv", "-s", "schema.json", *BUDGET, "-o", "schema.json"], "schema.json"),
        (["true.csv", "-s", "schema.json", *BUDGET, "-o", "nowhere/out.csv"], "nowhere does not exist"),
        (["true.csv", "-s", "schema.json", *BUDGET, "-o", "o.csv", "--release", "o.csv"], "two outputs"),
        (["true.csv", "-s", "schema.json", *BUDGET, "-o", "o.csv", "--release", "."], "is a folder"),
    ],
)
def test_synthesize_refuses_in_one_sentence(folder: Path, arguments: list[object], part: str) -> None:
    assert part in refuse("synthesize", *arguments)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "smoker,job,age,coughs\nno,clerk,20,no\nno,pilot,20,no\n",
            ["job", "line 3", "'clerk', 'nurse', 'other'"],
        ),
        ("smoker,job,age\nno,clerk,20\n", ["coughs"]),
        ("smoker,job,age,coughs\nno,clerk,20\n", ["line 2"]),
        ("", ["empty"]),
        ("smoker,job,age,coughs\n,clerk,20,no\n", ["smoker", "missing"]),
    ],
)
def test_a_bad_table_is_told_by_position_never_by_value(folder: Path, text: str, parts: list[str]) -> None:
    Path("bad.csv").write_text(text)
    sentence = refuse("synthesize", "bad.csv", "-s", "schema.json", *BUDGET, "-o", "out.csv")
    for part in parts:
        assert part in sentence
    assert "pilot" not in sentence


@pytest.mark.parametrize(
    "arguments",
    [
        ["synthesize", "true.csv"],
        ["synthesize", "true.csv", "-s", "schema.json", *BUDGET, "-o", "o.csv", "--rows", "-1"],
        ["synthesize", "true.csv", "-s", "schema.json", *BUDGET, "-o", "o.csv", "--rows", "2.5"],
        ["synthesize", "true.csv", "-s", "schema.json", *BUDGET, "-o", "o.csv", "--threads", "0"],
        ["synthesize", "true.csv", "-s", "schema.json", *BUDGET, "-o", "o.csv", "--neighbours", "mine"],
        ["evaluate", "true.csv", "true.csv", "-s", "schema.json", "--degree", "5"],
        ["no-such-command"],
    ],
)
def test_wrong_usage_has_status_2(folder: Path, arguments: list[str]) -> None:
    outcome = run(*arguments)
    assert outcome.exit_code == 2
    assert "Traceback" not in outcome.output
    assert not Path("o.csv").exists()


# ---- sample


@pytest.fixture
def release(folder: Path) -> Path:
    """A saved release, beside the files of `folder`."""
    succeed("synthesize", "true.csv", "-s", "schema.json", *BUDGET, "-o", "o.csv", "--release", "r.covloss")
    return folder / "r.covloss"


def test_sample_draws_from_a_release(release: Path) -> None:
    for name in ("out.csv", "out.csv.gz", "out.parquet"):
        outcome = succeed("sample", "r.covloss", "--rows", 70, "--seed", 3, "-o", name)
        assert f"Wrote 70 records to {name}." in outcome.stderr
        assert not outcome.stdout
        cf.Schema.load("schema.json").validate(Path(name))
    expected = cf.load("r.covloss").sample(70, random_state=3)
    assert pyarrow.csv.read_csv("out.csv").to_pydict() == expected.to_pydict()
    assert pyarrow.parquet.read_table("out.parquet").to_pydict() == expected.to_pydict()
    succeed("sample", "r.covloss", "-o", "canonical.csv")
    assert Path("canonical.csv").read_bytes() == Path("o.csv").read_bytes()
    value = json.loads(succeed("sample", "r.covloss", "--rows", 5, "-o", "out.csv", "--json").stdout)
    assert value == {"out": "out.csv", "release": "r.covloss", "n_records": 5}
    succeed("sample", "r.covloss", "--rows", 0, "-o", "none.csv")
    assert Path("none.csv").read_text() == '"smoker","job","age","coughs"\n'


def test_sample_writes_to_a_pipe(release: Path) -> None:
    arguments = ["sample", "r.covloss", "--rows", 70, "--seed", 3]
    succeed(*arguments, "-o", "out.csv")
    assert succeed(*arguments, "-o", "-").stdout == Path("out.csv").read_text()
    assert not Path("-").exists()


def test_sample_ends_quietly_when_the_reader_has_gone(release: Path) -> None:
    process = spawn("sample", "r.covloss", "--rows", 300_000, "-o", "-")
    assert process.stdout is not None
    assert process.stdout.readline() == '"smoker","job","age","coughs"\n'
    process.stdout.close()
    assert process.wait(60) == 141
    assert process.stderr is not None
    assert process.stderr.read() == ""
    process.stderr.close()


def test_sample_refuses_in_one_sentence(release: Path) -> None:
    Path("empty").mkdir()
    for arguments, part in (
        (["absent.covloss", "-o", "out.csv"], "absent.covloss"),
        (["empty", "-o", "out.csv"], "is a folder, not a release"),
        (["true.csv", "-o", "out.csv"], "not a readable release"),
        (["r.covloss", "-o", "out.xls"], "must end in .csv"),
        (["r.covloss", "-o", "r.covloss"], "is an input"),
        (["r.covloss", "-o", "absent/out.csv"], "does not exist"),
    ):
        assert part in refuse("sample", *arguments)
    outcome = run("sample", "r.covloss", "-o", "-", "--json")
    assert "choose one" in json.loads(outcome.stdout)["error"]


# ---- faults as JSON


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["schema", "true.csv", "-o", "draft.json"], "--public"),
        (["synthesize", "true.csv", "-s", "absent.json", *BUDGET, "-o", "o.csv"], "absent.json"),
        (["synthesize", "true.csv", "-s", "schema.json", "-o", "o.csv"], "--delta"),
        (["synthesize", "true.csv", "-s", "schema.json", *BUDGET, "-o", "o.csv", "--rows", "x"], "--rows"),
        (["sample", "schema.json", "-o", "o.csv"], "not a readable release"),
        (["anonymize", "true.csv", "-s", "schema.json", "-o", "o.csv"], "exactly one"),
        (["evaluate", "true.csv", "absent.csv", "-s", "schema.json"], "absent.csv: no such file"),
        (["report", "true.csv", "absent.csv", "-s", "schema.json", "-o", "p.html"], "absent.csv"),
        (["demo", "--epsilon", "0"], "epsilon"),
        (["no-such-command"], "no-such-command"),
    ],
)
def test_with_json_a_fault_is_an_object_too(folder: Path, arguments: list[str], part: str) -> None:
    outcome = run(*arguments, "--json")
    assert outcome.exit_code == 2
    value = json.loads(outcome.stdout)
    assert set(value) == {"error", "exit_status"}
    assert value["exit_status"] == 2
    assert part in value["error"]
    assert not outcome.stderr


def test_schema_and_report_print_json(folder: Path) -> None:
    outcome = succeed("schema", "true.csv", "--public", "-o", "draft.json", "--json")
    n_bits = cf.Schema.load("draft.json").layout.n_bits
    assert json.loads(outcome.stdout) == {"out": "draft.json", "n_attributes": 4, "n_bits": n_bits}
    outcome = succeed("report", "true.csv", "true.csv", "-s", "schema.json", "-o", "page.html", "--json")
    value = json.loads(outcome.stdout)
    assert (value["out"], value["private"]) == ("page.html", False)
    assert "not private" in value["note"]
    assert not outcome.stderr


# ---- anonymize


def test_anonymize(folder: Path) -> None:
    common = ["anonymize", "true.csv", "-s", "schema.json"]
    lattice = ["--n-blocks", 10, "--partition", "lattice"]
    for choice in (["--min-block-size", 20], ["--n-blocks", 10], lattice):
        outcome = succeed(*common, *choice, "-o", "masked.csv")
        assert "not differentially private" in outcome.stderr
        assert "values that count as a bound: age: below 0" in " ".join(outcome.stdout.split())
        assert pyarrow.csv.read_csv("masked.csv").num_rows == 400
    value = json.loads(succeed(*common, "--n-blocks", 10, "-o", "masked.csv", "--json").stdout)
    assert set(value) == {"out", "certificate"}
    assert value["certificate"]["n_blocks"] == 10
    assert value["certificate"]["smallest_block"] == value["certificate"]["largest_block"] == 40


def test_anonymize_releases_by_rules(folder: Path) -> None:
    common = ["anonymize", "true.csv", "-s", "schema.json", "--min-block-size", 8, "-o", "masked.csv"]
    assert pyarrow.csv.read_csv("true.csv")["age"].type == pa.int64()
    for options, kind in (
        ([], pa.float64()),
        (["--release", "rounded"], pa.int64()),
        (["--release", "median"], pa.int64()),
        (["--release", "age=median", "--release", "mean"], pa.int64()),
    ):
        succeed(*common, *options)
        masked = pyarrow.csv.read_csv("masked.csv")
        assert masked["age"].type == kind
        names = ["smoker", "job", "age", "coughs"]
        if "mean" in options:
            names = ["smoker=yes", "job=clerk", "job=nurse", "job=other", "age", "coughs=yes"]
        assert masked.column_names == names
    assert "mean publishes shares" in refuse(*common, "--release", "mean", "--report", "p.html")
    assert "got 'best'" in refuse(*common, "--release", "best")
    assert "'income' that is not in the schema" in refuse(*common, "--release", "income=mode")


def test_anonymize_draws_and_shuffles(folder: Path) -> None:
    common = ["anonymize", "true.csv", "-s", "schema.json", "--min-block-size", 8, "--release", "rounded"]
    outcome = succeed(*common, "-o", "masked.csv")
    assert "--shuffle mixes them" in outcome.stderr
    outcome = succeed(*common, "--shuffle", "-o", "mixed.csv")
    assert "--shuffle" not in outcome.stderr
    plain, mixed = (Path(name).read_text().splitlines() for name in ("masked.csv", "mixed.csv"))
    assert plain != mixed
    assert sorted(plain) == sorted(mixed)
    value = json.loads(succeed(*common, "--sample", 5000, "-o", "drawn.parquet", "--json").stdout)
    drawn = pyarrow.parquet.read_table("drawn.parquet")
    assert drawn.num_rows == value["drawn"]["n_records"] == 5000
    assert drawn["age"].type == pa.int64()
    # Drawn levels keep their marginals, modes do not.
    true, job = (each["job"].to_pandas() == "nurse" for each in (pyarrow.csv.read_csv("true.csv"), drawn))
    assert job.mean() == pytest.approx(true.mean(), abs=0.03)
    assert [each["degree"] for each in value["drawn"]["errors"]] == [1, 2, 3]
    assert "Drawn records against true" in succeed(*common, "--sample", 50, "-o", "drawn.csv").stdout
    assert (
        json.loads(succeed(*common, "--sample", 0, "-o", "drawn.csv", "--json").stdout)["drawn"]["errors"]
        == []
    )
    assert "either --shuffle or --sample" in refuse(*common, "--shuffle", "--sample", 3, "-o", "x.csv")


def test_anonymize_certifies(folder: Path) -> None:
    common = ["anonymize", "true.csv", "-s", "schema.json", "--n-blocks", 20, "-o", "masked.csv"]
    options = ["--sensitive", "job", "--quasi-identifier", "age", "--quasi-identifier", "smoker"]
    succeed(*common, *options, "--certificate", "certificate.json", "--report", "page.html")
    certificate = json.loads(Path("certificate.json").read_text())["certificate"]
    assert certificate["risk"]["sensitive"] == "job"
    assert certificate["risk"]["quasi_identifiers"] == ["smoker", "age"]
    assert certificate["released"]["smallest"] >= 20
    page = Path("page.html").read_text()
    assert "Masked table beside the true one" in page
    assert "not differential privacy" in page
    assert "no column 'income'" in refuse(*common, "--sensitive", "income")


def test_anonymize_weighs_and_keeps_strata_apart(folder: Path) -> None:
    table = pyarrow.csv.read_csv("true.csv")
    region = np.where(np.arange(400) % 4 == 0, "north", "south")
    weight = np.where(np.arange(400) % 2 == 0, 50.0, 1.0)
    wide = table.append_column("region", pa.array(region)).append_column("weight", pa.array(weight))
    pyarrow.csv.write_csv(wide, "wide.csv")
    common = ["anonymize", "wide.csv", "-s", "schema.json", "--min-block-size", 8, "-o", "masked.csv"]
    assert "does not declare" in refuse(*common)
    succeed(*common, "--weights", "weight", "--strata", "region")
    masked = pyarrow.csv.read_csv("masked.csv")
    assert masked.column_names == table.column_names
    age, true = masked["age"].to_numpy(), table["age"].to_numpy()
    for name in ("north", "south"):  # weighted sums of strata are kept
        mine = region == name
        shares = np.average(true[mine], weights=weight[mine])
        assert np.average(age[mine], weights=weight[mine]) == pytest.approx(shares)
    assert not set(age[region == "north"]) & set(age[region == "south"])
    assert "no column 'mass'" in refuse(*common, "--weights", "mass")


def test_anonymize_reads_missing_values_as_declared(folder: Path) -> None:
    schema = cf.Schema([cf.Numeric("age", 0, 120, missing="level"), cf.Binary("smoker", ("no", "yes"))])
    schema.save("small.json")
    lines = [f"{'' if i % 5 == 0 else 20 + i % 50},{'yes' if i % 3 else 'no'}" for i in range(100)]
    Path("holes.csv").write_text("\n".join(["age,smoker", *lines, ""]))
    common = ["anonymize", "holes.csv", "-s", "small.json", "--min-block-size", 4, "-o", "masked.csv"]
    value = json.loads(succeed(*common, "--json").stdout)["certificate"]
    assert (value["missing"], value["released"]["smallest_strict"]) == ("level", 1)
    assert value["released"]["smallest"] >= 4
    assert pyarrow.csv.read_csv("masked.csv")["age"].null_count >= 4
    value = json.loads(succeed(*common, "--missing", "strictest", "--json").stdout)["certificate"]
    assert value["missing"] == "strictest"
    assert (
        value["released"]["smallest_strict"] == value["released"]["smallest"] >= value["fewest_averaged"] >= 4
    )
    assert pyarrow.csv.read_csv("masked.csv")["age"].null_count == 0


@pytest.mark.parametrize(
    ("choice", "part"),
    [
        ([], "exactly one"),
        (["--min-block-size", 5, "--n-blocks", 5], "exactly one"),
        (["--min-block-size", 401], "401"),
        (["--n-blocks", 5, "--missing", "strictest"], "goes with min_block_size"),
        (["--min-block-size", 5, "--partition", "lattice"], "goes with --n-blocks"),
    ],
)
def test_anonymize_refuses(folder: Path, choice: list[object], part: str) -> None:
    assert part in refuse("anonymize", "true.csv", "-s", "schema.json", *choice, "-o", "masked.csv")


# ---- evaluate, report


def test_evaluate_measures_and_says_that_it_is_not_private(folder: Path) -> None:
    outcome = succeed("evaluate", "true.csv", "true.parquet", "-s", "schema.json")
    assert "not private" in outcome.stdout
    value = json.loads(succeed("evaluate", "true.csv", "true.parquet", "-s", "schema.json", "--json").stdout)
    assert value["private"] is False
    assert "not private" in value["note"]
    clamping = ["age: below 0 as 0, above 120 as 120"]
    assert value["clamped"] == clamping
    assert f"In both tables, values that count as a bound: {clamping[0]}" in outcome.stdout
    assert [row["degree"] for row in value["errors"]] == [1, 2, 3]
    assert all(row["rms"] == row["max"] == row["attribute_tv"] == 0 for row in value["errors"])
    Path("other.csv").write_text("smoker,job,age,coughs\nyes,clerk,20,no\n")
    value = json.loads(
        succeed("evaluate", "true.csv", "other.csv", "-s", "schema.json", "--degree", 1, "--json").stdout
    )
    assert value["errors"][0]["rms"] > 0.2


def test_report_writes_one_page(folder: Path) -> None:
    succeed("synthesize", "true.csv", "-s", "schema.json", *BUDGET, "-o", "o.csv", "--release", "r.covloss")
    outcome = succeed(
        "report", "true.csv", "o.csv", "-s", "schema.json", "--release", "r.covloss", "-o", "page.html"
    )
    assert "not private" in outcome.stderr
    text = Path("page.html").read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert "differentially private" in text
    assert "is an input" in refuse("report", "true.csv", "o.csv", "-s", "schema.json", "-o", "o.csv")


# ---- dry run


def test_a_dry_run_reads_no_table_and_writes_nothing(folder: Path) -> None:
    before = sorted(folder.iterdir())
    arguments = ["synthesize", "absent.csv", "-s", "schema.json", *BUDGET, "-o", "out.csv", "--dry-run"]
    text = succeed(*arguments).stdout
    assert "nothing has been read or spent" in text
    assert "epsilon = 2, delta = 1e-06" in text
    assert "number of records" in text
    assert "NOT PRIVATE" not in text
    assert "NOT PRIVATE" in succeed(*arguments, "--seed", 1).stdout
    assert "is large" not in text
    assert "delta = 0.01 is large" in succeed(*arguments, "--delta", "0.01").stdout
    plan = json.loads(succeed(*arguments, "--json").stdout)
    assert plan["neighbours"] == "add_or_remove_one"
    assert [each["n"] for each in plan["forecast"]] == [10**4, 10**5, 10**6, 10**7]
    assert "10,000,000" in text
    assert plan["mechanisms"][0] == {
        "query": "number of records",
        "l1": "1",
        "l2_squared": "1",
        "least_share": "3/100",
        "distribution": "discrete Gaussian",
        "largest_scale": plan["mechanisms"][0]["largest_scale"],
    }
    assert sorted(folder.iterdir()) == before


def test_a_dry_run_refuses_what_a_run_would(folder: Path) -> None:
    arguments = ["synthesize", "true.csv", "-s", "schema.json", "-o", "out.csv", "--dry-run"]
    assert "epsilon must be" in refuse(*arguments, "--epsilon", 0, "--delta", "1e-6")
    assert "delta must be 0" in refuse(*arguments, "--epsilon", 1, "--delta", "1e-6", "--method", "paper")
    assert "too small" in refuse(*arguments, "--epsilon", "1e-18", "--delta", 0)


def test_a_table_that_cannot_fit_is_refused_in_a_sentence(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("covloss_fast.synthesizer.available_memory", lambda: 1_000)
    message = refuse("synthesize", "true.csv", "-s", "schema.json", *BUDGET, "-o", "out.csv")
    assert "nothing has been read or spent" in message
    assert not Path("out.csv").exists()


def test_a_dry_run_needs_no_output_and_tells_of_a_large_delta(folder: Path) -> None:
    arguments = ["synthesize", "absent.csv", "-s", "schema.json", "--epsilon", 1, "--delta", "0.01"]
    assert "nothing has been read" in succeed(*arguments, "--dry-run").stdout
    (remark,) = json.loads(succeed(*arguments, "--dry-run", "--json").stdout)["remarks"]
    assert "delta = 0.01 is large" in remark
    assert "--dry-run" in refuse(*arguments)
    plan = succeed("synthesize", "-", "-s", "schema.json", *BUDGET, "-o", "-", "--dry-run", "--json")
    assert json.loads(plan.stdout)["remarks"] == []


# ---- pipes


def piped(text: str | bytes, *arguments: object) -> Any:
    return CliRunner().invoke(app, [str(argument) for argument in arguments], input=text)


def test_a_table_goes_through_pipes(folder: Path) -> None:
    text = Path("true.csv").read_bytes()
    outcome = piped(
        text, "synthesize", "-", "-s", "schema.json", *BUDGET, "-o", "-", "--release", "r.covloss"
    )
    assert outcome.exit_code == 0, outcome.output
    made = pyarrow.csv.read_csv(pa.BufferReader(outcome.stdout.encode()))
    assert made.column_names == ["smoker", "job", "age", "coughs"]
    assert made.num_rows == cf.load("r.covloss").sample().num_rows
    assert "Privacy ledger" in outcome.stderr
    assert "standard output" in outcome.stderr
    outcome = piped(text, "anonymize", "-", "-s", "schema.json", "--min-block-size", 9, "-o", "-")
    assert outcome.exit_code == 0, outcome.output
    assert pyarrow.csv.read_csv(pa.BufferReader(outcome.stdout.encode())).num_rows == 400
    assert "blocks" in outcome.stderr
    for pair in (["-", "true.csv"], ["true.csv", "-"]):
        outcome = piped(text, "evaluate", *pair, "-s", "schema.json", "--json")
        assert {row["rms"] for row in json.loads(outcome.stdout)["errors"]} == {0.0}
    outcome = piped(text, "report", "true.csv", "-", "-s", "schema.json", "-o", "-")
    assert outcome.stdout.startswith("<!DOCTYPE html>")
    assert outcome.stdout.endswith("</html>\n")
    outcome = piped(text, "schema", "-", "--public", "-o", "-")
    assert cf.Schema.from_dict(json.loads(outcome.stdout)).names == ("smoker", "job", "age", "coughs")
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        ["r.covloss", "schema.json", "true.csv", "true.parquet"]
    )


def test_a_fault_in_a_pipe_is_told_by_line(folder: Path) -> None:
    arguments = ["synthesize", "-", "-s", "schema.json", *BUDGET, "-o", "out.csv"]
    head = "smoker,job,age,coughs\n"
    for text, part in (
        (head + "no,clerk,20,no\nno,pilot,20,no\n", "line 3"),
        (head + "no,clerk\n", "standard input: line 2: expected 4 cells"),
        ("", "standard input: line 1: expected a header"),
        (head.encode() + b"no,\xff,1,no\n", "not UTF-8"),
    ):
        outcome = piped(text, *arguments)
        assert outcome.exit_code == 2
        assert part in outcome.stderr
        assert "pilot" not in outcome.stderr
        assert not outcome.stdout


def test_there_is_one_pipe_each_way(folder: Path) -> None:
    common = ["-s", "schema.json"]
    assert "one input" in refuse("evaluate", "-", "-", *common)
    assert "a release is not text" in refuse("sample", "-", "-o", "out.csv")
    assert "a release is not text" in refuse(
        "synthesize", "true.csv", *common, *BUDGET, "-o", "out.csv", "--release", "-"
    )
    size = ["--min-block-size", 9]
    assert "name files" in refuse("anonymize", "true.csv", *common, *size, "-o", "o.csv", "--report", "-")
    for arguments in (
        ["synthesize", "true.csv", *common, *BUDGET],
        ["anonymize", "true.csv", *common, *size],
        ["report", "true.csv", "true.csv", *common],
        ["schema", "true.csv", "--public"],
    ):
        outcome = run(*arguments, "-o", "-", "--json")
        assert outcome.exit_code == 2
        assert "choose one" in json.loads(outcome.stdout)["error"]


def test_a_release_is_kept_although_the_reader_of_the_table_has_gone(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr("covloss_fast.cli.commands.write_csv", gone)
    monkeypatch.setattr("os.dup2", lambda *_: None)
    arguments = ["synthesize", "true.csv", "-s", "schema.json", *BUDGET, "-o", "-", "--release", "r.covloss"]
    assert run(*arguments).exit_code == 141
    assert cf.load("r.covloss").sample(3).num_rows == 3


# ---- other budgets, conditions


def test_a_budget_may_be_given_in_rho_and_for_persons_with_several_records(folder: Path) -> None:
    common = ["synthesize", "true.csv", "-s", "schema.json", "--delta", "1e-9"]
    outcome = succeed(*common, "--rho", "0.05", "--max-records-per-person", 3, "-o", "o.csv", "--json")
    ledger = json.loads(outcome.stdout)["ledger"]
    assert ledger["max_records_per_person"] == 3
    text = succeed(*common, "--rho", "0.05", "--max-records-per-person", 3, "-o", "o.csv").stderr
    assert "rho = 0.05 in zCDP" in text
    assert "up to 3 records of a person added or removed" in text
    assert "rho = 0.05" in succeed(*common, "--rho", "0.05", "--dry-run").stdout
    assert "not both" in refuse(*common, "--rho", "0.05", "--epsilon", 1, "-o", "o.csv")
    assert "epsilon" in refuse(*common, "-o", "o.csv")


def test_sample_obeys_conditions(release: Path) -> None:
    common = ["sample", "r.covloss", "-o", "out.csv", "--rows", 80]
    succeed(*common, "--where", "smoker=yes", "--where", "job=clerk", "--where", "job=nurse")
    made = pyarrow.csv.read_csv("out.csv")
    assert made.num_rows == 80
    assert set(made["smoker"].to_pylist()) == {"yes"}
    assert set(made["job"].to_pylist()) <= {"clerk", "nurse"}
    succeed(*common, "--where", "age=33")
    assert set(pyarrow.csv.read_csv("out.csv")["age"].to_pylist()) <= set(range(30, 45))
    for condition, part in (
        ("smoker", "COLUMN=LEVEL"),
        ("income=1", "a column of the schema"),
        ("age=old", "no number of column 'age'"),
        ("job=pilot", "'pilot' is no level of 'job'"),
    ):
        Path("out.csv").unlink(missing_ok=True)
        assert part in refuse(*common, "--where", condition)


# ---- whole numbers


@pytest.mark.parametrize("text", ["2.0", "1e6", "x", "", "0x10", "-1", "1,000", "nan"])
@pytest.mark.parametrize(
    "option", ["--rows", "--seed", "--threads", "--degree", "--min-block-size", "--n-blocks", "--effort"]
)
def test_whole_numbers_are_said_to_be_expected(folder: Path, option: str, text: str) -> None:
    name = {"--rows": "sample", "--seed": "sample", "--threads": "sample", "--degree": "evaluate"}
    outcome = run(name.get(option, "anonymize"), f"{option}={text}", "--json")
    assert outcome.exit_code == 2
    message = json.loads(outcome.stdout)["error"]
    assert message.startswith(f"Invalid value for '{option}': expected a whole number ("), message
    assert message.endswith(text if text == "-1" else f"got {text!r}")


# ---- completion


@pytest.mark.parametrize(
    ("words", "parts"),
    [("", ["synthesize", "anonymize"]), ("synthesize --ep", ["--epsilon"]), ("evaluate --de", ["--degree"])],
)
def test_a_shell_can_complete_commands_and_options(words: str, parts: list[str]) -> None:
    code = "from covloss_fast.cli import main; main()"
    line = f"covloss-fast {words}"
    environment = {
        **os.environ,
        "_COVLOSS_FAST_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(line.split(" ")) - 1),
    }
    outcome = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    for part in parts:
        assert part in outcome.stdout.split()
    assert not outcome.stderr


# ---- a page of a release alone


def test_the_page_of_a_release_needs_no_table(folder: Path) -> None:
    succeed("synthesize", "true.csv", "-s", "schema.json", *BUDGET, "-o", "o.csv", "--release", "r.covloss")
    for name in ("true.csv", "true.parquet", "o.csv", "schema.json"):
        Path(name).unlink()
    outcome = succeed("report", "--private", "--release", "r.covloss", "-o", "page.html", "--json")
    assert json.loads(outcome.stdout)["private"] is True
    assert "made from the release alone" in Path("page.html").read_text(encoding="utf-8")
    assert "a release alone" in refuse("report", "--private", "-o", "other.html")
    Path("x.csv").touch()
    assert "no table" in refuse(
        "report", "x.csv", "x.csv", "--private", "--release", "r.covloss", "-o", "other.html"
    )
    assert "give TRUE, SYNTHETIC and --schema" in refuse("report", "x.csv", "-o", "other.html")


# ---- time left


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_time_left_is_told_by_the_pace_of_earlier_steps() -> None:
    clock = Clock()
    course = Course([1.0, 4.0, 2.0], clock=clock)
    course.begin()
    assert course.left() is None
    clock.now = 3.0  # three times as long as expected
    course.begin()
    assert course.left() == 18.0
    assert course.done() == pytest.approx(3 / 21)
    clock.now = 9.0
    assert course.left() == 12.0
    clock.now = 30.0  # longer than it should: nothing is known any more
    assert course.left() is None
    assert course.done() == 0
    course.begin()
    assert course.left() == pytest.approx(30 / 5 * 2)
    clock.now = 100.0
    course.reach(0.25)  # what came before was preparation
    assert course.left() is None
    clock.now = 120.0
    course.reach(0.5)
    assert course.left() == 40.0


def test_time_left_follows_from_how_long_reading_took() -> None:
    clock = Clock()
    course = Course([1.0, 4.0], lambda reading: [10 * reading], clock=clock)
    course.begin()
    clock.now = 2.0
    course.begin()
    assert course.left() == 20.0


def test_durations_are_no_more_exact_than_foresight() -> None:
    shown = [duration(seconds) for seconds in (0.2, 5.4, 89, 100, 5000, 9000)]
    assert shown == ["1 s", "5 s", "89 s", "2 min", "83 min", "2.5 h"]


def test_the_bar_shows_the_time_that_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, width=100)
    monkeypatch.setattr("covloss_fast.cli.console.remarks", lambda: console)
    with steps([0.0, 120.0]) as step:
        step("reading [with brackets]")
        step("fitting")
    assert "reading [with brackets]" in stream.getvalue()
    with steps([1e-9, 120.0], lambda _: [300.0]) as step:
        step("reading")
        step("fitting")
        time.sleep(0.2)
    assert "about 5 min left" in stream.getvalue()


# ---- the process


def spawn(*arguments: object, **keywords: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", "from covloss_fast.cli import main; main()", *map(str, arguments)]
    return subprocess.Popen(
        command,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **keywords,
    )  # type: ignore[call-overload,no-any-return]


def test_the_process_shows_no_progress_where_there_is_no_terminal(folder: Path) -> None:
    process = spawn("evaluate", "true.csv", "true.csv", "-s", "schema.json", "--json")
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert json.loads(out)["errors"]
    assert err == ""


SPEND = ["synthesize", "true.csv", "-s", "schema.json", "--ledger", "ledger.json", "--delta", "0"]


def begin_ledger(*more: object) -> None:
    succeed("ledger", "new", "ledger.json", "--epsilon", "2", "--delta", "0", *more)


def test_releases_share_the_budget_of_a_ledger(folder: Path) -> None:
    begin_ledger()
    outcome = succeed(*SPEND, "--epsilon", "1.5", "-o", "one.csv", "--release", "one.covloss")
    assert "ledger.json: epsilon = 2 is left of 2" in outcome.stderr
    kept = cf.PrivacyLedger.load("ledger.json")
    assert kept == cf.load("one.covloss").ledger_
    assert kept.entries
    Path("true.csv").unlink()  # refused before the table is opened
    sentence = refuse(*SPEND, "--epsilon", "1", "-o", "two.csv")
    assert "the fit asks for epsilon = 1, of the ledger's epsilon = 2 there is 0.5 left" in sentence
    shown = succeed("ledger", "show", "ledger.json").stdout
    assert "epsilon = 0.5 is left for further fits" in shown
    told = json.loads(succeed("ledger", "show", "ledger.json", "--json").stdout)
    assert (told["n_fits"], told["left"]) == (1, {"epsilon": "1/2"})
    assert cf.PrivacyLedger.from_dict(told["ledger"]) == kept
    begun = json.loads(
        succeed("ledger", "new", "rho.json", "--rho", "0.1", "--delta", "1e-9", "--json").stdout
    )
    assert float(cf.Budget(rho=0.1, delta=1e-9).rho) == float(Fraction(begun["left"]["rho"]))
    plan = succeed(*SPEND[:5], "rho.json", "--delta", "1e-9", "--epsilon", "1", "--dry-run").stdout
    assert "rho = 0.1 is left of 0.1 (about epsilon = 2.7" in plan


def test_a_dry_run_leaves_a_ledger_as_it_is(folder: Path) -> None:
    begin_ledger()
    Path(".ledger.json.lock").unlink()
    before = Path("ledger.json").read_bytes()
    text = succeed(*SPEND, "--epsilon", "1.5", "--dry-run").stdout
    assert "ledger.json: epsilon = 2 is left of 2; a dry run charges nothing" in text
    told = json.loads(succeed(*SPEND, "--epsilon", "1.5", "--dry-run", "--json").stdout)
    assert told["ledger"]["left"] == {"epsilon": "2"}
    assert "there is 2 left" in refuse(*SPEND, "--epsilon", "2.5", "--dry-run")
    assert Path("ledger.json").read_bytes() == before
    assert not Path(".ledger.json.lock").exists()


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (None, "ledger.json: no such file or directory"),
        ("", "ledger.json: the privacy ledger is not JSON"),
        ('{"format": "covloss_fast privacy', "ledger.json: the privacy ledger is not JSON"),
        ("[]", "ledger.json: expected a 'covloss_fast privacy ledger'"),
        ("\x00\ufffe", "ledger.json: "),
    ],
)
def test_what_is_no_ledger_is_refused(folder: Path, content: str | None, part: str) -> None:
    if content is not None:
        Path("ledger.json").write_text(content, encoding="utf-16" if "\x00" in content else "utf-8")
    assert part in refuse("ledger", "show", "ledger.json")
    for more in (["--dry-run"], ["-o", "one.csv"]):
        assert part in refuse(*SPEND, "--epsilon", "1", *more)


def test_faults_about_ledgers_are_one_sentence(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begin_ledger("--neighbours", "replace_one", "--max-records-per-person", "3")
    one = [*SPEND, "--epsilon", "1", "-o", "one.csv"]
    assert "its ledger is for replace_one neighbours" in refuse(*one)
    assert "with at most 3 records" in refuse(*one, "--neighbours", "replace_one")
    assert "is a directory" in refuse("ledger", "show", ".")
    assert "FILE names it" in refuse("ledger", "show", "-")
    assert "FILE names it" in refuse("ledger", "new", "-", "--epsilon", "1", "--delta", "0")
    assert "--ledger names it" in refuse(*SPEND[:5], "-", "--delta", "0", "--epsilon", "1", "-o", "one.csv")
    assert "is an input" in refuse(*SPEND, "--epsilon", "1", "-o", "one.csv", "--release", "ledger.json")
    new = ["ledger", "new", "ledger.json", "--delta", "0"]
    assert "exists already" in refuse(*new, "--epsilon", "9")
    assert "epsilon" in refuse(*new)
    assert "nowhere does not exist" in refuse("ledger", "new", "nowhere/l.json", *new[3:], "--epsilon", "1")
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK or path.name != "ledger.json")
    assert "may be read-only" in refuse(*one)


def test_two_commands_at_once_do_not_both_spend_the_last(folder: Path) -> None:
    begin_ledger()
    processes = [spawn(*SPEND, "--epsilon", "2", "-o", f"{i}.csv") for i in range(2)]
    told = [process.communicate(timeout=60)[1] for process in processes]
    assert sorted(process.returncode for process in processes) == [0, 2], told
    assert sum("there is 0 left" in each for each in told) == 1
    assert len(cf.PrivacyLedger.load("ledger.json").fits) == 1
    assert len(list(folder.glob("[01].csv"))) == 1


def test_a_fit_that_is_interrupted_stays_in_the_ledger(folder: Path) -> None:
    begin_ledger()
    process = spawn(*SPEND, "--epsilon", "2", "--rows", 300_000_000, "-o", "out.csv")
    while not cf.PrivacyLedger.load("ledger.json").fits:
        assert process.poll() is None
        time.sleep(0.01)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "no file was changed but the ledger's, where the fit counts as spent" in told
    assert "Traceback" not in told
    assert len(cf.PrivacyLedger.load("ledger.json").fits) == 1
    assert not [path for path in folder.iterdir() if path.suffix == ".tmp" or path.name == "out.csv"]


def test_an_interrupt_leaves_no_file_behind(folder: Path) -> None:
    """A table of several seconds' work, interrupted in the middle of it."""
    n = 3_000_000
    rng = np.random.default_rng(1)
    job = pa.DictionaryArray.from_arrays(rng.integers(0, 3, n, np.int32), ["clerk", "nurse", "other"])
    flag = pa.DictionaryArray.from_arrays(rng.integers(0, 2, n, np.int32), ["no", "yes"])
    table = pa.table({"smoker": flag, "job": job, "age": rng.integers(0, 99, n), "coughs": flag})
    pyarrow.parquet.write_table(table, "long.parquet")
    before = sorted(path.name for path in folder.iterdir())
    process = spawn(
        *["synthesize", "long.parquet", "-s", "schema.json", *BUDGET, "--rows", 300_000_000],
        *["-o", "out.csv", "--release", "out.covloss"],
    )
    assert process.stderr is not None
    assert "To be spent" in process.stderr.readline()
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    _, err = process.communicate(timeout=60)
    assert time.monotonic() - began < 5
    assert process.returncode == 130
    assert "interrupted" in err
    assert "Traceback" not in err
    assert sorted(path.name for path in folder.iterdir()) == before


@pytest.mark.parametrize("name", ["typer", "matplotlib"])
def test_a_missing_extra_is_named(folder: Path, name: str) -> None:
    """With the module hidden, the command says what to install."""
    code = f"import sys; sys.modules[{name!r}] = None; from covloss_fast.cli import main; main()"
    outcome = subprocess.run(
        [
            sys.executable,
            "-c",
            code,
            "report",
            "true.csv",
            "true.csv",
            "-s",
            "schema.json",
            "-o",
            "page.html",
        ],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NO_COLOR": "1"},
    )
    assert outcome.returncode == 2
    assert name in outcome.stderr
    assert "pip install 'covloss-fast[" in outcome.stderr
    assert "Traceback" not in outcome.stderr
    assert not Path("page.html").exists()


def test_a_fault_of_the_program_keeps_its_traceback(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("covloss_fast.cli.commands.marginal_error", broken)
    outcome = run("evaluate", "true.csv", "true.csv", "-s", "schema.json")
    assert isinstance(outcome.exception, RuntimeError)


# ---- demo


def test_demo_does_it_all(folder: Path) -> None:
    outcome = succeed("demo", "--out", "demo")
    made = sorted(path.name for path in Path("demo").iterdir())
    assert made == sorted(
        ["ADULT.md", "adult.covloss", "adult.csv.gz", "report.html", "schema.json", "synthetic.csv"]
    )
    schema = cf.Schema.load("demo/schema.json")
    schema.validate(Path("demo/synthetic.csv"))
    assert "RMS error" in outcome.stdout
    assert "not private" in outcome.stdout
    assert "differentially private" in Path("demo/report.html").read_text(encoding="utf-8")
    assert "covloss-fast evaluate" in outcome.stderr


def test_demo_refuses_before_it_writes(folder: Path) -> None:
    Path("file").write_text("")
    assert "is a file" in refuse("demo", "--out", "file")
    assert "epsilon" in refuse("demo", "--epsilon", "0", "--out", "demo")
    assert not Path("demo").exists()
