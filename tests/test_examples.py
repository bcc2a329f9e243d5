"""Every public name says what it is and shows how it is used, and what it shows is true.

An example of a class may show its methods; properties need words alone.
"""

from __future__ import annotations

import doctest
import inspect
import re
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import covloss_fast as cf


def public_members(owner: type) -> Iterator[tuple[str, Any]]:
    """Functions and properties of a class and of its bases, as far as they are ours."""
    for base in owner.__mro__:
        if base.__module__.startswith("covloss_fast"):
            for name, member in vars(base).items():
                found = getattr(member, "__func__", member)
                if not name.startswith("_") and isinstance(found, types.FunctionType | property):
                    yield name, found


def public_names() -> Iterator[tuple[str, Any]]:
    """Names of the package and of its public modules; of the slow twins the module alone."""
    for name in sorted(set(cf._exports.__all__) - {"__version__"}):
        value = getattr(cf, name)
        yield name, value
        if isinstance(value, types.ModuleType) and name != "reference":
            yield from ((f"{name}.{inner}", getattr(value, inner)) for inner in sorted(value.__all__))


NAMES = dict(public_names())


def examples_of(value: Any) -> list[doctest.DocTest]:
    """The examples of a name, without those of what it holds."""
    finder = doctest.DocTestFinder(recurse=False)
    return [test for test in finder.find(value, "it", globs={}) if test.examples]


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_has_an_example_that_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    value = NAMES[name]
    assert inspect.getdoc(value)
    tests = examples_of(value)
    if isinstance(value, type):
        for _, member in public_members(value):
            tests += [] if isinstance(member, property) else examples_of(member)
    assert tests, f"{name} has no example"
    for test in tests:
        module = inspect.getmodule(value)
        test.globs = dict(vars(module)) if module is not None else {}
        assert doctest.DocTestRunner().run(test).failed == 0


@pytest.mark.parametrize("name", [name for name, value in NAMES.items() if isinstance(value, type)])
def test_a_public_method_is_explained_and_shown(name: str) -> None:
    owner = NAMES[name]
    shown = "".join(
        example.source
        for base in owner.__mro__
        if base.__module__.startswith("covloss_fast") and base.__doc__
        for example in doctest.DocTestParser().get_examples(base.__doc__)
    )
    lacking = []
    for method, member in public_members(owner):
        assert inspect.getdoc(member), f"{name}.{method} has no docstring"
        is_shown = re.search(rf"\.{method}\(", shown) or examples_of(member)
        if not isinstance(member, property) and not is_shown:
            lacking.append(method)
    assert lacking == []
