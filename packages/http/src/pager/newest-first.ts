/** Tells whether times, in the order of their list, never increase. Equal times keep the order. */
export function isNewestFirst(times: readonly number[]): boolean {
  return times.every((time, index) => index === 0 || time <= (times[index - 1] ?? time));
}
