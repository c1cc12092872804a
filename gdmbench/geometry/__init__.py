"""Geometric topic inference: GDM, tuned, nonparametric and refined, VLAD, and projection onto the topic polytope."""
