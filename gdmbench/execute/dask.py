"""Cells on a dask cluster: a running scheduler by its address, or a local cluster started for the run.

On every dask worker a cell still runs in a process of its own (`Worker`), because dask can neither stop a task that
takes too long nor survive one that ends its process.
"""

import logging
import threading
from asyncio import CancelledError as AsyncCancelledError
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError
from concurrent.futures import TimeoutError as NotYet
from contextlib import suppress
from itertools import islice
from typing import Any

from gdmbench.errors import ConfigError, RunError, one_line
from gdmbench.execute import Outcome
from gdmbench.execute.worker import Job, Settings, Worker
from gdmbench.plan import Cell
from gdmbench.versions import versions

_AHEAD = 2  # cells handed to the scheduler for each worker thread: enough to keep it busy, few enough to hold
_GONE = "The dask scheduler is gone: all cells before are kept; start it again, and the same command goes on."
_mine = threading.local()


class DaskExecutor:
    """Cells through `distributed.Client`.

    Parameters
    ----------
    address : str or None
        Of a running scheduler, such as ``tcp://host:8786``; None starts a cluster of processes on this machine.
    n_workers : int
        The size of that local cluster; a running scheduler's own size counts instead.
    settings : Settings
        For each cell.
    """

    def __init__(self, address: str | None, n_workers: int, settings: Settings) -> None:
        try:
            import distributed
        except ImportError:
            raise ConfigError("executor=dask needs the package distributed: pip install distributed.") from None
        for name in ("distributed", "distributed.client", "distributed.gc"):  # the others have no level of their own
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters of it is said in our own words
        self.compiling = False  # the workers don't tell
        self.settings = settings
        if address is None:
            self.cluster: Any = distributed.LocalCluster(
                n_workers=n_workers,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",  # else anyone on the network could hand it code to run
                dashboard_address="127.0.0.1:0",  # without an address it listens everywhere
                worker_dashboard_address="127.0.0.1:0",
                memory_limit=None,
                silence_logs=logging.CRITICAL,
            )
        else:
            self.cluster = address
        try:
            self.client = distributed.Client(self.cluster, timeout=10)
        except (OSError, TypeError, ValueError) as error:  # TypeError: a TLS address and no certificate
            reason = str(error).splitlines()[0]
            raise ConfigError(f"executor.address={address} has no dask scheduler that answers: {reason}.") from None
        self.n_workers = sum(self.client.nthreads().values())
        if not self.n_workers:
            raise ConfigError(
                f"The dask scheduler at {address} has no workers yet: start some with `dask worker {address}`."
            )

    def run(self, cells: Iterable[Cell]) -> Iterator[tuple[Cell, Outcome] | None]:
        """Yield each cell with its outcome as it ends; only a few cells for each worker are handed over at a time."""
        import distributed

        waiting = iter(cells)
        flying: dict[Any, Cell] = {}
        try:
            for sentence in mismatches(self.client.run(versions)):
                print(sentence)
            while True:
                for cell in islice(waiting, self.n_workers * _AHEAD - len(flying)):
                    flying[self.client.submit(_run_here, cell, self.settings, pure=False)] = cell
                if not flying:
                    return
                try:
                    ended = distributed.wait(list(flying), timeout=0.1, return_when="FIRST_COMPLETED").done
                except NotYet:
                    ended = set()
                if self.client.status != "running":
                    raise RunError(_GONE)
                yield None
                for future in ended:
                    yield flying.pop(future), _outcome(future)
        except (OSError, CancelledError, AsyncCancelledError):  # dask's own connection errors are OSErrors
            raise RunError(_GONE) from None
        finally:
            with suppress(OSError):  # of which TimeoutError is one: whoever stops us should not wait
                self.client.close(timeout=1)
                if not isinstance(self.cluster, str):
                    self.cluster.close(timeout=1)


def mismatches(reported: dict[str, dict[str, Any]]) -> list[str]:
    """Return a sentence for each package that can change a number and differs between here and some workers."""
    here = versions()
    differing: dict[str, list[str]] = {}
    for worker, there in reported.items():
        for name in here:
            if name != "cpu" and here[name] != there.get(name):
                differing.setdefault(f"{name} is {here[name]} here and {there.get(name)}", []).append(worker)
    return [f"Warning: {what} on {', '.join(workers)}: numbers may differ." for what, workers in differing.items()]


def _outcome(future: Any) -> Outcome:
    if future.status == "finished":
        outcome: Outcome = future.result()
        return outcome
    if future.status == "cancelled":
        raise RunError(_GONE)
    error = future.exception()
    name = type(error).__name__
    if name == "KilledWorker":
        return {"status": "crashed", "error": "the dask worker it was on died, more than once"}
    return {"status": "error", "error": f"{name}: {one_line(error)}"}


def _run_here(cell: Cell, settings: Settings) -> Outcome:
    """Run a cell on a dask worker, in a process kept for this thread."""
    worker: Worker | None = getattr(_mine, "worker", None)
    if worker is None:
        worker = _mine.worker = Worker(settings)
    worker.settings = settings
    return worker.do(Job("run", cell))
