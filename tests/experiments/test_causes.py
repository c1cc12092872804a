"""What claims depend on: for every cause, records under which it turns its claim, and what is said of that."""

from dataclasses import replace
from functools import cache

import pytest

from experiments import cause_nips, cause_vem_ldac, causes, paper
from experiments.stand_ins import LDAC
from gdmbench.config.experiment import load_experiment
from gdmbench.exhibits.claims import judge_claims
from gdmbench.exhibits.claims_files import claims_markdown, claims_table, claims_text
from gdmbench.exhibits.findings import REFUTED

CLAIMS = {claim.id: claim for claim in paper.CLAIMS}
FIGURE_2 = "vary_N vary_M vary_M_short vary_eta"
GOOD_VEM = ("vary_N vary_M vary_M_short", "vem", "mm_distance", 0.05)
GOOD_GIBBS = ("vary_N", "gibbs", "mm_distance", 0.6)
FLAT_GDM = ("vary_M", "gdm", "mm_distance", lambda m: m**0.4)
FLAT_TGDM = ("vary_M", "tgdm", "mm_distance", lambda m: m**0.4)
FAR_GDM = ("vary_alpha", "gdm", "mm_distance", 1.5, 0, 0.1)
GOOD_VEM_ALPHA = ("vary_alpha", "vem", "mm_distance", 0.1, 0.5, 2)
LAST_DRAW, RIGHT = "Gibbs gives the last draw of one chain", "{} extensions are read off the true topics"
PENALTIES = "both penalties are those that give the true K at alpha = {}, at every alpha"
BAD_NGDM = ("supplement_1", "ngdm", "perplexity", 1.3, 2, 2)
OWN, RAISED = ("perplexity", "perplexity_nonzero"), ("perplexity", "perplexity_projected")
SCORES = (*OWN, "perplexity_projected", "perplexity_projected_nonzero")
# What makes the claim on NIPS false as long as a choice is as judged.
ON_NIPS = {
    "proportions": [("nips", "gibbs", column, 3) for column in OWN],
    "zeros": [("nips", "gdm", column, 1.3, 10, 10) for column in RAISED],
    "anchors": [("nips", "recover_kl", column, 0.6) for column in SCORES],
    "vem": [("nips", "vem", column, 0.5) for column in SCORES],
}
# For each cause: its claim, and what to multiply to make that false; the records that stand in stay as they are.
FLIPS = [
    ("accuracy", LDAC, [GOOD_VEM]),
    ("accuracy", LAST_DRAW, [GOOD_GIBBS]),
    ("accuracy", f"{LAST_DRAW} and {LDAC}", [GOOD_GIBBS, GOOD_VEM]),
    ("accuracy", RIGHT.format("tGDM's"), [("vary_N", "tgdm", "mm_distance", 1.6)]),
    ("vem-unstable", LDAC, [(FIGURE_2, "vem", "mm_distance", 0.01)]),
    ("projection", LDAC, [("vary_M_short", "vem", "perplexity", 0.7)]),
    ("rates", RIGHT.format("GDM's"), [FLAT_GDM]),
    ("rates", RIGHT.format("GDM's and tGDM's"), [FLAT_GDM, FLAT_TGDM]),
    ("weights", RIGHT.format("tGDM's"), [("varying_lengths", "tgdm", "mm_distance", 1.5)]),
    ("alpha", LDAC, [GOOD_VEM_ALPHA]),
    ("alpha", RIGHT.format("GDM's"), [FAR_GDM]),
    ("alpha", f"{RIGHT} and {LDAC}".format("GDM's"), [FAR_GDM, GOOD_VEM_ALPHA]),
    (
        "discard",
        "topics lie at equal distances from the centre",
        [("discard", "gdm_central", "mm_distance", 1.5, 0.7, 0.8)],
    ),
    *(("nonparametric", PENALTIES.format(alpha), [BAD_NGDM]) for alpha in ("0.1", "0.5", "2")),
    *(
        (
            "nips-order",
            f"papers are scored with {each}",
            [spoiled for name in each.changed() for spoiled in ON_NIPS[name]],
        )
        for each in cause_nips.COMBINATIONS[1:]
    ),
]
OTHERS = [flip for flip in FLIPS if flip[0] != "nips-order"]
SUMMED = ("bounds", "chi² is summed over all words (docs/theory.md)")  # of numbers in extras, which are set otherwise


@cache
def configs():
    return load_experiment(["+experiment=paper"]).sweeps


