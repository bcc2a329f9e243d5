"""Releases of the recommended method, compiled and in plain numpy: the same integers from the same seed."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import covloss_fast as cf
from covloss_fast.privacy.accounting import Budget
from covloss_fast.privacy.mechanisms import Mechanism
from covloss_fast.reference.restored import released_statistics
from covloss_fast.released.planning import Workload

CASES: dict[str, tuple[tuple[int, ...], dict[str, Any]]] = {
    "bits, blocks": ((2,) * 6, {"n_blocks": 8, "n_steps": 2}),
    "bits": ((2,) * 6, {}),
    "bits, pins": ((2,) * 60, {}),
    "one bit": ((2,), {}),
    "levels": ((3, 12, 5), {}),
    "both": ((2, 9, 2, 4), {}),
    "one level": ((1, 4), {}),
    "levels, weighted": ((3, 12, 5), {"workload": {"a1": 20, ("a0", "a2"): 0.1}}),
    "bits, weighted": ((2,) * 5, {"workload": {"a1": 9.0, ("a3", "a0"): 50}}),
}


@pytest.mark.parametrize("neighbours", ["add_or_remove_one", "replace_one"])
@pytest.mark.parametrize(("epsilon", "delta"), [(30.0, 0.0), (30.0, 1e-6), (0.01, 0.0)])
@pytest.mark.parametrize("case", CASES)
def test_the_same_seed_releases_the_same_integers(
    case: str, epsilon: float, delta: float, neighbours: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (sizes, options), n, seed = CASES[case], 900, 4
    generator = np.random.default_rng(2)
    kind = generator.integers(0, 2, n)  # two kinds of records, so that attributes go together
    drawn = [np.minimum(generator.geometric(0.4, n) - 1, size - 1) for size in sizes]
    together = [np.where(generator.random(n) < 0.7, kind * (size - 1), x) for size, x in zip(sizes, drawn)]
    table = np.stack(together, axis=1).astype(np.int64)

    released: list[NDArray[np.int64]] = []
    release = Mechanism.release

    def recorded(self: Mechanism, exact: NDArray[np.int64]) -> NDArray[np.int64]:
        released.append(release(self, exact))
        return released[-1]

    monkeypatch.setattr(Mechanism, "release", recorded)
    synth = cf.CovLossSynthesizer(
        cf.Schema.from_domain({f"a{j}": size for j, size in enumerate(sizes)}),
        epsilon=epsilon,
        delta=delta,
        neighbours=neighbours,
        certificate=False,
        random_state=seed,
        **options,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.NotPrivateWarning)
        synth.fit(table)
    if "workload" in options:
        options = {"workload": Workload.of(synth.schema, options["workload"])}
    expected = released_statistics(
        table, sizes, Budget(epsilon, delta), seed, neighbours=neighbours, certificate=False, options=options
    )
    assert len(released) == len(expected) == len(synth.ledger_.entries)
    for entry, ours, slow in zip(synth.ledger_.entries, released, expected):
        np.testing.assert_array_equal(ours, slow, err_msg=entry.query)
    if epsilon > 1 and len(sizes) > 2:
        kinds = {entry.query.split()[0] for entry in synth.ledger_.entries}
        assert kinds & {"counts", "pair", "all"}
