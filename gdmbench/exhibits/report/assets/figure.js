// What all figures share: scales and ticks, reading a figure with the keyboard, and figures as files. The drawing itself
// is Observable Plot's.

/** Ticks of a logarithmic axis: as sparse as gives at least four. */
function logTicks(low, high) {
  const exponents = d3.range(Math.floor(Math.log10(low)) - 1, Math.ceil(Math.log10(high)) + 2);
  const within = (bases) =>
    exponents.flatMap((e) => bases.map((base) => Number(`${base}e${e}`))).filter((t) => t >= low && t <= high);
  const choices = [[1], [1, 3], [1, 2, 5], [1, 2, 3, 5, 7], [1, 1.5, 2, 3, 4, 5, 6, 8]].map(within);
  const found = choices.find((ticks) => ticks.length >= 4) ?? choices.at(-1);
  return found.length > 1 ? found : d3.ticks(low, high, 5);
}

function tickText(tick) {
  const size = Math.abs(tick);
  if (size !== 0 && (size < 1e-4 || size >= 1e5)) return tick.toExponential().replace("e+", "e");
  return String(Number(tick.toPrecision(6)));
}

/** The scale of a measured axis, and its ticks. */
function measureScale(numbers, log) {
  const domain = spread(...d3.extent(numbers), log);
  const room = log ? (domain[1] / domain[0]) ** 0.03 : 1;
  return {
    type: log ? "log" : "linear",
    domain,
    marks: log ? logTicks(domain[0] / room, domain[1] * room) : d3.ticks(...domain, 6),
  };
}

/** Where a number stands along an axis of so many pixels. */
function along({type, domain: [low, high]}, pixels) {
  return (x) => (type === "log" ? Math.log(x / low) / Math.log(high / low) : (x - low) / (high - low)) * pixels;
}

// Axes with all the labels they are given: Plot's own leave some out on logarithmic scales.
function axisX(ticks, text, label) {
  return Plot.axisX(ticks, {text, label, labelAnchor: "center", labelArrow: "none", labelOffset: 40});
}

function axisY(ticks, label) {
  return [
    Plot.gridY(ticks),
    Plot.axisY(ticks, {text: tickText, label, labelAnchor: "center", labelArrow: "none", labelOffset: 58}),
  ];
}

/** A domain that is never a single point. */
function spread(low, high, log) {
  if (low === undefined) return log ? [0.1, 1] : [0, 1];
  if (low < high) return [low, high];
  return log ? [low / 1.5, high * 1.5] : [low - (Math.abs(low) || 1) * 0.1, high + (Math.abs(high) || 1) * 0.1];
}

/** Those of the places, in pixels, whose texts don't run into each other; the last one counts more than its neighbours. */
function withoutOverlap(places, texts, letter = 6.6) {
  const kept = [];
  const fits = (i, j) => Math.abs(places[i] - places[j]) >= ((texts[i].length + texts[j].length) / 2) * letter + 8;
  [...places.keys()].reverse().forEach((i) => kept.every((j) => fits(i, j)) && kept.push(i));
  return kept.reverse();
}

/** What Plot needs to draw in the page's manner. */
function frame(width, height, dark, more) {
  const mode = dark ? "dark" : "light";
  return {
    width,
    height,
    inset: 8,
    style: {
      background: "none",
      color: INK[mode],
      fontSize: "12.5px",
      fontFamily: "system-ui, sans-serif",
      overflow: "visible",
    },
    ...more,
  };
}

/**
 * Put a figure into its place. Its points, `{x, y, text}` in the figure's own scales and ordered in rows, can be read
 * with the arrow keys: left and right within a row, up and down between rows. Each shows its tip and is spoken.
 */
