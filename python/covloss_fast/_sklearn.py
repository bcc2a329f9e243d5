"""What scikit-learn asks of an estimator, answered without needing it: its tags are made when it asks."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def tags(*, is_transformer: bool) -> Any:
    """Return ``sklearn.utils.Tags`` of an estimator without a target; it is scikit-learn that asks."""
    utils = import_module("sklearn.utils")
    return utils.Tags(
        estimator_type=None,
        target_tags=utils.TargetTags(required=False),
        transformer_tags=utils.TransformerTags() if is_transformer else None,
        classifier_tags=None,
        regressor_tags=None,
        array_api_support=False,
        no_validation=True,  # tables of any kind are read, not arrays of numbers alone
        non_deterministic=not is_transformer,
        requires_fit=True,
        input_tags=utils.InputTags(one_d_array=False, two_d_array=True, categorical=True, string=True),
    )


def refuse_target(y: Any) -> None:
    """Refuse a target: a pipeline passes None; anything else would be left out without a word."""
    if y is not None:
        raise ValueError("y must be None: a column that is to be synthesized too belongs into the table")
