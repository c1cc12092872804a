"""A sweep on the page: every control does what it says, and numbers and files are the run's."""

import csv
import io
import xml.etree.ElementTree as ElementTree

import pandas as pd
import pytest

from gdmbench.exhibits.digits import format_mean

SWEEP = "#sweep-vary_M"


@pytest.fixture
def card(open_page, report, drawn):
    return drawn(open_page(report), SWEEP)


@pytest.fixture(scope="module")
def summary(results):
    table = pd.read_csv(results / "vary_M" / "summary.csv")
    return table[table["measure"] == "mm_distance"].reset_index(drop=True)


def _scale(card, axis):
    return card.locator(".figure svg").evaluate("(svg, axis) => svg.scale(axis).type", axis)


def _tip(card):
    return card.locator(".figure [aria-label=tip]").text_content().replace("\u200b", "\n")


def test_every_tip_tells_the_summary_s_numbers(card, summary):
    keyboard = card.page.keyboard
    card.locator(".figure").focus()
    for label in summary["label"].unique():
        keyboard.press("Home")
        for row in summary[summary["label"] == label].itertuples():
            tip = _tip(card)
            assert row.label in tip
            assert f"= {row.value}" in tip
            assert format_mean(row.mean, row.se) in tip
            assert f"n = {row.repetitions}, {row.failed} failed" in tip
            assert format_mean(row.mean, row.se) in card.page.locator("#status").text_content()
            keyboard.press("ArrowRight")
        keyboard.press("ArrowDown")
    keyboard.press("Escape")
    assert _tip(card) == ""


def test_the_mouse_shows_the_tip_of_a_mean_and_of_a_repetition(card):
    for marks, said in (("path", "mean ± standard error"), ("circle[r='2.2']", "repetition")):
        box = card.locator(f".figure g[aria-label=dot] {marks}").first.bounding_box()
        card.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        card.locator(".figure [aria-label=tip] text").first.wait_for()
        assert said in _tip(card)


def test_axes_are_linear_or_logarithmic(card):
    assert _scale(card, "x") == "log"
    card.get_by_label("log x").uncheck()
    assert _scale(card, "x") == "linear"
    for on in (True, False):
        card.get_by_label("log y").set_checked(on)
        assert _scale(card, "y") == ("log" if on else "linear")


def test_repetitions_are_dots(card):
    dots = card.locator(".figure g[aria-label=dot] circle")
    with_them = dots.count()
    card.get_by_label("repetitions").uncheck()
    assert with_them - dots.count() == 46  # four at each of twelve points, two of which failed


def test_another_measure(card, choose, downloaded):
    choose(card, "Measure", "perplexity")
    assert "perplexity" in card.locator("caption").inner_text()
    name, content = downloaded(card, "CSV")
    assert name == "vary_M-perplexity.csv"
    assert {row["measure"] for row in csv.DictReader(io.StringIO(content.decode()))} == {"perplexity"}


def test_ratios_are_paired_by_repetition(card, results, choose, downloaded):
    choose(card, "Show", "gibbs")
    name, content = downloaded(card, "CSV")
    assert name == "vary_M-mm_distance-to-gibbs.csv"
    frame = pd.read_csv(results / "vary_M" / "records.csv")
    rows = list(csv.DictReader(io.StringIO(content.decode())))
    assert len(rows) == 12
    for row in rows:
        at = frame[frame["value"] == int(row["value"])].set_index(["method", "repetition"])["mm_distance"]
        ratios = (at[row["method"]] / at["gibbs"]).dropna()
        assert float(row["ratio"]) == pytest.approx(ratios.prod() ** (1 / len(ratios)), rel=1e-12)
        assert int(row["pairs"]) == len(ratios)
    assert "ratio" in card.locator("caption").inner_text()


def test_a_method_that_is_hidden_is_in_no_table_and_no_download(card, downloaded):
    button = card.locator(".legend").get_by_role("button", name="GIBBS")
    button.press("Enter")
    assert button.get_attribute("aria-pressed") == "false"
    assert "GIBBS" not in card.locator("thead").inner_text()
    assert "gibbs" not in downloaded(card, "CSV")[1].decode()
    assert "GIBBS" not in downloaded(card, "SVG")[1].decode()
    button.press("Enter")
    assert "GIBBS" in card.locator("thead").inner_text()


def test_the_csv_is_the_summary(card, summary, downloaded):
    name, content = downloaded(card, "CSV")
    assert name == "vary_M-mm_distance.csv"
    seen = pd.read_csv(io.BytesIO(content))
    assert list(seen.columns) == list(summary.columns)
    pd.testing.assert_frame_equal(seen, summary, rtol=1e-12)


def test_the_latex_is_the_table_as_sorted(card, summary, downloaded):
    card.locator("thead").get_by_role("button", name="GDM").first.click()
    tex = downloaded(card, "LaTeX")[1].decode()
    rows = [line.strip().removesuffix(r" \\").split(" & ") for line in tex.splitlines() if line.endswith(r" \\")]
    assert [row[0] for row in rows] == ["$M$", "9000", "1000", "100"]
    means = {
        (str(row.value), row.label): format_mean(row.mean, row.se, plus_minus=r" \pm ") for row in summary.itertuples()
    }
    for value, *cells in rows[1:]:
        for label, cell in zip(rows[0][1:], cells, strict=True):
            assert cell.replace("^{*}", "") == f"${means[value, label]}$"


def test_pictures(card, results, downloaded):
    drawing = downloaded(card, "SVG")[1].decode()
    texts = {node.text for node in ElementTree.fromstring(drawing).iter() if node.tag.endswith(("text", "tspan"))}
    assert {"GDM", "GIBBS", "MM distance"} <= texts
    assert "href" not in drawing
    name, picture = downloaded(card, "PNG")
    assert (name, picture[:4]) == ("vary_M-mm_distance.png", b"\x89PNG")
    assert int.from_bytes(picture[16:20]) == 2 * 760  # pixels across
    assert (results / card.get_by_role("link", name="PDF").get_attribute("href")).is_file()


def test_the_table_sorts_both_ways_and_back(card):
    head = card.locator("thead th").nth(1)
    seen = []
    for _ in range(4):
        first = card.locator("tbody tr").first.locator("th").inner_text()
        seen.append((head.get_attribute("aria-sort"), first))
        head.get_by_role("button").click()
    # The error falls along the sweep.
    assert seen == [("none", "100"), ("ascending", "9000"), ("descending", "100"), ("none", "100")]


def test_methods_stand_below_each_other_where_nothing_is_swept(open_page, report, drawn):
    card = drawn(open_page(report), "#sweep-lengths")
    assert card.get_by_label("log x").count() == 0
    heads = card.locator("thead th").all_inner_texts()
    assert [head.split()[0] for head in heads] == ["method", "mean", "median", "least", "most", "n", "failed"]
    assert card.locator("tbody tr").count() == 4


def test_a_table_that_was_sorted_by_a_column_that_went_is_still_there(card):
    card.locator("thead th button").last.click()
    card.locator(".legend").get_by_role("button", name="GIBBS").click()
    assert card.locator("thead th").count() == 4
    assert [row.split()[0] for row in card.locator("tbody th").all_inner_texts()] == ["100", "1000", "9000"]
