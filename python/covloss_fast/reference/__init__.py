"""The same functions in plain numpy: slow, obvious, oracle of the tests and baseline of the benchmarks."""

from covloss_fast.reference import (
    audit,
    bits,
    encoding,
    faults,
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
