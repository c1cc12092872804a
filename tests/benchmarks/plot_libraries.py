"""Size and start-up of plotting libraries in a page opened from a file: Observable Plot, Vega-Lite, Plotly.

    npm pack d3 @observablehq/plot vega vega-lite vega-embed plotly.js-basic-dist-min plotly.js-cartesian-dist-min
    python tests/benchmarks/plot_libraries.py FOLDER     # with the minified files of these packages

Each page holds the library in itself and draws the same twenty figures: five methods at seven values, lines with
markers and error bars, and 175 dots, both axes logarithmic. Printed are kilobytes, the time to load the script, the
time to draw one figure, the time from opening the page to the last figure (medians of five), and whether the library
works where a Content-Security-Policy forbids code made from strings.
"""

import gzip
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

LIBRARIES = {
    "Observable Plot": ("d3.min.js", "plot.umd.min.js"),
    "Vega-Lite": ("vega.min.js", "vega-lite.min.js", "vega-embed.min.js"),
    "Plotly basic": ("plotly-basic.min.js",),
    "Plotly cartesian": ("plotly-cartesian.min.js",),
}
DATA = """
const points = [], dots = [], methods = ["a", "b", "c", "d", "e"];
methods.forEach((method, k) => [100, 200, 500, 1000, 2000, 4000, 7000].forEach((x) => {
  const y = 0.05 * (k + 1) / Math.sqrt(x);
  points.push({method, x, y, low: 0.9 * y, high: 1.1 * y});
  for (let r = 0; r < 5; r++) dots.push({method, x, y: y * (0.8 + 0.1 * r)});
}));
"""
DRAW = {
    "Observable Plot": """
      const draw = async (at) => at.append(Plot.plot({width: 600, height: 350, x: {type: "log"}, y: {type: "log"},
        marks: [Plot.dot(dots, {x: "x", y: "y", r: 2, fill: "method"}),
                Plot.ruleX(points, {x: "x", y1: "low", y2: "high", stroke: "method"}),
                Plot.line(points, {x: "x", y: "y", stroke: "method"}),
                Plot.dot(points, {x: "x", y: "y", symbol: "method", fill: "method", tip: true})]}));""",
    "Vega-Lite": """
      const scale = {scale: {type: "log"}, type: "quantitative"}, color = {field: "method", type: "nominal"};
      const x = {field: "x", ...scale};
      const draw = (at) => vegaEmbed(at, {width: 540, height: 300, layer: [
        {data: {values: dots}, mark: {type: "circle", size: 8}, encoding: {x, y: {field: "y", ...scale}, color}},
        {data: {values: points}, mark: "rule", encoding: {x, y: {field: "low", ...scale}, y2: {field: "high"}, color}},
        {data: {values: points}, mark: {type: "line", point: true, tooltip: true},
         encoding: {x, y: {field: "y", ...scale}, color, shape: color}}]}, {actions: false, renderer: "svg"});""",
    "Plotly": """
      const draw = (at) => Plotly.newPlot(at, methods.flatMap((m) => {
        const mine = points.filter((p) => p.method === m), all = dots.filter((p) => p.method === m);
        return [{x: all.map((p) => p.x), y: all.map((p) => p.y), mode: "markers", marker: {size: 3}, name: m},
                {x: mine.map((p) => p.x), y: mine.map((p) => p.y), mode: "lines+markers", name: m,
                 error_y: {array: mine.map((p) => p.high - p.y)}}];
      }), {width: 600, height: 350, xaxis: {type: "log"}, yaxis: {type: "log"}});""",
}
FIGURES = 20


def page_of(name: str, scripts: list[str], policy: str = "") -> str:
    """Return a page that loads the library, draws the figures and notes its times."""
    library = "\n".join(f"<script>{script}</script>" for script in scripts)
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">' if policy else ""
    code = next(code for start, code in DRAW.items() if name.startswith(start))
    return f"""<!doctype html><meta charset="utf-8">{meta}<body><script>window.started = performance.now();</script>
    {library}<script>(async () => {{ const loaded = performance.now(); {DATA} {code}
      try {{
        for (let n = 0; n < {FIGURES}; n++) await draw(document.body.appendChild(document.createElement("div")));
        const now = performance.now();
        window.result = [loaded - window.started, (now - loaded) / {FIGURES}, now];
      }} catch (error) {{ window.result = String(error); }}
    }})();</script>"""


def main(folder: Path) -> None:
    """Measure every library and print a line for each."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as aside:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])

        def timed(html: str) -> list[float] | str:
            path = Path(aside) / "page.html"
            path.write_text(html, "utf-8")
            page = browser.new_page()
            page.goto(path.as_uri())
            page.wait_for_function("window.result !== undefined")
            result = page.evaluate("window.result")
            page.close()
            return result

        print(f"{'':18} {'kB':>6} {'gzip':>6} {'load ms':>8} {'draw ms':>8} {'all ms':>8}  without eval")
        for name, files in LIBRARIES.items():
            scripts = [(folder / file).read_text("utf-8") for file in files]
            size = sum(len(script.encode()) for script in scripts)
            packed = sum(len(gzip.compress(script.encode())) for script in scripts)
            runs = [timed(page_of(name, scripts)) for _ in range(5)]
            load, draw, whole = (statistics.median(float(run[i]) for run in runs) for i in range(3))
            strict = timed(page_of(name, scripts, "script-src 'unsafe-inline'"))
            works = "works" if isinstance(strict, list) else strict[:60]
            print(f"{name:18} {size / 1000:6.0f} {packed / 1000:6.0f} {load:8.0f} {draw:8.1f} {whole:8.0f}  {works}")
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
