"""An experiment with all parts below it: other experiments, and variants that have no file of their own."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from omegaconf import DictConfig, OmegaConf

from gdmbench.config.compose import load_config
from gdmbench.errors import ConfigError


@dataclass(frozen=True)
class Experiment:
    """The sweeps that an experiment comes down to, each once, and the configs that name an exhibit, parts first."""

    config: DictConfig
    sweeps: dict[str, DictConfig] = field(default_factory=dict)
    exhibits: dict[str, DictConfig] = field(default_factory=dict)
    sweeps_of: dict[str, list[str]] = field(default_factory=dict)  # names of the sweeps below each experiment in it


def load_experiment(overrides: list[str], extra_dir: Path | None = None) -> Experiment:
    """Compose the config of an experiment, which is one sweep or has parts, and the configs of all parts below it.

    Parameters
    ----------
    overrides : list of str
        As for `load_config`. Parts get the same, but for those that name the whole.
    extra_dir : Path, optional
        As for `load_config`.
    """
    experiment = Experiment(load_config(overrides, extra_dir))
    # Parts have names and folders of their own.
    others = [word for word in overrides if not word.startswith(("+experiment=", "name=", "title=", "folder="))]
    words_of: dict[str, list[str]] = {}

    def visit(node: DictConfig, above: tuple[str, ...]) -> list[str]:
        if node.name in above:
            path = " > ".join([*above, node.name])
            raise ConfigError(f"The experiment '{node.name}' is a part of itself: {path}.")
        if node.name not in experiment.sweeps_of:
            below: dict[str, None] = {}
            for part, words in _parts_of(node).items():
                if words_of.setdefault(part, words) != words:
                    raise ConfigError(f"Two experiments have a part '{part}', and they differ: rename one of them.")
                known = experiment.sweeps_of.get(part)
                if known is None:
                    known = visit(load_config(others, extra_dir, part_of=words), (*above, node.name))
                below.update(dict.fromkeys(known))
            if not node.parts:
                below[node.name] = None
                experiment.sweeps[node.name] = node
            experiment.sweeps_of[node.name] = list(below)
            if node.exhibit is not None:
                experiment.exhibits[node.name] = node
        return experiment.sweeps_of[node.name]

    visit(experiment.config, ())
    return experiment


def _parts_of(config: DictConfig) -> dict[str, list[str]]:
    """Return the name of each part with the words that one would type to run it."""
    # Unresolved, as a ${...} in the words of a variant refers to the variant's own keys.
    plain: Any = OmegaConf.to_container(config)
    found: dict[str, list[str]] = {}
    for part in plain["parts"]:
        if isinstance(part, str):
            found[part] = [f"+experiment={part}"]
        elif isinstance(part, dict) and len(part) == 1 and _is_list_of_words(*part.values()):
            ((name, words),) = part.items()
            found[name] = [*words, f"name={name}"]
        else:
            raise ConfigError(f"parts of {config.name}: {part} is neither an experiment nor NAME: [key=value, ...].")
    return found


def _is_list_of_words(words: Any) -> bool:
    return isinstance(words, list) and all(isinstance(word, str) for word in words)
