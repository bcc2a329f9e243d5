"""Private synthetic tables and anonymous tables whose low-dimensional marginals stay close to the true.

Names are imported when the first of them is asked for (PEP 562): so the command line can see to Ctrl-C before
anything that takes time is imported.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from covloss_fast._exports import *  # noqa: F403


def __getattr__(name: str) -> Any:
    exports = import_module("covloss_fast._exports")
    try:
        return exports.__dict__[name]
    except KeyError:
        pass
    try:
        return globals()[name]  # a subpackage that this import has brought
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None


def __dir__() -> list[str]:
    return sorted({*globals(), *import_module("covloss_fast._exports").__all__})
