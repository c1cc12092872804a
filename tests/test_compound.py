"""Experiments made of others."""

import json
import re
import shutil
from pathlib import Path

import pytest

from gdmbench.cli import main
from gdmbench.config.experiment import load_experiment
from gdmbench.errors import ConfigError

TOY = Path(__file__).parent / "toy"


@pytest.fixture
def compound(tmp_path, monkeypatch, capsys, blank_figures, in_this_process):
    monkeypatch.syspath_prepend(str(TOY))
    monkeypatch.chdir(tmp_path)

    def run(name, *overrides, verb=()):
        code = main([*verb, "--config-dir", str(TOY / "conf"), f"+experiment={name}", "repetitions=1", *overrides])
        said = capsys.readouterr()
        return code, said.out + said.err

    return run


def test_each_sweep_runs_once_and_the_exhibit_is_drawn(compound, tmp_path):
    code, said = compound("all_toys")
    assert code == 0
    assert "[2/2]" in said
    assert (tmp_path / "results/toys/counts.txt").read_text().split() == ["experiment", "toy", "3", "toy_short", "3"]
    assert "1 reproduced" in said
    assert "every cell is fine" in (tmp_path / "results/toys/claims.md").read_text()
    assert {path.name for path in (tmp_path / "results").iterdir()} == {"all_toys", "toy", "toy_short", "toys"}
    assert {path.name for path in (tmp_path / "results/all_toys").iterdir()} == {"report.html"}


@pytest.mark.parametrize("name", ["toy", "toys"])
def test_an_exhibit_need_neither_make_its_folder_nor_return_or_claim_anything(compound, tmp_path, monkeypatch, name):
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "plain_exhibit.py").write_text(
        "def draw(frame, folder):\n    (folder / 'mine.txt').write_text('drawn')\n"
    )
    assert compound(name, "exhibit=plain_exhibit")[0] == 0
    assert (tmp_path / "results" / name / "mine.txt").read_text() == "drawn"
    assert not (tmp_path / "results" / name / "claims.md").exists()


def test_an_exhibit_that_cannot_be_drawn_is_refused_before_anything_runs(compound, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "no_exhibit.py").write_text("")
    for name, sentence in [
        ("no_exhibit", "has no function draw(frame, folder): write one."),
        ("nowhere", "can't be imported: No module named 'nowhere'."),
    ]:
        assert compound("toy", f"exhibit={name}") == (2, f"gdmbench: exhibit={name} {sentence}\n")
    assert not (tmp_path / "results").exists()


def test_the_provenance_of_an_exhibit_sums_up_its_sweeps(compound, tmp_path):
    compound("toys")
    compound("toys", "repetitions=2")  # goes on from there
    told = json.loads((tmp_path / "results/toys/provenance.json").read_text())
    assert [run["sweep"] for run in told["runs"]] == ["toy", "toy", "toy_short", "toy_short"]
    assert told["total"]["cells"] == 12
    for sweep in ("toy", "toy_short"):
        runs = json.loads((tmp_path / f"results/{sweep}/provenance.json").read_text())["runs"]
        assert [run["seconds"] for run in runs] == [run["seconds"] for run in told["runs"] if run["sweep"] == sweep]
    lines = [(tmp_path / f"results/{sweep}/records.jsonl").read_text() for sweep in ("toy", "toy_short")]
    cpu = sum(json.loads(line)["cell_cpu_seconds"] for line in "".join(lines).splitlines())
    assert told["total"]["cpu_seconds"] == pytest.approx(cpu)
    assert told["total"]["seconds"] == pytest.approx(sum(run["seconds"] for run in told["runs"]))


def test_redrawing_runs_nothing(compound, tmp_path):
    assert compound("toys", verb=["redraw"])[0] == 2
    compound("toys")
    (tmp_path / "results").rename(tmp_path / "kept")
    (tmp_path / "kept/toys/counts.txt").unlink()
    (tmp_path / "kept/toy/mm_distance.pdf").unlink()
    before = (tmp_path / "kept/toy/records.jsonl").read_bytes()
    code, said = compound("toys", "root=kept", verb=["redraw"])
    assert code == 0
    assert (tmp_path / "kept/toys/counts.txt").exists()
    assert (tmp_path / "kept/toy/mm_distance.pdf").exists()
    assert (tmp_path / "kept/toy/records.jsonl").read_bytes() == before
    code, said = compound("toys", "root=kept", "repetitions=2", verb=["redraw"])
    assert code == 1
    assert "3 of 6 cells are fine" in said


def test_a_plan_of_parts(compound, tmp_path):
    code, said = compound("toys", verb=["plan"])
    assert code == 0
    assert said.count("3 cells, 0 done, 3 to run") == 2
    assert not (tmp_path / "results").exists()


def test_a_compound_of_itself_is_refused(compound):
    code, said = compound("toys", "parts=[toys]")
    assert code == 2
    assert "is a part of itself" in said


def test_a_variant_is_its_experiment_with_its_own_words_under_those_that_were_typed():
    def documents(*words):
        config = load_experiment(["+experiment=toys", *words], TOY / "conf").sweeps["toy_short"]
        return config.data.doc_length, config.data.n_words, config.title

    assert documents() == (10, 30, "Documents of 10 words")
    assert documents("data.doc_length=5", "data.n_words=40") == (5, 40, "Documents of 5 words")
    assert documents("scale=quick")[0] == 8
    assert documents("scale=quick", "data.doc_length=5")[0] == 5


def test_a_variant_has_no_name_of_its_own_to_type(compound):
    code, said = compound("toy_short")
    assert code == 2
    assert said == "gdmbench: 'toy_short' is a part of the experiment 'toys': write +experiment=toys.\n"


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ("[toy, 3]", "parts of own: 3 is neither an experiment nor NAME: [key=value, ...]."),
        ("[toy, {short: data.doc_length=10}]", "is neither an experiment nor NAME: [key=value, ...]."),
        ("[toys, {toy_short: [+experiment=toy]}]", "Two experiments have a part 'toy_short', and they differ"),
        ("[{short: [+experiment=toi]}]", "There is no experiment 'toi': did you mean 'toy'?"),
        ("[{short: [+experiment=toy, data.n_dogs=3]}]", "There is no config key 'data.n_dogs'"),
    ],
)
def test_a_mistake_in_a_part_gets_one_sentence(parts, sentence, tmp_path):
    files = tmp_path / "conf"
    shutil.copytree(TOY / "conf", files)
    (files / "experiment" / "own.yaml").write_text(f"# @package _global_\nname: own\nparts: {parts}\n")
    with pytest.raises(ConfigError, match=re.escape(sentence)):
        load_experiment(["+experiment=own"], files)


def test_a_corpus_that_is_not_there_costs_its_own_sweep_only(compound, tmp_path):
    code, said = compound("corpus_toys")
    assert code == 1
    assert "Left out: There is no file or folder nowhere.txt" in said
    assert (tmp_path / "results/corpus_toys/counts.txt").read_text().split() == ["experiment", "toy", "3"]


def test_a_name_and_a_folder_are_those_of_the_whole(compound, tmp_path):
    code, said = compound("toys", "name=mine", "folder=pictures", "title=Mine")
    assert code == 0
    assert {path.name for path in (tmp_path / "results").iterdir()} == {"toy", "toy_short", "pictures"}
    assert "Mine: written to results/pictures/" in said
