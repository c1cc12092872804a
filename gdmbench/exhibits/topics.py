"""The topics of a real corpus by their top words: a table for each method, and one picture, matched by distance."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from gdmbench.exhibits.escape import markdown, mathtext
from gdmbench.exhibits.figures import save_figure
from gdmbench.exhibits.style import RC, axis_of, in_order, styles_of
from gdmbench.files import atomic_write_text
from gdmbench.records.frame import swept_values, value_text

Topic = Mapping[str, float]  # the leading words and their probabilities
_IN_TABLE = 10
_IN_PICTURE = 7
_ACROSS = 10  # topics beside each other in the picture
_LETTERS = 13


def write_topics(frame: pd.DataFrame, folder: str | Path) -> list[Path]:
    """Write ``topics.md``, ``topics.pdf`` and ``topics.png`` for the first repetition at the middle swept value.

    Parameters
    ----------
    frame : DataFrame
        Whose column ``top_words`` has for each topic a list of word and probability.
    folder : path

    Returns
    -------
    list of Path
        Nothing where no record names words.
    """
    shown = _shown(frame)
    if shown.empty:
        return []
    first = shown.drop_duplicates("method").set_index("method")
    topics: dict[str, list[Topic]] = {
        method: [dict(words) for words in first["top_words"][method]] for method in in_order(first.index)
    }
    labels = {method: str(first["label"][method]) for method in topics}
    matched = match_topics(topics)
    axis, value = axis_of(shown["axis"].iloc[0]).plain, value_text(shown["value"].iloc[0])
    folder = Path(folder)
    text = topics_markdown(matched, labels, f"{axis} = {value}" if value else "")
    atomic_write_text(folder / "topics.md", text)
    return [folder / "topics.md", *_draw(matched, labels, folder / "topics")]


def _shown(frame: pd.DataFrame) -> pd.DataFrame:
    named = frame[(frame["status"] == "ok") & frame["top_words"].notna()]
    values = swept_values(named)
    if len(values) > 1:  # the paper shows K = 10 of 5 to 20: the lower middle of the sweep
        named = named[named["value"] == values[(len(values) - 1) // 2]]
    return named[named["repetition"] == named["repetition"].min()]


def distances(ours: Sequence[Topic], theirs: Sequence[Topic]) -> np.ndarray:
    """Return the Euclidean distance of each of our topics to each of theirs, as far as their leading words tell it."""
    words = dict.fromkeys(word for topic in [*ours, *theirs] for word in topic)
    place = {word: number for number, word in enumerate(words)}
    dense = np.zeros((len(ours) + len(theirs), len(place)))
    for row, topic in zip(dense, [*ours, *theirs], strict=True):
        row[[place[word] for word in topic]] = list(topic.values())
    differences = dense[: len(ours), None] - dense[None, len(ours) :]
    return np.sqrt((differences**2).sum(axis=2))


def match_topics(topics: Mapping[str, list[Topic]]) -> dict[str, list[Topic | None]]:
    """Put every method's topics beside the first method's, the sum of distances least; None where one is lacking."""
    from scipy.optimize import linear_sum_assignment  # takes a third of a second to import, and most runs have no words

    first, *others = topics
    rows = max(len(found) for found in topics.values())
    matched: dict[str, list[Topic | None]] = {first: [*topics[first], *[None] * (rows - len(topics[first]))]}
    for method in others:
        found = topics[method]
        costs = distances(topics[first], found)
        row_of = dict(zip(*reversed(linear_sum_assignment(costs)), strict=True)) if costs.size else {}
        free = iter(row for row in range(rows) if row not in row_of.values())
        column: list[Topic | None] = [None] * rows
        for number, topic in enumerate(found):
            column[row_of[number] if number in row_of else next(free)] = topic
        matched[method] = column
    return matched


def topics_text(topics: Any, vocabulary: Sequence[str] | None) -> str:
    """Write the top words of topics for the terminal, one line per topic."""
    words = vocabulary or [f"word {column}" for column in range(np.shape(topics)[1])]
    best = np.argsort(-np.asarray(topics), axis=1, kind="stable")[:, :_IN_TABLE]
    width = len(str(len(best)))
    return "\n".join(
        f"  {number:>{width}}  {', '.join(words[word] for word in top)}" for number, top in enumerate(best, start=1)
    )


def topics_markdown(matched: Mapping[str, list[Topic | None]], labels: Mapping[str, str], where: str = "") -> str:
    """Return the top ten words of every topic, a table for each method; those of a row are matched with each other."""
    heading = f"# Top words{', ' if where else ''}{markdown(where)}"
    order = "Topics in a row are matched: those of each method with the first one's, by the least sum of distances."
    parts = [heading, order]
    for method, topics in matched.items():
        lines = [f"## {markdown(labels[method])}", "", "| topic | words |", "|---|---|"]
        for number, topic in enumerate(topics, start=1):
            words = markdown(", ".join(list(topic)[:_IN_TABLE]), formulas=False) if topic else "–"
            lines.append(f"| {number} | {words} |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _draw(matched: Mapping[str, list[Topic | None]], labels: Mapping[str, str], stem: Path) -> list[Path]:
    """Draw the topics as columns of words, black where the method in the first row has the word too, else grey."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    reference = matched[next(iter(matched))]
    styles = styles_of(list(matched))
    blocks = [range(start, min(start + _ACROSS, len(reference))) for start in range(0, len(reference), _ACROSS)]
    lines = _IN_PICTURE + 1  # of text for each method, one of them blank
    height = len(blocks) * (len(matched) * lines + 2)
    with mpl.rc_context({**RC, "figure.constrained_layout.use": False}):
        figure = Figure(figsize=(0.98 * len(blocks[0]) + 0.4, 0.145 * height))
        axes = figure.add_axes((0, 0, 1, 1))
        axes.axis("off")
        axes.set_xlim(-0.4, len(blocks[0]))
        axes.set_ylim(height - 0.5, -0.5)
        for number, block in enumerate(blocks):
            top = number * (len(matched) * lines + 2) + 0.5
            for column, topic in enumerate(block):
                axes.text(column, top, f"topic {topic + 1}", fontsize=8, color="#666666", va="center")
            for row, (method, topics) in enumerate(matched.items()):
                start = top + 1.2 + row * lines
                color = styles[method].color
                axes.plot([-0.1, -0.1], [start - 0.4, start + _IN_PICTURE - 0.6], color=color, linewidth=2.5)
                middle = start + (_IN_PICTURE - 1) / 2
                side: dict[str, Any] = {"weight": "bold", "rotation": 90, "va": "center", "ha": "center"}
                axes.text(-0.25, middle, mathtext(labels[method]), color=color, **side)
                for column, topic in enumerate(block):
                    for place, word in enumerate(list(topics[topic] or {})[:_IN_PICTURE]):
                        shade = "#000000" if word in (reference[topic] or {}) else "#8A8A8A"
                        look: dict[str, Any] = {"fontsize": 8, "color": shade, "va": "center", "parse_math": False}
                        axes.text(column, start + place, word[:_LETTERS], **look)
        return save_figure(figure, stem)
