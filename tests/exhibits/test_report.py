"""The report without a browser: what goes into the page, what can't get out of it, and that it never spoils a run."""

import base64
import hashlib
import json
import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from omegaconf import OmegaConf

from gdmbench.config.compose import load_config
from gdmbench.errors import ConfigError
from gdmbench.exhibits.claims import Claim, judge_claims
from gdmbench.exhibits.claims_files import write_claims
from gdmbench.exhibits.digits import format_mean
from gdmbench.exhibits.estimates import Estimate
from gdmbench.exhibits.findings import Part, all_hold, judged
from gdmbench.exhibits.report import Source, read_source, read_sources, write_report
from gdmbench.exhibits.report.about import failures_data, notes_data, runs_data
from gdmbench.exhibits.report.corpora import topic_map, topics_data
from gdmbench.exhibits.report.evidence import claims_data, exhibits_data
from gdmbench.exhibits.report.overview import overall_data, ratios_to_best
from gdmbench.exhibits.report.page import json_text, page_text, report_data
from gdmbench.exhibits.report.sweeps import sweeps_data
from gdmbench.exhibits.summary import records_table, summarise
from gdmbench.exhibits.tables import csv_text
from gdmbench.exhibits.topics import match_topics
from gdmbench.records.frame import to_frame

REFERENCE = Path(__file__).parents[2] / "results" / "reference"
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"


@pytest.fixture
def source(make_frame, tmp_path):
    def make(frame=None, claims=None, **known):
        frame = make_frame(values=(100, 1000), repetitions=3) if frame is None else frame
        claims = pd.DataFrame() if claims is None else claims
        return replace(Source(tmp_path, "vary_M", "Growing number", frame, claims, []), **known)

    return make


def data_of(path):
    """The JSON that a page carries, as the browser reads it."""
    text = path.read_text("utf-8")
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, flags=re.S)[1])


def scripts_of(text):
    return re.findall(r"<script>(.*?)</script>", text, flags=re.S)


def test_one_file_holds_everything_and_asks_for_nothing(source, tmp_path):
    text = write_report([source()], tmp_path / "report.html").read_text("utf-8")
    page = re.sub(r"<script.*?</script>", "", text, flags=re.S)
    assert not re.findall(r"\bsrc=|@import|url\(", page)
    assert re.findall(r'href="([^"#][^"]*)"', page) == ["data:,"]  # the icon, which is empty


def test_no_script_runs_but_those_whose_digests_the_policy_names(source, tmp_path):
    text = write_report([source()], tmp_path / "report.html").read_text("utf-8")
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)[1].replace("&#39;", "'")
    digests = {base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts_of(text)}
    assert set(re.findall(r"'sha256-([^']*)'", policy)) == digests
    assert len(digests) == 3
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "connect-src" not in policy  # so that the default, nothing, holds for requests
    assert "unsafe-eval" not in policy


def test_hostile_texts_stay_texts(source, make_frame, fail, tmp_path):
    frame = make_frame(values=(100, HOSTILE), methods=("gdm", "vem"), experiment=HOSTILE, labels={"gdm": HOSTILE})
    frame = fail(frame, (frame["method"] == "vem") & (frame["repetition"] == 1), error=HOSTILE)
    frame["top_words"] = pd.Series([[[[HOSTILE, 0.5], ["b", 0.1]]]] * len(frame), dtype=object)
    claims = pd.DataFrame({"id": [HOSTILE], "claim": [HOSTILE], "verdict": [HOSTILE], "numbers": ["[1]"]})
    runs = [{"command": ["python", HOSTILE], "cpu": HOSTILE, "packages": {HOSTILE: HOSTILE}}]
    path = write_report([source(frame, claims, title=HOSTILE, runs=runs)], tmp_path / "report.html")
    text = path.read_text("utf-8")
    assert len(scripts_of(text)) == 3
    assert "<img" not in text
    data = data_of(path)
    assert data["title"] == data["sweeps"][0]["title"] == data["claims"][0]["claim"] == HOSTILE
    assert data["topics"][0]["words"] == [HOSTILE, "b"]
    assert data["failures"][0]["error"] == HOSTILE
    assert re.fullmatch(r"[\w.-]+", data["sweeps"][0]["id"])
    assert [value["text"] for value in data["sweeps"][0]["values"]] == ["100", HOSTILE]


