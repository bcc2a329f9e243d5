"""What is public about a table: its attributes, their levels and bounds, and the bits they become.

Everything that is known of a table before a single record is read stands here. Levels and bounds are
declared, never read from private data: a level that shows up in the output because it occurred once in the
input is a leak. The order of the declared levels is the order of the codes; a declared missing level comes
last.

Two layouts follow from a schema and are used everywhere else:

codes
    one small unsigned integer for each record and attribute, in ``[0, size)``;
bits
    an attribute of two levels is one bit (``code == 1``), any other attribute of ``s`` levels is a one-hot
    group of ``s`` bits (:class:`BitLayout`).
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

import numpy as np

from covloss_fast._files import written_whole
from covloss_fast.schema_fields import (
    FORMAT,
    VERSION,
    SchemaError,
    faults_of,
    faults_of_file,
    json_schema,
    suggestion,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Attribute", "Binary", "BitLayout", "Categorical", "Numeric", "OneHot", "Schema"]

Level: TypeAlias = bool | int | float | str
Bound: TypeAlias = int | float | dt.date | dt.datetime
LevelKind: TypeAlias = Literal["bool", "int", "float", "text"]
NumericKind: TypeAlias = Literal["float", "int", "date", "datetime"]

#: Cells of the table of all pairs of bits; beyond it no statistic of pairs fits a machine (8,192 bits: 512
#: MB).
MAX_PAIR_CELLS = 2**26
_MOST_SEARCH_STEPS = 1_000_000
_INT64 = (-(2**63), 2**63 - 1)


@dataclass(frozen=True, eq=False)
class BitLayout:
    """Where each attribute lies among the bits.

    Attributes
    ----------
    sizes : tuple of int
        Number of levels of each attribute.
    offsets : int64 array, shape (q + 1,)
        First bit of each attribute; the last entry is `n_bits`.
    attribute_of_bit : int32 array, shape (n_bits,)
        The attribute that a bit belongs to.
    is_binary : bool array, shape (q,)
        Whether the attribute is a single bit, that is, whether it has two levels.
    n_bits : int
        Number of bits of a record.
    """

    sizes: tuple[int, ...]
    offsets: NDArray[np.int64] = field(init=False, repr=False)
    attribute_of_bit: NDArray[np.int32] = field(init=False, repr=False)
    is_binary: NDArray[np.bool_] = field(init=False, repr=False)
    n_bits: int = field(init=False)

    def __post_init__(self) -> None:
        sizes = tuple(operator.index(size) for size in self.sizes)
        if not sizes or min(sizes) < 1:
            raise ValueError(
                f"a layout needs at least one attribute, each of at least one level, got sizes {sizes}"
            )
        widths = [1 if size == 2 else size for size in sizes]
        n_bits = sum(widths)
        if n_bits * n_bits > MAX_PAIR_CELLS:
            raise ValueError(
                f"{n_bits:,} bits need a pair table of {n_bits**2:,} cells, more than {MAX_PAIR_CELLS:,}"
            )
        offsets = np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
        attribute_of_bit = np.repeat(np.arange(len(sizes), dtype=np.int32), widths)
        is_binary = np.array([size == 2 for size in sizes])
        for array in (offsets, attribute_of_bit, is_binary):
            array.flags.writeable = False
        for name, value in (
            ("sizes", sizes),
            ("offsets", offsets),
            ("attribute_of_bit", attribute_of_bit),
            ("is_binary", is_binary),
            ("n_bits", n_bits),
        ):
            object.__setattr__(self, name, value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BitLayout) and self.sizes == other.sizes

    def __hash__(self) -> int:
        return hash(self.sizes)


def _check_name(name: object) -> str:
    if not isinstance(name, str) or not name or not _is_unicode(name):
        raise ValueError(f"the name of an attribute must be a non-empty string, got {name!r}")
    return str(name)


def _is_unicode(text: str) -> bool:
    """Return whether a text can be written to a file: half of a surrogate pair cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _check_missing(name: str, missing: object) -> None:
    if missing not in (None, "level"):
        raise ValueError(
            f'{name!r}: missing must be None (missing values are errors) or "level", got {missing!r}'
        )


def _python_value(value: Any) -> Any:
    """A numpy scalar as the Python value it stands for."""
    return value.item() if isinstance(value, np.generic) else value


def _check_levels(name: str, levels: Iterable[Any]) -> tuple[tuple[Level, ...], LevelKind]:
    """Levels as plain Python values of one kind."""
    if isinstance(levels, str | bytes | Mapping):
        raise ValueError(f"{name!r}: levels must be a list of values, got {type(levels).__name__}")
    values = [_python_value(value) for value in levels]
    if not values:
        raise ValueError(f"{name!r}: needs at least one level")
    for position, value in enumerate(values):
        if value is None or (isinstance(value, float) and math.isnan(value)):
            raise ValueError(
                f'{name!r}: level {position} is missing; say missing="level" to declare a missing level'
            )
        if not isinstance(value, bool | int | float | str):
            raise ValueError(
                f"{name!r}: level {position} is a {type(value).__name__}; "
                "levels are text, integers, numbers or booleans"
            )
        if isinstance(value, float) and math.isinf(value):
            raise ValueError(f"{name!r}: level {position} is infinite")
        if isinstance(value, str) and not _is_unicode(value):
            raise ValueError(f"{name!r}: level {position} is not Unicode text: half of a surrogate pair")
        if isinstance(value, int) and not _INT64[0] <= value <= _INT64[1]:
            raise ValueError(f"{name!r}: level {position} does not fit 64 bits")
    kinds = {type(value) for value in values}
    kind: LevelKind
    if kinds == {bool}:
        kind = "bool"
    elif kinds == {int}:
        kind = "int"
    elif kinds <= {int, float}:
        kind = "float"
        inexact = next((position for position, value in enumerate(values) if float(value) != value), None)
        if inexact is not None:
            raise ValueError(f"{name!r}: level {inexact} is an integer that no float is equal to")
        values = [float(value) + 0.0 for value in values]  # + 0.0: one zero
    elif all(isinstance(value, str) for value in values):
        kind = "text"
        values = [str(value) for value in values]
    else:
        found = ", ".join(sorted(each.__name__ for each in kinds))
        raise ValueError(f"{name!r}: levels must all be of one kind, got {found}")
    seen: dict[Level, int] = {}
    for position, value in enumerate(values):
        if value in seen:
            raise ValueError(f"{name!r}: levels {seen[value]} and {position} are both {value!r}")
        seen[value] = position
    return tuple(values), kind


