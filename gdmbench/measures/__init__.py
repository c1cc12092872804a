"""Measures of fitted topics: distance to the truth, held-out perplexity, geometric loss."""
