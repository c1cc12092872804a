// The first screen: what was run, and the claims as a table to filter.

const QUICK = "These verdicts are about a shrunken run (scale=quick): they say nothing of the paper's.";

function headSection() {
  if (data.quick) root.dataset.quick = "yes";
  const {all, fine, failed} = data.cells;
  const days = data.runs
    .map((run) => run.start.slice(0, 10))
    .filter(Boolean)
    .sort();
  const last = days.at(-1) === days[0] ? "" : ` to ${days.at(-1)}`;
  const facts = [
    plural(data.sweeps.length, "sweep"),
    plural(Object.keys(data.methods).length, "method"),
    days.length ? `run ${days[0]}${last}` : null,
    oneOf(
      "gdmbench ",
      "versions of gdmbench",
      data.runs.map((run) => run.code),
    ),
    oneOf(
      "",
      "kinds of processor",
      data.runs.map((run) => run.cpu),
    ),
  ];
  const tile = (number, text, kind, href, verdict) => {
    const attributes = {class: `tile ${kind}`, href, "data-verdict": verdict};
    return el(href ? "a" : "div", attributes, el("strong", {}, String(number)), el("span", {}, text));
  };
  // What the paper says and what we say are counted apart.
  const ours = data.claims.filter(isOurs).length;
  const theirs = data.claims.filter((claim) => !isOurs(claim));
  const verdicts = Object.keys(MARKS).map((verdict) => {
    const count = theirs.filter((claim) => outcomeOf(claim.verdict) === verdict).length;
    return count ? tile(count, `${MARKS[verdict]} ${verdict}`, kindOf(verdict), "#claims", verdict) : null;
  });
  const title = el("h1", {id: "title"}, data.title);
  const top = el(
    "section",
    {id: "top", "aria-labelledby": "title"},
    title,
    el("p", {class: "faint"}, facts.filter(Boolean).join(" · ")),
    el(
      "div",
      {class: "tiles"},
      tile(fine, failed ? `of ${all} cells fine` : "cells, all fine", "plain"),
      failed ? tile(failed, failed === 1 ? "cell failed" : "cells failed", "bad", "#failures") : null,
      verdicts,
      ours ? tile(ours, "claims of ours beside these", "plain", "#claims") : null,
    ),
  );
  if (data.quick && data.claims.length) add(top, el("p", {class: "warn"}, `⚠ ${QUICK}`));
  if (data.notes.length) {
    const note = `⚠ ${plural(data.notes.length, "note")} on these records: `;
    add(top, el("p", {class: "warn"}, note, el("a", {href: "#notes"}, "read")));
  }
  if (!all) add(top, el("p", {class: "note"}, "There are no records here yet."));
  document.getElementById("main").append(top);
}

function isOurs(claim) {
  return claim.where.startsWith("ours");
}

/** What all have in common, or how many there are. */
function oneOf(name, many, texts) {
  const all = [...new Set(texts.filter(Boolean))];
  return all.length > 1 ? `${all.length} ${many}` : all.length ? name + all[0] : null;
}

