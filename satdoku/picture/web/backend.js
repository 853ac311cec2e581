// The only file that knows a server: it sends questions over a WebSocket and hears their parts.

import { Lanes } from "./lanes.js";

// What is asked by a click waits for no server: its answer might come when nobody expects it.
const CLICKED = ["walk", "make"];
const NO_SERVER = "There is no server: start satdoku serve again.";

// The server ends a connection over which more comes in one message, in bytes.
const LONGEST = 256 * 1024;

export class Backend extends Lanes {
  constructor(onStatus) {
    super();
    this.onStatus = onStatus;
    this.isLost = false;
    this.waiting = 250; // milliseconds until the next try, doubled after each
    this.token = new URLSearchParams(location.hash.slice(1)).get("k") || sessionStorage.getItem("satdoku-token");
    // Kept for this tab, since what stands behind the # goes away when it was read.
    if (this.token) sessionStorage.setItem("satdoku-token", this.token);
    this.connect();
  }

  connect() {
    const socket = new WebSocket(`ws://${location.host}/api/v1/socket`);
    this.socket = socket;
    socket.onopen = () => {
      this.waiting = 250;
      this.isLost = false;
      if (this.token) socket.send(this.token);
      this.onStatus("");
      // What was asked while nobody listened is asked now.
      for (const asked of this.lanes.values()) this.send(asked);
    };
    socket.onmessage = event => this.hear(JSON.parse(event.data));
    socket.onclose = () => {
      this.isLost = true;
      this.onStatus("not connected: is satdoku serve running?");
      for (const lane of CLICKED) if (this.lanes.has(lane)) this.refuse(this.lanes.get(lane), NO_SERVER);
      setTimeout(() => this.connect(), this.waiting);
      this.waiting = Math.min(2 * this.waiting, 4000);
    };
  }

  // A server ends the question before in a lane by itself.
  send(asked) {
    if (new Blob([asked.text]).size > LONGEST) this.refuse(asked, "this is too long: at most 256 kB can be asked about");
    else if (this.isLost && CLICKED.includes(asked.lane)) this.refuse(asked, NO_SERVER);
    else if (this.socket.readyState === WebSocket.OPEN) this.socket.send(asked.text);
  }

  refuse(asked, error) {
    this.hear({ id: asked.id, error, done: true });
  }
}
