import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const MIB = 2 ** 20;
// What one response may cost beyond the largest body that the client reads; a bomb unpacks to hundreds.
const MOST = 64 * MIB;
const EVERY = 5;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Runs work while nothing else runs. Returns whether its memory ever grew by more than 64 MiB, and calls `onGrown` when it does. */
export async function growthOf<T>(
  work: () => Promise<T>,
  onGrown: () => void = () => undefined,
): Promise<{ result: T; grew: boolean }> {
  collectGarbage();
  const before = memory();
  let grew = false;
  const look = () => {
    if (grew || memory() - before <= MOST) return;
    grew = true;
    onGrown();
  };
  const timer = setInterval(look, EVERY);
  const result = await work().finally(() => clearInterval(timer));
  look();
  return { result, grew };
}

function memory(): number {
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
}
