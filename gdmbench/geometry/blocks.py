"""The ordered map: a function applied to blocks of documents, in one thread or several, results in order.

Blocks have one fixed number of documents, and what they give is put together in their order, so the number of threads
changes no bit. Compiled kernels, numpy and scipy let other threads run while they work.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from scipy import sparse

BLOCK = 25_000  # documents

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


def blocks_of(n_documents: int) -> list[slice]:
    """Return the documents of each block; one empty block if there are no documents."""
    return [slice(start, min(start + BLOCK, n_documents)) for start in range(0, max(n_documents, 1), BLOCK)]


def map_blocks(
    function: Callable[[sparse.csr_array, slice], Result], counts: sparse.csr_array, n_jobs: int | None = None
) -> Iterator[Result]:
    """Yield what a function gives for each block: its rows, and which documents they are."""
    return ordered_map(lambda block: function(counts[block], block), blocks_of(counts.shape[0]), n_jobs)


def summed(pieces: Iterable[NDArray[Any]]) -> NDArray[Any]:
    """Return the sum of arrays, added in their order; the first is overwritten."""
    rest = iter(pieces)
    total = next(rest)
    for piece in rest:
        total += piece
    return total


def stacked(pieces: Iterable[NDArray[Any]]) -> NDArray[Any]:
    """Return arrays one below the other."""
    return np.concatenate(list(pieces))
