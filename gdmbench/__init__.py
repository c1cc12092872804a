"""Geometric Dirichlet Means for topic inference: the reference implementation and its benchmark."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

if TYPE_CHECKING:
    from gdmbench.data import load_corpus, simulate_lda
    from gdmbench.geometry.gdm import GDM
    from gdmbench.geometry.nonparametric import NonparametricGDM
    from gdmbench.geometry.projection import project
    from gdmbench.geometry.refined import RefinedGDM
    from gdmbench.geometry.tuned_gdm import TunedGDM
    from gdmbench.geometry.vlad import VLAD
    from gdmbench.measures import coherence, diversity, minimum_matching_distance, perplexity
    from gdmbench.model import load_model, save_model

HOMES = {
    "GDM": "gdmbench.geometry.gdm",
    "TunedGDM": "gdmbench.geometry.tuned_gdm",
    "NonparametricGDM": "gdmbench.geometry.nonparametric",
    "VLAD": "gdmbench.geometry.vlad",
    "RefinedGDM": "gdmbench.geometry.refined",
    "project": "gdmbench.geometry.projection",
    "simulate_lda": "gdmbench.data",
    "load_corpus": "gdmbench.data",
    "minimum_matching_distance": "gdmbench.measures",
    "perplexity": "gdmbench.measures",
    "coherence": "gdmbench.measures",
    "diversity": "gdmbench.measures",
    "save_model": "gdmbench.model",
    "load_model": "gdmbench.model",
}

__all__ = [
    "GDM",
    "VLAD",
    "NonparametricGDM",
    "RefinedGDM",
    "TunedGDM",
    "coherence",
    "diversity",
    "load_corpus",
    "load_model",
    "minimum_matching_distance",
    "perplexity",
    "project",
    "save_model",
    "simulate_lda",
]


def __getattr__(name: str) -> Any:
    # Public names are imported on first use: `python -m gdmbench --help` must not pay for numba and scikit-learn.
    if name in HOMES:
        return getattr(import_module(HOMES[name]), name)
    raise AttributeError(f"module 'gdmbench' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
