// <sudoku-board cells="53..7…" box="3x3">: the board as an element for other pages. It has its own
// styles and needs no server; docs/embedding.md has an example.

import { Board, make } from "./board.js";

// Read digits as in a line: a character per cell, letters from a = 10; any other is an empty cell.
function digitsOf(text, count) {
  const digits = [...(text || "")].map(sign => (/[1-9a-z]/i.test(sign) ? parseInt(sign, 36) : 0));
  return Array.from({ length: count }, (_, n) => digits[n] || 0);
}

class SudokuBoard extends HTMLElement {
  static observedAttributes = ["cells", "entered", "box", "label"];

  constructor() {
    super();
    const sheets = ["cells.css", "board.css"].map(name => make("link", { rel: "stylesheet", href: new URL(name, import.meta.url).href }));
    this.board = new Board(make("div"));
    this.at = 0;
    this.shown = null; // what each cell shows besides, as `Board.paint` takes it
    this.also = () => ({}); // further content of a cell, from a view beside the board
    this.attachShadow({ mode: "open" }).append(...sheets, this.board.root);
    this.board.grid.addEventListener("pointerdown", event => {
      const cell = event.target.closest("[data-cell]");
      if (cell) this.select(Number(cell.dataset.cell));
    });
    this.board.grid.addEventListener("keydown", event => this.move(event));
  }

  get box() {
    return (this.getAttribute("box") || "3x3").split("x").map(Number);
  }

  connectedCallback() {
    this.attributeChangedCallback("box");
  }

  attributeChangedCallback(name, before, after) {
    if (!this.isConnected || before === after && before !== undefined) return;
    if (name === "box") this.board.resize(this.box);
    this.board.grid.setAttribute("aria-label", this.getAttribute("label") || "Sudoku");
    this.paint();
  }

  // Set the drawing of rules: the part `board` of the server's answer to the question `board`.
  set drawing(drawing) {
    this.board.drawRules(drawing);
  }

  // Set the content of cells besides their digits, by the number of the cell: `{ centre: [1, 2] }`, `{ why:
  // "clashing" }`, `{ colours: [3] }`, `{ small: [[5, 2]] }` with the number of solutions, and so on.
  set contents(contents) {
    this.shown = contents;
    this.paint();
  }

  paint() {
    const count = this.board.cells.length;
    const [givens, entered] = [digitsOf(this.getAttribute("cells"), count), digitsOf(this.getAttribute("entered"), count)];
    this.board.paint(cell => {
      const shown = { ...this.shown?.[cell], ...this.also(cell), selected: cell === this.at };
      if (givens[cell]) return { ...shown, digit: givens[cell], kind: "given" };
      return entered[cell] ? { ...shown, digit: entered[cell], kind: "entered" } : shown;
    });
  }

  select(cell) {
    this.at = cell;
    this.paint();
    this.board.focus(cell);
    const [row, column] = this.board.at(cell);
    this.dispatchEvent(new CustomEvent("cellselect", { detail: { cell, row: row + 1, column: column + 1 }, bubbles: true }));
  }

  move(event) {
    const next = this.board.step(this.at, event.key);
    if (next === null) return;
    event.preventDefault();
    this.select(next);
  }
}

customElements.define("sudoku-board", SudokuBoard);
