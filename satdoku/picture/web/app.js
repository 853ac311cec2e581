// The page: its views, the selection, and the handling of digits; the state is in `history`.

import { Backend } from "./backend.js";
import { Board, COLOURS, bind, button, cellAt, classesOf, counted, fill, find, followPointer, groundOf, isNew, make, optionsOf, rove, setProperties } from "./board.js";
import { Finds, Live, Play } from "./live.js";
import { Editor, Palette, Rules } from "./rule-editor.js";
import { Make, Share } from "./share.js";
import { History, boxOf, countGivens, emptyOf, faultOf, freshWork, isBlank, putOnShelf } from "./state.js";
import { Walk } from "./walk.js";

const SHELVED_AFTER = 600; // milliseconds without an edit after which the puzzle is put on the shelf

class Page {
  constructor() {
    this.board = new Board(find("board"));
    // What is wrong with the connection, or what is being loaded; empty if nothing is.
    this.backend = new Backend((text, isFault = true) => {
      find("connection").textContent = text;
      find("connection").classList.toggle("lost", isFault);
    });
    this.live = new Live(this);
    this.history = new History(work => this.changed(work), isStored => {
      find("stored").textContent = isStored ? "" : "not saved: the browser has no room left";
    });
    this.work = this.history.work;
    this.view = this.history.view;
    this.makeHeader();
    this.palette = new Palette(this, find("palette"));
    this.editor = new Editor(this);
    find("bar").append(this.editor.root);
    this.finds = new Finds(this);
    this.play = new Play(this);
    this.walk = new Walk(this, "panel-0");
    this.listed = new Rules(this, find("panel-1"));
    this.make = new Make(this, "panel-2");
    this.share = new Share(this, "panel-3");
    this.help = { root: find("panel-4") };
    bind(this, "tabs", { show: name => this.show(this[name]) });
    rove(find("tabs"), tab => tab.click());
    new Keys(this);
    const phone = matchMedia("screen and (max-width: 56rem), screen and (max-width: 64rem) and (max-height: 30rem)");
    phone.onchange = () => this.placeAnswers(phone.matches);
    phone.onchange();
    this.isReady = true;
    this.resize();
    this.changed(this.work);
    this.setMode(this.view.mode);
    this.board.focus(this.view.at);
    this.backend.ask("about", { ask: "about" }, part => part.part && this.learn(part));
    this.share.readAddress();
  }

  get isSolving() {
    return this.view.mode === "solve";
  }

  learn(about) {
    // The words of a verdict name rules as the palette does.
    this.symmetries = new Map(about.symmetries);
    for (const each of [this.palette, this.make, this.share]) each.learn(about);
    this.listed.changed(this.work);
    this.live.tell();
    find("size").append(...optionsOf(about.boards));
    this.repaint();
  }

  // Ask the server: call `act` with a part of the wanted name; any other is a fault, told in `place` or as a notice.
  ask(message, wanted, act, place = null, lane = "make") {
    return this.backend.ask(lane, message, part => {
      if (part.part === wanted) act(part);
      else if (place) place.textContent = faultOf(part);
      else this.notice(faultOf(part));
    });
  }

  makeHeader() {
    const sizes = find("size");
    let isPointed = false;
    sizes.onpointerdown = () => { isPointed = true; };
    sizes.onkeydown = () => { isPointed = false; };
    sizes.onchange = () => {
      if (/^\d/.test(sizes.value)) this.history.change(() => freshWork(sizes.value.split("x").map(Number)));
      else this.share.begin(sizes.value);
      // Digits that are typed next are for the board: in the list they would choose another size.
      if (isPointed) this.focusBoard();
    };
    find("mode").onchange = ({ target }) => this.setMode(target.value);
    find("mode").onpointerup = () => setTimeout(() => this.focusBoard());
    bind(this, "header", {
      undo: () => this.history.undo(),
      redo: () => this.history.redo(),
      clear: () => {
        this.history.change(work => freshWork(work.box, work.layout));
        this.focusBoard(); // or else Enter, for a hint, would clear what is set next
      },
    });
    bind(this, "answer");
    bind(this, "unread", { dismiss: () => this.history.change(work => { work.unread = ""; }) });
    bind(this, "pen", { collect: () => this.editor.collect() });
    // Pressing a key of the pad must not move the focus out of a field that takes a number.
    find("pad").onpointerdown = event => event.preventDefault();
    rove(find("pad"));
    for (const each of find("shows").querySelectorAll("[data-show]")) {
      const [what, value] = [each.dataset.show, each.type === "checkbox" ? "checked" : "value"];
      // A list that is set tells screen readers that it has the focus.
      if (each[value] !== String(this.view.shows[what])) each[value] = this.view.shows[what];
      each.onchange = () => this.setShown(what, value === "checked" ? each.checked : Number(each.value));
    }
  }

