// The rules of a puzzle: the palette of tools, the bar of the armed tool with what it draws on the
// board, and the list. What their host has, the page or an element, is said in rule-element.js.

import { button, counted, drawn, fill, isNew, make, readStored, rove, store } from "./board.js";

// The two parts of a rule: its name, and its argument, if it has one.
const splitRule = rule => /^([^:]*):?(.*)$/s.exec(rule).slice(1);

// The kind of the first part of a tool's argument: `regions` and clues `outside` are no cells to be drawn.
const kindOf = tool => tool?.choices[0]?.parts[0].kind;

// The palette: every rule as a tool with its drawing and its name, a search, and favourites.

const FAVOURITES = "satdoku-tools";

export class Palette {
  constructor(page, root) {
    this.page = page;
    this.named = new Map(); // the tools by name
    this.buttons = new Map();
    const stored = readStored(FAVOURITES);
    // The names of the tools shown first: favourites, the newest last, or else those that most setters use.
    this.first = Array.isArray(stored) ? stored : null;
    this.search = make("input", { type: "text", id: "search", "aria-label": "Find a rule", placeholder: "Find /",
      oninput: () => this.list(), onkeydown: event => this.inSearch(event) });
    this.holder = make("div", { class: "tools", role: "toolbar", "aria-label": "Rules", "aria-orientation": "vertical" });
    rove(this.holder);
    root.append(this.search, this.holder);
  }

  learn(about) {
    const usual = about.rules.filter(tool => tool.usual).toSorted((one, other) => one.usual - other.usual);
    this.first ||= usual.map(tool => tool.name);
    this.named = new Map(about.rules.map(tool => [tool.name, tool]));
    this.buttons = new Map(about.rules.map(tool => [tool.name, button([drawn(tool.picture), make("span", {}, tool.label)],
      event => this.take(tool, event.detail === 0), { class: "tool", "data-tool": tool.name, title: `${tool.label}: ${tool.told}` })]));
    this.list();
  }

  isFavourite = tool => this.first.includes(tool.name);

  favour(tool) {
    this.first = this.isFavourite(tool) ? this.first.filter(name => name !== tool.name) : [...this.first, tool.name];
    store(FAVOURITES, JSON.stringify(this.first));
    this.list();
    this.page.editor.show();
  }

  found() {
    const words = this.search.value.trim().toLowerCase();
    // Own names rank before names elsewhere, beginnings before other matches, favourites first; -1 is not found.
    const rank = tool => {
      if (!words) return this.isFavourite(tool) ? this.first.indexOf(tool.name) : this.first.length;
      const own = [tool.label.toLowerCase(), tool.name];
      const tests = [own.some(text => text.startsWith(words)), tool.also.some(text => text.startsWith(words)),
        [...own, ...tool.also].some(text => text.includes(words)), tool.told.toLowerCase().includes(words)];
      const at = tests.indexOf(true);
      return at >= 0 && !this.isFavourite(tool) ? at + 0.5 : at;
    };
    return [...this.named.values()].filter(tool => rank(tool) >= 0).sort((one, other) => rank(one) - rank(other));
  }

  list() {
    const isSearch = this.search.value.trim();
    const groups = Map.groupBy(this.found(), tool => (isSearch ? "found" : this.isFavourite(tool) ? "favourites" : tool.group));
    const shown = [...groups].flatMap(([name, tools]) =>
      [make("h3", { "aria-hidden": true }, name), ...tools.map(tool => this.buttons.get(tool.name))]);
    fill(this.holder, shown, !shown.length && make("p", { class: "quiet" }, "No rule is called so."));
    this.mark();
  }

  mark() {
    const { work, view } = this.page;
    if (!isNew(this, "marked", [view.tool, work.rules, this.holder.textContent])) return;
    for (const [name, each] of this.buttons) {
      each.ariaPressed = name === view.tool || work.rules.includes(name);
      each.tabIndex = -1;
    }
    const first = this.buttons.get(view.tool) || this.holder.querySelector("button");
    if (first) first.tabIndex = 0;
  }

