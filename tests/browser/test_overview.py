"""The heat map and accuracy against time: numbers are those that the records give by hand."""

import csv
import io
import math
from itertools import combinations, product

import pandas as pd
import pytest

from gdmbench.exhibits.digits import format_number
from gdmbench.exhibits.report import Source, read_sources, write_report
from gdmbench.records.frame import to_frame


def _ratio_to_best(results, measure, method):
    """Geometric mean along the sweep of the ratio of geometric means over repetitions to the least of them."""
    frame = pd.read_csv(results / "vary_M" / "records.csv").dropna(subset=[measure])
    logs = frame.assign(log=frame[measure].map(math.log)).groupby(["method", "value"])["log"].mean()
    return math.exp((logs[method] - logs.groupby("value").min()).mean())


def _rows(content):
    return list(csv.DictReader(io.StringIO(content.decode())))


@pytest.mark.parametrize("measure", ["mm_distance", "fit_seconds"])
def test_the_heat_map_tells_ratios_to_the_best(open_page, report, results, drawn, choose, measure):
    page = open_page(report)
    card = drawn(page, "#heat")
    choose(card, "Measure", measure)
    card.locator(".figure").focus()
    page.keyboard.press("Home")
    for _ in range(4):  # rows are sweeps, and this is the last
        page.keyboard.press("ArrowDown")
    for method in ("gdm", "tgdm", "vem", "gibbs"):
        said = page.locator("#status").text_content()
        page.keyboard.press("ArrowRight")
        assert said.startswith(f"{method.upper()}, ")
        assert f"{format_number(_ratio_to_best(results, measure, method))} times the best" in said


def test_a_heat_map_of_one_row_leaves_no_empty_strip(open_page, results, drawn, tmp_path):
    page = open_page(write_report(read_sources([results / "lengths"]), tmp_path / "one.html"))
    card = drawn(page, "#heat")
    heights = [card.locator(part).bounding_box()["height"] for part in (".scroll", ".figure svg")]
    assert heights[0] == pytest.approx(heights[1], abs=1)
    card.locator("[aria-label=cell] rect").first.hover(force=True)
    tip = card.locator("[aria-label=tip]").filter(has_text="times the best")
    tip.wait_for(state="attached")
    box = tip.bounding_box()
    tip.evaluate("(e) => e.setAttribute('pointer-events', 'all')")  # tips let the pointer through
    inside = "([x, y]) => document.elementsFromPoint(x, y).some((e) => e.closest('[aria-label=tip]'))"
    assert page.evaluate(inside, [box["x"] + box["width"] / 2, box["y"] + box["height"] - 6])  # its foot is not cut off


def test_accuracy_against_time_over_all_sweeps(open_page, report, results, drawn, downloaded):
    card = drawn(open_page(report), "#front")
    name, content = downloaded(card, "CSV")
    assert name == "accuracy-time-mm_distance.csv"
    small = {row["method"]: row for row in _rows(content) if row["sweep"] == "vary_M"}
    for method in ("gdm", "tgdm", "vem", "gibbs"):
        for measure in ("mm_distance", "fit_seconds"):
            expected = _ratio_to_best(results, measure, method)
            assert float(small[method][measure]) == pytest.approx(expected, rel=1e-9)
    _check_front([row for row in _rows(content) if row["front"]])


def test_accuracy_against_time_in_one_sweep(open_page, report, results, drawn, choose, downloaded):
    card = drawn(open_page(report), "#front")
    choose(card, "Sweep", "vary_M")
    choose(card, "Accuracy", "perplexity")
    card.locator(".legend").get_by_role("button", name="VEM").click()
    name, content = downloaded(card, "CSV")
    assert name == "accuracy-time-perplexity-vary_M.csv"
    means = pd.read_csv(results / "vary_M" / "summary.csv").set_index(["measure", "method", "value"])["mean"]
    rows = _rows(content)
    assert len(rows) == 9
    for row in rows:
        for measure in ("perplexity", "fit_seconds"):
            assert float(row[measure]) == pytest.approx(means[measure, row["method"], int(row["value"])], rel=1e-12)
    measures = ("fit_seconds", "perplexity")
    _check_front(rows, *measures)
    assert downloaded(card, "SVG")[1].startswith(b"<svg")
    assert downloaded(card, "PNG")[1].startswith(b"\x89PNG")


def _check_front(rows, cost="fit_seconds", measure="mm_distance"):
    """A point is on the front unless some other is as good in both and better in one: by looking at all pairs."""
    points = [(float(row[cost]), float(row[measure]), row["front"]) for row in rows]
    assert {front for *_, front in points} == {"yes", "no"}
    for x, y, front in points:
        beaten = any(a <= x and b <= y and (a, b) != (x, y) for a, b, _ in points)
        assert front == ("no" if beaten else "yes")


@pytest.fixture(scope="module")
def crowded(tmp_path_factory, made_up_record):
    """A page of methods with long names that are about as good and as fast, in two sweeps of one point each."""
    records = []
    for experiment, number, repetition in product(("first", "second"), range(8), range(2)):
        known = {"label": f"a method of a rather long name, {number}", "fit_cpu_seconds": 1 + 0.02 * number}
        known |= {"mm_distance": 0.01 + 0.0001 * number, "fit_seconds": 1 + 0.02 * number + 0.01 * repetition}
        records.append(
            made_up_record(experiment=experiment, method=f"m{number}", value=None, repetition=repetition, **known)
        )
    folder = tmp_path_factory.mktemp("crowded")
    sources = []
    for name in ("first", "second"):
        frame = to_frame([record for record in records if record["experiment"] == name])
        sources.append(Source(folder / name, name, name, frame, pd.DataFrame(), []))
    return write_report(sources, folder / "report.html")


BOXES = "nodes => nodes.map(n => n.getBoundingClientRect()).map(r => [r.left, r.right, r.top, r.bottom])"


@pytest.mark.parametrize("width", [1400, 390])
def test_no_name_of_a_point_lies_on_another(open_page, drawn, crowded, width):
    page = open_page(crowded, width=width)
    drawn(page, "#front")
    boxes = page.locator("#front .figure svg .name text").evaluate_all(BOXES)
    assert len(boxes) >= 2  # names that find no place are in the legend alone
    for a, b in combinations(boxes, 2):
        assert a[1] <= b[0] or b[1] <= a[0] or a[3] <= b[2] or b[3] <= a[2]


@pytest.mark.parametrize("width", [1400, 390])
def test_names_of_methods_on_an_axis_lie_within_the_figure(open_page, drawn, crowded, width):
    page = open_page(crowded, width=width)
    card = drawn(page, "#sweep-first")
    left = card.locator(".figure svg").first.bounding_box()["x"]
    assert all(box[0] >= left - 0.5 for box in card.locator(".figure svg text").evaluate_all(BOXES))
