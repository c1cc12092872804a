"""Documents projected a second, against one call of a general solver for each document, one thread.

    python tests/benchmarks/projection_speed.py

The rivals are scipy's non-negative least squares, with a heavy row that asks for a sum of one, and SLSQP with its
gradient; both on dense documents already normalised, and both on few documents, as they are slow.
"""

import time
from collections.abc import Callable

import numpy as np
from scipy.optimize import minimize, nnls
from threadpoolctl import threadpool_limits

from experiments.simulators import simulate_nips_like
from gdmbench import project, simulate_lda
from gdmbench.data.corpus import Split

ROUNDS, FEW = 10, 40
SETTINGS: dict[str, Callable[[], Split]] = {
    "default": lambda: simulate_lda(1000, 1000, random_state=0),
    "short": lambda: simulate_lda(5000, 50, random_state=0),
    "nips-like, K = 10": lambda: simulate_nips_like(n_topics=10, alpha=0.5, random_state=0),
    "nips-like, K = 20": lambda: simulate_nips_like(n_topics=20, alpha=0.25, random_state=0),
}


def by_nnls(points: np.ndarray, topics: np.ndarray) -> np.ndarray:
    """Project one by one with non-negative least squares."""
    heavy = 1e3
    system = np.vstack([topics.T, np.full(len(topics), heavy)])
    return np.array([nnls(system, np.append(point, heavy))[0] for point in points])


def by_slsqp(points: np.ndarray, topics: np.ndarray) -> np.ndarray:
    """Project one by one with sequential quadratic programming."""
    n_topics = len(topics)
    found = []
    for point in points:
        result = minimize(
            lambda theta, point=point: 0.5 * np.sum((theta @ topics - point) ** 2),
            np.full(n_topics, 1 / n_topics),
            jac=lambda theta, point=point: topics @ (theta @ topics - point),
            bounds=[(0, 1)] * n_topics,
            constraints={"type": "eq", "fun": lambda theta: theta.sum() - 1, "jac": lambda theta: np.ones(n_topics)},
            method="SLSQP",
            options={"ftol": 1e-12, "maxiter": 500},
        )
        found.append(result.x)
    return np.array(found)


def relative_gap(points: np.ndarray, topics: np.ndarray, thetas: np.ndarray) -> float:
    """Return the largest violation of optimality, relative to the sizes of topics and documents."""
    edges, offsets = topics - topics.mean(axis=0), points - topics.mean(axis=0)
    gradients = (thetas @ edges - offsets) @ edges.T
    size = np.linalg.norm(edges, axis=1).max()
    gaps = np.sum(thetas * gradients, axis=1) - gradients.min(axis=1)
    return float((gaps / (size * np.maximum(size, np.linalg.norm(offsets, axis=1)))).max())


def main() -> None:
    """Print one row for each setting: documents a second, ratios, and gaps to optimality."""
    project(np.eye(3), np.eye(3))  # compile
    print("| setting | project, 1/s | NNLS, 1/s | SLSQP, 1/s | ratio to NNLS | ratio to SLSQP | gap | NNLS | SLSQP |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, simulate in SETTINGS.items():
        data = simulate()
        points = data.train[:FEW].toarray() / data.train[:FEW].sum(axis=1)[:, None]
        rates, gaps = np.zeros(3), []
        for _ in range(ROUNDS):
            start = time.perf_counter()
            project(data.train, data.topics)
            rates[0] = max(rates[0], data.train.shape[0] / (time.perf_counter() - start))
        for i, rival in enumerate((by_nnls, by_slsqp), start=1):
            for _ in range(2):
                start = time.perf_counter()
                thetas = rival(points, data.topics)
                rates[i] = max(rates[i], FEW / (time.perf_counter() - start))
            gaps.append(relative_gap(points, data.topics, thetas))
        gaps.insert(0, relative_gap(points, data.topics, project(data.train[:FEW], data.topics)))
        print(
            f"| {name} | {rates[0]:,.0f} | {rates[1]:,.0f} | {rates[2]:,.0f} | {rates[0] / rates[1]:.0f} "
            f"| {rates[0] / rates[2]:.0f} | {gaps[0]:.0e} | {gaps[1]:.0e} | {gaps[2]:.0e} |",
            flush=True,
        )


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
