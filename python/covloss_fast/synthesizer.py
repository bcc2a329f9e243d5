"""The private half: a differentially private synthetic table and the ledger of what it cost.

``fit`` validates the records against the schema, charges the ledger, lets a method walk the rooms in order
(:mod:`covloss_fast.pipelines`), draws the canonical table from the released model and certifies it.
``sample`` is post-processing. Three kinds of randomness are never mixed: *noise* (fresh from the operating
system for each ``fit``), *public* (points drawn anew, sets of marginals) and *rounding* (drawing rows).
"""

from __future__ import annotations

import math
import numbers
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from covloss_fast._config import __version__
from covloss_fast._core.config import give_back_freed_memory
from covloss_fast._memory import available_memory, check_available
from covloss_fast._threads import resolve_n_threads
from covloss_fast.estimates import MarginalEstimate, certified_errors
from covloss_fast.estimator import Estimator, check_integer, derive, rounding_key, shown_budget
from covloss_fast.pipelines.certification import certify
from covloss_fast.pipelines.common import Count, Release, Task
from covloss_fast.pipelines.forecast import FitSize, Forecast
from covloss_fast.pipelines.foreseen import check_memory, check_noise
from covloss_fast.pipelines.paper import release_paper
from covloss_fast.pipelines.plan import LedgerPlan, plan_ledger
from covloss_fast.pipelines.restored import release_restored
from covloss_fast.privacy.accounting import Amount, Budget
from covloss_fast.privacy.certificate import Certificate
from covloss_fast.privacy.ledger import (
    Neighbours,
    PrivacyLedger,
    budget_from_dict,
    budget_to_dict,
    check_neighbours,
    own_ledger,
)
from covloss_fast.privacy.mechanisms import Door
from covloss_fast.records.batches import KEEP, open_records
from covloss_fast.records.encoding import NumberStream, decode, with_column
from covloss_fast.records.tables import estimate_records, is_read_in_parts
from covloss_fast.released.coarse_levels import ordered_attributes
from covloss_fast.released.fitting import (
    MOST_CACHED_LEVELS,
    CoarseTargets,
    ColumnTargets,
    PairTargets,
    Targets,
)
from covloss_fast.released.measured import Measured
from covloss_fast.released.model import BlockModel
from covloss_fast.released.planning import Partition, Workload
from covloss_fast.released.rows import (
    PART_ROWS,
    DrawnRows,
    PackedCodes,
    RepeatedRows,
    Rows,
    ranges,
    shares_of_rows,
)
from covloss_fast.released.selection import Positions, Selection, Totals, merged, selected_rows
from covloss_fast.released.structural_zeros import mend
from covloss_fast.schema import MAX_PAIR_CELLS, Schema, check_schema
from covloss_fast.storage import pack_codes, read_release, unpack_codes, write_release

Method = Literal["restored", "paper"]
Container = Literal["pandas", "polars", "pyarrow", "dict", "numpy"]

_CONTAINERS = ("pandas", "polars", "pyarrow", "dict", "numpy")
_MAX_CANONICAL_ROWS = 1_000_000
_LONG_STAGE_SECONDS = 0.05
#: What overrides may be.
_LIMITS = {"n_components": (1, 64), "n_blocks": (1, 65_536), "n_steps": (0, 16)}


@dataclass(frozen=True)
class _Settings:
    """What a release was made with; parameters that are set afterwards are for the next one."""

    schema: Schema
    budget: Budget
    neighbours: Neighbours
    method: Method
    certificate: bool
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def public_inputs(self) -> dict[str, str | bool | tuple[str, ...]]:
        """What the ledger says of them beside the budget."""
        options = {name: str(value) for name, value in self.options.items()}
        clamped = {"clamped": self.schema.clamping} if self.schema.clamping else {}
        return {"method": self.method, "certificate": self.certificate, **clamped, **options}


@dataclass(frozen=True)
class Sampler:
    """Synthetic records of one table, any range of which can be made by itself, in any process."""

    _schema: Schema
    _rows: Rows
    _key: bytes
    _kind: Container
    #: Of rows that are selected: which numbers they have, those of rows of the table that they are from.
    _numbers_of: Positions | None = None

    @property
    def n_rows(self) -> int:
        """Their number."""
        return self._rows.n_rows

    def table(self, first: int, stop: int) -> Any:
        """Rows first to stop - 1; ValueError if there are none such."""
        codes = self._rows.codes(first, stop)
        if self._numbers_of is None:
            numbers = NumberStream(self._key, first)
        else:
            numbers = NumberStream(self._key, positions=self._numbers_of[first:stop])
        return decode(codes, self._schema, self._kind, numbers)

    def batches(self, batch_rows: int) -> Iterator[Any]:
        """All rows in order, at most so many at a time; one empty table if there are none."""
        return (self.table(*part) for part in ranges(self.n_rows, batch_rows))

    def weighted(self, name: str) -> Any:
        """Each distinct row once, with its number of copies in one more column; all codes are held."""
        distinct, counts = merged(self._rows.codes(0, self.n_rows))
        table = decode(distinct, self._schema, self._kind, NumberStream(self._key))
        return with_column(table, name, counts)


