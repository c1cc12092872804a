"""`python -m gdmbench check method=NAME`: what is right and what is wrong with a method, in plain words."""

from pathlib import Path

from threadpoolctl import threadpool_limits

from gdmbench.runner.checks import CHECKS, Trial, judge
from gdmbench.runner.compose import load_config
from gdmbench.runner.errors import ConfigError
from gdmbench.runner.listing import nearest, options
from gdmbench.runner.plan import Cell, make_plan
from gdmbench.runner.targets import RESERVED

# An easy corpus: nearly pure documents, distinct topics, small enough for a slow method to fit five times in seconds.
CORPUS = ["data.n_docs=300", "data.doc_length=80", "data.n_words=120", "data.n_topics=3", "data.n_heldout=40"]


def check(words: list[str], extra_dir: Path | None = None) -> int:
    """Check each method named, print what was found, and return 1 if anything is wrong with any of them.

    Parameters
    ----------
    words : list of str
        ``method=NAME`` (or ``+method@methods.MINE=NAME``) and overrides of the parameters.
    extra_dir : Path, optional
        The user's own folder of configs.
    """
    with threadpool_limits(1):  # as in a run
        return max(check_method(cell) for cell in cells_to_check(words, extra_dir))


def cells_to_check(words: list[str], extra_dir: Path | None = None) -> list[Cell]:
    """Return a cell on the easy corpus for each method named, at its quick values unless others are typed."""
    overrides = []
    for word in words:
        key, _, name = word.removeprefix("+").partition("=")
        if key == "method":
            known = options("method", extra_dir)
            if name not in known:
                raise ConfigError(f"There is no method '{name}': {nearest(name, known)}")
            overrides.append(f"+method@methods.{name}={name}")
        elif key.startswith(("method@", "methods.")) or key in {"seed", "scale"}:
            overrides.append(word)
        else:
            raise ConfigError(
                f"check can't use '{word}': it takes method=NAME, methods.NAME.key=value, seed and scale."
            )
    if not any("method@" in word for word in overrides):
        raise ConfigError(f"Which method? Write check method=NAME; {nearest('', options('method', extra_dir))}")
    config = load_config(["name=check", "scale=quick", *CORPUS, *overrides], extra_dir)
    return make_plan(config).points


def check_method(cell: Cell) -> int:
    """Print a line for each check of a cell's method and return 1 if one of them failed."""
    parameters = ", ".join(f"{key}={value}" for key, value in cell.params.items() if key not in RESERVED)
    print(f"{cell.label}: {cell.params['_target_']}({parameters})")
    print(f"on {cell.data['n_docs']} simulated documents of {cell.data['doc_length']} words")
    trial = Trial(cell)
    verdicts = []
    for subject in CHECKS:
        print(f"  {subject:<17}", end=" ", flush=True)  # the last word of a method that crashes or hangs
        finding = judge(subject, trial)
        print(f"{finding.verdict:<5} {finding.sentence}", flush=True)
        verdicts.append(finding.verdict)
        if trial.model is None:
            print("  Without a fit there is nothing more to check.")
            break
    failed = verdicts.count("FAIL")
    print(f"{len(verdicts)} checks, {failed} failed.\n" if failed else f"{len(verdicts)} checks, all passed.\n")
    return 1 if failed else 0
