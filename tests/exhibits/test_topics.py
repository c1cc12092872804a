"""Top words matched across methods."""

import pandas as pd

from gdmbench.exhibits.topics import distance, match_topics, topics_markdown, write_topics

CAT, DOG, SUN = {"cat": 0.9, "pet": 0.1}, {"dog": 0.9, "pet": 0.1}, {"sun": 1.0}


def test_distance_is_euclidean_over_the_words_that_are_there():
    assert distance(CAT, CAT) == 0
    assert abs(distance(CAT, DOG) - (2 * 0.9**2) ** 0.5) < 1e-12
    assert distance(CAT, DOG) == distance(DOG, CAT)


def test_topics_come_in_the_order_of_the_first_method():
    matched = match_topics({"a": [CAT, DOG, SUN], "b": [SUN, DOG, CAT]})
    assert matched == {"a": [CAT, DOG, SUN], "b": [CAT, DOG, SUN]}


def test_more_or_fewer_topics_leave_gaps_and_lose_none():
    matched = match_topics({"a": [CAT, DOG], "b": [SUN, CAT, DOG], "c": [DOG]})
    assert matched == {"a": [CAT, DOG, None], "b": [CAT, DOG, SUN], "c": [None, DOG, None]}


def test_the_table_has_a_row_for_each_topic():
    text = topics_markdown({"a": [CAT, None]}, {"a": "A"}, 2)
    assert "| 1 | cat, pet |" in text
    assert "| 2 | – |" in text


def _record(method, value, repetition, topics, status="ok"):
    words = [[[word, p] for word, p in topic.items()] for topic in topics] if topics else None
    return {"method": method, "value": value, "repetition": repetition, "status": status, "top_words": words}


def test_the_middle_value_and_first_repetition_are_shown(tmp_path):
    records = pd.DataFrame(
        [
            _record("gdm", 5, 0, [CAT]),
            _record("gdm", 10, 1, [SUN]),
            _record("gdm", 10, 0, [CAT, DOG]),
            _record("gibbs", 10, 0, [DOG, CAT]),
            _record("gibbs", 20, 0, [SUN]),
            _record("vem", 10, 0, None, "error"),
        ]
    )
    written = write_topics(records, tmp_path)
    assert [path.name for path in written] == ["topics.md", "topics.pdf", "topics.png"]
    text = written[0].read_text()
    assert "K = 10" in text
    assert "sun" not in text
    assert text.count("| 1 | cat, pet |") == 2


def test_nothing_is_written_where_words_have_no_names(tmp_path):
    assert write_topics(pd.DataFrame([_record("gdm", 5, 0, None)]), tmp_path) == []
    assert write_topics(pd.DataFrame([{"method": "gdm"}]), tmp_path) == []
