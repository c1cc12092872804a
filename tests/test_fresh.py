"""Numbers are fresh: a changed corpus or method never passes for the old one, and labels are today's."""

import json
import os
import shutil
import sys

import pytest
import sklearn

import gdmbench.versions
from gdmbench.cli import main
from gdmbench.config.compose import load_config
from gdmbench.data.content import content_digest
from gdmbench.plan import make_plan

METHOD = """\
import numpy as np

class Flat:
    def __init__(self, n_topics: int):
        self.n_topics = n_topics

    def fit(self, X):
        self.components_ = np.full((self.n_topics, X.shape[1]), {level})
        return self
"""


def write_corpus(path, words="cat dog bird fish"):
    path.write_text("".join(f"{words} word{number % 3}\n" for number in range(40)))
    return path


def corpus_plan(path, *words):
    return make_plan(load_config(["+experiment=corpus", f"data.path={path}", "sweep.values=[2]", *words]))


def keys(plan):
    return [cell.key for cell in plan]


def test_the_content_of_a_corpus_decides_the_key_and_the_seeds_and_its_place_does_not(tmp_path):
    a = write_corpus(tmp_path / "a.txt")
    before = corpus_plan(a)
    shutil.copy(a, tmp_path / "b.txt")
    elsewhere = corpus_plan(tmp_path / "b.txt")
    assert keys(elsewhere) == keys(before)
    assert elsewhere.points[0].seeds() == before.points[0].seeds()
    write_corpus(a, "cat dog bird")
    assert set(keys(corpus_plan(a))).isdisjoint(keys(before))
    assert corpus_plan(a).points[0].seeds() != before.points[0].seeds()


def test_a_folder_and_a_vocabulary_count_too(tmp_path):
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "one.txt").write_text("a b")
    digests = [content_digest(folder)]
    (folder / "two.txt").write_text("c")
    digests.append(content_digest(folder))
    (folder / "two.txt").rename(folder / "three.txt")
    digests.append(content_digest(folder))
    docword, words = tmp_path / "docword.x.txt", tmp_path / "vocab.x.txt"
    docword.write_text("1\n1\n1\n1 1 1\n")
    digests.append(content_digest(docword))
    words.write_text("word\n")
    digests.append(content_digest(docword))
    assert len(set(digests)) == len(digests)
    assert None not in digests
    assert content_digest("reuters") is None  # known by name


def test_the_content_of_a_file_of_topics_decides_the_key_too(tmp_path):
    corpus, topics = write_corpus(tmp_path / "a.txt"), tmp_path / "topics.csv"
    words = ["+method@methods.theirs=topics_file", f"methods.theirs.path={topics}"]
    found = []
    for weights in ("1,2", "2,1", "1,2"):
        topics.write_text(f"cat,dog\n{weights}\n")
        (key,) = [cell.key for cell in corpus_plan(corpus, *words).points if cell.method == "theirs"]
        found.append(key)
    assert found[0] == found[2] != found[1]


