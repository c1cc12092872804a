"""
A method of your own in the comparison
======================================

Any class with `fit(X)` and `components_` joins an experiment by a file of a few lines. Here a class that takes the
centroids of k-means as topics, GDM without its extension, is compared with GDM by the command that one would type.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

folder = Path(tempfile.mkdtemp())
(folder / "my_method.py").write_text("""\
from sklearn.cluster import KMeans
from sklearn.preprocessing import normalize

class Centroids:
    def __init__(self, n_topics: int, random_state: int | None = None) -> None:
        self.n_topics, self.random_state = n_topics, random_state

    def fit(self, X):
        kmeans = KMeans(self.n_topics, n_init=3, random_state=self.random_state)
        self.components_ = kmeans.fit(normalize(X, norm="l1")).cluster_centers_
        return self
""")
(folder / "method").mkdir()
(folder / "method" / "mine.yaml").write_text("""\
# Centroids of k-means, as they are
label: Centroids
_target_: my_method.Centroids
n_topics: ${model.n_topics}
""")

# %%
# ``python -m gdmbench --config-dir . +experiment=vary_M +method@methods.mine=mine scale=quick``, without the slower
# methods and with one repetition:

command = [sys.executable, "-m", "gdmbench", "--config-dir", ".", "+experiment=vary_M", "+method@methods.mine=mine"]
command += ["scale=quick", "repetitions=1", "~methods.gibbs", "~methods.vem", "~methods.recover_kl"]
command += ["executor=serial", f"folder={folder}/run"]
path = os.pathsep.join([str(folder), *sys.path])
run = subprocess.run(
    command, cwd=folder, env={**os.environ, "PYTHONPATH": path}, check=True, capture_output=True, text=True
)
print(run.stdout.partition("Perplexity")[0])

# %%
# The records are a table with one row for each cell.

records = pd.read_csv(folder / "run" / "records.csv")
table = records.pivot_table("mm_distance", "value", "label")
fig, ax = plt.subplots(figsize=(6, 4))
table.plot(ax=ax, marker="o")
ax.set_xlabel("documents")
ax.set_ylabel("distance from the true topics")
plt.show()
