"""Methods that do nothing, or do it badly: for tests of the runner."""

import ctypes
import os
import time

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
def _spin(n):
    total = 0
    while n > 0:
        total += n & 1
    return total


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
                while True:
                    pass
            case "hang compiled":
                _spin(1)
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
