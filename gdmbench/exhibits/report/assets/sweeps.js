// Each sweep as a figure to play with, a table to sort, and files of exactly what is seen.

function sweepCard(sweep) {
  const main = sweep.measures.filter((measure) => data.columns[measure].main);
  const state = {measure: main[0] ?? sweep.measures[0], reference: null, dots: true, hidden: new Set(), sort: null};
  const id = `sweep-${data.sweeps.indexOf(sweep)}`;
  const counts = [`${sweep.records.ok.length} cells`, plural(sweep.methods.length, "method")];
  if (sweep.scale !== "one") counts.push(`${sweep.values.length} values of ${sweep.axis.symbol || sweep.axis.name}`);
  const card = el(
    "article",
    {class: "card", id: `sweep-${sweep.id}`, "aria-labelledby": id},
    el("h3", {id}, sweep.title),
    el("p", {class: "faint"}, el("code", {}, sweep.name), ` · ${counts.join(" · ")}`),
  );
  const failed = sweep.records.ok.filter((ok) => !ok).length;
  if (failed) card.append(el("p", {class: "warn"}, `⚠ ${plural(failed, "cell")} failed: `, el("a", {href: "#failures"}, "why")));
  if (!sweep.measures.length) return card;

  // Room for the figure before it is drawn, so that addresses within the page stay where they are.
  const figure = el("div", {class: "figure", style: sweep.scale === "one" ? `min-height:${stripHeight(sweep.methods.length)}px` : "min-height:clamp(260px, 56cqw, 440px)"});
  const below = el("p", {class: "faint hint"}), table = el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": `Numbers of ${sweep.title}`});
  const controls = el("div", {class: "toolbar"}), buttons = el("div", {class: "legend-place"}), files = el("div", {class: "files", role: "group", "aria-label": "Downloads of what is seen"});
  const logX = checkbox("log x", sweep.scale === "log", (on) => ((state.logX = on), draw()), {disabled: sweep.scale === "even" || !(d3.min(sweep.numbers ?? []) > 0)});
  const logY = checkbox(sweep.scale === "one" ? "log scale" : "log y", false, (on) => ((state.logY = on), draw()));
  state.logX = sweep.scale === "log";

  const fresh = () => {
    state.logY = wantsLog(sweep, state);
    logY.firstChild.checked = state.logY;
    draw();
  };
  controls.append(
    select("Measure", sweep.measures.map((m) => [m, data.columns[m].title]), state.measure, (m) => ((state.measure = m), fresh())),
    select("Show", [["", "the measure itself"], ...sweep.methods.map((m) => [m, `ratio to ${sweep.labels[m]}`])], "", (m) => ((state.reference = m || null), fresh())),
    ...(sweep.scale === "one" ? [] : [logX]),
    logY,
    checkbox("repetitions", true, (on) => ((state.dots = on), draw())),
  );
  const name = () => `${sweep.name}-${state.measure}${state.reference ? `-to-${state.reference}` : ""}`.replace(/[^\w.-]+/g, "_");
  const save = () => {
    const svg = sweepFigure(sweep, state, 760, false);
    return standalone(svg, headingOf(sweep, state), visible(), sweep.labels, svg.hint);
  };
  const visible = () => sweep.methods.filter((method) => !state.hidden.has(method));
  const pdf = el("a", {class: "button"}, "PDF of the run");
  files.append(
    el("span", {class: "faint"}, "Download"),
    el("button", {type: "button", onclick: () => download(`${name()}.csv`, csvOf(sweep, state), "text/csv")}, "CSV"),
    el("button", {type: "button", onclick: () => download(`${name()}.tex`, latexOf(sweep, state), "application/x-tex")}, "LaTeX"),
    ...pictureButtons(name, save),
    pdf,
  );
  function draw() {
    const svg = sweepFigure(sweep, state, Math.max(280, figure.clientWidth), true);
    place(figure, svg, headingOf(sweep, state), svg.rows);
    below.textContent = svg.hint;
    drawTable();
  }
  function drawTable() {
    table.replaceChildren(sweepTable(sweep, state, drawTable));
    pdf.hidden = !sweep.files[state.measure];
    pdf.href = sweep.files[state.measure] ?? "#";
  }
  function drawAll() {
    buttons.replaceChildren(legend(sweep.methods, sweep.labels, state.hidden, draw));
    draw();
  }
  card.append(controls, buttons, figure, below, files, table);
  state.logY = wantsLog(sweep, state);
  logY.firstChild.checked = state.logY;
  buttons.append(legend(sweep.methods, sweep.labels, state.hidden, draw));
  drawTable();
  lazily(figure, drawAll);
  return card;
}

