"""The paper's own methods: GDM, tuned GDM, nonparametric GDM, and projection onto the topic polytope."""

from gdmbench.geometry.projection import project, squared_distances

__all__ = ["project", "squared_distances"]
