"""`verify` on real small folders: every grade, every fault, and why a number differs."""

import importlib
import json
import re
from math import comb

import numpy as np
import pytest

from gdmbench import verify as module
from gdmbench.cli import main
from gdmbench.exhibits.report import read_sources
from gdmbench.exhibits.report.page import report_data
from gdmbench.verify import closing


@pytest.fixture
def folder(toy, tmp_path, in_this_process):
    """A folder of twelve cells."""
    assert toy()[0] == 0
    return tmp_path / "out"


@pytest.fixture
def verify(capsys):
    def run(folder, *words):
        code = main(["verify", str(folder), *(words or ("seed=7",))])
        said = capsys.readouterr()
        return code, said.out + said.err

    return run


@pytest.fixture
def put_fit(folder, monkeypatch):
    """Put another `fit` into the toy method, which is what changed code would be; it gets the old one."""
    method = importlib.import_module("toy_methods").Nothing
    old = method.fit
    return lambda fit: monkeypatch.setattr(method, "fit", lambda self, X: fit(self, X, old))


@pytest.fixture
def watch(folder, monkeypatch):
    """See the cells, one by one, before they run."""

    def put(see):
        make = module.LocalExecutor

        def watched(*settings):
            executor = make(*settings)
            run = executor.run
            executor.run = lambda cells: run(map(see, list(cells)))
            return executor

        monkeypatch.setattr(module, "LocalExecutor", watched)

    return put


def change(folder, number, **columns):
    path = folder / "records.jsonl"
    lines = path.read_text().splitlines()
    record = json.loads(lines[number])
    for name, value in columns.items():
        record[name] = value(record[name]) if callable(value) else value
    lines[number] = json.dumps(record)
    path.write_text("".join(f"{line}\n" for line in lines))
    return record


def counts(said):
    return {
        name: int(n) for name, n in re.findall(r"^  (same bits|rounding|between machines|other) +(\d+)$", said, re.M)
    }


def test_an_untouched_folder_agrees_bit_for_bit_in_processes_of_its_own(toy, verify, tmp_path):
    toy("repetitions=1")
    code, said = verify(tmp_path / "out")
    assert code == 0
    assert "faults" not in said
    assert counts(said) == {"same bits": 3, "rounding": 0, "between machines": 0, "other": 0}
    # 1 - 0.05^(1/3)
    sentence = "3 of 3 cells drawn (seed 7) agree, 3 of them bit for bit: with 95 % confidence at most 63.2 % of the 3"
    assert f"{sentence} would not.\n" in said


def test_rounding_and_machines_are_graded_and_agree(toy, folder, verify):
    toy("+method@methods.tgdm=tgdm", "repetitions=1")
    change(folder, 0, perplexity=lambda x: x * (1 + 1e-9))
    record = change(folder, -1, perplexity=lambda x: x * 1.002)
    assert record["method"] == "tgdm"
    code, said = verify(folder)
    assert code == 0
    assert counts(said) == {"same bits": 13, "rounding": 1, "between machines": 1, "other": 0}


def test_a_number_changed_by_hand_is_wrong_as_another_repetition_agrees(folder, verify):
    record = change(folder, 4, mm_distance=lambda x: x * 1.01, loss=lambda x: x * 2)
    code, said = verify(folder)
    assert code == 1
    assert counts(said)["other"] == 1
    line = next(line for line in said.splitlines() if "agrees, so this number is wrong" in line)
    assert line.startswith("  toy, nothing at data.n_docs=60, repetition 1: mm_distance was ")
    assert f"was {record['mm_distance']} and is " in line
    assert "1 more differ" in line
    assert "11 of 12 cells drawn" in said


def test_changed_code_may_touch_few_cells_so_that_only_the_old_code_can_tell(folder, verify):
    """The second reference run has such a cell: k-means ends elsewhere today for one draw of many."""
    change(folder, 4, loss=1.0, versions=lambda versions: {**versions, "source": "0", "gdmbench": "0.1+gabc"})
    code, said = verify(folder)
    assert code == 1
    assert "loss was 1.0 and is " in said
    assert "agrees, so this number is wrong or a change of code touches few cells; the code of 0.1+gabc" in said


