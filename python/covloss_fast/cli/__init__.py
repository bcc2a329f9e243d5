"""The command ``covloss-fast``: what the package does, on files, without a line of Python.

This module imports nothing that is optional, so that the command can say what is missing. The commands
themselves are in :mod:`covloss_fast.cli.commands`.
"""

from __future__ import annotations

import sys

from covloss_fast.cli import interrupts

#: What ``pip install 'covloss-fast[cli]'`` brings beyond the package's own dependencies.
EXTRAS = ("typer", "rich", "pyarrow", "matplotlib")


def main() -> None:
    """Run the command that ``sys.argv`` names and leave with its exit status.

    0: done; 1: a fault of the program; 2: bad input, said in one sentence; 130: interrupted.
    """
    interrupts.install()
    try:
        from covloss_fast.cli.commands import app
    except ModuleNotFoundError as error:
        if error.name not in EXTRAS:
            raise
        print(
            f"covloss-fast: the command line needs {error.name}, which is not installed: "
            "pip install 'covloss-fast[cli]'",
            file=sys.stderr,
        )
        sys.exit(2)
    app(prog_name="covloss-fast")
