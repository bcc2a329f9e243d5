"""Tables in Markdown and a picture of what benchmarks/accuracy.py has recorded.

    python benchmarks/error_against_time.py RECORDS [--picture docs/error_against_time.png]

One table for each measure: means over the runs, and their standard deviation where there were several. The
picture has one panel for each table, error against processor time, one mark for each mechanism and epsilon.
"""

from __future__ import annotations

import argparse
import json
import statistics
from pathlib import Path
from typing import Any

MEASURES = {
    "rms2": "RMS, d = 2",
    "rms3": "RMS, d = 3",
    "tv2": "TV, d = 2",
    "tv3": "TV, d = 3",
    "processor_seconds": "processor time, s",
    "peak_mb": "peak memory, MB",
}
# Name, marker and colour; the colours differ in lightness too.
LOOKS = {
    "covloss_fast": ("covloss_fast", "o", "black"),
    "aim": ("AIM, as installed", "^", "#7570b3"),
    "aim-iid": ("AIM, rows i.i.d.", "v", "#7570b3"),
    "mst": ("MST, as installed", "s", "#d95f02"),
    "mst-iid": ("MST, rows i.i.d.", "X", "#1b7837"),
    "independent": ("independent columns", "D", "#8a8a8a"),
    "resampled": ("the table resampled (not private)", "", "black"),
}

Records = list[dict[str, Any]]


def select(records: Records, **wanted: Any) -> Records:
    """The records that have these values."""
    return [record for record in records if all(record[name] == value for name, value in wanted.items())]


def distinct(records: Records, name: str) -> list[Any]:
    """Values in the order in which they first come."""
    return list(dict.fromkeys(record[name] for record in records))


def epsilons_of(records: Records) -> list[float]:
    """From small to large; a resampled table has none."""
    return sorted(value for value in distinct(records, "epsilon") if value is not None)


def digits(value: float, significant: int) -> str:
    """A number with so many significant digits, without the zero before the point."""
    if value == 0:
        return "0"
    rounded = float(f"{value:.{significant - 1}e}")
    decimals = max(0, significant - 1 - int(f"{rounded:e}".split("e")[1]))
    text = f"{rounded:,.{decimals}f}"
    return text[1:] if text.startswith("0.") else text


def cell(runs: Records, measure: str) -> str:
    """Mean and spread of the runs, or that they did not finish."""
    if not runs:
        return ""
    for run in runs:
        if not run["is_finished"]:
            spent = run["budget_used"]
            progress = "" if spent is None else f", {spent:.0%} of the budget spent"
            return f"not finished after {run['processor_seconds']:.0f} s{progress}"
    values = [run[measure] for run in runs]
    mean = digits(statistics.fmean(values), 2)
    return mean if len(values) == 1 else f"{mean} ± {digits(statistics.stdev(values), 1)}"


def markdown(records: Records, measure: str) -> str:
    """One row for each table and epsilon, one column for each mechanism."""
    mechanisms = [name for name in LOOKS if select(records, mechanism=name)]
    lines = [
        f"| {MEASURES[measure]} | epsilon | " + " | ".join(LOOKS[name][0] for name in mechanisms) + " |",
        "|---" * (2 + len(mechanisms)) + "|",
    ]
    for table in distinct(records, "table"):
        here = select(records, table=table)
        for epsilon in epsilons_of(here):
            cells = [
                cell(
                    select(here, mechanism=name, epsilon=None if name == "resampled" else epsilon),
                    measure,
                )
                for name in mechanisms
            ]
            lines.append(f"| {table} | {epsilon:g} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def draw_panel(axes: Any, records: Records, measure: str, sizes: dict[float, float]) -> None:
    """Marks of one table, larger for a larger epsilon, with a line from the least to the largest error."""
    for name, (title, marker, colour) in LOOKS.items():
        mine = select(records, mechanism=name)
        finished = select(mine, is_finished=True)
        if name == "resampled":
            if finished:
                level = statistics.fmean(run[measure] for run in finished)
                axes.axhline(level, color=colour, ls="--", lw=1)
            continue
        for epsilon, size in sizes.items():
            runs = select(finished, epsilon=epsilon)
            if runs:
                seconds = statistics.median(run["processor_seconds"] for run in runs)
                errors = [run[measure] for run in runs]
                axes.plot([seconds] * 2, [min(errors), max(errors)], color=colour, lw=1)
                axes.plot(
                    seconds, statistics.fmean(errors), marker, color=colour, ms=size, mfc="none", mew=1.8
                )
        for run in select(mine, is_finished=False):
            axes.axvline(run["processor_seconds"], color=colour, ls=":", lw=1.5)
            axes.text(
                run["processor_seconds"],
                0.5,
                f"{title.split(',')[0]}, epsilon {run['epsilon']:g}: not finished",
                color=colour,
                fontsize=11,
                rotation=90,
                ha="right",
                va="center",
                transform=axes.get_xaxis_transform(),
            )
    axes.set(xscale="log", yscale="log")
    axes.grid(alpha=0.3)


def draw(records: Records, measure: str, path: Path) -> None:
    """One panel for each table; the legend takes the place of one more."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.lines import Line2D

    tables = distinct(records, "table")
    sizes = {epsilon: 5 + 3.5 * place for place, epsilon in enumerate(epsilons_of(records))}
    n_rows = len(tables) // 2 + 1
    with plt.rc_context({"font.size": 12}):
        figure, grid = plt.subplots(
            n_rows,
            2,
            figsize=(8, 3.4 * n_rows),
            sharex=True,
            sharey=True,
            layout="constrained",
            squeeze=False,
        )
        panels = list(grid.flat)
        for table, axes in zip(tables, panels, strict=False):
            here = select(records, table=table)
            draw_panel(axes, here, measure, sizes)
            n_records, n_attributes = (
                next(run[name] for run in here if run["is_finished"])
                for name in ("n_records", "n_attributes")
            )
            axes.set_title(f"{table}, {n_records:,} x {n_attributes}", fontsize=12)
            axes.tick_params(labelbottom=True, labelleft=True)
            axes.set(xlabel="processor time, s", ylabel=MEASURES[measure])
        for axes in panels[len(tables) :]:
            axes.set_axis_off()
        used = {
            name: look for name, look in LOOKS.items() if select(records, mechanism=name, is_finished=True)
        }
        marks = [
            Line2D(
                [], [], color=colour, marker=marker, ls="" if marker else "--", ms=8.5, mfc="none", mew=1.8
            )
            for _, marker, colour in used.values()
        ]
        names = [title for title, _, _ in used.values()]
        for epsilon, size in sizes.items():
            marks.append(Line2D([], [], color="black", marker="o", ls="", ms=size, mfc="none", mew=1.8))
            names.append(f"epsilon {epsilon:g}")
        panels[len(tables)].legend(marks, names, loc="center left", frameon=False, fontsize=12)
        figure.savefig(path, dpi=110)
        plt.close(figure)


def main() -> None:
    """Print the tables, draw the picture."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("records", type=Path)
    parser.add_argument(
        "--measure", choices=MEASURES, action="append", help="tables to print; all if not given"
    )
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--drawn", choices=list(MEASURES)[:4], default="tv2", help="measure in the picture")
    arguments = parser.parse_args()
    records = [json.loads(line) for line in arguments.records.read_text().splitlines()]
    print("\n\n".join(markdown(records, measure) for measure in arguments.measure or MEASURES))
    if arguments.picture:
        draw(records, arguments.drawn, arguments.picture)


if __name__ == "__main__":
    main()
