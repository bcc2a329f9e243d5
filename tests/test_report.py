"""The page that shows a synthetic table beside the true one."""

from __future__ import annotations

import datetime as dt
import html
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import covloss_fast as cf
from covloss_fast import report

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
    first = re.search(r"<tbody><tr><td>(smoker = yes)</td><td>(.*?)</td><td>(.*?)</td>", page)
    assert first is not None
    assert first.groups() == ("smoker = yes", f"{100 * true:.2f}", f"{100 * synthetic:.2f}")


def test_the_distance_of_attributes_is_total_variation() -> None:
    left, right = table(500, 1), table(400, 2, 0.6)
    marginals = [report._marginals(report.encode(side, SCHEMA, 1), 1) for side in (left, right)]
    found = report._attribute_distances(*marginals, SCHEMA)
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


@pytest.mark.skipif(shutil.which("chromium") is None, reason="chromium is not installed")
def test_the_page_needs_no_scrolling_sideways_on_a_phone(tmp_path: Path) -> None:
    release = cf.CovLossSynthesizer(SCHEMA, epsilon=1.5, delta=1e-6).fit(table(300, 3))
    page = report.build(table(300, 3), release.sample(), SCHEMA, release=release)
    measured = (
        "const page = this.contentDocument; document.title = 'widths ' + [page.documentElement, "
        "...page.querySelectorAll('pre, .ledger')].map(each => each.scrollWidth).join(' ')"
    )
    (tmp_path / "frame.html").write_text(
        f'<iframe style="border:0;width:390px;height:900px" onload="{measured}" '
        f'srcdoc="{html.escape(page)}"></iframe>',
        encoding="utf-8",
    )
    outcome = subprocess.run(
        [
            *["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}/user"],
            *["--dump-dom", (tmp_path / "frame.html").as_uri()],
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    widths = re.search(r"<title>widths ([0-9 ]+)</title>", outcome.stdout)
    assert widths is not None, outcome.stderr
    assert all(0 < int(width) <= 390 for width in widths[1].split())


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
        "not differential privacy",
        "the theorem says nothing",
        "a missing value equals nothing",
    ):
        assert part in text
    assert "<script" not in page.lower()
    aggregator.fit(true)
    parse(report.build(true, masked, SCHEMA, certificate=aggregator.certificate_, n_threads=1))
