"""`python -m gdmbench check method=NAME`: what is right and what is wrong with a method, in plain words."""

from threadpoolctl import threadpool_limits

from gdmbench.execute.trials import TRIALS, Candidate, try_out
from gdmbench.plan import Cell


def check_methods(cells: list[Cell]) -> int:
    """Try each cell's method, print what was found, and return 1 if anything is wrong with any of them."""
    with threadpool_limits(1):  # as in a run
        return max(_check(cell) for cell in cells)


def _check(cell: Cell) -> int:
    parameters = ", ".join(f"{key}={value}" for key, value in cell.params.items() if key != "_target_")
    print(f"{cell.label}: {cell.params['_target_']}({parameters})")
    print(f"on {cell.data['n_docs']} simulated documents of {cell.data['doc_length']} words")
    candidate = Candidate(cell)
    grades = []
    for subject in TRIALS:
        print(f"  {subject:<17}", end=" ", flush=True)  # the last word of a method that crashes or hangs
        grade, sentence = try_out(subject, candidate)
        print(f"{grade:<5} {sentence}", flush=True)
        grades.append(grade)
        if candidate.model is None:
            print("  Without a fit there is nothing more to check.")
            break
    failed = grades.count("FAIL")
    print(f"{len(grades)} checks, {failed} failed.\n" if failed else f"{len(grades)} checks, all passed.\n")
    return 1 if failed else 0
