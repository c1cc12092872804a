"""Numbers with confidence intervals: how they are judged against limits, and how they come from samples.

Nothing here knows of records: `gdmbench.exhibits.statistics` takes the samples from them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from scipy.special import bdtr, ndtri, stdtrit  # all of scipy.stats would take a second to import

from gdmbench.exhibits.claim_wording import average
from gdmbench.exhibits.digits import format_number

Judgement = Literal["reproduced", "not reproduced", "not enough evidence"]
LEVEL = 0.95


@dataclass(frozen=True)
class Estimate:
    """A number with its confidence interval, from ``n`` observations; ``missing`` ones had failed or gave none."""

    value: float
    low: float
    high: float
    n: int
    missing: int = 0

    def below(self, limit: float) -> Judgement:
        """Judge "less than the limit": the whole interval must lie on one side."""
        return self.within(-math.inf, limit)

    def above(self, limit: float) -> Judgement:
        """Judge "more than the limit": the whole interval must lie on one side."""
        return self.within(limit, math.inf)

    def within(self, low: float, high: float) -> Judgement:
        """Judge "between the two": the whole interval must lie inside, or else outside."""
        if self.low > low and self.high < high:
            return "reproduced"
        if self.low >= high or self.high <= low:
            return "not reproduced"
        return "not enough evidence"

    def __str__(self) -> str:
        """Write value, interval if there is one, and number of observations."""
        if not self.n:
            return "no records"
        ends = f" [{format_number(self.low)}, {format_number(self.high)}]" if self.low != self.high else ""
        lost = f", {self.missing} missing" if self.missing else ""
        return f"{format_number(self.value)}{ends} (n = {self.n}{lost})"

    def without_interval(self) -> "Estimate":
        """Return the value alone, whose ends are the value itself."""
        return replace(self, low=self.value, high=self.value)


NOTHING = Estimate(math.nan, -math.inf, math.inf, 0)


def all_of(outcomes: Sequence[Judgement]) -> Judgement:
    """Judge a claim of several parts: one part refuted refutes it, one part open leaves it open."""
    if "not reproduced" in outcomes:
        return "not reproduced"
    return "reproduced" if outcomes and set(outcomes) == {"reproduced"} else "not enough evidence"


def stratified_mean(groups: Sequence[np.ndarray], level: float) -> Estimate:
    """Estimate the mean over groups of what stands for each: its mean or, where the reading says so, its median.

    The interval is Student's with Welch and Satterthwaite's degrees of freedom.
    """
    n = sum(group.size for group in groups)
    if n == 0:
        return NOTHING
    middle, variance_of = (np.median, _median_variance) if average() == "median" else (np.mean, _mean_variance)
    mean = float(np.mean([middle(group) for group in groups]))
    if n == len(groups):
        return Estimate(mean, -math.inf, math.inf, n)
    parts = np.array([variance_of(group) for group in groups])
    freedom = np.array([group.size - 1 for group in groups])
    variance = float(parts.sum())
    degrees = variance**2 / float((parts**2 / freedom).sum()) if variance > 0 else float(freedom.sum())
    return student_interval(mean, math.sqrt(variance) / len(groups), degrees, n, level)


def ratio_of_means(before: np.ndarray, after: np.ndarray, level: float) -> Estimate:
    """Estimate the ratio of two numbers from independent samples of their logarithms, after Welch."""
    if min(before.size, after.size) < 2:
        return Estimate(math.exp(after.mean() - before.mean()), 0.0, math.inf, before.size + after.size)
    # The difference of two means is twice the mean of the second sample and the first with its sign changed.
    half = stratified_mean([-before, after], level)
    return from_logarithms(Estimate(2 * half.value, 2 * half.low, 2 * half.high, half.n))


def student_interval(value: float, error: float, degrees: float, n: int, level: float) -> Estimate:
    """Return an estimate with Student's interval of its standard error."""
    reach = float(stdtrit(degrees, (1 + level) / 2)) * error
    return Estimate(value, value - reach, value + reach, n)


def from_logarithms(estimate: Estimate) -> Estimate:
    """Return the estimate of a number from that of its logarithm."""
    value, low, high = (math.exp(min(x, 700.0)) for x in (estimate.value, estimate.low, estimate.high))
    return replace(estimate, value=value, low=low, high=math.inf if estimate.high == math.inf else high)


def _mean_variance(group: np.ndarray) -> float:
    return float(group.var(ddof=1) / group.size)


def _median_variance(group: np.ndarray) -> float:
    """Variance of a median, from the distance of two order statistics that enclose it with known probability.

    After R. M. Price and D. G. Bonett (2001), Estimating the variance of the sample median, Journal of Statistical
    Computation and Simulation 68, 295-305.
    """
    n = group.size
    rank = max(1, round((n + 1) / 2 - math.sqrt(n)))
    normal = -float(ndtri(bdtr(rank - 1, n, 0.5)))  # the interval of ranks has this many standard errors either way
    ordered = np.sort(group)
    return float((ordered[n - rank] - ordered[rank - 1]) / (2 * normal)) ** 2
