// Keyboard and pointer on the board. Z, X, C and V choose a pen, as in SudokuPad, unless they are
// digits of a large board.

import { cellAt, followPointer } from "./board.js";

const PENS = { z: "digit", x: "corner", c: "centre", v: "colour" };
// A second digit within this time extends the first: 1, 2 is twelve on boards above 9x9.
const PATIENCE = 700;

export class Keys {
  constructor(page) {
    this.page = page;
    this.last = { digit: 0 }; // the last digit typed, its time and cells, and the work before and after it
    this.dragging = null; // "take" while cells are selected, "drop" while deselected
    document.addEventListener("keydown", event => this.down(event));
    const { grid } = page.board;
    followPointer(grid, () => page.drawer);
    grid.addEventListener("pointerdown", event => this.press(event));
    grid.addEventListener("pointermove", event => this.drag(event));
    grid.addEventListener("dblclick", event => this.twice(event));
    for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => { this.dragging = null; });
  }

  // Return the commands of keys: in any place, outside of fields, and where no focused button takes
  // the key.
  commands(isOutside, isOnBoard) {
    const { page } = this;
    const walk = page.walk.isOpen && { PageDown: () => page.walk.go(1), PageUp: () => page.walk.go(-1) };
    const outside = isOutside && {
      "Ctrl+z": () => page.history.undo(),
      "Ctrl+Shift+z": () => page.history.redo(),
      "Ctrl+y": () => page.history.redo(),
      ...(!page.isSolving && { "/": () => page.palette.search.focus() }),
    };
    const onBoard = isOutside && isOnBoard && {
      "Enter": () => (page.editor.isOpen ? page.editor.takeSelected() : page.run("hint")),
      "?": () => page.run("keys"),
      " ": () => page.setMode(page.isSolving ? "set" : "solve"),
      "Ctrl+a": () => page.selectAll(),
    };
    return { "Escape": () => page.escape(), "Ctrl+Enter": () => page.run("walk"), ...walk, ...outside, ...onBoard };
  }

  down(event) {
    const { page } = this;
    const isCommand = event.ctrlKey || event.metaKey;
    const isOutside = !event.altKey && !event.target.matches("input[type=text], input[type=number], textarea, select");
    const isOnBoard = page.board.grid.contains(event.target) || event.target === document.body;
    const name = isCommand ? `Ctrl+${event.shiftKey ? "Shift+" : ""}${event.key.replace(/^.$/, key => key.toLowerCase())}` : event.key;
    const act = this.commands(isOutside, isOnBoard)[name];
    if (act) return this.take(event, act);
    if (!isOutside) return;
    // Digits and arrows apply to the board wherever the last click was, except in tabs and choices,
    // which have arrow keys of their own.
    if (!event.target.matches("[role=tab], [type=radio]") && this.move(event)) return;
    if (this.choosePen(event, isCommand)) return;
    const pen = isCommand ? "centre" : event.shiftKey ? "corner" : page.view.pen;
    if (["Delete", "Backspace", ".", "0"].includes(event.key) && !isCommand) {
      if (event.key !== "0" || page.size < 10 || !this.continues(pen)) return this.take(event, () => page.empty());
    }
    this.digit(event, pen);
  }

  take(event, act) {
    event.preventDefault();
    act();
  }

  choosePen(event, isCommand) {
    const key = event.key.toLowerCase();
    const isDigit = key.length === 1 && this.page.size > 9 && key.charCodeAt(0) - 87 <= this.page.size;
    if (isCommand || event.shiftKey || !PENS[key] || isDigit) return false;
    this.take(event, () => this.page.setPen(PENS[key]));
    return true;
  }

  move(event) {
    const page = this.page;
    const [size, at] = [page.size, page.view.at];
    const [row, column] = [Math.floor(at / size), at % size];
    const end = event.ctrlKey || event.metaKey;
    const to = {
      ArrowUp: [(row + size - 1) % size, column],
      ArrowDown: [(row + 1) % size, column],
      ArrowLeft: [row, (column + size - 1) % size],
      ArrowRight: [row, (column + 1) % size],
      Home: [end ? 0 : row, 0],
      End: [end ? size - 1 : row, size - 1],
    }[event.key];
    if (!to) return false;
    this.take(event, () => page.moveTo(to[0] * size + to[1], event.shiftKey));
    return true;
  }

  // Whether a digit extends the previous one: typed soon after it, into the same cells, with no
  // change in between.
  continues(pen) {
    const { last, page } = this;
    return last.digit > 0 && performance.now() - last.when < PATIENCE && last.into === this.into(pen) && last.after === page.history.now;
  }

  into(pen) {
    const { mode, selection } = this.page.view;
    return [mode, pen, ...selection].join();
  }

  digit(event, pen) {
    const page = this.page;
    // Use the code of the key, because with Shift it gives another character.
    const found = /^(?:Digit|Numpad)([0-9])$/.exec(event.code);
    let digit = found ? Number(found[1]) : /^[0-9]$/.test(event.key) ? Number(event.key) : null;
    const isCommand = event.ctrlKey || event.metaKey;
    const letter = /^[a-z]$/i.test(event.key) && !isCommand ? event.key.toUpperCase().charCodeAt(0) - 55 : 0;
    if (digit === null && letter && page.size > 9) digit = letter;
    if (digit === null) return;
    const both = 10 * this.last.digit + digit;
    const continues = page.size > 9 && digit < 10 && both <= page.size && this.continues(pen);
    if (continues) digit = both;
    if (digit < 1 || digit > page.size) return;
    this.take(event, () => {
      // Remove the first digit, unless the cells had it already.
      if (continues && this.last.before !== this.last.after) page.history.undo();
      const before = page.history.now;
      page.type(digit, pen);
      this.last = { digit: digit < 10 ? digit : 0, when: performance.now(), into: this.into(pen), before, after: page.history.now };
    });
  }

  press(event) {
    const page = this.page;
    const cell = cellAt(event);
    if (cell === null || event.button) return;
    const candidate = event.target.closest("[data-digit]");
    if (candidate && page.onCandidate(cell, Number(candidate.dataset.digit))) return;
    const adds = event.shiftKey || event.ctrlKey || event.metaKey || page.view.isMulti;
    this.dragging = adds && page.view.selection.has(cell) ? "drop" : "take";
    page.select(cell, adds, this.dragging === "drop");
    event.preventDefault();
    page.board.focus(cell);
  }

  drag(event) {
    if (!event.buttons) return;
    const cell = this.dragging && cellAt(event);
    if (cell === null || cell === this.page.view.at) return;
    this.page.select(cell, true, this.dragging === "drop");
  }

  // On a double click, select all cells like this one; if the cell has no content, edit its rule.
  twice(event) {
    const { page } = this;
    const cell = cellAt(event);
    if (cell === null || page.drawer || page.walk.isOpen || page.selectAlike(cell) || page.isSolving) return;
    const [rule] = page.listed.at(cell);
    if (rule) page.listed.edit(rule);
  }
}
