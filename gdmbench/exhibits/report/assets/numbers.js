// Numbers: the points of a figure, ratios paired by repetition, and how people write them.

/** A number of the data; JSON has neither infinity nor not-a-number. */
function read(x) {
  return x === null ? NaN : Number(x);
}

/**
 * The points of a figure, one for each method and swept value, with the numbers of its repetitions and their summary.
 * With a reference method they are ratios to it, repetition by repetition: both saw the same documents.
 */
function pointsOf(sweep, measure, reference = null) {
  const points = (sweep.points[measure] ?? []).map((point) => {
    const [mean, se, median, min, max] = [point.mean, point.se, point.median, point.min, point.max].map(read);
    const dots = point.numbers.map((x, i) => ({repetition: point.repetitions[i], y: read(x)}));
    return {...point, mean, se, median, min, max, dots, low: mean - se, high: mean + se};
  });
  if (reference === null) return points;
  return points.map((point) =>
    ratioTo(
      points.find((p) => p.method === reference && p.value === point.value),
      point,
    ),
  );
}

/** A point as geometric mean of the ratios to another, with one standard error either way on the logarithm. */
function ratioTo(other, point) {
  const theirs = new Map(other?.dots.map((dot) => [dot.repetition, dot.y]));
  const dots = point.dots
    .map((dot) => ({...dot, y: dot.y / theirs.get(dot.repetition)}))
    .filter((dot) => dot.y > 0 && Number.isFinite(dot.y));
  const logs = dots.map((dot) => Math.log(dot.y));
  const [mean, se] = [d3.mean(logs), d3.deviation(logs) / Math.sqrt(logs.length)];
  const [low, high] = [Math.exp(mean - se), Math.exp(mean + se)];
  return {...point, dots, n: dots.length, unpaired: point.n - dots.length, mean: Math.exp(mean), low, high};
}

/** A number with three significant digits, in plain decimals unless that would be long; as in the run's tables. */
function formatNumber(x, significant = 3) {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "-∞";
  if (Number.isInteger(x) && Math.abs(x) < 1e7) return String(x);
  if (Math.abs(x) < 1e-5 || Math.abs(x) >= 1e7) return x.toExponential(significant - 1);
  return Math.abs(x) >= 10 ** (significant - 1) ? x.toFixed(0) : x.toPrecision(significant);
}

/** Seconds in the unit that reads best. */
function formatSeconds(seconds) {
  if (seconds === null) return "–";
  if (seconds < 120) return `${formatNumber(seconds, seconds < 10 ? 2 : 3)} s`;
  return seconds < 7200 ? `${(seconds / 60).toFixed(0)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

/** A CSV file. A text that a spreadsheet would take for a formula gets a quote before it. */
function csvText(rows) {
  const cell = (content) => {
    if (typeof content === "number") return Number.isNaN(content) ? "" : content === Infinity ? "inf" : String(content);
    const text = /^[=+\-@\t\r]/.test(content) ? `'${content}` : content;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => `${row.map(cell).join(",")}\n`).join("");
}
