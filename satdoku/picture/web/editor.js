// The bar of the armed tool: what the rule means, a field for each part that is typed, and what the
// pointer draws on the board meanwhile. Fields come from the server's description of the argument.

import { make, nameOf, namedIn } from "./board.js";
import { Edge } from "./edge.js";
import { Places, joined } from "./places.js";
import { Regions } from "./regions.js";

const ON_BOARD = ["cell", "pair", "cells", "line"];
const WAYS = { dr: "down and right", dl: "down and left", ur: "up and right", ul: "up and left" };

export class Editor {
  constructor(page) {
    this.page = page;
    this.tool = null; // the armed rule, as the server describes it
    this.choice = null; // one of the forms of its argument
    this.values = []; // the text of each part of the choice
    this.editing = ""; // the rule that is edited, as text
    this.path = []; // the cells of the line that is being drawn
    this.places = new Places(page);
    this.edge = new Edge(this);
    this.regions = new Regions(this);
    this.root = make("div", { id: "editor", role: "group", "aria-label": "Rule to place", hidden: true });
  }

  get isOpen() {
    return Boolean(this.tool);
  }

  get isDrawing() {
    return this.isOpen && (this.regions.isOpen || this.cells.length > 0);
  }

  get parts() {
    return this.choice ? this.choice.parts : [];
  }

  // Return the numbers of the parts that are drawn on the board, or typed.
  get cells() {
    return [...this.parts.keys()].filter(n => ON_BOARD.includes(this.parts[n].kind));
  }

  get typed() {
    // Numbers outside are typed around the board.
    return [...this.parts.keys()].filter(n => ["number", "digits", "text"].includes(this.parts[n].kind) && !this.edge.isOpen);
  }

  // Whether the pointer draws such a rule completely, with a number that all lines of a kind share.
  get isStroke() {
    return this.parts.some(part => part.kind === "line");
  }

  arm(tool, editing = "") {
    this.disarm();
    this.tool = tool;
    this.page.view.tool = tool.name;
    if (this.page.view.pen === "colour") this.page.makePad();
    this.editing = editing;
    this.root.hidden = false;
    this.argument = make("input", { type: "text", "aria-label": `${tool.label} as text`, placeholder: tool.example, hidden: true,
      onkeydown: event => event.key === "Enter" && this.add() });
    if (editing) this.argument.value = editing.slice(editing.indexOf(":") + 1);
    const [choice] = tool.choices;
    if (choice.parts[0].kind === "regions") this.regions.open(editing);
    else if (choice.parts[0].kind === "outside") this.edge.open(tool);
    this.choose(this.choiceOf(editing) || choice, editing);
  }

  disarm() {
    if (!this.tool) return;
    this.tool = this.choice = null;
    this.page.view.tool = "";
    this.editing = "";
    this.path = [];
    this.edge.close();
    this.regions.close();
    this.root.hidden = true;
    if (this.page.view.pen === "colour") this.page.makePad();
    this.page.palette.mark();
    this.page.repaint();
  }

  // Show the fields of a choice; those of a rule that is edited have its values.
  choose(choice, editing = "") {
    this.choice = choice;
    const found = this.valuesOf(editing);
    this.values = found || choice.parts.map(() => "");
    const whole = this.argument.value;
    this.show();
    if (editing && !found && !this.regions.isOpen) {
      // A rule of several parts, such as dots of two colours, is edited as text.
      this.argument.value = whole;
      this.argument.hidden = false;
    }
    this.page.palette.mark();
    this.page.repaint();
  }

  // Return the choice of which a rule was made, and its values; nothing if it has several parts.
  choiceOf(rule) {
    const argument = rule.slice(rule.indexOf(":") + 1);
    return rule && this.tool.choices.find(each => each.name && argument.startsWith(`${each.name}=`));
  }

  valuesOf(rule) {
    if (!rule) return null;
    const escape = text => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
    const pattern = this.parts.map(({ before, after, is_optional: optional, kind }) => {
      const value = ON_BOARD.includes(kind) ? "([rcRC\\d,\\s-]+)" : "(.+?)";
      const part = `${escape(before)}${value}${escape(after)}`;
      return optional ? `(?:${part})?` : part;
    }).join("");
    const found = new RegExp(`^${pattern}$`).exec(rule.slice(rule.indexOf(":") + 1));
    return found && found.slice(1).map(text => text || "");
  }

