"""Fitted models on disk, without pickle: a file of arrays that hold topics, words and parameters, and no code."""

import json
import os
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from gdmbench.errors import one_line
from gdmbench.files import atomic_path, typed_path
from gdmbench.geometry.base import TopicEstimator
from gdmbench.geometry.inference import infer_proportions
from gdmbench.geometry.sources import gather
from gdmbench.parameters import is_number

FORMAT = 2


class SavedModel(TopicEstimator):
    """The topics of a fitted model, as `load_model` gives them.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_words)
        Topics; rows on the simplex.
    vocabulary_ : list of str or None
        The word of each column, where it was saved.
    method_ : str
        The name of the class that found the topics.
    parameters_ : dict
        Its parameters; those that JSON has no form for as text.
    tokens_ : dict or None
        How texts were divided into words: arguments of scikit-learn's `CountVectorizer`, where they were saved.
    alpha_ : float or None
        The Dirichlet parameter of the proportions that it was given or learned, where it has one.
    word_frequencies_ : ndarray of shape (n_words,)
        Of the documents of the fit; equal where the model did not know them.
    n_features_in_ : int
        Number of words.
    """

    vocabulary_: list[str] | None
    method_: str
    parameters_: dict[str, Any]
    tokens_: dict[str, Any] | None
    alpha_: float | None

    def fit(self, X: Any, y: None = None) -> NoReturn:
        """Refuse: the topics are those that were saved."""
        raise TypeError("A saved model has its topics already: fit an estimator of the class that method_ names.")

    def transform(self, X: Any, folder: Any = None) -> Any:
        """Return the topic proportions of documents: of `RefinedGDM` by its own inference, otherwise by projection.

        Parameters
        ----------
        X : sparse or dense matrix of shape (n_documents, n_words), or blocks of documents
            Word counts.
        folder : path or None, default=None
            Where to write the proportions, a file for each block, instead of returning them.

        Returns
        -------
        ndarray of shape (n_documents, n_topics), or the paths of the files
            Rows on the simplex.
        """
        check_is_fitted(self)
        if self.method_ != "RefinedGDM" or self.alpha_ is None:
            return gather(self._projections(X), folder)
        blocks = self._read_blocks(X, reset=False)
        return gather(blocks.map(infer_proportions, self.components_, self.alpha_), folder)

    def count(self, texts: Iterable[str]) -> sparse.csr_array:
        """Return the word counts of texts, counted as those of the fit were; `transform` and `score` take them.

        Parameters
        ----------
        texts : iterable of str
            Words that the model does not know are left out.

        Returns
        -------
        csr_array of int64, shape (n_texts, n_words)
        """
        from sklearn.feature_extraction.text import CountVectorizer

        check_is_fitted(self)
        if self.vocabulary_ is None or self.tokens_ is None:
            raise ValueError(
                "The model was saved without a vectorizer that a file can hold: pass save_model the CountVectorizer, "
                "or count the texts yourself."
            )
        if isinstance(texts, str):
            raise ValueError("texts must be a list of texts, not one text: put it in a list.")
        vectorizer = CountVectorizer(vocabulary=self.vocabulary_, dtype=np.int64, **self.tokens_)
        return sparse.csr_array(vectorizer.transform(texts))

    def top_words(self, vocabulary: Sequence[str] | None = None, n: int = 10) -> list[list[str]]:
        """Return the most probable words of each topic, the first one first.

        Parameters
        ----------
        vocabulary : sequence of str or None, default=None
            The word of each column; None: the one that was saved.
        n : int, default=10
            How many of each topic.
        """
        vocabulary = self.vocabulary_ if vocabulary is None else vocabulary
        if vocabulary is None:
            raise ValueError("The model was saved without a vocabulary: pass one.")
        return super().top_words(vocabulary, n)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the names of the topics, which begin with that of the class that found them."""
        return np.array([f"{self.method_.lower()}{k}" for k in range(len(self.components_))], dtype=object)


def save_model(
    model: Any, path: str | os.PathLike[str], vocabulary: Sequence[str] | None = None, vectorizer: Any = None
) -> None:
    """Save the topics of a fitted model to a file that `load_model` reads.

    Parameters
    ----------
    model : estimator
        Any object with `components_`, such as a fitted `GDM`, a method of `baselines` or scikit-learn's
        `LatentDirichletAllocation`. Rows that don't sum to 1 are divided by their sums.
    path : str or path
        The file, usually called `model.npz`; replaced if it is there.
    vocabulary : list of str or None
        The word of each column; None: those of the vectorizer, if there is one.
    vectorizer : CountVectorizer or None
        What counted the words, such as `corpus.vectorizer`, so that the loaded model can count those of new texts.

    Examples
    --------
    >>> import tempfile
    >>> from gdmbench import GDM, load_model, save_model
    >>> gdm = GDM(2, random_state=0).fit([[4, 1, 0], [3, 2, 0], [0, 1, 5]])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_model(gdm, f"{folder}/model.npz", ["red", "blue", "fish"])
    ...     load_model(f"{folder}/model.npz").vocabulary_
    ['red', 'blue', 'fish']

    With the vectorizer, a loaded model takes new texts:

    >>> from sklearn.feature_extraction.text import CountVectorizer
    >>> vectorizer = CountVectorizer()
    >>> counts = vectorizer.fit_transform(["red blue", "red red blue", "fish fish", "blue fish"])
    >>> gdm = GDM(2, random_state=0).fit(counts)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_model(gdm, f"{folder}/model.npz", vectorizer=vectorizer)
    ...     model = load_model(f"{folder}/model.npz")
    >>> model.transform(model.count(["a green fish", "red!"])).shape
    (2, 2)
    """
    topics = _topics(getattr(model, "components_", None))
    arrays: dict[str, Any] = {"components_": topics}
    if vocabulary is None and vectorizer is not None:
        vocabulary = vectorizer.get_feature_names_out()
    if vocabulary is not None:
        words = [str(word) for word in vocabulary]
        if len(words) != topics.shape[1]:
            raise ValueError(f"vocabulary has {len(words)} words for {topics.shape[1]} columns: give one for each.")
        arrays["vocabulary"] = np.array(words)
    if isinstance(model, SavedModel):
        method, parameters, tokens = model.method_, model.parameters_, model.tokens_
    else:
        method = type(model).__name__
        parameters = model.get_params(deep=False) if hasattr(model, "get_params") else {}
        tokens = None
    if vectorizer is not None:
        tokens = _tokens(vectorizer)
    frequencies = getattr(model, "word_frequencies_", None)
    if frequencies is not None:
        arrays["word_frequencies_"] = frequencies
    alpha: Any = getattr(model, "alpha_", getattr(model, "alpha", None))
    about = {"format": FORMAT, "method": method, "parameters": parameters, "tokens": tokens}
    about["alpha"] = float(alpha) if is_number(alpha) else None
    arrays["about"] = np.array(json.dumps(about, default=_plain))
    with atomic_path(typed_path(path)) as aside, aside.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)


def load_model(path: str | os.PathLike[str]) -> SavedModel:
    """Load the topics that `save_model` saved, as an estimator that gives documents their proportions.

    Nothing in the file is ever run: it holds arrays alone. So whatever method found the topics, `transform` projects
    documents onto their polytope, and those of refined GDM get its own inference. That gives the proportions of the
    original, but for Gibbs sampling, variational EM and scikit-learn's models, whose own need more than topics.

    Parameters
    ----------
    path : str or path
        The file.

    Returns
    -------
    SavedModel
        With `components_`, `vocabulary_`, `top_words`, `transform` and `score`; `count` makes of texts what these two
        take; `method_` and `parameters_` tell where the topics come from.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> from gdmbench import GDM, load_corpus, load_model, save_model
    >>> corpus = load_corpus("reuters")
    >>> gdm = GDM(5, random_state=0).fit(corpus.counts)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_model(gdm, f"{folder}/model.npz", corpus.vocabulary)
    ...     model = load_model(f"{folder}/model.npz")
    >>> np.array_equal(model.transform(corpus.counts), gdm.transform(corpus.counts))
    True
    >>> model.method_, model.vocabulary_[:3]
    ('GDM', ['church', 'pope', 'years'])
    """
    file = typed_path(path)
    try:
        with np.load(file, allow_pickle=False) as arrays:
            about = json.loads(str(arrays["about"]))
            topics = _topics(arrays["components_"])
            n_words = topics.shape[1]
            frequencies = _topics([arrays.get("word_frequencies_", np.full(n_words, 1.0 / n_words))])[0]
            words = [str(word) for word in arrays["vocabulary"]] if "vocabulary" in arrays else None
        version, method, parameters = about["format"], str(about["method"]), dict(about["parameters"])
        alpha = None if about.get("alpha") is None else float(about["alpha"])
        tokens = None if about.get("tokens") is None else _checked_tokens(about["tokens"])
        for each in (words, frequencies):
            if each is not None and len(each) != n_words:
                raise ValueError(f"it has {len(each)} words for {n_words} columns")
    except OSError as error:
        raise ValueError(f"{file} cannot be read: {error.strerror or error}.") from None
    except Exception as error:  # damaged archives raise errors of every kind
        raise ValueError(f"{file} is not a model saved by gdmbench.save_model: {one_line(error)}.") from None
    if version != FORMAT:
        raise ValueError(
            f"{file} was saved in format {version}, this version of gdmbench reads {FORMAT}: save the model again."
        )
    model = SavedModel()
    model.components_, model.vocabulary_, model.method_, model.parameters_ = topics, words, method, parameters
    model.alpha_, model.tokens_ = alpha, tokens
    model.word_frequencies_, model.n_features_in_ = frequencies, n_words
    return model


def _topics(components: Any) -> NDArray[np.float64]:
    """Return topics whose rows sum to 1, refusing what are none."""
    if components is None:
        raise ValueError("The model has no components_: fit it first.")
    topics = np.asarray(components, dtype=np.float64)
    if topics.ndim != 2 or not np.isfinite(topics).all() or (topics < 0).any() or not topics.sum(axis=1).all():
        raise ValueError("components_ must be topics: one per row, no entry below 0, no row of zeros.")
    sums = topics.sum(axis=1, keepdims=True)
    return topics if np.allclose(sums, 1.0, rtol=0.0, atol=1e-9) else topics / sums


# What decides how a text is divided; stop words also count, as they stand between the words of an n-gram.
_DIVIDING = ("analyzer", "binary", "lowercase", "ngram_range", "stop_words", "strip_accents", "token_pattern")


def _tokens(vectorizer: Any) -> dict[str, Any] | None:
    """Return the arguments of a CountVectorizer that divides texts as one does, None where functions decide that."""
    given = vectorizer.get_params()
    if any(callable(given.get(name)) for name in (*_DIVIDING, "preprocessor", "tokenizer")):
        return None
    tokens = {name: given[name] for name in _DIVIDING if name in given}
    if isinstance(tokens.get("stop_words"), set | frozenset | list | tuple):
        tokens["stop_words"] = sorted(map(str, tokens["stop_words"]))
    return tokens


def _checked_tokens(tokens: Any) -> dict[str, Any]:
    """Return what a file holds of a vectorizer, refusing what a CountVectorizer would not know."""
    if not isinstance(tokens, dict) or not tokens.keys() <= set(_DIVIDING):
        raise ValueError("its tokens are no arguments of a CountVectorizer")
    return {name: tuple(value) if name == "ngram_range" else value for name, value in tokens.items()}


def _plain(value: Any) -> Any:
    """Return a parameter in a form that JSON has."""
    return value.item() if isinstance(value, np.generic) else repr(value)[:200]
