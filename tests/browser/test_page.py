"""The page as a whole: it opens from a file, for everyone, whatever the records are; scripts in them do not run."""

import json

import pandas as pd
import pytest

from gdmbench.exhibits.report import read_sources, write_report
from gdmbench.exhibits.report.sources import Source
from gdmbench.records.frame import to_frame

HOSTILE = "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=1>"


def _draw_all(page):
    for part in page.locator(".figure").all():
        part.scroll_into_view_if_needed()


def test_the_first_screen_tells_what_was_run(open_page, report):
    page = open_page(report)
    assert page.locator("h1").inner_text() == "A report"
    tiles = page.locator(".tile").all_inner_texts()
    assert tiles == ["82\nof 84 cells fine", "2\ncells failed", "1\n✓ reproduced", "1\n◐ partly reproduced"]
    assert "gdmbench 1.0 · a processor" in page.locator("#top").inner_text()


def test_failures_and_provenance(open_page, report):
    page = open_page(report, permissions=["clipboard-read", "clipboard-write"])
    rows = page.locator("#failures tbody tr").all_inner_texts()
    assert [row.split("\t") for row in rows] == [["vary_M", "VEM", "M = 100", "2", "timeout", "no end after 60 s"]]
    about = page.locator("#about")
    for said in ("numpy 2.4", "a processor", "3.13", "yurochkin2016geometric", "Licence of Observable Plot"):
        assert said in about.inner_text()
    about.get_by_role("button", name="Copy BibTeX").click()
    assert "@inproceedings{yurochkin2016geometric" in page.evaluate("navigator.clipboard.readText()")
    about.get_by_role("button", name="Copy command").first.click()
    assert page.evaluate("navigator.clipboard.readText()").startswith("python -m gdmbench +experiment=")


@pytest.mark.parametrize("width", [380, 1600])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_overflows_and_axe_finds_nothing_serious(open_page, report, width, scheme):
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright",
        reason="axe-playwright-python is not installed: pip install '.[browser]'",
    )
    page = open_page(report, width, color_scheme=scheme)
    page.get_by_role("button", name="accuracy").click()
    _draw_all(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    found = axe.Axe().run(page).response["violations"]
    assert [rule["id"] for rule in found if rule["impact"] in ("serious", "critical")] == []


def test_the_keyboard_reaches_everything_and_skips_to_the_results(open_page, report):
    page = open_page(report)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    reached = set()
    for _ in range(400):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("(document.activeElement.closest('section') ?? document.body).id"))
        if "about" in reached:
            break
    assert {"top", "claims", "overview", "sweeps", "topics", "about"} <= reached


def test_the_theme_can_be_switched(open_page, report):
    page = open_page(report, color_scheme="dark")
    grounds = []
    for _ in range(3):
        grounds.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        page.locator("#theme").click()
    assert grounds[0] == grounds[2] != grounds[1]


def test_print_is_whole_and_on_white(open_page, report):
    page = open_page(report, color_scheme="dark")
    assert page.pdf().startswith(b"%PDF")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.locator(".figure:not(:has(svg))").count() == 0


def test_an_address_within_the_page(open_page, report):
    page = open_page(report)
    page.goto(f"{report.as_uri()}#sweep-lengths")
    page.wait_for_function("Math.abs(document.getElementById('sweep-lengths').getBoundingClientRect().top) < 100")


def test_an_empty_page(open_page, tmp_path):
    page = open_page(write_report([], tmp_path / "empty.html"))
    assert "There are no records here yet" in page.inner_text("main")
    assert page.locator("#contents li").all_inner_texts() == ["About"]


def test_one_cell(open_page, drawn, tmp_path, made_up_record):
    record = made_up_record(mm_distance=0.1, perplexity=5.0, fit_seconds=1.0)
    (tmp_path / "records.jsonl").write_text(json.dumps(record) + "\n")
    page = open_page(write_report(read_sources([tmp_path]), tmp_path / "report.html"))
    assert page.locator(".tile").all_inner_texts() == ["1\ncells, all fine"]
    assert "0.1" in drawn(page, "#sweep-e").locator("tbody").inner_text()


def test_nothing_but_failures(open_page, tmp_path, made_up_record):
    record = made_up_record(status="error", error="ValueError: no luck")
    (tmp_path / "records.jsonl").write_text(json.dumps(record) + "\n")
    page = open_page(write_report(read_sources([tmp_path]), tmp_path / "report.html"))
    assert "1 cell failed" in page.locator("#sweep-e").inner_text()
    assert "ValueError: no luck" in page.locator("#failures").inner_text()


def test_hostile_texts_are_seen_and_not_run(open_page, tmp_path, made_up_record):
    records = [
        made_up_record(experiment="e", method=HOSTILE, label=HOSTILE, axis=HOSTILE, value=value, mm_distance=0.1)
        | {"top_words": [[[HOSTILE, 0.5], ["b", 0.1]]]}
        for value in (HOSTILE, "b")
    ]
    records.append(made_up_record(experiment="e", method="vem", value="b", status="error", error=HOSTILE))
    claims = pd.DataFrame({"id": [HOSTILE], "claim": [HOSTILE], "verdict": [HOSTILE], "holds if": [HOSTILE]})
    source = Source(tmp_path, HOSTILE, HOSTILE, to_frame(records), claims, [{"command": [HOSTILE], "cpu": HOSTILE}])
    page = open_page(write_report([source], tmp_path / "hostile.html"))
    page.locator(".opener").first.click()
    _draw_all(page)
    page.locator("button.word").first.click()
    page.locator(".figure").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("window.hacked") is None
    assert page.locator("h1").inner_text() == HOSTILE
    assert page.locator("main img").count() == 0
