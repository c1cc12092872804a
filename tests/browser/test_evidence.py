"""Claims on the page: the table filters, and a click opens the evidence."""

import pytest


@pytest.fixture
def claims(open_page, report):
    return open_page(report, permissions=["clipboard-read", "clipboard-write"]).locator("#claims")


def _shown(claims):
    return [text.strip("▸ ") for text in claims.locator("tbody tr:not(.evidence):visible th").all_inner_texts()]


def test_the_table_has_words_verdict_confirmed_verdict_and_when_it_would_hold(claims):
    heads = claims.locator("thead th").all_inner_texts()
    assert heads == ["Claim", "What the paper says", "Where", "Verdict", "Confirmed", "Holds if"]
    first, second = claims.locator("tbody tr:not(.evidence)").all()
    cells = first.locator("th, td").all_inner_texts()
    partly = "◐ partly reproduced\n1 of 2 parts"
    assert cells[1:5] == ["tGDM is near Gibbs.", "Fig. 2", partly, partly]
    assert cells[5] == "VEM has another start (cause_start): reproduced"
    assert second.locator("th, td").all_inner_texts()[3:] == ["✓ reproduced", "–", "–"]


def test_the_verdicts_are_explained(claims):
    claims.get_by_text("How to read the verdicts").click()
    assert "partly reproduced (k of n)" in claims.inner_text()


def test_filters(claims, choose):
    assert _shown(claims) == ["accuracy", "speed"]
    choose(claims, "Verdict", "reproduced")
    assert _shown(claims) == ["speed"]
    choose(claims, "Verdict", "")
    choose(claims, "Exhibit", "figure_2")
    assert _shown(claims) == ["accuracy"]
    choose(claims, "Exhibit", "")
    claims.get_by_label("Search").fill("GIBBS near")
    assert _shown(claims) == ["accuracy"]
    assert "1 of 2 claims" in claims.inner_text()


def test_a_count_of_verdicts_filters_too(claims):
    claims.page.locator(".tile", has_text="partly reproduced").click()
    assert _shown(claims) == ["accuracy"]


def test_the_evidence_has_estimates_against_limits_figures_and_command(claims):
    opener = claims.get_by_role("button", name="accuracy")
    opener.press("Enter")
    assert opener.get_attribute("aria-expanded") == "true"
    evidence = claims.locator("tr.evidence:visible")
    forest = evidence.locator(".figure svg")
    forest.wait_for()
    drawn = forest.text_content()
    assert "✗ 1.50 [1.40, 1.60] n = 12" in drawn
    assert "✓ 0.600 [0.500, 0.700] n = 12" in drawn
    assert drawn.count("fresh seeds") == 2
    limits = forest.evaluate(
        "(svg) => [...svg.querySelectorAll('g[aria-label=rule] line')].map((l) => l.getAttribute('x1'))"
    )
    places = forest.evaluate("(svg) => [0.8, 1.25, 1].map((x) => svg.scale('x').apply(x))")
    assert all(any(abs(float(x) - place) < 1 for x in limits if x) for place in places)
    text = evidence.inner_text()
    assert "Demanded: within 1.25" in text
    assert "Holds if VEM has another start" in text
    assert evidence.get_by_role("img", name="figure_2").is_visible()
    evidence.get_by_text("What it depends on:").click()
    assert evidence.get_by_role("img", name="cause_start").is_visible()
    assert evidence.get_by_role("link", name="vary_M").get_attribute("href") == "#sweep-vary_M"
    evidence.get_by_role("button", name="Copy command", exact=True).click()
    assert claims.page.evaluate("navigator.clipboard.readText()") == "python -m gdmbench +experiment=figure_2"
    opener.press("Enter")
    assert claims.locator("tr.evidence:visible").count() == 0