@pytest.mark.parametrize("text", ["</script>", "<!--", "]]>", "\u2028", "\ud800", "&lt;", "'\"`${}"])
def test_json_in_the_page_reads_back(text):
    written = json_text({text: [text]})
    assert json.loads(written) == {text: [text]}
    assert not set("<>&\u2028") & set(written)
    written.encode("ascii")


def test_the_numbers_of_a_sweep_are_those_of_the_records_and_of_the_summary(source, make_frame, fail, tmp_path):
    frame = make_frame(values=(100, 1000), repetitions=3)
    frame.loc[3, "perplexity"] = math.inf
    frame.loc[4, "perplexity"] = math.nan
    frame = fail(frame, (frame["method"] == "vem") & (frame["repetition"] == 1))
    (sweep,) = sweeps_data([source(frame)], tmp_path)
    summary = summarise(frame).set_index(["measure", "method", "value"])
    shown = 0
    for measure, points in sweep["points"].items():
        for point in points:
            at = (point["method"], sweep["numbers"][point["value"]])
            mine = frame[(frame["method"] == at[0]) & (frame["value"] == at[1])].dropna(subset=[measure])
            assert point["repetitions"] == list(mine["repetition"])
            assert [float(x) for x in point["numbers"]] == list(mine[measure])
            expected = summary.loc[measure, *at]
            assert (point["n"], point["failed"]) == (expected["repetitions"], expected["failed"])
            assert point["text"] == format_mean(expected["mean"], expected["se"])
            for name in ("mean", "se", "median", "min", "max"):
                number = math.nan if point[name] is None else float(point[name])
                assert number == pytest.approx(expected[name], nan_ok=True)
            shown += 1
    assert shown == len(summary)
    assert (sweep["cells"], sweep["failed"]) == (len(frame), 2)
    assert (sweep["axis"]["name"], sweep["scale"]) == ("number of documents M", "linear")
    json_text(sweep)


def test_the_rate_of_a_sweep_falls_as_the_paper_says(source, tmp_path):
    assert sweeps_data([source()], tmp_path)[0]["rate"] is None
    (sweep,) = sweeps_data([source(rate=True)], tmp_path)
    first, last = sweep["rate"]["line"][0], sweep["rate"]["line"][-1]
    assert (first["x"], last["x"]) == pytest.approx((100, 1000))
    assert last["y"] / first["y"] == pytest.approx(math.sqrt(math.log(1000) / 1000 / (math.log(100) / 100)))
    starts = [point["mean"] for point in sweep["points"]["mm_distance"] if point["value"] == 0]
    assert first["y"] == pytest.approx(math.prod(starts) ** (1 / len(starts)))
    assert sweep["rate"]["words"].endswith("geometric mean at M = 100.")


def _point(method, value, numbers, failed=0):
    return {"method": method, "value": value, "numbers": numbers, "failed": failed}


def test_ratios_to_the_best_are_geometric_means():
    points = [
        *(_point("gdm", 0, [2.0, 8.0]), _point("vem", 0, [1.0, 1.0]), _point("gibbs", 0, [], 2)),
        *(_point("gdm", 1, [3.0]), _point("vem", 1, [27.0]), _point("gibbs", 1, [0.0])),
    ]
    found = ratios_to_best(points)
    assert found["gdm"] == {"ratio": pytest.approx(2.0), "points": 2, "failed": 0}  # of 4 and 1
    assert found["vem"] == {"ratio": pytest.approx(3.0), "points": 2, "failed": 0}  # of 1 and 9
    assert found["gibbs"] == {"ratio": None, "points": 0, "failed": 2}  # no logarithm of 0