@dataclass(frozen=True)
class Categorical:
    """An attribute with declared levels.

    Parameters
    ----------
    name : str
        Name of the column.
    levels : sequence of str, int, float or bool
        All of one kind; their order is the order of the codes. Text is compared byte for byte; numbers by
        value, so that 1.0 in the data is the level 1 and 1.5 is not; booleans also take the exact numbers 0
        and 1.
    ordered : bool
        Whether the order of the levels means something; frames then get an ordered categorical column back.
    missing : None or "level"
        What a missing value (None, NaN, NaT, null, an empty CSV cell) is: an error, or one explicit extra
        level.
    other : level, optional
        A declared level that stands for every undeclared value of the right kind. A number among text levels,
        or text among numbers, is an error all the same.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> job = cf.Categorical("job", ["clerk", "nurse", "other"], other="other", missing="level")
    >>> job.size, job.to_dict()["other"]  # a missing value is one more level
    (4, 'other')
    """

    name: str
    levels: tuple[Level, ...]
    ordered: bool = False
    missing: Literal["level"] | None = None
    other: Level | None = None
    kind: LevelKind = field(init=False, repr=False)

    def __post_init__(self) -> None:
        name = _check_name(self.name)
        levels, kind = _check_levels(name, self.levels)
        _check_missing(name, self.missing)
        other = _python_value(self.other)
        if other is not None and (isinstance(other, bool) != (kind == "bool") or other not in levels):
            raise ValueError(f"{name!r}: other={other!r} is not one of the declared levels")
        object.__setattr__(self, "levels", levels)
        object.__setattr__(self, "kind", kind)
        object.__setattr__(self, "other", None if other is None else levels[levels.index(other)])
        object.__setattr__(self, "ordered", bool(self.ordered))

    @property
    def size(self) -> int:
        """Number of codes, the missing level included."""
        return len(self.levels) + (self.missing is not None)

    @property
    def missing_code(self) -> int | None:
        """Code of a missing value; None if missing values are errors."""
        return len(self.levels) if self.missing else None

    @property
    def level_names(self) -> tuple[Any, ...]:
        """What each code stands for: the declared levels, then None for a missing value."""
        return (*self.levels, None) if self.missing else self.levels

    @property
    def other_code(self) -> int | None:
        """Code of an undeclared value; None if undeclared values are errors."""
        return None if self.other is None else self.levels.index(self.other)

    def __repr__(self) -> str:
        shown = [repr(self.name), repr(list(self.levels[:6]))]
        if len(self.levels) > 6:
            shown[1] = shown[1][:-1] + f", ... {len(self.levels) - 6} more]"
        shown += ["ordered=True"] if self.ordered else []
        shown += ['missing="level"'] if self.missing else []
        shown += [f"other={self.other!r}"] if self.other is not None else []
        return f"{type(self).__name__}({', '.join(shown)})"

    def to_dict(self) -> dict[str, Any]:
        """Return the attribute as plain JSON values."""
        out: dict[str, Any] = {
            "type": type(self).__name__.lower(),
            "name": self.name,
            "levels": list(self.levels),
        }
        if self.ordered:
            out["ordered"] = True
        if self.missing:
            out["missing"] = self.missing
        if self.other is not None:
            out["other"] = self.other
        return out


class Binary(Categorical):
    """An attribute of two levels: one bit.

    Parameters
    ----------
    name : str
        Name of the column.
    levels : pair of levels
        The two spellings; the second is the bit 1. By default False and True, which also takes the exact
        numbers 0 and 1; levels 0 and 1 likewise take booleans. Text such as "yes" must be declared.
    missing : None or "level"
        As for :class:`Categorical`; with a missing level the attribute has three levels.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> smoker = cf.Binary("smoker", levels=("no", "yes"))
    >>> smoker.size, smoker.to_dict()["levels"]
    (2, ['no', 'yes'])
    """

    def __init__(
        self, name: str, levels: Sequence[Any] = (False, True), missing: Literal["level"] | None = None
    ) -> None:
        super().__init__(name, tuple(levels) if not isinstance(levels, str) else (levels,), missing=missing)
        if len(self.levels) != 2:
            raise ValueError(f"{name!r}: a binary attribute has two levels, got {len(self.levels)}")


