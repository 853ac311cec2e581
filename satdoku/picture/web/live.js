// Facts about the puzzle while it is typed: the verdict and its evidence.

import { button, counted, isNew, make, nameOf, rove } from "./board.js";
import { puzzleOf } from "./state.js";

// The most differing cells of two solutions to show: with more, two digits in each are not
// readable.
const MOST_PAIRS = 40;
const KINDS = ["waiting", "playing", "unique", "multiple", "none", "undecided", "fault"];
// If more rules than this clash, they are neither framed nor listed.
const MOST_RULES = 6;
// Milliseconds after an edit until the earlier verdict is shown as outdated.
const PATIENCE = 250;

// The most edits in the chart; more bars would be too narrow to click.
const MOST_BARS = 40;

// Return a number in full, or rounded to two digits: 6.7 × 10²¹. `away` is the rounding mode, so
// that a bound stays a bound.
function brief(number, away = "halfExpand") {
  const written = new Intl.NumberFormat("en", { notation: "scientific", maximumSignificantDigits: 2, roundingMode: away });
  const [digits, zeros] = number < 1e6 ? [number.toLocaleString("en")] : written.format(number).split("E");
  return zeros ? `${digits} × 10${[...zeros].map(sign => "⁰¹²³⁴⁵⁶⁷⁸⁹"[sign]).join("")}` : digits;
}

function short(text) {
  return text.length > 60 ? `${text.slice(0, 58)} …` : text;
}

export class Live {
  constructor(page) {
    this.page = page;
    this.look = {};
    this.words = new Map(); // names of symmetries
    this.verdict = document.getElementById("verdict");
    this.facts = document.getElementById("facts");
    this.repairs = document.getElementById("repairs");
    this.chart = document.getElementById("chart");
    this.legend = document.getElementById("legend");
    rove(this.chart);
  }

  learn(about) {
    this.words = new Map(about.symmetries);
    if (this.look.of) this.tell();
  }

  // Ask about the current work. Earlier facts stay until new ones arrive.
  ask(work) {
    const want = ["symmetry", "count", "rating", "needless", "why"];
    if (this.page.view.shows.candidates) want.push("candidates");
    const { cap, bound } = this.page.view.shows;
    if (!isNew(this, "key", [puzzleOf(work), want, cap, bound])) {
      // Entries of a player and titles do not change the facts about the puzzle.
      this.fresh.of = work;
      if (this.look === this.fresh) this.tell();
      return;
    }
    this.fresh = { of: work };
    const asked = this.fresh;
    // The text shown is about the earlier board, so it fades after a moment.
    clearTimeout(this.aging);
    this.aging = setTimeout(() => this.age(true), PATIENCE);
    this.page.backend.ask("live", { ask: "look", puzzle: puzzleOf(work), want, cap }, part => {
      if (asked !== this.fresh) return;
      if (part.part) asked[part.part] = part;
      else asked.fault = part;
      this.look = asked;
      clearTimeout(this.aging);
      this.age(false);
      this.remember(asked);
      this.tell();
      this.page.repaint();
    }).then(isWhole => isWhole && this.countOn(asked));
  }

  // Count solutions on up to the chosen bound. The next question of `ask` cancels this, as both
  // share a lane.
  countOn(asked) {
    const { count, of } = asked;
    const { bound } = this.page.view.shows;
    if (asked !== this.fresh || !count || count.complete) return;
    const message = { ask: "count", puzzle: puzzleOf(of), limit: bound, estimate: true, growing: true, seconds: 60 };
    this.page.backend.ask("live", message, part => {
      if (asked !== this.fresh) return;
      asked.count = part.part ? part : count;
      this.remember(asked);
      this.tell();
    });
  }

