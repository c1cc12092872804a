"""How far variational EM must be run: MM distance by tolerance, limits, start of alpha and number of starts.

    python tests/benchmarks/vem_convergence.py [setting ...]

Every row varies one parameter from the defaults of `VariationalEM`. "best" is the MM distance of the best of 3 starts
by the bound, mean over data seeds; "starts" are the smallest, median and largest over all starts; "stuck" counts starts
more than twice as far off as the best start on the same data: the second mode.
"""

import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import sys
import time
import warnings

import numpy as np

from baselines.vem import VariationalEM
from gdmbench import minimum_matching_distance, simulate_lda

N_SEEDS, N_STARTS = 2, 3


def nips_like(seed):
    lengths = np.clip(np.random.default_rng(seed).gamma(2.5, 272 / 2.5, 1438), 39, 1403).astype(int)
    return simulate_lda(1438, lengths, n_words=4188, n_topics=10, alpha=0.5, random_state=seed)


SETTINGS = {
    "default": lambda seed: simulate_lda(1000, 1000, random_state=seed),
    "short": lambda seed: simulate_lda(5000, 50, random_state=seed),
    "N = 10": lambda seed: simulate_lda(1000, 10, random_state=seed),
    "alpha = 1": lambda seed: simulate_lda(1000, 1000, alpha=1.0, random_state=seed),
    "alpha = 2": lambda seed: simulate_lda(1000, 1000, alpha=2.0, random_state=seed),
    "nips-like": nips_like,
}
VARIANTS = [
    {"tol": 1e-4},
    {"tol": 1e-5},
    {},
    {"tol": 1e-7},
    {"max_variational": 50},
    {"gamma_threshold": 1e-2},
    {"gamma_threshold": 1e-4},
    {"alpha": 1.0},
    {"learn_eta": True},
]


def main():
    warnings.simplefilter("ignore")
    print("| setting | changed | best | starts | stuck | alpha | passes | s a start |")
    print("|---|---|---|---|---|---|---|---|")
    for name in sys.argv[1:] or SETTINGS:
        data = [SETTINGS[name](seed) for seed in range(N_SEEDS)]
        VariationalEM(len(data[0].topics), n_restarts=1, random_state=0).fit(data[0].train[:50])
        for changes in VARIANTS:
            best, distances, stuck, alphas, passes = [], [], 0, [], []
            begin = time.perf_counter()
            for seed, sample in enumerate(data):
                models = [
                    VariationalEM(len(sample.topics), n_restarts=1, random_state=100 * seed + start, **changes).fit(
                        sample.train
                    )
                    for start in range(N_STARTS)
                ]
                own = np.array([minimum_matching_distance(m.components_, sample.topics) for m in models])
                chosen = int(np.argmax([m.bound_ for m in models]))
                best.append(own[chosen])
                stuck += int(np.count_nonzero(own > 2 * own[chosen]))
                distances.extend(own)
                alphas.append(models[chosen].alpha_)
                passes.extend(int(m.n_passes_[0]) for m in models)
            seconds = (time.perf_counter() - begin) / len(passes)
            changed = ", ".join(f"{key} {value}" for key, value in changes.items()) or "nothing"
            print(
                f"| {name} | {changed} | {np.mean(best):.4f} | {min(distances):.4f}, {np.median(distances):.4f}, "
                f"{max(distances):.4f} | {stuck} of {len(passes)} | {np.mean(alphas):.3f} | {np.mean(passes):.0f} | "
                f"{seconds:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
