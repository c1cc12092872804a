"""
How many topics?
================

Documents were simulated with eight topics. `score` says how well one half of a document's words predicts the other
half. It rises until the number asked for reaches the truth, and then falls. ``+experiment=choose_k`` looks at the same
and says which numbers are clearly worse.
"""

import matplotlib.pyplot as plt
from sklearn.model_selection import GridSearchCV

from gdmbench import TunedGDM, simulate_lda

data = simulate_lda(600, 200, n_words=300, n_topics=8, random_state=0)
numbers = [2, 4, 6, 8, 10, 12]
search = GridSearchCV(TunedGDM(2, random_state=0), {"n_topics": numbers}, cv=3).fit(data.train)

fig, ax = plt.subplots(figsize=(6, 4))
mean, deviation = search.cv_results_["mean_test_score"], search.cv_results_["std_test_score"]
ax.errorbar(numbers, mean, deviation, marker="o", capsize=3)
ax.axvline(8, color="0.6", ls="--", label="the truth")
ax.axvline(search.best_params_["n_topics"], color="tab:red", ls=":", label="best of the search")
ax.set_xlabel("number of topics")
ax.set_ylabel("log-likelihood for each held-out word")
ax.legend()
plt.show()
