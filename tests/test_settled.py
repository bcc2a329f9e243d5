"""What was fitted stays so: parameters that are set afterwards are for the next fit alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import covloss_fast as cf
from covloss_fast import report
from covloss_fast.partitioned import PartitionedSample

BINARY = cf.Schema([cf.Binary("a"), cf.Binary("b", ("no", "yes")), cf.Binary("c", (0, 1))])
MIXED = cf.Schema(
    [cf.Binary("a"), cf.Categorical("b", ["no", "yes", "x"]), cf.Numeric("c", 0, 10, bins=5, integer=True)],
    structural_zeros=[{"a": True, "b": "x"}],
)
TABLE = {
    "a": np.arange(600) % 3 == 0,
    "b": np.array(["no", "yes"])[np.arange(600) % 2],
    "c": (np.arange(600) % 5 == 0).astype(int),
}
SETTINGS: dict[str, tuple[cf.Schema, dict[str, Any]]] = {
    "binary": (BINARY, {"delta": 1e-6}),
    "mixed": (MIXED, {"delta": 1e-6, "workload": {"a": 2}}),
    "rho": (MIXED, {"rho": 1.0, "epsilon": None, "delta": 1e-6, "max_records_per_person": 2}),
    "paper": (BINARY, {"delta": 0, "method": "paper", "neighbours": "replace_one", "certificate": False}),
}


def something_else(names: Any) -> dict[str, Any]:
    """Another value for each parameter: one of which nothing can be made, where nothing may ask for it."""
    values: dict[str, Any] = {name: object() for name in names}
    return {**values, "n_threads": 1, "ledger": cf.PrivacyLedger("replace_one", budget=cf.Budget(9, 0))}


def same(first: Any, second: Any) -> bool:
    if isinstance(first, dict):
        return first.keys() == second.keys() and all(same(first[name], second[name]) for name in first)
    if isinstance(first, np.ndarray):
        return first.dtype == second.dtype and first.tolist() == second.tolist()
    return bool(first == second)


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def outputs_of_table(synth: cf.CovLossSynthesizer, folder: Path) -> dict[str, Any]:
    folder.mkdir()
    synth.save(folder / "release")
    parts = PartitionedSample(synth, 70, folder / "parts", part_rows=50, random_state=3)
    with parts.written():
        for number in range(parts.n_parts):
            parts.write(number)
    batches = synth.sample_batches(70, 30, where={"b": "yes"}, random_state=3)
    return {
        "canonical": synth.sample(),
        "sample": synth.sample(700, random_state=3),
        "where": synth.sample(where={"b": "yes"}),
        "totals": synth.sample(totals={("a", "b"): {(False, "yes"): 3}}, random_state=3),
        "weights": synth.sample(700, weights="w", random_state=3),
        "batches": {str(i): batch for i, batch in enumerate(batches)},
        "rows": synth.sampler(700, random_state=3).table(5, 9),
        "marginals": [str(synth.marginals(names)) for names in ("b", ["a", "b"], ["a", "b", "c"])],
        "file": (folder / "release").read_bytes(),
        "parts": files_of(folder / "parts"),
        "page": report.build_private(synth, n_threads=1),
        "compared": report.build(TABLE, synth.sample(), synth.schema_, release=synth, n_threads=1),
        "schema": synth.schema_,
        "ledger": synth.ledger_.to_dict(),
        "certificate": synth.certificate_,
        "parameters": synth.parameters_,
    }


@pytest.mark.parametrize("kind", SETTINGS)
def test_tables(kind: str, tmp_path: Path) -> None:
    schema, settings = SETTINGS[kind]
    synth = cf.CovLossSynthesizer(schema, **{"epsilon": 1.0, "n_threads": 2, **settings}).fit(TABLE)
    before = outputs_of_table(synth, tmp_path / "before")
    names = synth.get_params()
    other = something_else(names)
    assert not [name for name in names if names[name] is other[name]]
    synth.set_params(**other)
    after = outputs_of_table(synth, tmp_path / "after")
    assert [name for name in before if not same(before[name], after[name])] == []
    assert repr(synth)
    loaded = cf.load(tmp_path / "after" / "release")
    before = outputs_of_table(loaded, tmp_path / "loaded")
    after = outputs_of_table(loaded.set_params(**other), tmp_path / "again")
    assert [name for name in before if not same(before[name], after[name])] == []


def test_vectors(tmp_path: Path) -> None:
    synth = cf.VectorSynthesizer(cf.Simplex(3), epsilon=1.0, n_blocks=4)
    synth.fit(np.random.default_rng(0).dirichlet([1.0, 2.0, 3.0], 500))

    def outputs(path: Path) -> dict[str, Any]:
        synth.save(path)
        return {
            "default": len(synth.sample()),
            "sample": synth.sample(50, random_state=3),
            "weights": synth.weights_,
            "means": synth.means_,
            "file": path.read_bytes(),
            "ledger": synth.ledger_.to_dict(),
            "parameters": synth.parameters_,
        }

    before = outputs(tmp_path / "before")
    synth.set_params(**something_else(synth.get_params()))
    after = outputs(tmp_path / "after")
    assert [name for name in before if not same(before[name], after[name])] == []
    assert repr(synth)


def test_masked_tables() -> None:
    schema = cf.Schema([cf.Binary("a"), cf.Categorical("b", ["no", "yes"]), cf.Binary("c", (0, 1))])
    aggregator = cf.Microaggregator(min_block_size=5, schema=schema).fit(TABLE)
    before = [aggregator.sample(50, random_state=3), aggregator.sample(50, random_state=3, numbers="bins")]
    others = {name: object() for name in aggregator.get_params()}
    aggregator.set_params(**{**others, "n_threads": 1})
    after = [aggregator.sample(50, random_state=3), aggregator.sample(50, random_state=3, numbers="bins")]
    assert all(same(*each) for each in zip(before, after))


def test_adapters() -> None:
    synth = cf.adapters.SmartNoiseSynthesizer(epsilon=1.0, delta=1e-6, schema=MIXED)
    rows = list(zip(*(TABLE[name].tolist() for name in ("a", "b", "c"))))
    synth.fit(rows)
    canonical, conditional = synth.sample(), set(synth.sample_conditional(50, {"b": "yes"}))
    synth.epsilon = synth.delta = synth.schema = synth.settings = object()  # type: ignore[assignment]
    synth.synthesizer_.set_params(**something_else(synth.synthesizer_.get_params()))
    assert synth.sample() == canonical
    assert {row[1] for row in conditional} == {row[1] for row in synth.sample_conditional(50, {"b": "yes"})}
    assert len(synth.sample(7)[0]) == 3