  // Arm or disarm a tool, or add or remove a rule without an argument; `byKey` gives the next key to the board.
  take(tool, byKey) {
    const { page } = this;
    if (page.work.rules.includes(tool.name)) page.listed.remove(tool.name);
    else if (!tool.choices.length) page.history.change(work => { work.rules.push(tool.name); });
    else if (page.editor.tool === tool) page.editor.disarm();
    else if (kindOf(tool) === "regions" && page.work.layout) page.notice("Regions are painted on square boards only.");
    else {
      page.editor.arm(tool);
      if (byKey) page.focusBoard();
    }
  }

  inSearch(event) {
    const [first] = this.found();
    if (event.key === "ArrowDown" && first) {
      event.preventDefault();
      this.buttons.get(first.name).focus();
    }
    const takes = event.key === "Enter" && first;
    if (!takes && event.key !== "Escape") return;
    event.stopPropagation();
    this.search.value = "";
    this.list();
    if (takes) this.take(first, true);
    if (!takes || !first.choices.length) this.page.focusBoard();
  }
}

// The bar of the armed tool: what the rule means, a field for each part that is typed, and what the
// pointer draws on the board meanwhile. Fields come from the server's description of the argument.

const ON_BOARD = ["cell", "pair", "cells", "line"];
const TYPED = ["number", "digits", "text"];
const WAYS = { dr: "down and right", dl: "down and left", ur: "up and right", ul: "up and left" };

const partsOf = (parts, kinds) => [...parts.keys()].filter(n => kinds.includes(parts[n].kind));

const disarmed = () => ({
  tool: null, // the armed rule, as the server describes it
  choice: null, // the chosen form of the tool's argument
  parts: [], // of the choice
  cells: [], // the numbers of the parts that are drawn on the board
  typed: [], // and of those that are typed
  values: [], // the text of each part
  editing: "", // the text of the rule being edited; empty if none
  path: [], // the cells of the line that is being drawn
});

export class Editor {
  isFine = true; // a line that is drawn must not touch the cells beside it

  constructor(page) {
    this.page = page;
    Object.assign(this, disarmed());
    this.turn = Promise.resolve(); // resolves when the last rule was checked
    this.edge = new Edge(this);
    this.regions = new Regions(this);
    this.root = make("div", { id: "editor", role: "group", "aria-label": "Rule to place", hidden: true });
  }

  get drawer() {
    return this.regions.isOpen ? this.regions : this.cells.length ? this : null;
  }

  arm(tool, editing = "") {
    this.disarm();
    this.tool = tool;
    this.page.view.tool = tool.name;
    this.editing = editing;
    this.root.hidden = false;
    this.argument = make("input", { type: "text", "aria-label": `${tool.label} as text`, placeholder: tool.example, hidden: true,
      onkeydown: event => event.key === "Enter" && this.add() });
    [, this.argument.value] = splitRule(editing);
    if (kindOf(tool) === "regions" && !this.page.work.layout) this.regions.open(editing);
    else if (kindOf(tool) === "outside") this.edge.open(tool);
    // The choice that the rule was made with, and the values of its parts.
    const whole = this.argument.value;
    const match = choice => new RegExp(`^${choice.pattern}$`).exec(whole)?.slice(1).map(text => text || "");
    const made = tool.choices.find(match);
    this.choose(made || tool.choices[0], made && match(made));
    // A rule of several parts, such as dots of two colours, is edited as text.
    if (editing && !made && !this.regions.isOpen) Object.assign(this.argument, { value: whole, hidden: false });
  }

  disarm() {
    if (!this.tool) return;
    Object.assign(this, disarmed());
    this.page.view.tool = "";
    this.edge.close();
    this.regions.isOpen = false;
    this.root.hidden = true;
    this.page.repaint();
  }

  choose(choice, values = choice.parts.map(() => "")) {
    const { parts } = choice;
    Object.assign(this, { choice, parts, values, cells: partsOf(parts, ON_BOARD) });
    // Numbers outside of the board are typed in the fields around it.
    this.typed = this.edge.isOpen ? [] : partsOf(parts, TYPED);
    // Whether drawing alone completes such a rule, with a number shared by all lines of the kind.
    this.isStroke = parts.some(part => part.kind === "line");
    this.show();
    this.page.repaint();
  }

