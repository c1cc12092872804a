"""digamma and the Dirichlet parameter of largest bound, against scipy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special
from scipy.optimize import minimize_scalar

from gdmbench.geometry.digamma import digamma, exp_digamma
from gdmbench.geometry.dirichlet import LEAST_CONCENTRATION, MOST_CONCENTRATION, best_concentration


@given(st.floats(1e-6, 1e8))
@settings(deadline=None)
def test_digamma(x):
    assert digamma(x) == pytest.approx(special.psi(x), rel=1e-12, abs=1e-12)
    assert exp_digamma(x) == pytest.approx(np.exp(special.psi(x)), rel=1e-11, abs=1e-300)


@pytest.mark.parametrize("concentration", [0.02, 0.3, 5.0])
def test_best_concentration_maximises_the_expected_log_density(concentration):
    posteriors = 30 * np.random.default_rng(0).dirichlet(np.full(6, concentration), size=400) + concentration
    expected_log = special.psi(posteriors) - special.psi(posteriors.sum(axis=1, keepdims=True))

    def loss(log_a):
        a = np.exp(log_a)
        return -(special.gammaln(6 * a) - 6 * special.gammaln(a) + (a - 1) * 6 * expected_log.mean())

    best = minimize_scalar(loss, bounds=(np.log(1e-4), np.log(1e4)), method="bounded", options={"xatol": 1e-9})
    assert best_concentration(posteriors) == pytest.approx(np.exp(best.x), rel=1e-5)


def test_best_concentration_at_its_ends():
    assert best_concentration(np.full((5, 3), 1e9)) == MOST_CONCENTRATION
    assert best_concentration(np.array([[1e-9, 10.0], [10.0, 1e-9]])) == LEAST_CONCENTRATION
