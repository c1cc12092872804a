"""Figures: what is drawn, on which scales, and that hard cases draw at all."""

import json
import subprocess
import sys
import warnings

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure

from gdmbench.exhibits.figures import add_legend, draw_panel, measure_figure
from gdmbench.exhibits.style import METHODS, RC
from gdmbench.records.frame import to_frame


@pytest.fixture
def ax():
    with mpl.rc_context(RC):
        yield Figure(figsize=(3.5, 2.75)).add_subplot()


def dots(ax):
    """Repetitions: lines of circles without a line."""
    return [line for line in ax.lines if line.get_linestyle() == "None" and line.get_alpha() == 0.5]


def test_means_errors_and_repetitions_are_where_the_records_say(ax, make_frame):
    frame = make_frame()
    draw_panel(ax, frame, "mm_distance")
    expected = frame.groupby(["method", "value"])["mm_distance"].agg(["mean", "sem"])
    assert len(ax.containers) == 5
    assert sum(len(line.get_xdata()) for line in dots(ax)) == len(frame)
    for container, method in zip(ax.containers, ("gdm", "tgdm", "vem", "gibbs", "recover_kl"), strict=True):
        line, _, (bars,) = container
        np.testing.assert_allclose(line.get_ydata(), expected.loc[method, "mean"])
        lengths = [segment[1, 1] - segment[0, 1] for segment in bars.get_segments()]
        np.testing.assert_allclose(lengths, 2 * expected.loc[method, "sem"])
        assert line.get_color() == METHODS[method].color
        assert line.get_marker() == METHODS[method].marker


def test_everything_lies_inside_the_axes(ax, make_frame):
    draw_panel(ax, make_frame(), "mm_distance")
    for line in dots(ax):
        assert (line.get_xdata() > ax.get_xlim()[0]).all()
        assert (line.get_xdata() < ax.get_xlim()[1]).all()
        assert (line.get_ydata() > ax.get_ylim()[0]).all()
        assert (line.get_ydata() < ax.get_ylim()[1]).all()


def test_methods_stand_close_to_their_value(ax, make_frame):
    frame = make_frame()
    draw_panel(ax, frame, "mm_distance")
    for container in ax.containers:
        assert (np.abs(np.log10(container[0].get_xdata() / sorted(frame["value"].unique()))) < 0.05).all()


def test_the_rate_passes_through_the_geometric_mean_at_the_first_value(ax, make_frame):
    frame = make_frame()
    *_, rate = draw_panel(ax, frame, "mm_distance", rate=True)
    means = frame[frame["value"] == 100].groupby("method")["mm_distance"].mean()
    x, y = rate.get_data()
    assert (x[0], x[-1]) == pytest.approx((100, 7000))
    assert y[0] == pytest.approx(np.exp(np.log(means).mean()))
    assert y / y[0] == pytest.approx(np.sqrt(np.log(x) / x) / np.sqrt(np.log(100) / 100))
    assert rate.get_label() == r"$\propto(\log M/M)^{1/2}$, set at $M=100$"


@pytest.mark.parametrize(("axis", "values"), [("data.eta", (0.1, 0.5)), ("data.doc_length", ("[1, 2]", "[2, 9]"))])
def test_no_rate_where_there_is_none(ax, make_frame, axis, values):
    handles = draw_panel(ax, make_frame(axis=axis, values=values), "mm_distance", rate=True)
    assert len(handles) == 5


def test_a_failed_method_is_named_and_a_failed_cell_breaks_the_line(ax, make_frame, fail):
    frame = make_frame()
    frame = fail(frame, frame["method"] == "vem")
    frame = fail(frame, (frame["method"] == "gibbs") & (frame["value"] == 1000))
    handles = draw_panel(ax, frame, "mm_distance")
    assert [handle.get_label() for handle in handles] == ["GDM", "tGDM", "VEM (gensim), failed", "Gibbs", "RecoverKL"]
    assert len(ax.containers) == 4
    assert np.isnan(ax.containers[2][0].get_ydata()).tolist() == [False] * 3 + [True] + [False] * 3


@pytest.mark.parametrize(("axis", "value"), [(None, None), ("data.n_docs", 100)])
def test_without_a_sweep_methods_are_named_on_the_axis(ax, make_frame, fail, axis, value):
    frame = make_frame(axis=axis, values=(value,), repetitions=20)
    frame = fail(frame, frame["method"] == "vem")
    assert draw_panel(ax, frame, "mm_distance") == []
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names == ["GDM", "tGDM", "VEM (gensim)", "Gibbs", "RecoverKL"]
    assert [text.get_text() for text in ax.texts] == ["failed"]
    assert ax.get_xlabel() == ("MM distance" if value is None else "MM distance ($M$ = 100)")
    assert len(ax.containers) == 4


