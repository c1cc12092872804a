"""What records support, with intervals: ratios of two methods, rates of decrease, trends along a sweep.

Errors and times are compared as ratios, hence averaged as logarithms. Every method at a point sees the same data, so
that two methods are compared repetition by repetition; data at different points are independent. Another reading
(`gdmbench.exhibits.readings`) takes arithmetic means or medians over repetitions instead.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import pandas as pd
from scipy.special import bdtr, ndtri, stdtrit  # all of scipy.stats would take a second to import

from gdmbench.exhibits.digits import format_number
from gdmbench.exhibits.readings import average
from gdmbench.records.frame import are_numbers, swept_values

Outcome = Literal["reproduced", "not reproduced", "not enough evidence"]
LEVEL = 0.95


@dataclass(frozen=True)
class Estimate:
    """A number with its confidence interval, from ``n`` observations; ``missing`` ones had failed or gave none."""

    value: float
    low: float
    high: float
    n: int
    missing: int = 0

    def below(self, limit: float) -> Outcome:
        """Judge "less than the limit": the whole interval must lie on one side."""
        return self.within(-math.inf, limit)

    def above(self, limit: float) -> Outcome:
        """Judge "more than the limit": the whole interval must lie on one side."""
        return self.within(limit, math.inf)

    def within(self, low: float, high: float) -> Outcome:
        """Judge "between the two": the whole interval must lie inside, or else outside."""
        if self.low > low and self.high < high:
            return "reproduced"
        if self.low >= high or self.high <= low:
            return "not reproduced"
        return "not enough evidence"

    def __str__(self) -> str:
        """Write value, interval and number of observations."""
        if not self.n:
            return "no records"
        ends = f"[{format_number(self.low)}, {format_number(self.high)}]"
        lost = f", {self.missing} missing" if self.missing else ""
        return f"{format_number(self.value)} {ends} (n = {self.n}{lost})"


_Point = tuple[Any, Any, Any]  # experiment, swept value, repetition: where methods saw the same documents
NOTHING = Estimate(math.nan, -math.inf, math.inf, 0)


def all_of(outcomes: Sequence[Outcome]) -> Outcome:
    """Judge a claim of several parts: one part refuted refutes it, one part open leaves it open."""
    if "not reproduced" in outcomes:
        return "not reproduced"
    return "reproduced" if outcomes and set(outcomes) == {"reproduced"} else "not enough evidence"


def ratio(frame: pd.DataFrame, measure: str, a: str, b: str, *, level: float = LEVEL) -> Estimate:
    """Estimate the ratio of method ``a`` to method ``b``: the geometric mean over points of that over repetitions.

    Repetitions are paired. The interval is Student's on logarithms with the swept values as strata (Welch and
    Satterthwaite's degrees of freedom): differences between the values are no noise. Where a value has a single
    pair, all pairs are one sample.
    """
    ratios, missing = _log_ratios(frame, measure, a, b)
    return replace(_exp(_over_points(ratios, level)), missing=missing)


def ratio_at_each(frame: pd.DataFrame, measure: str, a: str, b: str, *, level: float = LEVEL) -> dict[object, Estimate]:
    """Estimate the ratio of ``a`` to ``b`` at each swept value, all intervals right together (Bonferroni)."""
    values = swept_values(frame)
    each = 1 - (1 - level) / max(1, len(values))
    return {value: ratio(_at(frame, value), measure, a, b, level=each) for value in values}


def difference(frame: pd.DataFrame, measure: str, a: str, b: str, *, level: float = LEVEL) -> Estimate:
    """Estimate ``a`` minus ``b`` in the units of the measure: the mean over points of that over paired repetitions."""
    return _over_points(_pairwise(*(_numbers(frame, measure, method) for method in (a, b))), level)


def rate(values: np.ndarray) -> np.ndarray:
    """Give log v / v, whose square root is the paper's rate in the number or length of documents."""
    return np.log(values) / values


def fit_exponent(
    frame: pd.DataFrame,
    measure: str,
    method: str,
    *,
    of: Callable[[np.ndarray], np.ndarray] = rate,
    level: float = LEVEL,
) -> Estimate:
    """Estimate the exponent e in ``measure ∝ of(v)^e`` by least squares on logarithms.

    One observation is the mean logarithm at one swept value, so that curvature widens the interval instead of being
    averaged away over repetitions.
    """
    groups = _by_value(_logs(frame, measure, method))
    values = list(groups)
    if not values:
        return NOTHING
    if not are_numbers(values):
        raise ValueError(f"an exponent needs swept numbers, not {values[0]!r}")
    middle = np.median if average() == "median" else np.mean
    x, y = np.log(of(np.array(values, dtype=float))), np.array([middle(group) for group in groups.values()])
    if len(values) < 3:
        return replace(NOTHING, n=len(values))
    x = x - x.mean()
    slope = float(x @ y / (x @ x))
    residuals = y - y.mean() - slope * x
    error = math.sqrt(residuals @ residuals / (len(x) - 2) / (x @ x))
    return _interval(slope, error, len(x) - 2, len(x), level)


