// The view "Why": hints in three strengths, and stepping through the explanation on the board.

import { button, make, retell } from "./board.js";
import { faultOf, isBlank, positionOf, puzzleOf } from "./state.js";

// An easy example puzzle with an interesting step.
const EXAMPLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

// Milliseconds until a message says that a hint is being computed.
const PATIENCE = 250;
// More arrows than this cannot be followed together.
const FEW_ARROWS = 12;

// Return the content of a cell on the board of a slide.
function contentOf(slide, cell) {
  const found = slide.contents[cell];
  const shown = { why: slide.cells?.[cell], shaded: slide.shades?.some(cells => cells.includes(cell)) };
  if (typeof found === "number" && found) return { ...shown, digit: found };
  // The two digits of two solutions are shown as pairs elsewhere on the page are.
  if (shown.why === "different" && found.length === 2) return { ...shown, pair: found };
  const places = {};
  for (const [at, digit, why] of slide.places || []) if (at === cell) places[digit] = why;
  return { ...shown, small: (found || []).map(digit => [digit, null]), places };
}

export class Walk {
  constructor(page) {
    this.page = page;
    this.title = "Why";
    this.isOpen = false;
    this.strength = 0;
    this.found = null; // the hint
    this.idle = null; // without a hint: whether the text is the one for an empty board
    this.leads = false; // whether to focus the next step when it arrives
    this.slides = []; // each with the whole board before its step
    this.at = 0;
    this.told = make("div", { class: "told", "aria-live": "polite" });
    this.count = make("span", { class: "quiet" });
    this.filter = make("input", { type: "text", "aria-label": "Search the steps", placeholder: "Search the steps", oninput: () => this.list() });
    this.steps = make("ol", { class: "steps", "aria-label": "Steps" });
    this.back = button("← Back", () => this.go(-1));
    this.next = button("Next →", () => this.go(1));
    this.question = make("input", { type: "text", "aria-label": "Ask about a cell", placeholder: "r4c5, r4c5=7 or r4c5!=3" });
    this.ending = [button("Take over", () => this.takeOver()), button("Close", () => this.close())];
    this.walker = make("div", { hidden: true },
      make("div", { class: "bar" }, this.back, this.next, this.count, ...this.ending),
      this.told, this.filter, this.steps);
    this.hints = make("div", { class: "told hints", role: "status", "aria-atomic": false });
    this.asking = make("form", { class: "bar", onsubmit: event => { event.preventDefault(); this.ask(this.question.value); } },
      this.question, make("button", { type: "submit" }, "Ask why"));
    this.commands = make("div", { class: "bar" }, button("Hint", () => this.hint(), { class: "main" }), button("Explain", () => this.start()));
    this.root = make("div", {}, this.commands, this.hints, this.walker, this.asking);
    this.reset();
  }

  // Discard hints and steps, which are about the work before a change.
  reset() {
    this.close();
    this.strength = 0;
    this.found = null;
    const { work } = this.page;
    const isEmpty = work && isBlank(work);
    // Screen readers announce new text, so do not set the same text again at each key.
    if (this.idle === isEmpty) return;
    this.idle = isEmpty;
    this.hints.classList.add("idle");
    this.hints.ariaLive = "off"; // an edit has a verdict to be heard
    this.hints.replaceChildren(...(isEmpty ? this.beginnings() : [make("p", { class: "quiet" },
      "Hint says where to look, then what is there, then why. Explain walks through all steps on the board.")]));
  }

  // Show what to do with an empty board.
  beginnings() {
    const { page } = this;
    return [
      make("p", {}, "Type digits on the board, paste a puzzle or a link with Ctrl+V, or begin with"),
      make("div", { class: "bar" }, button("An example", () => page.share.read(EXAMPLE)),
        button("A new puzzle", () => page.make.generate()), button("A text", () => { page.show(page.share); page.share.text.focus(); }),
        button("Rules of a variant", () => page.palette.search.focus())),
    ];
  }

