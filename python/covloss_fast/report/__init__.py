"""Self-contained pages: a synthetic or masked table beside the true one, and a release by itself.

:func:`build` is for the curator, who has both tables: its page holds exact marginals of the true table, is
therefore **not private**, and says so at its top. :func:`build_private` is for everyone: its page is a
function of the release file alone, so it may be published with it. Neither needs a network: styles are
inline, pictures are inline SVG.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from covloss_fast import plots
from covloss_fast._text import clamping_text
from covloss_fast._threads import resolve_n_threads
from covloss_fast.metrics import MarginalError, marginal_error
from covloss_fast.plots.comparison import (
    Marginals,
    attribute_distances,
    bit_names,
    count_marginals,
    level_names,
    pairs_of_bits,
)
from covloss_fast.records.encoding import encode
from covloss_fast.report.markup import escape, number, page, percent, picture, pictures, table
from covloss_fast.schema import Schema
from covloss_fast.synthesizer import CovLossSynthesizer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covloss_fast.anonymity import AnonymityCertificate, DisclosureRisk
    from covloss_fast.privacy.certificate import Certificate
    from covloss_fast.privacy.ledger import LedgerSection

__all__ = ["build", "build_private"]

#: Attributes beyond which maps of pairs of attributes are left out: their names could not be read.
_MAX_MAP = 60
_N_WORST = 15


def build(
    true: Any,
    synthetic: Any,
    schema: Schema,
    *,
    release: CovLossSynthesizer | None = None,
    certificate: AnonymityCertificate | None = None,
    block_sizes: ArrayLike | None = None,
    degree: int = 3,
    title: str | None = None,
    n_threads: int | None = None,
) -> str:
    """Build the page that compares a synthetic or masked table with the true one.

    The page is not private: it holds exact marginals of the true table.

    Parameters
    ----------
    true, synthetic : table or path
        Anything that ``fit`` takes, both with the columns of `schema`.
    schema : Schema
        Which columns are compared, and their levels.
    release : CovLossSynthesizer, optional
        The fitted (or loaded) synthesizer; its guarantee, ledger and certificate are then shown.
    certificate : AnonymityCertificate, optional
        Of a :class:`covloss_fast.Microaggregator`: the table is then called masked, and losses and risks are
        shown.
    block_sizes : int array, shape (n_blocks,), optional
        Of the same, its ``block_sizes_``, which are then drawn.
    degree : int
        Largest degree of the marginals whose error is measured, 1 to 4.
    title : str, optional
        Headline of the page.
    n_threads : int or None
        Threads to count with; None for all that this process may use.

    Returns
    -------
    str
        The page, as HTML.

    Raises
    ------
    ValueError
        If a table does not obey the schema or has no records, or `release` is one of vectors.
    """
    if release is not None:
        _check_release(release)
    threads = resolve_n_threads(n_threads)
    tables = (
        encode(true, schema, threads, fractions=True),
        encode(synthetic, schema, threads, fractions=True),
    )
    word = "synthetic" if certificate is None else "masked"
    title = title or f"{word.capitalize()} table beside the true one"
    for name, records in zip(("true", word), tables):
        if records.n_records == 0:
            raise ValueError(f"the {name} table has no records: there is nothing to compare")
    errors = [
        marginal_error(*tables, degree=d, schema=schema, n_threads=threads)
        for d in range(1, min(degree, len(schema)) + 1)
    ]
    left, right = (count_marginals(records, schema, threads) for records in tables)
    certificates = release.certificate_ if release is not None else ()
    body = [
        f"<h1>{escape(title)}</h1>",
        _banner(word),
        _overview(left, right, errors, word),
        *([_clamping(schema)] if schema.clamping else []),
        *([_guarantee(release, of_release=False)] if release is not None else []),
        *([_anonymity(certificate, block_sizes)] if certificate is not None else []),
        _errors_section(errors, left, right, certificates),
        _scatter_section(left, right, word),
        *([_association_section(left, right, word)] if 1 < len(schema) <= _MAX_MAP else []),
        _worst_section(left, right, word),
        _attributes_section(left, right, word),
    ]
    return page(title, body, "Not private.")


def build_private(
    release: CovLossSynthesizer, *, title: str | None = None, n_threads: int | None = None
) -> str:
    """Build the page that shows a release by itself: what it promises, what it cost, what it says.

    It is made from the release alone, so that publishing it costs nothing beyond the release, which must be
    published, or fit to be, as well. No true table is looked at.

    Parameters
    ----------
    release : CovLossSynthesizer
        Fitted, or loaded from its file.
    title : str, optional
        Headline of the page.
    n_threads : int or None
        Threads to count with; None for all that this process may use.

    Returns
    -------
    str
        The page, as HTML.

    Raises
    ------
    NotFittedError
        If nothing has been released yet.
    ValueError
        If it is the release of something else than a table: vectors have no page.
    """
    _check_release(release)
    schema = release.schema_
    title = title or "A synthetic table: what it promises, and what it says"
    synthetic = release.sample(as_="pyarrow")
    marginals = count_marginals(synthetic, schema, n_threads) if synthetic.num_rows else None
    body = [
        f"<h1>{escape(title)}</h1>",
        _private_banner(release),
        _private_overview(release, synthetic.num_rows),
        _guarantee(release, of_release=True),
        *([_certified_section(release.certificate_)] if release.certificate_ else []),
        *([_said_section(release, marginals)] if marginals is not None else []),
    ]
    is_private = release.ledger_.is_private
    return page(title, body, "From the release alone." if is_private else "Not private.")


def _check_release(release: Any) -> None:
    if not isinstance(release, CovLossSynthesizer):
        raise ValueError(
            f"a page shows a release of a table, made by a CovLossSynthesizer, got {type(release).__name__}"
        )


# ---- the parts of the page


def _banner(word: str) -> str:
    return (
        '<p class="banner"><strong>Not private.</strong> This page was made from the true table and holds '
        "exact statistics of it. It is for those who may see the true table, and must not be published with "
        f"the {word} one.</p>"
    )


def _private_banner(release: CovLossSynthesizer) -> str:
    if release.ledger_.is_private:
        return (
            "<p>This page was made from the release alone. Whatever it shows can be computed from the "
            "release file, so it may be published with it.</p>"
        )
    return (
        '<p class="banner"><strong>Not private.</strong> The noise of this release was derived from a seed. '
        "Neither the release nor this page may be published.</p>"
    )


def _overview(left: Marginals, right: Marginals, errors: Sequence[MarginalError], word: str) -> str:
    schema = left.schema
    off = attribute_distances(left, right)[np.triu_indices(len(schema), 1)]
    figures = [
        ("true records", f"{left.n_records:,}"),
        (f"{word} records", f"{right.n_records:,}"),
        ("attributes", f"{len(schema):,}"),
        ("bits", f"{schema.layout.n_bits:,}"),
        *((f"RMS error, {error.degree}-way", number(error.rms)) for error in errors),
    ]
    if off.size:
        figures.append(("total variation, pairs of attributes", number(float(off.mean()))))
    return _figures(figures)


def _clamping(schema: Schema) -> str:
    return f"<p>By the schema, in both tables, {escape(clamping_text(schema.clamping))}.</p>"


def _private_overview(release: CovLossSynthesizer, n_rows: int) -> str:
    ledger, schema = release.ledger_, release.schema_
    unit = "with noise" if ledger.neighbours == "add_or_remove_one" else "public"
    return _figures(
        [
            ("epsilon", f"{ledger.epsilon:g}"),
            ("delta", f"{ledger.delta:g}"),
            (f"records, {unit}", f"{release.parameters_['n']:,}"),
            ("synthetic records", f"{n_rows:,}"),
            ("attributes", f"{len(schema):,}"),
            ("bits", f"{schema.layout.n_bits:,}"),
        ]
    )


def _figures(figures: Sequence[tuple[str, str]]) -> str:
    cells = "".join(f"<div><b>{value}</b><span>{name}</span></div>" for name, value in figures)
    return f'<section class="figures">{cells}</section>'


def _guarantee(release: CovLossSynthesizer, *, of_release: bool) -> str:
    ledger = release.ledger_
    epsilon, delta = ledger.epsilon, ledger.delta
    k = ledger.max_records_per_person
    whose = "any one record" if k == 1 else f"any one person with up to {k:,} records"
    unit = {
        "add_or_remove_one": f"whether {whose} is in the table or not",
        "replace_one": f"whatever {whose} of the table says (the number of records is public)",
    }[ledger.neighbours]
    here = "and so for this page" if of_release else "it does not hold for this page"
    failure = f", except for a probability of at most {delta:g}" if delta else ""
    if ledger.is_private:
        promise = (
            f"<p>What was released is ({epsilon:g}, {delta:g})-differentially private: {unit}, the "
            f"probability of any outcome changes by a factor of at most e<sup>{epsilon:g}</sup> = "
            f"{_factor(epsilon)}{failure}. That holds against anyone, whatever they know and however they "
            f"compute. It holds for the synthetic table and for the release file; {here}.</p>"
        )
    else:
        either = "" if of_release else " either"
        promise = (
            f'<p class="banner"><strong>The release is not private{either}.</strong> Its noise was derived '
            "from a seed, so whoever guesses the seed can take it off. The ledger below promises nothing.</p>"
        )
    parts = [
        "<h2>What was released, and what it cost</h2>",
        promise,
        *(_ledger_section(section) for section in ledger.sections()),
    ]
    return f"<section>{''.join(parts)}</section>"


def _ledger_section(section: LedgerSection) -> str:
    text = f"<pre>{escape(chr(10).join(' '.join(line.split()) for line in section.lines))}</pre>"
    if not section.rows:
        return text
    return text + table(section.head, [[escape(cell) for cell in row] for row in section.rows])


def _certified_section(certificates: Sequence[Certificate]) -> str:
    rows = [
        [
            f"{each.degree}",
            "&ndash;" if each.at_most else number(each.rms),
            f"at most {number(each.high)}" if each.at_most else f"{number(each.low)} to {number(each.high)}",
            f"{each.n_sets:,}" + (" (a sample)" if each.sampled else ""),
        ]
        for each in certificates
    ]
    return (
        "<section><h2>How far it is from the true table</h2>"
        "<p>The root mean square error of d-way marginals, measured privately out of the same budget. A "
        "d-way marginal is the fraction of records in which d given bits, of d attributes, all equal 1. Each "
        "interval holds the true value with 95 % confidence.</p>"
        + table(["degree", "estimate", "interval", "marginals"], rows)
        + picture(plots.error_by_degree(certificates=certificates), "Certified error against degree")
        + "</section>"
    )


def _said_section(release: CovLossSynthesizer, marginals: Marginals) -> str:
    """What the release says: shares of levels with their standard errors, association of pairs."""
    schema = marginals.schema
    parts = ["<section><h2>What it says</h2>"]
    if 1 < len(schema) <= _MAX_MAP:
        parts += [
            "<p>Association of pairs of attributes (Cram\u00e9r's V: 0 if they are independent, 1 if one "
            "determines the other).</p>",
            picture(plots.association_map(marginals, schema), "Association of pairs of attributes"),
        ]
    parts += [
        "</section><section><h2>Attribute by attribute</h2>"
        "<p>Estimated per cent of the records of the private table, and the standard error of the noise.</p>"
    ]
    for attribute in schema.attributes:
        estimate = release.marginals(attribute.name)
        shown = [
            f"{percent(share)}{'' if np.isnan(error) else f' &plusmn; {100 * error:.2g}'}"
            for share, error in zip(estimate.shares, estimate.standard_errors)
        ]
        names = level_names(attribute)
        bars = np.clip(estimate.shares, 0.0, 1.0)[None, :]
        parts.append(_attribute(attribute.name, f"{len(names)} levels", names, bars, ["synthetic"], shown))
    return "".join([*parts, "</section>"])


def _anonymity(certificate: AnonymityCertificate, block_sizes: ArrayLike | None) -> str:
    c = certificate
    vacuous = (
        ". A single block would satisfy it too: at blocks this small the theorem says nothing"
        if c.is_vacuous
        else ""
    )
    parts = [
        "<h2>What was released, what was lost, what is at risk</h2>",
        f"<p>{c.n_records:,} records in {c.n_blocks:,} blocks of {c.smallest_block:,} to "
        f"{c.largest_block:,} records. This is anonymity, <strong>not differential privacy</strong>: whoever "
        "knows all records of a block but one learns the last, and several releases of one table can be "
        "played against each other.</p>",
    ]
    if c.missing is not None:
        reading = "values of their own" if c.missing == "level" else "no values at all (strictest reading)"
        parts.append(
            f"<p>Missing values counted as {reading}; every released value rests on at least "
            f"{c.fewest_averaged:,} present ones.</p>"
        )
    if block_sizes is not None:
        parts.append(picture(plots.block_sizes(block_sizes), "Sizes of blocks"))
    rows = [
        ["relative trace loss (SSE/SST)", f"{100 * c.relative_trace_loss:.2f} %"],
        ["trace of the lost covariance", f"{number(c.trace_loss)} of {number(c.total_trace)}"],
        [
            "Frobenius norm of the lost covariance",
            f"{number(c.covariance_loss)} of {number(c.total_covariance)}",
        ],
        [f"bound of Theorem 1.2 on that norm{vacuous}", number(c.bound)],
    ]
    parts.append(table(["loss", "value"], rows))
    if c.marginals:
        rows = [
            [
                f"{each.degree}",
                number(each.block_means.rms),
                number(each.published.rms),
                number(each.published.max),
                f"{each.published.n_marginals:,}",
            ]
            for each in c.marginals
        ]
        head = ["degree", "RMS error of block means", "RMS error as published", "largest", "marginals"]
        parts.append(table(head, rows))
    rows = [
        [escape(name), escape(c.release[name]), f"{100 * loss:.2f} %"]
        for name, loss in c.attribute_loss.items()
    ]
    parts.append(table(["attribute", "released as", "lost scatter"], rows))
    rows = []
    if c.released is not None:
        rows += [
            ["different released records", f"{c.released.n_groups:,}"],
            ["smallest group of equal released records, recounted", f"{c.released.smallest:,}"],
            ["the same if a missing value equals nothing", f"{c.released.smallest_strict:,}"],
        ]
    if c.risk is not None:
        rows += _risk_rows(c.risk)
    if rows:
        parts.append(table(["risk", "value"], rows))
    return f"<section>{''.join(parts)}</section>"


def _risk_rows(risk: DisclosureRisk) -> list[list[str]]:
    error = f" &plusmn; {100 * risk.standard_error:.2g}" if risk.standard_error else ""
    rows = [
        ["quasi-identifying columns", escape(", ".join(risk.quasi_identifiers))],
        [
            f"linked to their own row by distance, of {risk.n_compared:,} records compared",
            f"{100 * risk.linked_to_record:.2f}{error} %",
        ],
        ["linked to their own group", f"{100 * risk.linked_to_group:.2f} %"],
        ["unique true records", f"{100 * risk.unique_original:.2f} %"],
        ["unique released records", f"{100 * risk.unique_released:.2f} %"],
    ]
    if risk.entropy_diversity is not None and risk.homogeneous is not None:
        name = escape(risk.sensitive)
        rows += [
            [f"fewest distinct true values of {name} in a group", f"{risk.diversity:,}"],
            ["entropy l-diversity", f"{risk.entropy_diversity:.3g}"],
            [f"records in groups with one true value of {name}", f"{100 * risk.homogeneous:.2f} %"],
        ]
    return rows


def _factor(epsilon: float) -> str:
    return f"{math.exp(epsilon):.3g}" if epsilon < 700 else "more than 10^300"


def _errors_section(
    errors: Sequence[MarginalError], left: Marginals, right: Marginals, certificates: Sequence[Certificate]
) -> str:
    first, second = pairs_of_bits(left.schema)
    true_pairs = left.two_way[first, second]
    # A resample of the true rows of the synthetic length has this error, no privacy at all.
    resampled = {
        1: _binomial_rms(left.one_way, right.n_records),
        2: _binomial_rms(true_pairs, right.n_records),
    }
    independent = {2: _rms(true_pairs - left.one_way[first] * left.one_way[second])}
    rows = [
        [
            f"{error.degree}",
            number(error.rms) + (f" &plusmn; {number(error.standard_error)}" if error.standard_error else ""),
            number(error.max),
            f"{error.n_marginals:,}",
            number(resampled.get(error.degree)),
            number(independent.get(error.degree)),
        ]
        for error in errors
    ]
    certified = "".join(f"<li>{escape(each)}</li>" for each in certificates)
    if certified:
        certified = (
            "<p>Measured privately, so that it may be published with the synthetic table (shaded):</p>"
            f"<ul>{certified}</ul>"
        )
    head = ["degree", "RMS error", "largest error", "marginals", "rows drawn again", "independent columns"]
    return (
        "<section><h2>Error against degree</h2>"
        "<p>A d-way marginal is the fraction of records in which d given bits, of d attributes, all equal 1. "
        "The last two columns give the RMS error of two tables for comparison: records of the true table "
        "drawn again at random (not private), and columns with the true 1-way marginals that know nothing of "
        "each other.</p>"
        + table(head, rows)
        + picture(plots.error_by_degree(errors, certificates), "Error against degree")
        + certified
        + "</section>"
    )


def _scatter_section(left: Marginals, right: Marginals, word: str) -> str:
    schema = left.schema
    drawn = [
        picture(
            plots.marginal_scatter(left, right, schema, degree, word=word),
            f"{degree}-way marginals, true against {word}",
        )
        for degree in ((1, 2) if len(schema) > 1 else (1,))
    ]
    return (
        f"<section><h2>Marginals, true against {word}</h2>"
        "<p>On the line, a marginal is the same in both tables.</p>" + pictures(drawn) + "</section>"
    )


def _association_section(left: Marginals, right: Marginals, word: str) -> str:
    schema = left.schema
    drawn = [
        picture(plots.association_map(left, schema, title="true"), "Association in the true table"),
        picture(plots.association_map(right, schema, title=word), f"Association in the {word} table"),
        picture(
            plots.association_difference(left, right, schema, title=f"{word} minus true"),
            "Difference of associations",
        ),
        picture(
            plots.distance_map(left, right, schema, title="total variation"),
            "Total variation of pairs of attributes",
        ),
    ]
    return (
        "<section><h2>Pairs of attributes</h2>"
        "<p>Their association (Cram\u00e9r's V: 0 if they are independent, 1 if one determines the other) "
        "in both tables and its difference; and the total variation distance between the two tables (for "
        "single attributes on the diagonal): the fraction of records that would have to change.</p>"
        + pictures(drawn)
        + "</section>"
    )


def _worst_section(left: Marginals, right: Marginals, word: str) -> str:
    bits = bit_names(left.schema)
    first, second = pairs_of_bits(left.schema)
    single = [(bits[i], left.one_way[i], right.one_way[i]) for i in _largest(left.one_way - right.one_way)]
    a, b = left.two_way[first, second], right.two_way[first, second]
    double = [(f"{bits[first[i]]} and {bits[second[i]]}", a[i], b[i]) for i in _largest(a - b)]
    parts = ["<section><h2>The worst marginals</h2>"]
    for title, found in (("1-way", single), ("2-way", double)):
        if found:
            rows = [[escape(name), percent(x), percent(y), f"{100 * (y - x):+.2f}"] for name, x, y in found]
            head = [f"{title} marginal", "true %", f"{word} %", "difference"]
            parts.append(table(head, rows))
    return "".join([*parts, "</section>"])


def _largest(difference: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.argsort(-np.abs(difference), kind="stable")[:_N_WORST]


def _attributes_section(left: Marginals, right: Marginals, word: str) -> str:
    """The levels of every attribute as bars, of both tables."""
    sides = ["true", word]
    key = ", ".join(f'<span class="key" style="background:{_colour(side)}"></span> {side}' for side in sides)
    distances = np.diag(attribute_distances(left, right))
    parts = ["<section><h2>Attribute by attribute</h2>", f"<p>{key}, per cent of records</p>"]
    for place, (attribute, distance) in enumerate(zip(left.schema.attributes, distances)):
        values = np.array([side.of_attribute(place) for side in (left, right)])
        names = level_names(attribute)
        remark = f"{len(names)} levels, total variation {number(float(distance))}"
        shown = ["<br>".join(map(percent, at)) for at in values.T]
        parts.append(_attribute(attribute.name, remark, names, values, sides, shown))
    return "".join([*parts, "</section>"])


def _attribute(
    name: str,
    remark: str,
    levels: Sequence[str],
    values: NDArray[np.float64],
    sides: Sequence[str],
    shown: Sequence[str],
) -> str:
    """One attribute, folded up: a bar of each side for each level, and what is written beside it."""
    scale = max(float(values.max()), 1e-12)
    rows = "".join(
        f"<tr><th>{escape(level)}</th>"
        f"<td>{''.join(_bar(value / scale, _colour(side)) for value, side in zip(at, sides))}</td>"
        f"<td>{words}</td></tr>"
        for level, at, words in zip(levels, values.T, shown)
    )
    return (
        f"<details><summary>{escape(name)} <small>{remark}</small></summary>"
        f'<table class="bars">{rows}</table></details>'
    )


def _colour(word: str) -> str:
    return plots.TRUE_COLOUR if word == "true" else plots.SYNTHETIC_COLOUR


def _bar(fraction: float, colour: str) -> str:
    return f'<div style="width:{100 * fraction:.2f}%;background:{colour}"></div>'


def _rms(values: NDArray[np.float64]) -> float | None:
    return float(np.sqrt(np.mean(np.square(values)))) if values.size else None


def _binomial_rms(fractions: NDArray[np.float64], n_records: int) -> float | None:
    return _rms(np.sqrt(np.clip(fractions * (1 - fractions), 0, None) / n_records))
