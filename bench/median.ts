/** The middle one of some figures; of an even number the higher of the two. */
export function median(values: readonly number[]): number {
  const middle = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  if (middle === undefined) throw new RangeError("There is no median of nothing.");
  return middle;
}
