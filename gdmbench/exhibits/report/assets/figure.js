// What all figures share: a card with toolbar, legend and downloads, scales, reading a figure with the keyboard, and
// figures as files. The drawing itself is Observable Plot's.

/**
 * A card with a figure.
 *
 * `about` stands above it and `below` under it. `controls(again)` are the fields of the toolbar, which call `again`
 * when they have changed what is to be seen. `methods()` are those of the legend, called as in `labels`, and `hidden`
 * those that were clicked; a figure without methods has no files and may be wider than the card. `draw(width, onPage)`
 * gives the figure, an SVG with `rows` for the keyboard and a `hint`; `title()` is its heading and `name()` its file's.
 * `files` are functions of the text files beside the pictures, by the words on their buttons, each with suffix and
 * type; `link` is one more. `after` is called when the figure was drawn, and `room` is the height kept for it until
 * then, so that addresses within the page stay where they are.
 */
function figureCard(options) {
  const {id, heading, labels, hidden, methods, title, room, files = {}, about = [], below = []} = options;
  const figure = el("div", {class: "figure", style: `min-height:${room}`});
  const buttons = el("div");
  const hint = el("p", {class: "faint hint"});
  const redraw = lazily(figure, (width) => {
    const svg = options.draw(width, true);
    figure.style.minHeight = 0;
    show(figure, svg, title());
    hint.textContent = svg.hint ?? "";
    options.after?.();
  });
  const explain = () => methods && buttons.replaceChildren(legend(methods(), labels, hidden, redraw));
  const controls = options.controls(() => (explain(), redraw()));
  const save = () => {
    const shown = methods().filter((method) => !hidden.has(method));
    return standalone(options.draw(760, false), title(), shown, labels);
  };
  const name = () => options.name().replace(/[^\w.-]+/g, "_");
  const texts = Object.entries(files).map(([text, {suffix, type, make}]) =>
    button(text, () => download(`${name()}.${suffix}`, make(), type)),
  );
  const downloads = el(
    "div",
    {class: "files", role: "group", "aria-label": "Downloads of what is seen"},
    el("span", {class: "faint"}, "Download"),
    texts,
    button("SVG", () => download(`${name()}.svg`, save(), "image/svg+xml")),
    button("PNG", async () => download(`${name()}.png`, await png(save()), "image/png")),
    options.link,
  );
  explain();
  return el(
    "article",
    {class: "card", id, "aria-labelledby": `${id}-heading`},
    el("h3", {id: `${id}-heading`}, heading),
    about,
    el("div", {class: "toolbar"}, controls),
    buttons,
    methods ? figure : scroller(heading, figure),
    hint,
    methods ? downloads : null,
    below,
  );
}

function tickText(tick) {
  const size = Math.abs(tick);
  if (size !== 0 && (size < 1e-4 || size >= 1e5)) return tick.toExponential().replace("e+", "e");
  return String(Number(tick.toPrecision(6)));
}

/** The scale of a measured axis, with as many round ticks as there is room for. */
function measured(numbers, log, most) {
  const domain = spread(...d3.extent(numbers), log);
  if (!log) return {type: "linear", domain, ticks: d3.ticks(...domain, Math.min(6, most))};
  const all = d3.scaleLog(domain, [0, 1]).ticks();
  const choices = ["123456789", "1235", "125", "13", "1"].map((digits) =>
    all.filter((tick) => digits.includes(tick.toExponential()[0])),
  );
  return {type: "log", domain, ticks: choices.find((ticks) => ticks.length <= most) ?? choices.at(-1)};
}

/** A domain that is never a single point. */
function spread(low, high, log) {
  if (low === undefined) return log ? [0.1, 1] : [0, 1];
  if (low < high) return [low, high];
  return log ? [low / 1.5, high * 1.5] : [low - (Math.abs(low) || 1) * 0.1, high + (Math.abs(high) || 1) * 0.1];
}

