"""docs/performance.md and its pictures from what the benchmarks measured.

    python benchmarks/roofline.py roofline.json
    python benchmarks/sweep.py sweep.json
    python benchmarks/sweep.py kernels.json --kernels
    pytest benchmarks --benchmark-json=benchmarks.json      # optional: a table of all of them
    python benchmarks/report.py --roofline roofline.json --sweep sweep.json --kernels kernels.json

The text of docs/performance.md stays; what stands between the marks "<!-- name -->" and "<!-- end -->" is
replaced. Without --docs the pieces go to docs/ of this folder's parent.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

Job = dict[str, Any]
#: Load of the machine beyond which clocks say nothing about two threads.
_IDLE_LOAD = 0.5


def exponent(sizes: list[float], seconds: list[float]) -> float:
    """Slope of the line through logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def shown(seconds: float) -> str:
    """Three digits, in a unit that suits."""
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("us", 1e6)):
        if seconds * factor >= 1 or unit == "us":
            return f"{seconds * factor:.3g} {unit}"
    return ""


def roofline(measured: dict[str, Any]) -> str:
    """Every contestant beside its bound, with two threads against one."""
    is_busy = measured["load"] > _IDLE_LOAD
    rows = []
    for group in measured["groups"]:
        one = {each["name"].partition(",")[0]: each for each in group["entries"] if each["threads"] == 1}
        for each in group["entries"]:
            if is_busy and each["threads"] > 1:
                continue
            share = f"{each['bound'] / each['best']:.0%}" if each["bound"] else ""
            first = one.get(each["name"].partition(",")[0])
            scaling = f"{first['best'] / each['best']:.2f}" if first and each["threads"] == 2 else ""
            times = [shown(each["best"]), shown(each["median"])]
            rows.append([group["title"], each["name"], *times, share, *([] if is_busy else [scaling])])
    rates = {name: values[: 1 if is_busy else 2] for name, values in measured["rates"].items()}

    def each_of(name: str, unit: float) -> str:
        return " and ".join(f"{value / unit:.3g}" for value in rates[name])

    text = (
        f"{measured['rows']:,} rows. {'One thread' if is_busy else 'One thread and two'}: "
        f"{each_of('bytes', 1e9)} GB/s read, {each_of('copied', 1e9)} GB/s copied, "
        f"{each_of('words', 1e9)} billion words/s of AND and population count, "
        f"{each_of('products', 1e9)} billion float32 products and sums/s."
        + (" Other processes ran: two threads were not measured.\n\n" if is_busy else "\n\n")
    )
    head = ["work", "by", "best", "median", "share of its bound", *([] if is_busy else ["one thread / two"])]
    return text + table(head, rows)


def jobs(measured: dict[str, Any]) -> str:
    """Every job of the sweep beside its forecast, and the exponents."""
    rows = []
    for job in sorted(measured["jobs"], key=lambda job: (job["levels"], job["p"], job["n"])):
        forecast, cells = job["forecast"], job["n"] * job["p"]
        kind = "binary" if job["levels"] == 2 else f"{job['levels']} levels"
        stages = job["stages"]
        inner = sum(stages.values())
        rows.append(
            [
                f"{job['n']:,} x {job['p']:,}, {kind}",
                f"{job['processor_seconds']:.2g} s",
                f"{stages['rows'] / inner:.0%}",
                f"{sum(forecast['seconds'].values()) / job['processor_seconds']:.2f}",
                f"{job['peak_bytes'] / 1e6:,.3g} MB",
                f"{job['peak_bytes'] / cells:.2f}",
                f"{forecast['memory'] / job['peak_bytes']:.2f}",
            ]
        )
    head = ["table", "processor time", "of it rows", "forecast", "memory", "bytes a cell", "forecast"]
    return table(head, rows) + "\n" + exponents(measured["jobs"])


def series(found: list[Job], along: str, fixed: str) -> dict[int, list[Job]]:
    """Binary jobs by one size, in the order of the other."""
    out: dict[int, list[Job]] = defaultdict(list)
    for job in sorted(found, key=lambda job: job[along]):
        if job["levels"] == 2:
            out[job[fixed]].append(job)
    return {size: each for size, each in out.items() if len(each) > 1}


def without_rows(job: Job) -> float:
    """Processor seconds of all but the fitting of rows, whose number is capped."""
    stages = job["stages"]
    return float(job["processor_seconds"] * (1 - stages["rows"] / sum(stages.values())))


