// The rules of the puzzle: checkboxes for those without an argument, and for all others a form
// that is made of what the server says of their arguments.

import { make, nameOf } from "./board.js";

// Words of arguments that cells of the board are put in for; all others are typed.
const CELLS = /^(CELLS?|CIRCLE|LINE_CELLS|OTHERS|PATH)$/;

export class Rules {
  constructor(page) {
    this.page = page;
    this.title = "Rules";
    this.painting = null;
    this.boxes = make("ul", { class: "rules" });
    this.editor = make("div");
    this.list = make("ul", { class: "list", "aria-label": "Rules of this puzzle" });
    this.root = make("div", {}, this.boxes, this.editor, this.list);
    this.plain = new Map();
  }

  learn(about) {
    const plain = about.rules.filter(rule => !rule.example);
    this.withArgument = about.rules.filter(rule => rule.example);
    for (const rule of plain) {
      const box = make("input", { type: "checkbox", onchange: event => this.toggle(rule.name, event.target.checked) });
      this.plain.set(rule.name, box);
      this.boxes.append(make("li", {}, make("label", {}, box, rule.name)));
    }
    this.kind = make("select", { "aria-label": "Rule to add", onchange: () => this.form() },
      ...this.withArgument.map(rule => make("option", { value: rule.name }, rule.name)));
    this.fields = make("div", { class: "bar" });
    this.editor.append(make("div", { class: "bar" }, make("label", {}, "Add", this.kind)), this.fields);
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
    this.list.replaceChildren(...work.rules.filter(rule => !this.plain.has(rule)).map(rule =>
      make("li", {}, make("span", {}, rule),
        make("button", { type: "button", onclick: () => this.edit(rule) }, "Edit"),
        make("button", { type: "button", "aria-label": `Remove ${rule}`, onclick: () => this.remove(rule) }, "Remove"))));
  }

  remove(rule) {
    this.page.history.change(work => { work.rules = work.rules.filter(each => each !== rule); });
  }

  edit(rule) {
    this.kind.value = rule.split(":")[0];
    this.form();
    this.text.value = rule.slice(rule.indexOf(":") + 1);
    this.editing = rule;
  }

  get rule() {
    return this.withArgument.find(rule => rule.name === this.kind.value);
  }

  // One field for each word of the argument's form, and the whole argument as text below.
  form() {
    const rule = this.rule;
    this.editing = null;
    this.stopPainting();
    this.words = [];
    this.text = make("input", { type: "text", "aria-label": `Argument of ${rule.name}`, placeholder: rule.example });
    const button = (text, act) => make("button", { type: "button", onclick: act }, text);
    if (rule.name === "regions") {
      this.fields.replaceChildren(button("Paint regions on the board", () => this.paint()), this.text, button("Add rule", () => this.add()));
      return;
    }
    const parts = rule.form.split(/([A-Z][A-Z-]*)/).filter(Boolean);
    const fields = [];
    for (const part of parts) {
      if (!/^[A-Z]/.test(part)) {
        this.words.push({ literal: part.replace(/[[\]]/g, ""), optional: part.includes("]") });
        continue;
      }
      const field = make("input", { type: "text", "aria-label": part.toLowerCase(), placeholder: part.toLowerCase(), size: 9 });
      field.oninput = () => this.compose();
      this.words.push({ field, isCells: CELLS.test(part) });
      fields.push(field);
      if (CELLS.test(part)) {
        fields.push(button("Use selected cells", () => {
          field.value = this.selected();
          this.compose();
        }));
      }
    }
    const told = Object.entries(rule.parts).map(([name, text]) => `${name.toLowerCase()}: ${text}`).join("; ");
    this.fields.replaceChildren(...fields, this.text, button("Add rule", () => this.add()),
      make("span", { class: "quiet" }, `${rule.form}, such as ${rule.example}. ${told}`));
  }

  // In the order in which they were selected, which makes a path of them.
  selected() {
    return [...this.page.selection].map(cell => nameOf(cell, this.page.size)).join(",");
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
  }

  add() {
    if (!this.text.value.trim() && this.words.some(word => word.isCells)) {
      const only = this.words.filter(word => word.field);
      if (only.length === 1) only[0].field.value = this.selected();
      this.compose();
    }
    const rule = `${this.kind.value}:${this.text.value.trim()}`;
    const editing = this.editing;
    const puzzle = { box: this.page.work.box, cells: this.page.work.cells.map(() => 0) };
    // Asked first, so that nothing that is no rule gets into the work.
    this.page.backend.ask("make", { ask: "board", puzzle: { ...puzzle, rules: [rule] } }, part => {
      if (part.part !== "board") {
        this.page.notice(part.error || part.undecided);
        return;
      }
      this.page.history.change(work => {
        work.rules = work.rules.filter(each => each !== editing && !(rule.startsWith("regions:") && each.startsWith("regions:")));
        work.rules.push(...part.rules);
      });
      this.form();
    });
  }

  // Regions are painted with the pointer: a press begins one, dragging goes on with it.

  paint() {
    const { size, work } = this.page;
    const old = work.rules.find(rule => rule.startsWith("regions:"));
    const letters = old ? old.slice(8).replace(/[/\s]/g, "") : "";
    this.painting = { size, letter: "A", of: letters.length === size * size ? [...letters] : Array(size * size).fill(".") };
    const letterButtons = Array.from({ length: size }, (_, n) => {
      const letter = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[n];
      return make("button", { type: "button", "aria-pressed": n ? "false" : "true", onclick: event => {
        this.painting.letter = letter;
        for (const each of letterButtons) each.setAttribute("aria-pressed", each === event.currentTarget ? "true" : "false");
      } }, letter);
    });
    this.fields.replaceChildren(make("span", {}, "Choose a region, then press and drag over its cells:"), ...letterButtons,
      make("button", { type: "button", onclick: () => this.give() }, "Give selected cells"),
      this.text, make("button", { type: "button", onclick: () => this.add() }, "Add rule"),
      make("button", { type: "button", onclick: () => this.form() }, "Stop"));
    this.page.repaint();
  }

  give() {
    for (const cell of this.page.selection) this.onCell(cell);
  }

  onCell(cell) {
    const painting = this.painting;
    if (!painting) return;
    painting.of[cell] = painting.letter;
    const rows = [];
    for (let at = 0; at < painting.of.length; at += painting.size) rows.push(painting.of.slice(at, at + painting.size).join(""));
    this.text.value = rows.join("/");
    this.page.repaint();
  }

  stopPainting() {
    if (!this.painting) return;
    this.painting = null;
    this.page.repaint();
  }

  escape() {
    if (this.painting) this.form();
  }

  content(cell) {
    if (!this.painting) return {};
    return { pair: undefined, small: undefined, why: this.painting.of[cell] === this.painting.letter ? "used" : undefined,
      corner: this.painting.of[cell] === "." ? [] : [this.painting.of[cell]] };
  }
}
