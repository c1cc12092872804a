// Accuracy against time over all sweeps or one, with the Pareto front.

function frontCard() {
  const accuracies = rankedMeasures(false),
    costs = rankedMeasures(true);
  if (!accuracies.length || !costs.length) return null;
  const state = {measure: accuracies[0], cost: costs[0], scope: "", hidden: new Set()};
  const figure = el("div", {class: "figure", style: "min-height:clamp(270px, 60cqw, 430px)"}),
    buttons = el("div", {class: "legend-place"}),
    hint = el("p", {class: "faint hint"});
  const labels = Object.fromEntries(Object.entries(data.methods).map(([method, {label}]) => [method, label]));
  const methods = () => [...new Set(frontPoints(state).map((p) => p.method))];
  const drawHere = () => {
    const svg = frontFigure(state, Math.max(280, figure.clientWidth), isDark(), true);
    place(figure, svg, frontHeading(state), svg.rows);
    hint.textContent = state.scope
      ? "One mark for each method and swept value; the line is the Pareto front: nothing is both faster and more accurate."
      : "Ratios to the best at each point, geometric means. Large marks: over the sweeps that have all methods which " +
        "took part in at least half of them; small marks: every method in each sweep. The line is the Pareto front of " +
        "the large marks.";
  };
  const draw = () => {
    const shown = methods();
    buttons.replaceChildren(
      legend(
        Object.keys(data.methods).filter((m) => shown.includes(m)),
        labels,
        state.hidden,
        drawHere,
      ),
    );
    drawHere();
  };
  const again = lazily(figure, draw);
  const both = data.sweeps.filter(
    (sweep) => sweep.methods.length > 1 && accuracies.some((m) => sweep.measures.includes(m)),
  );
  const name = () => `accuracy-time-${state.measure}${state.scope ? `-${state.scope}` : ""}`.replace(/[^\w.-]+/g, "_");
  const save = () =>
    standalone(
      frontFigure(state, 760, false, false),
      frontHeading(state),
      Object.keys(data.methods).filter((m) => methods().includes(m) && !state.hidden.has(m)),
      labels,
    );
  return el(
    "article",
    {class: "card", id: "front", "aria-labelledby": "front-heading"},
    el("h3", {id: "front-heading"}, "Accuracy against time"),
    el(
      "div",
      {class: "toolbar"},
      select(
        "Sweep",
        [["", "all sweeps"], ...both.map((sweep) => [sweep.id, sweep.name])],
        "",
        (s) => ((state.scope = s), again()),
      ),
      select(
        "Accuracy",
        accuracies.map((m) => [m, data.columns[m].title]),
        state.measure,
        (m) => ((state.measure = m), again()),
      ),
      select(
        "Cost",
        costs.map((m) => [m, data.columns[m].title]),
        state.cost,
        (m) => ((state.cost = m), again()),
      ),
    ),
    buttons,
    figure,
    hint,
    el(
      "div",
      {class: "files", role: "group", "aria-label": "Downloads of what is seen"},
      el("span", {class: "faint"}, "Download"),
      el("button", {type: "button", onclick: () => download(`${name()}.csv`, frontCsv(state), "text/csv")}, "CSV"),
      ...pictureButtons(name, save),
    ),
  );
}

function frontHeading({measure, cost, scope}) {
  const what = `${data.columns[measure].title} against ${data.columns[cost].title}`;
  return scope
    ? `${data.sweeps.find((sweep) => sweep.id === scope).title}: ${what}`
    : `${what}, ratios to the best over all sweeps`;
}

/** One point for each method and sweep, or of a single sweep for each method and swept value; `main` ones are large. */
function frontPoints({measure, cost, scope}) {
  if (scope) {
    const sweep = data.sweeps.find((s) => s.id === scope);
    if (!sweep.measures.includes(measure) || !sweep.measures.includes(cost)) return [];
    const time = new Map(pointsOf(sweep, cost).map((p) => [`${p.method} ${p.value}`, p.mean]));
    return pointsOf(sweep, measure)
      .filter((p) => p.mean > 0 && Number.isFinite(p.mean))
      .map((p) => ({
        method: p.method,
        x: time.get(`${p.method} ${p.value}`),
        y: p.mean,
        at: sweep.values[p.value].text,
        main: true,
      }))
      .filter((p) => p.x > 0);
  }
  const times = new Map(ratiosToBest(cost).map((cell) => [`${cell.sweep.id} ${cell.method}`, cell.ratio]));
  const small = ratiosToBest(measure)
    .map((cell) => ({
      method: cell.method,
      x: times.get(`${cell.sweep.id} ${cell.method}`),
      y: cell.ratio,
      at: cell.sweep.name,
      main: false,
    }))
    .filter((p) => p.x > 0 && p.y > 0);
  const mean = (rows, get) => Math.exp(d3.mean(rows, (row) => Math.log(get(row))));
  const common = inCommon(small);
  const large = d3
    .groups(
      small.filter((p) => common.methods.has(p.method) && common.sweeps.has(p.at)),
      (p) => p.method,
    )
    .map(([method, rows]) => ({
      method,
      x: mean(rows, (p) => p.x),
      y: mean(rows, (p) => p.y),
      at: `over ${plural(rows.length, "sweep")}`,
      main: true,
    }));
  return [...small, ...large];
}

