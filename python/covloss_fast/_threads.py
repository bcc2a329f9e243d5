"""How many threads to use: an argument of each call, never a global setting.

``None`` means what this process may really use: its CPU affinity and, in a container, its cgroup quota.
After a fork the default is one thread: OpenMP runtimes hang in the child of a parent that used threads, and
whether another library did is not known here. (A number that is asked for is kept, unless this library did.)
"""

from __future__ import annotations

import math
import operator
import os
from pathlib import Path

from covloss_fast._cgroups import group_folders

_forked = False


def _note_fork() -> None:
    global _forked
    _forked = True


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_note_fork)


def _cgroup_cpus(root: Path = Path("/")) -> int | None:
    """CPUs that the quotas of this process's groups allow, rounded up; None if there is no quota."""
    quotas = [_quota(folder) for folder in group_folders("cpu", root)]
    found = [quota for quota in quotas if quota is not None]
    return min(found) if found else None


def _quota(folder: Path) -> int | None:
    try:  # version 2
        quota, period = (folder / "cpu.max").read_text().split()
        if quota == "max":
            return None
        return max(1, math.ceil(int(quota) / int(period)))
    except (OSError, ValueError):
        pass
    try:  # version 1
        limit = int((folder / "cpu.cfs_quota_us").read_text())
        period_us = int((folder / "cpu.cfs_period_us").read_text())
        return max(1, math.ceil(limit / period_us)) if limit > 0 and period_us > 0 else None
    except (OSError, ValueError):
        return None


def _affinity_cpus() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except (AttributeError, OSError):
        return os.cpu_count() or 1


def resolve_n_threads(n_threads: int | None) -> int:
    """Return the number of threads to use.

    Parameters
    ----------
    n_threads : int or None
        At least 1; None for all CPUs that this process may use.

    Raises
    ------
    ValueError
        If `n_threads` is not an integer in [1, 1024].
    """
    if n_threads is None:
        if _forked:
            return 1
        quota = _cgroup_cpus()
        cpus = _affinity_cpus()
        return min(cpus, quota) if quota is not None else cpus
    try:
        value = operator.index(n_threads)
    except TypeError:
        value = 0
    if isinstance(n_threads, bool) or not 1 <= value <= 1024:
        raise ValueError(f"n_threads must be None or an integer from 1 to 1024, got {n_threads!r}")
    return value
