/**
 * Calls a function that uses zod, which reads objects with for-in: what a program has added to `Object.prototype` would be a
 * field of each. While the function runs, for-in does not see it.
 */
export function hideAdded<T>(work: () => T): T {
  const added = Object.keys(Object.prototype);
  if (added.length === 0) return work();
  const set = (enumerable: boolean): void =>
    added.forEach((name) => void Reflect.defineProperty(Object.prototype, name, { enumerable }));
  set(false);
  try {
    return work();
  } finally {
    set(true);
  }
}