function plural(n, word) {
  return `${n} ${word}${n === 1 ? "" : "s"}`;
}

/** Logarithmic where the numbers are read so and span a factor of three, or of ten in any case; ratios from two. */
function wantsLog(sweep, state) {
  const numbers = pointsOf(sweep, state.measure, state.reference).flatMap((point) => point.dots.map((dot) => dot.y)).filter(Number.isFinite);
  const [low, high] = d3.extent(numbers);
  return low > 0 && high >= (state.reference ? 2 : data.columns[state.measure].log ? 3 : 10) * low;
}

function headingOf(sweep, state) {
  const {title} = data.columns[state.measure];
  return `${sweep.title}: ${state.reference ? `${title}, ratio to ${sweep.labels[state.reference]}` : title}`;
}

function seen(sweep, state) {
  return pointsOf(sweep, state.measure, state.reference).filter((point) => !state.hidden.has(point.method));
}

/** What a tip says of a point, and of one repetition there. */
function tipText(sweep, state, point, dot = null) {
  const at = sweep.values[point.value].text;
  const column = data.columns[state.measure].title;
  const lines = [sweep.labels[point.method] + (state.reference ? ` / ${sweep.labels[state.reference]}` : "")];
  if (at) lines.push(`${sweep.axis.symbol || sweep.axis.name} = ${at}`);
  if (dot) lines.push(`repetition ${dot.repetition}: ${formatNumber(dot.y, 4)}`);
  if (state.reference) {
    lines.push(`${column}, ratio ${formatNumber(point.mean)}${point.n > 1 ? ` (${formatNumber(point.low)} to ${formatNumber(point.high)})` : ""}`);
    lines.push("geometric mean (± one standard error)");
  } else {
    lines.push(`${column} ${formatMean(point.mean, point.se)}`, point.n > 1 ? "mean ± standard error" : "one repetition");
  }
  lines.push(`n = ${point.n}${state.reference ? " pairs" : ""}, ${point.failed} failed${point.unpaired ? `, ${point.unpaired} unpaired` : ""}`);
  return lines.join("\n");
}

function sweepFigure(sweep, state, width, onPage) {
  const dark = onPage && isDark();
  const points = seen(sweep, state).filter((point) => point.n && Number.isFinite(point.mean));
  const drawn = (y) => Number.isFinite(y) && (!state.logY || y > 0);
  const lost = points.flatMap((point) => point.dots).filter((dot) => !drawn(dot.y)).length;
  const svg = (sweep.scale === "one" ? stripFigure : lineFigure)(sweep, state, width, dark, points, drawn, onPage);
  const hints = [lost ? `${plural(lost, "repetition")} at or below 0, or infinite, can't be drawn on this scale.` : "", svg.rate ?? ""];
  svg.hint = hints.filter(Boolean).join(" ");
  return svg;
}

