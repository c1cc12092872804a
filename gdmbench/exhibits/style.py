"""How exhibits look and what they call things: one colour and marker for each method, the paper's symbols."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Any
from zlib import crc32


@dataclass(frozen=True)
class Style:
    """How one method is drawn."""

    color: str
    marker: str
    linestyle: str = "-"
    hollow: bool = False


@dataclass(frozen=True)
class Axis:
    """What a swept configuration key is called: on a figure's axis, and by the paper's symbol."""

    name: str
    symbol: str
    plain: str


# Okabe and Ito's colours, told apart with every common colour blindness; GDM and tGDM are the two warm ones.
# The order is the paper's, its successors behind, and that of every legend and table.
METHODS: Mapping[str, Style] = {
    "gdm": Style("#E69F00", "o"),
    "tgdm": Style("#D55E00", "s"),
    "ngdm": Style("#000000", "p"),
    "vem": Style("#CC79A7", "v"),
    "gibbs": Style("#0072B2", "D"),
    "recover_kl": Style("#009E73", "^"),
    "kl_dp_means": Style("#56B4E9", "X"),
    "cosac": Style("#117733", "P"),
    "vlad": Style("#999933", "h"),
    "refined_gdm": Style("#882255", "*"),
}
# Paul Tol's muted colours, for methods that we don't know.
_OTHER_COLORS = ("#332288", "#999933", "#882255", "#44AA99", "#AA4499", "#117733", "#CC6677", "#88CCEE", "#DDCC77")
_OTHER_MARKERS = ("P", "h", "<", "d", ">", "*", "8")
# Points; shapes of equal width don't look equally large.
MARKER_SIZES: Mapping[str, float] = {"o": 4.6, "s": 4.2, "D": 3.8, "8": 4.6, "h": 4.9, "d": 5.0, "*": 6.4}
MARKER_SIZE = 5.2
_VARIANT_LINES = ("--", ":", "-.")

# Settings of the data or of the model, by the last part of their key.
AXES: Mapping[str, Axis] = {
    "n_docs": Axis("number of documents $M$", "$M$", "M"),
    "doc_length": Axis("document length $N_m$", "$N_m$", "N"),
    "n_topics": Axis("number of topics $K$", "$K$", "K"),
    "n_words": Axis("vocabulary size $V$", "$V$", "V"),
    "alpha": Axis(r"$\alpha$", r"$\alpha$", "alpha"),
    "eta": Axis(r"$\eta$", r"$\eta$", "eta"),
}

# Times-like text to sit beside a paper's; STIX comes with matplotlib, so figures look alike on every machine.
RC: dict[Any, Any] = {
    "font.family": "STIXGeneral",
    "mathtext.fontset": "stix",
    "font.size": 9,
    "axes.labelsize": 9,
    "axes.titlesize": 9,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "legend.fontsize": 8,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#333333",
    "axes.axisbelow": True,
    "axes.formatter.use_mathtext": True,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.minor.width": 0.4,
    "ytick.minor.width": 0.4,
    "xtick.major.size": 3,
    "ytick.major.size": 3,
    "xtick.minor.size": 1.8,
    "ytick.minor.size": 1.8,
    "grid.color": "#E3E3E3",
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.2,
    "legend.frameon": False,
    "legend.handlelength": 1.7,
    "legend.columnspacing": 1.0,
    "legend.handletextpad": 0.5,
    "legend.labelspacing": 0.3,
    "savefig.dpi": 220,
    "pdf.fonttype": 42,
    "figure.constrained_layout.use": True,
}


def axis_of(key: str | None) -> Axis:
    """Name a swept key; one that we don't know goes by its last part."""
    if not key:
        return Axis("", "", "")
    room, _, last = key.rpartition(".")
    if room in ("data", "model") and last in AXES:
        return AXES[last]
    readable = last.replace("_", " ")
    return Axis(readable, readable, last)


def in_order(methods: Collection[str]) -> list[str]:
    """Sort methods into the paper's order, variants after their original, the others by name at the end."""
    known = list(METHODS)

    def place(method: str) -> tuple[int, str]:
        original = _original(method)
        return (known.index(original) if original else len(known), method)

    return sorted(set(methods), key=place)


def styles_of(methods: Collection[str]) -> dict[str, Style]:
    """Choose the style of each method: no two alike, and as little as possible dependent on the others.

    Known methods have theirs. A variant such as ``gdm_unweighted`` takes its original's colour, hollow and broken.
    Any other name is hashed to a place in a table of colours and markers, and moves on where that is taken.
    """
    chosen: dict[str, Style] = {}
    for method in in_order(methods):
        original = _original(method)
        if method == original:
            chosen[method] = METHODS[method]
        elif original:
            chosen[method] = _variant(METHODS[original], chosen.values())
        else:
            chosen[method] = _stranger(method, chosen.values())
    return chosen


def _original(method: str) -> str | None:
    return next((known for known in METHODS if re.match(rf"{known}(_|$)", method)), None)


def _variant(original: Style, taken: Collection[Style]) -> Style:
    looks = zip((original.marker, *_OTHER_MARKERS), cycle(_VARIANT_LINES), strict=False)
    styles = [replace(original, marker=marker, linestyle=line, hollow=True) for marker, line in looks]
    return next((style for style in styles if style not in taken), styles[-1])


def _stranger(method: str, taken: Collection[Style]) -> Style:
    table = [Style(color, marker) for marker in _OTHER_MARKERS for color in _OTHER_COLORS]
    start = crc32(method.encode()) % len(table)
    free = [style for style in table[start:] + table[:start] if style not in taken] or table

    def clashes(style: Style) -> int:
        return sum((style.color == other.color) + (style.marker == other.marker) for other in taken)

    return min(free, key=clashes)
