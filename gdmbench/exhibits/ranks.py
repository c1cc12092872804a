"""Ranks of methods over several data sets, by Friedman's test and Nemenyi's critical difference (Demsar 2006)."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import chi2, rankdata, studentized_range

from gdmbench.exhibits.estimates import LEVEL


@dataclass(frozen=True)
class Ranks:
    """Mean ranks, 1 the best, and what differences among them mean.

    Attributes
    ----------
    means : Series
        The mean rank of each method, best first.
    critical : float
        Two methods differ if their mean ranks are farther apart than this (Nemenyi, all pairs together).
    p_value : float
        Of Friedman's test that all methods are alike.
    n : int
        Number of data sets.
    """

    means: "pd.Series[float]"
    critical: float
    p_value: float
    n: int


def mean_ranks(scores: pd.DataFrame, level: float = LEVEL) -> Ranks:
    """Rank methods, the columns, on each data set, the rows: lower scores are better, ties share, none is the worst.

    References
    ----------
    J. Demsar (2006). Statistical comparisons of classifiers over multiple data sets. Journal of Machine Learning
    Research 7.

    Examples
    --------
    >>> import pandas as pd
    >>> mean_ranks(pd.DataFrame({"a": [1.0, 1.0, 2.0], "b": [2.0, None, 1.0]})).means.round(2).to_dict()
    {'a': 1.33, 'b': 1.67}
    """
    n, k = scores.shape
    ranks = rankdata(scores.fillna(np.inf).to_numpy(), axis=1)
    means = pd.Series(ranks.mean(axis=0), index=scores.columns)
    spread = float(((ranks - (k + 1) / 2) ** 2).sum()) / (n * (k - 1))  # k (k + 1) / 12 without ties
    statistic = n * float(((means - (k + 1) / 2) ** 2).sum()) / spread if spread else 0.0
    critical = float(studentized_range.ppf(level, k, np.inf)) * float(np.sqrt(k * (k + 1) / (12 * n)))
    return Ranks(means.sort_values(kind="stable"), critical, float(chi2.sf(statistic, k - 1)), n)
