"""The paper's method, compiled and in plain numpy: the same release from the same seed."""

from __future__ import annotations

import warnings
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import covloss_fast as cf
from covloss_fast.reference.paper import release_paper

TABLES = {
    "bits": (2, 2, 2, 2, 2, 2),
    "levels": (3, 4, 5),
    "both": (2, 3, 2, 5),
    "one bit": (2,),
    "one level": (1, 2, 3),
}


@pytest.mark.parametrize("neighbours", ["add_or_remove_one", "replace_one"])
@pytest.mark.parametrize(
    ("n_blocks", "partition"),
    [
        (None, None),  # one block
        (9, None),  # a line of points
        (60, "covering"),  # a disc of points
        (64, None),  # pins
        (20, "pinning"),
        (20, "signs"),
        (1, "signs"),
    ],
)
@pytest.mark.parametrize("name", TABLES)
def test_the_same_seed_gives_the_same_release(
    name: str, n_blocks: int | None, partition: Any, neighbours: Any
) -> None:
    sizes, n, seed = TABLES[name], 700, 5
    generator = np.random.default_rng(2)
    kind = generator.integers(0, 2, n)  # two kinds of records, so that attributes go together
    drawn = [generator.integers(0, size, n) for size in sizes]
    together = [np.where(generator.random(n) < 0.7, kind * (size - 1), x) for size, x in zip(sizes, drawn)]
    table = np.stack(together, axis=1)

    synth = cf.CovLossSynthesizer(
        cf.Schema.from_domain({f"a{j}": size for j, size in enumerate(sizes)}),
        epsilon=20,
        delta=0,
        method="paper",
        neighbours=neighbours,
        n_blocks=n_blocks,
        partition=partition,
        certificate=neighbours == "replace_one" or n_blocks != 9,
        random_state=seed,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.NotPrivateWarning)
        synth.fit(table)
    slow = release_paper(
        table,
        sizes,
        Fraction(20),
        seed,
        neighbours=neighbours,
        n_blocks=n_blocks,
        partition=partition,
        certificate=synth.certificate,
    )
    assert slow.n_released == synth._n_released
    np.testing.assert_allclose(slow.weights, synth._model.weights, rtol=0, atol=1e-12)
    np.testing.assert_allclose(slow.means, synth._model.means, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(slow.codes.T, synth.sample())
    assert slow.errors == pytest.approx([part.rms for part in synth.certificate_], rel=1e-12)
    assert synth.parameters_["n_blocks"] == len(slow.weights)


def test_blocks_are_told_apart() -> None:
    """Two kinds of records are found again, so that what is compared above is a partition."""
    generator = np.random.default_rng(0)
    table = np.repeat(generator.integers(0, 2, (700, 1)), 6, axis=1)
    release = release_paper(table, (2,) * 6, Fraction(100), 1, n_blocks=9, certificate=False)
    large = release.means[release.weights > 0.2]
    assert len(large) == 2
    assert np.abs(large - 0.5).min() > 0.3
    assert ((large > 0.5).sum(axis=0) == 1).all()
