"""How many topics: stability against brute force, and what is written of made-up records."""

from itertools import permutations

import numpy as np
import pytest

from experiments.choose_k import draw, elsewhere, matched_cosine, with_stability
from gdmbench.exhibits.report import read_source
from gdmbench.exhibits.report.advice import advice_data
from gdmbench.records.frame import to_frame

WORDS = "abcdefgh"
FILES = {"choose_k.pdf", "choose_k.png", "choose_k.md", "choose_k.csv", "advice.json"}


def topics(*rows):
    return [[[word, float(p)] for word, p in zip(WORDS, row, strict=False) if p] for row in rows]


def record(made_up_record, value, repetition, experiment="choose_k_sweep", method="tgdm", **more):
    cell = {"experiment": experiment, "method": method, "axis": "model.n_topics", "value": value}
    return made_up_record(**cell, repetition=repetition, **more)


def test_the_matched_cosine_is_the_best_over_all_matchings():
    rng = np.random.default_rng(0)
    a, b = rng.random((4, 8)), rng.random((4, 8))
    cosines = (a @ b.T) / np.outer(np.linalg.norm(a, axis=1), np.linalg.norm(b, axis=1))
    best = max(np.mean([cosines[i, j] for i, j in enumerate(order)]) for order in permutations(range(4)))
    assert matched_cosine(topics(*a), topics(*b)) == pytest.approx(best)
    assert matched_cosine(topics(*a), topics(*a[::-1])) == pytest.approx(1)
    assert matched_cosine(topics([1, 0]), topics([0, 1])) == 0


def completed(log_likelihoods):
    return {"completion": {"log_likelihoods": log_likelihoods.tolist(), "tokens": [100.0] * len(log_likelihoods)}}


@pytest.fixture
def frame(made_up_record):
    """Completion is best at 5, coherence peaks at 5, topics are the same in all repetitions up to 5."""
    rng = np.random.default_rng(1)
    rows = []
    for value in (2, 5, 10, 20):
        for repetition in range(4):
            found = np.eye(8)[[k % 8 for k in range(value)]] if value <= 5 else rng.dirichlet([0.1] * 8, value)
            rows.append(
                record(
                    made_up_record,
                    value,
                    repetition,
                    completion=500 + 100 * max(0, 5 - value) + 0.01 * value,
                    extra=completed(-600 - 10 * max(0, 5 - value) - 0.1 * value + rng.normal(0, 0.1, 50)),
                    coherence=0.5 - 0.05 * abs(value - 5),
                    diversity=1 / value,
                    fit_seconds=0.1 * value,
                    top_words=topics(*found),
                )
            )
    for repetition in range(4):
        rows.append(record(made_up_record, None, repetition, "choose_k_found", "cosac", n_topics=6, label="CoSAC"))
    return to_frame(rows)


def test_every_other_way_of_looking_has_its_number(frame):
    sweep = with_stability(frame[frame["experiment"] == "choose_k_sweep"])
    assert sweep.loc[sweep["value"] == 5, "stability"].tolist() == pytest.approx([1, 1, 1, 1])
    assert sweep.loc[sweep["value"] == 20, "stability"].max() < 0.9
    found = dict(elsewhere(sweep, frame[frame["experiment"] == "choose_k_found"]))
    assert found == {
        "the highest coherence": 5,
        "the most topics that are nearly as stable as the most stable": 5,
        "found by CoSAC, the median over repetitions": 6,
    }


def test_the_figure_and_the_table_are_written(frame, tmp_path, capsys, unsaved_figures):
    written = draw(frame, tmp_path)
    assert {path.name for path in written} == FILES
    said = capsys.readouterr().out
    assert said.startswith("Ask for 5 topics: they predict unseen words best. Of the numbers tried, 2 or fewer")
    page = (tmp_path / "choose_k.md").read_text()
    for part in (said.strip(), "found by CoSAC", "the best"):
        assert part in page


def test_the_page_gets_the_sentence_and_the_stability_of_each_number(frame, tmp_path, capsys, unsaved_figures):
    draw(frame, tmp_path)
    (advice,) = advice_data([read_source(tmp_path)])
    assert advice["advice"] == capsys.readouterr().out.strip()
    (heads, *rows), (_, *beside) = advice["tables"]
    stability = {int(row[0]): row[heads.index("stability of its topics")] for row in rows}
    assert list(stability) == [2, 5, 10, 20]
    assert stability[2] == stability[5] == "1.00"
    assert float(stability[20]) < 0.9
    assert ["the most topics that are nearly as stable as the most stable", "5"] in beside


def test_records_without_words_have_no_stability(made_up_record, tmp_path, unsaved_figures):
    rows = [
        record(made_up_record, value, r, completion=100.0 - value, top_words=None, extra=completed(np.full(9, -value)))
        for value in (2.0, 5.0)
        for r in (0, 1)
    ]
    assert draw(to_frame(rows), tmp_path)
    assert "stable" not in (tmp_path / "choose_k.md").read_text()
    assert draw(to_frame([]), tmp_path) == []
