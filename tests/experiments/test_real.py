"""The tables of real text, of made-up records."""

from experiments.real import draw
from gdmbench.records.frame import to_frame


def test_the_tables_have_the_agreement_with_labels_where_there_are_any(made_up_record, tmp_path, unsaved_figures):
    completed = {"completion": {"log_likelihoods": [-700.0, -650.0], "tokens": [100.0, 100.0]}}
    rows = [
        made_up_record(
            experiment=experiment,
            method=method,
            axis="model.n_topics",
            value=20,
            repetition=repetition,
            completion=900.0,
            fit_cpu_seconds=2.0,
            extra=completed,
            label_agreement=agreement,
        )
        for repetition, agreements in enumerate([(0.25, 0.5), (0.35, 0.5)])
        for experiment in ("real_newsgroups", "real_nips")
        for method, agreement in zip(
            ("gdm", "gibbs"), agreements if experiment == "real_newsgroups" else (None, None), strict=True
        )
    ]
    draw(to_frame(rows), tmp_path)
    newsgroups, nips = (tmp_path / "real.md").read_text().split("## ")[1:]
    assert _column(newsgroups, "agreement with labels") == ["0.300", "0.500"]
    assert _column(nips, "agreement with labels") == ["–", "–"]


def _column(text, head):
    heads, _, *rows = ([cell.strip() for cell in line.split("|")] for line in text.splitlines() if "|" in line)
    return [row[heads.index(head)] for row in rows]
