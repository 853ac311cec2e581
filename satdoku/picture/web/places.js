// How a rule is added to the work: after all others, in place of one, or as a part of one.

// Dots of the same kind, and cells with the same mark, form one rule. Return its argument, "" if
// nothing of it remains, or null if the rule stands by itself. What is there already is taken away.
export function joined(tool, choice, old, argument) {
  if (!old) return null;
  const before = old.slice(old.indexOf(":") + 1);
  if (tool.choices.length > 1) {
    // A pair of cells has one dot, whichever way it was drawn.
    const isPair = choice.parts[0].kind === "pair";
    const key = part => (isPair ? `${part.split("=")[0]}=${part.slice(part.indexOf("=") + 1).split(",").sort()}` : part);
    const cells = part => (isPair ? key(part).split("=")[1] : part);
    const parts = before.split("/");
    const others = parts.filter(part => cells(part) !== cells(argument));
    return [...others, ...(parts.some(part => key(part) === key(argument)) ? [] : [argument])].join("/");
  }
  const isSet = choice.parts.length === 1 && choice.parts[0].kind === "cells" && ["", "mark"].includes(tool.drawn);
  if (!isSet) return null;
  const [had, has] = [before.split(","), argument.split(",")];
  return [...had.filter(cell => !has.includes(cell)), ...has.filter(cell => !had.includes(cell))].join();
}

export class Places {
  constructor(page) {
    this.page = page;
    this.turn = Promise.resolve(); // resolves when the last rule was checked
  }

  // Replace rules: `plan` returns, for the work at that time, the new rule if there is one, the
  // edited one, and another one to remove. The server checks the rule first, so that no invalid rule
  // gets into the work. Checks are queued, because a new question would cancel the earlier one.
  put(plan, then = () => {}) {
    this.turn = this.turn.finally(() => this.replace(...plan(this.page.work), then));
  }

  async replace(rule, edited, other, then) {
    if (rule === null) {
      this.page.rules.remove(other);
      then(true);
      return;
    }
    const puzzle = { box: this.page.work.box, cells: this.page.work.cells.map(() => 0), rules: [rule] };
    let isAdded = false;
    await this.page.backend.ask("make", { ask: "board", puzzle }, part => {
      isAdded = part.part === "board";
      if (!isAdded) {
        this.page.notice(part.error || part.undecided);
        return;
      }
      this.page.history.change(work => {
        // If the edited rule was removed meanwhile, do not add a new one.
        if (edited && !work.rules.includes(edited)) return;
        const at = work.rules.indexOf(edited || other);
        const kept = work.rules.filter(each => ![edited, other, ...part.rules].includes(each));
        kept.splice(at < 0 ? kept.length : at, 0, ...part.rules);
        work.rules = kept;
      });
    });
    then(isAdded);
  }
}
