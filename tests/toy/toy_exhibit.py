"""An exhibit of two sweeps: how many records each has."""

from gdmbench.exhibits.claims import Claim
from gdmbench.exhibits.findings import Finding


def draw(records, folder):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "counts.txt"
    path.write_text(records.groupby("experiment").size().to_string())
    return [path]


def _every_cell_is_fine(records):
    fine = (records["status"] == "ok").all()
    return Finding("reproduced" if fine else "not reproduced", f"{len(records)} records")


CLAIMS = [Claim("fine", "every cell is fine", "nowhere", _every_cell_is_fine)]
