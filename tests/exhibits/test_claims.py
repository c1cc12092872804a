"""Claims: made-up records that must pass, must fail, and must leave a claim open."""

import csv
import json

import pytest

from gdmbench.exhibits.causes import Cause, OtherReading
from gdmbench.exhibits.claims import Claim, judge_claims
from gdmbench.exhibits.claims_files import claims_markdown, claims_table, claims_text, write_claims
from gdmbench.exhibits.estimates import Estimate
from gdmbench.exhibits.findings import Finding, Part, all_hold, judged, marked, verdict_on
from gdmbench.exhibits.statistics import fit_exponent, ratio, trend


def _near(frame):
    found = ratio(frame, "mm_distance", "tgdm", "gibbs")
    return all_hold(judged("tGDM / Gibbs", found, least=1 / 1.25, most=1.25))


def _best(frame):
    parts = []
    for rival in ("gdm", "recover_kl"):
        found = ratio(frame, "mm_distance", "gibbs", rival)
        parts.append(judged(f"Gibbs / {rival}", found, most=1))
    return all_hold(parts)


def _rate(frame):
    exponent = fit_exponent(frame, "mm_distance", "gdm")
    change = trend(frame, "mm_distance", "gdm")
    return all_hold(
        judged("exponent", exponent, least=0.5), Part("last / first", change.overall, change.falls(), most=1)
    )


CLAIMS = [
    Claim("near", "tGDM | Gibbs are alike", "Fig. 2a–c", _near, "ratio in [0.8, 1.25]", "tGDM stays behind."),
    Claim("best", "Gibbs is the best", "Fig. 2", _best, "every ratio below 1"),
    Claim("rate", "errors fall at the rate", "Fig. 2b", _rate, "exponent above 1/2"),
]


@pytest.fixture(scope="module")
def verdicts(make_frame):
    return judge_claims(CLAIMS, make_frame(effect=lambda value: (value / 1000) ** -0.7))


def test_claims_that_hold_and_that_do_not(verdicts):
    assert [v.verdict for v in verdicts] == ["not reproduced", "reproduced", "reproduced"]
    assert [v.reason for v in verdicts] == ["tGDM stays behind.", "", ""]
    assert verdicts[0].evidence.startswith("tGDM / Gibbs 1.")
    assert "(n = 35)" in verdicts[0].evidence


def test_the_same_claims_turn_with_the_records(make_frame):
    frame = make_frame(effect=lambda value: 1.0)
    frame["method"] = frame["method"].replace({"gibbs": "gdm", "gdm": "gibbs"})
    near, best, rate = judge_claims(CLAIMS, frame)
    assert near.verdict == "not reproduced"
    assert best.verdict == "partly reproduced"
    assert best.finding.words == "partly reproduced (1 of 2)"
    assert "Gibbs / recover_kl" in best.evidence
    assert [words[-1] for words in best.evidence.split("; ")] == ["✗", "✓"]  # every part is marked
    assert rate.verdict == "not reproduced"


def test_without_records_nothing_is_decided(make_frame):
    frame = make_frame(values=(100, 1000), methods=("vem",))
    for some_or_none in (frame, frame.iloc[:0]):
        verdicts = judge_claims(CLAIMS, some_or_none)
        assert {v.verdict for v in verdicts} == {"not enough evidence"}
        assert "no records" in verdicts[0].evidence


def test_files(verdicts, tmp_path):
    paths = write_claims(verdicts, tmp_path)
    assert [path.name for path in paths] == ["claims.csv", "claims.md"]
    with paths[0].open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["id"] for row in rows] == ["near", "best", "rate"]
    value, low, high, n, missing = json.loads(rows[0]["numbers"])["tGDM / Gibbs"]
    assert low < value < high
    assert (n, missing) == (35, 0)
    assert len(claims_table(verdicts)) == 3


def test_markdown(verdicts):
    page = claims_markdown(verdicts)
    assert "2 reproduced, 1 not reproduced." in page
    assert "(k of n)" in page.partition("## Verdicts")[0]  # what verdicts, brackets and symbols mean stands first
    table = next(block for block in page.split("\n\n") if block.startswith("|"))
    assert {line.replace(r"\|", "").count("|") for line in table.splitlines()} == {5}
    assert r"tGDM \| Gibbs" in table
    assert "✗ not reproduced" in table
    assert "- **near**: ratio in [0.8, 1.25]" in page


