"""Every fault of a method costs its own cell and no other, under each executor that isolates cells."""

import pytest

FAULTS = {
    "raise": ("error", "RuntimeError: as told, over two lines"),
    "exit": ("crashed", "exit code 0"),
    "segfault": ("crashed", "SIGSEGV"),
    "hang": ("timeout", "20 s of executor.time_limit"),
    "hang compiled": ("timeout", "20 s of executor.time_limit"),
    "memory": ("out of memory", "500 MB of executor.memory_limit"),
    "not a number": ("error", "NaN or infinite entries, the first in row 1"),
    "negative": ("error", "negative entries, the first in row 0"),
    "shape": ("error", "has shape (3, "),
    "no topics": ("error", "Faulty has no components_ after fit"),
    "unpicklable": ("error", "its record_ holds what JSON can't"),
}


@pytest.mark.parametrize("executor", ["local", "dask"])
def test_a_fault_costs_one_cell_and_is_tried_again(toy, executor):
    words = ["sweep.values=[45]", "repetitions=1", f"executor={executor}", "executor.n_workers=2"]
    words += ["executor.memory_limit=500", "executor.time_limit=20"]
    for number, fault in enumerate(FAULTS):
        words += [f"+method@methods.fault{number}=faulty", f"methods.fault{number}.fault={fault}"]
    code, said, records = toy(*words)
    assert code == 1
    assert len(records) == 1 + len(FAULTS)
    assert [record["status"] for record in records if record["method"] == "nothing"] == ["ok"]
    for number, (status, sentence) in enumerate(FAULTS.values()):
        mine = [record for record in records if record["method"] == f"fault{number}"]
        assert [record["status"] for record in mine] == [status]
        assert all(sentence in record["error"] for record in mine)
        assert sentence in said
    assert f"1 of {1 + len(FAULTS)} cells are fine" in said
    assert "Traceback" not in said
    if executor == "dask":
        return  # what is tried again does not depend on where
    quick = [word for word in words if "fault3" not in word and "fault4" not in word]  # the hangs need no second wait
    code, said, again = toy(*quick)
    assert code == 1
    assert [record["method"] for record in again[len(records) :]].count("nothing") == 0
    assert len(again) == len(records) + len(FAULTS) - 2