// Axes with all the labels they are given: Plot's own leave some out on logarithmic scales.
function axisX(ticks, label, text = tickText) {
  return Plot.axisX(ticks, {text, label, labelAnchor: "center", labelArrow: "none", labelOffset: 40});
}

function axisY(ticks, label) {
  return Plot.axisY(ticks, {text: tickText, label, labelAnchor: "center", labelArrow: "none", labelOffset: 58});
}

function tip(rows, channels = {}) {
  const look = {fontSize: 12.5, lineHeight: 1.25, lineWidth: 24};
  return Plot.tip(rows, Plot.pointer({x: "x", y: "y", title: "text", maxRadius: 30, ...channels, ...look}));
}

/** What Plot needs to draw in the page's manner. */
function frame(width, height, more) {
  const style = {background: "none", fontSize: "12.5px", fontFamily: "system-ui, sans-serif", overflow: "visible"};
  return {width, height: Math.round(height), inset: 8, style, ...more};
}

/**
 * Put a figure into its place. The points of its `rows`, `{x, y, text}` in the figure's own scales, can be read with
 * the arrow keys: left and right within a row, up and down between rows. Each shows its tip and is spoken.
 */
function show(at, svg, label) {
  const rows = svg.rows ?? [];
  svg.setAttribute("aria-hidden", "true");
  at.setAttribute("role", rows.length ? "application" : "img");
  at.setAttribute("aria-label", rows.length ? `${label}. Arrow keys go from point to point.` : label);
  if (rows.length) at.setAttribute("tabindex", "0");
  at.replaceChildren(svg);
  let row = 0;
  let column = -1;
  const pointer = (type, point) => {
    const box = svg.getBoundingClientRect();
    const [x, y] = point ? [svg.scale("x").apply(point.x), svg.scale("y").apply(point.y)] : [-1e4, -1e4];
    const where = {clientX: box.left + x, clientY: box.top + y, pointerType: "mouse", bubbles: true};
    svg.dispatchEvent(new PointerEvent(type, where));
  };
  const steps = {ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0]};
  Object.assign(steps, {Home: [0, -1e6], End: [0, 1e6]});
  at.onkeydown = (event) => {
    const step = steps[event.key];
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
function standalone(svg, heading, methods, labels) {
  const width = Number(svg.getAttribute("width"));
  const outer = d3.create("svg").attr("xmlns", "http://www.w3.org/2000/svg").attr("width", width);
  outer.attr("font-family", "system-ui, sans-serif").attr("font-size", 12.5);
  outer.append("rect").attr("width", "100%").attr("height", "100%").attr("fill", "var(--paper)");
  const write = (text, x, y) => outer.append("text").attr("x", x).attr("y", y).attr("fill", "var(--ink)").text(text);
  write(heading, 8, 20).attr("font-size", 14).attr("font-weight", 600);
  let [x, y] = [8, 44];
  methods.forEach((method) => {
    const wide = 46 + 7.8 * labels[method].length;
    if (x + wide > width && x > 8) [x, y] = [8, y + 22];
    const mark = swatch(method);
    outer
      .append(() => mark)
      .attr("x", x)
      .attr("y", y - 12);
    write(labels[method], x + 34, y);
    x += wide;
  });
  outer
    .append(() => svg)
    .attr("y", y + 16)
    .attr("color", "var(--ink)");
  const bottom = y + 16 + Number(svg.getAttribute("height"));
  if (svg.hint) write(svg.hint, 8, bottom + 14).attr("font-size", 11);
  outer.attr("height", bottom + (svg.hint ? 24 : 0));
  return new XMLSerializer().serializeToString(outer.node()).replace(/var\((--[\w-]+)\)/g, (_, name) => light(name));
}

/** The colour that a custom property has on white paper. */
function light(name) {
  return getComputedStyle(root)
    .getPropertyValue(name)
    .match(/light-dark\((.*?),/)[1];
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
