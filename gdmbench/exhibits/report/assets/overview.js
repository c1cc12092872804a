// All sweeps at a glance: every method's ratio to the best as a heat map, and accuracy against time.

const ratiosKnown = new Map(); // by measure: they never change

/** For each sweep and method, the geometric mean over swept values of the ratio to the best method there. */
function ratiosToBest(measure) {
  if (!ratiosKnown.has(measure)) ratiosKnown.set(measure, findRatios(measure));
  return ratiosKnown.get(measure);
}

function findRatios(measure) {
  return data.sweeps.filter((sweep) => sweep.measures.includes(measure) && sweep.methods.length > 1).flatMap((sweep) => {
    const points = pointsOf(sweep, measure).map((p) => ({...p, level: p.n && p.min > 0 ? Math.exp(d3.mean(p.dots, (dot) => Math.log(dot.y))) : NaN}));
    const best = d3.rollup(points, (at) => d3.min(at, (p) => p.level), (p) => p.value);
    return sweep.methods.map((method) => {
      const mine = points.filter((p) => p.method === method);
      const logs = mine.map((p) => Math.log(p.level / best.get(p.value))).filter(Number.isFinite);
      return {sweep, method, ratio: logs.length ? Math.exp(d3.mean(logs)) : NaN, points: logs.length, of: sweep.values.length, failed: d3.sum(mine, (p) => p.failed)};
    }).filter((cell) => cell.points || cell.failed);
  });
}

function rankedMeasures(costs) {
  return Object.keys(data.columns).filter((m) => data.columns[m].ranked && (costs === null || data.columns[m].cost === costs) && ratiosToBest(m).some((cell) => cell.points));
}

function overviewSection() {
  const measures = rankedMeasures(null);
  if (!measures.length) return;
  section("overview", "Overview", el("div", {class: "cards wide"}, heatCard(measures), frontCard()));
}

