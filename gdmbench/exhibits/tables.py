"""Tables of records and means: CSV to compute with, Markdown and LaTeX to read, text for the terminal."""

import re
from collections.abc import Sequence

import pandas as pd

from gdmbench.exhibits.digits import format_mean, format_number
from gdmbench.exhibits.escape import latex, markdown, plain
from gdmbench.exhibits.layout import Entry, Grid, grids_of
from gdmbench.exhibits.style import axis_of
from gdmbench.records.frame import value_text
from gdmbench.records.record import COLUMNS, column_of


def csv_text(table: pd.DataFrame) -> str:
    """Write a table as CSV, with numbers that read back to the same bits."""
    return table.to_csv(index=False, lineterminator="\n")


def markdown_text(summary: pd.DataFrame, title: str, failures: Sequence[str] = (), note: str = "") -> str:
    """Write a summary as Markdown, a table for each measure; a note at the start, failures as a list at the end."""
    constant = _constant(summary)
    star = r" \* is without the repetitions that failed." if _any_star(summary) else ""
    parts = [f"# {markdown(title)}", f"Mean ± standard error over repetitions.{star}"]
    if note:
        parts.append(f"**Note:** {markdown(note)}")
    for grid in _grids(summary, constant):
        if len(grid.measures) == 1:
            parts.append(f"## {markdown(_capital(grid.caption))}")
        head = [axis_of(grid.corner).plain, *map(value_text, grid.heads)]
        body = [[value_text(name), *map(_cell, row)] for name, row in zip(grid.names, grid.rows, strict=True)]
        parts.append(markdown_table([[markdown(cell) for cell in line] for line in [head, *body]]))
    for measure, value in constant.items():
        parts.append(f"{markdown(_capital(column_of(measure).title))}: {value} throughout.")
    if failures:
        parts.append("## Failed\n\n" + "\n".join(f"- {markdown(failure)}" for failure in failures))
    return "\n\n".join(parts) + "\n"


