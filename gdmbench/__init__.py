"""Geometric Dirichlet Means for topic inference: the reference implementation and its benchmark."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.3.0"

if TYPE_CHECKING:  # for editors and type checkers, which know no import on first use
    from gdmbench.data.load import load_corpus
    from gdmbench.data.parts import CorpusParts
    from gdmbench.data.simulate import simulate_lda
    from gdmbench.geometry.gdm import GDM
    from gdmbench.geometry.nonparametric import NonparametricGDM
    from gdmbench.geometry.projection import project
    from gdmbench.geometry.refined import RefinedGDM
    from gdmbench.geometry.tuned_gdm import TunedGDM
    from gdmbench.geometry.vlad import VLAD
    from gdmbench.measures.coherence import coherence, diversity
    from gdmbench.measures.completion import completion_perplexity, document_completion
    from gdmbench.measures.heldout import perplexity
    from gdmbench.measures.left_to_right import left_to_right
    from gdmbench.measures.matching import minimum_matching_distance, total_variation
    from gdmbench.model import load_model, save_model

# The module that defines each public name, imported on first use: `python -m gdmbench --help` need not wait for numba
# and scikit-learn.
HOMES = {
    "GDM": "gdmbench.geometry.gdm",
    "TunedGDM": "gdmbench.geometry.tuned_gdm",
    "NonparametricGDM": "gdmbench.geometry.nonparametric",
    "VLAD": "gdmbench.geometry.vlad",
    "RefinedGDM": "gdmbench.geometry.refined",
    "project": "gdmbench.geometry.projection",
    "simulate_lda": "gdmbench.data.simulate",
    "load_corpus": "gdmbench.data.load",
    "CorpusParts": "gdmbench.data.parts",
    "minimum_matching_distance": "gdmbench.measures.matching",
    "total_variation": "gdmbench.measures.matching",
    "perplexity": "gdmbench.measures.heldout",
    "completion_perplexity": "gdmbench.measures.completion",
    "document_completion": "gdmbench.measures.completion",
    "left_to_right": "gdmbench.measures.left_to_right",
    "coherence": "gdmbench.measures.coherence",
    "diversity": "gdmbench.measures.coherence",
    "save_model": "gdmbench.model",
    "load_model": "gdmbench.model",
}

__all__ = sorted(HOMES)


def __getattr__(name: str) -> Any:
    if name in HOMES:
        return getattr(import_module(HOMES[name]), name)
    raise AttributeError(f"module 'gdmbench' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
