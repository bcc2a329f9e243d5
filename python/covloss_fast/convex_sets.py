"""Convex sets that vectors are declared to lie in: what is public about a table of real numbers.

Theorem 5.14 of the paper asks two things of the set K: that its size is known, and that one can go from any
point to the nearest of K. The first bounds what one record can move, the second brings noisy means back
(metric projection, Section 5.5), so that whatever is released lies in K. `UnitBall`, `Box`, `Simplex` and
`Product` know both; `Projection` is told by its caller.

A set is measured in *units*: the radius of a ball, half the width of each side of a box, the edge of a
simplex as it is. Records are rounded to integers of so many steps in a unit, about the centre (the corner 0
for a simplex), and `RowBounds` says how large these can be. Whoever holds a set in his hands knows no record.
"""

from __future__ import annotations

import math
import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from covloss_fast._core import rounding as _core

__all__ = ["Box", "ConvexSet", "Factor", "Product", "Projection", "RowBounds", "Simplex", "UnitBall"]

Float64Array = NDArray[np.float64]

#: Rounded records have a norm of at most 2^20 steps.
_NORM_BITS = 20
_MAX_FEATURES = 100_000
#: How far outside, in units, a record may be for the roundings of those who scaled it.
_TOLERANCE = 1e-9


@dataclass(frozen=True)
class RowBounds:
    """How large integer rows can be, and how far apart: what the sensitivities of vectors are made of.

    Attributes
    ----------
    n_features : int
        Entries of a row.
    largest : int
        No entry is larger in size.
    l1, l2_squared : int
        Bounds of the l1 norm and of the squared l2 norm of a row.
    apart_l1, apart_l2_squared : int
        The same of the difference of two rows.
    """

    n_features: int
    largest: int
    l1: int
    l2_squared: int
    apart_l1: int
    apart_l2_squared: int

    def __add__(self, other: RowBounds) -> RowBounds:
        """Bounds of rows that consist of two parts."""
        return RowBounds(
            self.n_features + other.n_features,
            max(self.largest, other.largest),
            self.l1 + other.l1,
            self.l2_squared + other.l2_squared,
            self.apart_l1 + other.apart_l1,
            self.apart_l2_squared + other.apart_l2_squared,
        )


@dataclass(frozen=True, eq=False)
class Factor:
    """A part of a product of sets, as records are rounded in it.

    Attributes
    ----------
    shape : {"ball", "box", "simplex"}
        What the rounded record is held to: norm at most g; each entry at most g in size; entries of at least
        0 whose sum is at most g, where g is the number of steps in a unit.
    centre, unit : float64 arrays, shape (p,)
        The record x is rounded as (x - centre) / unit.
    """

    shape: Literal["ball", "box", "simplex"]
    centre: Float64Array
    unit: Float64Array

    def bounds(self, resolution: int) -> RowBounds:
        """Bounds of integer rows v of this shape, with g = `resolution`.

        Ball, ||v||_2 <= g: each entry is at most g in size, ||v||_1 <= sqrt(p) ||v||_2 (Cauchy-Schwarz), and
        an integer at most sqrt(p g^2) is at most its integer part; a difference has twice the norm. Box: p
        entries of size g, differences of size 2 g. Simplex, v >= 0: ||v||_2 <= ||v||_1 <= g, and
        ||v - v'||_2^2 <= ||v||_2^2 + ||v'||_2^2 as the product of two rows is not negative.
        """
        p, g = len(self.centre), resolution
        if self.shape == "ball":
            return RowBounds(p, g, math.isqrt(p * g * g), g * g, math.isqrt(4 * p * g * g), 4 * g * g)
        if self.shape == "box":
            return RowBounds(p, g, p * g, p * g * g, 2 * p * g, 4 * p * g * g)
        return RowBounds(p, g, g, g * g, 2 * g, 2 * g * g)