  // On a phone, whatever is asked is answered between the board and the pad, so that all are in sight.
  placeAnswers(isPhone) {
    const { walk, live, finds, play } = this;
    const all = [walk.commands, walk.hints, walk.walker, live.repairs, find("ask"), finds.status, find("checks"), play.result];
    this.homes ||= all.map(each => [each, each.parentNode, each.nextSibling]);
    for (const [each, home, next] of this.homes.toReversed()) home.insertBefore(each, next);
    if (isPhone) for (const each of all) find(each.matches(".bar, #repairs") ? "commands" : "answer").append(each);
  }

  show(shown) {
    for (const tab of find("tabs").children) {
      const panel = find(tab.getAttribute("aria-controls"));
      panel.hidden = panel !== shown.root;
      tab.ariaSelected = !panel.hidden;
      tab.tabIndex = panel.hidden ? -1 : 0;
    }
    this.repaint();
  }

  changed(work) {
    const before = this.work;
    if (before.id !== work.id) this.shelve();
    this.work = work;
    if (String(before.box) !== String(work.box)) {
      Object.assign(this.view, { at: 0, selection: new Set([0]) });
      this.resize();
    }
    if (isNew(this, "ruled", [work.box, work.rules])) this.askBoard(work);
    this.walk.reset();
    this.finds.reset();
    this.listed.changed(work);
    this.share.changed(work);
    find("undo").disabled = !this.history.done;
    find("redo").disabled = this.history.done === this.history.edits.length;
    find("name").textContent = work.name;
    // What was read in a special way, or not at all, is shown until the message is dismissed.
    find("verdict").classList.toggle("partial", Boolean(work.unread));
    find("unread").hidden = !work.unread;
    find("how").textContent = `How it was read: ${work.unread}.`;
    this.live.ask(work);
    this.play.changed(work);
    clearTimeout(this.shelving);
    this.shelving = setTimeout(() => this.shelve(), SHELVED_AFTER);
    this.repaint();
  }

  shelve() {
    const { work } = this;
    if (isBlank(work)) return;
    const rules = work.rules.length ? `, ${counted(work.rules.length, "rule")}` : "";
    putOnShelf(work, `${work.name || "Without a title"}: ${this.board.layout.words}, ${counted(countGivens(work), "given")}${rules}`);
    this.make.listShelf();
  }

  resize() {
    this.board.resize(this.work.box, this.work.layout);
    const box = boxOf(this.work);
    const sizes = find("size");
    sizes.value = box;
    // A pasted puzzle may have a box shape that is not in the list.
    const { words } = this.board.layout;
    if (!sizes.value) sizes.append(make("option", { value: box, selected: true }, this.work.layout ? words : `${words}, boxes ${box}`));
    this.partners = []; // by cell: those that the chosen symmetry maps to it, and itself
    this.editor.disarm();
  }

  makePad(isColour) {
    const count = isColour ? COLOURS.length : this.board.size;
    const keys = Array.from({ length: count }, (_, n) => {
      const key = button(isColour ? make("span", { class: "swatch" }) : String(n + 1), () => this.type(n + 1, this.view.pen),
        { tabindex: n ? -1 : 0, "aria-label": isColour ? COLOURS[n] : null });
      if (isColour) key.firstChild.style.background = groundOf([n + 1]);
      return key;
    });
    keys.push(button("⌫", () => this.empty(), { tabindex: -1, "aria-label": "Empty", title: "Empty (Delete)" }));
    fill(find("pad"), keys);
    // The keys of a line, as many in each, on a wide screen and on a phone.
    const shared = most => Math.ceil(keys.length / Math.ceil(keys.length / most));
    setProperties(document.body, { pad: shared(17), narrow: shared(10), padlines: Math.ceil(keys.length / 10) });
  }

