"""Accuracy that a later change must not quietly lose, and extremes at which nothing may break.

Seeds are fixed and the bounds loose, about 1.3 times what was measured; benchmarks/accuracy.py measures over
several seeds.
"""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import covloss_fast as cf


def coded(sizes: tuple[int, ...]) -> cf.Schema:
    return cf.Schema.from_domain({f"a{j}": size for j, size in enumerate(sizes)})


def fitted(schema: cf.Schema, table: Any, **settings: Any) -> cf.CovLossSynthesizer:
    synth = cf.CovLossSynthesizer(schema, **{"epsilon": 1.0, "delta": 1e-9, "random_state": 1, **settings})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.NotPrivateWarning)
        return synth.fit(table)


def mixture(n: int, p: int, k: int, seed: int) -> np.ndarray:
    """Records of a mixture of products."""
    generator = np.random.default_rng(seed)
    profile = generator.beta(0.5, 1.0, (k, p))
    return (generator.random((n, p)) < profile[generator.integers(0, k, n)]).astype(np.uint8)


def chain(n: int, sizes: tuple[int, ...], seed: int) -> np.ndarray:
    """Attributes that follow one another: each is near the one before."""
    generator = np.random.default_rng(seed)
    place = generator.random(n)
    columns = []
    for size in sizes:
        place = np.clip(place + 0.15 * generator.normal(size=n), 0, 1 - 1e-9)
        columns.append((place * size).astype(np.int64))
    return np.stack(columns, axis=1)


def test_binary_table_of_blocks() -> None:
    table = mixture(40_000, 24, 6, 0)
    schema = coded((2,) * 24)
    synth = fitted(schema, table)
    assert synth.parameters_["n_blocks_used"] > 1, "blocks say more than pairs do"
    made = synth.sample()
    assert cf.marginal_error(table, made, 2, schema).rms < 0.0012
    assert cf.marginal_error(table, made, 3, schema).rms < 0.0027
    again = synth.sample(40_000, random_state=3)
    assert cf.marginal_error(table, again, 2, schema).rms < 0.0013
    longer = synth.sample(100_000, random_state=3)
    assert cf.marginal_error(table, longer, 2, schema).rms < 0.0013


def test_binary_table_of_pairs() -> None:
    """A Markov chain's pairs say all, so its blocks are left out of the fit."""
    table = chain(30_000, (2,) * 20, 1).astype(np.uint8)
    schema = coded((2,) * 20)
    synth = fitted(schema, table)
    assert synth.parameters_.get("n_blocks_used", 1) == 1
    assert cf.marginal_error(table, synth.sample(), 2, schema).rms < 0.0017
    assert cf.marginal_error(table, synth.sample(), 3, schema).rms < 0.0015


@pytest.mark.parametrize(("delta", "bounds"), [(1e-9, (0.035, 0.075)), (0, (0.065, 0.12))])
def test_categorical_table(delta: float, bounds: tuple[float, float]) -> None:
    sizes = (3, 5, 2, 8, 4, 6, 2, 12)
    table, schema = chain(20_000, sizes, 2), coded(sizes)
    synth = fitted(schema, table, delta=delta)
    made = synth.sample()
    assert cf.attribute_tv(table, made, 2, schema) < bounds[0]
    assert cf.attribute_tv(table, made, 3, schema) < bounds[1]
    again = synth.sample(15_000, random_state=3)
    assert cf.attribute_tv(table, again, 2, schema) < bounds[0] * 1.1


@pytest.mark.parametrize("sizes", [(2,) * 60, (4,) * 20])
def test_where_noise_dominates_it_is_no_worse_than_independent_columns(sizes: tuple[int, ...]) -> None:
    table, schema = chain(1_000, sizes, 3), coded(sizes)
    binary = {"one_way": 1.0, "pairs": 0.0, "blocks": 0.0}
    alone = binary if max(sizes) == 2 else {"one_way": 1.0, "scores": 0.0, "pairs": 0.0}

    def error(shares: Any) -> float:
        made = [fitted(schema, table, epsilon=0.1, shares=shares, random_state=s).sample() for s in range(5)]
        return float(np.median([cf.marginal_error(table, each, 2, schema).rms for each in made]))

    assert error(None) < 1.05 * error(alone)


@pytest.mark.parametrize("neighbours", ["add_or_remove_one", "replace_one"])
@pytest.mark.parametrize("delta", [0, 1e-9])
@pytest.mark.parametrize("epsilon", [0.05, 1.0, 100.0, 700.0, 1000.0])
@pytest.mark.parametrize("sizes", [(2,), (2, 2), (1, 3), (2, 2, 7), (2,) * 40, (5,) * 12])
def test_nothing_breaks_at_the_extremes(
    sizes: tuple[int, ...], epsilon: float, delta: float, neighbours: str
) -> None:
    schema = coded(sizes)
    generator = np.random.default_rng(4)
    for table in (
        generator.integers(0, np.array(sizes), (30, len(sizes))),
        np.zeros((0, len(sizes)), dtype=np.int64),
        np.zeros((500, len(sizes)), dtype=np.int64),
        np.tile(np.array(sizes) - 1, (500, 1)),
        np.repeat(generator.integers(0, np.array(sizes), (2, len(sizes))), 300, axis=0),
    ):
        synth = fitted(schema, table, epsilon=epsilon, delta=delta, neighbours=neighbours)
        for made in (synth.sample(), synth.sample(7), synth.sample(0)):
            schema.validate(made)
        assert all(np.isfinite([part.rms, part.low, part.high]).all() for part in synth.certificate_)


# -- real tables --

REAL = {
    "nltcs": (1.0, {"rms": (0.0016, 0.0026)}),
    "plants": (1.0, {"rms": (0.0043, 0.0062)}),
    "accidents": (1.0, {"rms": (0.0070, 0.0050)}),
    "adult_coded": (1.0, {"tv": (0.037, 0.085)}),
}


@pytest.mark.skipif("COVLOSS_DATA" not in os.environ, reason="COVLOSS_DATA names no folder of real tables")
@pytest.mark.parametrize("name", REAL)
def test_real_tables(name: str) -> None:
    epsilon, bounds = REAL[name]
    folder = Path(os.environ["COVLOSS_DATA"])
    schema = cf.Schema.load(folder / f"{name}-domain.json")
    table = np.loadtxt(folder / f"{name}.csv.gz", delimiter=",", skiprows=1, dtype=np.int64)
    made = fitted(schema, table, epsilon=epsilon).sample()
    for degree, at in ((2, 0), (3, 1)):
        if "rms" in bounds:
            assert cf.marginal_error(table, made, degree, schema).rms < bounds["rms"][at]
        else:
            assert cf.attribute_tv(table, made, degree, schema) < bounds["tv"][at]


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
@pytest.mark.parametrize("n", [5_000, 50_000])
def test_the_error_is_what_was_predicted(n: int, epsilon: float) -> None:
    for table in (mixture(n, 30, 8, 5), chain(n, (2,) * 30, 6).astype(np.uint8)):
        synth = fitted(coded((2,) * 30), table, epsilon=epsilon)
        error = cf.marginal_error(table, synth.sample(), 2).rms
        assert 0.4 < error / synth.parameters_["predicted_rms"] < 2