class ConvexSet(ABC):
    """A closed bounded convex set of vectors with `n_features` entries.

    Examples
    --------
    >>> import numpy as np
    >>> import covloss_fast as cf
    >>> ball = cf.UnitBall(2)
    >>> ball.outside(np.array([[3.0, 4.0], [0.6, 0.8]])), ball.n_features, ball.unit
    (array([ True, False]), 2, array([1., 1.]))
    >>> type(ball).from_dict(ball.to_dict()) == ball
    True
    >>> ball.bounds(ball.resolution).n_features  # of records as integer rows
    2
    """

    @property
    @abstractmethod
    def factors(self) -> tuple[Factor, ...]:
        """The set, or one around it, as a product of balls, boxes and simplices."""

    @abstractmethod
    def _nearest(self, rows: Float64Array) -> Float64Array:
        """The nearest points of the set; `rows` is finite, C-ordered, and may be written to."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return the set as plain JSON values, for `from_dict`."""

    @property
    def n_features(self) -> int:
        """Entries of a vector."""
        return sum(len(factor.centre) for factor in self.factors)

    @property
    def centre(self) -> Float64Array:
        """What records are rounded about, shape (n_features,)."""
        return np.concatenate([factor.centre for factor in self.factors])

    @property
    def unit(self) -> Float64Array:
        """The unit of each entry, shape (n_features,)."""
        return np.concatenate([factor.unit for factor in self.factors])

    def project(self, rows: ArrayLike) -> Float64Array:
        """Return the nearest point of the set to each row: the metric projection, which is 1-Lipschitz.

        A row's result depends on that row alone, bit for bit (as long as a caller's own function does), so
        that it may be used on records as a declared rule: "what lies outside counts as the nearest point".

        Parameters
        ----------
        rows : float array, shape (n, n_features)
            Finite.

        Returns
        -------
        float64 array, shape (n, n_features)

        Raises
        ------
        ValueError
            If the shape is another or an entry is not finite.
        """
        values = np.array(rows, dtype=np.float64, order="C")
        if values.ndim != 2 or values.shape[1] != self.n_features:
            raise ValueError(f"rows must have shape (n, {self.n_features}), got {values.shape}")
        if not np.isfinite(values).all():
            raise ValueError(f"row {int(np.argmin(np.isfinite(values).all(axis=1)))} is not finite")
        return self._nearest(values)

    def outside(self, rows: Float64Array) -> NDArray[np.bool_]:
        """Which rows are farther from the set than rounding explains, shape (n,).

        Parameters
        ----------
        rows : float64 array, shape (n, n_features)
            Finite.
        """
        away = np.abs(rows - self._nearest(rows.copy())) / self.unit
        return np.asarray(~(away <= _TOLERANCE).all(axis=1))

    def bounds(self, resolution: int) -> RowBounds:
        """Bounds of records that are rounded to `resolution` steps in a unit."""
        first, *others = (factor.bounds(resolution) for factor in self.factors)
        return sum(others, first)

    @property
    def resolution(self) -> int:
        """Steps in a unit: the largest power of two that keeps rounded records within a norm of 2^20."""
        norm_squared = self.bounds(1).l2_squared
        return int(2 ** (((4**_NORM_BITS // norm_squared).bit_length() - 1) // 2))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ConvexSet) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    @staticmethod
    def from_dict(data: Any) -> ConvexSet:
        """Read what `to_dict` gives.

        Raises
        ------
        ValueError
            If it is not a convex set.
        """
        try:
            kind = data["type"]
            if kind == "unit_ball":
                return UnitBall(data["n_features"])
            if kind == "box":
                return Box(data["lower"], data["upper"])
            if kind == "simplex":
                return Simplex(data["n_features"])
            if kind == "product":
                return Product(*(ConvexSet.from_dict(part) for part in data["parts"]))
            if kind == "projection":
                centre = data["centre"]
                return Projection(_not_kept, len(centre), radius=data["radius"], centre=centre)
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"not a convex set: {type(error).__name__}: {error}") from None
        raise ValueError(f"there is no convex set {kind!r}")


def _not_kept(rows: Float64Array) -> Float64Array:
    raise ValueError("a projection that a caller gave is not kept in files; declare the set again")


class UnitBall(ConvexSet):
    """The vectors of Euclidean norm at most 1.

    Parameters
    ----------
    n_features : int
        Entries of a vector, at least 1.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> cf.UnitBall(2).project([[3.0, 4.0]])
    array([[0.6, 0.8]])
    """

    def __init__(self, n_features: int) -> None:
        self._p = _features(n_features)

    @property
    def factors(self) -> tuple[Factor, ...]:
        """One ball."""
        return (Factor("ball", np.zeros(self._p), np.ones(self._p)),)

    def _nearest(self, rows: Float64Array) -> Float64Array:
        # The result's norm, however it is summed, is off by less than p ulps: kept below 1 by more than that.
        margin = (self._p + 8) * 2.0**-52
        norms = _norms(rows)
        beyond = norms > 1 - margin / 2
        rows[beyond] *= ((1 - margin) / norms[beyond])[:, None]
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Return the set as plain JSON values."""
        return {"type": "unit_ball", "n_features": self._p}

    def __repr__(self) -> str:
        return f"UnitBall({self._p})"


class Box(ConvexSet):
    """The vectors between two others, entry by entry.

    Each entry counts in units of half its width: nothing else is known of how entries compare.

    Parameters
    ----------
    lower, upper : float arrays, shape (n_features,)
        Finite, ``lower < upper`` in every entry.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> box = cf.Box([0.0, 10.0], [1.0, 20.0])
    >>> box.project([[0.5, 25.0]])
    array([[ 0.5, 20. ]])
    >>> box.to_dict()["lower"]
    [0.0, 10.0]
    """

    def __init__(self, lower: ArrayLike, upper: ArrayLike) -> None:
        self.lower, self.upper = _vector("lower", lower), _vector("upper", upper)
        if self.lower.shape != self.upper.shape:
            raise ValueError(f"lower has {len(self.lower)} entries and upper {len(self.upper)}")
        _features(len(self.lower))
        with np.errstate(over="ignore"):
            half = (self.upper - self.lower) / 2
        bad = np.flatnonzero(~((half > 1e-300) & np.isfinite(half)))
        if len(bad):
            raise ValueError(f"entry {bad[0]}: lower must be less than upper, and their difference finite")

    @property
    def factors(self) -> tuple[Factor, ...]:
        """One box."""
        half = (self.upper - self.lower) / 2
        return (Factor("box", self.lower + half, half),)

    def _nearest(self, rows: Float64Array) -> Float64Array:
        return np.clip(rows, self.lower, self.upper, out=rows)

    def to_dict(self) -> dict[str, Any]:
        """Return the set as plain JSON values."""
        return {"type": "box", "lower": self.lower.tolist(), "upper": self.upper.tolist()}

    def __repr__(self) -> str:
        return f"Box(<{len(self.lower)} intervals>)"


class Simplex(ConvexSet):
    """The vectors of entries of at least 0 whose sum is 1: parts of a whole.

    Parameters
    ----------
    n_features : int
        Entries of a vector, at least 1.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> simplex = cf.Simplex(3)
    >>> simplex.project([[2.0, 0.0, 0.0]])
    array([[1., 0., 0.]])
    >>> simplex.to_dict()["n_features"]
    3
    """

    def __init__(self, n_features: int) -> None:
        self._p = _features(n_features)

    @property
    def factors(self) -> tuple[Factor, ...]:
        """One simplex."""
        return (Factor("simplex", np.zeros(self._p), np.ones(self._p)),)

    def _nearest(self, rows: Float64Array) -> Float64Array:
        return _core.project_simplex(rows, 1)

    def to_dict(self) -> dict[str, Any]:
        """Return the set as plain JSON values."""
        return {"type": "simplex", "n_features": self._p}

    def __repr__(self) -> str:
        return f"Simplex({self._p})"


class Product(ConvexSet):
    """The vectors whose parts, one after another, lie in the given sets.

    Parameters
    ----------
    *parts : ConvexSet
        At least one.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> both = cf.Product(cf.Simplex(2), cf.Box([0.0], [9.0]))
    >>> both.project([[1.0, 1.0, 10.0]])
    array([[0.5, 0.5, 9. ]])
    >>> len(both.to_dict()["parts"])
    2
    """

    def __init__(self, *parts: ConvexSet) -> None:
        for position, part in enumerate(parts):
            if not isinstance(part, ConvexSet):
                raise ValueError(f"part {position} of a product is no convex set: {type(part).__name__}")
        _features(sum(part.n_features for part in parts))
        self.parts = parts

    @property
    def factors(self) -> tuple[Factor, ...]:
        """Those of its parts."""
        return tuple(factor for part in self.parts for factor in part.factors)

    def _nearest(self, rows: Float64Array) -> Float64Array:
        first = 0
        for part in self.parts:
            own = slice(first, first + part.n_features)
            rows[:, own] = part._nearest(np.ascontiguousarray(rows[:, own]))
            first = own.stop
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Return the set as plain JSON values."""
        return {"type": "product", "parts": [part.to_dict() for part in self.parts]}

    def __repr__(self) -> str:
        return f"Product({', '.join(map(repr, self.parts))})"


class Projection(ConvexSet):
    """Any convex set inside a ball, by a function that projects onto it.

    The guarantee of privacy rests on the radius alone, to which rounded records are held; the function serves
    to refuse records outside the set, before anything is spent, and to bring released means back into it.

    Parameters
    ----------
    function : callable
        Takes a float64 array of shape (n, n_features) and returns the nearest point of the set to each row,
        in an array of the same shape. It must be 1-Lipschitz for the paper's error bound.
    n_features : int
        Entries of a vector, at least 1.
    radius : float
        No point of the set is farther from the centre. Public: not to be taken from the records.
    centre : float array, shape (n_features,), optional
        0 if left out.

    Examples
    --------
    >>> import numpy as np
    >>> import covloss_fast as cf
    >>> quarter = cf.Projection(lambda rows: np.clip(rows, 0.0, 1.0), 2, radius=1.0, centre=[0.5, 0.5])
    >>> quarter.project([[2.0, 0.5]])
    array([[1. , 0.5]])
    >>> quarter.outside(np.array([[2.0, 0.5], [0.2, 0.5]]))
    array([ True, False])
    >>> quarter.to_dict()["radius"]
    1.0
    """

    def __init__(
        self,
        function: Callable[[Float64Array], Any],
        n_features: int,
        *,
        radius: float,
        centre: ArrayLike | None = None,
    ) -> None:
        p = _features(n_features)
        if not callable(function):
            raise ValueError(f"a projection needs a function, got {type(function).__name__}")
        if isinstance(radius, bool) or not isinstance(radius, int | float | np.number):
            raise ValueError(f"radius must be a positive number, got {radius!r}")
        if not 1e-150 < float(radius) < 1e150:
            raise ValueError(f"radius must be a number from 1e-150 to 1e150, got {radius!r}")
        self.function = function
        self.radius = float(radius)
        self._centre = np.zeros(p) if centre is None else _vector("centre", centre)
        if len(self._centre) != p:
            raise ValueError(f"centre has {len(self._centre)} entries, a vector {p}")

    @property
    def factors(self) -> tuple[Factor, ...]:
        """The ball around the set."""
        return (Factor("ball", self._centre, np.full(len(self._centre), self.radius)),)

    def _nearest(self, rows: Float64Array) -> Float64Array:
        shape = rows.shape
        found = np.array(self.function(rows), dtype=np.float64, order="C")
        if found.shape != shape:
            raise ValueError(f"the projection made an array of shape {found.shape} from one of {shape}")
        if not np.isfinite(found).all():
            raise ValueError("the projection gave a number that is not finite")
        return found

    def outside(self, rows: Float64Array) -> NDArray[np.bool_]:
        """Which rows are outside the set, or farther from the centre than the radius."""
        far = _norms((rows - self._centre) / self.radius) > 1 + _TOLERANCE
        return np.asarray(super().outside(rows) | far)

    def to_dict(self) -> dict[str, Any]:
        """Return what can be told of the set; not its function."""
        return {"type": "projection", "radius": self.radius, "centre": self._centre.tolist()}

    def __repr__(self) -> str:
        return f"Projection({self.function!r}, {len(self._centre)}, radius={self.radius})"


def _norms(rows: Float64Array) -> Float64Array:
    """Euclidean norms, shape (n,), without overflow; column by column, so that each depends on its row."""
    largest = np.abs(rows).max(axis=1, initial=0.0)
    scale = np.where(largest > 0, largest, 1.0)
    total = np.zeros(len(rows))
    for column in rows.T:
        part = column / scale
        total += part * part
    with np.errstate(over="ignore"):
        return np.asarray(scale * np.sqrt(total))


def _features(n_features: Any) -> int:
    try:
        number = 0 if isinstance(n_features, bool) else operator.index(n_features)
    except TypeError:
        number = 0
    if not 1 <= number <= _MAX_FEATURES:
        raise ValueError(f"n_features must be an integer from 1 to {_MAX_FEATURES:,}, got {n_features!r}")
    return number


def _vector(name: str, values: Any) -> Float64Array:
    if isinstance(values, Mapping | str):
        raise ValueError(f"{name} must be a vector of numbers")
    vector = np.array(values, dtype=np.float64)
    if vector.ndim != 1:
        raise ValueError(f"{name} must be a vector, got shape {vector.shape}")
    if not np.isfinite(vector).all():
        raise ValueError(f"entry {int(np.argmin(np.isfinite(vector)))} of {name} is not finite")
    vector.flags.writeable = False
    return vector
