"""The choice by completion: differences against a brute force, and what is advised where it is clear and where not."""

import numpy as np
import pytest

from gdmbench.exhibits.choice import Difference, advice, best_model, chosen, differences
from gdmbench.records.frame import to_frame


def frame_of(scores, made_up_record, words=20.0, method="gdm"):
    """Make records of scores[K][repetition], the log-likelihoods of documents of so many words."""
    return to_frame(
        made_up_record(
            method=method,
            axis="model.n_topics",
            value=value,
            repetition=repetition,
            completion=float(np.exp(-np.sum(found) / (words * len(found)))),
            extra={"completion": {"log_likelihoods": list(found), "tokens": [words] * len(found)}},
        )
        for value, repetitions in scores.items()
        for repetition, found in repetitions.items()
    )


@pytest.fixture
def scores():
    """Documents differ much, and in the same way under every model; 5 and 8 topics are nearly alike, others worse."""
    rng = np.random.default_rng(1)
    hard = {r: rng.normal(-120, 30, 100) for r in range(4)}
    worse = {2: 5.0, 5: 0.0, 8: 0.0, 20: 1.0}
    return {k: {r: hard[r] - loss + rng.normal(0, 0.5, 100) for r in hard} for k, loss in worse.items()}


def test_differences_are_those_of_the_same_documents(scores, made_up_record):
    found = {each.n_topics: each for each in differences(frame_of(scores, made_up_record), "gdm")}
    lost = np.array([scores[8][r] - scores[20][r] for r in range(4)])
    assert found[20].loss == pytest.approx(lost.sum() / (20 * lost.size))
    by_documents = lost.std() / 20 / np.sqrt(lost.size)
    assert found[20].error == pytest.approx(by_documents, rel=0.6)  # or the spread of four repetitions, if larger
    assert found[20].error < 0.01 * np.std(scores[8][0]) / 20  # what is hard in a document cancels
    assert found[8].loss == found[8].error == 0.0


def test_the_fewest_within_one_error_are_chosen(scores, made_up_record):
    found = differences(frame_of(scores, made_up_record), "gdm")
    assert chosen(found) == 5
    assert advice(found) == (
        "Ask for 5 topics: the fewest that predict unseen words as well as 8 do, within one standard error. Of the "
        "numbers tried, 2 or fewer and 20 or more predict them clearly worse."
    )
    assert best_model(frame_of(scores, made_up_record))[:2] == ("gdm", 5)


def test_a_flat_curve_tells_nothing():
    flat = [Difference(2, 0.01, 0.01), Difference(5, 0.0, 0.0), Difference(20, 0.015, 0.01)]
    assert advice(flat).startswith(
        "These data do not tell how many topics to ask for: all numbers tried, from 2 to 20,"
    )


def test_the_largest_number_tried_is_not_the_end():
    rising = [Difference(2, 0.5, 0.01), Difference(5, 0.1, 0.01), Difference(20, 0.0, 0.0)]
    assert advice(rising) == (
        "Ask for 20 topics: they predict unseen words best. Of the numbers tried, 5 or fewer predict them clearly "
        "worse. The best was the largest number tried: try more than 20."
    )
    assert advice([]).startswith("No number of topics can be recommended")


def test_repetitions_that_failed_are_left_out(scores, made_up_record):
    del scores[20][0], scores[20][2]
    scores[2] = {7: scores[2][0]}  # no repetition in common with the best
    found = differences(frame_of(scores, made_up_record), "gdm")
    assert [each.n_topics for each in found] == [5, 8, 20]
    lost = np.array([scores[8][r] - scores[20][r] for r in (1, 3)])
    assert found[-1].loss == pytest.approx(lost.sum() / (20 * lost.size))


def test_without_a_number_of_topics_the_lowest_mean_is_kept(made_up_record):
    rows = [
        made_up_record(method=name, axis=None, value=None, completion=c) for name, c in (("a", 300.0), ("b", 200.0))
    ]
    assert best_model(to_frame(rows)) == ("b", None, "")
