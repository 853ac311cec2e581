// The page: the selection, keyboard input, the display of the board, and the backend.

import { Backend } from "./backend.js";
import { Board, make } from "./board.js";
import { Keys } from "./keys.js";
import { Live } from "./live.js";
import { Make } from "./make.js";
import { Rules } from "./rules.js";
import { Share } from "./share.js";
import { History, SIZES, emptyWork, partnersOf, puzzleOf, sizeOf } from "./state.js";
import { Help } from "./help.js";
import { Walk } from "./walk.js";

const find = id => document.getElementById(id);

class Page {
  constructor() {
    this.mode = "set";
    this.pen = "digit";
    this.symmetry = "none";
    this.shows = { candidates: false, needless: false };
    this.at = 0;
    this.selection = new Set([0]);
    this.board = new Board(find("board"));
    this.backend = new Backend((text, isFault) => this.tellConnection(text, isFault));
    this.live = new Live(this);
    this.history = new History(work => this.changed(work), isStored => this.tellStored(isStored));
    this.work = this.history.work;
    this.makeHeader();
    this.walk = new Walk(this);
    this.rules = new Rules(this);
    this.make = new Make(this);
    this.share = new Share(this);
    this.help = new Help(this);
    this.makeTabs([this.walk, this.rules, this.make, this.share, this.help]);
    new Keys(this);
    this.resize();
    this.changed(this.work);
    this.board.focus(0);
    this.backend.ask("about", { ask: "about" }, part => part.part && this.learn(part));
    this.share.readAddress();
  }

  get size() {
    return sizeOf(this.work);
  }

  // Load what the server supports.
  learn(about) {
    this.about = about;
    for (const each of [this.live, this.rules, this.make, this.share]) each.learn(about);
  }

  makeHeader() {
    const sizes = find("size");
    for (const box of SIZES) {
      const side = box[0] * box[1];
      sizes.append(make("option", { value: box.join("x") }, `${side}x${side}`));
    }
    sizes.onchange = () => this.history.change(() => emptyWork(sizes.value.split("x").map(Number)));
    for (const radio of document.querySelectorAll("input[name=mode]")) {
      radio.onchange = () => this.setMode(radio.value);
    }
    find("undo").onclick = () => this.history.undo();
    find("redo").onclick = () => this.history.redo();
    find("new").onclick = () => this.history.change(work => emptyWork(work.box));
    this.penButtons = ["digit", "centre", "corner"].map(pen => make("button", {
      type: "button", "aria-pressed": pen === this.pen ? "true" : "false", onclick: () => this.setPen(pen),
    }, { digit: "Digit", centre: "Centre", corner: "Corner" }[pen]));
    const shown = {
      candidates: ["True candidates", "The digits that some solution has; a small number says how many, where they are few"],
      needless: ["Needless givens", "Each of these could go by itself"],
    };
    find("pen").append(...this.penButtons);
    find("shows").append(...Object.entries(shown).map(([what, [text, title]]) => {
      const box = make("input", { type: "checkbox", onchange: () => {
        this.shows[what] = box.checked;
        this.live.ask(this.work);
        this.repaint();
      } });
      return make("label", { title }, box, text);
    }));
  }

