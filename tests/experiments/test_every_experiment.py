"""Every experiment there is, run whole at scale=quick."""

import json
import os
from pathlib import Path

import pandas as pd
import pytest

from gdmbench.cli import main
from gdmbench.config.compose import load_config
from gdmbench.config.sources import options

EXPERIMENTS = {name: load_config([f"+experiment={name}"]) for name in options("experiment")}
SWEEPS = [name for name, config in EXPERIMENTS.items() if not config.parts]
COMPOUNDS = [name for name, config in EXPERIMENTS.items() if config.parts]
IN_THE_PAPER = ["paper", *(name for name in EXPERIMENTS["paper"].parts if name in COMPOUNDS)]
WITHOUT_NIPS = [name for name in COMPOUNDS if name not in ("paper", "table_1")]
ON_A_CORPUS = ("corpus", "choose_k", "choose_k_sweep", "choose_k_found")  # that the user names
NIPS = [name for name in SWEEPS if EXPERIMENTS[name].data.get("path", "").startswith("nips")]


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return tmp_path_factory.mktemp("results")


def words_of(name, root, folder):
    """Write the command that runs an experiment quickly, on a few short stories if it needs a user's corpus."""
    words = [f"+experiment={name}", "scale=quick", "repetitions=1", f"root={root}"]
    if name not in ON_A_CORPUS:
        return words
    stories = ["the cat sat on the mat with a dog", "stocks fell as markets closed lower today"]
    for number in range(60):
        Path(folder, f"{number}.txt").write_text(" ".join(stories[number % 2].split()[: 4 + number % 5]))
    return [*words, f"data.path={folder}", "data.n_heldout=10", "sweep.values=[2,3]"]


def marked(names, needing):
    need = pytest.mark.skipif(not os.environ.get("GDMBENCH_DATA"), reason="needs the NIPS corpus in GDMBENCH_DATA")
    return [pytest.param(name, marks=[pytest.mark.data, need] if name in needing else []) for name in names]


@pytest.mark.parametrize("name", marked(SWEEPS, NIPS))
def test_a_sweep_runs_at_quick_scale(name, root, tmp_path, capsys):
    assert main(words_of(name, root, tmp_path)) == 0, capsys.readouterr().out
    folder = root / "quick" / name
    records = pd.read_json(folder / "records.jsonl", lines=True)
    assert (records["status"] == "ok").all()
    assert records["perplexity"].ge(1).all()
    assert records["fit_seconds"].gt(0).all()
    assert json.loads((folder / "provenance.json").read_text())["runs"][-1]["cells"] == len(records)
    assert (folder / "fit_seconds.pdf").stat().st_size > 1000


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "name", ["paper", *sorted(set(COMPOUNDS) - set(IN_THE_PAPER))] if os.environ.get("GDMBENCH_DATA") else WITHOUT_NIPS
)
def test_a_compound_draws_what_its_sweeps_found(name, root, tmp_path, capsys):
    # The sweeps above have run into the same folder: only what is missing runs here. `paper` holds most of the others.
    assert main(words_of(name, root, tmp_path)) == 0, capsys.readouterr().out
    said = capsys.readouterr().out
    for each in IN_THE_PAPER if name == "paper" else [name]:
        assert f"{EXPERIMENTS[each].title}: written to" in said
        assert any((root / "quick" / each).iterdir())
