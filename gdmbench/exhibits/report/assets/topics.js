// Topics of real corpora: methods side by side, the same row the nearest topic in each; words to find everywhere.

const WORDS_SHOWN = 10;

function topicsSection() {
  if (!data.topics.length) return;
  const state = {corpus: 0, value: null, repetition: null, relevance: 1, word: null, map: true};
  const tools = el("div", {class: "toolbar"}),
    grid = el("div", {class: "scroll topics-scroll", tabindex: 0, role: "region", "aria-label": "Topics side by side"});
  const said = el("p", {class: "faint", role: "status"}),
    figure = el("div", {class: "figure", style: "min-height:clamp(300px, 58cqw, 520px)"}),
    legendPlace = el("div");
  const corpus = () => data.topics[state.corpus];
  const values = () => [...new Set(corpus().shown.map((s) => s.value))];
  const repetitions = () =>
    corpus()
      .shown.filter((s) => s.value === state.value)
      .map((s) => s.repetition);
  const shown = () => corpus().shown.find((s) => s.value === state.value && s.repetition === state.repetition);
  const hidden = new Set();

  function choose() {
    if (!values().includes(state.value)) state.value = values()[Math.floor((values().length - 1) / 2)];
    if (!repetitions().includes(state.repetition)) state.repetition = repetitions()[0];
    const slider = el("input", {type: "range", min: 0, max: 1, step: 0.05, value: state.relevance});
    const output = el("output", {}, state.relevance.toFixed(2));
    slider.addEventListener("input", () => {
      state.relevance = Number(slider.value);
      output.textContent = state.relevance.toFixed(2);
      drawGrid();
    });
    const focused =
      document.activeElement?.closest?.(".toolbar") === tools
        ? [...tools.querySelectorAll("select, input")].indexOf(document.activeElement)
        : -1;
    tools.replaceChildren(
      ...(data.topics.length > 1
        ? [
            select(
              "Corpus",
              data.topics.map((t, i) => [i, t.title]),
              state.corpus,
              (i) => ((state.corpus = Number(i)), choose(), draw()),
            ),
          ]
        : []),
      ...(values().length > 1 || values()[0]
        ? [
            select(
              corpus().symbol || "Value",
              values().map((v) => [v, v]),
              state.value,
              (v) => ((state.value = v), choose(), draw()),
            ),
          ]
        : []),
      select(
        "Repetition",
        repetitions().map((r) => [r, String(r)]),
        state.repetition,
        (r) => ((state.repetition = Number(r)), draw()),
      ),
      el("label", {class: "field"}, el("span", {}, "Relevance λ"), el("span", {class: "range"}, slider, output)),
    );
    if (focused >= 0) tools.querySelectorAll("select, input")[focused]?.focus();
  }
  function pick(word) {
    state.word = state.word === word ? null : word;
    const topic = document.activeElement?.closest?.(".topic")?.id;
    drawGrid();
    drawMap();
    if (topic) document.getElementById(topic)?.querySelector(`[data-word="${word}"]`)?.focus({preventScroll: true});
  }
  function tell() {
    if (state.word === null) {
      said.textContent = "Click a word to find it in every method and topic.";
      return;
    }
    const places = shown()
      .methods.map(({method, topics}) => [
        corpus().labels[method],
        topics.map((t, i) => (t.words.includes(state.word) ? i + 1 : 0)).filter(Boolean),
      ])
      .filter(([, found]) => found.length);
    const count = d3.sum(places, ([, found]) => found.length);
    const list = places.map(([label, found]) => `${label} ${found.join(", ")}`).join("; ");
    said.textContent = `“${corpus().words[state.word]}” leads in ${plural(count, "topic")}: ${list}`;
  }
  function drawGrid() {
    grid.replaceChildren(topicGrid(corpus(), shown(), state, hidden, pick));
    tell();
  }
  function drawMap() {
    place(
      figure,
      mapFigure(corpus(), shown(), state, hidden, Math.max(280, figure.clientWidth), isDark()),
      "Map of topics: near ones have like words",
      mapRows(corpus(), shown(), hidden),
    );
  }
  function draw() {
    const methods = shown().methods.map((m) => m.method);
    legendPlace.replaceChildren(legend(methods, corpus().labels, hidden, () => (drawGrid(), drawMap())));
    if (state.word !== null && !corpus().words[state.word]) state.word = null;
    drawGrid();
    drawMap();
  }
  const card = el(
    "article",
    {class: "card", "aria-labelledby": "topics-side"},
    el("h3", {id: "topics-side"}, "Methods side by side"),
    el(
      "p",
      {class: "faint"},
      "Topics in one row are matched: the sum of their distances to the first method's, by leading words, is the least " +
        "possible. Numbers are a method's own. Bars are word probabilities; with λ below 1 words rank by relevance, " +
        "λ log p(word | topic) + (1 - λ) log lift, the lift taken over the method's own topics, as far as their leading " +
        "words tell.",
    ),
    tools,
    legendPlace,
    said,
    grid,
    el("h3", {id: "topics-map"}, "Map of topics"),
    el(
      "p",
      {class: "faint"},
      "Classical scaling of Hellinger's distance between the leading words: near topics have like words. Numbers are " +
        "the rows above.",
    ),
    figure,
  );
  section("topics", "Topics", card);
  choose();
  lazily(figure, draw);
}

