// Puzzles in and out: pastes in every format, copies, links, files, print; what was made, and recent puzzles.

import { bind, button, drawn, fill, make, optionsOf } from "./board.js";
import { boxOf, countGivens, emptyOf, faultOf, freshWork, publishedOf, puzzleOf, readShelf, workFrom } from "./state.js";

// The beginning of a link's text: the box, and the cells with letters from a = 10.
const WORK = /^w=(\d+x\d+|board:[^-]+)-([\w.]+)/;
// The keys of a link, and what they stand for.
const TEXTS = [["n", "name"], ["a", "author"], ["t", "text"], ["u", "unread"]];
const MARKS = [["m", "centre"], ["k", "corner"], ["l", "colours"]];
const SCANNED = "link:sudokupad"; // the format of the link in the QR code: the site where most people solve on a phone

export class Share {
  constructor(page, name) {
    this.page = page;
    this.root = bind(this, name, {
      print: () => window.print(),
      open: () => this.read(this.text.value),
      choose: () => { this.isChosen = true; },
      copy: () => this.copyAs(this.format.value),
      saveAll: () => this.save("pdf", page.make.made),
    });
    this.fields = [...this.root.querySelectorAll("[data-text]")];
    for (const field of this.fields) {
      field.onchange = () => page.history.change(work => { work[field.dataset.text] = field.value.trim(); });
    }
    document.addEventListener("paste", event => this.onPaste(event));
    document.addEventListener("copy", event => this.onCopy(event));
    window.addEventListener("hashchange", () => this.readAddress());
  }

  learn(about) {
    fill(this.format, optionsOf(about.formats.map(([name, text]) => [name, name, text])));
    this.changed(this.page.work);
  }

  // Until the user chooses a format, choose one that can hold the puzzle.
  changed(work) {
    fill(this.code);
    for (const field of this.fields) {
      if (field !== document.activeElement || !field.value) field.value = work[field.dataset.text];
    }
    if (!this.isChosen) this.format.value = work.rules.length ? "json" : work.layout ? "board" : "line";
  }

  onPaste(event) {
    if (event.target.matches("input, textarea")) return;
    event.preventDefault();
    const text = event.clipboardData.getData("text/plain");
    if (text.trim()) this.read(text);
    else this.page.notice("There is no text in what was pasted, and pictures are not read.");
  }

  onCopy(event) {
    if (event.target.matches("input, textarea") || String(getSelection())) return;
    const { cells, rules, layout } = this.page.work;
    event.preventDefault();
    // A line cannot hold rules; without them it would be another puzzle.
    const isLine = !rules.length && !layout;
    const line = cells.map(value => value || ".").join(this.page.board.size > 9 ? " " : "");
    event.clipboardData.setData("text/plain", isLine ? line : this.link());
    this.page.notice(isLine ? "Copied as a line." : `Copied as a link to this page, since a line holds ${layout ? "square boards only" : "no rules"}.`);
  }

  read(text) {
    const own = text.split("#")[1];
    if (WORK.test(own)) return this.readWork(own.trim());
    if (/^board:\S+$/.test(text.trim())) return this.begin(text.trim());
    const puzzles = [];
    this.page.ask({ ask: "read", text }, "puzzle", part => {
      if (!puzzles.length) this.page.make.open(part);
      puzzles.push(part);
    }).then(() => {
      // The first of several puzzles is opened; all are added to the list.
      if (puzzles.length < 2) return;
      for (const each of puzzles.toReversed()) this.page.make.enlist(each);
      this.page.notice(`${puzzles.length} puzzles: the first is open, and Make lists all of them.`);
    });
  }

  // Open an empty board of a shape that only the server knows.
  begin = (box, act = part => this.page.history.change(() => freshWork(part.box, part.layout))) =>
    this.page.ask({ ask: "board", puzzle: { box } }, "board", act);

  write = (to, act) =>
    this.page.ask({ ask: "write", puzzle: publishedOf(this.page.work), to }, "text", part => act(part.text));

  copyAs = format => this.write(format, text => this.toClipboard(text));

  showCode() {
    this.write(SCANNED, link => this.page.ask({ ask: "qr", text: link.trim() }, "qr", part => {
      // The page has the styles of drawings already, and its policy allows none within a drawing.
      fill(this.code, drawn(part.svg.replace(/<style>.*?<\/style>/s, "")));
    }));
  }