  // Ask for the drawing of the rules in a lane of its own, because it changes seldom.
  askBoard(work) {
    this.ask({ ask: "board", puzzle: emptyOf(work), symmetry: this.view.symmetry }, "board", part => {
      this.board.drawRules(part);
      this.partners = part.partners || [];
      this.drafted = part.rules_text; // the rules in words, if the author has written no text
      fill(find("captions"), part.captions.map(text => make("li", {}, text)));
      this.play.tellCard();
      this.repaint();
    }, null, "board");
  }

  // Write into the field that gets the pad's digits, if there is one, in place of its selection or of so many signs.
  write(text, signs) {
    const field = document.activeElement;
    if (!field?.matches("input[inputmode=none]")) return false;
    const { selectionStart: start, selectionEnd: end } = field;
    field.setRangeText(text, start === end ? Math.max(0, start - signs) : start, end, "end");
    field.dispatchEvent(new Event("input"));
    return true;
  }

  type(digit, pen) {
    if (this.write(String(digit), 0) || (pen === "colour" && digit > COLOURS.length)) return;
    this.walk.close();
    this.history.change(work => {
      const selected = [...this.view.selection];
      const isOpen = cell => !work.cells[cell] && !work.entered[cell];
      if (pen === "colour") this.mark(work.colours, selected, digit);
      else if (pen !== "digit") this.mark(work[pen], selected.filter(isOpen), digit);
      else if (!this.isSolving) for (const cell of selected) work.cells[cell] = digit;
      else for (const cell of selected) if (!work.cells[cell]) work.entered[cell] = digit;
    });
  }

  mark(marks, cells, digit) {
    const isThere = cells.every(cell => marks[cell]?.includes(digit));
    for (const cell of cells) {
      const others = (marks[cell] || []).filter(each => each !== digit);
      marks[cell] = isThere ? others : [...others, digit].sort((a, b) => a - b);
      if (!marks[cell].length) delete marks[cell];
    }
  }

  empty() {
    if (this.write("", 1)) return;
    if (this.editor.editing) return this.editor.remove();
    this.walk.close();
    this.history.change(work => {
      for (const cell of this.view.selection) {
        if (this.view.pen === "colour" && work.colours[cell]) {
          delete work.colours[cell];
          continue;
        }
        const cells = this.isSolving ? [cell] : this.partners[cell] || [cell];
        for (const each of cells) {
          if (!this.isSolving) work.cells[each] = 0;
          work.entered[each] = 0;
        }
        for (const marks of [work.centre, work.corner, work.colours]) delete marks[cell];
      }
    });
  }

  setMode(mode) {
    this.view.mode = mode;
    if (this.isSolving) this.editor.disarm();
    this.play.changed(this.work);
    this.live.tell();
    this.repaint();
  }

  // A screen reader says `told`.
  setPen(pen, told = "") {
    this.view.pen = pen;
    find("said").textContent = told;
    this.repaint();
  }

  setShown(what, isShown) {
    this.view.shows[what] = isShown;
    this.live.ask(this.work);
    this.repaint();
  }

  moveTo(cell, extends_) {
    this.select(cell, extends_);
    this.board.focus(cell);
  }

  select(cell, adds, drops = false) {
    const { selection } = this.view;
    if (!adds) selection.clear();
    if (drops) selection.delete(cell);
    else selection.add(cell);
    this.view.at = cell;
    this.repaint();
  }

  selectAll(isWanted = () => true) {
    this.view.selection = new Set([...this.work.cells.keys()].filter(isWanted));
    this.repaint();
  }

  // Select all cells with the same digit as this one, or the same colours, or the same centre marks.
  selectAlike(cell) {
    const { work } = this;
    const of = each => [work.cells[each] || work.entered[each], String(work.colours[each] || ""), String(work.centre[each] || "")];
    const which = of(cell).findIndex(Boolean);
    if (which < 0) return false;
    this.selectAll(each => of(each)[which] === of(cell)[which]);
    return true;
  }

  focusBoard = () => this.board.focus(this.view.at);

  get drawer() {
    return this.walk.isOpen ? null : this.editor.drawer;
  }

  escape() {
    if (this.editor.escape()) return this.focusBoard();
    if (this.walk.isOpen) this.walk.close();
    else this.putAway();
    this.select(this.view.at);
  }

  putAway() {
    this.walk.reset();
    this.finds.reset();
    this.play.result.textContent = "";
    this.repaint();
  }

