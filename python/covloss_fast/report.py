"""One self-contained page that shows a synthetic or masked table beside the true one.

The page is for the curator, who has both tables: it holds exact marginals of the true table, is therefore
**not private**, and says so at its top. It needs no network: styles are inline, pictures are inline SVG.

All pictures of marginals come from the moments of both tables, that is, from the counts of all pairs of bits
(:class:`covloss_fast.records.statistics.Moments`): once it is counted, a long table costs no more than a
short one.
"""

from __future__ import annotations

import html
import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from covloss_fast._config import __version__
from covloss_fast._threads import resolve_n_threads
from covloss_fast.metrics import MarginalError, marginal_error
from covloss_fast.records.encoding import EncodedTable, encode
from covloss_fast.records.statistics import Moments
from covloss_fast.schema import Attribute, Numeric, Schema

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from covloss_fast.anonymity import AnonymityCertificate, DisclosureRisk
    from covloss_fast.privacy.ledger import LedgerSection
    from covloss_fast.synthesizer import CovLossSynthesizer

__all__ = ["build"]

_TRUE, _SYNTHETIC = "#3b6ea5", "#d1752c"
#: Pairs drawn as single points; more are drawn as a density.
_MAX_POINTS = 3_000
#: Attributes beyond which the map of pairs of attributes is left out: its names could not be read.
_MAX_MAP = 60
_N_WORST = 15


@dataclass(frozen=True)
class _Marginals:
    """All 1- and 2-way marginals of one table.

    Attributes
    ----------
    n_records : int
    one_way : float64 array, shape (n_bits,)
    two_way : float64 array, shape (n_bits, n_bits)
        Fraction of records in which both bits are 1.
    levels : float64 array, shape (n_levels, n_levels)
        Fractions over pairs of levels of all attributes, a binary attribute having two.
    """

    n_records: int
    one_way: NDArray[np.float64]
    two_way: NDArray[np.float64]
    levels: NDArray[np.float64]


