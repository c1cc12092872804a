"""VEM's starts and unknown numbers of topics: claims that hold and fail as they should, bad ends counted right."""

import pandas as pd
import pytest

from experiments import unknown_k, vem_start
from gdmbench.config.experiment import load_experiment
from gdmbench.exhibits.findings import REFUTED

JUDGE = {claim.id: claim.judge for claim in [*vem_start.CLAIMS, *unknown_k.CLAIMS]}
STARTS = " ".join(vem_start.SETTINGS)


def test_the_config_has_these_settings():
    configs = load_experiment(["+experiment=vem_start"]).sweeps
    assert list(configs) == list(vem_start.SETTINGS)
    for config in configs.values():
        assert set(config.methods) == {"vem", "vem_from_gdm", "vem_from_vlad", "gibbs_from_vlad"}
        assert config.methods.vem.n_restarts == 1


def test_the_number_of_topics_is_told_to_gdm_only():
    for config in load_experiment(["+experiment=unknown_k"]).sweeps.values():
        methods = config.methods
        assert methods.gdm.n_topics
        assert {name for name, method in methods.items() if method.get("n_topics")} == {"gdm"}


@pytest.mark.parametrize(
    ("claim", "experiments", "method", "factor"),
    [
        ("vem-cured", STARTS, "vem_from_gdm", 1.6),
        ("vem-cured", STARTS, "vem_from_vlad", 1.6),
        ("vem-cured", STARTS, "gibbs_from_vlad", 0.5),
        ("vem-cured", STARTS, "vem", 0.05),
        ("unknown-k", "unknown_k_alpha", "ngdm_split", 1.5),
        ("unknown-k", "unknown_k_alpha", "gdm", 1.5),
    ],
)
def test_a_claim_fails_where_the_records_contradict_it(claim, experiments, method, factor, world, spoil):
    assert JUDGE[claim](world).outcome == "reproduced"
    assert JUDGE[claim](spoil(world, experiments, method, "mm_distance", factor)).outcome in REFUTED


def test_without_records_nothing_is_claimed(world, tmp_path):
    none = world.iloc[:0]
    assert {judge(none).outcome for judge in JUDGE.values()} == {"not enough evidence"}
    assert vem_start.draw(none, tmp_path) == unknown_k.draw(none, tmp_path) == []


def test_an_end_is_bad_beside_the_best_on_the_same_documents():
    frame = pd.DataFrame(
        {
            "experiment": ["e"] * 4,
            "repetition": [0, 0, 1, 1],
            "method": ["vem", "vem_from_gdm"] * 2,
            "mm_distance": [0.03, 0.01, 0.03, 0.02],
        }
    )
    assert vem_start.bad_ends(frame).tolist() == [True, False, False, False]


def test_the_page_and_the_figures_are_written(world, tmp_path, unrendered_figures):
    paths = [*vem_start.draw(world, tmp_path), *unknown_k.draw(world, tmp_path)]
    assert {path.name for path in paths} >= {"vem_start.md", "vem_start.pdf", "unknown_k.pdf", "unknown_k.png"}
    page = (tmp_path / "vem_start.md").read_text("utf-8")
    assert (
        sum(line.startswith("|") for line in page.splitlines()) == 2 + 3 * 4
    )  # the head, three settings, four methods