/** Methods as lines along the swept values. */
function lineFigure(sweep, state, width, dark, points, drawn, onPage) {
  const column = data.columns[state.measure];
  const even = sweep.scale === "even", log = state.logX && !even;
  const base = even ? d3.range(sweep.values.length) : sweep.numbers.map(log ? Math.log10 : Number);
  const span = base.at(-1) - base[0], least = d3.min(d3.pairs(base), ([a, b]) => b - a);
  // As in the run's figures, methods stand a little beside each other, so that none hides another.
  const shown = sweep.methods.filter((method) => !state.hidden.has(method));
  const one = Math.min(sweep.numbers ? 0.008 * span : Infinity, (0.5 * least) / Math.max(1, shown.length));
  const put = (point, shift = 0) => {
    const x = base[point.value] + (shown.indexOf(point.method) - (shown.length - 1) / 2) * one + shift;
    return log ? 10 ** x : x;
  };
  const edge = even ? 0.4 : 0.03 * span;
  const ends = [base[0] - edge, base.at(-1) + edge].map((x) => (log ? 10 ** x : x));
  const high = printing ? 240 : Math.round(Math.min(440, Math.max(260, 0.58 * width)));
  const means = points.filter((point) => drawn(point.mean)).map((point) => ({...point, x: put(point), text: tipText(sweep, state, point)}));
  const dots = !state.dots ? [] : points.filter((point) => point.n > 1).flatMap((point) =>
    point.dots.filter((dot) => drawn(dot.y)).map((dot) => ({method: point.method, x: put(point), y: dot.y, text: tipText(sweep, state, point, dot)})));
  const reach = [...means.flatMap((p) => [p.mean, p.low, p.high]), ...dots.map((dot) => dot.y)].filter(drawn);
  if (state.reference) reach.push(1);
  const marginLeft = 64, inner = width - marginLeft - 36;
  const pixels = base.map((x) => ((x - base[0]) / (span || 1)) * inner);
  const ticks = withoutOverlap(pixels, sweep.values.map((value) => value.text));
  const places = even ? base : sweep.numbers;
  const text = new Map(ticks.map((i) => [places[i], sweep.values[i].text]));
  const label = state.reference ? `${column.title}, ratio to ${sweep.labels[state.reference]}` : column.title;
  const ordered = Boolean(sweep.numbers), scale = measureScale(reach, state.logY);
  const rate = rateLine(sweep, state, means);
  const svg = Plot.plot(frame(width, high, dark, {
    marginLeft, marginBottom: 46, marginRight: 20, marginTop: 16,
    x: {type: log ? "log" : "linear", domain: ends},
    y: {type: scale.type, domain: scale.domain},
    marks: [
      axisX([...text.keys()], (t) => text.get(t), sweep.axis.name),
      ...axisY(scale.marks, label),
      state.reference ? Plot.ruleY([1], {stroke: "currentColor", strokeDasharray: "3,3", strokeOpacity: 0.7}) : null,
      rate.length ? Plot.line(rate, {x: "x", y: "y", stroke: dark ? FAINT.dark : FAINT.light, strokeDasharray: "7,4", strokeWidth: 1.2, clip: true}) : null,
      ...shown.flatMap((method) => {
        const mine = (rows) => rows.filter((row) => row.method === method);
        const color = colorOf(method, dark);
        return [
          Plot.dot(mine(dots), {x: "x", y: "y", r: 2.2, fill: color, fillOpacity: 0.5}),
          ordered ? Plot.line(mine(means), {x: "x", y: "mean", stroke: color, strokeWidth: 1.8, strokeDasharray: dashOf(method)}) : null,
          Plot.ruleX(mine(means).filter((p) => drawn(p.low) && Number.isFinite(p.high)), {x: "x", y1: "low", y2: "high", stroke: color, strokeWidth: 1.3}),
        ];
      }),
      ...shown.map((method) => Plot.dot(means.filter((p) => p.method === method), {x: "x", y: "mean", ...markerOf(method, dark)})),
      onPage ? Plot.tip([...means.map((p) => ({...p, y: p.mean})), ...dots], Plot.pointer({x: "x", y: "y", title: "text", maxRadius: 30, ...tipLook(dark)})) : null,
    ],
  }));
  if (rate.length) svg.rate = `Dashed: the paper's rate, ∝ (log ${sweep.axis.symbol} / ${sweep.axis.symbol})^½, through the methods' geometric mean at ${sweep.axis.symbol} = ${tickText(rate[0].x)}.`;
  svg.rows = shown.map((method) => means.filter((p) => p.method === method).map((p) => ({x: p.x, y: p.mean, text: p.text}))).filter((row) => row.length);
  return svg;
}

