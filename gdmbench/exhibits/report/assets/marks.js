// How methods look in every figure, their colours and markers being those of the run's own, and their legend.

const DASHES = {"-": null, "--": "6,4", ":": "1.5,3.5", "-.": "7,3,1.5,3"};

/** A regular shape that d3 lacks, of the area that d3 gives to all its symbols. */
function polygon(corners) {
  return {
    draw(context, size) {
      const angle = (2 * Math.PI) / corners;
      const radius = Math.sqrt((2 * size) / (corners * Math.sin(angle)));
      d3.range(corners).forEach((i) => {
        context[i ? "lineTo" : "moveTo"](radius * Math.sin(i * angle), -radius * Math.cos(i * angle));
      });
      context.closePath();
    },
  };
}

// By the names that matplotlib gives them, as in the run's own figures: a symbol, and by how much it is turned.
const MARKERS = {
  o: [d3.symbolCircle, 0],
  s: [d3.symbolSquare, 0],
  D: [d3.symbolSquare, 45],
  d: [d3.symbolDiamond, 0],
  p: [polygon(5), 0],
  h: [polygon(6), 0],
  8: [polygon(8), 22.5],
  "^": [d3.symbolTriangle, 0],
  v: [d3.symbolTriangle, 180],
  "<": [d3.symbolTriangle, 270],
  ">": [d3.symbolTriangle, 90],
  "*": [d3.symbolStar, 0],
  P: [d3.symbolCross, 0],
  X: [d3.symbolCross, 45],
};

// A method's colour is always the same, but lighter on dark paper where it would be lost.
Object.values(data.methods).forEach((method, i) => {
  const {l, c, h} = d3.lch(method.color);
  const light = c < 5 ? d3.lch(100 - l * 0.9, 0, 0) : d3.lch(Math.max(l, 62), c, h);
  method.property = `--method-${i}`;
  root.style.setProperty(method.property, `light-dark(${method.color}, ${light.formatHex()})`);
});

function colorOf(method) {
  return `var(${data.methods[method].property})`;
}

/** Options of Plot's dot for a method's marker. */
function markerOf(method) {
  const {marker, hollow} = data.methods[method];
  const [symbol, rotate] = MARKERS[marker] ?? MARKERS.o;
  const [fill, stroke] = hollow ? ["var(--paper)", colorOf(method)] : [colorOf(method), "var(--paper)"];
  return {symbol, rotate, r: 5, fill, stroke, strokeWidth: hollow ? 1.6 : 0.7};
}

function dashOf(method) {
  return DASHES[data.methods[method].line] ?? null;
}

/** The marker on a piece of its line, as an element beside text. */
function swatch(method) {
  const {symbol, rotate, fill, stroke, strokeWidth} = markerOf(method);
  const svg = d3.create("svg").attr("width", 30).attr("height", 16).attr("viewBox", "-15 -8 30 16");
  svg.attr("aria-hidden", "true");
  svg
    .append("path")
    .attr("d", "M-14,0H14")
    .attr("stroke", colorOf(method))
    .attr("stroke-width", 1.8)
    .attr("stroke-dasharray", dashOf(method));
  svg
    .append("path")
    .attr("d", d3.symbol(symbol, 78)())
    .attr("transform", `rotate(${rotate})`)
    .attr("fill", fill)
    .attr("stroke", stroke)
    .attr("stroke-width", strokeWidth);
  return svg.node();
}

/** A button for each method that hides and shows it; more than one click hides more than one. */
function legend(methods, labels, hidden, onchange) {
  const buttons = methods.map((method) => {
    const made = button([swatch(method), labels[method]], () => {
      if (!hidden.delete(method)) hidden.add(method);
      made.setAttribute("aria-pressed", String(!hidden.has(method)));
      onchange();
    });
    made.setAttribute("aria-pressed", String(!hidden.has(method)));
    made.title = "show or hide";
    return made;
  });
  return el("div", {class: "legend", role: "group", "aria-label": "Methods shown"}, buttons);
}
