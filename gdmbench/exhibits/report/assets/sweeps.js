// Each sweep as a figure to play with, a table to sort, and files of exactly what is seen.

function sweepCard(sweep) {
  const counts = [`${sweep.cells} cells`, plural(sweep.methods.length, "method")];
  if (sweep.scale !== "one") counts.push(`${sweep.values.length} values of ${axisName(sweep)}`);
  const about = [el("p", {class: "faint"}, el("code", {}, sweep.name), ` · ${counts.join(" · ")}`)];
  if (sweep.failed) {
    const why = el("a", {href: "#failures"}, "why");
    about.push(el("p", {class: "warn"}, `⚠ ${plural(sweep.failed, "cell")} failed: `, why));
  }
  const id = `sweep-${sweep.id}`;
  if (!sweep.measures.length) return el("article", {class: "card", id}, el("h3", {}, sweep.title), about);

  const strip = sweep.scale === "one";
  const measure = sweep.measures.find((name) => data.columns[name].main) ?? sweep.measures[0];
  const state = {measure, reference: null, dots: true, hidden: new Set(), sort: null, logX: sweep.scale === "log"};
  const numbers = scroller(`Numbers of ${sweep.title}`);
  const pdf = el("a", {class: "button"}, "PDF of the run");
  const drawTable = () => {
    numbers.replaceChildren(sweepTable(sweep, state, drawTable));
    pdf.hidden = !sweep.files[state.measure];
    pdf.href = sweep.files[state.measure] ?? "#";
  };
  const controls = (again) => {
    const noLog = sweep.scale === "even" || !(d3.min(sweep.numbers ?? []) > 0);
    const logX = checkbox("log x", state.logX, (on) => ((state.logX = on), again()), noLog);
    const logY = checkbox(strip ? "log scale" : "log y", false, (on) => ((state.logY = on), again()));
    const fresh = () => {
      logY.firstChild.checked = state.logY = wantsLog(sweep, state);
      again();
    };
    logY.firstChild.checked = state.logY = wantsLog(sweep, state);
    const ratios = sweep.methods.map((method) => [method, `ratio to ${sweep.labels[method]}`]);
    return [
      select("Measure", titles(sweep.measures), measure, (name) => ((state.measure = name), fresh())),
      select(
        "Show",
        [["", "the measure itself"], ...ratios],
        "",
        (name) => ((state.reference = name || null), fresh()),
      ),
      strip ? null : logX,
      logY,
      checkbox("repetitions", true, (on) => ((state.dots = on), again())),
    ];
  };
  drawTable();
  return figureCard({
    id,
    heading: sweep.title,
    about,
    controls,
    methods: () => sweep.methods,
    labels: sweep.labels,
    hidden: state.hidden,
    draw: (width, onPage) => sweepFigure(sweep, state, width, onPage),
    after: drawTable,
    title: () => `${sweep.title}: ${measureTitle(sweep, state)}`,
    name: () => `${sweep.name}-${state.measure}${state.reference ? `-to-${state.reference}` : ""}`,
    files: {
      CSV: {suffix: "csv", type: "text/csv", make: () => csvOf(sweep, state)},
      LaTeX: {suffix: "tex", type: "application/x-tex", make: () => latexOf(sweep, state)},
    },
    link: pdf,
    below: numbers,
    room: strip ? `${stripHeight(sweep.methods.length)}px` : "clamp(260px, 56cqw, 440px)",
  });
}

function titles(measures) {
  return measures.map((measure) => [measure, data.columns[measure].title]);
}

function axisName(sweep) {
  return sweep.axis.symbol || sweep.axis.name;
}

/** Logarithmic where the numbers are read so and span a factor of three, or of ten in any case; ratios from two. */
function wantsLog(sweep, state) {
  const points = pointsOf(sweep, state.measure, state.reference);
  const numbers = points.flatMap((point) => point.dots.map((dot) => dot.y)).filter(Number.isFinite);
  const [low, high] = d3.extent(numbers);
  return low > 0 && high >= (state.reference ? 2 : data.columns[state.measure].log ? 3 : 10) * low;
}

function measureTitle(sweep, state) {
  const {title} = data.columns[state.measure];
  const at = sweep.scale === "one" && sweep.values[0].text ? ` (${axisName(sweep)} = ${sweep.values[0].text})` : "";
  return state.reference ? `${title}${at}, ratio to ${sweep.labels[state.reference]}` : title + at;
}

function visible(sweep, state) {
  return sweep.methods.filter((method) => !state.hidden.has(method));
}

function seen(sweep, state) {
  return pointsOf(sweep, state.measure, state.reference).filter((point) => !state.hidden.has(point.method));
}

/** What a tip says of a point, and of one repetition there. */
function tipText(sweep, state, point, dot = null) {
  const at = sweep.values[point.value].text;
  const {title} = data.columns[state.measure];
  const lines = [sweep.labels[point.method] + (state.reference ? ` / ${sweep.labels[state.reference]}` : "")];
  if (at) lines.push(`${axisName(sweep)} = ${at}`);
  if (dot) lines.push(`repetition ${dot.repetition}: ${formatNumber(dot.y, 4)}`);
  if (state.reference) {
    const reach = point.n > 1 ? ` (${formatNumber(point.low)} to ${formatNumber(point.high)})` : "";
    lines.push(`${title}, ratio ${formatNumber(point.mean)}${reach}`, "geometric mean (± one standard error)");
  } else {
    lines.push(`${title} ${point.text}`, point.n > 1 ? "mean ± standard error" : "one repetition");
  }
  const unpaired = point.unpaired ? `, ${point.unpaired} unpaired` : "";
  lines.push(`n = ${point.n}${state.reference ? " pairs" : ""}, ${point.failed} failed${unpaired}`);
  return lines.join("\n");
}

function sweepsSection() {
  if (!data.sweeps.length) return;
  const links = data.sweeps.map((sweep) => el("a", {href: `#sweep-${sweep.id}`}, sweep.name));
  const list = data.sweeps.length > 3 ? el("nav", {class: "jump", "aria-label": "Sweeps"}, links) : null;
  section("sweeps", "Sweeps", list, el("div", {class: "cards"}, data.sweeps.map(sweepCard)));
}
