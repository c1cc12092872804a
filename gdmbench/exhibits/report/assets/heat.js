// All sweeps at a glance: every method's ratio to the best as a heat map.

const ratiosKnown = new Map(); // by measure: they never change

/** For each sweep and method, the geometric mean over swept values of the ratio to the best method there. */
function ratiosToBest(measure) {
  if (!ratiosKnown.has(measure)) ratiosKnown.set(measure, findRatios(measure));
  return ratiosKnown.get(measure);
}

function findRatios(measure) {
  return data.sweeps
    .filter((sweep) => sweep.measures.includes(measure) && sweep.methods.length > 1)
    .flatMap((sweep) => {
      const points = pointsOf(sweep, measure).map((p) => ({
        ...p,
        level: p.n && p.min > 0 ? Math.exp(d3.mean(p.dots, (dot) => Math.log(dot.y))) : NaN,
      }));
      const best = d3.rollup(
        points,
        (at) => d3.min(at, (p) => p.level),
        (p) => p.value,
      );
      return sweep.methods
        .map((method) => {
          const mine = points.filter((p) => p.method === method);
          const logs = mine.map((p) => Math.log(p.level / best.get(p.value))).filter(Number.isFinite);
          return {
            sweep,
            method,
            ratio: logs.length ? Math.exp(d3.mean(logs)) : NaN,
            points: logs.length,
            of: sweep.values.length,
            failed: d3.sum(mine, (p) => p.failed),
          };
        })
        .filter((cell) => cell.points || cell.failed);
    });
}

function rankedMeasures(costs) {
  return Object.keys(data.columns).filter(
    (m) =>
      data.columns[m].ranked &&
      (costs === null || data.columns[m].cost === costs) &&
      ratiosToBest(m).some((cell) => cell.points),
  );
}

function overviewSection() {
  const measures = rankedMeasures(null);
  if (!measures.length) return;
  section("overview", "Overview", el("div", {class: "cards wide"}, heatCard(measures), frontCard()));
}

function heatCard(measures) {
  const state = {measure: measures[0]};
  const rows = d3.max(measures, (m) => new Set(ratiosToBest(m).map((cell) => cell.sweep)).size);
  const room = `${110 + 30 * rows}px`; // a guess, until it is drawn
  const figure = el("div", {class: "figure", style: `min-height:${room}`});
  const scroll = el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Heat map"}, figure);
  const draw = () => {
    const cells = ratiosToBest(state.measure);
    const svg = heatFigure(cells, figure.clientWidth, isDark());
    // A box that scrolls cuts off the tips of the last rows, so it keeps room for them below; any other needs none.
    const fits = Number(svg.getAttribute("width")) <= figure.clientWidth;
    scroll.classList.toggle("fits", fits);
    figure.style.minHeight = fits ? "0" : room;
    place(
      figure,
      svg,
      `Ratio of every method to the best, ${data.columns[state.measure].title}, by sweep`,
      heatRows(cells),
    );
  };
  const again = lazily(scroll, draw);
  return el(
    "article",
    {class: "card", id: "heat", "aria-labelledby": "heat-heading"},
    el("h3", {id: "heat-heading"}, "Every method against the best"),
    el(
      "p",
      {class: "faint"},
      "Ratio to the best method at each swept value, geometric mean along the sweep: 1 is best everywhere.",
    ),
    el(
      "div",
      {class: "toolbar"},
      select(
        "Measure",
        measures.map((m) => [m, data.columns[m].title]),
        state.measure,
        (m) => ((state.measure = m), again()),
      ),
    ),
    scroll,
  );
}

function heatText(cell) {
  const lines = [data.methods[cell.method].label, cell.sweep.title];
  lines.push(Number.isNaN(cell.ratio) ? "failed everywhere" : `${formatNumber(cell.ratio)} times the best`);
  if (cell.of > 1) lines.push(`${cell.points} of ${cell.of} swept values`);
  if (cell.failed) lines.push(`${plural(cell.failed, "cell")} failed`);
  return lines.join("\n");
}

