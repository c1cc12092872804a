"""Executors, which take cells and yield them with their outcomes as they end.

Here are what all of them share, the local one, and the choice that the config makes; `dask.py` has the other one.
"""

import os
from collections.abc import Iterable, Iterator
from multiprocessing.connection import wait
from typing import Any, Protocol

from gdmbench.errors import ConfigError, nearest
from gdmbench.execute import Outcome
from gdmbench.execute.worker import Job, Settings, Worker
from gdmbench.plan import Cell

KINDS = ("local", "dask")


class Executor(Protocol):
    """Where cells run."""

    n_workers: int
    compiling: bool  # whether a cell is held up by compiling at the moment, as far as is known

    def run(self, cells: Iterable[Cell]) -> Iterator[tuple[Cell, Outcome] | None]:
        """Yield each cell with its outcome as it ends, and None now and then, at least ten times a second."""
        ...


class LocalExecutor:
    """Worker processes on this machine, each one cell at a time.

    Parameters
    ----------
    n_workers : int
        How many cells run at a time.
    settings : Settings
        For each cell.
    """

    def __init__(self, n_workers: int, settings: Settings) -> None:
        self.n_workers = n_workers
        self.compiling = False
        self.settings = settings

    def run(self, cells: Iterable[Cell]) -> Iterator[tuple[Cell, Outcome] | None]:
        """Yield each cell with its outcome as it ends; cells are taken only when a worker is free."""
        waiting = iter(cells)
        workers: list[Worker] = []
        try:
            idle: list[Worker] = []
            more = True
            while True:
                while more and (idle or len(workers) < self.n_workers):
                    cell = next(waiting, None)
                    if cell is None:
                        more = False
                        break
                    if not idle:
                        idle.append(Worker(self.settings))
                        workers.append(idle[-1])
                    idle.pop().submit(Job("run", cell))
                busy = [worker for worker in workers if worker.job is not None]
                if not busy:
                    return
                wait([worker.connection for worker in busy], timeout=0.1)
                ended = [(worker, worker.job, worker.collect()) for worker in busy]
                idle += [worker for worker, _, outcome in ended if outcome is not None]
                self.compiling = any(worker.compiling for worker in busy)
                yield None
                for _, job, outcome in ended:
                    if job is not None and outcome is not None:
                        yield job.cell, outcome
        finally:
            for worker in workers:
                worker.stop()


def cores() -> int:
    """Return how many cores this process may use, which a container or a batch system may have cut."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def settings_of(config: Any) -> Settings:
    """Return what a whole config lets each job use."""
    for name in ("time_limit", "memory_limit"):
        if not config.executor[name] > 0:  # nor is NaN
            raise ConfigError(f"executor.{name}={config.executor[name]} must be above 0.")
    return Settings(config.executor.time_limit, config.executor.memory_limit, config.data_dir)


def make_executor(config: Any) -> Executor:
    """Return the executor that a config asks for."""
    wanted = config.executor
    if wanted.n_workers is not None and wanted.n_workers < 1:
        raise ConfigError(f"executor.n_workers={wanted.n_workers} can run nothing: it must be at least 1.")
    n_workers = wanted.n_workers or cores()
    if wanted.kind == "local":
        return LocalExecutor(n_workers, settings_of(config))
    if wanted.kind == "dask":
        from gdmbench.execute.dask import DaskExecutor

        return DaskExecutor(wanted.address, n_workers, settings_of(config))
    raise ConfigError(f"There is no executor kind '{wanted.kind}': {nearest(wanted.kind, KINDS)}")
