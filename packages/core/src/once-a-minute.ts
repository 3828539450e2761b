import { monotonicClock, type Clock } from "./clock.ts";

const MINUTE = 60_000;
/** An error may name the kind, and have any code. */
const MOST_KINDS = 1_000;

/**
 * Creates a function that prints what others can repeat as often as they like, such as a delivery that is rejected: once a minute for
 * each kind, with the number of those between. Printing each would fill a disk.
 */
export function printOnceAMinute(
  print: (...values: unknown[]) => void,
  clock: Clock = monotonicClock,
): (kind: string, ...values: unknown[]) => void {
  const count = onceAMinute(clock);
  return (kind, ...values) => {
    const more = count(kind);
    if (more !== undefined) print(...values, ...more);
  };
}

/**
 * Creates the function that counts. It returns `undefined` in the minute after a kind was printed, and otherwise what to print beside
 * it.
 */
export function onceAMinute(clock: Clock): (kind: string) => readonly string[] | undefined {
  const kinds = new Map<string, { printedAt: number; more: number }>();
  return (kind) => {
    const now = clock.now();
    const known = kinds.get(kind);
    // In both directions, in case the clock is set back.
    if (known !== undefined && Math.abs(now - known.printedAt) < MINUTE) {
      known.more += 1;
      return undefined;
    }
    if (kinds.size >= MOST_KINDS) kinds.clear();
    kinds.set(kind, { printedAt: now, more: 0 });
    const more = known?.more ?? 0;
    return more > 0 ? [`(and ${more} more since the last time)`] : [];
  };
}
