"""A record is what running one cell gave. This module alone says which columns it has and what they are called."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from gdmbench.plan import FORMAT, Cell, content_of

Kind = Literal["identity", "measure", "cost", "detail"]


@dataclass(frozen=True)
class Column:
    """One column of a record.

    Attributes
    ----------
    name : str
        The key in `records.jsonl` and the heading in `records.csv`.
    kind : {"identity", "measure", "cost", "detail"}
        What names the cell and says how it ended; what was measured of its topics; what that took; anything else.
    meaning : str
        One sentence for the documentation.
    label : str
        What figures and tables call it, without the unit.
    short : str
        What a table of claims calls it, where that is shorter.
    remark : str
        What a reader must know to understand the number.
    unit : str
        Of a number that has one.
    log : bool
        Whether it is read on a logarithmic axis.
    main : bool
        Whether a run draws a figure of it and prints its means.
    ranked : bool
        Whether less of it is better, so that methods can be compared by it.
    whole : bool
        Whether it is a whole number.
    varies : bool
        Whether it may differ between two runs of the same cell, on one machine or on two.
    """

    name: str
    kind: Kind
    meaning: str
    label: str = ""
    short: str = ""
    remark: str = ""
    unit: str = ""
    log: bool = False
    main: bool = False
    ranked: bool = False
    whole: bool = False
    varies: bool = False

    @property
    def head(self) -> str:
        """The label with the unit, for the head of a column."""
        return f"{self.label} ({self.unit})" if self.unit else self.label

    @property
    def title(self) -> str:
        """The label with the unit and the remark, for an axis or a caption."""
        return f"{self.head} ({self.remark})" if self.remark else self.head


COLUMNS = (
    Column("format", "identity", "number of the record format; when it goes up, all cells run again", whole=True),
    Column(
        "key",
        "identity",
        "sixteen hexadecimal digits that depend on what the cell computes and on the record format alone",
    ),
    Column("experiment", "identity", "name of the experiment"),
    Column("method", "identity", "name of the method in the config (`methods.NAME`)"),
    Column("label", "identity", "what figures and tables call the method"),
    Column("axis", "identity", "the swept config key, empty for a single point"),
    Column("value", "identity", "the value of the swept key"),
    Column("repetition", "identity", "0, 1, …: each with data of its own", whole=True),
    Column("status", "identity", "`ok`, `error`, `timeout`, `out of memory` or `crashed`"),
    Column("error", "identity", "one sentence that says what went wrong"),
    Column(
        "mm_distance",
        "measure",
        "minimum-matching distance (Euclidean) to the true topics; empty where there is no truth",
        label="MM distance",
        short="MM",
        log=True,
        main=True,
        ranked=True,
    ),
    Column(
        "total_variation",
        "measure",
        "mean total variation from each true topic to the nearest one found, and from each one found to the nearest "
        "true one: the share of a topic's words that is wrong; empty where there is no truth",
        label="total variation",
        ranked=True,
    ),
    Column(
        "completion",
        "measure",
        "perplexity of one half of each held-out document's words, with proportions inferred from the other half, in "
        "the same way for every method; `extra` has it by document; of real corpora only",
        label="completion perplexity",
        short="completion",
        main=True,
        ranked=True,
    ),
    Column(
        "perplexity",
        "measure",
        "as in the paper, of the held-out documents, with proportions fitted to the words that are scored: the "
        "method's own where it has `transform`, else projected; where they are projected, or a token has probability "
        "zero, all documents are smoothed by the rule of the authors' code: the least positive probability of a word "
        "in the document is added to those of all words",
        label="perplexity as in the paper",
        short="perplexity",
        remark="proportions fitted to the scored words",
        main=True,
        ranked=True,
    ),
    Column(
        "perplexity_projected",
        "measure",
        "the same with projected proportions for every method",
        label="perplexity, projected proportions",
        ranked=True,
    ),
    Column(
        "perplexity_nonzero",
        "measure",
        "as `perplexity`, with tokens of probability zero left out instead of smoothed",
        label="perplexity without zero-probability tokens",
        ranked=True,
    ),
    Column(
        "perplexity_projected_nonzero",
        "measure",
        "as `perplexity_projected`, with tokens of probability zero left out instead of smoothed",
        label="perplexity, projected proportions, without zero-probability tokens",
        ranked=True,
    ),
    Column(
        "zero_share",
        "measure",
        "the share of held-out tokens whose probability is zero in `perplexity`",
        label="share of zero-probability tokens",
    ),
    Column(
        "loss",
        "measure",
        "geometric loss of the held-out documents: the sum of their squared distances to the topic polytope, each "
        "times the document's length",
        label="geometric loss",
        ranked=True,
    ),
    Column(
        "coherence",
        "measure",
        "how much the ten top words of a topic occur together in the training documents (mean NPMI), from -1 to 1; "
        "where words have names",
        label="coherence",
        main=True,
    ),
    Column(
        "diversity",
        "measure",
        "the share of different words among the 25 top words of all topics; where words have names",
        label="diversity",
        main=True,
    ),
    Column(
        "label_agreement",
        "measure",
        "normalised mutual information (arithmetic mean) of the held-out documents' groups and their leading topics, "
        "by projection onto the topics for every method, from 0 to 1; where the corpus has labels",
        label="agreement with labels",
    ),
    Column("n_topics", "measure", "number of topics found", label="number of topics", whole=True),
    Column(
        "fit_seconds",
        "cost",
        "wall time of `fit` alone, after compilation",
        label="fit time",
        short="time",
        unit="s",
        log=True,
        main=True,
        varies=True,
        ranked=True,
    ),
    Column(
        "fit_cpu_seconds",
        "cost",
        "processor time of `fit` alone, after compilation",
        label="CPU time of fit",
        short="CPU time",
        unit="s",
        log=True,
        varies=True,
        ranked=True,
    ),
    Column(
        "peak_mb",
        "cost",
        "the most memory held during fit and measuring, in millions of bytes above what was held before; empty where "
        "the system can't tell",
        label="peak memory",
        unit="MB",
        log=True,
        varies=True,
        ranked=True,
    ),
    Column(
        "cell_seconds", "detail", "wall time of the whole cell with data, warm-up and measures", unit="s", varies=True
    ),
    Column("compile_seconds", "detail", "the part of `cell_seconds` that went into compiling", unit="s", varies=True),
    Column("cell_cpu_seconds", "detail", "processor time of the whole cell", unit="s", varies=True),
    Column(
        "n_workers",
        "detail",
        "how many cells ran at a time: times are comparable where it is 1",
        whole=True,
        varies=True,
    ),
    Column(
        "top_words", "detail", "the 20 most probable words of each topic with their probabilities, if words have names"
    ),
    Column(
        "extra", "detail", "whatever else the data and the method report (`record_`, `heldout_record`, `truth_record`)"
    ),
    Column("data", "detail", "the full data specification"),
    Column("content", "detail", "a digest of the files that the data come from, if they come from files"),
    Column("params", "detail", "the full method specification"),
    Column("seed", "detail", "the experiment's seed"),
    Column(
        "versions",
        "detail",
        "of the code, Python, the packages that can change a number, and the processor",
        varies=True,
    ),
)

_BY_NAME = {column.name: column for column in COLUMNS}
NUMBERS = tuple(column.name for column in COLUMNS if column.kind in ("measure", "cost"))


def column_of(name: str) -> Column:
    """Return a column by name; a number of an exhibit's own is a measure called what it is named."""
    return _BY_NAME.get(name) or Column(name, "measure", "", label=name.replace("_", " ").replace("$", ""))


