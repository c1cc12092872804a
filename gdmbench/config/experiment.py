"""An experiment as a whole: one sweep, or parts that are sweeps or have parts again."""

from collections.abc import Callable
from dataclasses import dataclass

from omegaconf import DictConfig

from gdmbench.errors import ConfigError


@dataclass(frozen=True)
class Experiment:
    """The sweeps that an experiment comes down to, each once, and the configs that name an exhibit, parts first."""

    config: DictConfig
    sweeps: dict[str, DictConfig]
    exhibits: dict[str, DictConfig]
    parts: dict[str, list[str]]  # for each exhibit, the sweeps it is drawn from

    @classmethod
    def of(cls, config: DictConfig, load: Callable[[str], DictConfig]) -> "Experiment":
        """Find what lies below a config; `load` gives the config of a part by name, with the same overrides."""
        experiment = cls(config, {}, {}, {})
        sweeps_of: dict[str, list[str]] = {}

        def visit(node: DictConfig, above: tuple[str, ...]) -> list[str]:
            if node.name in above:
                path = " > ".join([*above, node.name])
                raise ConfigError(f"The experiment '{node.name}' is a part of itself: {path}.")
            if node.name not in sweeps_of:
                below: dict[str, None] = {}
                for part in node.parts:
                    known = sweeps_of.get(part)
                    below.update(dict.fromkeys(visit(load(part), (*above, node.name)) if known is None else known))
                if not node.parts:
                    below[node.name] = None
                    experiment.sweeps[node.name] = node
                sweeps_of[node.name] = list(below)
                if node.exhibit is not None:
                    experiment.exhibits[node.name] = node
                    experiment.parts[node.name] = sweeps_of[node.name]
            return sweeps_of[node.name]

        visit(config, ())
        return experiment
