"""Command lines by the thousand, most of them wrong: each is planned, or refused with one sentence.

The long version tries 10,000.
"""

from random import Random

import pytest

from gdmbench.cli import main

WORDS = [
    "+experiment=toy",
    "+experiment=vary_M",
    "+experiment=paper",
    "experiment=toy",
    "+experiment=",
    "+method@methods.x=nothing",
    "+method@methods.x=gdm",
    "method@methods=gdm",
    "~methods.nothing",
    "~methods",
    "~data",
    "+methods.x=1",
    "methods.nothing.seconds=1",
    "data=lda",
    "data=nips12",
    "data.n_docs=5",
    "data.n_docs=[1,2]",
    "+data.x=3",
    "data.path=/",
    "data.path=.",
    "data.n_topics=1e9",
    "sweep.axis=data.n_docs",
    "sweep.values=[1]",
    "sweep.values=1",
    "sweep=null",
    "sweep={}",
    "repetitions=2",
    "repetitions=-1",
    "scale=quick",
    "scale=1",
    "seed=7",
    "seed=x",
    "name=a",
    "name=",
    "folder=..",
    "folder=~",
    "folder=/",
    "root=~x",
    "root=",
    "title=$x",
    "rerun=all",
    "rerun=x",
    "executor=serial",
    "executor=dask",
    "executor.n_workers=0",
    "executor.time_limit=nan",
    "executor.memory_limit=inf",
    "executor.address=tcp://x:1",
    "model.n_topics=3",
    "model.alpha=0",
    "quick.seed=3",
    "parts=[toy]",
    "parts=[a,a]",
    "exhibit=os",
    "exhibit=no.module",
    "keep_best=true",
    "--cfg",
    "--common",
    "--help",
    "--config-dir",
    "-m",
    "--",
    "-",
    "=",
    "+",
    "~",
    "@",
    "hydra.run.dir=x",
    "+hydra.x=1",
]
JUNK = [
    *"'\"\\{}[]()$,:=+~@#%&*;|<>?!- \t\n\0é\u202e\ud800😀ß٣",
    "${",
    "${x}",
    "${oc.env:HOME}",
    "''",
    "nan",
    "None",
    "1e400",
]


def spoil(random, word):
    """Replace, insert and delete letters of a word."""
    for _ in range(random.choice([0, 0, 1, 1, 2, 4])):
        place = random.randint(0, len(word))
        how = random.choice(["replace", "insert", "delete", "double"])
        piece = word[: random.randint(0, len(word))] if how == "double" else random.choice(JUNK)
        word = word[:place] + ("" if how == "delete" else piece) + word[place + (how in ("replace", "delete")) :]
    return word


@pytest.mark.parametrize("number", [100, pytest.param(10_000, marks=[pytest.mark.long, pytest.mark.timeout(7200)])])
def test_a_command_line_is_planned_or_refused_with_a_sentence(toy_words, tmp_path, monkeypatch, capsys, number):
    monkeypatch.syspath_prepend(toy_words[1].removesuffix("/conf"))
    monkeypatch.chdir(tmp_path)
    for seed in range(number):
        random = Random(seed)
        words = [spoil(random, random.choice(WORDS)) for _ in range(random.randint(1, 4))]
        verb = random.choice([["plan"], ["plan"], ["plan"], ["check"], ["redraw"], ["compare"]])
        known = random.choice([toy_words, toy_words, []])
        code = main([*verb, *known, *words])
        said = capsys.readouterr()
        assert code in (0, 2, 3), (seed, verb, words)
        assert "Traceback" not in said.out + said.err, (seed, verb, words)
        if code:
            sentences = [line for line in said.err.splitlines() if line.startswith("gdmbench: ")]
            assert len(sentences) == len(said.err.splitlines()) > 0, (seed, verb, words, said.err)
            assert len(said.err) < 2100 * len(sentences), (seed, verb, words)
    assert list(tmp_path.iterdir()) == []
