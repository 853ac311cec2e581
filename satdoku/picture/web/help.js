// The list of keys.

import { make } from "./board.js";

const KEYS = [
  ["arrows", "move; with Shift select more; Home and End go to the ends of a row"],
  ["1 to 9", "a digit into all selected cells; above 9x9 two digits in a row, or letters from A = 10"],
  ["Ctrl+digit", "a centre mark"],
  ["Shift+digit", "a corner mark"],
  ["Z, X, C, V", "the pen: digits, corner marks, centre marks, colours"],
  ["/", "find a rule; Enter takes the first one, and the board has the keys again"],
  ["Enter with a tool", "the selected cells become its cells"],
  ["Double click", "select all cells like this one; on a drawn rule, edit it"],
  ["Delete", "empty the selected cells; remove the rule that is edited"],
  ["Ctrl+Z, Ctrl+Y", "undo, redo"],
  ["Space", "set or solve: in solve mode digits are entries, and givens stay"],
  ["Enter", "a hint; again, more of it"],
  ["Ctrl+Enter", "explain"],
  ["PageDown, PageUp", "the next step, the one before"],
  ["Escape", "give up what is begun; put the tool away; close what is open"],
  ["Ctrl+C, Ctrl+V", "copy as a line, with rules as a link; paste any format"],
  ["Ctrl+A", "select all cells"],
  ["?", "these keys"],
];

export class Help {
  constructor() {
    this.title = "Keys";
    this.root = make("div", {}, make("dl", { class: "keys" },
      ...KEYS.flatMap(([keys, text]) => [make("dt", {}, make("kbd", {}, keys)), make("dd", {}, text)])));
  }
}
