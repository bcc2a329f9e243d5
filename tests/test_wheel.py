"""What is installed, and what is packed: all that a user needs and nothing more.

Looks at the distribution that is installed, or, where COVLOSS_DIST names a folder with a wheel and an sdist,
into these.
"""

from __future__ import annotations

import os
import re
import tarfile
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest


def dist_file(pattern: str) -> Path | None:
    folder = os.environ.get("COVLOSS_DIST")
    if folder is None:
        return None
    (path,) = Path(folder).glob(pattern)
    return path


@pytest.fixture(scope="module")
def wheel() -> list[str]:
    """Names of the files in the wheel."""
    path = dist_file("*.whl")
    if path is not None:
        with zipfile.ZipFile(path) as archive:
            return [name for name in archive.namelist() if not name.endswith("/")]
    installed = distribution("covloss-fast")
    if '"editable": true' in (installed.read_text("direct_url.json") or ""):
        pytest.skip("an editable installation")
    files = [file.as_posix() for file in installed.files or []]
    return [name for name in files if "__pycache__" not in name and not name.startswith("..")]


def test_the_wheel_holds_what_a_user_needs(wheel: list[str]) -> None:
    needed = [
        "covloss_fast/__init__.py",
        "covloss_fast/py.typed",
        "covloss_fast/_core/__init__.pyi",
        "covloss_fast/_core/bits.pyi",
        "covloss_fast/data/adult.csv.gz",
        "covloss_fast/data/adult-schema.json",
        "covloss_fast/data/ADULT.md",
    ]
    assert [name for name in needed if name not in wheel] == []
    assert len([name for name in wheel if re.match(r"covloss_fast/_core\.[^/]*(so|pyd)$", name)]) == 1
    licences = {Path(name).name for name in wheel if ".dist-info/licenses/" in name}
    assert {"LICENSE", "VERSION.md", "COPYING.MPL2"} <= licences


def test_the_wheel_holds_nothing_else(wheel: list[str]) -> None:
    ours = [name for name in wheel if not re.match(r"covloss_fast\.libs/libgomp[^/]*$", name)]  # if repaired
    assert [name for name in ours if not name.startswith(("covloss_fast/", "covloss_fast-"))] == []
    code = [name for name in ours if ".dist-info/" not in name]
    extensions = (".py", ".pyi", ".so", ".pyd", "py.typed", "adult.csv.gz", "adult-schema.json", "ADULT.md")
    assert [name for name in code if not name.endswith(extensions)] == []
    assert [name for name in wheel if "Eigen/" in name or "test" in name.lower() or "benchmark" in name] == []


def test_the_sdist_builds_everywhere() -> None:
    path = dist_file("*.tar.gz")
    if path is None:
        pytest.skip("COVLOSS_DIST does not name a folder with an sdist")
    with tarfile.open(path) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    needed = {
        "pyproject.toml",
        "CMakeLists.txt",
        "LICENSE",
        "README.md",
        "CHANGELOG.md",
        "cpp/core/bit_matrix.cpp",
        "cpp/bindings/module.cpp",
        "cpp/third_party/eigen/Eigen/Core",
        "cpp/third_party/eigen/COPYING.MPL2",
        "python/covloss_fast/_core/bits.pyi",
        "python/covloss_fast/data/adult.csv.gz",
        "docs/conf.py",
        "docs/index.md",
        "tests/test_wheel.py",
        "benchmarks/conftest.py",
    }
    assert needed - names == set()
    assert [name for name in names if name.endswith((".so", ".o", ".pyc")) or name.startswith(".ci/")] == []
