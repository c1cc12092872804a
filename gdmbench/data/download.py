"""Downloading a file of a corpus into the user's cache, where it is kept only if it is the right one."""

import logging
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from gdmbench.data.corpus import CorpusError
from gdmbench.data.formats.streams import read_chunks


def cache_folder() -> Path:
    """Return the folder of the user's cache where corpora are kept."""
    import pooch

    return Path(pooch.os_cache("gdmbench"))


def download(url: str, name: str, sha256: str | None) -> Path:
    """Return the path of a file in the user's cache, downloading it first if it is not there.

    What arrives is put in its place only if its uncompressed bytes have the right sha256, where one is given: servers
    compress the same bytes in different ways, so the compressed file has no hash that could be known beforehand.

    Raises
    ------
    OSError
        If the file can't be downloaded or there is no room for it.
    CorpusError
        If what arrives is not the file.
    """
    import pooch

    def fetch(url: str, output_file: str, pooch_object: Any) -> None:
        pooch.HTTPDownloader()(url, output_file, pooch_object)
        try:
            for _ in read_chunks(output_file, sha256):
                pass
        except CorpusError:
            raise CorpusError(f"What {url} sends is not {name} as it was published: get the file elsewhere.") from None

    logger = pooch.get_logger()
    logger.setLevel(logging.WARNING)  # pooch would tell users to write the hash of the compressed file into their code
    try:
        path = pooch.retrieve(url, known_hash=None, fname=name, path=cache_folder(), downloader=fetch)
    except OSError as error:
        raise OSError(_reason(error, urlsplit(url).netloc)) from None
    return Path(path)


def _reason(error: OSError, host: str) -> str:
    """Say in a few words why a download failed; the errors of the package requests are OSErrors too."""
    response = getattr(error, "response", None)
    if response is not None:
        return f"{host} answers {response.status_code} {response.reason}"
    return error.strerror or f"the connection to {host} failed"
