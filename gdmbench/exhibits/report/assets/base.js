// What every part of the page stands on: the data, elements whose text is only ever text, files to download, the
// theme, and drawing no sooner than a thing comes into view.

const data = JSON.parse(document.getElementById("data").textContent);
const MARKS = {reproduced: "✓", "not reproduced": "✗", "not enough evidence": "?"};

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
  const made = el(
    "section",
    {id, "aria-labelledby": `${id}-heading`},
    el("h2", {id: `${id}-heading`}, heading),
    children,
  );
  document.getElementById("main").append(made);
  document.getElementById("contents").append(el("li", {}, el("a", {href: `#${id}`}, heading)));
  return made;
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
function checkbox(label, checked, onchange, attributes = {}) {
  const made = el("input", {
    type: "checkbox",
    checked,
    ...attributes,
    onchange: (event) => onchange(event.target.checked),
  });
  return el("label", {class: "check"}, made, label);
}

/** Text in a fixed-width face with a button that copies it. */
function copyable(text, label) {
  const button = el("button", {type: "button", "aria-label": `Copy ${label}`}, "Copy");
  button.addEventListener("click", async () => {
    const done = await copy(text);
    button.textContent = done ? "Copied" : "Press Ctrl+C";
    announce(done ? `${label} copied` : "select and copy by hand");
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
  return el(
    "div",
    {class: "copyable"},
    el("pre", {tabindex: 0, role: "region", "aria-label": label}, el("code", {}, text)),
    button,
  );
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
  const blob = content instanceof Blob ? content : new Blob([content], {type});
  const link = el("a", {href: URL.createObjectURL(blob), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// Drawing: when a thing first comes near the window, again when its width or the theme changes, and before printing.
const drawings = new Map();
const watcher = new IntersectionObserver(
  (entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => drawings.get(entry.target)?.first()),
  {rootMargin: "400px"},
);
const sizes = new ResizeObserver((entries) => entries.forEach((entry) => drawings.get(entry.target)?.resized()));

/** Call `draw` once the element is near the window, and again whenever it must be drawn anew; return how to do so. */
function lazily(element, draw) {
  let width = 0;
  const drawing = {
    done: false,
    first: () => drawing.done || drawing.now(),
    now: () => {
      drawing.done = true;
      width = element.clientWidth;
      draw();
    },
    again: () => drawing.done && drawing.now(),
    resized: () => drawing.done && Math.abs(element.clientWidth - width) > 4 && drawing.now(),
  };
  drawings.set(element, drawing);
  watcher.observe(element);
  sizes.observe(element);
  return drawing.again;
}

/** Forget drawings whose elements left the page. */
function forget(element) {
  for (const known of drawings.keys()) {
    if (element.contains(known)) {
      watcher.unobserve(known);
      sizes.unobserve(known);
      drawings.delete(known);
    }
  }
}

const prefersDark = matchMedia("(prefers-color-scheme: dark)");
let printing = false;

function isDark() {
  if (printing) return false;
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : prefersDark.matches;
}

function drawAll() {
  for (const drawing of drawings.values()) drawing.now();
}

prefersDark.addEventListener("change", () => drawings.forEach((drawing) => drawing.again()));
document.getElementById("theme").addEventListener("click", () => {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  drawings.forEach((drawing) => drawing.again());
});
addEventListener("beforeprint", () => {
  printing = true;
  drawAll();
});
addEventListener("afterprint", () => {
  printing = false;
  drawAll();
});
