// Where a rule gets into the work: behind all others, in the place of one, or as a part of one.

// Dots of a kind, and cells with the same mark, are one rule; a cell that has it loses it.
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
    this.turn = Promise.resolve(); // ends with the last rule that is asked about
  }

  // Puts a rule in the place of others: `plan` says of the work as it is then which rule, which one
  // was edited, and which other goes. It is asked about first, so that nothing that is no rule gets
  // into the work, and after those before it: a new question would end theirs.
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
        // Who has removed the edited one meanwhile wants no new one.
        if (edited && !work.rules.includes(edited)) return;
        work.rules = [...work.rules.filter(each => ![edited, other].includes(each)), ...part.rules];
      });
    });
    then(isAdded);
  }
}
