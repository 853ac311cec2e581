// What a person made: one plain object, changed by one function, with everything that ever was.

const KEY = "satdoku-1";
// The whole history stays in memory; so much of it survives a reload.
const KEPT = 300;

export const SIZES = [[2, 2], [2, 3], [2, 4], [3, 3], [2, 5], [3, 4], [4, 4], [4, 5], [5, 5]];

// As many digits, and characters of a rule, as the server takes.
const MOST_DIGITS = 36;
const LONGEST_RULE = 10000;

export function emptyWork(box) {
  const isNumber = side => Number.isInteger(side) && side > 0;
  if (box.length !== 2 || !box.every(isNumber) || box[0] * box[1] > MOST_DIGITS) throw new Error("no box");
  const count = (box[0] * box[1]) ** 2;
  return {
    box,
    cells: Array(count).fill(0),
    entered: Array(count).fill(0),
    centre: {},
    corner: {},
    rules: [],
    name: "",
  };
}

// The work of a link or a storage, into which anybody may have written; throws where it is none.
export function workFrom(found) {
  const work = { ...emptyWork(found.box), ...found };
  const isDigit = value => Number.isInteger(value) && value >= 0 && value <= sizeOf(work);
  for (const digits of [work.cells, work.entered]) {
    if (digits.length !== sizeOf(work) ** 2 || !digits.every(isDigit)) throw new Error("no digits");
  }
  if (!work.rules.every(rule => typeof rule === "string" && rule.length <= LONGEST_RULE)) throw new Error("no rules");
  return work;
}

export function sizeOf(work) {
  return work.box[0] * work.box[1];
}

export function puzzleOf(work) {
  return { box: work.box, cells: work.cells, rules: work.rules };
}

// The cells that a symmetry maps to each other.
export function partnersOf(cell, size, symmetry) {
  const last = size - 1;
  const half = ([r, c]) => [last - r, last - c];
  const quarter = ([r, c]) => [c, last - r];
  const across = ([r, c]) => [r, last - c];
  const down = ([r, c]) => [last - r, c];
  const main = ([r, c]) => [c, r];
  const other = ([r, c]) => [last - c, last - r];
  const turns = {
    none: [], rotate180: [half], rotate90: [quarter], horizontal: [across], vertical: [down],
    diagonal: [main], antidiagonal: [other], mirrors: [across, down], diagonals: [main, other],
    full: [across, main],
  }[symmetry] || [];
  const found = [[Math.floor(cell / size), cell % size]];
  for (let n = 0; n < found.length; n++) {
    for (const turn of turns) {
      const [row, column] = turn(found[n]);
      if (!found.some(([r, c]) => r === row && c === column)) found.push([row, column]);
    }
  }
  return found.map(([row, column]) => row * size + column);
}

// The history of one page. `onChange` is called after each change, with the work as it is now.
export class History {
  constructor(onChange) {
    this.onChange = onChange;
    this.past = [];
    this.future = [];
    this.now = JSON.stringify(emptyWork([3, 3]));
    this.load();
  }

  get work() {
    return JSON.parse(this.now);
  }

  // Changes a copy of the work; nothing is noted where it stays the same.
  change(edit) {
    const work = this.work;
    const after = JSON.stringify(edit(work) || work);
    if (after === this.now) return;
    this.past.push(this.now);
    this.future = [];
    this.now = after;
    this.tell();
  }

  undo() {
    if (!this.past.length) return;
    this.future.push(this.now);
    this.now = this.past.pop();
    this.tell();
  }

  redo() {
    if (!this.future.length) return;
    this.past.push(this.now);
    this.now = this.future.pop();
    this.tell();
  }

  tell() {
    this.save();
    this.onChange(this.work);
  }

  // A tab keeps its own work through a reload; a new tab begins with what was there last.
  save() {
    const text = JSON.stringify({ past: this.past.slice(-KEPT), now: this.now });
    for (const storage of [sessionStorage, localStorage]) {
      try {
        storage.setItem(KEY, text);
      } catch {
        // Full or forbidden: the work lives as long as the page.
      }
    }
  }

  load() {
    try {
      const saved = JSON.parse(sessionStorage.getItem(KEY) || localStorage.getItem(KEY));
      workFrom(JSON.parse(saved.now));
      this.past = saved.past;
      this.now = saved.now;
    } catch {
      // Nothing there, or something that no page of ours wrote.
    }
  }
}
