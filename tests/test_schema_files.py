"""Schemas that people write: JSON Schema, all faults at once, TOML, domains, data dictionaries."""

from __future__ import annotations

import copy
import datetime as dt
import json
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import covloss_fast as cf
from covloss_fast.schema_fields import FIELDS, faults_of

EVERYTHING = cf.Schema(
    [
        cf.Binary("smoker", levels=("no", "yes")),
        cf.Binary("old", missing="level"),
        cf.Categorical("job", ["clerk", "nurse", "other"], other="other"),
        cf.Categorical("degree", ["none", "school", "university"], ordered=True, missing="level"),
        cf.Categorical("rooms", [1, 2, 3]),
        cf.Numeric("age", lower=0, upper=120, bins=16, integer=True),
        cf.Numeric("income", edges=[0, 1.5, 10], missing="level"),
        cf.Numeric("born", lower=dt.date(1900, 1, 1), upper=dt.date(2020, 1, 1), bins=4),
        cf.Numeric("seen", edges=[dt.datetime(2020, 1, 1), dt.datetime(2020, 1, 2, 12)]),
        cf.OneHot("region", ["north", "south"]),
        cf.OneHot("coast", ["east", "west"], levels=[0, 1]),
    ],
    structural_zeros=[{"job": "nurse", "degree": "none"}, {"degree": None, "smoker": "yes"}],
)


def file() -> dict[str, Any]:
    return copy.deepcopy(EVERYTHING.to_dict())


# ------------------------------------------------------------------------------------------ JSON Schema


def test_editors_and_the_reader_take_the_same_files() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    told = cf.Schema.json_schema()
    jsonschema.Draft202012Validator.check_schema(told)
    validator = jsonschema.Draft202012Validator(told)
    for schema in (EVERYTHING, cf.Schema([cf.Binary("a")])):
        assert validator.is_valid(schema.to_dict())
    assert validator.is_valid({**file(), "$schema": "covloss.schema.json"})
    assert validator.is_valid({"a": 2, "b": 31})
    for bad in broken():
        assert not validator.is_valid(bad), bad
        with pytest.raises(ValueError, match=r".") as error:
            cf.Schema.from_dict(bad)
        assert "\n" not in str(error.value)


def broken() -> list[Any]:
    """Files with one fault of structure each."""
    files: list[Any] = [[], {"a": 0}, {"a": 2.5}, {"format": "covloss_fast schema", "version": 1}]

    def change(where: int, **fields: Any) -> None:
        data = file()
        entry = data["attributes"][where]
        for name, value in fields.items():
            if value is None:
                del entry[name]
            else:
                entry[name] = value
        files.append(data)

    change(0, type="binry")
    change(0, type=None)
    change(0, name=None)
    change(0, name="")
    change(0, levels=["no"])
    change(0, levels=["a", "b", "c"])
    change(0, levls=["no", "yes"])
    change(1, missing="yes")
    change(2, levels=None)
    change(2, levels=[])
    change(2, levels=["a", "a"])
    change(2, levels="clerk")
    change(5, lower=None)
    change(5, upper=None)
    change(5, bins=0)
    change(5, bins=1.5)
    change(6, edges=None)
    change(6, edges=[1])
    change(7, time="hour")
    change(9, columns=None)
    change(9, columns=[])
    files.append({**file(), "attributes": []})
    files.append({**file(), "version": 2})
    files.append({**file(), "structural_zero": []})
    files.append({**file(), "structural_zeros": {"a": 1}})
    files.append({**file(), "structural_zeros": [{"job": "nurse"}]})
    return files


def test_every_field_is_told_to_editors() -> None:
    told = cf.Schema.json_schema()["$defs"]
    for attribute in EVERYTHING.attributes:
        entry = attribute.to_dict()
        assert set(entry) <= set(told[entry["type"]]["properties"])
        assert not faults_of(entry, 0)
    assert {kind: set(made["properties"]) - {"type"} for kind, made in told.items()} == {
        kind: set(fields) for kind, fields in FIELDS.items()
    }


# ---------------------------------------------------------------------------------------- all faults


