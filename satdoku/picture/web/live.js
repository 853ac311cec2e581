// What is known about the puzzle: the verdict with its evidence, the way to one solution, and the test-solve.

import { bind, button, counted, fill, find, isNew, make, retell, rove } from "./board.js";
import { countGivens, isBlank, positionOf, puzzleOf } from "./state.js";

// The most differing cells of two solutions to show: with more, two digits in each are not readable.
const MOST_PAIRS = 40;
const MOST_RULES = 6; // if more rules than this clash, they are neither framed nor listed
const PATIENCE = 250; // milliseconds after an edit until the earlier verdict is shown as outdated
const MOST_BARS = 40; // the most edits in the chart; more bars would be too narrow to click

const short = text => (text.length > 60 ? `${text.slice(0, 58)} …` : text);

export class Live {
  constructor(page) {
    this.page = page;
    this.look = {};
    this.kind = "waiting"; // of the verdict that is shown
    for (const name of ["verdict", "facts", "repairs", "chart", "legend"]) this[name] = find(name);
    rove(this.chart);
  }

  ask(work) {
    const { candidates, cap, bound } = this.page.view.shows;
    const want = ["symmetry", "count", "rating", "needless", "why", ...(candidates ? ["candidates"] : [])];
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
    this.page.backend.ask("live", { ask: "look", puzzle: puzzleOf(work), want, cap }, part => this.hear(asked, part))
      .then(isWhole => isWhole && this.countOn(asked));
  }

  hear(asked, part) {
    if (asked !== this.fresh) return;
    asked[part.part || "fault"] = part;
    this.look = asked;
    clearTimeout(this.aging);
    this.age(false);
    // The number of solutions after this edit is for the chart.
    const { verdict: { verdict } = {}, count, of } = asked;
    const known = { unique: [1, true], none: [0, true] }[verdict] || (count && [count.number, count.complete]);
    const { history, work } = this.page;
    if (known && of === work) history.counts[history.done] = known;
    this.tell();
    this.page.repaint();
  }

  // Count solutions on up to the chosen bound. The next question of `ask` cancels this: both share a lane.
  countOn(asked) {
    const { count, of } = asked;
    if (asked !== this.fresh || !count || count.complete) return;
    count.running = true;
    this.tell();
    const message = { ask: "count", puzzle: puzzleOf(of), limit: this.page.view.shows.bound, estimate: true, growing: true, seconds: 60 };
    this.page.backend.ask("live", message, part => this.hear(asked, part));
  }

  age(isOld) {
    for (const each of [this.verdict, this.facts, this.repairs]) each.classList.toggle("old", isOld);
  }

  tell() {
    const { look } = this;
    if (this.page.isSolving || !look.of) return;
    this.say(...this.sentence(look));
    this.tellFacts(look);
    this.tellRepairs(look);
    this.page.finds.offer(look);
    this.tellChart();
    this.legend.hidden = !look.candidates || look.verdict?.verdict !== "multiple" || !this.page.view.shows.candidates;
  }

  // All facts have their space from the beginning, so that nothing moves while somebody types.
  tellFacts({ of, rating, needless, symmetry }) {
    // The level "beyond" has no number; alone it would not say beyond what.
    const rated = rating && `${rating.level} ${rating.number === null ? "extreme" : `(${rating.number})`}`;
    const spare = needless && String(needless.cells.length + (needless.rules || []).length || "none");
    // If there are several symmetries, the last one includes the others.
    const symmetries = (symmetry?.names || []).map(name => this.page.symmetries?.get(name) || name);
    const facts = [["Givens", String(countGivens(of))], ["Rating", rated, rating?.text],
      ["Needless", spare, "Givens and rules that could go, each by itself, and there would still be one solution."],
      ["Symmetry", symmetries.at(-1), symmetries.join(", ")]];
    fill(this.facts, facts.map(([name, value = "–", title = ""]) =>
      make("div", { title: title || value }, make("span", { class: "label" }, name), value)));
  }

