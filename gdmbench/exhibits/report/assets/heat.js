// All sweeps at a glance: every method's ratio to the best as a heat map.

function rankedMeasures(cost) {
  const known = (measure) => data.sweeps.some((sweep) => heatCells(sweep, measure).some((cell) => cell.points));
  return Object.keys(data.columns).filter((measure) => data.columns[measure].cost === cost && known(measure));
}

function heatCells(sweep, measure) {
  return Object.entries(sweep.ratios[measure] ?? {}).map(([method, cell]) => {
    const lines = [data.methods[method].label, sweep.title];
    lines.push(cell.ratio === null ? "failed everywhere" : `${formatNumber(cell.ratio)} times the best`);
    if (sweep.values.length > 1) lines.push(`${cell.points} of ${sweep.values.length} swept values`);
    if (cell.failed) lines.push(`${plural(cell.failed, "cell")} failed`);
    return {...cell, x: method, y: sweep.id, text: lines.join("\n")};
  });
}

function overviewSection() {
  const [accuracies, costs] = [rankedMeasures(false), rankedMeasures(true)];
  const measures = [...accuracies, ...costs];
  if (!measures.length) return;
  const front = accuracies.length && costs.length ? frontCard(accuracies, costs) : null;
  section("overview", "Overview", el("div", {class: "cards wide"}, heatCard(measures), front));
}

function heatCard(measures) {
  const state = {measure: measures[0]};
  const rows = d3.max(measures, (measure) => data.sweeps.filter((sweep) => sweep.ratios[measure]).length);
  return figureCard({
    id: "heat",
    heading: "Every method against the best",
    about: el(
      "p",
      {class: "faint"},
      "Ratio to the best method at each swept value, geometric mean along the sweep: 1 is best everywhere.",
    ),
    controls: (again) => select("Measure", titles(measures), measures[0], (m) => ((state.measure = m), again())),
    draw: (width) => heatFigure(state.measure, width),
    title: () => `Ratio of every method to the best, ${data.columns[state.measure].title}, by sweep`,
    room: `${110 + 30 * rows}px`,
  });
}

function heatFigure(measure, width) {
  const rows = data.sweeps.map((sweep) => heatCells(sweep, measure)).filter((row) => row.length);
  const cells = rows.flat();
  const methods = Object.keys(data.methods).filter((method) => cells.some((cell) => cell.x === method));
  const names = new Map(data.sweeps.map((sweep) => [sweep.id, sweep.name]));
  const labels = new Map(methods.map((method) => [method, shorten(data.methods[method].label, 40)]));
  const marginLeft = 14 + 7 * d3.max(rows, ([cell]) => names.get(cell.y).length);
  const letters = 6.6 * d3.max(labels.values(), (label) => label.length);
  const turned = letters > (width - marginLeft) / methods.length;
  const marginTop = turned ? 18 + 0.62 * letters : 24;
  const marginRight = turned ? Math.max(8, 0.79 * letters - 24) : 8;
  const full = Math.max(width, marginLeft + 46 * methods.length + marginRight);
  const known = cells.filter((cell) => cell.ratio !== null);
  const most = Math.max(2, d3.quantile(known, 0.95, (cell) => cell.ratio) ?? 2);
  const depth = (cell) => Math.min(1, Math.log(cell.ratio) / Math.log(most));
  const best = (cell) => cell.ratio !== null && cell.ratio < 1.005;
  const text = ({ratio, failed}) =>
    ratio === null ? "failed" : ratio.toFixed(ratio >= 9.95 ? 0 : ratio < 1.095 ? 2 : 1) + (failed ? "*" : "");
  const at = {x: "x", y: "y"};
  const svg = Plot.plot(
    frame(full, marginTop + 10 + 30 * rows.length, {
      marginLeft,
      marginTop,
      marginRight,
      marginBottom: 8,
      inset: 0,
      x: {
        domain: methods,
        axis: "top",
        tickSize: 0,
        label: null,
        tickFormat: (method) => labels.get(method),
        tickRotate: turned ? -38 : 0,
        padding: 0.04,
      },
      y: {
        domain: rows.map(([cell]) => cell.y),
        tickSize: 0,
        label: null,
        tickFormat: (id) => names.get(id),
        padding: 0.06,
      },
      marks: [
        // The deepest colour is light enough for dark figures, in either theme.
        Plot.cell(known, {...at, fill: (cell) => d3.interpolateYlOrBr(0.02 + 0.58 * depth(cell))}),
        Plot.cell(known.filter(best), {...at, stroke: "var(--edge)", strokeWidth: 1.6}),
        Plot.text(
          cells.filter((cell) => cell.ratio === null),
          {...at, text, fill: "currentColor"},
        ),
        Plot.text(known, {...at, text, fill: "#1b1b1b", fontWeight: (cell) => (best(cell) ? 700 : 400)}),
        tip(cells, {maxRadius: 40}),
      ],
    }),
  );
  svg.style.maxWidth = "none";
  svg.classList.toggle("wide", full > width);
  svg.rows = rows;
  return svg;
}

function shorten(text, most) {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
