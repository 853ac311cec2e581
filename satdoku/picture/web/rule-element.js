// <rule-editor for="board">: the palette, the bar and the list of rules as an element for other pages, which draws on
// a <sudoku-board>; docs/embedding.md has an example.
//
// The host of these views, here and in app.js, has the fields `work` (box, cells, rules; layout, in app.js only), `view`
// (tool, isMulti, at, selection) and `board`, the views `palette`, `editor` and `listed`, and the methods
// `history.change(edit)`, `ask(message, part, act)`, `notice(text)`, `repaint()` and `focusBoard()`.

import { followPointer, make } from "./board.js";
import { Editor, Palette, Rules } from "./rule-editor.js";

class RuleEditorElement extends HTMLElement {
  constructor() {
    super();
    this.view = { tool: "", isMulti: false, at: 0, selection: new Set() };
    this.texts = [];
    this.check = null;
    this.history = { change: edit => this.change(edit) };
    this.said = make("p", { role: "status", class: "quiet" });
    const tools = make("div", { id: "palette" });
    this.palette = new Palette(this, tools);
    this.editor = new Editor(this);
    this.listed = new Rules(this, make("div"));
    const sheets = ["cells.css", "style.css", "board.css"].map(name => make("link", { rel: "stylesheet", href: new URL(name, import.meta.url).href }));
    this.attachShadow({ mode: "open" }).append(...sheets, tools, this.editor.root, this.said, this.listed.root);
  }

  connectedCallback() {
    const { board } = this;
    followPointer(board.grid, () => this.editor.drawer);
    this.target.addEventListener("cellselect", ({ detail }) => {
      Object.assign(this.view, { at: detail.cell, selection: new Set([detail.cell]) });
    });
    board.grid.addEventListener("keydown", event => event.key === "Enter" && this.editor.tool && this.editor.takeSelected());
    this.addEventListener("keydown", event => event.key === "Escape" && this.editor.escape());
    this.target.also = cell => ({ ...this.listed.content(cell), ...this.editor.content(cell) });
    this.repaint();
  }

  get target() {
    return this.getRootNode().getElementById(this.getAttribute("for"));
  }

  get board() {
    return this.target.board;
  }

  get work() {
    return { box: this.target.box, cells: Array(this.board.cells.length).fill(0), rules: this.texts };
  }

  set tools(tools) {
    this.palette.learn({ rules: tools });
    this.listed.changed(this.work);
  }

  get rules() {
    return [...this.texts];
  }

  set rules(rules) {
    this.texts = [...rules];
    this.listed.changed(this.work);
    if (this.check) this.ask({ ask: "board", puzzle: this.work }, "board", part => { this.target.drawing = part; });
    this.repaint();
  }

  change(edit) {
    const work = { ...this.work, rules: this.rules };
    edit(work);
    this.rules = work.rules;
    this.dispatchEvent(new CustomEvent("ruleschange", { detail: { rules: this.rules }, bubbles: true }));
  }

  // Answer a question by `check`; without it every rule is accepted as composed, and joined to no other.
  async ask(message, wanted, act) {
    const part = this.check ? await this.check(message) : { part: wanted, rules: [message.rule], instead: [message.instead] };
    this.notice(part.error || "");
    if (part.part === wanted) act(part);
  }

  notice(text) {
    this.said.textContent = text;
  }

  repaint() {
    if (!this.isConnected) return;
    this.board.root.classList.toggle("drawing", Boolean(this.editor.drawer));
    this.palette.mark();
    this.target.paint();
    this.board.drawArrows([]);
    if (this.editor.path.length) this.board.drawPath(this.editor.path);
  }

  focusBoard = () => this.board.focus(this.view.at);
}

customElements.define("rule-editor", RuleEditorElement);
