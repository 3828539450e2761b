// Limits are per second or longer, so 500 clients within a second are few enough. A long wait may become a tenth longer.
const LEAST = 1_000;
const SHARE = 0.1;

/**
 * Returns the time span, in milliseconds, over which clients return after a wait that the server asks for: a second, or a tenth
 * of a longer wait. A server tells all clients the same, so they would all return at the same moment.
 */
export function spreadOf(wait: number): number {
  return wait > 0 ? Math.max(LEAST, wait * SHARE) : 0;
}

/** Returns a random wait of at least `wait`. Leaves at least half of the remaining time for the request. */
export function spread(wait: number, timeLeft = Infinity): number {
  const most = Math.min(spreadOf(wait), Math.max(0, timeLeft - wait) / 2);
  return wait + Math.floor(Math.random() * most);
}
