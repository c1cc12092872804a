"""`python -m gdmbench check method=NAME`: what is right and what is wrong with a method, in plain words."""

from gdmbench.execute import Outcome
from gdmbench.execute.check_subjects import SUBJECTS
from gdmbench.execute.worker import Job, Settings, Worker
from gdmbench.plan import Cell


def check_methods(cells: list[Cell], settings: Settings) -> int:
    """Try each cell's method, print what was found, and return 1 if anything is wrong with any of them.

    Parameters
    ----------
    cells : list of Cell
        Each a method on an easy corpus.
    settings : Settings
        For each trial, which a worker process makes as it runs the cells of a run.
    """
    worker = Worker(settings)
    try:
        return max(_grade_method(cell, worker) for cell in cells)
    finally:
        worker.stop()


def _grade_method(cell: Cell, worker: Worker) -> int:
    parameters = ", ".join(f"{key}={value}" for key, value in cell.params.items() if key != "_target_")
    print(f"{cell.label}: {cell.params['_target_']}({parameters})")
    print(f"on {cell.data['n_docs']} simulated documents of {cell.data['doc_length']} words")
    grades = []
    for subject in SUBJECTS:
        print(f"  {subject:<17}", end=" ", flush=True)
        outcome = worker.do(Job("try", cell, subject))
        grade, sentence = _grade(outcome)
        print(f"{grade:<5} {sentence}", flush=True)
        grades.append(grade)
        if outcome["status"] != "ok":
            print("  A run would end the cell there, so there is nothing more to check.")
            break
        if not outcome["fitted"]:
            print("  Without a fit there is nothing more to check.")
            break
    failed = grades.count("FAIL")
    print(f"{len(grades)} checks, {failed} failed.\n" if failed else f"{len(grades)} checks, all passed.\n")
    return 1 if failed else 0


def _grade(outcome: Outcome) -> tuple[str, str]:
    if outcome["status"] == "ok":
        return outcome["grade"], outcome["sentence"]
    return "FAIL", f"{outcome['status']}: {outcome['error']}."
