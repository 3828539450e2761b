import { Worker } from "node:worker_threads";

/** After this share of its time, a case is not only late: its code lets no timer of this thread fire. */
const GRACE = 1.5;

/** Runs in a thread of its own, because code that never yields stops every timer of the thread that it runs in. */
const DOG = `
const { parentPort } = require("node:worker_threads");
const { writeSync } = require("node:fs");
const timers = new Map();
parentPort.on("message", ({ id, name, limit }) => {
  clearTimeout(timers.get(id));
  timers.delete(id);
  if (name === undefined) return;
  timers.set(id, setTimeout(() => {
    writeSync(2, "✗ " + name + ": still runs after " + limit / 1000 + " s, and lets nothing else run\\n");
    process.kill(process.pid, "SIGKILL");
  }, limit));
});`;

let dog: Worker | undefined;
let count = 0;

/** Ends the process, and names the case, if it still runs long after its time. Returns what to call when the case has ended. */
export function watch(name: string, limit: number): () => void {
  if (dog === undefined) {
    dog = new Worker(DOG, { eval: true });
    dog.unref();
  }
  const id = ++count;
  tell({ id, name, limit: limit * GRACE });
  return () => tell({ id });
}

function tell(message: object): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  dog?.postMessage(message);
}
