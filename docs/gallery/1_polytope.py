"""
Topics are the corners of a polytope
====================================

With a vocabulary of three words, a document is a point in a triangle: its word frequencies. Documents are mixtures of
topics, so up to the noise of drawing their words they lie in the polytope whose corners are the topics. GDM finds the
corners in two steps: k-means clusters the documents, and the line from the centre of all documents through the centroid
of a cluster is extended as far as the farthest document of the cluster.
"""

import matplotlib.pyplot as plt
import numpy as np

from gdmbench import GDM, minimum_matching_distance

rng = np.random.default_rng(0)
topics = np.array([[0.7, 0.2, 0.1], [0.1, 0.7, 0.2], [0.2, 0.1, 0.7]])
proportions = rng.dirichlet([0.3] * 3, size=600)
counts = rng.multinomial(400, proportions @ topics)

model = GDM(n_topics=3, random_state=0).fit(counts)

# %%
# The triangle of all word frequencies, seen from the front. Pink centroids lie well inside the polytope; extended, they
# come close to the true topics.

corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])


def place(points):
    """Return where points of the simplex lie in the plane."""
    return (np.atleast_2d(points) @ corners).T


fig, ax = plt.subplots(figsize=(6, 5))
ax.plot(*place(np.eye(3)[[0, 1, 2, 0]]), color="0.8")
ax.scatter(*place(counts / 400), s=6, c=model.labels_, cmap="Set2", alpha=0.7)
ax.plot(*place(topics[[0, 1, 2, 0]]), color="0.4", lw=1)
for topic in model.components_:
    ax.plot(*place([model.center_, topic]), color="black", lw=0.8, ls="--")
ax.scatter(*place(topics), s=160, color="gold", edgecolor="black", label="true topics", zorder=3)
ax.scatter(*place(model.components_), s=45, color="darkred", edgecolor="black", label="GDM's topics", zorder=4)
ax.scatter(*place(model.centroids_), s=60, color="hotpink", edgecolor="black", label="centroids", zorder=3)
ax.scatter(*place(model.center_), s=60, color="purple", edgecolor="black", label="centre", zorder=3)
for name, corner in zip("abc", np.eye(3), strict=True):
    ax.annotate(f"only word {name}", place(corner)[:, 0], ha="center", va="bottom" if name == "c" else "top")
ax.set_aspect("equal")
ax.set_axis_off()
ax.legend(loc="upper left")
plt.show()

# %%
# The minimum-matching distance says the same in numbers: how far topics are from the true ones.

print("centroids:", round(minimum_matching_distance(model.centroids_, topics), 3))
print("GDM:      ", round(minimum_matching_distance(model.components_, topics), 3))
