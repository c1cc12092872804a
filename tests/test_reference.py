"""The committed reference run: complete, from one commit, and what is said of it follows from its records."""

import json
import re
from pathlib import Path

import pandas as pd
import pytest
import yaml

from experiments import paper
from gdmbench.config.compose import load_config
from gdmbench.exhibits.claims import claims_table, judge_claims
from gdmbench.plan import FORMAT, make_plan
from gdmbench.records.frame import to_frame
from gdmbench.records.store import Store

ROOT = Path(__file__).parents[1]
REFERENCE = ROOT / "results" / "reference"
SWEEPS = sorted(path.parent.name for path in REFERENCE.glob("*/records.jsonl"))


# What version 0.1, with record format 1, called these sweeps.
RENAMED = {
    "geometry": "figure_1",
    "nonparametric": "supplement_1",
    "discard_central": "discard",
    "timing_nips_like": "timing",
}


@pytest.fixture(scope="module")
def records():
    found = []
    for sweep in SWEEPS:
        for record in Store(REFERENCE / sweep).read()[0].values():
            name = record["experiment"]
            found.append({**record, "experiment": RENAMED.get(name, name), "format": record.get("format", 1)})
    return to_frame(found)


@pytest.fixture(scope="module")
def claims():
    return pd.read_csv(REFERENCE / "paper" / "claims.csv", keep_default_na=False).set_index("id")


@pytest.mark.parametrize("sweep", SWEEPS)
def test_every_cell_of_a_sweep_is_there_at_the_paper_s_size(sweep, records):
    """The same cells as today's config asks for: a change of a setting calls for a new reference run."""
    if (records["format"] < FORMAT).all():
        pytest.skip("the reference run is of version 0.1, whose cells have other keys")
    wanted = {cell.key for cell in make_plan(load_config([f"+experiment={sweep}"]))}
    mine = records[records["experiment"] == sweep]
    assert set(mine["key"]) == wanted
    assert (mine["status"] == "ok").all()


def test_one_clean_commit_made_it(records):
    versions = {version["gdmbench"] for version in records["versions"]}
    assert len(versions) == 1
    assert re.fullmatch(r"[\d.]+\+g[0-9a-f]{12}", versions.pop())  # else it ends in .dirty
    told = json.loads((REFERENCE / "paper" / "provenance.json").read_text())
    assert {run["sweep"] for run in told["runs"]} == set(SWEEPS)
    assert told["total"]["cells"] == len(records)
    assert told["total"]["cpu_seconds"] == pytest.approx(records["cell_cpu_seconds"].sum())


def test_the_claims_follow_from_the_records(records, claims):
    again = claims_table(judge_claims(paper.CLAIMS, records)).set_index("id")
    assert list(again.index) == list(claims.index)
    for column in ("verdict", "evidence", "criterion", "reason"):
        assert list(again[column]) == list(claims[column])


def test_the_table_of_claims_tells_of_each_what_was_found(claims):
    page = (ROOT / "docs" / "claims.md").read_text("utf-8")
    rows = re.findall(r"^\| ([\w-]+): .*? \| .*? \| (.*?) \| [✓✗?] (.*?) \|", page, flags=re.MULTILINE)
    assert [name for name, _, _ in rows] == list(claims.index)
    for name, ours, verdict in rows:
        assert verdict == claims.loc[name, "verdict"]
        evidence = set(re.findall(r"\d+\.\d+(?:e-\d+)?", claims.loc[name, "evidence"] + claims.loc[name, "criterion"]))
        assert set(re.findall(r"\d+\.\d+(?:e-\d+)?", ours)) <= evidence, name


def test_the_readme_lists_every_exhibit():
    """Its numbers are written by docs/make_tables.py."""
    page = (ROOT / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| .*? \| `python -m gdmbench \+experiment=(\w+)` \| .*? \|$", page, flags=re.MULTILINE)
    configs = ROOT / "conf" / "experiment"
    parts = yaml.safe_load((configs / "paper.yaml").read_text("utf-8"))["parts"]
    exhibits = [name for name in parts if "exhibit" in yaml.safe_load((configs / f"{name}.yaml").read_text("utf-8"))]
    assert sorted(rows) == sorted([*exhibits, "paper"])


def test_the_figures_are_small_enough_for_a_repository():
    assert max(path.stat().st_size for path in REFERENCE.rglob("*") if path.is_file()) < 2_000_000
