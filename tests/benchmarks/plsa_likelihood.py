"""How high PLSA climbs: the Poisson log-likelihood of 20 Newsgroups, no word left out, K = 10, from several starts.

`python tests/benchmarks/plsa_likelihood.py [random|geometric] [starts]` prints a line for each start, and needs the
corpus in GDMBENCH_DATA. fastTopics' authors publish -12,347,096 for EM and -12,321,129 for coordinate descent with
extrapolation (Carbonetto et al. 2021).
"""

import sys
import time

from threadpoolctl import threadpool_limits

from baselines.plsa import PLSA
from gdmbench import load_corpus


def main(init: str = "random", n_starts: str = "3") -> None:
    counts = load_corpus("newsgroups").counts
    print("| start | log-likelihood | passes | seconds |\n|---|---|---|---|")
    for seed in range(int(n_starts)):
        start = time.perf_counter()
        n_tried = 1 if init == "random" else seed + 1  # geometric starts have an order: the best of the first ones
        model = PLSA(10, init=init, n_starts=n_tried, random_state=seed if init == "random" else 0).fit(counts)
        passes, seconds = len(model.log_likelihoods_), time.perf_counter() - start
        print(f"| {init} {seed} | {model.log_likelihoods_[-1]:,.0f} | {passes} | {seconds:.0f} |", flush=True)


if __name__ == "__main__":
    with threadpool_limits(1):
        main(*sys.argv[1:])
