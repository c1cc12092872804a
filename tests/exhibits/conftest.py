"""Made-up records with the looks of real ones: rates, noise, a bimodal method."""

import numpy as np
import pytest

LABELS = {
    "gdm": "GDM",
    "tgdm": "tGDM",
    "vem": "VEM (gensim)",
    "gibbs": "Gibbs",
    "recover_kl": "RecoverKL",
    "ngdm": "nGDM",
    "kl_dp_means": "KL DP-means",
}
SIZE = {"gdm": 0.0054, "tgdm": 0.0036, "vem": 0.0027, "gibbs": 0.0026, "recover_kl": 0.0076}
SECONDS = {"gdm": 0.05, "tgdm": 0.06, "vem": 9.0, "gibbs": 1.1, "recover_kl": 0.36}
PAPER = ("gdm", "tgdm", "vem", "gibbs", "recover_kl")


def _numbers(rng, method, effect):
    stuck = method == "vem" and rng.random() < 0.25
    noise = np.exp(rng.normal(0, 0.12))
    distance = 0.075 * np.exp(rng.normal(0, 0.05)) if stuck else SIZE.get(method, 0.006) * effect * noise
    seconds = SECONDS.get(method, 0.5) * np.exp(rng.normal(0, 0.05)) / effect**2
    return {
        "mm_distance": distance,
        "perplexity": 480 * (1 + 8 * distance) + rng.normal(0, 4),
        "perplexity_projected": 483 * (1 + 8 * distance) + rng.normal(0, 4),
        "perplexity_nonzero": 479 * (1 + 8 * distance),
        "zero_share": 0.0,
        "loss": 3.2 * (1 + distance),
        "n_topics": 5.0,
        "fit_seconds": seconds,
        "fit_cpu_seconds": 0.98 * seconds,
        "peak_mb": 180 + 20 / effect,
    }


@pytest.fixture(scope="session")
def make_frame(made_up_frame):
    """Factory: make_frame(axis, values, methods, repetitions, effect=value -> factor on the error)."""

    def make(
        axis="data.n_docs",
        values=(100, 200, 500, 1000, 2000, 4000, 7000),
        methods=PAPER,
        repetitions=5,
        experiment="vary_M",
        effect=lambda value: (value / 1000) ** -0.5 if isinstance(value, int | float) else 1.0,
        seed=0,
        labels=LABELS,
    ):
        rng = np.random.default_rng(seed)
        known = {"experiment": experiment, "axis": axis, "n_workers": 2}
        known["data"] = {"n_docs": 1000, "eta": 0.1, "anchors": False}
        known["params"] = {"n_restarts": 10, "nested": {"b": [1, 2]}}
        return made_up_frame(
            {
                **known,
                "method": method,
                "label": labels.get(method, method),
                "value": value,
                "repetition": repetition,
                **_numbers(rng, method, effect(value)),
            }
            for value in values
            for method in methods
            for repetition in range(repetitions)
        )

    return make


@pytest.fixture(scope="session")
def sample(made_up_frame):
    """Factory: records of MM distance with these numbers, an array of shape (values, methods, repetitions)."""

    def make(numbers, values=(1,), methods="ab"):
        return made_up_frame(
            {"axis": "data.n_docs", "value": value, "repetition": repetition, "method": method, "mm_distance": number}
            for value, of_value in zip(values, numbers, strict=True)
            for method, row in zip(methods, of_value, strict=True)
            for repetition, number in enumerate(row)
        )

    return make


@pytest.fixture
def drawn(monkeypatch):
    """The figures that are drawn in a test, which are not written."""
    figures = []
    for room in ("figures", "panels"):
        monkeypatch.setattr(f"gdmbench.exhibits.{room}.save_figure", lambda figure, stem: figures.append(figure) or [])
    return figures
