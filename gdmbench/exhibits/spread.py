"""How much a measure scatters over repetitions, one method beside another."""

import math

import numpy as np
import pandas as pd

from gdmbench.exhibits.statistics import LEVEL, NOTHING, Estimate

_RESAMPLES = 2000


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