def test_all_faults_are_told_at_once_with_suggestions(tmp_path: Path) -> None:
    data = {
        "format": "covloss_fast schema",
        "version": 1,
        "structural_zero": [],
        "attributes": [
            {"type": "binry", "name": "a"},
            {"type": "categorical", "name": "b", "levls": ["x", "y"]},
            {"type": "numeric", "name": "c", "lower": 0},
            {"type": "numeric", "name": "d", "lower": 3, "upper": 1},
            {"type": "categorical", "name": "e", "levels": ["x", 1]},
            {"type": "binary", "name": "fine"},
            7,
        ],
    }
    path = tmp_path / "schema.json"
    path.write_text(json.dumps(data))
    with pytest.raises(cf.SchemaError) as error:
        cf.Schema.load(path)
    assert error.value.faults == (
        '"structural_zero" is no field of a schema file, did you mean "structural_zeros"?',
        "attribute 0 ('a'): \"type\" is 'binry', did you mean \"binary\"?",
        'attribute 1 (\'b\'): "levls" is no field of a categorical attribute, did you mean "levels"?',
        'attribute 2 (\'c\'): public bounds are missing, "lower" and "upper", or "edges"',
        "attribute 3 ('d'): lower must be below upper, got 3 and 1",
        "attribute 4 ('e'): levels must all be of one kind, got int, str",
        'attribute 6 is not an object, such as {"type": "binary", "name": "smoker"}',
    )
    assert str(error.value).startswith(f"{path}: 7 faults: (1) ")
    assert "\n" not in str(error.value)


def test_all_structural_zeros_are_looked_at() -> None:
    data = file()
    data["structural_zeros"] = [{"jop": "nurse", "degree": "none"}, {"job": "nurs", "degree": "none"}, 3]
    with pytest.raises(cf.SchemaError) as error:
        cf.Schema.from_dict(data)
    assert error.value.faults == (
        "structural zero 0 names 'jop', which is no attribute, did you mean \"job\"?",
        "structural zero 1: 'nurs' is no level of 'job', did you mean \"nurse\"?",
        "structural zero 2 must name a level of each of two attributes",
    )


WORDS = st.sampled_from(["type", "binary", "categorical", "name", "levels", "x"])


@given(
    data=st.recursive(
        st.none() | st.booleans() | st.integers(-3, 3) | st.floats(-2, 2) | WORDS,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner),
        max_leaves=8,
    )
)
def test_whatever_stands_in_a_file_is_a_schema_or_a_sentence(data: Any) -> None:
    for content in (data, {"format": "covloss_fast schema", "version": 1, "attributes": [data]}):
        try:
            made = cf.Schema.from_dict(content)
        except ValueError as error:
            sentence = str(error)
        else:
            sentence = "fine"
            assert cf.Schema.from_dict(made.to_dict()) == made
        assert sentence
        assert "\n" not in sentence


# ------------------------------------------------------------------------------------- TOML and domains

TOML = """
format = "covloss_fast schema"
version = 1
structural_zeros = [{job = "nurse", smoker = "yes"}]

[[attributes]]
type = "binary"
name = "smoker"
levels = ["no", "yes"]

[[attributes]]
type = "categorical"
name = "job"
levels = ["clerk", "nurse"]

[[attributes]]
type = "numeric"
name = "born"
lower = 1900-01-01
upper = 2020-01-01
bins = 4
"""


@pytest.mark.skipif(sys.version_info < (3, 11), reason="tomllib is in Python from 3.11 on")
def test_toml(tmp_path: Path) -> None:
    path = tmp_path / "schema.toml"
    path.write_text(TOML)
    schema = cf.Schema.load(path)
    schema.save(tmp_path / "schema.json")
    assert cf.Schema.load(tmp_path / "schema.json") == schema
    assert schema.sizes == (2, 2, 4)
    assert len(schema.zeros) == 1
    path.write_text(TOML.replace("lower = 1900-01-01", 'lower = "1900-01-01"\ntime = "date"').replace(
        "upper = 2020-01-01", "upper = 2020-01-01"))  # fmt: skip
    assert cf.Schema.load(path) == schema
    path.write_text("[[attributes]\n")
    with pytest.raises(ValueError, match=r"schema\.toml: not TOML"):
        cf.Schema.load(path)


