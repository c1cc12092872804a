"""Products of sparse documents with dense matrices of a few columns, where there is much to multiply.

Scipy's products do for few documents. For many, kernels here give the same sums in the same order in less time: they
load and store them a quarter as often, by vector instructions, and `spread` goes through the documents once, not twice.
"""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gdmbench.geometry.blocks import blocks_of, in_threads, rows_of, transposed
from gdmbench.kernels import kernel

# Fewer products than this are scipy's, as they take less time than to compile a kernel; so are those with fewer columns
# than this, which vector instructions do not gain by.
_MANY, _WIDE = 200_000_000, 16
_VECTOR = 8  # numbers that instructions take at once: no column is left over


# Products are added up four at a time, in their order.
@kernel
def multiply_sparse(data, indices, start, stop, rows, out):  # type: ignore[no-untyped-def]
    """Set the product of a sparse point and a matrix with a row for each word, in the precision of the matrix."""
    n_columns = len(out)
    precision = rows.dtype.type
    for k in range(n_columns):
        out[k] = 0.0
    last = stop - (stop - start) % 4
    for p in range(start, last, 4):
        x0, x1, x2, x3 = precision(data[p]), precision(data[p + 1]), precision(data[p + 2]), precision(data[p + 3])
        r0, r1, r2, r3 = rows[indices[p]], rows[indices[p + 1]], rows[indices[p + 2]], rows[indices[p + 3]]
        for k in range(n_columns):
            out[k] = out[k] + x0 * r0[k] + x1 * r1[k] + x2 * r2[k] + x3 * r3[k]
    for p in range(last, stop):
        x0 = precision(data[p])
        row = rows[indices[p]]
        for k in range(n_columns):
            out[k] += x0 * row[k]


def times(points: sparse.csr_array, matrix: NDArray[np.float64], n_jobs: int = 1) -> NDArray[np.float64]:
    """Return sparse points times a matrix, which has its rows together in memory; threads change no bit."""
    n_points, n_columns = points.shape[0], matrix.shape[1]
    product = np.empty((n_points, n_columns))
    is_much = n_columns >= _WIDE and points.nnz * n_columns > _MANY

    def fill(block: slice) -> None:
        if is_much:
            multiply(points.data, points.indices, points.indptr[block.start : block.stop + 1], matrix, product[block])
        else:
            product[block] = rows_of(points, block) @ matrix

    # A row comes of that row alone, so that blocks may be of any size: with some for each thread, these end together.
    size = min(blocks_of(n_points)[0].stop, -(-n_points // (4 * n_jobs))) if n_jobs > 1 else 0
    for _ in in_threads(fill, blocks_of(n_points, size), n_jobs):
        pass
    return product


@kernel
def multiply(
    data: NDArray[np.float64],
    indices: NDArray[np.int32],
    indptr: NDArray[np.int32],
    matrix: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    """Set the product of the sparse points between these pointers and a matrix."""
    for m in range(len(out)):
        multiply_sparse(data, indices, indptr[m], indptr[m + 1], matrix, out[m])


def spread(
    points: sparse.csr_array,
    weights: NDArray[np.float64],
    matrix: NDArray[np.float64],
    offset: NDArray[np.float64],
    n_jobs: int = 1,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return X' Y for sparse points X and their weighted products ``Y = weights (X matrix - offset)``, and Y's sums.

    Threads, which change no bit, take blocks of points, or of one block some of the columns. More than one block are
    the kernel's too: what scipy's products of a block take is memory that each thread must get anew, and systems give
    it to two at a time slowly.
    """
    n_columns = matrix.shape[1]
    blocks = blocks_of(points.shape[0])
    is_much = len(blocks) > 1 or (n_columns >= _WIDE and points.nnz * n_columns > _MANY)
    n_parts = max(1, min(n_jobs, n_columns // 2)) if len(blocks) == 1 else 1  # numpy sums one column in another order
    cuts = np.linspace(0, n_columns, n_parts + 1).astype(int)

    def image(place: tuple[slice, slice]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        block, some = place
        rows, mine, origin = rows_of(points, block), matrix[:, some], offset[some]
        n_mine = len(origin)
        if is_much:
            n_wide = -(-n_mine // _VECTOR) * _VECTOR
            wide, image = np.zeros((len(mine), n_wide)), np.zeros((len(mine), n_wide))
            origins, sums, room = np.zeros(n_wide), np.zeros(n_wide), np.empty(n_wide)
            wide[:, :n_mine], origins[:n_mine] = mine, origin
            _spread(rows.data, rows.indices, rows.indptr, weights[block], wide, origins, room, image, sums)
            return image[:, :n_mine], sums[:n_mine]
        products = rows @ np.ascontiguousarray(mine) - origin
        products *= weights[block, None]
        return transposed(rows) @ products, products.sum(axis=0)

    places = [(block, slice(*cut)) for block in blocks for cut in pairwise(cuts.tolist())]
    pieces = in_threads(image, places, n_jobs)
    if len(blocks) == 1:
        images, sums = zip(*pieces, strict=True)
        return np.hstack(images), np.concatenate(sums)
    total, total_sums = next(pieces)
    for piece, piece_sums in pieces:
        total += piece
        total_sums += piece_sums
    return total, total_sums


@kernel
def _spread(
    data: NDArray[np.float64],
    indices: NDArray[np.int32],
    indptr: NDArray[np.int32],
    weights: NDArray[np.float64],
    matrix: NDArray[np.float64],
    offset: NDArray[np.float64],
    room: NDArray[np.float64],
    image: NDArray[np.float64],
    sums: NDArray[np.float64],
) -> None:
    n_columns = len(sums)
    for m in range(len(weights)):
        multiply_sparse(data, indices, indptr[m], indptr[m + 1], matrix, room)
        for k in range(n_columns):
            room[k] = (room[k] - offset[k]) * weights[m]
            sums[k] += room[k]
        for p in range(indptr[m], indptr[m + 1]):
            x = data[p]
            row = image[indices[p]]
            for k in range(n_columns):
                row[k] += x * room[k]
