"""Time of a pass of lda-c's variational EM against one of `VariationalEM` with its compiled E-step, one thread.

    python tests/benchmarks/lda_c_speed.py [setting ...]

CPU time of a whole fit divided by its passes, the least of several fits; both methods take turns, so that other work on
the machine meets both. "ratio" is lda-c's time by the other's: below 1, lda-c is faster. alpha starts at lda-c's
default, 50 / K, and at 1 / K, where the other method starts too.
"""

import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", NUMBA_NUM_THREADS="1")

import sys
import time
import warnings

import numpy as np
from experiments.nips_like import simulate_nips_like

from baselines.lda_c import LdaC
from baselines.vem import VariationalEM
from gdmbench import simulate_lda

REPEATS = 3
SETTINGS = {
    "N = 10": lambda: simulate_lda(1000, 10, random_state=0),
    "N = 50": lambda: simulate_lda(1000, 50, random_state=0),
    "short": lambda: simulate_lda(5000, 50, random_state=0),
    "M = 100": lambda: simulate_lda(100, 1000, random_state=0),
    "default": lambda: simulate_lda(1000, 1000, random_state=0),
    "nips-like, K = 10": lambda: simulate_nips_like(n_topics=10, alpha=0.5, random_state=0),
    "nips-like, K = 20": lambda: simulate_nips_like(n_topics=20, alpha=0.25, random_state=0),
}


def milliseconds_a_pass(model, X):
    start = time.process_time()
    model.fit(X)
    return 1e3 * (time.process_time() - start) / np.sum(model.n_passes_)


def main():
    warnings.simplefilter("ignore")
    print("| setting | VariationalEM, ms | lda-c, ms | ratio | lda-c from 1 / K, ms | ratio |")
    print("|---|---|---|---|---|---|")
    for name in sys.argv[1:] or SETTINGS:
        data = SETTINGS[name]()
        n_topics = len(data.topics)
        models = [
            VariationalEM(n_topics, learn_eta=True, n_restarts=1, random_state=0),
            LdaC(n_topics, random_state=0),
            LdaC(n_topics, alpha=1 / n_topics, random_state=0),
        ]
        for model in models:
            model.fit(data.train[: 4 * n_topics])  # compiles
        rounds = [[milliseconds_a_pass(model, data.train) for model in models] for _ in range(REPEATS)]
        other, own, same_start = (min(times) for times in zip(*rounds, strict=True))
        print(
            f"| {name} | {other:.1f} | {own:.1f} | {own / other:.2f} | {same_start:.1f} | {same_start / other:.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
