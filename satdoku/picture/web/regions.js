// Irregular regions instead of boxes, painted on the board: choose a letter, then cells. When each
// region has its number of cells, they become the rule.

import { make } from "./board.js";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

export class Regions {
  constructor(editor) {
    this.editor = editor;
    this.isOpen = false;
  }

  open(editing) {
    const { size, work } = this.editor.page;
    const old = editing || work.rules.find(rule => rule.startsWith(`${this.editor.tool.name}:`));
    const letters = old ? old.slice(old.indexOf(":") + 1).replace(/[/\s]/g, "") : "";
    this.isOpen = true;
    this.size = size;
    this.letters = [...LETTERS.slice(0, size)];
    if (letters.length === size * size) this.letters = [...new Set(letters)].filter(letter => letter !== ".");
    this.letters = [...new Set([...this.letters, ...LETTERS])].slice(0, size);
    this.letter = this.letters[0];
    this.of = letters.length === size * size ? [...letters] : Array(size * size).fill(".");
  }

  fields() {
    this.choices = this.letters.map(letter => make("button", {
      type: "button", "aria-pressed": letter === this.letter ? "true" : "false", onclick: () => this.choose(letter),
    }, letter, make("small")));
    this.count();
    return [make("span", { class: "letters", role: "group", "aria-label": "Region" }, ...this.choices)];
  }

  // Beside each letter stands how many cells the region still needs.
  count() {
    this.letters.forEach((letter, n) => {
      const missing = this.size - this.of.filter(each => each === letter).length;
      this.choices[n].lastChild.textContent = missing ? ` ${missing}` : " ✓";
    });
  }

  choose(letter) {
    this.letter = letter;
    this.choices.forEach((each, n) => each.setAttribute("aria-pressed", this.letters[n] === letter ? "true" : "false"));
    this.editor.page.repaint();
  }

  paintSelected() {
    for (const cell of this.editor.page.view.selection) this.paint(cell);
    this.lift();
  }

  paint(cell) {
    this.of[cell] = this.letter;
    const rows = [];
    for (let at = 0; at < this.of.length; at += this.size) rows.push(this.of.slice(at, at + this.size).join(""));
    this.editor.argument.value = rows.join("/");
    this.count();
    this.editor.page.repaint();
  }

  lift() {
    const isWhole = this.letters.every(letter => this.of.filter(each => each === letter).length === this.size);
    if (isWhole) this.editor.add();
  }

  close() {
    this.isOpen = false;
  }

  content(cell) {
    const letter = this.of[cell];
    return { pair: undefined, small: undefined, why: letter === this.letter ? "used" : undefined, corner: letter === "." ? [] : [letter] };
  }
}
