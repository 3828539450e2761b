/** The way back to a place: walks over items until the anchor's keys follow each other. */
export interface Seek {
  /** Returns the index behind the anchor in these items, or `undefined` while it is not among them. */
  find(items: readonly unknown[]): number | undefined;
}

/**
 * Starts a search. `keys` are those of the last items in their order, and at least `count` items precede the
 * place: a list that only grows can have moved it back, never forward.
 */
export function createSeek(
  keys: readonly string[],
  count: number,
  keyOfItem: (item: unknown) => string,
): Seek {
  let passed = 0;
  let recent: string[] = [];
  return {
    find(items) {
      // Hashing is only worth it where the anchor can begin.
      const first = Math.max(0, count - keys.length - passed);
      for (let index = first; index < items.length; index++) {
        recent.push(keyOfItem(items[index]));
        if (recent.length > keys.length) recent.shift();
        if (passed + index + 1 < count || recent.length < keys.length) continue;
        if (keys.every((key, at) => key === recent[at])) return index + 1;
      }
      passed += items.length;
      if (first > 0 && first >= items.length) recent = [];
      return undefined;
    },
  };
}