  openIn(format) {
    this.write(format, text => {
      this.text.value = text;
      const opened = window.open(text.trim());
      if (opened) opened.opener = null;
      else this.page.notice("The link is in the field below.");
    });
  }

  // Begin the rules text with a draft from the server, for the author to edit.
  draft() {
    this.page.history.change(work => { work.text = this.page.drafted; });
    this.words.value = this.page.work.text;
    this.words.focus();
  }

  toClipboard(text) {
    this.text.value = text;
    navigator.clipboard.writeText(text).then(
      () => this.page.notice("Copied."),
      () => { this.text.select(); this.page.notice("Press Ctrl+C to copy."); });
  }

  // Return a link with the puzzle behind #, which browsers send to no server, such as
  // #w=3x3-53..7&r=killer:15=r1c1,r1c2 with the texts of the puzzle. A position adds e= for the
  // entries, and the marks.
  link(hasPosition = false) {
    const { work } = this.page;
    // The usual characters of a rule are not escaped, so that the link is readable.
    const written = work.rules.map(rule => `&r=${encodeURIComponent(rule).replace(/%(2C|3A|3D|2F)/g, decodeURIComponent)}`);
    const marks = name => Object.entries(work[name]).map(([cell, digits]) => [cell, ...digits].join(".")).join("_");
    const position = [["e", work.entered.some(Boolean) && this.signs(work.entered)], ...MARKS.map(([key, name]) => [key, marks(name)])];
    const further = [...TEXTS.map(([key, name]) => [key, work[name]]), ...(hasPosition ? position : [])]
      .filter(([, text]) => text).map(([key, text]) => `&${key}=${encodeURIComponent(text)}`);
    return `${location.origin}${location.pathname}#w=${boxOf(work)}-${this.signs(work.cells)}${written.join("")}${further.join("")}`;
  }

  signs = cells => cells.map(digit => (digit ? digit.toString(36) : ".")).join(this.page.board.size > 35 ? "_" : "");
  copyLink = (hasPosition = false) => this.toClipboard(this.link(hasPosition));

  readAddress() {
    const fragment = location.hash.slice(1);
    const text = new URLSearchParams(fragment).get("p");
    if (text || WORK.test(fragment)) this.read(text || location.hash);
    // Remove the text from the address, so that a reload shows the work and not the link again.
    if (fragment) history.replaceState(null, "", location.pathname);
  }

  // Return the work from the text that `link` puts behind the #.
  readWork(fragment, told) {
    try {
      const [, shape, signs] = WORK.exec(fragment);
      if (!told && shape[0] === "b") return this.begin(shape, part => this.readWork(fragment, part));
      const { box, layout } = told || { box: shape.split("x").map(Number) };
      const digits = text => text.split(text.includes("_") ? "_" : "").map(sign => (sign === "." ? 0 : parseInt(sign, 36)));
      const marks = text => Object.fromEntries(text.split("_").filter(Boolean)
        .map(each => each.split(".").map(Number)).map(([cell, ...all]) => [cell, all]));
      const parts = new URLSearchParams(fragment);
      const made = { ...freshWork(box, layout), cells: digits(signs), rules: parts.getAll("r") };
      if (parts.has("e")) made.entered = digits(parts.get("e"));
      for (const [key, name] of TEXTS) made[name] = parts.get(key) || "";
      for (const [key, name] of MARKS) made[name] = marks(parts.get(key) || "");
      const work = workFrom(made);
      this.page.history.change(() => work);
    } catch {
      this.page.notice("This link holds no puzzle.");
    }
  }

  // Offer a certificate of the verdict, which anybody can check without trusting the solver.
  certify() {
    this.page.ask({ ask: "certify", puzzle: puzzleOf(this.page.work), seconds: 60 }, "certificate", part => {
      this.download(part, `certificate.${part.kind}`);
      this.page.notice(`Saved: the proof of the verdict ${part.verdict}. satdoku verify checks its files.`);
    });
  }

