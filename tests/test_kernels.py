"""Compiled functions are cached, and work where no folder for the cache can be written to."""

import subprocess
import sys

import pytest

MODULE = """
from gdmbench.kernels import kernel
@kernel
def twice(x):
    return 2.0 * x
@kernel(fastmath={"contract"})
def four_times(x):
    return 2.0 * twice(x)
print(four_times(1.0), sum(four_times.stats.cache_hits.values()))
"""


@pytest.fixture
def run(tmp_path):
    """Run the module in a process of its own, with a home and a folder for the cache of its own."""
    (tmp_path / "module.py").write_text(MODULE)

    def run(cache):
        paths = [str(tmp_path), *sys.path]
        environment = {"PYTHONPATH": ":".join(paths), "HOME": str(cache), "NUMBA_CACHE_DIR": str(cache), "PATH": ""}
        command = [sys.executable, "-c", "import module"]
        return subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout.split()

    return run


def test_a_second_process_loads_what_the_first_has_compiled(run, tmp_path):
    assert run(tmp_path / "cache") == ["4.0", "0"]
    assert run(tmp_path / "cache") == ["4.0", "1"]


def test_kernels_compile_where_no_folder_can_be_written_to(run, tmp_path):
    blocked = tmp_path / "a file, not a folder"
    blocked.touch()
    (tmp_path / "__pycache__").touch()
    assert run(blocked) == ["4.0", "0"]
