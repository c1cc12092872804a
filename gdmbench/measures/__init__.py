"""Measures of topics and of held-out documents."""

from gdmbench.measures.bounds import LikelihoodBounds, likelihood_bounds
from gdmbench.measures.coherence import coherence, diversity
from gdmbench.measures.heldout import HeldoutPerplexity, heldout_perplexity, perplexity
from gdmbench.measures.loss import geometric_loss
from gdmbench.measures.matching import minimum_matching_distance

__all__ = [
    "HeldoutPerplexity",
    "LikelihoodBounds",
    "coherence",
    "diversity",
    "geometric_loss",
    "heldout_perplexity",
    "likelihood_bounds",
    "minimum_matching_distance",
    "perplexity",
]
