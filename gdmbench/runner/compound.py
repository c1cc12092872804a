"""An experiment made of others: run each sweep once, then draw the exhibits that need several of them."""

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from omegaconf import DictConfig

from gdmbench.runner.errors import ConfigError, DataError
from gdmbench.runner.plan import make_plan
from gdmbench.runner.provenance import sum_up_runs
from gdmbench.runner.run import run
from gdmbench.runner.schema import Scale
from gdmbench.runner.store import Store

Loader = Callable[[str], DictConfig]


def run_compound(config: DictConfig, load: Loader, command: list[str]) -> int:
    """Run or resume every sweep below an experiment, then draw its exhibits and check their claims.

    Parameters
    ----------
    config : DictConfig
        Of the compound experiment.
    load : callable
        From the name of an experiment to its config, with the same overrides.
    command : list of str
        The words of the command line.

    Returns
    -------
    int
        0 if every cell of every sweep is fine, 1 if some are not.
    """
    compounds, sweeps = _below(config, load)
    code = 0
    for number, sweep in enumerate(sweeps.values(), start=1):
        print(f"[{number}/{len(sweeps)}] {sweep.title or sweep.name}")
        try:
            code = max(code, run(sweep, command))
        except DataError as error:
            # The other sweeps can do without this corpus; the claims that need it will say so.
            print(f"Left out: {error}", file=sys.stderr)
            code = max(code, 1)
        print()
    if config.plan:
        return code
    for compound in compounds.values():
        _draw(compound, [sweeps[name] for name in _sweep_names(compound, compounds)])
    return code


def _below(config: DictConfig, load: Loader) -> tuple[dict[str, DictConfig], dict[str, DictConfig]]:
    """Return the compound experiments, parts before wholes, and the sweeps below a config, each once."""
    compounds: dict[str, DictConfig] = {}
    sweeps: dict[str, DictConfig] = {}

    def visit(node: DictConfig, above: tuple[str, ...]) -> None:
        if node.name in above:
            raise ConfigError(f"The experiment '{node.name}' is a part of itself: {' > '.join([*above, node.name])}.")
        if not node.parts:
            sweeps[node.name] = node
            return
        for part in node.parts:
            if part not in compounds and part not in sweeps:
                visit(load(part), (*above, node.name))
        compounds[node.name] = node

    visit(config, ())
    return compounds, sweeps


def _sweep_names(compound: DictConfig, compounds: dict[str, DictConfig]) -> list[str]:
    names: dict[str, None] = {}
    for part in compound.parts:
        names.update(dict.fromkeys(_sweep_names(compounds[part], compounds) if part in compounds else [part]))
    return list(names)


def _draw(compound: DictConfig, sweeps: list[DictConfig]) -> None:
    """Draw the exhibit of a compound experiment from its sweeps' records, and check its claims."""
    if compound.exhibit is None:
        return
    import pandas as pd

    from gdmbench.exhibits.claims import check_claims, claims_text, write_claims

    try:
        exhibit: Any = import_module(compound.exhibit)
    except ImportError as error:
        raise ConfigError(f"exhibit={compound.exhibit} can't be imported: {error}.") from None
    rows = []
    for sweep in sweeps:
        records, _ = Store(Path(sweep.folder)).read()
        rows += [records[cell.key] for cell in make_plan(sweep) if cell.key in records]
    folder = Path(compound.folder)
    frame = pd.DataFrame(rows)
    written = exhibit.draw(frame, folder) if rows else []
    verdicts = check_claims(exhibit.CLAIMS, frame)
    if verdicts:
        written += write_claims(verdicts, folder)
        print(claims_text(verdicts))
        if compound.scale == Scale.quick:
            print("These verdicts are about a shrunken experiment: they say nothing of the paper's.")
    written.append(sum_up_runs({sweep.name: Path(sweep.folder) for sweep in sweeps}, folder))
    print(f"{compound.title or compound.name}: written to {folder}/: {', '.join(path.name for path in written)}\n")
