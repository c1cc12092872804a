"""Every exhibit is drawn from its own sweeps alone, from part of them, and says what it needs."""

from importlib import import_module

import pytest
from omegaconf import OmegaConf

from experiments import paper
from experiments.criteria import of, setting
from experiments.projection import with_projected
from gdmbench.exhibits.claims import check_claims
from gdmbench.runner.listing import options
from gdmbench.runner.plugins import config_dir

FILES = {name: OmegaConf.load(config_dir() / "experiment" / f"{name}.yaml") for name in options("experiment")}
COMPOUNDS = {name: file for name, file in FILES.items() if file.get("parts")}
EXHIBITS = [name for name in COMPOUNDS if name not in ("paper", "figure_1")]  # figure 1 needs real records: see below


def test_the_paper_is_made_of_every_exhibit():
    assert sorted(COMPOUNDS["paper"].parts) == sorted(set(COMPOUNDS) - {"paper"})
    for name, file in COMPOUNDS.items():
        assert set(file.parts) <= set(FILES), name
        assert file.name == name
        assert file.exhibit == f"experiments.{name}"


def test_the_paper_checks_the_claims_of_every_exhibit():
    found = {claim.id for name in COMPOUNDS for claim in import_module(f"experiments.{name}").CLAIMS}
    assert found == {claim.id for claim in paper.CLAIMS}


@pytest.mark.parametrize("name", EXHIBITS)
def test_an_exhibit_needs_no_other_sweeps_than_its_own(name, world, tmp_path):
    exhibit = import_module(f"experiments.{name}")
    mine = world[world["experiment"].isin(list(COMPOUNDS[name].parts))]
    assert set(mine["experiment"]) == set(COMPOUNDS[name].parts)
    assert {verdict.verdict for verdict in check_claims(exhibit.CLAIMS, mine)} == {"reproduced"}
    written = exhibit.draw(mine, tmp_path / "new")
    assert {path.suffix for path in written} >= {".pdf", ".png"}
    for path in written:
        assert path.stat().st_size > 300


@pytest.mark.parametrize("name", [name for name in EXHIBITS if len(COMPOUNDS[name].parts) > 1])
def test_an_exhibit_is_drawn_from_part_of_its_sweeps(name, world, tmp_path):
    part = COMPOUNDS[name].parts[-1]
    assert import_module(f"experiments.{name}").draw(world[world["experiment"] == part], tmp_path)


def test_table_1_shows_ours_and_the_papers(world, tmp_path):
    import_module("experiments.table_1").draw(world, tmp_path)
    page = (tmp_path / "table_1.md").read_text()
    assert page.count("(1586)") == 2  # under both rules for zeros
    head, _, _, row, *_ = [line for line in page.splitlines() if line.startswith("|")]
    assert head.replace(" ", "") == "|K|GDM|tGDM|VEM|Gibbs|RecoverKL|"
    assert [cell.split()[-1] for cell in row.split("|")[2:-1] if "(" in cell] == ["(1061)", "(1953)", "(924)", "(1235)"]
    times = (tmp_path / "timing.md").read_text()
    assert "On the NIPS corpus" in times
    assert "630" in times


def test_a_setting_is_what_the_records_say(world):
    assert setting(of(world, "vary_N"), "doc_length", "n_docs", "alpha") == r"$N_m = 50$, $M = 1000$, $\alpha = 0.1$"
    assert setting(of(world.drop(columns="data"), "vary_N"), "n_docs") == ""
    assert setting(of(world.iloc[:0], "vary_N"), "n_docs") == ""


def test_projected_proportions_are_methods_of_their_own(world):
    both = with_projected(of(world, "vary_N"))
    assert set(both["method"]) == {"vem", "gibbs", "vem_projected", "gibbs_projected"}
    gibbs = both[both["method"] == "gibbs"].reset_index(drop=True)
    projected = both[both["method"] == "gibbs_projected"].reset_index(drop=True)
    assert (projected["perplexity"] == gibbs["perplexity_projected"]).all()
