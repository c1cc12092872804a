"""What a run says of how far it is: on made-up times, and on a real terminal."""

import fcntl
import io
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections import Counter
from contextlib import suppress
from pathlib import Path

from gdmbench.execute.progress import Progress, in_words

TOY = Path(__file__).parents[1] / "toy"


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


def test_a_narrow_terminal_gets_fewer_words():
    progress = Progress(Counter(a=175), 2, {"a": [100.0]}, io.StringIO())
    progress.ended("a", 100.0, ok=True)
    assert progress.line(80) == "1/175 cells done, 0 failed, 174 left, about 2.4 h to go"
    assert progress.line(39) == "1/175, 0 failed, about 2.4 h to go"
    assert progress.line(39, compiling=True) == "1/175, 0 failed, compiling, once"
    for width in range(80):
        assert len(progress.line(width)) <= width
        assert len(progress.line(width, compiling=True)) <= width


def test_compiling_is_said_once_where_lines_stay():
    stream = io.StringIO()
    progress = Progress(Counter(a=3), 1, stream=stream)
    for compiling in (False, True, True, False, True):
        progress.show(compiling)
    assert stream.getvalue().count("Compiling, once") == 1


def test_a_first_run_in_forty_columns(toy_words, tmp_path):
    """A real terminal and a method to compile: it says that it compiles, and no line is wider than the screen."""
    primary, secondary = pty.openpty()
    fcntl.ioctl(secondary, termios.TIOCSWINSZ, struct.pack("HHHH", 25, 40, 0, 0))
    words = ["~methods.nothing", "+method@methods.compiled=compiled", "executor.n_workers=1", "repetitions=1", "root=."]
    command = [sys.executable, "-m", "gdmbench", *toy_words, *words]
    process = subprocess.Popen(
        command,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(TOY)},
        stdout=subprocess.PIPE,
        stderr=secondary,
    )
    os.close(secondary)
    seen = b""
    with suppress(OSError):  # raised by Linux when the other end is closed
        while piece := os.read(primary, 4096):
            seen += piece
    assert process.wait() == 0, process.stdout.read()
    lines = re.split(r"\r\x1b\[2K", seen.decode())
    assert any("compiling, once" in line for line in lines)
    assert max(map(len, lines)) < 40
    records = [json.loads(line) for line in (tmp_path / "toy" / "records.jsonl").read_text().splitlines()]
    times = [record["compile_seconds"] for record in records]
    assert 0 < times[0] < records[0]["cell_seconds"]
    assert max(times[1:]) == 0  # the one worker has it by then
