"""The documentation is true: its code runs, its commands are accepted, its pages are current, its links work."""

import doctest
import importlib
import importlib.util
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
            if "python -m gdmbench" in line and "compare" not in words:
                runs = any("+experiment" in word for word in words)
                ignored = ("plan", "redraw", "root=")  # to compose the whole paper takes long, wherever it goes
                words = ["plan", *(word for word in words if not word.startswith(ignored))] if runs else words
                if tuple(words) not in accepted:
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
        text = (ROOT / "docs" / name).read_text("utf-8")
        assert text == page(), "run `python docs/make_pages.py`"
    keys = (ROOT / "docs" / "config.md").read_text("utf-8")
    unexplained = [line for line in keys.splitlines() if line.endswith("|  |")]
    assert unexplained == [], "say what these mean in the docstring, or in a comment behind the key in the config file"


def test_the_table_of_claims_is_made_from_claims_csv(make_pages, tmp_path, monkeypatch):
    same = {"where": "Fig. 2", "criterion": "below 1", "reason": "", "confirmed": "", "hangs on": ""}
    parts = ["a / b 0.5 [0.4, 0.6] (n = 5) ✓", *(f"c / {x} 1.5 [1.4, 1.6] (n = 35, 2 missing)" for x in "defg")]
    claims = pd.DataFrame(
        [
            {**same, "id": "first", "claim": "a | b.", "verdict": "not reproduced", "evidence": "; ".join(parts)},
            {**same, "id": "second", "claim": "b.", "verdict": "reproduced", "evidence": "no records"},
        ]
    )
    plain = make_pages.claims_digest(claims).splitlines()
    assert plain[0] == "| claim | paper | ours | verdict |"
    assert plain[2] == r"| first: a \| b. | Fig. 2 | c / d 1.5; c / e 1.5; c / f 1.5; and 1 more | ✗ not reproduced |"
    assert plain[3] == "| second: b. | Fig. 2 | no records | ✓ reproduced |"
    causes = claims.assign(confirmed=["reproduced", ""], **{"hangs on": ["", "x (y): reproduced."]})
    full = make_pages.claims_digest(causes).splitlines()
    assert full[0] == "| claim | paper | ours | verdict | confirmed | hangs on |"
    assert full[2].endswith(" | ✗ not reproduced | ✓ reproduced |  |")
    assert full[3].endswith(" | ✓ reproduced |  | x (y): reproduced. |")

    (tmp_path / "docs").mkdir()
    monkeypatch.setattr(make_pages, "FOLDER", tmp_path / "docs")
    monkeypatch.setattr(make_pages, "CLAIMS", tmp_path / "claims.csv")
    causes.to_csv(tmp_path / "claims.csv", index=False)
    (tmp_path / "docs" / "claims.md").write_text("a\n\n<!-- claims -->\n\n| old |\n\n<!-- end of claims -->\n\nb\n")
    table = make_pages.claims_digest(causes)
    assert make_pages.claims_page() == f"a\n\n<!-- claims -->\n\n{table}\n<!-- end of claims -->\n\nb\n"
    (tmp_path / "docs" / "claims.md").write_text("no table\n")
    assert make_pages.claims_page() == "no table\n"


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
