// The connection to the server: sends questions over a WebSocket and receives the parts of answers.
// No other file of the page talks to the server.

import { Lanes } from "./lanes.js";

// Questions from a click fail at once without a server: a late answer would be a surprise.
const CLICKED = ["walk", "make"];
const NO_SERVER = "There is no server: start satdoku serve again.";
const NO_TOKEN = "This server asks for its token: open the address that satdoku serve printed.";
const NOT_CONNECTED = "not connected: is satdoku serve running?";
const STRANGER = [1008, 1009]; // close codes of the server for a page that has not shown the token

const LONGEST = 256 * 1024; // the longest message in bytes; the server closes the connection after a longer one

export class Backend extends Lanes {
  constructor(onStatus) {
    super();
    this.onStatus = onStatus;
    this.isLost = false;
    this.isKnown = false; // whether the server has answered a question on this connection
    this.lacksToken = false;
    this.waiting = 250; // milliseconds until the next try, doubled after each
    this.readToken();
    // The address that the server printed may be opened in the tab of the page that asked for it.
    window.addEventListener("hashchange", () => this.readToken());
    this.connect();
  }

  // Store the token for this tab, because the text behind # is removed after it was read.
  readToken() {
    const given = new URLSearchParams(location.hash.slice(1)).get("k");
    if (given) sessionStorage.setItem("satdoku-token", given);
    this.token = given || sessionStorage.getItem("satdoku-token");
  }

  connect() {
    const socket = new WebSocket(`ws://${location.host}/api/v1/socket`);
    this.socket = socket;
    socket.onopen = () => {
      this.waiting = 250;
      this.isLost = false;
      if (this.token) socket.send(this.token);
      this.isKnown = false;
      if (!this.lacksToken) this.onStatus("");
      for (const asked of this.lanes.values()) this.send(asked);
    };
    socket.onmessage = event => {
      const part = JSON.parse(event.data);
      if (!this.isKnown) {
        // A first part numbered 0 says that the server refuses this page.
        this.isKnown = part.id !== 0;
        this.lacksToken = !this.isKnown;
        this.onStatus(this.lacksToken ? NO_TOKEN : "");
      }
      this.hear(part);
    };
    socket.onclose = event => {
      this.isLost = true;
      if (!this.isKnown && STRANGER.includes(event.code)) this.lacksToken = true;
      this.onStatus(this.lacksToken ? NO_TOKEN : NOT_CONNECTED);
      for (const lane of CLICKED) if (this.lanes.has(lane)) this.refuse(this.lanes.get(lane), NO_SERVER);
      setTimeout(() => this.connect(), this.waiting);
      this.waiting = Math.min(2 * this.waiting, 4000);
    };
  }

  // The server itself cancels the earlier question of a lane.
  send(asked) {
    if (new Blob([asked.text]).size > LONGEST) this.refuse(asked, "this is too long: at most 256 kB can be asked about");
    else if (this.isLost && CLICKED.includes(asked.lane)) this.refuse(asked, NO_SERVER);
    else if (this.socket.readyState === WebSocket.OPEN) this.socket.send(asked.text);
  }

  refuse = (asked, error) => this.hear({ id: asked.id, error, done: true });
}
