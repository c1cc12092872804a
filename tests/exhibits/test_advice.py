"""The advice on a user's corpus on the page."""

import json

import pytest

from gdmbench.exhibits.report import read_source
from gdmbench.exhibits.report.advice import advice_data
from gdmbench.exhibits.report.page import page_text, report_data

ADVICE = {
    "advice": "Ask for 5 topics: <they> predict unseen words best.",
    "tables": [[["number of topics", "stability"], ["5", "1.00"], ["</script>", "0.80"]]],
    "note": "± is one standard error.",
}


def test_the_page_has_what_the_file_tells(tmp_path):
    (tmp_path / "advice.json").write_text(json.dumps(ADVICE))
    (tmp_path / "config.yaml").write_text("name: choose_k\n")
    source = read_source(tmp_path)
    assert advice_data([source]) == [{"exhibit": "choose_k", **ADVICE}]
    assert "</script>" not in page_text(report_data([source], tmp_path)).partition('id="data">')[2].partition("</")[0]


@pytest.mark.parametrize("content", ["", "[]", "{}", json.dumps(ADVICE | {"tables": [1]}), '{"advice": 1}'])
def test_a_file_of_another_form_is_left_out(tmp_path, content):
    (tmp_path / "advice.json").write_text(content)
    assert advice_data([read_source(tmp_path)]) == []


def test_a_folder_without_advice_gives_none(tmp_path):
    assert advice_data([read_source(tmp_path)]) == []
