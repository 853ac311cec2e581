// A setter's evening in Firefox, driven over BiDi: node firefox.mjs FOLDER FIREFOX ADDRESS, where the
// folder has puppeteer-core in its node_modules. Prints what was reached, and fails at the first fault.

import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [, , folder, executablePath, address] = process.argv;
const found = createRequire(pathToFileURL(join(folder, "x.js"))).resolve("puppeteer-core");
const { default: puppeteer } = await import(pathToFileURL(found));
const EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

// The scheme of the pages is dark; light is what Firefox has without a wish.
const extraPrefsFirefox = { "layout.css.prefers-color-scheme.content-override": 0 };
const browser = await puppeteer.launch({ browser: "firefox", executablePath, headless: true, extraPrefsFirefox });
const tab = await browser.newPage();
const faults = [];
tab.on("pageerror", fault => faults.push(fault.message));
tab.on("console", told => told.type() === "error" && faults.push(told.text()));
await tab.setViewport({ width: 1280, height: 900 });
await tab.goto(address);

const wait = (test, ...given) => tab.waitForFunction(test, { timeout: 60000 }, ...given);
const verdict = words => wait(each => document.querySelector("#verdict").innerText.includes(each), words);
const rules = count => wait(each => page.work.rules.length === each, count);
const press = async (...keys) => {
  for (const key of keys) await tab.keyboard.press(key);
};
const together = async (held, key) => {
  await tab.keyboard.down(held);
  await press(key);
  await tab.keyboard.up(held);
};
const push = async words => {
  const button = await wait(each => [...document.querySelectorAll("button")].find(one => one.innerText.trim() === each && one.checkVisibility()), words);
  await button.click();
};
const middle = async cell => {
  const { x, y, width, height } = await (await tab.$(`[data-cell="${cell}"]`)).boundingBox();
  return [x + width / 2, y + height / 2];
};
const draw = async ([first, ...others]) => {
  await tab.mouse.move(...await middle(first));
  await tab.mouse.down();
  for (const cell of others) await tab.mouse.move(...await middle(cell), { steps: 4 });
  await tab.mouse.up();
};

await verdict("An empty board");
await wait(() => getComputedStyle(document.body).backgroundColor === "rgb(21, 23, 27)");
console.log("dark");
await (await tab.waitForSelector("[data-tool=killer]")).click();
await draw([0, 1, 9]);
await press("1", "5", "Enter");
await rules(1);
await wait(() => document.activeElement.matches("[role=gridcell]"));
await press("/", "w", "h", "i", "s", "p", "Enter");
await draw([40, 41, 50]);
await rules(2);
await press("Escape", "Escape");
await verdict("Several");
console.log("rules", await tab.evaluate(() => page.work.rules));
await press("/", "c", "a", "g", "e", "Enter");
await tab.click('[data-cell="0"]');
await wait(() => page.editor.editing.startsWith("killer:15="));
await press("Escape", "Escape");
await together("Control", "z");
await rules(1);
await together("Control", "y");
await rules(2);
console.log("a drawn rule is edited, the last one is undone and redone");

await push("Publish");
await push("Copy a link");
await wait(() => document.querySelector("#notice").innerText.includes("Copied."));
await push("New");
await rules(0);
await tab.click('[data-cell="0"]');
await together("Control", "v");
await rules(2);
await wait(() => [...document.querySelectorAll(".underlay text")].map(each => each.textContent).join() === "15");
console.log("a killer is copied and pasted");

await push("Publish");
await tab.$eval("[aria-label='Text of a puzzle']", (field, text) => { field.value = text; }, EASY);
await push("Open this text");
await verdict("One solution");
await tab.click('[data-cell="2"]');
await press("4");
await wait(() => page.work.cells[2] === 4);
await press("Delete", " ", "5");
await verdict("1 of 51 entered");
await wait(() => document.querySelector(".why-clashing"));
console.log("a clash is framed");
await press("Delete");
for (const [key, pen] of Object.entries({ x: "corner", c: "centre", v: "colour", z: "digit" })) {
  await press(key);
  await wait(each => page.view.pen === each, pen);
}
console.log("pens by their keys");
await press(" ");
await push("Why");
await push("Hint");
await wait(() => document.querySelector("#panel-0 [role=status]").innerText.includes("Look at"));
await push("Explain");
await wait(() => document.querySelectorAll(".steps li").length > 5);
console.log("hint and walk");
await press("Escape");
await push("Publish");
const links = { "SudokuPad": "sudokupad.app", "f-puzzles": "f-puzzles.com", "SudokuMaker": "sudokumaker.app" };
for (const [name, host] of Object.entries(links)) {
  await push(`${name} link`);
  await wait(each => page.share.text.value.startsWith(`https://${each}/`), host);
}
console.log("links");
await tab.setViewport({ width: 375, height: 740 });
await wait(() => document.documentElement.scrollWidth <= 375);
await tab.evaluate(() => scrollTo(0, 0));
await tab.touchscreen.tap(...await middle(12));
await wait(() => page.view.at === 12);
console.log("a phone's width");
await tab.reload();
await verdict("One solution");
await browser.close();
console.log("reload");
if (faults.length) throw new Error(faults.join("; "));
