// The figure of a sweep: methods as lines along the swept values, or below each other where nothing was swept.

function sweepFigure(sweep, state, width, onPage) {
  const dark = onPage && isDark();
  const points = seen(sweep, state).filter((point) => point.n && Number.isFinite(point.mean));
  const drawn = (y) => Number.isFinite(y) && (!state.logY || y > 0);
  const lost = points.flatMap((point) => point.dots).filter((dot) => !drawn(dot.y)).length;
  const svg = (sweep.scale === "one" ? stripFigure : lineFigure)(sweep, state, width, dark, points, drawn, onPage);
  const hints = [
    lost ? `${plural(lost, "repetition")} at or below 0, or infinite, can't be drawn on this scale.` : "",
    svg.rate ?? "",
  ];
  svg.hint = hints.filter(Boolean).join(" ");
  return svg;
}

/** Methods as lines along the swept values. */
function lineFigure(sweep, state, width, dark, points, drawn, onPage) {
  const column = data.columns[state.measure];
  const even = sweep.scale === "even",
    log = state.logX && !even;
  const base = even ? d3.range(sweep.values.length) : sweep.numbers.map(log ? Math.log10 : Number);
  const span = base.at(-1) - base[0],
    least = d3.min(d3.pairs(base), ([a, b]) => b - a);
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
  const means = points
    .filter((point) => drawn(point.mean))
    .map((point) => ({...point, x: put(point), text: tipText(sweep, state, point)}));
  const dots = !state.dots
    ? []
    : points
        .filter((point) => point.n > 1)
        .flatMap((point) =>
          point.dots
            .filter((dot) => drawn(dot.y))
            .map((dot) => ({method: point.method, x: put(point), y: dot.y, text: tipText(sweep, state, point, dot)})),
        );
  const reach = [...means.flatMap((p) => [p.mean, p.low, p.high]), ...dots.map((dot) => dot.y)].filter(drawn);
  if (state.reference) reach.push(1);
  const marginLeft = 64,
    inner = width - marginLeft - 36;
  const pixels = base.map((x) => ((x - base[0]) / (span || 1)) * inner);
  const ticks = withoutOverlap(
    pixels,
    sweep.values.map((value) => value.text),
  );
  const places = even ? base : sweep.numbers;
  const text = new Map(ticks.map((i) => [places[i], sweep.values[i].text]));
  const label = state.reference ? `${column.title}, ratio to ${sweep.labels[state.reference]}` : column.title;
  const ordered = Boolean(sweep.numbers),
    scale = measureScale(reach, state.logY);
  const rate = rateLine(sweep, state, means);
  const svg = Plot.plot(
    frame(width, high, dark, {
      marginLeft,
      marginBottom: 46,
      marginRight: 20,
      marginTop: 16,
      x: {type: log ? "log" : "linear", domain: ends},
      y: {type: scale.type, domain: scale.domain},
      marks: [
        axisX([...text.keys()], (t) => text.get(t), sweep.axis.name),
        ...axisY(scale.marks, label),
        state.reference ? Plot.ruleY([1], {stroke: "currentColor", strokeDasharray: "3,3", strokeOpacity: 0.7}) : null,
        rate.length
          ? Plot.line(rate, {
              x: "x",
              y: "y",
              stroke: dark ? FAINT.dark : FAINT.light,
              strokeDasharray: "7,4",
              strokeWidth: 1.2,
              clip: true,
            })
          : null,
        ...shown.flatMap((method) => {
          const mine = (rows) => rows.filter((row) => row.method === method);
          const color = colorOf(method, dark);
          return [
            Plot.dot(mine(dots), {x: "x", y: "y", r: 2.2, fill: color, fillOpacity: 0.5}),
            ordered
              ? Plot.line(mine(means), {
                  x: "x",
                  y: "mean",
                  stroke: color,
                  strokeWidth: 1.8,
                  strokeDasharray: dashOf(method),
                })
              : null,
            Plot.ruleX(
              mine(means).filter((p) => drawn(p.low) && Number.isFinite(p.high)),
              {x: "x", y1: "low", y2: "high", stroke: color, strokeWidth: 1.3},
            ),
          ];
        }),
        ...shown.map((method) =>
          Plot.dot(
            means.filter((p) => p.method === method),
            {x: "x", y: "mean", ...markerOf(method, dark)},
          ),
        ),
        onPage
          ? Plot.tip(
              [...means.map((p) => ({...p, y: p.mean})), ...dots],
              Plot.pointer({x: "x", y: "y", title: "text", maxRadius: 30, ...tipLook(dark)}),
            )
          : null,
      ],
    }),
  );
  if (rate.length)
    svg.rate =
      `Dashed: the paper's rate, ∝ (log ${sweep.axis.symbol} / ${sweep.axis.symbol})^½, through the methods' ` +
      `geometric mean at ${sweep.axis.symbol} = ${tickText(rate[0].x)}.`;
  svg.rows = shown
    .map((method) => means.filter((p) => p.method === method).map((p) => ({x: p.x, y: p.mean, text: p.text})))
    .filter((row) => row.length);
  return svg;
}