def test_ratios_are_averaged_over_sweeps_that_have_all_methods_of_at_least_half_of_them():
    def sweep(ident, **ratios):
        both = {method: {"ratio": ratio} for method, ratio in ratios.items()}
        return {"id": ident, "ratios": {"mm_distance": both, "fit_seconds": both}}

    sweeps = [sweep("a", gdm=2, vem=1), sweep("b", gdm=8, vem=4, gibbs=1), sweep("c", gdm=1), sweep("d", vem=None)]
    marks = overall_data(sweeps)["fit_seconds"]["mm_distance"]
    assert marks == [
        {"method": "gdm", "x": pytest.approx(4.0), "y": pytest.approx(4.0), "sweeps": 2},
        {"method": "vem", "x": pytest.approx(2.0), "y": pytest.approx(2.0), "sweeps": 2},
    ]
    apart = [sweep("a", gdm=2), sweep("b", gdm=8), sweep("c", vem=1), sweep("d", vem=1)]
    assert [mark["method"] for mark in overall_data(apart)["fit_seconds"]["mm_distance"]] == ["gdm"]


def test_a_sweep_without_numbers_or_axis(source, make_frame, tmp_path):
    even, one = (make_frame(axis=axis, values=values) for axis, values in (("data.x", ("a", "b")), (None, (None,))))
    (words,) = sweeps_data([source(even)], tmp_path)
    assert (words["numbers"], words["scale"]) == (None, "even")
    (single,) = sweeps_data([source(one)], tmp_path)
    assert (single["values"], single["scale"], single["axis"]["key"]) == ([{"text": "", "tex": ""}], "one", None)


def test_the_same_experiment_twice_has_two_addresses(source, tmp_path):
    sweeps = sweeps_data([source(), source()], tmp_path)
    assert [sweep["id"] for sweep in sweeps] == ["vary_M", "vary_M-again"]


def test_pdfs_beside_the_page_are_linked_relative_to_it(source, tmp_path):
    folder = tmp_path / "a b#c" / "vary_M"
    folder.mkdir(parents=True)
    for name in ("mm_distance", "perplexity", "topics"):
        (folder / f"{name}.pdf").touch()
    (sweep,) = sweeps_data([source(folder=folder)], tmp_path)
    assert sweep["files"]["mm_distance"] == "./a%20b%23c/vary_M/mm_distance.pdf"
    assert set(sweep["files"]) == {"mm_distance", "perplexity"}


def _judge(frame):
    bare = Part("bare", Estimate(0.5, -math.inf, math.inf, 1, 2), "not enough evidence")
    return all_hold([judged("a / b", Estimate(1.4, 1.3, 1.6, 30), least=0.8, most=1.25)], bare)


CLAIM = Claim("near", "a is near b", "Fig. 2", _judge, "within 1.25", "it is not")


def test_estimates_come_with_their_limits(source, tmp_path):
    write_claims(judge_claims([CLAIM], to_frame([])), tmp_path)
    (claim,) = claims_data([read_source(tmp_path)])
    assert (claim["verdict"], claim["reason"], claim["exhibit"]) == ("not reproduced", "it is not", tmp_path.name)
    first, bare = claim["estimates"]
    assert first == {"name": "a / b", "value": 1.4, "low": 1.3, "high": 1.6, "n": 30, "missing": 0} | {
        "least": 0.8,
        "most": 1.25,
        "outcome": "not reproduced",
    }
    assert (bare["low"], bare["high"], bare["missing"]) == (None, None, 2)
    assert (bare["least"], bare["most"], bare["outcome"]) == (None, None, "not enough evidence")


