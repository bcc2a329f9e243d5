"""How much memory this process may still take: what the system has, and what its container leaves."""

from __future__ import annotations

from pathlib import Path


def available_memory(root: Path = Path("/")) -> int | None:
    """Bytes that may still be taken; None where the system does not say."""
    parts = (_of_system(root / "proc/meminfo"), _of_group(root / "sys/fs/cgroup"))
    found = [each for each in parts if each is not None]
    return min(found) if found else None


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
    """What a container's limit leaves (cgroup versions 2 and 1)."""
    for limit, used in (
        ("memory.max", "memory.current"),
        ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes"),
    ):
        try:
            return max(0, int((folder / limit).read_text()) - int((folder / used).read_text()))
        except (OSError, ValueError):  # no such file, or "max"
            continue
    return None
