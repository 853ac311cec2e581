// What would lead to one solution, asked by a click: clues that leave the fewest solutions, cells
// that always hold the same digit, and rules without which nothing would change.

import { button, isNew, make, nameOf } from "./board.js";
import { puzzleOf } from "./state.js";

const QUESTIONS = {
  narrow: ["One step to unique", "How many solutions each further digit or clue would leave", { most: 12 }],
  candidates: ["Equal cells", "Cells that hold the same digit in every solution, each proved", { equal: true }],
};
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

export class Finds {
  constructor(page) {
    this.page = page;
    this.letters = new Map(); // by the names of cells: cells with one letter hold the same digit
    this.status = make("div", { id: "found", role: "status" });
    this.buttons = new Map(Object.entries(QUESTIONS).map(([question, [text, title]]) =>
      [question, button(text, () => this.ask(question), { title })]));
    document.getElementById("ask").append(...this.buttons.values(), this.status);
  }

  // The work has changed: what was found is about another puzzle.
  reset() {
    if (this.letters.size || this.status.childNodes.length) this.page.backend.stop("make");
    this.letters = new Map();
    this.needless = "[]";
    this.status.replaceChildren();
  }

  // Offer what makes sense with this verdict; of one solution, tell the rules that could go.
  offer(look) {
    const isSeveral = Boolean(look.verdict) && look.verdict.verdict === "multiple";
    for (const each of this.buttons.values()) each.hidden = !isSeveral;
    const rules = (this.page.view.shows.needless && look.needless && look.needless.rules) || [];
    if (!isNew(this, "needless", rules)) return;
    if (rules.length) this.tell("Each of these rules could go by itself:", rules.map(rule => this.ruleChip(rule)));
    else this.status.replaceChildren();
  }

  ruleChip(rule) {
    return this.chip(this.page.listed.describe(rule), `Remove ${rule}`, () => this.page.listed.remove(rule), rule);
  }

  ask(question) {
    const { page } = this;
    const { work } = page;
    this.reset();
    this.status.textContent = "Working …";
    page.backend.ask("make", { ask: "facts", question, puzzle: puzzleOf(work), seconds: 60, ...QUESTIONS[question][2] }, part => {
      if (work !== page.work) return;
      if (part.part !== "facts") this.status.textContent = part.error || part.undecided;
      else if (part.verdict === "undecided") this.status.textContent = `Undecided: ${part.reason}`;
      else this[question](part);
      page.repaint();
    });
  }

  tell(text, chips = []) {
    this.status.replaceChildren(make("p", {}, text), make("div", { class: "bar" }, ...chips));
  }

  chip(text, title, act, cells = "") {
    const point = what => () => this.page.listed.point(what);
    return button(text, act, { class: "chip", title, onpointerenter: point(cells), onpointerleave: point(""), onfocus: point(cells), onblur: point("") });
  }

  narrow({ clues, exact, solutions }) {
    const of = exact ? `${solutions} solutions` : `the first ${solutions} solutions`;
    const name = clue => (clue.includes(":") ? this.page.listed.describe(clue) : clue);
    this.tell(clues.length ? `Of ${of}, each of these would leave:` : `No single clue was found that leaves fewer of ${of}.`,
      clues.map(({ clue, left }) => this.chip(`${name(clue)} → ${exact ? "" : "at least "}${left}`, `Add ${clue}`, () => this.add(clue), clue)));
  }

  add(clue) {
    const { page } = this;
    page.history.change(work => {
      const [, row, column, digit] = /^r(\d+)c(\d+)=(\d+)$/.exec(clue) || [];
      if (row) work.cells[(Number(row) - 1) * page.size + Number(column) - 1] = Number(digit);
      else work.rules.push(clue);
    });
  }

  candidates({ equal }) {
    equal.slice(0, LETTERS.length).forEach((cells, n) => cells.forEach(cell => this.letters.set(cell, LETTERS[n])));
    this.tell(equal.length ? "Cells with one letter hold the same digit in every solution:" : "No two cells hold the same digit in every solution.",
      equal.slice(0, LETTERS.length).map((cells, n) => make("span", {}, `${LETTERS[n]}: ${cells.join(", ")}`)));
  }

  content(cell) {
    const letter = this.letters.size && this.letters.get(nameOf(cell, this.page.size));
    return letter ? { why: "equal", letter } : {};
  }
}
