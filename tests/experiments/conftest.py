"""Made-up records of a world in which everything the paper says is true, and we say, and ways to spoil it."""

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

FIVE = ("gdm", "tgdm", "vem", "gibbs", "recover_kl")
THREE = ("gdm", "tgdm", "recover_kl")
ETAS = (0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0)
ALPHAS = (0.01, 0.05, 0.1, 0.3, 0.5, 1.0, 2.0)
FRONTIER = ("gdm", "tgdm", "vem", "gibbs", "vlad", "refined_gdm", "refined_gdm_learned")
SETTINGS = ("default", "short", "alpha2", "alpha01", "bigshort", "many", "nl10", "nl20", "N10", "eta1")
GROWTH = ("gdm", "tgdm", "vlad", "refined_gdm")
# experiment: axis, values, methods
SWEEPS = {
    "figure_1": (None, (None,), ("gdm",)),
    "vary_N": ("data.doc_length", (10, 50, 100, 300, 600, 1000, 1400), FIVE),
    "vary_M": ("data.n_docs", (100, 500, 1000, 2000, 3000, 5000, 7000), FIVE),
    "vary_M_short": ("data.n_docs", (1000, 3000, 5000, 8000, 11000, 15000), FIVE),
    "vary_eta": ("data.eta", ETAS, FIVE),
    "vary_eta_anchors": ("data.eta", ETAS, THREE),
    "vary_N_long": ("data.doc_length", (50, 200, 500, 1000, 2000, 5000, 10000), THREE),
    "vary_alpha": ("data.alpha", ALPHAS, FIVE),
    "varying_lengths": (None, (None,), ("gdm", "gdm_unweighted", "tgdm", "tgdm_unweighted", "gibbs", "vem")),
    "supplement_1": ("data.alpha", ALPHAS, ("ngdm", "kl_dp_means")),
    "nips": ("model.n_topics", (5, 10, 15, 20), FIVE),
    "timing_nips": (None, (None,), FIVE),
    "timing": (None, (None,), FIVE),
    "consistency_M": ("data.n_docs", (50, 100, 300, 1000, 3000, 10000), ("gdm",)),
    "consistency_M_uniform": ("data.n_docs", (50, 100, 300, 1000, 3000, 10000), ("gdm",)),
    "consistency_alpha": ("data.alpha", (0.001, 0.01, 0.1, 1.0), ("gdm",)),
    "proposition_1": ("data.n_words", (5, 20, 100), ("gdm",)),
    "proposition_2": ("data.doc_length", (10, 100, 1000), ("gdm",)),
    "discard": ("methods.gdm_central.discarded_share", (0, 0.5, 0.75, 0.9), ("gdm_central", "gdm_random")),
    "wide": ("data.n_words", (1200, 20000), ("center", "gdm", "tgdm", "gibbs", "vlad", "refined_gdm")),
    "growth_M": ("data.n_docs", (1000, 100000), GROWTH),
    "growth_K": ("data.n_topics", (5, 200), GROWTH),
    "growth_V": ("data.n_words", (1000, 100000), GROWTH),
    **{f"frontier_{setting}": (None, (None,), FRONTIER) for setting in SETTINGS},
}
# Sweeps in which other methods stand in for those of the paper, on the same documents: for each the paper's.
STAND_INS = {
    **{f"{sweep}_ldac": sweep for sweep in ("vary_N", "vary_M", "vary_M_short", "vary_eta", "vary_alpha", "nips")},
    **{f"{sweep}_gibbs": sweep for sweep in ("vary_N", "vary_M", "vary_M_short")},
    "nips_anchors": "nips",
    "overshoot_N": "vary_N",
    "overshoot_M": "vary_M",
    "overshoot_M_short": "vary_M_short",
    "overshoot_alpha": "vary_alpha",
    "overshoot_lengths": "varying_lengths",
    "discard_equal": "discard",
    "supplement_1_fixed": "supplement_1",
    "confirm_short_documents": "vary_M_short",
    "confirm_no_anchors": "vary_eta",
    "confirm_anchors": "vary_eta_anchors",
    "confirm_long_documents": "vary_N_long",
}
# Methods that stand in, and for whom.
ORIGINALS = {
    "vem_ldac": "vem",
    "recover_kl_rare": "recover_kl",
    "gibbs_one_chain": "gibbs",
    "gibbs_last_draw": "gibbs",
    "gdm_extended": "gdm",
    **{f"{method}_{name}": method for method in ("ngdm", "kl_dp_means") for name in ("01", "05", "2")},
}
_STANDING_IN = {
    "ldac": ("vem_ldac",),
    "gibbs": ("gibbs_one_chain", "gibbs_last_draw"),
    "anchors": ("recover_kl_rare",),
    "fixed": tuple(method for method in ORIGINALS if method[-1].isdigit()),
}
for _name, _sweep in STAND_INS.items():
    _axis, _values, _methods = SWEEPS[_sweep]
    if _name.startswith("overshoot"):
        _methods = ("gdm_extended",)
    elif not _name.startswith("confirm"):
        _methods = _STANDING_IN.get(_name.rpartition("_")[2], _methods)
    SWEEPS[_name] = (_axis, _values, _methods)
