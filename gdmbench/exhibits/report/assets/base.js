// What every part of the page stands on: the data, elements whose text is only ever text, files to download, the
// theme, and drawing no sooner than a thing comes into view.

const data = JSON.parse(document.getElementById("data").textContent);
const MARKS = {reproduced: "✓", "partly reproduced": "◐", "not reproduced": "✗", "not enough evidence": "?"};
const root = document.documentElement;

/** Make an element. Attributes are set as such, `on…` are listeners; children are elements, texts or lists of them. */
function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  return add(made, ...children);
}

/** Put children into an element; lists are taken apart, and what is nothing is left out. */
function add(parent, ...children) {
  parent.append(...children.flat(4).filter((child) => child !== null && child !== undefined && child !== false));
  return parent;
}

function plural(n, word) {
  return `${n} ${word}${n === 1 ? "" : "s"}`;
}

/** Say something to those who listen to the page. */
function announce(text) {
  document.getElementById("status").textContent = text;
}

/** Add a section with a heading to the page and to its contents. */
function section(id, heading, ...children) {
  const title = el("h2", {id: `${id}-heading`}, heading);
  const made = el("section", {id, "aria-labelledby": title.id}, title, children);
  document.getElementById("main").append(made);
  document.getElementById("contents").append(el("li", {}, el("a", {href: `#${id}`}, heading)));
}

/** A labelled select; options are pairs of value and text. */
function select(label, options, chosen, onchange) {
  const made = el(
    "select",
    {onchange: (event) => onchange(event.target.value)},
    options.map(([value, text]) => el("option", {value, selected: String(value) === String(chosen)}, text)),
  );
  return el("label", {class: "field"}, el("span", {}, label), made);
}

/** A labelled checkbox. */
function checkbox(label, checked, onchange, disabled = false) {
  const made = el("input", {type: "checkbox", checked, disabled, onchange: (event) => onchange(event.target.checked)});
  return el("label", {class: "check"}, made, label);
}

function button(text, onclick, attributes = {}) {
  return el("button", {type: "button", onclick, ...attributes}, text);
}

/** A table; the first cell of each row names it. */
function table(caption, heads, rows, attributes = {class: "plain"}) {
  return el(
    "table",
    attributes,
    el("caption", {class: attributes.class === "numbers" ? null : "unseen"}, caption),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        heads.map((head) => (head.nodeName ? head : el("th", {scope: "col"}, head))),
      ),
    ),
    el(
      "tbody",
      {},
      rows.map(([name, ...cells]) => el("tr", {}, el("th", {scope: "row"}, name), cells.map(toCell))),
    ),
  );
}

function toCell(content) {
  return content.nodeName === "TD" ? content : el("td", {}, content);
}

/** A box that scrolls from left to right, by keyboard too. */
function scroller(label, ...children) {
  return el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": label}, children);
}

/** Text in a fixed-width face with a button that copies it. */
function copyable(text, label) {
  const copier = button(
    "Copy",
    async () => {
      const done = await copy(text);
      copier.textContent = done ? "Copied" : "Press Ctrl+C";
      announce(done ? `${label} copied` : "select and copy by hand");
      setTimeout(() => (copier.textContent = "Copy"), 1500);
    },
    {"aria-label": `Copy ${label}`},
  );
  const code = el("pre", {tabindex: 0, role: "region", "aria-label": label}, el("code", {}, text));
  return el("div", {class: "copyable"}, code, copier);
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // pages from files may have no clipboard: the old way
    const area = el("textarea", {class: "unseen"});
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

/** Hand a file to the browser. */
function download(name, content, type) {
  const link = el("a", {href: URL.createObjectURL(new Blob([content], {type})), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// Drawing: when a thing first comes near the window, again when its width changes, and before printing.
const drawings = new Map();
const near = new IntersectionObserver(
  (entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => sizes.observe(entry.target)),
  {rootMargin: "400px"},
);
const sizes = new ResizeObserver((entries) => entries.forEach((entry) => drawings.get(entry.target).resized()));

/** Call `draw` with the width of the element once it is near the window; return how to draw it anew. */
function lazily(element, draw) {
  let width = 0;
  const now = () => {
    width = element.clientWidth;
    draw(Math.max(280, width));
  };
  drawings.set(element, {now, resized: () => Math.abs(element.clientWidth - width) > 4 && now()});
  near.observe(element);
  return () => width && now();
}

addEventListener("beforeprint", () => drawings.forEach((drawing) => drawing.now()));

// Colours follow the theme by themselves: each is a custom property that says `light-dark(…)`.
document.getElementById("theme").addEventListener("click", () => {
  const dark = root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  root.dataset.theme = dark === "dark" ? "light" : "dark";
});