  makeTabs(panels) {
    this.panels = panels;
    panels.forEach((panel, n) => {
      panel.tab = make("button", {
        type: "button", role: "tab", id: `tab-${n}`, "aria-controls": `panel-${n}`, onclick: () => this.show(panel),
      }, panel.title);
      panel.root.id = `panel-${n}`;
      panel.root.setAttribute("role", "tabpanel");
      panel.root.setAttribute("aria-labelledby", `tab-${n}`);
      panel.tab.addEventListener("keydown", event => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        event.stopPropagation();
        const next = panels[(n + step + panels.length) % panels.length];
        this.show(next);
        next.tab.focus();
      });
      find("tabs").append(panel.tab);
      find("panels").append(panel.root);
    });
    this.show(panels[0]);
  }

  show(shown) {
    for (const panel of this.panels) {
      panel.tab.setAttribute("aria-selected", panel === shown ? "true" : "false");
      panel.tab.tabIndex = panel === shown ? 0 : -1;
      panel.root.hidden = panel !== shown;
      if (panel !== shown && panel.leave) panel.leave();
    }
    this.repaint();
  }

  run(command) {
    if (command === "keys") this.show(this.help);
    else {
      this.show(this.walk);
      if (command === "hint") this.walk.hint();
      else this.walk.start();
    }
  }

  // Changes.

  changed(work) {
    const before = this.work;
    this.work = work;
    if (before.box.join() !== work.box.join()) this.resize();
    const ruled = JSON.stringify([work.box, work.rules]);
    if (ruled !== this.ruled) this.askBoard(work, ruled);
    this.walk.reset();
    this.rules.changed(work);
    this.share.changed(work);
    find("undo").disabled = !this.history.past.length;
    find("redo").disabled = !this.history.future.length;
    find("name").textContent = work.name || "";
    this.tellUnread(work.unread);
    this.live.ask(work);
    this.repaint();
  }

  resize() {
    this.board.resize(this.size, this.work.box);
    this.at = 0;
    this.selection = new Set([0]);
    const [rows, columns] = this.work.box;
    const box = `${rows}x${columns}`;
    const sizes = find("size");
    if (![...sizes.options].some(option => option.value === box)) {
      // A pasted puzzle may have any box.
      sizes.append(make("option", { value: box }, `${this.size}x${this.size}, boxes ${box}`));
    }
    sizes.value = box;
    const digits = Array.from({ length: this.size }, (_, n) => n + 1);
    find("pad").replaceChildren(
      ...digits.map(digit => make("button", { type: "button", onclick: () => this.type(digit, this.pen) }, String(digit))),
      make("button", { type: "button", "aria-label": "Empty", title: "Empty (Delete)", onclick: () => this.empty() }, "⌫"),
    );
    // One line of keys if a wide screen holds them, two or three lines on a phone.
    const keys = this.size + 1;
    find("pad").style.setProperty("--pad", keys > 17 ? Math.ceil(keys / 2) : keys);
    find("pad").style.setProperty("--narrow", Math.ceil(keys / Math.ceil(keys / 7)));
  }

  // The drawing of the rules has a lane of its own, because it changes seldom.
  askBoard(work, ruled) {
    this.ruled = ruled;
    const puzzle = { ...puzzleOf(work), cells: work.cells.map(() => 0) };
    this.backend.ask("board", { ask: "board", puzzle }, part => {
      if (ruled !== this.ruled) return;
      if (part.part !== "board") {
        this.notice(part.error || part.undecided);
        return;
      }
      this.board.drawRules(part.svg, part.frame, part.width, part.height);
      this.rules.edge.place();
      find("captions").replaceChildren(...part.captions.map(text => make("li", {}, text)));
    });
  }

  type(digit, pen) {
    this.walk.close();
    this.history.change(work => {
      const cells = [...this.selection].filter(cell => this.mode === "set" || !work.cells[cell]);
      if (pen !== "digit") this.mark(work, pen, cells, digit);
      else if (this.mode === "set") for (const cell of cells) work.cells[cell] = digit;
      else for (const cell of cells) work.entered[cell] = digit;
    });
  }

  mark(work, pen, cells, digit) {
    const marks = work[pen];
    const open = cells.filter(cell => !work.cells[cell] && !work.entered[cell]);
    const isThere = open.every(cell => (marks[cell] || []).includes(digit));
    for (const cell of open) {
      const others = (marks[cell] || []).filter(each => each !== digit);
      marks[cell] = isThere ? others : [...others, digit].sort((a, b) => a - b);
      if (!marks[cell].length) delete marks[cell];
    }
  }

  empty() {
    this.walk.close();
    this.history.change(work => {
      for (const cell of this.selection) {
        const cells = this.mode === "set" ? partnersOf(cell, this.size, this.symmetry) : [cell];
        for (const each of cells) {
          if (this.mode === "set") work.cells[each] = 0;
          work.entered[each] = 0;
        }
        delete work.centre[cell];
        delete work.corner[cell];
      }
    });
  }

  setMode(mode) {
    this.mode = mode;
    for (const radio of document.querySelectorAll("input[name=mode]")) radio.checked = radio.value === mode;
    this.repaint();
  }

  setPen(pen) {
    this.pen = pen;
    this.penButtons.forEach((button, n) => {
      button.setAttribute("aria-pressed", ["digit", "centre", "corner"][n] === pen ? "true" : "false");
    });
  }

  // Selection.

  moveTo(cell, extends_) {
    this.select(cell, extends_);
    this.board.focus(cell);
  }

  select(cell, adds, drops = false) {
    if (!adds) this.selection.clear();
    if (drops) this.selection.delete(cell);
    else this.selection.add(cell);
    this.at = cell;
    this.repaint();
  }

  selectAll() {
    this.selection = new Set(this.work.cells.keys());
    this.repaint();
  }

  // Return the panel that receives the pointer while something is drawn.
  get drawer() {
    return this.panels.find(panel => !panel.root.hidden && panel.isDrawing);
  }

  // Return the panel that takes the selected cells when Enter is pressed on the board.
  get taker() {
    return this.panels.find(panel => !panel.root.hidden && panel.takesCells);
  }

  onCandidate(cell, digit) {
    return this.walk.isOpen && this.walk.onCandidate(cell, digit);
  }

  escape() {
    for (const panel of this.panels) if (panel.escape) panel.escape();
    this.selection = new Set([this.at]);
    this.repaint();
  }

  // Display.

  repaint() {
    if (!this.panels) return;
    const work = this.work;
    this.board.root.classList.toggle("walking", this.walk.isOpen);
    this.board.root.classList.toggle("drawing", Boolean(this.drawer));
    document.body.classList.toggle("walks", this.walk.isOpen);
    this.board.paint(cell => {
      const selected = this.selection.has(cell);
      const walked = this.walk.content(cell);
      if (walked) return { ...walked, kind: work.cells[cell] ? "given" : "found", selected };
      // While a rule is drawn, the board shows nothing but the grid and clashes.
      const live = this.live.content(cell, work);
      const known = this.drawer && live.why !== "clashing" ? {} : live;
      const shown = { ...known, ...this.rules.content(cell), ...this.make.content(cell), selected };
      if (this.walk.isWrong(cell)) shown.why = "clashing";
      if (work.cells[cell]) return { ...shown, digit: work.cells[cell], kind: "given" };
      if (work.entered[cell]) return { ...shown, digit: work.entered[cell], kind: "entered" };
      if (work.centre[cell] || work.corner[cell]) {
        return { ...shown, small: undefined, pair: undefined, centre: work.centre[cell], corner: work.corner[cell] };
      }
      if (shown.small) shown.pair = undefined;
      else if (this.mode === "set" && !shown.pair) shown.partner = partnersOf(cell, this.size, this.symmetry).some(each => work.cells[each]);
      return shown;
    });
    this.board.drawArrows(this.walk.arrowsAt(this.selection));
    if (this.rules.path.length) this.board.drawPath(this.rules.path);
  }

  // Show what is wrong with the connection, or what is being loaded; empty if nothing is.
  tellConnection(text, isFault = true) {
    const status = find("connection");
    status.textContent = text;
    status.classList.toggle("lost", Boolean(text) && isFault);
  }

  // Show whether the work would survive a reload.
  tellStored(isStored) {
    find("stored").textContent = isStored ? "" : "not saved: the browser has no room left";
  }

  // Stays until it is dismissed: the verdict is about less than the original puzzle.
  tellUnread(unread) {
    find("verdict").classList.toggle("partial", Boolean(unread));
    find("unread").hidden = !unread;
    find("unread").replaceChildren(`Not all of it is here: ${unread}.`, make("button", {
      type: "button", onclick: () => this.history.change(work => { work.unread = ""; }),
    }, "Dismiss"));
  }

  notice(text) {
    const notice = make("p", {}, text);
    find("notice").replaceChildren(notice);
    // Long enough to read it twice, at about ten letters a second.
    setTimeout(() => notice.remove(), Math.max(5000, 100 * text.length));
  }
}

// For tests and debugging.
window.page = new Page();
