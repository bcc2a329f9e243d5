"""How often does the certificate's interval hold the true error? Whole fits of small tables; print a table.

    python benchmarks/coverage.py [--releases 1000]

Each release is of a fresh random table of dependent bits (50 to 2,000 records). An interval is promised to
hold the true error with probability 95 % at least. The exit status is 1 if a cell falls short of that by more
than four standard errors. "Says something" is the share of intervals whose lower end is above 0.
"""

from __future__ import annotations

import argparse
import math
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

import covloss_fast as cf
from covloss_fast.privacy.certificate import CONFIDENCE

N_ATTRIBUTES = 5
SETTINGS: list[tuple[float, float, str]] = [
    (epsilon, delta, neighbours)
    for epsilon, delta in ((1.0, 0.0), (1.0, 1e-6), (8.0, 1e-6))
    for neighbours in ("add_or_remove_one", "replace_one")
]


def random_table(rng: np.random.Generator) -> NDArray[np.uint8]:
    """Bits with random means in two random groups of records."""
    n = int(rng.integers(50, 2_000))
    means = rng.random((2, N_ATTRIBUTES))[rng.integers(0, 2, n)]
    return (rng.random((n, N_ATTRIBUTES)) < means).astype(np.uint8)


def main() -> int:
    """Measure all settings."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--releases", type=int, default=1000, help="releases of each setting")
    n_releases = parser.parse_args().releases
    schema = cf.Schema([cf.Binary(f"a{i}", levels=(0, 1)) for i in range(N_ATTRIBUTES)])
    rng = np.random.default_rng(1)
    slack = 4 * math.sqrt(CONFIDENCE * (1 - CONFIDENCE) / n_releases)
    failures = 0
    print("| epsilon | delta | neighbours | d = 1 | d = 2 | d = 3 | d = 4 | says something |")
    print("|---|---|---|---|---|---|---|---|")
    for epsilon, delta, neighbours in SETTINGS:
        held, told = np.zeros(4), 0
        options: Any = {"epsilon": epsilon, "delta": delta, "neighbours": neighbours, "n_threads": 1}
        for _ in range(n_releases):
            table = random_table(rng)
            synth = cf.CovLossSynthesizer(schema, **options).fit(table)
            for part in synth.certificate_:
                true = cf.marginal_error(table, synth.sample(), degree=part.degree).rms
                held[part.degree - 1] += part.low <= true <= part.high
                told += not part.at_most
        shares = held / n_releases
        failures += int((shares < CONFIDENCE - slack).sum())
        cells = " | ".join(f"{share:.3f}" for share in shares)
        print(
            f"| {epsilon:g} | {delta:g} | {neighbours} | {cells} | {told / (4 * n_releases):.2f} |",
            flush=True,
        )
    print(f"\n{failures} cells below {CONFIDENCE:g} - {slack:.3f}")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
