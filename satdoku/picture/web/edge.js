// Clues outside the board, typed at their positions: a field at both ends of each row and column.

import { make } from "./board.js";

// Positions of the fields on each side, in shares of the board's side, with their distance from it,
// and the names of the lines that are read from there.
const SIDES = [
  { of: n => `row${n}`, at: middle => [0, middle], away: [-1, 0], said: n => `row ${n} from the left` },
  { of: n => `row${n}.left`, at: middle => [1, middle], away: [1, 0], said: n => `row ${n} from the right` },
  { of: n => `col${n}`, at: middle => [middle, 0], away: [0, -1], said: n => `column ${n} from above` },
  { of: n => `col${n}.up`, at: middle => [middle, 1], away: [0, 1], said: n => `column ${n} from below` },
];

export class Edge {
  constructor(editor) {
    this.editor = editor;
    this.isOpen = false;
    this.inputs = new Map(); // the field of each line
    this.holder = make("div", { class: "edge" });
  }

  open(tool) {
    const { page } = this.editor;
    this.isOpen = true;
    this.name = tool.name;
    this.inputs.clear();
    for (const { of, said } of SIDES) {
      for (let n = 1; n <= page.size; n++) {
        const input = make("input", { type: "text", inputmode: "none", "aria-label": `${tool.label} ${said(n)}`,
          onchange: () => this.put(of(n), input), onkeydown: event => this.move(event) });
        this.inputs.set(of(n), input);
      }
    }
    this.place();
    this.holder.replaceChildren(...this.inputs.values());
    page.board.root.append(this.holder);
    page.board.root.classList.add("edged");
    this.changed(page.work);
  }

  // Beside the lines, outside the drawing, whose margins grow with the clues in them.
  place() {
    if (!this.isOpen) return;
    const { board, size } = this.editor.page;
    const [left, top, width, height] = ["left", "top", "width", "height"].map(name => parseFloat(board.grid.style[name]));
    for (const { of, at, away } of SIDES) {
      for (let n = 1; n <= size; n++) {
        const { style } = this.inputs.get(of(n));
        const [x, y] = at((n - 0.5) / size);
        style.left = away[0] ? `calc(${100 * x}% + ${away[0]} * var(--step))` : `${left + x * width}%`;
        style.top = away[1] ? `calc(${100 * y}% + ${away[1]} * var(--step))` : `${top + y * height}%`;
      }
    }
  }

  close() {
    this.isOpen = false;
    this.holder.remove();
    this.editor.page.board.root.classList.remove("edged");
  }

  ruleOf(work, line) {
    return work.rules.find(rule => rule.startsWith(`${this.name}:${line}=`));
  }

  changed(work) {
    if (!this.isOpen) return;
    for (const [line, input] of this.inputs) {
      const rule = this.ruleOf(work, line);
      if (input !== document.activeElement) input.value = rule ? rule.slice(rule.indexOf("=") + 1) : "";
    }
  }

  put(line, input) {
    const { page, places } = this.editor;
    const old = this.ruleOf(page.work, line);
    const text = input.value.trim();
    if (text && old && old.endsWith(`=${text}`)) return;
    if (text) places.put(work => [`${this.name}:${line}=${text}`, null, this.ruleOf(work, line)]);
    else if (old) page.rules.remove(old);
  }

  // From the board, Enter leads to the field of the selected row.
  focus(cell) {
    this.inputs.get(`row${Math.floor(cell / this.editor.page.size) + 1}`).focus();
  }

  // Return the next field on the same side.
  move(event) {
    const step = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1, Enter: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const all = [...this.inputs.values()];
    all[(all.indexOf(event.target) + step + all.length) % all.length].focus();
  }
}
