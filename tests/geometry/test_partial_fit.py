"""Topics that learn from documents as they arrive."""

import numpy as np
import pytest

from gdmbench import RefinedGDM, minimum_matching_distance, simulate_lda

DATA = simulate_lda(1200, 100, n_words=200, n_topics=4, random_state=0)


def swept(quarters, **options):
    model = RefinedGDM(4, random_state=0)
    for quarter in quarters:
        model.partial_fit(quarter, **options)
    return model


def test_one_sweep_in_quarters_is_near_a_fit_to_all():
    quarters = [DATA.train[start : start + 300] for start in range(0, 1200, 300)]
    whole = minimum_matching_distance(RefinedGDM(4, random_state=0).fit(DATA.train).components_, DATA.topics)
    first = minimum_matching_distance(swept(quarters[:1]).components_, DATA.topics)
    model = swept(quarters)
    # 1.0 to 1.05 on ten draws of docs/refined_gdm.md's default and short settings; a quarter alone is about twice as
    # far as the whole.
    assert minimum_matching_distance(model.components_, DATA.topics) < 1.3 * whole < first
    assert 0.05 < model.alpha_ < 0.2
    np.testing.assert_allclose(model.word_frequencies_, swept([DATA.train]).word_frequencies_)


def test_the_first_call_is_a_fit_and_fit_begins_anew():
    quarter = DATA.train[:300]
    fitted = RefinedGDM(4, random_state=0).fit(quarter)
    np.testing.assert_array_equal(swept([quarter]).components_, fitted.components_)
    again = swept([DATA.train[300:600], quarter]).fit(quarter)
    np.testing.assert_array_equal(again.components_, fitted.components_)
    assert again.bound_ == fitted.bound_


def test_the_same_documents_again_and_again_converge():
    model = RefinedGDM(4, random_state=0)
    block, moves = DATA.train[:400], []
    for _ in range(12):
        before = getattr(model, "components_", None)
        model.partial_fit(block, n_documents=400)
        if before is not None:
            moves.append(np.abs(model.components_ - before).sum())
    assert moves[-1] < 0.2 * moves[0]
    assert moves[-1] < 0.02
    fitted = RefinedGDM(4, random_state=0).fit(block)
    assert minimum_matching_distance(model.components_, fitted.components_) < 0.01


def test_empty_documents_and_bad_ones():
    model = swept([DATA.train[:300]])
    before = model.components_
    assert model.partial_fit(np.zeros((5, DATA.train.shape[1]))).components_ is before
    with pytest.raises(ValueError, match="features"):
        model.partial_fit(np.ones((5, 7)))
    with pytest.raises(ValueError, match="n_documents must be"):
        model.partial_fit(DATA.train[:10], n_documents=-1)
