import type { PlaceInList } from "./checkpoint.ts";
import { keyOf } from "./key-of.ts";
import type { CurrentPage } from "./page.ts";

export type Place<T> = ReturnType<typeof createPlace<T>>;

/** Creates the place of a walk, which can be found again. */
export function createPlace<T>(
  keyFields: readonly string[] | undefined,
  anchorSize: number,
  resumeFrom: PlaceInList | undefined,
) {
  let current: CurrentPage<T> | undefined;
  let given = resumeFrom?.items ?? 0;
  let repeated = 0;
  /** The keys of the last returned items before the current page. */
  let keys: readonly string[] = resumeFrom?.anchor ?? [];
  /** The rows that ended the page before the current one. */
  let before = resumeFrom?.before ?? [];
  const itemKey = (item: unknown): string => keyOf(item, keyFields);
  const lastOfCurrent = (): readonly T[] =>
    current?.items.slice(Math.max(0, current.offset - anchorSize), current.offset) ?? [];
  const anchor = (): string[] => [...keys, ...lastOfCurrent().map(itemKey)].slice(-anchorSize);
  /** An empty page does not count. */
  const rowsAfter = (): readonly string[] =>
    current?.items.length ? lastRows(current.items) : before;

  return {
    /** Returns how many items were returned, including those of earlier walks. */
    items: (): number => given,
    /** Returns how many of the items that this walk has returned repeat those that ended the page before. */
    repeated: (): number => repeated,
    give(count: number): void {
      given += count;
      if (current === undefined) return;
      repeated += Math.min(count, Math.max(0, current.repeated - current.offset));
      current.offset += count;
    },
    /** Moves to another page. `isFound` says that the place was searched for and is in this page. */
    move(page: Omit<CurrentPage<T>, "repeated">, isFound: boolean): CurrentPage<T> {
      keys = anchor();
      // The rest of the anchor is in the page itself, which begins as it did when the place was left.
      if (isFound) keys = keys.slice(0, Math.max(0, keys.length - page.offset));
      else before = rowsAfter();
      return (current = { ...page, repeated: countRepeated(before, page.items) });
    },
    /** Searches for the place, starting at its page. Returns `undefined` if that page begins with it. */
    seekInPage(offset: number) {
      return offset === 0 ? undefined : createSeek(anchor().slice(-offset), offset, itemKey);
    },
    /** Searches for the place from the start of the list. Returns `undefined` if the place is the start. */
    seekInList() {
      return given === 0 ? undefined : createSeek(anchor(), given, itemKey);
    },
    /** Returns the part of a checkpoint that describes the place. */
    describe(start: string | null, seen: { has(cursor: string): boolean }): PlaceInList {
      const at = { items: given, anchor: anchor() };
      if (current === undefined)
        return { ...at, cursor: start, offset: resumeFrom?.offset ?? 0, before };
      const { offset, items, cursor, readFrom = null } = current;
      // After a whole page, the walk resumes at the next page. A repeated cursor must be detected again, though.
      if (offset === items.length && cursor !== undefined && !seen.has(cursor))
        return { ...at, cursor, offset: 0, before: rowsAfter() };
      return { ...at, cursor: readFrom, offset, before };
    },
  };
}

/** How many rows are compared, at most. Services repeat one, or those that new rows have pushed down (observed). */
const MOST = 10;

/** Returns hashes of the last rows of a page, with all their fields. */
const lastRows = (items: readonly unknown[]): string[] => items.slice(-MOST).map(wholeRow);

/** Returns how many rows at the start of a page repeat the last ones before it. */
function countRepeated(before: readonly string[], items: readonly unknown[]): number {
  const start = items.slice(0, MOST).map(wholeRow);
  const count = before.findIndex((_, at) => before.slice(at).every((row, to) => row === start[to]));
  return count < 0 ? 0 : before.length - count;
}

const wholeRow = (item: unknown): string => keyOf(item);

/**
 * Searches for a place: walks over items until it finds the keys of the anchor in their order. `keys` are the keys of the last items in their order. At least `count` items precede the place: in a list that
 * only grows, the place can move back but never forward.
 */
function createSeek(keys: readonly string[], count: number, keyOfItem: (item: unknown) => string) {
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
