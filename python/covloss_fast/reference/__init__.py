"""The same functions in plain numpy: slow, obvious, oracle of the tests and baseline of the benchmarks.

Examples
--------
>>> import numpy as np
>>> import covloss_fast as cf
>>> cf.reference.bits.second_moment(np.array([[0, 1], [1, 1]], dtype=np.uint8)).tolist()
[[1, 1], [1, 2]]
"""

from covloss_fast.reference import (
    audit,
    bits,
    encoding,
    faults,
    local_search,
    microaggregation,
    noise,
    paper,
    partition,
    queries,
    restored,
    rounding,
    transcripts,
    vectors,
)

__all__ = [
    "audit",
    "bits",
    "encoding",
    "faults",
    "local_search",
    "microaggregation",
    "noise",
    "paper",
    "partition",
    "queries",
    "restored",
    "rounding",
    "transcripts",
    "vectors",
]
