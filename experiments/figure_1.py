"""Figure 1: documents, clusters, centroids and topics of a vocabulary of five words, in three dimensions."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.spatial.distance import cdist, pdist

from experiments.criteria import of
from gdmbench.exhibits.claims import Claim
from gdmbench.exhibits.figures import save_figure
from gdmbench.exhibits.style import RC

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CLAIMS: list[Claim] = []  # the claims table has none for this figure

_CLUSTERS = ("#000000", "#009E73", "#CC3311", "#0072B2")  # the paper's black, green, red and blue
_CENTER, _CENTROID, _TOPIC, _TRUTH = "#7B3294", "#F781BF", "#7F0000", "#FFD92F"  # purple, pink, dark red, yellow
_TURN, _TILT = np.radians(35), np.radians(20)  # about the third axis, then towards the viewer
_VIEW = np.array(
    [
        [np.cos(_TURN), np.sin(_TURN), 0.0],
        [np.sin(_TURN) * np.sin(_TILT), -np.cos(_TURN) * np.sin(_TILT), np.cos(_TILT)],
    ]
)
_NEEDED = {"documents", "labels", "center", "centroids", "topics", "true_topics"}  # in the extras of a record


def draw(frame: pd.DataFrame, folder: Path) -> list[Path]:
    """Draw the repetition whose true topics lie farthest apart: chosen by the truth, never by the fit."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    pictures = list(_pictures(of(frame, "figure_1")))
    if not pictures:
        return []
    chosen = max(pictures, key=lambda picture: pdist(picture["true_topics"]).min())
    truth = np.array(chosen["true_topics"])
    with mpl.rc_context(RC):
        figure = Figure(figsize=(4.0, 3.1))
        ax = figure.add_subplot()
        _draw(ax, chosen, truth)
        distances = (
            f"centroids {_distance(chosen['centroids'], truth):.3f}, GDM {_distance(chosen['topics'], truth):.3f}"
        )
        ax.set_title(f"MM distance from the true topics: {distances}", fontsize=8)
        figure.legend(loc="outside lower center", ncols=4)
        return save_figure(figure, folder / "figure_1")


def _pictures(frame: pd.DataFrame) -> Iterator[dict[str, Any]]:
    for status, extra in zip(frame["status"], frame["extra"], strict=True):
        if status == "ok" and isinstance(extra, dict) and extra.keys() >= _NEEDED:
            yield extra


def _distance(topics: Any, truth: NDArray[np.float64]) -> float:
    """Return the minimum-matching distance."""
    distances = cdist(topics, truth)
    return float(max(distances.min(axis=0).max(), distances.min(axis=1).max()))


def _draw(ax: "Axes", picture: dict[str, Any], truth: NDArray[np.float64]) -> None:
    counts, labels = np.array(picture["documents"], dtype=float), np.array(picture["labels"])
    documents = counts / counts.sum(axis=1, keepdims=True)
    # The true polytope spans three dimensions; of these the picture shows two, turned so that no corner hides another.
    origin = truth.mean(axis=0)
    axes = _VIEW @ np.linalg.svd(truth - origin)[2][:3]

    def place(points: Any) -> Any:
        return ((np.atleast_2d(points) - origin) @ axes.T).T

    for cluster in range(labels.max() + 1):
        look: dict[str, Any] = {"s": 5, "color": _CLUSTERS[cluster % 4], "alpha": 0.35, "linewidths": 0}
        ax.scatter(*place(documents[labels == cluster]), **look)
    for i in range(len(truth)):
        for j in range(i):
            ax.plot(*place(truth[[i, j]]), color="#999999", linewidth=0.6, zorder=1)
    marks: dict[str, tuple[Any, str, int]] = {
        "centre": (picture["center"], _CENTER, 50),
        "centroids": (picture["centroids"], _CENTROID, 50),
        "true topics": (truth, _TRUTH, 110),
        "GDM topics": (picture["topics"], _TOPIC, 32),
    }
    for label, (points, color, size) in marks.items():
        x, y = place(points)
        ax.scatter(x, y, size, color, edgecolors="black", linewidths=0.5, label=label, zorder=3)
    ax.set_aspect("equal")
    ax.set_axis_off()
