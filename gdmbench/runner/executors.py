"""Executors: each takes cells and yields their records as they end."""

import os
from collections.abc import Iterable, Iterator
from multiprocessing.connection import wait
from typing import Any, Protocol

from omegaconf import DictConfig

from gdmbench.runner.errors import ConfigError
from gdmbench.runner.listing import nearest
from gdmbench.runner.plan import Cell
from gdmbench.runner.worker import Worker, prepare

KINDS = ("local", "dask")


class Executor(Protocol):
    """Where cells run."""

    n_workers: int

    def run(self, cells: Iterable[Cell]) -> Iterator[dict[str, Any] | None]:
        """Yield each cell's record as it ends, and None now and then, at least ten times a second."""
        ...


class LocalExecutor:
    """Worker processes on this machine, each one cell at a time.

    Parameters
    ----------
    n_workers : int
        How many cells run at a time.
    time_limit, memory_limit : float
        Seconds and megabytes for each cell.
    modules : iterable of str
        The modules that the cells' methods live in.
    """

    def __init__(self, n_workers: int, time_limit: float, memory_limit: float, modules: Iterable[str] = ()) -> None:
        self.n_workers = n_workers
        self.time_limit = time_limit
        self.memory_limit = memory_limit
        prepare(modules)

    def run(self, cells: Iterable[Cell]) -> Iterator[dict[str, Any] | None]:
        """Yield each cell's record as it ends; cells are taken from the iterable only when a worker is free."""
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
                        idle.append(Worker(self.time_limit, self.memory_limit))
                        workers.append(idle[-1])
                    idle.pop().submit(cell)
                busy = [worker for worker in workers if worker.cell is not None]
                if not busy:
                    return
                wait([signal for worker in busy for signal in worker.waits_on()], timeout=0.1)
                ended = [(worker, worker.collect()) for worker in busy]
                idle += [worker for worker, record in ended if record is not None]
                yield None
                yield from (record for _, record in ended if record is not None)
        finally:
            for worker in workers:
                worker.stop()


def _cores() -> int:
    """Return how many cores this process may use, which a container or a batch system may have cut."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def make_executor(config: DictConfig, modules: Iterable[str]) -> Executor:
    """Return the executor that a config asks for."""
    settings = config.executor
    if settings.n_workers is not None and settings.n_workers < 1:
        raise ConfigError(f"executor.n_workers={settings.n_workers} can run nothing: it must be at least 1.")
    for name in ("time_limit", "memory_limit"):
        if settings[name] <= 0:
            raise ConfigError(f"executor.{name}={settings[name]} must be above 0.")
    n_workers = settings.n_workers or _cores()
    if settings.kind == "local":
        return LocalExecutor(n_workers, settings.time_limit, settings.memory_limit, modules)
    if settings.kind == "dask":
        from gdmbench.runner.dask_executor import DaskExecutor

        return DaskExecutor(settings.address, n_workers, settings.time_limit, settings.memory_limit, modules)
    raise ConfigError(f"There is no executor kind '{settings.kind}': {nearest(settings.kind, KINDS)}")
