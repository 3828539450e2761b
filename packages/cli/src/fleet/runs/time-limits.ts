/** A request that creates something has ended after so long, with all its attempts. In milliseconds. */
export const CREATION = 60_000;
/** How much the clocks of two machines may differ that share the state of a run. */
export const SKEW = 10_000;
