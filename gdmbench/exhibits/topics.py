"""The topics of a real corpus by their top words: a table for each method, and one picture, matched by distance."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from gdmbench.exhibits.figures import save_figure
from gdmbench.exhibits.frame import labels_of
from gdmbench.exhibits.style import RC, in_order, styles_of
from gdmbench.files import atomic_write_text

Topic = Mapping[str, float]  # the leading words and their probabilities
_IN_TABLE = 10
_IN_PICTURE = 7
_ACROSS = 10  # topics beside each other in the picture
_LETTERS = 13


def write_topics(records: pd.DataFrame, folder: str | Path) -> list[Path]:
    """Write ``topics.md``, ``topics.pdf`` and ``topics.png`` for the first repetition at the middle swept value.

    Parameters
    ----------
    records : DataFrame
        With a column ``top_words``: for each topic a list of word and probability.
    folder : path

    Returns
    -------
    list of Path
        Nothing where no record names words.
    """
    shown = _shown(records)
    if shown.empty:
        return []
    topics = {method: _topics(shown.loc[shown["method"] == method, "top_words"].iloc[0]) for method in _methods(shown)}
    labels = labels_of(shown)
    matched = match_topics(topics)
    value = shown["value"].iloc[0]
    folder = Path(folder)
    atomic_write_text(folder / "topics.md", topics_markdown(matched, labels, value))
    return [folder / "topics.md", *_draw(matched, labels, folder / "topics")]


def _shown(records: pd.DataFrame) -> pd.DataFrame:
    if "top_words" not in records:
        return records.iloc[:0]
    named = records[(records["status"] == "ok") & records["top_words"].notna()]
    if named.empty:
        return named
    values = sorted(set(named["value"]), key=lambda value: (str(type(value)), value))
    # The paper shows K = 10 of 5 to 20: the lower middle of the sweep.
    at_value = named[named["value"] == values[(len(values) - 1) // 2]] if None not in values else named
    return at_value[at_value["repetition"] == at_value["repetition"].min()]


def _methods(records: pd.DataFrame) -> list[str]:
    return in_order(records["method"].unique())


def _topics(top_words: Any) -> list[Topic]:
    return [dict(words) for words in top_words]


def distance(a: Topic, b: Topic) -> float:
    """Return the Euclidean distance of two topics, as far as their leading words tell it."""
    return float(sum((a.get(word, 0.0) - b.get(word, 0.0)) ** 2 for word in {*a, *b}) ** 0.5)


def match_topics(topics: Mapping[str, list[Topic]]) -> dict[str, list[Topic | None]]:
    """Put every method's topics in the order of the first method's, nearest pairs first; None where one is lacking."""
    first, *others = topics
    rows = max(len(found) for found in topics.values())
    matched: dict[str, list[Topic | None]] = {first: [*topics[first], *[None] * (rows - len(topics[first]))]}
    for method in others:
        pairs = sorted(
            (distance(a, b), i, j) for i, a in enumerate(topics[first]) for j, b in enumerate(topics[method])
        )
        place: dict[int, int] = {}
        for _, i, j in pairs:
            if j not in place and i not in place.values():
                place[j] = i
        free = iter(i for i in range(rows) if i not in place.values())
        column: list[Topic | None] = [None] * rows
        for j, topic in enumerate(topics[method]):
            column[place[j] if j in place else next(free)] = topic
        matched[method] = column
    return matched


def topics_markdown(matched: Mapping[str, list[Topic | None]], labels: Mapping[str, str], value: Any) -> str:
    """Return the top ten words of every topic, a table for each method; the same row is the nearest topic in each."""
    heading = "# Top words" + (f", K = {value}" if value is not None else "")
    parts = [heading, "Topics in the same row are nearest to each other across methods."]
    for method, topics in matched.items():
        lines = [f"## {labels[method]}", "", "| topic | words |", "|---|---|"]
        for number, topic in enumerate(topics, start=1):
            lines.append(f"| {number} | {', '.join(list(topic)[:_IN_TABLE]) if topic else '–'} |".replace("\\", ""))
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
                axes.text(
                    -0.25, middle, labels[method], color=color, weight="bold", rotation=90, va="center", ha="center"
                )
                for column, topic in enumerate(block):
                    for place, word in enumerate(list(topics[topic] or {})[:_IN_PICTURE]):
                        shade = "#000000" if word in (reference[topic] or {}) else "#8A8A8A"
                        axes.text(column, start + place, word[:_LETTERS], fontsize=8, color=shade, va="center")
        return save_figure(figure, stem)
