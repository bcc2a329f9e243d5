"""What the commands share: where words go, how faults are said, progress, checks of file names.

Standard output carries the result alone (with ``--json`` one JSON object, which may be what went wrong),
standard error everything else.
Progress is shown on a terminal only, and its steps are those of the program: no total depends on the table.
"""

from __future__ import annotations

import functools
import json
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ParamSpec

import typer
from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from typer.core import TyperGroup

from covloss_fast.cli import interrupts
from covloss_fast.records.tables import CsvText

P = ParamSpec("P")

#: Standard input or standard output, as the name of a file.
PIPE = Path("-")
BAD_INPUT, PIPE_CLOSED = 2, 141

#: Exceptions that say what is wrong with the input; all others are faults of the program and keep their
#: traceback.
_FAULTS_OF_INPUT = (ValueError, OSError, ImportError, MemoryError)


def result() -> Console:
    """Return the console for results (standard output)."""
    return Console(soft_wrap=True, highlight=False)


def remarks() -> Console:
    """Return the console for everything else (standard error)."""
    return Console(stderr=True, soft_wrap=True, highlight=False)


def say(text: str, style: str | None = None) -> None:
    """Print a remark to standard error, markup characters taken literally."""
    remarks().print(text, style=style, markup=False)


def print_json(value: dict[str, Any]) -> None:
    """Print the result as one JSON object."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False))


def one_sentence(error: BaseException | str) -> str:
    """Return an error's message on one line."""
    if isinstance(error, OSError) and error.strerror:
        text = f"{error.filename}: {error.strerror.lower()}" if error.filename else error.strerror
    else:
        text = str(error)
    return " ".join(text.split()) or type(error).__name__


def print_fault(sentence: str, status: int) -> None:
    """Print what went wrong as one JSON object."""
    print_json({"error": sentence, "exit_status": status})


class Commands(TyperGroup):
    """Commands that say faults of their arguments as JSON too, if ``--json`` is among them."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the command that the arguments name and leave with its exit status."""
        as_json = standalone_mode and "--json" in (sys.argv[1:] if args is None else args)
        mode = standalone_mode and not as_json
        try:
            status = super().main(args, prog_name, complete_var, mode, windows_expand_args, **extra)
        except _FAULT_OF_USAGE as error:
            if not as_json:
                raise
            print_fault(one_sentence(error.format_message()), error.exit_code)
            status = error.exit_code
        if as_json:
            sys.exit(status or 0)
        return status


#: What typer raises on a bad command line: of click, or of the copy of it that newer versions carry.
_FAULT_OF_USAGE: Any = next(each for each in typer.BadParameter.__mro__ if each.__name__ == "ClickException")


def command(function: Callable[P, None]) -> Callable[P, None]:
    """Make a command leave with status 2 and one sentence on bad input, with 130 when interrupted.

    The sentence is a JSON object where the command was asked for one. If whoever reads standard output has
    gone, the command leaves without a word, with the status of a program that a closed pipe ends.
    """

    def show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
        say(f"warning: {message}", "yellow")

    @functools.wraps(function)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> None:
        interrupts.begin()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("default")
                warnings.showwarning = show_warning
                function(*args, **kwargs)
        except KeyboardInterrupt:
            interrupts.acknowledge()
            say(interrupts.message(), "red")
            raise typer.Exit(interrupts.STATUS) from None
        except BrokenPipeError:
            # Python flushes standard output once more when it ends, which must not fail again.
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            raise typer.Exit(PIPE_CLOSED) from None
        except _FAULTS_OF_INPUT as error:
            if os.environ.get("COVLOSS_TRACEBACK"):
                raise
            if kwargs.get("as_json"):
                print_fault(one_sentence(error), BAD_INPUT)
            else:
                say(f"error: {one_sentence(error)}", "red")
            raise typer.Exit(BAD_INPUT) from None

    return wrapped


