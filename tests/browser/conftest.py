"""A results folder with everything that a report can show, and a browser to open the page in."""

import json
import shutil
from itertools import product

import pytest

from gdmbench.exhibits.causes import Cause
from gdmbench.exhibits.claims import Claim, judge_claims
from gdmbench.exhibits.claims_files import write_claims
from gdmbench.exhibits.estimates import Estimate
from gdmbench.exhibits.findings import all_hold, judged
from gdmbench.exhibits.report import read_sources, write_report
from gdmbench.exhibits.write import write_sweep
from gdmbench.records.frame import to_frame

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
FLAGS += ["--disable-component-update", "--disable-sync"]
ERROR = {"gdm": 0.02, "tgdm": 0.012, "gibbs": 0.008, "vem": 0.03}
SECONDS = {"gdm": 0.1, "tgdm": 0.4, "gibbs": 9.0, "vem": 20.0}
TOPICS = {
    "gdm": [[["cat", 0.5], ["pet", 0.3], ["fur", 0.2]], [["sun", 0.6], ["cat", 0.3], ["day", 0.1]]],
    "gibbs": [[["sun", 0.5], ["day", 0.3], ["sky", 0.2]], [["cat", 0.4], ["pet", 0.35], ["dog", 0.25]]],
    "ngdm": [[["cat", 0.7], ["dog", 0.3]], [["rain", 0.9], ["ice", 0.1]], [["sun", 0.8], ["day", 0.2]]],
}


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
        context.set_default_timeout(10_000)
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
    return url.split("#")[0] != path.as_uri() and not url.startswith(("data:", "blob:"))


@pytest.fixture(scope="session")
def drawn():
    """Go to a part of the page and wait until its figure is drawn."""

    def go(page, part):
        card = page.locator(part)
        card.scroll_into_view_if_needed()
        card.locator(".figure svg").first.wait_for()
        return card

    return go


@pytest.fixture(scope="session")
def choose():
    """Choose an option of a field by the name that is written above it."""

    def pick(card, field, option):
        card.locator(".field", has=card.page.get_by_text(field, exact=True)).locator("select").select_option(option)

    return pick


@pytest.fixture(scope="session")
def downloaded():
    """Click a button and return the name and the bytes of the file that it hands out."""

    def get(card, button):
        with card.page.expect_download() as waiting:
            card.get_by_role("button", name=button, exact=True).click()
        return waiting.value.suggested_filename, waiting.value.path().read_bytes()

    return get


@pytest.fixture(scope="session")
def results(tmp_path_factory, made_up_record):
    """A sweep with failures, a single point, two corpora whose methods find unlike numbers of topics, and claims."""
    root = tmp_path_factory.mktemp("results")
    sweep = list(_sweep(made_up_record))
    _store(root / "vary_M", sweep, "Growing number of documents")
    write_sweep(to_frame(sweep), root / "vary_M", title="Growing number of documents")
    point = {"experiment": "lengths", "axis": None}
    single = [
        made_up_record(**point, method=m, label=m.upper(), repetition=r, mm_distance=ERROR[m] * (1 + r), fit_seconds=s)
        for (m, s), r in product(SECONDS.items(), range(3))
    ]
    _store(root / "lengths", single, "One point")
    for corpus in ("news", "novels"):
        known = {"experiment": corpus, "axis": "data.n_topics", "fit_seconds": 1.0}
        records = [
            made_up_record(**known, method=m, label=m.upper(), value=k, repetition=r, perplexity=300.0 + r + k)
            | {"top_words": TOPICS[m][: k if corpus == "news" else 1]}
            for k, r, m in product((2, 3), range(2), TOPICS)
        ]
        _store(root / corpus, records, f"Topics of {corpus}")
    _claims(root)
    return root


def _sweep(record):
    for (number, value), (method, error), repetition in product(enumerate((100, 1000, 9000)), ERROR.items(), range(4)):
        known = {"experiment": "vary_M", "axis": "data.n_docs", "value": value, "method": method}
        known |= {"label": method.upper(), "repetition": repetition}
        noise = 1 + 0.1 * ((7 * number + 3 * repetition + len(method)) % 5)
        if method == "vem" and value == 100 and repetition < 2:
            yield record(**known, status="timeout", error="no end after 60 s")
        else:
            seconds = SECONDS[method] * noise * (number + 1)
            yield record(**known, mm_distance=error * noise / (number + 1), perplexity=400 * noise, fit_seconds=seconds)


def _store(folder, records, title):
    """Leave a folder as a run does, without its tables and pictures."""
    folder.mkdir()
    (folder / "records.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    (folder / "config.yaml").write_text(f"name: {folder.name}\ntitle: {title}\n")
    run = {"command": ["python", "-m", "gdmbench", f"+experiment={folder.name}"], "code": "1.0", "start": "2026-01-01"}
    run |= {"python": "3.13", "cpu": "a processor", "packages": {"numpy": "2.4"}}
    (folder / "provenance.json").write_text(json.dumps({"runs": [{**run, "seconds": 3.0, "cells": len(records)}]}))


def _claims(root):
    def near(frame):
        found = Estimate(1.1, 1.05, 1.15, 12) if "changed" in frame else Estimate(1.5, 1.4, 1.6, 12)
        return all_hold(
            judged("tGDM / Gibbs", found, least=0.8, most=1.25),
            judged("tGDM / GDM", Estimate(0.6, 0.5, 0.7, 12), most=1),
        )

    def fast(frame):
        return all_hold(judged("time GDM / Gibbs", Estimate(0.01, 0.009, 0.012, 12), most=1))

    start = Cause("VEM has another start", "cause_start", lambda frame: frame.assign(changed=True))
    known = {"causes": [start], "confirm": lambda frame: frame}
    claims = {
        "figure_2": [Claim("accuracy", "tGDM is near Gibbs.", "Fig. 2", near, "within 1.25", **known)],
        "timing": [Claim("speed", "GDM is fast.", "text", fast)],
    }
    picture = (root / "vary_M" / "mm_distance.png").read_bytes()
    for name, mine in claims.items():
        (root / name).mkdir()
        write_claims(judge_claims(mine, to_frame([])), root / name)
        run = {"sweep": "vary_M", "start": "2026-01-02"}
        (root / name / "provenance.json").write_text(json.dumps({"runs": [run]}))
        (root / name / f"{name}.png").write_bytes(picture)
    (root / "cause_start").mkdir()
    (root / "cause_start" / "provenance.json").write_text(json.dumps({"runs": []}))
    (root / "cause_start" / "cause_start.png").write_bytes(picture)


@pytest.fixture(scope="session")
def report(results):
    """The page of all of it."""
    return write_report(read_sources([results]), results / "report.html", title="A report")
