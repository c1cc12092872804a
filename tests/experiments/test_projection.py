"""Projected proportions beside the methods' own."""

from experiments.criteria import of
from experiments.projection import with_projected


def test_projected_proportions_are_methods_of_their_own(world):
    both = with_projected(of(world, "vary_N"))
    assert set(both["method"]) == {"vem", "gibbs", "vem_projected", "gibbs_projected"}
    gibbs = both[both["method"] == "gibbs"].reset_index(drop=True)
    projected = both[both["method"] == "gibbs_projected"].reset_index(drop=True)
    assert (projected["perplexity"] == gibbs["perplexity_projected"]).all()
