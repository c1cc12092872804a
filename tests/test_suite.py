"""A user's folders and files with the names of our packages hide nothing of ours, and nothing of theirs is hidden."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

CLASS = """\
from gdmbench import GDM

class Mine:
    def __init__(self, n_topics: int, random_state=None):
        self.n_topics, self.random_state = n_topics, random_state

    def fit(self, X):
        self.components_ = GDM(self.n_topics, random_state=self.random_state).fit(X).components_
"""
EXHIBIT = """\
CLAIMS = []

def draw(frame, folder):
    (folder / "mine.txt").write_text(str(len(frame)))
    return [folder / "mine.txt"]
"""
SMALL = ["data.n_words=60", "data.doc_length=30", "sweep.values=[50]", "repetitions=1", "root=.", "folder=out"]
OTHERS = [
    "~methods.tgdm",
    "~methods.vem",
    "~methods.recover_kl",
    "methods.gibbs.n_sweeps=2",
    "methods.gibbs.n_chains=1",
]

# files in the folder one runs from, and the target of the user's method
SHADOWS = {
    "packages": ({"baselines/__init__.py": "", "baselines/mine.py": CLASS}, "baselines.mine.Mine"),
    "a package with the class in it": ({"baselines/__init__.py": CLASS}, "baselines.Mine"),
    "folders without __init__": ({"baselines/mine.py": CLASS}, "baselines.mine.Mine"),
    "a file": ({"baselines.py": CLASS, "experiments.py": "raise RuntimeError"}, "baselines.Mine"),
    "a file that breaks": ({"baselines.py": "raise RuntimeError", "mine.py": CLASS}, "mine.Mine"),
}


@pytest.mark.parametrize("name", SHADOWS)
def test_ours_is_found_and_theirs_too(tmp_path, name):
    files, target = SHADOWS[name]
    files = {
        "experiments/__init__.py": "",
        "experiments/mine.py": EXHIBIT,
        **files,
        "conf/method/mine.yaml": f"# Mine\n_target_: {target}\nn_topics: ${{model.n_topics}}\n",
    }
    if "experiments.py" in files:  # a file and a folder of one name: Python would take the folder
        del files["experiments/__init__.py"], files["experiments/mine.py"]
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    words = ["--config-dir", "conf", "+experiment=vary_M", "+method@methods.mine=mine", *SMALL, *OTHERS]
    if "experiments/mine.py" in files:
        words.append("exhibit=experiments.mine")
    verb = [] if name in ("packages", "a file") else ["plan"]  # which imports every class too, and takes a quarter
    command = [sys.executable, "-m", "gdmbench", *verb, *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    if verb:
        assert "mine           mine           0/1 done" in done.stdout
        return
    records = [json.loads(line) for line in (tmp_path / "out" / "records.jsonl").read_text().splitlines()]
    found = {record["method"]: record["mm_distance"] for record in records}
    assert set(found) == {"gdm", "gibbs", "mine"}
    assert found["mine"] == found["gdm"]
    if "experiments/mine.py" in files:
        assert (tmp_path / "out" / "mine.txt").read_text() == "3"


@pytest.mark.parametrize("content", ["", "import a_package_that_is_not_there", "raise RuntimeError"])
def test_an_installation_that_another_package_has_overwritten_says_so(tmp_path, content):
    """As pip leaves it where two packages bring a folder of the same name: the later one's `__init__` lies there."""
    for room in ("gdmbench", "conf", "experiments"):
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "baselines").mkdir()
    (tmp_path / "baselines" / "__init__.py").write_text(content)
    command = [sys.executable, "-m", "gdmbench", "plan", "+experiment=vary_M"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    sentence = f"another package called baselines has been installed over that of gdmbench in {tmp_path}: "
    assert done.returncode == 2
    note, error = done.stderr.splitlines()
    assert note.startswith(f"gdmbench: note: {sentence}")
    assert error.startswith("gdmbench: methods.gibbs._target_=baselines.")
    assert sentence in error
