"""The public description of a table: declared levels and bounds, the bit layout, files."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import covloss_fast as cf
from covloss_fast.schema import BitLayout

UTC = dt.timezone.utc


def everything() -> cf.Schema:
    """A schema with every kind of attribute."""
    return cf.Schema(
        [
            cf.Binary("smoker"),
            cf.Binary("sex", levels=("f", "m"), missing="level"),
            cf.Categorical("job", ["clerk", "nurse", "rest"], other="rest"),
            cf.Categorical("score", [0.5, 1, 2.5], ordered=True, missing="level"),
            cf.Numeric("age", lower=0, upper=120, bins=16, integer=True),
            cf.Numeric("income", edges=[0, 0.1, 1e5], missing="level"),
            cf.Numeric("visit", dt.date(2020, 1, 1), dt.date(2021, 1, 1), bins=12),
            cf.Numeric(
                "login", edges=[dt.datetime(2020, 1, 1, tzinfo=UTC), dt.datetime(2020, 2, 1, tzinfo=UTC)]
            ),
        ]
    )


def test_sizes_and_layout() -> None:
    schema = everything()
    assert schema.names == ("smoker", "sex", "job", "score", "age", "income", "visit", "login")
    assert schema.sizes == (2, 3, 3, 4, 16, 3, 12, 1)
    layout = schema.layout
    assert layout.n_bits == 1 + 3 + 3 + 4 + 16 + 3 + 12 + 1
    np.testing.assert_array_equal(layout.offsets, [0, 1, 4, 7, 11, 27, 30, 42, 43])
    np.testing.assert_array_equal(layout.is_binary, [True] + [False] * 7)
    assert layout.attribute_of_bit.dtype == np.int32


@given(st.lists(st.integers(1, 9), min_size=1, max_size=12))
def test_layout_counts_bits(sizes: list[int]) -> None:
    layout = BitLayout(tuple(sizes))
    for j, size in enumerate(sizes):
        width = int(layout.offsets[j + 1] - layout.offsets[j])
        assert width == (1 if size == 2 else size)
        assert (layout.attribute_of_bit[layout.offsets[j] : layout.offsets[j + 1]] == j).all()
    assert layout.n_bits == layout.offsets[-1] == layout.attribute_of_bit.size


def test_layout_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        everything().layout.offsets[0] = 1


@pytest.mark.parametrize("sizes", [(), (0,), (3, -1)])
def test_layout_refuses_empty(sizes: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="at least one"):
        BitLayout(sizes)


def test_save_and_load(tmp_path: Path) -> None:
    schema = everything()
    schema.save(tmp_path / "schema.json")
    again = cf.Schema.load(tmp_path / "schema.json")
    assert again == schema
    assert again.hash == schema.hash
    assert repr(again) == repr(schema)
    assert cf.Schema.from_dict(schema.to_dict()) == schema


def test_shown_in_few_words() -> None:
    assert repr(
        cf.Schema(
            [cf.Categorical("a", range(9), missing="level"), cf.Numeric("b", 0, 4, integer=True, bins=2)]
        )
    ) == (
        "Schema([\n"
        "  Categorical('a', [0, 1, 2, 3, 4, 5, ... 3 more], missing=\"level\"),\n"
        "  Numeric('b', lower=0, upper=4, bins=2, integer=True),\n"
        "])"
    )
    assert "... 10 more" in repr(cf.Schema.from_domain({f"v{j}": 2 for j in range(30)}))


def test_hash_and_equality_see_every_difference() -> None:
    variants = [
        cf.Binary("a"),
        cf.Binary("b"),
        cf.Binary("a", levels=(0, 1)),
        cf.Binary("a", levels=(0.0, 1.0)),
        cf.Binary("a", levels=("0", "1")),
        cf.Binary("a", missing="level"),
        cf.Categorical("a", (False, True)),
        cf.Categorical("a", (0, 1), other=0),
        cf.Categorical("a", (0, 1), ordered=True),
        cf.Numeric("a", 0, 1),
        cf.Numeric("a", 0, 1, bins=8),
        cf.Numeric("a", 0, 15, integer=True),
        cf.Numeric("a", 0, 15),
    ]
    schemas = [cf.Schema([attribute]) for attribute in variants]
    assert len({schema.hash for schema in schemas}) == len(variants)
    assert len(set(schemas)) == len(variants)
    for i, one in enumerate(schemas):
        assert [one == other for other in schemas] == [i == j for j in range(len(schemas))]


def test_domain_file(tmp_path: Path) -> None:
    path = tmp_path / "domain.json"
    path.write_text('{"a": 2, "b": 5, "attributes": 1}')
    schema = cf.Schema.load(path)
    assert schema.attributes == (
        cf.Binary("a", (0, 1)),
        cf.Categorical("b", (0, 1, 2, 3, 4)),
        cf.Categorical("attributes", (0,)),
    )
    assert schema.is_coded
    assert not everything().is_coded


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("", "not JSON, line 1"),
        ("[1, 2]", "JSON object"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a": 0}', "'a' must be an integer of at least 1"),
        ('{"a": 2.0}', "integer of at least 1"),
        ('{"a": true}', "integer of at least 1"),
        ('{"a": 2, "a": 3}', "'a' stands in it twice"),
        ("{}", "at least one attribute"),
        ('{"a": 1000000000000}', "pair table"),
        ('{"format": "covloss_fast schema", "version": 9, "attributes": []}', "of version 9"),
        ('{"format": "covloss_fast schema", "version": 1}', "needs a list"),
        (
            '{"format": "covloss_fast schema", "version": 1, "attributes": [{"type": "fuzzy"}]}',
            "attribute 0: \"type\" is 'fuzzy', known: binary, categorical, numeric, one_hot",
        ),
        (
            '{"format": "covloss_fast schema", "version": 1, "attributes": [3]}',
            "attribute 0 is not an object",
        ),
        (
            '{"format": "covloss_fast schema", "version": 1, "attributes": [{"type": "binary"}]}',
            'attribute 0: "name" is missing, a binary attribute needs it',
        ),
        (
            '{"format": "covloss_fast schema", "version": 1, "attributes": '
            '[{"type": "numeric", "name": "a", "time": "date", "lower": "soon", "upper": "2020-01-01"}]}',
            "attribute 0 .*isoformat",
        ),
    ],
)
def test_bad_file_is_named_in_one_sentence(tmp_path: Path, text: str, match: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=match) as error:
        cf.Schema.load(path)
    assert str(error.value).startswith(str(path))
    assert "\n" not in str(error.value)


def test_not_text(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_bytes(b"\xff\xfe{}")
    with pytest.raises(ValueError, match="not UTF-8"):
        cf.Schema.load(tmp_path / "bad.json")


def test_file_is_for_people(tmp_path: Path) -> None:
    everything().save(tmp_path / "schema.json")
    lines = (tmp_path / "schema.json").read_text().splitlines()
    assert sum('"type"' in line for line in lines) == len(everything())  # one line for each attribute
    json.loads("\n".join(lines))


@pytest.mark.parametrize(
    ("levels", "match"),
    [
        ([], "at least one level"),
        ("yes", "list of values"),
        (["a", None], 'level 1 is missing; say missing="level"'),
        ([1.0, float("nan")], "level 1 is missing"),
        ([1.0, float("inf")], "level 1 is infinite"),
        (["a", 1], "of one kind, got int, str"),
        ([True, 1], "of one kind"),
        (["a", "b", "a"], "levels 0 and 2 are both 'a'"),
        ([1, 1.0], "levels 0 and 1 are both"),
        ([2**64], "64 bits"),
        ([0.5, 2**53 + 1], "level 1 is an integer that no float is equal to"),
        ([b"a"], "level 0 is a bytes"),
        ([dt.date(2020, 1, 1)], "level 0 is a date"),
    ],
)
def test_bad_levels(levels: list[object], match: str) -> None:
    with pytest.raises(ValueError, match=match):
        cf.Categorical("job", levels)


def test_levels_are_plain_values() -> None:
    attribute = cf.Categorical("a", np.array([3, 1], dtype=np.int8))
    assert attribute.levels == (3, 1)
    assert all(type(level) is int for level in attribute.levels)
    assert cf.Categorical("a", pd.Index(["x", "y"])).levels == ("x", "y")
    assert cf.Categorical("a", [1, 2.5]).kind == "float"


@pytest.mark.parametrize("levels", [("a",), ("a", "b", "c"), "ab"])
def test_binary_has_two_levels(levels: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=r"two levels|list of values"):
        cf.Binary("a", levels)


def test_other_must_be_declared() -> None:
    with pytest.raises(ValueError, match="not one of the declared levels"):
        cf.Categorical("job", ["clerk"], other="rest")
    with pytest.raises(ValueError, match="not one of the declared levels"):
        cf.Categorical("job", [0, 1], other=True)
    assert cf.Categorical("job", ["clerk", "rest"], other="rest").other_code == 1


@pytest.mark.parametrize("missing", ["drop", True, 0])
def test_missing_is_none_or_level(missing: object) -> None:
    for make in (cf.Binary, lambda name, missing: cf.Numeric(name, 0, 1, missing=missing)):
        with pytest.raises(ValueError, match="missing must be None"):
            make("a", missing=missing)


@pytest.mark.parametrize("name", ["", 0, None])
def test_names_are_text(name: object) -> None:
    with pytest.raises(ValueError, match="non-empty string"):
        cf.Binary(name)  # type: ignore[arg-type]


def test_duplicate_names() -> None:
    with pytest.raises(ValueError, match="attributes 0 and 2 are both named 'a'"):
        cf.Schema([cf.Binary("a"), cf.Binary("b"), cf.Numeric("a", 0, 1)])


def test_too_many_cells_names_the_widest_attribute() -> None:
    levels = [f"street {i}" for i in range(10_000)]
    with pytest.raises(ValueError, match=r"100,020,001 cells.*'street' with 10,000 levels"):
        cf.Schema([cf.Binary("a"), cf.Categorical("street", levels)])
    assert cf.Schema([cf.Categorical("street", levels[:8192])]).layout.n_bits == 8192


class TestNumeric:
    """Bounds and bins."""

    @pytest.mark.parametrize(
        ("kwargs", "match"),
        [
            ({}, "public bounds.*never taken from the data"),
            ({"lower": 0}, "public bounds"),
            ({"lower": 0, "upper": float("nan")}, "finite"),
            ({"lower": float("-inf"), "upper": 1}, "finite"),
            ({"lower": 1, "upper": 1}, "lower must be below upper"),
            ({"lower": 2, "upper": 1}, "lower must be below upper"),
            ({"lower": False, "upper": 1}, "numbers, dates or datetimes, got bool"),
            ({"lower": "0", "upper": 1}, "got str"),
            ({"lower": dt.date(2020, 1, 1), "upper": 1}, "got date"),
            ({"lower": dt.date(2020, 1, 1), "upper": dt.datetime(2021, 1, 1)}, "numbers, dates or datetimes"),
            ({"lower": dt.datetime(2020, 1, 1), "upper": dt.datetime(2021, 1, 1, tzinfo=UTC)}, "time zone"),
            ({"lower": dt.date(2020, 1, 1), "upper": dt.date(2021, 1, 1), "integer": True}, "integer=True"),
            ({"lower": 0, "upper": 1, "bins": 0}, "from 1 to 67,108,864"),
            ({"lower": 0, "upper": 1, "bins": 2.0}, "from 1 to"),
            ({"lower": 0, "upper": 1, "bins": True}, "from 1 to"),
            ({"lower": 0, "upper": 1, "bins": 10_000}, "100,000,000 cells"),
            ({"lower": 0, "upper": 9, "bins": 11, "integer": True}, "bin .* holds no integer"),
            ({"lower": 1.0, "upper": np.nextafter(1.0, 2.0), "bins": 4}, "edges must increase"),
            ({"lower": -1.7e308, "upper": 1.7e308}, "5e307"),
            ({"lower": 0, "upper": 1e300, "integer": True}, "2..62"),
            ({"edges": [0]}, "two edges"),
            ({"edges": [0, 2, 1]}, "edges 1 and 2 do not"),
            ({"edges": [0, 1, 2], "bins": 3}, "the edges make 2"),
            ({"edges": [0, 1], "lower": 0.5}, "lower=0.5 is not the edge 0"),
        ],
    )
    def test_bad_bounds(self, kwargs: dict[str, object], match: str) -> None:
        with pytest.raises(ValueError, match=match) as error:
            cf.Numeric("age", **kwargs)  # type: ignore[arg-type]
        assert "'age'" in str(error.value)

    def test_equal_width_edges_are_the_nearest_floats(self) -> None:
        np.testing.assert_array_equal(cf.Numeric("a", 0, 1, bins=10).edges, [i / 10 for i in range(11)])
        np.testing.assert_array_equal(cf.Numeric("a", 0, 120).edges, np.arange(17) * 7.5)

    def test_integers_of_a_bin(self) -> None:
        first, last = cf.Numeric("a", 0, 15, bins=2, integer=True).integer_bounds()
        np.testing.assert_array_equal(first, [0, 8])
        np.testing.assert_array_equal(last, [7, 15])

    def test_dates_are_days(self) -> None:
        attribute = cf.Numeric("a", dt.date(1970, 1, 2), dt.date(1970, 1, 5), bins=2)
        assert attribute.kind == "date"
        np.testing.assert_array_equal(attribute.edges, [1, 3, 4])

    def test_datetimes_are_microseconds(self) -> None:
        zone = dt.timezone(dt.timedelta(hours=1))
        bounds = [dt.datetime(1970, 1, 1, 1, tzinfo=zone), dt.datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC)]
        attribute = cf.Numeric("a", *bounds, bins=2)
        np.testing.assert_array_equal(attribute.edges, [0, 500_000, 1_000_000])
        assert attribute.has_time_zone

    def test_numpy_and_pandas_bounds(self) -> None:
        plain = cf.Numeric("a", dt.datetime(2020, 1, 1), dt.datetime(2021, 1, 1))
        assert cf.Numeric("a", pd.Timestamp("2020-01-01"), pd.Timestamp("2021-01-01")) == plain
        assert cf.Numeric("a", np.datetime64("2020-01-01", "ns"), np.datetime64("2021-01-01", "ns")) == plain
        assert cf.Numeric("a", np.datetime64("2020-01-01"), np.datetime64("2021-01-01")).kind == "date"
        assert cf.Numeric("a", np.int8(0), np.float32(1), bins=np.int64(16)) == cf.Numeric("a", 0, 1)


def test_text_that_no_file_can_hold_is_refused() -> None:
    with pytest.raises(ValueError, match="'a': level 1 is not Unicode text"):
        cf.Categorical("a", ["x", "\ud800y"])
    with pytest.raises(ValueError, match="name of an attribute"):
        cf.Binary("\udc80")
    assert cf.Categorical("a", ["\U0001f600", "\x00"]).size == 2


@pytest.mark.parametrize("given", [[cf.Binary("a")], {"a": 2}, "schema.json"])
def test_what_is_no_schema_is_told_as_such(given: Any) -> None:
    table = {"a": [0, 1], "b": [1, 0]}
    for work in (
        lambda: cf.CovLossSynthesizer(given, epsilon=1, delta=0).plan(),
        lambda: cf.Microaggregator(min_block_size=1, schema=given).fit(table),
        lambda: cf.marginal_error(table, table, 1, given),
        lambda: cf.attribute_tv(table, table, 1, given),
        lambda: cf.covariance_loss(table, [0, 1], given),
    ):
        with pytest.raises(
            ValueError, match=f"schema must be a covloss_fast.Schema, got {type(given).__name__}"
        ):
            work()
