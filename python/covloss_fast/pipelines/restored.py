"""The recommended method: released counts, and rows that are fitted to them.

Averaging blocks loses covariance, and so does rounding their means; but the second moment is released anyway,
so what was lost is known up to noise, and rows are fitted until they have it again
(:mod:`covloss_fast.released.fitting`). What is released depends on the attributes: tables of binary
attributes have all pairs at once and refined blocks, any other table has selected pair tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from covloss_fast.pipelines.common import Release, Task
from covloss_fast.pipelines.restored_binary import release_binary
from covloss_fast.pipelines.restored_categorical import release_categorical
from covloss_fast.released.planning import CERTIFICATE_SHARE, COUNT_SHARE
from covloss_fast.schema import BitLayout


def asks_all_pairs(layout: BitLayout, options: Mapping[str, Any]) -> bool:
    """Whether all pairs are released at once, with one noise: not where some count more than others."""
    return bool(layout.is_binary.all()) and options.get("workload") is None


def release_restored(task: Task) -> Release:
    """Release what rows are fitted to."""
    reserved = {"certificate": CERTIFICATE_SHARE} if task.certificate else {}
    if task.neighbours == "add_or_remove_one":
        reserved["count"] = COUNT_SHARE
    count = task.release_count(COUNT_SHARE)
    release = release_binary if asks_all_pairs(task.layout, task.options) else release_categorical
    return release(task, count, reserved)
