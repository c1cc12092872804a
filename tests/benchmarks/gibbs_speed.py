"""Tokens a second of collapsed Gibbs against the packages lda and tomotopy, one thread.

    python tests/benchmarks/gibbs_speed.py [setting ...]

Settings: default, short, nips_like, nips12_paper, nips; the last two need the folder of real corpora in GDMBENCH_DATA
and are left out without it. The samplers take turns, three rounds; the best of each counts. Ours is timed as a whole
fit of 100 sweeps from random labels, with everything a fit does. So is lda, and besides its sweeps alone; of tomotopy
only the sweeps. Times are CPU times, steadier than the clock's on a busy machine.

On raw NIPS 0-12 the lead over tomotopy is least: 1.9 times with 10 topics and 2.2 times with 20 on an Intel Xeon, which
was busy, 1.7 and 1.5 times on an AMD EPYC. It has
2.59 tokens per pair, and at the plateau 38 or 42 % of the tokens leave their topic. Whether one does, the processor
cannot foresee; an exact sampler has these moves.

What it can foresee is how many tokens a pair has, if pairs are in the order of their counts. After
burn-in, in ns a token, the sweep with pairs in the order of words and reciprocals of totals kept took, beside the
present one: 9.2 and 6.3 at the default, 11.6 and 9.3, 13.4 and 11.0, 15.7 and 13.2 on nips12_paper with 5, 10 and 20
topics, 27.6 and 23.9 on raw NIPS with 20.

Tried without gain, beside this sweep or a stage on the way to it: one draw for a run of equal labels (all stay with
the power of one's probability), up to 20 % slower, as the power comes late; random numbers drawn 256 at a time; LLVM's
vectors for the weights (4 % faster with 20 topics, 4 % slower with 5); a kernel compiled for one number of topics;
touching the words' rows two pairs ahead (5 % faster on raw NIPS with 20 topics, 5 % slower at the default).
"""

import logging
import os
import sys
import time
from collections.abc import Callable

import lda
import numpy as np
import tomotopy
from scipy import sparse
from threadpoolctl import threadpool_limits

from baselines.gibbs import CollapsedGibbs
from experiments.simulators import simulate_nips_like
from gdmbench import load_corpus, simulate_lda
from gdmbench.data.split import split_corpus

N_SWEEPS, ROUNDS = 100, 3
TOPICS = (5, 10, 20, 50)
SIMULATED: dict[str, Callable[[int], sparse.csr_array]] = {
    "default": lambda k: simulate_lda(1000, 1000, n_topics=k, random_state=0).train,
    "short": lambda k: simulate_lda(5000, 50, n_topics=k, random_state=0).train,
    "nips_like": lambda k: simulate_nips_like(n_topics=k, alpha=5 / k, random_state=0).train,
}
REAL: dict[str, Callable[[int], sparse.csr_array]] = {
    "nips12_paper": lambda k: (
        split_corpus("nips12", drop_shortest=2, min_letters=4, min_count=14, vocabulary_size=4188, n_heldout=0).train
    ),
    "nips": lambda k: load_corpus("nips").counts,
}


def ours(counts: sparse.csr_array, n_topics: int, alpha: float) -> float:
    """Return tokens a second of a whole fit."""
    model = CollapsedGibbs(n_topics, alpha=alpha, eta=0.1, n_sweeps=N_SWEEPS, random_state=0)
    start = time.process_time()
    model.fit(counts)
    return N_SWEEPS * counts.sum() / (time.process_time() - start)


def package_lda(counts: sparse.csr_array, n_topics: int, alpha: float) -> tuple[float, float]:
    """Return tokens a second of a whole fit, put together from a fit of one sweep and more sweeps, and of these."""
    model = lda.LDA(n_topics, n_iter=1, alpha=alpha, eta=0.1, random_state=0)
    start = time.process_time()
    model.fit(counts)
    first = time.process_time() - start
    model._initialize(counts)
    random, state = model._rands.copy(), np.random.RandomState(0)
    start = time.process_time()
    for _ in range(5):
        state.shuffle(random)  # as its own fit does
        model._sample_topics(random)
    sweep = (time.process_time() - start) / 5
    return N_SWEEPS * counts.sum() / (first + (N_SWEEPS - 1) * sweep), counts.sum() / sweep


def make_tomotopy(counts: sparse.csr_array, n_topics: int, alpha: float) -> tomotopy.LDAModel:
    """Return tomotopy's model with its documents and their first labels."""
    model = tomotopy.LDAModel(k=n_topics, alpha=alpha, eta=0.1, seed=1)
    model.optim_interval = 0
    names = np.arange(counts.shape[1]).astype(str)
    for start, end in zip(counts.indptr, counts.indptr[1:], strict=False):
        model.add_doc(np.repeat(names[counts.indices[start:end]], counts.data[start:end]).tolist())
    model.train(0, workers=1)
    return model


def time_tomotopy(model: tomotopy.LDAModel, n_tokens: int) -> float:
    """Return tokens a second of some more sweeps."""
    start = time.process_time()
    model.train(20, workers=1)
    return 20 * n_tokens / (time.process_time() - start)


def main(names: list[str]) -> None:
    """Print one row for each setting and number of topics: million tokens a second, and ratios."""
    settings = SIMULATED | (REAL if "GDMBENCH_DATA" in os.environ else {})
    ours(simulate_lda(20, 20, random_state=0).train, 5, 0.1)  # compile
    print(
        "| setting | tokens a pair | K | CollapsedGibbs | tomotopy | lda | lda's sweeps | times tomotopy | times lda |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for name in names or settings:
        for n_topics in TOPICS:
            counts = settings[name](n_topics).astype(np.int64)
            alpha = 5 / n_topics if "nips" in name else 0.1
            model = make_tomotopy(counts, n_topics, alpha)
            best = np.zeros(4)
            for _ in range(ROUNDS):
                rates = (
                    ours(counts, n_topics, alpha),
                    time_tomotopy(model, counts.sum()),
                    *package_lda(counts, n_topics, alpha),
                )
                best = np.maximum(best, rates)
            mine, tomo, other, sweeps = best / 1e6
            print(
                f"| {name} | {counts.sum() / counts.nnz:.2f} | {n_topics} "
                f"| {mine:.1f} | {tomo:.1f} | {other:.1f} | {sweeps:.1f} "
                f"| {mine / tomo:.2f} | {mine / other:.1f} |",
                flush=True,
            )


if __name__ == "__main__":
    logging.getLogger("lda").setLevel(logging.ERROR)
    with threadpool_limits(1):
        main(sys.argv[1:])
