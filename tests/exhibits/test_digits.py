"""Numbers as people write them."""

import doctest
import math

import pytest

from gdmbench.exhibits import digits
from gdmbench.exhibits.digits import format_mean, format_number


def test_examples_of_numbers():
    assert doctest.testmod(digits).failed == 0


@pytest.mark.parametrize(
    ("mean", "error", "text"),
    [
        (0.01559, 0.00073, "0.0156 ± 0.0007"),
        (0.0251, 0.0018, "0.0251 ± 0.0018"),
        (0.0999, 0.0099, "0.10 ± 0.01"),
        (0.025, 0.016, "0.025 ± 0.016"),
        (1269.44, 11.7, "1269 ± 12"),
        (486.751, 0.84, "486.8 ± 0.8"),
        (1269.44, 0.00031, "1269.44 ± 0.0003"),
        (5.0, 0.0, "5 ± 0"),
        (232.92, 1e-14, "233 ± 0"),
        (0.0, 0.0, "0 ± 0"),
        (0.0, 0.02, "0.00 ± 0.02"),
        (3.2e-7, 1.1e-8, "3.2e-07 ± 1.1e-08"),
        (0.0036214, math.nan, "0.00362"),
        (math.inf, math.nan, "∞"),
        (math.nan, math.nan, "–"),
    ],
)
def test_mean_and_error(mean, error, text):
    assert format_mean(mean, error) == text


@pytest.mark.parametrize(
    ("value", "text"), [(0.09996, "0.100"), (99999.6, "100000"), (1.5e8, "1.5e+08"), (-0.25, "-0.250")]
)
def test_number(value, text):
    assert format_number(value) == text