SWEEPS["nips_unigram"] = (None, (None,), ("unigram",))
SWEEPS["cause_vem_start"] = ("methods.ldac_1e4.alpha", (0.2, 1, 5, 10), ("ldac_1e4", "ldac_1e5", "ldac_1e6"))
for _name in ("short", "k10", "nl10"):
    SWEEPS[f"vem_start_{_name}"] = (None, (None,), ("vem", "vem_from_gdm", "vem_from_vlad", "gibbs_from_vlad"))
SWEEPS["unknown_k_alpha"] = ("data.alpha", ALPHAS, ("ngdm_split", "cosac", "gdm"))
SWEEPS["unknown_k_topics"] = ("data.n_topics", (3, 20), ("ngdm_split", "cosac", "gdm"))
ERROR = {"gibbs": 1.0, "tgdm": 1.1, "gdm": 1.6, "recover_kl": 2.0, "vem": 2.4}
PERPLEXITY = {"gibbs": 500, "tgdm": 505, "gdm": 515, "recover_kl": 520, "vem": 620}
NIPS = {
    "gdm": (1269, 1061, 957, 763),
    "recover_kl": (1378, 1235, 1409, 1586),
    "vem": (1980, 1953, 1545, 1352),
    "gibbs": (1168, 924, 802, 704),
    "tgdm": (1200, 1000, 900, 750),
}
SECONDS = {"gdm": 1.0, "recover_kl": 1.4, "tgdm": 2.0, "gibbs": 12.6, "vem": 30.0, "vlad": 0.9}
# Errors where the methods of the frontier are compared
AGAINST_GIBBS = {"gdm": 2.2, "tgdm": 1.7, "vlad": 1.5, "vem": 1.0}
WIDE = {"gdm": 3.0, "tgdm": 2.8, "center": 2.0, "gibbs": 2.1, "vlad": 1.5, "refined_gdm": 1.0}


def _error(experiment, method, value):
    base = 0.005 * ERROR.get(method, 1.0)
    if experiment in ("vary_N", "vary_M"):
        return base * (math.log(value) / value) ** 0.6
    if experiment in ("vary_M_short", "vary_N_long") or experiment.startswith("consistency_M"):
        return base * value**-0.5
    if experiment == "consistency_alpha":
        return base * value**0.6
    if experiment == "vary_eta_anchors" and method == "recover_kl" and value >= 0.5:
        return base / 4
    if experiment == "vary_alpha":
        small = {"gdm": 1.1, "tgdm": 1.05}.get(method) if value <= 0.1 else None
        return (0.005 * small if small else base) * value**0.5
    if experiment == "varying_lengths":
        return 0.005 * {"gdm_unweighted": 2.4, "tgdm_unweighted": 1.8}.get(method, ERROR.get(method, 1.0))
    if experiment == "discard":
        return 0.005 * (1 + 0.1 * value)
    if experiment.startswith("frontier_"):
        return 0.005 * AGAINST_GIBBS.get(method, 1.0)
    if experiment == "unknown_k_alpha":
        return 0.005 * (1.0 if method in ("gdm", "ngdm_split") else 1.5)
    if experiment == "wide":
        return 0.01 * WIDE[method]
    return base


def _perplexity(experiment, method, value):
    if experiment == "nips":
        return NIPS[method][(5, 10, 15, 20).index(value)]
    if experiment == "supplement_1":
        return {"ngdm": 500, "kl_dp_means": 505 if value <= 0.1 else 600}[method]
    return {"gdm_unweighted": 530, "tgdm_unweighted": 520}.get(method, PERPLEXITY.get(method, 500))