  // Note the number of solutions after this edit, for the chart.
  remember(look) {
    if (look.of !== this.page.work || !look.verdict) return;
    const { verdict } = look.verdict;
    if (verdict === "unique") this.page.history.count([1, true]);
    else if (verdict === "none") this.page.history.count([0, true]);
    else if (look.count) this.page.history.count([look.count.number, look.count.complete]);
  }

  age(isOld) {
    for (const each of [this.verdict, this.facts, this.repairs]) each.classList.toggle("old", isOld);
  }

  tell() {
    const look = this.look;
    if (this.page.isSolving) return;
    if (!look.of) return;
    const found = look.verdict;
    this.say(...this.sentence(look, found));
    const given = look.of.cells.filter(Boolean).length;
    // Reserve the space of all facts, so that nothing moves while somebody types.
    const facts = [["Givens", String(given)]];
    if (!look.rating) facts.push(["Rating", "–"]);
    else {
      // The level "beyond" has no number; alone it would not say beyond what.
      const number = look.rating.number === null ? " extreme" : ` (${look.rating.number})`;
      facts.push(["Rating", look.rating.level + number, look.rating.text]);
    }
    if (!look.needless) facts.push(["Needless", "–"]);
    else {
      const { cells, rules = [] } = look.needless;
      const count = cells.length + rules.length;
      facts.push(["Needless", count ? String(count) : "none",
        "Givens and rules that could go, each by itself, and there would still be one solution."]);
    }
    // If there are several symmetries, the last one includes the others.
    const symmetries = (look.symmetry ? look.symmetry.names : []).map(name => this.words.get(name) || name);
    facts.push(["Symmetry", symmetries.at(-1) || "–", symmetries.join(", ")]);
    this.facts.replaceChildren(...facts.map(([name, value, title]) =>
      make("div", { title: title || value }, make("span", { class: "label" }, name), value)));
    this.tellRepairs(look);
    this.page.finds.offer(look);
    this.tellChart();
    this.tellLegend(look);
  }

  // Show the number of solutions after each edit as bars; a click on a bar goes back to that edit.
  tellChart() {
    const { history } = this.page;
    const now = history.past.length;
    const known = [...history.counts.keys()].filter(n => history.counts[n]);
    if (!isNew(this, "charted", [now, known.map(n => history.counts[n])])) return;
    const last = known.slice(-MOST_BARS);
    this.chart.replaceChildren(...(last.length < 2 ? [] : last).map(n => {
      const [number, isExact] = history.counts[n];
      // The height of a bar grows with the logarithm of its number.
      const share = Math.log1p(number) / Math.log1p(this.page.view.shows.bound);
      const words = `${isExact ? "" : "more than "}${counted(number, "solution")}`;
      const bar = button(make("span", { class: "bar-of" }), () => history.go(n), { class: number > 1 ? isExact ? "" : "open" : number ? "one" : "zero",
        "aria-label": `After ${counted(n, "edit")}: ${words}`, title: `${words}; click to go back there`,
        tabindex: n === now ? 0 : -1, "aria-current": n === now ? "true" : null });
      bar.firstChild.style.height = `${Math.max(8, 100 * Math.min(1, share))}%`;
      return bar;
    }));
    if (last.length > 1 && !last.includes(now)) this.chart.lastChild.tabIndex = 0;
  }

  tellLegend(look) {
    const found = look.candidates;
    this.legend.hidden = !(found && look.verdict && look.verdict.verdict === "multiple" && this.page.view.shows.candidates);
    if (this.legend.hidden || this.legend.childElementCount) return;
    const shades = [["n1", "1"], ["n2", "2–3"], ["n4", "4–7"], ["", "8 and more"]];
    this.legend.replaceChildren(make("li", {}, "Solutions with it:"), ...shades.map(([kind, text]) =>
      make("li", {}, make("span", { class: `candidate ${kind}`, "aria-hidden": "true" }, "5"), text)));
  }

