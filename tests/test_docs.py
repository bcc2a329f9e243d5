"""What README and guides show is true: blocks of Python and of commands are run, links lead somewhere.

The blocks of a page are run from top to bottom, in one folder, with the files that the page speaks of. A
block that cannot be run here stands below a comment that says why: <!-- not run here: ... -->.
"""

from __future__ import annotations

import doctest
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

import covloss_fast as cf

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
#: All pages with links; those that the site takes from elsewhere as well.
LINKED = [*PAGES, *(ROOT / name for name in ("SECURITY.md", "CONTRIBUTING.md", "benchmarks/README.md"))]
_FENCE = re.compile(
    r"^(?:<!-- (?P<why>not run here: .*?) -->\n)?```(?P<kind>\w+)\n(?P<text>.*?)^```", re.M | re.S
)


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    kind: str
    text: str
    line: int
    why_not: str | None


def blocks_of(page: Path) -> list[Block]:
    """Blocks of Python and of commands, in their order."""
    text = page.read_text("utf-8")
    found = [
        Block(match["kind"], match["text"], text.count("\n", 0, match.start()) + 1, match["why"])
        for match in _FENCE.finditer(text)
    ]
    return [block for block in found if block.kind in {"python", "sh"}]


def patients(n: int = 2_000) -> dict[str, Any]:
    """The table that README and guides speak of."""
    rng = np.random.default_rng(0)
    return {
        "smoker": rng.choice(["no", "yes"], n),
        "job": rng.choice(["clerk", "nurse", "other"], n),
        "age": rng.integers(18, 90, n),
        "region": rng.choice(["north", "south", "west"], n),
        "diagnosis": rng.choice(["none", "asthma", "copd"], n),
    }


ATTRIBUTES = {
    "smoker": cf.Binary("smoker", levels=("no", "yes")),
    "job": cf.Categorical("job", ["clerk", "nurse", "other"]),
    "age": cf.Numeric("age", lower=0, upper=120, bins=16, integer=True),
    "region": cf.Categorical("region", ["north", "south", "west"]),
    "diagnosis": cf.Categorical("diagnosis", ["none", "asthma", "copd"]),
}


def set_table(page: Path) -> dict[str, Any]:
    """Write the files that a page needs into the current folder, and return the names that it needs."""
    names = ["age", "region", "diagnosis"] if page.stem == "anonymous" else ["smoker", "job", "age"]
    table = pa.table({name: column for name, column in patients().items() if name in names})
    pyarrow.csv.write_csv(table, "patients.csv")
    with pa.CompressedOutputStream("patients.csv.gz", "gzip") as file:
        pyarrow.csv.write_csv(table, file)
    schema = cf.Schema([ATTRIBUTES[name] for name in names])
    schema.save("schema.json")
    cf.CovLossSynthesizer(schema, epsilon=1, delta=1e-9).fit("patients.csv").save("patients.covloss")
    shares = np.random.default_rng(0).dirichlet([3.0, 2.0, 1.0, 1.0, 1.0], 2_000)
    return {"shares_of_income": shares, "shares": shares}


def run_python(block: Block, page: Path, names: dict[str, Any]) -> None:
    """Run a block of Python, as a session where it is one, else as a program."""
    if ">>>" not in block.text:
        exec(compile("\n" * block.line + block.text, str(page), "exec"), names)
        return
    test = doctest.DocTestParser().get_doctest(block.text, names, page.name, str(page), block.line)
    result = doctest.DocTestRunner().run(test, clear_globs=False)
    names.update(test.globs)
    assert result.failed == 0, f"{page.name}, block at line {block.line}"


def run_shell(block: Block, page: Path) -> None:
    """Run a block of commands; each must succeed."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    outcome = subprocess.run(
        ["bash", "-euc", block.text],
        env={**os.environ, "PATH": path, "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert outcome.returncode == 0, f"{page.name}, block at line {block.line}: {outcome.stderr}"


@pytest.mark.parametrize("page", [page for page in PAGES if blocks_of(page)], ids=lambda page: page.name)
def test_what_a_page_shows_is_true(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = [block for block in blocks_of(page) if block.why_not is None]
    names = set_table(page)
    for block in blocks:
        if block.kind == "python":
            run_python(block, page, names)
        else:
            run_shell(block, page)


def test_what_is_not_run_is_little() -> None:
    skipped = [(page.name, block.why_not) for page in PAGES for block in blocks_of(page) if block.why_not]
    assert {name for name, _ in skipped} == {"README.md", "accuracy.md", "start.md"}
    assert len(skipped) == 4
    run = sum(len(blocks_of(page)) for page in PAGES) - len(skipped)
    assert run >= 35


def test_a_false_block_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "```python\n>>> 1 + 1\n3\n```\n<!-- not run here: no -->\n```sh\nfalse\n```\n"
        "```sh\nfalse | true\nfalse\n```\n"
    )
    wrong, skipped, failing = blocks_of(page)
    with pytest.raises(AssertionError, match="block at line 1"):
        run_python(wrong, page, {})
    assert skipped.why_not is not None
    with pytest.raises(AssertionError, match="block at line 9"):
        run_shell(failing, page)


def test_the_schema_of_the_guide_is_the_same_in_json_and_in_python(tmp_path: Path) -> None:
    text = (DOCS / "schemas.md").read_text("utf-8")
    (tmp_path / "schema.json").write_text(re.findall(r"^```json\n(\{.*?)^```", text, re.M | re.S)[0])
    example = doctest.DocTestParser().get_examples(text)[1]
    names = {"cf": cf}
    exec(example.source, names)
    assert cf.Schema.load(tmp_path / "schema.json") == names["schema"]


# ---- links and lists


def anchors_of(page: Path) -> set[str]:
    """Anchors of headings, as they are made from their words."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.M | re.S)
    words = [heading.lower().replace("`", "") for heading in re.findall(r"^#+ (.*)$", text, re.M)]
    return {re.sub(r"[^\w\- ]", "", each).strip().replace(" ", "-") for each in words}


def links_of(page: Path) -> Iterator[tuple[str, str]]:
    """Links to files of the repository: path and anchor."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.M | re.S)
    for target in re.findall(r"\]\((?!https?:|mailto:)([^)\s]+)\)", text):
        path, _, anchor = target.partition("#")
        yield path, anchor


@pytest.mark.parametrize("page", LINKED, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for path, anchor in links_of(page):
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{page.name}: {path}"
        if anchor and target.suffix == ".md":
            assert anchor in anchors_of(target), f"{page.name}: {path}#{anchor}"


def test_every_page_is_listed() -> None:
    """In the list of guides, and in the table of contents of the site."""
    listed = {path for path, _ in links_of(DOCS / "README.md")}
    contents = re.findall(r"^\w+$", (DOCS / "index.md").read_text("utf-8"), re.M)
    names = {page.stem for page in DOCS.glob("*.md")} - {"README", "index"}
    assert set(contents) == names
    assert {
        f"{name}.md" for name in names - {"security", "contributing", "changelog", "benchmarks"}
    } <= listed


def test_the_api_page_has_every_public_name() -> None:
    text = (DOCS / "api.md").read_text("utf-8")
    listed = re.findall(r"^\.\. auto(?:class|function|module):: (\S+)$", text, re.M)
    shown = set(listed)
    assert len(listed) == len(shown)
    for name in set(cf._exports.__all__) - {"__version__"}:
        value = getattr(cf, name)
        assert (value.__name__ if inspect.ismodule(value) else f"covloss_fast.{name}") in shown