def _extra(experiment, method, value):
    if experiment == "figure_1":
        truth = np.eye(4, 5)
        inside = {"center": truth.mean(axis=0), "centroids": 0.8 * truth + 0.2 * truth.mean(axis=0)}
        found = {"topics": 0.98 * truth + 0.02 * truth.mean(axis=0), "documents": truth, "labels": np.arange(4)}
        return {name: points.tolist() for name, points in {**inside, **found, "true_topics": truth}.items()}
    if experiment == "cause_vem_start":
        return {"alpha": 70.0 if value == 10 and method == "ldac_1e4" else 0.1}
    if method == "vem_ldac":
        return {"alpha": 70.0}
    if method == "gdm_extended":
        sweep = STAND_INS[experiment]
        right = 1.1 * 0.005 if sweep == "varying_lengths" else _error(sweep, "tgdm", value)
        return {"extension": 1.5, "right_extension": 1.2, "right_mm_distance": right}
    if experiment == "proposition_1":
        slacks = {"upper": 0.01, "lower": 0.02, "lower_printed": 0.01}
        return {**slacks, **{f"broken_{bound}": 0.0 for bound in slacks}}
    if experiment == "proposition_2":
        return {"centroids": 0.5 * value**-0.5, "relaxed": 1e-14}
    return {}


def _rows(repetitions):
    rng = np.random.default_rng(2016)
    for experiment, (axis, values, methods) in SWEEPS.items():
        for value in values:
            for repetition in range(repetitions):
                same_data = math.exp(rng.normal(0, 0.05))
                for method in methods:
                    stuck = ORIGINALS.get(method, method) == "vem" and rng.random() < 0.35
                    noise = same_data * math.exp(rng.normal(0, 0.04))
                    extra = _extra(experiment, method, value)
                    for noisy in {"centroids", "right_mm_distance"} & set(extra):
                        extra[noisy] = (np.array(extra[noisy]) * noise).tolist()
                    sweep, original = STAND_INS.get(experiment, experiment), ORIGINALS.get(method, method)
                    perplexity = _perplexity(sweep, original, value) * math.exp(rng.normal(0, 0.003))
                    seconds = SECONDS.get(original, 1.0) * math.exp(rng.normal(0, 0.05))
                    yield {
                        "experiment": experiment,
                        "method": method,
                        "label": f"{method} (ours)",
                        "axis": axis,
                        "value": value,
                        "repetition": repetition,
                        "mm_distance": _error(sweep, original, value) * noise * (12 if stuck else 1),
                        "perplexity": perplexity * (1.1 if stuck and sweep != "nips" else 1),
                        "perplexity_projected": perplexity * 1.02 * (1.1 if stuck and sweep != "nips" else 1),
                        "perplexity_nonzero": perplexity * 0.98,
                        "perplexity_projected_nonzero": perplexity * 0.99,
                        "n_topics": 15 if sweep == "supplement_1" else 5,
                        "fit_seconds": seconds,
                        "fit_cpu_seconds": seconds,
                        "extra": extra,
                        "data": {"n_docs": 1000, "doc_length": 50, "n_topics": 5, "alpha": 0.1},
                    }


@pytest.fixture
def unsaved_figures(monkeypatch):
    """Draw figures but leave empty files: to save them takes longer, and tests of figures and of redrawing do."""
    monkeypatch.setattr("matplotlib.figure.Figure.savefig", lambda _, path, **__: Path(path).write_bytes(b""))


@pytest.fixture
def unrendered_figures(unsaved_figures, monkeypatch):
    """Only put figures together, for a test of what else is made of the same records."""
    monkeypatch.setattr("matplotlib.figure.Figure.draw_without_rendering", lambda _: None)


@pytest.fixture(scope="session")
def world(made_up_frame):
    """Records under which every claim holds; not to be changed, but copied."""
    return made_up_frame(_rows(repetitions=6))


@pytest.fixture(scope="session")
def spoil():
    """Copy records with a measure of some multiplied: spoil(records, experiments, method, measure, factor, low, high).

    The factor may be a function of the swept value. With ``to`` instead of a factor, the measure is set.
    """

    def spoiled(records, experiments, method, measure, factor=1.0, low=-math.inf, high=math.inf, to=None):
        copy = records.copy()
        mine = copy["experiment"].isin(experiments.split()) & (copy["method"] == method)
        swept = pd.to_numeric(copy["value"], errors="coerce")
        mine &= swept.isna() | ((swept >= low) & (swept <= high))
        assert mine.any()
        factors = swept[mine].map(factor) if callable(factor) else factor
        copy.loc[mine, measure] = copy.loc[mine, measure] * factors if to is None else to
        return copy

    return spoiled


@pytest.fixture(scope="session")
def set_extra():
    """Copy records with a number of one sweep's extras set; it may be a function of the swept value."""

    def changed(records, experiment, **numbers):
        copy = records.copy()
        copy["extra"] = [
            {**extra, **{name: to(value) if callable(to) else to for name, to in numbers.items()}}
            if of == experiment
            else extra
            for of, value, extra in zip(copy["experiment"], copy["value"], copy["extra"], strict=True)
        ]
        return copy

    return changed