  close() {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.page.backend.stop("walk");
    this.walker.hidden = true;
    this.hints.hidden = this.commands.hidden = false;
    this.page.repaint();
  }

  // Hints.

  // Show the place of answers: the tab, or on a phone the top of the page.
  reveal() {
    if (this.root.contains(this.told)) this.page.show(this);
    else scrollTo(0, 0);
  }

  hint() {
    this.reveal();
    this.close();
    if (this.found?.where) {
      this.strength = Math.min(this.strength + 1, 4);
      this.tellHint();
      return;
    }
    const timer = setTimeout(() => this.hints.replaceChildren("Looking for a step …"), PATIENCE);
    this.wake();
    this.page.backend.ask("walk", { ask: "hint", ...positionOf(this.page.work) }, part => this.hearHint(part)).then(() => clearTimeout(timer));
  }

  // Begin what is told in place of the text without a hint.
  wake() {
    this.idle = null;
    this.hints.classList.remove("idle");
  }

  hearHint(part) {
    this.wake();
    this.found = part;
    this.strength = 1;
    this.slides = [];
    this.at = 0;
    if (part.slide) this.add(part.slide);
    this.tellHint();
  }

  tellHint() {
    const { found, parts } = this;
    let lines = parts.slice(0, this.strength);
    if (!found.part) lines = [faultOf(found)];
    else if (found.wrong) lines = [`Wrong: ${found.wrong.map(cell => this.page.board.nameOf(cell)).join(", ")}`];
    else if (!found.where) lines = [found.text];
    // Do not capitalize the names of cells.
    const capital = text => (/^r\d/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1));
    this.hints.ariaLive = "polite";
    retell(this.hints, ...lines.map(line => make("p", {}, capital(line))),
      ...(this.strength < parts.length ? [make("p", { class: "quiet" }, "Hint again says more.")] : []));
    // What is new comes into sight where the place is low, as on a phone.
    this.hints.scrollTop = this.hints.children[lines.length - 1].offsetTop - this.hints.offsetTop;
    this.page.repaint();
  }

  // Return the parts of a step: where to look, what for, how a chain begins, and the whole step.
  get parts() {
    const { where, what, begin, how } = this.found || {};
    return [where, what, begin, how].filter(Boolean);
  }

  // Return whether a hint has found the entered digit of a cell to be wrong.
  isWrong(cell) {
    return !this.isOpen && Boolean(this.found?.wrong?.includes(cell));
  }

  // Stepping through an explanation.

  start() {
    // The pressed button gets hidden, so the focus must move to the next step.
    const leads = this.commands.contains(document.activeElement);
    this.reveal();
    this.askSteps({ ask: "walk", ...positionOf(this.page.work) }, "Looking for the first step …");
    this.leads = leads;
  }

  // Ask why a cell holds a digit, or not, such as "r4c5" or "r4c5!=3".
  ask(question) {
    if (!question.trim()) return;
    this.question.value = question;
    this.reveal();
    this.askSteps({ ask: "why", puzzle: puzzleOf(this.page.work), question }, "Looking for the reasons …");
  }

  askSteps(message, text) {
    this.open();
    this.told.replaceChildren(text);
    this.page.backend.ask("walk", { ...message, seconds: 60 }, part => this.hear(part));
  }

  open() {
    this.reset();
    this.isOpen = true;
    this.leads = false;
    this.reason = "";
    this.slides = [];
    this.at = 0;
    this.walker.hidden = false;
    this.hints.hidden = this.commands.hidden = true;
    this.filter.value = "";
    this.list();
    this.page.repaint();
  }

  hear(part) {
    if (part.part === "why") {
      this.reason = part.text;
      if (!this.slides.length) this.told.replaceChildren(make("strong", {}, part.text));
      return;
    }
    if (part.part === "hint") {
      this.close();
      this.hearHint(part);
      return;
    }
    if (!part.part) return this.told.replaceChildren(faultOf(part));
    this.add(part);
    const count = this.slides.length;
    if (this.isWanted(part)) this.steps.append(this.entry(part, count - 1));
    if (count === 1) this.to(0);
    else this.tellCount();
  }

  // Boards arrive as differences and are stored whole, so that each can be shown at once.
  add(part) {
    this.slides.push({ ...part, contents: { ...this.slides.at(-1)?.contents, ...part.board } });
  }

  entry(part, n) {
    const text = `${part.number ? `${part.number}. ` : ""}${part.heading}`;
    return make("li", { "data-step": n }, button(text, () => this.to(n)));
  }

  // Return whether the search matches a step.
  isWanted(part) {
    return `${part.heading} ${part.text || ""}`.toLowerCase().includes(this.filter.value.trim().toLowerCase());
  }

  list() {
    const entries = this.slides.map((part, n) => [part, n]).filter(([part]) => this.isWanted(part));
    this.steps.replaceChildren(...entries.map(([part, n]) => this.entry(part, n)));
    this.mark();
  }

  // Return what the board shows instead of the work: a step, or a whole hint.
  get slide() {
    return this.isOpen || (this.strength > 1 && this.strength >= this.parts.length) ? this.slides[this.at] : undefined;
  }

  // If there are many arrows, show only those that touch the selected cell, if any do.
  arrowsAt(selection) {
    const { arrows = [], strokes } = this.slide || {};
    const all = arrows.map(([from, , to, , strong], n) => ({ from, to, strong, paths: strokes[n] }));
    if (all.length <= FEW_ARROWS) return all;
    const near = all.filter(({ from, to }) => selection.has(from) || selection.has(to));
    return near.length ? near : all;
  }

  content(cell) {
    return this.slide ? contentOf(this.slide, cell) : null;
  }

  go(by) {
    this.to(this.at + by);
  }

  to(n) {
    this.at = Math.max(0, Math.min(this.slides.length - 1, n));
    const { slide } = this;
    if (!slide) return;
    this.told.replaceChildren(
      ...(this.reason ? [make("p", { class: "quiet" }, this.reason)] : []),
      make("strong", {}, slide.heading), slide.text || "",
      ...(slide.details ? [make("details", {}, make("summary", {}, "What it rests on"), make("p", { class: "quiet" }, slide.details))] : []),
      ...(slide.arrows?.length > FEW_ARROWS ? [make("p", { class: "quiet" }, "Select a cell to follow its arrows alone.")] : []));
    this.tellCount();
    this.mark();
    this.page.repaint();
  }

  tellCount() {
    const count = this.slides.length;
    const steps = this.slides.filter(each => each.number);
    const place = steps.indexOf(this.slides[this.at]) + 1;
    this.count.textContent = place ? `${place}/${steps.length}` : "";
    this.back.disabled = this.at <= 0;
    this.next.disabled = this.at >= count - 1;
    if (this.leads && !this.next.disabled) {
      this.leads = false;
      this.next.focus();
    }
  }

  mark() {
    const isHere = item => Boolean(this.slide) && Number(item.dataset.step) === this.at;
    for (const item of this.steps.children) item.firstChild.ariaCurrent = isHere(item) ? "step" : null;
    const heading = [...this.steps.children].find(isHere);
    if (!heading) return;
    // Scroll the list only, not the page.
    const [top, height] = [heading.offsetTop - this.steps.offsetTop, this.steps.clientHeight];
    if (top < this.steps.scrollTop || top > this.steps.scrollTop + height - 40) this.steps.scrollTop = top - height / 2;
  }

  // Take over the board after the step that is shown: digits become entries, candidates become
  // centre marks. A slide has the board before its step.
  takeOver() {
    const slide = this.slides[this.at + 1] || this.slide;
    if (!slide) return;
    const { contents } = slide;
    this.close();
    this.page.history.change(work => {
      work.centre = {};
      work.corner = {};
      work.cells.forEach((given, cell) => {
        if (given) return;
        const found = contents[cell];
        work.entered[cell] = typeof found === "number" ? found : 0;
        if (Array.isArray(found) && found.length) work.centre[cell] = found;
      });
    });
    this.page.setMode("solve");
  }
}
