// How methods look in every figure, their colours and markers being those of the run's own, and their legend.

const INK = {light: "#1b1b1b", dark: "#eceae6"};
const PAPER = {light: "#ffffff", dark: "#1b1c1e"};
const FAINT = {light: "#5c5c5c", dark: "#b4b1aa"};
const DASHES = {"-": null, "--": "6,4", ":": "1.5,3.5", "-.": "7,3,1.5,3"};

/** A marker as a regular shape: points on a circle, every second one nearer the centre for stars. */
function shape(corners, turn = 0, inner = 1, stretch = 1) {
  return {
    draw(context, size) {
      const radius = Math.sqrt(size / Math.PI) * 1.2;
      d3.range(corners).forEach((corner) => {
        const angle = (2 * Math.PI * corner) / corners + turn - Math.PI / 2;
        const reach = radius * (corner % 2 ? inner : 1);
        context[corner ? "lineTo" : "moveTo"](reach * Math.cos(angle) * stretch, reach * Math.sin(angle));
      });
      context.closePath();
    },
  };
}

function cross(turn) {
  return {
    draw(context, size) {
      const arm = Math.sqrt(size / 5) * 1.65,
        half = arm / 2.6;
      const corners = [
        [-half, -arm],
        [half, -arm],
        [half, -half],
        [arm, -half],
        [arm, half],
        [half, half],
        [half, arm],
      ];
      corners.push([-half, arm], [-half, half], [-arm, half], [-arm, -half], [-half, -half]);
      corners.forEach(([x, y], corner) => {
        const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
        context[corner ? "lineTo" : "moveTo"](x * cos - y * sin, x * sin + y * cos);
      });
      context.closePath();
    },
  };
}

// By the names that matplotlib gives them, as in the run's own figures.
const MARKERS = {
  o: d3.symbolCircle,
  s: d3.symbolSquare,
  D: shape(4),
  d: shape(4, 0, 1, 0.6),
  p: shape(5),
  h: shape(6),
  8: shape(8, Math.PI / 8),
  "^": shape(3),
  v: shape(3, Math.PI),
  "<": shape(3, -Math.PI / 2),
  ">": shape(3, Math.PI / 2),
  "*": shape(10, 0, 0.45),
  P: cross(0),
  X: cross(Math.PI / 4),
};

/** A method's colour: always the same, but lighter on dark paper where it would be lost. */
function colorOf(method, dark) {
  const color = data.methods[method].color;
  if (!dark) return color;
  const {l, c, h} = d3.lch(color);
  return c < 5 ? d3.lch(100 - l * 0.9, 0, 0).formatHex() : d3.lch(Math.max(l, 62), c, h).formatHex();
}

/** Options of Plot's tip: dark on dark paper. */
function tipLook(dark) {
  return {
    fontSize: 12.5,
    lineHeight: 1.25,
    lineWidth: 24,
    fill: dark ? PAPER.dark : PAPER.light,
    stroke: dark ? FAINT.dark : FAINT.light,
  };
}

/** Options of Plot's dot for a method's marker. */
function markerOf(method, dark) {
  const {marker, hollow} = data.methods[method];
  const color = colorOf(method, dark),
    paper = dark ? PAPER.dark : PAPER.light;
  const look = hollow ? {fill: paper, stroke: color, strokeWidth: 1.6} : {fill: color, stroke: paper, strokeWidth: 0.7};
  return {symbol: MARKERS[marker] ?? d3.symbolCircle, r: 5, ...look};
}

function dashOf(method) {
  return DASHES[data.methods[method].line] ?? null;
}

/** The marker on a piece of its line, as an element beside text. */
function swatch(method) {
  const dark = isDark(),
    {symbol, fill, stroke, strokeWidth} = markerOf(method, dark);
  const svg = d3
    .create("svg")
    .attr("width", 30)
    .attr("height", 16)
    .attr("viewBox", "-15 -8 30 16")
    .attr("aria-hidden", "true");
  svg
    .append("line")
    .attr("x1", -14)
    .attr("x2", 14)
    .attr("stroke", colorOf(method, dark))
    .attr("stroke-width", 1.8)
    .attr("stroke-dasharray", dashOf(method));
  svg
    .append("path")
    .attr("d", d3.symbol(symbol, 78)())
    .attr("fill", fill)
    .attr("stroke", stroke)
    .attr("stroke-width", strokeWidth);
  return svg.node();
}

/** A button for each method that hides and shows it; more than one click hides more than one. */
function legend(methods, labels, hidden, onchange) {
  const buttons = methods.map((method) => {
    const button = el(
      "button",
      {type: "button", "aria-pressed": String(!hidden.has(method)), title: "show or hide"},
      swatch(method),
      labels[method],
    );
    button.addEventListener("click", () => {
      hidden.has(method) ? hidden.delete(method) : hidden.add(method);
      button.setAttribute("aria-pressed", String(!hidden.has(method)));
      onchange();
    });
    return button;
  });
  return el("div", {class: "legend", role: "group", "aria-label": "Methods shown"}, buttons);
}
