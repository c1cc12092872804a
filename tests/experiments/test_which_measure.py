"""Which measure chooses well: correlations and choices on made-up models, and the method that reports a likelihood."""

import numpy as np
import pytest

from experiments.which_measure import CLAIMS, MEASURES, draw, judged_measures
from experiments.with_left_to_right import WithLeftToRight
from gdmbench import GDM, left_to_right, simulate_lda
from gdmbench.records.frame import to_frame


@pytest.fixture
def frame(made_up_record):
    """Completion orders models by their true error, coherence the other way round, and diversity tells nothing."""
    return to_frame(
        made_up_record(
            experiment="measure_lda_short",
            method="gdm",
            axis="model.n_topics",
            value=value,
            repetition=repetition,
            total_variation=error,
            completion=500 + 100 * error,
            coherence=error,
            extra={"left_to_right": -error},
        )
        for value, error in ((3, 0.4), (10, 0.1), (40, 0.2))
        for repetition in range(2)
    )


def test_a_measure_is_judged_by_the_model_that_it_chooses(frame):
    found = judged_measures(frame).set_index(["measure", "repetition"])
    for good in ("completion", "left_to_right"):
        assert found.loc[(good, 0), ["correlation", "chosen", "best"]].tolist() == pytest.approx([1, 0.1, 0.1])
    assert found.loc[("coherence", 1), ["correlation", "chosen"]].tolist() == pytest.approx([-1, 0.4])


def test_the_table_and_the_figure_are_written(frame, tmp_path, unsaved_figures):
    written = {path.name for path in draw(frame, tmp_path)}
    assert written == {f"which_measure.{kind}" for kind in ("md", "csv", "pdf", "png")}
    page = (tmp_path / "which_measure.md").read_text()
    assert "## LDA, 50 words" in page
    assert "papers, all words" not in page
    assert MEASURES["left_to_right"][0] in page
    assert draw(to_frame([]), tmp_path) == []
    assert CLAIMS == []


def test_the_likelihood_is_that_of_the_topics():
    data = simulate_lda(300, 50, n_words=60, n_topics=3, random_state=0)
    method = WithLeftToRight(GDM(3, random_state=0)).fit(data.train)
    alone = GDM(3, random_state=0).fit(data.train)
    np.testing.assert_array_equal(method.components_, alone.components_)
    np.testing.assert_array_equal(method.transform(data.heldout), alone.transform(data.heldout))
    expected = left_to_right(data.heldout, 0.999 * alone.components_ + 0.001 * alone.word_frequencies_, 0.1).sum()
    assert method.heldout_record(data.heldout)["left_to_right"] == pytest.approx(expected / data.heldout.sum())
