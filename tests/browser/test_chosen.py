"""The chosen model of a user's corpus, and the verdicts of a quick run, as a browser shows them."""

import json

import pandas as pd
import pytest

from gdmbench.exhibits.report import read_sources, write_report

CHOSEN = {
    "label": "refined GDM",
    "at": "model.n_topics=2",
    "documents": 3,
    "dropped": 1,
    "topics": [
        {"size": 0.25, "words": [["sun", 1.0]], "documents": [["c", 1.0, "<b>The</b> sun"]]},
        {"size": 0.75, "words": [["cat", 0.6], ["fur", 0.4]], "documents": [["a", 0.9, "The cat"], ["b", 0.8, ""]]},
    ],
    "groups": [["old", 2, [0.3, 0.7]], ["new", 1, [0.1, 0.9]]],
}


@pytest.fixture
def page_of(tmp_path, open_page):
    def open_it(width, scale="paper", claims=()):
        (tmp_path / "chosen.json").write_text(json.dumps(CHOSEN))
        (tmp_path / "provenance.json").write_text('{"runs": []}')
        (tmp_path / "config.yaml").write_text(f"name: corpus\ntitle: My texts\nscale: {scale}\n")
        if claims:
            pd.DataFrame(claims).to_csv(tmp_path / "claims.csv", index=False)
        return open_page(write_report(read_sources([tmp_path]), tmp_path / "report.html"), width=width)

    return open_it


@pytest.mark.parametrize("width", [1400, 390])
def test_the_corpus_page_opens_with_the_chosen_model(page_of, width):
    page = page_of(width)
    assert page.locator("main > section").nth(1).get_attribute("id") == "chosen"
    topics = page.locator(".chosen > li")
    assert topics.nth(0).locator("h3").inner_text() == "Topic 2 75 % of all words"  # the largest first
    assert topics.nth(0).locator(".chosen-words").inner_text() == "cat, fur"
    assert topics.nth(0).locator(".typical li").nth(0).inner_text() == "a 90 % The cat"
    assert "<b>The</b> sun" in topics.nth(1).inner_text()
    assert page.locator(".groups tbody tr").nth(0).inner_text().split() == ["old", "2", "70", "%", "30", "%"]
    assert "1 left out, as dropped.csv tells" in page.locator("#chosen").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.parametrize("scale", ["quick", "paper"])
def test_verdicts_of_a_quick_run_are_grey_beside_a_warning(page_of, scale):
    claims = [
        {"id": verdict, "claim": "c", "where": "Figure 2", "verdict": verdict}
        for verdict in ("reproduced", "not reproduced")
    ]
    page = page_of(1400, scale, claims)
    colours = page.locator("#claims .pill").evaluate_all("pills => pills.map(pill => getComputedStyle(pill).color)")
    assert (len(set(colours)) == 1) == (scale == "quick")
    warned = page.locator("#claims .warn").count()
    assert warned == (1 if scale == "quick" else 0)
