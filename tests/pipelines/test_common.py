"""What the methods share: integers go through the door as they are, and nothing else does."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from covloss_fast.pipelines.common import Task
from covloss_fast.privacy.accounting import Budget
from covloss_fast.privacy.ledger import PrivacyLedger
from covloss_fast.privacy.mechanisms import Door, NoiseKey, record_count
from covloss_fast.schema import Schema


@pytest.mark.parametrize("answer", [np.array([3.9]), np.array([True]), np.array([3], dtype=np.int32)])
def test_what_is_not_exact_is_refused_at_the_door(answer: np.ndarray) -> None:
    ledger, key, budget = PrivacyLedger("add_or_remove_one"), NoiseKey.from_seed(1), Budget(1, 0)
    ledger.begin_fit(budget, schema_hash="", seeded=True)
    door = Door(budget, "add_or_remove_one", ledger, key, 1)
    task = Task(
        schema=Schema.from_domain({"a": 2}),
        records=SimpleNamespace(n_records=3),  # type: ignore[arg-type]
        door=door,
        neighbours="add_or_remove_one",
        public_key=b"0" * 32,
        certificate=False,
        n_threads=1,
        options={},
    )
    first, second = (door.declare("q", record_count("add_or_remove_one"), Fraction(1, 2)) for _ in range(2))
    with pytest.raises((TypeError, ValueError), match="int64"):
        task.release(first, answer)
    assert task.release(second, np.array([3])).dtype == np.int64
