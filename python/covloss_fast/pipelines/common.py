"""What the two methods share: what they are given and what they give back."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covloss_fast.privacy.accounting import Budget
from covloss_fast.privacy.ledger import Distribution, Neighbours
from covloss_fast.privacy.mechanisms import (
    Door,
    Mechanism,
    Sensitivity,
    noise_scale,
    noise_variance,
    record_count,
)
from covloss_fast.records.queries import BlockSums, ColumnCounts, MarginalCounts, PairCounts, Records
from covloss_fast.records.statistics import BlockStatistics, Moments, Partition
from covloss_fast.released.fitting import Targets
from covloss_fast.released.measured import Measured
from covloss_fast.released.model import BlockModel
from covloss_fast.schema import BitLayout, Schema

#: A count with noise is never taken below this, so that no later step divides by noise.
LEAST_COUNT = 10


@dataclass(frozen=True)
class Count:
    """A number of records that may be known outside.

    Attributes
    ----------
    released : int
        As released, noise included; exact where it is public.
    mechanism : Mechanism or None
        What released it; None where it is public.
    """

    released: int
    mechanism: Mechanism | None

    @property
    def n(self) -> int:
        """The number to divide by and to plan with: at least `LEAST_COUNT`, 1 where it is public."""
        return max(LEAST_COUNT if self.mechanism else 1, self.released)

    @property
    def noise_sd(self) -> float:
        """Standard deviation of its noise; 0 where it is public."""
        return self.mechanism.noise_sd if self.mechanism else 0.0

    @property
    def n_rows(self) -> int:
        """The length of a table like the records: theirs where it is public."""
        return self.n if self.mechanism else self.released


@dataclass(frozen=True)
class Task:
    """What a method works on.

    Attributes
    ----------
    schema : Schema
        Declared attributes.
    records : Records
        The private records.
    door : Door
        Where noise is added and written down.
    neighbours : {"add_or_remove_one", "replace_one"}
        The neighbouring relation of the guarantee.
    public_key : bytes
        Key of the public randomness (points drawn anew, sets of marginals), apart from the noise key.
    certificate : bool
        Whether the certificate's share is set aside.
    n_threads : int
        Threads to use.
    options : dict
        The caller's overrides.
    noise_seconds : list of float
        Time that each release spent drawing noise.
    """

    schema: Schema
    records: Records
    door: Door
    neighbours: Neighbours
    public_key: bytes
    certificate: bool
    n_threads: int
    options: Mapping[str, Any]
    noise_seconds: list[float] = field(default_factory=list)

    @property
    def layout(self) -> BitLayout:
        """The bits of a record."""
        return self.schema.layout

    @property
    def n_binary(self) -> int:
        """Number of binary attributes."""
        return int(self.layout.is_binary.sum())

    @property
    def n_other(self) -> int:
        """Number of attributes that are one-hot groups."""
        return len(self.layout.sizes) - self.n_binary

    def release(self, mechanism: Mechanism, exact: NDArray[np.int64]) -> NDArray[np.int64]:
        """Let exact integers through the door."""
        start = time.perf_counter()
        released = mechanism.release(exact)
        self.noise_seconds.append(time.perf_counter() - start)
        return released

    def column_counts(self) -> NDArray[np.int64]:
        """Exact records in which each bit is set, shape (n_bits,)."""
        return self.records.ask(ColumnCounts(), self.n_threads)

    def moments(self) -> Moments:
        """Exact counts of all pairs of bits."""
        return Moments(self.records.n_records, self.records.ask(PairCounts(), self.n_threads))

    def block_statistics(self, partition: Partition) -> BlockStatistics:
        """Exact counts and sums of every block."""
        found = self.records.ask(BlockSums(partition), self.n_threads)
        return BlockStatistics(found[:, 0], found[:, 1:])

    def marginal_counts(self, sets: Sequence[NDArray[np.int32]]) -> list[NDArray[np.int64]]:
        """Exact records in which all bits of a set are 1, for each set of several degrees."""
        found = self.records.ask(MarginalCounts(sets), self.n_threads)
        return np.split(found, np.cumsum([len(each) for each in sets])[:-1])

    def release_count(self, share: Fraction) -> Count:
        """The number of records: released under add-or-remove-one, public under replace-one."""
        if self.neighbours == "replace_one":
            return Count(self.records.n_records, None)
        mechanism = self.door.declare("number of records", record_count(self.neighbours), share)
        return Count(int(self.release(mechanism, np.array([self.records.n_records]))[0]), mechanism)

    def public_generator(self, purpose: int) -> np.random.Generator:
        """Public randomness for a purpose: a stream of the public key, never of the noise key."""
        return np.random.Generator(
            np.random.Philox(key=int.from_bytes(self.public_key[:16], "little"), counter=[0, 0, 0, purpose])
        )


def full_noise_sd(budget: Budget, sensitivity: Sensitivity) -> float:
    """Noise of a cell if the whole budget went to one query; infinite if even that could not be drawn."""
    name: Distribution = "discrete Laplace" if budget.is_pure else "discrete Gaussian"
    try:
        return math.sqrt(noise_variance(name, noise_scale(budget, sensitivity, Fraction(1))))
    except ValueError:
        return math.inf


@dataclass(frozen=True)
class Release:
    """What a method releases.

    Attributes
    ----------
    model : BlockModel
        Weights and means of the blocks.
    count : Count
        The number of records.
    parameters : dict
        The parameters that were used, for the record.
    targets : Targets or None
        What rows are fitted to; None where they are drawn from the model.
    measured : Measured or None
        The noisy counts themselves; None where nothing is released that is a marginal.
    """

    model: BlockModel
    count: Count
    parameters: Mapping[str, Any]
    targets: Targets | None = None
    measured: Measured | None = None
