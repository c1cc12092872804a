"""One run from start to end: plan the cells, run those that are missing, store each as it ends, draw the exhibits."""

import csv
import json
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from omegaconf import DictConfig, OmegaConf

from gdmbench.config.experiment import Experiment
from gdmbench.config.schema import Scale
from gdmbench.errors import ConfigError, DataError, one_line
from gdmbench.execute.executors import make_executor, settings_of
from gdmbench.execute.progress import in_words, kind_of, progress_of, seconds_of
from gdmbench.execute.worker import Job, Settings, Worker
from gdmbench.exhibits.escape import plain
from gdmbench.files import atomic_write_text
from gdmbench.plan import Plan, canonical, make_plan
from gdmbench.records.provenance import RunLog, other_code, sum_up_runs, to_run_again
from gdmbench.records.record import make_record
from gdmbench.records.store import Records, Store

if TYPE_CHECKING:
    import pandas as pd

    Frames = dict[str, pd.DataFrame]


def run(experiment: Experiment, command: list[str]) -> int:
    """Run or resume every sweep of an experiment and draw its exhibits.

    Parameters
    ----------
    experiment : Experiment
    command : list of str
        The words of the command line, for provenance.

    Returns
    -------
    int
        0 if every cell is fine, 1 if some are not.
    """
    _take_stand_ins(experiment)
    plans = {name: make_plan(sweep) for name, sweep in experiment.sweeps.items()}
    for exhibit in experiment.exhibits.values():
        _exhibit_of(exhibit)  # nobody should learn after hours of running that it is not there
    return _each_sweep(experiment, lambda sweep: _run_sweep(sweep, plans[sweep.name], command))


def redraw(experiment: Experiment) -> int:
    """Draw everything again from the records there are."""
    _take_stand_ins(experiment)

    def read(sweep: DictConfig) -> "tuple[int, pd.DataFrame]":
        records, damages = Store(Path(sweep.folder)).read()
        for damage in damages:
            print(damage)
        return _finish_sweep(sweep, make_plan(sweep), records, 0.0)

    return _each_sweep(experiment, read)


def show_plan(experiment: Experiment) -> int:
    """Print the cells of every sweep and how many of them are done."""
    _take_stand_ins(experiment)
    for sweep in experiment.sweeps.values():
        _print_plan(make_plan(sweep), Store(Path(sweep.folder)))
    return 0


def _take_stand_ins(experiment: Experiment) -> None:
    """Put in the corpus that a config names as `instead` where its own has to be made first, and say so."""
    from gdmbench.data.named import is_at_hand

    told: set[str] = set()
    for name, sweep in experiment.sweeps.items():
        data = sweep.data
        try:
            if data.get("instead") is None or is_at_hand(str(data.path), sweep.data_dir):
                continue
        except ValueError:  # the folder of corpora is not there, as the sweep will say
            continue
        if data.path not in told:
            print(
                f"The corpus {data.path} is not here, so {data.instead} is taken instead: python -m gdmbench fetch "
                f"{data.path} makes it. What holds on {data.instead} says little of the paper's tables."
            )
        told.add(data.path)
        exhibits = [config for key, config in experiment.exhibits.items() if name in experiment.sweeps_of[key]]
        for config in [sweep, *(config for config in exhibits if config is not sweep)]:
            config.title = f"{config.title.partition(' [')[0]} [on the corpus {data.instead}]"
        data.path = data.instead


def _each_sweep(experiment: Experiment, do: "Callable[[DictConfig], tuple[int, pd.DataFrame]]") -> int:
    """Get the exit code and the frame of every sweep from `do`, then draw the exhibits and the page of all frames."""
    frames: Frames = {}
    left_out: DataError | None = None
    code = 0
    single = len(experiment.sweeps) == 1
    for number, (name, sweep) in enumerate(experiment.sweeps.items(), start=1):
        if not single:
            print(f"[{number}/{len(experiment.sweeps)}] {plain(sweep.title or name)}")
        try:
            sweep_code, frames[name] = do(sweep)
            code = max(code, sweep_code)
        except DataError as error:
            if single:
                raise
            # The other sweeps can do without this corpus; the claims that need it will say so.
            print(f"Left out: {error}", file=sys.stderr)
            code, left_out = max(code, 1), error
        if not single:
            print()
    if left_out is not None and not frames:
        raise left_out  # nothing is left to draw or to judge
    for name, config in experiment.exhibits.items():
        _draw_exhibit(config, {sweep: experiment.sweeps[sweep] for sweep in experiment.sweeps_of[name]}, frames)
    _write_page(experiment, frames)
    if experiment.config.scale == Scale.quick:
        print("This was scale=quick, a look at sizes that prove nothing: leave it out for numbers to rely on.")
    return code


