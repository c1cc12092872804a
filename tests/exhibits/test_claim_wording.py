"""Other readings of claims: arithmetic means against the delta method, medians against their promise, limits."""

import csv

import numpy as np
import pytest
from scipy import stats

from gdmbench.exhibits.claim_wording import READINGS, Reading, limit_of, read_as
from gdmbench.exhibits.claims import Claim
from gdmbench.exhibits.estimates import _median_variance
from gdmbench.exhibits.findings import all_hold, judged
from gdmbench.exhibits.robustness import robustness_table, write_robustness
from gdmbench.exhibits.statistics import difference, fit_exponent, ratio, trend

ARITHMETIC, MEDIAN = Reading(average="arithmetic"), Reading(average="median")


def test_arithmetic_means_give_their_ratio_and_the_delta_method_its_interval(sample):
    a, b = np.exp(np.random.default_rng(0).normal(0, 0.5, (2, 6)))
    frame = sample([[a, b]])
    with read_as(ARITHMETIC):
        found = ratio(frame, "mm_distance", "a", "b")
    assert found.value == pytest.approx(a.mean() / b.mean(), rel=1e-12)
    # Gradient of log mean(a) - log mean(b) times the covariance of the two means.
    gradient = np.array([1 / a.mean(), -1 / b.mean()])
    error = np.sqrt(gradient @ np.cov(a, b) @ gradient / 6)
    reach = stats.t.ppf(0.975, 5) * error
    assert (np.log(found.low), np.log(found.high)) == pytest.approx(np.log(found.value) + reach * np.array([-1, 1]))


def test_one_bad_run_moves_arithmetic_means_most_and_medians_not(sample):
    a = np.array([1.0, 1.1, 0.9, 1.05, 100.0])
    frame = sample([[a, np.ones(5)]])
    plain = ratio(frame, "mm_distance", "a", "b").value
    with read_as(ARITHMETIC):
        arithmetic = ratio(frame, "mm_distance", "a", "b").value
    with read_as(MEDIAN):
        median = ratio(frame, "mm_distance", "a", "b").value
    assert plain == pytest.approx(stats.gmean(a))
    assert arithmetic == pytest.approx(a.mean())
    assert median == pytest.approx(1.05)


@pytest.mark.parametrize("reading", [ARITHMETIC, MEDIAN], ids=["arithmetic", "median"])
def test_trends_and_exponents_follow_the_reading(reading, sample):
    a = np.exp(np.random.default_rng(1).normal(0, 0.3, (4, 7)))
    values = (10, 30, 100, 300)
    frame = sample([[row, row] for row in a], values)
    middle = np.log(a.mean(axis=1)) if reading is ARITHMETIC else np.median(np.log(a), axis=1)
    with read_as(reading):
        change, exponent = trend(frame, "mm_distance", "a"), fit_exponent(frame, "mm_distance", "a", of=np.asarray)
    assert change.overall.value == pytest.approx(np.exp(middle[-1] - middle[0]))
    assert change.steps[0].value == pytest.approx(np.exp(middle[1] - middle[0]))
    assert exponent.value == pytest.approx(np.polyfit(np.log(values), middle, 1)[0])


@pytest.mark.parametrize(("n", "most"), [(5, 1.65), (20, 1.35), (60, 1.2)])
def test_the_variance_of_a_median_errs_on_the_careful_side(n, most):
    draws = np.random.default_rng(2).normal(size=(4000, n))
    truth = np.median(draws, axis=1).var()
    # For n = 5 by the moments of normal ranges (2.326, 0.864): 6.157 / (4 * 1.863²) / 0.287 = 1.55, then nearer and
    # nearer to 1; the mean of 4000 such variances is off by 2 %, the truth by as much.
    assert 0.95 < np.mean([_median_variance(draw) for draw in draws]) / truth < most


def test_intervals_of_medians_cover_the_truth(sample):
    rng = np.random.default_rng(3)
    covered = 0
    frame = sample(np.ones((4, 2, 5)), (1, 2, 3, 4))
    with read_as(MEDIAN):
        for _ in range(300):
            frame["mm_distance"] = np.exp(rng.normal(0, 0.3, len(frame)))
            found = ratio(frame, "mm_distance", "a", "b")
            covered += found.low < 1 < found.high
    # 300 trials at 95 % have a standard deviation of 4.
    assert 270 <= covered <= 299


def test_a_difference_is_scipys_paired_one(sample):
    a, b = np.random.default_rng(4).normal(1, 0.1, (2, 8))
    found = difference(sample([[a, b]]), "mm_distance", "a", "b")
    low, high = stats.ttest_rel(a, b).confidence_interval(0.95)
    assert (found.value, found.low, found.high) == pytest.approx(((a - b).mean(), low, high))


def test_a_limit_is_the_claims_own_unless_a_reading_has_another():
    assert limit_of(1.25) == 1.25
    with read_as(Reading(limit=2.0)):
        assert limit_of(1.25) == 2.0
        with pytest.raises(ZeroDivisionError), read_as(Reading(limit=3.0)):
            raise ZeroDivisionError
        assert limit_of(1.25) == 2.0
    assert limit_of(1.25) == 1.25


def test_the_table_shows_where_a_reading_decides(sample, tmp_path):
    a = np.array([[1.4, 1.41, 1.39, 1.4, 1.42]])
    frame = sample([[a[0], np.ones(5)]])

    def near(frame):
        found = ratio(frame, "mm_distance", "a", "b")
        return all_hold(judged("a / b", found, least=1 / limit_of(1.25), most=limit_of(1.25)))

    def above(frame):
        found = ratio(frame, "mm_distance", "a", "b")
        return all_hold(judged("a / b", found, least=1))

    claims = [Claim("near", "t", "w", near), Claim("above", "t", "w", above)]
    table = robustness_table(claims, frame).set_index("id")
    assert list(table.loc["near", ["as judged", "limit 1.1", "limit 1.5"]]) == [
        "not reproduced",
        "not reproduced",
        "reproduced",
    ]
    assert set(table.loc["above", ["as judged", *READINGS]]) == {"reproduced"}
    assert list(table["same"]) == [4, 6]
    paths = write_robustness(claims, frame, tmp_path)
    with paths[0].open(encoding="utf-8") as file:
        assert [row["id"] for row in csv.DictReader(file)] == ["near", "above"]
    page = paths[1].read_text()
    assert "1 of 2 verdicts are the same under every reading." in page
    assert page.count("**✓**") == 2
