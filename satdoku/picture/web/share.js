// Import and export: pasting in every format, copying, links with the puzzle behind #, files,
// printing.

import { make } from "./board.js";
import { freshWork, publishedOf, puzzleOf, workFrom } from "./state.js";

// A link to this page: the box, the cells with letters from a = 10, and a rule after each `&r=`.
const WORK = /^w=(\d+)x(\d+)-([\w.]+)/;
const PAPERS = [["a4", "A4"], ["letter", "Letter"]];
// What "QR code" opens: the site where most people solve on a phone.
const SCANNED = "link:sudokupad";
const FILES = { svg: "image/svg+xml", png: "image/png", pdf: "application/pdf" };

export class Share {
  constructor(page) {
    this.page = page;
    this.title = "Publish";
    const button = (text, act, main) => make("button", { type: "button", class: main, onclick: act }, text);
    const field = (of, name, more = {}) => make(of, { "aria-label": name, ...(of === "input" ? { type: "text" } : {}), ...more });
    this.fields = {
      name: field("input", "Title"), author: field("input", "Author"),
      text: field("textarea", "Rules text", { class: "words", placeholder: "The rules as players read them" }),
    };
    for (const [what, each] of Object.entries(this.fields)) {
      each.onchange = () => page.history.change(work => { work[what] = each.value.trim(); });
    }
    this.text = make("textarea", { "aria-label": "Text of a puzzle", spellcheck: "false",
      placeholder: "Paste a puzzle here: a line, a grid, a drawing, JSON, a link …" });
    this.paper = make("select", {}, ...PAPERS.map(([paper, text]) => make("option", { value: paper }, text)));
    this.coded = make("input", { type: "checkbox" });
    this.code = make("div", { class: "scan" });
    this.format = make("select", { "aria-label": "Format", onchange: () => { this.isChosen = true; } });
    this.root = make("div", {},
      make("div", { class: "fields" }, make("label", {}, "Title", this.fields.name), make("label", {}, "Author", this.fields.author)),
      make("label", { class: "wide" }, "Rules text", this.fields.text),
      make("div", { class: "bar" }, button("Draft from the rules", () => this.draft())),
      make("h2", {}, "For players"),
      make("div", { class: "bar" }, button("Open in SudokuPad", () => this.openIn("link:sudokupad"), "main"),
        button("SudokuPad link", () => this.copyAs("link:sudokupad")), button("f-puzzles link", () => this.copyAs("link:fpuzzles")),
        button("QR code", () => this.showCode()),
        button("Copy a link", () => this.copyLink()), button("Copy this position", () => this.copyLink(true))),
      this.code,
      make("h2", {}, "For paper"),
      make("div", { class: "bar" }, make("label", {}, "Paper", this.paper), make("label", {}, this.coded, "with a QR code")),
      make("div", { class: "bar" }, button("Print", () => window.print()),
        ...Object.keys(FILES).map(kind => button(`Save ${kind.toUpperCase()}`, () => this.save(kind))),
        button("PDF of all that was made", () => this.save("pdf", page.make.made))),
      make("h2", {}, "As text"),
      this.text,
      make("div", { class: "bar" }, button("Open this text", () => this.read(this.text.value), "main"),
        make("label", {}, "Copy as", this.format), button("Copy", () => this.copyAs(this.format.value)),
        button("Copy the command", () => this.copyCommand())),
      make("p", { class: "quiet" }, "Ctrl+V pastes a puzzle anywhere on this page, Ctrl+C on the board copies it as a line, or with rules as a link."));
    document.addEventListener("paste", event => this.onPaste(event));
    document.addEventListener("copy", event => this.onCopy(event));
    window.addEventListener("hashchange", () => this.readAddress());
  }

  learn(about) {
    const named = new Map(about.formats);
    this.format.replaceChildren(...[...named].map(([name, text]) => make("option", { value: name, title: text }, name)));
    this.changed(this.page.work);
  }

