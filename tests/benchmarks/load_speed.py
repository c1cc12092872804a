"""Time and memory of loading bag-of-words files: `GDMBENCH_DATA=FOLDER python tests/benchmarks/load_speed.py`.

The first table sets `load_corpus` against `pandas.read_csv` on the same gzipped file: NIPS where the data directory has
it, else one simulated in its size. The second loads a plain file of 100 MB in a process of its own.
"""

import gzip
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

from gdmbench import load_corpus, simulate_lda

# The kernel's own peak: `ru_maxrss` of a new process starts at its parent's.
PEAK = """
import re, sys
from pathlib import Path
from gdmbench import load_corpus
peak = lambda: int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
load_corpus(sys.argv[1], format="uci")
before = peak()
counts = load_corpus(sys.argv[2], format="uci").counts
print(peak() - before, counts.nnz)
"""


def write_docword(path: Path, n_docs: int, length: int, n_words: int) -> None:
    """Write simulated documents as UCI bag-of-words."""
    counts = simulate_lda(n_docs, length, n_words=n_words, eta=1.0, n_heldout=0, random_state=0).train.tocoo()
    table = pd.DataFrame({"doc": counts.row + 1, "word": counts.col + 1, "count": counts.data})
    with gzip.open(path, "wb", 6) if path.suffix == ".gz" else path.open("wb") as file:
        file.write(f"{counts.shape[0]}\n{counts.shape[1]}\n{counts.nnz}\n".encode())
        table.to_csv(file, sep=" ", header=False, index=False)


def main() -> None:
    """Print both tables."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_docword(folder / "docword.small.txt", 10, 10, 10)
        load_corpus(folder / "docword.small.txt")
        nips = Path(os.environ.get("GDMBENCH_DATA", folder)) / "docword.nips12.txt.gz"
        if not nips.exists():
            nips = folder / "docword.simulated.txt.gz"
            write_docword(nips, 1740, 560, 13649)
        ours, pandas = [], []
        for _ in range(7):
            start = time.perf_counter()
            counts = load_corpus(nips, format="uci").counts
            ours.append(time.perf_counter() - start)
            start = time.perf_counter()
            pd.read_csv(nips, sep=" ", header=None, skiprows=3)
            pandas.append(time.perf_counter() - start)
        print("| file | non-zeros | load_corpus, s | pandas.read_csv, s | ratio |")
        print("|---|---|---|---|---|")
        ratio = np.median(np.array(ours) / np.array(pandas))
        print(f"| {nips.name} | {counts.nnz} | {min(ours):.3f} | {min(pandas):.3f} | {ratio:.2f} |\n")

        large = folder / "docword.large.txt"
        write_docword(large, 8500, 1000, 20_000)
        size = large.stat().st_size
        start = time.perf_counter()
        load_corpus(large)
        seconds = time.perf_counter() - start
        command = [sys.executable, "-c", PEAK, str(folder / "docword.small.txt"), str(large)]
        peak_kb, nonzeros = map(int, subprocess.run(command, check=True, capture_output=True).stdout.split())
        print("| file | MB | non-zeros | s | peak memory, MB | times the file | bytes a non-zero |")
        print("|---|---|---|---|---|---|---|")
        print(
            f"| plain docword | {size / 1e6:.0f} | {nonzeros} | {seconds:.2f} | {peak_kb / 1e3:.0f} "
            f"| {peak_kb * 1024 / size:.2f} | {peak_kb * 1024 / nonzeros:.0f} |"
        )


if __name__ == "__main__":
    main()
