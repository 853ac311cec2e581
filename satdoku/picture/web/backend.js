// The only file that knows a server. `ask` sends a question and hears the parts of its answer; a
// new question in a lane ends the one before it there.

export class Backend {
  constructor(onStatus) {
    this.onStatus = onStatus;
    this.count = 0;
    this.lanes = new Map(); // of each lane the question that is being answered
    this.waiting = 250; // milliseconds until the next try, doubled after each
    this.token = new URLSearchParams(location.hash.slice(1)).get("k");
    this.connect();
  }

  connect() {
    const socket = new WebSocket(`ws://${location.host}/api/v1/socket`);
    this.socket = socket;
    socket.onopen = () => {
      this.waiting = 250;
      if (this.token) socket.send(this.token);
      this.onStatus(true);
      // What was asked while nobody listened is asked now.
      for (const asked of this.lanes.values()) socket.send(asked.text);
    };
    socket.onmessage = event => this.hear(JSON.parse(event.data));
    socket.onclose = () => {
      this.onStatus(false);
      setTimeout(() => this.connect(), this.waiting);
      this.waiting = Math.min(2 * this.waiting, 4000);
    };
  }

  // Resolves to true when the answer is whole, to false when another question took its place.
  ask(lane, message, onPart) {
    this.stop(lane);
    const id = ++this.count;
    const text = JSON.stringify({ ...message, id, lane });
    return new Promise(resolve => {
      this.lanes.set(lane, { id, text, onPart, resolve });
      if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
    });
  }

  // Nobody wants to hear the answer in this lane any more.
  stop(lane) {
    const asked = this.lanes.get(lane);
    this.lanes.delete(lane);
    if (asked) asked.resolve(false);
  }

  hear(part) {
    for (const [lane, asked] of this.lanes) {
      if (asked.id !== part.id) continue;
      if (part.done) {
        this.lanes.delete(lane);
        asked.resolve(true);
      }
      if (!part.done || part.error) asked.onPart(part);
      return;
    }
  }
}