def test_claims_of_before_limits_were_kept_and_with_columns_to_come(source):
    rows = {"id": ["x"], "claim": ["c"], "verdict": ["reproduced"], "numbers": ['{"a":[1,0.5,2,9,0]}']}
    rows |= {"confirmed": ["not reproduced"], "holds if": ["eta"], "sure of it": ["very"]}
    rows |= {"confirmed numbers": ['{"a":[1.1,0.9,1.3,99,0]}']}
    (claim,) = claims_data([source(claims=pd.DataFrame(rows))])
    assert (claim["confirmed"], claim["holds_if"]) == ("not reproduced", "eta")
    assert claim["others"] == {"sure of it": "very"}
    assert claim["estimates"][0] == {"name": "a", "value": 1, "low": 0.5, "high": 2, "n": 9, "missing": 0} | {
        "least": None,
        "most": None,
        "outcome": None,
        "confirmed": {"value": 1.1, "low": 0.9, "high": 1.3, "n": 99, "missing": 0},
    }


def test_a_claim_is_shown_once_by_its_own_exhibit_in_the_words_of_the_widest(source, tmp_path):
    def of(*idents, **known):
        return pd.DataFrame({"id": idents, "claim": idents, "verdict": "reproduced"} | known)

    runs = [{"sweep": "vary_M"}, {"sweep": "elsewhere"}]
    empty = to_frame([])
    whole = of("a", "b", "c", **{"holds if": "the start"})
    sources = [
        source(empty, whole, name="paper", runs=[*runs, {"sweep": "more"}]),
        source(empty, of("b", verdict="not enough evidence"), name="figure_2", runs=runs),
        source(),
    ]
    a, b, c = claims_data(sources)
    assert [(claim["id"], claim["exhibit"]) for claim in (a, b, c)] == [
        ("a", "paper"),
        ("b", "figure_2"),
        ("c", "paper"),
    ]
    assert (b["verdict"], b["holds_if"]) == ("reproduced", "the start")
    assert b["others"] == {"judged otherwise in figure_2": "not enough evidence"}
    assert a["others"] == {}
    exhibits = exhibits_data(sources, sweeps_data(sources, tmp_path))
    assert exhibits["figure_2"]["sweeps"] == ["vary_M"]
    assert exhibits["figure_2"]["command"] == "python -m gdmbench +experiment=figure_2"


def test_pictures_of_an_exhibit_are_inside_those_of_measures_are_not(source, tmp_path):
    for name in ("mm_distance", "topics", "figure_2"):
        (tmp_path / f"{name}.png").write_bytes(b"picture")
    (tmp_path / "huge.png").write_bytes(b"0" * 700_000)
    claims = pd.DataFrame({"id": ["a"]})
    pictures = exhibits_data([source(claims=claims)], [])["vary_M"]["pictures"]
    shown = [(picture["name"], base64.b64decode(picture["base64"])) for picture in pictures]
    assert shown == [("figure_2", b"picture")]


CAT, DOG, SUN = {"cat": 0.9, "pet": 0.1}, {"dog": 0.8, "pet": 0.2}, {"sun": 1.0}


def test_topics_are_matched_as_elsewhere(source, made_up_frame):
    found = {"gdm": [CAT, DOG], "vem": [SUN, DOG, CAT]}
    frame = made_up_frame(
        {"method": method, "value": 2, "axis": "model.n_topics", "top_words": [[*map(list, t.items())] for t in topics]}
        for method, topics in found.items()
    )
    (corpus,) = topics_data([source(frame)])
    (shown,) = corpus["shown"]
    assert (shown["rows"], shown["value"], corpus["symbol"]) == (3, "2", "K")
    matched = match_topics(found)
    for entry in shown["methods"]:
        for topic in entry["topics"]:
            words = {corpus["words"][word]: p for word, p in zip(topic["words"], topic["p"], strict=True)}
            assert matched[entry["method"]][topic["row"]] == words


def test_no_topics_where_words_have_no_names(source):
    assert topics_data([source()]) == []


