"""Canonical records: order, values, labels, and measures of failed cells."""

import numpy as np
import pandas as pd
import pytest

from gdmbench.exhibits.frame import are_numbers, labels_of, sorted_values, swept_values, tidy, value_text


def test_order_does_not_depend_on_which_cell_ended_first(make_records):
    records = make_records(values=(100, 1000), repetitions=3)
    shuffled = records.sample(frac=1, random_state=3)
    pd.testing.assert_frame_equal(tidy(records), tidy(shuffled))
    assert list(tidy(records)["method"].unique()) == ["gdm", "tgdm", "vem", "gibbs", "recover_kl"]


def test_measures_of_a_failed_cell_do_not_count(make_records):
    records = make_records(values=(100,))
    records.loc[0, "status"] = "crashed"  # yet with a number in mm_distance
    assert tidy(records)["mm_distance"].isna().sum() == 1


def test_measures_may_come_as_objects_with_none(make_records):
    records = make_records(values=(100,))
    records["mm_distance"] = records["mm_distance"].astype(object)
    records.loc[2, "mm_distance"] = None
    assert tidy(records)["mm_distance"].dtype == float
    assert tidy(records)["mm_distance"].isna().sum() == 1


def test_values_are_numbers_where_they_can_be():
    frame = pd.DataFrame({"method": "gdm", "value": [10, "2", 3.5, np.nan, [50, 1500], True, np.int64(7)]})
    assert swept_values(frame) == [None, 2, 3.5, 7, 10, "True", "[50, 1500]"]
    assert list(tidy(frame)["value"]) == [None, 2, 3.5, 7, 10, "True", "[50, 1500]"]


def test_strings_sort_by_the_numbers_inside_them():
    ranges = ["[1000, 2000]", "[50, 1500]", "[50, 200]"]
    assert sorted_values(ranges) == ["[50, 200]", "[50, 1500]", "[1000, 2000]"]
    assert not are_numbers(ranges)


@pytest.mark.parametrize(
    ("value", "text"), [(15000, "15000"), (0.1, "0.1"), (1000.0, "1000"), (1e9, "1e+09"), (None, ""), ("a", "a")]
)
def test_value_text(value, text):
    assert value_text(value) == text


def test_labels_fall_back_to_names_and_are_never_shared():
    frame = pd.DataFrame({"method": ["gdm", "mine", "other"], "label": ["GDM", "GDM", None]})
    assert labels_of(frame) == {"gdm": "GDM (gdm)", "mine": "GDM (mine)", "other": "other"}


def test_records_without_methods_are_refused():
    with pytest.raises(ValueError, match="column 'method'"):
        tidy(pd.DataFrame({"value": [1]}))
