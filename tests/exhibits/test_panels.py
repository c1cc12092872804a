"""Panels in a row: one legend, letters, and names of axes that stand once."""

import pytest

from gdmbench.exhibits.panels import Panel, panel_figure


def test_panels_share_one_legend_and_name_axes_once(make_frame, fail, tmp_path, drawn):
    a = make_frame(axis="data.doc_length", values=(10, 100, 1000), experiment="vary_N")
    b = fail(make_frame(), make_frame()["method"] == "vem")
    c = make_frame(axis="data.eta", values=(0.1, 1.0), methods=("gdm", "mine"), effect=lambda value: 1.0)
    d = make_frame(axis=None, values=(None,))
    panels = [Panel(b, "mm_distance", "$N_m=1000$", True), Panel(a, "mm_distance", rate=True), Panel(c, "perplexity")]
    panel_figure([*panels, Panel(d, "mm_distance"), Panel(d, "perplexity")], tmp_path / "figure")
    (figure,) = drawn
    assert [ax.get_title(loc="left") for ax in figure.axes] == ["(a)  $N_m=1000$", "(b)", "(c)", "(d)", "(e)"]
    perplexity = "perplexity as in the paper (proportions\nfitted to the scored words)"
    assert [ax.get_ylabel() for ax in figure.axes] == ["MM distance", "", perplexity, "", ""]
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels[:6] == ["GDM", "tGDM", "VEM (gensim)", "Gibbs", "RecoverKL", "mine"]
    assert len(labels) == 8
    assert len(figure.legends) == 1


def test_panels_are_written_and_none_is_an_error(make_frame, tmp_path):
    panels = [Panel(make_frame(repetitions=2, values=(100, 500)), "mm_distance")] * 3
    paths = panel_figure(panels, tmp_path / "figure_2", columns=2)
    assert [path.name for path in paths] == ["figure_2.pdf", "figure_2.png"]
    with pytest.raises(ValueError, match="at least one panel"):
        panel_figure([], tmp_path / "none")


def test_a_title_that_is_no_formula_is_drawn_as_it_is(make_frame, tmp_path):
    frame = make_frame(repetitions=2, values=(100, 500))
    assert len(panel_figure([Panel(frame, "mm_distance", r"$N_m = \foo{$ and $M = 3$")], tmp_path / "figure")) == 2
