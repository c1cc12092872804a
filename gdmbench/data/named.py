"""Corpora known by name, where their files are looked for, and what to do when they are nowhere."""

import os
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from gdmbench.data.beside import read_labels
from gdmbench.data.corpus import Corpus, CorpusError
from gdmbench.data.download import cache_folder, download
from gdmbench.data.formats.ldac import read_ldac
from gdmbench.data.formats.streams import StrPath, read_vocabulary
from gdmbench.data.formats.text import Text, count_words
from gdmbench.data.formats.triples import read_uci
from gdmbench.errors import one_line
from gdmbench.files import typed_path

DATA_VARIABLE = "GDMBENCH_DATA"
# nips12 is published as a MATLAB file, of which `roweis.py` makes ours.
NIPS12_URL = "https://cs.nyu.edu/~roweis/data/nips12raw_str602.mat"
# What to do where a corpus cannot be downloaded as it is.
_REMEDIES = {
    "nips12": f"python -m gdmbench fetch nips12 makes it of {NIPS12_URL}",
    "newsgroups": "use 20newsgroups, another version of the posts, which scikit-learn downloads",
}
_UCI = "https://archive.ics.uci.edu/ml/machine-learning-databases/bag-of-words/"


@dataclass(frozen=True)
class CorpusFile:
    """A file of a named corpus: its name, the sha256 of its uncompressed bytes, its address if it has one."""

    name: str
    sha256: str
    url: str | None = None


# Each a docword file and its vocabulary.
_FILES = {
    "nips": (
        CorpusFile(
            "docword.nips.txt.gz",
            "0415ee0bd4c965d8c044ea83ab62d03f007d4cb9651e3daa5cdb7356682b571f",
            _UCI + "docword.nips.txt.gz",
        ),
        CorpusFile(
            "vocab.nips.txt",
            "be3f6337e3406ddc24837118e203da57c4c898ad5f6c9280908cd08a2609cf91",
            _UCI + "vocab.nips.txt",
        ),
    ),
    "nips12": (
        CorpusFile("docword.nips12.txt.gz", "03b0ddf188386b9a284c1d364f17f16b75ac7bfbd3d9c437f32a2f6f98221c74"),
        CorpusFile("vocab.nips12.txt", "83096d8f506f2210cd09c9b85c81e49bc26a0ab23286c24feb3254580e4ddf65"),
    ),
    # Other counts of that name differ: this is the one of 18,774 documents and 55,911 words.
    "newsgroups": (
        CorpusFile("docword.newsgroups.txt.gz", "43e9ab7f21578d29efb656f056d411c86fe3e31ea3f3bc51f52de3ed272e4e5b"),
        CorpusFile("vocab.newsgroups.txt", "3cd97cf8ab2ee82dc16414355c2aa3b7c5174d838cea94906916b037c51412a2"),
    ),
}
# The group of each document, where there is such a file; a corpus does without.
_LABELS = {
    "newsgroups": CorpusFile(
        "labels.newsgroups.txt", "63667d6217620bbccce2712c45521d2aee9dfe7ba8a4520ffd1ec0f41de68011"
    ),
}
NAMES = (*_FILES, "reuters", "20newsgroups")


def load_named(name: str, data_dir: StrPath | None = None, vectorizer: Any = None) -> Corpus:
    """Load one of the corpora of `NAMES`; see `gdmbench.load_corpus`."""
    if name == "reuters":
        return _reuters()
    folder = data_folder(data_dir)
    if name == "20newsgroups":
        return _newsgroups(folder, vectorizer)
    docword, vocab = _FILES[name]
    counts = read_uci(_find(name, docword, folder), sha256=docword.sha256)
    words = read_vocabulary(_find(name, vocab, folder), sha256=vocab.sha256)
    labels = None
    if name in _LABELS and (path := _found(_LABELS[name], folder)) is not None:
        labels = read_labels(path, counts, sha256=_LABELS[name].sha256)
    return Corpus(counts.matrix, words, labels=labels)


def is_at_hand(name: str, data_dir: StrPath | None = None) -> bool:
    """Tell whether a corpus known by name is here or could at least be downloaded."""
    folder = data_folder(data_dir)
    return all(file.url is not None or _found(file, folder) is not None for file in files_of(name))


def files_of(name: str) -> tuple[CorpusFile, ...]:
    """Return the files of a corpus known by name; none of one that a package brings."""
    return _FILES.get(name, ())


def data_folder(data_dir: StrPath | None) -> Path | None:
    """Return the folder where corpora are looked for first, if one is given or named in the environment."""
    chosen = data_dir or os.environ.get(DATA_VARIABLE)
    if not chosen:
        return None
    folder = typed_path(chosen)
    if not folder.is_dir():
        source = "data_dir" if data_dir else DATA_VARIABLE
        raise CorpusError(f"The data directory {folder}, given by {source}, does not exist: make it or give another.")
    return folder


def _find(name: str, file: CorpusFile, folder: Path | None) -> Path:
    """Return a file of the corpus from the data directory, as it is or unpacked, or else download it."""
    path = _found(file, folder)
    if path is not None:
        return path
    wanted = " and ".join(each.name for each in _FILES[name])
    where = f"the folder {folder}" if folder else f"a folder and name it in data_dir or {DATA_VARIABLE}"
    if file.url is None:
        raise CorpusError(
            f"The corpus {name} cannot be downloaded as it is: {_REMEDIES[name]}. Or put {wanted} into {where}."
        )
    try:
        return download(file.url, file.name, file.sha256)
    except OSError as error:
        raise CorpusError(
            f"The corpus {name} could not be downloaded ({one_line(error)}): put {wanted} (from {_UCI}) into {where}."
        ) from None


def _found(file: CorpusFile, folder: Path | None) -> Path | None:
    """Return a file of a corpus, as it is or unpacked, from a folder, or from the user's cache if it was made there."""
    for place in (folder, cache_folder() if file.url is None else None):
        for name in (file.name, file.name.removesuffix(".gz")):
            if place is not None and (place / name).is_file():
                return place / name
    return None


def _reuters() -> Corpus:
    """Return the 395 Reuters stories that the package `lda` ships; reading them ourselves is 50 times faster."""
    package = find_spec("lda")
    if package is None or package.origin is None:
        raise CorpusError("The corpus reuters comes with the Python package lda: install it with pip install lda.")
    folder = Path(package.origin).parent / "tests"
    words = read_vocabulary(folder / "reuters.tokens")
    return Corpus(read_ldac(folder / "reuters.ldac", n_words=len(words)).matrix, words)


def _newsgroups(folder: Path | None, vectorizer: Any) -> Corpus:
    """Return the 20 newsgroups' posts without headers, footers and quotes; those with no words left are dropped."""
    from sklearn.datasets import fetch_20newsgroups

    cached = "20news-bydate_py3.pkz"
    home = folder if folder and (folder / cached).is_file() else None
    try:
        posts = fetch_20newsgroups(data_home=home, subset="all", remove=("headers", "footers", "quotes"), shuffle=False)
    except OSError as error:
        where = f"the folder {folder}" if folder else f"a folder and name it in data_dir or {DATA_VARIABLE}"
        raise CorpusError(
            f"The corpus 20newsgroups could not be downloaded by scikit-learn ({one_line(error)}): "
            f"put its cache file {cached} into {where}."
        ) from None
    texts = (
        Text("20newsgroups", post, f"{Path(file).parent.name}/{Path(file).name}", Path(file).parent.name)
        for post, file in zip(posts.data, posts.filenames, strict=True)
    )
    return count_words(texts, "drop", vectorizer)