/** Words of a topic by relevance (Sievert and Shirley, 2014): λ log p + (1 - λ) log (p / p of the word in all topics). */
function byRelevance(topic, marginal, relevance) {
  const rows = topic.words.map((word, i) => ({word, p: topic.p[i], lift: topic.p[i] / marginal.get(word)}));
  const score = (row) =>
    relevance * Math.log(Math.max(row.p, 1e-300)) + (1 - relevance) * Math.log(Math.max(row.lift, 1e-300));
  return d3.sort(rows, (a, b) => d3.descending(score(a), score(b)));
}

function marginalOf(topics) {
  const sums = d3.rollup(
    topics.flatMap((t) => t.words.map((word, i) => [word, t.p[i]])),
    (pairs) => d3.sum(pairs, ([, p]) => p),
    ([word]) => word,
  );
  return new Map([...sums].map(([word, p]) => [word, p / topics.length]));
}

function topicGrid(corpus, shown, state, hidden, pick) {
  const methods = shown.methods.filter((m) => !hidden.has(m.method));
  const first = shown.methods[0];
  const marginal = new Map(shown.methods.map((m) => [m.method, marginalOf(m.topics)]));
  const lead = (topic) => new Set(topic.words.slice(0, WORDS_SHOWN));
  const head = el(
    "tr",
    {},
    el("th", {scope: "col"}, "row"),
    methods.map((m) =>
      el(
        "th",
        {scope: "col"},
        swatch(m.method),
        " ",
        corpus.labels[m.method],
        el("span", {class: "faint"}, ` ${plural(m.topics.length, "topic")}`),
      ),
    ),
  );
  const rows = d3.range(shown.rows).map((row) => {
    const reference = first.topics.find((t) => t.row === row);
    return el(
      "tr",
      {},
      el("th", {scope: "row"}, String(row + 1)),
      methods.map((m) => {
        const number = m.topics.findIndex((t) => t.row === row);
        if (number < 0) return el("td", {}, el("p", {class: "missing"}, "no counterpart"));
        const topic = m.topics[number],
          all = byRelevance(topic, marginal.get(m.method), state.relevance);
        const ranked = all.filter((row, place) => place < WORDS_SHOWN || row.word === state.word);
        const most = d3.max(topic.p),
          mine = lead(topic);
        const common = reference ? [...lead(reference)].filter((word) => mine.has(word)).length : 0;
        const match =
          m === first
            ? ""
            : reference
              ? common
                ? `${common} of ${mine.size} words shared`
                : "no word shared"
              : "unmatched";
        return el(
          "td",
          {},
          el(
            "div",
            {
              class: `topic${state.word !== null && topic.words.includes(state.word) ? " hit" : ""}`,
              id: `topic-${m.method.replace(/[^\w.-]+/g, "-")}-${number}`,
            },
            el(
              "p",
              {class: "topic-head"},
              `topic ${number + 1}`,
              match ? el("span", {class: reference && common ? "faint" : "unmatched"}, match) : null,
            ),
            el(
              "ol",
              {},
              ranked.map(({word, p}) =>
                el(
                  "li",
                  {},
                  el(
                    "button",
                    {
                      type: "button",
                      class: "word",
                      "data-word": word,
                      "aria-pressed": String(state.word === word),
                      title: `${formatNumber(p)} of the topic`,
                      onclick: () => pick(word),
                    },
                    el("span", {
                      class: "bar",
                      style: `width:${((100 * p) / most).toFixed(1)}%;--method:${colorOf(m.method, isDark())}`,
                    }),
                    el("span", {class: "text"}, corpus.words[word]),
                    el("span", {class: "p", "aria-hidden": "true"}, formatNumber(p, 2)),
                  ),
                ),
              ),
            ),
          ),
        );
      }),
    );
  });
  return el(
    "table",
    {class: "topics", style: `min-width:${3 + 12 * methods.length}rem`},
    el("caption", {class: "unseen"}, "Leading words of each topic, one column per method"),
    el("thead", {}, head),
    el("tbody", {}, rows),
  );
}
