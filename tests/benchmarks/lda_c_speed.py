"""Time of a pass of lda-c's variational EM against one of `VariationalEM` with its compiled E-step, one thread.

    python tests/benchmarks/lda_c_speed.py [setting ...]

CPU time of a whole fit divided by its passes, the least of several fits; both methods take turns, so that other work on
the machine meets both. "ratio" is lda-c's time by the other's: below 1, lda-c is faster. alpha starts at lda-c's
default, 50 / K, and at 1 / K, where the other method starts too.

With 1000 words in a document lda-c's pass is slower, 2.1 to 2.6 times, and its steps allow little better. Profile of
400 documents of 1000 words (some 310 distinct), 5 topics, on a core with AVX2 that was busy with other work too; ns for
a word, topic and iteration, of 1, 3, 13 and 23 iterations for every document:

|                                                          | VariationalEM | lda-c      |
|----------------------------------------------------------|---------------|------------|
| iterations for a document and pass                       | 49            | 9 to 15    |
| first iteration, with taking in and giving back          |               | 10         |
| second and third                                         |               | 3.5        |
| all later ones                                           | 0.3 to 0.5    | 2.1 to 2.7 |
| of these, alone and in the first cache:                  |               |            |
|   weights, digamma and its exponent                      |               | 0.9 to 1.5 |
|   gamma and phi                                          |               | 0.6        |
|   logarithm for the bound                                |               | 0.6        |
| vectors loaded for 4 words and a topic, an iteration     | 2.4           | 22         |
| the same for a pass                                      | 118           | 290        |

Such a core loads two vectors a cycle, and the last row is what the ratio follows. The other method finds digamma once
for all words of a document; lda-c must after every word, and of its 22 loads 12 are coefficients of two polynomials. To
be as fast it could load 9. The first iteration is dear because gamma falls from the mean to alpha through some
hundred cells for each topic that a document does not have.

Tried without gain, each beside the present code: sums kept ready by the step before, so that no vector is loaded from
what was stored in pieces (weights 0.9 in place of 1.1 to 1.5 alone, nothing in the whole); logarithms put off and taken
of 16 words at once (0.25 in place of 0.6 alone, nothing in the whole); giving back one document and taking in the next
in one go; looking for lanes that left their cell no longer than there are any, without branches; two topics at a time
(5 ns: the compiler no longer uses vectors); one row for all topics, and 8 documents in step (likewise); vectors of 512
bits in place of 256 on a core that has them (NUMBA_CPU_FEATURES with -prefer-256-bit: 5 %, within the noise). Without
digamma for the bound an iteration takes 0.3 less; but the bound can't be left out of early iterations, as it decides
when a document is done, and the documents in step are at different ones. By their error bounds polynomials of lower
degree would save 3 of the 22 loads; with more the bound would lose digits that decide where a document ends. So on long
documents a pass as fast as the other method's looks out of reach for updates one word at a time.
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
