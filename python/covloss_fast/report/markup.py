"""The HTML of a page: numbers, tables and pictures as text.

A table falls apart into one card for each row where the page is narrow: nothing is cut off on a phone.
"""

from __future__ import annotations

import html
import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from covloss_fast._config import __version__

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def escape(text: object) -> str:
    """Return text that HTML shows as it is."""
    return html.escape(str(text))


def number(value: float | None) -> str:
    """Return a number to three digits, or a dash."""
    return "&ndash;" if value is None else f"{value:.3g}"


def percent(value: float) -> str:
    """Return a fraction as per cent, to two places."""
    return f"{100 * value:.2f}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of cells that are HTML already."""
    top = "".join(f"<th>{name}</th>" for name in head)
    lines = "".join(
        "<tr>"
        + "".join(
            f'<td data-name="{name}">{cell}</td>' if cell else "<td></td>" for name, cell in zip(head, row)
        )
        + "</tr>"
        for row in rows
    )
    return f'<table class="cards"><thead><tr>{top}</tr></thead><tbody>{lines}</tbody></table>'


def picture(axes: Axes, alternative: str) -> str:
    """Turn a figure into inline SVG; letters stay letters."""
    import matplotlib
    from matplotlib.figure import Figure

    figure, buffer = axes.figure, io.StringIO()
    assert isinstance(figure, Figure)
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": alternative}):
        figure.savefig(buffer, format="svg", metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    svg = buffer.getvalue()
    return f'<figure role="img" aria-label="{escape(alternative)}">{svg[svg.index("<svg") :]}</figure>'


def pictures(drawn: Iterable[str]) -> str:
    """Return pictures side by side, as far as the page is wide."""
    return f'<div class="pictures">{"".join(drawn)}</div>'


_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;color:#222;margin:0 auto;max-width:60rem;padding:1rem;
overflow-wrap:anywhere}
h1{font-size:1.6rem;line-height:1.2}h2{font-size:1.25rem;margin-top:2.2rem}
.banner{background:#fff3d6;border-left:.4rem solid #c77700;padding:.7rem 1rem}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(9rem,1fr));gap:.6rem}
.figures div{background:#f3f5f8;padding:.6rem;border-radius:.3rem}
.figures b{display:block;font-size:1.2rem}.figures span{font-size:.8rem;color:#555}
pre{background:#f3f5f8;padding:.8rem;font-size:.8rem;white-space:pre-wrap}
table{border-collapse:collapse;width:100%;font-size:.85rem;margin-bottom:1.2rem}
td,th{padding:.25rem .5rem;border-bottom:1px solid #ddd;text-align:left;vertical-align:top;
overflow-wrap:break-word}
td:first-child{overflow-wrap:anywhere}
td:not(:first-child),thead th:not(:first-child){text-align:right}
figure{margin:1rem 0}svg{max-width:100%;height:auto}
.pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(22rem,100%),1fr));gap:0 1rem}
.pictures svg{width:100%}
details{border-bottom:1px solid #ddd;padding:.3rem 0}summary{cursor:pointer}small{color:#666}
.bars{table-layout:fixed}.bars td{border:0;text-align:left}.bars td:last-child{text-align:right;width:6.5rem}
.bars th{font-weight:normal;border:0;width:30%;overflow-wrap:anywhere}
.bars div{height:.55rem;margin:.12rem 0;min-width:1px}
.key{display:inline-block;width:.8rem;height:.8rem;margin-left:.6rem}
footer{color:#666;font-size:.8rem;margin-top:2rem}
@media (max-width:42rem){
.cards,.cards tbody{display:block}.cards thead{display:none}
.cards tr{display:block;padding:.4rem 0;border-bottom:1px solid #ddd}
.cards td:empty{display:none}
.cards td{display:inline-block;border:0;padding:0;margin-right:.9rem;text-align:left}
.cards td::before{content:attr(data-name);color:#666;margin-right:.3rem}
.cards td:first-child{display:block;font-weight:bold}}
@media print{
body{max-width:none;padding:0;font-size:11pt;-webkit-print-color-adjust:exact;print-color-adjust:exact}
h2{break-after:avoid}tr,figure,.figures div,pre{break-inside:avoid}details:not([open])>.bars{display:table}
details::details-content{content-visibility:visible;height:auto}.bars{line-height:1.15}}
"""


def page(title: str, body: Iterable[str], foot: str) -> str:
    """Return a whole page."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>\n<body>\n"
        + "\n".join(body)
        + f"\n<footer>covloss_fast {escape(__version__)}. {escape(foot)}</footer>\n</body></html>\n"
    )