def markdown_table(lines: Sequence[Sequence[str]], *, numbers: bool = True) -> str:
    """Write rows of cells, the first the heads, as a Markdown table.

    Columns of numbers stand to the right and are padded, so that the source reads as well as the page.
    """
    rule = ["---"] * len(lines[0])
    rows = [lines[0], rule, *lines[1:]]
    if numbers:
        widths = [max(3, *map(len, column)) for column in zip(*lines, strict=True)]
        rows[1] = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
        rows = [[row[0].ljust(widths[0]), *_right(row, widths, 1, len(row))] for row in rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def latex_text(summary: pd.DataFrame, title: str) -> str:
    r"""Write a summary as LaTeX, a ``table`` for each measure, ruled with booktabs (``\usepackage{booktabs}``)."""
    return "\n".join(_latex_table(grid, title) for grid in _grids(summary, _constant(summary)))


def latex_table(lines: Sequence[Sequence[str]], caption: str, label: str) -> str:
    """Write rows of cells, the first the heads, as a LaTeX table with booktabs; all of it must be LaTeX already."""
    head, *body = ["    " + " & ".join(line) + r" \\" for line in lines]
    return "\n".join(
        [
            r"\begin{table}",
            r"  \centering",
            rf"  \caption{{{caption}.}}",
            rf"  \label{{tab:{label}}}",
            rf"  \begin{{tabular}}{{l{'r' * (len(lines[0]) - 1)}}}",
            r"    \toprule",
            head,
            r"    \midrule",
            *body,
            r"    \bottomrule",
            r"  \end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def means_text(summary: pd.DataFrame, *measures: str, width: int = 100) -> str:
    """Lay out means for the terminal: a block for each measure, one row per method, one column per swept value.

    Parameters
    ----------
    summary : DataFrame
        What `summarise` gave.
    *measures : str
        Which measures; those of which a run draws figures when none is named.
    width : int
        Columns of the terminal, at which blocks are folded. Standard errors are left out where a block would fold into
        more than two.
    """
    grids = grids_of(summary, measures or [column.name for column in COLUMNS if column.main])
    return "\n\n".join(_terminal_block(grid.transposed() if grid.corner else grid, width) for grid in grids)


def _grids(summary: pd.DataFrame, without: Sequence[str] | dict[str, str]) -> list[Grid]:
    return grids_of(summary, [measure for measure in summary["measure"].unique() if measure not in without])


def _constant(summary: pd.DataFrame) -> dict[str, str]:
    """Measures that are the same in every record, as the number of topics often is: a sentence will do."""
    constant = {}
    for measure, table in summary.dropna(subset=["mean"]).groupby("measure", sort=False):
        least, most = float(table["min"].min()), float(table["max"].max())
        if least == most:
            constant[str(measure)] = format_number(least)
    return constant


def _cell(entry: Entry | None, *, error: bool = True, plus_minus: str = " ± ") -> str:
    if entry is None:
        return "–"
    if not entry.repetitions:
        return "failed" if entry.failed else "–"
    star = "*" if entry.failed else ""
    return (format_mean(entry.mean, entry.se, plus_minus=plus_minus) if error else format_number(entry.mean)) + star


def _any_star(summary: pd.DataFrame) -> bool:
    return bool(((summary["failed"] > 0) & (summary["repetitions"] > 0)).any())


def _latex_table(grid: Grid, title: str) -> str:
    name = re.sub(r"[^A-Za-z0-9]+", "-", f"{grid.experiment}-{grid.measures[0]}").strip("-")
    lines = [[latex(axis_of(grid.corner).symbol), *(latex(value_text(head)) for head in grid.heads)]]
    for row_name, row in zip(grid.names, grid.rows, strict=True):
        lines.append([latex(value_text(row_name)), *map(_latex_cell, row)])
    return latex_table(lines, rf"{latex(title)}: {latex(grid.caption)}, mean $\pm$ standard error", name)


def _latex_cell(entry: Entry | None) -> str:
    text = _cell(entry, plus_minus=r" \pm ").replace("∞", r"\infty")
    return {"–": "--", "failed": "failed"}.get(text, f"${text}$".replace("*$", "^{*}$"))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _terminal_block(grid: Grid, width: int) -> str:
    folded: list[str] = []
    for error in (True, False):
        cells = [[_cell(e, error=error, plus_minus=" ±") for e in row] for row in grid.rows]
        lines = [
            [axis_of(grid.corner).plain, *(plain(value_text(head)) for head in grid.heads)],
            *([plain(value_text(name)), *row] for name, row in zip(grid.names, cells, strict=True)),
        ]
        widths = [max(map(len, column)) + 2 for column in zip(*lines, strict=True)]
        folded = _folded(lines, widths, width)
        if folded.count("") < 2:  # a blank line stands between two parts
            break
    what = "mean ± standard error" if error else "mean"
    title = [f"{_capital(column_of(grid.measures[0]).head)}, " if grid.corner else "", what]
    counts = sorted({entry.repetitions for entry in grid.entries if entry.repetitions})
    title += [f" of {counts[0]}" if len(counts) == 1 else f" of {counts[0]} to {counts[-1]}"] if counts else []
    title += ["; * some failed"] if any(e.failed and e.repetitions for e in grid.entries) else []
    return "\n".join([_capital("".join(title)), *folded])


def _folded(lines: list[list[str]], widths: list[int], width: int) -> list[str]:
    """Join cells into lines no longer than the width, going on below with the names repeated."""
    text: list[str] = []
    first = 1
    while first < len(widths):
        last = first + 1
        while last < len(widths) and widths[0] + sum(widths[first : last + 1]) <= width:
            last += 1
        block = ["".join([line[0].ljust(widths[0]), *_right(line, widths, first, last)]) for line in lines]
        rule = "─" * (widths[0] + sum(widths[first:last]))
        text += [*([""] if text else []), block[0], rule, *block[1:]]
        first = last
    return text


def _right(line: Sequence[str], widths: list[int], first: int, last: int) -> list[str]:
    return [line[column].rjust(widths[column]) for column in range(first, last)]
