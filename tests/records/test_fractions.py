"""A number that is not whole where integers are declared: refused by fits, taken by measures."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet
import pytest

import covloss_fast as cf
from covloss_fast import report
from covloss_fast.records.encoding import encode

SCHEMA = cf.Schema([cf.Numeric("age", 0, 120, bins=4, integer=True, missing="level"), cf.Binary("smoker")])
REASON = "'age', {}: a number that is not whole, and integers are declared"
AGES = [30.0, 40.0, 52.5, 7.25]
GOOD = [30.0, 40.0, 52.0, float("inf")]


def frame(ages: list[Any]) -> pd.DataFrame:
    return pd.DataFrame({"age": ages, "smoker": [True, False, True, False]})


SOURCES: dict[str, Callable[[pd.DataFrame, Path], Any]] = {
    "pandas": lambda table, _: table,
    "float32": lambda table, _: table.astype({"age": "float32"}),
    "nullable": lambda table, _: table.astype({"age": "Float64"}),
    "Arrow in pandas": lambda table, _: table.astype({"age": "double[pyarrow]"}),
    "objects": lambda table, _: table.astype(object),
    "categories": lambda table, _: table.astype({"age": "category"}),
    "polars": lambda table, _: pl.from_pandas(table),
    "pyarrow": lambda table, _: pa.Table.from_pandas(table),
    "dict": lambda table, _: table.to_dict("list"),
    "array": lambda table, _: table.to_numpy(dtype=float),
    "fortran": lambda table, _: np.asfortranarray(table.to_numpy(dtype=float)),
    "csv": lambda table, folder: table.to_csv(folder / "t.csv", index=False) or folder / "t.csv",
    "parquet": lambda table, folder: table.to_parquet(folder / "t.parquet") or folder / "t.parquet",
    "dataset": lambda table, folder: (
        table.to_parquet(folder / "t.parquet") or pyarrow.dataset.dataset(folder / "t.parquet")
    ),
    "batches": lambda table, _: lambda: iter([table[:2], table[2:]]),
    "Batches": lambda table, _: cf.Batches(lambda: iter([table]), keep=0),
}
PLACES = {"csv": "line 4", "batches": "row 0"}


@pytest.mark.parametrize("source", SOURCES)
def test_fits_refuse_fractions_before_anything_is_spent(source: str, tmp_path: Path) -> None:
    synth = cf.CovLossSynthesizer(SCHEMA, epsilon=1, delta=1e-9)
    with pytest.raises(cf.EncodingError, match=REASON.format(PLACES.get(source, "row 2"))) as caught:
        synth.fit(SOURCES[source](frame(AGES), tmp_path))
    assert caught.value.column == "age"
    assert caught.value.row == 2
    assert "52" not in str(caught.value)
    assert not hasattr(synth, "ledger_")
    good = [0.0 if source == "csv" and np.isinf(age) else age for age in GOOD]
    synth.fit(SOURCES[source](frame(good), tmp_path))


@pytest.mark.parametrize("source", list(SOURCES)[:13])
def test_the_anonymous_half_refuses_them_too(source: str, tmp_path: Path) -> None:
    for options in ({"min_block_size": 2}, {"n_blocks": 2}):
        with pytest.raises(cf.EncodingError, match=REASON.format(PLACES.get(source, "row 2"))):
            cf.Microaggregator(**options, schema=SCHEMA).fit(SOURCES[source](frame(AGES), tmp_path))
    with pytest.raises(cf.EncodingError, match=REASON.format(PLACES.get(source, "row 2"))):
        SCHEMA.validate(SOURCES[source](frame(AGES), tmp_path))


@pytest.mark.parametrize(
    ("value", "is_whole"),
    [
        (2.5, False),
        (np.float32(2.5), False),
        (np.float16(2.5), False),
        (Decimal("2.5"), False),
        (Fraction(5, 2), False),
        (-0.5, False),
        (250.5, False),  # beyond the bounds, too
        (5e-324, False),
        (Decimal("1e-30"), False),
        (2.0, True),
        (-0.0, True),
        (1e300, True),
        (float("-inf"), True),
        (np.int8(2), True),
        (Decimal("2.00"), True),
        (Decimal("1e4000"), True),
        (Decimal("Infinity"), True),
        (Fraction(4, 2), True),
        (2**70, True),
    ],
)
def test_what_is_whole(value: Any, is_whole: bool) -> None:
    schema = cf.Schema([cf.Numeric("age", 0, 120, integer=True)])
    for column in ([1, value, Decimal(3)], [value] * 3):
        if is_whole:
            encode({"age": column}, schema)
        else:
            with pytest.raises(cf.EncodingError, match="a number that is not whole"):
                encode({"age": column}, schema)
        encode({"age": column}, schema, fractions=True)
        encode({"age": column}, cf.Schema([cf.Numeric("age", 0, 120)]))


@pytest.mark.parametrize(
    ("cell", "is_whole"), [("2.5", False), ("2.0", True), ("25e-1", False), ("20e-1", True)]
)
def test_cells_of_files(cell: str, is_whole: bool, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"age\n1\n{cell}\n")
    schema = cf.Schema([cf.Numeric("age", 0, 120, integer=True)])
    if is_whole:
        schema.validate(path)
        return
    with pytest.raises(cf.EncodingError, match="line 3: a number that is not whole"):
        schema.validate(path)


def test_measures_and_reports_take_masked_tables() -> None:
    rng = np.random.default_rng(0)
    true = pd.DataFrame({"age": rng.integers(0, 90, 200), "smoker": rng.random(200) < 0.3})
    agg = cf.Microaggregator(5, schema=SCHEMA)
    masked = agg.fit_transform(true)
    assert (masked["age"] % 1 != 0).any()
    assert cf.marginal_error(true, masked, degree=2, schema=SCHEMA).rms > 0
    assert 0 < cf.attribute_tv(true, masked, degree=1, schema=SCHEMA) < 1
    assert cf.covariance_loss(masked, agg.labels_, schema=SCHEMA).relative_trace <= 1
    assert "Masked" in report.build(true, masked, SCHEMA, certificate=agg.certificate_, n_threads=1)
    with pytest.raises(cf.EncodingError, match=r"'age', row [0-9]+: a number that is not whole"):
        cf.CovLossSynthesizer(SCHEMA, epsilon=1, delta=1e-9).fit(masked)
