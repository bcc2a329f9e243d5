"""Words that several rooms print."""

from __future__ import annotations

from collections.abc import Sequence

#: Rules that are printed; JSON has them all.
_MOST_RULES = 5


def clamping_text(rules: Sequence[str]) -> str:
    """Return the rules for values beyond bounds (``Schema.clamping``) as one line, the first few of them."""
    more = [f"{len(rules) - _MOST_RULES:,} more"] if len(rules) > _MOST_RULES else []
    return f"values that count as a bound: {'; '.join([*rules[:_MOST_RULES], *more])}"
