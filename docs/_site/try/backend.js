// The page without a server: satdoku runs in this browser, in Python as Pyodide has it. It takes the
// place of the backend that knows a server.

import { Lanes } from "./lanes.js";

// What is asked while somebody types has a worker of its own; the other begins with its first question.
const QUICK = new Set(["live", "play", "board", "about"]);
// A recalled question may go on so long, in milliseconds. To begin Python anew takes some seconds.
const GRACE = 3000;

export class Backend extends Lanes {
  constructor(onStatus) {
    super();
    this.onStatus = onStatus;
    this.workers = new Map();
    this.start("quick");
  }

  start(name) {
    const worker = new Worker("worker.js", { type: "module" });
    this.workers.set(name, worker);
    worker.onmessage = ({ data }) => {
      if (data === "ready") this.onStatus("");
      else if (data.loading) this.onStatus(data.loading, false);
      else if (data.failed) this.onStatus(`Python could not be loaded: ${data.failed}`);
      else this.hear(data);
    };
    return worker;
  }

  nameOf(asked) {
    return QUICK.has(asked.lane) ? "quick" : "slow";
  }

  send(asked) {
    const name = this.nameOf(asked);
    (this.workers.get(name) || this.start(name)).postMessage({ id: asked.id, text: asked.text });
  }

  // Between two parts a worker hears that nobody listens; one that computes on is ended.
  recall(asked) {
    const name = this.nameOf(asked);
    const worker = this.workers.get(name);
    const timer = setTimeout(() => {
      if (this.workers.get(name) !== worker) return;
      worker.terminate();
      this.start(name);
      for (const each of this.lanes.values()) if (this.nameOf(each) === name) this.send(each);
    }, GRACE);
    const heard = ({ data }) => {
      if (data.ended !== asked.id) return;
      clearTimeout(timer);
      worker.removeEventListener("message", heard);
    };
    worker.addEventListener("message", heard);
    worker.postMessage({ recalled: asked.id });
  }
}