@pytest.mark.parametrize("width", [60, 100])
def test_terminal(verdicts, width):
    text = claims_text(verdicts, width)
    assert text.startswith("Claims: 2 reproduced, 1 not reproduced\n✗ near: ")
    assert max(map(len, text.splitlines())) <= width
    assert "tGDM stays behind." in " ".join(text.split())


def test_json_of_infinite_intervals_reads_back(make_frame):
    verdicts = judge_claims(CLAIMS[:1], make_frame(values=(100,), repetitions=1))
    numbers = json.loads(claims_table(verdicts)["numbers"].iloc[0], parse_constant=lambda name: pytest.fail(name))
    assert numbers["tGDM / Gibbs"][2] is None


def test_a_finding_may_be_made_by_hand():
    claim = Claim("c", "t", "w", lambda frame: Finding("reproduced", "seen"))
    (verdict,) = judge_claims([claim], None)
    assert (verdict.verdict, verdict.evidence, verdict.parts) == ("reproduced", "seen", ())


HOLDS, FAILS, OPEN = "reproduced", "not reproduced", "not enough evidence"


@pytest.mark.parametrize(
    ("parts", "verdict"),
    [
        ([HOLDS, HOLDS], HOLDS),
        ([HOLDS, OPEN], OPEN),
        ([HOLDS, OPEN, FAILS], "partly reproduced"),
        ([FAILS, OPEN], FAILS),
        ([FAILS, FAILS], FAILS),
        ([], OPEN),
    ],
)
def test_a_claim_is_partly_reproduced_where_one_part_holds_and_one_is_refuted(parts, verdict):
    assert verdict_on(parts) == verdict


def test_a_partial_verdict_counts_the_parts_that_hold():
    low, high, open_ = Estimate(0.5, 0.4, 0.6, 5), Estimate(2.0, 1.9, 2.1, 5), Estimate(1.0, 0.5, 1.5, 5)
    found = all_hold(judged("a", low, most=1), judged("b", high, most=1), judged("c", open_, most=1))
    assert found.evidence == "a 0.500 [0.400, 0.600] (n = 5) ✓; b 2 [1.90, 2.10] (n = 5) ✗; c 1 [0.500, 1.50] (n = 5) ?"
    assert marked(found.words) == "◐ partly reproduced (1 of 3)"


def test_an_estimate_without_interval_shows_none():
    assert str(Estimate(0.5, 0.4, 0.6, 3).without_interval()) == "0.500 (n = 3)"


def _finding(value):
    return all_hold(judged("a", Estimate(value, value - 0.1, value + 0.1, 5), most=1))


def test_only_what_an_author_could_change_counts_as_a_condition():
    """Another setting and another reading do; a change that needs the truth explains, and is told apart."""
    causes = [
        Cause("VEM has another start", "start", lambda frame: [*frame, "start"]),
        Cause("the truth is known", "oracle", lambda frame: [*frame, "truth"], "No method knows it."),
        Cause("nothing else helps", "vain", lambda frame: [*frame, "vain"]),
    ]
    readings = [
        OtherReading("half is most", lambda frame: _finding(0.5)),
        OtherReading("all is", lambda _: _finding(2)),
    ]
    claim = Claim(
        "c",
        "t.",
        "w",
        lambda frame: _finding(0.5 if {"start", "truth"} & set(frame) else 2),
        causes=causes,
        readings=readings,
    )
    (found,) = judge_claims([claim], [])
    assert found.verdict == "not reproduced"
    assert (
        found.holds_if == "VEM has another start (start): reproduced; or if half is most (another reading): reproduced"
    )
    assert found.explained == "Holds if the truth is known (oracle). No method knows it."
    page = claims_markdown([found])
    assert "vain" not in page  # what was tried in vain is told by the table that the pages of docs are made of
    assert "If nothing else helps (vain): not reproduced" in claims_table([found])["tried"].iloc[0]
    assert "| c | all is | ✗ not reproduced |" in page
    assert "- **c**: Holds if the truth is known" in page
