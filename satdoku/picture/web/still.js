// A self-contained page without a server: step through explanations, one puzzle at a time.

import { Board, fill, find, make, optionsOf } from "./board.js";
import { Walk } from "./walk.js";

const VERDICTS = { unique: "One solution", multiple: "Several solutions", none: "No solution", undecided: "Undecided" };

class Still {
  constructor(shows) {
    this.shows = shows;
    this.board = new Board(find("board"));
    this.walk = new Walk(this, "walk");
    this.board.grid.addEventListener("click", event => this.select(event.target.closest("[data-cell]")));
    document.addEventListener("keydown", event => this.down(event));
    if (shows.length > 1) {
      find("which").append(make("select", { "aria-label": "Puzzle", onchange: event => this.open(event.target.value) },
        optionsOf(shows.map((show, n) => [n, `${n + 1}. ${show.title}`]))));
    }
    this.open(0);
  }

  open(n) {
    const show = this.shows[n];
    const { board, walk } = this;
    this.givens = new Set(show.givens);
    this.selection = new Set();
    board.resize(show.box, show.layout);
    board.drawRules(show);
    fill(find("captions"), show.captions.map(text => make("li", {}, text)));
    find("verdict").className = show.verdict;
    find("verdict").textContent = VERDICTS[show.verdict] || show.title;
    find("summary").textContent = show.summary || "";
    walk.open();
    for (const part of show.slides) walk.hear(part);
    walk.filter.hidden = show.slides.length < 9;
    walk.steps.hidden = walk.moves.hidden = show.slides.length === 1;
  }

  select(element) {
    const cell = element ? Number(element.dataset.cell) : -1;
    this.selection = this.selection.has(cell) ? new Set() : new Set([cell]);
    this.repaint();
  }

  down(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, select")) return;
    const by = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1, Home: -Infinity, End: Infinity }[event.key];
    if (!by) return;
    event.preventDefault();
    this.walk.go(by);
  }

  repaint() {
    if (!this.walk?.slide) return;
    this.board.paint(cell => ({
      ...this.walk.content(cell), kind: this.givens.has(cell) ? "given" : "found", selected: this.selection.has(cell),
    }));
    this.board.drawArrows(this.walk.arrowsAt(this.selection));
  }
}

new Still(JSON.parse(find("explanations").textContent));
