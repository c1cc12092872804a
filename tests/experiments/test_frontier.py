"""Accuracy against time: the table of ratios, and claims that hold and fail as they should."""

import math

import pandas as pd
import pytest

from experiments.frontier import CLAIMS, SETTINGS, draw, ratios_to_gibbs
from gdmbench.config.experiment import load_experiment
from gdmbench.exhibits.findings import REFUTED

JUDGE = {claim.id: claim.judge for claim in CLAIMS}
ALL = " ".join(SETTINGS)


def test_every_setting_has_the_methods_of_the_claims_and_runs_one_cell_at_a_time():
    configs = load_experiment(["+experiment=frontier"]).sweeps
    assert list(configs) == list(SETTINGS)
    for config in configs.values():
        assert {"gdm", "tgdm", "vlad", "refined_gdm", "refined_gdm_learned", "gibbs"} <= set(config.methods)
        assert {"gibbs_from_tgdm", "gibbs_from_vlad", "vem", "vem_from_gdm"} <= set(config.methods)
        assert config.methods.refined_gdm_learned.alpha is None
        assert config.executor.n_workers == 1
        assert config.repetitions >= 2  # else there is no interval


@pytest.mark.parametrize(
    ("claim", "method", "measure", "factor"),
    [
        ("frontier-refined", "refined_gdm", "mm_distance", 1.2),
        ("frontier-refined", "refined_gdm", "fit_cpu_seconds", 3),
        ("frontier-refined", "gdm", "fit_cpu_seconds", 0.05),
        ("frontier-untold", "refined_gdm_learned", "mm_distance", 1.3),
        ("frontier-extension", "vlad", "mm_distance", 0.7),
        ("frontier-extension", "gdm", "mm_distance", 0.4),
    ],
)
def test_a_claim_fails_where_the_records_contradict_it(claim, method, measure, factor, world, spoil):
    assert JUDGE[claim](world).outcome == "reproduced"
    assert JUDGE[claim](spoil(world, ALL, method, measure, factor)).outcome in REFUTED


def test_one_setting_that_is_clearly_off_refutes_and_is_named(world, spoil):
    # The error over all settings is made up for, so that only the one setting can refute.
    off = spoil(world, "frontier_alpha2", "refined_gdm", "mm_distance", 1.8)
    good = " ".join(set(SETTINGS) - {"frontier_alpha2"})
    found = JUDGE["frontier-refined"](spoil(off, good, "refined_gdm", "mm_distance", 0.9))
    assert found.outcome in REFUTED
    assert SETTINGS["frontier_alpha2"] in found.evidence
    assert "frontier_default" not in found.evidence


def test_without_records_nothing_is_claimed(world, tmp_path):
    none = world.iloc[:0]
    assert {judge(none).outcome for judge in JUDGE.values()} == {"not enough evidence"}
    assert draw(none, tmp_path) == []


def test_ratios_are_geometric_means_of_pairs(world):
    mine = world[world["experiment"] == "frontier_many"].set_index(["method", "repetition"])["mm_distance"]
    expected = math.exp((mine["gdm"] / mine["gibbs"]).map(math.log).mean())
    table = ratios_to_gibbs(world).set_index(["experiment", "method", "measure"])
    row = table.loc[("frontier_many", "gdm", "mm_distance")]
    assert row["ratio"] == pytest.approx(expected)
    assert row["low"] < row["ratio"] < row["high"]
    assert row["mean"] == pytest.approx(mine["gdm"].mean())
    # VLAD is the fastest in this world, refined GDM as exact as Gibbs in less time, GDM less exact than VLAD.
    assert table.loc[("frontier_many", "vlad", "mm_distance"), "on_front"]
    assert not table.loc[("frontier_many", "gdm", "mm_distance"), "on_front"]


def test_tables_and_figure_are_written(world, fail, tmp_path, unrendered_figures):
    failed = fail(world, (world["experiment"] == "frontier_N10") & (world["method"] == "vem"))
    written = draw(failed, tmp_path)
    assert {path.name for path in written} == {f"frontier.{suffix}" for suffix in ("pdf", "png", "csv", "md", "tex")}
    table = pd.read_csv(tmp_path / "frontier.csv")
    assert len(table) == len(SETTINGS) * 7 * 2
    text = (tmp_path / "frontier.md").read_text()
    assert text.count("\n| ") == 2 * (1 + 1 + 7)
    assert "–" in next(line for line in text.splitlines() if line.startswith("| vem"))
    latex = (tmp_path / "frontier.tex").read_text()
    assert latex.count(r"\begin{table}") == latex.count(r"\end{table}") == 2
    rows = [line for line in latex.splitlines() if line.endswith(r"\\")]
    assert {line.count(" & ") for line in rows} == {len(SETTINGS)}