/** Methods that took part in at least half of the sweeps, and the sweeps that have all of them: only there is a ratio
 *  to the best the same yardstick for each. Where no sweep has all, the rarest method gives way. */
function inCommon(points) {
  const byMethod = d3.rollup(
    points,
    (rows) => new Set(rows.map((p) => p.at)),
    (p) => p.method,
  );
  const all = new Set(points.map((p) => p.at));
  const often = d3.sort(
    [...byMethod].filter(([, sweeps]) => 2 * sweeps.size >= all.size),
    ([, sweeps]) => -sweeps.size,
  );
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
  return d3
    .sort(
      points,
      (p) => p.x,
      (p) => p.y,
    )
    .filter((p) => p.y < best && ((best = p.y), true));
}

function frontFigure(state, width, dark, onPage) {
  const points = frontPoints(state).filter((p) => !state.hidden.has(p.method));
  const large = points.filter((p) => p.main),
    front = paretoFront(large);
  const sweep = data.sweeps.find((s) => s.id === state.scope);
  const say = (p) =>
    [
      data.methods[p.method].label,
      sweep ? (p.at ? `${sweep.axis.symbol || sweep.axis.name} = ${p.at}` : "") : p.at,
      `${data.columns[state.measure].title} ${formatNumber(p.y)}${sweep ? "" : " times the best"}`,
      `${data.columns[state.cost].title} ${formatNumber(p.x)}${sweep ? "" : " times the fastest"}`,
      front.includes(p) ? "on the front" : "",
    ]
      .filter(Boolean)
      .join("\n");
  const rows = points.map((p) => ({...p, text: say(p)}));
  const unit = sweep ? "" : ", ratio to the best";
  const high = Math.round(Math.min(430, Math.max(270, 0.62 * width)));
  const x = measureScale(
    points.map((p) => p.x),
    true,
  );
  const y = measureScale(
    points.map((p) => p.y),
    true,
  );
  const kept = withoutOverlap(x.marks.map(along(x, width - 108)), x.marks.map(tickText)).map((i) => x.marks[i]);
  const svg = Plot.plot(
    frame(width, high, dark, {
      marginLeft: 64,
      marginBottom: 46,
      marginRight: 20,
      marginTop: 16,
      inset: 12,
      x: {type: x.type, domain: x.domain},
      y: {type: y.type, domain: y.domain},
      marks: [
        axisX(kept, tickText, `${data.columns[state.cost].title}${unit}`),
        ...axisY(y.marks, `${data.columns[state.measure].title}${unit}`),
        Plot.line(front, {
          x: "x",
          y: "y",
          curve: "step-after",
          stroke: "currentColor",
          strokeOpacity: 0.55,
          strokeWidth: 1.4,
          strokeDasharray: "5,3",
        }),
        ...Object.keys(data.methods).flatMap((method) => [
          Plot.dot(
            points.filter((p) => p.method === method && !p.main),
            {x: "x", y: "y", ...markerOf(method, dark), r: 3, opacity: 0.55},
          ),
          Plot.dot(
            large.filter((p) => p.method === method),
            {x: "x", y: "y", ...markerOf(method, dark), r: sweep ? 5 : 8},
          ),
        ]),
        sweep
          ? null
          : Plot.text(large, {
              x: "x",
              y: "y",
              text: (p) => data.methods[p.method].label,
              dx: 11,
              dy: -9,
              textAnchor: "start",
              stroke: dark ? PAPER.dark : PAPER.light,
              fill: "currentColor",
              strokeWidth: 3,
            }),
        onPage ? Plot.tip(rows, Plot.pointer({x: "x", y: "y", title: "text", maxRadius: 30, ...tipLook(dark)})) : null,
      ],
    }),
  );
  svg.rows = d3
    .groups(
      rows.filter((p) => p.main),
      (p) => p.method,
    )
    .map(([, row]) => row);
  return svg;
}

function frontCsv(state) {
  const points = frontPoints(state).filter((p) => !state.hidden.has(p.method));
  const front = new Set(paretoFront(points.filter((p) => p.main)));
  const rows = points.map((p) => [
    p.method,
    data.methods[p.method].label,
    p.at,
    p.x,
    p.y,
    p.main ? (front.has(p) ? "yes" : "no") : "",
  ]);
  return (
    [["method", "label", state.scope ? "value" : "sweep", state.cost, state.measure, "front"], ...rows]
      .map(csvLine)
      .join("\n") + "\n"
  );
}
