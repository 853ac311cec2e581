// The state: the user's work as a plain object that only one function changes, and its history.

import { readStored, store } from "./board.js";

const KEY = "satdoku-1";
const KEPT = 300; // how many edits of the history survive a reload; all of them stay in memory

const MOST_DIGITS = 36; // these are the server's limits
const LONGEST_RULE = 10000;
const LONGEST = { name: 1000, author: 1000, unread: 1000, text: 20000 };
const REST = 400; // milliseconds without an edit after which the work is written to the browser's storage

// A new id is always of the same length, since differences between works are offsets in texts.
const newId = () => Math.random().toString(36).slice(2, 10).padEnd(8, "0");

// Return an empty work. Its box is a text, and has a layout by the server, if the board is no square.
export function freshWork(box, layout) {
  const [rows, columns] = box;
  if (!layout && (box.length !== 2 || !box.every(side => Number.isInteger(side) && side > 0) || rows * columns > MOST_DIGITS)) throw new Error("no box");
  const count = layout ? layout.places.length : (rows * columns) ** 2;
  return {
    box,
    layout,
    cells: Array(count).fill(0),
    entered: Array(count).fill(0),
    centre: {},
    corner: {},
    colours: {},
    rules: [],
    name: "",
    author: "",
    text: "", // the rules in the author's words
    drawings: null, // drawings of another program, in its own format
    unread: "", // the parts of the original that were not read, in words
    id: newId(), // its place on the shelf of recent puzzles
  };
}

// Return the work from a link or from storage, which anybody may have written; throw if it is invalid.
export function workFrom(found) {
  const fresh = freshWork(found.box, found.layout);
  const work = { ...fresh, ...found };
  const isDigit = value => Number.isInteger(value) && value >= 0 && value <= sizeOf(work);
  const isText = (text, most) => typeof text === "string" && text.length <= most;
  const isFine = [work.cells, work.entered].every(digits => digits.length === fresh.cells.length && digits.every(isDigit))
    && work.rules.every(rule => isText(rule, LONGEST_RULE))
    && Object.entries(LONGEST).every(([name, most]) => isText(work[name], most));
  if (!isFine) throw new Error("no puzzle");
  return work;
}

export const sizeOf = work => (work.layout ? work.layout.digits : work.box[0] * work.box[1]);

// The box as `--box` and links have it.
export const boxOf = work => [work.box].flat().join("x");

export const puzzleOf = ({ box, cells, rules }) => ({ box, cells, rules });

export const emptyOf = work => ({ ...puzzleOf(work), cells: work.cells.map(() => 0) });

export const countGivens = work => work.cells.filter(Boolean).length;

export const isBlank = work => !work.rules.length && !countGivens(work);

// What is wrong, in words, from a part of an answer that is not the wanted one.
export const faultOf = part => part.error || `Undecided: ${part.undecided}`;

export function publishedOf(work) {
  const { name, author, text, drawings } = work;
  return { ...puzzleOf(work), name, author, rules_text: text, ...(drawings && { drawings }) };
}