class CovLossSynthesizer(Estimator):
    """Make a differentially private synthetic table.

    Parameters
    ----------
    schema : Schema
        Declared attributes, levels and bounds; all that is known of the table beforehand.
    epsilon : float
        Privacy loss bound of one ``fit``, in (0, 1000].
    delta : float
        Probability that the bound may fail, in [0, 1); 0 gives pure epsilon-differential privacy with Laplace
        noise throughout. With `rho`: the delta at which epsilon is reported, in (0, 1).
    rho : float, optional
        In place of epsilon: a budget in zero-concentrated differential privacy, spent as it is. The epsilon
        that it means at `delta` is reported, rounded upwards.
    neighbours : {"add_or_remove_one", "replace_one"}
        Which tables the guarantee makes indistinguishable: tables that differ in one record's presence, or in
        one record's values. Under the first the number of records is secret too.
    max_records_per_person : int
        How many records one person can have. The guarantee is then about all records of a person together:
        what they can move in each query is `max_records_per_person` times what one record can, and so is the
        noise. The schema does not say whose record is whose, so the program cannot count: bound the records
        of each person beforehand, by a rule that looks at that person's records alone (such as the first k of
        them in a public order). A table of 10,000 records of which each person has at most 5 is a table of at
        least 2,000 persons. What is counted stays records: a marginal is a share of records.
    method : {"restored", "paper"}
        The recommended pipeline, or the paper's own (needs ``delta=0``).
    partition : {"covering", "pinning", "signs"}, optional
        What the blocks of ``method="paper"`` are: nearest points of a covering, as in the paper, or cells of
        pinned bits or of random signs, which cost no budget. None: pins from 64 blocks on, else a covering.
    n_components, n_blocks, n_steps : int, optional
        Overrides of the directions, blocks and refinement steps that are chosen from public quantities, for
        tables of binary attributes.
    shares : mapping of str to float, optional
        Parts of what the count and the certificate leave of the budget, adding to at most one: "one_way",
        "pairs" and "blocks" for tables of binary attributes, "one_way", "scores" and "pairs" for others.
    workload : mapping, optional
        How much the error of attributes, and of pairs of them, counts, for ``method="restored"``: numbers
        from 0.001 to 1000 by name or by pair of names, such as ``{"income": 5, ("income", "age"): 50}``; 1
        where nothing is said. That of a pair which is not named is the product of its attributes' weights.
        The budget is divided so that the weighted sum of errors is least: what counts more gets more of it,
        all else less. Nothing more is spent. The weights are public, and in the ledger: choose them by what
        the table is for, never by results on the private table. A table of binary attributes then has
        selected pair tables, as any other table, in place of all pairs at once and blocks.
    ledger : PrivacyLedger, optional
        Charge this ledger, which other objects can share (a `LedgerFile` also in other processes), in place
        of one of this object's own. If it has a budget, a ``fit`` that would exceed it is refused before
        anything is read. Copies and clones of this object charge the same ledger.
    certificate : bool
        Spend 5 % of the budget on a privately measured error of the canonical table.
    random_state : int, optional
        Derives the noise from this number, so that a run can be repeated. The result is **not private**: a
        `NotPrivateWarning` is given and the release is marked.
    n_threads : int, optional
        Threads to use; None for all that this process may use. Results do not depend on it.

    Attributes
    ----------
    ledger_ : PrivacyLedger
        Everything spent by every ``fit`` of this object.
    certificate_ : tuple of Certificate
        Measured errors of d-way marginals of the canonical table, d = 1..4; empty without certificate.
    schema_ : Schema
        The schema of the release; `schema` may have been set to another one for the next ``fit``.
    parameters_ : dict
        The parameters that the method used.
    timings_ : dict of str to float
        Seconds of the last ``fit``: "statistics", "noise", "rows", "certificate".

    Examples
    --------
    >>> import covloss_fast as cf
    >>> schema = cf.Schema([cf.Binary("smoker"), cf.Binary("coughs")])
    >>> table = {"smoker": [True, False] * 500, "coughs": [True, False, False, False] * 250}
    >>> synth = cf.CovLossSynthesizer(schema, epsilon=1.0, delta=1e-9)
    >>> print(str(synth.plan()).splitlines()[0])
    Planned privacy ledger: nothing has been read or spent
    >>> synth.forecast(1_000_000).memory < 10**9
    True
    >>> synth.refuse_too_large(table)  # as fit does, before it reads
    >>> synthetic = synth.fit(table).sample(5)
    >>> synthetic["smoker"].dtype, len(synthetic["coughs"])
    (dtype('bool'), 5)
    >>> sum(len(batch["smoker"]) for batch in synth.sample_batches(100_000, batch_rows=40_000))
    100000
    >>> len(synth.sampler(10**9).table(10**8, 10**8 + 3)["smoker"])  # any rows of a long table
    3
    >>> synth.ledger_.epsilon, len(synth.certificate_)
    (1.0, 2)
    >>> synth.save("persons.covloss")
    >>> cf.load("persons.covloss").ledger_ == synth.ledger_
    True
    >>> synth.set_params(epsilon=2.0).get_params()["epsilon"]  # of the next fit
    2.0
    """

    _PARAMETERS = (
        "schema",
        "epsilon",
        "delta",
        "rho",
        "neighbours",
        "max_records_per_person",
        "method",
        "partition",
        "n_components",
        "n_blocks",
        "n_steps",
        "shares",
        "workload",
        "ledger",
        "certificate",
        "random_state",
        "n_threads",
    )

    def __init__(
        self,
        schema: Schema,
        *,
        epsilon: Amount | None = None,
        delta: Amount | None = None,
        rho: Amount | None = None,
        neighbours: Neighbours = "add_or_remove_one",
        max_records_per_person: int = 1,
        method: Method = "restored",
        partition: Partition | None = None,
        n_components: int | None = None,
        n_blocks: int | None = None,
        n_steps: int | None = None,
        shares: Mapping[str, float] | None = None,
        workload: Mapping[str | tuple[str, str], float] | None = None,
        ledger: PrivacyLedger | None = None,
        certificate: bool = True,
        random_state: int | None = None,
        n_threads: int | None = None,
    ) -> None:
        self.schema = schema
        self.epsilon = epsilon
        self.delta = delta
        self.rho = rho
        self.neighbours = neighbours
        self.max_records_per_person = max_records_per_person
        self.method = method
        self.partition = partition
        self.n_components = n_components
        self.n_blocks = n_blocks
        self.n_steps = n_steps
        self.shares = shares
        self.workload = workload
        self.ledger = ledger
        self.certificate = certificate
        self.random_state = random_state
        self.n_threads = n_threads
        super().__init__()

    # -- fitting --

    def plan(self, n: int | None = None) -> LedgerPlan:
        """Return what ``fit`` will be charged and may ask, without a table. Nothing is spent.

        Parameters
        ----------
        n : int, optional
            A public guess of the number of records; the plan then holds the parameters, such as shares of the
            budget, that a fit would take if that number were released. Never the secret one.

        Returns
        -------
        LedgerPlan
            Totals, and for each kind of mechanism its sensitivity, least share and largest noise; with
            ``to_text`` and ``to_dict``.

        Raises
        ------
        ValueError
            If a parameter is not valid, as ``fit`` would; but not for a ledger that is a copy.
        """
        settings = self._checked_settings()
        resolve_n_threads(self.n_threads)
        known = None if n is None else self._size(check_integer("n", n, 1, 2**40), settings)
        return plan_ledger(
            settings.budget,
            settings.schema,
            settings.neighbours,
            method=settings.method,
            certificate=settings.certificate,
            options=settings.options,
            seeded=self.random_state is not None,
            public_inputs=settings.public_inputs,
            parameters=known.parameters() if known else None,
        )

    def forecast(self, n: int) -> Forecast:
        """Return what ``fit`` would take for a table of n records: memory and time. Nothing is spent.

        Parameters
        ----------
        n : int
            A number of records; any public one.

        Returns
        -------
        Forecast
            ``memory`` in bytes beyond the table itself and ``seconds`` of each stage: right within a factor
            of two on a machine that is not busy otherwise, for the first fit of a process. Where the number
            of records is secret they are for ``most_rows`` rows: the most that the noisy count gives with
            probability 0.95. Rates are measured at the first call.

        Raises
        ------
        ValueError
            If a parameter is not valid, as ``fit`` would; but not for a ledger that is a copy.
        """
        settings = self._checked_settings()
        return self._size(check_integer("n", n, 0, 2**40), settings).forecast()

    def _size(self, n: int, settings: _Settings) -> FitSize:
        return FitSize(
            n,
            settings.schema.layout,
            settings.budget,
            settings.neighbours,
            settings.method,
            settings.certificate,
            settings.options,
            resolve_n_threads(self.n_threads),
            _MAX_CANONICAL_ROWS,
        )

    def refuse_too_large(self, table: Any) -> None:
        """Refuse a table whose fit would not fit into memory, before it is read; ``fit`` does so too.

        Parameters
        ----------
        table : data frame, dict of arrays, array, path or callable
            As for ``fit``. The number of records of a text file is guessed from its size; a callable's is
            not known, and it is not refused.

        Raises
        ------
        MemoryError
            With what is needed and what is available.
        """
        n, available = estimate_records(table), available_memory()
        if n is None or available is None:
            return
        most_held = KEEP if is_read_in_parts(table) else None
        needed = self._size(n, self._checked_settings()).memory(most_held)
        if needed > available:
            raise MemoryError(
                f"a table of this size needs about {needed / 1e9:.1f} GB of memory beside it, and "
                f"{available / 1e9:.1f} GB are available; nothing has been read or spent"
            )

    def fit(self, table: Any, y: None = None) -> CovLossSynthesizer:
        """Release statistics of a private table, draw the canonical synthetic table and certify it.

        Parameters
        ----------
        table : data frame, dict of arrays, array, path or callable
            pandas, polars or pyarrow table; dict of 1-D arrays; array of raw values in schema order; path of
            a CSV or Parquet file; or a callable that returns a fresh iterator of batches of any of these.
        y : None
            There for scikit-learn's pipelines; anything else is refused.

        Returns
        -------
        CovLossSynthesizer
            This object.

        Raises
        ------
        ValueError
            If a parameter or a record is not valid; nothing has been spent then. Messages about records name
            the column and the row, never the value; they are for the curator and outside the guarantee.
        RuntimeError
            If another ``fit`` of this object is under way, whose lines in the ledger would mix with this
            one's; nothing has been spent on this one.
        """
        return super().fit(table, y)

    def _fit(self, table: Any) -> None:
        settings = self._checked_settings(for_fit=True)
        schema, budget = settings.schema, settings.budget
        n_threads = resolve_n_threads(self.n_threads)
        self.refuse_too_large(table)
        records, kind = open_records(table, schema, n_threads)

        noise_key, public_key = self._keys()
        charged = self._charge(budget, schema.hash, noise_key.is_seeded, settings.public_inputs)
        door = Door(budget, settings.neighbours, self.ledger_, noise_key, n_threads, charged)
        clock = _Clock()
        task = Task(
            schema=schema,
            records=records,
            door=door,
            neighbours=settings.neighbours,
            public_key=public_key,
            certificate=settings.certificate,
            n_threads=n_threads,
            options=settings.options,
        )
        release = release_paper(task) if settings.method == "paper" else release_restored(task)
        clock.lap("statistics")
        rows_key = derive(public_key, "canonical rows")
        n_rows = min(release.count.n_rows, _MAX_CANONICAL_ROWS)
        rows = _rows(schema, release.model, release.targets, n_rows, rows_key, n_threads)
        if isinstance(rows, DrawnRows):  # kept as a table, not as what draws it
            rows = RepeatedRows(PackedCodes.of_rows(rows, schema.sizes, n_threads), n_rows)
        clock.lap("rows")
        certificates = certify(task, release, rows) if settings.certificate else ()
        clock.lap("certificate")
        clock.seconds["noise"] = sum(task.noise_seconds)
        clock.seconds["statistics"] -= clock.seconds["noise"]

        self._settle(
            settings,
            release,
            rows,
            certificates,
            kind,
            rows_from=_kind_of(release.targets),
        )
        self.timings_ = clock.seconds

    def _settle(
        self,
        settings: _Settings,
        release: Release,
        rows: Rows,
        certificates: tuple[Certificate, ...],
        kind: Container,
        *,
        rows_from: str,
    ) -> None:
        self._settings = settings
        self.certificate_ = certificates
        self.parameters_ = dict(release.parameters)
        self._model: BlockModel = release.model
        self._canonical = rows
        self._rows_from = rows_from
        self._measured = release.measured
        self._n_released = release.count.released
        self._kind: Container = kind

    def _checked_settings(self, for_fit: bool = False) -> _Settings:
        """The parameters of a fit, once all that can be wrong without a table has been looked at."""
        budget = self._budget()
        self._check_parameters(budget, for_fit)
        options = self._options()
        if self.shares is not None:
            options["shares"] = {name: float(share) for name, share in self.shares.items()}
        if self.workload is not None:
            options["workload"] = Workload.of(self.schema, self.workload)
        settings = _Settings(
            self.schema, budget, self.neighbours, self.method, bool(self.certificate), options
        )
        check_memory(settings.schema.layout, options)
        check_noise(
            budget,
            settings.schema.layout,
            settings.neighbours,
            method=settings.method,
            certificate=settings.certificate,
            options=options,
        )
        return settings

    def _options(self) -> dict[str, Any]:
        names = ("partition", *_LIMITS, "shares")
        given = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        return {name: int(value) if name in _LIMITS else value for name, value in given.items()}

    def _check_parameters(self, budget: Budget, for_fit: bool) -> None:
        check_schema(self.schema)
        self._check_unit_and_seed(budget, for_fit)
        if self.method not in ("restored", "paper"):
            raise ValueError(f'method must be "restored" or "paper", got {self.method!r}')
        if self.method == "paper" and not budget.is_pure:
            raise ValueError(
                f'method="paper" adds Laplace noise for pure epsilon-differential privacy: delta must be 0, '
                f"got {self.delta!r}"
            )
        if not isinstance(self.certificate, bool | np.bool_):
            raise ValueError(f"certificate must be True or False, got {self.certificate!r}")
        for name, (low, high) in _LIMITS.items():
            value = getattr(self, name)
            if value is not None:
                check_integer(name, value, low, high)
        if self.partition not in (None, "covering", "pinning", "signs"):
            raise ValueError(
                f'partition must be "covering", "pinning" or "signs", or None, got {self.partition!r}'
            )
        if self.method == "paper" and self.workload is not None:
            raise ValueError('workload is for method="restored"; the paper\'s method treats all bits alike')
        if self.method == "paper" and not set(self._options()) <= {"n_blocks", "partition"}:
            raise ValueError(
                'method="paper" takes its parameters from the theorems; only n_blocks and partition can be '
                "set, got " + ", ".join(sorted(set(self._options()) - {"n_blocks", "partition"}))
            )
        if self.method == "restored" and self.partition is not None:
            raise ValueError(f'partition={self.partition!r} is for method="paper"')
        has_blocks = bool(self.schema.layout.is_binary.all()) and self.workload is None
        if self.method == "restored" and not has_blocks and not set(self._options()) <= {"shares"}:
            raise ValueError(
                "blocks are used where all attributes are binary and no workload is given: n_components, "
                "n_blocks and n_steps cannot be set here"
            )
        if self.shares is not None:
            parts = ("one_way", "pairs", "blocks") if has_blocks else ("one_way", "scores", "pairs")
            if (
                not isinstance(self.shares, Mapping)
                or set(self.shares) != set(parts)
                or not all(_is_fraction(share) for share in self.shares.values())
            ):
                raise ValueError(f"shares must give fractions of {', '.join(parts)}, got {self.shares!r}")
            if self.shares["one_way"] <= 0 or sum(self.shares.values()) > 1 + 1e-9:
                raise ValueError("shares must add to at most 1, and that of one_way must be positive")

    # -- released values --

    @property
    def schema_(self) -> Schema:
        """The schema of the release, whatever `schema` is set to for the next ``fit``."""
        self._check_fitted()
        return self._settings.schema

    def marginals(self, attributes: str | Sequence[str]) -> MarginalEstimate:
        """Estimate a marginal of the private table, with standard errors. It costs no privacy.

        Nothing is drawn. Where the release measured the marginal itself, which is so of each attribute and of
        the pairs that it released whole, the noisy counts are given as they are: unbiased, with the standard
        deviation of their noise. Any other marginal is counted in the canonical table, and its standard
        errors are those of the certificate, if it has this degree (up to 4): they hold what the model does
        not say, on average over all marginals of the degree. ``method="paper"`` measures no marginal
        directly.

        Parameters
        ----------
        attributes : str or sequence of str
            Names of one or more attributes.

        Returns
        -------
        MarginalEstimate
            Levels, shares, standard errors and where they come from; prints as a table, ``to_frame()``.

        Raises
        ------
        ValueError
            If a name is no attribute or occurs twice, or the marginal has more than 2**26 cells.

        Examples
        --------
        >>> import covloss_fast as cf
        >>> smoker = cf.Binary("smoker", ["no", "yes"])
        >>> schema = cf.Schema([smoker, cf.Categorical("job", ["clerk", "nurse"])])
        >>> table = {"smoker": ["no", "yes"] * 5_000, "job": ["clerk", "clerk", "nurse", "clerk"] * 2_500}
        >>> synth = cf.CovLossSynthesizer(schema, epsilon=1, delta=1e-9).fit(table)
        >>> estimate = synth.marginals(["smoker", "job"])
        >>> estimate.source, estimate.shares.shape, estimate.levels[0]
        ('measured', (2, 2), ('no', 'yes'))
        >>> bool(abs(estimate.shares[0, 1] - 0.25) < 5 * estimate.standard_errors[0, 1])
        True
        """
        self._check_fitted()
        schema = self._settings.schema
        names = [attributes] if isinstance(attributes, str) else list(attributes)
        chosen = schema.positions(names)
        sizes = tuple(schema.sizes[a] for a in chosen)
        if math.prod(sizes) > MAX_PAIR_CELLS:
            raise ValueError(
                f"the marginal of {', '.join(map(repr, names))} has {math.prod(sizes):,} cells, more than "
                f"{MAX_PAIR_CELLS:,}"
            )
        levels = tuple(schema.attributes[a].level_names for a in chosen)
        found = self._measured.estimate(chosen) if self._measured else None
        if found is not None:
            return MarginalEstimate(tuple(names), levels, *found, "measured", "noise")
        shares = shares_of_rows(self._canonical, chosen, sizes)
        rms = [part.rms if part.low > 0 else part.high for part in self.certificate_[: len(chosen)]]
        if len(rms) < len(chosen):
            return MarginalEstimate(tuple(names), levels, shares, np.full(sizes, np.nan), "rows", "none")
        is_zero = [(np.arange(size) == 0) & (size == 2) for size in sizes]
        return MarginalEstimate(
            tuple(names), levels, shares, certified_errors(is_zero, rms), "rows", "certificate"
        )

    def sample(
        self,
        n: int | None = None,
        *,
        where: Mapping[str, Any] | None = None,
        totals: Totals | None = None,
        weights: str | None = None,
        random_state: int | None = None,
        as_: Container | None = None,
    ) -> Any:
        """Return synthetic records. This is post-processing: it costs no privacy.

        Parameters
        ----------
        n : int, optional
            Number of records, drawn anew from the released model. None gives the canonical table that ``fit``
            made and certified; the certificate speaks of that table.
        where : mapping of str to level or list of levels, optional
            Only records with this level, or one of these, of each attribute that is named; a number stands
            for its whole bin, None for a missing value. They are selected from the canonical table: all of
            its records that meet the condition, or n of them in random order, each as often as any other but
            for one, so that more than there are repeat.
        totals : mapping of str to mapping of level to int, or of tuples of str to tuples of levels, optional
            One attribute and how many records have each of its levels, such as ``{"sex": {"F": 520, "M":
            480}}``: obeyed exactly. Of several attributes jointly: a tuple of their names, and how many
            records have each combination of levels, such as ``{("sex", "region"): {("F", "North"): 10}}``.
            What is not named gets none. Records are selected as with `where`, which may be given too; n may
            be left out.
        weights : str, optional
            Name of one more column: each distinct record stands in the table once, with the number of its
            copies there. Numbers are drawn once for all copies, since their bins are what is counted.
        random_state : int, optional
            Makes the draw repeatable. It has no bearing on privacy, nor on the canonical table, which never
            changes.
        as_ : {"pandas", "polars", "pyarrow", "dict", "numpy"}, optional
            Kind of table; by default the kind that ``fit`` was given.

        Returns
        -------
        table
            Columns, order and dtypes are the schema's.

        Raises
        ------
        ValueError
            If no record of the release meets the condition (it is said whether a structural zero rules it
            out), or a name, level or number is not valid.
        MemoryError
            If so many records would not fit into memory.

        Examples
        --------
        >>> import covloss_fast as cf
        >>> smoker = cf.Binary("smoker", ["no", "yes"])
        >>> schema = cf.Schema([smoker, cf.Categorical("job", ["clerk", "nurse"])])
        >>> table = {"smoker": ["no", "yes"] * 500, "job": ["clerk", "clerk", "nurse", "clerk"] * 250}
        >>> synth = cf.CovLossSynthesizer(schema, epsilon=1, delta=1e-9).fit(table)
        >>> set(synth.sample(1_000, where={"smoker": "yes"})["smoker"])
        {'yes'}
        >>> sorted(synth.sample(totals={"smoker": {"no": 2, "yes": 1}})["smoker"])
        ['no', 'no', 'yes']
        >>> both = synth.sample(totals={("smoker", "job"): {("no", "nurse"): 2, ("yes", "clerk"): 1}})
        >>> sorted(zip(both["smoker"].tolist(), both["job"].tolist()))
        [('no', 'nurse'), ('no', 'nurse'), ('yes', 'clerk')]
        >>> [len(batch["job"]) for batch in synth.sample_batches(5, 2, where={"smoker": "yes"})]
        [2, 2, 1]
        >>> int(synth.sample(5_000, weights="copies")["copies"].sum())
        5000
        """
        self._check_fitted()
        schema = self._settings.schema
        if weights is not None and (not isinstance(weights, str) or not weights or weights in schema.columns):
            raise ValueError(f"weights must name a column that no attribute has, got {weights!r}")
        if weights is not None and (as_ or self._kind) == "numpy":
            raise ValueError(f'an array has no column {weights!r}: ask for another kind, such as as_="dict"')
        sampler = self._sampler(n, where, totals, random_state, as_, at_once=True)
        return sampler.table(0, sampler.n_rows) if weights is None else sampler.weighted(weights)

    def sample_batches(
        self,
        n: int | None = None,
        batch_rows: int = 65_536,
        *,
        where: Mapping[str, Any] | None = None,
        totals: Totals | None = None,
        random_state: int | None = None,
        as_: Container | None = None,
    ) -> Iterator[Any]:
        """Return the records of `sample` in batches; memory does not grow with their number.

        Rows are fitted once, up to a fixed number of them, before the first batch. With `where` or `totals`
        memory holds, beyond a batch, where each record stands in the canonical table: 4 bytes for each, and
        for a moment 16.

        Parameters
        ----------
        n : int, optional
            Number of records, as for `sample`.
        batch_rows : int
            Records of each batch; the last may have fewer. The records do not depend on it.
        where, totals : mapping, optional
            Which records, as for `sample`.
        random_state : int, optional
            With the same number the batches, one below the other, are the table of `sample`.
        as_ : {"pandas", "polars", "pyarrow", "dict", "numpy"}, optional
            Kind of table; by default the kind that ``fit`` was given.

        Returns
        -------
        iterator of tables
            One empty table if there are no records.
        """
        size = check_integer("batch_rows", batch_rows, 1, 2**40)
        return self._sampler(n, where, totals, random_state, as_).batches(size)

    def sampler(
        self,
        n: int | None = None,
        *,
        where: Mapping[str, Any] | None = None,
        totals: Totals | None = None,
        random_state: int | None = None,
        as_: Container | None = None,
    ) -> Sampler:
        """Return what makes any rows of the table of `sample`, here or, sent there, in another process.

        Parameters
        ----------
        n : int, optional
            Number of records, as for `sample`.
        where, totals : mapping, optional
            Which records, as for `sample`; memory as for `sample_batches`.
        random_state : int, optional
            With the same number the rows are those of `sample`.
        as_ : {"pandas", "polars", "pyarrow", "dict", "numpy"}, optional
            Kind of table; by default the kind that ``fit`` was given.

        Returns
        -------
        Sampler
            With ``n_rows`` and ``table(first, stop)``.
        """
        return self._sampler(n, where, totals, random_state, as_)

    def _sampler(
        self,
        n: int | None,
        where: Mapping[str, Any] | None,
        totals: Totals | None,
        random_state: int | None,
        as_: Container | None,
        *,
        at_once: bool = False,
    ) -> Sampler:
        """Rows that are drawn or selected; those that would not fit into memory, all at once, are refused."""
        self._check_fitted()
        schema, kind = self._settings.schema, as_ or self._kind
        if kind not in _CONTAINERS:
            raise ValueError(f"as_ must be one of {', '.join(_CONTAINERS)}, got {as_!r}")
        size = None if n is None else check_integer("n", n, 0, 2**40)
        key = rounding_key(random_state)
        selection = Selection.of(schema, where, totals, size)
        if selection is not None:
            size = selection.n
        if size is not None:
            held = len(schema) * at_once + 16 * (selection is not None)
            hint = " at once (sample_batches holds few at a time)" if at_once else ""
            check_available(size * held, f"{size:,} records{hint}")
        if selection is None:
            if size is None:
                return Sampler(schema, self._canonical, self._numbers_key(), kind)
            return Sampler(schema, self._draw(size, key, resolve_n_threads(self.n_threads)), key, kind)
        if size is None:  # with the numbers that they have in the canonical table
            positions = selection.all_of(self._canonical)
            return Sampler(
                schema, selected_rows(self._canonical, positions), self._numbers_key(), kind, positions
            )
        positions = selection.draw(self._canonical, np.random.default_rng(list(derive(key, "selection"))))
        return Sampler(schema, selected_rows(self._canonical, positions), key, kind)

    def _draw(self, n_rows: int, key: bytes, n_threads: int) -> Rows:
        """Rows with the counts of the canonical table, or drawn from the model where that was too."""
        schema = self._settings.schema
        targets: Targets | None = None
        if self._rows_from == "columns":
            targets = ColumnTargets(self._model.sizes, self._model.means[0])
        elif self._rows_from == "pairs" and min(n_rows, self._canonical.n_rows) > 0:
            if self._model.n_blocks == 1 and sum(schema.sizes) > MOST_CACHED_LEVELS:
                ordered = ordered_attributes(schema)
                targets = CoarseTargets.of_rows(
                    schema.sizes, ordered, self._canonical, schema.zeros, n_threads
                )
            else:
                targets = PairTargets.of_rows(self._model, self._canonical, schema.zeros, n_threads)
        return _rows(schema, self._model, targets, n_rows, key, n_threads)

    def _numbers_key(self) -> bytes:
        """Key of the numbers that the canonical table has within their bins: a function of the release."""
        return derive(self._model.weights.tobytes() + self._model.means.tobytes(), "canonical numbers")

    def save(self, path: str | Path) -> None:
        """Write the release to a file: released values, ledger and certificate, no exact statistic.

        Parameters
        ----------
        path : str or Path
            The file; it is written beside its place and renamed.
        """
        self._check_fitted()
        settings = self._settings
        manifest = {
            "library_version": __version__,
            "schema": settings.schema.to_dict(),
            **budget_to_dict(settings.budget),
            "max_records_per_person": settings.budget.max_records_per_person,
            "neighbours": settings.neighbours,
            "method": settings.method,
            "n_released": self._n_released,
            "rows_from": self._rows_from,
            "parameters": self.parameters_,
            "ledger": self.ledger_.to_dict(),
            "certificate": [part.to_dict() for part in self.certificate_],
            "measured": None,
        }
        codes = self._canonical.codes(0, self._canonical.n_rows)
        arrays = {**self._model.to_arrays(), **pack_codes(codes, settings.schema.sizes)}
        if self._measured is not None:
            manifest["measured"], measured = self._measured.to_parts()
            arrays |= measured
        write_release(path, manifest, arrays)

    def __repr__(self) -> str:
        schema = self.schema
        what = f"{len(schema)} attributes" if isinstance(schema, Schema) else f"schema={schema!r}"
        return (
            f"CovLossSynthesizer({what}, {self._amounts()}, "
            f"neighbours={self.neighbours!r}, method={self.method!r})"
        )


