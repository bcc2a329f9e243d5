"""The certificate of the canonical table: sets of bits drawn from public randomness, counts, the query."""

from __future__ import annotations

import numpy as np

from covloss_fast._core.bits import marginal_counts
from covloss_fast.pipelines.common import Release, Task
from covloss_fast.privacy import mechanisms
from covloss_fast.privacy.certificate import Certificate
from covloss_fast.privacy.certificate import certify as certify_degree
from covloss_fast.released.marginal_sets import draw_sets
from covloss_fast.released.planning import CERTIFICATE_SHARE
from covloss_fast.released.rows import Rows, packed_parts

_DEGREES = (1, 2, 3, 4)
_SETS = 2
#: All sets of a degree are measured up to this many, a public random sample of so many beyond it.
_MAX_SETS = 10_000


def certify(task: Task, release: Release, rows: Rows) -> tuple[Certificate, ...]:
    """Measure the RMS error of d-way marginals of the canonical table, d = 1..4, through the door.

    The table, its length and the sets are functions of released values and public randomness, fixed before
    the query, so each degree is an integer query of sensitivity 2^10 whatever the records.
    """
    generator = task.public_generator(_SETS)
    degrees = [degree for degree in _DEGREES if degree <= len(task.layout.sizes)]
    drawn = [draw_sets(task.layout, degree, _MAX_SETS, generator) for degree in degrees]
    share, sensitivity = CERTIFICATE_SHARE / len(degrees), mechanisms.certificate(task.neighbours)
    declared = [
        task.door.declare(f"error of {degree}-way marginals", sensitivity, share) for degree in degrees
    ]
    synthetic = packed_parts(rows, task.layout.sizes, task.n_threads)
    exact = task.marginal_counts([sets for sets, _ in drawn])  # of all degrees in one pass
    return tuple(
        certify_degree(
            counts,
            task.records.n_records,
            np.asarray(sum(times * marginal_counts(bits, sets, task.n_threads) for times, bits in synthetic)),
            rows.n_rows,
            mechanism,
            degree=degree,
            n_released=release.count.released,
            n_mechanism=release.count.mechanism,
            sampled=is_sample,
        )
        for degree, (sets, is_sample), mechanism, counts in zip(degrees, drawn, declared, exact)
    )
