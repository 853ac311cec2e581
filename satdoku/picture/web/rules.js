// The rules of the puzzle: checkboxes for rules without an argument, and one editor for all others,
// built from the server's description of their arguments. Cells are drawn or selected on the board,
// clues outside are typed around it, regions are painted, and all else is typed.

import { make, nameOf, namedIn } from "./board.js";
import { Edge } from "./edge.js";
import { Places, joined } from "./places.js";
import { Regions } from "./regions.js";

// Words in the form of an argument that stand for cells of the board.
const CELLS = /^(CELLS?(,CELL)*|CIRCLE|OTHERS)$/;
// Words that stand for a single cell each.
const SINGLE = /^(CELL|CIRCLE)$/;
const WAYS = { dr: "down and right", dl: "down and left", ur: "up and right", ul: "up and left" };

export class Rules {
  constructor(page) {
    this.page = page;
    this.title = "Rules";
    this.path = []; // the cells of the line that is being drawn
    this.isArmed = false; // whether the pointer draws
    this.words = [];
    this.pointed = new Set(); // names of the cells of the rule under the pointer in the list
    this.waiting = new Set(); // names of the cells of the rule in the editor
    this.places = new Places(page);
    this.sent = null; // the argument sent for the rule in the editor, until its fields change
    this.plain = new Map();
    this.regions = new Regions(this);
    this.edge = new Edge(this);
    this.boxes = make("ul", { class: "rules" });
    this.editor = make("div");
    this.list = make("ul", { class: "list", "aria-label": "Rules of this puzzle" });
    this.root = make("div", {}, make("h2", {}, "For the whole board"), this.boxes,
      make("h2", {}, "With cells or numbers"), this.editor, this.list);
  }

  get isDrawing() {
    return this.isArmed || this.regions.isOpen;
  }

  // Whether Enter on the board passes the selected cells to the editor.
  get takesCells() {
    return this.isDrawing || Boolean(this.pen);
  }

  learn(about) {
    this.withArgument = about.rules.filter(rule => rule.example);
    for (const rule of about.rules.filter(each => !each.example)) {
      const box = make("input", { type: "checkbox", onchange: event => this.toggle(rule.name, event.target.checked) });
      this.plain.set(rule.name, box);
      this.boxes.append(make("li", {}, make("label", {}, box, rule.name)));
    }
    const groups = [...new Set(this.withArgument.map(rule => rule.group))];
    this.kind = make("select", { "aria-label": "Rule to add", onchange: () => this.choose() },
      ...groups.map(group => make("optgroup", { label: group }, ...this.withArgument
        .filter(rule => rule.group === group).map(rule => make("option", { value: rule.name }, rule.name)))));
    this.kind.value = "killer";
    this.fields = make("div", { class: "bar" });
    this.told = make("p", { class: "quiet" });
    this.editor.append(make("div", { class: "bar" }, this.kind), this.fields, this.told);
    this.form();
    this.changed(this.page.work);
  }

  toggle(name, isOn) {
    this.page.history.change(work => {
      work.rules = work.rules.filter(rule => rule !== name);
      if (isOn) work.rules.push(name);
    });
  }

  changed(work) {
    for (const [name, box] of this.plain) box.checked = work.rules.includes(name);
    this.pointed = new Set();
    this.list.replaceChildren(...work.rules.filter(rule => !this.plain.has(rule)).map(rule =>
      make("li", { onpointerenter: () => this.point(rule), onpointerleave: () => this.point(""), onfocusin: () => this.point(rule),
        onfocusout: () => this.point("") }, make("span", {}, ...rule.split(/(?<=,)/).flatMap(part => [part, make("wbr")])),
        make("button", { type: "button", "aria-label": `Edit ${rule}`, onclick: () => this.edit(rule) }, "Edit"),
        make("button", { type: "button", "aria-label": `Remove ${rule}`, onclick: () => this.remove(rule) }, "Remove"))));
    this.edge.changed(work);
  }

  // Highlight the cells of a rule in the list on the board.
  point(rule) {
    this.pointed = namedIn(rule, this.page.size);
    this.page.repaint();
  }

