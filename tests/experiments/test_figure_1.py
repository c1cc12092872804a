"""Figure 1 from its records alone."""

import pytest

from experiments import figure_1
from experiments.estimators import PicturedGDM
from experiments.simulators import simulate_lda_with_truth
from gdmbench import minimum_matching_distance


def record_of(seed):
    """What a cell leaves of the data and of the method."""
    data = simulate_lda_with_truth(300, 100, n_words=5, n_topics=4, random_state=seed)
    return {**data.record_, **PicturedGDM(4, n_pictured=50, random_state=seed).fit(data.train).record_}


@pytest.fixture(scope="module")
def pictured(made_up_frame):
    return made_up_frame(
        {"experiment": "figure_1", "repetition": repetition, "extra": record_of(repetition)} for repetition in range(3)
    )


def titles(monkeypatch):
    """Collect the titles of figures in place of writing them."""
    found = []
    monkeypatch.setattr(figure_1, "save_figure", lambda figure, stem: found.append(figure.axes[0].get_title()) or [])
    return found


def test_it_is_drawn_of_the_records(pictured, tmp_path):
    written = figure_1.draw(pictured, tmp_path)
    assert [path.name for path in written] == ["figure_1.pdf", "figure_1.png"]


def test_the_repetition_of_median_error_is_shown(pictured, tmp_path, monkeypatch):
    found = titles(monkeypatch)
    figure_1.draw(pictured, tmp_path)

    def distance(extra, points="topics"):
        return minimum_matching_distance(extra[points], extra["true_topics"])

    middle = sorted(pictured["extra"], key=distance)[1]
    told = f"centroids {distance(middle, 'centroids'):.3f}, GDM {distance(middle):.3f}, the median of 3 draws"
    assert found == [f"MM distance from the true topics: {told}"]


def test_records_without_a_picture_draw_nothing(pictured, tmp_path):
    assert figure_1.draw(pictured.assign(status="timeout"), tmp_path) == []
    assert figure_1.draw(pictured.assign(extra=None), tmp_path) == []
    truthless = [{name: value for name, value in extra.items() if name != "true_topics"} for extra in pictured["extra"]]
    assert figure_1.draw(pictured.assign(extra=truthless), tmp_path) == []
    assert figure_1.draw(pictured.iloc[:0], tmp_path) == []
