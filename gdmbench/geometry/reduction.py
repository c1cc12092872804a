"""A few coordinates in which distances between documents are nearly kept, for cheap k-means restarts."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse

from gdmbench.geometry.counts import squared_norms


class ReducedPoints(NamedTuple):
    """Dense coordinates, and what of each point's squared distance to the centre they leave out."""

    coordinates: NDArray[np.float64]
    residuals: NDArray[np.float64]


def reduce_points(
    points: sparse.csr_array,
    weights: NDArray[np.float64],
    center: NDArray[np.float64],
    n_clusters: int,
    rng: np.random.Generator,
) -> ReducedPoints:
    """Return coordinates of sparse points in their leading weighted principal subspace, by randomised iteration.

    k-means needs the subspace of the centroids, which the leading principal axes nearly span. What a document has
    outside it is mostly sampling noise, nearly orthogonal to that of any other document, so that its squared length
    is all that distances need of it.

    References
    ----------
    N. Halko, P.-G. Martinsson and J. A. Tropp (2011). Finding structure with randomness. SIAM Review 53, 217-288.
    """
    n_points, n_words = points.shape
    n_sketch = 2 * n_clusters + 5
    if n_words <= n_sketch:
        return ReducedPoints(points.toarray() - center, np.zeros(n_points))
    # Documents lie near the subspace already, so a few of them are a better start than random directions.
    drawn = rng.choice(n_points, size=min(n_sketch, n_points), replace=False)
    basis: NDArray[np.float64] = np.ascontiguousarray((points[drawn].toarray() - center).T)
    projected = points @ basis - center @ basis
    projected *= weights[:, None]
    basis = points.T @ projected - np.outer(center, projected.sum(axis=0))
    basis = np.ascontiguousarray(linalg.qr(basis, mode="economic", overwrite_a=True, check_finite=False)[0])
    projected = points @ basis - center @ basis
    axes = np.linalg.eigh(projected.T @ (weights[:, None] * projected))[1][:, ::-1]
    coordinates = projected @ axes[:, : n_clusters + 5]
    own = np.einsum("md,md->m", coordinates, coordinates)
    return ReducedPoints(coordinates, np.maximum(squared_norms(points, center) - own, 0.0))
