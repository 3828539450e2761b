// A limit counts seconds, so that 500 clients within one of them are few enough. A tenth is what a long wait can be longer by and still be kept.
const LEAST = 1_000;
const SHARE = 0.1;

/**
 * Within how many milliseconds after a wait that a server asks for the clients return: a second, or a tenth of the wait where that is longer. A server tells all clients
 * the same, and would meet all of them at one moment otherwise.
 */
export function spreadOf(wait: number): number {
  return wait > 0 ? Math.max(LEAST, wait * SHARE) : 0;
}

/** A random wait that is not shorter than `wait`, and leaves at least half of the time after it to the request. */
export function spread(wait: number, timeLeft = Infinity): number {
  const most = Math.min(spreadOf(wait), Math.max(0, timeLeft - wait) / 2);
  return wait + Math.floor(Math.random() * most);
}
