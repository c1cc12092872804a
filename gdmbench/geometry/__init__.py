"""The paper's own methods: GDM, tuned GDM, nonparametric GDM, and projection onto the topic polytope."""

from gdmbench.geometry.gdm import GDM
from gdmbench.geometry.nonparametric import NonparametricGDM
from gdmbench.geometry.projection import project, squared_distances
from gdmbench.geometry.tuned_gdm import TunedGDM

__all__ = ["GDM", "NonparametricGDM", "TunedGDM", "project", "squared_distances"]
