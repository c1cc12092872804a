"""Numbers as people write them: a mean with as many digits as its standard error supports."""

import math

_DIGITS = 3  # of a number that stands alone


def format_number(value: float) -> str:
    """Write a number with three significant digits, in plain decimals unless that would be long.

    Examples
    --------
    >>> format_number(0.0036214), format_number(1269.4), format_number(5.0), format_number(3.2e-7)
    ('0.00362', '1269', '5', '3.2e-07')
    """
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if value == int(value) and abs(value) < 1e7:
        return str(int(value))
    if not 1e-5 <= abs(value) < 1e7:
        return f"{value:.{_DIGITS - 1}e}".replace(".00e", "e").replace("0e", "e")
    return f"{value:.{max(0, _DIGITS - 1 - _exponent(value, _DIGITS))}f}"


def format_mean(mean: float, error: float, *, plus_minus: str = " ± ") -> str:
    """Write a mean and its standard error: one digit of the error, two if the first is 1, the mean to that place.

    A missing error (one repetition) leaves the mean alone, with three digits.

    Examples
    --------
    >>> format_mean(0.0036214, 0.000123), format_mean(1269.4, 31.7), format_mean(0.0254, math.nan)
    ('0.00362 ± 0.00012', '1269 ± 32', '0.0254')
    """
    if not (math.isfinite(mean) and math.isfinite(error)):
        return format_number(mean)
    if error <= 1e-9 * abs(mean):  # equal but for rounding
        return f"{format_number(mean)}{plus_minus}0"
    if not 1e-5 <= max(abs(mean), error) < 1e7:
        return f"{mean:.3g}{plus_minus}{error:.2g}"
    digits = 2 if f"{error:.1e}"[0] == "1" else 1
    decimals = max(0, digits - 1 - _exponent(error, digits))
    most = max(0, 5 - _exponent(mean, 6)) if mean else decimals
    return f"{mean:.{min(decimals, most)}f}{plus_minus}{error:.{decimals}f}"


def _exponent(value: float, significant: int) -> int:
    """Exponent of the first digit after rounding: that of 0.0999 is -1 when two digits are kept."""
    return int(f"{value:.{significant - 1}e}".split("e")[1])