  show() {
    const { tool, choice, page } = this;
    this.inputs = new Map([...this.typed, ...partsOf(this.parts, ["way"])].map(n => [n, this.field(n, choice.parts[n])]));
    this.taken = make("span", { class: "quiet taken" });
    const several = tool.choices.length > 1 && make("span", { class: "segments", role: "group", "aria-label": "Kind" },
      tool.choices.map(each => button(each.name || each.parts[0].name, () => this.choose(each),
        { "aria-pressed": each === choice, title: each.told })));
    this.multi = this.cells.length && !this.regions.isOpen && button("Multi", () => this.collect(),
      { "aria-pressed": page.view.isMulti, title: "Collect cells one by one, then Done" });
    const isFavourite = page.palette.isFavourite(tool);
    fill(this.root,
      make("p", { class: "meaning" }, make("strong", {}, this.editing ? `Edit: ${tool.label}` : tool.label), ` ${choice.told || tool.told}`),
      make("div", { class: "bar" },
        several,
        this.regions.isOpen && this.regions.field(),
        [...this.inputs.values()],
        this.taken,
        !this.edge.isOpen && button(this.editing ? "Change" : "Done", () => this.done(), { class: "main" }),
        this.editing && button("Delete", () => this.remove()),
        this.multi,
        button(isFavourite ? "★" : "☆", () => page.palette.favour(tool),
          { "aria-label": "Favourite", "aria-pressed": isFavourite, title: "Keep this tool among the first" }),
        button("As text", () => {
          this.argument.hidden = !this.argument.hidden;
          if (!this.argument.hidden) this.argument.focus({ preventScroll: true });
        }, { title: "The argument as the command line has it" }),
        this.argument,
        button("✕", () => this.disarm(), { "aria-label": "Put the tool away", title: "Put the tool away (Escape)" })));
    this.compose();
  }

  field(n, { kind, name, told }) {
    const oninput = event => this.put(n, event.target.value);
    if (kind === "way") {
      this.values[n] ||= "dr";
      return make("select", { "aria-label": name, oninput }, Object.entries(WAYS).map(([value, text]) =>
        make("option", { value, selected: value === this.values[n] }, text)));
    }
    return make("input", { type: "text", size: kind === "text" ? 14 : 5, value: this.values[n], placeholder: told ? name : this.tool.example,
      inputmode: kind === "text" ? "text" : "none", "aria-label": name, title: told,
      oninput, onkeydown: event => event.key === "Enter" && this.add() });
  }

  collect() {
    this.page.view.isMulti = !this.page.view.isMulti;
    if (this.multi) this.multi.ariaPressed = this.page.view.isMulti;
    this.page.repaint();
  }

  put(n, text) {
    const { kind } = this.parts[n];
    // Digits are separated by slashes, which need not be typed on boards up to 9x9.
    const isRow = kind === "digits" && this.page.board.size < 10 && /^\d{2,}$/.test(text.trim());
    this.values[n] = isRow ? [...text.trim()].join("/") : text.trim();
    this.compose();
  }

  compose() {
    if (!this.choice || this.regions.isOpen) return;
    this.argument.value = this.parts.map(({ before, after, is_optional: optional }, n) => (
      optional && !this.values[n] ? "" : before + this.values[n] + after)).join("");
    const named = this.named.size;
    this.taken.textContent = named ? counted(named, "cell") : "";
    this.page.repaint();
  }

  get named() {
    return this.page.board.namedIn(this.cells.map(n => this.values[n]).join());
  }

  get isWhole() {
    return this.parts.every((part, n) => part.is_optional || part.kind === "fixed" || this.values[n]);
  }

  press(cell) {
    if (this.page.view.isMulti) this.toggle(cell);
    else {
      // A new line begins, so a complete one, such as a cage without a sum, is added now.
      const isUnsent = !this.editing && this.argument.value !== this.sent;
      if (isUnsent && this.named.size && this.isWhole && this.cells.every(n => this.values[n])) this.add();
      this.path = [cell];
    }
    this.page.repaint();
  }