  save(kind, puzzles) {
    const message = { ask: "draw", to: kind, puzzle: publishedOf(this.page.work), paper: this.paper.value,
      ...(this.coded.checked ? { qr: SCANNED } : {}) };
    if (puzzles && puzzles.length) message.puzzles = puzzles.map(each => ({ ...puzzleOf(each), name: each.name, author: each.author }));
    this.page.ask(message, "file", part => this.download(part, `sudoku.${kind}`));
  }

  download({ base64 }, name) {
    const bytes = Uint8Array.from(atob(base64), sign => sign.charCodeAt(0));
    const address = URL.createObjectURL(new Blob([bytes]));
    make("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  }
}

// Make: generate, minimize, complete and scramble puzzles; and the list of the results.

export class Make {
  constructor(page, name) {
    this.page = page;
    this.made = [];
    this.root = bind(this, name, {
      mirror: () => { page.view.symmetry = this.symmetry.value; page.askBoard(page.work); },
      show: () => page.repaint(),
      end: () => page.backend.stop("make"),
      change: question => this.ask({ ask: question, ...this.chosen }),
      thin: () => this.ask({ ask: "minimize", fewest: true }),
    });
    this.listShelf();
    // Another tab has changed the list of recent puzzles.
    addEventListener("storage", () => this.listShelf());
  }

  learn(about) {
    fill(this.symmetry, optionsOf(about.symmetries));
    this.symmetry.value = this.page.view.symmetry;
    fill(this.level, optionsOf([["", "any"], ...about.questions.generate.difficulty.enum]));
  }

  // Return what all questions that make a puzzle say: the symmetry, and a new seed.
  get chosen() {
    return { symmetry: this.symmetry.value || "none", seed: String(Math.random()) };
  }

  listShelf() {
    const when = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
    const open = each => this.page.history.change(() => workFrom(JSON.parse(each.now)));
    fill(this.shelf, readShelf().map(each => make("li", {},
      make("span", {}, String(each.name), make("small", { class: "quiet" }, ` ${when.format(each.when)}`)),
      button("Open", () => open(each), { "aria-label": `Open ${each.name}` }))));
  }

  content = cell => this.mask.checked && this.page.view.selection.has(cell) ? { why: "used" } : {};

  generate() {
    const { page } = this;
    const message = { ask: "generate", number: Number(this.number.value) || 1, ...this.chosen };
    const range = this.givens.value.split("-").map(text => Number(text.trim()));
    if (this.givens.value.trim()) message.givens = [range[0], range[range.length - 1]];
    if (this.level.value) message.difficulty = this.level.value;
    if (this.mask.checked) message.mask = page.work.cells.map((_, cell) => (page.view.selection.has(cell) ? "#" : ".")).join("");
    this.ask(message);
  }

  ask(message) {
    const { page } = this;
    const asked = this.asked = {};
    let { work } = page;
    const puzzle = message.ask === "generate" ? emptyOf(work) : puzzleOf(work);
    let told = "Nothing was made.";
    this.status.textContent = "Working …";
    this.stop.disabled = false;
    page.backend.ask("make", { seconds: 60, ...message, puzzle }, part => {
      if (part.part !== "puzzle") told = part.text || faultOf(part);
      else {
        this.enlist(part);
        // If the user has typed meanwhile, the result goes only into the list.
        told = page.work === work ? "" : "The board was changed meanwhile: what was made is in the list.";
        if (!told) this.open(part);
        if (!told) work = page.work;
      }
      if (told) this.status.textContent = told;
    }).then(isWhole => {
      // After a newer question, messages about this one are dropped.
      if (asked !== this.asked) return;
      this.stop.disabled = true;
      this.status.textContent = isWhole ? told : "Stopped.";
    });
  }

  enlist(part) {
    this.made.unshift(part);
    const level = part.level ? `, ${part.level}${part.rating === null ? "" : ` (${part.rating})`}` : "";
    const name = part.name ? `${part.name}: ` : "";
    const text = `${this.made.length}. ${name}${countGivens(part)} givens${level}${part.minimal ? ", minimal" : ""}`;
    this.list.prepend(make("li", {}, make("span", {}, text), button("Open", () => this.open(part))));
  }

  open(part) {
    const { cells, rules, name = "", author = "", rules_text: text = "", unread = "", drawings = null } = part;
    this.page.history.change(() => ({ ...freshWork(part.box, part.layout), cells, rules, name, author, text, unread, drawings }));
  }
}
