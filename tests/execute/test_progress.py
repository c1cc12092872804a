"""The estimate of the time left, on made-up times."""

import io
from collections import Counter

from gdmbench.execute.progress import Progress, in_words


def test_before_anything_ended_there_is_no_estimate():
    progress = Progress(Counter(a=2, b=1), 2, stream=io.StringIO())
    assert progress.remaining() is None
    assert progress.line() == "0/3 cells done, 0 failed, 3 left"


def test_kinds_never_seen_make_it_a_lower_bound():
    progress = Progress(Counter(a=3, b=2), 2, stream=io.StringIO())
    progress.ended("a", 10.0, ok=True)
    assert progress.remaining() == ((2 * 10 + 2 * 10) / 2, True)
    assert progress.line().endswith("at least 20 s to go")
    progress.ended("b", 100.0, ok=False)
    assert progress.remaining() == ((2 * 10 + 1 * 100) / 2, False)
    assert progress.line() == "2/5 cells done, 1 failed, 3 left, about 60 s to go"


def test_earlier_runs_count():
    assert Progress(Counter(a=4), 1, {"a": [1.0, 3.0]}, io.StringIO()).remaining() == (8.0, False)


def test_elsewhere_than_on_a_terminal_lines_are_plain_and_few():
    stream = io.StringIO()
    progress = Progress(Counter(a=1000), 1, stream=stream)
    for _ in range(1000):
        progress.ended("a", 0.1, ok=True)
        progress.show()
    progress.close()
    assert stream.getvalue().count("\n") <= 1
    assert "\r" not in stream.getvalue()


def test_durations_in_words():
    assert [in_words(s) for s in (3.2, 89, 120, 3600, 9000)] == ["3 s", "89 s", "2 min", "60 min", "2.5 h"]
