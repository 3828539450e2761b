/**
 * Searches for a place: walks over items until it finds the keys of the anchor in their order. `keys` are the keys of the last items in their order. At least `count` items precede the place: in a list that
 * only grows, the place can move back but never forward.
 */
export function createSeek(
  keys: readonly string[],
  count: number,
  keyOfItem: (item: unknown) => string,
) {
  let passed = 0;
  let recent: string[] = [];
  return {
    /** Returns the index after the anchor in these items, or `undefined` until it is found. */
    find(items: readonly unknown[]): number | undefined {
      // Hashing is only needed where the anchor can begin.
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
