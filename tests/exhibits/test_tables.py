"""Tables: numbers checked against pandas and by hand, layouts by eye once and by shape ever after."""

import csv
import doctest
import io
import json
import math
import re

import numpy as np
import pytest

from gdmbench.exhibits import digits
from gdmbench.exhibits.digits import format_mean, format_number
from gdmbench.exhibits.tables import (
    csv_text,
    failure_notes,
    latex_text,
    markdown_text,
    means_text,
    records_table,
    summarise,
)


def test_examples_of_numbers():
    assert doctest.testmod(digits).failed == 0


@pytest.mark.parametrize(
    ("mean", "error", "text"),
    [
        (0.01559, 0.00073, "0.0156 ± 0.0007"),
        (0.0251, 0.0018, "0.0251 ± 0.0018"),
        (0.0999, 0.0099, "0.10 ± 0.01"),
        (0.025, 0.016, "0.025 ± 0.016"),
        (1269.44, 11.7, "1269 ± 12"),
        (486.751, 0.84, "486.8 ± 0.8"),
        (1269.44, 0.00031, "1269.44 ± 0.0003"),
        (5.0, 0.0, "5 ± 0"),
        (232.92, 1e-14, "233 ± 0"),
        (0.0, 0.0, "0 ± 0"),
        (0.0, 0.02, "0.00 ± 0.02"),
        (3.2e-7, 1.1e-8, "3.2e-07 ± 1.1e-08"),
        (0.0036214, math.nan, "0.00362"),
        (math.inf, math.nan, "∞"),
        (math.nan, math.nan, "–"),
    ],
)
def test_mean_and_error(mean, error, text):
    assert format_mean(mean, error) == text


@pytest.mark.parametrize(
    ("value", "text"), [(0.09996, "0.100"), (99999.6, "100000"), (1.5e8, "1.5e+08"), (-0.25, "-0.250")]
)
def test_number(value, text):
    assert format_number(value) == text


def test_summary_agrees_with_pandas(make_records):
    records = make_records()
    summary = summarise(records)
    for measure in ("mm_distance", "perplexity", "fit_seconds"):
        expected = records.groupby(["value", "method"])[measure].agg(["mean", "sem", "median", "min", "max", "count"])
        mine = summary[summary["measure"] == measure].set_index(["value", "method"]).loc[expected.index]
        np.testing.assert_allclose(
            mine[["mean", "se", "median", "min", "max", "repetitions"]].to_numpy(float), expected.to_numpy(float)
        )
    assert (summary["failed"] == 0).all()


def test_summary_counts_failures_and_leaves_their_numbers_out(make_records, fail):
    records = make_records(values=(100, 1000))
    records = fail(records, (records["method"] == "vem") & (records["value"] == 1000))
    records = fail(records, (records["method"] == "gibbs") & (records["repetition"] < 2), "crashed", None)
    summary = summarise(records, ["mm_distance"]).set_index(["method", "value"])
    assert summary.loc[("vem", 1000), ["repetitions", "failed"]].tolist() == [0, 5]
    assert math.isnan(summary.loc[("vem", 1000), "mean"])
    assert summary.loc[("gibbs", 100), ["repetitions", "failed"]].tolist() == [3, 2]


def test_one_repetition_has_no_error_and_infinity_is_not_hidden(make_records):
    records = make_records(values=(100,), repetitions=1)
    assert summarise(records)["se"].isna().all()
    records = make_records(values=(100,), repetitions=3)
    records.loc[0, "perplexity"] = math.inf
    row = summarise(records, ["perplexity"]).set_index("method").loc["gdm"]
    assert math.isinf(row["mean"])
    assert math.isnan(row["se"])


def test_measures_without_any_number_are_left_out(make_records):
    records = make_records(values=(5, 10), axis="data.n_topics").assign(mm_distance=np.nan)
    assert "mm_distance" not in set(summarise(records)["measure"])
    assert "MM distance" not in means_text(summarise(records))


def test_users_own_measure_can_be_summarised(make_records):
    records = make_records(values=(100,)).assign(coherence=0.5)
    assert (summarise(records, ["coherence"])["mean"] == 0.5).all()