function heatCard(measures) {
  const state = {measure: measures[0]};
  const figure = el("div", {class: "figure", style: `min-height:${110 + 30 * d3.max(measures, (m) => new Set(ratiosToBest(m).map((cell) => cell.sweep)).size)}px`});
  const scroll = el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Heat map"}, figure);
  const draw = () => {
    const cells = ratiosToBest(state.measure);
    place(figure, heatFigure(cells, figure.clientWidth, isDark()), `Ratio of every method to the best, ${data.columns[state.measure].title}, by sweep`, heatRows(cells));
  };
  const again = lazily(scroll, draw);
  return el(
    "article", {class: "card", id: "heat", "aria-labelledby": "heat-heading"}, el("h3", {id: "heat-heading"}, "Every method against the best"),
    el("p", {class: "faint"}, "Ratio to the best method at each swept value, geometric mean along the sweep: 1 is best everywhere."),
    el("div", {class: "toolbar"}, select("Measure", measures.map((m) => [m, data.columns[m].title]), state.measure, (m) => ((state.measure = m), again()))),
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
  return d3.groups(cells, (cell) => cell.sweep.id).map(([, row]) => row.map((cell) => ({x: cell.method, y: cell.sweep.id, text: heatText(cell)})));
}

function heatFigure(cells, width, dark) {
  const methods = Object.keys(data.methods).filter((method) => cells.some((cell) => cell.method === method));
  const sweeps = data.sweeps.filter((sweep) => cells.some((cell) => cell.sweep === sweep));
  const title = new Map(sweeps.map((sweep) => [sweep.id, sweep.name]));
  const marginLeft = 14 + 7 * d3.max(sweeps, (sweep) => sweep.name.length);
  const labels = methods.map((method) => shorten(data.methods[method].label, 22));
  const letters = d3.max(labels, (label) => label.length) * 6.6, turn = letters > (width - marginLeft) / methods.length ? -38 : 0;
  const marginTop = turn ? 18 + 0.62 * letters : 24, marginRight = turn ? Math.max(8, 0.79 * letters - 24) : 8;
  const full = Math.max(width, marginLeft + 46 * methods.length + marginRight);
  const most = Math.max(2, d3.quantile(cells.map((cell) => cell.ratio).filter(Number.isFinite).sort(d3.ascending), 0.95) ?? 2);
  const depth = (cell) => Math.min(1, Math.log(cell.ratio) / Math.log(most));
  const color = dark ? d3.interpolateRgbBasis(["#26323a", "#2f5d6e", "#c2803a", "#f3b28a"]) : d3.interpolateRgbBasis(["#f3f7f4", "#bcd9d3", "#e0a565", "#a63c12"]);
  const ink = (cell) => (Number.isNaN(cell.ratio) || contrast(color(depth(cell)), INK.light) >= 4.5 ? null : "#ffffff");
  const fill = (cell) => (Number.isNaN(cell.ratio) ? "none" : color(depth(cell)));
  const text = (cell) => (Number.isNaN(cell.ratio) ? "failed" : (cell.ratio >= 9.95 ? cell.ratio.toFixed(0) : cell.ratio.toFixed(cell.ratio < 1.095 ? 2 : 1)) + (cell.failed ? "*" : ""));
  const textInk = (cell) => (fill(cell) === "none" ? (dark ? INK.dark : INK.light) : ink(cell) ?? INK.light);
  const svg = Plot.plot(frame(full, marginTop + 10 + 30 * sweeps.length, dark, {
    marginLeft, marginTop, marginRight, marginBottom: 8, inset: 0,
    x: {type: "band", domain: methods, axis: "top", tickSize: 0, label: null, tickFormat: (m) => labels[methods.indexOf(m)], tickRotate: turn, padding: 0.04},
    y: {type: "band", domain: sweeps.map((sweep) => sweep.id), tickSize: 0, label: null, tickFormat: (id) => title.get(id), padding: 0.06},
    marks: [
      Plot.cell(cells, {x: "method", y: (cell) => cell.sweep.id, fill, stroke: (cell) => (cell.ratio < 1.005 ? (dark ? INK.dark : INK.light) : "none"), strokeWidth: 1.2}),
      Plot.text(cells, {x: "method", y: (cell) => cell.sweep.id, text, fill: textInk, fontWeight: (cell) => (cell.ratio < 1.005 ? 700 : 400)}),
      Plot.tip(cells, Plot.pointer({x: "method", y: (cell) => cell.sweep.id, title: heatText, ...tipLook(dark)})),
    ],
  }));
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
    const [red, green, rest] = [r, g, blue].map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * rest + 0.05;
  });
  return Math.max(x, y) / Math.min(x, y);
}

