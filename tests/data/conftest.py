import gzip
import os

import numpy as np
import pytest

from gdmbench.data.corpus import CorpusError
from gdmbench.data.load import load_corpus


@pytest.fixture
def write(tmp_path):
    """Write bytes or text to a file of the given name, gzipped if the name says so."""

    def write(name, content):
        content = content.encode() if isinstance(content, str) else content
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
        return path

    return write


@pytest.fixture
def refused():
    """Load a file that must be refused in one sentence, and return the sentence without the folder."""

    def refused(path, **options):
        with pytest.raises(CorpusError) as error:
            load_corpus(path, **options)
        message = str(error.value)
        assert "\n" not in message
        assert message.endswith(".")
        return message.replace(f"{path.parent}{os.sep}", "")

    return refused


@pytest.fixture
def data_folder():
    """The folder of real corpora."""
    folder = os.environ.get("GDMBENCH_DATA")
    if not folder:
        pytest.skip("GDMBENCH_DATA is not set: the real corpora are not here")
    return folder


@pytest.fixture
def counts():
    """A small matrix of counts with every document and the last word occurring."""
    matrix = np.random.default_rng(0).poisson(0.7, size=(9, 6))
    matrix[:, 5] += 1
    return matrix