def build(
    true: Any,
    synthetic: Any,
    schema: Schema,
    *,
    release: CovLossSynthesizer | None = None,
    certificate: AnonymityCertificate | None = None,
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
        If a table does not obey the schema or has no records.
    """
    threads = resolve_n_threads(n_threads)
    tables = (encode(true, schema, threads), encode(synthetic, schema, threads))
    word = "synthetic" if certificate is None else "masked"
    title = title or f"{word.capitalize()} table beside the true one"
    for name, table in zip(("true", word), tables):
        if table.n_records == 0:
            raise ValueError(f"the {name} table has no records: there is nothing to compare")
    errors = [
        marginal_error(*tables, degree=d, schema=schema, n_threads=threads)
        for d in range(1, min(degree, len(schema)) + 1)
    ]
    left, right = (_marginals(table, threads) for table in tables)
    names = _level_names(schema)
    body = [
        f"<h1>{_escape(title)}</h1>",
        _banner(word),
        _overview(left, right, schema, errors, word),
        *([_guarantee(release)] if release is not None else []),
        *([_anonymity(certificate)] if certificate is not None else []),
        _errors_section(errors, left, right, schema),
        _scatter_section(left, right, schema, word),
        _worst_section(left, right, schema, names, word),
        _attributes_section(left, right, schema, names, word),
    ]
    return _page(title, body)


# ---- numbers


def _marginals(table: EncodedTable, n_threads: int) -> _Marginals:
    """Count all pairs of bits, and from them all pairs of levels."""
    layout = table.schema.layout
    moments = Moments.from_records(table.bits, table.codes, layout, n_threads)
    two_way = moments.counts / moments.n
    one_way = np.diag(two_way).copy()
    # A binary attribute is one bit b; its other level is 1 - b, so both levels are affine in (1, bits).
    augmented = np.block([[np.ones((1, 1)), one_way[None, :]], [one_way[:, None], two_way]])
    rows: list[NDArray[np.float64]] = []
    for attribute, binary in enumerate(layout.is_binary):
        bits = range(layout.offsets[attribute], layout.offsets[attribute + 1])
        units = [_unit(1 + bit, layout.n_bits + 1) for bit in bits]
        rows += [_unit(0, layout.n_bits + 1) - units[0], units[0]] if binary else units
    expansion = np.array(rows)
    return _Marginals(table.n_records, one_way, two_way, expansion @ augmented @ expansion.T)


def _unit(index: int, length: int) -> NDArray[np.float64]:
    vector = np.zeros(length)
    vector[index] = 1
    return vector


def _level_starts(schema: Schema) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(schema.sizes)[:-1]]).astype(np.int64)


def _attribute_distances(left: _Marginals, right: _Marginals, schema: Schema) -> NDArray[np.float64]:
    """Total variation distance of every pair of attributes; on the diagonal, of single attributes."""
    starts = _level_starts(schema)
    absolute = np.abs(left.levels - right.levels)
    return 0.5 * np.add.reduceat(np.add.reduceat(absolute, starts, axis=0), starts, axis=1)


def _pairs(schema: Schema) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Index all pairs of bits of two attributes."""
    first, second = np.triu_indices(schema.layout.n_bits, 1)
    attribute = schema.layout.attribute_of_bit
    distinct = attribute[first] != attribute[second]
    return first[distinct], second[distinct]


# ---- names


def _level_names(schema: Schema) -> list[list[str]]:
    """Name every level of every attribute, as people read it."""
    return [_names_of(attribute) for attribute in schema.attributes]


def _names_of(attribute: Attribute) -> list[str]:
    if isinstance(attribute, Numeric) and attribute.kind == "int":
        pairs = zip(*(bound.tolist() for bound in attribute.integer_bounds()))
        names = [f"{first}" if first == last else f"{first} to {last}" for first, last in pairs]
    elif isinstance(attribute, Numeric):
        edges = [_edge(attribute, edge) for edge in attribute.edges.tolist()]
        last = len(edges) - 2
        names = [f"[{a}, {b}{']' if i == last else ')'}" for i, (a, b) in enumerate(pairwise(edges))]
    else:
        names = [str(level) for level in attribute.levels]
    return [*names, "missing"] if attribute.missing else names


def _edge(attribute: Numeric, edge: float) -> str:
    if attribute.kind == "date":
        return str(np.datetime64(int(edge), "D"))
    if attribute.kind == "datetime":
        return str(np.datetime64(int(edge), "us").astype("datetime64[s]")).replace("T", " ")
    return f"{edge:.10g}"


def _bit_names(schema: Schema, names: list[list[str]]) -> list[str]:
    """Name every bit: "job = nurse"."""
    return [
        f"{attribute.name} = {level}"
        for attribute, levels in zip(schema.attributes, names)
        for level in (levels[1:] if len(levels) == 2 else levels)
    ]


# ---- the parts of the page


def _banner(word: str) -> str:
    return (
        '<p class="banner"><strong>Not private.</strong> This page was made from the true table and holds '
        "exact statistics of it. It is for those who may see the true table, and must not be published with "
        f"the {word} one.</p>"
    )


def _overview(
    left: _Marginals, right: _Marginals, schema: Schema, errors: Sequence[MarginalError], word: str
) -> str:
    distances = _attribute_distances(left, right, schema)
    off = distances[np.triu_indices(len(schema), 1)]
    figures = [
        ("true records", f"{left.n_records:,}"),
        (f"{word} records", f"{right.n_records:,}"),
        ("attributes", f"{len(schema):,}"),
        ("bits", f"{schema.layout.n_bits:,}"),
        *((f"RMS error, {error.degree}-way", _number(error.rms)) for error in errors),
    ]
    if off.size:
        figures.append(("total variation, pairs of attributes", _number(float(off.mean()))))
    cells = "".join(f"<div><b>{value}</b><span>{name}</span></div>" for name, value in figures)
    return f'<section class="figures">{cells}</section>'


def _guarantee(release: CovLossSynthesizer) -> str:
    ledger = release.ledger_
    epsilon, delta = ledger.epsilon, ledger.delta
    unit = {
        "add_or_remove_one": "whether any one record is in the table or not",
        "replace_one": "whatever any one record of the table says (the number of records is public)",
    }[ledger.neighbours]
    failure = f", except for a probability of at most {delta:g}" if delta else ""
    if ledger.is_private:
        promise = (
            f"<p>What was released is ({epsilon:g}, {delta:g})-differentially private: {unit}, the "
            f"probability of any outcome changes by a factor of at most e<sup>{epsilon:g}</sup> = "
            f"{_factor(epsilon)}{failure}. That holds against anyone, whatever they know and however they "
            "compute. It holds for the synthetic table and for the release file; it does not hold for this "
            "page.</p>"
        )
    else:
        promise = (
            '<p class="banner"><strong>The release is not private either.</strong> Its noise was derived '
            "from a seed, so whoever guesses the seed can take it off. The ledger below promises nothing.</p>"
        )
    parts = [
        "<h2>What was released, and what it cost</h2>",
        promise,
        *(_ledger_section(section) for section in ledger.sections()),
    ]
    if release.certificate_:
        parts.append(
            "<p>Measured privately, so that it may be published with the synthetic table:</p>"
            f"<pre>{_escape(_lines(release.certificate_))}</pre>"
        )
    return f"<section>{''.join(parts)}</section>"


def _ledger_section(section: LedgerSection) -> str:
    """A table of mechanisms that falls apart into a list of them where the page is narrow."""
    text = f"<pre>{_escape(chr(10).join(' '.join(line.split()) for line in section.lines))}</pre>"
    if not section.rows:
        return text
    head = "".join(f"<th>{name}</th>" for name in section.head)
    rows = "".join(
        "<tr>"
        + "".join(
            f'<td data-name="{name}">{_escape(cell)}</td>' if cell else "<td></td>"
            for name, cell in zip(section.head, row)
        )
        + "</tr>"
        for row in section.rows
    )
    return f'{text}<table class="ledger"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'


def _anonymity(certificate: AnonymityCertificate) -> str:
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
    rows = [
        ["relative trace loss (SSE/SST)", f"{100 * c.relative_trace_loss:.2f} %"],
        ["trace of the lost covariance", f"{_number(c.trace_loss)} of {_number(c.total_trace)}"],
        [
            "Frobenius norm of the lost covariance",
            f"{_number(c.covariance_loss)} of {_number(c.total_covariance)}",
        ],
        [f"bound of Theorem 1.2 on that norm{vacuous}", _number(c.bound)],
    ]
    parts.append(_table(["loss", "value"], rows))
    if c.marginals:
        rows = [
            [
                f"{each.degree}",
                _number(each.block_means.rms),
                _number(each.published.rms),
                _number(each.published.max),
                f"{each.published.n_marginals:,}",
            ]
            for each in c.marginals
        ]
        head = ["degree", "RMS error of block means", "RMS error as published", "largest", "marginals"]
        parts.append(_table(head, rows))
    rows = [
        [_escape(name), _escape(c.release[name]), f"{100 * loss:.2f} %"]
        for name, loss in c.attribute_loss.items()
    ]
    parts.append(_table(["attribute", "released as", "lost scatter"], rows))
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
        parts.append(_table(["risk", "value"], rows))
    return f"<section>{''.join(parts)}</section>"


def _risk_rows(risk: DisclosureRisk) -> list[list[str]]:
    error = f" &plusmn; {100 * risk.standard_error:.2g}" if risk.standard_error else ""
    rows = [
        ["quasi-identifying columns", _escape(", ".join(risk.quasi_identifiers))],
        [
            f"linked to their own row by distance, of {risk.n_compared:,} records compared",
            f"{100 * risk.linked_to_record:.2f}{error} %",
        ],
        ["linked to their own group", f"{100 * risk.linked_to_group:.2f} %"],
        ["unique true records", f"{100 * risk.unique_original:.2f} %"],
        ["unique released records", f"{100 * risk.unique_released:.2f} %"],
    ]
    if risk.entropy_diversity is not None and risk.homogeneous is not None:
        name = _escape(risk.sensitive)
        rows += [
            [f"fewest distinct true values of {name} in a group", f"{risk.diversity:,}"],
            ["entropy l-diversity", f"{risk.entropy_diversity:.3g}"],
            [f"records in groups with one true value of {name}", f"{100 * risk.homogeneous:.2f} %"],
        ]
    return rows


def _factor(epsilon: float) -> str:
    return f"{math.exp(epsilon):.3g}" if epsilon < 700 else "more than 10^300"


def _lines(values: Iterable[object]) -> str:
    return "\n".join(str(value) for value in values)


def _errors_section(
    errors: Sequence[MarginalError], left: _Marginals, right: _Marginals, schema: Schema
) -> str:
    first, second = _pairs(schema)
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
            _number(error.rms)
            + (f" &plusmn; {_number(error.standard_error)}" if error.standard_error else ""),
            _number(error.max),
            f"{error.n_marginals:,}",
            _number(resampled.get(error.degree)),
            _number(independent.get(error.degree)),
        ]
        for error in errors
    ]
    head = ["degree", "RMS error", "largest error", "marginals", "rows drawn again", "independent columns"]
    return (
        "<section><h2>Error against degree</h2>"
        "<p>A d-way marginal is the fraction of records in which d given bits, of d attributes, all equal 1. "
        "The last two columns give the RMS error of two tables for comparison: records of the true table "
        "drawn again at random (not private), and columns with the true 1-way marginals that know nothing of "
        "each other.</p>"
        + _table(head, rows)
        + _picture(_error_figure(errors), "Error against degree")
        + "</section>"
    )


