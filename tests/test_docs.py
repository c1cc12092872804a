"""The documentation is true: its code runs, its commands are accepted, its pages are current, its links work."""

import doctest
import importlib
import importlib.util
import json
import re
import shlex
import sys
import tomllib
from pathlib import Path

import pandas as pd
import pytest
import yaml

import gdmbench
from gdmbench.cli import main

ROOT = Path(__file__).parents[1]
MADE = {"_build", "api", "auto_gallery"}  # folders that a build of the site leaves
PAGES = sorted(
    [
        *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
        *(path for path in (ROOT / "docs").rglob("*.md") if not MADE & set(path.parts)),
    ]
)
METHODS = [yaml.safe_load(path.read_text())["_target_"] for path in sorted((ROOT / "conf" / "method").glob("*.yaml"))]
OURS = [name for name in METHODS if name.startswith("baselines.") and "adapters" not in name]
PUBLIC = [*(f"gdmbench.{name}" for name in gdmbench.__all__), *OURS]
EXPERIMENTS = {f"+experiment={path.stem}" for path in (ROOT / "conf" / "experiment").glob("*.yaml")}  # all of them run
# Each fenced block with its language and, where the line before it ends in `a/file.name`:, the name of that file.
BLOCK = re.compile(r"(?:`([\w./-]+\.(?:py|yaml))`:\n+)?^```(\w+)\n(.*?)^```", flags=re.MULTILINE | re.DOTALL)


def blocks(page):
    return BLOCK.findall(page.read_text("utf-8"))


def with_language(language):
    found = [page for page in PAGES if any(lang == language and not name for name, lang, _ in blocks(page))]
    return pytest.mark.parametrize("page", found, ids=[str(page.relative_to(ROOT)) for page in found])


def test_there_is_code_to_try():
    assert sum(language == "python" for page in PAGES for _, language, _ in blocks(page)) >= 4
    assert sum("python -m gdmbench" in text for page in PAGES for _, _, text in blocks(page)) >= 4


