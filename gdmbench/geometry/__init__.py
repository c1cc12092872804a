"""The paper's own methods: GDM, tuned GDM, nonparametric GDM, and projection onto the topic polytope."""

from gdmbench.geometry.gdm import GDM
from gdmbench.geometry.projection import project, squared_distances

__all__ = ["GDM", "project", "squared_distances"]
