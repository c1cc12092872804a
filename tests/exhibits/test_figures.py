"""Figures: what is drawn, on which scales, and that hard cases draw at all."""

import hashlib
import subprocess
import sys
import warnings
from itertools import pairwise

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure

from gdmbench.exhibits.figures import add_legend, draw_panel, measure_figure
from gdmbench.exhibits.panels import Panel, panel_figure
from gdmbench.exhibits.scales import SweptAxis
from gdmbench.exhibits.style import METHODS, RC


@pytest.fixture
def ax():
    with mpl.rc_context(RC):
        yield Figure(figsize=(3.5, 2.75)).add_subplot()


def dots(ax):
    """Repetitions: lines of circles without a line."""
    return [line for line in ax.lines if line.get_linestyle() == "None" and line.get_alpha() == 0.5]


def test_means_errors_and_repetitions_are_where_the_records_say(ax, make_records):
    records = make_records()
    draw_panel(ax, records, "mm_distance")
    expected = records.groupby(["method", "value"])["mm_distance"].agg(["mean", "sem"])
    assert len(ax.containers) == 5
    assert sum(len(line.get_xdata()) for line in dots(ax)) == len(records)
    for container, method in zip(ax.containers, ("gdm", "tgdm", "vem", "gibbs", "recover_kl"), strict=True):
        line, _, (bars,) = container
        np.testing.assert_allclose(line.get_ydata(), expected.loc[method, "mean"])
        lengths = [segment[1, 1] - segment[0, 1] for segment in bars.get_segments()]
        np.testing.assert_allclose(lengths, 2 * expected.loc[method, "sem"])
        assert line.get_color() == METHODS[method].color
        assert line.get_marker() == METHODS[method].marker


def test_everything_lies_inside_the_axes(ax, make_records):
    draw_panel(ax, make_records(), "mm_distance")
    for line in dots(ax):
        assert (line.get_xdata() > ax.get_xlim()[0]).all()
        assert (line.get_xdata() < ax.get_xlim()[1]).all()
        assert (line.get_ydata() > ax.get_ylim()[0]).all()
        assert (line.get_ydata() < ax.get_ylim()[1]).all()


def test_methods_stand_close_to_their_value(ax, make_records):
    records = make_records()
    draw_panel(ax, records, "mm_distance")
    for container in ax.containers:
        assert (np.abs(np.log10(container[0].get_xdata() / sorted(records["value"].unique()))) < 0.05).all()


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
def test_scales(ax, make_records, measure, values, scales):
    draw_panel(ax, make_records(values=values, effect=lambda value: 1.0), measure)
    assert (ax.get_xscale(), ax.get_yscale()) == scales


def test_zero_and_decades_stand_in_even_steps_with_their_values_as_labels(ax, make_records):
    draw_panel(ax, make_records(values=(0, 0.01, 0.1, 10), effect=lambda value: 1.0), "mm_distance")
    assert [label.get_text() for label in ax.get_xticklabels()] == ["0", "0.01", "0.1", "10"]
    assert ax.containers[0][0].get_linestyle() == "-"


def test_names_are_not_joined_by_lines(ax, make_records):
    handles = draw_panel(ax, make_records(values=("[10, 50]", "[50, 1500]")), "mm_distance")
    assert {container[0].get_linestyle() for container in ax.containers} == {"None"}
    assert {handle.get_linestyle() for handle in handles} == {"None"}


def test_a_zero_measure_has_a_place_on_a_logarithmic_axis(ax, make_records):
    records = make_records()
    records.loc[records["repetition"] == 0, "mm_distance"] = 0.0
    draw_panel(ax, records, "mm_distance")
    assert ax.get_yscale() == "symlog"
    assert ax.get_yticklabels()[0].get_text() == "0"
    assert ax.get_ylim()[0] < 0


