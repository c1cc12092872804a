"""digamma and its exponential, compiled, for the inference of variational Bayes."""

from math import exp, log

from gdmbench.kernels import kernel


@kernel
def digamma_less_log(x):  # type: ignore[no-untyped-def]
    """Return ``digamma(x) - log(x + 6)`` for x > 0, to 13 digits.

    From x to x + 6, where the asymptotic series holds, by the recurrence; its sum of 1 / (x + i) is P'(x) / P(x) with
    P(x) = x (x + 1) ... (x + 5), a single division.
    """
    product = x
    derivative = 1.0
    for i in range(1, 6):
        derivative = derivative * (x + i) + product
        product *= x + i
    r = 1.0 / (x + 6.0)
    s = r * r
    series = 1 / 240 - s * (1 / 132 - s * (691 / 32760 - s / 12))
    series = 0.5 * r + s * (1 / 12 - s * (1 / 120 - s * (1 / 252 - s * series)))
    return -series - derivative / product


@kernel
def digamma(x):  # type: ignore[no-untyped-def]
    """Return digamma(x) for x > 0."""
    return log(x + 6.0) + digamma_less_log(x)


@kernel
def exp_digamma(x):  # type: ignore[no-untyped-def]
    """Return exp(digamma(x)) for x > 0, which needs no logarithm."""
    return (x + 6.0) * exp(digamma_less_log(x))
