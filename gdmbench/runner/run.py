"""One run: plan the cells, run those that are missing, store each as it ends, draw the exhibits."""

import json
import os
import time
from collections import Counter, defaultdict
from contextlib import suppress
from pathlib import Path
from typing import Any

from omegaconf import DictConfig, OmegaConf

from gdmbench.files import atomic_write_text
from gdmbench.runner.errors import ConfigError, DataError
from gdmbench.runner.executors import make_executor
from gdmbench.runner.plan import Cell, Plan, canonical, make_plan
from gdmbench.runner.progress import Progress, in_words
from gdmbench.runner.provenance import add_run, now, provenance
from gdmbench.runner.store import Store
from gdmbench.runner.targets import build


def run(config: DictConfig, command: list[str]) -> int:
    """Run or resume the experiment of a config and draw its exhibits.

    Parameters
    ----------
    config : DictConfig
        As `load_config` gives it.
    command : list of str
        The words of the command line, for provenance and for the hint on how to go on.

    Returns
    -------
    int
        0 if every cell is fine, 1 if some are not.
    """
    if config.data_dir is not None:
        os.environ["GDMBENCH_DATA"] = config.data_dir
    plan = make_plan(config)
    store = Store(Path(config.folder))
    if config.plan:
        _print_plan(plan, store)
        return 0
    if config.redraw:
        records, damages = store.read()
        for damage in damages:
            print(damage)
        return _finish(config, plan, store, records, 0.0)
    _check_corpora(plan)
    executor = make_executor(config, sorted({cell.params["_target_"].rpartition(".")[0] for cell in plan.points}))
    with store.writing() as (records, damages):
        started, story = time.monotonic(), provenance(command)
        for damage in damages:
            print(damage)
        atomic_write_text(store.folder / "config.yaml", OmegaConf.to_yaml(config))
        done = {key for key, record in records.items() if record["status"] == "ok"}
        progress = _progress(plan, done, records, executor.n_workers)
        if progress.total:
            before = len(plan) - progress.total
            print(f"{config.name}: {len(plan)} cells, {before} done before, on {executor.n_workers} workers")
        cpu_seconds = 0.0
        try:
            for record in executor.run(cell for cell in plan if cell.key not in done):
                if record is not None:
                    record["n_workers"] = executor.n_workers
                    store.append(record)
                    records[record["key"]] = record
                    cpu_seconds += record["cell_cpu_seconds"] or 0.0  # none of a cell that was killed
                    progress.ended(_kind(record), record["cell_seconds"], record["status"] == "ok")
                progress.show()
        except KeyboardInterrupt:
            progress.close()
            print(f"Stopped: {progress.done} new cells are kept in {store.path}; the same command goes on from there.")
            raise
        finally:
            progress.close()
            with suppress(OSError):  # whatever ended the run has been said already
                story.update(
                    end=now(), seconds=time.monotonic() - started, cpu_seconds=cpu_seconds, cells=progress.done
                )
                add_run(store.folder, story)
        return _finish(config, plan, store, records, time.monotonic() - started)


def _check_corpora(plan: Plan) -> None:
    """Read each real corpus once before anything runs: what is wrong with it is said once, not by every cell."""
    checked = set()
    for point in plan.points:
        if "path" in point.data and canonical(point.data) not in checked:
            checked.add(canonical(point.data))
            try:
                build(point.data, "data", point.seeds()[0])
            except (OSError, ValueError) as error:
                raise DataError(str(error)) from None


def _kind(record: Any) -> tuple[str, str]:
    method, value = (record.method, record.value) if isinstance(record, Cell) else (record["method"], record["value"])
    return method, json.dumps(value)


def _progress(plan: Plan, done: set[str], records: dict[str, dict[str, Any]], n_workers: int) -> Progress:
    left = Counter(_kind(cell) for cell in plan if cell.key not in done)
    known: dict[Any, list[float]] = defaultdict(list)
    for record in records.values():
        if record.get("cell_seconds") is not None:
            known[_kind(record)].append(record["cell_seconds"])
    return Progress(left, n_workers, known)


def _print_plan(plan: Plan, store: Store) -> None:
    records, damages = store.read()
    done = Counter(cell.method for cell in plan if records.get(cell.key, {}).get("status") == "ok")
    values = list(dict.fromkeys(json.dumps(point.value) for point in plan.points))
    print(f"{len(plan)} cells, {done.total()} done, {len(plan) - done.total()} to run; results in {store.folder}")
    if plan.points[0].axis is not None:
        print(f"{plan.points[0].axis}: {', '.join(values)}")
    print(f"repetitions: {plan.repetitions}")
    for method in dict.fromkeys(point.method for point in plan.points):
        points = [point for point in plan.points if point.method == method]
        print(f"  {method:14} {points[0].label:14} {done[method]}/{len(points) * plan.repetitions} done")
    for damage in damages:
        print(damage)


def _finish(config: DictConfig, plan: Plan, store: Store, records: dict[str, dict[str, Any]], seconds: float) -> int:
    """Draw the exhibits of the plan's records and say what was made and what failed."""
    import pandas as pd

    from gdmbench.exhibits import means_text, summarise, write_exhibits

    mine = [records[cell.key] for cell in plan if cell.key in records]
    if not mine:
        raise ConfigError(f"{store.path} has no record of this experiment: run it first, without redraw=true.")
    frame = pd.DataFrame(mine)
    failed = [record for record in mine if record["status"] != "ok"]
    if len(failed) < len(mine):
        written = write_exhibits(frame, store.folder, title=config.title or config.name, bound=config.sweep.bound)
        print(means_text(summarise(frame)))
        names = ", ".join(path.name for path in written)
        print(f"\nWritten to {store.folder}/: records.jsonl, config.yaml, provenance.json, {names}")
    print(f"{len(mine) - len(failed)} of {len(plan)} cells are fine ({in_words(seconds)}).")
    if failed:
        print(f"{len(failed)} cells failed; the same command tries them again:")
        for sentence, count in Counter(_failure(record) for record in failed).most_common():
            print(f"  {sentence}" + (f" ({count} cells)" if count > 1 else ""))
    return 0 if len(mine) - len(failed) == len(plan) else 1


def _failure(record: dict[str, Any]) -> str:
    return f"{record['label']}: {record['status']}: {record['error']}"
