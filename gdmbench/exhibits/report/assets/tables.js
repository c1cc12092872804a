// The numbers of a sweep as a table, as CSV and as LaTeX.

/** Heads and rows of the table below a figure: one row per swept value, one column per method, as the figure shows. */
function tableOf(sweep, state) {
  const points = seen(sweep, state);
  const methods = sweep.methods.filter((method) => !state.hidden.has(method));
  const cell = (point, plusMinus) => {
    if (!point || (!point.n && !point.failed)) return "–";
    if (!point.n) return point.failed ? "failed" : "–";
    const star = point.failed ? "*" : "";
    if (!state.reference) return formatMean(point.mean, point.se, plusMinus) + star;
    return (
      formatNumber(point.mean) +
      (point.n > 1 ? ` [${formatNumber(point.low)}, ${formatNumber(point.high)}]` : "") +
      star
    );
  };
  const what = state.reference ? "ratio, geometric mean [one standard error either way]" : "mean ± standard error";
  if (sweep.scale === "one") {
    const rows = methods.map((method) => {
      const p = points.find((point) => point.method === method);
      const numbers = p ? [p.median, p.min, p.max, p.n, p.failed] : [];
      return {
        keys: [sweep.labels[method], p?.mean ?? NaN, ...numbers],
        cells: [sweep.labels[method], p, ...numbers.map((x) => formatNumber(x))],
        tex: sweep.tex_labels[method],
      };
    });
    const heads = state.reference ? ["method", "ratio"] : ["method", "mean", "median", "least", "most", "n", "failed"];
    rows.forEach(
      (row) => ((row.cells = row.cells.slice(0, heads.length)), (row.keys = row.keys.slice(0, heads.length))),
    );
    return {heads, texHeads: heads, rows: sorted(rows, state), cell, what};
  }
  const rows = sweep.values.map((value, i) => {
    const mine = methods.map((method) => points.find((p) => p.method === method && p.value === i));
    return {keys: [i, ...mine.map((p) => p?.mean ?? NaN)], cells: [value.text, ...mine], tex: value.tex};
  });
  return {
    heads: [sweep.axis.symbol || sweep.axis.name, ...methods.map((m) => sweep.labels[m])],
    texHeads: [sweep.axis.tex, ...methods.map((m) => sweep.tex_labels[m])],
    rows: sorted(rows, state),
    cell,
    what,
  };
}

function sorted(rows, state) {
  if (!state.sort) return rows;
  const {column, down} = state.sort;
  const order = (a, b) =>
    typeof a === "string"
      ? d3.ascending(a, b)
      : (Number.isNaN(a ?? NaN) ? 1 : 0) - (Number.isNaN(b ?? NaN) ? 1 : 0) || d3.ascending(a, b);
  const found = [...rows].sort((a, b) => order(a.keys[column], b.keys[column]));
  return down ? found.reverse() : found;
}

function sweepTable(sweep, state, again) {
  const {heads, rows, cell, what} = tableOf(sweep, state);
  const starred = rows.some((row) => row.cells.some((c) => c?.failed && c.n));
  const to = state.reference ? `, to ${sweep.labels[state.reference]}` : "";
  const star = starred ? "; * some repetitions failed" : "";
  const caption = `${data.columns[state.measure].title}, ${what}${to}${star}`;
  const head = heads.map((text, column) => {
    const mine = state.sort?.column === column ? state.sort : null;
    const turn = () => {
      state.sort = mine ? (mine.down ? null : {column, down: true}) : {column, down: false};
      again();
    };
    const arrow = el("span", {"aria-hidden": "true", class: "arrow"}, mine ? (mine.down ? "▼" : "▲") : "↕");
    return el(
      "th",
      {scope: "col", "aria-sort": mine ? (mine.down ? "descending" : "ascending") : "none"},
      el(
        "button",
        {
          type: "button",
          onclick: (event) => {
            turn();
            event.target.closest("table")?.isConnected ||
              document.getElementById(`sweep-${sweep.id}`)?.querySelectorAll("th button")[column]?.focus();
          },
        },
        text || "value",
        " ",
        arrow,
      ),
    );
  });
  const body = rows.map((row) =>
    el(
      "tr",
      {},
      row.cells.map((c, i) => (i ? el("td", {}, typeof c === "string" ? c : cell(c)) : el("th", {scope: "row"}, c))),
    ),
  );
  return el(
    "table",
    {class: "numbers"},
    el("caption", {}, caption),
    el("thead", {}, el("tr", {}, head)),
    el("tbody", {}, body),
  );
}

/** The points seen, with the columns of summary.csv; ratios have columns of their own. */
function csvOf(sweep, state) {
  const ratio = state.reference !== null;
  const names = ["experiment", "axis", "value", "method", "label", "measure"];
  names.push(
    ...(ratio
      ? ["reference", "ratio", "low", "high", "pairs", "failed"]
      : ["mean", "se", "median", "min", "max", "repetitions", "failed"]),
  );
  const rows = d3
    .sort(
      seen(sweep, state),
      (p) => p.value,
      (p) => sweep.methods.indexOf(p.method),
    )
    .map((p) => {
      const who = [
        sweep.name,
        sweep.axis.key ?? "",
        sweep.numbers?.[p.value] ?? sweep.values[p.value].text,
        p.method,
        sweep.labels[p.method],
        state.measure,
      ];
      return [
        ...who,
        ...(ratio
          ? [state.reference, p.mean, p.low, p.high, p.n, p.failed]
          : [p.mean, p.se, p.median, p.min, p.max, p.n, p.failed]),
      ];
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
  const to = state.reference ? `, ratio to ${sweep.tex_labels[state.reference]}` : "";
  const heading = `${sweep.tex}: ${data.columns[state.measure].tex}${to}`;
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
