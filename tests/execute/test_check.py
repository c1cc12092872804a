"""Every method file passes the checks, and a method with a fault is told so in a sentence."""

import contextlib
import io
import sys
import textwrap

import pytest

from gdmbench.cli import main
from gdmbench.config.compose import load_check_config
from gdmbench.config.sources import names_in, sources
from gdmbench.execute.check_subjects import SUBJECTS, Candidate, try_out
from gdmbench.plan import make_plan

FAULTY = """\
    import ctypes, multiprocessing, os, subprocess, sys, time
    import numpy as np

    class Fine:
        # Means of documents, by k-means from seeds far apart: no kernels, which every process would have to load

        def __init__(self, n_topics: int, random_state=None):
            self.n_topics, self.random_state = n_topics, random_state

        def fit(self, X):
            self.components_ = means(X, self.n_topics)

    def means(X, n_topics):
        points = X.toarray() if hasattr(X, "toarray") else X
        points = points[points.sum(axis=1) > 0]
        points = points / points.sum(axis=1, keepdims=True)
        found = points[:1]
        while len(found) < n_topics:
            found = np.vstack([found, points[np.argmax(distances(points, found).min(axis=1))]])
        for _ in range(10):
            labels = distances(points, found).argmin(axis=1)
            found = np.array([points[labels == k].mean(axis=0) for k in range(n_topics)])
        return found

    def distances(points, found):
        return ((points[:, None] - found) ** 2).sum(axis=2)

    class Dense(Fine):
        def fit(self, X):
            np.linalg.norm(X[:, None, :], axis=2)
            super().fit(X)

    class Grabber(Fine):
        def fit(self, X):
            super().fit(X)
            X.data[:] = 1

    class NoTopics(Fine):
        def fit(self, X):
            pass

    class Transposed(Fine):
        def fit(self, X):
            super().fit(X)
            self.components_ = self.components_.T

    class OneLess(Fine):
        def fit(self, X):
            super().fit(X)
            self.components_ = self.components_[1:]

    class Negative(Fine):
        def fit(self, X):
            super().fit(X)
            self.components_ -= 0.01

    class Hollow(Fine):
        def fit(self, X):
            super().fit(X)
            self.components_[1] = 0

    class NotANumber(Fine):
        def fit(self, X):
            super().fit(X)
            self.components_[0, 0] = np.nan

    class Unseeded(Fine):
        def fit(self, X):
            super().fit(X)
            self.components_ += 1e-9 * np.random.default_rng().random(self.components_.shape)

    class Seedless:
        def __init__(self, n_topics):
            self.n_topics = n_topics

        def fit(self, X):
            self.components_ = means(X, self.n_topics) + 1e-9 * np.random.random()

    class RandomTransform(Fine):
        def transform(self, X):
            return np.random.default_rng().random((X.shape[0], self.n_topics))

    class ShortTransform(Fine):
        def transform(self, X):
            return np.ones((X.shape[0], self.n_topics - 1))

    class Unpicklable(Fine):
        def fit(self, X):
            super().fit(X)
            self.rule = lambda x: x

    class Divider(Fine):
        def fit(self, X):
            super().fit(X)
            with np.errstate(divide="ignore", invalid="ignore"):
                self.components_ = self.components_ * (1 / X.sum(axis=1)).mean()

    class Breaker(Fine):
        def fit(self, X):
            if (X.sum(axis=1) == 0).any():
                raise IndexError("document 300 is out of range")
            super().fit(X)

    class Refuser(Fine):
        def fit(self, X):
            if (X.sum(axis=1) == 0).any():
                raise ValueError("Document 300 is empty: drop it.")
            super().fit(X)

    class Guesser(Fine):
        def fit(self, X):
            self.components_ = np.random.default_rng(0).dirichlet(np.full(X.shape[1], 0.1), self.n_topics)

    class Talker(Fine):
        def fit(self, X):
            super().fit(X)
            self.record_ = {"model": self}

    class Raiser(Fine):
        def fit(self, X):
            raise RuntimeError("not\\nyet")

    class Leaver(Fine):
        def fit(self, X):
            sys.exit(0)

    class Crasher(Fine):
        def fit(self, X):
            ctypes.string_at(0)

    class LateCrasher(Fine):
        def transform(self, X):
            ctypes.string_at(0)

    class Hoarder(Fine):
        def fit(self, X):
            self.hoard = [np.ones(10_000_000) for _ in range(1000)]

    class Hanger(Fine):
        def fit(self, X):
            time.sleep(600)

    class Sharer(Fine):
        def fit(self, X):
            with multiprocessing.Pool(2) as pool:
                pool.map(abs, [1, 2])
            if (X.sum(axis=1) == 0).any():
                subprocess.Popen(["sleep", "600"])  # the next check is another process'
            super().fit(X)
    """

