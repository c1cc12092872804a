// Topics of all methods in one plane: near ones have like words.

function mapFigure(corpus, shown, state, hidden, width) {
  const points = shown.methods
    .filter(({method}) => !hidden.has(method))
    .flatMap(({method, topics}) =>
      topics.map((topic, number) => {
        const words = topic.words.slice(0, 7).map((word) => corpus.words[word]);
        const name = `${corpus.labels[method]}, topic ${number + 1} (row ${topic.row + 1})`;
        return {method, row: topic.row, topic, x: topic.at[0], y: topic.at[1], text: `${name}\n${words.join(", ")}`};
      }),
    );
  const opacity = (point) => (state.word === null || point.topic.words.includes(state.word) ? 1 : 0.2);
  const first = points.filter((point) => point.method === shown.methods[0].method);
  const links = first.flatMap((center) =>
    points.filter((point) => point.row === center.row).map(({x, y}) => ({x1: center.x, y1: center.y, x2: x, y2: y})),
  );
  const svg = Plot.plot(
    frame(width, Math.min(520, Math.max(300, 0.6 * width)), {
      margin: 14,
      inset: 16,
      x: {axis: null, domain: spread(...d3.extent(points, (point) => point.x))},
      y: {axis: null, domain: spread(...d3.extent(points, (point) => point.y))},
      marks: [
        Plot.frame({stroke: "currentColor", strokeOpacity: 0.2}),
        Plot.link(links, {x1: "x1", y1: "y1", x2: "x2", y2: "y2", stroke: "currentColor", strokeOpacity: 0.18}),
        // Methods often have the same topic: the first is the largest, and the others lie on it.
        shown.methods.map(({method}, i) =>
          Plot.dot(
            points.filter((point) => point.method === method),
            {x: "x", y: "y", ...markerOf(method), r: Math.max(5, 9 - i), opacity},
          ),
        ),
        Plot.text(points, {
          x: "x",
          y: "y",
          text: (point) => String(point.row + 1),
          dx: 9,
          dy: -8,
          fontSize: 10.5,
          opacity,
          stroke: "var(--paper)",
          fill: "currentColor",
        }),
        tip(points),
      ],
    }),
  );
  svg.rows = d3.groups(points, (point) => point.method).map(([, row]) => row);
  return svg;
}