@pytest.fixture
def flat(tmp_path, monkeypatch, capsys, blank_figures, in_this_process):
    """Run an experiment with a method whose source can be edited: words in; exit code, output and records out."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    module = f"flat_{tmp_path.name}"
    (tmp_path / "conf" / "method").mkdir(parents=True)
    (tmp_path / "conf" / "method" / "flat.yaml").write_text(
        f"# Flat\nlabel: Flat\n_target_: {module}.Flat\nn_topics: ${{model.n_topics}}\n"
    )

    def run(*words, level=1.0, label="Flat"):
        (tmp_path / f"{module}.py").write_text(METHOD.format(level=level))
        sys.modules.pop(module, None)
        gdmbench.versions.versions_of.cache_clear()
        small = ["data.n_docs=50", "data.doc_length=20", "data.n_words=30", "name=flat", "root=.", "repetitions=2"]
        words = ["--config-dir", "conf", "+method@methods.flat=flat", f"methods.flat.label={label}", *small, *words]
        code = main(words)
        said = capsys.readouterr()
        lines = (tmp_path / "flat" / "records.jsonl").read_text().splitlines()
        return code, said.out + said.err, [json.loads(line) for line in lines]

    yield run
    sys.modules.pop(module, None)


def test_cells_made_by_an_edited_method_are_named_kept_and_run_again_when_asked(flat, tmp_path):
    code, said, records = flat()
    assert (code, len(records)) == (0, 2)
    assert "other code" not in said
    code, said, records = flat(level=2.0)
    assert (code, len(records)) == (0, 2)
    assert "2 cells were made by other code than today's: 2 of flat (its source files)." in said
    assert "rerun=changed runs them again" in said
    assert "**Note:** 2 cells were made by other code" in (tmp_path / "flat" / "summary.md").read_text()
    code, said, records = flat("rerun=changed", level=2.0)
    assert (code, len(records)) == (0, 4)
    assert "other code" not in said
    assert "Note" not in (tmp_path / "flat" / "summary.md").read_text()
    assert len(flat("rerun=flat", level=2.0)[2]) == 6
    assert len(flat("rerun=all", level=2.0)[2]) == 8
    code, said, records = flat("rerun=flut", level=2.0)
    assert (code, len(records)) == (2, 8)
    assert "rerun=flut names no method of this experiment: did you mean 'flat'?" in said


def test_only_the_documents_of_a_folder_count_whatever_they_are_called(tmp_path):
    """A run in the folder itself writes its results there, and a name may hold bytes that are no text."""
    (tmp_path / "a.txt").write_text("one two")
    before = content_digest(tmp_path)
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "records.jsonl").write_text("{}")
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    assert content_digest(tmp_path) == before
    try:
        (tmp_path / os.fsdecode(b"\xff.txt")).write_text("three four")
    except OSError:
        return  # a file system that takes text alone
    assert content_digest(tmp_path) != before


def test_the_digest_of_a_method_covers_its_whole_package(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    package = tmp_path / f"pack_{tmp_path.name}"
    (package / "deep").mkdir(parents=True)
    files = [package / "__init__.py", package / "method.py", package / "deep" / "kernels.py"]
    for file in files:
        file.write_text("class Method: pass\n")
    stranger = tmp_path / "stranger.py"
    stranger.write_text("three = 3\n")

    def digest():
        gdmbench.versions.versions_of.cache_clear()
        return gdmbench.versions.versions_of(f"{package.name}.method.Method")["source"]

    before = digest()
    stranger.write_text("three = 4\n")
    assert digest() == before
    for file in files:
        file.write_text("class Method: edited = True\n")
        assert digest() != before
        before = digest()


def test_the_digest_of_a_method_of_the_suite_is_that_of_its_room():
    targets = ["gdmbench.GDM", "gdmbench.VLAD", "baselines.gibbs.CollapsedGibbs", "baselines.vem.VariationalEM"]
    gdm, vlad, gibbs, vem = (gdmbench.versions.versions_of(target)["source"] for target in targets)
    assert gdm == vlad
    assert gibbs == vem
    assert gdm != gibbs


def test_an_installed_package_is_known_by_its_version():
    nmf, lasso = (
        gdmbench.versions.versions_of(f"sklearn.{name}") for name in ("decomposition.NMF", "linear_model.Lasso")
    )
    assert nmf == lasso
    assert nmf["scikit-learn"] == sklearn.__version__
    assert gdmbench.versions.versions_of("no_such_module.Method") == {}


def test_another_version_of_a_package_that_matters_is_named(flat, tmp_path):
    flat()
    path = tmp_path / "flat" / "records.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    lines[0]["versions"]["numpy"] = "1.0"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert "1 cells were made by other code than today's: 1 of flat (numpy 1.0)." in flat()[1]


def test_labels_are_those_of_the_config_of_today(flat, tmp_path):
    flat()
    flat("repetitions=3", label="Renamed method")
    summary = (tmp_path / "flat" / "summary.csv").read_text()
    assert "Renamed method" in summary
    assert ",Flat," not in summary