@dataclass(frozen=True)
class Trend:
    """How a measure goes along a sweep: ratio of the last value to the first, and of each to the one before."""

    overall: Estimate
    steps: tuple[Estimate, ...]

    def falls(self) -> Outcome:
        """Judge "decreases": lower at the end, and no step clearly up."""
        return all_of([self.overall.below(1), *_refuted(step.below(1) for step in self.steps)])

    def rises(self) -> Outcome:
        """Judge "increases": higher at the end, and no step clearly down."""
        return all_of([self.overall.above(1), *_refuted(step.above(1) for step in self.steps)])


def trend(frame: pd.DataFrame, measure: str, method: str, *, level: float = LEVEL) -> Trend:
    """Estimate how a measure of one method changes along the sweep; the steps' intervals hold together."""
    groups = list(_by_value(_logs(frame, measure, method)).values())
    if len(groups) < 2:
        return Trend(NOTHING, ())
    each = 1 - (1 - level) / (len(groups) - 1)
    steps = tuple(_ratio_of_means(before, after, each) for before, after in pairwise(groups))
    return Trend(_ratio_of_means(groups[0], groups[-1], level), steps)


def _refuted(outcomes: Iterable[Outcome]) -> list[Outcome]:
    return [outcome for outcome in outcomes if outcome == "not reproduced"]


def _at(frame: pd.DataFrame, value: object) -> pd.DataFrame:
    return frame[[other == value for other in frame["value"]]]


def _numbers(frame: pd.DataFrame, measure: str, method: str) -> dict[_Point, float]:
    """Finite numbers of a method by experiment, value and repetition, in the order of the sweep.

    A mapping, as claims ask for thousands of short series, each of which costs pandas several milliseconds.
    """
    columns = ("method", "experiment", "value", "repetition", measure)
    return {
        (experiment, value if value == value else None, repetition): number  # nothing swept may be NaN
        for name, experiment, value, repetition, number in zip(*(frame[c].to_list() for c in columns), strict=True)
        if name == method and math.isfinite(number)
    }


def _logs(frame: pd.DataFrame, measure: str, method: str) -> dict[_Point, float]:
    """Logarithms of the positive numbers among them.

    Where arithmetic means are asked for, each logarithm is replaced by ``log m + x / m - 1``, m the arithmetic mean at
    its point: these have the mean log m, and the variance that the delta method gives log m.
    """
    positive = {point: number for point, number in _numbers(frame, measure, method).items() if number > 0}
    if average() != "arithmetic":
        return {point: math.log(number) for point, number in positive.items()}
    means = {at: float(group.mean()) for at, group in _grouped(positive, lambda point: point[:2]).items()}
    return {point: math.log(means[point[:2]]) + number / means[point[:2]] - 1 for point, number in positive.items()}


def _log_ratios(frame: pd.DataFrame, measure: str, a: str, b: str) -> tuple[dict[_Point, float], int]:
    ratios = _pairwise(_logs(frame, measure, a), _logs(frame, measure, b))
    methods = frame["method"].to_list()
    return ratios, max(methods.count(a), methods.count(b)) - len(ratios)


def _pairwise(ours: dict[_Point, float], theirs: dict[_Point, float]) -> dict[_Point, float]:
    """Differences at the points that both have."""
    return {point: number - theirs[point] for point, number in ours.items() if point in theirs}


def _grouped(numbers: dict[_Point, float], key: Callable[[_Point], Any]) -> dict[Any, np.ndarray]:
    groups: dict[Any, list[float]] = {}
    for point, number in numbers.items():
        groups.setdefault(key(point), []).append(number)
    return {at: np.array(group) for at, group in groups.items()}


def _by_value(numbers: dict[_Point, float]) -> dict[Any, np.ndarray]:
    return _grouped(numbers, lambda point: point[1])


def _over_points(numbers: dict[_Point, float], level: float) -> Estimate:
    """Average over the swept values what is the average over repetitions."""
    groups = list(_grouped(numbers, lambda point: point[:2]).values())
    if any(group.size < 2 for group in groups):
        groups = [np.concatenate(groups)]
    return _stratified_mean(groups, level)


def _stratified_mean(groups: Sequence[np.ndarray], level: float) -> Estimate:
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
    return _interval(mean, math.sqrt(variance) / len(groups), degrees, n, level)


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


def _ratio_of_means(before: np.ndarray, after: np.ndarray, level: float) -> Estimate:
    """Ratio of two independent samples of logarithms, after Welch."""
    if min(before.size, after.size) < 2:
        return Estimate(math.exp(after.mean() - before.mean()), 0.0, math.inf, before.size + after.size)
    # The difference of two means is twice the mean of the second sample and the first with its sign changed.
    half = _stratified_mean([-before, after], level)
    return _exp(Estimate(2 * half.value, 2 * half.low, 2 * half.high, half.n))


def _interval(value: float, error: float, degrees: float, n: int, level: float) -> Estimate:
    reach = float(stdtrit(degrees, (1 + level) / 2)) * error
    return Estimate(value, value - reach, value + reach, n)


def _exp(estimate: Estimate) -> Estimate:
    value, low, high = (math.exp(min(x, 700.0)) for x in (estimate.value, estimate.low, estimate.high))
    return replace(estimate, value=value, low=low, high=math.inf if estimate.high == math.inf else high)