function frontCard() {
  const accuracies = rankedMeasures(false), costs = rankedMeasures(true);
  if (!accuracies.length || !costs.length) return null;
  const state = {measure: accuracies[0], cost: costs[0], scope: "", hidden: new Set()};
  const figure = el("div", {class: "figure", style: "min-height:clamp(270px, 60cqw, 430px)"}), buttons = el("div", {class: "legend-place"}), hint = el("p", {class: "faint hint"});
  const labels = Object.fromEntries(Object.entries(data.methods).map(([method, {label}]) => [method, label]));
  const methods = () => [...new Set(frontPoints(state).map((p) => p.method))];
  const drawHere = () => {
    const svg = frontFigure(state, Math.max(280, figure.clientWidth), isDark(), true);
    place(figure, svg, frontHeading(state), svg.rows);
    hint.textContent = state.scope ? "One mark for each method and swept value; the line is the Pareto front: nothing is both faster and more accurate." : "Ratios to the best at each point, geometric means. Large marks: over the sweeps that have all methods which took part in at least half of them; small marks: every method in each sweep. The line is the Pareto front of the large marks.";
  };
  const draw = () => {
    const shown = methods();
    buttons.replaceChildren(legend(Object.keys(data.methods).filter((m) => shown.includes(m)), labels, state.hidden, drawHere));
    drawHere();
  };
  const again = lazily(figure, draw);
  const both = data.sweeps.filter((sweep) => sweep.methods.length > 1 && accuracies.some((m) => sweep.measures.includes(m)));
  const name = () => `accuracy-time-${state.measure}${state.scope ? `-${state.scope}` : ""}`.replace(/[^\w.-]+/g, "_");
  const save = () => standalone(frontFigure(state, 760, false, false), frontHeading(state), Object.keys(data.methods).filter((m) => methods().includes(m) && !state.hidden.has(m)), labels);
  return el(
    "article", {class: "card", id: "front", "aria-labelledby": "front-heading"}, el("h3", {id: "front-heading"}, "Accuracy against time"),
    el("div", {class: "toolbar"},
      select("Sweep", [["", "all sweeps"], ...both.map((sweep) => [sweep.id, sweep.name])], "", (s) => ((state.scope = s), again())),
      select("Accuracy", accuracies.map((m) => [m, data.columns[m].title]), state.measure, (m) => ((state.measure = m), again())),
      select("Cost", costs.map((m) => [m, data.columns[m].title]), state.cost, (m) => ((state.cost = m), again()))),
    buttons, figure, hint,
    el("div", {class: "files", role: "group", "aria-label": "Downloads of what is seen"}, el("span", {class: "faint"}, "Download"),
      el("button", {type: "button", onclick: () => download(`${name()}.csv`, frontCsv(state), "text/csv")}, "CSV"), ...pictureButtons(name, save)),
  );
}

function frontHeading({measure, cost, scope}) {
  const what = `${data.columns[measure].title} against ${data.columns[cost].title}`;
  return scope ? `${data.sweeps.find((sweep) => sweep.id === scope).title}: ${what}` : `${what}, ratios to the best over all sweeps`;
}

/** One point for each method and sweep, or of a single sweep for each method and swept value; `main` ones are large. */
function frontPoints({measure, cost, scope}) {
  if (scope) {
    const sweep = data.sweeps.find((s) => s.id === scope);
    if (!sweep.measures.includes(measure) || !sweep.measures.includes(cost)) return [];
    const time = new Map(pointsOf(sweep, cost).map((p) => [`${p.method} ${p.value}`, p.mean]));
    return pointsOf(sweep, measure).filter((p) => p.mean > 0 && Number.isFinite(p.mean)).map((p) => ({method: p.method, x: time.get(`${p.method} ${p.value}`), y: p.mean, at: sweep.values[p.value].text, main: true})).filter((p) => p.x > 0);
  }
  const times = new Map(ratiosToBest(cost).map((cell) => [`${cell.sweep.id} ${cell.method}`, cell.ratio]));
  const small = ratiosToBest(measure).map((cell) => ({method: cell.method, x: times.get(`${cell.sweep.id} ${cell.method}`), y: cell.ratio, at: cell.sweep.name, main: false})).filter((p) => p.x > 0 && p.y > 0);
  const mean = (rows, get) => Math.exp(d3.mean(rows, (row) => Math.log(get(row))));
  const common = inCommon(small);
  const large = d3.groups(small.filter((p) => common.methods.has(p.method) && common.sweeps.has(p.at)), (p) => p.method)
    .map(([method, rows]) => ({method, x: mean(rows, (p) => p.x), y: mean(rows, (p) => p.y), at: `over ${plural(rows.length, "sweep")}`, main: true}));
  return [...small, ...large];
}

/** Methods that took part in at least half of the sweeps, and the sweeps that have all of them: only there is a ratio
 *  to the best the same yardstick for each. Where no sweep has all, the rarest method gives way. */
