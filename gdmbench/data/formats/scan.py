"""Reading whole numbers from bytes, compiled: a line either has exactly the right form or its number is reported."""

import numpy as np
from numpy.typing import NDArray

from gdmbench.kernels import kernel

# What can be wrong with a line. Kernels return these as negative numbers where a value is due.
NOT_WHOLE, TOO_LARGE, TOO_FEW, TOO_MANY, BAD_ROW, BAD_COLUMN, BAD_COUNT, SURPLUS, BLANK, BAD_LENGTH = range(1, 11)

# The places of a scan's state, which lives from one piece of a file to the next.
LINE, FILLED, BLANK_LINE, UNSORTED, ROW, COLUMN, ERROR = range(7)

LARGEST = 2**31 - 1

_SPACE, _TAB, _RETURN, _NEWLINE, _ZERO, _NINE, _POINT, _COLON = 32, 9, 13, 10, 48, 57, 46, 58
_LOWER_E, _UPPER_E, _PLUS, _MINUS = 101, 69, 43, 45


def new_state(line: int) -> NDArray[np.int64]:
    """Return the state of a scan that begins after the given line."""
    state = np.zeros(7, dtype=np.int64)
    state[LINE] = line
    state[ROW] = state[COLUMN] = -1
    return state


@kernel
def _skip_blanks(text: NDArray[np.uint8], position: int) -> int:
    """Return the place of the next byte that is not blank; a carriage return is blank only at the end of a line."""
    while True:
        byte = text[position]
        if byte in (_SPACE, _TAB) or (byte == _RETURN and text[position + 1] == _NEWLINE):
            position += 1
        else:
            return position


@kernel
def _ends_number(text: NDArray[np.uint8], position: int) -> bool:
    byte = text[position]
    return byte in (_SPACE, _TAB, _NEWLINE) or (byte == _RETURN and text[position + 1] == _NEWLINE)


@kernel
def _digits(text: NDArray[np.uint8], position: int) -> tuple[int, int]:
    """Read a run of digits; return its value, or minus what is wrong with it, and the place after it."""
    start, value = position, 0
    while _ZERO <= text[position] <= _NINE:
        value = value * 10 + (text[position] - _ZERO)
        if value > LARGEST:
            return -TOO_LARGE, position
        position += 1
    return (value if position > start else -NOT_WHOLE), position


@kernel
def _decimal(text: NDArray[np.uint8], position: int) -> tuple[int, int]:
    """Read a whole number that may be written with a decimal point and an exponent, such as 1.2e1."""
    value, n_digits, n_decimals, fraction = 0, 0, 0, False
    while True:
        byte = text[position]
        if byte == _POINT and not fraction:
            fraction = True
        elif _ZERO <= byte <= _NINE:
            n_digits += 1
            if value < 10**17:
                value = value * 10 + (byte - _ZERO)
                n_decimals += fraction
            elif byte != _ZERO or not fraction:
                return -TOO_LARGE, position
        else:
            break
        position += 1
    if n_digits == 0:
        return -NOT_WHOLE, position
    shift = -n_decimals
    if byte in (_LOWER_E, _UPPER_E):
        position += 1
        sign = -1 if text[position] == _MINUS else 1
        if text[position] == _MINUS or text[position] == _PLUS:
            position += 1
        exponent, position = _digits(text, position)
        if exponent < 0:
            return exponent, position
        shift += sign * exponent
    while value > 0 and shift < 0:
        if value % 10:
            return -NOT_WHOLE, position
        value //= 10
        shift += 1
    while value > 0 and shift > 0 and value <= LARGEST:
        value *= 10
        shift -= 1
    return (value if value <= LARGEST else -TOO_LARGE), position


