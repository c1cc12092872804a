"""
Anchor words
============

RecoverKL assumes that each topic has an anchor: a word that occurs in no other topic. The flatter topics are (the
larger eta), the fewer words come close to that: at eta = 1 RecoverKL needs the anchors that were inserted for the
picture on the right. Sparse topics suit the geometric methods.
"""

import matplotlib.pyplot as plt

from baselines.recover_kl import RecoverKL
from gdmbench import TunedGDM, minimum_matching_distance, simulate_lda

etas = [0.01, 0.03, 0.1, 0.3, 1]
fig, axes = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True, layout="constrained")
for ax, anchors in zip(axes, [False, True], strict=True):
    distances = {"tuned GDM": [], "RecoverKL": []}
    for eta in etas:
        data = simulate_lda(2000, 100, n_words=300, n_topics=5, eta=eta, anchors=anchors, random_state=0)
        for name, model in [("tuned GDM", TunedGDM(5, random_state=0)), ("RecoverKL", RecoverKL(5))]:
            found = model.fit(data.train).components_
            distances[name].append(minimum_matching_distance(found, data.topics))
    for name, values in distances.items():
        ax.loglog(etas, values, marker="o", label=name)
    ax.set_title("anchors inserted" if anchors else "topics as drawn")
    ax.set_xlabel("eta: from sparse to flat topics")
axes[0].set_ylabel("distance from the true topics")
axes[0].legend()
plt.show()