  // Until the user chooses a format, use one that can hold the puzzle.
  changed(work) {
    this.code.replaceChildren();
    for (const [what, field] of Object.entries(this.fields)) {
      if (field !== document.activeElement || !field.value) field.value = work[what];
    }
    if (!this.isChosen) this.format.value = work.rules.length ? "json" : "line";
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
    const { work } = this.page;
    event.preventDefault();
    // A line cannot hold rules, and would be another puzzle without them.
    if (work.rules.length) {
      event.clipboardData.setData("text/plain", this.link());
      this.page.notice("Copied as a link to this page, since a line holds no rules.");
      return;
    }
    const digit = this.page.size > 9 ? value => `${value || "."} ` : value => value || ".";
    event.clipboardData.setData("text/plain", work.cells.map(digit).join("").trim());
    this.page.notice("Copied as a line.");
  }

  read(text) {
    const own = text.split("#")[1];
    if (own && WORK.test(own)) {
      this.readWork(own.trim());
      return;
    }
    const puzzles = [];
    this.page.backend.ask("make", { ask: "read", text }, part => {
      if (part.part !== "puzzle") {
        this.page.notice(part.error || part.undecided);
        return;
      }
      if (!puzzles.length) this.page.make.open(part);
      puzzles.push(part);
    }).then(() => {
      // The first of several puzzles is opened; all are added to the list.
      if (puzzles.length < 2) return;
      for (const each of puzzles.toReversed()) this.page.make.enlist(each);
      this.page.notice(`${puzzles.length} puzzles: the first is open, and Make lists all of them.`);
    });
  }

  write(to, act, puzzle = publishedOf(this.page.work)) {
    this.page.backend.ask("make", { ask: "write", puzzle, to }, part => {
      if (part.part === "text") act(part.text);
      else this.page.notice(part.error || part.undecided);
    });
  }

  copyAs(format) {
    this.write(format, text => {
      this.text.value = text;
      this.toClipboard(text);
    });
  }

  // Show a code that opens the puzzle on a phone.
  showCode() {
    this.write(SCANNED, link => this.page.backend.ask("make", { ask: "qr", text: link.trim() }, part => {
      if (part.part !== "qr") return this.page.notice(part.error || part.undecided);
      // The page has the styles of drawings already, and allows none within them.
      const bare = part.svg.replace(/<style>.*?<\/style>/s, "");
      const drawn = new DOMParser().parseFromString(bare, "image/svg+xml").documentElement;
      this.code.replaceChildren(document.importNode(drawn, true));
    }));
  }

  openIn(format) {
    this.write(format, text => {
      this.text.value = text;
      if (!window.open(text.trim(), "_blank", "noopener")) this.page.notice("The link is in the field below.");
    });
  }

  // Begin the rules text with what the drawing means; the author goes on from there.
  draft() {
    this.page.history.change(work => { work.text = this.page.drafted; });
    this.fields.text.value = this.page.work.text;
    this.fields.text.focus();
  }

  toClipboard(text) {
    navigator.clipboard.writeText(text).then(
      () => this.page.notice("Copied."),
      () => { this.text.select(); this.page.notice("Press Ctrl+C to copy."); });
  }

