"""What the files of a corpus hold, as a few digits."""

from gdmbench.content import digest_of
from gdmbench.data.beside import labels_beside, vocabulary_beside
from gdmbench.data.formats.streams import StrPath
from gdmbench.data.formats.text import text_files
from gdmbench.data.named import NAMES
from gdmbench.files import typed_path

_COUNTING = 2  # goes up when the words of the same texts are counted in another way


def content_digest(path: StrPath, vocabulary: StrPath | None = None) -> str | None:
    """Return a digest of the content of a corpus' files, which does not depend on where they lie.

    Parameters
    ----------
    path : path or name
        As for `gdmbench.load_corpus`. A corpus known by name has one content only, which its own check makes sure of.
    vocabulary : path, optional
        The file with the words. Words and labels beside the corpus that belong to it by their names count too.

    Returns
    -------
    str or None
        None for a corpus of counts known by name and where there is no such file.
    """
    place = typed_path(path)
    if str(path) == "20newsgroups":
        return f"20newsgroups.{_COUNTING}"
    if str(path) in NAMES or not (place.is_file() or place.is_dir()):
        return None
    files = [("", place)]
    if place.is_dir():
        files = [(str(file.relative_to(place)), file) for file in text_files(place)]
    words = typed_path(vocabulary) if vocabulary else vocabulary_beside(place)
    if words is not None and words.is_file():
        files.append(("vocabulary", words))
    if (labels := labels_beside(place)) is not None:
        files.append(("labels", labels))
    return f"{digest_of(files)}.{_COUNTING}"
