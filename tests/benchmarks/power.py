"""How many repetitions each open claim needs: `python tests/benchmarks/power.py [RESULTS]`.

The logarithms of the measures at a point are taken to be normal over repetitions, with the means of a reference run
at that point and a covariance of methods and measures pooled over the points of the sweep. Runs are made up from that
and judged by the claim's own criterion. The side that the estimates are on is the verdict at very many repetitions.
Printed is the least number of repetitions, up to 200, at which 90 % of the made-up runs end on that side. The
confirming runs have no part in this. The repetitions in conf/experiment/confirm.yaml rest on the first reference run,
which is in the history (docs/second_run.md).
"""

import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd

from experiments.confirm import CONFIRMED, SWEEPS
from gdmbench.records.frame import to_frame
from gdmbench.records.store import Store

POWER, PAPER, TRIALS, VERY_MANY = 0.9, 5, 200, 2000
STEPS = [10, 15, 20, 30, 40, 50, 60, 80, 100, 120, 140, 160, 180, 200]
MEASURES = ["mm_distance", "perplexity"]


class World:
    """Records like those of a sweep, as many as one likes."""

    def __init__(self, frame):
        logs = frame.assign(**{measure: np.log(frame[measure]) for measure in MEASURES})
        wide = logs.pivot_table(index=["value", "repetition"], columns="method", values=MEASURES)
        self.means = wide.groupby(level="value").mean()
        deviations = wide - self.means.reindex(wide.index.get_level_values("value")).to_numpy()
        self.covariance = deviations.T @ deviations / (len(wide) - len(self.means))
        self.same = {"experiment": frame["experiment"].iloc[0], "axis": frame["axis"].iloc[0], "status": "ok"}

    def draw(self, repetitions, rng):
        """Return a frame of made-up records."""
        parts = []
        for value, mean in self.means.iterrows():
            drawn = np.exp(rng.multivariate_normal(mean.to_numpy(), self.covariance.to_numpy(), size=repetitions))
            columns = pd.DataFrame(drawn, columns=mean.index)
            for method in mean.index.get_level_values("method").unique():
                mine = columns.xs(method, axis=1, level="method")
                parts.append(mine.assign(method=method, value=value, repetition=range(repetitions)))
        return pd.concat(parts, ignore_index=True).assign(**self.same)


def share(claim, world, repetitions, side):
    """Return the share of made-up runs that end on a side."""
    rng = np.random.default_rng(repetitions)
    return np.mean([claim.judge(world.draw(repetitions, rng)).outcome == side for _ in range(TRIALS)])


def needed(claim, world, side):
    """Return the least number of repetitions with enough power, or the most allowed, and the power there."""
    low, high = 0, len(STEPS) - 1
    powers = {}
    while low < high:
        middle = (low + high) // 2
        powers[middle] = share(claim, world, STEPS[middle], side)
        low, high = (low, middle) if powers[middle] >= POWER else (middle + 1, high)
    return STEPS[low], powers.get(low) or share(claim, world, STEPS[low], side)


def main(results):
    print(f"{'claim':17} {'sweep':17} {'side':20} repetitions  power  power at {PAPER}")
    for claim in CONFIRMED:
        sweep = SWEEPS[claim.id]
        frame = to_frame(Store(results / sweep).read()[0].values())
        world = World(frame[frame["status"] == "ok"])
        rng = np.random.default_rng(0)
        side = Counter(claim.judge(world.draw(VERY_MANY, rng)).outcome for _ in range(5)).most_common(1)[0][0]
        repetitions, power = needed(claim, world, side)
        before = share(claim, world, PAPER, side)
        print(f"{claim.id:17} {sweep:17} {side:20} {repetitions:11} {power:6.2f} {before:10.2f}", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else Path(__file__).parents[2] / "results" / "reference")
