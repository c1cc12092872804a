"""digamma(x), exp(digamma(x)) and log(gamma(x)) as polynomials on short intervals of x, to 9 digits.

In a loop over many numbers at once, polynomials are several times as fast as the functions themselves, as long as the
numbers stay in their intervals.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, psi

N_COEFFICIENTS = 6
# Half the width of a cell: as a share of x, for log(x), and as a change of 1 / x, for exp(-1 / x).
_OF_X, _OF_INVERSE = 0.0625, 0.15
_UNDERFLOW = 0.0014  # below this exp(digamma(x)) is 0


def digamma_cells(least: float, most: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the edges of cells that cover the numbers from 0 to `most`, and what functions are on each cell.

    Parameters
    ----------
    least, most : float
        The cells between them are narrow; one wide cell, where exp(digamma) counts as 0, lies below.

    Returns
    -------
    edges : ndarray of shape (n_cells + 1,)
    cells : ndarray of shape (n_cells, 20)
        By columns: the centre; 1 / half the width; and the coefficients of the polynomials in (x - centre) / half the
        width that agree with exp(digamma(x)), digamma(x) and log(gamma(x)) at the Chebyshev nodes.
    """
    edges = [0.0, max(least * (1 - 1e-9), _UNDERFLOW)]
    while edges[-1] <= most * (1 + 1e-9):
        edges.append(edges[-1] * (1 + 2 * min(_OF_X, _OF_INVERSE * edges[-1])))
    low, high = np.array(edges[:-1]), np.array(edges[1:])
    centres, halves = (high + low) / 2, (high - low) / 2
    nodes = np.cos(np.pi * (np.arange(N_COEFFICIENTS) + 0.5) / N_COEFFICIENTS)
    to_coefficients = np.linalg.inv(np.vander(nodes, increasing=True)).T
    x = centres[:, None] + halves[:, None] * nodes
    digamma = psi(x)
    digamma[0] = -1 / _UNDERFLOW
    functions = [f @ to_coefficients for f in (np.exp(digamma), digamma, gammaln(x))]
    return np.array(edges), np.column_stack([centres, 1 / halves, *functions])
