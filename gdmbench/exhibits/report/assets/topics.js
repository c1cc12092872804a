// Topics of real corpora: methods side by side, the same row the nearest topic in each; words to find everywhere.

const WORDS_SHOWN = 10;

function topicsSection() {
  if (!data.topics.length) return;
  const state = {corpus: 0, value: null, repetition: null, relevance: 1, word: null};
  const hidden = new Set();
  const tools = el("div", {class: "toolbar"});
  const grid = el("div", {
    class: "scroll topics-scroll",
    tabindex: 0,
    role: "region",
    "aria-label": "Topics side by side",
  });
  const said = el("p", {class: "faint", role: "status"});
  const figure = el("div", {class: "figure", style: "min-height:clamp(300px, 58cqw, 520px)"});
  const buttons = el("div");
  const corpus = () => data.topics[state.corpus];
  const values = () => [...new Set(corpus().shown.map((s) => s.value))];
  const atValue = () => corpus().shown.filter((s) => s.value === state.value);
  const shown = () => atValue().find((s) => s.repetition === state.repetition);
  const slider = el("input", {type: "range", min: 0, max: 1, step: 0.05, value: 1});
  const output = el("output", {}, "1.00");
  const relevance = el(
    "label",
    {class: "field"},
    el("span", {}, "Relevance λ"),
    el("span", {class: "range"}, slider, output),
  );
  slider.addEventListener("input", () => {
    state.relevance = Number(slider.value);
    output.textContent = state.relevance.toFixed(2);
    drawGrid();
  });

  /** Offer what there is: a corpus has its own numbers of topics, and each of these its repetitions. */
  function choose() {
    if (!values().includes(state.value)) state.value = values()[Math.floor((values().length - 1) / 2)];
    if (!shown()) state.repetition = atValue()[0].repetition;
    const corpora = data.topics.map(({title}, i) => [i, title]);
    const pick = (change) => (choice) => {
      const place = [...tools.children].findIndex((field) => field.contains(document.activeElement));
      change(choice);
      choose();
      draw();
      tools.children[place]?.querySelector("select").focus();
    };
    const fields = [
      corpora.length > 1 &&
        select(
          "Corpus",
          corpora,
          state.corpus,
          pick((i) => (state.corpus = Number(i))),
        ),
      values()[0] &&
        select(
          corpus().symbol || "Value",
          values().map(twice),
          state.value,
          pick((v) => (state.value = v)),
        ),
      select(
        "Repetition",
        atValue().map((s) => twice(s.repetition)),
        state.repetition,
        pick((r) => (state.repetition = Number(r))),
      ),
    ];
    tools.replaceChildren(...fields.filter(Boolean), relevance);
  }
  function pickWord(word) {
    state.word = state.word === word ? null : word;
    const topic = document.activeElement?.closest(".topic")?.id;
    drawGrid();
    drawMap();
    if (topic) document.getElementById(topic).querySelector(`[data-word="${word}"]`)?.focus({preventScroll: true});
  }
  function drawGrid() {
    grid.replaceChildren(topicGrid(corpus(), shown(), state, hidden, pickWord));
    said.textContent = state.word === null ? "Click a word to find it in every method and topic." : places();
  }
  function places() {
    const found = shown()
      .methods.map(({method, topics}) => {
        const numbers = topics.flatMap((topic, i) => (topic.words.includes(state.word) ? [i + 1] : []));
        return {label: corpus().labels[method], numbers};
      })
      .filter(({numbers}) => numbers.length);
    const count = d3.sum(found, ({numbers}) => numbers.length);
    const list = found.map(({label, numbers}) => `${label} ${numbers.join(", ")}`).join("; ");
    return `“${corpus().words[state.word]}” leads in ${plural(count, "topic")}: ${list}`;
  }
  function draw() {
    if (state.word !== null && !corpus().words[state.word]) state.word = null;
    const methods = shown().methods.map((m) => m.method);
    buttons.replaceChildren(legend(methods, corpus().labels, hidden, () => (drawGrid(), drawMap())));
    drawGrid();
    drawMap();
  }
  const about =
    "Topics in one row are matched: the sum of their distances to the first method's, by leading words, is the least " +
    "possible. Numbers are a method's own. Bars are word probabilities; with λ below 1 words rank by relevance, " +
    "λ log p(word | topic) + (1 - λ) log lift, the lift taken over the method's own topics, as far as their leading " +
    "words tell.";
  const aboutMap =
    "Classical scaling of Hellinger's distance between the leading words: near topics have like words. Numbers are " +
    "the rows above.";
  const card = el(
    "article",
    {class: "card", "aria-labelledby": "topics-side"},
    el("h3", {id: "topics-side"}, "Methods side by side"),
    el("p", {class: "faint"}, about),
    tools,
    buttons,
    said,
    grid,
    el("h3", {id: "topics-map"}, "Map of topics"),
    el("p", {class: "faint"}, aboutMap),
    figure,
  );
  section("topics", "Topics", card);
  choose();
  const drawMap = lazily(figure, (width) => {
    show(figure, mapFigure(corpus(), shown(), state, hidden, width), "Map of topics: near ones have like words");
  });
  draw();
}

