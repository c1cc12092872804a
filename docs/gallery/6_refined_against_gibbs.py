"""
RefinedGDM against Gibbs sampling
=================================

Collapsed Gibbs sampling is what accuracy is held against, if it runs long enough. RefinedGDM starts where geometry
leads and makes 27 passes over the documents. Each point is a fit of its own; time is of the processor.
"""

import time

import matplotlib.pyplot as plt
from sklearn.base import clone

from baselines.gibbs import CollapsedGibbs
from gdmbench import GDM, RefinedGDM, minimum_matching_distance, simulate_lda

data = simulate_lda(1000, 300, n_words=1200, n_topics=5, random_state=4)


def fit(model):
    """Return the seconds of a fit, after a small one that compiles, and its distance from the truth."""
    clone(model).fit(data.train[:50])
    start = time.process_time()
    model.fit(data.train)
    return time.process_time() - start, minimum_matching_distance(model.components_, data.topics)


series = {
    "GDM": [GDM(5, random_state=0)],
    "RefinedGDM, 3 to 27 passes": [RefinedGDM(5, n_passes=n, random_state=0) for n in (3, 9, 27)],
    "Gibbs, 10 to 160 sweeps": [CollapsedGibbs(5, n_sweeps=n, random_state=0) for n in (10, 40, 160)],
}
fig, ax = plt.subplots(figsize=(6, 4))
for name, models in series.items():
    ax.loglog(*zip(*map(fit, models), strict=True), marker="o", label=name)
ax.set_xlabel("seconds")
ax.set_ylabel("distance from the true topics")
ax.legend()
plt.show()
