"""Pictures of tables and releases, as matplotlib axes.

Each function draws on the axes that it is given, or on new ones, and returns them. What is drawn from a true
table is **not private**; what is drawn from a synthetic table, a certificate or a release alone is as private
as these are. matplotlib is imported when something is drawn (``pip install 'covloss-fast[report]'``).

Examples
--------
>>> import covloss_fast as cf
>>> ax = cf.plots.block_sizes([10, 10, 11, 14])
>>> ax.figure.savefig("blocks.png")
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from covloss_fast.metrics import MarginalError
from covloss_fast.plots.comparison import (
    Marginals,
    association,
    attribute_distances,
    count_marginals,
    pairs_of_bits,
)
from covloss_fast.privacy.certificate import Certificate
from covloss_fast.schema import Schema

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

__all__ = [
    "association_difference",
    "association_map",
    "block_sizes",
    "distance_map",
    "error_by_degree",
    "marginal_scatter",
    "new_axes",
]

TRUE_COLOUR, SYNTHETIC_COLOUR = "#3b6ea5", "#d1752c"
#: Pairs drawn as single points; more are drawn as a density.
_MAX_POINTS = 3_000


def new_axes(width: float = 5.0, height: float = 4.0) -> Axes:
    """Return axes of a new figure that no window shows.

    Parameters
    ----------
    width, height : float
        Size in inches.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ImportError
        If matplotlib is not installed.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> ax = cf.plots.new_axes(3, 2)
    >>> ax.figure.savefig("figure.png")
    """
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise ImportError(
            f"pictures need {error.name}, which is not installed: pip install 'covloss-fast[report]'"
        ) from None
    return Figure(figsize=(width, height), layout="constrained").add_subplot()


def _marginals(table: Any, schema: Schema, n_threads: int | None) -> Marginals:
    return table if isinstance(table, Marginals) else count_marginals(table, schema, n_threads)


def marginal_scatter(
    true: Any,
    synthetic: Any,
    schema: Schema,
    degree: int = 2,
    *,
    word: str = "synthetic",
    ax: Axes | None = None,
    n_threads: int | None = None,
) -> Axes:
    """Draw the marginals of two tables against each other: on the line they are the same.

    Parameters
    ----------
    true, synthetic : table, path or Marginals
        Anything that ``fit`` takes, both with the columns of `schema`.
    schema : Schema
        The columns, and their levels.
    degree : {1, 2}
        Marginals of single bits, or of all pairs of bits of two attributes.
    word : str
        What the second table is called.
    ax : Axes, optional
        Where to draw.
    n_threads : int or None
        Threads to count with; None for all that this process may use.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        If a table does not obey the schema or has no records, or the degree is another one.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> schema = cf.Schema([cf.Binary("smoker"), cf.Binary("coughs")])
    >>> true = {"smoker": [True, True, False, False], "coughs": [True, True, True, False]}
    >>> other = {"smoker": [True, True, False, False], "coughs": [True, False, True, False]}
    >>> ax = cf.plots.marginal_scatter(true, other, schema, degree=1)
    >>> ax.get_title()
    '1-way (2)'
    """
    if degree not in (1, 2):
        raise ValueError(f"degree must be 1 or 2, got {degree!r}")
    left, right = (_marginals(table, schema, n_threads) for table in (true, synthetic))
    if degree == 1:
        x, y = left.one_way, right.one_way
    else:
        first, second = pairs_of_bits(schema)
        x, y = left.two_way[first, second], right.two_way[first, second]
    ax = ax if ax is not None else new_axes(4.2, 4.4)
    top = 1.02 * max(float(x.max(initial=0.0)), float(y.max(initial=0.0)), 1e-9)
    if x.size <= _MAX_POINTS:
        ax.scatter(x, y, s=9, color=TRUE_COLOUR, alpha=0.5, linewidths=0)
    else:
        ax.hexbin(x, y, gridsize=70, extent=(0, top, 0, top), bins="log", mincnt=1, cmap="viridis")
    ax.plot([0, top], [0, top], color="#444444", linewidth=0.7)
    ax.set_xlim(0, top)
    ax.set_ylim(0, top)
    ax.set_aspect("equal")
    ax.set_title(f"{degree}-way ({x.size:,})", fontsize=10)
    ax.set_xlabel("true")
    ax.set_ylabel(word)
    return ax


def association_map(
    table: Any, schema: Schema, *, title: str = "", ax: Axes | None = None, n_threads: int | None = None
) -> Axes:
    """Draw Cramer's V of every pair of attributes of one table: 0 if independent, 1 if determined.

    Parameters
    ----------
    table : table, path or Marginals
        Anything that ``fit`` takes.
    schema : Schema
        The columns, and their levels.
    title : str
        What stands above the picture.
    ax : Axes, optional
        Where to draw.
    n_threads : int or None
        Threads to count with; None for all that this process may use.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        If the table does not obey the schema or has no records.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> schema = cf.Schema([cf.Binary("smoker"), cf.Binary("coughs")])
    >>> table = {"smoker": [True, True, False, False], "coughs": [True, True, False, False]}
    >>> ax = cf.plots.association_map(table, schema)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['smoker', 'coughs']
    """
    values = association(_marginals(table, schema, n_threads))
    return _map(values, schema.names, title, ax, cmap="magma_r", vmin=0.0, vmax=1.0)


def association_difference(
    true: Any,
    synthetic: Any,
    schema: Schema,
    *,
    title: str = "",
    ax: Axes | None = None,
    n_threads: int | None = None,
) -> Axes:
    """Draw how much Cramer's V of every pair of attributes is larger in the second table.

    Parameters
    ----------
    true, synthetic : table, path or Marginals
        Anything that ``fit`` takes.
    schema : Schema
        The columns, and their levels.
    title : str
        What stands above the picture.
    ax : Axes, optional
        Where to draw.
    n_threads : int or None
        Threads to count with; None for all that this process may use.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        If a table does not obey the schema or has no records.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> schema = cf.Schema([cf.Binary("smoker"), cf.Binary("coughs")])
    >>> table = {"smoker": [True, True, False, False], "coughs": [True, True, False, False]}
    >>> other = {"smoker": [True, True, False, False], "coughs": [True, False, True, False]}
    >>> ax = cf.plots.association_difference(table, other, schema)
    >>> float(ax.collections[0].get_array().min())
    -1.0
    """
    left, right = (association(_marginals(table, schema, n_threads)) for table in (true, synthetic))
    top = max(float(np.abs(right - left).max()), 1e-3)
    return _map(right - left, schema.names, title, ax, cmap="RdBu_r", vmin=-top, vmax=top)


def distance_map(
    true: Any,
    synthetic: Any,
    schema: Schema,
    *,
    title: str = "",
    ax: Axes | None = None,
    n_threads: int | None = None,
) -> Axes:
    """Draw the total variation distance of two tables for every pair of attributes.

    It is the fraction of records that would have to change; on the diagonal, for single attributes.

    Parameters
    ----------
    true, synthetic : table, path or Marginals
        Anything that ``fit`` takes.
    schema : Schema
        The columns, and their levels.
    title : str
        What stands above the picture.
    ax : Axes, optional
        Where to draw.
    n_threads : int or None
        Threads to count with; None for all that this process may use.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        If a table does not obey the schema or has no records.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> schema = cf.Schema([cf.Binary("smoker"), cf.Binary("coughs")])
    >>> table = {"smoker": [True, True, False, False], "coughs": [True, True, False, False]}
    >>> other = {"smoker": [True, True, False, False], "coughs": [True, True, True, False]}
    >>> ax = cf.plots.distance_map(table, other, schema)
    >>> float(ax.collections[0].get_array().max())
    0.25
    """
    left, right = (_marginals(table, schema, n_threads) for table in (true, synthetic))
    return _map(attribute_distances(left, right), schema.names, title, ax, cmap="magma_r", vmin=0.0)


def _map(
    values: NDArray[np.float64], names: Sequence[str], title: str, ax: Axes | None, **options: Any
) -> Axes:
    side = 2.5 + 0.24 * len(names)
    ax = ax if ax is not None else new_axes(side + 0.8, side)
    mesh = ax.pcolormesh(values, edgecolors="white", linewidth=0.4, **options)
    ax.invert_yaxis()
    ax.set_aspect("equal")
    short = [name if len(name) <= 24 else name[:23] + "\u2026" for name in names]
    ticks = np.arange(len(names)) + 0.5
    # parse_math: a name may contain dollar signs.
    ax.set_xticks(ticks, short, rotation=90, fontsize=8, parse_math=False)
    ax.set_yticks(ticks, short, fontsize=8, parse_math=False)
    ax.tick_params(length=0)
    ax.set_title(title, fontsize=10)
    ax.figure.colorbar(mesh, ax=ax, shrink=0.7)
    return ax


def error_by_degree(
    errors: Sequence[MarginalError] = (),
    certificates: Sequence[Certificate] = (),
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw the error of d-way marginals against d: as measured with both tables, and as certified.

    Parameters
    ----------
    errors : sequence of MarginalError
        Of :func:`covloss_fast.marginal_error`: root mean square and largest errors. Not private.
    certificates : sequence of Certificate
        The ``certificate_`` of a release: intervals that hold the root mean square error.
    ax : Axes, optional
        Where to draw.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        If there is nothing to draw.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> true, other = [[0, 1], [1, 1], [0, 0]], [[0, 1], [0, 1], [0, 0]]
    >>> import numpy as np
    >>> errors = [cf.marginal_error(np.array(true), np.array(other), degree=d) for d in (1, 2)]
    >>> ax = cf.plots.error_by_degree(errors)
    >>> ax.get_xlabel()
    'degree of the marginal'
    """
    if not errors and not certificates:
        raise ValueError("there is no error to draw: give errors or certificates")
    ax = ax if ax is not None else new_axes(6, 2.8)
    if errors:
        degrees = [error.degree for error in errors]
        ax.plot(degrees, [error.max for error in errors], "s:", color="#888888", label="largest")
        spread = [1.96 * error.standard_error for error in errors]
        rms = [error.rms for error in errors]
        ax.errorbar(degrees, rms, yerr=spread, fmt="o-", color=SYNTHETIC_COLOUR, label="RMS")
    if certificates:
        degrees = [each.degree for each in certificates]
        high = [each.high for each in certificates]
        low = [0.0 if each.at_most else each.low for each in certificates]
        ax.bar(
            degrees,
            np.subtract(high, low),
            bottom=low,
            width=0.35,
            color=TRUE_COLOUR,
            alpha=0.35,
            label="RMS, certified",
            zorder=0,
        )
    if errors and all(error.rms > 0 for error in errors):
        ax.set_yscale("log")
    ax.set_xticks(sorted({each.degree for each in errors} | {each.degree for each in certificates}))
    ax.set_xlabel("degree of the marginal")
    ax.set_ylabel("error")
    ax.legend(frameon=False)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def block_sizes(sizes: ArrayLike, *, label: str = "records in a block", ax: Axes | None = None) -> Axes:
    """Draw how many blocks have which size.

    Parameters
    ----------
    sizes : array
        Of a :class:`covloss_fast.Microaggregator` its ``block_sizes_`` (not private).
    label : str
        What the sizes are.
    ax : Axes, optional
        Where to draw.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        If there is no block.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> ax = cf.plots.block_sizes([10, 10, 11, 14])
    >>> ax.get_ylabel()
    'blocks'
    """
    values = np.asarray(sizes)
    if values.size == 0:
        raise ValueError("there is no block to draw")
    ax = ax if ax is not None else new_axes(6, 2.4)
    from matplotlib.ticker import MaxNLocator

    lowest, highest = values.min(), values.max()
    whole = np.issubdtype(values.dtype, np.integer)
    if whole and highest - lowest <= 60:
        edges = np.arange(lowest, highest + 2) - 0.5
    else:
        edges = np.linspace(lowest, highest if highest > lowest else lowest + 1, 31)
    ax.hist(values, bins=edges.tolist(), color=TRUE_COLOUR)
    ax.set_xlabel(label)
    ax.set_ylabel("blocks")
    ax.yaxis.set_major_locator(MaxNLocator(integer=True))
    ax.spines[["top", "right"]].set_visible(False)
    return ax
