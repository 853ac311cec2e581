// Python with satdoku in a thread of the browser: questions in, the parts of their answers out.

const PROGRAM = `
import json
from satdoku.serving.asks import answer

class Never:
    def is_set(self):
        return False

def ask(text):
    question = json.loads(text)
    for part in answer(question, Never()):
        yield json.dumps({"id": question["id"], **part})

ask
`;

const waiting = [];
const recalled = new Set();
let ask = null;
let isBusy = false;

onmessage = ({ data }) => {
  if (data.recalled) recalled.add(data.recalled);
  else waiting.push(data);
  if (ask) answerAll();
};

async function answerAll() {
  if (isBusy) return;
  isBusy = true;
  while (waiting.length) {
    const { id, text } = waiting.shift();
    if (!recalled.has(id)) await answerOne(id, text);
    postMessage({ ended: id });
  }
  isBusy = false;
}

async function answerOne(id, text) {
  const parts = ask(text);
  for (const part of parts) {
    postMessage(JSON.parse(part));
    // Lets in what was sent meanwhile.
    await new Promise(resolve => { setTimeout(resolve); });
    if (recalled.has(id)) break;
  }
  parts.destroy();
  postMessage({ id, done: true });
}

function tell(text) {
  postMessage({ loading: text });
}

async function load() {
  const settings = await (await fetch("settings.json")).json();
  tell("Python is being loaded, 6 MB the first time; the browser keeps it …");
  // Pyodide cannot name hashes for all that it loads. So each file is fetched by its hash before any
  // runs, and then comes from the browser's cache.
  await Promise.all(Object.entries(settings.hashes).map(async ([name, integrity]) =>
    (await fetch(settings.pyodide + name, { integrity })).arrayBuffer()));
  const { loadPyodide } = await import(`${settings.pyodide}pyodide.mjs`);
  const python = await loadPyodide();
  tell("The solvers are being loaded, 1 MB …");
  if (settings.packages.length) {
    await python.loadPackage("micropip");
    await python.pyimport("micropip").install(settings.packages);
  }
  for (const [name, kind] of settings.archives) {
    python.unpackArchive(await (await fetch(name)).arrayBuffer(), kind, { extractDir: settings.folder });
  }
  tell("satdoku is starting …");
  // Lets the words be seen: what follows takes a second and more.
  await new Promise(resolve => { setTimeout(resolve); });
  ask = python.runPython(PROGRAM);
  postMessage("ready");
  answerAll();
}

load().catch(error => {
  // Browsers say of any file that does not come only that.
  const isAway = /fetch|network|import/i.test(String(error));
  postMessage({ failed: isAway ? "the network does not answer, or a file is not the one that was tried; satdoku serve needs no network" : String(error).slice(-200) });
});
