"""The page that shows a synthetic table beside the true one."""

from __future__ import annotations

import datetime as dt
import html
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import covloss_fast as cf
from covloss_fast import report
from covloss_fast.cli.commands import app
from covloss_fast.plots.comparison import attribute_distances, count_marginals

SCHEMA = cf.Schema(
    [
        cf.Binary("smoker", ("no", "yes")),
        cf.Categorical("job $x^2$", ("<script>alert(1)</script>", "nurse & co", "ä $y$"), missing="level"),
        cf.Numeric("age", edges=[0, 18, 19, 65, 120], integer=True),
        cf.Numeric("weight", 0, 200, bins=4),
        cf.Numeric("born", dt.date(1900, 1, 1), dt.date(2000, 1, 1), bins=2),
    ]
)


def table(n: int, seed: int, smokers: float = 0.3) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    levels = np.array([*SCHEMA.attributes[1].levels, None], dtype=object)  # type: ignore[union-attr]
    return {
        "smoker": np.where(rng.random(n) < smokers, "yes", "no"),
        "job $x^2$": levels[rng.integers(0, 4, n)],
        "age": rng.integers(0, 120, n),
        "weight": rng.random(n) * 200,
        "born": np.datetime64("1900-01-01") + rng.integers(0, 36_000, n).astype("timedelta64[D]"),
    }


@pytest.fixture(scope="module")
def page() -> str:
    return report.build(table(500, 1), table(400, 2, 0.6), SCHEMA, degree=4, n_threads=1)


class Checker(HTMLParser):
    """Collects tags and text, and fails on tags that do not close."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in {"meta", "br"}:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.words.append(data)


def parse(page: str) -> Checker:
    checker = Checker()
    checker.feed(page)
    checker.close()
    assert checker.open == []
    return checker


def test_the_page_is_whole_and_needs_no_network(page: str) -> None:
    tags = parse(page).tags
    assert not {"script", "link", "iframe", "object", "img"} & {tag for tag, _ in tags}
    for _, attributes in tags:
        for name, value in attributes.items():
            assert not name.startswith("on")
            if name in {"src", "href", "xlink:href"}:
                assert value is not None
                assert value.startswith(("#", "data:image/png;base64,"))
    assert "@import" not in page
    assert not re.search(r"url\((?!#)", page)


def test_the_page_says_at_its_top_that_it_is_not_private(page: str) -> None:
    text = " ".join(parse(page).words)
    assert text.index("Not private.") < text.index("true records")
    assert "must not be published" in text


def test_the_page_says_which_values_count_as_a_bound(page: str) -> None:
    text = " ".join(parse(page).words)
    assert f"in both tables, values that count as a bound: {'; '.join(SCHEMA.clamping)}." in text
    flags = cf.Schema([cf.Binary("a")])
    same = {"a": np.array([True, False])}
    assert "count as a bound" not in report.build(same, same, flags)


def test_names_and_levels_are_shown_as_they_are(page: str) -> None:
    text = "".join(parse(page).words)
    for name in ["<script>alert(1)</script>", "nurse & co", "ä $y$", "job $x^2$", "missing", "1950-01-01"]:
        assert name in text
    assert "<script" not in page.lower()
    for name in ["18", "19 to 64", "65 to 120", "[0, 50)", "[150, 200]"]:
        assert f"<th>{name}</th>" in page


def test_the_figures_are_those_of_the_measures(page: str) -> None:
    errors = [
        cf.marginal_error(table(500, 1), table(400, 2, 0.6), degree=d, schema=SCHEMA) for d in (1, 2, 3, 4)
    ]
    for error in errors:
        assert f"{error.rms:.3g}" in page
        assert f"{error.n_marginals:,}" in page


def test_the_worst_marginal_is_named_with_its_values(page: str) -> None:
    true, synthetic = (
        np.mean(table(n, s, p)["smoker"] == "yes") for n, s, p in ((500, 1, 0.3), (400, 2, 0.6))
    )
    first = re.search(r'<tr><td data-name="1-way marginal">(.*?)</td>.*?>(.*?)</td>.*?>(.*?)</td>', page)
    assert first is not None
    assert first.groups() == ("smoker = yes", f"{100 * true:.2f}", f"{100 * synthetic:.2f}")


def test_the_distance_of_attributes_is_total_variation() -> None:
    left, right = table(500, 1), table(400, 2, 0.6)
    found = attribute_distances(*(count_marginals(side, SCHEMA) for side in (left, right)))
    for degree, mean in ((1, np.diag(found).mean()), (2, found[np.triu_indices(5, 1)].mean())):
        assert mean == pytest.approx(cf.attribute_tv(left, right, degree=degree, schema=SCHEMA), abs=1e-12)


def test_equal_tables_and_a_single_attribute_work() -> None:
    small = cf.Schema([cf.Binary("a")])
    same = {"a": np.array([True, False, True])}
    page = report.build(same, same, small)
    parse(page)
    assert "2-way" not in page


def test_the_guarantee_is_told_in_plain_words() -> None:
    release = cf.CovLossSynthesizer(SCHEMA, epsilon=1.5, delta=1e-6).fit(table(300, 3))
    page = report.build(table(300, 3), release.sample(), SCHEMA, release=release)
    text = " ".join(parse(page).words)
    assert "(1.5, 1e-06)-differentially private" in text
    assert "whether any one record is in the table or not" in text
    assert "4.48" in text


def test_the_ledger_is_a_table_of_all_its_mechanisms() -> None:
    release = cf.CovLossSynthesizer(SCHEMA, epsilon=1.5, delta=1e-6).fit(table(300, 3))
    page = report.build(table(300, 3), release.sample(), SCHEMA, release=release)
    words = [word.strip() for word in parse(page).words]
    for entry in release.ledger_.entries:
        assert entry.query in words
        assert f"Gaussian, sigma {float(entry.scale) ** 0.5:.5g}" in words
    cells = [attrs.get("data-name") for tag, attrs in parse(page).tags if tag == "td"]
    assert cells.count("noise") == len(release.ledger_.entries)


#: Of a page in a frame: how wide it is, and what stands out on the right of it.
MEASURE = """
const page = this.contentDocument, room = this.clientWidth;
page.querySelectorAll('details').forEach(each => { each.open = true });
const select = (names, test) => [...page.body.querySelectorAll(names)].filter(test);
const out = select('*', each => each.getBoundingClientRect().right > room + 1);
const wide = select('pre, table, figure', each => each.scrollWidth > each.clientWidth + 1);
document.title = 'measured ' + JSON.stringify({
    width: page.documentElement.scrollWidth, rows: page.querySelectorAll('tr').length,
    out: out.map(each => each.outerHTML.slice(0, 80)), wide: wide.map(each => each.outerHTML.slice(0, 80))});
