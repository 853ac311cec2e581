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
    this.recall?.(asked); // a backend that needs to know of it
    asked.resolve(false);
  }

  hear(part) {
    const asked = [...this.lanes.values()].find(each => each.id === part.id);
    if (asked && part.done) {
      this.lanes.delete(asked.lane);
      asked.resolve(true);
    }
    if (!part.done || part.error) asked?.onPart(part);
  }
}