def test_records_table_is_flat_and_reads_back_to_the_same_bits(make_records, fail):
    records = make_records(values=(100, 1000))
    records = fail(records, records["method"] == "vem")
    table = records_table(records)
    rows = list(csv.DictReader(io.StringIO(csv_text(table))))
    assert json.loads(rows[0]["data"]) == {"anchors": False, "eta": 0.1, "n_docs": 1000}
    assert rows[0]["params"] == '{"n_restarts":10,"nested":{"b":[1,2]}}'
    assert {row["n_topics"] for row in rows} == {"5", ""}
    numbers = [float(row["mm_distance"] or "nan") for row in rows]
    np.testing.assert_array_equal(numbers, table["mm_distance"])
    assert len(rows) == len(records)


def test_terminal_table_fits_and_says_what_it_shows(make_records):
    summary = summarise(make_records())
    for width in (60, 80, 100, 120):
        text = means_text(summary, width=width)
        assert max(map(len, text.splitlines())) <= width
        assert text.count("RecoverKL") >= 3
    wide = means_text(summary, "mm_distance", width=120)
    assert wide.startswith("MM distance × 1000, mean ± standard error of 5\nM ")
    narrow = means_text(summary, "mm_distance", width=70)
    assert narrow.startswith("MM distance × 1000, mean of 5\n")
    assert len(wide.splitlines()) == len(narrow.splitlines()) == 3 + 5


def test_terminal_table_folds_when_nothing_else_helps(make_records):
    text = means_text(summarise(make_records()), "mm_distance", width=40)
    assert max(map(len, text.splitlines())) <= 40
    assert text.count("Gibbs") == 2
    for value in ("100", "200", "500", "1000", "2000", "4000", "7000"):
        assert re.search(rf"\b{value}\b", text)


def test_terminal_table_without_a_sweep_has_measures_as_columns(make_records):
    text = means_text(summarise(make_records(values=(None,), axis=None, repetitions=3)))
    assert text.startswith("Mean ± standard error of 3\n")
    assert re.search(r"MM distance +perplexity +fit time \(s\)", text)


def test_tables_mark_failures_and_cells_not_run(make_records, fail):
    records = make_records(values=(100, 1000))
    records = fail(records, (records["method"] == "vem") & (records["value"] == 1000))
    records = fail(records, (records["method"] == "gibbs") & (records["repetition"] < 2), "crashed", "a | b\nboom")
    records = records[~((records["method"] == "gdm") & (records["value"] == 100))]
    summary = summarise(records)
    notes = failure_notes(records)
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


def test_markdown_tables_are_well_formed(make_records):
    page = markdown_text(summarise(make_records()), "Figure 2b")
    assert page.startswith("# Figure 2b\n\n")
    assert "## MM distance\n" in page
    assert "Number of topics: 5 throughout." in page
    for block in page.split("\n\n"):
        if block.startswith("|"):
            widths = {len(line) for line in block.splitlines()}
            bars = {line.count("|") for line in block.splitlines()}
            assert len(widths) == len(bars) == 1


def test_markdown_without_a_sweep_has_methods_as_rows(make_records):
    page = markdown_text(summarise(make_records(values=(None,), axis=None)), "lengths")
    assert re.search(r"^\| GDM +\|", page, re.MULTILINE)
    assert "MM distance | " in page


def test_latex_escapes_and_rules(make_records):
    records = make_records(values=(100, 1000), methods=("gdm", "my_50%_method"))
    source = latex_text(summarise(records), "A & B_1, $N_m = 9$")
    assert source.count(r"\begin{table}") == source.count(r"\end{table}") == source.count(r"\toprule") > 3
    assert r"\caption{A \& B\_1, $N_m = 9$: MM distance, mean $\pm$ standard error.}" in source
    assert r"$M$ & GDM & my\_50\%\_method \\" in source
    assert r"\label{tab:vary-M-mm-distance}" in source
    assert re.search(r"100 & \$0\.\d+ \\pm 0\.\d+\$ & ", source)
    assert "±" not in source