def verdict(claim, records):
    (found,) = judge_claims([claim], records)
    return found


def alone(claim_id, choice):
    """A claim of the paper that might depend on one choice only."""
    claim = CLAIMS[claim_id]
    return replace(claim, causes=[cause for cause in claim.causes if cause.choice == choice])


def spoil_all(spoil, records, changes):
    for change in changes:
        records = spoil(records, *change)
    return records


def test_every_cause_is_tested():
    known = {(claim, cause.choice) for claim, some in causes.CAUSES.items() for cause in some}
    assert {(claim, choice) for claim, choice, _ in FLIPS} | {SUMMED} == known
    assert {claim.id for claim in paper.CLAIMS if claim.causes} == set(causes.CAUSES)


def said_of(found, cause):
    """What is said of a choice under which a claim holds: a condition, or an explanation."""
    if cause.explains:
        assert found.holds_if == ""
        return found.explained, f"Holds if {cause.choice} ({cause.shown_by}). {cause.explains}"
    assert found.explained == ""
    return found.holds_if, f"{cause.choice} ({cause.shown_by}): reproduced"


@pytest.mark.parametrize(("claim_id", "choice", "changes"), FLIPS, ids=[f"{c}-{i}" for i, (c, *_) in enumerate(FLIPS)])
def test_a_choice_that_turns_a_claim_is_said_to(claim_id, choice, changes, world, spoil):
    claim = replace(alone(claim_id, choice), readings=())
    found = verdict(claim, spoil_all(spoil, world, changes))
    assert found.verdict in REFUTED
    said, wanted = said_of(found, *claim.causes)
    assert said == wanted
    assert "author" not in said  # what they chose is not known


def test_what_nobody_could_choose_is_an_explanation():
    explaining = {(claim, cause.choice) for claim, some in causes.CAUSES.items() for cause in some if cause.explains}
    assert {claim for claim, _ in explaining} == {
        "rates",
        "accuracy",
        "weights",
        "alpha",
        "bounds",
        "nonparametric",
        "discard",
    }
    assert {claim for claim, some in causes.CAUSES.items() if any(not cause.explains for cause in some)} == {
        "accuracy",
        "vem-unstable",
        "projection",
        "alpha",
        "nips-order",
    }


def test_the_corrected_bound_explains(world, set_extra):
    found = verdict(alone(*SUMMED), set_extra(world, "proposition_1", lower_printed=-1e-3))
    assert found.verdict in REFUTED
    assert found.explained.startswith(f"Holds if {SUMMED[1]} (propositions). ")


@pytest.mark.parametrize(
    ("claim_id", "choice", "changes"), OTHERS, ids=[f"{c}-{i}" for i, (c, *_) in enumerate(OTHERS)]
)
def test_a_choice_that_leaves_a_part_false_does_not_suffice(claim_id, choice, changes, world, spoil):
    # Each of these is false before and after.
    unrelated = {
        "accuracy": (FIGURE_2, "recover_kl", "mm_distance", 0.1),
        "vem-unstable": (FIGURE_2, "gdm", "mm_distance", 100),
        "projection": ("vary_N vary_M vary_M_short", "gibbs", "perplexity_projected", 1.2),
        "rates": ("vary_N", "gibbs", "mm_distance", lambda n: n**0.5),
        "weights": ("varying_lengths", "tgdm_unweighted", "perplexity", 0.5),
        "alpha": ("vary_alpha", "gibbs", "mm_distance", 30, 0.5, 2),
        "discard": ("discard_equal", "gdm_central", "mm_distance", 2, 0.7, 0.8),
        "nonparametric": ("supplement_1_fixed", "kl_dp_means_01", "perplexity", 0.5),
    }[claim_id]
    if claim_id == "nonparametric" and "0.1" not in choice:
        unrelated = ("supplement_1_fixed", f"kl_dp_means_{'05' if '0.5' in choice else '2'}", "perplexity", 0.5)
    found = verdict(alone(claim_id, choice), spoil_all(spoil, world, [*changes, unrelated]))
    assert choice not in found.holds_if + found.explained
    assert f"If {choice} (" in claims_table([found])["tried"].iloc[0]


def test_of_many_choices_each_that_suffices_is_named(world, spoil):
    claim = CLAIMS["nips-order"]
    claim = replace(claim, causes=[cause for cause in claim.causes if "zeros left out" in cause.choice])
    found = verdict(claim, spoil_all(spoil, world, ON_NIPS["zeros"]))
    assert found.holds_if.startswith("papers are scored with zeros left out (cause_nips): reproduced; or if ")
    assert found.holds_if.count("reproduced") == 8


