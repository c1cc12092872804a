// The first screen: what was run, and the claims as a table to filter.

function headSection() {
  const {all, fine, failed} = data.cells;
  const starts = data.runs
    .map((run) => run.start)
    .filter(Boolean)
    .sort();
  const facts = [
    plural(data.sweeps.length, "sweep"),
    plural(Object.keys(data.methods).length, "method"),
    starts.length
      ? `run ${day(starts[0])}${day(starts.at(-1)) === day(starts[0]) ? "" : ` to ${day(starts.at(-1))}`}`
      : null,
    oneOf(
      "gdmbench",
      "versions of gdmbench",
      data.runs.map((run) => run.code),
    ),
    oneOf(
      "",
      "kinds of processor",
      data.runs.map((run) => run.cpu),
    ),
  ];
  const tile = (number, text, kind, href, verdict) =>
    el(
      href ? "a" : "div",
      {class: `tile ${kind}`, href, "data-verdict": verdict},
      el("strong", {}, String(number)),
      el("span", {}, text),
    );
  const tiles = el("div", {class: "tiles"});
  tiles.append(tile(fine, all === fine ? `cells, all fine` : `of ${all} cells fine`, "plain"));
  if (failed) tiles.append(tile(failed, failed === 1 ? "cell failed" : "cells failed", "bad", "#failures"));
  // What the paper says and what we say are counted apart.
  const ours = data.claims.filter((claim) => (claim.where ?? "").startsWith("ours: "));
  const counts = d3.rollup(
    data.claims.filter((claim) => !ours.includes(claim)),
    (claims) => claims.length,
    (claim) => claim.verdict,
  );
  for (const verdict of Object.keys(MARKS)) {
    if (counts.get(verdict))
      tiles.append(tile(counts.get(verdict), `${MARKS[verdict]} ${verdict}`, kindOf(verdict), "#claims", verdict));
  }
  if (ours.length) tiles.append(tile(ours.length, "claims of ours beside these", "plain", "#claims"));
  document
    .getElementById("main")
    .append(
      el(
        "section",
        {id: "top", "aria-labelledby": "title"},
        el("h1", {id: "title"}, data.title),
        el("p", {class: "faint"}, facts.filter(Boolean).join(" · ")),
        tiles,
        data.notes.length
          ? el(
              "p",
              {class: "warn"},
              `⚠ ${plural(data.notes.length, "note")} on these records: `,
              el("a", {href: "#notes"}, "read"),
            )
          : null,
        all ? null : el("p", {class: "note"}, "There are no records here yet."),
      ),
    );
}

/** What all have in common, or how many there are. */
function oneOf(name, many, texts) {
  const all = [...new Set(texts.filter(Boolean))];
  return all.length > 1 ? `${all.length} ${many}` : all.length ? `${name} ${all[0]}`.trim() : null;
}

function day(time) {
  return String(time).slice(0, 10);
}

function kindOf(verdict) {
  return {reproduced: "good", "not reproduced": "bad"}[verdict] ?? "open";
}

function pill(verdict) {
  return verdict
    ? el(
        "span",
        {class: `pill ${kindOf(verdict)}`},
        el("span", {"aria-hidden": "true"}, MARKS[verdict] ?? "·"),
        ` ${verdict}`,
      )
    : "–";
}

