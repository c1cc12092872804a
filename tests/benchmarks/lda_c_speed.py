"""Time of a pass of lda-c's variational EM against one of `VariationalEM` with its compiled E-step, one thread.

    python tests/benchmarks/lda_c_speed.py [setting ...]

CPU time of a whole fit divided by its passes, the least of several fits; both methods take turns, so that other work on
the machine meets both. "ratio" is lda-c's time by the other's: below 1, lda-c is faster. alpha starts at lda-c's
default, 50 / K, and at 1 / K, where the other method starts too.

At 1000 words a document lda-c's pass is the slower one, 2.3 to 2.8 times, and its steps allow little better. Profile of
1000 documents of 1000 words (311 distinct), 5 topics, one core with AVX2, on a machine busy with other work:

|                                              | VariationalEM | lda-c      |
|----------------------------------------------|---------------|------------|
| iterations for a document and pass           | 49            | 12 to 15   |
| ns for a word, topic and iteration           | 0.44          | 4.5        |
| of these: weights, digamma and its exponent  |               | 1.1 to 1.5 |
|           gamma and phi                      |               | 0.8 to 1.3 |
|           logarithm for the bound            |               | 0.6        |
|           another cell (1 % of the steps)    |               | 0.3        |

The rest is waiting: for memory, as the 16 documents in step take 440 kB, and for the longest of them. The other method
finds digamma once for all words of a document. lda-c must after every word: for each topic 11 multiplications with
additions and 14 numbers read, against 2 and 1. To be as fast, a word and topic may take 1.8 ns; vectors of four numbers
and two reads a cycle alone take 1.2 at 3 GHz, and memory 0.3 more, which compiled Python is not near. One row for
all topics (longer loops) and 8 documents in step (less memory) were tried; weights take 2.4 and 5 ns then. The bound
can't be left out of early iterations either, as it decides when a document is done.
"""

import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", NUMBA_NUM_THREADS="1")

import sys
import time
import warnings

import numpy as np

from baselines.lda_c import LdaC
from baselines.vem import VariationalEM
from experiments.simulators import simulate_nips_like
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
