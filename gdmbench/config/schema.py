"""The config's schema: every key there is, with its type, its default and its meaning.

Defaults that an experiment may want to change stand in `conf/config.yaml`. Those here say that there is nothing, limit
what a cell may use, or pass on to the methods what the data are made with.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from omegaconf import MISSING


class Scale(Enum):
    """How large to run: as the paper did, or shrunk to a look that takes seconds."""

    paper = "paper"
    quick = "quick"


@dataclass
class Sweep:
    """The one swept axis of an experiment."""

    axis: str | None = None  # dotted config key that takes each of the values, none for a single point
    values: list[Any] = field(default_factory=list)  # what it takes, one point of the sweep each
    rate: bool = False  # draw the theoretical rate of the axis beside the MM distances


@dataclass
class Model:
    """What methods are told of the topics they look for: the truth of simulated data, unless set otherwise."""

    n_topics: Any = "${data.n_topics}"  # number of topics K
    alpha: Any = "${data.alpha}"  # Dirichlet parameter of the proportions
    eta: Any = "${data.eta}"  # Dirichlet parameter of the topics


@dataclass
class ExecutorConfig:
    """Where cells run and what each may use."""

    kind: str = MISSING  # which executor: local or dask
    n_workers: int | None = None  # cells at a time; none means one for each core
    time_limit: float = 3600.0  # seconds for one cell
    memory_limit: float = 8000.0  # megabytes that one cell may allocate
    address: str | None = None  # of a running dask scheduler; none starts a local cluster


@dataclass
class Config:
    """An experiment and how to run it."""

    name: str = MISSING  # names the experiment and its results folder
    title: str = ""  # what the experiment shows, for tables and figures; may name other keys, such as `${data.n_docs}`
    data: dict[str, Any] = field(default_factory=dict)  # `_target_` and its arguments: where documents come from
    model: Model = field(default_factory=Model)
    methods: dict[str, Any] = field(default_factory=dict)  # each `_target_` and its parameters, a label, quick values
    sweep: Sweep = field(default_factory=Sweep)
    repetitions: int = MISSING  # independent draws of the data at each swept value
    seed: int = MISSING  # everything random follows from it
    scale: Scale = MISSING  # quick shrinks any experiment to seconds
    quick: dict[str, Any] = field(default_factory=dict)  # overrides that scale=quick applies
    executor: ExecutorConfig = field(default_factory=ExecutorConfig)
    parts: list[Any] = field(default_factory=list)  # what this one is made of: experiments, or `NAME: [overrides]`
    exhibit: str | None = None  # module with draw(frame, folder) and CLAIMS: what else to make of the records
    keep_best: bool = False  # fit the best method again on all documents and keep its model and proportions
    root: str = MISSING  # where results folders go
    folder: str = MISSING  # where this experiment's records and exhibits go: below root, unless it is absolute
    rerun: str | None = None  # finished cells to run again: all, changed (made by other code), or those of a method
    data_dir: str | None = None  # where real corpora are looked for; none means the environment's GDMBENCH_DATA