def make_record(cell: Cell, outcome: Mapping[str, Any], n_workers: int | None = None) -> dict[str, Any]:
    """Return the record of a cell: its identity and specification, and what running it gave.

    Parameters
    ----------
    cell : Cell
    outcome : mapping
        At least `status`; the columns that it lacks are empty.
    n_workers : int, optional
        How many cells ran at a time.
    """
    known = {
        "format": FORMAT,
        "key": cell.key,
        "experiment": cell.experiment,
        "method": cell.method,
        "label": cell.label,
        "axis": cell.axis,
        "value": cell.value,
        "repetition": cell.repetition,
        "extra": {},
        "data": cell.data,
        "content": cell.content,
        "params": cell.params,
        "seed": cell.seed,
        "versions": {},
        "n_workers": n_workers,
        **outcome,
    }
    return {column.name: known.get(column.name) for column in COLUMNS}


def cell_of(record: Mapping[str, Any]) -> Cell:
    """Return the cell that a record is of, as the record tells it; its key is the record's unless one was changed."""
    names = ("experiment", "method", "label", "axis", "value", "repetition", "seed", "data", "params", "content")
    params = record["params"]
    read = content_of(params, f"methods.{record['method']}") if "path" in params else None
    return Cell(**{name: record[name] for name in names}, params_content=read)
