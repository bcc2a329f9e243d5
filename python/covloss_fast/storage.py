"""Saved releases: a zip archive with one JSON manifest and plain arrays, never a pickle.

A release is read by people who did not make it, so reading trusts nothing: no member can run code, sizes are
checked before memory is taken, every array is checked against the manifest (type, shape, SHA-256), and
whatever is wrong with a file ends in one sentence. The same content gives the same bytes: no clock, no
name of a machine or a user enters the file.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import os
import re
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covloss_fast._config import __version__
from covloss_fast._files import VersionError, written_whole

FORMAT_VERSION = 1
MAX_BYTES = 1 << 33
_FORMAT = "covloss_fast release"
_MANIFEST = "manifest.json"
_MAX_MANIFEST_BYTES = 1 << 28
_MAX_ARRAYS = 10_000
_NAME = re.compile(r"[A-Za-z0-9_]+(/[A-Za-z0-9_]+)*", re.ASCII)
_KINDS = "biuf"


def _check_array(name: str, array: NDArray[Any]) -> NDArray[Any]:
    if not _NAME.fullmatch(name):
        raise ValueError(f"an array's name consists of letters, digits, _ and /, got {name!r}")
    if array.dtype.kind not in _KINDS:
        raise ValueError(f"array {name!r} has the type {array.dtype}; only numbers and booleans are stored")
    little = array.dtype.newbyteorder("<")
    return np.asarray(array, dtype=little, order="C")


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    member = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
    member.compress_type = zipfile.ZIP_DEFLATED
    member.external_attr = 0o644 << 16
    archive.writestr(member, content, compresslevel=6)


def write_release(
    path: str | os.PathLike[str], manifest: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> None:
    """Write a release, whole or not at all.

    Parameters
    ----------
    path : path
        Where to; an existing file is replaced.
    manifest : mapping
        What JSON can hold, without NaN.
    arrays : mapping of str to array
        Arrays of numbers or booleans.

    Raises
    ------
    ValueError
        If an array is of another kind or the manifest holds what JSON cannot.
    """
    packed: dict[str, bytes] = {}
    table: dict[str, dict[str, Any]] = {}
    for name in sorted(arrays):
        array = _check_array(name, np.asarray(arrays[name]))
        buffer = io.BytesIO()
        np.lib.format.write_array(buffer, array, version=(1, 0), allow_pickle=False)
        packed[name] = buffer.getvalue()
        table[name] = {
            "dtype": array.dtype.str,
            "shape": list(array.shape),
            "sha256": hashlib.sha256(packed[name]).hexdigest(),
        }
    head = {
        "format": _FORMAT,
        "format_version": FORMAT_VERSION,
        "library_version": __version__,
        "arrays": table,
        "content": dict(manifest),
    }
    try:
        text = json.dumps(head, allow_nan=False, indent=1, sort_keys=True)
    except (TypeError, ValueError) as error:
        raise ValueError(f"the manifest cannot be written as JSON: {error}") from None

    with written_whole(path) as file, zipfile.ZipFile(file, "w") as archive:
        _add(archive, _MANIFEST, text.encode())
        for name, content in packed.items():
            _add(archive, f"{name}.npy", content)


def _read_member(archive: zipfile.ZipFile, name: str, limit: int) -> bytes:
    info = archive.getinfo(name)
    if info.file_size > limit:
        raise ValueError(f"member {name!r} is too large")
    with archive.open(info) as member:
        return member.read(info.file_size)


def _parse_manifest(content: bytes) -> dict[str, Any]:
    head = json.loads(content)
    if not isinstance(head, dict) or head.get("format") != _FORMAT:
        raise ValueError("its manifest is not that of a release")
    version = head.get("format_version")
    if type(version) is not int:
        raise ValueError("its manifest names no format version")
    if version != FORMAT_VERSION:
        raise VersionError(
            f"the release has format version {version}, written by covloss_fast "
            f"{head.get('library_version')}; covloss_fast {__version__} reads format version {FORMAT_VERSION}"
        )
    if not isinstance(head.get("content"), dict) or not isinstance(head.get("arrays"), dict):
        raise ValueError("its manifest is incomplete")
    return head


def _parse_array(name: str, entry: Any, content: bytes) -> NDArray[Any]:
    dtype, shape = np.dtype(entry["dtype"]), tuple(entry["shape"])
    if dtype.kind not in _KINDS or not all(type(n) is int and n >= 0 for n in shape):
        raise ValueError(f"array {name!r} is of a kind that no release holds")
    if hashlib.sha256(content).hexdigest() != entry["sha256"]:
        raise ValueError(f"array {name!r} does not match its checksum")
    # The header was written by this library, as the checksum says, but the manifest may lie about both.
    size = math.prod(shape) * dtype.itemsize
    if size > len(content):
        raise ValueError(f"array {name!r} is cut off")
    array = np.lib.format.read_array(io.BytesIO(content), allow_pickle=False)
    if array.dtype != dtype or array.shape != shape:
        raise ValueError(f"array {name!r} has another type or shape than the manifest says")
    return array.astype(dtype.newbyteorder("="), order="C", copy=False)


def read_release(
    path: str | os.PathLike[str], max_bytes: int = MAX_BYTES
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Read what `write_release` wrote.

    Parameters
    ----------
    path : path
        The file.
    max_bytes : int
        Refuse a file that would unpack to more bytes than this.

    Returns
    -------
    manifest : dict
    arrays : dict of str to array
        In native byte order.

    Raises
    ------
    VersionError
        If the file is a release of another format version.
    ValueError
        If the file is no release, or is truncated or damaged, or the path is that of a folder.
    OSError
        If the file cannot be opened.
    """
    if os.path.isdir(path):
        raise ValueError(f"{os.fspath(path)!r} is a folder, not a release")
    with open(path, "rb") as file:
        try:
            with zipfile.ZipFile(file) as archive:
                members = archive.infolist()
                names = [member.filename for member in members]
                if len(names) > _MAX_ARRAYS or len(set(names)) != len(names):
                    raise ValueError("it has too many members or two of one name")
                if sum(member.file_size for member in members) > max_bytes:
                    raise ValueError(f"it would unpack to more than {max_bytes} bytes")
                head = _parse_manifest(_read_member(archive, _MANIFEST, _MAX_MANIFEST_BYTES))
                if {f"{name}.npy" for name in head["arrays"]} != set(names) - {_MANIFEST}:
                    raise ValueError("its members are not those that its manifest names")
                arrays = {
                    name: _parse_array(name, entry, _read_member(archive, f"{name}.npy", max_bytes))
                    for name, entry in head["arrays"].items()
                }
                return head["content"], arrays
        except VersionError:
            raise
        # A damaged archive can fail anywhere inside zipfile, zlib, json and numpy, with a dozen types of
        # exceptions that change between versions. To the reader all of them mean the same.
        except Exception as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            raise ValueError(f"{os.fspath(path)!r} is not a readable release: {reason}") from None