// Return the puzzle with a player's entered digits and centre marks, for questions.
export function positionOf(work) {
  return { puzzle: puzzleOf(work), entered: work.cells.map((digit, cell) => digit || work.entered[cell]), marks: work.centre };
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

// The history of one page. `onChange` is called after each change with the current work, `onStored`
// after each write with true if the work is in the browser's storage.
export class History {
  // What belongs to the page and not to the puzzle: undo does not change it, a reload restores it.
  view = {
    mode: "set",
    pen: "digit",
    tool: "", // the name of the rule that the pointer draws
    symmetry: "none",
    shows: { candidates: false, needless: false, cap: 8, bound: 10000 },
    at: 0,
    selection: new Set([0]),
    isMulti: false, // whether a touch adds to the selection
    timed: null, // seconds of the test-solve; null without a timer
  };

  constructor(onChange, onStored) {
    this.onChange = onChange;
    this.onStored = onStored;
    this.edits = []; // differences, the newest last
    this.done = 0; // how many of them are done, and not undone
    this.counts = []; // by number of edits: the number of solutions, if known
    this.now = JSON.stringify(freshWork([3, 3]));
    this.timer = 0; // set while a change is not stored yet
    this.load();
    addEventListener("pagehide", () => this.save(true));
    document.addEventListener("visibilitychange", () => document.hidden && this.save());
  }

  get work() {
    return JSON.parse(this.now);
  }

  change(edit) {
    const work = this.work;
    const after = JSON.stringify(edit(work) || work);
    if (after === this.now) return;
    this.edits.splice(this.done++, Infinity, difference(this.now, after));
    this.counts.length = Math.min(this.counts.length, this.done);
    this.tell(after);
  }

  undo = () => this.go(this.done - 1);
  redo = () => this.go(this.done + 1);

  go(count) {
    if (count < 0 || count > this.edits.length) return;
    const now = this.at(count);
    this.done = count;
    this.tell(now);
  }

  at(count) {
    const back = this.edits.slice(count, this.done).reverse().map(([at, before, after]) => [at, after, before]);
    const ahead = this.edits.slice(this.done, count);
    return [...back, ...ahead].reduce((now, [at, from, to]) => now.slice(0, at) + to + now.slice(at + from.length), this.now);
  }

  tell(now) {
    this.now = now;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), REST);
    this.onChange(this.work);
  }

  // A tab keeps its own work across a reload; a new tab begins with the work stored last. If the
  // history does not fit into the storage, only the work is stored.
  save(isLeaving = false) {
    if (!this.timer && !isLeaving) return;
    clearTimeout(this.timer);
    this.timer = 0;
    const { now } = this;
    const view = { ...this.view, selection: [...this.view.selection] };
    const dropped = Math.max(0, this.done - KEPT);
    const texts = [{ past: this.edits.slice(dropped, this.done), counts: this.counts.slice(dropped) }, { past: [] }]
      .map(kept => JSON.stringify({ ...kept, now, view }));
    // A reload of this tab reads sessionStorage first.
    const [isKept] = ["sessionStorage", "localStorage"].map(kind => texts.some(text => store(KEY, text, kind)));
    this.onStored(isKept);
  }

  load() {
    try {
      const own = sessionStorage.getItem(KEY);
      const saved = JSON.parse(own || localStorage.getItem(KEY));
      this.now = JSON.stringify(workFrom(JSON.parse(saved.now)));
      // The stored past must be differences; version 0.2 stored whole states.
      if (this.now === saved.now && saved.past.every(Array.isArray)) {
        this.edits = saved.past;
        this.done = saved.past.length;
        this.counts = saved.counts || [];
      }
      // A new tab gets a new id, so that its puzzle has a place of its own on the shelf.
      if (!own) this.now = JSON.stringify({ ...this.work, id: newId() });
      else if (saved.view) {
        const { selection, at, shows } = saved.view;
        const { cells } = this.work;
        Object.assign(this.view, saved.view, { at: Math.min(at, cells.length - 1), tool: "",
          selection: new Set(selection.filter(cell => cell in cells)), shows: { ...this.view.shows, ...shows } });
      }
    } catch {
      // Nothing is stored, or the content is not ours.
    }
  }
}

// The shelf of recent puzzles, for all tabs: each with its name and the time of its last edit.

const SHELF = "satdoku-shelf";
const MOST_ON_SHELF = 24;

export function readShelf() {
  const found = readStored(SHELF);
  return Array.isArray(found) ? found.filter(each => each?.id && typeof each.now === "string") : [];
}

export function putOnShelf(work, name) {
  const others = readShelf().filter(each => each.id !== work.id);
  const all = [{ id: work.id, name, when: Date.now(), now: JSON.stringify(work) }, ...others];
  // If the storage is full, keep fewer.
  for (let most = MOST_ON_SHELF; most > 0; most = Math.floor(most / 2)) {
    if (store(SHELF, JSON.stringify(all.slice(0, most)))) return;
  }
}
