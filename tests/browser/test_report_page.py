"""The report in a real browser: it opens from a file, every control does what it says, and numbers are the run's."""

import csv
import io
import itertools
import json
import xml.etree.ElementTree as ElementTree

import pandas as pd
import pytest

from gdmbench.exhibits.digits import format_mean
from gdmbench.exhibits.report import read_sources, write_report
from gdmbench.exhibits.report.sources import Source
from gdmbench.records.frame import to_frame

HOSTILE = "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=1>"


def sweep_of(page, name="vary_M"):
    card = page.locator(f"#sweep-{name}")
    card.scroll_into_view_if_needed()
    card.locator(".figure svg").wait_for()
    return card


def choose(card, field, option):
    card.locator(".field", has=card.page.get_by_text(field, exact=True)).locator("select").select_option(option)


def summary_of(results, name="vary_M", measure="mm_distance"):
    table = pd.read_csv(results / name / "summary.csv")
    return table[table["measure"] == measure]


def downloaded(page, card, button):
    with page.expect_download() as waiting:
        card.get_by_role("button", name=button, exact=True).click()
    return waiting.value.suggested_filename, open(waiting.value.path(), "rb").read()


def test_the_first_screen_tells_what_was_run(open_page, report):
    page = open_page(report)
    assert page.locator("h1").inner_text() == "A report"
    assert "of 72 cells fine" in page.locator(".tiles").inner_text()
    assert "2\ncells failed" in page.locator(".tiles").inner_text()
    assert page.locator("table.claims tbody tr:visible").count() == 2


def test_every_tip_tells_the_summary_s_numbers(open_page, report, results):
    page = open_page(report)
    card = sweep_of(page)
    card.get_by_label("repetitions").uncheck()
    figure = card.locator(".figure")
    figure.focus()
    rows = summary_of(results)
    seen = 0
    for method, key in zip(rows["label"].unique(), itertools.cycle(["ArrowDown"]), strict=False):
        page.keyboard.press("Home")
        for row in rows[rows["label"] == method].itertuples():
            tip = figure.locator("[aria-label=tip]").text_content().replace("\u200b", "\n")
            assert row.label in tip
            assert f"= {row.value}" in tip
            assert format_mean(row.mean, row.se) in tip
            assert f"n = {row.repetitions}, {row.failed} failed" in tip
            seen += 1
            page.keyboard.press("ArrowRight")
        page.keyboard.press(key)
    assert seen == 12


def test_the_mouse_shows_the_same_tip(open_page, report):
    page = open_page(report)
    card = sweep_of(page)
    where = card.locator(".figure").evaluate(
        """(at) => { const svg = at.querySelector("svg"), box = svg.getBoundingClientRect();
        const dot = svg.querySelectorAll("g[aria-label=dot] path")[0].getBoundingClientRect();
        return [dot.left + dot.width / 2, dot.top + dot.height / 2]; }"""
    )
    page.mouse.move(*where)
    tip = card.locator(".figure [aria-label=tip]")
    tip.locator("text").first.wait_for()
    assert "standard error" in tip.text_content()


def test_measure_scale_and_repetitions(open_page, report):
    page = open_page(report)
    card = sweep_of(page)
    scale = lambda axis: card.locator(".figure svg").evaluate("(svg, axis) => svg.scale(axis).type", axis)  # noqa: E731
    assert scale("x") == "log"
    card.get_by_label("log x").uncheck()
    assert scale("x") == "linear"
    for on in (True, False):
        card.get_by_label("log y").set_checked(on)
        assert scale("y") == ("log" if on else "linear")
    dots = card.locator(".figure g[aria-label=dot] circle")
    many = dots.count()
    card.get_by_label("repetitions").uncheck()
    assert dots.count() < many
    choose(card, "Measure", "perplexity")
    assert "perplexity" in card.locator("caption").inner_text()


