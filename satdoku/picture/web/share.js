// Import and export: pasting in every format, copying, links with the puzzle behind #, files,
// printing.

import { bind, make, optionsOf } from "./board.js";
import { freshWork, publishedOf, puzzleOf, workFrom } from "./state.js";

// The beginning of a link's text: the box, and the cells with letters from a = 10.
const WORK = /^w=(\d+)x(\d+)-([\w.]+)/;
// The format of the link in the QR code: the site where most people solve on a phone.
const SCANNED = "link:sudokupad";
const TYPES = { svg: "image/svg+xml", png: "image/png", pdf: "application/pdf", zip: "application/zip" };

export class Share {
  constructor(page) {
    this.page = page;
    this.title = "Publish";
    this.root = bind(this, "share", {
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
    this.format.replaceChildren(...optionsOf(about.formats.map(([name, text]) => [name, name, text])));
    this.changed(this.page.work);
  }

  // Until the user chooses a format, choose one that can hold the puzzle.
  changed(work) {
    this.code.replaceChildren();
    for (const field of this.fields) {
      if (field !== document.activeElement || !field.value) field.value = work[field.dataset.text];
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
    // A line cannot hold rules; without them it would be another puzzle.
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

  write(to, act, puzzle = publishedOf(this.page.work)) {
    this.page.ask({ ask: "write", puzzle, to }, "text", part => act(part.text));
  }

  copyAs(format) {
    this.write(format, text => {
      this.text.value = text;
      this.toClipboard(text);
    });
  }

  // Show a QR code that opens the puzzle on a phone.
  showCode() {
    this.write(SCANNED, link => this.page.ask({ ask: "qr", text: link.trim() }, "qr", part => {
      // The page has the styles of drawings already, and its policy allows none within a drawing.
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

  // Begin the rules text with a draft from the server, for the author to edit.
  draft() {
    this.page.history.change(work => { work.text = this.page.drafted; });
    this.words.value = this.page.work.text;
    this.words.focus();
  }

  toClipboard(text) {
    navigator.clipboard.writeText(text).then(
      () => this.page.notice("Copied."),
      () => { this.text.select(); this.page.notice("Press Ctrl+C to copy."); });
  }

  // Return a link with the puzzle behind #, which browsers send to no server:
  // #w=3x3-53..7&r=killer:15=r1c1,r1c2 with n= for the title, a= for the author, t= for the rules
  // in words, and u= for parts of the original that were not read. A position adds e= for the
  // entries, and m=, k= and l= for centre marks, corner marks and colours.
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
    // Only the line, since the command's options give the rules; but the line has the symbols of
    // digits.
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
    // Remove the text from the address, so that a reload shows the work and not the link again.
    if (fragment) history.replaceState(null, "", location.pathname);
  }

  // Return the work from the text that `link` puts behind the #.
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
    const address = URL.createObjectURL(new Blob([bytes], { type: TYPES[name.split(".")[1]] }));
    make("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  }
}
