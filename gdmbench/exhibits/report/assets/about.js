// The end of the page: what failed, what to know of the records, who made them, how to cite and to run it again.

const COMMANDS_SHOWN = 3;

function failuresSection() {
  if (!data.failures.length) return;
  const heads = ["Sweep", "Method", "Where", "Cells", "How", "Why"];
  const rows = data.failures.map(({experiment, method, at, cells, status, error}) => {
    return [experiment, method, at || "–", String(cells), status, el("td", {class: "error"}, error || "–")];
  });
  section(
    "failures",
    "Failures",
    el(
      "p",
      {},
      `${plural(data.cells.failed, "cell")} of ${data.cells.all} did not end well. Means are over the others.`,
    ),
    scroller("Failures", table("What failed, where and why", heads, rows)),
  );
}

function notesSection() {
  if (data.notes.length)
    section(
      "notes",
      "Notes",
      el(
        "ul",
        {},
        data.notes.map((note) => el("li", {}, note)),
      ),
    );
}

function commandList() {
  const typed = [...new Set(data.runs.map((run) => run.command).filter(Boolean))];
  const commands = typed.length ? typed : data.sweeps.map((sweep) => sweep.command);
  if (!commands.length) return el("p", {class: "faint"}, "Nothing was run.");
  const lines = commands.map((command) => copyable(command, "command"));
  const more = lines.slice(COMMANDS_SHOWN);
  return [
    lines.slice(0, COMMANDS_SHOWN),
    more.length ? el("details", {}, el("summary", {}, plural(more.length, "more command")), more) : null,
  ];
}

function aboutSection() {
  const written = data.made.when.replace("T", " ").slice(0, 16);
  section(
    "about",
    "About",
    el("h3", {}, "Run it again"),
    commandList(),
    el("h3", {}, "Cite"),
    copyable(data.cite, "BibTeX"),
    el("h3", {}, "Provenance"),
    data.runs.length ? provenance() : el("p", {class: "faint"}, "No run is on record."),
    confirmed(),
    el("h3", {}, "This page"),
    el(
      "p",
      {},
      `Written ${written} UTC by gdmbench ${data.made.code}. It works offline and sends nothing. Figures: Observable ` +
        "Plot and D3.",
    ),
    Object.entries(data.licences).map(([name, text]) => {
      const label = `Licence of ${name}`;
      const licence = el("pre", {tabindex: 0, role: "region", "aria-label": label}, text);
      return el("details", {}, el("summary", {}, label), licence);
    }),
  );
}

/** What all runs have in common once, and a table of what differs. */
function provenance() {
  const heads = ["Sweep", "Started (UTC)", "Cells", "Time", "CPU time"];
  const rows = data.runs.map((run) => [
    run.sweep,
    run.start.replace("T", " ").slice(0, 16),
    run.cells,
    run.end || run.seconds !== null ? formatSeconds(run.seconds) : "did not end",
    formatSeconds(run.cpu_seconds),
  ]);
  return [
    el(
      "dl",
      {},
      Object.entries(commonFacts()).map(([name, text]) => [el("dt", {}, name), el("dd", {}, text)]),
    ),
    el(
      "details",
      {open: data.runs.length <= 3},
      el("summary", {}, plural(data.runs.length, "run")),
      scroller("Runs", table("Runs", heads, rows)),
    ),
  ];
}

function confirmed() {
  if (!data.confirmed.length) return null;
  const rows = data.confirmed.map((one) => [one.when.replace("T", " ").slice(0, 16), one.cpu, one.sentence]);
  const heads = ["When (UTC)", "Processor", "What was found"];
  return [el("h3", {}, "Confirmed"), scroller("Confirmed", table("Checks of these numbers", heads, rows))];
}

function commonFacts() {
  const facts = {};
  for (const [name, word] of Object.entries({code: "Code", python: "Python", system: "System", cpu: "Processor"})) {
    const found = [...new Set(data.runs.map((run) => run[name]).filter(Boolean))];
    if (found.length) facts[word] = found.join("; ");
  }
  const packages = d3.rollup(
    data.runs.flatMap((run) => Object.entries(run.packages)),
    (pairs) => [...new Set(pairs.map(([, version]) => version))].join(" and "),
    ([name]) => name,
  );
  if (packages.size) facts.Packages = [...packages].map(([name, version]) => `${name} ${version}`).join(", ");
  const [total, cpu] = [d3.sum(data.runs, (run) => run.seconds), d3.sum(data.runs, (run) => run.cpu_seconds)];
  return {...facts, Time: `${formatSeconds(total)} in all, ${formatSeconds(cpu)} of processors`};
}

headSection();
adviceSection();
chosenSection();
claimsSection();
overviewSection();
sweepsSection();
topicsSection();
failuresSection();
notesSection();
aboutSection();

// An address such as report.html#sweep-vary_M opens at its place, though the parts were made only now.
document.getElementById(location.hash.slice(1))?.scrollIntoView();
root.dataset.ready = "yes";
