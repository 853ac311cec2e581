// How a rule is added to the work: after all others, in place of one, or as a part of one.

// Dots of the same kind, and cells with the same mark, form one rule; a cell that has the mark
// loses it.
export function joined(rule, choices, old, argument) {
  if (!old) return null;
  const before = old.slice(old.indexOf(":") + 1);
  if (choices.length > 1) return `${old}/${argument}`;
  if (choices[0] !== "CELLS" || !["", "mark"].includes(rule.drawn)) return null;
  const [had, has] = [before.split(","), argument.split(",")];
  const cells = [...had.filter(cell => !has.includes(cell)), ...has.filter(cell => !had.includes(cell))];
  return cells.length ? `${rule.name}:${cells.join(",")}` : null;
}

export class Places {
  constructor(page) {
    this.page = page;
    this.turn = Promise.resolve(); // resolves when the last rule was checked
  }

  // Replace rules: `plan` returns, for the work at that time, the new rule, the edited one, and
  // another one to remove. The server checks the rule first, so that no invalid rule gets into the
  // work. Checks are queued, because a new question would cancel the earlier one.
  put(plan, then = () => {}) {
    this.turn = this.turn.finally(() => this.replace(...plan(this.page.work), then));
  }

  async replace(rule, edited, other, then) {
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
        work.rules = [...work.rules.filter(each => ![edited, other].includes(each)), ...part.rules];
      });
    });
    then(isAdded);
  }
}