/** A verdict without the number of parts that hold. */
function outcomeOf(verdict) {
  return (verdict ?? "").replace(/ \(.*/, "");
}

function kindOf(verdict) {
  return {reproduced: "good", "not reproduced": "bad"}[outcomeOf(verdict)] ?? "open";
}

function pill(verdict) {
  if (!verdict) return "–";
  const mark = el("span", {"aria-hidden": "true"}, MARKS[outcomeOf(verdict)] ?? "·");
  const outcome = outcomeOf(verdict);
  // How many parts hold stands below: beside the verdict it would widen two columns.
  const parts = verdict.slice(outcome.length).replace(/[()]/g, "").trim();
  const made = el("span", {class: `pill ${kindOf(verdict)}`}, mark, ` ${outcome}`);
  return parts ? el("div", {}, made, el("div", {class: "faint"}, `${parts} parts`)) : made;
}

function claimsSection() {
  if (!data.claims.length) return;
  const columns = [
    ["claim", "Claim"],
    ["words", data.claims.some(isOurs) ? "What is claimed" : "What the paper says"],
    ["where", "Where"],
    ["verdict", "Verdict"],
  ];
  if (data.claims.some((claim) => claim.confirmed)) columns.push(["confirmed", "Confirmed"]);
  if (data.claims.some((claim) => claim.holds_if)) columns.push(["holds", "Holds if"]);
  const state = {verdict: "", exhibit: "", words: ""};
  const body = el("tbody");
  const count = el("p", {class: "faint", role: "status"});
  const rows = data.claims.map((claim, index) => claimRows(claim, index, columns));
  rows.forEach(({row, detail}) => body.append(row, detail));
  const filter = () => {
    const wanted = state.words.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach(({claim, row, detail, opener}) => {
      const text = [claim.id, claim.claim, claim.where, claim.evidence, claim.criterion, claim.holds_if]
        .join(" ")
        .toLowerCase();
      const fits =
        (!state.verdict || [claim.verdict, claim.confirmed].map(outcomeOf).includes(state.verdict)) &&
        (!state.exhibit || claim.exhibit === state.exhibit) &&
        wanted.every((word) => text.includes(word));
      row.hidden = !fits;
      detail.hidden = !fits || opener.getAttribute("aria-expanded") === "false";
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
  const verdicts = Object.keys(MARKS).map((verdict) => [verdict, `${MARKS[verdict]} ${verdict}`]);
  const byVerdict = select("Verdict", [["", "all"], ...verdicts], "", (v) => ((state.verdict = v), filter()));
  const titled = exhibits.map((name) => [name, data.exhibits[name]?.title ?? name]);
  const tools = el(
    "div",
    {class: "toolbar"},
    byVerdict,
    exhibits.length > 1
      ? select("Exhibit", [["", "all"], ...titled], "", (name) => ((state.exhibit = name), filter()))
      : null,
    el("label", {class: "field"}, el("span", {}, "Search"), search),
  );
  const caption = el("caption", {class: "unseen"}, "Claims of the paper and what the records say");
  const heads = columns.map(([, text]) => el("th", {scope: "col"}, text));
  const made = el("table", {class: "claims"}, caption, el("thead", {}, el("tr", {}, heads)), body);
  const quick = data.quick ? el("p", {class: "warn"}, `⚠ ${QUICK}`) : null;
  section("claims", "Claims", quick, tools, count, verdictsKey(), made);
  document.querySelectorAll(".tile[data-verdict]").forEach((tile) =>
    tile.addEventListener("click", () => {
      byVerdict.lastChild.value = state.verdict = tile.dataset.verdict;
      filter();
    }),
  );
  filter();
}

/** What the verdicts mean, in words to open. */
function verdictsKey() {
  const words = [
    "✓ reproduced: every part of the claim holds. ◐ partly reproduced (k of n): k of its n parts hold and at least one " +
      "is refuted. ✗ not reproduced: at least one part is refuted and none holds. ? not enough evidence: no part is " +
      "refuted and at least one is open.",
    "Confirmed: the verdict with fresh seeds and more repetitions. Holds if: a change that an author could have made, " +
      "of a setting or of a reading, with the verdict under it by the same criterion; that the authors made it is not " +
      "shown.",
  ];
  const summary = el("summary", {}, "How to read the verdicts");
  return el(
    "details",
    {class: "small"},
    summary,
    words.map((text) => el("p", {}, text)),
  );
}

function claimRows(claim, index, columns) {
  const id = `claim-${index}-evidence`;
  const arrow = el("span", {"aria-hidden": "true", class: "arrow"}, "▸");
  const opener = button([arrow, ` ${claim.id}`], () => toggle(), {
    class: "opener",
    "aria-expanded": "false",
    "aria-controls": id,
  });
  const cells = {
    claim: () => el("th", {scope: "row"}, opener),
    words: () => el("td", {class: "words"}, claim.claim),
    where: () => el("td", {class: "where"}, claim.where),
    verdict: () => el("td", {class: "tight"}, pill(claim.verdict)),
    confirmed: () =>
      el("td", {class: claim.confirmed ? "tight" : "tight none", "data-head": "confirmed"}, pill(claim.confirmed)),
    holds: () =>
      claim.holds_if
        ? el("td", {"data-head": "holds if"}, el("span", {class: "clamp"}, claim.holds_if))
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
    const open = opener.getAttribute("aria-expanded") === "false";
    opener.setAttribute("aria-expanded", String(open));
    detail.hidden = !open;
    if (open && !room.hasChildNodes()) room.append(evidence(claim));
  };
  row.addEventListener("click", (event) => {
    if (!event.target.closest("button, a") && !getSelection().toString()) toggle();
  });
  return {claim, row, detail, opener};
}
