"""
From pure to mixed documents: alpha
===================================

The smaller alpha, the Dirichlet parameter of the topic proportions, the more documents lie near the corners of the
polytope, and the easier these are to find. At alpha = 2 hardly any does, and GDM reaches no farther than the farthest
document of a cluster. VLAD extends by a factor that follows from alpha, here given, whether or not a document is there.
"""

import matplotlib.pyplot as plt
import numpy as np

from gdmbench import GDM, VLAD, minimum_matching_distance

rng = np.random.default_rng(0)
topics = np.array([[0.7, 0.2, 0.1], [0.1, 0.7, 0.2], [0.2, 0.1, 0.7]])
corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])

fig, axes = plt.subplots(1, 3, figsize=(9, 4), layout="constrained")
for ax, alpha in zip(axes, [0.1, 0.5, 2.0], strict=True):
    counts = rng.multinomial(1000, rng.dirichlet([alpha] * 3, size=1000) @ topics)
    ax.scatter(*(counts / 1000 @ corners).T, s=3, color="0.7")
    ax.plot(*(topics[[0, 1, 2, 0]] @ corners).T, color="black", lw=0.8)
    for model, color in [(GDM(3, random_state=0), "tab:red"), (VLAD(3, alpha=alpha, random_state=0), "tab:blue")]:
        found = model.fit(counts).components_
        label = f"{type(model).__name__}: {minimum_matching_distance(found, topics):.3f}"
        ax.scatter(*(found @ corners).T, s=40, color=color, edgecolor="black", label=label, zorder=3)
    ax.set_title(f"alpha = {alpha:g}")
    ax.set_aspect("equal")
    ax.set_axis_off()
    ax.legend(title="distance from the truth", loc="upper center", bbox_to_anchor=(0.5, 0))
plt.show()
