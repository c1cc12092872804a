"""Downloading a file of a corpus into the user's cache: resumed where it broke off, kept only if it is right."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from gdmbench.data.corpus import CorpusError
from gdmbench.data.formats.streams import read_chunks

ATTEMPTS = 3
TIMEOUT_SECONDS = 30


def download(url: str, name: str, sha256: str) -> Path:
    """Return the path of a file in the user's cache, downloading it first if it is not there.

    A download that breaks off is taken up again where it stopped, at once and the next time. What arrives is put
    in its place only if its uncompressed bytes have the right sha256.

    Raises
    ------
    OSError
        If the address cannot be reached.
    CorpusError
        If what arrives is not the file.
    """
    import pooch

    logger = pooch.get_logger()
    logger.setLevel(logging.WARNING)  # pooch would tell users to write the hash of the compressed file into their code
    folder = Path(pooch.os_cache("gdmbench"))
    folder.mkdir(parents=True, exist_ok=True)
    with _alone(folder / f"{name}.lock"):
        return Path(
            pooch.retrieve(
                url, known_hash=None, fname=name, path=folder, downloader=_Resuming(folder / f"{name}.part", sha256)
            )
        )


class _BrokeOffError(OSError):
    """A download that began and did not end."""


class _Resuming:
    """A downloader for pooch that keeps what has arrived in a file beside the target and asks only for the rest."""

    def __init__(self, part: Path, sha256: str):
        self.part = part
        self.sha256 = sha256

    def __call__(self, url: str, output_file: str, pooch: Any) -> None:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                self._fetch(url)
                break
            except _BrokeOffError:
                if attempt == ATTEMPTS:
                    raise
        try:
            for _ in read_chunks(self.part, self.sha256):
                pass
        except CorpusError:
            self.part.unlink()
            raise
        self.part.replace(output_file)

    def _fetch(self, url: str) -> None:
        import requests
        from urllib3.exceptions import HTTPError

        done = self.part.stat().st_size if self.part.exists() else 0
        # The bytes as they are stored: a transfer encoding would make positions in the file meaningless.
        headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={done}-"} if done else {})
        try:
            response = requests.get(url, headers=headers, stream=True, timeout=TIMEOUT_SECONDS)
        except requests.RequestException:
            raise OSError(f"there is no connection to {urlsplit(url).netloc}") from None
        with response:
            if response.status_code == requests.codes.requested_range_not_satisfiable:
                return  # nothing is missing; the sha256 tells whether it is right
            if not response.ok:
                raise OSError(f"the server answers {response.status_code} {response.reason}")
            resumed = response.status_code == requests.codes.partial_content
            try:
                with self.part.open("ab" if resumed else "wb") as file:
                    for chunk in response.raw.stream(1 << 16, decode_content=False):
                        file.write(chunk)
            except HTTPError as error:
                raise _BrokeOffError(f"the connection broke off: {error}") from None


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Let one process at a time download a file; the others wait and find it done."""
    import fcntl

    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
