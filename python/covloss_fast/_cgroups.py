"""The control groups of Linux that this process is in: a limit holds for a group and for all within it."""

from __future__ import annotations

from pathlib import Path


def group_folders(controller: str, root: Path = Path("/")) -> list[Path]:
    """Folders of the groups of this process for a controller, the innermost first (cgroup versions 2 and 1).

    In a container they may be told by paths that are not to be seen from inside; the outermost group that is
    seen is the container's then.
    """
    mounted = root / "sys/fs/cgroup"
    found = []
    for line in _lines(root / "proc/self/cgroup"):
        _, controllers, path = (*line.split(":", 2), "", "")[:3]
        if controllers == "":  # version 2: one hierarchy for all controllers
            top = mounted
        elif controller in controllers.split(","):
            top = mounted / controller
        else:
            continue
        folder = top / path.lstrip("/")
        while folder != top and top in folder.parents and ".." not in folder.parts:
            found.append(folder)
            folder = folder.parent
    return [*found, mounted, mounted / controller]


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text().splitlines()
    except OSError:
        return []
