// The advice on a corpus of one's own: the sentence, the figure as the run drew it, and the numbers behind both.

function adviceSection() {
  data.advice.forEach(({exhibit, advice, tables, note}, index) => {
    const place = data.advice.length > 1 ? `-${index + 1}` : "";
    section(
      `advice${place}`,
      "Advice",
      el("p", {class: "advice"}, advice),
      pictures(data.exhibits[exhibit] ?? {pictures: []}),
      tables.map(([heads, ...rows]) => scroller(heads[0], table(heads.join(", "), heads, rows))),
      el("p", {class: "faint small"}, note),
    );
  });
}
