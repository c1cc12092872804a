"""Axes: which scale, which ticks, and how far methods stand from their value."""

from itertools import pairwise

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure

from gdmbench.exhibits.figures import draw_panel
from gdmbench.exhibits.scales import SweptAxis
from gdmbench.exhibits.style import RC


@pytest.fixture
def ax():
    with mpl.rc_context(RC):
        yield Figure(figsize=(3.5, 2.75)).add_subplot()


@pytest.mark.parametrize(
    ("measure", "values", "scales"),
    [
        ("mm_distance", (100, 1000, 7000), ("log", "log")),
        ("mm_distance", (100, 500, 1000), ("linear", "log")),
        ("perplexity", (100, 1000, 7000), ("log", "linear")),
        ("fit_seconds", (0.01, 0.5, 2.0), ("log", "log")),
        ("mm_distance", (0, 0.01, 1), ("linear", "log")),
        ("mm_distance", ("a", "b"), ("linear", "log")),
    ],
)
def test_scales(ax, make_frame, measure, values, scales):
    draw_panel(ax, make_frame(values=values, effect=lambda value: 1.0), measure)
    assert (ax.get_xscale(), ax.get_yscale()) == scales


def test_zero_and_decades_stand_in_even_steps_with_their_values_as_labels(ax, make_frame):
    draw_panel(ax, make_frame(values=(0, 0.01, 0.1, 10), effect=lambda value: 1.0), "mm_distance")
    assert [label.get_text() for label in ax.get_xticklabels()] == ["0", "0.01", "0.1", "10"]
    assert ax.containers[0][0].get_linestyle() == "-"


def test_names_are_not_joined_by_lines(ax, make_frame):
    handles = draw_panel(ax, make_frame(values=("[10, 50]", "[50, 1500]")), "mm_distance")
    assert {container[0].get_linestyle() for container in ax.containers} == {"None"}
    assert {handle.get_linestyle() for handle in handles} == {"None"}


def test_a_zero_measure_has_a_place_on_a_logarithmic_axis(ax, make_frame):
    frame = make_frame()
    frame.loc[frame["repetition"] == 0, "mm_distance"] = 0.0
    draw_panel(ax, frame, "mm_distance")
    assert ax.get_yscale() == "symlog"
    assert ax.get_yticklabels()[0].get_text() == "0"
    assert ax.get_ylim()[0] < 0


def test_tick_labels_do_not_overlap(make_frame, tmp_path):
    with mpl.rc_context(RC):
        for values in ((10, 20, 50, 100, 200, 500, 1000, 1400), range(10, 200, 10), (1000, 15000, 10000, 100000)):
            figure = Figure(figsize=(2.3, 2.4))
            ax = figure.add_subplot()
            draw_panel(ax, make_frame(values=tuple(values), effect=lambda value: 1.0), "mm_distance")
            figure.draw_without_rendering()
            boxes = [label.get_window_extent() for label in ax.get_xticklabels()]
            assert len(boxes) >= 3
            assert all(left.x1 < right.x0 for left, right in pairwise(boxes))


def test_swept_values_keep_their_distance():
    axis = SweptAxis.of((1000, 1010, 7000, 100000))
    offsets = axis.offsets(5)
    assert np.ptp(offsets) * np.ptp(np.log10(axis.places())) < np.log10(1010 / 1000)
