"""The ratio of two spreads: right where the truth is known, and covered as often as its interval says."""

import math

import numpy as np
import pytest

from gdmbench.exhibits.spread import spread_ratio


@pytest.fixture
def spread_out(made_up_frame):
    def make(rng, spread_a, spread_b, points=10, repetitions=5):
        rows = []
        for value in range(points):
            for repetition in range(repetitions):
                for method, spread in (("a", spread_a), ("b", spread_b)):
                    log = value + rng.normal(0, spread)  # points differ far more than repetitions
                    row = {"value": value, "repetition": repetition, "method": method}
                    rows.append(row | {"mm_distance": math.exp(log)})
        return made_up_frame(rows)

    return make


def test_against_numpy(spread_out):
    frame = spread_out(np.random.default_rng(0), 0.5, 0.1)
    logs = np.log(frame["mm_distance"].to_numpy()).reshape(10, 2, 5)  # by value, method and repetition
    a, b = np.sqrt(logs.var(axis=2).sum(axis=0))
    found = spread_ratio(frame, "mm_distance", "a", "b")
    assert found.value == pytest.approx(a / b)
    assert found.low < 5 < found.high
    assert found.n == 50
    assert found == spread_ratio(frame.sample(frac=1, random_state=1), "mm_distance", "a", "b")


def test_the_interval_covers_the_truth(spread_out):
    covered = 0
    rng = np.random.default_rng(0)
    frame = spread_out(rng, 0.4, 0.2)
    spreads = frame["method"].map({"a": 0.4, "b": 0.2})
    for _ in range(100):
        frame["mm_distance"] = np.exp(frame["value"].astype(float) + spreads * rng.normal(size=len(frame)))
        found = spread_ratio(frame, "mm_distance", "a", "b")
        covered += found.low < 2 < found.high
    # A percentile bootstrap of few repetitions is a little narrow: 0.95 in theory, and 84 of 100 has a chance below
    # one in a thousand even at 0.93.
    assert covered >= 85


def test_too_little_decides_nothing(spread_out):
    rng = np.random.default_rng(0)
    one = spread_out(rng, 1, 1, points=3, repetitions=1)
    assert spread_ratio(one, "mm_distance", "a", "b").above(1) == "not enough evidence"
    assert spread_ratio(one[one["method"] == "a"], "mm_distance", "a", "b").n == 0
    assert spread_ratio(one.iloc[:0], "mm_distance", "a", "b").n == 0
    assert spread_ratio(one.drop(columns="mm_distance"), "mm_distance", "a", "b").n == 0
