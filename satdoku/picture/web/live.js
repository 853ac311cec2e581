// What is known of the puzzle while it is typed: the verdict, and what lies behind it.

import { make, nameOf } from "./board.js";
import { puzzleOf } from "./state.js";

// More cells that differ say nothing when each of them shows two digits.
const MOST_PAIRS = 40;
const KINDS = ["waiting", "unique", "multiple", "none", "undecided", "fault"];
// More clashing rules than these are neither framed nor told one by one.
const MOST_RULES = 6;
// Milliseconds after which a verdict that waits for the next one is shown as an old one.
const PATIENCE = 250;

function short(rule) {
  return rule.length > 40 ? `${rule.slice(0, 38)} …` : rule;
}

export class Live {
  constructor(page) {
    this.page = page;
    this.look = {};
    this.words = new Map(); // of symmetries
    this.verdict = document.getElementById("verdict");
    this.facts = document.getElementById("facts");
    this.repairs = document.getElementById("repairs");
  }

  learn(about) {
    this.words = new Map(about.symmetries);
    if (this.look.of) this.tell();
  }

  // Asks about the work as it is now. What was known of it stays until something else is known.
  ask(work) {
    this.fresh = { of: work };
    const want = ["symmetry", "count", "rating", "needless", "why"];
    if (this.page.shows.candidates) want.push("candidates");
    const asked = this.fresh;
    // What stands there is about the board before; after a moment that is seen.
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
    // All of them always have their place, so that nothing moves while somebody types.
    const facts = [["Givens", String(given)]];
    if (!look.rating) facts.push(["Rating", "–"]);
    else {
      // "Beyond" alone leaves open of what.
      const number = look.rating.number === null ? " extreme" : ` (${look.rating.number})`;
      facts.push(["Rating", look.rating.level + number, look.rating.text]);
    }
    if (!look.needless) facts.push(["Needless", "–"]);
    else {
      const cells = look.needless.cells;
      facts.push(["Needless", cells.length ? String(cells.length) : "none",
        "Givens that could go, each by itself, and there would still be one solution."]);
    }
    // The last one has the others in it, where there are several.
    const symmetries = (look.symmetry ? look.symmetry.names : []).map(name => this.words.get(name) || name);
    facts.push(["Symmetry", symmetries.at(-1) || "–", symmetries.join(", ")]);
    this.facts.replaceChildren(...facts.map(([name, value, title]) =>
      make("div", { title: title || value }, make("span", { class: "label" }, name), value)));
    this.tellRepairs(look);
  }

  sentence(look, found) {
    // What is told after the verdict may fail, or take too long, and the verdict stays.
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
      // On large boards that takes seconds, and the empty cells alone would look like an answer.
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
    // In the place of the facts, since a puzzle without a solution has none of them.
    this.facts.hidden = Boolean(words.length);
  }

  repair(changes) {
    this.page.history.change(work => {
      for (const [cell, , to] of changes) work.cells[cell] = to;
    });
  }

  // What the board shows of it in a cell.
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
      const cap = look.candidates.cap; // a digit with as many solutions has perhaps more, and no number
      shown.small = look.candidates.cells[cell].map(([digit, count]) =>
        [digit, unique ? 1 : count === cap ? 0 : count]);
    }
    return shown;
  }
}
