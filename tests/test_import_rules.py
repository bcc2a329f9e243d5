"""The wall: which module may import which.

Rooms that may see records, rooms that see released values alone, and between them one door. The rules are
read from the source with `ast`, so that an import inside a function or for type checking counts as well.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import covloss_fast

PACKAGE = "covloss_fast"
SOURCE = Path(covloss_fast.__file__).parent

#: What any room may import: nothing in it knows a record.
GROUND = {"_cgroups", "_core", "_config", "_files", "_memory", "_sklearn", "_text", "_threads"}
#: Room -> the rooms that it may import, besides itself and GROUND. A room: the first part of a module's name.
MAY_IMPORT: dict[str, set[str]] = {
    "_cgroups": set(),
    "_core": set(),
    "_config": set(),
    "_files": set(),
    "_memory": set(),
    "_sklearn": set(),
    "_text": set(),
    "_threads": set(),
    "schema_fields": set(),
    "schema": {"schema_fields"},
    "convex_sets": set(),
    "storage": {"released"},
    "records": {"schema", "schema_fields", "convex_sets"},
    "privacy": {"convex_sets"},
    "released": {"schema", "convex_sets"},
    "metrics": {"schema", "records", "released"},
    "reference": {"schema", "convex_sets", "records", "privacy", "released"},
    "pipelines": {"schema", "convex_sets", "records", "privacy", "released"},
    "estimator": {"privacy"},
    "estimates": {"schema"},
    "synthesizer": {
        "estimates",
        "estimator",
        "schema",
        "storage",
        "records",
        "privacy",
        "released",
        "pipelines",
    },
    "vector_synthesizer": {
        *("estimator", "convex_sets", "storage"),
        *("records", "privacy", "released", "pipelines"),
    },
    "adapters": {"schema", "records", "privacy", "synthesizer"},
    "anonymity": {"schema", "records", "released", "metrics"},
    "microaggregation": {"schema", "storage", "records", "released", "metrics", "anonymity"},
}
MAY_IMPORT["plots"] = {"schema", "records", "privacy", "metrics"}
MAY_IMPORT["partitioned"] = {"estimator", "records", "synthesizer"}
MAY_IMPORT["dask"] = MAY_IMPORT["spark"] = {"partitioned", "records", "schema", "synthesizer"}
MAY_IMPORT["report"] = {
    *("schema", "records", "privacy", "metrics", "plots"),
    *("synthesizer", "anonymity", "microaggregation"),
}
MAY_IMPORT["cli"] = MAY_IMPORT["report"] | {"report"}
#: Third-party packages that are not dependencies: only these rooms may need them to be imported at all.
OPTIONAL = {
    *("pyarrow", "pandas", "polars", "matplotlib", "typer", "rich", "click", "scipy", "sklearn"),
    *("dask", "distributed", "pyspark"),
}
MAY_NEED_OPTIONAL = {"cli", "report", "dask", "spark"}


@dataclass(frozen=True)
class Import:
    """One import statement: where it stands and what it names."""

    module: str
    target: str
    line: int
    at_import_time: bool


def is_type_checking(test: ast.expr) -> bool:
    return ast.unparse(test) in {"TYPE_CHECKING", "typing.TYPE_CHECKING"}


def statements(body: list[ast.stmt], at_import_time: bool = True) -> Iterator[tuple[ast.stmt, bool]]:
    """Every statement, and whether importing the module runs it."""
    for node in body:
        yield node, at_import_time
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            inner = getattr(node, name, [])
            nested = [s for part in inner for s in (part.body if not isinstance(part, ast.stmt) else [part])]
            later = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or (
                isinstance(node, ast.If) and name == "body" and is_type_checking(node.test)
            )
            yield from statements(nested, at_import_time and not later)


def read_imports(root: Path) -> tuple[set[str], list[Import]]:
    """All modules below `root` (named from it, "" for the package) and all their imports, absolute."""
    files = [
        path
        for path in sorted(root.rglob("*.py*"))
        if path.suffix in {".py", ".pyi"} and "__pycache__" not in path.parts
    ]
    names = {path: ".".join(path.relative_to(root).with_suffix("").parts) for path in files}
    names = {path: name.removesuffix("__init__").removesuffix(".") for path, name in names.items()}
    modules = set(names.values())
    found: list[Import] = []

    def add(module: str, target: str, line: int, at_import_time: bool) -> None:
        found.append(Import(module, target, line, at_import_time))

    for path, module in names.items():
        package = module if path.stem == "__init__" else module.rpartition(".")[0]
        for node, runs in statements(ast.parse(path.read_text(encoding="utf-8")).body):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    add(module, alias.name, node.lineno, runs)
            elif isinstance(node, ast.ImportFrom):
                base = node.module or ""
                if node.level:
                    parts = [PACKAGE, *filter(None, package.split("."))]
                    base = ".".join([*parts[: len(parts) - node.level + 1], *filter(None, [base])])
                for alias in node.names:
                    inside = f"{base}.{alias.name}".removeprefix(f"{PACKAGE}.")
                    is_module = base.split(".")[0] == PACKAGE and (inside in modules or inside in GROUND)
                    add(module, f"{base}.{alias.name}" if is_module else base, node.lineno, runs)
    return modules, found


def faults(root: Path) -> list[str]:
    """Every breach of the rules below `root`, as sentences."""
    modules, found = read_imports(root)
    out = []
    graph: dict[str, set[str]] = {module: set() for module in modules if module}
    for each in found:
        where = f"{each.module or '__init__'}:{each.line}"
        top, _, inside = each.target.partition(".")
        room = each.module.split(".")[0]
        if top != PACKAGE:
            if top in OPTIONAL and each.at_import_time and room not in MAY_NEED_OPTIONAL:
                out.append(f"{where} needs the optional {top} to be imported")
            continue
        target_room = inside.split(".")[0]
        if each.module in {"", "_exports"}:
            if target_room in {"cli", "report"}:
                out.append(f"{where} imports {target_room}, which nothing may import")
            continue
        if not target_room:
            out.append(f"{where} imports a name from {PACKAGE} itself")
        elif room not in MAY_IMPORT:
            out.append(f"{where}: no rule for the room {room}")
        elif target_room != room and target_room not in MAY_IMPORT[room] | GROUND:
            out.append(f"{where}: {room} imports {target_room}")
        if inside.startswith("_core.noise") and room not in {"privacy", "reference", "_core"}:
            out.append(f"{where}: {room} draws noise; only privacy may")
        if inside in graph and inside != each.module:
            graph[each.module].add(inside)
    try:
        tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        out.append(f"a cycle: {' -> '.join(error.args[1])}")
    return out


def test_the_wall_stands() -> None:
    assert faults(SOURCE) == []


def test_every_room_that_exists_has_a_rule() -> None:
    modules, _ = read_imports(SOURCE)
    rooms = {module.split(".")[0] for module in modules if module} - {"_exports"}
    assert rooms <= set(MAY_IMPORT)
    assert {"records", "privacy", "released", "schema"} <= rooms


@pytest.mark.parametrize(
    ("file", "text", "fault"),
    [
        ("released/model.py", "from covloss_fast.records import tables", "released imports records"),
        ("released/model.py", "from ..privacy.ledger import PrivacyLedger", "released imports privacy"),
        ("released/model.py", "def f():\n    import covloss_fast.records", "released imports records"),
        ("records/tables.py", "from ..privacy import ledger", "records imports privacy"),
        ("privacy/ledger.py", "import covloss_fast.records.tables", "privacy imports records"),
        ("schema.py", "from .records.tables import read", "schema imports records"),
        ("metrics.py", "from covloss_fast.report import build", "metrics imports report"),
        ("synthesizer.py", "from covloss_fast import cli", "synthesizer imports cli"),
        ("__init__.py", "from covloss_fast.cli import main", "imports cli, which nothing may"),
        ("_exports.py", "from covloss_fast.cli import main", "imports cli, which nothing may"),
        ("records/tables.py", "from covloss_fast import Schema", "a name from covloss_fast itself"),
        ("records/tables.py", "from covloss_fast._core import noise", "records draws noise"),
        ("records/tables.py", "from covloss_fast._core.noise import discrete_laplace", "records draws noise"),
        (
            "records/tables.py",
            "try:\n    import pyarrow.csv\nexcept ImportError:\n    pass",
            "optional pyarrow",
        ),
        ("metrics.py", "class A:\n    from pandas import DataFrame", "optional pandas"),
        ("attic.py", "import covloss_fast.schema", "no rule for the room attic"),
    ],
)
def test_a_breach_is_found(tmp_path: Path, file: str, text: str, fault: str) -> None:
    rooms = ["_core/__init__", "_core/noise", "records/__init__", "records/tables", "privacy/__init__"]
    rooms += ["privacy/ledger", "released/__init__", "released/model", "schema", "metrics", "synthesizer"]
    for module in ["__init__", *rooms, "report", "cli"]:
        path = tmp_path / f"{module}.py"
        path.parent.mkdir(exist_ok=True)
        path.touch()
    assert faults(tmp_path) == []
    (tmp_path / file).write_text(text)
    found = faults(tmp_path)
    assert len(found) == 1
    assert fault in found[0]


def test_a_cycle_is_found_and_a_lawful_import_is_not(tmp_path: Path) -> None:
    (tmp_path / "schema.py").write_text("")
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "tables.py").write_text(
        "from typing import TYPE_CHECKING\nfrom covloss_fast.schema import Schema\n"
        "if TYPE_CHECKING:\n    import pyarrow\ndef read():\n    import pyarrow\n"
    )
    (tmp_path / "records" / "encoding.py").write_text("from covloss_fast.records.tables import read")
    assert faults(tmp_path) == []
    (tmp_path / "records" / "tables.py").write_text("from covloss_fast.records import encoding")
    (found,) = faults(tmp_path)
    assert "a cycle" in found
