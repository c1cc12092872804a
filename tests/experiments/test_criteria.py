"""What the exhibits share: settings, names of ratios, and statements that must all be true."""

import pytest

from experiments.criteria import less_jointly, name, of, ratio_of_values, setting
from gdmbench.exhibits.estimates import NOTHING, Estimate


def test_a_setting_is_what_the_records_say(world):
    assert setting(of(world, "vary_N"), "doc_length", "n_docs", "alpha") == r"$N_m = 50$, $M = 1000$, $\alpha = 0.1$"
    assert setting(of(world, "vary_N").assign(data=None), "n_docs") == ""
    assert setting(of(world.iloc[:0], "vary_N"), "n_docs") == ""


def test_a_ratio_is_named_by_the_papers_names():
    assert name("mm_distance", "tgdm", "vem", "in vary_N") == "MM tGDM / VEM in vary_N"
    assert name("perplexity", "gdm", "gdm_unweighted") == "perplexity GDM / unweighted GDM"
    assert name("fit_seconds", "gdm", "gibbs") == "time GDM / Gibbs"


def test_many_statements_are_confirmed_one_by_one_but_refuted_together():
    inside, outside, open_ = Estimate(0.8, 0.7, 0.9, 5), Estimate(1.2, 1.1, 1.3, 5), Estimate(1.2, 0.9, 1.5, 5)
    assert less_jointly(inside, open_) == "reproduced"
    assert less_jointly(outside, open_) == "not enough evidence"
    assert less_jointly(outside, outside) == "not reproduced"
    assert less_jointly(NOTHING, NOTHING) == "not enough evidence"


def test_values_of_one_sweep_are_paired_where_the_documents_are_the_same(made_up_frame):
    frame = made_up_frame(
        {"value": value, "repetition": r, "mm_distance": base * factor}
        for r, base in enumerate([1.0, 100.0, 0.01])  # repetitions differ far more than values
        for value, factor in ((0.0, 1.0), (0.5, 1.1 + 0.001 * r))
    )
    found = ratio_of_values(frame, "mm_distance", "gdm", 0.5, 0)
    assert found.value == pytest.approx(1.101, rel=1e-4)
    assert found.within(1.09, 1.11) == "reproduced"
