"""Geometric topic inference: GDM, tuned, nonparametric and refined, VLAD, and projection onto the topic polytope."""

from gdmbench.geometry.gdm import GDM
from gdmbench.geometry.nonparametric import NonparametricGDM
from gdmbench.geometry.projection import project, squared_distances
from gdmbench.geometry.refined import RefinedGDM
from gdmbench.geometry.tuned_gdm import TunedGDM
from gdmbench.geometry.vlad import VLAD

__all__ = ["GDM", "VLAD", "NonparametricGDM", "RefinedGDM", "TunedGDM", "project", "squared_distances"]
