"""What a symmetric Dirichlet distribution of topic proportions says of the topic simplex, and what tells alpha."""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import gammaincc, psi

# Estimates of alpha stay within these: below, proportions are all corners; above, documents are all alike.
LEAST_ALPHA, MOST_ALPHA = 1e-3, 1e2
# What the bound is maximised over: beyond, a Dirichlet distribution is all corners or all centre.
LEAST_CONCENTRATION, MOST_CONCENTRATION = 1e-4, 1e4


def expected_maximum(n_topics: int, alpha: float) -> float:
    """Return the expected largest proportion of a document, for proportions from Dirichlet(alpha, ..., alpha).

    Proportions are independent gamma variables over their sum, and the sum is independent of the ratios; so it is the
    expected largest of the gamma variables over the expected sum: ``∫ 1 - P(alpha, x)^K dx / (K alpha)`` over x > 0,
    P the regularised incomplete gamma function. In log x the integrand is smooth and falls off at both ends, where the
    trapezoidal rule is exact to rounding.
    """
    step = 0.05 / max(1.0, np.sqrt(alpha))
    log_x = np.arange(-40.0, np.log(alpha + 40.0 * np.sqrt(alpha) + 60.0), step)
    x = np.exp(log_x)
    with np.errstate(divide="ignore"):  # far to the left no gamma variable is below x, and the integrand is x
        above = -np.expm1(n_topics * np.log1p(-gammaincc(alpha, x)))
    return float(step * (above @ x) / (n_topics * alpha))


def extension(n_topics: int, alpha: float) -> float:
    """Return gamma, the factor by which a topic is farther from the centre than the centroid of its documents.

    In a regular simplex the documents of a topic, those nearest to it, are those with most of it, and by symmetry
    their centroid gives it the expected largest proportion and the others equal shares of the rest. So
    ``gamma = (K - 1) / (K E[max] - 1)``; with one topic 1.
    """
    if n_topics == 1:
        return 1.0
    return (n_topics - 1) / (n_topics * expected_maximum(n_topics, alpha) - 1.0)


def alpha_from_centroids(centroids: NDArray[np.float64]) -> float:
    """Return the alpha under which clusters of whitened documents would have these centroids.

    Topics B with proportions of covariance P / (K^2 (K alpha + 1)), P = K I - 11', give documents the covariance
    ``B' P B / (K^2 (K alpha + 1))``, which whitening makes the identity. With ``B = gamma centroids`` the centroids'
    spread tells ``g = gamma^2 / (K alpha + 1)``, by least squares, and g rises with alpha.

    Parameters
    ----------
    centroids : array of shape (n_topics, n_coordinates)
        Centroids of clusters of the whitened documents about their mean.
    """
    n_topics = len(centroids)
    spread = n_topics * centroids.T @ centroids - np.outer(centroids.sum(axis=0), centroids.sum(axis=0))
    target = n_topics**2 * np.trace(spread) / np.sum(spread * spread)

    def excess(log_alpha: float) -> float:
        alpha = float(np.exp(log_alpha))
        return extension(n_topics, alpha) ** 2 / (n_topics * alpha + 1.0) - target

    low, high = np.log(LEAST_ALPHA), np.log(MOST_ALPHA)
    if excess(low) >= 0.0:
        return LEAST_ALPHA
    if excess(high) <= 0.0:
        return MOST_ALPHA
    return float(np.exp(brentq(excess, low, high, xtol=1e-6)))


def best_concentration(posteriors: NDArray[np.float64]) -> float:
    """Return the symmetric Dirichlet parameter that maximises the variational bound, given posteriors by rows.

    It solves ``psi(n a) - psi(a) = -mean E log x``, whose left side falls from infinity to log n.
    """
    n = posteriors.shape[1]
    target = float((psi(posteriors.sum(axis=1))[:, None] - psi(posteriors)).mean())

    def excess(log_a: float) -> float:
        a = float(np.exp(log_a))
        return float(psi(n * a) - psi(a) - target)

    low, high = np.log(LEAST_CONCENTRATION), np.log(MOST_CONCENTRATION)
    if excess(low) <= 0.0:
        return LEAST_CONCENTRATION
    if excess(high) >= 0.0:
        return MOST_CONCENTRATION
    return float(np.exp(brentq(excess, low, high, xtol=1e-12)))
