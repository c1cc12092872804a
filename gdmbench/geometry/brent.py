"""Brent's bounded line search in steps, so that compiled code can search without calling back.

Brent (1973) steps to the minimum of a parabola through the three best points, or by golden section where that is not
to be trusted. Here the values at the ends of the interval are known from the outset, which gives the first parabola
and shows early when the function falls all the way to an end; and the search may start where the minimum is expected.
"""

import numpy as np
from numba import njit

GOLDEN = 0.3819660112501051  # (3 - sqrt 5) / 2: where to start for want of anything better
# Positions in the state of a search: the bracket, the best three points with their values, the last two steps, and the
# ends of the interval with their values.
_A, _B, _X, _W, _V, _FX, _FW, _FV, _D, _E, _LOW, _HIGH, _F_LOW, _F_HIGH = range(14)


@njit(cache=True, nogil=True)
def start_search(low, high, x, f_low, f_high, f_x):  # type: ignore[no-untyped-def]
    """State of a search on an interval, given the values at its ends and at a point x inside."""
    low_first = f_low <= f_high
    state = np.empty(14)
    state[_A], state[_B], state[_X] = low, high, x
    state[_W], state[_V] = (low, high) if low_first else (high, low)
    state[_FX], state[_FW], state[_FV] = f_x, min(f_low, f_high), max(f_low, f_high)
    state[_D] = state[_E] = high - low
    state[_LOW], state[_HIGH], state[_F_LOW], state[_F_HIGH] = low, high, f_low, f_high
    return state


@njit(cache=True, nogil=True)
def next_point(state, tolerance):  # type: ignore[no-untyped-def]
    """Where to evaluate next, or nan when the minimiser is known to within about the tolerance."""
    a, b, x, w, v = state[_A], state[_B], state[_X], state[_W], state[_V]
    middle = 0.5 * (a + b)
    if abs(x - middle) + 0.5 * (b - a) <= 2.0 * tolerance:
        return np.nan
    falls_low = a == state[_LOW] and state[_F_LOW] <= state[_FX]
    falls_high = b == state[_HIGH] and state[_F_HIGH] <= state[_FX]
    if (falls_low and x - a <= 1.5 * tolerance) or (falls_high and b - x <= 1.5 * tolerance):
        return np.nan
    r = (x - w) * (state[_FX] - state[_FV])
    q = (x - v) * (state[_FX] - state[_FW])
    p = (x - v) * q - (x - w) * r
    q = 2.0 * (q - r)
    if q > 0.0:
        p = -p
    q = abs(q)
    before_last = state[_E]
    state[_E] = state[_D]
    if falls_high and p >= q * (b - x):
        step = b - tolerance - x  # see at once whether it really falls all the way to this end
    elif falls_low and p <= q * (a - x):
        step = a + tolerance - x
    elif abs(p) < abs(0.5 * q * before_last) and q * (a - x) < p < q * (b - x):
        step = p / q
        if x + step - a < 2.0 * tolerance or b - x - step < 2.0 * tolerance:
            step = tolerance if x < middle else -tolerance
    else:
        state[_E] = a - x if x >= middle else b - x
        step = GOLDEN * state[_E]
    state[_D] = step
    if abs(step) < tolerance:
        step = tolerance if step > 0.0 else -tolerance
    return x + step


@njit(cache=True, nogil=True)
def record(state, u, f_u):  # type: ignore[no-untyped-def]
    """Take in the value at the point that was asked for."""
    x = state[_X]
    if f_u <= state[_FX]:
        state[_A if u >= x else _B] = x
        state[_V], state[_FV] = state[_W], state[_FW]
        state[_W], state[_FW] = x, state[_FX]
        state[_X], state[_FX] = u, f_u
    else:
        state[_A if u < x else _B] = u
        if f_u <= state[_FW] or state[_W] == x:
            state[_V], state[_FV] = state[_W], state[_FW]
            state[_W], state[_FW] = u, f_u
        elif f_u <= state[_FV] or state[_V] == x or state[_V] == state[_W]:
            state[_V], state[_FV] = u, f_u