  repaint() {
    if (!this.isReady) return;
    const { view, work, drawer, board: { root } } = this;
    root.classList.toggle("walking", this.walk.isOpen);
    root.classList.toggle("drawing", Boolean(drawer));
    root.classList.toggle("collecting", view.isMulti);
    document.body.className = classesOf(this.isSolving ? "solving" : "setting", this.walk.isOpen && "walks", this.editor.tool && "armed", work.text && "worded");
    find("mode").querySelector(`[value=${view.mode}]`).checked = true;
    for (const each of find("pen").querySelectorAll("[data-do^=setPen]")) each.ariaPressed = each.dataset.do === `setPen=${view.pen}`;
    find("multi").ariaPressed = view.isMulti;
    const isColour = view.pen === "colour" && !this.editor.tool;
    if (isNew(this, "padded", [isColour, this.board.size])) this.makePad(isColour);
    this.board.grid.ariaLabel = `Sudoku${this.editor.tool ? `, ${this.editor.tool.label}` : ""}`;
    this.board.paint(cell => ({ ...this.content(cell, work, drawer), selected: view.selection.has(cell) }));
    this.board.drawArrows(this.walk.arrowsAt(view.selection));
    if (this.editor.path.length) this.board.drawPath(this.editor.path);
    this.palette.mark();
    // The rules that name the selected cell; a click edits one.
    const rules = this.isSolving || this.editor.tool ? [] : this.listed.at(view.at).slice(0, 3);
    const here = rules.map(({ rule }) => [rule, this.listed.describe(rule)]);
    if (isNew(this, "here", [view.at, here])) fill(find("here"), here.map(([rule, text]) =>
      button(text.replace(/ at .*/, ""), () => this.listed.edit(rule), { class: "chip", title: `Edit ${text}` })));
  }

  content(cell, work, drawer) {
    const walked = this.walk.content(cell);
    if (walked) return { ...walked, kind: work.cells[cell] ? "given" : "found" };
    // While a rule is drawn, the board shows nothing but the grid and clashes.
    const live = this.isSolving ? this.play.content(cell) : this.live.content(cell, work);
    const known = drawer && live.why !== "clashing" ? { small: live.small } : live;
    const shown = { ...known, colours: work.colours[cell] };
    for (const view of [this.finds, this.listed, this.editor, this.make]) Object.assign(shown, view.content(cell));
    if (this.walk.found?.wrong?.includes(cell)) shown.why = "clashing";
    if (work.cells[cell]) return { ...shown, digit: work.cells[cell], kind: "given" };
    if (work.entered[cell]) return { ...shown, digit: work.entered[cell], kind: "entered" };
    if (work.centre[cell] || work.corner[cell]) {
      return { ...shown, small: undefined, pair: undefined, centre: work.centre[cell], corner: work.corner[cell] };
    }
    if (shown.small) shown.pair = undefined;
    else if (!this.isSolving && !shown.pair) shown.partner = this.partners[cell]?.some(each => work.cells[each]);
    return shown;
  }

  notice(text) {
    const notice = make("p", {}, text);
    fill(find("notice"), notice);
    // Show the notice a tenth of a second per letter, enough to read it twice.
    setTimeout(() => notice.remove(), Math.max(5000, 100 * text.length));
  }
}

// Keyboard and pointer on the board. Z, X, C and V choose a pen, as in SudokuPad, unless they are digits of a large board.

// By key: the place where it holds, and what it does. Fields have keys of their own, as have focused buttons.
const COMMANDS = {
  "Escape": ["anywhere", page => page.escape()],
  "Ctrl+Enter": ["anywhere", page => page.walk.start()],
  "PageDown": ["walk", page => page.walk.go(1)],
  "PageUp": ["walk", page => page.walk.go(-1)],
  "Ctrl+z": ["outside", page => page.history.undo()],
  "Ctrl+Shift+z": ["outside", page => page.history.redo()],
  "Ctrl+y": ["outside", page => page.history.redo()],
  "/": ["palette", page => page.palette.search.focus()],
  "Enter": ["board", page => (page.editor.tool ? page.editor.takeSelected() : page.walk.hint())],
  "?": ["board", page => page.show(page.help)],
  " ": ["board", page => page.setMode(page.isSolving ? "set" : "solve")],
  "Ctrl+a": ["board", page => page.selectAll()],
  "z": ["pens", page => page.setPen("digit", "digits")],
  "x": ["pens", page => page.setPen("corner", "corner marks")],
  "c": ["pens", page => page.setPen("centre", "centre marks")],
  "v": ["pens", page => page.setPen("colour", "colours")],
};
const PATIENCE = 700; // a second digit within this time extends the first: 1, 2 is twelve on boards above 9x9

