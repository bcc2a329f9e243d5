"""What this installation is made of: version, compiler, instruction set, threads."""

from __future__ import annotations

import platform
from importlib.metadata import version

import numpy as np

from covloss_fast._core import config
from covloss_fast._threads import resolve_n_threads

__version__: str = version("covloss-fast")


def show_config() -> dict[str, str | int | bool | list[str]]:
    """Say how this installation was built and what it uses, for bug reports.

    Returns
    -------
    dict
        Versions of the package, Python and numpy, the compiler, whether OpenMP is used, the instruction-set
        level in use and those available, and the default number of threads.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> cf.show_config()["covloss_fast"] == cf.__version__
    True
    """
    return {
        "covloss_fast": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "numpy": np.__version__,
        "compiler": config.compiler(),
        "openmp": config.has_openmp(),
        "simd_level": config.simd_level(),
        "available_simd_levels": config.available_simd_levels(),
        "default_n_threads": resolve_n_threads(None),
    }
