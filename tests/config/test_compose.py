"""Composing a config: values as the shell gives them, results that stay in their folder, files that can't be read."""

from pathlib import Path

import pytest
from hydra.core.override_parser.overrides_parser import OverridesParser
from hypothesis import assume, given
from hypothesis import strategies as st

from gdmbench.cli import main
from gdmbench.config.compose import _quote_literal, load_config
from gdmbench.errors import ConfigError

AWKWARD = ["with space.txt", "ümläut.txt", "[brackets].txt", "a=b.txt", "it's.txt", 'say "hi".txt', "back\\slash.txt"]
AWKWARD += [
    "{a: b}.txt",
    "a,b.txt",
    "$HOME.txt",
    "#1.txt",
    "end\\",
    "quote'\\'",
    "100%",
    "a:b",
    "(x)",
    "~user",
    "null.txt",
]


@pytest.mark.parametrize("name", AWKWARD)
def test_a_path_is_taken_as_the_shell_gives_it(name):
    assert load_config(["+experiment=corpus", f"data.path={name}"]).data.path == name


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).filter(lambda text: "${" not in text))
def test_any_title_is_text(title):
    assume(title not in ("null", "???") and not (title[0] == title[-1] and title[0] in "'\""))  # Hydra's own spellings
    (parsed,) = OverridesParser.create().parse_overrides([_quote_literal(f"title={title}")])
    assert parsed.value() == title


@pytest.mark.parametrize(
    ("words", "folder"),
    [
        ([], "results/vary_M"),
        (["scale=quick"], "results/quick/vary_M"),
        (["root=here"], "here/vary_M"),
        (["folder=mine"], "results/mine"),
        (["folder=/there/mine"], "/there/mine"),
        (["name=other"], "results/other"),
        (["root=~/here"], str(Path.home() / "here" / "vary_M")),
    ],
)
def test_results_go_below_root_or_where_an_absolute_folder_says(words, folder):
    assert load_config(["+experiment=vary_M", *words]).folder == folder


@pytest.mark.parametrize(
    ("quick", "words", "n_sweeps"),
    [("{}", [], 40), ("{methods.gibbs.n_sweeps: 5}", [], 5), ("{}", ["methods.gibbs.n_sweeps=7"], 7)],
    ids=["of its file", "of the experiment", "typed"],
)
def test_the_quick_value_of_a_method_may_be_said_in_three_places(quick, words, n_sweeps, tmp_path):
    (tmp_path / "experiment").mkdir()
    text = f"defaults:\n  - /method@methods.gibbs: gibbs\nname: own\nquick: {quick}\n"
    (tmp_path / "experiment" / "own.yaml").write_text(f"# @package _global_\n{text}")
    gibbs = load_config(["+experiment=own", "scale=quick", *words], tmp_path).methods.gibbs
    assert (gibbs.n_sweeps, gibbs.n_chains) == (n_sweeps, 1)


@pytest.mark.parametrize("word", ["folder=../out", "folder=a/../../out", "name=..", "name=", "name=a/b", "name=/tmp/x"])
def test_nothing_leads_out_of_root(word):
    with pytest.raises(ConfigError, match=r"leads out of root|is no name for a folder"):
        load_config(["+experiment=vary_M", word])


def test_a_method_name_is_no_path(tmp_path):
    (tmp_path / "experiment").mkdir()
    text = "# @package _global_\nname: climbing\nmethods:\n  ../x: {_target_: gdmbench.GDM, n_topics: 3}\n"
    (tmp_path / "experiment" / "climbing.yaml").write_text(text)
    with pytest.raises(ConfigError, match=r"methods='../x' is no name for a folder"):
        load_config(["+experiment=climbing"], tmp_path)


@pytest.fixture
def conf(tmp_path):
    """A folder with an experiment that lacks its first line, one that is no YAML, and a method in Latin-1."""
    files = {
        "experiment/unpackaged.yaml": b"# Mine\nname: unpackaged\n",
        "experiment/with_methods.yaml": b"# Mine\ndefaults:\n  - /method@methods.gdm: gdm\nname: with_methods\n",
        "experiment/indented.yaml": b"# @package _global_\nname: indented\n  data: [\n",
        "method/latin.yaml": b"# A\n# caf\xe9\n_target_: gdmbench.GDM\n",
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    return tmp_path


BROKEN = [
    (["+experiment=unpackaged"], "experiment/unpackaged.yaml must begin with the line '# @package _global_': add it"),
    (
        ["+experiment=with_methods"],
        "experiment/with_methods.yaml must begin with the line '# @package _global_': add it",
    ),
    (["+experiment=indented"], "indented.yaml, line 3, is no valid YAML: mapping values are not allowed here."),
    (["+experiment=vary_M", "+method@methods.mine=latin"], "latin.yaml, line 2, is not in UTF-8"),
]


@pytest.mark.parametrize(("words", "sentence"), BROKEN, ids=[words[-1] for words, _ in BROKEN])
def test_a_broken_config_file_is_named_with_its_line(conf, capsys, words, sentence):
    assert main(["--config-dir", str(conf), *words]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert len(said.splitlines()) == 1


def test_a_broken_config_file_harms_no_run_that_does_not_use_it(conf, capsys):
    assert main(["--config-dir", str(conf), "plan", "+experiment=vary_M"]) == 0
    assert main(["--config-dir", str(conf), "--help"]) == 0
    assert "latin.yaml, line 2, is not in UTF-8" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("n_docs=5", "There is no config key 'n_docs': did you mean 'data.n_docs'?"),
        ("+n_docs=5", "There is no config key 'n_docs': did you mean 'data.n_docs'?"),
        ("n_workers=5", "There is no config key 'n_workers': did you mean 'executor.n_workers'?"),
        ("values=[1]", "There is no config key 'values': did you mean 'sweep.values'?"),
    ],
)
def test_a_key_without_its_prefix_is_answered_with_the_whole(word, sentence):
    with pytest.raises(ConfigError, match=sentence.replace("?", r"\?")):
        load_config(["+experiment=vary_M", word])
