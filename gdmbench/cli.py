"""The command line: `python -m gdmbench [VERB] [key=value ...]`."""

import io
import os
import secrets
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path
from typing import NoReturn

from gdmbench.errors import ConfigError, RunError, nearest, one_line

_VERBS = {
    "plan": "what would run, and what of it is done; nothing runs",
    "redraw": "tables, figures and claims again from the records there are; nothing runs",
    "check": "what is right and wrong with a method: check method=NAME [methods.NAME.key=value ...]",
    "report": "one page of everything in results folders, to open and to send: report FOLDER [FOLDER ...]",
    "fetch": "a corpus that no download gives as it is: fetch nips12 [FILE.mat] [data_dir=FOLDER]",
    "compare": "where the records of two results folders differ: compare FOLDER FOLDER",
    "verify": "whether today's code gives the recorded numbers, of cells drawn: verify FOLDER [n=200] [seed=SEED]",
}
_DESCRIPTION = """\
Topic models compared as in "Geometric Dirichlet Means algorithm for topic inference".

  python -m gdmbench +experiment=NAME [key=value ...]         runs an experiment, or what is missing of it
  python -m gdmbench VERB ...                                 does something else:
{verbs}
"""
_LISTS = """\
experiments (+experiment=NAME)
{experiment}

methods (add one with +method@methods.NAME=NAME, leave one out with ~methods.NAME)
{method}

data (data=NAME)
{data}

executors (executor=NAME)
{executor}
{problems}
examples
  python -m gdmbench +experiment=vary_M scale=quick
  python -m gdmbench +experiment=vary_M repetitions=2 'sweep.values=[100,1000]' ~methods.vem
  python -m gdmbench +experiment=corpus data.path=FILE_OR_FOLDER
  python -m gdmbench plan +experiment=vary_eta executor=serial
  python -m gdmbench --config-dir my_conf check method=mine

Every key can be set: scale=quick, seed=7, data.n_words=500, executor.n_workers=4, folder=PATH; --cfg shows them all.
"""


def main(words: list[str] | None = None) -> int:
    """Run the command line and return the exit code.

    It is 0 if all is fine, 1 if cells or checks failed or compare or verify found differences, 2 for a mistake in the
    command or folders that share no cell to compare, 3 if the run could not go on, 130 after Ctrl-C, 141 if whoever
    read the output stopped reading.
    """
    words = sys.argv[1:] if words is None else words
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that knows only ASCII gets ? for ±; in a pipe errors stand behind what they are about.
            stream.reconfigure(errors="replace", line_buffering=True)
    try:
        code = _main(list(words))
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # Whoever read the output, `head` for one, has seen enough; Python must not complain about it at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 141
    except ConfigError as error:
        return _say(error, 2)
    except RunError as error:
        return _say(error, 3)
    except OSError as error:
        return _say(f"{error.strerror or error}: {error.filename or ''}", 3)
    except KeyboardInterrupt:
        return 130


def _say(sentence: object, code: int) -> int:
    """Print what went wrong, in a length that a terminal can show whatever a file or a word held; return the code."""
    print(f"gdmbench: {one_line(sentence, limit=2000)}", file=sys.stderr)
    return code


class _Parser(ArgumentParser):
    """A parser whose mistakes are sentences of ours; the configs are listed only when help is asked for."""

    def error(self, message: str) -> NoReturn:
        raise ConfigError(f"{message}: see --help; settings are written key=value, a whole sweep needs no -m.")


def _parser() -> _Parser:
    parser = _Parser(
        prog="python -m gdmbench",
        usage="python -m gdmbench [VERB] [options] [key=value ...]",
        description=_DESCRIPTION.format(verbs="\n".join(f"    {verb:<8} {text}" for verb, text in _VERBS.items())),
        formatter_class=RawDescriptionHelpFormatter,
        add_help=False,
        allow_abbrev=False,
    )
    parser.add_argument("words", nargs="*", metavar="key=value", help="settings, written as Hydra takes them")
    parser.add_argument("--config-dir", type=Path, metavar="DIR", help="a folder of your own configs beside ours")
    parser.add_argument("--cfg", action="store_true", help="print the composed config and run nothing")
    parser.add_argument("--common", action="store_true", help="compare only the cells that are in both folders")
    parser.add_argument("--write", type=Path, metavar="FILE", help="keep the outcome of verify, as JSON")
    parser.add_argument("--version", action="store_true", help="print the version")
    parser.add_argument("-h", "--help", action="store_true", help="print this")
    return parser


def _main(words: list[str]) -> int:
    command = ["python", "-m", "gdmbench", *words]
    parser = _parser()
    given = parser.parse_intermixed_args(words)
    if given.version:
        from gdmbench import __version__

        print(__version__)
        return 0
    if given.config_dir is not None and not given.config_dir.is_dir():
        raise ConfigError(f"--config-dir {given.config_dir} is not a folder.")
    if given.help or not words:
        print(parser.format_help() + "\n" + _lists(given.config_dir), end="")
        return 0
    verb = given.words[0] if given.words and given.words[0] in _VERBS else "run"
    rest = given.words if verb == "run" else given.words[1:]
    if verb in ("run", "plan", "redraw"):
        _check_bare_words(rest, given.config_dir)
    if verb == "compare":
        return _compare(rest, given.common)
    if verb == "report":
        return _report(rest)
    if verb == "fetch":
        return _fetch(rest)
    if verb == "verify":
        return _verify(rest, given.write)
    _name_problems(given.config_dir)
    if verb == "check":
        return _check(rest, given.config_dir)
    return _experiment(verb, rest, given.config_dir, given.cfg, command)


