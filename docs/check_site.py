"""Check a built site: `python docs/check_site.py docs/_build`.

Sphinx warns of references it can't resolve. This looks at what came of it: every link to a file or to a place in a page
leads somewhere, and no page loads anything from elsewhere, so that the site works from a disk.
"""

import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src")}  # what a page needs to be shown


class Page(HTMLParser):
    """The links of a page, what it loads, and the places in it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.places: set[str] = {"", "top"}
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take in one tag."""
        for name, value in attrs:
            if name == "id" or (tag == "a" and name == "name"):
                self.places.add(value or "")
            elif (tag, name) in LOADED:
                self.loads.append(value or "")
            elif tag == "a" and name == "href":
                self.links.append(value or "")


def problems(folder: Path) -> Iterator[str]:
    """Yield one sentence for each link that leads nowhere and each thing loaded from elsewhere."""
    pages = {path.resolve(): Page(path) for path in sorted(folder.rglob("*.html")) if "_static" not in path.parts}
    if not pages:
        yield f"{folder} has no pages: build the site first."
    for path, page in pages.items():
        name = path.relative_to(folder.resolve())
        for link in page.loads:
            if urlsplit(link).netloc:
                yield f"{name} loads {link} from elsewhere."
        for link in [*page.links, *page.loads]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue  # another site, which is not asked
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.exists():
                yield f"{name} links to {link}, which is not there."
            elif target in pages and unquote(parts.fragment) not in pages[target].places:
                yield f"{name} links to {link}, but the page has no such place."


if __name__ == "__main__":
    found = list(problems(Path(sys.argv[1])))
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)