function twice(x) {
  return [x, String(x)];
}

/** Words of a topic by relevance (Sievert and Shirley, 2014): λ log p + (1 - λ) log (p / mean p in all topics). */
function byRelevance(topic, topics, relevance) {
  const log = (x) => Math.log(Math.max(x, 1e-300));
  const inAll = (word) => d3.mean(topics, (other) => other.p[other.words.indexOf(word)] ?? 0);
  const rows = topic.words.map((word, i) => {
    const p = topic.p[i];
    return {word, p, score: relevance === 1 ? p : relevance * log(p) + (1 - relevance) * log(p / inAll(word))};
  });
  return d3.sort(rows, (row) => -row.score);
}

function topicGrid(corpus, shown, state, hidden, pickWord) {
  const methods = shown.methods.filter((m) => !hidden.has(m.method));
  const heads = methods.map((m) => {
    const count = el("span", {class: "faint"}, ` ${plural(m.topics.length, "topic")}`);
    return el("th", {scope: "col"}, swatch(m.method), " ", corpus.labels[m.method], count);
  });
  const rows = d3.range(shown.rows).map((row) => [
    String(row + 1),
    ...methods.map((m) => {
      const number = m.topics.findIndex((topic) => topic.row === row);
      if (number < 0) return el("p", {class: "missing"}, "no counterpart");
      return topicBox(corpus, m, number, matchOf(shown.methods[0], m, m.topics[number]), state, pickWord);
    }),
  ]);
  const attributes = {class: "topics", style: `min-width:${3 + 12 * methods.length}rem`};
  return table("Leading words of each topic, one column per method", ["row", ...heads], rows, attributes);
}

/** How much a topic has in common with the first method's in its row, in words. */
function matchOf(first, mine, topic) {
  if (first === mine) return null;
  const reference = first.topics.find((other) => other.row === topic.row);
  if (!reference) return el("span", {class: "unmatched"}, "unmatched");
  const [theirs, ours] = [reference, topic].map(({words}) => words.slice(0, WORDS_SHOWN));
  const common = ours.filter((word) => theirs.includes(word)).length;
  if (!common) return el("span", {class: "unmatched"}, "no word shared");
  return el("span", {class: "faint"}, `${common} of ${ours.length} words shared`);
}

function topicBox(corpus, {method, topics}, number, match, state, pickWord) {
  const topic = topics[number];
  const hit = state.word !== null && topic.words.includes(state.word);
  const words = byRelevance(topic, topics, state.relevance)
    .filter((row, place) => place < WORDS_SHOWN || row.word === state.word)
    .map(({word, p}) => {
      const length = `width:${((100 * p) / d3.max(topic.p)).toFixed(1)}%;--method:${colorOf(method)}`;
      const content = [
        el("span", {class: "bar", style: length}),
        el("span", {class: "text"}, corpus.words[word]),
        el("span", {class: "p", "aria-hidden": "true"}, formatNumber(p, 2)),
      ];
      return button(content, () => pickWord(word), {
        class: "word",
        "data-word": word,
        "aria-pressed": String(state.word === word),
        title: `${formatNumber(p)} of the topic`,
      });
    });
  return el(
    "div",
    {class: hit ? "topic hit" : "topic", id: `topic-${method.replace(/[^\w.-]+/g, "-")}-${number}`},
    el("p", {class: "topic-head"}, `topic ${number + 1}`, match),
    el(
      "ol",
      {},
      words.map((word) => el("li", {}, word)),
    ),
  );
}