  // Behind #, so that no server ever sees the puzzle: #w=3x3-53..7&r=killer:15=r1c1,r1c2 with n= for
  // its title, a= for its author, t= for its rules in words, and u= for the parts of the original
  // that were not read. A position adds e= for what is entered, and m=, k= and l= for centre marks,
  // corner marks and colours.
  link(hasPosition = false) {
    const { work } = this.page;
    const { box, rules, name, author, text, unread } = work;
    // The usual characters of a rule are not escaped, so that the link is readable.
    const written = rules.map(rule => `&r=${encodeURIComponent(rule).replace(/%(2C|3A|3D|2F)/g, decodeURIComponent)}`);
    const texts = [["n", name], ["a", author], ["t", text], ["u", unread]];
    if (hasPosition) {
      texts.push(["e", work.entered.some(Boolean) ? this.signs(work.entered) : ""]);
      for (const [key, marks] of [["m", work.centre], ["k", work.corner], ["l", work.colours]]) {
        texts.push([key, Object.entries(marks).map(([cell, digits]) => `${cell}.${digits.join(".")}`).join("_")]);
      }
    }
    const further = texts.filter(([, each]) => each).map(([key, each]) => `&${key}=${encodeURIComponent(each)}`);
    return `${location.origin}${location.pathname}#w=${box.join("x")}-${this.signs(work.cells)}${written.join("")}${further.join("")}`;
  }

  signs(cells) {
    return cells.map(digit => (digit ? digit.toString(36) : ".")).join(this.page.size > 35 ? "_" : "");
  }

  copyLink(hasPosition = false) {
    this.text.value = this.link(hasPosition);
    this.toClipboard(this.text.value);
  }

  copyCommand() {
    const { box, cells, rules } = this.page.work;
    // The line alone, because options give the rules; but the line shows the symbols of digits.
    const bare = { box, cells, rules: rules.filter(rule => rule.startsWith("digits:")) };
    const quoted = text => (/^[\w.:,=/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
    this.write("line", line => {
      const options = rules.map(rule => ` --rule ${quoted(rule)}`).join("");
      const text = `satdoku check ${quoted(line.trim())} --box ${box.join("x")}${options}`;
      this.text.value = text;
      this.toClipboard(text);
    }, bare);
  }

  readAddress() {
    const fragment = location.hash.slice(1);
    const text = new URLSearchParams(fragment).get("p");
    if (text) this.read(text);
    else if (WORK.test(fragment)) this.readWork(fragment);
    // Remove it from the address, so that a reload shows the work and not the link again.
    if (fragment) history.replaceState(null, "", location.pathname);
  }

  // Read the text that `link` has put behind the #.
  readWork(fragment) {
    try {
      const [, rows, columns, signs] = WORK.exec(fragment);
      const digits = text => text.split(text.includes("_") ? "_" : "").map(sign => (sign === "." ? 0 : parseInt(sign, 36)));
      const parts = new URLSearchParams(fragment);
      const [name, author, text, unread] = ["n", "a", "t", "u"].map(key => parts.get(key) || "");
      const made = freshWork([Number(rows), Number(columns)]);
      const marks = key => Object.fromEntries((parts.get(key) || "").split("_").filter(Boolean)
        .map(each => each.split(".").map(Number)).map(([cell, ...all]) => [cell, all]));
      const [centre, corner, colours] = ["m", "k", "l"].map(marks);
      const entered = parts.has("e") ? digits(parts.get("e")) : made.entered;
      const work = workFrom({ ...made, cells: digits(signs), entered, centre, corner, colours, rules: parts.getAll("r"), name, author, text, unread });
      this.page.history.change(() => work);
    } catch {
      this.page.notice("This link holds no puzzle.");
    }
  }

  save(kind, puzzles) {
    const message = { ask: "draw", to: kind, puzzle: publishedOf(this.page.work), paper: this.paper.value,
      ...(this.coded.checked ? { qr: SCANNED } : {}) };
    if (puzzles && puzzles.length) message.puzzles = puzzles.map(each => ({ ...puzzleOf(each), name: each.name, author: each.author }));
    this.page.backend.ask("make", message, part => {
      if (part.part !== "file") {
        this.page.notice(part.error || part.undecided);
        return;
      }
      const bytes = Uint8Array.from(atob(part.base64), sign => sign.charCodeAt(0));
      const address = URL.createObjectURL(new Blob([bytes], { type: FILES[kind] }));
      make("a", { href: address, download: `sudoku.${kind}` }).click();
      setTimeout(() => URL.revokeObjectURL(address), 10000);
    });
  }
}