class Keys {
  constructor(page) {
    this.page = page;
    this.last = { digit: 0 }; // the last digit typed, its time and cells, and the work before and after it
    this.drops = false; // whether the pointer deselects cells
    document.addEventListener("keydown", event => this.down(event));
    const { grid } = page.board;
    followPointer(grid, () => page.drawer || this);
    grid.addEventListener("dblclick", event => this.twice(event));
  }

  down(event) {
    const { page } = this;
    const isCommand = event.ctrlKey || event.metaKey;
    const isOutside = !event.altKey && !event.target.matches("input[type=text], input[type=number], textarea, select");
    const isOnBoard = isOutside && (page.board.grid.contains(event.target) || event.target === document.body);
    const key = event.key.replace(/^.$/, sign => sign.toLowerCase());
    const name = isCommand ? `Ctrl+${event.shiftKey ? "Shift+" : ""}${key}` : key;
    const isPen = isOutside && !event.shiftKey && parseInt(key, 36) > page.board.size;
    const places = { anywhere: true, walk: page.walk.isOpen, outside: isOutside, board: isOnBoard, pens: isPen,
      palette: isOutside && !page.isSolving };
    const [place, act] = COMMANDS[name] || [];
    if (places[place]) return this.take(event, () => act(page));
    if (!isOutside) return;
    // Digits and arrows are for the board, wherever the last click was; tabs and choices have arrow keys of their own.
    const next = event.target.matches("[role=tab], [type=radio]") ? null : page.board.step(page.view.at, event.key, isCommand);
    if (next !== null) return this.take(event, () => page.moveTo(next, event.shiftKey));
    const pen = isCommand ? "centre" : event.shiftKey ? "corner" : page.view.pen;
    if (["Delete", "Backspace", ".", "0"].includes(event.key) && !isCommand) {
      if (event.key !== "0" || page.board.size < 10 || !this.continues(pen)) return this.take(event, () => page.empty());
    }
    this.digit(event, pen);
  }

  take(event, act) {
    event.preventDefault();
    act();
  }

  // Whether a digit extends the previous one: typed soon after it, into the same cells, with no change in between.
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
    const sign = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1] || event.key;
    const isCommand = event.ctrlKey || event.metaKey;
    if (!(isCommand ? /^\d$/ : /^[\da-z]$/i).test(sign)) return;
    let digit = parseInt(sign, 36);
    const both = 10 * this.last.digit + digit;
    const continues = page.board.size > 9 && digit < 10 && both <= page.board.size && this.continues(pen);
    if (continues) digit = both;
    if (digit < 1 || digit > page.board.size) return;
    this.take(event, () => {
      // Remove the first digit, unless the cells had it already.
      if (continues && this.last.before !== this.last.after) page.history.undo();
      const before = page.history.now;
      page.type(digit, pen);
      this.last = { digit: digit < 10 ? digit : 0, when: performance.now(), into: this.into(pen), before, after: page.history.now };
    });
  }

  press(cell, event) {
    const { page } = this;
    const candidate = event.target.closest("[data-digit]");
    if (candidate && page.walk.isOpen) {
      page.walk.ask(`${page.board.nameOf(cell)}!=${candidate.dataset.digit}`);
      return false;
    }
    const adds = event.shiftKey || event.ctrlKey || event.metaKey || page.view.isMulti;
    this.drops = adds && page.view.selection.has(cell);
    page.select(cell, adds, this.drops);
    page.board.focus(cell);
    return true;
  }

  drag = cell => cell === this.page.view.at || this.page.select(cell, true, this.drops);

  // On a double click, select all cells like this one; if the cell has no content, edit its rule.
  twice(event) {
    const { page } = this;
    const cell = cellAt(event);
    if (cell === null || page.drawer || page.walk.isOpen || page.selectAlike(cell) || page.isSolving) return;
    const [found] = page.listed.at(cell);
    if (found) page.listed.edit(found.rule);
  }
}

// For tests and debugging.
window.page = new Page();
