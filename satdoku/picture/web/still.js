// A self-contained page without a server: step through explanations, one puzzle at a time.

import { Board, make } from "./board.js";
import { Walk } from "./walk.js";

const VERDICTS = { unique: "One solution", multiple: "Several solutions", none: "No solution", undecided: "Undecided" };

class Still {
  constructor(show) {
    this.show = show;
    this.size = show.layout?.digits || show.box[0] * show.box[1];
    this.selection = new Set();
    this.at = 0;
    this.board = new Board(make("div"));
    this.walk = new Walk(this);
    // Without a server there are no questions, and no board to take over.
    for (const each of [this.walk.asking, this.walk.commands, ...this.walk.ending]) each.hidden = true;
    const captions = make("ul", { class: "captions" }, ...show.captions.map(text => make("li", {}, text)));
    this.root = make("main", {},
      make("p", { role: "status", class: show.verdict, id: "verdict" }, VERDICTS[show.verdict] || show.title),
      make("section", { "aria-label": "Board", id: "left" }, this.board.root, captions),
      make("section", { "aria-label": "Steps", id: "right" }, this.walk.root,
        ...(show.summary ? [make("h2", {}, "In short"), make("p", {}, show.summary)] : [])));
    this.board.resize(this.size, show.box, show.layout);
    this.board.drawRules(show.svg, show.frame, show.width, show.height);
    this.board.grid.addEventListener("click", event => this.select(event.target.closest("[data-cell]")));
    this.walk.open();
    for (const part of show.slides) this.walk.hear(part);
    // A short list needs no search.
    this.walk.filter.hidden = show.slides.length < 9;
    this.walk.steps.hidden = show.slides.length === 1;
    this.walk.back.parentElement.hidden = show.slides.length === 1;
  }

  select(element) {
    const cell = element ? Number(element.dataset.cell) : -1;
    this.selection = this.selection.has(cell) ? new Set() : new Set([cell]);
    this.repaint();
  }

  repaint() {
    if (!this.walk || !this.walk.slide) return;
    const givens = new Set(this.show.givens);
    this.board.paint(cell => ({
      ...this.walk.content(cell), kind: givens.has(cell) ? "given" : "found", selected: this.selection.has(cell),
    }));
    this.board.drawArrows(this.walk.arrowsAt(this.selection));
  }
}

const shows = JSON.parse(document.getElementById("explanations").textContent);
const place = document.getElementById("place");
let current;

function open(n) {
  current = new Still(shows[n]);
  place.replaceChildren(current.root);
}

if (shows.length > 1) {
  const choice = make("select", { "aria-label": "Puzzle", onchange: () => open(Number(choice.value)) },
    ...shows.map((show, n) => make("option", { value: n }, `${n + 1}. ${show.title}`)));
  document.getElementById("which").append(choice);
}
document.addEventListener("keydown", event => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, select")) return;
  const by = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1, Home: -Infinity, End: Infinity }[event.key];
  if (!by) return;
  event.preventDefault();
  current.walk.go(by);
});
open(0);