def test_domains_go_round(tmp_path: Path) -> None:
    domain = {"sex": 2, "age": 85, "job": 1}
    assert cf.Schema.from_domain(domain).to_domain() == domain
    (tmp_path / "domain.json").write_text(json.dumps(domain))
    assert cf.Schema.load(tmp_path / "domain.json").to_domain() == domain
    assert cf.Schema.from_domain(EVERYTHING.to_domain()).sizes == EVERYTHING.sizes


# ----------------------------------------------------------------------------------- data dictionaries


def test_a_data_dictionary_becomes_a_schema(tmp_path: Path) -> None:
    dictionary = pd.DataFrame(
        [
            ("sex", "Categorical", "1=male; 2=female", None, None, "no", "Sex at birth"),
            ("smoker", "boolean", None, None, None, "yes", ""),
            ("job", "factor", "clerk|nurse|other", None, None, "", ""),
            ("degree", "ordinal", "0, none | 1, school | 2, university", None, None, "", ""),
            ("age", "integer", None, 0, 120, "", ""),
            ("children", "int", None, "0", "3", "", ""),
            ("income", "number", None, -1.5, 1e6, "yes", ""),
            ("born", "date", None, "1900-01-01", "2020-12-31", "", ""),
            ("plot", "integer", "7; 8; 9", None, None, "", ""),
        ],
        columns=["Variable", "Type", "Values", "Min", "Max", "Missing", "Description"],
    )
    expected = cf.Schema(
        [
            cf.Binary("sex", levels=(1, 2)),
            cf.Binary("smoker", missing="level"),
            cf.Categorical("job", ["clerk", "nurse", "other"]),
            cf.Categorical("degree", [0, 1, 2], ordered=True),
            cf.Numeric("age", 0, 120, bins=16, integer=True),
            cf.Numeric("children", 0, 3, bins=3, integer=True),
            cf.Numeric("income", -1.5, 1e6, bins=16, missing="level"),
            cf.Numeric("born", dt.date(1900, 1, 1), dt.date(2020, 12, 31), bins=16),
            cf.Categorical("plot", [7, 8, 9]),
        ]
    )
    assert cf.Schema.from_data_dictionary(dictionary) == expected
    dictionary.to_csv(tmp_path / "dictionary.csv", index=False)
    assert cf.Schema.from_data_dictionary(tmp_path / "dictionary.csv") == expected


def test_labels_and_other() -> None:
    made = cf.Schema.from_data_dictionary(
        {"field": ["a"], "type": ["category"], "choices": ["01, 02, 99"], "other": ["99"]}
    )
    assert made.attributes[0] == cf.Categorical("a", ["01", "02", "99"], other="99")


def test_all_faulty_rows_of_a_dictionary_are_told_at_once() -> None:
    dictionary = {
        "name": ["a", "b", "", "d", "e", "a", "g"],
        "type": ["numeric", "integr", "int", "categorical", "integer", "bool", "date"],
        "levels": [None, None, None, None, None, None, None],
        "min": [0, None, 0, None, "low", None, "1/1/2020"],
        "max": [None, None, 1, None, 3, None, None],
    }
    with pytest.raises(cf.SchemaError) as error:
        cf.Schema.from_data_dictionary(dictionary)
    assert error.value.faults == (
        'row 0 (\'a\'): a number column needs public bounds, "lower" and "upper"; "upper" is empty',
        "row 1 ('b'): type 'integr' is not known, did you mean \"integer\"?",
        "row 2 (''): the name is empty",
        'row 3 (\'d\'): a categorical column needs levels, such as "1=male; 2=female" or "clerk|nurse"',
        "row 4 ('e'): \"lower\" must be a number, got 'low'",
        "row 6 ('g'): \"lower\" must be a date such as 2020-12-31, got '1/1/2020'",
        "row 5 ('a'): row 0 has that name already",
    )
    with pytest.raises(cf.SchemaError, match='no column "type"'):
        cf.Schema.from_data_dictionary({"name": ["a"]})
    with pytest.raises(cf.SchemaError, match="describes no column"):
        cf.Schema.from_data_dictionary({"name": [], "type": []})
