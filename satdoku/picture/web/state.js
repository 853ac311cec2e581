// The state: what the user made, as a plain object that one function changes, with its history.

const KEY = "satdoku-1";
// The whole history stays in memory; this much of it survives a reload.
const KEPT = 300;

export const SIZES = [[2, 2], [2, 3], [2, 4], [3, 3], [2, 5], [3, 4], [4, 4], [4, 5], [5, 5]];

// The server's limits on digits and on the characters of a rule.
const MOST_DIGITS = 36;
const LONGEST_RULE = 10000;
const LONGEST_TEXT = 1000;
// Milliseconds without an edit after which the work is written to the browser's storage.
const REST = 400;

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
    unread: "", // the parts of the original that were not read, in words
  };
}

// Return the work from a link or from storage, which anybody may have written; throw if it is
// invalid.
export function workFrom(found) {
  const work = { ...emptyWork(found.box), ...found };
  const isDigit = value => Number.isInteger(value) && value >= 0 && value <= sizeOf(work);
  for (const digits of [work.cells, work.entered]) {
    if (digits.length !== sizeOf(work) ** 2 || !digits.every(isDigit)) throw new Error("no digits");
  }
  if (!work.rules.every(rule => typeof rule === "string" && rule.length <= LONGEST_RULE)) throw new Error("no rules");
  if (![work.name, work.unread].every(text => typeof text === "string" && text.length <= LONGEST_TEXT)) throw new Error("no texts");
  return work;
}

export function sizeOf(work) {
  return work.box[0] * work.box[1];
}

export function puzzleOf(work) {
  return { box: work.box, cells: work.cells, rules: work.rules, name: work.name };
}

// Return the question about a player's position: with the entered digits and the centre marks.
export function positionOf(work) {
  return { puzzle: puzzleOf(work), entered: work.cells.map((digit, cell) => digit || work.entered[cell]), marks: work.centre };
}

// Return the cells that a symmetry maps to each other.
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

// Return the part in which two texts differ: its offset, and its content in each.
function difference(before, after) {
  const shorter = Math.min(before.length, after.length);
  let at = 0;
  while (at < shorter && before[at] === after[at]) at++;
  let end = 0;
  while (end < shorter - at && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return [at, before.slice(at, before.length - end), after.slice(at, after.length - end)];
}

// The history of one page. `onChange` is called after each change with the current work, and
// `onStored` after each write with whether the work is in the browser's storage.
export class History {
  constructor(onChange, onStored) {
    this.onChange = onChange;
    this.onStored = onStored;
    this.past = []; // differences, the newest last
    this.future = [];
    this.now = JSON.stringify(emptyWork([3, 3]));
    this.timer = 0; // set while a change is not stored yet
    this.load();
    addEventListener("pagehide", () => this.save());
    document.addEventListener("visibilitychange", () => document.hidden && this.save());
  }

  get work() {
    return JSON.parse(this.now);
  }

  // Change a copy of the work; no-op if nothing differs.
  change(edit) {
    const work = this.work;
    const after = JSON.stringify(edit(work) || work);
    if (after === this.now) return;
    this.past.push(difference(this.now, after));
    this.future = [];
    this.tell(after);
  }

  undo() {
    if (!this.past.length) return;
    const [at, before, after] = this.past.pop();
    this.future.push([at, before, after]);
    this.tell(this.now.slice(0, at) + before + this.now.slice(at + after.length));
  }

  redo() {
    if (!this.future.length) return;
    const [at, before, after] = this.future.pop();
    this.past.push([at, before, after]);
    this.tell(this.now.slice(0, at) + after + this.now.slice(at + before.length));
  }

  tell(now) {
    this.now = now;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), REST);
    this.onChange(this.work);
  }

  // A tab keeps its own work across a reload; a new tab begins with the work stored last. If the
  // history does not fit, only the work is stored.
  save() {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = 0;
    const { now } = this;
    const texts = [this.past.slice(-KEPT), []].map(past => JSON.stringify({ past, now }));
    // A reload of this tab reads sessionStorage first.
    const [isKept] = [sessionStorage, localStorage].map(storage => texts.some(text => {
      try {
        storage.setItem(KEY, text);
        return true;
      } catch {
        return false; // the storage is full or forbidden
      }
    }));
    this.onStored(isKept);
  }

  load() {
    try {
      const saved = JSON.parse(sessionStorage.getItem(KEY) || localStorage.getItem(KEY));
      this.now = JSON.stringify(workFrom(JSON.parse(saved.now)));
      // Differences lead back from the stored text; version 0.2 stored whole states.
      if (this.now === saved.now && saved.past.every(Array.isArray)) this.past = saved.past;
    } catch {
      // Nothing is stored, or the content is not ours.
    }
  }
}