def _run_sweep(config: DictConfig, plan: Plan, command: list[str]) -> "tuple[int, pd.DataFrame]":
    store = Store(Path(config.folder))
    _check_corpora(plan, settings_of(config))
    executor = make_executor(config)
    with store.writing() as (records, damages):
        for damage in damages:
            print(damage)
        if config.keep_best:
            _set_aside(config)
        atomic_write_text(store.folder / "config.yaml", OmegaConf.to_yaml(config))
        done = {key for key, record in records.items() if record["status"] == "ok"}
        done -= to_run_again(config.rerun, plan, records)
        progress = progress_of(plan, done, records, executor.n_workers)
        if progress.total:
            before = len(plan) - progress.total
            print(f"{config.name}: {len(plan)} cells, {before} done before, on {executor.n_workers} workers")
        started, cpu_seconds = time.monotonic(), 0.0
        log = RunLog(store.folder, command)
        try:
            for ended in executor.run(cell for cell in plan if cell.key not in done):
                if ended is not None:  # else none has ended, and only the progress is shown
                    cell, outcome = ended
                    record = make_record(cell, outcome, n_workers=executor.n_workers)
                    store.append(record)
                    records[record["key"]] = record
                    cpu_seconds += record["cell_cpu_seconds"] or 0.0  # none of a cell that was killed
                    progress.ended(kind_of(record), seconds_of(record), record["status"] == "ok")
                progress.show(executor.compiling)
        except KeyboardInterrupt:
            progress.close()
            print(f"Stopped: {progress.done} new cells are kept in {store.path}; the same command goes on from there.")
            raise
        finally:
            progress.close()
            with suppress(OSError):  # whatever ended the run has been said already
                log.end(seconds=time.monotonic() - started, cpu_seconds=cpu_seconds, cells=progress.done)
        code, frame = _finish_sweep(config, plan, records, time.monotonic() - started)
        if config.keep_best and frame["completion"].notna().any():
            _keep_best(config, plan, frame)
        return code, frame


def _set_aside(config: DictConfig) -> None:
    """Rename the model of another corpus that an earlier run has left in the folder, and say so."""
    folder = Path(config.folder)
    try:
        before = OmegaConf.load(folder / "config.yaml").data.path
    except Exception:  # there is none, or not one of ours
        return
    if not (folder / "model.npz").exists() or str(before) == str(config.data.get("path")):
        return
    moved = {}
    for name in ("model.npz", "proportions.csv", "chosen.json", "dropped.csv"):
        old = folder / name
        if old.exists():
            moved[name] = old.with_name(f"{old.stem}_{Path(str(before)).stem}{old.suffix}")
            old.replace(moved[name])
    names = ", ".join(path.name for path in moved.values())
    print(f"{folder} has the model of {before}, which is kept as {names}; folder=NAME gives each corpus its own.")


def _keep_best(config: DictConfig, plan: Plan, frame: "pd.DataFrame") -> None:
    """Fit the method that completes held-out documents best to all documents, and keep its model."""
    from gdmbench.execute.fit_corpus import fit_corpus
    from gdmbench.exhibits.choice import best_model
    from gdmbench.exhibits.topics import topics_text
    from gdmbench.model import load_model

    method, value, sentence = best_model(frame)
    cell = next(cell for cell in plan.points if cell.method == method and cell.value in (value, None))
    folder = Path(config.folder)
    written = fit_corpus(cell, folder, config.data_dir)
    model = load_model(folder / "model.npz")
    at = f" at {cell.axis}={cell.value}" if cell.axis else ""
    print(f"\n{cell.label} predicts unseen words best. {sentence}".rstrip())
    print(f"The topics of {cell.label}{at}, fitted to all documents:\n")
    print(topics_text(model.components_, model.vocabulary_))
    with (folder / "dropped.csv").open(encoding="utf-8", newline="") as file:
        reasons = Counter(row["why"] for row in csv.DictReader(file))
    if reasons:
        print(f"\n{reasons.total()} documents were left out, each named in dropped.csv:")
        for why, count in reasons.most_common():
            print(f"  {count:>6}  {why}")
    print(f"\nWritten to {folder}/: {', '.join(path.name for path in written)}")


def _check_corpora(plan: Plan, settings: Settings) -> None:
    """Read each real corpus once before anything runs: what is wrong with it is said once, not by every cell."""
    corpora = {canonical(point.data): point for point in plan.points if "path" in point.data}
    if not corpora:
        return
    worker = Worker(settings)  # a corpus may hold anything: this process must survive it
    try:
        for point in corpora.values():
            outcome = worker.do(Job("look", point))
            if outcome["status"] == "error":
                raise DataError(outcome["error"])
            if outcome["status"] != "ok":
                found = f"{outcome['status']}: {outcome['error']}"
                raise DataError(f"data.path={point.data['path']} can't be read: {found}.")
    finally:
        worker.stop()


