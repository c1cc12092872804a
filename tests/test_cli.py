"""Every mistake in a command gets one sentence that names it and the nearest right thing, and leaves nothing behind."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gdmbench.cli import main
from gdmbench.config.sources import options, sources

ROOT = Path(__file__).parents[1]
MISTAKES = [
    (["data.n_dcs=5"], "There is no config key 'data.n_dcs': did you mean 'data.n_docs'?"),
    (["+data.n_dcs=5"], "There is no config key 'data.n_dcs': did you mean 'data.n_docs'?"),
    (["+repetition=5"], "There is no config key 'repetition': did you mean 'repetitions'?"),
    (["repetition=5"], "There is no config key 'repetition': did you mean 'repetitions'?"),
    (["+executor.n_wrkers=5"], "There is no config key 'executor.n_wrkers': did you mean 'executor.n_workers'?"),
    (["+sweep.vlues=[1]"], "There is no config key 'sweep.vlues': did you mean 'sweep.values'?"),
    (["methods.nothing.secnds=1"], "'methods.nothing.secnds': did you mean 'methods.nothing.seconds'?"),
    (["+methods.nothing.secnds=1"], "'methods.nothing.secnds': did you mean 'methods.nothing.seconds'?"),
    (["repetitions=many"], "'repetitions=many' has a value of the wrong kind"),
    (["executor.n_workers=four"], "'executor.n_workers=four' has a value of the wrong kind"),
    (["scale=quik"], "'scale=quik' has a value of the wrong kind"),
    (["data.n_topics=few"], "data.n_topics='few' is of the wrong kind: it must be int"),
    (["data.n_docs=few"], "data.n_docs is swept by toy: set sweep.values=[few] instead."),
    (["sweep.values=[many]"], "data.n_docs='many' is of the wrong kind: it must be int"),
    (["methods.nothing.seconds=long"], "methods.nothing.seconds='long' is of the wrong kind: it must be float"),
    (["+experiment=vary_N_"], "There is no experiment 'vary_N_': did you mean 'vary_N'?"),
    (["+method@methods.mine=nothin"], "There is no method 'nothin': did you mean 'nothing'?"),
    (["+metod@methods.mine=nothing"], "There is no config group 'metod': did you mean 'method'?"),
    (["executor=seral"], "There is no executor 'seral': did you mean 'serial'?"),
    (["data=lad"], "There is no data 'lad': did you mean 'lda'?"),
    (["~methods.nothin"], "There is no config key 'methods.nothin': did you mean 'methods.nothing'?"),
    (["~methods.nothing"], "There is no method to run"),
    (["+methods.x=3"], "methods.x is not a method: write +method@methods.x=NAME"),
    (["+methods.x.y=3"], "methods.x has no _target_"),
    (["methods.nothing._target_=nowhere.Nothing"], "can't be imported: No module named 'nowhere'"),
    (["sweep.axis=data.n_doc"], "There is no config key 'data.n_doc': did you mean 'data.n_docs'?"),
    (["sweep.values=[]"], "sweep.values is empty"),
    (["repetitions=0"], "it must be at least 1"),
    (["executor.n_workers=0"], "it must be at least 1"),
    (["executor.time_limit=-1"], "executor.time_limit=-1.0 must be above 0"),
    (["executor.kind=slrm"], "There is no executor kind 'slrm'"),
    (["+method@methods.twin=nothing"], "is the same cell as methods.nothing"),
    (["experiment=toy"], "write +experiment=toy"),
    (["--multirun"], "unrecognized arguments: --multirun"),
    (["what"], "'what' is not an override"),
    (["plan"], "'plan' says what to do: write it first"),
    (["vary_M"], "'vary_M' is an experiment: write +experiment=vary_M"),
    (["vary_m"], "'vary_m' is neither a verb nor a setting: did you mean '+experiment=vary_M'?"),
    (["chek"], "'chek' is neither a verb nor a setting: did you mean 'check'?"),
    (["+experiment=vary_m"], "There is no experiment 'vary_m': did you mean 'vary_M'?"),
    (["data.alpha=nan"], "data.alpha=nan is not a finite number: give one"),
    (["methods.nothing.seconds=inf"], "methods.nothing.seconds=inf is not a finite number: give one"),
    (["executor.time_limit=nan"], "executor.time_limit=nan must be above 0"),
    (["sweep.values=[50,-5]"], "data.n_docs must be a whole number of at least 1, not -5"),
    (["sweep.axis=data.doc_length", "sweep.values=[0]"], "data.doc_length must be a whole number of at least 1, not 0"),
    (["data.n_topics=0"], "data.n_topics must be a whole number of at least 1, not 0"),
    (["methods.nothing.n_topics=-3"], "methods.nothing.n_topics must be a whole number of at least 1, not -3"),
]


@pytest.mark.parametrize(("words", "sentence"), MISTAKES, ids=[" ".join(words) for words, _ in MISTAKES])
def test_a_mistake_gets_one_sentence(toy, tmp_path, words, sentence):
    code, said, _ = toy(*words)
    assert code == 2
    assert sentence in said
    assert said.startswith("gdmbench: ")
    assert len(said.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["+experiment=vary_M", "data.n_docs=5"], "data.n_docs is swept by vary_M: set sweep.values=[5] instead."),
        (["+experiment=figure_2", "data.alpha=5"], None),  # which no part sweeps
        (["+experiment=figure_2", "data.n_docs=5"], "data.n_docs is swept by vary_M: set sweep.values=[5] instead."),
        (
            ["+experiment=corpus", "data.path=reuters", "model.n_topics=15"],
            "model.n_topics is swept by corpus: set sweep.values=[15] instead.",
        ),
        (
            ["+experiment=vary_M", "sweep.axis=data", "sweep.values=[{n_docs: 9}]", "data.n_docs=5"],
            "data.n_docs is swept by vary_M: set it in sweep.values instead.",
        ),
        # Only some of the values set it, so what was typed counts at the others.
        (["+experiment=vary_M", "sweep.axis=data", "sweep.values=[{n_docs: 9},{n_words: 9}]", "data.n_docs=5"], None),
        (["+experiment=vary_M", "sweep.axis=null", "data.n_docs=5"], None),
    ],
)
def test_a_swept_key_cannot_be_set(tmp_path, capsys, words, sentence):
    for verb in (["plan"], []):
        if verb or sentence:  # what is right would run
            code = main([*verb, *words, f"root={tmp_path}"])
            assert (code, capsys.readouterr().err) == ((2, f"gdmbench: {sentence}\n") if sentence else (0, ""))
    assert list(tmp_path.iterdir()) == []


def test_no_experiment_lists_them(capsys):
    assert main(["plan"]) == 2
    assert "vary_M" in capsys.readouterr().err


def test_what_must_be_given_is_named_as_it_is_typed(capsys):
    assert main(["plan", "+experiment=corpus"]) == 2
    assert "data.path has no value: give it one on the command line, data.path=VALUE." in capsys.readouterr().err


def test_data_that_an_experiment_cannot_shrink_are_named(capsys):
    assert main(["+experiment=vary_eta", "data=nips", "scale=quick"]) == 2
    expected = (
        "gdmbench: vary_eta can't be run at scale=quick with this data: it shrinks data.n_words, which is not there. "
        "Choose other data, or another experiment.\n"
    )
    assert capsys.readouterr().err == expected


@pytest.mark.parametrize("experiment", ["vary_M", "vary_N"])  # one sets the length of documents, one sweeps it
def test_data_that_lack_what_an_experiment_sets_are_named(capsys, experiment):
    assert main(["plan", f"+experiment={experiment}", "data=nips"]) == 2
    expected = (
        f"gdmbench: {experiment} can't be run with data=nips: it sets data.doc_length, which these data do not take. "
        "Choose other data, or another experiment.\n"
    )
    assert capsys.readouterr().err == expected


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"]])
def test_help_lists_experiments_and_methods_with_a_line_each(capsys, words):
    assert main(words) == 0
    said = capsys.readouterr().out
    for group in ("experiment", "method"):
        for name, line in options(group, sources()[0]).items():
            assert line
            assert any(text.split() == [name, *line.split()] for text in said.splitlines())
    assert said.count("python -m gdmbench +experiment=") >= 4  # the usage and three examples


def test_help_imports_nothing_heavy():
    heavy = ["numpy", "scipy", "sklearn", "numba", "pandas", "matplotlib", "gensim", "hydra", "omegaconf"]
    check = f"import sys, gdmbench.cli as c; c.main(['--help']); print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_printed_config_is_the_composed_one(toy):
    code, said, records = toy("repetitions=7", "--cfg")
    assert code == 0
    assert "repetitions: 7" in said
    assert records == []


def test_quick_values_yield_to_typed_ones(toy):
    _, said, _ = toy("scale=quick", "--cfg")
    assert "repetitions: 2" in said
    _, said, _ = toy("scale=quick", "repetitions=9", "--cfg")
    assert "repetitions: 9" in said


def test_output_that_nobody_reads_or_that_must_be_ascii_gives_no_traceback(tmp_path):
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONPATH": str(ROOT)}
    plan = f"{sys.executable} -m gdmbench plan +experiment=vary_M '+method@methods.o=gdm'"
    for command in (
        f"{sys.executable} -m gdmbench --help | head -n 1",
        plan + " 'methods.o.label=±∞' 'methods.o.n_restarts=3'",
    ):
        done = subprocess.run(command, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0
        assert done.stderr == ""


def test_errors_stand_behind_what_they_are_about_in_a_pipe(tmp_path):
    """A corpus that is not there leaves the other parts of the paper to run: the note follows the part's heading."""
    code = (
        "import sys; from gdmbench import cli; "
        "cli._main = lambda words: print('first') or print('second', file=sys.stderr) or print('third') or 0; "
        "cli.main([])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert done.stdout.split() == ["first", "second", "third"]


@pytest.mark.parametrize("word", ["+experiment={}", "{}=3", "methods.nothing.{}=1", "data.path={}", "executor={}"])
def test_a_sentence_has_an_end_whatever_was_typed(toy, word):
    code, said, _ = toy(word.format("x" * 20_000))
    assert code in (2, 3)
    assert len(said) < 2100
    assert len(said.splitlines()) == 1
