"""The bundled census table: unmodified, attributed, described by a schema that was declared, not derived."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
from importlib.resources import files

import pytest

import covloss_fast as cf

DATA = files("covloss_fast") / "data"


@pytest.fixture(scope="module")
def text() -> bytes:
    return gzip.decompress((DATA / "adult.csv.gz").read_bytes())


@pytest.fixture(scope="module")
def schema() -> cf.Schema:
    return cf.Schema.load(str(DATA / "adult-schema.json"))


def test_the_table_is_the_recorded_one(text: bytes) -> None:
    recorded = "0ad4417f82570f9475c427f655010df45fd8d113bd134c1fec02afbd43bf3f85"
    assert hashlib.sha256(text).hexdigest() == recorded


def test_every_record_obeys_the_declared_schema(text: bytes, schema: cf.Schema) -> None:
    rows = list(csv.DictReader(io.StringIO(text.decode())))
    assert len(rows) == 32_561
    assert tuple(rows[0]) == schema.names
    for attribute in schema.attributes:
        values = {row[attribute.name] for row in rows}
        if attribute.missing:
            assert "" in values
            values.discard("")
        if isinstance(attribute, cf.Categorical):
            assert values <= set(attribute.levels), attribute.name
        else:
            low, high = attribute.edges[[0, -1]]
            assert all(low <= int(value) <= high for value in values), attribute.name


def test_the_attribution_names_authors_source_licence_and_changes() -> None:
    note = (DATA / "ADULT.md").read_text(encoding="utf-8")
    for part in [
        "Becker",
        "Kohavi",
        "10.24432/C5XW20",
        "UCI Machine Learning Repository",
        "CC BY 4.0",
        "Changes",
    ]:
        assert part in note