  toggle(cell) {
    const n = this.cells[this.cells.length - 1];
    const name = this.page.board.nameOf(cell);
    const all = [...this.page.board.namedIn(this.values[n])];
    this.values[n] = (all.includes(name) ? all.filter(each => each !== name) : [...all, name]).join();
    this.compose();
  }

  drag(cell) {
    if (!this.path.length) return;
    if (cell === this.path[this.path.length - 2]) this.path.pop(); // the pointer moved back
    else if (!this.path.includes(cell)) this.path.push(cell);
    this.page.repaint();
  }

  lift() {
    if (!this.path.length) return;
    const path = this.path;
    this.path = [];
    const old = path.length === 1 && this.ruleAt(path[0]);
    if (old) this.arm(this.tool, old);
    else this.fill(path);
    this.page.repaint();
  }

  // The rule of the armed kind that a click selects for editing. Another click removes marks in single
  // cells, and rules of several parts are several drawings.
  ruleAt(cell) {
    if (this.tool.choices.length > 1 || ["", "mark", "shade"].includes(this.tool.drawn)) return null;
    return this.page.listed.at(cell).find(({ rule }) => rule.startsWith(`${this.tool.name}:`))?.rule;
  }

  // For use without a pointer: take the selected cells in the order of their selection.
  takeSelected() {
    const { at, selection } = this.page.view;
    if (this.regions.isOpen) {
      for (const cell of selection) this.regions.press(cell);
      this.regions.lift();
    } else if (this.edge.isOpen) this.edge.inputs.get(`row${this.page.board.at(at)[0] + 1}`)?.focus();
    else if (this.cells.length) this.fill([...selection]);
  }

  // Put cells into the next part that needs some, and add the rule if it is complete and drawn in one stroke.
  fill(path) {
    if (this.argument.value === this.sent) this.clear();
    const names = path.map(cell => this.page.board.nameOf(cell));
    const { cells: slots, typed } = this;
    const [first, second] = slots;
    if (this.parts[first].kind === "pair" && path.length !== 2 && slots.length === 1) return;
    const isWhole = slots.length > 1 && this.parts[first].kind === "cell" && path.length > 1;
    if (isWhole && ["", names[0]].includes(this.values[first])) {
      this.values[first] = names[0];
      this.values[second] = names.slice(1).join();
    } else {
      const slot = slots.find(n => !this.values[n]) ?? slots[slots.length - 1];
      this.values[slot] = this.parts[slot].kind === "cell" ? names[0] : names.join();
      for (const n of partsOf(this.parts, ["way"])) this.inputs.get(n).value = this.values[n] = this.wayFrom(path[0]);
    }
    this.compose();
    if (this.isWhole && (!typed.length || this.isStroke) && !this.editing) this.add();
    else if (typed.length && slots.every(n => this.values[n])) {
      const field = this.inputs.get(typed.find(n => !this.values[n] && !this.parts[n].is_optional) ?? typed[0]);
      field.focus({ preventScroll: true });
      field.select();
    }
  }

  wayFrom(cell) {
    const { board } = this.page;
    const [row, column] = board.at(cell);
    const isLast = column === board.wide - 1;
    const down = row === 0 || (row < board.high - 1 && (column === 0 || isLast));
    return `${down ? "d" : "u"}${isLast ? "l" : "r"}`;
  }

  done() {
    // If no cell was drawn, use the selected cells.
    if (this.cells.length && !this.named.size && !this.isWhole && !this.regions.isOpen && this.argument.hidden) this.takeSelected();
    if (this.tool && (this.isWhole || this.regions.isOpen || !this.argument.hidden) && this.argument.value !== this.sent) this.add();
  }

  add() {
    const { tool, editing } = this;
    const argument = this.argument.value.trim();
    if (!argument) return;
    this.sent = argument;
    this.send(`${tool.name}:${argument}`, () => editing, () => {
      // The user may have begun the next line by now.
      if (this.tool !== tool || this.argument.value.trim() !== argument) return;
      if (editing) this.arm(tool);
      this.clear();
      if (this.root.contains(document.activeElement)) this.page.board.focus(this.page.view.at);
    }).then(() => {
      if (this.sent === argument) this.sent = null;
    });
  }

