"""The command line: `python -m gdmbench`."""

import sys
from pathlib import Path

from gdmbench.runner.errors import ConfigError, RunError

_EXAMPLES = """\
  python -m gdmbench +experiment=vary_M scale=quick
  python -m gdmbench +experiment=vary_M repetitions=2 'sweep.values=[100,1000]' ~methods.vem
  python -m gdmbench +experiment=vary_eta executor=serial plan=true
  python -m gdmbench --config-dir my_conf check method=mine"""

_HELP = """\
Topic models compared as in "Geometric Dirichlet Means algorithm for topic inference".

usage: python -m gdmbench +experiment=NAME [key=value ...]
       python -m gdmbench check method=NAME [methods.NAME.key=value ...]
       python -m gdmbench compare FOLDER FOLDER

experiments
{experiments}

methods (add one with +method@methods.NAME=NAME, leave one out with ~methods.NAME)
{methods}

data (data=NAME)
{data}

executors (executor=NAME)
{executors}
{problems}
examples
{examples}

options
  --config-dir DIR   a folder of your own configs beside the project's
  --cfg              print the composed config and run nothing
  --version          print the version
Every key can be set: scale=quick, seed=7, data.n_docs=500, executor.n_workers=4, folder=PATH; --cfg shows them all.
"""


def main(words: list[str] | None = None) -> int:
    """Run the command line and return the exit code: 0 fine, 1 some cells failed, 2 a mistake in the command."""
    words = sys.argv[1:] if words is None else words
    try:
        return _main(list(words))
    except ConfigError as error:
        print(f"gdmbench: {error}", file=sys.stderr)
        return 2
    except RunError as error:
        print(f"gdmbench: {error}", file=sys.stderr)
        return 3
    except OSError as error:
        print(f"gdmbench: {error.strerror or error}: {error.filename or ''}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        return 130


def _main(words: list[str]) -> int:
    command = ["python", "-m", "gdmbench", *words]
    extra_dir = _take_config_dir(words)
    if not words or {"-h", "--help"} & set(words):
        print(_help(extra_dir), end="")
        return 0
    if "--version" in words:
        from gdmbench import __version__

        print(__version__)
        return 0
    _name_problems(extra_dir)
    if words[0] == "compare":
        return _compare(words[1:])
    if words[0] == "check":
        from gdmbench.runner.check import check

        return check(words[1:], extra_dir)
    show_config = "--cfg" in words
    overrides = [word for word in words if word != "--cfg"]
    for word in overrides:
        if word.startswith("-"):
            raise ConfigError(
                f"There is no option '{word}': see --help; settings are written key=value, a whole sweep needs no -m."
            )

    from gdmbench.runner.compose import load_config

    config = load_config(overrides, extra_dir)
    if show_config:
        from omegaconf import OmegaConf

        print(OmegaConf.to_yaml(config), end="")
        return 0

    if config.parts:
        from gdmbench.runner.compound import run_compound

        others = [word for word in overrides if not word.startswith("+experiment=")]
        return run_compound(config, lambda name: load_config([f"+experiment={name}", *others], extra_dir), command)

    from gdmbench.runner.run import run

    return run(config, command)


def _compare(folders: list[str]) -> int:
    """Print where two results folders differ: 0 if nowhere, 1 if somewhere."""
    if len(folders) != 2:
        raise ConfigError("compare needs two results folders: python -m gdmbench compare FOLDER FOLDER.")
    from gdmbench.exhibits.compare import compare_text

    try:
        text, agree = compare_text(*folders)
    except ValueError as error:
        raise ConfigError(str(error)) from None
    print(text)
    return 0 if agree else 1


def _take_config_dir(words: list[str]) -> Path | None:
    for position, word in enumerate(words):
        if word == "--config-dir" or word.startswith("--config-dir="):
            value = word.partition("=")[2]
            if not value:
                if position + 1 == len(words):
                    raise ConfigError("--config-dir needs a folder after it.")
                value = words.pop(position + 1)
            words.remove(word)
            if not Path(value).is_dir():
                raise ConfigError(f"--config-dir {value} is not a folder.")
            return Path(value)
    return None


def _help(extra_dir: Path | None) -> str:
    from gdmbench.runner.listing import options_in
    from gdmbench.runner.plugins import sources

    found, problems = sources(extra_dir)

    def listed(group: str) -> str:
        return "\n".join(f"  {name:<18} {text}" for name, text in options_in(group, found).items())

    return _HELP.format(
        experiments=listed("experiment"),
        methods=listed("method"),
        data=listed("data"),
        executors=listed("executor"),
        problems="".join(["\nPROBLEMS\n", *(f"  {problem}\n" for problem in problems)]) if problems else "",
        examples=_EXAMPLES,
    )


def _name_problems(extra_dir: Path | None) -> None:
    """Say at every run which registered configs can't be used: nobody should believe a method was compared."""
    from gdmbench.runner.plugins import sources

    for problem in sources(extra_dir)[1]:
        print(f"gdmbench: note: {problem}.", file=sys.stderr)