  // Show the number of solutions after each edit as bars; a click on a bar goes back to that edit.
  tellChart() {
    const { history } = this.page;
    const now = history.done;
    const known = [...history.counts.keys()].filter(n => history.counts[n]);
    if (!isNew(this, "charted", [now, known.map(n => history.counts[n])])) return;
    const last = known.length < 2 ? [] : known.slice(-MOST_BARS);
    fill(this.chart, last.map(n => {
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
    if (last.length && !last.includes(now)) this.chart.lastChild.tabIndex = 0;
  }

  say(kind, text, more) {
    if (!isNew(this, "told", [kind, text, more])) return;
    this.verdict.classList.replace(this.kind, kind);
    this.kind = kind;
    // Screen readers join a text and an element without a space.
    retell(this.verdict, make("span", {}, text), make("small", {}, more || " "));
  }

  sentence(look) {
    const { verdict: found, of, fault } = look;
    // Parts after the verdict may fail or time out; the verdict stays.
    if (!found && fault) return fault.error ? ["fault", fault.error] : ["undecided", "Undecided", fault.undecided];
    if (!found) return ["waiting", "…"];
    if (isBlank(of)) return ["waiting", "An empty board", "After each digit, the number of solutions shows here."];
    if (found.verdict === "unique") return ["unique", "One solution", of.unread ? "for the part of the original that is here" : "as a puzzle should have"];
    if (found.verdict === "undecided") return ["undecided", "Undecided so far", found.reason];
    if (found.verdict === "multiple") return ["multiple", "Several solutions", this.severalOf(look)];
    return ["none", "No solution", found.clashes ? found.clashes[0].text : this.clashOf(look)];
  }

  severalOf({ verdict, count, candidates, fault }) {
    const number = count?.number > 1 && this.numberOf(count, fault);
    // Counting candidates takes seconds on large boards, and empty cells would look like an answer.
    const isCounting = this.page.view.shows.candidates && !candidates && !fault;
    const more = isCounting ? "candidates are being counted …" : `two differ in ${verdict.differences.length} cells`;
    // An estimate has many words by itself.
    return count?.text ? number : [number, more].filter(Boolean).join("; ");
  }

  clashOf({ rules: named, clash, repairs, fault }) {
    if (named) {
      const { rules } = named;
      const name = rule => short(this.page.listed.describe(rule));
      if (rules.length === 1) return `no grid has ${name(rules[0])}`;
      const shown = [...rules.slice(0, MOST_RULES).map(name), ...(rules.length > MOST_RULES ? ["…"] : [])].join(" · ");
      return `${rules.length} rules clash, and any of them may go: ${shown}`;
    }
    if (!clash) return repairs || fault ? "" : "looking for what clashes …";
    const count = clash.cells.length;
    if (!count) return "the rules leave none, whatever the givens are";
    if (count === 1) return `the rules leave none with the given in ${this.page.board.nameOf(clash.cells[0])}`;
    return `the ${count} framed givens clash by themselves; ${clash.proven ? "no fewer clash" : `at least ${clash.at_least} do`}`;
  }

  numberOf({ number, complete, running, reason, text: estimate }, fault) {
    if (estimate) return estimate;
    const text = `${complete ? "" : "more than "}${counted(number, "solution")}`;
    if (running && !fault) return `${text}, counting …`;
    return reason && !/^counting/.test(reason) ? `${text}: ${reason}` : text;
  }

  tellRepairs({ verdict, repairs, rules, rule_repairs: changed }) {
    const { unique = [], drop = [] } = repairs || {};
    const { history, listed, board } = this.page;
    const change = (text, changes, more) => button(text, () => history.change(work => {
      for (const [cell, , to] of changes) work.cells[cell] = to;
    }), more);
    const nameOf = cell => board.nameOf(cell);
    const isBroken = history.done && history.counts[history.done - 1]?.[0] !== 0;
    fill(this.repairs,
      verdict?.verdict === "none" && isBroken && button("Take back", () => history.undo()),
      unique.length && "Repairs:",
      unique.slice(0, 8).map(all => change(all.map(([cell, , to]) => `${nameOf(cell)}=${to}`).join(", "), all)),
      drop.length && (unique.length ? "or empty" : "Repairs: empty"),
      drop.slice(0, 6).map(cells => [cells.map(nameOf).join(", "), cells.map(cell => [cell, 0, 0])])
        .map(([names, all]) => change(names, all, { "aria-label": `empty ${names}` })),
      rules?.rules.slice(0, MOST_RULES).map(rule => button(`Remove ${short(listed.describe(rule))}`, () => listed.remove(rule))),
      changed?.repairs.slice(0, MOST_RULES).flatMap(({ rule, unique: others, several }) =>
        [...others, ...several].slice(0, 2).map(other => button(
          `${listed.describe(rule)} → ${listed.numberOf(other)}${others.includes(other) ? "" : " (several solutions)"}`,
          () => listed.replace(rule, other), { title: `${rule} → ${other}` }))));
  }

  // Return the content of a cell with the facts that the board shows there.
  content(cell, work) {
    const { verdict: found, of, clash, rules, needless, candidates } = this.look;
    if (!found || of.cells.length !== work.cells.length) return {};
    const { shows } = this.page.view;
    const shown = {};
    const clashes = [...(found.clashes || []).map(each => each.cells), clash?.cells || [], ...(rules?.rules.length <= MOST_RULES ? rules.cells : [])];
    if (clashes.some(cells => cells.includes(cell))) shown.why = "clashing";
    else if (found.differences?.length <= MOST_PAIRS && found.differences.includes(cell)) {
      shown.why = "different";
      shown.pair = [found.solution[cell], found.second[cell]];
      if (isBlank(of)) return {};
    } else if (shows.needless && needless?.cells.includes(cell)) shown.why = "needless";
    if (shows.candidates && candidates) {
      // A digit with as many solutions as the cap may have more, so it gets no number.
      shown.small = candidates.cells[cell].map(([digit, count]) =>
        [digit, found.verdict === "unique" ? 1 : count === candidates.cap ? 0 : count]);
    }
    return shown;
  }
}

// On the way to one solution: clues that leave the fewest, cells that are always equal, and rules that could go.

const QUESTIONS = { narrow: { most: 12 }, candidates: { equal: true } };
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

export class Finds {
  constructor(page) {
    this.page = page;
    this.letters = new Map(); // by the names of cells: cells with one letter hold the same digit
    this.offered = "[]"; // the redundant rules that the status names
    this.status = find("found");
    bind(this, "ask");
  }

  reset() {
    if (this.letters.size || this.status.childNodes.length) this.page.backend.stop("make");
    this.letters = new Map();
    this.offered = "[]";
    fill(this.status);
  }

  offer(look) {
    const rules = (this.page.view.shows.needless && look.needless?.rules) || [];
    if (!isNew(this, "offered", rules)) return;
    const { listed } = this.page;
    if (!rules.length) return fill(this.status);
    this.tell("Each of these rules could go by itself:",
      rules.map(rule => this.chip(listed.describe(rule), `Remove ${rule}`, () => listed.remove(rule), rule)));
  }

  ask(question) {
    const { page } = this;
    this.reset();
    this.status.textContent = "Working …";
    page.ask({ ask: "facts", question, puzzle: puzzleOf(page.work), seconds: 60, ...QUESTIONS[question] }, "facts", part => {
      if (part.verdict === "undecided") this.status.textContent = `Undecided: ${part.reason}`;
      else this[question](part);
      page.repaint();
    }, this.status);
  }

  tell = (text, chips) => fill(this.status, make("p", {}, text), make("div", { class: "bar" }, chips));
  chip = (text, title, act, cells) => button(text, act, { class: "chip", title, ...this.page.listed.pointing(cells) });

  narrow({ clues, exact, solutions }) {
    const of = exact ? `${solutions} solutions` : `the first ${solutions} solutions`;
    const name = clue => (clue.includes(":") ? this.page.listed.describe(clue) : clue);
    this.tell(clues.length ? `Of ${of}, each of these would leave:` : `No single clue was found that leaves fewer of ${of}.`,
      clues.map(({ clue, left }) => this.chip(`${name(clue)} → ${exact ? "" : "at least "}${left}`, `Add ${clue}`, () => this.add(clue), clue)));
  }

  add(clue) {
    const { page } = this;
    page.history.change(work => {
      const [name, digit] = clue.split("=");
      const cell = work.cells.findIndex((_, n) => page.board.nameOf(n) === name);
      if (cell >= 0) work.cells[cell] = Number(digit);
      else work.rules.push(clue);
    });
  }

  candidates({ equal }) {
    const named = equal.slice(0, LETTERS.length);
    named.forEach((cells, n) => cells.forEach(cell => this.letters.set(cell, LETTERS[n])));
    this.tell(named.length ? "Cells with one letter hold the same digit in every solution:" : "No two cells hold the same digit in every solution.",
      named.map((cells, n) => make("span", {}, `${LETTERS[n]}: ${cells.join(", ")}`)));
  }

  content(cell) {
    const letter = this.letters.get(this.page.board.nameOf(cell));
    return letter ? { why: "equal", letter } : {};
  }
}

// The test-solve: the board as a player gets it, entries that clash, and afterwards what took the longest to find.

const LONG_PAUSE = 5000; // milliseconds of the shortest pause at which a player counts as stuck

// A time as 3:07 or 1:03:07.
const clock = seconds => new Date(1000 * seconds).toISOString().slice(11, 19).replace(/^0(0:0?)?/, "");

export class Play {
  constructor(page) {
    this.page = page;
    this.position = null; // the server's facts about the position entered
    this.wrong = new Set(); // cells that a check has found to be wrong
    this.pauses = []; // the edits before which the player waited, with the milliseconds and the cell
    this.last = 0; // when the last digit was entered
    bind(this, "card", {
      start: () => {
        page.view.timed = this.timer.checked ? 0 : null;
        this.tick();
      },
    });
    this.timer.checked = page.view.timed !== null;
    setInterval(() => this.tick(1), 1000);
    this.tick();
  }

  get isSolved() {
    return Boolean(this.position?.full && !this.position.clashes.length);
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
    const cell = work.entered.findIndex((digit, n) => digit && digit !== this.before?.[n]);
    if (cell >= 0 && this.last && now - this.last > LONG_PAUSE) {
      this.pauses.push({ edits: this.page.history.done - 1, cell, waited: now - this.last });
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
    if (isBlank(work)) return ["waiting", "An empty board", "Set some givens or rules first."];
    const { timed } = this.page.view;
    if (this.isSolved) return ["unique", "Solved", timed === null ? "every digit keeps all rules" : `in ${clock(timed)}`];
    const entered = work.cells.filter((given, cell) => !given && work.entered[cell]).length;
    const number = `${entered} of ${work.cells.length - countGivens(work)} entered`;
    const [clash] = this.position?.clashes || [];
    if (clash) return ["none", number, clash.text];
    return ["playing", number, entered ? "none of them clash" : "conflicts are shown as you enter digits"];
  }

  // Rules without a text by the author are in the words of the server's draft, which is not printed: captions say it.
  tellCard() {
    const { work, drafted } = this.page;
    if (!isNew(this, "told", [work.author, work.text, drafted])) return;
    fill(this.about, work.author && make("p", { class: "quiet" }, `by ${work.author}`), make("p", { class: "words" }, work.text || drafted));
  }

  check() {
    const { page } = this;
    const { puzzle, entered } = positionOf(page.work);
    const { verdict, solution } = page.live.look.verdict || {};
    if (verdict === "unique") {
      this.wrong = new Set([...entered.keys()].filter(cell => entered[cell] && entered[cell] !== solution[cell]));
      const names = [...this.wrong].map(cell => page.board.nameOf(cell));
      this.result.textContent = names.length ? `${counted(names.length, "wrong digit")}: ${names.join(", ")}` : "All of it is right so far.";
      page.repaint();
    } else page.ask({ ask: "look", puzzle: { ...puzzle, cells: entered }, want: [] }, "verdict", part => {
      this.result.textContent = part.verdict === "none" ? "No solution is left with these digits." : "These digits can still be completed.";
    }, this.result);
  }

  tellAfterwards() {
    const longest = this.pauses.toSorted((one, other) => other.waited - one.waited)[0];
    fill(this.afterwards);
    if (!this.isSolved || !longest) return;
    const { page } = this;
    const told = make("p", {});
    const show = () => page.ask({ ask: "hint", ...positionOf(JSON.parse(page.history.at(longest.edits))) }, "hint", part => {
      told.textContent = part.how || part.text || "What was entered there was wrong.";
    }, told, "walk");
    fill(this.afterwards,
      make("p", {}, `The longest pause was ${clock(longest.waited / 1000)}, before ${page.board.nameOf(longest.cell)}.`),
      button("What was needed there", show), told);
  }

  content(cell) {
    const isWrong = this.wrong.has(cell) || this.position?.clashes.some(clash => clash.cells.includes(cell));
    return isWrong ? { why: "clashing" } : {};
  }
}
