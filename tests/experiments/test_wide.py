"""A growing vocabulary: the centre against brute force, and claims that hold and fail as they should."""

import numpy as np
import pytest

from experiments.estimators import CenterTopics
from experiments.wide import CLAIMS, WIDEST
from gdmbench import simulate_lda
from gdmbench.config.compose import load_config
from gdmbench.exhibits.findings import REFUTED

JUDGE = {claim.id: claim.judge for claim in CLAIMS}


def test_the_sweep_reaches_the_vocabulary_of_the_claims():
    assert max(load_config(["+experiment=wide"]).sweep["values"]) == WIDEST


def test_all_topics_are_the_share_of_each_word_in_all_tokens():
    train = simulate_lda(50, [5, 80], n_words=30, n_topics=3, random_state=0).train
    counts = train.toarray()
    model = CenterTopics(3).fit(train)
    assert model.components_.shape == (3, counts.shape[1])
    assert np.allclose(model.components_, counts.sum(axis=0) / counts.sum())
    with pytest.raises(ValueError, match="n_topics"):
        CenterTopics(0).fit(train)


@pytest.mark.parametrize(
    ("claim", "method", "factor"),
    [
        ("wide-extension", "gdm", 0.3),
        ("wide-extension", "tgdm", 0.3),
        ("wide-refined", "refined_gdm", 1.8),
        ("wide-refined", "center", 0.3),
        ("wide-refined", "gibbs", 0.3),
    ],
)
def test_a_claim_fails_where_the_records_contradict_it(claim, method, factor, world, spoil):
    assert JUDGE[claim](world).outcome == "reproduced"
    assert JUDGE[claim](spoil(world, "wide", method, "mm_distance", factor, low=WIDEST)).outcome in REFUTED


def test_fewer_words_decide_nothing(world, spoil):
    few = spoil(world, "wide", "refined_gdm", "mm_distance", 10, high=WIDEST - 1)
    assert JUDGE["wide-refined"](few).outcome == "reproduced"
    narrow = world[world["value"] != WIDEST]
    assert {judge(narrow).outcome for judge in JUDGE.values()} == {"not enough evidence"}