def test_the_nearest_choices_are_told_first_where_none_suffices(world, spoil):
    claim = CLAIMS["nips-order"]
    everywhere = [("nips", "gibbs", column, 3) for column in SCORES]
    records = spoil_all(spoil, world, [*everywhere, *ON_NIPS["zeros"]])
    found = verdict(replace(claim, causes=claim.causes[:4]), records)
    assert found.holds_if == ""
    tried = claims_table([found])["tried"].iloc[0]
    assert tried.startswith(
        "If papers are scored with zeros left out (cause_nips): partly reproduced (9 of 13); 1 of the "
    )
    assert tried.count("If papers") == 4


def test_a_claim_that_holds_may_be_lost_under_a_choice(world, spoil):
    found = verdict(
        alone("accuracy", LDAC),
        spoil(world, "vary_N_ldac vary_M_ldac vary_M_short_ldac", "vem_ldac", "mm_distance", 0.01),
    )
    assert found.verdict == "reproduced"
    assert found.holds_if == ""
    told = f"If {LDAC} (cause_vem_ldac): partly reproduced (7 of 9); 2 refuted, 2 that held no longer do."
    assert claims_table([found])["tried"].tolist() == [told]


def test_choices_that_were_not_run_are_not_spoken_of(world):
    of_the_paper = world[~world["experiment"].str.contains("ldac|_gibbs|overshoot|equal|fixed")]
    for claim_id in ("accuracy", "vem-unstable", "projection", "rates", "weights", "discard", "nonparametric"):
        assert verdict(CLAIMS[claim_id], of_the_paper).tried == []
    # Sweeps that are lacking in part give no verdict on what is left of them.
    assert verdict(CLAIMS["vem-unstable"], world[world["experiment"] != "vary_eta_ldac"]).tried == []


def test_tables_have_the_column(world, spoil):
    found = [verdict(CLAIMS["vem-unstable"], spoil(world, FIGURE_2, "vem", "mm_distance", 0.01))]
    assert claims_table(found)["holds if"].tolist() == [f"{LDAC} (cause_vem_ldac): reproduced"]
    page = claims_markdown(found)
    assert "| holds if |" in page
    assert "That the authors made it is not shown" in " ".join(page.split())
    assert f"Holds if {LDAC} (cause_vem_ldac): reproduced." in " ".join(claims_text(found).split())


def test_the_page_of_causes_says_every_sentence_and_every_verdict(world, spoil, tmp_path):
    some = world[~world["experiment"].str.startswith("nips")]  # whose many combinations take long
    (path,) = causes.draw(spoil(some, FIGURE_2, "vem", "mm_distance", 0.01), tmp_path)
    page = path.read_text("utf-8")
    assert f"## {cause_nips.TITLE}" not in page
    for module in set(causes._MODULES) - {
        cause_nips,
        cause_vem_ldac,
    }:  # the latter's sentence depends on what is spoilt
        assert f"## {module.TITLE}\n\n{module.sentence(some)}" in page
    row = next(line for line in page.splitlines() if line.startswith("| vem-unstable"))
    assert "◐ partly reproduced (4 of 5)" in row
    assert "✓ reproduced" in row
    assert "that the authors made it is not shown" in page


STAND_INS = [
    *((f"{sweep}_ldac", sweep) for sweep in (*FIGURE_2.split(), "vary_alpha", "nips")),
    *((f"{sweep}_gibbs", sweep) for sweep in FIGURE_2.split()[:3]),
    ("nips_anchors", "nips"),
    *((f"overshoot_{name}", f"vary_{name}") for name in ("N", "M", "M_short", "alpha")),
    ("overshoot_lengths", "varying_lengths"),
    ("supplement_1_fixed", "supplement_1"),
]


@pytest.mark.parametrize(("stand_in", "sweep"), STAND_INS)
def test_what_stands_in_sees_documents_of_the_sweep(stand_in, sweep):
    mine, theirs = configs()[stand_in], configs()[sweep]
    for section in ("data", "model", "seed"):
        assert mine[section] == theirs[section]
    assert mine.sweep["axis"] == theirs.sweep["axis"]
    assert set(mine.sweep["values"]) <= set(theirs.sweep["values"])
    assert mine.repetitions <= theirs.repetitions
