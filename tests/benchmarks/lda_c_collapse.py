"""How often lda-c's variational EM collapses, by the start of alpha and the tolerance: N = 50, M = 1000, 15 starts.

    python tests/benchmarks/lda_c_collapse.py [seed of the data ...]

A collapsed run ends with nearly the same proportions for all documents. Beside its share stand the mean MM distance of
all runs, the mean alpha and the mean number of passes.
"""

import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", NUMBA_NUM_THREADS="1")

import sys

import numpy as np

from baselines.lda_c import LdaC
from gdmbench import minimum_matching_distance, simulate_lda

N_STARTS = 15
ALPHAS = (10.0, 5.0, 1.0, 0.2)
TOLS = (1e-4, 1e-5, 1e-6)


def main():
    print("| data | alpha from | tol | collapsed | MM distance | alpha | passes |")
    print("|---|---|---|---|---|---|---|")
    for seed in [int(word) for word in sys.argv[1:]] or [1000]:
        data = simulate_lda(1000, 50, random_state=seed)
        for alpha in ALPHAS:
            for tol in TOLS:
                models = [
                    LdaC(5, alpha=alpha, tol=tol, random_state=start).fit(data.train) for start in range(N_STARTS)
                ]
                collapsed = sum(model.record_["collapsed"] for model in models)
                distance = np.mean([minimum_matching_distance(model.components_, data.topics) for model in models])
                print(
                    f"| {seed} | {alpha:g} | {tol:g} | {collapsed:.0f} of {N_STARTS} | {distance:.4f} | "
                    f"{np.mean([model.alpha_ for model in models]):.2f} | "
                    f"{np.mean([model.n_passes_ for model in models]):.0f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
