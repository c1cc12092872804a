// What a claim rests on: every estimate against its limit, figures, and the command.

function evidence(claim) {
  const exhibit = data.exhibits[claim.exhibit] ?? {title: claim.exhibit, sweeps: [], pictures: [], command: ""};
  const said = (name, text) => (text ? el("p", {}, name ? el("strong", {}, name) : null, text) : null);
  const inWords = [
    said("", claim.evidence),
    said("In the units of the measure: ", claim.differences),
    said("Confirming run: ", claim.confirmed_evidence),
  ];
  const drawn = claim.estimates.length > 0;
  const shown = claim.holds_if + claim.explanation;
  const links = exhibit.sweeps.map((id, i) => [
    i ? ", " : "",
    el("a", {href: `#sweep-${id}`}, data.sweeps.find((sweep) => sweep.id === id).name),
  ]);
  return el(
    "div",
    {class: "evidence-body"},
    said("Demanded: ", claim.criterion),
    drawn ? forest(claim) : null,
    drawn ? el("details", {class: "small"}, el("summary", {}, "The same in words"), inWords) : inWords,
    said("Why: ", claim.reason),
    said("Holds if ", claim.holds_if),
    said("What explains it: ", claim.explanation),
    said("Other readings, added after the runs: ", claim.other_readings),
    claim.tried ? el("details", {class: "small"}, el("summary", {}, "All that was tried"), said("", claim.tried)) : null,
    Object.entries(claim.others).map(([name, text]) => said(`${name}: `, text)),
    pictures(exhibit),
    // What a claim depends on is shown by experiments that are named in brackets: their figures are evidence too.
    Object.entries(data.exhibits)
      .filter(([name, cause]) => cause !== exhibit && cause.pictures.length && shown.includes(`(${name})`))
      .map(([name, cause]) => {
        const heading = el("summary", {}, `What it depends on: ${cause.title}`);
        return el("details", {}, heading, pictures(cause), copyable(cause.command, `command of ${name}`));
      }),
    links.length ? el("p", {}, "Sweeps: ", links) : null,
    exhibit.command ? copyable(exhibit.command, "command") : null,
  );
}

function pictures(exhibit) {
  return exhibit.pictures.map(({name, base64}) =>
    el(
      "figure",
      {},
      el("img", {src: `data:image/png;base64,${base64}`, alt: `The run's figure ${name}`, loading: "lazy"}),
      el("figcaption", {class: "faint"}, `${exhibit.title}, as the run drew it`),
    ),
  );
}

function forest(claim) {
  const figure = el("div", {class: "figure"});
  const label = `Estimates behind the claim ${claim.id}: ${claim.evidence}`;
  lazily(figure, (width) => show(figure, forestFigure(claim, width), label));
  const confirmed = claim.estimates.some((estimate) => estimate.confirmed);
  const hint = claim.estimates.some((estimate) => estimate.outcome)
    ? "Estimates with 95 % intervals; the tinted band is where the claim wants them. " +
      "✓ all of the interval inside, ✗ all of it outside, ? neither. Estimates from one corpus have no interval: " +
      "their mark follows the spread over repetitions." +
      (confirmed ? " Hollow: the confirming run, with fresh seeds." : "")
    : "Estimates with 95 % intervals. Limits were not recorded with these claims: redraw to see them.";
  return [figure, el("p", {class: "faint hint"}, hint)];
}

