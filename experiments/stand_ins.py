"""Records with one choice changed: what other sweeps found, put in the place of what the paper's sweeps found.

The sweeps that stand in have the same documents, repetition by repetition, unless they say otherwise. Each function
takes them as a mapping from the stand-in's name to that of the sweep in whose place it stands. A switch gives None
where a sweep that it needs has not been run.
"""

from collections.abc import Callable, Mapping

import pandas as pd

from experiments.criteria import of

Switch = Callable[[pd.DataFrame], pd.DataFrame | None]

LDAC = "VEM runs with R topicmodels' defaults: alpha from 50/K, tolerance 1e-4, 500 and 1000 iterations, one start"


def in_place(method: str, by: str, stand_ins: Mapping[str, str]) -> Switch:
    """Put the records of another method, from the stand-ins, in the place of a method's."""

    def switch(frame: pd.DataFrame) -> pd.DataFrame | None:
        found = _of_all(frame[frame["method"] == by], stand_ins)
        if found is None:
            return None
        replaced = frame["experiment"].isin(stand_ins.values()) & (frame["method"] == method)
        return pd.concat([frame[~replaced], found.assign(method=method)], ignore_index=True)

    return switch


def stand_in(stand_ins: Mapping[str, str]) -> Switch:
    """Put whole sweeps in the place of others."""

    def switch(frame: pd.DataFrame) -> pd.DataFrame | None:
        found = _of_all(frame, stand_ins)
        if found is None:
            return None
        return pd.concat([frame[~frame["experiment"].isin(stand_ins.values())], found], ignore_index=True)

    return switch


def right_extensions(method: str, stand_ins: Mapping[str, str]) -> Switch:
    """Give a method the MM distance that GDM has with the right extensions, from the extras of the stand-ins."""

    def switch(frame: pd.DataFrame) -> pd.DataFrame | None:
        found = _of_all(frame, stand_ins)
        if found is None:
            return None
        right = {
            key: extra.get("right_mm_distance")
            for key, extra in zip(_points(found), found["extra"], strict=True)
            if isinstance(extra, dict)
        }
        mine = frame["experiment"].isin(stand_ins.values()) & (frame["method"] == method)
        numbers = pd.Series([right.get(key) for key in _points(frame[mine])], dtype=object)
        changed = frame.copy()
        changed.loc[mine, "mm_distance"] = pd.to_numeric(numbers).to_numpy(dtype=float)
        return changed

    return switch


def together(*switches: Switch) -> Switch:
    """Change several choices at once, one after the other."""

    def switch(frame: pd.DataFrame) -> pd.DataFrame | None:
        changed: pd.DataFrame | None = frame
        for each in switches:
            changed = each(changed) if changed is not None else None
        return changed

    return switch


def beside(frame: pd.DataFrame, stand_ins: Mapping[str, str]) -> pd.DataFrame:
    """Return the records of sweeps with those of their stand-ins among them, for a panel that shows both."""
    names = {**stand_ins, **{sweep: sweep for sweep in stand_ins.values()}}
    found = of(frame, *names)
    return found.assign(experiment=found["experiment"].map(names))


def _of_all(frame: pd.DataFrame, stand_ins: Mapping[str, str]) -> pd.DataFrame | None:
    """Return the records of all stand-ins under the names of those in whose place they stand, if none is missing."""
    found = of(frame, *stand_ins)
    if set(found["experiment"]) != set(stand_ins):
        return None
    return found.assign(experiment=found["experiment"].map(stand_ins))


def _points(frame: pd.DataFrame) -> list[tuple[object, ...]]:
    return list(frame[["experiment", "value", "repetition"]].itertuples(index=False, name=None))