  // Add a rule, or put it in place of the one that `instead` returns, if the server finds it valid; the server joins it
  // to one of its kind where that is usual. They are sent in turn: a new question would cancel the earlier one.
  send(rule, instead, then = () => {}) {
    const send = () => {
      const { box, cells, rules } = this.page.work;
      const edited = instead() || "";
      const puzzle = { box, cells: cells.map(() => 0), rules };
      return this.page.ask({ ask: "place", puzzle, rule, instead: edited }, "placed", part => {
        this.page.history.change(now => {
          // If the edited rule was removed meanwhile, do not add a new one.
          if (edited && !now.rules.includes(edited)) return;
          const at = now.rules.findIndex(each => part.instead.includes(each));
          const kept = now.rules.filter(each => ![...part.instead, ...part.rules].includes(each));
          kept.splice(at < 0 ? kept.length : at, 0, ...part.rules);
          now.rules = kept;
        });
        then();
      });
    };
    this.turn = this.turn.finally(send);
    return this.turn;
  }

  // Prepare the next rule: without the sum, which differs from cage to cage, but with the number of lines or dots.
  clear() {
    const isKept = this.isStroke || this.tool.drawn === "dot";
    for (const n of [...this.cells, ...(isKept ? [] : this.typed)]) this.values[n] = "";
    for (const [n, field] of this.inputs) field.value = this.values[n];
    this.sent = null;
    if (!this.regions.isOpen) this.compose();
  }

  // After an undo, or once it was changed, the rule that was edited is gone.
  changed(work) {
    this.edge.changed(work);
    if (!this.editing || work.rules.includes(this.editing)) return;
    const hadFocus = this.root.contains(document.activeElement);
    this.arm(this.tool);
    if (hadFocus) this.page.focusBoard();
  }

  remove() {
    this.page.listed.remove(this.editing);
    this.disarm();
  }

  // Cancel the innermost thing in progress on Escape; return whether there was one.
  escape() {
    if (!this.tool) return false;
    if (this.editing) this.arm(this.tool);
    else if (this.path.length || this.named.size) {
      this.path = [];
      this.clear();
    } else this.disarm();
    return true;
  }

  content(cell) {
    if (!this.tool) return {};
    if (this.regions.isOpen) return this.regions.content(cell);
    return this.path.includes(cell) || this.named.has(this.page.board.nameOf(cell)) ? { why: "used" } : {};
  }
}

// Clues outside the board are typed where they stand, in fields that the style sheet places.
// By side of the board: the names of the lines read from there, and their words.
const SIDES = {
  left: [n => `row${n}`, n => `row ${n} from the left`],
  right: [n => `row${n}.left`, n => `row ${n} from the right`],
  above: [n => `col${n}`, n => `column ${n} from above`],
  below: [n => `col${n}.up`, n => `column ${n} from below`],
};

class Edge {
  constructor(editor) {
    this.editor = editor;
    this.isOpen = false;
    this.inputs = new Map(); // the field of each line
    this.holder = make("div", { class: "edge" });
  }

  open(tool) {
    const { page } = this.editor;
    const numbers = Array.from({ length: page.board.size }, (_, n) => n + 1);
    this.isOpen = true;
    this.name = tool.name;
    this.inputs.clear();
    fill(this.holder, Object.entries(SIDES).map(([side, [of, said]]) =>
      make("div", { class: side }, numbers.map(n => this.field(of(n), `${tool.label} ${said(n)}`)))));
    page.board.root.append(this.holder);
    this.changed(page.work);
  }

  field(line, said) {
    const input = make("input", { type: "text", inputmode: "none", "aria-label": said,
      onblur: () => this.put(line, input), onkeydown: event => this.move(event) });
    this.inputs.set(line, input);
    return input;
  }

  close() {
    this.isOpen = false;
    this.holder.remove();
  }

  ruleOf = (work, line) => work.rules.find(rule => rule.startsWith(`${this.name}:${line}=`));

  changed(work) {
    for (const [line, input] of this.isOpen ? this.inputs : []) {
      const rule = this.ruleOf(work, line);
      if (input !== document.activeElement) input.value = rule ? rule.slice(rule.indexOf("=") + 1) : "";
    }
  }

