"""Topics at the words of one document, one row for each topic: gathered, mixed, multiplied by a vector, scattered back.

Topics are kept word by word, so that a document finds those of a word together. Gathering, mixing and correlating run
over the document's words, which are many, for five topics at a time: what these share is then loaded once for all of
them, and no short loop runs for every word. Scattering runs word by word, over the topics of each. In `mix` and
`correlate` sums may be reassociated, so that the compiler can use vector instructions; the order is fixed when the code
is compiled, so equal input still gives equal bits.
"""

import numpy as np

from gdmbench.kernels import kernel

_SUMS = {"reassoc", "contract"}


@kernel
def gather(indices, start, n_columns, topics, rows):  # type: ignore[no-untyped-def]
    """Set ``rows[k, j] = topics[indices[start + j], k]`` for the first columns."""
    n_rows = len(rows)
    n_fives = n_rows - n_rows % 5
    for k in range(0, n_fives, 5):
        for j in range(n_columns):
            i = np.uint32(indices[start + j])  # a signed index would be asked each time whether it counts from the end
            rows[k, j], rows[k + 1, j], rows[k + 2, j] = topics[i, k], topics[i, k + 1], topics[i, k + 2]
            rows[k + 3, j], rows[k + 4, j] = topics[i, k + 3], topics[i, k + 4]
    for k in range(n_fives, n_rows):
        for j in range(n_columns):
            rows[k, j] = topics[np.uint32(indices[start + j]), k]


@kernel(fastmath=_SUMS)
def mix(rows, weights, n_columns, base, out):  # type: ignore[no-untyped-def]
    """Set ``out[j] = base + sum_k weights[k] * rows[k, j]`` for the first columns."""
    n_rows = len(rows)
    for j in range(n_columns):
        out[j] = base
    n_fives = n_rows - n_rows % 5
    for k in range(0, n_fives, 5):
        w0, w1, w2, w3, w4 = weights[k], weights[k + 1], weights[k + 2], weights[k + 3], weights[k + 4]
        r0, r1, r2, r3, r4 = rows[k], rows[k + 1], rows[k + 2], rows[k + 3], rows[k + 4]
        for j in range(n_columns):
            out[j] += w0 * r0[j] + w1 * r1[j] + w2 * r2[j] + w3 * r3[j] + w4 * r4[j]
    for k in range(n_fives, n_rows):
        w0 = weights[k]
        r0 = rows[k]
        for j in range(n_columns):
            out[j] += w0 * r0[j]


@kernel(fastmath=_SUMS)
def correlate(rows, vector, n_columns, out):  # type: ignore[no-untyped-def]
    """Set ``out[k] = sum_j vector[j] * rows[k, j]`` over the first columns, for as many rows as `out` has."""
    n_rows = len(out)
    n_fives = n_rows - n_rows % 5
    for k in range(0, n_fives, 5):
        r0, r1, r2, r3, r4 = rows[k], rows[k + 1], rows[k + 2], rows[k + 3], rows[k + 4]
        s0 = s1 = s2 = s3 = s4 = 0.0
        for j in range(n_columns):
            x = vector[j]
            s0 += x * r0[j]
            s1 += x * r1[j]
            s2 += x * r2[j]
            s3 += x * r3[j]
            s4 += x * r4[j]
        out[k], out[k + 1], out[k + 2], out[k + 3], out[k + 4] = s0, s1, s2, s3, s4
    for k in range(n_fives, n_rows):
        r0 = rows[k]
        s0 = 0.0
        for j in range(n_columns):
            s0 += vector[j] * r0[j]
        out[k] = s0


@kernel
def scatter(indices, start, n_columns, vector, weights, out):  # type: ignore[no-untyped-def]
    """Add ``vector[j] * weights[k]`` to ``out[indices[start + j], k]`` for the first columns."""
    for j in range(n_columns):
        i, x = np.uint32(indices[start + j]), vector[j]
        for k in range(len(weights)):
            out[i, k] += x * weights[k]
