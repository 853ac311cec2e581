// The test-solve: the board as a player gets it, with its title and its rules in words, entries
// that clash, and afterwards the steps that the player had to find at long pauses.

import { bind, button, counted, isNew, make, nameOf } from "./board.js";
import { positionOf, puzzleOf } from "./state.js";

// Milliseconds of the shortest pause at which a player counts as stuck.
const LONG_PAUSE = 5000;

function clock(seconds) {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown.map((part, n) => (n ? String(part).padStart(2, "0") : part)).join(":");
}

export class Play {
  constructor(page) {
    this.page = page;
    this.position = null; // the server's facts about the position entered
    this.wrong = new Set(); // cells that a check has found to be wrong
    this.checked = "";
    this.pauses = []; // the edits before which the player waited, with the milliseconds and the cell
    this.last = 0; // when the last digit was entered
    bind(this, "card");
    this.timer.checked = page.view.timed !== null;
    setInterval(() => this.tick(1), 1000);
    this.tick();
  }

  start() {
    this.page.view.timed = this.timer.checked ? 0 : null;
    this.tick();
  }

  get isSolved() {
    const { position } = this;
    return Boolean(position && position.full && !position.clashes.length);
  }

  tick(by = 0) {
    const { view, isSolving } = this.page;
    if (view.timed !== null && isSolving && !document.hidden && !this.isSolved) view.timed += by;
    this.time.textContent = view.timed === null ? "" : clock(view.timed);
  }

  changed(work) {
    this.wrong.clear();
    this.result.textContent = "";
    this.tellCard();
    if (!this.page.isSolving) return;
    const { puzzle, entered } = positionOf(work);
    if (isNew(this, "key", [work.cells, work.rules, work.entered])) this.notePause(work);
    const { key } = this;
    this.page.backend.ask("play", { ask: "clashes", puzzle, entered }, part => {
      if (key !== this.key) return;
      this.position = part.part ? part : null;
      this.tell();
      this.page.repaint();
    });
    this.tell();
  }

  // Record a long pause before an edit, to say at the end which step was needed there.
  notePause(work) {
    const now = performance.now();
    const before = this.before || [];
    const cell = work.entered.findIndex((digit, n) => digit && digit !== before[n]);
    if (cell >= 0 && this.last && now - this.last > LONG_PAUSE) {
      this.pauses.push({ edits: this.page.history.past.length - 1, cell, waited: now - this.last });
    }
    this.last = now;
    this.before = work.entered;
  }

  tell() {
    const { work, live } = this.page;
    if (!this.page.isSolving) return;
    live.age(false);
    live.say(...this.sentence(work));
    this.tellAfterwards();
  }

  sentence(work) {
    const givens = work.cells.filter(Boolean).length;
    if (!givens && !work.rules.length) return ["waiting", "An empty board", "Set some givens or rules first."];
    const open = work.cells.length - givens;
    const entered = work.cells.filter((given, cell) => !given && work.entered[cell]).length;
    const { position } = this;
    if (this.isSolved) {
      const { timed } = this.page.view;
      return ["unique", "Solved", timed === null ? "every digit keeps all rules" : `in ${clock(timed)}`];
    }
    const number = `${entered} of ${open} entered`;
    if (position && position.clashes.length) return ["none", number, position.clashes[0].text];
    return ["playing", number, entered ? "none of them clash" : "conflicts are shown as you enter digits"];
  }

  // Show the author and the rules in words. Without a text by the author, that is the server's
  // draft, which is not printed, as captions say the same.
  tellCard() {
    const { work, drafted } = this.page;
    if (!isNew(this, "told", [work.author, work.text, drafted])) return;
    document.body.classList.toggle("worded", Boolean(work.text));
    this.about.replaceChildren(...(work.author ? [make("p", { class: "quiet" }, `by ${work.author}`)] : []),
      make("p", { class: "words" }, work.text || drafted || ""));
  }

  check() {
    const { page } = this;
    const { look } = page.live;
    const { puzzle, entered } = positionOf(page.work);
    const solution = look.verdict && look.verdict.verdict === "unique" && look.verdict.solution;
    if (solution) {
      this.wrong = new Set(page.work.entered.flatMap((digit, cell) => (!page.work.cells[cell] && digit && digit !== solution[cell] ? [cell] : [])));
      const count = this.wrong.size;
      this.result.textContent = count ? `${counted(count, "wrong digit")}: ${[...this.wrong].map(cell => nameOf(cell, page.size)).join(", ")}`
        : "All of it is right so far.";
      page.repaint();
      return;
    }
    page.backend.ask("make", { ask: "look", puzzle: { ...puzzle, cells: entered }, want: [] }, part => {
      if (part.part !== "verdict") this.result.textContent = part.error || part.undecided;
      else this.result.textContent = part.verdict === "none" ? "No solution is left with these digits." : "These digits can still be completed.";
    });
  }

  // Say where the player waited longest, and which step satdoku would have found there.
  tellAfterwards() {
    const longest = this.pauses.toSorted((one, other) => other.waited - one.waited)[0];
    if (!this.isSolved || !longest) {
      this.afterwards.replaceChildren();
      return;
    }
    const { page } = this;
    const place = nameOf(longest.cell, page.size);
    const told = make("p", {});
    const show = () => {
      const work = JSON.parse(page.history.at(longest.edits));
      page.backend.ask("walk", { ask: "hint", ...positionOf(work), puzzle: puzzleOf(work) }, part => {
        told.textContent = part.how || part.text || part.error || part.undecided || "What was entered there was wrong.";
      });
    };
    this.afterwards.replaceChildren(
      make("p", {}, `The longest pause was ${clock(longest.waited / 1000)}, before ${place}.`),
      button("What was needed there", show), told);
  }

  content(cell) {
    const clashes = (this.position && this.position.clashes) || [];
    const isWrong = this.wrong.has(cell) || clashes.some(clash => clash.cells.includes(cell));
    return isWrong ? { why: "clashing" } : {};
  }
}
