"""gensim's LdaModel made fit for batch variational EM: symmetric hyperparameters, the bound, a compiled E-step."""

import numpy as np
from gensim.models.ldamodel import LdaModel
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import gammaln, psi

from baselines._vem_kernels import documents_bound, infer_documents
from gdmbench.geometry.dirichlet import best_concentration


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
        if self.num_topics > 1:  # one says nothing
            self.alpha = np.full(self.num_topics, best_concentration(gammat))
        return self.alpha

    def update_eta(self, lambdat: NDArray[np.float64], rho: float) -> NDArray[np.float64]:
        """Set eta to the maximum of the bound, and the topics accordingly."""
        if self.num_terms > 1:
            self.eta = np.full(self.num_terms, best_concentration(lambdat))
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
