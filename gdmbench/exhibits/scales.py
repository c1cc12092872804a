"""Axes of a panel: which scale, where each method stands on it, and ticks that people can read."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gdmbench.exhibits.escape import mathtext
from gdmbench.records.frame import are_numbers, value_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_DODGE = 0.01  # of the axis, from one method to the next: enough to see both, too little to mistake the value
_ROOM = 0.6  # of the distance between two values: all that the methods together may take


@dataclass(frozen=True)
class SweptAxis:
    """Places of the swept values along x: ``log``, ``linear``, or ``even`` with a step from each to the next.

    Even steps serve values that are no numbers, and numbers over several decades that include 0.
    """

    points: tuple[Any, ...]
    scale: str

    @classmethod
    def of(cls, values: Sequence[object]) -> "SweptAxis":
        """Choose the scale that shows the values best."""
        if not are_numbers(values):
            return cls(tuple(values), "even")
        numbers = np.array(values, dtype=float)
        sizes = np.abs(numbers[numbers != 0])
        wide = sizes.size > 1 and sizes.max() > 10 * sizes.min()
        if not wide:
            return cls(tuple(values), "linear")
        return cls(tuple(values), "log" if numbers.min() > 0 else "even")

    @property
    def ordered(self) -> bool:
        """Whether a line from one value to the next means anything."""
        return are_numbers(self.points)

    def places(self, offset: float = 0.0) -> np.ndarray:
        """Where the values stand when shifted by ``offset``, a share of the axis."""
        steps = self._steps()
        shifted = steps + offset * np.ptp(steps)
        return 10**shifted if self.scale == "log" else shifted

    def offsets(self, n_methods: int) -> np.ndarray:
        """Shifts that keep methods from hiding each other, small beside the distance of two values."""
        steps = np.sort(self._steps())
        least = np.diff(steps).min() / np.ptp(steps) if len(steps) > 1 else 1.0
        one = _ROOM * least / max(1, n_methods)
        if self.ordered:
            one = min(_DODGE, one)
        return one * (np.arange(n_methods) - (n_methods - 1) / 2)

    def set_scale(self, ax: "Axes") -> None:
        """Set scale, limits and ticks; ticks are the swept values, as many as fit."""
        steps = self._steps()
        if self.scale == "log":
            ax.set_xscale("log")
        margin = 0.05 * np.ptp(steps) if self.scale != "even" else 0.5
        low, high = steps.min() - margin, steps.max() + margin
        ax.set_xlim((10**low, 10**high) if self.scale == "log" else (low, high))
        texts = [value_text(value) for value in self.points]
        shown = _without_overlap((steps - low) / (high - low), texts, width_points(ax))
        places = self.places()
        if not self.ordered and len(shown) < len(texts):  # a word between two others cannot be guessed
            ax.set_xticks(places, [mathtext(text) for text in texts], rotation=20, ha="right", rotation_mode="anchor")
            return
        ax.set_xticks([places[index] for index in shown], [mathtext(texts[index]) for index in shown])
        ax.set_xticks(places, labels=[""] * len(places), minor=True)

    def _steps(self) -> np.ndarray:
        if self.scale == "even":
            return np.arange(len(self.points), dtype=float)
        numbers = np.array(self.points, dtype=float)
        return np.log10(numbers) if self.scale == "log" else numbers


def set_measure_scale(ax: "Axes", numbers: np.ndarray, *, log: bool, side: str = "y") -> None:
    """Give the measured axis its scale, limits and ticks.

    Logarithmic where that is wanted and the numbers span a factor of three, or of ten in any case; a 0 among them
    then gets a place of its own below the smallest.
    """
    finite = numbers[np.isfinite(numbers)]
    positive = finite[finite > 0]
    axis = ax.yaxis if side == "y" else ax.xaxis
    set_limits = ax.set_ylim if side == "y" else ax.set_xlim
    scale = ax.set_yscale if side == "y" else ax.set_xscale
    if not finite.size:
        return
    low, high = (positive.min(), positive.max()) if positive.size else (0.0, 0.0)
    if finite.min() < 0 or not positive.size or high < (3 if log else 10) * low or (not log and finite.min() == 0):
        room = 0.06 * np.ptp(finite) or 0.05 * abs(finite[0]) or 1.0
        set_limits(finite.min() - room if finite.min() < 0 or finite.min() > room else -0.3 * room, finite.max() + room)
        return
    ticks, minor = _log_ticks(low, high)
    decades = math.log10(high / low)
    if finite.min() > 0:
        scale("log")
        set_limits(low / 10 ** (0.06 * decades), high * 10 ** (0.06 * decades))
    else:
        scale("symlog", linthresh=low, linscale=0.25 * max(1.0, decades) / 2)
        set_limits(-0.15 * low, high * 10 ** (0.06 * decades))
        ticks = [0.0, *(tick for tick in ticks if tick >= low)]
        minor = [tick for tick in minor if tick >= low]
    texts = [_tick_text(tick) for tick in ticks]
    if side == "x":
        places = ax.transLimits.transform(ax.transScale.transform([(tick, 1.0) for tick in ticks]))[:, 0]
        shown = _without_overlap(places, texts, width_points(ax))
        ticks, texts = [ticks[index] for index in shown], [texts[index] for index in shown]
    axis.set_ticks(ticks, labels=texts)
    axis.set_ticks(minor, labels=[""] * len(minor), minor=True)


def width_points(ax: "Axes") -> float:
    """About how wide the axes are, in points."""
    return ax.get_position().width * ax.figure.bbox.width / ax.figure.dpi * 72


def _log_ticks(low: float, high: float) -> tuple[list[float], list[float]]:
    """Ticks for a logarithmic axis, labelled and unlabelled: as sparse as gives at least four labels."""
    exponents = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 1)
    room = (high / low) ** 0.05

    def within(bases: Sequence[float]) -> list[float]:
        ticks = [float(f"{base}e{exponent}") for exponent in exponents for base in bases]
        return [tick for tick in ticks if low / room <= tick <= high * room]

    choices = [within(bases) for bases in ((1,), (1, 3), (1, 2, 5), (1, 2, 3, 5, 7), (1, 1.5, 2, 3, 4, 5, 6, 8))]
    ticks = next((choice for choice in choices if len(choice) >= 4), choices[-1])
    return ticks, [tick for tick in within(range(1, 10)) if tick not in ticks]


def _tick_text(tick: float) -> str:
    if tick == 0 or 1e-4 <= tick < 1e5:
        return f"{tick:g}"
    base, exponent = f"{tick:e}".split("e")
    factor = "" if float(base) == 1 else f"{float(base):g} \\times "
    return f"${factor}10^{{{int(exponent)}}}$"


def _without_overlap(places: np.ndarray, texts: list[str], width: float) -> list[int]:
    """Choose ticks whose labels don't touch: the last and the first, then whichever fit from the left."""
    wide = [4.2 * max(1, len(text)) + 5 for text in texts]  # a digit of 8 points is about 4 wide

    def apart(a: int, b: int) -> bool:
        return abs(places[a] - places[b]) * width >= (wide[a] + wide[b]) / 2

    order = np.argsort(places, kind="stable").tolist()
    shown = [order[0]]
    for index in [order[-1], *order[1:-1]]:
        if all(apart(index, other) for other in shown):
            shown.append(index)
    return sorted(shown)
