"""The committed reference run: complete, from one commit, and what is said of it follows from its records."""

import json
import re
import shutil
import subprocess
from importlib import import_module
from pathlib import Path

import pandas as pd
import pytest
import yaml

from gdmbench.cli import main
from gdmbench.config.experiment import load_experiment
from gdmbench.exhibits.claims import judge_claims
from gdmbench.exhibits.claims_files import claims_table
from gdmbench.plan import make_plan
from gdmbench.records.frame import to_frame
from gdmbench.records.store import Store

ROOT = Path(__file__).parents[1]
REFERENCE = ROOT / "results" / "reference"
SWEEPS = sorted(path.parent.name for path in REFERENCE.glob("*/records.jsonl"))


@pytest.fixture(scope="module")
def records():
    return to_frame(record for sweep in SWEEPS for record in Store(REFERENCE / sweep).read()[0].values())


@pytest.fixture(scope="module")
def claims():
    return pd.read_csv(REFERENCE / "paper" / "claims.csv", keep_default_na=False).set_index("id")


@pytest.fixture(scope="module")
def configs():
    return load_experiment(["+experiment=paper"]).sweeps


@pytest.mark.parametrize("sweep", SWEEPS)
def test_every_cell_of_a_sweep_is_there_at_the_paper_s_size(sweep, records, configs):
    """The same cells as today's config asks for: a change of a setting calls for a new reference run."""
    wanted = {cell.key for cell in make_plan(configs[sweep])}
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


@pytest.mark.parametrize("exhibit", sorted(path.parent.name for path in REFERENCE.glob("*/claims.csv")))
def test_the_claims_follow_from_the_records(exhibit, records):
    """Verdicts and words, of confirming runs and causes too; the last digits of numbers are a machine's."""
    claims = pd.read_csv(REFERENCE / exhibit / "claims.csv", keep_default_na=False)
    runs = json.loads((REFERENCE / exhibit / "provenance.json").read_text("utf-8"))["runs"]
    mine = records[records["experiment"].isin({run.get("sweep", exhibit) for run in runs})]
    again = claims_table(judge_claims(import_module(f"experiments.{exhibit}").CLAIMS, mine))
    assert list(again.columns) == list(claims.columns)
    for column in again.columns.drop(["numbers", "limits", "confirmed numbers"]):
        assert list(again[column]) == list(claims[column])


def test_the_table_of_claims_tells_of_each_what_was_found(claims):
    page = (ROOT / "docs" / "claims.md").read_text("utf-8")
    rows = re.findall(r"^\| ([\w-]+): .*? \| .*? \| (.*?) \| [✓◐✗?] (.*?) \|", page, flags=re.MULTILINE)
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
    files = [name for name in parts if isinstance(name, str)]  # the others are variants, which have none
    exhibits = [name for name in files if "exhibit" in yaml.safe_load((configs / f"{name}.yaml").read_text("utf-8"))]
    assert sorted(rows) == sorted([*exhibits, "paper"])


def test_it_is_small_enough_for_a_repository():
    listed = subprocess.run(["git", "ls-files", "-z", REFERENCE], cwd=ROOT, capture_output=True, text=True, check=False)
    files = [ROOT / name for name in listed.stdout.split("\0") if name]
    if not files:
        pytest.skip("which files are committed is known in a clone only")
    assert sum(path.stat().st_size for path in files) < 25_000_000


_OTHER_CODE = re.compile(rb"\*\*Note:\*\* [^\n]* made by other code than today's: [^\n]*\n\n")


# An exhibit over several sweeps, and a sweep that is an exhibit itself
@pytest.mark.parametrize("name", ["propositions", "discard"])
def test_redrawing_gives_the_same_bytes(name, tmp_path, capsys):
    """Of every table and figure that is committed, but for the note that code has been edited since the run."""
    parts = yaml.safe_load((ROOT / "conf" / "experiment" / f"{name}.yaml").read_text("utf-8")).get("parts", [])
    for folder in {name, *parts}:
        (tmp_path / folder).mkdir()
        for file in ("records.jsonl", "provenance.json", "config.yaml"):
            if (REFERENCE / folder / file).exists():
                shutil.copy(REFERENCE / folder / file, tmp_path / folder)
    assert main(["redraw", f"+experiment={name}", f"root={tmp_path}"]) == 0, capsys.readouterr()
    for folder in {name, *parts}:
        for file in (REFERENCE / folder).iterdir():
            if file.suffix in (".csv", ".md", ".tex", ".png", ".pdf"):
                drawn, committed = ((path / folder / file.name).read_bytes() for path in (tmp_path, REFERENCE))
                assert _OTHER_CODE.sub(b"", drawn) == _OTHER_CODE.sub(b"", committed), file
