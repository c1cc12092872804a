"""Methods from outside: a folder of configs, an installed package, and packages that are broken."""

import json
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gdmbench.cli import main
from gdmbench.config.sources import registered

EXAMPLE = Path(__file__).parents[2] / "docs" / "example_package"

METHOD = """\
# A method for a test
_target_: {target}
n_topics: ${{model.n_topics}}
"""

CLASS = """\
from gdmbench import GDM

class Mine:
    def __init__(self, n_topics: int, random_state=None):
        self.n_topics, self.random_state = n_topics, random_state

    def fit(self, X):
        self.components_ = 7 * GDM(self.n_topics, random_state=self.random_state).fit(X).components_
"""

SMALL = ["data.n_words=60", "data.doc_length=30", "sweep.values=[50]", "repetitions=1", "executor=serial"]
OTHERS = ["~methods.gibbs", "~methods.vem", "~methods.recover_kl"]


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture
def register(tmp_path, monkeypatch):
    """Install a package that holds these files and registers this value, as far as Python can tell."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.chdir(tmp_path)

    def install(name, value, files=None):
        for path, text in (files or {}).items():
            write(site / path, text)
        info = site / f"{name}-1.5.dist-info"
        write(info / "METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.5\n")
        write(info / "entry_points.txt", f"[gdmbench.conf]\n{name} = {value}\n")
        registered.cache_clear()

    yield install
    for name in ("good", "broken"):
        sys.modules.pop(name, None)


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """A folder of configs with one method whose class lies in the folder one runs from."""
    write(tmp_path / "my_package.py", CLASS)
    write(tmp_path / "my_conf" / "method" / "mine.yaml", METHOD.format(target="my_package.Mine"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path / "my_conf"
    sys.modules.pop("my_package", None)


def test_a_folder_of_configs_joins_an_experiment(mine, tmp_path, capsys, in_this_process, blank_figures):
    words = [
        "--config-dir",
        "my_conf",
        "+experiment=vary_M",
        "+method@methods.mine=mine",
        "root=.",
        "folder=out",
        *SMALL,
    ]
    assert main([*words, *OTHERS]) == 0, capsys.readouterr()
    records = [json.loads(line) for line in (tmp_path / "out" / "records.jsonl").read_text().splitlines()]
    found = {record["method"]: record["mm_distance"] for record in records}
    assert set(found) == {"gdm", "tgdm", "mine"}
    assert found["mine"] == pytest.approx(found["gdm"])  # it is GDM, unnormalised, on the same data and seed


def test_help_names_the_folder(mine, capsys):
    main(["--config-dir", "my_conf", "--help"])
    assert "A method for a test (from my_conf)" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["with space", "with,comma", "with=equals", "with'quote", "ünïcode"])
def test_any_folder_name_will_do(mine, tmp_path, name):
    mine.rename(tmp_path / name)
    assert main(["--config-dir", name, "plan", "+experiment=vary_M", "+method@methods.mine=mine"]) == 0


def test_a_config_of_ones_own_may_not_take_a_name_of_ours(mine, capsys):
    write(mine / "method" / "gdm.yaml", METHOD.format(target="my_package.Mine"))
    assert main(["--config-dir", "my_conf", "+experiment=vary_M"]) == 2
    assert "gdm.yaml has the name of a config of gdmbench: give it another." in capsys.readouterr().err


def test_a_package_that_fails_to_import_is_named(mine, tmp_path, capsys):
    write(tmp_path / "bursting.py", "raise RuntimeError('at the first line')")
    write(mine / "method" / "burst.yaml", METHOD.format(target="bursting.Mine"))
    assert main(["--config-dir", "my_conf", "+experiment=vary_M", "+method@methods.burst=burst", *OTHERS]) == 2
    said = capsys.readouterr().err
    assert "methods.burst._target_=bursting.Mine can't be imported: RuntimeError: at the first line." in said


def test_a_registered_method_is_listed_with_its_origin_and_runs(register, capsys, blank_figures):
    # Listing imports nothing of the package: it would pay for whatever the package imports.
    files = {"good/__init__.py": "import pip._internal\n" + CLASS}
    files["good/conf/method/theirs.yaml"] = METHOD.format(target="good.Mine")
    register("good", "good.conf", files)
    assert main(["--help"]) == 0
    assert "good" not in sys.modules
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["theirs", "A", "method", "for", "a", "test", "(from", "good", "1.5)"] in lines
    assert main(["check", "method=theirs"]) == 0
    assert main(["+experiment=vary_M", "+method@methods.theirs=theirs", *OTHERS, "root=.", "folder=out", *SMALL]) == 0
    assert "note" not in capsys.readouterr().err


BROKEN = [
    ("nowhere.conf", {}, "broken 1.5 registers the configs 'nowhere.conf', which can't be imported: "),
    ("broken.konf", {"broken/__init__.py": ""}, "there is no package 'broken.konf'"),
    ("broken.conf", {"broken/conf/__init__.py": ""}, "'broken.conf', but there is no method/*.yaml"),
    ("broken", {"broken/method/gdm.yaml": "_target_: x.Y"}, "method/gdm.yaml of broken 1.5 has the name of a config"),
]


@pytest.mark.parametrize(("value", "files", "sentence"), BROKEN, ids=[value for value, *_ in BROKEN])
def test_a_broken_package_is_named_in_help_and_at_every_run(register, capsys, value, files, sentence):
    register("broken", value, files)
    register("good", "good.conf", {"good/conf/method/theirs.yaml": METHOD.format(target="gdmbench.GDM")})
    assert main(["--help"]) == 0
    said = capsys.readouterr().out
    assert sentence in said.partition("PROBLEMS")[2]
    assert "(from good 1.5)" in said
    assert main(["plan", "+experiment=vary_M", "+method@methods.theirs=theirs"]) == 0
    said = capsys.readouterr().err
    assert said.startswith("gdmbench: note: ")
    assert sentence in said


def test_help_says_when_a_method_can_not_be_imported(register, capsys):
    register("good", "good.conf", {"good/conf/method/theirs.yaml": METHOD.format(target="nowhere.Mine")})
    assert main(["--help"]) == 0
    assert "(from good 1.5) (can't be imported: there is no package 'nowhere')" in capsys.readouterr().out
    assert main(["check", "method=theirs"]) == 2
    assert "methods.theirs._target_=nowhere.Mine can't be imported" in capsys.readouterr().err


def test_the_example_package_installs_and_runs(tmp_path, monkeypatch, capsys, in_this_process, blank_figures):
    shutil.copytree(EXAMPLE, tmp_path / "package", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.chdir(tmp_path)
    offline = ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "install", "--quiet", *offline, "--target", "site", "./package"]
    subprocess.run(command, check=True)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))

    def said(*words):
        assert main(words) == 0, capsys.readouterr()
        return capsys.readouterr().out

    assert "(from plsa-topics 0.1.0)" in said("--help")
    runpy.run_path("package/tests/test_plsa.py")["test_plsa_is_a_method_in_good_order"]()
    found = said("+experiment=plsa_against_gdm", "scale=quick", "root=.", "folder=out")
    assert "12 of 12 cells are fine" in found
    assert "plain_plsa " in said("plan", "+experiment=vary_M", "+method@methods.plain_plsa=plain_plsa", *OTHERS)
    sys.modules.pop("plsa_topics")
