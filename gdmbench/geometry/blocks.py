"""Working through many documents in blocks and threads, with the same bits whatever the number of threads.

Blocks have a fixed number of documents, and what they give is put together in their order. Compiled kernels, numpy and
scipy let other threads run while they work.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

# Fewer documents than this are one block: sums over them are of one piece. More are cut into blocks of half as many.
BLOCK = 50_000

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_threads(function: Callable[[Item], Result], items: Iterable[Item], n_jobs: int) -> Iterator[Result]:
    """Yield what a function gives for each item, in their order, with so many threads at work.

    The thread that asks is one of them: while it waits for the next result it works on an item that no other has begun.
    Were it only to wait, one thread more than there are cores would have to be placed on these, which systems often do
    badly for the first milliseconds, and there are dozens of such calls in a fit.
    """
    items = list(items)
    n_others = min(n_jobs, len(items)) - 1
    if n_others <= 0:
        yield from map(function, items)
        return
    with ThreadPoolExecutor(n_others) as others:
        theirs = [others.submit(function, item) for item in items]
        mine: dict[int, Result] = {}
        ahead = iter(range(len(items)))
        try:
            for number, result in enumerate(theirs):
                while not result.done():
                    begun = next((n for n in ahead if theirs[n].cancel()), None)  # unless another has begun it
                    if begun is None:
                        break
                    mine[begun] = function(items[begun])
                yield mine.pop(number) if number in mine else result.result()
        finally:  # also where the caller wants no more
            for result in theirs:
                result.cancel()


def blocks_of(n_rows: int, size: int = 0) -> list[slice]:
    """Return the blocks of so many documents, or those of some other size; one that is empty if there are none."""
    size = size or (BLOCK if n_rows < BLOCK else BLOCK // 2)  # more blocks than threads, so that these end together
    return [slice(start, min(start + size, n_rows)) for start in range(0, max(n_rows, 1), size)]


def rows_of(matrix: sparse.csr_array, block: slice) -> sparse.csr_array:
    """Return the rows of a block: a view, where scipy's own slices are copies."""
    if (block.start, block.stop) == (0, matrix.shape[0]):
        return matrix
    start, stop = matrix.indptr[block.start], matrix.indptr[block.stop]
    rows = sparse.csr_array((block.stop - block.start, matrix.shape[1]), dtype=matrix.dtype)
    # Set one by one, as scipy copies the parts of large arrays that it is made of.
    rows.data = matrix.data[start:stop]
    rows.indices = matrix.indices[start:stop]
    rows.indptr = matrix.indptr[block.start : block.stop + 1] - start
    return rows


def transposed(rows: sparse.csr_array) -> sparse.csc_array:
    """Return the transpose of some rows: a view, where that of scipy copies what is a small part of a large array."""
    columns = sparse.csc_array((rows.shape[1], rows.shape[0]), dtype=rows.dtype)
    columns.data, columns.indices, columns.indptr = rows.data, rows.indices, rows.indptr
    return columns


def row_by_row(
    function: Callable[[sparse.csr_array, slice], NDArray[np.float64]],
    matrix: sparse.csr_array,
    n_jobs: int,
    size: int = 0,
    n_columns: int | None = None,
) -> NDArray[np.float64]:
    """Return what a function gives for the rows of each block, one after the other: numbers, or rows of `n_columns`.

    A size of the blocks that hangs on `n_jobs` is for functions to whose bits it makes no difference: what they give
    for a row must come of that row alone, and not of a matrix product of many.
    """
    n_rows = matrix.shape[0]
    found = np.empty(n_rows if n_columns is None else (n_rows, n_columns))

    def fill(block: slice) -> None:
        found[block] = function(rows_of(matrix, block), block)

    for _ in in_threads(fill, blocks_of(n_rows, size), n_jobs):
        pass
    return found


def summed(
    function: Callable[[sparse.csr_array, slice], NDArray[np.float64]], matrix: sparse.csr_array, n_jobs: int
) -> NDArray[np.float64]:
    """Return the sum, in their order, of what a function gives for the rows of each block; it is overwritten."""
    pieces = in_threads(lambda block: function(rows_of(matrix, block), block), blocks_of(matrix.shape[0]), n_jobs)
    total = next(pieces)
    for piece in pieces:
        total += piece
    return total
