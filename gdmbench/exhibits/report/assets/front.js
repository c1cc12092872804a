// Accuracy against time over all sweeps or one, with the Pareto front.

function frontCard(accuracies, costs) {
  const state = {measure: accuracies[0], cost: costs[0], scope: null, hidden: new Set()};
  const labels = Object.fromEntries(Object.entries(data.methods).map(([method, {label}]) => [method, label]));
  const both = data.sweeps.filter((sweep) => accuracies.some((measure) => sweep.ratios[measure]));
  const scopes = [["", "all sweeps"], ...both.map((sweep) => [sweep.id, sweep.name])];
  const scopeOf = (id) => both.find((sweep) => sweep.id === id) ?? null;
  const methods = () => {
    const found = new Set(frontPoints(state).map((point) => point.method));
    return Object.keys(data.methods).filter((method) => found.has(method));
  };
  return figureCard({
    id: "front",
    heading: "Accuracy against time",
    controls: (again) => [
      select("Sweep", scopes, "", (id) => ((state.scope = scopeOf(id)), again())),
      select("Accuracy", titles(accuracies), state.measure, (measure) => ((state.measure = measure), again())),
      select("Cost", titles(costs), state.cost, (cost) => ((state.cost = cost), again())),
    ],
    methods,
    labels,
    hidden: state.hidden,
    draw: (width, onPage) => frontFigure(state, width, onPage),
    title: () => {
      const what = `${data.columns[state.measure].title} against ${data.columns[state.cost].title}`;
      return state.scope ? `${state.scope.title}: ${what}` : `${what}, ratios to the best over all sweeps`;
    },
    name: () => `accuracy-time-${state.measure}${state.scope ? `-${state.scope.id}` : ""}`,
    files: {CSV: {suffix: "csv", type: "text/csv", make: () => frontCsv(state)}},
    below: el(
      "p",
      {class: "faint hint"},
      "Of one sweep: a mark for each method and swept value. Over all sweeps: ratios to the best at each point, " +
        "geometric means; large marks over the sweeps that have all methods which took part in half of them or more, " +
        "small marks for every method in each sweep. The line is the Pareto front of the large marks: nothing is " +
        "both faster and more accurate.",
    ),
    room: "clamp(270px, 60cqw, 430px)",
  });
}

/** One point for each method and sweep, or of a single sweep for each method and swept value; `main` ones are large. */
function frontPoints({measure, cost, scope}) {
  if (scope) {
    const times = pointsOf(scope, cost);
    return pointsOf(scope, measure)
      .map(({method, value, mean}, i) => ({
        method,
        x: times[i]?.mean,
        y: mean,
        at: scope.values[value].text,
        main: true,
      }))
      .filter((point) => point.x > 0 && point.y > 0 && Number.isFinite(point.y));
  }
  const small = data.sweeps.flatMap((sweep) =>
    Object.entries(sweep.ratios[measure] ?? {}).map(([method, {ratio}]) => {
      return {method, x: sweep.ratios[cost]?.[method]?.ratio, y: ratio, at: sweep.name, main: false};
    }),
  );
  const large = data.overall[cost][measure].map(({method, x, y, sweeps}) => {
    return {method, x, y, at: `over ${plural(sweeps, "sweep")}`, main: true};
  });
  return [...small.filter((point) => point.x && point.y), ...large];
}

/** The points that are seen, with a word on whether each large one is on the Pareto front: none of them beats it. */
function judgedPoints(state) {
  const points = frontPoints(state).filter((point) => !state.hidden.has(point.method));
  const large = points.filter((point) => point.main);
  const beats = (p, q) => p.x <= q.x && p.y <= q.y && (p.x < q.x || p.y < q.y);
  const word = (point) => (large.some((other) => beats(other, point)) ? "no" : "yes");
  return points.map((point) => ({...point, front: point.main ? word(point) : ""}));
}

