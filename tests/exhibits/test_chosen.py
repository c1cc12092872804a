"""The chosen model of a user's corpus on the page."""

import json

import pytest

from gdmbench.exhibits.report import read_source
from gdmbench.exhibits.report.chosen import chosen_data
from gdmbench.exhibits.report.page import page_text, report_data

CHOSEN = {
    "label": "refined <GDM>",
    "at": "model.n_topics=2",
    "documents": 3,
    "dropped": 1,
    "topics": [
        {"size": 0.75, "words": [["cat", 0.6], ["</script>", 0.4]], "documents": [["a", 0.9, "The cat"]]},
        {"size": 0.25, "words": [["sun", 1.0]], "documents": [["c", 1.0, ""]]},
    ],
    "groups": [["old", 2, [0.7, 0.3]], ["new", 1, [0.9, 0.1]]],
}


def test_the_page_has_what_the_file_tells(tmp_path):
    (tmp_path / "chosen.json").write_text(json.dumps(CHOSEN))
    source = read_source(tmp_path)
    (model,) = chosen_data([source])
    assert model == {**CHOSEN, "at": "K = 2"}
    assert "</script>" not in page_text(report_data([source], tmp_path)).partition('id="data">')[2].partition("</")[0]


@pytest.mark.parametrize("content", ["", "[]", "{}", json.dumps(CHOSEN | {"topics": [1]}), '{"at": 1}'])
def test_a_file_of_another_form_is_left_out(tmp_path, content):
    (tmp_path / "chosen.json").write_text(content)
    assert chosen_data([read_source(tmp_path)]) == []


def test_no_word_of_the_paper_stands_over_a_corpus_of_one_s_own(tmp_path):
    (tmp_path / "chosen.json").write_text(json.dumps(CHOSEN))
    (tmp_path / "config.yaml").write_text("name: corpus\ntitle: My texts\nscale: quick\n")
    data = report_data([read_source(tmp_path)], tmp_path)
    assert data["quick"]
    assert data["claims"] == []
    told = json.dumps({name: data[name] for name in ("title", "chosen", "notes", "exhibits")})
    assert "paper" not in told
    assert "its sizes prove nothing" in told
