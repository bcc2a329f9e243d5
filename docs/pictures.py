"""The pictures of "How it works".

    python docs/pictures.py

All tables in them are generated.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Ellipse, FancyBboxPatch

import covloss_fast as cf

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

FOLDER = Path(__file__).parent
BLUE, ORANGE, GREY, GREEN = "#3b6ea5", "#d1752c", "#8a8f98", "#3f8f5b"


def save(figure: Figure, name: str) -> None:
    figure.savefig(FOLDER / f"{name}.png", dpi=110, metadata={"Software": None})


def ellipse(ax: Axes, points: NDArray[np.float64], colour: str, label: str) -> None:
    """Draw where two standard deviations of points lie."""
    values, vectors = np.linalg.eigh(np.cov(points.T))
    angle = np.degrees(np.arctan2(vectors[1, 1], vectors[0, 1]))
    width, height = 4 * np.sqrt(values[::-1])
    ax.add_patch(
        Ellipse(points.mean(axis=0), width, height, angle=angle, fill=False, color=colour, lw=2, label=label)
    )


def blocks() -> None:
    """Records, their blocks, and the covariance that block means have lost."""
    rng = np.random.default_rng(3)
    records = rng.normal(size=(400, 2)) @ np.array([[1.0, 0.55], [0.0, 0.6]])
    labels = cf.Microaggregator(min_block_size=25).fit(records).labels_
    means = np.array([records[labels == b].mean(axis=0) for b in range(labels.max() + 1)])
    averaged = means[labels]
    figure = Figure(figsize=(11, 3.9), layout="constrained")
    axes = figure.subplots(1, 3, sharex=True, sharey=True)
    axes[0].scatter(*records.T, s=8, color=BLUE)
    axes[0].set_title("400 records")
    axes[1].scatter(*records.T, s=8, c=labels % 10, cmap="tab10", alpha=0.6)
    axes[1].scatter(*means.T, s=90, color="black", marker="x")
    axes[1].set_title(f"{len(means)} blocks of 25 or more, and their means")
    ellipse(axes[2], records, BLUE, "records")
    ellipse(axes[2], averaged, ORANGE, "block means")
    axes[2].scatter(*means.T, s=30, color=ORANGE)
    axes[2].legend(frameon=False, loc="upper left")
    axes[2].set_title("the covariance that averaging lost")
    for ax in axes:
        ax.set_aspect("equal")
        ax.set_xticks([])
        ax.set_yticks([])
    save(figure, "how_blocks")


def loss() -> None:
    """What partitions into more and more blocks lose, and what Theorem 1.2 promises."""
    rng = np.random.default_rng(0)
    p, n = 64, 50_000
    profiles = rng.beta(0.4, 0.6, size=(12, p))
    table = (rng.random((n, p)) < profiles[rng.integers(0, 12, n)]).astype(np.uint8)
    ks = [4, 16, 64, 256, 1024, 4096]
    found = {}
    for name in ("nearest_point", "pinning"):
        lost = []
        for k in ks:
            labels = cf.Microaggregator(n_blocks=k, partition=name).fit(table).labels_
            one = cf.covariance_loss(table, labels)
            lost.append(one.frobenius)
        found[name] = lost
    total = cf.covariance_loss(table, np.zeros(n, dtype=np.int32)).frobenius
    promised = [cf.covariance_loss(table, np.arange(n, dtype=np.int32) % k).bound / total for k in ks]
    ax = cf.plots.new_axes(6.4, 3.6)
    ax.plot(ks, promised, "s--", color=GREY, label="promised by Theorem 1.2")
    ax.axhline(1.0, color="black", lw=0.8)
    ax.text(ks[0], 1.06, "all that there is to lose: one block loses this", fontsize=9)
    for name, colour in (("nearest_point", BLUE), ("pinning", ORANGE)):
        ax.plot(ks, np.divide(found[name], total), "o-", color=colour, label=name.replace("_", " "))
    ax.set_xscale("log", base=2)
    ax.set_yscale("log")
    ax.set_xlabel("number of blocks")
    ax.set_ylabel("part of the covariance lost")
    ticks = [0.3, 0.5, 1, 2, 5]
    ax.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.minorticks_off()
    ax.legend(frameon=False, fontsize=9)
    ax.spines[["top", "right"]].set_visible(False)
    figure = ax.figure
    assert isinstance(figure, Figure)
    save(figure, "how_loss")


def spectrum() -> None:
    """Noise alone has a sharp spectral edge; what stands beyond it is structure."""
    rng = np.random.default_rng(1)
    p, n, sigma = 100, 20_000, 2_500.0
    profiles = rng.beta(0.9, 1.1, size=(6, p))
    structure = n * np.cov((2 * profiles - 1).T, bias=True)
    noise = np.triu(rng.normal(0, sigma, (p, p)))
    noise = noise + np.triu(noise, 1).T
    values = np.linalg.eigvalsh(structure + noise)[::-1] / 1000
    edge = 2 * sigma * np.sqrt(p) / 1000
    ax = cf.plots.new_axes(6.4, 3.4)
    ax.axhspan(-edge, edge, color=GREY, alpha=0.25, label="noise alone stays in here")
    above = values > edge
    order = np.arange(1, p + 1)
    ax.plot(
        order[above], values[above], "o", color=ORANGE, label="structure: kept, shrunk by what noise added"
    )
    ax.plot(order[~above], values[~above], "o", ms=3, color=BLUE, label="hidden by noise")
    ax.set_ylabel("eigenvalue, thousands")
    ax.set_xlabel("eigenvalues of the noisy matrix of all pairs, largest first")
    ax.legend(frameon=False, fontsize=9)
    ax.spines[["top", "right"]].set_visible(False)
    figure = ax.figure
    assert isinstance(figure, Figure)
    save(figure, "how_spectrum")


def rooms() -> None:
    """The way of a table through the wall."""
    figure = Figure(figsize=(11, 2.9), layout="constrained")
    ax = figure.add_subplot()
    parts = [
        (0.0, 1.9, "schema and\nprivate table", BLUE),
        (2.4, 1.9, "exact integer\ncounts", BLUE),
        (4.8, 1.5, "+ discrete\nnoise", "black"),
        (6.8, 1.9, "denoised\ntargets", GREEN),
        (9.2, 1.9, "rows fitted to\nthe targets", GREEN),
    ]
    names = [
        (2.15, "records/\nmay see records", BLUE),
        (5.55, "privacy/\nthe door, the ledger", "black"),
        (8.95, "released/\nsees released values alone", GREEN),
    ]
    for x, text, colour in names:
        ax.text(x, 0.25, text, ha="center", va="center", fontsize=11, color=colour)
    for x, width, text, colour in parts:
        ax.add_patch(
            FancyBboxPatch(
                (x, 0.6),
                width,
                1.0,
                boxstyle="round,pad=0.02,rounding_size=0.12",
                fc="white",
                ec=colour,
                lw=2,
            )
        )
        ax.text(x + width / 2, 1.1, text, ha="center", va="center", fontsize=11)
    for left, right in pairwise(parts):
        ax.annotate(
            "",
            (right[0] - 0.04, 1.1),
            (left[0] + left[1] + 0.04, 1.1),
            arrowprops={"arrowstyle": "-|>", "color": GREY, "lw": 1.6},
        )
    ax.set_xlim(-0.1, 11.2)
    ax.set_ylim(-0.1, 1.75)
    ax.axis("off")
    save(figure, "how_rooms")


def main() -> None:
    """Draw all pictures into the folder of this file."""
    for draw in (rooms, blocks, loss, spectrum):
        draw()


if __name__ == "__main__":
    main()
