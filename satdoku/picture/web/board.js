// The board: a grid of cells, also for screen readers, above a drawing of its rules. It knows no rules itself.

const SVG = "http://www.w3.org/2000/svg";

export const find = id => document.getElementById(id);

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.startsWith("aria-") && typeof value === "boolean") element.setAttribute(name, String(value));
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  return fill(element, ...children);
}

// Give an element these children, also in lists, but those that are false or empty; return it.
export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter(Boolean));
  return element;
}

export const button = (content, act, more) => make("button", { type: "button", onclick: act, ...more }, content);

// Replace the parts of a place from the first one that differs: screen readers say what is new.
export function retell(place, ...parts) {
  let same = 0;
  while (same < parts.length && place.childNodes[same]?.isEqualNode(parts[same])) same++;
  while (place.childNodes.length > same) place.lastChild.remove();
  place.append(...parts.slice(same));
}

// The options of a list: a value, or a value with its words and a title.
export const optionsOf = choices => choices.map(each => [each].flat())
  .map(([value, text = value, title]) => make("option", { value, title }, text));

// Give a view the elements of its holder named by `data-is`, and let those with `data-do="name=argument"` call the
// act or the view's method of this name with the argument; return the holder.
export function bind(view, name, acts = {}) {
  const root = find(name);
  for (const each of root.querySelectorAll("[data-is]")) view[each.dataset.is] = each;
  for (const each of root.querySelectorAll("[data-do]")) {
    const [act, argument] = each.dataset.do.split("=");
    const kind = each.matches("button") ? "click" : each.matches("form") ? "submit" : each.matches("[type=text]") ? "input" : "change";
    each.addEventListener(kind, event => {
      if (kind === "submit") event.preventDefault();
      (acts[act] || view[act].bind(view))(argument);
    });
  }
  return root;
}