def test_hard_cases_draw_without_a_warning(make_frame, fail, drawn):
    frame = make_frame(values=(100, 1000))
    infinite = frame.copy()
    infinite.loc[0, "mm_distance"] = np.inf
    cases = [
        make_frame(repetitions=1),
        make_frame(values=(100,), methods=("gdm",), repetitions=1),
        fail(frame, frame["method"] != "none"),
        infinite,
        frame.assign(mm_distance=0.0),
        frame.assign(mm_distance=0.25),
        frame.assign(mm_distance=-frame["mm_distance"]),
        make_frame(methods=[f"method_{i}" for i in range(12)], repetitions=2),
        make_frame(values=(1, 2, 5), effect=lambda value: 1.0),
        make_frame(axis="methods.gdm.x_$y", methods=("a_b$c", "d")),
    ]
    with warnings.catch_warnings(), mpl.rc_context(RC):
        warnings.simplefilter("error")
        for case in cases:
            measure_figure(case, "mm_distance", "unwritten", rate=True)
            drawn[-1].draw_without_rendering()
    assert len(drawn) == len(cases)


def test_a_missing_column_is_named(ax, make_frame):
    with pytest.raises(ValueError, match="no column 'novelty'"):
        draw_panel(ax, make_frame(values=(1, 2)), "novelty")


def test_legend_fits_and_covers_no_data(make_frame):
    with mpl.rc_context(RC):
        figure = Figure(figsize=(3.5, 2.75))
        ax = figure.add_subplot()
        names = ["gdm", "gibbs", *(f"a_rather_long_name_{i}" for i in range(6))]
        add_legend(figure, draw_panel(ax, make_frame(methods=names), "mm_distance", rate=True))
        figure.draw_without_rendering()
        box = figure.legends[0].get_window_extent()
        assert box.x0 >= 0
        assert box.x1 <= figure.bbox.x1
        assert box.y0 >= ax.get_window_extent().y1
        assert len(figure.legends) == 1


def test_equal_records_give_equal_files_in_any_process(made_up_record, tmp_path):
    known = {"axis": "data.n_docs", "fit_seconds": 1.0}
    rows = [(method, m, r) for method in ("gdm", "mine", "yours") for m in (100, 1000) for r in range(3)]
    records = [made_up_record(method=a, value=m, repetition=r, mm_distance=r / m + 0.1, **known) for a, m, r in rows]
    (tmp_path / "records.json").write_text(json.dumps(records))
    code = (
        "import json, sys\nfrom gdmbench.exhibits.figures import measure_figure\n"
        "from gdmbench.records.frame import to_frame\n"
        "frame = to_frame(json.load(open(sys.argv[1])))\n"
        "measure_figure(frame, 'mm_distance', sys.argv[2], rate=True)\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
        "print(hash('the seed of this process'))\n"
    )
    here, there = tmp_path / "here", tmp_path / "there"
    measure_figure(to_frame(records), "mm_distance", here, rate=True)
    command = [sys.executable, "-c", code, str(tmp_path / "records.json"), str(there)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env={"PYTHONHASHSEED": "1", "PATH": ""})
    assert int(done.stdout) != hash("the seed of this process")
    for suffix in (".pdf", ".png"):
        assert here.with_suffix(suffix).read_bytes() == there.with_suffix(suffix).read_bytes()


@pytest.mark.parametrize("values", [(100, 1000), (100,)])
def test_labels_that_are_no_formula_are_drawn_as_they_are(make_frame, drawn, values):
    labels = ["$\\frac{1$", "costs $5 and $6", "$\\input{/etc/passwd}$", "\\$x$", "_hidden", "a_b^c{", "$K$-means"]
    methods = [f"m{number}" for number in range(len(labels))]
    frame = make_frame(values=values, methods=methods, repetitions=2, labels=dict(zip(methods, labels, strict=True)))
    measure_figure(frame.assign(axis="methods.x.odd$ke^y"), "mm_distance", "unwritten", rate=True)
    (figure,) = drawn
    figure.draw_without_rendering()
    (ax,) = figure.axes
    legend = [text.get_text() for text in figure.legends[0].get_texts()] if figure.legends else []
    shown = [text.strip().replace(r"\$", "$") for text in legend or (t.get_text() for t in ax.get_yticklabels())]
    assert shown == labels
    assert "odd$ke^y" in ax.get_xlabel().replace(r"\$", "$")
