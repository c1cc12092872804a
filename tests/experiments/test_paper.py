"""Every claim: records under which it holds, records that refute each of its parts, records too few to tell."""

from dataclasses import replace

import pytest

from experiments import paper
from gdmbench.exhibits.claims import judge_claims
from gdmbench.exhibits.findings import REFUTED

CLAIMS = {claim.id: claim for claim in paper.CLAIMS}
FIGURE_2 = "vary_N vary_M vary_M_short vary_eta"
IDS = [
    "picture",
    "accuracy",
    "speed",
    "vem-unstable",
    "short-documents",
    "projection-recoverkl",
    "rates",
    "tuning",
    "no-anchors",
    "anchors",
    "long-documents",
    "perplexity-near",
    "nips-order",
    "nips-time",
    "nips-recoverkl-time",
    "nonparametric",
    "weights",
    "alpha",
    "projection",
    "bounds",
    "subspace",
    "consistency-M",
    "consistency-alpha",
    "discard",
]

# Each: claim, and what to multiply to make it false.
SPOILED = [
    ("accuracy", ("vary_N", "tgdm", "mm_distance", 1.6)),
    ("accuracy", ("vary_N vary_M vary_M_short", "recover_kl", "mm_distance", 0.4)),
    ("speed", (FIGURE_2, "recover_kl", "fit_seconds", 10)),
    ("speed", (FIGURE_2, "gdm", "fit_seconds", 5)),
    ("speed", (FIGURE_2, "recover_kl", "mm_distance", 3)),
    ("short-documents", ("vary_M_short", "gdm", "mm_distance", lambda m: (m / 1000) ** 0.8)),
    ("short-documents", ("vary_M_short", "tgdm", "mm_distance", 2.0, 5000, 5000)),
    ("short-documents", ("vary_M_short", "gdm", "perplexity", lambda m: (m / 1000) ** 0.1)),
    ("projection-recoverkl", ("vary_eta", "recover_kl", "perplexity", 1.2)),
    ("rates", ("vary_M", "gdm", "mm_distance", lambda m: m**0.4)),
    ("rates", ("vary_N", "gibbs", "mm_distance", lambda n: n**0.5)),
    ("tuning", (FIGURE_2, "tgdm", "mm_distance", 1.4)),
    ("no-anchors", ("vary_eta", "tgdm", "mm_distance", 3, 0.7, 0.7)),
    ("anchors", ("vary_eta_anchors", "recover_kl", "mm_distance", 4, 0.5, 1.0)),
    ("anchors", ("vary_eta_anchors", "tgdm", "mm_distance", 3, 0.2, 0.2)),
    ("long-documents", ("vary_N_long", "tgdm", "mm_distance", 3, 10000, 10000)),
    ("long-documents", ("vary_N_long", "gdm", "mm_distance", 4)),
    ("perplexity-near", ("vary_N_long", "recover_kl", "perplexity", 1.2)),
    ("perplexity-near", ("vary_eta_anchors vary_N_long", "tgdm", "perplexity", 1.04)),
    ("nips-order", ("nips", "gdm", "perplexity", 1.3, 10, 10)),
    ("nips-order", ("nips", "recover_kl", "perplexity", 0.6, 20, 20)),
    ("nips-order", ("nips", "recover_kl", "perplexity", 1.35, 10, 10)),
    ("nips-time", ("timing_nips", "gibbs", "fit_seconds", 0.3)),
    ("nips-time", ("timing_nips", "vem", "fit_seconds", 0.3)),
    ("nips-recoverkl-time", ("timing_nips", "recover_kl", "fit_seconds", 5)),
    ("nonparametric", ("supplement_1", "ngdm", "perplexity", 1.3, 2, 2)),
    ("nonparametric", ("supplement_1", "kl_dp_means", "perplexity", 1.3, 0, 0.1)),
    ("weights", ("varying_lengths", "gdm_unweighted", "mm_distance", 0.4)),
    ("weights", ("varying_lengths", "gdm_unweighted", "perplexity", 0.9)),
    ("weights", ("varying_lengths", "tgdm", "mm_distance", 1.5)),
    ("alpha", ("vary_alpha", "gdm", "mm_distance", 1.5, 0, 0.1)),
    ("alpha", ("vary_alpha", "gibbs", "mm_distance", 3, 0.5, 2)),
    ("alpha", ("vary_alpha", "vem", "mm_distance", 0.1, 0.5, 2)),
    ("alpha", ("vary_alpha", "gibbs", "mm_distance", 0.05, 2, 2)),
    ("projection", ("vary_N", "gibbs", "perplexity_projected", 1.2)),
    ("projection", ("vary_M_short", "vem", "perplexity", 0.7)),
    ("consistency-M", ("consistency_M_uniform", "gdm", "mm_distance", lambda m: m**0.6)),
    ("consistency-M", ("consistency_M", "gdm", "mm_distance", 3, 1000, 1000)),
    ("consistency-alpha", ("consistency_alpha", "gdm", "mm_distance", lambda alpha: alpha**-0.8)),
    ("discard", ("discard", "gdm_central", "mm_distance", 1.5, 0.75, 0.75)),
]