def test_code_that_draws_otherwise_is_told_from_a_wrong_number(folder, verify, put_fit):
    def fit_with_another_seed(self, X, fit):
        self.random_state += 1
        return fit(self, X)

    put_fit(fit_with_another_seed)
    code, said = verify(folder, "n=2", "seed=7")
    assert code == 1
    assert said.count("differs too, so the same code gives other draws, with no difference in results") == 2
    assert "0 of 2 cells drawn (seed 7) agree" in said


def test_code_with_other_results_is_told_too_by_an_exact_test(folder, verify, put_fit):
    def fit_worse(self, X, fit):
        self.components_ = np.eye(X.shape[1])[: self.n_topics] + 1e-9
        return self

    put_fit(fit_worse)
    for number in range(12):
        change(folder, number, versions=lambda versions: {**versions, "source": "0"})
    code, said = verify(folder, "n=1", "seed=7")
    assert code == 1
    # All five fresh runs beyond all three repetitions: 2 of the 56 ways to choose 3 of 8.
    assert 2 / comb(8, 3) == pytest.approx(0.036, abs=5e-4)
    assert "differs too, so today's code gives other results" in said
    assert "Mann-Whitney p = 0.036" in said


def test_too_few_repetitions_are_said(toy, folder, verify, tmp_path):
    for repetitions, words in ((1, "no other repetition to tell why"), (2, "5 fresh seeds and 1 other repetitions")):
        name = f"few{repetitions}"
        toy(f"repetitions={repetitions}", folder=name)
        for number in range(3 * repetitions):
            change(tmp_path / name, number, perplexity=1.0)
        code, said = verify(tmp_path / name)
        assert code == 1
        assert words in said


def test_a_cell_that_fails_today_differs(folder, verify, put_fit):
    def fail(self, X, fit):
        raise RuntimeError("no more")

    put_fit(fail)
    code, said = verify(folder, "n=3", "seed=7")
    assert code == 1
    assert said.count("today it ends with error: RuntimeError: no more") == 3
    assert "0 of 3 cells drawn (seed 7) agree, 0 of them bit for bit: with 95 % confidence at most 100.0 %" in said


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ({"seed": 3}, "its key is not that of what it tells"),
        ({"params": {"_target_": "toy_methods.Nothing", "n_topics": 4}}, "its key is not that"),
        ({"params": None}, "its key is not that"),
        ({"data": {"_target_": "gdmbench.simulate_lda", "n_docs": float("nan")}}, "its key is not that"),
        ({"key": "0123456789abcdef"}, "its key is not that"),
        ({"key": "0123456789abcdef"}, "toy, nothing at data.n_docs=60, repetition 0, is missing."),
        (
            {"value": 70},
            "at data.n_docs=70, repetition 0, was changed: its config calls it toy, nothing at data.n_docs=60",
        ),
        ({"method": "gdm"}, "toy, gdm at data.n_docs=60, repetition 0, was changed: its config calls it toy, nothing"),
        ({"format": 1}, "has format 1, and only 2 can be checked"),
    ],
)
def test_a_record_at_fault_is_named(folder, verify, columns, sentence):
    change(folder, 1, **columns)
    code, said = verify(folder, "n=1", "seed=7")
    assert code == 1
    assert sentence in said


def test_a_cut_line_and_a_missing_cell_are_named(folder, verify):
    path = folder / "records.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([lines[0], *lines[2:11], lines[11][:100]]))
    code, said = verify(folder, "n=1", "seed=7")
    assert code == 1
    assert "3 faults in the records:" in said
    assert "line 11, is damaged" in said
    assert "toy, nothing at data.n_docs=60, repetition 0, is missing." in said
    assert "toy, nothing at data.n_docs=70, repetition 3, is missing." in said


def test_without_its_config_a_folder_is_checked_but_for_missing_cells(folder, verify):
    (folder / "config.yaml").unlink()
    code, said = verify(folder, "n=1", "seed=7")
    assert code == 1
    assert "today's code can't tell whether cells are missing" in said
    assert "1 of 1 cells drawn" in said


def test_records_of_a_newer_format_are_a_mistake(folder, verify):
    change(folder, 1, format=99)
    code, said = verify(folder)
    assert code == 2
    assert "line 2, was written by a newer version of gdmbench" in said


def test_records_made_by_other_code_are_named_and_no_fault(folder, verify):
    change(folder, 1, versions=lambda versions: {**versions, "source": "0", "numpy": "1.0"})
    code, said = verify(folder, "n=1", "seed=7")
    assert code == 0
    assert "1 of 12 records were made by other code than today's: its source files, numpy 1.0." in said


