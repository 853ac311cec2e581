// Make: generate, minimize, complete and scramble puzzles; and the list of the results.

import { make } from "./board.js";
import { freshWork, puzzleOf, readShelf, workFrom } from "./state.js";

export class Make {
  constructor(page) {
    this.page = page;
    this.title = "Make";
    this.made = [];
    this.hasMask = false;
    const button = (text, act, main) => make("button", { type: "button", class: main, onclick: act }, text);
    this.symmetry = make("select", { onchange: () => { page.view.symmetry = this.symmetry.value; page.repaint(); } });
    this.level = make("select");
    this.givens = make("input", { type: "text", size: 7, placeholder: "24 or 22-26" });
    this.number = make("input", { type: "number", min: 1, max: 50, value: 1 });
    this.mask = make("input", { type: "checkbox", onchange: event => { this.hasMask = event.target.checked; page.repaint(); } });
    this.stop = button("Stop", () => page.backend.stop("make"));
    this.stop.disabled = true;
    this.status = make("p", { class: "quiet", role: "status" });
    this.list = make("ul", { class: "list", "aria-label": "What was made" });
    this.shelf = make("ul", { class: "list", "aria-label": "Recent puzzles" });
    this.root = make("div", {},
      make("h2", {}, "From nothing"),
      make("div", { class: "fields" }, make("label", {}, "Symmetry", this.symmetry), make("label", {}, "Difficulty", this.level),
        make("label", {}, "Givens", this.givens), make("label", {}, "How many", this.number)),
      make("div", { class: "bar" }, button("Generate", () => this.generate(), "main"), this.stop,
        make("label", {}, this.mask, "Only in the selected cells")),
      make("h2", {}, "From this puzzle"),
      make("div", { class: "bar" }, button("Thin out", () => this.ask({ ask: "minimize", symmetry: this.symmetry.value || "none", seed: String(Math.random()) })),
        button("Fewest givens", () => this.ask({ ask: "minimize", fewest: true })),
        button("Complete", () => this.ask({ ask: "complete" })),
        button("Scramble", () => this.ask({ ask: "scramble", seed: String(Math.random()) })),
        button("Count", () => this.ask({ ask: "count" }))),
      this.status, this.list,
      make("p", { class: "quiet" }, "While a symmetry is chosen, emptying a cell empties its partners too."),
      make("h2", {}, "Recent puzzles"), this.shelf);
    this.listShelf();
    // Another tab has worked on a puzzle of its own.
    addEventListener("storage", () => this.listShelf());
  }

  learn(about) {
    this.symmetry.replaceChildren(...about.symmetries.map(([name, text]) => make("option", { value: name }, text)));
    const levels = about.questions.generate.difficulty.enum;
    this.level.replaceChildren(make("option", { value: "" }, "any"), ...levels.map(level => make("option", { value: level }, level)));
  }

  // All puzzles that were worked on in this browser, in whichever tab.
  listShelf() {
    const when = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
    const open = each => this.page.history.change(() => workFrom(JSON.parse(each.now)));
    this.shelf.replaceChildren(...readShelf().map(each => make("li", {},
      make("span", {}, String(each.name), make("small", { class: "quiet" }, ` ${when.format(each.when)}`)),
      make("button", { type: "button", "aria-label": `Open ${each.name}`, onclick: () => open(each) }, "Open"))));
  }

  // The selected cells are the cells of a mask.
  content(cell) {
    return this.hasMask && this.page.view.selection.has(cell) ? { why: "used" } : {};
  }

  generate() {
    const { page } = this;
    const message = { ask: "generate", number: Number(this.number.value) || 1, symmetry: this.symmetry.value || "none", seed: String(Math.random()), seconds: 60 };
    const range = this.givens.value.split("-").map(text => Number(text.trim()));
    if (this.givens.value.trim()) message.givens = [range[0], range[range.length - 1]];
    if (this.level.value) message.difficulty = this.level.value;
    if (this.hasMask) message.mask = page.work.cells.map((_, cell) => (page.view.selection.has(cell) ? "#" : ".")).join("");
    this.ask(message);
  }

  ask(message) {
    const { page } = this;
    this.status.textContent = "Working …";
    this.stop.disabled = false;
    const asked = this.asked = {};
    let heard = 0;
    const { work } = page;
    let shown = work;
    const puzzle = message.ask === "generate" ? { ...puzzleOf(work), cells: work.cells.map(() => 0) } : puzzleOf(work);
    page.backend.ask("make", { seconds: 60, ...message, puzzle }, part => {
      heard += 1;
      if (part.part === "puzzle") {
        this.enlist(part);
        // If the user has typed meanwhile, the result is only in the list.
        if (page.work === shown) {
          this.open(part);
          shown = page.work;
        } else this.status.textContent = "The board was changed meanwhile: what was made is in the list.";
      } else if (part.part === "count") {
        const number = part.number.toLocaleString("en");
        this.status.textContent = part.complete ? `${number} solutions.` : `At least ${number} solutions: ${part.reason}.`;
      } else this.status.textContent = part.text || part.error || `Undecided: ${part.undecided}.`;
    }).then(isWhole => {
      // After a newer question, messages about this one are dropped.
      if (asked !== this.asked) return;
      this.stop.disabled = true;
      if (!isWhole) this.status.textContent = "Stopped.";
      else if (!heard) this.status.textContent = "Nothing was made.";
      else if (this.status.textContent === "Working …") this.status.textContent = "";
    });
  }

  // Each puzzle is kept in the list, the newest first.
  enlist(part) {
    this.made.unshift(part);
    const level = part.level ? `, ${part.level}${part.rating === null ? "" : ` (${part.rating})`}` : "";
    const name = part.name ? `${part.name}: ` : "";
    const text = `${this.made.length}. ${name}${part.cells.filter(Boolean).length} givens${level}${part.minimal ? ", minimal" : ""}`;
    this.list.prepend(make("li", {}, make("span", {}, text), make("button", { type: "button", onclick: () => this.open(part) }, "Open")));
  }

  open(part) {
    const { cells, rules, name = "", author = "", rules_text: text = "", unread = "", drawings = null } = part;
    this.page.history.change(() => ({ ...freshWork(part.box), cells, rules, name, author, text, unread, drawings }));
  }
}
