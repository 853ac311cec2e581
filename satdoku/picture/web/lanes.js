// The lanes of pending questions, for any backend: a new question cancels the earlier one in its lane.

export class Lanes {
  constructor() {
    this.count = 0;
    this.lanes = new Map(); // the pending question of each lane
  }

  // Ask a question; the promise resolves to true when the answer is complete, to false if another
  // question replaced this one.
  ask(lane, message, onPart) {
    this.stop(lane);
    const id = ++this.count;
    const text = JSON.stringify({ ...message, id, lane });
    return new Promise(resolve => {
      this.lanes.set(lane, { id, lane, text, onPart, resolve });
      this.send(this.lanes.get(lane));
    });
  }

  stop(lane) {
    const asked = this.lanes.get(lane);
    if (!asked) return;
    this.lanes.delete(lane);
    this.recall(asked);
    asked.resolve(false);
  }

  // Tell the backend about a cancelled question, if it needs to know.
  recall() {}

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