def _check_bare_words(words: list[str], extra_dir: Path | None) -> None:
    """Refuse a word that sets nothing but is, or is nearly, a verb or the name of an experiment."""
    from gdmbench.config.sources import names_in, sources

    for word in filter(str.isidentifier, words):
        if word in _VERBS:
            raise ConfigError(f"'{word}' says what to do: write it first.")
        known = {name: f"+experiment={name}" for name in names_in("experiment", sources(extra_dir)[0])}
        if word in known:
            raise ConfigError(f"'{word}' is an experiment: write {known[word]}.")
        known |= {verb: verb for verb in _VERBS}
        hint = nearest(word, known)
        for name, form in known.items():
            if hint == f"did you mean '{name}'?":
                raise ConfigError(f"'{word}' is neither a verb nor a setting: did you mean '{form}'?")


def _experiment(verb: str, overrides: list[str], extra_dir: Path | None, show_config: bool, command: list[str]) -> int:
    """Run, plan or redraw the experiment that the overrides name."""
    from gdmbench.config.compose import load_config
    from gdmbench.config.experiment import load_experiment

    if show_config:
        from omegaconf import OmegaConf

        print(OmegaConf.to_yaml(load_config(overrides, extra_dir)), end="")
        return 0
    experiment = load_experiment(overrides, extra_dir)
    from gdmbench import run

    if verb == "plan":
        return run.show_plan(experiment)
    if verb == "redraw":
        return run.redraw(experiment)
    return run.run(experiment, command)


def _compare(folders: list[str], common: bool) -> int:
    if len(folders) != 2:
        raise ConfigError("compare needs two results folders: python -m gdmbench compare FOLDER FOLDER.")
    from gdmbench.records.compare import compare_folders

    text, code = compare_folders(*folders, common=common)
    print(text)
    return code


def _report(folders: list[str]) -> int:
    if not folders:
        raise ConfigError("report needs a results folder: python -m gdmbench report FOLDER [FOLDER ...].")
    from gdmbench.exhibits.report import read_sources, write_report

    path = write_report(read_sources(folders), Path(folders[0]) / "report.html")
    print(f"Written: {path}")
    return 0


def _verify(words: list[str], write: Path | None) -> int:
    folders = [word for word in words if "=" not in word]
    given = dict(word.split("=", 1) for word in words if "=" in word)
    numbers = {key: int(value) for key, value in given.items() if key in ("n", "seed") and value.isdecimal()}
    if len(folders) != 1 or numbers.keys() != given.keys() or numbers.get("n") == 0:
        raise ConfigError(
            "verify needs a results folder: python -m gdmbench verify FOLDER [n=200] [seed=SEED], with whole numbers."
        )
    from gdmbench.verify import verify

    return verify(folders[0], numbers.get("n", 200), numbers.get("seed", secrets.randbelow(10**6)), write)


def _fetch(words: list[str]) -> int:
    from gdmbench.data.corpus import CorpusError
    from gdmbench.data.roweis import make_nips12

    folders = [word.partition("=")[2] for word in words if word.startswith("data_dir=")]
    name, *files = [word for word in words if not word.startswith("data_dir=")] or [""]
    if name != "nips12" or len(files) > 1 or len(folders) > 1:
        raise ConfigError(
            "fetch makes the corpus nips12: python -m gdmbench fetch nips12 [FILE.mat] [data_dir=FOLDER]."
        )
    try:
        written = make_nips12(files[0] if files else None, folders[0] if folders else None)
    except CorpusError as error:
        raise ConfigError(str(error)) from None
    print(f"Written: {', '.join(map(str, written))}")
    return 0


def _check(words: list[str], extra_dir: Path | None) -> int:
    from gdmbench.config.compose import load_check_config
    from gdmbench.execute.check import check_methods
    from gdmbench.execute.executors import settings_of
    from gdmbench.plan import make_plan

    config = load_check_config(words, extra_dir)
    return check_methods(make_plan(config).points, settings_of(config))


def _lists(extra_dir: Path | None) -> str:
    from gdmbench.config.sources import options, sources

    found, problems = sources(extra_dir)
    groups = {
        group: "\n".join(f"  {name:<18} {text}" for name, text in options(group, found).items())
        for group in ("experiment", "method", "data", "executor")
    }
    named = "".join(["\nPROBLEMS\n", *(f"  {problem}\n" for problem in problems)]) if problems else ""
    return _LISTS.format(**groups, problems=named)


def _name_problems(extra_dir: Path | None) -> None:
    """Say at every run which registered configs can't be used: nobody should believe a method was compared."""
    from gdmbench.config.sources import sources
    from gdmbench.suite import strangers

    for problem in [*strangers.values(), *sources(extra_dir)[1]]:
        print(f"gdmbench: note: {problem}.", file=sys.stderr)
