"""Every experiment there is, run whole at scale=quick."""

import copy
import functools
import json
import os
from itertools import chain

import pandas as pd
import pytest
import yaml

from gdmbench.cli import main
from gdmbench.config.sources import contents_in, sources
from gdmbench.data.named import load_named
from gdmbench.exhibits.escape import plain

FILES = contents_in("experiment", sources()[0])
# A variant, which a compound has in its own file, is a mapping from its name to overrides.
PARTS = {
    name: [part if isinstance(part, str) else next(iter(part)) for part in file.get("parts", ())]
    for name, file in FILES.items()
}
VARIANTS = {
    name: part for file in FILES.values() for part in file.get("parts", ()) if isinstance(part, dict) for name in part
}
ON_A_CORPUS = {"corpus", "choose_k", "choose_k_sweep", "choose_k_found"}  # that the user names
# What takes longest even at quick scale is made smaller still.
SMALLER = {
    "figure_2": ["data.n_words=100"],
    "table_1": ["data.n_docs=60", "data.n_heldout=20", "sweep.values=[5]"],
    "reuters": ["sweep.values=[5]"],
    "real": ["data.n_docs=60", "data.n_heldout=20", "sweep.values=[3]"],
    "real_truth": ["data.n_docs=60", "sweep.values=[bursty]"],
    "which_measure": ["data.n_docs=60", "sweep.values=[3]"],
}
ON_FILES = {name for name, file in FILES.items() if "nips12" in str(file) or "newsgroups'" in str(file)}
ON_FILES -= {"real_truth", "which_measure"}  # which run on Reuters stories at quick scale


def groups():
    """Compounds that share sweeps, together, so that no sweep runs twice; and sweeps that are in none of these.

    Compounds of compounds, such as `paper`, run nothing that is not in these.
    """
    compounds = [name for name, parts in PARTS.items() if parts and not any(PARTS.get(part) for part in parts)]
    found = []
    for name in compounds:
        shared = [group for group in found if any(set(PARTS[name]) & set(PARTS[other]) for other in group)]
        found = [group for group in found if group not in shared] + [[*chain.from_iterable(shared), name]]
    within = {part for name in compounds for part in PARTS[name]}
    alone = [name for name, parts in PARTS.items() if not parts] + list(VARIANTS)
    return found + [[name] for name in alone if name not in within]


def marked(group):
    needs = pytest.mark.skipif(not os.environ.get("GDMBENCH_DATA"), reason="needs the corpora in GDMBENCH_DATA")
    sweeps = {part for name in group for part in PARTS.get(name) or [name]}
    return pytest.param(group, marks=[pytest.mark.data, needs] if sweeps & ON_FILES else [], id="+".join(group))


def words_of(group, folder):
    """Write the command that runs experiments quickly, on a few short stories if they need a user's corpus."""
    conf, texts = folder / "conf", folder / "texts"
    (conf / "experiment").mkdir(parents=True)
    parts = yaml.safe_dump({"name": "group", "parts": [VARIANTS.get(name, name) for name in group]})
    (conf / "experiment" / "group.yaml").write_text(f"# @package _global_\n{parts}")
    alone = len(group) == 1 and group[0] in FILES
    what = [f"+experiment={group[0]}"] if alone else ["--config-dir", str(conf), "+experiment=group"]
    words = [*what, "scale=quick", "repetitions=1", f"root={folder / 'results'}"]
    words += [word for name in group for word in SMALLER.get(name, [])]
    if not ON_A_CORPUS & {*group}:
        return words
    texts.mkdir()
    stories = ["the cat sat on the mat with a dog", "stocks fell as markets closed lower today"]
    for number in range(60):
        (texts / f"{number}.txt").write_text(" ".join(stories[number % 2].split()[: 4 + number % 5]))
    return [*words, f"data.path={texts}", "data.n_heldout=10", "sweep.values=[2,3]"]


@pytest.fixture
def only_cells_and_exhibits(monkeypatch):
    """Draw no page of all results nor sweeps by themselves, look at no corpus beforehand, read each once: others do."""
    monkeypatch.setattr("gdmbench.run._write_page", lambda *_: None)
    monkeypatch.setattr("gdmbench.exhibits.write.write_sweep", lambda *_, **__: [])
    monkeypatch.setattr("gdmbench.run._check_corpora", lambda *_: None)
    read = functools.cache(load_named)
    monkeypatch.setattr("gdmbench.data.load.load_named", lambda *place: copy.deepcopy(read(*place)))


@pytest.mark.parametrize("group", [marked(group) for group in groups()])
def test_an_experiment_runs_at_quick_scale(
    group, tmp_path, capsys, in_this_process, unrendered_figures, only_cells_and_exhibits
):
    root = tmp_path / "results"
    assert main(words_of(group, tmp_path)) == 0, capsys.readouterr().out
    said = capsys.readouterr().out
    for name in group:
        if FILES.get(name, {}).get("exhibit"):
            assert f"{plain(FILES[name]['title'])}: written to" in said
            assert any((root / "quick" / name).iterdir())
        for sweep in PARTS.get(name) or [name]:
            folder = root / "quick" / sweep
            records = pd.read_json(folder / "records.jsonl", lines=True)
            assert (records["status"] == "ok").all()
            assert records["perplexity"].ge(1).all()
            assert records["fit_seconds"].gt(0).all()
            assert json.loads((folder / "provenance.json").read_text())["runs"][-1]["cells"] == len(records)


def test_every_sweep_is_in_a_group():
    run = {part for group in groups() for name in group for part in PARTS.get(name) or [name]}
    assert run == {name for name, parts in PARTS.items() if not parts} | VARIANTS.keys()