function inCommon(points) {
  const byMethod = d3.rollup(points, (rows) => new Set(rows.map((p) => p.at)), (p) => p.method);
  const all = new Set(points.map((p) => p.at));
  const often = d3.sort([...byMethod].filter(([, sweeps]) => 2 * sweeps.size >= all.size), ([, sweeps]) => -sweeps.size);
  for (let n = often.length; n; n--) {
    const kept = often.slice(0, n);
    const sweeps = new Set([...all].filter((name) => kept.every(([, mine]) => mine.has(name))));
    if (sweeps.size) return {methods: new Set(kept.map(([method]) => method)), sweeps};
  }
  return {methods: new Set(), sweeps: new Set()};
}

/** Those that no other beats in both. */
function paretoFront(points) {
  let best = Infinity;
  return d3.sort(points, (p) => p.x, (p) => p.y).filter((p) => p.y < best && ((best = p.y), true));
}

function frontFigure(state, width, dark, onPage) {
  const points = frontPoints(state).filter((p) => !state.hidden.has(p.method));
  const large = points.filter((p) => p.main), front = paretoFront(large);
  const sweep = data.sweeps.find((s) => s.id === state.scope);
  const say = (p) => [data.methods[p.method].label, sweep ? (p.at ? `${sweep.axis.symbol || sweep.axis.name} = ${p.at}` : "") : p.at, `${data.columns[state.measure].title} ${formatNumber(p.y)}${sweep ? "" : " times the best"}`, `${data.columns[state.cost].title} ${formatNumber(p.x)}${sweep ? "" : " times the fastest"}`, front.includes(p) ? "on the front" : ""].filter(Boolean).join("\n");
  const rows = points.map((p) => ({...p, text: say(p)}));
  const unit = sweep ? "" : ", ratio to the best";
  const high = Math.round(Math.min(430, Math.max(270, 0.62 * width)));
  const x = measureScale(points.map((p) => p.x), true);
  const y = measureScale(points.map((p) => p.y), true);
  const kept = withoutOverlap(x.marks.map(along(x, width - 108)), x.marks.map(tickText)).map((i) => x.marks[i]);
  const svg = Plot.plot(frame(width, high, dark, {
    marginLeft: 64, marginBottom: 46, marginRight: 20, marginTop: 16, inset: 12,
    x: {type: x.type, domain: x.domain},
    y: {type: y.type, domain: y.domain},
    marks: [
      axisX(kept, tickText, `${data.columns[state.cost].title}${unit}`),
      ...axisY(y.marks, `${data.columns[state.measure].title}${unit}`),
      Plot.line(front, {x: "x", y: "y", curve: "step-after", stroke: "currentColor", strokeOpacity: 0.55, strokeWidth: 1.4, strokeDasharray: "5,3"}),
      ...Object.keys(data.methods).flatMap((method) => [
        Plot.dot(points.filter((p) => p.method === method && !p.main), {x: "x", y: "y", ...markerOf(method, dark), r: 3, opacity: 0.55}),
        Plot.dot(large.filter((p) => p.method === method), {x: "x", y: "y", ...markerOf(method, dark), r: sweep ? 5 : 8}),
      ]),
      sweep ? null : Plot.text(large, {x: "x", y: "y", text: (p) => data.methods[p.method].label, dx: 11, dy: -9, textAnchor: "start", stroke: dark ? PAPER.dark : PAPER.light, fill: "currentColor", strokeWidth: 3}),
      onPage ? Plot.tip(rows, Plot.pointer({x: "x", y: "y", title: "text", maxRadius: 30, ...tipLook(dark)})) : null,
    ],
  }));
  svg.rows = d3.groups(rows.filter((p) => p.main), (p) => p.method).map(([, row]) => row);
  return svg;
}

function frontCsv(state) {
  const points = frontPoints(state).filter((p) => !state.hidden.has(p.method));
  const front = new Set(paretoFront(points.filter((p) => p.main)));
  const rows = points.map((p) => [p.method, data.methods[p.method].label, p.at, p.x, p.y, p.main ? (front.has(p) ? "yes" : "no") : ""]);
  return [["method", "label", state.scope ? "value" : "sweep", state.cost, state.measure, "front"], ...rows].map(csvLine).join("\n") + "\n";
}