class OneHot(Categorical):
    """An attribute that a table holds as several columns, of which every record has exactly one set.

    The columns are read together: a record with none set, or with several, is refused. They are written in
    the same way, so that no released record breaks the rule.

    Parameters
    ----------
    name : str
        Name of the attribute; the table has no column of that name.
    columns : sequence of str
        Names of the columns, which are the levels.
    levels : pair of levels
        The two spellings in each column, as for :class:`Binary`; the second one is set.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> region = cf.OneHot("region", columns=["north", "south"])
    >>> schema = cf.Schema([region])
    >>> schema.names, schema.columns
    (('region',), ('north', 'south'))
    >>> region.to_dict()["columns"]
    ['north', 'south']
    """

    def __init__(self, name: str, columns: Sequence[str], levels: Sequence[Any] = (False, True)) -> None:
        if isinstance(columns, str) or not all(isinstance(column, str) and column for column in columns):
            raise ValueError(f"{name!r}: columns must be a list of names of columns")
        super().__init__(name, tuple(columns))
        self.members: tuple[Binary, ...]
        members = tuple(Binary(column, levels) for column in self.columns)
        object.__setattr__(self, "members", members)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(str(level) for level in self.levels)

    @property
    def _is_plain(self) -> bool:
        return self.members[0] == Binary(self.columns[0])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OneHot) and (self.name, self.members) == (other.name, other.members)

    def __hash__(self) -> int:
        return hash((self.name, self.members))

    def __repr__(self) -> str:
        shown = "" if self._is_plain else f", levels={list(self.members[0].levels)!r}"
        return f"OneHot({self.name!r}, columns={list(self.columns)!r}{shown})"

    def to_dict(self) -> dict[str, Any]:
        """Return the attribute as plain JSON values."""
        out: dict[str, Any] = {"type": "one_hot", "name": self.name, "columns": list(self.columns)}
        if not self._is_plain:
            out["levels"] = list(self.members[0].levels)
        return out


def _numeric_kind(name: str, values: Sequence[Any], integer: bool) -> NumericKind:
    """What the bounds are: numbers, dates or datetimes."""
    if all(isinstance(value, dt.datetime) for value in values):
        if len({value.tzinfo is None for value in values}) > 1:
            raise ValueError(f"{name!r}: some bounds have a time zone and some have none")
        return "datetime"
    if all(isinstance(value, dt.date) and not isinstance(value, dt.datetime) for value in values):
        return "date"
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(
                f"{name!r}: bounds must all be numbers, dates or datetimes, got {type(value).__name__}"
            )
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"{name!r}: bounds must be finite, got {value!r}")
        if abs(value) > (2**62 if integer else 5e307):
            raise ValueError(
                f"{name!r}: bounds must lie within +-{'2**62' if integer else '5e307'}, got {value!r}"
            )
    return "int" if integer else "float"


_EPOCH = dt.datetime(1970, 1, 1)
_MICROSECOND = dt.timedelta(microseconds=1)


