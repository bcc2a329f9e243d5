"""The same synthesizer in the shapes that other packages have, so that it can be swapped in by one line.

Neither package is needed to import this module: frames are recognised by what they can do, and ``mbi`` is
imported where one of its objects is made.

What is *not* the same is on purpose. Levels and bounds are declared in a schema, never read from the private
table; epsilon and delta have no defaults; and where the number of records is secret, a sample has the length
that was released, not that of the table.

Examples
--------
>>> import covloss_fast as cf
>>> schema = cf.Schema([cf.Binary("smoker", ["no", "yes"])])
>>> synth = cf.adapters.SmartNoiseSynthesizer(epsilon=1.0, delta=1e-9, schema=schema)
>>> synth.fit([("no",), ("yes",)] * 500)
>>> len(synth.sample(3))
3
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covloss_fast.privacy.certificate import Certificate
from covloss_fast.privacy.ledger import PrivacyLedger
from covloss_fast.records.encoding import encode
from covloss_fast.schema import Categorical, Numeric, Schema
from covloss_fast.synthesizer import CovLossSynthesizer

__all__ = ["SmartNoiseSynthesizer", "mbi_dataset", "mbi_domain", "schema_from_mbi", "table_from_mbi"]


class SmartNoiseSynthesizer:
    """`CovLossSynthesizer` with the methods of a synthesizer of smartnoise-synth (``snsynth``).

    Parameters
    ----------
    epsilon, delta : number
        As for `CovLossSynthesizer`; neither has a default.
    schema : Schema, optional
        What is public about the table; may be given to `fit` instead.
    **settings
        Further parameters of `CovLossSynthesizer`.

    Attributes
    ----------
    synthesizer_ : CovLossSynthesizer
        The fitted synthesizer, with everything else that it can do.
    ledger_, certificate_
        Its ledger and certificate.

    Notes
    -----
    In ``snsynth``, ``Synthesizer.create("mst", epsilon=1.0).fit(df, categorical_columns=[...])`` reads the
    categories from `df`, and a sample has as many rows as `df` had unless told otherwise. Here the categories
    are the schema's, and the default length is the released one.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> schema = cf.Schema([cf.Binary("smoker", ["no", "yes"]), cf.Categorical("job", ["clerk", "nurse"])])
    >>> rows = [("no", "clerk"), ("yes", "nurse")] * 500
    >>> synth = cf.adapters.SmartNoiseSynthesizer(epsilon=1.0, delta=1e-9, schema=schema)
    >>> synth.fit(rows, categorical_columns=["smoker", "job"])
    >>> len(synth.sample(3)), len(synth.sample(3)[0])
    (3, 2)
    >>> {row[0] for row in synth.sample_conditional(5, {"smoker": "yes"})}
    {'yes'}
    >>> abs(len(synth.fit_sample(rows)) - 1000) < 300  # the number of records is secret
    True
    """

    def __init__(
        self, epsilon: Any = None, delta: Any = None, *, schema: Schema | None = None, **settings: Any
    ) -> None:
        self.epsilon, self.delta, self.schema, self.settings = epsilon, delta, schema, settings
        self.synthesizer_: CovLossSynthesizer
        self._gives_tuples = False

    def fit(
        self,
        data: Any,
        *ignore: Any,
        schema: Schema | None = None,
        transformer: Any = None,
        categorical_columns: Iterable[str | int] = (),
        ordinal_columns: Iterable[str | int] = (),
        continuous_columns: Iterable[str | int] = (),
        preprocessor_eps: float = 0.0,
        nullable: bool = False,
    ) -> None:
        """Fit a private table. Spends epsilon and delta.

        Parameters
        ----------
        data : pandas DataFrame, array, list of tuples, or any table that `CovLossSynthesizer.fit` takes
            Lists and arrays hold values in the order of the schema.
        *ignore
            Nothing; there because ``snsynth`` has it.
        schema : Schema, optional
            Needed here if it was not given before.
        categorical_columns, ordinal_columns, continuous_columns : iterables of names or positions
            Compared with the schema, which has the last word.
        nullable : bool
            Whether the table may have missing values: what the schema says of each attribute holds.
        transformer, preprocessor_eps
            There is no preprocessing that looks at the data: anything but None and 0 is refused.

        Raises
        ------
        ValueError
            If there is no schema, it says something else of a column, or as `CovLossSynthesizer.fit`.
        """
        known = schema if schema is not None else self.schema
        if not isinstance(known, Schema):
            raise ValueError(
                "a schema is needed, fit(data, schema=...): levels and bounds are declared, never read from "
                "a private table; Schema.from_public_table drafts one from a table that is public"
            )
        if transformer is not None or preprocessor_eps:
            raise ValueError(
                "transformer and preprocessor_eps are for preprocessing that looks at the data; the schema "
                "takes their place, and costs nothing"
            )
        for names, kind in (
            (categorical_columns, "categorical"),
            (ordinal_columns, "ordinal"),
            (continuous_columns, "continuous"),
        ):
            _check_kinds(known, names, kind)
        rows = data
        self._gives_tuples = isinstance(data, list)
        if self._gives_tuples:
            rows = _columns_of(data, known)
        synth = CovLossSynthesizer(known, epsilon=self.epsilon, delta=self.delta, **self.settings)
        if hasattr(self, "synthesizer_"):  # a further fit adds to what was spent
            synth = self.synthesizer_.set_params(**synth.get_params())
        self.synthesizer_ = synth.fit(rows)

    def sample(self, samples: int | None = None, *, n_rows: int | None = None) -> Any:
        """Return synthetic rows in the kind of container that was fitted.

        Parameters
        ----------
        samples, n_rows : int, optional
            Number of rows (the one name or the other); the certified table if left out.
        """
        if samples is not None and n_rows is not None:
            raise ValueError("samples and n_rows are the same: give one of them")
        return self._sample(n_rows if samples is None else samples, None)

    def fit_sample(self, data: Any, *ignore: Any, **kwargs: Any) -> Any:
        """Fit, and return the certified table, whose length is the released number of records."""
        self.fit(data, **kwargs)
        return self.sample()

    def sample_conditional(
        self, n_rows: int, condition: Mapping[str, Any], max_tries: int = 100, column_names: Any = None
    ) -> Any:
        """Return rows that meet a condition, selected without rejection.

        Parameters
        ----------
        n_rows : int
            Number of rows.
        condition : mapping of str to level or list of levels
            As `where` of `CovLossSynthesizer.sample`; not a text in SQL.
        max_tries, column_names
            Not needed here.

        Raises
        ------
        ValueError
            If the condition is no mapping, or no row meets it.
        """
        if not isinstance(condition, Mapping):
            raise ValueError(
                'a condition is a mapping of names to levels, such as {"sex": "F"}, '
                f"got {type(condition).__name__}"
            )
        return self._sample(n_rows, condition)

    def _sample(self, n: int | None, where: Mapping[str, Any] | None) -> Any:
        if not hasattr(self, "synthesizer_"):
            raise ValueError("this SmartNoiseSynthesizer is not fitted yet: call fit(data) first")
        if not self._gives_tuples:
            return self.synthesizer_.sample(n, where=where)
        columns = self.synthesizer_.sample(n, where=where, as_="dict")
        return list(zip(*(column.tolist() for column in columns.values())))

    @property
    def ledger_(self) -> PrivacyLedger:
        """Everything that was spent."""
        return self.synthesizer_.ledger_

    @property
    def certificate_(self) -> tuple[Certificate, ...]:
        """Measured errors of d-way marginals of the certified table."""
        return self.synthesizer_.certificate_


def _check_kinds(schema: Schema, names: Iterable[str | int], kind: str) -> None:
    for name in names:
        if isinstance(name, str):
            (position,) = schema.positions([name])
        elif 0 <= name < len(schema):
            position = int(name)
        else:
            raise ValueError(f"there is no column {name}: the schema has {len(schema)} attributes")
        attribute = schema.attributes[position]
        wanted = Numeric if kind == "continuous" else Categorical
        if not isinstance(attribute, wanted):
            said = "continuous" if kind == "continuous" else f"{kind}, with levels"
            raise ValueError(f"{attribute.name!r} was called {said}, the schema says {attribute!r}")


def _columns_of(rows: Sequence[Sequence[Any]], schema: Schema) -> dict[str, Any]:
    """The columns of a list of rows, in the order of the schema."""
    width = len(schema.columns)
    for number, row in enumerate(rows):
        if len(row) != width:
            raise ValueError(f"row {number} has {len(row)} values, the schema {width} columns")
    return {name: [row[at] for row in rows] for at, name in enumerate(schema.columns)}


# ------------------------------------------------------------------------------------------------- mbi


def schema_from_mbi(domain: Any) -> Schema:
    """Return the schema of a ``Domain`` of mbi (private-pgm): each value is its own code.

    Parameters
    ----------
    domain : mbi.Domain
        Or anything else with ``attributes`` (or ``attrs``) and ``shape``; labels are not used, as the data of
        an mbi ``Dataset`` are codes.

    Returns
    -------
    Schema
        As `Schema.from_domain` makes it.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> from types import SimpleNamespace
    >>> domain = SimpleNamespace(attributes=("sex", "age"), shape=(2, 85))  # as mbi.Domain has it
    >>> cf.adapters.schema_from_mbi(domain).sizes
    (2, 85)
    """
    names = getattr(domain, "attributes", None) or domain.attrs
    return Schema.from_domain({str(name): int(size) for name, size in zip(names, domain.shape)})


def mbi_domain(schema: Schema) -> Any:
    """Return the ``mbi.Domain`` of a schema: its names and sizes.

    Parameters
    ----------
    schema : Schema
        Any; bins and missing levels count as levels.

    Raises
    ------
    ImportError
        If mbi is not installed.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> schema = cf.Schema([cf.Binary("smoker"), cf.Numeric("age", 0, 120, bins=12)])
    >>> cf.adapters.mbi_domain(schema).shape  # doctest: +SKIP
    (2, 12)
    """
    from mbi import Domain

    return Domain(schema.names, schema.sizes)


def table_from_mbi(dataset: Any) -> dict[str, NDArray[Any]]:
    """Return the columns of an mbi ``Dataset``, for `CovLossSynthesizer.fit` with `schema_from_mbi`.

    Parameters
    ----------
    dataset : mbi.Dataset
        All of weight 1: a record of weight 2 would move counts twice as far as the guarantee allows for.

    Returns
    -------
    dict of str to int array
        Codes.

    Raises
    ------
    ValueError
        If a weight is not 1.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> from types import SimpleNamespace
    >>> domain = SimpleNamespace(attributes=("sex",), shape=(2,))
    >>> columns = {"sex": np.array([0, 1, 1])}
    >>> dataset = SimpleNamespace(domain=domain, to_dict=lambda: columns, weights=np.ones(3))
    >>> cf.adapters.table_from_mbi(dataset)
    {'sex': array([0, 1, 1])}
    """
    weights = getattr(dataset, "weights", None)
    if weights is not None and not (np.asarray(weights) == 1).all():
        raise ValueError("the dataset has weights other than 1: each record must count once")
    if hasattr(dataset, "to_dict"):
        columns = dataset.to_dict()
    else:
        columns = dataset.df
    names = getattr(dataset.domain, "attributes", None) or dataset.domain.attrs
    return {str(name): np.asarray(columns[name]) for name in names}


def mbi_dataset(table: Any, schema: Schema) -> Any:
    """Return a table as an ``mbi.Dataset`` of codes over the domain of a schema.

    Parameters
    ----------
    table : any table that the schema fits
        A synthetic one, or a private one to be given to a mechanism that is built on mbi.
    schema : Schema
        What the values mean.

    Raises
    ------
    ImportError
        If mbi is not installed.
    EncodingError
        If the table does not fit the schema.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> schema = cf.Schema([cf.Binary("smoker", ["no", "yes"])])
    >>> cf.adapters.mbi_dataset({"smoker": ["no", "yes"]}, schema).records  # doctest: +SKIP
    2
    """
    from mbi import Dataset

    encoded = encode(table, schema, 1, fractions=True)
    codes = [encoded.column_codes(a).astype(np.int64) for a in range(len(schema))]
    return Dataset(np.stack(codes, axis=1), mbi_domain(schema))