def _scatter_section(left: _Marginals, right: _Marginals, schema: Schema, word: str) -> str:
    first, second = _pairs(schema)
    parts = [
        f"<section><h2>Marginals, true against {word}</h2>",
        "<p>On the line, a marginal is the same in both tables.</p>",
        _picture(
            _scatter_figure(
                (left.one_way, right.one_way),
                (left.two_way[first, second], right.two_way[first, second]),
                word=word,
            ),
            f"Marginals, true against {word}",
        ),
    ]
    if 1 < len(schema) <= _MAX_MAP:
        distances = _attribute_distances(left, right, schema)
        parts += [
            "<h3>Where the error is</h3>",
            "<p>Total variation distance between the two tables for each pair of attributes (for single "
            "attributes on the diagonal): the fraction of records that would have to change.</p>",
            _picture(_map_figure(distances, list(schema.names)), "Total variation of pairs of attributes"),
        ]
    return "".join([*parts, "</section>"])


def _worst_section(
    left: _Marginals, right: _Marginals, schema: Schema, names: list[list[str]], word: str
) -> str:
    bits = _bit_names(schema, names)
    first, second = _pairs(schema)
    single = [(bits[i], left.one_way[i], right.one_way[i]) for i in _largest(left.one_way - right.one_way)]
    a, b = left.two_way[first, second], right.two_way[first, second]
    double = [(f"{bits[first[i]]} and {bits[second[i]]}", a[i], b[i]) for i in _largest(a - b)]
    parts = ["<section><h2>The worst marginals</h2>"]
    for title, found in (("1-way", single), ("2-way", double)):
        if found:
            rows = [
                [_escape(name), _percent(x), _percent(y), f"{100 * (y - x):+.2f}"] for name, x, y in found
            ]
            head = [f"{title} marginal", "true %", f"{word} %", "difference"]
            parts.append(_table(head, rows))
    return "".join([*parts, "</section>"])


