"""The ordered map: a function applied to blocks of documents, in one thread or several, results in order.

What blocks give is put together in their order, so the number of threads changes no bit. Compiled kernels, numpy and
scipy let other threads run while they work.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain, repeat
from typing import Any, TypeVar

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from scipy import sparse

BLOCK = 25_000  # documents of a matrix in memory

Item = TypeVar("Item")
Result = TypeVar("Result")


def ordered_map(function: Callable[[Item], Result], items: Iterable[Item], n_jobs: int | None) -> Iterator[Result]:
    """Yield what a function gives for each item, in their order.

    Parameters
    ----------
    function : callable
    items : iterable
        Read one at a time, a little ahead of the results.
    n_jobs : int or None
        Number of threads: None is one, -1 all cores, as in scikit-learn.
    """
    n_threads = effective_n_jobs(n_jobs)
    if n_threads == 1:
        yield from map(function, items)
        return
    with ThreadPoolExecutor(n_threads) as threads:
        ahead: deque[Future[Result]] = deque()
        for item in items:
            ahead.append(threads.submit(function, item))
            if len(ahead) > n_threads:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()


class Blocks:
    """The documents of a matrix in memory, in blocks; `sources.py` has those that lie elsewhere.

    Parameters
    ----------
    counts : csr_array of shape (n_documents, n_words)
    n_jobs : int or None
        Number of threads of the map.
    """

    def __init__(self, counts: sparse.csr_array, n_jobs: int | None = None) -> None:
        self._counts = counts
        self.n_jobs = n_jobs
        self.n_documents, self.n_words = counts.shape

    def map(self, function: Callable[..., Any], *shared: Any, own: Sequence[Any] | None = None) -> Iterator[Any]:
        """Yield ``function(rows, *shared)`` for each block, or ``function(rows, *shared, own[i])``, in order.

        The function must be defined at the top of a module, as it may run in another process.
        """
        starts = range(0, max(self.n_documents, 1), BLOCK)
        blocks = ((self._counts[start : start + BLOCK],) for start in starts)
        states = repeat(()) if own is None else ((state,) for state in own)
        calls = (chain(block, shared, state) for block, state in zip(blocks, states, strict=own is not None))
        yield from ordered_map(lambda call: function(*call), calls, self.n_jobs)

    @property
    def n_blocks(self) -> int:
        """How many blocks there are: at least one, which is empty if there are no documents."""
        return max(1, -(-self.n_documents // BLOCK))

    @property
    def totals(self) -> NDArray[np.float64]:
        """How often each word occurs."""
        return summed(self.map(_totals))

    def sample(self, n_kept: int) -> sparse.csr_array:
        """Return at most so many documents, evenly spread over all."""
        return spread(self._counts, n_kept)


def _totals(rows: sparse.csr_array) -> NDArray[np.float64]:
    return np.asarray(rows.sum(axis=0), dtype=np.float64)


def summed(pieces: Iterable[Any]) -> Any:
    """Return the sum of arrays, added in their order; the first is overwritten."""
    rest = iter(pieces)
    total = next(rest)
    for piece in rest:
        total += piece
    return total


def stacked(pieces: Iterable[NDArray[Any]]) -> NDArray[Any]:
    """Return arrays one below the other."""
    return np.concatenate(list(pieces))


def spread(rows: Any, n_kept: int) -> Any:
    """Return at most so many rows of an array, dense or sparse, evenly spread over all."""
    return rows if rows.shape[0] <= n_kept else rows[spread_over([rows.shape[0]], n_kept)[0]]


def spread_over(sizes: Sequence[int], n_kept: int) -> list[NDArray[np.int64]]:
    """Return for each block of documents which of them to take, so that at most so many are, evenly spread over all."""
    ends = np.cumsum(sizes)
    n_documents = int(ends[-1])
    kept = np.linspace(0, n_documents - 1, n_kept).astype(np.int64) if n_documents > n_kept else np.arange(n_documents)
    parts = np.split(kept, np.searchsorted(kept, ends[:-1]))
    return [part - start for part, start in zip(parts, [0, *ends[:-1]], strict=True)]
