"""How often the number of topics that `choose_k` names is the true one, on corpora whose number is known.

    python tests/benchmarks/how_many_topics.py FOLDER [seed ...]

Corpora are drawn from LDA with 3 to 30 topics. Each is taken through what `+experiment=choose_k` does at paper scale
with RefinedGDM: every number of topics, five times, each on a random half of the documents. Fits are kept in FOLDER, so
that a second call goes on from there. The rule was chosen on seed 0, and is reported on seeds 1 and 2.
"""

import sys
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from gdmbench import RefinedGDM, document_completion, simulate_lda
from gdmbench.data.corpus import Corpus
from gdmbench.data.split import divide
from gdmbench.exhibits.choice import chosen, differences, limits

TRUTHS, LENGTHS, SIZES = (3, 5, 8, 13, 20, 30), (50, 150, 500), (300, 2000)
TRIED = (2, 3, 5, 7, 10, 15, 20, 30, 40)
REPETITIONS = 5


def records_of(size: int, truth: int, length: int, seed: int, folder: Path) -> pd.DataFrame:
    """Return the records of one corpus, from the folder or from fits."""
    path = folder / f"{size}-{truth}-{length}-{seed}.pkl"
    if path.exists():
        return pd.read_pickle(path)
    data = simulate_lda(size, length, n_words=1000, n_topics=truth, n_heldout=1, random_state=seed)
    rows = []
    for repetition in range(REPETITIONS):
        split = divide(Corpus(data.train), n_docs=0.5, random_state=[seed, repetition])
        for n_topics in TRIED:
            model = RefinedGDM(n_topics, random_state=repetition).fit(split.train)
            scored = document_completion(split.heldout, model.components_, split.train)
            by_document = {"log_likelihoods": scored.log_likelihoods.round(4), "tokens": scored.n_tokens}
            row = {"method": "refined_gdm", "value": n_topics, "repetition": repetition}
            rows.append({**row, "completion": scored.perplexity, "extra": {"completion": by_document}})
    frame = pd.DataFrame(rows)
    frame.to_pickle(path)
    return frame


def main(folder: Path, seeds: list[int]) -> None:
    """Print a row for each size, length and true number: what was advised on each seed, and how often it was right."""
    folder.mkdir(parents=True, exist_ok=True)
    print("| documents | words | true | asked for | clearly too few, too many | truth between |")
    print("|---|---|---|---|---|---|")
    for size, length, truth in product(SIZES, LENGTHS, TRUTHS):
        found = [differences(records_of(size, truth, length, seed, folder), "refined_gdm") for seed in seeds]
        between = [limits(each) for each in found]
        right = sum((low or 0) < truth < (high or np.inf) for low, high in between)
        takes = ", ".join(str(chosen(each)) for each in found)
        ends = ", ".join(f"{low or '–'}, {high or '–'}" for low, high in between)
        print(f"| {size} | {length} | {truth} | {takes} | {ends} | {right} of {len(seeds)} |", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), [int(seed) for seed in sys.argv[2:]] or [1, 2])
