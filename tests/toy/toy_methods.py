"""Methods that do nothing, or do it badly: for tests of the runner."""

import ctypes
import locale
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import numpy as np
from numba import njit


class Nothing:
    """Guesses at once: the first documents, smoothed."""

    def __init__(self, n_topics: int, seconds: float = 0.0, random_state: int | None = None) -> None:
        self.n_topics = n_topics
        self.seconds = seconds
        self.random_state = random_state

    def fit(self, X):
        time.sleep(self.seconds)
        rng = np.random.default_rng(self.random_state)
        rows = X[: self.n_topics].toarray() + rng.random((self.n_topics, X.shape[1]))
        self.components_ = rows / rows.sum(axis=1, keepdims=True)
        return self


@njit(cache=False)
def _median(numbers):
    return np.median(numbers)


class Compiled(Nothing):
    """Compiles a function in every process, which takes numba about a second."""

    def fit(self, X):
        _median(X.data.astype(float))
        return super().fit(X)


_sleep = ctypes.CDLL(None).sleep
_sleep.argtypes = [ctypes.c_uint]


@njit(cache=False)
def _never_return(n):
    while n > 0:
        _sleep(n)


def hang(compiled=False):
    """Never return, in Python or in compiled code that keeps its lock; asleep, at the expense of no other test."""
    if compiled:
        _never_return(1)
    while True:
        time.sleep(1)


class Faulty(Nothing):
    """Behaves until it is asked to fit more than 40 documents (the runner's warm-up), then fails as told."""

    def __init__(self, n_topics: int, fault: str = "raise", random_state: int | None = None) -> None:
        super().__init__(n_topics, 0.0, random_state)
        self.fault = fault

    def fit(self, X):
        super().fit(X)
        if X.shape[0] <= 40:
            return self
        match self.fault:
            case "raise":
                raise RuntimeError("as told,\nover two lines")
            case "exit":
                os._exit(0)
            case "segfault":
                ctypes.string_at(0)
            case "hang":
                hang()
            case "hang compiled":
                hang(compiled=True)
            case "memory":
                hoard = []
                while True:
                    hoard.append(np.ones(10_000_000))
            case "not a number":
                self.components_[1, 2] = np.nan
            case "negative":
                self.components_[0, 0] = -1
            case "shape":
                self.components_ = self.components_[:, 1:]
            case "no topics":
                del self.components_
            case "unpicklable":
                self.record_ = {"model": lambda: None}
        return self


class Witness(Nothing):
    """Reports what it finds of its process."""

    def fit(self, X):
        print("the witness can speak")
        self.record_ = {
            "process": os.getpid(),
            "folder": os.getcwd(),
            "streams": [os.readlink(f"/proc/self/fd/{n}") for n in range(3)],
            "environment": {k: v for k, v in os.environ.items() if "TOY" in k or k in ("HOME", "OMP_NUM_THREADS")},
            "locale": locale.setlocale(locale.LC_ALL),
            "errors": np.geterr(),
            "filters": [str(rule) for rule in warnings.filters],
            "draws": [random.random(), float(np.random.random())],  # noqa: NPY002
            "alarm": signal.alarm(0),
        }
        return super().fit(X)


class Vandal(Witness):
    """Leaves nothing of its process as it was."""

    def fit(self, X):
        super().fit(X)
        if X.shape[0] <= 40:
            return self
        os.chdir("/")
        sys.stdout.close()
        os.close(2)
        os.open("/dev/null", os.O_WRONLY)
        sys.stderr = None
        os.environ.update(TOY="broken", OMP_NUM_THREADS="99")
        del os.environ["HOME"]
        locale.setlocale(locale.LC_ALL, "C")
        np.seterr(all="raise")
        warnings.simplefilter("error")
        random.seed(0)
        np.random.seed(0)  # noqa: NPY002
        signal.alarm(600)
        return self


class Begetter(Nothing):
    """Starts processes: some that it waits for, some that it leaves behind in the ways there are."""

    def __init__(self, n_topics: int, pids: str, then: str = "go on", random_state: int | None = None) -> None:
        super().__init__(n_topics, 0.0, random_state)
        self.pids = pids
        self.then = then

    def fit(self, X):
        super().fit(X)
        if X.shape[0] <= 40:
            return self
        with multiprocessing.Pool(2) as pool:
            assert pool.map(abs, [-1, -2]) == [1, 2]
        self._leave(subprocess.Popen(["sleep", "600"]).pid)
        # One in a session of its own whose parent is gone, as daemons are.
        shell = ["sh", "-c", "setsid sleep 600 >/dev/null 2>&1 & echo $!"]
        self._leave(int(subprocess.run(shell, capture_output=True, text=True, check=True).stdout))
        copy = os.fork()
        if copy == 0:
            return self  # goes on with what its parent does: measuring, answering
        self._leave(copy)
        threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
        if self.then == "exit":
            os._exit(7)
        if self.then == "raise":
            raise SystemExit(8)
        while self.then == "hang":
            time.sleep(1)
        return self

    def _leave(self, pid):
        with Path(self.pids).open("a") as file:
            file.write(f"{pid}\n")


class Daemon(Begetter):
    """Leaves one process behind, of which nothing in the tree of processes tells that it comes from here."""

    def fit(self, X):
        Nothing.fit(self, X)
        shell = ["sh", "-c", "setsid sleep 600 >/dev/null 2>&1 & echo $!"]
        self._leave(int(subprocess.run(shell, capture_output=True, text=True, check=True).stdout))
        return self


def hostile_corpus(path: str, fault: str = "exit", n_topics: int = 3):
    """Fails as told."""
    match fault:
        case "exit":
            os._exit(0)
        case "segfault":
            ctypes.string_at(0)
        case "hang":
            hang(compiled=True)
        case "raise":
            raise ValueError("line 7 is no good")
