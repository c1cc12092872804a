"""The page on the number of topics of a user's corpus, as a browser shows it."""

import json

import matplotlib.pyplot as plt
import pytest

from gdmbench.exhibits.report import read_sources, write_report

ADVICE = {
    "advice": "Ask for 5 topics: they predict unseen words best.",
    "tables": [
        [
            ["number of topics", "above the best by", "stability"],
            ["2", "8.0 ± 0.5 %", "0.95"],
            ["5", "the best", "0.9"],
        ],
        [["what else was looked at", "number of topics"], ["the highest coherence", "5"]],
    ],
    "note": "± is one standard error.",
}


@pytest.mark.parametrize("width", [1400, 390])
def test_the_page_opens_with_the_advice_its_figure_and_the_stability(tmp_path, open_page, width):
    (tmp_path / "advice.json").write_text(json.dumps(ADVICE))
    (tmp_path / "provenance.json").write_text('{"runs": []}')
    (tmp_path / "config.yaml").write_text("name: choose_k\ntitle: How many topics?\n")
    figure, _ = plt.subplots(figsize=(12, 3))
    figure.savefig(tmp_path / "choose_k.png")
    plt.close(figure)
    page = open_page(write_report(read_sources([tmp_path]), tmp_path / "report.html"), width=width)
    advice = page.locator("main > section").nth(1)
    assert advice.get_attribute("id") == "advice"
    assert advice.locator(".advice").inner_text() == ADVICE["advice"]
    advice.locator("img").scroll_into_view_if_needed()
    page.wait_for_function("document.querySelector('#advice img').naturalWidth > 0")
    rows = advice.locator("table").nth(0).locator("tbody tr")
    assert rows.nth(1).inner_text().split("\t") == ["5", "the best", "0.9"]
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert "paper" not in page.locator("#top").inner_text() + advice.inner_text()
