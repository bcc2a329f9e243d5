"""Files from strangers: whatever their bytes, they are read or refused by a named error in one sentence."""

from __future__ import annotations

import copy
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

import covloss_fast as cf
from covloss_fast.records.encoding import encode
from covloss_fast.storage import read_release, write_release

SCHEMA = cf.Schema(
    [
        cf.Binary("smoker", levels=("no", "yes")),
        cf.Categorical("job", ["clerk", "nurse", "other"], other="other"),
        cf.Numeric("age", lower=0, upper=120, bins=6, integer=True),
    ]
)
FRAME = pd.DataFrame(
    {
        "smoker": ["no", "yes", "no", "no"] * 10,
        "job": ["clerk", "nurse", "pilot", 'a "quoted", one'] * 10,
        "age": [1, 30, 55, 120] * 10,
    }
)
#: Folders are made once for a test, not for each example: every example writes the same file anew.
FUZZ = hypothesis_settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

#: What replaces any value in a file of JSON.
ODD_JSON = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([2**31, 2**63, -(2**70), 1e308, -0.5, 10**400]),
    st.sampled_from(["", "x", "1/0", "nan", "1e999", "-1", "no", "\x00", "add_or_remove_one", "9" * 500]),
    st.just([]),
    st.just({}),
    st.lists(st.integers(-1, 2), max_size=3),
    st.just([[[]]]),
    st.just({"a": {}}),
)


def one_sentence(error: BaseException, without: str = "Traceback") -> None:
    assert isinstance(error, (ValueError, TypeError, OSError)), error
    text = str(error)
    assert text
    assert without not in text
    assert len(text) < 2_000


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to all values inside a value of JSON."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*at, key)
        yield from places(inner, (*at, key))


def changed(value: Any, at: tuple[Any, ...], new: Any, remove: bool) -> Any:
    """A copy in which one inner value is another, or gone."""
    whole = copy.deepcopy(value)
    inner = whole
    for key in at[:-1]:
        inner = inner[key]
    if remove:
        del inner[at[-1]]
    else:
        inner[at[-1]] = new
    return whole


def mutated(data: bytes) -> st.SearchStrategy[bytes]:
    """Bytes with a few of them changed, cut out, doubled or put in; or other bytes altogether."""
    position = st.integers(0, len(data))
    edit = st.tuples(position, position, st.binary(max_size=6))

    def apply(edits: list[tuple[int, int, bytes]]) -> bytes:
        out = data
        for a, b, new in edits:
            low, high = sorted((a, min(b, a + 20)))
            out = out[:low] + new + out[high:]
        return out

    return st.one_of(st.lists(edit, min_size=1, max_size=4).map(apply), st.binary(max_size=300))