function claimsSection() {
  if (!data.claims.length) return;
  const columns = [
    ["claim", "Claim"],
    ["words", data.claims.some((claim) => claim.where.startsWith("ours")) ? "What is claimed" : "What the paper says"],
    ["where", "Where"],
    ["verdict", "Verdict"],
  ];
  if (data.claims.some((claim) => claim.confirmed)) columns.push(["confirmed", "Confirmed"]);
  if (data.claims.some((claim) => claim.hangs_on)) columns.push(["hangs", "Hangs on"]);
  const state = {verdict: "", exhibit: "", words: ""};
  const body = el("tbody"),
    count = el("p", {class: "faint", role: "status"});
  const rows = data.claims.map((claim, index) => claimRows(claim, index, columns));
  rows.forEach(({row, detail}) => body.append(row, detail));
  const filter = () => {
    const wanted = state.words.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach(({claim, row, detail, button}) => {
      const text = [claim.id, claim.claim, claim.where, claim.evidence, claim.criterion, claim.hangs_on]
        .join(" ")
        .toLowerCase();
      const fits =
        (!state.verdict || claim.verdict === state.verdict || claim.confirmed === state.verdict) &&
        (!state.exhibit || claim.exhibit === state.exhibit) &&
        wanted.every((word) => text.includes(word));
      row.hidden = !fits;
      detail.hidden = !fits || button.getAttribute("aria-expanded") === "false";
      shown += fits;
    });
    count.textContent =
      shown === rows.length
        ? `${plural(shown, "claim")}; a click on a name shows the evidence`
        : `${shown} of ${plural(rows.length, "claim")}`;
  };
  const search = el("input", {
    type: "search",
    placeholder: "words",
    oninput: (event) => ((state.words = event.target.value), filter()),
  });
  const exhibits = [...new Set(data.claims.map((claim) => claim.exhibit))];
  const tools = el(
    "div",
    {class: "toolbar"},
    select(
      "Verdict",
      [["", "all"], ...Object.keys(MARKS).map((verdict) => [verdict, `${MARKS[verdict]} ${verdict}`])],
      "",
      (v) => ((state.verdict = v), filter()),
    ),
    exhibits.length > 1
      ? select(
          "Exhibit",
          [["", "all"], ...exhibits.map((name) => [name, data.exhibits[name]?.title ?? name])],
          "",
          (v) => ((state.exhibit = v), filter()),
        )
      : null,
    el("label", {class: "field"}, el("span", {}, "Search"), search),
  );
  const head = el(
    "thead",
    {},
    el(
      "tr",
      {},
      columns.map(([, text]) => el("th", {scope: "col"}, text)),
    ),
  );
  section(
    "claims",
    "Claims",
    tools,
    count,
    el(
      "table",
      {class: "claims"},
      el("caption", {class: "unseen"}, "Claims of the paper and what the records say"),
      head,
      body,
    ),
  );
  document.querySelectorAll(".tile[data-verdict]").forEach((tile) =>
    tile.addEventListener("click", () => {
      tools.querySelector("select").value = state.verdict = tile.dataset.verdict;
      filter();
    }),
  );
  filter();
}

function claimRows(claim, index, columns) {
  const id = `claim-${index}-evidence`;
  const button = el(
    "button",
    {type: "button", class: "opener", "aria-expanded": "false", "aria-controls": id},
    el("span", {"aria-hidden": "true", class: "arrow"}, "▸"),
    ` ${claim.id}`,
  );
  const cells = {
    claim: () => el("th", {scope: "row"}, button),
    words: () => el("td", {class: "words"}, claim.claim),
    where: () => el("td", {class: "where"}, claim.where),
    verdict: () => el("td", {class: "tight"}, pill(claim.verdict)),
    confirmed: () =>
      el("td", {class: claim.confirmed ? "tight" : "tight none", "data-head": "confirmed"}, pill(claim.confirmed)),
    hangs: () =>
      claim.hangs_on
        ? el("td", {"data-head": "hangs on"}, el("span", {class: "clamp"}, claim.hangs_on))
        : el("td", {class: "none"}, "–"),
  };
  const row = el(
    "tr",
    {id: `claim-${claim.id.replace(/[^\w.-]+/g, "-")}`},
    columns.map(([name]) => cells[name]()),
  );
  const room = el("td", {colspan: columns.length});
  const detail = el("tr", {id, class: "evidence", hidden: true}, room);
  const toggle = () => {
    const open = button.getAttribute("aria-expanded") === "false";
    button.setAttribute("aria-expanded", String(open));
    detail.hidden = !open;
    if (open && !room.hasChildNodes()) room.append(evidence(claim));
  };
  button.addEventListener("click", toggle);
  row.addEventListener("click", (event) => {
    if (!event.target.closest("button, a") && !getSelection().toString()) toggle();
  });
  return {claim, row, detail, button};
}
