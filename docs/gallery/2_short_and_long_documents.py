"""
Short and long documents
========================

The fewer words a document has, the farther its frequencies are from its mixture of topics. GDM extends its topics to
the farthest document of a cluster, and so extends the noise too. Tuned GDM stops where the documents are explained
best; VLAD removes the noise from their covariance first; RefinedGDM adds passes of likelihood, which knows noise.
"""

import matplotlib.pyplot as plt

from gdmbench import GDM, VLAD, RefinedGDM, TunedGDM, minimum_matching_distance, simulate_lda

methods = {"GDM": GDM, "tuned GDM": TunedGDM, "VLAD": VLAD, "RefinedGDM": RefinedGDM}
lengths = [20, 50, 150, 500]
distances = {name: [] for name in methods}
for length in lengths:
    data = simulate_lda(1000, length, n_words=300, n_topics=5, random_state=1)
    for name, method in methods.items():
        found = method(n_topics=5, random_state=0).fit(data.train).components_
        distances[name].append(minimum_matching_distance(found, data.topics))

fig, ax = plt.subplots(figsize=(6, 4))
for name, values in distances.items():
    ax.loglog(lengths, values, marker="o", label=name)
ax.set_xticks(lengths, lengths)
ax.minorticks_off()
ax.set_xlabel("words in a document")
ax.set_ylabel("distance from the true topics")
ax.legend()
plt.show()
