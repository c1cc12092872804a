"""What records support, with intervals: ratios of two methods or of their spreads, rates of decrease, trends.

Errors and times are compared as ratios, hence averaged as logarithms. Every method at a point sees the same data, so
that two methods are compared repetition by repetition; data at different points are independent. Another reading
(`gdmbench.exhibits.claim_wording`) takes arithmetic means or medians over repetitions instead.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from gdmbench.exhibits.claim_wording import average
from gdmbench.exhibits.estimates import (
    LEVEL,
    NOTHING,
    Estimate,
    Judgement,
    all_of,
    from_logarithms,
    ratio_of_means,
    stratified_mean,
    student_interval,
)
from gdmbench.records.frame import are_numbers, swept_values

_Point = tuple[Any, Any, Any]  # experiment, swept value, repetition: where methods saw the same documents
_RESAMPLES = 2000


def ratio(frame: pd.DataFrame, measure: str, a: str, b: str, *, level: float = LEVEL) -> Estimate:
    """Estimate the ratio of method ``a`` to method ``b``: the geometric mean over points of that over repetitions.

    Repetitions are paired. The interval is Student's on logarithms with the swept values as strata (Welch and
    Satterthwaite's degrees of freedom): differences between the values are no noise. Where a value has a single
    pair, all pairs are one sample.
    """
    ratios, missing = _log_ratios(frame, measure, a, b)
    return replace(from_logarithms(_over_points(ratios, level)), missing=missing)


def ratio_at_each(frame: pd.DataFrame, measure: str, a: str, b: str, *, level: float = LEVEL) -> dict[object, Estimate]:
    """Estimate the ratio of ``a`` to ``b`` at each swept value, all intervals right together (Bonferroni)."""
    values = swept_values(frame)
    each = 1 - (1 - level) / max(1, len(values))
    return {value: ratio(_at(frame, value), measure, a, b, level=each) for value in values}


def difference(frame: pd.DataFrame, measure: str, a: str, b: str, *, level: float = LEVEL) -> Estimate:
    """Estimate ``a`` minus ``b`` in the units of the measure: the mean over points of that over paired repetitions."""
    return _over_points(_pairwise(*(_numbers(frame, measure, method) for method in (a, b))), level)


def spread_ratio(frame: pd.DataFrame, measure: str, a: str, b: str, *, level: float = LEVEL) -> Estimate:
    """Estimate the ratio of the standard deviations of ``a``'s and ``b``'s logarithms over repetitions.

    Deviations are from the mean at each point and pooled over points. The interval is a bootstrap's, for a method
    that ends in one of two places is far from normal: at each point repetitions are drawn again, those of both
    methods together as they saw the same data. The same records give the same interval.
    """
    if measure not in frame:
        return NOTHING
    logs = frame[(frame[measure] > 0) & np.isfinite(frame[measure])]
    logs = logs.assign(log=np.log(logs[measure].to_numpy(dtype=float)))
    pairs = logs[logs["method"].isin([a, b])].pivot_table(
        index=["experiment", "value", "repetition"], columns="method", values="log", dropna=False, observed=True
    )
    if a not in pairs or b not in pairs:
        return NOTHING
    pairs = pairs.dropna()
    points = [group.to_numpy().T for _, group in pairs[[a, b]].groupby(level=["experiment", "value"], dropna=False)]
    points = [point for point in points if point.shape[1] > 1]
    n = sum(point.shape[1] for point in points)
    if n - len(points) < 2:
        return Estimate(math.nan, 0.0, math.inf, n)
    rng = np.random.default_rng(0)
    ours, theirs = np.zeros(_RESAMPLES + 1), np.zeros(_RESAMPLES + 1)
    for point in points:
        size = point.shape[1]
        draws = np.vstack([np.arange(size), rng.integers(size, size=(_RESAMPLES, size))])
        squares = size * point[:, draws].var(axis=2)
        ours, theirs = ours + squares[0], theirs + squares[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.sqrt(ours / theirs)
    low, high = np.nanquantile(ratios[1:], [(1 - level) / 2, (1 + level) / 2])
    return Estimate(float(ratios[0]), float(low), float(high), n)


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
    return student_interval(slope, error, len(x) - 2, len(x), level)


@dataclass(frozen=True)
class Trend:
    """How a measure goes along a sweep: ratio of the last value to the first, and of each to the one before."""

    overall: Estimate
    steps: tuple[Estimate, ...]

    def falls(self) -> Judgement:
        """Judge "decreases": lower at the end, and no step clearly up."""
        return all_of([self.overall.below(1), *_refuted(step.below(1) for step in self.steps)])

    def rises(self) -> Judgement:
        """Judge "increases": higher at the end, and no step clearly down."""
        return all_of([self.overall.above(1), *_refuted(step.above(1) for step in self.steps)])


def trend(frame: pd.DataFrame, measure: str, method: str, *, level: float = LEVEL) -> Trend:
    """Estimate how a measure of one method changes along the sweep; the steps' intervals hold together."""
    groups = list(_by_value(_logs(frame, measure, method)).values())
    if len(groups) < 2:
        return Trend(NOTHING, ())
    each = 1 - (1 - level) / (len(groups) - 1)
    steps = tuple(ratio_of_means(before, after, each) for before, after in pairwise(groups))
    return Trend(ratio_of_means(groups[0], groups[-1], level), steps)


def _refuted(outcomes: Iterable[Judgement]) -> list[Judgement]:
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
    return stratified_mean(groups, level)