@pytest.fixture(scope="module", params=["pairs", "blocks", "paper"])
def release(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of each kind of model, with a certificate."""
    path = tmp_path_factory.mktemp("release") / "release.covloss"
    if request.param == "blocks":
        schema = cf.Schema([cf.Binary(f"a{i}", levels=(0, 1)) for i in range(3)])
        synth = cf.CovLossSynthesizer(schema, epsilon=5, delta=1e-6, n_blocks=4, n_threads=1)
        synth.fit(np.eye(3, dtype=np.uint8).repeat(12, axis=0))
    else:
        settings: dict[str, Any] = (
            {"delta": 1e-6} if request.param == "pairs" else {"delta": 0, "method": "paper"}
        )
        synth = cf.CovLossSynthesizer(SCHEMA, epsilon=5, n_threads=1, **settings).fit(FRAME)
    synth.save(path)
    return path


def load_and_use(path: Path) -> None:
    """A release that loads can be used for all that a release is for."""
    try:
        synth = cf.load(path)
    except (ValueError, OSError) as error:
        one_sentence(error)
        return
    synth.schema.validate(synth.sample(5))
    synth.sample()
    synth.ledger_.to_text()
    [str(part) for part in synth.certificate_]
    synth.save(path)


@FUZZ
@given(data=st.data())
def test_damaged_releases(release: Path, tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "release.covloss"
    path.write_bytes(data.draw(mutated(release.read_bytes())))
    load_and_use(path)


@FUZZ
@given(data=st.data())
def test_releases_whose_manifest_says_something_else(
    release: Path, tmp_path: Path, data: st.DataObject
) -> None:
    """The archive is whole and its checksums are right: what it says is wrong."""
    manifest, arrays = read_release(release)
    at = data.draw(st.sampled_from(list(places(manifest))))
    path = tmp_path / "release.covloss"
    write_release(path, changed(manifest, at, data.draw(ODD_JSON), data.draw(st.booleans())), arrays)
    load_and_use(path)


@FUZZ
@given(data=st.data())
def test_releases_whose_arrays_are_others(release: Path, tmp_path: Path, data: st.DataObject) -> None:
    manifest, arrays = read_release(release)
    name = data.draw(st.sampled_from(sorted(arrays)))
    array = arrays[name]
    kind = data.draw(st.sampled_from(["absent", "value", "shape", "dtype", "empty"]))
    if kind == "absent":
        del arrays[name]
    elif kind == "value":
        array = array.copy()
        values = [0, 1, -1, 255, np.nan, np.inf, -np.inf, 1e300, -1e-300]
        with np.errstate(all="ignore"):
            new = np.asarray(data.draw(st.sampled_from(values)))
            if array.dtype.kind == "f" or np.isfinite(new):
                array.flat[data.draw(st.integers(0, max(array.size - 1, 0)))] = new.astype(array.dtype)
        arrays[name] = array
    elif kind == "shape":
        arrays[name] = data.draw(st.sampled_from([array[None], array.ravel()[:-1], np.append(array, 0)]))
    elif kind == "dtype":
        arrays[name] = array.astype(data.draw(st.sampled_from(["u1", "i8", "f4", "f8", "?"])))
    else:
        arrays[name] = array[..., :0] if array.ndim else np.zeros(0)
    path = tmp_path / "release.covloss"
    write_release(path, manifest, arrays)
    load_and_use(path)


def read_table(path: Path) -> None:
    try:
        encode(path, SCHEMA)
    except (ValueError, TypeError) as error:
        one_sentence(error, without="pilot")


@FUZZ
@given(data=mutated(FRAME.to_csv(index=False).encode()))
def test_damaged_csv(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "table.csv").write_bytes(data)
    read_table(tmp_path / "table.csv")


CELL = st.one_of(
    st.sampled_from(
        ["no", "yes", "clerk", "5", "", '"', '""', "a,b", "\n", "\r", ";", "\t", "\ufeff", "\x00"]
    ),
    st.text(max_size=4),
)


@FUZZ
@given(
    rows=st.lists(st.lists(CELL, max_size=4), max_size=6),
    delimiter=st.sampled_from([",", ";", "\t"]),
    newline=st.sampled_from(["\n", "\r\n", "\r"]),
    header=st.booleans(),
    codec=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "latin-1"]),
)
def test_odd_csv(
    tmp_path: Path, rows: list[list[str]], delimiter: str, newline: str, header: bool, codec: str
) -> None:
    lines = [delimiter.join(row) for row in ([["smoker", "job", "age"]] if header else []) + rows]
    (tmp_path / "table.csv").write_bytes(newline.join(lines).encode(codec, "replace"))
    read_table(tmp_path / "table.csv")


def parquet() -> bytes:
    buffer = io.BytesIO()
    FRAME.to_parquet(buffer)
    return buffer.getvalue()


@FUZZ
@given(data=mutated(parquet()))
def test_damaged_parquet(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "table.parquet").write_bytes(data)
    read_table(tmp_path / "table.parquet")


@FUZZ
@given(data=st.data())
def test_damaged_schemas(tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "schema.json"
    whole = SCHEMA.to_dict()
    if data.draw(st.booleans()):
        path.write_bytes(data.draw(mutated(json.dumps(whole).encode())))
    else:
        at = data.draw(st.sampled_from(list(places(whole))))
        path.write_text(json.dumps(changed(whole, at, data.draw(ODD_JSON), data.draw(st.booleans()))))
    try:
        schema = cf.Schema.load(path)
    except (ValueError, TypeError) as error:
        one_sentence(error)
    else:
        assert cf.Schema.from_dict(schema.to_dict()) == schema
