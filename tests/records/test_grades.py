"""How near a recomputed measure is to its record."""

import pytest

from gdmbench.records.tolerances import grade_measures, worst

GIBBS = {"_target_": "baselines.gibbs.CollapsedGibbs"}
FROM_TOPICS = {**GIBBS, "init": {"_target_": "gdmbench.GDM"}}
GDM, TGDM = {"_target_": "gdmbench.GDM"}, {"_target_": "gdmbench.TunedGDM"}


@pytest.mark.parametrize(
    ("params", "then", "now", "grade"),
    [
        (GDM, 0.5, 0.5, "same bits"),
        (GDM, None, None, "same bits"),
        (GDM, 0.0, 0.0, "same bits"),
        (GDM, 0.5, 0.5 * (1 + 2e-7), "rounding"),
        (GDM, -0.5, -0.5 * (1 + 2e-7), "rounding"),
        (GDM, 0.5, 0.5 * (1 + 2e-6), "other"),
        (GDM, 0.5, -0.5, "other"),
        (TGDM, 0.5, 0.5 * (1 + 2e-6), "between machines"),
        (TGDM, 0.5, 0.51, "other"),
        (GIBBS, 0.5, 0.51, "other"),
        (FROM_TOPICS, 0.5, 0.52, "between machines"),
        (FROM_TOPICS, 0.5, 0.53, "other"),
        (GDM, 0.5, None, "other"),
        (GDM, None, 0.5, "other"),
        (TGDM, float("nan"), 0.5, "other"),
        (TGDM, "0.5", 0.5, "other"),
    ],
)
def test_a_measure_has_one_of_four_grades(params, then, now, grade):
    graded = grade_measures({"params": params, "perplexity": then}, {"perplexity": now})
    assert graded == {"perplexity": (then, now, grade)} or then != then
    assert worst(graded) == grade


def test_a_measure_that_is_younger_than_the_record_is_not_graded_nor_are_times():
    record = {"params": GDM, "perplexity": 1.0, "fit_seconds": 1.0}
    assert grade_measures(record, {"perplexity": 1.0, "total_variation": 2.0, "fit_seconds": 3.0}).keys() == {
        "perplexity"
    }


def test_the_worst_measure_is_the_cell_s_grade_and_no_measure_agrees_with_nothing():
    record = {"params": GDM, "perplexity": 1.0, "loss": 1.0, "mm_distance": 1.0}
    assert worst(grade_measures(record, {"perplexity": 1.0, "loss": 1.0 + 1e-9, "mm_distance": 1.0})) == "rounding"
    assert worst(grade_measures({"params": GDM}, {"perplexity": 1.0})) == "other"