function frontFigure({measure, cost, scope, ...state}, width, onPage) {
  const points = judgedPoints({measure, cost, scope, ...state}).map((point) => {
    const at = scope && point.at ? `${axisName(scope)} = ${point.at}` : point.at;
    const unit = (name) => (scope ? "" : ` times the ${name}`);
    const lines = [data.methods[point.method].label, at];
    lines.push(`${data.columns[measure].title} ${formatNumber(point.y)}${unit("best")}`);
    lines.push(`${data.columns[cost].title} ${formatNumber(point.x)}${unit("fastest")}`);
    if (point.front === "yes") lines.push("on the front");
    return {...point, text: lines.filter(Boolean).join("\n")};
  });
  const large = points.filter((point) => point.main);
  const front = d3.sort(
    large.filter((point) => point.front === "yes"),
    (point) => point.x,
  );
  const height = Math.min(430, Math.max(270, 0.62 * width));
  const {ticks: ticksX, ...x} = measured(
    points.map((point) => point.x),
    true,
    (width - 84) / 60,
  );
  const {ticks: ticksY, ...y} = measured(
    points.map((point) => point.y),
    true,
    height / 45,
  );
  const unit = scope ? "" : ", ratio to the best";
  const marks = (rows, method, look) =>
    Plot.dot(
      rows.filter((point) => point.method === method),
      {x: "x", y: "y", ...markerOf(method), ...look},
    );
  const svg = Plot.plot(
    frame(width, height, {
      marginLeft: 64,
      marginBottom: 46,
      marginRight: 20,
      marginTop: 16,
      inset: 12,
      x,
      y,
      marks: [
        axisX(ticksX, `${data.columns[cost].title}${unit}`),
        Plot.gridY(ticksY),
        axisY(ticksY, `${data.columns[measure].title}${unit}`),
        Plot.line(front, {x: "x", y: "y", curve: "step-after", stroke: "var(--faint)", strokeDasharray: "5,3"}),
        Object.keys(data.methods).map((method) => [
          marks(
            points.filter((point) => !point.main),
            method,
            {r: 3, opacity: 0.55},
          ),
          marks(large, method, {r: scope ? 5 : 8}),
        ]),
        scope
          ? null
          : placed(large, x.domain, y.domain, [76, width - 32], [height - 58, 28]).map(({point, dx, dy, textAnchor}) =>
              Plot.text([point], {
                x: "x",
                y: "y",
                text: ({method}) => data.methods[method].label,
                dx,
                dy,
                textAnchor,
                stroke: "var(--paper)",
                fill: "currentColor",
                strokeWidth: 3,
                className: "name",
              }),
            ),
        onPage ? tip(points) : null,
      ],
    }),
  );
  svg.rows = d3.groups(large, (point) => point.method).map(([, row]) => row);
  return svg;
}

/** Places for the names of points where none lies on another or on a mark; a name that finds none is in the legend. */
function placed(points, domainX, domainY, rangeX, rangeY) {
  const at = [d3.scaleLog(domainX, rangeX), d3.scaleLog(domainY, rangeY)];
  const [letter, half, mark] = [7, 8, 9];
  const spots = points.map((point) => [at[0](point.x), at[1](point.y)]);
  const taken = spots.map(([x, y]) => [x - mark, x + mark, y - mark, y + mark]);
  const free = ([left, right, top, bottom]) =>
    left >= rangeX[0] - 10 &&
    right <= rangeX[1] + 30 &&
    top >= 0 &&
    bottom <= rangeY[0] + 12 &&
    taken.every((box) => right < box[0] || left > box[1] || bottom < box[2] || top > box[3]);
  const heights = [0, -15, 15, -30, 30, -45]; // further off nobody would know whose name it is
  return points.flatMap((point, index) => {
    const [x, y] = spots[index];
    const length = letter * data.methods[point.method].label.length;
    for (const dy of heights)
      for (const [dx, textAnchor] of [[12, "start"], [-12, "end"], ...(dy ? [[0, "middle"]] : [])]) {
        const left = x + dx - {start: 0, end: length, middle: length / 2}[textAnchor];
        const box = [left, left + length, y + dy - half, y + dy + half];
        if (free(box)) {
          taken.push(box);
          return [{point, dx, dy, textAnchor}];
        }
      }
    return [];
  });
}

function frontCsv(state) {
  const heads = ["method", "label", state.scope ? "value" : "sweep", state.cost, state.measure, "front"];
  const rows = judgedPoints(state).map(({method, at, x, y, front}) => {
    return [method, data.methods[method].label, at, x, y, front];
  });
  return csvText([heads, ...rows]);
}