  // Show a sentence as the verdict; `kind` is its colour and sign.
  say(kind, text, more) {
    if (!isNew(this, "told", [kind, text, more])) return;
    this.verdict.classList.remove(...KINDS);
    this.verdict.classList.add(kind);
    this.verdict.replaceChildren(text, make("small", {}, more || " "));
  }

  sentence(look, found) {
    // Parts after the verdict may fail or time out; the verdict stays.
    if (!found && look.fault) {
      return look.fault.error ? ["fault", look.fault.error] : ["undecided", "Undecided", look.fault.undecided];
    }
    if (!found) return ["waiting", "…"];
    if (!look.of.cells.some(Boolean) && !look.of.rules.length) {
      return ["waiting", "An empty board", "After each digit, the number of solutions shows here."];
    }
    if (found.verdict === "unique") return ["unique", "One solution", look.of.unread ? "for the part of the original that is here" : "as a puzzle should have"];
    if (found.verdict === "undecided") return ["undecided", "Undecided so far", found.reason];
    if (found.verdict === "multiple") {
      const number = look.count && look.count.number > 1 && this.numberOf(look.count);
      // Say that candidates are being counted: on large boards this takes seconds, and empty cells
      // would look like an answer.
      const isCounting = this.page.view.shows.candidates && !look.candidates && !look.fault;
      const more = isCounting ? "candidates are being counted …" : `two of them differ in ${found.differences.length} cells`;
      return ["multiple", "Several solutions", number ? `${number}; ${more}` : more];
    }
    if (found.clashes) return ["none", "No solution", found.clashes[0].text];
    if (look.rules) {
      const { rules } = look.rules;
      const name = rule => short(this.page.listed.describe(rule));
      if (rules.length === 1) return ["none", "No solution", `no grid has ${name(rules[0])}`];
      const shown = [...rules.slice(0, MOST_RULES).map(name), ...(rules.length > MOST_RULES ? ["…"] : [])].join(" · ");
      return ["none", "No solution", `${rules.length} rules clash, and any of them may go: ${shown}`];
    }
    if (look.clash && !look.clash.cells.length) return ["none", "No solution", "the rules leave none, whatever the givens are"];
    if (look.clash) {
      const count = look.clash.cells.length;
      if (count === 1) return ["none", "No solution", "the rules leave none with the framed given"];
      const more = look.clash.proven ? "no fewer clash" : `at least ${look.clash.at_least} do`;
      return ["none", "No solution", `the ${count} framed givens clash by themselves; ${more}`];
    }
    return ["none", "No solution"];
  }

  numberOf({ number, complete, running, reason, about, at_least: low, at_most: high }) {
    const text = `${complete ? "" : "more than "}${counted(number, "solution")}`;
    if (about) return `${text}, about ${brief(about)}: at least ${brief(low, "floor")} (99 in 100), at most ${brief(high, "ceil")} (proved)`;
    if (running) return `${text}, counting …`;
    return reason && !/^counting/.test(reason) ? `${text}: ${reason}` : text;
  }

  tellRepairs(look) {
    const { unique = [], drop = [] } = look.repairs || {};
    const { history, listed } = this.page;
    const name = cell => nameOf(cell, this.page.size);
    const words = unique.slice(0, 8).map(changes =>
      button(changes.map(([cell, , to]) => `${name(cell)}=${to}`).join(", "), () => this.repair(changes)));
    if (words.length) words.unshift("Repairs:");
    if (drop.length) words.push(words.length ? "or empty" : "Repairs: empty");
    for (const cells of drop.slice(0, 6)) {
      const names = cells.map(name).join(", ");
      words.push(button(names, () => this.repair(cells.map(cell => [cell, 0, 0])), { "aria-label": `empty ${names}` }));
    }
    for (const rule of look.rules ? look.rules.rules.slice(0, MOST_RULES) : []) {
      words.push(button(`Remove ${short(listed.describe(rule))}`, () => listed.remove(rule)));
    }
    for (const { rule, unique: others, several } of look.rule_repairs ? look.rule_repairs.repairs.slice(0, MOST_RULES) : []) {
      for (const other of [...others, ...several].slice(0, 2)) {
        const to = listed.particular(other).split(" at ")[0];
        words.push(button(`${listed.describe(rule)} → ${to}${others.includes(other) ? "" : " (several solutions)"}`,
          () => listed.replace(rule, other), { title: `${rule} → ${other}` }));
      }
    }
    const before = history.counts[history.past.length - 1];
    if (look.verdict && look.verdict.verdict === "none" && history.past.length && !(before && before[0] === 0)) {
      words.push(button("Take back the last edit", () => history.undo()));
    }
    this.repairs.replaceChildren(...words);
    // The clash is shown instead of the facts, which a puzzle without a solution does not have.
    this.facts.hidden = Boolean(words.length);
  }