function place(at, svg, label, rows = []) {
  svg.setAttribute("aria-hidden", "true");
  at.setAttribute("role", rows.length ? "application" : "img");
  at.setAttribute("aria-label", rows.length ? `${label}. Arrow keys go from point to point.` : label);
  if (rows.length) at.setAttribute("tabindex", "0");
  at.replaceChildren(svg);
  let row = 0,
    column = -1;
  const pointer = (type, point) => {
    const box = svg.getBoundingClientRect();
    const [x, y] = point ? [svg.scale("x").apply(point.x), svg.scale("y").apply(point.y)] : [-1e4, -1e4];
    const where = {clientX: box.left + x, clientY: box.top + y, pointerType: "mouse", bubbles: true};
    svg.dispatchEvent(new PointerEvent(type, where));
  };
  at.onkeydown = (event) => {
    const step = {
      ArrowRight: [0, 1],
      ArrowLeft: [0, -1],
      ArrowDown: [1, 0],
      ArrowUp: [-1, 0],
      Home: [0, -1e6],
      End: [0, 1e6],
    }[event.key];
    if (event.key === "Escape") return pointer("pointerleave");
    if (!step || !rows.length) return;
    event.preventDefault();
    row = Math.min(rows.length - 1, Math.max(0, row + (column < 0 ? 0 : step[0])));
    column = Math.min(rows[row].length - 1, Math.max(0, column + (column < 0 && step[0] ? 1 : step[1])));
    const point = rows[row][column];
    pointer("pointerenter", point);
    pointer("pointermove", point);
    announce(point.text.replaceAll("\n", ", "));
  };
  at.onblur = () => pointer("pointerleave");
}

/** A figure as a file of its own: on white, with its heading and the legend of what is shown. */
function standalone(svg, heading, methods, labels, hint = "") {
  const width = Number(svg.getAttribute("width")),
    height = Number(svg.getAttribute("height"));
  let x = 8,
    y = 40;
  const items = methods.map((method) => {
    const wide = 44 + 7.2 * labels[method].length;
    if (x + wide > width && x > 8) [x, y] = [8, y + 22];
    const item = {method, label: labels[method], x: x + 14, y};
    x += wide;
    return item;
  });
  const top = y + 22,
    foot = hint ? 24 : 0;
  const head = Plot.plot(
    frame(width, top, false, {
      inset: 0,
      margin: 0,
      axis: null,
      x: {domain: [0, width]},
      y: {domain: [top, 0]},
      marks: [
        Plot.text([heading], {x: 8, y: 14, text: (d) => d, textAnchor: "start", fontWeight: 600, fontSize: 14}),
        ...items.flatMap((item) => [
          Plot.ruleY([item], {
            y: "y",
            x1: item.x - 14,
            x2: item.x + 14,
            stroke: colorOf(item.method),
            strokeWidth: 1.8,
            strokeDasharray: dashOf(item.method),
          }),
          Plot.dot([item], {x: "x", y: "y", ...markerOf(item.method, false)}),
          Plot.text([item], {x: item.x + 18, y: "y", text: "label", textAnchor: "start"}),
        ]),
      ],
    }),
  );
  const outer = d3
    .create("svg")
    .attr("xmlns", "http://www.w3.org/2000/svg")
    .attr("width", width)
    .attr("height", top + height + foot)
    .attr("viewBox", `0 0 ${width} ${top + height + foot}`)
    .attr("font-family", "system-ui, sans-serif");
  outer.append("rect").attr("width", "100%").attr("height", "100%").attr("fill", PAPER.light);
  outer.append(() => head);
  d3.select(svg).attr("y", top);
  outer.append(() => svg);
  if (hint)
    outer
      .append("text")
      .attr("x", 8)
      .attr("y", top + height + 14)
      .attr("font-size", 11)
      .attr("fill", FAINT.light)
      .text(hint);
  return new XMLSerializer().serializeToString(outer.node());
}

/** The same as a PNG, twice as many dots as pixels of the figure. */
async function png(svgText) {
  const image = new Image();
  const url = URL.createObjectURL(new Blob([svgText], {type: "image/svg+xml"}));
  image.src = url;
  await image.decode();
  const canvas = el("canvas", {width: 2 * image.width, height: 2 * image.height});
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** Buttons that hand out a figure as files. `make` gives the standalone SVG. */
function pictureButtons(name, make) {
  return [
    el("button", {type: "button", onclick: () => download(`${name()}.svg`, make(), "image/svg+xml")}, "SVG"),
    el(
      "button",
      {type: "button", onclick: async () => download(`${name()}.png`, await png(make()), "image/png")},
      "PNG",
    ),
  ];
}
