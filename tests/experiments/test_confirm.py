"""Confirming runs: judged by fresh records alone, beside the verdict of the paper's repetitions."""

import csv

import pytest

from experiments import confirm, paper
from gdmbench.config.compose import load_config
from gdmbench.config.experiment import load_experiment
from gdmbench.exhibits.claims import judge_claims
from gdmbench.exhibits.claims_files import claims_markdown, claims_table, claims_text
from gdmbench.exhibits.robustness import write_robustness

CLAIMS = {claim.id: claim for claim in paper.CLAIMS}
# What makes each claim false in its confirming run.
SPOILED = {
    "short-documents": ("tgdm", 2.0, 5000, 5000),
    "no-anchors": ("tgdm", 3.0, 0.7, 0.7),
    "anchors": ("recover_kl", 4.0, 0.5, 1.0),
    "long-documents": ("gdm", 4.0),
}


def verdict(claim_id, records):
    (found,) = judge_claims([CLAIMS[claim_id]], records)
    return found


@pytest.mark.parametrize("claim_id", SPOILED)
def test_the_confirmed_verdict_is_that_of_the_fresh_records_alone(claim_id, world, spoil):
    method, *change = SPOILED[claim_id]
    other = spoil(world, confirm.name_of(claim_id), method, "mm_distance", *change)
    found = verdict(claim_id, other)
    assert (found.verdict, found.confirmed.outcome) == ("reproduced", "partly reproduced")
    assert found.evidence == verdict(claim_id, world).evidence
    other = spoil(world, confirm.SWEEPS[claim_id], method, "mm_distance", *change)
    found = verdict(claim_id, other)
    assert (found.verdict, found.confirmed.outcome) == ("partly reproduced", "reproduced")


@pytest.mark.parametrize("claim_id", SPOILED)
def test_an_open_claim_that_a_confirming_run_decides(claim_id, world):
    fresh = world["experiment"].str.startswith("confirm")
    few = world[fresh | (world["repetition"] == 0)]
    found = verdict(claim_id, few)
    assert (found.verdict, found.confirmed.outcome) == ("not enough evidence", "reproduced")
    assert verdict(claim_id, few[few["experiment"] != confirm.name_of(claim_id)]).confirmed is None


def test_both_verdicts_stand_side_by_side(world):
    found = judge_claims([CLAIMS["long-documents"], CLAIMS["tuning"]], world[world["experiment"] != "vary_N_long"])
    table = claims_table(found)
    assert table[["verdict", "confirmed"]].to_numpy().tolist() == [
        ["not enough evidence", "reproduced"],
        ["reproduced", ""],
    ]
    page = claims_markdown(found)
    assert "| verdict | confirmed |" in page
    assert "| ? not enough evidence | ✓ reproduced |" in page
    assert "Confirming run: MM tGDM / RecoverKL at N = 50 " in page
    assert "not enough evidence (confirmed: reproduced)" in " ".join(claims_text(found).split())


def test_the_exhibit_has_the_verdicts_and_repetitions(world, tmp_path, unrendered_figures):
    assert {v.verdict for v in judge_claims(confirm.CLAIMS, world)} == {"reproduced"}
    assert {v.verdict for v in judge_claims(confirm.CLAIMS, world.iloc[:0])} == {"not enough evidence"}
    page = confirm.draw(world, tmp_path)[0].read_text("utf-8")
    for claim_id in SPOILED:
        assert f"| {claim_id} | 6 | ✓ reproduced |" in page


@pytest.mark.parametrize("claim_id", SPOILED)
def test_a_confirming_run_differs_in_seed_and_repetitions_alone(claim_id):
    mine = load_experiment(["+experiment=confirm"]).sweeps[confirm.name_of(claim_id)]
    theirs = load_config([f"+experiment={confirm.SWEEPS[claim_id]}"])
    assert mine.seed != theirs.seed
    assert theirs.repetitions < mine.repetitions <= 200
    assert mine.sweep == theirs.sweep
    assert mine.data == theirs.data
    assert set(mine.methods) < set(theirs.methods) or claim_id == "long-documents"
    for method, parameters in mine.methods.items():
        assert parameters == theirs.methods[method]


def test_other_readings_of_the_paper_s_claims(world, spoil, tmp_path):
    # tGDM 1.5 to 1.6 times Gibbs: not almost identical by 1.25, but by 2.
    records = spoil(world, "vary_N", "tgdm", "mm_distance", 1.4)
    claims = [CLAIMS[claim_id] for claim_id in ("accuracy", "tuning", "long-documents", "discard")]
    paths = write_robustness(claims, records, tmp_path)
    with paths[0].open(encoding="utf-8") as file:
        rows = {row["id"]: row for row in csv.DictReader(file)}
    assert [rows["accuracy"][f"limit {limit}"] for limit in ("1.1", "1.25", "2")] == [
        "partly reproduced",
        "partly reproduced",
        "reproduced",
    ]
    assert rows["accuracy"]["as judged"] == "partly reproduced"
    assert rows["tuning"]["limit 2"] == "not reproduced"  # "considerably" must be a factor 2 then
    assert {rows["discard"][name] for name in ("limit 1.25", "limit 2", "arithmetic means")} == {"reproduced"}
    page = paths[1].read_text("utf-8")
    row = next(line for line in page.splitlines() if line.startswith("| accuracy"))
    assert row.startswith("| accuracy | ◐ | ◐ | ◐ |")
    assert row.count("**✓**") >= 1