  repair(changes) {
    this.page.history.change(work => {
      for (const [cell, , to] of changes) work.cells[cell] = to;
    });
  }

  // Return the content of a cell with the facts that the board shows there.
  content(cell, work) {
    const look = this.look;
    const found = look.verdict;
    if (!found || look.of.cells.length !== work.cells.length) return {};
    const shown = {};
    if (found.clashes && found.clashes.some(clash => clash.cells.includes(cell))) shown.why = "clashing";
    else if (look.clash && look.clash.cells.includes(cell)) shown.why = "clashing";
    else if (look.rules && look.rules.rules.length <= MOST_RULES && look.rules.cells.some(cells => cells.includes(cell))) shown.why = "clashing";
    else if (found.differences && found.differences.length <= MOST_PAIRS && found.differences.includes(cell)) {
      shown.why = "different";
      shown.pair = [found.solution[cell], found.second[cell]];
      if (!look.of.cells.some(Boolean) && !look.of.rules.length) return {};
    } else if (this.page.view.shows.needless && look.needless && look.needless.cells.includes(cell)) shown.why = "needless";
    if (this.page.view.shows.candidates && look.candidates) {
      const unique = found.verdict === "unique";
      const cap = look.candidates.cap; // a digit with this many solutions may have more, so it gets no number
      shown.small = look.candidates.cells[cell].map(([digit, count]) =>
        [digit, unique ? 1 : count === cap ? 0 : count]);
    }
    return shown;
  }
}

// Suggestions on the way to one solution, asked by a click: clues that leave the fewest solutions,
// cells that always hold the same digit, and rules whose removal changes nothing.


const QUESTIONS = {
  narrow: ["One step to unique", "How many solutions each further digit or clue would leave", { most: 12 }],
  candidates: ["Equal cells", "Cells that hold the same digit in every solution, each proved", { equal: true }],
};
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

export class Finds {
  constructor(page) {
    this.page = page;
    this.letters = new Map(); // by the names of cells: cells with one letter hold the same digit
    this.offered = ""; // the redundant rules that the status names
    this.status = make("div", { id: "found", role: "status" });
    this.buttons = new Map(Object.entries(QUESTIONS).map(([question, [text, title]]) =>
      [question, button(text, () => this.ask(question), { title })]));
    document.getElementById("ask").append(...this.buttons.values(), this.status);
  }

  // Discard the results, which are about the puzzle before the change.
  reset() {
    if (this.letters.size || this.status.childNodes.length) this.page.backend.stop("make");
    this.letters = new Map();
    this.offered = "";
    this.status.replaceChildren();
  }

  // Offer the questions that make sense with this verdict; for one solution, name redundant rules.
  offer(look) {
    const isSeveral = Boolean(look.verdict) && look.verdict.verdict === "multiple";
    for (const each of this.buttons.values()) each.hidden = !isSeveral;
    const rules = (this.page.view.shows.needless && look.needless && look.needless.rules) || [];
    const texts = rules.join("\n");
    if (texts === this.offered) return;
    this.offered = texts;
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
