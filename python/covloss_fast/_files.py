"""Files that appear whole or not at all, that one process changes at a time, and those of another version."""

from __future__ import annotations

import errno
import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import BinaryIO

#: Errors of a write for which there is no room.
_FULL = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))
#: Files that are written and wait for their names: (temporary, target).
_waiting: ContextVar[list[tuple[Path, Path]] | None] = ContextVar("waiting", default=None)


class VersionError(ValueError):
    """What is read is of a format that this version of the library does not know.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> issubclass(cf.VersionError, ValueError)  # so that it need not be told apart from a damaged file
    True
    """


@contextmanager
def named_together() -> Iterator[None]:
    """Let files that are written inside take their names at the end, all of them; after any error, none."""
    files: list[tuple[Path, Path]] = []
    token = _waiting.set(files)
    try:
        yield
        for temporary, target in files:
            _take_name(temporary, target)
    finally:
        _waiting.reset(token)
        for temporary, _ in files:
            temporary.unlink(missing_ok=True)


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file for writing that takes its name only when all of it is on disk.

    The bytes go to a temporary file in the same folder, which is renamed at the end; after any error, Ctrl-C
    included, the folder is as it was. Inside :func:`named_together` the renaming waits for the other files.
    """
    target = Path(path)
    if not target.parent.is_dir():
        raise FileNotFoundError(f"{target.parent}: no such folder")
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        with open(temporary, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        waiting = _waiting.get()
        if waiting is None:
            _take_name(temporary, target)
        else:
            waiting.append((temporary, target))
    except BaseException as error:
        temporary.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.errno in _FULL and error.filename is None:
            error.filename = os.fspath(path)  # which a write does not know
        raise


def _take_name(temporary: Path, target: Path) -> None:
    """Rename a file; where folders can be synced, the new name is on disk too: a power failure keeps it."""
    os.replace(temporary, target)
    if sys.platform != "win32":
        with suppress(OSError):
            descriptor = os.open(target.parent, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


@contextmanager
def locked(path: str | os.PathLike[str]) -> Iterator[None]:
    """Keep all others out, of any process and thread, who lock the same file; wait until they are done.

    What is locked is an empty file beside it, ``.NAME.lock``, which stays: the file itself is replaced.
    """
    target = Path(path)
    if not target.parent.is_dir():
        raise FileNotFoundError(f"{target.parent}: no such folder")
    beside = target.with_name(f".{target.name}.lock")
    try:
        descriptor = os.open(beside, os.O_RDWR | os.O_CREAT, 0o666)
    except PermissionError:
        descriptor = os.open(beside, os.O_RDONLY)  # another user's, which can be locked all the same
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)
            try:
                yield
            finally:
                os.lseek(descriptor, 0, os.SEEK_SET)
                msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX)
            try:
                yield
            finally:  # closing would not do, where a process forked meanwhile has the descriptor too
                fcntl.flock(descriptor, fcntl.LOCK_UN)
    finally:
        os.close(descriptor)
