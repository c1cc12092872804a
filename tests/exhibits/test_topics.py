"""Top words matched across methods."""

from itertools import permutations

from gdmbench.exhibits.topics import distances, match_topics, topics_markdown, write_topics

CAT, DOG, SUN = {"cat": 0.9, "pet": 0.1}, {"dog": 0.9, "pet": 0.1}, {"sun": 1.0}


def distance(a, b):
    return distances([a], [b])[0, 0]


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
    text = topics_markdown({"a": [CAT, None]}, {"a": "A"}, "K = 2")
    assert text.startswith("# Top words, K = 2\n")
    assert "| 1 | cat, pet |" in text
    assert "| 2 | – |" in text


def test_the_sum_of_distances_is_the_least_possible():
    """Against all permutations: nearest pairs first would match a with x (0.1), and leave b with y (0.9)."""
    a, b = {"w": 0.5}, {"w": 0.3}
    x, y = {"w": 0.4}, {"w": 0.6}
    topics = {"first": [a, b, SUN], "second": [y, SUN, x]}
    matched = match_topics(topics)["second"]
    costs = [sum(map(distance, topics["first"], order)) for order in permutations(topics["second"])]
    assert sum(map(distance, topics["first"], matched)) == min(costs)
    assert matched == [y, x, SUN]


def _row(method, value, repetition, topics, status="ok"):
    words = [[[word, p] for word, p in topic.items()] for topic in topics] if topics else None
    known = {"axis": "model.n_topics", "value": value, "repetition": repetition, "status": status}
    return {"method": method, "top_words": words, **known}


def test_the_middle_value_and_first_repetition_are_shown(made_up_frame, tmp_path):
    rows = [
        _row("gdm", 5, 0, [CAT]),
        _row("gdm", 10, 1, [SUN]),
        _row("gdm", 10, 0, [CAT, DOG]),
        _row("gibbs", 10, 0, [DOG, CAT]),
        _row("gibbs", 20, 0, [SUN]),
        _row("vem", 10, 0, None, "error"),
    ]
    written = write_topics(made_up_frame(rows), tmp_path)
    assert [path.name for path in written] == ["topics.md", "topics.pdf", "topics.png"]
    text = written[0].read_text()
    assert "K = 10" in text
    assert "sun" not in text
    assert text.count("| 1 | cat, pet |") == 2


def test_words_come_out_as_text(made_up_frame, tmp_path):
    words = ["<script>", "[x](javascript:f)", "a|b", r"\input{x}", r"$\input{/etc/passwd}$", "\\", "$x$", "C#", "&lt;"]
    topic = {word: 1 / len(words) for word in words}
    written = write_topics(made_up_frame([_row("gdm", 5, 0, [topic])]), tmp_path)
    assert len(written) == 3
    (line,) = [line for line in written[0].read_text().splitlines() if line.startswith("| 1 ")]
    expected = [r"&lt;script>", r"[x\](javascript:f)", r"a\|b", r"\\input{x}", r"\$\\input{/etc/passwd}\$"]
    expected += [r"\\", r"\$x\$", r"C\#", "&amp;lt;"]
    assert line == f"| 1 | {', '.join(expected)} |"


def test_nothing_is_written_where_words_have_no_names(made_up_frame, tmp_path):
    assert write_topics(made_up_frame([_row("gdm", 5, 0, None)]), tmp_path) == []
    assert write_topics(made_up_frame([]), tmp_path) == []