def _largest(difference: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.argsort(-np.abs(difference), kind="stable")[:_N_WORST]


def _attributes_section(
    left: _Marginals, right: _Marginals, schema: Schema, names: list[list[str]], word: str
) -> str:
    distances = np.diag(_attribute_distances(left, right, schema))
    one_way = [np.diag(side.levels) for side in (left, right)]
    parts = [
        "<section><h2>Attribute by attribute</h2>",
        f'<p><span class="key" style="background:{_TRUE}"></span> true '
        f'<span class="key" style="background:{_SYNTHETIC}"></span> {word}, per cent of records</p>',
    ]
    for attribute, start, levels, distance in zip(schema.attributes, _level_starts(schema), names, distances):
        values = [side[start : start + len(levels)] for side in one_way]
        scale = max(float(np.max(values)), 1e-12)
        rows = "".join(
            f"<tr><th>{_escape(level)}</th><td>{_bar(x / scale, _TRUE)}{_bar(y / scale, _SYNTHETIC)}</td>"
            f"<td>{_percent(x)}<br>{_percent(y)}</td></tr>"
            for level, x, y in zip(levels, *values)
        )
        parts.append(
            f"<details><summary>{_escape(attribute.name)} <small>{len(levels)} levels, total variation "
            f"{_number(float(distance))}</small></summary>"
            f'<table class="bars">{rows}</table></details>'
        )
    return "".join([*parts, "</section>"])


def _bar(fraction: float, colour: str) -> str:
    return f'<div style="width:{100 * fraction:.2f}%;background:{colour}"></div>'


# ---- pictures


def _figure(width: float, height: float) -> Figure:
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise ImportError(
            f"the report draws with {error.name}, which is not installed: pip install 'covloss-fast[report]'"
        ) from None
    return Figure(figsize=(width, height), layout="constrained")


def _picture(figure: Figure, alternative: str) -> str:
    """Turn a figure into inline SVG; letters stay letters."""
    import matplotlib

    buffer = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": alternative}):
        figure.savefig(buffer, format="svg", metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    svg = buffer.getvalue()
    return f'<figure role="img" aria-label="{_escape(alternative)}">{svg[svg.index("<svg") :]}</figure>'


def _error_figure(errors: Sequence[MarginalError]) -> Figure:
    figure = _figure(6, 2.6)
    axes = figure.add_subplot()
    degrees = [error.degree for error in errors]
    axes.plot(degrees, [error.max for error in errors], "s:", color="#888888", label="largest")
    axes.errorbar(
        degrees,
        [error.rms for error in errors],
        yerr=[1.96 * error.standard_error for error in errors],
        fmt="o-",
        color=_SYNTHETIC,
        label="RMS",
    )
    if all(error.rms > 0 for error in errors):
        axes.set_yscale("log")
    axes.set_xticks(degrees)
    axes.set_xlabel("degree of the marginal")
    axes.set_ylabel("error")
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def _scatter_figure(*degrees: tuple[NDArray[np.float64], NDArray[np.float64]], word: str) -> Figure:
    shown = [pair for pair in degrees if pair[0].size]
    figure = _figure(4.2 * len(shown), 4.5)
    for place, (true, synthetic) in enumerate(shown, start=1):
        axes = figure.add_subplot(1, len(shown), place)
        top = 1.02 * max(float(true.max()), float(synthetic.max()), 1e-9)
        if true.size <= _MAX_POINTS:
            axes.scatter(true, synthetic, s=9, color=_TRUE, alpha=0.5, linewidths=0)
        else:
            axes.hexbin(
                true, synthetic, gridsize=70, extent=(0, top, 0, top), bins="log", mincnt=1, cmap="viridis"
            )
        axes.plot([0, top], [0, top], color="#444444", linewidth=0.7)
        axes.set_xlim(0, top)
        axes.set_ylim(0, top)
        axes.set_aspect("equal")
        axes.set_title(f"{place}-way ({true.size:,})", fontsize=10)
        axes.set_xlabel("true")
        axes.set_ylabel(word)
    return figure


def _map_figure(distances: NDArray[np.float64], names: list[str]) -> Figure:
    side = 2.5 + 0.24 * len(names)
    figure = _figure(side + 0.8, side)
    axes = figure.add_subplot()
    mesh = axes.pcolormesh(distances, cmap="magma_r", vmin=0, edgecolors="white", linewidth=0.4)
    axes.invert_yaxis()
    axes.set_aspect("equal")
    short = [name if len(name) <= 24 else name[:23] + "\u2026" for name in names]
    ticks = np.arange(len(names)) + 0.5
    # parse_math: a name may contain dollar signs.
    axes.set_xticks(ticks, short, rotation=90, fontsize=8, parse_math=False)
    axes.set_yticks(ticks, short, fontsize=8, parse_math=False)
    axes.tick_params(length=0)
    figure.colorbar(mesh, ax=axes, shrink=0.7)
    return figure


# ---- HTML


def _escape(text: object) -> str:
    return html.escape(str(text))


def _number(value: float | None) -> str:
    return "&ndash;" if value is None else f"{value:.3g}"


def _percent(value: float) -> str:
    return f"{100 * value:.2f}"


def _rms(values: NDArray[np.float64]) -> float | None:
    return float(np.sqrt(np.mean(np.square(values)))) if values.size else None


def _binomial_rms(fractions: NDArray[np.float64], n_records: int) -> float | None:
    return _rms(np.sqrt(np.clip(fractions * (1 - fractions), 0, None) / n_records))


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    top = "".join(f"<th>{name}</th>" for name in head)
    lines = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{top}</tr></thead><tbody>{lines}</tbody></table></div>'


_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;color:#222;margin:0 auto;max-width:60rem;padding:1rem}
h1{font-size:1.6rem;line-height:1.2}h2{font-size:1.25rem;margin-top:2.2rem}
.banner{background:#fff3d6;border-left:.4rem solid #c77700;padding:.7rem 1rem}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(9rem,1fr));gap:.6rem}
.figures div{background:#f3f5f8;padding:.6rem;border-radius:.3rem}
.figures b{display:block;font-size:1.2rem}.figures span{font-size:.8rem;color:#555}
pre{background:#f3f5f8;padding:.8rem;font-size:.8rem;white-space:pre-wrap;overflow-wrap:anywhere}
.wide{overflow-x:auto;margin-bottom:1.2rem}table{border-collapse:collapse;width:100%;font-size:.85rem}
td,th{padding:.25rem .5rem;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}
td:not(:first-child),thead th:not(:first-child){text-align:right}
figure{margin:1rem 0}svg{max-width:100%;height:auto}
details{border-bottom:1px solid #ddd;padding:.3rem 0}summary{cursor:pointer}small{color:#666}
.bars td{border:0;text-align:left}.bars td:nth-child(2){width:60%}.bars td:last-child{text-align:right}
.bars th{font-weight:normal;border:0;width:25%;overflow-wrap:anywhere}
.bars div{height:.55rem;margin:.12rem 0;min-width:1px}
.ledger{margin-bottom:1.2rem}.ledger td:first-child{overflow-wrap:anywhere}
@media (max-width:42rem){
.ledger thead{display:none}.ledger tr{display:block;padding:.4rem 0;border-bottom:1px solid #ddd}
.ledger td:empty{display:none}
.ledger td{display:inline-block;border:0;padding:0;margin-right:.9rem}
.ledger td::before{content:attr(data-name);color:#666;margin-right:.3rem}
.ledger td:first-child{display:block;font-weight:bold}.ledger td:first-child::before{content:none}}
.key{display:inline-block;width:.8rem;height:.8rem;margin-left:.6rem}
footer{color:#666;font-size:.8rem;margin-top:2rem}
@media print{body{max-width:none}section,figure{break-inside:avoid-page}}
"""


def _page(title: str, body: Iterable[str]) -> str:
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{_escape(title)}</title><style>{_STYLE}</style></head>\n<body>\n"
        + "\n".join(body)
        + f"\n<footer>covloss_fast {_escape(__version__)}. Not private.</footer>\n</body></html>\n"
    )
