"""Certificates of whole fits hold the true errors as often as they say; benchmarks/coverage.py at length."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import covloss_fast as cf


@pytest.mark.parametrize("neighbours", ["add_or_remove_one", "replace_one"])
@pytest.mark.parametrize("delta", [0, 1e-6])
def test_certificates_hold_the_true_error(delta: float, neighbours: Any) -> None:
    n_releases = 100
    schema = cf.Schema([cf.Binary(f"a{i}", levels=(0, 1)) for i in range(5)])
    rng = np.random.default_rng(2)
    held = []
    for seed in range(n_releases):
        means = rng.random((2, 5))[rng.integers(0, 2, int(rng.integers(50, 2_000)))]
        table = (rng.random(means.shape) < means).astype(np.uint8)
        synth = cf.CovLossSynthesizer(
            schema, epsilon=4.0, delta=delta, neighbours=neighbours, random_state=seed, n_threads=1
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", cf.NotPrivateWarning)
            released = synth.fit(table).sample()
        assert [part.degree for part in synth.certificate_] == [1, 2, 3, 4]
        for part in synth.certificate_:
            true = cf.marginal_error(table, released, degree=part.degree).rms
            held.append(part.low <= true <= part.high)
    # Of 400 intervals of exactly 95 %, fewer than 91 % hold the truth once in some 2,000 times.
    assert np.mean(held) >= 0.91
