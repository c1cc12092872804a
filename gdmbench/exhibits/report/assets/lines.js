// The figure of a sweep: methods as lines along the swept values, or below each other where nothing was swept.

function sweepFigure(sweep, state, width, onPage) {
  const strip = sweep.scale === "one";
  const shown = visible(sweep, state);
  const drawn = (y) => Number.isFinite(y) && (!state.logY || y > 0);
  const points = seen(sweep, state).filter((point) => point.n && drawn(point.mean));
  const along = strip ? rowsAlong(shown) : valuesAlong(sweep, state, shown, width - 100);
  // `p` is the place of a point among methods or swept values, `v` what was measured there.
  const [p, v] = strip ? ["y", "x"] : ["x", "y"];
  const channels = {[p]: "p", [v]: "v"};
  const means = points.map((point) => ({
    ...point,
    p: along.place(point),
    v: point.mean,
    text: tipText(sweep, state, point),
  }));
  const repeated = points.filter((point) => point.n > 1);
  const dots = repeated.flatMap((point) =>
    point.dots
      .filter((dot) => drawn(dot.y))
      .map((dot, i) => ({
        method: point.method,
        p: along.place(point) + along.jitter(i),
        v: dot.y,
        text: tipText(sweep, state, point, dot),
      })),
  );
  const lost = d3.sum(points, (point) => point.dots.filter((dot) => !drawn(dot.y)).length);
  const seenDots = state.dots ? dots : [];
  const bars = means.filter((point) => drawn(point.low) && Number.isFinite(point.high));
  const numbers = [...means.flatMap((point) => [point.v, point.low, point.high]), ...seenDots.map((dot) => dot.v)];
  if (state.reference) numbers.push(1);
  const title = measureTitle(sweep, state);
  const marginLeft = strip ? Math.min(0.4 * width, 24 + 7.2 * d3.max(shown, (m) => sweep.labels[m].length) || 40) : 64;
  const height = strip ? stripHeight(shown.length) : Math.min(440, Math.max(260, 0.58 * width));
  const most = strip ? (width - marginLeft) / 80 : height / 45;
  const {ticks, ...scale} = measured(numbers.filter(drawn), state.logY, most);
  const rate = state.reference || state.measure !== "mm_distance" ? null : sweep.rate;
  const dashed = {stroke: "currentColor", strokeDasharray: "3,3", strokeOpacity: 0.7};
  const color = (point) => colorOf(point.method);
  const svg = Plot.plot(
    frame(width, height, {
      marginLeft,
      marginBottom: 46,
      marginRight: 20,
      marginTop: 16,
      [p]: along.scale(sweep),
      [v]: scale,
      marks: [
        strip
          ? [Plot.gridX(ticks), axisX(ticks, title), along.names(sweep, (marginLeft - 14) / 12)]
          : [Plot.gridY(ticks), axisY(ticks, title), axisX(along.ticks, sweep.axis.name, along.text)],
        state.reference ? (strip ? Plot.ruleX : Plot.ruleY)([1], dashed) : null,
        rate
          ? Plot.line(rate.line, {x: "x", y: "y", stroke: "var(--faint)", strokeDasharray: "7,4", clip: true})
          : null,
        Plot.dot(seenDots, {...channels, r: 2.2, fill: color, fillOpacity: 0.5}),
        strip || !sweep.numbers
          ? null
          : shown.map((method) =>
              Plot.line(
                means.filter((point) => point.method === method),
                {...channels, stroke: colorOf(method), strokeWidth: 1.8, strokeDasharray: dashOf(method)},
              ),
            ),
        strip
          ? Plot.ruleY(bars, {y: "p", x1: "low", x2: "high", stroke: color, strokeWidth: 1.8})
          : Plot.ruleX(bars, {x: "p", y1: "low", y2: "high", stroke: color, strokeWidth: 1.3}),
        shown.map((method) =>
          Plot.dot(
            means.filter((point) => point.method === method),
            {...channels, ...markerOf(method)},
          ),
        ),
        onPage ? tip([...means, ...seenDots], channels) : null,
      ],
    }),
  );
  const rows = d3.groups(means, (point) => point.method).map(([, row]) => row);
  svg.rows = rows.map((row) => row.map((point) => ({[p]: point.p, [v]: point.v, text: point.text})));
  const few = lost ? `${plural(lost, "repetition")} at or below 0, or infinite, can't be drawn on this scale. ` : "";
  svg.hint = few + (rate ? rate.words : "");
  return svg;
}

function stripHeight(methods) {
  return 78 + 44 * methods;
}

/** Places of methods below each other. */
function rowsAlong(shown) {
  return {
    place: (point) => shown.indexOf(point.method),
    // Multiples of the golden ratio spread any number of dots evenly, and the same way each time.
    jitter: (i) => 0.5 * (((i * 0.6180339887 + 0.5) % 1) - 0.5),
    scale: () => ({domain: [shown.length - 0.5, -0.5], axis: null}),
    // Names that are longer than their room are broken into lines.
    names: (sweep, lineWidth) =>
      Plot.axisY(d3.range(shown.length), {
        text: (i) => sweep.labels[shown[i]],
        tickSize: 0,
        label: null,
        lineWidth,
      }),
  };
}

/** Places of swept values. As in the run's figures, methods stand a little beside each other: none hides another. */
function valuesAlong(sweep, state, shown, pixels) {
  const even = sweep.scale === "even";
  const log = state.logX && !even;
  const values = even ? d3.range(sweep.values.length) : sweep.numbers;
  const steps = log ? values.map(Math.log10) : values;
  const span = steps.at(-1) - steps[0];
  const least = d3.min(d3.pairs(steps), ([a, b]) => b - a);
  const one = Math.min(sweep.numbers ? 0.008 * span : Infinity, (0.5 * least) / Math.max(1, shown.length));
  const back = (step) => (log ? 10 ** step : step);
  const edge = even ? 0.4 : 0.03 * span;
  const kept = withoutOverlap(
    steps.map((step) => ((step - steps[0]) / span) * pixels),
    sweep.values.map((value) => value.text),
  );
  return {
    place: ({value, method}) => back(steps[value] + (shown.indexOf(method) - (shown.length - 1) / 2) * one),
    jitter: () => 0,
    scale: () => ({type: log ? "log" : "linear", domain: [back(steps[0] - edge), back(steps.at(-1) + edge)]}),
    ticks: kept.map((i) => values[i]),
    text: (value) => sweep.values[values.indexOf(value)].text,
  };
}

/** Those of the places, in pixels, whose texts don't run into each other; the last counts more than its neighbours. */
function withoutOverlap(places, texts) {
  const kept = [];
  const fits = (i, j) => Math.abs(places[i] - places[j]) >= ((texts[i].length + texts[j].length) / 2) * 6.6 + 8;
  [...places.keys()].reverse().forEach((i) => kept.every((j) => fits(i, j)) && kept.push(i));
  return kept;
}
