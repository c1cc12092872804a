"""The Pareto front against brute force, and a figure of it."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gdmbench.exhibits.tradeoff import Tradeoff, front_of, means_of, pareto_front, tradeoff_figure

NUMBER = st.one_of(st.integers(0, 4).map(float), st.just(math.nan), st.just(math.inf))  # few values, so that some tie


@given(st.dictionaries(st.text("abcdef", min_size=1, max_size=2), st.tuples(NUMBER, NUMBER)))
def test_the_front_holds_exactly_the_points_that_no_other_beats(points):
    finite = {name: p for name, p in points.items() if math.isfinite(p[0]) and math.isfinite(p[1])}
    unbeaten = {
        name for name, p in finite.items() if not any(q != p and q[0] <= p[0] and q[1] <= p[1] for q in finite.values())
    }
    front = pareto_front(points)
    assert set(front) == unbeaten
    assert len(front) == len(unbeaten)
    assert [finite[name][0] for name in front] == sorted(finite[name][0] for name in front)


@pytest.fixture
def frame(made_up_frame):
    numbers = {"fast": (1.0, 9.0), "exact": (8.0, 2.0), "beaten": (9.0, 3.0)}
    return made_up_frame(
        {"method": method, "repetition": r, "fit_cpu_seconds": x + 0.2 * r, "mm_distance": y - 0.2 * r}
        for method, (x, y) in numbers.items()
        for r in range(3)
    )


def test_means_and_errors_of_both_measures(frame):
    means = means_of(frame, "fit_cpu_seconds", "mm_distance")
    assert means.loc["exact", ["x", "y"]].tolist() == pytest.approx([8.2, 1.8])
    assert means.loc["exact", ["x_se", "y_se"]].tolist() == pytest.approx([0.2 / math.sqrt(3)] * 2)
    assert front_of(frame, "fit_cpu_seconds", "mm_distance") == ["fast", "exact"]


def test_a_method_that_failed_is_not_on_the_front(frame, fail):
    failed = fail(frame, frame["method"] == "exact")
    assert front_of(failed, "fit_cpu_seconds", "mm_distance") == ["fast", "beaten"]


def test_the_figure_is_written_also_where_a_panel_is_empty(frame, tmp_path):
    panels = [Tradeoff(frame, "all"), Tradeoff(frame.iloc[:0], "none")]
    written = tradeoff_figure(panels, "fit_cpu_seconds", "mm_distance", tmp_path / "figure")
    assert [path.name for path in written] == ["figure.pdf", "figure.png"]
    assert all(path.stat().st_size > 1000 for path in written)
    with pytest.raises(ValueError, match="at least one panel"):
        tradeoff_figure([], "fit_cpu_seconds", "mm_distance", tmp_path / "figure")