@kernel
def scan_triples(
    text: NDArray[np.uint8],
    n_fields: int,
    decimals: bool,
    least: int,
    shape: tuple[int, int],
    entries: tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]],
    n_entries: int,
    state: NDArray[np.int64],
) -> None:
    """Read lines `row column count` (with two fields: count 1), rows and columns from 1, into arrays.

    Parameters
    ----------
    text : array of bytes
        Whole lines, the last one ended too.
    n_fields : int
        2 or 3.
    decimals : bool
        Whether counts may be written with decimal points and exponents.
    least : int
        The smallest count allowed.
    shape : pair of int
        The largest row and column allowed.
    entries : arrays of rows, columns and counts
        Filled from `state[FILLED]` on with numbers from 0; with room for all lines of the text, or for `n_entries`.
    n_entries : int
        How many there may be in the whole file.
    state : array
        See `new_state`. If something is wrong, ERROR says what and LINE where.
    """
    rows, columns, counts = entries
    numbers = np.ones(3, dtype=np.int64)
    position = 0
    while position < len(text):
        state[LINE] += 1
        position = _skip_blanks(text, position)
        if text[position] == _NEWLINE:
            if state[BLANK_LINE] == 0:
                state[BLANK_LINE] = state[LINE]
            position += 1
            continue
        if state[BLANK_LINE]:
            state[ERROR], state[LINE] = BLANK, state[BLANK_LINE]
            return
        if state[FILLED] == n_entries:
            state[ERROR] = SURPLUS
            return
        for field in range(n_fields):
            position = _skip_blanks(text, position)
            if text[position] == _NEWLINE:
                state[ERROR] = TOO_FEW
                return
            numbers[field], position = _decimal(text, position) if decimals and field == 2 else _digits(text, position)
            if numbers[field] >= 0 and not _ends_number(text, position):
                numbers[field] = -NOT_WHOLE
            if numbers[field] < 0:
                state[ERROR] = -numbers[field]
                return
        position = _skip_blanks(text, position)
        if text[position] != _NEWLINE:
            state[ERROR] = TOO_MANY
            return
        position += 1
        row, column, count = numbers[0] - 1, numbers[1] - 1, numbers[2]
        if row < 0 or row >= shape[0]:
            state[ERROR] = BAD_ROW
        elif column < 0 or column >= shape[1]:
            state[ERROR] = BAD_COLUMN
        elif count < least:
            state[ERROR] = BAD_COUNT
        if state[ERROR]:
            return
        if row < state[ROW] or (row == state[ROW] and column <= state[COLUMN]):
            state[UNSORTED] = 1
        state[ROW], state[COLUMN] = row, column
        filled = state[FILLED]
        rows[filled], columns[filled], counts[filled] = row, column, count
        state[FILLED] += 1


@kernel
def scan_documents(
    text: NDArray[np.uint8],
    n_words: int,
    sizes: NDArray[np.int32],
    words: NDArray[np.int32],
    counts: NDArray[np.int64],
    state: NDArray[np.int64],
) -> tuple[int, int]:
    """Read lines `size word:count word:count …`, words from 0; return how many documents and entries there are.

    The arrays have room for all lines of the text and all their entries; `state` is as in `scan_triples`.
    """
    n_docs, filled, position = 0, 0, 0
    while position < len(text):
        state[LINE] += 1
        position = _skip_blanks(text, position)
        if text[position] == _NEWLINE:
            if state[BLANK_LINE] == 0:
                state[BLANK_LINE] = state[LINE]
            position += 1
            continue
        if state[BLANK_LINE]:
            state[ERROR], state[LINE] = BLANK, state[BLANK_LINE]
            return n_docs, filled
        size, position = _digits(text, position)
        if size >= 0 and not _ends_number(text, position):
            size = -NOT_WHOLE
        if size < 0:
            state[ERROR] = -size
            return n_docs, filled
        start, previous = filled, -1
        while True:
            position = _skip_blanks(text, position)
            if text[position] == _NEWLINE:
                position += 1
                break
            word, position = _digits(text, position)
            count = -NOT_WHOLE
            if word >= 0 and text[position] == _COLON:
                count, position = _digits(text, position + 1)
                if count >= 0 and not _ends_number(text, position):
                    count = -NOT_WHOLE
            if word < 0 or count < 0:
                state[ERROR] = -word if word < 0 else -count
            elif word >= n_words:
                state[ERROR] = BAD_COLUMN
            elif count < 1:
                state[ERROR] = BAD_COUNT
            if state[ERROR]:
                return n_docs, filled
            if word <= previous:
                state[UNSORTED] = 1
            previous = word
            words[filled], counts[filled] = word, count
            filled += 1
        if filled - start != size:
            state[ERROR] = BAD_LENGTH
            return n_docs, filled
        sizes[n_docs] = size
        n_docs += 1
    return n_docs, filled
