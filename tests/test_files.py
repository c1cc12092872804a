"""Atomic writing: the whole file or the old one, and nothing left lying about."""

import pytest

from gdmbench.files import atomic_path, atomic_write_text


def test_text_arrives_whole_in_a_new_folder(tmp_path):
    path = tmp_path / "a" / "b" / "note.txt"
    atomic_write_text(path, "η = 0.1\n")
    assert path.read_bytes() == "η = 0.1\n".encode()
    assert [p.name for p in path.parent.iterdir()] == ["note.txt"]


def interrupted_write(path):
    with atomic_path(path) as aside:
        aside.write_text("half")
        raise KeyboardInterrupt


def test_old_file_survives_an_interrupted_write(tmp_path):
    path = tmp_path / "figure.pdf"
    path.write_text("old")
    with pytest.raises(KeyboardInterrupt):
        interrupted_write(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_target_changes_only_at_the_end_and_sibling_keeps_the_suffix(tmp_path):
    path = tmp_path / "figure.pdf"
    path.write_text("old")
    with atomic_path(path) as aside:
        aside.write_text("new")
        assert aside.parent == tmp_path
        assert aside.suffix == ".pdf"
        assert path.read_text() == "old"
    assert path.read_text() == "new"


def test_a_block_that_writes_nothing_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError), atomic_path(tmp_path / "x.txt"):
        pass


def test_permissions_are_those_of_an_ordinary_file(tmp_path):
    atomic_write_text(tmp_path / "a", "x")
    (tmp_path / "b").write_text("x")
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "b").stat().st_mode
