// What a claim rests on: every estimate against its limit, figures, and the command.

function evidence(claim) {
  const exhibit = data.exhibits[claim.exhibit] ?? {title: claim.exhibit, sweeps: [], pictures: [], command: ""};
  const made = el("div", {class: "evidence-body"});
  if (claim.criterion) made.append(el("p", {}, el("strong", {}, "Demanded: "), claim.criterion));
  if (claim.estimates.length) {
    const at = el("div", {class: "figure"});
    made.append(at);
    if (claim.estimates.some((e) => e.outcome))
      made.append(
        el(
          "p",
          {class: "faint hint"},
          "Estimates with 95 % intervals; the tinted band is where the claim wants them. " +
            "✓ all of the interval inside, ✗ all of it outside, ? neither." +
            (claim.estimates.some((e) => e.confirmed) ? " Hollow: the confirming run, with fresh seeds." : ""),
        ),
      );
    else
      made.append(
        el(
          "p",
          {class: "faint hint"},
          "Estimates with 95 % intervals. Limits were not recorded with these claims: redraw to see them.",
        ),
      );
    lazily(at, () =>
      place(
        at,
        forestFigure(claim, Math.max(280, at.clientWidth), isDark()),
        `Estimates behind the claim ${claim.id}: ${claim.evidence}`,
      ),
    );
  }
  const inWords = [
    ["", claim.evidence],
    ["In the units of the measure: ", claim.differences],
    ["Confirming run: ", claim.confirmed_evidence],
  ];
  const said = inWords
    .filter(([, text]) => text)
    .map(([name, text]) => el("p", {}, name ? el("strong", {}, name) : null, text));
  if (said.length)
    made.append(
      ...(claim.estimates.length
        ? [el("details", {class: "small"}, el("summary", {}, "The same in words"), said)]
        : said),
    );
  if (claim.reason) made.append(el("p", {}, el("strong", {}, "Why: "), claim.reason));
  if (claim.hangs_on) made.append(el("p", {}, el("strong", {}, "Hangs on: "), claim.hangs_on));
  for (const [name, text] of Object.entries(claim.others))
    made.append(el("p", {}, el("strong", {}, `${name}: `), text));
  made.append(...pictures(exhibit));
  // What a claim hangs on is shown by experiments that are named in brackets: their figures are evidence too.
  for (const [name, cause] of Object.entries(data.exhibits)) {
    if (cause !== exhibit && cause.pictures.length && claim.hangs_on.includes(`(${name})`)) {
      made.append(
        el(
          "details",
          {},
          el("summary", {}, `What it hangs on: ${cause.title}`),
          pictures(cause),
          copyable(cause.command, `command of ${name}`),
        ),
      );
    }
  }
  if (exhibit.sweeps.length) {
    made.append(
      el(
        "p",
        {},
        "Sweeps: ",
        exhibit.sweeps.map((id, i) => [
          i ? ", " : "",
          el("a", {href: `#sweep-${id}`}, data.sweeps.find((sweep) => sweep.id === id).name),
        ]),
      ),
    );
  }
  if (exhibit.command) made.append(copyable(exhibit.command, "command"));
  return made;
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

/** Every estimate with its interval against the limits that the claim sets it, and below it the confirming run's. */
function forestFigure(claim, width, dark) {
  const both = claim.estimates.flatMap((e) => [
    e,
    ...(e.confirmed ? [{...e, ...e.confirmed, name: "the same, fresh seeds", outcome: null, again: true}] : []),
  ]);
  const all = both.map((e, row) => ({...e, row}));
  const known = all.filter((e) => Number.isFinite(e.value) && e.value !== null && e.n);
  const numbers = known.flatMap((e) => [e.value, e.low, e.high, e.least, e.most]).filter((x) => x !== null);
  // Ratios are drawn as such; numbers that are nowhere near 1, such as exponents, are not ratios.
  const log =
    d3.min(numbers) > 0 && d3.min(numbers) <= 1 && d3.max(numbers) >= 1 && d3.max(numbers) > 1.5 * d3.min(numbers);
  let [low, high] = spread(...d3.extent(numbers), log);
  const room = log ? (high / low) ** 0.06 : 0.06 * (high - low);
  [low, high] = log ? [low / room, high * room] : [low - room, high + room];
  const inside = (x, otherwise) => (x === null ? otherwise : Math.min(high, Math.max(low, x)));
  const narrow = width < 720,
    step = narrow ? 60 : 26;
  const color = (e) =>
    ({
      good: dark ? "#6cc08b" : "#1d7a3e",
      bad: dark ? "#ff9d8a" : "#b3261e",
      open: dark ? "#e3c26a" : "#7a5b00",
      none: dark ? INK.dark : INK.light,
    })[e.outcome ? kindOf(e.outcome) : "none"];
  const words = (e) => {
    if (!e.n) return `${MARKS[e.outcome] ?? ""} no records`;
    const ends = `[${e.low === null ? "-∞" : formatNumber(e.low)}, ${e.high === null ? "∞" : formatNumber(e.high)}]`;
    const lost = e.missing ? `, ${e.missing} missing` : "";
    return `${MARKS[e.outcome] ?? ""} ${formatNumber(e.value)} ${ends} n = ${e.n}${lost}`.trim();
  };
  const names = all.map((e) => e.name),
    letter = 7;
  const marginLeft = narrow ? 12 : Math.min(0.46 * width, 20 + letter * d3.max(names, (name) => name.length));
  const marginRight = narrow ? 16 : 24 + letter * d3.max(all, (e) => words(e).length);
  const limited = known.filter((e) => e.least !== null || e.most !== null);
  const reach = narrow ? 0.12 : 0.42;
  const ticks = log ? logTicks(low, high) : d3.ticks(low, high, 5);
  const scale = {type: log ? "log" : "linear", domain: [low, high]};
  const kept = withoutOverlap(ticks.map(along(scale, width - marginLeft - marginRight)), ticks.map(tickText)).map(
    (i) => ticks[i],
  );
  const limits = limited.flatMap((e) => [e.least, e.most].filter((x) => x !== null).map((x) => ({x, row: e.row})));
  return Plot.plot(
    frame(width, 46 + step * all.length, dark, {
      marginLeft,
      marginRight,
      marginBottom: 34,
      marginTop: 6,
      inset: 0,
      x: scale,
      y: {axis: null, domain: [all.length - 0.5, -0.5]},
      marks: [
        Plot.gridX(kept),
        Plot.axisX(kept, {text: tickText, label: null}),
        Plot.rect(limited, {
          x1: (e) => inside(e.least, low),
          x2: (e) => inside(e.most, high),
          y1: (e) => e.row - reach,
          y2: (e) => e.row + reach,
          fill: dark ? "#2f5a43" : "#cfe8d6",
          fillOpacity: 0.75,
        }),
        Plot.ruleX(limits, {
          x: "x",
          y1: (d) => d.row - reach,
          y2: (d) => d.row + reach,
          stroke: dark ? "#8fd3a8" : "#1d7a3e",
          strokeWidth: 1.6,
        }),
        Plot.ruleY(known, {
          y: (e) => e.row,
          x1: (e) => inside(e.low, low),
          x2: (e) => inside(e.high, high),
          stroke: color,
          strokeWidth: 2,
        }),
        Plot.dot(known, {
          x: "value",
          y: (e) => e.row,
          r: 4,
          fill: (e) => (e.again ? (dark ? PAPER.dark : PAPER.light) : color(e)),
          stroke: color,
          strokeWidth: 1.6,
        }),
        narrow
          ? Plot.text(all, {
              y: (e) => e.row - 0.28,
              text: "name",
              frameAnchor: "left",
              textAnchor: "start",
              lineWidth: (width - 20) / 12.5,
              textOverflow: "ellipsis-end",
            })
          : Plot.text(all, {
              y: "row",
              text: "name",
              frameAnchor: "left",
              textAnchor: "end",
              dx: -10,
              lineWidth: (marginLeft - 14) / 12.5,
              textOverflow: "ellipsis-end",
            }),
        narrow
          ? Plot.text(all, {
              y: (e) => e.row + 0.28,
              text: words,
              frameAnchor: "left",
              textAnchor: "start",
              fill: color,
              fontWeight: 600,
            })
          : Plot.text(all, {
              y: "row",
              text: words,
              frameAnchor: "right",
              textAnchor: "start",
              dx: 10,
              fill: color,
              fontWeight: 600,
            }),
      ],
    }),
  );
}
