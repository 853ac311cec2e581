// The rules of the puzzle as a list: how many of each kind, and each with its cells.

import { make, nameOf, namedIn } from "./board.js";

// A screen reader tells of so many rules in a cell.
const MOST_TOLD = 4;

export class Rules {
  constructor(page) {
    this.page = page;
    this.title = "Rules";
    this.words = new Map(); // by the names of cells: these rules in words
    this.pointed = new Set(); // names of the cells of the rule under the pointer in the list
    this.opened = new Set(); // the kinds whose rules are listed one by one
    this.of = new Map(); // by the names of cells: the rules that name one, those with few cells first
    this.list = make("ul", { class: "list", "aria-label": "Rules of this puzzle" });
    this.none = make("p", { class: "quiet" }, "No rule yet but those of every Sudoku. Choose one among the tools, then draw it on the board.");
    this.root = make("div", {}, this.none, this.list);
  }

  learn() {
    this.changed(this.page.work);
  }

  // Rules without an argument.
  toggle(name) {
    this.page.history.change(work => {
      work.rules = work.rules.includes(name) ? work.rules.filter(rule => rule !== name) : [...work.rules, name];
    });
  }

  remove(rule) {
    this.page.history.change(work => { work.rules = work.rules.filter(each => each !== rule); });
  }

  replace(rule, other) {
    this.page.history.change(work => { work.rules = work.rules.map(each => (each === rule ? other : each)); });
  }

  toolOf(rule) {
    return this.page.palette.named.get(rule.split(":")[0]);
  }

  // Return a rule in words, such as "cage 15 at r1c1".
  describe(rule) {
    const tool = this.toolOf(rule);
    if (!tool) return rule;
    return [tool.label, this.particular(rule)].filter(Boolean).join(" ");
  }

  particular(rule) {
    const argument = rule.includes(":") ? rule.slice(rule.indexOf(":") + 1) : "";
    const tool = this.toolOf(rule);
    const [, before, after] = /^(\d[\d/]*)=|=(\d+)$/.exec(argument) || [];
    const [, at] = /(r\d+c\d+|row\d+(?:\.left)?|col\d+(?:\.up)?)/.exec(argument) || [];
    if (!at) return tool && tool.choices.length && tool.choices[0].parts[0].kind !== "regions" ? argument.slice(0, 40) : "";
    const parts = tool && tool.choices.length > 1 ? argument.split("/").length : 1;
    return [before || after, parts > 1 ? `(${parts})` : "", `at ${at}`].filter(Boolean).join(" ");
  }

  // Return how many drawings a rule has: each dot is one.
  countOf(rule) {
    const tool = this.toolOf(rule);
    const argument = rule.slice(rule.indexOf(":") + 1);
    if (tool && tool.choices.length > 1) return argument.split("/").length;
    const isSet = tool && tool.drawn === "mark" && tool.form === "CELLS";
    return isSet ? namedIn(argument, this.page.size).size : 1;
  }

  changed(work) {
    // Most edits are digits and marks, and leave the list as it is.
    const ruled = JSON.stringify([work.box, work.rules, this.page.palette.tools.length]);
    if (ruled === this.ruled) return;
    this.ruled = ruled;
    this.pointed = new Set();
    this.note(work);
    const kinds = new Map();
    for (const rule of work.rules) {
      const name = rule.split(":")[0];
      kinds.set(name, [...(kinds.get(name) || []), rule]);
    }
    this.list.replaceChildren(...[...kinds].map(([name, rules]) => this.kind(name, rules)));
    this.none.hidden = work.rules.length > 0;
    this.page.palette.mark();
    this.page.editor.edge.changed(work);
  }

  kind(name, rules) {
    const tool = this.page.palette.named.get(name);
    const label = tool ? tool.label : name;
    if (rules.length === 1) {
      const count = this.countOf(rules[0]);
      return this.entry(rules[0], count > 1 ? `${count} ${plural(label)}` : this.describe(rules[0]));
    }
    const count = rules.reduce((sum, rule) => sum + this.countOf(rule), 0);
    const numbers = rules.map(rule => this.particular(rule).split(" at ")[0]).filter(text => /^\d/.test(text));
    const details = make("details", { class: "kind", open: this.opened.has(name), ontoggle: event => {
      if (event.target.open) this.opened.add(name);
      else this.opened.delete(name);
    } }, make("summary", {}, `${count} ${plural(label)}`, make("span", { class: "quiet" }, ` ${numbers.slice(0, 12).join(" · ")}`)),
      make("ul", { class: "list" }, ...rules.map(rule => this.entry(rule, this.describe(rule)))));
    return make("li", {}, details);
  }

  entry(rule, text) {
    const tool = this.toolOf(rule);
    const point = what => () => this.point(what);
    return make("li", { "data-rule": rule, title: rule, onpointerenter: point(rule), onpointerleave: point(""), onfocusin: point(rule),
      onfocusout: point("") }, make("span", {}, text),
      tool && tool.choices.length ? make("button", { type: "button", class: "small-button", "aria-label": `Edit ${text}`, onclick: () => this.edit(rule) }, "Edit") : null,
      make("button", { type: "button", class: "small-button", "aria-label": `Remove ${text}`, title: "Remove", onclick: () => this.remove(rule) }, "✕"));
  }

  edit(rule) {
    const tool = this.toolOf(rule);
    if (tool && tool.choices.length) this.page.editor.arm(tool, rule);
  }

  // Highlight the cells of a rule in the list on the board.
  point(rule) {
    this.pointed = namedIn(rule, this.page.size);
    this.page.repaint();
  }

  // Note which rules name which cells, and how a screen reader tells of them.
  note(work) {
    const named = work.rules.map(rule => [rule, namedIn(rule, this.page.size)]).toSorted(([, one], [, other]) => one.size - other.size);
    this.of = new Map();
    this.words = new Map();
    for (const [rule, cells] of named) {
      const text = `${this.describe(rule).replace(/ at .*/, "")}${cells.size > 1 ? ` of ${cells.size} cells` : ""}`;
      let isFirst = true;
      for (const cell of cells) {
        this.of.set(cell, [...(this.of.get(cell) || []), rule]);
        this.words.set(cell, [...(this.words.get(cell) || []), isFirst && cells.size > 1 ? `first of ${text}` : text]);
        isFirst = false;
      }
    }
  }

  at(cell) {
    return this.of.get(nameOf(cell, this.page.size)) || [];
  }

  content(cell) {
    const name = nameOf(cell, this.page.size);
    const shown = this.words.has(name) ? { rules: this.words.get(name).slice(0, MOST_TOLD) } : {};
    return this.pointed.has(name) ? { ...shown, why: "used" } : shown;
  }
}

export function plural(label) {
  if (/[^aeiou]y$/.test(label)) return `${label.slice(0, -1)}ies`;
  return /s$/.test(label) ? label : `${label}s`;
}
