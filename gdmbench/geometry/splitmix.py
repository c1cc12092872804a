"""Random numbers for compiled code: SplitMix64, whose state is a counter, so that every document can have its own.

G. L. Steele, D. Lea and C. H. Flood (2014). Fast splittable pseudorandom number generators. OOPSLA.
"""

import numpy as np

from gdmbench.kernels import kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # by which a counter goes up before each number
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_R30, _R27, _R31, _R11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)


@kernel
def uniform(counter):  # type: ignore[no-untyped-def]
    """Return the number of [0, 1) that a counter stands for."""
    return (_mix(counter) >> _R11) * (1.0 / 9007199254740992.0)


@kernel
def seeded_counter(seed, document):  # type: ignore[no-untyped-def]
    """Return the counter at which the numbers of a document begin."""
    return _mix(_mix(seed + GOLDEN) + np.uint64(document) * GOLDEN)


@kernel
def _mix(counter):  # type: ignore[no-untyped-def]
    mixed = (counter ^ (counter >> _R30)) * _FIRST
    mixed = (mixed ^ (mixed >> _R27)) * _SECOND
    return mixed ^ (mixed >> _R31)
