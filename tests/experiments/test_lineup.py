"""The line-up: scores by data set, ranks on a page, a figure for each family."""

import itertools

import numpy as np
import pandas as pd
import pytest

from experiments.lineup import FAMILIES, draw, scores_of
from gdmbench.records.frame import to_frame


@pytest.fixture
def records():
    """Two values of each part, three methods of which the first is best and the last fails once."""
    rows = []
    for parts, measure in FAMILIES.values():
        for part, value, (size, method), repetition in itertools.product(
            parts, (1, 2), enumerate(("gdm", "plsa", "spoc")), (0, 1)
        ):
            row = {"experiment": part, "value": value, "method": method, "label": method.upper(), "status": "ok"}
            rows.append(
                {**row, "axis": "data.n_docs", "repetition": repetition, measure: 1.0 + size + 0.1 * repetition}
            )
    failed = next(row for row in rows if row["method"] == "spoc" and row["experiment"] == "lineup_N")
    failed.update(status="error", mm_distance=None)
    return to_frame(rows)


def test_a_score_is_the_mean_over_repetitions_and_none_where_one_failed(records):
    scores = scores_of(records, "sweeps")
    assert scores.shape == (8, 3)
    assert scores.loc[("lineup_M", 1), "plsa"] == pytest.approx(2.05)
    assert scores["spoc"].isna().sum() == 1
    assert scores_of(records, "real")["gdm"].tolist() == pytest.approx([1.05] * 4)


def test_figures_and_ranks_are_written(records, tmp_path, unrendered_figures):
    written = draw(records, tmp_path)
    stems = {path.stem for path in written}
    assert stems == {"lineup", *(f"lineup_{family}" for family in FAMILIES)}
    table = pd.read_csv(tmp_path / "lineup.csv")
    assert table["method"].tolist() == ["gdm", "plsa", "spoc"]
    np.testing.assert_allclose(table["all"], [1, 2, 3])
    page = (tmp_path / "lineup.md").read_text()
    assert "| critical difference |" in page
    assert "Friedman's test that all methods are alike: p < 0.000001." in page


def test_part_of_the_records_gives_part_of_the_table(records, tmp_path, unrendered_figures):
    some = records[records["experiment"] == "lineup_nips"]
    draw(some, tmp_path)
    assert pd.read_csv(tmp_path / "lineup.csv").columns.tolist() == ["method", "all", "real"]
    assert draw(records[:0], tmp_path / "none") == []