@with_language("python")
def test_the_python_of_a_page_runs_from_top_to_bottom(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    space = {"__name__": "page"}
    for name, language, text in blocks(page):
        if language == "python" and not name:
            exec(compile(text, str(page), "exec"), space)


@with_language("bash")
def test_the_commands_of_a_page_are_accepted(page, tmp_path, monkeypatch, capsys):
    """Every run is only planned, every check is made, with the files that the page tells to write."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    if "example_package" in page.parts:
        monkeypatch.syspath_prepend(str(page.parent))  # its entry point is for the test that installs it
        config = ["--config-dir", str(page.parent / "plsa_topics" / "conf")]
    else:
        config = []
    accepted = set()
    for name, language, text in blocks(page):
        if name:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        for line in text.splitlines() if language == "bash" else ():
            words = shlex.split(line.partition("python -m gdmbench")[2], comments=True)
            if "python -m gdmbench" in line and not {"compare", "fetch", "verify"} & {*words}:
                runs = any("+experiment" in word for word in words)
                ignored = ("plan", "redraw", "root=")  # to compose the whole paper takes long, wherever it goes
                words = ["plan", *(word for word in words if not word.startswith(ignored))] if runs else words
                if tuple(words) not in accepted and not (len(words) == 2 and words[1] in EXPERIMENTS):
                    assert main([*config, *words]) == 0, (line, capsys.readouterr())
                accepted.add(tuple(words))
    for name in ("my_method", "plsa_topics"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("name", PUBLIC)
def test_the_examples_in_docstrings_are_right(name):
    module, _, last = name.rpartition(".")
    thing = getattr(importlib.import_module(module), last)
    assert ">>>" in thing.__doc__
    examples = doctest.DocTestFinder(recurse=False).find(thing, name, globs={})
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for example in examples:
        assert runner.run(example).failed == 0


@pytest.fixture(scope="module")
def make_pages():
    spec = importlib.util.spec_from_file_location("make_pages", ROOT / "docs" / "make_pages.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pages_made_from_the_code_are_current(make_pages):
    for name, page in make_pages.PAGES.items():
        if name != "config.md":
            assert (ROOT / "docs" / name).read_text("utf-8") == page(), "run `python docs/make_pages.py`"


def test_the_page_of_keys_is_current_and_explains_each(make_pages):
    pytest.importorskip("numpydoc", reason="numpydoc is not installed: pip install '.[docs]'")
    keys = (ROOT / "docs" / "config.md").read_text("utf-8")
    assert keys == make_pages.PAGES["config.md"](), "run `python docs/make_pages.py`"
    unexplained = [line for line in keys.splitlines() if line.endswith("|  |")]
    assert unexplained == [], "say what these mean in the docstring, or in a comment behind the key in the config file"


@pytest.fixture(scope="module")
def make_tables(make_pages):
    return make_pages.make_tables


PARTLY = "partly reproduced (1 of 5)"


@pytest.fixture
def reference(tmp_path):
    """A results folder with two sweeps, three exhibits and two claims."""
    parts = ["a / b 0.5 [0.4, 0.6] (n = 5) ✓", *(f"c / {x} 1.5 [1.4, 1.6] (n = 35, 2 missing) ✗" for x in "defg")]
    names = ["a / b", *(f"c / {x}" for x in "defg")]
    numbers = {name: [0.5, 0.4, 0.6, 5, 0] if name == "a / b" else [1.5, 1.4, 1.6, 33, 2] for name in names}
    limits = {name: [None, 1, "reproduced" if name == "a / b" else "not reproduced"] for name in names}
    same = {"where": "Fig. 2", "criterion": "below 1", "reason": ""}
    claims = pd.DataFrame(
        [
            {
                **same,
                "id": "first",
                "claim": "a | b.",
                "verdict": "partly reproduced (1 of 5)",
                "evidence": "; ".join(parts),
            }
            | {
                "confirmed": "reproduced",
                "confirmed evidence": "c / d 0.9 [0.8, 0.95] (n = 9) ✓; c / e 0.9 [0.8, 1] (n = 9) ✓",
            }
            | {"holds if": "x (y): reproduced", "tried": "If x (y): reproduced; all.", "other readings": "If z: no."}
            | {"numbers": json.dumps(numbers), "limits": json.dumps(limits)},
            {**same, "id": "second", "claim": "b.", "verdict": "reproduced", "evidence": "share 0 (n = 8) ✓"}
            | {"confirmed": "", "confirmed evidence": "", "holds if": "", "tried": "", "other readings": ""}
            | {"numbers": '{"share":[0.0,0.0,0.0,8,0]}', "limits": '{"share":[null,1,"reproduced"]}'},
        ]
    )
    runs = {"one": 200.0, "vary_M": 100.0}
    exhibits = {"two_sweeps": ["one", "vary_M"], "one_sweep": ["vary_M"], "paper": ["one", "vary_M"]}
    for name in [*runs, *exhibits]:
        (tmp_path / name).mkdir()
    for name, seconds in runs.items():
        told = {"runs": [{"seconds": seconds, "cells": 5}, {"seconds": None, "cells": 0}]}
        (tmp_path / name / "provenance.json").write_text(json.dumps(told))
    for name, sweeps in exhibits.items():
        told = [{"sweep": s, "seconds": runs[s], "code": "0.2.0+gabc", "start": "2026-11-17T03:39"} for s in sweeps]
        total = {"seconds": sum(runs[s] for s in sweeps), "cells": 10}
        (tmp_path / name / "provenance.json").write_text(json.dumps({"total": total, "runs": told}))
    claims.to_csv(tmp_path / "paper" / "claims.csv", index=False)
    return tmp_path


def test_the_table_of_claims_is_made_from_claims_csv(make_tables, reference):
    claims = make_tables.claims_of(reference)
    full = make_tables.claims_digest(claims).splitlines()
    assert full[0] == "| claim | paper | ours | verdict | confirmed | holds if |"
    ours = "c / d 1.5 ✗; c / e 1.5 ✗; c / f 1.5 ✗; and 1 more"
    assert full[2] == rf"| first: a \| b. | Fig. 2 | {ours} | ◐ {PARTLY} | ✓ reproduced | x (y): reproduced |"
    assert full[3] == "| second: b. | Fig. 2 | share 0 ✓ | ✓ reproduced |  |  |"
    claims.drop(columns=["confirmed", "holds if"]).to_csv(reference / "paper" / "claims.csv", index=False)
    plain = make_tables.claims_digest(make_tables.claims_of(reference)).splitlines()
    assert plain[0] == "| claim | paper | ours | verdict |"
    table = make_tables.claims_digest(claims)
    page = "a\n\n<!-- claims -->\n\n{}<!-- end of claims -->\n\nb\n"
    assert make_tables.fill(page.format("| old |\n\n"), "claims", table) == page.format(f"{table}\n")
    assert make_tables.fill(page.format(""), "claims", table) == page.format(f"{table}\n")
    assert make_tables.fill("no table\n", "claims", table) == "no table\n"


def test_what_claims_depend_on_is_made_from_claims_csv(make_tables, reference):
    page = "<!-- causes -->\n\n<!-- end of causes -->\n\n<!-- confirmed -->\n\n<!-- end of confirmed -->\n"
    lines = make_tables.causes_page(page, reference).splitlines()
    assert lines[4] == "| first | ◐ partly reproduced (1 of 5) | x (y): reproduced |  | If x (y): reproduced; all. |"
    numbers = "c / d 0.9 [0.8, 0.95] (n = 9) ✓; c / e 0.9 [0.8, 1] (n = 9) ✓"
    assert f"| first | ◐ {PARTLY} | ✓ reproduced | {numbers} |" in lines
    assert not any(line.startswith("| second") for line in lines)


def test_the_readme_is_made_from_the_reference_run(make_tables, reference):
    head = "| what | command | on two cores |\n|---|---|---|\n"
    row = "| {}: words | `python -m gdmbench +experiment={}` | {} |\n".format
    rows = {"A": "two_sweeps", "B": "one_sweep", "C": "nowhere", "D": "vary_M", "E": "one"}
    page = "# the same at the paper's size, 8 min on two cores\n\n<!-- counts -->\n\n<!-- end of counts -->\n\n" + head
    written = make_tables.readme(page + "".join(row(*each, "?") for each in rows.items()), reference)
    times = ["5 min", "with A", "–", "with A", "with A"]
    assert written.endswith(head + "".join(row(*each, time) for each, time in zip(rows.items(), times, strict=True)))
    assert written.startswith("# the same at the paper's size, 2 min on two cores\n")
    words = " ".join(written.partition("<!-- counts -->")[2].partition("<!--")[0].split())
    assert words == (
        "The reference run has every exhibit at the paper's size: 10 cells, 5 minutes on two cores. Of the paper's 2 "
        "claims 1 is reproduced, 1 is partly reproduced, 0 are not, and 0 are left open by the paper's five "
        "repetitions. The 1 that a first run left open were judged [once more with up to 200]"
        "(docs/causes.md#confirming-runs): 1 reproduced. Of the 1 that are not or only partly reproduced, 1 would hold "
        "after [a change that an author could have made](docs/causes.md#what-each-claim-depends-on): 1 with another "
        "setting, 0 if the sentence is read another way."
    )


def test_two_runs_are_laid_side_by_side(make_pages, reference, tmp_path, monkeypatch):
    make = make_pages.make_second_run
    second = make.run_of(make_pages.make_tables.claims_of(reference))
    assert second["first"][1]["a / b"] == ("reproduced", 0.5, 0.4, 0.6, 5)
    assert second["first"][1]["c / d"].outcome == "not reproduced"
    make.write_run(second, tmp_path / "kept.csv")
    assert make.read_run(tmp_path / "kept.csv") == second
    assert make.changed(second, second) == []

    estimated = make.Estimated
    parts = {"c / d": estimated("reproduced", 0.7, 0.6, 0.8, 5), "c / e": estimated("reproduced", 1.3, 1.2, 1.4, 5)}
    first = {"first": ("reproduced", parts), "second": second["second"]}
    assert make.changed(first, second) == ["first"]
    rows = make.verdicts_table(first, second).splitlines()
    pairs = "c / d 0.700 → 1.50; c / e 1.30 → 1.50; c / f – → 1.50; and 1 more"
    assert rows[2] == f"| first | ✓ reproduced | **◐ {PARTLY}** | {pairs} | 1 of 2 |"
    assert rows[3] == "| second | ✓ reproduced | ✓ reproduced | share 0 → 0 | – |"
    every = make.estimates_table(first, second).splitlines()
    assert every[2] == "| first | a / b | – | 0.500 [0.400, 0.600] ✓ |"
    assert every[3] == "| first | c / d | 0.700 [0.600, 0.800] ✓ | 1.50 [1.40, 1.60] ✗ |"
    assert every[7] == "| second | share | 0 ✓ | 0 ✓ |"

    make.write_run(first, tmp_path / "kept.csv")
    monkeypatch.setattr(make, "FIRST_RUN", tmp_path / "kept.csv")
    page = "<!-- made -->\n\n<!-- end of made -->\n\n<!-- verdicts -->\n\n<!-- end of verdicts -->\n"
    written = make.second_run_page(page, reference)
    assert "\nThe run in `results/reference`: version 0.2.0+gabc, 2026-11-17, 10 cells.\n" in written
    assert rows[2] in written


def test_accuracy_against_time_is_summed_up_by_method(make_tables, reference):
    page = "<!-- frontier -->\n\n<!-- end of frontier -->\n"
    assert make_tables.which_method_page(page, reference) == page
    ratios = [("gdm", "GDM", "mm_distance", (2, 8)), ("gdm", "GDM", "fit_cpu_seconds", (0.1, 0.4))]
    ratios += [("gibbs", "Gibbs", "mm_distance", (1, 1)), ("gibbs", "Gibbs", "fit_cpu_seconds", (1, 1))]
    rows = [
        {"experiment": f"setting_{i}", "method": method, "label": label, "measure": measure, "ratio": ratio, "n": 5}
        | {"on_front": method == "gibbs" or i == 0}
        for method, label, measure, both in ratios
        for i, ratio in enumerate(both)
    ]
    lines = make_tables.frontier_table(pd.DataFrame(rows)).splitlines()
    assert lines[2] == "| GDM (`gdm`) | 4 (2 to 8) | 0.200 (0.100 to 0.400) | 1 of 2 |"
    assert lines[3] == "| Gibbs (`gibbs`) | 1 | 1 | 2 of 2 |"


def test_every_verdict_that_changed_is_discussed(make_pages):
    make = make_pages.make_second_run
    runs = make.read_run(make.FIRST_RUN), make.run_of(make.claims_of(make.REFERENCE))
    assert set(runs[0]) <= set(runs[1])  # claims were added since
    page = (ROOT / "docs" / "second_run.md").read_text("utf-8")
    words = page.partition("\n## Verdicts that changed\n")[2].partition("\n## ")[0]
    discussed = re.findall(r"^- \*\*([\w-]+)\*\*: \S", words, flags=re.MULTILINE)
    assert sorted(discussed) == sorted(make.changed(*runs))


def test_every_column_of_the_summary_is_explained():
    page = (ROOT / "docs" / "results.md").read_text("utf-8")
    for column in ("measure", "mean", "se", "median", "min", "max", "repetitions", "failed"):
        assert f"`{column}`" in page.partition("## Columns of the summary")[2]


def test_every_method_file_is_told_of():
    page = (ROOT / "docs" / "methods.md").read_text("utf-8")
    names = {path.stem for path in (ROOT / "conf" / "method").glob("*.yaml")}
    assert {name for name in names if f"`{name}`" not in page} == set()


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_links_lead_somewhere(page):
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text("utf-8"))
    missing = [link for link in links if "://" not in link and not (page.parent / link).exists()]
    assert missing == []


def test_the_citation_is_of_this_version():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["version"] == gdmbench.__version__
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    paper = citation["preferred-citation"]
    assert [author["family-names"] for author in paper["authors"]] == ["Yurochkin", "Nguyen"]
    assert f"version = {{{gdmbench.__version__}}}" in (ROOT / "docs" / "cite.md").read_text("utf-8")


def test_the_readme_is_short():
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 150


def test_the_reference_has_every_public_name():
    page = (ROOT / "docs" / "reference.md").read_text("utf-8")
    assert set(PUBLIC) <= set(re.findall(r"^   ([\w.]+)$", page, flags=re.MULTILINE))


def test_every_page_is_on_the_site():
    """Sphinx says so too, but it is not among what the tests need."""
    pages = [path for path in (ROOT / "docs").rglob("*.md") if not MADE & set(path.parts)]
    listed = {"index", "README"}
    for page in pages:
        for tree in re.findall(r"^```{toctree}\n(?::.*\n)*\n(.*?)^```", page.read_text("utf-8"), flags=re.M | re.S):
            listed |= {line.strip().rpartition("<")[2].rstrip(">") for line in tree.splitlines()}
    assert {str(page.relative_to(ROOT / "docs").with_suffix("")) for page in pages} <= listed


def test_the_changelog_has_this_version():
    log = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.search(rf"^## \[{re.escape(gdmbench.__version__)}\] - (Unreleased|\d{{4}}-\d\d-\d\d)$", log, flags=re.M)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == gdmbench.__version__


def test_the_check_of_the_site_names_what_leads_nowhere(tmp_path):
    spec = importlib.util.spec_from_file_location("check_site", ROOT / "docs" / "check_site.py")
    check_site = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(check_site)
    (tmp_path / "a.html").write_text('<h1 id="here">A</h1><a href="b.html#there">b</a><a href="https://a.org">c</a>')
    (tmp_path / "b.html").write_text('<h1 id="there">B</h1><a href="a.html#here">a</a><img src="my%20plot.png">')
    (tmp_path / "my plot.png").write_bytes(b"")
    assert list(check_site.problems(tmp_path)) == []
    (tmp_path / "c.html").write_text(
        '<a href="d.html">d</a><a href="a.html#gone">a</a><script src="https://a.org/s.js"></script>'
    )
    assert list(check_site.problems(tmp_path)) == [
        "c.html loads https://a.org/s.js from elsewhere.",
        "c.html links to d.html, which is not there.",
        "c.html links to a.html#gone, but the page has no such place.",
    ]