  put(line, input) {
    const { page } = this.editor;
    const old = this.ruleOf(page.work, line);
    const text = input.value.trim();
    if (text && old && old.endsWith(`=${text}`)) return;
    if (text) this.editor.send(`${this.name}:${line}=${text}`, () => this.ruleOf(page.work, line));
    else if (old) page.listed.remove(old);
  }

  move(event) {
    const step = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1, Enter: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const all = [...this.inputs.values()];
    all[(all.indexOf(event.target) + step + all.length) % all.length].focus();
  }
}

// Irregular regions instead of boxes are painted: once each letter has its number of cells, they are the rule.

const REGIONS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

class Regions {
  isFine = true;

  constructor(editor) {
    this.editor = editor;
    this.isOpen = false;
  }

  open(editing) {
    const { board: { size }, work } = this.editor.page;
    const old = editing || work.rules.find(rule => rule.startsWith(`${this.editor.tool.name}:`)) || "";
    const painted = splitRule(old)[1].replace(/[/\s]/g, "");
    this.isOpen = true;
    this.size = size;
    this.of = painted.length === size * size ? [...painted] : Array(size * size).fill(".");
    this.letters = [...new Set([...this.of, ...REGIONS])].filter(letter => letter !== ".").slice(0, size);
    [this.letter] = this.letters;
  }

  field() {
    this.choices = this.letters.map(letter => button([letter, make("small")], () => {
      this.letter = letter;
      this.tell();
    }));
    this.tell();
    return make("span", { class: "letters", role: "group", "aria-label": "Region" }, this.choices);
  }

  missing = letter => this.size - this.of.filter(each => each === letter).length;

  tell() {
    this.letters.forEach((letter, n) => {
      this.choices[n].ariaPressed = letter === this.letter;
      this.choices[n].lastChild.textContent = ` ${this.missing(letter) || "✓"}`;
    });
    this.editor.page.repaint();
  }

  press(cell) {
    this.of[cell] = this.letter;
    this.editor.argument.value = this.of.join("").match(new RegExp(`.{${this.size}}`, "g")).join("/");
    this.tell();
  }

  drag = cell => this.press(cell);

  lift = () => this.letters.some(letter => this.missing(letter)) || this.editor.add();

  content(cell) {
    const letter = this.of[cell];
    return { pair: undefined, small: undefined, why: letter === this.letter ? "used" : undefined, corner: letter === "." ? [] : [letter] };
  }
}

// The list of the puzzle's rules: the number of each kind, and each rule with its cells.

const MOST_TOLD = 4; // the most rules of a cell in its description for screen readers
const MOST_NUMBERS = 12; // the most numbers of a kind of rule, such as sums of cages, in its line

export class Rules {
  constructor(page, root) {
    this.page = page;
    this.root = root;
    this.pointed = new Set(); // names of the cells of the rule under the pointer in the list
    this.opened = new Set(); // the kinds whose rules are listed one by one
    this.of = new Map(); // by cell name: the rules that name it, with words for screen readers, those with few cells first
    this.list = make("ul", { class: "list", "aria-label": "Rules of this puzzle" });
    this.none = make("p", { class: "quiet" }, "No rule yet but those of every Sudoku. Choose one among the tools, then draw it on the board.");
    root.append(this.none, this.list);
  }

  remove = rule => this.replace(rule);

  replace = (rule, ...others) => this.page.history.change(work => {
    work.rules = work.rules.flatMap(each => (each === rule ? others : each));
  });

  toolOf = rule => this.page.palette.named.get(splitRule(rule)[0]);

  // Return a rule in words, such as "cage 15 at r1c1".
  describe(rule) {
    const tool = this.toolOf(rule);
    return tool ? `${tool.label} ${this.particular(rule)}`.trim() : rule;
  }

  // Return what tells a rule from others of its kind: its number, its parts, and its first cell.
  particular(rule) {
    const [, argument] = splitRule(rule);
    const tool = this.toolOf(rule);
    const [, before, after] = /^(\d[\d/]*)=|=(\d+)$/.exec(argument) || [];
    const [at] = /r\d+c\d+|row\d+(?:\.left)?|col\d+(?:\.up)?/.exec(argument) || [];
    if (!at) return kindOf(tool) === "regions" ? "" : argument.slice(0, 40);
    const parts = tool?.choices.length > 1 ? argument.split("/").length : 1;
    return [before || after, parts > 1 ? `(${parts})` : "", `at ${at}`].filter(Boolean).join(" ");
  }

