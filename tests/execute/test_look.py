"""The look at a corpus before a run survives whatever the corpus does, and says so in one sentence."""

import gzip
import os
from pathlib import Path

import pytest

from gdmbench.cli import main

TOY = Path(__file__).parents[1] / "toy"


@pytest.fixture
def look(tmp_path, monkeypatch, capsys):
    """Start a run on a corpus: exit code and what was said."""
    monkeypatch.syspath_prepend(str(TOY))
    monkeypatch.chdir(tmp_path)

    def run(*words):
        code = main(["--config-dir", str(TOY / "conf"), *words])
        said = capsys.readouterr()
        return code, said.out + said.err

    return run


def test_a_gzip_bomb_is_one_sentence(look, tmp_path):
    line = b"a line of words that go on and on and on\n" * 1000
    with gzip.open(tmp_path / "bomb.txt.gz", "wb", compresslevel=1) as file:
        for _ in range(10_000):  # 400 MB in 4
            file.write(line)
    code, said = look("+experiment=toy_corpus", "data.path=bomb.txt.gz", "executor.memory_limit=300")
    assert code == 2
    assert said.startswith("gdmbench: bomb.txt.gz grows to more than 100 times its size when uncompressed")
    assert len(said.splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["bomb.txt.gz"]


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ("exit", "data.path=somewhere can't be read: crashed: its process left with exit code 0."),
        ("segfault", "data.path=somewhere can't be read: crashed: its process was ended by SIGSEGV."),
        ("hang", "data.path=somewhere can't be read: timeout: not done within the 3 s of executor.time_limit."),
        ("raise", "line 7 is no good"),
    ],
)
def test_a_reader_that_fails_in_any_way_is_one_sentence(look, tmp_path, fault, sentence):
    limit = 3 if fault == "hang" else 100
    code, said = look("+experiment=toy_hostile", f"data.fault={fault}", f"executor.time_limit={limit}")
    assert code == 2
    assert said == f"gdmbench: {sentence}\n"
    assert list(tmp_path.iterdir()) == []


def test_a_pipe_and_a_device_are_not_waited_for(look, tmp_path):
    os.mkfifo(tmp_path / "docs.txt")
    for path in ("docs.txt", "/dev/zero"):
        code, said = look("+experiment=toy_corpus", f"data.path={path}")
        assert code == 2
        assert said == f"gdmbench: {path} is a pipe or a device, which may have no end: save what it gives to a file.\n"
