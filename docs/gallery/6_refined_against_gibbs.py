"""
RefinedGDM against Gibbs sampling
=================================

Collapsed Gibbs sampling is what accuracy is held against, if it runs long enough and its chain is not caught where one
label stands for two topics, which with many topics is common. RefinedGDM starts where geometry leads, usually the right
place, and makes a fixed number of passes over the documents. Each point is a fit of its own; time is of the processor.
"""

import time

import matplotlib.pyplot as plt

from baselines.gibbs import CollapsedGibbs
from gdmbench import GDM, RefinedGDM, minimum_matching_distance, simulate_lda

data = simulate_lda(300, 300, n_words=600, n_topics=15, random_state=1)
for model in (GDM(15), RefinedGDM(15, n_passes=3), CollapsedGibbs(15, n_sweeps=1)):
    model.fit(data.train[:50])  # which compiles what is timed below


def fit(model):
    """Return the seconds of a fit, and its distance from the truth."""
    start = time.process_time()
    model.fit(data.train)
    return time.process_time() - start, minimum_matching_distance(model.components_, data.topics)


fig, ax = plt.subplots(figsize=(6, 4))
ax.loglog(*fit(GDM(15, random_state=0)), marker="o", ls="", label="GDM")
refined = [fit(RefinedGDM(15, n_passes=passes, random_state=0)) for passes in (3, 27)]
ax.loglog(*zip(*refined, strict=True), marker="o", label="RefinedGDM, 3 and 27 passes")
for seed in range(3):
    chain = [fit(CollapsedGibbs(15, n_sweeps=sweeps, random_state=seed)) for sweeps in (10, 30, 90)]
    label = None if seed else "three chains of Gibbs, 10 to 90 sweeps"
    ax.loglog(*zip(*chain, strict=True), color="tab:green", marker="o", label=label)
ax.tick_params(which="minor", labelbottom=False)
ax.set_xlabel("seconds")
ax.set_ylabel("distance from the true topics")
ax.legend()
plt.show()
