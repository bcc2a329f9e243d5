"""Saved releases: what is read is what was written, and any other file ends in one sentence."""

from __future__ import annotations

import io
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from covloss_fast import storage
from covloss_fast.storage import VersionError, pack_codes, read_release, unpack_codes, write_release

MANIFEST = {"epsilon": "1", "names": ["ä", "b"], "nested": {"x": [1, 2.5, None, True]}}
ARRAYS: dict[str, NDArray[Any]] = {
    "model/weights": np.array([0.25, 0.75]),
    "codes": np.arange(12, dtype=np.uint8).reshape(3, 4),
    "scalar": np.array(7, dtype=np.int64),
    "empty": np.zeros((0, 3), dtype=np.uint16),
    "flags": np.array([True, False]),
}


def assert_same(manifest: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    assert manifest == MANIFEST
    assert set(arrays) == set(ARRAYS)
    for name, array in arrays.items():
        assert array.dtype == ARRAYS[name].dtype
        assert array.shape == ARRAYS[name].shape
        assert np.array_equal(array, ARRAYS[name])


def content(path: Path) -> bytes:
    write_release(path, MANIFEST, ARRAYS)
    return path.read_bytes()


def rewrite(path: Path, change: Any) -> None:
    """Write a release again, with its members changed by a function on the dict of their contents."""
    write_release(path, MANIFEST, ARRAYS)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)


def change_manifest(path: Path, change: Any) -> None:
    def edit(members: dict[str, bytes]) -> None:
        head = json.loads(members["manifest.json"])
        change(head)
        members["manifest.json"] = json.dumps(head).encode()

    rewrite(path, edit)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.covloss"
    write_release(str(path), MANIFEST, ARRAYS)
    assert_same(*read_release(path))
    assert os.listdir(tmp_path) == ["a.covloss"]
    assert zipfile.ZipFile(path).testzip() is None
    assert path.stat().st_mode & 0o777 == 0o666 & ~_umask()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_same_content_gives_same_bytes(tmp_path: Path) -> None:
    turned = dict(reversed(ARRAYS.items()))
    turned["codes"] = np.asfortranarray(turned["codes"])
    write_release(tmp_path / "b", dict(reversed(MANIFEST.items())), turned)
    assert content(tmp_path / "a") == (tmp_path / "b").read_bytes()


def test_big_endian_arrays_are_stored_and_read_as_native(tmp_path: Path) -> None:
    write_release(tmp_path / "a", {}, {"x": np.arange(3, dtype=">i4")})
    _, arrays = read_release(tmp_path / "a")
    assert arrays["x"].dtype == np.int32
    assert arrays["x"].tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("manifest", "arrays", "message"),
    [
        ({"x": float("nan")}, {}, "cannot be written as JSON"),
        ({"x": object()}, {}, "cannot be written as JSON"),
        ({}, {"x": np.array([object()])}, "only numbers and booleans"),
        ({}, {"x": np.array(["text"])}, "only numbers and booleans"),
        ({}, {"../x": np.zeros(1)}, "letters, digits"),
        ({}, {"": np.zeros(1)}, "letters, digits"),
    ],
)
def test_what_cannot_be_stored_is_refused_and_the_old_file_stays(
    tmp_path: Path, manifest: dict[str, Any], arrays: dict[str, Any], message: str
) -> None:
    before = content(tmp_path / "a")
    with pytest.raises(ValueError, match=message):
        write_release(tmp_path / "a", manifest, arrays)
    assert (tmp_path / "a").read_bytes() == before
    assert os.listdir(tmp_path) == ["a"]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = content(tmp_path / "a")

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_release(tmp_path / "a", {}, {})
    assert (tmp_path / "a").read_bytes() == before
    assert os.listdir(tmp_path) == ["a"]


def test_absent_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_release(tmp_path / "none")
    with pytest.raises(FileNotFoundError):
        write_release(tmp_path / "no folder" / "a", {}, {})


