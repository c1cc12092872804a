"""Canonical records: order, values, labels, and measures of failed cells."""

import numpy as np
import pandas as pd
import pytest

from gdmbench.records.frame import are_numbers, numbers_in, sorted_values, swept_values, to_frame, value_text
from gdmbench.records.record import COLUMNS, NUMBERS


@pytest.fixture
def records(made_up_record):
    return [
        made_up_record(method=method, axis="data.n_docs", value=value, repetition=repetition, mm_distance=0.1)
        for method in ("gdm", "gibbs")
        for value in (100, 1000)
        for repetition in range(3)
    ]


def test_order_does_not_depend_on_which_cell_ended_first(records):
    shuffled = [records[index] for index in np.random.default_rng(3).permutation(len(records))]
    frame = to_frame(shuffled)
    pd.testing.assert_frame_equal(frame, to_frame(records))
    assert frame[["value", "method", "repetition"]].to_numpy().tolist()[:4] == [
        [100, "gdm", 0],
        [100, "gdm", 1],
        [100, "gdm", 2],
        [100, "gibbs", 0],
    ]


def test_measures_of_a_failed_cell_do_not_count(records):
    records[0]["status"] = "crashed"  # yet with a number in mm_distance
    assert to_frame(records)["mm_distance"].isna().sum() == 1


def test_measures_are_floats_whatever_they_come_as(records):
    records[2]["mm_distance"] = None
    records[3]["mm_distance"] = "a word"
    assert to_frame(records)["mm_distance"].dtype == float
    assert to_frame(records)["mm_distance"].isna().sum() == 2
    assert numbers_in(to_frame(records)) == ["mm_distance"]


def test_columns_that_records_lack_are_empty_and_others_are_kept():
    for rows in ([], [{}], [{"method": "gdm", "novelty": 0.5}]):
        frame = to_frame(rows)
        assert list(frame.columns)[: len(COLUMNS)] == [column.name for column in COLUMNS]
        assert len(frame) == len(rows)
        assert {str(frame[name].dtype) for name in NUMBERS} == {"float64"}
    assert frame["novelty"].tolist() == [0.5]


def test_values_are_numbers_where_they_can_be():
    frame = to_frame([{"value": value} for value in (10, "2", 3.5, np.nan, [50, 1500], True, np.int64(7))])
    assert swept_values(frame) == [None, 2, 3.5, 7, 10, "True", "[50, 1500]"]
    assert list(frame["value"]) == [None, 2, 3.5, 7, 10, "True", "[50, 1500]"]


def test_strings_sort_by_the_numbers_inside_them():
    ranges = ["[1000, 2000]", "[50, 1500]", "[50, 200]"]
    assert sorted_values(ranges) == ["[50, 200]", "[50, 1500]", "[1000, 2000]"]
    assert not are_numbers(ranges)


@pytest.mark.parametrize(
    ("value", "text"), [(15000, "15000"), (0.1, "0.1"), (1000.0, "1000"), (1e9, "1e+09"), (None, ""), ("a", "a")]
)
def test_value_text(value, text):
    assert value_text(value) == text


def labels(rows, given=None):
    frame = to_frame([{"experiment": e, "method": m, "label": label} for e, m, label in rows], given)
    return dict(zip(zip(frame["experiment"], frame["method"], strict=True), frame["label"], strict=True))


def test_labels_fall_back_to_names_and_are_never_shared():
    found = labels([("e", "gdm", "GDM"), ("e", "mine", "GDM"), ("e", "other", None)])
    assert list(found.values()) == ["GDM (gdm)", "GDM (mine)", "other"]


def test_a_method_has_one_label_in_an_experiment_and_may_have_another_in_the_next():
    rows = [("a", "gdm", "GDM"), ("b", "gdm", "GDM, weighted"), ("b", "gdm", "GDM, weighted")]
    assert labels(rows) == {("a", "gdm"): "GDM", ("b", "gdm"): "GDM, weighted"}
    assert set(labels(rows, {"gdm": "Mine"}).values()) == {"Mine"}