def code_dtype(sizes: tuple[int, ...]) -> np.dtype[Any]:
    """The smallest unsigned type that holds every code of attributes with these numbers of levels."""
    return np.min_scalar_type(max(sizes) - 1)


def pack_codes(codes: NDArray[Any], sizes: tuple[int, ...]) -> dict[str, NDArray[Any]]:
    """A code table in few bytes: attributes of two levels as bits, others as the smallest unsigned integers.

    Parameters
    ----------
    codes : unsigned integer array, shape (q, n)
        The level of each record, attribute by attribute.
    sizes : tuple of int
        Number of levels of each attribute.

    Returns
    -------
    dict of str to array
        For `unpack_codes`: ``n_rows``, ``bits`` (packed along the rows) and ``uint8``, ``uint16``, ``uint32``
        where attributes of that type exist.

    Raises
    ------
    ValueError
        If the shape does not fit the sizes or a code is no level.
    """
    array = np.asarray(codes)
    if array.ndim != 2 or len(array) != len(sizes) or array.dtype.kind != "u":
        raise ValueError(f"codes must be an unsigned integer array of shape ({len(sizes)}, n)")
    for attribute, size in enumerate(sizes):
        if array.shape[1] and array[attribute].max() >= size:
            raise ValueError(f"attribute {attribute} holds a code that is not below its size {size}")
    packed: dict[str, NDArray[Any]] = {"n_rows": np.array(array.shape[1], dtype=np.int64)}
    for name, attributes in _by_type(sizes).items():
        rows = array[attributes]
        packed[name] = np.packbits(rows.astype(bool), axis=1) if name == "bits" else rows.astype(name)
    return packed


def unpack_codes(packed: Mapping[str, NDArray[Any]], sizes: tuple[int, ...]) -> NDArray[Any]:
    """The code table that `pack_codes` packed, shape (q, n), in the smallest type that holds all sizes.

    Raises
    ------
    ValueError
        If an array is absent, has another type or shape than the sizes ask for, or holds a code that is no
        level.
    """
    n_rows = packed.get("n_rows")
    if n_rows is None or n_rows.dtype != np.int64 or n_rows.shape != () or n_rows < 0:
        raise ValueError("a packed code table must have its number of rows")
    n = int(n_rows)
    groups = _by_type(sizes)
    for name, attributes in groups.items():
        shape = (len(attributes), (n + 7) // 8 if name == "bits" else n)
        dtype = np.uint8 if name == "bits" else np.dtype(name)
        array = packed.get(name)
        if array is None or array.dtype != dtype or array.shape != shape:
            raise ValueError(f"a packed code table must have an array {name!r} of shape {shape}")
    codes = np.empty((len(sizes), n), dtype=code_dtype(sizes))
    for name, attributes in groups.items():
        for row, attribute in enumerate(attributes):
            values = packed[name][row]
            codes[attribute] = np.unpackbits(values, count=n) if name == "bits" else values
            if n and codes[attribute].max() >= sizes[attribute]:
                raise ValueError(
                    f"attribute {attribute} holds a code that is not below its size {sizes[attribute]}"
                )
    return codes


def _by_type(sizes: tuple[int, ...]) -> dict[str, list[int]]:
    """Attributes by the type that they are stored in."""
    groups: dict[str, list[int]] = {}
    for attribute, size in enumerate(sizes):
        name = "bits" if size == 2 else code_dtype((size,)).name
        groups.setdefault(name, []).append(attribute)
    return groups