def _print_plan(plan: Plan, store: Store) -> None:
    records, damages = store.read()
    done = Counter(cell.method for cell in plan if records.get(cell.key, {}).get("status") == "ok")
    values = list(dict.fromkeys(json.dumps(point.value) for point in plan.points))
    print(f"{len(plan)} cells, {done.total()} done, {len(plan) - done.total()} to run; results in {store.folder}")
    if plan.points[0].axis is not None:
        print(f"{plan.points[0].axis}: {', '.join(values)}")
    print(f"repetitions: {plan.repetitions}")
    for method, label in plan.labels.items():
        cells = sum(point.method == method for point in plan.points) * plan.repetitions
        print(f"  {method:14} {label:14} {done[method]}/{cells} done")
    for damage in damages:
        print(damage)


def _finish_sweep(config: DictConfig, plan: Plan, records: Records, seconds: float) -> "tuple[int, pd.DataFrame]":
    """Draw a sweep's own tables and figures, say what was made and what failed; return the exit code and the frame."""
    from gdmbench.exhibits.summary import summarise
    from gdmbench.exhibits.tables import means_text
    from gdmbench.exhibits.write import write_sweep
    from gdmbench.records.frame import to_frame

    folder = Path(config.folder)
    mine = [records[cell.key] for cell in plan if cell.key in records]
    if not mine:
        raise ConfigError(f"{folder} has no record of this experiment: run it first.")
    failed = [record for record in mine if record["status"] != "ok"]
    frame = to_frame(mine, plan.labels)
    note = other_code(plan, records)
    if len(failed) < len(mine):
        title = config.title or config.name
        written = write_sweep(frame, folder, title=title, rate=config.sweep.rate, note=note)
        print(means_text(summarise(frame)))
        names = ", ".join(path.name for path in written)
        print(f"\nWritten to {folder}/: records.jsonl, config.yaml, provenance.json, {names}")
    print(f"{len(mine) - len(failed)} of {len(plan)} cells are fine ({in_words(seconds)}).")
    if note:
        print(f"{note} They are kept; rerun=changed runs them again.")
    if failed:
        print(f"{len(failed)} cells failed; the same command tries them again:")
        for sentence, count in Counter(f"{r['label']}: {r['status']}: {r['error']}" for r in failed).most_common():
            print(f"  {sentence}" + (f" ({count} cells)" if count > 1 else ""))
    return (0 if len(mine) - len(failed) == len(plan) else 1), frame


def _draw_exhibit(config: DictConfig, sweeps: dict[str, DictConfig], frames: "Frames") -> None:
    """Draw what an experiment names as its exhibit, from the frames of its sweeps, and judge the claims made of it."""
    import pandas as pd

    from gdmbench.exhibits.claims import judge_claims
    from gdmbench.exhibits.claims_files import claims_text, write_claims
    from gdmbench.records.frame import to_frame

    exhibit = _exhibit_of(config)
    present = [frames[name] for name in sweeps if name in frames]
    frame = pd.concat(present, ignore_index=True) if present else to_frame([])
    folder = Path(config.folder)
    written = []
    if present:
        folder.mkdir(parents=True, exist_ok=True)
        written = [Path(path) for path in exhibit.draw(frame, folder) or ()]
    verdicts = judge_claims(getattr(exhibit, "CLAIMS", []), frame)
    if verdicts:
        written += write_claims(verdicts, folder)
        print(claims_text(verdicts))
        if config.scale == Scale.quick:
            print("These verdicts are about a shrunken experiment: they say nothing of the paper's.")
    if config.parts:
        atomic_write_text(folder / "config.yaml", OmegaConf.to_yaml(config))
        written.append(sum_up_runs({name: Path(sweep.folder) for name, sweep in sweeps.items()}, folder))
    print(f"{plain(config.title or config.name)}: written to {folder}/: {', '.join(path.name for path in written)}\n")


def _exhibit_of(config: DictConfig) -> Any:
    """Import the module that an experiment names as its exhibit."""
    try:
        exhibit = import_module(config.exhibit)
    except ImportError as error:
        raise ConfigError(f"exhibit={config.exhibit} can't be imported: {error}.") from None
    if not callable(getattr(exhibit, "draw", None)):
        raise ConfigError(f"exhibit={config.exhibit} has no function draw(frame, folder): write one.")
    return exhibit


def _write_page(experiment: Experiment, frames: "Frames") -> None:
    """Write the page that shows all of it. Whatever goes wrong with that is said and does not spoil the run."""
    config = experiment.config
    path = Path(config.folder) / "report.html"
    try:
        from gdmbench.exhibits.report import read_source, write_report
        from gdmbench.records.frame import to_frame

        folders = {Path(experiment.sweeps[name].folder): frame for name, frame in frames.items()}
        exhibits = {Path(exhibit.folder): to_frame([]) for exhibit in experiment.exhibits.values()}
        sources = [read_source(folder, frame) for folder, frame in {**exhibits, **folders}.items()]
        write_report(sources, path, title=config.title or config.name)
    except Exception as error:
        print(f"{path} was not written: {one_line(error) or type(error).__name__}.", file=sys.stderr)
    else:
        print(f"Everything on one page: {path}")
