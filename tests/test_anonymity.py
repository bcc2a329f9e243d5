"""What anonymous tables lost and still show: recounted from the tables, against plain numpy."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

import covloss_fast as cf
from covloss_fast import Binary, Categorical, Microaggregator, Numeric, Schema, anonymity
from covloss_fast._core import microaggregation as core
from covloss_fast.anonymity import AnonymityCertificate, DisclosureRisk, ReleasedGroups, count_groups
from covloss_fast.records.coordinates import place_fields, read_fields, summaries
from covloss_fast.records.releasing import release_values
from covloss_fast.records.tables import read
from covloss_fast.reference import microaggregation as reference

SCHEMA = Schema(
    [
        Numeric("age", 0, 100, bins=5, integer=True),
        Binary("smoker", levels=("no", "yes")),
        Categorical("job", ["clerk", "nurse", "other"]),
        Categorical("size", ["S", "M", "L", "XL"], ordered=True),
        Numeric("weight", 0.0, 1.0, bins=2),
    ]
)


def frame(n: int = 200, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "weight": rng.random(n),
            "size": rng.choice(["S", "M", "L", "XL"], n, p=[0.1, 0.5, 0.3, 0.1]),
            "age": rng.integers(0, 100, n),
            "job": rng.choice(["clerk", "nurse", "other"], n),
            "smoker": rng.choice(["no", "yes"], n),
        }
    )


def certified(agg: Microaggregator) -> tuple[AnonymityCertificate, ReleasedGroups, DisclosureRisk]:
    certificate = agg.certificate_
    assert certificate.released is not None
    assert certificate.risk is not None
    return certificate, certificate.released, certificate.risk


# ---- the nearest row -------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [0, 1, 2, 8, 9, 63, 64, 65, 255, 256, 257])
@pytest.mark.parametrize("width", [4, 12])
def test_the_nearest_row_is_that_of_brute_force(n: int, width: int, n_threads: int, simd_level: str) -> None:
    rng = np.random.default_rng(n)
    rows = np.round(rng.standard_normal((n, width)), 1)  # with ties
    queries = np.round(rng.standard_normal((50, width)), 1)
    queries[: min(n, 25)] = rows[:25]
    own = rng.integers(-1, max(n, 1), 50).astype(np.int32)
    limits = rng.choice([0.0, 1.0, 5.0, np.inf], 50)
    found = core.nearest_other(queries, own, limits, rows, n_threads)
    expected = reference.nearest_other(queries, own, limits, rows)
    assert np.array_equal(found[0], expected[0])
    assert np.array_equal(found[1], expected[1])


def test_the_nearest_row_refuses_what_does_not_fit() -> None:
    rows = np.zeros((3, 4))
    one = np.zeros(1, dtype=np.int32)
    with pytest.raises(ValueError, match="multiple of 4"):
        core.nearest_other(np.zeros((1, 3)), one, np.zeros(1), np.zeros((3, 3)), 1)
    with pytest.raises(ValueError, match="do not fit together"):
        core.nearest_other(np.zeros((2, 4)), one, np.zeros(1), rows, 1)


# ---- groups, linkage, diversity --------------------------------------------------------------------------


def test_groups_of_equal_records() -> None:
    table = pd.DataFrame({"x": [1.0, 1.0, np.nan, 0.0, -0.0], "y": ["a", "a", None, "b", "b"]})
    groups = count_groups(table)
    assert (groups.n_groups, groups.smallest, groups.largest, groups.smallest_strict) == (3, 1, 2, 1)
    assert count_groups(np.zeros((0, 3))).n_groups == 0
    assert count_groups(np.arange(12).reshape(6, 2) // 4).n_groups == 3
    twice = count_groups(pd.DataFrame({"x": [1.0, 1.0, np.nan, np.nan]}))
    assert (twice.smallest, twice.smallest_strict) == (2, 1)
    assert count_groups({"d": np.array(["NaT", "NaT"], dtype="datetime64[D]")}).smallest_strict == 1
    assert count_groups(pd.DataFrame({"d": pd.array([1, None, 1, None], dtype="Int64")})).smallest_strict == 1


@settings(max_examples=60)
@given(
    table=hnp.arrays(
        np.float64, st.tuples(st.integers(1, 40), st.integers(1, 4)), elements=st.integers(0, 3)
    ),
    data=st.data(),
)
def test_risks_of_numbers_are_those_of_plain_counting(
    table: NDArray[np.float64], data: st.DataObject
) -> None:
    n, p = table.shape
    size = data.draw(st.integers(1, n))
    known = data.draw(st.none() | st.lists(st.integers(0, p - 1), min_size=1, unique=True))
    sensitive = data.draw(
        st.none() | st.sampled_from([j for j in range(p) if known is None or j not in known] or [None])
    )
    agg = Microaggregator(min_block_size=size, quasi_identifiers=known, sensitive=sensitive)
    masked = agg.fit_transform(table)
    _, released, risk = certified(agg)
    columns = sorted(known) if known else [j for j in range(p) if j != sensitive] or list(range(p))
    assert risk.quasi_identifiers == tuple(map(str, columns))
    before = reference.groups([tuple(row) for row in table[:, columns].tolist()])
    shown = [tuple(row) for row in masked[:, columns].tolist()]
    after = reference.groups(shown)
    assert risk.unique_original == sum(len(group) == 1 for group in before) / n
    assert risk.unique_released == sum(len(group) == 1 for group in after) / n
    if size > 1:
        assert risk.unique_released == 0
    assert released.smallest >= size
    # Linkage by brute force over the rows themselves; ties to within rounding are left to either side.
    spread = np.where(np.ptp(table, axis=0) > 0, table.std(axis=0, ddof=1) if n > 1 else 1.0, np.inf)
    scaled, own = table[:, columns] / spread[columns], masked[:, columns] / spread[columns]
    low, high = [], []
    for i in range(n):
        squares = ((scaled[i] - own) ** 2).sum(axis=1)
        alike = np.array([row == shown[i] for row in shown])
        other = squares[~alike].min(initial=np.inf)
        low.append((squares[i] < other - 1e-9) / alike.sum())
        high.append((squares[i] < other + 1e-9) / alike.sum())
    assert risk.n_compared == n
    assert risk.standard_error == 0
    assert np.mean(low) - 1e-12 <= risk.linked_to_record <= np.mean(high) + 1e-12
    if sensitive is None:
        assert risk.diversity is None
    else:
        distinct, entropy, homogeneous = reference.diversity(shown, table[:, sensitive].tolist())
        assert risk.diversity == distinct
        assert risk.entropy_diversity == pytest.approx(entropy)
        assert risk.homogeneous == pytest.approx(homogeneous)


def test_linkage_of_separated_clusters_finds_the_group_and_one_row_in_five() -> None:
    rng = np.random.default_rng(0)
    table = np.repeat(np.arange(20.0), 5)[:, None] * [10.0, -10.0] + rng.random((100, 2))
    agg = Microaggregator(min_block_size=5)
    agg.fit_transform(table)
    _, _, risk = certified(agg)
    assert risk.linked_to_group == 1.0
    assert risk.linked_to_record == pytest.approx(0.2)
    loose = Microaggregator(min_block_size=50)
    loose.fit_transform(table)
    assert certified(loose)[2].linked_to_record == pytest.approx(0.02)


def test_linkage_compares_a_part_of_a_long_table() -> None:
    table = np.random.default_rng(1).standard_normal((12_000, 2))
    agg = Microaggregator(min_block_size=4, effort=0)
    agg.fit_transform(table)
    _, _, risk = certified(agg)
    assert risk.n_compared == 10_000
    rows = np.arange(10_000) * 12_000 // 10_000
    scale = table.std(axis=0, ddof=1)
    means = agg.block_means_ / scale
    near = np.array([((means - row) ** 2).sum(axis=1).argmin() for row in table[rows[::20]] / scale])
    share = np.mean((near == agg.labels_[rows[::20]]) / agg.block_sizes_[agg.labels_[rows[::20]]])
    assert risk.linked_to_record == pytest.approx(share, abs=6 * 20**0.5 * risk.standard_error)
    assert 0 < risk.standard_error < 0.003


def test_linkage_of_levels_is_that_of_released_modes() -> None:
    table = frame(150)
    agg = Microaggregator(min_block_size=6, schema=SCHEMA)
    masked = agg.fit_transform(table)
    _, _, risk = certified(agg)
    shown = [tuple(row) for row in masked.to_numpy().tolist()]
    scale = {name: table[name].std(ddof=1) for name in ("age", "weight")}
    linked = []
    for i in range(150):
        squares = sum(((masked[name] - table[name][i]) / s) ** 2 for name, s in scale.items())
        squares = squares + sum(1.0 * (masked[name] != table[name][i]) for name in ("smoker", "job", "size"))
        linked.append((squares[i] <= squares.min() + 1e-9) / shown.count(shown[i]))
    assert risk.linked_to_record == pytest.approx(np.mean(linked))


def test_quasi_identifiers_and_sensitive_are_checked() -> None:
    table = frame(20)
    for options, message in (
        ({"sensitive": "income"}, "no column 'income'"),
        ({"quasi_identifiers": ["age", "x"]}, "no column 'x'"),
        ({"quasi_identifiers": "age"}, "must be a list"),
        ({"quasi_identifiers": []}, "at least one"),
        ({"quasi_identifiers": ["age"], "sensitive": "age"}, "cannot be both"),
    ):
        with pytest.raises(ValueError, match=message):
            Microaggregator(5, schema=SCHEMA, **options).fit(table)  # type: ignore[arg-type]


# ---- marginals -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("release", ["mode", "rounded", "median"])
@pytest.mark.parametrize("choice", [{"min_block_size": 7}, {"n_blocks": 20}])
def test_published_marginals_are_those_of_the_published_table(release: str, choice: dict[str, int]) -> None:
    table = frame()
    agg = Microaggregator(**choice, schema=SCHEMA, release=release)  # type: ignore[arg-type]
    masked = agg.fit_transform(table)
    certificate, _, _ = certified(agg)
    assert [each.degree for each in certificate.marginals] == [1, 2, 3]
    for each in certificate.marginals:
        expected = cf.marginal_error(table, masked, degree=each.degree, schema=SCHEMA)
        assert each.published.rms == pytest.approx(expected.rms, rel=1e-9)
        assert each.published.max == pytest.approx(expected.max, rel=1e-9)
        assert each.published.n_marginals == expected.n_marginals
        assert each.published.standard_error == 0
    # Averaging keeps single levels; modes do not.
    levels = Schema([a for a in SCHEMA.attributes if isinstance(a, Categorical)])
    agg = Microaggregator(**choice, schema=levels)  # type: ignore[arg-type]
    agg.fit_transform(table[["smoker", "job", "size"]])
    marginals = agg.certificate_.marginals
    assert marginals[0].block_means.rms < 1e-12 < 1e-3 < marginals[0].published.rms
    assert 1e-4 < marginals[1].block_means.rms < marginals[1].published.rms


def test_marginals_of_block_means_are_those_of_products() -> None:
    bits = (np.random.default_rng(3).random((300, 6)) < 0.4).astype(np.uint8)
    agg = Microaggregator(n_blocks=12)
    agg.fit_transform(bits)
    marginals = agg.certificate_.marginals
    m, sizes = agg.block_means_, agg.block_sizes_
    errors = [
        bits[:, [a, b, c]].prod(axis=1).mean() - reference.product_marginal(m[:, [a, b, c]], sizes)
        for a in range(6)
        for b in range(a)
        for c in range(b)
    ]
    assert marginals[2].block_means.rms == pytest.approx(np.sqrt(np.mean(np.square(errors))))
    assert marginals[2].block_means.max == pytest.approx(np.abs(errors).max())
    # Fractions are published: rounding does nothing more.
    assert marginals[2].published == marginals[2].block_means


def test_shares_of_levels_keep_the_marginals_of_block_means() -> None:
    levels = Schema([each for each in SCHEMA.attributes if isinstance(each, Categorical)])
    agg = Microaggregator(8, schema=levels, release="mean")
    agg.fit_transform(frame()[["smoker", "job", "size"]])
    for each in agg.certificate_.marginals:
        assert each.published.rms == pytest.approx(each.block_means.rms)


def test_many_sets_are_sampled() -> None:
    bits = (np.random.default_rng(3).random((400, 60)) < 0.4).astype(np.uint8)
    agg = Microaggregator(n_blocks=40)
    agg.fit_transform(bits)
    triples = agg.certificate_.marginals[2].published
    assert triples.n_marginals == 5_000
    assert 0 < triples.standard_error < 0.05 * triples.rms


def test_the_certificate_is_json_and_text() -> None:
    agg = Microaggregator(10, schema=SCHEMA, sensitive="job")
    agg.fit_transform(frame())
    certificate, _, _ = certified(agg)
    plain = json.loads(json.dumps(certificate.to_dict(), allow_nan=False))
    assert plain["risk"]["sensitive"] == "job"
    assert plain["risk"]["quasi_identifiers"] == ["weight", "size", "age", "smoker"]
    assert plain["marginals"][1]["published"]["rms"] == certificate.marginals[1].published.rms
    assert plain["release"]["age"] == "mean"
    assert plain["trace_loss"] == pytest.approx(plain["scatter"] / 200)
    text = str(certificate)
    for part in ("as published", "linked to its own row", "unique:", "job: at least", "each at least"):
        assert part in text
    assert agg.fit(frame()).certificate_.risk is None


# ---- rules of release ------------------------------------------------------------------------------------


def blocks_of(agg: Microaggregator) -> list[NDArray[np.int64]]:
    return [np.flatnonzero(agg.labels_ == b) for b in range(len(agg.block_sizes_))]


@pytest.mark.parametrize("weighted", [False, True])
def test_medians_are_values_that_occur(weighted: bool) -> None:
    table = frame()
    weights = np.random.default_rng(1).choice([0.5, 1.0, 4.0], 200) if weighted else np.ones(200)
    agg = Microaggregator(6, schema=SCHEMA, release="median")
    masked = agg.fit_transform(table, sample_weight=weights if weighted else None)
    order = ["S", "M", "L", "XL"]
    assert masked["age"].dtype == np.int64
    for block in blocks_of(agg):
        for name in ("age", "weight"):
            expected = reference.lower_median(table[name].to_numpy()[block].astype(float), weights[block])
            assert (masked[name].to_numpy()[block] == expected).all()
        codes = np.array([order.index(level) for level in table["size"].iloc[block]], dtype=float)
        assert set(masked["size"].iloc[block]) == {order[int(reference.lower_median(codes, weights[block]))]}
        jobs = table["job"].iloc[block]
        sums = {level: weights[block][(jobs == level).to_numpy()].sum() for level in set(jobs)}
        assert sums[masked["job"].iloc[block[0]]] == max(sums.values())
    assert agg.certificate_.release == {
        "weight": "lower median",
        "size": "lower median",
        "age": "lower median",
        "job": "mode",
        "smoker": "lower median",
    }


def test_rounded_means_are_whole_where_the_column_is() -> None:
    table = frame().astype({"age": np.int16})
    agg = Microaggregator(6, schema=SCHEMA, release="rounded")
    masked = agg.fit_transform(table)
    assert masked["age"].dtype == np.int16
    assert masked["weight"].dtype == np.float64
    for block in blocks_of(agg):
        assert (masked["age"].to_numpy()[block] == np.rint(table["age"].iloc[block].mean())).all()
        assert np.allclose(masked["weight"].iloc[block], table["weight"].iloc[block].mean())
    assert agg.certificate_.release["age"] == "rounded mean"
    assert agg.certificate_.release["weight"] == "mean"
    assert agg.certificate_.to_dict()["clamped"] == list(SCHEMA.clamping)
    assert f"values that count as a bound: {SCHEMA.clamping[0]}; " in str(agg.certificate_)
    assert Microaggregator(6, schema=SCHEMA).fit_transform(table)["age"].dtype == np.float64


@pytest.mark.parametrize("dtype", [np.bool_, np.uint8, np.int32, np.uint64])
def test_arrays_of_whole_numbers_stay_such(dtype: Any) -> None:
    table = np.random.default_rng(0).integers(0, 2, (60, 3)).astype(dtype)
    for release in ("rounded", "median"):
        masked = Microaggregator(4, release=release).fit_transform(table)
        assert masked.dtype == dtype
    assert Microaggregator(4).fit_transform(table).dtype == np.float64


def test_numbers_beyond_doubles_are_not_called_whole() -> None:
    table = np.array([[2**60 + 1], [2**60 + 3]])
    agg = Microaggregator(2, release="rounded")
    assert agg.fit_transform(table).dtype == np.float64


def test_shares_of_levels_are_columns() -> None:
    table = frame(60)
    for kind in ("pandas", "dict", "numpy"):
        agg = Microaggregator(6, schema=SCHEMA, release={"job": "mean", "smoker": "mean", "age": "rounded"})
        given_table: Any = table if kind == "pandas" else {name: table[name].to_numpy() for name in table}
        masked = agg.fit_transform(given_table)
        names = ["weight", "size", "age", "job=clerk", "job=nurse", "job=other", "smoker=yes"]
        assert list(masked) == names
        for block in blocks_of(agg):
            share = (table["job"].iloc[block] == "nurse").mean()
            assert np.allclose(np.asarray(masked["job=nurse"])[block], share)
            assert np.allclose(
                np.asarray(masked["smoker=yes"])[block], (table["smoker"].iloc[block] == "yes").mean()
            )
        assert agg.certificate_.release["job"] == "shares of levels"
        drawn = agg.sample(50, random_state=1)
        assert list(drawn) == list(table)
        assert set(drawn["job"]) <= {"clerk", "nurse", "other"}
        assert np.asarray(drawn["age"]).dtype.kind == "i"
    codes = np.random.default_rng(0).integers(0, [2, 3], (40, 2)).astype(np.uint8)
    coded = Microaggregator(
        5, schema=Schema.from_domain({"a": 2, "b": 3}), release="mean", quasi_identifiers=[1]
    )
    shares = coded.fit_transform(codes)
    assert shares.shape == (40, 4)
    assert np.array_equal(shares, coded.block_means_[coded.labels_])
    sizes = np.unique(shares[:, 1:], axis=0, return_counts=True)[1]
    assert certified(coded)[2].unique_released == (sizes == 1).sum() / 40


def test_bad_rules_are_refused() -> None:
    table = frame(20)
    for release, message in (
        ("best", "release must be one of mode, rounded, median, mean, got 'best'"),
        ({"age": "best"}, "got 'best'"),
        ({"income": "mode"}, "'income'"),
        (3, "a dict of columns, got 3"),
    ):
        with pytest.raises(ValueError, match=message):
            Microaggregator(5, schema=SCHEMA, release=release).fit(table)  # type: ignore[arg-type]
    twin = {"a": ["x", "y"] * 5, "a=y": [0.0] * 10}
    schema = Schema([Binary("a", ("x", "y")), Numeric("a=y", 0, 1)])
    with pytest.raises(ValueError, match="a second column 'a=y'"):
        Microaggregator(5, schema=schema, release="mean").fit(twin)


def test_shuffled_rows_are_the_same_rows() -> None:
    table = pd.DataFrame({"x": np.random.default_rng(0).standard_normal(500)}, index=np.arange(500)[::-1])
    agg = Microaggregator(5)
    plain = agg.fit_transform(table)
    mixed = agg.fit_transform(table, shuffle=True)
    assert plain.index.equals(table.index)
    assert mixed.index.equals(pd.RangeIndex(500))
    assert sorted(mixed["x"]) == sorted(plain["x"])
    assert not np.array_equal(mixed["x"], plain["x"])
    assert np.array_equal(agg.block_means_[agg.labels_, 0], plain["x"])


def test_drawn_bins_keep_the_marginals_of_numbers() -> None:
    table = frame(400)
    for options in ({"min_block_size": 8}, {"n_blocks": 20}):
        agg = Microaggregator(**options, schema=SCHEMA).fit(table)  # type: ignore[arg-type]
        drawn = agg.sample(40_000, random_state=1, numbers="bins")
        assert list(drawn) == list(table)
        assert drawn["age"].dtype == np.int64
        SCHEMA.validate(drawn)
        for degree in (1, 2):
            error = cf.marginal_error(table, drawn, degree=degree, schema=SCHEMA)
            released = cf.marginal_error(table, agg.sample(40_000, 1), degree=degree, schema=SCHEMA)
            assert error.rms < 0.5 * released.rms
        assert cf.marginal_error(table, drawn, degree=1, schema=SCHEMA).max < 5 * 0.5 / np.sqrt(40_000)
        assert drawn.equals(agg.sample(40_000, random_state=1, numbers="bins"))
    weighted = Microaggregator(8, schema=SCHEMA).fit(
        table, sample_weight=np.where(table["age"] < 50, 9.0, 1.0)
    )
    assert (weighted.sample(20_000, 1, numbers="bins")["age"] < 50).mean() > 0.8
    with pytest.raises(ValueError, match="numbers must be released or bins, got 'all'"):
        agg.sample(3, numbers="all")  # type: ignore[arg-type]
    plain = Microaggregator(2).fit(np.random.default_rng(0).standard_normal((9, 2)))
    with pytest.raises(ValueError, match="needs a schema"):
        plain.sample(3, numbers="bins")


def test_block_means_of_numbers_are_shares_of_bins() -> None:
    agg = Microaggregator(8, schema=SCHEMA)
    agg.fit_transform(frame())
    first = agg.certificate_.marginals[0]
    assert first.block_means.rms < 1e-12 < first.published.rms  # a mean of numbers lies in one bin


def test_a_fitted_aggregator_holds_no_record_and_can_be_pickled() -> None:
    table = frame(100)
    agg = Microaggregator(5, schema=SCHEMA, release="median", sensitive="job")
    agg.fit_transform(table)
    again = pickle.loads(pickle.dumps(agg))
    assert again.certificate_ == agg.certificate_
    for numbers in ("released", "bins"):
        assert again.sample(30, 1, numbers=numbers).equals(agg.sample(30, 1, numbers=numbers))


@pytest.mark.parametrize("n", [1, 2, 63, 64, 65, 257])
@pytest.mark.parametrize("most", [40, 10_000])
def test_linkage_is_that_of_comparing_all_rows(
    n: int, most: int, n_threads: int, simd_level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = frame(n)
    table["weight"] = table["weight"].round(1)  # ties
    fields, _, _ = read_fields(read(table), SCHEMA, None, 1)
    placements = place_fields(fields, None, "standard")
    labels = Microaggregator(min(n, 5), schema=SCHEMA, n_threads=1).fit(table).labels_
    said = summaries(fields, labels, int(labels.max()) + 1, None)
    released = [
        release_values(field, summary, "median", 1, labels, None) for field, summary in zip(fields, said)
    ]
    monkeypatch.setattr(anonymity, "_MOST_COMPARED", most)
    monkeypatch.setattr(anonymity, "_FEWEST_COMPARED", 1)
    for known in ([0, 1, 2, 3, 4], [2], [1, 3]):
        found = anonymity._link(known, fields, placements, released, labels, n_threads)
        true = np.hstack([placements[j].place(fields[j].read()) for j in known])
        shown = np.hstack([placements[j].place(released[j].values)[labels] for j in known])
        compared = np.arange(min(n, most)) * n // min(n, most)
        to_group, to_record = reference.linked(true, shown, compared)
        assert found[0] == len(compared)
        assert np.array_equal(found[1], to_group)
        assert np.array_equal(found[2], to_record)


# ---- weights ---------------------------------------------------------------------------------------------


def expanded(table: pd.DataFrame, weights: NDArray[np.int64]) -> pd.DataFrame:
    return table.iloc[np.repeat(np.arange(len(table)), weights)].reset_index(drop=True)


@pytest.mark.parametrize("options", [{"min_block_size": 6}, {"n_blocks": 25}])
def test_a_weight_counts_as_so_many_records(options: Any) -> None:
    """Every loss and error of the certificate is that of the table in which records stand so many times."""
    table = frame(150)
    weights = np.random.default_rng(3).choice([1, 2, 9], 150)
    agg = Microaggregator(**options, schema=SCHEMA)
    masked = agg.fit_transform(table, sample_weight=weights)
    certificate = agg.certificate_
    full, shown, labels = expanded(table, weights), expanded(masked, weights), np.repeat(agg.labels_, weights)

    def rows(frame: pd.DataFrame) -> dict[str, NDArray[np.float64]]:
        """Coordinates of each attribute, up to one factor that all numbers share."""
        out = {name: reference.standardise(frame[[name]].to_numpy(dtype=float)) for name in ("age", "weight")}
        for name in ("size", "job"):
            levels = sorted(set(table[name]))
            out[name] = (frame[name].to_numpy()[:, None] == levels) / np.sqrt(2)
        return out | {"smoker": (frame["smoker"] == "yes").to_numpy(dtype=float)[:, None]}

    for name, own in rows(full).items():
        loss = reference.relative_scatter(own, labels)
        assert certificate.attribute_loss[name] == pytest.approx(loss)
        assert certificate.attribute_loss[name] != pytest.approx(
            reference.relative_scatter(rows(table)[name], agg.labels_), rel=1e-3
        )
    assert certificate.trace_loss == pytest.approx(certificate.scatter / weights.sum())
    levels = np.hstack([own for name, own in rows(full).items() if name not in ("age", "weight")])
    lost = reference.scatter(levels, labels) + sum(
        certificate.attribute_loss[name] * (len(table) - 1) / len(table) * weights.sum()
        for name in ("age", "weight")
    )
    assert certificate.scatter == pytest.approx(lost)

    # Marginals of the published table, by brute force over the expanded one.
    for each in certificate.marginals:
        error = cf.marginal_error(full, shown, degree=each.degree, schema=SCHEMA)
        assert each.published.n_marginals == error.n_marginals
        assert each.published.rms == pytest.approx(error.rms)
        assert each.published.max == pytest.approx(error.max)
        plain = cf.marginal_error(table, masked, degree=each.degree, schema=SCHEMA)
        assert each.published.rms != pytest.approx(plain.rms, rel=1e-4)  # weights do act
    # And of block means: shares of levels in blocks.
    pair = (table["job"] == "nurse").to_numpy() * (table["smoker"] == "yes").to_numpy()
    shares = np.column_stack(
        [
            [np.average((table[name] == level)[agg.labels_ == b], weights=weights[agg.labels_ == b])]
            for b in range(len(agg.block_sizes_))
            for name, level in (("job", "nurse"), ("smoker", "yes"))
        ]
    ).reshape(-1, 2)
    product = reference.product_marginal(shares, np.bincount(agg.labels_, weights=weights))
    assert (
        abs(product - np.average(pair, weights=weights)) <= certificate.marginals[1].block_means.max + 1e-12
    )


def test_equal_weights_are_no_weights() -> None:
    table = frame(150)
    for scaling in ("standard", "robust"):
        options: Any = {"min_block_size": 6, "schema": SCHEMA, "scaling": scaling}
        one, other = Microaggregator(**options), Microaggregator(**options)
        assert one.fit_transform(table).equals(other.fit_transform(table, sample_weight=np.full(150, 4.0)))
        plain, weighted = one.certificate_, other.certificate_
        assert weighted.relative_trace_loss == pytest.approx(plain.relative_trace_loss)
        assert weighted.covariance_loss == pytest.approx(plain.covariance_loss)
        assert weighted.scatter == pytest.approx(4 * plain.scatter)
        for each, same in zip(weighted.marginals, plain.marginals):
            assert each.published.rms == pytest.approx(same.published.rms)
            assert each.block_means.rms == pytest.approx(same.block_means.rms)


def test_weighted_quartiles_follow_the_weights() -> None:
    values = np.arange(101.0)[:, None] @ [[1.0, 1.0]] + [[0.0, 0.5]]
    values[:, 1] = values[::-1, 1] ** 2
    middle = np.where(np.abs(np.arange(101) - 50) < 5, 1e6, 1.0)
    agg = [Microaggregator(5, scaling="robust").fit(values, sample_weight=w) for w in (None, middle)]
    # Nearly all of the weight lies in a tenth of the range: so do the quartiles.
    assert agg[1].certificate_.total_trace < agg[0].certificate_.total_trace
    spread = agg[1].certificate_.total_scatter
    again = Microaggregator(5, scaling="robust").fit(values, sample_weight=np.where(middle > 1, 1e6, 2.0))
    assert again.certificate_.total_scatter == pytest.approx(spread, rel=0.01)