def test_cells_whose_corpus_is_not_there_are_named_and_left_out(folder, verify, toy_words, tmp_path):
    corpus = tmp_path / "texts.txt"
    corpus.write_text("".join(f"apple{i % 7} pear{i % 5} plum{i % 3} fig{i % 2}\n" for i in range(60)))
    words = [*toy_words[:2], "+experiment=toy_corpus", f"data.path={corpus}", "data.n_heldout=10", "model.n_topics=2"]
    assert main([*words, "root=.", "folder=texts", "repetitions=1"]) == 0
    code, said = verify(tmp_path)
    assert code == 0
    assert "13 of 13 cells drawn" in said
    corpus.write_text("another text\n" * 60)
    code, said = verify(tmp_path)
    assert code == 0
    assert f"Left out: 1 cells of the corpus {corpus}: its files are not here, or not what they were." in said
    assert "12 of 12 cells drawn" in said


def test_the_draw_follows_from_its_seed_and_a_longer_one_goes_on(folder, verify, watch):
    ran = []
    watch(lambda cell: ran.append(cell.key) or cell)

    def drawn(*words):
        ran.clear()
        code, said = verify(folder, *words)
        assert code == 0
        return list(ran), said

    first, _ = drawn("n=3", "seed=1")
    whole, _ = drawn("n=12", "seed=1")
    other, _ = drawn("n=99", "seed=2")
    assert whole[:3] == first
    assert len({*whole}) == 12
    assert sorted(whole) == sorted(other)
    assert whole != other
    some, said = drawn("n=2")
    seed = re.search(r"drawn with seed (\d+)", said)[1]
    assert drawn("n=2", f"seed={seed}")[0] == some


def test_ctrl_c_says_what_is_known_so_far(folder, verify, watch):
    ran = []

    def stop(cell):
        if len(ran) == 2:
            raise KeyboardInterrupt
        ran.append(cell)
        return cell

    watch(stop)
    code, said = verify(folder)
    assert code == 130
    assert "Stopped: 2 of the 2 cells that have ended agree, of 12 drawn." in said


def test_the_outcome_is_kept_and_the_report_shows_it(folder, verify):
    change(folder, 0, loss=float("nan"))
    file = folder / "confirmed-here.json"
    code, said = verify(folder, "seed=7", "--write", str(file))
    assert code == 1
    kept = json.loads(file.read_text())
    assert kept["sentence"] in said
    assert kept["seed"] == 7
    assert kept["versions"]["cpu"]
    assert len(kept["cells"]) == 12
    assert sorted(cell["grade"] for cell in kept["cells"]) == ["other", *["same bits"] * 11]
    (other,) = (cell for cell in kept["cells"] if cell["grade"] == "other")
    assert other["measures"]["loss"][2] == "other"
    assert other["measures"]["n_topics"] == [3, 3, "same bits"]
    assert other["measures"]["loss"][0] == "NaN"
    (folder / "confirmed-other.json").write_text("[]")
    data = report_data(read_sources([folder]), folder)
    shown = {"when": kept["when"], "cpu": kept["versions"]["cpu"], "sentence": kept["sentence"]}
    assert data["confirmed"] == [shown]


@pytest.mark.parametrize(
    "words", [(), ("a", "b"), ("a", "n=0"), ("a", "n=-1"), ("a", "n=x"), ("a", "m=1"), ("nowhere",)]
)
def test_a_mistake_is_one_sentence(words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["verify", *words]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(("differ", "n"), [(0, 200), (1, 200), (7, 30), (29, 30)])
def test_the_bound_is_the_share_at_which_so_few_would_differ_with_five_percent_probability(differ, n):
    sentence = closing({"same bits": n - differ, "other": differ}, 7, 7575)
    bound = float(re.search(r"at most ([\d.]+) %", sentence)[1]) / 100

    def at_most(share):  # the binomial distribution, written out
        return sum(comb(n, i) * share**i * (1 - share) ** (n - i) for i in range(differ + 1))

    # The bound is printed to a tenth of a percent.
    assert at_most(bound - 0.0005) > 0.05 > at_most(bound + 0.0005)
    assert "of the 7,575 would not." in sentence