/** The paper's rate, (log v / v)^½, through the geometric mean of the methods at the first value. */
function rateLine(sweep, state, means) {
  if (!sweep.rate || state.reference || state.measure !== "mm_distance") return [];
  const start = sweep.numbers.findIndex((value, i) => value >= 3 && means.some((p) => p.value === i));
  if (start < 0) return [];
  const [from, to] = [sweep.numbers[start], sweep.numbers.at(-1)];
  const level = Math.exp(
    d3.mean(
      means.filter((p) => p.value === start),
      (p) => Math.log(p.mean),
    ),
  );
  const rate = (x) => Math.sqrt(Math.log(x) / x);
  return d3
    .range(60)
    .map((i) => from * (to / from) ** (i / 59))
    .map((x) => ({x, y: (level * rate(x)) / rate(from)}));
}

function stripHeight(methods) {
  return 78 + 44 * methods;
}

/** Methods below each other where nothing was swept, the measure from left to right. */
function stripFigure(sweep, state, width, dark, points, drawn, onPage) {
  const column = data.columns[state.measure];
  const shown = sweep.methods.filter((method) => !state.hidden.has(method));
  const row = new Map(shown.map((method, i) => [method, i]));
  const means = points
    .filter((p) => drawn(p.mean))
    .map((p) => ({...p, y: row.get(p.method), text: tipText(sweep, state, p)}));
  // Multiples of the golden ratio spread any number of dots evenly, and the same way each time.
  const dots = !state.dots
    ? []
    : points
        .filter((p) => p.n > 1)
        .flatMap((p) =>
          p.dots
            .filter((dot) => drawn(dot.y))
            .map((dot, i) => ({
              method: p.method,
              x: dot.y,
              y: row.get(p.method) + 0.5 * (((i * 0.6180339887 + 0.5) % 1) - 0.5),
              text: tipText(sweep, state, p, dot),
            })),
        );
  const reach = [...means.flatMap((p) => [p.mean, p.low, p.high]), ...dots.map((dot) => dot.x)].filter(drawn);
  if (state.reference) reach.push(1);
  const at = sweep.values[0].text ? ` (${sweep.axis.symbol || sweep.axis.name} = ${sweep.values[0].text})` : "";
  const label = `${column.title}${at}${state.reference ? `, ratio to ${sweep.labels[state.reference]}` : ""}`;
  const marginLeft = Math.min(0.4 * width, 24 + 7.2 * d3.max(shown, (m) => sweep.labels[m].length) || 40);
  const scale = measureScale(reach, state.logY);
  const kept = withoutOverlap(scale.marks.map(along(scale, width - marginLeft - 40)), scale.marks.map(tickText));
  const ticks = kept.map((i) => scale.marks[i]);
  const svg = Plot.plot(
    frame(width, stripHeight(shown.length), dark, {
      marginLeft,
      marginBottom: 46,
      marginRight: 24,
      marginTop: 12,
      x: {type: scale.type, domain: scale.domain},
      y: {
        domain: [shown.length - 0.5, -0.5],
        ticks: d3.range(shown.length),
        tickFormat: (i) => sweep.labels[shown[i]] ?? "",
        tickSize: 0,
        label: null,
      },
      marks: [
        Plot.gridX(ticks),
        axisX(ticks, tickText, label),
        state.reference ? Plot.ruleX([1], {stroke: "currentColor", strokeDasharray: "3,3", strokeOpacity: 0.7}) : null,
        ...shown.flatMap((method) => {
          const mine = (rows) => rows.filter((r) => r.method === method);
          const color = colorOf(method, dark);
          return [
            Plot.dot(mine(dots), {x: "x", y: "y", r: 2.2, fill: color, fillOpacity: 0.5}),
            Plot.ruleY(
              mine(means).filter((p) => drawn(p.low) && Number.isFinite(p.high)),
              {y: "y", x1: "low", x2: "high", stroke: color, strokeWidth: 1.8},
            ),
            Plot.dot(mine(means), {x: "mean", y: "y", ...markerOf(method, dark)}),
          ];
        }),
        onPage
          ? Plot.tip(
              [...means.map((p) => ({...p, x: p.mean})), ...dots],
              Plot.pointer({x: "x", y: "y", title: "text", maxRadius: 30, ...tipLook(dark)}),
            )
          : null,
      ],
    }),
  );
  svg.rows = means.map((p) => [{x: p.mean, y: p.y, text: p.text}]);
  return svg;
}
