"""Takes the pictures of report.html that the README and docs/report.md show: python docs/make_screenshots.py PAGE.

PAGE is the report of the whole paper. Needs what the tests in tests/browser need, and Pillow, which matplotlib brings.
"""

import io
import shutil
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

IMAGES = Path(__file__).parent / "images"
CLAIM, SWEEP = "rates", "vary_M"


def main(path: Path) -> None:
    """Write the first screen with a claim's evidence, and a sweep beside its neighbour."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 1000}, color_scheme="light")
        page.goto(path.resolve().as_uri())
        page.wait_for_selector("html[data-ready]")
        page.get_by_label("Search").fill(CLAIM)
        page.locator(f"#claim-{CLAIM} .opener").click()
        _save(page, "report.png")
        page.locator(f"#sweep-{SWEEP}").evaluate("(card) => card.scrollIntoView()")
        page.locator(f"#sweep-{SWEEP} .figure svg").wait_for()
        page.locator(f"#sweep-{SWEEP} .figure g[aria-label=dot] path").last.hover(force=True)
        _save(page, "report_sweeps.png")
        browser.close()


def _save(page: Page, name: str) -> None:
    """Save with 256 colours, which is enough for figures and text and a third of the bytes."""
    page.wait_for_timeout(500)  # figures that came into view are being drawn
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    picture.quantize(256, kmeans=3, dither=Image.Dither.NONE).save(IMAGES / name, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
