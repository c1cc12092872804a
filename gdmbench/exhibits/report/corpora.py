"""Topics of real corpora as the page takes them: methods side by side, matched, and each topic's place on a map."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from gdmbench.exhibits.escape import plain
from gdmbench.exhibits.report.sources import Plain, Source
from gdmbench.exhibits.style import axis_of, in_order
from gdmbench.exhibits.topics import Topic, match_topics
from gdmbench.records.frame import sorted_values, value_text

_DIGITS = 4  # of a probability


def topics_data(sources: Sequence[Source]) -> list[Plain]:
    """Lay out the topics of every experiment whose records name words: one entry per swept value and repetition."""
    found = []
    for source in sources:
        named = source.frame[(source.frame["status"] == "ok") & source.frame["top_words"].notna()]
        for _, frame in named.groupby("experiment", sort=False):
            place: dict[str, int] = {}  # of each word in the vocabulary of the page
            texts = frame["value"].map(value_text)
            shown = [
                _shown(text, repetition, part, place)
                for text in map(value_text, sorted_values(frame["value"]))
                for repetition, part in frame[texts == text].groupby("repetition")
            ]
            key = next((key for key in frame["axis"] if isinstance(key, str)), None)
            labels = {method: plain(str(label)) for method, label in zip(frame["method"], frame["label"], strict=True)}
            entry = {"title": plain(source.title), "symbol": plain(axis_of(key).symbol), "labels": labels}
            found.append({**entry, "words": list(place), "shown": shown})
    return found


def _shown(value: str, repetition: Any, frame: pd.DataFrame, place: dict[str, int]) -> Plain:
    """Match the topics of all methods at one point, and put them on one map."""
    records = frame.drop_duplicates("method").set_index("method")["top_words"]
    topics: dict[str, list[Topic]] = {
        method: [{str(word): float(p) for word, p in words} for words in records[method]]
        for method in in_order(records.index)
    }
    matched = match_topics(topics)
    flat = [topic for found in topics.values() for topic in found]
    positions = iter(topic_map(flat))
    methods = []
    for method, found in topics.items():
        row_of = {id(topic): row for row, topic in enumerate(matched[method]) if topic is not None}
        methods.append(
            {
                "method": method,
                "topics": [
                    {
                        "row": row_of[id(topic)],
                        "words": [place.setdefault(word, len(place)) for word in topic],
                        "p": [float(f"{p:.{_DIGITS}g}") for p in topic.values()],
                        "at": [round(float(x), _DIGITS) for x in next(positions)],
                    }
                    for topic in found
                ],
            }
        )
    rows = max((len(column) for column in matched.values()), default=0)
    return {"value": value, "repetition": int(repetition), "rows": rows, "methods": methods}


def topic_map(topics: Sequence[Mapping[str, float]]) -> np.ndarray:
    """Place topics in the plane so that near ones have like words: classical scaling of Hellinger's distance.

    That is the two leading principal components of the square roots of the probabilities, as far as the leading words
    tell them. Signs are fixed, so that the same topics give the same map.

    Returns
    -------
    ndarray of shape (n_topics, 2)
    """
    words = {word: place for place, word in enumerate(dict.fromkeys(word for topic in topics for word in topic))}
    roots = np.zeros((len(topics), max(1, len(words))))
    for row, topic in enumerate(topics):
        roots[row, [words[word] for word in topic]] = np.sqrt(list(topic.values()))
    centred = roots - roots.mean(axis=0) if len(topics) else roots
    sizes, directions = np.linalg.eigh(centred @ centred.T)  # sizes rise
    kept = min(2, len(sizes))
    coordinates = np.zeros((len(topics), 2))
    coordinates[:, :kept] = (directions * np.sqrt(np.maximum(sizes, 0)))[:, ::-1][:, :kept]
    if len(topics):
        signs = np.sign(coordinates[np.abs(coordinates).argmax(axis=0), [0, 1]])
        coordinates *= np.where(signs == 0, 1, signs)
    return coordinates