def exponents(found: list[Job]) -> str:
    """How cost grows with n and with p."""
    lines = []
    for p, each in series(found, "n", "p").items():
        each = [job for job in each if job["n"] >= 100_000]
        if len(each) > 1:
            sizes = [job["n"] for job in each]
            whole = exponent(sizes, [job["processor_seconds"] for job in each])
            rest = exponent(sizes, [without_rows(job) for job in each])
            lines.append(
                f"- p = {p:,}, n from {sizes[0]:,} to {sizes[-1]:,}: n^{whole:.2f}; all but rows n^{rest:.2f}"
            )
    for n, each in series(found, "p", "n").items():
        sizes = [job["p"] for job in each]
        whole = exponent(sizes, [job["processor_seconds"] for job in each])
        lines.append(f"- n = {n:,}, p from {sizes[0]:,} to {sizes[-1]:,}: p^{whole:.2f}")
    return "\n".join(lines) + "\n"


def kernels(measured: dict[str, Any]) -> str:
    """Every kernel: how its cost grows with n and with p, and what a record or a bit of it costs."""
    by_name: dict[str, list[Job]] = defaultdict(list)
    for each in measured["kernels"]:
        by_name[each["kernel"]].append(each)
    rows: list[list[str]] = []
    heads: list[str] = []
    for name, found in by_name.items():
        cells = []
        for along, fixed in (("n", "p"), ("p", "n")):
            size = max({each[fixed] for each in found}, key=lambda size: sum(e[fixed] == size for e in found))
            line = sorted((each for each in found if each[fixed] == size), key=lambda each: each[along])
            sizes, seconds = [each[along] for each in line], [each["seconds"] for each in line]
            cells += [f"{along}^{exponent(sizes, seconds):.2f}", shown(seconds[0]), shown(seconds[-1])]
            heads.append(f"{along} = {sizes[0]:,} to {sizes[-1]:,} at {fixed} = {size:,}")
        rows.append([name, *cells])
    head = ["kernel", "grows as", "first", "last", "grows as", "first", "last"]
    return table(head, rows) + "\n" + "; ".join(heads[:2]) + ".\n"


def picture(measured: dict[str, Any], path: Path) -> None:
    """Processor time against n, and against p, with the forecasts."""
    figure, axes = plt.subplots(1, 2, figsize=(10, 4), constrained_layout=True)
    for axis, along, fixed in ((axes[0], "n", "p"), (axes[1], "p", "n")):
        for size, each in series(measured["jobs"], along, fixed).items():
            sizes = [job[along] for job in each]
            seconds = [job["processor_seconds"] for job in each]
            line = axis.loglog(sizes, seconds, "o-", label=f"{fixed} = {size:,}")[0]
            forecast = [sum(job["forecast"]["seconds"].values()) for job in each]
            axis.loglog(sizes, forecast, ":", color=line.get_color())
        axis.set_xlabel({"n": "records", "p": "attributes"}[along])
        axis.set_ylabel("seconds of one processor")
        axis.grid(alpha=0.3)
        axis.legend(frameon=False, fontsize=8)
    figure.suptitle("One fit, binary attributes; dotted: forecast", fontsize=10)
    figure.savefig(path, dpi=110)
    plt.close(figure)


def benchmarks(measured: dict[str, Any]) -> str:
    """Medians of pytest-benchmark, by group."""
    rows = []
    for each in sorted(
        measured["benchmarks"], key=lambda each: (each["group"] or "", each["stats"]["median"])
    ):
        rows.append([each["group"] or "", each["name"], shown(each["stats"]["median"])])
    return table(["group", "benchmark", "median"], rows)


def put(text: str, name: str, piece: str) -> str:
    """Replace what stands between the marks of a name."""
    pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
    if not pattern.search(text):
        raise SystemExit(f"there is no place for {name}: a line <!-- {name} --> and a line <!-- end -->")
    return pattern.sub(lambda found: found[1] + piece + found[2], text)


def main() -> None:
    """Write what was measured into the docs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--roofline", type=Path)
    parser.add_argument("--sweep", type=Path)
    parser.add_argument("--kernels", type=Path)
    parser.add_argument("--benchmarks", type=Path)
    parser.add_argument("--docs", type=Path, default=Path(__file__).parent.parent / "docs")
    arguments = parser.parse_args()
    page = arguments.docs / "performance.md"
    text = page.read_text()
    if arguments.roofline:
        text = put(text, "roofline", roofline(json.loads(arguments.roofline.read_text())))
    if arguments.sweep:
        measured = json.loads(arguments.sweep.read_text())
        text = put(text, "sweep", jobs(measured))
        picture(measured, arguments.docs / "performance.png")
    if arguments.kernels:
        text = put(text, "kernels", kernels(json.loads(arguments.kernels.read_text())))
    if arguments.benchmarks:
        text = put(text, "benchmarks", benchmarks(json.loads(arguments.benchmarks.read_text())))
    page.write_text(text)


if __name__ == "__main__":
    main()
