// Questions on their way. A new question in a lane ends the one before it there, whoever answers.

export class Lanes {
  constructor() {
    this.count = 0;
    this.lanes = new Map(); // of each lane the question that is being answered
  }

  // Resolves to true when the answer is whole, to false when another question took its place.
  ask(lane, message, onPart) {
    this.stop(lane);
    const id = ++this.count;
    const text = JSON.stringify({ ...message, id, lane });
    return new Promise(resolve => {
      this.lanes.set(lane, { id, lane, text, onPart, resolve });
      this.send(this.lanes.get(lane));
    });
  }

  // Nobody wants to hear the answer in this lane any more.
  stop(lane) {
    const asked = this.lanes.get(lane);
    if (!asked) return;
    this.lanes.delete(lane);
    this.recall(asked);
    asked.resolve(false);
  }

  // What the one who answers has to be told of that, if anything.
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
