"""Private synthetic vectors in a declared convex set (Theorem 5.14 of the paper).

``fit`` validates and rounds the records, charges the ledger and releases weights and means of blocks
(:mod:`covloss_fast.pipelines.vectors`). ``sample`` bootstraps the means: post-processing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from covloss_fast._config import __version__
from covloss_fast._threads import resolve_n_threads
from covloss_fast.convex_sets import ConvexSet
from covloss_fast.estimator import Estimator, check_integer, rounding_key, shown_budget
from covloss_fast.pipelines.plan import LedgerPlan, plan_mechanisms
from covloss_fast.pipelines.vectors import Grid, VectorTask, choose_grid, foreseen, release_vectors
from covloss_fast.privacy.accounting import Amount, Budget
from covloss_fast.privacy.ledger import (
    Neighbours,
    PrivacyLedger,
    budget_from_dict,
    budget_to_dict,
    check_neighbours,
    own_ledger,
)
from covloss_fast.privacy.mechanisms import Door
from covloss_fast.records.grid import kept_names, read_rows
from covloss_fast.records.tables import Kind, table_of
from covloss_fast.released.vectors import BlockMeans
from covloss_fast.storage import read_release, write_release

__all__ = ["VectorSynthesizer"]

_KIND = "vectors"
_MAX_DEFAULT_ROWS = 1_000_000


@dataclass(frozen=True)
class _Settings:
    """What a release was made with; parameters that are set afterwards are for the next one."""

    convex_set: ConvexSet
    budget: Budget
    neighbours: Neighbours
    options: Mapping[str, int]

    @property
    def public_inputs(self) -> dict[str, str | int]:
        """What the ledger says of them beside the budget."""
        return {"method": _KIND, **self.options}


class VectorSynthesizer(Estimator):
    """Make differentially private synthetic vectors that lie in a declared convex set.

    Parameters
    ----------
    convex_set : UnitBall, Box, Simplex, Product or Projection
        What every record lies in. Public: never to be read from the records.
    epsilon : float
        Privacy loss bound of one ``fit``, in (0, 1000].
    delta : float
        Probability that the bound may fail, in [0, 1). With 0 noise is discrete Laplace, for pure
        epsilon-differential privacy; else discrete Gaussian. With `rho`: the delta at which epsilon is
        reported, in (0, 1).
    rho : float, optional
        In place of epsilon: a budget in zero-concentrated differential privacy, spent as it is.
    neighbours : {"add_or_remove_one", "replace_one"}
        Which tables the guarantee makes indistinguishable; under the first the number of records is secret.
    max_records_per_person : int
        How many records one person can have; the guarantee is about all of them together, and the noise of
        each query so many times as large (see `CovLossSynthesizer`).
    n_blocks : int, optional
        Number of blocks, at most 65,536; chosen from released values if left out. Where noise hides all
        directions there is one block whatever is asked for.
    ledger : PrivacyLedger, optional
        Charge this ledger, which other objects can share (see `CovLossSynthesizer`), in place of one of this
        object's own.
    random_state : int, optional
        Derives the noise from this number, so that a run can be repeated. The result is **not private**: a
        `NotPrivateWarning` is given and the release is marked.
    n_threads : int, optional
        Threads to use; None for all that this process may use. Results do not depend on it.

    Attributes
    ----------
    ledger_ : PrivacyLedger
        Everything spent by every ``fit`` of this object.
    weights_ : float64 array, shape (n_blocks,)
        Released weights of the blocks.
    means_ : float64 array, shape (n_blocks, n_features)
        Released means of the blocks, points of the convex set.
    columns_ : tuple or None
        Names of the columns of the first table with names that was fitted on this set; None if all were
        arrays.
    parameters_ : dict
        The parameters that were used.

    Notes
    -----
    Error (paper, Theorem 5.14, with the constants of its proof): in units in which the set lies in the unit
    ball, the tensor of d-th moments of the released law is off by at most ``C(d, 2) L`` for the covariance
    loss L of the blocks, plus what the noise of means and weights adds: of the order of ``d k / n`` times the
    norm of the noise of a block's sum. `covariance_loss` measures L.

    Examples
    --------
    >>> import covloss_fast as cf
    >>> vectors = np.random.default_rng(0).dirichlet([3.0, 2.0, 1.0], 5_000)
    >>> synth = cf.VectorSynthesizer(cf.Simplex(3), epsilon=1.0, delta=1e-9).fit(vectors)
    >>> synth.sample(4).sum(axis=1).round(9)
    array([1., 1., 1., 1.])
    >>> print(str(synth.plan()).splitlines()[0])
    Planned privacy ledger: nothing has been read or spent
    >>> synth.save("shares.covloss")
    >>> loaded = cf.VectorSynthesizer.load("shares.covloss")
    >>> bool((loaded.means_ == synth.means_).all()), synth.get_params()["epsilon"]
    (True, 1.0)
    >>> synth.set_params(epsilon=2.0).get_params()["epsilon"]  # of the next fit
    2.0
    """

    _PARAMETERS = (
        "convex_set",
        "epsilon",
        "delta",
        "rho",
        "neighbours",
        "max_records_per_person",
        "n_blocks",
        "ledger",
        "random_state",
        "n_threads",
    )

    columns_: tuple[Any, ...] | None

    def __init__(
        self,
        convex_set: ConvexSet,
        *,
        epsilon: Amount | None = None,
        delta: Amount = 0.0,
        rho: Amount | None = None,
        neighbours: Neighbours = "add_or_remove_one",
        max_records_per_person: int = 1,
        n_blocks: int | None = None,
        ledger: PrivacyLedger | None = None,
        random_state: int | None = None,
        n_threads: int | None = None,
    ) -> None:
        self.convex_set = convex_set
        self.epsilon = epsilon
        self.delta = delta
        self.rho = rho
        self.neighbours = neighbours
        self.max_records_per_person = max_records_per_person
        self.n_blocks = n_blocks
        self.ledger = ledger
        self.random_state = random_state
        self.n_threads = n_threads
        super().__init__()

    def plan(self) -> LedgerPlan:
        """Return what ``fit`` will be charged and may ask, without a table. Nothing is spent.

        Returns
        -------
        LedgerPlan
            Totals, and for each kind of mechanism its sensitivity in steps of the grid, least share and
            largest noise; with ``to_text`` and ``to_dict``.

        Raises
        ------
        ValueError
            If a parameter is not valid, as ``fit`` would; but not for a ledger that is a copy.
        """
        settings, grid = self._checked_settings()
        resolve_n_threads(self.n_threads)
        return plan_mechanisms(
            settings.budget,
            foreseen(grid, settings.neighbours, settings.options),
            settings.neighbours,
            schema_hash=_hash(settings.convex_set),
            seeded=self.random_state is not None,
            public_inputs=settings.public_inputs,
        )

    def fit(self, table: Any, y: None = None) -> VectorSynthesizer:
        """Release weights and means of blocks of private vectors.

        Parameters
        ----------
        table : float array, shape (n, n_features), frame, dict of columns or path
            Records, one in a row: finite, in the convex set up to rounding (1e-9 units). The columns of a
            table with names are the entries of vectors in their order; their names, text or integers, are
            taken to be public. A later fit on the same set goes by these names, in any order; an array goes
            by place.
        y : None
            There for scikit-learn's pipelines; anything else is refused.

        Returns
        -------
        VectorSynthesizer
            This object.

        Raises
        ------
        ValueError
            If a parameter or a record is not valid; nothing has been spent then. Messages about records name
            the column and the row, never the value; they are for the curator and outside the guarantee.
        RuntimeError
            If another ``fit`` of this object is under way; nothing has been spent on this one.
        """
        return super().fit(table, y)

    def _fit(self, table: Any) -> None:
        settings, grid = self._checked_settings(for_fit=True)
        n_threads = resolve_n_threads(self.n_threads)
        known = getattr(self, "columns_", None)
        if known is not None and self._settings.convex_set != settings.convex_set:
            known = None
        rows = read_rows(table, settings.convex_set, grid.resolution, known)

        noise_key, public_key = self._keys()
        schema_hash = _hash(settings.convex_set)
        charged = self._charge(settings.budget, schema_hash, noise_key.is_seeded, settings.public_inputs)
        door = Door(settings.budget, settings.neighbours, self.ledger_, noise_key, n_threads, charged)
        task = VectorTask(grid, rows, door, public_key, n_threads, settings.options)
        release = release_vectors(task)
        self._settle(settings, release.model, release.n_rows, release.parameters)
        # An array goes by place and leaves the names as they are: a later frame still goes by them.
        self.columns_, self._kind = known if rows.names is None else rows.names, rows.kind

    def _settle(self, settings: _Settings, model: BlockMeans, n: int, parameters: Mapping[str, Any]) -> None:
        self._settings = settings
        self._model = model
        self._n = n
        self.parameters_ = dict(parameters)

    @property
    def weights_(self) -> NDArray[np.float64]:
        """Released weights of the blocks, shape (n_blocks,)."""
        self._check_fitted()
        return self._model.weights

    @property
    def means_(self) -> NDArray[np.float64]:
        """Released means of the blocks, shape (n_blocks, n_features)."""
        self._check_fitted()
        return self._model.means

    def _checked_settings(self, for_fit: bool = False) -> tuple[_Settings, Grid]:
        """The parameters of a fit, once all that can be wrong without a table has been looked at."""
        budget = self._budget()
        if not isinstance(self.convex_set, ConvexSet):
            hint = "; give a function as Projection(function, n_features, radius=...)"
            raise ValueError(
                f"convex_set must be a UnitBall, Box, Simplex, Product or Projection, got "
                f"{type(self.convex_set).__name__}" + (hint if callable(self.convex_set) else "")
            )
        self._check_unit_and_seed(budget, for_fit)
        options = {}
        if self.n_blocks is not None:
            options["n_blocks"] = check_integer("n_blocks", self.n_blocks, 1, 65_536)
        self.convex_set.project(self.convex_set.centre[None, :])  # a caller's function works at all
        grid = choose_grid(self.convex_set, budget, self.neighbours, options)
        return _Settings(self.convex_set, budget, self.neighbours, options), grid

    def sample(self, n: int | None = None, *, random_state: int | None = None) -> Any:
        """Return synthetic vectors: bootstrapped block means. It costs no privacy.

        Parameters
        ----------
        n : int, optional
            Number of vectors; by default the released number of records, at most a million.
        random_state : int, optional
            Makes the draw repeatable. It has no bearing on privacy.

        Returns
        -------
        float64 array, shape (n, n_features), or table
            Points of the convex set; as a table of the kind that was fitted, with its names, if it had names.
        """
        self._check_fitted()
        n_rows = min(self._n, _MAX_DEFAULT_ROWS) if n is None else check_integer("n", n, 0, 2**40)
        key = int.from_bytes(rounding_key(random_state)[:16], "little")
        made = self._model.sample(n_rows, np.random.Generator(np.random.Philox(key=key)))
        return table_of(made, self._kind, self.columns_)

    def save(self, path: str | Path) -> None:
        """Write the release to a file: released values and ledger, no exact statistic.

        Parameters
        ----------
        path : str or Path
            The file; it is written beside its place and renamed.
        """
        self._check_fitted()
        settings = self._settings
        manifest = {
            "kind": _KIND,
            "library_version": __version__,
            "convex_set": settings.convex_set.to_dict(),
            **budget_to_dict(settings.budget),
            "max_records_per_person": settings.budget.max_records_per_person,
            "neighbours": settings.neighbours,
            "n": self._n,
            "container": self._kind,
            "columns": None if self.columns_ is None else list(self.columns_),
            "parameters": self.parameters_,
            "ledger": self.ledger_.to_dict(),
        }
        write_release(path, manifest, self._model.to_arrays())

    @classmethod
    def load(cls, path: str | Path) -> VectorSynthesizer:
        """Read a release that :meth:`save` wrote.

        Parameters
        ----------
        path : str or Path
            The file.

        Returns
        -------
        VectorSynthesizer
            Fitted. A `Projection` comes back without its function: `sample` needs none.

        Raises
        ------
        VersionError
            If the file has another format version.
        ValueError
            If the file is damaged or is no release of vectors.
        """
        manifest, arrays = read_release(path)
        try:
            return _loaded(manifest, arrays)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            reason = f"{error} is absent" if isinstance(error, KeyError) else str(error)
            raise ValueError(f"{path}: not a complete release of vectors: {reason}") from error

    def __repr__(self) -> str:
        return f"VectorSynthesizer({self.convex_set!r}, {self._amounts()}, neighbours={self.neighbours!r})"


def _loaded(manifest: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> VectorSynthesizer:
    """Make the fitted object of a release; nothing that is read is taken on trust."""
    if manifest["kind"] != _KIND:
        raise ValueError("it is one of another kind")
    convex_set = ConvexSet.from_dict(manifest["convex_set"])
    budget = budget_from_dict(manifest, manifest["max_records_per_person"])
    neighbours = check_neighbours(manifest["neighbours"])
    ledger = own_ledger(manifest["ledger"], "a release")
    if ledger.neighbours != neighbours:
        raise ValueError(f"it was made for {neighbours} neighbours, its ledger is one of {ledger.neighbours}")
    if ledger.max_records_per_person != budget.max_records_per_person:
        raise ValueError("its ledger is about persons with another number of records")
    schema_hash = _hash(convex_set)
    if not any(fit.is_charged_with(budget) and fit.schema_hash == schema_hash for fit in ledger.fits):
        raise ValueError("no fit in its ledger has its epsilon, delta and convex set")
    model = BlockMeans.from_arrays(arrays)
    if model.means.shape[1] != convex_set.n_features:
        raise ValueError("its means have another number of entries than its convex set")
    if not isinstance(manifest["parameters"], dict):
        raise ValueError("its parameters are not an object")
    synth = VectorSynthesizer(convex_set, **shown_budget(budget), neighbours=neighbours)
    synth.ledger_ = ledger
    n = check_integer("n", manifest["n"], 0, 2**63 - 1)
    synth._settle(_Settings(convex_set, budget, neighbours, {}), model, n, manifest["parameters"])
    names, kind = manifest["columns"], manifest["container"]
    if kind not in get_args(Kind) or (names is None and kind != "numpy"):
        raise ValueError("its kind of table is none")
    if names is not None:
        if not isinstance(names, list) or len(names) != convex_set.n_features:
            raise ValueError("its columns are not the entries of its convex set")
        names = kept_names(names)
        if kind in ("polars", "pyarrow") and not all(isinstance(name, str) for name in names):
            raise ValueError(f"its columns have names that {kind} does not have")
    synth.columns_, synth._kind = names, kind
    return synth


def _hash(convex_set: ConvexSet) -> str:
    """SHA-256 of what is public about the records, for the ledger."""
    text = json.dumps(convex_set.to_dict(), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
