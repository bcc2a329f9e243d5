"""An empirical audit: how much privacy do two neighbouring tables visibly lose?

An (epsilon, delta)-private release satisfies P'(E) <= e^epsilon P(E) + delta for every event E and all
neighbouring tables. From many releases of two such tables, an event "statistic above a threshold" is chosen
on one half and counted on the other; Clopper-Pearson bounds on its two probabilities give an epsilon that the
mechanism must have at least. An audit cannot prove privacy. It refutes a claim when the lower bound exceeds
it, and it is only as good as its statistic: for known noise the log-likelihood ratio is the best there is
(Neyman and Pearson).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Audit:
    """What an audit found.

    Attributes
    ----------
    epsilon_low : float
        The release is not (epsilon, delta)-private for any smaller epsilon, with the stated confidence.
    delta : float
        The delta of the claim.
    confidence : float
        Probability with which the statement holds.
    n_trials : int
        Releases of each table that were counted.
    """

    epsilon_low: float
    delta: float
    confidence: float
    n_trials: int


def clopper_pearson(successes: int, trials: int, failure: float) -> tuple[float, float]:
    """Return a lower and an upper bound of a probability, each wrong with probability at most `failure`."""
    from scipy.stats import beta

    low = 0.0 if successes == 0 else float(beta.ppf(failure, successes, trials - successes + 1))
    high = 1.0 if successes == trials else float(beta.isf(failure, successes + 1, trials - successes))
    return low, high


def audit(
    here: NDArray[np.float64], there: NDArray[np.float64], delta: float = 0.0, confidence: float = 0.999
) -> Audit:
    """Bound epsilon from below by one statistic of many releases of two neighbouring tables.

    Parameters
    ----------
    here, there : float64 arrays of one length
        The statistic of each release; it should tend to be larger for `there`.
    delta : float
        The delta of the claim.
    confidence : float
        Of the result.
    """
    half = len(here) // 2
    failure = (1 - confidence) / 4  # two probabilities, two directions

    def bound(more: NDArray[np.float64], fewer: NDArray[np.float64], threshold: float) -> float:
        p_low, _ = clopper_pearson(int((more > threshold).sum()), len(more), failure)
        _, q_high = clopper_pearson(int((fewer > threshold).sum()), len(fewer), failure)
        return math.log((p_low - delta) / q_high) if p_low > delta else -math.inf

    best = -math.inf
    for more, fewer in ((there, here), (-here, -there)):
        pooled = np.concatenate([more[:half], fewer[:half]])
        thresholds = np.unique(np.quantile(pooled, np.linspace(0.005, 0.995, 100), method="lower"))
        chosen = max(thresholds, key=lambda threshold: bound(more[:half], fewer[:half], threshold))
        best = max(best, bound(more[half:], fewer[half:], chosen))
    return Audit(max(0.0, best), delta, confidence, len(here) - half)


def log_likelihood_ratio(
    released: NDArray[np.int64],
    answer_here: NDArray[np.int64],
    answer_there: NDArray[np.int64],
    distribution: Literal["discrete Laplace", "discrete Gaussian"],
    scale: float,
) -> NDArray[np.float64]:
    """Return log(P'(release) / P(release)) for answers plus known noise.

    Parameters
    ----------
    released : int64 array of shape (trials, cells)
        Releases of either table.
    answer_here, answer_there : int64 arrays of shape (cells,)
        The exact answers of the two tables.
    distribution, scale
        The noise: Laplace and its scale, or Gaussian and its sigma^2.
    """
    far, near = np.abs(released - answer_here), np.abs(released - answer_there)
    if distribution == "discrete Laplace":
        return np.asarray((far - near).sum(axis=1) / scale, dtype=np.float64)
    return np.asarray((far.astype(np.float64) ** 2 - near**2.0).sum(axis=1) / (2 * scale), dtype=np.float64)
