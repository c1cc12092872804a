"""Bytes and lines of corpus files: plain or gzipped, a piece at a time, with one sentence for whatever is wrong."""

import gzip
import hashlib
import os
import zlib
from collections.abc import Iterator

from gdmbench.data.corpus import CorpusError

CHUNK_BYTES = 1 << 20
GZIP_MAGIC = b"\x1f\x8b"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# Text and counts shrink to a third or a tenth when compressed. A file of at least so many bytes that shrinks to less
# than a hundredth was made to fill the memory.
BOMB_BYTES, BOMB_RATIO = 1 << 26, 100
LONGEST_LINE = 1 << 26

StrPath = str | os.PathLike[str]


def read_chunks(path: StrPath, sha256: str | None = None) -> Iterator[bytes]:
    """Yield the bytes of a file piece by piece, decompressed if it is gzipped, whatever its name.

    Parameters
    ----------
    path : path
        The file.
    sha256 : str or None
        The digest that the uncompressed bytes must have; checked when the last piece has been read.
    """
    digest = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            zipped = file.read(2) == GZIP_MAGIC
            file.seek(0)
            with gzip.GzipFile(fileobj=file) if zipped else file as source:
                n_bytes = 0
                while chunk := source.read(CHUNK_BYTES):
                    n_bytes += len(chunk)
                    if zipped and n_bytes > max(BOMB_BYTES, BOMB_RATIO * file.tell()):
                        raise CorpusError(
                            f"{path} grows to more than {BOMB_RATIO} times its size when uncompressed, as no corpus "
                            "does: uncompress it first if it is one all the same."
                        )
                    if sha256 is not None:
                        digest.update(chunk)
                    yield chunk
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise CorpusError(f"{path} is damaged or cut short, so it can't be uncompressed: fetch it again.") from None
    except OSError as error:
        raise CorpusError(f"{path} cannot be read: {error.strerror or error}.") from None
    if sha256 is not None and digest.hexdigest() != sha256:
        raise CorpusError(
            f"{path} is not the file it should be: its uncompressed bytes have the sha256 "
            f"{digest.hexdigest()} instead of {sha256}; fetch it again."
        )


def read_lines(path: StrPath, sha256: str | None = None) -> Iterator[bytes]:
    """Yield pieces of a file that consist of whole lines, each ended by a line feed, the last one too."""
    rest, mark = b"", BYTE_ORDER_MARK
    for chunk in read_chunks(path, sha256):
        rest, mark = rest + chunk.removeprefix(mark), b""
        end = rest.rfind(b"\n") + 1
        if end:
            yield rest[:end]
            rest = rest[end:]
        elif len(rest) > LONGEST_LINE:
            raise CorpusError(f"{path} has a line of more than {LONGEST_LINE} bytes: this is not a file of counts.")
    if rest:
        yield rest + b"\n"


def read_text(path: StrPath, encoding: str, sha256: str | None = None) -> str:
    """Return the text of a file, with the file and line of the first byte that the encoding does not know."""
    content = b"".join(read_chunks(path, sha256)).removeprefix(BYTE_ORDER_MARK)
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise CorpusError(
            f"{path}, line {line}: the byte 0x{content[error.start]:02x} is not {encoding} text; "
            "name the file's encoding with encoding=.",
            "encoding",
        ) from None
    except (LookupError, ValueError):
        raise CorpusError(
            f"There is no text encoding called {encoding!r}: set encoding to a name such as utf-8 or latin-1.",
            "encoding",
        ) from None


def read_vocabulary(path: StrPath, encoding: str = "utf-8", sha256: str | None = None) -> list[str]:
    """Return the words of a vocabulary file, which has one word per line."""
    words = [line.strip() for line in read_text(path, encoding, sha256).rstrip().split("\n")]
    for number, word in enumerate(words, start=1):
        if not word:
            raise CorpusError(f"{path}, line {number}: there is no word here; a vocabulary has one word on every line.")
    return words
