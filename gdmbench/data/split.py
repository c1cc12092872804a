"""A real corpus made ready for an experiment: loaded, preprocessed, divided into training and held-out documents."""

import inspect
from typing import Any

import numpy as np

from gdmbench.data.content import content_digest
from gdmbench.data.corpus import Corpus, CorpusError, Split
from gdmbench.data.load import options_of, read_corpus
from gdmbench.data.preprocess import preprocess
from gdmbench.parameters import check_whole


def divide(
    corpus: Corpus,
    n_heldout: int | None = None,
    *,
    n_docs: int | float | None = None,
    random_state: int | np.random.SeedSequence | np.random.Generator | None = None,
) -> Split:
    """Divide a corpus at random into held-out and training documents, each in their original order.

    Parameters
    ----------
    corpus : Corpus
    n_heldout : int or None
        Number of held-out documents; None: a tenth of all documents, at least 1 and at most 300.
    n_docs : int, float or None
        Number of training documents, chosen at random too, or between 0 and 1 their share of all documents; None: all
        the rest.
    random_state : int, SeedSequence, Generator or None
        The same seed gives the same division.
    """
    there_are = corpus.counts.shape[0]
    if n_heldout is None:
        n_heldout = min(max(there_are // 10, 1), 300)
    check_whole("n_heldout", n_heldout, least=0)
    if isinstance(n_docs, float) and 0 < n_docs < 1:
        n_docs = max(1, int(n_docs * there_are))
    if n_docs is not None:
        check_whole("n_docs", n_docs)
    wanted = 1 if n_docs is None else int(n_docs)
    if n_heldout + wanted > there_are:
        raise CorpusError(
            f"The corpus has {there_are} documents, too few for n_heldout={n_heldout} held-out and {wanted} training "
            "documents: set n_heldout or n_docs lower.",
            "n_heldout",
            "n_docs",
        )
    order = np.random.default_rng(random_state).permutation(there_are)
    heldout = np.sort(order[:n_heldout])
    train = np.sort(order[n_heldout : None if n_docs is None else n_heldout + wanted])
    return Split(
        corpus.counts[train],
        corpus.counts[heldout],
        vocabulary=corpus.vocabulary,
        **corpus.told_of(train),
        dropped=corpus.dropped,
        vectorizer=corpus.vectorizer,
        heldout_labels=corpus.told_of(heldout)["labels"],
    )


def split_corpus(path: str, **options: Any) -> Split:
    """Load a corpus, preprocess it and set documents chosen at random aside.

    Parameters
    ----------
    path : str
        See `read_corpus`.
    **options
        See `divide`, `read_corpus` and `preprocess`.

    Returns
    -------
    Split
        `train`, `heldout`, `vocabulary`, what is told of the documents; no truth.
    """
    inspect.signature(split_corpus).bind(path, **options)  # which refuses what no step takes
    loading, filters, division = (
        {name: options[name] for name in options_of(step) if name in options}
        for step in (read_corpus, preprocess, divide)
    )
    return divide(preprocess(read_corpus(path, **loading), **filters), **division)


# The keys of a config are checked against this signature; what the steps take is said where they are.
_PATH = inspect.Parameter("path", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=str)
_PARAMETERS = {"path": _PATH} | options_of(read_corpus) | options_of(preprocess) | options_of(divide)
# A config names a file of words, whose content the key of a cell depends on; a list would change no key.
_PARAMETERS["vocabulary"] = _PARAMETERS["vocabulary"].replace(annotation=str | None)
split_corpus.__signature__ = inspect.Signature(list(_PARAMETERS.values()))  # type: ignore[attr-defined]
split_corpus.__annotations__ = {name: parameter.annotation for name, parameter in _PARAMETERS.items()}
split_corpus.content = content_digest  # type: ignore[attr-defined] # for the key of a cell: see `gdmbench.plan`
