// Facts about the puzzle while it is typed: the verdict and its evidence.

import { make, nameOf } from "./board.js";
import { puzzleOf } from "./state.js";

// With more differing cells, two digits in each cell are no longer readable.
const MOST_PAIRS = 40;
const KINDS = ["waiting", "unique", "multiple", "none", "undecided", "fault"];
// If more rules than this clash, they are neither framed nor listed.
const MOST_RULES = 6;
// Milliseconds after which a verdict that waits for its successor is shown as outdated.
const PATIENCE = 250;

function short(rule) {
  return rule.length > 40 ? `${rule.slice(0, 38)} …` : rule;
}

export class Live {
  constructor(page) {
    this.page = page;
    this.look = {};
    this.words = new Map(); // names of symmetries
    this.verdict = document.getElementById("verdict");
    this.facts = document.getElementById("facts");
    this.repairs = document.getElementById("repairs");
  }

  learn(about) {
    this.words = new Map(about.symmetries);
    if (this.look.of) this.tell();
  }

  // Ask about the current work. Earlier facts stay until new ones arrive.
  ask(work) {
    this.fresh = { of: work };
    const want = ["symmetry", "count", "rating", "needless", "why"];
    if (this.page.shows.candidates) want.push("candidates");
    const asked = this.fresh;
    // The text shown is about the earlier board; it fades after a moment.
    clearTimeout(this.aging);
    this.aging = setTimeout(() => this.age(true), PATIENCE);
    this.page.backend.ask("live", { ask: "look", puzzle: puzzleOf(work), want }, part => {
      if (asked !== this.fresh) return;
      if (part.part) asked[part.part] = part;
      else asked.fault = part;
      this.look = asked;
      clearTimeout(this.aging);
      this.age(false);
      this.tell();
      this.page.repaint();
    });
  }

  age(isOld) {
    for (const each of [this.verdict, this.facts, this.repairs]) each.classList.toggle("old", isOld);
  }

  tell() {
    const look = this.look;
    const found = look.verdict;
    const [kind, text, more] = this.sentence(look, found);
    const given = look.of.cells.filter(Boolean).length;
    const key = JSON.stringify([kind, text, more]);
    if (key !== this.told) {
      this.told = key;
      this.verdict.classList.remove(...KINDS);
      this.verdict.classList.add(kind);
      this.verdict.replaceChildren(text, make("small", {}, more || " "));
    }
    // Keep the space for all of them, so that nothing moves while somebody types.
    const facts = [["Givens", String(given)]];
    if (!look.rating) facts.push(["Rating", "–"]);
    else {
      // "Beyond" alone would not say beyond what.
      const number = look.rating.number === null ? " extreme" : ` (${look.rating.number})`;
      facts.push(["Rating", look.rating.level + number, look.rating.text]);
    }
    if (!look.needless) facts.push(["Needless", "–"]);
    else {
      const cells = look.needless.cells;
      facts.push(["Needless", cells.length ? String(cells.length) : "none",
        "Givens that could go, each by itself, and there would still be one solution."]);
    }
    // Where there are several, the last one includes the others.
    const symmetries = (look.symmetry ? look.symmetry.names : []).map(name => this.words.get(name) || name);
    facts.push(["Symmetry", symmetries.at(-1) || "–", symmetries.join(", ")]);
    this.facts.replaceChildren(...facts.map(([name, value, title]) =>
      make("div", { title: title || value }, make("span", { class: "label" }, name), value)));
    this.tellRepairs(look);
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
      const count = look.count;
      const number = count && count.number > 1 && `${count.complete ? "" : "more than "}${count.number.toLocaleString("en")} solutions`;
      // On large boards this takes seconds, and empty cells alone would look like an answer.
      const isCounting = this.page.shows.candidates && !look.candidates && !look.fault;
      const more = isCounting ? "candidates are being counted …" : `two of them differ in ${found.differences.length} cells`;
      return ["multiple", "Several solutions", number ? `${number}; ${more}` : more];
    }
    if (found.clashes) return ["none", "No solution", found.clashes[0].text];
    if (look.rules) {
      const { rules } = look.rules;
      if (rules.length === 1) return ["none", "No solution", `no grid has ${short(rules[0])}`];
      const shown = [...rules.slice(0, MOST_RULES).map(short), ...(rules.length > MOST_RULES ? ["…"] : [])].join(" · ");
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

  tellRepairs(look) {
    const { unique = [], drop = [] } = look.repairs || {};
    const name = cell => nameOf(cell, this.page.size);
    const button = (changes, text, said) => make("button", {
      type: "button", "aria-label": said, onclick: () => this.repair(changes),
    }, text);
    const words = unique.slice(0, 8).map(changes =>
      button(changes, changes.map(([cell, , to]) => `${name(cell)}=${to}`).join(", ")));
    if (words.length) words.unshift("Repairs:");
    if (drop.length) words.push(words.length ? "or empty" : "Repairs: empty");
    for (const cells of drop.slice(0, 6)) {
      const names = cells.map(name).join(", ");
      words.push(button(cells.map(cell => [cell, 0, 0]), names, `empty ${names}`));
    }
    for (const rule of look.rules ? look.rules.rules.slice(0, MOST_RULES) : []) {
      words.push(make("button", { type: "button", onclick: () => this.page.rules.remove(rule) }, `Remove ${short(rule)}`));
    }
    this.repairs.replaceChildren(...words);
    // Shown instead of the facts, which a puzzle without a solution does not have.
    this.facts.hidden = Boolean(words.length);
  }

  repair(changes) {
    this.page.history.change(work => {
      for (const [cell, , to] of changes) work.cells[cell] = to;
    });
  }

  // Return what the board shows of these facts in a cell.
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
    } else if (this.page.shows.needless && look.needless && look.needless.cells.includes(cell)) shown.why = "needless";
    if (this.page.shows.candidates && look.candidates) {
      const unique = found.verdict === "unique";
      const cap = look.candidates.cap; // a digit with this many solutions may have more: no number
      shown.small = look.candidates.cells[cell].map(([digit, count]) =>
        [digit, unique ? 1 : count === cap ? 0 : count]);
    }
    return shown;
  }
}