def test_the_rate_passes_through_the_geometric_mean_at_the_first_value(ax, make_records):
    records = make_records()
    *_, rate = draw_panel(ax, records, "mm_distance", bound=True)
    means = records[records["value"] == 100].groupby("method")["mm_distance"].mean()
    x, y = rate.get_data()
    assert (x[0], x[-1]) == pytest.approx((100, 7000))
    assert y[0] == pytest.approx(np.exp(np.log(means).mean()))
    assert y / y[0] == pytest.approx(np.sqrt(np.log(x) / x) / np.sqrt(np.log(100) / 100))
    assert rate.get_label() == r"$\propto(\log M/M)^{1/2}$, set at $M=100$"


@pytest.mark.parametrize(("axis", "values"), [("data.eta", (0.1, 0.5)), ("data.doc_length", ("[1, 2]", "[2, 9]"))])
def test_no_rate_where_there_is_none(ax, make_records, axis, values):
    handles = draw_panel(ax, make_records(axis=axis, values=values), "mm_distance", bound=True)
    assert len(handles) == 5


def test_a_failed_method_is_named_and_a_failed_cell_breaks_the_line(ax, make_records, fail):
    records = make_records()
    records = fail(records, records["method"] == "vem")
    records = fail(records, (records["method"] == "gibbs") & (records["value"] == 1000))
    handles = draw_panel(ax, records, "mm_distance")
    assert [handle.get_label() for handle in handles] == ["GDM", "tGDM", "VEM (gensim), failed", "Gibbs", "RecoverKL"]
    assert len(ax.containers) == 4
    assert np.isnan(ax.containers[2][0].get_ydata()).tolist() == [False] * 3 + [True] + [False] * 3


@pytest.mark.parametrize(("axis", "value"), [(None, None), ("data.n_docs", 100)])
def test_without_a_sweep_methods_are_named_on_the_axis(ax, make_records, fail, axis, value):
    records = make_records(axis=axis, values=(value,), repetitions=20)
    records = fail(records, records["method"] == "vem")
    assert draw_panel(ax, records, "mm_distance") == []
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names == ["GDM", "tGDM", "VEM (gensim)", "Gibbs", "RecoverKL"]
    assert [text.get_text() for text in ax.texts] == ["failed"]
    assert ax.get_xlabel() == ("MM distance" if value is None else "MM distance ($M$ = 100)")
    assert len(ax.containers) == 4


def test_hard_cases_draw_without_a_warning(make_records, fail, monkeypatch):
    drawn = []
    monkeypatch.setattr("gdmbench.exhibits.figures.save_figure", lambda figure, stem: drawn.append(figure) or [])
    records = make_records(values=(100, 1000))
    infinite = records.copy()
    infinite.loc[0, "mm_distance"] = np.inf
    cases = [
        make_records(repetitions=1),
        make_records(values=(100,), methods=("gdm",), repetitions=1),
        fail(records, records["method"] != "none"),
        infinite,
        records.assign(mm_distance=0.0),
        records.assign(mm_distance=0.25),
        records.assign(mm_distance=-records["mm_distance"]),
        make_records(methods=[f"method_{i}" for i in range(12)], repetitions=2),
        make_records(values=(1, 2, 5), effect=lambda value: 1.0),
        make_records(axis="methods.gdm.x_$y", methods=("a_b$c", "d")),
    ]
    with warnings.catch_warnings(), mpl.rc_context(RC):
        warnings.simplefilter("error")
        for case in cases:
            measure_figure(case, "mm_distance", "unwritten", bound=True)
            drawn[-1].draw_without_rendering()
    assert len(drawn) == len(cases)


def test_a_missing_column_is_named(ax, make_records):
    with pytest.raises(ValueError, match="no column 'coherence'"):
        draw_panel(ax, make_records(values=(1, 2)), "coherence")