def test_ratios_are_paired_by_repetition(open_page, report, results):
    page = open_page(report)
    card = sweep_of(page)
    choose(card, "Show", "gibbs")
    _, content = downloaded(page, card, "CSV")
    frame = pd.read_csv(results / "vary_M" / "records.csv")
    for row in csv.DictReader(io.StringIO(content.decode())):
        at = frame[frame["value"] == int(row["value"])].set_index(["method", "repetition"])["mm_distance"]
        ratios = (at[row["method"]] / at["gibbs"]).dropna()
        geometric = ratios.prod() ** (1 / len(ratios))
        assert float(row["ratio"]) == pytest.approx(geometric, rel=1e-12)
        assert int(row["pairs"]) == len(ratios)


def test_a_method_that_is_hidden_is_in_no_table_and_no_download(open_page, report):
    page = open_page(report)
    card = sweep_of(page)
    button = card.locator(".legend").get_by_role("button", name="GIBBS")
    button.press("Enter")
    assert button.get_attribute("aria-pressed") == "false"
    assert "GIBBS" not in card.locator("thead").inner_text()
    _, content = downloaded(page, card, "CSV")
    assert "gibbs" not in content.decode()


def test_the_csv_is_the_summary(open_page, report, results):
    page = open_page(report)
    name, content = downloaded(page, sweep_of(page), "CSV")
    assert name == "vary_M-mm_distance.csv"
    seen, told = pd.read_csv(io.BytesIO(content)), summary_of(results)
    assert list(seen.columns) == list(told.columns)
    pd.testing.assert_frame_equal(seen, told.reset_index(drop=True), rtol=1e-12)


def test_latex_svg_png_and_pdf(open_page, report, results):
    page = open_page(report)
    card = sweep_of(page)
    tex = downloaded(page, card, "LaTeX")[1].decode()
    assert tex.count(r"\\") == 4
    assert r" \pm " in tex
    drawing = downloaded(page, card, "SVG")[1].decode()
    texts = {node.text for node in ElementTree.fromstring(drawing).iter() if node.tag.endswith(("text", "tspan"))}
    assert {"GDM", "GIBBS", "MM distance"} <= texts
    assert "href" not in drawing
    assert downloaded(page, card, "PNG")[1].startswith(b"\x89PNG")
    assert (results / card.get_by_role("link", name="PDF").get_attribute("href")).is_file()


def test_the_table_sorts(open_page, report):
    page = open_page(report)
    card = sweep_of(page)
    first = lambda: card.locator("tbody tr").first.locator("th").inner_text()  # noqa: E731
    assert first() == "100"
    card.locator("thead").get_by_role("button", name="GDM", exact=False).first.click()
    assert first() == "10000"  # the error falls along the sweep
    assert card.locator("thead th").nth(1).get_attribute("aria-sort") == "ascending"


def test_the_pareto_front_is_that_of_a_brute_force_search(open_page, report):
    page = open_page(report)
    card = page.locator("#front")
    card.scroll_into_view_if_needed()
    rows = list(csv.DictReader(io.StringIO(downloaded(page, card, "CSV")[1].decode())))
    main = [(float(r["fit_seconds"]), float(r["mm_distance"]), r["front"]) for r in rows if r["front"]]
    for x, y, front in main:
        beaten = any(a <= x and b <= y and (a, b) != (x, y) for a, b, _ in main)
        assert front == ("no" if beaten else "yes")


def test_the_heat_map_tells_ratios_to_the_best(open_page, report, results):
    page = open_page(report)
    card = page.locator("#heat")
    card.locator(".figure svg").wait_for()
    shown = card.locator(".figure g[aria-label=text]").text_content()
    assert "1.00" in shown


