"""What smoothing does to KL DP-means where Supplement 1 uses it, and what a fit costs.

    python tests/benchmarks/kl_dp_means_smoothing.py

M = 2000 documents of 3000 words from 15 topics, the penalty found for 15 clusters; perplexity of held-out documents
with projected proportions. CPU seconds of the whole fit, the search for the penalty included.
"""

import time

import numpy as np
from threadpoolctl import threadpool_limits

from baselines.kl_dp_means import KLDPMeans
from gdmbench import perplexity, simulate_lda

ALPHAS = (0.01, 0.1, 0.5, 2.0)
SMOOTHINGS = (0.001, 0.01, 0.1, 1.0)


def main() -> None:
    """Print one row for each alpha and smoothing."""
    KLDPMeans(n_topics=2).fit(simulate_lda(20, 20, random_state=0).train)  # compile
    print("| alpha | smoothing | penalty found | clusters | smallest cluster | perplexity | seconds |")
    print("|---|---|---|---|---|---|---|")
    for alpha in ALPHAS:
        data = simulate_lda(2000, 3000, n_topics=15, alpha=alpha, random_state=0)
        for smoothing in SMOOTHINGS:
            start = time.process_time()
            model = KLDPMeans(n_topics=15, smoothing=smoothing).fit(data.train)
            seconds = time.process_time() - start
            smallest = np.bincount(model.labels_).min()
            print(
                f"| {alpha} | {smoothing} | {model.penalty_:.0f} | {model.n_topics_} | {smallest} "
                f"| {perplexity(data.heldout, model.components_):.1f} | {seconds:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