  // Keep the cells of a rule shaded until it is added: the sum of a cage is typed after its cells.
  await() {
    this.waiting = namedIn(this.text.value, this.page.size);
    this.page.repaint();
  }

  remove(rule) {
    this.page.history.change(work => { work.rules = work.rules.filter(each => each !== rule); });
  }

  edit(rule) {
    this.kind.value = rule.split(":")[0];
    this.form();
    this.text.value = rule.slice(rule.indexOf(":") + 1);
    this.editing = rule;
    this.await();
    this.text.focus();
  }

  get rule() {
    return this.withArgument.find(rule => rule.name === this.kind.value);
  }

  // Return the forms of an argument: `x=CELL,CELL/y=CELL,CELL/all` has three, most have one.
  get choices() {
    const parts = this.rule.form.replace(/^(.+),\1$/, "$1").split("/");
    return parts.length > 2 ? parts : [parts.join("/")];
  }

  // Drawing mode stays on when another rule is chosen.
  choose() {
    const { isArmed } = this;
    this.form();
    if (this.pen) this.arm(isArmed);
  }

  // Show the editor of the chosen rule.
  form() {
    const rule = this.rule;
    this.editing = null;
    this.words = [];
    this.pen = null;
    this.regions.close();
    this.edge.close();
    this.arm(false);
    this.text = make("input", { type: "text", "aria-label": `Argument of ${rule.name}`, placeholder: rule.example,
      oninput: () => this.await(), onkeydown: event => event.key === "Enter" && this.add() });
    const told = Object.entries(rule.parts).map(([name, text]) => `${name.toLowerCase()}: ${text}`).join("; ");
    this.told.textContent = `${told && `${told}. `}Such as ${rule.name}:${rule.example}`;
    if (rule.name === "regions") this.fields.replaceChildren(this.regions.button(), this.text, this.adder());
    else if (rule.form.startsWith("LINE=")) this.fields.replaceChildren(this.edge.button(), this.text, this.adder());
    else this.ask(this.choices[0]);
    this.await();
  }

  adder() {
    return make("button", { type: "button", onclick: () => this.add() }, "Add rule");
  }

  // Create a field for each word of a form, and below them one for the whole argument as text.
  ask(form) {
    const { choices } = this;
    this.words = form.split(/([A-Z]+(?:,CELL)*)/).filter(Boolean).map(part => (
      /^[A-Z]/.test(part) ? this.word(part, form) : { literal: part.replace(/[[\]]/g, "") }));
    const choice = choices.length > 1 && make("select", { "aria-label": "What to add", onchange: () => { this.ask(choice.value); this.compose(); } },
      ...choices.map(each => make("option", { value: each, selected: each === form }, each.split("=")[0])));
    const draws = this.words.some(word => word.isCells);
    this.pen = draws && make("button", { type: "button", "aria-pressed": "false", onclick: () => this.arm(!this.isArmed) }, "Draw on the board");
    const taker = draws && make("button", { type: "button", onclick: () => this.takeSelected() }, "Use selected cells");
    this.fields.replaceChildren(...[choice, this.pen, taker, ...this.words.map(word => word.field), this.text, this.adder()].filter(Boolean));
    this.compose();
  }

  word(part, form) {
    const isCells = CELLS.test(part);
    const common = { "aria-label": part.toLowerCase(), oninput: () => this.compose(), onchange: () => this.compose() };
    const field = part === "WAY" ? make("select", common, ...Object.entries(WAYS).map(([way, text]) => make("option", { value: way }, text)))
      : make("input", { ...common, type: "text", size: isCells ? 12 : 6, placeholder: part.toLowerCase(),
        onkeydown: event => event.key === "Enter" && this.add() });
    return { field, isCells, isSingle: SINGLE.test(part), isOptional: form.includes(`[${part}`) };
  }

  compose() {
    let text = "";
    this.words.forEach(({ literal, field }, n) => {
      if (field) text += field.value.trim();
      else {
        const before = this.words[n - 1];
        if (!before || !before.field || before.field.value.trim()) text += literal;
      }
    });
    this.text.value = text;
    this.await();
  }

  // Drawing: the pointer moves from cell to cell, and the line becomes a rule when it is lifted.

