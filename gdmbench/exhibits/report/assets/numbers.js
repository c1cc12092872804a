// Numbers: means with their standard errors, ratios paired by repetition, and how people write them.

/** What a column of a sweep holds; JSON has no infinity, so that stands there as text. */
function column(sweep, measure) {
  return sweep.records[measure].map((x) => (x === null ? NaN : x === "inf" ? Infinity : x === "-inf" ? -Infinity : x));
}

/** Mean, standard error and the rest, as in summary.csv; `failed` counts records that are not ok. */
function describe(numbers, failed) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const n = sorted.length;
  const mean = n ? d3.fsum(numbers) / n : NaN;
  const spread = n > 1 && numbers.every(Number.isFinite);
  const se = spread ? Math.sqrt(d3.fsum(numbers, (x) => (x - mean) ** 2) / (n - 1) / n) : NaN;
  return {
    mean,
    se,
    low: mean - se,
    high: mean + se,
    median: d3.median(sorted) ?? NaN,
    min: sorted[0] ?? NaN,
    max: sorted[n - 1] ?? NaN,
    n,
    failed,
  };
}

/** Geometric mean of ratios with one standard error either way, on the logarithm. */
function describeRatios(ratios, failed) {
  const logs = describe(ratios.map(Math.log), failed);
  return {...logs, mean: Math.exp(logs.mean), low: Math.exp(logs.low), high: Math.exp(logs.high), se: logs.se};
}

/**
 * The points of a figure: for each method and swept value the numbers of its repetitions and their summary.
 * With a reference method they are ratios to it, repetition by repetition: both saw the same documents.
 */
function pointsOf(sweep, measure, reference = null) {
  const numbers = column(sweep, measure);
  const {method, value, repetition, ok} = sweep.records;
  const theirs = new Map();
  if (reference !== null) {
    numbers.forEach((x, i) => {
      if (sweep.methods[method[i]] === reference && !Number.isNaN(x)) theirs.set(`${value[i]} ${repetition[i]}`, x);
    });
  }
  const cells = new Map();
  numbers.forEach((x, i) => {
    const key = `${method[i]} ${value[i]}`;
    if (!cells.has(key)) {
      cells.set(key, {method: sweep.methods[method[i]], value: value[i], dots: [], failed: 0, unpaired: 0});
    }
    const cell = cells.get(key);
    cell.failed += 1 - ok[i];
    if (Number.isNaN(x)) return;
    if (reference === null) {
      cell.dots.push({repetition: repetition[i], y: x});
      return;
    }
    const ratio = x / theirs.get(`${value[i]} ${repetition[i]}`);
    if (ratio > 0 && Number.isFinite(ratio)) cell.dots.push({repetition: repetition[i], y: ratio});
    else cell.unpaired += 1;
  });
  return [...cells.values()].map((cell) => {
    const all = cell.dots.map((dot) => dot.y);
    return {...cell, ...(reference === null ? describe(all, cell.failed) : describeRatios(all, cell.failed))};
  });
}

/** A number with three significant digits, in plain decimals unless that would be long; as in the run's tables. */
function formatNumber(x, significant = 3) {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "-∞";
  if (Number.isInteger(x) && Math.abs(x) < 1e7) return String(x);
  if (Math.abs(x) < 1e-5 || Math.abs(x) >= 1e7) return scientific(x, significant - 1);
  return x.toFixed(Math.min(100, Math.max(0, significant - 1 - exponent(x, significant))));
}

/** A mean and its standard error: one digit of the error, two if the first is 1, the mean to that place. */
function formatMean(mean, error, plusMinus = " ± ") {
  if (!Number.isFinite(mean) || !Number.isFinite(error)) return formatNumber(mean);
  if (error <= 1e-9 * Math.abs(mean)) return `${formatNumber(mean)}${plusMinus}0`;
  const largest = Math.max(Math.abs(mean), error);
  if (largest < 1e-5 || largest >= 1e7) return `${scientific(mean, 2)}${plusMinus}${scientific(error, 1)}`;
  const digits = error.toExponential(1)[0] === "1" ? 2 : 1;
  const decimals = Math.max(0, digits - 1 - exponent(error, digits));
  const most = mean ? Math.max(0, 5 - exponent(mean, 6)) : decimals;
  return `${mean.toFixed(Math.min(decimals, most))}${plusMinus}${error.toFixed(decimals)}`;
}

function scientific(x, digits) {
  const [base, power] = x.toExponential(digits).split("e");
  const size = Math.abs(Number(power));
  return `${String(Number(base))}e${power[0] === "-" ? "-" : "+"}${size < 10 ? "0" : ""}${size}`;
}

function exponent(x, significant) {
  return Number(x.toExponential(significant - 1).split("e")[1]);
}

/** Seconds in the unit that reads best. */
function formatSeconds(seconds) {
  if (seconds === null || Number.isNaN(seconds)) return "–";
  if (seconds < 120) return `${formatNumber(seconds, seconds < 10 ? 2 : 3)} s`;
  return seconds < 7200 ? `${(seconds / 60).toFixed(0)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

/** One line of CSV. A text that a spreadsheet would take for a formula gets a quote before it. */
function csvLine(cells) {
  return cells
    .map((cell) => {
      if (typeof cell === "number") return Number.isNaN(cell) ? "" : cell === Infinity ? "inf" : String(cell);
      const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
      return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    })
    .join(",");
}
