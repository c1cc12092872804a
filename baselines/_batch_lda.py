"""gensim's LdaModel made fit for batch variational EM: symmetric hyperparameters, the bound, a compiled E-step."""

import numpy as np
from gensim.models.ldamodel import LdaModel
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import brentq
from scipy.special import gammaln, psi

from baselines._vem_kernels import documents_bound, infer_documents

# Learned concentrations stay within these; beyond them a Dirichlet distribution is all corners or all centre.
_LEAST, _MOST = 1e-4, 1e4


class BatchLda(LdaModel):
    """gensim's model with what batch EM needs: symmetric hyperparameters at their maximum, the bound, a fast inference.

    gensim's own update of alpha takes one Newton step per pass in all directions and, undamped, rejects most of them
    silently; its update of eta never reaches the topics; and its `bound` fails (4.4) or takes as long as a pass.
    `inference` takes documents as a matrix and gives gensim's numbers.
    """

    alpha: NDArray[np.float64]
    eta: NDArray[np.float64]

    def start_from(self, expected_counts: NDArray[np.float64]) -> None:
        """Set the topics, instead of at random, to what a pass that ended with these counts would make them."""
        self.state.sstats[:] = expected_counts
        self.sync_state()

    def update_alpha(self, gammat: NDArray[np.float64], rho: float) -> NDArray[np.float64]:
        """Set alpha to the maximum of the bound; the step length rho is not used."""
        self.alpha = np.full(self.num_topics, best_concentration(gammat, self.alpha[0]))
        return self.alpha

    def update_eta(self, lambdat: NDArray[np.float64], rho: float) -> NDArray[np.float64]:
        """Set eta to the maximum of the bound, and the topics accordingly."""
        self.eta = np.full(self.num_terms, best_concentration(lambdat, self.eta[0]))
        self.state.eta = self.eta
        self.sync_state()
        return self.eta

    def whole_bound(self, counts: sparse.csr_array, gamma: NDArray[np.float64]) -> float:
        """Return the variational bound, given the gamma of every document."""
        topics = np.ascontiguousarray(self.expElogbeta.T)
        bound = documents_bound(counts.indptr, counts.indices, counts.data, topics, self.alpha, gamma)
        posterior = self.state.get_lambda()
        sums = posterior.sum(axis=1)
        expected_log = psi(posterior) - psi(sums)[:, None]
        bound += ((self.eta - posterior) * expected_log).sum() + gammaln(posterior).sum() - gammaln(sums).sum()
        bound += self.num_topics * (gammaln(self.eta.sum()) - gammaln(self.eta).sum())
        return float(bound)

    def inference(
        self, chunk: sparse.csr_array, collect_sstats: bool = False
    ) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
        """Return gamma and, if asked for, the sufficient statistics of documents, from gensim's random start."""
        gamma = self.random_state.gamma(100.0, 1.0 / 100.0, (chunk.shape[0], self.num_topics))
        topics = np.ascontiguousarray(self.expElogbeta.T)
        sstats = np.zeros((self.num_terms if collect_sstats else 0, self.num_topics))
        infer_documents(
            chunk.indptr,
            chunk.indices,
            chunk.data,
            topics,
            self.alpha,
            gamma,
            self.iterations,
            self.gamma_threshold,
            sstats,
        )
        return gamma, (sstats * topics).T if collect_sstats else None


class EqualStart:
    """In place of a random state, makes inference start at the mean of the random start, whatever the others do."""

    def gamma(self, shape: float, scale: float, size: tuple[int, int]) -> NDArray[np.float64]:
        """Return the mean of the gamma distribution."""
        return np.full(size, shape * scale)


def best_concentration(posteriors: NDArray[np.float64], present: float) -> float:
    """Return the symmetric Dirichlet parameter that maximises the bound, given variational posteriors by rows.

    It solves ``psi(n a) - psi(a) = -mean E log x``, whose left side falls from infinity to log n.
    """
    n = posteriors.shape[1]
    if n == 1:
        return present
    target = float((psi(posteriors.sum(axis=1))[:, None] - psi(posteriors)).mean())

    def excess(log_a: float) -> float:
        a = np.exp(log_a)
        return float(psi(n * a) - psi(a) - target)

    low, high = np.log(_LEAST), np.log(_MOST)
    if excess(low) <= 0:
        return _LEAST
    if excess(high) >= 0:
        return _MOST
    return float(np.exp(brentq(excess, low, high, xtol=1e-12)))
