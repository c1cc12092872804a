"""Documents that are not one matrix in memory: blocks of sparse rows from anything that can be read again and again.

That is a list of matrices, an object that reads files anew whenever one iterates over it, or a dask collection, on
whose workers the map then runs. Each block is checked whenever it is read, and an error names it by its number.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gdmbench.errors import one_line
from gdmbench.files import atomic_folder, typed_path
from gdmbench.geometry.blocks import Blocks, ordered_map, spread_over, stacked
from gdmbench.geometry.counts import filled_rows, read_counts

_BATCH = 16  # blocks that dask is asked for at once: what they give must fit into memory


def is_source(X: Any) -> bool:
    """Say whether these are blocks of documents, and not a matrix of them."""
    if hasattr(X, "__dask_graph__") or hasattr(X, "__next__"):
        return True
    if isinstance(X, list | tuple):
        return len(X) > 0 and (hasattr(X[0], "__dask_graph__") or sparse.issparse(X[0]) or np.ndim(X[0]) == 2)
    return hasattr(X, "__iter__") and not any(hasattr(X, name) for name in ("shape", "__array__", "__dataframe__"))


class SourceBlocks(Blocks):
    """Blocks of documents that lie elsewhere, read anew by each map.

    Parameters
    ----------
    source : re-iterable of matrices
    name : str
        What asks for them, such as "VLAD.fit", for messages.
    n_jobs : int or None
        Number of threads of the map.
    keep_empty : bool
        Whether documents without words stay.
    """

    def __init__(self, source: Any, name: str, n_jobs: int | None = None, *, keep_empty: bool = False) -> None:
        if hasattr(source, "__next__"):
            raise ValueError(
                f"{name} reads its blocks several times, and this iterator can be read only once: pass a list of "
                "blocks, or an object whose __iter__ starts anew."
            )
        self._source, self._name, self._keep_empty = source, name, keep_empty
        self.n_jobs = n_jobs

    def map(self, function: Callable[..., Any], *shared: Any, own: Sequence[Any] | None = None) -> Iterator[Any]:
        """Yield what a function gives for each block, as `Blocks.map` does."""
        states = repeat(()) if own is None else ((state,) for state in own)
        calls = (
            (block, (f"{self._name}, block {number}", self._keep_empty), function, (*shared, *state))
            for number, (block, state) in enumerate(zip(self._numbered(), states, strict=False))
        )
        n_found = 0
        for result in self._run(calls):
            n_found += 1
            yield result
        if own is not None and n_found != len(own):
            raise ValueError(
                f"{self._name}: there were {len(own)} blocks at first and then {n_found}: keep them as they are."
            )

    def _run(self, calls: Iterator[tuple[Any, ...]]) -> Iterator[Any]:
        return ordered_map(lambda call: _apply(*call), calls, self.n_jobs)

    def _numbered(self) -> Iterator[Any]:
        """Yield the blocks; an error in reading one names it."""
        number = 0
        try:
            for block in self._source:
                yield block
                number += 1
        except (GeneratorExit, ValueError):
            raise
        except Exception as error:
            reason = one_line(error) or type(error).__name__
            raise ValueError(f"{self._name}, block {number} cannot be read: {reason}.") from error

    @cached_property
    def _shapes(self) -> NDArray[np.int64]:
        """The number of documents and of words of each block."""
        shapes = np.array(list(self.map(_shape)), dtype=np.int64).reshape(-1, 2)
        if not len(shapes):
            raise ValueError(f"{self._name} got no blocks: pass one at least.")
        wrong = np.flatnonzero(shapes[:, 1] != shapes[0, 1])
        if len(wrong):
            raise ValueError(
                f"{self._name}, block {wrong[0]} has {shapes[wrong[0], 1]} words, the blocks before it have "
                f"{shapes[0, 1]}: pass all blocks over one vocabulary."
            )
        return shapes

    @property
    def n_blocks(self) -> int:
        """How many blocks there are."""
        return len(self._shapes)

    @property
    def n_documents(self) -> int:  # type: ignore[override]
        """How many documents there are, those left out not counted."""
        return int(self._shapes[:, 0].sum())

    @property
    def n_words(self) -> int:  # type: ignore[override]
        """How many words the blocks are over."""
        return int(self._shapes[0, 1])

    def sample(self, n_kept: int) -> sparse.csr_array:
        """Return at most so many documents, evenly spread over all."""
        chosen = spread_over(self._shapes[:, 0].tolist(), n_kept)
        return sparse.csr_array(sparse.vstack(list(self.map(_rows, own=chosen)), format="csr"))


class DaskBlocks(SourceBlocks):
    """Blocks in a dask collection: delayed matrices, a bag of matrices, or an array with chunks of rows.

    dask's own workers read the blocks and run the map on them, some blocks at a time.
    """

    def _run(self, calls: Iterator[tuple[Any, ...]]) -> Iterator[Any]:
        import dask

        shared: dict[int, Any] = {}  # what all blocks need goes into a batch once

        def delay(call: tuple[Any, ...]) -> Any:
            block, place, function, arguments = call
            passed = [
                shared.setdefault(id(each), dask.delayed(each, pure=False)) if isinstance(each, np.ndarray) else each
                for each in arguments
            ]
            return dask.delayed(_apply, pure=False)(block, place, function, passed)

        first = 0
        while batch := [delay(call) for call in islice(calls, _BATCH)]:
            try:
                results = dask.compute(*batch)
            except ValueError:
                raise
            except Exception as error:
                reason = one_line(error) or type(error).__name__
                last = first + len(batch) - 1
                raise ValueError(f"{self._name}: dask could not compute blocks {first} to {last}: {reason}.") from error
            yield from results
            first += len(batch)

    def _numbered(self) -> Iterator[Any]:
        if isinstance(self._source, list | tuple):
            return iter(self._source)
        parts = np.asarray(self._source.to_delayed(), dtype=object)
        if parts.ndim == 2 and parts.shape[1] != 1:
            raise ValueError(f"{self._name}: the array has {parts.shape[1]} chunks of words: rechunk it to one.")
        return iter(parts.ravel())


def read_blocks(
    X: Any, name: str, n_jobs: int | None = None, *, keep_empty: bool = True, as_given: bool = False
) -> Blocks:
    """Return documents of any kind, a matrix or a source of blocks, as blocks to map over."""
    if not is_source(X):
        counts = read_counts(X, name, as_given)
        return Blocks(counts if keep_empty else filled_rows(counts)[0], n_jobs)
    in_dask = hasattr(X, "__dask_graph__") or (isinstance(X, list | tuple) and hasattr(X[0], "__dask_graph__"))
    return (DaskBlocks if in_dask else SourceBlocks)(X, name, n_jobs, keep_empty=keep_empty)


def gather(pieces: Iterable[NDArray[Any]], folder: Any = None) -> Any:
    """Return arrays one below the other, or write them to a folder that is there only when all of them are."""
    if folder is None:
        return stacked(pieces)
    target = typed_path(folder)
    if target.exists():
        raise ValueError(f"{target} is there already: name a folder that is not, or remove it.")
    with atomic_folder(target) as aside:
        names = []
        for number, piece in enumerate(pieces):
            names.append(f"part-{number:05d}.npy")
            np.save(aside / names[-1], piece, allow_pickle=False)
    return [target / name for name in names]


def _apply(block: Any, place: tuple[str, bool], function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """Return what a function gives for a block that has been checked."""
    name, keep_empty = place
    try:
        if isinstance(block, list | tuple):  # a partition of a bag
            block = sparse.vstack(block, format="csr")
        counts = read_counts(block, name)
    except (ValueError, TypeError) as error:
        sentence = one_line(error)
        raise ValueError(sentence if name in sentence else f"{name}: {sentence}") from None
    return function(counts if keep_empty else counts[np.diff(counts.indptr) > 0], *arguments)


def _shape(rows: sparse.csr_array) -> tuple[int, int]:
    return rows.shape


def _rows(rows: sparse.csr_array, positions: NDArray[np.int64]) -> sparse.csr_array:
    return rows[positions]
