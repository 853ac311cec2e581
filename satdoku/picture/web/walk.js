// The view "Why": hints in three strengths, and stepping through the explanation on the board.

import { bind, button, fill, make, retell } from "./board.js";
import { faultOf, isBlank, positionOf, puzzleOf } from "./state.js";

// An easy example puzzle with an interesting step.
const EXAMPLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

const PATIENCE = 250; // milliseconds until a message says that a hint is being computed
const FEW_ARROWS = 12; // more arrows than this cannot be followed together

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
  constructor(page, name) {
    this.page = page;
    this.isOpen = false;
    this.strength = 0;
    this.found = null; // the hint
    this.parts = []; // of the hint: where to look, what for, how a chain begins, and the whole step
    this.leads = false; // whether to focus the next step when it arrives
    this.slides = []; // each with the whole board before its step
    this.at = 0;
    this.root = bind(this, name, {
      example: () => page.share.read(EXAMPLE),
      generate: () => page.make.generate(),
      paste: () => { page.show(page.share); page.share.text.focus(); },
      search: () => page.palette.search.focus(),
      list: () => this.list(),
    });
    this.reset();
  }

  reset() {
    this.close();
    Object.assign(this, { strength: 0, found: null, parts: [] });
    const { work } = this.page;
    this.hints.classList.add("idle");
    this.hints.ariaLive = "off"; // an edit has a verdict to be heard
    retell(this.hints, ...(work && isBlank(work) ? [this.blank, this.beginnings] : [this.usage]));
  }

  close() {
    if (!this.isOpen) return;
    this.page.backend?.stop("walk"); // an explanation in a file has no server
    this.show(false);
  }

  show(isOpen) {
    this.isOpen = isOpen;
    this.walker.hidden = !isOpen;
    this.hints.hidden = this.commands.hidden = isOpen;
    this.page.repaint();
  }

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
    const timer = setTimeout(() => fill(this.hints, "Looking for a step …"), PATIENCE);
    const clear = () => clearTimeout(timer);
    this.hints.classList.remove("idle");
    this.page.backend.ask("walk", { ask: "hint", ...positionOf(this.page.work) }, part => {
      clear(); // an answer is there before its end is
      this.hearHint(part);
    }).then(clear);
  }

  hearHint(part) {
    this.hints.classList.remove("idle");
    const parts = [part.where, part.what, part.begin, part.how].filter(Boolean);
    Object.assign(this, { found: part, parts, strength: 1, slides: [], at: 0 });
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

  start() {
    // The pressed button gets hidden, so the focus must move to the next step.
    const leads = this.commands.contains(document.activeElement);
    this.reveal();
    this.askSteps({ ask: "walk", ...positionOf(this.page.work) }, "Looking for the first step …");
    this.leads = leads;
  }

  // Ask why a cell holds a digit, or not, such as "r4c5" or "r4c5!=3".
  ask(question = this.question.value) {
    if (!question.trim()) return;
    this.question.value = question;
    this.reveal();
    this.askSteps({ ask: "why", puzzle: puzzleOf(this.page.work), question }, "Looking for the reasons …");
  }

  askSteps(message, text) {
    this.open();
    fill(this.told, text);
    this.page.backend.ask("walk", { ...message, seconds: 60 }, part => this.hear(part));
  }

  open() {
    this.reset();
    Object.assign(this, { leads: false, reason: "", slides: [], at: 0 });
    this.filter.value = "";
    this.list();
    this.show(true);
  }

  hear(part) {
    if (part.part === "why") {
      this.reason = part.text;
      if (!this.slides.length) fill(this.told, make("strong", {}, part.text));
    } else if (part.part === "hint") {
      this.close();
      this.hearHint(part);
    } else if (!part.part) fill(this.told, faultOf(part));
    else {
      const n = this.add(part) - 1;
      if (this.isWanted(part)) this.steps.append(this.entry(part, n));
      if (n) this.tellCount();
      else this.to(0);
    }
  }

  // Boards arrive as differences and are stored whole, so that each can be shown at once. Return how many there are.
  add = part => this.slides.push({ ...part, contents: { ...this.slides.at(-1)?.contents, ...part.board } });

  entry(part, n) {
    const text = `${part.number ? `${part.number}. ` : ""}${part.heading}`;
    return make("li", { "data-step": n }, button(text, () => this.to(n)));
  }

  isWanted = ({ heading, text }) =>
    `${heading} ${text || ""}`.toLowerCase().includes(this.filter.value.trim().toLowerCase());

  list() {
    fill(this.steps, this.slides.map((part, n) => this.isWanted(part) && this.entry(part, n)));
    this.mark();
  }

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

  content = cell => this.slide ? contentOf(this.slide, cell) : null;
  go = by => this.to(this.at + Number(by));

  to(n) {
    this.at = Math.max(0, Math.min(this.slides.length - 1, n));
    const { slide } = this;
    if (!slide) return;
    const quiet = text => text && make("p", { class: "quiet" }, text);
    fill(this.told, quiet(this.reason), make("strong", {}, slide.heading), slide.text,
      slide.details && make("details", {}, make("summary", {}, "What it rests on"), quiet(slide.details)),
      slide.arrows?.length > FEW_ARROWS && quiet("Select a cell to follow its arrows alone."));
    this.tellCount();
    this.mark();
    this.page.repaint();
  }

  tellCount() {
    const steps = this.slides.filter(each => each.number);
    const place = steps.indexOf(this.slides[this.at]) + 1;
    this.count.textContent = place ? `${place}/${steps.length}` : "";
    this.back.disabled = this.at <= 0;
    this.next.disabled = this.at >= this.slides.length - 1;
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