  arm(isArmed) {
    this.isArmed = isArmed;
    this.path = [];
    if (this.pen) this.pen.setAttribute("aria-pressed", isArmed ? "true" : "false");
    // On a phone the board is out of sight below these fields.
    if (isArmed) this.page.board.root.scrollIntoView({ block: "nearest" });
    this.page.repaint();
  }

  press(cell) {
    if (this.regions.isOpen) return this.regions.paint(cell);
    this.path = [cell];
    this.page.repaint();
  }

  drag(cell) {
    if (this.regions.isOpen) return this.regions.paint(cell);
    if (cell === this.path[this.path.length - 2]) this.path.pop(); // the pointer moved back
    else if (!this.path.includes(cell)) this.path.push(cell);
    this.page.repaint();
  }

  lift() {
    if (this.regions.isOpen || !this.path.length) return;
    this.fill(this.path);
    this.path = [];
    this.page.repaint();
  }

  // Without a pointer, the selected cells are used in the order of their selection.
  takeSelected() {
    if (this.regions.isOpen) this.regions.paintSelected();
    else this.fill([...this.page.selection]);
  }

  // Put cells into the next field that needs some. Add the rule if it is complete and can be drawn
  // in one stroke; otherwise wait for the missing fields.
  fill(path) {
    if (this.text.value.trim() === this.sent) this.clear();
    const names = path.map(cell => nameOf(cell, this.page.size));
    const slots = this.words.filter(word => word.isCells);
    if (!slots.length) return;
    const isWhole = slots.length > 1 && slots[0].isSingle && path.length > 1;
    if (isWhole && ["", names[0]].includes(slots[0].field.value)) {
      slots[0].field.value = names[0];
      slots[1].field.value = names.slice(1).join(",");
    } else {
      const slot = slots.find(each => !each.field.value) || slots[slots.length - 1];
      slot.field.value = names.join(",");
    }
    this.compose();
    const missing = this.words.filter(word => word.field && !word.field.value.trim() && !word.isOptional);
    const typed = this.words.filter(word => word.field && !word.isCells && word.field.select);
    if (!missing.length && (!typed.length || this.isStroke)) this.add();
    else if (typed.length && !missing.some(word => word.isCells)) {
      const { field } = typed.find(word => missing.includes(word)) || typed[0];
      field.focus();
      field.select();
    }
  }

  // Whether the pointer draws such a rule completely, with a number that all lines of a kind share.
  get isStroke() {
    return ["line", "shaft"].includes(this.rule.drawn);
  }

  add() {
    const { rule, choices, editing } = this;
    const argument = this.text.value.trim();
    this.sent = argument;
    this.places.put(work => {
      const old = work.rules.find(each => each !== editing && each.startsWith(`${rule.name}:`));
      const whole = editing ? null : joined(rule, choices, old, argument);
      return [whole || `${rule.name}:${argument}`, editing, whole || rule.name === "regions" ? old : null];
    }, isAdded => {
      // A user who draws quickly has begun the next line by now.
      if (this.text.value.trim() !== argument) return;
      this.sent = null;
      if (isAdded) this.clear();
      if (isAdded && this.isArmed && document.activeElement !== document.body) this.page.board.focus(this.page.at);
    });
  }

  // Prepare the next rule of the kind.
  clear() {
    // The next cage has another sum, but the number of a mark is offered again.
    const isKept = this.isStroke || this.rule.drawn === "dot";
    for (const word of this.words) if (word.isCells || (word.field && word.field.select && !isKept)) word.field.value = "";
    this.sent = null;
    this.editing = null;
    this.compose();
  }

  // Keep painted regions and typed text for a later visit of this panel.
  leave() {
    this.edge.close();
    this.arm(false);
  }

  escape() {
    if (this.isDrawing || this.edge.isOpen) this.form();
  }

  content(cell) {
    if (this.root.hidden) return {};
    if (this.regions.isOpen) return this.regions.content(cell);
    const name = nameOf(cell, this.page.size);
    return this.path.includes(cell) || this.pointed.has(name) || this.waiting.has(name) ? { why: "used" } : {};
  }
}
