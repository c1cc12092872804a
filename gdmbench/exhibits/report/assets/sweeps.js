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
  if (failed)
    card.append(el("p", {class: "warn"}, `⚠ ${plural(failed, "cell")} failed: `, el("a", {href: "#failures"}, "why")));
  if (!sweep.measures.length) return card;

  // Room for the figure before it is drawn, so that addresses within the page stay where they are.
  const figure = el("div", {
    class: "figure",
    style:
      sweep.scale === "one"
        ? `min-height:${stripHeight(sweep.methods.length)}px`
        : "min-height:clamp(260px, 56cqw, 440px)",
  });
  const below = el("p", {class: "faint hint"}),
    table = el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": `Numbers of ${sweep.title}`});
  const controls = el("div", {class: "toolbar"}),
    buttons = el("div", {class: "legend-place"}),
    files = el("div", {class: "files", role: "group", "aria-label": "Downloads of what is seen"});
  const logX = checkbox("log x", sweep.scale === "log", (on) => ((state.logX = on), draw()), {
    disabled: sweep.scale === "even" || !(d3.min(sweep.numbers ?? []) > 0),
  });
  const logY = checkbox(sweep.scale === "one" ? "log scale" : "log y", false, (on) => ((state.logY = on), draw()));
  state.logX = sweep.scale === "log";

  const fresh = () => {
    state.logY = wantsLog(sweep, state);
    logY.firstChild.checked = state.logY;
    draw();
  };
  controls.append(
    select(
      "Measure",
      sweep.measures.map((m) => [m, data.columns[m].title]),
      state.measure,
      (m) => ((state.measure = m), fresh()),
    ),
    select(
      "Show",
      [["", "the measure itself"], ...sweep.methods.map((m) => [m, `ratio to ${sweep.labels[m]}`])],
      "",
      (m) => ((state.reference = m || null), fresh()),
    ),
    ...(sweep.scale === "one" ? [] : [logX]),
    logY,
    checkbox("repetitions", true, (on) => ((state.dots = on), draw())),
  );
  const name = () =>
    `${sweep.name}-${state.measure}${state.reference ? `-to-${state.reference}` : ""}`.replace(/[^\w.-]+/g, "_");
  const save = () => {
    const svg = sweepFigure(sweep, state, 760, false);
    return standalone(svg, headingOf(sweep, state), visible(), sweep.labels, svg.hint);
  };
  const visible = () => sweep.methods.filter((method) => !state.hidden.has(method));
  const pdf = el("a", {class: "button"}, "PDF of the run");
  files.append(
    el("span", {class: "faint"}, "Download"),
    el("button", {type: "button", onclick: () => download(`${name()}.csv`, csvOf(sweep, state), "text/csv")}, "CSV"),
    el(
      "button",
      {type: "button", onclick: () => download(`${name()}.tex`, latexOf(sweep, state), "application/x-tex")},
      "LaTeX",
    ),
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

/** Logarithmic where the numbers are read so and span a factor of three, or of ten in any case; ratios from two. */
function wantsLog(sweep, state) {
  const numbers = pointsOf(sweep, state.measure, state.reference)
    .flatMap((point) => point.dots.map((dot) => dot.y))
    .filter(Number.isFinite);
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
    lines.push(
      `${column}, ratio ${formatNumber(point.mean)}` +
        (point.n > 1 ? ` (${formatNumber(point.low)} to ${formatNumber(point.high)})` : ""),
    );
    lines.push("geometric mean (± one standard error)");
  } else {
    lines.push(
      `${column} ${formatMean(point.mean, point.se)}`,
      point.n > 1 ? "mean ± standard error" : "one repetition",
    );
  }
  lines.push(
    `n = ${point.n}${state.reference ? " pairs" : ""}, ${point.failed} failed` +
      (point.unpaired ? `, ${point.unpaired} unpaired` : ""),
  );
  return lines.join("\n");
}

function sweepsSection() {
  if (!data.sweeps.length) return;
  const list =
    data.sweeps.length > 3
      ? el(
          "nav",
          {class: "jump", "aria-label": "Sweeps"},
          data.sweeps.map((sweep) => el("a", {href: `#sweep-${sweep.id}`}, sweep.name)),
        )
      : null;
  section("sweeps", "Sweeps", list, el("div", {class: "cards"}, data.sweeps.map(sweepCard)));
}