def test_claims_filter_and_open(open_page, report):
    page = open_page(report, permissions=["clipboard-read", "clipboard-write"])
    rows = page.locator("table.claims tbody tr:visible")
    choose(page.locator("#claims"), "Verdict", "reproduced")
    assert rows.count() == 1
    choose(page.locator("#claims"), "Verdict", "")
    page.get_by_label("Search").fill("near gibbs")
    assert rows.count() == 1
    opener = page.get_by_role("button", name="accuracy")
    opener.press("Enter")
    assert opener.get_attribute("aria-expanded") == "true"
    evidence = page.locator("tr.evidence:visible")
    evidence.locator("svg").wait_for()
    assert "1.50 [1.40, 1.60] n = 12" in evidence.locator("svg").text_content()
    assert "Hangs on: the start" in evidence.inner_text()
    evidence.get_by_role("button", name="Copy command").click()
    assert page.evaluate("navigator.clipboard.readText()") == "python -m gdmbench +experiment=figure_2"


def test_topics_side_by_side(open_page, report):
    page = open_page(report)
    card = page.locator("#topics")
    card.scroll_into_view_if_needed()
    card.locator(".figure svg").wait_for()
    assert card.locator(".missing").count() == 2  # of GDM and Gibbs, beside nGDM's third topic
    assert card.locator(".unmatched").count() >= 1
    card.get_by_role("button", name="cat").first.click()
    assert card.locator("button.word[aria-pressed=true]").count() == 3
    assert "leads in 3 topics" in card.inner_text()
    choose(card, "K", "3")
    choose(card, "Repetition", "1")
    card.get_by_label("Relevance").fill("0")
    assert "0.00" in card.locator("output").inner_text()


@pytest.mark.parametrize("width", [380, 1600])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_overflows_and_axe_finds_nothing_serious(open_page, report, width, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    page = open_page(report, width, color_scheme=scheme)
    page.get_by_role("button", name="accuracy").click()
    for part in page.locator(".figure").all():
        part.scroll_into_view_if_needed()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    found = axe.Axe().run(page).response["violations"]
    assert [rule["id"] for rule in found if rule["impact"] in ("serious", "critical")] == []


def test_dark_and_light(open_page, report):
    page = open_page(report, color_scheme="dark")
    ground = lambda: page.evaluate("getComputedStyle(document.body).backgroundColor")  # noqa: E731
    dark = ground()
    page.locator("#theme").click()
    assert ground() != dark


def test_print(open_page, report):
    page = open_page(report)
    assert page.pdf().startswith(b"%PDF")
    assert page.locator(".card .figure:empty").count() == 0


def test_an_empty_page_and_one_cell(open_page, tmp_path, made_up_record):
    page = open_page(write_report([], tmp_path / "empty.html"))
    assert "There are no records here yet" in page.inner_text("main")
    (tmp_path / "one").mkdir()
    record = made_up_record(mm_distance=0.1, perplexity=5.0, fit_seconds=1.0)
    (tmp_path / "one" / "records.jsonl").write_text(json.dumps(record) + "\n")
    page = open_page(write_report(read_sources([tmp_path / "one"]), tmp_path / "one.html"))
    assert "0.1" in sweep_of(page, "e").locator("tbody").inner_text()


def test_hostile_texts_are_seen_and_not_run(open_page, tmp_path, made_up_record):
    records = [
        made_up_record(experiment="e", method=HOSTILE, label=HOSTILE, axis=HOSTILE, value=value, mm_distance=0.1)
        | {"top_words": [[[HOSTILE, 0.5], ["b", 0.1]]]}
        for value in (HOSTILE, "b")
    ]
    records.append(made_up_record(experiment="e", method="vem", value="b", status="error", error=HOSTILE))
    claims = pd.DataFrame({"id": [HOSTILE], "claim": [HOSTILE], "verdict": [HOSTILE], "hangs on": [HOSTILE]})
    source = Source(tmp_path, HOSTILE, HOSTILE, to_frame(records), claims, [{"command": [HOSTILE], "cpu": HOSTILE}])
    page = open_page(write_report([source], tmp_path / "hostile.html"))
    page.locator(".opener").first.click()
    for part in page.locator(".figure").all():
        part.scroll_into_view_if_needed()
    assert page.evaluate("window.hacked") is None
    assert page.locator("h1").inner_text() == HOSTILE
    assert page.locator("main img").count() == 0
