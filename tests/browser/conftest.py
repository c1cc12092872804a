"""A results folder with everything that a report can show, and a browser to open the page in."""

import json
import shutil

import pytest

from gdmbench.exhibits.claims import Claim, claims_table, judge_claims
from gdmbench.exhibits.findings import all_hold, judged
from gdmbench.exhibits.report import read_sources, write_report
from gdmbench.exhibits.statistics import Estimate
from gdmbench.exhibits.write import write_exhibits
from gdmbench.records.frame import to_frame

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
FLAGS += ["--disable-component-update", "--disable-sync"]
ERROR = {"gdm": 0.02, "tgdm": 0.012, "gibbs": 0.008, "vem": 0.03}
SECONDS = {"gdm": 0.1, "tgdm": 0.4, "gibbs": 9.0, "vem": 20.0}


@pytest.fixture(scope="session")
def chromium():
    """Chromium driven by Playwright; a test without either is skipped and says so."""
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: pip install '.[browser]'"
    )
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed: apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium):
    """Open a page from its file; a console error, an uncaught one or a request at any time fails the test."""
    contexts, faults = [], []

    def open_it(path, width=1280, **options):
        context = chromium.new_context(viewport={"width": width, "height": 900}, accept_downloads=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("dialog", lambda dialog: (faults.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: faults.append(request.url) if _leaves(request.url, path) else None)
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready]")
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert faults == []


def _leaves(url, path):
    return url != path.as_uri() and not url.startswith(("data:", "blob:"))


def store(folder, records, title):
    """Leave a folder as a run does."""
    folder.mkdir(parents=True)
    (folder / "records.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    (folder / "config.yaml").write_text(f"name: {folder.name}\ntitle: {title}\n")
    run = {"command": ["python", "-m", "gdmbench", f"+experiment={folder.name}"], "code": "1.0", "start": "2026-01-01"}
    (folder / "provenance.json").write_text(json.dumps({"runs": [{**run, "seconds": 3.0, "cells": len(records)}]}))
    write_exhibits(to_frame(records), folder, title=title)


@pytest.fixture(scope="session")
def results(tmp_path_factory, made_up_record):
    """A sweep with failures, a single point, a corpus whose methods find unlike numbers of topics, and claims."""
    root = tmp_path_factory.mktemp("results")
    sweep = []
    for number, value in enumerate((100, 1000, 10000)):
        for method, error in ERROR.items():
            for repetition in range(4):
                noise = 1 + 0.1 * ((7 * number + 3 * repetition + len(method)) % 5)
                known = {"experiment": "vary_M", "axis": "data.n_docs", "value": value, "method": method}
                known |= {"label": method.upper(), "repetition": repetition}
                if method == "vem" and value == 100 and repetition < 2:
                    sweep.append(made_up_record(**known, status="timeout", error="no end after 60 s"))
                    continue
                numbers = {"mm_distance": error * noise / (number + 1), "perplexity": 400 * noise}
                sweep.append(made_up_record(**known, **numbers, fit_seconds=SECONDS[method] * noise * (number + 1)))
    store(root / "vary_M", sweep, "Growing number of documents")
    single = [
        made_up_record(
            experiment="lengths", method=method, label=method.upper(), repetition=r, mm_distance=error * (1 + r)
        )
        | {"fit_seconds": SECONDS[method]}
        for method, error in ERROR.items()
        for r in range(3)
    ]
    store(root / "lengths", single, "One point")
    topics = {
        "gdm": [[["cat", 0.5], ["pet", 0.3], ["fur", 0.2]], [["sun", 0.6], ["day", 0.4]]],
        "gibbs": [[["sun", 0.5], ["day", 0.3], ["sky", 0.2]], [["cat", 0.4], ["pet", 0.35], ["dog", 0.25]]],
        "ngdm": [[["cat", 0.7], ["dog", 0.3]], [["rain", 0.9], ["sky", 0.1]], [["sun", 0.8], ["day", 0.2]]],
    }
    corpus = [
        made_up_record(experiment="corpus", method=m, label=m.upper(), axis="data.n_topics", value=k, repetition=r)
        | {"perplexity": 300.0 + r + k, "fit_seconds": 1.0, "top_words": words}
        for k in (2, 3)
        for r in range(2)
        for m, words in topics.items()
    ]
    store(root / "corpus", corpus, "A corpus")
    _claims(root / "figure_2")
    return root


def _claims(folder):
    def near(frame):
        return all_hold(
            judged("tGDM / Gibbs", Estimate(1.5, 1.4, 1.6, 12), least=0.8, most=1.25),
            judged("tGDM / GDM", Estimate(0.6, 0.5, 0.7, 12), most=1),
        )

    def fast(frame):
        return all_hold(judged("time GDM / Gibbs", Estimate(0.01, 0.009, 0.012, 12), most=1))

    claims = [
        Claim("accuracy", "tGDM is near Gibbs.", "Fig. 2", near, "within 1.25"),
        Claim("speed", "GDM is fast.", "text", fast),
    ]
    table = claims_table(judge_claims(claims, to_frame([])))
    table["confirmed"], table["hangs on"] = ["not reproduced", "reproduced"], ["the start", ""]
    folder.mkdir()
    table.to_csv(folder / "claims.csv", index=False)
    (folder / "provenance.json").write_text(json.dumps({"runs": [{"sweep": "vary_M", "start": "2026-01-02"}]}))


@pytest.fixture(scope="session")
def report(results):
    return write_report(read_sources([results]), results / "report.html", title="A report")
