// The end of the page: what failed, what to know of the records, who made them, how to cite and to run it again.

function failuresSection() {
  if (!data.failures.length) return;
  const head = ["Sweep", "Method", "Where", "Cells", "How", "Why"];
  const rows = data.failures.map((f) =>
    el(
      "tr",
      {},
      el("th", {scope: "row"}, f.experiment),
      el("td", {}, f.method),
      el("td", {}, f.at || "–"),
      el("td", {}, String(f.cells)),
      el("td", {}, f.status),
      el("td", {}, f.error ? el("span", {class: "error"}, f.error) : "–"),
    ),
  );
  section(
    "failures",
    "Failures",
    el(
      "p",
      {},
      `${plural(data.cells.failed, "cell")} of ${data.cells.all} did not end well. Means are over the others.`,
    ),
    el(
      "div",
      {class: "scroll", tabindex: 0, role: "region", "aria-label": "Failures"},
      el(
        "table",
        {class: "plain"},
        el("caption", {class: "unseen"}, "What failed, where and why"),
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            head.map((text) => el("th", {scope: "col"}, text)),
          ),
        ),
        el("tbody", {}, rows),
      ),
    ),
  );
}

function notesSection() {
  if (!data.notes.length) return;
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

const COMMANDS_SHOWN = 3;

function commandList(commands) {
  if (!commands.length) return el("p", {class: "faint"}, "Nothing was run.");
  const lines = commands.map((command) => copyable(command, "command"));
  const more = lines.slice(COMMANDS_SHOWN);
  return [
    lines.slice(0, COMMANDS_SHOWN),
    more.length ? el("details", {}, el("summary", {}, plural(more.length, "more command")), more) : null,
  ];
}

function aboutSection() {
  const commands = [...new Set(data.runs.map((run) => run.command).filter(Boolean))];
  const again = commands.length ? commands : data.sweeps.map((sweep) => sweep.command);
  const made = section(
    "about",
    "About",
    el("h3", {}, "Run it again"),
    commandList(again),
    el("h3", {}, "Cite"),
    copyable(data.cite, "BibTeX"),
  );
  add(
    made,
    el("h3", {}, "Provenance"),
    data.runs.length ? provenance() : el("p", {class: "faint"}, "No run is on record."),
  );
  add(
    made,
    el("h3", {}, "This page"),
    el(
      "p",
      {},
      `Written ${data.made.when.replace("T", " ").slice(0, 16)} UTC by gdmbench ${data.made.code}. ` +
        "It works offline and sends nothing. Figures: Observable Plot and D3.",
    ),
    Object.entries(data.licences).map(([name, text]) =>
      el(
        "details",
        {},
        el("summary", {}, `Licence of ${name}`),
        el("pre", {tabindex: 0, role: "region", "aria-label": `Licence of ${name}`}, text),
      ),
    ),
  );
}

/** What all runs have in common once, and a table of what differs. */
function provenance() {
  const common = {};
  for (const [name, text] of [
    ["code", "Code"],
    ["python", "Python"],
    ["system", "System"],
    ["cpu", "Processor"],
  ]) {
    const all = [...new Set(data.runs.map((run) => run[name]).filter(Boolean))];
    if (all.length) common[text] = all.join("; ");
  }
  const packages = d3.rollup(
    data.runs.flatMap((run) => Object.entries(run.packages)),
    (pairs) => [...new Set(pairs.map(([, version]) => version))].join(" and "),
    ([name]) => name,
  );
  if (packages.size) common.Packages = [...packages].map(([name, version]) => `${name} ${version}`).join(", ");
  const total = d3.sum(data.runs, (run) => run.seconds),
    cpu = d3.sum(data.runs, (run) => run.cpu_seconds);
  common.Time = `${formatSeconds(total)} in all, ${formatSeconds(cpu)} of processors`;
  const head = ["Sweep", "Started (UTC)", "Cells", "Time", "CPU time"];
  const rows = data.runs.map((run) =>
    el(
      "tr",
      {},
      el("th", {scope: "row"}, run.sweep),
      el("td", {}, run.start.replace("T", " ").slice(0, 16)),
      el("td", {}, run.cells),
      el("td", {}, run.end || run.seconds !== null ? formatSeconds(run.seconds) : "did not end"),
      el("td", {}, formatSeconds(run.cpu_seconds)),
    ),
  );
  return [
    el(
      "dl",
      {},
      Object.entries(common).flatMap(([name, text]) => [el("dt", {}, name), el("dd", {}, text)]),
    ),
    el(
      "details",
      {open: data.runs.length <= 3},
      el("summary", {}, plural(data.runs.length, "run")),
      el(
        "div",
        {class: "scroll", tabindex: 0, role: "region", "aria-label": "Runs"},
        el(
          "table",
          {class: "plain"},
          el("caption", {class: "unseen"}, "Runs"),
          el(
            "thead",
            {},
            el(
              "tr",
              {},
              head.map((text) => el("th", {scope: "col"}, text)),
            ),
          ),
          el("tbody", {}, rows),
        ),
      ),
    ),
  ];
}

headSection();
claimsSection();
overviewSection();
sweepsSection();
topicsSection();
failuresSection();
notesSection();
aboutSection();

// An address such as report.html#sweep-vary_M opens at its place, though the parts were made only now.
document.getElementById(location.hash.slice(1))?.scrollIntoView();
document.documentElement.dataset.ready = "yes";
