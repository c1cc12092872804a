"""The advice that an exhibit gives on a user's corpus as the page takes it: a sentence, its figure and its tables."""

import json
from collections.abc import Sequence

from gdmbench.exhibits.report.sources import Plain, Source


def advice_data(sources: Sequence[Source]) -> list[Plain]:
    """Return what `advice.json` tells in each folder that has one, and which exhibit drew the figure."""
    return [advice for source in sources if (advice := _read(source)) is not None]


def _read(source: Source) -> Plain | None:
    """Return a file's content in the form that the page expects, None where it has another."""
    try:
        found = json.loads((source.folder / "advice.json").read_text("utf-8"))
        return {
            "exhibit": source.name,
            "advice": str(found["advice"]),
            "tables": [[[str(cell) for cell in line] for line in [head, *rows]] for head, *rows in found["tables"]],
            "note": str(found["note"]),
        }
    except (OSError, ValueError, KeyError, TypeError):
        return None