function heatRows(cells) {
  return d3
    .groups(cells, (cell) => cell.sweep.id)
    .map(([, row]) => row.map((cell) => ({x: cell.method, y: cell.sweep.id, text: heatText(cell)})));
}

function heatFigure(cells, width, dark) {
  const methods = Object.keys(data.methods).filter((method) => cells.some((cell) => cell.method === method));
  const sweeps = data.sweeps.filter((sweep) => cells.some((cell) => cell.sweep === sweep));
  const title = new Map(sweeps.map((sweep) => [sweep.id, sweep.name]));
  const marginLeft = 14 + 7 * d3.max(sweeps, (sweep) => sweep.name.length);
  const labels = methods.map((method) => shorten(data.methods[method].label, 22));
  const letters = d3.max(labels, (label) => label.length) * 6.6,
    turn = letters > (width - marginLeft) / methods.length ? -38 : 0;
  const marginTop = turn ? 18 + 0.62 * letters : 24,
    marginRight = turn ? Math.max(8, 0.79 * letters - 24) : 8;
  const full = Math.max(width, marginLeft + 46 * methods.length + marginRight);
  const most = Math.max(
    2,
    d3.quantile(
      cells
        .map((cell) => cell.ratio)
        .filter(Number.isFinite)
        .sort(d3.ascending),
      0.95,
    ) ?? 2,
  );
  const depth = (cell) => Math.min(1, Math.log(cell.ratio) / Math.log(most));
  const color = dark
    ? d3.interpolateRgbBasis(["#26323a", "#2f5d6e", "#c2803a", "#f3b28a"])
    : d3.interpolateRgbBasis(["#f3f7f4", "#bcd9d3", "#e0a565", "#a63c12"]);
  const ink = (cell) => (Number.isNaN(cell.ratio) || contrast(color(depth(cell)), INK.light) >= 4.5 ? null : "#ffffff");
  const fill = (cell) => (Number.isNaN(cell.ratio) ? "none" : color(depth(cell)));
  const text = (cell) =>
    Number.isNaN(cell.ratio)
      ? "failed"
      : (cell.ratio >= 9.95 ? cell.ratio.toFixed(0) : cell.ratio.toFixed(cell.ratio < 1.095 ? 2 : 1)) +
        (cell.failed ? "*" : "");
  const textInk = (cell) => (fill(cell) === "none" ? (dark ? INK.dark : INK.light) : (ink(cell) ?? INK.light));
  const svg = Plot.plot(
    frame(full, marginTop + 10 + 30 * sweeps.length, dark, {
      marginLeft,
      marginTop,
      marginRight,
      marginBottom: 8,
      inset: 0,
      x: {
        type: "band",
        domain: methods,
        axis: "top",
        tickSize: 0,
        label: null,
        tickFormat: (m) => labels[methods.indexOf(m)],
        tickRotate: turn,
        padding: 0.04,
      },
      y: {
        type: "band",
        domain: sweeps.map((sweep) => sweep.id),
        tickSize: 0,
        label: null,
        tickFormat: (id) => title.get(id),
        padding: 0.06,
      },
      marks: [
        Plot.cell(cells, {
          x: "method",
          y: (cell) => cell.sweep.id,
          fill,
          stroke: (cell) => (cell.ratio < 1.005 ? (dark ? INK.dark : INK.light) : "none"),
          strokeWidth: 1.2,
        }),
        Plot.text(cells, {
          x: "method",
          y: (cell) => cell.sweep.id,
          text,
          fill: textInk,
          fontWeight: (cell) => (cell.ratio < 1.005 ? 700 : 400),
        }),
        Plot.tip(cells, Plot.pointer({x: "method", y: (cell) => cell.sweep.id, title: heatText, ...tipLook(dark)})),
      ],
    }),
  );
  svg.style.maxWidth = "none";
  return svg;
}

function shorten(text, most) {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** Contrast of two colours as WCAG counts it. */
function contrast(a, b) {
  const [x, y] = [a, b].map((color) => {
    const {r, g, b: blue} = d3.rgb(color);
    const [red, green, rest] = [r, g, blue].map((c) =>
      c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * rest + 0.05;
  });
  return Math.max(x, y) / Math.min(x, y);
}
