// Runs a program of Python in Pyodide: node pyodide.mjs FOLDER PROGRAM, with the wheels of the folder.
import { createRequire } from "node:module";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, program] = process.argv.slice(2);
const found = createRequire(join(folder, "package.json")).resolve("pyodide/pyodide.mjs");
const { loadPyodide } = await import(pathToFileURL(found));
const python = await loadPyodide();
for (const name of readdirSync(folder).filter((name) => name.endsWith(".whl"))) {
  python.unpackArchive(new Uint8Array(readFileSync(join(folder, name))), "wheel");
}
console.log(await python.runPythonAsync(program));
