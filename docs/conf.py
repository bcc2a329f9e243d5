"""The site: python -m sphinx -W -b html docs SITE, with what pip install '.[docs]' brings.

A fact has one home. Pages whose home is elsewhere in the repository (README.md and its like) are one line
here that names it, and are read from there; links between files of the repository become links of the site.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import covloss_fast

project = "covloss_fast"
author = copyright = "The covloss_fast developers"
version = release = covloss_fast.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["README.md"]
html_theme = "furo"
html_title = "covloss_fast"
html_copy_source = False
myst_heading_anchors = 4
autodoc_member_order = "bysource"
autodoc_typehints = "none"
napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False
suppress_warnings = ["ref.python"]  # words of types, such as n_blocks, that several classes have

FOLDER = Path(__file__).parent.resolve()
ROOT = FOLDER.parent
#: Pages that are read from elsewhere.
ELSEWHERE = {
    "index": "README.md",
    "security": "SECURITY.md",
    "contributing": "CONTRIBUTING.md",
    "changelog": "CHANGELOG.md",
    "benchmarks": "benchmarks/README.md",
}
_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|mailto:|#)([^)#\s]+)(#[^)\s]*)?\)")


def rewritten(text: str, folder: Path) -> str:
    """Links of a file that lies in a folder of the repository, as links of the site."""
    pages = {(ROOT / source).resolve(): f"{name}.md" for name, source in ELSEWHERE.items()}
    pages[FOLDER / "README.md"] = "index.md"

    def link(match: re.Match[str]) -> str:
        picture, words, path, anchor = match.groups()
        target = (folder / path).resolve()
        if not target.exists():
            raise FileNotFoundError(f"{folder}: a link to {path}, which does not exist")
        if target.suffix == ".md" and target.parent != FOLDER and target not in pages:
            return words  # a file that the site does not show
        shown = pages.get(target) or Path(os.path.relpath(target, FOLDER)).as_posix()
        return f"{picture}[{words}]({shown}{anchor or ''})"

    return _LINK.sub(link, text)


def read_source(app: Any, name: str, source: list[str]) -> None:
    """Read a page, from where its home is."""
    if name not in ELSEWHERE:
        source[0] = rewritten(source[0], FOLDER)
        return
    path = ROOT / ELSEWHERE[name]
    app.env.note_dependency(str(path))
    source[0] = rewritten(path.read_text("utf-8"), path.parent) + "\n" + source[0].partition("\n\n")[2]


def keep_colons(app: Any, what: str, name: str, value: Any, options: Any, lines: list[str]) -> None:
    """What stands before a colon in the words of a property is not its type."""
    if what in {"property", "attribute"} and lines:
        lines[0] = lines[0].replace(": ", " \u2013 ")


def setup(app: Any) -> None:
    """Connect what reads pages."""
    app.connect("source-read", read_source)
    app.connect("autodoc-process-docstring", keep_colons, priority=400)
