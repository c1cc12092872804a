// The model that was chosen for a corpus of one's own: what it is about, its typical documents, its groups.

const DOCUMENT_LETTERS = 160;

function percent(share) {
  return share >= 0.1 ? `${Math.round(100 * share)} %` : `${Number((100 * share).toPrecision(1))} %`;
}

function chosenSection() {
  data.chosen.forEach((model, index) => {
    const place = data.chosen.length > 1 ? `-${index + 1}` : "";
    const order = d3.sort(d3.range(model.topics.length), (k) => -model.topics[k].size);
    const dropped = model.dropped ? `; ${model.dropped} left out, as dropped.csv tells` : "";
    const words = `${model.label}${model.at ? ` at ${model.at}` : ""}, fitted to ${plural(model.documents, "document")}`;
    section(
      `chosen${place}`,
      "What the corpus is about",
      el("p", {}, `${words}${dropped}. The size of a topic is its share of all words.`),
      el(
        "ol",
        {class: "chosen"},
        order.map((k) => chosenTopic(model.topics[k], k)),
      ),
      model.groups.length ? chosenGroups(model, order) : null,
    );
  });
}

function chosenTopic({size, words, documents}, k) {
  const shown = documents.map(([id, share, text]) => {
    const opening = text.length > DOCUMENT_LETTERS ? `${text.slice(0, DOCUMENT_LETTERS)}…` : text;
    return el("li", {}, el("strong", {}, id), ` ${percent(share)} `, el("span", {class: "faint"}, opening));
  });
  return el(
    "li",
    {class: "card"},
    el("h3", {}, `Topic ${k + 1}`, el("span", {class: "faint"}, ` ${percent(size)} of all words`)),
    el("div", {class: "size", style: `width:${(100 * size).toFixed(1)}%`}),
    el("p", {class: "chosen-words"}, words.map(([word]) => word).join(", ")),
    el("p", {class: "faint small"}, "Typical documents, with the topic's share in each"),
    el("ul", {class: "typical"}, shown),
  );
}

/** A table of groups by topics; the darker a cell, the larger the topic's share of the group's words. */
function chosenGroups(model, order) {
  const heads = ["Group", "documents", ...order.map((k) => el("th", {scope: "col", title: firstWords(model, k)}, `topic ${k + 1}`))];
  const rows = model.groups.map(([name, count, shares]) => [
    name,
    String(count),
    ...order.map((k) => el("td", {style: `--share:${(100 * shares[k]).toFixed(1)}%`, class: "share"}, percent(shares[k]))),
  ]);
  return [
    el("h3", {class: "apart"}, "Topics by group"),
    scroller("Topics by group", table("Share of each topic in the words of each group", heads, rows, {class: "numbers groups"})),
  ];
}

function firstWords(model, k) {
  return model.topics[k].words.slice(0, 5).map(([word]) => word).join(", ");
}
