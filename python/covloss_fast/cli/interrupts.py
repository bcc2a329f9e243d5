"""Ctrl-C that is neither lost nor late.

Python raises KeyboardInterrupt wherever it happens to be. There it can be lost, in callbacks of imports and
of the garbage collector or in code that catches everything; and it waits until a long call in C returns. A
program that then goes on would spend a budget and write files that nobody wants any more. So, as long as
nothing would be left half done, a thread that the signal itself wakes ends the process at once. While files
are written the exception goes its way, so that what was begun is removed; and should it be lost even there,
the files do not take their names.
"""

from __future__ import annotations

import atexit
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

STATUS = 130


class _State:
    """What is to be known when the signal comes."""

    def __init__(self) -> None:
        self.lock = threading.RLock()  # the main thread may hold it when the signal comes to it
        self.is_installed = False
        self.is_asked = False
        self.is_busy = False  # with what must not be left half done
        self.has_written = False
        self.has_charged = False
        self.ends: tuple[socket.socket, socket.socket] | None = None


_state = _State()


def begin() -> None:
    """Begin a command, which has written nothing yet."""
    _state.has_written = _state.has_charged = False


def message() -> str:
    """Return what to say when the command ends early."""
    if _state.has_written:
        return "interrupted, after files were written"
    if _state.has_charged:
        return "interrupted; no file was changed but the ledger's, where the fit counts as spent."
    return "interrupted; no file was changed. A fit that had begun counts as spent."


def install() -> None:
    """See to Ctrl-C from now on, unless this process was started so that it ignores it."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return
    ours, theirs = _state.ends = socket.socketpair()
    ours.setblocking(False)
    signal.signal(signal.SIGINT, _ask)
    signal.set_wakeup_fd(ours.fileno(), warn_on_full_buffer=False)
    _state.is_installed = True
    watcher = threading.Thread(target=_watch, args=(theirs,), daemon=True)
    watcher.start()
    atexit.register(_uninstall, ours, watcher)


def _uninstall(ours: socket.socket, watcher: threading.Thread) -> None:
    """Let the thread end, which has nothing more to wait for."""
    signal.set_wakeup_fd(-1)
    ours.close()
    watcher.join(timeout=1.0)


def _ask(*_: object) -> NoReturn:
    """Run by Python in the main thread, when it comes to it."""
    _leave_if_idle()
    raise KeyboardInterrupt


def _watch(woken: socket.socket) -> None:
    """Run in a thread of its own, at once."""
    with woken:
        while woken.recv(1):
            _leave_if_idle()


def _leave_if_idle() -> None:
    """End the process, if it is not busy with what must not be left half done."""
    with _state.lock:
        _state.is_asked = True
        if not _state.is_busy:
            show_cursor = "\x1b[?25h\r\x1b[2K" if os.isatty(2) else ""
            os.write(2, f"{show_cursor}{message()}\n".encode())
            os._exit(STATUS)


def acknowledge() -> None:
    """Say that the exception has arrived: the program ends by itself."""
    if _state.is_installed:
        with _state.lock:
            _state.is_busy = True
        signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def writing() -> Iterator[None]:
    """Write files that take their names together at the end, unless Ctrl-C was pressed by then."""
    from covloss_fast._files import named_together  # not before Ctrl-C is seen to

    with _state.lock:
        _state.is_busy = True
    _stop_if_asked()
    with named_together():
        yield
        _stop_if_asked()
    _state.has_written = True
    _stop_if_asked()
    with _state.lock:
        _state.is_busy = False


@contextmanager
def charging() -> Iterator[None]:
    """Change the file of a ledger, which is done before Ctrl-C ends the program."""
    with _state.lock:
        _state.is_busy = True
    try:
        _stop_if_asked()
        yield
        _state.has_charged = True
        _stop_if_asked()
    except KeyboardInterrupt:  # which ends the program by itself
        raise
    except BaseException:
        _state.is_busy = False
        raise
    with _state.lock:
        _state.is_busy = False


def _stop_if_asked() -> None:
    if _state.is_asked:
        raise KeyboardInterrupt
