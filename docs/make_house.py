"""Draw docs/house.svg: the rooms of the code and the arrows between them, read from the imports.

An arrow says that a room imports another; one that follows from others is left out. Rooms stand in rows so that every
arrow points down, and long arrows bend around the rooms in between. What counts as a room and as an import is what
`tests/test_house.py` holds to the table of allowed arrows. A test fails when the picture is not what this would draw.
"""

import ast
import importlib.util
import re
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from xml.sax.saxutils import escape

import gdmbench

ROOT = Path(__file__).resolve().parents[1]
WIDTH, HEIGHT, BEND, GAP, ROW = 156, 38, 18, 26, 84  # of a box, of a bend, between boxes, from row to row
LABELS = {"experiments' own methods and data": "experiments (own methods)", "top": "python -m gdmbench"}
Arrows = dict[str, set[str]]
Place = tuple[str, ...]  # (room,), or (room, room, row) where the arrow between two rooms passes a row


def house_picture() -> str:
    """Return the text of house.svg."""
    house = _load_house()
    arrows = _reduce(_arrows(house))
    rows = _rows(arrows)
    paths = _paths(arrows, rows)
    ranks = _order(rows, paths)
    return _svg(house, ranks, paths)


def _load_house() -> ModuleType:
    spec = importlib.util.spec_from_file_location("test_house", ROOT / "tests" / "test_house.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _arrows(house: ModuleType) -> Arrows:
    """Return for each room the other rooms that its files import; the floor, which all stand on, is left out."""
    arrows: Arrows = {room: set() for room in house.ALLOWED if room != "floor"}
    for path in house.FILES:
        if (room := house.room_of(path)) in arrows:
            found = {house.target_of(name) for name in house.imports_of(path)}
            arrows[room] |= {other for other in found if other in arrows and other != room}
    arrows["experiments' own methods and data"].discard("experiments")  # it is a part of it
    return arrows


def _reach(arrows: Arrows, start: str) -> set[str]:
    return arrows[start].union(*(_reach(arrows, other) for other in arrows[start]))


def _reduce(arrows: Arrows) -> Arrows:
    """Leave out the arrows that follow from others."""
    return {
        room: {b for b in others if not any(b in _reach(arrows, a) for a in others - {b})}
        for room, others in arrows.items()
    }


def _rows(arrows: Arrows) -> dict[str, int]:
    """Return the row of each room, from 0 at the bottom: one above the highest that it imports."""

    def height(room: str) -> int:
        return 1 + max((height(other) for other in arrows[room]), default=-1)

    return {room: height(room) for room in arrows}


def _paths(arrows: Arrows, rows: dict[str, int]) -> list[list[Place]]:
    """Return the places that each arrow passes, from the row of its start to that of its end."""
    return [
        [(a,), *((a, b, str(row)) for row in range(rows[a] - 1, rows[b], -1)), (b,)]
        for a in arrows
        for b in sorted(arrows[a])
    ]


def _order(rows: dict[str, int], paths: list[list[Place]]) -> list[list[Place]]:
    """Return the places of each row from left to right: by the mean position of their neighbours, again and again."""
    row_of: dict[Place, int] = {(room,): row for room, row in rows.items()}
    near: dict[Place, set[Place]] = {place: set() for place in row_of}
    for path in paths:
        for start, (a, b) in enumerate(pairwise(path)):
            row_of.setdefault(b, row_of[path[0]] - start - 1)
            near.setdefault(a, set()).add(b)
            near.setdefault(b, set()).add(a)
    ranks = [[place for place in row_of if row_of[place] == row] for row in range(max(row_of.values()) + 1)]
    for _ in range(8):
        middles = _middles(ranks)
        for rank in ranks:
            wishes = {place: sum(middles[other] for other in near[place]) / max(len(near[place]), 1) for place in rank}
            rank.sort(key=lambda place: (wishes[place], place))
            middles.update(_middles([rank]))
    return ranks


def _width(place: Place) -> int:
    return WIDTH if len(place) == 1 else BEND


def _middles(ranks: list[list[Place]]) -> dict[Place, float]:
    """Return the horizontal middle of each place, every row centred on 0."""
    middles = {}
    for rank in ranks:
        left = -(sum(map(_width, rank)) + GAP * (len(rank) - 1)) / 2
        for place in rank:
            middles[place] = left + _width(place) / 2
            left += _width(place) + GAP
    return middles


SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"
  font-family="Helvetica, Arial, sans-serif" font-size="14" role="img" aria-label="The rooms and their imports">
<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto">
<path d="M0 0 L10 5 L0 10 z" fill="#555"/></marker></defs>
<style>
  rect {{ fill: #f3f6fa; stroke: #5b7899; }}
  .named {{ fill: #fdf6e8; stroke: #b98a2f; }}
  .floor {{ fill: #eee; stroke: #999; }}
  .arrow {{ stroke: #555; fill: none; marker-end: url(#tip); }}
  text {{ text-anchor: middle; fill: #111; }}
  .name {{ font-weight: bold; }}
  .small {{ font-size: 12px; }}
</style>
<rect width="{width}" height="{height}" style="fill: #fff; stroke: none"/>
{body}
<rect class="floor" x="10" y="{floor_y}" width="{floor_width}" height="34" rx="6"/>
<g class="small" transform="translate({middle} {floor_y})">
<text y="22">{floor}: what every room stands on</text>
<text y="54">An arrow: imports. Arrows that follow from others are left out.</text>
<text y="72">Yellow: configs name classes and modules of these rooms, which are imported by that name.</text>
</g>
</svg>
"""
ROOM = """\
<g><title>{purpose}</title><rect class="{kind}" x="{left}" y="{y}" width="{width}" height="{height}" rx="6"/>
<text class="name" x="{x}" y="{name_y}"{squeeze}>{name}</text></g>"""


def _svg(house: ModuleType, ranks: list[list[Place]], paths: list[list[Place]]) -> str:
    middles = _middles(ranks)
    width = round(2 * max(abs(x) + _width(place) / 2 for place, x in middles.items()) + 20)
    top = {place: 20 + ROW * (len(ranks) - 1 - row) for row, rank in enumerate(ranks) for place in rank}
    x = {place: round(width / 2 + middle) for place, middle in middles.items()}
    body = [f'<path class="arrow" d="{_curve([(x[place], top[place]) for place in path])}"/>' for path in paths]
    named = _named_rooms(house)
    for place in (place for rank in reversed(ranks) for place in rank if len(place) == 1):
        files = [path for path in house.FILES if house.room_of(path) == place[0]]
        kind = "named" if place[0] in named else "room"
        body.append(_box(place[0], files, kind, x[place], top[place]))
    floor = 20 + ROW * len(ranks)
    return SVG.format(
        width=width,
        height=floor + 84,
        body="\n".join(body),
        floor=", ".join(sorted(house.FLOOR)),
        floor_y=floor,
        floor_width=width - 20,
        middle=width // 2,
    )


def _box(room: str, files: list[Path], kind: str, x: int, y: int) -> str:
    name = LABELS.get(room, room)
    return ROOM.format(
        purpose=escape(_purpose(files, room)),
        kind=kind,
        x=x,
        left=x - WIDTH // 2,
        y=y,
        width=WIDTH,
        height=HEIGHT,
        name=escape(name),
        name_y=y + 24,
        squeeze=f' textLength="{WIDTH - 12}" lengthAdjust="spacingAndGlyphs"' if len(name) > 18 else "",
    )


def _curve(points: list[tuple[int, int]]) -> str:
    """Return a path from the bottom of the first box to the top of the last; bends pass their row straight down."""
    (x, y), *rest = points
    parts = [f"M{x} {y + HEIGHT}"]
    y += HEIGHT
    for i, (to_x, to_y) in enumerate(rest):
        half = (y + to_y) // 2
        parts.append(f"C{x} {half} {to_x} {half} {to_x} {to_y}")
        x, y = to_x, to_y
        if i < len(rest) - 1:
            y += HEIGHT
            parts.append(f"V{y}")
    return " ".join(parts)


def _named_rooms(house: ModuleType) -> set[str]:
    """Return the rooms of the classes and modules that config files name."""
    rooms = set()
    for path in (ROOT / "conf").rglob("*.yaml"):
        for name in re.findall(r"(?:_target_|^exhibit): (\w+\.[\w.]+)", path.read_text("utf-8"), flags=re.MULTILINE):
            top, last, *_ = name.split(".")
            if top == "gdmbench" and last in gdmbench.__all__:
                name = getattr(gdmbench, last).__module__
            own = f"{top}/{last}.py" in house.OWN
            rooms.add("experiments' own methods and data" if own else house.target_of(name))
    return rooms


def _purpose(files: list[Path], room: str) -> str:
    """Return the first sentence of the room's docstring."""
    first = next((path for path in files if path.name == "__init__.py" and path.parent.name == room), files[0])
    return (ast.get_docstring(ast.parse(first.read_text("utf-8"))) or room).partition("\n")[0]


if __name__ == "__main__":
    (ROOT / "docs" / "house.svg").write_text(house_picture(), "utf-8")