  show() {
    const { tool, choice, page } = this;
    const button = (text, act, more = {}) => make("button", { type: "button", onclick: act, ...more }, text);
    this.inputs = new Map(this.typed.map(n => {
      const part = choice.parts[n];
      return [n, make("input", { type: "text", size: part.kind === "text" ? 14 : 5, value: this.values[n], placeholder: part.name,
        inputmode: part.kind === "text" ? "text" : "none", "aria-label": part.name, title: part.told,
        oninput: event => this.put(n, event.target.value), onkeydown: event => event.key === "Enter" && this.add() })];
    }));
    const way = this.parts.findIndex(part => part.kind === "way");
    this.way = way >= 0 && make("select", { "aria-label": "way", onchange: () => this.put(way, this.way.value) },
      ...Object.entries(WAYS).map(([value, text]) => make("option", { value, selected: value === this.values[way] }, text)));
    if (this.way && !this.values[way]) this.values[way] = this.way.value;
    this.taken = make("span", { class: "quiet taken" });
    const several = tool.choices.length > 1 && make("span", { class: "segments", role: "group", "aria-label": "Kind" },
      ...tool.choices.map(each => button(each.name || each.parts[0].name, () => this.choose(each),
        { "aria-pressed": each === choice ? "true" : "false", title: each.told })));
    const whole = tool.choices.length === 1 && choice.parts[0].kind === "text" && choice.parts.length === 1;
    if (whole) this.inputs.get(0).placeholder = tool.example;
    this.multi = this.cells.length && !this.regions.isOpen && button("Multi", () => this.collect(),
      { "aria-pressed": page.view.isMulti ? "true" : "false", title: "Collect cells one by one, then Done" });
    const edits = this.editing && button("Delete", () => { page.rules.remove(this.editing); this.disarm(); });
    const star = button(page.palette.isFavourite(tool) ? "★" : "☆", () => page.palette.favour(tool),
      { "aria-label": "Favourite", "aria-pressed": page.palette.isFavourite(tool) ? "true" : "false", title: "Keep this tool among the first" });
    const asText = button("As text", () => {
      this.argument.hidden = !this.argument.hidden;
      if (!this.argument.hidden) this.argument.focus({ preventScroll: true });
    }, { title: "The argument as the command line has it" });
    const painted = this.regions.isOpen ? this.regions.fields() : [];
    this.root.replaceChildren(
      make("p", { class: "meaning" }, make("strong", {}, this.editing ? `Edit: ${tool.label}` : tool.label),
        ` ${choice.told || tool.told}`),
      make("div", { class: "bar" }, ...[several, ...painted, ...this.inputs.values(), this.way, this.taken, this.edge.isOpen ? null : button(this.editing ? "Change" : "Done", () => this.done(), { class: "main" }), edits, this.multi, star, asText, this.argument,
      button("✕", () => this.disarm(), { "aria-label": "Put the tool away", title: "Put the tool away (Escape)" })].filter(Boolean)));
    this.compose();
  }

  collect() {
    this.page.view.isMulti = !this.page.view.isMulti;
    this.multi.setAttribute("aria-pressed", this.page.view.isMulti ? "true" : "false");
    this.page.repaint();
  }

  put(n, text) {
    const { kind } = this.parts[n];
    // Digits are separated by slashes; up to 9x9 nobody needs to type them.
    const isRow = kind === "digits" && this.page.size < 10 && /^\d{2,}$/.test(text.trim());
    this.values[n] = isRow ? [...text.trim()].join("/") : text.trim();
    this.compose();
  }

  compose() {
    if (!this.choice || this.regions.isOpen) return;
    this.argument.value = this.parts.map(({ before, after, is_optional: optional }, n) => (
      optional && !this.values[n] ? "" : before + this.values[n] + after)).join("");
    const named = this.named.size;
    this.taken.textContent = named ? `${named} ${named === 1 ? "cell" : "cells"}` : "";
    this.page.repaint();
  }

  // Return the names of the cells that are taken so far.
  get named() {
    return namedIn(this.cells.map(n => this.values[n]).join(), this.page.size);
  }

  // Whether all parts are there that the rule needs.
  get isWhole() {
    return this.parts.every((part, n) => part.is_optional || part.kind === "fixed" || this.values[n]);
  }

  // The pointer moves from cell to cell, and the line becomes a rule when it is lifted.

  press(cell) {
    if (this.regions.isOpen) return this.regions.paint(cell);
    if (this.page.view.isMulti) this.toggle(cell);
    else {
      // The next cage begins: the one before needs no sum.
      const isNew = !this.editing && this.argument.value !== this.sent;
      if (isNew && this.named.size && this.isWhole && this.cells.every(n => this.values[n])) this.add();
      this.path = [cell];
    }
    this.page.repaint();
  }

  toggle(cell) {
    const n = this.cells[this.cells.length - 1];
    const name = nameOf(cell, this.page.size);
    const all = [...namedIn(this.values[n], this.page.size)];
    this.values[n] = (all.includes(name) ? all.filter(each => each !== name) : [...all, name]).join();
    this.compose();
  }

  drag(cell) {
    if (this.regions.isOpen) return this.regions.paint(cell);
    if (!this.path.length) return;
    if (cell === this.path[this.path.length - 2]) this.path.pop(); // the pointer moved back
    else if (!this.path.includes(cell)) this.path.push(cell);
    this.page.repaint();
  }