// Return the value that the browser stores under a key; null if there is none, or no valid JSON.
export function readStored(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

// Store a text, and return whether the browser allows it and has room.
export function store(key, text, kind = "localStorage") {
  try {
    window[kind].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

// Remember a value under a name, and return whether it differs from the one before.
export function isNew(noted, name, value) {
  const [before, now] = [noted[name], JSON.stringify(value)];
  noted[name] = now;
  return before !== now;
}

export const setProperties = (element, values) => Object.entries(values)
  .forEach(([name, value]) => element.style.setProperty(`--${name}`, value));

export const classesOf = (...names) => names.filter(Boolean).join(" ");

// Return "1 cell" or "2 cells".
export const counted = (number, word) => `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;

function makeSvg(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

export const drawn = text => document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);

// Make the buttons in a holder one stop of Tab, with arrow keys from one to the next; `then` gets the one reached.
export function rove(holder, then = () => {}) {
  holder.addEventListener("keydown", event => {
    const all = [...holder.querySelectorAll("button")];
    const at = all.indexOf(document.activeElement);
    if (at < 0) return;
    const row = all.filter(each => each.offsetTop === all[at].offsetTop).length;
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: row, ArrowUp: -row, Home: -Infinity, End: Infinity }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const next = all[Math.max(0, Math.min(all.length - 1, at + step))];
    for (const each of all) each.tabIndex = each === next ? 0 : -1;
    next.focus();
    then(next);
  });
}

// The row and the column of a cell, from 0.
export const placeOf = (cell, size) => [Math.floor(cell / size), cell % size];

// The cell under the pointer; on a line only near its middle, or else a diagonal would touch the cells beside it.
export function cellAt(event, isLine = false) {
  const target = event.currentTarget.getRootNode().elementFromPoint(event.clientX, event.clientY);
  const element = target && target.closest("[data-cell]");
  if (!element) return null;
  const { left, top, width, height } = element.getBoundingClientRect();
  const away = Math.hypot((event.clientX - left) / width - 0.5, (event.clientY - top) / height - 0.5);
  return isLine && away > 0.4 ? null : Number(element.dataset.cell);
}

// Pass the cells under a moving pointer to the view that `drawer` returns, if it takes the first.
export function followPointer(grid, drawer) {
  let drawing = null;
  grid.addEventListener("pointerdown", event => {
    const cell = cellAt(event);
    drawing = cell === null || event.button ? null : drawer();
    if (drawing?.press(cell, event) === false) drawing = null;
    if (drawing) event.preventDefault();
  });
  grid.addEventListener("pointermove", event => {
    const next = drawing && event.buttons ? cellAt(event, drawing.isFine) : null;
    if (next !== null) drawing.drag(next);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    document.addEventListener(end, () => {
      drawing?.lift?.();
      drawing = null;
    });
  }
}

const WORDS = {
  placed: "placed", used: "used", excluded: "loses a candidate", clashing: "clashing",
  different: "different", needless: "needless", equal: "always the same as others with the letter",
};

export const COLOURS = ["grey", "red", "orange", "yellow", "green", "teal", "blue", "purple", "pink"];

// Return the background of a cell with such colours: one, or stripes of several.
export function groundOf(colours) {
  const share = 100 / colours.length;
  const stops = colours.map((colour, n) => `var(--colour-${colour}) ${n * share}% ${(n + 1) * share}%`);
  return `linear-gradient(135deg, ${stops.join(", ")})`;
}

// Four shades by the number of solutions, each with a font weight of its own; 0 stands for more than were counted.
const shadeOf = count => (!count || count > 7 ? "" : count > 3 ? "n4" : count > 1 ? "n2" : "n1");

// The layout of a square board, as the server describes those of others.
function squareOf([rows, columns]) {
  const digits = rows * columns;
  const places = Array.from({ length: digits ** 2 }, (_, cell) => placeOf(cell, digits));
  return { digits, wide: digits, high: digits, words: `${digits}x${digits}`, places, names: places.map(([row, column]) => `r${row + 1}c${column + 1}`) };
}

// The path of lines around a square board and after each number of its rows and columns.
function linesOf(size, rows, columns) {
  const side = 42 * size;
  return [...Array(size + 1).keys()]
    .map(n => (n % rows ? "" : `M0 ${42 * n}H${side}`) + (n % columns ? "" : `M${42 * n} 0V${side}`)).join("");
}

export class Board {
  constructor(root) {
    this.root = root;
    this.underlay = make("div", { class: "underlay", "aria-hidden": "true" });
    this.grid = make("div", { role: "grid", "aria-label": "Sudoku", "aria-multiselectable": "true", class: "cells" });
    this.overlay = makeSvg("svg", { class: "overlay", "aria-hidden": "true" });
    this.cells = [];
    root.classList.add("board");
    root.append(this.underlay, this.grid, this.overlay);
  }

  // Create the empty cells, and draw the boxes only, until the drawing of the rules arrives.
  resize(box, layout) {
    this.layout = layout || squareOf(box);
    const { digits: size, wide, high, places } = this.layout;
    const columns = Math.ceil(Math.sqrt(size));
    Object.assign(this, { size, wide, high, columns, keys: [] });
    // Boards above 9x9 get a class of their own, so that numbers of one and of two characters have the same height.
    this.root.classList.toggle("wide", size > 9);
    setProperties(this.root, { n: wide, high, columns, rows: Math.ceil(size / columns) });
    const rows = Array.from({ length: high }, () => make("div", { role: "row", class: "row" }));
    this.cells = places.map(([row, column], cell) => {
      const element = make("div", { role: "gridcell", class: "cell", tabindex: cell ? -1 : 0, "data-cell": cell });
      element.style.gridArea = `${row + 1} / ${column + 1}`;
      rows[row].append(element);
      return element;
    });
    fill(this.grid, rows.filter(row => row.firstChild));
    this.overlay.setAttribute("viewBox", `0 0 ${wide} ${high}`);
    const [width, height] = [42 * wide + 4, 42 * high + 4];
    const lines = layout ? "" : `<path class="thin" d="${linesOf(size, 1, 1)}"/><path class="thick" d="${linesOf(size, ...box)}"/>`;
    const svg = `<svg xmlns="${SVG}" viewBox="-2 -2 ${width} ${height}" class="satdoku">${lines}</svg>`;
    this.drawRules({ svg, frame: [2, 2, width - 4, height - 4], width, height });
  }

  at = cell => this.layout.places[cell];
  nameOf = cell => this.layout.names[cell];

  // The cell to which an arrow key, Home or End leads, over holes and around the board; null for other keys.
  step(cell, key, isFar = false) {
    const { wide, high, layout: { places } } = this;
    const [row, column] = places[cell];
    // The first place to look for a cell, and the way on from there over holes.
    let [down, right, by, along] = {
      ArrowUp: [row - 1, column, -1, 0],
      ArrowDown: [row + 1, column, 1, 0],
      ArrowLeft: [row, column - 1, 0, -1],
      ArrowRight: [row, column + 1, 0, 1],
      Home: [isFar ? 0 : row, 0, 0, 1],
      End: [isFar ? high - 1 : row, wide - 1, 0, -1],
    }[key] || [];
    if (down === undefined) return null;
    for (;; down += by, right += along) {
      const found = places.findIndex(([r, c]) => r === (down + high) % high && c === (right + wide) % wide);
      if (found >= 0) return found;
    }
  }

  // The names of all cells in a text, also those of ranges such as `r1c1-3`, and of groups beside the board.
  namedIn(text) {
    const found = new Set();
    for (const [, top, bottom, left, right] of text.matchAll(/\br(\d+)(?:-(\d+))?c(\d+)(?:-(\d+))?/g)) {
      for (let row = Number(top); row <= Math.min(this.high, bottom || top); row++) {
        for (let column = Number(left); column <= Math.min(this.wide, right || left); column++) found.add(`r${row}c${column}`);
      }
    }
    const words = new Set(text.match(/\b[A-Z]+\d*\b/g));
    for (const name of words.size ? this.layout.names : []) if (words.has(name) || words.has(name.replace(/\d+$/, ""))) found.add(name);
    return found;
  }

  // Insert the server's drawing of the rules; `frame` is the place of the cells in it: left, top, both sides.
  drawRules({ svg, frame, width, height }) {
    fill(this.underlay, drawn(svg));
    const [left, top, wide, high] = frame.map((part, n) => `${100 * part / (n % 2 ? height : width)}%`);
    setProperties(this.root, { aspect: width / height, left, top, width: wide, height: high });
  }

  // `content(cell)` returns the content of a cell; only cells that have changed are repainted.
  paint(content) {
    this.cells.forEach((element, cell) => {
      const found = content(cell);
      const key = JSON.stringify(found);
      if (this.keys[cell] === key) return;
      this.keys[cell] = key;
      this.paintCell(element, cell, found);
    });
  }

  paintCell(element, cell, found) {
    const { digit, kind, pair, centre, corner, small, why, places, shaded, partner, selected, colours, letter, rules } = found;
    element.className = classesOf("cell", kind, why && `why-${why}`, shaded && "shaded", partner && "partner", colours && "coloured");
    element.style.background = colours ? groundOf(colours) : "";
    element.ariaSelected = Boolean(selected);
    const said = [this.nameOf(cell).replace(/^r(\d+)c(\d+)$/, "row $1 column $2")];
    const parts = [];
    if (digit) {
      parts.push(make("span", { class: "digit" }, String(digit)));
      said.push(kind === "given" ? `given ${digit}` : `${digit}`);
    } else if (pair) {
      parts.push(make("span", { class: "pair" }, make("b", {}, String(pair[0])), make("i", {}, " or "), make("b", {}, String(pair[1]))));
      said.push(`${pair[0]} or ${pair[1]}`);
    } else {
      said.push("empty");
      if (small) {
        parts.push(this.smallDigits(small, places));
        said.push(`candidates ${small.map(([value]) => value).join(" ")}`);
      }
      for (const [place, marks, between] of [["corner", corner, " "], ["centre", centre, this.size > 9 ? " " : ""]]) {
        if (!marks?.length) continue;
        parts.push(make("span", { class: marks.length > 4 ? `${place} long` : place }, marks.join(between)));
        said.push(`${place} ${marks.join(" ")}`);
      }
    }
    if (colours) said.push(colours.map(colour => COLOURS[colour - 1]).join(" and "));
    if (letter) parts.push(make("span", { class: "letter" }, letter));
    if (why) said.push(letter ? `${WORDS[why]} ${letter}` : WORDS[why]);
    if (partner) said.push("partner of a given");
    if (rules) said.push(...rules);
    element.ariaLabel = said.join(", ");
    fill(element, parts);
  }

  smallDigits(small, places = {}) {
    const holder = make("span", { class: small.length === 1 && !Object.keys(places).length && small[0][1] ? "small lone" : "small" });
    for (const [value, count] of small) {
      const shade = places[value] ? `is-${places[value]}` : shadeOf(count);
      // The style sheet draws the count, because the accessible name of the cell has the digits only.
      const mark = make("span", { class: `candidate ${shade}`, "data-digit": value, "data-count": count || null }, String(value));
      const [row, column] = placeOf(value - 1, this.columns);
      mark.style.gridArea = `${row + 1} / ${column + 1}`;
      holder.append(mark, " ");
    }
    return holder;
  }

  // Draw arrows between candidates: whether each is strong, and the server's paths of its bend and its tip.
  drawArrows(arrows) {
    this.overlay.classList.toggle("many", arrows.length > 12);
    fill(this.overlay, arrows.flatMap(({ strong, paths }) =>
      paths.map((d, n) => makeSvg("path", { class: n ? "arrow-tip" : strong ? "arrow sure" : "arrow", d }))));
  }

  drawPath(cells) {
    const points = cells.map(cell => this.at(cell)).map(([row, column]) => `${column + 0.5} ${row + 0.5}`);
    // A line of length 0 with round ends is drawn as a dot.
    this.overlay.append(makeSvg("path", { class: "stroke", d: `M${[points[0], ...points].join("L")}` }));
  }

  focus(cell) {
    this.cells.forEach((element, n) => { element.tabIndex = n === cell ? 0 : -1; });
    this.cells[cell].focus();
  }
}
