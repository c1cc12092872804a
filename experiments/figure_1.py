"""Figure 1: documents, clusters, centroids and topics of a vocabulary of five words, in three dimensions."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from experiments.criteria import of
from gdmbench.exhibits.claims import Claim
from gdmbench.exhibits.figures import save_figure
from gdmbench.exhibits.style import RC
from gdmbench.geometry import GDM
from gdmbench.measures import minimum_matching_distance
from gdmbench.runner.plan import Cell
from gdmbench.runner.targets import build

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


class PicturedGDM(GDM):
    """GDM that leaves in its record what a picture of it needs.

    Parameters
    ----------
    n_topics, weighted, n_restarts, random_state
        As for `gdmbench.GDM`.
    n_pictured : int, default=600
        How many of the documents to keep, the first ones.

    Attributes
    ----------
    record_ : dict
        ``documents`` (word counts), ``labels``, ``center``, ``centroids``, ``topics``.
    """

    def __init__(
        self,
        n_topics: int,
        *,
        weighted: bool = True,
        n_restarts: int = 10,
        n_pictured: int = 600,
        random_state: Any = None,
    ) -> None:
        super().__init__(n_topics, weighted=weighted, n_restarts=n_restarts, random_state=random_state)
        self.n_pictured = n_pictured

    def fit(self, X: Any, y: None = None) -> Self:
        """Find the topics and note the picture."""
        super().fit(X)
        self.record_ = {
            "documents": X[: self.n_pictured].toarray().tolist(),
            "labels": self.labels_[: self.n_pictured].tolist(),
            "center": self.center_.tolist(),
            "centroids": self.centroids_.tolist(),
            "topics": self.components_.tolist(),
        }
        return self


def draw(records: pd.DataFrame, folder: Path) -> list[Path]:
    """Draw the repetition whose true topics lie farthest apart: chosen by the truth, never by the fit."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    mine = of(records, "geometry")
    pictures = [(_truth(record), record) for record in mine[mine["status"] == "ok"].to_dict("records")]
    if not pictures:
        return []
    truth, chosen = max(pictures, key=lambda pair: _least_distance(pair[0]))
    with mpl.rc_context(RC):
        figure = Figure(figsize=(4.0, 3.1))
        ax = figure.add_subplot()
        _draw(ax, chosen["extra"], truth)
        centroids = minimum_matching_distance(np.array(chosen["extra"]["centroids"]), truth)
        distances = f"centroids {centroids:.3f}, GDM {chosen['mm_distance']:.3f}"
        ax.set_title(f"MM distance from the true topics: {distances}", fontsize=8)
        figure.legend(loc="outside lower center", ncols=4)
        return save_figure(figure, folder / "figure_1")


def _truth(record: dict[Any, Any]) -> NDArray[np.float64]:
    """Simulate the record's data again for its true topics, and make sure that they are the ones it was scored by."""
    cell = Cell(**{name: record[name] for name in Cell.__dataclass_fields__})
    topics: NDArray[np.float64] = build(cell.data, "data", cell.seeds()[0]).topics
    again = minimum_matching_distance(np.array(record["extra"]["topics"]), topics)
    if not np.isclose(again, record["mm_distance"], rtol=1e-6, atol=1e-9):
        raise ValueError(
            f"record {record['key']} has MM distance {record['mm_distance']:.6g} but its data, simulated again, give "
            f"{again:.6g}: it was made by another version of the simulator, so run the experiment again."
        )
    return topics


def _least_distance(topics: NDArray[np.float64]) -> float:
    distances = np.linalg.norm(topics[:, None] - topics[None], axis=2)
    return float(distances[~np.eye(len(topics), dtype=bool)].min())


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
