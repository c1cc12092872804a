"""Means against pandas, and the long table against the records."""

import csv
import io
import json
import math

import numpy as np

from gdmbench.exhibits.summary import failure_notes, records_table, summarise
from gdmbench.exhibits.tables import csv_text
from gdmbench.records.frame import to_frame
from gdmbench.records.record import COLUMNS


def test_summary_agrees_with_pandas(make_frame):
    frame = make_frame()
    summary = summarise(frame)
    for measure in ("mm_distance", "perplexity", "fit_seconds"):
        expected = frame.groupby(["value", "method"])[measure].agg(["mean", "sem", "median", "min", "max", "count"])
        mine = summary[summary["measure"] == measure].set_index(["value", "method"]).loc[expected.index]
        np.testing.assert_allclose(
            mine[["mean", "se", "median", "min", "max", "repetitions"]].to_numpy(float), expected.to_numpy(float)
        )
    assert (summary["failed"] == 0).all()


def test_summary_counts_failures_and_leaves_their_numbers_out(make_frame, fail):
    frame = make_frame(values=(100, 1000))
    frame = fail(frame, (frame["method"] == "vem") & (frame["value"] == 1000))
    frame = fail(frame, (frame["method"] == "gibbs") & (frame["repetition"] < 2), "crashed", None)
    summary = summarise(frame, ["mm_distance"]).set_index(["method", "value"])
    assert summary.loc[("vem", 1000), ["repetitions", "failed"]].tolist() == [0, 5]
    assert math.isnan(summary.loc[("vem", 1000), "mean"])
    assert summary.loc[("gibbs", 100), ["repetitions", "failed"]].tolist() == [3, 2]


def test_one_repetition_has_no_error_and_infinity_is_not_hidden(make_frame):
    frame = make_frame(values=(100,), repetitions=1)
    assert summarise(frame)["se"].isna().all()
    frame = make_frame(values=(100,), repetitions=3)
    frame.loc[0, "perplexity"] = math.inf
    row = summarise(frame, ["perplexity"]).set_index("method").loc["gdm"]
    assert math.isinf(row["mean"])
    assert math.isnan(row["se"])


def test_measures_without_any_number_are_left_out(make_frame):
    frame = make_frame(values=(5, 10), axis="data.n_topics").assign(mm_distance=np.nan)
    assert "mm_distance" not in set(summarise(frame)["measure"])


def test_users_own_measure_can_be_summarised(make_frame):
    frame = make_frame(values=(100,)).assign(coherence=0.5)
    assert (summarise(frame, ["coherence"])["mean"] == 0.5).all()


def test_records_table_is_flat_and_reads_back_to_the_same_bits(make_frame, fail):
    frame = make_frame(values=(100, 1000))
    frame = fail(frame, frame["method"] == "vem")
    table = records_table(frame)
    rows = list(csv.DictReader(io.StringIO(csv_text(table))))
    assert json.loads(rows[0]["data"]) == {"anchors": False, "eta": 0.1, "n_docs": 1000}
    assert rows[0]["params"] == '{"n_restarts":10,"nested":{"b":[1,2]}}'
    assert {row["n_topics"] for row in rows} == {"5", ""}
    numbers = [float(row["mm_distance"] or "nan") for row in rows]
    np.testing.assert_array_equal(numbers, table["mm_distance"])
    assert len(rows) == len(frame)


def test_methods_come_in_the_papers_order_and_columns_in_the_records(make_frame):
    frame = make_frame(values=(1000, 100), repetitions=1, methods=("zzz", "recover_kl", "gdm"))
    table = records_table(frame)
    assert table[["value", "method"]].to_numpy().tolist() == [
        [value, method] for value in (100, 1000) for method in ("gdm", "recover_kl", "zzz")
    ]
    assert list(table.columns) == [column.name for column in COLUMNS]
    assert list(summarise(frame, ["perplexity"])["method"]) == ["gdm", "recover_kl", "zzz"] * 2


def test_failures_are_told_even_of_records_without_a_status():
    frame = to_frame([{"method": "gdm"}, {"method": "gdm", "status": "crashed", "error": "boom"}])
    assert failure_notes(frame) == [
        "gdm: 1 of 2 failed, crashed (boom)",
        "gdm: 1 of 2 failed, without a status",
    ]
    assert summarise(frame).empty
    assert len(records_table(frame)) == 2
