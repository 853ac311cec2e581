// Irregular regions instead of boxes, painted on the board: choose a letter, then cells.

import { make } from "./board.js";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

export class Regions {
  constructor(rules) {
    this.rules = rules;
    this.isOpen = false;
  }

  button() {
    return make("button", { type: "button", onclick: () => this.open() }, "Paint on the board");
  }

  open() {
    const { rules } = this;
    const { size, work } = rules.page;
    const old = work.rules.find(rule => rule.startsWith("regions:"));
    const letters = old ? old.slice(8).replace(/[/\s]/g, "") : "";
    this.isOpen = true;
    this.size = size;
    this.letter = "A";
    this.of = letters.length === size * size ? [...letters] : Array(size * size).fill(".");
    const choices = [...LETTERS.slice(0, size)].map(letter => make("button", {
      type: "button", "aria-pressed": letter === "A" ? "true" : "false", onclick: event => this.choose(letter, event.currentTarget, choices),
    }, letter));
    rules.fields.replaceChildren(make("span", {}, "Choose a region, then press and drag over its cells:"), ...choices,
      make("button", { type: "button", onclick: () => this.paintSelected() }, "Give it the selected cells"),
      rules.text, rules.adder(), make("button", { type: "button", onclick: () => rules.form() }, "Stop"));
    rules.page.repaint();
  }

  choose(letter, chosen, choices) {
    this.letter = letter;
    for (const each of choices) each.setAttribute("aria-pressed", each === chosen ? "true" : "false");
    this.rules.page.board.root.scrollIntoView({ block: "nearest" });
    this.rules.page.repaint();
  }

  paintSelected() {
    for (const cell of this.rules.page.selection) this.paint(cell);
  }

  paint(cell) {
    this.of[cell] = this.letter;
    const rows = [];
    for (let at = 0; at < this.of.length; at += this.size) rows.push(this.of.slice(at, at + this.size).join(""));
    this.rules.text.value = rows.join("/");
    this.rules.page.repaint();
  }

  close() {
    this.isOpen = false;
  }

  content(cell) {
    const letter = this.of[cell];
    return { pair: undefined, small: undefined, why: letter === this.letter ? "used" : undefined, corner: letter === "." ? [] : [letter] };
  }
}