/** The paper's rate, (log v / v)^½, through the geometric mean of the methods at the first value. */
function rateLine(sweep, state, means) {
  if (!sweep.rate || state.reference || state.measure !== "mm_distance") return [];
  const start = sweep.numbers.findIndex((value, i) => value >= 3 && means.some((p) => p.value === i));
  if (start < 0) return [];
  const [from, to] = [sweep.numbers[start], sweep.numbers.at(-1)];
  const level = Math.exp(d3.mean(means.filter((p) => p.value === start), (p) => Math.log(p.mean)));
  const rate = (x) => Math.sqrt(Math.log(x) / x);
  return d3.range(60).map((i) => from * (to / from) ** (i / 59)).map((x) => ({x, y: (level * rate(x)) / rate(from)}));
}

function stripHeight(methods) {
  return 78 + 44 * methods;
}

/** Methods below each other where nothing was swept, the measure from left to right. */
function stripFigure(sweep, state, width, dark, points, drawn, onPage) {
  const column = data.columns[state.measure];
  const shown = sweep.methods.filter((method) => !state.hidden.has(method));
  const row = new Map(shown.map((method, i) => [method, i]));
  const means = points.filter((p) => drawn(p.mean)).map((p) => ({...p, y: row.get(p.method), text: tipText(sweep, state, p)}));
  // Multiples of the golden ratio spread any number of dots evenly, and the same way each time.
  const dots = !state.dots ? [] : points.filter((p) => p.n > 1).flatMap((p) => p.dots.filter((dot) => drawn(dot.y)).map((dot, i) => (
    {method: p.method, x: dot.y, y: row.get(p.method) + 0.5 * (((i * 0.6180339887 + 0.5) % 1) - 0.5), text: tipText(sweep, state, p, dot)})));
  const reach = [...means.flatMap((p) => [p.mean, p.low, p.high]), ...dots.map((dot) => dot.x)].filter(drawn);
  if (state.reference) reach.push(1);
  const at = sweep.values[0].text ? ` (${sweep.axis.symbol || sweep.axis.name} = ${sweep.values[0].text})` : "";
  const label = `${column.title}${at}${state.reference ? `, ratio to ${sweep.labels[state.reference]}` : ""}`;
  const marginLeft = Math.min(0.4 * width, 24 + 7.2 * d3.max(shown, (m) => sweep.labels[m].length) || 40);
  const scale = measureScale(reach, state.logY);
  const kept = withoutOverlap(scale.marks.map(along(scale, width - marginLeft - 40)), scale.marks.map(tickText));
  const ticks = kept.map((i) => scale.marks[i]);
  const svg = Plot.plot(frame(width, stripHeight(shown.length), dark, {
    marginLeft, marginBottom: 46, marginRight: 24, marginTop: 12,
    x: {type: scale.type, domain: scale.domain},
    y: {domain: [shown.length - 0.5, -0.5], ticks: d3.range(shown.length), tickFormat: (i) => sweep.labels[shown[i]] ?? "", tickSize: 0, label: null},
    marks: [
      Plot.gridX(ticks),
      axisX(ticks, tickText, label),
      state.reference ? Plot.ruleX([1], {stroke: "currentColor", strokeDasharray: "3,3", strokeOpacity: 0.7}) : null,
      ...shown.flatMap((method) => {
        const mine = (rows) => rows.filter((r) => r.method === method);
        const color = colorOf(method, dark);
        return [
          Plot.dot(mine(dots), {x: "x", y: "y", r: 2.2, fill: color, fillOpacity: 0.5}),
          Plot.ruleY(mine(means).filter((p) => drawn(p.low) && Number.isFinite(p.high)), {y: "y", x1: "low", x2: "high", stroke: color, strokeWidth: 1.8}),
          Plot.dot(mine(means), {x: "mean", y: "y", ...markerOf(method, dark)}),
        ];
      }),
      onPage ? Plot.tip([...means.map((p) => ({...p, x: p.mean})), ...dots], Plot.pointer({x: "x", y: "y", title: "text", maxRadius: 30, ...tipLook(dark)})) : null,
    ],
  }));
  svg.rows = means.map((p) => [{x: p.mean, y: p.y, text: p.text}]);
  return svg;
}

