"""How much memory this process may still take: what the system has, and what its container leaves."""

from __future__ import annotations

from pathlib import Path

from covloss_fast._cgroups import group_folders

try:
    import resource
except ImportError:  # not on Windows
    resource = None  # type: ignore[assignment]


def available_memory(root: Path = Path("/")) -> int | None:
    """Bytes that may still be taken; None where the system does not say."""
    parts = (
        _of_system(root / "proc/meminfo"),
        *(_of_group(folder) for folder in group_folders("memory", root)),
        _of_process(root / "proc/self/statm"),
    )
    found = [each for each in parts if each is not None]
    return min(found) if found else None


def check_available(needed: float, what: str) -> None:
    """Refuse what would not fit into memory.

    Parameters
    ----------
    needed : float
        Bytes.
    what : str
        What takes them, to begin the message with.

    Raises
    ------
    MemoryError
        With what is needed and what is available.
    """
    available = available_memory()
    if available is not None and needed > available:
        raise MemoryError(
            f"{what} need about {needed / 1e9:,.1f} GB of memory, and {available / 1e9:,.1f} GB are available"
        )


def _of_system(path: Path) -> int | None:
    try:
        for line in path.read_text().splitlines():
            name, _, amount = line.partition(":")
            if name == "MemAvailable":
                return int(amount.split()[0]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    return None


def _of_group(folder: Path) -> int | None:
    """What the limit of a group leaves (cgroup versions 2 and 1); what files fill of it can be had back."""
    for limit, used, cached in (
        ("memory.max", "memory.current", "inactive_file"),
        ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
    ):
        try:
            left = int((folder / limit).read_text()) - int((folder / used).read_text())
        except (OSError, ValueError):  # no such file, or "max"
            continue
        return max(0, left + _of_statistics(folder / "memory.stat", cached))
    return None


def _of_statistics(path: Path, name: str) -> int:
    try:
        found = dict(line.split() for line in path.read_text().splitlines())
        return int(found[name])
    except (OSError, ValueError, KeyError):
        return 0


def _of_process(path: Path) -> int | None:
    """What a limit on the addresses of this process leaves (``ulimit -v``)."""
    if resource is None:
        return None
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    try:
        used = int(path.read_text().split()[0]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        return None
    return None if limit == resource.RLIM_INFINITY else max(0, limit - used)