"""


def measured(page: str, width: int, folder: Path) -> dict[str, Any]:
    """Lay a page out in a browser, with all that it hides shown."""
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("chromium is not installed")
    (folder / "frame.html").write_text(
        f'<body style="margin:0"><iframe style="border:0;width:{width}px;height:900px" '
        f'onload="{html.escape(MEASURE)}" srcdoc="{html.escape(page)}"></iframe>',
        encoding="utf-8",
    )
    outcome = subprocess.run(
        [
            *[chromium, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/user"],
            *[f"--window-size={width + 100},900", "--dump-dom", (folder / "frame.html").as_uri()],
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    found = re.search(r"<title>measured (.*?)</title>", outcome.stdout)
    assert found is not None, outcome.stderr
    value: dict[str, Any] = json.loads(html.unescape(found[1]))
    return value


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    """Every kind of page, of a table with long names."""
    true = table(300, 3)
    release = cf.CovLossSynthesizer(SCHEMA, epsilon=1.5, delta=1e-6).fit(true)
    aggregator = cf.Microaggregator(5, schema=SCHEMA, release="rounded", sensitive="weight")
    masked = aggregator.fit_transform(true)
    certificate, sizes = aggregator.certificate_, aggregator.block_sizes_
    return {
        "compared": report.build(true, release.sample(), SCHEMA, release=release, degree=4),
        "masked": report.build(true, masked, SCHEMA, certificate=certificate, block_sizes=sizes),
        "private": report.build_private(release),
    }


@pytest.mark.parametrize("kind", ["compared", "masked", "private"])
@pytest.mark.parametrize("width", [400, 1280])
def test_nothing_stands_out_of_the_page(pages: dict[str, str], kind: str, width: int, tmp_path: Path) -> None:
    found = measured(pages[kind], width, tmp_path)
    assert found["rows"] > 20
    assert found["width"] <= width
    assert found["out"] == found["wide"] == []


def test_what_stands_out_is_noticed(tmp_path: Path) -> None:
    found = measured("<body><div style='width:500px'>wide</div><table><tr><td>1", 400, tmp_path)
    assert found["width"] > 400
    assert len(found["out"]) == 1


def test_the_page_is_printed_with_all_that_it_hides(pages: dict[str, str], tmp_path: Path) -> None:
    chromium, reader = shutil.which("chromium"), shutil.which("pdftotext")
    if chromium is None or reader is None:
        pytest.skip("chromium or pdftotext is not installed")
    (tmp_path / "page.html").write_text(pages["private"], encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}/user"]
    target = tmp_path / "page.pdf"
    command = [chromium, *options, f"--print-to-pdf={target}", (tmp_path / "page.html").as_uri()]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    text = subprocess.run([reader, target, "-"], check=True, capture_output=True, text=True).stdout
    assert "65 to 120" in text  # of an attribute that is folded up on the screen


# ---- the page of a release


def test_the_page_of_a_release_is_a_function_of_its_file(tmp_path: Path) -> None:
    """So nothing of the true table is in it that is not in the file."""
    release = cf.CovLossSynthesizer(SCHEMA, epsilon=1.5, delta=1e-6).fit(table(3_217, 3))
    release.save(tmp_path / "r.covloss")
    page = report.build_private(release)
    assert page == report.build_private(cf.load(tmp_path / "r.covloss"))
    text = " ".join(parse(page).words)
    for part in (
        "(1.5, 1e-06)-differentially private",
        "made from the release alone",
        "pair table",
        "records, with noise",
        "10,000 (a sample)" if release.certificate_[-1].sampled else "interval",
        "<script>alert(1)</script>",
    ):
        assert part in text
    assert "true records" not in text
    assert "Not private" not in text
    if release.parameters_["n"] != 3_217:
        assert "3,217" not in page
        assert "3217" not in page


@pytest.mark.parametrize(
    ("neighbours", "promise"),
    [
        ("add_or_remove_one", "whether any one person with up to 3 records is in the table or not"),
        ("replace_one", "whatever any one person with up to 3 records of the table says"),
    ],
)
def test_the_page_says_whose_records_are_protected(neighbours: Any, promise: str) -> None:
    release = cf.CovLossSynthesizer(
        SCHEMA, epsilon=1.5, delta=1e-6, neighbours=neighbours, max_records_per_person=3
    ).fit(table(300, 3))
    text = " ".join(parse(report.build_private(release)).words)
    assert promise in text
    assert "any one record" not in text


def test_the_page_of_a_seeded_release_says_that_it_is_not_private() -> None:
    with pytest.warns(cf.NotPrivateWarning):
        release = cf.CovLossSynthesizer(SCHEMA, epsilon=1.5, delta=1e-6, random_state=1).fit(table(300, 3))
    text = " ".join(parse(report.build_private(release)).words)
    assert text.index("Not private.") < text.index("epsilon")
    assert "may be published with it" not in text


def test_the_page_of_an_empty_release_is_whole() -> None:
    small = cf.Schema([cf.Binary("a")])
    release = cf.CovLossSynthesizer(small, epsilon=0.01, delta=0, certificate=False).fit({"a": []})
    parse(report.build_private(release))
    with pytest.raises(cf.NotFittedError):
        report.build_private(cf.CovLossSynthesizer(small, epsilon=1, delta=0))


def test_vectors_have_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vectors: Any = cf.VectorSynthesizer(cf.UnitBall(2), epsilon=1).fit(np.zeros((50, 2)))
    for attempt in (
        lambda: report.build_private(vectors),
        lambda: report.build(table(5, 1), table(5, 2), SCHEMA, release=vectors),
    ):
        with pytest.raises(ValueError, match=r"a page shows a release of a table, .* got VectorSynthesizer"):
            attempt()
    monkeypatch.chdir(tmp_path)
    vectors.save("v.covloss")
    outcome = CliRunner().invoke(app, ["report", "--private", "--release", "v.covloss", "-o", "p.html"])
    assert outcome.exit_code == 2
    assert outcome.stderr.startswith(
        "error: v.covloss: a release of vectors, for which there are no commands"
    )
    assert not Path("p.html").exists()


def test_a_seeded_release_is_not_called_private() -> None:
    with pytest.warns(cf.NotPrivateWarning):
        release = cf.CovLossSynthesizer(SCHEMA, epsilon=1.5, delta=1e-6, random_state=1).fit(table(300, 3))
    text = " ".join(parse(report.build(table(300, 3), release.sample(), SCHEMA, release=release)).words)
    assert "The release is not private either." in text
    assert "differentially private" not in text


def test_nothing_to_compare_is_said() -> None:
    with pytest.raises(ValueError, match="the synthetic table has no records"):
        report.build(table(5, 1), table(0, 1), SCHEMA)


def test_a_masked_table_is_shown_with_what_it_lost_and_risks() -> None:
    true = table(300, 1)
    aggregator = cf.Microaggregator(5, schema=SCHEMA, release="rounded", sensitive="weight")
    masked = aggregator.fit_transform(true)
    page = report.build(true, masked, SCHEMA, certificate=aggregator.certificate_, n_threads=1)
    text = " ".join(parse(page).words)
    assert "synthetic" not in text
    assert text.index("Masked table beside the true one") < text.index("masked records")
    certificate = aggregator.certificate_
    assert certificate.risk is not None
    for part in (
        f"{100 * certificate.relative_trace_loss:.2f} %",
        f"{certificate.marginals[1].published.rms:.3g}",
        f"{100 * certificate.risk.linked_to_record:.2f}",
        "fewest distinct true values of weight in a group",
        "rounded mean",
        f"values that count as a bound: {SCHEMA.clamping[0]}",
        "not differential privacy",
        "the theorem says nothing",
        "a missing value equals nothing",
    ):
        assert part in text
    assert "<script" not in page.lower()
    aggregator.fit(true)
    parse(report.build(true, masked, SCHEMA, certificate=aggregator.certificate_, n_threads=1))
