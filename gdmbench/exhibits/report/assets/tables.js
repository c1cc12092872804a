// The numbers of a sweep as a table, as CSV and as LaTeX.

/**
 * Heads and rows of the table below a figure, as the figure shows it: one row per swept value and one column per
 * method, or one row per method where nothing was swept. Cells have a text, and a key to sort by.
 */
function tableOf(sweep, state) {
  const points = seen(sweep, state);
  const methods = visible(sweep, state);
  const find = (method, value) => points.find((point) => point.method === method && point.value === value);
  const mean = (point) => ({key: point?.mean ?? NaN, text: pointText(point, state)});
  const plain = (x) => ({key: x ?? NaN, text: formatNumber(x)});
  const what = state.reference ? "ratio, geometric mean [one standard error either way]" : "mean ± standard error";
  const star = points.some((point) => point.failed && point.n) ? "; * some repetitions failed" : "";
  if (sweep.scale === "one") {
    const rows = methods.map((method) => {
      const p = find(method, 0);
      const rest = state.reference ? [] : [p?.median, p?.min, p?.max, p?.n, p?.failed].map(plain);
      const name = {key: sweep.labels[method], text: sweep.labels[method]};
      return {tex: sweep.tex_labels[method], cells: [name, mean(p), ...rest]};
    });
    const heads = state.reference ? ["method", "ratio"] : ["method", "mean", "median", "least", "most", "n", "failed"];
    return {heads, texHeads: heads, rows: sorted(rows, state), what, star};
  }
  const rows = sweep.values.map((value, i) => {
    const name = {key: i, text: value.text};
    return {tex: value.tex, cells: [name, ...methods.map((method) => mean(find(method, i)))]};
  });
  return {
    heads: [axisName(sweep), ...methods.map((method) => sweep.labels[method])],
    texHeads: [sweep.axis.tex, ...methods.map((method) => sweep.tex_labels[method])],
    rows: sorted(rows, state),
    what,
    star,
  };
}

function pointText(point, state) {
  if (!point?.n) return point?.failed ? "failed" : "–";
  const star = point.failed ? "*" : "";
  if (!state.reference) return point.text + star;
  const reach = point.n > 1 ? ` [${formatNumber(point.low)}, ${formatNumber(point.high)}]` : "";
  return formatNumber(point.mean) + reach + star;
}

/** Rows in the order that was clicked; a column that is gone by now changes nothing. */
function sorted(rows, state) {
  if (!state.sort) return rows;
  const {column, down} = state.sort;
  const found = d3.sort(rows, (row) => row.cells[column]?.key);
  return down ? found.reverse() : found;
}

function sweepTable(sweep, state, again) {
  const {heads, rows, what, star} = tableOf(sweep, state);
  const to = state.reference ? `, to ${sweep.labels[state.reference]}` : "";
  const sorters = heads.map((text, column) => {
    const mine = state.sort?.column === column ? state.sort : null;
    const turn = () => {
      state.sort = mine?.down ? null : {column, down: Boolean(mine)};
      again();
      document.getElementById(`sweep-${sweep.id}`).querySelectorAll("th button")[column].focus();
    };
    const arrow = el("span", {"aria-hidden": "true", class: "arrow"}, mine ? (mine.down ? "▼" : "▲") : "↕");
    const order = mine ? (mine.down ? "descending" : "ascending") : "none";
    return el("th", {scope: "col", "aria-sort": order}, button([text || "value", " ", arrow], turn));
  });
  const texts = rows.map((row) => row.cells.map((cell) => cell.text));
  return table(`${data.columns[state.measure].title}, ${what}${to}${star}`, sorters, texts, {class: "numbers"});
}

/** The points seen, with the columns of summary.csv; ratios have columns of their own. */
function csvOf(sweep, state) {
  const names = ["experiment", "axis", "value", "method", "label", "measure"];
  const numbers = state.reference
    ? ["reference", "ratio", "low", "high", "pairs", "failed"]
    : ["mean", "se", "median", "min", "max", "repetitions", "failed"];
  const rows = seen(sweep, state).map((p) => [
    sweep.name,
    sweep.axis.key ?? "",
    sweep.numbers?.[p.value] ?? sweep.values[p.value].text,
    p.method,
    sweep.labels[p.method],
    state.measure,
    ...(state.reference
      ? [state.reference, p.mean, p.low, p.high, p.n, p.failed]
      : [p.mean, p.se, p.median, p.min, p.max, p.n, p.failed]),
  ]);
  return csvText([[...names, ...numbers], ...rows]);
}

/** The table as it stands below the figure, for LaTeX with booktabs. Texts come escaped; numbers need no escape. */
function latexOf(sweep, state) {
  const {texHeads, rows, what} = tableOf(sweep, state);
  const number = ({text}) => {
    if (text === "failed") return text;
    if (text === "–") return "--";
    return `$${text.replace("±", "\\pm").replace("∞", "\\infty").replace(/\*$/, "^{*}")}$`;
  };
  const lines = [texHeads, ...rows.map((row) => [row.tex, ...row.cells.slice(1).map(number)])];
  const [head, ...body] = lines.map((line) => `    ${line.join(" & ")} \\\\`);
  const to = state.reference ? `, ratio to ${sweep.tex_labels[state.reference]}` : "";
  const heading = `${sweep.tex}: ${data.columns[state.measure].tex}${to}`;
  return [
    "\\begin{table}",
    "  \\centering",
    `  \\caption{${heading}, ${what.replace("±", "$\\pm$")}.}`,
    `  \\label{tab:${`${sweep.name}-${state.measure}`.replace(/[^A-Za-z0-9]+/g, "-")}}`,
    `  \\begin{tabular}{l${"r".repeat(texHeads.length - 1)}}`,
    "    \\toprule",
    head,
    "    \\midrule",
    ...body,
    "    \\bottomrule",
    "  \\end{tabular}",
    "\\end{table}",
    "",
  ].join("\n");
}