/** Heads and rows of the table below a figure: one row per swept value, one column per method, as the figure shows. */
function tableOf(sweep, state) {
  const points = seen(sweep, state);
  const methods = sweep.methods.filter((method) => !state.hidden.has(method));
  const cell = (point, plusMinus) => {
    if (!point || (!point.n && !point.failed)) return "–";
    if (!point.n) return point.failed ? "failed" : "–";
    const star = point.failed ? "*" : "";
    if (!state.reference) return formatMean(point.mean, point.se, plusMinus) + star;
    return formatNumber(point.mean) + (point.n > 1 ? ` [${formatNumber(point.low)}, ${formatNumber(point.high)}]` : "") + star;
  };
  const what = state.reference ? "ratio, geometric mean [one standard error either way]" : "mean ± standard error";
  if (sweep.scale === "one") {
    const rows = methods.map((method) => {
      const p = points.find((point) => point.method === method);
      const numbers = p ? [p.median, p.min, p.max, p.n, p.failed] : [];
      return {keys: [sweep.labels[method], p?.mean ?? NaN, ...numbers], cells: [sweep.labels[method], p, ...numbers.map((x) => formatNumber(x))], tex: sweep.tex_labels[method]};
    });
    const heads = state.reference ? ["method", "ratio"] : ["method", "mean", "median", "least", "most", "n", "failed"];
    rows.forEach((row) => ((row.cells = row.cells.slice(0, heads.length)), (row.keys = row.keys.slice(0, heads.length))));
    return {heads, texHeads: heads, rows: sorted(rows, state), cell, what};
  }
  const rows = sweep.values.map((value, i) => {
    const mine = methods.map((method) => points.find((p) => p.method === method && p.value === i));
    return {keys: [i, ...mine.map((p) => p?.mean ?? NaN)], cells: [value.text, ...mine], tex: value.tex};
  });
  return {
    heads: [sweep.axis.symbol || sweep.axis.name, ...methods.map((m) => sweep.labels[m])],
    texHeads: [sweep.axis.tex, ...methods.map((m) => sweep.tex_labels[m])],
    rows: sorted(rows, state), cell, what,
  };
}

function sorted(rows, state) {
  if (!state.sort) return rows;
  const {column, down} = state.sort;
  const order = (a, b) => (typeof a === "string" ? d3.ascending(a, b) : (Number.isNaN(a ?? NaN) ? 1 : 0) - (Number.isNaN(b ?? NaN) ? 1 : 0) || d3.ascending(a, b));
  const found = [...rows].sort((a, b) => order(a.keys[column], b.keys[column]));
  return down ? found.reverse() : found;
}

