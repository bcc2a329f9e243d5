"""A ledger in a file: what is charged stands there first, whoever else charges it at the same time."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import threading
from fractions import Fraction
from pathlib import Path
from stat import S_ISDIR
from typing import Any

import numpy as np
import pytest

import covloss_fast as cf
from covloss_fast._files import locked

SCHEMA = cf.Schema([cf.Binary("a"), cf.Categorical("b", ["x", "y", "z"]), cf.Numeric("c", 0, 9, bins=3)])
TABLE = {
    "c": np.arange(200) % 9,
    "a": np.arange(200) % 3 == 0,
    "b": np.array(["x", "y", "z", "x"])[np.arange(200) % 4],
}
NEIGHBOURS = "add_or_remove_one"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    cf.PrivacyLedger(NEIGHBOURS, budget=cf.Budget(3, 0)).save(tmp_path / "ledger.json")
    return tmp_path / "ledger.json"


def shared(ledger: cf.PrivacyLedger, epsilon: float = 1, **settings: Any) -> cf.CovLossSynthesizer:
    return cf.CovLossSynthesizer(SCHEMA, epsilon=epsilon, delta=0, ledger=ledger, **settings)


def left(path: Path) -> float:
    amount = cf.PrivacyLedger.load(path).left
    assert amount is not None
    return float(amount.epsilon)


def add(ledger: cf.PrivacyLedger, query: str, number: int) -> int:
    """Declare a tenth of a fit of epsilon = 1/2 and return its stream."""
    return ledger.add_entry(
        query,
        l1=Fraction(1),
        l2_squared=Fraction(1),
        share=Fraction(1, 10),
        distribution="discrete Laplace",
        scale=Fraction(20),
        spent=Fraction(1, 20),
        fit_number=number,
    ).stream


def test_a_fit_is_charged_in_the_file_and_then_written_down(path: Path) -> None:
    ledger = cf.LedgerFile(path)
    synth = shared(ledger).fit(TABLE)
    kept = cf.PrivacyLedger.load(path)
    assert synth.ledger_ is ledger
    assert kept == ledger
    assert len(kept.entries) == len(ledger.entries) > 3
    assert [entry.stream for entry in kept.entries] == list(range(len(kept.entries)))
    assert left(path) == 2
    assert {each.name for each in path.parent.iterdir()} == {"ledger.json", ".ledger.json.lock"}


def test_it_is_on_disk_before_a_record_is_counted(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def died(*_: Any) -> None:
        assert left(path) == 2
        raise KeyboardInterrupt

    monkeypatch.setattr("covloss_fast.synthesizer.release_restored", died)
    with pytest.raises(KeyboardInterrupt):
        shared(cf.LedgerFile(path)).fit(TABLE)
    assert left(path) == 2
    monkeypatch.undo()
    ledger = cf.LedgerFile(path)
    assert len(ledger.fits) == 1
    assert not ledger.entries
    shared(ledger, 2).fit(TABLE)
    assert left(path) == 0
    with pytest.raises(cf.BudgetExceededError, match="there is 0 left"):
        shared(ledger).fit(lambda: pytest.fail("it was read"))


def test_a_charge_that_cannot_be_written_is_none(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = cf.LedgerFile(path)

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("covloss_fast._files.os.fsync", full)
    with pytest.raises(OSError, match=r"No space left.*ledger\.json"):
        shared(ledger).fit(TABLE)
    assert not ledger.fits
    monkeypatch.undo()
    assert left(path) == 3
    shared(ledger).fit(TABLE)
    assert left(path) == 2


def test_a_release_that_is_paid_for_is_not_lost_with_its_mechanisms(path: Path) -> None:
    ledger = cf.LedgerFile(path)
    synth = shared(ledger)
    write = ledger._write

    def once() -> None:
        write()
        ledger._write = full  # type: ignore[method-assign]

    def full() -> None:
        raise OSError(28, "No space left on device")

    ledger._write = once  # type: ignore[method-assign]
    with pytest.warns(UserWarning, match="could not be written down .*; what it was charged stands there"):
        synth.fit(TABLE)
    assert len(synth.sample(5)["a"]) == 5
    assert left(path) == 2
    assert synth.ledger_.entries
    synth.save(path.parent / "release")
    assert cf.load(path.parent / "release").ledger_ == ledger


def test_two_who_opened_it_know_of_each_other(path: Path) -> None:
    first, second = cf.LedgerFile(path), cf.LedgerFile(path)
    shared(first, 2).fit(TABLE)
    with pytest.raises(cf.BudgetExceededError, match=r"asks for epsilon = 2, .* there is 1 left"):
        shared(second, 2).plan()
    assert len(second.fits) == 1
    shared(second, 1).fit(TABLE)
    with pytest.raises(cf.BudgetExceededError, match="there is 0 left"):
        shared(first, 1).fit(TABLE)
    assert first == second == cf.PrivacyLedger.load(path)


def test_fits_at_the_same_time_keep_their_lines_apart(path: Path) -> None:
    ledgers = [cf.LedgerFile(path), cf.LedgerFile(path), cf.LedgerFile(path)]
    begun = threading.Barrier(len(ledgers))
    fits = {}

    def work(ledger: cf.LedgerFile, number: int) -> None:
        budget = cf.Budget("1/2", 0)
        fit = ledger.begin_fit(budget, schema_hash=f"{number}", seeded=False)
        begun.wait(30)
        for i in range(5 + number):
            add(ledger, f"query {number}.{i}", fit.number)
        ledger.end_fit(fit)
        fits[number] = fit.number

    threads = [threading.Thread(target=work, args=(each, n)) for n, each in enumerate(ledgers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = cf.PrivacyLedger.load(path)
    assert len(kept.fits) == 3
    for number, place in fits.items():
        assert kept.fits[place].schema_hash == f"{number}"
        expected = [f"query {number}.{i}" for i in range(5 + number)]
        assert [entry.query for entry in kept.fits[place].entries] == expected


def test_one_object_may_have_fits_under_way_while_others_write(path: Path) -> None:
    mine, other = cf.LedgerFile(path), cf.LedgerFile(path)
    cost = cf.Budget("1/2", 0)
    a = mine.begin_fit(cost, schema_hash="a", seeded=False)
    b = mine.begin_fit(cost, schema_hash="b", seeded=False)
    half = {"a": [], "b": []}  # streams that were used, which must never be used again in the same fit
    half["a"] += [add(mine, "a", a.number)]
    half["b"] += [add(mine, "b", b.number), add(mine, "b", b.number)]
    c = other.begin_fit(cost, schema_hash="c", seeded=False)
    add(other, "c", c.number)
    other.end_fit(c)
    assert [len(fit.entries) for fit in cf.PrivacyLedger.load(path).fits] == [0, 0, 1]
    mine.end_fit(b)
    half["a"] += [add(mine, "a", a.number)]
    assert [len(fit.entries) for fit in mine.fits] == [2, 2, 1]
    assert cf.PrivacyLedger.from_dict(mine.to_dict()) == mine  # its numbers are all different
    assert [len(fit.entries) for fit in cf.PrivacyLedger.load(path).fits] == [0, 2, 1]
    mine.end_fit(a)
    assert half["a"] == sorted(set(half["a"]))
    assert cf.PrivacyLedger.load(path) == mine
    assert [len(fit.entries) for fit in mine.fits] == [2, 2, 1]


def test_processes_never_spend_the_last_of_a_budget_twice(path: Path) -> None:
    script = (
        "import sys, covloss_fast as cf\n"
        "ledger = cf.LedgerFile(sys.argv[1])\n"
        "print('ready', flush=True)\n"
        "sys.stdin.readline()\n"
        "for _ in range(10):\n"
        "    try:\n"
        "        fit = ledger.begin_fit(cf.Budget('1/4', 0), schema_hash='', seeded=False)\n"
        "    except cf.BudgetExceededError:\n"
        "        continue\n"
        "    ledger.end_fit(fit)\n"
        "    print('charged', flush=True)\n"
    )
    pipe = subprocess.PIPE
    processes = [
        subprocess.Popen([sys.executable, "-c", script, str(path)], stdin=pipe, stdout=pipe, text=True)
        for _ in range(3)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    charged = sum(process.communicate("go\n", timeout=60)[0].count("charged") for process in processes)
    assert [process.returncode for process in processes] == [0, 0, 0]
    assert charged == 12
    assert len(cf.PrivacyLedger.load(path).fits) == 12
    assert left(path) == 0


def test_the_lock_keeps_others_out(path: Path) -> None:
    done, ledger = threading.Event(), cf.LedgerFile(path)

    def charge() -> None:
        ledger.begin_fit(cf.Budget(1, 0), schema_hash="", seeded=False)
        done.set()

    with locked(path):
        thread = threading.Thread(target=charge)
        thread.start()
        assert not done.wait(0.2)
        assert left(path) == 3
        was_free = ledger._lock.acquire(timeout=2)
        if was_free:
            ledger._lock.release()
    assert done.wait(30)
    thread.join()
    assert was_free  # who waits for others can be read meanwhile, and forked
    assert left(path) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="permissions")
def test_a_lock_that_another_user_made_can_be_locked(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lock = path.with_name(f".{path.name}.lock")
    lock.touch()
    opened = os.open

    def as_another_user(name: Any, flags: int, *rest: int) -> int:
        if Path(name) == lock and flags & os.O_RDWR:
            raise PermissionError(13, "Permission denied", str(name))
        return opened(name, flags, *rest)

    monkeypatch.setattr(os, "open", as_another_user)
    cf.LedgerFile(path).begin_fit(cf.Budget(1, 0), schema_hash="0" * 64, seeded=False)
    assert len(cf.LedgerFile(path).fits) == 1


def test_a_link_locks_the_file_itself(path: Path) -> None:
    link = path.parent / "link.json"
    link.symlink_to(path)
    shared(cf.LedgerFile(link)).fit(TABLE)
    assert link.is_symlink()
    assert left(path) == left(link) == 2


def test_hard_links_are_not_charged(path: Path) -> None:
    link = path.parent / "link.json"
    ledger = cf.LedgerFile(path)
    os.link(path, link)
    for each in (ledger, cf.LedgerFile(link)):
        with pytest.raises(ValueError, match="has another name"):
            shared(each).fit(lambda: pytest.fail("it was read"))
    assert left(path) == left(link) == 3
    link.unlink()
    shared(ledger).fit(TABLE)
    assert left(path) == 2


def test_the_file_keeps_its_mode(path: Path) -> None:
    path.chmod(0o600)
    shared(cf.LedgerFile(path)).fit(TABLE)
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(sys.platform == "win32", reason="folders cannot be synced")
def test_the_name_is_on_disk_too_when_a_fit_is_charged(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []

    def noted(name: str) -> Any:
        do = getattr(os, name)

        def step(*arguments: Any) -> None:
            is_folder = name == "fsync" and S_ISDIR(os.fstat(arguments[0]).st_mode)
            steps.append("folder" if is_folder else name)
            do(*arguments)

        return step

    ledger = cf.LedgerFile(path)
    for name in ("fsync", "replace"):
        monkeypatch.setattr(os, name, noted(name))
    ledger.begin_fit(cf.Budget(1, 0), schema_hash="", seeded=False)
    assert steps == ["fsync", "replace", "folder"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_process_forked_under_the_lock_does_not_keep_it(path: Path) -> None:
    with locked(path):
        child = subprocess.Popen(
            [sys.executable, "-c", "input()"], stdin=subprocess.PIPE, pass_fds=_descriptors(path)
        )
    done = threading.Event()

    def charge() -> None:
        cf.LedgerFile(path).begin_fit(cf.Budget(1, 0), schema_hash="", seeded=False)
        done.set()

    thread = threading.Thread(target=charge)
    thread.start()
    was_free = done.wait(5)
    child.communicate(b"\n")
    thread.join()
    assert was_free


def _descriptors(path: Path) -> list[int]:
    """Descriptors of the file that is locked."""
    lock = (path.parent / f".{path.name}.lock").stat()
    found = []
    for descriptor in range(256):
        try:
            each = os.fstat(descriptor)
        except OSError:
            continue
        if (each.st_dev, each.st_ino) == (lock.st_dev, lock.st_ino):
            found.append(descriptor)
    assert found
    return found


def test_streams_are_not_used_again_when_mechanisms_vanish_from_the_file(path: Path) -> None:
    ledger, cost = cf.LedgerFile(path), cf.Budget("1/2", 0)
    a = ledger.begin_fit(cost, schema_hash="a", seeded=False)
    b = ledger.begin_fit(cost, schema_hash="b", seeded=False)
    before = path.read_bytes()  # both are charged
    for _ in range(3):
        add(ledger, "b", b.number)
    used = [add(ledger, "a", a.number)]
    ledger.end_fit(b)
    path.write_bytes(before)
    with pytest.raises(ValueError, match="is no longer the ledger that was opened"):
        ledger.begin_fit(cost, schema_hash="c", seeded=False)
    used += [add(ledger, "a", a.number) for _ in range(3)]
    assert len(set(used)) == len(used)


def test_a_file_that_was_put_back_is_refused(path: Path) -> None:
    before = path.read_bytes()
    ledger = cf.LedgerFile(path)
    shared(ledger).fit(TABLE)
    path.write_bytes(before)
    with pytest.raises(ValueError, match=r"ledger\.json: is no longer the ledger that was opened"):
        shared(ledger).fit(lambda: pytest.fail("it was read"))
    cf.PrivacyLedger(NEIGHBOURS, budget=cf.Budget(9, 0)).save(path)
    with pytest.raises(ValueError, match="is no longer the ledger that was opened"):
        shared(ledger).plan()
    path.unlink()
    with pytest.raises(FileNotFoundError):
        shared(ledger).plan()


@pytest.mark.parametrize(
    "other",
    [
        cf.PrivacyLedger("replace_one", budget=cf.Budget(3, 0)),
        cf.PrivacyLedger(NEIGHBOURS, budget=cf.Budget(9, 0)),
        cf.PrivacyLedger(NEIGHBOURS),
        cf.PrivacyLedger(NEIGHBOURS, budget=cf.Budget(3, 1e-9)),
        cf.PrivacyLedger(
            NEIGHBOURS, max_records_per_person=2, budget=cf.Budget(3, 0, max_records_per_person=2)
        ),
    ],
    ids=str,
)
def test_a_file_about_something_else_in_its_place_is_refused(path: Path, other: cf.PrivacyLedger) -> None:
    ledger = cf.LedgerFile(path)
    other.save(path)
    with pytest.raises(ValueError, match="is no longer the ledger that was opened"):
        ledger.begin_fit(cf.Budget(1, 0), schema_hash="", seeded=False)
    assert cf.PrivacyLedger.load(path) == other


def test_copies_and_other_files(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = cf.LedgerFile(path)
    shared(ledger).fit(TABLE)
    ledger.save(path.parent / "copy.json")
    assert cf.PrivacyLedger.load(path.parent / "copy.json") == ledger
    with pytest.raises(ValueError, match="is the file that this ledger is kept in"):
        ledger.save(path)
    elsewhere = pickle.loads(pickle.dumps(ledger))
    assert type(elsewhere) is cf.PrivacyLedger
    assert type(ledger.load(path)) is cf.PrivacyLedger
    with pytest.raises(cf.BudgetExceededError, match=r"one file for all processes \(LedgerFile\)"):
        shared(elsewhere).fit(TABLE)
    parent = os.getpid()
    monkeypatch.setattr(os, "getpid", lambda: parent + 1)
    with pytest.raises(cf.BudgetExceededError, match="a copy, from another process"):
        shared(ledger).fit(TABLE)
    assert left(path) == 2


def test_a_new_file_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "new.json"
    ledger = cf.LedgerFile.create(path, "replace_one", max_records_per_person=2, budget=None)
    assert (ledger.neighbours, ledger.max_records_per_person, ledger.budget) == ("replace_one", 2, None)
    before = path.read_bytes()
    with pytest.raises(FileExistsError, match="exists already"):
        cf.LedgerFile.create(path, "replace_one")
    assert path.read_bytes() == before
    with pytest.raises(FileNotFoundError, match="no such folder"):
        cf.LedgerFile.create(tmp_path / "nowhere" / "new.json", "replace_one")


def test_a_damaged_file_is_named(path: Path) -> None:
    text = path.read_text()
    damaged = [text[:n] for n in range(0, len(text) - 1, 7)]
    damaged += ["[]", "null", "3", '"x"', "[" * 100_000, json.dumps({"format": "other"})]
    whole = json.loads(text)
    for key in whole:
        if key not in ("is_private", "total", "budget", "max_records_per_person"):
            damaged.append(json.dumps({name: value for name, value in whole.items() if name != key}))
    damaged += [
        json.dumps({**whole, key: value})
        for key in ("neighbours", "budget", "fits", "max_records_per_person", "version")
        for value in (None, 7.5, "x", {}, [3], [None], [{}], {"epsilon": "1/0", "delta": "0"}, 10**400)
        if (key, value) != ("fits", {})
    ]
    for each in damaged:
        path.write_text(each)
        with pytest.raises(ValueError, match=r"ledger\.json: "):
            cf.LedgerFile(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match=r"ledger\.json: "):
        cf.LedgerFile(path)
    with pytest.raises(IsADirectoryError):
        cf.LedgerFile(path.parent)
