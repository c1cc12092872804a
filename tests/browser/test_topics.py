"""Topics on the page: methods side by side, matched, and words to find everywhere."""

import pytest


@pytest.fixture
def card(open_page, report, drawn, choose):
    card = drawn(open_page(report), "#topics")
    choose(card, "K", "3")
    return card


def _heads(card):
    return [head.strip() for head in card.locator(".topics thead th").all_inner_texts()[1:]]


def _words(card, method, number):
    return card.locator(f"#topic-{method}-{number} .text").all_inner_texts()


def test_topics_are_matched_and_those_without_a_counterpart_say_so(card):
    assert _heads(card) == ["GDM 2 topics", "NGDM 3 topics", "GIBBS 2 topics"]
    first = card.locator(".topics tbody tr").first.locator("td")
    assert [cell.locator(".text").first.inner_text() for cell in first.all()] == ["cat", "cat", "cat"]
    assert card.locator(".missing").all_inner_texts() == ["no counterpart", "no counterpart"]
    assert "rain" in card.locator(".topic", has_text="unmatched").inner_text()


def test_a_word_is_found_in_all_methods_and_topics(card):
    card.get_by_role("button", name="cat").first.click()
    assert card.locator("button.word[aria-pressed=true]").count() == 4
    assert "“cat” leads in 4 topics: GDM 1, 2; NGDM 1; GIBBS 2" in card.inner_text()
    assert card.locator(".topic.hit").count() == 4
    card.locator("button.word[aria-pressed=true]").first.click()
    assert card.locator(".topic.hit").count() == 0


def test_bars_are_as_long_as_words_are_probable(card):
    widths = [bar.bounding_box()["width"] for bar in card.locator("#topic-gdm-0 .bar").all()]
    assert [width / widths[0] for width in widths] == pytest.approx([1, 0.3 / 0.5, 0.2 / 0.5], abs=0.02)


def test_relevance_ranks_words_by_lift(card):
    assert _words(card, "gdm", 0) == ["cat", "pet", "fur"]
    card.get_by_label("Relevance").fill("0")
    assert card.locator("output").inner_text() == "0.00"
    assert _words(card, "gdm", 0) == ["pet", "fur", "cat"]  # cat is a word of the other topic too


def test_corpus_number_of_topics_and_repetition(card, choose):
    choose(card, "K", "2")
    assert card.locator(".missing").count() == 0
    choose(card, "Repetition", "1")
    choose(card, "Corpus", "1")
    assert _heads(card)[0] == "GDM 1 topic"


def test_the_map_has_a_mark_for_each_topic_and_is_read_by_keyboard(card):
    assert card.locator(".figure g[aria-label=text] text").count() == 7
    card.locator(".figure").focus()
    card.page.keyboard.press("ArrowRight")
    assert card.page.locator("#status").text_content() == "GDM, topic 1 (row 1), cat, pet, fur"
    card.locator(".legend").get_by_role("button", name="NGDM").click()
    assert card.locator(".figure g[aria-label=text] text").count() == 4
    assert "NGDM" not in card.locator(".topics thead").inner_text()
