"""Stochastic variational Bayes: topics that go on learning from documents as they arrive."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from gdmbench.geometry.blocks import Blocks
from gdmbench.geometry.inference import Inference, Posterior

_FORGETTING = 0.9  # the share of the t-th step is (t + 1)^-0.9
_TURNS = 3  # between the topics and the documents of a step


@dataclass
class Sweep:
    """What is known after some documents: expected numbers of words by topics, for each document in the mean.

    Attributes
    ----------
    per_document : array of shape (n_words, n_topics)
    eta, alpha : float
        Dirichlet parameters of the passes.
    least_alpha : float
        Below which alpha is not learned.
    n_documents : int
        How many have arrived.
    totals : array of shape (n_words,)
        How often each word occurs in them.
    n_steps : int
    """

    per_document: NDArray[np.float64]
    eta: float
    alpha: float
    n_documents: int
    totals: NDArray[np.float64]
    least_alpha: float
    n_steps: int = 0

    @classmethod
    def begin(cls, posterior: Posterior, eta: float, alpha: float, least_alpha: float, blocks: Blocks) -> Self:
        """Return what a fit to the first documents tells."""
        per_document = np.maximum(posterior - eta, 0.0) / blocks.n_documents
        return cls(per_document, eta, alpha, blocks.n_documents, blocks.totals, least_alpha)

    def step(self, blocks: Blocks, n_all: int | None, learns: bool) -> tuple[Posterior, float]:
        """Learn from documents that have arrived; return the topics' posterior and the share of the step.

        A step goes from what was known before it, three times, each time with better topics for its documents.
        """
        self.n_steps += 1
        self.n_documents += blocks.n_documents
        self.totals = self.totals + blocks.totals
        share = float((self.n_steps + 1) ** -_FORGETTING)
        scale = max(n_all or 0, self.n_documents)
        inference = Inference(blocks, self.per_document.shape[1], self.alpha, self.eta)
        mixed = self.per_document
        for _ in range(_TURNS):
            found = (inference.variational(self.eta + scale * mixed) - self.eta) / blocks.n_documents
            mixed = (1.0 - share) * self.per_document + share * found
        self.per_document = mixed
        if learns:
            self.alpha = float(self.alpha ** (1.0 - share) * max(inference.best_alpha(), self.least_alpha) ** share)
        return self.eta + scale * mixed, share
