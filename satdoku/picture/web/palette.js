// The palette: every rule as a tool with its drawing and its name, a search, and favourites.

import { make, rove } from "./board.js";

const KEY = "satdoku-tools";

export class Palette {
  constructor(page) {
    this.page = page;
    this.tools = [];
    this.named = new Map();
    this.usual = [];
    this.favourites = null; // names, the newest last; null until somebody has chosen some
    try {
      const found = JSON.parse(localStorage.getItem(KEY));
      if (Array.isArray(found)) this.favourites = found;
    } catch {
      // Nothing is stored, or the content is not ours.
    }
    this.search = make("input", { type: "text", id: "search", "aria-label": "Find a rule", placeholder: "Find /",
      oninput: () => this.list(), onkeydown: event => this.inSearch(event) });
    this.holder = make("div", { class: "tools", role: "toolbar", "aria-label": "Rules", "aria-orientation": "vertical" });
    rove(this.holder);
    page.paletteRoot.append(this.search, this.holder);
  }

  learn(about) {
    this.tools = about.rules;
    this.usual = this.tools.filter(tool => tool.usual).toSorted((one, other) => one.usual - other.usual).map(tool => tool.name);
    this.named = new Map(this.tools.map(tool => [tool.name, tool]));
    const parser = new DOMParser();
    this.buttons = new Map(this.tools.map(tool => {
      let picture = make("span", { class: "letters" }, tool.label.split(/\W+/).slice(0, 2).map(word => word.charAt(0).toUpperCase()).join(""));
      if (tool.picture) {
        picture = document.importNode(parser.parseFromString(tool.picture, "image/svg+xml").documentElement, true);
        // The name beside it says what it is.
        for (const name of ["role", "aria-labelledby"]) picture.removeAttribute(name);
        for (const told of picture.querySelectorAll("title, desc")) told.remove();
        picture.setAttribute("aria-hidden", "true");
      } else picture.setAttribute("aria-hidden", "true");
      const button = make("button", { type: "button", class: "tool", "data-tool": tool.name, title: `${tool.label}: ${tool.told}`, tabindex: -1,
        "aria-pressed": "false", onclick: event => this.take(tool, event.detail === 0) }, picture, make("span", {}, tool.label));
      return [tool.name, button];
    }));
    this.list();
  }

  isFavourite(tool) {
    return this.first.includes(tool.name);
  }

  // Return the names of the first tools: favourites, or else what most setters use.
  get first() {
    return this.favourites || this.usual;
  }

  favour(tool) {
    const all = this.first;
    this.favourites = all.includes(tool.name) ? all.filter(name => name !== tool.name) : [...all, tool.name];
    try {
      localStorage.setItem(KEY, JSON.stringify(this.favourites));
    } catch {
      // They last as long as the page.
    }
    this.list();
    this.page.editor.show();
  }

  // Return the tools that the search finds, the best first; without a search the favourites first.
  found() {
    const words = this.search.value.trim().toLowerCase();
    if (!words) {
      const rank = tool => (this.isFavourite(tool) ? this.first.indexOf(tool.name) : this.first.length);
      return this.tools.toSorted((one, other) => rank(one) - rank(other));
    }
    // Names before names elsewhere, beginnings before other places, favourites before others.
    const rank = tool => {
      const [own, also] = [[tool.label.toLowerCase(), tool.name], tool.also];
      const tests = [() => own.some(text => text.startsWith(words)), () => also.some(text => text.startsWith(words)),
        () => [...own, ...also].some(text => text.includes(words)), () => tool.told.toLowerCase().includes(words)];
      const at = tests.findIndex(test => test());
      return at < 0 ? 9 : at + (this.isFavourite(tool) ? 0 : 0.5);
    };
    return this.tools.filter(tool => rank(tool) < 9).toSorted((one, other) => rank(one) - rank(other));
  }

  list() {
    const found = this.found();
    const shown = [];
    let group = null;
    for (const tool of found) {
      const of = this.search.value.trim() ? "found" : this.isFavourite(tool) ? "favourites" : tool.group;
      if (of !== group) shown.push(make("h3", { "aria-hidden": "true" }, of));
      group = of;
      shown.push(this.buttons.get(tool.name));
    }
    this.holder.replaceChildren(...shown, ...(found.length ? [] : [make("p", { class: "quiet" }, "No rule is called so.")]));
    this.mark();
  }

  // Show which tools are armed, and which rules without an argument the puzzle has.
  mark() {
    if (!this.buttons) return;
    const { work, view } = this.page;
    for (const [name, button] of this.buttons) {
      const isOn = name === view.tool || work.rules.includes(name);
      button.setAttribute("aria-pressed", isOn ? "true" : "false");
      button.tabIndex = -1;
    }
    const first = this.buttons.get(view.tool) || this.holder.querySelector("button");
    if (first) first.tabIndex = 0;
  }

  // Arm a tool, or put it away; a rule without an argument is there or not. `byKey` moves the focus
  // to the board, where the next key is wanted.
  take(tool, byKey) {
    const { page } = this;
    if (!tool.choices.length) page.rules.toggle(tool.name);
    else if (page.editor.tool === tool) page.editor.disarm();
    else {
      page.editor.arm(tool);
      if (byKey) page.focusBoard();
    }
  }

  inSearch(event) {
    if (event.key === "Enter") {
      const [first] = this.found();
      if (!first) return;
      this.search.value = "";
      this.list();
      this.take(first, true);
      if (!first.choices.length) this.page.focusBoard();
    } else if (event.key === "Escape") {
      event.stopPropagation();
      this.search.value = "";
      this.list();
      this.page.focusBoard();
    } else if (event.key === "ArrowDown") {
      event.preventDefault();
      const first = this.holder.querySelector("button");
      if (first) first.focus();
    }
  }
}