def test_tick_labels_do_not_overlap(make_records, tmp_path):
    with mpl.rc_context(RC):
        for values in ((10, 20, 50, 100, 200, 500, 1000, 1400), range(10, 200, 10), (1000, 15000, 10000, 100000)):
            figure = Figure(figsize=(2.3, 2.4))
            ax = figure.add_subplot()
            draw_panel(ax, make_records(values=tuple(values), effect=lambda value: 1.0), "mm_distance")
            figure.draw_without_rendering()
            boxes = [label.get_window_extent() for label in ax.get_xticklabels()]
            assert len(boxes) >= 3
            assert all(left.x1 < right.x0 for left, right in pairwise(boxes))


def test_legend_fits_and_covers_no_data(make_records):
    with mpl.rc_context(RC):
        figure = Figure(figsize=(3.5, 2.75))
        ax = figure.add_subplot()
        names = ["gdm", "gibbs", *(f"a_rather_long_name_{i}" for i in range(6))]
        add_legend(figure, draw_panel(ax, make_records(methods=names), "mm_distance", bound=True))
        figure.draw_without_rendering()
        box = figure.legends[0].get_window_extent()
        assert box.x0 >= 0
        assert box.x1 <= figure.bbox.x1
        assert box.y0 >= ax.get_window_extent().y1
        assert len(figure.legends) == 1


def test_equal_records_give_equal_files_in_any_process(make_records, tmp_path):
    make_records().to_json(tmp_path / "records.json", orient="records")
    code = (
        "import sys, pandas as pd\nfrom gdmbench.exhibits.figures import measure_figure\n"
        "records = pd.read_json(sys.argv[1])\n"
        "measure_figure(records, 'mm_distance', sys.argv[2], bound=True)\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    digests = set()
    for seed in ("1", "2"):
        stem = tmp_path / f"figure{seed}"
        command = [sys.executable, "-c", code, str(tmp_path / "records.json"), str(stem)]
        subprocess.run(command, check=True, env={"PYTHONHASHSEED": seed, "PATH": ""})
        digests.add(tuple(hashlib.sha256(stem.with_suffix(s).read_bytes()).hexdigest() for s in (".pdf", ".png")))
    assert len(digests) == 1


def test_swept_values_keep_their_distance():
    axis = SweptAxis.of((1000, 1010, 7000, 100000))
    offsets = axis.offsets(5)
    assert np.ptp(offsets) * np.ptp(np.log10(axis.places())) < np.log10(1010 / 1000)


def test_panels_share_one_legend_and_name_axes_once(make_records, fail, tmp_path, monkeypatch):
    drawn = []
    monkeypatch.setattr("gdmbench.exhibits.panels.save_figure", lambda figure, stem: drawn.append(figure) or [])
    a = make_records(axis="data.doc_length", values=(10, 100, 1000), experiment="vary_N")
    b = fail(make_records(), make_records()["method"] == "vem")
    c = make_records(axis="data.eta", values=(0.1, 1.0), methods=("gdm", "mine"), effect=lambda value: 1.0)
    d = make_records(axis=None, values=(None,))
    panels = [Panel(b, "mm_distance", "$N_m=1000$", True), Panel(a, "mm_distance", bound=True), Panel(c, "perplexity")]
    panel_figure([*panels, Panel(d, "mm_distance"), Panel(d, "perplexity")], tmp_path / "figure")
    (figure,) = drawn
    assert [ax.get_title(loc="left") for ax in figure.axes] == ["(a)  $N_m=1000$", "(b)", "(c)", "(d)", "(e)"]
    assert [ax.get_ylabel() for ax in figure.axes] == ["MM distance", "", "perplexity", "", ""]
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels[:6] == ["GDM", "tGDM", "VEM (gensim)", "Gibbs", "RecoverKL", "mine"]
    assert len(labels) == 8
    assert len(figure.legends) == 1


def test_panels_are_written_and_none_is_an_error(make_records, tmp_path):
    panels = [Panel(make_records(repetitions=2, values=(100, 500)), "mm_distance")] * 3
    paths = panel_figure(panels, tmp_path / "figure_2", columns=2)
    assert [path.name for path in paths] == ["figure_2.pdf", "figure_2.png"]
    with pytest.raises(ValueError, match="at least one panel"):
        panel_figure([], tmp_path / "none")
