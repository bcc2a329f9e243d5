"""The commands, each a walk from files to files.

All that can be wrong is looked for before any work, and before any privacy budget is spent: names of files,
arguments, the schema, then the table. Under "add_or_remove_one" nothing that ``synthesize`` prints depends on
the exact number of records.
"""

from __future__ import annotations

import csv
import json
import os
import sys
from collections.abc import Iterator, Sequence
from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import typer
from rich.console import Console
from rich.table import Table
from typer.core import TyperGroup

from covloss_fast import report as pages
from covloss_fast._config import __version__
from covloss_fast._files import written_whole
from covloss_fast._text import clamping_text
from covloss_fast._threads import resolve_n_threads
from covloss_fast.cli.console import (
    PIPE,
    Commands,
    check_outputs,
    command,
    counted,
    print_json,
    remarks,
    result,
    say,
    steps,
    table_of,
)
from covloss_fast.cli.interrupts import charging, writing
from covloss_fast.metrics import attribute_tv, marginal_error
from covloss_fast.microaggregation import Microaggregator
from covloss_fast.privacy.accounting import Budget, delta_remark, epsilon_from_rho
from covloss_fast.privacy.ledger import Neighbours, budget_to_dict
from covloss_fast.privacy.ledger_file import LedgerFile
from covloss_fast.records.batches import open_records
from covloss_fast.records.encoding import encode
from covloss_fast.records.releasing import RULES
from covloss_fast.records.spelling import as_in_file
from covloss_fast.records.tables import (
    Columns,
    CsvText,
    Factored,
    file_format,
    read,
    without,
    write_atomic,
    write_batches,
    write_csv,
)
from covloss_fast.schema import Attribute, Numeric, Schema
from covloss_fast.synthesizer import CovLossSynthesizer, load

app = typer.Typer(
    name="covloss-fast",
    cls=Commands,
    help="Private synthetic tables and anonymous tables. Tables are CSV (also .csv.gz) or Parquet files, "
    "- is CSV through a pipe.",
    epilog="Exit status: 0 done, 2 bad input (said in one sentence; with --json as a JSON object), 130 "
    "interrupted, 141 the reader of a pipe has gone, 1 fault of the program (with a traceback).",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)

#: Numbers of records that a dry run tells of.
FORECAST_RECORDS = (10_000, 100_000, 1_000_000, 10_000_000)
#: Reading a cell of a file takes about so long, and writing one.
CELL_SECONDS = 3e-8
#: Records whose fit the progress bar expects before it has seen how long reading takes.
USUAL_RECORDS = 100_000
#: Records that are written at a time.
WRITTEN_ROWS = 65_536
#: Records of a certified table, at most.
MOST_CANONICAL = 1_000_000
NOT_PRIVATE = (
    "This was made from the true table and is not private: do not publish it with the synthetic table."
)

TableArgument = Annotated[
    Path, typer.Argument(metavar="TABLE", help="The table; - is CSV from standard input.", show_default=False)
]
TrueArgument = Annotated[
    Path, typer.Argument(metavar="TRUE", help="The true table, or -.", show_default=False)
]
SyntheticArgument = Annotated[
    Path, typer.Argument(metavar="SYNTHETIC", help="The synthetic table, or -.", show_default=False)
]
SchemaOption = Annotated[
    Path, typer.Option("--schema", "-s", help="Schema (JSON, TOML): what is public.", show_default=False)
]
OutOption = Annotated[
    Path,
    typer.Option("--out", "-o", help="File to write; - is standard output, as CSV.", show_default=False),
]
PageOption = Annotated[
    Path, typer.Option("--out", "-o", help="Page to write; - is standard output.", show_default=False)
]
ReleaseOption = Annotated[
    Path | None, typer.Option("--release", help="Release file: draw from it again at no cost.")
]
NeighboursOption = Annotated[
    Neighbours, typer.Option(help="Whom the guarantee protects: one record's presence, or its values.")
]
PersonOption = Annotated[int, counted("Protect a person with up to so many records.", 1)]
DegreeOption = Annotated[
    int,
    counted("Largest degree of marginals.", 1, 4, name="--degree"),
]
RowsOption = Annotated[
    int | None,
    counted("Records to draw; by default the table that is certified.", 0),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
ThreadsOption = Annotated[
    int | None,
    counted("Threads; by default all that may be used.", 1, name="--threads"),
]


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"covloss-fast {__version__}")
        raise typer.Exit