def test_a_map_of_three_topics_keeps_their_hellinger_distances():
    """Three points fit into a plane exactly; the distances here are counted word by word."""
    at = topic_map([CAT, DOG, SUN])
    for i, a in enumerate((CAT, DOG, SUN)):
        for j, b in enumerate((CAT, DOG, SUN)):
            exact = sum((a.get(w, 0) ** 0.5 - b.get(w, 0) ** 0.5) ** 2 for w in {*a, *b}) ** 0.5
            assert np.linalg.norm(at[i] - at[j]) == pytest.approx(exact, abs=1e-7)


@pytest.mark.parametrize("topics", [[], [CAT], [CAT, CAT], [{}]])
def test_a_map_of_few_topics(topics):
    at = topic_map(topics)
    assert at.shape == (len(topics), 2)
    assert np.allclose(at, 0)


def test_failures_are_counted_by_their_sentence(make_frame, fail):
    frame = make_frame(values=(100, 1000), repetitions=3)
    frame = fail(frame, (frame["method"] == "vem") & (frame["value"] == 100))
    (failure,) = failures_data(frame)
    assert failure == {
        "experiment": "vary_M",
        "method": "VEM (gensim)",
        "at": "M = 100",
        "status": "timeout",
        "error": "no end after 60 s",
        "cells": 3,
    }


def test_notes_say_what_records_do_not_have_in_common(source, make_frame):
    frame = make_frame(values=(100,), methods=("gdm",), repetitions=3)
    versions = [{"gdmbench": "1", "cpu": "x"}, {"gdmbench": "2", "cpu": "x"}, {"gdmbench": "1", "cpu": "x"}]
    frame["versions"] = pd.Series(versions, dtype=object)
    notes = notes_data([source(frame, notes=["line 3 is damaged"])], frame)
    assert notes[:2] == ["line 3 is damaged", "The records were made with 2 versions of gdmbench: 2 by 1, 1 by 2."]
    assert notes[2] == "3 of 3 cells ran up to 2 at a time: compare their times with care."
    assert notes_data([], to_frame([])) == []


def test_each_class_has_source_files_of_its_own(make_frame):
    frame = make_frame(values=(100,), methods=("gdm", "vem"), repetitions=2)
    sources = {"gdm": iter("ab"), "vem": iter("cc")}
    frame["versions"] = pd.Series([{"source": next(sources[method])} for method in frame["method"]], dtype=object)
    frame["params"] = pd.Series([{"_target_": f"a.{method}"} for method in frame["method"]], dtype=object)
    assert notes_data([], frame)[0] == "The records were made with 2 versions of a.gdm's source files: 1 by a, 1 by b."


def test_runs_tell_their_command(source):
    runs = [{"command": ["python", "-m", "gdmbench", "sweep.values=[1, 2]"], "seconds": 3, "code": "1.0"}]
    (run,) = runs_data([source(runs=runs)])
    assert run["command"] == "python -m gdmbench 'sweep.values=[1, 2]'"
    assert (run["seconds"], run["cpu_seconds"], run["end"], run["packages"]) == (3.0, None, "", {})


def test_an_empty_page_and_one_of_failures_only(source, make_frame, fail, tmp_path):
    empty = report_data([], tmp_path)
    assert empty["cells"] == {"all": 0, "fine": 0, "failed": 0}
    assert "Results" in page_text(empty)
    frame = make_frame(values=(100,), repetitions=1)
    data = report_data([source(fail(frame, frame["method"] != ""))], tmp_path)
    assert (data["cells"]["failed"], data["sweeps"][0]["measures"]) == (5, [])
    page_text(data)


# ── reading folders ──


