// Make: generate, minimize, complete and scramble puzzles; and the list of the results.

import { bind, button, make, optionsOf } from "./board.js";
import { freshWork, puzzleOf, readShelf, workFrom } from "./state.js";

export class Make {
  constructor(page) {
    this.page = page;
    this.title = "Make";
    this.made = [];
    this.root = bind(this, "make", {
      mirror: () => { page.view.symmetry = this.symmetry.value; page.repaint(); },
      show: () => page.repaint(),
      end: () => page.backend.stop("make"),
      change: question => this.ask({ ask: question, symmetry: this.symmetry.value || "none", seed: String(Math.random()) }),
      thin: () => this.ask({ ask: "minimize", fewest: true }),
    });
    this.listShelf();
    // Another tab has changed the list of recent puzzles.
    addEventListener("storage", () => this.listShelf());
  }

  learn(about) {
    this.symmetry.replaceChildren(...optionsOf(about.symmetries));
    this.level.replaceChildren(...optionsOf([["", "any"], ...about.questions.generate.difficulty.enum]));
  }

  // List all puzzles that were worked on in this browser, in any tab.
  listShelf() {
    const when = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
    const open = each => this.page.history.change(() => workFrom(JSON.parse(each.now)));
    this.shelf.replaceChildren(...readShelf().map(each => make("li", {},
      make("span", {}, String(each.name), make("small", { class: "quiet" }, ` ${when.format(each.when)}`)),
      button("Open", () => open(each), { "aria-label": `Open ${each.name}` }))));
  }

  // Show the cells of the mask, which are the selected ones.
  content(cell) {
    return this.mask.checked && this.page.view.selection.has(cell) ? { why: "used" } : {};
  }

  generate() {
    const { page } = this;
    const message = { ask: "generate", number: Number(this.number.value) || 1, symmetry: this.symmetry.value || "none", seed: String(Math.random()), seconds: 60 };
    const range = this.givens.value.split("-").map(text => Number(text.trim()));
    if (this.givens.value.trim()) message.givens = [range[0], range[range.length - 1]];
    if (this.level.value) message.difficulty = this.level.value;
    if (this.mask.checked) message.mask = page.work.cells.map((_, cell) => (page.view.selection.has(cell) ? "#" : ".")).join("");
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
        // If the user has typed meanwhile, the result goes only into the list.
        if (page.work === shown) {
          this.open(part);
          shown = page.work;
        } else this.status.textContent = "The board was changed meanwhile: what was made is in the list.";
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

  // Add a puzzle to the list of results, the newest first.
  enlist(part) {
    this.made.unshift(part);
    const level = part.level ? `, ${part.level}${part.rating === null ? "" : ` (${part.rating})`}` : "";
    const name = part.name ? `${part.name}: ` : "";
    const text = `${this.made.length}. ${name}${part.cells.filter(Boolean).length} givens${level}${part.minimal ? ", minimal" : ""}`;
    this.list.prepend(make("li", {}, make("span", {}, text), button("Open", () => this.open(part))));
  }

  open(part) {
    const { cells, rules, name = "", author = "", rules_text: text = "", unread = "", drawings = null } = part;
    this.page.history.change(() => ({ ...freshWork(part.box), cells, rules, name, author, text, unread, drawings }));
  }
}