  lift() {
    if (this.regions.isOpen) return this.regions.lift();
    if (!this.path.length) return;
    const path = this.path;
    this.path = [];
    const old = path.length === 1 && this.ruleAt(path[0]);
    if (old) this.arm(this.tool, old);
    else this.fill(path);
    this.page.repaint();
  }

  // Return the rule of this kind that a click on a cell means. Marks in single cells are taken away
  // by another click, and rules of several parts are no single drawing.
  ruleAt(cell) {
    if (this.tool.choices.length > 1 || ["", "mark", "shade"].includes(this.tool.drawn)) return null;
    return this.page.rules.at(cell).find(rule => rule.startsWith(`${this.tool.name}:`));
  }

  // Without a pointer, the selected cells are used in the order of their selection.
  takeSelected() {
    if (this.regions.isOpen) this.regions.paintSelected();
    else if (this.edge.isOpen) this.edge.focus(this.page.view.at);
    else if (this.cells.length) this.fill([...this.page.view.selection]);
  }

  // Put cells into the next part that needs some. Add the rule if it is complete and can be drawn in
  // one stroke; otherwise wait for the missing parts.
  fill(path) {
    if (this.argument.value === this.sent) this.clear();
    const names = path.map(cell => nameOf(cell, this.page.size));
    const slots = this.cells;
    const [first, second] = slots;
    if (this.parts[first].kind === "pair" && path.length !== 2 && slots.length === 1) return;
    const isWhole = slots.length > 1 && this.parts[first].kind === "cell" && path.length > 1;
    if (isWhole && ["", names[0]].includes(this.values[first])) {
      this.values[first] = names[0];
      this.values[second] = names.slice(1).join();
    } else {
      const slot = slots.find(n => !this.values[n]) ?? slots[slots.length - 1];
      this.values[slot] = this.parts[slot].kind === "cell" ? names[0] : names.join();
      if (this.way) this.suggestWay(path[0]);
    }
    this.compose();
    const { typed } = this;
    if (this.isWhole && (!typed.length || this.isStroke) && !this.editing) this.add();
    else if (typed.length && slots.every(n => this.values[n])) {
      const field = this.inputs.get(typed.find(n => !this.values[n] && !this.parts[n].is_optional) ?? typed[0]);
      field.focus({ preventScroll: true });
      field.select();
    }
  }

  // A diagonal leads into the board, not off it.
  suggestWay(cell) {
    const { size } = this.page;
    const [row, column] = [Math.floor(cell / size), cell % size];
    const down = row === 0 || (row < size - 1 && (column === 0 || column === size - 1));
    this.way.value = `${down ? "d" : "u"}${column === size - 1 ? "l" : "r"}`;
    this.values[this.parts.findIndex(part => part.kind === "way")] = this.way.value;
  }

  done() {
    // With the pointer away, the selected cells may be meant.
    if (this.cells.length && !this.named.size && !this.isWhole && !this.regions.isOpen && this.argument.hidden) this.takeSelected();
    if (this.tool && (this.isWhole || this.regions.isOpen || !this.argument.hidden) && this.argument.value !== this.sent) this.add();
  }

  add() {
    const { tool, choice, editing } = this;
    const argument = this.argument.value.trim();
    if (!argument) return;
    this.sent = argument;
    this.places.put(work => {
      const old = work.rules.find(each => each !== editing && each.startsWith(`${tool.name}:`));
      const whole = editing ? null : joined(tool, choice, old, argument);
      if (whole === "") return [null, null, old];
      return [`${tool.name}:${whole || argument}`, editing, whole || this.isOne(tool) ? old : null];
    }, isAdded => {
      // Somebody who draws quickly has begun the next line by now.
      if (this.tool !== tool || this.argument.value.trim() !== argument) return;
      this.sent = null;
      if (!isAdded) return;
      if (editing) this.arm(tool);
      this.clear();
      if (this.root.contains(document.activeElement)) this.page.board.focus(this.page.view.at);
    });
  }

  // Whether a puzzle has such a rule once: the one before goes.
  isOne(tool) {
    return tool.choices[0].parts[0].kind === "regions";
  }

  // Prepare the next rule of the kind.
  clear() {
    // The next cage has another sum, but the number of a line or of a dot is offered again.
    const isKept = this.isStroke || this.tool.drawn === "dot";
    for (const n of [...this.cells, ...(isKept ? [] : this.typed)]) this.values[n] = "";
    for (const [n, field] of this.inputs) field.value = this.values[n];
    this.sent = null;
    if (!this.regions.isOpen) this.compose();
  }

  // Return whether Escape has had something to give up here.
  escape() {
    if (!this.tool) return false;
    if (this.path.length || this.named.size || this.editing) {
      const { tool, editing } = this;
      this.path = [];
      if (editing) this.arm(tool);
      else this.clear();
    } else this.disarm();
    return true;
  }

  content(cell) {
    if (!this.tool) return {};
    if (this.regions.isOpen) return this.regions.content(cell);
    return this.path.includes(cell) || this.named.has(nameOf(cell, this.page.size)) ? { why: "used" } : {};
  }
}
