"""Tables: layouts by shape, in Markdown, LaTeX and for the terminal."""

import re

import pytest

from gdmbench.exhibits.digits import format_mean
from gdmbench.exhibits.summary import failure_notes, summarise
from gdmbench.exhibits.tables import latex_text, markdown_text, means_text


def test_terminal_table_fits_and_says_what_it_shows(make_frame):
    summary = summarise(make_frame())
    for width in (60, 80, 100, 120):
        text = means_text(summary, width=width)
        assert max(map(len, text.splitlines())) <= width
        assert text.count("RecoverKL") >= 3
    for width, what, blocks in [(150, "± standard error of 5", 1), (100, "± standard error of 5", 2), (60, "of 5", 2)]:
        text = means_text(summary, "mm_distance", width=width)
        assert text.startswith(f"MM distance, mean {what}\nM ")
        assert len(text.splitlines()) == 1 + blocks * (2 + 5) + (blocks - 1)


def test_terminal_table_folds_when_nothing_else_helps(make_frame):
    text = means_text(summarise(make_frame()), "mm_distance", width=40)
    assert max(map(len, text.splitlines())) <= 40
    assert text.count("Gibbs") == 4
    for value in ("100", "200", "500", "1000", "2000", "4000", "7000"):
        assert re.search(rf"\b{value}\b", text)


def test_terminal_table_without_a_sweep_has_measures_as_columns(make_frame):
    text = means_text(summarise(make_frame(values=(None,), axis=None, repetitions=3)))
    assert text.startswith("Mean ± standard error of 3\n")
    assert re.search(r"MM distance +perplexity as in the paper +fit time \(s\)", text)


def test_terminal_table_has_no_formulas(make_frame):
    frame = make_frame(values=(100, 1000))
    text = means_text(summarise(frame.assign(label=frame["label"] + r", $\alpha$ known")))
    assert "Gibbs, α known  " in text
    assert "$" not in text


def test_tables_mark_failures_and_cells_not_run(make_frame, fail):
    frame = make_frame(values=(100, 1000))
    frame = fail(frame, (frame["method"] == "vem") & (frame["value"] == 1000))
    frame = fail(frame, (frame["method"] == "gibbs") & (frame["repetition"] < 2), "crashed", "a | b\nboom")
    frame = frame[~((frame["method"] == "gdm") & (frame["value"] == 100))]
    summary = summarise(frame)
    notes = failure_notes(frame)
    assert notes == [
        "Gibbs at M = 100: 2 of 5 failed, crashed (boom)",
        "VEM (gensim) at M = 1000: 5 of 5 failed, timeout (no end after 60 s)",
        "Gibbs at M = 1000: 2 of 5 failed, crashed (boom)",
    ]
    text = means_text(summary, "mm_distance")
    assert re.search(r"VEM \(gensim\) .* failed", text)
    assert "mean ± standard error of 3 to 5; * some failed" in text
    assert re.search(r"GDM +– ", text)
    page = markdown_text(summary, "Figure 2b", notes)
    assert "- VEM (gensim) at M = 1000: 5 of 5 failed" in page
    assert re.search(r"\| +failed \|", page)
    assert r"\* is without" in page


def test_a_cell_reads_the_same_in_every_table(make_frame):
    """Console, Markdown and LaTeX write the mean in the CSV's unit, to the digits that its error supports."""
    summary = summarise(make_frame(values=(100, 1000)))
    row = summary[(summary["measure"] == "mm_distance") & (summary["method"] == "gdm")].iloc[0]
    number = format_mean(row["mean"], row["se"])
    assert float(number.partition(" ±")[0]) == pytest.approx(row["mean"], rel=0.1)
    assert number in markdown_text(summary, "Figure 2b")
    assert number.replace("±", r"\pm") in latex_text(summary, "Figure 2b")
    assert number.replace("± ", "±") in means_text(summary, "mm_distance")


def test_markdown_tables_are_well_formed(make_frame):
    page = markdown_text(summarise(make_frame()), "Figure 2b")
    assert page.startswith("# Figure 2b\n\n")
    assert "## MM distance\n" in page
    assert "Number of topics: 5 throughout." in page
    for block in page.split("\n\n"):
        if block.startswith("|"):
            widths = {len(line) for line in block.splitlines()}
            bars = {line.count("|") for line in block.splitlines()}
            assert len(widths) == len(bars) == 1


def test_markdown_without_a_sweep_has_methods_as_rows(make_frame):
    page = markdown_text(summarise(make_frame(values=(None,), axis=None)), "lengths")
    assert re.search(r"^\| GDM +\|", page, re.MULTILINE)
    assert "MM distance | perplexity as in the paper | " in page


def test_latex_escapes_and_rules(make_frame):
    frame = make_frame(values=(100, 1000), methods=("gdm", "my_50%_method"))
    source = latex_text(summarise(frame), "A & B_1, $N_m = 9$")
    assert source.count(r"\begin{table}") == source.count(r"\end{table}") == source.count(r"\toprule") > 3
    assert r"\caption{A \& B\_1, $N_m = 9$: MM distance, mean $\pm$ standard error.}" in source
    assert r"$M$ & GDM & my\_50\%\_method \\" in source
    assert r"\label{tab:vary-M-mm-distance}" in source
    assert re.search(r"100 & \$0\.\d+ \\pm 0\.\d+\$ & ", source)
    assert "±" not in source


def test_labels_come_out_as_text_in_every_table(make_frame):
    labels = {"a": "<script>", "b": "[x](javascript:f)|y", "c": r"$\input{/etc/passwd}$", "d": r"C:\new*"}
    frame = make_frame(values=(100, "[50, 1500]"), methods=tuple(labels), labels=labels, effect=lambda value: 1.0)
    page = markdown_text(summarise(frame), r"<b> & $N_m = 9$ \input{x}", ["<i>: 1 of 2 failed, error (a|b)"])
    assert page.startswith("# &lt;b> & $N_m = 9$ \\\\input{x}\n")
    assert r"&lt;script> | " in page
    assert r"\[x\](javascript:f)\|y" in page
    assert "- &lt;i>: 1 of 2 failed, error (a\\|b)\n" in page
    for block in page.split("\n\n"):
        if block.startswith("|"):
            bars = {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
            assert bars == {6}
    source = latex_text(summarise(frame), r"$N_m = 9$ \input{x}")
    assert r"\input" not in source
    assert r"\textless{}script\textgreater{}" in source
    assert r"{[}x](javascript:f)\textbar{}y" in source
    assert "    {[}50, 1500] & " in source  # else an option of the rule above
    assert r"$N_m = 9$ \textbackslash{}input\{x\}" in source
    assert "<script>" in means_text(summarise(frame))