function sweepTable(sweep, state, again) {
  const {heads, rows, cell, what} = tableOf(sweep, state);
  const starred = rows.some((row) => row.cells.some((c) => c?.failed && c.n));
  const caption = `${data.columns[state.measure].title}, ${what}${state.reference ? `, to ${sweep.labels[state.reference]}` : ""}${starred ? "; * some repetitions failed" : ""}`;
  const head = heads.map((text, column) => {
    const mine = state.sort?.column === column ? state.sort : null;
    const turn = () => {
      state.sort = mine ? (mine.down ? null : {column, down: true}) : {column, down: false};
      again();
    };
    const arrow = el("span", {"aria-hidden": "true", class: "arrow"}, mine ? (mine.down ? "▼" : "▲") : "↕");
    return el("th", {scope: "col", "aria-sort": mine ? (mine.down ? "descending" : "ascending") : "none"}, el("button", {type: "button", onclick: (event) => {
      turn();
      event.target.closest("table")?.isConnected || document.getElementById(`sweep-${sweep.id}`)?.querySelectorAll("th button")[column]?.focus();
    }}, text || "value", " ", arrow));
  });
  const body = rows.map((row) => el("tr", {}, row.cells.map((c, i) => (i ? el("td", {}, typeof c === "string" ? c : cell(c)) : el("th", {scope: "row"}, c)))));
  return el("table", {class: "numbers"}, el("caption", {}, caption), el("thead", {}, el("tr", {}, head)), el("tbody", {}, body));
}

/** The points seen, with the columns of summary.csv; ratios have columns of their own. */
function csvOf(sweep, state) {
  const ratio = state.reference !== null;
  const names = ["experiment", "axis", "value", "method", "label", "measure"];
  names.push(...(ratio ? ["reference", "ratio", "low", "high", "pairs", "failed"] : ["mean", "se", "median", "min", "max", "repetitions", "failed"]));
  const rows = d3.sort(seen(sweep, state), (p) => p.value, (p) => sweep.methods.indexOf(p.method)).map((p) => {
    const who = [sweep.name, sweep.axis.key ?? "", sweep.numbers?.[p.value] ?? sweep.values[p.value].text, p.method, sweep.labels[p.method], state.measure];
    return [...who, ...(ratio ? [state.reference, p.mean, p.low, p.high, p.n, p.failed] : [p.mean, p.se, p.median, p.min, p.max, p.n, p.failed])];
  });
  return [names, ...rows].map(csvLine).join("\n") + "\n";
}

/** The table as it stands below the figure, for LaTeX with booktabs. Texts come escaped; numbers need no escape. */
function latexOf(sweep, state) {
  const {texHeads, rows, cell, what} = tableOf(sweep, state);
  const number = (c) => {
    const text = typeof c === "string" ? c : cell(c, " \\pm ");
    return text === "–" ? "--" : text === "failed" ? text : `$${text.replace("∞", "\\infty").replace(/\*$/, "^{*}")}$`;
  };
  const lines = rows.map((row) => [row.tex, ...row.cells.slice(1).map(number)]);
  const heading = `${sweep.tex}: ${data.columns[state.measure].tex}${state.reference ? `, ratio to ${sweep.tex_labels[state.reference]}` : ""}`;
  return [
    "\\begin{table}",
    "  \\centering",
    `  \\caption{${heading}, ${what.replace("±", "$\\pm$")}.}`,
    `  \\label{tab:${`${sweep.name}-${state.measure}`.replace(/[^A-Za-z0-9]+/g, "-")}}`,
    `  \\begin{tabular}{l${"r".repeat(texHeads.length - 1)}}`,
    "    \\toprule",
    `    ${texHeads.join(" & ")} \\\\`,
    "    \\midrule",
    ...lines.map((line) => `    ${line.join(" & ")} \\\\`),
    "    \\bottomrule",
    "  \\end{tabular}",
    "\\end{table}",
    "",
  ].join("\n");
}

function sweepsSection() {
  if (!data.sweeps.length) return;
  const list = data.sweeps.length > 3 ? el("nav", {class: "jump", "aria-label": "Sweeps"}, data.sweeps.map((sweep) => el("a", {href: `#sweep-${sweep.id}`}, sweep.name))) : null;
  section("sweeps", "Sweeps", list, el("div", {class: "cards"}, data.sweeps.map(sweepCard)));
}