def verdict(claim_id, records):
    (found,) = judge_claims([CLAIMS[claim_id]], records)
    return found


def test_the_claims_are_those_of_the_paper():
    assert sorted(CLAIMS) == sorted(IDS)
    assert len(paper.CLAIMS) == len(IDS)
    for claim in paper.CLAIMS:
        assert claim.text.endswith(".")
        assert claim.criterion.endswith(".")
        assert claim.where
        assert not claim.reason or claim.reason.endswith(".")


@pytest.mark.parametrize("claim_id", IDS)
def test_what_the_paper_says_is_found_where_it_is_true(claim_id, world):
    found = verdict(claim_id, world)
    assert found.verdict == "reproduced", found.evidence
    assert found.parts


@pytest.mark.parametrize(("claim_id", "change"), SPOILED, ids=[f"{c}-{i}" for i, (c, _) in enumerate(SPOILED)])
def test_a_false_part_refutes_the_claim(claim_id, change, world, spoil):
    found = verdict(claim_id, spoil(world, *change))
    assert found.verdict in REFUTED, found.evidence


def test_every_claim_has_records_that_refute_it():
    by_other_means = {"picture", "vem-unstable", "bounds", "subspace"}  # tested below
    assert {claim_id for claim_id, _ in SPOILED} | by_other_means == set(IDS)


def test_vem_that_is_not_the_worst(world, spoil):
    some = verdict("vem-unstable", spoil(world, "vary_N", "vem", "mm_distance", 0.01))
    assert some.verdict == "reproduced"  # in 7 of 8 panels, still most
    half = verdict("vem-unstable", spoil(world, FIGURE_2, "vem", "mm_distance", 0.01))
    assert half.verdict in REFUTED
    assert "worst 0.500" in half.evidence


def test_vem_that_is_the_worst_but_stable(world, spoil):
    records = spoil(world, FIGURE_2, "vem", "mm_distance", to=0.5)
    assert verdict("vem-unstable", records).verdict in REFUTED


@pytest.mark.parametrize("scale", [0.5, 0.93])  # farther than the centroids; nearer than these, but no overlap
def test_topics_that_do_not_overlap_with_the_true_ones(scale, world, set_extra):
    found = verdict(
        "picture", set_extra(world, "figure_1", topics=[[scale * (i == j) for j in range(5)] for i in range(4)])
    )
    assert found.verdict in REFUTED


@pytest.mark.parametrize("claim_id", [claim_id for claim_id, claim in CLAIMS.items() if claim.readings])
def test_other_readings_are_judged_and_change_no_verdict(claim_id, world):
    found = verdict(claim_id, world)
    assert len(found.read) == len(CLAIMS[claim_id].readings)
    for read in found.read:
        assert all(part.estimate.n for part in read.finding.parts), read.finding.evidence
    assert replace(CLAIMS[claim_id], readings=()).judge(world).outcome == found.verdict


def test_estimates_from_one_corpus_have_no_interval(world):
    for claim_id in ("nips-order", "nips-time", "nips-recoverkl-time"):
        assert "[" not in verdict(claim_id, world).evidence
    simulated = world[world["experiment"] != "timing_nips"]
    assert "[" in verdict("nips-time", simulated).evidence


@pytest.mark.parametrize("numbers", [{"upper": -0.1}, {"lower_printed": -1e-3}, {"broken_lower_printed": 0.02}])
def test_a_broken_bound(numbers, world, set_extra):
    assert verdict("bounds", set_extra(world, "proposition_1", **numbers)).verdict in REFUTED


def test_the_bound_over_all_words_is_not_the_papers(world, set_extra):
    assert verdict("bounds", set_extra(world, "proposition_1", lower=-1.0)).verdict == "reproduced"


@pytest.mark.parametrize("numbers", [{"relaxed": 0.01}, {"centroids": lambda n: 0.01 * n**0.5}])
def test_another_subspace(numbers, world, set_extra):
    assert verdict("subspace", set_extra(world, "proposition_2", **numbers)).verdict in REFUTED


@pytest.mark.parametrize("claim_id", IDS)
def test_too_few_records_decide_nothing(claim_id, world):
    # One repetition at one value; of sweeps that are pooled, one.
    once = world[(world["repetition"] == 0) & ~world["experiment"].isin(["vary_M", "vary_M_short", "vary_eta"])]
    once = once[once["experiment"] != "vary_N_long"] if claim_id == "perplexity-near" else once
    few = once.drop_duplicates(["experiment", "method"])
    assert verdict(claim_id, few).verdict == "not enough evidence"


@pytest.mark.parametrize("claim_id", IDS)
def test_no_records_decide_nothing(claim_id, world):
    found = verdict(claim_id, world.iloc[:0])
    assert found.verdict == "not enough evidence"
    assert "no records" in found.evidence


@pytest.mark.parametrize("claim_id", IDS)
def test_failed_cells_are_no_evidence(claim_id, world, fail):
    failed = fail(world, world["status"] == "ok").assign(extra=[{} for _ in range(len(world))])
    assert verdict(claim_id, failed).verdict == "not enough evidence"