def test_a_folder_is_no_release(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is a folder, not a release"):
        read_release(tmp_path)


def test_another_format_version_has_its_own_error(tmp_path: Path) -> None:
    change_manifest(tmp_path / "a", lambda head: head.update(format_version=2, library_version="9.9"))
    with pytest.raises(VersionError, match=r"format version 2, written by covloss_fast 9\.9"):
        read_release(tmp_path / "a")


@pytest.mark.parametrize("data", [b"", b"a,b\n1,2\n", b"PK\x03\x04", bytes(1000)])
def test_foreign_files(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a").write_bytes(data)
    with pytest.raises(ValueError, match="is not a readable release"):
        read_release(tmp_path / "a")


def test_foreign_archives(tmp_path: Path) -> None:
    def drop(members: dict[str, bytes]) -> None:
        del members["codes.npy"]

    def add(members: dict[str, bytes]) -> None:
        members["other.npy"] = b""

    def swap(members: dict[str, bytes]) -> None:
        members["codes.npy"] = members["flags.npy"]

    def no_manifest(members: dict[str, bytes]) -> None:
        del members["manifest.json"]

    def not_json(members: dict[str, bytes]) -> None:
        members["manifest.json"] = b"[" * 100_000

    for change in (drop, add, swap, no_manifest, not_json):
        rewrite(tmp_path / "a", change)
        with pytest.raises(ValueError, match="is not a readable release"):
            read_release(tmp_path / "a")


@pytest.mark.parametrize(
    "change",
    [
        lambda head: head.update(format="other"),
        lambda head: head.update(format_version="1"),
        lambda head: head.update(format_version=True),
        lambda head: head.update(content=[]),
        lambda head: head.update(arrays=[]),
        lambda head: head["arrays"].update(codes=3),
        lambda head: head["arrays"]["codes"].update(dtype="O"),
        lambda head: head["arrays"]["codes"].update(dtype="<u2"),
        lambda head: head["arrays"]["codes"].update(shape=[4, 3]),
        lambda head: head["arrays"]["codes"].update(shape=[10**9, 10**9]),
        lambda head: head["arrays"]["codes"].update(shape=[3, -4]),
        lambda head: head["arrays"]["codes"].update(sha256="0"),
    ],
)
def test_lying_manifests(tmp_path: Path, change: Any) -> None:
    change_manifest(tmp_path / "a", change)
    with pytest.raises(ValueError, match="is not a readable release"):
        read_release(tmp_path / "a")


def test_pickles_are_not_read(tmp_path: Path) -> None:
    import hashlib

    buffer = io.BytesIO()
    np.save(buffer, np.array([{"a": 1}], dtype=object), allow_pickle=True)

    def edit(members: dict[str, bytes]) -> None:
        members["codes.npy"] = buffer.getvalue()
        head = json.loads(members["manifest.json"])
        digest = hashlib.sha256(buffer.getvalue()).hexdigest()
        head["arrays"]["codes"] = {"dtype": "|u1", "shape": [1], "sha256": digest}
        members["manifest.json"] = json.dumps(head).encode()

    rewrite(tmp_path / "a", edit)
    with pytest.raises(ValueError, match="allow_pickle=False"):
        read_release(tmp_path / "a")


def test_archives_that_unpack_to_too_much_are_refused_before_they_do(tmp_path: Path) -> None:
    write_release(tmp_path / "a", {}, {"x": np.zeros(10**6, dtype=np.uint8)})
    assert (tmp_path / "a").stat().st_size < 10_000
    with pytest.raises(ValueError, match="more than 100000 bytes"):
        read_release(tmp_path / "a", max_bytes=100_000)


def test_two_members_of_one_name_are_refused(tmp_path: Path) -> None:
    content(tmp_path / "a")
    with zipfile.ZipFile(tmp_path / "a", "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("codes.npy", b"")
    with pytest.raises(ValueError, match="two of one name"):
        read_release(tmp_path / "a")


@pytest.fixture(scope="module")
def fuzz_target(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    path = tmp_path_factory.mktemp("fuzz") / "a"
    return path, content(path)


@settings(max_examples=1500)
@given(data=st.data())
def test_damaged_files_give_one_sentence_or_the_right_content(
    fuzz_target: tuple[Path, bytes], data: st.DataObject
) -> None:
    path, good = fuzz_target
    damaged = bytearray(good)
    for position, value in data.draw(
        st.lists(st.tuples(st.integers(0, len(good) - 1), st.integers(0, 255)), max_size=3)
    ):
        damaged[position] = value
    keep = data.draw(st.one_of(st.just(len(good)), st.integers(0, len(good))))
    drop = data.draw(st.one_of(st.just(0), st.integers(0, len(good))))
    path.write_bytes(damaged[drop:keep])
    try:
        manifest, arrays = read_release(path)
    except ValueError as error:
        message = str(error)
        inner_is_shown = error.__cause__ is not None or not error.__suppress_context__
    else:
        assert_same(manifest, arrays)
        return
    assert not inner_is_shown
    assert "\n" not in message


@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, 64, 1000])
@pytest.mark.parametrize("sizes", [(2,), (2, 3, 2, 256), (257, 2, 70_000, 1), (3, 4)])
def test_packed_codes_are_unpacked(tmp_path: Path, sizes: tuple[int, ...], n: int) -> None:
    generator = np.random.default_rng(n)
    codes = np.array([generator.integers(0, size, n) for size in sizes]).astype(
        np.min_scalar_type(max(sizes))
    )
    codes = codes.astype(np.min_scalar_type(max(sizes) - 1))
    write_release(tmp_path / "a", {}, pack_codes(codes, sizes))
    _, packed = read_release(tmp_path / "a")
    unpacked = unpack_codes(packed, sizes)
    assert unpacked.dtype == codes.dtype
    assert np.array_equal(unpacked, codes)
    n_bytes = sum(array.nbytes for name, array in packed.items() if name != "n_rows")
    assert n_bytes == sum((n + 7) // 8 if s == 2 else n * np.min_scalar_type(s - 1).itemsize for s in sizes)


def test_codes_that_fit_no_table_are_refused() -> None:
    sizes = (2, 3)
    good = np.array([[0, 1], [2, 0]], dtype=np.uint8)
    packed = pack_codes(good, sizes)
    with pytest.raises(ValueError, match="attribute 1 holds a code"):
        pack_codes(good + np.array([[0], [1]], dtype=np.uint8), sizes)
    with pytest.raises(ValueError, match=r"shape \(2, n\)"):
        pack_codes(good[:1], sizes)
    with pytest.raises(ValueError, match="unsigned"):
        pack_codes(good.astype(np.int64), sizes)
    with pytest.raises(ValueError, match="attribute 1 holds a code"):
        unpack_codes({**packed, "uint8": packed["uint8"] + np.uint8(1)}, sizes)
    for name in packed:
        with pytest.raises(ValueError, match="must have"):
            unpack_codes({key: value for key, value in packed.items() if key != name}, sizes)
        with pytest.raises(ValueError, match="must have"):
            unpack_codes({**packed, name: packed[name].astype(np.int16)}, sizes)
    with pytest.raises(ValueError, match="must have an array 'bits'"):
        unpack_codes({**packed, "n_rows": np.array(9, dtype=np.int64)}, sizes)


def test_format_version_is_written(tmp_path: Path) -> None:
    content(tmp_path / "a")
    with zipfile.ZipFile(tmp_path / "a") as archive:
        head = json.loads(archive.read("manifest.json"))
    assert head["format_version"] == storage.FORMAT_VERSION
    assert head["library_version"]
