// Topics of all methods in one plane: near ones have like words.

function mapPoints(corpus, shown, hidden) {
  return shown.methods
    .filter((m) => !hidden.has(m.method))
    .flatMap(({method, topics}) =>
      topics.map((topic, number) => ({
        method,
        number,
        row: topic.row,
        topic,
        x: topic.at[0],
        y: topic.at[1],
        text: `${corpus.labels[method]}, topic ${number + 1} (row ${topic.row + 1})\n${topic.words
          .slice(0, 7)
          .map((word) => corpus.words[word])
          .join(", ")}`,
      })),
    );
}

function mapRows(corpus, shown, hidden) {
  return d3.groups(mapPoints(corpus, shown, hidden), (p) => p.method).map(([, row]) => row);
}

function mapFigure(corpus, shown, state, hidden, width, dark) {
  const points = mapPoints(corpus, shown, hidden);
  const faded = (p) => (state.word === null || p.topic.words.includes(state.word) ? 1 : 0.2);
  const rows = d3
    .groups(points, (p) => p.row)
    .filter(([, row]) => row.length > 1)
    .flatMap(([, row]) => {
      const center = row.find((p) => p.method === shown.methods[0].method);
      return center ? row.filter((p) => p !== center).map((p) => ({x1: center.x, y1: center.y, x2: p.x, y2: p.y})) : [];
    });
  return Plot.plot(
    frame(width, Math.round(Math.min(520, Math.max(300, 0.6 * width))), dark, {
      margin: 14,
      inset: 16,
      x: {axis: null, domain: spread(...d3.extent(points, (p) => p.x))},
      y: {axis: null, domain: spread(...d3.extent(points, (p) => p.y))},
      marks: [
        Plot.frame({stroke: "currentColor", strokeOpacity: 0.2}),
        Plot.link(rows, {x1: "x1", y1: "y1", x2: "x2", y2: "y2", stroke: "currentColor", strokeOpacity: 0.18}),
        // Methods often have the same topic: the first is the largest, and the others lie on it.
        ...shown.methods.map(({method}, i) =>
          Plot.dot(
            points.filter((p) => p.method === method),
            {x: "x", y: "y", ...markerOf(method, dark), r: Math.max(5, 9 - i), opacity: faded},
          ),
        ),
        Plot.text(points, {
          x: "x",
          y: "y",
          text: (p) => String(p.row + 1),
          dx: 9,
          dy: -8,
          fontSize: 10.5,
          opacity: faded,
          stroke: dark ? PAPER.dark : PAPER.light,
          fill: "currentColor",
        }),
        Plot.tip(points, Plot.pointer({x: "x", y: "y", title: "text", maxRadius: 30, ...tipLook(dark)})),
      ],
    }),
  );
}