# class: the one subject that is not "ok", its verdict, and a part of the sentence
VERDICTS = {
    "Dense": ("sparse input", "FAIL", "fit takes a dense array but not the sparse one that a run gives"),
    "Grabber": ("sparse input", "FAIL", "fit changes the matrix it is given"),
    "Raiser": ("sparse input", "FAIL", "RuntimeError: not yet (in faulty_methods.py, line "),
    "Unseeded": ("determinism", "FAIL", "draw every random number from random_state"),
    "Seedless": ("determinism", "FAIL", "take random_state, a run gives it a seed"),
    "RandomTransform": ("determinism", "FAIL", "two transforms under the same seed differ"),
    "Unpicklable": ("pickling", "FAIL", "a fitted model can't be pickled"),
    "Divider": ("empty documents", "FAIL", "components_ of Divider has NaN or infinite entries"),
    "Breaker": ("empty documents", "FAIL", "IndexError: document 300 is out of range"),
    "Refuser": ("empty documents", "note", "Document 300 is empty: drop it."),
    "Guesser": ("accuracy", "FAIL", "it must be below half of that"),
    "Leaver": ("sparse input", "FAIL", "crashed: its process left with exit code 0."),
    "Crasher": ("sparse input", "FAIL", "crashed: its process was ended by SIGSEGV."),
    "LateCrasher": ("determinism", "FAIL", "crashed: its process was ended by SIGSEGV."),
    "Hoarder": ("sparse input", "FAIL", "out of memory: needed more than the 500 MB of executor.memory_limit."),
    "Talker": ("record", "FAIL", "record_ must hold numbers, texts, lists and dicts only"),
}

# class: what is said of it among other things, for faults that several checks see
SENTENCES = {
    "NoTopics": "there is no components_ after fit",
    "OneLess": "components_ has 2 rows, 3 topics were simulated and asked for",
    "Transposed": "but must have a row for each topic and ",
    "Negative": "components_ of Negative has negative entries",
    "Hollow": "components_ of Hollow has rows of zeros only, the first is row 1",
    "NotANumber": "components_ of NotANumber has NaN or infinite entries, the first in row 0",
    "ShortTransform": "transform of ShortTransform has shape (40, 2), not 40 × 3",
}


FINE = ["Fine", "Sharer"]


@pytest.fixture(scope="module")
def conf(tmp_path_factory):
    """A folder of method files for the classes above, which can be imported."""
    folder = tmp_path_factory.mktemp("faulty")
    (folder / "faulty_methods.py").write_text(textwrap.dedent(FAULTY))
    (folder / "conf" / "method").mkdir(parents=True)
    for name in [*FINE, "Hanger", *VERDICTS, *SENTENCES]:
        (folder / "conf" / "method" / f"{name}.yaml").write_text(
            f"_target_: faulty_methods.{name}\nn_topics: ${{model.n_topics}}\n"
        )
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        yield folder / "conf"
    sys.modules.pop("faulty_methods", None)


@pytest.fixture
def said_of(conf):
    """What one command says of each of the classes above, by their names."""
    words = ["--config-dir", str(conf), "check", "executor.memory_limit=500"]
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        assert main([*words, *(f"method={name}" for name in [*FINE, *VERDICTS, *SENTENCES])]) == 1
    return {block.partition(":")[0]: block for block in said.getvalue().strip().split("\n\n")}


# One reads topics from a file that a test of its own makes.
@pytest.mark.parametrize("name", [name for name in names_in("method", sources()[0]) if name != "topics_file"])
def test_every_method_file_passes(name):
    (cell,) = make_plan(load_check_config([f"method={name}"])).points
    candidate = Candidate(cell)
    found = [try_out(subject, candidate) for subject in SUBJECTS]
    assert [sentence for grade, sentence in found if grade == "FAIL"] == []


def test_the_author_is_told_of_the_fault_and_of_nothing_else(said_of):
    for name, (subject, verdict, sentence) in VERDICTS.items():
        (line,) = [line for line in said_of[name].splitlines() if " FAIL " in line or " note " in line]
        assert line.startswith(f"  {subject:<17} {verdict} "), name
        assert sentence in line, name
    for name, sentence in SENTENCES.items():
        assert sentence in said_of[name], name
    for name in (*VERDICTS, *SENTENCES):
        assert (f"{len(SUBJECTS)} checks, all passed." if name == "Refuser" else " failed.") in said_of[name], name
        assert "Traceback" not in said_of[name], name
    # A method of fit and components_ alone is enough, and it may start processes.
    for name in FINE:
        assert all(f"  {subject:<17} ok " in said_of[name] for subject in SUBJECTS), name
        assert f"{len(SUBJECTS)} checks, all passed." in said_of[name], name


def test_a_method_that_hangs_is_stopped(conf, capsys):
    assert main(["--config-dir", str(conf), "check", "method=Hanger", "executor.time_limit=3"]) == 1
    said = capsys.readouterr().out
    assert "  sparse input      FAIL  timeout: not done within the 3 s of executor.time_limit.\n" in said
    assert "1 checks, 1 failed." in said


def test_a_method_that_hangs_costs_a_minute_unless_told_otherwise():
    assert load_check_config(["method=gdm"]).executor.time_limit == 60


def test_several_methods_and_their_parameters(conf, capsys):
    words = ["check", "method=Fine", "+method@methods.more=gdm", "methods.more.n_restarts=2"]
    assert main(["--config-dir", str(conf), *words]) == 0
    said = capsys.readouterr().out
    assert "faulty_methods.Fine(n_topics=3)" in said
    assert "gdmbench.GDM(n_topics=3, weighted=True, n_restarts=2)" in said


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "Which method? Write check method=NAME"),
        (["method=gdn"], "There is no method 'gdn': did you mean 'gdm'?"),
        (["gdm"], "check can't use 'gdm'"),
        (["method=gdm", "data=nips"], "check can't use 'data=nips'"),
        (["method=gdm", "methods.gdm.n_restart=2"], "did you mean 'methods.gdm.n_restarts'?"),
    ],
)
def test_a_mistake_gets_one_sentence(capsys, words, sentence):
    assert main(["check", *words]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert len(said.splitlines()) == 1