class Course:
    """Where a command is in its steps, and how much longer it may take.

    Steps take the seconds that are expected of them, times how much faster or slower the earlier ones were.
    So nothing is told beyond what the clock tells: no expectation depends on a private table.

    Parameters
    ----------
    expected : sequence of float
        Seconds that each step may take; the first is the one that shows how long the table is.
    further : callable, optional
        Seconds of the steps after the first, given the seconds that the first took.
    clock : callable
    """

    def __init__(
        self,
        expected: Sequence[float],
        further: Callable[[float], Sequence[float]] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._expected = list(expected)
        self._further = further
        self._clock = clock
        self._starts: list[float] = []
        #: When some of the present step was done, and what part of it: first and last that was told.
        self._parts: list[tuple[float, float]] = []

    def begin(self) -> None:
        """Begin the next step."""
        self._starts.append(self._clock())
        self._parts = []
        if len(self._starts) == 2 and self._further is not None:
            first = self._starts[1] - self._starts[0]
            self._expected = [first, *self._further(first)]

    def reach(self, part: float) -> None:
        """Say what part of the present step, the last one, is done."""
        self._parts[1:] = [(self._clock(), part)]

    def done(self) -> float:
        """Part of the work that is done, by expectation."""
        left = self.left()
        if left is None:
            return 0.0
        elapsed = self._clock() - self._starts[0]
        return elapsed / max(elapsed + left, 1e-9)

    def left(self) -> float | None:
        """Seconds that are left; None before the second step, and when steps take longer than they should."""
        now, step = self._clock(), len(self._starts) - 1
        if step < 1:
            return None
        if len(self._parts) == 2:
            (began, first), (_, last) = self._parts
            return (now - began) * (1 - last) / max(last - first, 1e-9)
        pace = 1.0
        if self._further is None:
            earlier = sum(self._expected[:step])
            if earlier > 0.01 * sum(self._expected):  # else too little to judge by
                pace = (self._starts[step] - self._starts[0]) / earlier
        this = pace * self._expected[step] - (now - self._starts[step])
        later = pace * sum(self._expected[step + 1 :])
        return None if this < 0 else this + later


class _Bar(Progress):
    """A bar that moves with the clock."""

    course: Course

    def get_renderables(self) -> Iterable[RenderableType]:
        """Draw the bar where the course is now."""
        for task in self.tasks:
            left = self.course.left()
            words = "" if left is None else f"about {duration(left)} left"
            total = None if left is None else 1.0
            self.update(task.id, completed=self.course.done(), total=total, left=words)
        yield from super().get_renderables()


def duration(seconds: float) -> str:
    """Seconds as people say them, no more exactly than they can be foreseen."""
    if seconds < 90:
        return f"{max(1, round(seconds)):d} s"
    if seconds < 5400:
        return f"{round(seconds / 60):d} min"
    return f"{seconds / 3600:.1f} h"


class Steps:
    """A progress bar over the steps of a command, on a terminal alone."""

    def __init__(self, course: Course, bar: Progress | None = None) -> None:
        self._course = course
        self._bar = bar
        self._task = None if bar is None else bar.add_task("", total=None, left="")

    def __call__(self, text: str) -> None:
        """Begin the next step."""
        self._course.begin()
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, description=text, refresh=True)

    def part(self, done: float) -> None:
        """Say what part of the present step, the last one, is done."""
        self._course.reach(done)


@contextmanager
def steps(
    seconds: Sequence[float], further: Callable[[float], Sequence[float]] | None = None
) -> Iterator[Steps]:
    """Show progress while the block runs, over steps that are expected to take so long (:class:`Course`)."""
    console, course = remarks(), Course(seconds, further)
    if not console.is_terminal:
        yield Steps(course)
        return
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}"),
    )
    with _Bar(*columns, console=console, transient=True) as bar:
        bar.course = course
        yield Steps(course, bar)


def counted(words: str, least: int, most: int | None = None, *, name: str | None = None) -> Any:
    """Return an option whose value is a whole number; `words` are its help."""
    bounds = f"at least {least}" if most is None else f"{least} to {most}"

    def read(text: Any) -> int:
        try:
            value = int(text)
        except ValueError:
            raise typer.BadParameter(
                f"expected a whole number ({bounds}, digits alone), got {text!r}"
            ) from None
        if value < least or (most is not None and value > most):
            raise typer.BadParameter(f"expected a whole number ({bounds}), got {value}")
        return value

    names = [] if name is None else [name]
    metavar = "N" if most is None else f"{least}-{most}"
    return typer.Option(*names, parser=read, metavar=metavar, help=words, show_default=most is not None)


def table_of(path: Path) -> Path | CsvText:
    """Return the table that an argument names: - is CSV from standard input, read whole."""
    return CsvText(sys.stdin.buffer.read()) if path == PIPE else path


def check_outputs(outputs: Iterable[Path | None], inputs: Iterable[Path | None]) -> None:
    """Refuse, before any work, an output that cannot be written or that is an input."""
    inputs, outputs = ([path for path in paths if path is not None] for paths in (inputs, outputs))
    if inputs.count(PIPE) > 1 or outputs.count(PIPE) > 1:
        raise ValueError("- can stand for one input and for one output only: there is but one pipe each way")
    seen: list[Path] = []
    sources = [path.resolve() for path in inputs if path != PIPE]
    for path in outputs:
        if path == PIPE:
            continue
        if path.is_dir():
            raise ValueError(f"{path}: is a folder, not a file to write")
        if not path.parent.is_dir():
            raise ValueError(f"{path}: the folder {path.parent} does not exist")
        if not os.access(path.parent, os.W_OK):
            raise ValueError(f"{path}: the folder {path.parent} cannot be written to")
        if path.resolve() in sources:
            raise ValueError(f"{path}: is an input and would be overwritten; choose another name")
        if any(source in path.resolve().parents for source in sources):
            raise ValueError(f"{path}: lies in a folder that is an input and would become part of it")
        if path.resolve() in seen:
            raise ValueError(f"{path}: is named for two outputs")
        seen.append(path.resolve())