/** Every estimate with its interval against the limits that the claim sets it, and below it the confirming run's. */
function forestFigure(claim, width) {
  const fresh = {name: "the same, fresh seeds", outcome: null, again: true};
  const all = claim.estimates
    .flatMap((estimate) => [estimate, ...(estimate.confirmed ? [{...estimate, ...estimate.confirmed, ...fresh}] : [])])
    .map((estimate, row) => ({...estimate, row, words: estimateWords(estimate)}));
  const known = all.filter((estimate) => estimate.value !== null && estimate.n);
  const numbers = known.flatMap((e) => [e.value, e.low, e.high, e.least, e.most]).filter((x) => x !== null);
  const [first, last] = d3.extent(numbers);
  // Ratios are drawn as such; numbers that are nowhere near 1, such as exponents, are not ratios.
  const log = first > 0 && first <= 1 && last >= 1 && last > 1.5 * first;
  let [low, high] = spread(first, last, log);
  const room = log ? (high / low) ** 0.06 : 0.06 * (high - low);
  [low, high] = log ? [low / room, high * room] : [low - room, high + room];
  const inside = (x, otherwise) => (x === null ? otherwise : Math.min(high, Math.max(low, x)));
  const color = (estimate) => (estimate.outcome ? `var(--${kindOf(estimate.outcome)})` : "var(--ink)");
  const limited = known.filter((e) => e.least !== null || e.most !== null);
  const limits = limited.flatMap(({row, least, most}) =>
    [least, most].filter((x) => x !== null).map((x) => ({x, row})),
  );
  // Names and numbers stand beside the intervals, or above and below them where the page is narrow.
  const narrow = width < 720;
  const longest = (get) => 7 * d3.max(all, (estimate) => get(estimate).length);
  const marginLeft = narrow ? 12 : Math.min(0.46 * width, 20 + longest((estimate) => estimate.name));
  const marginRight = narrow ? 16 : 24 + longest((estimate) => estimate.words);
  const lineWidth = (narrow ? width - 20 : marginLeft - 14) / 12.5;
  const name = {text: "name", frameAnchor: "left", lineWidth, textOverflow: "ellipsis-end"};
  const words = {text: "words", textAnchor: "start", fill: color, fontWeight: 600};
  const half = narrow ? 0.12 : 0.42;
  const band = {y1: ({row}) => row - half, y2: ({row}) => row + half};
  const {ticks, ...x} = measured([low, high], log, (width - marginLeft - marginRight) / 50);
  return Plot.plot(
    frame(width, 46 + (narrow ? 60 : 26) * all.length, {
      marginLeft,
      marginRight,
      marginBottom: 34,
      marginTop: 6,
      inset: 0,
      x,
      y: {axis: null, domain: [all.length - 0.5, -0.5]},
      marks: [
        Plot.gridX(ticks),
        axisX(ticks, null),
        Plot.rect(limited, {
          x1: ({least}) => inside(least, low),
          x2: ({most}) => inside(most, high),
          ...band,
          fill: "var(--good-ground)",
        }),
        Plot.ruleX(limits, {x: "x", ...band, stroke: "var(--good)", strokeWidth: 1.6}),
        Plot.ruleY(known, {
          y: "row",
          x1: (estimate) => inside(estimate.low, low),
          x2: (estimate) => inside(estimate.high, high),
          stroke: color,
          strokeWidth: 2,
        }),
        Plot.dot(known, {
          x: "value",
          y: "row",
          r: 4,
          fill: (estimate) => (estimate.again ? "var(--paper)" : color(estimate)),
          stroke: color,
          strokeWidth: 1.6,
        }),
        narrow
          ? Plot.text(all, {...name, y: ({row}) => row - 0.28, textAnchor: "start"})
          : Plot.text(all, {...name, y: "row", textAnchor: "end", dx: -10}),
        narrow
          ? Plot.text(all, {...words, y: ({row}) => row + 0.28, frameAnchor: "left"})
          : Plot.text(all, {...words, y: "row", frameAnchor: "right", dx: 10}),
      ],
    }),
  );
}

function estimateWords({outcome, value, low, high, n, missing}) {
  const mark = MARKS[outcome] ? `${MARKS[outcome]} ` : "";
  if (!n) return `${mark}no records`;
  const ends = ` [${low === null ? "-∞" : formatNumber(low)}, ${high === null ? "∞" : formatNumber(high)}]`;
  return `${mark}${formatNumber(value)}${low !== null && low === high ? "" : ends} n = ${n}${missing ? `, ${missing} missing` : ""}`;
}