@pytest.fixture
def results(tmp_path, made_up_record):
    """Two results folders, the one later in the alphabet run first."""
    for name, start in (("b_first", "2026-01-01"), ("a_second", "2026-01-02")):
        folder = tmp_path / name
        folder.mkdir()
        records = [made_up_record(experiment=name, repetition=r, mm_distance=0.1) for r in range(3)]
        (folder / "records.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
        (folder / "provenance.json").write_text(json.dumps({"runs": [{"start": start, "command": ["x"]}]}))
    return tmp_path


def test_folders_come_in_the_order_in_which_they_were_run(results):
    assert [source.name for source in read_sources([results])] == ["b_first", "a_second"]
    assert [source.name for source in read_sources([results / "a_second"])] == ["a_second"]


def test_only_what_was_drawn_last_is_shown(results):
    drawn = records_table(read_source(results / "a_second").frame.iloc[:2])
    (results / "a_second" / "records.csv").write_text(csv_text(drawn))
    source = read_source(results / "a_second")
    assert len(source.frame) == 2
    assert "1 records of other settings are not shown" in source.notes[0]


def test_damage_and_quick_experiments_are_noted(results):
    folder = results / "a_second"
    with (folder / "records.jsonl").open("a") as file:
        file.write("{half a rec")
    config = {"name": "mine", "title": "A title", "scale": "quick", "sweep": load_config(["+experiment=vary_M"]).sweep}
    (folder / "config.yaml").write_text(OmegaConf.to_yaml(config))
    source = read_source(folder)
    assert (source.name, source.title, source.rate) == ("mine", "A title", True)
    assert len(source.notes) == 2
    assert "line 4, is damaged" in source.notes[0]


@pytest.mark.parametrize("name", ["config.yaml", "provenance.json", "claims.csv", "records.csv"])
@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[1, 2", b"- {: *x", b'{"runs": 3}', b'"a\nb'])
def test_files_that_are_not_what_they_should_be(results, name, content, tmp_path):
    (results / "a_second" / name).write_bytes(content)
    write_report(read_sources([results]), tmp_path / "report.html")


def test_a_folder_without_results_is_a_mistake(tmp_path):
    with pytest.raises(ConfigError, match=r"holds no records\.jsonl"):
        read_sources([tmp_path])


# ── at the end of a run ──


def test_a_run_leaves_a_report(toy, tmp_path, in_this_process):
    code, said, records = toy("repetitions=2", "executor=serial")
    assert code == 0
    assert "Everything on one page: out/report.html" in said
    data = data_of(tmp_path / "out" / "report.html")
    assert data["cells"] == {"all": len(records), "fine": len(records), "failed": 0}
    assert data["runs"][0]["command"].startswith("python -m gdmbench")


def test_a_report_that_fails_does_not_spoil_the_run(toy, tmp_path, monkeypatch, in_this_process):
    def broken(*sources, **words):
        raise RuntimeError("no\nluck")

    monkeypatch.setattr("gdmbench.exhibits.report.write_report", broken)
    code, said, _ = toy("repetitions=1", "executor=serial")
    assert code == 0
    assert "out/report.html was not written: no luck." in said
    assert not (tmp_path / "out" / "report.html").exists()


def test_the_command(results, capsys):
    from gdmbench.cli import main

    assert main(["report", str(results / "a_second"), str(results / "b_first")]) == 0
    assert capsys.readouterr().out == f"Written: {results / 'a_second' / 'report.html'}\n"
    assert len(data_of(results / "a_second" / "report.html")["sweeps"]) == 2
    assert main(["report"]) == 2
    assert main(["report", str(results / "nowhere")]) == 2
    assert "report needs a results folder" in capsys.readouterr().err


def test_the_reference_run_fits_into_one_page(tmp_path):
    path = write_report(read_sources([REFERENCE]), tmp_path / "report.html")
    assert path.stat().st_size < 10_000_000
    data = data_of(path)
    lines = [path.read_text("utf-8").splitlines() for path in REFERENCE.rglob("records.jsonl")]
    assert data["cells"]["all"] == sum(map(len, lines))
    claims = pd.read_csv(REFERENCE / "paper" / "claims.csv", keep_default_na=False)
    verdicts = {claim["id"]: claim["verdict"] for claim in data["claims"]}
    assert dict(zip(claims["id"], claims["verdict"], strict=True)).items() <= verdicts.items()
