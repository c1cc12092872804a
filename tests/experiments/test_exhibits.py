"""Every exhibit: named by the config, drawn from its own sweeps alone and from part of them.

Figures are put together but not rendered: `panel_figure` or `tradeoff_figure` draws all of them, whose tests render.
"""

from importlib import import_module

import pytest

from experiments import exhibits, paper
from gdmbench.config.sources import contents_in, sources
from gdmbench.exhibits.claims import judge_claims

FILES = contents_in("experiment", sources()[0])
EXHIBITS = [name for name, file in FILES.items() if file.get("exhibit")]


def parts_of(name):
    """The names of an experiment's parts; a variant, which has no file, is a mapping from its name to overrides."""
    parts = FILES.get(name, {}).get("parts", ())
    return [part if isinstance(part, str) else next(iter(part)) for part in parts]


def sweeps_below(name):
    """The sweeps that an experiment comes down to; a sweep that names its exhibit is its only part."""
    parts = parts_of(name)
    return list(dict.fromkeys(sweep for part in parts for sweep in sweeps_below(part))) if parts else [name]


PARTS = {name: sweeps_below(name) for name in EXHIBITS}
DRAWN = [name for name in EXHIBITS if name not in ("paper", "causes")]  # which draw nothing but what others tell


def exhibits_below(name):
    below = [each for part in parts_of(name) for each in exhibits_below(part)]
    return {name, *below} if name in EXHIBITS else set(below)


@pytest.mark.parametrize("name", EXHIBITS)
def test_an_exhibit_has_the_name_of_its_module(name):
    assert FILES[name]["name"] == name
    assert FILES[name]["exhibit"] == f"experiments.{name}"


@pytest.mark.parametrize("name", EXHIBITS)
def test_claims_are_those_of_the_paper_or_marked_as_ours(name):
    claims = import_module(f"experiments.{name}").CLAIMS
    assert {claim.where for claim in claims if claim.where.startswith("ours")} <= {f"ours: {name}"}
    of_the_paper = {claim.id for claim in claims if not claim.where.startswith("ours")}
    assert of_the_paper <= {claim.id for claim in paper.CLAIMS}
    if of_the_paper:
        assert name in exhibits_below("paper")


def test_every_exhibit_is_found_by_its_file():
    found = {module.__name__.rpartition(".")[2] for module in exhibits()}
    assert found == set(EXHIBITS)


@pytest.fixture
def mine(name, world):
    """The made-up records of an exhibit's sweeps."""
    records = world[world["experiment"].isin(PARTS[name])]
    if set(records["experiment"]) != set(PARTS[name]):
        pytest.skip("records of this exhibit are made up by its own test")
    return records


@pytest.mark.parametrize("name", DRAWN)
def test_an_exhibit_needs_no_other_sweeps_than_its_own(name, mine, tmp_path, unrendered_figures):
    exhibit = import_module(f"experiments.{name}")
    assert {verdict.verdict for verdict in judge_claims(exhibit.CLAIMS, mine)} <= {"reproduced"}
    written = exhibit.draw(mine, tmp_path / "new")
    assert {path.suffix for path in written} >= {".pdf", ".png"}
    for path in written:
        assert path.suffix in (".pdf", ".png") or path.stat().st_size > 300


@pytest.mark.parametrize("name", [name for name in DRAWN if len(PARTS[name]) > 1])
def test_an_exhibit_is_drawn_from_part_of_its_sweeps(name, mine, tmp_path, unrendered_figures):
    part = PARTS[name][-1]
    assert import_module(f"experiments.{name}").draw(mine[mine["experiment"] == part], tmp_path)


@pytest.mark.parametrize("name", DRAWN)
def test_an_exhibit_of_records_that_failed_or_lack_fields_is_no_traceback(
    name, mine, fail, tmp_path, unrendered_figures
):
    some = mine.groupby(["experiment", "method"], sort=False).head(8)
    failed = fail(some, some["status"] == "ok").assign(extra=None, data=None, axis=None)
    import_module(f"experiments.{name}").draw(failed, tmp_path)
