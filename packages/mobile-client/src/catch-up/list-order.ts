/** The order of a list of events by their times. */
export type ListOrder = "oldest_first" | "newest_first" | "none";

/** One in this many steps of an ordered list may go the other way: a service may list an event late. */
const STEPS_FOR_EACH_EXCEPTION = 20;

/** Observes the order of a list. A step back of more than `most` milliseconds means another order: no event is that late. */
export function watchOrder(most: number) {
  let last = Number.NaN;
  const later = { steps: 0, longest: 0 };
  const earlier = { steps: 0, longest: 0 };
  const isOrdered = (wrong: typeof later): boolean =>
    wrong.longest <= most && wrong.steps * STEPS_FOR_EACH_EXCEPTION <= later.steps + earlier.steps;
  return {
    /** Adds the time of the next event of the list, in milliseconds. A time that cannot be read is left out. */
    add(time: number): void {
      if (Number.isNaN(time)) return;
      const step = Math.abs(time - last);
      if (step > 0) {
        const way = time > last ? later : earlier;
        way.steps++;
        way.longest = Math.max(way.longest, step);
      }
      last = time;
    },
    order(): ListOrder {
      if (later.steps + earlier.steps === 0) return "none";
      if (isOrdered(earlier)) return "oldest_first";
      return isOrdered(later) ? "newest_first" : "none";
    },
    /** Whether a list with this order cannot contain what was added. */
    contradicts: (order: ListOrder): boolean =>
      !isOrdered(order === "oldest_first" ? earlier : later),
  };
}