  numberOf = rule => this.particular(rule).split(" at ")[0];

  // Return how many drawings a rule has; each dot counts as one.
  countOf(rule) {
    const tool = this.toolOf(rule);
    const [, argument] = splitRule(rule);
    if (tool?.choices.length > 1) return argument.split("/").length;
    const isSet = tool?.drawn === "mark" && tool.form === "CELLS";
    return isSet ? this.page.board.namedIn(argument).size : 1;
  }

  changed(work) {
    // Most edits are digits and marks, which do not change the list.
    if (!isNew(this, "ruled", [work.box, work.rules, this.page.palette.named.size])) return;
    this.pointed = new Set();
    this.of = new Map();
    const named = work.rules.map(rule => [rule, this.page.board.namedIn(rule)]).toSorted(([, one], [, other]) => one.size - other.size);
    for (const [rule, cells] of named) {
      const text = `${this.describe(rule).replace(/ at .*/, "")}${cells.size > 1 ? ` of ${cells.size} cells` : ""}`;
      const [first] = cells;
      for (const cell of cells) {
        const told = cell === first && cells.size > 1 ? `first of ${text}` : text;
        this.of.set(cell, [...(this.of.get(cell) || []), { rule, told }]);
      }
    }
    const kinds = Map.groupBy(work.rules, rule => splitRule(rule)[0]);
    fill(this.list, [...kinds].map(([name, rules]) => this.kind(name, rules)));
    this.none.hidden = work.rules.length > 0;
    this.page.editor.changed(work);
  }

  kind(name, rules) {
    const count = rules.reduce((sum, rule) => sum + this.countOf(rule), 0);
    const words = `${count} ${plural(this.toolOf(name)?.label || name)}`;
    if (rules.length === 1) return this.entry(rules[0], count > 1 ? words : this.describe(rules[0]));
    const numbers = rules.map(rule => this.numberOf(rule)).filter(text => /^\d/.test(text));
    if (numbers.length > MOST_NUMBERS) numbers.splice(MOST_NUMBERS, Infinity, "…");
    const details = make("details", { class: "kind", open: this.opened.has(name),
      ontoggle: event => this.opened[event.target.open ? "add" : "delete"](name) },
      make("summary", {}, words, make("span", { class: "quiet" }, ` ${numbers.join(" · ")}`)),
      make("ul", { class: "list" }, rules.map(rule => this.entry(rule, this.describe(rule)))));
    return make("li", {}, details);
  }

  entry(rule, text) {
    return make("li", { "data-rule": rule, title: rule, ...this.pointing(rule) }, make("span", {}, text),
      this.toolOf(rule)?.choices.length && button("Edit", () => this.edit(rule), { class: "small-button", "aria-label": `Edit ${text}` }),
      button("✕", () => this.remove(rule), { class: "small-button", "aria-label": `Remove ${text}`, title: "Remove" }));
  }

  edit(rule) {
    const tool = this.toolOf(rule);
    if (tool?.choices.length) this.page.editor.arm(tool, rule);
  }

  // What an element listens to, so that the board shows the cells of its rule under the pointer or the focus.
  pointing(rule) {
    const point = what => () => {
      this.pointed = this.page.board.namedIn(what);
      this.page.repaint();
    };
    return { onpointerenter: point(rule), onpointerleave: point(""), onfocusin: point(rule), onfocusout: point("") };
  }

  at = cell => this.of.get(this.page.board.nameOf(cell)) || [];

  content(cell) {
    const rules = this.at(cell).slice(0, MOST_TOLD).map(({ told }) => told);
    return this.pointed.has(this.page.board.nameOf(cell)) ? { rules, why: "used" } : { rules };
  }
}

function plural(label) {
  if (/[^aeiou]y$/.test(label)) return `${label.slice(0, -1)}ies`;
  return /s$/.test(label) ? label : `${label}s`;
}
