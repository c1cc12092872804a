"""Every experiment there is, run whole at scale=quick."""

import json

import pandas as pd
import pytest

from gdmbench.runner.cli import main
from gdmbench.runner.listing import options


@pytest.mark.parametrize("name", options("experiment"))
def test_an_experiment_runs_at_quick_scale(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main([f"+experiment={name}", "scale=quick"]) == 0, capsys.readouterr().out
    folder = tmp_path / "results" / "quick" / name
    records = pd.read_json(folder / "records.jsonl", lines=True)
    assert (records["status"] == "ok").all()
    assert records["perplexity"].gt(1).all()
    assert records["fit_seconds"].gt(0).all()
    assert json.loads((folder / "provenance.json").read_text())["runs"][0]["cells"] == len(records)
    assert (folder / "perplexity.pdf").stat().st_size > 1000