def _to_ordinal(value: Any, kind: NumericKind) -> int | float:
    """A bound as a number: days (dates) or microseconds (datetimes, in UTC) since 1970."""
    if kind == "date":
        return int(value.toordinal() - _EPOCH.toordinal())
    if kind == "datetime":
        epoch = _EPOCH if value.tzinfo is None else _EPOCH.replace(tzinfo=dt.timezone.utc)
        return int((value - epoch) // _MICROSECOND)
    if isinstance(value, int):
        return value
    return float(value) + 0.0


def _from_ordinal(value: int | float, kind: NumericKind, zone: bool) -> Bound:
    if kind == "date":
        return dt.date.fromordinal(int(value) + _EPOCH.toordinal())
    if kind == "datetime":
        moment = _EPOCH + int(value) * _MICROSECOND
        return moment.replace(tzinfo=dt.timezone.utc) if zone else moment
    return int(value) if kind == "int" and value == int(value) else value


def _plain_number(value: Any) -> Any:
    """Numpy and pandas scalars (datetime64, Timestamp) as plain Python numbers, dates and datetimes."""
    if isinstance(value, np.datetime64):
        unit = np.datetime_data(value.dtype)[0]
        if not np.isnat(value):
            return value.astype("datetime64[D]" if unit in ("Y", "M", "W", "D") else "datetime64[us]").item()
    if isinstance(value, dt.datetime) and hasattr(value, "to_pydatetime"):
        return value.to_pydatetime(warn=False)
    return _python_value(value)


class Numeric:
    """A number, date or datetime, cut into bins between public bounds.

    A bin is ``[a, b)``, the last one is closed. A value outside the bounds counts as the nearest bound: that
    is a rule of the schema, it is not counted and not reported, since such a count would be private.

    Parameters
    ----------
    name : str
        Name of the column.
    lower, upper : number, date or datetime
        Public bounds; needed unless `edges` is given, never taken from the data. Dates bound a column of
        dates or datetimes.
    bins : int
        Number of bins of equal width, 16 by default.
    edges : sequence, optional
        Increasing edges of the bins, instead of `lower`, `upper` and `bins`.
    integer : bool
        Whether the values are integers: a bin is then decoded uniformly over the integers in it, and a fit
        refuses a number that is not whole (measures, which look at masked tables too, take it).
    missing : None or "level"
        As for :class:`Categorical`.

    Attributes
    ----------
    edges : float64 or int64 array, shape (bins + 1,)
        Edges of the bins; whole days since 1970 for dates, microseconds since 1970 (UTC) for datetimes.
    kind : {"float", "int", "date", "datetime"}
        What is decoded.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> age = cf.Numeric("age", lower=0, upper=120, bins=4, integer=True)
    >>> age.size, age.edges.tolist()
    (4, [0.0, 30.0, 60.0, 90.0, 120.0])
    >>> [bound.tolist() for bound in age.integer_bounds()]  # least and largest integer of each bin
    [[0, 30, 60, 90], [29, 59, 89, 120]]
    >>> age.to_dict()["integer"]
    True
    >>> age.clamping
    'age: below 0 as 0, above 120 as 120'
    """

    def __init__(
        self,
        name: str,
        lower: Bound | None = None,
        upper: Bound | None = None,
        bins: int | None = None,
        edges: Iterable[Bound] | None = None,
        integer: bool = False,
        missing: Literal["level"] | None = None,
    ) -> None:
        self.name = _check_name(name)
        _check_missing(name, missing)
        self.missing: Literal["level"] | None = missing
        self.integer = bool(integer)
        if edges is None and (lower is None or upper is None):
            raise ValueError(
                f"{name!r}: a numeric attribute needs public bounds, lower= and upper= (or edges=); "
                "they are never taken from the data"
            )
        bounds = [_plain_number(value) for value in ((lower, upper) if edges is None else edges)]
        self.kind: NumericKind = _numeric_kind(name, bounds, self.integer)
        if integer and self.kind not in ("int", "float"):
            raise ValueError(f"{name!r}: integer=True goes with numbers, the bounds are of kind {self.kind}")
        self._zone = self.kind == "datetime" and bounds[0].tzinfo is not None
        ordinals = [_to_ordinal(value, self.kind) for value in bounds]
        self._explicit = edges is not None
        if edges is None:
            n_bins = 16 if bins is None else _plain_number(bins)
            if isinstance(n_bins, bool) or not isinstance(n_bins, int) or not 1 <= n_bins <= MAX_PAIR_CELLS:
                raise ValueError(
                    f"{name!r}: bins must be an integer from 1 to {MAX_PAIR_CELLS:,}, got {bins!r}"
                )
            if not ordinals[0] < ordinals[1]:
                raise ValueError(f"{name!r}: lower must be below upper, got {lower!r} and {upper!r}")
            self._check_bins(n_bins)
            start, width = Fraction(ordinals[0]), (Fraction(ordinals[1]) - Fraction(ordinals[0])) / n_bins
            exact = [start + width * i for i in range(n_bins + 1)]
            ordinals = [math.ceil(e) for e in exact] if self._is_time else [float(e) for e in exact]
        else:
            if bins is not None and bins != len(ordinals) - 1:
                raise ValueError(f"{name!r}: bins={bins!r}, but the edges make {len(ordinals) - 1}")
            ends = ((lower, 0, "lower"), (upper, -1, "upper"))
            for bound, end, word in ends:
                if bound is not None and _plain_number(bound) != bounds[end]:
                    raise ValueError(f"{name!r}: {word}={bound!r} is not the edge {bounds[end]!r}")
            if len(ordinals) < 2:
                raise ValueError(f"{name!r}: needs at least two edges, got {len(ordinals)}")
            self._check_bins(len(ordinals) - 1)
        for i in range(len(ordinals) - 1):
            if not ordinals[i] < ordinals[i + 1]:
                raise ValueError(
                    f"{name!r}: edges must increase; edges {i} and {i + 1} do not (too many bins?)"
                )
        self.edges: NDArray[Any] = np.array(ordinals, dtype=np.int64 if self._is_time else np.float64)
        self.edges.flags.writeable = False
        if self.kind == "int":
            first, last = self.integer_bounds()
            empty = np.flatnonzero(first > last)
            if empty.size:
                raise ValueError(f"{name!r}: bin {int(empty[0])} holds no integer; use fewer bins")

    def _check_bins(self, n_bins: int) -> None:
        if n_bins * n_bins > MAX_PAIR_CELLS:
            raise ValueError(
                f"{self.name!r}: {n_bins:,} bins need a pair table of {n_bins * n_bins:,} cells, "
                f"more than {MAX_PAIR_CELLS:,}"
            )

    @property
    def _is_time(self) -> bool:
        return self.kind in ("date", "datetime")

    @property
    def n_bins(self) -> int:
        """Number of bins, the missing level not included."""
        return len(self.edges) - 1

    @property
    def size(self) -> int:
        """Number of codes, the missing level included."""
        return self.n_bins + (self.missing is not None)

    @property
    def missing_code(self) -> int | None:
        """Code of a missing value; None if missing values are errors."""
        return self.n_bins if self.missing else None

    @property
    def has_time_zone(self) -> bool:
        """Whether the bounds are moments in a time zone (kept as UTC)."""
        return self._zone

    def integer_bounds(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the first and the last integer of each bin."""
        ceilings = np.ceil(self.edges).astype(np.int64)
        last = ceilings[1:] - 1
        last[-1] = int(np.floor(self.edges[-1]))
        return ceilings[:-1], last

    def to_dict(self) -> dict[str, Any]:
        """Return the attribute as plain JSON values."""

        def plain(value: Any) -> Any:
            bound = _from_ordinal(value.item(), self.kind, self._zone)
            return bound.isoformat() if isinstance(bound, dt.date) else bound

        out: dict[str, Any] = {"type": "numeric", "name": self.name}
        if self._explicit:
            out["edges"] = [plain(edge) for edge in self.edges]
        else:
            out.update(lower=plain(self.edges[0]), upper=plain(self.edges[-1]), bins=self.n_bins)
        if self._is_time:
            out["time"] = self.kind
        if self.integer:
            out["integer"] = True
        if self.missing:
            out["missing"] = self.missing
        return out

    @property
    def level_names(self) -> tuple[Any, ...]:
        """What each code stands for: bins such as "[0, 10)", then None for a missing value."""
        ends = [_from_ordinal(edge.item(), self.kind, self._zone) for edge in self.edges]
        names = [f"[{low}, {high})" for low, high in pairwise(ends)]
        last = names[-1][:-1] + "]"
        return (*names[:-1], last, None) if self.missing else (*names[:-1], last)

    @property
    def clamping(self) -> str:
        """What the bounds do, in words: a rule of the schema, whether or not a value is beyond them."""
        ends = (_from_ordinal(self.edges[end].item(), self.kind, self._zone) for end in (0, -1))
        low, high = (str(end).removesuffix(".0") for end in ends)
        return f"{self.name}: below {low} as {low}, above {high} as {high}"

    def _key(self) -> tuple[Any, ...]:
        return (self.name, self.kind, self._zone, self.missing, self._explicit, tuple(self.edges.tolist()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Numeric) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        ends = [_from_ordinal(self.edges[end].item(), self.kind, self._zone) for end in (0, -1)]
        bins = f"edges=[... {self.n_bins + 1}]" if self._explicit else f"bins={self.n_bins}"
        extra = (", integer=True" if self.integer else "") + (', missing="level"' if self.missing else "")
        return f"Numeric({self.name!r}, lower={ends[0]!r}, upper={ends[1]!r}, {bins}{extra})"


Attribute: TypeAlias = Categorical | Numeric


_MAKERS: dict[str, Callable[..., Attribute]] = {
    "binary": Binary,
    "categorical": Categorical,
    "numeric": Numeric,
    "one_hot": OneHot,
}


def _attribute_from_dict(entry: Mapping[str, Any], position: int) -> Attribute:
    """Make one attribute of a schema file whose fields are in order."""
    fields = dict(entry)
    kind = fields.pop("type")
    time = fields.pop("time", None)
    try:
        if kind == "numeric" and time in ("date", "datetime"):
            read = _time_reader(time)
            for key in ("lower", "upper"):
                if key in fields:
                    fields[key] = read(fields[key])
            if "edges" in fields:
                fields["edges"] = [read(edge) for edge in fields["edges"]]
        elif time is not None:
            raise ValueError(f'"time" must be "date" or "datetime", got {time!r}')
        return _MAKERS[kind](**fields)
    except (TypeError, ValueError) as error:
        name = fields.get("name")
        text = str(error)
        own = isinstance(name, str) and text.startswith(f"{name!r}: ")
        raise ValueError(
            f"attribute {position} ({name!r}): " + (text[len(f"{name!r}: ") :] if own else text)
        ) from None


def _time_reader(time: str) -> Callable[[Any], Any]:
    """What reads a date or time of a file: text in ISO 8601, or one that TOML has read already."""
    kind = dt.date if time == "date" else dt.datetime
    return lambda value: value if isinstance(value, dt.date) else kind.fromisoformat(value)


def _zero_codes(attributes: Sequence[Attribute], zero: Any, position: int) -> tuple[int, int, int, int]:
    """A structural zero as (attribute, code, attribute, code), attributes ascending."""
    if not isinstance(zero, Mapping) or len(zero) != 2:
        raise ValueError(f"structural zero {position} must name a level of each of two attributes")
    index = {attribute.name: i for i, attribute in enumerate(attributes)}
    found = []
    for name, level in zero.items():
        if name not in index:
            known = list(map(str, index))
            raise ValueError(
                f"structural zero {position} names {name!r}, which is no attribute, {suggestion(name, known)}"
            )
        attribute = attributes[index[name]]
        code = _code_of_level(attribute, level)
        if code is None:
            known = list(map(str, attribute.level_names))
            raise ValueError(
                f"structural zero {position}: {level!r} is no level of {name!r}, {suggestion(level, known)}"
            )
        found.append((index[name], code))
    (a, u), (b, v) = sorted(found)
    return a, u, b, v


def _faults_of_zeros(attributes: Sequence[Attribute], zeros: Sequence[Any]) -> list[str]:
    """All that is wrong with structural zeros, one sentence each."""
    faults = []
    for position, zero in enumerate(zeros):
        try:
            _zero_codes(attributes, zero, position)
        except ValueError as error:
            faults.append(str(error))
    return faults


def _code_of_level(attribute: Attribute, level: Any) -> int | None:
    """The code of a declared level, of the bin that a number is in, or of the missing level (None)."""
    if level is None:
        return attribute.missing_code
    if isinstance(attribute, Categorical):
        same = [code for code, each in enumerate(attribute.levels) if each == _python_value(level)]
        return same[0] if same else None
    try:
        if isinstance(level, str) and attribute.kind in ("date", "datetime"):
            read = dt.date if attribute.kind == "date" else dt.datetime
            level = read.fromisoformat(level)
        number = _to_ordinal(_python_value(level), attribute.kind)
    except (TypeError, ValueError):
        return None
    if not attribute.edges[0] <= number <= attribute.edges[-1]:
        return None
    return int(np.searchsorted(attribute.edges[1:-1], number, side="right"))


def _level_of_code(attribute: Attribute, code: int) -> Any:
    """What `_code_of_level` reads as this code, as a JSON value."""
    if code == attribute.missing_code:
        return None
    if isinstance(attribute, Categorical):
        return attribute.levels[code]
    bound = _from_ordinal(attribute.edges[code].item(), attribute.kind, attribute.has_time_zone)
    return bound.isoformat() if isinstance(bound, dt.date) else bound


def _possible_record(sizes: Sequence[int], zeros: Sequence[tuple[int, int, int, int]]) -> tuple[int, ...]:
    """A record without a structural zero, found by search with backtracking over the attributes in them."""
    partners: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for a, u, b, v in zeros:
        partners.setdefault((a, u), []).append((b, v))
        partners.setdefault((b, v), []).append((a, u))
    record = [0] * len(sizes)
    involved = sorted({attribute for attribute, _ in partners})
    chosen: dict[int, int] = {}
    tried = [-1] * len(involved)
    depth = steps = 0
    while 0 <= depth < len(involved):
        attribute = involved[depth]
        chosen.pop(attribute, None)
        tried[depth] += 1
        steps += 1
        if steps > _MOST_SEARCH_STEPS:
            raise ValueError(
                f"no record without a structural zero was found in {_MOST_SEARCH_STEPS:,} steps of search"
            )
        if tried[depth] == sizes[attribute]:
            tried[depth] = -1
            depth -= 1
        elif all(chosen.get(b) != v for b, v in partners.get((attribute, tried[depth]), ())):
            chosen[attribute] = tried[depth]
            depth += 1
    if depth < 0:
        raise ValueError("the structural zeros leave no record possible")
    for attribute, level in chosen.items():
        record[attribute] = level
    return tuple(record)


def _read_toml(text: str) -> dict[str, Any]:
    """Read TOML, which Python knows from 3.11 on."""
    try:
        toml = import_module("tomllib")
    except ImportError:
        raise ValueError("TOML is read from Python 3.11 on: write the schema as JSON") from None
    try:
        made: dict[str, Any] = toml.loads(text)
    except ValueError as error:
        raise ValueError(f"not TOML: {error}") from None
    return made


class Schema:
    """The public description of a table.

    Parameters
    ----------
    attributes : sequence of Binary, Categorical, Numeric and OneHot
        In the order in which columns are given back.
    structural_zeros : sequence of mappings, optional
        Pairs of levels that no record can have together, such as ``{"sex": "M", "pregnant": True}``: two
        attributes of different names and a level of each; of a numeric attribute a number, which stands for
        its whole bin. A table that holds such a record is refused, and none is ever released.

    Raises
    ------
    ValueError
        If a structural zero names no two attributes or no level of one, if they leave no record possible, if
        two attributes have one name, or if the table of all pairs of bits would have more than 2**26 cells
        (the widest attribute and the number of cells are named; nothing of that size is allocated).

    Examples
    --------
    >>> schema = Schema([Binary("smoker"), Categorical("job", ["clerk", "nurse", "other"])])
    >>> schema.sizes
    (2, 3)
    >>> schema.layout.n_bits
    4
    >>> schema.save("schema.json")
    >>> Schema.load("schema.json") == schema == Schema.from_dict(schema.to_dict())
    True
    >>> schema.validate({"smoker": [True, False], "job": ["nurse", "clerk"]})
    >>> Schema.from_domain({"smoker": 2, "job": 3}).sizes  # the field's domain files
    (2, 3)
    >>> Schema.from_public_table({"job": ["clerk", "nurse", "clerk"]}).attributes[0].levels
    ('clerk', 'nurse')
    >>> schema.positions(["job"]), schema.codes_of("job", "nurse")
    ([1], [1])
    >>> schema.to_domain(), sorted(Schema.json_schema())[0]
    ({'smoker': 2, 'job': 3}, '$defs')
    """

    # Reading a table is the work of records/, which released/, built on this module, must not see: records/
    # says how when it is imported, and this module knows nothing of it.
    _validate_table: ClassVar[Callable[[Any, Schema], None]]
    _draft_from_table: ClassVar[Callable[[Any], Schema]]
    _draft_from_dictionary: ClassVar[Callable[[Any], Schema]]

    def __init__(
        self, attributes: Iterable[Attribute], structural_zeros: Iterable[Mapping[str, Any]] = ()
    ) -> None:
        self._attributes = tuple(attributes)
        if not self._attributes:
            raise ValueError("a schema needs at least one attribute")
        for position, attribute in enumerate(self._attributes):
            if not isinstance(attribute, Categorical | Numeric):
                raise ValueError(
                    f"attribute {position} must be Binary, Categorical, Numeric or OneHot, "
                    f"got {type(attribute).__name__}"
                )
        seen: dict[str, int] = {}
        for position, attribute in enumerate(self._attributes):
            if attribute.name in seen:
                raise ValueError(
                    f"attributes {seen[attribute.name]} and {position} are both named {attribute.name!r}"
                )
            seen[attribute.name] = position
        columns: set[str] = set()
        for column in self.columns:
            if column in columns:
                raise ValueError(f"two attributes have a column {column!r}")
            columns.add(column)
        n_bits = sum(1 if size == 2 else size for size in self.sizes)
        if n_bits**2 > MAX_PAIR_CELLS:
            widest = max(self._attributes, key=lambda attribute: attribute.size)
            raise ValueError(
                f"the schema needs {n_bits:,} bits and so a pair table of {n_bits**2:,} cells, more than "
                f"{MAX_PAIR_CELLS:,}; its widest attribute is {widest.name!r} with {widest.size:,} levels"
            )
        self._layout = BitLayout(self.sizes)
        if not isinstance(structural_zeros, Iterable):
            raise ValueError("structural_zeros must be a sequence of mappings")
        zeros = [_zero_codes(self._attributes, zero, i) for i, zero in enumerate(structural_zeros)]
        self._zeros = tuple(sorted(set(zeros)))
        self._possible_record = _possible_record(self.sizes, self._zeros)

    @property
    def zeros(self) -> NDArray[np.int32]:
        """Structural zeros as codes, shape (z, 4): attribute a, level u, attribute b > a, level v."""
        return np.array(self._zeros, dtype=np.int32).reshape(-1, 4)

    @property
    def possible_record(self) -> tuple[int, ...]:
        """Codes of a record that no structural zero rules out."""
        return self._possible_record

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """The attributes, in order."""
        return self._attributes

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the attributes, in order."""
        return tuple(attribute.name for attribute in self._attributes)

    def positions(self, names: Sequence[str]) -> list[int]:
        """Where attributes stand.

        Raises
        ------
        ValueError
            If there is no name, or one is no attribute or occurs twice.
        """
        index = {name: position for position, name in enumerate(self.names)}
        found: list[int] = []
        for name in names:
            if not isinstance(name, str) or name not in index:
                known = ", ".join(map(repr, self.names[:20])) + (", ..." if len(self) > 20 else "")
                raise ValueError(f"{name!r} is no attribute of the schema; its attributes: {known}")
            if index[name] in found:
                raise ValueError(f"attribute {name!r} is asked for twice")
            found.append(index[name])
        if not found:
            raise ValueError("at least one attribute must be named")
        return found

    def codes_of(self, name: str, levels: Any) -> list[int]:
        """Codes of a level, or of several in a list, tuple or set, of an attribute.

        A number stands for its whole bin, None for the missing level, as in structural zeros.

        Raises
        ------
        ValueError
            If the name is no attribute, or a level is none of its levels, or none is given.
        """
        (position,) = self.positions([name])
        attribute = self._attributes[position]
        several = list(levels) if isinstance(levels, list | tuple | set | frozenset) else [levels]
        codes = []
        for level in several:
            code = _code_of_level(attribute, _plain_number(level))
            if code is None:
                raise ValueError(f"{level!r} is no level of {name!r}")
            codes.append(code)
        if not codes:
            raise ValueError(f"no level of {name!r} is given")
        return codes

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns of a table, in order: of the attributes, and those of one-hot attributes."""
        return tuple(
            column
            for attribute in self._attributes
            for column in (attribute.columns if isinstance(attribute, OneHot) else (attribute.name,))
        )

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of codes of each attribute, a missing level included."""
        return tuple(attribute.size for attribute in self._attributes)

    @property
    def clamping(self) -> tuple[str, ...]:
        """What the bounds of numeric attributes do, in words: a text for each of these."""
        return tuple(each.clamping for each in self._attributes if isinstance(each, Numeric))

    @property
    def layout(self) -> BitLayout:
        """Where each attribute lies among the bits."""
        return self._layout

    @property
    def hash(self) -> str:
        """SHA-256 (hexadecimal) of the canonical JSON text: the same for equal schemas on every machine."""
        text = json.dumps(self.to_dict(), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def is_coded(self) -> bool:
        """Whether every value is its own code, as in a domain file: tables can be plain arrays of codes."""
        return all(
            isinstance(attribute, Categorical)
            and attribute.kind == "int"
            and attribute.missing is None
            and attribute.levels == tuple(range(attribute.size))
            for attribute in self._attributes
        )

    @classmethod
    def from_domain(cls, domain: Mapping[str, int]) -> Schema:
        """Make the schema of a domain ``{"attribute": size}``: the values are the codes 0..size-1.

        Parameters
        ----------
        domain : mapping of str to int
            An attribute of size 2 becomes Binary with levels 0 and 1, any other Categorical.
        """
        attributes: list[Attribute] = []
        for name, size in domain.items():
            if isinstance(size, bool) or not isinstance(size, int) or size < 1:
                raise ValueError(
                    f"the size of attribute {name!r} must be an integer of at least 1, got {size!r}"
                )
            if size**2 > MAX_PAIR_CELLS:
                raise ValueError(
                    f"attribute {name!r} has {size:,} levels; a pair table of {size**2:,} cells is more than "
                    f"{MAX_PAIR_CELLS:,}"
                )
            attributes.append(Binary(name, (0, 1)) if size == 2 else Categorical(name, tuple(range(size))))
        return cls(attributes)

    def validate(self, table: Any) -> None:
        """Check that a table fits this schema; nothing is spent and nothing is kept.

        Parameters
        ----------
        table : pandas, polars or pyarrow table, dict of columns, array or path
            Columns go by name, those of an array by position.

        Raises
        ------
        EncodingError
            A ValueError with the first fault of each faulty column and its record, never its value. The
            message goes to the holder of the table: it is not private.
        """
        type(self)._validate_table(table, self)

    @classmethod
    def from_public_table(cls, table: Any) -> Schema:
        """Draft a schema from a table that is public; never call it on private data.

        Levels are those that occur, bounds are the smallest and the largest number rounded outward, and a
        column with missing values gets a missing level: all of it becomes public with the schema. Look
        through the draft, and add the levels that can occur.

        Parameters
        ----------
        table : pandas, polars or pyarrow table, dict of columns, array or path
            Numbers with at most 20 distinct values become levels, with more they become 16 bins of equal
            width, or bins of about equally many records where most would fall into one. The columns of an
            array are named v1, v2, and so on.

        Raises
        ------
        EncodingError
            A ValueError that names a column of identifiers (more than 1,000 distinct texts), of several
            types, or without values.
        ValueError
            If two columns have one name, or the header of a text file consists of numbers alone: it seems to
            be a record.
        """
        return cls._draft_from_table(table)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Schema:
        """Read what :meth:`to_dict` gives, or a domain ``{"attribute": size}``.

        Raises
        ------
        SchemaError
            A ValueError with all faults of the attributes, or of the structural zeros, at once.
        """
        if not isinstance(data, Mapping):
            raise ValueError(f"a schema is a JSON object, got {type(data).__name__}")
        if not isinstance(data.get("attributes"), list):
            if "format" in data and not isinstance(data["format"], int):
                raise ValueError('a schema file needs a list under "attributes"')
            return cls.from_domain(data)
        if data.get("format") != FORMAT or data.get("version") != VERSION:
            raise ValueError(
                f"expected a {FORMAT!r} of version {VERSION}, "
                f"got {data.get('format')!r} of version {data.get('version')!r}"
            )
        zeros = data.get("structural_zeros", [])
        faults = faults_of_file(data)
        if not isinstance(zeros, list):
            faults.append('"structural_zeros" of a schema is a list')
        attributes = []
        for i, entry in enumerate(data["attributes"]):
            of_fields = faults_of(entry, i)
            faults += of_fields
            if not of_fields:
                try:
                    attributes.append(_attribute_from_dict(entry, i))
                except ValueError as error:
                    faults.append(str(error))
        if not faults:
            faults = _faults_of_zeros(attributes, zeros)
        if faults:
            raise SchemaError(tuple(faults))
        return cls(attributes, zeros)

    def to_dict(self) -> dict[str, Any]:
        """Return the schema as plain JSON values."""
        out: dict[str, Any] = {
            "format": FORMAT,
            "version": VERSION,
            "attributes": [attribute.to_dict() for attribute in self._attributes],
        }
        if self._zeros:
            out["structural_zeros"] = [self.zero_levels(zero) for zero in self._zeros]
        return out

    def zero_levels(self, zero: Sequence[int]) -> dict[str, Any]:
        """A row of `zeros` as names and levels; a bin as its lower end in the form of a schema file.

        Examples
        --------
        >>> import covloss_fast as cf
        >>> attributes = [cf.Binary("pregnant", ("no", "yes")), cf.Categorical("sex", ["f", "m", "x"])]
        >>> schema = cf.Schema(attributes, structural_zeros=[{"pregnant": "yes", "sex": "m"}])
        >>> schema.zero_levels(schema.zeros[0])
        {'pregnant': 'yes', 'sex': 'm'}
        """
        return {
            self._attributes[a].name: _level_of_code(self._attributes[a], u)
            for a, u in ((zero[0], zero[1]), (zero[2], zero[3]))
        }

    @staticmethod
    def json_schema() -> dict[str, Any]:
        """Return the JSON Schema of schema files, with which editors complete and check them.

        Write it beside the file, ``json.dump(cf.Schema.json_schema(), ...)``, and name it there as
        ``"$schema"``.
        """
        return json_schema()

    def to_domain(self) -> dict[str, int]:
        """Return the names and numbers of levels, as the domain files of the field have them.

        What the levels are is lost: `from_domain` makes a schema of codes of it. For a schema that came from
        a domain file it is the content of that file.
        """
        return dict(zip(self.names, self.sizes))

    @classmethod
    def from_data_dictionary(cls, dictionary: Any) -> Schema:
        """Draft a schema from a data dictionary (codebook): a public table that describes columns.

        Parameters
        ----------
        dictionary : table or path
            A row for each column of the data. Its own columns, in any case: "name" (or variable, field,
            column), "type" (binary, categorical, ordinal, number, integer, date), "levels" (or values,
            categories, choices) such as ``1=male; 2=female`` or ``clerk|nurse``, of which what stands before
            "=" is taken, "lower" and "upper" (or min, max), "bins", "missing" (yes or no) and "other". Others
            are not looked at.

        Returns
        -------
        Schema

        Raises
        ------
        SchemaError
            A ValueError with the faults of all rows at once.

        Examples
        --------
        >>> import covloss_fast as cf
        >>> cf.Schema.from_data_dictionary({
        ...     "name": ["smoker", "job", "age"],
        ...     "type": ["binary", "categorical", "integer"],
        ...     "levels": ["0=no; 1=yes", "clerk|nurse|other", None],
        ...     "min": [None, None, 0],
        ...     "max": [None, None, 120],
        ... })
        Schema([
          Binary('smoker', [0, 1]),
          Categorical('job', ['clerk', 'nurse', 'other']),
          Numeric('age', lower=0, upper=120, bins=16, integer=True),
        ])
        """
        return cls._draft_from_dictionary(dictionary)

    @classmethod
    def load(cls, path: str | Path) -> Schema:
        """Read a schema from JSON or TOML: what :meth:`save` wrote, or a domain ``{"attribute": size}``.

        Raises
        ------
        ValueError
            If the file is not JSON (a name that ends in .toml: not TOML) or not a schema; the message names
            the file, and all faults of a schema.
        """

        def no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
            out = dict(pairs)
            if len(out) < len(pairs):
                names = [name for name, _ in pairs]
                twice = next(name for name in names if names.count(name) > 1)
                raise ValueError(f"{twice!r} stands in it twice")
            return out

        try:
            text = Path(path).read_text(encoding="utf-8-sig")
            if Path(path).suffix.lower() == ".toml":
                return cls.from_dict(_read_toml(text))
            return cls.from_dict(json.loads(text, object_pairs_hook=no_duplicates))
        except json.JSONDecodeError as error:
            raise ValueError(f"{path}: not JSON, line {error.lineno}: {error.msg}") from None
        except RecursionError:
            raise ValueError(f"{path}: no schema: it is nested too deeply") from None
        except UnicodeDecodeError:
            raise ValueError(f"{path}: not UTF-8 text") from None
        except SchemaError as error:
            raise SchemaError(error.faults, str(path)) from None
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None

    def save(self, path: str | Path) -> None:
        """Write the schema as JSON that people can edit; after an error the folder is as it was."""
        lines = ",\n".join("    " + json.dumps(a.to_dict(), ensure_ascii=False) for a in self._attributes)
        head = f'  "format": {json.dumps(FORMAT)},\n  "version": {VERSION},\n'
        with written_whole(path) as file:
            zeros = ",\n".join(
                "    " + json.dumps(self.zero_levels(zero), ensure_ascii=False) for zero in self._zeros
            )
            tail = f',\n  "structural_zeros": [\n{zeros}\n  ]' if zeros else ""
            file.write(f'{{\n{head}  "attributes": [\n{lines}\n  ]{tail}\n}}\n'.encode())

    def __len__(self) -> int:
        return len(self._attributes)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Schema)
            and self._attributes == other._attributes
            and self._zeros == other._zeros
        )

    def __hash__(self) -> int:
        return hash((self._attributes, self._zeros))

    def __repr__(self) -> str:
        shown = [f"  {attribute!r},\n" for attribute in self._attributes[:20]]
        if len(self._attributes) > 20:
            shown.append(f"  ... {len(self._attributes) - 20} more,\n")
        zeros = f", structural_zeros=[... {len(self._zeros)}]" if self._zeros else ""
        return f"Schema([\n{''.join(shown)}]{zeros})"


def check_schema(schema: object) -> Schema:
    """Return the schema; ValueError if it is something else, such as a list of attributes."""
    if not isinstance(schema, Schema):
        raise ValueError(f"schema must be a covloss_fast.Schema, got {type(schema).__name__}")
    return schema
