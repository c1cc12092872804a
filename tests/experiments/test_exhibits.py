"""Every exhibit: named by the config, drawn from its own sweeps alone and from part of them.

Figures are put together but not rendered: `panel_figure` or `tradeoff_figure` draws all of them, whose tests render.
"""

from importlib import import_module

import pytest

from experiments import paper
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
OURS = {"choose_k", "frontier", "growth", "unknown_k", "vem_start", "wide"}  # exhibits of which the paper says nothing
DRAWN = [name for name in EXHIBITS if name not in ("paper", "causes", "figure_1", "choose_k")]  # tested by themselves


def exhibits_below(name):
    below = [each for part in parts_of(name) for each in exhibits_below(part)]
    return {name, *below} if name in EXHIBITS else set(below)


def test_the_paper_is_made_of_every_exhibit():
    assert exhibits_below("paper") == {*EXHIBITS} - OURS | {"frontier"}  # beside the paper's, as a word on it
    for name in EXHIBITS:
        assert FILES[name]["name"] == name
        assert FILES[name]["exhibit"] == f"experiments.{name}"


def test_the_paper_has_the_claims_of_every_exhibit():
    found = {claim.id for name in set(PARTS) - OURS for claim in import_module(f"experiments.{name}").CLAIMS}
    assert found == {claim.id for claim in paper.CLAIMS}


def test_claims_of_our_own_are_marked_as_ours():
    for name in set(PARTS):
        for claim in import_module(f"experiments.{name}").CLAIMS:
            assert claim.where.startswith("ours: ") == (name in OURS), claim.id


@pytest.mark.parametrize("name", DRAWN)
def test_an_exhibit_needs_no_other_sweeps_than_its_own(name, world, tmp_path, unrendered_figures):
    exhibit = import_module(f"experiments.{name}")
    mine = world[world["experiment"].isin(PARTS[name])]
    assert set(mine["experiment"]) == set(PARTS[name])
    assert {verdict.verdict for verdict in judge_claims(exhibit.CLAIMS, mine)} <= {"reproduced"}
    written = exhibit.draw(mine, tmp_path / "new")
    assert {path.suffix for path in written} >= {".pdf", ".png"}
    for path in written:
        assert path.suffix in (".pdf", ".png") or path.stat().st_size > 300


@pytest.mark.parametrize("name", [name for name in DRAWN if len(PARTS[name]) > 1])
def test_an_exhibit_is_drawn_from_part_of_its_sweeps(name, world, tmp_path, unrendered_figures):
    part = PARTS[name][-1]
    assert import_module(f"experiments.{name}").draw(world[world["experiment"] == part], tmp_path)


@pytest.mark.parametrize("name", DRAWN)
def test_an_exhibit_of_records_that_failed_or_lack_fields_is_no_traceback(
    name, world, fail, tmp_path, unrendered_figures
):
    mine = world[world["experiment"].isin(PARTS[name])].groupby(["experiment", "method"], sort=False).head(8)
    failed = fail(mine, mine["status"] == "ok").assign(extra=None, data=None, axis=None)
    import_module(f"experiments.{name}").draw(failed, tmp_path)