def load(path: str | Path) -> CovLossSynthesizer:
    """Read a release that :meth:`CovLossSynthesizer.save` wrote.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    CovLossSynthesizer
        Fitted; `sample` gives pyarrow tables unless told otherwise.

    Raises
    ------
    VersionError
        If the file has another format version.
    ValueError
        If the file is damaged or is no release.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> schema = cf.Schema([cf.Binary("smoker"), cf.Binary("coughs")])
    >>> table = {"smoker": [True, False] * 50, "coughs": [True, False, False, False] * 25}
    >>> cf.CovLossSynthesizer(schema, epsilon=1.0, delta=1e-9).fit(table).save("persons.covloss")
    >>> cf.load("persons.covloss").sample(7, as_="dict")["smoker"].shape
    (7,)
    """
    manifest, arrays = read_release(path)
    if manifest.get("kind") == "vectors":
        raise ValueError(
            f"{path}: a release of vectors, for which there are no commands and pages; "
            "VectorSynthesizer.load reads it"
        )
    try:
        return _loaded(manifest, arrays)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        reason = f"{error} is absent" if isinstance(error, KeyError) else str(error)
        raise ValueError(f"{path}: not a complete release: {reason}") from error


def _loaded(manifest: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> CovLossSynthesizer:
    """Make the fitted object of a release; nothing that is read is taken on trust."""
    schema = Schema.from_dict(manifest["schema"])
    budget = budget_from_dict(manifest, manifest["max_records_per_person"])
    neighbours = check_neighbours(manifest["neighbours"])
    if manifest["method"] not in ("restored", "paper"):
        raise ValueError(f'method must be "restored" or "paper", got {manifest["method"]!r}')
    method: Method = manifest["method"]
    ledger = own_ledger(manifest["ledger"], "a release")
    if ledger.neighbours != neighbours:
        raise ValueError(f"it was made for {neighbours} neighbours, its ledger is one of {ledger.neighbours}")
    if ledger.max_records_per_person != budget.max_records_per_person:
        raise ValueError("its ledger is about persons with another number of records")
    if not any(
        fit.is_charged_with(budget)
        and (fit.schema_hash, fit.public_inputs.get("method")) == (schema.hash, method)
        for fit in ledger.fits
    ):
        raise ValueError("no fit in its ledger has its epsilon, delta, method and schema")
    certificates = tuple(Certificate.from_dict(part) for part in manifest["certificate"])
    model = BlockModel.from_arrays(arrays)
    if model.sizes != schema.sizes:
        raise ValueError("its blocks are of other attributes than its schema")
    if not isinstance(manifest["parameters"], dict):
        raise ValueError("its parameters are not an object")
    n_released = check_integer("n_released", manifest["n_released"], -(2**63), 2**63 - 1)

    synth = CovLossSynthesizer(
        schema,
        **shown_budget(budget),
        neighbours=neighbours,
        method=method,
        certificate=bool(certificates),
    )
    synth.ledger_ = ledger
    measured = None
    if manifest["measured"] is not None:
        measured = Measured.from_parts(schema.sizes, manifest["measured"], arrays)
    codes = unpack_codes(arrays, schema.sizes)
    if codes.shape[1] > _MAX_CANONICAL_ROWS:
        raise ValueError(f"its table has {codes.shape[1]:,} records, more than any that is certified")
    table = PackedCodes.of_codes(codes, schema.sizes, 1)
    synth._settle(
        _Settings(schema, budget, neighbours, method, bool(certificates)),
        Release(model, Count(n_released, None), manifest["parameters"], measured=measured),
        RepeatedRows(table, table.n_rows),
        certificates,
        "pyarrow",
        rows_from=_known_kind(manifest["rows_from"]),
    )
    return synth


def _kind_of(targets: Targets | None) -> str:
    """How further rows are made: fitted to the pairs of the canonical table, from its columns, or drawn."""
    return "model" if targets is None else "columns" if isinstance(targets, ColumnTargets) else "pairs"


def _known_kind(name: Any) -> str:
    if name not in ("model", "columns", "pairs"):
        raise ValueError(f"rows_from must be model, columns or pairs, got {name!r}")
    return str(name)


def _rows(
    schema: Schema, model: BlockModel, targets: Targets | None, n_rows: int, key: bytes, n_threads: int
) -> Rows:
    """Rows fitted to targets, or drawn from a model; none that a structural zero rules out."""
    if targets is None:
        rows: Rows = DrawnRows(n_rows, partial(_drawn_part, model, key, n_threads))
    else:
        rows = targets.fit(n_rows, key, n_threads)
    return rows.changed(partial(_mended_part, schema, key)) if len(schema.zeros) else rows


def _drawn_part(model: BlockModel, key: bytes, n_threads: int, number: int, n: int) -> NDArray[Any]:
    return model.sample_codes(n, key, number * PART_ROWS, n_threads)


def _mended_part(schema: Schema, key: bytes, codes: NDArray[Any], number: int) -> NDArray[Any]:
    return mend(codes, schema.zeros, schema.possible_record, derive(key, f"mending {number}"))


def _is_fraction(share: Any) -> bool:
    return isinstance(share, numbers.Real) and not isinstance(share, bool) and 0 <= float(share) <= 1


class _Clock:
    """Seconds of named stages; what a long one freed goes back to the system."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, name: str) -> None:
        if time.perf_counter() - self._last > _LONG_STAGE_SECONDS:
            give_back_freed_memory()  # else later fits of a process find the heap in pieces, and it grows
        now = time.perf_counter()
        self.seconds[name] = now - self._last
        self._last = now
