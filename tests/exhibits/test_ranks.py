"""Mean ranks and critical differences against scipy's test and published values."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import friedmanchisquare

from gdmbench.exhibits.ranks import mean_ranks


def test_friedmans_test_is_scipys_with_ties_too():
    scores = pd.DataFrame(np.random.default_rng(0).integers(0, 4, (12, 5)), columns=list("abcde"))
    found = mean_ranks(scores)
    assert found.p_value == pytest.approx(friedmanchisquare(*scores.to_numpy().T).pvalue)
    assert found.means.sum() == pytest.approx(15)
    assert found.means.is_monotonic_increasing
    assert found.n == 12


# Demsar (2006), Table 5: q at 95 %, rounded to three digits, for two to ten classifiers; his example in 3.2.2 has four
# on 14 data sets, critical difference 1.25 (q = 2.569, rounded).
@pytest.mark.parametrize(("k", "q"), [(2, 1.960), (4, 2.569), (6, 2.850), (10, 3.164)])
def test_the_critical_difference_is_that_of_the_published_table(k, q):
    scores = pd.DataFrame(np.random.default_rng(0).random((14, k)))
    assert mean_ranks(scores).critical == pytest.approx(q * np.sqrt(k * (k + 1) / (6 * 14)), rel=1e-3)


def test_a_method_without_a_score_is_last_and_equal_methods_are_alike():
    found = mean_ranks(pd.DataFrame({"a": [1.0, 2.0], "b": [None, 3.0], "c": [9.0, 1.0]}))
    assert found.means.to_dict() == {"a": 1.5, "c": 1.5, "b": 3.0}
    assert mean_ranks(pd.DataFrame({"a": [1.0, 2.0], "b": [1.0, 2.0]})).p_value == 1