@app.callback()
def _global(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Private synthetic tables and anonymous tables.

    Tables are CSV (also .csv.gz) or Parquet files, - is CSV through a pipe.
    """


# ---- demo


@app.command()
@command
def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder to write to.")] = Path("covloss-demo"),
    epsilon: Annotated[float, typer.Option(help="Privacy budget.")] = 1.0,
    delta: Annotated[float, typer.Option(help="Probability that the bound may fail.")] = 1e-9,
    as_json: JsonOption = False,
) -> None:
    """Make a private synthetic copy of the bundled census table, and a report.

    The table is the training part of Adult (32,561 persons, UCI, CC BY 4.0). Its schema was written by hand
    from public documentation. Everything is left in one folder, to be tried with the other commands.
    """
    if out.exists() and not out.is_dir():
        raise ValueError(f"{out}: is a file; --out names a folder")
    Budget(epsilon, delta)
    out.mkdir(parents=True, exist_ok=True)
    with as_file(files("covloss_fast") / "data") as bundled:
        for source, target in (
            ("adult.csv.gz", "adult.csv.gz"),
            ("adult-schema.json", "schema.json"),
            ("ADULT.md", "ADULT.md"),
        ):
            with writing(), written_whole(out / target) as file:
                file.write((bundled / source).read_bytes())
    table, schema_file = out / "adult.csv.gz", out / "schema.json"
    synthetic, release, page = out / "synthetic.csv", out / "adult.covloss", out / "report.html"
    schema = Schema.load(schema_file)
    if not as_json:
        say(f"The table: {table}, 13 attributes of 32,561 persons. Its schema: {schema_file}.")
    budget: dict[str, Any] = {"epsilon": epsilon, "delta": delta}
    seconds = _Course(CovLossSynthesizer(schema, **budget), None).seconds(32_561)  # public
    with steps([*seconds, 0.2 * seconds[1], 0.2 * seconds[1]]) as step:
        synthesizer = _synthesize(step, table, schema, budget, None, synthetic, release, quiet=as_json)
        step("comparing with the true table")
        evaluation = _evaluate(table, synthetic, schema, 3, None)
        step("drawing the report")
        _write_page(page, pages.build(table, synthetic, schema, release=synthesizer))
    if as_json:
        print_json(
            {
                **_release_summary(synthesizer, synthetic, release),
                "evaluation": evaluation,
                "report": str(page),
            }
        )
        return
    console = result()
    console.print(_head(synthetic, ["age", "education", "occupation", "sex", "income"]))
    _print_release(synthesizer, console)
    _print_evaluation(evaluation)
    say(f"\nWritten to {out}: {synthetic.name}, {release.name}, and {page.name} to open in a browser.")
    say("Go on with, for example:")
    say(f"  covloss-fast evaluate {table} {synthetic} --schema {schema_file}")
    say(
        f"  covloss-fast anonymize {table} --schema {schema_file} --min-block-size 50 -o {out / 'masked.csv'}"
    )


def _head(path: Path, names: list[str], n_rows: int = 6) -> Table:
    """Show some columns of the first synthetic records."""
    import pyarrow.csv

    first = pyarrow.csv.read_csv(path).slice(0, n_rows).select(names)
    grid = Table(title="The first synthetic records", title_justify="left")
    for name in first.column_names:
        grid.add_column(name)
    for row in first.to_pylist():
        grid.add_row(*("" if value is None else str(value) for value in row.values()))
    return grid


# ---- schema


class _SchemaCommands(TyperGroup):
    """Commands about schemas; what does not name one of them is a table to draft from."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments."""
        if args and args[0] not in (*self.commands, *ctx.help_option_names):
            args = ["draft", *args]
        return super().parse_args(ctx, args)


schemas = typer.Typer(
    cls=_SchemaCommands,
    no_args_is_help=True,
    help="Draft a schema: schema TABLE --public -o S. Check a table against one: schema check TABLE -s S.",
)
app.add_typer(schemas, name="schema")


@schemas.command()
@command
def check(table: TableArgument, schema: SchemaOption, as_json: JsonOption = False) -> None:
    """Say whether a table fits a schema, and if not, where: every column at fault with its first record.

    Nothing is spent. Places of faults are said of private records too: they are for the curator.
    """
    check_outputs([], [table, schema])
    Schema.load(schema).validate(table_of(table))
    if as_json:
        print_json({"table": str(table), "schema": str(schema), "fits": True})
        return
    say(f"{'The table' if table == PIPE else table} fits {schema}.")


@schemas.command()
@command
def draft(
    table: TableArgument,
    out: OutOption,
    public: Annotated[
        bool, typer.Option("--public", help="State that the table is public. Needed: its levels leak.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Draft a schema from a table that is already public, to be edited.

    The draft holds the levels and bounds that occur in the table. A schema drafted from a private table would
    publish them, which no guarantee covers.
    """
    if not public:
        raise ValueError(
            "a drafted schema publishes the levels and bounds that occur in the table: draft it from a table "
            "that is already public and say so with --public, or write it by hand"
        )
    check_outputs([out], [table])
    _check_pipe(out, as_json)
    drafted = Schema.from_public_table(read(table_of(table)))
    if out == PIPE:
        print_json(drafted.to_dict())
    else:
        with writing():
            drafted.save(out)
    if as_json:
        print_json({"out": str(out), "n_attributes": len(drafted), "n_bits": drafted.layout.n_bits})
        return
    place = "a schema" if out == PIPE else str(out)
    size = f"{len(drafted)} attributes, {drafted.layout.n_bits} bits"
    say(f"Wrote {place}: {size}. Look through levels and bounds.")


def _check_pipe(out: Path | None, as_json: bool) -> None:
    """Refuse two results on standard output."""
    if out == PIPE and as_json:
        raise ValueError("--json and -o - would both write to standard output; choose one")


# ---- synthesize


@app.command()
@command
def synthesize(
    table: Annotated[
        Path,
        typer.Argument(
            metavar="TABLE", help="The private table; - is CSV from standard input.", show_default=False
        ),
    ],
    schema: SchemaOption,
    delta: Annotated[
        float, typer.Option(help="Probability that the bound may fail; 0: pure.", show_default=False)
    ],
    epsilon: Annotated[
        float | None, typer.Option(help="Privacy budget to spend, above 0.", show_default=False)
    ] = None,
    rho: Annotated[
        float | None,
        typer.Option(help="The budget in zCDP, in place of --epsilon.", show_default=False),
    ] = None,
    max_records_per_person: PersonOption = 1,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="File to write; - is standard output, as CSV. A dry run needs none.",
            show_default=False,
        ),
    ] = None,
    release: ReleaseOption = None,
    rows: RowsOption = None,
    neighbours: NeighboursOption = "add_or_remove_one",
    method: Annotated[
        Literal["restored", "paper"], typer.Option(help="paper: as published, needs --delta 0.")
    ] = "restored",
    seed: Annotated[
        int | None,
        counted("Make the noise repeatable: the result is NOT private.", 0),
    ] = None,
    ledger: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Charge this ledger, whose budget several releases share: see covloss-fast ledger.",
        ),
    ] = None,
    threads: ThreadsOption = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the planned ledger; read no record, spend nothing.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Make a differentially private synthetic table.

    The guarantee and its cost are shown before anything is spent, the ledger and the privately measured error
    afterwards. All of it may be published. With --dry-run the table is not opened and nothing is written.
    With --ledger a run that would exceed what is left of the budget is refused before the table is opened,
    and one that begins counts in full.
    """
    check_outputs([out, release], [table, schema, ledger])
    _check_pipe(None if dry_run else out, as_json)
    if out is not None:
        _check_name(out)
    elif not dry_run:
        raise ValueError(
            "-o names no file to write, and without --dry-run one is needed (- is standard output)"
        )
    if release == PIPE:
        raise ValueError("a release is not text: --release names a file")
    public = Schema.load(schema)
    account = None if ledger is None else _open_ledger(ledger, to_charge=not dry_run)
    parameters: dict[str, Any] = {
        "ledger": account,
        "epsilon": epsilon,
        "delta": delta,
        "rho": rho,
        "neighbours": neighbours,
        "max_records_per_person": max_records_per_person,
        "method": method,
        "random_state": seed,
        "n_threads": threads,
    }
    if dry_run:
        synthesizer = CovLossSynthesizer(public, **parameters)
        plan = synthesizer.plan()
        forecasts = [synthesizer.forecast(n) for n in FORECAST_RECORDS]
        if as_json:
            forecast = [each.to_dict() for each in forecasts]
            summary = {**plan.to_dict(), "remarks": _remarks(delta), "forecast": forecast}
            print_json(summary if account is None else {**summary, "ledger": _ledger_summary(account)})
        else:
            result().print(plan.to_text(), markup=False)
            if account is not None:
                result().print(f"{_left(account)}; a dry run charges nothing", markup=False)
            result().print(_forecast_table(forecasts))
        return
    assert out is not None
    course = _Course(CovLossSynthesizer(public, **parameters), rows)
    with steps(course.seconds(USUAL_RECORDS), course.further) as step:
        synthesizer = _synthesize(
            step, table_of(table), public, parameters, rows, out, release, quiet=as_json
        )
    if as_json:
        print_json({**_release_summary(synthesizer, out, release), "remarks": _remarks(delta)})
        return
    _print_release(synthesizer, remarks() if out == PIPE else result())
    say(f"Wrote {_place(out)}" + (f" and {release}." if release else "."))


def _check_name(out: Path) -> None:
    """Refuse a name that stands for no format of tables."""
    if out != PIPE:
        file_format(out)


def _place(out: Path) -> str:
    return "standard output" if out == PIPE else str(out)


def _remarks(delta: float) -> list[str]:
    """What is to be said of a budget."""
    remark = delta_remark(delta)
    return [] if remark is None else [remark]


class _Course:
    """How long reading, fitting, drawing and writing take.

    Of the number of records nothing is told that the clock does not tell: after the table is read, it is
    taken to be as long as tables are that take as long to read.
    """

    def __init__(self, synthesizer: CovLossSynthesizer, rows: int | None) -> None:
        self._synthesizer = synthesizer
        self._rows = rows
        self._cells = CELL_SECONDS * len(synthesizer.schema)

    def seconds(self, n: int) -> list[float]:
        """Seconds of all steps for a number of records."""
        forecast = self._synthesizer.forecast(n)
        drawing = 0.0 if self._rows is None else forecast.seconds["rows"]
        written = min(n, MOST_CANONICAL) if self._rows is None else self._rows
        return [self._cells * n, forecast.total_seconds, drawing, self._cells * written]

    def further(self, reading: float) -> list[float]:
        """Seconds of the steps after reading, by how long that took."""
        return self.seconds(int(min(reading / self._cells, 2.0**40)))[1:]


def _forecast_table(forecasts: list[Any]) -> Table:
    """What a fit would take, by the number of records."""
    grid = Table(title="A fit would take about, on this machine:", title_justify="left")
    for name in ("records", "seconds", "of them fitting rows", "memory beside the table"):
        grid.add_column(name, justify="right")
    for each in forecasts:
        rows, memory = each.seconds["rows"], f"{each.memory / 1e6:,.0f} MB"
        grid.add_row(f"{each.n:,}", f"{each.total_seconds:,.2g}", f"{rows:,.2g}", memory)
    return grid


def _synthesize(
    step: Any,
    table: Path | CsvText,
    schema: Schema,
    parameters: dict[str, Any],
    rows: int | None,
    out: Path,
    release: Path | None,
    *,
    quiet: bool,
) -> CovLossSynthesizer:
    """Read, say what will be spent, fit, sample and write."""
    names = ("epsilon", "delta", "rho", "max_records_per_person")
    budget = Budget(**{name: parameters[name] for name in names if name in parameters})
    synthesizer = CovLossSynthesizer(schema, **parameters)
    synthesizer.plan()  # refuses what the schema and the budget do not allow before a large table is read
    synthesizer.refuse_too_large(table)
    step("reading")
    records, _ = open_records(table, schema, resolve_n_threads(parameters.get("n_threads")))
    if not quiet:
        say(_announcement(synthesizer, budget))
        if isinstance(synthesizer.ledger, LedgerFile):
            say(f"  {_left(synthesizer.ledger)}")
    step("fitting")
    synthesizer.fit(records)
    step("drawing records")
    batches = synthesizer.sample_batches(rows, random_state=parameters.get("random_state"), as_="pyarrow")
    step("writing")
    if out != PIPE:
        with writing():
            if release is not None:
                synthesizer.save(release)
            write_batches(out, batches)
        return synthesizer
    if release is not None:  # it has been paid for, whoever reads the pipe
        with writing():
            synthesizer.save(release)
    write_csv(sys.stdout.buffer, batches)
    return synthesizer


def _announcement(synthesizer: CovLossSynthesizer, budget: Budget) -> str:
    """Say what is about to be spent, before it is."""
    most = budget.max_records_per_person
    records = "one record" if most == 1 else f"up to {most} records of a person"
    unit = {
        "add_or_remove_one": f"{records} added or removed; the number of records is secret",
        "replace_one": f"{records} replaced; the number of records is public",
    }[synthesizer.neighbours]
    noise = (
        "discrete Laplace noise, pure epsilon-differential privacy"
        if budget.is_pure
        else f"discrete Gaussian noise, rho = {float(budget.total):.6g} in zero-concentrated terms"
    )
    return f"To be spent: {budget.to_text()}\n  neighbours: {unit}\n  {noise}" + "".join(
        f"\n  {remark}" for remark in _remarks(float(budget.delta))
    )


def _release_summary(synthesizer: CovLossSynthesizer, out: Path, release: Path | None) -> dict[str, Any]:
    return {
        "out": str(out),
        "release": None if release is None else str(release),
        "ledger": synthesizer.ledger_.to_dict(),
        "certificate": [part.to_dict() for part in synthesizer.certificate_],
    }


def _print_release(synthesizer: CovLossSynthesizer, console: Console) -> None:
    console.print(synthesizer.ledger_.to_text(), markup=False)
    for part in synthesizer.certificate_:
        console.print(str(part), markup=False)


# ---- ledger

ledgers = typer.Typer(
    no_args_is_help=True,
    help="One budget for several releases about the same persons: ledger new FILE, synthesize --ledger FILE, "
    "ledger show FILE.",
)
app.add_typer(ledgers, name="ledger")

LedgerArgument = Annotated[
    Path, typer.Argument(metavar="FILE", help="The ledger (JSON).", show_default=False)
]


@ledgers.command()
@command
def new(
    file: LedgerArgument,
    delta: Annotated[
        float,
        typer.Option(help="Delta at which the total holds; 0: epsilons are added up.", show_default=False),
    ],
    epsilon: Annotated[
        float | None, typer.Option(help="What all releases may spend together.", show_default=False)
    ] = None,
    rho: Annotated[
        float | None, typer.Option(help="The same in zCDP, in place of --epsilon.", show_default=False)
    ] = None,
    neighbours: NeighboursOption = "add_or_remove_one",
    max_records_per_person: PersonOption = 1,
    as_json: JsonOption = False,
) -> None:
    """Begin a ledger in a new file: a budget that several releases share and cannot exceed.

    A file that exists is never written over.
    """
    if file == PIPE:
        raise ValueError("a ledger is kept in a file: FILE names it")
    check_outputs([file], [])
    budget = Budget(epsilon, delta, rho=rho, max_records_per_person=max_records_per_person)
    with charging():
        begun = LedgerFile.create(
            file, neighbours, max_records_per_person=max_records_per_person, budget=budget
        )
    if as_json:
        print_json(_ledger_summary(begun))
        return
    say(f"Wrote {file}: {budget.to_text()}, to be spent by synthesize --ledger {file}.")


@ledgers.command()
@command
def show(file: LedgerArgument, as_json: JsonOption = False) -> None:
    """Show what a ledger has been charged, and what is left of its budget."""
    if file == PIPE:
        raise ValueError("a ledger is kept in a file: FILE names it")
    kept = LedgerFile(file)
    if as_json:
        print_json({**_ledger_summary(kept), "ledger": kept.to_dict()})
        return
    result().print(kept.to_text(), markup=False)


def _open_ledger(path: Path, *, to_charge: bool) -> LedgerFile:
    """Open the file of a ledger; one that is to be charged must be such that it can be written."""
    if path == PIPE:
        raise ValueError("a ledger is kept in a file: --ledger names it")
    account = LedgerFile(path)
    if to_charge and not (os.access(account.path, os.W_OK) and os.access(account.path.parent, os.W_OK)):
        raise PermissionError(
            f"{path}: neither the file nor its folder may be read-only: what is spent is written there"
        )
    account.undisturbed = charging
    return account


def _ledger_summary(account: LedgerFile) -> dict[str, Any]:
    left, budget = account.left, account.budget
    return {
        "file": str(account.path),
        "n_fits": len(account.fits),
        "budget": None if budget is None else budget_to_dict(budget),
        "left": None if left is None else {left.currency: str(left.amount)},
    }


def _left(account: LedgerFile) -> str:
    """What is left in a ledger, as text."""
    left, budget = account.left, account.budget
    if left is None or budget is None:
        return f"ledger {account.path}: no budget, so no limit"
    whole = budget.epsilon if budget.is_pure else budget.rho
    text = f"ledger {account.path}: {left.currency} = {float(left.amount):.6g} is left of {float(whole):.6g}"
    if budget.is_pure or left.amount <= 0:
        return text
    delta = float(budget.delta)
    return f"{text} (about epsilon = {epsilon_from_rho(left.amount, delta):.4g} at delta = {delta:.3g})"


# ---- sample


@app.command()
@command
def sample(
    release: Annotated[Path, typer.Argument(metavar="RELEASE", help="The release file.", show_default=False)],
    out: Annotated[
        Path,
        typer.Option("--out", "-o", help="File to write; - is standard output, as CSV.", show_default=False),
    ],
    rows: RowsOption = None,
    where: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN=LEVEL",
            help="Only records with this level. Repeatable: of one column any of them, of several all.",
        ),
    ] = None,
    totals: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="CSV of exact totals: columns of some attributes, and last one of numbers of records.",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        counted("Make the draw repeatable; no bearing on privacy.", 0),
    ] = None,
    threads: ThreadsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Draw records from a saved release. This costs no privacy, however often it is done.

    Records are written in batches: memory does not grow with their number; with --where or --totals by a few
    bytes for each.
    """
    if release == PIPE:
        raise ValueError("a release is not text: RELEASE names a file")
    check_outputs([out], [release, totals])
    _check_pipe(out, as_json)
    _check_name(out)
    n_written = 0

    def told(batches: Iterator[Any]) -> Iterator[Any]:
        nonlocal n_written
        for batch in batches:
            n_written += batch.num_rows
            yield batch
            step.part(n_written / n_asked if n_asked else 0.0)

    with steps([0, 0]) as step:
        step("reading the release")
        synthesizer = load(release).set_params(n_threads=threads)
        step("drawing records")
        drawn = synthesizer.sampler(
            rows,
            where=_conditions(where, synthesizer.schema_) if where else None,
            totals=None if totals is None else _totals(totals, synthesizer.schema_),
            random_state=seed,
            as_="pyarrow",
        )
        n_asked = drawn.n_rows
        batches = told(drawn.batches(WRITTEN_ROWS))
        if out == PIPE:
            write_csv(sys.stdout.buffer, batches)
        else:
            with writing():
                write_batches(out, batches)
    if as_json:
        print_json({"out": str(out), "release": str(release), "n_records": n_written})
    else:
        say(f"Wrote {n_written:,} records to {_place(out)}.")


def _conditions(options: list[str], schema: Schema) -> dict[str, list[Any]]:
    """Read COLUMN=LEVEL, of which a number stands for its bin and nothing for a missing value."""
    found: dict[str, list[Any]] = {}
    for option in options:
        name, equals, text = option.partition("=")
        if not equals or name not in schema.names:
            raise ValueError(f"--where takes COLUMN=LEVEL with a column of the schema, got {option!r}")
        try:
            level = _level(schema.attributes[schema.names.index(name)], text)
        except ValueError as error:
            raise ValueError(f"--where {option}: {error}") from None
        found.setdefault(name, []).append(level)
    return found


def _level(attribute: Attribute, text: str) -> Any:
    """The level that a text stands for: a number for its bin, nothing for a missing value."""
    if isinstance(attribute, Numeric) and text:
        try:
            return float(text) if attribute.kind in ("int", "float") else np.datetime64(text).item()
        except ValueError:
            raise ValueError(f"{text!r} is no number of column {attribute.name!r}") from None
    level: Any = text
    if not isinstance(attribute, Numeric):
        level = next((each for each in attribute.levels if str(each) == text), text)
    return None if text == "" and level == "" else level


def _totals(path: Path, schema: Schema) -> dict[tuple[str, ...], dict[tuple[Any, ...], int]]:
    """Read a CSV file of exact totals; faults are told by line."""
    if path == PIPE:
        raise ValueError("--totals names a file")
    with open(path, encoding="utf-8-sig", newline="") as file:
        try:
            lines = [row for row in csv.reader(file, strict=True) if row]
        except (csv.Error, UnicodeDecodeError) as error:
            raise ValueError(f"{path}: not a CSV file: {error}") from None
    if not lines or len(lines[0]) < 2:
        raise ValueError(
            f"{path}: its first line must name one or more columns of the schema, and last that of the totals"
        )
    names = tuple(lines[0][:-1])
    try:
        attributes = [schema.attributes[position] for position in schema.positions(names)]
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    counts: dict[tuple[Any, ...], int] = {}
    for number, (*texts, count) in enumerate(lines[1:], 2):
        try:
            if len(texts) != len(names):
                raise ValueError(f"it has {len(texts) + 1} values, the first line {len(names) + 1}")
            levels = tuple(_level(attribute, text) for attribute, text in zip(attributes, texts))
            if levels in counts:
                raise ValueError(f"{', '.join(texts)} has a total already")
            if not (count.isascii() and count.isdigit()):
                raise ValueError(f"the total must be a whole number in digits alone, got {count!r}")
            counts[levels] = int(count)
        except ValueError as error:
            raise ValueError(f"{path}, record {number - 1}: {error}") from None
    return {names: counts}


# ---- anonymize


@app.command()
@command
def anonymize(
    table: TableArgument,
    schema: SchemaOption,
    out: OutOption,
    min_block_size: Annotated[
        int | None,
        counted("Every block averages at least so many records.", 1),
    ] = None,
    n_blocks: Annotated[
        int | None,
        counted("Exactly so many equal blocks.", 1),
    ] = None,
    partition: Annotated[
        Literal["nearest_point", "pinning", "random_signs", "lattice"],
        typer.Option(help="With --n-blocks: the cells that blocks follow."),
    ] = "nearest_point",
    release: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE",
            help="mode, rounded, median or mean; COLUMN=RULE for one column. Repeatable. Default: mode.",
        ),
    ] = None,
    missing: Annotated[
        Literal["level", "strictest"] | None,
        typer.Option(help="How values declared as possibly missing are read; by default as levels."),
    ] = None,
    sample: Annotated[
        int | None,
        counted("Write so many drawn records, which keep marginals, not the masked ones.", 0),
    ] = None,
    shuffle: Annotated[
        bool, typer.Option("--shuffle", help="Write the rows in a random order, not in that of the records.")
    ] = False,
    weights: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Column of weights; not published.")
    ] = None,
    strata: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="Column whose values no block mixes; published if declared."),
    ] = None,
    quasi_identifier: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="Column by which records are known, for risks. Repeatable."),
    ] = None,
    sensitive: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Column whose diversity is certified.")
    ] = None,
    effort: Annotated[int, counted("How long to search.", 0, 1000)] = 1,
    seed: Annotated[
        int | None,
        counted("With --sample: the same records for the same seed.", 0),
    ] = None,
    certificate: Annotated[
        Path | None, typer.Option("--certificate", help="Write the certificate (JSON). Not private.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option("--report", help="Write a page (HTML) beside the true table. Not private.")
    ] = None,
    threads: ThreadsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make an anonymous (microaggregated) table. This is not differential privacy.

    Rows keep the order of the records unless they are shuffled or drawn. The certificate says what was lost
    and what the table still shows of single records; it is for the curator.
    """
    check_outputs([out, certificate, report], [table, schema])
    _check_pipe(out, as_json)
    is_text = out == PIPE or file_format(out)[0] == "csv"
    if PIPE in (certificate, report):
        raise ValueError("only -o can be -: --certificate and --report name files")
    if (min_block_size is None) == (n_blocks is None):
        raise ValueError("give exactly one of --min-block-size and --n-blocks")
    if shuffle and sample is not None:
        raise ValueError("records that are drawn have no order: give either --shuffle or --sample")
    if seed is not None and sample is None:
        raise ValueError("--seed goes with --sample: a shuffle that can be repeated can be undone")
    if partition != "nearest_point" and n_blocks is None:
        raise ValueError("--partition goes with --n-blocks")
    declared = Schema.load(schema)
    rules = _rules(release or [], declared.names)
    if "mean" in rules.values() and sample is None and report is not None:
        raise ValueError("the report compares levels, and --release mean publishes shares: give one of them")
    aggregator = Microaggregator(
        min_block_size=min_block_size,
        n_blocks=n_blocks,
        schema=declared,
        effort=effort,
        partition=partition if n_blocks is not None else None,
        release=rules,
        missing=missing,
        quasi_identifiers=quasi_identifier or None,
        sensitive=sensitive,
        n_threads=threads,
    )
    with steps([1, 1, 1]) as step:
        step("forming blocks")
        records = read(table_of(table))
        asides = [_aside(records, name) for name in (weights, strata)]
        dropped = [name for name in (weights, strata) if name is not None and name not in declared.columns]
        records = without(records, dropped)
        published = aggregator.fit_transform(records, *asides, shuffle=shuffle)
        summary = {"out": str(out), "certificate": aggregator.certificate_.to_dict()}
        drawn = None
        if sample is not None:
            published = aggregator.sample(sample, random_state=seed, numbers="bins")
            drawn = _evaluate(records, published, declared, 3, threads) if sample else None
            summary["drawn"] = {"n_records": sample, "errors": drawn["errors"] if drawn else []}
        page = None
        if report is not None:
            step("drawing the report")
            shown = pages.build(
                records,
                published,
                declared,
                certificate=aggregator.certificate_,
                block_sizes=aggregator.block_sizes_,
                n_threads=threads,
            )
            page = shown.encode()
        if is_text:
            published = as_in_file(published, records, declared)
        step("writing")
        with writing():
            if out != PIPE:
                write_atomic(out, published)
            if certificate is not None:
                with written_whole(certificate) as file:
                    file.write(json.dumps(summary, indent=2, ensure_ascii=False).encode())
            if report is not None and page is not None:
                with written_whole(report) as file:
                    file.write(page)
        if out == PIPE:
            write_csv(sys.stdout.buffer, iter([published]))
    if as_json:
        print_json(summary)
        return
    console = remarks() if out == PIPE else result()
    console.print(str(aggregator.certificate_), markup=False)
    if drawn is not None:
        _print_evaluation(drawn, "Drawn records against true", console)
    say(f"Wrote {_place(out)}. It is anonymous by microaggregation, not differentially private.")
    if sample is None and not shuffle:
        say("Its rows are in the order of the records, which may tell who is who: --shuffle mixes them.")


def _rules(options: list[str], names: Sequence[str]) -> dict[str, str]:
    """Read RULE and COLUMN=RULE; what names a column goes before what does not."""
    rules = dict.fromkeys(names, "mode")
    for option in sorted(options, key=lambda each: "=" in each):
        column, equals, rule = option.rpartition("=")
        if rule not in RULES:
            raise ValueError(f"--release must be one of {', '.join(RULES)}, or COLUMN=RULE, got {option!r}")
        if equals and column not in rules:
            raise ValueError(f"--release names a column {column!r} that is not in the schema")
        rules.update({column: rule} if equals else dict.fromkeys(names, rule))
    return rules


def _aside(records: Columns, name: str | None) -> Any:
    """Return the values of a column of weights or strata."""
    if name is None:
        return None
    if name not in (records.names or ()):
        raise ValueError(f"the table has no column {name!r}")
    column = records.column((records.names or ()).index(name))
    if isinstance(column, Factored):
        return np.array([*column.uniques, None], dtype=object)[column.index]
    values = column.values
    if column.null is not None and column.null.any():
        values = values.astype(object)
        values[column.null] = None
    return values


# ---- evaluate and report


@app.command()
@command
def evaluate(
    true: TrueArgument,
    synthetic: SyntheticArgument,
    schema: SchemaOption,
    degree: DegreeOption = 3,
    threads: ThreadsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compare a synthetic table with the true one. The result is not private."""
    check_outputs([], [true, synthetic, schema])
    public = Schema.load(schema)
    with steps([1]) as step:
        step("comparing")
        evaluation = _evaluate(table_of(true), table_of(synthetic), public, degree, threads)
    if as_json:
        print_json(evaluation)
        return
    _print_evaluation(evaluation)
    if public.clamping:
        result().print(f"In both tables, {clamping_text(public.clamping)}", markup=False)


def _evaluate(true: Any, synthetic: Any, schema: Schema, degree: int, threads: int | None) -> dict[str, Any]:
    left, right = (encode(each, schema, threads, fractions=True) for each in (true, synthetic))
    rows = []
    for d in range(1, min(degree, len(schema)) + 1):
        error = marginal_error(left, right, degree=d, schema=schema, n_threads=threads)
        rows.append(
            {
                "degree": d,
                "rms": error.rms,
                "max": error.max,
                "n_marginals": error.n_marginals,
                "standard_error": error.standard_error,
                "attribute_tv": attribute_tv(left, right, degree=d, schema=schema, n_threads=threads),
            }
        )
    return {"private": False, "note": NOT_PRIVATE, "clamped": list(schema.clamping), "errors": rows}


def _print_evaluation(
    evaluation: dict[str, Any], title: str = "Synthetic against true", console: Console | None = None
) -> None:
    grid = Table(title=title, title_justify="left")
    for name in ("degree", "RMS error", "largest", "marginals", "mean total variation"):
        grid.add_column(name, justify="right")
    for row in evaluation["errors"]:
        spread = f" +- {row['standard_error']:.1g}" if row["standard_error"] else ""
        grid.add_row(
            f"{row['degree']}",
            f"{row['rms']:.3g}{spread}",
            f"{row['max']:.3g}",
            f"{row['n_marginals']:,}",
            f"{row['attribute_tv']:.3g}",
        )
    console = console or result()
    console.print(grid)
    console.print(evaluation["note"], markup=False)


@app.command()
@command
def report(
    out: PageOption,
    true: Annotated[
        Path | None, typer.Argument(metavar="TRUE", help="The true table, or -.", show_default=False)
    ] = None,
    synthetic: Annotated[
        Path | None,
        typer.Argument(metavar="SYNTHETIC", help="The synthetic table, or -.", show_default=False),
    ] = None,
    schema: Annotated[
        Path | None,
        typer.Option("--schema", "-s", help="Schema (JSON, TOML): what is public.", show_default=False),
    ] = None,
    release: Annotated[
        Path | None, typer.Option("--release", help="Release file, whose ledger is then shown.")
    ] = None,
    private: Annotated[
        bool,
        typer.Option("--private", help="Show the --release alone, no table: this page may be published."),
    ] = False,
    degree: DegreeOption = 3,
    threads: ThreadsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Draw one page (HTML, no network): two tables side by side, or with --private a release by itself.

    The page that compares TRUE with SYNTHETIC is not private. The page of --private is made from the release
    file alone, and shows what that allows to be shown: ledger, guarantee, certificate, synthetic marginals.
    """
    check_outputs([out], [true, synthetic, schema, release])
    _check_pipe(out, as_json)
    synthesizer = None if release is None else load(release)
    if private:
        if synthesizer is None or true is not None:
            raise ValueError("--private shows a release alone: give --release RELEASE, and no table")
        with steps([1]) as step:
            step("drawing")
            _write_page(out, pages.build_private(synthesizer, n_threads=threads))
        is_private, note = synthesizer.ledger_.is_private, "It was made from the release alone."
        if not is_private:
            note = "It is not private: the noise of its release was derived from a seed."
    else:
        if true is None or synthetic is None or schema is None:
            raise ValueError(
                "give TRUE, SYNTHETIC and --schema to compare two tables, or --private and --release"
            )
        public = Schema.load(schema)
        with steps([1]) as step:
            step("comparing and drawing")
            shown = pages.build(
                table_of(true),
                table_of(synthetic),
                public,
                release=synthesizer,
                degree=degree,
                n_threads=threads,
            )
            _write_page(out, shown)
        is_private, note = False, NOT_PRIVATE
    if as_json:
        print_json({"out": str(out), "private": is_private, "note": note})
        return
    say(f"Wrote {_place(out)}. {note}")


def _write_page(out: Path, page: str) -> None:
    if out == PIPE:
        sys.stdout.buffer.write(page.encode())
        sys.stdout.buffer.flush()
        return
    with writing(), written_whole(out) as file:
        file.write(page.encode())
